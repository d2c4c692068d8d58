//! Texts grow with the structure, not faster.

use itertools::iproduct;
use paramcheck_emulation::process::encode;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::writers::c::{Liveness, Options, Shape, Target, Verifier, c};
use paramcheck_emulation::writers::chc::{Encoding, Options as ClauseOptions, chc};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

use super::{Subject, instances};

/// The size of a structure: what its parts refer to, and the letters of its names.
fn size(structure: &paramcheck_emulation::Structure) -> usize {
    let triples = structure.triples.iter().map(|triple| {
        1 + triple.entry.len() + triple.exit.len() + triple.assignments.len() + triple.agents.len()
    });
    let locations = structure.counters.iter().flat_map(|counter| &counter.locations);
    let names: usize = structure.labels.iter().map(String::len).sum();
    triples.sum::<usize>() + locations.map(|location| 1 + location.offers.len()).sum::<usize>() + names
}

/// Milner's scheduler: cells in a ring hand on a token.
fn scheduler(cells: usize) -> Subject {
    let cell = |n: usize| {
        let (this, next) = (n + 1, (n + 1) % cells + 1);
        let body = format!("a{this}.(b{this}.'c{next}.W{this} + 'c{next}.b{this}.W{this})");
        let start = if n == 0 { body.clone() } else { format!("c{this}.{body}") };
        format!("S{this} = {start};\nW{this} = c{this}.{body};\n")
    };
    let definitions: String = (0..cells).map(cell).collect();
    let join =
        |name: fn(usize) -> String, between: &str| (1..=cells).map(name).collect::<Vec<_>>().join(between);
    let all = join(|n| format!("S{n}"), " | ");
    let tokens = join(|n| format!("c{n}"), ", ");
    let text = format!("{definitions}system ({all}) \\ {{{tokens}}};\ncheck deadlock;\n");
    let model = load(&text, Language::Ccs).system.unwrap();
    Subject {
        name: format!("scheduler of {cells} cells"),
        structure: encode(&model, &Budget::unlimited()).unwrap(),
        questions: model.checks.iter().filter_map(Question::of_check).collect(),
    }
}

/// A small and a large one of each family.
fn families() -> Vec<[Subject; 2]> {
    let files = ["examples/philosophers/alt-philo-sym.rs", "examples/rings/token-ring.rs"];
    let mut found: Vec<_> = files.map(|file| [12, 192].map(|n| instances(file, n..=n).remove(0))).into();
    found.push([4, 64].map(scheduler));
    found
}

#[test]
fn horn_clauses_are_linear() {
    for [small, large] in families() {
        let encodings = [Encoding::OneHot, Encoding::Integers];
        for (schedule, encoding) in iproduct!([Schedule::Any, Schedule::RoundRobin], encodings) {
            let options = ClauseOptions { encoding, with_proof: false };
            let [less, more] = [&small, &large].map(|subject| {
                let text =
                    chc(&subject.program(&subject.questions[0], schedule), options, &Budget::unlimited())
                        .unwrap();
                text.len() as f64 / size(&subject.structure) as f64
            });
            let name = &small.name;
            assert!(more < less * 1.25, "{name}, {options:?}, {schedule:?}: {less}, {more}");
        }
    }
}

#[test]
fn programs_in_c_are_linear() {
    for [small, large] in families() {
        let file = &small.name;
        for schedule in [Schedule::Any, Schedule::RoundRobin, Schedule::StronglyFair] {
            for shape in [Shape::Loop, Shape::Base(20), Shape::Step(20)] {
                for target in [Target::Standalone, Target::Verifier(Verifier::Esbmc)] {
                    let options = Options { target, shape, liveness: Liveness::Safety };
                    let [small, large] = [&small, &large].map(|subject| {
                        let text = c(
                            &subject.program(&subject.questions[0], schedule),
                            options,
                            &Budget::unlimited(),
                        )
                        .unwrap();
                        text.len() as f64 / size(&subject.structure) as f64
                    });
                    // Numbers have more digits, and what all programs have weighs less.
                    assert!(large < small * 1.25, "{file}, {options:?}, {schedule:?}: {small}, {large}");
                }
            }
        }
    }
}

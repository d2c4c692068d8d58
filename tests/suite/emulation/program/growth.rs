//! Texts grow with the structure, not faster.

use paramcheck::emulation::target::c::{Liveness, Options, Shape, Target, Verifier, c};
use paramcheck::semantics::check::Schedule;

use super::instances;

/// The size of a structure: what its parts refer to, and the letters of its names.
fn size(structure: &paramcheck::emulation::Structure) -> usize {
    let triples = structure.triples.iter().map(|triple| {
        1 + triple.entry.len() + triple.exit.len() + triple.assignments.len() + triple.agents.len()
    });
    let locations = structure.counters.iter().flat_map(|counter| &counter.locations);
    let names: usize = structure.labels.iter().map(String::len).sum();
    triples.sum::<usize>() + locations.map(|location| 1 + location.offers.len()).sum::<usize>() + names
}

#[test]
fn programs_in_c_are_linear() {
    for file in ["examples/philosophers/alt-philo-sym.rs", "examples/rings/token-ring.rs"] {
        let [small, large] = [12, 192].map(|n| instances(file, n..=n).remove(0));
        for schedule in [Schedule::Any, Schedule::RoundRobin, Schedule::StronglyFair] {
            for shape in [Shape::Loop, Shape::Base(20), Shape::Step(20)] {
                for target in [Target::Standalone, Target::Verifier(Verifier::Esbmc)] {
                    let options = Options { target, shape, liveness: Liveness::Safety };
                    let [small, large] = [&small, &large].map(|subject| {
                        let text = c(&subject.program(&subject.questions[0], schedule), options).unwrap();
                        text.len() as f64 / size(&subject.structure) as f64
                    });
                    // Numbers have more digits, and what all programs have weighs less.
                    assert!(large < small * 1.25, "{file}, {options:?}, {schedule:?}: {small}, {large}");
                }
            }
        }
    }
}

//! Programs in C that run by themselves: strict compilers have nothing to say, and what they do is a run.

use std::fs;
use std::process::Command;

use paramcheck_emulation::question::{Demand, Question};
use paramcheck_emulation::writers::c::{Liveness, Options, Shape, Target, c};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

use super::{Plain, Subject, data, encode_process, examples, instances, nothing, process, triple};
use crate::suite::support::tools::{Scratch, output, program};
use crate::suite::support::{BARREN, barren};

const STANDALONE: Options =
    Options { target: Target::Standalone, shape: Shape::Loop, liveness: Liveness::Termination };

/// All files in one call of the compiler.
fn compile(folder: &Scratch, files: &[String]) {
    let mut gcc = program("gcc");
    gcc.current_dir(folder.path()).args([
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Werror",
    ]);
    // It has to make code: only then does it complain of functions that are never called.
    let said = output(gcc.args(["-S"]).args(files));
    assert_eq!(said, "");
}

/// What a run prints, and its exit code.
fn run(folder: &Scratch, file: &str, seed: u32, steps: u32) -> (String, i32) {
    let mut tcc: Command = program("tcc");
    let numbers = [seed.to_string(), steps.to_string()];
    let ran = tcc.current_dir(folder.path()).args(["-run", file]).args(numbers).output().unwrap();
    assert!(ran.stderr.is_empty(), "{file}: {}", String::from_utf8_lossy(&ran.stderr));
    (String::from_utf8(ran.stdout).unwrap(), ran.status.code().unwrap())
}

/// Holds a run against the structure: its steps are steps, and it ends as it claims.
fn replay(plain: &Plain<'_>, demand: &Demand, asks: bool, steps: u32, said: &str, code: i32) {
    let mut taken = Vec::new();
    let mut lines = said.lines();
    let mut end = Vec::new();
    let mut shown = Vec::new();
    for line in &mut lines {
        if let Some(values) = line.strip_prefix("   ") {
            let values = values.split(", ").map(|value| value.split_once(" = ").unwrap().1.parse().unwrap());
            shown.push(values.collect::<Vec<i64>>());
            continue;
        }
        let Some((number, rest)) = line.split_once(". [") else {
            end.push(line);
            break;
        };
        let (id, words) = rest.split_once("] ").unwrap();
        taken.push(triple(id.parse().unwrap()));
        assert_eq!(number, taken.len().to_string());
        let label = plain.structure.triples[taken[taken.len() - 1]].label().unwrap();
        assert!(words.starts_with(&plain.structure.labels[label]), "{line}");
    }
    end.extend(lines);
    let moments = plain.follow(&taken, shown.first()).unwrap_or_else(|| panic!("no run: {said}"));
    if !plain.structure.variables.is_empty() {
        let values: Vec<&Vec<i64>> = moments.iter().map(|moment| &moment.state.values).collect();
        assert_eq!(values, shown.iter().collect::<Vec<_>>(), "{said}");
    }
    let last = &moments[taken.len()];
    let (Demand::Never(condition) | Demand::Eventually(condition)) = demand else {
        panic!("{demand:?} is no question in C")
    };
    let holds: Vec<bool> = moments.iter().map(|moment| plain.holds(condition, moment)).collect();
    assert!(!holds[..taken.len()].contains(&true), "it went on: {said}");
    let (words, expected) = match (demand, holds[taken.len()]) {
        (Demand::Never(_), true) => (vec![format!("violated at step {}", taken.len())], 1),
        (Demand::Eventually(_), true) => (vec![format!("holds at step {}", taken.len())], 0),
        _ if taken.len() == steps as usize => (vec![format!("{steps} steps used up")], 0),
        _ => {
            assert_eq!(plain.steps(last).len(), 0, "{said}");
            let how = if plain.structure.is_terminated(&last.state) { "terminated" } else { "stuck" };
            let mut words = vec![format!("{how} after {} steps", taken.len())];
            let is_violated = asks && matches!(demand, Demand::Eventually(_));
            if is_violated {
                words.push(format!("violated at step {}", taken.len()));
            }
            (words, i32::from(is_violated))
        }
    };
    assert_eq!(end.len(), words.len(), "{said}");
    for (line, words) in end.iter().zip(words) {
        assert!(line.ends_with(&words), "{said}");
    }
    assert_eq!(code, expected, "{said}");
}

/// Writes, compiles and runs everything about some subjects; how many runs there were.
fn check(subjects: &[Subject], seeds: u32, steps: u32) -> usize {
    let folder = Scratch::new();
    let mut files = Vec::new();
    let mut cases = Vec::new();
    let nothing = nothing();
    for subject in subjects {
        for (position, question) in subject.questions.iter().chain([&nothing]).enumerate() {
            for schedule in [Schedule::Any, Schedule::RoundRobin] {
                let text = c(&subject.program(question, schedule), STANDALONE, &Budget::unlimited()).unwrap();
                let file = format!("p{}.c", files.len());
                fs::write(folder.path().join(&file), text).unwrap();
                files.push(file);
                cases.push((subject, question, schedule, position < subject.questions.len()));
            }
        }
    }
    compile(&folder, &files);
    let mut runs = 0;
    for (file, (subject, question, schedule, asks)) in files.iter().zip(cases) {
        let plain = Plain::new(&subject.structure, schedule);
        for seed in 0..seeds {
            let (said, code) = run(&folder, file, seed, steps);
            replay(&plain, &question.demand, asks, steps, &said, code);
            runs += 1;
        }
    }
    runs
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs gcc and tcc: PARAMCHECK_LONG=1")]
fn instances_run_as_their_structures_do() {
    let subjects: Vec<Subject> = examples(".rs").iter().flat_map(|file| instances(file, 3..=4)).collect();
    assert!(subjects.len() > 40);
    assert!(check(&subjects, 1, 40) > 300);
}

/// Where no step is possible whatever happens, or only one, there is nothing to choose.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs gcc and tcc: PARAMCHECK_LONG=1")]
fn what_has_no_choice_runs_too() {
    let subject = |system: &str| {
        let model = load(&barren(system), Language::Ccs).system.unwrap();
        Subject {
            name: system.to_owned(),
            structure: encode_process(&model, &Budget::unlimited()).unwrap(),
            questions: model.checks.iter().filter_map(Question::of_check).collect(),
        }
    };
    // Five checks and none, by two schedules, from two seeds.
    assert_eq!(check(&BARREN.map(subject), 2, 5), BARREN.len() * 6 * 2 * 2);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs gcc and tcc: PARAMCHECK_LONG=1")]
fn processes_run_as_their_structures_do() {
    let files = [examples(".ccs"), examples(".chor")].concat();
    let subjects: Vec<Subject> = files.iter().map(|file| process(file)).collect();
    assert!(check(&subjects, 1, 30) > 100);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs gcc and tcc: PARAMCHECK_LONG=1")]
fn structures_with_data_run_as_they_should() {
    assert!(check(&data::subjects(), 12, 60) > 100);
}

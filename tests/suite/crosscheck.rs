//! Every model of the repository: its verdicts against exhaustive exploration of all instances, as far as a
//! number of states reaches. Nothing may contradict, and what exploration sees must be what is expected.

use std::fs;
use std::path::Path;

use paramcheck::replay::{ends_in, replay};
use paramcheck::report::crosscheck::{Compared, details};
use paramcheck::report::text::{self, Style};
use paramcheck::report::trace::TraceDocument;
use paramcheck::report::{build, reproducer};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::Reach;
use paramcheck_verdict::crosscheck::{Agreement, Observation, Plan, compare, sweep};
use paramcheck_verdict::{EngineChoice, Options, Status, Verdict, decide};

use super::support::{case, errors, expected, system};

/// States visited per model, in all instances together: this decides how far each is explored.
const STATES: usize = 20_000;
/// No model is explored further.
const SIZES: usize = 16;

const PLAN: Plan = Plan { max_size: SIZES, max_states: STATES, threads: 1 };

/// A model with its verdicts and what exploration saw.
struct Checked {
    name: String,
    errors: Vec<NamedError>,
    sweep: Observation,
    agreements: Vec<Agreement>,
    verdicts: Vec<Verdict>,
}

impl Checked {
    /// Compares everything about one model; a contradiction ends the test.
    fn new(folder: &str, file: &str, engine: EngineChoice) -> Checked {
        let name = format!("{folder}/{file}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        let model: System = system(&fs::read_to_string(path).unwrap());
        let errors = errors(&model);
        let sweep = sweep(&model, &errors, &PLAN, &Budget::unlimited());
        let options = Options { engine, max_states: 10_000, ..Options::default() };
        let verdicts: Vec<Verdict> =
            errors.iter().map(|error| decide(&model, error, &options).unwrap()).collect();
        let compare = |(position, verdict): (usize, &Verdict)| {
            compare(&model, verdict, &sweep, position, &PLAN, &Budget::unlimited())
                .unwrap_or_else(|contradiction| panic!("{name}: {contradiction}"))
        };
        let agreements = verdicts.iter().enumerate().map(compare).collect();
        Checked { name, errors, sweep, agreements, verdicts }
    }

    /// What must be so whatever the model.
    fn check(&self) {
        let Checked { name, errors, sweep, agreements, verdicts } = self;
        // Exploration has seen something: an instance at least.
        let explored: usize = sweep.sizes.iter().map(|seen| seen.instances).sum();
        assert!(explored > 0, "{name}: {:?}", sweep.end);
        for (error, (agreement, verdict)) in errors.iter().zip(agreements.iter().zip(verdicts)) {
            match (&verdict.status, agreement) {
                (Status::Proved(_), Agreement::ProvedAndUnreached { .. })
                | (Status::Unknown(_), Agreement::UnknownAndUnreached { .. })
                | (Status::Violated(_), Agreement::ViolatedAndReached { .. }) => {}
                // The smallest violations are small, and exploration would have found others.
                other => panic!("{name}: {}: {other:?}", error.name),
            }
        }
    }
}

/// The models in a folder of the repository.
fn models(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".rs")).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder}");
    names
}

/// Checks a folder of examples.
fn examples(folder: &str) {
    for file in models(folder) {
        Checked::new(folder, &file, EngineChoice::Direct).check();
    }
}

/// Checks a folder of cases, and that exploration found what their `expected.json` states.
fn cases(folder: &str, engine: &EngineChoice) {
    let folder_name = format!("tests/cases/{folder}");
    let expected = expected(folder);
    let mut compared = 0;
    for file in models(&folder_name) {
        let checked = Checked::new(&folder_name, &file, engine.clone());
        checked.check();
        let sweep = &checked.sweep;
        for (position, error) in checked.errors.iter().enumerate() {
            let entry = expected.iter().find(|(model, name, _)| {
                model.strip_prefix(folder) == Some(&format!("/{file}")) && *name == error.name
            });
            let Some((_, _, entry)) = entry else { continue };
            let place = format!("{}: {}", checked.name, error.name);
            let reached = sweep.smallest[position].as_ref().map(|reached| reached.tree.size() as u64);
            compared += 1;
            if let Some(size) = entry["smallest_size"].as_u64() {
                assert_eq!(reached, Some(size), "{place}");
                assert_eq!(sweep.excluded_up_to(position) as u64, size - 1, "{place}");
            } else {
                assert_eq!(reached, None, "{place}");
            }
            if let Some(up_to) = entry["explored_up_to"].as_u64() {
                let sizes = sweep.sizes.iter().take_while(|seen| seen.size as u64 <= up_to);
                for seen in sizes {
                    assert_eq!(seen.reached[position], Reach::Unreached, "{place}: {}", seen.size);
                }
            }
        }
    }
    assert_eq!(compared, expected.len());
}

#[test]
fn the_ring() {
    examples("examples");
}

#[test]
fn chains() {
    examples("examples/chains");
}

#[test]
fn hierarchies() {
    examples("examples/hierarchies");
}

#[test]
fn modelling() {
    examples("examples/modelling");
}

#[test]
fn unknown() {
    examples("examples/unknown");
}

#[test]
fn philosophers() {
    examples("examples/philosophers");
}

#[test]
fn rings() {
    examples("examples/rings");
}

#[test]
fn stars() {
    examples("examples/stars");
}

#[test]
fn trees() {
    examples("examples/trees");
}

#[test]
fn table1() {
    cases("table1", &EngineChoice::Direct);
}

#[test]
fn more() {
    cases("more", &EngineChoice::Direct);
}

#[test]
fn classic() {
    cases("classic", &EngineChoice::Direct);
}

/// The verdicts of both engines, and of either.
#[cfg(all(feature = "mona", feature = "cli"))]
#[test]
fn table1_by_both_engines() {
    use paramcheck_verdict::MonaSetup;
    use paramcheck_wsks::mona::Worker;

    let worker = Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() };
    cases("table1", &EngineChoice::Both(MonaSetup { worker, memory: None }));
}

/// Every × of the paper's Table 1, where traps and mutexes leave a candidate, is resolved: as violated, with
/// a trace that replays from its document alone, or as unknown after exploration as far as is expected.
#[test]
fn every_cross_of_table_1_is_resolved() {
    let mut violated = 0;
    for (file, name, entry) in expected("table1") {
        if entry["paper"] != "×" {
            continue;
        }
        let model = case(&file);
        let error = model.error_named(&name).unwrap();
        let verdict = decide(&model, &error, &Options::default()).unwrap();
        let question = build::question(&model, &verdict);
        match &verdict.status {
            Status::Violated(_) => {
                let document = TraceDocument::of(model.name(), &question).unwrap();
                let replayed =
                    replay(&model, &document).unwrap_or_else(|reason| panic!("{file} {name}: {reason}"));
                assert_eq!(ends_in(&model, &document, &replayed, &error), Ok(Some(true)), "{file} {name}");
                assert_eq!(
                    Some(replayed.tree.size() as u64),
                    entry["smallest_size"].as_u64(),
                    "{file} {name}"
                );
                violated += 1;
            }
            Status::Unknown(unknown) => {
                let expected = entry["explored_up_to"].as_u64().expect("what is not violated was explored");
                assert!(unknown.explored.up_to_size as u64 >= expected, "{file} {name}");
            }
            Status::Proved(_) => panic!("{file} {name} is proved"),
        }
    }
    assert_eq!(violated, 4);
}

/// A verdict that claims the opposite about a violated error.
fn lie(model: &System, error: &NamedError) -> Verdict {
    let safe = NamedError { name: error.name.clone(), ..model.error_named("deadlock").unwrap() };
    let proved = decide(model, &safe, &Options::default()).unwrap();
    assert!(matches!(proved.status, Status::Proved(_)));
    Verdict { error: error.clone(), ..proved }
}

/// What is written down of a contradiction is enough to see it again.
#[test]
fn a_contradiction_is_written_down() {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/table1/token-ring-generic.rs"));
    let source = SourceFile::new("token-ring-generic.rs", text.unwrap());
    let model = system(&source.text);
    let error = model.error_named("critical").unwrap();
    let verdict = lie(&model, &error);
    let plan = Plan { max_size: 4, ..PLAN };
    let seen = sweep(&model, std::slice::from_ref(&error), &plan, &Budget::unlimited());
    let outcome = compare(&model, &verdict, &seen, 0, &plan, &Budget::unlimited());
    let compared = Compared::new(&model, &verdict, &seen, 0, &outcome);
    assert!(!compared.agrees);
    assert_eq!(compared.relation, "proved-but-reached");
    assert_eq!(compared.smallest.as_ref().map(|smallest| smallest.size), Some(3));
    let contradiction = outcome.unwrap_err();
    let details = details(&model, &verdict, &seen, 0);
    let call = ["crosscheck", "it's here.rs"].map(str::to_owned);
    let text = reproducer::text(&model, &source, &error, &contradiction, &details, &call);
    for part in [
        "bug: engine `direct` proved that no instance reaches `critical`, but one of 3 components does",
        "call: paramcheck crosscheck 'it'\\''s here.rs'",
        "verdict:\n  proved    critical  for every size",
        "exploration: every instance of up to 4 components\n  reached in Ring.1(Chain.3(",
        &source.text,
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let style = Style { name_width: 8, ..Style::default() };
    let line = text::crosscheck::compared(&compared, "  ", &style);
    assert!(line.starts_with("  contradicts  critical  engine `direct` proved"), "{line}");
}

/// Who lies for MONA is found out by exploration alone, without the other engine.
#[cfg(all(feature = "mona", unix))]
#[test]
fn a_lying_engine_is_found_out() {
    use std::os::unix::fs::PermissionsExt;

    use paramcheck_verdict::crosscheck::Contradiction;
    use paramcheck_verdict::{EngineName, MonaSetup};
    use paramcheck_wsks::mona::Worker;

    let liar = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crosscheck-denies.sh");
    fs::write(&liar, "#!/bin/sh\nread question\necho '\"Unsatisfiable\"'\n").unwrap();
    fs::set_permissions(&liar, fs::Permissions::from_mode(0o755)).unwrap();
    let setup = MonaSetup { worker: Worker { program: liar }, memory: None };
    let options = Options { engine: EngineChoice::Mona(setup), ..Options::default() };
    let model = case("table1/alt-philo-sym.rs");
    let error = model.error_named("deadlock").unwrap();
    let verdict = decide(&model, &error, &options).unwrap();
    assert!(matches!(verdict.status, Status::Proved(_)));
    let plan = Plan { max_size: 6, ..PLAN };
    let seen = sweep(&model, std::slice::from_ref(&error), &plan, &Budget::unlimited());
    let found = compare(&model, &verdict, &seen, 0, &plan, &Budget::unlimited());
    let engine = EngineName::Mona;
    let lie = Contradiction::ProvedButReached { error: "deadlock".to_owned(), engine, size: 6, steps: 3 };
    assert_eq!(found, Err(lie));
}

/// Whether a file is a rewriting system.
fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// Every model is in one of the folders above.
#[test]
fn no_folder_of_examples_is_left_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let mut folders: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        // Other folders hold processes.
        .filter(|entry| fs::read_dir(entry.path()).unwrap().any(|file| is_model(&file.unwrap().path())))
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let checked =
        ["chains", "hierarchies", "modelling", "philosophers", "rings", "stars", "trees", "unknown"];
    assert_eq!(folders, checked);
}

//! Every model with a known answer gets it: verdict, size of the smallest violation, and which
//! invariants suffice alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_verdict::{Candidate, InvariantChoice, Options, Reach, Status, Verdict, decide};
use serde_json::Value;

use super::support::ALONE;

/// One expected answer.
struct Case {
    file: PathBuf,
    error: String,
    expected: Value,
}

fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let document: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let mut cases = Vec::new();
    for (file, errors) in document {
        for (error, expected) in errors.as_object().unwrap() {
            cases.push(Case { file: folder.join(&file), error: error.clone(), expected: expected.clone() });
        }
    }
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn load(&self) -> (System, NamedError) {
        let loaded = load(&fs::read_to_string(&self.file).unwrap());
        let system = loaded.system.unwrap_or_else(|| panic!("{}: {:?}", self.name(), loaded.diagnostics));
        let error =
            system.error_named(&self.error).unwrap_or_else(|| panic!("{}: no such error", self.name()));
        (system, error)
    }

    fn name(&self) -> String {
        format!("{} {}", self.file.display(), self.error)
    }

    fn decide(&self, invariants: InvariantChoice, max_states: usize) -> Verdict {
        self.decide_as(Options { invariants, max_states, ..Options::default() })
    }

    fn decide_as(&self, options: Options) -> Verdict {
        let (system, error) = self.load();
        decide(&system, &error, &options).unwrap_or_else(|bug| panic!("{}: {bug}", self.name()))
    }
}

impl Case {
    /// Whether this is an answer that is expected.
    fn check(&self, found: &str) {
        let allowed = [self.expected.get("verdict"), self.expected.get("or")];
        let is_allowed = allowed.iter().flatten().any(|allowed| *allowed == found);
        assert!(is_allowed, "{}: {found}, expected {:?}", self.name(), self.expected);
    }
}

fn word(status: &Status) -> &'static str {
    match status {
        Status::Proved(_) => "proved",
        Status::Violated(_) => "violated",
        Status::Unknown(_) => "unknown",
    }
}

fn check_verdicts(folder: &str) {
    for case in cases(folder) {
        let verdict = case.decide(InvariantChoice::default(), 20_000);
        case.check(word(&verdict.status));
        if let Status::Violated(violated) = &verdict.status {
            let size = case.expected["smallest_size"].as_u64().unwrap();
            assert_eq!(violated.tree.size() as u64, size, "{}", case.name());
        }
    }
}

#[test]
fn violations_far_away_are_found() {
    let mut violations = 0;
    for case in cases("far") {
        let verdict = case.decide(InvariantChoice::default(), 1_000_000);
        case.check(word(&verdict.status));
        let Status::Violated(violated) = &verdict.status else { continue };
        violations += 1;
        assert_eq!(case.expected["size"], violated.tree.size(), "{}", case.name());
        let Some(shortest) = case.expected["steps"].as_u64() else { continue };
        let steps = violated.trace.steps.len() as u64;
        assert!(steps == shortest || steps > shortest && !violated.is_shortest, "{}: {steps}", case.name());
    }
    assert_eq!(violations, 11);
}

#[test]
fn table1_verdicts() {
    check_verdicts("table1");
}

#[test]
fn more_verdicts() {
    check_verdicts("more");
}

#[test]
fn classic_verdicts() {
    check_verdicts("classic");
}

/// A set of invariants suffices alone exactly where the corpus states it.
#[test]
fn sufficient_invariants() {
    let mut decided = 0;
    for case in ["table1", "more", "classic"].into_iter().flat_map(cases) {
        for (names, suffices) in case.expected["alone"].as_object().into_iter().flatten() {
            let kinds: Vec<InvariantKind> = names.split('+').map(|name| name.parse().unwrap()).collect();
            let verdict = case.decide(InvariantChoice::only(kinds), 1_000);
            let proved = matches!(verdict.status, Status::Proved(_));
            assert_eq!(proved, suffices == true, "{} with {names}", case.name());
            decided += 1;
        }
    }
    assert_eq!(decided, ALONE);
}

/// The same question gets the same answer to the letter: certificate, or instance and trace.
#[test]
fn answers_are_deterministic() {
    for case in cases("more") {
        let evidence = || match case.decide(InvariantChoice::default(), 20_000).status {
            Status::Proved(proved) => serde_json::to_string(&proved.certificate).unwrap(),
            Status::Violated(violated) => format!("{:?} {:?}", violated.tree, violated.trace),
            Status::Unknown(unknown) => format!("{unknown:?}"),
        };
        assert_eq!(evidence(), evidence(), "{}", case.name());
    }
}

/// A queue whose order no invariant knows; both messages can be in it at once where there are two cells.
const QUEUE: &str = "
    component Sender { states both, one, none; init both; both -outa-> one; one -outb-> none; }
    component Cell {
      states empty, a, b; init empty;
      empty -ina-> a; a -outa-> empty; empty -inb-> b; b -outb-> empty;
    }
    component Receiver {
      states wait, gota, done, gotb, mixed; init wait;
      wait -ina-> gota; gota -inb-> done; wait -inb-> gotb; gotb -ina-> mixed;
    }
    link move(x, y) = <outa(x) ina(y) + outb(x) inb(y)>;
    Queue() <- new s, x . <move(s, x)> (Sender(s), Cells(x));
    Cells(x) <- new y . <move(x, y)> (Cell(x), Cells(y)) | new y . <move(x, y)> (Cell(x), Receiver(y));
    error overtaken = #gotb + #mixed >= 1;
    error overtaken_or_full = #gotb >= 1 | #Cell.a >= 1 & #Cell.b >= 1;";

fn ask_queue(error: &str, options: Options) -> Status {
    let system = load(QUEUE).system.unwrap();
    decide(&system, &system.error_named(error).unwrap(), &options).unwrap().status
}

/// Where the smallest candidate leads nowhere, one of another kind may be reached.
#[test]
fn a_spurious_candidate_does_not_hide_a_violation_of_another_kind() {
    // Small instances are not looked at, so the engine must say where to look.
    let options = Options { max_size: Some(0), ..Options::default() };
    let Status::Violated(violated) = ask_queue("overtaken_or_full", options.clone()) else {
        panic!("not found");
    };
    assert_eq!(violated.tree.size(), 4);
    let Status::Unknown(unknown) = ask_queue("overtaken", options) else { panic!("not unknown") };
    assert_eq!(unknown.candidate.map(|candidate| candidate.reach), Some(Reach::Unreached));
    assert!(!unknown.others.is_empty());
    let occurring = |candidate: &Candidate| -> BTreeSet<_> {
        let components = candidate.net.components().iter().map(|component| component.component_type);
        components.zip(candidate.marking.iter().copied()).collect()
    };
    let kinds: BTreeSet<_> = unknown.others.iter().map(occurring).collect();
    assert_eq!(kinds.len(), unknown.others.len(), "each is of a kind of its own");
    assert!(unknown.others.iter().all(|other| other.reach == Reach::Unreached));
}

/// The smallest instances are explored up to a size, or as far as the states last.
#[test]
fn the_smallest_instances_are_explored_as_far_as_was_asked() {
    let explored = |max_size, sweep_states| match ask_queue(
        "overtaken",
        Options { max_size, sweep_states, ..Options::default() },
    ) {
        Status::Unknown(unknown) => unknown.explored,
        _ => panic!("not unknown"),
    };
    let five = explored(Some(5), None);
    assert_eq!((five.up_to_size, five.instances), (5, 3));
    assert_eq!(explored(Some(0), None).up_to_size, 0);
    assert_eq!(explored(None, Some(0)).instances, 0);
    let few = explored(None, Some(five.states + 1));
    assert_eq!((few.up_to_size, few.states), (5, five.states));
}

/// One instance of 24,576 markings, many interactions, and a deadlock that is far.
const FAR: &str = "
    component T0 {
      states s0, s1, s2, s3, s4, s5;
      init s0;
      s0 -p0-> s1;
      s0 -> s1;
      s1 -> s2;
      s2 -> s3;
      s4 -> s1;
      s5 -p0-> s2;
    }
    Sys() <- new x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 .
    <p0(x1) p0(x8)
     + p0(x5) p0(x8)
     + p0(x7) p0(x8) p0(x6) p0(x9)
     + p0(x0) p0(x7)
     + p0(x0) p0(x2)
     + p0(x5) p0(x7)
     + p0(x3) p0(x4)
     + p0(x3) p0(x2) p0(x0)
     + p0(x6) p0(x3)
     + p0(x0)
     + p0(x2) p0(x5)
     + p0(x5)
     + p0(x5) p0(x4)
     + p0(x7) p0(x6) p0(x4)
     + p0(x8) p0(x2) p0(x6)
     + p0(x5) p0(x6)
     + p0(x7) p0(x3) p0(x9)
     + p0(x5) p0(x9)
     + p0(x7)
     + p0(x1) p0(x7)
     + p0(x1) p0(x5)
     + p0(x0) p0(x6) p0(x1) p0(x4)
     + p0(x5) p0(x9) p0(x1)
     + p0(x8) p0(x2)
     + p0(x3) p0(x5)
     + p0(x2) p0(x7)
     + p0(x6) p0(x7) p0(x1)
     + p0(x8) p0(x6) p0(x7) p0(x1)
     + p0(x3) p0(x2) p0(x9) p0(x4)
     + p0(x6) p0(x3) p0(x5) p0(x1)
     + p0(x8) p0(x4)>
    (T0[s3](x0), T0[s1](x1), T0[s3](x2), T0[s0](x3), T0[s0](x4), T0[s0](x5), T0[s0](x6), T0[s0](x7), T0[s2](x8), T0[s0](x9));";

#[test]
fn the_instance_of_a_candidate_is_explored_before_what_is_dear() {
    let system = load(FAR).system.unwrap();
    let verdict = decide(&system, &System::deadlock(), &Options::default()).unwrap();
    let Status::Violated(violated) = verdict.status else { panic!("{:?}", verdict.status) };
    assert_eq!(violated.trace.steps.len(), 18);
}

#[cfg(all(feature = "mona", feature = "cli"))]
mod with_mona {
    use paramcheck_verdict::{EngineChoice, EngineName, InternalBug, MonaSetup};
    use paramcheck_wsks::mona::Worker;

    use super::*;

    fn both(program: impl Into<PathBuf>) -> Options {
        let setup = MonaSetup { worker: Worker { program: program.into() }, memory: None };
        Options { engine: EngineChoice::Both(setup), max_states: 20_000, ..Options::default() }
    }

    /// Either engine gives the answer, from question to verdict, and neither contradicts the other.
    #[test]
    fn both_engines_give_every_answer_of_table_1() {
        for case in cases("table1") {
            let verdict = case.decide_as(both(env!("CARGO_BIN_EXE_paramcheck")));
            case.check(word(&verdict.status));
            let engines: Vec<EngineName> = verdict.engines.iter().map(|run| run.engine).collect();
            assert_eq!(engines, [EngineName::Direct, EngineName::Mona]);
            for run in &verdict.engines {
                case.check(&run.finding.to_string());
            }
        }
    }

    /// Whoever lies for MONA is found out: that nothing has a marking of the error, where there is a run
    /// to it, or that some model exists that is no instance at all.
    #[cfg(unix)]
    #[test]
    fn a_lie_is_found_out() {
        use std::os::unix::fs::PermissionsExt;

        let liar = |name: &str, answer: &str| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            fs::write(&path, format!("#!/bin/sh\nread question\necho '{answer}'\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let case = cases("table1").into_iter().find(|case| case.expected["verdict"] == "violated").unwrap();
        let (system, error) = case.load();
        let lie = both(liar("denies.sh", r#""Unsatisfiable""#));
        let bug = decide(&system, &error, &lie).unwrap_err();
        assert!(matches!(bug, InternalBug::Disagreement { .. }), "{bug}");
        assert!(bug.to_string().contains("violated by `direct`, proved by `mona`"), "{bug}");
        let lie = both(liar("invents.sh", r#"{"Satisfiable":{"nodes":[null],"tracks":[]}}"#));
        let bug = decide(&system, &error, &lie).unwrap_err();
        assert!(matches!(bug, InternalBug::Model { .. }), "{bug}");
    }
}

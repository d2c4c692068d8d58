//! The two engines and the stand-alone program `mona` on the same questions: models of every family and
//! random ones, every error, every kind of invariant alone and several sets of kinds.
//!
//! Where MONA finds a marking, that is decoded (κ-normalisation undone) and looked at with the net's own
//! definitions: it must be in the error, and all subsets of the places of its net are tried for one that
//! refutes it. It is never smaller than the direct engine's, which is the smallest there is. What one of
//! the engines does not get done with is counted, and must stay rare.

#[cfg(unix)]
mod limits;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use paramcheck_invariants::direct::Direct;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::Outcome;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::{ErrorCheck, from_tree};
use paramcheck_nets::instance::unfold::{check_tree, unfold};
use paramcheck_text::limits::Budget;
use paramcheck_wsks::emit;
use paramcheck_wsks::engine::Wsks;
use paramcheck_wsks::mona::{self, Answer, Means, Worker};
use paramcheck_wsks::question::{Goal, Question, question};
use paramcheck_wsks::tracks::Witness;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::components;
use super::support::scale::LONG;
use super::support::standalone::{self, Limits};
use super::support::subsets::{MAX_PLACES, in_all_invariants};
use super::support::{self, NoScout, random};

/// What one question may cost an engine: many times what nearly all take, so that how many are left open
/// (see what each test wants) does not depend on the machine. Models have ten times this time: there only
/// memory counts.
const TIME: Duration = Duration::from_secs(40);
const MEMORY: u64 = 256 << 20;

/// The one question about a model that takes MONA more than this memory.
const TOO_LARGE: &str = "tests/cases/more/tree3-wave.rs, deadlock by at-least:2";

/// Every kind alone, the paper's pair, and all together.
fn choices() -> Vec<Vec<InvariantKind>> {
    use InvariantKind as Kind;
    let single = Kind::all_up_to(2).into_iter().map(|kind| vec![kind]);
    single.chain([vec![Kind::TRAP, Kind::MUTEX], Kind::all_up_to(2)]).collect()
}

/// One question, with the model's name.
struct Case<'a> {
    name: &'a str,
    system: &'a System,
    error: NamedError,
    kinds: Vec<InvariantKind>,
}

impl Case<'_> {
    fn about(&self) -> String {
        let kinds: Vec<String> = self.kinds.iter().map(ToString::to_string).collect();
        format!("{}, {} by {}", self.name, self.error.name, kinds.join(", "))
    }
}

/// Every model there is, of `examples/` and of the cases that have a meaning, with its name.
fn corpus() -> Vec<(String, System)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = ["table1", "more", "classic"].map(|folder| root.join("tests/cases").join(folder));
    let mut open: Vec<_> = [root.join("examples")].into_iter().chain(cases).collect();
    let mut models = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                models.push((name, support::system(&fs::read_to_string(&path).unwrap())));
            }
        }
    }
    // Those of the paper are among the examples once more, with comments.
    models.sort_by(|one, other| other.0.cmp(&one.0));
    let mut seen = HashSet::new();
    models.retain(|(_, system)| seen.insert(format!("{system:?}")));
    models
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    unsatisfiable: usize,
    satisfiable: usize,
    /// Of the satisfiable ones, those whose marking was tried against all subsets of places.
    refutations_tried: usize,
    /// Of the questions about what never fires, those where there is something.
    dropped: usize,
    /// Questions without an answer, and what stood in the way.
    open: Vec<String>,
}

/// Calls `ask` for each question, on as many threads as there are processors.
fn for_each<T: Sync>(cases: &[T], ask: impl Fn(&T, &mut Tally) + Sync) -> Tally {
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut own = Tally::default();
                    ask(case, &mut own);
                    let mut all = tally.lock().unwrap();
                    all.unsatisfiable += own.unsatisfiable;
                    all.satisfiable += own.satisfiable;
                    all.refutations_tried += own.refutations_tried;
                    all.dropped += own.dropped;
                    all.open.extend(own.open);
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

fn means(time: Duration) -> Means {
    Means {
        worker: Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() },
        budget: Budget::for_duration(time),
        memory: Some(MEMORY),
    }
}

/// MONA's answer: `None` where nothing satisfies the question.
fn ask_mona(question: &Question, time: Duration) -> Result<Option<Witness>, String> {
    let asked =
        mona::Question { store: &question.store, formula: question.formula, successors: question.kappa };
    let decision = mona::decide(&asked, &means(time)).map_err(|failed| failed.to_string())?;
    Ok(match decision.answer {
        Answer::Satisfiable(witness) => Some(witness.sets()),
        Answer::Unsatisfiable => None,
    })
}

/// The direct engine's answer: the size of its candidate, if there is one.
fn ask_direct(case: &Case<'_>, time: Duration) -> Result<Option<usize>, String> {
    let invariants = InvariantChoice::only(case.kinds.iter().copied());
    let budget = Budget::for_duration(time);
    match Direct::new(case.system).decide(&case.error, &invariants, &mut NoScout, &budget) {
        Outcome::Proved { .. } => Ok(None),
        Outcome::Candidate { tree, .. } => Ok(Some(tree.size())),
        Outcome::Stopped { reason, .. } => Err(format!("{reason:?}")),
        other => panic!("{}: {other:?}", case.about()),
    }
}

/// Looks at what satisfies a question; the number of components of its instance.
fn check_witness(case: &Case<'_>, question: &Question, witness: &Witness, tally: &mut Tally) -> usize {
    let about = case.about();
    let (tree, marking) = question.decode(witness).unwrap_or_else(|error| panic!("{about}: {error}"));
    assert_eq!(check_tree(case.system, &tree), Ok(()), "{about}");
    let net = unfold(case.system, &tree);
    let marking = from_tree(&net, &marking).unwrap();
    let check = ErrorCheck::new(case.system, &net, &case.error.formula);
    assert_eq!(check.holds(&net, &marking), Some(true), "{about}: no error: {tree:?} {marking:?}");
    if net.place_count() <= MAX_PLACES {
        tally.refutations_tried += 1;
        assert!(in_all_invariants(&net, &marking, &case.kinds), "{about}: refuted: {tree:?} {marking:?}");
    }
    tree.size()
}

/// Compares the engines, and the stand-alone program too where that is wanted.
fn compare(case: &Case<'_>, alone_too: bool, time: Duration, tally: &mut Tally) {
    let about = case.about();
    let question = question(case.system, Goal::Error(&case.error.formula), &case.kinds, &[]).unwrap();
    let direct = ask_direct(case, time);
    let mona = ask_mona(&question, time);
    let alone = alone_too.then(|| {
        let limits = Limits { time, memory: MEMORY };
        let output = standalone::run_within(&emit::mona(&question, &about).unwrap(), limits)?;
        Ok::<_, String>(standalone::is_satisfiable(&output).then(|| standalone::witness(&question, &output)))
    });
    match &direct {
        Ok(None) => tally.unsatisfiable += 1,
        Ok(Some(_)) => tally.satisfiable += 1,
        Err(how) => tally.open.push(format!("{about}, directly: {how}")),
    }
    for (who, answer) in
        [Some(("MONA", mona)), alone.map(|answer| ("mona alone", answer))].into_iter().flatten()
    {
        match answer {
            Err(how) => tally.open.push(format!("{about}, {who}: {how}")),
            Ok(witness) => {
                let size = witness.map(|witness| check_witness(case, &question, &witness, tally));
                if let Ok(direct) = direct {
                    assert_eq!(
                        direct.is_some(),
                        size.is_some(),
                        "{about}: directly {direct:?}, {who} {size:?}"
                    );
                    assert!(direct <= size, "{about}: {who} has a smaller one of {size:?}, not {direct:?}");
                }
            }
        }
    }
}

/// Some formulas of random systems are hard for MONA; none of their questions is for the direct engine.
fn check_open(tally: &Tally, most: usize) {
    assert!(tally.open.len() <= most, "{tally:#?}");
    assert!(!tally.open.iter().any(|open| open.contains(", directly: ")), "{tally:#?}");
}

/// The questions about a system, by each of the choices of kinds.
fn cases<'a>(name: &'a str, system: &'a System, choices: &[Vec<InvariantKind>]) -> Vec<Case<'a>> {
    let ask = |(error, kinds): (NamedError, &Vec<InvariantKind>)| Case {
        name,
        system,
        error,
        kinds: kinds.clone(),
    };
    let errors = support::errors(system).into_iter();
    errors.flat_map(|error| choices.iter().map(move |kinds| (error.clone(), kinds))).map(ask).collect()
}

#[test]
fn engines_agree_on_all_models() {
    let models = corpus();
    let cases: Vec<_> =
        models.iter().flat_map(|(name, system)| cases(name, system, &choices())).enumerate().collect();
    let sets = choices().len();
    // In the long run the stand-alone program gets every question once, by one choice of kinds after the
    // other; by all of them where the environment requests it, which takes as long again as everything else.
    let is_longest = std::env::var_os("PARAMCHECK_ALONE").is_some();
    let tally = for_each(&cases, |(number, case), tally| {
        let alone_too = is_longest || LONG && number % sets == number / sets % sets;
        compare(case, alone_too, 10 * TIME, tally);
    });
    let open: Vec<&str> = tally.open.iter().filter_map(|open| Some(open.split_once(": ")?.0)).collect();
    let mut expected = vec![format!("{TOO_LARGE}, MONA")];
    expected.extend((is_longest || LONG).then(|| format!("{TOO_LARGE}, mona alone")));
    assert_eq!(open, expected, "{tally:#?}");
    assert!(tally.unsatisfiable > 900 && tally.satisfiable > 900, "{tally:#?}");
    assert!(tally.refutations_tried > tally.satisfiable * 3 / 4, "{tally:#?}");
}

#[test]
fn engines_agree_on_random_systems() {
    let systems = random_systems(300, 300);
    let choices = choices();
    // One choice of kinds per question; over all systems each has its turn with each of the errors.
    let mut questions = Vec::new();
    for (turn, (name, system)) in systems.iter().enumerate() {
        for (position, error) in support::errors(system).into_iter().enumerate() {
            let kinds = choices[(turn + 3 * position) % choices.len()].clone();
            questions.push((questions.len(), Case { name, system, error, kinds }));
        }
    }
    let tally =
        for_each(&questions, |(number, case), tally| compare(case, LONG && number % 7 == 0, TIME, tally));
    check_open(&tally, questions.len() / 100);
    assert!(
        tally.unsatisfiable > questions.len() / 5 && tally.satisfiable > questions.len() / 5,
        "{tally:#?}"
    );
    assert!(tally.refutations_tried > tally.satisfiable / 2, "{tally:#?}");
}

/// The direct engine works with the counts that a formula over components stands for, MONA with the formula.
#[test]
fn engines_agree_on_random_formulas_over_components() {
    let system = components::system();
    let kinds = [vec![InvariantKind::TRAP, InvariantKind::MUTEX], vec![InvariantKind::TRAP]];
    let mut questions = Vec::new();
    for seed in support::seeds(150, 150) {
        let (text, sets) = components::random::formula(&mut SmallRng::seed_from_u64(3_000_000 + seed));
        let (_, error) = components::read(&system, &text);
        if sets <= 2 && error.formula.counting().is_ok() {
            questions.push((questions.len(), text, error));
        }
    }
    let tally = for_each(&questions, |(number, text, error), tally| {
        let kinds = kinds[number % 2].clone();
        let case = Case { name: text, system: &system, error: error.clone(), kinds };
        compare(&case, LONG && number % 5 == 0, TIME, tally);
    });
    assert_eq!(tally.open, [""; 0], "{tally:#?}");
    assert!(tally.unsatisfiable > 15 && tally.satisfiable > 50, "{tally:#?}");
}

/// Random systems, with their texts in their names.
fn random_systems(short: u64, long: u64) -> Vec<(String, System)> {
    let named = |seed| random::system(seed).map(|(text, system)| (format!("seed {seed}\n{text}"), system));
    support::seeds(short, long).filter_map(named).collect()
}

/// Compares what the engines make of a system's questions if interactions that never fire are dropped,
/// each engine having `time` for each.
fn compare_dead(name: &str, system: &System, kinds: &[InvariantKind], time: Duration, tally: &mut Tally) {
    let mut is_candidate_compared = false;
    for case in cases(name, system, &[kinds.to_vec()]) {
        let about = case.about();
        let only = InvariantChoice::only(case.kinds.iter().copied());
        let invariants = InvariantChoice { dead_interactions: true, ..only };
        let budget = Budget::for_duration(time);
        let direct = Direct::new(system).decide(&case.error, &invariants, &mut NoScout, &budget);
        match &direct {
            // Nothing was dropped: nothing new.
            Outcome::Proved { dropped: 0, .. } => continue,
            // What is dropped in the end does not depend on the error: once is enough.
            Outcome::Candidate { .. } if is_candidate_compared => continue,
            Outcome::Candidate { .. } => is_candidate_compared = true,
            _ => {}
        }
        let mona = Wsks::new(system, &means(time)).decide(&case.error, &invariants, &mut NoScout).unwrap();
        match (direct, mona) {
            // An engine stops dropping once it has a proof, and they need not drop in the same order.
            (Outcome::Proved { .. }, Outcome::Proved { .. }) => {
                tally.unsatisfiable += 1;
                tally.dropped += 1;
            }
            (
                Outcome::Candidate { tree, dropped, .. },
                Outcome::Candidate { tree: other, dropped: other_dropped, .. },
            ) => {
                assert_eq!(dropped, other_dropped, "{about}");
                assert!(tree.size() <= other.size(), "{about}: {tree:?} is not smallest: {other:?}");
                tally.satisfiable += 1;
                tally.dropped += usize::from(!dropped.is_empty());
            }
            (Outcome::Stopped { reason, .. }, _) => tally.open.push(format!("{about}, directly: {reason:?}")),
            (_, Outcome::Stopped { reason, .. }) => tally.open.push(format!("{about}, MONA: {reason:?}")),
            (direct, mona) => panic!("{about}: directly {direct:?}, by MONA {mona:?}"),
        }
    }
}

#[test]
fn engines_agree_on_interactions_that_never_fire_in_models() {
    let pair = vec![InvariantKind::TRAP, InvariantKind::MUTEX];
    let mut jobs = Vec::new();
    for (name, system) in corpus().into_iter().filter(|(name, _)| name.starts_with("tests")) {
        // A question about each interaction by all kinds is too much for most models.
        if name.contains("unknown") {
            jobs.push((name.clone(), system.clone(), InvariantKind::all_up_to(2)));
        }
        jobs.push((name, system, pair.clone()));
    }
    // A formula for each interaction, again and again: all together take up to a few seconds.
    let time = 10 * TIME;
    let tally =
        for_each(&jobs, |(name, system, kinds), tally| compare_dead(name, system, kinds, time, tally));
    assert_eq!(tally.open, [""; 0], "{tally:#?}");
    assert!(tally.unsatisfiable >= 2 && tally.satisfiable > 10, "{tally:#?}");
}

#[test]
fn engines_agree_on_interactions_that_never_fire_in_random_systems() {
    let pair = [InvariantKind::TRAP, InvariantKind::MUTEX];
    let jobs = random_systems(40, 40);
    let tally = for_each(&jobs, |(name, system), tally| compare_dead(name, system, &pair, TIME, tally));
    check_open(&tally, jobs.len() / 10);
    assert!(tally.dropped > 5 && tally.satisfiable > 10, "{tally:#?}");
}

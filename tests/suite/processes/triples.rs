//! Triples against the interpreter: two roads from a process to its states, which share nothing but the
//! model. The results are strongly bisimilar, with termination and with who takes part in each step.

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::Evolution;
use paramcheck_emulation::process::{NotEncoded, encode};
use paramcheck_emulation::states;
use paramcheck_emulation::triple::{Action, Triple};
use paramcheck_process::model::{Check, Goal, LabelId, System, Term, TermId};
use paramcheck_process::semantics::bisimulation::{are_bisimilar, classes};
use paramcheck_process::semantics::check::{Execution, Finding, Schedule, find};
use paramcheck_process::semantics::explore::explore;
use paramcheck_process::semantics::lts::{Lts, Transition};
use paramcheck_process::{Language, load};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_verdict::Status;
use paramcheck_verdict::process::{
    self, Answer, Options, Process, ProcessChecker, ProcessChecks, StateSource, StateSpace,
};

use super::class_transitions;
use crate::suite::support::seeds;

use super::random::Generator;

/// Random systems with more states are not compared.
const MAX_STATES: usize = 400;

pub(super) fn structure(system: &System) -> Structure {
    let structure = encode(system, &Budget::unlimited()).unwrap();
    check_well_formed(&structure);
    structure
}

pub(super) fn lts(structure: &Structure, most: usize) -> Lts {
    let evolution = Evolution::new(structure);
    let initial = evolution.initial().pop().unwrap();
    states::explore(&evolution, initial, most, &Budget::unlimited()).lts
}

/// What the types promise.
fn check_well_formed(structure: &Structure) {
    let mut owner = std::collections::BTreeMap::new();
    for (id, counter) in structure.counters.enumerate() {
        assert!(counter.parent.is_none_or(|parent| parent < id));
        assert!(counter.initial.index() < counter.locations.len());
        let mut names: Vec<&str> = counter.locations.iter().map(|one| one.name.as_str()).collect();
        let mut contents: Vec<_> = counter.locations.iter().map(|one| (&one.offers, one.is_final)).collect();
        for location in &counter.locations {
            assert!(location.offers.is_sorted_by(|one, other| one < other));
            for offer in &location.offers {
                assert!(offer.0 > 0);
                assert_eq!(*owner.entry(*offer).or_insert(id), id, "an id is of one counter");
            }
        }
        names.sort_unstable();
        contents.sort_unstable();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
        assert!(contents.is_sorted_by(|one, other| one < other));
    }
    let names: std::collections::BTreeSet<&str> =
        structure.counters.iter().map(|counter| counter.name.as_str()).collect();
    assert_eq!(names.len(), structure.counters.len());
    for agent in &structure.agents {
        assert_eq!(structure.counters[agent.counter].parent, None);
        assert_eq!(structure.counters[agent.counter].name, agent.name);
    }
    let mut silent: Vec<&Triple> = Vec::new();
    for triple in &structure.triples {
        assert!(triple.entry.is_sorted_by(|one, other| one.0 < other.0));
        assert!(triple.exit.is_sorted_by(|one, other| one.0 < other.0));
        assert!(triple.agents.is_sorted_by(|one, other| one < other));
        assert!(!triple.entry.is_empty() && !triple.exit.is_empty());
        for (counter, location) in &triple.exit {
            assert!(location.index() < structure.counters[*counter].locations.len());
        }
        if triple.action == Action::Join {
            // The composition, then its operands.
            let (composition, operands) = triple.entry.split_first().unwrap();
            assert!(!operands.is_empty() && !structure.is_done(composition.0, composition.1));
            for (counter, offer) in operands {
                assert_eq!(structure.counters[*counter].parent, Some(composition.0));
                assert!(structure.is_done(*counter, *offer));
            }
        }
        if triple.label().is_none() {
            for before in &silent {
                assert!(!triple.may_enable(structure, before), "{triple:?} enables one before it");
            }
            silent.push(triple);
        }
    }
}

/// With who takes part as part of the label.
pub(super) fn with_agents(lts: &Lts) -> Lts {
    let mut labels: IndexVec<LabelId, String> = IndexVec::new();
    let mut ids = std::collections::BTreeMap::new();
    let mut result = Lts::default();
    let nobody = result.agent_set(&[]);
    for state in 0..lts.states() as u32 {
        result.add_state(lts.is_terminated(state));
    }
    for state in 0..lts.states() as u32 {
        let mut own = Vec::new();
        for one in lts.transitions(state) {
            let text = format!("{} {:?}", lts.labels[one.label], lts.agent_sets[one.agents]);
            let label = *ids.entry(text).or_insert_with_key(|text| labels.push(text.clone()));
            own.push(Transition { label, target: one.target, agents: nobody });
        }
        result.expand(own);
    }
    result.labels = labels;
    result
}

/// The states of both roads; `None` where there are too many to compare.
fn both(system: &System, most: usize, context: &str) -> Option<(Lts, Lts)> {
    let reference = explore(system, most, &Budget::unlimited()).lts;
    if reference.incomplete.is_some() {
        return None;
    }
    // Triples may tell states apart that the interpreter does not, and the other way round.
    let structure = structure(system);
    let own = lts(&structure, 4 * most);
    assert_eq!(own.incomplete, None, "{context}");
    assert_eq!(own.agents, reference.agents, "{context}");
    same_when_packed(&structure, &own, context);
    Some((own, reference))
}

/// Packed states are numbered as others are.
fn same_when_packed(structure: &Structure, own: &Lts, context: &str) {
    let packed = StateSpace::new(structure, own.states(), &Budget::unlimited()).lts;
    assert_eq!(packed.incomplete, None, "{context}");
    assert_eq!(packed.states(), own.states(), "{context}");
    for state in 0..own.states() as u32 {
        assert_eq!(packed.is_terminated(state), own.is_terminated(state), "{context}");
        let with_sets = |lts: &Lts| {
            let shown = |one: &Transition| (one.label, one.target, lts.agent_sets[one.agents].clone());
            let mut all: Vec<_> = lts.transitions(state).iter().map(shown).collect();
            all.sort();
            all
        };
        assert_eq!(with_sets(&packed), with_sets(own), "{context}");
    }
}

/// Whether both roads lead to the same.
fn agree(system: &System, most: usize, context: &str) -> bool {
    let Some((own, reference)) = both(system, most, context) else { return false };
    let (own, reference) = (with_agents(&own), with_agents(&reference));
    assert!(are_bisimilar(&own, &reference, &Budget::unlimited()).unwrap(), "{context}");
    let checks = ProcessChecks { name: context, system, checks: &system.checks };
    let faithful = checks.is_faithful(&structure(system), most, &Budget::unlimited());
    assert_eq!(faithful, Ok(true), "{context}: agent by agent");
    true
}

#[test]
fn triples_of_the_corpus_are_bisimilar_and_of_the_right_size() {
    for (name, answers) in super::expected("expected.json") {
        let system = super::system(&name);
        assert!(agree(&system, 20_000, &name), "{name}");
        let (own, _) = both(&system, 20_000, &name).unwrap();
        let classes = classes(&own, &Budget::unlimited()).unwrap();
        let found =
            [classes.iter().max().map_or(0, |class| *class as usize + 1), class_transitions(&own, &classes)];
        let right = ["classes", "class_transitions"].map(|key| answers[key].as_u64().unwrap() as usize);
        assert_eq!(found, right, "{name}: classes, transitions between them");
    }
}

#[test]
fn triples_of_the_examples_are_bisimilar() {
    let mut count = 0;
    for folder in ["ccs", "chor"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Some(language) =
                path.extension().and_then(|end| end.to_str()).and_then(Language::of_extension)
            else {
                continue;
            };
            let system = load(&std::fs::read_to_string(&path).unwrap(), language).system.unwrap();
            count += usize::from(agree(&system, 20_000, &path.display().to_string()));
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn checks_of_the_corpus_are_answered_from_triples() {
    let budget = Budget::unlimited();
    let answer = |own: &Lts, check: &Check, schedule| match find(own, &check.goal, schedule, &budget) {
        Ok(Finding::Holds) => ("holds", None),
        Ok(Finding::Violated(path)) => {
            ("violated", Some(path.steps.len()).filter(|_| path.loop_start.is_none()))
        }
        other => panic!("{}: {other:?}", check.name),
    };
    for (name, answers) in super::expected("expected.json") {
        let system = super::system(&name);
        let own = lts(&structure(&system), 1_000_000);
        for check in &system.checks {
            let (found, length) = answer(&own, check, Schedule::Any);
            assert_eq!(found, answers[&check.name], "{name}: {}", check.name);
            if let Some(shortest) = answers["shortest"].get(&check.name) {
                assert_eq!(length, shortest.as_u64().map(|steps| steps as usize), "{name}: {}", check.name);
            }
        }
    }
    let schedules = [
        ("fair", Schedule::WeaklyFair),
        ("fair-strong", Schedule::StronglyFair),
        ("round-robin", Schedule::RoundRobin),
    ];
    for (name, answers) in super::expected("expected-schedulers.json") {
        let system = super::system(&name);
        let own = lts(&structure(&system), 1_000_000);
        for (key, schedule) in schedules {
            for (check, right) in answers[key].as_object().unwrap() {
                let check = system.check_named(check).unwrap();
                assert_eq!(answer(&own, check, schedule).0, right, "{name}: {} {key}", check.name);
            }
        }
    }
}

/// Answers all checks of a system.
fn answers(system: &System, options: &Options) -> Vec<Answer<Execution>> {
    let subject = ProcessChecks { name: "random", system, checks: &system.checks };
    let decision = process::decide(&subject, true, &[], options);
    let answer = |mut verdict: process::CheckVerdict<Execution>| {
        assert_eq!(verdict.bug, None);
        verdict.answers.remove(0)
    };
    decision.verdicts.into_iter().map(answer).collect()
}

/// Random systems with these checks, where they have few states.
fn each_random(count: u64, checks: impl Fn(&str) -> String, mut each: impl FnMut(u64, &System, &Lts)) {
    for seed in 0..count {
        let (_, text) = random(seed);
        let (language, action) = if seed % 4 == 3 { (Language::Chor, "a") } else { (Language::Ccs, "'b") };
        let Some(system) = load(&(text + &checks(action)), language).system else { continue };
        let lts = explore(&system, MAX_STATES, &Budget::unlimited()).lts;
        if lts.incomplete.is_none() {
            each(seed, &system, &lts);
        }
    }
}

/// The engine finds what can be violated by a run that ends, by a run as short as the interpreter's.
#[test]
fn the_engine_answers_as_the_interpreter_does() {
    let budget = Budget::unlimited();
    let options = Options { threads: 2, max_states: 100_000, max_lts_states: 1, ..Options::default() };
    let mut counts = [0; 2];
    let mut check = |context: &str, system: &System, lts: &Lts| {
        for (check, answer) in system.checks.iter().zip(answers(system, &options)) {
            let right = find(lts, &check.goal, Schedule::Any, &budget).unwrap();
            match (answer.status, right) {
                (Status::Proved(_), Finding::Holds) => counts[0] += 1,
                (Status::Violated(run), Finding::Violated(path)) if is_safety(&check.goal) => {
                    assert_eq!(run.steps.len(), path.steps.len(), "{context}: {}", check.name);
                    counts[1] += 1;
                }
                (Status::Violated(_), Finding::Violated(_)) => {}
                (found, right) => panic!("{context}: {}: {found:?} {right:?}", check.name),
            }
        }
    };
    for name in super::expected("expected.json").into_keys() {
        let system = super::system(&name);
        check(&name, &system, &explore(&system, usize::MAX, &budget).lts);
    }
    let checks = |action: &str| {
        format!(
            "check one = always (!did {action} | did tau);\n\
             check two = always !(did tau & can {action});\n\
             check three = always (!terminated | did {action});\n\
             check four = always !(can tau & can {action});\n\
             check five = always (did {action} | terminated | can tau);\n\
             check deadlock;\n"
        )
    };
    each_random(400, checks, |seed, system, lts| check(&seed.to_string(), system, lts));
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

/// Whether a goal can only be violated by a run that ends: a shortest one is found then.
fn is_safety(goal: &Goal) -> bool {
    matches!(goal, Goal::NoDeadlock | Goal::Always(_))
}

/// Answers from triples are those of the interpreter, under all schedulers; runs are found and replayed by
/// the rules.
#[test]
fn native_answers_are_those_of_the_rules() {
    let budget = Budget::unlimited();
    let schedules = [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair, Schedule::RoundRobin];
    let mut counts = [0; 2];
    let checks = |action: &str| {
        format!(
            "check one = eventually did {action};\n\
             check two = eventually (did tau & !did {action} | terminated);\n\
             check three = eventually (can {action} | terminated);\n\
             check four = always !(did tau & can {action});\n\
             check deadlock;\n"
        )
    };
    each_random(250, checks, |seed, system, lts| {
        for schedule in schedules {
            let options = Options { schedule, max_states: 4 * MAX_STATES, ..Options::default() };
            for (check, answer) in system.checks.iter().zip(answers(system, &options)) {
                let right = find(lts, &check.goal, schedule, &budget).unwrap();
                match (answer.status, right) {
                    (Status::Proved(_), Finding::Holds) => counts[0] += 1,
                    (Status::Violated(run), Finding::Violated(shortest)) => {
                        assert_eq!(answer.steps, Some(run.steps.len()));
                        if is_safety(&check.goal) {
                            assert_eq!(run.steps.len(), shortest.steps.len());
                        }
                        counts[1] += 1;
                    }
                    (found, right) => {
                        panic!("{seed}: {} {}: {found:?} {right:?}", check.name, schedule.words())
                    }
                }
            }
        }
    });
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

/// How many triples there are of each kind: steps of one action, steps of several, joins, starts.
fn counted(text: &str) -> [usize; 4] {
    let structure = structure(&load(text, Language::Ccs).system.unwrap());
    let mut counts = [0; 4];
    for triple in &structure.triples {
        let kind = match triple.action {
            Action::Step(_) if triple.entry.len() == 1 => 0,
            Action::Step(_) => 1,
            Action::Join => 2,
            Action::Start => 3,
        };
        counts[kind] += 1;
    }
    counts
}

#[test]
fn triples_are_prefixes_tuples_joins_and_starts() {
    for n in 1..8 {
        // Agents that meet no other agent.
        assert_eq!(counted(&format!("system (a.b.0) ^ {n};")), [2 * n, 0, 0, n]);
        // Everybody may meet everybody of the other kind.
        assert_eq!(counted(&format!("system (a.0) ^ {n} | ('a.b.0) ^ 3;")), [n + 6, 3 * n, 0, n + 3]);
        // The same within one agent.
        assert_eq!(counted(&format!("system ((a.0) ^ {n} | 'a.b.0); c.0;")).iter().sum::<usize>(), {
            // The copies are operands of an inner composition, with a join of its own.
            let joins = 2;
            (n + 3) + n + joins + 1
        });
        // All together: two places each where `a` may stand.
        let operands = vec!["a.b.a.0"; n + 1].join(" |[a]| ");
        assert_eq!(counted(&format!("system {operands};")), [n + 1, 1 << (n + 1), 0, n + 1]);
        // Alternatives: copies of what can come first, alone or together.
        assert_eq!(counted("system (a.0 | 'a.0) + b.0;"), [2 + 3 + 1, 1, 1, 1]);
    }
    for cells in 2..12 {
        // Of each cell a and two b are seen; its token may be passed on from two places to one.
        assert_eq!(counted(&super::scheduler(cells)), [3 * cells, 2 * cells, 0, cells]);
    }
}

/// The system of a term that is a chain of prefixes.
fn chain(length: usize) -> System {
    let mut system = load("system a.0;", Language::Ccs).system.unwrap();
    let label = LabelId::new(1);
    let mut last = TermId::new(0);
    system.terms = std::iter::once(Term::Nil).collect();
    for _ in 0..length {
        last = system.terms.push(Term::Prefix(label, last));
    }
    system.root = last;
    system
}

#[test]
fn terms_may_be_deep_and_there_are_limits() {
    let budget = Budget::unlimited();
    let deep = encode(&chain(100_000), &budget).unwrap();
    assert_eq!(deep.triples.len(), 100_001);
    let pairs = load("system (a.0) ^ 1001 | ('a.0) ^ 1001;", Language::Ccs).system.unwrap();
    assert_eq!(encode(&pairs, &budget), Err(NotEncoded::Triples));
    let ended = Budget::for_duration(std::time::Duration::ZERO);
    assert_eq!(encode(&chain(100_000), &ended), Err(NotEncoded::Stopped(Stop::Time)));
    // Parallel compositions within each other, by constants.
    let mut text = "P0 = a.0;\n".to_owned();
    for level in 0..1_000 {
        text.push_str(&format!("P{} = b.(P{level} | c.0);\n", level + 1));
    }
    let nested = load(&(text + "system P1000;\n"), Language::Ccs).system.unwrap();
    assert_eq!(encode(&nested, &budget).unwrap().triples.len(), 1 + 3 * 1_000 + 1);
    // The rest of a choice among n processes, in each of n places: n² ids.
    let mut text = String::new();
    for level in 0..6_000 {
        text.push_str(&format!("P{level} = a.P{level} + P{};\n", level + 1));
    }
    let wide = load(&(text + "P6000 = a.0; system P0;\n"), Language::Ccs).system.unwrap();
    assert_eq!(encode(&wide, &budget).unwrap_err(), NotEncoded::Conditions);
}

/// A random system.
pub(super) fn random(seed: u64) -> (System, String) {
    let mut random = Generator::new(seed);
    let (text, language) = match seed % 4 {
        3 => (format!("system {}; a@x;\n", random.choreography(4)), Language::Chor),
        _ => (random.file(), Language::Ccs),
    };
    (load(&text, language).system.unwrap_or_else(|| panic!("{text}")), text)
}

#[test]
fn triples_of_random_systems_are_bisimilar() {
    let seeds = seeds(1_500, 1_500);
    let systems = seeds.end - seeds.start;
    let compared = seeds.filter(|seed| {
        let (system, text) = random(*seed);
        agree(&system, MAX_STATES, &text)
    });
    let compared = compared.count() as u64;
    assert!(compared * 10 > systems * 9, "{compared}");
}

#[test]
fn a_violation_among_the_states_found_counts() {
    let text = "A = a.b.c.d.A; system A ^ 14 | e.0; check x = always !did e; check y = always !did d;";
    let system = load(text, Language::Ccs).system.unwrap();
    let subject = ProcessChecks { name: "wide", system: &system, checks: &system.checks };
    for source in [StateSource::Triples, StateSource::Rules] {
        for max_lts_states in [10, 100] {
            let options = Options { max_states: 20, max_lts_states, ..Options::default() };
            let found = ProcessChecker::new(&subject, &options, source).decide();
            assert_eq!((found.explored.states, found.explored.is_complete), (20, false));
            let [first, second] = found.answers.try_into().unwrap();
            assert!(matches!(first.unwrap().status, Status::Violated(run) if run.steps.len() == 1));
            assert!(matches!(second.unwrap().status, Status::Unknown(why) if why.code() == "state-limit"));
        }
    }
}

#[test]
fn a_long_process_is_explored() {
    let text = format!("system {}0; check deadlock;", "a.".repeat(30_000));
    let system = load(&text, Language::Ccs).system.unwrap();
    let budget = Budget::unlimited();
    let structure = encode(&system, &budget).unwrap();
    let known = StateSpace::new(&structure, usize::MAX, &budget);
    assert_eq!((known.lts.states(), known.lts.incomplete), (30_001, None));
}

#[test]
fn constants_that_double_each_other_are_not_unfolded() {
    let doubling: String = (0..300).map(|n| format!("K{n} = K{0} + K{0};\n", n + 1)).collect();
    let text = format!("{doubling}K300 = a.0;\nsystem K0; check deadlock;");
    let system = load(&text, Language::Ccs).system.unwrap();
    let structure = encode(&system, &Budget::unlimited()).unwrap();
    // The start, and one action.
    assert_eq!(structure.triples.len(), 2);
}

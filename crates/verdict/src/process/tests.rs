//! The road to verdicts about processes: faults in triples and in sets of states are found, and large models
//! answered.

use super::inductive::{Fault, check_lts, check_set};
use super::*;
use paramcheck_emulation::evolution::Evolution;
use paramcheck_emulation::packed::{Packed, PackedSystem};
use paramcheck_emulation::question::{Condition, Demand};
use paramcheck_emulation::states;
use paramcheck_emulation::triple::{Action, TripleId};
use paramcheck_nets::explore::system::TransitionSystem;
use paramcheck_process::Language::Ccs;
use paramcheck_process::model::{Goal, System};
use paramcheck_process::semantics::check::{Execution, Mismatch, RunStep};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Stop;

fn load(text: &str) -> System {
    paramcheck_process::load(text, Ccs).system.unwrap()
}

/// Milner's scheduler with this many cells: each has a few states, all together many.
fn scheduler(cells: usize) -> String {
    let mut text = String::new();
    for cell in 1..=cells {
        let next = cell % cells + 1;
        text.push_str(&format!(
            "W{cell} = t{cell}.S{cell};\nS{cell} = a{cell}.(b{cell}.'t{next}.W{cell} + 't{next}.R{cell});\n\
             R{cell} = b{cell}.W{cell};\n"
        ));
    }
    let others: Vec<String> = (2..=cells).map(|cell| format!("W{cell}")).collect();
    let tokens: Vec<String> = (1..=cells).map(|cell| format!("t{cell}")).collect();
    text + &format!("system (S1 | {}) \\ {{{}}};\n", others.join(" | "), tokens.join(", "))
}

/// A process whose triples are changed.
struct Faulty<'a> {
    process: ProcessChecks<'a>,
    change: fn(&mut Structure),
}

impl Subject for Faulty<'_> {
    type Violation = Execution;

    fn name(&self) -> &str {
        self.process.name()
    }

    fn checks(&self) -> Vec<String> {
        self.process.checks()
    }

    fn agents(&self, budget: &Budget) -> Result<Vec<String>, Incomplete> {
        self.process.agents(budget)
    }

    fn structure(&self, budget: &Budget) -> Result<Structure, NotEncoded> {
        let mut structure = self.process.structure(budget)?;
        (self.change)(&mut structure);
        Ok(structure)
    }

    fn questions(&self) -> Vec<Result<Question, String>> {
        self.process.questions()
    }

    fn confirm(
        &self,
        structure: &Structure,
        check: usize,
        run: &Replayed,
        options: &Options,
    ) -> Result<Execution, NoAnswer> {
        self.process.confirm(structure, check, run, options)
    }

    fn steps(violation: &Execution) -> usize {
        ProcessChecks::steps(violation)
    }

    fn decide_natively(&self, options: &Options, source: StateSource) -> NativeAnswers<Execution> {
        ProcessChecker::new(self, options, source).decide()
    }
}

impl Process for Faulty<'_> {
    fn goals(&self) -> Vec<Goal> {
        self.process.goals()
    }

    fn states(&self, max_states: usize, budget: &Budget) -> Lts {
        self.process.states(max_states, budget)
    }

    fn states_in_turn(&self, max_states: usize, budget: &Budget) -> Option<Lts> {
        self.process.states_in_turn(max_states, budget)
    }

    fn is_faithful(&self, structure: &Structure, max_states: usize, budget: &Budget) -> Result<bool, Stop> {
        self.process.is_faithful(structure, max_states, budget)
    }

    fn retrace(
        &self,
        goal: &Goal,
        schedule: Schedule,
        steps: &[RunStep],
        loop_start: Option<usize>,
        budget: &Budget,
    ) -> Result<Execution, Mismatch> {
        self.process.retrace(goal, schedule, steps, loop_start, budget)
    }

    fn decide_by_rules(
        &self,
        goal: &Goal,
        schedule: Schedule,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Outcome<Execution>, Mismatch> {
        self.process.decide_by_rules(goal, schedule, max_states, budget)
    }
}

/// What is decided about the only check of a text whose triples are changed, by each way to find the states.
fn with_fault(text: &str, change: fn(&mut Structure)) -> [CheckVerdict<Execution>; 2] {
    let system = load(text);
    let process = ProcessChecks { name: "faulty", system: &system, checks: &system.checks };
    [MAX_LTS_STATES, 1].map(|max_lts_states| {
        let options = Options { max_lts_states, ..Options::default() };
        decide(&Faulty { process, change }, true, &[], &options).verdicts.remove(0)
    })
}

/// The triples with the label of the system's action `b`.
fn of_b(structure: &Structure) -> Vec<TripleId> {
    let is_b = |label| structure.labels.get(label).is_some_and(|label| label == "b");
    structure.steps().filter(|(_, triple)| triple.label().is_some_and(is_b)).map(|(id, _)| id).collect()
}

const NEVER_B: &str = "A = a.b.A; B = c.B; system A | B; check never = always !did b;";

#[test]
fn a_wrong_triple_is_found() {
    // It does `a` where the process does `b`.
    for verdict in with_fault(NEVER_B, |structure| {
        let a = structure.labels.enumerate().find(|(_, label)| *label == "a").unwrap().0;
        for id in of_b(structure) {
            structure.triples[id].action = Action::Step(a);
            structure.triples[id].parts = vec![a];
        }
    }) {
        assert!(matches!(verdict.bug, Some(InternalBug::Proof(_))), "{:?}", verdict.bug);
        assert!(verdict.answer().is_none());
    }
    // It goes back to where it was, so the agent never comes to `b`.
    for verdict in with_fault(NEVER_B, |structure| {
        let first = structure.steps().find(|(_, triple)| triple.agents == [0]).unwrap().0;
        let start = structure.triples.iter().find(|triple| triple.label().is_none() && triple.agents == [0]);
        let exit = start.unwrap().exit.clone();
        structure.triples[first].exit = exit;
    }) {
        assert!(matches!(verdict.bug, Some(InternalBug::Proof(_))), "{:?}", verdict.bug);
    }
}

#[test]
fn a_dropped_triple_is_found() {
    let drop_b = |structure: &mut Structure| {
        let dropped = of_b(structure);
        assert_eq!(dropped.len(), 1);
        let kept = structure.triples.enumerate().filter(|(id, _)| !dropped.contains(id));
        structure.triples = kept.map(|(_, triple)| triple.clone()).collect::<IndexVec<_, _>>();
    };
    for verdict in with_fault(NEVER_B, drop_b) {
        assert!(matches!(verdict.bug, Some(InternalBug::Proof(_))), "{:?}", verdict.bug);
    }
    // Where the verdict is right all the same, the rules have given it.
    for verdict in with_fault("system a.b.0 | c.0; check never = always !(did c & can c);", drop_b) {
        assert_eq!(verdict.bug, None);
        assert!(matches!(verdict.answer().unwrap().status, Status::Proved(ProcessProof::Explored)));
    }
}

#[test]
fn a_dropped_state_is_found() {
    let budget = Budget::unlimited();
    let system = load(&(scheduler(4) + "check one = always !(did a1 & can a1);"));
    let process = ProcessChecks { name: "scheduler", system: &system, checks: &system.checks };
    let structure = process.structure(&budget).unwrap();
    let Some(Demand::Never(condition)) = Question::demand_of(&system.checks[0].goal) else {
        panic!("it is one")
    };
    let never: Condition = condition;

    let space = StateSpace::new(&structure, usize::MAX, &budget);
    assert_eq!(check_lts(&structure, &space.lts, |state| space.state(state), &budget), Ok(()));
    // The search ends before its last state, and claims that it has all.
    let mut part = StateSpace::new(&structure, space.lts.states() - 1, &budget);
    part.lts.incomplete = None;
    let found = check_lts(&structure, &part.lts, |state| part.state(state), &budget);
    assert_eq!(found, Err(Fault::Steps));

    let packed = Packed::new(&structure, &budget).unwrap().unwrap();
    assert_eq!(packed.words(), 1);
    let evolution = Evolution::new(&structure);
    let initial = evolution.initial().pop().unwrap();
    let all = states::explore(&evolution, initial, usize::MAX, &budget).states;
    let all: Vec<[u64; 1]> = all.iter().map(|state| packed.pack(state)).collect();
    assert_eq!(PackedSystem::<[u64; 1]>::new(&packed).initial(), [all[0]]);
    let check = |all: &[&[u64; 1]], never: &[&Condition], threads| {
        check_set(&structure, &packed, all, never, threads, &budget)
    };
    for threads in [1, 3] {
        let all: Vec<&[u64; 1]> = all.iter().collect();
        assert_eq!(check(&all, &[&never], threads), Ok(()));
        assert_eq!(check(&all[1..], &[], threads), Err(Fault::Initial));
        for dropped in 1..all.len() {
            let part: Vec<&[u64; 1]> = [&all[..dropped], &all[dropped + 1..]].concat();
            assert_eq!(check(&part, &[], threads), Err(Fault::Open), "{dropped}");
        }
        let stuck = Condition::Not(Box::new(Condition::Stuck));
        assert_eq!(check(&all, &[&stuck], threads), Err(Fault::Bad));
    }
}

/// The engine answers where the labelled transition system may not be made.
#[test]
fn large_models_are_answered_without_transitions() {
    let checks = "check order = always !(did a1 & can a1);\ncheck deadlock;\ncheck none = always !did b3;\n";
    let system = load(&(scheduler(8) + checks));
    let subject = ProcessChecks { name: "scheduler", system: &system, checks: &system.checks };
    let with = |max_lts_states, threads| {
        let options = Options { max_lts_states, threads, ..Options::default() };
        decide(&subject, true, &[], &options)
    };
    let small = with(MAX_LTS_STATES, 1);
    let explored = small.explored.unwrap();
    assert!(explored.is_complete && explored.states > 1_000, "{explored:?}");
    for threads in [1, 2] {
        let large = with(100, threads);
        let found = large.explored.unwrap();
        assert_eq!(
            (found.states, found.transitions, found.is_complete),
            (explored.states, explored.transitions, true)
        );
        for (one, other) in small.verdicts.iter().zip(&large.verdicts) {
            assert_eq!((&one.bug, &other.bug), (&None, &None));
            match (&one.answer().unwrap().status, &other.answer().unwrap().status) {
                (Status::Proved(_), Status::Proved(_)) => assert_ne!(one.check, "none"),
                (Status::Violated(run), Status::Violated(other)) => {
                    assert_eq!((one.check.as_str(), run.steps.len()), ("none", other.steps.len()));
                }
                (one, other) => panic!("{one:?} {other:?}"),
            }
        }
    }
}

/// In turn there may be few states where there are too many in any order.
#[test]
fn turns_are_taken_while_exploring() {
    let text = include_str!("../../../../tests/cases/found/round-robin-once.ccs");
    let with = |text: &str, max_states, max_lts_states| {
        let schedule = Schedule::RoundRobin;
        decided(text, Options { max_states, max_lts_states, schedule, ..Options::default() })
    };
    let (verdict, transitions) = with(text, 1_000, 500);
    let Status::Violated(run) = &verdict.answers[0].status else { panic!("{verdict:?}") };
    assert_eq!((run.steps.len(), transitions), (20, 20));
    let stays = text.replace("always !did a19", "always (!terminated | did a19)");
    let (verdict, _) = with(&stays, 1_000, 1_000);
    assert!(matches!(verdict.answers[0].status, Status::Proved(ProcessProof::Explored)), "{verdict:?}");
    let (verdict, _) = with(&stays, 20, 20);
    assert!(matches!(verdict.answers[0].status, Status::Unknown(_)), "{verdict:?}");
}

/// However the states are found, round-robin has the same answers.
#[test]
fn round_robin_has_one_answer_however_states_are_found() {
    let mut kinds = [0, 0];
    for goal in
        ["always !did b3", "always (!can a1 | !did a1)", "eventually did a4", "eventually (did b2 & did a1)"]
    {
        let text = scheduler(5) + &format!("check goal = {goal};\n");
        let ways = [(MAX_LTS_STATES, 1_000_000), (1, 1_000_000), (1, 330), (330, 330)];
        let found = ways.map(|(max_lts_states, max_states)| {
            let schedule = Schedule::RoundRobin;
            let options = Options { max_states, max_lts_states, schedule, ..Options::default() };
            match decided(&text, options).0.answers.remove(0).status {
                Status::Violated(run) => Some(run.steps.len()),
                Status::Proved(_) => None,
                Status::Unknown(reason) => panic!("{goal}: {reason:?}"),
            }
        });
        assert!(found.iter().all(|one| *one == found[0]), "{goal}: {found:?}");
        kinds[usize::from(found[0].is_some())] += 1;
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

/// Agents are compared one by one, so a system with many states is compared quickly.
#[test]
fn triples_are_compared_agent_by_agent() {
    let budget = Budget::unlimited();
    let system = load(&scheduler(60));
    let process = ProcessChecks { name: "scheduler", system: &system, checks: &system.checks };
    let mut structure = process.structure(&budget).unwrap();
    assert_eq!(process.is_faithful(&structure, 10, &budget), Ok(true));
    assert_eq!(process.is_faithful(&structure, 2, &budget), Ok(false), "too few to compare");
    let last = TripleId::new(structure.triples.len() - 1);
    structure.triples[last].agents.clear();
    assert_eq!(process.is_faithful(&structure, 10, &budget), Ok(false), "no shape to compare");
}

/// What is decided about the only check of a text with these options, and how many transitions were seen.
fn decided(text: &str, options: Options) -> (CheckVerdict<Execution>, usize) {
    let system = load(text);
    let process = ProcessChecks { name: "text", system: &system, checks: &system.checks };
    let mut decision = decide(&process, true, &[], &options);
    (decision.verdicts.remove(0), decision.explored.unwrap().transitions.unwrap())
}

#[test]
fn an_agent_alone_may_be_larger_than_the_whole() {
    // The first agent alone has 2^24 states, the whole has 301.
    let text = "P = c.P; system ((a.0) ^ 24; P) |[a]| (a.a.0); check far = always !(can c & can a);";
    let (verdict, _) = decided(text, Options::default());
    assert!(matches!(verdict.answers[0].status, Status::Proved(ProcessProof::Explored)), "{verdict:?}");
}

#[test]
fn a_limit_on_states_limits_work() {
    // The first state has thousands of successors, and so have these.
    let text = "P = a.b.P; Q = 'a.c.Q; system P ^ 128 | Q; check deadlock;";
    let options = Options { max_states: 20_001, ..Options::default() };
    let (verdict, transitions) = decided(text, options);
    assert!(matches!(verdict.answers[0].status, Status::Unknown(_)), "{verdict:?}");
    assert!(transitions < 2_000_000, "{transitions}");
}

#[test]
fn a_recheck_by_the_rules_may_need_more_states() {
    // By the rules `0` and `0 \\ {c}` are two.
    let text = "system b.0 + (a.0) \\ {c}; check deadlock;";
    let options = Options { max_states: 2, ..Options::default() };
    let (verdict, _) = decided(text, options);
    assert!(matches!(verdict.answers[0].status, Status::Proved(_)), "{verdict:?}");
}

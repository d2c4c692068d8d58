use super::*;
use crate::{EngineName, Explored, Finding, Options, Reason, Status, Unknown, Verdict, decide};
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_text::limits::{Budget, Stop};

/// Rings in which all but the last two nodes start as they like: some of three nodes begin with `two` tokens;
/// none is ever `lost`.
const MODEL: &str = "\
component Node { states idle, busy; init *; busy -out-> idle; idle -in-> busy; }
Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
Chain(x, y) <- <out(x) in(y)> (Node[idle](x), Node[busy](y));
Chain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y, z));
error two = #busy >= 2;
error lost = #busy == 0;
";

fn system() -> System {
    load(MODEL).system.expect("a model")
}

fn errors(system: &System) -> Vec<NamedError> {
    std::iter::once(System::deadlock()).chain(system.errors.iter().cloned()).collect()
}

fn plan(max_size: usize) -> Plan {
    Plan { max_size, max_states: 100_000, threads: 1 }
}

/// Compares a verdict about the error at `position` with what exploration finds.
fn judge(system: &System, verdict: &Verdict, position: usize) -> Result<Agreement, Contradiction> {
    let (plan, budget) = (plan(5), Budget::unlimited());
    compare(system, verdict, &sweep(system, &errors(system), &plan, &budget), position, &plan, &budget)
}

fn answer(system: &System, position: usize) -> Verdict {
    decide(system, &errors(system)[position], &Options::default()).expect("no bug")
}

const DEADLOCK: usize = 0;
const TWO: usize = 1;
const LOST: usize = 2;

fn unknown(up_to_size: usize) -> Status {
    Status::Unknown(Unknown {
        reason: Reason::Spurious,
        candidate: None,
        others: Vec::new(),
        tried: Vec::new(),
        exclusive: false,
        dropped: Vec::new(),
        explored: Explored { up_to_size, instances: 3, states: 3 },
    })
}

#[test]
fn everything_is_explored_once_for_all_errors() {
    let system = system();
    let sweep = sweep(&system, &errors(&system), &plan(4), &Budget::unlimited());
    assert_eq!(sweep.end, End::Exhausted);
    let row = |size: usize| {
        let seen = &sweep.sizes[size - 1];
        assert!(seen.is_complete);
        (seen.instances, seen.states, seen.reached.clone())
    };
    let (no, yes) = (Reach::Unreached, Reach::Reached);
    assert_eq!(row(1), (0, 0, vec![no, no, no]));
    assert_eq!(row(2), (1, 2, vec![no, no, no]));
    // One token of three, and two of three: three markings each.
    assert_eq!(row(3), (2, 6, vec![no, yes, no]));
    // One, two (twice), three tokens: 4, 6, 6, 4.
    assert_eq!(row(4), (4, 20, vec![no, yes, no]));
    let two = sweep.smallest[TWO].as_ref().expect("reached");
    assert_eq!((two.tree.size(), two.trace.steps.len()), (3, 0));
    assert_eq!(
        (sweep.excluded_up_to(DEADLOCK), sweep.excluded_up_to(TWO), sweep.complete_up_to()),
        (4, 2, 4)
    );
}

#[test]
fn limits_end_exploration_where_they_come() {
    let system = system();
    let errors = errors(&system);
    let few = sweep(&system, &errors, &Plan { max_states: 10, ..plan(9) }, &Budget::unlimited());
    assert_eq!((few.end, few.complete_up_to(), few.sizes.len()), (End::StateLimit, 3, 4));
    assert!(!few.sizes[3].is_complete);
    // What was seen in the size that is not complete counts only where something was reached.
    assert_eq!((few.excluded_up_to(LOST), few.excluded_up_to(TWO)), (3, 2));
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Time);
    let none = sweep(&system, &errors, &plan(9), &budget);
    assert_eq!((none.end, none.complete_up_to()), (End::Stopped(Stop::Time), 0));
}

#[test]
fn right_answers_agree() {
    let system = system();
    let up_to = 5;
    assert_eq!(judge(&system, &answer(&system, LOST), LOST), Ok(Agreement::ProvedAndUnreached { up_to }));
    let violated = Agreement::ViolatedAndReached { size: 3, steps: 0 };
    assert_eq!(judge(&system, &answer(&system, TWO), TWO), Ok(violated));
    // Nothing larger than what the verdict shows was explored.
    let small = plan(2);
    let budget = Budget::unlimited();
    let seen = sweep(&system, &errors(&system), &small, &budget);
    let beyond = compare(&system, &answer(&system, TWO), &seen, TWO, &small, &budget);
    assert_eq!(beyond, Ok(Agreement::ViolatedBeyond { size: 3, up_to: 2 }));
    // An instance larger than need be is none the less a violation.
    let mut larger = answer(&system, TWO);
    let tree = trees(&system, 4).last().expect("a ring with three tokens");
    let Status::Violated(violated) = &mut larger.status else { panic!("violated") };
    violated.tree = tree;
    assert_eq!(judge(&system, &larger, TWO), Ok(Agreement::ViolatedButSmaller { size: 4, smallest: 3 }));
    let open = |position, up_to_size| {
        let verdict =
            Verdict { status: unknown(up_to_size), engines: Vec::new(), ..answer(&system, position) };
        judge(&system, &verdict, position)
    };
    assert_eq!(open(LOST, 7), Ok(Agreement::UnknownAndUnreached { up_to }));
    assert_eq!(open(TWO, 2), Ok(Agreement::UnknownButReached { size: 3, steps: 0 }));
}

/// Every lie that a verdict can tell is found out, and by its own name.
#[test]
fn lies_are_found_out() {
    let system = system();
    let errors = errors(&system);
    let error = || "two".to_owned();
    // What is proved of another error.
    let proved = Verdict { error: errors[TWO].clone(), ..answer(&system, LOST) };
    let lie =
        Contradiction::ProvedButReached { error: error(), engine: EngineName::Direct, size: 3, steps: 0 };
    assert_eq!(judge(&system, &proved, TWO), Err(lie.clone()));
    assert!(lie.to_string().contains("engine `direct` proved that no instance reaches `two`"));
    // One of the engines reported it, whatever came of it.
    let mut outvoted = answer(&system, TWO);
    outvoted.engines[0].finding = Finding::Proved;
    assert_eq!(judge(&system, &outvoted, TWO), Err(lie.clone()));
    // No engine is known, but an answer.
    let anonymous = Verdict { engines: Vec::new(), ..proved };
    assert_eq!(judge(&system, &anonymous, TWO), Err(lie));
    // A violation of another error.
    let violated = Verdict { error: errors[LOST].clone(), ..answer(&system, TWO) };
    let lie = Contradiction::ViolatedButUnreached { error: "lost".to_owned(), size: 3, up_to: 5 };
    assert_eq!(judge(&system, &violated, LOST), Err(lie));
    // A violation by an instance that has only one token.
    let mut elsewhere = answer(&system, TWO);
    let Status::Violated(violated) = &mut elsewhere.status else { panic!("violated") };
    violated.tree = trees(&system, 3).next().expect("a ring with one token");
    let lie = Contradiction::InstanceUnreached { error: error(), size: 3 };
    assert_eq!(judge(&system, &elsewhere, TWO), Err(lie));
    // A way longer than need be.
    let mut longer = answer(&system, TWO);
    let Status::Violated(violated) = &mut longer.status else { panic!("violated") };
    let step = violated.net.transitions().indices().next().expect("a transition");
    violated.trace.steps.push(step);
    let lie = Contradiction::TraceLength { error: error(), claimed: 1, shortest: 0 };
    assert_eq!(judge(&system, &longer, TWO), Err(lie));
    // Sizes that are reported as explored.
    let explored = Verdict { status: unknown(3), engines: Vec::new(), ..answer(&system, TWO) };
    let lie = Contradiction::ExploredButReached { error: error(), up_to: 3, size: 3, steps: 0 };
    assert_eq!(judge(&system, &explored, TWO), Err(lie));
    // Another smallest instance, larger or smaller than the real one.
    let mut larger = answer(&system, LOST);
    larger.smallest = trees(&system, 3).next().expect("a ring");
    let lie = Contradiction::SmallestInstance { claimed: 3, size: 2, instances: 1 };
    assert_eq!(judge(&system, &larger, LOST), Err(lie));
    let mut smaller = answer(&system, LOST);
    smaller.smallest.nodes[1].initial.pop();
    let lie = Contradiction::SmallestInstance { claimed: 1, size: 1, instances: 0 };
    assert_eq!(judge(&system, &smaller, LOST), Err(lie));
}

/// Exploration is not believed either.
#[test]
fn lies_of_exploration_are_found_out() {
    let system = system();
    let (plan, budget) = (plan(4), Budget::unlimited());
    let mut seen = sweep(&system, &errors(&system), &plan, &budget);
    seen.smallest[LOST] = seen.smallest[TWO].clone();
    let found = compare(&system, &answer(&system, LOST), &seen, LOST, &plan, &budget);
    assert!(
        matches!(&found, Err(Contradiction::Exploration { reason, .. }) if reason.contains("not end")),
        "{found:?}"
    );
    let trace = &mut seen.smallest[TWO].as_mut().expect("reached").trace;
    trace.markings.pop();
    let found = compare(&system, &answer(&system, TWO), &seen, TWO, &plan, &budget);
    assert!(matches!(&found, Err(Contradiction::Exploration { .. })), "{found:?}");
}

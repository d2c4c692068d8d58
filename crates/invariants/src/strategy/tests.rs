//! The tables of attempts, printed.

use insta::assert_snapshot;

use std::cell::RefCell;
use std::rc::Rc;

use paramcheck_model::lower::load;
use paramcheck_model::tree::{RewritingTree, TreeMarking};

use super::*;
use crate::firing::InteractionFiring;
use crate::outcome::Scout;

/// The table, one attempt per line.
fn print(table: &[Attempt]) -> String {
    let lines = table.iter().map(|attempt| match attempt {
        Attempt::NoInvariant => "prove without any invariant".to_owned(),
        Attempt::Try { kinds, effort } => format!("try {}", question(kinds, *effort)),
        Attempt::Prove { kinds, effort } => format!("prove with {}", question(kinds, *effort)),
        Attempt::Explore { states } => format!("explore small instances, {states} states"),
        Attempt::Confirm { states } => format!("explore the candidate's instance, {states} states"),
        Attempt::DropDead { kinds, effort } => {
            format!("drop dead interactions by {}", question(kinds, *effort))
        }
        Attempt::LastResort { kinds, effort } => format!("last resort: {}", question(kinds, *effort)),
        Attempt::Exclusive { kinds, effort } => format!("exclusive states: {}", question(kinds, *effort)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn question(kinds: &[InvariantKind], effort: u64) -> String {
    let kinds: Vec<String> = kinds.iter().map(InvariantKind::to_string).collect();
    let effort = match effort {
        u64::MAX => "any effort".to_owned(),
        joins => format!("{joins} joins"),
    };
    format!("{}; {effort}", kinds.join(", "))
}

#[test]
fn the_default_table() {
    assert_snapshot!(print(&InvariantChoice::default().attempts()), @r"
    try trap; 60000 joins
    explore small instances, 5000 states
    prove with trap; 100000 joins
    try siphon; 60000 joins
    explore small instances, 5000 states
    prove with siphon; 100000 joins
    try mutex; 60000 joins
    explore small instances, 5000 states
    prove with mutex; 100000 joins
    try trap, mutex; 60000 joins
    explore small instances, 5000 states
    prove with trap, mutex; 100000 joins
    try trap, mutex, siphon, at-most-one; 60000 joins
    explore small instances, 5000 states
    prove with trap, mutex, siphon, at-most-one; 100000 joins
    try trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; 60000 joins
    explore small instances, 5000 states
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; 100000 joins
    prove with trap; 2000000 joins
    prove with siphon; 2000000 joins
    prove with mutex; 2000000 joins
    prove with trap, mutex; 2000000 joins
    prove with trap, mutex, siphon, at-most-one; 2000000 joins
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; 2000000 joins
    explore small instances, 100000 states
    prove with trap; any effort
    explore small instances, 100000 states
    prove with siphon; any effort
    explore small instances, 100000 states
    prove with mutex; any effort
    explore small instances, 100000 states
    prove with trap, mutex; any effort
    explore small instances, 100000 states
    prove with trap, mutex, siphon, at-most-one; any effort
    explore small instances, 100000 states
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; any effort
    explore the candidate's instance, 100000 states
    drop dead interactions by trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; 100000 joins
    explore small instances, 100000 states
    drop dead interactions by trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; any effort
    last resort: trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, linear:4, modulo:3; 2000000 joins
    exclusive states: trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, linear:4, modulo:3; 2000000 joins
    ");
}

#[test]
fn the_table_up_to_a_bound() {
    let (default, up_to_3) = (InvariantChoice::default().attempts(), InvariantChoice::up_to(3).attempts());
    assert_eq!(default.len(), up_to_3.len());
    let differ: Vec<Attempt> =
        up_to_3.into_iter().zip(default).filter(|(one, other)| one != other).map(|(one, _)| one).collect();
    assert_snapshot!(print(&differ), @r"
    try trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; 60000 joins
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; 100000 joins
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; 2000000 joins
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; any effort
    drop dead interactions by trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; 100000 joins
    drop dead interactions by trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3; any effort
    last resort: trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3, linear:4, modulo:3; 2000000 joins
    exclusive states: trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2, at-least:3, exactly:3, at-most:3, linear:4, modulo:3; 2000000 joins
    ");
}

#[test]
fn the_table_of_chosen_kinds() {
    let only = InvariantChoice::only([InvariantKind::MUTEX, InvariantKind::TRAP]);
    assert_snapshot!(print(&only.attempts()), @r"
    try trap, mutex; 60000 joins
    explore small instances, 5000 states
    prove with trap, mutex; 100000 joins
    prove with trap, mutex; 2000000 joins
    explore small instances, 100000 states
    prove with trap, mutex; any effort
    ");
    let exclusive = InvariantChoice { exclusive: true, ..only };
    assert_snapshot!(print(&exclusive.attempts()[5..]), @r"
    prove with trap, mutex; any effort
    exclusive states: trap, mutex; any effort
    ");
}

#[test]
fn the_tables_for_formulas() {
    assert_snapshot!(print(&InvariantChoice::default().attempts_by_formulas()), @r"
    prove without any invariant
    prove with trap; any effort
    prove with siphon; any effort
    prove with mutex; any effort
    prove with trap, mutex; any effort
    prove with trap, mutex, siphon, at-most-one; any effort
    prove with trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; any effort
    drop dead interactions by trap, mutex, siphon, at-most-one, parity, at-least:2, exactly:2, at-most:2; any effort
    ");
    let only = InvariantChoice::only([InvariantKind::TRAP]);
    assert_snapshot!(print(&only.attempts_by_formulas()), @r"
    prove without any invariant
    prove with trap; any effort
    ");
    assert!(InvariantChoice { stages: vec![], ..only }.attempts_by_formulas().is_empty());
}

/// A prover that answers every question alike, and a scout that sees nothing; both write down what they do.
struct Script {
    answer: fn() -> Answer<()>,
    log: Rc<RefCell<Vec<String>>>,
}

struct Listener(Rc<RefCell<Vec<String>>>);

impl Prover for Script {
    type Proof = ();
    type Failure = ();

    fn ask(&mut self, _: &Subject, kinds: &[InvariantKind], effort: u64) -> Result<Answer<()>, ()> {
        self.log.borrow_mut().push(question(kinds, effort));
        Ok((self.answer)())
    }

    fn drop_dead(&mut self, _: InteractionFiring, (): ()) {}

    fn leave_out_exclusive(&mut self) -> Result<bool, ()> {
        self.log.borrow_mut().push("leave out exclusive states".to_owned());
        Ok(true)
    }
}

impl Scout for Listener {
    fn confirms(&mut self, _: &RewritingTree, _: &TreeMarking, states: usize) -> bool {
        self.0.borrow_mut().push(format!("confirm: {states} states"));
        false
    }

    fn finds(&mut self, states: usize) -> bool {
        self.0.borrow_mut().push(format!("find: {states} states"));
        false
    }
}

/// What is done about a system where every question has this answer.
fn log(answer: fn() -> Answer<()>) -> String {
    let text = "component A { states s; init s; s -p-> s; } S() <- new x . <p(x)> (A(x));";
    let system = load(text).system.expect("a system");
    let choice = InvariantChoice {
        stages: vec![vec![InvariantKind::TRAP], vec![InvariantKind::TRAP, InvariantKind::MUTEX]],
        ..InvariantChoice::default()
    };
    let log = Rc::new(RefCell::new(Vec::new()));
    let mut prover = Script { answer, log: Rc::clone(&log) };
    let (result, _) = run(&mut prover, &system, &choice.attempts(), &mut Listener(Rc::clone(&log)));
    assert_eq!(result.map(|proved| proved.is_some()), Ok(matches!(answer(), Answer::Proved(()))));
    log.take().join("\n")
}

#[test]
fn the_first_proof_ends_the_run() {
    assert_snapshot!(log(|| Answer::Proved(())), @"trap; 60000 joins");
}

#[test]
fn each_set_of_kinds_leaves_one_candidate_and_nothing_small_is_explored() {
    let candidate = || {
        let tree = RewritingTree { nodes: vec![] };
        Answer::Candidate(tree, TreeMarking::default())
    };
    assert_snapshot!(log(candidate), @r"
    trap; 60000 joins
    confirm: 5000 states
    trap, mutex; 60000 joins
    confirm: 5000 states
    confirm: 100000 states
    trap, mutex; 100000 joins
    trap, mutex, linear:4, modulo:3; 2000000 joins
    trap, mutex, linear:4, modulo:3; 2000000 joins
    leave out exclusive states
    trap, mutex, linear:4, modulo:3; 2000000 joins
    ");
}

#[test]
fn small_instances_are_explored_before_effort_grows() {
    assert_snapshot!(log(|| Answer::Exhausted), @r"
    trap; 60000 joins
    find: 5000 states
    trap; 100000 joins
    trap, mutex; 100000 joins
    trap; 2000000 joins
    trap, mutex; 2000000 joins
    find: 100000 states
    trap; any effort
    trap, mutex; any effort
    trap, mutex; 100000 joins
    trap, mutex; any effort
    trap, mutex, linear:4, modulo:3; 2000000 joins
    ");
}

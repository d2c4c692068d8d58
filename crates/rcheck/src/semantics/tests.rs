//! Tests of the rules, cell by cell, and of the check of properties against the definition on single runs.

use std::collections::HashMap;

use pretty_assertions::assert_eq;

use super::check::{Answer, Fairness, Position, Runs, check};
use super::explore::{Space, explore};
use super::initial::{Initial, initial_states};
use super::lasso::{Lasso, is_run, satisfies};
use super::step::{NotReady, Reason, Role, offers, steps};
use crate::load;
use crate::model::System;
use crate::parser::Options;
use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

fn system(text: &str) -> System {
    let loaded = load(text, Options::default());
    assert!(loaded.system.is_some(), "{:#?}", loaded.diagnostics);
    loaded.system.unwrap()
}

fn explored(system: &System) -> Space {
    explore(system, 10_000, &Budget::unlimited()).unwrap()
}

/// What a hearer does about the only message that can be sent, and how many steps there are.
fn role(channel: &str, to: &str, data: &str, hearer: &str) -> (Role, usize) {
    let text = format!(
        "enum channel {{c, d}}\nmessage-structure: M : 0..2, N : bool\nproperty-variables: p : bool\n\
         agent S local: n : 0..2 init: n = 1 receive-guard: false repeat: ( {{true}} {channel}! ({to})({data})[] )\n\
         agent H local: x : bool, m : 0..2 init: !x & m = 0 relabel: p <- x receive-guard: chan = c repeat: ( {hearer} )\n\
         system = S(s, true) || H(h, true)"
    );
    let system = system(&text);
    let Initial::Values(initial) = initial_states(&system) else { panic!("it has initial states") };
    let offers = offers(&system, &initial[0]).unwrap();
    assert_eq!(offers.len(), 1);
    (offers[0].roles[0].1.clone(), steps(&system, &initial[0]).unwrap().len())
}

#[test]
fn each_cell_of_the_table() {
    let hears = "{M = 1} c? [m := M] + {true} c? [] + {N} *? [] + {true} d? []";
    let with = |channel, to| role(channel, to, "M := n", hears);
    // Connected and addressed, ready.
    assert_eq!(with("c", "true"), (Role::Receives(vec![0, 1]), 2));
    // Not addressed.
    assert_eq!(with("c", "@p"), (Role::Blocks(Reason::NotAddressed), 0));
    assert_eq!(with("*", "@p"), (Role::Stays(Reason::NotAddressed), 1));
    // Not connected, whether addressed and ready or not.
    assert_eq!(with("d", "true"), (Role::Stays(Reason::NotConnected), 1));
    // Not ready: the message lacks `N`.
    let not_ready = vec![
        (0, NotReady::OtherChannel(1)),
        (1, NotReady::OtherChannel(1)),
        (2, NotReady::Lacks(1)),
        (3, NotReady::OtherChannel(2)),
    ];
    assert_eq!(with("*", "true"), (Role::Stays(Reason::NotReady(not_ready)), 1));
    let (role, steps) = role("c", "true", "M := 2", "{M = 1} c? []");
    let not_ready = vec![(0, NotReady::Condition)];
    assert_eq!((role, steps), (Role::Blocks(Reason::NotReady(not_ready)), 0));
}

#[test]
fn the_send_guard_is_that_of_the_command() {
    // The other command of the same sender would address the hearer.
    let text = "enum channel {c}\nmessage-structure: M : bool\nproperty-variables: p : bool\n\
                agent S receive-guard: false repeat: ( one: {true} *! (@p)(M := true)[] + two: {false} *! (!@p)()[] )\n\
                agent H local: got : bool init: !got relabel: p <- false repeat: ( {M} *? [got := M] )\n\
                system = S(s, true) || H(h, true)\nSPEC G !h-got";
    let system = system(text);
    let space = explored(&system);
    assert_eq!((space.states.len(), space.transitions()), (1, 1));
}

#[test]
fn initial_values_are_found_whatever_the_order() {
    let count = |locals: &str, init: &str| {
        let text = format!(
            "message-structure: M : bool\nagent A local: {locals} init: {init} repeat: ( {{true}} *! (true)()[] )\n\
             system = A(one, true)"
        );
        match initial_states(&system(&text)) {
            Initial::Values(states) => states.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(count("n : int, m : int", "n > 0 & n < 4 & m = n + n"), 3);
    assert_eq!(count("n : int, m : 0..9", "m = 3 & n = m | n = 7 & m < 2"), 3);
    assert_eq!(count("n : int", "n = 1 | n = 5 | n = 9"), 3);
    assert_eq!(count("n : 0..1000000000", "n = 77777777"), 1);
    assert_eq!(count("n : int, a : bool", "!(n < 3 | n > 5) & (a -> n = 4)"), 4);
    assert_eq!(count("c : channel, l : location, b : bool", "true"), 2);
    assert_eq!(count("l : location", "l = myself"), 1);
}

const TALKERS: &str = "message-structure: N : bool
    agent Talker local: spoke : bool init: !spoke
      repeat: ( say: {true} *! (false)(N := spoke)[spoke := !spoke] + hear: {spoke} *? []; stop: {N} *? [] )
    agent Deaf repeat: ( shout: {true} *! (true)(N := true)[]; mutter: {true} *! (false)()[] )
    system = Talker(a, true) || Talker(b, true) || Deaf(d, true)
    ";

fn formula(random: &mut Random, depth: u64) -> String {
    const ATOMS: [&str; 8] =
        ["a-spoke", "b-spoke", "a-say", "b-hear", "d-shout", "a-automaton-state = 1", "true", "b-stop"];
    const OBSERVATIONS: [&str; 5] =
        ["sender = a", "sender != d & N = true", "!(N = true)", "forall(false)", "chan = * & !N"];
    let kind = if depth == 0 { 0 } else { random.below(12) };
    let mut inner = || formula(random, depth - 1);
    match kind {
        1 => format!("!({})", inner()),
        2 => format!("(({}) & ({}))", inner(), inner()),
        3 => format!("(({}) | ({}))", inner(), inner()),
        4 => format!("(({}) <-> ({}))", inner(), inner()),
        5 => format!("(X ({}))", inner()),
        6 => format!("(F ({}))", inner()),
        7 => format!("(G ({}))", inner()),
        8 => format!("(({}) U ({}))", inner(), inner()),
        9 => format!("(({}) R ({}))", inner(), inner()),
        10 => format!("(({}) W ({}))", inner(), inner()),
        11 => {
            let body = inner();
            let observation = OBSERVATIONS[random.below(OBSERVATIONS.len() as u64) as usize];
            match random.below(2) {
                0 => format!("(<<{observation}>> ({body}))"),
                _ => format!("([[{observation}]] ({body}))"),
            }
        }
        _ => ATOMS[random.below(ATOMS.len() as u64) as usize].to_owned(),
    }
}

/// A random run: on until a position returns.
fn lasso(random: &mut Random, runs: &Runs<'_>) -> Lasso {
    let mut positions: Vec<Position> = Vec::new();
    let mut seen: HashMap<Position, usize> = HashMap::new();
    let (mut state, mut received) = (0, std::collections::BTreeSet::new());
    loop {
        let count = runs.space.steps[state].len() as u64;
        let step = (count > 0).then(|| random.below(count) as usize);
        let position = Position { state, received: received.clone(), step };
        if let Some(first) = seen.get(&position) {
            let cycle = positions.split_off(*first);
            return Lasso { prefix: positions, cycle };
        }
        seen.insert(position.clone(), positions.len());
        (state, received) = runs.behind(&position);
        positions.push(position);
    }
}

#[test]
fn what_holds_holds_on_every_run_and_what_violates_it_is_one() {
    let mut random = Random::new(5);
    let (mut held, mut violated) = (0, 0);
    for _ in 0..300 {
        let formula = formula(&mut random, 3);
        let system = system(&format!("{TALKERS} SPEC {formula}; SPEC !({formula});"));
        let space = explored(&system);
        let mut answers = Vec::new();
        for spec in &system.specs {
            for fairness in [Fairness::Unfair, Fairness::Weak, Fairness::Strong] {
                let answer = check(&system, &space, spec, fairness);
                if let Answer::Violated(lasso) = &answer {
                    assert!(is_run(&system, &space, spec, lasso), "{formula}: {lasso:?}");
                    assert_eq!(satisfies(&system, &space, spec, lasso), Ok(false), "{formula}: {lasso:?}");
                }
                answers.push(matches!(answer, Answer::Holds));
            }
            if answers[answers.len() - 3] {
                held += 1;
                let runs = Runs::new(&system, &space, spec);
                for _ in 0..20 {
                    let lasso = lasso(&mut random, &runs);
                    assert!(is_run(&system, &space, spec, &lasso), "{lasso:?}");
                    assert_eq!(satisfies(&system, &space, spec, &lasso), Ok(true), "{formula}: {lasso:?}");
                }
            } else {
                violated += 1;
            }
        }
        // What holds of all runs holds of the fair ones, and of those fewer still that are strongly fair.
        assert!(answers[..3].is_sorted() && answers[3..].is_sorted(), "{formula}: {answers:?}");
        // There is a fair run, which satisfies one of the two.
        assert!(!(answers[2] && answers[5]), "{formula}");
    }
    assert!(held > 50 && violated > 50, "{held} {violated}");
}

#[test]
fn strong_fairness_asks_more_than_weak() {
    // The door is open again and again, not all the time.
    let text = "enum channel {c}\nmessage-structure: M : bool\n\
                agent Door local: open : bool init: open receive-guard: false repeat: ( {true} *! (false)()[open := !open] )\n\
                agent Guest local: in : bool init: !in repeat: ( enter: {!in} *! (false)()[in := true] )\n\
                system = Door(d, true) || Guest(g, true)\nSPEC F g-in";
    let one = system(text);
    let space = explored(&one);
    assert_eq!(check(&one, &space, &one.specs[0], Fairness::Weak), Answer::Holds);
    let text = "enum item {key, none}\nmessage-structure: ITEM : item\nproperty-variables: has : item\n\
                agent Door local: has_ : item init: has_ = key relabel: has <- has_\n\
                  repeat: ( give: {has_ = key} SUPPLY@(any)(ITEM := key)[] + swap: {has_ = key} *! (false)()[has_ := none]\n\
                  + back: {has_ = none} *! (false)()[has_ := key] )\n\
                agent Guest local: in : bool init: !in repeat: ( enter: {!in} GET@(@has = key)()[in := true] )\n\
                system = Door(d, true) || Guest(g, true)\nSPEC F g-in";
    let other = system(text);
    let space = explored(&other);
    assert!(matches!(check(&other, &space, &other.specs[0], Fairness::Weak), Answer::Violated(_)));
    assert_eq!(check(&other, &space, &other.specs[0], Fairness::Strong), Answer::Holds);
}

#[test]
fn an_observation_of_what_a_message_lacks_is_false() {
    let text = "enum channel {c}\nmessage-structure: M : bool, K : bool\n\
                agent S receive-guard: false repeat: ( {true} c! (true)(M := true)[] )\n\
                system = S(s, true)\n\
                SPEC G [[K = true | K = false | K != true]] false;\n\
                SPEC G ((<<!(K = true) & sender = s & producer = s & initiator = s & chan = c>> true));\n\
                SPEC G [[getter = s | supplier = s | p2p | getter != s]] false;\n\
                SPEC G ((<<true>> true)); SPEC PROGRESS & G PROGRESS;";
    let system = system(text);
    let space = explored(&system);
    for spec in &system.specs {
        assert_eq!(check(&system, &space, spec, Fairness::Unfair), Answer::Holds, "{}", spec.text);
    }
    assert_eq!(system.specs.len(), 5);
}

#[test]
fn faults_end_a_run_and_nothing_holds() {
    let with = |command: &str| {
        let text = format!(
            "enum channel {{c}}\nmessage-structure: M : 0..1\nagent A local: n : 0..2, k : int init: n = 0 & k = 0\n\
             receive-guard: false repeat: ( {command} )\nsystem = A(one, true)\nSPEC F false; SPEC true"
        );
        let system = system(&text);
        let space = explored(&system);
        let answers = system.specs.iter().map(|spec| check(&system, &space, spec, Fairness::Unfair));
        assert_eq!(answers.collect::<Vec<_>>(), [Answer::Fault, Answer::Fault], "{command}");
        space.fault.unwrap().1.message
    };
    assert_eq!(with("{true} c! (true)()[n := n - 1]"), "`n := -1` leaves the range 0..2");
    assert_eq!(with("{true} c! (true)(M := n)[n := n + 2]"), "`M := 2` leaves the range 0..1");
    assert_eq!(with("{1 / n = 1} c! (true)()[]"), "a division by zero");
    assert_eq!(with("{true} c! (true)()[k := 9223372036854775807 + 1]"), "a number is too large");
}

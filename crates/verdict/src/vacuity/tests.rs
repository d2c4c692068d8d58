use std::time::Duration;

use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;

use super::spoken::{spoken_of, suffices};
use super::{UpTo, Vacuous, vacuous};
use crate::{Options, Status, decide};

/// Users of a lock, which starts in `STATE`.
fn users(state: &str, errors: &str) -> System {
    let text = format!(
        "component Lock {{ states free, taken; init {state}; final *; free -take-> taken; taken -give-> free; }}
         component User {{ states idle, crit, lost; init idle; final *;
             idle -enter-> crit; crit -leave-> idle; }}
         Main() <- new l . (Lock(l), Users(l));
         Users(l) <- new u . <enter(u) take(l) + leave(u) give(l)> (User(u), Users(l))
                   | new u . <enter(u) take(l) + leave(u) give(l)> (User(u));
         {errors}"
    );
    load(&text).system.expect("a model")
}

fn found(system: &System, error: &str) -> Option<Vacuous> {
    let error = system.error_named(error).expect("an error");
    match decide(system, &error, &Options::default()).expect("no bug").status {
        Status::Proved(proved) => proved.vacuous,
        other => panic!("{error:?}: {other:?}"),
    }
}

/// The states of a list of names, as positions are hard to read.
fn names(system: &System, vacuous: &Vacuous) -> Vec<(String, UpTo)> {
    vacuous.states.iter().map(|&((owner, state), up_to)| (system.state_name(owner, state), up_to)).collect()
}

#[test]
fn what_never_happens_is_proved_for_every_size() {
    let system = users("taken", "error exclusion = #crit >= 2;");
    let vacuous = found(&system, "exclusion").expect("nothing ever happens");
    assert_eq!(names(&system, &vacuous), [("User.crit".to_owned(), UpTo::EverySize)]);
    assert_eq!(vacuous.interactions.len(), 4);
    assert!(vacuous.interactions.iter().all(|&(_, up_to)| up_to == UpTo::EverySize), "{vacuous:?}");
    assert!(vacuous.all_interactions);
    assert_eq!(vacuous.up_to(), Some(UpTo::EverySize));
    // A deadlock speaks of no state, but that nothing happens is worth a remark too.
    let vacuous = found(&system, "deadlock").expect("nothing ever happens");
    assert_eq!((vacuous.states.len(), vacuous.interactions.len()), (0, 4));
}

#[test]
fn a_proof_about_what_happens_has_no_remark() {
    let system = users("free", "error exclusion = #crit >= 2; error gone = #lost >= 1;");
    assert_eq!(found(&system, "exclusion"), None);
    assert_eq!(found(&system, "deadlock"), None);
    // That `lost` is never entered is the answer itself.
    assert_eq!(found(&system, "gone"), None);
}

#[test]
fn a_part_that_never_happens_is_told_from_one_that_does() {
    let system = users("free", "error both = #crit >= 2 & #lost >= 1; error sum = #crit + #lost >= 2;");
    let vacuous = found(&system, "both").expect("`lost` is never entered");
    assert_eq!(names(&system, &vacuous), [("User.lost".to_owned(), UpTo::EverySize)]);
    assert!(vacuous.interactions.is_empty() && !vacuous.all_interactions);
    // A sum counts something as long as one of its states is entered.
    assert_eq!(found(&system, "sum"), None);
}

/// In a chain a signal goes on to the next component; how far it came is its state. Beside each component one
/// changes its state all the time: there are many markings, and the work is done before the chains are long
/// enough for the last state.
#[test]
fn what_happens_in_large_instances_only_is_not_called_impossible() {
    let length = 20;
    let system = load(&signal(length)).system.expect("a model");
    let error = system.error_named("late").expect("an error");
    let found = vacuous(&system, &error, 1, &Budget::unlimited()).expect("no bug").expect("a remark");
    let &[(_, UpTo::Size(size))] = found.states.as_slice() else { panic!("{found:?}") };
    assert!(size > 4 && size < 2 * length, "{size}");
    assert!(found.interactions.iter().all(|&(_, up_to)| up_to == UpTo::Size(size)), "{found:?}");
}

/// Chains in which the last of `length` states is reached by the component of that number.
fn signal(length: usize) -> String {
    let last = length - 1;
    let states: Vec<String> = (0..length).map(|at| format!("s{at}")).collect();
    let moves: Vec<String> =
        (0..last).map(|at| format!("s{at} -give{at}-> s{at}; w -take{at}-> s{};", at + 1)).collect();
    let steps: Vec<String> = (0..last).map(|at| format!("give{at}(x) take{at}(y)")).collect();
    format!(
        "component N {{ states w, {}; init w; {} }}
         component Flip {{ states a, b; init a; a -> b; b -> a; }}
         link pass(x, y) = <{}>;
         Main() <- new x . (N[s0](x), Chain(x));
         Chain(x) <- new y, z . <pass(x, y)> (N(y), Flip(z), Chain(y)) | new y, z . <pass(x, y)> (N(y), Flip(z));
         error late = #s{last} >= 2;",
        states.join(", "),
        moves.join(" "),
        steps.join(" + "),
    )
}

#[test]
fn states_whose_presence_decides() {
    let cases = [
        ("#lost >= 1", "lost", "lost"),
        ("#lost > 0", "lost", "lost"),
        ("#lost != 0", "lost", "lost"),
        ("!(#lost == 0)", "lost", "lost"),
        ("!(#lost < 1)", "lost", "lost"),
        ("!(#lost <= 0)", "lost", "lost"),
        ("#lost + #lost >= 2", "lost", "lost"),
        ("#lost >= 2", "lost", ""),
        ("#lost == 1", "lost", ""),
        ("#lost < 1", "lost", ""),
        ("#lost >= 1 & #crit >= 1", "crit lost", ""),
        ("#lost >= 1 & #lost + #crit >= 1", "crit lost", "lost"),
        ("#lost >= 1 | #crit >= 2", "crit lost", "lost"),
        ("!(#lost == 0 & #crit < 2)", "crit lost", "lost"),
        ("!(#lost == 0 | #crit == 0)", "crit lost", ""),
        ("#lost >= 1 | deadlock", "lost", "lost"),
        ("wsks { ex1 x: x in lost }", "lost", "lost"),
        ("wsks { ex1 x, y: x in lost & y in crit }", "crit lost", ""),
        ("wsks { ex1 x, y: x in lost & y in lost & x != y }", "lost", ""),
    ];
    for (formula, spoken, sufficient) in cases {
        let system = users("free", &format!("error e = {formula};"));
        let formula = &system.error_named("e").expect("an error").formula;
        let names = |states: std::collections::BTreeSet<super::State>| {
            let name = |(owner, state)| system.types[owner].states[state].name.clone();
            states.into_iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(spoken_of(&system, formula).into_iter().flatten().collect()), spoken, "{formula:?}");
        assert_eq!(names(suffices(&system, formula)), sufficient, "{formula:?}");
    }
}

#[test]
fn patterns_of_one_state_are_about_that_state() {
    let ring = |forbidden: &str| {
        let text = format!(
            "component N {{ states a, b, c; init a; final *; a -go-> b; b -go-> a; }}
             Sys() <- new x, y . <go(x) go(y)> forbid <{forbidden}> (N(x), N(y));"
        );
        load(&text).system.expect("a model")
    };
    assert_eq!(found(&ring("c(x)"), "forbidden"), None);
    let system = ring("c(x) b(y)");
    let vacuous = found(&system, "forbidden").expect("`c` is never entered");
    assert_eq!(names(&system, &vacuous), [("N.c".to_owned(), UpTo::EverySize)]);
}

/// A run that must end looks at nothing more, and its proof stands.
#[test]
fn without_time_there_is_no_remark() {
    let system = users("taken", "error exclusion = #crit >= 2;");
    let error = system.error_named("exclusion").expect("an error");
    let budget = Budget::for_duration(Duration::ZERO);
    assert_eq!(vacuous(&system, &error, 2, &budget), Ok(None));
}

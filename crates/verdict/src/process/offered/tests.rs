use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, show};

use crate::process::{MAX_LTS_STATES, Options, ProcessChecks, StateSource, Subject, decide};

/// Per check the actions that no state offers, found in each way.
fn never_offered(text: &str) -> Vec<Vec<Vec<String>>> {
    let system = paramcheck_process::load(text, Language::Ccs).system.unwrap();
    let process = ProcessChecks { name: "offered", system: &system, checks: &system.checks };
    let names = |never: Vec<Vec<_>>| {
        never.iter().map(|labels: &Vec<_>| show::action(&system, labels)).collect::<Vec<String>>()
    };
    let mut found = Vec::new();
    // With one state kept the engine explores.
    for max_lts_states in [MAX_LTS_STATES, 1] {
        for schedule in [Schedule::Any, Schedule::RoundRobin] {
            let options = Options { max_lts_states, schedule, ..Options::default() };
            let verdicts = decide(&process, true, &[], &options).verdicts;
            found.push(verdicts.into_iter().map(|verdict| names(verdict.never_offered)).collect());
        }
    }
    let options = Options::default();
    let by_rules = process.decide_natively(&options, StateSource::Rules);
    found.push(by_rules.never_offered.into_iter().map(names).collect());
    found
}

#[test]
fn actions_that_no_state_offers_are_found_in_every_way() {
    let text = "P = get.get.enter.P; L = 'get.0; Q = a.b.Q;
        system (P | L | Q) \\ {get};
        check never = always !(did enter | can enter) & !(can a & can b);
        check both = always !did enter & !(can a & can b) | did get;
        check offered = always !(did a & can a);
        check deadlock;
        check late = eventually did enter;";
    let found = never_offered(text);
    assert_eq!(found.len(), 5);
    for found in found {
        let expected: [&[&str]; 5] = [&[], &["enter", "get"], &[], &[], &["enter"]];
        let sorted: Vec<Vec<String>> = found
            .into_iter()
            .map(|mut names| {
                names.sort();
                names
            })
            .collect();
        assert_eq!(sorted, expected);
    }
}

#[test]
fn where_not_all_states_are_known_nothing_is_said() {
    let text = "A = a.A; B = b.c.d.0; system A | B; check never = always !did d;";
    let system = paramcheck_process::load(text, Language::Ccs).system.unwrap();
    let process = ProcessChecks { name: "cut", system: &system, checks: &system.checks };
    let options = Options { max_states: 2, ..Options::default() };
    let verdicts = decide(&process, true, &[], &options).verdicts;
    assert!(verdicts.iter().all(|verdict| verdict.never_offered.is_empty()), "{verdicts:?}");
}

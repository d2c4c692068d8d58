//! Tests of the rules on small systems, and of large ones: nothing recurses, nothing goes on for ever.

use std::time::Duration;

use super::{Space, explore};
use crate::Language::{self, Ccs, Chor};
use crate::load;
use crate::semantics::network::Incomplete;
use paramcheck_text::limits::{Budget, Stop};

fn space(text: &str, language: Language, max_states: usize, budget: &Budget) -> Space {
    let loaded = load(text, language);
    explore(&loaded.system.unwrap(), max_states, budget)
}

/// The transitions of a small system, as text.
fn transitions(text: &str, language: Language) -> Vec<String> {
    let space = space(text, language, 1000, &Budget::unlimited());
    let lts = &space.lts;
    assert_eq!(lts.incomplete, None);
    let mut found = Vec::new();
    for state in 0..lts.states() as u32 {
        for transition in lts.transitions(state) {
            let agents: Vec<String> = lts.agent_sets[transition.agents]
                .iter()
                .map(|agent| lts.agents[*agent as usize].clone())
                .collect();
            let label = &lts.labels[transition.label];
            found.push(format!("{state} {label} {} by {}", transition.target, agents.join(" ")));
        }
    }
    found.extend(
        (0..lts.states() as u32)
            .filter(|state| lts.is_terminated(*state))
            .map(|state| format!("{state} ends")),
    );
    found
}

#[test]
fn actions_meet_their_co_actions() {
    assert_eq!(
        transitions("A = a.0; B = 'a.0; system A | B;", Ccs),
        ["0 tau 1 by A B", "0 a 2 by A", "0 'a 3 by B", "2 'a 1 by B", "3 a 1 by A", "1 ends",]
    );
    assert_eq!(transitions("A = a.0; B = 'a.0; system (A | B) \\ {a};", Ccs), ["0 tau 1 by A B", "1 ends"]);
}

#[test]
fn hoare_takes_all_or_none() {
    let text = "A = a.0; B = a.b.0; C = a.0 + b.0; system A |[a]| B |[a]| C;";
    assert_eq!(transitions(text, Ccs), ["0 a 1 by A B C", "0 b 2 by C", "1 b 3 by B", "3 ends"]);
    // Actions as written, and nothing becomes tau.
    assert_eq!(transitions("A = a.0; B = 'a.0; system A |['a]| B;", Ccs), ["0 a 1 by A"]);
}

#[test]
fn relabelling_is_seen_from_outside() {
    let text = "A = a.tau.'b.0; system A[b/a, a/b];";
    assert_eq!(
        transitions(text, Ccs),
        ["0 b 1 by A[b/a, a/b]", "1 tau 2 by A[b/a, a/b]", "2 'a 3 by A[b/a, a/b]", "3 ends"]
    );
    // Both ways to the same step: one transition, without the agents' names one as well.
    assert_eq!(transitions("A = a.A; system A | A;", Ccs), ["0 a 0 by A#1", "0 a 0 by A#2"]);
}

#[test]
fn a_choice_of_a_choreography_is_a_step() {
    assert_eq!(
        transitions("system a@x + b@x;", Chor),
        ["0 tau 1 by x", "0 tau 2 by x", "1 a@x 3 by x", "2 b@x 3 by x", "3 ends",]
    );
    assert_eq!(transitions("system *(a@[x,y]);", Chor).len(), 14);
}

#[test]
fn agents_are_the_outermost_operands() {
    let agents = |text| space(text, Ccs, 10, &Budget::unlimited()).lts.agents;
    let text = "A = a.0; B = 'a.0; S = (A | B ^ 2) \\ {a}; system S[b/a] |[]| (A | A; B) |[]| (A |[]| B); B;";
    assert_eq!(agents(text), ["A#1", "B#1", "B#2", "A#2", "A; B", "(A |[]| B); B"]);
    assert_eq!(agents("A = A1; A1 = a.A; system A \\ {a};"), ["A \\ {a}"]);
}

#[test]
fn deep_systems_need_no_stack() {
    const DEEP: usize = 10_000;
    let unlimited = Budget::unlimited();
    let states = |text: &str| space(text, Ccs, 100_000, &unlimited).lts.states();
    assert_eq!(states(&format!("system {}0;", "a.".repeat(DEEP))), DEEP + 1);
    assert_eq!(states(&format!("system {}a.0;", "a.0; ".repeat(DEEP))), DEEP + 2);
    let chain = |link: &dyn Fn(usize) -> String| {
        let links: String = (0..DEEP).map(|number| format!("K{number} = {};\n", link(number))).collect();
        format!("{links}K{DEEP} = a.0;\nsystem K0;")
    };
    assert_eq!(states(&chain(&|number| format!("K{}", number + 1))), 2);
    assert_eq!(states(&chain(&|number| format!("K{} + b.0", number + 1))), 2);
    assert_eq!(states(&chain(&|number| format!("K{}; 0", number + 1))), 2);
    assert_eq!(states(&chain(&|number| format!("K{} \\ {{b}}", number + 1))), 2);
    assert_eq!(states(&chain(&|number| format!("K{}[a/a]; 0", number + 1))), 2);
    assert_eq!(states(&chain(&|number| format!("a.K{}", number + 1))), DEEP + 2);
    // Parallel compositions inside of parallel compositions.
    let nested = chain(&|number| format!("(K{} |[]| 0); 0", number + 1));
    assert_eq!(states(&nested), 2);
}

#[test]
fn wide_systems_end_at_a_limit() {
    let unlimited = Budget::unlimited();
    let wide = space("system a.0 ^ 300;", Ccs, 50, &unlimited);
    assert_eq!(wide.lts.incomplete, Some(Incomplete::States(50)));
    // Of the first state only the steps to states within the limit are known.
    assert_eq!((wide.lts.states(), wide.lts.expanded(), wide.lts.transitions(0).len()), (50, 0, 49));
    // 2^40 agents.
    let doubling: String = (0..40).map(|number| format!("K{number} = K{0} | K{0};\n", number + 1)).collect();
    let text = format!("{doubling}K40 = a.0;\nsystem K0;");
    assert_eq!(space(&text, Ccs, 50, &unlimited).lts.incomplete, Some(Incomplete::Agents));
    // 2^40 ways to do one step: ended from outside.
    let ways: String =
        (0..40).map(|number| format!("K{number} = (K{0} |[a]| K{0}); 0;\n", number + 1)).collect();
    let text = format!("{ways}K40 = a.b.0 + a.c.0;\nsystem K0;");
    let stopped = space(&text, Ccs, 50, &Budget::for_duration(Duration::from_millis(50)));
    assert_eq!(stopped.lts.incomplete, Some(Incomplete::Stopped(Stop::Time)));
    let all = space("system a.0 ^ 3;", Ccs, 8, &unlimited);
    assert_eq!((all.lts.states(), all.lts.incomplete), (8, None));
}

/// As many states as allowed are found, and no more; what is known of them is part of what there is.
#[test]
fn the_limit_of_states_is_exact() {
    let unlimited = Budget::unlimited();
    let text = "system a.b.0 | 'b.(c.0 + d.0) | d.0;";
    let all = space(text, Ccs, 1_000, &unlimited).lts;
    for limit in 0..all.states() + 2 {
        let some = space(text, Ccs, limit, &unlimited).lts;
        assert_eq!(some.states(), limit.min(all.states()));
        let is_cut = limit < all.states();
        assert_eq!(some.incomplete, is_cut.then_some(Incomplete::States(limit)), "{limit}");
        assert!(some.expanded() <= some.states());
        for state in 0..some.states() as u32 {
            let is_there = |one| all.transitions(state).contains(one);
            assert!(some.transitions(state).iter().all(is_there), "{limit}");
            assert!(!some.is_expanded(state) || some.transitions(state) == all.transitions(state));
        }
    }
}

#[test]
fn states_are_written_within_limits() {
    let lts = space("system a.b.0;", Ccs, 10, &Budget::unlimited()).lts;
    let budget = Budget::unlimited();
    assert_eq!(lts.to_aut(&budget).map(|text| text.lines().count()), Ok(3));
    assert_eq!(lts.to_dot(&budget).map(|text| text.lines().count()), Ok(9));
    budget.switch.stop(Stop::Interrupted);
    assert_eq!(lts.to_aut(&budget), Err(Stop::Interrupted));
    assert_eq!(lts.to_dot(&budget), Err(Stop::Interrupted));
}

//! Tests of the search on systems built by hand.

use super::*;
use crate::explore::trace::replay;
use crate::instance::enumerate::trees;
use crate::instance::tests::{RuleParts, component, system, token_ring};
use crate::instance::unfold::unfold;
use paramcheck_text::limits::StopSwitch;

fn ring(size: usize) -> Net {
    let system = token_ring();
    unfold(&system, &trees(&system, size).next().unwrap())
}

/// Independent counters that run from 0 to `last`.
fn counters(count: usize, last: usize) -> Net {
    let names: Vec<String> = (0..=last).map(|state| format!("s{state}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let steps: Vec<_> = (0..last).map(|state| (state, None, state + 1)).collect();
    let instances: Vec<(usize, &[usize], usize)> = (0..count).map(|v| (0, &[0][..], v)).collect();
    let rule =
        RuleParts { head: 0, variables: (0, count), instances: &instances, calls: &[], interactions: &[] };
    let system = system(vec![component("C", &names, &[0], &steps)], &[], &[("P", &[])], &[rule]);
    unfold(&system, &trees(&system, count).next().unwrap())
}

/// Searches the markings of `net` for one that `goal` accepts, as [`find`] does for an error.
fn search(
    net: &Net,
    goal: impl Fn(&Marking) -> Option<bool> + Sync,
    max_states: usize,
    budget: &Budget,
) -> NetExploration {
    let layout = Layout::new(net);
    let options = SearchOptions { max_states, stops_at_goals: true, ..SearchOptions::default() };
    let goals: [Goal<'_, Wide>; 1] = [Goal::new(|state: &Wide, _| goal(&layout.unpack(state)))];
    let Ok(system) = NetSystem::new(net, &layout, budget) else {
        return NetExploration::nothing(End::Stopped(budget.check().unwrap_err()), 1);
    };
    let found = explore(&system, &goals, &options, budget);
    of_net(&layout, &found, 1, |goal| found.trace_to_goal(&system, goal, 1))
}

/// The trace to the goal of [`search`].
fn trace(mut found: NetExploration) -> Trace {
    assert_eq!((found.end, found.reach(0)), (End::Reached, Reach::Reached));
    found.errors.remove(0).trace.unwrap()
}

#[test]
fn all_markings_of_a_ring_are_found() {
    let found = search(&ring(5), |_| Some(false), 1000, &Budget::unlimited());
    assert_eq!((found.end, found.states, found.reach(0)), (End::Exhausted, 5, Reach::Unreached));
}

#[test]
fn all_markings_of_counters_are_found_each_once() {
    for (count, last) in [(1, 0), (3, 4), (2, 120), (1, 5_000)] {
        let net = counters(count, last);
        let mut seen = std::collections::HashSet::new();
        let all = reachable(&net, 1_000_000, &Budget::unlimited(), |marking| {
            assert!(seen.insert(marking.clone()));
        });
        assert!(all);
        assert_eq!(seen.len(), (last + 1).pow(count as u32));
    }
}

#[test]
fn the_trace_is_shortest_and_replays() {
    let net = counters(3, 4);
    let goal = |marking: &Marking| marking.iter().map(|state| state.index()).sum::<usize>() == 7;
    let decided = |marking: &Marking| Some(goal(marking));
    let shortest = trace(search(&net, decided, 1_000_000, &Budget::unlimited()));
    assert_eq!(shortest.steps.len(), 7);
    assert!(goal(&replay(&net, &shortest).unwrap()));
    // The initial marking can be a goal.
    let found = search(&net, |_| Some(true), 9, &Budget::unlimited());
    assert_eq!(found.states, 1);
    assert_eq!(replay(&net, &trace(found)), Ok(net.initial()));
}

#[test]
fn limits_end_the_search_as_values() {
    let net = counters(3, 4);
    let unlimited = Budget::unlimited();
    let limited = |max_states| {
        let found = search(&net, |_| Some(false), max_states, &unlimited);
        (found.end, found.states, found.reach(0))
    };
    assert_eq!(limited(125), (End::Exhausted, 125, Reach::Unreached));
    assert_eq!(limited(124), (End::StateLimit, 124, Reach::Undecided));
    assert_eq!(limited(0), (End::StateLimit, 0, Reach::Undecided));
    // A marking that can't be judged ends the search, when its successors are already there.
    let found = search(&net, |_| None, 9, &unlimited);
    assert_eq!((found.end, found.states, found.reach(0)), (End::Undecided, 4, Reach::Undecided));
    // One that is accepted at the same distance counts, whichever is evaluated first.
    let last = |marking: &Marking| marking.iter().position(|state| state.index() == 1);
    let goal = |marking: &Marking| last(marking).map_or(Some(false), |first| (first == 1).then_some(true));
    assert_eq!(trace(search(&net, goal, 9, &unlimited)).steps.len(), 1);
    let switch = StopSwitch::default();
    switch.stop(Stop::Interrupted);
    let stopped = Budget { switch, ..Budget::unlimited() };
    let found = search(&net, |_| Some(false), 1000, &stopped);
    assert_eq!((found.end, found.states), (End::Stopped(Stop::Interrupted), 0));
    assert_eq!(found.reach(0), Reach::Undecided);
}

#[test]
fn an_ended_budget_ends_every_way_of_preparing() {
    let system = token_ring();
    let net = ring(70);
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Memory);
    for (stubborn, symmetry) in [(false, false), (false, true), (true, false), (true, true)] {
        let reduction = Reduction { stubborn, symmetry };
        let errors = [&ErrorFormula::Deadlock];
        let found = explore_net(&system, &net, &errors, reduction, &SearchOptions::default(), &budget);
        assert_eq!((found.end, found.states), (End::Stopped(Stop::Memory), 0));
        // Nothing is known of the error, and nothing else is claimed.
        assert_eq!(found.errors.len(), 1);
        assert!(found.errors[0].trace.is_none());
        let found = find(
            &system,
            &net,
            &ErrorFormula::Deadlock,
            Reduction::default(),
            &SearchOptions::default(),
            &budget,
        );
        assert_eq!(
            (found.end, found.states, found.reach(0)),
            (End::Stopped(Stop::Memory), 0, Reach::Undecided)
        );
    }
    let layout = Layout::new(&net);
    assert_eq!(Stubborn::new(&net, &budget).err(), Some(Stop::Memory));
    assert_eq!(Symmetry::new(&net, &layout, &[], &budget).err(), Some(Stop::Memory));
    assert_eq!(NetSystem::<Wide>::new(&net, &layout, &budget).err(), Some(Stop::Memory));
    assert!(!reachable(&net, 1_000, &budget, |_| panic!("nothing is known")));
}

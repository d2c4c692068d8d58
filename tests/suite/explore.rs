//! Exploration of the corpus: errors are reached at the size expected, and nowhere else.

use std::collections::BTreeSet;

use paramcheck_model::component::StateId;
use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::Reach as Reached;
use paramcheck_nets::explore::engine::{End, SearchOptions, explore};
use paramcheck_nets::explore::goal::implies_dead;
use paramcheck_nets::explore::pack::Layout;
use paramcheck_nets::explore::petri::NetSystem;
use paramcheck_nets::explore::search::{
    ErrorReach, NetExploration, Reduction, explore_net, find, find_directed, find_marking,
};
use paramcheck_nets::explore::sweep::Sweep;
use paramcheck_nets::explore::symmetry::Family;
use paramcheck_nets::explore::system::{Goal, TransitionSystem, Wide};
use paramcheck_nets::explore::trace::{Trace, replay};
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::marking::{ErrorCheck, Marking, evaluate};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::support::plain::{self, Plain, numbers};
use super::support::{case, errors, expected, random, seeds};

/// Sizes explored of systems without the error.
const SIZES: usize = 6;

fn explore_folder(folder: &str) {
    for (model, error, entry) in expected(folder) {
        let system = case(&model);
        let formula = system.error_named(&error).expect("a known error").formula;
        let smallest = entry["smallest_size"].as_u64().map(|size| size as usize);
        let last = smallest.unwrap_or(SIZES);
        let mut sweep = Sweep::search(&system, &formula, 1..=last, 10_000_000);
        let found = sweep.find(&Budget::unlimited());
        match smallest {
            Some(size) => {
                assert_eq!(sweep.end(), Some(End::Reached), "{model} {error}");
                let reached = found.expect("reached");
                assert_eq!(reached.tree.size(), size, "{model} {error}");
                let marking = replay(&reached.net, &reached.trace).expect("a firing sequence");
                assert_eq!(
                    evaluate(&system, &reached.net, &formula, &marking),
                    Some(true),
                    "{model} {error}"
                );
            }
            None => assert_eq!(sweep.end(), Some(End::Exhausted), "{model} {error}"),
        }
    }
}

#[test]
fn table1() {
    explore_folder("table1");
}

#[test]
fn more() {
    explore_folder("more");
}

#[test]
fn classic() {
    explore_folder("classic");
}

/// In how many markings an error holds, in how many that is not decided, and how near the nearest is.
type Reach = (u64, u64, Option<usize>);

/// The answer of the naive explorer on an instance, error by error.
fn expected_reach(
    system: &System,
    net: &Net,
    errors: &[NamedError],
    most: usize,
) -> Option<(Plain, Vec<Reach>)> {
    let checks: Vec<_> = errors.iter().map(|error| ErrorCheck::new(system, net, &error.formula)).collect();
    let mut markings = Vec::new();
    let plain = plain::explore(net, most, |marking| markings.push(marking.clone()))?;
    let reach = checks.iter().map(|check| {
        let answers = markings.iter().map(|marking| (check.holds(net, marking), marking));
        let (mut holds, mut undecided, mut nearest) = (0, 0, None);
        for (answer, marking) in answers {
            match answer {
                Some(true) => {
                    holds += 1;
                    let distance = plain.distances[&numbers(marking)];
                    nearest = Some(nearest.map_or(distance, |nearest: usize| nearest.min(distance)));
                }
                Some(false) => {}
                None => undecided += 1,
            }
        }
        (holds, undecided, nearest)
    });
    let reach = reach.collect();
    Some((plain, reach))
}

/// Explores an instance in several ways and compares with the naive twin; false if it has too many markings.
fn compare(system: &System, net: &Net, name: &str) -> bool {
    let errors = errors(system);
    let Some((plain, expected)) = expected_reach(system, net, &errors, 3_000) else { return false };
    let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
    let unlimited = Budget::unlimited();
    let mut first: Option<Vec<Option<Trace>>> = None;
    for threads in [1, 2, 4] {
        let options = SearchOptions { threads, ..SearchOptions::default() };
        let found = explore_net(system, net, &formulas, Reduction::default(), &options, &unlimited);
        assert_eq!(found.end, End::Exhausted, "{name}");
        assert_eq!(found.states, plain.distances.len(), "{name}");
        assert_eq!(found.transitions, plain.transitions, "{name}");
        assert_eq!(Some(&found.depth), plain.distances.values().max(), "{name}");
        for ((error, reach), (holds, undecided, nearest)) in errors.iter().zip(&found.errors).zip(&expected) {
            let name = format!("{name}, {}", error.name);
            assert_eq!((reach.count, reach.undecided), (*holds, *undecided), "{name}");
            assert_eq!(reach.trace.as_ref().map(|trace| trace.steps.len()), *nearest, "{name}: shortest");
            if let Some(trace) = &reach.trace {
                let marking = replay(net, trace).expect("a firing sequence");
                assert_eq!(evaluate(system, net, &error.formula, &marking), Some(true), "{name}");
            }
        }
        // `deadlock` comes first: a dead marking is one, or a termination.
        assert_eq!(found.dead, found.errors[0].count + found.terminated, "{name}");
        let traces: Vec<_> = found.errors.into_iter().map(|reach| reach.trace).collect();
        assert_eq!(first.get_or_insert_with(|| traces.clone()), &traces, "{name}: {threads} threads");
    }
    compare_refined(net, &plain, name);
    compare_directed(system, net, &plain, &expected, name);
    compare_markings(net, &plain, name);
    // At a limit there is no answer: an error counts as not reached only if all states were explored.
    for max_states in [1, 2, plain.distances.len() - 1, plain.distances.len()] {
        for (error, (_, _, nearest)) in errors.iter().zip(&expected) {
            let options = SearchOptions { max_states, ..SearchOptions::default() };
            let name = format!("{name}, {}, {max_states} states", error.name);
            let mut found = find(system, net, &error.formula, Reduction::default(), &options, &unlimited);
            if let Some(trace) = found.errors.remove(0).trace {
                assert_eq!((found.end, Some(trace.steps.len())), (End::Reached, *nearest), "{name}");
                assert!(found.states <= max_states, "{name}");
                assert!(replay(net, &trace).is_ok(), "{name}");
                continue;
            }
            match found.end {
                End::Exhausted => {
                    assert_eq!((found.states, *nearest), (plain.distances.len(), None), "{name}");
                }
                End::StateLimit => {
                    assert_eq!(found.states, max_states, "{name}");
                    assert!(max_states < plain.distances.len(), "{name}");
                }
                End::Undecided => {}
                end => panic!("{name}: {end:?}"),
            }
        }
    }
    true
}

/// Directed search finds the same errors, whatever it is drawn to.
fn compare_directed(system: &System, net: &Net, plain: &Plain, expected: &[Reach], name: &str) {
    let unlimited = Budget::unlimited();
    let markings: Vec<_> = plain.distances.keys().collect();
    for (number, (error, (holds, undecided, nearest))) in errors(system).iter().zip(expected).enumerate() {
        let name = format!("{name}, {}, directed", error.name);
        let target = markings[(number * 7 + *holds as usize % 5) % markings.len()];
        let target = target.iter().map(|&state| StateId::new(state)).collect();
        let found = find_directed(system, net, &error.formula, &target, usize::MAX, &unlimited);
        match &found.trace {
            Some(trace) => {
                let marking = replay(net, trace).expect("a firing sequence");
                assert_eq!(evaluate(system, net, &error.formula, &marking), Some(true), "{name}");
                assert!(nearest.is_some_and(|nearest| nearest <= trace.steps.len()), "{name}");
                assert_eq!(found.end, End::Reached, "{name}");
            }
            None => {
                assert_eq!((found.end, *nearest), (End::Exhausted, None), "{name}");
                assert_eq!(found.undecided > 0, *undecided > 0, "{name}");
                assert!(found.states <= markings.len(), "{name}");
            }
        }
        // At a limit there is no answer, or one that replays.
        let few = markings.len() / 2;
        let cut = find_directed(system, net, &error.formula, &target, few, &unlimited);
        let replays = |trace: &Trace| nearest.is_some() && replay(net, trace).is_ok();
        assert!(cut.trace.as_ref().is_none_or(replays), "{name}");
        assert!(cut.trace.is_some() || cut.end != End::Reached, "{name}");
        assert!(cut.end != End::Exhausted || cut.states <= few.max(1), "{name}");
    }
}

/// A marking is reached if the naive twin sees it, by a shortest way.
fn compare_markings(net: &Net, plain: &Plain, name: &str) {
    let (unlimited, options) = (Budget::unlimited(), SearchOptions::default());
    for (number, (marking, distance)) in plain.distances.iter().take(5).enumerate() {
        let mut target: Marking = marking.iter().map(|&state| StateId::new(state)).collect();
        let (reach, trace) = find_marking(net, &target, &options, &unlimited);
        let trace = trace.unwrap_or_else(|| panic!("{name}: {marking:?}"));
        assert_eq!((reach, trace.steps.len()), (Reached::Reached, *distance), "{name}");
        assert_eq!(replay(net, &trace).as_ref().ok(), Some(&target), "{name}");
        // Another marking, which may or may not be reached.
        let component = net.components().indices().nth(number % net.components().len()).expect("below");
        let count = net.components()[component].state_count;
        target[component] = StateId::new((target[component].index() + 1) % count);
        let is_seen = plain.distances.contains_key(&numbers(&target));
        let (reach, trace) = find_marking(net, &target, &options, &unlimited);
        assert_eq!((reach == Reached::Reached, trace.is_some()), (is_seen, is_seen), "{name}");
        assert!(is_seen || reach == Reached::Unreached, "{name}");
    }
}

/// How many markings' distances are compared.
const MAX_COMPARED: usize = 50;

/// What is prepared for large searches alone, from the beginning: every marking is found, and as near as it
/// is.
fn compare_refined(net: &Net, plain: &Plain, name: &str) {
    let layout = Layout::new(net);
    let unlimited = Budget::unlimited();
    let system = NetSystem::<Wide>::new(net, &layout, &unlimited).unwrap();
    system.expect_more(usize::MAX);
    let some = plain.distances.iter().step_by(plain.distances.len().div_ceil(MAX_COMPARED));
    let goals = some.clone().map(|(marking, _)| -> Goal<'_, Wide> {
        let state: Wide = layout.pack(&marking.iter().map(|&state| StateId::new(state)).collect());
        Goal::new(move |other, _| Some(*other == state))
    });
    let goals: Vec<_> = goals.collect();
    let found = explore(&system, &goals, &SearchOptions::default(), &unlimited);
    assert_eq!((found.end, found.visited.len()), (End::Exhausted, plain.distances.len()), "{name}");
    assert_eq!(found.transitions, plain.transitions, "{name}");
    for (goal, (marking, distance)) in found.goals.iter().zip(some) {
        let level = goal.first.as_ref().map(|(level, _)| level);
        assert_eq!(level, Some(distance), "{name}: {marking:?}");
    }
}

/// Compares the instances of the smallest sizes of `system`, some of each.
fn compare_sizes(system: &System, sizes: usize, some: usize, name: &str) -> usize {
    let mut compared = 0;
    let smallest = smallest_size(system) as usize;
    for size in smallest..smallest + sizes {
        for (number, tree) in trees(system, size).take(some).enumerate() {
            let net = unfold(system, &tree);
            compared += usize::from(compare(system, &net, &format!("{name}, size {size}, tree {number}")));
        }
    }
    compared
}

#[test]
fn engine_is_what_its_naive_twin_says_on_the_corpus() {
    let mut models: Vec<String> =
        ["table1", "more", "classic"].into_iter().flat_map(expected).map(|entry| entry.0).collect();
    models.dedup();
    for model in models {
        assert!(compare_sizes(&case(&model), 3, 3, &model) > 0, "{model}");
    }
}

#[test]
fn engine_is_what_its_naive_twin_says_on_random_systems() {
    let mut compared = 0;
    for seed in seeds(150, 150) {
        let Some((text, system)) = random::system(seed) else { continue };
        compared += compare_sizes(&system, 4, 2, &format!("seed {seed}:\n{text}\n"));
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn directed_search_finds_what_breadth_first_search_finds_in_larger_instances() {
    let (mut reached, mut unreached) = (0, 0);
    for seed in seeds(60, 200) {
        let Some((text, system)) = random::system(seed) else { continue };
        for tree in [6, 9, 12].into_iter().filter_map(|size| trees(&system, size).take(10).last()) {
            let net = unfold(&system, &tree);
            for error in errors(&system) {
                let name = format!("seed {seed}, {} components, {}:\n{text}\n", tree.size(), error.name);
                let (unlimited, plain) = (Budget::unlimited(), Reduction::default());
                let options = SearchOptions { max_states: 2_000, ..SearchOptions::default() };
                let nearest = find(&system, &net, &error.formula, plain, &options, &unlimited);
                let target = net.components().iter().map(|one| StateId::new(one.state_count - 1)).collect();
                let found = find_directed(&system, &net, &error.formula, &target, 5_000, &unlimited);
                match nearest.end {
                    // It may have gone another way, and to its limit.
                    End::Reached if found.end == End::StateLimit => {}
                    End::Reached => {
                        reached += 1;
                        let trace = found.trace.expect(&name);
                        let end = replay(&net, &trace).expect("a firing sequence");
                        assert_eq!(evaluate(&system, &net, &error.formula, &end), Some(true), "{name}");
                    }
                    End::Exhausted => {
                        unreached += 1;
                        assert!(found.trace.is_none() && found.end == End::Exhausted, "{name}");
                        assert!(found.states <= nearest.states, "{name}");
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(reached > 100 && unreached > 100, "{reached}, {unreached}");
}

/// The representative of a marking by trying all exchanges again and again: the least marking that can be
/// reached by them.
fn least_by_exchanges(marking: &[usize], families: &[Family]) -> Vec<usize> {
    let mut seen = BTreeSet::from([marking.to_vec()]);
    let mut open = vec![marking.to_vec()];
    while let Some(marking) = open.pop() {
        for family in families {
            for (number, one) in family.groups.iter().enumerate() {
                for other in &family.groups[..number] {
                    let mut exchanged = marking.clone();
                    one.iter().zip(other).for_each(|(a, b)| exchanged.swap(a.index(), b.index()));
                    if seen.insert(exchanged.clone()) {
                        open.push(exchanged);
                    }
                }
            }
        }
    }
    seen.pop_first().unwrap()
}

/// Explores an instance with reductions and compares with the naive twin; how many families there were, or
/// `None` if it has too many markings.
fn compare_reduced(system: &System, net: &Net, name: &str) -> Option<usize> {
    let errors = errors(system);
    let (plain, expected) = expected_reach(system, net, &errors, 2_000)?;
    let unlimited = Budget::unlimited();
    let explore = |stubborn, symmetry, errors: &[&ErrorFormula]| {
        let runs = [1, 2].map(|threads| {
            let options = SearchOptions { threads, ..SearchOptions::default() };
            explore_net(system, net, errors, Reduction { stubborn, symmetry }, &options, &unlimited)
        });
        let traces = |run: &NetExploration| run.errors.iter().map(|e| e.trace.clone()).collect::<Vec<_>>();
        assert_eq!(traces(&runs[0]), traces(&runs[1]), "{name}: threads");
        let [found, _] = runs;
        assert_eq!(found.end, End::Exhausted, "{name}");
        found
    };
    let check_trace = |error: &NamedError, reach: &ErrorReach, nearest: Option<usize>, shortest: bool| {
        let name = format!("{name}, {}", error.name);
        assert_eq!(reach.trace.is_some(), nearest.is_some(), "{name}");
        if let Some(trace) = &reach.trace {
            let marking = replay(net, trace).expect("a firing sequence");
            assert_eq!(evaluate(system, net, &error.formula, &marking), Some(true), "{name}");
            assert!(!shortest || Some(trace.steps.len()) == nearest, "{name}: shortest");
        }
    };
    // Stubborn sets: the same dead markings.
    let deadlock = System::deadlock();
    let stubborn = explore(true, false, &[&deadlock.formula]);
    assert!(stubborn.states <= plain.distances.len(), "{name}");
    assert_eq!(stubborn.errors[0].count, expected[0].0, "{name}: deadlocks");
    let whole = explore(false, false, &[&deadlock.formula]);
    assert_eq!((stubborn.dead, stubborn.terminated), (whole.dead, whole.terminated), "{name}");
    check_trace(&errors[0], &stubborn.errors[0], expected[0].2, false);
    // They are not used when the query is about more than dead markings.
    let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
    let all = explore(true, false, &formulas);
    let is_sound = formulas.iter().all(|formula| implies_dead(formula));
    assert_eq!(all.reduction, Reduction { stubborn: is_sound, symmetry: false }, "{name}");
    assert!(is_sound || all.states == plain.distances.len(), "{name}");
    for ((error, reach), (holds, _, nearest)) in errors.iter().zip(&all.errors).zip(&expected) {
        assert_eq!(reach.count, *holds, "{name}, {}", error.name);
        check_trace(error, reach, *nearest, !is_sound);
    }
    // Symmetry: one marking per orbit, the same answers, shortest traces.
    let symmetric = explore(false, true, &formulas);
    let orbits: BTreeSet<_> =
        plain.distances.keys().map(|marking| least_by_exchanges(marking, &symmetric.families)).collect();
    assert_eq!(symmetric.states, orbits.len(), "{name}: orbits by {:?}", symmetric.families);
    // An exchange may bring a marking nearer to the initial one, where components start differently.
    assert!(Some(&symmetric.depth) <= plain.distances.values().max(), "{name}");
    for ((error, reach), (_, undecided, nearest)) in errors.iter().zip(&symmetric.errors).zip(&expected) {
        if *undecided == 0 {
            check_trace(error, reach, *nearest, true);
        }
    }
    // Both together.
    let both = explore(true, true, &[&deadlock.formula]);
    assert_eq!(both.dead > 0, whole.dead > 0, "{name}");
    check_trace(&errors[0], &both.errors[0], expected[0].2, false);
    Some(symmetric.families.len())
}

fn compare_reduced_sizes(system: &System, sizes: usize, some: usize, name: &str) -> (usize, usize) {
    let (mut compared, mut symmetric) = (0, 0);
    let smallest = smallest_size(system) as usize;
    for size in smallest..smallest + sizes {
        for (number, tree) in trees(system, size).take(some).enumerate() {
            let net = unfold(system, &tree);
            let families = compare_reduced(system, &net, &format!("{name}, size {size}, tree {number}"));
            compared += usize::from(families.is_some());
            symmetric += usize::from(families.is_some_and(|families| families > 0));
        }
    }
    (compared, symmetric)
}

#[test]
fn reductions_keep_the_answers_on_the_corpus() {
    let mut models: Vec<String> =
        ["table1", "more", "classic"].into_iter().flat_map(expected).map(|entry| entry.0).collect();
    models.dedup();
    let mut with_symmetry = 0;
    for model in models {
        let (compared, symmetric) = compare_reduced_sizes(&case(&model), 3, 3, &model);
        assert!(compared > 0, "{model}");
        with_symmetry += symmetric;
    }
    assert!(with_symmetry > 20, "{with_symmetry}");
}

#[test]
fn reductions_keep_the_answers_on_random_systems() {
    let (mut compared, mut symmetric) = (0, 0);
    for seed in seeds(150, 150) {
        let Some((text, system)) = random::system(seed) else { continue };
        let (more, with) = compare_reduced_sizes(&system, 5, 2, &format!("seed {seed}:\n{text}\n"));
        compared += more;
        symmetric += with;
    }
    assert!(compared > 300 && symmetric > 100, "{compared}, {symmetric}");
}

/// Chains of three, whose ends are interchangeable, in an order that is not the same in each.
const CHAINS: &str = "
    component T { states s0, s1; init s0; s0 -p-> s1; }
    S() <- new a, b, c, d, e, f, g, h, i .
        <p(h) p(i) + p(b) p(c) + p(g) p(h) + p(d) p(e) + p(e) p(f) + p(a) p(b)>
        (T[s1](a), T(b), T(c), T(d), T(e), T[s1](f), T(g), T(h), T[s1](i));";

#[test]
fn reductions_keep_the_answers_where_interchangeable_groups_cross() {
    let system = load(CHAINS).system.unwrap();
    assert_eq!(compare_reduced_sizes(&system, 1, 1, "chains"), (1, 1));
}

//! Tests of the enumeration on systems built by hand.

use std::collections::HashSet;

use super::*;
use crate::instance::tests::{RuleParts, component, system, token_ring};
use crate::instance::unfold::{check_tree, unfold};
use paramcheck_model::rule::Ownership;

fn count(system: &System, size: usize) -> usize {
    let mut seen = HashSet::new();
    for tree in trees(system, size) {
        assert_eq!(check_tree(system, &tree), Ok(()));
        assert_eq!(tree.size(), size);
        assert!(seen.insert(tree.clone()), "a tree comes twice: {tree:?}");
    }
    seen.len()
}

#[test]
fn token_rings_of_each_size() {
    let system = token_ring();
    let counts: Vec<_> = (0..6).map(|size| count(&system, size)).collect();
    assert_eq!(counts, [0, 0, 1, 1, 1, 1]);
    assert_eq!(smallest_size(&system), 2);
    assert_eq!(smallest_tree(&system), trees(&system, 2).next());
}

/// `T() <- new x . (C[a, b](x), T(), T()) | new x . C[a](x)`: full binary trees.
fn binary() -> System {
    let full = RuleParts {
        head: 0,
        variables: (0, 1),
        instances: &[(0, &[0, 1], 0)],
        calls: &[(0, &[]), (0, &[])],
        interactions: &[],
    };
    let leaf =
        RuleParts { head: 0, variables: (0, 1), instances: &[(0, &[0], 0)], calls: &[], interactions: &[] };
    system(vec![component("C", &["a", "b"], &[0], &[])], &[], &[("T", &[])], &[full, leaf])
}

#[test]
fn binary_trees_are_counted_by_catalan_numbers() {
    // A tree with k inner nodes has 2k + 1 nodes; there are Catalan(k) shapes, and 2^k choices of
    // initial states.
    let counts: Vec<_> = (0..10).map(|size| count(&binary(), size)).collect();
    assert_eq!(counts, [0, 1, 0, 2, 0, 2 * 4, 0, 5 * 8, 0, 14 * 16]);
}

#[test]
fn the_first_tree_of_a_large_size_comes_soon() {
    assert_eq!(trees(&binary(), 2001).next().map(|tree| tree.size()), Some(2001));
    assert_eq!(trees(&binary(), 2000).next(), None);
    assert_eq!(trees(&token_ring(), 3000).next().map(|tree| tree.size()), Some(3000));
}

#[test]
fn one_guide_serves_all_sizes_up_to_its_bound() {
    for system in [token_ring(), binary()] {
        let guide = Guide::new(&system, 70, &Budget::unlimited()).unwrap();
        for size in 0..10 {
            let one: Vec<_> = trees(&system, size).collect();
            assert_eq!(guide.trees(size).collect::<Vec<_>>(), one, "{size}");
        }
        assert_eq!(guide.trees(71).next(), None);
    }
}

#[test]
fn idle_rounds_are_left_out() {
    let pass = |head, to: &'static [(usize, &'static [usize])]| RuleParts {
        head,
        variables: (0, 0),
        instances: &[],
        calls: to,
        interactions: &[],
    };
    let leaf =
        RuleParts { head: 1, variables: (0, 1), instances: &[(0, &[0], 0)], calls: &[], interactions: &[] };
    // A() <- B(); B() <- A(); B() <- new x . C(x)
    let types = vec![component("C", &["a"], &[0], &[])];
    let round =
        system(types, &[], &[("A", &[]), ("B", &[])], &[pass(0, &[(1, &[])]), pass(1, &[(0, &[])]), leaf]);
    assert_eq!(count(&round, 1), 1);
    assert_eq!(count(&round, 2), 0);
    assert_eq!(smallest_tree(&round), trees(&round, 1).next());
}

#[test]
fn rounds_that_add_interactions_are_not_idle() {
    // A() <- new x, y . B(x, y);  B(x, y) <- <p(x) q(y)> B(y, x);  B(x, y) <- (C(x), C(y))
    let types = vec![component("C", &["a"], &[0], &[(0, Some(0), 0), (0, Some(1), 0)])];
    let start =
        RuleParts { head: 0, variables: (0, 2), instances: &[], calls: &[(1, &[0, 1])], interactions: &[] };
    let swap = RuleParts {
        head: 1,
        variables: (2, 2),
        instances: &[],
        calls: &[(1, &[1, 0])],
        interactions: &[&[(0, 0), (1, 1)]],
    };
    let end = RuleParts {
        head: 1,
        variables: (2, 2),
        instances: &[(0, &[0], 0), (0, &[0], 1)],
        calls: &[],
        interactions: &[],
    };
    let owned = [Ownership::Owned, Ownership::Owned];
    let swaps = system(types, &["p", "q"], &[("A", &[]), ("B", &owned)], &[start, swap, end]);
    // No swap, one, two (which adds the interaction the other way round); three add nothing.
    let mut nets: Vec<_> = trees(&swaps, 2).map(|tree| unfold(&swaps, &tree).transitions().len()).collect();
    nets.sort_unstable();
    assert_eq!(nets, [0, 1, 2, 3]);
    assert_eq!(count(&swaps, 2), 4);
}

#[test]
fn an_exponentially_large_smallest_instance_is_no_tree() {
    // P0 <- P1 P1, …, P39 <- P40 P40, P40 <- C: 2^40 components.
    let calls: Vec<[(usize, &[usize]); 2]> = (0..40).map(|p| [(p + 1, &[][..]), (p + 1, &[][..])]).collect();
    let mut rules: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(head, calls)| RuleParts { head, variables: (0, 0), instances: &[], calls, interactions: &[] })
        .collect();
    rules.push(RuleParts {
        head: 40,
        variables: (0, 1),
        instances: &[(0, &[0], 0)],
        calls: &[],
        interactions: &[],
    });
    let predicates = vec![("P", &[][..]); 41];
    let huge = system(vec![component("C", &["a"], &[0], &[])], &[], &predicates, &rules);
    assert_eq!(smallest_size(&huge), 1 << 40);
    assert_eq!(smallest_tree(&huge), None);
}

#[test]
fn an_ended_budget_ends_the_enumeration_wherever_it_is() {
    let system = token_ring();
    let budget = Budget::unlimited();
    let Ok(guide) = Guide::new(&system, 5, &budget) else { panic!("the budget has no end") };
    let mut all = guide.trees(5);
    assert_eq!(all.next_within(&budget), Ok(trees(&system, 5).next()));
    budget.switch.stop(Stop::Interrupted);
    assert_eq!(all.next_within(&budget), Err(Stop::Interrupted));
    assert_eq!(Guide::new(&system, 5, &budget).err(), Some(Stop::Interrupted));
    // A tree of five nodes is found step by step.
    let ended = |mut left: usize| {
        let step = &mut || {
            left = left.checked_sub(1).ok_or(Stop::Time)?;
            Ok::<_, Stop>(())
        };
        trees(&system, 6).advance(step)
    };
    for steps in 0..5 {
        assert_eq!(ended(steps), Err(Stop::Time), "{steps}");
    }
    assert_eq!(ended(100), Ok(trees(&system, 6).next()));
}

/// A row of rules that only pass on may be as long as the text.
#[test]
fn long_rows_of_passing_rules_are_gone_through_soon() {
    let rules: String = (0..20_000).map(|number| format!("A{number}() <- A{}();", number + 1)).collect();
    let text = format!("component C {{ states s; init s; }} S() <- A0(); {rules} A20000() <- new x . C(x);");
    let system = paramcheck_model::lower::load(&text).system.unwrap();
    let tree = trees(&system, 1).next();
    assert_eq!(tree.as_ref().map(|tree| tree.nodes.len()), Some(20_002));
    assert_eq!(smallest_tree(&system), tree);
}

/// What [`cheapest`] is defined by: all rules are gone through in their order, again and again.
fn round_by_round(system: &System) -> IndexVec<PredicateId, Option<Cheapest>> {
    let mut best: IndexVec<PredicateId, Option<Cheapest>> = system.predicates.iter().map(|_| None).collect();
    loop {
        let mut is_changed = false;
        for (id, rule) in system.rules.enumerate() {
            let Some(found) = cost(system, &best, id) else { continue };
            if best[rule.head].is_none_or(|old| found.cost() < old.cost()) {
                best[rule.head] = Some(found);
                is_changed = true;
            }
        }
        if !is_changed {
            return best;
        }
    }
}

#[test]
fn the_cheapest_rules_are_those_found_round_by_round() {
    const ONE: &[(usize, &[usize], usize)] = &[(0, &[0], 0)];
    let mut random = 1_u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % bound
    };
    let (mut known, mut ties) = (0, 0);
    for _ in 0..500 {
        let predicates: [(&str, &[Ownership]); 6] =
            [("A", &[]), ("B", &[]), ("C", &[]), ("D", &[]), ("E", &[]), ("F", &[])];
        type Rule<'a> = (usize, usize, Vec<(usize, &'a [usize])>);
        let rules: Vec<Rule<'_>> = (0..14)
            .map(|_| {
                let calls = (0..below(3)).map(|_| (below(6), &[][..])).collect();
                (below(6), below(2), calls)
            })
            .collect();
        let parts = rules.iter().map(|(head, created, calls)| RuleParts {
            head: *head,
            variables: (0, *created),
            instances: &ONE[..*created],
            calls,
            interactions: &[],
        });
        let types = vec![component("C", &["a"], &[0], &[])];
        let system = system(types, &[], &predicates, &parts.collect::<Vec<_>>());
        let found = cheapest(&system);
        assert_eq!(found, round_by_round(&system), "{rules:?}");
        for best in found.iter().flatten() {
            known += 1;
            let of_head = &system.predicates[system.rules[best.rule].head].rules;
            let costs = of_head.iter().filter_map(|&rule| cost(&system, &found, rule));
            ties += usize::from(costs.filter(|other| other.cost() == best.cost()).count() > 1);
        }
    }
    assert!(known > 1000 && ties > 100, "{known} predicates, {ties} ties");
}

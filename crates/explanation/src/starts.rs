//! How much of a family's sets is marked at the start, over all instances.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

use crate::family::Family;
use crate::grammar::Grammar;

/// More sums are not told apart: then they are as good as arbitrary.
const MAX_SUMS: usize = 64;

/// The weights that sets of the family can have initially, saturated where the kind does not tell them apart;
/// `None` where there are too many.
pub(crate) fn starts(grammar: &Grammar, family: &Family) -> Option<BTreeSet<i64>> {
    let kind = grammar.shapes[family.root].kind;
    let saturate = |sum: i64| match (kind, usize::try_from(sum)) {
        (InvariantKind::Linear(_), _) => sum,
        (InvariantKind::Modulo(modulus), _) => sum.rem_euclid(i64::from(modulus)),
        (_, Ok(sum)) => i64::from(kind.saturate(sum)),
        (_, Err(_)) => sum,
    };
    let mut sums: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
    loop {
        let mut has_grown = false;
        for id in &family.productions {
            let production = &grammar.productions[*id];
            let mut own = BTreeSet::from([0]);
            for (starts, weights) in production.starts.iter().zip(&production.places) {
                let starts: BTreeSet<i64> = starts.iter().map(|state| weights[state.index()]).collect();
                own = own
                    .iter()
                    .flat_map(|sum| starts.iter().map(move |start| saturate(sum + start)))
                    .collect();
            }
            for child in &production.children {
                let below = sums.get(child).cloned().unwrap_or_default();
                own =
                    own.iter().flat_map(|sum| below.iter().map(move |start| saturate(sum + start))).collect();
                if own.len() > MAX_SUMS {
                    return None;
                }
            }
            let known = sums.entry(production.shape).or_default();
            let before = known.len();
            known.extend(own);
            has_grown |= known.len() > before;
            if known.len() > MAX_SUMS {
                return None;
            }
        }
        if !has_grown {
            return Some(sums.remove(&family.root).unwrap_or_default());
        }
    }
}

/// Whether the family has a set in every instance: whatever rule a node has, there is a way to go on.
pub(crate) fn is_everywhere(system: &System, grammar: &Grammar, family: &Family) -> bool {
    let shapes: BTreeSet<usize> = (family.productions.iter())
        .flat_map(|id| &grammar.productions[*id].children)
        .copied()
        .chain([family.root])
        .collect();
    shapes.into_iter().all(|shape| {
        let mut rules = system.predicates[grammar.shapes[shape].predicate].rules.iter();
        rules.all(|rule| {
            let own = || grammar.of(shape, *rule).filter(|id| family.productions.contains(id));
            let mut starts = grammar.starts(system, *rule).into_iter();
            starts.all(|initial| own().any(|id| grammar.productions[id].allows(&initial)))
        })
    })
}

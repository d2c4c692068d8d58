//! Fewer sets: a family in place of which another one makes more than one needless.
//!
//! Families that exclude all error markings come in, each needed; as many or fewer go out. The choice before looks at
//! one family at a time. Here each is tried against others that exclude what only it does, derived without one of
//! its productions: for of two families that exclude the same marking, one may exclude what a third is there for.

use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;

use super::{Case, Chosen, Excluded, length, one_family};
use crate::NotExplained;
use crate::grammar::Grammar;

/// No more other families are tried, in all.
const MAX_TRIED: usize = 60;
/// Of the markings that only one family excludes, so many are looked at.
const MAX_MARKINGS: usize = 2;
/// Where families and error markings are more, multiplied, nothing is tried.
const MAX_SIZE: usize = 1 << 20;

/// Which of these are needed to exclude what all exclude together: first those are dropped that stand first in
/// `order`.
pub(super) fn needed(cases: &[Case], all: &[&Excluded], order: &[usize]) -> Vec<bool> {
    let mut counts: Vec<Vec<u32>> = cases.iter().map(|case| vec![0; case.errors.len()]).collect();
    for (case, counts) in counts.iter_mut().enumerate() {
        for one in all {
            counts
                .iter_mut()
                .zip(&one[case])
                .for_each(|(count, is_excluded)| *count += u32::from(*is_excluded));
        }
    }
    let mut kept = vec![true; all.len()];
    for &at in order {
        let pairs = || counts.iter().flatten().zip(all[at].iter().flatten());
        if pairs().any(|(count, is_excluded)| *is_excluded && *count == 1) {
            continue;
        }
        kept[at] = false;
        for (counts, excluded) in counts.iter_mut().zip(all[at]) {
            counts
                .iter_mut()
                .zip(excluded)
                .for_each(|(count, is_excluded)| *count -= u32::from(*is_excluded));
        }
    }
    kept
}

/// How much there is to say: families, then what they take.
fn effort(system: &System, grammar: &Grammar, families: &[&Chosen]) -> (usize, usize) {
    let lengths =
        families.iter().map(|one| length(system, grammar, &one.family)).map(|(nodes, ways)| nodes + ways);
    (families.len(), lengths.sum())
}

/// See the module's text. `reasons` are there beside the families, and stay.
///
/// # Errors
/// The budget ended.
pub(super) fn exchange(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    families: &mut Vec<Chosen>,
    reasons: &[&Excluded],
    budget: &Budget,
) -> Result<(), NotExplained> {
    let markings: usize = cases.iter().map(|case| case.errors.len()).sum();
    let mut tried = 0;
    let mut at = 0;
    'again: while at < families.len() {
        if families.len() < 2 || markings.saturating_mul(families.len()) > MAX_SIZE {
            return Ok(());
        }
        let others: Vec<&Excluded> =
            families.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, one)| &one.excluded).collect();
        let is_own = |case: usize, marking: usize| {
            families[at].excluded[case][marking]
                && !others.iter().chain(reasons).any(|excluded| excluded[case][marking])
        };
        let own: Vec<(usize, usize)> = (0..cases.len())
            .flat_map(|case| (0..cases[case].errors.len()).map(move |marking| (case, marking)))
            .filter(|(case, marking)| is_own(*case, *marking))
            .collect();
        let productions: Vec<usize> = families[at].family.productions.iter().copied().collect();
        let told = productions.into_iter().filter(|id| !grammar.productions[*id].is_empty());
        for without in told.collect::<Vec<_>>() {
            for (case, marking) in own.iter().take(MAX_MARKINGS) {
                if tried >= MAX_TRIED {
                    return Ok(());
                }
                tried += 1;
                budget.check().map_err(NotExplained::Stopped)?;
                let instance = &cases[*case];
                let place = (&instance.tree, &instance.net, &instance.errors[*marking]);
                let Some(family) = one_family(system, grammar, place, |id| id != without) else { continue };
                if families.iter().any(|one| one.family == family) {
                    continue;
                }
                let new = Chosen::new(system, grammar, cases, family);
                budget.spend(new.work()).map_err(NotExplained::Stopped)?;
                if !own.iter().all(|(case, marking)| new.excluded[*case][*marking]) {
                    continue;
                }
                // The new one stays; of the others those go first that say least.
                let all: Vec<&Chosen> =
                    families.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, one)| one).collect();
                let all: Vec<&Chosen> = all.into_iter().chain([&new]).collect();
                let excluded: Vec<&Excluded> =
                    all.iter().map(|one| &one.excluded).chain(reasons.iter().copied()).collect();
                let count = |one: &usize| excluded[*one].iter().flatten().filter(|one| **one).count();
                let mut order: Vec<usize> = (0..all.len() - 1).collect();
                order.sort_by_key(count);
                let kept = needed(cases, &excluded, &order);
                let left: Vec<&Chosen> =
                    all.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(one, _)| *one).collect();
                let before: Vec<&Chosen> = families.iter().collect();
                if effort(system, grammar, &left) < effort(system, grammar, &before) {
                    let place = kept.iter().take(at).filter(|kept| **kept).count();
                    families.remove(at);
                    let mut position = 0;
                    families.retain(|_| {
                        position += 1;
                        kept[position - 1]
                    });
                    families.insert(place, new);
                    at = 0;
                    continue 'again;
                }
            }
        }
        at += 1;
    }
    Ok(())
}

//! Families that hold several descriptions, taken apart: so that each can be said on its own.
//!
//! A node of a pattern may go on in several ways by one rule. Where these ways put the same in the set, and lead to
//! nodes that are said alike, that is one description ("one of the nodes below"). Where they do not, and no way
//! leads back to that node, each way is made a pattern of its own.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;

use super::{Case, Chosen};
use crate::grammar::Grammar;
use crate::pattern::{Pattern, Places, Start};

/// No pattern is taken apart into more.
const MAX_PARTS: usize = 6;

/// Takes the families apart that hold several descriptions, where the parts exclude what the whole did; whether some
/// were.
pub(super) fn take_apart(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    families: &mut Vec<Chosen>,
) -> bool {
    let before = families.len();
    let mut all = Vec::new();
    for whole in families.drain(..) {
        let parts = if whole.is_all { parts(system, &whole.pattern) } else { Vec::new() };
        if parts.len() < 2 {
            all.push(whole);
            continue;
        }
        let parts = parts.into_iter().map(|pattern| whole.part(system, grammar, cases, pattern));
        let parts: Vec<Chosen> = parts.collect();
        let is_all = whole.excluded.iter().enumerate().all(|(case, markings)| {
            let excludes = |at: usize| parts.iter().any(|part| part.excluded[case][at]);
            markings.iter().enumerate().all(|(at, is_excluded)| !is_excluded || excludes(at))
        });
        if is_all { all.extend(parts) } else { all.push(whole) }
    }
    *families = all;
    families.len() > before
}

fn parts(system: &System, whole: &Pattern) -> Vec<Pattern> {
    let (mut done, mut open) = (Vec::new(), vec![whole.clone()]);
    while let Some(pattern) = open.pop() {
        let Some((role, groups)) = differing_ways(&pattern) else {
            done.push(pattern);
            continue;
        };
        if done.len() + open.len() + groups.len() > MAX_PARTS {
            return Vec::new();
        }
        for kept in &groups {
            let is_other = |at: usize| groups.iter().any(|group| group != kept && group.contains(&at));
            let mut part = pattern.clone();
            let mut position = 0;
            part.roles[role].ways.retain(|_| {
                position += 1;
                !is_other(position - 1)
            });
            open.push(part.simplified(system));
        }
    }
    done.reverse();
    done
}

/// Positions of ways, by what they put in the set and where they lead.
type Alike<'a> = BTreeMap<(&'a [Places], Vec<Option<usize>>), Vec<usize>>;

/// A role and positions of its ways, those together that are said alike, if it has several by one rule that are not.
fn differing_ways(pattern: &Pattern) -> Option<(usize, Vec<Vec<usize>>)> {
    for (number, role) in pattern.roles.iter().enumerate() {
        if leads_back(pattern, number) {
            continue;
        }
        let mut by_rule: BTreeMap<(&str, &[Start]), Alike<'_>> = BTreeMap::new();
        // Ways that only lead down to a set say nothing of it.
        for (at, way) in role.ways.iter().enumerate().filter(|(_, way)| !way.is_pass()) {
            let mut below = way.below.clone();
            below.sort_unstable();
            let own = by_rule.entry((&way.rule, &way.starts)).or_default();
            own.entry((&way.places, below)).or_default().push(at);
        }
        // Where a set begins either here or, as another one, further down, these are two descriptions.
        for ((rule, starts), groups) in &mut by_rule {
            let stops = groups.values().flatten().map(|at| &role.ways[*at]);
            let next = reached(pattern, stops.flat_map(|way| &way.below).flatten().copied());
            let passes = role.ways.iter().enumerate().filter(|(_, way)| {
                let mut below = way.below.iter().flatten();
                let leads_apart = below.all(|below| *below != number && !next.contains(below));
                way.is_pass() && (way.rule == **rule && way.starts == **starts) && leads_apart
            });
            let passes: Vec<usize> = passes.map(|(at, _)| at).collect();
            if !passes.is_empty() {
                groups.insert((&[], vec![Some(usize::MAX)]), passes);
            }
        }
        if let Some(groups) = by_rule.into_values().find(|groups| groups.len() > 1) {
            return Some((number, groups.into_values().collect()));
        }
    }
    None
}

/// The roles that are reached from these, and they themselves.
fn reached(pattern: &Pattern, from: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = from.collect();
    let mut seen: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(role) = open.pop() {
        for below in pattern.roles[role].ways.iter().flat_map(|way| &way.below).flatten() {
            if seen.insert(*below) {
                open.push(*below);
            }
        }
    }
    seen
}

/// Whether a node with this role, where the set begins to have something, may have another one below it.
fn leads_back(pattern: &Pattern, role: usize) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![role]);
    while let Some(from) = open.pop() {
        let ways = pattern.roles[from].ways.iter().filter(|way| from != role || !way.is_pass());
        for below in ways.flat_map(|way| &way.below).flatten() {
            if seen.insert(*below) {
                open.push(*below);
            }
        }
    }
    seen.contains(&role)
}

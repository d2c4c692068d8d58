//! Which sets of a proof are needed: few families that exclude every error marking of some instances.
//!
//! A grammar and instances with their error markings come in. As long as some marking is left, a family that
//! excludes it is added; in the end those without which nothing is left open are dropped again. What is
//! true of a marking for other reasons (a transition that never fires is enabled in it, two states exclude each other)
//! comes in as further *reasons*, and is used and dropped alike.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::family::{Family, Set, refuting, weight, with_few_choices};
use crate::grammar::{Grammar, Weights};
use crate::pattern::Pattern;
use crate::starts;

/// An instance and its error markings.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its tree.
    pub tree: RewritingTree,
    /// Its net.
    pub net: Net,
    /// All markings of it that are errors, reachable or not.
    pub errors: Vec<Marking>,
}

/// Per instance and error marking whether it is excluded.
type Excluded = Vec<Vec<bool>>;

/// A family, with what it excludes.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// The family, with productions for all rules that the grammar has some for.
    pub family: Family,
    /// Per instance its sets.
    pub sets: Vec<Vec<Set>>,
    excluded: Excluded,
}

/// What is needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The families.
    pub families: Vec<Chosen>,
    /// The positions of the other reasons.
    pub reasons: Vec<usize>,
    /// How many error markings are excluded by nothing that was found: none, unless something is too large.
    pub open: usize,
}

impl Chosen {
    fn new(grammar: &Grammar, cases: &[Case], family: Family) -> Chosen {
        let kind = grammar.shapes[family.root].kind;
        let found: Vec<(Vec<Set>, bool)> =
            cases.iter().map(|case| family.sets(grammar, &case.tree, &case.net)).collect();
        let is_exact = family.is_exact(grammar);
        let excluded = cases.iter().zip(&found).map(|(case, (sets, is_all))| {
            let initial = case.net.initial();
            let starts: Vec<i64> = sets.iter().map(|set| weight(set, &initial)).collect();
            let refutes = |marking| {
                let breaks = |(set, start): (&Set, &i64)| {
                    let now = weight(set, marking);
                    kind.refutes(*start, now) || is_exact && now != *start
                };
                sets.iter().zip(&starts).any(breaks)
                    || !is_all && family.refutes(grammar, (&case.tree, &case.net), marking)
            };
            case.errors.iter().map(refutes).collect()
        });
        let excluded = excluded.collect();
        Chosen { family, sets: found.into_iter().map(|(sets, _)| sets).collect(), excluded }
    }

    /// Whether the instance at this position has a place in one of its sets.
    fn occurs(&self, case: usize) -> bool {
        self.sets.get(case).is_some_and(|sets| sets.iter().flatten().flatten().any(|weight| *weight != 0))
    }

    /// Puts first its sets in an instance whose error markings are not looked at.
    pub(crate) fn show_in(&mut self, grammar: &Grammar, tree: &RewritingTree, net: &Net) {
        self.sets.insert(0, self.family.sets(grammar, tree, net).0);
        self.excluded.insert(0, Vec::new());
    }

    /// Puts first what it says of the instance at this position.
    fn put_first(&mut self, case: usize) {
        if case < self.sets.len() {
            self.sets.swap(0, case);
            self.excluded.swap(0, case);
        }
    }

    /// Per error marking of the first instance whether it is excluded.
    pub(crate) fn excluded_at_first(&self) -> &[bool] {
        self.excluded.first().map_or(&[], Vec::as_slice)
    }
}

impl Choice {
    /// The first of the instances that `may_be_shown` in which most families have a set.
    pub(crate) fn most_telling(&self, cases: usize, may_be_shown: impl Fn(usize) -> bool) -> usize {
        let occur = |case: &usize| self.families.iter().filter(|family| family.occurs(*case)).count();
        let shown = (0..cases).filter(|case| *case == 0 || may_be_shown(*case));
        shown.min_by_key(|case| (std::cmp::Reverse(occur(case)), *case)).unwrap_or(0)
    }

    /// Puts first what the families say of the instance at this position.
    pub(crate) fn put_first(&mut self, case: usize) {
        self.families.iter_mut().for_each(|family| family.put_first(case));
    }
}

/// Whether one sees by the rule of a node, and by where the set goes on below it, what is in the set there.
fn is_clear(pattern: &Pattern) -> bool {
    pattern.roles.iter().all(|role| {
        let mut known = BTreeMap::new();
        role.ways.iter().all(|way| {
            let goes_on: Vec<bool> = way.below.iter().map(Option::is_some).collect();
            *known.entry((&way.rule, goes_on)).or_insert(&way.places) == &way.places
        })
    })
}

/// Unites families that are hardly longer to say together than one of them: those that go on at the first node
/// below, say, and those that go on at the second.
fn unite(system: &System, grammar: &Grammar, cases: &[Case], families: &mut Vec<Chosen>) {
    // How many nodes need a description, and how many ways they have.
    let length = |family: &Family| -> (usize, usize) {
        let roles = Pattern::of(system, grammar, family).roles;
        (roles.len(), roles.iter().map(|role| role.ways.len()).sum())
    };
    let places = |family: &Family| -> BTreeSet<&Weights> {
        let all = family.productions.iter().flat_map(|id| &grammar.productions[*id].places);
        all.filter(|weights| weights.iter().any(|weight| *weight != 0)).collect()
    };
    'again: loop {
        for one in 0..families.len() {
            for other in one + 1..families.len() {
                let (mine, theirs) = (&families[one].family, &families[other].family);
                if mine.root != theirs.root || places(mine) != places(theirs) {
                    continue;
                }
                let productions = mine.productions.union(&theirs.productions).copied().collect();
                let both = Family { root: mine.root, productions };
                let (nodes, ways) = length(&both);
                if !is_clear(&Pattern::of(system, grammar, &both)) {
                    continue;
                }
                let parts = [length(mine), length(theirs)];
                let most = |of: fn(&(usize, usize)) -> usize| parts.iter().map(of).max().unwrap_or_default();
                if nodes <= most(|one| one.0) && ways <= most(|one| one.1) + 1 {
                    families[one] = Chosen::new(grammar, cases, both);
                    families.remove(other);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// Families, and reasons among `reasons` (each gives per instance and marking whether it excludes it), that
/// exclude all error markings of `cases`.
///
/// # Errors
/// The budget ended.
pub(crate) fn choose(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    reasons: &[Excluded],
    budget: &Budget,
) -> Result<Choice, NotExplained> {
    let mut families: Vec<Chosen> = Vec::new();
    let mut open = 0;
    for (case, instance) in cases.iter().enumerate() {
        for (position, marking) in instance.errors.iter().enumerate() {
            let is_excluded = |excluded: &Excluded| excluded[case][position];
            if reasons.iter().any(is_excluded) || families.iter().any(|one| is_excluded(&one.excluded)) {
                continue;
            }
            budget.check().map_err(NotExplained::Stopped)?;
            let Some(family) = refuting(grammar, &instance.tree, &instance.net, marking, |_| true) else {
                open += 1;
                continue;
            };
            let mut family = with_few_choices(grammar, (&instance.tree, &instance.net), marking, family);
            family.complete(grammar, system);
            if !starts::is_everywhere(system, grammar, &family) {
                family.vary(grammar, system);
                family.complete(grammar, system);
                family.lead_down(grammar);
                family.generalise(grammar);
            }
            family.trim(grammar);
            let chosen = Chosen::new(grammar, cases, family);
            // Where there are too many ways to put a set together, not all of them are looked at.
            open += usize::from(!chosen.excluded[case][position]);
            families.push(chosen);
        }
    }
    let needed = keep_needed(cases, &mut families, reasons, &(0..reasons.len()).collect::<Vec<_>>());
    let count = families.len();
    unite(system, grammar, cases, &mut families);
    let reasons = match families.len() == count {
        true => needed,
        false => keep_needed(cases, &mut families, reasons, &needed),
    };
    Ok(Choice { families, reasons, open })
}

/// Drops the families and reasons, out of those at `positions`, without which nothing is left open; gives the
/// positions of the reasons that stay.
fn keep_needed(
    cases: &[Case],
    families: &mut Vec<Chosen>,
    reasons: &[Excluded],
    positions: &[usize],
) -> Vec<usize> {
    let others = positions.iter().filter_map(|at| reasons.get(*at));
    let everything: Vec<&Excluded> = families.iter().map(|one| &one.excluded).chain(others).collect();
    // First those that say least, but sets are kept rather than what needs a proof of its own.
    let total = |excluded: &Excluded| excluded.iter().flatten().filter(|one| **one).count();
    let mut order: Vec<usize> = (0..everything.len()).collect();
    order.sort_by_key(|&one| (one < families.len(), total(everything[one]), one));
    let mut kept = vec![true; everything.len()];
    for candidate in order {
        kept[candidate] = false;
        let excluded = |case: usize, position: usize, without: bool| {
            let mut all = everything.iter().enumerate();
            all.any(|(at, one)| (kept[at] || !without && at == candidate) && one[case][position])
        };
        let is_needed = cases.iter().enumerate().any(|(case, instance)| {
            (0..instance.errors.len()).any(|at| excluded(case, at, false) && !excluded(case, at, true))
        });
        kept[candidate] = is_needed;
    }
    let needed = (0..positions.len()).filter(|one| kept[families.len() + one]);
    let needed = needed.map(|one| positions[one]).collect();
    let mut position = 0;
    families.retain(|_| {
        position += 1;
        kept[position - 1]
    });
    needed
}

//! Which sets of a proof are needed: few families that exclude every error marking of some instances.
//!
//! A grammar and instances with their error markings come in. For each instance families are found that exclude
//! its error markings. Of all these, those are taken first that exclude most in all instances together: so one
//! that says something of every tree comes before one that fits a few trees only. In the end those without
//! which nothing is left open are dropped again. What is
//! true of a marking for other reasons (a transition that never fires is enabled in it, two states exclude each other)
//! comes in as further *reasons*, and is used and dropped alike.

mod apart;
mod exchange;

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::family::{Family, Set, refuting, weight, with_few_choices};
use crate::goal::MARKINGS_PER_LOOK;
use crate::grammar::{Grammar, Weights, falls_into_parts};
use crate::pattern::Pattern;
use crate::{sentence, starts};

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
pub(crate) type Excluded = Vec<Vec<bool>>;

/// A family, with what it excludes.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// The family, with productions for all rules that the grammar has some for.
    pub family: Family,
    /// The pattern that says it.
    pub pattern: Pattern,
    /// Whether the pattern has only some of the family's sets.
    pub is_part: bool,
    /// Per instance its sets.
    pub sets: Vec<Vec<Set>>,
    /// Whether these are all sets there.
    is_all: bool,
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
    fn new(system: &System, grammar: &Grammar, cases: &[Case], family: Family) -> Chosen {
        let pattern = Pattern::of(system, grammar, &family);
        Chosen { pattern, ..Chosen::excluding(grammar, cases, &family) }
    }

    /// Without a pattern.
    fn excluding(grammar: &Grammar, cases: &[Case], family: &Family) -> Chosen {
        let found = cases.iter().map(|case| family.sets(grammar, &case.tree, &case.net)).collect();
        Chosen::with(grammar, cases, family.clone(), found)
    }

    /// The part of it that `pattern` says.
    fn part(&self, system: &System, grammar: &Grammar, cases: &[Case], pattern: Pattern) -> Chosen {
        let kind = grammar.shapes[self.family.root].kind;
        let found = cases.iter().map(|case| {
            let initial = case.net.initial();
            let sets = pattern.sets_in(system, &case.tree, &case.net).into_iter();
            (sets.filter(|set| kind.admits_initial(weight(set, &initial))).collect(), true)
        });
        let found = found.collect();
        Chosen { pattern, is_part: true, ..Chosen::with(grammar, cases, self.family.clone(), found) }
    }

    /// The family with these sets in the cases; whether these are all there are is told with them.
    fn with(grammar: &Grammar, cases: &[Case], family: Family, found: Vec<(Vec<Set>, bool)>) -> Chosen {
        let kind = grammar.shapes[family.root].kind;
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
        let excluded: Excluded = excluded.collect();
        let is_all = found.iter().all(|(_, is_all)| *is_all);
        let sets = found.into_iter().map(|(sets, _)| sets).collect();
        let pattern = Pattern { roles: Vec::new() };
        Chosen { family, pattern, is_part: false, sets, is_all, excluded }
    }

    /// How much work it was to hold it against the error markings, in looks at the budget.
    fn work(&self) -> u64 {
        let held = self.sets.iter().zip(&self.excluded).map(|(sets, markings)| sets.len() * markings.len());
        u64::try_from(held.sum::<usize>() / MARKINGS_PER_LOOK).unwrap_or(u64::MAX)
    }

    /// Whether the instance at this position has a place in one of its sets.
    fn occurs(&self, case: usize) -> bool {
        self.sets.get(case).is_some_and(|sets| sets.iter().flatten().flatten().any(|weight| *weight != 0))
    }

    /// In how many of the instances it has a place.
    fn occurrences(&self) -> usize {
        (0..self.sets.len()).filter(|case| self.occurs(*case)).count()
    }

    /// Puts first what it says of the instance at this position.
    fn put_first(&mut self, case: usize) {
        if case < self.sets.len() {
            self.sets.swap(0, case);
            self.excluded.swap(0, case);
        }
    }

    /// Whether it excludes an error marking of the instance at this position.
    pub(crate) fn excludes_some(&self, case: usize) -> bool {
        self.excluded.get(case).is_some_and(|markings| markings.contains(&true))
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

    /// Whether all error markings of an instance are excluded, which need not be one of those that this was chosen
    /// for. `others` has per reason and marking whether it excludes it.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn covers(
        &self,
        system: &System,
        grammar: &Grammar,
        case: &Case,
        others: &[&[bool]],
        budget: &Budget,
    ) -> Result<bool, NotExplained> {
        let case = std::slice::from_ref(case);
        let is_left = |at: &usize| others.iter().all(|excluded| excluded.get(*at) != Some(&true));
        let mut left: Vec<usize> = (0..case[0].errors.len()).filter(is_left).collect();
        for one in &self.families {
            if left.is_empty() {
                break;
            }
            let own = match one.is_part {
                true => one.part(system, grammar, case, one.pattern.clone()),
                false => Chosen::excluding(grammar, case, &one.family),
            };
            budget.spend(own.work()).map_err(NotExplained::Stopped)?;
            left.retain(|at| !own.excluded[0][*at]);
        }
        Ok(left.is_empty())
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

/// How many nodes of a family need a description, and how many ways they have.
fn length(system: &System, grammar: &Grammar, family: &Family) -> (usize, usize) {
    let roles = Pattern::of(system, grammar, family).roles;
    (roles.len(), roles.iter().map(|role| role.ways.len()).sum())
}

/// Unites families that are hardly longer to say together than one of them: those that go on at the first node
/// below, say, and those that go on at the second.
fn unite(system: &System, grammar: &Grammar, cases: &[Case], families: &mut Vec<Chosen>) {
    let length = |family: &Family| length(system, grammar, family);
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
                    families[one] = Chosen::new(system, grammar, cases, both);
                    families.remove(other);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// More families are not weighed against each other, unless some marking needs one.
const MAX_CANDIDATES: usize = 48;

/// A whole share, in the unit that shares of the error markings are counted in.
const WHOLE: usize = 1_000_000;

/// How much of all cases is excluded: the sum of the shares of their error markings for which `counts`. So every
/// instance counts as much as any other, however many markings it has.
fn share(excluded: &Excluded, counts: impl Fn(usize, usize) -> bool) -> usize {
    let of_case = |(case, markings): (usize, &Vec<bool>)| {
        let all = markings.iter().enumerate();
        let new = all.filter(|(position, is_excluded)| **is_excluded && counts(case, *position)).count();
        new * WHOLE / markings.len().max(1)
    };
    excluded.iter().enumerate().map(of_case).sum()
}

/// A set is rather said of fewer trees than by more letters.
const MAX_LENGTH: usize = 360;

/// The family of sets that excludes `marking`, made as wide as its productions let it be, without those sets that
/// say nothing.
pub(crate) fn one_family(
    system: &System,
    grammar: &Grammar,
    (tree, net, marking): (&RewritingTree, &Net, &Marking),
    is_allowed: impl Fn(usize) -> bool,
) -> Option<Family> {
    let mut family = wide_family(system, grammar, (tree, net, marking), is_allowed)?;
    if !is_one_everywhere(system, grammar, &family) {
        family.drop_trivial(grammar);
    }
    Some(family)
}

fn wide_family(
    system: &System,
    grammar: &Grammar,
    (tree, net, marking): (&RewritingTree, &Net, &Marking),
    is_allowed: impl Fn(usize) -> bool,
) -> Option<Family> {
    let family = refuting(grammar, tree, net, marking, is_allowed)?;
    let narrow = with_few_choices(grammar, (tree, net), marking, family);
    let mut complete = narrow.clone();
    complete.complete(grammar, system);
    let mut wide = complete.clone();
    if !starts::is_everywhere(system, grammar, &wide) {
        wide.vary(grammar, system);
        wide.complete(grammar, system);
        wide.lead_down(grammar);
        wide.generalise(grammar);
    } else if falls_into_parts(grammar.shapes[wide.root].kind) {
        // Rather of each node than of the first.
        wide.lead_down(grammar);
    }
    // The widest that can be said in few words.
    let mut best: Option<(usize, Family)> = None;
    for mut family in [wide, complete, narrow] {
        family.trim(grammar);
        let pattern = Pattern::of(system, grammar, &family);
        let length = sentence::length(system, &pattern);
        if length <= MAX_LENGTH {
            return Some(family);
        }
        if best.as_ref().is_none_or(|(known, _)| length < *known) {
            best = Some((length, family));
        }
    }
    best.map(|(_, family)| family)
}

/// Whether every instance has one set of the family: then it need not say something in each.
fn is_one_everywhere(system: &System, grammar: &Grammar, family: &Family) -> bool {
    starts::is_everywhere(system, grammar, family) && Pattern::of(system, grammar, family).is_single()
}

/// Families to choose from: per case such that exclude its error markings, the largest cases first, for what is
/// found there has most to go on. Also how many markings none excludes.
fn candidates(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    reasons: &[Excluded],
    budget: &Budget,
) -> Result<(Vec<Chosen>, usize), NotExplained> {
    let mut candidates: Vec<Chosen> = Vec::new();
    let mut open = 0;
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|case| (std::cmp::Reverse(cases[*case].net.components().len()), *case));
    for case in order {
        let instance = &cases[case];
        // Those from larger cases are left out, so that a simpler one may be found here.
        let mut own: Vec<usize> = Vec::new();
        for (position, marking) in instance.errors.iter().enumerate() {
            let excludes = |one: &Chosen| one.excluded[case][position];
            if reasons.iter().any(|excluded| excluded[case][position])
                || own.iter().any(|at| excludes(&candidates[*at]))
                || candidates.len() >= MAX_CANDIDATES && candidates.iter().any(excludes)
            {
                continue;
            }
            budget.check().map_err(NotExplained::Stopped)?;
            let place = (&instance.tree, &instance.net, marking);
            let Some(family) = one_family(system, grammar, place, |_| true) else {
                open += 1;
                continue;
            };
            let known = candidates.iter().position(|one| one.family == family);
            let at = known.unwrap_or(candidates.len());
            if known.is_none() {
                let new = Chosen::new(system, grammar, cases, family);
                budget.spend(new.work()).map_err(NotExplained::Stopped)?;
                candidates.push(new);
            }
            // Where there are too many ways to put a set together, not all of them are looked at.
            open += usize::from(!candidates[at].excluded[case][position]);
            own.push(at);
        }
    }
    Ok((candidates, open))
}

/// Of the candidates, again and again the one that excludes most of what is left in all cases together,
/// and has places in most of them.
fn pick(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    reasons: &[Excluded],
    mut candidates: Vec<Chosen>,
) -> Vec<Chosen> {
    let is_left = |case: usize, position: usize| !reasons.iter().any(|excluded| excluded[case][position]);
    let mut left: Excluded = (cases.iter().enumerate())
        .map(|(case, one)| (0..one.errors.len()).map(|position| is_left(case, position)).collect())
        .collect();
    // Of those that exclude as much, the one that is shortest to say.
    let mut lengths: Vec<(usize, usize)> =
        candidates.iter().map(|one| length(system, grammar, &one.family)).collect();
    let mut picked = Vec::new();
    loop {
        let gain = |at: usize| {
            let new = share(&candidates[at].excluded, |case, position| left[case][position]);
            new.saturating_mul(candidates[at].occurrences())
        };
        let best = (0..candidates.len()).map(|at| (gain(at), std::cmp::Reverse((lengths[at], at)))).max();
        let Some((_, std::cmp::Reverse((_, best)))) = best.filter(|(gain, _)| *gain > 0) else {
            return picked;
        };
        let best_one = candidates.remove(best);
        lengths.remove(best);
        for (left, excluded) in left.iter_mut().zip(&best_one.excluded) {
            left.iter_mut().zip(excluded).for_each(|(left, is_excluded)| *left &= !is_excluded);
        }
        picked.push(best_one);
    }
}

/// Families, and reasons among `reasons` (each gives per instance and marking whether it excludes it), that
/// exclude all error markings of `cases`; first the families that exclude most, in most instances.
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
    let (candidates, open) = candidates(system, grammar, cases, reasons, budget)?;
    let mut families = pick(system, grammar, cases, reasons, candidates);
    let needed = keep_needed(cases, &mut families, reasons, &(0..reasons.len()).collect::<Vec<_>>());
    let beside: Vec<&Excluded> = needed.iter().map(|at| &reasons[*at]).collect();
    exchange::exchange(system, grammar, cases, &mut families, &beside, budget)?;
    let count = families.len();
    unite(system, grammar, cases, &mut families);
    let is_united = families.len() < count;
    let is_apart = apart::take_apart(system, grammar, cases, &mut families);
    let reasons = match is_united || is_apart {
        false => needed,
        true => keep_needed(cases, &mut families, reasons, &needed),
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
    let occurrences: Vec<usize> = families.iter().map(Chosen::occurrences).collect();
    let total = |at: usize| {
        share(everything[at], |_, _| true).saturating_mul(occurrences.get(at).copied().unwrap_or(1))
    };
    let mut order: Vec<usize> = (0..everything.len()).collect();
    order.sort_by_key(|&one| (one < families.len(), total(one), one));
    let kept = exchange::needed(cases, &everything, &order);
    let needed = (0..positions.len()).filter(|one| kept[families.len() + one]);
    let needed = needed.map(|one| positions[one]).collect();
    let mut position = 0;
    families.retain(|_| {
        position += 1;
        kept[position - 1]
    });
    needed
}

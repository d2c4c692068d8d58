//! Symmetry reduction: components, or groups of components, that can be exchanged without any difference.
//!
//! An exchange of components of the same types is an *automorphism* of a net if it maps the transitions (as
//! what they do to components) onto themselves, each as often as it is there. It then maps reachable markings
//! onto reachable markings, and one marking represents all those that exchanges make of it (its orbit). Error
//! formulas must not distinguish them: deadlock, counts and formulas over components can't; patterns are
//! checked like transitions.
//!
//! [`Symmetry::new`] first searches exchanges of two components alone (leaves of a star). Then it searches
//! those of two groups by following transitions from one pair of components to the next (a leaf with a fork
//! of its own, a subtree). Each exchange is verified on all transitions that it touches. Groups that are
//! interchangeable form a [`Family`]. A marking's representative has the groups of each family in ascending
//! order of their states, inner families first. What corresponds in two groups has the same order in the
//! inner families of both, so that they stay in order when groups are exchanged. So all markings of an orbit
//! have the same representative.
//!
//! Sound whatever is found, for a representative is always made by automorphisms. How many are found only
//! decides how many markings are saved.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::explore::pack::Layout;
use crate::explore::system::State;
use crate::instance::net::{ComponentId, Net};
use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::rule::PatternGroupId;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// How many comparisons of transitions the search of exchanges may take.
const MAX_WORK: usize = 2_000_000;
/// The bits of a group, at most: its states are sorted as one word.
const MAX_BITS: u32 = 64;

/// Interchangeable groups of components: the first of each group, the second of each, … correspond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The groups, at least two, all of one length and disjoint.
    pub groups: Vec<Vec<ComponentId>>,
}

/// What can be exchanged in a net.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetry {
    /// Inner families before those whose groups contain them.
    families: Vec<Family>,
}

/// Whether components, or groups of them, are found in `net` that can be exchanged without any difference to `error`.
///
/// # Errors
/// `budget` ended before that was known.
pub fn is_symmetric(net: &Net, error: &ErrorFormula, budget: &Budget) -> Result<bool, Stop> {
    Ok(!Symmetry::new(net, &Layout::new(net), &[error], budget)?.families().is_empty())
}

impl Symmetry {
    /// The exchanges found in `net` that no formula of `errors` distinguishes.
    ///
    /// # Errors
    /// `budget` ended before all were looked for.
    pub(crate) fn new(
        net: &Net,
        layout: &Layout,
        errors: &[&ErrorFormula],
        budget: &Budget,
    ) -> Result<Symmetry, Stop> {
        let mut step = budget.pace();
        let mut finder = Finder::new(net, errors, &mut step)?;
        finder.find_single(&mut step)?;
        finder.find_groups(&mut step)?;
        let bits = |group: &[ComponentId]| group.iter().map(|id| layout.bits_of(*id)).sum::<u32>();
        // Without groups of no bits, and those that do not fit into a word.
        finder.families.retain(|family| (1..=MAX_BITS).contains(&bits(&family.groups[0])));
        Ok(Symmetry { families: finder.families })
    }

    /// The families.
    pub(crate) fn families(&self) -> &[Family] {
        &self.families
    }

    /// Makes `state` its own representative.
    pub(crate) fn normalize<S: State>(&self, layout: &Layout, state: &mut S, keys: &mut Vec<u64>) {
        for family in &self.families {
            keys.clear();
            keys.extend(family.groups.iter().map(|group| {
                // The first component is the most significant, as in the order of states. A group of one
                // component that fills the word is shifted by nothing.
                group.iter().fold(0, |key: u64, &id| {
                    key.checked_shl(layout.bits_of(id)).unwrap_or(0) | layout.get(state, id).index() as u64
                })
            }));
            if keys.is_sorted() {
                continue;
            }
            keys.sort_unstable();
            for (group, &key) in family.groups.iter().zip(keys.iter()) {
                let mut key = key;
                for &id in group.iter().rev() {
                    let bits = layout.bits_of(id);
                    let value = if bits == 0 { 0 } else { key & (u64::MAX >> (64 - bits)) };
                    layout.set(state, id, StateId::new(value as usize));
                    key = key.checked_shr(bits).unwrap_or(0);
                }
            }
        }
    }
}

/// A transition or pattern as what exchanges must keep: its kind, components ascending, with their states.
type Item = (Option<PatternGroupId>, Vec<(ComponentId, Vec<StateId>)>);

/// Called for every little piece of work; may end it.
type Pace<'a> = &'a mut dyn FnMut() -> Result<(), Stop>;

struct Finder<'a> {
    net: &'a Net,
    items: Vec<Item>,
    /// How often each is there.
    counts: FxHashMap<Item, usize>,
    /// Per component the items that it takes part in.
    items_of: IndexVec<ComponentId, Vec<usize>>,
    families: Vec<Family>,
    /// The last family of each component.
    family_of: IndexVec<ComponentId, Option<usize>>,
    work: usize,
}

impl<'a> Finder<'a> {
    fn new(net: &'a Net, errors: &[&ErrorFormula], step: Pace<'_>) -> Result<Self, Stop> {
        let mut groups = FxHashSet::default();
        errors.iter().for_each(|formula| pattern_groups(formula, &mut groups));
        let transitions = net.transitions().iter().map(|transition| {
            (None, transition.moves.iter().map(|m| (m.component, vec![m.from, m.to])).collect())
        });
        let patterns = net.patterns().iter().filter(|pattern| groups.contains(&pattern.group));
        let patterns = patterns.map(|pattern| (Some(pattern.group), pattern.conditions.clone()));
        let mut items: Vec<Item> = transitions.chain(patterns).collect();
        let mut counts = FxHashMap::default();
        let mut items_of: IndexVec<ComponentId, Vec<usize>> =
            net.components().iter().map(|_| Vec::new()).collect();
        for (number, item) in items.iter_mut().enumerate() {
            step()?;
            item.1.sort_unstable();
            item.1.iter().for_each(|(component, _)| items_of[*component].push(number));
            *counts.entry(item.clone()).or_insert(0) += 1;
        }
        let family_of = net.components().iter().map(|_| None).collect();
        Ok(Finder { net, items, counts, items_of, families: Vec::new(), family_of, work: 0 })
    }

    /// Whether the exchange of these pairs is an automorphism.
    fn is_automorphism(&mut self, pairs: &[(ComponentId, ComponentId)]) -> bool {
        let mut image = FxHashMap::default();
        for &(one, other) in pairs {
            image.insert(one, other);
            image.insert(other, one);
        }
        let type_of = |id: ComponentId| self.net.components()[id].component_type;
        if image.len() != 2 * pairs.len() || pairs.iter().any(|&(one, other)| type_of(one) != type_of(other))
        {
            return false;
        }
        // An exchange is its own inverse, so that it is enough if each image is there as often.
        for &component in image.keys() {
            for &number in &self.items_of[component] {
                self.work += 1;
                let item = &self.items[number];
                let mut parts: Vec<_> = item
                    .1
                    .iter()
                    .map(|(id, states)| (image.get(id).copied().unwrap_or(*id), states.clone()))
                    .collect();
                parts.sort_unstable();
                let exchanged = (item.0, parts);
                if self.counts.get(&exchanged) != self.counts.get(item) {
                    return false;
                }
            }
        }
        true
    }

    /// Finds families of single components.
    fn find_single(&mut self, step: Pace<'_>) -> Result<(), Stop> {
        let mut families: Vec<Vec<ComponentId>> = Vec::new();
        for id in self.net.components().indices() {
            let mut family = None;
            for (number, members) in families.iter().enumerate() {
                step()?;
                if self.work > MAX_WORK {
                    break;
                }
                // To be interchangeable is transitive, so one member is enough.
                if self.items_of[members[0]].len() == self.items_of[id].len()
                    && self.is_automorphism(&[(members[0], id)])
                {
                    family = Some(number);
                    break;
                }
            }
            match family {
                Some(number) => families[number].push(id),
                None => families.push(vec![id]),
            }
        }
        for members in families.into_iter().filter(|members| members.len() > 1) {
            step()?;
            self.add(members.into_iter().map(|id| vec![id]).collect());
        }
        Ok(())
    }

    /// Finds families of groups, small groups first.
    fn find_groups(&mut self, step: Pace<'_>) -> Result<(), Stop> {
        let ids: Vec<ComponentId> = self.net.components().indices().collect();
        let mut found: Vec<Vec<Vec<ComponentId>>> = Vec::new();
        let mut is_done: FxHashSet<ComponentId> = FxHashSet::default();
        for (position, &one) in ids.iter().enumerate() {
            if self.family_of[one].is_some() || is_done.contains(&one) {
                continue;
            }
            let mut groups: Vec<Vec<ComponentId>> = Vec::new();
            for &other in &ids[position + 1..] {
                step()?;
                if self.work > MAX_WORK {
                    break;
                }
                if self.family_of[other].is_some() || is_done.contains(&other) {
                    continue;
                }
                let Some(pairs) = self.follow(one, other, step)? else { continue };
                let (ours, theirs): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
                match groups.first() {
                    None => groups.extend([ours, theirs]),
                    // Another exchange of the same group; one that meets those before is none.
                    Some(first) if *first == ours => {
                        if groups.iter().flatten().all(|id| !theirs.contains(id)) {
                            groups.push(theirs);
                        }
                    }
                    Some(_) => {}
                }
            }
            is_done.extend(groups.iter().flatten());
            if !groups.is_empty() {
                found.push(groups);
            }
        }
        found.sort_by_key(|groups| groups[0].len());
        for groups in found {
            step()?;
            self.add(groups);
        }
        Ok(())
    }

    /// The exchange that exchanges these two, and whatever must be exchanged with them; `None` where none is
    /// found. The pairs are ascending by their first components, which are those on the side of `one`.
    fn follow(
        &mut self,
        one: ComponentId,
        other: ComponentId,
        step: Pace<'_>,
    ) -> Result<Option<Vec<(ComponentId, ComponentId)>>, Stop> {
        let mut image: FxHashMap<ComponentId, ComponentId> = FxHashMap::default();
        let mut pairs = vec![(one, other)];
        image.insert(one, other);
        image.insert(other, one);
        let mut next = 0;
        while let Some(&(ours, theirs)) = pairs.get(next) {
            step()?;
            next += 1;
            let components = self.net.components();
            if components[ours].component_type != components[theirs].component_type
                || self.items_of[ours].len() != self.items_of[theirs].len()
            {
                return Ok(None);
            }
            let mut is_used = FxHashSet::default();
            for &number in &self.items_of[ours] {
                let item = &self.items[number];
                // Its counterpart: what does the same, as far as the correspondence is known.
                let mut matching = None;
                for &candidate in &self.items_of[theirs] {
                    self.work += 1;
                    if is_used.contains(&candidate) {
                        continue;
                    }
                    if let Some(more) = self.correspond(item, &self.items[candidate], &image) {
                        matching = Some((candidate, more));
                        break;
                    }
                }
                let Some((candidate, more)) = matching else { return Ok(None) };
                is_used.insert(candidate);
                for (one, other) in more {
                    if one != other {
                        image.insert(one, other);
                        image.insert(other, one);
                        pairs.push((one, other));
                    }
                }
                if self.work > MAX_WORK {
                    return Ok(None);
                }
            }
        }
        pairs.sort_unstable();
        Ok(self.is_automorphism(&pairs).then_some(pairs))
    }

    /// Which further components correspond if these two items do; `None` if they can't.
    fn correspond(
        &self,
        item: &Item,
        candidate: &Item,
        image: &FxHashMap<ComponentId, ComponentId>,
    ) -> Option<Vec<(ComponentId, ComponentId)>> {
        if item.0 != candidate.0 || item.1.len() != candidate.1.len() {
            return None;
        }
        let type_of = |id: ComponentId| self.net.components()[id].component_type;
        let mut left: Vec<_> = candidate.1.iter().collect();
        let mut more = Vec::new();
        for (id, states) in &item.1 {
            // First the component known to correspond, then one that takes part in both, then any.
            let known = image.get(id).copied();
            let fits = |other: &&(ComponentId, Vec<StateId>)| {
                other.1 == *states
                    && match known {
                        Some(known) => other.0 == known,
                        None => type_of(other.0) == type_of(*id) && !image.contains_key(&other.0),
                    }
            };
            let same = left.iter().position(|other| other.0 == *id && fits(other));
            let position = same.or_else(|| left.iter().position(fits))?;
            let other = left.swap_remove(position).0;
            if known.is_none() {
                more.push((*id, other));
            }
        }
        let is_consistent = more.iter().enumerate().all(|(number, (one, other))| {
            more[..number].iter().all(|(first, second)| one == other || (first != other && second != one))
        });
        is_consistent.then_some(more)
    }

    /// Adds a family if no other has a part of one of its groups only, and if its groups correspond in such a
    /// way that their inner families do, in their order.
    fn add(&mut self, mut groups: Vec<Vec<ComponentId>>) {
        let contains = |group: &[ComponentId], inner: &Family| {
            inner.groups.iter().flatten().all(|id| group.contains(id))
        };
        let is_nested = |group: &Vec<ComponentId>| {
            group.iter().all(|&id| match self.family_of[id] {
                Some(family) => contains(group, &self.families[family]),
                None => true,
            })
        };
        if !groups.iter().all(is_nested) {
            return;
        }
        if let Some((first, others)) = groups.split_first_mut()
            && !others.iter_mut().all(|other| self.align(first, other))
        {
            return;
        }
        for &id in groups.iter().flatten() {
            self.family_of[id] = Some(self.families.len());
        }
        self.families.push(Family { groups });
    }

    /// Lets those of `other` that are interchangeable themselves correspond to those of `first` in their
    /// order: else what is in order in one group would not be in the other. Whether that is possible.
    fn align(&mut self, first: &[ComponentId], other: &mut [ComponentId]) -> bool {
        let mut image: FxHashMap<ComponentId, ComponentId> =
            first.iter().copied().zip(other.iter().copied()).collect();
        let families = |id: ComponentId| self.family_of[id].map(|family| &self.families[family]);
        for (&id, theirs) in first.iter().zip(&*other) {
            match (families(id), families(*theirs)) {
                (None, None) => {}
                (Some(own), Some(their)) => {
                    // Each once, by its first component.
                    if own.groups[0].first() == Some(&id) {
                        let pairs = own.groups.iter().flatten().zip(their.groups.iter().flatten());
                        image.extend(pairs.map(|(one, other)| (*one, *other)));
                    }
                }
                _ => return false,
            }
        }
        let is_inner = |family: &&Family| family.groups.iter().flatten().all(|id| image.contains_key(id));
        let are_families_kept = self.families.iter().filter(is_inner).all(|family| {
            let groups = family.groups.iter().map(|group| group.iter().map(|id| image[id]).collect());
            self.families.contains(&Family { groups: groups.collect() })
        });
        for (id, other) in first.iter().zip(&mut *other) {
            *other = image[id];
        }
        let pairs: Vec<_> = first.iter().copied().zip(other.iter().copied()).collect();
        are_families_kept && self.is_automorphism(&pairs)
    }
}

/// The groups of patterns in a formula.
fn pattern_groups(formula: &ErrorFormula, groups: &mut FxHashSet<PatternGroupId>) {
    match formula {
        ErrorFormula::Pattern(group) => {
            groups.insert(*group);
        }
        ErrorFormula::Not(inner) => pattern_groups(inner, groups),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
            parts.iter().for_each(|part| pattern_groups(part, groups));
        }
        ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Components(_) => {}
    }
}

//! An instance that has too many markings to look at each, as a case: some of its error markings stand for all.
//!
//! A [`Search`] finds an error marking; the sets of a family that excludes it are added, and the next one is
//! searched for, until there is none. What excludes those that were found then need not exclude all: what is
//! chosen for them is held against the instance by another search, and what that finds is added
//! ([`left_open`]). So it is known in the end whether the sets that are shown are enough for this instance.

use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::choose::{Chosen, one_family};
use crate::family::{Family, Set, weight};
use crate::goal::{Goal, is_dropped};
use crate::grammar::{Dropped, Grammar};
use crate::search::{Search, Together};
use crate::writer::Pair;

/// No more error markings of one instance are looked at.
const MAX_FOUND: usize = 300;
/// Of those that what was chosen leaves open, so many are added to what is chosen for next.
const MAX_OPEN: usize = 24;
/// No more sets of one family are added at once.
const MAX_SETS: usize = 64;

/// An instance, and what excludes markings of it beside sets: each by places that are never marked together.
pub(crate) struct Subject<'a> {
    pub(crate) system: &'a System,
    pub(crate) grammar: &'a Grammar,
    pub(crate) tree: &'a RewritingTree,
    pub(crate) net: &'a Net,
    pub(crate) others: &'a [Vec<Together>],
    pub(crate) budget: &'a Budget,
}

/// The places that make a transition enabled which `dropped` stands for, per such transition.
pub(crate) fn enabling(net: &Net, dropped: &Dropped) -> Vec<Together> {
    let own = net.transitions().iter().filter(|transition| is_dropped(net, transition, dropped));
    own.map(|transition| transition.moves.iter().map(|one| (one.component, one.from)).collect()).collect()
}

/// The two places of a pair, per node of its rule.
pub(crate) fn both(tree: &RewritingTree, net: &Net, (rule, pair): &Pair) -> Vec<Together> {
    let nodes = tree.nodes.iter().enumerate().filter(|(_, node)| node.rule == *rule);
    let at = |node: usize| {
        pair.iter().map(move |(atom, state)| Some((net.component_at(node, *atom)?, *state))).collect()
    };
    nodes.filter_map(|(node, _)| at(node)).collect()
}

/// Whether the instance has a marking in the error; `None` where that is not found out.
///
/// # Errors
/// The budget ended.
pub(crate) fn has_error(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<bool>, NotExplained> {
    let Some(mut search) = Search::new(system, net, Goal::Error(error), budget) else { return Ok(None) };
    match search.next() {
        Ok(found) => Ok(Some(found.is_some())),
        Err(NotExplained::Stopped(stop)) => Err(NotExplained::Stopped(stop)),
        Err(_) => Ok(None),
    }
}

impl Subject<'_> {
    fn kept(&self, search: &mut Search<'_>, sets: &[Set], (family, is_exact): (&Family, bool)) -> bool {
        let (kind, initial) = (self.grammar.shapes[family.root].kind, self.net.initial());
        let mut sets = sets.iter();
        sets.all(|set| search.keep(set, kind, weight(set, &initial), is_exact))
    }

    /// The other reason that excludes a marking, if one does.
    fn other_reason(&self, marking: &Marking) -> Option<&[Together]> {
        let is_marked = |places: &Together| places.iter().all(|(id, state)| marking[*id] == *state);
        self.others.iter().map(Vec::as_slice).find(|all| all.iter().any(is_marked))
    }

    /// Markings in the goal: what excludes them most often excludes all there are. `None` where they can't be
    /// searched for.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn markings(&self, goal: Goal<'_>) -> Result<Option<Vec<Marking>>, NotExplained> {
        let Some(mut search) = Search::new(self.system, self.net, goal, self.budget) else { return Ok(None) };
        let mut found = Vec::new();
        while found.len() < MAX_FOUND {
            let Some(marking) = search.next()? else { break };
            self.exclude(&mut search, &marking)?;
            found.push(marking);
        }
        Ok(Some(found))
    }

    /// Adds to the search what excludes a marking.
    fn exclude(&self, search: &mut Search<'_>, marking: &Marking) -> Result<(), NotExplained> {
        // Whatever comes, the marking itself is not found again.
        search.forbid(&marking.enumerate().map(|(id, state)| (id, *state)).collect());
        if let Some(reason) = self.other_reason(marking) {
            reason.iter().for_each(|together| search.forbid(together));
            return Ok(());
        }
        if let Some(family) = one_family(self.system, self.grammar, (self.tree, self.net, marking), |_| true)
        {
            let mut sets = family.sets(self.grammar, self.tree, self.net).0;
            sets.truncate(MAX_SETS);
            if !self.kept(search, &sets, (&family, family.is_exact(self.grammar))) {
                return Err(NotExplained::TooLarge);
            }
        }
        Ok(())
    }

    /// Markings in the goal that neither the families nor the other reasons at these positions exclude: none, or some
    /// of them.
    ///
    /// # Errors
    /// The budget ended, or that is not found out.
    pub(crate) fn left_open(
        &self,
        goal: Goal<'_>,
        families: &[Chosen],
        reasons: &[usize],
    ) -> Result<Vec<Marking>, NotExplained> {
        let search = Search::new(self.system, self.net, goal, self.budget);
        let mut search = search.ok_or(NotExplained::TooLarge)?;
        for reason in reasons {
            self.others[*reason].iter().for_each(|together| search.forbid(together));
        }
        let mut are_more = Vec::new();
        for chosen in families {
            let family = &chosen.family;
            // This instance is the first of the cases.
            let (sets, is_all) = match chosen.is_part {
                true => (chosen.sets.first().cloned().unwrap_or_default(), true),
                false => family.sets(self.grammar, self.tree, self.net),
            };
            if !self.kept(&mut search, &sets, (family, family.is_exact(self.grammar))) {
                return Err(NotExplained::TooLarge);
            }
            are_more.extend((!is_all).then_some(family));
        }
        let mut open = Vec::new();
        for _ in 0..MAX_FOUND {
            let Some(marking) = search.next()? else { return Ok(open) };
            // Of a family with too many sets to list, another set may exclude it.
            let refutes = |family: &&Family| family.refutes(self.grammar, (self.tree, self.net), &marking);
            if are_more.iter().any(refutes) {
                search.forbid(&marking.enumerate().map(|(id, state)| (id, *state)).collect());
                continue;
            }
            self.exclude(&mut search, &marking)?;
            open.push(marking);
            if open.len() >= MAX_OPEN {
                return Ok(open);
            }
        }
        if open.is_empty() { Err(NotExplained::TooLarge) } else { Ok(open) }
    }
}

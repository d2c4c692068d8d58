//! The nodes of a pattern that are named, each told from those before it.
//!
//! A way that has nothing in the set and goes on at one node below only leads the way down: it needs no name. The
//! roles that have other ways get letters, in an order in which every node is reached from one with an earlier
//! letter, or from the root; where a way leads back to an earlier one, that is said at the later.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;

use crate::pattern::{Pattern, Way, rules_of};

/// See the module's text.
pub(super) struct Nodes<'a> {
    pub(super) system: &'a System,
    pub(super) pattern: &'a Pattern,
    /// The roles with a name, in the order of their letters.
    pub(super) order: Vec<usize>,
}

/// How a node is reached from one with an earlier letter, from the root, or from itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    /// It is the root.
    Root,
    /// It lies directly below the root, which has nothing in the set; positions are as for `Below`.
    BelowRoot(Vec<usize>, usize),
    /// It lies directly below a role's node, at these positions (none: at one of them, whichever) out of so many,
    /// where that node is by these rules (none: by any that it can have).
    Below(usize, Vec<usize>, usize, Vec<String>),
    /// It is that, or any further down; or any node at all, seen from the root. Where not all ways lead there, by
    /// which they do.
    Down(Option<Box<Reached>>, Option<String>),
}

impl<'a> Nodes<'a> {
    pub(super) fn of(system: &'a System, pattern: &'a Pattern) -> Nodes<'a> {
        let mut nodes = Nodes { system, pattern, order: Vec::new() };
        // Reverse postorder: but for ways that lead back, what is reached comes after what it is reached from.
        let (mut seen, mut post) = (BTreeSet::new(), Vec::new());
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut roots: Vec<usize> = nodes.targets(0).into_iter().rev().collect();
        loop {
            let next = match open.last_mut() {
                Some((_, below)) => below.pop(),
                None => match roots.pop() {
                    Some(root) => Some(root),
                    None => break,
                },
            };
            match next {
                Some(role) if seen.insert(role) => open.push((role, nodes.next(role))),
                Some(_) => {}
                None => post.extend(open.pop().map(|(role, _)| role)),
            }
        }
        nodes.order = post.into_iter().rev().collect();
        nodes
    }

    /// The ways of a role that do more than lead on.
    pub(super) fn stops(&self, role: usize) -> impl Iterator<Item = &'a Way> + Clone + use<'a> {
        self.pattern.roles[role].ways.iter().filter(|way| !way.is_pass())
    }

    fn passes(&self, role: usize) -> impl Iterator<Item = &'a Way> + Clone + use<'a> {
        self.pattern.roles[role].ways.iter().filter(|way| way.is_pass())
    }

    /// The named roles that a node with `role` is, or leads to without a name between.
    fn targets(&self, role: usize) -> BTreeSet<usize> {
        let (mut seen, mut open) = (BTreeSet::from([role]), vec![role]);
        while let Some(role) = open.pop() {
            let below = self.passes(role).flat_map(|way| way.below.iter().flatten());
            open.extend(below.copied().filter(|one| seen.insert(*one)));
        }
        seen.into_iter().filter(|role| self.stops(*role).next().is_some()).collect()
    }

    /// The named roles next below one that are there whichever of its ways a node has.
    pub(super) fn needed_below(&self, role: usize) -> BTreeSet<usize> {
        let ways = self.stops(role).map(|way| -> BTreeSet<usize> {
            let below = way.below.iter().flatten().map(|below| self.targets(*below));
            below.filter(|targets| targets.len() == 1).flatten().collect()
        });
        ways.reduce(|one, other| one.intersection(&other).copied().collect()).unwrap_or_default()
    }

    /// Whether some nodes that a role lies directly below have no child, so that it need not be there.
    pub(super) fn may_lack(&self, role: usize) -> bool {
        let (forward, _) = self.reached(role);
        let is_direct = forward.iter().all(|one| matches!(one, Reached::Below(..)));
        is_direct
            && forward.iter().any(|one| match one {
                Reached::Below(from, ..) => self.stops(*from).any(|way| way.below.is_empty()),
                _ => false,
            })
    }

    /// Whether a role's node may be by some rules only, where another node at its place would leave no set.
    pub(super) fn is_the_only(&self, role: usize) -> bool {
        let predicate = &self.pattern.roles[role].predicate;
        let like = self.pattern.roles.iter().enumerate();
        let beside: BTreeSet<&str> = (like.filter(|(_, one)| one.predicate == *predicate))
            .filter(|(other, _)| self.is_beside(role, *other))
            .flat_map(|(_, one)| one.ways.iter().map(|way| way.rule.as_str()))
            .collect();
        rules_of(self.system, predicate).iter().any(|rule| !beside.contains(rule.label.as_str()))
    }

    /// Whether what may have a role below it may have another there instead.
    fn is_beside(&self, role: usize, other: usize) -> bool {
        let mut ways = self
            .pattern
            .roles
            .iter()
            .flat_map(|one| one.ways.iter().map(move |way| (one.ways.as_slice(), way)));
        role == other
            || ways.any(|(all, way)| {
                let at = way.below.iter().position(|below| *below == Some(role));
                at.is_some_and(|at| {
                    all.iter().any(|one| one.rule == way.rule && one.below.get(at) == Some(&Some(other)))
                })
            })
    }

    /// The named roles next below one, the last first.
    fn next(&self, role: usize) -> Vec<usize> {
        let mut all = Vec::new();
        for below in self.stops(role).flat_map(|way| way.below.iter().flatten()) {
            for one in self.targets(*below) {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        all.reverse();
        all
    }

    pub(super) fn letter(&self, role: usize) -> String {
        let position = self.order.iter().position(|one| *one == role);
        position.map_or_else(String::new, letter)
    }

    /// The letters of what a node with `role` is or leads to: `B`, `B or C`.
    pub(super) fn letters(&self, role: usize) -> String {
        let mut letters: Vec<String> =
            self.targets(role).into_iter().map(|target| self.letter(target)).collect();
        letters.sort();
        letters.join(" or ")
    }

    /// How `role` is reached from `from`, directly or over nodes without a name.
    fn reached_from(&self, from: usize, role: usize) -> BTreeSet<Reached> {
        let mut rules: BTreeMap<(Vec<usize>, usize, bool, usize), BTreeSet<&str>> = BTreeMap::new();
        for way in self.stops(from) {
            let mut positions: BTreeMap<(bool, usize), Vec<usize>> = BTreeMap::new();
            for (position, below) in way.below.iter().enumerate() {
                let Some(below) = below.filter(|below| self.targets(*below).contains(&role)) else {
                    continue;
                };
                let is_direct = self.passes(below).next().is_none();
                positions.entry((is_direct, below)).or_default().push(position);
            }
            for ((is_direct, below), positions) in positions {
                let key = (positions, way.below.len(), is_direct, below);
                rules.entry(key).or_default().insert(&way.rule);
            }
        }
        let all: BTreeSet<&str> = self.stops(from).map(|way| way.rule.as_str()).collect();
        let found = rules.into_iter().map(|((positions, count, is_direct, below), rules)| {
            // Rules below which there is no node need not be left out.
            let can_lead = |rule: &&&str| {
                let mut known = self.system.rules.iter().filter(|one| one.label == ***rule);
                known.any(|one| one.predicate_atoms().count() > 0)
            };
            let is_all = all.iter().filter(can_lead).all(|rule| rules.contains(rule));
            let rules = if is_all { Vec::new() } else { rules.into_iter().map(str::to_owned).collect() };
            let at = Reached::Below(from, positions, count, rules);
            if is_direct { at } else { Reached::Down(Some(Box::new(at)), self.only_by(below)) }
        });
        one_of(found.collect())
    }

    /// How a role is reached: from the root and earlier letters, then from itself and later ones.
    pub(super) fn reached(&self, role: usize) -> (BTreeSet<Reached>, BTreeSet<Reached>) {
        let mut forward = BTreeSet::new();
        if self.targets(0).contains(&role) {
            let is_short = self.stops(0).next().is_none()
                && self
                    .passes(0)
                    .flat_map(|way| way.below.iter().flatten())
                    .all(|one| self.passes(*one).next().is_none());
            match self.passes(0).next() {
                None => {
                    forward.insert(Reached::Root);
                }
                Some(_) if is_short => {
                    for way in self.passes(0) {
                        let positions = way.below.iter().enumerate().filter(|(_, one)| **one == Some(role));
                        forward
                            .extend(positions.map(|(at, _)| Reached::BelowRoot(vec![at], way.below.len())));
                    }
                }
                Some(_) => {
                    forward.insert(Reached::Down(None, self.only_by(0)));
                }
            }
        }
        forward = one_of(forward);
        let position = self.order.iter().position(|one| *one == role).unwrap_or_default();
        for from in &self.order[..position] {
            forward.extend(self.reached_from(*from, role));
        }
        (forward, self.reached_from(role, role))
    }

    /// The earlier roles that a role leads back to, and how.
    fn leads_back(&self, role: usize) -> Vec<(usize, BTreeSet<Reached>)> {
        let earlier = self.order.iter().copied().take_while(|one| *one != role);
        let all = earlier.map(|one| (one, self.reached_from(role, one)));
        all.filter(|(_, reached)| !reached.is_empty()).collect()
    }

    /// By which rules a way leads down from a node with `role`, unless all ways do: that is, unless from every node
    /// on, the same roles with names can be reached for each predicate.
    fn only_by(&self, role: usize) -> Option<String> {
        let start = (self.pattern.roles[role].predicate.as_str(), BTreeSet::from([role]));
        let mut known = vec![start];
        let (mut position, mut is_free) = (0, true);
        let mut offers: BTreeMap<&str, BTreeSet<(usize, &str)>> = BTreeMap::new();
        let mut used: BTreeSet<(&str, usize, usize)> = BTreeSet::new();
        while let Some((predicate, roles)) = known.get(position).cloned() {
            position += 1;
            let own = roles.iter().flat_map(|one| self.stops(*one).map(move |way| (*one, way.rule.as_str())));
            let own: BTreeSet<(usize, &str)> = own.collect();
            is_free &= *offers.entry(predicate).or_insert_with(|| own.clone()) == own;
            for rule in rules_of(self.system, predicate) {
                let calls: Vec<_> = rule.predicate_atoms().collect();
                for (at, call) in calls.iter().enumerate() {
                    let passes = roles.iter().flat_map(|one| self.passes(*one));
                    let passes = passes.filter(|way| way.rule == rule.label);
                    let free = passes.clone().filter(|way| way.starts.is_empty());
                    let next: BTreeSet<usize> = free.filter_map(|way| way.below.get(at).copied()?).collect();
                    if passes.filter_map(|way| way.below.get(at).copied()?).next().is_some() {
                        used.insert((&rule.label, at, calls.len()));
                    }
                    let next = (self.system.predicates[call.predicate].name.as_str(), next);
                    if !known.contains(&next) {
                        known.push(next);
                    }
                }
            }
        }
        let words = used.into_iter().map(|(rule, at, count)| match count {
            1 => rule.to_owned(),
            _ => format!("{rule} ({} below)", ordinal(at)),
        });
        (!is_free).then(|| words.collect::<Vec<_>>().join(" or "))
    }

    /// Each named node: where it is.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = (self.order.iter())
            .map(|role| format!("{}: {}", self.letter(*role), self.where_is(*role)))
            .collect();
        if self.is_ambiguous() {
            let together = "(all such nodes together make the set)";
            let note = if self.is_one_set() { together } else { "(each choice of such nodes gives a set)" };
            lines.push(note.to_owned());
        }
        lines
    }

    fn where_is(&self, role: usize) -> String {
        let (forward, own) = self.reached(role);
        let by = match forward.first() {
            Some(Reached::Down(None, _)) => Some(self.rules(role)),
            _ => self.by(role),
        };
        // "Any node by R", where nothing else is to be said.
        let is_any = matches!(Vec::from_iter(&forward)[..], [Reached::Down(..)]);
        let mut text = match (is_any, &by) {
            (true, Some(by)) => {
                let places: Vec<String> = forward.iter().map(|one| self.phrase(one)).collect();
                places.join("").replacen("any node", &format!("any node by {by}"), 1)
            }
            (_, by) => {
                let places: Vec<String> = forward.iter().map(|one| self.phrase(one)).collect();
                let places = places.join(" or ");
                // Where other nodes have conditions, its own rules come first: one could take them for another's.
                match by {
                    Some(by) if places.contains(" is by ") => format!("a node by {by}, namely {places}"),
                    Some(by) => format!("{places}, by {by}"),
                    None => places,
                }
            }
        };
        let own: Vec<String> = own.iter().map(|one| self.below_it(one)).collect();
        if !own.is_empty() {
            text = format!("{text}; then {}, and so on down", own.join(" or "));
        }
        for (earlier, reached) in self.leads_back(role) {
            let reached: Vec<String> = reached.iter().map(|one| self.below_it(one)).collect();
            text = format!("{text}; {} may be as {} again", reached.join(" or "), self.letter(earlier));
        }
        text
    }

    /// The rules of a named node, unless it may have any.
    pub(super) fn by(&self, role: usize) -> Option<String> {
        let words: BTreeSet<String> = self.stops(role).map(with_starts).collect();
        let all = rules_of(self.system, &self.pattern.roles[role].predicate);
        let is_free = all.iter().all(|rule| words.contains(&rule.label));
        (!is_free).then(|| self.rules(role))
    }

    /// The rules of a named node.
    pub(super) fn rules(&self, role: usize) -> String {
        let words: BTreeSet<String> = self.stops(role).map(with_starts).collect();
        Vec::from_iter(words).join(" or ")
    }

    fn phrase(&self, reached: &Reached) -> String {
        match reached {
            Reached::Root => "the root".to_owned(),
            Reached::BelowRoot(positions, count) => format!("{} below the root", which(positions, *count)),
            Reached::Below(from, positions, count, rules) => {
                let name = self.letter(*from);
                let condition = match rules.is_empty() {
                    true => String::new(),
                    false => format!(" (where {name} is by {})", rules.join(" or ")),
                };
                format!("{} below {name}{condition}", which(positions, *count))
            }
            Reached::Down(at, only) => {
                let at = at.as_ref().map(|at| format!(" from {} on down", self.phrase(at)));
                let only = only.as_ref().map(|only| format!(" (on a way by {only})"));
                format!("any node{}{}", at.unwrap_or_default(), only.unwrap_or_default())
            }
        }
    }

    /// As [`Nodes::phrase`], seen from the node itself.
    fn below_it(&self, reached: &Reached) -> String {
        match reached {
            Reached::Root | Reached::BelowRoot(..) => "the root".to_owned(),
            Reached::Below(_, positions, count, _) if positions.len() == *count => {
                "each node below that".to_owned()
            }
            Reached::Below(_, positions, count, _) => format!("{} below that", which(positions, *count)),
            Reached::Down(at, _) => {
                let at = at.as_ref().map(|at| format!(" from {} on down", self.below_it(at)));
                format!("any node{}", at.unwrap_or_default())
            }
        }
    }

    /// Whether a tree has one such set at most: no node has two ways to go on.
    pub(super) fn is_one_set(&self) -> bool {
        let excludes = |one: &Way, other: &Way| {
            let mut starts = one.starts.iter();
            starts.any(|start| {
                let same = other.starts.iter().find(|other| other.variable == start.variable);
                same.is_some_and(|same| !same.states.iter().any(|state| start.states.contains(state)))
            })
        };
        self.pattern.roles.iter().all(|role| {
            let later = |at: usize| role.ways[at + 1..].iter();
            let mut ways = role.ways.iter().enumerate();
            ways.all(|(at, one)| later(at).all(|other| one.rule != other.rule || excludes(one, other)))
        })
    }

    /// Whether more is left open than where the first node is.
    fn is_ambiguous(&self) -> bool {
        let reached = self.order.iter().flat_map(|role| {
            let (forward, own) = self.reached(*role);
            forward.into_iter().chain(own)
        });
        let far = reached.filter(|one| matches!(one, Reached::Down(..))).count();
        let chooses = |role: &usize| {
            let rules: BTreeSet<_> = self.stops(*role).map(|way| (&way.rule, &way.starts)).collect();
            rules.len() < self.stops(*role).count()
        };
        let near = self.order.iter().flat_map(|role| self.reached(*role).0);
        let near: Vec<_> = near.filter(|one| matches!(one, Reached::BelowRoot(..))).collect();
        let is_one_of = matches!(&near[..], [Reached::BelowRoot(positions, 2..)] if positions.is_empty());
        far > 1 || near.len() > 1 || is_one_of || self.order.iter().any(chooses)
    }
}

/// Where a node may be at each of the positions by turns, that is said at once.
fn one_of(reached: BTreeSet<Reached>) -> BTreeSet<Reached> {
    let any = |one: &Reached| match one {
        Reached::BelowRoot(positions, count) if positions.len() == 1 => {
            Some(Reached::BelowRoot(Vec::new(), *count))
        }
        Reached::Below(from, positions, count, rules) if positions.len() == 1 => {
            Some(Reached::Below(*from, Vec::new(), *count, rules.clone()))
        }
        _ => None,
    };
    let merged = reached.iter().map(|one| match (any(one), one) {
        (Some(any_of), Reached::BelowRoot(_, count) | Reached::Below(_, _, count, _)) => {
            let like = reached.iter().filter(|other| any(other).as_ref() == Some(&any_of)).count();
            if *count > 1 && like == *count { any_of } else { one.clone() }
        }
        _ => one.clone(),
    });
    merged.collect()
}

/// A rule, and where its components start if that matters.
pub(super) fn with_starts(way: &Way) -> String {
    let starts =
        way.starts.iter().map(|one| format!("{} starts in {}", one.variable, one.states.join(" or ")));
    let starts: Vec<String> = starts.collect();
    match starts.is_empty() {
        true => way.rule.clone(),
        false => format!("{} where {}", way.rule, starts.join(" and ")),
    }
}

/// `the first node`, `both nodes`.
fn which(positions: &[usize], count: usize) -> String {
    match (positions, count) {
        (_, 1) => "the node".to_owned(),
        ([], _) => "one of the nodes".to_owned(),
        ([one], _) => format!("the {} node", ordinal(*one)),
        (all, 2) if all.len() == 2 => "both nodes".to_owned(),
        (all, count) if all.len() == count => "all nodes".to_owned(),
        (all, _) => {
            let words: Vec<String> = all.iter().map(|one| ordinal(*one)).collect();
            format!("the {} node", words.join(" and the "))
        }
    }
}

pub(super) fn ordinal(position: usize) -> String {
    match ["first", "second", "third", "fourth"].get(position) {
        Some(word) => (*word).to_owned(),
        None => format!("{}th", position + 1),
    }
}

/// The name of a node: `A`, `B` …
fn letter(number: usize) -> String {
    super::letter(number).to_uppercase()
}

//! Rewriting trees by size, the size being the number of components of the instance.
//!
//! Every leaf of a rewriting tree creates a component, so a tree has at most `size` leaves; but a rule
//! that creates none and has one predicate atom can be used any number of times in a row
//! (`A() <- B(); B() <- A();`), so there may be infinitely many trees of one size. Their instances are
//! finitely many. [`trees`] therefore leaves out *idle rounds*: in a row of such rules, coming back to
//! the same predicate with the same arguments when no rule with interactions or patterns has been
//! applied to arguments for the first time in between. The tree without the round has the same
//! instance, up to repetitions of transitions and patterns. In systems without such rounds each
//! rewriting tree comes exactly once.
//!
//! Rejected: trees up to isomorphism of their instances. It needs a canonical form of nets and saves
//! little where initial states are fixed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::convert::Infallible;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use paramcheck_model::component::StateId;
use paramcheck_model::rule::{PredicateId, Rule, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

mod even;
mod sizes;
#[cfg(test)]
mod tests;

pub use even::{NotEven, most_even};
use sizes::{SizeSet, Sizes};

/// [`smallest_tree`] gives no tree of more nodes or components than this.
pub(crate) const MAX_SMALLEST_TREE: u64 = 1_000_000;

/// The rewriting trees of `system` with exactly `size` components, in a fixed order (rules in the
/// order of the text, initial states ascending), without idle rounds (see the module's text). Made one
/// by one on demand; the first takes time and memory polynomial in `size`.
pub fn trees(system: &System, size: usize) -> Trees<'_> {
    let Ok(sizes) = Sizes::new(system, size, &mut || Ok::<_, Infallible>(()));
    Trees::new(system, size, Rc::new(sizes))
}

/// As [`trees`], within limits; for [`Trees::next_within`].
///
/// # Errors
/// `budget` ended before the first could be looked for.
pub fn trees_within<'a>(system: &'a System, size: usize, budget: &Budget) -> Result<Trees<'a>, Stop> {
    Ok(Guide::new(system, size, budget)?.trees(size))
}

/// The sizes nearest to `size` that some tree has, smaller and greater, at most `distance` away.
///
/// # Errors
/// `budget` ended before they were known.
pub fn nearest_sizes(
    system: &System,
    size: usize,
    distance: usize,
    budget: &Budget,
) -> Result<(Option<usize>, Option<usize>), Stop> {
    let sizes = Sizes::new(system, size.saturating_add(distance), &mut || budget.check())?;
    let exists = |size: &usize| sizes.of_predicate(system.root).contains(*size);
    let smaller = (1..size).rev().take(distance).find(exists);
    Ok((smaller, (size + 1..).take(distance).find(exists)))
}

/// What the enumeration of the trees of all sizes up to a bound is guided by: made once for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Guide<'a> {
    system: &'a System,
    sizes: Rc<Sizes>,
}

impl<'a> Guide<'a> {
    /// The guide for `system` and all sizes up to `bound`.
    ///
    /// # Errors
    /// `budget` ended.
    pub(crate) fn new(system: &'a System, bound: usize, budget: &Budget) -> Result<Self, Stop> {
        let sizes = Sizes::new(system, bound, &mut || budget.check())?;
        Ok(Guide { system, sizes: Rc::new(sizes) })
    }

    /// As [`trees`], for [`Trees::next_within`]; none for a size beyond the bound.
    pub(crate) fn trees(&self, size: usize) -> Trees<'a> {
        Trees::new(self.system, size, Rc::clone(&self.sizes))
    }
}

/// The trees of one size; see [`trees`].
///
/// The search expands open predicate atoms in preorder. A frame is a node of the tree; a rule is tried
/// only if what is then open can be completed to exactly `size` components.
#[derive(Clone, Debug)]
pub struct Trees<'a> {
    system: &'a System,
    sizes: Rc<Sizes>,
    /// The sizes of nothing at all: 0.
    nothing: Rc<SizeSet>,
    size: usize,
    /// The tree so far, in preorder.
    frames: Vec<Frame>,
    /// Predicate atoms to be expanded later, as lists that share their ends.
    pending: Vec<Pending>,
    /// The frames in rows of passing rules, ascending, by predicate and arguments.
    met: FxHashMap<(PredicateId, Vec<usize>), Vec<usize>>,
    is_started: bool,
}

#[derive(Clone, Debug)]
struct Frame {
    predicate: PredicateId,
    /// The parent's frame; `None` for the root.
    parent: Option<usize>,
    /// The components to be created by this node and all that is open.
    remaining: usize,
    /// What is open after this node's subtree.
    rest: Option<usize>,
    /// The length of `pending` without what this node's children added.
    pending_before: usize,
    choice: Option<Choice>,
    /// Where it is in a row of passing rules. Where its parent's rule is none, that is found out once its own
    /// is one.
    place: Option<Place>,
    /// Whether it is in [`Trees::met`].
    is_met: bool,
}

/// Where a frame is in a row of passing rules, which lies in successive frames.
#[derive(Clone, Debug)]
struct Place {
    /// The first frame of the row.
    begin: usize,
    /// The first frame after the last rule that contributed something new: a round from there on is idle.
    since: usize,
    /// What the predicate's parameters are bound to: a number each, the same as at the start of the row or,
    /// for a variable bound within it, a new one.
    arguments: Vec<usize>,
    /// The next new number.
    fresh: usize,
}

#[derive(Clone, Debug)]
struct Choice {
    /// The rule's position among the predicate's.
    position: usize,
    rule: RuleId,
    /// Per instance atom the position of its initial state among those allowed.
    initial: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Pending {
    predicate: PredicateId,
    parent: usize,
    next: Option<usize>,
    /// The sizes that this atom and all after it can have together.
    sizes: Rc<SizeSet>,
}

impl Iterator for Trees<'_> {
    type Item = RewritingTree;

    fn next(&mut self) -> Option<RewritingTree> {
        let Ok(tree) = self.advance(&mut || Ok::<_, Infallible>(()));
        tree
    }
}

impl<'a> Trees<'a> {
    fn new(system: &'a System, size: usize, sizes: Rc<Sizes>) -> Self {
        Trees {
            system,
            nothing: Rc::new(SizeSet::only(sizes.bound(), 0)),
            sizes,
            size,
            frames: Vec::new(),
            pending: Vec::new(),
            met: FxHashMap::default(),
            is_started: false,
        }
    }

    /// The next tree, as by [`Iterator::next`].
    ///
    /// # Errors
    /// `budget` ended before it was found: there may be more.
    pub fn next_within(&mut self, budget: &Budget) -> Result<Option<RewritingTree>, Stop> {
        self.advance(&mut budget.pace())
    }

    fn advance<E>(&mut self, step: &mut impl FnMut() -> Result<(), E>) -> Result<Option<RewritingTree>, E> {
        if !self.is_started {
            self.is_started = true;
            // What is greater than all that is known of can't be judged.
            if self.size <= self.sizes.bound() {
                self.open(self.system.root, None, self.size, None, None);
            }
        }
        loop {
            step()?;
            let Some(top) = self.frames.len().checked_sub(1) else { return Ok(None) };
            if !self.choose(top) {
                self.close();
            } else if self.descend(top) {
                return Ok(Some(self.tree()));
            }
        }
    }

    fn open(
        &mut self,
        predicate: PredicateId,
        parent: Option<usize>,
        remaining: usize,
        rest: Option<usize>,
        place: Option<Place>,
    ) {
        let pending_before = self.pending.len();
        let choice = None;
        let frame =
            Frame { predicate, parent, remaining, rest, pending_before, choice, place, is_met: false };
        self.frames.push(frame);
    }

    /// Takes off the topmost frame.
    fn close(&mut self) {
        let Some(Frame { predicate, place: Some(place), is_met: true, .. }) = self.frames.pop() else {
            return;
        };
        let key = (predicate, place.arguments);
        if let Some(frames) = self.met.get_mut(&key) {
            frames.pop();
            if frames.is_empty() {
                self.met.remove(&key);
            }
        }
    }

    /// Makes the next choice at the topmost frame; false where there is no other.
    fn choose(&mut self, top: usize) -> bool {
        let system = self.system;
        let frame = &self.frames[top];
        self.pending.truncate(frame.pending_before);
        let rules = &system.predicates[frame.predicate].rules;
        let mut position = 0;
        if let Some(choice) = &frame.choice {
            let mut initial = choice.initial.clone();
            if next_combination(&mut initial, &system.rules[choice.rule]) {
                let choice = Choice { initial, ..*choice };
                self.frames[top].choice = Some(choice);
                return true;
            }
            position = choice.position + 1;
        }
        let rest = frame.rest.map_or(&self.nothing, |rest| &self.pending[rest].sizes);
        let found = rules.iter().enumerate().skip(position).find(|(_, rule)| {
            let (created, children) = self.sizes.of_rule(**rule);
            frame.remaining.checked_sub(created).is_some_and(|left| children.sums_to(rest, left))
        });
        let Some((position, &rule)) = found else { return false };
        let initial = vec![0; system.rules[rule].instance_atoms().count()];
        self.frames[top].choice = Some(Choice { position, rule, initial });
        true
    }

    /// Opens the next node after a choice at the topmost frame; true where the tree is complete. Opens
    /// none where that would be an idle round.
    fn descend(&mut self, top: usize) -> bool {
        let system = self.system;
        let frame = &self.frames[top];
        let Some(choice) = &frame.choice else { return false };
        let rule = &system.rules[choice.rule];
        let remaining = frame.remaining.saturating_sub(choice.initial.len());
        let mut rest = frame.rest;
        let mut children = rule.predicate_atoms();
        if let Some(first) = children.next() {
            let place = match is_passing(rule) {
                false => None,
                true => match self.pass(top, choice.rule) {
                    Some(place) => Some(place),
                    None => return false,
                },
            };
            let later: Vec<_> = children.map(|call| call.predicate).collect();
            for predicate in later.into_iter().rev() {
                let after = rest.map_or(&self.nothing, |rest| &self.pending[rest].sizes);
                let sizes = Rc::new(self.sizes.of_predicate(predicate).sum(after));
                self.pending.push(Pending { predicate, parent: top, next: rest, sizes });
                rest = Some(self.pending.len() - 1);
            }
            self.open(first.predicate, Some(top), remaining, rest, place);
            return false;
        }
        match rest.map(|rest| &self.pending[rest]) {
            None => true,
            Some(&Pending { predicate, parent, next, .. }) => {
                self.open(predicate, Some(parent), remaining, next, None);
                false
            }
        }
    }

    /// Where the child of the topmost frame is in the row of passing rules to which `id`, chosen there,
    /// belongs; `None` where the row comes to the end of an idle round (see the module's text).
    ///
    /// The frames of the row are looked up, not walked through: rows may be as long as the text.
    fn pass(&mut self, top: usize, id: RuleId) -> Option<Place> {
        let rule = &self.system.rules[id];
        let call = rule.predicate_atoms().next()?;
        let frame = &mut self.frames[top];
        let place = frame.place.get_or_insert_with(|| {
            let arguments: Vec<usize> = (0..rule.parameter_count).collect();
            Place { begin: top, since: top, fresh: arguments.len(), arguments }
        });
        let place = place.clone();
        let key = (frame.predicate, place.arguments);
        let is_met = std::mem::replace(&mut frame.is_met, true);
        let met = self.met.entry(key.clone()).or_default();
        if !is_met {
            met.push(top);
        }
        let contributes = !(rule.interactions.is_empty() && rule.patterns.is_empty());
        // Was it applied to these arguments before, in this row?
        let mut earlier = met.iter().rev().skip(1).take_while(|&&frame| frame >= place.begin);
        let chosen = |frame: usize| self.frames[frame].choice.as_ref().map(|choice| choice.rule);
        let is_new = contributes && !earlier.any(|&frame| chosen(frame) == Some(id));
        let mut bound = key.1;
        let fresh = place.fresh + rule.variables.len() - rule.parameter_count;
        bound.extend(place.fresh..fresh);
        let arguments: Vec<usize> = call.arguments.iter().map(|v| bound[v.index()]).collect();
        let since = if is_new { top + 1 } else { place.since };
        let reached = (call.predicate, arguments);
        if self.met.get(&reached).and_then(|frames| frames.last()).is_some_and(|&last| last >= since) {
            return None;
        }
        Some(Place { begin: place.begin, since, arguments: reached.1, fresh })
    }

    fn tree(&self) -> RewritingTree {
        let mut nodes: Vec<TreeNode> = Vec::with_capacity(self.frames.len());
        for (position, frame) in self.frames.iter().enumerate() {
            let Some(choice) = &frame.choice else { continue };
            let atoms = self.system.rules[choice.rule].instance_atoms();
            let initial = atoms.zip(&choice.initial).map(|(atom, &state)| atom.initial[state]).collect();
            nodes.push(TreeNode { rule: choice.rule, initial, children: Vec::new() });
            // Children come in their order, for they are expanded in preorder.
            if let Some(parent) = frame.parent {
                nodes[parent].children.push(position);
            }
        }
        RewritingTree { nodes }
    }
}

/// Whether the rule only passes on: creates nothing and goes on with one predicate atom.
fn is_passing(rule: &Rule) -> bool {
    rule.instance_atoms().next().is_none() && rule.predicate_atoms().count() == 1
}

/// Advances `initial` as a counter, its last digit fastest; false after the last combination.
fn next_combination(initial: &mut [usize], rule: &Rule) -> bool {
    let limits: Vec<usize> = rule.instance_atoms().map(|atom| atom.initial.len()).collect();
    for (digit, &limit) in initial.iter_mut().zip(&limits).rev() {
        *digit += 1;
        if *digit < limit {
            return true;
        }
        *digit = 0;
    }
    false
}

/// The number of components of the smallest instance (saturating: it can be exponential in the length
/// of the text).
pub fn smallest_size(system: &System) -> u64 {
    cheapest(system)[system.root].map_or(u64::MAX, |best| best.components)
}

/// A tree with the fewest components, among those one with the fewest nodes; `None` where it is larger
/// than [`MAX_SMALLEST_TREE`]. Every component starts in the first state allowed.
pub fn smallest_tree(system: &System) -> Option<RewritingTree> {
    let cheapest = cheapest(system);
    let best = cheapest[system.root]?;
    if best.components.max(best.nodes) > MAX_SMALLEST_TREE {
        return None;
    }
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut open: Vec<(PredicateId, Option<usize>)> = vec![(system.root, None)];
    while let Some((predicate, parent)) = open.pop() {
        let rule_id = cheapest[predicate]?.rule;
        let rule = &system.rules[rule_id];
        let position = nodes.len();
        let initial: Option<Vec<StateId>> =
            rule.instance_atoms().map(|a| a.initial.first().copied()).collect();
        nodes.push(TreeNode { rule: rule_id, initial: initial?, children: Vec::new() });
        if let Some(parent) = parent {
            nodes[parent].children.push(position);
        }
        let calls: Vec<_> = rule.predicate_atoms().map(|call| (call.predicate, Some(position))).collect();
        open.extend(calls.into_iter().rev());
    }
    Some(RewritingTree { nodes })
}

/// A smallest subtree of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cheapest {
    components: u64,
    nodes: u64,
    rule: RuleId,
}

impl Cheapest {
    /// What is compared.
    fn cost(self) -> (u64, u64) {
        (self.components, self.nodes)
    }
}

/// Per predicate its smallest subtree. A subtree costs more than each of its children, so the rules
/// found don't run in a circle.
///
/// Predicates are settled in the order of their costs (Knuth's generalisation of Dijkstra's algorithm). Among
/// rules that cost the same, one counts that is known first when all rules are gone through in their order,
/// again and again.
fn cheapest(system: &System) -> IndexVec<PredicateId, Option<Cheapest>> {
    let mut best: IndexVec<PredicateId, Option<Cheapest>> = system.predicates.iter().map(|_| None).collect();
    // Per predicate the rules that need it, once for each atom; per rule how many of its atoms wait.
    let mut users: IndexVec<PredicateId, Vec<RuleId>> =
        system.predicates.iter().map(|_| Vec::new()).collect();
    let mut missing: IndexVec<RuleId, usize> = IndexVec::new();
    let mut queue = BinaryHeap::new();
    for (id, rule) in system.rules.enumerate() {
        rule.predicate_atoms().for_each(|call| users[call.predicate].push(id));
        let calls = rule.predicate_atoms().count();
        missing.push(calls);
        if calls == 0 {
            queue.extend(cost(system, &best, id).map(|cost| Reverse((cost.cost(), id))));
        }
    }
    // Per predicate when its subtree is known: in which round, and by which rule.
    let mut known: IndexVec<PredicateId, (u64, RuleId)> =
        system.predicates.iter().map(|_| (0, RuleId::new(0))).collect();
    while let Some(Reverse((_, first))) = queue.pop() {
        let predicate = system.rules[first].head;
        if best[predicate].is_some() {
            continue;
        }
        let costs = system.predicates[predicate].rules.iter().filter_map(|&id| cost(system, &best, id));
        let costs: Vec<Cheapest> = costs.collect();
        let Some(least) = costs.iter().map(|cost| cost.cost()).min() else { continue };
        let when = |rule: RuleId| {
            let calls = system.rules[rule].predicate_atoms();
            let rounds =
                calls.map(|call| known[call.predicate].0 + u64::from(known[call.predicate].1 >= rule));
            (rounds.max().unwrap_or(0), rule)
        };
        let chosen = costs.into_iter().filter(|cost| cost.cost() == least).min_by_key(|cost| when(cost.rule));
        known[predicate] = chosen.map_or((0, first), |chosen| when(chosen.rule));
        best[predicate] = chosen;
        for &user in &users[predicate] {
            missing[user] -= 1;
            if missing[user] == 0 {
                queue.extend(cost(system, &best, user).map(|cost| Reverse((cost.cost(), user))));
            }
        }
    }
    best
}

/// What a subtree costs that begins with `rule`, if its children's are known.
fn cost(system: &System, best: &IndexVec<PredicateId, Option<Cheapest>>, rule: RuleId) -> Option<Cheapest> {
    let definition = &system.rules[rule];
    let components = definition.instance_atoms().count() as u64;
    let mut cost = Cheapest { components, nodes: 1, rule };
    for call in definition.predicate_atoms() {
        let child = best[call.predicate]?;
        cost.components = cost.components.saturating_add(child.components);
        cost.nodes = cost.nodes.saturating_add(child.nodes);
    }
    Some(cost)
}

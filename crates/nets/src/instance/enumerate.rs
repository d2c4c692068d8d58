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

use std::convert::Infallible;
use std::rc::Rc;

use paramcheck_model::component::StateId;
use paramcheck_model::rule::{PredicateId, Rule, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

mod sizes;
#[cfg(test)]
mod tests;

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
            is_started: false,
        }
    }

    /// The next tree, as by [`Iterator::next`].
    ///
    /// # Errors
    /// `budget` ended before it was found: there may be more.
    pub(crate) fn next_within(&mut self, budget: &Budget) -> Result<Option<RewritingTree>, Stop> {
        self.advance(&mut budget.pace())
    }

    fn advance<E>(&mut self, step: &mut impl FnMut() -> Result<(), E>) -> Result<Option<RewritingTree>, E> {
        if !self.is_started {
            self.is_started = true;
            // What is greater than all that is known of can't be judged.
            if self.size <= self.sizes.bound() {
                self.open(self.system.root, None, self.size, None);
            }
        }
        loop {
            step()?;
            let Some(top) = self.frames.len().checked_sub(1) else { return Ok(None) };
            if !self.choose(top) {
                self.frames.pop();
            } else if self.descend(top) {
                return Ok(Some(self.tree()));
            }
        }
    }

    fn open(&mut self, predicate: PredicateId, parent: Option<usize>, remaining: usize, rest: Option<usize>) {
        let pending_before = self.pending.len();
        self.frames.push(Frame { predicate, parent, remaining, rest, pending_before, choice: None });
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
            if self.is_idle(top) {
                return false;
            }
            let later: Vec<_> = children.map(|call| call.predicate).collect();
            for predicate in later.into_iter().rev() {
                let after = rest.map_or(&self.nothing, |rest| &self.pending[rest].sizes);
                let sizes = Rc::new(self.sizes.of_predicate(predicate).sum(after));
                self.pending.push(Pending { predicate, parent: top, next: rest, sizes });
                rest = Some(self.pending.len() - 1);
            }
            self.open(first.predicate, Some(top), remaining, rest);
            return false;
        }
        match rest.map(|rest| &self.pending[rest]) {
            None => true,
            Some(&Pending { predicate, parent, next, .. }) => {
                self.open(predicate, Some(parent), remaining, next);
                false
            }
        }
    }

    /// Whether the rule chosen at the topmost frame ends an idle round (see the module's text).
    fn is_idle(&self, top: usize) -> bool {
        let chosen = |frame: usize| {
            let rule = &self.system.rules[self.frames[frame].choice.as_ref()?.rule];
            is_passing(rule).then_some(rule)
        };
        // The row of passing rules that ends with the one chosen here. A passing rule's only child is
        // the next frame.
        let mut row: Vec<&Rule> = (0..=top).rev().map_while(chosen).collect();
        row.reverse();
        // What the parameters are bound to: a number each, the same as at the start of the row or,
        // for a variable bound within it, a new one.
        let Some(first) = row.first() else { return false };
        let mut arguments: Vec<usize> = (0..first.parameter_count).collect();
        let mut fresh = first.parameter_count;
        let mut applied: Vec<(&Rule, Vec<usize>)> = Vec::new();
        let mut visited = vec![(first.head, arguments.clone())];
        for (step, rule) in row.iter().enumerate() {
            let contributes = !(rule.interactions.is_empty() && rule.patterns.is_empty());
            let application = (*rule, arguments.clone());
            let is_new =
                contributes && !applied.iter().any(|a| std::ptr::eq(a.0, *rule) && a.1 == application.1);
            let bound = rule.variables.len() - rule.parameter_count;
            arguments.extend(fresh..fresh + bound);
            fresh += bound;
            let Some(call) = rule.predicate_atoms().next() else { return false };
            let reached: Vec<usize> = call.arguments.iter().map(|v| arguments[v.index()]).collect();
            if is_new {
                applied.push(application);
                visited.clear();
            }
            let reached = (call.predicate, reached);
            if visited.contains(&reached) {
                return step + 1 == row.len();
            }
            arguments.clone_from(&reached.1);
            visited.push(reached);
        }
        false
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

/// Per predicate its smallest subtree. A subtree costs more than each of its children, so the rules
/// found don't run in a circle.
fn cheapest(system: &System) -> IndexVec<PredicateId, Option<Cheapest>> {
    let mut best: IndexVec<PredicateId, Option<Cheapest>> = system.predicates.iter().map(|_| None).collect();
    loop {
        let mut is_changed = false;
        for (id, rule) in system.rules.enumerate() {
            let created = rule.instance_atoms().count() as u64;
            let mut cost = Some(Cheapest { components: created, nodes: 1, rule: id });
            for call in rule.predicate_atoms() {
                cost = cost.zip(best[call.predicate]).map(|(sum, child)| Cheapest {
                    components: sum.components.saturating_add(child.components),
                    nodes: sum.nodes.saturating_add(child.nodes),
                    rule: id,
                });
            }
            let Some(cost) = cost else { continue };
            let key = |cheapest: Cheapest| (cheapest.components, cheapest.nodes);
            if best[rule.head].is_none_or(|old| key(cost) < key(old)) {
                best[rule.head] = Some(cost);
                is_changed = true;
            }
        }
        if !is_changed {
            return best;
        }
    }
}

//! The most even rewriting tree of a size: the balanced one of a binary tree, and of a ring of stars the one
//! whose stars have as many leaves as the ring has stars, spread evenly.
//!
//! Predicates that need each other belong together; the nodes of a tree that are connected through such
//! predicates are a *stretch*: the ring of a ring of stars, a list of leaves, all of a binary tree. What a
//! stretch leads to is a *part*, which begins a stretch of its own. The *extent* of a tree is the height of its
//! first stretch, plus the greatest extent of the parts of that. A tree is most even if its parts are (each
//! among the trees of its predicate and size), and then, of several,
//!
//! 1. its extent is least,
//! 2. the greatest extent of the parts of its first stretch is least,
//! 3. a sum of squares is least: of the heights of all its stretches that do not branch, and of the sizes of all
//!    subtrees that go on a stretch that does,
//! 4. its first stretch has the fewest nodes; so there are no idle rounds.
//!
//! What is left is decided by the order of the rules in the text, then by sizes, the larger first. Every
//! component starts in the first state allowed.
//!
//! No trees are listed. Here, from callees to callers, it is found out which heights of stretches go with which
//! extents of parts, per predicate and size. [`plan`] then minimises the squares, for those predicates and
//! sizes that may occur. For rules of two predicate atoms the time is quadratic in the size, once per height
//! and extent that is possible.

use paramcheck_model::rule::{PredicateId, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

use super::sizes::{Calls, Sizes};

mod plan;
#[cfg(test)]
mod tests;

/// The search for the most even tree takes at most this many steps: about a second.
const MAX_STEPS: u64 = 100_000_000;
/// Its tables have at most this many cells.
const MAX_CELLS: usize = 4_000_000;

/// Why the most even tree was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEven {
    /// The budget ended.
    Stopped(Stop),
    /// It would take too many steps, or too much memory.
    TooExpensive,
}

impl From<Stop> for NotEven {
    fn from(stop: Stop) -> Self {
        NotEven::Stopped(stop)
    }
}

/// The most even tree of `system` with exactly `size` components (see the module's text); `None` where there is
/// none of this size. It is one of those that [`trees`](super::trees) lists.
///
/// # Errors
/// It was not found within `budget` and the limits here.
pub fn most_even(system: &System, size: usize, budget: &Budget) -> Result<Option<RewritingTree>, NotEven> {
    let sizes = Sizes::new(system, size, &mut || budget.check())?;
    if !sizes.of_predicate(system.root).contains(size) {
        return Ok(None);
    }
    let atoms: usize = system.rules.iter().map(|rule| rule.predicate_atoms().count()).sum();
    if (system.predicates.len() + atoms).saturating_mul(size + 1) > MAX_CELLS {
        return Err(NotEven::TooExpensive);
    }
    let mut work = Work { budget, left: MAX_STEPS };
    let shapes = Shapes::new(system, size, &mut work)?;
    plan::tree(system, &sizes, &shapes, size, &mut work).map(Some)
}

/// What may still be done.
struct Work<'a> {
    budget: &'a Budget,
    left: u64,
}

impl Work<'_> {
    /// Before so many steps.
    fn spend(&mut self, steps: usize) -> Result<(), NotEven> {
        self.left = self.left.checked_sub(steps as u64 + 1).ok_or(NotEven::TooExpensive)?;
        self.budget.check()?;
        Ok(())
    }
}

/// How a tree can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// The height of its first stretch, in nodes.
    height: u32,
    /// The greatest extent of the parts of that.
    parts: u32,
}

impl Shape {
    fn extent(self) -> u32 {
        self.height + self.parts
    }
}

/// Shapes of which none is at most another in both numbers, by height.
#[derive(Clone, Debug, Default)]
struct Front(Vec<Shape>);

impl Front {
    /// Adds a shape; false where another is as good.
    fn insert(&mut self, new: Shape) -> bool {
        let after = self.0.partition_point(|old| old.height <= new.height);
        if after > 0 && self.0[after - 1].parts <= new.parts {
            return false;
        }
        let begin = self.0.partition_point(|old| old.height < new.height);
        let worse = self.0[begin..].iter().take_while(|old| old.parts >= new.parts).count();
        self.0.splice(begin..begin + worse, [new]);
        true
    }

    /// The shape of the most even tree.
    fn best(&self) -> Option<Shape> {
        self.0.iter().copied().min_by_key(|shape| (shape.extent(), shape.parts))
    }

    /// Whether some shape is at most this one in both numbers.
    fn allows(&self, most: Shape) -> bool {
        let after = self.0.partition_point(|shape| shape.height <= most.height);
        after > 0 && self.0[after - 1].parts <= most.parts
    }
}

/// Which shapes there are.
struct Shapes {
    calls: Calls,
    /// To which component of [`Calls::components`] a predicate belongs.
    component: IndexVec<PredicateId, usize>,
    /// Per component whether some rule has several predicate atoms of the component.
    branches: Vec<bool>,
    /// By predicate and size, with parts that are most even.
    fronts: IndexVec<PredicateId, Vec<Front>>,
    /// Of these the best.
    best: IndexVec<PredicateId, Vec<Option<Shape>>>,
}

impl Shapes {
    fn new(system: &System, size: usize, work: &mut Work<'_>) -> Result<Self, NotEven> {
        let calls = Calls::new(system);
        let mut component: IndexVec<PredicateId, usize> = system.predicates.iter().map(|_| 0).collect();
        for (number, members) in calls.components.iter().enumerate() {
            members.iter().for_each(|&member| component[member] = number);
        }
        let mut branches = vec![false; calls.components.len()];
        for rule in system.rules.iter() {
            let own = component[rule.head];
            let inside = rule.predicate_atoms().filter(|call| component[call.predicate] == own).count();
            branches[own] |= inside > 1;
        }
        let mut shapes = Shapes {
            component,
            branches,
            fronts: system.predicates.iter().map(|_| vec![Front::default(); size + 1]).collect(),
            best: system.predicates.iter().map(|_| vec![None; size + 1]).collect(),
            calls,
        };
        for number in 0..shapes.calls.components.len() {
            shapes.of_component(system, number, size, work)?;
        }
        Ok(shapes)
    }

    /// Whether the predicate is one of the rule's stretch.
    fn is_inside(&self, system: &System, rule: RuleId, predicate: PredicateId) -> bool {
        self.component[system.rules[rule].head] == self.component[predicate]
    }

    /// Finds the shapes of predicates that need each other; those that they lead to are known.
    fn of_component(
        &mut self,
        system: &System,
        number: usize,
        size: usize,
        work: &mut Work<'_>,
    ) -> Result<(), NotEven> {
        let members = self.calls.components[number].clone();
        let rules = members.iter().flat_map(|&member| &system.predicates[member].rules);
        let mut combined: Vec<Combined> =
            rules.filter_map(|&rule| Combined::new(system, rule, size)).collect();
        for total in 1..=size {
            let mut changed = Vec::new();
            for combined in &mut combined {
                work.spend(0)?;
                let Some(children) = total.checked_sub(combined.created) else { continue };
                // A rule that only passes on within the stretch needs the shapes of this very size.
                if combined.created == 0 && combined.atoms.len() == 1 {
                    let predicate = combined.atoms[0];
                    if self.is_inside(system, combined.rule, predicate) {
                        continue;
                    }
                }
                combined.extend(self, system, children, work)?;
                let head = system.rules[combined.rule].head;
                let front = &mut self.fronts[head][total];
                let mut is_new = false;
                for shape in combined.children(children) {
                    is_new |= front.insert(Shape { height: shape.height + 1, ..shape });
                }
                if is_new {
                    changed.push(head);
                }
            }
            while let Some(callee) = changed.pop() {
                for &rule in &self.calls.again[callee] {
                    let definition = &system.rules[rule];
                    if !super::is_passing(definition) {
                        continue;
                    }
                    let shapes = self.fronts[callee][total].clone();
                    work.spend(shapes.0.len())?;
                    let front = &mut self.fronts[definition.head][total];
                    let mut is_new = false;
                    for shape in shapes.0 {
                        is_new |= front.insert(Shape { height: shape.height + 1, ..shape });
                    }
                    if is_new {
                        changed.push(definition.head);
                    }
                }
            }
            for &member in &members {
                self.best[member][total] = self.fronts[member][total].best();
            }
        }
        Ok(())
    }

    /// What a child of `predicate` with `size` components adds to a rule's shape.
    fn child(&self, predicate: PredicateId, size: usize, is_inside: bool) -> Front {
        if is_inside {
            return self.fronts[predicate][size].clone();
        }
        let part = self.best[predicate][size].map(|best| Shape { height: 0, parts: best.extent() });
        Front(part.into_iter().collect())
    }
}

/// The shapes of the children of one rule together.
struct Combined {
    rule: RuleId,
    created: usize,
    atoms: Vec<PredicateId>,
    /// For 0, 1, 2, … atoms from the left, by what they have together, as far as it is known.
    prefixes: Vec<Vec<Front>>,
}

impl Combined {
    /// Nothing is known yet; `None` where the rule is in no tree of at most `size` components.
    fn new(system: &System, rule: RuleId, size: usize) -> Option<Self> {
        let definition = &system.rules[rule];
        let created = definition.instance_atoms().count();
        let atoms: Vec<PredicateId> = definition.predicate_atoms().map(|call| call.predicate).collect();
        // Each atom creates something.
        if created + atoms.len() > size {
            return None;
        }
        let mut prefixes = vec![vec![Front::default(); size + 1]; atoms.len() + 1];
        prefixes[0][0].insert(Shape { height: 0, parts: 0 });
        Some(Combined { rule, created, atoms, prefixes })
    }

    /// Finds the shapes of `total` components; those of fewer are known.
    fn extend(
        &mut self,
        shapes: &Shapes,
        system: &System,
        total: usize,
        work: &mut Work<'_>,
    ) -> Result<(), NotEven> {
        for (position, &predicate) in self.atoms.iter().enumerate() {
            let is_inside = shapes.is_inside(system, self.rule, predicate);
            if position == 0 {
                // Read again where it is needed: within the stretch, not all of this size may be known yet.
                self.prefixes[1][total] = shapes.child(predicate, total, is_inside);
                continue;
            }
            let mut found = Front::default();
            // The atoms before have at least one component each.
            for before in position..total {
                let child = shapes.child(predicate, total - before, is_inside);
                let first = match position {
                    1 => &shapes.child(
                        self.atoms[0],
                        before,
                        shapes.is_inside(system, self.rule, self.atoms[0]),
                    ),
                    _ => &self.prefixes[position][before],
                };
                work.spend(first.0.len() * child.0.len())?;
                for one in &first.0 {
                    for other in &child.0 {
                        let (height, parts) = (one.height.max(other.height), one.parts.max(other.parts));
                        found.insert(Shape { height, parts });
                    }
                }
            }
            self.prefixes[position + 1][total] = found;
        }
        Ok(())
    }

    /// The shapes of all children with `total` components together.
    fn children(&self, total: usize) -> impl Iterator<Item = Shape> + '_ {
        self.prefixes.last().into_iter().flat_map(move |fronts| fronts[total].0.iter().copied())
    }
}

//! From shapes to the tree: per predicate and size that occurs in it, how its first stretch divides the
//! components among its nodes and parts so that the squares are least.
//!
//! Stretches whose parts have at most the same extent share a table of layers: which predicates with which sizes
//! can stand with at most one, two, … nodes below and including them. Layers are filled from the lowest up,
//! components of predicates from callees to callers.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use paramcheck_model::rule::{PredicateId, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::index::IndexVec;

use super::super::sizes::Sizes;
use super::{NotEven, Shape, Shapes, Work};

/// What is minimised, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// The sum of the squares of sizes.
    squares: u64,
    /// The nodes of the stretch.
    nodes: u64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost { squares: self.squares + other.squares, nodes: self.nodes + other.nodes }
    }
}

fn square(size: usize) -> u64 {
    (size as u64).pow(2)
}

/// The best choice at one node.
#[derive(Clone, Debug)]
struct Choice {
    cost: Cost,
    rule: RuleId,
    /// The sizes of its children.
    sizes: Vec<usize>,
}

/// The nodes that a stretch can have at one height, with the best choice at each.
type Layer = BTreeMap<(PredicateId, usize), Option<Choice>>;

/// The sums that some atoms of a rule can have: per sum from `from` on the least cost, and the size of the last
/// atom in it.
struct Sums {
    from: usize,
    cells: Vec<Option<(Cost, usize)>>,
}

impl Sums {
    /// Those of no atom.
    fn nothing() -> Self {
        Sums { from: 0, cells: vec![Some((Cost::default(), 0))] }
    }

    fn get(&self, sum: usize) -> Option<(Cost, usize)> {
        self.cells.get(sum.checked_sub(self.from)?).copied().flatten()
    }

    /// Those with one atom more, which can have these sizes (ascending), up to `most`. Of equal cost is the
    /// one with the smaller last atom.
    fn then(&self, child: &[(usize, Cost)], most: usize) -> Self {
        let (Some((least, _)), Some((greatest, _))) = (child.first(), child.last()) else {
            return Sums { from: 0, cells: Vec::new() };
        };
        let from = self.from + least;
        let end = (self.from + self.cells.len() + greatest).min(most + 1);
        let mut cells: Vec<Option<(Cost, usize)>> = vec![None; end.saturating_sub(from)];
        for &(size, cost) in child {
            for (position, before) in self.cells.iter().enumerate() {
                let Some((before, _)) = before else { continue };
                let cell = (self.from + position + size).checked_sub(from).and_then(|sum| cells.get_mut(sum));
                let Some(cell) = cell else { break };
                let sum = before.plus(cost);
                if cell.is_none_or(|(best, _)| sum < best) {
                    *cell = Some((sum, size));
                }
            }
        }
        Sums { from, cells }
    }
}

/// Which trees and parts may occur, by predicate and size.
struct Wanted {
    /// Those with a node of their predicate.
    seen: IndexVec<PredicateId, Vec<bool>>,
    /// Those that begin a stretch.
    begins: IndexVec<PredicateId, Vec<bool>>,
}

/// The most even stretches.
struct Planner<'a> {
    system: &'a System,
    sizes: &'a Sizes,
    shapes: &'a Shapes,
    /// The layers, the lowest first, for predicates that need each other whose parts have at most this extent.
    layers: FxHashMap<(usize, u32), Vec<Layer>>,
    /// The squares of the most even trees, by predicate and size, as far as they are wanted.
    squares: IndexVec<PredicateId, Vec<Option<u64>>>,
}

impl<'a> Planner<'a> {
    /// Finds the stretches of all trees and parts that may occur in a tree of `size` components.
    fn new(
        system: &'a System,
        sizes: &'a Sizes,
        shapes: &'a Shapes,
        size: usize,
        work: &mut Work<'_>,
    ) -> Result<Self, NotEven> {
        let squares = system.predicates.iter().map(|_| vec![None; size + 1]).collect();
        let mut planner = Planner { system, sizes, shapes, layers: FxHashMap::default(), squares };
        let wanted = planner.wanted(size, work)?;
        for (number, members) in shapes.calls.components.iter().enumerate() {
            let mut by_parts: BTreeMap<u32, Vec<(PredicateId, usize, usize)>> = BTreeMap::new();
            for &member in members {
                for (size, _) in wanted.begins[member].iter().enumerate().filter(|(_, begins)| **begins) {
                    if let Some(best) = shapes.best[member][size] {
                        by_parts.entry(best.parts).or_default().push((member, size, best.height as usize));
                    }
                }
            }
            for (parts, tops) in by_parts {
                let layers = planner.stretches(&tops, parts, work)?;
                for (predicate, size, height) in tops {
                    let choice =
                        height.checked_sub(1).and_then(|level| layers[level].get(&(predicate, size)));
                    let squares = choice.and_then(Option::as_ref).map(|choice| choice.cost.squares);
                    let own = if shapes.branches[number] { 0 } else { square(height) };
                    planner.squares[predicate][size] = squares.map(|squares| squares + own);
                }
                planner.layers.insert((number, parts), layers);
            }
        }
        Ok(planner)
    }

    /// Which trees and parts may occur in a tree of `size` components.
    fn wanted(&self, size: usize, work: &mut Work<'_>) -> Result<Wanted, NotEven> {
        let none = || self.system.predicates.iter().map(|_| vec![false; size + 1]).collect();
        let mut wanted = Wanted { seen: none(), begins: none() };
        let root = self.system.root;
        wanted.begins[root][size] = true;
        wanted.seen[root][size] = true;
        let mut open = vec![(root, size)];
        while let Some((predicate, size)) = open.pop() {
            for &rule in &self.system.predicates[predicate].rules {
                for (child, possible) in self.children(rule, size) {
                    let is_inside = self.shapes.is_inside(self.system, rule, child);
                    work.spend(possible.clone().count())?;
                    for size in possible {
                        if self.shapes.best[child][size].is_none() {
                            continue;
                        }
                        wanted.begins[child][size] |= !is_inside;
                        if !std::mem::replace(&mut wanted.seen[child][size], true) {
                            open.push((child, size));
                        }
                    }
                }
            }
        }
        Ok(wanted)
    }

    /// The predicates of a rule's children, with the sizes that they may have where all have `size` with what
    /// the rule creates.
    fn children(
        &self,
        rule: RuleId,
        size: usize,
    ) -> impl Iterator<Item = (PredicateId, RangeInclusive<usize>)> + use<'a> {
        let system = self.system;
        let definition = &system.rules[rule];
        let (created, _) = self.sizes.of_rule(rule);
        let atoms = definition.predicate_atoms().count();
        let left = size.checked_sub(created).filter(|&left| atoms > 0 && left >= atoms);
        let possible = left.map(|left| if atoms == 1 { left..=left } else { 1..=left + 1 - atoms });
        possible.into_iter().flat_map(move |possible| {
            definition.predicate_atoms().map(move |call| (call.predicate, possible.clone()))
        })
    }

    /// The layers for trees of these predicates of one component, of these sizes and heights, which exist.
    fn stretches(
        &self,
        tops: &[(PredicateId, usize, usize)],
        parts: u32,
        work: &mut Work<'_>,
    ) -> Result<Vec<Layer>, NotEven> {
        let height = tops.iter().map(|top| top.2).max().unwrap_or(0);
        let mut layers: Vec<Layer> = vec![Layer::new(); height];
        for &(predicate, size, height) in tops {
            if let Some(layer) = height.checked_sub(1).and_then(|level| layers.get_mut(level)) {
                layer.insert((predicate, size), None);
            }
        }
        for level in (1..height).rev() {
            let nodes: Vec<(PredicateId, usize)> = layers[level].keys().copied().collect();
            let below = Shape { height: level as u32, parts };
            for node in nodes {
                self.add_children(node, below, &mut layers[level - 1], work)?;
            }
        }
        let lowest = Layer::new();
        for level in 0..height {
            let (below, from_here) = layers.split_at_mut(level);
            if let Some(layer) = from_here.first_mut() {
                self.fill(layer, below.last().unwrap_or(&lowest), parts, work)?;
            }
        }
        Ok(layers)
    }

    /// Adds to `layer` the nodes of the stretch that can stand below a node, within `most`.
    fn add_children(
        &self,
        (predicate, size): (PredicateId, usize),
        most: Shape,
        layer: &mut Layer,
        work: &mut Work<'_>,
    ) -> Result<(), NotEven> {
        for &rule in &self.system.predicates[predicate].rules {
            for (child, possible) in self.children(rule, size) {
                if !self.shapes.is_inside(self.system, rule, child) {
                    continue;
                }
                work.spend(possible.clone().count())?;
                for size in possible {
                    if self.shapes.fronts[child][size].allows(most) {
                        layer.entry((child, size)).or_default();
                    }
                }
            }
        }
        Ok(())
    }

    /// Chooses at each node of a layer, the one below being filled.
    fn fill(&self, layer: &mut Layer, below: &Layer, parts: u32, work: &mut Work<'_>) -> Result<(), NotEven> {
        let mut greatest: BTreeMap<PredicateId, usize> = BTreeMap::new();
        for &(predicate, size) in layer.keys() {
            let most = greatest.entry(predicate).or_default();
            *most = size.max(*most);
        }
        for (&predicate, &most) in &greatest {
            for &rule in &self.system.predicates[predicate].rules {
                let (created, _) = self.sizes.of_rule(rule);
                let Some(most) = most.checked_sub(created) else { continue };
                let sums = self.sums(rule, below, parts, most, work)?;
                for (&(_, size), choice) in layer.range_mut((predicate, 0)..=(predicate, created + most)) {
                    let Some(left) = size.checked_sub(created) else { continue };
                    let Some((cost, _)) = sums.last().and_then(|all| all.get(left)) else { continue };
                    let cost = cost.plus(Cost { squares: 0, nodes: 1 });
                    if choice.as_ref().is_none_or(|best| cost < best.cost) {
                        *choice = Some(Choice { cost, rule, sizes: divide(&sums, left) });
                    }
                }
            }
        }
        Ok(())
    }

    /// The sums that 0, 1, 2, … children of a rule can have, up to `most`.
    fn sums(
        &self,
        rule: RuleId,
        below: &Layer,
        parts: u32,
        most: usize,
        work: &mut Work<'_>,
    ) -> Result<Vec<Sums>, NotEven> {
        let mut sums = vec![Sums::nothing()];
        for call in self.system.rules[rule].predicate_atoms() {
            let child = call.predicate;
            let sizes: Vec<(usize, Cost)> = if self.shapes.is_inside(self.system, rule, child) {
                let counts = self.shapes.branches[self.shapes.component[child]];
                let choices = below.range((child, 0)..=(child, most));
                let cost = |size: usize, choice: &Choice| {
                    let squares = if counts { square(size) } else { 0 };
                    (size, choice.cost.plus(Cost { squares, nodes: 0 }))
                };
                choices.filter_map(|(&(_, size), choice)| Some(cost(size, choice.as_ref()?))).collect()
            } else {
                let fits =
                    |size: usize| self.shapes.best[child][size].is_some_and(|best| best.extent() <= parts);
                let known = |size: usize| self.squares[child][size].filter(|_| fits(size));
                let cost = |size| Some((size, Cost { squares: known(size)?, nodes: 0 }));
                (1..=most).filter_map(cost).collect()
            };
            let Some(last) = sums.last() else { break };
            work.spend(most + sizes.len() * last.cells.len())?;
            let next = last.then(&sizes, most);
            sums.push(next);
        }
        Ok(sums)
    }
}

/// The sizes of the children that have `total` together.
fn divide(sums: &[Sums], total: usize) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut left = total;
    for sums in sums.iter().skip(1).rev() {
        let size = sums.get(left).map_or(0, |(_, size)| size);
        sizes.push(size);
        left = left.saturating_sub(size);
    }
    sizes.reverse();
    sizes
}

/// A node to be made.
struct Open {
    parent: Option<usize>,
    predicate: PredicateId,
    size: usize,
    /// Of its stretch: the extent of parts, and how many nodes may be below and including it; `None` where it
    /// begins one.
    stretch: Option<(u32, usize)>,
}

/// The most even tree of `size` components, of which there is one.
pub(super) fn tree(
    system: &System,
    sizes: &Sizes,
    shapes: &Shapes,
    size: usize,
    work: &mut Work<'_>,
) -> Result<RewritingTree, NotEven> {
    let planner = Planner::new(system, sizes, shapes, size, work)?;
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut open = vec![Open { parent: None, predicate: system.root, size, stretch: None }];
    while let Some(Open { parent, predicate, size, stretch }) = open.pop() {
        // There is a tree of every size that a choice names.
        let best = shapes.best[predicate][size].ok_or(NotEven::TooExpensive)?;
        let (parts, height) = stretch.unwrap_or((best.parts, best.height as usize));
        let layers = planner.layers.get(&(shapes.component[predicate], parts));
        let layer = height.checked_sub(1).and_then(|level| layers?.get(level));
        let choice = layer.and_then(|layer| layer.get(&(predicate, size))).and_then(Option::as_ref);
        let Some(Choice { rule, sizes, .. }) = choice else { return Err(NotEven::TooExpensive) };
        let definition = &system.rules[*rule];
        let number = nodes.len();
        let initial = definition.instance_atoms().filter_map(|atom| atom.initial.first().copied()).collect();
        nodes.push(TreeNode { rule: *rule, initial, children: Vec::new() });
        if let Some(parent) = parent {
            nodes[parent].children.push(number);
        }
        let children = definition.predicate_atoms().zip(sizes).map(|(call, &size)| {
            let is_inside = shapes.is_inside(system, *rule, call.predicate);
            let stretch = is_inside.then(|| (parts, height - 1));
            Open { parent: Some(number), predicate: call.predicate, size, stretch }
        });
        let children: Vec<Open> = children.collect();
        open.extend(children.into_iter().rev());
    }
    Ok(RewritingTree { nodes })
}

//! The strongly connected components of the product, depth first and on the fly.
//!
//! Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999, as in Couvreur, Duret-Lutz and
//! Poitrenaud, *On-the-fly emptiness checks for generalized Büchi automata*, SPIN 2005, Figure 2: the pairs
//! on the way and those that hang together with them lie on one stack, the roots of their components on
//! another. A root knows the marks of all edges inside of its component, so a component is known to have them
//! all as soon as it does, before it is complete. There is no recursion.

use super::product::{Halt, Product};
use crate::system::System;

/// A pair that was not visited. Any other mark but the next is its position among those that hang together,
/// plus 1.
pub(super) const NEW: u32 = 0;
/// A pair whose component is known to be of no use.
pub(super) const DEAD: u32 = u32::MAX;

/// A component: strongly connected pairs, and the marks of the edges between them.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) pairs: Vec<u32>,
    pub(super) marks: Vec<u64>,
}

/// What edges are marked with, and what is looked for. Marks are bits of as many words as `width` says.
pub(super) trait Goal<S: System> {
    /// How many words the marks have.
    fn width(&self) -> usize;

    /// Whether an edge is gone along, and if so its marks, which are set in `marks`: edge `position` of the
    /// pair that was expanded.
    fn marks(&self, product: &Product<'_, S>, position: usize, marks: &mut [u64]) -> bool;

    /// Whether a component, not yet complete, is what is looked for.
    fn is_found_early(&self, marks: &[u64]) -> bool;

    /// A component is complete: whether the search is over.
    fn completes(&mut self, component: Component) -> bool;
}

/// A root on its stack: the position of its first pair, plus 1.
struct Roots {
    firsts: Vec<u32>,
    /// Per root: the marks of the edges inside, and those of the edge that led to it.
    inside: Vec<u64>,
    before: Vec<u64>,
    width: usize,
}

impl Roots {
    fn push(&mut self, first: u32, before: &[u64]) {
        self.firsts.push(first);
        self.inside.resize(self.inside.len() + self.width, 0);
        self.before.extend_from_slice(before);
    }

    fn pop(&mut self) -> Vec<u64> {
        self.firsts.pop();
        let rest = self.inside.len().saturating_sub(self.width);
        self.before.truncate(rest);
        self.inside.split_off(rest)
    }

    /// An edge leads from the last component to the one of this pair: what lies between is one with it.
    fn join(&mut self, mark: u32, marks: &[u64]) -> &[u64] {
        let width = self.width;
        let mut all = marks.to_vec();
        while self.firsts.len() > 1 && self.firsts.last().is_some_and(|first| *first > mark) {
            self.firsts.pop();
            let rest = self.inside.len() - width;
            let between = self.inside[rest..].iter().zip(&self.before[rest..]);
            all.iter_mut().zip(between).for_each(|(all, (inside, before))| *all |= inside | before);
            self.inside.truncate(rest);
            self.before.truncate(rest);
        }
        let rest = self.inside.len() - width;
        self.inside[rest..].iter_mut().zip(all).for_each(|(inside, more)| *inside |= more);
        &self.inside[rest..]
    }
}

/// A pair on the way, and where its successors begin that are still to be visited.
struct Frame {
    pair: u32,
    begin: usize,
}

/// Visits what is reached from `starts` through pairs whose entry in `order` is [`NEW`]; pairs beyond the end
/// of `order` are new. The component that was found early, if one was.
pub(super) fn visit<S: System>(
    product: &mut Product<'_, S>,
    order: &mut Vec<u32>,
    starts: &[u32],
    goal: &mut impl Goal<S>,
) -> Result<Option<Component>, Halt> {
    let width = goal.width();
    let mut roots = Roots { firsts: Vec::new(), inside: Vec::new(), before: Vec::new(), width };
    let mut way: Vec<Frame> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    let mut pending_marks: Vec<u64> = Vec::new();
    let mut together: Vec<u32> = Vec::new();
    let mut marks = vec![0; width];
    for start in starts {
        grow(order, product.len());
        if order[*start as usize] != NEW {
            continue;
        }
        pending.push(*start);
        pending_marks.resize(width, 0);
        loop {
            let bottom = way.last().map_or(0, |frame| frame.begin);
            if pending.len() == bottom {
                let Some(frame) = way.pop() else { break };
                let own = order[frame.pair as usize];
                if roots.firsts.last() == Some(&own) {
                    let marks = roots.pop();
                    let pairs = together.split_off(own as usize - 1);
                    pairs.iter().for_each(|pair| order[*pair as usize] = DEAD);
                    if goal.completes(Component { pairs, marks }) {
                        return Ok(None);
                    }
                }
                continue;
            }
            let Some(pair) = pending.pop() else { break };
            marks.copy_from_slice(&pending_marks[pending.len() * width..]);
            pending_marks.truncate(pending.len() * width);
            match order[pair as usize] {
                NEW => {}
                DEAD => continue,
                // It was visited from another successor.
                known => {
                    let inside = roots.join(known, &marks);
                    if goal.is_found_early(inside) {
                        return Ok(Some(found(&mut roots, &mut together)));
                    }
                    continue;
                }
            }
            together.push(pair);
            let own = together.len() as u32;
            order[pair as usize] = own;
            roots.push(own, &marks);
            let extra = (pending.capacity() + together.capacity() + order.capacity()) * 4
                + way.capacity() * size_of::<Frame>()
                + (pending_marks.capacity() + roots.inside.capacity() * 2) * 8;
            product.expand(pair, extra)?;
            grow(order, product.len());
            way.push(Frame { pair, begin: pending.len() });
            for position in 0..product.edges.len() {
                marks.fill(0);
                if !goal.marks(product, position, &mut marks) {
                    continue;
                }
                let target = product.edges[position].target;
                match order[target as usize] {
                    NEW => {
                        pending.push(target);
                        pending_marks.extend_from_slice(&marks);
                    }
                    DEAD => {}
                    known => {
                        let inside = roots.join(known, &marks);
                        if goal.is_found_early(inside) {
                            return Ok(Some(found(&mut roots, &mut together)));
                        }
                    }
                }
            }
        }
    }
    Ok(None)
}

fn grow(order: &mut Vec<u32>, count: usize) {
    if order.len() < count {
        order.resize(count, NEW);
    }
}

/// The last component on the stacks.
fn found(roots: &mut Roots, together: &mut Vec<u32>) -> Component {
    let first = roots.firsts.last().map_or(0, |first| *first as usize - 1);
    let marks = roots.pop();
    Component { pairs: together.split_off(first), marks }
}

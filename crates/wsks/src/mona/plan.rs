//! A plan: which automata to build, in steps, to decide a formula.
//!
//! Each [`Step`] makes one automaton whose tracks are numbered 0, 1, … without gaps, in the order in
//! which they lie in the diagrams. An [`Operand`] gives the tracks of the new automaton on
//! which those of the old one lie, ascending.
//! So two subformulas that differ only in the names of variables, in the
//! same order, are one step. Negation is no step: it is a mark on operands, and products take any of
//! the 16 Boolean functions.
//!
//! [`lower`] makes a plan from a formula; a child process carries it out. A plan is plain data, and
//! `Plan::check` decides whether what came over the wire is one.

use serde::{Deserialize, Serialize};

mod lower;
#[cfg(test)]
mod tests;

pub use lower::{Lowered, TooManyTracks, lower};

/// The number of tracks an automaton may have: MONA keeps them in 16 bits and needs one number itself.
pub(crate) const MAX_TRACKS: usize = 0xffff;

/// A relation between tracks that has an automaton of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// The node is the root.
    Root(u16),
    /// Two nodes are one.
    SameNode(u16, u16),
    /// `child` is child `number` of `parent`, counted from 0 (trees), or lies `number` ≥ 1 steps below
    /// it (words).
    Child {
        /// The lower node.
        child: u16,
        /// The upper node.
        parent: u16,
        /// Which child, or how far below.
        number: u32,
    },
    /// A node is in a set.
    Member(u16, u16),
    /// A set is in a set.
    Subset(u16, u16),
    /// Two sets are one.
    SameSet(u16, u16),
}

impl Relation {
    /// The tracks of nodes.
    #[cfg(feature = "mona")]
    pub(crate) fn nodes(self) -> impl Iterator<Item = u16> {
        let (first, second) = match self {
            Relation::Root(node) | Relation::Member(node, _) => (Some(node), None),
            Relation::SameNode(left, right) => (Some(left), Some(right)),
            Relation::Child { child, parent, .. } => (Some(child), Some(parent)),
            Relation::Subset(..) | Relation::SameSet(..) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// All tracks, in the order of writing.
    #[cfg(any(test, feature = "mona"))]
    pub(crate) fn tracks(self) -> impl Iterator<Item = u16> {
        let (first, second) = match self {
            Relation::Root(node) => (node, None),
            Relation::SameNode(left, right)
            | Relation::Child { child: left, parent: right, .. }
            | Relation::Member(left, right)
            | Relation::Subset(left, right)
            | Relation::SameSet(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }
}

/// The automaton of an earlier step, on tracks of the new one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand {
    /// Position of the step in the plan.
    pub(crate) step: u32,
    /// Where its tracks lie now, ascending.
    pub(crate) tracks: Box<[u16]>,
}

/// How an automaton is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// From a relation.
    Basic(Relation),
    /// From two automata: bit 2x + y of `table` is the answer for x of `left` and y of `right`.
    Product {
        /// The left one.
        left: Operand,
        /// The right one.
        right: Operand,
        /// The Boolean function.
        table: u8,
    },
    /// There is a way to fill a track of an automaton; the tracks after it move up by one.
    Project {
        /// Position of the step that makes the automaton.
        step: u32,
        /// Whether its answers are exchanged before.
        negated: bool,
        /// The track to forget.
        track: u16,
    },
}

/// A conjunct of the whole formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Conjunct {
    /// The automaton, on the tracks of the whole.
    pub(crate) operand: Operand,
    /// Whether its answers are exchanged.
    pub(crate) negated: bool,
}

/// What to build to decide a formula: is there a word or tree that every conjunct accepts?
///
/// The conjuncts are multiplied in their order; as soon as nothing is left the answer is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The steps; operands refer to earlier ones.
    pub steps: Vec<Step>,
    /// The formula.
    pub conjuncts: Vec<Conjunct>,
}

impl Plan {
    /// The number of tracks of each step's automaton; `None` if this is no plan: a reference to a later
    /// step, tracks out of order, a gap.
    #[cfg(any(test, feature = "mona"))]
    pub(crate) fn check(&self) -> Option<Vec<u16>> {
        let mut widths: Vec<u16> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let width = match step {
                Step::Basic(relation) => {
                    let mut used: Vec<u16> = relation.tracks().collect();
                    used.sort_unstable();
                    gapless(&used)?
                }
                Step::Product { left, right, .. } => {
                    left.fits(&widths)?;
                    right.fits(&widths)?;
                    let mut used = [&*left.tracks, &*right.tracks].concat();
                    used.sort_unstable();
                    used.dedup();
                    gapless(&used)?
                }
                Step::Project { step, track, .. } => {
                    let width = *widths.get(*step as usize)?;
                    (*track < width).then_some(width - 1)?
                }
            };
            widths.push(width);
        }
        for conjunct in &self.conjuncts {
            conjunct.operand.fits(&widths)?;
        }
        Some(widths)
    }
}

impl Operand {
    /// Whether the step exists and the tracks are as many as it has, ascending, in range.
    #[cfg(any(test, feature = "mona"))]
    fn fits(&self, widths: &[u16]) -> Option<()> {
        let width = *widths.get(self.step as usize)?;
        let ascending = self.tracks.windows(2).all(|pair| pair.first() < pair.last());
        let in_range = self.tracks.last().is_none_or(|&last| usize::from(last) < MAX_TRACKS);
        (usize::from(width) == self.tracks.len() && ascending && in_range).then_some(())
    }
}

/// The length of a list that is 0, 1, 2, …
#[cfg(any(test, feature = "mona"))]
fn gapless(list: &[u16]) -> Option<u16> {
    let width = u16::try_from(list.len()).ok()?;
    (0..width).eq(list.iter().copied()).then_some(width)
}

//! MONA's automata behind safe types: the only `unsafe` code of the project.
//!
//! Here are deterministic automata on words ([`Word`], one successor) and on binary trees ([`Tree`], two),
//! with their diagrams shared as MONA shares them, and what a decision procedure does with them
//! ([`Automaton`]). Here are no formulas, no plan of what to build and no child process: those are in crate
//! `wsks`.
//!
//! Relations between numbered tracks go in ([`Relation`]); automata come out, are combined, and are read
//! state by state ([`Automaton::status`]) and node by node ([`Node`]). Each automaton frees itself. [`Mona`]
//! is the right to use MONA, held by one thread of the process for good.
//!
//! What can't be made safe is MONA's way to fail: it ends the process (see `shim.h`). So this is to run in a
//! child process. What links this crate is under the GPL.
//!
//! ```
//! use mona_sys::{Automaton, Mona, Relation, Word};
//!
//! const AND: u8 = 0b1000;
//! let mona = Mona::take().expect("there is one per process");
//! // A is in B and B is in A: they are equal.
//! let subset = Word::basic(&mona, Relation::Subset(0, 1)).expect("different tracks");
//! let superset = Word::basic(&mona, Relation::Subset(1, 0)).expect("different tracks");
//! let mut both = subset.product(&superset, AND);
//! let equal = Word::basic(&mona, Relation::SameSet(0, 1)).expect("different tracks");
//! assert_eq!((both.states(), both.nodes()), (equal.states(), equal.nodes()));
//! // For every A there is such a B: the automaton that is left reads no track that matters.
//! let some = both.project(1);
//! assert_eq!(some.tracks(), [0]);
//! assert!(some.states() < both.states());
//! ```
//!
//! # Safety
//!
//! Four invariants make the blocks below sound; the comment at each names those that it needs.
//!
//! 1. *One thread.* MONA's static variables see one thread: there is one [`Mona`] in a process's life,
//!    automata are made from it or from automata, and neither can be sent to another thread (they hold
//!    pointers).
//! 2. *Alive.* `raw` is an automaton made by MONA that nothing else owns. It is freed by `drop` alone.
//! 3. *Tracks.* An automaton knows its tracks (strictly ascending, below [`MAX_TRACKS`]), and no other occurs
//!    in its diagrams. So a renaming covers what it must, and keeps the order that diagrams need.
//! 4. *Nodes.* A [`Node`] is a manager's address and the number of a node, never a pointer into the table of
//!    nodes. The manager lives as long as its automaton, which the node borrows; and while it is borrowed, no
//!    node is renumbered: what renames, projects or frees takes `&mut self`, and a product writes to its
//!    operands' marks alone.

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of tracks an automaton may have: MONA keeps them in 16 bits and needs one number itself.
pub const MAX_TRACKS: usize = raw::PC_MAX_TRACK as usize + 1;

/// The exit code of a process in which a diagram would have passed 2^24 nodes.
pub const EXIT_NODES: i32 = raw::PC_EXIT_NODES as i32;

/// A relation between tracks that has an automaton of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

#[allow(non_camel_case_types, missing_docs, unreachable_pub, dead_code, clippy::all)]
mod raw {
    include!(concat!(env!("OUT_DIR"), "/mona_bindings.rs"));
}

/// The right to use MONA.
#[derive(Debug)]
pub struct Mona(PhantomData<*mut ()>);

static TAKEN: AtomicBool = AtomicBool::new(false);

impl Mona {
    /// Starts MONA, the first time in this process; `None` ever after.
    pub fn take() -> Option<Mona> {
        if TAKEN.swap(true, Ordering::SeqCst) {
            return None;
        }
        // SAFETY: 1; the swap lets one thread through, once.
        unsafe { raw::pc_start() };
        Some(Mona(PhantomData))
    }
}

/// Whether what ends in a state satisfies the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Words or trees that end here satisfy the formula.
    Accept,
    /// They don't.
    Reject,
    /// They give some first-order track no node.
    Neither,
}

/// What words and trees have in common.
///
/// Results of [`product`](Automaton::product) and [`project`](Automaton::project) are minimal; the
/// operands are afterwards as they were before.
pub trait Automaton: Sized {
    /// The automaton of a relation, right where its tracks of nodes are nodes; `None` where there is
    /// none (equal tracks, a number out of range).
    fn basic(mona: &Mona, relation: Relation) -> Option<Self>;
    /// The automaton that accepts where a track is a node.
    fn first_order(mona: &Mona, track: u16) -> Option<Self>;
    /// Combines the answers: bit 2x + y of `table` is the answer for x of `self` and y of `other`.
    fn product(&self, other: &Self, table: u8) -> Self;
    /// Forgets a track, existentially. (MONA changes the operand on the way, and it is restored: hence
    /// `&mut`.)
    fn project(&mut self, track: u16) -> Self;
    /// A second one of the same.
    fn duplicate(&self) -> Self;
    /// Exchanges [`Status::Accept`] and [`Status::Reject`].
    fn negate(&mut self);
    /// Turns [`Status::Reject`] into [`Status::Neither`].
    fn restrict(&mut self);
    /// The tracks that may occur, ascending.
    fn tracks(&self) -> &[u16];
    /// Renames the tracks, the i-th to the i-th of `to`; `false`, and nothing done, if those are not
    /// as many and strictly ascending.
    fn rename(&mut self, to: &[u16]) -> bool;
    /// The number of states.
    fn states(&self) -> u32;
    /// The number of diagram nodes.
    fn nodes(&self) -> u32;
    /// The state of the empty word or tree.
    fn start(&self) -> u32;
    /// The status of a state (`Neither` for a state that does not exist).
    fn status(&self, state: u32) -> Status;
}

/// A node of an automaton's diagrams.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    manager: NonNull<raw::pc_manager>,
    node: u32,
    automaton: PhantomData<&'a ()>,
}

/// What a node of a diagram is.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// The end: a state.
    Leaf(u32),
    /// A test whether a track has its bit here.
    Test {
        /// The track.
        track: u16,
        /// Where it has not.
        low: Node<'a>,
        /// Where it has.
        high: Node<'a>,
    },
}

impl<'a> Node<'a> {
    /// Equal for equal nodes of one automaton.
    pub fn id(self) -> u32 {
        self.node
    }

    /// What this node is.
    pub fn shape(self) -> Shape<'a> {
        let manager = self.manager.as_ptr();
        let child = |node| Node { node, ..self };
        // SAFETY: 1, 4; `node` is a root of the automaton or was reached from one.
        unsafe {
            if raw::pc_is_leaf(manager, self.node) != 0 {
                return Shape::Leaf(raw::pc_leaf_state(manager, self.node));
            }
            Shape::Test {
                track: raw::pc_track(manager, self.node) as u16,
                low: child(raw::pc_low(manager, self.node)),
                high: child(raw::pc_high(manager, self.node)),
            }
        }
    }
}

/// The shim's number of a relation, its two arguments and the number that goes with them.
fn numbers(relation: Relation) -> (u32, u16, u16, u32) {
    match relation {
        Relation::Root(i) => (raw::PC_ROOT, i, i, 0),
        Relation::SameNode(i, j) => (raw::PC_SAME_NODE, i, j, 0),
        Relation::Child { child, parent, number } => (raw::PC_CHILD, child, parent, number),
        Relation::Member(i, j) => (raw::PC_MEMBER, i, j, 0),
        Relation::Subset(i, j) => (raw::PC_SUBSET, i, j, 0),
        Relation::SameSet(i, j) => (raw::PC_SAME_SET, i, j, 0),
    }
}

/// Whether MONA has such an automaton. It sizes tables by `number` in 32 bits.
fn is_allowed(i: u16, j: u16, unary: bool, number: u32) -> bool {
    usize::from(i.max(j)) < MAX_TRACKS && unary == (i == j) && number <= 1 << 20
}

fn union(left: &[u16], right: &[u16]) -> Vec<u16> {
    let mut tracks = [left, right].concat();
    tracks.sort_unstable();
    tracks.dedup();
    tracks
}

/// The table by which MONA renames: a number for every track up to the last that occurs. `None` where the
/// renaming is not allowed.
fn renaming(from: &[u16], to: &[u16]) -> Option<Vec<u32>> {
    let ascending = to.windows(2).all(|pair| pair[0] < pair[1]);
    let in_range = to.last().is_none_or(|&last| (last as usize) < MAX_TRACKS);
    if from.len() != to.len() || !ascending || !in_range {
        return None;
    }
    let mut map = vec![0; from.last().map_or(0, |&last| last as usize + 1)];
    for (&from, &to) in from.iter().zip(to) {
        map[from as usize] = to.into();
    }
    Some(map)
}

macro_rules! automaton {
    (
        $(#[$doc:meta])* $name:ident: $raw:ident,
        $basic:ident $free:ident $copy:ident $product:ident $project:ident $negate:ident
        $restrict:ident $rename:ident $states:ident $nodes:ident $start:ident $status:ident
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name {
            raw: NonNull<raw::$raw>,
            tracks: Vec<u16>,
        }

        impl $name {
            /// Takes an automaton over. MONA's results are never null: it exits where memory ends.
            fn own(raw: *mut raw::$raw, tracks: Vec<u16>) -> Self {
                match NonNull::new(raw) {
                    Some(raw) => $name { raw, tracks },
                    None => std::process::abort(),
                }
            }
        }

        impl Automaton for $name {
            fn basic(_: &Mona, relation: Relation) -> Option<Self> {
                let (kind, i, j, number) = numbers(relation);
                if !is_allowed(i, j, matches!(relation, Relation::Root(_)), number) {
                    return None;
                }
                // SAFETY: 1, by the argument `Mona`; the tracks and the number are in range.
                let raw = NonNull::new(unsafe { raw::$basic(kind, i.into(), j.into(), number) })?;
                Some($name { raw, tracks: union(&[i], &[j]) })
            }

            fn first_order(_: &Mona, track: u16) -> Option<Self> {
                if !is_allowed(track, track, true, 0) {
                    return None;
                }
                let (kind, track) = (raw::PC_FIRST_ORDER, u32::from(track));
                // SAFETY: 1, by the argument `Mona`; the track is in range.
                let raw = NonNull::new(unsafe { raw::$basic(kind, track, track, 0) })?;
                Some($name { raw, tracks: vec![track as u16] })
            }

            fn product(&self, other: &Self, table: u8) -> Self {
                // SAFETY: 1, 2, for both operands; `table` has the four bits that it may have.
                let raw = unsafe { raw::$product(self.raw.as_ptr(), other.raw.as_ptr(), u32::from(table & 15)) };
                Self::own(raw, union(&self.tracks, &other.tracks))
            }

            fn project(&mut self, track: u16) -> Self {
                // SAFETY: 1, 2. The statuses, changed on the way, are restored; MONA ignores a track that
                // does not occur.
                let raw = unsafe { raw::$project(self.raw.as_ptr(), track.into()) };
                Self::own(raw, self.tracks.iter().copied().filter(|&other| other != track).collect())
            }

            fn duplicate(&self) -> Self {
                // SAFETY: 1, 2.
                let raw = unsafe { raw::$copy(self.raw.as_ptr()) };
                Self::own(raw, self.tracks.clone())
            }

            fn negate(&mut self) {
                // SAFETY: 1, 2; only statuses change.
                unsafe { raw::$negate(self.raw.as_ptr()) };
            }

            fn restrict(&mut self) {
                // SAFETY: 1, 2; only statuses change.
                unsafe { raw::$restrict(self.raw.as_ptr()) };
            }

            fn tracks(&self) -> &[u16] {
                &self.tracks
            }

            fn rename(&mut self, to: &[u16]) -> bool {
                if self.tracks == to {
                    return true;
                }
                let Some(mut map) = renaming(&self.tracks, to) else { return false };
                // SAFETY: 1, 2, 3; `map` has an entry for every track that occurs.
                unsafe { raw::$rename(self.raw.as_ptr(), map.as_mut_ptr()) };
                self.tracks = to.to_vec();
                true
            }

            fn states(&self) -> u32 {
                // SAFETY: 1, 2.
                unsafe { raw::$states(self.raw.as_ptr()) }
            }

            fn nodes(&self) -> u32 {
                // SAFETY: 1, 2.
                unsafe { raw::$nodes(self.raw.as_ptr()) }
            }

            fn start(&self) -> u32 {
                // SAFETY: 1, 2.
                unsafe { raw::$start(self.raw.as_ptr()) }
            }

            fn status(&self, state: u32) -> Status {
                if state >= self.states() {
                    return Status::Neither;
                }
                // SAFETY: 1, 2; `state` is one.
                match unsafe { raw::$status(self.raw.as_ptr(), state) } {
                    1 => Status::Accept,
                    -1 => Status::Reject,
                    _ => Status::Neither,
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: 1, 2; after `drop` nothing uses it.
                unsafe { raw::$free(self.raw.as_ptr()) };
            }
        }
    };
}

automaton! {
    /// An automaton on words. Its first letter belongs to no position: position p is letter p + 1.
    /// A first-order track is the first position that has its bit.
    Word: pc_dfa,
    pc_dfa_basic pc_dfa_free pc_dfa_copy pc_dfa_product pc_dfa_project pc_dfa_negate
    pc_dfa_restrict pc_dfa_rename pc_dfa_states pc_dfa_nodes pc_dfa_start pc_dfa_status
}

automaton! {
    /// An automaton on binary trees, from the leaves to the root.
    /// A first-order track is the one node that has its bit.
    Tree: pc_gta,
    pc_gta_basic pc_gta_free pc_gta_copy pc_gta_product pc_gta_project pc_gta_negate
    pc_gta_restrict pc_gta_rename pc_gta_states pc_gta_nodes pc_gta_start pc_gta_status
}

impl Word {
    /// The successors of a state.
    pub fn successors(&self, state: u32) -> Option<Node<'_>> {
        if state >= self.states() {
            return None;
        }
        // SAFETY: 1, 2; `state` is one.
        let (node, manager) = unsafe {
            (raw::pc_dfa_diagram(self.raw.as_ptr(), state), raw::pc_dfa_manager(self.raw.as_ptr()))
        };
        Some(Node { manager: NonNull::new(manager)?, node, automaton: PhantomData })
    }
}

impl Tree {
    /// The states of a node whose children are in `left` and `right`.
    pub fn parents(&self, left: u32, right: u32) -> Option<Node<'_>> {
        if left.max(right) >= self.states() {
            return None;
        }
        // SAFETY: 1, 2; `left` and `right` are states.
        let (node, manager) = unsafe {
            (raw::pc_gta_diagram(self.raw.as_ptr(), left, right), raw::pc_gta_manager(self.raw.as_ptr()))
        };
        Some(Node { manager: NonNull::new(manager)?, node, automaton: PhantomData })
    }
}

//! What is sent to the child process and what it reports: a line of JSON each.

use serde::{Deserialize, Serialize};

use super::plan::Plan;

/// The question, the first line on the child's standard input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Children per node: 1 or 2.
    pub(crate) successors: u8,
    /// Bytes that the child may use.
    pub(crate) memory: Option<u64>,
    /// What to build.
    pub(crate) plan: Plan,
}

/// A line on the child's standard output. MONA writes there too, before it fails; what is no
/// message is its last words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// Work on a step begins. `None`: on the product of conjuncts.
    Begin(Option<u32>),
    /// It has ended.
    End {
        /// As in [`Message::Begin`].
        step: Option<u32>,
        /// States of the automaton.
        states: u32,
        /// Nodes of its diagrams.
        nodes: u32,
        /// Microseconds that the step took.
        micros: u64,
    },
    /// No word or tree is accepted by all conjuncts.
    Unsatisfiable,
    /// This one is.
    Satisfiable(Labelling),
    /// The request was no request (a bug), with what was wrong.
    Refused(String),
}

/// A finite tree and, per track, where it has its bit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Labelling {
    /// Per node, parents first, its parent and which of its children it is, counted from 1; `None` for
    /// the root, the first. No node at all: an empty tree.
    pub(crate) nodes: Vec<Option<(u32, u8)>>,
    /// Per track its nodes, ascending. For a track of a node: the node.
    pub(crate) tracks: Vec<Vec<u32>>,
}

//! Pictures: component automata, the architecture of an instance, a set of a proof in it, a trace, a rewriting
//! tree, the agents and runs of a process, or of a system of agents; as SVG, or as DOT for Graphviz.
//!
//! [`automata`], [`architecture`], [`proof`](fn@proof), [`sequence`] and [`rewriting`] each make one kind of picture and return a
//! document; [`dot`] writes the same things for Graphviz to lay out. Where boxes go is decided by [`layout`],
//! where small texts go by [`labels`]; [`svg`] writes. A [`View`] says what is pointed out ([`involved`]: the
//! components that make an error true), and whether long runs of what is alike ([`runs`]) are drawn whole.
//! Nothing here is random and no font is read, so a
//! picture is the same on every run. What would not be legible is refused ([`TooLarge`]).

pub mod agents;
mod architecture;
mod automata;
pub mod dot;
mod font;
mod geometry;
mod involved;
mod labels;
mod layout;
mod palette;
pub mod process;
mod proof;
mod rewriting;
mod runs;
mod sequence;
mod svg;
mod view;

use thiserror::Error;

pub use architecture::architecture;
pub use automata::automata;
pub use involved::involved;
pub use process::NotDrawn;
pub use proof::{DrawnSet, proof};
pub use rewriting::rewriting;
pub use sequence::sequence;
pub use view::{MAX_SETS, View};

/// No component type of more states is drawn.
pub const MAX_STATES: usize = 60;
/// No architecture of more components is drawn.
pub const MAX_COMPONENTS: usize = 100;
/// No architecture in which lines have more ends is drawn: participants, over all groups of interactions.
pub const MAX_LINES: usize = 300;
/// No trace of more steps is drawn whole.
pub const MAX_STEPS: usize = 300;
/// No trace in which more components take part is drawn.
pub const MAX_LIFELINES: usize = 60;
/// No rewriting tree of more nodes is drawn.
pub const MAX_NODES: usize = 500;

/// There is too much to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are {found} {what}, and a picture of more than {most} would not be legible")]
pub struct TooLarge {
    /// Of what there is too much.
    pub what: &'static str,
    /// How much there is.
    pub found: usize,
    /// How much is drawn at most.
    pub most: usize,
}

impl TooLarge {
    fn check(what: &'static str, found: usize, most: usize) -> Result<(), TooLarge> {
        if found > most { Err(TooLarge { what, found, most }) } else { Ok(()) }
    }
}

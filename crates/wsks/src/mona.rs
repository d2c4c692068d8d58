//! Decides WSκS formulas (κ = 1 or 2) with MONA, in a child process.
//!
//! [`decide`] makes a [`plan`] of the automata to build, which a child process of the same program carries
//! out (`worker`, `run`, crate `mona-sys`; compiled under the feature `mona` alone, since a program with MONA
//! in it is under the GPL). MONA ends its process where it fails: that, a limit reached or the child's death
//! from outside becomes [`Undecided`], with the reason and the subformula.
//!
//! Nothing here knows models: formulas in, labelled trees out.
//!
//! Rejected: MONA's program on a printed formula. It shares less (no memo across order of operands and
//! polarity), starts by parsing, loses its last words, and its trees are not small.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::formula::{FormulaId, SetVariable, Store, Variable};
pub use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_text::limits::Budget;

pub mod plan;
#[cfg(feature = "mona")]
pub mod worker;

#[cfg(feature = "mona")]
mod child;
#[cfg(feature = "mona")]
mod decide;
#[cfg(feature = "mona")]
mod example;
#[cfg(feature = "mona")]
mod message;
#[cfg(feature = "mona")]
mod run;

/// The argument with which the program becomes a child: not for users.
pub const WORKER_ARGUMENT: &str = "--mona-worker";

/// Whether this build has MONA in it.
pub const IS_BUILT: bool = cfg!(feature = "mona");

/// How to start a child: the program of which this library is a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The program's file. It must call `worker::serve` when its first argument is [`WORKER_ARGUMENT`].
    pub program: PathBuf,
}

/// What to decide.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Holds the formula.
    pub store: &'a Store,
    /// The formula. Free variables are as good as quantified existentially in front.
    pub formula: FormulaId,
    /// κ, the number of children per node: 1 or 2.
    pub successors: u8,
}

/// What a decision may use.
#[derive(Clone, Debug)]
pub struct Means {
    /// How to start a child.
    pub worker: Worker,
    /// When to stop.
    pub budget: Budget,
    /// How many bytes the child may use.
    pub memory: Option<u64>,
}

/// The value of a variable in a [`Witness`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a first-order variable: a node.
    Node(u32),
    /// Of a second-order variable: nodes, ascending.
    Set(Vec<u32>),
}

/// A finite part of the tree, with values of the variables, that satisfies a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The nodes, parents before children: a node's parent and which child of it the node is, counted
    /// from 1. The root is node 0, and always there. Nodes outside are in no set.
    pub nodes: Vec<Option<(u32, u8)>>,
    /// The values of the free variables and of those quantified existentially in front.
    pub values: Vec<(Variable, Value)>,
}

impl Witness {
    /// The children taken from the root to `node`, counted from 1.
    pub fn address(&self, node: u32) -> Vec<u8> {
        let mut address = Vec::new();
        let mut at = node;
        while let Some(Some((parent, child))) = self.nodes.get(at as usize) {
            address.push(*child);
            at = *parent;
        }
        address.reverse();
        address
    }

    /// Per node, named by the children taken from the root, the sets that it is in.
    pub fn sets(&self) -> BTreeMap<Vec<u8>, Vec<SetVariable>> {
        let mut sets = BTreeMap::<Vec<u8>, Vec<SetVariable>>::new();
        for (variable, value) in &self.values {
            if let (Variable::Set(set), Value::Set(nodes)) = (*variable, value) {
                for &node in nodes {
                    sets.entry(self.address(node)).or_default().push(set);
                }
            }
        }
        sets
    }

    /// The value of a variable.
    pub fn value(&self, variable: Variable) -> Option<&Value> {
        self.values.iter().find(|(other, _)| *other == variable).map(|(_, value)| value)
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing satisfies the formula.
    Unsatisfiable,
    /// This does.
    Satisfiable(Witness),
}

/// An automaton that was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// The subformula it is for; `None` for the product of conjuncts of the whole.
    pub(crate) formula: Option<FormulaId>,
    /// Its states.
    pub states: u32,
    /// The nodes of its diagrams.
    pub nodes: u32,
    /// Microseconds it took, without those of its parts.
    pub(crate) micros: u64,
}

/// An answer, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The answer.
    pub answer: Answer,
    /// The automata, in the order of building.
    pub built: Vec<Built>,
}

/// There is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Undecided {
    /// Why.
    pub what: MonaFailure,
    /// The last subformula on which work had begun, if it had. While conjuncts of the whole were multiplied:
    /// the whole.
    pub at: Option<FormulaId>,
    /// The automata built until then.
    pub built: Vec<Built>,
}

/// Decides a formula.
///
/// # Errors
///
/// If no answer was found: see [`MonaFailure`].
#[cfg(not(feature = "mona"))]
pub fn decide(_: &Question<'_>, _: &Means) -> Result<Decision, Undecided> {
    Err(Undecided { what: MonaFailure::NotBuilt, at: None, built: Vec::new() })
}

#[cfg(feature = "mona")]
pub use decide::decide;

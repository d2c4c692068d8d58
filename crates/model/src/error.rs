//! Error sets: which markings of an instance are errors.

use std::sync::Arc;

use crate::component::{StateId, TypeId};
use crate::rule::PatternGroupId;
pub use crate::syntax::ast::Comparison;
use paramcheck_text::define_index;

pub mod print;
pub mod wsks;

use wsks::ComponentFormula;

define_index! {
    /// An error of a system.
    pub struct ErrorId;
}

/// An error with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedError {
    /// Its name: `deadlock`, `critical`, `forbidden`, or as defined.
    pub name: String,
    /// Which markings it is.
    pub formula: ErrorFormula,
}

/// A set of markings. Names of other errors have been replaced by what they mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ErrorFormula {
    /// No transition of the instance is enabled and some component is in a state that is not final.
    Deadlock,
    /// A comparison of a weighted number of components with a constant.
    Count(Count),
    /// Some pattern of the group occurs at some node of the rewriting tree.
    Pattern(PatternGroupId),
    /// A formula over components and sets of components (`wsks { … }`).
    Components(Arc<ComponentFormula>),
    /// Complement.
    Not(Box<ErrorFormula>),
    /// Intersection (of none: every marking).
    And(Vec<ErrorFormula>),
    /// Union (of none: no marking).
    Or(Vec<ErrorFormula>),
}

/// `#a + #T.b >= 2`: the number of components, each counted by its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// State and weight (> 0), ascending, each state once.
    pub weights: Vec<(TypeId, StateId, u64)>,
    /// How the sum is compared.
    pub comparison: Comparison,
    /// With what.
    pub bound: u64,
}

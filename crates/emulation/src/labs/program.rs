//! A system of agents and one question about it as a [`Program`](crate::program::Program), for other
//! verifiers.
//!
//! In: a system, the rules of a run, a property (or whether a fault is reached), and perhaps a bound on
//! steps. Out: a [`Structure`] and a [`Question`], as processes and instances have them, which every writer
//! writes and every back end reads; and what leads back from its states and triples to runs of the system
//! ([`AgentProgram::run`]).
//!
//! - Cells, pending messages (a bit each), ranks and the turn are variables; program counters are counters.
//! - An agent's triple is one for each way to choose in it (`[lo..hi]`, `pick`), so a run is a list of
//!   triples.
//! - A message is a triple without program counter for each agent, tuple and kind. With `--sync` messages go
//!   before acts, and questions do not look at the states between.
//! - What leaves the language, or the values that analysis found ([`analysis`]), leads to a
//!   state in which `fault` is set and nothing is possible. So what analysis says is assumed nowhere: where
//!   no fault is reached, it is true.
//! - A question about bounded runs is one about reachability: `steps` are counted, and the end of a run is a
//!   state in which nothing is possible.
//!
//! Expressions are made of code (`super::code`), whose rules they repeat; tests hold their states against the
//! rules of the language.

use paramcheck_labs::model::{KindId, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

use crate::Structure;
use crate::expression::{Expression, VariableId};
use crate::question::Question;
use crate::triple::TripleId;

use super::machine::Machine;
use super::triples::{self, NotEncoded, encode};
use super::values::Values;
use super::{Unfit, analysis};

mod act;
mod build;
pub mod cadp;
mod cells;
mod counter;
mod decode;
mod define;
mod message;
mod question;
mod shared;
mod terms;
mod value;

use act::MAX_TRIPLES;
use build::{Builder, title};
use cells::Cells;
pub use decode::AgentRun;
use define::Definitions;
use question::Needed;
use shared::{Shared, variable};
use terms::{all, number};

/// Why a system or a question is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProgrammed {
    /// It is too large.
    #[error("the program would be too large")]
    TooLarge,
    /// The formula of the property is, once its quantifiers are written out.
    #[error(
        "the formula of the property has too many parts: its quantifiers stand for each combination of agents"
    )]
    Formula,
    /// An action assigns a variable that agents of its kind do not have.
    #[error("an action assigns a variable that agents of its kind do not have")]
    NoVariable,
    /// Choices have too many values.
    #[error("there would be more than {MAX_TRIPLES} ways to choose: give `[lo..hi]` and `pick` fewer values")]
    Choices,
    /// A function of a C program would be called.
    #[error("the system calls functions of a C program")]
    Foreign,
    /// An assumption has no value.
    #[error("an assumption has no value: {0}")]
    Assumption(Fault),
    /// What can still be reached is no question about bounded runs.
    #[error("what can still be reached says nothing of bounded runs")]
    Unbounded,
    /// A scope that stays open for ever is neither reached nor avoided.
    #[error(
        "whether a scope stays open for ever is no question to other verifiers: bound the runs with --steps, or use \
         `between … and`"
    )]
    StaysOpen,
    /// A limit of the run was reached.
    #[error("{0}")]
    Stopped(Stop),
}

impl From<Unfit> for NotProgrammed {
    fn from(reason: Unfit) -> Self {
        match reason {
            Unfit::Foreign => NotProgrammed::Foreign,
            Unfit::Formula => NotProgrammed::Formula,
            Unfit::Stopped(stop) => NotProgrammed::Stopped(stop),
            Unfit::Assumption(fault) => NotProgrammed::Assumption(fault),
            Unfit::Unbounded => NotProgrammed::Unbounded,
            Unfit::TooLarge | Unfit::NoInitialState | Unfit::NotFound(_) | Unfit::NoRoom => {
                NotProgrammed::TooLarge
            }
        }
    }
}

/// What a triple is in the system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    label: Label,
    is_fault: bool,
}

/// A program, and what leads back from it.
#[derive(Clone, Debug)]
pub struct AgentProgram {
    /// What it does.
    pub structure: Structure,
    /// The question about it.
    pub question: Question,
    /// Whether a fault can be reached, as far as is known without search.
    pub may_fault: bool,
    meanings: IndexVec<TripleId, Option<Meaning>>,
    cells: Cells,
    shared: Shared,
    fault: Option<VariableId>,
}

/// What a program is to decide.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// Whether a property holds.
    Property(&'a Property),
    /// Whether a fault is reached.
    Fault,
}

impl Goal<'_> {
    fn property(&self) -> Option<&Property> {
        match self {
            Goal::Property(property) => Some(property),
            Goal::Fault => None,
        }
    }
}

/// The name of the question whether a fault is reached.
pub const FAULT: &str = "fault";

/// The program of a question; `text` is what the system was read from, for comments.
///
/// # Errors
/// Why there is none.
pub fn program(
    system: &System,
    text: &str,
    rules: Rules,
    goal: Goal<'_>,
    steps: Option<usize>,
    budget: &Budget,
) -> Result<AgentProgram, NotProgrammed> {
    let kinds = encode(system, budget).map_err(|error| match error {
        NotEncoded::TooMany => NotProgrammed::TooLarge,
        NotEncoded::Stopped(stop) => NotProgrammed::Stopped(stop),
    })?;
    let values = analysis::analyse(system, &kinds, rules.width, budget).map_err(NotProgrammed::Stopped)?;
    let machine = Machine::new(system, rules, &kinds, &values, Values::one(0), None)?;
    let mut structure = Structure { order: Some(shared::words(system, &rules)), ..Structure::default() };
    let cells = Cells::new(system, &values, &mut structure);
    let shared = Shared::new(&machine, &mut structure);
    let needed = Needed::new(goal.property(), steps, &mut structure);
    let title = |kind: KindId, triple: triples::TripleId| title(system, text, &kinds[kind].triples[triple]);
    let (counters, joins) = counter::counters(system, &kinds, title, &mut structure);
    structure.invariants = cells.invariants(&structure);
    structure.invariants.extend(shared.invariants());
    let beside = structure.variables.enumerate().skip(cells_end(&cells, &structure));
    let ranges = beside.map(|(id, one)| {
        all([
            terms::at_most(number(one.least), variable(id)),
            terms::at_most(variable(id), number(one.greatest)),
        ])
    });
    let ranges: Vec<Expression> = ranges.collect();
    structure.invariants.extend(ranges);
    let builder = Builder {
        machine: &machine,
        kinds: &kinds,
        text,
        counters,
        definitions: Definitions::new(structure),
        cells,
        shared,
        needed,
        drafts: Vec::new(),
        budget,
    };
    builder.finish(goal, joins)
}

/// The number of variables that are cells: they come first.
fn cells_end(cells: &Cells, structure: &Structure) -> usize {
    let is_cell = |place: &cells::Place| matches!(place, cells::Place::Variable { .. });
    cells.places.iter().filter(|place| is_cell(place)).count().min(structure.variables.len())
}

//! Whether the checks of a system hold: `always`, `eventually`, `ltl`, `deadlock`, under a scheduler.
//!
//! [`decide`] answers a check from the labelled transition system that `explore` made; `docs/processes.md`
//! defines the answers. A violation comes as a run: steps from the initial state, for infinite runs with the
//! step that the loop goes back to; [`replay`](fn@replay) executes it again by the rules and looks whether it
//! violates the check. Where not all states are known, a violation in the known part counts, and otherwise
//! nothing is known.

use super::behaviour::BehaviourId;
use super::explore::Space;
use super::lts::Lts;
use super::network::{Incomplete, Step};
use crate::model::{Goal, LabelId};
use paramcheck_temporal::system::Fairness;
use paramcheck_text::limits::{Budget, Stop};

mod execution;
mod formula;
mod ltl;
mod replay;
mod retrace;
mod runs;

#[cfg(test)]
mod tests;

pub use execution::{Execution, ExecutionStep, RunEnd};
pub use replay::{Evidence, Mismatch, replay};
pub use retrace::retrace;

use formula::Valuation;
use runs::Runs;

/// What is assumed of the order in which agents act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Schedule {
    /// Nothing: all runs count.
    #[default]
    Any,
    /// Weak fairness: no agent stops for ever while it can act in every state.
    WeaklyFair,
    /// Strong fairness: no agent stops for ever while it can act infinitely often.
    StronglyFair,
    /// Whoever has the turn takes any step of its own, or passes if it has none.
    RoundRobin,
}

impl Schedule {
    /// Which runs it lets count, of those whose steps it allows.
    pub fn fairness(self) -> Fairness {
        match self {
            Schedule::Any | Schedule::RoundRobin => Fairness::None,
            Schedule::WeaklyFair => Fairness::Weak,
            Schedule::StronglyFair => Fairness::Strong,
        }
    }

    /// The assumption in words, for an answer.
    pub fn words(self) -> &'static str {
        match self {
            Schedule::Any => "in any order",
            Schedule::WeaklyFair => "under weak fairness",
            Schedule::StronglyFair => "under strong fairness",
            Schedule::RoundRobin => "round-robin",
        }
    }
}

/// The answer to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds in every run that counts.
    Holds,
    /// This run violates it.
    Violated(Run),
    /// Not all states are known, and those that are do not violate it.
    Unknown(Incomplete),
}

/// A run of a system from its initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states; one more than steps. Of an infinite run, the last is where the loop began.
    pub(crate) states: Vec<Vec<BehaviourId>>,
    /// The steps.
    pub(crate) steps: Vec<RunStep>,
    /// For an infinite run, the number of steps before the loop: all others repeat for ever.
    pub loop_start: Option<usize>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// What is done.
    pub label: LabelId,
    /// Who takes part, ascending.
    pub agents: Vec<u32>,
}

impl RunStep {
    /// Whether a step of the interpreter is this one, apart from where it leads.
    fn is(&self, step: &Step) -> bool {
        self.label == step.label && step.changes.iter().map(|(agent, _)| agent).eq(&self.agents)
    }
}

/// Answers a check.
///
/// # Errors
/// The budget ended before all known states were looked at.
pub fn decide(space: &Space, goal: &Goal, schedule: Schedule, budget: &Budget) -> Result<Outcome, Stop> {
    Ok(match find(&space.lts, goal, schedule, budget)? {
        Finding::Holds => Outcome::Holds,
        Finding::Unknown(incomplete) => Outcome::Unknown(incomplete),
        Finding::Violated(path) => Outcome::Violated(Run {
            states: path.states.iter().map(|state| space.state(*state).to_vec()).collect(),
            steps: path.steps,
            loop_start: path.loop_start,
        }),
    })
}

/// The answer to a check, in states of a labelled transition system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It holds in every run that counts.
    Holds,
    /// This run violates it.
    Violated(Path),
    /// Not all states are known, and those that are do not violate it.
    Unknown(Incomplete),
}

/// A run through a labelled transition system, from its initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The states; one more than steps.
    pub(crate) states: Vec<u32>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// For an infinite run, the number of steps before the loop: all others repeat for ever.
    pub loop_start: Option<usize>,
}

/// Answers a check about any labelled transition system that has the labels and agents of the system.
///
/// # Errors
/// The budget ended before all known states were looked at.
pub fn find(lts: &Lts, goal: &Goal, schedule: Schedule, budget: &Budget) -> Result<Finding, Stop> {
    if lts.states() == 0 {
        // Not even the first state is known; there is a reason.
        return Ok(lts.incomplete.map_or(Finding::Holds, Finding::Unknown));
    }
    let runs = Runs::new(lts, schedule, budget)?;
    let found =
        match goal {
            Goal::NoDeadlock => Found::of(runs.find(budget, |node, _| {
                let state = runs.state(node);
                Ok(runs.is_known(node) && runs.edge_positions(node).is_empty() && !lts.is_terminated(state))
            })?),
            Goal::Always(formula) => {
                let valuation = Valuation::new(lts, &runs, formula, budget)?;
                Found::of(runs.find(budget, |node, last| {
                    Ok(valuation.is_decided(node) && !valuation.holds(node, last)?)
                })?)
            }
            Goal::Eventually(formula) => {
                let valuation = Valuation::new(lts, &runs, formula, budget)?;
                ltl::find_avoiding(&runs, lts, schedule, &valuation, budget)?
            }
            Goal::Ltl(formula) => ltl::find(&runs, lts, schedule, formula, budget)?,
        };
    Ok(match (found, lts.incomplete) {
        (Found::Violated(way), _) => Finding::Violated(path(lts, &runs, way)),
        (_, Some(incomplete)) => Finding::Unknown(incomplete),
        (Found::NotKnown, None) => Finding::Unknown(Incomplete::Formula),
        (Found::Holds, None) => Finding::Holds,
    })
}

/// What was found among the runs.
enum Found {
    /// All of them are as they should be.
    Holds,
    /// This one is not.
    Violated(Way),
    /// Not all states are known, or the automaton of the formula would be too large.
    NotKnown,
}

impl Found {
    fn of(way: Option<Way>) -> Found {
        way.map_or(Found::Holds, Found::Violated)
    }
}

/// A way through the graph of runs: positions of edges, and how many come before a loop.
struct Way {
    edges: Vec<usize>,
    loop_start: Option<usize>,
}

fn path(lts: &Lts, runs: &Runs<'_>, way: Way) -> Path {
    let mut path = Path { states: vec![0], steps: Vec::new(), loop_start: way.loop_start };
    for edge in way.edges {
        let transition = runs.transition(edge);
        let agents = lts.agent_sets[transition.agents].clone();
        path.steps.push(RunStep { label: transition.label, agents });
        path.states.push(transition.target);
    }
    path
}

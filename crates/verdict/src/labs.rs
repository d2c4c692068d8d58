//! Agents of LAbS: from properties to answers with rechecked evidence.
//!
//! [`engine`] searches and claims; nothing that it claims to be violated is believed before `recheck` has
//! gone through the run by the rules of the language ([`replay_all`]) and found what the property forbids. A
//! proof is that all states are known, and none shows a violation; the rules explore them again, if they are few. Or
//! it is that the values which variables may have imply the property, and `recheck` has found them inductive. A
//! reachable fault is an answer of its own: then nothing is called proved.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use paramcheck_labs::model::{Expr, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::run::{Ending, NoRun, Replayed, Run, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_labs::semantics::store::Store;
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::Span;

use super::Status;
use paramcheck_emulation::labs::reduce::symmetry::is_symmetric;
use recheck::proof::{Recheck, Rechecks};
use recheck::{Refusal, recheck};

mod engine;
mod recheck;
pub mod simulate;
pub mod verifiers;

pub use engine::{Counts, Explored};
pub use paramcheck_emulation::labs::reduce::Reductions;
pub use recheck::proof::MAX_RECHECKED_STATES;

/// How properties are decided.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most states.
    pub max_states: usize,
    /// Only runs of so many steps at most.
    pub max_steps: Option<usize>,
    /// The most threads; the answers do not depend on it.
    pub threads: usize,
    /// Which states are left out where others say the same; the answers do not depend on it.
    pub reductions: Reductions,
    /// Time, memory, interruption.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_states: 1_000_000,
            max_steps: None,
            threads: 1,
            reductions: Reductions::default(),
            budget: Budget::unlimited(),
        }
    }
}

/// The answers to properties of a system.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What was explored.
    pub explored: Explored,
    /// How long all of it took.
    pub elapsed: Duration,
    /// A run that leaves the language.
    pub fault: Option<FaultyRun>,
    /// Per property, in order.
    pub answers: Vec<Answer>,
}

/// The answer to a property.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the property.
    pub property: String,
    /// The answer with its evidence.
    pub status: Status<Proof, Violation, NoAnswer>,
    /// Whether of states that differ by an exchange of agents one stood for all.
    pub by_symmetry: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// What shows that the search is wrong: its evidence does not stand up. There is no answer then.
    pub bug: Option<String>,
}

/// Evidence that a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All states are known; the rules on process terms have explored them again, and agree.
    Rechecked,
    /// All states are known, and are too many to be explored again.
    Explored,
    /// The values that variables may have imply it; the rules lead from none of them to others.
    Values,
}

/// The states behind the end of a run: in none of them a formula is true, and no step leads out of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedSet {
    /// How many there are.
    pub states: usize,
    /// Whether the rules on process terms have explored them again; else they are those of the search.
    pub is_rechecked: bool,
}

/// A run that violates a property, replayed by the rules.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The run.
    pub run: ReplayedRun,
    /// Where the formula can't be reached any more: what lies behind the end of the run.
    pub closed: Option<ClosedSet>,
}

/// A run as the rules go through it.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// What happens in each step.
    pub labels: Vec<Label>,
    /// The stores, the initial one first: one more than steps.
    pub stores: Vec<Store>,
    /// Per step where it is written; messages are nowhere.
    pub places: Vec<Option<Span>>,
    /// How it ends.
    pub ending: Ending,
}

/// A run that leaves the language.
#[derive(Clone, Debug)]
pub struct FaultyRun {
    /// The run up to the fault.
    pub run: ReplayedRun,
    /// What is wrong.
    pub fault: Fault,
    /// Where the step that fails is written, if it is a step.
    pub place: Option<Span>,
    /// The property whose formula has no value at the end of the run, if it is that.
    pub property: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// There are more states than allowed.
    #[error("there are more than {0} states")]
    States(usize),
    /// A limit of the run was reached.
    #[error("{0}")]
    Stopped(Stop),
    /// No run of so many steps violates it; longer ones were not looked at.
    #[error("no run of at most {0} steps violates it")]
    Steps(usize),
    /// The system does not fit into the search: it has too many steps, or a state would take too much room.
    #[error("the system is too large to be explored")]
    TooLarge,
    /// The formula of the property has too many parts: its quantifiers stand for each combination of agents.
    #[error("its formula is too large: the quantifiers stand for too many combinations of agents")]
    Formula,
    /// A run violates it, but its steps have too many outcomes to be gone through by the rules.
    #[error("a run was found that violates it, but its steps have too many outcomes to be checked again")]
    Unchecked,
    /// Some run leaves the language.
    #[error("a run leaves the language, and nothing is proved then")]
    Fault,
}

impl NoAnswer {
    /// The code of the reason in documents, which never changes.
    pub fn code(&self) -> &'static str {
        match self {
            NoAnswer::States(_) => "state-limit",
            NoAnswer::Stopped(Stop::Time | Stop::Work) => "time-limit",
            NoAnswer::Stopped(Stop::Memory) => "memory-limit",
            NoAnswer::Stopped(Stop::Interrupted) => "interrupted",
            NoAnswer::Steps(_) => "step-bound",
            NoAnswer::TooLarge | NoAnswer::Formula => "too-large",
            NoAnswer::Unchecked => "unchecked",
            NoAnswer::Fault => "fault",
        }
    }
}

/// Why nothing can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoStart {
    /// The assumptions allow no initial state.
    #[error("no values fulfil all assumptions")]
    NoInitialState,
    /// An assumption has no value.
    #[error("an assumption has no value: {0}")]
    Assumption(Fault),
    /// This cell has an initial value that leaves the range of numbers.
    #[error("the initial value {1} leaves the range of numbers")]
    OutOfRange(usize, i64),
    /// So many values at random, and none fulfil the assumptions.
    #[error("of {0} values at random none fulfil all assumptions")]
    NotFound(usize),
}

/// The system with initial values that are numbers of the run.
fn fitted(system: &System, rules: Rules) -> Result<Cow<'_, System>, NoStart> {
    system.fitted(rules.width).map_err(|(cell, value)| NoStart::OutOfRange(cell, value))
}

/// Decides properties of a system that calls no function of C ([`System::foreign`]).
///
/// # Errors
/// There is no initial state.
pub fn decide(
    system: &System,
    properties: &[Property],
    rules: Rules,
    options: &Options,
) -> Result<Decision, NoStart> {
    let begin = Instant::now();
    let fitted = fitted(system, rules)?;
    let system = fitted.as_ref();
    let claims = engine::search(system, properties, rules, options)?;
    let elapsed = begin.elapsed();
    let mut bugs = Vec::new();
    let has_fault = claims.fault.is_some();
    let mut fault = match claims.fault {
        None => None,
        Some((run, label, found)) => {
            let ending = Ending::Fault(label.clone(), found);
            let mut replayed =
                replay_all(system, rules, &run, &ending).map_err(|no_run| bugs.push(no_run)).ok();
            // Then it is not shown, and nothing is called proved all the same.
            bugs.retain(|no_run| *no_run != NoRun::TooMuch);
            let place = replayed.as_mut().and_then(|replayed| replayed.fault_place(&label, found));
            let run = replayed.map(|replayed| ReplayedRun::new(&run, replayed, ending));
            run.map(|run| FaultyRun { run, fault: found, place, property: None })
        }
    };
    let mut answers = Vec::new();
    let mut rechecks = Rechecks::new(system, rules, &options.budget);
    for (property, (claim, searched)) in properties.iter().zip(claims.answers) {
        let begin = Instant::now();
        let mut bug = None;
        let status = match claim {
            // Of bounded runs other questions are asked.
            engine::Claim::Holds if options.max_steps.is_some() => Status::Proved(Proof::Explored),
            engine::Claim::Holds => {
                let stores = |ends: Option<&Expr>| engine::stores(system, rules, ends, &options.budget);
                match rechecks.holds(property, stores) {
                    Recheck::Agrees => Status::Proved(Proof::Rechecked),
                    Recheck::TooLarge => Status::Proved(Proof::Explored),
                    Recheck::Wrong(reason) => {
                        bug = Some(reason);
                        Status::Unknown(NoAnswer::Fault)
                    }
                }
            }
            engine::Claim::Implied => Status::Proved(Proof::Values),
            engine::Claim::Unknown(reason) => Status::Unknown(reason),
            engine::Claim::Bug(reason) => {
                bug = Some(reason);
                Status::Unknown(NoAnswer::Fault)
            }
            engine::Claim::NoValue(run, found) => {
                let of_property = |replayed| FaultyRun {
                    run: ReplayedRun::new(&run, replayed, Ending::Open),
                    fault: found,
                    place: None,
                    property: Some(property.name.clone()),
                };
                let replayed = || replay_all(system, rules, &run, &Ending::Open).ok();
                fault = fault.or_else(|| replayed().map(of_property));
                Status::Unknown(NoAnswer::Fault)
            }
            engine::Claim::Violated(found) => {
                let evidence = options.budget.for_evidence();
                match recheck(system, rules, property, &found, options.max_steps, &evidence) {
                    Ok((replayed, closed)) => {
                        let run = ReplayedRun::new(&found.run, replayed, found.ending);
                        Status::Violated(Violation { run, closed })
                    }
                    Err(Refusal::TooMuch) => Status::Unknown(NoAnswer::Unchecked),
                    Err(Refusal::Bug(reason)) => {
                        bug = Some(reason);
                        Status::Unknown(NoAnswer::Fault)
                    }
                }
            }
        };
        let elapsed = searched + begin.elapsed();
        let by_symmetry = options.reductions.symmetry
            && options.max_steps.is_none()
            && is_symmetric(system, property, &rules);
        answers.push(Answer { property: property.name.clone(), status, by_symmetry, elapsed, bug });
    }
    if let Some(no_run) = bugs.first() {
        let reason = format!("the run to a fault is none: {no_run:?}");
        answers.iter_mut().for_each(|answer| answer.bug = answer.bug.take().or(Some(reason.clone())));
    }
    if has_fault || fault.is_some() {
        for answer in &mut answers {
            if matches!(answer.status, Status::Proved(_)) {
                answer.status = Status::Unknown(NoAnswer::Fault);
            }
        }
    }
    Ok(Decision { explored: claims.explored, elapsed, fault, answers })
}

impl ReplayedRun {
    fn new(run: &Run, mut replayed: Replayed<'_>, ending: Ending) -> Self {
        let labels: Vec<Label> = run.steps.iter().map(|(label, _)| label.clone()).collect();
        let places = labels.iter().enumerate().map(|(step, label)| replayed.place(step, label)).collect();
        let stores = replayed.states.into_iter().map(|state| state.store).collect();
        ReplayedRun { labels, stores, places, ending }
    }
}

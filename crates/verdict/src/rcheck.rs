//! R-CHECK: from properties to answers with checked evidence.
//!
//! The engine of `emulation` makes the steps, the crate `temporal` searches. A run that is claimed to violate a
//! property is gone through by the rules as they are written, and the property evaluated on it by its
//! definition (`evidence`); a proof is checked again by the rules, where states are few. With a reachable
//! error of the model nothing is called proved.

use std::time::{Duration, Instant};

use paramcheck_emulation::rcheck::{Checked, Engine, Explored, Halt, Incomplete, Question};
use paramcheck_rcheck::model::{Spec, System};
use paramcheck_rcheck::semantics::check as reference;
use paramcheck_rcheck::semantics::explore::{Space, explore};
use paramcheck_rcheck::semantics::step::Fault;
use paramcheck_temporal::check::{Answer as Found, Options as Search, Reason, check};
use paramcheck_temporal::system::Run as FoundRun;
use paramcheck_text::limits::{Budget, Stop};

use super::Status;

mod evidence;
mod vacuity;

pub use evidence::{Run, RunStep};
pub use paramcheck_emulation::rcheck::{Counts, Unfit};
pub use paramcheck_temporal::system::{End, Fairness};
pub use vacuity::Vacuous;

/// The most states of a system whose proofs are checked again.
pub const MAX_RECHECKED_STATES: usize = 500;

/// How properties are decided.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which runs count.
    pub fairness: Fairness,
    /// The most states.
    pub max_states: usize,
    /// The most bytes, about.
    pub memory: Option<usize>,
    /// Whether states without a step are looked for.
    pub deadlock: bool,
    /// Time, memory, interruption.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fairness: Fairness::None,
            max_states: 1_000_000,
            memory: None,
            deadlock: false,
            budget: Budget::unlimited(),
        }
    }
}

/// The answers about a system.
#[derive(Clone, Debug)]
pub struct Decision {
    /// How many states were met.
    pub states: usize,
    /// Per property, in order.
    pub answers: Vec<Answer>,
    /// Whether a state without a step is reachable, if that was asked.
    pub deadlock: Option<Answer>,
    /// Whether an error of the model is reachable; none where no answer depends on it, and none was met.
    pub fault: Option<Answer>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer with its evidence.
    pub status: Status<Proof, Violation, NoAnswer>,
    /// How long it took.
    pub elapsed: Duration,
    /// What shows that the search is wrong: its evidence does not stand up. There is no answer then.
    pub bug: Option<String>,
    /// Why a proof says little, as far as that was looked for.
    pub vacuous: Option<Vacuous>,
}

/// Evidence that nothing violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The rules as they are written agree.
    Rechecked,
    /// The search met no violation; the states are too many to be searched again.
    Searched,
}

/// A run that violates a property, leads to a state without a step, or to an error of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The run.
    pub run: Run,
    /// The error of the model at its end, if it is that.
    pub fault: Option<Fault>,
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
    /// The automaton of the formula is too large.
    #[error("the automaton of the formula is too large")]
    Formula,
    /// A message can be received in too many ways.
    #[error("a message can be received in too many ways")]
    Receivers,
    /// A condition or observation has no value.
    #[error("a condition or an observation of it has no value")]
    NoValue,
    /// An error of the model is reachable.
    #[error("the model has an error, and nothing is proved then")]
    Fault,
}

impl NoAnswer {
    /// The code of the reason in documents, which never changes.
    pub fn code(self) -> &'static str {
        match self {
            NoAnswer::States(_) => "state-limit",
            NoAnswer::Stopped(Stop::Time | Stop::Work) => "time-limit",
            NoAnswer::Stopped(Stop::Memory) => "memory-limit",
            NoAnswer::Stopped(Stop::Interrupted) => "interrupted",
            NoAnswer::Formula | NoAnswer::Receivers => "too-large",
            NoAnswer::NoValue => "no-value",
            NoAnswer::Fault => "fault",
        }
    }
}

/// Why nothing can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStart {
    /// No values of the locals satisfy all conditions.
    NoInitialState,
    /// The initial states are not known.
    Unfit(Unfit),
}

/// Decides all properties of a system.
///
/// # Errors
/// There is no initial state.
pub fn decide(system: &System, options: &Options) -> Result<Decision, NoStart> {
    let engine = Engine::new(system, options.memory).map_err(NoStart::Unfit)?;
    if engine.initial().is_empty() {
        return Err(NoStart::NoInitialState);
    }
    let mut decider = Decider { system, options, engine, explored: None, space: None };
    let mut answers: Vec<Answer> = system.specs.iter().map(|spec| decider.property(spec)).collect();
    let deadlock = options.deadlock.then(|| decider.deadlock());
    let fault = decider.fault(system.specs.is_empty() && !options.deadlock);
    let states = decider.engine.len();
    if states <= vacuity::MAX_STATES {
        for (spec, answer) in system.specs.iter().zip(&mut answers) {
            if matches!(answer.status, Status::Proved(_)) {
                answer.vacuous = vacuity::vacuous(&mut decider.engine, spec, &options.budget);
            }
        }
    }
    Ok(Decision { states, answers, deadlock, fault })
}

/// What is counted of a system.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// States and steps between them.
    pub counts: Counts,
    /// Why these are not all, if they are not.
    pub incomplete: Option<NoAnswer>,
}

/// Counts the states of a system.
///
/// # Errors
/// There is no initial state.
pub fn count(system: &System, options: &Options) -> Result<Counted, NoStart> {
    let engine = Engine::new(system, options.memory).map_err(NoStart::Unfit)?;
    if engine.initial().is_empty() {
        return Err(NoStart::NoInitialState);
    }
    let mut decider = Decider { system, options, engine, explored: None, space: None };
    let counts = decider.explored().counts;
    Ok(Counted { counts, incomplete: decider.incomplete() })
}

/// A decision in progress.
struct Decider<'a> {
    system: &'a System,
    options: &'a Options,
    engine: Engine<'a>,
    /// All states, once they were needed.
    explored: Option<Explored>,
    /// All states by the rules as they are written, if they are few; once they were needed.
    space: Option<Option<Space>>,
}

impl<'a> Decider<'a> {
    fn explored(&mut self) -> Explored {
        let Options { max_states, memory, budget, .. } = self.options;
        let engine = &mut self.engine;
        self.explored.get_or_insert_with(|| engine.explore(*max_states, *memory, budget)).clone()
    }

    /// Why not all states are known, if they are not.
    fn incomplete(&mut self) -> Option<NoAnswer> {
        Some(match self.explored().incomplete? {
            Incomplete::States => NoAnswer::States(self.options.max_states),
            Incomplete::TooMany => NoAnswer::Receivers,
            Incomplete::Stopped(stop) => NoAnswer::Stopped(stop),
        })
    }

    fn property(&mut self, spec: &'a Spec) -> Answer {
        let begin = Instant::now();
        let outcome = self.searched(spec);
        let (status, bug) = match outcome {
            Ok(status) => (status, None),
            Err(bug) => (Status::Unknown(NoAnswer::NoValue), Some(bug)),
        };
        Answer { status, elapsed: begin.elapsed(), bug, vacuous: None }
    }

    /// The answer to a property.
    ///
    /// # Errors
    /// What is wrong with the evidence.
    fn searched(&mut self, spec: &'a Spec) -> Result<Status<Proof, Violation, NoAnswer>, String> {
        let Options { fairness, max_states, memory, budget, .. } = self.options;
        let question = Question::new(&self.engine, &spec.formula, &spec.observations);
        let mut checked = Checked { engine: &mut self.engine, question: &question };
        let search = Search { fairness: *fairness, max_states: *max_states, memory: *memory };
        let report = check(&mut checked, question.formula(), &search, budget);
        let run = match report.answer {
            Found::Violated(run) => run,
            Found::Fault(Halt::Fault, _) => return Ok(Status::Unknown(NoAnswer::Fault)),
            Found::Fault(Halt::TooMany, _) => return Ok(Status::Unknown(NoAnswer::Receivers)),
            Found::Fault(Halt::Full, _) | Found::Unknown(Reason::States) => {
                return Ok(Status::Unknown(NoAnswer::States(*max_states)));
            }
            Found::Unknown(Reason::Formula) => return Ok(Status::Unknown(NoAnswer::Formula)),
            Found::Unknown(Reason::Stopped(stop)) => return Ok(Status::Unknown(NoAnswer::Stopped(stop))),
            Found::Holds if question.is_undefined() => return Ok(Status::Unknown(NoAnswer::NoValue)),
            Found::Holds => return self.holds(spec),
        };
        let evidence = budget.for_evidence();
        let replayed = paramcheck_temporal::replay::violates(
            &mut checked,
            question.formula(),
            &run,
            *fairness,
            &evidence,
        );
        if question.is_undefined() {
            return Ok(Status::Unknown(NoAnswer::NoValue));
        }
        match replayed {
            Ok(()) => {}
            Err(paramcheck_temporal::replay::Refusal::Stopped(stop)) => {
                return Ok(Status::Unknown(NoAnswer::Stopped(stop)));
            }
            Err(refusal) => return Err(format!("the run does not violate it: {refusal:?}")),
        }
        let run = evidence::replayed(self.system, &self.engine, &run)?;
        if let Some(whole) = evidence::continued(self.system, &run)
            && !evidence::violates(self.system, spec, &whole)?
        {
            return Err("by the rules as they are written the run satisfies it".to_owned());
        }
        Ok(Status::Violated(Violation { run, fault: None }))
    }

    /// That no run violates a property, as far as the search came: no error of the model may be reachable, and
    /// the rules must agree, if states are few.
    fn holds(&mut self, spec: &Spec) -> Result<Status<Proof, Violation, NoAnswer>, String> {
        if self.engine.may_fail() {
            if self.explored().fault.is_some() {
                return Ok(Status::Unknown(NoAnswer::Fault));
            }
            if let Some(open) = self.incomplete() {
                return Ok(Status::Unknown(open));
            }
        }
        let fairness = match self.options.fairness {
            Fairness::None => reference::Fairness::Unfair,
            Fairness::Weak => reference::Fairness::Weak,
            Fairness::Strong => reference::Fairness::Strong,
        };
        let is_small = self.engine.len() <= MAX_RECHECKED_STATES;
        let (system, budget) = (self.system, &self.options.budget);
        let space = self.space.get_or_insert_with(|| {
            is_small.then(|| explore(system, MAX_RECHECKED_STATES, budget).ok()).flatten()
        });
        let Some(space) = space else { return Ok(Status::Proved(Proof::Searched)) };
        match reference::check(system, space, spec, fairness) {
            reference::Answer::Holds => Ok(Status::Proved(Proof::Rechecked)),
            reference::Answer::Unknown(_) => Ok(Status::Proved(Proof::Searched)),
            other => Err(format!("by the rules as they are written it does not hold: {other:?}")),
        }
    }

    fn deadlock(&mut self) -> Answer {
        let begin = Instant::now();
        let explored = self.explored();
        let (mut bug, mut status) = (None, Status::Proved(Proof::Searched));
        if let Some(way) = explored.deadlock {
            let mut positions: Vec<(u32, Option<u32>)> =
                way.steps.iter().map(|(state, executed)| (*state, Some(*executed))).collect();
            positions.push((way.last, None));
            match evidence::replayed(self.system, &self.engine, &FoundRun { positions, end: End::Stops }) {
                Ok(run) => status = Status::Violated(Violation { run, fault: None }),
                Err(wrong) => bug = Some(wrong),
            }
        } else if explored.fault.is_some() {
            status = Status::Unknown(NoAnswer::Fault);
        } else if let Some(open) = self.incomplete() {
            status = Status::Unknown(open);
        }
        Answer { status, elapsed: begin.elapsed(), bug, vacuous: None }
    }

    /// Whether an error of the model is reachable; none if there is none, unless that is `wanted`.
    fn fault(&mut self, is_wanted: bool) -> Option<Answer> {
        let begin = Instant::now();
        let is_known = self.explored.is_some() || is_wanted;
        if !self.engine.may_fail() {
            let status = Status::Proved(Proof::Searched);
            return is_wanted.then(|| Answer { status, elapsed: begin.elapsed(), bug: None, vacuous: None });
        }
        // A fault that a search met is shown, even if no proof depended on it.
        if !is_known && self.system.specs.is_empty() {
            return None;
        }
        let explored = self.explored();
        let mut bug = None;
        let status = match explored.fault {
            Some(way) => {
                let mut positions: Vec<(u32, Option<u32>)> =
                    way.steps.iter().map(|(state, executed)| (*state, Some(*executed))).collect();
                positions.push((way.last, None));
                let run = FoundRun { positions, end: End::Open };
                match evidence::faulty(self.system, &self.engine, &run) {
                    Ok((run, fault)) => Status::Violated(Violation { run, fault: Some(fault) }),
                    Err(wrong) => {
                        bug = Some(wrong);
                        Status::Unknown(NoAnswer::Fault)
                    }
                }
            }
            None if is_wanted => match self.incomplete() {
                Some(open) => Status::Unknown(open),
                None => Status::Proved(Proof::Searched),
            },
            None => return None,
        };
        Some(Answer { status, elapsed: begin.elapsed(), bug, vacuous: None })
    }
}

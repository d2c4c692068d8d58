//! Properties of the runs of an instance: decided by the crate `temporal`, violations replayed.

use paramcheck_model::property::Property;
use paramcheck_model::system::System;
use paramcheck_nets::explore::runs::Runs;
use paramcheck_nets::explore::trace::{ReplayError, Trace, replay};
use paramcheck_nets::instance::net::Net;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_temporal::check::{self, Answer, Reason};
use paramcheck_temporal::replay::Refusal;
use paramcheck_temporal::system::{End, RunOf};
use paramcheck_text::limits::Budget;

use super::super::{Explored, NoAnswer, Options, ProcessProof};
use crate::{InternalBug, Status};

/// A run of an instance, from its initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceRun {
    /// The transitions, and the markings passed.
    pub trace: Trace,
    /// For a run that goes on for ever, the number of steps before those that repeat: the last marking is where
    /// they began.
    pub loop_start: Option<usize>,
}

/// Why a run is no violation of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunRefusal {
    /// It is no firing sequence of the instance.
    #[error("does not replay: {0}")]
    Replay(#[from] ReplayError),
    /// It is no run that counts.
    #[error("does not replay at step {0}")]
    Step(usize),
    /// It does not come back to where it is said to go on.
    #[error("does not come back to the marking after step {0}")]
    Open(usize),
    /// It goes round for ever, and that is not fair.
    #[error("is not fair")]
    Unfair,
    /// The property names a component that the instance does not have.
    #[error("has no such component as the property names")]
    Component,
    /// It satisfies the property.
    #[error("satisfies the property")]
    Satisfies,
    /// It is too much work to decide an atom of it.
    #[error("replays, but it is too much work to decide whether it violates the property")]
    Undecided,
}

impl InstanceRun {
    /// A run that ends, or goes on as it likes.
    pub fn to(trace: Trace) -> InstanceRun {
        InstanceRun { trace, loop_start: None }
    }

    fn of(net: &Net, run: &RunOf<Runs<'_>>) -> InstanceRun {
        let steps: Vec<_> = run.positions.iter().filter_map(|(_, step)| *step).collect();
        let mut markings: Vec<_> = run.positions.iter().map(|(marking, _)| marking.clone()).collect();
        let loop_start = match run.end {
            End::Loop(begin) => {
                let again = markings.get(begin).cloned();
                markings.push(again.unwrap_or_else(|| net.initial()));
                Some(begin)
            }
            End::Stops | End::Open => None,
        };
        InstanceRun { trace: Trace { steps, markings }, loop_start }
    }

    /// The same for the crate `temporal`.
    fn positions(&self, net: &Net) -> RunOf<Runs<'static>> {
        let Trace { steps, markings } = &self.trace;
        let taken = markings.iter().cloned().zip(steps.iter().copied().map(Some));
        let mut positions: Vec<_> = taken.collect();
        let end = match (self.loop_start, markings.last()) {
            (Some(begin), _) => End::Loop(begin),
            (None, Some(last)) => {
                positions.push((last.clone(), None));
                if net.is_dead(last) { End::Stops } else { End::Open }
            }
            (None, None) => End::Open,
        };
        RunOf::<Runs<'static>> { positions, end }
    }
}

/// That a run of `net` violates `property`: it is replayed by the plain semantics, and judged by the definition of
/// formulas.
///
/// # Errors
/// It does not.
pub fn violates(
    system: &System,
    net: &Net,
    property: &Property,
    run: &InstanceRun,
    schedule: Schedule,
) -> Result<(), RunRefusal> {
    let last = replay(net, &run.trace)?;
    if let Some(begin) = run.loop_start
        && (begin >= run.trace.steps.len() || run.trace.markings.get(begin) != Some(&last))
    {
        return Err(RunRefusal::Open(begin));
    }
    let mut runs = Runs::new(system, net, property).map_err(|_| RunRefusal::Component)?;
    let formula = runs.formula().clone();
    let run = run.positions(net);
    let judged = paramcheck_temporal::replay::violates(
        &mut runs,
        &formula,
        &run,
        schedule.fairness(),
        &Budget::unlimited(),
    );
    if runs.is_undecided() {
        return Err(RunRefusal::Undecided);
    }
    judged.map_err(|refusal| match refusal {
        Refusal::NoRun(at) => RunRefusal::Step(at + 1),
        Refusal::Unfair => RunRefusal::Unfair,
        Refusal::Satisfies | Refusal::Stopped(_) => RunRefusal::Satisfies,
    })
}

type Found = Result<Status<ProcessProof, InstanceRun, NoAnswer>, InternalBug>;

/// Decides a property, the components of which the instance has.
pub(super) fn decide(
    system: &System,
    net: &Net,
    property: &Property,
    options: &Options,
) -> (Explored, Found) {
    let mut explored = Explored::default();
    let mut runs = match Runs::new(system, net, property) {
        Ok(runs) => runs,
        Err(_) => {
            let why = "the instance lacks a component that the property names".to_owned();
            return (explored, Ok(Status::Unknown(NoAnswer::Refused(why))));
        }
    };
    let formula = runs.formula().clone();
    let search = check::Options {
        fairness: options.schedule.fairness(),
        max_states: options.max_states,
        ..check::Options::default()
    };
    let report = check::check(&mut runs, &formula, &search, &options.budget);
    explored.states = report.states;
    let status = match report.answer {
        _ if runs.is_undecided() => Ok(Status::Unknown(NoAnswer::Undecided)),
        Answer::Holds => Ok(Status::Proved(ProcessProof::Explored)),
        Answer::Unknown(Reason::States) => {
            Ok(Status::Unknown(NoAnswer::Incomplete(Incomplete::States(options.max_states))))
        }
        Answer::Unknown(Reason::Formula) => Ok(Status::Unknown(NoAnswer::Incomplete(Incomplete::Formula))),
        Answer::Unknown(Reason::Stopped(stop)) => Ok(Status::Unknown(stop.into())),
        Answer::Violated(run) => {
            let run = InstanceRun::of(net, &run);
            match violates(system, net, property, &run, options.schedule) {
                Ok(()) => Ok(Status::Violated(run)),
                Err(reason) => Err(InternalBug::Property { property: property.name.clone(), reason }),
            }
        }
        Answer::Fault(never, _) => match never {},
    };
    explored.is_complete = matches!(status, Ok(Status::Proved(_)));
    (explored, status)
}

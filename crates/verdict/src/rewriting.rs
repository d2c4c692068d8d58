//! Rewriting systems: from a question to a verdict.
//!
//! An engine (or both) is queried, its certificate checked by the crate *certificate*, its candidate
//! explored, every trace rechecked by [`recheck`](fn@recheck). Nothing is proved here.

use std::collections::BTreeSet;
use std::time::Instant;

use paramcheck_certificate::check::{self, Rejection};
use paramcheck_certificate::data::Certificate;
use paramcheck_invariants::direct::Direct;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{Outcome, Unfinished};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::explore::goal::implies_dead;
use paramcheck_nets::explore::sweep::ReachedError;
use paramcheck_nets::instance::enumerate::smallest_tree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_process::semantics::check::Mismatch;
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::further_candidates::{Origin, further_candidates};
use super::process::RunRefusal;
use super::recheck::{TraceError, recheck};
use super::scout::Explorer;
use super::vacuity::vacuous;
use super::{
    Candidate, EngineChoice, EngineName, EngineRun, Finding, Options, Proved, Reach, Reason, Remark, Status,
    Unknown, Verdict, Violated,
};

#[cfg(test)]
mod tests;

/// Evidence that does not stand up: a fault of this program, never of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InternalBug {
    /// The engine's certificate is refused.
    #[error("the certificate of `{error}` is refused by the checker: {rejection}")]
    Certificate {
        /// The error in question.
        error: String,
        /// Why.
        rejection: Rejection,
    },
    /// An engine's candidate is no marking of an instance, or no error.
    #[error(
        "the candidate of engine `{engine}` for `{error}` is no instance with a marking that is in the error"
    )]
    Candidate {
        /// The error in question.
        error: String,
        /// The engine.
        engine: EngineName,
    },
    /// MONA's model of a formula is no instance.
    #[cfg(feature = "wsks")]
    #[error("MONA's model of the formula for `{error}` is no instance: {reason}")]
    Model {
        /// The error in question.
        error: String,
        /// Why.
        reason: paramcheck_wsks::tracks::DecodeError,
    },
    /// The engines contradict each other.
    #[error("the engines disagree about `{error}`: {} by `direct`, {} by `mona`", .findings[0], .findings[1])]
    Disagreement {
        /// The error in question.
        error: String,
        /// What the direct engine found, and what MONA.
        findings: Box<[Finding; 2]>,
    },
    /// A trace that exploration found is no violation.
    #[error("the trace to `{error}` {reason}")]
    Trace {
        /// The error in question.
        error: String,
        /// Why.
        reason: TraceError,
    },
    /// A run of a process does not replay, and the rules find no other.
    #[error("{0}")]
    Run(Mismatch),
    /// A run of an instance does not violate the property that it was found for.
    #[error("the run that was found for `{property}` {reason}")]
    Property {
        /// The property in question.
        property: String,
        /// Why.
        reason: RunRefusal,
    },
    /// The proof of a check of a process is refuted by its recheck.
    #[error("the proof is refused: {0}")]
    Proof(String),
    /// Two verifiers contradict each other about a system of one size.
    #[error("{proved} says that it is proved, {violated} has a run that violates it")]
    Conflict {
        /// The verifier that claims a proof.
        proved: String,
        /// The verifier that has a run, which replays.
        violated: String,
    },
    /// The system has no instance: lowering should have refused it.
    #[error("the system has no instance")]
    NoInstance,
}

/// Answers whether any instance of `system` reaches `error`.
///
/// # Errors
/// [`InternalBug`] where the evidence of an answer does not stand up to its recheck, or the engines
/// contradict each other.
pub fn decide(system: &System, error: &NamedError, options: &Options) -> Result<Verdict, InternalBug> {
    let start = Instant::now();
    let smallest = smallest_tree(system).ok_or(InternalBug::NoInstance)?;
    let question = Question { system, error, options };
    let (mut status, engines) = match &options.engine {
        EngineChoice::Direct => {
            let (status, run) = question.direct()?;
            (status, vec![run])
        }
        #[cfg(feature = "wsks")]
        EngineChoice::Mona(setup) => {
            let (status, run) = question.mona(setup)?;
            (status, vec![run])
        }
        #[cfg(feature = "wsks")]
        EngineChoice::Both(setup) => question.both(setup)?,
    };
    if let Status::Proved(proved) = &mut status {
        proved.vacuous = vacuous(system, error, smallest.size(), &options.budget)?;
    }
    Ok(Verdict { error: error.clone(), status, smallest, engines, elapsed: start.elapsed() })
}

/// Another proof of `error`: by sets of these kinds alone, if one is found with at most `effort` joins of the direct
/// engine, and checked as every proof is.
pub fn proof_by(
    system: &System,
    error: &NamedError,
    (kinds, effort): (&[InvariantKind], u64),
    budget: &Budget,
) -> Option<Certificate> {
    let engine = Direct::within(system, budget).ok()?;
    let certificate = engine.prove_by(error, kinds, effort, budget)?;
    check::check(system, error, &certificate, budget).ok()?;
    Some(*certificate)
}

/// A question for one engine or the other.
pub(super) struct Question<'a> {
    pub(super) system: &'a System,
    pub(super) error: &'a NamedError,
    pub(super) options: &'a Options,
}

impl Question<'_> {
    pub(super) fn direct(&self) -> Result<(Status, EngineRun), InternalBug> {
        let Question { system, error, options } = *self;
        let start = Instant::now();
        let mut explorer = Explorer::new(system, error, options.threads, &options.budget);
        let budget = engine_budget(&options.budget, start);
        let outcome = match Direct::within(system, &budget) {
            Ok(engine) => engine.decide(error, &options.invariants, &mut explorer, &budget),
            Err(stop) => Outcome::Stopped {
                reason: stop.into(),
                candidate: None,
                tried: Vec::new(),
                dropped: Vec::new(),
            },
        };
        let recheck = |certificate: Box<Certificate>| {
            options.budget.progress.enter(Phase::Certifying);
            match check::check(system, error, &certificate, &options.budget) {
                Ok(()) => Ok(Ok(Some(*certificate))),
                Err(Rejection::Stopped(stop)) => Ok(Err(stop)),
                Err(rejection) => Err(InternalBug::Certificate { error: error.name.clone(), rejection }),
            }
        };
        let status = self.settle(EngineName::Direct, outcome, explorer, recheck)?;
        let run = EngineRun::new(EngineName::Direct, &status, start.elapsed(), Vec::new());
        Ok((status, run))
    }

    /// What an engine's outcome comes to. `recheck` gives the certificate once it is checked, or why that
    /// ended.
    pub(super) fn settle<P>(
        &self,
        engine: EngineName,
        outcome: Outcome<P>,
        mut explorer: Explorer<'_>,
        recheck: impl FnOnce(P) -> Result<Result<Option<Certificate>, Stop>, InternalBug>,
    ) -> Result<Status, InternalBug> {
        let Question { system, error, options } = *self;
        let unknown = |reason| Status::Unknown(Unknown::because(reason));
        let candidate = |explorer: &Explorer<'_>, (tree, marking)| match explorer.candidate(tree, &marking) {
            Ok(Some(candidate)) => Ok(Ok(candidate)),
            Ok(None) => Err(InternalBug::Candidate { error: error.name.clone(), engine }),
            Err(stop) => Ok(Err(stop)),
        };
        let status = match outcome {
            Outcome::Proved { invariants, dropped, exclusive, evidence } => match recheck(evidence)? {
                Ok(certificate) => {
                    let vacuous = None;
                    Status::Proved(Proved { invariants, dropped, exclusive, certificate, vacuous })
                }
                Err(stop) => {
                    Status::Unknown(Unknown { tried: invariants, ..Unknown::because(Reason::Stopped(stop)) })
                }
            },
            // Where an error was found, that is the answer (below); else no invariants were allowed.
            Outcome::Unsettled { dropped } => {
                let reason = Reason::Unsupported("no invariants were chosen".to_owned());
                Status::Unknown(Unknown { dropped, ..Unknown::because(reason) })
            }
            Outcome::Unsupported(what) => {
                let reason = match engine {
                    EngineName::Direct => Reason::Unsupported(what),
                    EngineName::Mona => Reason::NoFormula(what),
                };
                unknown(reason)
            }
            Outcome::Stopped { reason, candidate: found, tried, dropped } => {
                let reason = match reason {
                    Unfinished::Stopped(stop) => Reason::Stopped(stop),
                    Unfinished::Mona { what, at } => Reason::MonaFailed { what, at },
                };
                // One that there is no time to look at is none.
                let found = found.map(|found| candidate(&explorer, found)).transpose()?.and_then(Result::ok);
                let mut unknown = Unknown { candidate: found, tried, dropped, ..Unknown::because(reason) };
                let has_time =
                    unknown.reason == Reason::Stopped(Stop::Time) && options.budget.check().is_ok();
                if has_time && explorer.reached.is_none() {
                    options.budget.progress.enter(Phase::Exploring);
                    let (Ok(explored) | Err((_, explored))) =
                        explorer.sweep(options.max_size, options.sweep_states());
                    unknown.explored = explored;
                }
                Status::Unknown(unknown)
            }
            Outcome::Candidate { tree, marking, kinds, exclusive, dropped } => {
                let unknown = match candidate(&explorer, (tree, marking))? {
                    Ok(mut found) => {
                        options.budget.progress.enter(Phase::Exploring);
                        self.judge(engine, &mut found, &kinds, dropped, &mut explorer)
                    }
                    Err(stop) => Unknown { tried: kinds, dropped, ..Unknown::because(Reason::Stopped(stop)) },
                };
                Status::Unknown(Unknown { exclusive, ..unknown })
            }
        };
        // Whatever the engine came to: an error that was reached and replays is an answer.
        match explorer.reached {
            Some(reached) => Ok(Status::Violated(violated(system, error, *reached)?)),
            None => Ok(status),
        }
    }
}

impl Question<'_> {
    /// Explores the instance of an engine's candidate, then the smallest instances, then those of candidates
    /// of other kinds, until the error is reached.
    fn judge(
        &self,
        engine: EngineName,
        found: &mut Candidate,
        kinds: &[InvariantKind],
        dropped: Vec<InteractionFiring>,
        explorer: &mut Explorer<'_>,
    ) -> Unknown {
        let Question { system, error, options } = *self;
        let is_dropped = !dropped.is_empty();
        let mut unknown = Unknown { tried: kinds.to_vec(), dropped, ..Unknown::because(Reason::Spurious) };
        if explorer.reached.is_none() {
            match explorer.reach(&found.tree, &found.marking, options.max_states) {
                Ok(reach) => found.reach = reach,
                Err(stop) => unknown.reason = Reason::Stopped(stop),
            }
            if found.reach == Reach::Undecided && unknown.reason == Reason::Spurious {
                unknown.reason = Reason::CandidateTooLarge;
            }
        }
        if explorer.reached.is_none() {
            match explorer.sweep(options.max_size, options.sweep_states()) {
                Ok(explored) => unknown.explored = explored,
                Err((stop, explored)) => {
                    unknown.reason = Reason::Stopped(stop);
                    unknown.explored = explored;
                }
            }
        }
        // Further questions cost MONA far more than they gain.
        if explorer.reached.is_none() && engine == EngineName::Direct {
            let origin = Origin { system, error, kinds, is_dropped, budget: &options.budget };
            unknown.others = further_candidates(&origin, found, explorer, options.sweep_states());
        }
        unknown.candidate = Some(found.clone());
        unknown
    }
}

/// What an engine may use of a question's budget: where there is a deadline, four fifths of the time from `now`
/// on, so that instances are explored also where it does not come to an end.
fn engine_budget(budget: &Budget, now: Instant) -> Budget {
    let deadline = budget.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 5 * 4);
    Budget { deadline, ..budget.clone() }
}

/// A reached error as a violation, once its trace is rechecked.
fn violated(system: &System, error: &NamedError, reached: ReachedError) -> Result<Violated, InternalBug> {
    let ReachedError { tree, net, trace, is_shortest } = reached;
    recheck(system, &net, error, &trace)
        .map_err(|reason| InternalBug::Trace { error: error.name.clone(), reason })?;
    let mut remarks = remarks(&net);
    if implies_dead(&error.formula) {
        remarks.extend(trace.markings.last().and_then(|marking| not_final(system, &net, marking)));
    }
    Ok(Violated { tree, net, trace, is_shortest, remarks })
}

fn remarks(net: &Net) -> Vec<Remark> {
    if net.transitions().is_empty() {
        return vec![Remark::NoTransition];
    }
    let idle: Vec<usize> = net
        .components()
        .indices()
        .enumerate()
        .filter(|&(_, component)| net.transitions_of(component).is_empty())
        .map(|(position, _)| position)
        .collect();
    if idle.is_empty() { vec![] } else { vec![Remark::Idle(idle)] }
}

/// Whether a dead marking is no termination merely because states that nothing leaves are not `final`: which.
fn not_final(system: &System, net: &Net, marking: &Marking) -> Option<Remark> {
    let mut states = BTreeSet::new();
    for (component, &state) in net.components().iter().zip(marking.iter()) {
        let definition = &system.types[component.component_type];
        if definition.states[state].is_final {
            continue;
        }
        if definition.transitions.iter().any(|transition| transition.from == state) {
            return None;
        }
        states.insert((component.component_type, state));
    }
    (!states.is_empty()).then(|| Remark::NotFinal(states.into_iter().collect()))
}

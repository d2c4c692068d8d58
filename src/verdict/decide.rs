//! The pipeline from question to verdict.

use std::time::Instant;

use crate::certificate::check::{self, Rejection};
use crate::engine::direct::{Alive, Direct, Outcome, Witness};
use crate::explore::instances::{InstancesEnd, ReachedError, search_instances};
use crate::explore::search::{SearchOutcome, search};
use crate::explore::trace::{self, ReplayError};
use crate::instance::enumerate::{smallest_tree, trees};
use crate::instance::marking::{self, ErrorCheck};
use crate::instance::net::{Net, NetTransition};
use crate::instance::unfold::unfold;
use crate::model::error::NamedError;
use crate::model::system::System;
use crate::model::tree::{RewritingTree, TreeMarking};
use crate::support::limits::{Budget, Phase, Stop};

use super::{Candidate, Explored, Options, Proved, Reason, Remark, Status, Unknown, Verdict, Violated};

/// Markings visited to see quickly whether a candidate's instance reaches the error.
const QUICK_STATES: usize = 5_000;
/// Markings visited in small instances before more and more effort goes into a proof.
const FIND_STATES: [usize; 2] = [5_000, 100_000];
/// The part of the allowed markings that is spent on instances without a candidate.
const SWEEP_FRACTION: usize = 10;
/// Markings visited to see which interactions fire.
const ALIVE_STATES: usize = 20_000;

/// Evidence that does not stand up: a fault of this program, never of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InternalBug {
    /// The engine's certificate is refused.
    #[error("the certificate of `{error}` is refused by the checker: {rejection}")]
    Certificate {
        /// The error asked for.
        error: String,
        /// Why.
        rejection: Rejection,
    },
    /// The explorer's trace does not replay.
    #[error("the trace to `{error}` does not replay: {reason}")]
    Trace {
        /// The error asked for.
        error: String,
        /// Why.
        reason: ReplayError,
    },
    /// The trace replays, but does not end in the error.
    #[error("the trace to `{error}` replays but does not end in it")]
    WrongEnd {
        /// The error asked for.
        error: String,
    },
    /// The system has no instance: lowering should have refused it.
    #[error("the system has no instance")]
    NoInstance,
}

/// Answers whether any instance of `system` reaches `error`.
///
/// # Errors
/// [`InternalBug`] where the evidence of an answer does not stand up to its recheck.
pub fn decide(system: &System, error: &NamedError, options: &Options) -> Result<Verdict, InternalBug> {
    let start = Instant::now();
    let smallest = smallest_tree(system).ok_or(InternalBug::NoInstance)?;
    let mut explorer = Explorer { system, error, budget: &options.budget, reached: None, last: None };
    let outcome = Direct::new(system).decide(
        error,
        &options.invariants.stages,
        options.invariants.dead_interactions,
        &mut explorer,
        &options.budget,
    );
    let unknown = |reason, candidate, dropped, explored| {
        Status::Unknown(Unknown { reason, candidate, tried: options.invariants.kinds(), dropped, explored })
    };
    let none = Explored::default();
    let status = match outcome {
        Outcome::Proved { invariants, certificate } => {
            options.budget.progress.enter(Phase::Certifying);
            match check::check(system, error, &certificate, &options.budget) {
                Ok(()) => Status::Proved(Proved { invariants, certificate: *certificate }),
                Err(Rejection::Stopped(stop)) => unknown(Reason::Stopped(stop), None, 0, none),
                Err(rejection) => {
                    return Err(InternalBug::Certificate { error: error.name.clone(), rejection });
                }
            }
        }
        // Where an error was found, that is the answer (below); else no invariants were allowed.
        Outcome::Unsettled { dropped } => {
            unknown(Reason::Unsupported("no invariants were chosen".to_owned()), None, dropped, none)
        }
        Outcome::Unsupported(what) => unknown(Reason::Unsupported(what), None, 0, none),
        Outcome::Stopped { reason, candidate, dropped } => {
            let candidate = candidate.and_then(|(tree, marking)| explorer.candidate(tree, &marking));
            unknown(Reason::Stopped(reason), candidate, dropped, none)
        }
        Outcome::Candidate { tree, marking, dropped } => {
            options.budget.progress.enter(Phase::Exploring);
            let (reason, explored) = explorer.settle(&tree, options.max_states);
            let candidate = explorer.candidate(tree, &marking);
            unknown(reason, candidate, dropped, explored)
        }
    };
    // Whatever the engine came to: an error that was reached and replays is an answer.
    let status = match explorer.reached {
        Some(reached) => Status::Violated(violated(system, error, *reached)?),
        None => status,
    };
    Ok(Verdict { error: error.clone(), status, smallest, elapsed: start.elapsed() })
}

/// Replays a trace by the plain semantics and looks at where it ends.
fn violated(system: &System, error: &NamedError, reached: ReachedError) -> Result<Violated, InternalBug> {
    let ReachedError { tree, net, trace } = reached;
    let name = || error.name.clone();
    let end = trace::replay(&net, &trace).map_err(|reason| InternalBug::Trace { error: name(), reason })?;
    if marking::evaluate(system, &net, &error.formula, &end) != Some(true) {
        return Err(InternalBug::WrongEnd { error: name() });
    }
    let remarks = remarks(&net);
    Ok(Violated { tree, net, trace, remarks })
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

/// Looks at concrete instances for one question.
struct Explorer<'a> {
    system: &'a System,
    error: &'a NamedError,
    budget: &'a Budget,
    reached: Option<Box<ReachedError>>,
    /// The last instance looked at without reaching the error, and whether it was seen whole.
    last: Option<(RewritingTree, bool)>,
}

impl Explorer<'_> {
    /// Searches one instance for the error. `Some(true)`: reached; `Some(false)`: not in any reachable
    /// marking; `None`: not decided within `max_states`.
    fn search(&mut self, tree: &RewritingTree, max_states: usize) -> Result<Option<bool>, Stop> {
        if let Some((last, whole)) = &self.last
            && last == tree
            && (*whole || max_states <= QUICK_STATES)
        {
            return Ok(whole.then_some(false));
        }
        let net = unfold(self.system, tree);
        let check = ErrorCheck::new(self.system, &net, &self.error.formula);
        let found = search(&net, |marking| check.holds(&net, marking), max_states, self.budget);
        let whole = match found {
            SearchOutcome::Reached { trace, .. } => {
                self.reached = Some(Box::new(ReachedError { tree: tree.clone(), net, trace }));
                return Ok(Some(true));
            }
            SearchOutcome::Exhausted { .. } => true,
            SearchOutcome::StateLimit { .. } | SearchOutcome::Undecided { .. } => false,
            SearchOutcome::Stopped { reason, .. } => return Err(reason),
        };
        self.last = Some((tree.clone(), whole));
        Ok(whole.then_some(false))
    }

    /// Decides about the engine's last candidate, then looks at all instances, smallest first, as
    /// far as a part of `max_states` reaches.
    fn settle(&mut self, tree: &RewritingTree, max_states: usize) -> (Reason, Explored) {
        let mut explored = Explored::default();
        if self.reached.is_some() {
            return (Reason::Spurious, explored);
        }
        let reason = match self.search(tree, max_states) {
            Ok(Some(true)) => return (Reason::Spurious, explored),
            Ok(Some(false)) => Reason::Spurious,
            Ok(None) => Reason::CandidateTooLarge,
            Err(stop) => return (Reason::Stopped(stop), explored),
        };
        // The candidate was the likeliest place; the rest is looked at for a fraction of that.
        let mut left = max_states / SWEEP_FRACTION;
        for size in sizes(self.system) {
            let outcome = search_instances(self.system, &self.error.formula, size..=size, left, self.budget);
            left -= outcome.states.min(left);
            self.reached = outcome.reached;
            match outcome.end {
                InstancesEnd::AllExplored => {
                    explored.up_to_size = size;
                    explored.instances += outcome.instances;
                    explored.states += outcome.states;
                }
                InstancesEnd::Stopped(stop) => return (Reason::Stopped(stop), explored),
                InstancesEnd::Reached | InstancesEnd::StateLimit | InstancesEnd::Undecided => break,
            }
        }
        (reason, explored)
    }

    fn candidate(&self, tree: RewritingTree, marking: &TreeMarking) -> Option<Candidate> {
        let net = unfold(self.system, &tree);
        let marking = marking::from_tree(&net, marking)?;
        Some(Candidate { tree, net, marking })
    }
}

impl Witness for Explorer<'_> {
    fn confirms(&mut self, tree: &RewritingTree) -> bool {
        matches!(self.search(tree, QUICK_STATES), Ok(Some(true)))
    }

    fn finds(&mut self, round: usize) -> bool {
        let mut left = FIND_STATES[round.min(FIND_STATES.len() - 1)];
        for size in sizes(self.system) {
            let outcome = search_instances(self.system, &self.error.formula, size..=size, left, self.budget);
            left -= outcome.states.min(left);
            self.reached = outcome.reached;
            if self.reached.is_some() || outcome.end != InstancesEnd::AllExplored {
                break;
            }
        }
        self.reached.is_some()
    }

    fn alive(&mut self) -> Alive {
        let mut alive = Alive::default();
        let mut left = ALIVE_STATES;
        for size in sizes(self.system) {
            for tree in trees(self.system, size) {
                let net = unfold(self.system, &tree);
                let note = |marking: &marking::Marking| {
                    for id in net.enabled(marking) {
                        let transition = &net.transitions()[id];
                        if let Some(interaction) = transition.interaction {
                            alive.insert((transition.rule, interaction, combination(&net, transition)));
                        }
                    }
                    Some(false)
                };
                let found = search(&net, note, left, self.budget);
                // An instance costs a little even when it has few markings.
                left = left.saturating_sub(found.states() + 20);
                if left == 0 || self.budget.check().is_err() {
                    return alive;
                }
            }
        }
        alive
    }
}

/// The sizes worth exploring: from 1 until it looks as if the system had no larger instance.
fn sizes(system: &System) -> impl Iterator<Item = usize> + '_ {
    // Between two sizes of instances lies at most what a cycle of rules adds; if longer nothing came,
    // it is time to end, and nothing wrong is claimed by ending.
    let atoms: usize = system.rules.iter().map(|rule| rule.instance_atoms().count()).sum();
    let mut empty = 0;
    (1..).take_while(move |&size| {
        empty = if trees(system, size).next().is_some() { 0 } else { empty + 1 };
        empty <= atoms + 1
    })
}

fn combination(
    net: &Net,
    transition: &NetTransition,
) -> Vec<(crate::model::component::TypeId, crate::model::component::TransitionId)> {
    transition.moves.iter().map(|m| (net.components()[m.component].component_type, m.transition)).collect()
}

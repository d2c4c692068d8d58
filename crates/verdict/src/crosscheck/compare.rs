//! One verdict against what exploration found.

use thiserror::Error;

use super::sweep::{Observation, Plan};
use crate::{EngineName, Finding, Status, Verdict};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{Reduction, find};
use paramcheck_nets::explore::sweep::ReachedError;
use paramcheck_nets::explore::trace::replay;
use paramcheck_nets::instance::marking::evaluate;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::limits::Budget;

/// How a verdict and exploration agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Proved for every size, and no instance of up to this size reaches the error.
    ProvedAndUnreached {
        /// The greatest size that was explored.
        up_to: usize,
    },
    /// Violated, by an instance of the smallest size at which exploration reaches the error, with a
    /// shortest trace of that instance.
    ViolatedAndReached {
        /// The number of components.
        size: usize,
        /// The length of the trace.
        steps: usize,
    },
    /// Violated, while exploration reaches the error at a smaller size.
    ViolatedButSmaller {
        /// The number of components in the verdict.
        size: usize,
        /// The smallest at which exploration reaches the error.
        smallest: usize,
    },
    /// Violated, by an instance larger than those explored, none of which reaches the error.
    ViolatedBeyond {
        /// The number of components in the verdict.
        size: usize,
        /// The greatest size that was explored.
        up_to: usize,
    },
    /// Unknown, and no instance of up to this size reaches the error.
    UnknownAndUnreached {
        /// The greatest size that was explored.
        up_to: usize,
    },
    /// Unknown, while exploration reaches the error: the answer would have been *violated*.
    UnknownButReached {
        /// The smallest number of components at which it is reached.
        size: usize,
        /// The length of a shortest trace.
        steps: usize,
    },
}

/// What must not be: a bug of this program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// An engine proved what is reached.
    #[error(
        "engine `{engine}` proved that no instance reaches `{error}`, but one of {size} components does, in {steps} steps"
    )]
    ProvedButReached {
        /// The error.
        error: String,
        /// The engine.
        engine: EngineName,
        /// The number of components of an instance that reaches it.
        size: usize,
        /// In how many steps.
        steps: usize,
    },
    /// The verdict has an instance of a size that exploration excludes.
    #[error(
        "the verdict has an instance of {size} components that reaches `{error}`, but none of up to {up_to} reaches it"
    )]
    ViolatedButUnreached {
        /// The error.
        error: String,
        /// The number of components in the verdict.
        size: usize,
        /// The greatest size that was explored.
        up_to: usize,
    },
    /// The instance of the verdict does not reach the error.
    #[error("the instance of {size} components in the verdict does not reach `{error}`")]
    InstanceUnreached {
        /// The error.
        error: String,
        /// The number of components.
        size: usize,
    },
    /// The trace of the verdict is not a shortest of its instance.
    #[error("the verdict reaches `{error}` in {claimed} steps, but a shortest trace has {shortest}")]
    TraceLength {
        /// The error.
        error: String,
        /// The length of the verdict's trace.
        claimed: usize,
        /// The length of a shortest one.
        shortest: usize,
    },
    /// The verdict claims that sizes were explored without the error at which it is reached.
    #[error(
        "by the verdict no instance of up to {up_to} components reaches `{error}`, but one of {size} does, in {steps} steps"
    )]
    ExploredButReached {
        /// The error.
        error: String,
        /// The size up to which the verdict has explored.
        up_to: usize,
        /// The number of components of an instance that reaches it.
        size: usize,
        /// In how many steps.
        steps: usize,
    },
    /// The smallest instance is another one.
    #[error(
        "the smallest instance in the verdict has {claimed} components, but there are {instances} instances of {size}"
    )]
    SmallestInstance {
        /// The size in the verdict.
        claimed: usize,
        /// A size.
        size: usize,
        /// How many instances it has.
        instances: usize,
    },
    /// Exploration itself is wrong: its trace is none.
    #[error("the trace by which exploration reaches `{error}` is none: {reason}")]
    Exploration {
        /// The error.
        error: String,
        /// Why.
        reason: String,
    },
}

/// Holds `verdict`, an answer about `system`, against `seen`, where its error stands at `position`. The
/// instance of a violation is explored once more, within `plan` and `budget`.
///
/// # Errors
/// The first contradiction.
pub fn compare(
    system: &System,
    verdict: &Verdict,
    seen: &Observation,
    position: usize,
    plan: &Plan,
    budget: &Budget,
) -> Result<Agreement, Contradiction> {
    let error = &verdict.error;
    let name = || error.name.clone();
    smallest_instance(verdict, seen)?;
    let up_to = seen.excluded_up_to(position);
    let reached = seen.smallest.get(position).and_then(Option::as_deref);
    if let Some(reached) = reached {
        check_trace(system, error, reached)?;
        let (size, steps) = (reached.tree.size(), reached.trace.steps.len());
        let prover = verdict.engines.iter().find(|run| run.finding == Finding::Proved);
        if let Some(engine) = prover.map(|run| run.engine).or(proved_by(verdict)) {
            return Err(Contradiction::ProvedButReached { error: name(), engine, size, steps });
        }
    }
    match &verdict.status {
        Status::Proved(_) => Ok(Agreement::ProvedAndUnreached { up_to }),
        Status::Violated(violated) => {
            let (size, steps) = (violated.tree.size(), violated.trace.steps.len());
            if size <= up_to {
                return Err(Contradiction::ViolatedButUnreached { error: name(), size, up_to });
            }
            if size <= plan.max_size
                && violated.is_shortest
                && let Some(shortest) = shortest(system, error, &violated.tree, plan, budget)?
                && shortest != steps
            {
                return Err(Contradiction::TraceLength { error: name(), claimed: steps, shortest });
            }
            Ok(match reached.map(|reached| reached.tree.size()) {
                Some(smallest) if smallest == size => Agreement::ViolatedAndReached { size, steps },
                Some(smallest) if smallest < size => Agreement::ViolatedButSmaller { size, smallest },
                _ => Agreement::ViolatedBeyond { size, up_to },
            })
        }
        Status::Unknown(unknown) => match reached {
            None => Ok(Agreement::UnknownAndUnreached { up_to }),
            Some(reached) => {
                let (size, steps) = (reached.tree.size(), reached.trace.steps.len());
                let claimed = unknown.explored.up_to_size;
                if size <= claimed {
                    let error = name();
                    return Err(Contradiction::ExploredButReached { error, up_to: claimed, size, steps });
                }
                Ok(Agreement::UnknownButReached { size, steps })
            }
        },
    }
}

/// The engine that answers for a verdict *proved* of which none is known.
fn proved_by(verdict: &Verdict) -> Option<EngineName> {
    let engine = verdict.engines.first().map_or(EngineName::Direct, |run| run.engine);
    matches!(verdict.status, Status::Proved(_)).then_some(engine)
}

/// Whether the smallest instance of the verdict is the smallest that exploration found.
fn smallest_instance(verdict: &Verdict, seen: &Observation) -> Result<(), Contradiction> {
    let claimed = verdict.smallest.size();
    let wrong = seen.sizes.iter().filter(|total| total.is_complete).find(|total| {
        (total.size < claimed && total.instances > 0) || (total.size == claimed && total.instances == 0)
    });
    wrong.map_or(Ok(()), |total| {
        let (size, instances) = (total.size, total.instances);
        Err(Contradiction::SmallestInstance { claimed, size, instances })
    })
}

/// Replays the trace of exploration by the plain semantics, in a net of its own.
fn check_trace(system: &System, error: &NamedError, reached: &ReachedError) -> Result<(), Contradiction> {
    let wrong = |reason: String| Err(Contradiction::Exploration { error: error.name.clone(), reason });
    let net = unfold(system, &reached.tree);
    match replay(&net, &reached.trace) {
        Err(reason) => wrong(reason.to_string()),
        Ok(end) if evaluate(system, &net, &error.formula, &end) == Some(false) => {
            wrong("it does not end in the error".to_owned())
        }
        Ok(_) => Ok(()),
    }
}

/// The length of a shortest way to the error in one instance; `None` where limits come first.
fn shortest(
    system: &System,
    error: &NamedError,
    tree: &RewritingTree,
    plan: &Plan,
    budget: &Budget,
) -> Result<Option<usize>, Contradiction> {
    let net = unfold(system, tree);
    let options =
        SearchOptions { threads: plan.threads, max_states: plan.max_states, ..SearchOptions::default() };
    let mut found = find(system, &net, &error.formula, Reduction::default(), &options, budget);
    match found.errors.pop().and_then(|error| error.trace) {
        Some(trace) => {
            let reached = ReachedError { tree: tree.clone(), net, trace, is_shortest: true };
            check_trace(system, error, &reached)?;
            Ok(Some(reached.trace.steps.len()))
        }
        None if found.end == End::Exhausted => {
            Err(Contradiction::InstanceUnreached { error: error.name.clone(), size: tree.size() })
        }
        None => Ok(None),
    }
}

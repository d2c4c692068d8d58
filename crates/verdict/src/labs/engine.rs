//! The search: from a system and properties to claims, each with the run that shows it. Nothing here is
//! believed before it is rechecked.
//!
//! [`search`] is the only way in. It explores by the rules on process terms and keeps all states and
//! transitions.

use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::evaluate::Halt;
use paramcheck_labs::semantics::evidence::{self, Found, Violation, run_to};
use paramcheck_labs::semantics::explore::{Limits, NoSpace, Space, explore_within};
use paramcheck_labs::semantics::run::Run;
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_text::limits::Phase;

use super::{NoAnswer, NoStart, Options};

/// What was explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// How many initial states.
    pub initial: usize,
    /// How many states: stores, and what each agent has left to do.
    pub states: usize,
    /// How many different stores: values, pending messages, ages.
    pub stores: usize,
    /// How many stores of states in which nothing can happen.
    pub stuck_stores: usize,
    /// How many transitions.
    pub transitions: usize,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What the search claims of a property.
pub(super) enum Claim {
    /// It holds: all states are known.
    Holds,
    /// A run violates it.
    Violated(Violation),
    /// Nothing.
    Unknown(NoAnswer),
    /// At the end of this run a formula of it has no value.
    NoValue(Run, Fault),
}

/// What the search claims.
pub(super) struct Claims {
    pub(super) explored: Explored,
    /// A run, and the step behind it that leads out of the language.
    pub(super) fault: Option<(Run, Label, Fault)>,
    /// Per property.
    pub(super) answers: Vec<Claim>,
}

/// Searches all states, as far as the limits allow.
///
/// # Errors
/// There is no initial state.
pub(super) fn search(
    system: &System,
    properties: &[Property],
    rules: Rules,
    options: &Options,
) -> Result<Claims, NoStart> {
    options.budget.progress.enter(Phase::Exploring);
    let limits =
        Limits { max_states: options.max_states, max_steps: options.max_steps, budget: &options.budget };
    let explored = explore_within(system, rules, &limits, |_| false);
    let reason = |end: NoSpace| match end {
        NoSpace::TooMany => Some(NoAnswer::States(options.max_states)),
        NoSpace::Stopped(stop) => Some(NoAnswer::Stopped(stop)),
        NoSpace::Fault(_) | NoSpace::Foreign => None,
    };
    let (space, end) = match explored {
        Ok(found) => found,
        Err(NoSpace::Fault(fault)) => return Err(NoStart::Assumption(fault)),
        // Not even the initial states are known.
        Err(end) => {
            let open = reason(end).unwrap_or(NoAnswer::Fault);
            let answers = properties.iter().map(|_| Claim::Unknown(open)).collect();
            return Ok(Claims { explored: Explored::default(), fault: None, answers });
        }
    };
    if space.initial == 0 {
        return Err(NoStart::NoInitialState);
    }
    let bound = options.max_steps.map(NoAnswer::Steps);
    let open = end.and_then(reason).or(bound).unwrap_or(NoAnswer::States(options.max_states));
    let answers = properties.iter().map(|property| claim(system, &space, property, &rules, options, open));
    let answers = answers.collect();
    let fault = space.fault.as_ref().map(|(at, label, fault)| (run_to(&space, *at), label.clone(), *fault));
    Ok(Claims { explored: explored_of(&space), fault, answers })
}

fn claim(
    system: &System,
    space: &Space,
    property: &Property,
    rules: &Rules,
    options: &Options,
    open: NoAnswer,
) -> Claim {
    // What can still be reached is a question about all runs.
    let is_about_all = matches!(property.modality, Modality::Fairly | Modality::FairlyInfinite);
    let steps = options.max_steps.filter(|_| !is_about_all);
    match evidence::find(system, space, property, rules, steps) {
        Found::Holds => Claim::Holds,
        Found::Violated(violation) => Claim::Violated(violation),
        Found::Open => Claim::Unknown(open),
        Found::NoValue(state, Halt::Fault(fault)) => Claim::NoValue(run_to(space, state), fault),
        Found::NoValue(_, Halt::Foreign | Halt::NoChoice) => Claim::Unknown(NoAnswer::Fault),
    }
}

fn explored_of(space: &Space) -> Explored {
    Explored {
        initial: space.initial,
        states: space.states.len(),
        stores: space.stores(),
        stuck_stores: space.stuck_stores(),
        transitions: space.transitions.iter().map(Vec::len).sum(),
        is_complete: space.is_complete(),
    }
}

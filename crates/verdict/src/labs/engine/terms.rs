//! The search by the rules on process terms, which keeps all states and transitions: for systems that packed states
//! can't hold.

use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::semantics::evaluate::Halt;
use paramcheck_labs::semantics::evidence::{self, Found, run_to};
use paramcheck_labs::semantics::explore::{Limits, NoSpace, Space, explore_within};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::limits::Phase;

use super::{Claim, Claims, Counts, Explored};
use crate::labs::{NoAnswer, NoStart, Options};

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
        states: space.states.len(),
        counts: Some(Counts {
            initial: space.initial,
            stores: space.stores(),
            stuck_stores: space.stuck_stores(),
            transitions: space.transitions.iter().map(Vec::len).sum(),
        }),
        is_complete: space.is_complete(),
    }
}

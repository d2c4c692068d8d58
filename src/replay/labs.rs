//! Replay of a run of agents, by the rules on process terms and nothing else.
//!
//! A [`LabsTrace`] is of doubtful origin. [`replay`] goes from step to step: among what the rules make possible
//! there must be a step of the same agent with the same effect on values, pending messages and ages. Then the
//! whole run is gone through once more, with its end ([`replay_all`]). Whether it violates a property is
//! [`violates`].

use thiserror::Error;

use crate::report::labs::document::LabsTrace;
use crate::report::labs::{Action, CellReport, End, StepReport, cell, variables, what};
use paramcheck_labs::model::{Property, System};
use paramcheck_labs::semantics::evaluate::Value;
use paramcheck_labs::semantics::explore::holds_in;
use paramcheck_labs::semantics::judge::{Judgement, judge};
use paramcheck_labs::semantics::run::{Ending, MAX_OUTCOMES, NoRun, Replayed, Run, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules, State, Stepper};
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;

/// A run that the rules have gone through.
#[derive(Debug)]
pub struct ReplayedRun<'a> {
    /// By which rules.
    pub rules: Rules,
    /// What happens in each step.
    pub labels: Vec<Label>,
    /// How it ends.
    pub ending: Ending,
    /// Its states.
    pub replayed: Replayed<'a>,
}

/// Why a document is no run of a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotReplayed {
    /// There are no such rules.
    #[error("there are no {0}")]
    Rules(String),
    /// The values in the beginning are others.
    #[error("at first: {0}")]
    Initial(String),
    /// A step is not possible.
    #[error("step {step}: {reason}")]
    Step {
        /// Which step, from 1.
        step: usize,
        /// Why it is not.
        reason: String,
    },
    /// A step has too many outcomes: whether it is a run is not known.
    #[error("a step has too many outcomes to look at all of them")]
    TooMuch,
    /// It does not end so.
    #[error("the end: {0}")]
    End(String),
}

/// Goes through the run of a document.
///
/// # Errors
/// It is none of the system.
pub fn replay<'a>(system: &'a System, document: &LabsTrace) -> Result<ReplayedRun<'a>, NotReplayed> {
    let rules = document.rules.rules().map_err(NotReplayed::Rules)?;
    let cells = initial(system, &document.run.initial)?;
    let empty = Run { initial: cells.clone(), steps: Vec::new() };
    if replay_all(system, rules, &empty, &Ending::Open).is_err() {
        return Err(NotReplayed::Initial("no run begins with these values".to_owned()));
    }
    let mut stepper = Stepper::limited(system, rules, MAX_OUTCOMES);
    let mut layer = vec![stepper.initial(cells.clone())];
    let mut run = Run { initial: cells, steps: Vec::new() };
    for (number, wanted) in document.run.steps.iter().enumerate() {
        let next = after(system, &mut stepper, &layer, wanted);
        let next = next.map_err(|reason| match stepper.is_cut() {
            true => NotReplayed::TooMuch,
            false => NotReplayed::Step { step: number + 1, reason },
        })?;
        // All of them have the same store: the effect says all of it.
        let Some((label, state)) = next.first() else { continue };
        run.steps.push((label.clone(), state.store.clone()));
        layer = next.into_iter().map(|(_, state)| state).collect();
    }
    let ending = ending(system, &mut stepper, &layer, document)?;
    let replayed = replay_all(system, rules, &run, &ending).map_err(|reason| match reason {
        NoRun::Initial => NotReplayed::Initial("no run begins with these values".to_owned()),
        NoRun::Step(step) => {
            NotReplayed::Step { step: step + 1, reason: "the rules do not make it".to_owned() }
        }
        NoRun::TooMuch => NotReplayed::TooMuch,
        NoRun::Ending => NotReplayed::End(no_end(&ending).to_owned()),
    })?;
    let labels = run.steps.into_iter().map(|(label, _)| label).collect();
    Ok(ReplayedRun { rules, labels, ending, replayed })
}

/// The values that a document gives to all cells.
fn initial(system: &System, given: &[CellReport]) -> Result<Vec<Value>, NotReplayed> {
    let name = |cell: &CellReport| match &cell.agent {
        Some(agent) => format!("`{}` of {agent}", cell.variable),
        None => format!("`{}` of the environment", cell.variable),
    };
    let owner = |cell: &CellReport| (cell.agent.clone(), cell.variable.clone());
    let wanted = (0..system.initial.len()).map(|at| cell(system, at, None));
    let mut values = rustc_hash::FxHashMap::default();
    for cell in given {
        if values.insert(owner(cell), cell.value).is_some() {
            return Err(NotReplayed::Initial(format!("{} has two values", name(cell))));
        }
    }
    let mut cells = Vec::new();
    for (wanted, allowed) in wanted.zip(&system.initial) {
        let Some(value) = values.remove(&owner(&wanted)) else {
            return Err(NotReplayed::Initial(format!("{} has no value", name(&wanted))));
        };
        if !allowed.has(value) {
            let value = value.map_or_else(|| "undef".to_owned(), |value| value.to_string());
            return Err(NotReplayed::Initial(format!("{} can't be {value}", name(&wanted))));
        }
        cells.push(value);
    }
    match given.iter().find(|cell| values.contains_key(&owner(cell))) {
        Some(unknown) => Err(NotReplayed::Initial(format!("there is no {}", name(unknown)))),
        None => Ok(cells),
    }
}

/// The steps from one of these states that are as wanted.
fn after(
    system: &System,
    stepper: &mut Stepper<'_>,
    states: &[State],
    wanted: &StepReport,
) -> Result<Vec<(Label, State)>, String> {
    let mut found: Vec<(Label, State)> = Vec::new();
    let mut other = None;
    let source = SourceFile::new("", "");
    for state in states {
        for (label, outcome) in stepper.successors(state) {
            let (agent, action, tuple) = what(system, &label);
            let tuple = tuple.map(|tuple| variables(system, tuple));
            if (&agent, action, &tuple) != (&wanted.agent, wanted.action, &wanted.tuple) {
                continue;
            }
            let Ok(next) = outcome else { continue };
            let step = StepReport::new(system, &source, &label, (&state.store, &next.store), None);
            if step.is_same(wanted) {
                if !found.iter().any(|(_, known)| *known == next) {
                    found.push((label, next));
                }
            } else {
                other.get_or_insert(step);
            }
        }
    }
    match (found.is_empty(), other) {
        (false, _) => Ok(found),
        (true, Some(step)) => {
            Err(format!("{} has another effect there, such as: {}", done(wanted), step.text(&[])))
        }
        (true, None) => Err(format!("{} is not possible there", done(wanted))),
    }
}

/// A step without its effect: `Node 0 propagates leader`.
fn done(step: &StepReport) -> String {
    let tuple = step.tuple.iter().flatten();
    match step.action {
        Action::Act => format!("a step of {}", step.agent),
        Action::Choose => format!("a choice of {}", step.agent),
        Action::Propagate | Action::Confirm => {
            format!("`{} {}s {}`", step.agent, step.action, itertools::join(tuple, ", "))
        }
    }
}

/// How the document says that the run ends, from one of these states.
fn ending(
    system: &System,
    stepper: &mut Stepper<'_>,
    last: &[State],
    document: &LabsTrace,
) -> Result<Ending, NotReplayed> {
    let run = &document.run;
    match (run.loop_start, run.end) {
        (Some(start), _) => Ok(Ending::BackTo(start)),
        (None, Some(End::Stuck)) => Ok(Ending::Stuck),
        (None, Some(End::Fault)) => {
            let fault = document.fault.as_ref().map(|fault| (&fault.agent, &fault.text));
            for state in last {
                for (label, outcome) in stepper.successors(state) {
                    let Err(found) = outcome else { continue };
                    let agent = Some(what(system, &label).0);
                    if fault.is_none_or(|(who, text)| *who == agent && *text == found.to_string()) {
                        return Ok(Ending::Fault(label, found));
                    }
                }
            }
            Err(NotReplayed::End("no step leaves the language there as it says".to_owned()))
        }
        (None, Some(End::Open) | None) => Ok(Ending::Open),
    }
}

fn no_end(ending: &Ending) -> &'static str {
    match ending {
        Ending::Open => "the run can't be gone through",
        Ending::Stuck => "something can still happen there",
        Ending::BackTo(_) => "it does not come back to the state from which it goes on for ever",
        Ending::Fault(..) => "no step leaves the language there",
    }
}

/// Whether a run violates a property, and how many states the closed set behind its end has, if it is about that;
/// why not, in words, or `None` where that is too much work to decide.
pub fn violates(
    system: &System,
    property: &Property,
    run: &mut ReplayedRun<'_>,
    max_steps: Option<usize>,
) -> Option<Result<Option<usize>, String>> {
    let budget = Budget::unlimited();
    let judgement = judge(system, run.rules, property, &mut run.replayed, &run.ending, max_steps, &budget);
    match judgement {
        Ok(Judgement::Violated(closed)) => Some(Ok(closed)),
        Ok(Judgement::Nothing(reason)) => Some(Err(reason.to_owned())),
        Ok(Judgement::TooMuch) => None,
        Err(_) => Some(Err("its formula has no value in the run".to_owned())),
    }
}

/// Whether the formula of a property has no value where a run ends.
pub fn has_no_value(system: &System, property: &Property, run: &ReplayedRun<'_>) -> bool {
    let last = run.replayed.states.last();
    last.is_some_and(|state| holds_in(system, &property.formula, &state.store.cells, &run.rules).is_err())
}

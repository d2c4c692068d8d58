//! Runs as evidence, by the rules as they are written.
//!
//! In: a run of the engine, by numbers. Out: the states and messages that the rules find along it, or what is
//! wrong; and whether it violates a property by the definition of formulas.

use std::collections::{BTreeSet, HashMap};

use paramcheck_emulation::rcheck::Engine;
use paramcheck_rcheck::model::{Spec, StateAtom, System};
use paramcheck_rcheck::semantics::check::Position;
use paramcheck_rcheck::semantics::explore::Space;
use paramcheck_rcheck::semantics::initial::{Initial, initial_states};
use paramcheck_rcheck::semantics::lasso::{Lasso, is_run, satisfies};
use paramcheck_rcheck::semantics::step::{Executed, Fault, Halt, Message, State, Step, steps};
use paramcheck_temporal::system::{End, Run as FoundRun};

/// The most steps by which a run is continued whose continuation does not matter.
const MAX_CONTINUED: usize = 1_000;

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The state in which it is taken.
    pub state: State,
    /// What is sent.
    pub message: Message,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its steps.
    pub steps: Vec<RunStep>,
    /// The state behind them.
    pub last: State,
    /// How it goes on.
    pub end: End,
}

/// The run as the rules have it.
///
/// # Errors
/// Where it leaves the rules.
pub(super) fn replayed(
    system: &System,
    engine: &Engine<'_>,
    found: &FoundRun<u32, u32>,
) -> Result<Run, String> {
    let run = walked(system, engine, found)?;
    if run.end == End::Stops && !matches!(steps(system, &run.last), Ok(steps) if steps.is_empty()) {
        return Err("the run could go on where it stops".to_owned());
    }
    Ok(run)
}

/// The run to an error of the model, and the error.
///
/// # Errors
/// Where it leaves the rules, or that there is no error.
pub(super) fn faulty(
    system: &System,
    engine: &Engine<'_>,
    found: &FoundRun<u32, u32>,
) -> Result<(Run, Fault), String> {
    let run = walked(system, engine, found)?;
    match steps(system, &run.last) {
        Err(Halt::Fault(fault)) => Ok((run, fault)),
        _ => Err("by the rules there is no error of the model at the end of the run".to_owned()),
    }
}

fn walked(system: &System, engine: &Engine<'_>, found: &FoundRun<u32, u32>) -> Result<Run, String> {
    let states: Vec<State> = found.positions.iter().map(|(state, _)| engine.state(*state)).collect();
    let first = states.first().ok_or("the run is empty")?;
    match initial_states(system) {
        Initial::Values(initial) if initial.contains(first) => {}
        _ => return Err("the run does not begin in an initial state".to_owned()),
    }
    let mut taken = Vec::new();
    for (at, (state, (_, executed))) in states.iter().zip(&found.positions).enumerate() {
        let Some(executed) = executed else { continue };
        let next = match found.end {
            End::Loop(begin) if at + 1 == states.len() => states.get(begin),
            _ => states.get(at + 1),
        };
        let executed = engine.executed(*executed);
        let Ok(possible) = steps(system, state) else {
            return Err(format!("step {} is an error of the model", at + 1));
        };
        let is_it = |step: &Step| {
            let by = std::iter::once(&step.message.producer).chain(&step.message.receivers);
            Some(&step.target) == next && by.eq(executed.iter())
        };
        let Some(step) = possible.into_iter().find(is_it) else {
            return Err(format!("step {} is none by the rules", at + 1));
        };
        taken.push(RunStep { state: state.clone(), message: step.message });
    }
    let last = match found.end {
        End::Loop(begin) => states.get(begin),
        End::Stops | End::Open => states.last(),
    };
    Ok(Run { steps: taken, last: last.unwrap_or(first).clone(), end: found.end })
}

/// The run with its end, whatever that is: one that is open goes on by the first steps that are no error of
/// the model. None, if that leads nowhere.
pub(super) fn continued(system: &System, run: &Run) -> Option<Run> {
    let mut run = run.clone();
    if run.end != End::Open {
        return Some(run);
    }
    let mut seen: HashMap<State, usize> = HashMap::new();
    for at in run.steps.len()..run.steps.len() + MAX_CONTINUED {
        if let Some(begin) = seen.insert(run.last.clone(), at) {
            run.end = End::Loop(begin);
            return Some(run);
        }
        let possible = steps(system, &run.last).ok()?;
        if possible.is_empty() {
            run.end = End::Stops;
            return Some(run);
        }
        let goes_on = |step: &Step| steps(system, &step.target).is_ok();
        let step = possible.into_iter().find(goes_on)?;
        let state = std::mem::replace(&mut run.last, step.target);
        run.steps.push(RunStep { state, message: step.message });
    }
    None
}

/// Whether a run that is known to its end violates a property, by the definition of formulas.
///
/// # Errors
/// It is no run, or the property has no value on it.
pub(super) fn violates(system: &System, spec: &Spec, run: &Run) -> Result<bool, String> {
    let mut labels: BTreeSet<Executed> = BTreeSet::new();
    spec.formula.state_atoms(&mut |atom| {
        if let StateAtom::Label(instance, command) = atom {
            labels.insert((instance, command));
        }
    });
    // The states of the run, each once, and the steps taken in them.
    let mut numbers: HashMap<&State, usize> = HashMap::new();
    let mut states: Vec<State> = Vec::new();
    let all = run.steps.iter().map(|step| &step.state).chain([&run.last]);
    let order: Vec<usize> = all
        .map(|state| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state.clone());
                states.len() - 1
            })
        })
        .collect();
    let mut taken: Vec<Vec<(Message, usize)>> = vec![Vec::new(); states.len()];
    let mut positions: Vec<Position> = Vec::new();
    let mut received = BTreeSet::new();
    let mut begins = None;
    let rounds = match run.end {
        End::Loop(begin) => (0..run.steps.len()).chain(begin..run.steps.len()),
        End::Stops | End::Open => (0..run.steps.len()).chain(0..0),
    };
    for at in rounds {
        if positions.len() == run.steps.len() {
            begins = Some(positions.len());
        }
        let (Some(step), Some(state), Some(next)) = (run.steps.get(at), order.get(at), order.get(at + 1))
        else {
            return Err("the run has a gap".to_owned());
        };
        let here = taken.get_mut(*state).ok_or("the run has a gap")?;
        let one = (step.message.clone(), *next);
        let position = here.iter().position(|known| *known == one).unwrap_or_else(|| {
            here.push(one);
            here.len() - 1
        });
        let heard = step.message.receivers.iter().copied().filter(|one| labels.contains(one)).collect();
        let received = std::mem::replace(&mut received, heard);
        positions.push(Position { state: *state, received, step: Some(position) });
    }
    let cycle = match begins {
        Some(begin) => positions.split_off(begin),
        None => {
            let state = order.last().copied().unwrap_or(0);
            positions.push(Position { state, received, step: None });
            vec![Position { state, received: BTreeSet::new(), step: None }]
        }
    };
    let space = Space {
        initial: 1,
        parents: vec![None; states.len()],
        states,
        steps: taken,
        fault: None,
        faulty: BTreeSet::new(),
    };
    let lasso = Lasso { prefix: positions, cycle };
    if !is_run(system, &space, spec, &lasso) {
        return Err("the run is none by the rules".to_owned());
    }
    let satisfied = satisfies(system, &space, spec, &lasso);
    satisfied
        .map(|satisfied| !satisfied)
        .map_err(|why| format!("the property has no value: {}", why.message()))
}

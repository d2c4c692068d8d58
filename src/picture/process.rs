//! Processes and choreographies: what each agent does as an automaton, and a run as a chart.
//!
//! From a system to the automata of its [`agents`](fn@agents), each as it is by itself, before the operators
//! above the agents (restriction, relabelling) apply. From a run, as `verify` writes it, to a chart like that
//! of a trace.

mod agents;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::sequence::{Chart, Form, Life, Mode, Move, Step, left_out};
use super::view::View;
use super::{MAX_LIFELINES, TooLarge};
use crate::report::run::{RunDocument, RunStep};
use crate::report::text::plural;
use paramcheck_process::model::System;
use paramcheck_process::semantics::behaviour::BehaviourId;
use paramcheck_process::semantics::explore::{after, with_interpreter};
use paramcheck_process::semantics::network::{Incomplete, Interpreter};
use paramcheck_process::show;
use paramcheck_text::limits::{Budget, Stop};

pub(super) use agents::JOIN;
pub use agents::agents;

/// Why there is no picture of a process.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotDrawn {
    /// There is too much to draw.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Not all there is to draw is known.
    #[error("{0}")]
    Incomplete(String),
    /// A document's run is none of the system.
    #[error("step {step}: {reason}")]
    NoRun {
        /// Which step, from 1.
        step: usize,
        /// Why it is none.
        reason: String,
    },
}

impl From<Incomplete> for NotDrawn {
    fn from(incomplete: Incomplete) -> Self {
        NotDrawn::Incomplete(incomplete.to_string())
    }
}

impl From<Stop> for NotDrawn {
    fn from(stop: Stop) -> Self {
        NotDrawn::from(Incomplete::from(stop))
    }
}

/// The picture of a run of `system`, which is replayed. The middle of a long one is left out, unless `all` is
/// wanted.
///
/// # Errors
/// It is no run of the system, there is too much to draw, or the budget ended.
pub fn run(system: &System, document: &RunDocument, all: bool, budget: &Budget) -> Result<String, NotDrawn> {
    let run = &document.run;
    let left_out = left_out(run.steps.len(), all)?;
    let names = with_interpreter(system, budget, |interpreter| {
        replay(system, interpreter, &run.steps)?;
        Ok::<_, NotDrawn>(interpreter.agent_names())
    })??;
    TooLarge::check("agents", names.len(), MAX_LIFELINES)?;
    if run.initial.len() != names.len() {
        let reason = format!("the run is of {}, not of {}", run.initial.len(), plural(names.len(), "agent"));
        return Err(NotDrawn::NoRun { step: 1, reason });
    }
    // Per agent the processes met, with the numbers of their colours.
    let mut met: Vec<FxHashMap<String, usize>> =
        run.initial.iter().map(|process| FxHashMap::from_iter([(process.clone(), 0)])).collect();
    let mut now = run.initial.clone();
    let mut steps = Vec::new();
    for step in &run.steps {
        let words = step.via.as_ref().map_or(step.label.clone(), |via| format!("{} ({via})", step.label));
        let mut moves = Vec::new();
        for participant in &step.participants {
            let Some(life) = names.iter().position(|name| *name == participant.agent) else { continue };
            let process = &participant.process;
            let fresh = met[life].len();
            let colour = *met[life].entry(process.clone()).or_insert(fresh);
            let is_new = now[life] != *process;
            now[life].clone_from(process);
            let to = is_new.then(|| Mode { name: process.clone(), colour });
            // The action of a communication is written once.
            let port = if moves.is_empty() { step.via.as_ref().unwrap_or(&step.label) } else { "" };
            moves.push(Move { life, port: port.to_owned(), to });
        }
        steps.push(Step { label: String::new(), words, moves, form: Form::Together });
    }
    let lives = names.iter().zip(&run.initial).map(|(name, initial)| Life {
        name: name.clone(),
        kind: 0,
        initial: Mode { name: initial.clone(), colour: 0 },
        is_marked: false,
    });
    let notes = match (run.loop_start, run.end.as_deref()) {
        (Some(start), _) => vec![format!("then again from step {}, for ever", start + 1)],
        (None, Some("terminated")) => vec!["all have terminated".to_owned()],
        (None, Some("stuck")) => vec!["stuck: nothing can happen next".to_owned()],
        (None, _) => Vec::new(),
    };
    let title = format!("{}: a run of {}", show::term(system, system.root, 60), plural(steps.len(), "step"));
    let caption = vec![format!("violates {} ({})", document.check, document.formula)];
    let chart = Chart { title, lives: lives.collect(), steps, left_out, notes };
    Ok(chart.draw(&View { caption, ..View::default() }))
}

/// Follows the steps of a document through the states of the system.
fn replay(system: &System, interpreter: &mut Interpreter<'_>, steps: &[RunStep]) -> Result<(), NotDrawn> {
    let names = interpreter.agent_names();
    // Several steps may look the same: all states that the steps so far may lead to.
    let mut states = vec![interpreter.initial()];
    for (number, wanted) in steps.iter().enumerate() {
        let mut agents: Vec<&str> = wanted.participants.iter().map(|one| one.agent.as_str()).collect();
        agents.sort_unstable();
        let mut next: Vec<Vec<BehaviourId>> = Vec::new();
        for state in &states {
            for step in interpreter.steps(state)? {
                let mut moved: Vec<&str> = step
                    .changes
                    .iter()
                    .filter_map(|change| names.get(change.0 as usize))
                    .map(String::as_str)
                    .collect();
                moved.sort_unstable();
                if show::label(system, step.label) == wanted.label && moved == agents {
                    let state = after(state, &step);
                    if !next.contains(&state) {
                        next.push(state);
                    }
                }
            }
        }
        if next.is_empty() {
            let reason = format!("`{}` by {} is not possible there", wanted.label, agents.join(" and "));
            return Err(NotDrawn::NoRun { step: number + 1, reason });
        }
        states = next;
    }
    Ok(())
}

//! A run of agents as a chart: a line of life for each agent that takes part and for the environment, a box for a
//! step of one agent, arrows to those who take what a message sends.
//!
//! In: a run that the rules have gone through. What a line of life has for a colour is what the agent has left to
//! do; what is written beside it are the values that change.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::picture::sequence::{Chart, Form, Life, Mode, Move, Step, left_out};
use crate::picture::view::View;
use crate::picture::{MAX_LIFELINES, TooLarge};
use crate::report::labs::document::LabsTrace;
use crate::report::labs::{CellReport, End, FAULT, PendingReport, StepReport, pending};
use crate::report::text::plural;
use paramcheck_labs::model::{AgentId, System, TupleId};
use paramcheck_labs::semantics::control::TermId;
use paramcheck_labs::semantics::step::{Label, State};
use paramcheck_text::index::Idx;

/// The word for the line of life of the environment.
const ENVIRONMENT: &str = "environment";

/// Who has a line of life: an agent, or the environment.
type Owner = Option<AgentId>;

/// The picture of a run of `system`, which has these steps and states. The middle of a long one is left out, unless
/// `all` is wanted.
///
/// # Errors
/// There is too much to draw.
pub fn run(
    system: &System,
    document: &LabsTrace,
    (labels, states): (&[Label], &[State]),
    all: bool,
) -> Result<String, TooLarge> {
    let left_out = left_out(labels.len(), all)?;
    let is_shown = |number: usize| left_out.as_ref().is_none_or(|cut| !cut.contains(&number));
    let taken: Vec<Vec<Owner>> = labels
        .iter()
        .zip(states.windows(2))
        .zip(&document.run.steps)
        .map(|((label, pair), step)| participants(system, label, pair, step))
        .collect();
    let shown = taken.iter().enumerate().filter(|(number, _)| is_shown(*number));
    let owners: BTreeSet<Owner> = shown.flat_map(|(_, owners)| owners).copied().collect();
    TooLarge::check("agents that take part", owners.len(), MAX_LIFELINES)?;
    let owners: Vec<Owner> = owners.into_iter().collect();
    let name = |owner: Owner| owner.map_or_else(|| ENVIRONMENT.to_owned(), |agent| system.agent_name(agent));
    let values =
        |owner: Owner, cells: &[CellReport]| values(owner.map(|agent| system.agent_name(agent)), cells);
    // Per agent what it had left to do so far, with the numbers of colours.
    let mut met: FxHashMap<Owner, Vec<Option<TermId>>> = FxHashMap::default();
    let mut colour = |owner: Owner, state: Option<&State>| {
        let term = owner.and_then(|agent| state?.terms.get(agent.index()).copied());
        let known = met.entry(owner).or_default();
        known.iter().position(|other| *other == term).unwrap_or_else(|| {
            known.push(term);
            known.len() - 1
        })
    };
    let lives: Vec<Life> = owners
        .iter()
        .map(|owner| Life {
            name: name(*owner),
            kind: owner.map_or(0, |agent| system.agents[agent].index() + 1),
            initial: Mode {
                name: values(*owner, &document.run.initial),
                colour: colour(*owner, states.first()),
            },
            is_marked: false,
        })
        .collect();
    let mut steps = Vec::new();
    let mut before: &[PendingReport] = &[];
    for (number, (step, taken)) in document.run.steps.iter().zip(&taken).enumerate() {
        let mut moves = Vec::new();
        for (position, owner) in taken.iter().enumerate() {
            let after = states.get(number + 1);
            let changes = values(*owner, &step.changes);
            let (old, new) = (colour(*owner, states.get(number)), colour(*owner, after));
            let to = (!changes.is_empty() || old != new).then_some(Mode { name: changes, colour: new });
            let Some(life) = owners.iter().position(|other| other == owner) else { continue };
            let port = if position == 0 { what(step) } else { String::new() };
            moves.push(Move { life, port, to });
        }
        let form = if step.tuple.is_some() { Form::Message } else { Form::Alone };
        steps.push(Step { label: String::new(), words: step.text(before), moves, form });
        before = &step.pending;
    }
    let idle = system.agents.len() - owners.iter().flatten().count();
    let chart = Chart {
        title: format!("{}: a run of {}", document.system, plural(steps.len(), "step")),
        lives,
        notes: notes(system, document, states, idle),
        steps,
        left_out,
    };
    Ok(chart.draw(&View { caption: caption(document), ..View::default() }))
}

/// Who takes part in a step, who acts first: all whose values change, and of a message who takes it.
fn participants(system: &System, label: &Label, pair: &[State], step: &StepReport) -> Vec<Owner> {
    let (actor, sent) = match label {
        Label::Act(agent) => (*agent, None),
        Label::Propagate(agent, tuple) | Label::Confirm(agent, tuple) => (*agent, Some(*tuple)),
    };
    let mut others: BTreeSet<Owner> = BTreeSet::new();
    for change in &step.changes {
        let owner = change
            .agent
            .as_ref()
            .and_then(|name| system.agents.indices().find(|agent| system.agent_name(*agent) == *name));
        others.insert(owner);
    }
    if let ([before, after], Some(tuple)) = (pair, sent) {
        others.extend(takers(system, actor, tuple, before, after).into_iter().map(Some));
    }
    others.remove(&Some(actor));
    std::iter::once(Some(actor)).chain(others).collect()
}

/// The agents that take what is sent, also where they had the same values: they were older, and are as new now.
fn takers(system: &System, sender: AgentId, tuple: TupleId, before: &State, after: &State) -> Vec<AgentId> {
    let rank = |state: &State, agent| state.store.rank(system, agent, tuple);
    let takes = |agent: &AgentId| {
        rank(before, *agent) < rank(before, sender) && rank(after, *agent) == rank(after, sender)
    };
    system.holders(tuple).filter(|agent| *agent != sender).filter(takes).collect()
}

/// The values among these that belong to an agent, or to the environment.
fn values(agent: Option<String>, cells: &[CellReport]) -> String {
    let own = cells.iter().filter(|cell| cell.agent == agent);
    let value = |cell: &CellReport| cell.value.map_or_else(|| "undef".to_owned(), |value| value.to_string());
    itertools::join(own.map(|cell| format!("{} = {}", cell.variable, value(cell))), ", ")
}

/// What stands at the one who acts.
fn what(step: &StepReport) -> String {
    match (&step.tuple, step.line) {
        (Some(tuple), _) => format!("{}s {}", step.action, tuple.join(", ")),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => String::new(),
    }
}

fn caption(document: &LabsTrace) -> Vec<String> {
    match (&document.check, &document.formula) {
        (Some(check), _) if check == FAULT => vec!["leaves the language".to_owned()],
        (Some(check), Some(formula)) => vec![format!("violates {check} ({formula})")],
        (Some(check), None) => vec![format!("violates {check}")],
        (None, _) => Vec::new(),
    }
}

fn notes(system: &System, document: &LabsTrace, states: &[State], idle: usize) -> Vec<String> {
    let mut notes = Vec::new();
    match (document.run.loop_start, document.run.end, &document.fault) {
        (Some(start), ..) => notes.push(format!("then again from step {}, for ever", start + 1)),
        (None, Some(End::Fault), Some(fault)) => {
            let who = fault.agent.as_deref().unwrap_or("a step");
            let line = fault.line.map_or_else(String::new, |line| format!(", line {line}"));
            notes.push(format!("then {who} leaves the language{line}: {}", fault.text));
        }
        (None, Some(End::Stuck), _) => notes.push("stuck: nothing can happen next".to_owned()),
        _ => {}
    }
    let open = states.last().map(|state| pending(system, &state.store)).unwrap_or_default();
    if !open.is_empty() {
        notes.push(format!("{} still to be sent", plural(open.len(), "message")));
    }
    if idle > 0 {
        notes.push(format!("{} in no step shown", plural(idle, "agent")));
    }
    notes
}

//! The automata of agents: one for each agent, or where an agent comes to a parallel composition one for each
//! of its components.
//!
//! Components have the names of the counters of triples. While they run the agent is in one state, which
//! names them, and which an arrow `λ join` leaves when all have terminated. A composition that is an
//! alternative of a choice is begun by the first step of one of its operands, so these can't be drawn by
//! themselves; a restriction around a composition says which of their steps are possible. There the agent is
//! drawn as a whole, with all interleavings, where that is small.

use std::collections::VecDeque;

use super::NotDrawn;
use crate::picture::automata::{Automaton, INTERNAL, State, draw_all};
use crate::picture::{MAX_STATES, TooLarge};
use paramcheck_emulation::process::counter_name;
use paramcheck_process::model::System;
use paramcheck_process::semantics::behaviour::BehaviourId;
use paramcheck_process::semantics::explore::with_interpreter;
use paramcheck_process::semantics::inner::Inner;
use paramcheck_process::semantics::network::Interpreter;
use paramcheck_process::show;
use paramcheck_text::limits::Budget;

/// No picture of more different agents, or of more components of one, is drawn.
const MAX_AGENTS: usize = 60;
/// The longest term that is written into a state, in letters. A longer one stands beside the mouse, and a
/// number in its place.
const MAX_TERM: usize = 16;
/// The longest term beside the mouse, in bytes.
const MAX_WHOLE_TERM: usize = 400;
/// What is written at the arrow that leaves a parallel composition, as in triples.
pub(in crate::picture) const JOIN: &str = "λ join";

/// The picture of the agents of a system; those that are the same are drawn once.
///
/// # Errors
/// There is too much to draw, or the budget ended.
pub fn agents(system: &System, budget: &Budget) -> Result<String, NotDrawn> {
    let automata = with_interpreter(system, budget, |interpreter| {
        let names = interpreter.agent_names();
        let mut kinds: Vec<(BehaviourId, Vec<String>)> = Vec::new();
        for (behaviour, name) in interpreter.initial().into_iter().zip(names) {
            match kinds.iter_mut().find(|kind| kind.0 == behaviour) {
                Some(kind) => kind.1.push(name),
                None => kinds.push((behaviour, vec![name])),
            }
        }
        TooLarge::check("different agents", kinds.len(), MAX_AGENTS)?;
        let mut automata = Vec::new();
        for (behaviour, names) in kinds {
            automata.extend(of_agent(system, interpreter, behaviour, &names)?);
        }
        Ok::<_, NotDrawn>(automata)
    })??;
    Ok(draw_all(&format!("{}: agents", show::term(system, system.root, 60)), &automata))
}

/// The automata of an agent, or of several that are the same.
fn of_agent(
    system: &System,
    interpreter: &mut Interpreter<'_>,
    first: BehaviourId,
    names: &[String],
) -> Result<Vec<Automaton>, NotDrawn> {
    let whole = |interpreter: &mut Interpreter<'_>| -> Result<_, NotDrawn> {
        let mut part = Part::new(names.to_vec(), first);
        let mut from = 0;
        while from < part.states.len() {
            part.step(system, interpreter, from)?;
            from += 1;
        }
        Ok(vec![part.drawn(interpreter, &[])])
    };
    let mut is_restricted = false;
    match parts(system, interpreter, (first, names), &mut is_restricted) {
        // A restriction may leave few of the states.
        Err(error) if is_restricted => whole(interpreter).map_err(|_| error),
        Err(error) => Err(error),
        Ok(Split::Parts(parts)) => {
            let small = if is_restricted { whole(interpreter).ok() } else { None };
            Ok(small.unwrap_or_else(|| {
                let all: Vec<Automaton> = parts.iter().map(|part| part.drawn(interpreter, &parts)).collect();
                merged(all, &parts)
            }))
        }
        Ok(Split::Alternative) => whole(interpreter).map_err(|error| match error {
            NotDrawn::Incomplete(reason) => NotDrawn::Incomplete(format!(
                "{reason}; a parallel composition in it is an alternative of a choice, so its operands are \
                 not drawn one by one"
            )),
            other => other,
        }),
    }
}

/// How an agent can be drawn.
enum Split {
    /// Its own automaton, and those of the operands of its parallel compositions.
    Parts(Vec<Part>),
    /// Only as a whole.
    Alternative,
}

/// An automaton in the making.
struct Part {
    names: Vec<String>,
    first: BehaviourId,
    states: Vec<BehaviourId>,
    transitions: Vec<(usize, usize, String)>,
    /// States in which other parts run, with these.
    running: Vec<(usize, Vec<usize>)>,
}

/// The parts of an agent with these names: first its own, then the operands in the order in which they are
/// met. Sets `is_restricted` where a restriction stands around operands.
fn parts(
    system: &System,
    interpreter: &mut Interpreter<'_>,
    (first, names): (BehaviourId, &[String]),
    is_restricted: &mut bool,
) -> Result<Split, NotDrawn> {
    let mut parts = vec![Part::new(names.to_vec(), first)];
    let mut todo = VecDeque::from([(0, 0)]);
    while let Some((number, state)) = todo.pop_front() {
        let behaviour = parts[number].states[state];
        let known = parts[number].states.len();
        match interpreter.inner(behaviour) {
            Inner::Alternative => return Ok(Split::Alternative),
            Inner::Parallel { operands, after, is_restricted: here }
                if !interpreter.is_terminated(&[behaviour]) =>
            {
                *is_restricted |= here;
                let running: Vec<usize> = (parts.len()..parts.len() + operands.len()).collect();
                for operand in operands {
                    let names = names.iter().map(|name| counter_name(name, parts.len())).collect();
                    todo.push_back((parts.len(), 0));
                    parts.push(Part::new(names, operand));
                    if parts.len() > MAX_AGENTS {
                        return Err(NotDrawn::Incomplete(format!(
                            "`{}` has more than {MAX_AGENTS} components, and a picture of them would not be \
                             legible",
                            names_of(&parts[0])
                        )));
                    }
                }
                parts[number].running.push((state, running));
                parts[number].arrow(state, after, JOIN.to_owned())?;
            }
            Inner::Parallel { .. } | Inner::Sequential => parts[number].step(system, interpreter, state)?,
        }
        todo.extend((known..parts[number].states.len()).map(|state| (number, state)));
    }
    Ok(Split::Parts(parts))
}

fn names_of(part: &Part) -> String {
    part.names.join(", ")
}

impl Part {
    fn new(names: Vec<String>, first: BehaviourId) -> Part {
        Part { names, first, states: vec![first], transitions: Vec::new(), running: Vec::new() }
    }

    /// Adds an arrow from a state, and where it leads if that is new.
    fn arrow(&mut self, from: usize, target: BehaviourId, label: String) -> Result<(), NotDrawn> {
        let known = self.states.iter().position(|other| *other == target);
        let to = known.unwrap_or_else(|| {
            self.states.push(target);
            self.states.len() - 1
        });
        if self.states.len() > MAX_STATES {
            // How many there are is not known: the rest may be without end.
            return Err(NotDrawn::Incomplete(format!(
                "`{}` has more than {MAX_STATES} states, and a picture of them would not be legible",
                names_of(self)
            )));
        }
        let one = (from, to, label);
        if !self.transitions.contains(&one) {
            self.transitions.push(one);
        }
        Ok(())
    }

    /// Adds what a state can do.
    fn step(
        &mut self,
        system: &System,
        interpreter: &mut Interpreter<'_>,
        from: usize,
    ) -> Result<(), NotDrawn> {
        for step in interpreter.moves(self.states[from])?.iter() {
            let label = match show::label(system, step.label) {
                label if label == "tau" => INTERNAL.to_owned(),
                label => label,
            };
            self.arrow(from, step.target, label)?;
        }
        Ok(())
    }

    /// What stands for the part with this number in a state: its name, or where it has several its number.
    fn short(&self, number: usize) -> String {
        match &self.names[..] {
            [name] => name.clone(),
            _ => format!(".{number}"),
        }
    }

    fn drawn(&self, interpreter: &Interpreter<'_>, parts: &[Part]) -> Automaton {
        let state = |(number, &behaviour): (usize, &BehaviourId)| {
            let whole = interpreter.show(behaviour, MAX_WHOLE_TERM);
            let running = self.running.iter().find(|(state, _)| *state == number);
            let name = match running.map(|(_, running)| running.as_slice()) {
                Some([first, .., last]) if last - first > 2 => {
                    format!("{} | … | {}", parts[*first].short(*first), parts[*last].short(*last))
                }
                Some(running) => itertools::join(running.iter().map(|&part| parts[part].short(part)), " | "),
                None if whole.chars().count() <= MAX_TERM => whole.clone(),
                None => format!("s{}", number + 1),
            };
            State { name, whole, is_final: interpreter.is_terminated(&[behaviour]) }
        };
        let states = self.states.iter().enumerate().map(state).collect();
        Automaton {
            name: names_of(self),
            states,
            initial: vec![0],
            transitions: self.transitions.clone(),
            legend: Vec::new(),
        }
    }
}

/// The automata of parts; parts that are the same, and in which no others run, are one.
fn merged(automata: Vec<Automaton>, parts: &[Part]) -> Vec<Automaton> {
    let mut kept: Vec<(Option<BehaviourId>, Automaton)> = Vec::new();
    for (automaton, part) in automata.into_iter().zip(parts) {
        let kind = part.running.is_empty().then_some(part.first);
        match kept.iter_mut().find(|(known, _)| kind.is_some() && *known == kind) {
            Some((_, first)) => first.name = format!("{}, {}", first.name, automaton.name),
            None => kept.push((kind, automaton)),
        }
    }
    kept.into_iter().map(|(_, automaton)| automaton).collect()
}

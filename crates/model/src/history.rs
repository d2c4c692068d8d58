//! Systems whose components remember something of their past: the same behaviour with more states.
//!
//! [`with_history`] takes a system, an error and what the components of one type are to remember ([`History`]).
//! States come in copies then, one per history, and a transition leads from each copy of its state to the copy
//! that remembers what just happened. So every run of the one system is a run of the other, copies taken for
//! their originals, and either both reach the error or neither does. What the copies are good for: a set of
//! places may contain one of them and not the other, so more sets are invariants.

use std::collections::VecDeque;

use crate::component::{ComponentType, State, StateId, Transition, TransitionId, TypeId};
use crate::error::{Count, ErrorFormula, NamedError};
use crate::rule::Atom;
use crate::system::System;
use paramcheck_text::index::IndexVec;

#[cfg(test)]
mod tests;

/// What a component remembers of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Whether it is, or ever was, in this state.
    Visited(StateId),
    /// While it is in this state: by which transition it came there, or stayed, if it did not start there.
    CameBy(StateId),
}

/// What a component remembers at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remembered {
    Nothing,
    Visit,
    By(TransitionId),
}

impl History {
    fn at_start(self, state: StateId) -> Remembered {
        if self == History::Visited(state) { Remembered::Visit } else { Remembered::Nothing }
    }

    /// After `transition`, where `before` was remembered.
    fn after(self, before: Remembered, id: TransitionId, transition: &Transition) -> Remembered {
        match self {
            History::Visited(state) if transition.to == state => Remembered::Visit,
            History::Visited(_) => before,
            History::CameBy(state) if transition.to == state => Remembered::By(id),
            History::CameBy(_) => Remembered::Nothing,
        }
    }
}

/// A system that remembers, and what became of the error and the states.
#[derive(Clone, Debug)]
pub struct WithHistory {
    /// The system. It has no errors of its own.
    pub system: System,
    /// The error, about the new states.
    pub error: NamedError,
    /// Per state of the component type its copies, at least one if a component can come there at all.
    pub copies: IndexVec<StateId, Vec<StateId>>,
}

/// `system`, in which components of the type `component` remember `history`, with `error` in its terms. `None`
/// where no state has more than one copy, or the error is a formula over components.
pub fn with_history(
    system: &System,
    error: &NamedError,
    component: TypeId,
    history: History,
) -> Option<WithHistory> {
    let before = &system.types[component];
    let split = Split::new(system, component, history);
    if split.copies.iter().all(|copies| copies.len() < 2) {
        return None;
    }
    let formula = split.formula(&error.formula)?;
    let mut system = system.clone();
    system.types[component] = split.component(before);
    for rule in system.rules.iter_mut() {
        for atom in &mut rule.atoms {
            if let Atom::Instance(atom) = atom
                && atom.component == component
            {
                atom.initial = split.starts(&atom.initial);
            }
        }
        for (_, places) in rule.patterns.iter_mut().flat_map(|pattern| &mut pattern.conditions) {
            *places = split.places(places);
        }
    }
    system.errors = IndexVec::new();
    let error = NamedError { name: error.name.clone(), formula };
    Some(WithHistory { system, error, copies: split.copies })
}

/// The states of a component type, each once per history that a component can have in it.
struct Split {
    component: TypeId,
    history: History,
    /// The copies: state and history.
    states: IndexVec<StateId, (StateId, Remembered)>,
    /// Per state its copies.
    copies: IndexVec<StateId, Vec<StateId>>,
    /// Between copies.
    transitions: IndexVec<TransitionId, Transition>,
}

impl Split {
    fn new(system: &System, component: TypeId, history: History) -> Split {
        let before = &system.types[component];
        let copies = before.states.iter().map(|_| Vec::new()).collect();
        let transitions = IndexVec::new();
        let mut split = Split { component, history, states: IndexVec::new(), copies, transitions };
        let atoms = system.rules.iter().flat_map(|rule| rule.instance_atoms());
        let created = atoms.filter(|atom| atom.component == component).flat_map(|atom| &atom.initial);
        let mut queue: VecDeque<StateId> = VecDeque::new();
        for &state in before.initial.iter().chain(created) {
            split.copy(state, history.at_start(state), &mut queue);
        }
        split.spread(before, &mut queue);
        // Where no component comes, interactions, patterns and errors may still speak of a state.
        for state in before.states.indices() {
            if split.copies[state].is_empty() {
                split.copy(state, Remembered::Nothing, &mut queue);
                split.spread(before, &mut queue);
            }
        }
        split
    }

    /// Adds the transitions of the copies in the queue, and the copies that they lead to.
    fn spread(&mut self, before: &ComponentType, queue: &mut VecDeque<StateId>) {
        while let Some(from) = queue.pop_front() {
            let (state, remembered) = self.states[from];
            for (id, transition) in before.transitions.enumerate().filter(|(_, one)| one.from == state) {
                let to = self.copy(transition.to, self.history.after(remembered, id, transition), queue);
                self.transitions.push(Transition { from, port: transition.port, to });
            }
        }
    }

    /// The copy of `state` for this history; a new one is put into the queue.
    fn copy(&mut self, state: StateId, remembered: Remembered, queue: &mut VecDeque<StateId>) -> StateId {
        let known = self.copies[state].iter().find(|&&copy| self.states[copy].1 == remembered);
        if let Some(&known) = known {
            return known;
        }
        let copy = self.states.push((state, remembered));
        self.copies[state].push(copy);
        queue.push_back(copy);
        copy
    }

    /// The type with these copies for states.
    fn component(&self, before: &ComponentType) -> ComponentType {
        let mut states: IndexVec<StateId, State> = IndexVec::new();
        for &(state, remembered) in self.states.iter() {
            let State { name, is_final } = &before.states[state];
            let is_new = remembered != Remembered::Nothing && self.history != History::Visited(state);
            let name = match (self.history, remembered) {
                (_, Remembered::Nothing) => name.clone(),
                (History::Visited(visited), _) if visited == state => name.clone(),
                (History::Visited(visited), _) => format!("{name}_after_{}", before.states[visited].name),
                (_, Remembered::Visit) => name.clone(),
                (_, Remembered::By(id)) => {
                    format!("{name}_from_{}", before.states[before.transitions[id].from].name)
                }
            };
            let name = match is_new {
                true => fresh(name, before.states.iter().chain(states.iter())),
                false => name,
            };
            states.push(State { name, is_final: *is_final });
        }
        ComponentType {
            name: before.name.clone(),
            states,
            initial: self.starts(&before.initial),
            transitions: self.transitions.clone(),
        }
    }

    /// Where components start that started in `initial`; ascending.
    fn starts(&self, initial: &[StateId]) -> Vec<StateId> {
        let start = |&state: &StateId| {
            let copies = self.copies[state].iter();
            copies.copied().find(|&copy| self.states[copy].1 == self.history.at_start(state))
        };
        let mut starts: Vec<StateId> = initial.iter().filter_map(start).collect();
        starts.sort_unstable();
        starts
    }

    /// All copies of these places; ascending.
    fn places(&self, places: &[(TypeId, StateId)]) -> Vec<(TypeId, StateId)> {
        let copies = |&(component, state): &(TypeId, StateId)| match component == self.component {
            true => self.copies[state].iter().map(|&copy| (component, copy)).collect(),
            false => vec![(component, state)],
        };
        let mut all: Vec<_> = places.iter().flat_map(copies).collect();
        all.sort_unstable();
        all
    }

    /// The error in terms of the copies; `None` of formulas over components.
    fn formula(&self, formula: &ErrorFormula) -> Option<ErrorFormula> {
        let all = |parts: &[ErrorFormula]| -> Option<Vec<ErrorFormula>> {
            parts.iter().map(|part| self.formula(part)).collect()
        };
        Some(match formula {
            ErrorFormula::Deadlock | ErrorFormula::Pattern(_) => formula.clone(),
            ErrorFormula::Components(_) => return None,
            ErrorFormula::Not(inner) => ErrorFormula::Not(Box::new(self.formula(inner)?)),
            ErrorFormula::And(parts) => ErrorFormula::And(all(parts)?),
            ErrorFormula::Or(parts) => ErrorFormula::Or(all(parts)?),
            ErrorFormula::Count(count) => {
                let mut weights = Vec::with_capacity(count.weights.len());
                for &(component, state, weight) in &count.weights {
                    let places = self.places(&[(component, state)]).into_iter();
                    weights.extend(places.map(|(component, state)| (component, state, weight)));
                }
                weights.sort_unstable();
                ErrorFormula::Count(Count { weights, ..count.clone() })
            }
        })
    }
}

/// `name`, with a number where one of `states` is called so: the model may have such a state, and several
/// transitions may lead from one state to another.
fn fresh<'a>(name: String, states: impl Iterator<Item = &'a State> + Clone) -> String {
    let is_known = |name: &str| states.clone().any(|state| state.name == name);
    let mut number = 1;
    let mut fresh = name.clone();
    while is_known(&fresh) {
        number += 1;
        fresh = format!("{name}_{number}");
    }
    fresh
}

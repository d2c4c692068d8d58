//! Ports that serve several phases, and the system in which each phase has a port of its own.
//!
//! Which combinations of transitions fire together comes in ([`Phases::new`]), from whoever explored; a system
//! goes out ([`Phases::split`]) in which those that mix phases can't. A *phase* is a set of transitions: all
//! that fire together, directly or by way of others, are in one. A transition that never fired keeps its
//! partners of every phase, so nothing but mixed combinations is lost. The split system has every run of the
//! given one in which no mixed combination fires; whether one ever does is not known here.

use std::collections::{BTreeMap, BTreeSet};

use crate::component::{ComponentType, PortId, Transition, TransitionId, TypeId};
use crate::rule::{Combination, Interaction, Rule};
use crate::system::System;
use paramcheck_text::index::IndexVec;

#[cfg(test)]
mod tests;

/// A transition of a component type.
type Local = (TypeId, TransitionId);

/// Phases are numbered from here.
const FIRST: usize = 1;

/// Transitions by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phases {
    /// The phase of each transition that fired in an interaction.
    of: BTreeMap<Local, usize>,
    /// Per port the phases of the transitions on it that fired, ascending.
    ports: IndexVec<PortId, Vec<usize>>,
}

impl Phases {
    /// The phases of a system in which these combinations of interactions were seen to fire, and those were
    /// not; as few as keep apart what can be kept apart.
    pub fn new<'a>(
        system: &System,
        fired: impl IntoIterator<Item = &'a Combination>,
        never: impl IntoIterator<Item = &'a Combination>,
    ) -> Phases {
        let mut groups = Groups::default();
        for combination in fired {
            for &local in combination {
                groups.unite(combination[0], local);
            }
        }
        let mut apart: BTreeMap<Local, BTreeSet<Local>> = BTreeMap::new();
        for combination in never {
            let roots: BTreeSet<Local> =
                combination.iter().filter_map(|&local| groups.root_if_known(local)).collect();
            for &root in &roots {
                apart.entry(root).or_default().extend(roots.iter().copied().filter(|&other| other != root));
            }
        }
        // What no combination mixes need not be told apart.
        let mut numbers: BTreeMap<Local, usize> = BTreeMap::new();
        for root in groups.roots() {
            let taken: BTreeSet<usize> = apart
                .get(&root)
                .into_iter()
                .flatten()
                .filter_map(|other| numbers.get(other).copied())
                .collect();
            let free = (FIRST..).find(|number| !taken.contains(number));
            numbers.insert(root, free.unwrap_or(FIRST));
        }
        let known: Vec<Local> = groups.parents.keys().copied().collect();
        let of = known.into_iter().filter_map(|local| Some((local, *numbers.get(&groups.root(local))?)));
        let of: BTreeMap<Local, usize> = of.collect();
        let mut ports: IndexVec<PortId, BTreeSet<usize>> =
            system.ports.iter().map(|_| BTreeSet::new()).collect();
        for (&(component, id), &phase) in &of {
            if let Some(port) = system.types[component].transitions[id].port {
                ports[port].insert(phase);
            }
        }
        Phases { of, ports: ports.iter().map(|phases| phases.iter().copied().collect()).collect() }
    }

    /// Whether a combination mixes phases: the split system does not have it.
    pub fn mixes(&self, combination: &Combination) -> bool {
        let mut phases = combination.iter().filter_map(|local| self.of.get(local));
        let first = phases.next();
        phases.any(|phase| Some(phase) != first)
    }

    /// How many phases a port serves; it keeps its name where that is at most one.
    pub fn of_port(&self, port: PortId) -> usize {
        self.ports[port].len()
    }

    /// The name of `port` in the phase of a transition that fired: `up2`.
    pub fn port_of(&self, system: &System, (component, id): Local) -> Option<String> {
        let port = system.types[component].transitions[id].port?;
        Some(self.name(system, port, *self.of.get(&(component, id))?))
    }

    /// The names of the ports in place of `port`: `up1`, `up2`.
    pub fn names(&self, system: &System, port: PortId) -> Vec<String> {
        self.ports[port].iter().map(|&phase| self.name(system, port, phase)).collect()
    }

    fn name(&self, system: &System, port: PortId, phase: usize) -> String {
        let name = &system.ports[port];
        let Some(number) = self.ports[port].iter().position(|&one| one == phase) else { return name.clone() };
        if self.of_port(port) <= 1 {
            return name.clone();
        }
        // A port of that name may be there: `up` and `up1`.
        let ends = |end: &str| {
            let numbers = FIRST..FIRST + self.of_port(port);
            numbers
                .map(|number| format!("{name}{end}{number}"))
                .any(|new| system.ports.iter().any(|one| *one == new))
        };
        let mut end = String::new();
        while ends(&end) {
            end.push('_');
        }
        format!("{name}{end}{}", number + FIRST)
    }

    /// The system in which each phase has ports of its own.
    pub fn split(&self, system: &System) -> System {
        let mut ports = Ports { phases: self, system, names: IndexVec::new(), numbers: BTreeMap::new() };
        let wanted = self.wanted(system);
        let mut split = system.clone();
        for (component, definition) in system.types.enumerate() {
            let mut transitions: IndexVec<TransitionId, Transition> = IndexVec::new();
            for (id, transition) in definition.transitions.enumerate() {
                let Some(port) = transition.port else {
                    transitions.push(transition.clone());
                    continue;
                };
                for phase in self.phases_of((component, id), port, &wanted) {
                    transitions
                        .push(Transition { port: Some(ports.number(port, phase)), ..transition.clone() });
                }
            }
            split.types[component].transitions = transitions;
        }
        for rule in split.rules.iter_mut() {
            let interactions =
                rule.interactions.iter().flat_map(|one| self.interactions(one, &wanted, &mut ports));
            let interactions: Vec<Interaction> = interactions.collect();
            let is_possible = |one: &Interaction| has_all(&split.types, rule, one);
            rule.interactions = interactions.into_iter().filter(is_possible).collect();
        }
        split.ports = ports.names;
        split
    }

    /// Per port the phases of all ports that it meets in an interaction, and its own: in each of them a
    /// transition on it that never fired may find its partners.
    fn wanted(&self, system: &System) -> IndexVec<PortId, BTreeSet<usize>> {
        // One phase there is always: in it, those that never fired meet each other.
        let own = self.ports.iter().map(|phases| phases.iter().copied().chain([FIRST]).collect());
        let mut wanted: IndexVec<PortId, BTreeSet<usize>> = own.collect();
        for interaction in system.rules.iter().flat_map(|rule| &rule.interactions) {
            let all: BTreeSet<usize> =
                interaction.participants.iter().flat_map(|&(port, _)| self.ports[port].clone()).collect();
            for &(port, _) in &interaction.participants {
                wanted[port].extend(&all);
            }
        }
        wanted
    }

    fn phases_of(
        &self,
        local: Local,
        port: PortId,
        wanted: &IndexVec<PortId, BTreeSet<usize>>,
    ) -> Vec<usize> {
        match self.of.get(&local) {
            Some(&phase) => vec![phase],
            None => wanted[port].iter().copied().collect(),
        }
    }

    /// An interaction once per phase in which all its ports could be.
    fn interactions(
        &self,
        interaction: &Interaction,
        wanted: &IndexVec<PortId, BTreeSet<usize>>,
        ports: &mut Ports<'_>,
    ) -> Vec<Interaction> {
        let mut sets = interaction.participants.iter().map(|&(port, _)| wanted[port].clone());
        let Some(first) = sets.next() else { return vec![interaction.clone()] };
        let common = sets.fold(first, |common, phases| &common & &phases);
        let of_phase = |phase: usize| Interaction {
            participants: interaction
                .participants
                .iter()
                .map(|&(port, variable)| (ports.number(port, phase), variable))
                .collect(),
        };
        common.into_iter().map(of_phase).collect()
    }
}

/// Whether every participant of an interaction can be of a type that has the port.
fn has_all(types: &IndexVec<TypeId, ComponentType>, rule: &Rule, interaction: &Interaction) -> bool {
    interaction.participants.iter().all(|&(port, variable)| {
        rule.variables[variable].types.iter().any(|&id| types[id].transitions_on(port).next().is_some())
    })
}

/// The ports of a split system.
struct Ports<'a> {
    phases: &'a Phases,
    system: &'a System,
    names: IndexVec<PortId, String>,
    numbers: BTreeMap<(PortId, usize), PortId>,
}

impl Ports<'_> {
    fn number(&mut self, port: PortId, phase: usize) -> PortId {
        if let Some(&known) = self.numbers.get(&(port, phase)) {
            return known;
        }
        let number = self.names.push(self.phases.name(self.system, port, phase));
        self.numbers.insert((port, phase), number);
        number
    }
}

/// Transitions that fire together.
#[derive(Default)]
struct Groups {
    parents: BTreeMap<Local, Local>,
}

impl Groups {
    fn unite(&mut self, one: Local, other: Local) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        self.parents.insert(second, first);
        self.parents.insert(first, first);
    }

    fn root(&self, mut local: Local) -> Local {
        while let Some(&parent) = self.parents.get(&local)
            && parent != local
        {
            local = parent;
        }
        local
    }

    fn root_if_known(&self, local: Local) -> Option<Local> {
        self.parents.contains_key(&local).then(|| self.root(local))
    }

    fn roots(&self) -> impl Iterator<Item = Local> + '_ {
        self.parents.iter().filter(|(local, parent)| local == parent).map(|(&local, _)| local)
    }
}

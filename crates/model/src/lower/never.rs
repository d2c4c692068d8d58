//! Warnings of what provably never happens, in no instance: states that no component enters, and ports that
//! never fire because a partner is never ready.
//!
//! A draft without errors comes in, warnings go out. What may happen is a least fixpoint over component types
//! and ports: components of one type are not distinguished, so more may happen in it than in any instance.
//! What is not in it happens in none.
//!
//! Each cause is warned of once. A state to which no transitions lead, even if all of them fire, is one
//! (W0215); a port that nothing uses is another (`unused`); a port is warned of here (W0216) where a
//! component comes to a state in which it waits for the port, but a partner never does.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::component::states_of;
use super::draft::{Draft, Target};
use super::names::Report;
use super::productive::Derivable;
use super::types::Types;
use crate::component::{ComponentType, PortId, StateId, TypeId};
use crate::rule::RuleId;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::warnings;
use paramcheck_text::index::IndexVec;
use paramcheck_text::source::Span;

#[cfg(test)]
mod tests;

/// At most this many places are shown in one warning, and this many states named.
const SHOWN_PLACES: usize = 4;
const SHOWN_STATES: usize = 3;

/// Where components of each type start, in the system; nowhere for a type of which there are none.
type Starts = IndexVec<TypeId, BTreeSet<StateId>>;

/// Per type, whether each state is entered.
type Entered = IndexVec<TypeId, IndexVec<StateId, bool>>;

/// Warns of states that are never entered, and of ports that never fire because of a partner.
pub(super) fn warn(draft: &Draft, derivable: &Derivable, types: &Types, report: &mut Report) {
    let mut starts: Starts = draft.components.types.iter().map(|_| BTreeSet::new()).collect();
    for rule in draft.rules.iter().filter(|rule| derivable.is_reachable[rule.head]) {
        for atom in &rule.atoms {
            if let Target::Instance(component, initial) = &atom.target {
                starts[*component].extend(initial);
            }
        }
    }
    states_never_entered(draft, &starts, report);
    ports_never_firing(draft, derivable, types, &starts, report);
}

/// Warns of states that a component does not come to even if all transitions of its type fire.
fn states_never_entered(draft: &Draft, starts: &Starts, report: &mut Report) {
    let components = &draft.components;
    // Types of which there are no components have been reported.
    for (id, starts) in starts.enumerate().filter(|(_, starts)| !starts.is_empty()) {
        let component = &components.types[id];
        let entered = entered_alone(component, starts);
        let mut places: Vec<(Span, StateId)> = Vec::new();
        for name in components.declarations[id].items.iter().flat_map(states_of) {
            match components.state_in.get(&(id, name.text.as_str())) {
                Some(&state) if !entered[state] => places.push((name.span, state)),
                _ => {}
            }
        }
        let mut labels = places.iter().take(SHOWN_PLACES).map(|&(span, state)| {
            let is_led_to = component.transitions.iter().any(|one| one.to == state && one.from != state);
            let text = match is_led_to {
                true => "only states that are never entered lead here",
                false => "no transition leads here, and nothing starts here",
            };
            (span, text)
        });
        let Some((span, label)) = labels.next() else { continue };
        let (names, name) = (state_names(component, places.iter().map(|&(_, state)| state)), &component.name);
        let message = format!("`{name}` never enters {names}");
        let diagnostic = Diagnostic::new(&warnings::NEVER_ENTERED, message, span, label);
        let diagnostic = labels.fold(diagnostic, |diagnostic, (span, label)| diagnostic.label(span, label));
        let example = places.first().map_or("…", |&(_, state)| component.states[state].name.as_str());
        report.add(diagnostic.help(format!(
            "let a transition lead there, or a component start there, as in `{name}[{example}](x)`"
        )));
    }
}

/// The states that are reached from `starts` if all transitions fire.
fn entered_alone(component: &ComponentType, starts: &BTreeSet<StateId>) -> IndexVec<StateId, bool> {
    let mut next: IndexVec<StateId, Vec<StateId>> = component.states.iter().map(|_| Vec::new()).collect();
    component.transitions.iter().for_each(|transition| next[transition.from].push(transition.to));
    let mut entered: IndexVec<StateId, bool> = component.states.iter().map(|_| false).collect();
    let mut waiting: Vec<StateId> = starts.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        if !std::mem::replace(&mut entered[state], true) {
            waiting.extend(&next[state]);
        }
    }
    entered
}

/// The names of some states, as in `` `a`, `b` and 3 others ``.
fn state_names(component: &ComponentType, states: impl ExactSizeIterator<Item = StateId>) -> String {
    let left_out = states.len().saturating_sub(SHOWN_STATES);
    let shown = states.take(SHOWN_STATES).map(|state| format!("`{}`", component.states[state].name));
    let mut names: Vec<String> = shown.collect();
    match left_out {
        0 => {}
        1 => names.push("1 other".to_owned()),
        more => names.push(format!("{more} others")),
    }
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// A port that never fires, and the one that is the cause.
struct Blocked {
    ports: Vec<(TypeId, PortId)>,
    /// Where an interaction stands in which the first of them takes part.
    interaction: Span,
    cause: (TypeId, PortId),
}

/// Warns of ports that never fire although a component waits for it, since a partner is never ready.
fn ports_never_firing(
    draft: &Draft,
    derivable: &Derivable,
    types: &Types,
    starts: &Starts,
    report: &mut Report,
) {
    let may = May::compute(draft, derivable, types, starts);
    // Ports with one cause are one warning.
    let mut found: Vec<Blocked> = Vec::new();
    let mut position_of: FxHashMap<(TypeId, PortId), usize> = FxHashMap::default();
    let mut seen: FxHashSet<(TypeId, PortId)> = FxHashSet::default();
    for wait in may.waits.iter().filter(|wait| wait.open > 0) {
        let demands = || wait.demands.iter().filter_map(|&demand| may.demands.get(demand));
        let Some(blocker) = demands().find(|demand| !demand.is_met) else { continue };
        let Some(&cause) = blocker.types.first() else { continue };
        let cause = (cause, blocker.port);
        for demand in demands().filter(|demand| demand.is_met) {
            for &component in &demand.types {
                let port = (component, demand.port);
                if !may.offered.contains(&port) || may.fires.contains(&port) || !seen.insert(port) {
                    continue;
                }
                let position = *position_of.entry(cause).or_insert_with(|| {
                    found.push(Blocked { ports: Vec::new(), interaction: wait.span, cause });
                    found.len() - 1
                });
                found[position].ports.push(port);
            }
        }
    }
    found.iter().for_each(|blocked| blocked.warn(draft, report));
}

impl Blocked {
    fn warn(&self, draft: &Draft, report: &mut Report) {
        let components = &draft.components;
        let place = |port: &(TypeId, PortId)| components.offers.get(port).copied();
        let mut places = self.ports.iter().take(SHOWN_PLACES).filter_map(place);
        let (Some(&(component, port)), Some(first)) = (self.ports.first(), places.next()) else { return };
        let type_name = |component: TypeId| &components.types[component].name;
        let (owner, partner) = (type_name(component), &components.types[self.cause.0]);
        let (port, partner_port) = (&components.ports[port], &components.ports[self.cause.1]);
        let message = format!("the port `{port}` of `{owner}` never fires, for its partner is never ready");
        let mut diagnostic = Diagnostic::new(&warnings::NEVER_FIRES, message, first, "waits for ever");
        for span in places {
            diagnostic = diagnostic.label(span, "so does this one");
        }
        diagnostic = diagnostic.label(self.interaction, format!("fires only together with `{partner_port}`"));
        let from: BTreeSet<StateId> =
            partner.transitions_on(self.cause.1).map(|(_, transition)| transition.from).collect();
        let states = state_names(partner, from.iter().copied());
        if let Some(span) = place(&self.cause) {
            diagnostic = diagnostic.label(span, format!("no `{}` ever comes to {states}", partner.name));
        }
        let help = format!("let a `{}` start there, or a transition that can fire lead there", partner.name);
        report.add(diagnostic.help(help));
    }
}

/// That a component of some type is ready for a port: what an interaction demands of one participant.
struct Demand {
    port: PortId,
    /// The types that the participant can be, of those that offer the port.
    types: Vec<TypeId>,
    is_met: bool,
    /// The positions of the interactions that demand it.
    waiting: Vec<usize>,
}

/// An interaction that waits until all its demands are met.
struct Wait {
    span: Span,
    /// The positions of its demands.
    demands: Vec<usize>,
    /// How many of them are not met.
    open: usize,
}

/// A transition without the state it leaves: its port, and where it leads.
type Way = (Option<PortId>, StateId);

/// What may happen.
#[derive(Default)]
struct May {
    demands: Vec<Demand>,
    waits: Vec<Wait>,
    /// Ports for which a component may be ready.
    offered: FxHashSet<(TypeId, PortId)>,
    /// Ports that may fire.
    fires: FxHashSet<(TypeId, PortId)>,
}

impl May {
    /// The least fixpoint, in time linear in the interactions and what their participants can be.
    fn compute(draft: &Draft, derivable: &Derivable, types: &Types, starts: &Starts) -> May {
        let mut may = May::default();
        for (id, rule) in draft.rules.enumerate().filter(|(_, rule)| derivable.is_reachable[rule.head]) {
            may.add_rule(draft, types, id, rule.interactions.len());
        }
        let components = &draft.components;
        let mut demanding: FxHashMap<(TypeId, PortId), Vec<usize>> = FxHashMap::default();
        for (position, demand) in may.demands.iter().enumerate() {
            for &component in &demand.types {
                demanding.entry((component, demand.port)).or_default().push(position);
            }
        }
        let mut on_port: FxHashMap<(TypeId, PortId), Vec<(StateId, StateId)>> = FxHashMap::default();
        let mut leaving: FxHashMap<(TypeId, StateId), Vec<Way>> = FxHashMap::default();
        for (id, component) in components.types.enumerate() {
            for transition in component.transitions.iter() {
                leaving.entry((id, transition.from)).or_default().push((transition.port, transition.to));
                if let Some(port) = transition.port {
                    on_port.entry((id, port)).or_default().push((transition.from, transition.to));
                }
            }
        }
        let all_states = |component: &ComponentType| component.states.iter().map(|_| false).collect();
        let mut entered: Entered = components.types.iter().map(all_states).collect();
        let mut waiting: Vec<(TypeId, StateId)> = Vec::new();
        for (id, starts) in starts.enumerate() {
            waiting.extend(starts.iter().map(|&state| (id, state)));
        }
        while let Some((component, state)) = waiting.pop() {
            if std::mem::replace(&mut entered[component][state], true) {
                continue;
            }
            for &(port, to) in leaving.get(&(component, state)).into_iter().flatten() {
                let Some(port) = port else {
                    waiting.push((component, to));
                    continue;
                };
                if may.fires.contains(&(component, port)) {
                    waiting.push((component, to));
                }
                if !may.offered.insert((component, port)) {
                    continue;
                }
                for &demand in demanding.get(&(component, port)).into_iter().flatten() {
                    for fired in may.meet(demand) {
                        for &(from, to) in on_port.get(&fired).into_iter().flatten() {
                            if entered[fired.0][from] {
                                waiting.push((fired.0, to));
                            }
                        }
                    }
                }
            }
        }
        may
    }

    /// Adds what the interactions of a rule demand.
    fn add_rule(&mut self, draft: &Draft, types: &Types, id: RuleId, interactions: usize) {
        let rule = &draft.rules[id];
        let mut demand_of = FxHashMap::default();
        self.waits.reserve(interactions);
        for interaction in &rule.interactions {
            let number = self.waits.len();
            let mut own = Vec::new();
            for part in &interaction.participants {
                let position = *demand_of.entry((part.port, part.variable)).or_insert_with(|| {
                    let mut types = types.of_variable(id, part.variable);
                    types.retain(|&component| draft.components.offers(component, part.port));
                    self.demands.push(Demand { port: part.port, types, is_met: false, waiting: Vec::new() });
                    self.demands.len() - 1
                });
                own.push(position);
                if let Some(demand) = self.demands.get_mut(position) {
                    demand.waiting.push(number);
                }
            }
            self.waits.push(Wait { span: interaction.span, open: own.len(), demands: own });
        }
    }

    /// Meets a demand; the ports that now fire for the first time.
    fn meet(&mut self, demand: usize) -> Vec<(TypeId, PortId)> {
        let mut fired = Vec::new();
        let Some(demand) = self.demands.get_mut(demand) else { return fired };
        if std::mem::replace(&mut demand.is_met, true) {
            return fired;
        }
        for wait in std::mem::take(&mut demand.waiting) {
            let Some(wait) = self.waits.get_mut(wait) else { continue };
            wait.open -= 1;
            if wait.open > 0 {
                continue;
            }
            for demand in wait.demands.iter().filter_map(|&demand| self.demands.get(demand)) {
                let ports = demand.types.iter().map(|&component| (component, demand.port));
                fired.extend(ports.filter(|port| self.fires.insert(*port)));
            }
        }
        fired
    }
}

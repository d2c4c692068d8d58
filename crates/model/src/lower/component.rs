//! Component types: states, initial and final states, transitions, ports.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Report, with_help};
use crate::component::{ComponentType, PortId, State, StateId, Transition, TypeId};
use crate::syntax::ast::{self, ComponentItem, StateSet};
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::{errors, warnings};
use paramcheck_text::index::IndexVec;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The component types and the names in them.
#[derive(Default)]
pub(super) struct Components<'a> {
    /// The types, in source order; one whose name is taken is still here, but cannot be named.
    pub(crate) types: IndexVec<TypeId, ComponentType>,
    /// The syntax they come from.
    pub(crate) declarations: IndexVec<TypeId, &'a ast::Component>,
    /// The ports, in source order.
    pub(crate) ports: IndexVec<PortId, String>,
    /// The types by name.
    pub(crate) type_named: FxHashMap<&'a str, TypeId>,
    /// The ports by name, with their first place.
    pub(crate) port_named: FxHashMap<&'a str, (PortId, Span)>,
    /// Which type offers which port, and where it does so first.
    pub(crate) offers: FxHashMap<(TypeId, PortId), Span>,
    /// The states by type and name.
    pub(crate) state_in: FxHashMap<(TypeId, &'a str), StateId>,
    /// The states of any type by name; ascending.
    pub(crate) states_named: FxHashMap<&'a str, Vec<(TypeId, StateId)>>,
    /// The types of which some rule creates a component; known once the rules are.
    pub(crate) created: FxHashSet<TypeId>,
}

/// Lowers all component types.
pub(super) fn lower_components<'a>(model: &'a ast::Model, report: &mut Report) -> Components<'a> {
    let mut components = Components::default();
    for item in &model.items {
        let ast::Item::Component(declaration) = item else { continue };
        let id = components.types.push(ComponentType {
            name: declaration.name.text.clone(),
            states: IndexVec::new(),
            initial: Vec::new(),
            transitions: IndexVec::new(),
        });
        components.declarations.push(declaration);
        match components.type_named.get(declaration.name.text.as_str()) {
            Some(&first) => report.add(
                Diagnostic::new(
                    &errors::DUPLICATE_DEFINITION,
                    format!("the component type `{}` is defined twice", declaration.name.text),
                    declaration.name.span,
                    "defined again here",
                )
                .label(components.declarations[first].name.span, "first defined here"),
            ),
            None => {
                components.type_named.insert(&declaration.name.text, id);
            }
        }
        components.fill(id, declaration, report);
    }
    components
}

impl<'a> Components<'a> {
    /// The types and states of a finished system; ports and syntax are missing.
    pub(crate) fn of_system(system: &'a System) -> Self {
        let mut components = Components { types: system.types.clone(), ..Components::default() };
        for (id, component) in system.types.enumerate() {
            components.type_named.insert(&component.name, id);
            for (state, definition) in component.states.enumerate() {
                components.state_in.insert((id, &definition.name), state);
                components.states_named.entry(&definition.name).or_default().push((id, state));
            }
        }
        let rules = system.rules.iter();
        components.created =
            rules.flat_map(|rule| rule.instance_atoms().map(|atom| atom.component)).collect();
        components
    }

    /// Lowers one component type.
    fn fill(&mut self, id: TypeId, declaration: &'a ast::Component, report: &mut Report) {
        let name = &declaration.name;
        let mut first_places: FxHashMap<&str, Span> = FxHashMap::default();
        for state in declaration.items.iter().flat_map(states_of) {
            if let Some(&first) = first_places.get(state.text.as_str()) {
                report.add(
                    Diagnostic::new(
                        &errors::DUPLICATE_DEFINITION,
                        format!("the state `{}` of `{}` is defined twice", state.text, name.text),
                        state.span,
                        "defined again here",
                    )
                    .label(first, "first defined here"),
                );
                continue;
            }
            first_places.insert(&state.text, state.span);
            let state_id = self.types[id].states.push(State { name: state.text.clone(), is_final: false });
            self.state_in.insert((id, &state.text), state_id);
            self.states_named.entry(&state.text).or_default().push((id, state_id));
        }
        if self.types[id].states.is_empty() {
            report.add(
                Diagnostic::new(
                    &errors::NO_STATES,
                    format!("the component type `{}` has no states", name.text),
                    name.span,
                    "a component is always in one of its states",
                )
                .help("add `states …;`"),
            );
        }
        let mut initial: Option<Span> = None;
        let mut resting: Option<Span> = None;
        let mut transitions = FxHashMap::default();
        for item in &declaration.items {
            match item {
                ComponentItem::States(_) => {}
                ComponentItem::Init(set) => {
                    let states = self.resolve_set(id, set, report);
                    if self.is_first("init", &mut initial, set, name, report) {
                        self.types[id].initial = states;
                    }
                }
                ComponentItem::Final(set) => {
                    let states = self.resolve_set(id, set, report);
                    if self.is_first("final", &mut resting, set, name, report) {
                        for state in states {
                            self.types[id].states[state].is_final = true;
                        }
                    }
                }
                ComponentItem::Transition(transition) => {
                    self.add_transition(id, transition, &mut transitions, report);
                }
            }
        }
    }

    /// Whether this is the first statement `keyword` of the component; reports a second one.
    fn is_first(
        &self,
        keyword: &str,
        first: &mut Option<Span>,
        set: &StateSet,
        name: &Ident,
        report: &mut Report,
    ) -> bool {
        let span = set_span(set).unwrap_or(name.span);
        let Some(first) = *first else {
            *first = Some(span);
            return true;
        };
        report.add(
            Diagnostic::new(
                &errors::DUPLICATE_DEFINITION,
                format!("`{}` has `{keyword}` twice", name.text),
                span,
                "again here",
            )
            .label(first, "first here")
            .help(format!("name all states in one `{keyword}`")),
        );
        false
    }

    /// Adds a transition, unless its states are unknown or it is there already.
    fn add_transition(
        &mut self,
        id: TypeId,
        transition: &'a ast::Transition,
        places: &mut FxHashMap<(StateId, Option<PortId>, StateId), Span>,
        report: &mut Report,
    ) {
        let port = transition.port.as_ref().map(|port| {
            let ports = &mut self.ports;
            let entry = self.port_named.entry(&port.text);
            let &mut (port_id, _) = entry.or_insert_with(|| (ports.push(port.text.clone()), port.span));
            self.offers.entry((id, port_id)).or_insert(port.span);
            port_id
        });
        let from = self.state_of(id, &transition.from, report);
        let to = self.state_of(id, &transition.to, report);
        let (Some(from), Some(to)) = (from, to) else { return };
        if let Some(&first) = places.get(&(from, port, to)) {
            report.add(
                Diagnostic::new(
                    &warnings::DUPLICATE_TRANSITION,
                    "this transition is written twice",
                    transition.span,
                    "left out",
                )
                .label(first, "first written here"),
            );
            return;
        }
        places.insert((from, port, to), transition.span);
        self.types[id].transitions.push(Transition { from, port, to });
    }

    /// The states of a set, ascending.
    pub(crate) fn resolve_set(&self, id: TypeId, set: &StateSet, report: &mut Report) -> Vec<StateId> {
        let names = match set {
            StateSet::All(_) => return self.types[id].states.indices().collect(),
            StateSet::Names(names) => names,
        };
        let mut seen = FxHashSet::default();
        let mut states = Vec::new();
        for name in names {
            let Some(state) = self.state_of(id, name, report) else { continue };
            if seen.insert(state) {
                states.push(state);
            } else {
                report.add(Diagnostic::new(
                    &warnings::REPEATED_STATE,
                    format!("the state `{}` is named twice", name.text),
                    name.span,
                    "named before",
                ));
            }
        }
        states.sort_unstable();
        states
    }

    /// The state `name` of a type; reports an unknown one.
    pub(crate) fn state_of(&self, id: TypeId, name: &Ident, report: &mut Report) -> Option<StateId> {
        let found = self.state_in.get(&(id, name.text.as_str())).copied();
        // A type without states has been reported.
        if found.is_none() && !self.types[id].states.is_empty() {
            let states = self.types[id].states.iter().map(|state| state.name.as_str());
            let help = report.did_you_mean(&name.text, states);
            report.add(self.unknown_state_of(id, name, help));
        }
        found
    }

    /// The complaint that a type has no state of this name.
    fn unknown_state_of(&self, id: TypeId, name: &Ident, help: Option<String>) -> Diagnostic {
        let component = &self.types[id];
        let diagnostic = Diagnostic::new(
            &errors::UNKNOWN_STATE,
            format!("`{}` has no state `{}`", component.name, name.text),
            name.span,
            "unknown state",
        );
        let help = help.or_else(|| {
            (component.states.len() <= 8).then(|| {
                let known: Vec<String> =
                    component.states.iter().map(|state| format!("`{}`", state.name)).collect();
                format!("the states of `{}` are {}", component.name, known.join(", "))
            })
        });
        with_help(diagnostic, help)
    }

    /// Whether components of this type have a transition on the port.
    pub(crate) fn offers(&self, component: TypeId, port: PortId) -> bool {
        self.offers.contains_key(&(component, port))
    }
}

/// The states that a statement defines.
pub(super) fn states_of(item: &ComponentItem) -> &[Ident] {
    match item {
        ComponentItem::States(names) => names,
        _ => &[],
    }
}

/// Where a set of states stands.
pub(super) fn set_span(set: &StateSet) -> Option<Span> {
    match set {
        StateSet::All(span) => Some(*span),
        StateSet::Names(names) => names.iter().map(|name| name.span).reduce(Span::to),
    }
}

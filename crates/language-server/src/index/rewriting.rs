//! The names of a rewriting system.
//!
//! A name without a component type before it is every state of that name. Ports belong to no component type:
//! those of one name are one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Builder, Index, Kind};
use paramcheck_model::syntax::ast::{
    Body, Component, ComponentItem, CountTerm, ErrorExpression, Forbid, Interaction, Item, Model, Rule,
    StateSet, WsksAtom, WsksFormula, WsksName,
};
use paramcheck_text::reading::Ident;

/// The index of a text.
pub(crate) fn index(model: &Model) -> Index {
    let mut walk = Walk { names: Names::of(model), builder: Builder::default() };
    model.items.iter().for_each(|item| walk.item(item));
    walk.builder.finish()
}

/// What is declared somewhere in the text.
#[derive(Default)]
struct Names<'a> {
    types: FxHashSet<&'a str>,
    /// Per state the component types that have it.
    states: FxHashMap<&'a str, Vec<&'a str>>,
    ports: FxHashSet<&'a str>,
    links: FxHashSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(model: &'a Model) -> Self {
        let mut names = Names::default();
        for item in &model.items {
            match item {
                Item::Component(component) => names.component(component),
                Item::Link(link) => {
                    names.links.insert(&link.name.text);
                }
                _ => {}
            }
        }
        names
    }

    fn component(&mut self, component: &'a Component) {
        let name = component.name.text.as_str();
        self.types.insert(name);
        for item in &component.items {
            match item {
                ComponentItem::States(states) => {
                    for state in states {
                        let types = self.states.entry(&state.text).or_default();
                        if !types.contains(&name) {
                            types.push(name);
                        }
                    }
                }
                ComponentItem::Transition(transition) => {
                    self.ports.extend(transition.port.as_ref().map(|port| port.text.as_str()));
                }
                ComponentItem::Init(_) | ComponentItem::Final(_) => {}
            }
        }
    }
}

/// The scopes of variables: the innermost first.
struct Scope {
    own: String,
    bound: FxHashSet<String>,
    outer: Option<(String, FxHashSet<String>)>,
}

impl Scope {
    fn of(&self, variable: &Ident) -> &str {
        match &self.outer {
            Some((outer, names))
                if !self.bound.contains(&variable.text) && names.contains(&variable.text) =>
            {
                outer
            }
            _ => &self.own,
        }
    }
}

struct Walk<'a> {
    names: Names<'a>,
    builder: Builder,
}

impl Walk<'_> {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Component(component) => self.component(component),
            Item::Rule(rule) => self.rule(rule),
            Item::Link(link) => {
                self.builder.define(Kind::Link, "", &link.name);
                let own = self.builder.scope();
                link.parameters.iter().for_each(|name| self.builder.define(Kind::Variable, &own, name));
                let scope = Scope { own, bound: FxHashSet::default(), outer: None };
                link.interactions.iter().for_each(|one| self.interaction(one, &scope));
                link.forbids.iter().for_each(|one| self.forbid(one, &scope));
            }
            Item::Error(error) => {
                self.builder.define(Kind::Error, "", &error.name);
                self.expression(&error.body);
            }
            Item::Critical(critical) => critical.states.iter().for_each(|term| self.term(term)),
            Item::System(system) => self.builder.mention(Kind::Predicate, "", &system.predicate),
        }
    }

    fn component(&mut self, component: &Component) {
        let name = component.name.text.as_str();
        self.builder.define(Kind::ComponentType, "", &component.name);
        for item in &component.items {
            match item {
                ComponentItem::States(states) => {
                    states.iter().for_each(|state| self.builder.define(Kind::State, name, state));
                }
                ComponentItem::Init(set) | ComponentItem::Final(set) => self.states(set, name),
                ComponentItem::Transition(transition) => {
                    self.builder.mention(Kind::State, name, &transition.from);
                    if let Some(port) = &transition.port {
                        self.builder.define(Kind::Port, "", port);
                    }
                    self.builder.mention(Kind::State, name, &transition.to);
                }
            }
        }
    }

    fn states(&mut self, set: &StateSet, component: &str) {
        if let StateSet::Names(names) = set {
            names.iter().for_each(|state| self.builder.mention(Kind::State, component, state));
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.builder.define(Kind::Predicate, "", &rule.head);
        let outer = self.builder.scope();
        rule.parameters.iter().for_each(|name| self.builder.define(Kind::Variable, &outer, name));
        let parameters: FxHashSet<String> = rule.parameters.iter().map(|name| name.text.clone()).collect();
        for body in &rule.bodies {
            self.body(body, (outer.clone(), parameters.clone()));
        }
    }

    fn body(&mut self, body: &Body, outer: (String, FxHashSet<String>)) {
        let own = self.builder.scope();
        body.fresh.iter().for_each(|name| self.builder.define(Kind::Variable, &own, name));
        let bound = body.fresh.iter().map(|name| name.text.clone()).collect();
        let scope = Scope { own, bound, outer: Some(outer) };
        body.interactions.iter().for_each(|one| self.interaction(one, &scope));
        body.forbids.iter().for_each(|one| self.forbid(one, &scope));
        for atom in &body.atoms {
            let is_component = self.names.types.contains(atom.name.text.as_str());
            let kind = if is_component { Kind::ComponentType } else { Kind::Predicate };
            self.builder.mention(kind, "", &atom.name);
            if let Some(set) = &atom.initial {
                self.states(set, &atom.name.text);
            }
            atom.arguments.iter().for_each(|name| self.variable(name, &scope));
        }
    }

    fn variable(&mut self, name: &Ident, scope: &Scope) {
        self.builder.mention(Kind::Variable, scope.of(name), name);
    }

    fn interaction(&mut self, interaction: &Interaction, scope: &Scope) {
        let is_alone = interaction.atoms.len() == 1;
        for atom in &interaction.atoms {
            let name = atom.name.text.as_str();
            let is_link = is_alone && self.names.links.contains(name) && !self.names.ports.contains(name);
            if let Some(qualifier) = &atom.qualifier {
                self.builder.mention(Kind::ComponentType, "", qualifier);
            }
            self.builder.mention(if is_link { Kind::Link } else { Kind::Port }, "", &atom.name);
            atom.arguments.iter().for_each(|name| self.variable(name, scope));
        }
    }

    fn forbid(&mut self, forbid: &Forbid, scope: &Scope) {
        if let Some(name) = &forbid.name {
            self.builder.define(Kind::Error, "", name);
        }
        for atom in forbid.patterns.iter().flat_map(|pattern| &pattern.atoms) {
            self.state(atom.qualifier.as_ref(), &atom.name);
            atom.arguments.iter().for_each(|name| self.variable(name, scope));
        }
    }

    /// `Type.state`, or a state of every component type that has it.
    fn state(&mut self, component: Option<&Ident>, state: &Ident) {
        if let Some(component) = component {
            self.builder.mention(Kind::ComponentType, "", component);
            return self.builder.mention(Kind::State, &component.text, state);
        }
        match self.names.states.get(state.text.as_str()) {
            Some(types) => types.iter().for_each(|name| self.builder.mention(Kind::State, name, state)),
            None => self.builder.mention(Kind::State, "", state),
        }
    }

    fn term(&mut self, term: &CountTerm) {
        self.state(term.component.as_ref(), &term.state);
    }

    /// The depth of expressions is bounded by the parser.
    fn expression(&mut self, expression: &ErrorExpression) {
        match expression {
            ErrorExpression::Deadlock(_) => {}
            ErrorExpression::Name(name) => self.builder.mention(Kind::Error, "", name),
            ErrorExpression::Count(count) => count.terms.iter().for_each(|term| self.term(term)),
            ErrorExpression::Wsks(wsks) => self.formula(&wsks.formula, &mut Vec::new()),
            ErrorExpression::Not(inner, _) => self.expression(inner),
            ErrorExpression::And(parts) | ErrorExpression::Or(parts) => {
                parts.iter().for_each(|part| self.expression(part));
            }
        }
    }

    /// `bound` has the variables in scope and their scopes, the innermost last.
    fn formula(&mut self, formula: &WsksFormula, bound: &mut Vec<(String, String)>) {
        match formula {
            WsksFormula::Constant(..) => {}
            WsksFormula::Atom(WsksAtom { left, right, .. }) => {
                self.name(left, bound);
                self.name(right, bound);
            }
            WsksFormula::Not(inner, _) => self.formula(inner, bound),
            WsksFormula::And(parts) | WsksFormula::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part, bound));
            }
            WsksFormula::Implies(left, right) | WsksFormula::Iff(left, right) => {
                self.formula(left, bound);
                self.formula(right, bound);
            }
            WsksFormula::Quantified(quantified) => {
                let outer = bound.len();
                let own = self.builder.scope();
                for name in &quantified.variables {
                    self.builder.define(Kind::Variable, &own, name);
                    bound.push((name.text.clone(), own.clone()));
                }
                self.formula(&quantified.body, bound);
                bound.truncate(outer);
            }
        }
    }

    fn name(&mut self, name: &WsksName, bound: &[(String, String)]) {
        if name.component.is_some() {
            return self.state(name.component.as_ref(), &name.name);
        }
        let text = name.name.text.as_str();
        if let Some((_, scope)) = bound.iter().rev().find(|(variable, _)| variable == text) {
            return self.builder.mention(Kind::Variable, scope, &name.name);
        }
        if !self.names.states.contains_key(text) && self.names.types.contains(text) {
            return self.builder.mention(Kind::ComponentType, "", &name.name);
        }
        self.state(None, &name.name);
    }
}

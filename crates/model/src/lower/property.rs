//! Properties of runs: names of components, states, ports and errors get their meaning.

use std::cell::RefCell;

use super::component::Components;
use super::error::Lowerer;
use super::names::{Report, listed, with_help};
use super::resolve::find_type;
use crate::component::PortId;
use crate::property::{Atom, Component, Owner, Port, Property};
use crate::syntax::ast::property as ast;
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::reading::Ident;

/// Lowers a property of the runs of an instance of a system; `text` is where it stands. It comes with the warnings
/// about it.
///
/// # Errors
/// What is wrong with it: unknown names.
pub fn lower_property(
    system: &System,
    definition: &ast::PropertyDefinition,
    text: &str,
) -> Result<(Property, Vec<Diagnostic>), Vec<Diagnostic>> {
    let components = Components::of_system(system);
    let resolution = Resolution {
        system,
        components: &components,
        errors: Lowerer::of_system(system, &components),
        report: RefCell::default(),
    };
    let formula = definition.formula.try_map(
        &mut |atom| Ok(paramcheck_temporal::formula::Formula::Atom(resolution.atom(atom))),
        &mut |atom| Ok::<_, std::convert::Infallible>(resolution.atom(atom)),
    );
    let Ok(formula) = formula;
    let report = resolution.report.into_inner();
    if report.has_errors() {
        return Err(report.into_diagnostics());
    }
    // Without errors every atom has a meaning.
    let formula = formula.try_map(
        &mut |atom| atom.clone().map(paramcheck_temporal::formula::Formula::Atom).ok_or(()),
        &mut |atom| atom.clone().ok_or(()),
    );
    let name = definition.name.text.clone();
    let written = text.get(definition.span.start..definition.span.end).unwrap_or_default().to_owned();
    match formula {
        Ok(formula) => Ok((Property { name, text: written, formula }, report.into_diagnostics())),
        Err(()) => Err(report.into_diagnostics()),
    }
}

/// What names mean.
struct Resolution<'a> {
    system: &'a System,
    components: &'a Components<'a>,
    errors: Lowerer<'a, 'a, 'a>,
    report: RefCell<Report>,
}

impl Resolution<'_> {
    /// What an atom means; nothing if something is wrong with it (reported).
    fn atom(&self, atom: &ast::PropertyAtom) -> Option<Atom> {
        Some(match atom {
            ast::PropertyAtom::Error(expression) => {
                Atom::Error(self.errors.formula(expression, &mut self.report.borrow_mut())?)
            }
            ast::PropertyAtom::State(component, state) => {
                let component = self.component(component)?;
                let report = &mut self.report.borrow_mut();
                Atom::State(component, self.components.state_of(component.component_type, state, report)?)
            }
            ast::PropertyAtom::Did(port) => Atom::Did(self.port(port)?),
            ast::PropertyAtom::Can(port) => Atom::Can(self.port(port)?),
            ast::PropertyAtom::Fires(port) => Atom::Fires(self.port(port)?),
            ast::PropertyAtom::FiresAny => Atom::FiresAny,
        })
    }

    fn component(&self, component: &ast::Component) -> Option<Component> {
        let id = find_type(self.components, &component.component_type, &mut self.report.borrow_mut())?;
        Some(Component { component_type: id, number: component.number, span: component.span })
    }

    fn port(&self, port: &ast::Port) -> Option<Port> {
        let owner = match &port.owner {
            ast::Owner::Any => Owner::Any,
            ast::Owner::Type(name) => {
                Owner::Type(find_type(self.components, name, &mut self.report.borrow_mut())?)
            }
            ast::Owner::Component(component) => Owner::Component(self.component(component)?),
        };
        Some(Port { owner, port: self.named(owner, &port.name)? })
    }

    /// The port of this name that the owner has.
    fn named(&self, owner: Owner, name: &Ident) -> Option<PortId> {
        let types = match owner {
            Owner::Any => None,
            Owner::Type(id) | Owner::Component(Component { component_type: id, .. }) => Some(id),
        };
        let has =
            |port: PortId| types.is_none_or(|id| self.system.types[id].transitions_on(port).next().is_some());
        let known = || self.system.ports.enumerate().filter(|(port, _)| has(*port));
        if let Some((port, _)) = known().find(|(_, other)| **other == name.text) {
            return Some(port);
        }
        let report = &mut self.report.borrow_mut();
        if !report.is_first(&errors::UNKNOWN_PORT, &name.text) {
            return None;
        }
        let names = || known().map(|(_, name)| name.as_str());
        let help = report.did_you_mean(&name.text, names()).or_else(|| {
            if self.components.states_named.contains_key(name.text.as_str()) {
                return Some(format!(
                    "`{}` is a state; steps are named by the ports of transitions",
                    name.text
                ));
            }
            listed("port", "ports", names())
        });
        let (message, label) = match types {
            None => (format!("unknown port `{}`", name.text), "no component has a transition on it"),
            Some(id) => {
                let owner = &self.system.types[id].name;
                (format!("`{owner}` has no port `{}`", name.text), "none of its transitions has it")
            }
        };
        let diagnostic = Diagnostic::new(&errors::UNKNOWN_PORT, message, name.span, label);
        report.add(with_help(diagnostic, help));
        None
    }
}

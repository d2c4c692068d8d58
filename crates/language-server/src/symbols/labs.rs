//! The outline of a system of agents: kinds with attributes and processes, stigmergies with variables, properties.

use lsp_types::{DocumentSymbol, SymbolKind};
use paramcheck_labs::ast::{Declaration, Definition, Section};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

use super::symbol;
use crate::document::Document;

/// The symbols of a section: one with others below it, or those of a section without a name.
pub(super) fn section(section: &Section, document: &Document) -> Vec<DocumentSymbol> {
    let leaf = |name: &Ident, kind, detail, whole: Span| {
        symbol(document, &name.text, kind, detail, whole, name.span)
    };
    let variable = |name: &Ident, detail| leaf(name, SymbolKind::VARIABLE, detail, name.span);
    let declared = |all: &[Declaration], detail| -> Vec<DocumentSymbol> {
        all.iter().filter_map(|one| variable(&one.variable.name, detail)).collect()
    };
    let defined = |all: &[Definition]| -> Vec<DocumentSymbol> {
        let whole = |one: &Definition| one.name.span.to(one.body.span);
        all.iter().filter_map(|one| leaf(&one.name, SymbolKind::FUNCTION, "process", whole(one))).collect()
    };
    let (head, children) = match section {
        Section::System(system) => {
            let parameters = system.externs.iter();
            let parameters =
                parameters.filter_map(|name| leaf(name, SymbolKind::CONSTANT, "parameter", name.span));
            let children = [
                parameters.collect(),
                declared(&system.environment, "variable of the environment"),
                defined(&system.definitions),
            ];
            let head = symbol(document, "system", SymbolKind::MODULE, "system", system.span, system.span);
            (head, children.concat())
        }
        Section::Stigmergy(stigmergy) => {
            let variables = stigmergy.tuples.iter().flat_map(|tuple| &tuple.variables);
            let variables = variables.filter_map(|one| variable(&one.name, "variable of the stigmergy"));
            let head = leaf(&stigmergy.name, SymbolKind::INTERFACE, "stigmergy", stigmergy.span);
            (head, variables.collect())
        }
        Section::Agent(agent) => {
            let children = [declared(&agent.interface, "attribute"), defined(&agent.definitions)];
            (leaf(&agent.name, SymbolKind::CLASS, "kind of agents", agent.span), children.concat())
        }
        Section::Assume(section) => {
            let whole = |name: &Ident, formula: Span| name.span.to(formula);
            let all = section.assumptions.iter();
            let all = all.filter_map(|one| {
                leaf(&one.name, SymbolKind::EVENT, "assumption", whole(&one.name, one.formula.span))
            });
            return all.collect();
        }
        Section::Check(section) => {
            let all = section.properties.iter();
            let all = all.filter_map(|one| {
                leaf(&one.name, SymbolKind::EVENT, "property", one.name.span.to(one.formula.span))
            });
            return all.collect();
        }
    };
    head.map(|head| DocumentSymbol { children: Some(children), ..head }).into_iter().collect()
}

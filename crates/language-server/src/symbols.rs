//! The outline of a document: what it defines, in source order.
//!
//! In: the tree, also that of a text with errors. Out: symbols; states and ports stand below their component
//! type.

use lsp_types::{DocumentSymbol, SymbolKind};
use paramcheck_model::syntax::ast::{Component, ComponentItem, Item};
use paramcheck_process::ast::Item as ProcessItem;
use paramcheck_text::source::Span;

use crate::analysis::Meaning;
use crate::document::Document;

mod labs;

/// The outline.
pub(crate) fn symbols(document: &mut Document) -> Vec<DocumentSymbol> {
    let analysis = document.analysis();
    let document = &*document;
    match &analysis.meaning {
        Meaning::Rewriting { tree, .. } => {
            tree.items.iter().filter_map(|item| rewriting(item, document)).collect()
        }
        Meaning::Process { tree, .. } => {
            tree.items.iter().filter_map(|item| process(item, document)).collect()
        }
        Meaning::Agents { tree, .. } => {
            tree.sections.iter().flat_map(|one| labs::section(one, document)).collect()
        }
    }
}

fn rewriting(item: &Item, document: &Document) -> Option<DocumentSymbol> {
    Some(match item {
        Item::Component(component) => {
            let children = states(component, document);
            let name = &component.name;
            let symbol =
                symbol(document, &name.text, SymbolKind::CLASS, "component type", component.span, name.span)?;
            DocumentSymbol { children: Some(children), ..symbol }
        }
        Item::Rule(rule) => {
            let parameters = itertools::join(rule.parameters.iter().map(|name| &name.text), ", ");
            let name = format!("{}({parameters})", rule.head.text);
            symbol(document, &name, SymbolKind::FUNCTION, "rule", rule.span, rule.head.span)?
        }
        Item::Link(link) => {
            symbol(document, &link.name.text, SymbolKind::INTERFACE, "link", link.span, link.name.span)?
        }
        Item::Error(error) => {
            symbol(document, &error.name.text, SymbolKind::EVENT, "error", error.span, error.name.span)?
        }
        Item::Critical(critical) => {
            symbol(document, "critical", SymbolKind::EVENT, "error", critical.span, critical.span)?
        }
        Item::System(system) => {
            let name = &system.predicate;
            symbol(
                document,
                &format!("system {}", name.text),
                SymbolKind::MODULE,
                "system",
                system.span,
                name.span,
            )?
        }
    })
}

fn states(component: &Component, document: &Document) -> Vec<DocumentSymbol> {
    let states = component.items.iter().filter_map(|item| match item {
        ComponentItem::States(states) => Some(states),
        _ => None,
    });
    states
        .flatten()
        .filter_map(|state| {
            symbol(document, &state.text, SymbolKind::ENUM_MEMBER, "state", state.span, state.span)
        })
        .collect()
}

fn process(item: &ProcessItem, document: &Document) -> Option<DocumentSymbol> {
    match item {
        ProcessItem::Definition(definition) => {
            let name = &definition.name;
            symbol(document, &name.text, SymbolKind::FUNCTION, "process", definition.span, name.span)
        }
        ProcessItem::System(system) => {
            symbol(document, "system", SymbolKind::MODULE, "system", system.span, system.span)
        }
        ProcessItem::Check(check) => {
            let (name, span) = match &check.name {
                Some(name) => (name.text.as_str(), name.span),
                None => ("deadlock", check.span),
            };
            symbol(document, name, SymbolKind::EVENT, "check", check.span, span)
        }
    }
}

/// A symbol; `None` for one without a name, which editors refuse.
fn symbol(
    document: &Document,
    name: &str,
    kind: SymbolKind,
    detail: &str,
    whole: Span,
    name_span: Span,
) -> Option<DocumentSymbol> {
    if name.is_empty() {
        return None;
    }
    #[allow(deprecated)] // a field that the protocol still has
    Some(DocumentSymbol {
        name: name.to_owned(),
        detail: Some(detail.to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: document.range(whole.to(name_span)),
        selection_range: document.range(name_span),
        children: None,
    })
}

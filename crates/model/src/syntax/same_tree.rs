//! Equality of syntax trees up to places.
//!
//! Derived equality compares spans too, which differ as soon as a text is formatted.

use crate::syntax::ast::{
    Atom, Body, ComponentItem, CountTerm, ErrorExpression, Forbid, Interaction, Item, Model, StateSet,
    WsksFormula, WsksName,
};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

#[cfg(test)]
mod tests;

/// Whether two trees are the same but for the places of their nodes.
pub fn same_tree(a: &Model, b: &Model) -> bool {
    without_places(a) == without_places(b)
}

/// The tree with all spans empty.
fn without_places(model: &Model) -> Model {
    let mut model = model.clone();
    for item in &mut model.items {
        match item {
            Item::Component(component) => {
                clear(&mut component.span);
                name(&mut component.name);
                component.items.iter_mut().for_each(component_item);
            }
            Item::Rule(rule) => {
                clear(&mut rule.span);
                name(&mut rule.head);
                rule.parameters.iter_mut().for_each(name);
                rule.bodies.iter_mut().for_each(body);
            }
            Item::Link(link) => {
                clear(&mut link.span);
                name(&mut link.name);
                link.parameters.iter_mut().for_each(name);
                link.interactions.iter_mut().for_each(interaction);
                link.forbids.iter_mut().for_each(forbid);
            }
            Item::Error(error) => {
                clear(&mut error.span);
                name(&mut error.name);
                expression(&mut error.body);
            }
            Item::Critical(critical) => {
                clear(&mut critical.span);
                critical.states.iter_mut().for_each(count_term);
            }
            Item::System(system) => {
                clear(&mut system.span);
                name(&mut system.predicate);
            }
        }
    }
    model
}

fn clear(span: &mut Span) {
    *span = Span::default();
}

fn name(ident: &mut Ident) {
    clear(&mut ident.span);
}

fn state_set(set: &mut StateSet) {
    match set {
        StateSet::All(span) => clear(span),
        StateSet::Names(names) => names.iter_mut().for_each(name),
    }
}

fn component_item(item: &mut ComponentItem) {
    match item {
        ComponentItem::States(names) => names.iter_mut().for_each(name),
        ComponentItem::Init(set) | ComponentItem::Final(set) => state_set(set),
        ComponentItem::Transition(transition) => {
            clear(&mut transition.span);
            name(&mut transition.from);
            transition.port.iter_mut().for_each(name);
            name(&mut transition.to);
        }
    }
}

fn body(body: &mut Body) {
    clear(&mut body.span);
    body.fresh.iter_mut().for_each(name);
    body.interactions.iter_mut().for_each(interaction);
    body.forbids.iter_mut().for_each(forbid);
    body.atoms.iter_mut().for_each(atom);
}

fn interaction(interaction: &mut Interaction) {
    clear(&mut interaction.span);
    for atom in &mut interaction.atoms {
        clear(&mut atom.span);
        atom.qualifier.iter_mut().for_each(name);
        name(&mut atom.name);
        atom.arguments.iter_mut().for_each(name);
    }
}

fn forbid(forbid: &mut Forbid) {
    clear(&mut forbid.span);
    forbid.name.iter_mut().for_each(name);
    forbid.patterns.iter_mut().for_each(interaction);
}

fn atom(atom: &mut Atom) {
    clear(&mut atom.span);
    name(&mut atom.name);
    atom.initial.iter_mut().for_each(state_set);
    atom.arguments.iter_mut().for_each(name);
}

fn count_term(term: &mut CountTerm) {
    clear(&mut term.span);
    term.component.iter_mut().for_each(name);
    name(&mut term.state);
}

/// Recursion is bounded by the parser's limit on nesting.
fn expression(formula: &mut ErrorExpression) {
    match formula {
        ErrorExpression::Deadlock(span) => clear(span),
        ErrorExpression::Name(ident) => name(ident),
        ErrorExpression::Count(count) => {
            clear(&mut count.span);
            count.terms.iter_mut().for_each(count_term);
        }
        ErrorExpression::Wsks(wsks) => {
            clear(&mut wsks.span);
            wsks_formula(&mut wsks.formula);
        }
        ErrorExpression::Not(inner, span) => {
            clear(span);
            expression(inner);
        }
        ErrorExpression::And(parts) | ErrorExpression::Or(parts) => parts.iter_mut().for_each(expression),
    }
}

/// Recursion is bounded by the parser's limit on nesting.
fn wsks_formula(formula: &mut WsksFormula) {
    match formula {
        WsksFormula::Constant(_, span) => clear(span),
        WsksFormula::Atom(atom) => {
            clear(&mut atom.span);
            wsks_name(&mut atom.left);
            wsks_name(&mut atom.right);
        }
        WsksFormula::Not(inner, span) => {
            clear(span);
            wsks_formula(inner);
        }
        WsksFormula::And(parts) | WsksFormula::Or(parts) => parts.iter_mut().for_each(wsks_formula),
        WsksFormula::Implies(left, right) | WsksFormula::Iff(left, right) => {
            wsks_formula(left);
            wsks_formula(right);
        }
        WsksFormula::Quantified(quantified) => {
            clear(&mut quantified.span);
            quantified.variables.iter_mut().for_each(name);
            wsks_formula(&mut quantified.body);
        }
    }
}

fn wsks_name(qualified: &mut WsksName) {
    qualified.component.iter_mut().for_each(name);
    name(&mut qualified.name);
}

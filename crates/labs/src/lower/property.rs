//! Assumptions and properties.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::source::Span;

use super::expression::{Resolver, Setting};
use crate::ast;
use crate::model::{Assumption, Expr, Modality, Property, System, Within};

/// What holds in every initial state; `None` if its name is taken.
pub(super) fn assumption(
    system: &System,
    assumption: &ast::Assumption,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Assumption> {
    let formula = formula(system, &assumption.formula, diagnostics);
    Some(Assumption { name: assumption.name.text.clone(), formula })
}

/// A question.
pub(super) fn property(
    system: &System,
    property: &ast::Property,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Property> {
    let modality = match &property.modality {
        ast::Modality::Always => Modality::Always,
        ast::Modality::Eventually { is_finally } => Modality::Eventually { is_finally: *is_finally },
        ast::Modality::Fairly => Modality::Fairly,
        ast::Modality::FairlyInfinite => Modality::FairlyInfinite,
        ast::Modality::Scope { is_open, opens, closes, within } => Modality::Scope {
            is_open: *is_open,
            opens: formula(system, opens, diagnostics),
            closes: formula(system, closes, diagnostics),
            within: match within {
                ast::Within::ThereIs => Within::ThereIs,
                ast::Within::Always => Within::Always,
                ast::Within::Precedes(first) => Within::Precedes(formula(system, first, diagnostics)),
            },
        },
    };
    let formula = formula(system, &property.formula, diagnostics);
    if system.properties.iter().any(|one| one.name == property.name.text) {
        let message = format!("the property `{}` is in the file", property.name.text);
        diagnostics.push(Diagnostic::new(&codes::DUPLICATE, message, property.name.span, ""));
        return None;
    }
    let demand = Span::new(property.name.span.end, property.formula.span.end);
    Some(Property { name: property.name.text.clone(), modality, formula, span: property.name.span, demand })
}

fn formula(system: &System, formula: &ast::Expr, diagnostics: &mut Vec<Diagnostic>) -> Expr {
    Resolver::new(system, Setting::Formula, diagnostics).expr(formula)
}

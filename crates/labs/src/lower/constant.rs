//! Constants: numbers, parameters, operators, and `id` where an agent is known.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;

use super::names::unknown;
use crate::ast::{Expr, ExprKind};
use crate::number::apply;

/// The value of an expression that has the same in every state.
///
/// # Errors
/// It has none, and why.
pub(super) fn constant(
    expr: &Expr,
    parameters: &[(String, i64)],
    id: Option<usize>,
) -> Result<i64, Box<Diagnostic>> {
    let value = |expr: &Expr| constant(expr, parameters, id);
    let fault = |fault| {
        Box::new(Diagnostic::new(
            &codes::NOT_CONSTANT,
            format!("this constant has no value: {fault}"),
            expr.span,
            "",
        ))
    };
    let both = |[left, right]: &[Expr; 2]| Ok::<_, Box<Diagnostic>>((value(left)?, value(right)?));
    Ok(match &expr.kind {
        ExprKind::Number(number) => *number,
        ExprKind::Truth(truth) => i64::from(*truth),
        ExprKind::Extern(name) => parameter(name, expr, parameters)?,
        ExprKind::Id(None) => match id {
            Some(id) => i64::try_from(id).unwrap_or(i64::MAX),
            None => {
                let message = "`id` has no value here";
                return Err(Box::new(
                    Diagnostic::new(&codes::NOT_CONSTANT, message, expr.span, "")
                        .help("only variables of agents can start with `id`"),
                ));
            }
        },
        ExprKind::Parenthesised(inner) => value(inner)?,
        ExprKind::Negative(inner) => {
            value(inner)?.checked_neg().ok_or_else(|| fault(crate::number::Fault::Overflow))?
        }
        ExprKind::Not(inner) => i64::from(value(inner)? == 0),
        ExprKind::Absolute(inner) => {
            value(inner)?.checked_abs().ok_or_else(|| fault(crate::number::Fault::Overflow))?
        }
        ExprKind::Binary(operator, left, right) => {
            apply(*operator, value(left)?, value(right)?).map_err(fault)?
        }
        ExprKind::Extreme { is_max, operands } => {
            let (left, right) = both(operands)?;
            if *is_max { left.max(right) } else { left.min(right) }
        }
        ExprKind::If(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            if value(condition)? != 0 { value(then)? } else { value(otherwise)? }
        }
        _ => {
            return Err(Box::new(
                Diagnostic::new(
                    &codes::NOT_CONSTANT,
                    "a constant is needed here",
                    expr.span,
                    "its value may differ from state to state",
                )
                .help("constants are made of numbers, parameters (`_n`) and operators"),
            ));
        }
    })
}

/// The value of a parameter.
///
/// # Errors
/// There is no such parameter.
pub(super) fn parameter(
    name: &str,
    expr: &Expr,
    parameters: &[(String, i64)],
) -> Result<i64, Box<Diagnostic>> {
    let bare = name.strip_prefix('_').unwrap_or(name);
    let found = parameters.iter().find(|(known, _)| known == bare);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<String> = parameters.iter().map(|(known, _)| format!("_{known}")).collect();
        let ident = paramcheck_text::reading::Ident { text: name.to_owned(), span: expr.span };
        let diagnostic =
            unknown(&codes::UNKNOWN_PARAMETER, "parameter", &ident, known.iter().map(String::as_str));
        let listed = diagnostic.help.is_some() && !known.is_empty();
        Box::new(if listed {
            diagnostic
        } else {
            diagnostic.help(format!("parameters are listed in the section `system`: `extern = {name}`"))
        })
    })
}

//! Temporal operators, observations and quantifiers in the model: they belong to properties.

use super::Context;
use crate::ast::{Action, Assignment, Expr, ExprKind, File, ItemKind, PartKind, Process, ProcessKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;

/// Reports each.
pub(super) fn report(file: &File, context: &mut Context<'_>) {
    for item in &file.items {
        match &item.kind {
            ItemKind::Guard(guard) => look(&guard.body, context),
            ItemKind::System(instances) => {
                instances.iter().for_each(|instance| look(&instance.init, context));
            }
            ItemKind::Agent(agent) => {
                for part in &agent.parts {
                    match &part.kind {
                        PartKind::Local(_) => {}
                        PartKind::Init(expr) | PartKind::ReceiveGuard(expr) => look(expr, context),
                        PartKind::Relabel(all) => all.iter().for_each(|(_, value)| look(value, context)),
                        PartKind::Repeat(process) => look_into(process, context),
                    }
                }
            }
            _ => {}
        }
    }
}

fn look_into(process: &Process, context: &mut Context<'_>) {
    match &process.kind {
        ProcessKind::Choice(all) | ProcessKind::Sequence(all) => {
            all.iter().for_each(|one| look_into(one, context));
        }
        ProcessKind::Rep(inner) | ProcessKind::Parenthesised(inner) => look_into(inner, context),
        ProcessKind::Command(command) => {
            look(&command.guard, context);
            match &command.action {
                Action::Send(_, expr) | Action::Get(expr) => look(expr, context),
                Action::Receive(_) | Action::Supply { .. } => {}
            }
            let values = command.data.iter().chain(&command.update);
            values.for_each(|Assignment { value, .. }| look(value, context));
        }
    }
}

fn look(expr: &Expr, context: &mut Context<'_>) {
    if let Some(what) = what(&expr.kind) {
        let message = format!("{what} in the model");
        context.report(
            Diagnostic::new(&codes::MISPLACED_OPERATOR, message, expr.span, "")
                .help("only properties, behind `SPEC`, speak of runs and messages"),
        );
    }
    expr.children(&mut |child| look(child, context));
}

/// What an expression is that only properties have.
pub(super) fn what(kind: &ExprKind) -> Option<String> {
    Some(match kind {
        ExprKind::Temporal(operator, _) => format!("the temporal operator `{}`", operator.spelling()),
        ExprKind::Chain(_, rest) => {
            let (operator, _) = rest.iter().find(|(operator, _)| operator.is_temporal())?;
            format!("the temporal operator `{}`", operator.spelling())
        }
        ExprKind::Observed { .. } => "an observation of messages".to_owned(),
        ExprKind::Quantified { .. } => "a quantifier over instances".to_owned(),
        ExprKind::Addressed { .. } => "a quantifier over those addressed".to_owned(),
        _ => return None,
    })
}

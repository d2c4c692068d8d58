//! Functions of a C program, `$f(…)`: in what they are called. Nothing but C can carry them out.

use super::{Action, Expr, Modality, Property, Statement, System, Target, Within};
use paramcheck_text::source::Span;

impl System {
    /// A function of a C program that is called, and the place of the guard, action or property that does; a
    /// link and an assumption have none.
    pub fn foreign(&self) -> Option<(&str, Option<Span>)> {
        let guards = self.guards.iter().map(|guard| (guard.span, in_expr(&guard.condition)));
        let actions = self.actions.iter().map(|action| (action.span, in_action(action)));
        let properties = self.properties.iter().map(|property| (property.span, in_property(property)));
        let placed = guards.chain(actions).chain(properties);
        let placed = placed.filter_map(|(span, found)| Some((found?, Some(span))));
        let links = self.stigmergies.iter().map(|one| &one.link);
        let assumptions = self.assumptions.iter().map(|one| &one.formula);
        let others = links.chain(assumptions).filter_map(|expr| Some((in_expr(expr)?, None)));
        placed.chain(others).next()
    }
}

impl Property {
    /// A function of a C program that is called.
    pub fn foreign(&self) -> Option<&str> {
        in_property(self)
    }
}

fn in_action(action: &Action) -> Option<&str> {
    action.statements.iter().find_map(|statement| match statement {
        Statement::Assign(all) => all.iter().find_map(|(target, value)| in_target(target).or(in_expr(value))),
        Statement::Pick { condition, .. } => condition.as_ref().and_then(in_expr),
    })
}

fn in_property(property: &Property) -> Option<&str> {
    let more = match &property.modality {
        Modality::Scope { opens, closes, within, .. } => {
            let first = match within {
                Within::Precedes(first) => in_expr(first),
                Within::ThereIs | Within::Always => None,
            };
            in_expr(opens).or(in_expr(closes)).or(first)
        }
        Modality::Always | Modality::Eventually { .. } | Modality::Fairly | Modality::FairlyInfinite => None,
    };
    in_expr(&property.formula).or(more)
}

fn in_all(exprs: &[Expr]) -> Option<&str> {
    exprs.iter().find_map(in_expr)
}

fn in_target(target: &Target) -> Option<&str> {
    match target {
        Target::Environment(_, indices) | Target::Own(_, indices) => in_all(indices),
        Target::Local(_) => None,
    }
}

fn in_expr(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Foreign(name, _) => Some(name),
        expr => expr.parts().into_iter().find_map(in_expr),
    }
}

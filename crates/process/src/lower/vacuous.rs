//! Warnings of checks that say nothing of the system: of restricted actions, and with a part that never
//! changes.
//!
//! Only what is restricted at the outermost is known here not to happen: elsewhere the same action may come
//! from another part of the system. What no state offers for other reasons is known once all are explored.

use std::collections::BTreeSet;

use super::Report;
use super::property::checks;
use crate::ast::{self, Action, Model};
use crate::model::{Atom, Formula, Goal, LabelId, System, Term};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;

/// Pairs of parts of a disjunction or conjunction with more are not looked at.
const MAX_PARTS: usize = 200;

/// Warns of the checks of `system`.
pub(crate) fn warn(model: &Model, system: &System, report: &mut Report) {
    let restricted = restricted(system);
    for (item, check) in checks(model).zip(&system.checks) {
        if let (ast::Goal::Ltl(written), Goal::Ltl(formula)) = (&item.goal, &check.goal) {
            for (written, atom) in written.atoms().into_iter().zip(formula.atoms()) {
                if let (
                    ast::Atom::Did(action) | ast::Atom::Can(action) | ast::Atom::Takes(action),
                    Atom::Did(labels) | Atom::Can(labels) | Atom::Takes(labels),
                ) = (written, atom)
                {
                    warn_if_restricted(action, labels, &restricted, report);
                }
            }
        }
        let (ast::Goal::Always(written) | ast::Goal::Eventually(written)) = &item.goal else { continue };
        let (Goal::Always(formula) | Goal::Eventually(formula)) = &check.goal else { continue };
        actions(written, formula, &restricted, report);
        if let Some((holds, first, second)) = constant(written, formula) {
            let message = match holds {
                true => "one of these parts always holds, whatever the system does",
                false => "these parts never hold at once, whatever the system does",
            };
            let label = "a step has one label: not both actions are done last";
            let diagnostic = Diagnostic::new(&codes::CONSTANT_FORMULA, message, first.span, label);
            report.push(diagnostic.label(second.span, "the other action"));
        }
    }
}

/// The labels that the system as a whole restricts.
fn restricted(system: &System) -> BTreeSet<LabelId> {
    let mut restricted = BTreeSet::new();
    let mut root = system.root;
    // Terms come after their parts, so this ends.
    while let Term::Restrict(inside, set) = &system.terms[root] {
        restricted.extend(&system.restrictions[*set]);
        root = *inside;
    }
    restricted
}

/// Warns of restricted actions. Recursion is bounded by the parser's limit on nesting.
fn actions(written: &ast::Formula, formula: &Formula, restricted: &BTreeSet<LabelId>, report: &mut Report) {
    match (written, formula) {
        (ast::Formula::Did(action), Formula::Did(labels))
        | (ast::Formula::Can(action), Formula::Can(labels)) => {
            warn_if_restricted(action, labels, restricted, report);
        }
        (ast::Formula::Not(written), Formula::Not(formula)) => actions(written, formula, restricted, report),
        (ast::Formula::And(written), Formula::And(formula))
        | (ast::Formula::Or(written), Formula::Or(formula)) => {
            let parts = written.iter().zip(formula);
            parts.for_each(|(written, formula)| actions(written, formula, restricted, report));
        }
        _ => {}
    }
}

/// Warns of an action if all its labels are restricted.
fn warn_if_restricted(
    action: &Action,
    labels: &[LabelId],
    restricted: &BTreeSet<LabelId>,
    report: &mut Report,
) {
    if labels.is_empty() || !labels.iter().all(|label| restricted.contains(label)) {
        return;
    }
    let message =
        format!("the action `{}` is restricted, so no step is ever called so", crate::print::action(action));
    let label = "the system hides it";
    let diagnostic = Diagnostic::new(&codes::RESTRICTED_ACTION, message, action.span, label);
    report.push(diagnostic.help("agents that take it together do `tau`"));
}

/// A part of the formula that always holds, or never, since a step has one label: whether it holds, and two
/// actions that show it. Recursion is bounded by the parser's limit on nesting.
fn constant<'a>(written: &'a ast::Formula, formula: &Formula) -> Option<(bool, &'a Action, &'a Action)> {
    match (written, formula) {
        (ast::Formula::Not(written), Formula::Not(formula)) => constant(written, formula),
        (ast::Formula::And(written), Formula::And(formula)) => {
            let did = written.iter().zip(formula).filter_map(|(written, formula)| did(written, formula));
            let pair = disjoint(&did.collect::<Vec<_>>()).map(|(first, second)| (false, first, second));
            pair.or_else(|| written.iter().zip(formula).find_map(|(written, part)| constant(written, part)))
        }
        (ast::Formula::Or(written), Formula::Or(formula)) => {
            let did_not = written.iter().zip(formula).filter_map(|pair| match pair {
                (ast::Formula::Not(written), Formula::Not(formula)) => did(written, formula),
                _ => None,
            });
            let pair = disjoint(&did_not.collect::<Vec<_>>()).map(|(first, second)| (true, first, second));
            pair.or_else(|| written.iter().zip(formula).find_map(|(written, part)| constant(written, part)))
        }
        _ => None,
    }
}

/// `did a`: the action and its labels.
fn did<'a, 'f>(written: &'a ast::Formula, formula: &'f Formula) -> Option<(&'a Action, &'f [LabelId])> {
    match (written, formula) {
        (ast::Formula::Did(action), Formula::Did(labels)) => Some((action, labels)),
        _ => None,
    }
}

/// Two actions without a label in common.
fn disjoint<'a>(all: &[(&'a Action, &[LabelId])]) -> Option<(&'a Action, &'a Action)> {
    if all.len() > MAX_PARTS {
        return None;
    }
    all.iter().enumerate().find_map(|(position, (first, one))| {
        let mut later = all.iter().skip(position + 1);
        let (second, _) = later.find(|(_, other)| one.iter().all(|label| !other.contains(label)))?;
        Some((*first, *second))
    })
}

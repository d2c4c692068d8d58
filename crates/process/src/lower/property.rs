//! Checks: names, and the labels that their actions mean.

use std::cell::RefCell;
use std::convert::Infallible;

use rustc_hash::FxHashMap;

use super::Report;
use crate::ast::{self, Action, ActionKind, CheckItem, Item, Model, Place};
use crate::model::{Atom, Check, Formula, Goal, Label, LabelId, System, Term, tau};
use crate::show;
use paramcheck_temporal::formula as temporal;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The checks, in source order.
pub(crate) fn checks(model: &Model) -> impl Iterator<Item = &CheckItem> {
    model.items.iter().filter_map(|item| match item {
        Item::Check(check) => Some(check),
        _ => None,
    })
}

/// The name of a check, and its place.
fn name_of(check: &CheckItem) -> (&str, Span) {
    check.name.as_ref().map_or(("deadlock", check.span), |name| (&name.text, name.span))
}

/// Reports names that two checks have.
pub(crate) fn names(model: &Model, report: &mut Report) {
    let mut known: FxHashMap<&str, Span> = FxHashMap::default();
    for check in checks(model) {
        let (name, span) = name_of(check);
        if let Some(first) = known.insert(name, span) {
            report.push(
                Diagnostic::new(
                    &codes::DUPLICATE_DEFINITION,
                    format!("two checks are called `{name}`"),
                    span,
                    "the second one",
                )
                .label(first, "the first one"),
            );
        }
    }
}

/// The system with its checks; a file without any is checked for deadlock, so that no file passes just
/// because it has no check. Unknown actions are reported.
pub(crate) fn with_checks(mut system: System, model: &Model, report: &mut Report) -> System {
    let alphabet = alphabet(&system);
    let mut by_name: FxHashMap<&str, Vec<LabelId>> = FxHashMap::default();
    for (id, label) in system.labels.enumerate().filter(|(id, _)| alphabet[id.index()]) {
        if let Some(name) = name_of_label(label) {
            by_name.entry(name).or_default().push(id);
        }
    }
    let resolution = Resolution { system: &system, by_name };
    let mut resolved = Vec::new();
    for check in checks(model) {
        let (name, span) = name_of(check);
        let goal = match &check.goal {
            ast::Goal::Deadlock => Goal::NoDeadlock,
            ast::Goal::Always(formula) => Goal::Always(resolution.formula(formula, report)),
            ast::Goal::Eventually(formula) => Goal::Eventually(resolution.formula(formula, report)),
            ast::Goal::Ltl(formula) => Goal::Ltl(resolution.temporal(formula, report)),
        };
        resolved.push(Check { name: name.to_owned(), goal, span });
    }
    if resolved.is_empty() {
        let span = super::systems(model).next().map_or(super::end(model), |system| system.span);
        resolved.push(Check { name: "deadlock".to_owned(), goal: Goal::NoDeadlock, span });
    }
    system.checks = resolved;
    system
}

/// Which labels a part of the system may show: those of prefixes, and what relabellings make of them.
/// (Restrictions are not considered: a check about a restricted action has a meaning, and `vacuous` warns.)
pub(crate) fn alphabet(system: &System) -> Vec<bool> {
    let mut occurs = vec![false; system.labels.len()];
    let mut images: Vec<Vec<LabelId>> = vec![Vec::new(); system.labels.len()];
    for (old, new) in system.relabellings.iter().flatten() {
        images[old.index()].push(*new);
    }
    // A step together is a `tau` even where none is written.
    let mut found: Vec<LabelId> = vec![tau()];
    found.extend(system.terms.iter().filter_map(|term| match term {
        Term::Prefix(label, _) => Some(*label),
        _ => None,
    }));
    while let Some(label) = found.pop() {
        if !std::mem::replace(&mut occurs[label.index()], true) {
            found.append(&mut images[label.index()]);
        }
    }
    occurs
}

fn name_of_label(label: &Label) -> Option<&str> {
    match label {
        Label::Tau => None,
        Label::Action { name, .. } | Label::Local { name, .. } | Label::Communication { name, .. } => {
            Some(name)
        }
    }
}

struct Resolution<'a> {
    system: &'a System,
    /// The labels that occur, by the names of their actions.
    by_name: FxHashMap<&'a str, Vec<LabelId>>,
}

impl Resolution<'_> {
    /// Recursion is bounded by the parser's limit on nesting.
    fn formula(&self, formula: &ast::Formula, report: &mut Report) -> Formula {
        let mut all = |parts: &[ast::Formula]| parts.iter().map(|part| self.formula(part, report)).collect();
        match formula {
            ast::Formula::Did(action) => Formula::Did(self.labels(action, report)),
            ast::Formula::Can(action) => Formula::Can(self.labels(action, report)),
            ast::Formula::Terminated(_) => Formula::Terminated,
            ast::Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner, report))),
            ast::Formula::And(parts) => Formula::And(all(parts)),
            ast::Formula::Or(parts) => Formula::Or(all(parts)),
        }
    }

    fn temporal(
        &self,
        formula: &temporal::Formula<ast::Atom>,
        report: &mut Report,
    ) -> temporal::Formula<Atom> {
        let report = RefCell::new(report);
        let labels = |action: &Action| self.labels(action, &mut report.borrow_mut());
        let atom = |atom: &ast::Atom| match atom {
            ast::Atom::Did(action) => Atom::Did(labels(action)),
            ast::Atom::Can(action) => Atom::Can(labels(action)),
            ast::Atom::Terminated(_) => Atom::Terminated,
            ast::Atom::Takes(action) => Atom::Takes(labels(action)),
            ast::Atom::TakesAny(_) => Atom::TakesAny,
        };
        let resolved = formula
            .try_map(&mut |one| Ok::<_, Infallible>(temporal::Formula::Atom(atom(one))), &mut |one| {
                Ok(atom(one))
            });
        let Ok(resolved) = resolved;
        resolved
    }

    /// The labels that an action of a check means, ascending.
    fn labels(&self, action: &Action, report: &mut Report) -> Vec<LabelId> {
        let ActionKind::Visible { name, is_co, place } = &action.kind else { return vec![tau()] };
        let known = self.by_name.get(name.text.as_str()).map_or(&[][..], Vec::as_slice);
        let is_meant = |id: &LabelId| self.is_meant(&self.system.labels[*id], *is_co, place);
        let labels: Vec<LabelId> = known.iter().copied().filter(is_meant).collect();
        if labels.is_empty() && !report.is_full() {
            report.push(self.unknown(action, name));
        }
        labels
    }

    /// Whether a label of the right name matches.
    fn is_meant(&self, label: &Label, wanted_co: bool, place: &Place) -> bool {
        let is_peer =
            |peer, name: &Ident| self.system.peers.get(peer).is_some_and(|peer| peer.name == name.text);
        match label {
            Label::Tau => false,
            Label::Action { is_co, .. } => *is_co == wanted_co,
            Label::Local { peer, .. } => match place {
                Place::Anywhere => true,
                Place::At(wanted) => is_peer(*peer, wanted),
                Place::Between(..) => false,
            },
            Label::Communication { peers: [first, second], .. } => match place {
                Place::Anywhere => true,
                Place::At(_) => false,
                Place::Between(one, other) => {
                    is_peer(*first, one) && is_peer(*second, other)
                        || is_peer(*first, other) && is_peer(*second, one)
                }
            },
        }
    }

    fn unknown(&self, action: &Action, name: &Ident) -> Diagnostic {
        let shown = crate::print::action(action);
        let diagnostic = Diagnostic::new(
            &codes::UNKNOWN_ACTION,
            format!("the action `{shown}` occurs nowhere in the system"),
            action.span,
            "no step is ever called so",
        );
        let near = nearest(&name.text, self.by_name.keys().copied());
        let near = near.and_then(|known| self.by_name[known].first());
        match near {
            _ if name.text == "tau" => {
                diagnostic.help("the invisible action has no agent: write `tau` without a place")
            }
            Some(id) => diagnostic.help(format!("did you mean `{}`?", show::label(self.system, *id))),
            None => diagnostic.help(self.known()),
        }
    }

    /// Which actions there are; of many some.
    fn known(&self) -> String {
        /// The most that are named.
        const MAX_NAMED: usize = 8;
        let mut ids: Vec<LabelId> = self.by_name.values().flatten().copied().collect();
        ids.sort_unstable();
        let named = ids.iter().take(MAX_NAMED).map(|id| format!("`{}`", show::label(self.system, *id)));
        let more = if ids.len() > MAX_NAMED { ", …" } else { "" };
        match ids.is_empty() {
            true => "no visible action occurs; `tau` is the invisible one".to_owned(),
            false => format!("what occurs is {}{more}", itertools::join(named, ", ")),
        }
    }
}

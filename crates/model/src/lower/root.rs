//! Which predicate is the system.

use super::draft::Draft;
use super::names::{Report, with_help};
use crate::rule::PredicateId;
use crate::syntax::ast;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::index::Idx;
use paramcheck_text::source::Span;

/// Finds the system's predicate: that of `system P;`, else that of the first rule.
pub(super) fn find_root(model: &ast::Model, draft: &mut Draft, report: &mut Report) {
    let mut declarations = model.items.iter().filter_map(|item| match item {
        ast::Item::System(declaration) => Some(declaration),
        _ => None,
    });
    let declaration = declarations.next();
    if let Some(first) = declaration {
        for again in declarations {
            report.add(
                Diagnostic::new(
                    &errors::SYSTEM_TWICE,
                    "the system is declared twice",
                    again.span,
                    "declared again here",
                )
                .label(first.span, "first declared here")
                .help("a file describes one system: keep one of them"),
            );
        }
    }
    if draft.predicates.is_empty() {
        report.add(
            Diagnostic::new(
                &errors::NOTHING_TO_VERIFY,
                "there is no rule, hence nothing to verify",
                Span::default(),
                "",
            )
            .help("add a rule for the system, as in `System() <- new x . (Node(x));`"),
        );
        return;
    }
    let Some(declaration) = declaration else {
        let root = PredicateId::new(0);
        check_parameters(draft, root, draft.predicates[root].head.span, false, report);
        draft.root = Some(root);
        return;
    };
    let name = &declaration.predicate;
    let Some(&root) = draft.predicate_named.get(name.text.as_str()) else {
        let (message, help) = if draft.components.type_named.contains_key(name.text.as_str()) {
            let help = format!("add a rule that creates one: `System() <- new x . ({}(x));`", name.text);
            (format!("`{}` is a component type, no predicate", name.text), Some(help))
        } else {
            let help = report.did_you_mean(&name.text, draft.predicate_named.keys().copied());
            (
                format!("no rule rewrites the predicate `{}`", name.text),
                help.or_else(|| candidates(draft, &name.text)),
            )
        };
        let diagnostic = Diagnostic::new(&errors::UNKNOWN_SYSTEM, message, name.span, "no such predicate");
        report.add(with_help(diagnostic, help));
        return;
    };
    check_parameters(draft, root, name.span, true, report);
    draft.root = Some(root);
}

/// Reports which predicates could be the system; of none, what would make one of `name`.
fn candidates(draft: &Draft, name: &str) -> Option<String> {
    /// The most that are named.
    const MAX_NAMED: usize = 5;
    let mut names = draft.predicates.iter().filter(|predicate| predicate.arity == 0);
    let named: Vec<_> = names.by_ref().take(MAX_NAMED).map(|one| format!("`{}`", one.head.text)).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    Some(match named.is_empty() {
        true => format!("add its rule: `{name}() <- …;`"),
        false => format!("a predicate without parameters can be the system: {}{more}", named.join(", ")),
    })
}

/// Complains of a system with parameters.
fn check_parameters(draft: &Draft, root: PredicateId, span: Span, is_declared: bool, report: &mut Report) {
    let predicate = &draft.predicates[root];
    if predicate.arity == 0 {
        return;
    }
    let name = &predicate.head.text;
    let mut diagnostic = Diagnostic::new(
        &errors::SYSTEM_WITH_PARAMETERS,
        format!("the system `{name}` has parameters"),
        span,
        if is_declared { "a predicate with parameters" } else { "the first rule's predicate is the system" },
    );
    if is_declared {
        diagnostic = diagnostic.label(predicate.head.span, "its first rule");
    }
    let candidate = draft.predicates.iter().find(|other| other.arity == 0);
    report.add(diagnostic.help(match candidate {
        Some(other) => format!("say which predicate is the system: `system {};`", other.head.text),
        None => format!("add a rule without parameters that uses `{name}`"),
    }));
}

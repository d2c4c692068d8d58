//! One mistake, one message: what comes of one slip at several places is reported once.
//!
//! The diagnostics of a text that can't be read come in, fewer go out. Three slips are known: a whole text
//! that is a rewriting system, a communication as in other notations (`p -> q : a`), a process that begins
//! with a small letter, and is an action wherever it is used.

use std::collections::BTreeSet;

use crate::Language;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::source::Span;

#[cfg(test)]
mod tests;

/// The diagnostics of `text` without those that come from the same slip as another.
pub(super) fn merged(text: &str, language: Language, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if let Some(span) = rewriting_system(text) {
        let message = "this is no process: it looks like a rewriting system";
        let help =
            "rewriting systems are checked without a command, `paramcheck FILE`; their files end in `.rws`";
        return vec![Diagnostic::new(&codes::OTHER_LANGUAGE, message, span, "").help(help)];
    }
    let communications = if language == Language::Chor { communications(text) } else { Vec::new() };
    let is_of_communication = |diagnostic: &Diagnostic| {
        let start = diagnostic.labels.first().map_or(0, |label| label.span.start);
        communications.iter().any(|one| one.span.start <= start && start < one.span.end)
    };
    let small: BTreeSet<&str> = diagnostics
        .iter()
        .filter(|one| one.code == &codes::WRONG_CASE)
        .filter_map(|one| place(text, one))
        .collect();
    let is_of_small = |diagnostic: &Diagnostic| {
        diagnostic.code == &codes::BARE_ACTION
            && place(text, diagnostic).is_some_and(|name| small.contains(name))
    };
    let mut kept: Vec<Diagnostic> =
        diagnostics.into_iter().filter(|one| !is_of_communication(one) && !is_of_small(one)).collect();
    kept.extend(communications.iter().map(Communication::diagnostic));
    kept.sort_by_key(|one| one.labels.first().map(|label| label.span.start));
    kept
}

/// The text that a diagnostic points at.
fn place<'t>(text: &'t str, diagnostic: &Diagnostic) -> Option<&'t str> {
    let span = diagnostic.labels.first()?.span;
    text.get(span.start..span.end)
}

/// The first line of a component type, if there is one: no process has it.
fn rewriting_system(text: &str) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (trimmed, indent) = (line.trim(), line.len() - line.trim_start().len());
        if trimmed.strip_prefix("component ").is_some_and(|rest| rest.contains('{')) {
            return Some(Span::new(start + indent, start + indent + trimmed.len()));
        }
        start += line.len();
    }
    None
}

/// `p -> q : a`
struct Communication<'t> {
    span: Span,
    from: &'t str,
    to: &'t str,
    action: &'t str,
}

impl Communication<'_> {
    fn diagnostic(&self) -> Diagnostic {
        let Communication { from, to, action, .. } = self;
        let message = format!("a communication is written `{action}@[{from}, {to}]`");
        let label = format!("expected `{action}@[{from}, {to}]`");
        Diagnostic::new(&codes::OTHER_LANGUAGE, message, self.span, label)
    }
}

/// The communications that are written `p -> q : a`, outside of comments to the end of the line.
fn communications(text: &str) -> Vec<Communication<'_>> {
    let mut found = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let code = line.find("//").and_then(|end| line.get(..end)).unwrap_or(line);
        found.extend(code.match_indices("->").filter_map(|(arrow, _)| communication(code, arrow, begin)));
        begin += line.len();
    }
    found
}

/// The communication in `line`, which begins at `begin`, whose arrow is at `arrow`.
fn communication(line: &str, arrow: usize, begin: usize) -> Option<Communication<'_>> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = line.get(..arrow)?.trim_end();
    let from = before.get(before.rfind(|letter| !is_of_name(letter)).map_or(0, |at| at + 1)..)?;
    let name = |rest: &'_ str| rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len());
    let behind = line.get(arrow + 2..)?.trim_start();
    let (to, rest) = behind.split_at(name(behind));
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (action, rest) = rest.split_at(name(rest));
    let start = before.len() - from.len();
    let is_whole = ![from, to, action].iter().any(|name| name.is_empty());
    is_whole.then(|| Communication {
        span: Span::new(begin + start, begin + line.len() - rest.len()),
        from,
        to,
        action,
    })
}

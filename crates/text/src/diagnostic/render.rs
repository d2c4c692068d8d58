//! A diagnostic as text: code and message, place, source lines with carets, help.
//!
//! The look is rustc's, made by annotate-snippets, which panics on places beyond the text; so every place is
//! first moved into it. It also copies whole lines, so of a very long line (a model without line breaks, or
//! no model at all) only a part is shown, and only the first label. Only the lines from the first to the last
//! label are handed over: the library would otherwise walk through the whole text for each diagnostic.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{SourceFile, Span};

#[cfg(test)]
mod tests;

/// Lines longer than this many bytes are shown in part.
const MAX_LINE_LENGTH: usize = 1000;

/// What stands for what is not shown of a line.
const LEFT_OUT: &str = "...";

/// How much of a long line is shown on either side of a place, in bytes.
const MARGIN: usize = 60;

/// The lines that show `diagnostic` in `file`, without a line break at the end; with escape sequences
/// if `colour`. Total: places that do not fit the text are moved to where they do.
pub fn render(file: &SourceFile, diagnostic: &Diagnostic, colour: bool) -> String {
    render_as(file, diagnostic, diagnostic.code.severity, colour)
}

/// As [`render`], of a diagnostic that is taken to be as bad as `severity` says.
pub fn render_as(file: &SourceFile, diagnostic: &Diagnostic, severity: Severity, colour: bool) -> String {
    let text = file.text.as_str();
    let mut labels: Vec<(Span, &str)> =
        diagnostic.labels.iter().map(|label| (fitted(text, label.span), label.text.as_str())).collect();
    let mut window = lines_around(text, &labels);
    let is_cut = slice(text, window).split('\n').any(|line| line.len() > MAX_LINE_LENGTH);
    let (mut before, mut after) = ("", "");
    if is_cut {
        labels.truncate(1);
        let line;
        (line, window) = part_of_line(text, &mut labels);
        before = if window.start > line.start { LEFT_OUT } else { "" };
        after = if window.end < line.end { LEFT_OUT } else { "" };
    }
    let start = labels.first().map_or(0, |(span, _)| span.start);
    let annotations = labels.iter().enumerate().map(|(position, (span, label))| {
        let kind = if position == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = if label.is_empty() { None } else { Some(*label) };
        let moved = |place: usize| before.len() + place - window.start;
        kind.span(moved(span.start)..moved(span.end)).label(label)
    });
    let shown = format!("{before}{}{after}", slice(text, window));
    let snippet = Snippet::source(shown.as_str())
        .path(file.name.as_str())
        .line_start(file.line_column(window.start).0)
        .annotations(annotations);
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id));
    let mut group = group.element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let rendered = renderer.render(&[group]);
    if !is_cut {
        return rendered;
    }
    // The column counts from the line's beginning, not from that of the part shown.
    let (line, column) = file.line_column(start);
    let place = format!("{}:{line}:", file.name);
    let title = rendered.find('\n').unwrap_or(0);
    match rendered.get(title..).and_then(|rest| rest.split_once(&place)) {
        Some((before, after)) => {
            let after = after.trim_start_matches(|character: char| character.is_ascii_digit());
            format!("{}{before}{place}{column}{after}", rendered.get(..title).unwrap_or(""))
        }
        None => rendered,
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or("")
}

/// The part of `span` that lies in the text, widened to whole characters.
fn fitted(text: &str, span: Span) -> Span {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end)
}

/// The whole lines that the labels stand in, and those between; of a text without labels, none.
fn lines_around(text: &str, labels: &[(Span, &str)]) -> Span {
    let start = labels.iter().map(|(span, _)| span.start).min().unwrap_or(0);
    let end = labels.iter().map(|(span, _)| span.end).max().unwrap_or(0);
    let before = text.get(..start).and_then(|before| before.rfind('\n'));
    let after = text.get(end..).and_then(|after| after.find('\n'));
    Span::new(before.map_or(0, |newline| newline + 1), after.map_or(text.len(), |newline| end + newline + 1))
}

/// The line of the first label, without its end, and of it the surroundings of the label, whose end is moved
/// there too.
fn part_of_line(text: &str, labels: &mut [(Span, &str)]) -> (Span, Span) {
    let Some((span, _)) = labels.first_mut() else { return Default::default() };
    let line = lines_around(text, &[(Span::new(span.start, span.start), "")]);
    let line_end = line.start + slice(text, line).trim_end_matches(['\n', '\r']).len();
    let margin = Span::new(span.start.saturating_sub(MARGIN), span.start + MARGIN);
    let window =
        fitted(text, Span::new(margin.start.max(line.start), margin.end.min(line_end).max(span.start)));
    span.end = span.end.min(window.end);
    (Span::new(line.start, line_end), window)
}

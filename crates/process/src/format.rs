//! A text in canonical form, with its comments.
//!
//! Items are printed one below the other as [`print`](mod@super::print) does, blank lines between them kept
//! (at most one). A comment behind an item in the same line stays there; one inside of an item goes before
//! it.

use super::Language;
use super::parser::parse;
use super::print;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::Comment;

/// The canonical form of a text.
///
/// # Errors
/// The diagnostics of a text that can't be read completely: the rest would be lost.
pub fn format(text: &str, language: Language) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text, language);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    let mut layout = Layout { source: text, comments: &parsed.comments, end: 0, output: String::new() };
    for item in &parsed.model.items {
        let span = item.span();
        layout.comments_until(span.start, span.end);
        layout.line(span.start, &print::item(item));
        // Up to the `;`, which the tree does not keep.
        layout.end = span.end + text.get(span.end..).and_then(|rest| rest.find(';')).map_or(0, |at| at + 1);
        layout.comments_behind();
    }
    layout.comments_until(text.len(), text.len());
    if !layout.output.is_empty() {
        layout.output.push('\n');
    }
    Ok(layout.output)
}

struct Layout<'a> {
    source: &'a str,
    /// Those not yet written.
    comments: &'a [Comment],
    /// How far the source is written.
    end: usize,
    output: String,
}

impl Layout<'_> {
    /// Writes the comments that begin before `end`, each on lines of its own. A blank line is kept before
    /// those that begin before `start`.
    fn comments_until(&mut self, start: usize, end: usize) {
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.start < end
        {
            self.comments = rest;
            let text = self.source.get(comment.span.start..comment.span.end).unwrap_or("");
            // A comment inside of an item goes before the item, without a blank line.
            let at = comment.span.start.min(start);
            self.line(at, text);
            self.end = self.end.max(comment.span.end.min(start));
        }
    }

    /// Writes the comments that stand in the line of the end of what is written.
    fn comments_behind(&mut self) {
        while let Some((comment, rest)) = self.comments.split_first() {
            let between = self.source.get(self.end.min(comment.span.start)..comment.span.start).unwrap_or("");
            if between.contains('\n') || !between.trim().is_empty() {
                return;
            }
            self.comments = rest;
            self.output.push(' ');
            self.output.push_str(self.source.get(comment.span.start..comment.span.end).unwrap_or(""));
            self.end = self.end.max(comment.span.end);
            if comment.is_line {
                return;
            }
        }
    }

    /// Begins a line with what stands at `at` in the source.
    fn line(&mut self, at: usize, text: &str) {
        let before = self.source.get(self.end.min(at)..at).unwrap_or("");
        let space = before.get(before.trim_end().len()..).unwrap_or("");
        if !self.output.is_empty() {
            self.output.push('\n');
            if space.matches('\n').nth(1).is_some() {
                self.output.push('\n');
            }
        }
        self.output.push_str(text);
    }
}

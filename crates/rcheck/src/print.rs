//! Syntax tree to canonical text: reading it again gives the same tree.
//!
//! [`print()`] knows the tree alone; [`format`](mod@super::format) has the source too, and keeps comments,
//! blank lines and where lines end. Parentheses of the tree are written, and those without which the text
//! would be read otherwise. A line longer than 100 columns is broken where it can be.

use crate::ast::File;
use crate::vocabulary::Syntax;
use paramcheck_text::document::{Doc, Layout, Source};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

mod expression;
mod item;
mod process;

#[cfg(test)]
mod tests;

/// The canonical text of a tree.
pub fn print(file: &File) -> String {
    written(file, Source::default())
}

/// The text of a tree, with what its source has beside it.
pub(crate) fn written(file: &File, source: Source<'_>) -> String {
    let printer = Printer { source, syntax: file.syntax };
    Layout::text(&Doc::group(printer.file(file), true), source)
}

/// Makes documents of trees.
#[derive(Clone, Copy)]
struct Printer<'a> {
    source: Source<'a>,
    syntax: Syntax,
}

impl Printer<'_> {
    fn is_article(self) -> bool {
        self.syntax == Syntax::Article
    }

    /// Letters that begin at `at` in the source, if there is one.
    fn text(self, text: impl Into<String>, at: usize) -> Doc {
        Doc::Text(text.into(), Some(at).filter(|_| !self.source.text.is_empty()))
    }

    /// Letters that are next behind `end` in the source, or behind closing brackets there; if they are.
    fn behind(self, text: impl Into<String>, end: usize) -> Doc {
        let text = text.into();
        let at = self.source.sign_behind(&text, end);
        Doc::Text(text, at)
    }

    /// Letters that stand last before `end` in the source, if they do.
    fn before(self, text: &str, end: usize) -> (Doc, usize) {
        let at = self.source.word_before(text, end);
        (Doc::Text(text.to_owned(), at), at.unwrap_or(end))
    }

    /// Letters that have no place of their own.
    fn plain(self, text: impl Into<String>) -> Doc {
        Doc::Text(text.into(), None)
    }

    /// The last letter of what stands at `span`.
    fn last(self, text: &str, span: Span) -> Doc {
        self.text(text, span.end.saturating_sub(1))
    }

    fn name(self, name: &Ident) -> Doc {
        self.text(&name.text, name.span.start)
    }

    /// A group that stands at `span` in the source. It is broken if it has comments.
    fn group(self, parts: Vec<Doc>, span: Span, is_broken: bool) -> Doc {
        Doc::group(parts, is_broken || self.source.has_comment(span.start, span.end))
    }

    /// Whether a line ends in the source from `start` to `end`.
    fn ends_line(self, start: usize, end: usize) -> bool {
        self.source.ends_line(start, end)
    }

    /// Parts with commas between.
    fn list(self, parts: Vec<(Doc, Span)>) -> Doc {
        let whole = match (parts.first(), parts.last()) {
            (Some((_, first)), Some((_, last))) => first.to(*last),
            _ => Span::default(),
        };
        let mut docs = Vec::new();
        let mut is_broken = false;
        let mut last: Option<Span> = None;
        for (doc, span) in parts {
            if let Some(last) = last {
                is_broken |= self.ends_line(last.end, span.start);
                docs.push(self.behind(",", last.end));
                docs.push(Doc::Line);
            }
            docs.push(doc);
            last = Some(span);
        }
        self.group(docs, whole, is_broken)
    }
}

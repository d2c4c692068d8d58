//! Syntax tree to canonical text: reading it again gives the same tree.
//!
//! [`print()`] knows the tree alone; [`format`](mod@super::format) has the source too, and keeps comments,
//! blank lines and where lines end in lists, blocks and parentheses. Parentheses of the tree are written, and
//! those without which the text would be read otherwise. A line longer than 100 columns is broken where it
//! can be.

use crate::ast::File;

mod expression;
mod process;
mod section;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::bare_shape;

pub(crate) use paramcheck_text::document::Source;
use paramcheck_text::document::{Doc, Layout};
use paramcheck_text::source::Span;

/// The canonical text of a tree.
pub fn print(file: &File) -> String {
    written(file, Source::default())
}

/// The text of a tree, with what its source has beside it.
pub(crate) fn written(file: &File, source: Source<'_>) -> String {
    let printer = Printer { source };
    Layout::text(&Doc::group(printer.file(file), true), source)
}

/// Makes documents of trees.
#[derive(Clone, Copy)]
struct Printer<'a> {
    source: Source<'a>,
}

impl Printer<'_> {
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

    /// Letters that stand last before `start` in the source, if they do.
    fn before(self, text: &str, start: usize) -> Doc {
        Doc::Text(text.to_owned(), self.source.word_before(text, start))
    }

    /// A group that stands at `span` in the source. It is broken if it has comments.
    fn group(self, parts: Vec<Doc>, span: Span, is_broken: bool) -> Doc {
        Doc::group(parts, is_broken || self.source.has_comment(span.start, span.end))
    }

    /// Whether a line ends in the source from `start` to `end`.
    fn ends_line(self, start: usize, end: usize) -> bool {
        self.source.ends_line(start, end)
    }

    /// Parts with a sign behind all but the last; where they stand in the source says where the signs do.
    /// They are in lines of their own if they do not fit into one, or are so in the source already.
    fn separated(self, parts: Vec<(Doc, Span)>, sign: &str) -> Doc {
        self.joined_by(parts, sign, false)
    }

    /// The same; whether there is a blank before the sign.
    fn joined_by(self, parts: Vec<(Doc, Span)>, sign: &str, is_spaced: bool) -> Doc {
        let whole = match (parts.first(), parts.last()) {
            (Some((_, first)), Some((_, last))) => first.to(*last),
            _ => Span::default(),
        };
        let mut is_broken = false;
        let mut docs = Vec::new();
        let mut last: Option<Span> = None;
        for (doc, span) in parts {
            if let Some(last) = last {
                is_broken |= self.ends_line(last.end, span.start);
                docs.extend(is_spaced.then_some(Doc::Blank));
                docs.push(self.behind(sign, last.end));
                docs.push(Doc::Line);
            }
            docs.push(doc);
            last = Some(span);
        }
        self.group(docs, whole, is_broken)
    }
}

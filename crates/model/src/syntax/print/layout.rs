//! Puts pieces and comments on lines.
//!
//! Invariant: comments are taken from a queue in source order, each written when the first piece
//! behind it is due. Whether a construct is broken depends on its width and on comments before its
//! last piece only; those stand before that piece in the output too, so the decision is the same
//! when the output is formatted again. For the same reason a comment keeps its line: one that stood
//! behind something in its line is put behind what is written, others get a line of their own.

use super::pieces::{self, Construct, Piece, Style};
use crate::syntax::ast::{Component, ComponentItem, Item, StateSet};
use paramcheck_text::reading::Comment;
use paramcheck_text::reading::Ident;

/// Lines are broken beyond this many characters, where they can be.
const WIDTH: usize = 100;

/// By how much the parts of an item are indented.
const INDENT: usize = 4;

/// Collects the text.
pub(crate) struct Writer<'a> {
    output: String,
    /// The text the tree was read from; empty if there is none.
    source: &'a str,
    /// The comments not yet written.
    comments: &'a [Comment],
    /// Whether the last line ends with a `//` comment.
    is_line_closed: bool,
    /// Whether a blank line is due before the next line.
    is_blank_due: bool,
    /// The number of characters in the last line.
    column: usize,
}

impl<'a> Writer<'a> {
    /// A writer for a tree read from `source` with these comments.
    pub(crate) fn new(source: &'a str, comments: &'a [Comment]) -> Self {
        Writer {
            output: String::new(),
            source,
            comments,
            is_line_closed: false,
            is_blank_due: false,
            column: 0,
        }
    }

    /// Writes the remaining comments and gives the text.
    pub(crate) fn finish(mut self) -> String {
        self.comments_before(usize::MAX, 0, true);
        if !self.output.is_empty() {
            self.output.push('\n');
        }
        self.output
    }

    /// Writes an item. Groups of items of one kind, and components, are set apart by blank lines.
    pub(crate) fn item(&mut self, item: &Item, previous: Option<&Item>) {
        self.is_blank_due = previous
            .is_some_and(|previous| group(previous) != group(item) || matches!(item, Item::Component(_)));
        let (start, construct) = match item {
            Item::Component(component) => return self.component(component),
            Item::Rule(rule) => (rule.span.start, pieces::rule(rule)),
            Item::Link(link) => (link.span.start, pieces::link(link)),
            Item::Error(error) => (error.span.start, pieces::error(error)),
            Item::Critical(critical) => (critical.span.start, pieces::critical(critical)),
            Item::System(system) => (system.span.start, pieces::system(system)),
        };
        self.begin(start, 0);
        self.construct(&construct, 0);
    }

    fn component(&mut self, component: &Component) {
        self.begin(component.span.start, 0);
        self.push(&format!("component {} {{", component.name.text));
        for statement in &component.items {
            let start = match statement {
                ComponentItem::Transition(transition) => transition.span.start,
                ComponentItem::States(names) => self.keyword_before(names_start(names), "states"),
                ComponentItem::Init(set) => self.keyword_before(set_start(set), "init"),
                ComponentItem::Final(set) => self.keyword_before(set_start(set), "final"),
            };
            self.begin(start, INDENT);
            self.construct(&pieces::statement(statement), INDENT);
        }
        self.comments_before(component.span.end.saturating_sub(1), INDENT, true);
        self.new_line(0);
        self.push("}");
    }

    /// Writes the comments before `at` and begins a line for what stands there.
    fn begin(&mut self, at: usize, indent: usize) {
        self.comments_before(at, indent, true);
        self.is_blank_due |= self.has_blank_line_before(at);
        self.new_line(indent);
    }

    /// Writes a statement or item with its `;` into the line begun for it, and further lines.
    fn construct(&mut self, construct: &Construct, indent: usize) {
        let Some(last) = construct.pieces().next_back() else {
            self.push(&construct.head);
            return self.push(";");
        };
        let has_comments = self.has_comment_before(last.at);
        self.push(&construct.head);
        let width: usize = construct.pieces().map(|piece| width(piece) + 1).sum::<usize>()
            + 2 * construct.bodies.len().saturating_sub(1);
        if !has_comments && self.column + width < WIDTH {
            for (position, body) in construct.bodies.iter().enumerate() {
                if position > 0 {
                    self.push(" |");
                }
                body.iter().for_each(|segment| self.in_line(segment));
            }
        } else {
            match construct.style {
                Style::Filled => self.filled(construct.pieces(), indent + INDENT),
                Style::Block => self.block(construct, indent),
            }
        }
        self.push(";");
    }

    /// Writes pieces into the line.
    fn in_line(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.push(" ");
            self.push(&piece.text);
        }
    }

    /// Writes pieces into the line as far as they fit (with a `;` or `|` to come), then into new ones.
    fn filled<'p>(&mut self, pieces: impl Iterator<Item = &'p Piece>, indent: usize) {
        for piece in pieces {
            if self.comments_before(piece.at, indent, false) || self.column + width(piece) + 2 > WIDTH {
                self.new_line(indent);
            } else {
                self.push(" ");
            }
            self.push(&piece.text);
        }
    }

    /// Writes every body into lines of its own, and its segments too unless they fit in one.
    fn block(&mut self, construct: &Construct, indent: usize) {
        let inner = indent + INDENT;
        for (position, body) in construct.bodies.iter().enumerate() {
            let pieces = || body.iter().flatten();
            let first = pieces().next().map_or(0, |piece| piece.at);
            let last = pieces().next_back().map_or(0, |piece| piece.at);
            self.comments_before(first, inner, false);
            let body_width: usize = pieces().map(|piece| width(piece) + 1).sum();
            let is_short = !self.has_comment_before(last) && inner + body_width <= WIDTH;
            for (place, segment) in body.iter().enumerate() {
                let Some((first, others)) = segment.split_first() else { continue };
                let has_comments = self.comments_before(first.at, inner, false);
                if place > 0 && is_short && !has_comments {
                    self.in_line(segment);
                    continue;
                }
                if position > 0 && place == 0 {
                    self.new_line(inner.saturating_sub(2));
                    self.push("| ");
                } else {
                    self.new_line(inner);
                }
                self.push(&first.text);
                self.filled(others.iter(), inner + 2);
            }
        }
    }

    /// Writes the comments that begin before `at`; whether there were any. Those on lines of their own
    /// are indented by `indent`, and keep a blank line before them if `keeps_blanks`.
    fn comments_before(&mut self, at: usize, indent: usize, keeps_blanks: bool) -> bool {
        let mut is_any = false;
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.start < at
        {
            self.comments = rest;
            is_any = true;
            let space = self.space_before(comment.span.start);
            let is_behind = !space.contains('\n') && !self.is_line_closed && !self.output.is_empty();
            if is_behind {
                self.push(" ");
            } else {
                self.is_blank_due |= keeps_blanks && self.has_blank_line_before(comment.span.start);
                self.new_line(indent);
            }
            self.push(self.source.get(comment.span.start..comment.span.end).unwrap_or(""));
            self.is_line_closed = comment.is_line;
        }
        is_any
    }

    fn has_comment_before(&self, at: usize) -> bool {
        self.comments.first().is_some_and(|comment| comment.span.start < at)
    }

    /// Where the keyword stands that only white space and comments separate from `at`; `at` if there
    /// is none. The tree does not keep this place.
    fn keyword_before(&self, at: usize, keyword: &str) -> usize {
        let pending = self.comments.partition_point(|comment| comment.span.start < at);
        let mut before = self.source.get(..at).unwrap_or("").trim_end();
        for comment in self.comments.iter().take(pending).rev() {
            if comment.span.end != before.len() {
                break;
            }
            before = before.get(..comment.span.start).unwrap_or("").trim_end();
        }
        before.strip_suffix(keyword).map_or(at, str::len)
    }

    /// The white space before a place in the source.
    fn space_before(&self, at: usize) -> &'a str {
        let before = self.source.get(..at).unwrap_or("");
        before.get(before.trim_end().len()..).unwrap_or("")
    }

    fn has_blank_line_before(&self, at: usize) -> bool {
        self.space_before(at).matches('\n').nth(1).is_some()
    }

    /// Begins a line, with a blank one before it if that is due.
    fn new_line(&mut self, indent: usize) {
        if !self.output.is_empty() {
            self.output.push('\n');
            // No blank line at the top of a component.
            if self.is_blank_due && !self.output.ends_with("{\n") {
                self.output.push('\n');
            }
        }
        self.is_blank_due = false;
        self.is_line_closed = false;
        self.output.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    fn push(&mut self, text: &str) {
        self.output.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, line)) => self.column = line.chars().count(),
            None => self.column += text.chars().count(),
        }
    }
}

/// Items with the same number are not set apart by blank lines.
fn group(item: &Item) -> u8 {
    match item {
        Item::Component(_) => 0,
        Item::Link(_) => 1,
        Item::Rule(_) => 2,
        Item::Error(_) | Item::Critical(_) => 3,
        Item::System(_) => 4,
    }
}

fn names_start(names: &[Ident]) -> usize {
    names.first().map_or(0, |name| name.span.start)
}

fn set_start(set: &StateSet) -> usize {
    match set {
        StateSet::All(span) => span.start,
        StateSet::Names(names) => names_start(names),
    }
}

fn width(piece: &Piece) -> usize {
    piece.text.chars().count()
}

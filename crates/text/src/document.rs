//! Laying out text: pieces, places where a line can be broken, groups that are broken as a whole.
//!
//! A tree of [`Doc`] comes in, text goes out. A group stays on one line if it fits, and is not to be broken
//! anyway. Pieces know where they stand in the source, if there is one; comments of the source are written
//! before the piece that follows them, a blank line is kept where there were some.

use crate::reading::Comment;

/// Longer lines are broken where they can be.
const WIDTH: usize = 100;

/// How far the inner lines of a group are indented.
const INDENT: usize = 4;

/// A text to be laid out.
#[derive(Debug)]
pub enum Doc {
    /// Letters on one line, and where they begin in the source.
    Text(String, Option<usize>),
    /// A blank.
    Blank,
    /// A blank, or the end of a line where the group around it is broken.
    Line,
    /// Nothing, or the end of a line where the group around it is broken.
    Soft,
    /// The end of a line.
    Hard,
    /// The end of a line, and without a source a blank line.
    Apart,
    /// Further in, if lines end inside.
    Indented(Vec<Doc>),
    /// Broken as a whole.
    Group {
        /// What is in it.
        parts: Vec<Doc>,
        /// Its letters on one line.
        width: usize,
        /// Whether it does not stay on one line, even if it would fit.
        is_broken: bool,
    },
}

impl Doc {
    /// A group; its width is computed here.
    pub fn group(parts: Vec<Doc>, is_broken: bool) -> Doc {
        let is_broken = is_broken || parts.iter().any(Doc::is_broken);
        Doc::Group { width: width(&parts), parts, is_broken }
    }

    fn width(&self) -> usize {
        match self {
            Doc::Text(text, _) => text.chars().count(),
            Doc::Blank | Doc::Line => 1,
            Doc::Soft | Doc::Hard | Doc::Apart => 0,
            Doc::Indented(parts) => width(parts),
            Doc::Group { width, .. } => *width,
        }
    }

    /// Whether a line ends within, whatever the room.
    fn is_broken(&self) -> bool {
        match self {
            Doc::Hard | Doc::Apart => true,
            Doc::Text(..) | Doc::Blank | Doc::Line | Doc::Soft => false,
            Doc::Indented(parts) => parts.iter().any(Doc::is_broken),
            Doc::Group { is_broken, .. } => *is_broken,
        }
    }
}

fn width(parts: &[Doc]) -> usize {
    parts.iter().map(Doc::width).sum()
}

/// A source text and its comments.
#[derive(Clone, Copy, Default)]
pub struct Source<'a> {
    /// The text; empty where there is none.
    pub text: &'a str,
    /// Its comments, by place.
    pub comments: &'a [Comment],
}

impl Source<'_> {
    /// Whether a comment begins from `start` to `end`.
    pub fn has_comment(self, start: usize, end: usize) -> bool {
        let first = self.comments.partition_point(|comment| comment.span.start < start);
        self.comments.get(first).is_some_and(|comment| comment.span.start < end)
    }

    /// Where the next letter that is in no comment stands, from `at` on.
    pub fn next(self, at: usize) -> Option<usize> {
        let mut at = at;
        loop {
            let rest = self.text.get(at..)?;
            at += rest.len() - rest.trim_start().len();
            let found = self.comments.binary_search_by_key(&at, |comment| comment.span.start).ok();
            match found.and_then(|found| self.comments.get(found)) {
                Some(comment) => at = comment.span.end,
                None => return Some(at),
            }
        }
    }

    /// Where this sign stands that is next from `at` on, or behind closing brackets.
    pub fn sign_behind(self, sign: &str, at: usize) -> Option<usize> {
        let mut at = at;
        loop {
            at = self.next(at)?;
            let rest = self.text.get(at..)?;
            if rest.starts_with(sign) {
                return Some(at).filter(|_| !rest.is_empty());
            }
            if !rest.starts_with([')', ']', '}']) {
                return None;
            }
            at += 1;
        }
    }

    /// Where this word stands that is the last before `end`, or the last before a `=` there.
    pub fn word_before(self, word: &str, end: usize) -> Option<usize> {
        let mut end = end;
        loop {
            let before = self.text.get(..end)?.trim_end();
            let comments = self.comments.partition_point(|comment| comment.span.start < before.len());
            match comments.checked_sub(1).and_then(|last| self.comments.get(last)) {
                Some(comment) if comment.span.end >= before.len() => end = comment.span.start,
                _ if before.ends_with(word) => return Some(before.len() - word.len()),
                _ => end = before.strip_suffix('=')?.len(),
            }
        }
    }

    /// How many lines end from `start` to `end`.
    fn line_ends(self, start: usize, end: usize) -> usize {
        self.text.get(start..end).map_or(0, |text| text.matches('\n').count())
    }

    /// Whether a line ends from `start` to `end`.
    pub fn ends_line(self, start: usize, end: usize) -> bool {
        self.line_ends(start, end) > 0
    }
}

/// What is to be written before the next piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Nothing,
    Blank,
    /// The end of a line, and how far the next one is indented.
    Newline(usize),
    /// The same, with a blank line between.
    BlankLine(usize),
}

/// Writes a document.
pub struct Layout<'a> {
    source: Source<'a>,
    /// How many comments are written.
    written: usize,
    /// Where the last piece or comment that is in the source begins, and where it ends.
    last: Option<(usize, usize)>,
    output: String,
    column: usize,
    pending: Pending,
    /// Whether the last piece is an opening bracket.
    is_opened: bool,
    /// How far lines are indented now.
    indent: usize,
}

impl<'a> Layout<'a> {
    /// The text of a document, and of the comments of the source, all of them.
    pub fn text(doc: &Doc, source: Source<'a>) -> String {
        let mut layout = Layout {
            source,
            written: 0,
            last: None,
            output: String::new(),
            column: 0,
            pending: Pending::Nothing,
            is_opened: false,
            indent: 0,
        };
        layout.write(doc, false);
        layout.indent = 0;
        layout.comments_before(source.text.len(), false);
        let mut output = layout.output;
        if !output.is_empty() {
            output.push('\n');
        }
        output
    }

    /// Recursion is bounded by that of the parser.
    fn write(&mut self, doc: &Doc, is_broken: bool) {
        match doc {
            Doc::Text(text, at) => self.piece(text, *at),
            Doc::Line | Doc::Soft if is_broken => self.pending = Pending::Newline(self.indent),
            Doc::Line | Doc::Blank if self.pending == Pending::Nothing => self.pending = Pending::Blank,
            Doc::Line | Doc::Blank | Doc::Soft => {}
            Doc::Apart if self.source.text.is_empty() => self.pending = Pending::BlankLine(self.indent),
            Doc::Hard | Doc::Apart => self.pending = Pending::Newline(self.indent),
            Doc::Indented(parts) => {
                self.indent += INDENT;
                parts.iter().for_each(|part| self.write(part, is_broken));
                self.indent -= INDENT;
            }
            Doc::Group { parts, width, is_broken } => {
                let column = match self.pending {
                    Pending::Nothing => self.column,
                    Pending::Blank => self.column + 1,
                    Pending::Newline(indent) | Pending::BlankLine(indent) => indent,
                };
                let is_broken = *is_broken || column + width > WIDTH;
                parts.iter().for_each(|part| self.write(part, is_broken));
            }
        }
    }

    fn piece(&mut self, text: &str, at: Option<usize>) {
        if text.is_empty() {
            return;
        }
        let is_closing = matches!(text, "}" | ")");
        if let Some(at) = at {
            self.comments_before(at, is_closing);
        }
        self.separate(at.filter(|_| !is_closing && !self.is_opened));
        self.output.push_str(text);
        self.is_opened = text.ends_with(['{', '(']);
        self.column += text.chars().count();
        if let Some(at) = at {
            self.last = Some((at, at + text.len()));
        }
    }

    /// Writes what is pending; a blank line is kept before what stands at `at` in the source.
    fn separate(&mut self, at: Option<usize>) {
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => {}
            Pending::Blank => {
                self.output.push(' ');
                self.column += 1;
            }
            Pending::Newline(_) | Pending::BlankLine(_) if self.output.is_empty() => {}
            pending @ (Pending::Newline(indent) | Pending::BlankLine(indent)) => {
                self.output.push('\n');
                let is_apart = match (at, self.last) {
                    (Some(at), Some((_, end))) => self.source.line_ends(end.min(at), at) > 1,
                    _ => false,
                };
                if is_apart || matches!(pending, Pending::BlankLine(_)) {
                    self.output.push('\n');
                }
                self.output.extend(std::iter::repeat_n(' ', indent));
                self.column = indent;
            }
        }
    }

    /// Writes the comments that begin before `end`: in the line of what stands before them, if they did so in
    /// the source, otherwise in lines of their own.
    fn comments_before(&mut self, end: usize, is_closing: bool) {
        let indent = match self.pending {
            Pending::Newline(indent) | Pending::BlankLine(indent) => indent,
            Pending::Nothing | Pending::Blank => self.indent,
        };
        while let Some(comment) = self.source.comments.get(self.written)
            && comment.span.start < end
        {
            self.written += 1;
            let start = comment.span.start;
            let is_behind = self.last.is_some_and(|(last, _)| !self.source.ends_line(last, start));
            if is_behind {
                self.output.push(' ');
            } else {
                self.pending = Pending::Newline(if is_closing { indent + INDENT } else { indent });
                self.separate(Some(start).filter(|_| !self.is_opened));
            }
            self.output.push_str(self.source.text.get(start..comment.span.end).unwrap_or("").trim_end());
            self.is_opened = false;
            self.last = Some((start, comment.span.end));
            self.pending = Pending::Newline(indent);
        }
    }
}

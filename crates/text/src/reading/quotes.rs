//! Names in quotes: `states "idle", "busy"`. No language here has any. The lexer reads the names; what is
//! reported is a whole list of them, or all those of a statement in one line, by one message.
//!
//! [`quoted`] finds quotes with names between them in a text; [`Groups`] collects them, and reports.

use super::lexer::{is_junk, is_name_continue, is_name_start};
use super::token::{Spelt, Token, TokenKind};
use super::{MAX_DIAGNOSTICS, Vocabulary};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A right spelling with more characters is cut off in its message.
const MAX_SPELLING: usize = 60;

/// Quotes of every shape, each with those that close it.
const QUOTES: [(char, &str); 8] = [
    ('"', "\""),
    ('\'', "'"),
    ('`', "`'"),
    ('\u{201c}', "\u{201d}\u{201c}"),
    ('\u{201d}', "\u{201d}"),
    ('\u{201e}', "\u{201c}\u{201d}"),
    ('\u{2018}', "\u{2019}"),
    ('\u{ab}', "\u{bb}"),
];

/// What ends a list, or a statement.
const ENDS: [&str; 9] = [";", "(", ")", "[", "]", "{", "}", "=", "<-"];

/// Names in quotes.
pub(super) struct Quoted {
    /// The opening and the closing quote.
    pub(super) quotes: [Span; 2],
    /// What stands between them.
    pub(super) inner: Span,
}

/// The quotes that begin at `start`, if a name stands within them, or a list of names in one line. Signs that
/// mean something in the language are no quotes, and what follows a name is a prime.
pub(super) fn quoted<V: Vocabulary>(text: &str, start: usize) -> Option<Quoted> {
    let (before, rest) = text.split_at_checked(start)?;
    let open = rest.chars().next()?;
    let (_, closing) = QUOTES.into_iter().find(|(one, _)| *one == open)?;
    if !is_junk::<V>(open) || before.ends_with(is_name_continue) {
        return None;
    }
    let begin = start + open.len_utf8();
    let behind = text.get(begin..)?;
    let is_blank = |c| matches!(c, ',' | '.' | ' ' | '\t');
    let (length, close) = behind.char_indices().find(|(_, c)| !(is_name_continue(*c) || is_blank(*c)))?;
    let inner = behind.get(..length)?;
    let has_names =
        inner.split(is_blank).filter(|name| !name.is_empty()).all(|name| name.starts_with(is_name_start));
    let is_list = has_names && !inner.starts_with(is_blank) && inner.ends_with(is_name_continue);
    let end = begin + length;
    (is_list && closing.contains(close)).then(|| Quoted {
        quotes: [Span::new(start, begin), Span::new(end, end + close.len_utf8())],
        inner: Span::new(begin, end),
    })
}

/// All names in quotes, by message.
#[derive(Default)]
pub(super) struct Groups {
    /// The quotes that one message is about, in source order.
    groups: Vec<Vec<Span>>,
    /// How many tokens there were behind the last quote.
    tokens: usize,
}

impl Groups {
    /// Adds quotes behind these tokens. `starts_line`: whether they are the first in their line.
    pub(super) fn begin<V: Vocabulary>(&mut self, quotes: [Span; 2], tokens: &[Token<V>], starts_line: bool) {
        let between = tokens.get(self.tokens..).unwrap_or(&[]);
        match self.groups.last_mut() {
            Some(group) if goes_on(between, starts_line) => group.extend(quotes),
            _ => self.groups.push(quotes.to_vec()),
        }
    }

    /// The names within the last quotes are read.
    pub(super) fn end<V: Vocabulary>(&mut self, tokens: &[Token<V>]) {
        self.tokens = tokens.len();
    }

    /// Adds the messages to `diagnostics`, which stay in source order.
    pub(super) fn report<V: Vocabulary>(&self, text: &str, diagnostics: &mut Vec<Diagnostic>) {
        // More than these are not shown.
        diagnostics
            .extend(self.groups.iter().take(MAX_DIAGNOSTICS + 1).map(|quotes| message::<V>(text, quotes)));
        diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span.start));
    }
}

/// Whether quotes belong to those before them: the list goes on `between` them, or the statement does, in the
/// same line.
fn goes_on<V: Vocabulary>(between: &[Token<V>], starts_line: bool) -> bool {
    let is_one_of = |token: &Token<V>, spellings: &[&str]| match token.kind {
        TokenKind::Symbol(symbol) => spellings.contains(&symbol.spelling()),
        _ => false,
    };
    let is_list = between.iter().any(|token| is_one_of(token, &[","]))
        && between.iter().all(|token| token.kind == TokenKind::Name || is_one_of(token, &[","]));
    let ends_line = starts_line || between.iter().any(|token| token.starts_line);
    is_list || !ends_line && !between.iter().any(|token| is_one_of(token, &ENDS))
}

/// What is said about names between these quotes, every second of which closes.
fn message<V: Vocabulary>(text: &str, quotes: &[Span]) -> Diagnostic {
    let all = match quotes {
        [first, .., last] => first.to(*last),
        _ => Span::default(),
    };
    let pieces = quotes.windows(2).map(|pair| text.get(pair[0].end..pair[1].start).unwrap_or(""));
    let whole: String = pieces.collect();
    let mut spelling = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = spelling.char_indices().nth(MAX_SPELLING) {
        spelling.truncate(end);
        spelling.push('…');
    }
    let message = if quotes.len() > 2 { "names in quotes" } else { "a name in quotes" };
    Diagnostic::new(V::CODES.unreadable, message, all, "")
        .help(format!("names stand without quotes: `{spelling}`"))
}

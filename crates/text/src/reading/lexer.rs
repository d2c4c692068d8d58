//! Text to tokens: names, numbers, symbols and comments with their places.
//!
//! Total and linear: every byte of the text belongs to a token, a comment or white space. What
//! cannot be read becomes one [`TokenKind::Junk`] token per run, with one diagnostic; the parser
//! then stays silent about that token. Comments are kept beside the tokens for the formatter.

use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_until, take_while, take_while1};
use nom::character::complete::satisfy;
use nom::combinator::{map, opt, recognize};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::quotes::{Groups, quoted};
use super::token::{Spelt, Token, TokenKind, shortened};
use super::{Comments, MAX_DIAGNOSTICS, Vocabulary};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A comment and its place, `//` or `#`, or `/*` and `*/`, included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its place; white space before the line's end is left out.
    pub span: Span,
    /// Whether it ends with its line, as those after `//` and `#` do.
    pub is_line: bool,
}

/// What [`lex`] makes of a text.
#[derive(Clone, Debug)]
pub struct Lexed<V: Vocabulary> {
    /// The tokens in source order; the last one, and only that, is [`TokenKind::End`].
    pub tokens: Vec<Token<V>>,
    /// The comments in source order.
    pub comments: Vec<Comment>,
    /// What could not be read, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether an unclosed comment has taken the rest of the text.
    pub is_cut_short: bool,
}

impl<V: Vocabulary> Lexed<V> {
    /// Keeps a diagnostic, unless there are more than will be shown.
    fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.diagnostics.len() <= MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic());
        }
    }
}

/// One step of the lexer.
enum Piece<V: Vocabulary> {
    Space,
    Comment {
        is_line: bool,
        is_closed: bool,
    },
    /// A comment in the notation of other languages.
    ForeignComment {
        is_closed: bool,
    },
    Token(TokenKind<V>),
    BadNumber,
    Unreadable,
}

/// Splits a text into tokens and comments.
pub fn lex<V: Vocabulary>(language: V, text: &str) -> Lexed<V> {
    let mut lexed =
        Lexed { tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new(), is_cut_short: false };
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut starts_line = true;
    // Whether a comment may still end twice; the text is not looked through for it again and again.
    let mut may_nest = true;
    let mut quotes = Groups::default();
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        if let Some(found) = quoted::<V>(text, start) {
            quotes.begin(found.quotes, &lexed.tokens, starts_line);
            names(text, found.inner, starts_line, &mut lexed.tokens);
            quotes.end(&lexed.tokens);
            rest = text.get(found.quotes[1].end..).unwrap_or("");
            starts_line = false;
            continue;
        }
        // `piece` reads at least one character of whatever there is; this arm is never taken.
        let Ok((after, piece)) = piece(rest) else { break };
        let span = Span::new(start, text.len() - after.len());
        rest = after;
        let source = text.get(span.start..span.end).unwrap_or("");
        let kind = match piece {
            Piece::Space => {
                starts_line |= source.contains('\n');
                continue;
            }
            Piece::Comment { is_line, is_closed } => {
                let mut end = if is_line { start + source.trim_end().len() } else { span.end };
                if !is_line && is_closed && may_nest {
                    match nested(text, span) {
                        Some(nested) => {
                            lexed.report(|| nested_comment::<V>(&nested));
                            end = nested.end;
                            rest = text.get(end..).unwrap_or("");
                        }
                        None if inner_comments(source) > 0 => may_nest = false,
                        None => {}
                    }
                }
                starts_line |= text.get(start..end).is_some_and(|comment| comment.contains('\n'));
                lexed.comments.push(Comment { span: Span::new(start, end), is_line });
                if !is_closed {
                    lexed.report(|| unterminated_comment::<V>(span));
                    lexed.is_cut_short = true;
                }
                continue;
            }
            Piece::ForeignComment { is_closed } => {
                let end = start + source.trim_end().len();
                lexed.report(|| foreign_comment::<V>(Span::new(start, end)));
                starts_line |= source.contains('\n');
                lexed.is_cut_short |= !is_closed;
                continue;
            }
            Piece::Token(kind) => kind,
            Piece::BadNumber => {
                lexed.report(|| bad_number::<V>(span, source));
                TokenKind::Junk
            }
            Piece::Unreadable => {
                lexed.report(|| unreadable::<V>(span, source));
                TokenKind::Junk
            }
        };
        lexed.tokens.push(Token { kind, span, starts_line });
        starts_line = false;
    }
    let end = Span::new(text.len(), text.len());
    lexed.tokens.push(Token { kind: TokenKind::End, span: end, starts_line });
    quotes.report::<V>(text, &mut lexed.diagnostics);
    language.revise(&mut lexed.tokens);
    lexed
}

/// Adds the tokens of what stands in quotes: names, and commas between them.
fn names<V: Vocabulary>(text: &str, inner: Span, mut starts_line: bool, tokens: &mut Vec<Token<V>>) {
    let mut rest = text.get(inner.start..inner.end).unwrap_or("");
    while !rest.is_empty() {
        // As above, `piece` reads something.
        let Ok((after, piece)) = piece(rest) else { break };
        let span = Span::new(inner.end - rest.len(), inner.end - after.len());
        rest = after;
        if let Piece::Token(kind) = piece {
            tokens.push(Token { kind, span, starts_line });
            starts_line = false;
        }
    }
}

/// Anything at all. The first character decides what is tried.
fn piece<V: Vocabulary>(input: &str) -> IResult<&str, Piece<V>> {
    match input.chars().next() {
        Some(c) if c.is_whitespace() => map(take_while1(char::is_whitespace), |_| Piece::Space).parse(input),
        Some(c) if c.is_ascii_digit() => number(input),
        Some(c) if is_name_start(c) => map(word::<V>, |text| {
            Piece::Token(V::Keyword::find(text).map_or(TokenKind::Name, TokenKind::Keyword))
        })
        .parse(input),
        Some('/' | '#') => alt((comment::<V>, sign)).parse(input),
        _ => sign(input),
    }
}

/// A symbol, or what can't be read.
fn sign<V: Vocabulary>(input: &str) -> IResult<&str, Piece<V>> {
    alt((
        map(foreign::<V>, |_| Piece::Unreadable),
        map(symbol::<V>, |symbol| Piece::Token(TokenKind::Symbol(symbol))),
        map(junk::<V>, |_| Piece::Unreadable),
    ))
    .parse(input)
}

fn comment<V: Vocabulary>(input: &str) -> IResult<&str, Piece<V>> {
    match V::COMMENTS {
        Comments::Slashes => alt((
            map(line_comment("//"), |_| Piece::Comment { is_line: true, is_closed: true }),
            map(block_comment, |is_closed| Piece::Comment { is_line: false, is_closed }),
        ))
        .parse(input),
        Comments::Hash => alt((
            map(line_comment("#"), |_| Piece::Comment { is_line: true, is_closed: true }),
            map(line_comment("//"), |_| Piece::ForeignComment { is_closed: true }),
            map(block_comment, |is_closed| Piece::ForeignComment { is_closed }),
        ))
        .parse(input),
    }
}

/// A comment from `mark` to the end of the line.
fn line_comment<'a>(
    mark: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    preceded(tag(mark), take_while(|c| c != '\n'))
}

/// A comment from `/*` to the first `*/`, or to the end of the text; whether it is closed.
fn block_comment(input: &str) -> IResult<&str, bool> {
    let (rest, _) = tag("/*")(input)?;
    let closed: IResult<&str, &str> = recognize(pair(take_until("*/"), tag("*/"))).parse(rest);
    Ok(match closed {
        Ok((rest, _)) => (rest, true),
        Err(_) => ("", false),
    })
}

/// A comment that was to hold others: where the first of these begins, where one ends that nothing began, and
/// where the last ends.
struct Nested {
    inner: Span,
    closing: Span,
    end: usize,
}

/// How often `/*` stands within a comment.
fn inner_comments(comment: &str) -> usize {
    comment.get(2..).unwrap_or("").matches("/*").count()
}

/// Whether the comment at `span` was to hold others, so that a `*/` behind it ends none. As many of these are
/// looked for as there are comments within it.
fn nested(text: &str, span: Span) -> Option<Nested> {
    let comment = text.get(span.start..span.end)?;
    let inner = span.start + 2 + comment.get(2..)?.find("/*")?;
    let mut closing = None;
    let mut end = span.end;
    for _ in 0..inner_comments(comment) {
        let Some(found) = bare_closing(text, end) else { break };
        closing.get_or_insert(Span::new(found, found + 2));
        end = found + 2;
    }
    Some(Nested { inner: Span::new(inner, inner + 2), closing: closing?, end })
}

/// Where the next `*/` stands from `start` on that is in no comment.
fn bare_closing(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let rest = text.get(at..)?;
        let next = rest.find(['/', '*'])?;
        let found = rest.get(next..)?;
        at += next;
        if found.starts_with("*/") {
            return Some(at);
        }
        at += if found.starts_with("//") {
            found.find('\n')?
        } else if found.starts_with("/*") {
            found.get(2..)?.find("*/")? + 4
        } else {
            1
        };
    }
}

/// A name or a keyword: a letter or `_`, then letters, digits, `_`, and primes if there are any in the
/// language.
fn word<V: Vocabulary>(input: &str) -> IResult<&str, &str> {
    let continues = |c| is_name_continue(c) || V::HAS_PRIMES && c == '\'';
    recognize((satisfy(is_name_start), take_while(continues))).parse(input)
}

fn number<V: Vocabulary>(input: &str) -> IResult<&str, Piece<V>> {
    let (rest, _) = take_while1(|c: char| c.is_ascii_digit())(input)?;
    let (rest, tail) = opt(take_while1(is_name_continue)).parse(rest)?;
    Ok((rest, if tail.is_some() { Piece::BadNumber } else { Piece::Token(TokenKind::Number) }))
}

fn symbol<V: Vocabulary>(input: &str) -> IResult<&str, V::Symbol> {
    let found = V::Symbol::SPELLINGS.iter().find(|(spelling, _)| input.starts_with(spelling));
    let (spelling, symbol) = found.ok_or_else(|| nothing(input))?;
    Ok((input.get(spelling.len()..).unwrap_or(""), *symbol))
}

fn foreign<V: Vocabulary>(input: &str) -> IResult<&str, &str> {
    let found = V::FOREIGN.iter().find(|spelling| input.starts_with(**spelling));
    tag(*found.ok_or_else(|| nothing(input))?)(input)
}

fn nothing(input: &str) -> nom::Err<nom::error::Error<&str>> {
    nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag))
}

/// Characters that begin nothing, at least one, up to something that can be read.
fn junk<V: Vocabulary>(input: &str) -> IResult<&str, &str> {
    let begins_comment = |rest: &str| comment::<V>(rest).is_ok();
    let is_end =
        |(at, c): &(usize, char)| !is_junk::<V>(*c) || begins_comment(input.get(*at..).unwrap_or(""));
    let end = input.char_indices().skip(1).find(is_end).map_or(input.len(), |(at, _)| at);
    take(input.get(..end).unwrap_or(input).chars().count())(input)
}

/// Whether nothing but a comment begins with this character.
pub(super) fn is_junk<V: Vocabulary>(c: char) -> bool {
    !(c.is_whitespace()
        || is_name_start(c)
        || c.is_ascii_digit()
        || V::Symbol::SPELLINGS.iter().any(|(spelling, _)| spelling.starts_with(c)))
}

pub(super) fn is_name_start(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

/// Unicode counts the middle dot as part of identifiers; here it joins port atoms, and in papers it is the
/// dot of a prefix.
pub(super) fn is_name_continue(c: char) -> bool {
    unicode_ident::is_xid_continue(c) && !matches!(c, '\u{b7}' | '\u{387}')
}

/// Whether a character has no shape of its own: zero-width spaces and marks of writing direction.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn unterminated_comment<V: Vocabulary>(span: Span) -> Diagnostic {
    let opening = Span::new(span.start, span.start + 2);
    Diagnostic::new(
        V::CODES.unterminated_comment,
        "a comment is not closed",
        opening,
        "it begins here and goes on to the end of the file",
    )
    .help("end it with `*/`")
}

fn nested_comment<V: Vocabulary>(nested: &Nested) -> Diagnostic {
    Diagnostic::new(V::CODES.unreadable, "comments do not nest", nested.closing, "this `*/` ends no comment")
        .label(nested.inner, "this `/*` begins none: a comment has begun before")
        .help("a comment goes on to the first `*/`; comment out by `//`, line by line, what has comments")
}

fn foreign_comment<V: Vocabulary>(span: Span) -> Diagnostic {
    let opening = Span::new(span.start, span.start + 2);
    Diagnostic::new(V::CODES.unreadable, "a comment of another language", opening, "")
        .help("comments begin with `#` and end with their line")
}

fn bad_number<V: Vocabulary>(span: Span, source: &str) -> Diagnostic {
    let message = format!("`{}` is neither a number nor a name", shortened(source));
    Diagnostic::new(V::CODES.bad_number, message, span, "")
        .help("names begin with a letter or `_`; numbers consist of digits")
}

fn unreadable<V: Vocabulary>(span: Span, source: &str) -> Diagnostic {
    let mut characters = source.chars();
    let first = characters.next();
    let message = match (first, characters.next()) {
        (Some(c), None) if c.is_control() || is_invisible(c) => {
            format!("unreadable character U+{:04X}", u32::from(c))
        }
        _ => format!("unreadable text `{}`", shortened(source)),
    };
    let diagnostic = Diagnostic::new(V::CODES.unreadable, message, span, "");
    match V::hint(source).or_else(|| hint(first?)) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// What helps in every language.
fn hint(first: char) -> Option<&'static str> {
    Some(match first {
        '"' | '\u{201c}' | '\u{201d}' => "names stand without quotes",
        '\0' => "the file is not plain text here: is it the right one, and encoded in UTF-8?",
        '\u{fffd}' => "the file is not valid UTF-8 here",
        c if is_invisible(c) => "delete this invisible character",
        _ => return None,
    })
}

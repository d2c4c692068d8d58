//! Text to tokens: names, numbers, symbols and comments with their places, for both languages.
//!
//! Total and linear, like the lexer of rewriting systems: what cannot be read becomes one
//! [`TokenKind::Junk`] token per run, with one diagnostic. `|[` and `]|` are two tokens each.

use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_until, take_while, take_while1};
use nom::character::complete::satisfy;
use nom::combinator::{map, opt, recognize};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::token::{Keyword, Symbol, Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::process::syntax as codes;
use crate::source::Span;
use crate::syntax::MAX_DIAGNOSTICS;
use crate::syntax::lexer::Comment;
use crate::syntax::lexer::token::shortened;

/// What [`lex`] makes of a text.
#[derive(Clone, Debug)]
pub struct Lexed {
    /// The tokens in source order; the last one, and only that, is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The comments in source order.
    pub comments: Vec<Comment>,
    /// What could not be read, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether an unclosed comment has taken the rest of the text.
    pub is_cut_short: bool,
}

impl Lexed {
    /// Keeps a diagnostic, unless there are more than anybody will be shown.
    fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.diagnostics.len() <= MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic());
        }
    }
}

/// One step of the lexer.
enum Piece {
    Space,
    Comment { is_line: bool, is_closed: bool },
    Token(TokenKind),
    BadNumber,
    Unreadable,
}

/// Splits a text into tokens and comments.
pub fn lex(text: &str) -> Lexed {
    let mut lexed =
        Lexed { tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new(), is_cut_short: false };
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut starts_line = true;
    while !rest.is_empty() {
        let start = text.len() - rest.len();
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
                starts_line |= source.contains('\n');
                let end = if is_line { start + source.trim_end().len() } else { span.end };
                lexed.comments.push(Comment { span: Span::new(start, end), is_line });
                if !is_closed {
                    lexed.report(|| unterminated_comment(span));
                    lexed.is_cut_short = true;
                }
                continue;
            }
            Piece::Token(kind) => kind,
            Piece::BadNumber => {
                lexed.report(|| bad_number(span, source));
                TokenKind::Junk
            }
            Piece::Unreadable => {
                lexed.report(|| unreadable(span, source));
                TokenKind::Junk
            }
        };
        lexed.tokens.push(Token { kind, span, starts_line });
        starts_line = false;
    }
    let end = Span::new(text.len(), text.len());
    lexed.tokens.push(Token { kind: TokenKind::End, span: end, starts_line });
    lexed
}

/// Anything at all. The first character decides what is tried.
fn piece(input: &str) -> IResult<&str, Piece> {
    let sign = map(symbol, |symbol| Piece::Token(TokenKind::Symbol(symbol)));
    match input.chars().next() {
        Some(c) if c.is_whitespace() => map(take_while1(char::is_whitespace), |_| Piece::Space).parse(input),
        Some('/') => alt((comment, sign)).parse(input),
        Some(c) if c.is_ascii_digit() => number(input),
        Some(c) if is_name_start(c) => map(word, |text| Piece::Token(kind_of_word(text))).parse(input),
        _ => alt((sign, map(junk, |_| Piece::Unreadable))).parse(input),
    }
}

fn kind_of_word(text: &str) -> TokenKind {
    match Keyword::find(text) {
        Some(keyword) => TokenKind::Keyword(keyword),
        None if text.chars().next().is_some_and(char::is_uppercase) => TokenKind::Constant,
        None => TokenKind::Action,
    }
}

fn comment(input: &str) -> IResult<&str, Piece> {
    alt((
        map(preceded(tag("//"), take_while(|c| c != '\n')), |_| Piece::Comment {
            is_line: true,
            is_closed: true,
        }),
        map(block_comment, |is_closed| Piece::Comment { is_line: false, is_closed }),
    ))
    .parse(input)
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

fn word(input: &str) -> IResult<&str, &str> {
    recognize((satisfy(is_name_start), take_while(is_name_continue))).parse(input)
}

fn number(input: &str) -> IResult<&str, Piece> {
    let (rest, _) = take_while1(|c: char| c.is_ascii_digit())(input)?;
    let (rest, tail) = opt(take_while1(is_name_continue)).parse(rest)?;
    Ok((rest, if tail.is_some() { Piece::BadNumber } else { Piece::Token(TokenKind::Number) }))
}

fn symbol(input: &str) -> IResult<&str, Symbol> {
    let found = Symbol::SPELLINGS.iter().find(|(spelling, _)| input.starts_with(spelling));
    match found {
        Some((spelling, symbol)) => Ok((input.get(spelling.len()..).unwrap_or(""), *symbol)),
        None => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag))),
    }
}

/// Characters that begin nothing, at least one, up to something that can be read.
fn junk(input: &str) -> IResult<&str, &str> {
    let end = input.char_indices().skip(1).find(|(_, c)| !is_junk(*c)).map_or(input.len(), |(at, _)| at);
    take(input.get(..end).unwrap_or(input).chars().count())(input)
}

/// Whether nothing begins with this character.
fn is_junk(c: char) -> bool {
    !(c.is_whitespace()
        || is_name_start(c)
        || c.is_ascii_digit()
        || Symbol::SPELLINGS.iter().any(|(spelling, _)| spelling.starts_with(c)))
}

fn is_name_start(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

/// Unicode counts the middle dot as part of identifiers; in papers it is the dot of a prefix.
fn is_name_continue(c: char) -> bool {
    unicode_ident::is_xid_continue(c) && !matches!(c, '\u{b7}' | '\u{387}')
}

fn unterminated_comment(span: Span) -> Diagnostic {
    let opening = Span::new(span.start, span.start + 2);
    Diagnostic::new(
        &codes::UNTERMINATED_COMMENT,
        "a comment is not closed",
        opening,
        "it begins here and goes on to the end of the file",
    )
    .help("end it with `*/`")
}

fn bad_number(span: Span, source: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &codes::BAD_NUMBER,
        format!("`{}` is neither a number nor a name", shortened(source)),
        span,
        "",
    );
    diagnostic.help("names begin with a letter or `_`; numbers consist of digits")
}

fn unreadable(span: Span, source: &str) -> Diagnostic {
    let mut characters = source.chars();
    let first = characters.next();
    let message = match (first, characters.next()) {
        (Some(c), None) if c.is_control() || (c as u32) > 0x1fff && !c.is_alphanumeric() => {
            format!("unreadable character `{}` (U+{:04X})", shortened(source), u32::from(c))
        }
        _ => format!("unreadable text `{}`", shortened(source)),
    };
    let diagnostic = Diagnostic::new(&codes::UNREADABLE, message, span, "");
    let help = match first {
        Some('\u{2018}' | '\u{2019}' | '\u{2032}' | '`') => "the co-action of `a` is written `'a`",
        Some('"' | '\u{201c}' | '\u{201d}') => "names stand without quotes",
        Some('∖') => "restriction is written `\\ {a, b}`",
        Some('∥' | '‖') => "parallel composition is written `|`, in choreographies `||`",
        Some('⊓') => "choice is written `+`",
        Some('·' | '\u{387}' | '\u{22c5}') => "the dot of a prefix is written `.`",
        Some('≜' | ':' | '≝') => "a process is defined with `=`",
        Some('-') => "`-` means nothing here; names may contain `_`",
        Some('~' | '¬') => "negation is written `!`",
        Some('%' | '#') => "comments begin with `//`",
        Some('\u{fffd}') => "the file is not valid UTF-8 here",
        _ => return diagnostic,
    };
    diagnostic.help(help)
}

//! What the parsers of rewriting systems share: parsers of single tokens and of lists.

use nom::Parser;

use crate::syntax::vocabulary::{Keyword, Rewriting, Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The tokens still to be read.
pub(crate) type Input<'a> = reading::Input<'a, Rewriting>;

/// The result of a parser.
pub(crate) type ParseResult<'a, T> = reading::ParseResult<'a, Rewriting, T>;

/// Why a construct could not be read.
pub(crate) type SyntaxError<'a> = reading::SyntaxError<'a, Rewriting>;

/// This symbol.
pub(crate) fn symbol<'a>(
    symbol: Symbol,
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Span, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        if input.at(symbol) { Ok((input.advance(), input.peek().span)) } else { input.expected(what) }
    }
}

/// This keyword.
pub(crate) fn keyword<'a>(
    keyword: Keyword,
) -> impl Parser<Input<'a>, Output = Span, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        if input.at_keyword(keyword) {
            Ok((input.advance(), input.peek().span))
        } else {
            input.expected("a keyword")
        }
    }
}

/// A name, called `what` in messages. A reserved word is reported and taken as the name, unless it
/// begins a line: then it more likely begins what follows.
pub(crate) fn name<'a>(
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Ident, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let token = input.peek();
        let text = input.text_of(token);
        match token.kind {
            TokenKind::Name => {}
            TokenKind::Keyword(_) if !token.starts_line => input.report_reserved_word(what),
            _ => return input.expected(what),
        }
        Ok((input.advance(), Ident { text: text.to_owned(), span: token.span }))
    }
}

/// Names separated by commas, at least one; a comma at the end is harmless. A comma missing within a
/// line is reported.
pub(crate) fn names<'a>(
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Vec<Ident>, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (mut input, first) = name(what).parse(input)?;
        let mut names = vec![first];
        loop {
            if input.at(Symbol::Comma) {
                input = input.advance();
                if input.kind() != TokenKind::Name && !is_misused_keyword(input) {
                    return Ok((input, names));
                }
            } else if is_name_after_missing_comma(input) {
                input.report_missing_comma("the names of a list are separated by commas");
            } else {
                return Ok((input, names));
            }
            let (rest, next) = name(what).parse(input)?;
            names.push(next);
            input = rest;
        }
    }
}

/// A keyword where a list goes on: in the same line, and the list goes on behind it.
fn is_misused_keyword(input: Input<'_>) -> bool {
    matches!(input.kind(), TokenKind::Keyword(_))
        && !input.peek().starts_line
        && matches!(
            input.peek_at(1).kind,
            TokenKind::Symbol(
                Symbol::Comma | Symbol::Semicolon | Symbol::RightParen | Symbol::RightBracket | Symbol::Dot
            )
        )
}

/// A name in the same line that is not the beginning of an atom, a transition or a comparison.
fn is_name_after_missing_comma(input: Input<'_>) -> bool {
    let token = input.peek();
    token.kind == TokenKind::Name
        && !token.starts_line
        && !matches!(
            input.peek_at(1).kind,
            TokenKind::Symbol(
                Symbol::LeftParen
                    | Symbol::LeftBracket
                    | Symbol::Dash
                    | Symbol::RightArrow
                    | Symbol::LeftArrow
            )
        )
}

/// `(x, y)`: the variables of a head or an atom, possibly none.
pub(crate) fn arguments<'a>(
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Vec<Ident>, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (input, open) = symbol(Symbol::LeftParen, "`(`").parse(input)?;
        if input.at(Symbol::RightParen) {
            return Ok((input.advance(), Vec::new()));
        }
        let (input, list) = nom::combinator::cut(names(what)).parse(input)?;
        let (input, ()) = input.close(open, Symbol::RightParen)?;
        Ok((input, list))
    }
}

/// The `;` at the end of an item or statement. A missing one is reported; it is taken as written
/// where the next token begins something new.
pub(crate) fn semicolon(input: Input<'_>) -> ParseResult<'_, ()> {
    if input.at(Symbol::Semicolon) {
        return Ok((input.advance(), ()));
    }
    let token = input.peek();
    let diagnostic = Diagnostic::new(
        &codes::syntax::MISSING_SEMICOLON,
        format!("missing `;` before {}", input.found()),
        input.gap(),
        "expected `;`",
    )
    .help("items end with `;`, and so does each line of a component");
    let begins_anew = match token.kind {
        TokenKind::End | TokenKind::Symbol(Symbol::RightBrace) => true,
        TokenKind::Keyword(keyword) => !matches!(keyword, Keyword::New | Keyword::Forbid),
        TokenKind::Name => token.starts_line,
        _ => false,
    };
    if begins_anew {
        input.report(diagnostic);
        return Ok((input, ()));
    }
    input.fail(Diagnostic {
        message: format!("expected `;`, found {}", input.found()),
        labels: vec![paramcheck_text::diagnostic::Label {
            span: token.span,
            text: "expected `;`".to_owned(),
        }],
        ..diagnostic
    })
}

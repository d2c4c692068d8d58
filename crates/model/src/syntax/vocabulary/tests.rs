//! Tests of the lexer on rewriting systems: kinds, places, both spellings, comments, junk.

use pretty_assertions::assert_eq;

use super::{Keyword, Rewriting, Symbol, TokenKind};
use paramcheck_text::reading::{Lexed, MAX_DIAGNOSTICS, Spelt};

fn lex(text: &str) -> Lexed<Rewriting> {
    paramcheck_text::reading::lex(Rewriting, text)
}

/// The kinds and texts of the tokens, without the end.
fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
    let lexed = lex(text);
    let (end, others) = lexed.tokens.split_last().unwrap();
    assert_eq!((end.kind, end.span.start), (TokenKind::End, text.len()));
    others.iter().map(|token| (token.kind, token.text(text))).collect()
}

fn kinds(text: &str) -> Vec<TokenKind> {
    tokens(text).into_iter().map(|(kind, _)| kind).collect()
}

fn messages(text: &str) -> Vec<String> {
    lex(text).diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
}

#[test]
fn splits_names_numbers_and_symbols() {
    let name = TokenKind::Name;
    assert_eq!(
        tokens("a1-out->_b' x''(#s>=12)"),
        [
            (name, "a1"),
            (TokenKind::Symbol(Symbol::Dash), "-"),
            (name, "out"),
            (TokenKind::Symbol(Symbol::RightArrow), "->"),
            (name, "_b'"),
            (name, "x''"),
            (TokenKind::Symbol(Symbol::LeftParen), "("),
            (TokenKind::Symbol(Symbol::Hash), "#"),
            (name, "s"),
            (TokenKind::Symbol(Symbol::AtLeast), ">="),
            (TokenKind::Number, "12"),
            (TokenKind::Symbol(Symbol::RightParen), ")"),
        ]
    );
}

#[test]
fn both_spellings_are_the_same() {
    assert_eq!(kinds("ν y . ⟨out(y)·in(z)⟩"), kinds("new y . <out(y) · in(z)>"));
    assert_eq!(kinds("A(x) ← B(x);"), kinds("A(x) <- B(x);"));
}

#[test]
fn every_symbol_is_read_as_itself() {
    for (spelling, symbol) in Symbol::SPELLINGS {
        assert_eq!(tokens(spelling), [(TokenKind::Symbol(*symbol), *spelling)]);
    }
    for (spelling, keyword) in Keyword::SPELLINGS {
        assert_eq!(kinds(spelling), [TokenKind::Keyword(*keyword)]);
        assert_eq!(kinds(&format!("{spelling}s'")), [TokenKind::Name]);
    }
}

#[test]
fn names_are_unicode_but_the_middle_dot_is_a_symbol() {
    assert_eq!(
        tokens("Knoten_ä·日本"),
        [
            (TokenKind::Name, "Knoten_ä"),
            (TokenKind::Symbol(Symbol::MiddleDot), "·"),
            (TokenKind::Name, "日本"),
        ]
    );
}

#[test]
fn tokens_know_whether_they_start_a_line() {
    let text = "a b // c\nd /* e\n */ f\r\ng";
    let starts: Vec<&str> =
        lex(text).tokens.iter().filter(|token| token.starts_line).map(|token| token.text(text)).collect();
    assert_eq!(starts, ["a", "d", "f", "g"]);
}

#[test]
fn comments_are_kept_without_white_space_behind() {
    let text = "// a \t\r\n/* b */ x //\n/* c // d */";
    let comments: Vec<(&str, bool)> = lex(text)
        .comments
        .iter()
        .map(|comment| (&text[comment.span.start..comment.span.end], comment.is_line))
        .collect();
    assert_eq!(comments, [("// a", true), ("/* b */", false), ("//", true), ("/* c // d */", false)]);
    assert_eq!(kinds(text), [TokenKind::Name]);
}

#[test]
fn an_unclosed_comment_is_reported_once() {
    for text in ["a /*", "a /* b", "a /*/", "a /* /* *"] {
        let lexed = lex(text);
        assert!(lexed.is_cut_short);
        assert_eq!(messages(text), ["a comment is not closed"]);
        assert_eq!(lexed.comments.len(), 1);
    }
    assert!(messages("/**/ /***/").is_empty());
}

#[test]
fn junk_is_merged_and_reported_once() {
    assert_eq!(tokens("a @$?b"), [(TokenKind::Name, "a"), (TokenKind::Junk, "@$?"), (TokenKind::Name, "b"),]);
    assert_eq!(messages("a @$?b"), ["unreadable text `@$?`"]);
    assert_eq!(
        messages("/ ::= '$/"),
        ["unreadable text `/`", "unreadable text `::=`", "unreadable text `'$/`"]
    );
    // A comment ends the run.
    assert_eq!(tokens("$// c"), [(TokenKind::Junk, "$")]);
    assert_eq!(messages("\u{200b}"), ["unreadable character U+200B"]);
    assert_eq!(messages("2pc"), ["`2pc` is neither a number nor a name"]);
}

#[test]
fn long_junk_is_shortened_in_the_message() {
    let message = messages(&"$".repeat(1000)).concat();
    assert!(message.contains('…') && message.len() < 80, "{message}");
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_only() {
    assert_eq!(kinds("\u{feff}a"), [TokenKind::Name]);
    assert_eq!(kinds("a\u{feff}"), [TokenKind::Name, TokenKind::Junk]);
}

#[test]
fn arrows_and_colons_are_told_apart() {
    let symbols: Vec<TokenKind> =
        [Symbol::DoubleArrow, Symbol::FatArrow, Symbol::AtMost, Symbol::LeftArrow, Symbol::RightAngle]
            .into_iter()
            .chain([Symbol::Colon, Symbol::Tilde, Symbol::NotEqual])
            .map(TokenKind::Symbol)
            .collect();
    assert_eq!(kinds("<=> => <= <- > : ~ ~=")[..8], symbols);
    assert_eq!(messages("a := b ::= c :- d : e").len(), 3);
}

#[test]
fn the_number_of_diagnostics_is_bounded() {
    assert_eq!(lex(&"$ ".repeat(10_000)).diagnostics.len(), MAX_DIAGNOSTICS + 1);
}

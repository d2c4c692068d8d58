//! Errors in other notations: quantifiers, predicates and single components, where an error counts.
//!
//! In: the place where an operand or a count begins. Out: the diagnostic with the right spelling, in the states
//! that stand there; `None` where this is no other notation that is known.

use crate::syntax::parser::input::Input;
use crate::syntax::parser::item::begins_item;
use crate::syntax::vocabulary::{Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::shortened;

/// How far the state is looked for behind a quantifier.
const MAX_AHEAD: usize = 24;

/// What a quantifier says, and how many components of a state it takes.
enum Quantifier {
    /// At least so many.
    Some(&'static str),
    None,
    All,
}

/// Words that quantify elsewhere. None is a keyword: each may be the name of an error.
fn quantifier(word: &str) -> Option<Quantifier> {
    Some(match word {
        "exists" | "exist" | "some" | "any" | "ex" | "ex1" | "ex2" | "there" | "one" => Quantifier::Some("1"),
        "two" | "both" | "several" | "multiple" | "many" => Quantifier::Some("2"),
        "three" => Quantifier::Some("3"),
        "no" | "none" | "nowhere" => Quantifier::None,
        "all" | "forall" | "every" | "each" | "all1" | "all2" | "everywhere" => Quantifier::All,
        _ => return None,
    })
}

/// The diagnostic about a formula in another notation that begins with the next word.
pub(super) fn formula(input: Input<'_>) -> Option<Diagnostic> {
    let ahead = input.peek_at(1);
    match ahead.kind {
        // A `;` may be missing before an item.
        TokenKind::Name if begins_item(input.advance()) => None,
        TokenKind::Name => quantified(input, quantifier(input.word())?),
        TokenKind::Symbol(Symbol::LeftParen) if !begins_item(input) => Some(predicate(input)),
        TokenKind::Symbol(Symbol::LeftBracket) if input.peek_at(2).kind == TokenKind::Number => {
            single_component(input, 0)
        }
        TokenKind::Symbol(Symbol::Hash) if input.peek_at(2).kind == TokenKind::Number => {
            single_component(input, 0)
        }
        TokenKind::Symbol(Symbol::Dot) => qualified(input),
        _ => None,
    }
}

/// The diagnostic about a single component behind `#`: `#Node#1.busy`.
pub(super) fn count(input: Input<'_>) -> Option<Diagnostic> {
    if !input.at(Symbol::Hash) {
        return None;
    }
    let is_indexed = input.peek_at(1).kind == TokenKind::Name
        && (input.is_ahead(2, Symbol::Hash) || input.is_ahead(2, Symbol::LeftBracket))
        && input.peek_at(3).kind == TokenKind::Number;
    if is_indexed { single_component(input, 1) } else { None }
}

/// The diagnostic about a state in brackets, `#(busy)`, and how many tokens the state has.
pub(super) fn bracketed(input: Input<'_>) -> Option<(Diagnostic, usize)> {
    if !input.at(Symbol::Hash) {
        return None;
    }
    let is_open = [Symbol::LeftParen, Symbol::LeftBrace, Symbol::LeftBracket]
        .into_iter()
        .any(|symbol| input.is_ahead(1, symbol));
    if !is_open || input.peek_at(2).kind != TokenKind::Name {
        return None;
    }
    let length = if input.is_ahead(3, Symbol::Dot) { 3 } else { 1 };
    let is_closed = [Symbol::RightParen, Symbol::RightBrace, Symbol::RightBracket]
        .into_iter()
        .any(|symbol| input.is_ahead(2 + length, symbol));
    if !is_closed {
        return None;
    }
    let state = shortened(state(input, 2));
    let span = input.peek().span.to(input.peek_at(1).span);
    let message = format!("expected a state, found `{}`", input.slice(input.peek_at(1).span));
    let help = format!("a state stands without brackets: `#{state}`; a sum is written `#a + #b`");
    let diagnostic = Diagnostic::new(&codes::syntax::UNEXPECTED, message, span, "expected `#` and a state");
    Some((diagnostic.help(help), length))
}

/// The state, with its component type where there is one, that stands `ahead`.
fn state<'a>(input: Input<'a>, ahead: usize) -> &'a str {
    let is_qualified = input.is_ahead(ahead + 1, Symbol::Dot)
        && input.peek_at(ahead + 2).kind == TokenKind::Name
        && !input.is_ahead(ahead + 3, Symbol::LeftParen);
    let last = if is_qualified { ahead + 2 } else { ahead };
    input.slice(input.peek_at(ahead).span.to(input.peek_at(last).span))
}

/// `exists x . busy(x)`, `all busy`, …
fn quantified(input: Input<'_>, quantifier: Quantifier) -> Option<Diagnostic> {
    // `all and e`: an error that is called `all`.
    if ["and", "or"].iter().any(|word| input.advance().word().eq_ignore_ascii_case(word)) {
        return None;
    }
    let state = shortened(quantified_state(input));
    let help = match quantifier {
        Quantifier::Some(bound) => format!("count components: `#{state} >= {bound}`"),
        Quantifier::None => format!("count components: `#{state} == 0`"),
        Quantifier::All => format!(
            "count components: `#{state} >= 1` is some component; all of them are in `{state}` where there is \
             none in each other state, as in `#other == 0`"
        ),
    };
    let token = input.peek();
    let message = format!("errors have no {}: they count components", input.found());
    Some(
        Diagnostic::new(&codes::syntax::UNEXPECTED, message, token.span, "expected a count such as `#busy`")
            .help(help + "; formulas with variables are written `wsks { … }`"),
    )
}

/// The state that a quantifier at the next word speaks of: the first name with an argument, else the last name.
fn quantified_state(input: Input<'_>) -> &str {
    let mut last = 1;
    for ahead in 1..MAX_AHEAD {
        let token = input.peek_at(ahead);
        match token.kind {
            TokenKind::Name if input.is_ahead(ahead + 1, Symbol::LeftParen) => {
                return input.text_of(token);
            }
            TokenKind::Name => last = ahead,
            TokenKind::End | TokenKind::Keyword(_) | TokenKind::Symbol(Symbol::Semicolon) => break,
            _ => {}
        }
    }
    input.text_of(input.peek_at(last))
}

/// Functions of other languages that count.
const COUNTING: [&str; 7] = ["count", "card", "size", "number", "len", "sum", "num"];

/// `busy(x)`, `count(busy) >= 2`.
fn predicate(input: Input<'_>) -> Diagnostic {
    let word = input.word();
    let inner = input.peek_at(2);
    let is_count = COUNTING.contains(&word.to_lowercase().as_str()) && inner.kind == TokenKind::Name;
    let (state, bound) = match is_count {
        true => (state(input, 2), "2"),
        false => (word, "1"),
    };
    let message = format!("`{}(…)` is no count: an error counts components", shortened(word));
    let span = input.peek().span.to(input.peek_at(1).span);
    let help = format!("count them: `#{} >= {bound}`", shortened(state));
    Diagnostic::new(&codes::syntax::UNEXPECTED, message, span, "expected a count such as `#busy`").help(help)
}

/// `Node.busy`, `Node.busy(x)`: a state without `#` and without a number. What is compared with one is reported
/// as a count without `#`.
fn qualified(input: Input<'_>) -> Option<Diagnostic> {
    if input.peek_at(2).kind != TokenKind::Name {
        return None;
    }
    let behind = input.peek_at(3).kind;
    let is_end = matches!(
        behind,
        TokenKind::End
            | TokenKind::Symbol(
                Symbol::Semicolon
                    | Symbol::LeftParen
                    | Symbol::RightParen
                    | Symbol::Ampersand
                    | Symbol::Bar
                    | Symbol::DoubleAmpersand
                    | Symbol::DoubleBar
            )
    );
    if !is_end {
        return None;
    }
    let span = input.peek().span.to(input.peek_at(2).span);
    let state = input.slice(span);
    let message = format!("`{}` is a state, not an error", shortened(state));
    let help = format!("count the components in it: `#{} >= 1`", shortened(state));
    Some(Diagnostic::new(&codes::syntax::UNCOUNTED_STATE, message, span, "expected a count").help(help))
}

/// A component as it is called in answers, `Node#1`, or elsewhere, `Node[1]`, from the word that stands `ahead`.
fn single_component(input: Input<'_>, ahead: usize) -> Option<Diagnostic> {
    let is_bracket = input.is_ahead(ahead + 1, Symbol::LeftBracket);
    if is_bracket && !input.is_ahead(ahead + 3, Symbol::RightBracket) {
        return None;
    }
    let last = ahead + if is_bracket { 3 } else { 2 };
    let name = input.peek_at(ahead);
    let span = name.span.to(input.peek_at(last).span);
    let message =
        format!("`{}` can't be named in an error: it speaks of all sizes", shortened(input.slice(span)));
    let name = shortened(input.text_of(name));
    let is_state = input.is_ahead(last + 1, Symbol::Dot) && input.peek_at(last + 2).kind == TokenKind::Name;
    let counted = match is_state {
        true => format!("{name}.{}", shortened(input.text_of(input.peek_at(last + 2)))),
        false => format!("{name}.busy"),
    };
    let help = format!(
        "count components, as in `#{counted} >= 1`; one that is special gets a component type of its own \
         (docs/modelling.md)"
    );
    Some(Diagnostic::new(&codes::syntax::UNEXPECTED, message, span, "a single component").help(help))
}

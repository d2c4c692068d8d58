//! Conditions, values, properties and observations: one grammar, as in both sources. What may stand where is
//! a matter of meaning (`lower`), so that `F x` in a guard gets a message that says so.
//!
//! Depth of recursion and height of trees are bounded. Read as the published tool reads, operators are
//! grouped otherwise; the tree then has parentheses where ours would not be the same.

use rustc_hash::FxHashSet;

use super::input::{
    Input, MAX_DEPTH, ParseResult, RcheckInput, SyntaxError, list, name, open, sign, too_deep,
};
use super::item::number;
use crate::ast::{Expr, ExprKind, Level, Operator, Temporal, Word};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How high the tree of an expression may be: how many operators that nest may follow one another.
const MAX_HEIGHT: usize = 250;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the model.
    Plain,
    /// Between `<` and `>` of a command.
    ArticleGuard,
    /// In a property.
    Spec,
    /// In an observation.
    Observation,
    /// Between `<` and `>` of an observation.
    ArticleObservation,
}

/// The names that can stand before the `-` of a qualified name.
#[derive(Clone, Copy)]
pub(crate) struct Names<'s> {
    instances: &'s FxHashSet<&'s str>,
    /// The variable of the innermost quantifier, and those around it.
    bound: Option<(&'s str, &'s Names<'s>)>,
}

impl<'s> Names<'s> {
    /// These instances.
    pub(crate) fn new(instances: &'s FxHashSet<&'s str>) -> Names<'s> {
        Names { instances, bound: None }
    }

    fn has(&self, word: &str) -> bool {
        let mut names = self;
        while let Some((variable, outer)) = names.bound {
            if variable == word {
                return true;
            }
            names = outer;
        }
        self.instances.contains(word)
    }
}

/// Where an expression stands, and how deep.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    place: Place,
    names: Names<'s>,
    depth: usize,
}

impl<'s> Scope<'s> {
    /// Not within anything yet.
    pub(crate) fn new(place: Place, names: Names<'s>) -> Scope<'s> {
        Scope { place, names, depth: 0 }
    }

    /// At another place, as deep.
    fn at(self, place: Place) -> Scope<'s> {
        Scope { place, ..self }
    }

    /// One level deeper, for what begins at `input`.
    fn deeper<'a>(self, input: Input<'a>) -> Result<Scope<'s>, nom::Err<SyntaxError<'a>>> {
        if self.depth >= MAX_DEPTH {
            return input.fail(too_deep(input.peek().span)).map(|(_, never)| never);
        }
        Ok(Scope { depth: self.depth + 1, ..self })
    }

    /// Within brackets that close by themselves.
    fn enclosed(self) -> Scope<'s> {
        match self.place {
            Place::ArticleGuard => self.at(Place::Plain),
            Place::ArticleObservation => self.at(Place::Observation),
            _ => self,
        }
    }
}

/// An expression and the height of its tree.
struct Tall {
    expr: Expr,
    height: usize,
}

impl Tall {
    fn atom(span: Span, kind: ExprKind) -> Tall {
        Tall { expr: Expr { span, kind }, height: 1 }
    }

    fn above(self, span: Span, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Tall {
        Tall { height: self.height + 1, expr: Expr { span, kind: kind(Box::new(self.expr)) } }
    }
}

/// An expression, as far as it goes.
pub(crate) fn expression<'a>(input: Input<'a>, scope: Scope<'_>) -> ParseResult<'a, Expr> {
    let (rest, tall) = binary(input, scope, 0)?;
    Ok((rest, tall.expr))
}

/// How tightly an operator binds as the file is read: in our reading as its level says, in that of the
/// published tool all of logic alike, and arithmetic less than that.
fn strength(operator: Operator, as_rcheck: bool) -> u8 {
    match operator.level() {
        level if !as_rcheck => level as u8,
        Level::Sum => 0,
        Level::Product => 1,
        Level::Comparison => Level::Comparison as u8,
        _ => 2,
    }
}

/// Operands joined by operators that bind at least so tightly.
fn binary<'a>(input: Input<'a>, scope: Scope<'_>, least: u8) -> ParseResult<'a, Tall> {
    let as_rcheck = input.language().as_rcheck;
    let (mut input, mut left) = operand(input, scope)?;
    let mut compared: Option<Span> = None;
    while let Some((operator, rest)) = operator(input, scope.place) {
        let strength = strength(operator, as_rcheck);
        if strength < least {
            break;
        }
        if operator.level() == Level::Comparison {
            if let Some(first) = compared {
                return input.fail(chained(input.peek().span, first));
            }
            compared = Some(input.peek().span);
        } else {
            compared = None;
        }
        let (rest, right) = binary(rest, scope, strength + 1)?;
        left = joined(left, operator, right, as_rcheck);
        if left.height > MAX_HEIGHT {
            return input.fail(too_high(input.peek().span));
        }
        input = rest;
    }
    Ok((input, left))
}

/// `left operator right`, where the operands stand in parentheses that our reading needs. What is joined
/// already by operators of the same strength becomes longer.
fn joined(left: Tall, operator: Operator, right: Tall, as_rcheck: bool) -> Tall {
    let level = operator.level();
    let span = left.expr.span.to(right.expr.span);
    let right = enclosed_below(right, level.tighter());
    let nests = !matches!(operator, Operator::And | Operator::Or);
    // Implications in a row lean to the right, but not to the published tool.
    let is_apart = level == Level::Comparison || level == Level::Implies && as_rcheck;
    match left.expr.kind {
        ExprKind::Chain(first, mut rest)
            if !is_apart && rest.first().is_some_and(|(other, _)| other.level() == level) =>
        {
            let height = if nests { left.height + 1 } else { left.height }.max(right.height + 1);
            rest.push((operator, right.expr));
            Tall { expr: Expr { span, kind: ExprKind::Chain(first, rest) }, height }
        }
        _ => {
            let least = if is_apart || level == Level::Implies { level.tighter() } else { level };
            let left = enclosed_below(left, least);
            let height = left.height.max(right.height) + 1;
            let kind = ExprKind::Chain(Box::new(left.expr), vec![(operator, right.expr)]);
            Tall { expr: Expr { span, kind }, height }
        }
    }
}

/// In parentheses, if it binds less tightly.
fn enclosed_below(tall: Tall, least: Level) -> Tall {
    match &tall.expr.kind {
        ExprKind::Chain(_, rest) if rest.first().is_some_and(|(operator, _)| operator.level() < least) => {
            let span = tall.expr.span;
            tall.above(span, ExprKind::Parenthesised)
        }
        _ => tall,
    }
}

fn too_high(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_HEIGHT} operators within one another");
    Diagnostic::new(&codes::NESTED_TOO_DEEP, message, span, "one too many")
        .help("give a part a name, by `guard`")
}

fn chained(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&codes::CHAINED_COMPARISON, "a comparison has two sides", span, "the second comparison")
        .label(first, "the first one")
        .help("write two comparisons, joined by `&`: `a < b & b < c`")
}

/// The operator that is next, and the input behind it.
fn operator(input: Input<'_>, place: Place) -> Option<(Operator, Input<'_>)> {
    let operator = match input.kind() {
        TokenKind::Keyword(Keyword::Until) => Operator::Until,
        TokenKind::Keyword(Keyword::Release) => Operator::Release,
        TokenKind::Keyword(Keyword::WeakUntil) => Operator::WeakUntil,
        TokenKind::Symbol(symbol) => match symbol {
            Symbol::Greater if closes(input, place) => return None,
            Symbol::Iff => Operator::Iff,
            Symbol::Arrow => Operator::Implies,
            Symbol::Ampersand | Symbol::DoubleAmpersand => Operator::And,
            // In `system = A(a, x) | …` the bar stands behind the parenthesis.
            Symbol::Bar | Symbol::DoubleBar => Operator::Or,
            Symbol::Equal | Symbol::DoubleEqual => Operator::Equal,
            Symbol::NotEqual => Operator::NotEqual,
            Symbol::Less => Operator::Less,
            Symbol::AtMost => Operator::AtMost,
            Symbol::Greater => Operator::Greater,
            Symbol::AtLeast => Operator::AtLeast,
            Symbol::Plus => Operator::Add,
            Symbol::Minus => Operator::Subtract,
            Symbol::Star => Operator::Multiply,
            Symbol::Slash => Operator::Divide,
            _ => return None,
        },
        _ => return None,
    };
    match input.kind() {
        TokenKind::Symbol(Symbol::DoubleAmpersand) if !input.is_article() => {
            input.report_other_syntax(input.peek().span, "`&`");
        }
        TokenKind::Symbol(Symbol::DoubleBar) => {
            let message = "`||` is written `|` in conditions";
            input.report(Diagnostic::new(&codes::WRONG_SIGN, message, input.peek().span, "expected `|`"));
        }
        _ => {}
    }
    Some((operator, input.advance()))
}

/// Whether the `>` that is next closes what a `<` began.
fn closes(input: Input<'_>, place: Place) -> bool {
    match place {
        Place::ArticleObservation => true,
        Place::ArticleGuard => {
            let behind = input.advance();
            let is_channel = behind.kind() == TokenKind::Name
                || behind.at(Symbol::Star)
                || matches!(behind.kind(), TokenKind::Keyword(Keyword::Get | Keyword::Supply));
            is_channel
                && (behind.is_ahead(1, Symbol::Not)
                    || behind.is_ahead(1, Symbol::Question)
                    || behind.is_ahead(1, Symbol::At))
        }
        _ => false,
    }
}

// Frames of recursive functions are kept small: each way is a function of its own, as are messages.

fn operand<'a>(input: Input<'a>, scope: Scope<'_>) -> ParseResult<'a, Tall> {
    match input.kind() {
        TokenKind::Symbol(symbol) => operand_of_sign(input, scope, symbol),
        TokenKind::Keyword(keyword) => operand_of_word(input, scope, keyword),
        TokenKind::Number => {
            let (rest, number) = number(input);
            Ok((rest, Tall::atom(input.peek().span, ExprKind::Number(number))))
        }
        TokenKind::Name => named(input, scope),
        _ => input.expected("an expression"),
    }
}

fn operand_of_sign<'a>(input: Input<'a>, scope: Scope<'_>, symbol: Symbol) -> ParseResult<'a, Tall> {
    let start = input.peek().span;
    match symbol {
        Symbol::Not | Symbol::Minus => {
            let (rest, inner) = operand(input.advance(), scope.deeper(input)?)?;
            let kind = if symbol == Symbol::Not { ExprKind::Not } else { ExprKind::Negative };
            Ok((rest, inner.above(rest.span_from(start), kind)))
        }
        Symbol::LeftParen => {
            let (rest, inner) = binary(input.advance(), scope.deeper(input)?.enclosed(), 0)?;
            let (rest, ()) = rest.close(start, Symbol::RightParen)?;
            Ok((rest, inner.above(rest.span_from(start), ExprKind::Parenthesised)))
        }
        Symbol::Star => Ok((input.advance(), Tall::atom(start, ExprKind::Word(Word::Star)))),
        Symbol::At => {
            let (rest, variable) = name(input.advance(), "a property variable behind `@`")?;
            Ok((rest, Tall::atom(rest.span_from(start), ExprKind::Property(variable.text))))
        }
        Symbol::DoubleLess | Symbol::Less => observed(input, scope, symbol, Symbol::Less),
        Symbol::DoubleLeftBracket | Symbol::LeftBracket => {
            observed(input, scope, symbol, Symbol::LeftBracket)
        }
        Symbol::BigAnd | Symbol::BigOr => quantified(input, scope, symbol == Symbol::BigAnd),
        _ => input.expected("an expression"),
    }
}

fn operand_of_word<'a>(input: Input<'a>, scope: Scope<'_>, keyword: Keyword) -> ParseResult<'a, Tall> {
    let span = input.peek().span;
    let word = |word| Ok((input.advance(), Tall::atom(span, ExprKind::Word(word))));
    match keyword {
        Keyword::True | Keyword::False => {
            let is_capital = matches!(input.word(), "TRUE" | "FALSE");
            if is_capital && !input.is_article() {
                input.report_other_syntax(span, &format!("`{}`", input.word().to_lowercase()));
            }
            Ok((input.advance(), Tall::atom(span, ExprKind::Truth(keyword == Keyword::True))))
        }
        Keyword::Chan => {
            if input.is_article() {
                input.report_other_syntax(span, "`channel`");
            }
            word(Word::Chan)
        }
        Keyword::Myself => word(Word::Myself),
        Keyword::Sender => word(Word::Sender),
        Keyword::Getter => word(Word::Getter),
        Keyword::Next => temporal(input, scope, Temporal::Next),
        Keyword::Finally => temporal(input, scope, Temporal::Finally),
        Keyword::Globally => temporal(input, scope, Temporal::Globally),
        Keyword::Forall | Keyword::Exists => {
            let is_universal = keyword == Keyword::Forall;
            if input.is_ahead(1, Symbol::LeftParen) {
                return addressed(input, scope, is_universal);
            }
            quantified(input, scope, is_universal)
        }
        Keyword::Until | Keyword::Release | Keyword::WeakUntil => {
            input.expected("an expression on the left of this operator")
        }
        _ => input.expected("an expression"),
    }
}

/// What an operator before its operand takes: in today's syntax everything to its right, in the article's the
/// next comparison.
fn reach<'a>(input: Input<'a>, scope: Scope<'_>) -> ParseResult<'a, Tall> {
    let least = if input.is_article() { Level::Comparison as u8 } else { 0 };
    binary(input, scope, least)
}

/// `F φ`
fn temporal<'a>(input: Input<'a>, scope: Scope<'_>, operator: Temporal) -> ParseResult<'a, Tall> {
    let (rest, body) = reach(input.advance(), scope.deeper(input)?)?;
    let span = rest.span_from(input.peek().span);
    Ok((rest, body.above(span, |body| ExprKind::Temporal(operator, body))))
}

/// `<<O>> φ`, `[[O]] φ`, `<O> φ`, `[O] φ`
fn observed<'a>(input: Input<'a>, scope: Scope<'_>, sign: Symbol, single: Symbol) -> ParseResult<'a, Tall> {
    let start = input.peek().span;
    let inner = scope.deeper(input)?;
    let is_single = sign == single;
    let is_diamond = single == Symbol::Less;
    let closing = match (is_diamond, is_single) {
        (true, true) => Symbol::Greater,
        (true, false) => Symbol::DoubleGreater,
        (false, true) => Symbol::RightBracket,
        (false, false) => Symbol::DoubleRightBracket,
    };
    let place = if is_diamond && is_single { Place::ArticleObservation } else { Place::Observation };
    let (rest, observation) = binary(input.advance(), inner.at(place), 0)?;
    if !rest.at(closing) {
        return rest.fail(rest.unclosed(start, closing));
    }
    let rest = rest.advance();
    if is_single != input.is_article() && scope.place == Place::Spec {
        let written = input.slice(observation.expr.span);
        let right = match (is_diamond, is_single) {
            (true, true) => format!("`<<{written}>>`"),
            (true, false) => format!("`<{written}>`"),
            (false, true) => format!("`[[{written}]]`"),
            (false, false) => format!("`[{written}]`"),
        };
        input.report_other_syntax(rest.span_from(start), &right);
    }
    let (rest, body) = reach(rest, inner)?;
    let height = observation.height.max(body.height) + 1;
    let kind =
        ExprKind::Observed { is_diamond, observation: Box::new(observation.expr), body: Box::new(body.expr) };
    Ok((rest, Tall { expr: Expr { span: rest.span_from(start), kind }, height }))
}

/// `forall k : A | B . φ`, `/\ k : A . φ`
fn quantified<'a>(input: Input<'a>, scope: Scope<'_>, is_universal: bool) -> ParseResult<'a, Tall> {
    let start = input.peek().span;
    let is_word = matches!(input.kind(), TokenKind::Keyword(_));
    if is_word == input.is_article() {
        let right = match (is_universal, is_word) {
            (true, true) => "`/\\`",
            (false, true) => "`\\/`",
            (true, false) => "`forall`",
            (false, false) => "`exists`",
        };
        input.report_other_syntax(start, right);
    }
    let inner = scope.deeper(input)?;
    let (rest, (variable, kinds)) = binder(input.advance())?;
    let names = Names { instances: scope.names.instances, bound: Some((&variable.text, &scope.names)) };
    let (rest, body) = binary(rest, Scope { names, ..inner }, 0)?;
    let span = rest.span_from(start);
    Ok((rest, body.above(span, |body| ExprKind::Quantified { is_universal, variable, kinds, body })))
}

/// `k : A | B .`
fn binder(input: Input<'_>) -> ParseResult<'_, (Ident, Vec<Ident>)> {
    let (rest, variable) = name(input, "the variable of a quantifier")?;
    let (rest, ()) = sign(rest, Symbol::Colon, &[Symbol::Assign, Symbol::Equal])?;
    let (mut rest, first) = name(rest, "an agent")?;
    let mut kinds = vec![first];
    while rest.at(Symbol::Bar) {
        let (behind, kind) = name(rest.advance(), "an agent")?;
        kinds.push(kind);
        rest = behind;
    }
    if !rest.at(Symbol::Dot) {
        let message = format!("expected `.` behind the agents of a quantifier, found {}", rest.found());
        return rest.fail(
            Diagnostic::new(&codes::MALFORMED_QUANTIFIER, message, rest.peek().span, "expected `.`")
                .help("write `forall k : Client | Manager . F k-done`"),
        );
    }
    Ok((rest.advance(), (variable, kinds)))
}

/// `forall(e)`, `exists(e)` in an observation
fn addressed<'a>(input: Input<'a>, scope: Scope<'_>, is_universal: bool) -> ParseResult<'a, Tall> {
    let start = input.peek().span;
    let scope = scope.deeper(input)?.enclosed();
    let (rest, paren) = open(input.advance(), Symbol::LeftParen, "")?;
    let (rest, body) = binary(rest, scope, 0)?;
    let (rest, ()) = rest.close(paren, Symbol::RightParen)?;
    let span = rest.span_from(start);
    Ok((rest, body.above(span, |body| ExprKind::Addressed { is_universal, body })))
}

/// `x`, `g(…)`, `k-x`, `k-automaton-state`
fn named<'a>(input: Input<'a>, scope: Scope<'_>) -> ParseResult<'a, Tall> {
    let span = input.peek().span;
    if input.at_word("channel") {
        if !input.is_article() {
            input.report_other_syntax(span, "`chan`");
        }
        return Ok((input.advance(), Tall::atom(span, ExprKind::Word(Word::Chan))));
    }
    if input.is_ahead(1, Symbol::LeftParen) && is_call(input) {
        return call(input, scope);
    }
    let qualifies = match scope.place {
        Place::Spec => scope.names.has(input.word()),
        Place::Observation | Place::ArticleObservation => {
            input.word() == "supplier" || scope.names.has(input.word())
        }
        Place::Plain | Place::ArticleGuard => false,
    };
    if qualifies && input.is_ahead(1, Symbol::Minus) {
        return qualified(input);
    }
    Ok((input.advance(), Tall::atom(span, ExprKind::Name(input.word().to_owned()))))
}

/// Whether the parentheses behind the name that is next are those of its arguments: `c! x (M := 1)` has data
/// there, and so has `c! x ()`, while `c! g() ()` has both.
fn is_call(input: Input<'_>) -> bool {
    let inside = input.advance().advance();
    if inside.at(Symbol::RightParen) {
        return !inside.is_ahead(1, Symbol::LeftBracket);
    }
    !inside.is_ahead(1, Symbol::Assign)
}

fn call<'a>(input: Input<'a>, scope: Scope<'_>) -> ParseResult<'a, Tall> {
    let guard = input.ident();
    let inner = scope.deeper(input)?.enclosed();
    let (rest, paren) = open(input.advance(), Symbol::LeftParen, "")?;
    let (rest, arguments) = match rest.at(Symbol::RightParen) {
        true => (rest, Vec::new()),
        false => list(rest, |input| binary(input, inner, 0))?,
    };
    let (rest, ()) = rest.close(paren, Symbol::RightParen)?;
    let height = arguments.iter().map(|one| one.height).max().unwrap_or(0) + 1;
    let span = rest.span_from(guard.span);
    let arguments = arguments.into_iter().map(|one| one.expr).collect();
    Ok((rest, Tall { expr: Expr { span, kind: ExprKind::Call(guard, arguments) }, height }))
}

/// `k-x`, `k-automaton-state`
fn qualified(input: Input<'_>) -> ParseResult<'_, Tall> {
    let of = input.ident();
    let behind = input.advance().advance();
    let is_long = behind.at_hyphenated("automaton", "state");
    if is_long || input.is_article() && behind.at_word("state") {
        let rest = if is_long { behind.advance().advance().advance() } else { behind.advance() };
        let span = rest.span_from(of.span);
        if is_long && input.is_article() {
            input.report_other_syntax(span, &format!("`{}-state`", of.text));
        }
        return Ok((rest, Tall::atom(span, ExprKind::Place(of))));
    }
    let (rest, field) = name(behind, "a variable or label of the instance")?;
    Ok((rest, Tall::atom(rest.span_from(of.span), ExprKind::Qualified(of, field))))
}

//! Expressions of numbers and conditions, by precedence.
//!
//! `and` and `or` bind least, both equally; then a comparison, of which there is one; then `!`; then sums,
//! products, signs. Depth of recursion and height of trees are bounded.

use super::input::{Form, Input, LabsInput, MAX_DEPTH, ParseResult, list, name, too_deep, wrong_name};
use super::quantifier;
use crate::ast::{Expr, ExprKind, Operator, Reference, Who};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::source::Span;

/// How high the tree of an expression may be: about how many operators may follow one another.
const MAX_HEIGHT: usize = 1_000;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In declarations: of numbers and parameters only.
    Constant,
    /// In links and behind `where`: about the agents 1 and 2.
    Pair,
    /// In assumptions and properties.
    Property,
    /// In processes.
    Process,
}

/// Where an expression stands, and how deep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    pub(crate) place: Place,
    depth: usize,
}

impl Scope {
    /// Not within anything yet.
    pub(crate) fn new(place: Place) -> Scope {
        Scope { place, depth: 0 }
    }

    /// At another place, as deep.
    pub(crate) fn at(self, place: Place) -> Scope {
        Scope { place, ..self }
    }

    /// One level deeper, for what begins at `input`.
    pub(crate) fn deeper<'a>(self, input: Input<'a>) -> Result<Scope, nom::Err<super::SyntaxError<'a>>> {
        if self.depth >= MAX_DEPTH {
            return input.fail(too_deep(input.peek().span)).map(|(_, never)| never);
        }
        Ok(Scope { depth: self.depth + 1, ..self })
    }
}

/// How tightly operators bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// `and`, `or`
    Logic,
    /// Comparisons
    Comparison,
    /// `!`
    Negation,
    /// `+`, `-`
    Sum,
    /// `*`, `/`, `:`, `%`
    Product,
    /// The sign `-`
    Sign,
    /// Nothing
    Atom,
}

impl Operator {
    /// How tightly it binds.
    pub(crate) fn level(self) -> Level {
        match self {
            Operator::And | Operator::Or => Level::Logic,
            Operator::Add | Operator::Subtract => Level::Sum,
            Operator::Multiply | Operator::Divide | Operator::RoundDivide | Operator::Modulo => {
                Level::Product
            }
            _ => Level::Comparison,
        }
    }

    /// How tightly its operands must bind, the left and the right one.
    pub(crate) fn operands(self) -> [Level; 2] {
        match self.level() {
            Level::Logic => [Level::Logic, Level::Comparison],
            Level::Sum => [Level::Sum, Level::Product],
            Level::Product => [Level::Product, Level::Sign],
            // `!x = 1` is refused.
            _ => [Level::Sum, Level::Negation],
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

    /// Above trees, the highest of which is so high.
    fn over(height: usize, span: Span, kind: ExprKind) -> Tall {
        Tall { expr: Expr { span, kind }, height: height + 1 }
    }
}

/// A condition: `bexpr` of the grammar.
pub(crate) fn condition(input: Input<'_>, scope: Scope) -> ParseResult<'_, Expr> {
    let (input, tall) = binary(input, scope, Level::Logic)?;
    Ok((input, tall.expr))
}

/// A number: `expr` of the grammar. A condition without parentheses is not read.
pub(crate) fn number(input: Input<'_>, scope: Scope) -> ParseResult<'_, Expr> {
    let (input, tall) = tall_number(input, scope)?;
    Ok((input, tall.expr))
}

fn tall_number(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let (input, tall) = binary(input, scope, Level::Sum)?;
    if let Some((operator, _)) = operator(input, false)
        && operator.level() < Level::Sum
    {
        return input.fail(bare_condition(input));
    }
    Ok((input, tall))
}

/// The operator that is next makes a condition of what is a number.
fn bare_condition(input: Input<'_>) -> Diagnostic {
    let message = format!("{} can't stand here: a number is expected", input.found());
    Diagnostic::new(&codes::BARE_CONDITION, message, input.peek().span, "")
        .help("put the condition in parentheses: `(a = b)` is 1 if it holds, otherwise 0")
}

/// Operands joined by operators that bind as tightly as `least`, or more.
fn binary<'a>(input: Input<'a>, scope: Scope, least: Level) -> ParseResult<'a, Tall> {
    let (mut input, mut left) = operand(input, scope, least)?;
    let mut is_compared = false;
    while let Some((operator, rest)) = operator(input, least == Level::Logic) {
        let level = operator.level();
        if level < least {
            break;
        }
        if level == Level::Comparison {
            report_comparison(input, &left.expr, is_compared);
            is_compared = true;
        }
        is_compared &= level != Level::Logic;
        let (rest, right) = binary(rest, scope, operator.operands()[1])?;
        let height = left.height.max(right.height) + 1;
        if height > MAX_HEIGHT {
            return input.fail(too_high(input.peek().span));
        }
        let span = left.expr.span.to(right.expr.span);
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        left = Tall { expr: Expr { span, kind }, height };
        input = rest;
    }
    Ok((input, left))
}

/// The diagnostic for one operator too many.
fn too_high(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_HEIGHT} operators, one after the other");
    Diagnostic::new(&codes::NESTED_TOO_DEEP, message, span, "one too many")
        .help("put parts of the expression in parentheses")
}

/// Reports a comparison, the sign of which is next, whose left side is none.
fn report_comparison(input: Input<'_>, left: &Expr, is_compared: bool) {
    if is_compared {
        let message = "a comparison has two sides";
        input.report(
            Diagnostic::new(&codes::CHAINED_COMPARISON, message, input.peek().span, "the second comparison")
                .label(left.span, "the first one")
                .help("write two comparisons, joined by `and`: `a < b and b < c`"),
        );
    } else if matches!(left.kind, ExprKind::Not(_)) {
        let negated = input.slice(left.span);
        let message = format!("`{negated}` is negated before it is compared");
        let help = "write `!(x = 1)`, with parentheses, or `x != 1`";
        input.report(
            Diagnostic::new(&codes::NOT_BEFORE_COMPARISON, message, left.span, "this is negated").help(help),
        );
    }
}

/// The operator that is next and the input behind it. Other spellings are reported; `|` and `||` are `or`
/// only where a condition `is_whole`, for processes are parallel.
fn operator(input: Input<'_>, is_whole: bool) -> Option<(Operator, Input<'_>)> {
    let operator = match input.kind() {
        TokenKind::Keyword(Keyword::And) => Operator::And,
        TokenKind::Keyword(Keyword::Or) => Operator::Or,
        TokenKind::Symbol(symbol) => match symbol {
            Symbol::Plus => Operator::Add,
            Symbol::Minus => Operator::Subtract,
            Symbol::Star => Operator::Multiply,
            Symbol::Slash => Operator::Divide,
            Symbol::Colon => Operator::RoundDivide,
            Symbol::Percent => Operator::Modulo,
            Symbol::Equal | Symbol::DoubleEqual => Operator::Equal,
            Symbol::NotEqual => Operator::NotEqual,
            Symbol::Less => Operator::Less,
            Symbol::AtMost => Operator::AtMost,
            Symbol::Greater => Operator::Greater,
            Symbol::AtLeast => Operator::AtLeast,
            Symbol::Ampersand | Symbol::DoubleAmpersand => Operator::And,
            Symbol::Bar | Symbol::DoubleBar if is_whole => Operator::Or,
            _ => return None,
        },
        _ => return None,
    };
    if input.kind() != TokenKind::Keyword(Keyword::And)
        && input.kind() != TokenKind::Keyword(Keyword::Or)
        && input.word() != operator.spelling()
    {
        input.report(other_spelling(input, operator.spelling()));
    }
    Some((operator, input.advance()))
}

/// The operator that is next is written otherwise.
pub(crate) fn other_spelling(input: Input<'_>, right: &str) -> Diagnostic {
    let message = format!("{} is written `{right}`", input.found());
    Diagnostic::new(&codes::WRONG_OPERATOR, message, input.peek().span, format!("expected `{right}`"))
}

// Frames of recursive functions are kept small: each way is a function of its own, as are messages.

/// An operand with the signs before it.
fn operand<'a>(input: Input<'a>, scope: Scope, least: Level) -> ParseResult<'a, Tall> {
    match input.kind() {
        TokenKind::Symbol(Symbol::Not) => negated(input, scope, least),
        TokenKind::Symbol(Symbol::Minus) => negative(input, scope),
        TokenKind::Name if input.word() == "not" && begins_operand(input.advance()) => {
            input.report(other_spelling(input, "!"));
            negated(input, scope, least)
        }
        _ => atom(input, scope),
    }
}

/// `! a`
fn negated<'a>(input: Input<'a>, scope: Scope, least: Level) -> ParseResult<'a, Tall> {
    if least > Level::Negation {
        return input.fail(bare_condition(input));
    }
    let (rest, inner) = binary(input.advance(), scope.deeper(input)?, Level::Negation)?;
    Ok((rest, above(rest.span_from(input.peek().span), inner, ExprKind::Not)))
}

/// `- a`
fn negative(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let (rest, inner) = operand(input.advance(), scope.deeper(input)?, Level::Sign)?;
    Ok((rest, above(rest.span_from(input.peek().span), inner, ExprKind::Negative)))
}

fn above(span: Span, inner: Tall, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Tall {
    Tall { expr: Expr { span, kind: kind(Box::new(inner.expr)) }, height: inner.height + 1 }
}

/// Whether an operand without a sign begins here.
fn begins_operand(input: Input<'_>) -> bool {
    matches!(input.kind(), TokenKind::Name | TokenKind::Number | TokenKind::Keyword(Keyword::Id))
        || input.at(Symbol::LeftParen)
}

fn atom(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    match input.kind() {
        TokenKind::Number => {
            let (rest, number) = numeral(input)?;
            Ok((rest, Tall::atom(input.peek().span, ExprKind::Number(number))))
        }
        TokenKind::Name if input.at_form(Form::Extern) => parameter(input),
        TokenKind::Name => variable(input, scope),
        TokenKind::Keyword(keyword) => word(input, scope, keyword),
        TokenKind::Symbol(Symbol::LeftParen) => parenthesised(input, scope),
        TokenKind::Symbol(Symbol::LeftBracket) => any_of(input, scope),
        TokenKind::Symbol(Symbol::Dollar) => foreign(input, scope),
        _ => input.expected("an expression"),
    }
}

/// `_n`
fn parameter(input: Input<'_>) -> ParseResult<'_, Tall> {
    let (rest, name) = name(input, Form::Extern, "a parameter")?;
    Ok((rest, Tall::atom(name.span, ExprKind::Extern(name.text))))
}

/// `(a)`
fn parenthesised(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let open = input.peek().span;
    let (rest, inner) = binary(input.advance(), scope.deeper(input)?, Level::Logic)?;
    let (rest, ()) = rest.close(open, Symbol::RightParen)?;
    Ok((rest, above(rest.span_from(open), inner, ExprKind::Parenthesised)))
}

/// `[a..b]`
fn any_of(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let open = input.peek().span;
    let scope = scope.deeper(input)?;
    let (rest, low) = tall_number(input.advance(), scope)?;
    let (rest, ()) = range_sign(rest)?;
    let (rest, high) = tall_number(rest, scope)?;
    let (rest, ()) = rest.close(open, Symbol::RightBracket)?;
    let height = low.height.max(high.height);
    let kind = ExprKind::AnyOf(Box::new(low.expr), Box::new(high.expr));
    Ok((rest, Tall::over(height, rest.span_from(open), kind)))
}

/// `$f(a, b)`
fn foreign(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let at = input.advance();
    if at.kind() != TokenKind::Name {
        return at.expected("the name of a function of C");
    }
    let (rest, (arguments, height)) = arguments(at.advance(), scope)?;
    let kind = ExprKind::Foreign(at.word().to_owned(), arguments);
    Ok((rest, Tall::over(height, rest.span_from(input.peek().span), kind)))
}

/// Trees, and how high the highest is.
fn levelled(trees: Vec<Tall>) -> (Vec<Expr>, usize) {
    let height = trees.iter().map(|tree| tree.height).max().unwrap_or(0);
    (trees.into_iter().map(|tree| tree.expr).collect(), height)
}

/// `..`
pub(crate) fn range_sign(input: Input<'_>) -> ParseResult<'_, ()> {
    if input.at(Symbol::DoubleDot) {
        return Ok((input.advance(), ()));
    }
    input.fail(
        Diagnostic::new(
            &codes::UNEXPECTED,
            format!("expected `..`, found {}", input.found()),
            input.peek().span,
            "expected `..`",
        )
        .help("`[0..3]` is any of 0, 1 and 2"),
    )
}

/// A number without a sign.
fn numeral(input: Input<'_>) -> ParseResult<'_, i64> {
    let number = input.word().parse::<i64>().ok();
    if number.is_none() {
        let message = format!("{} is too large", input.found());
        input.report(
            Diagnostic::new(&codes::NUMBER_TOO_LARGE, message, input.peek().span, "")
                .help(format!("the largest that can be read is {}", i64::MAX)),
        );
    }
    Ok((input.advance(), number.unwrap_or(0)))
}

/// `(a, b)`, possibly nothing between, and the height of its trees.
fn arguments(input: Input<'_>, scope: Scope) -> ParseResult<'_, (Vec<Expr>, usize)> {
    let open = input.peek().span;
    if !input.at(Symbol::LeftParen) {
        return input.expected("`(`");
    }
    let scope = scope.deeper(input)?;
    let input = input.advance();
    if input.at(Symbol::RightParen) {
        return Ok((input.advance(), (Vec::new(), 0)));
    }
    let (input, arguments) = list(input, |input| tall_number(input, scope))?;
    let (input, ()) = input.close(open, Symbol::RightParen)?;
    Ok((input, levelled(arguments)))
}

/// What begins with a reserved word.
fn word(input: Input<'_>, scope: Scope, keyword: Keyword) -> ParseResult<'_, Tall> {
    match keyword {
        Keyword::True | Keyword::False => {
            let kind = ExprKind::Truth(keyword == Keyword::True);
            Ok((input.advance(), Tall::atom(input.peek().span, kind)))
        }
        Keyword::Id => identity(input, scope),
        Keyword::Abs | Keyword::Min | Keyword::Max => extremes(input, scope, keyword),
        Keyword::If => choice(input, scope),
        Keyword::Forall | Keyword::Exists | Keyword::Count => input.fail(quantifier::misplaced(input, scope)),
        Keyword::Pick => input.fail(misplaced_pick(input.peek().span)),
        Keyword::Undef => input.fail(misplaced_undef(input.peek().span)),
        _ => input.expected("an expression"),
    }
}

fn misplaced_pick(span: Span) -> Diagnostic {
    Diagnostic::new(&codes::OUTSIDE_BLOCK, "`pick` is no expression", span, "")
        .help("it stands in a block, behind an array of locals: `{ p[] := pick 1; … }`")
}

fn misplaced_undef(span: Span) -> Diagnostic {
    Diagnostic::new(&codes::UNEXPECTED, "`undef` is no expression", span, "")
        .help("only an initial value can be undefined; write it alone: `x: undef`")
}

/// `id`, `id of y`
fn identity(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let span = input.peek().span;
    let rest = input.advance();
    if rest.at_keyword(Keyword::Of) && matches!(scope.place, Place::Process | Place::Constant) {
        return rest.fail(misplaced_identity(span.to(rest.peek().span)));
    }
    let (rest, (of, height)) = owner(rest, scope)?;
    Ok((rest, Tall::over(height, rest.span_from(span), ExprKind::Id(of))))
}

fn misplaced_identity(span: Span) -> Diagnostic {
    let message = "`id of` stands in links, assumptions and properties only";
    Diagnostic::new(&codes::WRONG_AGENT, message, span, "")
        .help("in a process, what stands behind `of` is the id already")
}

/// `if c then a else b`
fn choice(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    let scope = scope.deeper(input)?;
    let (rest, guard) = binary(input.advance(), scope, Level::Logic)?;
    let (rest, then) = tall_number(behind(rest, Keyword::Then)?.0, scope)?;
    // What follows may compare the whole.
    let (rest, otherwise) = binary(behind(rest, Keyword::Else)?.0, scope, Level::Sum)?;
    let height = guard.height.max(then.height).max(otherwise.height);
    let kind = ExprKind::If(Box::new([guard.expr, then.expr, otherwise.expr]));
    Ok((rest, Tall::over(height, rest.span_from(input.peek().span), kind)))
}

/// Skips a word within `if`.
fn behind(input: Input<'_>, keyword: Keyword) -> ParseResult<'_, ()> {
    use paramcheck_text::reading::Spelt;
    if input.at_keyword(keyword) {
        return Ok((input.advance(), ()));
    }
    let word = keyword.spelling();
    let message = format!("expected `{word}`, found {}", input.found());
    input.fail(
        Diagnostic::new(&codes::UNEXPECTED, message, input.peek().span, format!("expected `{word}`"))
            .help("write `if … then … else …`; there is no `if` without `else`"),
    )
}

/// `abs(a)`, `min(a, b)`, `max(a, b)`
fn extremes(input: Input<'_>, scope: Scope, keyword: Keyword) -> ParseResult<'_, Tall> {
    let span = input.peek().span;
    let (rest, (operands, height)) = arguments(input.advance(), scope)?;
    let count = operands.len();
    let mut operands = operands.into_iter();
    let kind = match (keyword, operands.next(), operands.next()) {
        (Keyword::Abs, Some(operand), None) => ExprKind::Absolute(Box::new(operand)),
        (Keyword::Min | Keyword::Max, Some(one), Some(other)) if count == 2 => {
            ExprKind::Extreme { is_max: keyword == Keyword::Max, operands: Box::new([one, other]) }
        }
        _ => {
            let (right, example) = match keyword {
                Keyword::Abs => ("one", "`abs(a)`"),
                _ => ("two", "`max(a, max(b, c))`"),
            };
            let message = format!("`{}` is of {right}, not of {count}", input.word());
            return input.fail(
                Diagnostic::new(&codes::UNEXPECTED, message, span, "").help(format!("write {example}")),
            );
        }
    };
    Ok((rest, Tall::over(height, rest.span_from(span), kind)))
}

/// `x`, `x[i]`, `x of y`
fn variable(input: Input<'_>, scope: Scope) -> ParseResult<'_, Tall> {
    if !input.at_form(Form::Low) {
        return input.fail(wrong_name(input, Form::Low, "a variable"));
    }
    if scope.place == Place::Constant {
        return input.fail(not_constant(input));
    }
    let (rest, name) = name(input, Form::Low, "a variable")?;
    let (rest, (indices, of_indices)) = tall_indices(rest, scope)?;
    let (rest, (of, of_owner)) = owner(rest, scope)?;
    let span = rest.span_from(name.span);
    Ok((
        rest,
        Tall::over(of_indices.max(of_owner), span, ExprKind::Reference(Reference { name, indices, of })),
    ))
}

fn not_constant(input: Input<'_>) -> Diagnostic {
    let message = format!("{} is not known before the system runs", input.found());
    Diagnostic::new(&codes::UNEXPECTED, message, input.peek().span, "expected a number")
        .help("numbers, parameters as `_n`, and `id` can stand here")
}

/// `[i, j]`, if it is next.
pub(crate) fn indices(input: Input<'_>, scope: Scope) -> ParseResult<'_, Vec<Expr>> {
    let (rest, (indices, _)) = tall_indices(input, scope)?;
    Ok((rest, indices))
}

fn tall_indices(input: Input<'_>, scope: Scope) -> ParseResult<'_, (Vec<Expr>, usize)> {
    if !input.at(Symbol::LeftBracket) {
        return Ok((input, (Vec::new(), 0)));
    }
    let open = input.peek().span;
    let scope = scope.deeper(input)?;
    let (rest, indices) = list(input.advance(), |input| tall_number(input, scope))?;
    let (rest, ()) = rest.close(open, Symbol::RightBracket)?;
    Ok((rest, levelled(indices)))
}

/// `of y`, if it is next, and its height.
fn owner(input: Input<'_>, scope: Scope) -> ParseResult<'_, (Option<Box<Who>>, usize)> {
    if !input.at_keyword(Keyword::Of) {
        return Ok((input, (None, 0)));
    }
    let at = input.advance();
    let (rest, (who, height)) = match scope.place {
        Place::Pair => party(at)?,
        Place::Property | Place::Constant => named(at)?,
        Place::Process => any_agent(at, scope.deeper(input)?)?,
    };
    Ok((rest, (Some(Box::new(who)), height)))
}

/// `1`, `2`, `c1`, `c2`
fn party(input: Input<'_>) -> ParseResult<'_, (Who, usize)> {
    let is_second = match (input.kind(), input.word()) {
        (TokenKind::Number, "1") | (TokenKind::Name, "c1") => false,
        (TokenKind::Number, "2") | (TokenKind::Name, "c2") => true,
        _ => {
            const HELP: &str =
                "in links 1 is the sender, 2 the receiver; behind `where` 1 picks, and 2 may be picked";
            return input.fail(wrong_agent(input, "1 or 2", HELP));
        }
    };
    Ok((input.advance(), (Who::Party { is_second, span: input.peek().span }, 1)))
}

/// The variable of a quantifier, or a number.
fn named(input: Input<'_>) -> ParseResult<'_, (Who, usize)> {
    const HELP: &str =
        "`forall Kind a, x of a = 0` is about all agents of a kind, `x of 3` about the agent 3";
    match input.kind() {
        TokenKind::Number => {
            let (rest, number) = numeral(input)?;
            let span = input.peek().span;
            Ok((rest, (Who::Agent(Expr { span, kind: ExprKind::Number(number) }), 1)))
        }
        TokenKind::Name if input.at_form(Form::Low) => {
            let (rest, name) = name(input, Form::Low, "the variable of a quantifier")?;
            Ok((rest, (Who::Name(name), 1)))
        }
        _ => input.fail(wrong_agent(input, "the variable of a quantifier, or a number", HELP)),
    }
}

/// Any number, which takes all to its right.
fn any_agent(input: Input<'_>, scope: Scope) -> ParseResult<'_, (Who, usize)> {
    let (rest, tall) = binary(input, scope, Level::Sum)?;
    Ok((rest, (Who::Agent(tall.expr), tall.height)))
}

fn wrong_agent(input: Input<'_>, what: &str, help: &str) -> Diagnostic {
    let message = format!("expected {what} behind `of`, found {}", input.found());
    Diagnostic::new(&codes::WRONG_AGENT, message, input.peek().span, format!("expected {what}")).help(help)
}

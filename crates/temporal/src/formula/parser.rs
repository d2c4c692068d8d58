//! Reading formulas from the tokens of any language.
//!
//! From tight to loose: `!`; `U R W`, from the left; `&`; `|`; `->`, from the right; `<->`. But `X F G <<o>>
//! [[o]]` take everything to their right, up to the parenthesis that closes around them: `G a -> b` is `G (a
//! -> b)`, and `F a & F b` is `F (a & F b)`.
//!
//! A language is a [`Vocabulary`] whose tokens include these signs; `X F G U R W true false` may be names or
//! reserved words of it. It reads its own atoms by [`Notation::atom`]. Reading is total and needs no stack:
//! operators and operands wait in lists (Dijkstra's shunting yard).

use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::reading::{Input, ParseResult, TokenKind, Vocabulary};
use paramcheck_text::source::Span;

use super::{Binary, Formula, Modality, Unary};

/// How deep a formula may be nested.
pub const MAX_DEPTH: usize = 200;

/// What a language has to say about formulas in it.
pub trait Notation {
    /// The language of the tokens.
    type Language: Vocabulary;

    /// Its atoms.
    type Atom;

    /// The code of the diagnostic about formulas that are nested too deep.
    const TOO_DEEP: Code;
    /// The code of the diagnostic about operators in another spelling.
    const WRONG_OPERATOR: Code;

    /// Reads an atom. It ends before `& | -> <-> U R W`, a `)` that it did not open, and whatever ends the
    /// formula.
    ///
    /// # Errors
    /// What was expected where there is no atom.
    fn atom(input: Input<'_, Self::Language>) -> ParseResult<'_, Self::Language, Self::Atom>;

    /// Reads what stands between `<<` and `>>`, or `[[` and `]]`.
    ///
    /// # Errors
    /// What was expected where there is no observation.
    fn observation(input: Input<'_, Self::Language>) -> ParseResult<'_, Self::Language, Self::Atom> {
        Self::atom(input)
    }

    /// Whether an atom begins with the parenthesis that comes next, and not a formula.
    fn begins_atom(_input: Input<'_, Self::Language>) -> bool {
        false
    }
}

/// An operator between two formulas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Iff,
    Implies,
    Or,
    And,
    Temporal(Binary),
}

impl Infix {
    /// How tightly it binds.
    fn level(self) -> usize {
        match self {
            Infix::Iff => 0,
            Infix::Implies => 1,
            Infix::Or => 2,
            Infix::And => 3,
            Infix::Temporal(_) => 4,
        }
    }
}

/// What waits for the operand to its right.
enum Waiting<A> {
    Open(Span),
    Not,
    Unary(Unary),
    Observation(Modality, A),
    Infix(Infix),
}

/// A formula that was read, how deep it is, and whether it is a list that may be continued.
struct Operand<A> {
    formula: Formula<A>,
    depth: usize,
    is_open: bool,
}

impl<A> Operand<A> {
    fn new(formula: Formula<A>, depth: usize) -> Self {
        Operand { formula, depth, is_open: false }
    }
}

/// What was read so far.
struct Stack<A> {
    waiting: Vec<Waiting<A>>,
    operands: Vec<Operand<A>>,
    /// The depth of the deepest operand.
    deepest: usize,
}

/// Reads a formula, up to where none goes on.
///
/// # Errors
/// What was expected, or that the formula is nested too deep.
pub fn formula<N: Notation>(
    mut input: Input<'_, N::Language>,
) -> ParseResult<'_, N::Language, Formula<N::Atom>> {
    let mut stack = Stack { waiting: Vec::new(), operands: Vec::new(), deepest: 0 };
    loop {
        if stack.waiting.len().max(stack.deepest) > MAX_DEPTH {
            return input.fail(
                Diagnostic::new(N::TOO_DEEP, "a formula is nested too deep", input.peek().span, "")
                    .help(format!("at most {MAX_DEPTH} operators may wait for what they apply to")),
            );
        }
        // An operand, or what stands before it.
        let span = input.peek().span;
        match input.word() {
            "(" if !N::begins_atom(input) => stack.waiting.push(Waiting::Open(span)),
            "!" => stack.waiting.push(Waiting::Not),
            "X" => stack.waiting.push(Waiting::Unary(Unary::Next)),
            "F" => stack.waiting.push(Waiting::Unary(Unary::Finally)),
            "G" => stack.waiting.push(Waiting::Unary(Unary::Globally)),
            "<<" | "<" | "[[" | "[" if opening(input).is_some() => {
                let Some((modality, inside)) = opening(input) else { return input.expected("a formula") };
                let (rest, observation) = N::observation(inside)?;
                let [_, close] = modality.brackets();
                let Some(last) = twice(rest, close) else {
                    return rest.fail(
                        Diagnostic::new(
                            <N::Language as Vocabulary>::CODES.unclosed_bracket,
                            format!("missing `{close}` before {}", rest.found()),
                            rest.gap(),
                            format!("expected `{close}`"),
                        )
                        .label(span, "to close this"),
                    );
                };
                stack.waiting.push(Waiting::Observation(modality, observation));
                input = last;
            }
            word => {
                let (rest, formula) = match word {
                    "true" => (input.advance(), Formula::True),
                    "false" => (input.advance(), Formula::False),
                    _ if is_run_together(input) => {
                        let apart = word.chars().map(String::from).collect::<Vec<_>>().join(" ");
                        return input.fail(Diagnostic::new(
                            N::WRONG_OPERATOR,
                            format!("`{word}` is written `{apart}`"),
                            span,
                            format!("expected `{apart}`"),
                        ));
                    }
                    _ => {
                        let (rest, atom) = N::atom(input)?;
                        (rest, Formula::Atom(atom))
                    }
                };
                stack.operands.push(Operand::new(formula, 0));
                stack.negate();
                input = rest;
                while input.word() == ")" && stack.close() {
                    input = input.advance();
                }
                let Some((rest, infix)) = infix::<N>(input) else {
                    let open = stack.waiting.iter().rev().find_map(|waiting| match waiting {
                        Waiting::Open(span) => Some(*span),
                        _ => None,
                    });
                    return match open {
                        None => stack
                            .finish()
                            .map_or_else(|| input.expected("a formula"), |formula| Ok((input, formula))),
                        Some(open) => input.fail(
                            Diagnostic::new(
                                <N::Language as Vocabulary>::CODES.unclosed_bracket,
                                format!("missing `)` before {}", input.found()),
                                input.gap(),
                                "expected `)`",
                            )
                            .label(open, "to close this"),
                        ),
                    };
                };
                stack.infix(infix);
                input = rest;
                continue;
            }
        }
        input = input.advance();
    }
}

/// The brackets that open an observation, and the input behind them.
fn opening<V: Vocabulary>(input: Input<'_, V>) -> Option<(Modality, Input<'_, V>)> {
    [Modality::Diamond, Modality::Box].into_iter().find_map(|modality| {
        let last = twice(input, modality.brackets()[0])?;
        Some((modality, last.advance()))
    })
}

/// A sign of two equal letters that comes next: one token, or two side by side. The input at its last token.
fn twice<'a, V: Vocabulary>(input: Input<'a, V>, sign: &str) -> Option<Input<'a, V>> {
    if input.word() == sign {
        return Some(input);
    }
    let rest = input.advance();
    let is_half = |word: &str| word.len() == 1 && sign.starts_with(word);
    (is_half(input.word()) && is_followed(input, rest.word()) && is_half(rest.word())).then_some(rest)
}

/// Whether operators stand here without blanks between, as in `GF did a`.
fn is_run_together<V: Vocabulary>(input: Input<'_, V>) -> bool {
    let word = input.word();
    let is_operators = word.len() > 1 && word.chars().all(|letter| "XFG".contains(letter));
    let next = input.advance();
    let is_operand =
        matches!(next.kind(), TokenKind::Name | TokenKind::Keyword(_)) && !is_infix_word(next.word());
    is_operators && (is_operand || ["(", "!", "#"].contains(&next.word()))
}

/// Whether a word stands between formulas.
fn is_infix_word(word: &str) -> bool {
    ["U", "R", "W", "and", "or", "implies", "iff"].contains(&word)
}

/// Whether this token comes next, with nothing between.
fn is_followed<V: Vocabulary>(input: Input<'_, V>, word: &str) -> bool {
    let rest = input.advance();
    rest.word() == word && input.peek().span.end == rest.peek().span.start
}

/// The operator that comes next, and what is behind it. Another spelling of one is reported.
fn infix<N: Notation>(input: Input<'_, N::Language>) -> Option<(Input<'_, N::Language>, Infix)> {
    // A language may have tokens that it is made of.
    if input.word() == "<-" && is_followed(input, ">") {
        return Some((input.advance().advance(), Infix::Iff));
    }
    let (found, right) = match input.word() {
        _ if matches!(input.kind(), TokenKind::End | TokenKind::Number) => return None,
        "U" => (Infix::Temporal(Binary::Until), None),
        "R" => (Infix::Temporal(Binary::Release), None),
        "W" => (Infix::Temporal(Binary::WeakUntil), None),
        "&" => (Infix::And, None),
        "|" => (Infix::Or, None),
        "->" => (Infix::Implies, None),
        "<->" => (Infix::Iff, None),
        "&&" | "and" => (Infix::And, Some("&")),
        "||" | "or" => (Infix::Or, Some("|")),
        "=>" | "implies" => (Infix::Implies, Some("->")),
        "<=>" | "iff" => (Infix::Iff, Some("<->")),
        _ => return None,
    };
    if let Some(right) = right {
        input.report(Diagnostic::new(
            N::WRONG_OPERATOR,
            format!("{} is written `{right}`", input.found()),
            input.peek().span,
            format!("expected `{right}`"),
        ));
    }
    Some((input.advance(), found))
}

impl<A> Stack<A> {
    fn push(&mut self, operand: Operand<A>) {
        self.deepest = self.deepest.max(operand.depth);
        self.operands.push(operand);
    }

    /// Applies the negations that stand right before the last operand.
    fn negate(&mut self) {
        while matches!(self.waiting.last(), Some(Waiting::Not)) {
            self.reduce();
        }
    }

    /// An operator stands behind the last operand: those before it that bind tighter get it.
    fn infix(&mut self, infix: Infix) {
        while let Some(Waiting::Infix(before)) = self.waiting.last() {
            if before.level() < infix.level() || *before == infix && infix == Infix::Implies {
                break;
            }
            self.reduce();
        }
        self.waiting.push(Waiting::Infix(infix));
    }

    /// A `)`: whether it has a partner.
    fn close(&mut self) -> bool {
        if !self.waiting.iter().any(|waiting| matches!(waiting, Waiting::Open(_))) {
            return false;
        }
        while !matches!(self.waiting.last(), Some(Waiting::Open(_))) {
            self.reduce();
        }
        self.waiting.pop();
        if let Some(operand) = self.operands.last_mut() {
            operand.is_open = false;
        }
        self.negate();
        true
    }

    fn finish(mut self) -> Option<Formula<A>> {
        while !self.waiting.is_empty() {
            self.reduce();
        }
        self.operands.pop().map(|operand| operand.formula)
    }

    /// Applies the last operator that waits. There are as many operands as it takes.
    fn reduce(&mut self) {
        let (Some(operator), Some(right)) = (self.waiting.pop(), self.operands.pop()) else { return };
        let depth = right.depth + 1;
        let infix = match operator {
            Waiting::Open(_) => return self.push(right),
            Waiting::Not => return self.push(Operand::new(right.formula.negated(), depth)),
            Waiting::Unary(unary) => {
                let formula = Formula::Unary(unary, Box::new(right.formula));
                return self.push(Operand::new(formula, depth));
            }
            Waiting::Observation(modality, observation) => {
                let formula = Formula::Observation(modality, observation, Box::new(right.formula));
                return self.push(Operand::new(formula, depth));
            }
            Waiting::Infix(infix) => infix,
        };
        let Some(left) = self.operands.pop() else { return self.push(right) };
        // A list that is continued does not become deeper.
        let is_continued = left.is_open && left.formula.is_list_of(infix);
        let depth = depth.max(left.depth + usize::from(!is_continued));
        let left = left.formula;
        let (formula, is_open) = match infix {
            Infix::And => (Formula::And(listed(left, right.formula, is_continued)), true),
            Infix::Or => (Formula::Or(listed(left, right.formula, is_continued)), true),
            Infix::Implies => (Formula::Implies(Box::new(left), Box::new(right.formula)), false),
            Infix::Iff => (Formula::Iff(Box::new(left), Box::new(right.formula)), false),
            Infix::Temporal(binary) => {
                (Formula::Binary(binary, Box::new(left), Box::new(right.formula)), false)
            }
        };
        self.push(Operand { formula, depth, is_open });
    }
}

impl<A> Formula<A> {
    /// Whether it is a list that this operator makes.
    fn is_list_of(&self, infix: Infix) -> bool {
        matches!((self, infix), (Formula::And(_), Infix::And) | (Formula::Or(_), Infix::Or))
    }
}

/// The operands of a conjunction or disjunction: those of the left one, if it is continued, and one more.
fn listed<A>(left: Formula<A>, right: Formula<A>, is_continued: bool) -> Vec<Formula<A>> {
    match left {
        Formula::And(mut parts) | Formula::Or(mut parts) if is_continued => {
            parts.push(right);
            parts
        }
        left => vec![left, right],
    }
}

//! Expressions: names resolved, guards inlined, types checked.
//!
//! Model, states and messages have one grammar and different atoms; a [`Scope`] says which. What is wrong is
//! reported once, where it stands; whatever contains it has no value and says nothing.

use rustc_hash::FxHashMap;

use super::names::Names;
use super::{Context, MAX_NODES};
use crate::ast::{Expr, ExprKind, Level, Operator, Word};
use crate::model::{Arithmetic, BROADCAST, Comparison, System, Term, Type};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How high a term may be.
const MAX_HEIGHT: usize = 250;

/// A term, its type and its height.
#[derive(Clone, Debug)]
pub(super) struct Value<A> {
    pub(super) term: Term<A>,
    pub(super) ty: Type,
    pub(super) height: usize,
}

impl<A> Value<A> {
    pub(super) fn new(term: Term<A>, ty: Type) -> Value<A> {
        Value { term, ty, height: 1 }
    }

    pub(super) fn atom(atom: A, ty: Type) -> Value<A> {
        Value::new(Term::Atom(atom), ty)
    }
}

/// What names mean where an expression stands. What has no meaning there is reported by it.
pub(super) trait Scope {
    /// What values depend on.
    type Atom: Copy;

    /// A name that is no parameter of a guard; `is_inlined` in the body of a guard.
    fn name(
        &self,
        context: &mut Context<'_>,
        name: &str,
        span: Span,
        is_inlined: bool,
    ) -> Option<Value<Self::Atom>>;
    /// `@name`
    fn property(&self, context: &mut Context<'_>, name: &str, span: Span) -> Option<Value<Self::Atom>>;
    /// A word.
    fn word(&self, context: &mut Context<'_>, word: Word, span: Span) -> Option<Value<Self::Atom>>;
    /// `of-field`
    fn qualified(&self, context: &mut Context<'_>, of: &Ident, field: &Ident) -> Option<Value<Self::Atom>>;
    /// `of-automaton-state`
    fn place(&self, context: &mut Context<'_>, of: &Ident) -> Option<Value<Self::Atom>>;
    /// What is no value: temporal operators and the like.
    fn other(&self, context: &mut Context<'_>, expr: &Expr);
}

/// The arguments of the guard that is inlined, by parameter.
type Arguments<'f, A> = FxHashMap<&'f str, Value<A>>;

/// Makes values in a scope.
pub(super) struct Maker<'a, 'f, S: Scope> {
    pub(super) names: &'a Names<'f>,
    pub(super) system: &'a System,
    pub(super) scope: &'a S,
}

impl<'f, S: Scope> Maker<'_, 'f, S> {
    /// The value of an expression, of whatever type.
    pub(super) fn any(&self, context: &mut Context<'_>, expr: &Expr) -> Option<Value<S::Atom>> {
        self.value(context, expr, None)
    }

    /// The value of an expression, which must be of this type.
    pub(super) fn of(&self, context: &mut Context<'_>, expr: &Expr, ty: Type) -> Option<Term<S::Atom>> {
        let value = self.value(context, expr, None)?;
        self.check(context, value, ty, expr.span).map(|value| value.term)
    }

    /// The value of a condition.
    pub(super) fn condition(&self, context: &mut Context<'_>, expr: &Expr) -> Option<Term<S::Atom>> {
        self.of(context, expr, Type::Bool)
    }

    /// Looks at the body of a guard.
    pub(super) fn body(&self, context: &mut Context<'_>, body: &Expr, arguments: &Arguments<'_, S::Atom>) {
        if let Some(value) = self.value(context, body, Some(arguments)) {
            self.check(context, value, Type::Bool, body.span);
        }
    }

    fn check(
        &self,
        context: &mut Context<'_>,
        value: Value<S::Atom>,
        ty: Type,
        span: Span,
    ) -> Option<Value<S::Atom>> {
        if value.ty.fits(ty) {
            return Some(value);
        }
        let (wanted, is) = (type_name(self.system, ty), type_name(self.system, value.ty));
        let message = format!("expected {wanted}, found {is}");
        context.report(Diagnostic::new(&codes::WRONG_TYPE, message, span, format!("this is {is}")));
        None
    }

    fn value(
        &self,
        context: &mut Context<'_>,
        expr: &Expr,
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        context.nodes += 1;
        if context.nodes > MAX_NODES {
            return too_large(context, expr.span);
        }
        let value = match &expr.kind {
            ExprKind::Truth(truth) => Value::new(Term::Constant(i64::from(*truth)), Type::Bool),
            ExprKind::Number(number) => Value::new(Term::Constant(*number), Type::Range(*number, *number)),
            ExprKind::Name(name) => match arguments.and_then(|arguments| arguments.get(name.as_str())) {
                Some(argument) => argument.clone(),
                None => self.scope.name(context, name, expr.span, arguments.is_some())?,
            },
            ExprKind::Property(name) => self.scope.property(context, name, expr.span)?,
            ExprKind::Word(Word::Star) => Value::new(Term::Constant(BROADCAST), Type::Channel),
            ExprKind::Word(word) => self.scope.word(context, *word, expr.span)?,
            ExprKind::Qualified(of, field) => self.scope.qualified(context, of, field)?,
            ExprKind::Place(of) => self.scope.place(context, of)?,
            ExprKind::Call(guard, actual) => self.call(context, guard, actual, expr.span, arguments)?,
            ExprKind::Not(inner) => self.negation(context, inner, arguments)?,
            ExprKind::Negative(inner) => self.negative(context, inner, arguments)?,
            ExprKind::Chain(first, rest) => self.chain(context, expr, first, rest, arguments)?,
            ExprKind::Parenthesised(inner) => self.value(context, inner, arguments)?,
            ExprKind::Temporal(..)
            | ExprKind::Observed { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Addressed { .. } => {
                self.scope.other(context, expr);
                return None;
            }
        };
        if value.height > MAX_HEIGHT {
            return too_large(context, expr.span);
        }
        Some(value)
    }

    fn negation(
        &self,
        context: &mut Context<'_>,
        inner: &Expr,
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        let value = self.value(context, inner, arguments)?;
        let Value { term, height, .. } = self.check(context, value, Type::Bool, inner.span)?;
        Some(Value { term: Term::Not(Box::new(term)), ty: Type::Bool, height: height + 1 })
    }

    fn negative(
        &self,
        context: &mut Context<'_>,
        inner: &Expr,
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        let value = self.value(context, inner, arguments)?;
        let Value { term, height, .. } = self.check(context, value, Type::Int, inner.span)?;
        Some(Value { term: Term::Negative(Box::new(term)), ty: Type::Int, height: height + 1 })
    }

    fn chain(
        &self,
        context: &mut Context<'_>,
        expr: &Expr,
        first: &Expr,
        rest: &[(Operator, Expr)],
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        let (operator, second) = rest.first()?;
        match operator.level() {
            Level::Until => {
                self.scope.other(context, expr);
                None
            }
            Level::Comparison => self.comparison(context, *operator, first, second, arguments),
            level => {
                let ty = if matches!(level, Level::Sum | Level::Product) { Type::Int } else { Type::Bool };
                let mut values = Vec::with_capacity(rest.len() + 1);
                let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
                for operand in operands {
                    let value = self.value(context, operand, arguments);
                    values.push(value.and_then(|value| self.check(context, value, ty, operand.span)));
                }
                let values: Option<Vec<Value<S::Atom>>> = values.into_iter().collect();
                Some(folded(level, values?, rest, ty))
            }
        }
    }

    fn comparison(
        &self,
        context: &mut Context<'_>,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        let values = [left, right].map(|side| self.value(context, side, arguments));
        let [Some(one), Some(other)] = values else { return None };
        let comparison = comparison(operator)?;
        let span = left.span.to(right.span);
        let is_ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if !one.ty.fits(other.ty) || is_ordered && !one.ty.is_number() {
            let names = [one.ty, other.ty].map(|ty| type_name(self.system, ty));
            let (message, help) = match one.ty.fits(other.ty) {
                true => {
                    let message = format!("`{}` compares numbers, not {}", operator.spelling(), names[0]);
                    (message, "only `=` and `!=` compare all types")
                }
                false => (
                    format!("{} is compared with {}", names[0], names[1]),
                    "values of different types are never equal",
                ),
            };
            let [left_label, right_label] = names.map(|name| format!("this is {name}"));
            context.report(
                Diagnostic::new(&codes::WRONG_TYPE, message, span, "")
                    .label(left.span, left_label)
                    .label(right.span, right_label)
                    .help(help),
            );
            return None;
        }
        let height = one.height.max(other.height) + 1;
        let term = Term::Compare(comparison, Box::new(one.term), Box::new(other.term));
        Some(Value { term, ty: Type::Bool, height })
    }

    /// Inlines a guard.
    fn call(
        &self,
        context: &mut Context<'_>,
        name: &Ident,
        actual: &[Expr],
        span: Span,
        arguments: Option<&Arguments<'_, S::Atom>>,
    ) -> Option<Value<S::Atom>> {
        let Some(super::names::Global::Guard(id)) = self.names.global(&name.text) else {
            unknown_guard(context, self.names, name);
            return None;
        };
        let guard = self.names.guards.get(id)?;
        let parameters = &guard.tree.parameters;
        if context.guards.contains(&id) {
            let message = format!("the guard `{}` is defined by itself", name.text);
            context.report(Diagnostic::new(&codes::CYCLIC_GUARD, message, name.span, "here again"));
            return None;
        }
        if parameters.len() != actual.len() {
            let message =
                format!("`{}` has {} parameters, not {}", name.text, parameters.len(), actual.len());
            context.report(
                Diagnostic::new(&codes::WRONG_NUMBER, message, span, "")
                    .label(guard.tree.name.span, "it is defined here"),
            );
            return None;
        }
        let mut inner = Arguments::default();
        let mut is_sound = true;
        for ((parameter, ty), expr) in parameters.iter().zip(&guard.types).zip(actual) {
            let value = self.value(context, expr, arguments);
            match value.and_then(|value| self.check(context, value, *ty, expr.span)) {
                Some(value) => drop(inner.insert(parameter.name.text.as_str(), value)),
                None => is_sound = false,
            }
        }
        if !is_sound {
            return None;
        }
        context.guards.push(id);
        let value = self.value(context, &guard.tree.body, Some(&inner));
        context.guards.pop();
        let mut value = value?;
        value.height += 1;
        Some(value)
    }
}

/// Operands of one strength as one term.
fn folded<A>(level: Level, values: Vec<Value<A>>, rest: &[(Operator, Expr)], ty: Type) -> Value<A> {
    let highest = values.iter().map(|value| value.height).max().unwrap_or(0);
    let count = values.len();
    let mut terms = values.into_iter().map(|value| value.term);
    let nested = highest + count;
    let (term, height) = match level {
        Level::And => (Term::All(terms.collect()), highest + 1),
        Level::Or => (Term::Any(terms.collect()), highest + 1),
        Level::Iff => (leaning(terms, rest, |_, left, right| Term::Iff(left, right)), nested),
        Level::Implies => {
            let last = terms.next_back().unwrap_or(Term::Constant(1));
            let join = |right, left| Term::Implies(Box::new(left), Box::new(right));
            (terms.rfold(last, join), nested)
        }
        _ => {
            let join = |operator, left, right| Term::Compute(arithmetic(operator), left, right);
            (leaning(terms, rest, join), nested)
        }
    };
    Value { term, ty, height }
}

/// Terms joined from the left.
fn leaning<A>(
    mut terms: impl Iterator<Item = Term<A>>,
    rest: &[(Operator, Expr)],
    join: impl Fn(Operator, Box<Term<A>>, Box<Term<A>>) -> Term<A>,
) -> Term<A> {
    let first = terms.next().unwrap_or(Term::Constant(0));
    rest.iter()
        .zip(terms)
        .fold(first, |left, ((operator, _), right)| join(*operator, Box::new(left), Box::new(right)))
}

fn arithmetic(operator: Operator) -> Arithmetic {
    match operator {
        Operator::Subtract => Arithmetic::Subtract,
        Operator::Multiply => Arithmetic::Multiply,
        Operator::Divide => Arithmetic::Divide,
        _ => Arithmetic::Add,
    }
}

fn comparison(operator: Operator) -> Option<Comparison> {
    Some(match operator {
        Operator::Equal => Comparison::Equal,
        Operator::NotEqual => Comparison::NotEqual,
        Operator::Less => Comparison::Less,
        Operator::AtMost => Comparison::AtMost,
        Operator::Greater => Comparison::Greater,
        Operator::AtLeast => Comparison::AtLeast,
        _ => return None,
    })
}

fn too_large<T>(context: &mut Context<'_>, span: Span) -> Option<T> {
    let message = "too large once guards are inlined and quantifiers expanded";
    if !context.diagnostics.iter().any(|one| one.code == &codes::TOO_LARGE) {
        let help = format!("at most {MAX_NODES} nodes, at most {MAX_HEIGHT} within one another");
        context.report(Diagnostic::new(&codes::TOO_LARGE, message, span, "").help(help));
    }
    None
}

fn unknown_guard(context: &mut Context<'_>, names: &Names<'_>, name: &Ident) {
    let message = format!("there is no guard `{}`", name.text);
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_GUARD, message, name.span, "unknown");
    let guards = names.guards.iter().map(|guard| guard.tree.name.text.as_str());
    let near = paramcheck_text::nearest::nearest(&name.text, guards);
    context.report(match (near, names.global(&name.text)) {
        (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
        (None, Some(global)) => diagnostic.help(format!("`{}` is {}", name.text, global.what())),
        (None, None) => diagnostic,
    });
}

/// How to speak of a type.
pub(super) fn type_name(system: &System, ty: Type) -> String {
    match ty {
        Type::Bool => "a condition".to_owned(),
        Type::Int | Type::Range(..) => "a number".to_owned(),
        Type::Enum(id) => format!("a value of `{}`", system.enums[id].name),
        Type::Channel => "a channel".to_owned(),
        Type::Location => "a location".to_owned(),
    }
}

//! Guards and assignments for Spin and NuSMV: integers of 32 bits, and conditions apart from numbers.

use crate::expression::{DefinitionId, Expression, Operator, VariableId};
use crate::triple::{CounterId, LocationId};

/// How a language writes expressions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    /// Conjunction and disjunction, with spaces.
    pub(super) connectives: [&'static str; 2],
    /// False and true.
    pub(super) constants: [&'static str; 2],
    /// Equality.
    pub(super) equal: &'static str,
    /// The remainder.
    pub(super) remainder: &'static str,
    /// What stands between a condition and the value where it holds.
    pub(super) then: &'static str,
    /// Whether expressions are computed even where a condition beside them shows that they have no value.
    pub(super) is_total: bool,
}

impl Syntax {
    /// All of these; each must hold together beside connectives.
    pub(super) fn all(&self, parts: &[impl AsRef<str>]) -> String {
        self.joined(0, parts)
    }

    /// One of these; each must hold together beside connectives.
    pub(super) fn any(&self, parts: &[impl AsRef<str>]) -> String {
        self.joined(1, parts)
    }

    fn joined(&self, connective: usize, parts: &[impl AsRef<str>]) -> String {
        // All of none is true, one of none false; and one false part decides the first, a true one the
        // second.
        let (neutral, decisive) = (self.constants[1 - connective], self.constants[connective]);
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|part| *part != neutral).collect();
        match parts.as_slice() {
            [] => neutral.to_owned(),
            parts if parts.contains(&decisive) => decisive.to_owned(),
            parts => parts.join(self.connectives[connective]),
        }
    }
}

/// What expressions refer to by name.
pub(super) trait Named {
    /// A variable.
    fn variable(&self, variable: VariableId) -> String;
    /// An array, where the language has them; elsewhere an element is found by cases.
    fn array(&self, array: usize) -> Option<String>;
    /// The variables of an array.
    fn elements(&self, array: usize) -> Vec<VariableId>;
    /// That a counter is at one of these locations; holds together in any place.
    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String;
    /// What stands for a definition; holds together in any place.
    fn definition(&self, definition: DefinitionId) -> String;
}

/// Writes expressions over what has these names.
#[derive(Clone, Copy)]
pub(super) struct Expressions<'a> {
    pub(super) names: &'a dyn Named,
    pub(super) syntax: Syntax,
}

impl Expressions<'_> {
    /// The value as a number; holds together in any place. Means what it should only where it is
    /// [defined](Self::defined).
    pub(super) fn number(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) if *number < 0 => format!("({number})"),
            Expression::Constant(number) => number.to_string(),
            Expression::Variable(variable) => self.names.variable(*variable),
            Expression::Known(inner, ..) => self.number(inner),
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let (then, otherwise) = (self.number(then), self.number(otherwise));
                format!("({}{}{then} : {otherwise})", self.condition(condition), self.syntax.then)
            }
            Expression::Element(array, index) => self.element(*array, index),
            Expression::Defined(definition) => self.names.definition(*definition),
            Expression::Negate(inner) => format!("(-{})", self.number(inner)),
            Expression::Binary(operator, left, right) if !operator.is_condition() => {
                let (left, mut divisor) = (self.number(left), self.number(right));
                let divides = matches!(operator, Operator::Divide | Operator::Remainder);
                if divides && self.syntax.is_total {
                    divisor = format!("({divisor} != 0{}{divisor} : 1)", self.syntax.then);
                }
                let sign = match operator {
                    Operator::Remainder => self.syntax.remainder,
                    other => other.symbol(),
                };
                format!("({left} {sign} {divisor})")
            }
            Expression::Not(_) | Expression::Binary(..) | Expression::At(..) | Expression::Truth(_) => {
                format!("({}{}1 : 0)", self.condition(expression), self.syntax.then)
            }
        }
    }

    /// An element of an array: by its index, or by cases.
    fn element(&self, array: usize, index: &Expression) -> String {
        let index = self.number(index);
        if let Some(name) = self.names.array(array) {
            return format!("{name}[{index}]");
        }
        let elements = self.names.elements(array);
        let names = elements.iter().map(|variable| self.names.variable(*variable));
        let mut names = names.enumerate().collect::<Vec<_>>().into_iter().rev();
        let last = names.next().map_or_else(|| "0".to_owned(), |(_, name)| name);
        names.fold(last, |rest, (position, name)| {
            format!("({index} {} {position}{}{name} : {rest})", self.syntax.equal, self.syntax.then)
        })
    }

    /// Whether the value is not 0; holds together in any place.
    pub(super) fn condition(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => self.syntax.constants[usize::from(*number != 0)].to_owned(),
            Expression::Not(inner) => format!("!({})", self.condition(inner)),
            Expression::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                let sign = self.syntax.connectives[usize::from(*operator == Operator::Or)];
                format!("({}{sign}{})", self.condition(left), self.condition(right))
            }
            Expression::Binary(operator, left, right) if operator.is_condition() => {
                let sign = match operator {
                    Operator::Equal => self.syntax.equal,
                    other => other.symbol(),
                };
                format!("({} {sign} {})", self.number(left), self.number(right))
            }
            Expression::At(counter, locations) => self.names.at(*counter, locations),
            Expression::Truth(definition) => self.names.definition(*definition),
            Expression::Known(inner, ..) => self.condition(inner),
            Expression::If(parts) if expression.is_condition() => {
                let [condition, then, otherwise] = parts.as_ref().each_ref().map(|part| self.condition(part));
                let [and, or] = self.syntax.connectives;
                match (&parts[1], &parts[2]) {
                    (_, Expression::Constant(0)) => format!("({condition}{and}{then})"),
                    _ => format!("(({condition}{and}{then}){or}(!({condition}){and}{otherwise}))"),
                }
            }
            Expression::Variable(_)
            | Expression::Negate(_)
            | Expression::Binary(..)
            | Expression::If(_)
            | Expression::Element(..)
            | Expression::Defined(_) => {
                format!("({} != 0)", self.number(expression))
            }
        }
    }

    /// Whether there is a value; `None` if always. (Numbers stay in bounds: only division needs a check.)
    pub(super) fn defined(&self, expression: &Expression) -> Option<String> {
        defined(expression, self.syntax.connectives, &|part| self.condition(part))
    }
}

/// Whether an expression has a value; `None` if always. (That an element is in its array, and a definition
/// has a value, is for who makes expressions with these to see to.) Conjunction and disjunction are written
/// as `connectives`; `condition` writes that a part is not 0.
pub(super) fn defined(
    expression: &Expression,
    connectives: [&str; 2],
    condition: &impl Fn(&Expression) -> String,
) -> Option<String> {
    let [and, or] = connectives;
    let both = |left: Option<String>, right: Option<String>| match (left, right) {
        (Some(left), Some(right)) => Some(format!("({left}{and}{right})")),
        (left, right) => left.or(right),
    };
    let defined = |part| defined(part, connectives, condition);
    match expression {
        Expression::Constant(_)
        | Expression::Variable(_)
        | Expression::At(..)
        | Expression::Element(..)
        | Expression::Truth(_)
        | Expression::Defined(_) => None,
        Expression::Not(inner) | Expression::Negate(inner) | Expression::Known(inner, ..) => defined(inner),
        Expression::If(parts) => {
            let [own, then, otherwise] = parts.as_ref();
            let then_part = defined(then).map(|defined| format!("(!({}){or}{defined})", condition(own)));
            let otherwise = defined(otherwise).map(|defined| format!("({}{or}{defined})", condition(own)));
            both(defined(own), both(then_part, otherwise))
        }
        Expression::Binary(operator, left, right) => {
            let right_is_defined = match operator {
                Operator::Divide | Operator::Remainder => both(defined(right), Some(condition(right))),
                Operator::And => {
                    defined(right).map(|defined| format!("(!({}){or}{defined})", condition(left)))
                }
                Operator::Or => defined(right).map(|defined| format!("({}{or}{defined})", condition(left))),
                _ => defined(right),
            };
            both(defined(left), right_is_defined)
        }
    }
}

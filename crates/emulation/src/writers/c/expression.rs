//! Guards and assignments in C, without warnings of strict compilers: what is a condition and what is a
//! number are kept apart.

use crate::expression::{Expression, Operator};
use crate::writers::bounds::Bounds;
use crate::writers::infix::{self, Named};

/// How integers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// `int`, of at least 32 bits where the program runs.
    Int,
    /// `long long`
    Long,
}

impl Width {
    /// The smaller one that has all these numbers.
    pub(super) fn of(bounds: Bounds) -> Width {
        if bounds.is_within(i32::MIN.into(), i32::MAX.into()) { Width::Int } else { Width::Long }
    }

    /// The type.
    pub(super) fn name(self) -> &'static str {
        match self {
            Width::Int => "int",
            Width::Long => "long long",
        }
    }

    /// A number. (The least one of a type has no literal.)
    pub(super) fn literal(self, number: i64) -> String {
        let suffix = if self == Width::Int { "" } else { "LL" };
        match number {
            i64::MIN => format!("(-{}LL - 1)", i64::MAX),
            _ if self == Width::Int && number == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
            _ if number < 0 => format!("({number}{suffix})"),
            _ => format!("{number}{suffix}"),
        }
    }
}

/// Writes expressions over what has these names.
pub(super) struct Expressions<'a> {
    pub(super) names: &'a dyn Named,
    pub(super) width: Width,
}

impl Expressions<'_> {
    /// The value as a number; holds together in any place. Means what it should only where it is
    /// [defined](Self::defined).
    pub(super) fn number(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => self.width.literal(*number),
            Expression::Variable(variable) => self.names.variable(*variable),
            Expression::Known(inner, ..) => self.number(inner),
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                format!(
                    "({} ? {} : {})",
                    self.condition(condition),
                    self.number(then),
                    self.number(otherwise)
                )
            }
            Expression::Element(array, index) => {
                format!("{}[{}]", self.names.array(*array).unwrap_or_default(), self.number(index))
            }
            Expression::Defined(definition) => self.names.definition(*definition),
            Expression::Negate(inner) => format!("(-{})", self.number(inner)),
            Expression::Binary(operator, left, right) if !operator.is_condition() => {
                format!("({} {} {})", self.number(left), operator.symbol(), self.number(right))
            }
            Expression::Not(_) | Expression::Binary(..) | Expression::At(..) | Expression::Truth(_) => {
                let [yes, no] = [1, 0].map(|number| self.width.literal(number));
                format!("({} ? {yes} : {no})", self.condition(expression))
            }
        }
    }

    /// Whether the value is not 0; holds together in any place.
    pub(super) fn condition(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => u8::from(*number != 0).to_string(),
            Expression::Not(inner) => format!("!{}", self.condition(inner)),
            Expression::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                format!("({} {} {})", self.condition(left), operator.symbol(), self.condition(right))
            }
            Expression::Binary(operator, left, right) if operator.is_condition() => {
                format!("({} {} {})", self.number(left), operator.symbol(), self.number(right))
            }
            Expression::At(counter, locations) => self.names.at(*counter, locations),
            Expression::Truth(definition) => self.names.definition(*definition),
            Expression::Known(inner, ..) => self.condition(inner),
            Expression::If(parts) if expression.is_condition() => {
                let [condition, then, otherwise] = parts.as_ref().each_ref().map(|part| self.condition(part));
                match &parts[2] {
                    Expression::Constant(0) => format!("({condition} && {then})"),
                    _ => format!("({condition} ? {then} : {otherwise})"),
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

    /// Whether there is a value; `None` if always. (Numbers are in bounds: only division needs a check.)
    pub(super) fn defined(&self, expression: &Expression) -> Option<String> {
        infix::defined(expression, [" && ", " || "], &|part| self.condition(part))
    }
}

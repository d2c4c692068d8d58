//! Expressions put together: what is known beforehand is computed at once.
//!
//! Conditions have the values 0 and 1; [`truth`] makes one of a number.

use crate::expression::{Expression, Operator};

pub(super) const TRUE: Expression = Expression::Constant(1);
pub(super) const FALSE: Expression = Expression::Constant(0);

pub(super) fn number(value: i64) -> Expression {
    Expression::Constant(value)
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// That a number is not 0.
pub(super) fn truth(value: Expression) -> Expression {
    match value {
        Expression::Constant(value) => number(i64::from(value != 0)),
        value if value.is_condition() => value,
        value => not(equal(value, FALSE)),
    }
}

pub(super) fn not(condition: Expression) -> Expression {
    match condition {
        Expression::Constant(value) => number(i64::from(value == 0)),
        Expression::Not(inner) if inner.is_condition() => *inner,
        condition => Expression::Not(Box::new(condition)),
    }
}

pub(super) fn and(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Constant(0), _) | (_, Expression::Constant(0)) => FALSE,
        (Expression::Constant(_), _) => right,
        (_, Expression::Constant(_)) => left,
        _ if left == right => left,
        _ => binary(Operator::And, left, right),
    }
}

pub(super) fn or(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Constant(0), _) => right,
        (_, Expression::Constant(0)) => left,
        (Expression::Constant(_), _) | (_, Expression::Constant(_)) => TRUE,
        _ if left == right => left,
        _ => binary(Operator::Or, left, right),
    }
}

pub(super) fn all(parts: impl IntoIterator<Item = Expression>) -> Expression {
    parts.into_iter().fold(TRUE, and)
}

pub(super) fn any(parts: impl IntoIterator<Item = Expression>) -> Expression {
    parts.into_iter().fold(FALSE, or)
}

/// A value by case.
pub(super) fn choose(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    match (&condition, &then, &otherwise) {
        (Expression::Constant(0), ..) => otherwise,
        (Expression::Constant(_), ..) => then,
        _ if then == otherwise => then,
        (_, Expression::Constant(1), Expression::Constant(0)) => condition,
        (_, Expression::Constant(0), Expression::Constant(1)) => not(condition),
        (_, _, Expression::Constant(0)) if then.is_condition() => and(condition, then),
        _ => Expression::If(Box::new([condition, then, otherwise])),
    }
}

pub(super) fn equal(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Constant(left), Expression::Constant(right)) => number(i64::from(left == right)),
        _ if left == right => TRUE,
        _ => binary(Operator::Equal, left, right),
    }
}

pub(super) fn less(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Constant(left), Expression::Constant(right)) => number(i64::from(left < right)),
        _ => binary(Operator::Less, left, right),
    }
}

pub(super) fn at_most(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Constant(left), Expression::Constant(right)) => number(i64::from(left <= right)),
        _ => binary(Operator::LessOrEqual, left, right),
    }
}

/// Sums, differences, products, quotients and remainders, where they are within 64 bits.
pub(super) fn arithmetic(operator: Operator, left: Expression, right: Expression) -> Expression {
    if let (Expression::Constant(left), Expression::Constant(right)) = (&left, &right) {
        let value = match operator {
            Operator::Add => left.checked_add(*right),
            Operator::Subtract => left.checked_sub(*right),
            Operator::Multiply => left.checked_mul(*right),
            Operator::Divide => left.checked_div(*right),
            Operator::Remainder => left.checked_rem(*right),
            _ => None,
        };
        if let Some(value) = value {
            return number(value);
        }
    }
    match (operator, &left, &right) {
        (Operator::Add | Operator::Subtract, _, Expression::Constant(0)) => left,
        (Operator::Add, Expression::Constant(0), _) => right,
        (Operator::Multiply | Operator::Divide, _, Expression::Constant(1)) => left,
        (Operator::Multiply, Expression::Constant(1), _) => right,
        _ => binary(operator, left, right),
    }
}

pub(super) fn plus(left: Expression, right: Expression) -> Expression {
    arithmetic(Operator::Add, left, right)
}

pub(super) fn minus(left: Expression, right: Expression) -> Expression {
    arithmetic(Operator::Subtract, left, right)
}

/// A number of which it is known that it lies between two.
pub(super) fn known(value: Expression, least: i64, greatest: i64) -> Expression {
    match value {
        Expression::Constant(_) | Expression::Variable(_) => value,
        value if value.is_condition() => value,
        Expression::Known(inner, low, high) => Expression::Known(inner, low.max(least), high.min(greatest)),
        value => Expression::Known(Box::new(value), least, greatest),
    }
}

/// How many parts an expression has; definitions are one.
pub(super) fn size(expression: &Expression) -> usize {
    let parts: usize = match expression {
        Expression::Constant(_)
        | Expression::Variable(_)
        | Expression::At(..)
        | Expression::Defined(_)
        | Expression::Truth(_) => 0,
        Expression::Not(inner)
        | Expression::Negate(inner)
        | Expression::Element(_, inner)
        | Expression::Known(inner, ..) => size(inner),
        Expression::Binary(_, left, right) => size(left) + size(right),
        Expression::If(parts) => parts.iter().map(size).sum(),
    };
    parts + 1
}

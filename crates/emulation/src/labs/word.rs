//! Values in one machine word: numbers, undefined, and why there is no value.
//!
//! The least words are no numbers; so one comparison tells numbers from all others. What operators make of
//! words is what `paramcheck_labs::semantics::evaluate` makes of values.

use paramcheck_labs::ast::Operator;
use paramcheck_labs::number::{Fault, Width, apply};

/// No value is known.
pub(crate) const UNDEFINED: i64 = i64::MIN;
/// A number leaves its range.
pub(crate) const OVERFLOW: i64 = i64::MIN + 1;
/// A divisor is 0.
pub(crate) const ZERO_DIVISOR: i64 = i64::MIN + 2;
/// An index is outside of its array.
pub(crate) const INDEX: i64 = i64::MIN + 3;
/// There is no agent of this number.
pub(crate) const NO_AGENT: i64 = i64::MIN + 4;
/// There is nothing to choose.
pub(crate) const NO_CHOICE: i64 = i64::MIN + 5;
/// A function of the C program.
pub(crate) const FOREIGN: i64 = i64::MIN + 6;

/// The least number.
pub(crate) const LEAST: i64 = i64::MIN / 2;
/// The greatest number.
pub(crate) const GREATEST: i64 = i64::MAX / 2;

/// Whether the word is a number.
#[inline]
pub(crate) fn is_number(word: i64) -> bool {
    word >= LEAST
}

/// Whether there is no value, not even an undefined one.
#[inline]
pub(crate) fn is_halt(word: i64) -> bool {
    word < LEAST && word != UNDEFINED
}

/// Whether the word is a number other than 0.
#[inline]
pub(crate) fn is_true(word: i64) -> bool {
    is_number(word) && word != 0
}

/// The fault that a word is.
pub(crate) fn fault(word: i64) -> Option<Fault> {
    Some(match word {
        OVERFLOW => Fault::Overflow,
        ZERO_DIVISOR => Fault::ZeroDivisor,
        INDEX => Fault::Index,
        NO_AGENT => Fault::NoAgent,
        _ => return None,
    })
}

/// A fault as a word.
pub(crate) fn of_fault(fault: Fault) -> i64 {
    match fault {
        Fault::Overflow => OVERFLOW,
        Fault::ZeroDivisor => ZERO_DIVISOR,
        Fault::Index => INDEX,
        Fault::NoAgent => NO_AGENT,
    }
}

/// The number as it is in this width.
#[inline]
pub(crate) fn fit(number: i64, width: Width) -> i64 {
    let (low, high) = width.bounds();
    if low <= number && number <= high { number } else { width.fit(number).unwrap_or(OVERFLOW) }
}

/// What an operator makes of two words that have been computed; both sides of `and` and `or`.
#[inline]
pub(crate) fn operate(operator: Operator, left: i64, right: i64, width: Width) -> i64 {
    if !(is_number(left) && is_number(right)) {
        // Conditions are decided by their callers; of the others, the left halt comes first.
        return if is_halt(left) {
            left
        } else if is_halt(right) {
            right
        } else {
            UNDEFINED
        };
    }
    match operator {
        // The sum of two words that are numbers is within 64 bits.
        Operator::Add => fit(left + right, width),
        Operator::Subtract => fit(left - right, width),
        Operator::Equal => i64::from(left == right),
        Operator::NotEqual => i64::from(left != right),
        Operator::Less => i64::from(left < right),
        Operator::AtMost => i64::from(left <= right),
        Operator::Greater => i64::from(left > right),
        Operator::AtLeast => i64::from(left >= right),
        Operator::And => i64::from(left != 0 && right != 0),
        Operator::Or => i64::from(left != 0 || right != 0),
        Operator::Multiply | Operator::Divide | Operator::RoundDivide | Operator::Modulo => {
            match apply(operator, left, right) {
                Ok(number) => fit(number, width),
                Err(fault) => of_fault(fault),
            }
        }
    }
}

/// `or` of two words that are not halts.
#[inline]
pub(crate) fn or(left: i64, right: i64) -> i64 {
    if is_true(left) || is_true(right) {
        1
    } else if is_number(left) && is_number(right) {
        0
    } else {
        UNDEFINED
    }
}

/// `and` of two words that are not halts.
#[inline]
pub(crate) fn and(left: i64, right: i64) -> i64 {
    if is_number(left) && is_number(right) { i64::from(left != 0 && right != 0) } else { UNDEFINED }
}

//! The values of terms.

use crate::model::{Arithmetic, Comparison, Term};

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// It is about something that is not there, such as what a message lacks.
    Missing,
    /// It divides by zero.
    DivisionByZero,
    /// It is too large a number.
    Overflow,
    /// A property variable would have a value outside its type.
    OutOfRange,
    /// It speaks of too many values.
    TooMany,
}

impl NoValue {
    /// What is wrong.
    pub fn message(self) -> &'static str {
        match self {
            NoValue::Missing => "a value is missing",
            NoValue::DivisionByZero => "a division by zero",
            NoValue::Overflow => "a number is too large",
            NoValue::OutOfRange => "a property variable leaves its range",
            NoValue::TooMany => "property variables have too many values",
        }
    }
}

/// The value of a term whose atoms have these. Conditions are 0 or 1; of a conjunction, operands behind a
/// false one have no influence. The recursion is bounded by the height of terms.
///
/// # Errors
/// That there is none.
pub fn evaluate<A: Copy>(
    term: &Term<A>,
    atom: &mut dyn FnMut(A) -> Result<i64, NoValue>,
) -> Result<i64, NoValue> {
    Ok(match term {
        Term::Constant(value) => *value,
        Term::Atom(found) => atom(*found)?,
        Term::Not(inner) => 1 - evaluate(inner, atom)?,
        Term::Negative(inner) => evaluate(inner, atom)?.checked_neg().ok_or(NoValue::Overflow)?,
        Term::All(all) => {
            for one in all {
                if evaluate(one, atom)? == 0 {
                    return Ok(0);
                }
            }
            1
        }
        Term::Any(all) => {
            for one in all {
                if evaluate(one, atom)? != 0 {
                    return Ok(1);
                }
            }
            0
        }
        Term::Implies(left, right) => {
            if evaluate(left, atom)? == 0 {
                return Ok(1);
            }
            evaluate(right, atom)?
        }
        Term::Iff(left, right) => i64::from(evaluate(left, atom)? == evaluate(right, atom)?),
        Term::Compare(comparison, left, right) => {
            let (left, right) = (evaluate(left, atom)?, evaluate(right, atom)?);
            i64::from(match comparison {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::Less => left < right,
                Comparison::AtMost => left <= right,
                Comparison::Greater => left > right,
                Comparison::AtLeast => left >= right,
            })
        }
        Term::Compute(operation, left, right) => {
            let (left, right) = (evaluate(left, atom)?, evaluate(right, atom)?);
            let value = match operation {
                Arithmetic::Add => left.checked_add(right),
                Arithmetic::Subtract => left.checked_sub(right),
                Arithmetic::Multiply => left.checked_mul(right),
                Arithmetic::Divide if right == 0 => return Err(NoValue::DivisionByZero),
                Arithmetic::Divide => left.checked_div(right),
            };
            value.ok_or(NoValue::Overflow)?
        }
    })
}

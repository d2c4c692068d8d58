//! Arithmetic of the language: exact numbers, and what leaves them.
//!
//! In: two numbers and an operator. Out: a number, or the fault. Whether a result fits the numbers of a run
//! is for who knows their width ([`Width`]).

use crate::ast::Operator;

/// Why a run leaves the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A number leaves its range.
    Overflow,
    /// A divisor is 0.
    ZeroDivisor,
    /// An index is outside of its array.
    Index,
    /// There is no agent of this number.
    NoAgent,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Fault::Overflow => "a number leaves its range",
            Fault::ZeroDivisor => "a divisor is 0",
            Fault::Index => "an index is outside of its array",
            Fault::NoAgent => "there is no agent of this number",
        })
    }
}

/// How wide numbers are: signed, in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    bits: u32,
    wraps: bool,
}

impl Default for Width {
    fn default() -> Self {
        Width { bits: 16, wraps: false }
    }
}

impl Width {
    /// Numbers of 8, 16 or 32 bits; others are not there.
    pub fn new(bits: u32) -> Option<Width> {
        matches!(bits, 8 | 16 | 32).then_some(Width { bits, wraps: false })
    }

    /// Numbers that wrap around instead of leaving their range.
    #[must_use]
    pub fn wrapping(self) -> Width {
        Width { wraps: true, ..self }
    }

    /// How many bits a number has.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Whether numbers wrap around.
    pub fn wraps(self) -> bool {
        self.wraps
    }

    /// The smallest and the greatest number.
    pub fn bounds(self) -> (i64, i64) {
        let half = 1i64 << (self.bits - 1);
        (-half, half - 1)
    }

    /// Whether the number leaves the range.
    pub(crate) fn bounds_exclude(self, number: i64) -> bool {
        let (low, high) = self.bounds();
        !(low..=high).contains(&number)
    }

    /// The number as it is in this width.
    ///
    /// # Errors
    /// It leaves the range, unless numbers wrap around.
    pub fn fit(self, number: i64) -> Result<i64, Fault> {
        if !self.bounds_exclude(number) {
            return Ok(number);
        }
        let (low, _) = self.bounds();
        let span = 1i64 << self.bits;
        if self.wraps { Ok((number - low).rem_euclid(span) + low) } else { Err(Fault::Overflow) }
    }
}

/// What an operator makes of two numbers; truth is 0 or 1.
///
/// # Errors
/// The fault of arithmetic: a zero divisor, or a result beyond 64 bits.
pub fn apply(operator: Operator, left: i64, right: i64) -> Result<i64, Fault> {
    let number = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide | Operator::RoundDivide | Operator::Modulo if right == 0 => {
            return Err(Fault::ZeroDivisor);
        }
        Operator::Divide => left.checked_div(right),
        Operator::RoundDivide => rounded(left, right),
        Operator::Modulo => left.checked_rem_euclid(right),
        Operator::Equal => Some(i64::from(left == right)),
        Operator::NotEqual => Some(i64::from(left != right)),
        Operator::Less => Some(i64::from(left < right)),
        Operator::AtMost => Some(i64::from(left <= right)),
        Operator::Greater => Some(i64::from(left > right)),
        Operator::AtLeast => Some(i64::from(left >= right)),
        Operator::And => Some(i64::from(left != 0 && right != 0)),
        Operator::Or => Some(i64::from(left != 0 || right != 0)),
    };
    number.ok_or(Fault::Overflow)
}

/// The quotient rounded to the nearest number, halves away from zero.
fn rounded(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let rest = left.checked_rem(right)?;
    if rest.unsigned_abs() >= right.unsigned_abs() - rest.unsigned_abs() {
        quotient.checked_add(if (left < 0) == (right < 0) { 1 } else { -1 })
    } else {
        Some(quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_as_the_language_says() {
        let results = [
            (Operator::Divide, -7, 2, -3),
            (Operator::Modulo, -7, 3, 2),
            (Operator::Modulo, -6, 3, 0),
            (Operator::Modulo, -6, -4, 2),
            (Operator::RoundDivide, 7, 2, 4),
            (Operator::RoundDivide, -7, 2, -4),
            (Operator::RoundDivide, 7, -2, -4),
            (Operator::RoundDivide, 5, 4, 1),
            (Operator::RoundDivide, -5, 3, -2),
            (Operator::RoundDivide, 4, 3, 1),
        ];
        for (operator, left, right, expected) in results {
            assert_eq!(apply(operator, left, right), Ok(expected), "{left} {operator:?} {right}");
        }
        assert_eq!(apply(Operator::Modulo, 1, 0), Err(Fault::ZeroDivisor));
        assert_eq!(apply(Operator::Multiply, i64::MAX, 2), Err(Fault::Overflow));
        assert_eq!(apply(Operator::Divide, i64::MIN, -1), Err(Fault::Overflow));
    }

    #[test]
    fn numbers_leave_their_range_or_wrap_around() {
        let bytes = Width::new(8).expect("there is that");
        assert_eq!((bytes.fit(127), bytes.fit(128)), (Ok(127), Err(Fault::Overflow)));
        assert_eq!((bytes.wrapping().fit(128), bytes.wrapping().fit(-129)), (Ok(-128), Ok(127)));
    }
}

//! Guards and assignments in SMT-LIB: integers without bounds, so arithmetic is exact as it stands.

use crate::expression::{Expression, Operator};

use super::cell::integer;
use super::{Writer, all_of, any_of};

/// Division as processors do it, rounding towards zero. (SMT-LIB's leaves a remainder that is never
/// negative.)
pub(super) const DIVISION: &str = "\
(define-fun quotient ((a Int) (b Int)) Int
  (ite (= (>= a 0) (>= b 0)) (div (ite (>= a 0) a (- a)) (ite (>= b 0) b (- b)))
    (- (div (ite (>= a 0) a (- a)) (ite (>= b 0) b (- b))))))
(define-fun remains ((a Int) (b Int)) Int (- a (* b (quotient a b))))
";

impl Writer<'_> {
    /// The value as a number, where it is [defined](Self::defined).
    pub(super) fn number(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => integer(*number),
            Expression::Variable(variable) => self.variable(*variable).variables().0.concat(),
            Expression::Negate(inner) => format!("(- {})", self.number(inner)),
            Expression::Binary(operator, left, right) => {
                let word = match operator {
                    Operator::Add => "+",
                    Operator::Subtract => "-",
                    Operator::Multiply => "*",
                    Operator::Divide => "quotient",
                    Operator::Remainder => "remains",
                    _ => return format!("(ite {} 1 0)", self.truth(expression)),
                };
                format!("({word} {} {})", self.number(left), self.number(right))
            }
            Expression::Not(_) => format!("(ite {} 1 0)", self.truth(expression)),
        }
    }

    /// Whether the value is not 0.
    pub(super) fn truth(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => (*number != 0).to_string(),
            Expression::Not(inner) => format!("(not {})", self.truth(inner)),
            Expression::Binary(operator, left, right) => {
                let (word, of_numbers) = match operator {
                    Operator::And => ("and", false),
                    Operator::Or => ("or", false),
                    Operator::Equal => ("=", true),
                    Operator::Less => ("<", true),
                    Operator::LessOrEqual => ("<=", true),
                    _ => return format!("(not (= {} 0))", self.number(expression)),
                };
                let parts =
                    [left, right].map(|part| if of_numbers { self.number(part) } else { self.truth(part) });
                format!("({word} {} {})", parts[0], parts[1])
            }
            Expression::Variable(_) | Expression::Negate(_) => {
                format!("(not (= {} 0))", self.number(expression))
            }
        }
    }

    /// Whether there is a value, as a conjunction; empty if always.
    pub(super) fn defined(&self, expression: &Expression) -> Vec<String> {
        match expression {
            Expression::Constant(_) | Expression::Variable(_) => Vec::new(),
            Expression::Not(inner) | Expression::Negate(inner) => self.defined(inner),
            Expression::Binary(operator, left, right) => {
                let mut parts = self.defined(left);
                let of_right = self.defined(right);
                match operator {
                    Operator::And | Operator::Or if of_right.is_empty() => {}
                    Operator::And => {
                        parts.push(any_of(&[format!("(not {})", self.truth(left)), all_of(&of_right)]));
                    }
                    Operator::Or => parts.push(any_of(&[self.truth(left), all_of(&of_right)])),
                    Operator::Divide | Operator::Remainder => {
                        parts.extend(of_right);
                        parts.push(self.truth(right));
                    }
                    _ => parts.extend(of_right),
                }
                parts
            }
        }
    }
}

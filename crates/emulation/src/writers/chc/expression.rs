//! Guards and assignments in SMT-LIB: integers without bounds, so arithmetic is exact as it stands.

use crate::expression::{DefinitionId, Expression, Operator};
use paramcheck_text::index::Idx;

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
            Expression::Known(inner, ..) => self.number(inner),
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                format!("(ite {} {} {})", self.truth(condition), self.number(then), self.number(otherwise))
            }
            Expression::Element(array, index) => self.element(*array, index),
            Expression::Defined(definition) => Self::definition(*definition),
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
            Expression::Not(_) | Expression::At(..) | Expression::Truth(_) => {
                format!("(ite {} 1 0)", self.truth(expression))
            }
        }
    }

    /// An element of an array, by cases.
    fn element(&self, array: usize, index: &Expression) -> String {
        let index = self.number(index);
        let array = &self.program.structure.arrays[array];
        let names = array.variables().map(|variable| self.variable(variable).variables().0.concat());
        let names: Vec<String> = names.collect();
        let Some((last, others)) = names.split_last() else { return "0".to_owned() };
        others.iter().enumerate().rev().fold(last.clone(), |rest, (position, name)| {
            format!("(ite (= {index} {position}) {name} {rest})")
        })
    }

    /// What stands for a definition.
    pub(super) fn definition(definition: DefinitionId) -> String {
        format!("def{}", definition.index())
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
            Expression::At(counter, locations) => self.is_at(*counter, locations.iter().copied()),
            Expression::Truth(definition) => Self::definition(*definition),
            Expression::Known(inner, ..) => self.truth(inner),
            Expression::If(parts) if expression.is_condition() => {
                let [condition, then, otherwise] = parts.as_ref().each_ref().map(|part| self.truth(part));
                format!("(ite {condition} {then} {otherwise})")
            }
            Expression::Variable(_)
            | Expression::Negate(_)
            | Expression::If(_)
            | Expression::Element(..)
            | Expression::Defined(_) => {
                format!("(not (= {} 0))", self.number(expression))
            }
        }
    }

    /// Whether there is a value, as a conjunction; empty if always.
    pub(super) fn defined(&self, expression: &Expression) -> Vec<String> {
        match expression {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::At(..)
            | Expression::Element(..)
            | Expression::Truth(_)
            | Expression::Defined(_) => Vec::new(),
            Expression::Not(inner) | Expression::Negate(inner) | Expression::Known(inner, ..) => {
                self.defined(inner)
            }
            Expression::If(parts) => {
                let [own, then, otherwise] = parts.as_ref();
                let mut all = self.defined(own);
                for (part, word) in
                    [(then, format!("(not {})", self.truth(own))), (otherwise, self.truth(own))]
                {
                    let defined = self.defined(part);
                    if !defined.is_empty() {
                        all.push(any_of(&[word, all_of(&defined)]));
                    }
                }
                all
            }
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

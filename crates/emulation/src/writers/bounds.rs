//! Within which numbers expressions stay, by the bounds of variables alone.
//!
//! Arithmetic is exact, and targets have integers of some number of bits: what may leave 64 of them is not
//! written.

use crate::expression::{Expression, Operator};
use crate::triple::{Structure, TripleId};
use paramcheck_text::index::Idx;

use super::NotWritable;

/// A least and a greatest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: i128,
    pub(crate) greatest: i128,
}

impl Bounds {
    const BOOLEAN: Bounds = Bounds { least: 0, greatest: 1 };

    fn of(numbers: [i128; 4]) -> Bounds {
        let [a, b, c, d] = numbers;
        Bounds { least: a.min(b).min(c).min(d), greatest: a.max(b).max(c).max(d) }
    }

    /// Around both.
    fn with(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }

    /// Whether all its numbers lie within others.
    pub(crate) fn is_within(self, least: i64, greatest: i64) -> bool {
        i128::from(least) <= self.least && self.greatest <= i128::from(greatest)
    }
}

/// The numbers that occur in the structure's variables, guards and assignments, also on the way.
///
/// # Errors
/// Some triple may leave 64 bits.
pub(crate) fn bounds(structure: &Structure) -> Result<Bounds, NotWritable> {
    let mut all = Bounds::BOOLEAN;
    for variable in &structure.variables {
        all = all.with(Bounds { least: variable.least.into(), greatest: variable.greatest.into() });
    }
    for definition in &structure.definitions {
        all = all.with(of_expression(structure, &definition.value)?);
        all = all.with(Bounds { least: definition.least.into(), greatest: definition.greatest.into() });
    }
    for (id, triple) in structure.triples.enumerate() {
        let values = triple.assignments.iter().map(|assignment| &assignment.value);
        for expression in values.chain([&triple.guard]) {
            value(structure, id, expression, &mut all)?;
        }
    }
    Ok(all)
}

/// The values of an expression of a triple.
///
/// # Errors
/// It may leave 64 bits.
pub(crate) fn values(
    structure: &Structure,
    triple: TripleId,
    expression: &Expression,
) -> Result<Bounds, NotWritable> {
    value(structure, triple, expression, &mut Bounds { ..Bounds::BOOLEAN })
}

/// The numbers that occur in an expression of no triple, also on the way.
///
/// # Errors
/// It may leave 64 bits.
pub(crate) fn of_expression(structure: &Structure, expression: &Expression) -> Result<Bounds, NotWritable> {
    let mut all = Bounds { ..Bounds::BOOLEAN };
    value(structure, TripleId::new(0), expression, &mut all)?;
    Ok(all)
}

/// The values of an expression; `all` is extended by what occurs on the way.
fn value(
    structure: &Structure,
    triple: TripleId,
    expression: &Expression,
    all: &mut Bounds,
) -> Result<Bounds, NotWritable> {
    let own = match expression {
        Expression::Constant(number) => Bounds { least: (*number).into(), greatest: (*number).into() },
        Expression::Variable(variable) => {
            let variable = &structure.variables[*variable];
            Bounds { least: variable.least.into(), greatest: variable.greatest.into() }
        }
        Expression::Not(inner) => {
            value(structure, triple, inner, all)?;
            Bounds::BOOLEAN
        }
        Expression::At(..) | Expression::Truth(_) => Bounds::BOOLEAN,
        Expression::If(parts) => {
            value(structure, triple, &parts[0], all)?;
            let then = value(structure, triple, &parts[1], all)?;
            then.with(value(structure, triple, &parts[2], all)?)
        }
        Expression::Element(array, index) => {
            value(structure, triple, index, all)?;
            let elements = structure.arrays[*array].variables().map(|id| &structure.variables[id]);
            let (least, greatest) = elements.fold((i64::MAX, i64::MIN), |(least, greatest), one| {
                (least.min(one.least), greatest.max(one.greatest))
            });
            Bounds { least: least.into(), greatest: greatest.into() }
        }
        Expression::Defined(definition) => {
            let definition = &structure.definitions[*definition];
            Bounds { least: definition.least.into(), greatest: definition.greatest.into() }
        }
        Expression::Known(inner, least, greatest) => {
            let inner = value(structure, triple, inner, all)?;
            Bounds {
                least: inner.least.max((*least).into()).min((*greatest).into()),
                greatest: inner.greatest.min((*greatest).into()).max((*least).into()),
            }
        }
        Expression::Negate(inner) => {
            let inner = value(structure, triple, inner, all)?;
            Bounds { least: -inner.greatest, greatest: -inner.least }
        }
        Expression::Binary(operator, left, right) => {
            let left = value(structure, triple, left, all)?;
            let right = value(structure, triple, right, all)?;
            let largest = left.least.abs().max(left.greatest.abs());
            match operator {
                Operator::Add => {
                    Bounds { least: left.least + right.least, greatest: left.greatest + right.greatest }
                }
                Operator::Subtract => {
                    Bounds { least: left.least - right.greatest, greatest: left.greatest - right.least }
                }
                Operator::Multiply => Bounds::of([
                    left.least * right.least,
                    left.least * right.greatest,
                    left.greatest * right.least,
                    left.greatest * right.greatest,
                ]),
                Operator::Divide | Operator::Remainder => Bounds { least: -largest, greatest: largest },
                Operator::Equal | Operator::Less | Operator::LessOrEqual | Operator::And | Operator::Or => {
                    Bounds::BOOLEAN
                }
            }
        }
    };
    if !own.is_within(i64::MIN, i64::MAX) {
        return Err(NotWritable::Overflow(triple));
    }
    *all = all.with(own);
    Ok(own)
}

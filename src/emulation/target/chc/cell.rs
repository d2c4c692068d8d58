//! What a predicate is about: numbers from 0 up to some number, integers, truth values; how they are written and read.

use crate::emulation::target::Ranges;

use super::{Encoding, all_of, any_of};

/// A part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An integer.
    Integer,
    /// A number below 2 to the power of this, as so many Booleans; the lowest bit first.
    Bits(usize),
}

/// A value in an answer of Z3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Boolean(bool),
    Integer(i64),
}

impl Cell {
    pub(super) fn integer(name: &str) -> Cell {
        Cell { name: name.to_owned(), kind: Kind::Integer }
    }

    pub(super) fn boolean(name: &str) -> Cell {
        Cell { name: name.to_owned(), kind: Kind::Bits(1) }
    }

    /// A number from 0 on, one of `count`.
    pub(super) fn finite(name: &str, count: usize, encoding: Encoding) -> Cell {
        match encoding {
            Encoding::Integers => Cell::integer(name),
            Encoding::Booleans => {
                let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
                Cell { name: name.to_owned(), kind: Kind::Bits(bits as usize) }
            }
        }
    }

    /// The one that has its saved value.
    pub(super) fn saved(&self) -> Cell {
        Cell { name: format!("saved_{}", self.name), kind: self.kind }
    }

    /// The one that has its next value.
    pub(super) fn next(&self) -> Cell {
        Cell { name: format!("next_{}", self.name), kind: self.kind }
    }

    /// Its variables and their sort.
    pub(super) fn variables(&self) -> (Vec<String>, &'static str) {
        match self.kind {
            Kind::Integer => (vec![self.name.clone()], "Int"),
            Kind::Bits(1) => (vec![self.name.clone()], "Bool"),
            Kind::Bits(bits) => ((0..bits).map(|bit| format!("{}.{bit}", self.name)).collect(), "Bool"),
        }
    }

    /// A number, one text for each variable.
    pub(super) fn literal(&self, number: i64) -> Vec<String> {
        match self.kind {
            Kind::Integer => vec![integer(number)],
            Kind::Bits(bits) => (0..bits).map(|bit| (number >> bit & 1 == 1).to_string()).collect(),
        }
    }

    /// That it has a value.
    pub(super) fn is(&self, number: usize) -> String {
        let (variables, _) = self.variables();
        match self.kind {
            Kind::Integer => format!("(= {} {number})", self.name),
            Kind::Bits(_) => {
                let bit = |(bit, name): (usize, String)| {
                    if number >> bit & 1 == 1 { name } else { format!("(not {name})") }
                };
                all_of(&variables.into_iter().enumerate().map(bit).collect::<Vec<_>>())
            }
        }
    }

    /// That it has one of these values.
    pub(super) fn is_in(&self, values: &Ranges) -> String {
        if values.ranges.as_slice() == [values.whole] {
            return "true".to_owned();
        }
        let parts = values.ranges.iter().flat_map(|&(first, last)| match self.kind {
            _ if first == last => vec![self.is(first)],
            Kind::Integer if first == values.whole.0 => vec![format!("(<= {} {last})", self.name)],
            Kind::Integer if last == values.whole.1 => vec![format!("(>= {} {first})", self.name)],
            Kind::Integer => vec![format!("(<= {first} {} {last})", self.name)],
            Kind::Bits(_) => (first..=last).map(|number| self.is(number)).collect(),
        });
        any_of(&parts.collect::<Vec<_>>())
    }

    /// That it has the value of another of the same kind.
    pub(super) fn equals(&self, other: &Cell) -> String {
        let pairs = self.variables().0.into_iter().zip(other.variables().0);
        all_of(&pairs.map(|(own, other)| format!("(= {own} {other})")).collect::<Vec<_>>())
    }

    /// Its value among those of a fact.
    pub(super) fn read<'v>(&self, values: &mut impl Iterator<Item = &'v Value>) -> Option<i64> {
        match self.kind {
            Kind::Integer => match values.next()? {
                Value::Integer(number) => Some(*number),
                Value::Boolean(_) => None,
            },
            Kind::Bits(bits) => (0..bits).try_fold(0, |number, bit| match values.next()? {
                Value::Boolean(is_set) => Some(number | i64::from(*is_set) << bit),
                Value::Integer(_) => None,
            }),
        }
    }
}

/// An integer in SMT-LIB.
pub(super) fn integer(number: i64) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

/// The values up to the next `)`; `None` where there are other things among them.
pub(super) fn values(text: &str) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with(')') {
            return Some(found);
        }
        let is_negative = rest.strip_prefix("(- ").inspect(|after| rest = after).is_some();
        let end = rest.find(|letter: char| letter == ')' || letter.is_whitespace())?;
        let (word, after) = rest.split_at(end);
        rest = if is_negative { after.strip_prefix(')')? } else { after };
        found.push(match word {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            number => {
                let sign = if is_negative { "-" } else { "" };
                Value::Integer(format!("{sign}{number}").parse().ok()?)
            }
        });
    }
}

//! What a predicate is about: numbers from 0 up to some number, integers, truth values; how they are written
//! and read.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use itertools::Itertools;

use crate::writers::Ranges;

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
    /// 0 or 1, as a Boolean.
    Boolean,
    /// A number below this, as that many Booleans of which one is true; none for the number 0 alone.
    OneOf(usize),
}

/// Parts of a state with more values are integers: that no two of some Booleans are true takes as many words
/// as there are pairs.
const MAX_BOOLEANS: usize = 16;
/// What is taken, if it is one of more than this many triples, likewise.
const MAX_CHOICES: usize = 64;

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
        Cell { name: name.to_owned(), kind: Kind::Boolean }
    }

    /// A number from 0 on, one of `count`, that is part of the state.
    pub(super) fn finite(name: &str, count: usize, encoding: Encoding) -> Cell {
        Self::one_of(name, count, MAX_BOOLEANS, encoding)
    }

    /// Which triple is taken, one of `count`.
    pub(super) fn choice(count: usize, encoding: Encoding) -> Cell {
        Self::one_of("choice", count, MAX_CHOICES, encoding)
    }

    fn one_of(name: &str, count: usize, most: usize, encoding: Encoding) -> Cell {
        let kind = match encoding {
            Encoding::OneHot if count <= 1 => Kind::OneOf(0),
            Encoding::OneHot if count <= most => Kind::OneOf(count),
            _ => Kind::Integer,
        };
        Cell { name: name.to_owned(), kind }
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// That of its Booleans exactly one is true, if there are such; by the functions that [`functions`]
    /// defines.
    pub(super) fn is_one(&self) -> Option<String> {
        self.count().map(|count| format!("(one_of_{count} {})", self.variables().0.join(" ")))
    }

    /// That of its Booleans at most one is true, if there are such; by the function that [`functions`]
    /// defines.
    pub(super) fn is_at_most_one(&self) -> Option<String> {
        self.count().map(|count| format!("(at_most_one_of_{count} {})", self.variables().0.join(" ")))
    }

    /// Of how many Booleans one is true, where Booleans encode it.
    fn count(&self) -> Option<usize> {
        match self.kind {
            Kind::OneOf(count) if count > 0 => Some(count),
            _ => None,
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
            Kind::Boolean => (vec![self.name.clone()], "Bool"),
            Kind::OneOf(count) => ((0..count).map(|number| self.boolean_of(number)).collect(), "Bool"),
        }
    }

    /// The Boolean for whether it has a value.
    fn boolean_of(&self, number: usize) -> String {
        format!("{}.{number}", self.name)
    }

    /// A number, one text for each variable.
    pub(super) fn literal(&self, number: i64) -> Vec<String> {
        match self.kind {
            Kind::Integer => vec![integer(number)],
            Kind::Boolean => vec![(number != 0).to_string()],
            Kind::OneOf(count) => (0..count).map(|one| (one as i64 == number).to_string()).collect(),
        }
    }

    /// That it has a value.
    pub(super) fn is(&self, number: usize) -> String {
        match self.kind {
            Kind::Integer => format!("(= {} {number})", self.name),
            Kind::Boolean if number == 0 => format!("(not {})", self.name),
            Kind::Boolean => self.name.clone(),
            Kind::OneOf(0) => (number == 0).to_string(),
            Kind::OneOf(_) => self.boolean_of(number),
        }
    }

    /// How a legend writes that it has a value.
    pub(super) fn equation(&self, number: usize) -> String {
        match self.count() {
            Some(_) => self.boolean_of(number),
            None => format!("{} = {number}", self.name),
        }
    }

    /// That it has a value and, where Booleans encode it, that none of the others is true.
    pub(super) fn is_only(&self, number: usize) -> String {
        let Some(count) = self.count() else { return self.is(number) };
        let literal = |one: usize| {
            let name = self.boolean_of(one);
            if one == number { name } else { format!("(not {name})") }
        };
        all_of(&(0..count).map(literal).collect::<Vec<_>>())
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
            _ => (first..=last).map(|number| self.is(number)).collect(),
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
            Kind::Boolean => match values.next()? {
                Value::Boolean(is_set) => Some(i64::from(*is_set)),
                Value::Integer(_) => None,
            },
            Kind::OneOf(0) => Some(0),
            Kind::OneOf(count) => {
                let mut found = None;
                for number in 0..count {
                    match (values.next()?, found) {
                        (Value::Boolean(false), _) => {}
                        (Value::Boolean(true), None) => found = Some(number as i64),
                        // Not a number.
                        _ => return None,
                    }
                }
                found
            }
        }
    }
}

/// Defines what [`Cell::is_one`] uses, and [`Cell::is_at_most_one`] of `choice`.
pub(super) fn functions<'c>(cells: impl IntoIterator<Item = &'c Cell>, choice: &Cell) -> String {
    let counts: BTreeSet<usize> = cells.into_iter().filter_map(Cell::count).collect();
    let some = counts.into_iter().map(|count| ("one_of", count, true));
    let mut text = String::new();
    for (name, count, is_some) in some.chain(choice.count().map(|count| ("at_most_one_of", count, false))) {
        let names: Vec<String> = (0..count).map(|number| format!("b{number}")).collect();
        let pairs = names.iter().array_combinations();
        let pairs = pairs.map(|[one, other]| format!("(not (and {one} {other}))"));
        let parts: Vec<String> = is_some.then(|| any_of(&names)).into_iter().chain(pairs).collect();
        let bound = itertools::join(names.iter().map(|name| format!("({name} Bool)")), " ");
        let _ = writeln!(text, "(define-fun {name}_{count} ({bound}) Bool\n  {})", all_of(&parts));
    }
    text
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

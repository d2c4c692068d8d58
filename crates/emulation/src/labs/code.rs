//! Expressions with every agent, quantifier and place of a variable resolved, and their evaluation.
//!
//! In: the words of all cells ([`Cells`]: unpacked, or read from a packed state), locals, choices. Out: a word.
//! The rules are those of `paramcheck_labs::semantics::evaluate`.

use paramcheck_labs::ast::Operator;
use paramcheck_labs::number::Width;
use paramcheck_text::random::Random;

use super::tabulate::Table;
use super::word::{
    FOREIGN, INDEX, NO_AGENT, NO_CHOICE, UNDEFINED, and, fault, fit, is_halt, is_number, is_true, operate, or,
};

/// Where the words of cells are.
pub(crate) trait Cells {
    /// The word of a cell.
    fn cell(&self, at: usize) -> i64;
}

impl Cells for [i64] {
    #[inline]
    fn cell(&self, at: usize) -> i64 {
        self[at]
    }
}

/// An array: its first cell, and its extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) first: usize,
    pub(crate) extents: Box<[usize]>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// A word, known beforehand.
    Word(i64),
    Cell(usize),
    Element(Array, Box<[Code]>),
    /// A variable of an agent that is computed; per agent where it is.
    Of(Box<Code>, Box<[Option<Array>]>, Box<[Code]>),
    /// The number, if there are more agents than that.
    Agent(Box<Code>, usize),
    Local(usize),
    /// The first local, how many there are, which.
    Picked(usize, usize, Box<Code>),
    Negative(Box<Code>),
    Not(Box<Code>),
    Both(Operator, Box<[Code; 2]>),
    And(Box<[Code; 2]>),
    Or(Box<[Code; 2]>),
    AnyOf(Box<[Code; 2]>),
    Absolute(Box<Code>),
    Least(Box<[Code; 2]>),
    Greatest(Box<[Code; 2]>),
    If(Box<[Code; 3]>),
    Forall(Box<[Code]>),
    Exists(Box<[Code]>),
    Count(Box<[Code]>),
    /// What was computed beforehand, and the expression itself.
    Table(Box<Table>, Box<Code>),
    Foreign,
}

/// The choices made in a step; [`Choices::next`] goes on to the next combination.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// What was chosen, and of how many.
    made: Vec<(u64, u64)>,
    at: usize,
    /// What chooses, if it is chance.
    chance: Option<Random>,
}

impl Choices {
    /// Begins with the first combination.
    pub(crate) fn reset(&mut self) {
        self.made.clear();
        self.at = 0;
    }

    /// One of so many, at least one.
    pub(crate) fn choose(&mut self, of: u64) -> u64 {
        self.at += 1;
        if let Some((chosen, _)) = self.made.get(self.at - 1) {
            return *chosen;
        }
        let chosen = self.chance.as_mut().map_or(0, |chance| chance.below(of));
        self.made.push((chosen, of));
        chosen
    }

    /// Begins with a combination by chance; there is no next one.
    pub(crate) fn by_chance(&mut self, seed: u64) {
        self.reset();
        self.chance = Some(Random::new(seed));
    }

    /// Begins with the first combination, and goes on in order.
    pub(crate) fn in_order(&mut self) {
        self.reset();
        self.chance = None;
    }

    /// Goes on to the next combination, if there is one.
    pub(crate) fn next(&mut self) -> bool {
        self.made.truncate(self.at);
        self.at = 0;
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// What an expression is evaluated with.
pub(crate) struct Context<'a, C: ?Sized> {
    pub(crate) cells: &'a C,
    pub(crate) locals: &'a [i64],
    pub(crate) choices: &'a mut Choices,
    pub(crate) width: Width,
}

impl Code {
    /// The word of an expression.
    pub(crate) fn word<C: Cells + ?Sized>(&self, context: &mut Context<'_, C>) -> i64 {
        match self {
            Code::Word(word) => *word,
            Code::Cell(at) => context.cells.cell(*at),
            Code::Table(table, code) => match table.word(context.cells) {
                Some(word) => word,
                None => code.word(context),
            },
            Code::Both(operator, operands) => {
                let left = operands[0].word(context);
                if is_halt(left) {
                    return left;
                }
                operate(*operator, left, operands[1].word(context), context.width)
            }
            Code::And(operands) => conjunction(&operands[0], &operands[1], context),
            Code::Or(operands) => {
                let left = operands[0].word(context);
                if is_halt(left) || is_true(left) {
                    return if is_halt(left) { left } else { 1 };
                }
                let right = operands[1].word(context);
                if is_halt(right) { right } else { or(left, right) }
            }
            Code::Not(inner) => {
                let inner = inner.word(context);
                if is_number(inner) { i64::from(inner == 0) } else { inner }
            }
            Code::Element(array, indices) => match array.flat(indices, context) {
                Ok(flat) => context.cells.cell(array.first + flat),
                Err(word) => word,
            },
            Code::If(parts) => {
                let condition = parts[0].word(context);
                match condition {
                    0 => parts[2].word(context),
                    _ if is_number(condition) => parts[1].word(context),
                    _ => condition,
                }
            }
            Code::Forall(parts) => {
                let mut all = 1;
                for part in parts {
                    let one = part.word(context);
                    if is_halt(one) {
                        return one;
                    }
                    all = and(all, one);
                    if all == UNDEFINED {
                        break;
                    }
                }
                all
            }
            Code::Exists(parts) => {
                let mut any = 0;
                for part in parts {
                    let one = part.word(context);
                    if is_halt(one) {
                        return one;
                    }
                    any = or(any, one);
                    if any == 1 {
                        break;
                    }
                }
                any
            }
            Code::Local(at) => context.locals.get(*at).copied().unwrap_or(UNDEFINED),
            _ => self.rare(context),
        }
    }

    /// The same for what is rare.
    fn rare<C: Cells + ?Sized>(&self, context: &mut Context<'_, C>) -> i64 {
        match self {
            Code::Of(who, places, indices) => {
                let who = who.word(context);
                if !is_number(who) {
                    return who;
                }
                let Some(place) = usize::try_from(who).ok().and_then(|who| places.get(who)) else {
                    return NO_AGENT;
                };
                let Some(array) = place else { return UNDEFINED };
                match array.flat(indices, context) {
                    Ok(flat) => context.cells.cell(array.first + flat),
                    Err(word) => word,
                }
            }
            Code::Agent(number, agents) => {
                let number = number.word(context);
                let is_agent = usize::try_from(number).is_ok_and(|number| number < *agents);
                if is_agent || !is_number(number) { number } else { NO_AGENT }
            }
            Code::Picked(first, count, index) => {
                let index = index.word(context);
                if !is_number(index) {
                    return index;
                }
                match usize::try_from(index).ok().filter(|index| index < count) {
                    Some(index) => context.locals.get(first + index).copied().unwrap_or(UNDEFINED),
                    None => INDEX,
                }
            }
            Code::Negative(inner) => {
                let inner = inner.word(context);
                if is_number(inner) { fit(-inner, context.width) } else { inner }
            }
            Code::Absolute(inner) => {
                let inner = inner.word(context);
                if is_number(inner) { fit(inner.abs(), context.width) } else { inner }
            }
            Code::Least(operands) | Code::Greatest(operands) => {
                let left = operands[0].word(context);
                if is_halt(left) {
                    return left;
                }
                let right = operands[1].word(context);
                match (is_number(left), is_number(right)) {
                    (true, true) if matches!(self, Code::Least(_)) => left.min(right),
                    (true, true) => left.max(right),
                    _ if is_halt(right) => right,
                    _ => UNDEFINED,
                }
            }
            Code::AnyOf(ends) => {
                let low = ends[0].word(context);
                if is_halt(low) {
                    return low;
                }
                let high = ends[1].word(context);
                match (is_number(low), is_number(high)) {
                    (true, true) if low >= high => NO_CHOICE,
                    (true, true) => {
                        let chosen = context.choices.choose(high.abs_diff(low));
                        low.checked_add_unsigned(chosen).unwrap_or(UNDEFINED)
                    }
                    _ if is_halt(high) => high,
                    _ => UNDEFINED,
                }
            }
            Code::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    let one = part.word(context);
                    if is_halt(one) {
                        return one;
                    }
                    let is_counted = is_number(count) && is_number(one);
                    count = if is_counted { count + i64::from(one != 0) } else { UNDEFINED };
                }
                if is_number(count) { fit(count, context.width) } else { count }
            }
            // Those above.
            _ => FOREIGN,
        }
    }

    /// The word, if it needs neither cells nor locals nor choices.
    pub(crate) fn constant(&self) -> Option<i64> {
        match self {
            Code::Word(word) => Some(*word),
            _ => None,
        }
    }

    /// The parts of an expression.
    pub(crate) fn parts(&self) -> &[Code] {
        match self {
            Code::Word(_) | Code::Cell(_) | Code::Local(_) | Code::Foreign => &[],
            Code::Element(_, parts) | Code::Forall(parts) | Code::Exists(parts) | Code::Count(parts) => parts,
            // What is computed is looked at where it is used.
            Code::Of(_, _, parts) => parts,
            Code::Agent(part, _)
            | Code::Table(_, part)
            | Code::Picked(_, _, part)
            | Code::Negative(part)
            | Code::Not(part)
            | Code::Absolute(part) => std::slice::from_ref(part.as_ref()),
            Code::Both(_, parts)
            | Code::And(parts)
            | Code::Or(parts)
            | Code::AnyOf(parts)
            | Code::Least(parts)
            | Code::Greatest(parts) => parts.as_slice(),
            Code::If(parts) => parts.as_slice(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> &mut [Code] {
        match self {
            Code::Word(_) | Code::Cell(_) | Code::Local(_) | Code::Foreign => &mut [],
            Code::Element(_, parts) | Code::Forall(parts) | Code::Exists(parts) | Code::Count(parts) => parts,
            Code::Of(_, _, parts) => parts,
            Code::Agent(part, _)
            | Code::Table(_, part)
            | Code::Picked(_, _, part)
            | Code::Negative(part)
            | Code::Not(part)
            | Code::Absolute(part) => std::slice::from_mut(part.as_mut()),
            Code::Both(_, parts)
            | Code::And(parts)
            | Code::Or(parts)
            | Code::AnyOf(parts)
            | Code::Least(parts)
            | Code::Greatest(parts) => parts.as_mut_slice(),
            Code::If(parts) => parts.as_mut_slice(),
        }
    }

    /// Whether something is chosen in it.
    pub(crate) fn chooses(&self) -> bool {
        let whose = matches!(self, Code::Of(who, ..) if who.chooses());
        whose || matches!(self, Code::AnyOf(_)) || self.parts().iter().any(Code::chooses)
    }
}

/// `and`: what stands behind a false left side causes no fault.
#[inline]
fn conjunction<C: Cells + ?Sized>(left: &Code, right: &Code, context: &mut Context<'_, C>) -> i64 {
    let left = left.word(context);
    if !is_number(left) {
        return left;
    }
    let right = right.word(context);
    if left == 0 {
        return match is_number(right) {
            true => 0,
            false if fault(right).is_some() => 0,
            false => right,
        };
    }
    if is_halt(right) { right } else { and(left, right) }
}

impl Array {
    /// The position of an element.
    ///
    /// # Errors
    /// The word instead: undefined, or a halt.
    #[inline]
    pub(crate) fn flat<C: Cells + ?Sized>(
        &self,
        indices: &[Code],
        context: &mut Context<'_, C>,
    ) -> Result<usize, i64> {
        let mut flat = 0;
        let mut is_undefined = false;
        for (extent, index) in self.extents.iter().zip(indices) {
            let index = index.word(context);
            if is_number(index) {
                let index = usize::try_from(index).ok().filter(|index| index < extent).ok_or(INDEX)?;
                flat = flat * extent + index;
            } else if is_halt(index) {
                return Err(index);
            } else {
                is_undefined = true;
            }
        }
        if is_undefined { Err(UNDEFINED) } else { Ok(flat) }
    }
}

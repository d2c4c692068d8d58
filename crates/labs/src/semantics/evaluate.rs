//! Values of expressions in a store.
//!
//! A value may be undefined: also that of a variable which the kind of the agent does not have. Arithmetic and comparisons pass that on, as do `and` and `!`; `or` is true if one
//! side is (thesis, Tables 3.5 and 3.6). Conditions are read from the left: what stands behind a false left side of
//! `and`, or a true one of `or`, causes no fault.

use std::rc::Rc;

use paramcheck_text::index::Idx;
use rustc_hash::FxHashMap;

use super::domain::Domain;
use crate::ast::Operator;
use crate::model::{AgentId, Expr, System, Who};
use crate::number::{Fault, Width, apply};

/// A number, or undefined.
pub type Value = Option<i64>;

/// Why an expression has no value, not even an undefined one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The run leaves the language.
    Fault(Fault),
    /// There is nothing to choose: the step is not possible.
    NoChoice,
    /// A function of the C program, which is not here.
    Foreign,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Halt::Fault(fault)
    }
}

/// The choices made in a step, so that each combination is made once: [`Choices::advance`] goes on to the next.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// What was chosen, and of how many.
    made: Vec<(u64, u64)>,
    at: usize,
    open: Option<Open>,
}

/// Cells of which only the sets of their values are known: what is read is chosen.
#[derive(Clone, Debug)]
struct Open {
    sets: Rc<[Domain]>,
    /// What was chosen for cells, or assigned to them.
    known: FxHashMap<usize, Value>,
    assigned: Vec<(usize, Value)>,
}

impl Choices {
    /// The same with the values of cells among what is chosen: each that is read may be any of its set.
    pub(super) fn over(sets: Rc<[Domain]>) -> Self {
        let open = Open { sets, known: FxHashMap::default(), assigned: Vec::new() };
        Choices { open: Some(open), ..Choices::default() }
    }

    /// One of so many, at least one.
    pub fn choose(&mut self, of: u64) -> u64 {
        self.at += 1;
        match self.made.get(self.at - 1) {
            Some((chosen, _)) => *chosen,
            None => {
                self.made.push((0, of));
                0
            }
        }
    }

    /// Goes on to the next combination, if there is one.
    pub fn advance(&mut self) -> bool {
        if let Some(open) = &mut self.open {
            open.known.clear();
            open.assigned.clear();
        }
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

    /// The value of a cell that is read.
    fn read(&mut self, cell: usize, cells: &[Value]) -> Value {
        let Some(open) = &self.open else { return cells[cell] };
        if let Some(known) = open.known.get(&cell) {
            return *known;
        }
        let sets = open.sets.clone();
        let value = sets[cell].value(self.choose(sets[cell].count()));
        self.open.iter_mut().for_each(|open| {
            open.known.insert(cell, value);
        });
        value
    }

    /// A cell is assigned.
    pub(super) fn assign(&mut self, cell: usize, value: Value) {
        if let Some(open) = &mut self.open {
            open.known.insert(cell, value);
            open.assigned.push((cell, value));
        }
    }

    /// The cells assigned in this combination whose values are not in their sets.
    pub(super) fn strays(&self) -> impl Iterator<Item = (usize, Value)> {
        let open = self.open.iter();
        open.flat_map(|open| {
            open.assigned.iter().copied().filter(|(cell, value)| !open.sets[*cell].has(*value))
        })
    }
}

/// Where expressions are evaluated.
pub struct Evaluator<'a> {
    /// The system.
    pub system: &'a System,
    /// The values of all cells.
    pub cells: &'a [Value],
    /// The agent that acts; of a link the sender.
    pub first: Option<AgentId>,
    /// Of a link the receiver; of a pick the candidate.
    pub second: Option<AgentId>,
    /// The locals of the block.
    pub locals: &'a [Value],
    /// How wide numbers are.
    pub width: Width,
    /// The agents bound by quantifiers.
    pub(super) bound: Vec<AgentId>,
}

impl<'a> Evaluator<'a> {
    /// For an expression about the store alone.
    pub fn new(system: &'a System, cells: &'a [Value], width: Width) -> Self {
        Evaluator { system, cells, first: None, second: None, locals: &[], width, bound: Vec::new() }
    }

    /// Whether a condition is true: neither false nor undefined.
    ///
    /// # Errors
    /// It has no value.
    pub fn is_true(&mut self, condition: &Expr, choices: &mut Choices) -> Result<bool, Halt> {
        Ok(self.value(condition, choices)?.is_some_and(|value| value != 0))
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// It has none.
    pub fn value(&mut self, expr: &Expr, choices: &mut Choices) -> Result<Value, Halt> {
        Ok(match expr {
            Expr::Number(number) => Some(self.width.fit(*number)?),
            Expr::Id(who) => self.agent(who, choices)?.and_then(|agent| i64::try_from(agent.index()).ok()),
            Expr::Environment(at, indices) => {
                let variable = &self.system.environment[*at];
                let flat = self.flat(&variable.extents, indices, choices)?;
                flat.and_then(|flat| choices.read(variable.offset + flat, self.cells))
            }
            Expr::Of(who, name, indices) => {
                let Some(agent) = self.agent(who, choices)? else { return Ok(None) };
                let place = &self.system.names[*name].places[self.system.agents[agent]];
                let Some(place) = place else { return Ok(None) };
                let flat = self.flat(&place.extents, indices, choices)?;
                let first = self.system.first_cells[agent] + place.offset;
                flat.and_then(|flat| choices.read(first + flat, self.cells))
            }
            Expr::Local(at) => self.locals.get(*at).copied().flatten(),
            Expr::Picked(first, count, index) => {
                let flat = self.flat(&[*count], std::slice::from_ref(index), choices)?;
                flat.and_then(|flat| self.locals.get(first + flat).copied().flatten())
            }
            Expr::Negative(inner) => match self.value(inner, choices)? {
                Some(value) => Some(self.width.fit(value.checked_neg().ok_or(Fault::Overflow)?)?),
                None => None,
            },
            Expr::Not(inner) => self.value(inner, choices)?.map(|value| i64::from(value == 0)),
            Expr::Binary(operator, operands) => self.binary(*operator, operands, choices)?,
            Expr::AnyOf(ends) => {
                let [low, high] = ends.as_ref();
                let (low, high) = (self.value(low, choices)?, self.value(high, choices)?);
                let Some((low, high)) = low.zip(high) else { return Ok(None) };
                if low >= high {
                    return Err(Halt::NoChoice);
                }
                low.checked_add_unsigned(choices.choose(high.abs_diff(low)))
            }
            Expr::Absolute(inner) => match self.value(inner, choices)? {
                Some(value) => Some(self.width.fit(value.checked_abs().ok_or(Fault::Overflow)?)?),
                None => None,
            },
            Expr::Least(operands) => self.both(operands, choices)?.map(|(left, right)| left.min(right)),
            Expr::Greatest(operands) => self.both(operands, choices)?.map(|(left, right)| left.max(right)),
            Expr::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                match self.value(condition, choices)? {
                    Some(0) => self.value(otherwise, choices)?,
                    Some(_) => self.value(then, choices)?,
                    None => None,
                }
            }
            Expr::Foreign(..) => return Err(Halt::Foreign),
            Expr::Quantified { is_universal, kind, body, .. } => {
                let mut all = Some(i64::from(*is_universal));
                for agent in self.system.agents_of(*kind) {
                    self.bound.push(agent);
                    let one = self.value(body, choices);
                    self.bound.pop();
                    all = if *is_universal { and(all, one?) } else { or(all, one?) };
                    let is_decided = if *is_universal { all.is_none() } else { all == Some(1) };
                    if is_decided {
                        break;
                    }
                }
                all
            }
            Expr::Count { kind, body, .. } => {
                let mut count = Some(0);
                for agent in self.system.agents_of(*kind) {
                    self.bound.push(agent);
                    let one = self.value(body, choices);
                    self.bound.pop();
                    count = count.zip(one?).map(|(count, one)| count + i64::from(one != 0));
                }
                match count {
                    Some(count) => Some(self.width.fit(count)?),
                    None => None,
                }
            }
        })
    }

    fn both(&mut self, operands: &[Expr; 2], choices: &mut Choices) -> Result<Option<(i64, i64)>, Halt> {
        let [left, right] = operands;
        let (left, right) = (self.value(left, choices)?, self.value(right, choices)?);
        Ok(left.zip(right))
    }

    fn binary(
        &mut self,
        operator: Operator,
        operands: &[Expr; 2],
        choices: &mut Choices,
    ) -> Result<Value, Halt> {
        let [left, right] = operands;
        match operator {
            Operator::And => {
                let left = self.value(left, choices)?;
                match left {
                    None => Ok(None),
                    Some(0) => match self.value(right, choices) {
                        Err(Halt::Fault(_)) => Ok(Some(0)),
                        right => Ok(right?.map(|_| 0)),
                    },
                    Some(_) => Ok(and(left, self.value(right, choices)?)),
                }
            }
            Operator::Or => {
                let left = self.value(left, choices)?;
                if left.is_some_and(|left| left != 0) {
                    return Ok(Some(1));
                }
                Ok(or(left, self.value(right, choices)?))
            }
            _ => match self.both(operands, choices)? {
                Some((left, right)) => Ok(Some(self.width.fit(apply(operator, left, right)?)?)),
                None => Ok(None),
            },
        }
    }

    /// The agent that is meant; none, if its number is undefined.
    fn agent(&mut self, who: &Who, choices: &mut Choices) -> Result<Option<AgentId>, Halt> {
        Ok(match who {
            Who::First => Some(self.first.ok_or(Fault::NoAgent)?),
            Who::Second => Some(self.second.ok_or(Fault::NoAgent)?),
            Who::Bound(at) => Some(*self.bound.get(*at).ok_or(Fault::NoAgent)?),
            Who::Agent(number) => match self.value(number, choices)? {
                Some(number) => {
                    let agent =
                        usize::try_from(number).ok().filter(|agent| *agent < self.system.agents.len());
                    Some(AgentId::new(agent.ok_or(Fault::NoAgent)?))
                }
                None => None,
            },
        })
    }

    /// The position of an element, by rows; none, if an index is undefined.
    ///
    /// # Errors
    /// An index is outside of the array.
    pub fn flat(
        &mut self,
        extents: &[usize],
        indices: &[impl std::borrow::Borrow<Expr>],
        choices: &mut Choices,
    ) -> Result<Option<usize>, Halt> {
        let mut flat = Some(0);
        for (extent, index) in extents.iter().zip(indices) {
            let index = self.value(index.borrow(), choices)?;
            let Some(index) = index else {
                flat = None;
                continue;
            };
            let index = usize::try_from(index).ok().filter(|index| index < extent).ok_or(Fault::Index)?;
            flat = flat.map(|flat| flat * extent + index);
        }
        Ok(flat)
    }
}

/// `and`: undefined if a side is.
fn and(left: Value, right: Value) -> Value {
    left.zip(right).map(|(left, right)| i64::from(left != 0 && right != 0))
}

/// `or`: true if a side is, else undefined if a side is.
fn or(left: Value, right: Value) -> Value {
    if left.is_some_and(|left| left != 0) || right.is_some_and(|right| right != 0) {
        return Some(1);
    }
    left.zip(right).map(|_| 0)
}

//! Cells of a system as variables of a structure, and what they hold in the middle of a step.
//!
//! A cell that has one value always is none of the variables. Undefined is the number below the least one.
//! The elements of an array are variables that follow one another, with the same bounds.

use paramcheck_labs::model::{AgentId, Initial, System};
use paramcheck_text::index::Idx;

use crate::Structure;
use crate::expression::{Array, Expression, Variable, VariableId};
use crate::labs::values::Values;

use super::terms::{FALSE, TRUE, all, any, at_most, choose, equal, known, not, number};
use super::value::Value;

/// Where the value of a cell is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// It is always this one.
    Fixed(Option<i64>),
    /// In a variable.
    Variable {
        id: VariableId,
        /// The numbers that it may be.
        values: Values,
        /// The number that stands for undefined, if it may be that.
        undefined: Option<i64>,
    },
}

impl Place {
    fn variable(&self) -> Option<VariableId> {
        match self {
            Place::Fixed(_) => None,
            Place::Variable { id, .. } => Some(*id),
        }
    }
}

/// What a cell holds: a number, and where it is one.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) number: Expression,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) defined: Expression,
}

/// What all cells hold.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub(super) places: Vec<Place>,
    /// The arrays by the position of their first cell: which one of the structure.
    arrays: Vec<(usize, usize, usize)>,
    /// What was assigned in this step.
    changed: Vec<(usize, Content)>,
}

impl Cells {
    /// Adds variables for the cells of a system, of which these are the values, to a structure.
    pub(super) fn new(system: &System, values: &[Values], structure: &mut Structure) -> Cells {
        let mut cells = Cells { places: Vec::new(), arrays: Vec::new(), changed: Vec::new() };
        let sizes = blocks(system);
        for (name, agent, first, size) in sizes {
            let is_array = size > 1;
            let mut joint = Values::none();
            values[first..first + size].iter().for_each(|own| {
                joint.join(own);
            });
            let begin = structure.variables.len();
            for (cell, own) in values.iter().enumerate().skip(first).take(size) {
                let own = if is_array { &joint } else { own };
                let text = system.cell_name(cell).1;
                let name = identifier(system, agent, &text);
                cells.places.push(place(own, &system.initial[cell], is_array, agent, name, structure));
            }
            if is_array {
                let name = identifier(system, agent, &name);
                cells.arrays.push((first, size, structure.arrays.len()));
                structure.arrays.push(Array { name, first: VariableId::new(begin), count: size });
            }
        }
        cells
    }

    /// That the values of all cells are those that they may have.
    pub(super) fn invariants(&self, structure: &Structure) -> Vec<Expression> {
        let of = |place: &Place| {
            let Place::Variable { id, values, undefined } = place else { return None };
            let own = Expression::Variable(*id);
            let variable = &structure.variables[*id];
            let is_whole = values.bounds().is_some_and(|bounds| values.intervals() == [bounds]);
            let undefined = undefined.map_or(FALSE, |undefined| equal(own.clone(), number(undefined)));
            let within = if is_whole && !matches!(undefined, Expression::Constant(_)) {
                between(&own, variable.least, variable.greatest)
            } else {
                let parts = values.intervals().iter().map(|(low, high)| between(&own, *low, *high));
                any(parts.chain([undefined]))
            };
            Some(within)
        };
        self.places.iter().filter_map(of).collect()
    }

    /// The value of a cell.
    pub(super) fn read(&self, cell: usize) -> Value {
        let Content { number, low, high, defined } = self.content(cell);
        Value { defined, ..Value::of(number, low, high) }
    }

    fn content(&self, cell: usize) -> Content {
        if let Some((_, content)) = self.changed.iter().rev().find(|(changed, _)| *changed == cell) {
            return content.clone();
        }
        match &self.places[cell] {
            Place::Fixed(Some(value)) => {
                Content { number: number(*value), low: *value, high: *value, defined: TRUE }
            }
            Place::Fixed(None) => Content { number: FALSE, low: 0, high: 0, defined: FALSE },
            Place::Variable { id, values, undefined } => {
                let own = Expression::Variable(*id);
                let (low, high) = values.bounds().unwrap_or((0, 0));
                let is_undefined = undefined.map(|undefined| equal(own.clone(), number(undefined)));
                Content { number: own, low, high, defined: is_undefined.map_or(TRUE, not) }
            }
        }
    }

    /// An element of an array, by a position in it that is one.
    pub(super) fn element(&self, first: usize, size: usize, flat: &Value) -> Value {
        if let Expression::Constant(position) = flat.number {
            return usize::try_from(position)
                .ok()
                .filter(|position| *position < size)
                .map_or_else(Value::undefined, |position| self.read(first + position));
        }
        let is_changed = self.changed.iter().any(|(cell, _)| (first..first + size).contains(cell));
        let array = self.arrays.iter().find(|(begin, count, _)| *begin == first && *count == size);
        if let (false, Some((_, _, array)), Place::Variable { values, undefined, .. }) =
            (is_changed, array, &self.places[first])
        {
            let own = Expression::Element(*array, Box::new(flat.number.clone()));
            let (low, high) = values.bounds().unwrap_or((0, 0));
            let is_undefined = undefined.map(|undefined| equal(own.clone(), number(undefined)));
            return Value { defined: is_undefined.map_or(TRUE, not), ..Value::of(own, low, high) };
        }
        let mut sum: Option<Content> = None;
        for position in (0..size).rev() {
            let at = i64::try_from(position).unwrap_or(i64::MAX);
            if at < flat.low || at > flat.high {
                continue;
            }
            let own = self.content(first + position);
            sum = Some(match sum {
                None => own,
                Some(rest) => by_case(&equal(flat.number.clone(), number(at)), own, rest),
            });
        }
        let Some(Content { number, low, high, defined }) = sum else { return Value::undefined() };
        Value { defined, ..Value::of(number, low, high) }
    }

    /// Assigns a number to a cell.
    pub(super) fn write(&mut self, cell: usize, value: &Value) {
        let Value { number, low, high, .. } = value.clone();
        self.put(cell, Content { number, low, high, defined: TRUE });
    }

    /// Assigns a number to an element of an array, by a position in it that is one.
    pub(super) fn write_element(&mut self, first: usize, size: usize, flat: &Value, value: &Value) {
        if let Expression::Constant(position) = flat.number {
            let position = usize::try_from(position).unwrap_or(0).min(size.saturating_sub(1));
            return self.write(first + position, value);
        }
        for position in 0..size {
            let at = i64::try_from(position).unwrap_or(i64::MAX);
            if at < flat.low || at > flat.high {
                continue;
            }
            let Value { number: own, low, high, .. } = value.clone();
            let own = Content { number: own, low, high, defined: TRUE };
            let is_it = equal(flat.number.clone(), number(at));
            let content = by_case(&is_it, own, self.content(first + position));
            self.put(first + position, content);
        }
    }

    fn put(&mut self, cell: usize, content: Content) {
        self.changed.retain(|(changed, _)| *changed != cell);
        self.changed.push((cell, content));
    }

    /// What was assigned: variables and their values; and that all of these are within what the variables may
    /// be. A cell of one value keeps it.
    pub(super) fn assigned(&self) -> (Vec<(VariableId, Expression)>, Expression) {
        let mut assigned = Vec::new();
        let mut fits = Vec::new();
        for (cell, content) in &self.changed {
            let Content { number: own, low, high, defined } = content;
            let place = &self.places[*cell];
            let is_one_of = |values: &Values| {
                let is_inside = values.intervals().iter().any(|(from, to)| from <= low && high <= to);
                let parts = values.intervals().iter().map(|(from, to)| {
                    all([
                        if low < from { at_most(number(*from), own.clone()) } else { TRUE },
                        if high > to { at_most(own.clone(), number(*to)) } else { TRUE },
                    ])
                });
                if is_inside { TRUE } else { any(parts) }
            };
            match place {
                Place::Fixed(Some(value)) => {
                    let is_same =
                        if low == high && low == value { TRUE } else { equal(own.clone(), number(*value)) };
                    fits.push(choose(defined.clone(), is_same, FALSE));
                }
                Place::Fixed(None) => fits.push(not(defined.clone())),
                Place::Variable { id, values, undefined } => {
                    fits.push(choose(defined.clone(), is_one_of(values), TRUE));
                    let (least, greatest) = values.bounds().unwrap_or((0, 0));
                    let value = known(own.clone(), least, greatest);
                    let value = undefined
                        .map_or(value.clone(), |undefined| choose(defined.clone(), value, number(undefined)));
                    assigned.push((*id, value));
                }
            }
        }
        (assigned, all(fits))
    }

    /// That one agent's cells are copied to another's, where a condition holds.
    pub(super) fn copied(
        &self,
        from: &[usize],
        to: &[usize],
        condition: &Expression,
    ) -> Vec<(VariableId, Expression)> {
        let mut all = Vec::new();
        for (from, to) in from.iter().zip(to) {
            let Some(id) = self.places[*to].variable() else { continue };
            let value = match &self.places[*from] {
                Place::Fixed(Some(value)) => number(*value),
                Place::Fixed(None) => match &self.places[*to] {
                    Place::Variable { undefined: Some(undefined), .. } => number(*undefined),
                    _ => continue,
                },
                Place::Variable { id, .. } => Expression::Variable(*id),
            };
            all.push((id, choose(condition.clone(), value, Expression::Variable(id))));
        }
        all
    }

    /// The values of all cells, where variables have these.
    pub(super) fn decode(&self, values: &[i64]) -> Vec<Option<i64>> {
        let of = |place: &Place| match place {
            Place::Fixed(value) => *value,
            Place::Variable { id, undefined, .. } => {
                values.get(id.index()).copied().filter(|value| Some(*value) != *undefined)
            }
        };
        self.places.iter().map(of).collect()
    }
}

/// A name for a variable: of letters, digits and `_`.
pub(super) fn identifier(system: &System, agent: Option<AgentId>, name: &str) -> String {
    let agent = agent.map_or_else(String::new, |agent| format!("{}_", system.agent_name(agent)));
    let text: String = format!("{agent}{name}");
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    itertools::join(words, "_")
}

fn by_case(condition: &Expression, then: Content, otherwise: Content) -> Content {
    Content {
        number: choose(condition.clone(), then.number, otherwise.number),
        low: then.low.min(otherwise.low),
        high: then.high.max(otherwise.high),
        defined: choose(condition.clone(), then.defined, otherwise.defined),
    }
}

fn between(own: &Expression, low: i64, high: i64) -> Expression {
    if low == high {
        return equal(own.clone(), number(low));
    }
    all([at_most(number(low), own.clone()), at_most(own.clone(), number(high))])
}

/// The variables of a system in the order of their cells: name, agent, first cell, how many.
fn blocks(system: &System) -> Vec<(String, Option<AgentId>, usize, usize)> {
    let mut all: Vec<(String, Option<AgentId>, usize, usize)> = system
        .environment
        .iter()
        .map(|variable| (variable.name.clone(), None, variable.offset, variable.size()))
        .collect();
    for (agent, kind) in system.agents.enumerate() {
        let first = system.first_cells[agent];
        let own = system.kinds[*kind].variables.iter();
        all.extend(own.map(|one| (one.name.clone(), Some(agent), first + one.offset, one.size())));
    }
    all.sort_by_key(|(_, _, first, _)| *first);
    all
}

/// A cell with these values: a variable, unless it has only one value.
fn place(
    values: &Values,
    initial: &Initial,
    is_element: bool,
    agent: Option<AgentId>,
    name: String,
    structure: &mut Structure,
) -> Place {
    let bounds = values.bounds();
    if !is_element {
        match bounds {
            None => return Place::Fixed(None),
            Some((low, high)) if low == high && !values.is_undefined => return Place::Fixed(Some(low)),
            Some(_) => {}
        }
    }
    let (low, high) = bounds.unwrap_or((0, 0));
    let undefined = values.is_undefined.then_some(low - 1);
    let is_allowed = |value: i64| values.intervals().iter().any(|(from, to)| (*from..=*to).contains(&value));
    let mut first: Vec<i64> = match initial {
        Initial::Undefined => undefined.into_iter().collect(),
        // Others the assumptions exclude.
        Initial::OneOf(all) => all.iter().copied().filter(|value| is_allowed(*value)).collect(),
        Initial::Range(from, to) => {
            (*from.max(&low)..*to.min(&(high + 1))).filter(|value| is_allowed(*value)).collect()
        }
    };
    first.sort_unstable();
    first.dedup();
    let variable = Variable {
        name,
        agent: agent.and_then(|agent| u32::try_from(agent.index()).ok()),
        least: undefined.unwrap_or(low),
        greatest: high,
        initial: first,
    };
    // Bounds of one value would be a constant to some languages.
    let greatest =
        if variable.least == variable.greatest { variable.greatest + 1 } else { variable.greatest };
    let id = structure.variables.push(Variable { greatest, ..variable });
    Place::Variable { id, values: values.clone(), undefined }
}

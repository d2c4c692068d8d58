//! Definitions: what is large and used more than once gets a name.

use paramcheck_text::index::{Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::Structure;
use crate::expression::{Definition, DefinitionId, Expression};
use crate::writers::bounds::of_expression;

use super::NotProgrammed;
use super::terms::size;

/// From how many parts on an expression gets a name.
const LARGE: usize = 16;
/// The most definitions.
const MAX_DEFINITIONS: usize = 20_000;
/// The most parts of all of them together.
const MAX_PARTS: usize = 2_000_000;

/// The definitions of a structure in the making.
pub(super) struct Definitions {
    /// The structure: its variables and arrays are all there.
    pub(super) structure: Structure,
    /// Whether nothing gets a name.
    pub(super) is_inlined: bool,
    known: FxHashMap<String, DefinitionId>,
    parts: usize,
}

impl Definitions {
    pub(super) fn new(structure: Structure) -> Definitions {
        Definitions { structure, is_inlined: false, known: FxHashMap::default(), parts: 0 }
    }

    /// The expression, by a name if it is large.
    pub(super) fn shared(&mut self, expression: Expression) -> Result<Expression, NotProgrammed> {
        let parts = size(&expression);
        if parts < LARGE {
            return Ok(expression);
        }
        let number = self.structure.definitions.len();
        self.named(&format!("value_{number}"), expression)
    }

    /// The expression by a name, unless it is one that needs none.
    pub(super) fn named(&mut self, name: &str, expression: Expression) -> Result<Expression, NotProgrammed> {
        let parts = size(&expression);
        if self.is_inlined && parts > MAX_PARTS {
            return Err(NotProgrammed::TooLarge);
        }
        if parts < 3 || self.is_inlined {
            return Ok(expression);
        }
        let is_condition = expression.is_condition();
        let by = |id| if is_condition { Expression::Truth(id) } else { Expression::Defined(id) };
        let key = format!("{expression:?}");
        if let Some(id) = self.known.get(&key) {
            return Ok(by(*id));
        }
        self.parts += parts;
        if self.parts > MAX_PARTS || self.structure.definitions.len() >= MAX_DEFINITIONS {
            return Err(NotProgrammed::TooLarge);
        }
        let bounds = own_bounds(&self.structure, &expression)?;
        let definition =
            Definition { name: name.to_owned(), value: expression, least: bounds.0, greatest: bounds.1 };
        let id = self.structure.definitions.push(definition);
        self.known.insert(key, id);
        Ok(by(id))
    }

    /// The structure, with the definitions that its triples, or one of `others`, use.
    pub(super) fn finish(mut self, others: &mut [&mut Expression]) -> Structure {
        let count = self.structure.definitions.len();
        let mut used = vec![false; count];
        let mut mark =
            |expression: &Expression| each_definition(expression, &mut |id| used[id.index()] = true);
        for triple in &self.structure.triples {
            mark(&triple.guard);
            triple.assignments.iter().for_each(|assignment| mark(&assignment.value));
        }
        others.iter().for_each(|other| mark(other));
        for number in (0..count).rev() {
            if used[number] {
                let value = &self.structure.definitions[DefinitionId::new(number)].value;
                each_definition(value, &mut |id| used[id.index()] = true);
            }
        }
        let mut next = 0;
        let numbers: Vec<usize> = used
            .iter()
            .map(|is_used| {
                next += usize::from(*is_used);
                next.saturating_sub(1)
            })
            .collect();
        let rename = |expression: &mut Expression| renumber(expression, &numbers);
        for triple in self.structure.triples.iter_mut() {
            rename(&mut triple.guard);
            triple.assignments.iter_mut().for_each(|assignment| rename(&mut assignment.value));
        }
        others.iter_mut().for_each(|other| rename(other));
        let mut definitions: IndexVec<DefinitionId, Definition> = IndexVec::new();
        for (id, definition) in self.structure.definitions.enumerate() {
            if used[id.index()] {
                let mut definition = definition.clone();
                rename(&mut definition.value);
                definitions.push(definition);
            }
        }
        self.structure.definitions = definitions;
        self.structure
    }
}

/// The least and the greatest number that an expression may be.
fn own_bounds(structure: &Structure, expression: &Expression) -> Result<(i64, i64), NotProgrammed> {
    if expression.is_condition() {
        return Ok((0, 1));
    }
    let bounds = of_expression(structure, expression).map_err(|_| NotProgrammed::TooLarge)?;
    let fit = |number: i128| i64::try_from(number).map_err(|_| NotProgrammed::TooLarge);
    Ok((fit(bounds.least)?, fit(bounds.greatest)?))
}

fn each_definition(expression: &Expression, each: &mut impl FnMut(DefinitionId)) {
    match expression {
        Expression::Defined(id) | Expression::Truth(id) => each(*id),
        Expression::Constant(_) | Expression::Variable(_) | Expression::At(..) => {}
        Expression::Not(inner)
        | Expression::Negate(inner)
        | Expression::Element(_, inner)
        | Expression::Known(inner, ..) => each_definition(inner, each),
        Expression::Binary(_, left, right) => {
            each_definition(left, each);
            each_definition(right, each);
        }
        Expression::If(parts) => parts.iter().for_each(|part| each_definition(part, each)),
    }
}

fn renumber(expression: &mut Expression, numbers: &[usize]) {
    match expression {
        Expression::Defined(id) | Expression::Truth(id) => *id = DefinitionId::new(numbers[id.index()]),
        Expression::Constant(_) | Expression::Variable(_) | Expression::At(..) => {}
        Expression::Not(inner)
        | Expression::Negate(inner)
        | Expression::Element(_, inner)
        | Expression::Known(inner, ..) => renumber(inner, numbers),
        Expression::Binary(_, left, right) => {
            renumber(left, numbers);
            renumber(right, numbers);
        }
        Expression::If(parts) => parts.iter_mut().for_each(|part| renumber(part, numbers)),
    }
}

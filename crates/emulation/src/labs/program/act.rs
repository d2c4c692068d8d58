//! What agents do: a triple for each way to choose in it, with what it assigns.

use crate::expression::{Expression, VariableId};
use crate::labs::code::{Choices, Code};
use crate::labs::compile::{ActionCode, PlaceCode, StatementCode};
use crate::labs::machine::Prepared;

use super::NotProgrammed;
use super::cells::Cells;
use super::define::Definitions;
use super::terms::{FALSE, TRUE, all, and, not, or};
use super::value::{Evaluator, Value};
use paramcheck_labs::number::Width;

/// The most triples.
pub(super) const MAX_TRIPLES: usize = 20_000;

/// One way to carry out a triple.
pub(super) struct Way {
    /// Where it is possible, and causes no fault.
    pub(super) alive: Expression,
    /// Where it leaves the language, or the room of a variable.
    pub(super) fault: Expression,
    /// What is assigned to cells.
    pub(super) assigned: Vec<(VariableId, Expression)>,
}

/// How far a step has come: where it goes on, and where it has failed.
struct Progress {
    alive: Expression,
    fault: Expression,
}

impl Progress {
    /// It goes on where `holds`, and a value was found without fault.
    fn then(&mut self, value: &Value, holds: Expression) {
        self.fault = or(self.fault.clone(), and(self.alive.clone(), value.fault.clone()));
        self.alive = all([self.alive.clone(), not(value.fault.clone()), not(value.blocked.clone()), holds]);
    }
}

/// All ways to carry out a triple.
pub(super) fn ways(
    triple: &Prepared,
    cells: &Cells,
    width: Width,
    definitions: &mut Definitions,
) -> Result<Vec<Way>, NotProgrammed> {
    let mut choices = Choices::default();
    choices.reset();
    let mut all = Vec::new();
    loop {
        all.push(way(triple, cells.clone(), width, &mut choices, definitions)?);
        if all.len() > MAX_TRIPLES {
            return Err(NotProgrammed::Choices);
        }
        if !choices.next() {
            return Ok(all);
        }
    }
}

fn way(
    triple: &Prepared,
    mut cells: Cells,
    width: Width,
    choices: &mut Choices,
    definitions: &mut Definitions,
) -> Result<Way, NotProgrammed> {
    let mut progress = Progress { alive: TRUE, fault: FALSE };
    for (guard, is_positive) in &triple.guards {
        let mut evaluator =
            Evaluator { cells: &cells, locals: &[], choices: Some(choices), definitions, width };
        let value = evaluator.value(guard)?;
        let holds = value.is_true();
        progress.then(&value, if *is_positive { holds } else { not(holds) });
    }
    if let Some(action) = &triple.action {
        execute(action, &mut cells, width, choices, definitions, &mut progress)?;
    }
    let (mut assigned, fits) = cells.assigned();
    let fits = definitions.shared(fits)?;
    let fault = or(progress.fault, and(progress.alive.clone(), not(fits.clone())));
    let alive = and(progress.alive, fits);
    for (_, value) in &mut assigned {
        *value = definitions.shared(std::mem::replace(value, FALSE))?;
    }
    Ok(Way { alive: definitions.shared(alive)?, fault: definitions.shared(fault)?, assigned })
}

fn execute(
    action: &ActionCode,
    cells: &mut Cells,
    width: Width,
    choices: &mut Choices,
    definitions: &mut Definitions,
    progress: &mut Progress,
) -> Result<(), NotProgrammed> {
    let mut locals = vec![Value::undefined(); action.locals];
    for statement in &action.statements {
        match statement {
            StatementCode::Assign(all) => {
                let mut assigned: Vec<(&PlaceCode, Option<Value>, Value)> = Vec::new();
                for (place, code) in all {
                    let mut evaluator = Evaluator {
                        cells,
                        locals: &locals,
                        choices: Some(&mut *choices),
                        definitions: &mut *definitions,
                        width,
                    };
                    let flat = match place {
                        PlaceCode::Element(array, indices) => {
                            let flat = evaluator.flat(array, indices)?;
                            progress.then(&flat, flat.defined.clone());
                            Some(flat)
                        }
                        PlaceCode::Nowhere => return Err(NotProgrammed::NoVariable),
                        PlaceCode::Cell(_) | PlaceCode::Local(_) => None,
                    };
                    let value = evaluator.value(code)?;
                    progress.then(&value, value.defined.clone());
                    assigned.push((place, flat, value));
                }
                for (place, flat, value) in assigned {
                    // Where the step goes on there is a number.
                    let value = Value { defined: TRUE, fault: FALSE, blocked: FALSE, ..value };
                    match (place, flat) {
                        (PlaceCode::Cell(cell), _) => cells.write(*cell, &value),
                        (PlaceCode::Local(local), _) => locals[*local] = value,
                        (PlaceCode::Element(array, _), Some(flat)) => {
                            let size = array.extents.iter().product();
                            cells.write_element(array.first, size, &flat, &value);
                        }
                        _ => {}
                    }
                }
            }
            StatementCode::Pick { local, count, candidates } => {
                let mut fits = Vec::new();
                for (candidate, condition) in candidates {
                    let holds = match condition {
                        None => TRUE,
                        Some(condition) => {
                            let mut evaluator = Evaluator {
                                cells,
                                locals: &locals,
                                choices: Some(&mut *choices),
                                definitions: &mut *definitions,
                                width,
                            };
                            let value = evaluator.value(condition)?;
                            progress.then(&value, TRUE);
                            value.is_true()
                        }
                    };
                    fits.push((*candidate, holds));
                }
                if fits.len() < *count {
                    progress.alive = FALSE;
                    continue;
                }
                for position in 0..*count {
                    let chosen = choices.choose(fits.len() as u64);
                    let (candidate, holds) = fits.remove(usize::try_from(chosen).unwrap_or(0));
                    progress.alive = and(progress.alive.clone(), holds);
                    locals[local + position] = Value::constant(candidate);
                }
            }
        }
    }
    Ok(())
}

/// The value of code about the store alone, in which nothing is chosen.
pub(super) fn of_store(
    code: &Code,
    cells: &Cells,
    width: Width,
    definitions: &mut Definitions,
) -> Result<Value, NotProgrammed> {
    Evaluator { cells, locals: &[], choices: None, definitions, width }.value(code)
}

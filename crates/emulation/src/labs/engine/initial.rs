//! Initial states: every combination of initial values that the assumptions allow.

use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::Monitor;
use crate::labs::Unfit;
use crate::labs::machine::Machine;
use crate::labs::step::Scratch;
use crate::labs::word::{UNDEFINED, fault, is_halt, is_true};

/// How many combinations lie between two looks at the budget.
const PACE: u64 = 1 << 12;

/// The fields of a state with nothing pending, all else as in the beginning; the values of cells are to come.
pub(crate) fn fields(machine: &Machine<'_>) -> Vec<i64> {
    let mut fields = vec![0; machine.scope + 1];
    for agent in &machine.agents {
        fields[agent.counter] = agent.initial;
    }
    for tuple in &machine.tuples {
        for (rank, copy) in (0..).zip(&tuple.copies) {
            fields[copy.rank] = rank;
        }
    }
    fields
}

/// Whether the assumptions allow the values of the cells.
///
/// # Errors
/// An assumption has no value.
pub(crate) fn is_allowed(machine: &Machine<'_>, scratch: &mut Scratch) -> Result<bool, Unfit> {
    for assumption in &machine.assumptions {
        let word = scratch.formula(assumption, machine.width());
        if is_halt(word) {
            return Err(fault(word).map_or(Unfit::Foreign, Unfit::Assumption));
        }
        if !is_true(word) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The initial states, each once, and whether there are more than `max`: then these are not all.
pub(super) fn states<S: State>(
    machine: &Machine<'_>,
    monitor: Option<&Monitor>,
    max: usize,
    budget: &Budget,
) -> Result<(Vec<S>, bool), Unfit> {
    let mut states: Vec<S> = Vec::new();
    each(machine, budget, |scratch| {
        if let Some(monitor) = monitor {
            scratch.fields[machine.scope] = 0;
            monitor.advance(machine, scratch);
        }
        states.push(machine.layout.pack(&scratch.fields).ok_or(Unfit::NoRoom)?);
        scratch.changed.clear();
        Ok(states.len() <= max)
    })?;
    let is_cut = states.len() > max;
    states.sort_unstable();
    states.dedup();
    Ok((states, is_cut))
}

/// Calls with the fields of each combination of initial values that the assumptions allow, as long as it says so.
pub(crate) fn each(
    machine: &Machine<'_>,
    budget: &Budget,
    mut each: impl FnMut(&mut Scratch) -> Result<bool, Unfit>,
) -> Result<(), Unfit> {
    let initial = &machine.system.initial;
    let mut scratch = Scratch::of(fields(machine));
    let mut numbers = vec![0u64; initial.len()];
    for (cell, values) in initial.iter().enumerate() {
        scratch.fields[cell] = values.value(0).unwrap_or(UNDEFINED);
    }
    let mut tried = 0;
    loop {
        if tried % PACE == 0 {
            budget.check().map_err(Unfit::Stopped)?;
        }
        tried += 1;
        if is_allowed(machine, &mut scratch)? && !each(&mut scratch)? {
            return Ok(());
        }
        let mut cells = (0..initial.len()).rev();
        let is_over = cells.all(|cell| {
            numbers[cell] += 1;
            let is_kept = machine.kept.as_ref().is_none_or(|kept| kept[cell]);
            let is_over = !is_kept || numbers[cell] >= initial[cell].count();
            if is_over {
                numbers[cell] = 0;
            }
            scratch.fields[cell] = initial[cell].value(numbers[cell]).unwrap_or(UNDEFINED);
            is_over
        });
        if is_over {
            return Ok(());
        }
    }
}

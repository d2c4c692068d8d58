//! Which values a cell may have in reachable states.

use paramcheck_labs::model::{Initial, Statement, System, Target};
use paramcheck_labs::number::Width;

use super::values::Values;

/// Per cell of a system the values it may have.
pub fn analyse(system: &System, width: Width) -> Vec<Values> {
    let mut values: Vec<Values> = system.initial.iter().map(initial).collect();
    let (low, high) = width.bounds();
    let mut assigned = vec![false; values.len()];
    for action in system.actions.iter() {
        for statement in &action.statements {
            let Statement::Assign(all) = statement else { continue };
            for (target, _) in all {
                match target {
                    Target::Environment(at, _) => {
                        let variable = &system.environment[*at];
                        assigned[variable.offset..variable.offset + variable.size()].fill(true);
                    }
                    Target::Own(name, _) => {
                        for (agent, kind) in system.agents.enumerate() {
                            if let Some(place) = &system.names[*name].places[*kind] {
                                let first = system.first_cells[agent] + place.offset;
                                assigned[first..first + place.size()].fill(true);
                            }
                        }
                    }
                    Target::Local(_) => {}
                }
            }
        }
    }
    for (values, is_assigned) in values.iter_mut().zip(&assigned) {
        if *is_assigned {
            values.add(low, high);
        }
    }
    for tuple in system.tuples.indices() {
        let holders: Vec<_> = system.holders(tuple).collect();
        for from in &holders {
            for to in &holders {
                let cells: Vec<_> = system.cells_of(tuple, *from).zip(system.cells_of(tuple, *to)).collect();
                for (from, to) in cells {
                    let sent = values[from].clone();
                    values[to].join(&sent);
                }
            }
        }
    }
    values
}

/// The initial values of a cell.
pub fn initial(initial: &Initial) -> Values {
    match initial {
        Initial::Undefined => Values::undefined(),
        Initial::OneOf(all) => {
            let mut values = Values::none();
            all.iter().for_each(|one| values.add(*one, *one));
            values
        }
        Initial::Range(low, high) => Values::between(*low, high.saturating_sub(1)),
    }
}

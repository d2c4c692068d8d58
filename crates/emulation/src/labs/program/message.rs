//! Messages: an agent sends what it has of a tuple. There is a triple without program counter for each agent,
//! tuple and kind of message.

use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::Semantics;

use crate::expression::{Expression, VariableId};
use crate::labs::machine::Machine;

use super::NotProgrammed;
use super::act::of_store;
use super::cells::Cells;
use super::define::Definitions;
use super::shared::{Shared, levelled, variable};
use super::terms::{FALSE, TRUE, and, any, choose, equal, less, not};

/// What sending does.
pub(super) struct Sent {
    /// Where a link has a fault.
    pub(super) fault: Expression,
    /// What is assigned.
    pub(super) assigned: Vec<(VariableId, Expression)>,
}

/// The holder at this position sends its copy of a tuple: propagated, or as a question.
pub(super) fn sent(
    machine: &Machine<'_>,
    (tuple, own): (usize, usize),
    is_confirm: bool,
    (cells, shared): (&Cells, &Shared),
    width: Width,
    definitions: &mut Definitions,
) -> Result<Sent, NotProgrammed> {
    let holders = &machine.tuples[tuple];
    let copies = &shared.copies[tuple];
    let name = format!("{}_{tuple}{}", holders.copies[own].agent, if is_confirm { "_confirm" } else { "" });
    let mut assigned = Vec::new();
    let sent = if is_confirm { copies[own].confirm } else { copies[own].propagate };
    assigned.extend(sent.map(|bit| (bit, FALSE)));
    let mut fault = FALSE;
    let mut older = Vec::new();
    for (position, holder) in holders.copies.iter().enumerate() {
        let (Some(mine), Some(theirs)) = (copies[own].rank, copies[position].rank) else {
            older.push(FALSE);
            continue;
        };
        if position == own {
            older.push(FALSE);
            continue;
        }
        let is_older = less(variable(theirs), variable(mine));
        let may = match (is_confirm, machine.rules.semantics) {
            (false, _) => is_older.clone(),
            (true, Semantics::Paper) => TRUE,
            (true, Semantics::Sliver) => not(equal(variable(theirs), variable(mine))),
        };
        let link = of_store(holders.link(own, position), cells, width, definitions)?;
        fault = any([fault, and(may.clone(), link.fault.clone())]);
        let hears = definitions.named(&format!("hears_{name}_{position}"), and(may, link.is_true()))?;
        let takes = match is_confirm {
            true => {
                let takes = and(hears.clone(), is_older);
                definitions.named(&format!("takes_{name}_{position}"), takes)?
            }
            false => hears.clone(),
        };
        if let Some(bit) = copies[position].propagate {
            assigned.push((bit, choose(hears, TRUE, variable(bit))));
        }
        if let Some(bit) = copies[position].confirm {
            assigned.push((bit, choose(takes.clone(), FALSE, variable(bit))));
        }
        assigned.extend(cells.copied(&holders.copies[own].cells, &holder.cells, &takes));
        older.push(takes);
    }
    assigned.extend(levelled(copies, own, &older, &name, definitions)?);
    Ok(Sent { fault: definitions.shared(fault)?, assigned })
}

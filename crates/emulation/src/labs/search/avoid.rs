//! Runs that go through some states alone and for ever, or end there: depth first, on the fly.

use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::{Kind, States, Staying};
use crate::labs::engine::{Options, Reason};
use crate::labs::space::Space;

const NEW: u32 = 0;
const OPEN: u32 = 1;
const CLOSED: u32 = 2;

/// Looks for a run that begins in one of `starts`, all of which are inside, and stays inside.
pub(super) fn avoid<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    options: &Options,
    budget: &Budget,
) -> Result<Staying<S>, Reason> {
    let mut states = States::new(space, options, budget);
    // The run: its states, and where the successors begin that are still to be visited.
    let mut run: Vec<(u32, usize)> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    let mut has_fault = false;
    for start in starts {
        let (number, _) = states.add(&start, start.hash())?;
        if states.table.mark(number) != NEW {
            continue;
        }
        pending.push(number);
        loop {
            let bottom = run.last().map_or(0, |(_, begin)| *begin);
            if pending.len() == bottom {
                let Some((number, _)) = run.pop() else { break };
                states.table.set_mark(number, CLOSED);
                continue;
            }
            let Some(number) = pending.pop() else { break };
            if states.table.mark(number) != NEW {
                continue;
            }
            states.table.set_mark(number, OPEN);
            run.push((number, pending.len()));
            let mut back = None;
            let extra = pending.capacity() * 4 + run.capacity() * 16;
            let count = states.expand(number, extra, |table, state, to, is_new| {
                if is_new {
                    let has_left = space.machine.layout.fault(state).is_some();
                    match kind(state) {
                        _ if has_left => table.set_mark(to, CLOSED),
                        Kind::Inside => {}
                        Kind::Outside => table.set_mark(to, CLOSED),
                        Kind::WithoutValue(_) => {
                            has_fault = true;
                            table.set_mark(to, CLOSED);
                        }
                    }
                }
                match table.mark(to) {
                    NEW => pending.push(to),
                    OPEN => back = Some(to),
                    _ => {}
                }
            })?;
            if count == 0 {
                return Ok(Staying::End(states.table.get(number).clone()));
            }
            if let Some(back) = back {
                let from = run.iter().position(|(number, _)| *number == back).unwrap_or(0);
                let cycle = run[from..].iter().map(|(number, _)| states.table.get(*number).clone());
                return Ok(Staying::Round(cycle.collect()));
            }
        }
    }
    let is_left = has_fault || states.fault.is_some();
    Ok(if is_left { Staying::Fault } else { Staying::None(states.table.len() as u64) })
}

//! Shortest paths between given states, breadth first.

use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_text::limits::Budget;

use super::{Kind, States};
use crate::labs::engine::{Options, Reason};
use crate::labs::space::Space;
use crate::labs::step::Scratch;

/// States, and the actions that lead to them.
pub(crate) type Path<S> = Vec<(Option<u32>, S)>;

/// A shortest path from one of `starts` through states inside to one that is wanted; of a path that may not be
/// empty, the first state counts only when it is come back to.
pub(crate) fn path<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    is_wanted: impl Fn(&S) -> bool,
    may_be_empty: bool,
    options: &Options,
    budget: &Budget,
) -> Result<Option<Path<S>>, Reason> {
    let mut states = States::new(space, options, budget);
    let mut found = None;
    for start in starts {
        let (number, is_new) = states.add(&start, start.hash())?;
        if is_new {
            // Its own parent, as no other is.
            states.table.set_mark(number, number);
            if may_be_empty && is_wanted(&start) {
                found = found.or(Some((number, None)));
            }
        }
    }
    let mut next = 0;
    while found.is_none() && (next as usize) < states.table.len() {
        let from = next;
        next += 1;
        let state = states.table.get(from);
        let is_start = states.table.mark(from) == from;
        if !is_start && kind(state) != Kind::Inside {
            continue;
        }
        states.expand(from, 0, |table, state, to, is_new| {
            if is_new {
                table.set_mark(to, from);
            }
            if found.is_none() && (is_new || !may_be_empty) && is_wanted(state) {
                found = Some((from, Some(to)));
            }
        })?;
    }
    let Some((mut at, last)) = found else { return Ok(None) };
    let mut numbers: Vec<u32> = last.into_iter().collect();
    numbers.push(at);
    while states.table.mark(at) != at {
        at = states.table.mark(at);
        numbers.push(at);
    }
    numbers.reverse();
    let states: Vec<S> = numbers.iter().map(|number| states.table.get(*number).clone()).collect();
    Ok(Some(labelled(space, states)))
}

/// The actions that lead from each state to the next.
pub(crate) fn labelled<S: State>(space: &Space<'_, S>, states: Vec<S>) -> Path<S> {
    let mut scratch = Scratch::default();
    let mut path: Path<S> = Vec::with_capacity(states.len());
    for state in states {
        let action = path.last().and_then(|(_, before)| {
            let mut action = None;
            space.successors(before, None, &mut scratch, &mut |by, next| {
                if action.is_none() && next == state {
                    action = Some(by);
                }
            });
            action
        });
        path.push((action, state));
    }
    path
}

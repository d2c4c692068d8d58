//! The strongly connected components of a part of the state space, each after all that it leads to.
//!
//! They are found depth first (Gabow's algorithm: the states of the run and what hangs together with them on one
//! stack, where components begin on another). What is looked for in them is the caller's to say ([`Visitor`]).

use paramcheck_nets::explore::system::State;

use super::States;
use crate::labs::engine::Reason;

/// Not visited. Else the position on the stack of those that hang together, plus 1.
const NEW: u32 = 0;
/// Its component is known, or it is not gone through.
const FINISHED: u32 = u32::MAX;
/// Its component is known, and leads to trapped ones alone.
pub(crate) const TRAPPED: u32 = u32::MAX - 1;

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    /// It does; the component found is *trapped*: none of its states, and nothing behind them, is good.
    Trapped,
    Over,
}

/// A component, as it is found.
pub(crate) struct Component<'c> {
    /// Its states, by number.
    pub(crate) states: &'c [u32],
    /// The mark of the first; others have greater ones, and no other state has, but those that are finished.
    first: u32,
    /// Whether one of its states leads to a state that is finished, or was called good.
    pub(crate) is_good: bool,
}

impl Component<'_> {
    /// Whether a state with this mark is one of it, while it is found.
    pub(crate) fn has(&self, mark: u32) -> bool {
        mark >= self.first && mark < TRAPPED
    }
}

/// What is done with states and components.
pub(crate) trait Visitor<S: State> {
    /// Whether a state is gone through.
    fn goes_through(&mut self, state: &S) -> bool;

    /// A state is visited that has so many successors: whether the search goes on, and whether the state is good.
    fn enters(&mut self, state: &S, successors: usize) -> (Flow, bool);

    /// A component is found.
    fn finds(&mut self, states: &mut States<'_, '_, S>, component: &Component<'_>) -> Result<Flow, Reason>;
}

struct Frame {
    number: u32,
    /// Where its successors begin that are still to be visited.
    begin: usize,
    is_good: bool,
}

/// Visits what can be reached from `starts`.
pub(crate) fn visit<S: State>(
    states: &mut States<'_, '_, S>,
    starts: impl IntoIterator<Item = S>,
    visitor: &mut impl Visitor<S>,
) -> Result<(), Reason> {
    let mut run: Vec<Frame> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    let mut together: Vec<u32> = Vec::new();
    let mut begins: Vec<u32> = Vec::new();
    for start in starts {
        let (number, is_new) = states.add(&start, start.hash())?;
        if is_new && !visitor.goes_through(&start) {
            states.table.set_mark(number, FINISHED);
        }
        if states.table.mark(number) != NEW {
            continue;
        }
        pending.push(number);
        loop {
            let bottom = run.last().map_or(0, |frame| frame.begin);
            if pending.len() == bottom {
                let Some(frame) = run.pop() else { break };
                let own = states.table.mark(frame.number);
                let mut is_good = frame.is_good;
                if begins.last() == Some(&own) {
                    begins.pop();
                    let members = together.split_off(own as usize - 1);
                    let component = Component { states: &members, first: own, is_good };
                    let flow = visitor.finds(states, &component)?;
                    if flow == Flow::Over {
                        return Ok(());
                    }
                    let is_trapped = flow == Flow::Trapped;
                    let mark = if is_trapped { TRAPPED } else { FINISHED };
                    members.iter().for_each(|number| states.table.set_mark(*number, mark));
                    is_good = !is_trapped;
                }
                if let Some(frame) = run.last_mut() {
                    frame.is_good |= is_good;
                }
                continue;
            }
            let Some(number) = pending.pop() else { break };
            let known = states.table.mark(number);
            if known != NEW {
                // It was visited from another successor.
                if known == FINISHED {
                    run.iter_mut().next_back().into_iter().for_each(|frame| frame.is_good = true);
                } else if known != TRAPPED {
                    collapse(&mut begins, known);
                }
                continue;
            }
            together.push(number);
            let own = together.len() as u32;
            states.table.set_mark(number, own);
            begins.push(own);
            let mut is_good = false;
            let begin = pending.len();
            let extra =
                (pending.capacity() + together.capacity() * 2) * 4 + run.capacity() * size_of::<Frame>();
            let layout = &states.space.machine.layout;
            let successors = states.expand(number, extra, |table, state, to, is_new| {
                if is_new && (layout.fault(state).is_some() || !visitor.goes_through(state)) {
                    table.set_mark(to, FINISHED);
                }
                match table.mark(to) {
                    NEW => pending.push(to),
                    FINISHED => is_good = true,
                    TRAPPED => {}
                    known => collapse(&mut begins, known),
                }
            })?;
            let (flow, is_called_good) = visitor.enters(states.table.get(number), successors);
            if flow == Flow::Over {
                return Ok(());
            }
            run.push(Frame { number, begin, is_good: is_good || is_called_good });
        }
    }
    Ok(())
}

/// All from a state of the run on hang together.
#[inline]
fn collapse(begins: &mut Vec<u32>, known: u32) {
    while begins.last().is_some_and(|begin| *begin > known) {
        begins.pop();
    }
}

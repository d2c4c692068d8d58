//! States from which some states can't be reached: *terminal components*, strongly connected components of the
//! state space that no transition leaves.
//!
//! Components are found depth first (Gabow's algorithm: the states of the run and what hangs together with them on
//! one stack, where components begin on another), each after all that it leads to. So as long as no terminal one
//! was found without a state outside, all that leads to a finished component can reach one.

use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::{Kind, States};
use crate::labs::engine::{Options, Reason};
use crate::labs::space::Space;

/// What was found.
#[derive(Clone, Debug)]
pub(crate) enum Found<S> {
    /// These lead to one another and nowhere else.
    Terminal(Vec<S>),
    /// There is none; so many states were seen.
    None(u64),
    /// A run leaves the language, or a formula has no value; none was found.
    Fault,
}

/// Not visited. Else the position on the stack of those that hang together, plus 1.
const NEW: u32 = 0;
/// A state outside can be reached from it.
const FINISHED: u32 = u32::MAX;

struct Frame {
    number: u32,
    /// Where its successors begin that are still to be visited.
    begin: usize,
    /// Whether it leads outside.
    is_good: bool,
}

/// Looks for a terminal component that can be reached from `starts` and has no state outside. `goes_on` is whether states outside
/// are gone through as well.
pub(crate) fn terminal<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    goes_on: bool,
    options: &Options,
    budget: &Budget,
) -> Result<Found<S>, Reason> {
    let mut states = States::new(space, options, budget);
    let mut run: Vec<Frame> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    let mut together: Vec<u32> = Vec::new();
    let mut begins: Vec<u32> = Vec::new();
    let mut has_fault = false;
    let mut mark = |state: &S| match kind(state) {
        Kind::Outside if !goes_on => FINISHED,
        Kind::Inside | Kind::Outside => NEW,
        Kind::WithoutValue(_) => {
            has_fault = true;
            FINISHED
        }
    };
    for start in starts {
        let (number, is_new) = states.add(&start, start.hash())?;
        if is_new {
            states.table.set_mark(number, mark(&start));
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
                    let component = together.split_off(own as usize - 1);
                    if !is_good {
                        let all = component.iter().map(|number| states.table.get(*number).clone());
                        return Ok(Found::Terminal(all.collect()));
                    }
                    component.iter().for_each(|number| states.table.set_mark(*number, FINISHED));
                    is_good = true;
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
                } else {
                    collapse(&mut begins, known);
                }
                continue;
            }
            together.push(number);
            let own = together.len() as u32;
            states.table.set_mark(number, own);
            begins.push(own);
            let mut is_good = goes_on && kind(states.table.get(number)) == Kind::Outside;
            let begin = pending.len();
            let extra =
                (pending.capacity() + together.capacity() * 2) * 4 + run.capacity() * size_of::<Frame>();
            states.expand(number, extra, |table, state, to, is_new| {
                if is_new {
                    let has_left = space.machine.layout.fault(state).is_some();
                    table.set_mark(to, if has_left { FINISHED } else { mark(state) });
                }
                match table.mark(to) {
                    NEW => pending.push(to),
                    FINISHED => is_good = true,
                    known => collapse(&mut begins, known),
                }
            })?;
            run.push(Frame { number, begin, is_good });
        }
    }
    let is_left = has_fault || states.fault.is_some();
    Ok(if is_left { Found::Fault } else { Found::None(states.table.len() as u64) })
}

/// All from a state of the run on hang together.
#[inline]
fn collapse(begins: &mut Vec<u32>, known: u32) {
    while begins.last().is_some_and(|begin| *begin > known) {
        begins.pop();
    }
}

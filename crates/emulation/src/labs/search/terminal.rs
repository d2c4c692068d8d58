//! States from which some states can't be reached: they make up *trapped* components, strongly connected
//! components of the state space which have no such state and lead to trapped ones alone. From each a *terminal* one
//! is reached, which no transition leaves.
//!
//! Components come each after all that it leads to. So whether one is trapped is known when it is found, and the
//! first trapped one is terminal.

use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::components::{Component, Flow, TRAPPED, Visitor, visit};
use super::{Kind, States};
use crate::labs::engine::{Options, Reason};
use crate::labs::space::Space;

/// After the first trapped component the search goes on until as many states more were visited, and so many: what is
/// found then may be nearer.
const MORE_STATES: usize = 10_000;

/// The most states behind the end of a run that are counted.
const MAX_BEHIND: usize = 100_000;

/// What was found.
#[derive(Clone, Debug)]
pub(crate) enum Found<S> {
    /// None of these, and nothing behind them, is outside.
    Trapped {
        /// A terminal component.
        terminal: Vec<S>,
        /// All that were found, these among them.
        all: Vec<S>,
    },
    /// There is none; so many states were seen.
    None(u64),
    /// A run leaves the language, or a formula has no value; none was found.
    Fault,
}

/// Looks for states that can be reached from `starts` and from which none outside can. `goes_on` is whether states
/// outside are gone through as well.
pub(crate) fn terminal<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    goes_on: bool,
    options: &Options,
    budget: &Budget,
) -> Result<Found<S>, Reason> {
    let mut states = States::new(space, options, budget);
    let mut search = Terminal { kind, goes_on, has_fault: false, found: None, visited: 0, last: usize::MAX };
    let ended = visit(&mut states, starts, &mut search);
    Ok(match search.found {
        // What was to come is not needed.
        Some(terminal) => {
            let numbers = 0..u32::try_from(states.table.len()).unwrap_or(u32::MAX);
            let trapped = numbers.filter(|number| states.table.mark(*number) == TRAPPED);
            let all = trapped.map(|number| states.table.get(number).clone()).collect();
            Found::Trapped { terminal, all }
        }
        None => {
            ended?;
            match search.has_fault || states.fault.is_some() {
                true => Found::Fault,
                false => Found::None(states.table.len() as u64),
            }
        }
    })
}

/// How many states can be reached from one, itself among them; nothing, if they are many.
pub(crate) fn behind<S: State>(
    space: &Space<'_, S>,
    from: &S,
    options: &Options,
    budget: &Budget,
) -> Option<u64> {
    let mut states = States::new(space, options, budget);
    states.add(from, from.hash()).ok()?;
    let mut next = 0;
    while (next as usize) < states.table.len() {
        if states.table.len() > MAX_BEHIND {
            return None;
        }
        states.expand(next, 0, |_, _, _, _| {}).ok()?;
        next += 1;
    }
    Some(states.table.len() as u64)
}

struct Terminal<S, K> {
    kind: K,
    goes_on: bool,
    has_fault: bool,
    found: Option<Vec<S>>,
    /// How many states were visited, and after how many the search is over.
    visited: usize,
    last: usize,
}

impl<S: State, K: Fn(&S) -> Kind> Visitor<S> for Terminal<S, K> {
    fn goes_through(&mut self, state: &S) -> bool {
        match (self.kind)(state) {
            Kind::Inside => true,
            Kind::Outside => self.goes_on,
            Kind::WithoutValue(_) => {
                self.has_fault = true;
                false
            }
        }
    }

    fn enters(&mut self, state: &S, _: usize) -> (Flow, bool) {
        self.visited += 1;
        let flow = if self.visited > self.last { Flow::Over } else { Flow::On };
        (flow, self.goes_on && (self.kind)(state) == Kind::Outside)
    }

    fn finds(&mut self, states: &mut States<'_, '_, S>, component: &Component<'_>) -> Result<Flow, Reason> {
        if component.is_good {
            return Ok(Flow::On);
        }
        if self.found.is_none() {
            let members = component.states.iter();
            self.found = Some(members.map(|number| states.table.get(*number).clone()).collect());
            self.last = self.visited * 2 + MORE_STATES;
        }
        Ok(Flow::Trapped)
    }
}

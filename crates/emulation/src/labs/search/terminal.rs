//! States from which some states can't be reached: *terminal components*, strongly connected components of the
//! state space that no transition leaves.
//!
//! Components come each after all that it leads to. So as long as no terminal one was found without a state
//! outside, all that leads to a finished component can reach one.

use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::components::{Component, Flow, Visitor, visit};
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

/// Looks for a terminal component that can be reached from `starts` and has no state outside. `goes_on` is whether
/// states outside are gone through as well.
pub(crate) fn terminal<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    goes_on: bool,
    options: &Options,
    budget: &Budget,
) -> Result<Found<S>, Reason> {
    let mut states = States::new(space, options, budget);
    let mut search = Terminal { kind, goes_on, has_fault: false, found: None };
    visit(&mut states, starts, &mut search)?;
    Ok(match search.found {
        Some(component) => Found::Terminal(component),
        None if search.has_fault || states.fault.is_some() => Found::Fault,
        None => Found::None(states.table.len() as u64),
    })
}

struct Terminal<S, K> {
    kind: K,
    goes_on: bool,
    has_fault: bool,
    found: Option<Vec<S>>,
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
        (Flow::On, self.goes_on && (self.kind)(state) == Kind::Outside)
    }

    fn finds(&mut self, states: &mut States<'_, '_, S>, component: &Component<'_>) -> Result<Flow, Reason> {
        if component.is_good {
            return Ok(Flow::On);
        }
        self.found = Some(component.states.iter().map(|number| states.table.get(*number).clone()).collect());
        Ok(Flow::Over)
    }
}

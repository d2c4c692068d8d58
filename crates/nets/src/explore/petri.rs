//! The net of an instance as a transition system: markings are states, net transitions are actions.
//!
//! Here nets meet the engine, which does not know them: a component is a field of a packed state, its state
//! the field's value.

use std::sync::OnceLock;

use crate::explore::pack::{Cubes, FieldId, Layout, Value};
use crate::explore::redundant::After;
use crate::explore::system::{State, TransitionSystem};
use crate::instance::marking::Marking;
use crate::instance::net::{ComponentId, Net};
use paramcheck_model::component::StateId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

impl From<ComponentId> for FieldId {
    fn from(component: ComponentId) -> FieldId {
        FieldId::new(component.index())
    }
}

impl From<StateId> for Value {
    fn from(state: StateId) -> Value {
        Value::new(state.index())
    }
}

impl From<Value> for StateId {
    fn from(value: Value) -> StateId {
        StateId::new(value.index())
    }
}

impl Layout {
    /// The layout for markings of `net`.
    pub fn new(net: &Net) -> Layout {
        Layout::of_counts(net.components().iter().map(|component| component.state_count))
    }

    /// `marking`, packed.
    pub fn pack<S: State>(&self, marking: &Marking) -> S {
        let mut state = S::zero(self.words());
        marking.enumerate().for_each(|(component, &value)| self.set(&mut state, component, value));
        state
    }

    /// The marking that `state` is.
    pub fn unpack<S: State>(&self, state: &S) -> Marking {
        self.fields().map(|field| self.get(state, field).into()).collect()
    }
}

/// A net, prepared to be explored. An action's number is its transition's.
#[derive(Clone, Debug)]
pub struct NetSystem<'a, S: State> {
    net: &'a Net,
    layout: &'a Layout,
    /// The transitions' pre-sets.
    enabled: Cubes,
    /// Per transition what it changes.
    deltas: Vec<S::Delta>,
    /// Those to be fired after each.
    after: After,
    /// The same, but fewer: for a large search.
    refined: OnceLock<After>,
    budget: Budget,
}

/// With as many states a search is large: a closer look at the net pays.
const MIN_LARGE_SEARCH: usize = 1 << 11;

impl<'a, S: State> NetSystem<'a, S> {
    /// `net` with its markings packed by `layout`, which was made for it.
    ///
    /// # Errors
    /// `budget` ended before it was prepared.
    pub fn new(net: &'a Net, layout: &'a Layout, budget: &Budget) -> Result<Self, Stop> {
        let mut step = budget.pace();
        let mut pre_sets: Vec<Vec<_>> = Vec::with_capacity(net.transitions().len());
        let mut deltas = Vec::with_capacity(net.transitions().len());
        for transition in net.transitions() {
            step()?;
            pre_sets.push(transition.moves.iter().map(|m| (m.component.into(), m.from.into())).collect());
            let changes: Vec<_> = transition
                .moves
                .iter()
                .filter(|m| m.from != m.to)
                .map(|m| layout.difference(m.component, m.from, m.to))
                .collect();
            deltas.push(S::delta(&changes));
        }
        let enabled = Cubes::of_values(layout, &pre_sets, budget)?;
        let after = After::independent(net, budget)?;
        Ok(NetSystem {
            net,
            layout,
            enabled,
            deltas,
            after,
            refined: OnceLock::new(),
            budget: budget.clone(),
        })
    }

    /// How its markings are packed.
    pub(crate) fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// Calls `each` with the number of every enabled transition, ascending.
    pub(super) fn enabled(&self, state: &S, each: impl FnMut(usize)) {
        self.enabled.holding(state, each);
    }

    /// The state after a transition that is enabled.
    pub(super) fn fire(&self, state: &S, transition: usize) -> S {
        state.changed(&self.deltas[transition])
    }
}

impl<S: State> TransitionSystem for NetSystem<'_, S> {
    type State = S;
    type Scratch = ();

    fn initial(&self) -> Vec<S> {
        vec![self.layout.pack(&self.net.initial())]
    }

    #[inline]
    fn successors(&self, state: &S, last: Option<u32>, (): &mut (), each: &mut impl FnMut(u32, S)) -> usize {
        let groups = self.enabled.groups();
        let after = self.refined.get().unwrap_or(&self.after);
        let fired = last.and_then(|last| after.row(last)).unwrap_or_default();
        let mut count = 0;
        for group in 0..groups {
            let enabled = self.enabled.holding_in(group, state);
            count += enabled.count_ones() as usize;
            let mut left = enabled & fired.get(group).unwrap_or(&u64::MAX);
            while left != 0 {
                let transition = group * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                each(transition as u32, state.changed(&self.deltas[transition]));
            }
        }
        count
    }

    fn successor_count(&self, state: &S, (): &mut ()) -> usize {
        let enabled = (0..self.enabled.groups()).map(|group| self.enabled.holding_in(group, state));
        enabled.map(|enabled| enabled.count_ones() as usize).sum()
    }

    fn expect_more(&self, found: usize) {
        if found >= MIN_LARGE_SEARCH && self.refined.get().is_none() {
            // Where the budget ends, the search does so too.
            let refined = self.after.refined(self.net, &self.budget);
            let _ = self.refined.set(refined.unwrap_or_else(|_| self.after.clone()));
        }
    }

    fn possible_predecessors(&self, state: &S) -> Option<Vec<S>> {
        let marking = self.layout.unpack(state);
        let entered = self
            .net
            .transitions()
            .enumerate()
            .filter(|(_, transition)| transition.moves.iter().all(|m| marking[m.component] == m.to));
        // The same bits change back.
        Some(entered.map(|(id, _)| state.changed(&self.deltas[id.index()])).collect())
    }

    fn weight(&self) -> usize {
        self.enabled.groups()
    }
}

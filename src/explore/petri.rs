//! The net of an instance as a transition system: markings are states, net transitions are actions.

use crate::explore::pack::{Cubes, Layout};
use crate::explore::system::{State, TransitionSystem};
use crate::instance::net::Net;
use crate::support::index::Idx;

/// A net, prepared to be explored. An action's number is its transition's.
#[derive(Clone, Debug)]
pub struct NetSystem<'a, S: State> {
    net: &'a Net,
    layout: &'a Layout,
    /// The transitions' pre-sets.
    enabled: Cubes,
    /// Per transition what it changes.
    deltas: Vec<S::Delta>,
}

impl<'a, S: State> NetSystem<'a, S> {
    /// `net` with its markings packed as `layout`, made for it, says.
    pub fn new(net: &'a Net, layout: &'a Layout) -> Self {
        let pre_sets: Vec<Vec<_>> = net
            .transitions()
            .iter()
            .map(|transition| transition.moves.iter().map(|m| (m.component, m.from)).collect())
            .collect();
        let deltas = net.transitions().iter().map(|transition| {
            let changes: Vec<_> = transition
                .moves
                .iter()
                .filter(|m| m.from != m.to)
                .map(|m| layout.difference(m.component, m.from, m.to))
                .collect();
            S::delta(&changes)
        });
        NetSystem { net, layout, enabled: Cubes::of_states(layout, &pre_sets), deltas: deltas.collect() }
    }

    /// The net.
    pub fn net(&self) -> &'a Net {
        self.net
    }

    /// How its markings are packed.
    pub fn layout(&self) -> &'a Layout {
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
    fn successors(&self, state: &S, (): &mut (), each: &mut impl FnMut(u32, S)) {
        self.enabled.holding(state, |transition| {
            each(transition as u32, state.changed(&self.deltas[transition]));
        });
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

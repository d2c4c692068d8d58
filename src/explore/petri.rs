//! The net of an instance as a transition system: markings are states, net transitions are actions.

use crate::explore::pack::{Cubes, Layout};
use crate::explore::system::{State, TransitionSystem};
use crate::instance::net::Net;
use crate::support::index::Idx;
use crate::support::limits::{Budget, Stop};

/// A net, prepared to be explored. An action's number is its transition's.
#[derive(Clone, Debug)]
pub struct NetSystem<'a, S: State> {
    net: &'a Net,
    layout: &'a Layout,
    /// The transitions' pre-sets.
    enabled: Cubes,
    /// Per transition what it changes.
    deltas: Vec<S::Delta>,
    /// Per transition u, as bits of one word per group: those that are to be fired after u, that is, all but
    /// the independent ones of smaller numbers. Empty where there are too many transitions.
    after: Vec<u64>,
}

/// With more transitions, none is left out after another: a table of all pairs would be too large.
const MOST_PAIRED: usize = 4096;

impl<'a, S: State> NetSystem<'a, S> {
    /// `net` with its markings packed as `layout`, made for it, says.
    ///
    /// # Errors
    /// `budget` ended before it was prepared.
    pub fn new(net: &'a Net, layout: &'a Layout, budget: &Budget) -> Result<Self, Stop> {
        let mut step = budget.pace();
        let mut pre_sets: Vec<Vec<_>> = Vec::with_capacity(net.transitions().len());
        let mut deltas = Vec::with_capacity(net.transitions().len());
        for transition in net.transitions() {
            step()?;
            pre_sets.push(transition.moves.iter().map(|m| (m.component, m.from)).collect());
            let changes: Vec<_> = transition
                .moves
                .iter()
                .filter(|m| m.from != m.to)
                .map(|m| layout.difference(m.component, m.from, m.to))
                .collect();
            deltas.push(S::delta(&changes));
        }
        let enabled = Cubes::of_states(layout, &pre_sets, budget)?;
        Ok(NetSystem { net, layout, enabled, deltas, after: after(net) })
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

/// Per transition u those to be fired after it; see [`NetSystem`]. Two transitions are independent if
/// neither moves a component that the other takes part in; then each is enabled before the other if it is
/// after, and the order makes no difference.
fn after(net: &Net) -> Vec<u64> {
    let count = net.transitions().len();
    if count > MOST_PAIRED {
        return Vec::new();
    }
    let groups = count.div_ceil(64);
    let mut after = vec![0; count * groups];
    for (id, transition) in net.transitions().enumerate() {
        let number = id.index();
        let row = &mut after[number * groups..(number + 1) * groups];
        row[number / 64] = u64::MAX << (number % 64);
        row[number / 64 + 1..].fill(u64::MAX);
        for m in &transition.moves {
            for &other in net.transitions_of(m.component) {
                let other_moves = &net.transitions()[other].moves;
                let is_moved = m.from != m.to
                    || other_moves.iter().any(|one| one.component == m.component && one.from != one.to);
                if is_moved {
                    row[other.index() / 64] |= 1 << (other.index() % 64);
                }
            }
        }
    }
    after
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
        let start = last.map_or(0, |last| last as usize * groups);
        let fired = last.and_then(|_| self.after.get(start..start + groups)).unwrap_or_default();
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

//! Directed search: best-first, towards one marking.
//!
//! Breadth-first search sees every marking nearer than the goal; where many components move each for itself,
//! these are exponentially many. Here the state that looks nearest to a *target* is expanded first. How near a
//! state looks is the sum of what each component still has to do alone: the least number of transitions in its
//! own automaton, whoever must take part. The estimate decides about the order only: any state in which the
//! goal holds is found, whether it is the target or not.
//!
//! In: a transition system, a goal, an estimate. Out: a path, which need not be a shortest, or that none was
//! found within the limit. That is never a proof that there is none, but for an exhausted state space.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use crate::explore::engine::{End, Step};
use crate::explore::pack::Layout;
use crate::explore::system::{Goal, State, TransitionSystem};
use crate::instance::net::Net;
use paramcheck_model::component::{ComponentType, TypeId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

/// What a directed search came to.
pub(super) struct Found<S> {
    /// Why it ended.
    pub(super) end: End,
    /// How many states were seen.
    pub(super) states: usize,
    /// A path from an initial state to one in which the goal holds.
    pub(super) path: Option<Vec<Step<S>>>,
    /// In how many states the goal could not be decided.
    pub(super) undecided: u64,
}

/// Searches `system` for a state in which `goal` holds: of the states seen, the one with the least `estimate`
/// is expanded next, and of several the one seen last. At most `max_states` are seen, and a few more.
pub(super) fn search<T: TransitionSystem>(
    system: &T,
    goal: &Goal<'_, T::State>,
    estimate: impl Fn(&T::State) -> u64,
    max_states: usize,
    budget: &Budget,
) -> Found<T::State> {
    let mut search = Search { seen: BTreeMap::new(), states: Vec::new(), open: BinaryHeap::new() };
    let mut found = Found { end: End::Exhausted, states: 0, path: None, undecided: 0 };
    let mut scratch = T::Scratch::default();
    let mut step = budget.pace();
    let mut next = Vec::new();
    for state in system.initial() {
        search.add(state, None, &estimate);
    }
    while let Some((_, number)) = search.open.pop() {
        if search.states.len() >= max_states {
            found.end = End::StateLimit;
            break;
        }
        if let Err(stop) = (0..=system.weight()).try_for_each(|_| step()) {
            found.end = End::Stopped(stop);
            break;
        }
        let state = search.states[number].state.clone();
        let count =
            system.successors(&state, None, &mut scratch, &mut |action, state| next.push((action, state)));
        match goal.holds(&state, count == 0) {
            Some(true) => {
                found.end = End::Reached;
                found.path = Some(search.path(number));
                break;
            }
            Some(false) => {}
            None => found.undecided += 1,
        }
        for (action, state) in next.drain(..) {
            search.add(state, Some((number, action)), &estimate);
        }
    }
    found.states = search.states.len();
    found
}

struct Search<S> {
    /// The states seen, with their numbers.
    seen: BTreeMap<S, usize>,
    /// By number.
    states: Vec<Seen<S>>,
    /// What is to be expanded: the nearest first, then the youngest.
    open: BinaryHeap<(Reverse<u64>, usize)>,
}

struct Seen<S> {
    state: S,
    /// The number of the state that it was first seen from, and by which action; none of an initial one.
    from: Option<(usize, u32)>,
}

impl<S: State> Search<S> {
    fn add(&mut self, state: S, from: Option<(usize, u32)>, estimate: impl Fn(&S) -> u64) {
        let number = self.states.len();
        if let Entry::Vacant(entry) = self.seen.entry(state.clone()) {
            entry.insert(number);
            self.open.push((Reverse(estimate(&state)), number));
            self.states.push(Seen { state, from });
        }
    }

    fn path(&self, last: usize) -> Vec<Step<S>> {
        let mut path = Vec::new();
        let mut next = Some(last);
        while let Some(number) = next {
            let Seen { state, from } = &self.states[number];
            path.push((from.map(|(_, action)| action), state.clone()));
            next = from.map(|(before, _)| before);
        }
        path.reverse();
        path
    }
}

/// Per component type and pair of states the least number of transitions from the one to the other.
pub(super) struct Distances(IndexVec<TypeId, Vec<u32>>);

/// The distance of states that no transition connects: far, and yet sums of it fit.
const UNCONNECTED: u32 = 1 << 10;

impl Distances {
    pub(super) fn new(system: &System) -> Distances {
        Distances(system.types.iter().map(distances).collect())
    }

    /// What the components of `net` still have to do, each alone, from `state` to `target`.
    pub(super) fn between<S: State>(&self, net: &Net, layout: &Layout, state: &S, target: &S) -> u64 {
        let away = net.components().enumerate().map(|(id, component)| {
            let (from, to) = (layout.get(state, id).index(), layout.get(target, id).index());
            u64::from(self.0[component.component_type][from * component.state_count + to])
        });
        away.sum()
    }
}

fn distances(component: &ComponentType) -> Vec<u32> {
    let count = component.states.len();
    let mut distances = vec![UNCONNECTED; count * count];
    for from in 0..count {
        let row = &mut distances[from * count..(from + 1) * count];
        row[from] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for transition in component.transitions.iter().filter(|one| one.from.index() == state) {
                let to = transition.to.index();
                if row[to] == UNCONNECTED {
                    row[to] = row[state] + 1;
                    queue.push_back(to);
                }
            }
        }
    }
    distances
}

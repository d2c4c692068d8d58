//! Partial-order reduction by stubborn sets: fewer transitions fired, and every dead marking still found.
//!
//! A set of transitions is (strongly) stubborn in a marking if it has an enabled one, and what is outside of
//! it can neither enable nor disable what is in it, nor the other way round. So what is outside can be
//! postponed, and a dead marking that is reachable at all is reached after a transition of the set (Valmari,
//! *Stubborn sets for reduced state space generation*, 1989). On a net whose places are states of components:
//!
//! - with an enabled transition, the set has every transition that leaves or needs a state that this one
//!   leaves, or leaves one that it needs (two that only need the same state don't conflict);
//! - with a disabled one, every transition that enters one state it waits for, of the component where these
//!   are fewest.
//!
//! Only dead markings are kept, and not their distances. The set of a marking depends on the marking alone.

use crate::explore::pack::Layout;
use crate::explore::system::State;
use crate::instance::net::{ComponentId, Net};
use paramcheck_model::component::StateId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// A net, prepared for the search of stubborn sets.
#[derive(Clone, Debug)]
pub(super) struct Stubborn {
    /// Per transition the places it is on, and whether it changes the component.
    moves: Vec<Vec<Place>>,
    /// Per place the transitions that leave it for another.
    leaving: Vec<Vec<u32>>,
    /// Per place the transitions that need it and stay.
    needing: Vec<Vec<u32>>,
    /// Per place the transitions that enter it from another.
    entering: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    component: ComponentId,
    state: StateId,
    number: usize,
    is_changed: bool,
}

/// Memory for the search.
#[derive(Default)]
pub(super) struct Search {
    /// Per transition in which search it was last taken into the set.
    taken: Vec<u32>,
    search: u32,
    is_enabled: Vec<bool>,
    open: Vec<u32>,
    set: Vec<u32>,
}

impl Stubborn {
    /// # Errors
    /// `budget` ended before `net` was prepared.
    pub(super) fn new(net: &Net, budget: &Budget) -> Result<Stubborn, Stop> {
        let mut step = budget.pace();
        let places = net.place_count();
        let lists = || vec![Vec::new(); places];
        let (mut leaving, mut needing, mut entering) = (lists(), lists(), lists());
        let mut moves = Vec::new();
        for (id, transition) in net.transitions().enumerate() {
            step()?;
            let number = id.index() as u32;
            let mut places = Vec::new();
            for m in &transition.moves {
                let place = net.place(m.component, m.from);
                let is_changed = m.from != m.to;
                places.push(Place { component: m.component, state: m.from, number: place, is_changed });
                if is_changed {
                    leaving[place].push(number);
                    entering[net.place(m.component, m.to)].push(number);
                } else {
                    needing[place].push(number);
                }
            }
            moves.push(places);
        }
        Ok(Stubborn { moves, leaving, needing, entering })
    }

    /// Leaves in `enabled`, the transitions enabled in `state`, those of a stubborn set.
    pub(super) fn reduce<S: State>(
        &self,
        layout: &Layout,
        state: &S,
        enabled: &mut Vec<u32>,
        search: &mut Search,
    ) {
        if enabled.len() <= 1 {
            return;
        }
        search.taken.resize(self.moves.len(), 0);
        search.is_enabled.resize(self.moves.len(), false);
        for &transition in enabled.iter() {
            search.is_enabled[transition as usize] = true;
        }
        search.set.clone_from(enabled);
        for &seed in enabled.iter() {
            self.grow(layout, state, seed, search);
            if search.set.len() == 1 {
                break;
            }
        }
        for &transition in enabled.iter() {
            search.is_enabled[transition as usize] = false;
        }
        search.set.sort_unstable();
        std::mem::swap(enabled, &mut search.set);
    }

    /// The stubborn set around `seed`, if it has fewer enabled transitions than the best so far. One that has
    /// an enabled transition with a smaller number contains the whole set around that one, which was computed
    /// before: it can't be better.
    fn grow<S: State>(&self, layout: &Layout, state: &S, seed: u32, search: &mut Search) {
        let Search { taken, search: number, is_enabled, open, set } = search;
        if *number == u32::MAX {
            taken.fill(0);
            *number = 0;
        }
        *number += 1;
        let number = *number;
        let mut enabled = Vec::new();
        open.clear();
        open.push(seed);
        taken[seed as usize] = number;
        let mut next = 0;
        let mut is_known = false;
        while let Some(&transition) = open.get(next) {
            next += 1;
            let mut take = |list: &[u32]| {
                for &other in list {
                    if taken[other as usize] != number {
                        taken[other as usize] = number;
                        is_known |= other < seed && is_enabled[other as usize];
                        open.push(other);
                    }
                }
            };
            let places = &self.moves[transition as usize];
            if is_enabled[transition as usize] {
                enabled.push(transition);
                if enabled.len() >= set.len() {
                    return;
                }
                for place in places {
                    take(&self.leaving[place.number]);
                    if place.is_changed {
                        take(&self.needing[place.number]);
                    }
                }
            } else {
                let waiting =
                    places.iter().filter(|place| layout.get(state, place.component) != place.state.into());
                let fewest = waiting.min_by_key(|place| self.entering[place.number].len());
                if let Some(place) = fewest {
                    take(&self.entering[place.number]);
                }
            }
            if is_known {
                return;
            }
        }
        *set = enabled;
    }
}

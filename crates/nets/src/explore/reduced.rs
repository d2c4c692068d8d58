//! The reduced state space of a net: stubborn sets, symmetry or both, on top of [`NetSystem`].
//!
//! Its paths are not firing sequences of the net where markings are replaced by their representatives;
//! [`ReducedNet::lift`] makes one of a path.

use crate::explore::engine::Step;
use crate::explore::petri::NetSystem;
use crate::explore::stubborn::{self, Stubborn};
use crate::explore::symmetry::Symmetry;
use crate::explore::system::{State, TransitionSystem};

/// A net with its reductions prepared. An action's number is the transition that the representative fires.
#[derive(Clone, Debug)]
pub(super) struct ReducedNet<'a, S: State> {
    pub(super) net: NetSystem<'a, S>,
    pub(super) stubborn: Option<Stubborn>,
    pub(super) symmetry: Option<Symmetry>,
}

/// Buffers that are used again.
#[derive(Default)]
pub(super) struct Scratch {
    enabled: Vec<u32>,
    search: stubborn::Search,
    keys: Vec<u64>,
}

impl<S: State> ReducedNet<'_, S> {
    /// The representative of `state`; the state itself without symmetry.
    pub(super) fn normalize(&self, mut state: S, keys: &mut Vec<u64>) -> S {
        if let Some(symmetry) = &self.symmetry {
            symmetry.normalize(self.net.layout(), &mut state, keys);
        }
        state
    }

    /// Notes the transitions to fire in `state`, and how many they are.
    fn fireable(&self, state: &S, Scratch { enabled, search, .. }: &mut Scratch) -> usize {
        enabled.clear();
        self.net.enabled(state, |transition| enabled.push(transition as u32));
        if let Some(stubborn) = &self.stubborn {
            stubborn.reduce(self.net.layout(), state, enabled, search);
        }
        enabled.len()
    }

    /// A path of the net itself through the same representatives as `path`: each step by the first transition
    /// that does so. Shorter than `path` only by a bug.
    pub(super) fn lift(&self, path: &[Step<S>]) -> Vec<Step<S>> {
        let mut keys = Vec::new();
        let mut lifted: Vec<Step<S>> = Vec::with_capacity(path.len());
        for (_, wanted) in path {
            let next = match lifted.last() {
                None => self.net.initial().into_iter().next().map(|initial| (None, initial)),
                Some((_, state)) => {
                    let mut next = None;
                    self.net.enabled(state, |transition| {
                        let reached = self.net.fire(state, transition);
                        if next.is_none() && self.normalize(reached.clone(), &mut keys) == *wanted {
                            next = Some((Some(transition as u32), reached));
                        }
                    });
                    next
                }
            };
            match next {
                Some(next) => lifted.push(next),
                None => break,
            }
        }
        lifted
    }
}

impl<S: State> TransitionSystem for ReducedNet<'_, S> {
    type State = S;
    type Scratch = Scratch;

    fn initial(&self) -> Vec<S> {
        let mut keys = Vec::new();
        self.net.initial().into_iter().map(|state| self.normalize(state, &mut keys)).collect()
    }

    fn successors(
        &self,
        state: &S,
        last: Option<u32>,
        scratch: &mut Scratch,
        each: &mut impl FnMut(u32, S),
    ) -> usize {
        self.successors_while(state, last, scratch, &mut |transition, next| {
            each(transition, next);
            true
        })
    }

    fn successors_while(
        &self,
        state: &S,
        _: Option<u32>,
        scratch: &mut Scratch,
        each: &mut impl FnMut(u32, S) -> bool,
    ) -> usize {
        let count = self.fireable(state, scratch);
        let Scratch { enabled, keys, .. } = scratch;
        for &transition in enabled.iter() {
            let next = self.net.fire(state, transition as usize);
            if !each(transition, self.normalize(next, keys)) {
                break;
            }
        }
        count
    }

    fn successor_count(&self, state: &S, scratch: &mut Scratch) -> usize {
        self.fireable(state, scratch)
    }

    fn weight(&self) -> usize {
        // A stubborn set may take a look at every transition, several times.
        self.net.weight() * if self.stubborn.is_some() { 64 } else { 4 }
    }
}

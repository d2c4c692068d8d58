//! States taken in one by one, while those of the level before are gone through.

use std::ops::Range;

use crate::explore::engine::table::{Hash, MAX_ENTRIES};
use crate::explore::engine::visited::{Shard, grown_states, last};
use crate::explore::system::State;

/// Why states were not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explore::engine) enum Refused {
    /// There are more than allowed.
    States,
    /// They would take more bytes than allowed.
    Memory,
}

/// A shard, and how much may come into it.
pub(in crate::explore::engine) struct Intake<'a, S> {
    shard: &'a mut Shard<S>,
    /// Where the level that is gone through starts and ends.
    level: Range<usize>,
    most: usize,
    memory: usize,
    /// With fewer states than that nothing need be checked.
    room: usize,
    refused: Option<Refused>,
}

impl<'a, S: State> Intake<'a, S> {
    pub(super) fn new(shard: &'a mut Shard<S>, level: usize, most: usize, memory: usize) -> Self {
        let level = shard.level(level);
        Intake { shard, level, most: most.min(MAX_ENTRIES), memory, room: 0, refused: None }
    }

    /// The next state of the level that is gone through, and an action that leads there.
    #[inline]
    pub(in crate::explore::engine) fn next(&mut self) -> Option<(S, Option<u32>)> {
        let shard = &mut *self.shard;
        let position = shard.given;
        if position >= self.level.end {
            return None;
        }
        shard.given += 1;
        let last = shard.lasts_before.get(position - self.level.start).copied().unwrap_or_default();
        Some((shard.states[position].clone(), u32::from(last).checked_sub(1)))
    }

    /// Why something was refused, if it was.
    pub(in crate::explore::engine) fn refused(&self) -> Option<Refused> {
        self.refused
    }

    /// Takes in a state that the action leads to, if it is new and there is room.
    #[inline]
    pub(in crate::explore::engine) fn take(&mut self, state: S, action: u32) {
        if self.shard.states.len() < self.room || self.has_room() {
            let hash = Hash(state.hash());
            self.shard.insert(state, last(action), hash);
        }
    }

    #[cold]
    fn has_room(&mut self) -> bool {
        if self.refused.is_none() {
            let states = self.shard.states.len();
            // At least until something grows.
            let more = grown_states(states) - states;
            if states > self.most {
                self.refused = Some(Refused::States);
            } else if self.shard.bytes_with(more) > self.memory {
                self.refused = Some(Refused::Memory);
            } else {
                self.room = (states + more).min(self.most + 1);
            }
        }
        self.refused.is_none()
    }
}

//! States that say the same about every property, of which one stands for all.
//!
//! In: a prepared system. Out: what becomes of a state's fields ([`Reduction::settle`]). A run of the states that
//! are left is made one of the system again by [`unfold`].
//!
//! - *Idle messages* ([`messages`]): what is to be sent, and changes nothing whenever it is sent, counts as sent.
//! - *Symmetry* ([`symmetry`]): states that differ by an exchange of agents.
//!
//! Neither changes what formulas say of a store, what comes after it but for such messages, or whether a run ends.
//! Runs are counted without idle messages, so where steps count nothing is reduced; nor where runs are to be fair,
//! for a message is a step of its agent.

use paramcheck_labs::semantics::step::Fairness;

use self::messages::Messages;
use self::symmetry::Symmetry;
use super::machine::Machine;
use super::step::Scratch;

mod messages;
pub mod symmetry;
pub(crate) mod unfold;

/// Which states may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Those that differ by messages that change nothing.
    pub messages: bool,
    /// Those that differ by an exchange of agents, where agents are alike.
    pub symmetry: bool,
}

impl Reductions {
    /// None.
    pub const NONE: Reductions = Reductions { messages: false, symmetry: false };
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions { messages: true, symmetry: false }
    }
}

/// Which state stands for a state.
pub(crate) struct Reduction {
    messages: Option<Messages>,
    symmetry: Option<Symmetry>,
}

impl Reduction {
    /// None, if nothing would be left out.
    pub(crate) fn new(machine: &Machine<'_>, messages: bool, symmetry: bool) -> Option<Reduction> {
        // A message is a step of its agent, and an exchanged agent is another.
        if machine.rules.fairness != Fairness::None {
            return None;
        }
        let messages = Messages::new(machine).filter(|_| messages);
        let symmetry = symmetry.then(|| Symmetry::new(machine));
        (messages.is_some() || symmetry.is_some()).then_some(Reduction { messages, symmetry })
    }

    /// Makes the fields those of the state that stands for theirs.
    #[inline]
    pub(crate) fn settle(&self, machine: &Machine<'_>, scratch: &mut Scratch) {
        if let Some(messages) = &self.messages {
            messages.settle(machine, scratch);
        }
        if let Some(symmetry) = &self.symmetry {
            symmetry.settle(scratch);
        }
    }

    /// A message that is idle, as an agent, the position of the tuple among those it has, and whether it is a
    /// question.
    pub(crate) fn idle(&self, machine: &Machine<'_>, fields: &[i64]) -> Option<(usize, usize, bool)> {
        self.messages.as_ref().and_then(|messages| messages.idle(machine, fields))
    }
}

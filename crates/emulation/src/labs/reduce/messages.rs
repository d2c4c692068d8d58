//! Messages that change nothing, whenever they are sent.
//!
//! What an agent *propagates* is idle if nobody who may ever hear it has an older copy: whoever hears it keeps what
//! it has. It stays idle, for copies become newer only, and the agent's own changes only by hearing a newer one,
//! which is then to be propagated whether the idle one was sent or not. So sending it commutes with every other
//! step, and leads to a state that differs by nothing but the message.
//!
//! A *question* (what is to be confirmed) is idle if everybody always hears everybody, nobody's copy is older, and
//! whoever has a newer one is about to propagate it: those that are as old answer with idle messages, the
//! newer ones need not be asked, and when they propagate the question is settled anyway. That, too, stays so until
//! then.
//!
//! So the state without the message and the one with it are branching bisimilar with the same store (van Glabbeek,
//! Weijland, *Branching time and abstraction in bisimulation semantics*, 1996), the step between them is confluent
//! (Groote, Sellink, *Confluence for process verification*, 1996), and no run sends idle messages for ever.

use paramcheck_text::index::Idx;

use crate::labs::machine::{Hearers, Machine, Tuple};
use crate::labs::step::Scratch;

/// Where messages may be idle.
pub(crate) struct Messages {
    /// Per tuple whether everybody always hears everybody.
    is_complete: Vec<bool>,
}

impl Messages {
    /// None, if messages are never pending.
    pub(crate) fn new(machine: &Machine<'_>) -> Option<Messages> {
        if machine.rules.is_sync || machine.tuples.is_empty() {
            return None;
        }
        let is_complete = |tuple: &Tuple| {
            let mut all = tuple.hearers.iter();
            all.all(|hearers| hearers.always.count_ones() as usize == tuple.copies.len() - 1)
        };
        Some(Messages { is_complete: machine.tuples.iter().map(is_complete).collect() })
    }

    /// Takes back what is idle.
    #[inline]
    pub(crate) fn settle(&self, machine: &Machine<'_>, scratch: &mut Scratch) {
        for is_confirm in [false, true] {
            for (number, agent) in machine.agents.iter().enumerate() {
                let field = if is_confirm { agent.confirm } else { agent.propagate };
                let pending = scratch.fields[field];
                if pending == 0 {
                    continue;
                }
                let mut kept = pending;
                let mut left = pending;
                while left != 0 {
                    let position = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if self.is_idle(machine, &scratch.fields, number, position, is_confirm) {
                        kept &= !(1 << position);
                    }
                }
                scratch.set(field, kept);
            }
        }
    }

    /// A message that is idle; what is propagated comes first.
    pub(crate) fn idle(&self, machine: &Machine<'_>, fields: &[i64]) -> Option<(usize, usize, bool)> {
        for is_confirm in [false, true] {
            for (number, agent) in machine.agents.iter().enumerate() {
                let pending = fields[if is_confirm { agent.confirm } else { agent.propagate }];
                let mut positions = (0..agent.held.len()).filter(|position| pending >> position & 1 == 1);
                let idle = positions.find(|at| self.is_idle(machine, fields, number, *at, is_confirm));
                if let Some(position) = idle {
                    return Some((number, position, is_confirm));
                }
            }
        }
        None
    }

    /// Whether a pending message is idle; of a question only where what is propagated idly was taken back.
    fn is_idle(
        &self,
        machine: &Machine<'_>,
        fields: &[i64],
        agent: usize,
        position: usize,
        is_confirm: bool,
    ) -> bool {
        let (number, own) = machine.agents[agent].held[position];
        let tuple = &machine.tuples[number.index()];
        let ranks = &fields[tuple.ranks..tuple.ranks + tuple.copies.len()];
        let rank = ranks[own];
        if !is_confirm {
            let Hearers { always, sometimes } = tuple.hearers[own];
            let is_heard = |at: usize| (always | sometimes) >> at & 1 == 1;
            return !ranks.iter().enumerate().any(|(at, known)| *known < rank && is_heard(at));
        }
        let is_sending = |at: usize| fields[tuple.copies[at].propagate] & tuple.copies[at].bit != 0;
        self.is_complete[number.index()]
            && ranks.iter().enumerate().all(|(at, known)| *known == rank || *known > rank && is_sending(at))
    }
}

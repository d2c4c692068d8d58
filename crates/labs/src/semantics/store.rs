//! What agents and environment know: values, pending messages, and who has newer values.
//!
//! Timestamps exist only as an order: of each tuple every agent that has a copy has a rank, the oldest 0, agents
//! with the same value from the same assignment the same rank. Ranks have no gaps, so equal orders are equal.

use paramcheck_text::index::Idx;

use super::evaluate::Value;
use crate::model::{AgentId, System, TupleId};

/// A store.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Store {
    /// The value of each cell.
    pub cells: Vec<Value>,
    /// Per agent and tuple: whether a value is to be confirmed.
    confirm: Vec<bool>,
    /// Per agent and tuple: whether a value is to be propagated.
    propagate: Vec<bool>,
    /// Per tuple and agent the rank; 0 for agents without a copy.
    ranks: Vec<u32>,
    /// Whose turn it is, if agents take turns.
    pub turn: usize,
}

impl Store {
    /// The store of these values, with nothing pending; the order is that of the agents, the last newest.
    pub fn new(system: &System, cells: Vec<Value>) -> Self {
        let (agents, tuples) = (system.agents.len(), system.tuples.len());
        let mut ranks = vec![0; agents * tuples];
        for tuple in system.tuples.indices() {
            for (rank, agent) in (0..).zip(system.holders(tuple)) {
                ranks[tuple.index() * agents + agent.index()] = rank;
            }
        }
        let pending = vec![false; agents * tuples];
        Store { cells, confirm: pending.clone(), propagate: pending, ranks, turn: 0 }
    }

    /// How many values, messages and ranks a store of a system has.
    pub fn size(system: &System) -> usize {
        system.initial.len() + 3 * system.agents.len() * system.tuples.len()
    }

    fn agents(&self, system: &System) -> usize {
        system.agents.len()
    }

    fn at(&self, system: &System, agent: AgentId, tuple: TupleId) -> usize {
        tuple.index() * self.agents(system) + agent.index()
    }

    /// Whether the agent has to confirm its values of a tuple.
    pub fn confirms(&self, system: &System, agent: AgentId, tuple: TupleId) -> bool {
        self.confirm[self.at(system, agent, tuple)]
    }

    /// Whether the agent has to propagate its values of a tuple.
    pub fn propagates(&self, system: &System, agent: AgentId, tuple: TupleId) -> bool {
        self.propagate[self.at(system, agent, tuple)]
    }

    /// Sets whether the agent has to confirm its values of a tuple.
    pub fn set_confirms(&mut self, system: &System, agent: AgentId, tuple: TupleId, is_pending: bool) {
        let at = self.at(system, agent, tuple);
        self.confirm[at] = is_pending;
    }

    /// Sets whether the agent has to propagate its values of a tuple.
    pub fn set_propagates(&mut self, system: &System, agent: AgentId, tuple: TupleId, is_pending: bool) {
        let at = self.at(system, agent, tuple);
        self.propagate[at] = is_pending;
    }

    /// Whether the agent has messages to send: then it does nothing else.
    pub fn is_pending(&self, system: &System, agent: AgentId) -> bool {
        system
            .tuples
            .indices()
            .any(|tuple| self.confirms(system, agent, tuple) || self.propagates(system, agent, tuple))
    }

    /// How new the agent's values of a tuple are, among those who have copies.
    pub fn rank(&self, system: &System, agent: AgentId, tuple: TupleId) -> u32 {
        self.ranks[self.at(system, agent, tuple)]
    }

    /// Makes the agent the strictly newest.
    pub fn renew(&mut self, system: &System, agent: AgentId, tuple: TupleId) {
        let newest = system.holders(tuple).map(|one| self.rank(system, one, tuple)).max().unwrap_or(0);
        let at = self.at(system, agent, tuple);
        self.ranks[at] = newest + 1;
        self.close_gaps(system, tuple);
    }

    /// Gives these agents the rank of another.
    pub fn level(&mut self, system: &System, agents: &[AgentId], with: AgentId, tuple: TupleId) {
        let rank = self.rank(system, with, tuple);
        for agent in agents {
            let at = self.at(system, *agent, tuple);
            self.ranks[at] = rank;
        }
        self.close_gaps(system, tuple);
    }

    fn close_gaps(&mut self, system: &System, tuple: TupleId) {
        let mut used: Vec<u32> = system.holders(tuple).map(|one| self.rank(system, one, tuple)).collect();
        used.sort_unstable();
        used.dedup();
        for agent in system.holders(tuple) {
            let at = self.at(system, agent, tuple);
            if let Ok(rank) = used.binary_search(&self.ranks[at]) {
                self.ranks[at] = u32::try_from(rank).unwrap_or(u32::MAX);
            }
        }
    }
}

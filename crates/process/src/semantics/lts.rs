//! Labelled transition systems with termination.
//!
//! Plain data, whoever made it: states are numbers, the first is the initial one; each transition has a
//! label and the set of agents that take part. Which states are terminated is part of what the system is:
//! two systems that differ there are not bisimilar.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::network::Incomplete;
use crate::model::LabelId;
use paramcheck_text::dot::Graph;
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

paramcheck_text::define_index! {
    /// A set of agents.
    pub struct AgentSetId;
}

/// A labelled transition system.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    /// The labels as they are written; the first is `tau`.
    pub labels: IndexVec<LabelId, String>,
    /// The agents' names.
    pub agents: Vec<String>,
    /// Sets of agents, each ascending.
    pub agent_sets: IndexVec<AgentSetId, Vec<u32>>,
    agent_set_ids: FxHashMap<Vec<u32>, AgentSetId>,
    /// Where the transitions of each state that is expanded end.
    ends: Vec<usize>,
    transitions: Vec<Transition>,
    is_terminated: Vec<bool>,
    /// Whether the last state with transitions has more of them, to states that there are not.
    is_last_partial: bool,
    /// Why not all states are expanded; `None` if all are.
    pub incomplete: Option<Incomplete>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// Its label.
    pub label: LabelId,
    /// The state it leads to.
    pub target: u32,
    /// Who takes part.
    pub agents: AgentSetId,
}

impl Lts {
    /// Without states.
    pub fn new(labels: IndexVec<LabelId, String>, agents: Vec<String>) -> Self {
        Lts { labels, agents, ..Lts::default() }
    }

    /// Adds a state. Its transitions are still to be given, in the order of the states.
    pub fn add_state(&mut self, is_terminated: bool) -> u32 {
        self.is_terminated.push(is_terminated);
        self.is_terminated.len() as u32 - 1
    }

    /// The set of these agents (ascending).
    pub fn agent_set(&mut self, agents: &[u32]) -> AgentSetId {
        if let Some(id) = self.agent_set_ids.get(agents) {
            return *id;
        }
        let id = self.agent_sets.push(agents.to_vec());
        self.agent_set_ids.insert(agents.to_vec(), id);
        id
    }

    /// Gives the next state its transitions; the same one twice is one.
    pub fn expand(&mut self, mut transitions: Vec<Transition>) {
        transitions.sort();
        transitions.dedup();
        self.transitions.extend(transitions);
        self.ends.push(self.transitions.len());
    }

    /// Gives the next state those of its transitions that lead to known states, where there may be no more
    /// states. It does not count as expanded, and is the last to be given any.
    pub fn expand_partly(&mut self, transitions: Vec<Transition>) {
        self.expand(transitions);
        self.is_last_partial = true;
    }

    /// How many states there are, expanded or not.
    pub fn states(&self) -> usize {
        self.is_terminated.len()
    }

    /// How many states have been expanded: these are the first ones.
    pub fn expanded(&self) -> usize {
        self.ends.len() - usize::from(self.is_last_partial)
    }

    /// Whether all transitions of a state are known.
    pub(crate) fn is_expanded(&self, state: u32) -> bool {
        (state as usize) < self.expanded()
    }

    /// Whether a state is terminated.
    pub fn is_terminated(&self, state: u32) -> bool {
        self.is_terminated[state as usize]
    }

    /// Where the transitions of a state stand among all; empty where none is known.
    pub(crate) fn range(&self, state: u32) -> std::ops::Range<usize> {
        let state = state as usize;
        let end = self.ends.get(state).copied();
        let begin = if state == 0 { Some(0) } else { self.ends.get(state - 1).copied() };
        match (begin, end) {
            (Some(begin), Some(end)) => begin..end,
            _ => 0..0,
        }
    }

    /// The transitions of a state, by label and target.
    pub fn transitions(&self, state: u32) -> &[Transition] {
        &self.transitions[self.range(state)]
    }

    /// All transitions, in the order of the states they begin in.
    pub fn all_transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// How many transitions there are if it does not matter who takes part.
    pub fn transition_count(&self) -> usize {
        self.steps().count()
    }

    /// The transitions if it does not matter who takes part: state, label, state.
    fn steps(&self) -> impl Iterator<Item = (u32, &str, u32)> {
        (0..self.ends.len() as u32).flat_map(move |state| {
            // They are sorted.
            let own = self.transitions(state).iter().map(|one| (one.label, one.target)).dedup();
            own.map(move |(label, target)| (state, self.labels[label].as_str(), target))
        })
    }

    /// In the format of Aldébaran (`.aut`), which CADP, mCRL2 and others read. Termination is not part of
    /// that format.
    ///
    /// # Errors
    /// `budget` ended.
    pub fn to_aut(&self, budget: &Budget) -> Result<String, Stop> {
        let mut step = budget.pace();
        let mut text = format!("des (0, {}, {})\n", self.transition_count(), self.states());
        for (state, label, target) in self.steps() {
            step()?;
            text.push_str(&format!("({state}, \"{label}\", {target})\n"));
        }
        Ok(text)
    }

    /// As a graph for Graphviz: terminated states are drawn with a double line.
    ///
    /// # Errors
    /// `budget` ended.
    pub fn to_dot(&self, budget: &Budget) -> Result<String, Stop> {
        let mut step = budget.pace();
        let mut graph = Graph::directed("lts", "");
        graph.defaults("graph", &[("rankdir", "LR")]);
        graph.defaults("node", &[("shape", "circle")]);
        graph.node("start", &[("shape", "point")]);
        graph.edge("start", 0, &[]);
        for state in (0..self.states() as u32).filter(|state| self.is_terminated(*state)) {
            step()?;
            graph.node(state, &[("shape", "doublecircle")]);
        }
        for (state, label, target) in self.steps() {
            step()?;
            graph.edge(state, target, &[("label", label)]);
        }
        Ok(graph.finish())
    }
}

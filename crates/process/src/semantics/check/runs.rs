//! The graph whose paths are the runs that a scheduler allows.
//!
//! Without round-robin it is the labelled transition system itself. With it, a node is a state and whose
//! turn it is, and passing is no edge: the first agent from the turn on that can act takes a step.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Schedule, Way};
use crate::semantics::lts::{Lts, Transition};
use paramcheck_text::limits::{Budget, Stop};

/// How many nodes are looked at between two looks at the budget.
const STEPS_PER_CHECK: usize = 1024;

/// The graph; node 0 is where all runs begin.
pub(crate) struct Runs<'a> {
    lts: &'a Lts,
    /// With round-robin only; else the nodes are the states and the edges the transitions.
    turns: Option<Turns>,
}

/// States with whose turn it is, and the steps that are allowed then.
#[derive(Default)]
struct Turns {
    /// The state of each node.
    states: Vec<u32>,
    /// Where the edges of each node end.
    ends: Vec<usize>,
    edges: Vec<Edge>,
}

/// A step that the scheduler allows.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    /// The node it leads to.
    pub(crate) target: u32,
    /// Which of all transitions it is.
    pub(crate) transition: usize,
}

impl<'a> Runs<'a> {
    /// The runs that `schedule` allows; fairness allows all steps.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn new(lts: &'a Lts, schedule: Schedule, budget: &Budget) -> Result<Self, Stop> {
        let turns = match schedule {
            Schedule::RoundRobin => Some(Turns::new(lts, budget)?),
            Schedule::Any | Schedule::WeaklyFair | Schedule::StronglyFair => None,
        };
        Ok(Runs { lts, turns })
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.turns.as_ref().map_or(self.lts.states(), |turns| turns.states.len())
    }

    /// The state of a node.
    pub(crate) fn state(&self, node: u32) -> u32 {
        self.turns.as_ref().map_or(node, |turns| turns.states[node as usize])
    }

    /// Whether all edges of a node are known.
    pub(crate) fn is_known(&self, node: u32) -> bool {
        self.lts.is_expanded(self.state(node))
    }

    /// The positions of a node's edges.
    pub(crate) fn edge_positions(&self, node: u32) -> std::ops::Range<usize> {
        let Some(turns) = &self.turns else { return self.lts.range(node) };
        let begin = (node as usize).checked_sub(1).map_or(0, |before| turns.ends[before]);
        begin..turns.ends[node as usize]
    }

    /// An edge by its position.
    pub(crate) fn edge(&self, position: usize) -> Edge {
        match &self.turns {
            Some(turns) => turns.edges[position],
            None => Edge { target: self.lts.all_transitions()[position].target, transition: position },
        }
    }

    /// The transition of an edge.
    pub(crate) fn transition(&self, position: usize) -> &'a Transition {
        &self.lts.all_transitions()[self.edge(position).transition]
    }

    /// A shortest run to a node that `is_wanted` after the step that leads there (none for the first).
    pub(crate) fn find(
        &self,
        budget: &Budget,
        is_wanted: impl Fn(u32, Option<&Transition>) -> Result<bool, Stop>,
    ) -> Result<Option<Way>, Stop> {
        if is_wanted(0, None)? {
            return Ok(Some(Way { edges: Vec::new(), loop_start: None }));
        }
        let mut search = Search::new(self.len(), 0);
        let mut pace = budget.pace();
        while let Some(node) = search.queue.pop_front() {
            for position in self.edge_positions(node) {
                pace()?;
                let target = self.edge(position).target;
                if is_wanted(target, Some(self.transition(position)))? {
                    let mut edges = search.way_to(node);
                    edges.push(position);
                    return Ok(Some(Way { edges, loop_start: None }));
                }
                search.reach(node, position, target);
            }
        }
        Ok(None)
    }
}

impl Turns {
    fn new(lts: &Lts, budget: &Budget) -> Result<Turns, Stop> {
        let mut found = Turns::default();
        let agents = lts.agents.len().max(1) as u32;
        let mut nodes: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut turns = vec![0];
        found.states.push(0);
        nodes.insert((0, 0), 0);
        let mut node = 0;
        while node < found.states.len() {
            if node.is_multiple_of(STEPS_PER_CHECK) {
                budget.check()?;
            }
            let (state, turn) = (found.states[node], turns[node]);
            // How long an agent has to wait for its turn, least first.
            let wait = |agent: &u32| (agent + agents - turn) % agents;
            let least = |transition: &Transition| lts.agent_sets[transition.agents].iter().map(wait).min();
            let first = lts.transitions(state).iter().filter_map(least).min();
            // Who comes first is not known where only some steps are.
            let allowed = if lts.is_expanded(state) { lts.range(state) } else { 0..0 };
            for position in allowed {
                let transition = &lts.all_transitions()[position];
                let Some(first) = first else { continue };
                let actor = (turn + first) % agents;
                if !lts.agent_sets[transition.agents].contains(&actor) {
                    continue;
                }
                let next = (transition.target, (actor + 1) % agents);
                let target = *nodes.entry(next).or_insert_with(|| {
                    found.states.push(next.0);
                    turns.push(next.1);
                    found.states.len() as u32 - 1
                });
                found.edges.push(Edge { target, transition: position });
            }
            found.ends.push(found.edges.len());
            node += 1;
        }
        Ok(found)
    }
}

/// A breadth-first search that remembers the way.
pub(crate) struct Search {
    /// The nodes to be looked at.
    pub(crate) queue: VecDeque<u32>,
    root: u32,
    /// The edge that first led to each node, and the node it came from.
    from: Vec<Option<(u32, usize)>>,
}

impl Search {
    /// A search from `root` in a graph of `count` nodes.
    pub(crate) fn new(count: usize, root: u32) -> Self {
        Search { queue: VecDeque::from([root]), root, from: vec![None; count] }
    }

    /// Whether a node has been reached.
    pub(crate) fn is_reached(&self, node: u32) -> bool {
        node == self.root || self.from[node as usize].is_some()
    }

    /// Reaches `target` by an edge of `node`, if it has not been reached.
    pub(crate) fn reach(&mut self, node: u32, edge: usize, target: u32) {
        if !self.is_reached(target) {
            self.from[target as usize] = Some((node, edge));
            self.queue.push_back(target);
        }
    }

    /// The edges from the root to a node that has been reached.
    pub(crate) fn way_to(&self, node: u32) -> Vec<usize> {
        let mut edges = Vec::new();
        let mut node = node;
        while let Some((before, edge)) = self.from[node as usize] {
            edges.push(edge);
            node = before;
        }
        edges.reverse();
        edges
    }
}

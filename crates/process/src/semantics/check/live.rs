//! Runs that never come to a wanted moment: those that end without it, and those that go round for ever
//! without it, as a scheduler allows.
//!
//! Among the nodes that are reached by moments that avoid what is wanted, a strongly connected part with an
//! edge holds an infinite run. Weak fairness: one that goes through the whole part is fair if every agent
//! takes part in an edge of it or is unable to act in some state of it; a smaller part is no better. Strong
//! fairness: every agent that can act in some state of the part must take part in an edge of it; where one
//! does not, the states in which it can act are left out, and what remains is looked at again.

use super::runs::{Runs, Search};
use super::{Schedule, Way};
use crate::semantics::lts::{Lts, Transition};
use paramcheck_text::graph::components;
use paramcheck_text::limits::{Budget, Stop};

/// A maximal run all moments of which `avoids` accepts, if `schedule` allows one.
pub(crate) fn avoiding(
    runs: &Runs<'_>,
    lts: &Lts,
    schedule: Schedule,
    avoids: impl Fn(u32, Option<&Transition>) -> Result<bool, Stop>,
    budget: &Budget,
) -> Result<Option<Way>, Stop> {
    if !avoids(0, None)? {
        return Ok(None);
    }
    // What is reached without what is wanted, nearest first.
    let mut search = Search::new(runs.len(), 0);
    let mut reached = Vec::new();
    let mut is_avoiding = Vec::new();
    while let Some(node) = search.queue.pop_front() {
        reached.push(node);
        budget.check()?;
        if runs.is_known(node) && runs.edge_positions(node).is_empty() {
            return Ok(Some(Way { edges: search.way_to(node), loop_start: None }));
        }
        for position in runs.edge_positions(node) {
            let target = runs.edge(position).target;
            if avoids(target, Some(runs.transition(position)))? {
                is_avoiding.push(position);
                search.reach(node, position, target);
            }
        }
    }
    is_avoiding.sort_unstable();
    let part = Part { runs, lts, schedule, edges: &is_avoiding, budget };
    let Some((nodes, is_inside)) = part.find(reached)? else { return Ok(None) };
    let Some(&entry) = nodes.first() else { return Ok(None) };
    let mut edges = search.way_to(entry);
    let loop_start = Some(edges.len());
    edges.extend(part.cycle(entry, &nodes, &is_inside)?);
    Ok(Some(Way { edges, loop_start }))
}

/// A graph to look for a loop in: the avoiding edges between some nodes.
struct Part<'a> {
    runs: &'a Runs<'a>,
    lts: &'a Lts,
    schedule: Schedule,
    /// The positions of avoiding edges, ascending.
    edges: &'a [usize],
    budget: &'a Budget,
}

impl Part<'_> {
    /// The avoiding edges of a node.
    fn edges_of(&self, node: u32) -> &[usize] {
        let range = self.runs.edge_positions(node);
        let begin = self.edges.partition_point(|edge| *edge < range.start);
        let end = self.edges.partition_point(|edge| *edge < range.end);
        &self.edges[begin..end]
    }

    /// A strongly connected part that holds an infinite run the schedule allows.
    fn find(&self, reached: Vec<u32>) -> Result<Option<Component>, Stop> {
        let mut waiting = vec![reached];
        // Cleared after each use: there may be as many parts as nodes.
        let mut number = vec![u32::MAX; self.runs.len()];
        let mut is_inside = vec![false; self.runs.len()];
        let mut pace = self.budget.pace();
        while let Some(nodes) = waiting.pop() {
            pace()?;
            for (position, node) in nodes.iter().enumerate() {
                number[*node as usize] = position as u32;
            }
            let successors: Vec<Vec<u32>> = nodes
                .iter()
                .map(|node| {
                    let targets = self.edges_of(*node).iter().map(|edge| self.runs.edge(*edge).target);
                    targets
                        .map(|target| number[target as usize])
                        .filter(|target| *target != u32::MAX)
                        .collect()
                })
                .collect();
            nodes.iter().for_each(|node| number[*node as usize] = u32::MAX);
            let component = components(nodes.len(), |node| successors[node].as_slice());
            let mut members: Vec<Vec<u32>> =
                vec![Vec::new(); component.iter().max().map_or(0, |max| *max as usize + 1)];
            let mut order = Vec::new();
            for (position, node) in nodes.iter().enumerate() {
                let list = &mut members[component[position] as usize];
                if list.is_empty() {
                    order.push(component[position] as usize);
                }
                list.push(*node);
            }
            for id in order {
                pace()?;
                let members = std::mem::take(&mut members[id]);
                members.iter().for_each(|node| is_inside[*node as usize] = true);
                let has_edge =
                    members.iter().any(|node| self.inner_edges(*node, &is_inside).next().is_some());
                let unfair = if has_edge { self.unfair(&members, &is_inside)? } else { Unfair::Always };
                if let Unfair::None = unfair {
                    return Ok(Some((members, is_inside)));
                }
                members.iter().for_each(|node| is_inside[*node as usize] = false);
                match unfair {
                    Unfair::None | Unfair::Always => {}
                    Unfair::In(bad) => {
                        waiting.push(members.into_iter().filter(|node| !bad.contains(node)).collect());
                    }
                }
            }
        }
        Ok(None)
    }

    /// The avoiding edges of a node that stay inside.
    fn inner_edges<'b>(&'b self, node: u32, is_inside: &'b [bool]) -> impl Iterator<Item = usize> + 'b {
        let edges = self.edges_of(node).iter().copied();
        edges.filter(|edge| is_inside[self.runs.edge(*edge).target as usize])
    }

    /// Who is treated unfairly by going through all of a part for ever.
    fn unfair(&self, members: &[u32], is_inside: &[bool]) -> Result<Unfair, Stop> {
        if !matches!(self.schedule, Schedule::WeaklyFair | Schedule::StronglyFair) {
            return Ok(Unfair::None);
        }
        let mut acts = vec![false; self.lts.agents.len()];
        let mut able = vec![0usize; self.lts.agents.len()];
        for node in members {
            self.budget.check()?;
            for edge in self.inner_edges(*node, is_inside) {
                let agents = &self.lts.agent_sets[self.runs.transition(edge).agents];
                agents.iter().for_each(|agent| acts[*agent as usize] = true);
            }
            self.able(*node).into_iter().for_each(|agent| able[agent as usize] += 1);
        }
        let is_weak = self.schedule == Schedule::WeaklyFair;
        let is_unfair = |agent: usize| {
            !acts[agent] && if is_weak { able[agent] == members.len() } else { able[agent] > 0 }
        };
        let unfair: Vec<u32> = (0..acts.len() as u32).filter(|agent| is_unfair(*agent as usize)).collect();
        if unfair.is_empty() {
            return Ok(Unfair::None);
        }
        if is_weak {
            return Ok(Unfair::Always);
        }
        let is_bad = |node: &u32| self.able(*node).iter().any(|agent| unfair.binary_search(agent).is_ok());
        Ok(Unfair::In(members.iter().copied().filter(is_bad).collect()))
    }

    /// Who can act in a node's state, whatever the scheduler, ascending.
    fn able(&self, node: u32) -> Vec<u32> {
        let transitions = self.lts.transitions(self.runs.state(node));
        let mut able: Vec<u32> = transitions
            .iter()
            .flat_map(|transition| self.lts.agent_sets[transition.agents].iter().copied())
            .collect();
        able.sort_unstable();
        able.dedup();
        able
    }

    /// A loop from `entry` back to it inside of a part: a shortest one, or under fairness one that gives
    /// every agent its due.
    fn cycle(&self, entry: u32, nodes: &[u32], is_inside: &[bool]) -> Result<Vec<usize>, Stop> {
        let mut cycle: Vec<usize> = Vec::new();
        let mut at = entry;
        if matches!(self.schedule, Schedule::WeaklyFair | Schedule::StronglyFair) {
            let mut able = vec![0usize; self.lts.agents.len()];
            for node in nodes {
                self.budget.check()?;
                self.able(*node).into_iter().for_each(|agent| able[agent as usize] += 1);
            }
            for agent in 0..self.lts.agents.len() as u32 {
                self.budget.check()?;
                // Nothing is due to who can never act, in a part that is fair.
                if able[agent as usize] == 0 || cycle.iter().any(|edge| self.takes_part(agent, *edge)) {
                    continue;
                }
                let is_weak = self.schedule == Schedule::WeaklyFair;
                let rests = |node: u32| is_weak && !self.able(node).contains(&agent);
                if rests(entry) || cycle.iter().any(|edge| rests(self.runs.edge(*edge).target)) {
                    continue;
                }
                let way = self.way(at, is_inside, |edge| {
                    self.takes_part(agent, edge) || rests(self.runs.edge(edge).target)
                });
                if let Some(last) = way.last() {
                    at = self.runs.edge(*last).target;
                }
                cycle.extend(way);
            }
        }
        if at != entry || cycle.is_empty() {
            cycle.extend(self.way(at, is_inside, |edge| self.runs.edge(edge).target == entry));
        }
        Ok(cycle)
    }

    fn takes_part(&self, agent: u32, edge: usize) -> bool {
        self.lts.agent_sets[self.runs.transition(edge).agents].binary_search(&agent).is_ok()
    }

    /// A shortest way inside of a part from a node to an edge that `is_wanted`, that edge included; empty if
    /// there is none.
    fn way(&self, from: u32, is_inside: &[bool], is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut search = Search::new(self.runs.len(), from);
        while let Some(node) = search.queue.pop_front() {
            for edge in self.inner_edges(node, is_inside) {
                if is_wanted(edge) {
                    let mut way = search.way_to(node);
                    way.push(edge);
                    return way;
                }
                search.reach(node, edge, self.runs.edge(edge).target);
            }
        }
        Vec::new()
    }
}

/// The nodes of a strongly connected part, nearest first, and for each node of the graph whether it is one.
type Component = (Vec<u32>, Vec<bool>);

/// Whether going through all of a part for ever is fair.
enum Unfair {
    /// It is.
    None,
    /// It is not, and nothing inside is.
    Always,
    /// It is not, but may be without these nodes.
    In(rustc_hash::FxHashSet<u32>),
}

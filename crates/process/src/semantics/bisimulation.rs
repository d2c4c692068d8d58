//! Strong bisimilarity that respects termination, by partition refinement.
//!
//! Blocks are refined by signatures: the labels of a state's transitions with the blocks that they lead to.
//! When a block is split its largest part keeps the number, and only states with a transition into another
//! part are looked at again, so a state's block changes at most log n times (Jacobs and Wißmann, *Fast
//! Coalgebraic Bisimilarity Minimization*, POPL 2023). Own code: the crates that exist know no termination,
//! no limits, and would bring a toolset along.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lts::{Lts, Transition};
use crate::model::LabelId;
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// For each state its block: states have the same block exactly if they are strongly bisimilar and agree on
/// termination. Blocks are numbered in the order of their first states. `lts` must be complete: states that
/// are not expanded count as ones without transitions.
///
/// # Errors
/// The budget ended.
pub fn classes(lts: &Lts, budget: &Budget) -> Result<Vec<u32>, Stop> {
    Refinement::new(lts).run(budget)
}

/// The quotient by bisimilarity: one state per class. Who takes part in a step is dropped.
///
/// # Errors
/// The budget ended.
pub fn quotient(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let classes = classes(lts, budget)?;
    let mut result = Lts::new(lts.labels.clone(), Vec::new());
    let no_agents = result.agent_set(&[]);
    let mut members = Vec::new();
    for (state, class) in classes.iter().enumerate() {
        if *class as usize == members.len() {
            members.push(state as u32);
            result.add_state(lts.is_terminated(state as u32));
        }
    }
    for member in members {
        let lead = |transition: &Transition| Transition {
            label: transition.label,
            target: classes[transition.target as usize],
            agents: no_agents,
        };
        result.expand(lts.transitions(member).iter().map(lead).collect());
    }
    Ok(result)
}

/// Whether the initial states of two complete systems are strongly bisimilar, termination respected. Labels
/// are the same if they are written the same.
///
/// # Errors
/// The budget ended.
pub fn are_bisimilar(one: &Lts, other: &Lts, budget: &Budget) -> Result<bool, Stop> {
    let mut labels = IndexVec::new();
    let mut ids: BTreeMap<&str, LabelId> = BTreeMap::new();
    let mut union = Lts::default();
    let no_agents = union.agent_set(&[]);
    let offsets = [0, one.states() as u32];
    let systems = [one, other];
    for lts in systems {
        (0..lts.states() as u32).for_each(|state| {
            union.add_state(lts.is_terminated(state));
        });
    }
    for (lts, offset) in systems.into_iter().zip(offsets) {
        for state in 0..lts.states() as u32 {
            let mut moved = |transition: &Transition| Transition {
                label: *ids
                    .entry(&lts.labels[transition.label])
                    .or_insert_with_key(|name| labels.push((*name).to_owned())),
                target: transition.target + offset,
                agents: no_agents,
            };
            union.expand(lts.transitions(state).iter().map(&mut moved).collect());
        }
    }
    union.labels = labels;
    let classes = classes(&union, budget)?;
    match (classes.first(), classes.get(one.states())) {
        (Some(first), Some(second)) => Ok(first == second),
        (first, second) => Ok(first == second),
    }
}

/// How many states are looked at between two looks at the budget.
const STEPS_PER_CHECK: usize = 4096;

/// A block: its states stand side by side, those that are to be looked at again first.
#[derive(Clone, Copy)]
struct Block {
    begin: usize,
    /// The end of those to be looked at, and the beginning of the others.
    middle: usize,
    end: usize,
}

/// Where a state's transitions lead: labels and blocks, sorted.
type Signature = Vec<(LabelId, u32)>;

struct Refinement<'a> {
    lts: &'a Lts,
    /// The states with a transition to each state: `sources[starts[s]..starts[s + 1]]`.
    starts: Vec<usize>,
    sources: Vec<u32>,
    /// All states, block by block, and where each stands.
    elements: Vec<u32>,
    place: Vec<usize>,
    block: Vec<u32>,
    blocks: Vec<Block>,
    /// Blocks with something to look at.
    waiting: Vec<u32>,
}

impl<'a> Refinement<'a> {
    /// Two blocks, terminated or not; everything is to be looked at.
    fn new(lts: &'a Lts) -> Self {
        let count = lts.states();
        let mut starts = vec![0; count + 1];
        for transition in lts.all_transitions() {
            starts[transition.target as usize + 1] += 1;
        }
        for state in 0..count {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; lts.all_transitions().len()];
        for state in 0..count as u32 {
            for transition in lts.transitions(state) {
                let place = &mut next[transition.target as usize];
                sources[*place] = state;
                *place += 1;
            }
        }
        let (mut elements, terminated): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|state| !lts.is_terminated(*state));
        let middle = elements.len();
        elements.extend(terminated);
        let mut place = vec![0; count];
        for (position, state) in elements.iter().enumerate() {
            place[*state as usize] = position;
        }
        let mut refinement = Refinement {
            lts,
            starts,
            sources,
            elements,
            place,
            block: vec![0; count],
            blocks: Vec::new(),
            waiting: Vec::new(),
        };
        for (begin, end) in [(0, middle), (middle, count)] {
            if begin < end {
                let block = refinement.add(begin, end);
                refinement.blocks[block as usize].middle = end;
                refinement.waiting.push(block);
            }
        }
        refinement
    }

    /// A new block of the states that stand from `begin` to `end`.
    fn add(&mut self, begin: usize, end: usize) -> u32 {
        let id = self.blocks.len() as u32;
        self.blocks.push(Block { begin, middle: begin, end });
        self.elements[begin..end].iter().for_each(|state| self.block[*state as usize] = id);
        id
    }

    /// Has a state looked at again.
    fn mark(&mut self, state: u32) {
        let id = self.block[state as usize];
        let block = &mut self.blocks[id as usize];
        let (here, middle) = (self.place[state as usize], block.middle);
        if here < middle {
            return;
        }
        if block.middle == block.begin {
            self.waiting.push(id);
        }
        block.middle += 1;
        let other = self.elements[middle];
        self.elements.swap(here, middle);
        self.place[state as usize] = middle;
        self.place[other as usize] = here;
    }

    fn signature(&self, state: u32) -> Signature {
        let lead = |transition: &Transition| (transition.label, self.block[transition.target as usize]);
        let mut signature: Signature = self.lts.transitions(state).iter().map(lead).collect();
        signature.sort();
        signature.dedup();
        signature
    }

    fn run(mut self, budget: &Budget) -> Result<Vec<u32>, Stop> {
        let mut count = 0;
        while let Some(id) = self.waiting.pop() {
            let Block { begin, middle, .. } = self.blocks[id as usize];
            count += middle - begin;
            if count >= STEPS_PER_CHECK {
                count = 0;
                budget.check()?;
            }
            let parts = self.arrange(id);
            self.blocks[id as usize].middle = begin;
            // The largest part keeps the number.
            let Some(largest) = (0..parts.len()).max_by_key(|part| parts[*part].1 - parts[*part].0) else {
                continue;
            };
            let (begin, end) = parts[largest];
            self.blocks[id as usize] = Block { begin, middle: begin, end };
            let mut moved = Vec::new();
            for (part, (begin, end)) in parts.into_iter().enumerate() {
                if part != largest {
                    self.add(begin, end);
                    moved.extend_from_slice(&self.elements[begin..end]);
                }
            }
            // Marking moves states within their blocks, so this waits until all blocks are made.
            for state in moved {
                for position in self.starts[state as usize]..self.starts[state as usize + 1] {
                    self.mark(self.sources[position]);
                }
            }
        }
        Ok(in_order(&self.block))
    }

    /// Sorts the states of a block that are to be looked at by their signatures, those that go with the
    /// others last; the ranges of equal signature. (The others all have one signature: none of their
    /// transitions leads to a block that was split since.)
    fn arrange(&mut self, id: u32) -> Vec<(usize, usize)> {
        let Block { begin, middle, end } = self.blocks[id as usize];
        let mut groups: FxHashMap<Signature, Vec<u32>> = FxHashMap::default();
        for state in &self.elements[begin..middle] {
            groups.entry(self.signature(*state)).or_default().push(*state);
        }
        let rest = (middle < end).then(|| self.signature(self.elements[middle]));
        let with_rest = rest.and_then(|signature| groups.remove(&signature));
        let mut groups: Vec<Vec<u32>> = groups.into_values().collect();
        groups.sort();
        let mut parts = Vec::with_capacity(groups.len() + 1);
        let mut next = begin;
        for group in &groups {
            parts.push((next, next + group.len()));
            next += group.len();
        }
        if next < end {
            parts.push((next, end));
        }
        for (offset, state) in groups.into_iter().flatten().chain(with_rest.into_iter().flatten()).enumerate()
        {
            self.elements[begin + offset] = state;
            self.place[state as usize] = begin + offset;
        }
        parts
    }
}

/// The blocks numbered in the order of their first states.
fn in_order(block: &[u32]) -> Vec<u32> {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    block
        .iter()
        .map(|block| {
            let next = numbers.len() as u32;
            *numbers.entry(*block).or_insert(next)
        })
        .collect()
}

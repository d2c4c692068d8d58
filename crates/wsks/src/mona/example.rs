//! Small words and trees that an automaton accepts.
//!
//! MONA's own search for trees finds some tree, often a large one, and prints it. The searches here
//! find a shortest word and a tree with the fewest nodes: smaller counterexamples.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::message::Labelling;
use super::run::Decider;
use mona_sys::{Automaton, Node, Shape, Status, Tree, Word};

/// The states below a node, each with the tracks that have their bit on the way to it. Few bits come
/// first; tracks that do not matter have none.
fn leaves(node: Node<'_>) -> Vec<(u32, Vec<u16>)> {
    let mut found: Vec<(u32, Vec<u16>)> = Vec::new();
    let mut states: FxHashSet<u32> = FxHashSet::default();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut open = vec![(node, Vec::new())];
    while let Some((next, bits)) = open.pop() {
        if !seen.insert(next.id()) {
            continue;
        }
        match next.shape() {
            Shape::Leaf(state) => {
                if states.insert(state) {
                    found.push((state, bits));
                }
            }
            Shape::Test { track, low, high } => {
                let mut with = bits.clone();
                with.push(track);
                open.push((high, with));
                open.push((low, bits));
            }
        }
    }
    found
}

impl Decider for Word {
    fn example(&self, tracks: usize) -> Option<Labelling> {
        // Breadth first over the states that some letter leads to: a word has one letter at least,
        // which belongs to no position.
        let mut from: FxHashMap<u32, (u32, Vec<u16>)> = FxHashMap::default();
        let mut first: Vec<u32> = Vec::new();
        for (state, _) in leaves(self.successors(self.start())?) {
            if !first.contains(&state) {
                first.push(state);
            }
        }
        let mut order = first.clone();
        let mut reached: FxHashSet<u32> = first.iter().copied().collect();
        let mut next = 0;
        let last = loop {
            let state = *order.get(next)?;
            next += 1;
            if self.status(state) == Status::Accept {
                break state;
            }
            for (successor, bits) in leaves(self.successors(state)?) {
                if reached.insert(successor) {
                    from.insert(successor, (state, bits));
                    order.push(successor);
                }
            }
        };
        let mut letters = Vec::new();
        let mut state = last;
        while let Some((before, bits)) = from.get(&state) {
            letters.push(bits);
            state = *before;
        }
        letters.reverse();
        let mut example = Labelling { nodes: Vec::new(), tracks: vec![Vec::new(); tracks] };
        for (position, bits) in (0_u32..).zip(letters) {
            example.nodes.push(position.checked_sub(1).map(|before| (before, 1)));
            mark(&mut example, position, bits);
        }
        Some(example)
    }
}

/// How a state is reached by a tree: from the states of the root's children, with these bits.
struct Way {
    left: u32,
    right: u32,
    bits: Vec<u16>,
}

impl Decider for Tree {
    fn example(&self, tracks: usize) -> Option<Labelling> {
        // As in a search for shortest paths: states leave the queue by the size of their smallest
        // tree, and are then combined with all that left before.
        let mut ways: FxHashMap<u32, (u64, Option<Way>)> = FxHashMap::default();
        let mut known: FxHashMap<u32, Vec<(u32, Vec<u16>)>> = FxHashMap::default();
        let mut settled: Vec<(u32, u64)> = Vec::new();
        let mut done: FxHashSet<u32> = FxHashSet::default();
        let mut queue = BinaryHeap::from([Reverse((0_u64, self.start()))]);
        ways.insert(self.start(), (0, None));
        let root = loop {
            let Reverse((size, state)) = queue.pop()?;
            if !done.insert(state) {
                continue;
            }
            if self.status(state) == Status::Accept {
                break state;
            }
            settled.push((state, size));
            for &(other, other_size) in &settled {
                let total = size.saturating_add(other_size).saturating_add(1);
                for (left, right) in [(state, other), (other, state)] {
                    let node = self.parents(left, right)?;
                    for (parent, bits) in known.entry(node.id()).or_insert_with(|| leaves(node)).iter() {
                        if ways.get(parent).is_none_or(|(best, _)| total < *best) {
                            ways.insert(*parent, (total, Some(Way { left, right, bits: bits.clone() })));
                            queue.push(Reverse((total, *parent)));
                        }
                    }
                }
            }
        };
        let mut example = Labelling { nodes: Vec::new(), tracks: vec![Vec::new(); tracks] };
        let mut open = vec![(root, None)];
        while let Some((state, parent)) = open.pop() {
            if let Some((_, Some(way))) = ways.get(&state) {
                let node = example.nodes.len() as u32;
                example.nodes.push(parent);
                mark(&mut example, node, &way.bits);
                open.push((way.right, Some((node, 2))));
                open.push((way.left, Some((node, 1))));
            }
        }
        Some(example)
    }
}

fn mark(example: &mut Labelling, node: u32, bits: &[u16]) {
    for &track in bits {
        if let Some(nodes) = example.tracks.get_mut(usize::from(track)) {
            nodes.push(node);
        }
    }
}

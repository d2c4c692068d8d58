//! All runs of a system as paths of a graph whose nodes have letters: a node is a state, what of the last
//! step can be seen, and the step that is taken next.

use std::collections::BTreeMap;

use crate::letter::Letter;
use crate::system::{Kind, System};
use crate::twin::random::Tiny;

pub(crate) struct Node {
    pub(crate) letter: Letter,
    /// Who acts, and who can.
    pub(crate) acts: u64,
    pub(crate) able: u64,
    pub(crate) next: Vec<usize>,
}

pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) initial: Vec<usize>,
}

/// A state, the bits of the last step, and the number of the next step, if there is one.
type Key = (u32, u64, Option<usize>);

impl Graph {
    pub(crate) fn new(system: &Tiny) -> Graph {
        let of_kind = |kind| {
            let atoms = system.atoms().iter().enumerate().filter(|(_, other)| **other == kind);
            atoms.map(|(atom, _)| 1u64 << atom).sum::<u64>()
        };
        let (of_step, of_last) = (of_kind(Kind::Step), of_kind(Kind::Last));
        let choices = |state: u32, last: u64| -> Vec<Key> {
            let steps = system.steps[state as usize].len();
            if steps == 0 {
                vec![(state, last, None)]
            } else {
                (0..steps).map(|step| (state, last, Some(step))).collect()
            }
        };
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut keys: Vec<Key> = Vec::new();
        let mut number = |key: Key, keys: &mut Vec<Key>| {
            *numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() - 1
            })
        };
        let initial = system.initial.iter().flat_map(|state| choices(*state, 0)).collect::<Vec<Key>>();
        let initial = initial.into_iter().map(|key| number(key, &mut keys)).collect();
        let mut nodes = Vec::new();
        while let Some(&(state, last, step)) = keys.get(nodes.len()) {
            let here = &system.steps[state as usize];
            let (bits, acts, next) = match step {
                Some(step) => {
                    let step = here[step];
                    (step.bits, step.units, choices(step.target, step.bits & of_last))
                }
                None => (0, 0, choices(state, if system.keeps_last { last } else { 0 })),
            };
            let letter = vec![system.letters[state as usize] | last | bits & of_step];
            let able = here.iter().fold(0, |all, step| all | step.units);
            let next = next.into_iter().map(|key| number(key, &mut keys)).collect();
            nodes.push(Node { letter, acts, able, next });
        }
        Graph { nodes, initial }
    }
}

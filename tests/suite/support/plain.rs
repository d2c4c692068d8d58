//! The naive twin of the explorer: one marking after the other, each kept as it is.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;

/// What the twin finds: every reachable marking and its distance from the initial one.
pub(crate) struct Plain {
    pub distances: BTreeMap<Vec<usize>, usize>,
    /// Enabled transitions over all markings.
    pub transitions: u64,
}

/// A marking as numbers, in the order of the components.
pub(crate) fn numbers(marking: &Marking) -> Vec<usize> {
    marking.iter().map(|state| paramcheck_text::index::Idx::index(*state)).collect()
}

/// All reachable markings of `net`, or `None` if there are more than `most`. Calls `each` with every one.
pub(crate) fn explore(net: &Net, most: usize, mut each: impl FnMut(&Marking)) -> Option<Plain> {
    let mut plain = Plain { distances: BTreeMap::new(), transitions: 0 };
    let initial = net.initial();
    plain.distances.insert(numbers(&initial), 0);
    let mut queue = VecDeque::from([(initial, 0)]);
    while let Some((marking, distance)) = queue.pop_front() {
        each(&marking);
        for transition in net.transitions().indices() {
            let Some(next) = net.fire(transition, &marking) else { continue };
            plain.transitions += 1;
            if let Entry::Vacant(new) = plain.distances.entry(numbers(&next)) {
                new.insert(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
        if plain.distances.len() > most {
            return None;
        }
    }
    Some(plain)
}

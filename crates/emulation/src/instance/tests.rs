use std::collections::BTreeSet;

use super::encode;
use crate::evolution::Evolution;
use paramcheck_model::lower::load;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;

/// The structure's steps are the net's, in every reachable state.
#[test]
fn a_structure_does_what_the_net_does() {
    let text = include_str!("../../../../examples/philosophers/alt-philo-sym.rs");
    let system = load(text).system.unwrap();
    for size in 2..=6 {
        for tree in trees(&system, size) {
            let net = unfold(&system, &tree);
            let structure = encode(&system, &net);
            let mut seen = BTreeSet::new();
            let evolution = Evolution::new(&structure);
            let mut todo = evolution.initial();
            while let Some(state) = todo.pop() {
                if !seen.insert(state.clone()) {
                    continue;
                }
                let marking: Marking = state
                    .counters
                    .iter()
                    .map(|location| paramcheck_model::component::StateId::new(location.index()))
                    .collect();
                let mut enabled: Vec<usize> =
                    net.enabled(&marking).map(|transition| transition.index()).collect();
                enabled.sort();
                let successors = evolution.successors(&state);
                let taken: Vec<usize> = successors.iter().map(|(triple, _)| triple.index()).collect();
                assert_eq!(taken, enabled);
                todo.extend(successors.into_iter().map(|(_, next)| next));
            }
            assert!(seen.len() > 1);
        }
    }
}

//! The invariants of one net by trying all subsets of its places: what the naive twin is tested
//! against. Nothing here knows of rules or trees.

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;

use super::naive::DeadSet;

/// Most places of a net whose subsets are enumerated.
pub(crate) const MAX_PLACES: usize = 16;

/// Every invariant of `kinds` of the net, as sets of places (a bit for each), by trying all. The
/// transitions in `dead` don't count.
pub(crate) fn all_invariants(
    net: &Net,
    kinds: &[InvariantKind],
    dead: &DeadSet,
) -> Vec<(InvariantKind, u32)> {
    assert!(net.place_count() <= MAX_PLACES);
    let initial = places(net, &net.initial());
    let transitions: Vec<(u32, u32)> = net
        .transitions()
        .iter()
        .filter(|transition| {
            let locals = transition.moves.iter();
            let locals =
                locals.map(|m| (net.components()[m.component].component_type, m.transition)).collect();
            !transition.interaction.is_some_and(|id| dead.contains(&(transition.rule, id, locals)))
        })
        .map(|transition| {
            let moves = transition.moves.iter();
            moves.fold((0, 0), |(pre, post), m| {
                (pre | 1 << net.place(m.component, m.from), post | 1 << net.place(m.component, m.to))
            })
        })
        .collect();
    let common = |left: u32, right: u32| i64::from((left & right).count_ones());
    let mut result = Vec::new();
    for theta in 0..1_u32 << net.place_count() {
        for &kind in kinds {
            let respects =
                |&(pre, post): &(u32, u32)| kind.admits_transition(common(theta, pre), common(theta, post));
            if kind.admits_initial(common(theta, initial)) && transitions.iter().all(respects) {
                result.push((kind, theta));
            }
        }
    }
    result
}

/// Whether `marking` is in all of the net's `invariants`.
pub(crate) fn in_all(net: &Net, invariants: &[(InvariantKind, u32)], marking: &Marking) -> bool {
    let (initial, marked) = (places(net, &net.initial()), places(net, marking));
    let count = |theta: u32, marking: u32| i64::from((theta & marking).count_ones());
    !invariants.iter().any(|&(kind, theta)| kind.refutes(count(theta, initial), count(theta, marked)))
}

/// Whether `marking` is in all invariants of `kinds` of the net: by all subsets of its places.
pub(crate) fn in_all_invariants(net: &Net, marking: &Marking, kinds: &[InvariantKind]) -> bool {
    in_all(net, &all_invariants(net, kinds, &DeadSet::new()), marking)
}

fn places(net: &Net, marking: &Marking) -> u32 {
    marking.enumerate().fold(0, |places, (component, &state)| places | 1 << net.place(component, state))
}

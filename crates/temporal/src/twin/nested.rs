//! Emptiness by a nested depth-first search: Courcoubetis, Vardi, Wolper and Yannakakis, *Memory-efficient
//! algorithms for the verification of temporal properties*, FMSD 1, 1992. Acceptance sets are counted through
//! one after the other; strong fairness is decided by trying all sets of units that are left out.

use std::collections::BTreeSet;

use super::explicit::Graph;
use super::gpvw::{Gpvw, INITIAL};
use crate::system::Fairness;

/// A node of the graph, a state of the automaton, and the acceptance set that is waited for.
type Place = (usize, usize, usize);

/// Which nodes of the product are in an acceptance set.
type AcceptanceSet<'a> = Box<dyn Fn(usize, usize) -> bool + 'a>;

struct Search<'a> {
    graph: &'a Graph,
    automaton: &'a Gpvw<'a>,
    /// Units that may not be able to act.
    without: u64,
    sets: Vec<AcceptanceSet<'a>>,
    outer: BTreeSet<Place>,
    inner: BTreeSet<Place>,
}

/// Whether a run that counts is read by the automaton.
pub(crate) fn has_run(graph: &Graph, automaton: &Gpvw<'_>, units: usize, fairness: Fairness) -> bool {
    let starts = starts(graph, automaton);
    let of_formula = || {
        let sets = automaton.untils.iter().map(|until| {
            let set: AcceptanceSet<'_> = Box::new(|_, state| automaton.accepts(state, *until));
            set
        });
        sets.collect::<Vec<_>>()
    };
    match fairness {
        Fairness::None => empties(graph, automaton, 0, of_formula(), &starts),
        Fairness::Weak => {
            let mut sets = of_formula();
            for unit in 0..units {
                sets.push(Box::new(move |node, _| {
                    let node = &graph.nodes[node];
                    node.acts >> unit & 1 == 1 || node.able >> unit & 1 == 0
                }));
            }
            empties(graph, automaton, 0, sets, &starts)
        }
        Fairness::Strong => {
            // From some point on, these can't act; all others act again and again.
            let all = reached(graph, automaton, &starts);
            (0..1u64 << units).any(|without| {
                let mut sets = of_formula();
                for unit in (0..units).filter(|unit| without >> unit & 1 == 0) {
                    sets.push(Box::new(move |node, _| graph.nodes[node].acts >> unit & 1 == 1));
                }
                empties(graph, automaton, without, sets, &all)
            })
        }
    }
}

fn empties<'a>(
    graph: &'a Graph,
    automaton: &'a Gpvw<'a>,
    without: u64,
    mut sets: Vec<AcceptanceSet<'a>>,
    starts: &[(usize, usize)],
) -> bool {
    if sets.is_empty() {
        sets.push(Box::new(|_, _| true));
    }
    let mut search =
        Search { graph, automaton, without, sets, outer: BTreeSet::new(), inner: BTreeSet::new() };
    starts
        .iter()
        .any(|(node, state)| graph.nodes[*node].able & without == 0 && search.visit((*node, *state, 0)))
}

fn starts(graph: &Graph, automaton: &Gpvw<'_>) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    for node in &graph.initial {
        for (state, labelled) in automaton.states.iter().enumerate() {
            if labelled.incoming.contains(&INITIAL) && automaton.reads(state, &graph.nodes[*node].letter) {
                starts.push((*node, state));
            }
        }
    }
    starts
}

fn next(graph: &Graph, automaton: &Gpvw<'_>, node: usize, state: usize) -> Vec<(usize, usize)> {
    let mut next = Vec::new();
    for target in &graph.nodes[node].next {
        for (to, labelled) in automaton.states.iter().enumerate() {
            if labelled.incoming.contains(&state) && automaton.reads(to, &graph.nodes[*target].letter) {
                next.push((*target, to));
            }
        }
    }
    next
}

fn reached(graph: &Graph, automaton: &Gpvw<'_>, starts: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut all: BTreeSet<(usize, usize)> = starts.iter().copied().collect();
    let mut open = starts.to_vec();
    while let Some((node, state)) = open.pop() {
        let new = next(graph, automaton, node, state).into_iter().filter(|place| all.insert(*place));
        open.extend(new.collect::<Vec<_>>());
    }
    all.into_iter().collect()
}

impl Search<'_> {
    fn next(&self, (node, state, waiting): Place) -> Vec<Place> {
        let waiting =
            if (self.sets[waiting])(node, state) { (waiting + 1) % self.sets.len() } else { waiting };
        let next = next(self.graph, self.automaton, node, state).into_iter();
        let may = |node: usize| self.graph.nodes[node].able & self.without == 0;
        next.filter(|(node, _)| may(*node)).map(|(node, state)| (node, state, waiting)).collect()
    }

    fn visit(&mut self, place: Place) -> bool {
        if !self.outer.insert(place) {
            return false;
        }
        if self.next(place).into_iter().any(|next| self.visit(next)) {
            return true;
        }
        place.2 == 0 && (self.sets[0])(place.0, place.1) && self.comes_back(place, place)
    }

    fn comes_back(&mut self, place: Place, to: Place) -> bool {
        let next = self.next(place);
        next.contains(&to)
            || next.into_iter().any(|next| self.inner.insert(next) && self.comes_back(next, to))
    }
}

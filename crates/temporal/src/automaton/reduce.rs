//! Smaller automata for the same runs: states that do the same are one, states that lead nowhere are left
//! out, and marks that others imply are dropped.

use rustc_hash::FxHashMap;

use super::{Automaton, Transition};
use paramcheck_text::graph::components;

impl Automaton {
    /// Makes one state of those that have the same transitions, until there are none. (Gastin and Oddoux, CAV
    /// 2001, section 4.)
    pub(super) fn merge_equal(&mut self) {
        loop {
            let mut first: FxHashMap<&Vec<Transition>, u32> = FxHashMap::default();
            let numbers: Vec<u32> = (0..)
                .zip(&self.states)
                .map(|(number, transitions)| *first.entry(transitions).or_insert(number))
                .collect();
            if first.len() == self.states.len() {
                return;
            }
            self.rename(|state| Some(numbers[state as usize]));
        }
    }

    /// Leaves out states that are not reached or from which nothing is read, and marks that say nothing.
    pub(super) fn trim(&mut self) {
        let is_useful = self.useful();
        self.rename(|state| is_useful[state as usize].then_some(state));
        let reached = self.reached();
        self.rename(|state| reached[state as usize].then_some(state));
        self.drop_marks();
    }

    /// Gives states other numbers, in their order; those without one are left out, as are the transitions to
    /// them.
    pub(super) fn rename(&mut self, to: impl Fn(u32) -> Option<u32>) {
        let count = self.states.len() as u32;
        let mut kept: Vec<u32> = (0..count).filter_map(&to).collect();
        kept.sort_unstable();
        kept.dedup();
        let number = |state: u32| {
            let to = to(state)?;
            kept.binary_search(&to).ok().map(|position| position as u32)
        };
        let mut states: Vec<Vec<Transition>> = vec![Vec::new(); kept.len()];
        for (position, state) in kept.iter().enumerate() {
            let transitions = std::mem::take(&mut self.states[*state as usize]).into_iter();
            states[position] = transitions
                .filter_map(|one| number(one.target).map(|target| Transition { target, ..one }))
                .collect();
            states[position].sort_unstable();
            states[position].dedup();
        }
        self.initial = self.initial.iter().filter_map(|state| number(*state)).collect();
        self.initial.sort_unstable();
        self.initial.dedup();
        self.states = states;
    }

    fn targets(&self) -> Vec<Vec<u32>> {
        self.states.iter().map(|transitions| transitions.iter().map(|one| one.target).collect()).collect()
    }

    /// The states from which some run may be read: those that lead to a component with all marks.
    fn useful(&self) -> Vec<bool> {
        let targets = self.targets();
        let component = components(self.states.len(), |state| &targets[state]);
        let count = component.iter().max().map_or(0, |most| *most as usize + 1);
        let (mut marks, mut has_edge) = (vec![0; count], vec![false; count]);
        for (state, transitions) in self.states.iter().enumerate() {
            for one in transitions {
                if component[state] == component[one.target as usize] {
                    marks[component[state] as usize] |= one.marks;
                    has_edge[component[state] as usize] = true;
                }
            }
        }
        let mut is_useful: Vec<bool> =
            (0..count).map(|number| has_edge[number] && marks[number] == self.marks).collect();
        // A component leads to those of smaller numbers.
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|state| component[*state]);
        for state in order {
            let leads = targets[state].iter().any(|target| is_useful[component[*target as usize] as usize]);
            is_useful[component[state] as usize] |= leads;
        }
        component.iter().map(|number| is_useful[*number as usize]).collect()
    }

    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.states.len()];
        let mut open = self.initial.clone();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut is_reached[state as usize], true) {
                open.extend(self.states[state as usize].iter().map(|one| one.target));
            }
        }
        is_reached
    }

    /// Drops a mark that stands wherever another one does: who sees that one again and again sees it too.
    fn drop_marks(&mut self) {
        let all = || self.states.iter().flatten().map(|one| one.marks);
        let mut kept: Vec<u32> = (0..64).filter(|bit| self.marks >> bit & 1 == 1).collect();
        let mut at = 0;
        while at < kept.len() {
            let bit = kept[at];
            let stands = |bit: u32, marks: u64| marks >> bit & 1 == 1;
            let follows = |other: u32| all().all(|marks| !stands(other, marks) || stands(bit, marks));
            let is_everywhere = all().all(|marks| stands(bit, marks));
            if is_everywhere || kept.iter().any(|other| *other != bit && follows(*other)) {
                kept.remove(at);
            } else {
                at += 1;
            }
        }
        let packed =
            |marks: u64| kept.iter().enumerate().map(|(to, from)| (marks >> from & 1) << to).sum::<u64>();
        self.marks = packed(self.marks);
        for transitions in &mut self.states {
            transitions.iter_mut().for_each(|one| one.marks = packed(one.marks));
            transitions.sort_unstable();
            transitions.dedup();
        }
    }
}

//! Reduction by direct simulation.
//!
//! A state simulates another if it can answer each of its transitions by one that demands no more, has at
//! least its marks, and leads to a state that simulates the target. States that simulate each other are one;
//! of the transitions of a state, those are left out that another one answers. (Somenzi and Bloem, CAV 2000,
//! section 5; Bustan and Grumberg, *Simulation-based minimization*, TOCL 4(2), 2003.)

use super::{Automaton, Transition};
use paramcheck_text::limits::{Budget, Stop};

/// Automata with more states are left as they are: the work grows with the square of their number.
const MAX_SIMULATED: usize = 400;

impl Automaton {
    pub(super) fn reduce_by_simulation(&mut self, budget: &Budget) -> Result<(), Stop> {
        if self.states.len() > MAX_SIMULATED {
            return Ok(());
        }
        let simulates = self.simulation(budget)?;
        // The first of those that simulate each other stands for all.
        let count = self.states.len() as u32;
        let is_below = |one: u32, other: u32| simulates[other as usize][one as usize];
        let first = |state: u32| {
            (0..count).find(|other| is_below(state, *other) && is_below(*other, state)).unwrap_or(state)
        };
        let numbers: Vec<u32> = (0..count).map(first).collect();
        for transitions in &mut self.states {
            for one in transitions.iter_mut() {
                one.target = numbers[one.target as usize];
            }
            transitions.sort_unstable();
            transitions.dedup();
            let answers = |other: &Transition, one: &Transition| {
                other != one
                    && one.cube.implies(&other.cube)
                    && one.marks & !other.marks == 0
                    && is_below(one.target, other.target)
            };
            let kept: Vec<Transition> = transitions
                .iter()
                .filter(|one| !transitions.iter().any(|other| answers(other, one)))
                .cloned()
                .collect();
            *transitions = kept;
        }
        self.initial.iter_mut().for_each(|state| *state = numbers[*state as usize]);
        self.initial.sort_unstable();
        self.initial.dedup();
        let initial = self.initial.clone();
        self.initial.retain(|one| !initial.iter().any(|other| other != one && is_below(*one, *other)));
        self.rename(|state| Some(numbers[state as usize]));
        Ok(())
    }

    /// The greatest simulation: for each state, which ones it simulates.
    fn simulation(&self, budget: &Budget) -> Result<Vec<Vec<bool>>, Stop> {
        let count = self.states.len();
        let mut simulates = vec![vec![true; count]; count];
        let mut pace = budget.pace();
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for (above, answers) in self.states.iter().enumerate() {
                for (below, transitions) in self.states.iter().enumerate() {
                    if !simulates[above][below] {
                        continue;
                    }
                    pace()?;
                    let is_answered = |one: &Transition| {
                        answers.iter().any(|other| {
                            one.marks & !other.marks == 0
                                && simulates[other.target as usize][one.target as usize]
                                && one.cube.implies(&other.cube)
                        })
                    };
                    if !transitions.iter().all(is_answered) {
                        simulates[above][below] = false;
                        is_stable = false;
                    }
                }
            }
        }
        Ok(simulates)
    }
}

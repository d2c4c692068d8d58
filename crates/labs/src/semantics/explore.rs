//! All reachable states, and all transitions between them.

use paramcheck_text::limits::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::{Choices, Evaluator, Halt, Value};
use super::step::{Label, Rules, State, Stepper};
use super::store::Store;
use crate::model::{Expr, System};
use crate::number::Fault;

/// The reachable states of a system.
#[derive(Clone, Debug)]
pub struct Space {
    /// The states, those with the shortest ways first.
    pub states: Vec<State>,
    /// How many of them are initial: the first ones.
    pub initial: usize,
    /// Per state its transitions.
    pub transitions: Vec<Vec<(Label, usize)>>,
    /// The first state found that leads out of the language, by which step, and why.
    pub fault: Option<(usize, Label, Fault)>,
    /// The states in which some step leads out of the language.
    pub faulty: FxHashSet<usize>,
    /// Per state the one from which it was reached first; initial states have none.
    pub parents: Vec<Option<usize>>,
}

impl Space {
    /// How many different stores there are.
    pub fn stores(&self) -> usize {
        self.states.iter().map(|state| &state.store).collect::<FxHashSet<&Store>>().len()
    }

    /// How many stores belong to a state in which nothing can happen.
    pub fn stuck_stores(&self) -> usize {
        let stuck = (0..self.states.len()).filter(|state| self.is_stuck(*state));
        stuck.map(|state| &self.states[state].store).collect::<FxHashSet<&Store>>().len()
    }

    /// Whether nothing can happen in a state.
    pub(super) fn is_stuck(&self, state: usize) -> bool {
        self.transitions[state].is_empty() && !self.faulty.contains(&state)
    }

    /// How many steps lead to a state, at least.
    pub fn depth(&self, state: usize) -> usize {
        std::iter::successors(self.parents[state], |state| self.parents[*state]).count()
    }
}

/// So many outcomes that are tried are as much work as a transition.
const TRIES_OF_A_LOOK: u64 = 16;

/// Why there is no space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSpace {
    /// There are more states than allowed.
    TooMany,
    /// A limit of the run was reached.
    Stopped(Stop),
    /// An assumption leaves the language.
    Fault(Fault),
    /// A function of the C program would be called.
    Foreign,
}

/// The initial values that all assumptions allow, in the order in which they are written.
///
/// # Errors
/// They can't be listed.
pub fn initial_values(
    system: &System,
    rules: &Rules,
    max: usize,
    budget: &Budget,
) -> Result<Vec<Vec<Value>>, NoSpace> {
    let mut all = Vec::new();
    let mut numbers = vec![0u64; system.initial.len()];
    loop {
        budget.check().map_err(NoSpace::Stopped)?;
        let cells: Vec<Value> =
            system.initial.iter().zip(&numbers).map(|(initial, number)| initial.value(*number)).collect();
        let mut holds = true;
        for assumption in &system.assumptions {
            holds = holds && holds_in(system, &assumption.formula, &cells, rules).map_err(no_space)?;
        }
        if holds {
            if all.len() == max {
                return Err(NoSpace::TooMany);
            }
            all.push(cells);
        }
        let mut next = numbers.iter_mut().zip(&system.initial).rev();
        let carried = next.all(|(number, initial)| {
            *number += 1;
            let is_over = *number == initial.count();
            if is_over {
                *number = 0;
            }
            is_over
        });
        if carried {
            return Ok(all);
        }
    }
}

fn no_space(halt: Halt) -> NoSpace {
    match halt {
        Halt::Fault(fault) => NoSpace::Fault(fault),
        Halt::Foreign | Halt::NoChoice => NoSpace::Foreign,
    }
}

/// Whether a formula is true of these values.
///
/// # Errors
/// It has no value.
pub fn holds_in(system: &System, formula: &Expr, cells: &[Value], rules: &Rules) -> Result<bool, Halt> {
    Evaluator::new(system, cells, rules.width).is_true(formula, &mut Choices::default())
}

/// All states of a system, breadth first, not going on behind those that `ends`.
///
/// # Errors
/// There are too many, or a limit was reached.
pub fn explore(
    system: &System,
    rules: Rules,
    max_states: usize,
    budget: &Budget,
    ends: impl Fn(&Store) -> bool,
) -> Result<Space, NoSpace> {
    explore_by(&mut Stepper::new(system, rules), max_states, budget, ends)
}

/// The same by a stepper, whose limit of outcomes is one of the space too.
///
/// # Errors
/// There are too many, or a limit was reached.
pub fn explore_by(
    stepper: &mut Stepper<'_>,
    max_states: usize,
    budget: &Budget,
    ends: impl Fn(&Store) -> bool,
) -> Result<Space, NoSpace> {
    let (system, rules) = (stepper.system(), stepper.rules());
    let mut growing = Growing {
        space: Space {
            states: Vec::new(),
            initial: 0,
            transitions: Vec::new(),
            fault: None,
            faulty: FxHashSet::default(),
            parents: Vec::new(),
        },
        known: FxHashMap::default(),
        max_states,
    };
    for cells in initial_values(system, &rules, max_states, budget)? {
        growing.add(stepper.initial(cells), None)?;
    }
    growing.space.initial = growing.space.states.len();
    growing.grow(stepper, budget, ends)?;
    Ok(growing.space)
}

/// A space while it is explored.
struct Growing {
    space: Space,
    known: FxHashMap<State, usize>,
    max_states: usize,
}

impl Growing {
    fn add(&mut self, state: State, parent: Option<usize>) -> Result<usize, NoSpace> {
        if let Some(at) = self.known.get(&state) {
            return Ok(*at);
        }
        let space = &mut self.space;
        if space.states.len() >= self.max_states {
            return Err(NoSpace::TooMany);
        }
        self.known.insert(state.clone(), space.states.len());
        space.states.push(state);
        space.transitions.push(Vec::new());
        space.parents.push(parent);
        Ok(space.states.len() - 1)
    }

    fn grow(
        &mut self,
        stepper: &mut Stepper<'_>,
        budget: &Budget,
        ends: impl Fn(&Store) -> bool,
    ) -> Result<(), NoSpace> {
        let mut at = 0;
        while let Some(state) = self.space.states.get(at).cloned() {
            budget.check().map_err(NoSpace::Stopped)?;
            let tried = stepper.tried();
            let successors = if ends(&state.store) { Vec::new() } else { stepper.successors(&state) };
            for _ in 0..(stepper.tried() - tried) / TRIES_OF_A_LOOK {
                budget.check().map_err(NoSpace::Stopped)?;
            }
            if stepper.is_cut() {
                return Err(NoSpace::TooMany);
            }
            for (label, outcome) in successors {
                budget.check().map_err(NoSpace::Stopped)?;
                match outcome {
                    Ok(next) => {
                        let to = self.add(next, Some(at))?;
                        self.space.transitions[at].push((label, to));
                    }
                    Err(fault) => {
                        self.space.fault.get_or_insert((at, label, fault));
                        self.space.faulty.insert(at);
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }
}

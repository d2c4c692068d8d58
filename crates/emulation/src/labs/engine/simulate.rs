//! Runs by chance, the same for the same seed.

use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::Label;
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use super::evidence::{Evidence, Step, store};
use super::{Engine, Options, initial};
use crate::labs::Unfit;
use crate::labs::space::Space;
use crate::labs::step::Scratch;
use crate::labs::word::UNDEFINED;

/// How often initial values are chosen anew if the assumptions do not allow them; then all are listed.
const MAX_TRIES: usize = 10_000;

/// A run by chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The steps; the first one is an initial store.
    pub steps: Vec<Step>,
    /// Whether nothing can happen after the last.
    pub is_stuck: bool,
    /// The step after these by which the run leaves the language, and how.
    pub leaves: Option<(Label, Fault)>,
}

impl Engine<'_> {
    /// A run of at most so many steps. In each state every transition is as likely as the others.
    ///
    /// # Errors
    /// There is no initial state, or a limit was reached.
    pub fn simulate(&self, steps: u64, seed: u64, budget: &Budget) -> Result<Simulation, Unfit> {
        super::for_states_of!(self.machine, S => self.run::<S>(steps, seed, budget))
    }

    fn run<S: State>(&self, steps: u64, seed: u64, budget: &Budget) -> Result<Simulation, Unfit> {
        let mut chance = Random::new(seed);
        let space: Space<'_, S> = Space::new(&self.machine, Vec::new());
        let mut state = self.begin::<S>(&mut chance, budget)?;
        let first = Step { label: None, store: store(&self.machine, &state) };
        let mut run = Simulation { steps: vec![first], is_stuck: false, leaves: None };
        let mut scratch = Scratch::default();
        for _ in 0..steps {
            budget.check().map_err(Unfit::Stopped)?;
            let mut all: Vec<(u32, S)> = Vec::new();
            space.successors(&state, None, &mut scratch, &mut |action, next| all.push((action, next)));
            if space.is_unfit() {
                return Err(Unfit::NoRoom);
            }
            if all.is_empty() {
                run.is_stuck = true;
                break;
            }
            let (action, next) = all.swap_remove(chance.below(all.len() as u64) as usize);
            let label = space.label(action);
            if let Some(fault) = self.machine.layout.fault(&next) {
                run.leaves = Some((label, fault));
                break;
            }
            run.steps.push(Step { label: Some(label), store: store(&self.machine, &next) });
            state = next;
        }
        Ok(run)
    }

    /// An initial state by chance.
    fn begin<S: State>(&self, chance: &mut Random, budget: &Budget) -> Result<S, Unfit> {
        let mut scratch = Scratch::of(initial::fields(&self.machine));
        for _ in 0..MAX_TRIES {
            budget.check().map_err(Unfit::Stopped)?;
            for (cell, values) in self.system.initial.iter().enumerate() {
                let chosen = chance.below(values.count().max(1));
                scratch.fields[cell] = values.value(chosen).unwrap_or(UNDEFINED);
            }
            if initial::is_allowed(&self.machine, &mut scratch)? {
                return self.machine.layout.pack(&scratch.fields).ok_or(Unfit::NoRoom);
            }
        }
        let all = initial::states::<S>(&self.machine, None, Options::default().max_states, budget)?;
        if all.is_empty() {
            return Err(Unfit::NoInitialState);
        }
        let chosen = chance.below(all.len() as u64) as usize;
        all.into_iter().nth(chosen).ok_or(Unfit::NoInitialState)
    }
}

impl Simulation {
    /// The run as evidence, to be replayed.
    pub fn evidence(&self) -> Evidence {
        Evidence { steps: self.steps.clone(), leaves: self.leaves.clone(), ..Evidence::default() }
    }
}

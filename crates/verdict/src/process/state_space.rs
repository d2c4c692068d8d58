//! The states of triples: as a labelled transition system, or searched by the explicit-state engine.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::{self, Evolution};
use paramcheck_emulation::packed::{Packed, PackedSystem, Violation};
use paramcheck_emulation::question::Condition;
use paramcheck_emulation::states::{self, breadth_first};
use paramcheck_nets::explore::engine::{End, Exploration, SearchOptions, explore};
use paramcheck_nets::explore::system::{State, TransitionSystem, Wide};
use paramcheck_process::semantics::check::RunStep;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::inductive::{self, Fault};
use super::offered::Unseen;

/// The states of a structure as a labelled transition system, with what each state is.
pub struct StateSpace<'a> {
    /// The labelled transition system, with the structure's labels and agents; incomplete where a limit was
    /// reached.
    pub lts: Lts,
    state_at: Box<dyn Fn(u32) -> Option<evolution::State> + 'a>,
}

impl<'a> StateSpace<'a> {
    /// Explores the states of a structure with one initial state: all, or `max_states` of them where there
    /// are more.
    pub fn new(structure: &'a Structure, max_states: usize, budget: &Budget) -> StateSpace<'a> {
        let mut nothing = Lts::new(structure.labels.clone(), Vec::new());
        match Packed::new(structure, budget) {
            Ok(Some(packed)) => match packed.words() {
                1 => of_packed::<[u64; 1]>(structure, packed, max_states, budget),
                2 => of_packed::<[u64; 2]>(structure, packed, max_states, budget),
                3 | 4 => of_packed::<[u64; 4]>(structure, packed, max_states, budget),
                _ => of_packed::<Wide>(structure, packed, max_states, budget),
            },
            Ok(None) => {
                let evolution = Evolution::new(structure);
                let Some(initial) = evolution.initial().pop() else {
                    return StateSpace { lts: nothing, state_at: Box::new(|_| None) };
                };
                let space = states::explore(&evolution, initial, max_states, budget);
                let states = space.states;
                StateSpace {
                    lts: space.lts,
                    state_at: Box::new(move |state| states.get(state as usize).cloned()),
                }
            }
            Err(stop) => {
                nothing.incomplete = Some(stop.into());
                StateSpace { lts: nothing, state_at: Box::new(|_| None) }
            }
        }
    }

    /// What a state is.
    pub(crate) fn state(&self, state: u32) -> Option<evolution::State> {
        (self.state_at)(state)
    }
}

/// A state by its content; hashed by the engine's hash.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key<S: State>(pub(super) S);

impl<S: State> Hash for Key<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash());
    }
}

fn of_packed<'a, S: State + 'a>(
    structure: &'a Structure,
    packed: Packed<'a>,
    max_states: usize,
    budget: &Budget,
) -> StateSpace<'a> {
    let system = PackedSystem::<S>::new(&packed);
    let Some(initial) = system.initial().into_iter().next() else {
        let lts = Lts::new(structure.labels.clone(), Vec::new());
        return StateSpace { lts, state_at: Box::new(|_| None) };
    };
    let is_terminated = |state: &Key<S>| packed.is_terminated(&state.0);
    let space = breadth_first(structure, Key(initial), is_terminated, max_states, budget, |state, each| {
        let mut flow = ControlFlow::Continue(());
        system.successors(&state.0, None, &mut Vec::new(), &mut |action, after| {
            if let (ControlFlow::Continue(()), Some(id)) = (flow, packed.triple(action)) {
                flow = each(id, Key(after));
            }
        });
        flow
    });
    let states = space.states;
    let state_at = move |state: u32| states.get(state as usize).map(|Key(state)| packed.unpack(state));
    StateSpace { lts: space.lts, state_at: Box::new(state_at) }
}

/// What the engine found about conditions that must never hold.
pub(super) struct Search {
    /// How many states were found.
    pub(crate) states: usize,
    /// How many transitions, whoever takes part.
    pub(crate) transitions: usize,
    /// Why these are not all.
    pub(crate) incomplete: Option<Incomplete>,
    /// Per condition a shortest run to where it holds, if one was found.
    pub(crate) runs: Vec<Option<Vec<RunStep>>>,
    /// Whether the states found are an inductive invariant in which the conditions without a run never hold;
    /// looked at where all states were found.
    pub(crate) recheck: Result<(), Fault>,
    /// The labels of which the checks speak and that no state offers; `None` where that is not known.
    pub(crate) unseen: Option<Unseen>,
}

/// Searches for conditions that must never hold, in whatever order agents act. (Fairness excludes no
/// beginning of a run, so the answer under it is the same.) No transitions are kept. Where all states are
/// found, what they offer is struck out of `unseen`. `None` where the structure, or a condition, can't be
/// packed.
///
/// # Errors
/// The budget ended before there was anything to search.
pub(super) fn search(
    structure: &Structure,
    conditions: &[&Condition],
    unseen: Unseen,
    options: &SearchOptions,
    budget: &Budget,
) -> Result<Option<Search>, Stop> {
    let Some(packed) = Packed::new(structure, budget)? else { return Ok(None) };
    let mut violations = Vec::new();
    for condition in conditions {
        let Some(violation) = Violation::new(&packed, condition, budget)? else { return Ok(None) };
        violations.push(violation);
    }
    let work = Work { structure, packed: &packed, conditions, violations: &violations, options, budget };
    Ok(Some(match packed.words() {
        1 => work.search::<[u64; 1]>(unseen),
        2 => work.search::<[u64; 2]>(unseen),
        3 | 4 => work.search::<[u64; 4]>(unseen),
        _ => work.search::<Wide>(unseen),
    }))
}

struct Work<'a> {
    structure: &'a Structure,
    packed: &'a Packed<'a>,
    conditions: &'a [&'a Condition],
    violations: &'a [Violation<'a>],
    options: &'a SearchOptions,
    budget: &'a Budget,
}

impl Work<'_> {
    fn search<S: State>(&self, mut unseen: Unseen) -> Search {
        self.budget.progress.enter(Phase::Exploring);
        let system = PackedSystem::<S>::new(self.packed);
        let goals: Vec<_> = self.violations.iter().map(Violation::goal::<S>).collect();
        let found = explore(&system, &goals, self.options, self.budget);
        let runs: Vec<_> = (0..goals.len()).map(|goal| self.run(&system, &found, goal)).collect();
        let incomplete = match found.end {
            End::Exhausted => None,
            End::Stopped(stop) => Some(Incomplete::Stopped(stop)),
            // Every goal is decided in every state.
            End::StateLimit | End::TooLarge | End::Reached | End::Undecided => {
                Some(Incomplete::States(self.options.max_states))
            }
        };
        let mut recheck = Ok(());
        if incomplete.is_none() && runs.iter().any(Option::is_none) {
            let never = self.conditions.iter().zip(&runs).filter(|(_, run)| run.is_none());
            let never: Vec<&Condition> = never.map(|(condition, _)| *condition).collect();
            let states: Vec<&S> = found.visited.iter().collect();
            self.budget.progress.enter(Phase::Certifying);
            recheck = inductive::check_set(
                self.structure,
                self.packed,
                &states,
                &never,
                self.options.threads,
                self.budget,
            );
        }
        let label = |action| self.structure.triples.get(self.packed.triple(action)?)?.label();
        let is_looked_through =
            incomplete.is_none() && unseen.look_at(&system, found.visited.iter(), label, self.budget).is_ok();
        Search {
            unseen: is_looked_through.then_some(unseen),
            states: found.visited.len(),
            transitions: usize::try_from(found.transitions).unwrap_or(usize::MAX),
            incomplete,
            runs,
            recheck,
        }
    }

    /// The run to a goal: to the state that it was found in, and the step from there that the condition is
    /// about.
    fn run<S: State>(
        &self,
        system: &PackedSystem<'_, S>,
        found: &Exploration<S>,
        goal: usize,
    ) -> Option<Vec<RunStep>> {
        let trace = found.trace_to_goal(system, goal, self.options.threads)?;
        let (_, end) = trace.last()?;
        let last = self.violations.get(goal)?.last_action(end, trace.len() == 1);
        let actions = trace.iter().filter_map(|(action, _)| *action).chain(last);
        let step = |action| {
            let triple = self.structure.triples.get(self.packed.triple(action)?)?;
            Some(RunStep { label: triple.label()?, agents: triple.agents.clone() })
        };
        actions.map(step).collect()
    }
}

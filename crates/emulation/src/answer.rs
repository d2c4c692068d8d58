//! Checks of processes answered from triples, without other verifiers.
//!
//! [`Known`] has all states, as a labelled transition system: any check under any scheduler is answered from it.
//! [`reach`] asks the explicit-state engine, which keeps no transitions and works in parallel, for what can be
//! violated by a run that ends. A violation is told by its steps, labels and agents, and is not to be
//! believed before `semantics` has found and replayed the run by the rules, as [`Native`] has it do.

use std::ops::ControlFlow;

use paramcheck_nets::explore::engine::{self, End, SearchOptions};
use paramcheck_nets::explore::system::{Goal as StateGoal, State as PackedState, TransitionSystem, Wide};
use paramcheck_process::model::{Goal, LabelId, System};
use paramcheck_process::semantics::check::{
    Evidence, Finding, Mismatch, Outcome, RunStep, Schedule, decide, find, replay, retrace,
};
use paramcheck_process::semantics::explore::{Space, explore_with};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::{Incomplete, Interpreter};
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::evolution::Evolution;
use super::packed::{Packed, PackedSystem};
use super::process::{NotEncoded, encode};
use super::question::{Condition, Demand};
use super::states::{self, breadth_first};
use super::triple::{Structure, TripleId};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// What is demanded holds.
    Holds,
    /// It does not: these steps are taken, for ever those from `loop_start` on.
    Violated {
        /// The steps.
        steps: Vec<RunStep>,
        /// For an infinite run, the number of steps before the loop.
        loop_start: Option<usize>,
    },
    /// Not all states are known, and those that are do not violate it.
    Unknown(Incomplete),
}

/// The states of a structure.
pub struct Known {
    /// As a labelled transition system, with the structure's labels and agents.
    pub lts: Lts,
}

impl Known {
    /// Explores the states of a structure without variables, but no more than `max_states`.
    pub fn new(structure: &Structure, max_states: usize, budget: &Budget) -> Known {
        let packed = match Packed::new(structure, &[], budget) {
            Ok(Some(packed)) => packed,
            Ok(None) => {
                let evolution = Evolution::new(structure);
                let lts = match evolution.initial().pop() {
                    Some(initial) => states::explore(&evolution, initial, max_states, budget).lts,
                    None => Lts::new(structure.labels.clone(), Vec::new()),
                };
                return Known { lts };
            }
            Err(stop) => {
                let mut lts = Lts::new(structure.labels.clone(), Vec::new());
                lts.incomplete = Some(stop.into());
                return Known { lts };
            }
        };
        let lts = match packed.words() {
            1 => explore::<[u64; 1]>(structure, &packed, max_states, budget),
            2 => explore::<[u64; 2]>(structure, &packed, max_states, budget),
            3 | 4 => explore::<[u64; 4]>(structure, &packed, max_states, budget),
            _ => explore::<Wide>(structure, &packed, max_states, budget),
        };
        Known { lts }
    }

    /// Answers a check.
    ///
    /// # Errors
    /// The budget ended.
    pub fn answer(&self, goal: &Goal, schedule: Schedule, budget: &Budget) -> Result<Told, Stop> {
        Ok(match find(&self.lts, goal, schedule, budget)? {
            Finding::Holds => Told::Holds,
            Finding::Violated(path) => Told::Violated { steps: path.steps, loop_start: path.loop_start },
            Finding::Unknown(incomplete) => Told::Unknown(incomplete),
        })
    }
}

/// A state by its content; hashed by the engine's hash.
#[derive(Clone, PartialEq, Eq)]
struct Key<S: PackedState>(S);

impl<S: PackedState> std::hash::Hash for Key<S> {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash());
    }
}

fn explore<S: PackedState>(
    structure: &Structure,
    packed: &Packed<'_>,
    max_states: usize,
    budget: &Budget,
) -> Lts {
    let system = PackedSystem::<S>::new(packed);
    let Some(initial) = system.initial().into_iter().next() else {
        return Lts::new(structure.labels.clone(), Vec::new());
    };
    let is_terminated = |state: &Key<S>| packed.is_terminated(&state.0);
    let space = breadth_first(structure, Key(initial), is_terminated, max_states, budget, |state, each| {
        let mut flow = ControlFlow::Continue(());
        system.successors(&state.0, None, &mut (), &mut |action, after| {
            if let (ControlFlow::Continue(()), Some(id)) = (flow, packed.triple(action)) {
                flow = each(id, Key(after));
            }
        });
        flow
    });
    space.lts
}

/// The triple of an action, and its label.
fn labelled(structure: &Structure, packed: &Packed<'_>, action: u32) -> Option<(TripleId, LabelId)> {
    let id = packed.triple(action)?;
    Some((id, structure.triples.get(id)?.label()?))
}

/// What the engine found about a demand of reachability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The answer, with a shortest run where it is violated.
    pub told: Told,
    /// How many states were found; those that differ in what is asked of the last step counted apart.
    pub states: usize,
}

/// Asks the engine whether what must never be is reached, in whatever order agents act (which is the same under
/// fairness: it excludes no beginning of a run). `None` where it can't be asked: what must come to be, and structures
/// that can't be packed.
pub fn reach(
    structure: &Structure,
    demand: &Demand,
    options: &SearchOptions,
    budget: &Budget,
) -> Option<Reached> {
    let Demand::Never(condition) = demand else { return None };
    let searched = Packed::new(structure, &[condition], budget).and_then(|packed| {
        let Some(packed) = packed else { return Ok(None) };
        match packed.words() {
            1 => search::<[u64; 1]>(structure, &packed, condition, options, budget),
            2 => search::<[u64; 2]>(structure, &packed, condition, options, budget),
            3 | 4 => search::<[u64; 4]>(structure, &packed, condition, options, budget),
            _ => search::<Wide>(structure, &packed, condition, options, budget),
        }
    });
    searched.unwrap_or_else(|stop| Some(Reached { told: Told::Unknown(stop.into()), states: 0 }))
}

fn search<S: PackedState>(
    structure: &Structure,
    packed: &Packed<'_>,
    condition: &Condition,
    options: &SearchOptions,
    budget: &Budget,
) -> Result<Option<Reached>, Stop> {
    budget.progress.enter(Phase::Exploring);
    let system = PackedSystem::<S>::new(packed);
    let Some(goal) = packed.goal(condition, budget)? else { return Ok(None) };
    let goals: [StateGoal<'_, S>; 1] = [goal];
    let options = SearchOptions { stops_at_goals: true, ..*options };
    let found = engine::explore(&system, &goals, &options, budget);
    let states = found.visited.len();
    let told = match found.trace_to_goal(&system, 0, options.threads) {
        Some(trace) => {
            let triples = trace.iter().filter_map(|(action, _)| labelled(structure, packed, (*action)?));
            let step = |(id, label): (TripleId, _)| RunStep {
                label,
                agents: structure.triples.get(id).map_or(Vec::new(), |triple| triple.agents.clone()),
            };
            Told::Violated { steps: triples.map(step).collect(), loop_start: None }
        }
        None => match found.end {
            End::Exhausted => Told::Holds,
            End::Stopped(stop) => Told::Unknown(Incomplete::Stopped(stop)),
            // The goal is decided in every state.
            End::StateLimit | End::TooLarge | End::Reached | End::Undecided => {
                Told::Unknown(Incomplete::States(options.max_states))
            }
        },
    };
    Ok(Some(Reached { told, states }))
}

/// What is known of a process's states, and its checks.
pub struct Native {
    source: Source,
    max_states: usize,
}

/// How the states of a process are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    /// From triples, where there are not too many of them.
    Triples,
    /// By the rules: what is to be held against answers that others give about triples.
    Rules,
}

enum Source {
    Triples(Known),
    Rules(Space),
}

impl Native {
    /// Explores the states, but no more than `max_states`.
    ///
    /// # Errors
    /// The budget ended before there were triples.
    pub fn new(
        interpreter: &mut Interpreter<'_>,
        system: &System,
        road: Road,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Native, Stop> {
        let structure = match road {
            Road::Rules => None,
            Road::Triples => match encode(system, budget) {
                Ok(structure) => Some(structure),
                Err(NotEncoded::Stopped(stop)) => return Err(stop),
                Err(NotEncoded::Triples | NotEncoded::Conditions) => None,
            },
        };
        let source = match structure {
            Some(structure) => Source::Triples(Known::new(&structure, max_states, budget)),
            None => Source::Rules(explore_with(interpreter, system, max_states, budget)),
        };
        Ok(Native { source, max_states })
    }

    /// For another interpreter than the one that explored the states: runs are told by their steps alone, and
    /// traced by that one. No more states than now are ever explored.
    pub fn detached(self) -> Native {
        let lts = match self.source {
            Source::Triples(known) => known.lts,
            Source::Rules(space) => space.lts,
        };
        Native { max_states: lts.states(), source: Source::Triples(Known { lts }) }
    }

    /// The states as a labelled transition system.
    pub fn lts(&self) -> &Lts {
        match &self.source {
            Source::Triples(known) => &known.lts,
            Source::Rules(space) => &space.lts,
        }
    }

    /// Answers a check. A run that violates it has been found and replayed by the rules, and what they say of it comes with it;
    /// where that fails, the rules alone have answered.
    ///
    /// # Errors
    /// The budget ended; or a run does not replay that the rules do not replace by another.
    pub fn answer(
        &self,
        interpreter: &mut Interpreter<'_>,
        system: &System,
        goal: &Goal,
        schedule: Schedule,
        budget: &Budget,
    ) -> Result<(Outcome, Evidence), Mismatch> {
        let known = match &self.source {
            Source::Rules(space) => return by_rules(space, interpreter, goal, schedule, budget),
            Source::Triples(known) => known,
        };
        match known.answer(goal, schedule, budget)? {
            Told::Holds => Ok((Outcome::Holds, Evidence::default())),
            Told::Unknown(incomplete) => Ok((Outcome::Unknown(incomplete), Evidence::default())),
            Told::Violated { steps, loop_start } => {
                match retrace(interpreter, goal, schedule, &steps, loop_start) {
                    Ok((run, evidence)) => Ok((Outcome::Violated(run), evidence)),
                    Err(Mismatch::Stopped(stop)) => Err(stop.into()),
                    Err(mismatch) => {
                        let space = explore_with(interpreter, system, self.max_states, budget);
                        match by_rules(&space, interpreter, goal, schedule, budget)? {
                            (Outcome::Holds, _) => Err(mismatch),
                            other => Ok(other),
                        }
                    }
                }
            }
        }
    }
}

fn by_rules(
    space: &Space,
    interpreter: &mut Interpreter<'_>,
    goal: &Goal,
    schedule: Schedule,
    budget: &Budget,
) -> Result<(Outcome, Evidence), Mismatch> {
    let outcome = decide(space, goal, schedule, budget)?;
    let evidence = match &outcome {
        Outcome::Violated(run) => replay(interpreter, goal, schedule, run)?,
        Outcome::Holds | Outcome::Unknown(_) => Evidence::default(),
    };
    Ok((outcome, evidence))
}

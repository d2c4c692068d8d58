//! Counts and verdicts of a system of agents, by exploration of packed states.
//!
//! An [`Engine`] is a prepared system. [`Engine::explore`] counts its states, [`Engine::decide`] answers a
//! property. Answers are those of `paramcheck_labs::semantics::check`; but no transition is kept, successors are
//! made again where they are wanted again. A violation comes with the steps that show it ([`Evidence`]).
//! Limits never make an answer: then it is [`Outcome::Unknown`].

use paramcheck_labs::model::{Expr, KindId, Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_nets::explore::engine::{End, Exploration, SearchOptions, explore};
use paramcheck_nets::explore::system::{Goal, State};
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Phase};

use super::code::Code;
use super::compile::Compiler;
use super::machine::Machine;
use super::reduce::symmetry::{self, is_symmetric};
use super::reduce::unfold::Ending;
use super::reduce::{Reduction, Reductions};
use super::scope::Monitor;
use super::space::Space;
use super::tabulate::Tabulator;
use super::triples::{NotEncoded, Structure, encode};
use super::values::Values;
use super::word::{fault, is_true};
use super::{Unfit, analysis, slice};

mod bounded;
pub(crate) mod evidence;
pub(crate) mod initial;
mod live;
mod scoped;

pub use evidence::{Evidence, Step};

/// The most states among which a shorter run is looked for, once there is one.
const MAX_SHORTENED: usize = 1 << 20;

/// What a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads work, where the search is by several.
    pub threads: usize,
    /// How many states may be found.
    pub max_states: usize,
    /// How many bytes states and tables may use.
    pub memory: Option<usize>,
    /// Which states are left out where properties are decided.
    pub reductions: Reductions,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, max_states: usize::MAX, memory: None, reductions: Reductions::default() }
    }
}

/// How many states there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Initial states.
    pub initial: u64,
    /// Reachable states, the initial ones among them.
    pub states: u64,
    /// Different stores of these.
    pub stores: u64,
    /// Different stores of states in which nothing can happen.
    pub stuck_stores: u64,
    /// Transitions between states.
    pub transitions: u64,
    /// Why the search ended, if not all states were seen.
    pub incomplete: Option<Reason>,
    /// Whether a run leaves the language, and how.
    pub fault: Option<Fault>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are more states than allowed.
    States,
    /// A limit of the run was reached.
    Stopped(paramcheck_text::limits::Stop),
}

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds in all runs; so many states were seen.
    Holds(u64),
    /// It is not violated in runs of at most so many steps; so many states were seen.
    Within(u64, u64),
    /// It does not.
    Violated(Evidence),
    /// A run leaves the language, or the formula has no value in a state: no answer.
    Fault(Fault, Evidence),
    /// A limit was reached.
    Unknown(Reason),
}

/// A prepared system.
#[derive(Debug)]
pub struct Engine<'a> {
    system: &'a System,
    rules: Rules,
    triples: IndexVec<KindId, Structure>,
    values: Vec<Values>,
    machine: Machine<'a>,
    /// Whether agents may be exchanged, and have the same values.
    is_alike: bool,
}

/// Evaluates an expression with a name for the type of the states of a machine.
macro_rules! for_states_of {
    ($machine:expr, $state:ident => $body:expr) => {
        paramcheck_nets::with_width!($machine.layout.words(), $state => $body)
    };
}
use for_states_of;

impl<'a> Engine<'a> {
    /// Prepares a system for runs by these rules.
    ///
    /// # Errors
    /// It can't be explored.
    pub fn new(system: &'a System, rules: Rules, budget: &Budget) -> Result<Engine<'a>, Unfit> {
        let triples = encode(system, budget).map_err(|error| match error {
            NotEncoded::TooMany => Unfit::TooLarge,
            NotEncoded::Stopped(stop) => Unfit::Stopped(stop),
        })?;
        let values = analysis::analyse(system, &triples, rules.width, budget).map_err(Unfit::Stopped)?;
        let machine = Machine::new(system, rules, &triples, &values, Values::one(0), None)?;
        Ok(Engine { system, rules, triples, values, machine, is_alike: false })
    }

    /// The same with room for an exchange of agents.
    fn alike(&self) -> Result<Engine<'a>, Unfit> {
        let Engine { system, rules, .. } = *self;
        let (triples, values) = (self.triples.clone(), symmetry::joined(system, &self.values));
        let machine = Machine::new(system, rules, &triples, &values, Values::one(0), None)?;
        Ok(Engine { system, rules, triples, values, machine, is_alike: true })
    }

    /// The triples of its kinds.
    pub fn triples(&self) -> &IndexVec<KindId, Structure> {
        &self.triples
    }

    pub(crate) fn machine(&self) -> &Machine<'a> {
        &self.machine
    }

    /// The values that its cells may have.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// How many bits a state takes.
    pub fn bits(&self) -> u32 {
        self.machine.layout.bits()
    }

    /// Counts the reachable states; behind those in which `ends` is true it does not go on.
    ///
    /// # Errors
    /// There is no initial state.
    pub fn explore(&self, ends: Option<&Expr>, options: &Options, budget: &Budget) -> Result<Counts, Unfit> {
        let ends = ends.map(|ends| Compiler::new(self.system, self.rules.width).formula(ends));
        for_states_of!(self.machine, S => self.count::<S>(ends.as_ref(), options, budget))
    }

    fn count<S: State>(
        &self,
        ends: Option<&Code>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Counts, Unfit> {
        let mut space = self.space::<S>(&self.machine, None, options, budget)?;
        space.ends = ends;
        let initial = space.initial.len() as u64;
        let layout = &self.machine.layout;
        let stuck = Goal::of_dead(|state: &S| layout.fault(state).is_none());
        let found = explore(&space, &[stuck], &search(options, false), budget);
        space.check()?;
        let mut counts = Counts {
            initial,
            states: 0,
            stores: 0,
            stuck_stores: 0,
            transitions: found.transitions,
            incomplete: reason(found.end).or(space.is_cut.then_some(Reason::States)),
            fault: None,
        };
        let mut stores = evidence::Stores::new(&self.machine);
        let mut stuck = evidence::Stores::new(&self.machine);
        let has_stuck = found.goals[0].first.is_some();
        let mut scratch = super::step::Scratch::default();
        for state in found.visited.iter() {
            if let Some(fault) = self.machine.layout.fault(state) {
                counts.fault.get_or_insert(fault);
                continue;
            }
            counts.states += 1;
            stores.add(state);
            if has_stuck && space.is_stuck(state, &mut scratch) {
                stuck.add(state);
            }
        }
        (counts.stores, counts.stuck_stores) = (stores.count(), stuck.count());
        Ok(counts)
    }

    /// A space with all initial states.
    fn space<'m, S: State>(
        &self,
        machine: &'m Machine<'m>,
        monitor: Option<&'m Monitor>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Space<'m, S>, Unfit> {
        budget.progress.enter(Phase::Exploring);
        let (initial, is_cut) = initial::states(machine, monitor, options.max_states, budget)?;
        if initial.is_empty() {
            return Err(Unfit::NoInitialState);
        }
        let mut space = Space::new(machine, initial, budget);
        (space.monitor, space.is_cut) = (monitor, is_cut);
        Ok(space)
    }

    /// A space without states for which others stand.
    fn reduced<'m, S: State>(
        &self,
        machine: &'m Machine<'m>,
        monitor: Option<&'m Monitor>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Space<'m, S>, Unfit> {
        let mut space = self.space(machine, monitor, options, budget)?;
        if let Some(reduction) = Reduction::new(machine, options.reductions.messages, self.is_alike) {
            space.reduce(reduction)?;
        }
        Ok(space)
    }

    /// Decides a property.
    ///
    /// # Errors
    /// There is no initial state.
    pub fn decide(&self, property: &Property, options: &Options, budget: &Budget) -> Result<Outcome, Unfit> {
        let by_symmetry = options.reductions.symmetry && is_symmetric(self.system, property, &self.rules);
        let whole = Options { reductions: Reductions::NONE, ..*options };
        let found = match by_symmetry {
            true => self.alike()?.decided(property, options, budget),
            false if !self.leaves_out(options) => return self.decided(property, &whole, budget),
            false => self.decided(property, options, budget),
        };
        let found = match found {
            // What was left out could not be filled in.
            Err(Unfit::NoRoom) => return self.decided(property, &whole, budget),
            Ok(found @ (Outcome::Violated(_) | Outcome::Fault(..))) => found,
            other => return other,
        };
        // A shortest run is one of the whole system; it is looked for where that is not too large.
        let is_trace = property.modality == Modality::Always;
        let most = if is_trace { options.max_states } else { options.max_states.min(MAX_SHORTENED) };
        let shorter = self.decided(property, &Options { max_states: most, ..whole }, budget);
        Ok(match (&found, shorter) {
            (Outcome::Violated(_), Ok(shorter @ Outcome::Violated(_)))
            | (Outcome::Fault(..), Ok(shorter @ Outcome::Fault(..))) => shorter,
            // What ended that search takes nothing from what was found.
            _ => found,
        })
    }

    /// Whether messages are left out.
    fn leaves_out(&self, options: &Options) -> bool {
        Reduction::new(&self.machine, options.reductions.messages, false).is_some()
    }

    fn decided(&self, property: &Property, options: &Options, budget: &Budget) -> Result<Outcome, Unfit> {
        if let Some(monitor) = self.monitor(property)? {
            let formulas: Vec<&Code> = monitor.formulas().collect();
            return self.sliced(&formulas, budget, |machine| self.scoped(machine, &monitor, options, budget));
        }
        let formula = self.formula(&property.formula)?;
        self.sliced(&[&formula], budget, |machine| match &property.modality {
            Modality::Always => {
                for_states_of!(machine, S => self.always::<S>(machine, &formula, options, budget))
            }
            _ => for_states_of!(machine, S => self.live::<S>(machine, property, &formula, options, budget)),
        })
    }

    /// Decides without the cells on which formulas do not depend; a run is then filled in again. If it can't be, it is
    /// decided with all cells.
    fn sliced(
        &self,
        formulas: &[&Code],
        budget: &Budget,
        decide: impl Fn(&Machine<'_>) -> Result<Outcome, Unfit>,
    ) -> Result<Outcome, Unfit> {
        let Some(kept) = slice::kept(&self.machine, &self.values, formulas) else {
            return decide(&self.machine);
        };
        let whole = &self.machine;
        let machine = self.prepared(Values::one(0), Some(&kept))?;
        let filled = |evidence: &Evidence| for_states_of!(whole, S => slice::filled::<S>(whole, &kept, evidence, budget));
        let found = match decide(&machine)? {
            Outcome::Violated(evidence) => filled(&evidence).map(Outcome::Violated),
            Outcome::Fault(fault, evidence) => {
                filled(&evidence).map(|evidence| Outcome::Fault(fault, evidence))
            }
            other => Some(other),
        };
        found.map_or_else(|| decide(whole), Ok)
    }

    /// The system, prepared to be explored with these places with respect to scopes, and without some cells.
    fn prepared(&self, scope: Values, kept: Option<&[bool]>) -> Result<Machine<'a>, Unfit> {
        Machine::new(self.system, self.rules, &self.triples, &self.values, scope, kept)
    }

    /// A formula about the store.
    pub(crate) fn formula(&self, formula: &Expr) -> Result<Code, Unfit> {
        let mut compiler = Compiler::new(self.system, self.rules.width);
        let formula = compiler.formula(formula);
        if compiler.is_too_large() {
            return Err(Unfit::Formula);
        }
        if compiler.has_foreign || formula.chooses() {
            return Err(Unfit::Foreign);
        }
        Ok(Tabulator::new(&self.values, self.rules.width).tabulated(formula))
    }

    fn always<S: State>(
        &self,
        machine: &Machine<'_>,
        formula: &Code,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let space = self.reduced::<S>(machine, None, options, budget)?;
        let is_bad = |state: &S| !is_true(space.value(formula, state));
        self.never(&space, &is_bad, |state| fault(space.value(formula, state)), options, budget)
    }

    /// Whether a bad state is reached; of bad states it is known whether a formula has no value there.
    fn never<S: State>(
        &self,
        space: &Space<'_, S>,
        is_bad: &(impl Fn(&S) -> bool + Sync),
        without_value: impl Fn(&S) -> Option<Fault>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        // A step may take long: what is wrong from the beginning needs none.
        if let Some(state) = space.initial.iter().find(|state| is_bad(state)) {
            let evidence = Evidence::of_run(space, &[(None, state.clone())], Ending::Open)?;
            return Ok(match without_value(state) {
                Some(fault) => Outcome::Fault(fault, evidence),
                None => Outcome::Violated(evidence),
            });
        }
        let layout = &space.machine.layout;
        let goal = Goal::new(|state: &S, _| Some(layout.fault(state).is_none() && is_bad(state)));
        let found = explore(space, &[goal], &search(options, true), budget);
        space.check()?;
        if let Some(steps) = found.trace_to_goal(space, 0, options.threads) {
            let evidence = Evidence::of_run(space, &steps, Ending::Open)?;
            let without_value = steps.last().and_then(|(_, state)| without_value(state));
            return Ok(match without_value {
                Some(fault) => Outcome::Fault(fault, evidence),
                None => Outcome::Violated(evidence),
            });
        }
        self.unless_fault(space, &found, options, budget)
    }

    /// That a property holds, unless a run leaves the language or not all was seen.
    fn unless_fault<S: State>(
        &self,
        space: &Space<'_, S>,
        found: &Exploration<S>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let layout = &space.machine.layout;
        let mut states = 0;
        let mut fault = None;
        for state in found.visited.iter() {
            fault = fault.or(layout.fault(state));
            states += 1;
        }
        if fault.is_some() {
            return self.fault(space, options, budget);
        }
        Ok(of_all(space, reason(found.end).map_or(Outcome::Holds(states), Outcome::Unknown)))
    }

    /// The shortest way out of the language.
    fn fault<S: State>(
        &self,
        space: &Space<'_, S>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let layout = &space.machine.layout;
        let goal = Goal::new(|state: &S, _| Some(layout.fault(state).is_some()));
        let found = explore(space, &[goal], &search(options, true), budget);
        let steps = found.trace_to_goal(space, 0, options.threads).unwrap_or_default();
        space.check()?;
        let fault = steps.last().and_then(|(_, state)| layout.fault(state));
        Ok(match (fault, reason(found.end)) {
            (Some(fault), _) => Outcome::Fault(fault, Evidence::of_run(space, &steps, Ending::Open)?),
            (None, Some(reason)) => Outcome::Unknown(reason),
            (None, None) => of_all(space, Outcome::Holds(found.visited.len() as u64)),
        })
    }
}

/// The outcome, unless initial states are missing: what holds in the others may not hold in these.
fn of_all<S: State>(space: &Space<'_, S>, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Holds(_) | Outcome::Within(..) if space.is_cut => Outcome::Unknown(Reason::States),
        outcome => outcome,
    }
}

/// Options for the engine of packed states.
fn search(options: &Options, stops_at_goals: bool) -> SearchOptions {
    let Options { threads, max_states, memory, .. } = *options;
    SearchOptions { threads, max_states, memory, stops_at_goals }
}

/// Why not all states were seen, if so.
fn reason(end: End) -> Option<Reason> {
    match end {
        End::Exhausted | End::Reached | End::Undecided => None,
        End::StateLimit | End::TooLarge => Some(Reason::States),
        End::Stopped(stop) => Some(Reason::Stopped(stop)),
    }
}

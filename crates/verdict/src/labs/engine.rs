//! The search: from a system and properties to claims, each with the run that shows it. Nothing here is
//! believed before it is rechecked.
//!
//! [`search`] is the only way in; the states are packed, by the crate *emulation*. A system that does not fit
//! there has no answer ([`NoAnswer::TooLarge`]).

use std::time::{Duration, Instant};

use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::{Engine, Evidence, Options as SearchOptions, Outcome, Reason};
use paramcheck_labs::model::{Expr, Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::run::{Ending, Run, Violation, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::Span;

use super::recheck::proof::is_implied;
use super::recheck::{gone_round, recheck};
use super::{NoAnswer, NoStart, Options};

/// What was explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// How many states were seen: stores, and what each agent has left to do.
    pub states: usize,
    /// What was counted beside; counting takes time, and questions can be answered without.
    pub counts: Option<Counts>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What is counted of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many are initial.
    pub initial: usize,
    /// How many different stores: values, pending messages, ages.
    pub stores: usize,
    /// How many stores of states in which nothing can happen.
    pub stuck_stores: usize,
    /// How many transitions.
    pub transitions: usize,
}

/// What the search claims of a property.
pub(super) enum Claim {
    /// It holds: all states are known.
    Holds,
    /// It holds, whatever values of those that they may have variables have; that was rechecked.
    Implied,
    /// A run violates it.
    Violated(Violation),
    /// Nothing.
    Unknown(NoAnswer),
    /// At the end of this run a formula of it has no value.
    NoValue(Run, Fault),
    /// Nothing: the search is wrong, and how.
    Bug(String),
}

impl Claim {
    /// Whether there was no time for it.
    fn is_late(&self) -> bool {
        matches!(self, Claim::Unknown(NoAnswer::Stopped(Stop::Time)))
    }
}

/// What the search claims.
pub(super) struct Claims {
    pub(super) explored: Explored,
    /// A run, and the step behind it that leads out of the language.
    pub(super) fault: Option<(Run, Label, Fault)>,
    /// Per property, and how long it took.
    pub(super) answers: Vec<(Claim, Duration)>,
}

/// A search of packed states.
struct Search<'a> {
    system: &'a System,
    rules: Rules,
    options: &'a Options,
    engine: Engine<'a>,
    explored: Explored,
    fault: Option<(Run, Label, Fault)>,
}

/// Searches all states, as far as the limits allow; without properties they are counted.
///
/// # Errors
/// There is no initial state.
pub(super) fn search(
    system: &System,
    properties: &[Property],
    rules: Rules,
    options: &Options,
) -> Result<Claims, NoStart> {
    let engine = match Engine::new(system, rules, &options.budget) {
        Ok(engine) => engine,
        Err(unfit) => {
            let open = no_answer(unfit)?;
            let answers = properties.iter().map(|_| (Claim::Unknown(open), Duration::ZERO)).collect();
            return Ok(Claims { explored: Explored::default(), fault: None, answers });
        }
    };
    let explored = Explored { is_complete: true, ..Explored::default() };
    let mut search = Search { system, rules, options, engine, explored, fault: None };
    if properties.is_empty() {
        search.count()?;
        return Ok(Claims { explored: search.explored, fault: search.fault, answers: Vec::new() });
    }
    let answers = search.claims(properties)?;
    search.explored.is_complete =
        answers.iter().all(|(claim, _)| matches!(claim, Claim::Holds | Claim::Implied));
    Ok(Claims { explored: search.explored, fault: search.fault, answers })
}

/// How many different stores the search has, not going on behind states in which a formula is true; nothing, if not all
/// were seen.
pub(super) fn stores(system: &System, rules: Rules, ends: Option<&Expr>, budget: &Budget) -> Option<usize> {
    let engine = Engine::new(system, rules, budget).ok()?;
    let counts = engine.explore(ends, &SearchOptions::default(), budget).ok()?;
    counts.incomplete.is_none().then_some(usize::try_from(counts.stores).ok()?)
}

/// The part of a budget that the next of so many questions may use: time is divided evenly.
pub(super) fn share(budget: &Budget, questions: usize) -> Budget {
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    match (left, u32::try_from(questions)) {
        (Some(left), Ok(questions @ 2..)) => budget.within(left / questions),
        _ => budget.clone(),
    }
}

/// Why there is no answer.
///
/// # Errors
/// There is no initial state.
pub(super) fn no_answer(unfit: Unfit) -> Result<NoAnswer, NoStart> {
    match unfit {
        Unfit::NoInitialState => Err(NoStart::NoInitialState),
        Unfit::Assumption(fault) => Err(NoStart::Assumption(fault)),
        Unfit::NotFound(tries) => Err(NoStart::NotFound(tries)),
        Unfit::Stopped(stop) => Ok(NoAnswer::Stopped(stop)),
        Unfit::Formula => Ok(NoAnswer::Formula),
        Unfit::TooLarge | Unfit::Foreign | Unfit::Unbounded | Unfit::NoRoom => Ok(NoAnswer::TooLarge),
    }
}

impl Search<'_> {
    fn options(&self) -> SearchOptions {
        let Options { threads, max_states, reductions, .. } = *self.options;
        SearchOptions { threads, max_states, memory: None, reductions }
    }

    /// Counts the states; where a run leaves the language, it is looked for.
    fn count(&mut self) -> Result<(), NoStart> {
        let counted = match self.engine.explore(None, &self.options(), &self.options.budget) {
            Ok(counted) => counted,
            Err(unfit) => {
                self.explored = Explored::default();
                return no_answer(unfit).map(|_| ());
            }
        };
        let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        self.explored = Explored {
            states: number(counted.states),
            counts: Some(Counts {
                initial: number(counted.initial),
                stores: number(counted.stores),
                stuck_stores: number(counted.stuck_stores),
                transitions: number(counted.transitions),
            }),
            is_complete: counted.incomplete.is_none(),
        };
        if counted.fault.is_some() {
            let anything = Property {
                name: String::new(),
                modality: Modality::Always,
                formula: Expr::Number(1),
                span: Span::default(),
                demand: Span::default(),
            };
            let explored = self.explored;
            self.claim(&anything, &self.options.budget)?;
            self.explored = explored;
        }
        Ok(())
    }

    /// What is claimed of each property, and how long that took. A hard question leaves time to the others; it is
    /// asked again with what is left at the end.
    fn claims(&mut self, properties: &[Property]) -> Result<Vec<(Claim, Duration)>, NoStart> {
        let budget = &self.options.budget;
        let mut claims: Vec<(Claim, Duration)> = Vec::new();
        for (at, property) in properties.iter().enumerate() {
            let begin = Instant::now();
            let claim = self.claim(property, &share(budget, properties.len() - at))?;
            claims.push((claim, begin.elapsed()));
        }
        let late = Claim::is_late;
        while budget.check().is_ok() && claims.iter().any(|(claim, _)| late(claim)) {
            let mut open = claims.iter().filter(|(claim, _)| late(claim)).count();
            for (property, (claim, elapsed)) in properties.iter().zip(&mut claims) {
                if late(claim) {
                    let begin = Instant::now();
                    *claim = self.claim(property, &share(budget, open))?;
                    *elapsed += begin.elapsed();
                    open -= 1;
                }
            }
        }
        Ok(claims)
    }

    fn claim(&mut self, property: &Property, budget: &Budget) -> Result<Claim, NoStart> {
        let options = self.options();
        if property.modality == Modality::Always
            && is_implied(self.system, self.rules, self.engine.values(), &property.formula, budget)
        {
            return Ok(Claim::Implied);
        }
        // What can still be reached is a question about all runs.
        let is_about_all = matches!(property.modality, Modality::Fairly | Modality::FairlyInfinite);
        let steps = self.options.max_steps.filter(|_| !is_about_all);
        let outcome = match steps {
            None => self.engine.decide(property, &options, budget),
            Some(steps) => self.engine.decide_within(property, steps as u64, &options, budget),
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Unfit::NoRoom) => return Ok(Claim::Bug(Unfit::NoRoom.to_string())),
            Err(unfit) => return no_answer(unfit).map(Claim::Unknown),
        };
        if let Outcome::Holds(states) | Outcome::Within(_, states) = &outcome {
            let states = usize::try_from(*states).unwrap_or(usize::MAX);
            self.explored.states = self.explored.states.max(states);
        }
        Ok(match outcome {
            Outcome::Holds(_) => Claim::Holds,
            Outcome::Within(..) => Claim::Unknown(NoAnswer::Steps(steps.unwrap_or_default())),
            Outcome::Unknown(reason) => Claim::Unknown(match reason {
                Reason::States => NoAnswer::States(self.options.max_states),
                Reason::Stopped(stop) => NoAnswer::Stopped(stop),
            }),
            Outcome::Violated(evidence) => Claim::Violated(self.violation(property, evidence)),
            Outcome::Fault(fault, evidence) => match evidence.leaves.clone() {
                Some((label, fault)) => {
                    let run = run(evidence);
                    self.fault.get_or_insert((run, label, fault));
                    Claim::Unknown(NoAnswer::Fault)
                }
                None => Claim::NoValue(run(evidence), fault),
            },
        })
    }

    fn violation(&self, property: &Property, evidence: Evidence) -> Violation {
        let searched = evidence.searched.and_then(|states| usize::try_from(states).ok());
        let cycle = evidence.cycle;
        let run = run(evidence);
        if let Some(step) = cycle {
            let (run, ending) = gone_round(self.system, self.rules, run, step);
            return Violation { run, ending, searched };
        }
        // That nothing can happen at the end is claimed where it matters.
        let open = Violation { run, ending: Ending::Open, searched };
        if searched.is_some() {
            return open;
        }
        let (system, rules, Options { max_steps, budget, .. }) = (self.system, self.rules, self.options);
        let is_enough = recheck(system, rules, property, &open, *max_steps, budget).is_ok();
        if is_enough || replay_all(system, rules, &open.run, &Ending::Stuck).is_err() {
            return open;
        }
        Violation { ending: Ending::Stuck, ..open }
    }
}

/// The run without what comes after it.
pub(super) fn run(evidence: Evidence) -> Run {
    let mut steps = evidence.steps.into_iter();
    let initial = steps.next().map_or_else(Vec::new, |first| first.store.cells);
    Run { initial, steps: steps.filter_map(|step| Some((step.label?, step.store))).collect() }
}

//! Deciding whether all runs of a system have a property.
//!
//! The negation of the formula becomes an automaton; a run that it reads is a violation. What is searched
//! depends on the form of the formula:
//!
//! | the formula is | searched for | answer |
//! | --- | --- | --- |
//! | a syntactic safety property (`G p`, `a W b`) | a prefix after which it is lost, breadth first ([`reach`](crate::search)) | a shortest one |
//! | any other | a cycle with all marks, depth first | a short way to it and round it |
//!
//! Fairness does not matter to a safety property: every finite run goes on to a fair one.

use paramcheck_text::limits::{Budget, Stop};

use crate::automaton::{Automaton, Refused};
use crate::formula::{Atom, Formula};
use crate::normal::Arena;
use crate::replay::is_lost;
use crate::search::{self, Halt, Product};
use crate::system::{End, Fairness, Run, RunOf, System};

/// What a search may use, and which runs count.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which runs count.
    pub fairness: Fairness,
    /// The most states of the product of system and automaton.
    pub max_states: usize,
    /// The most bytes, about.
    pub memory: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options { fairness: Fairness::None, max_states: 10_000_000, memory: None }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are more states than the search may look at.
    States,
    /// The automaton of the formula would be too large.
    Formula,
    /// The run must end.
    Stopped(Stop),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::States => f.write_str("there are too many states"),
            Reason::Formula => f.write_str("the automaton of the formula is too large"),
            Reason::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// Whether a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<S, M, F> {
    /// All runs that count have it.
    Holds,
    /// This one has not.
    Violated(Run<S, M>),
    /// No violation was found, but this run comes to where the model has no meaning. (Only faults on the way
    /// of the search are met: `F p` says nothing of what is behind p.)
    Fault(F, Run<S, M>),
    /// It was not decided.
    Unknown(Reason),
}

/// An answer, and what it took.
#[derive(Clone, Debug)]
pub struct Report<S, M, F> {
    /// The answer.
    pub answer: Answer<S, M, F>,
    /// How many states of the system were met.
    pub states: usize,
    /// How many pairs of such a state and a state of the automaton were met.
    pub pairs: usize,
    /// How many states the automaton of the negated formula has.
    pub automaton: usize,
}

/// The report of a check of `S`.
pub type ReportOf<S> = Report<<S as System>::State, <S as System>::Step, <S as System>::Fault>;

/// Whether all runs of `system` that count satisfy `formula`.
pub fn check<S: System>(
    system: &mut S,
    formula: &Formula<Atom>,
    options: &Options,
    budget: &Budget,
) -> ReportOf<S> {
    let unknown = |reason| Report { answer: Answer::Unknown(reason), states: 0, pairs: 0, automaton: 0 };
    let mut arena = Arena::new();
    let negation = arena.add_negated(formula);
    let automaton = match Automaton::new(&arena, negation, budget) {
        Ok(automaton) => automaton,
        Err(Refused::TooLarge) => return unknown(Reason::Formula),
        Err(Refused::Stopped(stop)) => return unknown(Reason::Stopped(stop)),
    };
    let is_safety = arena.classes(negation).is_guarantee;
    if is_safety {
        let mut product = Product::new(system, &automaton, options, budget);
        let found = search::reach(&mut product);
        let report = report(product, found);
        match &report.answer {
            // What an automaton sees, that no continuation helps, the definition of formulas may not see: of parts
            // that contradict each other, say. A run that is known to its end shows it. Where none is found, behind
            // a fault or a limit, there is no evidence that could be checked, and so no violation.
            Answer::Violated(run) if run.end == End::Open && !is_lost(system, formula, run) => {}
            _ => return report,
        }
    }
    let mut product = Product::new(system, &automaton, options, budget);
    let found = search::cycle(&mut product);
    report(product, found)
}

fn report<S: System>(mut product: Product<'_, S>, found: Result<Option<RunOf<S>>, Halt>) -> ReportOf<S> {
    let answer = match found {
        Ok(Some(run)) => Answer::Violated(run),
        Ok(None) => match product.fault_run() {
            Ok(None) => Answer::Holds,
            Ok(Some((fault, run))) => Answer::Fault(fault, run),
            Err(halt) => Answer::Unknown(reason(halt)),
        },
        Err(halt) => Answer::Unknown(reason(halt)),
    };
    let (states, pairs) = product.counts();
    Report { answer, states, pairs, automaton: product.automaton.states.len() }
}

fn reason(halt: Halt) -> Reason {
    match halt {
        Halt::States => Reason::States,
        Halt::Stopped(stop) => Reason::Stopped(stop),
    }
}

//! Properties of whole runs: that something happens in the end, or can still happen.
//!
//! `eventually` is decided depth first in states without the formula alone: behind them a system may have
//! infinitely many. `fairly` as well; `fairly_inf` in all states. What is found is then shown along shortest paths.

use paramcheck_labs::model::{Modality, Property};
use paramcheck_labs::semantics::step::Fairness;
use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;
use rustc_hash::FxHashSet;

use super::{Engine, Evidence, Options, Outcome, Reason, of_all};
use crate::labs::Unfit;
use crate::labs::code::Code;
use crate::labs::machine::Machine;
use crate::labs::reduce::unfold::Ending;
use crate::labs::search::path::{Path, path};
use crate::labs::search::terminal::{self, terminal};
use crate::labs::search::{Kind, Staying, fair, staying};
use crate::labs::space::Space;
use crate::labs::word::{fault, is_true};

impl Engine<'_> {
    /// A property of whole runs.
    pub(super) fn live<S: State>(
        &self,
        machine: &Machine<'_>,
        property: &Property,
        formula: &Code,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let space = self.reduced::<S>(machine, None, options, budget)?;
        let kind = |state: &S| kind_of(&space, formula, state);
        let everywhere = property.modality == Modality::FairlyInfinite;
        let is_start = |state: &&S| everywhere || kind(state) != Kind::Outside;
        let starts: Vec<S> = space.initial.iter().filter(is_start).cloned().collect();
        if let Some(evidence) = first_without_value(&space, &starts, kind)? {
            return Ok(evidence);
        }
        let run = Run { space: &space, starts: &starts, kind: &kind, options, budget };
        let outcome = match property.modality {
            Modality::Fairly => run.trapped(false),
            Modality::FairlyInfinite => run.trapped(true),
            _ => run.avoided(),
        }?;
        space.check().map(|()| of_all(&space, outcome))
    }
}

/// A search, and where it begins.
pub(super) struct Run<'a, 'm, S: State, K> {
    pub(super) space: &'a Space<'m, S>,
    pub(super) starts: &'a [S],
    pub(super) kind: &'a K,
    pub(super) options: &'a Options,
    pub(super) budget: &'a Budget,
}

impl<S: State, K: Fn(&S) -> Kind> Run<'_, '_, S, K> {
    /// Whether a run stays inside for ever, or ends there.
    fn avoided(&self) -> Result<Outcome, Unfit> {
        let found = staying(self.space, self.starts.to_vec(), self.kind, self.options, self.budget);
        self.space.check()?;
        match found {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(Staying::None(states)) => Ok(Outcome::Holds(states)),
            Ok(Staying::Fault) => self.fault(false),
            Ok(Staying::End(end)) => self.shown(&[end], Ending::Stuck, None),
            Ok(Staying::Round(states)) => self.gone_round(&states, self.kind),
        }
    }

    /// Whether a state is reached from which none outside can be reached.
    fn trapped(&self, goes_on: bool) -> Result<Outcome, Unfit> {
        let starts = self.starts.to_vec();
        let found = terminal(self.space, starts, self.kind, goes_on, self.options, self.budget);
        self.space.check()?;
        match found {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(terminal::Found::None(states)) => Ok(Outcome::Holds(states)),
            Ok(terminal::Found::Fault) => self.fault(goes_on),
            Ok(terminal::Found::Trapped { terminal, all }) => {
                if !goes_on {
                    return self.caught(&terminal, &all);
                }
                let Run { space, starts, options, budget, .. } = *self;
                let run = Run { space, starts, kind: &|_: &S| Kind::Inside, options, budget };
                run.caught(&terminal, &all)
            }
        }
    }

    /// A violation: the shortest way to a trapped state, if what lies behind it is little, else to a terminal
    /// component.
    fn caught(&self, terminal: &[S], all: &[S]) -> Result<Outcome, Unfit> {
        let steps = match self.way(all)? {
            Ok(steps) => steps,
            Err(outcome) => return Ok(outcome),
        };
        let Run { space, options, budget, .. } = *self;
        let behind = steps.last().and_then(|(_, state)| terminal::behind(space, state, options, budget));
        match behind {
            Some(_) => {
                let evidence = Evidence::of_run(space, &steps, Ending::Open)?;
                Ok(Outcome::Violated(Evidence { searched: behind, ..evidence }))
            }
            None => self.shown(terminal, Ending::Open, Some(terminal.len() as u64)),
        }
    }

    /// A violation: the shortest way to one of these states.
    pub(super) fn shown(
        &self,
        wanted: &[S],
        ending: Ending,
        searched: Option<u64>,
    ) -> Result<Outcome, Unfit> {
        Ok(match self.way(wanted)? {
            Ok(steps) => {
                let evidence = Evidence::of_run(self.space, &steps, ending)?;
                Outcome::Violated(Evidence { searched, ..evidence })
            }
            Err(outcome) => outcome,
        })
    }

    /// A violation: the shortest way to one of these states, and round to it again through what is `inside`; of fair
    /// runs through these states alone.
    pub(super) fn gone_round(&self, states: &[S], inside: impl Fn(&S) -> Kind) -> Result<Outcome, Unfit> {
        let mut steps = match self.way(states)? {
            Ok(steps) => steps,
            Err(outcome) => return Ok(outcome),
        };
        let round = match self.space.machine.rules.fairness {
            Fairness::None => self.round(&mut steps, inside),
            Fairness::Weak | Fairness::Strong => {
                fair::round(self.space, &mut steps, states, self.options, self.budget)
            }
        };
        match round {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(None) => Err(self.lost()),
            Ok(Some(from)) => {
                let evidence = Evidence::of_run(self.space, &steps, Ending::Round(from))?;
                self.space.check().map(|()| Outcome::Violated(evidence))
            }
        }
    }

    /// The shortest way to one of these states, or that there was no time for it.
    fn way(&self, wanted: &[S]) -> Result<Result<Path<S>, Outcome>, Unfit> {
        let wanted: FxHashSet<&[u64]> = wanted.iter().map(State::words).collect();
        let is_wanted = |state: &S| wanted.contains(state.words());
        let Run { space, options, budget, .. } = *self;
        match path(space, self.starts.to_vec(), self.kind, is_wanted, true, options, budget) {
            Err(reason) => Ok(Err(Outcome::Unknown(reason))),
            Ok(None) => Err(self.lost()),
            Ok(Some(steps)) => Ok(Ok(steps)),
        }
    }

    /// Goes on from the last state until it is reached again; where it was, or nothing if it is not.
    fn round(&self, steps: &mut Path<S>, inside: impl Fn(&S) -> Kind) -> Result<Option<usize>, Reason> {
        let Some((_, last)) = steps.last().cloned() else { return Ok(None) };
        let back = |state: &S| *state == last;
        let round = path(self.space, [last.clone()], inside, back, false, self.options, self.budget)?;
        let from = round.is_some().then(|| steps.len() - 1);
        steps.extend(round.into_iter().flatten().skip(1));
        Ok(from)
    }

    /// The shortest way out of the language, or to a state in which the formula has no value.
    fn fault(&self, goes_on: bool) -> Result<Outcome, Unfit> {
        let Run { space, options, budget, kind, .. } = *self;
        let is_wanted = |state: &S| {
            space.machine.layout.fault(state).is_some() || matches!(kind(state), Kind::WithoutValue(_))
        };
        let through = |state: &S| if goes_on { Kind::Inside } else { kind(state) };
        let steps = path(space, self.starts.to_vec(), through, is_wanted, true, options, budget);
        match steps {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(None) => Err(self.lost()),
            Ok(Some(steps)) => {
                let last = steps.last().map(|(_, state)| (space.machine.layout.fault(state), kind(state)));
                let fault = match last {
                    Some((Some(fault), _)) | Some((_, Kind::WithoutValue(fault))) => fault,
                    _ => return Err(self.lost()),
                };
                Ok(Outcome::Fault(fault, Evidence::of_run(space, &steps, Ending::Open)?))
            }
        }
    }

    /// Why a state that was reached can't be reached again.
    fn lost(&self) -> Unfit {
        self.space.check().err().unwrap_or(Unfit::NoRoom)
    }
}

/// States without the formula are inside.
pub(super) fn kind_of<S: State>(space: &Space<'_, S>, formula: &Code, state: &S) -> Kind {
    let word = space.value(formula, state);
    match fault(word) {
        Some(fault) => Kind::WithoutValue(fault),
        None if is_true(word) => Kind::Outside,
        None => Kind::Inside,
    }
}

/// An initial state in which the formula has no value.
fn first_without_value<S: State>(
    space: &Space<'_, S>,
    starts: &[S],
    kind: impl Fn(&S) -> Kind,
) -> Result<Option<Outcome>, Unfit> {
    for state in starts {
        if let Kind::WithoutValue(fault) = kind(state) {
            let evidence = Evidence::of_run(space, &[(None, state.clone())], Ending::Open)?;
            return Ok(Some(Outcome::Fault(fault, evidence)));
        }
    }
    Ok(None)
}

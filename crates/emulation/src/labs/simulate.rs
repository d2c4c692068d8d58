//! Runs by chance, and whether properties hold in them.
//!
//! In: a prepared system, properties, the most steps of a run, a seed. Out: per number of a run what it comes to
//! ([`Simulator::judge`]), or its steps ([`Simulator::record`]). A run depends on the seed and its number alone,
//! so runs can be made by several threads, and made again. In each state every step of an agent that is
//! possible and every message are equally likely, then each of the step's choices. States are not packed.

use paramcheck_labs::model::{Modality, Property};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::Label;
use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use super::Unfit;
use super::code::Code;
use super::engine::Engine;
use super::engine::evidence::{Evidence, Step, store_of};
use super::machine::Machine;
use super::scope::{Monitor, OUTSIDE, OWING, VIOLATED, WITHOUT_VALUE};
use super::step::Scratch;
use super::word::{fault, is_true};
use begin::Beginnings;
use walk::{Moved, Walker};

mod begin;
mod walk;

/// How many steps of a run lie between two looks at the budget.
const PACE: u64 = 1 << 10;

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// How many steps it has.
    pub steps: u64,
    /// How it ends.
    pub end: End,
    /// Per property: whether it is violated, and after how many steps that is known.
    pub violated: Vec<Option<u64>>,
    /// The first state in which a formula has no value: after how many steps, of which property, and why.
    pub without_value: Option<(u64, usize, Fault)>,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It has as many steps as a run may have.
    Bound,
    /// Nothing can happen.
    Stuck,
    /// This step leads out of the language.
    Leaves(Label, Fault),
}

/// Makes runs of a system.
#[derive(Debug)]
pub struct Simulator<'e, 'a> {
    machine: &'e Machine<'a>,
    judges: Vec<Judge>,
    beginnings: Beginnings,
    steps: u64,
    seed: u64,
    budget: Budget,
}

/// What is looked at in the states of a run.
#[derive(Debug)]
enum Judge {
    Always(Code),
    /// In the last state.
    Finally(Code),
    Eventually(Code),
    Scope(Box<Monitor>),
}

/// Where a run stands with respect to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Open; of scopes, where in them.
    At(i64),
    /// Nothing can change it any more.
    Settled,
    /// Violated, after so many steps.
    Violated(u64),
}

impl<'a> Engine<'a> {
    /// Prepares runs of at most so many steps. Properties about what can still be reached
    /// ([`Modality::Fairly`]) are no questions about runs.
    ///
    /// # Errors
    /// There is no initial state, or a property that is no question about runs.
    pub fn simulator<'e>(
        &'e self,
        properties: &[Property],
        steps: u64,
        seed: u64,
        budget: &Budget,
    ) -> Result<Simulator<'e, 'a>, Unfit> {
        let judges = properties.iter().map(|property| self.judge(property));
        let judges = judges.collect::<Result<_, _>>()?;
        let machine = self.machine();
        let beginnings = Beginnings::new(machine, budget)?;
        Ok(Simulator { machine, judges, beginnings, steps, seed, budget: budget.clone() })
    }

    fn judge(&self, property: &Property) -> Result<Judge, Unfit> {
        if let Some(monitor) = self.monitor(property)? {
            return Ok(Judge::Scope(Box::new(monitor)));
        }
        let formula = self.formula(&property.formula)?;
        match &property.modality {
            Modality::Always => Ok(Judge::Always(formula)),
            Modality::Eventually { is_finally: true } => Ok(Judge::Finally(formula)),
            Modality::Eventually { is_finally: false } => Ok(Judge::Eventually(formula)),
            _ => Err(Unfit::Unbounded),
        }
    }
}

impl Simulator<'_, '_> {
    /// Makes the run of this number, and judges it.
    ///
    /// # Errors
    /// No initial state was found, or a limit was reached.
    pub fn judge(&self, number: u64) -> Result<Judged, Unfit> {
        let mut standings = vec![Standing::At(OUTSIDE); self.judges.len()];
        let mut without_value = None;
        let (mut length, end) = (0, &mut None);
        self.walk(number, &mut |event, scratch| match event {
            Event::State(step, _) => {
                length = step;
                for (property, (judge, standing)) in self.judges.iter().zip(&mut standings).enumerate() {
                    if let Some(fault) = self.look(judge, standing, step, scratch)
                        && without_value.is_none()
                    {
                        without_value = Some((step, property, fault));
                    }
                }
            }
            Event::End(ending) => {
                for (property, (judge, standing)) in self.judges.iter().zip(&mut standings).enumerate() {
                    if let Some(fault) = self.close(judge, standing, (length, &ending), scratch)
                        && without_value.is_none()
                    {
                        without_value = Some((length, property, fault));
                    }
                }
                *end = Some(ending);
            }
        })?;
        let violated = standings.iter().map(|standing| match standing {
            Standing::Violated(step) => Some(*step),
            Standing::At(_) | Standing::Settled => None,
        });
        let violated = violated.collect();
        Ok(Judged { steps: length, end: end.take().unwrap_or(End::Bound), violated, without_value })
    }

    /// Makes the run of this number again, with its steps.
    ///
    /// # Errors
    /// As [`Simulator::judge`].
    pub fn record(&self, number: u64) -> Result<(Evidence, End), Unfit> {
        let mut evidence = Evidence::default();
        let mut end = End::Bound;
        self.walk(number, &mut |event, scratch| match event {
            Event::State(_, label) => {
                evidence.steps.push(Step { label, store: store_of(self.machine, &scratch.fields) });
            }
            Event::End(ending) => {
                if let End::Leaves(label, fault) = &ending {
                    evidence.leaves = Some((label.clone(), *fault));
                }
                end = ending;
            }
        })?;
        Ok((evidence, end))
    }

    /// What a state says of a property; the fault, if a formula has no value.
    fn look(
        &self,
        judge: &Judge,
        standing: &mut Standing,
        step: u64,
        scratch: &mut Scratch,
    ) -> Option<Fault> {
        let Standing::At(place) = *standing else { return None };
        let width = self.machine.width();
        match judge {
            Judge::Finally(_) => {}
            Judge::Always(formula) => {
                let word = scratch.formula(formula, width);
                if let Some(fault) = fault(word) {
                    *standing = Standing::Settled;
                    return Some(fault);
                }
                if !is_true(word) {
                    *standing = Standing::Violated(step);
                }
            }
            Judge::Eventually(formula) => {
                let word = scratch.formula(formula, width);
                if let Some(fault) = fault(word) {
                    *standing = Standing::Settled;
                    return Some(fault);
                }
                if is_true(word) {
                    *standing = Standing::Settled;
                }
            }
            Judge::Scope(monitor) => {
                scratch.fields[self.machine.scope] = place;
                monitor.advance(self.machine, scratch);
                let place = std::mem::replace(&mut scratch.fields[self.machine.scope], OUTSIDE);
                scratch.changed.clear();
                *standing = Standing::At(place);
                if place == VIOLATED {
                    *standing = Standing::Violated(step);
                }
                if place == WITHOUT_VALUE {
                    *standing = Standing::Settled;
                    return monitor.formulas().find_map(|formula| fault(scratch.formula(formula, width)));
                }
            }
        }
        None
    }

    /// What the end of a run says of a property; the fault, if a formula has no value there.
    fn close(
        &self,
        judge: &Judge,
        standing: &mut Standing,
        (length, end): (u64, &End),
        scratch: &mut Scratch,
    ) -> Option<Fault> {
        // A run that is cut off by a fault is judged as far as it goes.
        let (Standing::At(place), End::Bound | End::Stuck) = (*standing, end) else { return None };
        let is_violated = match judge {
            Judge::Always(_) => false,
            Judge::Eventually(_) => true,
            Judge::Finally(formula) => {
                let word = scratch.formula(formula, self.machine.width());
                if let Some(fault) = fault(word) {
                    return Some(fault);
                }
                !is_true(word)
            }
            // A scope that is still open at the bound is not judged.
            Judge::Scope(monitor) => *end == End::Stuck && place == OWING && monitor.judges_open(),
        };
        if is_violated {
            *standing = Standing::Violated(length);
        }
        None
    }

    fn walk(&self, number: u64, each: &mut dyn FnMut(Event, &mut Scratch)) -> Result<(), Unfit> {
        // Seeds that follow one another give runs that have nothing to do with one another.
        let mut chance = Random::new(Random::new(self.seed).number() ^ Random::new(!number).number());
        let mut walker = Walker::new(self.machine, &self.budget);
        self.beginnings.choose(self.machine, &mut walker.scratch, &mut chance, &self.budget)?;
        each(Event::State(0, None), &mut walker.scratch);
        for step in 1..=self.steps {
            if step % PACE == 0 {
                self.budget.check().map_err(Unfit::Stopped)?;
            }
            let end = match walker.step(&mut chance)? {
                Moved::To(label) => {
                    each(Event::State(step, Some(label)), &mut walker.scratch);
                    continue;
                }
                Moved::Nowhere => End::Stuck,
                Moved::Leaves(label, fault) => End::Leaves(label, fault),
            };
            each(Event::End(end), &mut walker.scratch);
            return Ok(());
        }
        each(Event::End(End::Bound), &mut walker.scratch);
        Ok(())
    }
}

/// What a walk comes by.
enum Event {
    /// A state, after so many steps, the last of them this one.
    State(u64, Option<Label>),
    /// Its end.
    End(End),
}

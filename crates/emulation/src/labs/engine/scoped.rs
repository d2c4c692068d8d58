//! Properties about scopes: where a run stands is written down in the state.

use paramcheck_labs::model::Property;
use paramcheck_labs::semantics::step::Fairness;
use paramcheck_nets::explore::engine::explore;
use paramcheck_nets::explore::system::{Goal, State};
use paramcheck_text::limits::Budget;

use super::bounded::{Wrong, within};
use super::live::Run;
use super::{Engine, Evidence, Options, Outcome, search};
use crate::labs::Unfit;
use crate::labs::code::Code;
use crate::labs::compile::Compiler;
use crate::labs::machine::Machine;
use crate::labs::scope::{self, Monitor, OWING, VIOLATED, WITHOUT_VALUE};
use crate::labs::search::Kind;
use crate::labs::search::avoid::{self, avoid};
use crate::labs::search::fair::{self, fair};
use crate::labs::space::Space;

impl Engine<'_> {
    /// A property about scopes.
    pub(super) fn scoped(
        &self,
        machine: &Machine<'_>,
        property: &Property,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let (machine, monitor) = self.monitored(machine, property)?;
        super::for_states_of!(machine, S => self.in_scopes::<S>(&machine, &monitor, options, budget))
    }

    /// What scopes say of runs of at most so many steps; a scope that is still open then is not judged.
    pub(super) fn scoped_within(
        &self,
        machine: &Machine<'_>,
        property: &Property,
        steps: u64,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let (machine, monitor) = self.monitored(machine, property)?;
        let wrong = Wrong::Scope(&monitor);
        super::for_states_of!(machine, S => {
            let space = self.space::<S>(&machine, Some(&monitor), options, budget)?;
            within(&space, &wrong, steps, options, budget)
        })
    }

    /// The same system with places with respect to the scopes of a property, and what writes them down.
    fn monitored(&self, machine: &Machine<'_>, property: &Property) -> Result<(Machine<'_>, Monitor), Unfit> {
        let mut compiler = Compiler::new(self.system, self.rules.width);
        let monitor = Monitor::new(property, &mut compiler).filter(|_| !compiler.is_too_large());
        let monitor = monitor.ok_or(Unfit::TooLarge)?;
        if compiler.has_foreign || monitor.formulas().any(Code::chooses) {
            return Err(Unfit::Foreign);
        }
        let machine = self.prepared(scope::values(), machine.kept.as_deref())?;
        Ok((machine, monitor))
    }

    fn in_scopes<S: State>(
        &self,
        machine: &Machine<'_>,
        monitor: &Monitor,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let space = self.space::<S>(machine, Some(monitor), options, budget)?;
        let place = |state: &S| machine.layout.get(state, machine.scope);
        let is_bad = |state: &S| machine.layout.fault(state).is_none() && place(state) >= VIOLATED;
        let goal = Goal::new(|state: &S, _| Some(is_bad(state)));
        let found = explore(&space, &[goal], &search(options, true), budget);
        space.check()?;
        if let Some(steps) = found.trace_to_goal(&space, 0, options.threads) {
            let evidence = Evidence::of_trace(&space, &steps);
            let last = steps.last().filter(|(_, state)| place(state) == WITHOUT_VALUE);
            return Ok(match last.and_then(|(_, state)| monitor.fault(&space, state)) {
                Some(fault) => Outcome::Fault(fault, evidence),
                None => Outcome::Violated(evidence),
            });
        }
        let outcome = self.unless_fault(&space, &found, options, budget)?;
        if !matches!(outcome, Outcome::Holds(_)) || !monitor.judges_open() {
            return Ok(outcome);
        }
        // A scope that stays open without what is to be there: a run that owes for ever, or ends owing.
        let kind = |state: &S| if place(state) == OWING { Kind::Inside } else { Kind::Outside };
        let owing = found.visited.iter().filter(|state| kind(state) == Kind::Inside).cloned();
        if machine.rules.fairness != Fairness::None {
            let starts = space.initial.as_slice();
            let run = Run { space: &space, starts, kind: &|_: &S| Kind::Inside, options, budget };
            let found = fair(&space, owing, kind, options, budget);
            space.check()?;
            return match found {
                Err(reason) => Ok(Outcome::Unknown(reason)),
                Ok(fair::Found::None(_) | fair::Found::Fault) => Ok(outcome),
                Ok(fair::Found::End(end)) => self.owing(&space, &[end], None, options, budget),
                Ok(fair::Found::Fair(part)) => run.fair_round(&part),
            };
        }
        let found = avoid(&space, owing, kind, options, budget);
        space.check()?;
        match found {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(avoid::Found::None(_) | avoid::Found::Fault) => Ok(outcome),
            Ok(avoid::Found::End(end)) => self.owing(&space, &[end], None, options, budget),
            Ok(avoid::Found::Cycle(cycle)) => self.owing(&space, &cycle, Some(&kind), options, budget),
        }
    }

    /// The way to one of these states, and round through states that owe if there is a cycle.
    fn owing<S: State>(
        &self,
        space: &Space<'_, S>,
        wanted: &[S],
        cycle: Option<&dyn Fn(&S) -> Kind>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let kind = |state: &S| cycle.map_or(Kind::Inside, |kind| kind(state));
        let through = |_: &S| Kind::Inside;
        let starts = space.initial.as_slice();
        let run = Run { space, starts, kind: &through, options, budget };
        let mut steps = match run.way(wanted)? {
            Ok(steps) => steps,
            Err(outcome) => return Ok(outcome),
        };
        let mut from = None;
        if cycle.is_some() {
            let run = Run { space, starts, kind: &kind, options, budget };
            match run.round(&mut steps) {
                Ok(at) => from = Some(at),
                Err(outcome) => return Ok(outcome),
            }
        }
        let mut evidence = Evidence::of_trace(space, &steps);
        evidence.cycle = from;
        space.check().map(|()| Outcome::Violated(evidence))
    }
}

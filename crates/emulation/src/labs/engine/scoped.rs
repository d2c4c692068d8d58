//! Properties about scopes: where a run stands is written down in the state.

use paramcheck_labs::model::Property;
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
use crate::labs::reduce::unfold::Ending;
use crate::labs::scope::{self, Monitor, OWING, VIOLATED, WITHOUT_VALUE};
use crate::labs::search::{Kind, Staying, staying};

impl Engine<'_> {
    /// What a property about scopes says.
    pub(super) fn scoped(
        &self,
        machine: &Machine<'_>,
        monitor: &Monitor,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let machine = self.prepared(scope::values(), machine.kept.as_deref())?;
        super::for_states_of!(machine, S => self.in_scopes::<S>(&machine, monitor, options, budget))
    }

    /// What scopes say of runs of at most so many steps; a scope that is still open then is not judged.
    pub(super) fn scoped_within(
        &self,
        machine: &Machine<'_>,
        monitor: &Monitor,
        steps: u64,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let machine = self.prepared(scope::values(), machine.kept.as_deref())?;
        super::for_states_of!(machine, S => {
            let space = self.space::<S>(&machine, Some(monitor), options, budget)?;
            within(&space, &Wrong::Scope(monitor), steps, options, budget)
        })
    }

    /// What writes down where a run stands with respect to the scopes of a property, if it is about scopes.
    pub(crate) fn monitor(&self, property: &Property) -> Result<Option<Monitor>, Unfit> {
        let mut compiler = Compiler::new(self.system, self.rules.width);
        let Some(monitor) = Monitor::new(property, &mut compiler) else { return Ok(None) };
        if compiler.is_too_large() {
            return Err(Unfit::Formula);
        }
        if compiler.has_foreign || monitor.formulas().any(Code::chooses) {
            return Err(Unfit::Foreign);
        }
        Ok(Some(monitor))
    }

    fn in_scopes<S: State>(
        &self,
        machine: &Machine<'_>,
        monitor: &Monitor,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        let space = self.reduced::<S>(machine, Some(monitor), options, budget)?;
        let place = |state: &S| machine.layout.get(state, machine.scope);
        let is_bad = |state: &S| machine.layout.fault(state).is_none() && place(state) >= VIOLATED;
        let goal = Goal::new(|state: &S, _| Some(is_bad(state)));
        let found = explore(&space, &[goal], &search(options, true), budget);
        space.check()?;
        if let Some(steps) = found.trace_to_goal(&space, 0, options.threads) {
            let evidence = Evidence::of_run(&space, &steps, Ending::Open)?;
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
        let starts = space.initial.as_slice();
        let run = Run { space: &space, starts, kind: &|_: &S| Kind::Inside, options, budget };
        let found = staying(&space, owing, kind, options, budget);
        space.check()?;
        match found {
            Err(reason) => Ok(Outcome::Unknown(reason)),
            Ok(Staying::None(_) | Staying::Fault) => Ok(outcome),
            Ok(Staying::End(end)) => run.shown(&[end], Ending::Stuck, None),
            Ok(Staying::Round(states)) => run.gone_round(&states, kind),
        }
    }
}

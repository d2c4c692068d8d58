//! Where a run stands with respect to the scopes of a property, written down in the state.
//!
//! The rules are those of `paramcheck_labs::semantics::check`.

use paramcheck_labs::model::{Modality, Property, Within};
use paramcheck_labs::number::Fault;
use paramcheck_nets::explore::system::State;

use super::code::Code;
use super::compile::Compiler;
use super::machine::Machine;
use super::space::Space;
use super::step::Scratch;
use super::values::Values;
use super::word::{fault, is_halt, is_true};

/// In no scope.
pub(crate) const OUTSIDE: i64 = 0;
/// In a scope that is not yet as it should be, or is no more.
pub(crate) const OWING: i64 = 1;
/// In a scope that is as it should be; of `precedes`: nothing has happened.
const FINE: i64 = 2;
/// In a scope of `precedes` in which nothing can go wrong any more.
const SETTLED: i64 = 3;
/// The property is violated.
pub(crate) const VIOLATED: i64 = 4;
/// A formula has no value.
pub(crate) const WITHOUT_VALUE: i64 = 5;

/// The values of the field.
pub(crate) fn values() -> Values {
    Values::between(OUTSIDE, WITHOUT_VALUE)
}

/// What is written down.
#[derive(Debug)]
pub(crate) struct Monitor {
    opens: Code,
    closes: Code,
    holds: Code,
    first: Option<Code>,
    is_open: bool,
    within: Within,
}

impl Monitor {
    /// For a property about scopes.
    pub(crate) fn new(property: &Property, compiler: &mut Compiler<'_>) -> Option<Monitor> {
        let Modality::Scope { is_open, opens, closes, within } = &property.modality else { return None };
        let first = match within {
            Within::Precedes(first) => Some(compiler.formula(first)),
            Within::ThereIs | Within::Always => None,
        };
        Some(Monitor {
            opens: compiler.formula(opens),
            closes: compiler.formula(closes),
            holds: compiler.formula(&property.formula),
            first,
            is_open: *is_open,
            within: within.clone(),
        })
    }

    /// The formulas.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Code> {
        [&self.opens, &self.closes, &self.holds].into_iter().chain(&self.first)
    }

    /// Why one of the formulas has no value in a state.
    pub(crate) fn fault<S: State>(&self, space: &Space<'_, S>, state: &S) -> Option<Fault> {
        self.formulas().find_map(|formula| fault(space.value(formula, state)))
    }

    /// Whether a run that stays for ever in a scope that owes violates the property.
    pub(crate) fn judges_open(&self) -> bool {
        self.is_open && self.within == Within::ThereIs
    }

    /// Whether nothing more is to be seen behind a state.
    pub(crate) fn is_over(&self, machine: &Machine<'_>, fields: &[i64]) -> bool {
        fields[machine.scope] >= VIOLATED
    }

    /// Writes down where a run stands after a step.
    pub(crate) fn advance(&self, machine: &Machine<'_>, scratch: &mut Scratch) {
        let next = self.next(machine, scratch);
        scratch.set(machine.scope, next);
    }

    fn next(&self, machine: &Machine<'_>, scratch: &mut Scratch) -> i64 {
        let mut truth = |code: &Code| scratch.formula(code, machine.width());
        let (opens, closes, holds) = (truth(&self.opens), truth(&self.closes), truth(&self.holds));
        let first = self.first.as_ref().map_or(0, truth);
        if [opens, closes, holds, first].into_iter().any(is_halt) {
            return WITHOUT_VALUE;
        }
        let (opens, closes) = (is_true(opens), is_true(closes));
        let before = match scratch.fields[machine.scope] {
            OUTSIDE if !opens || closes => return OUTSIDE,
            OUTSIDE if self.within == Within::ThereIs => OWING,
            OUTSIDE => FINE,
            OWING if closes => return VIOLATED,
            _ if closes => return OUTSIDE,
            before => before,
        };
        let after = match (&self.within, before) {
            (Within::ThereIs, _) if is_true(holds) => FINE,
            (Within::Always, FINE) if !is_true(holds) => OWING,
            (Within::Precedes(_), FINE) if is_true(first) => SETTLED,
            (Within::Precedes(_), FINE) if is_true(holds) => OWING,
            (_, before) => before,
        };
        // What has gone wrong for good needs no end of the scope, where that is not wanted.
        let is_lost = after == OWING && self.within != Within::ThereIs;
        if is_lost && self.is_open { VIOLATED } else { after }
    }
}

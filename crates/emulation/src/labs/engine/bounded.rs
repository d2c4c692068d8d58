//! Runs of at most so many steps.
//!
//! `always` goes through states in the order of their distance. For `eventually` and `finally` it matters how long
//! a run is: level by level, the states that runs of just so many steps lead to.

use paramcheck_labs::model::{Modality, Property};
use paramcheck_labs::number::Fault;
use paramcheck_nets::explore::system::State;
use paramcheck_text::limits::Budget;

use super::live::kind_of;
use super::{Engine, Evidence, Options, Outcome, Reason, of_all};
use crate::labs::Unfit;
use crate::labs::code::Code;
use crate::labs::scope::{Monitor, OWING, VIOLATED, WITHOUT_VALUE};
use crate::labs::search::path::{Path, labelled};
use crate::labs::search::{Kind, States};
use crate::labs::space::Space;

/// What the runs of a bounded search must not do.
pub(super) enum Wrong<'a> {
    /// Come to a state without the formula.
    Without(&'a Code),
    /// End, or be as long as allowed, in a state without the formula.
    EndWithout(&'a Code),
    /// End, or be as long as allowed, without a state with the formula.
    Never(&'a Code),
    /// Violate what is written down of scopes; end in a scope that owes, if that is judged.
    Scope(&'a Monitor),
}

/// What a state is to a bounded search.
struct Look {
    is_violated: bool,
    /// It is violated if the run ends here.
    ends_violated: bool,
    /// It is violated if the run is as long as allowed.
    is_too_late: bool,
    goes_on: bool,
    without_value: Option<Fault>,
}

impl Wrong<'_> {
    /// Whether it matters how long a run is that leads to a state.
    fn counts_steps(&self) -> bool {
        matches!(self, Wrong::EndWithout(_) | Wrong::Never(_))
    }

    fn look<S: State>(&self, space: &Space<'_, S>, state: &S) -> Look {
        let (is_false, without_value) = match self {
            Wrong::Without(formula) | Wrong::EndWithout(formula) | Wrong::Never(formula) => {
                match kind_of(space, formula, state) {
                    Kind::Inside => (true, None),
                    Kind::Outside => (false, None),
                    Kind::WithoutValue(fault) => (false, Some(fault)),
                }
            }
            Wrong::Scope(_) => (false, None),
        };
        let place = space.machine.layout.get(state, space.machine.scope);
        let is_owing = place == OWING && matches!(self, Wrong::Scope(monitor) if monitor.judges_open());
        let is_violated = match self {
            Wrong::Without(_) => is_false,
            Wrong::Scope(_) => place == VIOLATED,
            Wrong::EndWithout(_) | Wrong::Never(_) => false,
        };
        let is_late = self.counts_steps() && is_false;
        Look {
            is_violated,
            ends_violated: is_late || is_owing,
            is_too_late: is_late,
            goes_on: !matches!(self, Wrong::Never(_)) || is_false,
            without_value: match self {
                Wrong::Scope(monitor) if place == WITHOUT_VALUE => monitor.fault(space, state),
                _ => without_value,
            },
        }
    }
}

/// The states that runs of a length lead to, and the positions of those before.
type Level<S> = (Vec<S>, Vec<u32>);

impl Engine<'_> {
    /// What a property says of runs of at most so many steps.
    ///
    /// # Errors
    /// There is no initial state; or the property is about what can still happen ([`Unfit::Unbounded`]).
    pub fn decide_within(
        &self,
        property: &Property,
        steps: u64,
        options: &Options,
        budget: &Budget,
    ) -> Result<Outcome, Unfit> {
        if let Some(monitor) = self.monitor(property)? {
            let formulas: Vec<&Code> = monitor.formulas().collect();
            return self.sliced(&formulas, budget, |machine| {
                self.scoped_within(machine, &monitor, steps, options, budget)
            });
        }
        let formula = self.formula(&property.formula)?;
        let wrong = match &property.modality {
            Modality::Always => Wrong::Without(&formula),
            Modality::Eventually { is_finally: true } => Wrong::EndWithout(&formula),
            Modality::Eventually { is_finally: false } => Wrong::Never(&formula),
            _ => return Err(Unfit::Unbounded),
        };
        self.sliced(&[&formula], budget, |machine| {
            super::for_states_of!(machine, S => {
                let space = self.space::<S>(machine, None, options, budget)?;
                within(&space, &wrong, steps, options, budget)
            })
        })
    }
}

/// Whether a run of at most so many steps does what is wrong.
pub(super) fn within<S: State>(
    space: &Space<'_, S>,
    wrong: &Wrong<'_>,
    steps: u64,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome, Unfit> {
    let outcome = search(space, wrong, steps, options, budget).unwrap_or_else(Outcome::Unknown);
    space.check().map(|()| of_all(space, outcome))
}

fn search<S: State>(
    space: &Space<'_, S>,
    wrong: &Wrong<'_>,
    steps: u64,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome, Reason> {
    let mut levels: Vec<Level<S>> = Vec::new();
    let mut states = States::new(space, options, budget);
    let mut level: Level<S> = (Vec::new(), Vec::new());
    for state in &space.initial {
        if states.add(state, state.hash())?.1 {
            level.0.push(state.clone());
            level.1.push(0);
        }
    }
    let (mut seen, mut fault) = (level.0.len() as u64, None);
    for length in 0..=steps {
        let mut next: Level<S> = (Vec::new(), Vec::new());
        if wrong.counts_steps() {
            // What was reached by shorter runs may be reached again.
            states = States::new(space, options, budget);
        }
        let (mut violating, mut faulty) = (None, None);
        for (position, state) in (0u32..).zip(&level.0) {
            if space.machine.layout.fault(state).is_some() {
                faulty = faulty.or(Some((position, None)));
                continue;
            }
            let look = wrong.look(space, state);
            if look.without_value.is_some() {
                faulty = faulty.or(Some((position, look.without_value)));
                continue;
            }
            let is_last = length == steps;
            if look.is_violated || look.is_too_late && is_last {
                violating = Some(position);
                break;
            }
            if !look.goes_on || is_last && !look.ends_violated {
                continue;
            }
            let mut count = 0;
            states.expand_state(state, seen as usize * size_of::<S>(), |state, is_new| {
                count += 1;
                if is_new && !is_last {
                    next.0.push(state.clone());
                    next.1.push(position);
                }
            })?;
            if count == 0 && look.ends_violated {
                violating = Some(position);
                break;
            }
        }
        levels.push(level);
        if let Some(position) = violating {
            return Ok(Outcome::Violated(Evidence::along(space, &trace(space, &levels, position))));
        }
        if fault.is_none()
            && let Some((position, without_value)) = faulty
        {
            let steps = trace(space, &levels, position);
            let left = steps.last().and_then(|(_, state)| space.machine.layout.fault(state));
            fault = without_value.or(left).map(|fault| (fault, Evidence::along(space, &steps)));
        }
        seen += next.0.len() as u64;
        level = next;
        if level.0.is_empty() {
            break;
        }
    }
    Ok(match fault {
        Some((fault, evidence)) => Outcome::Fault(fault, evidence),
        None if (levels.len() as u64) <= steps => Outcome::Holds(seen),
        None => Outcome::Within(steps, seen),
    })
}

/// The run to a state of the last level.
fn trace<S: State>(space: &Space<'_, S>, levels: &[Level<S>], position: u32) -> Path<S> {
    let mut at = position as usize;
    let mut states = Vec::new();
    for (level, parents) in levels.iter().rev() {
        states.push(level[at].clone());
        at = parents[at] as usize;
    }
    states.reverse();
    labelled(space, states)
}

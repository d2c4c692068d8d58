//! Questions: formulas, bounded runs, scopes.

use paramcheck_labs::model::{Expr, Modality, Property, Within};

use crate::Structure;
use crate::expression::{Expression, Variable, VariableId};
use crate::labs::compile::Compiler;
use crate::labs::machine::Machine;
use crate::question::{Condition, Demand};

use super::NotProgrammed;
use super::act::of_store;
use super::cells::Cells;
use super::define::Definitions;
use super::shared::{is_set, variable};
use super::terms::{FALSE, TRUE, all, and, any, at_most, choose, equal, known, less, not, number, or};

/// The greatest bound on steps.
const MAX_STEPS: i64 = 1 << 20;

/// In no scope.
const OUTSIDE: i64 = 0;
/// In a scope that is not yet as it should be, or is no more.
const OWING: i64 = 1;
/// In a scope that is as it should be; of `precedes`: nothing has happened.
const FINE: i64 = 2;
/// In a scope of `precedes` in which nothing can go wrong any more.
const SETTLED: i64 = 3;
/// The property is violated.
const VIOLATED: i64 = 4;

/// The variables that a property, and a bound on steps, need.
pub(super) struct Needed {
    /// How many steps were taken, and how many there may be.
    pub(super) steps: Option<(VariableId, i64)>,
    /// Whether the formula held before.
    pub(super) seen: Option<VariableId>,
    /// Where the run stood with respect to scopes before this state.
    pub(super) scope: Option<VariableId>,
}

impl Needed {
    /// Adds what is needed to a structure.
    pub(super) fn new(
        property: Option<&Property>,
        steps: Option<usize>,
        structure: &mut Structure,
    ) -> Needed {
        let mut add = |name: &str, greatest: i64| {
            let (name, agent) = (name.to_owned(), None);
            structure.variables.push(Variable { name, agent, least: 0, greatest, initial: vec![0] })
        };
        let modality = property.map(|property| &property.modality);
        let is_scope = matches!(modality, Some(Modality::Scope { .. }));
        let most = steps.map(|steps| i64::try_from(steps).unwrap_or(i64::MAX).min(MAX_STEPS));
        // Of a scope that stays open it matters whether the run ends there: one more step shows it.
        let most = most.map(|most| if is_scope { most + 1 } else { most });
        let is_seen = steps.is_some() && matches!(modality, Some(Modality::Eventually { is_finally: false }));
        Needed {
            steps: most.map(|most| (add("steps", most.max(1)), most)),
            seen: is_seen.then(|| add("seen", 1)),
            scope: is_scope.then(|| add("scope", VIOLATED)),
        }
    }
}

/// A question about the machine: what is demanded, and what has to be assigned in every step for it.
pub(super) struct Posed {
    pub(super) demand: Demand,
    pub(super) assigned: Vec<(VariableId, Expression)>,
}

/// Makes questions.
pub(super) struct Poser<'a, 'm> {
    pub(super) machine: &'a Machine<'m>,
    pub(super) cells: &'a Cells,
    pub(super) definitions: &'a mut Definitions,
    /// Where the state is one between whole steps, and no fault.
    pub(super) is_state: Expression,
    /// Where a fault has been.
    pub(super) is_fault: Expression,
    pub(super) needed: &'a Needed,
}

impl Poser<'_, '_> {
    /// Whether a formula is true.
    fn truth(&mut self, compiler: &mut Compiler<'_>, formula: &Expr) -> Result<Expression, NotProgrammed> {
        let code = compiler.formula(formula);
        if compiler.is_too_large() {
            return Err(NotProgrammed::Formula);
        }
        let value = of_store(&code, self.cells, self.machine.width(), self.definitions)?;
        self.definitions.shared(value.is_true())
    }

    /// The question whether a fault is reached.
    pub(super) fn fault(&self) -> Posed {
        Posed { demand: Demand::Never(Condition::Holds(self.is_fault.clone())), assigned: Vec::new() }
    }

    /// The question of a property.
    pub(super) fn property(
        &mut self,
        compiler: &mut Compiler<'_>,
        property: &Property,
    ) -> Result<Posed, NotProgrammed> {
        let holds = self.truth(compiler, &property.formula)?;
        let is_state = self.is_state.clone();
        let never = |condition: Expression| Demand::Never(Condition::Holds(condition));
        // No step is possible, or all that there may be are taken.
        let at_the_end = |condition: Expression| {
            Demand::Never(Condition::And(vec![Condition::Holds(condition), Condition::Stuck]))
        };
        let mut assigned = Vec::new();
        let demand = match &property.modality {
            Modality::Always => never(and(is_state, not(holds))),
            Modality::Eventually { .. } if self.needed.steps.is_none() => {
                let reached = or(self.is_fault.clone(), and(is_state, holds));
                Demand::Eventually(Condition::Holds(reached))
            }
            Modality::Eventually { .. } => match self.needed.seen {
                None => at_the_end(and(is_state, not(holds))),
                Some(seen) => {
                    assigned.push((seen, or(is_set(seen), holds.clone())));
                    at_the_end(all([is_state, not(is_set(seen)), not(holds)]))
                }
            },
            Modality::Fairly | Modality::FairlyInfinite if self.needed.steps.is_some() => {
                return Err(NotProgrammed::Unbounded);
            }
            Modality::Fairly | Modality::FairlyInfinite => {
                // Behind a fault nothing is judged.
                let reached = or(self.is_fault.clone(), and(is_state, holds));
                let is_always = property.modality == Modality::FairlyInfinite;
                Demand::Recoverable { condition: Condition::Holds(reached), is_always }
            }
            Modality::Scope { is_open, opens, closes, within } => {
                let opens = self.truth(compiler, opens)?;
                let closes = self.truth(compiler, closes)?;
                let first = match within {
                    Within::Precedes(first) => Some(self.truth(compiler, first)?),
                    Within::ThereIs | Within::Always => None,
                };
                let Some(scope) = self.needed.scope else { return Err(NotProgrammed::TooLarge) };
                let now = now(variable(scope), *is_open, within, [opens, closes, holds], first);
                let now = self.definitions.named("scope_now", now)?;
                assigned.push((scope, known(now.clone(), 0, VIOLATED)));
                let is_violated = and(is_state.clone(), equal(now.clone(), number(VIOLATED)));
                let stays_open = *is_open && matches!(within, Within::ThereIs);
                match self.needed.steps {
                    None if stays_open => return Err(NotProgrammed::StaysOpen),
                    None => never(is_violated),
                    Some((steps, most)) => {
                        let is_early = at_most(variable(steps), number(most - 1));
                        let is_violated = and(is_violated, is_early.clone());
                        let is_owing = all([is_state, is_early, equal(now, number(OWING))]);
                        let ends = Condition::And(vec![Condition::Holds(is_owing), Condition::Stuck]);
                        match stays_open {
                            true => Demand::Never(Condition::Or(vec![Condition::Holds(is_violated), ends])),
                            false => never(is_violated),
                        }
                    }
                }
            }
        };
        Ok(Posed { demand, assigned })
    }
}

/// Where a run stands with respect to scopes in a state, by where it stood before.
fn now(
    before: Expression,
    is_open: bool,
    within: &Within,
    [opens, closes, holds]: [Expression; 3],
    first: Option<Expression>,
) -> Expression {
    let is = |place: i64| equal(before.clone(), number(place));
    let begins = all([is(OUTSIDE), opens, not(closes.clone())]);
    let stays = and(not(is(OUTSIDE)), not(closes.clone()));
    let inside = or(begins.clone(), stays);
    let lost = if is_open && !matches!(within, Within::ThereIs) { VIOLATED } else { OWING };
    let was_fine = or(begins, is(FINE));
    let after = match (within, first) {
        (Within::ThereIs, _) => choose(or(holds, is(FINE)), number(FINE), number(OWING)),
        (Within::Precedes(_), Some(first)) => {
            let fine = choose(first, number(SETTLED), choose(holds, number(lost), number(FINE)));
            choose(was_fine, fine, before.clone())
        }
        _ => choose(and(was_fine, holds), number(FINE), number(lost)),
    };
    let closed = choose(is(OWING), number(VIOLATED), number(OUTSIDE));
    let is_over = equal(before.clone(), number(VIOLATED));
    let otherwise = choose(and(not(is(OUTSIDE)), closes), closed, number(OUTSIDE));
    choose(is_over, number(VIOLATED), choose(inside, after, otherwise))
}

/// That there may be more steps.
pub(super) fn goes_on(needed: &Needed) -> Expression {
    needed.steps.map_or(TRUE, |(steps, most)| less(variable(steps), number(most)))
}

/// That of some conditions one holds.
pub(super) fn one_of(parts: Vec<Expression>) -> Expression {
    if parts.is_empty() { FALSE } else { any(parts) }
}

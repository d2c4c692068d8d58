//! Expressions on sets of values.
//!
//! The result has every number, and undefined, that the expression may be; runs that leave the language there
//! go no further and add nothing.

use paramcheck_labs::ast::Operator;
use paramcheck_labs::model::{Expr, KindId, NameId, Who};
use rustc_hash::FxHashMap;

use super::{Var, Variables, ids};
use crate::labs::values::Values;

/// The values of variables, as an agent of a kind knows them in one step.
pub(super) struct View<'a> {
    pub(super) variables: &'a Variables<'a>,
    /// The kind of the agent that acts.
    pub(super) own: Option<KindId>,
    values: &'a [Values],
    /// What is known better of the agent's own variables, and of the environment.
    known: FxHashMap<Var, Values>,
    /// What the step itself has added to variables.
    added: FxHashMap<Var, Values>,
    pub(super) locals: Vec<Values>,
    /// The kinds of agents bound by quantifiers.
    bound: Vec<KindId>,
}

impl<'a> View<'a> {
    pub(super) fn new(variables: &'a Variables<'a>, own: Option<KindId>, values: &'a [Values]) -> Self {
        View {
            variables,
            own,
            values,
            known: FxHashMap::default(),
            added: FxHashMap::default(),
            locals: Vec::new(),
            bound: Vec::new(),
        }
    }

    /// The values of a cell of some agent.
    fn any(&self, var: Var) -> Values {
        let mut values = self.values[var].clone();
        if let Some(added) = self.added.get(&var) {
            values.join(added);
        }
        values
    }

    /// The values of the agent's own cell.
    pub(super) fn own_value(&self, var: Var) -> Values {
        self.known.get(&var).cloned().unwrap_or_else(|| self.any(var))
    }

    /// Knows the values of the agent's own cell better.
    pub(super) fn know(&mut self, var: Var, values: Values) {
        self.known.insert(var, values);
    }

    /// A cell of the agent is assigned.
    pub(super) fn assign(&mut self, var: Var, values: Values, is_single: bool) {
        self.added.entry(var).or_default().join(&values);
        if is_single {
            self.known.insert(var, values);
        } else {
            self.known.remove(&var);
        }
    }

    /// The variable that an expression is, if it is a single cell: of the environment or the agent's own.
    pub(super) fn cell(&self, expr: &Expr) -> Option<Var> {
        match expr {
            Expr::Environment(at, indices) if indices.is_empty() => Some(*at),
            Expr::Of(Who::First, name, indices) if indices.is_empty() => self.variables.of(self.own?, *name),
            _ => None,
        }
    }

    /// The values of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Values {
        let (low, high) = self.variables.width.bounds();
        match expr {
            Expr::Number(number) => self.fitted(Values::one(*number)),
            Expr::Id(who) => self.ids_of(who),
            Expr::Environment(at, indices) if indices.is_empty() => self.own_value(*at),
            Expr::Environment(at, indices) => {
                let values = self.any(*at);
                self.indexed(values, indices)
            }
            Expr::Of(who, name, indices) => {
                let values = self.variable(who, *name, indices.is_empty());
                self.indexed(values, indices)
            }
            Expr::Local(at) => self.locals.get(*at).cloned().unwrap_or_else(Values::undefined),
            Expr::Picked(first, count, index) => {
                let mut all = Values::none().or_undefined(self.value(index).is_undefined);
                self.locals.iter().skip(*first).take(*count).for_each(|one| {
                    all.join(one);
                });
                all
            }
            Expr::Negative(inner) => {
                let inner = self.value(inner);
                self.fitted(Values::one(0).combine(&inner, |_, (low, high)| (-high, -low)))
            }
            Expr::Absolute(inner) => {
                let inner = self.value(inner);
                let absolute = |(low, high): (i64, i64)| match low >= 0 {
                    true => (low, high),
                    false if high <= 0 => (-high, -low),
                    false => (0, high.max(-low)),
                };
                self.fitted(Values::one(0).combine(&inner, |_, one| absolute(one)))
            }
            Expr::Not(inner) => self.truth_of(inner),
            Expr::Binary(operator, operands) => {
                let (left, right) = (self.value(&operands[0]), self.value(&operands[1]));
                self.binary(*operator, &left, &right)
            }
            Expr::AnyOf(ends) => {
                let (from, to) = (self.value(&ends[0]), self.value(&ends[1]));
                let is_undefined = from.is_undefined || to.is_undefined;
                match (from.bounds(), to.bounds()) {
                    (Some((low, _)), Some((_, high))) => {
                        Values::between(low, high.saturating_sub(1)).or_undefined(is_undefined)
                    }
                    _ => Values::none().or_undefined(is_undefined),
                }
            }
            Expr::Least(operands) => {
                let (left, right) = (self.value(&operands[0]), self.value(&operands[1]));
                left.combine(&right, |left, right| (left.0.min(right.0), left.1.min(right.1)))
            }
            Expr::Greatest(operands) => {
                let (left, right) = (self.value(&operands[0]), self.value(&operands[1]));
                left.combine(&right, |left, right| (left.0.max(right.0), left.1.max(right.1)))
            }
            Expr::If(parts) => {
                let condition = self.value(&parts[0]);
                let mut values = self.value(&parts[1]);
                values.join(&self.value(&parts[2]));
                values.is_undefined |= condition.is_undefined;
                values
            }
            Expr::Foreign(..) => Values::between(low, high).or_undefined(true),
            Expr::Quantified { kind, body, .. } => self.within_quantifier(*kind, body, 1),
            Expr::Count { kind, body, .. } => {
                let agents = self.variables.system.kinds[*kind].agents.len();
                self.within_quantifier(*kind, body, i64::try_from(agents).unwrap_or(i64::MAX))
            }
        }
    }

    fn within_quantifier(&mut self, kind: KindId, body: &Expr, most: i64) -> Values {
        self.bound.push(kind);
        let is_undefined = self.value(body).is_undefined;
        self.bound.pop();
        Values::between(0, most).or_undefined(is_undefined)
    }

    fn truth_of(&mut self, inner: &Expr) -> Values {
        Values::between(0, 1).or_undefined(self.value(inner).is_undefined)
    }

    /// Undefined as well, if an index may be.
    fn indexed(&mut self, mut values: Values, indices: &[Expr]) -> Values {
        for index in indices {
            values.is_undefined |= self.value(index).is_undefined;
        }
        values
    }

    fn ids_of(&mut self, who: &Who) -> Values {
        let system = self.variables.system;
        match who {
            Who::First => self.own.map_or_else(Values::none, |kind| ids(system.agents_of(kind))),
            Who::Second => ids(system.agents.indices()),
            Who::Bound(at) => {
                self.bound.get(*at).map_or_else(Values::none, |kind| ids(system.agents_of(*kind)))
            }
            Who::Agent(number) => {
                let agents = ids(system.agents.indices());
                let number = self.value(number);
                number.meet(&agents).or_undefined(number.is_undefined)
            }
        }
    }

    fn variable(&mut self, who: &Who, name: NameId, is_single: bool) -> Values {
        let kinds: Vec<KindId> = match who {
            Who::First if is_single => {
                let var = self.own.and_then(|kind| self.variables.of(kind, name));
                return var.map_or_else(Values::undefined, |var| self.own_value(var));
            }
            Who::First => self.own.into_iter().collect(),
            Who::Bound(at) => self.bound.get(*at).copied().into_iter().collect(),
            Who::Second | Who::Agent(_) => self.variables.system.kinds.indices().collect(),
        };
        let mut values = Values::none();
        for kind in kinds {
            match self.variables.of(kind, name) {
                Some(var) => values.join(&self.any(var)),
                None => values.join(&Values::undefined()),
            };
        }
        if let Who::Agent(number) = who {
            values.is_undefined |= self.value(number).is_undefined;
        }
        values
    }

    /// The values that are numbers of the width; others wrap around, or leave the language.
    fn fitted(&self, values: Values) -> Values {
        let (low, high) = self.variables.width.bounds();
        let fitted = values.within(low, high);
        if fitted != values && self.variables.width.fit(high.saturating_add(1)).is_ok() {
            return Values::between(low, high).or_undefined(values.is_undefined);
        }
        fitted
    }

    fn binary(&self, operator: Operator, left: &Values, right: &Values) -> Values {
        let is_undefined = left.is_undefined || right.is_undefined;
        match operator {
            Operator::Add => self.fitted(left.combine(right, |left, right| {
                (left.0.saturating_add(right.0), left.1.saturating_add(right.1))
            })),
            Operator::Subtract => self.fitted(left.combine(right, |left, right| {
                (left.0.saturating_sub(right.1), left.1.saturating_sub(right.0))
            })),
            Operator::Multiply => self.fitted(left.combine(right, product)),
            Operator::Modulo => left.combine(right, |left, right| {
                let divisor = right.0.saturating_abs().max(right.1.saturating_abs());
                // Within one turn of the divisor numbers stay apart.
                let is_within = right.0 == right.1
                    && divisor > 0
                    && left.0.div_euclid(divisor) == left.1.div_euclid(divisor);
                match is_within {
                    true => (left.0.rem_euclid(divisor), left.1.rem_euclid(divisor)),
                    false => (0, (divisor - 1).max(0)),
                }
            }),
            Operator::Divide | Operator::RoundDivide => self.fitted(left.combine(right, |left, _| {
                // The quotient is no further from 0 than the dividend.
                let most = left.0.saturating_abs().max(left.1.saturating_abs());
                (-most, most)
            })),
            _ => Values::between(0, 1).or_undefined(is_undefined),
        }
    }
}

fn product(left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
    let ends = [
        left.0.saturating_mul(right.0),
        left.0.saturating_mul(right.1),
        left.1.saturating_mul(right.0),
        left.1.saturating_mul(right.1),
    ];
    ends.iter().fold((i64::MAX, i64::MIN), |(low, high), end| (low.min(*end), high.max(*end)))
}

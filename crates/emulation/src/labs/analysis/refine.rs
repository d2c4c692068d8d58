//! What a condition says about variables.

use paramcheck_labs::ast::Operator;
use paramcheck_labs::model::Expr;

use super::Variables;
use super::expression::View;
use crate::labs::values::Values;

impl View<'_> {
    /// Knows that a condition is true, or that it is not; whether that is possible at all.
    pub(super) fn refine(&mut self, condition: &Expr, is_positive: bool) -> bool {
        match condition {
            Expr::Binary(Operator::And, operands) if is_positive => {
                self.refine(&operands[0], true) && self.refine(&operands[1], true)
            }
            Expr::Binary(Operator::Or, operands) if !is_positive => {
                self.refine(&operands[0], false) && self.refine(&operands[1], false)
            }
            Expr::Binary(operator, operands) => {
                let operator = if is_positive { Some(*operator) } else { opposite(*operator) };
                let Some(operator) = operator.filter(|one| mirrored(*one).is_some()) else { return true };
                let [left, right] = operands.as_ref();
                self.compare(operator, left, right, is_positive)
                    && mirrored(operator)
                        .is_none_or(|operator| self.compare(operator, right, left, is_positive))
            }
            _ => true,
        }
    }

    /// Knows that a comparison is true; or, of one that is not positive, that it is true or undefined.
    fn compare(&mut self, operator: Operator, left: &Expr, right: &Expr, is_positive: bool) -> bool {
        let Some(var) = self.cell(left) else { return true };
        let (own, other) = (self.own_value(var), self.value(right));
        let Some((low, high)) = other.bounds() else { return !is_positive };
        let mut known = match operator {
            Operator::Equal => own.meet(&other),
            Operator::NotEqual if low == high => own.without(low).defined(),
            Operator::NotEqual => own.defined(),
            Operator::Less => own.within(i64::MIN, high.saturating_sub(1)).defined(),
            Operator::AtMost => own.within(i64::MIN, high).defined(),
            Operator::Greater => own.within(low.saturating_add(1), i64::MAX).defined(),
            Operator::AtLeast => own.within(low, i64::MAX).defined(),
            _ => return true,
        };
        if !is_positive {
            // If the other side is undefined, nothing is known.
            if other.is_undefined {
                return true;
            }
            known.is_undefined = own.is_undefined;
        }
        let is_possible = !known.has_no_number() || known.is_undefined;
        self.know(var, known);
        is_possible
    }
}

/// What holds of numbers when a comparison does not.
fn opposite(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Equal => Operator::NotEqual,
        Operator::NotEqual => Operator::Equal,
        Operator::Less => Operator::AtLeast,
        Operator::AtMost => Operator::Greater,
        Operator::Greater => Operator::AtMost,
        Operator::AtLeast => Operator::Less,
        _ => return None,
    })
}

/// The same comparison with sides exchanged.
fn mirrored(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Equal => Operator::Equal,
        Operator::NotEqual => Operator::NotEqual,
        Operator::Less => Operator::Greater,
        Operator::AtMost => Operator::AtLeast,
        Operator::Greater => Operator::Less,
        Operator::AtLeast => Operator::AtMost,
        _ => return None,
    })
}

/// Takes from variables of the environment the initial values that an assumption does not allow.
pub(super) fn assumed(variables: &Variables<'_>, values: &mut [Values], formula: &Expr) {
    let mut view = View::new(variables, None, values);
    if !view.refine(formula, true) {
        return;
    }
    let environment = variables.system.environment.iter().enumerate();
    let known: Vec<(usize, Values)> = environment
        .filter(|(_, variable)| variable.extents.is_empty())
        .map(|(var, _)| (var, view.own_value(var)))
        .collect();
    for (var, known) in known {
        values[var] = known;
    }
}

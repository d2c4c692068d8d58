//! Values of code as expressions: a number, when it is one, and when there is none.
//!
//! Every rule here is one of `super::super::code`, which computes words: a value is a number, or undefined,
//! or a fault, or there is nothing to choose. Which it is depends on the state, so each is a condition.

use paramcheck_labs::ast::Operator as Sign;
use paramcheck_labs::number::Width;

use crate::expression::{Expression, Operator};
use crate::labs::code::{Array, Choices, Code};
use crate::labs::word::{NO_CHOICE, fault, is_number};

use super::NotProgrammed;
use super::cells::Cells;
use super::define::Definitions;
use super::terms::{
    FALSE, TRUE, all, and, any, arithmetic, at_most, choose, equal, known, less, minus, not, number, or,
    plus, truth,
};

/// The most values of one nondeterministic choice.
const MAX_CHOICE: u64 = 1 << 12;

/// The value of some code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// The number, where there is one.
    pub(super) number: Expression,
    /// The least that the number may be.
    pub(super) low: i64,
    /// The greatest.
    pub(super) high: i64,
    /// Where it is a number, and not undefined; of no meaning where the next two hold.
    pub(super) defined: Expression,
    /// Where the run leaves the language.
    pub(super) fault: Expression,
    /// Where there is nothing to choose; never together with a fault.
    pub(super) blocked: Expression,
}

impl Value {
    pub(super) fn of(value: Expression, low: i64, high: i64) -> Value {
        Value { number: value, low, high, defined: TRUE, fault: FALSE, blocked: FALSE }
    }

    pub(super) fn constant(value: i64) -> Value {
        Value::of(number(value), value, value)
    }

    pub(super) fn undefined() -> Value {
        Value { defined: FALSE, ..Value::constant(0) }
    }

    fn word(word: i64) -> Value {
        match word {
            _ if is_number(word) => Value::constant(word),
            _ if fault(word).is_some() => Value { fault: TRUE, ..Value::undefined() },
            NO_CHOICE => Value { blocked: TRUE, ..Value::undefined() },
            _ => Value::undefined(),
        }
    }

    fn condition(value: Expression) -> Value {
        Value::of(value, 0, 1)
    }

    /// Where it is a number.
    pub(super) fn is_number(&self) -> Expression {
        all([not(self.fault.clone()), not(self.blocked.clone()), self.defined.clone()])
    }

    /// Where it is a number other than 0.
    pub(super) fn is_true(&self) -> Expression {
        and(self.is_number(), self.truth())
    }

    /// That the number is not 0, where it is one.
    fn truth(&self) -> Expression {
        if self.low > 0 || self.high < 0 { TRUE } else { truth(self.number.clone()) }
    }

    /// Where there is a fault, or nothing to choose, in this or then in the other.
    fn halts(&self, other: &Value) -> [Expression; 2] {
        let fault = or(self.fault.clone(), and(not(self.blocked.clone()), other.fault.clone()));
        let blocked = or(self.blocked.clone(), and(not(self.fault.clone()), other.blocked.clone()));
        [fault, blocked]
    }

    /// This, and a fault where that holds of the number.
    fn with_fault(mut self, fault: Expression) -> Value {
        let own = and(self.is_number(), fault);
        self.blocked = and(self.blocked, not(own.clone()));
        self.fault = or(self.fault, own);
        self
    }
}

/// Evaluates code.
pub(super) struct Evaluator<'a> {
    /// What cells hold.
    pub(super) cells: &'a Cells,
    /// What locals hold.
    pub(super) locals: &'a [Value],
    /// What is chosen; where nothing may be, the first value always is.
    pub(super) choices: Option<&'a mut Choices>,
    /// What has a name.
    pub(super) definitions: &'a mut Definitions,
    /// How wide numbers are.
    pub(super) width: Width,
}

impl Evaluator<'_> {
    /// The value of some code; what is large in it has a name.
    pub(super) fn value(&mut self, code: &Code) -> Result<Value, NotProgrammed> {
        let mut value = self.plain(code)?;
        value.number = self.definitions.shared(value.number)?;
        for condition in [&mut value.defined, &mut value.fault, &mut value.blocked] {
            *condition = self.definitions.shared(std::mem::replace(condition, FALSE))?;
        }
        Ok(value)
    }

    fn plain(&mut self, code: &Code) -> Result<Value, NotProgrammed> {
        Ok(match code {
            Code::Word(word) => Value::word(*word),
            Code::Cell(cell) => self.cells.read(*cell),
            Code::Table(_, code) => self.plain(code)?,
            Code::Local(at) => self.locals.get(*at).cloned().unwrap_or_else(Value::undefined),
            Code::Foreign => return Err(NotProgrammed::Foreign),
            Code::Both(sign, operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                self.operate(*sign, &left, &right)
            }
            Code::And(operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                let (is_number, is_true) = (left.is_number(), left.is_true());
                // What stands behind a false left side causes no fault.
                let defined = and(left.defined.clone(), or(right.fault.clone(), right.defined.clone()));
                let fault = or(left.fault.clone(), and(is_true, right.fault.clone()));
                let blocked = or(left.blocked.clone(), and(is_number, right.blocked.clone()));
                let number = and(left.truth(), right.truth());
                Value { defined, fault, blocked, ..Value::condition(number) }
            }
            Code::Or(operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                disjunction(&left, &right)
            }
            Code::Not(inner) => {
                let inner = self.value(inner)?;
                let number = not(inner.truth());
                Value { number, low: 0, high: 1, ..inner }
            }
            Code::Negative(inner) => {
                let inner = self.value(inner)?;
                let number = minus(FALSE, inner.number.clone());
                let (low, high) = (-inner.high, -inner.low);
                self.fit(Value { number, low, high, ..inner })
            }
            Code::Absolute(inner) => {
                let inner = self.value(inner)?;
                let (low, high) = (inner.low, inner.high);
                let own = inner.number.clone();
                let negative = minus(FALSE, own.clone());
                let (number, low, high) = match (low >= 0, high <= 0) {
                    (true, _) => (own, low, high),
                    (_, true) => (negative, -high, -low),
                    _ => (choose(less(own.clone(), FALSE), negative, own), 0, high.max(-low)),
                };
                self.fit(Value { number, low, high, ..inner })
            }
            Code::Least(operands) | Code::Greatest(operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                let [fault, blocked] = left.halts(&right);
                let is_less = at_most(left.number.clone(), right.number.clone());
                let (smaller, greater) = (left.number.clone(), right.number.clone());
                let (number, low, high) = if matches!(code, Code::Least(_)) {
                    (choose(is_less, smaller, greater), left.low.min(right.low), left.high.min(right.high))
                } else {
                    (choose(is_less, greater, smaller), left.low.max(right.low), left.high.max(right.high))
                };
                let defined = and(left.defined, right.defined);
                Value { number, low, high, defined, fault, blocked }
            }
            Code::If(parts) => {
                let condition = self.value(&parts[0])?;
                let (then, otherwise) = (self.value(&parts[1])?, self.value(&parts[2])?);
                by_condition(&condition, &then, &otherwise)
            }
            Code::Forall(parts) => {
                let mut sum = Value::condition(TRUE);
                for part in parts {
                    let part = self.value(part)?;
                    let goes_on = sum.is_number();
                    let fault = or(sum.fault.clone(), and(goes_on.clone(), part.fault.clone()));
                    let blocked = or(sum.blocked.clone(), and(goes_on, part.blocked.clone()));
                    let number = and(sum.number.clone(), part.truth());
                    let defined = and(sum.defined.clone(), part.defined.clone());
                    sum = Value { defined, fault, blocked, ..Value::condition(number) };
                }
                sum
            }
            Code::Exists(parts) => {
                let mut sum = Value::condition(FALSE);
                for part in parts {
                    let part = self.value(part)?;
                    sum = disjunction(&sum, &part);
                }
                sum
            }
            Code::Count(parts) => {
                let mut sum = Value::constant(0);
                for part in parts {
                    let part = self.value(part)?;
                    let [fault, blocked] = sum.halts(&part);
                    let one = choose(part.truth(), TRUE, FALSE);
                    let defined = and(sum.defined.clone(), part.defined.clone());
                    let (low, high) = (0, sum.high + 1);
                    sum = Value { number: plus(sum.number, one), low, high, defined, fault, blocked };
                }
                self.fit(sum)
            }
            Code::AnyOf(ends) => {
                let (low, high) = (self.value(&ends[0])?, self.value(&ends[1])?);
                self.any_of(&low, &high)?
            }
            Code::Element(array, indices) => {
                let flat = self.flat(array, indices)?;
                self.element(array, flat)
            }
            Code::Agent(inner, agents) => {
                let inner = self.value(inner)?;
                let last = i64::try_from(*agents).unwrap_or(i64::MAX) - 1;
                within(inner, last)
            }
            Code::Of(who, places, indices) => {
                let last = i64::try_from(places.len()).unwrap_or(i64::MAX) - 1;
                let who = self.value(who)?;
                let who = within(who, last);
                let mut sum: Option<Value> = None;
                for (position, place) in places.iter().enumerate().rev() {
                    let agent = i64::try_from(position).unwrap_or(i64::MAX);
                    if agent < who.low || agent > who.high {
                        continue;
                    }
                    let own = match place {
                        None => Value::undefined(),
                        Some(array) => {
                            let flat = self.flat(array, indices)?;
                            self.element(array, flat)
                        }
                    };
                    let is_it = Value::condition(equal(who.number.clone(), number(agent)));
                    sum = Some(match sum {
                        None => own,
                        Some(rest) => by_condition(&is_it, &own, &rest),
                    });
                }
                let own = sum.unwrap_or_else(Value::undefined);
                after(&who, own)
            }
            Code::Picked(first, count, index) => {
                let last = i64::try_from(*count).unwrap_or(i64::MAX) - 1;
                let index = self.value(index)?;
                let index = within(index, last);
                let mut sum = Value::undefined();
                for position in (0..*count).rev() {
                    let own = self.locals.get(first + position).cloned().unwrap_or_else(Value::undefined);
                    let position = i64::try_from(position).unwrap_or(i64::MAX);
                    let is_it = Value::condition(equal(index.number.clone(), number(position)));
                    sum = by_condition(&is_it, &own, &sum);
                }
                after(&index, sum)
            }
        })
    }

    /// What an operator makes of two values that are both computed.
    fn operate(&self, sign: Sign, left: &Value, right: &Value) -> Value {
        let [fault, blocked] = left.halts(right);
        let defined = and(left.defined.clone(), right.defined.clone());
        let (a, b) = (|| left.number.clone(), || right.number.clone());
        let with = |number, low, high| Value {
            number,
            low,
            high,
            defined: defined.clone(),
            fault: fault.clone(),
            blocked: blocked.clone(),
        };
        let compared = |number: Expression, is_always: bool, is_never: bool| match (is_always, is_never) {
            (true, _) => with(TRUE, 1, 1),
            (_, true) => with(FALSE, 0, 0),
            _ => with(number, 0, 1),
        };
        let is_apart = left.high < right.low || right.high < left.low;
        let is_same = left.low == left.high && right.low == right.high && left.low == right.low;
        let mut corners = [
            left.low.saturating_mul(right.low),
            left.low.saturating_mul(right.high),
            left.high.saturating_mul(right.low),
            left.high.saturating_mul(right.high),
        ];
        corners.sort_unstable();
        let largest = left.low.saturating_abs().max(left.high.saturating_abs());
        match sign {
            Sign::Add => self.fit(with(plus(a(), b()), left.low + right.low, left.high + right.high)),
            Sign::Subtract => self.fit(with(minus(a(), b()), left.low - right.high, left.high - right.low)),
            Sign::Multiply => {
                self.fit(with(arithmetic(Operator::Multiply, a(), b()), corners[0], corners[3]))
            }
            Sign::Equal => compared(equal(a(), b()), is_same, is_apart),
            Sign::NotEqual => compared(not(equal(a(), b())), is_apart, is_same),
            Sign::Less => compared(less(a(), b()), left.high < right.low, left.low >= right.high),
            Sign::AtMost => compared(at_most(a(), b()), left.high <= right.low, left.low > right.high),
            Sign::Greater => compared(less(b(), a()), left.low > right.high, left.high <= right.low),
            Sign::AtLeast => compared(at_most(b(), a()), left.low >= right.high, left.high < right.low),
            Sign::And => compared(and(left.truth(), right.truth()), false, false),
            Sign::Or => compared(or(left.truth(), right.truth()), false, false),
            Sign::Divide | Sign::RoundDivide | Sign::Modulo => {
                let is_zero = equal(b(), FALSE);
                let is_zero = if right.low > 0 || right.high < 0 { FALSE } else { is_zero };
                // Where the divisor is 0 there is a fault, and no quotient that matters.
                let safe = |value| choose(is_zero.clone(), FALSE, value);
                let quotient = safe(arithmetic(Operator::Divide, a(), b()));
                let rest = safe(arithmetic(Operator::Remainder, a(), b()));
                let value = match sign {
                    Sign::Divide => with(quotient, -largest, largest),
                    Sign::Modulo => {
                        let divisor = absolute(b(), right.low, right.high);
                        let sum = plus(rest.clone(), divisor);
                        let number =
                            if left.low >= 0 { rest } else { choose(less(rest.clone(), FALSE), sum, rest) };
                        let most = right.low.saturating_abs().max(right.high.saturating_abs()) - 1;
                        with(known(number, 0, most.max(0)), 0, most.max(0))
                    }
                    _ => {
                        // Rounded to the nearest, halves away from zero.
                        let divisor = absolute(b(), right.low, right.high);
                        let rest = choose(less(rest.clone(), FALSE), minus(FALSE, rest.clone()), rest);
                        let is_up = at_most(minus(divisor, rest.clone()), rest);
                        let is_same_sign = equal(less(a(), FALSE), less(b(), FALSE));
                        let step = choose(is_same_sign, TRUE, number(-1));
                        let number = plus(quotient, choose(is_up, step, FALSE));
                        with(safe(number), -largest - 1, largest + 1)
                    }
                };
                self.fit(value.with_fault(is_zero))
            }
        }
    }

    /// The number as it is in the width of numbers.
    fn fit(&self, value: Value) -> Value {
        let (least, greatest) = self.width.bounds();
        if least <= value.low && value.high <= greatest {
            return value;
        }
        let own = value.number.clone();
        if self.width.wraps() {
            let span = greatest - least + 1;
            let rest = arithmetic(Operator::Remainder, minus(own, number(least)), number(span));
            let rest = choose(less(rest.clone(), FALSE), plus(rest.clone(), number(span)), rest);
            let number = known(plus(rest, number(least)), least, greatest);
            return Value { number, low: least, high: greatest, ..value };
        }
        let is_out = or(less(own.clone(), number(least)), less(number(greatest), own));
        let (low, high) = (value.low.max(least), value.high.min(greatest));
        let is_empty = low > high;
        let mut value = value.with_fault(is_out);
        let (low, high) = if is_empty { (least, greatest) } else { (low, high) };
        value.number = known(value.number, low, high);
        Value { low, high, ..value }
    }

    fn any_of(&mut self, low: &Value, high: &Value) -> Result<Value, NotProgrammed> {
        let [fault, blocked] = low.halts(high);
        let defined = and(low.defined.clone(), high.defined.clone());
        let most = u64::try_from(high.high.saturating_sub(low.low)).unwrap_or(0);
        if most > MAX_CHOICE && self.choices.is_some() {
            return Err(NotProgrammed::Choices);
        }
        let chosen = match &mut self.choices {
            Some(choices) if most > 0 => choices.choose(most),
            _ => 0,
        };
        let chosen = i64::try_from(chosen).unwrap_or(0);
        let value = plus(low.number.clone(), number(chosen));
        let is_some = match (low.high + chosen < high.low, low.low + chosen >= high.high) {
            (true, _) => TRUE,
            (_, true) => FALSE,
            _ => less(value.clone(), high.number.clone()),
        };
        let own = all([not(fault.clone()), not(blocked.clone()), defined.clone(), not(is_some)]);
        let blocked = or(blocked, own);
        let (low, high) = (low.low + chosen, (low.high + chosen).min(high.high - 1).max(low.low + chosen));
        Ok(Value { number: known(value, low, high), low, high, defined, fault, blocked })
    }

    /// The position in an array.
    pub(super) fn flat(&mut self, array: &Array, indices: &[Code]) -> Result<Value, NotProgrammed> {
        let mut flat = Value::constant(0);
        for (extent, index) in array.extents.iter().zip(indices) {
            let extent = i64::try_from(*extent).unwrap_or(i64::MAX);
            let index = self.value(index)?;
            let index = within(index, extent - 1);
            let [fault, blocked] = flat.halts(&index);
            let defined = and(flat.defined.clone(), index.defined.clone());
            let before = arithmetic(Operator::Multiply, flat.number.clone(), number(extent));
            let value = plus(before, index.number.clone());
            let (low, high) = (flat.low * extent + index.low, flat.high * extent + index.high);
            flat = Value { number: value, low, high, defined, fault, blocked };
        }
        Ok(flat)
    }

    /// An element of an array.
    fn element(&self, array: &Array, flat: Value) -> Value {
        let size = array.extents.iter().product();
        let own = self.cells.element(array.first, size, &flat);
        after(&flat, own)
    }
}

/// The number without its sign.
fn absolute(value: Expression, low: i64, high: i64) -> Expression {
    match (low >= 0, high <= 0) {
        (true, _) => value,
        (_, true) => minus(FALSE, value),
        _ => choose(less(value.clone(), FALSE), minus(FALSE, value.clone()), value),
    }
}

/// A number from 0 to a last one; others are a fault.
fn within(value: Value, last: i64) -> Value {
    let below = if value.low < 0 { less(value.number.clone(), FALSE) } else { FALSE };
    let above = if value.high > last { less(number(last), value.number.clone()) } else { FALSE };
    let (low, high) = (value.low.clamp(0, last.max(0)), value.high.clamp(0, last.max(0)));
    let mut value = value.with_fault(or(below, above));
    value.number = known(value.number, low, high);
    Value { low, high, ..value }
}

/// The second, where the first is a number.
fn after(first: &Value, second: Value) -> Value {
    let is_number = first.is_number();
    Value {
        defined: and(first.defined.clone(), second.defined),
        fault: or(first.fault.clone(), and(is_number.clone(), second.fault)),
        blocked: or(first.blocked.clone(), and(is_number, second.blocked)),
        ..second
    }
}

/// The second or the third, by the first.
fn by_condition(condition: &Value, then: &Value, otherwise: &Value) -> Value {
    let is_true = condition.truth();
    let by =
        |then: &Expression, otherwise: &Expression| choose(is_true.clone(), then.clone(), otherwise.clone());
    let inner = Value {
        number: by(&then.number, &otherwise.number),
        low: then.low.min(otherwise.low),
        high: then.high.max(otherwise.high),
        defined: by(&then.defined, &otherwise.defined),
        fault: by(&then.fault, &otherwise.fault),
        blocked: by(&then.blocked, &otherwise.blocked),
    };
    after(condition, inner)
}

/// `or`.
fn disjunction(left: &Value, right: &Value) -> Value {
    let is_true = left.is_true();
    let goes_on = all([not(left.fault.clone()), not(left.blocked.clone()), not(is_true.clone())]);
    let right_is_true = and(right.defined.clone(), right.truth());
    let defined = or(
        and(left.defined.clone(), left.truth()),
        and(right.defined.clone(), or(right.truth(), left.defined.clone())),
    );
    let number = any([and(left.defined.clone(), left.truth()), right_is_true]);
    Value {
        defined,
        fault: or(left.fault.clone(), and(goes_on.clone(), right.fault.clone())),
        blocked: or(left.blocked.clone(), and(goes_on, right.blocked.clone())),
        ..Value::condition(number)
    }
}

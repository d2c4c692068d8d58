//! Terms with every name resolved to a place, folded as far as they are constant, and their evaluation.
//!
//! In: a term of the model, and what its atoms stand for. Out: a [`Code`], its value where atoms have values,
//! and the bounds of that value, if it surely has one.

use paramcheck_rcheck::model::{Arithmetic, Comparison, Term};

/// A term over places `A`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Code<A> {
    Constant(i64),
    Atom(A),
    /// Whether a place has this value.
    Is(A, i64),
    Not(Box<Code<A>>),
    Negative(Box<Code<A>>),
    All(Box<[Code<A>]>),
    Any(Box<[Code<A>]>),
    Compare(Comparison, Box<[Code<A>; 2]>),
    Compute(Arithmetic, Box<[Code<A>; 2]>),
    /// A value that must lie within these bounds.
    Within(i64, i64, Box<Code<A>>),
    /// What has no value.
    Nothing,
}

/// The least and the greatest value.
pub(super) type Bounds = (i64, i64);

/// Of what may be any number.
pub(super) const ANY: Bounds = (i64::MIN, i64::MAX);

impl<A: Copy + PartialEq> Code<A> {
    /// The code of a term, of whose atoms `atom` gives the codes.
    pub(super) fn new<B>(term: &Term<B>, atom: &impl Fn(&B) -> Code<A>) -> Code<A> {
        let both = |left, right| Box::new([Code::new(left, atom), Code::new(right, atom)]);
        match term {
            Term::Constant(value) => Code::Constant(*value),
            Term::Atom(one) => atom(one),
            Term::Not(inner) => Code::new(inner, atom).negated(),
            Term::Negative(inner) => Code::Negative(Box::new(Code::new(inner, atom))).folded(),
            Term::All(all) => Code::all(all.iter().map(|one| Code::new(one, atom))),
            Term::Any(all) => Code::any(all.iter().map(|one| Code::new(one, atom))),
            Term::Implies(left, right) => {
                Code::any([Code::new(left, atom).negated(), Code::new(right, atom)].into_iter())
            }
            Term::Iff(left, right) => Code::same(Code::new(left, atom), Code::new(right, atom)),
            Term::Compare(comparison, left, right) => Code::Compare(*comparison, both(left, right)).folded(),
            Term::Compute(operation, left, right) => Code::Compute(*operation, both(left, right)).folded(),
        }
    }

    pub(super) fn negated(self) -> Code<A> {
        match self {
            Code::Constant(value) => Code::Constant(1 - value),
            Code::Not(inner) => *inner,
            other => Code::Not(Box::new(other)),
        }
    }

    /// A conjunction. Nothing behind a false operand matters.
    pub(super) fn all(parts: impl Iterator<Item = Code<A>>) -> Code<A> {
        Code::joined(parts, 1).unwrap_or_else(|parts| Code::All(parts.into()))
    }

    /// A disjunction. Nothing behind a true operand matters.
    pub(super) fn any(parts: impl Iterator<Item = Code<A>>) -> Code<A> {
        Code::joined(parts, 0).unwrap_or_else(|parts| Code::Any(parts.into()))
    }

    /// Whether both have one value.
    pub(super) fn same(left: Code<A>, right: Code<A>) -> Code<A> {
        Code::Compare(Comparison::Equal, Box::new([left, right])).folded()
    }

    /// What is left of operands if `neutral` may be left out, and the opposite ends them.
    fn joined(parts: impl Iterator<Item = Code<A>>, neutral: i64) -> Result<Code<A>, Vec<Code<A>>> {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Code::Constant(value) if value == neutral => {}
                Code::Constant(value) => {
                    kept.push(Code::Constant(value));
                    break;
                }
                part => kept.push(part),
            }
        }
        match (kept.pop(), kept.is_empty()) {
            (None, _) => Ok(Code::Constant(neutral)),
            (Some(only), true) => Ok(only),
            (Some(last), false) => {
                kept.push(last);
                Err(kept)
            }
        }
    }

    fn folded(self) -> Code<A> {
        if let Code::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), parts) = &self
            && let [Code::Atom(atom), Code::Constant(value)] | [Code::Constant(value), Code::Atom(atom)] =
                parts.as_ref()
        {
            let is = Code::Is(*atom, *value);
            return if *comparison == Comparison::Equal { is } else { is.negated() };
        }
        let is_constant = match &self {
            Code::Compare(_, parts) | Code::Compute(_, parts) => {
                parts.iter().all(|part| matches!(part, Code::Constant(_)))
            }
            Code::Negative(inner) | Code::Within(_, _, inner) => matches!(**inner, Code::Constant(_)),
            _ => false,
        };
        if !is_constant {
            return self;
        }
        self.value(&mut |_| None).map_or(Code::Nothing, Code::Constant)
    }

    /// The value where atoms have these; none, if it has none. Operands of a conjunction behind a false one have
    /// no influence. The recursion is bounded by the height of terms.
    #[inline]
    pub(super) fn value(&self, atom: &mut impl FnMut(A) -> Option<i64>) -> Option<i64> {
        match self {
            Code::Constant(value) => Some(*value),
            Code::Atom(one) => atom(*one),
            Code::Is(one, value) => atom(*one).map(|is| i64::from(is == *value)),
            _ => self.computed(atom),
        }
    }

    fn computed(&self, atom: &mut impl FnMut(A) -> Option<i64>) -> Option<i64> {
        match self {
            Code::All(parts) => {
                for part in parts {
                    if part.value(atom)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Code::Any(parts) => {
                for part in parts {
                    if part.value(atom)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Code::Not(inner) => Some(1 - inner.value(atom)?),
            Code::Compare(comparison, parts) => {
                let (left, right) = (parts[0].value(atom)?, parts[1].value(atom)?);
                Some(i64::from(match comparison {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::AtMost => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::AtLeast => left >= right,
                }))
            }
            Code::Compute(operation, parts) => {
                let (left, right) = (parts[0].value(atom)?, parts[1].value(atom)?);
                match operation {
                    Arithmetic::Add => left.checked_add(right),
                    Arithmetic::Subtract => left.checked_sub(right),
                    Arithmetic::Multiply => left.checked_mul(right),
                    Arithmetic::Divide => left.checked_div(right),
                }
            }
            Code::Negative(inner) => inner.value(atom)?.checked_neg(),
            Code::Within(low, high, inner) => inner.value(atom).filter(|value| low <= value && value <= high),
            Code::Nothing => None,
            Code::Constant(_) | Code::Atom(_) | Code::Is(..) => self.value(atom),
        }
    }

    /// The bounds of the value where atoms lie in these; none, if it is not sure that there is one.
    pub(super) fn bounds(&self, atom: &impl Fn(A) -> Bounds) -> Option<Bounds> {
        match self {
            Code::Constant(value) => Some((*value, *value)),
            Code::Atom(one) => Some(atom(*one)),
            Code::Is(..) => Some((0, 1)),
            Code::Not(inner) => inner.bounds(atom).map(|_| (0, 1)),
            Code::All(parts) | Code::Any(parts) => {
                parts.iter().all(|part| part.bounds(atom).is_some()).then_some((0, 1))
            }
            Code::Compare(_, parts) => parts.iter().all(|part| part.bounds(atom).is_some()).then_some((0, 1)),
            Code::Negative(inner) => {
                let (low, high) = inner.bounds(atom)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Code::Compute(operation, parts) => {
                let [left, right] = [parts[0].bounds(atom)?, parts[1].bounds(atom)?];
                compute(*operation, left, right)
            }
            Code::Within(low, high, inner) => {
                inner.bounds(atom).filter(|(least, most)| low <= least && most <= high)
            }
            Code::Nothing => None,
        }
    }

    /// The same value, which must lie within bounds; that is left out where it surely does.
    pub(super) fn within(self, wanted: Option<Bounds>, atom: &impl Fn(A) -> Bounds) -> Code<A> {
        let Some((low, high)) = wanted else { return self };
        match self.bounds(atom) {
            Some((least, most)) if low <= least && most <= high => self,
            _ => Code::Within(low, high, Box::new(self)).folded(),
        }
    }

    /// Calls `visit` on every place.
    pub(super) fn atoms(&self, visit: &mut impl FnMut(A)) {
        match self {
            Code::Constant(_) | Code::Nothing => {}
            Code::Atom(one) | Code::Is(one, _) => visit(*one),
            Code::Not(inner) | Code::Negative(inner) | Code::Within(_, _, inner) => inner.atoms(visit),
            Code::All(parts) | Code::Any(parts) => parts.iter().for_each(|part| part.atoms(visit)),
            Code::Compare(_, parts) | Code::Compute(_, parts) => {
                parts.iter().for_each(|part| part.atoms(visit));
            }
        }
    }
}

/// The bounds of what is computed from values within bounds: operations are monotonous in each operand, where
/// the other one keeps its sign.
fn compute(operation: Arithmetic, left: Bounds, right: Bounds) -> Option<Bounds> {
    if operation == Arithmetic::Divide && right.0 <= 0 && 0 <= right.1 {
        return None;
    }
    let ends = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let mut bounds: Option<Bounds> = None;
    for (left, right) in ends {
        let value = match operation {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => left.checked_div(right),
        }?;
        bounds = Some(bounds.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
    }
    bounds
}

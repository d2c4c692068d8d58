//! Formulas as they are written: linear temporal logic over the states and steps of a run.
//!
//! A run is a sequence of states and the steps between them; where nothing can happen, the last state repeats
//! for ever. A formula is judged at a position of a run. What its atoms are is the language's: [`Formula`] is
//! generic over them, [`parser`] reads them by a hook, and [`Formula::try_map`] gives them their meaning, an
//! [`Atom`].
//!
//! | notation | holds at position i if |
//! | --- | --- |
//! | `X φ` | φ holds at i + 1 |
//! | `F φ`, `G φ` | φ holds at some position, at every position from i on |
//! | `φ U ψ` | ψ holds at some position from i on, and φ at all before it |
//! | `φ W ψ` | the same, or φ holds for ever: `(φ U ψ) \| G φ` |
//! | `φ R ψ` | ψ holds up to and including the first position with φ, or for ever: `!(!φ U !ψ)` |
//! | `<<o>> φ` | a step is taken at i, it has o, and φ holds at i + 1 |
//! | `[[o]] φ` | if a step is taken at i and it has o, φ holds at i + 1 |
//!
//! Conjunctions and disjunctions are lists, so that the depth of a formula is bounded by that of its
//! parentheses and prefixes ([`parser::MAX_DEPTH`]), and with it the recursion of what walks it.

pub mod parser;
mod print;
#[cfg(test)]
mod tests;

/// What an atom is about, once a language has given it a meaning: one bit of a [letter](crate::system).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub u32);

/// An operator with one operand that looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

/// An operator with two operands that looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `U`
    Until,
    /// `R`
    Release,
    /// `W`
    WeakUntil,
}

/// What an observation of a step demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modality {
    /// `<<o>>`: a step that has o is taken.
    Diamond,
    /// `[[o]]`: if a step that has o is taken.
    Box,
}

/// A formula over atoms `A`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<A> {
    /// `true`
    True,
    /// `false`
    False,
    /// An atom of the language.
    Atom(A),
    /// `!φ`
    Not(Box<Formula<A>>),
    /// `φ & ψ & …`
    And(Vec<Formula<A>>),
    /// `φ | ψ | …`
    Or(Vec<Formula<A>>),
    /// `φ -> ψ`
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// `φ <-> ψ`
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// `X φ`, `F φ`, `G φ`
    Unary(Unary, Box<Formula<A>>),
    /// `φ U ψ`, `φ R ψ`, `φ W ψ`
    Binary(Binary, Box<Formula<A>>, Box<Formula<A>>),
    /// `<<o>> φ`, `[[o]] φ`; o is an atom about the step that is taken.
    Observation(Modality, A, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// `F φ`
    #[must_use]
    pub fn finally(self) -> Self {
        Formula::Unary(Unary::Finally, Box::new(self))
    }

    /// `G φ`
    #[must_use]
    pub fn globally(self) -> Self {
        Formula::Unary(Unary::Globally, Box::new(self))
    }

    /// `X φ`
    #[must_use]
    pub fn next(self) -> Self {
        Formula::Unary(Unary::Next, Box::new(self))
    }

    /// `!φ`
    #[must_use]
    pub fn negated(self) -> Self {
        Formula::Not(Box::new(self))
    }

    /// The formula with each atom replaced by what `atom` gives for it.
    ///
    /// # Errors
    /// The first that `atom` gives, in source order.
    pub fn try_map<B, E>(
        &self,
        atom: &mut impl FnMut(&A) -> Result<Formula<B>, E>,
        observation: &mut impl FnMut(&A) -> Result<B, E>,
    ) -> Result<Formula<B>, E> {
        let mut part = |part: &Formula<A>| part.try_map(atom, observation);
        Ok(match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(one) => return atom(one),
            Formula::Not(inner) => Formula::Not(Box::new(part(inner)?)),
            Formula::And(parts) => Formula::And(parts.iter().map(part).collect::<Result<_, E>>()?),
            Formula::Or(parts) => Formula::Or(parts.iter().map(part).collect::<Result<_, E>>()?),
            Formula::Implies(left, right) => Formula::Implies(Box::new(part(left)?), Box::new(part(right)?)),
            Formula::Iff(left, right) => Formula::Iff(Box::new(part(left)?), Box::new(part(right)?)),
            Formula::Unary(operator, inner) => Formula::Unary(*operator, Box::new(part(inner)?)),
            Formula::Binary(operator, left, right) => {
                Formula::Binary(*operator, Box::new(part(left)?), Box::new(part(right)?))
            }
            Formula::Observation(modality, one, inner) => {
                let one = observation(one)?;
                Formula::Observation(*modality, one, Box::new(inner.try_map(atom, observation)?))
            }
        })
    }

    /// Its atoms, those of observations included, in source order.
    pub fn atoms(&self) -> Vec<&A> {
        let mut atoms = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            if let Formula::Atom(atom) | Formula::Observation(_, atom, _) = formula {
                atoms.push(atom);
            }
            let parts: Vec<&Formula<A>> = formula.parts().collect();
            open.extend(parts.into_iter().rev());
        }
        atoms
    }

    /// Its direct parts, in source order.
    pub fn parts(&self) -> impl Iterator<Item = &Formula<A>> {
        let (two, many): ([Option<&Formula<A>>; 2], &[Formula<A>]) = match self {
            Formula::True | Formula::False | Formula::Atom(_) => ([None, None], &[]),
            Formula::Not(inner) | Formula::Unary(_, inner) | Formula::Observation(_, _, inner) => {
                ([Some(inner), None], &[])
            }
            Formula::Implies(left, right) | Formula::Iff(left, right) | Formula::Binary(_, left, right) => {
                ([Some(left), Some(right)], &[])
            }
            Formula::And(parts) | Formula::Or(parts) => ([None, None], parts),
        };
        two.into_iter().flatten().chain(many)
    }
}

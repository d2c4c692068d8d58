//! Invariants: which sets θ are one, and which markings they refute (Def. 2, design table).

use crate::encoding::binding::{Needed, Property};
use crate::encoding::{EncodeError, Encoder};
use crate::flow::Firing;
use crate::formula::FormulaId;
use crate::tracks::Places;
use paramcheck_invariants::kind::InvariantKind;

impl Encoder<'_> {
    /// *TrapInv*, *MutexInv* and their like: X is in the invariant of `kind`, no set of the kind refutes
    /// it. U must be a rewriting tree.
    ///
    /// # Errors
    /// The kind's bound is too large, or it has weights.
    pub fn in_invariant(&mut self, kind: InvariantKind) -> Result<FormulaId, EncodeError> {
        let refuted = self.refuted(kind)?;
        let formula = self.store.not(refuted);
        Ok(self.define(
            formula,
            format!("{kind}Inv"),
            format!("X is in the invariant of {kind}: no set of that kind refutes it."),
        ))
    }

    /// Some set θ of `kind` refutes X.
    fn refuted(&mut self, kind: InvariantKind) -> Result<FormulaId, EncodeError> {
        let theta = self.theta.clone();
        let set = self.is_set_of(kind, &theta)?;
        let (mark, choices) = (self.mark(), self.choices());
        let mut parts = vec![set, choices, mark];
        parts.extend(self.refutes(kind, &theta)?);
        let body = self.store.and(parts);
        let tracks: Vec<_> = theta.into_iter().flatten().collect();
        Ok(self.store.exists_sets(&tracks, body))
    }

    /// *trap*, *mutex* and their like: `theta` is a set of `kind` of a rewriting tree U, but for the
    /// condition on initially marked places.
    ///
    /// # Errors
    /// The kind's bound is too large, or it has weights.
    pub fn is_set_of(&mut self, kind: InvariantKind, theta: &Places) -> Result<FormulaId, EncodeError> {
        if kind.is_weighted() {
            return Err(EncodeError::Weights(kind));
        }
        if u64::from(kind.cap()) > super::counting::MAX_BOUND {
            return Err(EncodeError::Bound(u64::from(kind.cap())));
        }
        let rtree = self.rtree();
        let mut parts = vec![rtree, self.inst(theta)];
        for position in 0..self.firings.alive.len() {
            let firing = self.firings.alive[position].clone();
            parts.push(self.admits(kind, theta, &firing));
        }
        let formula = self.store.and(parts);
        Ok(self.define(
            formula,
            kind.to_string(),
            format!("The places Y admit every transition, as a {kind} does."),
        ))
    }

    /// Every transition of one family is admitted by `theta`.
    fn admits(&mut self, kind: InvariantKind, theta: &Places, firing: &Firing) -> FormulaId {
        let mut needed = Needed::default();
        let mut types = Vec::new();
        let (mut pre, mut post) = (Vec::new(), Vec::new());
        for m in &firing.moves {
            let mut of = |encoder: &mut Self, property: Property| {
                encoder.property_of(&property, firing.rule, m.variable, &mut needed)
            };
            types.push(of(self, Property::is_of(m)));
            pre.push((1, of(self, Property::is_in(theta, m, |case| case.from))));
            post.push((1, of(self, Property::is_in(theta, m, |case| case.to))));
        }
        if pre == post {
            return self.store.truth();
        }
        let condition = self.admits_counts(kind, &pre, &post);
        let here = self.labelled(self.node, firing.rule);
        types.insert(0, here);
        let applies = self.store.and(types);
        let formula = self.store.implies(applies, condition);
        let formula = self.everywhere(formula);
        let formula = self.with_bindings(needed, formula);
        let (name, text) = self.firing_text(firing);
        self.define(formula, format!("{kind}_{name}"), format!("Y admits {text}."))
    }

    /// [`InvariantKind::admits_transition`] as a formula.
    fn admits_counts(
        &mut self,
        kind: InvariantKind,
        pre: &[(u64, FormulaId)],
        post: &[(u64, FormulaId)],
    ) -> FormulaId {
        let mut parts = Vec::new();
        match kind {
            InvariantKind::AtLeast(c) => {
                for a in 1..=u64::from(c) {
                    let (taken, given) = (self.at_least_of(pre, a), self.at_least_of(post, a));
                    parts.push(self.store.implies(taken, given));
                }
            }
            InvariantKind::Exactly(c) => {
                for a in 0..=u64::from(c) {
                    let (taken, given) = (self.exactly_of(pre, a), self.exactly_of(post, a));
                    parts.push(self.store.implies(taken, given));
                }
            }
            InvariantKind::AtMost(c) => {
                for a in 1..=u64::from(c) + 1 {
                    let (taken, given) = (self.at_least_of(pre, a), self.at_least_of(post, a));
                    parts.push(self.store.implies(given, taken));
                }
            }
            InvariantKind::Parity => {
                let pre: Vec<_> = pre.iter().map(|pair| pair.1).collect();
                let post: Vec<_> = post.iter().map(|pair| pair.1).collect();
                let (taken, given) = (self.odd_of(&pre), self.odd_of(&post));
                parts.push(self.store.iff(taken, given));
            }
            // No formula is made of these; were it, no set would be one.
            InvariantKind::Linear(_) | InvariantKind::Modulo(_) => parts.push(self.store.falsity()),
        }
        self.store.and(parts)
    }

    /// `theta` has as many initially marked places as the kind requires, and a number of places marked
    /// by X that never happens then.
    fn refutes(&mut self, kind: InvariantKind, theta: &Places) -> Result<[FormulaId; 2], EncodeError> {
        let initial = self.initially_in(theta);
        let marked = self.marked_in(theta);
        if kind == InvariantKind::Parity {
            let all: Vec<FormulaId> = initial.into_iter().chain(marked).collect();
            let (odd, truth) = (self.odd(&all), self.store.truth());
            return Ok([odd, truth]);
        }
        let initial: Vec<_> = initial.into_iter().map(|part| (1, part)).collect();
        let marked: Vec<_> = marked.into_iter().map(|part| (1, part)).collect();
        let parts = match kind {
            InvariantKind::AtLeast(c) => {
                let (starts, enough) =
                    (self.at_least(&initial, u64::from(c))?, self.at_least(&marked, u64::from(c))?);
                [starts, self.store.not(enough)]
            }
            InvariantKind::Exactly(c) => {
                let starts = self.exactly(&initial, u64::from(c))?;
                let right = self.exactly(&marked, u64::from(c))?;
                [starts, self.store.not(right)]
            }
            InvariantKind::AtMost(c) => {
                let too_many = self.at_least(&initial, u64::from(c) + 1)?;
                [self.store.not(too_many), self.at_least(&marked, u64::from(c) + 1)?]
            }
            InvariantKind::Parity => [self.store.truth(), self.store.truth()],
            InvariantKind::Linear(_) | InvariantKind::Modulo(_) => {
                [self.store.falsity(), self.store.falsity()]
            }
        };
        Ok(parts)
    }

    /// Σ = `bound` over the whole tree.
    ///
    /// # Errors
    /// The bound is too large.
    pub(crate) fn exactly(
        &mut self,
        conditions: &[(u64, FormulaId)],
        bound: u64,
    ) -> Result<FormulaId, EncodeError> {
        let enough = self.at_least(conditions, bound)?;
        let more = self.at_least(conditions, bound + 1)?;
        let not_more = self.store.not(more);
        Ok(self.store.and([enough, not_more]))
    }
}

//! The question of Theorem 1, as one formula.

use crate::invariant::InvariantKind;
use crate::logic::encoding::{EncodeError, Encoder};
use crate::logic::flow::DroppedFiring;
use crate::logic::formula::FormulaId;
use crate::model::error::ErrorFormula;
use crate::model::system::System;

/// Builds the question.
///
/// # Errors
/// See [`EncodeError`].
pub fn question<'a>(
    system: &'a System,
    error: &ErrorFormula,
    kinds: &[InvariantKind],
    dropped: &[DroppedFiring],
) -> Result<(Encoder<'a>, FormulaId), EncodeError> {
    let mut encoder = Encoder::new(system, dropped)?;
    let mut parts = vec![encoder.rtree(), encoder.choices(), encoder.mark()];
    parts.push(encoder.dropped_disabled());
    parts.push(encoder.error(error)?);
    for &kind in kinds {
        parts.push(encoder.in_invariant(kind)?);
    }
    let formula = encoder.store.and(parts);
    Ok((encoder, formula))
}

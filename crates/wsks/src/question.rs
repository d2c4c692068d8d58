//! The question of Theorem 1 as one formula: does some instance have a marking that is in every
//! invariant and in the error set?

use crate::encoding::{EncodeError, Encoder};
use crate::formula::{FormulaId, Store, Variable};
use crate::normalize::{Normalized, normalize};
use crate::print::Definition;
use crate::simplify::{Effort, pays, simplify};
use crate::tracks::{DecodeError, Tracks, Witness};
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};

/// Which markings are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal<'a> {
    /// Those of an error.
    Error(&'a ErrorFormula),
    /// Those in which, at some node, all pre-places of this combination are marked.
    Enabled(&'a InteractionFiring),
}

/// A question as a formula. Satisfiable: the answer is yes, and a model of the formula is a candidate.
#[derive(Clone, Debug)]
pub struct Question {
    /// The owner of the formula.
    pub store: Store,
    /// The formula; its free variables are those of [`Question::tracks`] that it needs.
    pub formula: FormulaId,
    /// The branching degree of its trees: 1 (`ws1s`) or 2 (`ws2s`).
    pub kappa: u8,
    /// Subformulas worth a name.
    pub definitions: Vec<Definition>,
    /// The free variables.
    pub(crate) tracks: Tracks,
    /// What the formula was made from.
    normalized: Normalized,
}

/// The formula that is satisfiable exactly if some instance of `system` has a marking that is in every
/// invariant of `kinds` and meets `goal`. The firings in `dropped` are taken never to happen: they
/// constrain no set, and a marking that enables one is excluded.
///
/// # Errors
/// The system is too large for a formula, or the error can't be encoded.
pub fn question(
    system: &System,
    goal: Goal<'_>,
    kinds: &[InvariantKind],
    dropped: &[InteractionFiring],
) -> Result<Question, EncodeError> {
    let normalized = normalize(system);
    let mut encoder = Encoder::new(&normalized.system, dropped)?;
    let mut parts = vec![encoder.rtree(), encoder.choices(), encoder.mark(), encoder.dropped_disabled()];
    parts.push(match goal {
        Goal::Error(error) => encoder.error(error)?,
        Goal::Enabled(firing) => encoder.fires(firing),
    });
    for &kind in kinds {
        parts.push(encoder.in_invariant(kind)?);
    }
    let formula = encoder.store.and(parts);
    let Encoder { store, kappa, definitions, tracks, .. } = encoder;
    Ok(Question { store, formula, kappa, definitions, tracks, normalized })
}

impl Question {
    /// The question with a formula that means the same and needs less work, where [`pays`] expects that to
    /// be worth it. Definitions follow their formulas.
    #[must_use]
    pub fn simplified(mut self) -> Question {
        if !pays(&self.store, self.formula, self.kappa) {
            return self;
        }
        let simplified = simplify(&mut self.store, self.formula, self.kappa, &Effort::default());
        self.formula = simplified.formula;
        for definition in &mut self.definitions {
            if let Some(&formula) = simplified.parts.get(&definition.formula) {
                definition.formula = formula;
            }
        }
        self
    }

    /// The instance and marking that a model of the formula stands for, κ-normalisation undone.
    ///
    /// # Errors
    /// `witness` is no model.
    pub fn decode(&self, witness: &Witness) -> Result<(RewritingTree, TreeMarking), DecodeError> {
        let (tree, marking) = self.tracks.decode(&self.normalized.system, witness)?;
        Ok(self.normalized.undo(&tree, &marking))
    }

    /// What a free variable stands for, in a few words.
    pub(crate) fn describe(&self, variable: Variable) -> String {
        self.tracks.describe(&self.normalized.system, variable)
    }
}

//! Which steps of the operands of a parallel composition are steps of the whole.

use rustc_hash::FxHashMap;

use crate::model::{Label, LabelId, Synchronisation, System, tau};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

/// How many combinations are made between two checks of the budget.
const STEPS_PER_CHECK: usize = 4096;

/// A step of an operand: which operand, and which of its steps.
pub(crate) type Part = (usize, usize);

/// The labels of a system's steps and how they fit together.
pub(crate) struct Algebra<'a> {
    system: &'a System,
    complements: IndexVec<LabelId, Option<LabelId>>,
    budget: &'a Budget,
}

impl<'a> Algebra<'a> {
    /// The algebra of a system. `budget` ends what has too many combinations.
    pub(crate) fn new(system: &'a System, budget: &'a Budget) -> Self {
        Algebra { system, complements: system.complements(), budget }
    }

    /// Calls `emit` with every step of the composition of operands whose steps have the labels `labels`: its
    /// label and the steps it consists of. In the same order for the same input.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn combine(
        &self,
        synchronisation: &Synchronisation,
        labels: &[Vec<LabelId>],
        mut emit: impl FnMut(LabelId, &[Part]),
    ) -> Result<(), Stop> {
        let mut count = 0;
        let mut emit = |label, parts: &[Part]| {
            count += 1;
            emit(label, parts);
            if count % STEPS_PER_CHECK == 0 { self.budget.check() } else { Ok(()) }
        };
        let alone = |label: LabelId| match synchronisation {
            Synchronisation::Ccs => true,
            Synchronisation::Hoare(set) => set.binary_search(&label).is_err(),
            Synchronisation::Rendezvous => !matches!(self.system.labels[label], Label::Communication { .. }),
        };
        for (operand, steps) in labels.iter().enumerate() {
            for (step, label) in steps.iter().enumerate().filter(|(_, label)| alone(**label)) {
                emit(*label, &[(operand, step)])?;
            }
        }
        match synchronisation {
            Synchronisation::Ccs => self.pairs(labels, emit),
            Synchronisation::Hoare(set) if set.is_empty() => Ok(()),
            Synchronisation::Hoare(set) => together(set, labels, emit),
            Synchronisation::Rendezvous => self.meetings(labels, emit),
        }
    }

    /// `a` of one operand with `'a` of another, as `tau`.
    fn pairs(
        &self,
        labels: &[Vec<LabelId>],
        mut emit: impl FnMut(LabelId, &[Part]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut sorted: Vec<(LabelId, Part)> = Vec::new();
        for (operand, steps) in labels.iter().enumerate() {
            let visible = steps.iter().enumerate().filter(|(_, label)| self.complements[**label].is_some());
            sorted.extend(visible.map(|(step, label)| (*label, (operand, step))));
        }
        sorted.sort();
        for (label, part) in &sorted {
            let Some(complement) = self.complements[*label].filter(|complement| complement > label) else {
                continue;
            };
            let begin = sorted.partition_point(|(other, _)| *other < complement);
            let partners = sorted[begin..].iter().take_while(|(other, _)| *other == complement);
            for (_, partner) in partners.filter(|(_, partner)| partner.0 != part.0) {
                let (first, second) = (part.min(partner), part.max(partner));
                emit(tau(), &[*first, *second])?;
            }
        }
        Ok(())
    }

    /// Communications, each by its two peers.
    fn meetings(
        &self,
        labels: &[Vec<LabelId>],
        mut emit: impl FnMut(LabelId, &[Part]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for (operand, steps) in labels.iter().enumerate() {
            for (step, label) in steps.iter().enumerate() {
                let Label::Communication { peers: [first, second], .. } = &self.system.labels[*label] else {
                    continue;
                };
                if first.index() != operand {
                    continue;
                }
                let partner = second.index();
                for (other, _) in labels[partner].iter().enumerate().filter(|(_, other)| *other == label) {
                    let (one, two) = ((operand, step), (partner, other));
                    emit(*label, &[one.min(two), one.max(two)])?;
                }
            }
        }
        Ok(())
    }
}

/// Labels of `set`, each by all operands.
fn together(
    set: &[LabelId],
    labels: &[Vec<LabelId>],
    mut emit: impl FnMut(LabelId, &[Part]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some((first, others)) = labels.split_first() else { return Ok(()) };
    let mut wanted: Vec<LabelId> =
        first.iter().copied().filter(|label| set.binary_search(label).is_ok()).collect();
    wanted.sort();
    wanted.dedup();
    let steps_of = |steps: &[LabelId], wanted: &[LabelId]| {
        let mut found: FxHashMap<LabelId, Vec<usize>> = FxHashMap::default();
        for (step, label) in steps.iter().enumerate().filter(|(_, label)| wanted.binary_search(label).is_ok())
        {
            found.entry(*label).or_default().push(step);
        }
        found
    };
    let mut steps = vec![steps_of(first, &wanted)];
    for other in others {
        let found = steps_of(other, &wanted);
        wanted.retain(|label| found.contains_key(label));
        steps.push(found);
    }
    for label in wanted {
        let choices: Vec<&[usize]> =
            steps.iter().map(|found| found.get(&label).map_or(&[][..], Vec::as_slice)).collect();
        // All combinations, counted like a number whose digits are the operands' choices.
        let mut digits = vec![0; choices.len()];
        loop {
            let parts: Vec<Part> = digits
                .iter()
                .enumerate()
                .map(|(operand, digit)| (operand, choices[operand][*digit]))
                .collect();
            emit(label, &parts)?;
            let Some(position) = (0..digits.len()).rev().find(|at| digits[*at] + 1 < choices[*at].len())
            else {
                break;
            };
            digits[position] += 1;
            digits[position + 1..].fill(0);
        }
    }
    Ok(())
}

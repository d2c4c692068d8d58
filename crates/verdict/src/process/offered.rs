//! Actions of which a check speaks and that no reachable state offers: what is proved of them says little.
//!
//! That an action never happens may be the very demand (`always !did nok`): such a one is left out.
//!
//! Checks and the states come in, all of them; sets of labels go out. The states are looked through only
//! until every action has been seen, so this takes time only where one is missing.

use std::collections::BTreeSet;

use paramcheck_emulation::packed::PackedSystem;
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_process::model::{Atom, Formula, Goal, LabelId};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_temporal::formula as temporal;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// An action of a check: the labels that it stands for.
pub type ActionLabels = Vec<LabelId>;

/// The actions of which a check speaks, but for those of which it demands just that they never happen.
pub(super) fn spoken_of(goal: &Goal) -> BTreeSet<ActionLabels> {
    let mut actions = BTreeSet::new();
    if let Goal::Ltl(formula) = goal {
        return spoken_of_in_time(formula);
    }
    // With each formula, whether the check demands that it always holds (or never, for false).
    let mut waiting = match goal {
        Goal::NoDeadlock | Goal::Ltl(_) => Vec::new(),
        Goal::Always(formula) => vec![(formula, Some(true))],
        Goal::Eventually(formula) => vec![(formula, None)],
    };
    while let Some((formula, demand)) = waiting.pop() {
        match (formula, demand) {
            // That it never happens is what the proof says.
            (Formula::Did(_) | Formula::Can(_), Some(false)) | (Formula::Terminated, _) => {}
            (Formula::Did(labels) | Formula::Can(labels), _) => {
                actions.insert(labels.clone());
            }
            (Formula::Not(inner), _) => waiting.push((inner, demand.map(|holds| !holds))),
            (Formula::And(parts), Some(true)) | (Formula::Or(parts), Some(false)) => {
                waiting.extend(parts.iter().map(|part| (part, demand)));
            }
            (Formula::And(parts) | Formula::Or(parts), _) => {
                waiting.extend(parts.iter().map(|part| (part, None)));
            }
        }
    }
    actions
}

/// The actions of which a temporal formula speaks, but for those that it mentions right behind `!`.
fn spoken_of_in_time(formula: &temporal::Formula<Atom>) -> BTreeSet<ActionLabels> {
    let mut actions = BTreeSet::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            temporal::Formula::Not(inner) if matches!(**inner, temporal::Formula::Atom(_)) => {}
            temporal::Formula::Atom(atom) | temporal::Formula::Observation(_, atom, _) => {
                if let Atom::Did(labels) | Atom::Can(labels) | Atom::Takes(labels) = atom {
                    actions.insert(labels.clone());
                }
                open.extend(formula.parts());
            }
            _ => open.extend(formula.parts()),
        }
    }
    actions
}

/// Per check the actions of which it speaks and that are not among those that were seen.
pub(super) fn never_offered(goals: &[Goal], unseen: &Unseen) -> Vec<Vec<ActionLabels>> {
    let is_unseen = |labels: &ActionLabels| labels.iter().all(|label| unseen.labels.contains(label));
    goals.iter().map(|goal| spoken_of(goal).into_iter().filter(is_unseen).collect()).collect()
}

/// Labels of which checks speak, without those that were seen.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    labels: BTreeSet<LabelId>,
}

impl Unseen {
    /// All labels of which the checks speak.
    pub(crate) fn new(goals: &[Goal]) -> Unseen {
        Unseen { labels: goals.iter().flat_map(spoken_of).flatten().collect() }
    }

    /// Strikes out what the states of a labelled transition system offer.
    pub(crate) fn look_through(&mut self, lts: &Lts) {
        for transition in lts.all_transitions() {
            if self.labels.is_empty() {
                return;
            }
            self.labels.remove(&transition.label);
        }
    }

    /// Strikes out what these states offer; `label` is that of a step.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn look_at<'s, S: State + 's>(
        &mut self,
        system: &PackedSystem<'_, S>,
        states: impl Iterator<Item = &'s S>,
        label: impl Fn(u32) -> Option<LabelId>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut step = budget.pace();
        let mut scratch = Vec::new();
        for state in states {
            if self.labels.is_empty() {
                break;
            }
            step()?;
            system.successors(state, None, &mut scratch, &mut |action, _| {
                if let Some(label) = label(action) {
                    self.labels.remove(&label);
                }
            });
        }
        Ok(())
    }
}

//! Whether a run shows that a property is violated, by the definition of its modality
//! (`docs/labs-properties.md`).
//!
//! In: a run that the rules have gone through, wherever it comes from. Out: a [`Judgement`]. Nothing is searched,
//! but the states behind the end of a run for `fairly` and `fairly_inf`.

use paramcheck_text::limits::Budget;

use super::evaluate::Halt;
use super::explore::holds_in;
use super::run::{Behind, Ending, Replayed};
use super::step::Rules;
use super::store::Store;
use crate::model::{Expr, Modality, Property, System, Within};

/// The most states behind the end of a run that are searched.
pub const MAX_STATES_BEHIND: usize = 100_000;
/// The most values, messages and ranks that they have together.
const MAX_SIZE_BEHIND: usize = 1 << 26;

/// What a run shows of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// That it is violated; by a formula that can't be reached any more, in a closed set of so many states.
    Violated(Option<usize>),
    /// Nothing: why, in words.
    Nothing(&'static str),
    /// There are too many states behind its end.
    TooMuch,
}

/// What a run shows of a property. With `max_steps` the property is about runs of at most so many steps. The
/// budget is for what lies behind its end.
///
/// # Errors
/// A formula has no value in the run.
pub fn judge(
    system: &System,
    rules: Rules,
    property: &Property,
    replayed: &mut Replayed<'_>,
    ending: &Ending,
    max_steps: Option<usize>,
    budget: &Budget,
) -> Result<Judgement, Halt> {
    let truths = |formula: &Expr| -> Result<Vec<bool>, Halt> {
        let stores = replayed.states.iter().map(|state| &state.store.cells);
        stores.map(|cells| holds_in(system, formula, cells, &rules)).collect()
    };
    let holds = truths(&property.formula)?;
    let (never, in_the_end) = (holds.iter().all(|holds| !holds), holds.last().copied().unwrap_or(true));
    let is_long = max_steps.is_some_and(|most| holds.len() > most);
    let is_over = matches!(ending, Ending::Stuck | Ending::BackTo(_)) || is_long;
    let goes_on = "the run could go on, and the formula become true later";
    let met = "the formula is true somewhere in the run";
    Ok(match &property.modality {
        Modality::Always if holds.iter().all(|holds| *holds) => {
            Judgement::Nothing("the formula is true in all of its states")
        }
        Modality::Always => Judgement::Violated(None),
        Modality::Eventually { is_finally } => {
            let is_last = *is_finally && max_steps.is_some();
            match (if is_last { !in_the_end } else { never }, is_over) {
                (true, true) => Judgement::Violated(None),
                (true, false) => Judgement::Nothing(goes_on),
                (false, _) => Judgement::Nothing(met),
            }
        }
        Modality::Fairly if !never => Judgement::Nothing(met),
        Modality::Fairly | Modality::FairlyInfinite => {
            let lacks =
                |store: &Store| holds_in(system, &property.formula, &store.cells, &rules) == Ok(false);
            let most = MAX_STATES_BEHIND.min(MAX_SIZE_BEHIND / Store::size(system).max(1));
            match replayed.behind(most, budget, lacks) {
                Behind::Closed(states) => Judgement::Violated(Some(states)),
                Behind::Other => Judgement::Nothing("the formula can be reached from where the run ends"),
                Behind::TooMuch => Judgement::TooMuch,
            }
        }
        Modality::Scope { is_open, opens, closes, within } => {
            let first = match within {
                Within::Precedes(first) => Some(truths(first)?),
                Within::ThereIs | Within::Always => None,
            };
            let scopes = Scopes {
                opens: truths(opens)?,
                closes: truths(closes)?,
                is_universal: matches!(within, Within::Always),
                holds,
                first,
            };
            if scopes.is_violated(*is_open, ending) {
                Judgement::Violated(None)
            } else {
                Judgement::Nothing("every scope in the run is as it should be")
            }
        }
    })
}

/// Per state of a run what is true there.
struct Scopes {
    opens: Vec<bool>,
    closes: Vec<bool>,
    holds: Vec<bool>,
    /// What is to come before; of `precedes` alone.
    first: Option<Vec<bool>>,
    is_universal: bool,
}

impl Scopes {
    fn is_violated(&self, is_open: bool, ending: &Ending) -> bool {
        let length = self.holds.len();
        let mut from = 0;
        while let Some(begin) = (from..length).find(|at| self.opens[*at] && !self.closes[*at]) {
            match (begin..length).find(|at| self.closes[*at]) {
                Some(end) if !self.is_fine(begin, end) => return true,
                Some(end) => from = end + 1,
                None => {
                    let is_for_ever = match ending {
                        Ending::Stuck => true,
                        Ending::BackTo(step) => begin <= *step,
                        Ending::Open | Ending::Fault(..) => false,
                    };
                    // What must not happen has happened, however the run goes on.
                    let is_lost = self.is_universal || self.first.is_some();
                    return is_open && (is_for_ever || is_lost) && !self.is_fine(begin, length);
                }
            }
        }
        false
    }

    /// Whether the states of a scope are as they should be.
    fn is_fine(&self, from: usize, to: usize) -> bool {
        let holds = &self.holds[from..to];
        match &self.first {
            _ if self.is_universal => holds.iter().all(|holds| *holds),
            None => holds.contains(&true),
            Some(first) => {
                let before = first[from..to].iter().take_while(|first| !**first).count();
                holds[..before].iter().all(|holds| !holds)
            }
        }
    }
}

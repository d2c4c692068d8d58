//! Whether a run violates a property, by the definition of its modality (`docs/labs-properties.md`).
//!
//! In: what the search claims. Out: the run as the rules of the language go through it, if each state of it,
//! and its end, are as the property forbids. Shares nothing with the search but the rules.

use paramcheck_labs::model::{Expr, Modality, Property, System, Within};
use paramcheck_labs::semantics::explore::holds_in;
use paramcheck_labs::semantics::run::{Ending, Replayed, Violation, replay_all};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_labs::semantics::store::Store;

/// The most states behind a run that are searched again.
const MAX_SEARCHED_AGAIN: usize = 100_000;

/// The run of a violation, if it is one.
///
/// # Errors
/// Why it is none.
pub(super) fn recheck<'a>(
    system: &'a System,
    rules: Rules,
    property: &Property,
    violation: &Violation,
    steps: Option<usize>,
) -> Result<Replayed<'a>, String> {
    let Violation { run, ending, .. } = violation;
    let replayed = replay_all(system, rules, run, ending);
    let mut replayed = replayed.map_err(|reason| format!("its run is none: {reason:?}"))?;
    let truths = |formula: &Expr| -> Result<Vec<bool>, String> {
        let holds = |store: &Store| holds_in(system, formula, &store.cells, &rules);
        let all = replayed.states.iter().map(|state| holds(&state.store));
        all.collect::<Result<_, _>>().map_err(|halt| format!("a formula has no value in its run: {halt:?}"))
    };
    let holds = truths(&property.formula)?;
    let last = holds.last().copied().unwrap_or(true);
    let is_long = steps.is_some_and(|most| run.steps.len() == most);
    let is_over = matches!(ending, Ending::Stuck | Ending::BackTo(_)) || is_long;
    let nothing_behind = |replayed: &mut Replayed<'_>| {
        let lacks = |store: &Store| holds_in(system, &property.formula, &store.cells, &rules) == Ok(false);
        // What is too much to be searched again is believed.
        replayed.all_behind(MAX_SEARCHED_AGAIN, lacks).unwrap_or(true)
    };
    let is_violated = match &property.modality {
        Modality::Always => !last,
        Modality::Eventually { is_finally } if *is_finally && steps.is_some() => !last && is_over,
        Modality::Eventually { .. } => holds.iter().all(|holds| !holds) && is_over,
        Modality::Fairly => holds.iter().all(|holds| !holds) && nothing_behind(&mut replayed),
        Modality::FairlyInfinite => nothing_behind(&mut replayed),
        Modality::Scope { is_open, opens, closes, within } => {
            let scope = Scope {
                opens: truths(opens)?,
                closes: truths(closes)?,
                first: match within {
                    Within::Precedes(first) => Some(truths(first)?),
                    Within::ThereIs | Within::Always => None,
                },
                holds,
                is_universal: matches!(within, Within::Always),
            };
            scope.is_violated(*is_open, ending)
        }
    };
    if is_violated { Ok(replayed) } else { Err("its run does not violate it".to_owned()) }
}

/// Where formulas are true in a run.
struct Scope {
    opens: Vec<bool>,
    closes: Vec<bool>,
    holds: Vec<bool>,
    first: Option<Vec<bool>>,
    is_universal: bool,
}

impl Scope {
    fn is_violated(&self, is_open: bool, ending: &Ending) -> bool {
        let mut begin = None;
        for state in 0..self.holds.len() {
            match begin {
                None if self.opens[state] && !self.closes[state] => begin = Some(state),
                Some(from) if self.closes[state] => {
                    if !self.is_fine(from, state) {
                        return true;
                    }
                    begin = None;
                }
                _ => {}
            }
        }
        let Some(from) = begin.filter(|_| is_open) else { return false };
        // A scope that never closes, or one that is lost already.
        let goes_on = match ending {
            Ending::Stuck => true,
            Ending::BackTo(step) => from <= *step,
            Ending::Open | Ending::Fault(..) => false,
        };
        let is_lost = self.is_universal || self.first.is_some();
        (goes_on || is_lost) && !self.is_fine(from, self.holds.len())
    }

    /// Whether the states of a scope are as they should be.
    fn is_fine(&self, from: usize, to: usize) -> bool {
        let holds = &self.holds[from..to];
        match &self.first {
            _ if self.is_universal => holds.iter().all(|holds| *holds),
            None => holds.contains(&true),
            Some(first) => {
                let first = first[from..to].iter().position(|first| *first).unwrap_or(to - from);
                holds[..first].iter().all(|holds| !holds)
            }
        }
    }
}

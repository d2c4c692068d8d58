//! What the search claims to be violated, held against the rules of the language.
//!
//! In: what the search claims. Out: the run as the rules go through it, if it shows a violation
//! ([`judge`]). Shares nothing with the search but the rules.

use paramcheck_labs::model::{Property, System};
use paramcheck_labs::semantics::judge::{Judgement, judge};
use paramcheck_labs::semantics::run::{Replayed, Violation, replay_all};
use paramcheck_labs::semantics::step::Rules;

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
    match judge(system, rules, property, &mut replayed, ending, steps) {
        // What is too much to be searched again is believed.
        Ok(Judgement::Violated | Judgement::TooMuch) => Ok(replayed),
        Ok(Judgement::Nothing(reason)) => Err(format!("its run does not violate it: {reason}")),
        Err(halt) => Err(format!("a formula has no value in its run: {halt:?}")),
    }
}

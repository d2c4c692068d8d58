//! Further candidates: where else to look when a candidate is not reached.
//!
//! A candidate's *kind* is the set of states that occur in it. Candidates of another kind are markings in the
//! error that differ in the occurrence of one state: the engine is queried for one state after the other,
//! with one count more. Such a marking is allowed by the invariants as well, and may be reached where the
//! first is not.

use std::collections::BTreeSet;

use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, Count, ErrorFormula, NamedError};
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;

use super::scout::Explorer;
use super::{Candidate, Reach};

/// How many candidates are searched for beside the first.
const MAX_CANDIDATES: usize = 4;
/// How many queries they may take.
const MAX_QUESTIONS: usize = 12;
/// How many joins of the engine each of these may take.
const EFFORT: u64 = 100_000;

/// What the first candidate came from.
pub(super) struct Origin<'a> {
    pub(super) system: &'a System,
    pub(super) error: &'a NamedError,
    /// The kinds of invariants that it is in.
    pub(super) kinds: &'a [InvariantKind],
    /// Whether interactions were dropped on the way.
    pub(super) is_dropped: bool,
    pub(super) budget: &'a Budget,
}

/// Which states occur in a marking.
type Kind = BTreeSet<(TypeId, StateId)>;

/// Candidates of other kinds than `first`, each explored up to `max_states`. Ends when one is reached, or
/// with the budget.
pub(super) fn further_candidates(
    origin: &Origin<'_>,
    first: &Candidate,
    explorer: &mut Explorer<'_>,
    max_states: usize,
) -> Vec<Candidate> {
    let Origin { system, error, kinds, is_dropped, budget } = *origin;
    let Ok(engine) = Direct::within(system, budget) else { return Vec::new() };
    let engine = engine.with_effort(EFFORT);
    let invariants =
        InvariantChoice { dead_interactions: is_dropped, ..InvariantChoice::only(kinds.iter().copied()) };
    let mut seen = BTreeSet::from([kind(first)]);
    let mut found = Vec::new();
    for place in differences(system, first).take(MAX_QUESTIONS) {
        if found.len() == MAX_CANDIDATES || explorer.reached.is_some() || budget.check().is_err() {
            break;
        }
        let other =
            NamedError { name: error.name.clone(), formula: with(&error.formula, place, &kind(first)) };
        let outcome = engine.decide(&other, &invariants, explorer, budget);
        let Outcome::Candidate { tree, marking, .. } = outcome else { continue };
        let Ok(Some(mut candidate)) = explorer.candidate(tree, &marking) else { continue };
        if seen.insert(kind(&candidate)) {
            // Where the run must end, nothing is known of this one, and the loop ends.
            candidate.reach =
                explorer.reach(&candidate.tree, &candidate.marking, max_states).unwrap_or(Reach::Undecided);
            found.push(candidate);
        }
    }
    found
}

fn kind(candidate: &Candidate) -> Kind {
    let components = candidate.net.components().iter();
    components.zip(&candidate.marking).map(|(component, &state)| (component.component_type, state)).collect()
}

/// The states in which another candidate may differ: first those that occur in it, then the others.
fn differences<'a>(system: &'a System, first: &Candidate) -> impl Iterator<Item = (TypeId, StateId)> + 'a {
    let occurring = kind(first);
    let all = system.types.enumerate().flat_map(|(id, component)| {
        component.states.indices().map(move |state| (id, state)).collect::<Vec<_>>()
    });
    let (there, missing): (Vec<_>, Vec<_>) = all.partition(|place| occurring.contains(place));
    there.into_iter().chain(missing)
}

/// The error, and the state occurs where it does not in `kind`, or the other way round.
fn with(formula: &ErrorFormula, (component, state): (TypeId, StateId), kind: &Kind) -> ErrorFormula {
    let is_there = kind.contains(&(component, state));
    let (comparison, bound) = if is_there { (Comparison::Equal, 0) } else { (Comparison::AtLeast, 1) };
    let count = Count { weights: vec![(component, state, 1)], comparison, bound };
    ErrorFormula::And(vec![formula.clone(), ErrorFormula::Count(count)])
}

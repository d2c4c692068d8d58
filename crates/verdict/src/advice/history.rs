//! States that remember: which history of a component type lets the engine prove an open question.
//!
//! A history changes nothing in what a system does ([`paramcheck_model::history`]), so a proof of the system
//! that remembers is one of the system as it is. One history is tried after the other, each with little effort.

use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::firing::Alive;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::Scout;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::history::{History, with_history};
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;

use crate::scout::Explorer;

/// How many histories are tried.
const MAX_HISTORIES: usize = 16;
/// How many joins of the engine a question about one may take.
const EFFORT: u64 = 5_000;
/// How much work all of them may be, in looks at the budget.
const MAX_WORK: u64 = 400_000;

/// A history with which the error is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// The type of the components that remember.
    pub component: TypeId,
    /// What they remember.
    pub history: History,
    /// The states of that type that come in several copies then.
    pub split: Vec<StateId>,
    /// The kinds of invariants that the proof uses.
    pub kinds: Vec<InvariantKind>,
}

/// A history that settles the question, of the types in this order.
pub(super) fn settling(
    system: &System,
    error: &NamedError,
    types: &[TypeId],
    budget: &Budget,
) -> Option<Settling> {
    let budget = &budget.with_work(MAX_WORK);
    let states = |history: fn(StateId) -> History| {
        types.iter().flat_map(move |&component| {
            system.types[component].states.indices().map(move |state| (component, history(state)))
        })
    };
    let all = states(History::Visited).chain(states(History::CameBy));
    let choice = InvariantChoice { last_resort: Vec::new(), exclusive: false, ..InvariantChoice::default() };
    let candidates = all.filter_map(|(component, history)| {
        Some((component, history, with_history(system, error, component, history)?))
    });
    for (component, history, found) in candidates.take(MAX_HISTORIES) {
        budget.check().ok()?;
        let engine = Direct::within(&found.system, budget).ok()?.with_effort(EFFORT);
        let mut scout = SeesFirings(Explorer::new(&found.system, &found.error, 1, budget));
        let outcome = engine.decide(&found.error, &choice, &mut scout, budget);
        if let Outcome::Proved { invariants, .. } = outcome {
            let copies = found.copies.enumerate().filter(|(_, copies)| copies.len() > 1);
            let split = copies.map(|(state, _)| state).collect();
            return Some(Settling { component, history, split, kinds: invariants });
        }
    }
    None
}

/// Looks which interactions fire, and for nothing else: that the error is not near is known.
pub(super) struct SeesFirings<'a>(pub(super) Explorer<'a>);

impl Scout for SeesFirings<'_> {
    fn alive(&mut self) -> Alive {
        self.0.alive()
    }
}

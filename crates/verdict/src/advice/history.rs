//! States that remember: which histories of component types let the engine prove an open question.
//!
//! A history changes nothing in what a system does ([`paramcheck_model::history`]), so a proof of the system
//! that remembers is one of the system as it is. One history is tried after the other, then pairs of histories
//! of two types, each with little effort. What was tried depends on the model alone, never on time.

use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::firing::Alive;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::Scout;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::history::{History, WithHistory, with_history};
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;

use crate::scout::Explorer;

/// How many histories are tried.
const MAX_HISTORIES: usize = 16;
/// How many pairs of histories are tried.
const MAX_PAIRS: usize = 24;
/// How many joins of the engine a question about one may take.
const EFFORT: u64 = 5_000;
/// How much work all of them may be, in looks at the budget.
const MAX_WORK: u64 = 400_000;

/// Histories with which the error is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// Who remembers what: one type or two.
    pub memories: Vec<Memory>,
    /// The kinds of invariants that the proof uses.
    pub kinds: Vec<InvariantKind>,
    /// The system whose components remember; it has no errors of its own.
    pub system: System,
    /// The error, about its states.
    pub error: NamedError,
}

/// What the components of a type remember.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The type.
    pub component: TypeId,
    /// What they remember.
    pub history: History,
    /// The states of that type that come in several copies then.
    pub split: Vec<StateId>,
}

impl Memory {
    fn new(component: TypeId, history: History, found: &WithHistory) -> Memory {
        let copies = found.copies.enumerate().filter(|(_, copies)| copies.len() > 1);
        Memory { component, history, split: copies.map(|(state, _)| state).collect() }
    }
}

/// Histories that settle the question, of the types in this order.
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
    let candidates = all.filter_map(|(component, history)| {
        let found = with_history(system, error, component, history)?;
        Some((Memory::new(component, history, &found), found))
    });
    let mut single: Vec<(Memory, WithHistory)> = Vec::new();
    for (memory, found) in candidates.take(MAX_HISTORIES) {
        if let Some(kinds) = proved(&found, budget)? {
            let WithHistory { system, error, .. } = found;
            return Some(Settling { memories: vec![memory], kinds, system, error });
        }
        single.push((memory, found));
    }
    // First those of which both were tried early.
    let mut pairs: Vec<(usize, usize)> = (0..single.len())
        .flat_map(|first| (first + 1..single.len()).map(move |second| (first, second)))
        .filter(|&(first, second)| single[first].0.component != single[second].0.component)
        .collect();
    pairs.sort_by_key(|&(first, second)| (first + second, first));
    for (first, second) in pairs.into_iter().take(MAX_PAIRS) {
        let (first, found) = &single[first];
        let Memory { component, history, .. } = single[second].0;
        let Some(found) = with_history(&found.system, &found.error, component, history) else { continue };
        if let Some(kinds) = proved(&found, budget)? {
            let memories = vec![first.clone(), Memory::new(component, history, &found)];
            let WithHistory { system, error, .. } = found;
            return Some(Settling { memories, kinds, system, error });
        }
    }
    None
}

/// The kinds of invariants by which the error is proved of the system that remembers, if it is with little
/// effort; `None` where the run, or the work, must end.
#[allow(clippy::option_option)] // the outer one ends the loop
fn proved(found: &WithHistory, budget: &Budget) -> Option<Option<Vec<InvariantKind>>> {
    budget.check().ok()?;
    let choice = InvariantChoice { last_resort: Vec::new(), exclusive: false, ..InvariantChoice::default() };
    let engine = Direct::within(&found.system, budget).ok()?.with_effort(EFFORT);
    let mut scout = SeesFirings(Explorer::new(&found.system, &found.error, 1, budget));
    Some(match engine.decide(&found.error, &choice, &mut scout, budget) {
        Outcome::Proved { invariants, .. } => Some(invariants),
        _ => None,
    })
}

/// Of each type the states that its components could remember to have been in.
pub(super) fn memorable(system: &System, error: &NamedError) -> Vec<(TypeId, Vec<StateId>)> {
    let of = |component: TypeId| {
        let tells =
            |state: &StateId| with_history(system, error, component, History::Visited(*state)).is_some();
        system.types[component].states.indices().filter(tells).collect::<Vec<_>>()
    };
    let all = system.types.indices().map(|component| (component, of(component)));
    all.filter(|(_, states)| !states.is_empty()).collect()
}

/// Looks which interactions fire, and for nothing else: that the error is not near is known.
pub(super) struct SeesFirings<'a>(pub(super) Explorer<'a>);

impl Scout for SeesFirings<'_> {
    fn alive(&mut self) -> Alive {
        self.0.alive()
    }
}

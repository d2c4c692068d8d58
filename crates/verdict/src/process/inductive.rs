//! The recheck of a set of states: that it is an inductive invariant of the triples.
//!
//! A set is one if it contains the initial states and what every step leads to, by the definition of a
//! structure ([`Evolution`]). Then it contains all reachable states, however it was found. Nothing of the
//! search is used: no packed step, no table of states, no goal. Conditions are evaluated by their definition
//! too. States are stored packed, but packing is not trusted: a state is in the set only if what is stored
//! for it stands for it and no other ([`Packed::stands_for`]).

use std::cell::OnceCell;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::{Evolution, Scratch, State};
use paramcheck_emulation::packed::Packed;
use paramcheck_emulation::question::{Condition, Moment};
use paramcheck_emulation::triple::TripleId;
use paramcheck_nets::explore::system;
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_text::limits::{Budget, Stop};

use super::state_space::Key;

/// Why a set of states is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// An initial state is missing.
    #[error("an initial state is missing among the states found")]
    Initial,
    /// A step leads out of it.
    #[error("a step leads out of the states found")]
    Open,
    /// A step or state of the labelled transition system differs from the definition.
    #[error("a state found has other steps than it should")]
    Steps,
    /// What must never be holds in it.
    #[error("a state found violates the check")]
    Bad,
    /// The budget ended.
    #[error("{0}")]
    Stopped(Stop),
}

/// How many states a thread takes at a time.
const CHUNK: usize = 1 << 10;

/// Checks that `states` are an inductive invariant of the structure, in which no condition of `never` holds.
///
/// # Errors
/// Why not.
pub(super) fn check_set<S: system::State>(
    structure: &Structure,
    packed: &Packed<'_>,
    states: &[&S],
    never: &[&Condition],
    threads: usize,
    budget: &Budget,
) -> Result<(), Fault> {
    let set: FxHashSet<Key<S>> = states.iter().map(|state| Key((*state).clone())).collect();
    let has = |state: &State| {
        let stored = Key(packed.pack::<S>(state));
        set.contains(&stored) && packed.stands_for(&stored.0, state)
    };
    let evolution = Evolution::new(structure);
    // What concerns the step before is looked at after every step, the rest once in every state.
    let (of_steps, of_states): (Vec<_>, Vec<_>) = never.iter().copied().partition(|condition| {
        let mut concerns = false;
        condition.each_did(&mut |_| concerns = true);
        concerns
    });
    let judge = |never| Judge { structure, evolution: &evolution, never };
    let (steps, all) = (judge(&of_steps), judge(&of_states));
    for initial in evolution.initial() {
        if !has(&initial) {
            return Err(Fault::Initial);
        }
        steps.check(&initial, None)?;
    }
    let check = |stored: &S, memory: &mut Memory| {
        let Memory { state, scratch, enabled } = memory;
        packed.unpack_into(stored, state);
        enabled.clear();
        let end = evolution.visit_successors(state, scratch, |id, next| {
            enabled.push(id);
            let found = if has(next) { steps.check(next, label(structure, id)) } else { Err(Fault::Open) };
            found.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        match end {
            ControlFlow::Break(fault) => Err(fault),
            ControlFlow::Continue(()) => all.check_with(state, None, &|| enabled),
        }
    };
    let mut chunks = states.chunks(CHUNK);
    let work = |chunk: &[&S]| {
        budget.check().map_err(Fault::Stopped)?;
        let mut memory = Memory::default();
        chunk.iter().try_for_each(|state| check(state, &mut memory))
    };
    // As many chunks at a time as there are threads.
    loop {
        let now: Vec<&[&S]> = chunks.by_ref().take(threads.max(1)).collect();
        match now.as_slice() {
            [] => return Ok(()),
            [one] => work(one)?,
            several => std::thread::scope(|scope| {
                let handles: Vec<_> = several.iter().map(|chunk| scope.spawn(|| work(chunk))).collect();
                handles.into_iter().try_for_each(|handle| handle.join().unwrap_or(Err(Fault::Steps)))
            })?,
        }
    }
}

/// Checks that a labelled transition system is that of the structure: the first state is the initial one, and
/// each has the steps, targets and termination that the definition gives it.
///
/// # Errors
/// Why not.
pub(super) fn check_lts(
    structure: &Structure,
    lts: &Lts,
    state_at: impl Fn(u32) -> Option<State>,
    budget: &Budget,
) -> Result<(), Fault> {
    let evolution = Evolution::new(structure);
    if evolution.initial().first() != state_at(0).as_ref() {
        return Err(Fault::Initial);
    }
    let mut pace = budget.pace();
    let mut states = Vec::with_capacity(lts.states());
    for number in 0..lts.states() as u32 {
        pace().map_err(Fault::Stopped)?;
        states.push(state_at(number).ok_or(Fault::Steps)?);
    }
    let numbers: FxHashMap<&State, u32> = states.iter().zip(0..).collect();
    let (mut given, mut right, mut scratch) = (Vec::new(), Vec::new(), Scratch::default());
    for (state, number) in states.iter().zip(0..) {
        given.clear();
        given.extend(
            lts.transitions(number)
                .iter()
                .map(|one| (one.label, lts.agent_sets[one.agents].as_slice(), Some(one.target))),
        );
        right.clear();
        let end = evolution.visit_successors(state, &mut scratch, |id, next| {
            if let (Some(label), Some(triple)) = (label(structure, id), structure.triples.get(id)) {
                // A target that is none of the states is no transition's.
                right.push((label, triple.agents.as_slice(), numbers.get(next).copied()));
            }
            pace().map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        if let ControlFlow::Break(stop) = end {
            return Err(Fault::Stopped(stop));
        }
        for steps in [&mut given, &mut right] {
            steps.sort_unstable();
            steps.dedup();
        }
        if given != right || lts.is_terminated(number) != structure.is_terminated(state) {
            return Err(Fault::Steps);
        }
    }
    Ok(())
}

fn label(structure: &Structure, id: TripleId) -> Option<LabelId> {
    structure.triples.get(id)?.label()
}

/// Looks for what must never be, by the definition of conditions.
struct Judge<'a> {
    structure: &'a Structure,
    evolution: &'a Evolution<'a>,
    never: &'a [&'a Condition],
}

/// Memory that is used again from state to state.
#[derive(Default)]
struct Memory {
    state: State,
    scratch: Scratch,
    enabled: Vec<TripleId>,
}

impl Judge<'_> {
    /// Whether no condition holds in a state that the step `last` leads to.
    fn check(&self, state: &State, last: Option<LabelId>) -> Result<(), Fault> {
        let enabled = OnceCell::new();
        let find = || self.evolution.successors(state).into_iter().map(|(id, _)| id).collect();
        self.check_with(state, last, &|| enabled.get_or_init(find))
    }

    /// The same, where `enabled` gives the steps that can be taken in the state.
    fn check_with<'s>(
        &self,
        state: &State,
        last: Option<LabelId>,
        enabled: &dyn Fn() -> &'s Vec<TripleId>,
    ) -> Result<(), Fault> {
        let can = |labels: &[LabelId]| {
            let is_one = |id| label(self.structure, id).is_some_and(|label| labels.contains(&label));
            enabled().iter().any(|id| is_one(*id))
        };
        let is_stuck = || enabled().is_empty();
        let moment = Moment { state, last, can: &can, is_stuck: &is_stuck };
        let is_bad = self.never.iter().any(|condition| condition.holds(self.structure, &moment));
        if is_bad { Err(Fault::Bad) } else { Ok(()) }
    }
}

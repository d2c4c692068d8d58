//! The recheck of a set of states: that it is an inductive invariant of the triples.
//!
//! A set is one if it contains the initial states and what every step leads to, by the definition of a
//! structure ([`Evolution`]). Then it contains all reachable states, however it was found. Nothing of the
//! search is used: no packed step, no table of states, no goal. Conditions are evaluated by their definition
//! too. States are stored packed, but packing is not trusted: a state is in the set only if what is stored
//! for it stands for it and no other ([`Packed::stands_for`]).

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::{Evolution, State};
use paramcheck_emulation::packed::Packed;
use paramcheck_emulation::question::{Condition, Moment};
use paramcheck_emulation::triple::TripleId;
use paramcheck_nets::explore::system;
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_text::limits::{Budget, Stop};

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
    let set: FxHashSet<&[u64]> = states.iter().map(|state| state.words()).collect();
    let has = |state: &State| {
        let stored = packed.pack::<S>(state);
        set.contains(stored.words()) && packed.stands_for(&stored, state)
    };
    let evolution = Evolution::new(structure);
    let judge = Judge { structure, evolution: &evolution, never };
    for initial in evolution.initial() {
        if !has(&initial) {
            return Err(Fault::Initial);
        }
        judge.check(&initial, None)?;
    }
    let concerns_steps = never.iter().any(|condition| {
        let mut concerns = false;
        condition.each_did(&mut |_| concerns = true);
        concerns
    });
    let check = |state: &&S| {
        let state = packed.unpack(*state);
        let successors = evolution.successors(&state);
        if !concerns_steps {
            judge.check_with(&state, None, &|| &successors)?;
        }
        for (id, next) in successors {
            if !has(&next) {
                return Err(Fault::Open);
            }
            if concerns_steps {
                judge.check(&next, label(structure, id))?;
            }
        }
        Ok(())
    };
    let mut chunks = states.chunks(CHUNK);
    let work = |chunk: &[&S]| {
        budget.check().map_err(Fault::Stopped)?;
        chunk.iter().try_for_each(check)
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
    for number in 0..lts.states() as u32 {
        let state = state_at(number).ok_or(Fault::Steps)?;
        let mut given = Vec::new();
        for transition in lts.transitions(number) {
            pace().map_err(Fault::Stopped)?;
            // A target is one of the states that are checked here.
            let target = Some(transition.target).filter(|target| (*target as usize) < lts.states());
            let target = target.and_then(&state_at).ok_or(Fault::Steps)?;
            given.push((transition.label, lts.agent_sets[transition.agents].as_slice(), target));
        }
        let mut right = Vec::new();
        for (id, next) in evolution.successors(&state) {
            pace().map_err(Fault::Stopped)?;
            let (Some(label), Some(triple)) = (label(structure, id), structure.triples.get(id)) else {
                continue;
            };
            right.push((label, triple.agents.as_slice(), next));
        }
        for steps in [&mut given, &mut right] {
            steps.sort_unstable();
            steps.dedup();
        }
        if given != right || lts.is_terminated(number) != structure.is_terminated(&state) {
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

impl Judge<'_> {
    /// Whether no condition holds in a state that the step `last` leads to.
    fn check(&self, state: &State, last: Option<LabelId>) -> Result<(), Fault> {
        let successors = OnceCell::new();
        self.check_with(state, last, &|| successors.get_or_init(|| self.evolution.successors(state)))
    }

    /// The same, where the state's successors are at hand, or are computed when a condition needs them.
    fn check_with<'s>(
        &self,
        state: &State,
        last: Option<LabelId>,
        successors: &dyn Fn() -> &'s Vec<(TripleId, State)>,
    ) -> Result<(), Fault> {
        let can = |labels: &[LabelId]| {
            let is_one = |id| label(self.structure, id).is_some_and(|label| labels.contains(&label));
            successors().iter().any(|(id, _)| is_one(*id))
        };
        let is_stuck = || successors().is_empty();
        let moment = Moment { state, last, can: &can, is_stuck: &is_stuck };
        let is_bad = self.never.iter().any(|condition| condition.holds(self.structure, &moment));
        if is_bad { Err(Fault::Bad) } else { Ok(()) }
    }
}

//! Runs of the states that are left, made runs of the system again.
//!
//! Before each step the messages are sent that count as sent. With
//! symmetry agents are others each time a run goes round, so it goes round until they are the same.

use paramcheck_nets::explore::system::{State, TransitionSystem};

use super::Reduction;
use crate::labs::search::path::Path;
use crate::labs::space::Space;
use crate::labs::step::Scratch;

/// How often a run goes round until agents are the same: more often than permutations of a dozen need.
const MAX_ROUNDS: usize = 200;

/// A run of the system, and where its last state was before, if the run goes round.
pub(crate) type Unfolded<S> = (Path<S>, Option<usize>);

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Anywhere.
    Open,
    /// Nothing more can happen.
    Stuck,
    /// In the state that it had at this position.
    Round(usize),
}

/// The run of `space`, which leaves out nothing, for a run of what `reduction` leaves. `starts` are initial states.
/// None, if the run is none of the system (an error of ours), or agents are not the same again within some rounds.
pub(crate) fn unfold<S: State>(
    space: &Space<'_, S>,
    reduction: &Reduction,
    starts: &[S],
    run: &[(Option<u32>, S)],
    ending: Ending,
) -> Option<Unfolded<S>> {
    let mut unfolding = Unfolding { space, reduction, scratch: Scratch::default(), run: Vec::new() };
    let (_, first) = run.first()?;
    let start = starts.iter().find(|start| unfolding.stands_for(start).as_ref() == Some(first))?;
    unfolding.run.push((None, start.clone()));
    let mut begin = 0;
    for (position, (_, wanted)) in run.iter().enumerate() {
        if position > 0 {
            unfolding.step(wanted)?;
        }
        if ending == Ending::Round(position) {
            unfolding.send_idle();
            begin = unfolding.run.len() - 1;
        }
    }
    if ending != Ending::Open {
        unfolding.send_idle();
    }
    let Ending::Round(from) = ending else { return Some((unfolding.run, None)) };
    let mut begins = vec![begin];
    for _ in 0..MAX_ROUNDS {
        let last = unfolding.run.len() - 1;
        let is_same = |begin: &usize| unfolding.run[*begin].1 == unfolding.run[last].1;
        if let Some(begin) = begins.iter().copied().find(is_same) {
            return Some((unfolding.run, Some(begin)));
        }
        begins.push(last);
        for (_, wanted) in &run[from + 1..] {
            unfolding.step(wanted)?;
        }
        unfolding.send_idle();
    }
    None
}

struct Unfolding<'a, 'm, S> {
    space: &'a Space<'m, S>,
    reduction: &'a Reduction,
    scratch: Scratch,
    run: Path<S>,
}

impl<S: State> Unfolding<'_, '_, S> {
    /// The state that stands for a state.
    fn stands_for(&self, state: &S) -> Option<S> {
        let machine = self.space.machine;
        if machine.layout.fault(state).is_some() {
            return Some(state.clone());
        }
        let mut fields = Vec::new();
        machine.layout.unpack(state, &mut fields);
        let mut scratch = Scratch::of(fields);
        self.reduction.settle(machine, &mut scratch);
        machine.layout.pack(&scratch.fields)
    }

    /// Sends what counts as sent, and makes a step to a state for which `wanted` stands.
    fn step(&mut self, wanted: &S) -> Option<()> {
        self.send_idle();
        let (_, before) = self.run.last()?;
        let mut made = Vec::new();
        self.space.successors(before, None, &mut self.scratch, &mut |action, next| made.push((action, next)));
        let (action, next) =
            made.into_iter().find(|(_, next)| self.stands_for(next).as_ref() == Some(wanted))?;
        self.run.push((Some(action), next));
        Some(())
    }

    /// Sends idle messages until there is none.
    fn send_idle(&mut self) {
        let (space, machine) = (self.space, self.space.machine);
        let mut fields = Vec::new();
        while let Some((_, before)) =
            self.run.last().filter(|(_, state)| machine.layout.fault(state).is_none())
        {
            machine.layout.unpack(before, &mut fields);
            let Some((agent, position, is_confirm)) = self.reduction.idle(machine, &fields) else { return };
            let wanted = space.message(agent, position, is_confirm);
            let mut sent = None;
            space.successors(before, None, &mut self.scratch, &mut |action, next| {
                if action == wanted {
                    sent = Some(next);
                }
            });
            // Nothing happens any more where a scope is decided.
            let Some(next) = sent else { return };
            self.run.push((Some(wanted), next));
        }
    }
}

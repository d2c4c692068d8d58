//! Searches that the explicit-state engine has not: in depth, and along shortest paths between given states.
//!
//! All make successors again instead of keeping transitions. What they may go through is the caller's to say
//! ([`Kind`]); a state by which a run leaves the language is noted, and nothing behind it exists.

use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::Fairness;
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::engine::{Options, Reason};
use super::space::Space;
use super::step::Scratch;
use super::table::Table;

mod avoid;
pub(crate) mod components;
pub(crate) mod fair;
pub(crate) mod path;
pub(crate) mod terminal;

/// What a state is to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is gone through.
    Inside,
    /// It is not.
    Outside,
    /// It can't be decided: a formula has no value.
    WithoutValue(Fault),
}

/// What a search for a run that stays inside came to.
#[derive(Clone, Debug)]
pub(crate) enum Staying<S> {
    /// A run ends here.
    End(S),
    /// A run goes round through these, again and again.
    Round(Vec<S>),
    /// There is none; so many states were seen, some of which may have left the language.
    None(u64),
    /// A run leaves the language, and none was found that stays.
    Fault,
}

/// Looks for a run that begins in one of `starts`, all of which are inside, and stays inside; if it has no end it is
/// one that counts.
pub(crate) fn staying<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    options: &Options,
    budget: &Budget,
) -> Result<Staying<S>, Reason> {
    match space.machine.rules.fairness {
        Fairness::None => avoid::avoid(space, starts, kind, options, budget),
        Fairness::Weak | Fairness::Strong => fair::fair(space, starts, kind, options, budget),
    }
}

/// How many transitions lie between two looks at the budget.
const PACE: usize = 1 << 13;

/// The states of a search, by number, and how their successors are made.
pub(crate) struct States<'a, 'm, S: State> {
    pub(crate) space: &'a Space<'m, S>,
    pub(crate) table: Table<S>,
    /// The first fault met.
    pub(crate) fault: Option<Fault>,
    options: &'a Options,
    budget: &'a Budget,
    scratch: Scratch,
    made: Vec<(S, u64)>,
    /// How many transitions were made since the last look at the budget.
    unchecked: usize,
}

impl<'a, 'm, S: State> States<'a, 'm, S> {
    pub(crate) fn new(space: &'a Space<'m, S>, options: &'a Options, budget: &'a Budget) -> Self {
        States {
            space,
            table: Table::new(),
            fault: None,
            options,
            budget,
            scratch: Scratch::default(),
            made: Vec::new(),
            unchecked: 0,
        }
    }

    /// The number of a state, and whether it is new.
    pub(crate) fn add(&mut self, state: &S, hash: u64) -> Result<(u32, bool), Reason> {
        let added = self.table.add(state, hash).ok_or(Reason::States)?;
        if added.1 {
            if self.table.len() > self.options.max_states {
                return Err(Reason::States);
            }
            if let Some(fault) = self.space.machine.layout.fault(state) {
                self.fault.get_or_insert(fault);
            }
        }
        Ok(added)
    }

    /// Calls with the successors of a state, their numbers, and whether each is new, and with the table, to mark
    /// them; `extra` is what else takes memory.
    pub(crate) fn expand(
        &mut self,
        number: u32,
        extra: usize,
        mut each: impl FnMut(&mut Table<S>, &S, u32, bool),
    ) -> Result<usize, Reason> {
        self.look_at_limits(extra)?;
        self.made.clear();
        let (made, table) = (&mut self.made, &self.table);
        // Their places in memory are fetched together.
        let mut touched = 0;
        let count = self.space.successors(table.get(number), None, &mut self.scratch, &mut |_, next| {
            let hash = next.hash();
            touched ^= table.touch(hash);
            made.push((next, hash));
        });
        let touched = made.iter().fold(touched as u32, |all, (_, hash)| all ^ table.touch_state(*hash));
        std::hint::black_box(touched);
        let made = std::mem::take(&mut self.made);
        for (state, hash) in &made {
            let (to, is_new) = self.add(state, *hash)?;
            each(&mut self.table, state, to, is_new);
        }
        self.made = made;
        Ok(count)
    }

    /// The same for a state that need not be among those with numbers; calls with the successors and whether each is
    /// new.
    pub(crate) fn expand_state(
        &mut self,
        state: &S,
        extra: usize,
        mut each: impl FnMut(&S, bool),
    ) -> Result<(), Reason> {
        self.look_at_limits(extra)?;
        let mut made = std::mem::take(&mut self.made);
        made.clear();
        self.space.successors(state, None, &mut self.scratch, &mut |_, next| {
            let hash = next.hash();
            made.push((next, hash));
        });
        for (state, hash) in &made {
            let (_, is_new) = self.add(state, *hash)?;
            each(state, is_new);
        }
        self.made = made;
        Ok(())
    }

    /// The steps of a state: the agents that make them, and the numbers of the states that they lead to. Steps out of
    /// the language are among them.
    pub(crate) fn steps(&mut self, number: u32, extra: usize) -> Result<Vec<(usize, u32)>, Reason> {
        self.look_at_limits(extra)?;
        let (space, mut made) = (self.space, Vec::new());
        space.successors(self.table.get(number), None, &mut self.scratch, &mut |action, next| {
            made.push((space.label(action).agent().index(), next));
        });
        made.into_iter().map(|(agent, next)| Ok((agent, self.add(&next, next.hash())?.0))).collect()
    }

    fn look_at_limits(&mut self, extra: usize) -> Result<(), Reason> {
        self.unchecked += 1 + self.made.len();
        if self.unchecked < PACE {
            return Ok(());
        }
        self.unchecked = 0;
        self.budget.check().map_err(Reason::Stopped)?;
        self.budget.progress.set(self.table.len() as u64);
        let to_come = self.table.bytes_to_come(PACE);
        match self.options.memory {
            Some(memory) if to_come + extra > memory => Err(Reason::Stopped(Stop::Memory)),
            _ => Ok(()),
        }
    }
}

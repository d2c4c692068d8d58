//! A prepared system as a transition system for the explicit-state engine.
//!
//! Actions are numbered: agents that act, then messages. A step by which a run leaves the language leads to a
//! state of its own ([`Layout::fault`](super::pack::Layout::fault)), in which nothing can happen. Behind states in
//! which a formula holds the search need not go on ([`Space::ends`]).

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use paramcheck_labs::model::{AgentId, TupleId};
use paramcheck_labs::semantics::step::{Label, Schedule};
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::Unfit;
use super::code::{Choices, Code, Context};
use super::machine::Machine;
use super::pack::Packed;
use super::reduce::Reduction;
use super::scope::Monitor;
use super::step::Scratch;
use super::word::is_true;

/// How many choices of a step lie between two looks at the budget.
pub(crate) const CHOICES_PER_CHECK: usize = 1 << 10;

/// The states of a prepared system, of those given on.
pub(crate) struct Space<'a, S> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) initial: Vec<S>,
    /// Whether there are more initial states than are allowed: these are not all.
    pub(crate) is_cut: bool,
    /// Which state stands for which.
    pub(crate) reduction: Option<Reduction>,
    /// Initial states for which the initial ones stand; none, if nothing is left out.
    pub(crate) starts: Vec<S>,
    /// Nothing happens any more where this is true.
    pub(crate) ends: Option<&'a Code>,
    /// What is written down of scopes.
    pub(crate) monitor: Option<&'a Monitor>,
    /// Whether a value had no room: an error of ours, and no answer.
    unfit: AtomicBool,
    /// A step may have very many choices: what ends the search among them.
    budget: Budget,
    /// Whether it did: then successors are missing, and nothing that was found is an answer.
    stopped: OnceLock<Stop>,
    state: PhantomData<fn() -> S>,
}

impl<'a, S: State> Space<'a, S> {
    pub(crate) fn new(machine: &'a Machine<'a>, initial: Vec<S>, budget: &Budget) -> Self {
        let (unfit, stopped) = (AtomicBool::new(false), OnceLock::new());
        let budget = budget.clone();
        Space {
            machine,
            initial,
            is_cut: false,
            reduction: None,
            starts: Vec::new(),
            ends: None,
            monitor: None,
            unfit,
            budget,
            stopped,
            state: PhantomData,
        }
    }

    /// Leaves out states for which others stand.
    pub(crate) fn reduce(&mut self, reduction: Reduction) -> Result<(), Unfit> {
        let layout = &self.machine.layout;
        let mut scratch = Scratch::default();
        let settled = self.initial.iter().map(|state| {
            layout.unpack(state, &mut scratch.fields);
            scratch.changed.clear();
            reduction.settle(self.machine, &mut scratch);
            layout.pack(&scratch.fields).ok_or(Unfit::NoRoom)
        });
        let mut settled: Vec<S> = settled.collect::<Result<_, _>>()?;
        settled.sort_unstable();
        settled.dedup();
        self.starts = std::mem::replace(&mut self.initial, settled);
        self.reduction = Some(reduction);
        Ok(())
    }

    /// The same system with all its states.
    pub(crate) fn whole(&self) -> Space<'a, S> {
        let mut whole = Space::new(self.machine, Vec::new(), &self.budget);
        (whole.ends, whole.monitor) = (self.ends, self.monitor);
        whole
    }

    fn each_successor(
        &self,
        state: &S,
        scratch: &mut Scratch,
        each: &mut dyn FnMut(u32, S) -> bool,
    ) -> usize {
        let machine = self.machine;
        if machine.layout.fault(state).is_some() {
            return 0;
        }
        machine.layout.unpack(state, &mut scratch.fields);
        scratch.changed.clear();
        scratch.choices.reset();
        if self.ends.is_some_and(|ends| is_true(scratch.word(ends, machine.width()))) {
            return 0;
        }
        if self.monitor.is_some_and(|monitor| monitor.is_over(machine, &scratch.fields)) {
            return 0;
        }
        let mut successors = Successors { space: self, state, scratch, each, count: 0, goes_on: true };
        successors.all();
        successors.count
    }

    /// Whether nothing can happen in a state; the first step settles it.
    pub(crate) fn is_stuck(&self, state: &S, scratch: &mut Scratch) -> bool {
        self.each_successor(state, scratch, &mut |_, _| false) == 0
    }

    /// That all values had room, and no successors are missing.
    ///
    /// # Errors
    /// It is not so, and what was found with these states is no answer.
    pub(crate) fn check(&self) -> Result<(), Unfit> {
        match self.stopped.get() {
            _ if self.unfit.load(Ordering::Relaxed) => Err(Unfit::NoRoom),
            Some(stop) => Err(Unfit::Stopped(*stop)),
            None => Ok(()),
        }
    }

    /// What happens in a step.
    pub(crate) fn label(&self, action: u32) -> Label {
        let (action, agents) = (action as usize, self.machine.agents.len());
        let Some(message) = action.checked_sub(agents) else { return Label::Act(AgentId::new(action)) };
        let tuples = self.machine.tuples.len().max(1);
        let (agent, tuple) = (AgentId::new(message / 2 / tuples), TupleId::new(message / 2 % tuples));
        if message % 2 == 0 { Label::Confirm(agent, tuple) } else { Label::Propagate(agent, tuple) }
    }

    /// The action by which an agent sends one of its tuples, given by position: propagated, or as a question.
    pub(crate) fn message(&self, agent: usize, position: usize, is_confirm: bool) -> u32 {
        let tuple = self.machine.agents[agent].held[position].0.index();
        let message = (agent * self.machine.tuples.len() + tuple) * 2 + usize::from(!is_confirm);
        (self.machine.agents.len() + message) as u32
    }

    /// The action of an agent that leads from one state to the next.
    pub(crate) fn action_between(&self, before: &S, after: &S, agent: usize) -> Option<u32> {
        let mut found = None;
        self.each_successor(before, &mut Scratch::default(), &mut |action, next| {
            if next == *after && self.label(action).agent().index() == agent {
                found = Some(action);
            }
            found.is_none()
        });
        found
    }

    /// The word of a formula in a state.
    pub(crate) fn word(&self, formula: &Code, state: &S, choices: &mut Choices) -> i64 {
        let cells = &Packed { layout: &self.machine.layout, state };
        formula.word(&mut Context { cells, locals: &[], choices, width: self.machine.width() })
    }

    /// The word of a formula in a state; nothing is chosen.
    pub(crate) fn value(&self, formula: &Code, state: &S) -> i64 {
        self.word(formula, state, &mut Choices::default())
    }
}

/// Makes the successors of one state.
struct Successors<'a, 'b, S> {
    space: &'a Space<'b, S>,
    state: &'a S,
    scratch: &'a mut Scratch,
    /// Not a type of its own: all that is here would be compiled for each.
    each: &'a mut dyn FnMut(u32, S) -> bool,
    count: usize,
    goes_on: bool,
}

impl<S: State> Successors<'_, '_, S> {
    fn all(&mut self) {
        let machine = self.space.machine;
        let agents = machine.agents.len();
        match machine.rules.schedule {
            Schedule::Free => (0..agents).for_each(|agent| self.acts_of(agent)),
            Schedule::StrictTurns if agents > 0 => self.acts_of(self.turn()),
            Schedule::RoundRobin if agents > 0 => {
                let mut agent = self.turn();
                for _ in 0..agents {
                    if machine.is_pending(&self.scratch.fields, &machine.agents[agent]) {
                        break;
                    }
                    let before = self.count;
                    self.acts_of(agent);
                    if self.count > before {
                        break;
                    }
                    agent = if agent + 1 == agents { 0 } else { agent + 1 };
                }
            }
            Schedule::StrictTurns | Schedule::RoundRobin => {}
        }
        if !machine.rules.is_sync {
            (0..agents).for_each(|agent| self.messages_of(agent));
        }
    }

    fn turn(&self) -> usize {
        usize::try_from(self.scratch.fields[self.space.machine.turn]).unwrap_or(0)
    }

    /// What an agent can do: nothing, while it has messages to send.
    fn acts_of(&mut self, number: usize) {
        let machine = self.space.machine;
        let agent = &machine.agents[number];
        if !self.goes_on || machine.is_pending(&self.scratch.fields, agent) {
            return;
        }
        let mut last: Option<S> = None;
        for (at, component) in agent.components.iter().enumerate() {
            let here = usize::try_from(self.scratch.fields[agent.counter + at]).unwrap_or(0);
            for triple in &component.offers[here] {
                let triple = &agent.triples[*triple];
                self.scratch.choices.reset();
                for choice in 1.. {
                    if choice % CHOICES_PER_CHECK == 0
                        && let Err(stop) = self.space.budget.check()
                    {
                        self.space.stopped.get_or_init(|| stop);
                        self.goes_on = false;
                    }
                    if !self.goes_on {
                        return;
                    }
                    let made = machine.act(self.scratch, number, triple);
                    let next = match made {
                        Ok(true) => self.packed(),
                        Ok(false) => None,
                        Err(fault) => Some(machine.layout.left(fault)),
                    };
                    self.scratch.undo();
                    if let Some(next) = next
                        && last.as_ref() != Some(&next)
                    {
                        last = Some(next.clone());
                        self.emit(number as u32, next);
                    }
                    if !triple.chooses || !self.scratch.choices.next() {
                        break;
                    }
                }
            }
        }
    }

    fn messages_of(&mut self, number: usize) {
        let machine = self.space.machine;
        let agent = &machine.agents[number];
        let (confirm, propagate) = (self.scratch.fields[agent.confirm], self.scratch.fields[agent.propagate]);
        let mut left = confirm | propagate;
        while left != 0 {
            let position = left.trailing_zeros() as usize;
            left &= left - 1;
            for (pending, is_confirm) in [(confirm, true), (propagate, false)] {
                if pending >> position & 1 == 0 || !self.goes_on {
                    continue;
                }
                let sent = machine.send(self.scratch, number, position, is_confirm);
                let next = match sent {
                    Ok(()) => self.packed(),
                    Err(fault) => Some(machine.layout.left(fault)),
                };
                self.scratch.undo();
                if let Some(next) = next {
                    self.emit(self.space.message(number, position, is_confirm), next);
                }
            }
        }
    }

    /// The state that the fields are now.
    fn packed(&mut self) -> Option<S> {
        let machine = self.space.machine;
        if let Some(monitor) = self.space.monitor {
            monitor.advance(machine, self.scratch);
        }
        if let Some(reduction) = &self.space.reduction {
            reduction.settle(machine, self.scratch);
        }
        let mut next = self.state.clone();
        for (field, _) in &self.scratch.changed {
            if !machine.layout.set(&mut next, *field, self.scratch.fields[*field]) {
                self.space.unfit.store(true, Ordering::Relaxed);
                return None;
            }
        }
        Some(next)
    }

    #[inline]
    fn emit(&mut self, action: u32, next: S) {
        self.count += 1;
        self.goes_on = self.goes_on && (self.each)(action, next);
    }
}

impl<S: State> TransitionSystem for Space<'_, S> {
    type State = S;
    type Scratch = Scratch;

    fn initial(&self) -> Vec<S> {
        self.initial.clone()
    }

    fn successors(
        &self,
        state: &S,
        last: Option<u32>,
        scratch: &mut Scratch,
        each: &mut impl FnMut(u32, S),
    ) -> usize {
        self.successors_while(state, last, scratch, &mut |action, next| {
            each(action, next);
            true
        })
    }

    fn successors_while(
        &self,
        state: &S,
        _last: Option<u32>,
        scratch: &mut Scratch,
        each: &mut impl FnMut(u32, S) -> bool,
    ) -> usize {
        self.each_successor(state, scratch, each)
    }

    fn weight(&self) -> usize {
        self.machine.layout.bits() as usize / 16 + self.machine.agents.len()
    }
}

//! One step after the other on unpacked fields, each by chance.

use paramcheck_labs::model::AgentId;
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::{Label, Schedule};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use crate::labs::Unfit;
use crate::labs::machine::Machine;
use crate::labs::space::CHOICES_PER_CHECK;
use crate::labs::step::Scratch;

/// A walk through a system.
pub(super) struct Walker<'e, 'a> {
    machine: &'e Machine<'a>,
    budget: &'e Budget,
    pub(super) scratch: Scratch,
    candidates: Vec<Candidate>,
}

/// Where a step leads.
pub(super) enum Moved {
    /// To another state.
    To(Label),
    /// There is none.
    Nowhere,
    /// Out of the language.
    Leaves(Label, Fault),
}

/// What might happen next.
#[derive(Clone, Copy)]
enum Candidate {
    /// An agent does what one of its triples says.
    Act { agent: usize, triple: usize },
    /// An agent sends one of its tuples, by position.
    Message { agent: usize, position: usize, is_confirm: bool },
}

/// What comes of a candidate.
enum Tried {
    Made,
    Impossible,
    Fault(Fault),
}

impl<'e, 'a> Walker<'e, 'a> {
    pub(super) fn new(machine: &'e Machine<'a>, budget: &'e Budget) -> Self {
        Walker { machine, budget, scratch: Scratch::default(), candidates: Vec::new() }
    }

    /// Goes on by a step.
    ///
    /// # Errors
    /// A limit was reached.
    pub(super) fn step(&mut self, chance: &mut Random) -> Result<Moved, Unfit> {
        self.candidates.clear();
        let agents = self.machine.agents.len();
        match self.machine.rules.schedule {
            Schedule::Free => (0..agents).for_each(|agent| self.offers(agent)),
            Schedule::StrictTurns if agents > 0 => self.offers(self.turn()),
            Schedule::RoundRobin if agents > 0 => self.first_that_can(chance)?,
            Schedule::StrictTurns | Schedule::RoundRobin => {}
        }
        if !self.machine.rules.is_sync {
            (0..agents).for_each(|agent| self.messages(agent));
        }
        while !self.candidates.is_empty() {
            let chosen = chance.below(self.candidates.len() as u64);
            let candidate = self.candidates.swap_remove(usize::try_from(chosen).unwrap_or(0));
            match self.attempt(candidate, chance)? {
                Tried::Impossible => {}
                Tried::Made => {
                    self.scratch.changed.clear();
                    return Ok(Moved::To(self.label(candidate)));
                }
                Tried::Fault(fault) => {
                    self.scratch.undo();
                    return Ok(Moved::Leaves(self.label(candidate), fault));
                }
            }
        }
        Ok(Moved::Nowhere)
    }

    fn turn(&self) -> usize {
        usize::try_from(self.scratch.fields[self.machine.turn]).unwrap_or(0)
    }

    /// What an agent offers, possible or not.
    fn offers(&mut self, number: usize) {
        let agent = &self.machine.agents[number];
        if self.machine.is_pending(&self.scratch.fields, agent) {
            return;
        }
        for (at, component) in agent.components.iter().enumerate() {
            let here = usize::try_from(self.scratch.fields[agent.counter + at]).unwrap_or(0);
            let offers = component.offers[here].iter();
            self.candidates.extend(offers.map(|triple| Candidate::Act { agent: number, triple: *triple }));
        }
    }

    fn messages(&mut self, number: usize) {
        let agent = &self.machine.agents[number];
        for (field, is_confirm) in [(agent.confirm, true), (agent.propagate, false)] {
            let mut left = self.scratch.fields[field];
            while left != 0 {
                let position = left.trailing_zeros() as usize;
                left &= left - 1;
                self.candidates.push(Candidate::Message { agent: number, position, is_confirm });
            }
        }
    }

    /// The possible steps of the first agent, from the one whose turn it is, that has any; a turn waits for
    /// messages.
    fn first_that_can(&mut self, chance: &mut Random) -> Result<(), Unfit> {
        let agents = self.machine.agents.len();
        let mut agent = self.turn();
        for _ in 0..agents {
            if self.machine.is_pending(&self.scratch.fields, &self.machine.agents[agent]) {
                return Ok(());
            }
            self.offers(agent);
            for at in (0..self.candidates.len()).rev() {
                let is_possible = !matches!(self.attempt(self.candidates[at], chance)?, Tried::Impossible);
                self.scratch.undo();
                if !is_possible {
                    self.candidates.swap_remove(at);
                }
            }
            if !self.candidates.is_empty() {
                return Ok(());
            }
            agent = if agent + 1 == agents { 0 } else { agent + 1 };
        }
        Ok(())
    }

    /// Does what a candidate says; where that is impossible nothing is changed.
    fn attempt(&mut self, candidate: Candidate, chance: &mut Random) -> Result<Tried, Unfit> {
        match candidate {
            Candidate::Message { agent, position, is_confirm } => {
                let sent = self.machine.send(&mut self.scratch, agent, position, is_confirm);
                Ok(sent.map_or_else(Tried::Fault, |()| Tried::Made))
            }
            Candidate::Act { agent, triple } => {
                let chooses = self.machine.agents[agent].triples[triple].chooses;
                if chooses {
                    self.scratch.choices.by_chance(chance.number());
                }
                let tried = self.act(agent, triple);
                if !chooses || !matches!(tried, Tried::Impossible) {
                    return Ok(tried);
                }
                // Other choices may be possible: one of these.
                match self.possible(agent, triple, chance)? {
                    None => Ok(Tried::Impossible),
                    Some(number) => self.choice(agent, triple, number),
                }
            }
        }
    }

    fn act(&mut self, agent: usize, triple: usize) -> Tried {
        let triple = &self.machine.agents[agent].triples[triple];
        match self.machine.act(&mut self.scratch, agent, triple) {
            Ok(true) => Tried::Made,
            Ok(false) => {
                self.scratch.undo();
                Tried::Impossible
            }
            Err(fault) => Tried::Fault(fault),
        }
    }

    /// The number of one of the combinations of choices that are possible.
    fn possible(&mut self, agent: usize, triple: usize, chance: &mut Random) -> Result<Option<u64>, Unfit> {
        let (mut chosen, mut count) = (None, 0);
        self.scratch.choices.in_order();
        for number in 0u64.. {
            if number % CHOICES_PER_CHECK as u64 == 0 {
                self.budget.check().map_err(Unfit::Stopped)?;
            }
            let tried = self.act(agent, triple);
            self.scratch.undo();
            if !matches!(tried, Tried::Impossible) {
                count += 1;
                if chance.below(count) == 0 {
                    chosen = Some(number);
                }
            }
            if !self.scratch.choices.next() {
                break;
            }
        }
        Ok(chosen)
    }

    /// The combination of choices of this number.
    fn choice(&mut self, agent: usize, triple: usize, number: u64) -> Result<Tried, Unfit> {
        self.scratch.choices.in_order();
        for before in 0..number {
            if before % CHOICES_PER_CHECK as u64 == 0 {
                self.budget.check().map_err(Unfit::Stopped)?;
            }
            self.act(agent, triple);
            self.scratch.undo();
            self.scratch.choices.next();
        }
        Ok(self.act(agent, triple))
    }

    fn label(&self, candidate: Candidate) -> Label {
        match candidate {
            Candidate::Act { agent, .. } => Label::Act(AgentId::new(agent)),
            Candidate::Message { agent, position, is_confirm } => {
                let (tuple, _) = self.machine.agents[agent].held[position];
                let agent = AgentId::new(agent);
                if is_confirm { Label::Confirm(agent, tuple) } else { Label::Propagate(agent, tuple) }
            }
        }
    }
}

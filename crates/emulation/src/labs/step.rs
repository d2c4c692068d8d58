//! Steps of a prepared system, on unpacked fields: an agent acts, a message is sent.
//!
//! Each changes the fields in place and writes down what was there, so that a successor costs what it changes.
//! The rules are those of `paramcheck_labs::semantics::step`.

use paramcheck_labs::model::TupleId;
use paramcheck_labs::number::{Fault, Width};
use paramcheck_labs::semantics::step::{Schedule, Semantics};

use paramcheck_text::index::Idx;

use super::code::{Choices, Code, Context};
use super::compile::{ActionCode, PlaceCode, StatementCode};
use super::machine::{Agent, Hearers, Machine, Prepared};
use super::word::{NO_AGENT, fault, is_halt, is_number, is_true};

/// An unpacked state, what it was before the step that is being made, and memory for that step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) fields: Vec<i64>,
    /// The fields changed, and their words before.
    pub(crate) changed: Vec<(usize, i64)>,
    pub(crate) locals: Vec<i64>,
    pub(crate) choices: Choices,
    /// Links choose nothing; what they would is forgotten.
    unused: Choices,
    assigned: Vec<(Assigned, i64)>,
    candidates: Vec<i64>,
}

#[derive(Clone, Copy, Debug)]
enum Assigned {
    Cell(usize),
    Local(usize),
}

/// Whether a step is made: not, if it is not possible.
type Made = Result<bool, Fault>;

impl Scratch {
    /// These fields, unchanged.
    pub(crate) fn of(fields: Vec<i64>) -> Scratch {
        Scratch { fields, ..Scratch::default() }
    }

    /// Changes a field.
    #[inline]
    pub(crate) fn set(&mut self, field: usize, word: i64) {
        let before = std::mem::replace(&mut self.fields[field], word);
        if before != word {
            self.changed.push((field, before));
        }
    }

    /// Takes all changes back.
    #[inline]
    pub(crate) fn undo(&mut self) {
        while let Some((field, before)) = self.changed.pop() {
            self.fields[field] = before;
        }
    }

    /// The word of a formula about the store, as of a link.
    #[inline]
    pub(crate) fn formula(&mut self, code: &Code, width: Width) -> i64 {
        self.link(code, width)
    }

    #[inline]
    fn link(&mut self, code: &Code, width: Width) -> i64 {
        if let Some(word) = code.constant() {
            return word;
        }
        self.unused.reset();
        let cells = self.fields.as_slice();
        code.word(&mut Context { cells, locals: &[], choices: &mut self.unused, width })
    }

    /// The word of an expression.
    #[inline]
    pub(crate) fn word(&mut self, code: &Code, width: Width) -> i64 {
        let (cells, locals) = (self.fields.as_slice(), self.locals.as_slice());
        code.word(&mut Context { cells, locals, choices: &mut self.choices, width })
    }
}

/// The positions of the bits that are set.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(at)
    })
}

/// The fault, or that the step is not possible.
fn halted(word: i64) -> Made {
    match fault(word) {
        Some(fault) => Err(fault),
        None => Ok(false),
    }
}

impl Machine<'_> {
    /// Whether an agent has messages to send.
    #[inline]
    pub(crate) fn is_pending(&self, fields: &[i64], agent: &Agent) -> bool {
        fields[agent.confirm] | fields[agent.propagate] != 0
    }

    /// An agent does what a triple says.
    pub(crate) fn act(&self, scratch: &mut Scratch, number: usize, triple: &Prepared) -> Made {
        let agent = &self.agents[number];
        for (guard, is_positive) in &triple.guards {
            let word = scratch.word(guard, self.width());
            if is_halt(word) {
                return halted(word);
            }
            if is_true(word) != *is_positive {
                return Ok(false);
            }
        }
        if let Some(action) = &triple.action
            && !self.execute(scratch, action)?
        {
            return Ok(false);
        }
        for position in &triple.renewed {
            self.renew(scratch, agent.held[*position]);
        }
        let propagates = scratch.fields[agent.propagate] | triple.propagates;
        scratch.set(agent.propagate, propagates);
        let confirms = scratch.fields[agent.confirm] | triple.confirms;
        scratch.set(agent.confirm, confirms);
        if self.rules.schedule != Schedule::Free {
            let next = if number + 1 == self.agents.len() { 0 } else { number + 1 };
            scratch.set(self.turn, i64::try_from(next).unwrap_or(0));
        }
        for (counter, location) in &triple.exit {
            scratch.set(*counter, *location);
        }
        if let Some(operand) = triple.operand {
            self.join(scratch, agent, operand);
        }
        if self.rules.is_sync {
            self.deliver(scratch)?;
        }
        Ok(true)
    }

    /// Goes on where all operands have ended.
    fn join(&self, scratch: &mut Scratch, agent: &Agent, operand: usize) {
        let mut at = operand;
        while scratch.fields[agent.counter + at] == 0
            && let Some(parent) = agent.components[at].parent
        {
            let component = &agent.components[parent];
            let has_ended = |child: &usize| scratch.fields[agent.counter + child] == 0;
            let here = usize::try_from(scratch.fields[agent.counter + parent]).unwrap_or(0);
            let Some(joined) = component.joined[here].filter(|_| component.children.iter().all(has_ended))
            else {
                return;
            };
            scratch.set(agent.counter + parent, joined);
            at = parent;
        }
    }

    fn execute(&self, scratch: &mut Scratch, action: &ActionCode) -> Made {
        scratch.locals.clear();
        scratch.locals.resize(action.locals, super::word::UNDEFINED);
        for statement in &action.statements {
            let is_possible = match statement {
                StatementCode::Assign(all) => self.assign(scratch, all)?,
                StatementCode::Pick { local, count, candidates } => {
                    self.pick(scratch, *local, *count, candidates)?
                }
            };
            if !is_possible {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn assign(&self, scratch: &mut Scratch, all: &[(PlaceCode, Code)]) -> Made {
        let width = self.width();
        if let [(PlaceCode::Cell(cell), code)] = all {
            let word = scratch.word(code, width);
            if !is_number(word) {
                return halted(word);
            }
            scratch.set(*cell, word);
            return Ok(true);
        }
        scratch.assigned.clear();
        for (place, code) in all {
            let place = match place {
                PlaceCode::Cell(cell) => Assigned::Cell(*cell),
                PlaceCode::Local(local) => Assigned::Local(*local),
                PlaceCode::Nowhere => return halted(NO_AGENT),
                PlaceCode::Element(array, indices) => {
                    let (cells, locals) = (scratch.fields.as_slice(), scratch.locals.as_slice());
                    let choices = &mut scratch.choices;
                    match array.flat(indices, &mut Context { cells, locals, choices, width }) {
                        Ok(flat) => Assigned::Cell(array.first + flat),
                        Err(word) => return halted(word),
                    }
                }
            };
            let word = scratch.word(code, width);
            if !is_number(word) {
                return halted(word);
            }
            scratch.assigned.push((place, word));
        }
        for at in 0..scratch.assigned.len() {
            match scratch.assigned[at] {
                (Assigned::Cell(cell), word) => scratch.set(cell, word),
                (Assigned::Local(local), word) => scratch.locals[local] = word,
            }
        }
        Ok(true)
    }

    fn pick(
        &self,
        scratch: &mut Scratch,
        local: usize,
        count: usize,
        candidates: &[(i64, Option<Code>)],
    ) -> Made {
        scratch.candidates.clear();
        for (candidate, condition) in candidates {
            let word = condition.as_ref().map_or(1, |condition| scratch.word(condition, self.width()));
            if is_halt(word) {
                return halted(word);
            }
            if is_true(word) {
                scratch.candidates.push(*candidate);
            }
        }
        if scratch.candidates.len() < count {
            return Ok(false);
        }
        for position in 0..count {
            let chosen = scratch.choices.choose(scratch.candidates.len() as u64);
            let picked = scratch.candidates.remove(usize::try_from(chosen).unwrap_or(0));
            scratch.locals[local + position] = picked;
        }
        Ok(true)
    }

    /// Makes a copy the strictly newest.
    fn renew(&self, scratch: &mut Scratch, (tuple, own): (TupleId, usize)) {
        let copies = &self.tuples[tuple.index()].copies;
        let before = scratch.fields[copies[own].rank];
        let (mut newest, mut is_alone) = (0, true);
        for (position, copy) in copies.iter().enumerate() {
            let rank = scratch.fields[copy.rank];
            newest = newest.max(rank);
            is_alone &= position == own || rank != before;
        }
        if !is_alone {
            scratch.set(copies[own].rank, newest + 1);
            return;
        }
        for copy in copies {
            let rank = scratch.fields[copy.rank];
            if rank > before {
                scratch.set(copy.rank, rank - 1);
            }
        }
        scratch.set(copies[own].rank, newest);
    }

    /// An agent sends what it has of one of its tuples, given by position: propagated, or as a question.
    pub(crate) fn send(
        &self,
        scratch: &mut Scratch,
        sender: usize,
        position: usize,
        is_confirm: bool,
    ) -> Result<(), Fault> {
        let agent = &self.agents[sender];
        let (tuple, own) = agent.held[position];
        let tuple = &self.tuples[tuple.index()];
        let copy = &tuple.copies[own];
        let ranks = tuple.ranks..tuple.ranks + tuple.copies.len();
        let rank = scratch.fields[copy.rank];
        let (mut older, mut newer) = (0u64, 0u64);
        for (at, known) in scratch.fields[ranks.clone()].iter().enumerate() {
            older |= u64::from(*known < rank) << at;
            newer |= u64::from(*known > rank) << at;
        }
        let may = match self.rules.semantics {
            _ if !is_confirm => older,
            Semantics::Paper => u64::MAX,
            Semantics::Sliver => older | newer,
        };
        // Who hears it is known before anything is changed.
        let Hearers { always, sometimes } = tuple.hearers[own];
        let mut hearing = may & always;
        for at in bits(may & sometimes) {
            let word = scratch.link(tuple.link(own, at), self.width());
            if let Some(fault) = fault(word) {
                return Err(fault);
            }
            hearing |= u64::from(is_true(word)) << at;
        }
        let field = if is_confirm { agent.confirm } else { agent.propagate };
        let rest = scratch.fields[field] & !copy.bit;
        scratch.set(field, rest);
        for at in bits(hearing) {
            let receiver = &tuple.copies[at];
            let pending = scratch.fields[receiver.propagate] | receiver.bit;
            scratch.set(receiver.propagate, pending);
        }
        let renewed = hearing & older;
        if renewed == 0 {
            return Ok(());
        }
        for at in bits(renewed) {
            let receiver = &tuple.copies[at];
            let questions = scratch.fields[receiver.confirm] & !receiver.bit;
            scratch.set(receiver.confirm, questions);
            for (to, from) in receiver.cells.iter().zip(&copy.cells) {
                let word = scratch.fields[*from];
                scratch.set(*to, word);
            }
        }
        let ranked = |at: usize, before: i64| if renewed >> at & 1 == 1 { rank } else { before };
        let mut used = 0u64;
        for (at, before) in scratch.fields[ranks].iter().enumerate() {
            used |= 1 << ranked(at, *before);
        }
        // Where nobody is left of a rank, there would be a gap.
        if used & (used + 1) == 0 {
            bits(renewed).for_each(|at| scratch.set(tuple.ranks + at, rank));
            return Ok(());
        }
        let mut closed = [0i64; 64];
        bits(used).zip(0..).for_each(|(before, after)| closed[before] = after);
        for at in 0..tuple.copies.len() {
            let before = ranked(at, scratch.fields[tuple.ranks + at]);
            scratch.set(tuple.ranks + at, closed[before as usize & 63]);
        }
        Ok(())
    }

    /// Sends messages until none is pending: of the lowest agent first, its questions before what it propagates.
    fn deliver(&self, scratch: &mut Scratch) -> Result<(), Fault> {
        loop {
            let pending = self.agents.iter().position(|agent| self.is_pending(&scratch.fields, agent));
            let Some(number) = pending else { return Ok(()) };
            let agent = &self.agents[number];
            let (confirm, propagate) = (scratch.fields[agent.confirm], scratch.fields[agent.propagate]);
            let is_confirm = confirm != 0;
            let bits = if is_confirm { confirm } else { propagate };
            self.send(scratch, number, bits.trailing_zeros() as usize, is_confirm)?;
        }
    }
}

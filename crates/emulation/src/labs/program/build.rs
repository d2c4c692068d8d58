//! The triples of a program: messages, what agents do, turns; and the question put to them.

use paramcheck_labs::model::{AgentId, KindId, System, TupleId};
use paramcheck_labs::semantics::step::{Label, Schedule};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;
use paramcheck_text::source::Span;

use crate::Structure;
use crate::expression::{Assignment, Expression, Variable, VariableId};
use crate::labs::compile::Compiler;
use crate::labs::machine::Machine;
use crate::labs::triples;
use crate::question::Question;
use crate::triple::{Action, LocationId, Triple, TripleId};

use super::act::{self, MAX_TRIPLES};
use super::cells::Cells;
use super::counter::Counters;
use super::define::Definitions;
use super::question::{Needed, Posed, Poser, goes_on, one_of};
use super::shared::{self, Shared, is_set, variable};
use super::terms::{self, FALSE, TRUE, all, and, any, equal, known, not, number, or, plus};
use super::{AgentProgram, FAULT, Goal, Meaning, NotProgrammed, message};

/// A triple in the making.
pub(super) struct Draft {
    label: Label,
    /// Where it is offered: agent and triple of the agent.
    offered: Option<(usize, usize)>,
    /// What else must hold.
    guard: Expression,
    /// Where it leaves the language instead, under the same guard.
    fault: Expression,
    alive: Expression,
    assigned: Vec<(VariableId, Expression)>,
    exit: Vec<(usize, i64)>,
    title: String,
}

pub(super) struct Builder<'a, 'm> {
    pub(super) machine: &'a Machine<'m>,
    pub(super) kinds: &'a IndexVec<KindId, triples::Structure>,
    pub(super) text: &'a str,
    pub(super) counters: Vec<Counters>,
    pub(super) definitions: Definitions,
    pub(super) cells: Cells,
    pub(super) shared: Shared,
    pub(super) needed: Needed,
    pub(super) drafts: Vec<Draft>,
    pub(super) budget: &'a Budget,
}

impl Builder<'_, '_> {
    pub(super) fn finish(
        mut self,
        goal: Goal<'_>,
        joins: Vec<Triple>,
    ) -> Result<AgentProgram, NotProgrammed> {
        let (machine, width) = (self.machine, self.machine.width());
        let system = machine.system;
        let pending = self.pending()?;
        self.messages(&pending)?;
        self.acts(&pending)?;
        let may_fault = self.drafts.iter().any(|draft| draft.fault != FALSE);
        let fault = may_fault.then(|| {
            let own =
                Variable { name: FAULT.to_owned(), agent: None, least: 0, greatest: 1, initial: vec![0] };
            let id = self.definitions.structure.variables.push(own);
            let range = all([terms::at_most(FALSE, variable(id)), terms::at_most(variable(id), TRUE)]);
            self.definitions.structure.invariants.push(range);
            id
        });
        let is_fault = fault.map_or(FALSE, is_set);
        let is_quiet = match machine.rules.is_sync {
            true => not(one_of(pending.clone())),
            false => TRUE,
        };
        let is_state = and(not(is_fault.clone()), is_quiet);
        let mut poser = Poser {
            machine,
            cells: &self.cells,
            definitions: &mut self.definitions,
            is_state,
            is_fault: is_fault.clone(),
            needed: &self.needed,
        };
        let mut compiler = Compiler::new(system, width);
        let Posed { mut demand, assigned } = match goal {
            Goal::Fault => poser.fault(),
            Goal::Property(property) => poser.property(&mut compiler, property)?,
        };
        if compiler.has_foreign {
            return Err(NotProgrammed::Foreign);
        }
        let mut assumption = TRUE;
        for own in &machine.assumptions {
            // It stands for itself: initial states have no definitions.
            let mut none = Definitions::new(Structure::default());
            none.structure.variables = self.definitions.structure.variables.clone();
            none.structure.arrays = self.definitions.structure.arrays.clone();
            none.is_inlined = true;
            assumption = and(assumption, act::of_store(own, &self.cells, width, &mut none)?.is_true());
        }
        self.definitions.structure.assumption = (assumption != TRUE).then_some(assumption);
        let mut meanings = IndexVec::new();
        for draft in std::mem::take(&mut self.drafts) {
            self.budget.check().map_err(NotProgrammed::Stopped)?;
            self.push(draft, fault, &assigned, &mut meanings)?;
        }
        for join in joins {
            self.definitions.structure.triples.push(join);
            meanings.push(None);
        }
        let name = match goal {
            Goal::Fault => FAULT.to_owned(),
            Goal::Property(property) => property.name.clone(),
        };
        let mut expressions = Vec::new();
        demand.each_expression(&mut |expression| expressions.push(expression));
        let structure = self.definitions.finish(&mut expressions);
        let question = Question { name, demand };
        let (cells, shared) = (self.cells, self.shared);
        Ok(AgentProgram { structure, question, may_fault, meanings, cells, shared, fault })
    }

    /// Per agent that it has messages to send.
    fn pending(&mut self) -> Result<Vec<Expression>, NotProgrammed> {
        let mut all = Vec::new();
        for agent in 0..self.machine.agents.len() {
            let bits = self.shared.pending(self.machine, agent);
            all.push(
                self.definitions.named(&format!("is_pending_{agent}"), any(bits.into_iter().map(is_set)))?,
            );
        }
        Ok(all)
    }

    fn messages(&mut self, pending: &[Expression]) -> Result<(), NotProgrammed> {
        let machine = self.machine;
        let system = machine.system;
        for (number, agent) in machine.agents.iter().enumerate() {
            for is_confirm in [true, false] {
                for (position, (tuple, own)) in agent.held.iter().enumerate() {
                    self.budget.check().map_err(NotProgrammed::Stopped)?;
                    let copy = &self.shared.copies[tuple.index()][*own];
                    let Some(bit) = (if is_confirm { copy.confirm } else { copy.propagate }) else {
                        continue;
                    };
                    let sent = message::sent(
                        machine,
                        (tuple.index(), *own),
                        is_confirm,
                        (&self.cells, &self.shared),
                        machine.width(),
                        &mut self.definitions,
                    )?;
                    let mut guard = vec![is_set(bit)];
                    if machine.rules.is_sync {
                        // The lowest agent first, its questions before what it propagates, tuples in order.
                        guard.extend(pending[..number].iter().cloned().map(not));
                        guard.extend(
                            self.before(number, is_confirm, position).into_iter().map(|one| not(is_set(one))),
                        );
                    }
                    let name = tuple_name(system, *tuple);
                    let (id, word) = (AgentId::new(number), if is_confirm { "confirm" } else { "propagate" });
                    self.drafts.push(Draft {
                        label: if is_confirm {
                            Label::Confirm(id, *tuple)
                        } else {
                            Label::Propagate(id, *tuple)
                        },
                        offered: None,
                        guard: all(guard),
                        alive: not(sent.fault.clone()),
                        fault: sent.fault,
                        assigned: sent.assigned,
                        exit: Vec::new(),
                        title: format!("{word} {name}"),
                    });
                }
            }
        }
        Ok(())
    }

    /// The bits of an agent's messages that are sent before one of it.
    fn before(&self, agent: usize, is_confirm: bool, position: usize) -> Vec<VariableId> {
        let held = &self.machine.agents[agent].held;
        let copy = |(tuple, own): &(TupleId, usize)| &self.shared.copies[tuple.index()][*own];
        let questions = if is_confirm { &held[..position] } else { held.as_slice() };
        let others = if is_confirm { &[][..] } else { &held[..position] };
        let questions = questions.iter().filter_map(|held| copy(held).confirm);
        questions.chain(others.iter().filter_map(|held| copy(held).propagate)).collect()
    }

    fn acts(&mut self, pending: &[Expression]) -> Result<(), NotProgrammed> {
        let machine = self.machine;
        let system = machine.system;
        let mut able: Vec<Vec<Expression>> = vec![Vec::new(); machine.agents.len()];
        let first = self.drafts.len();
        for (number, agent) in machine.agents.iter().enumerate() {
            let kind = system.agents[AgentId::new(number)];
            for (triple, prepared) in agent.triples.iter().enumerate() {
                self.budget.check().map_err(NotProgrammed::Stopped)?;
                let ways = act::ways(prepared, &self.cells, machine.width(), &mut self.definitions)?;
                let mut renewed = Vec::new();
                for position in &prepared.renewed {
                    let (tuple, own) = agent.held[*position];
                    let copies = &self.shared.copies[tuple.index()];
                    let name = format!("{number}_{}", tuple.index());
                    renewed.extend(shared::renewed(copies, own, &name, &mut self.definitions)?);
                }
                for (position, (tuple, own)) in agent.held.iter().enumerate() {
                    let copy = &self.shared.copies[tuple.index()][*own];
                    let bits = [(prepared.confirms, copy.confirm), (prepared.propagates, copy.propagate)];
                    let set = bits.into_iter().filter(|(bits, _)| bits >> position & 1 == 1);
                    renewed.extend(set.filter_map(|(_, bit)| Some((bit?, TRUE))));
                }
                if let Some(turn) = self.shared.turn {
                    let next = (number + 1) % machine.agents.len();
                    renewed.push((turn, terms::number(i64::try_from(next).unwrap_or(0))));
                }
                let what =
                    title(system, self.text, &self.kinds[kind].triples[triples::TripleId::new(triple)]);
                for way in ways {
                    if way.alive == FALSE && way.fault == FALSE {
                        continue;
                    }
                    if self.drafts.len() >= MAX_TRIPLES {
                        return Err(NotProgrammed::Choices);
                    }
                    let is_offered = self.counters[number].is_offered(triple);
                    able[number].push(and(is_offered, or(way.alive.clone(), way.fault.clone())));
                    let mut assigned = way.assigned;
                    assigned.extend(renewed.iter().cloned());
                    let exit =
                        prepared.exit.iter().map(|(field, to)| (*field - agent.counter, *to)).collect();
                    self.drafts.push(Draft {
                        label: Label::Act(AgentId::new(number)),
                        offered: Some((number, triple)),
                        guard: TRUE,
                        alive: way.alive,
                        fault: way.fault,
                        assigned,
                        exit,
                        title: what.clone(),
                    });
                }
            }
        }
        let turns = self.turns(pending, able)?;
        let is_quiet = if machine.rules.is_sync { not(one_of(pending.to_vec())) } else { TRUE };
        for draft in &mut self.drafts[first..] {
            let Some((agent, _)) = draft.offered else { continue };
            draft.guard = all([not(pending[agent].clone()), is_quiet.clone(), turns[agent].clone()]);
        }
        Ok(())
    }

    /// Per agent that it may act as far as turns are concerned.
    fn turns(
        &mut self,
        pending: &[Expression],
        able: Vec<Vec<Expression>>,
    ) -> Result<Vec<Expression>, NotProgrammed> {
        let agents = pending.len();
        let Some(turn) = self.shared.turn else { return Ok(vec![TRUE; agents]) };
        let has_turn = |agent: usize| equal(variable(turn), number(i64::try_from(agent).unwrap_or(0)));
        if self.machine.rules.schedule != Schedule::RoundRobin {
            return Ok((0..agents).map(has_turn).collect());
        }
        let mut passes = Vec::new();
        for (agent, able) in able.into_iter().enumerate() {
            let able = self.definitions.named(&format!("is_able_{agent}"), any(able))?;
            let own = and(not(pending[agent].clone()), not(able));
            passes.push(self.definitions.named(&format!("passes_{agent}"), own)?);
        }
        let mut turns = Vec::new();
        for agent in 0..agents {
            // Whoever has the turn passes it, up to this one.
            let mut parts = Vec::new();
            for wait in 0..agents {
                let from = (agent + agents - wait) % agents;
                let between = (0..wait).map(|ahead| passes[(from + ahead) % agents].clone());
                parts.push(all([has_turn(from)].into_iter().chain(between)));
            }
            turns.push(self.definitions.named(&format!("has_turn_{agent}"), any(parts))?);
        }
        Ok(turns)
    }

    /// Adds the triples of a draft: what it does, and the fault that it may be.
    fn push(
        &mut self,
        draft: Draft,
        fault: Option<VariableId>,
        posed: &[(VariableId, Expression)],
        meanings: &mut IndexVec<TripleId, Option<Meaning>>,
    ) -> Result<(), NotProgrammed> {
        let is_message = draft.offered.is_none();
        // With messages in the middle of a step, these are no steps.
        let is_step = !(is_message && self.machine.rules.is_sync);
        let label_of = |title: String, structure: &mut Structure| structure.labels.push(title);
        let (agent, entry, exit) = match draft.offered {
            Some((agent, triple)) => {
                let own = &self.counters[agent];
                let exit = draft.exit.iter().map(|(component, to)| {
                    let to = LocationId::new(usize::try_from(*to).unwrap_or(0));
                    (own.of(*component), to)
                });
                let mut exit: Vec<_> = exit.collect();
                exit.sort_unstable();
                (agent, vec![own.entries[triple]], exit)
            }
            None => match &draft.label {
                Label::Act(agent) | Label::Propagate(agent, _) | Label::Confirm(agent, _) => {
                    (agent.index(), Vec::new(), Vec::new())
                }
            },
        };
        let may = all([
            not(fault.map_or(FALSE, is_set)),
            if is_step { goes_on(&self.needed) } else { TRUE },
            draft.guard,
        ]);
        let agents = vec![u32::try_from(agent).unwrap_or(0)];
        let triple = |guard, label, assignments, exit| Triple {
            entry: entry.clone(),
            guard,
            action: Action::Step(label),
            assignments,
            exit,
            agents: agents.clone(),
            via: None,
            parts: Vec::new(),
        };
        if draft.alive != FALSE {
            let mut assigned = draft.assigned;
            if is_step {
                assigned.extend(posed.iter().cloned());
                if let Some((steps, most)) = self.needed.steps {
                    assigned.push((steps, known(plus(variable(steps), TRUE), 0, most.max(1))));
                }
            }
            let assignments = assigned.into_iter().map(|(variable, value)| Assignment { variable, value });
            let assignments =
                assignments.filter(|one| one.value != Expression::Variable(one.variable)).collect();
            let label = label_of(draft.title.clone(), &mut self.definitions.structure);
            let guard = and(may.clone(), draft.alive);
            self.definitions.structure.triples.push(triple(guard, label, assignments, exit));
            meanings.push(Some(Meaning { label: draft.label.clone(), is_fault: false }));
        }
        if let Some(fault) = fault
            && draft.fault != FALSE
        {
            let label = label_of(format!("{} (fault)", draft.title), &mut self.definitions.structure);
            let assignments = vec![Assignment { variable: fault, value: TRUE }];
            let guard = and(may, draft.fault);
            self.definitions.structure.triples.push(triple(guard, label, assignments, Vec::new()));
            meanings.push(Some(Meaning { label: draft.label, is_fault: true }));
        }
        Ok(())
    }
}

/// The first variable of a tuple, which names it.
fn tuple_name(system: &System, tuple: TupleId) -> &str {
    let first = system.tuples[tuple].variables.first();
    first.map_or("", |name| system.names[*name].text.as_str())
}

/// What a triple does, as it is written.
pub(super) fn title(system: &System, text: &str, triple: &triples::Triple) -> String {
    let place: Option<Span> = triple.action.map(|action| system.actions[action].span);
    let written = place.and_then(|span| text.get(span.start..span.end));
    let words: Vec<&str> = written.unwrap_or("Skip").split_whitespace().collect();
    words.join(" ")
}

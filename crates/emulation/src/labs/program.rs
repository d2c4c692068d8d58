//! A system of agents and one question about it as a [`Program`](crate::program::Program), for other verifiers.
//!
//! In: a system, the rules of a run, a property (or whether a fault is reached), and perhaps a bound on steps.
//! Out: a [`Structure`] and a [`Question`], as processes and instances have them, which every writer writes and every
//! back end reads; and what leads back from its states and triples to runs of the system ([`AgentProgram::run`]).
//!
//! - Cells, pending messages (a bit each), ranks and the turn are variables; program counters are counters.
//! - An agent's triple is one for each way to choose in it (`[lo..hi]`, `pick`), so a run is a list of triples.
//! - A message is a triple without program counter for each agent, tuple and kind. With `--sync` messages go before
//!   acts, and questions do not look at the states between.
//! - What leaves the language, or the values that analysis found ([`analysis`](super::analysis)), leads to a state
//!   in which `fault` is set and nothing is possible. So what analysis says is assumed nowhere: where no fault is
//!   reached, it is true.
//! - A question about bounded runs is one about reachability: `steps` are counted, and the end of a run is a state
//!   in which nothing is possible.
//!
//! Expressions are made of code (`super::code`), whose rules they repeat; tests hold their states against the
//! rules of the language.

use paramcheck_labs::model::{AgentId, KindId, Property, System, TupleId};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::{Label, Rules, Schedule};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::Span;

use crate::Structure;
use crate::expression::{Assignment, Expression, Variable, VariableId};
use crate::question::Question;
use crate::triple::{Action, Triple, TripleId};

use super::compile::Compiler;
use super::machine::Machine;
use super::triples::{self, NotEncoded, encode};
use super::values::Values;
use super::{Unfit, analysis};

mod act;
pub mod cadp;
mod cells;
mod counter;
mod decode;
mod define;
mod message;
mod question;
mod shared;
mod terms;
mod value;

use act::MAX_TRIPLES;
use cells::Cells;
use counter::Counters;
pub use decode::AgentRun;
use define::Definitions;
use question::{Needed, Posed, Poser, goes_on, one_of};
use shared::{Shared, is_set, variable};
use terms::{FALSE, TRUE, all, and, any, equal, known, not, number, or, plus};

/// Why a system or a question is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProgrammed {
    /// It is too large.
    #[error("the program would be too large")]
    TooLarge,
    /// Choices have too many values.
    #[error("there would be more than {MAX_TRIPLES} ways to choose: give `[lo..hi]` and `pick` fewer values")]
    Choices,
    /// A function of a C program would be called.
    #[error("the system calls functions of a C program")]
    Foreign,
    /// An assumption has no value.
    #[error("an assumption has no value: {0}")]
    Assumption(Fault),
    /// What can still be reached is no question about bounded runs.
    #[error("what can still be reached says nothing of bounded runs")]
    Unbounded,
    /// A scope that stays open for ever is neither reached nor avoided.
    #[error(
        "whether a scope stays open for ever is no question to other verifiers: bound the runs with --steps, or use \
         `between … and`"
    )]
    StaysOpen,
    /// A limit of the run was reached.
    #[error("{0}")]
    Stopped(Stop),
}

impl From<Unfit> for NotProgrammed {
    fn from(reason: Unfit) -> Self {
        match reason {
            Unfit::Foreign => NotProgrammed::Foreign,
            Unfit::Stopped(stop) => NotProgrammed::Stopped(stop),
            Unfit::Assumption(fault) => NotProgrammed::Assumption(fault),
            Unfit::Unbounded => NotProgrammed::Unbounded,
            Unfit::TooLarge | Unfit::NoInitialState | Unfit::NoRoom => NotProgrammed::TooLarge,
        }
    }
}

/// What a triple is in the system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    label: Label,
    is_fault: bool,
}

/// A program, and what leads back from it.
#[derive(Clone, Debug)]
pub struct AgentProgram {
    /// What it does.
    pub structure: Structure,
    /// The question about it.
    pub question: Question,
    /// Whether a fault can be reached, as far as is known without search.
    pub may_fault: bool,
    meanings: IndexVec<TripleId, Option<Meaning>>,
    cells: Cells,
    shared: Shared,
    fault: Option<VariableId>,
}

/// What a program is to decide.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// Whether a property holds.
    Property(&'a Property),
    /// Whether a fault is reached.
    Fault,
}

impl Goal<'_> {
    fn property(&self) -> Option<&Property> {
        match self {
            Goal::Property(property) => Some(property),
            Goal::Fault => None,
        }
    }
}

/// The name of the question whether a fault is reached.
pub const FAULT: &str = "fault";

/// The program of a question; `text` is what the system was read from, for comments.
///
/// # Errors
/// Why there is none.
pub fn program(
    system: &System,
    text: &str,
    rules: Rules,
    goal: Goal<'_>,
    steps: Option<usize>,
    budget: &Budget,
) -> Result<AgentProgram, NotProgrammed> {
    let kinds = encode(system, budget).map_err(|error| match error {
        NotEncoded::TooMany => NotProgrammed::TooLarge,
        NotEncoded::Stopped(stop) => NotProgrammed::Stopped(stop),
    })?;
    let values = analysis::analyse(system, &kinds, rules.width);
    let machine = Machine::new(system, rules, &kinds, &values, Values::one(0))?;
    let mut structure = Structure { order: Some(shared::words(system, &rules)), ..Structure::default() };
    let cells = Cells::new(system, &values, &mut structure);
    let shared = Shared::new(&machine, &mut structure);
    let needed = Needed::new(goal.property(), steps, &mut structure);
    let title = |kind: KindId, triple: triples::TripleId| title(system, text, &kinds[kind].triples[triple]);
    let (counters, joins) = counter::counters(system, &kinds, title, &mut structure);
    structure.invariants = cells.invariants(&structure);
    structure.invariants.extend(shared.invariants());
    let beside = structure.variables.enumerate().skip(cells_end(&cells, &structure));
    let ranges = beside.map(|(id, one)| {
        all([
            terms::at_most(number(one.least), variable(id)),
            terms::at_most(variable(id), number(one.greatest)),
        ])
    });
    let ranges: Vec<Expression> = ranges.collect();
    structure.invariants.extend(ranges);
    let builder = Builder {
        machine: &machine,
        kinds: &kinds,
        text,
        counters,
        definitions: Definitions::new(structure),
        cells,
        shared,
        needed,
        drafts: Vec::new(),
        budget,
    };
    builder.finish(goal, joins)
}

/// The number of variables that are cells: they come first.
fn cells_end(cells: &Cells, structure: &Structure) -> usize {
    let is_cell = |place: &cells::Place| matches!(place, cells::Place::Variable { .. });
    cells.places.iter().filter(|place| is_cell(place)).count().min(structure.variables.len())
}

/// A triple in the making.
struct Draft {
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

struct Builder<'a, 'm> {
    machine: &'a Machine<'m>,
    kinds: &'a IndexVec<KindId, triples::Structure>,
    text: &'a str,
    counters: Vec<Counters>,
    definitions: Definitions,
    cells: Cells,
    shared: Shared,
    needed: Needed,
    drafts: Vec<Draft>,
    budget: &'a Budget,
}

impl Builder<'_, '_> {
    fn finish(mut self, goal: Goal<'_>, joins: Vec<Triple>) -> Result<AgentProgram, NotProgrammed> {
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
                        title: format!("{}: {word} {name}", system.agent_name(id)),
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
                        title: format!("{}: {what}", system.agent_name(AgentId::new(number))),
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
                    let to = crate::triple::LocationId::new(usize::try_from(*to).unwrap_or(0));
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
fn title(system: &System, text: &str, triple: &triples::Triple) -> String {
    let place: Option<Span> = match triple.action {
        Some(action) => Some(system.actions[action].span),
        None => None,
    };
    let written = place.and_then(|span| text.get(span.start..span.end));
    let words: Vec<&str> = written.unwrap_or("Skip").split_whitespace().collect();
    words.join(" ")
}

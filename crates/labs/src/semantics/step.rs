//! The steps of a system: agents act, and messages are sent (thesis, Tables 3.7 and 3.8).

use std::collections::BTreeSet;

use paramcheck_text::index::Idx;
use paramcheck_text::source::Span;

use super::control::{Control, Edge, TermId};
use super::evaluate::{Choices, Evaluator, Halt, Value};
use super::store::Store;
use crate::model::{Action, AgentId, Expr, NameId, Statement, System, Target, TupleId};
use crate::number::{Fault, Width};

/// Which rules for messages a run follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// Those of the papers.
    #[default]
    Paper,
    /// Those of SLiVER: who is as new as the sender of a question does not answer; what an action assigns it
    /// does not confirm.
    Sliver,
}

/// Who acts next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Any agent that can.
    #[default]
    Free,
    /// Agents take turns: a turn waits for messages of its agent, and passes an agent that can't act.
    RoundRobin,
    /// Agents take turns, and a turn never passes.
    StrictTurns,
}

/// Which endless runs count. The steps of an agent are what it does, and the messages that it sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no agent stops for ever while it can act in every state.
    Weak,
    /// Those in which no agent stops for ever while it can act infinitely often.
    Strong,
}

/// The rules of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The rules for messages.
    pub semantics: Semantics,
    /// Who acts next.
    pub schedule: Schedule,
    /// Which endless runs count; it is no matter where agents take turns.
    pub fairness: Fairness,
    /// Whether all messages are delivered within the step that causes them.
    pub is_sync: bool,
    /// How wide numbers are.
    pub width: Width,
}

/// A state: a store, and what each agent has left to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What is known.
    pub store: Store,
    /// Per agent what is left to do.
    pub terms: Vec<TermId>,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// An agent acts.
    Act(AgentId),
    /// An agent propagates a tuple.
    Propagate(AgentId, TupleId),
    /// An agent confirms a tuple.
    Confirm(AgentId, TupleId),
}

impl Label {
    /// Who acts, or sends.
    pub fn agent(&self) -> AgentId {
        match self {
            Label::Act(agent) | Label::Propagate(agent, _) | Label::Confirm(agent, _) => *agent,
        }
    }
}

/// What a step leads to.
pub type Outcome = Result<State, Fault>;

/// Makes the steps of a system.
#[derive(Debug)]
pub struct Stepper<'a> {
    system: &'a System,
    rules: Rules,
    control: Control<'a>,
    /// So many outcomes of what an agent can do are tried.
    max_outcomes: usize,
    is_cut: bool,
    tried: u64,
}

impl<'a> Stepper<'a> {
    /// For runs of a system by these rules.
    pub fn new(system: &'a System, rules: Rules) -> Self {
        Self::limited(system, rules, usize::MAX)
    }

    /// The same, but no more outcomes than these are tried of what an agent can do in a state.
    pub fn limited(system: &'a System, rules: Rules, max_outcomes: usize) -> Self {
        Stepper { system, rules, control: Control::new(system), max_outcomes, is_cut: false, tried: 0 }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether outcomes were left out, in any state so far.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many outcomes were tried, in all states so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// What is left to do, and the steps of it.
    pub fn control(&mut self) -> &mut Control<'a> {
        &mut self.control
    }

    /// The state in which a run with these values begins.
    pub fn initial(&mut self, cells: Vec<Value>) -> State {
        let terms = self.system.agents.iter().map(|kind| self.control.initial(*kind)).collect();
        State { store: Store::new(self.system, cells), terms }
    }

    /// All steps of a state.
    pub fn successors(&mut self, state: &State) -> Vec<(Label, Outcome)> {
        let mut all = self.acts(state);
        for agent in self.system.agents.indices() {
            for tuple in self.system.tuples.indices() {
                if state.store.confirms(self.system, agent, tuple) {
                    all.push((Label::Confirm(agent, tuple), self.message(state, agent, tuple, true)));
                }
                if state.store.propagates(self.system, agent, tuple) {
                    all.push((Label::Propagate(agent, tuple), self.message(state, agent, tuple, false)));
                }
            }
        }
        all
    }

    fn acts(&mut self, state: &State) -> Vec<(Label, Outcome)> {
        let agents = self.system.agents.len();
        match self.rules.schedule {
            Schedule::Free => {
                let all = self.system.agents.indices().flat_map(|agent| self.acts_of(state, agent));
                all.collect()
            }
            Schedule::StrictTurns => self.acts_of(state, AgentId::new(state.store.turn)),
            Schedule::RoundRobin => {
                let order = (0..agents).map(|ahead| AgentId::new((state.store.turn + ahead) % agents));
                for agent in order {
                    if state.store.is_pending(self.system, agent) {
                        return Vec::new();
                    }
                    let acts = self.acts_of(state, agent);
                    if !acts.is_empty() {
                        return acts;
                    }
                }
                Vec::new()
            }
        }
    }

    /// What an agent can do: nothing, while it has messages to send.
    fn acts_of(&mut self, state: &State, agent: AgentId) -> Vec<(Label, Outcome)> {
        if state.store.is_pending(self.system, agent) {
            return Vec::new();
        }
        let mut all = Vec::new();
        let mut left = self.max_outcomes;
        'tried: for edge in self.control.edges(state.terms[agent.index()]) {
            let mut choices = Choices::default();
            loop {
                let Some(fewer) = left.checked_sub(1) else {
                    self.is_cut = true;
                    break 'tried;
                };
                left = fewer;
                self.tried += 1;
                let outcome = self.act(state, agent, &edge, &mut choices);
                match outcome {
                    Ok(Some(store)) => {
                        let mut terms = state.terms.clone();
                        terms[agent.index()] = edge.next;
                        let state = State { store, terms };
                        let outcome = if self.rules.is_sync { self.delivered(state) } else { Ok(state) };
                        all.push((Label::Act(agent), outcome));
                    }
                    Err(Halt::Fault(fault)) => all.push((Label::Act(agent), Err(fault))),
                    // Not possible, or a function that is not here; the latter is refused beforehand.
                    Ok(None) | Err(Halt::NoChoice | Halt::Foreign) => {}
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        all.dedup();
        all
    }

    /// Where in the source what an agent does from one state to the next is written, or where what leads out
    /// of the language is: the action, or the guard that leaves one out.
    pub fn place_of(&mut self, before: &State, agent: AgentId, after: &Outcome) -> Option<Span> {
        let mut left = self.max_outcomes;
        for edge in self.control.edges(before.terms[agent.index()]) {
            let mut choices = Choices::default();
            loop {
                left = left.checked_sub(1)?;
                let is_it = match (self.act(before, agent, &edge, &mut choices), after) {
                    (Ok(Some(store)), after) => {
                        let mut terms = before.terms.clone();
                        terms[agent.index()] = edge.next;
                        let state = State { store, terms };
                        let made = if self.rules.is_sync { self.delivered(state) } else { Ok(state) };
                        made == *after
                    }
                    (Err(Halt::Fault(fault)), Err(found)) => fault == *found,
                    _ => false,
                };
                if is_it {
                    let left_out = edge.guards.iter().rev().find(|(_, is_positive)| !is_positive);
                    let action = edge.action.map(|action| self.system.actions[action].span);
                    return action.or(left_out.map(|(guard, _)| self.system.guards[*guard].span));
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        None
    }

    /// The store after a step, if it is possible.
    pub(super) fn act(
        &self,
        state: &State,
        agent: AgentId,
        edge: &Edge,
        choices: &mut Choices,
    ) -> Result<Option<Store>, Halt> {
        let system = self.system;
        let mut evaluator = Evaluator::new(system, &state.store.cells, self.rules.width);
        evaluator.first = Some(agent);
        let mut reads: BTreeSet<NameId> = BTreeSet::new();
        for (guard, is_positive) in &edge.guards {
            let guard = &system.guards[*guard];
            if evaluator.is_true(&guard.condition, choices)? != *is_positive {
                return Ok(None);
            }
            reads.extend(&guard.reads);
        }
        let mut store = state.store.clone();
        let mut writes: &[NameId] = &[];
        if let Some(action) = edge.action {
            let action = &system.actions[action];
            if !self.execute(action, agent, &mut store.cells, choices)? {
                return Ok(None);
            }
            reads.extend(&action.reads);
            writes = &action.writes;
        }
        let kind = system.agents[agent];
        for tuple in system.tuples_of(kind, writes.iter().copied()) {
            store.renew(system, agent, tuple);
            store.set_propagates(system, agent, tuple, true);
        }
        if self.rules.semantics == Semantics::Sliver {
            reads.retain(|name| !writes.contains(name));
        }
        for tuple in system.tuples_of(kind, reads) {
            store.set_confirms(system, agent, tuple, true);
        }
        if self.rules.schedule != Schedule::Free {
            store.turn = (agent.index() + 1) % system.agents.len();
        }
        Ok(Some(store))
    }

    /// Carries out an action; whether it is possible.
    fn execute(
        &self,
        action: &Action,
        agent: AgentId,
        cells: &mut [Value],
        choices: &mut Choices,
    ) -> Result<bool, Halt> {
        let mut locals: Vec<Value> = vec![None; action.locals];
        for statement in &action.statements {
            match statement {
                Statement::Assign(assignments) => {
                    let mut evaluator = Evaluator::new(self.system, cells, self.rules.width);
                    (evaluator.first, evaluator.locals) = (Some(agent), &locals);
                    let mut assigned = Vec::new();
                    for (target, value) in assignments {
                        let Some(place) = self.place(target, agent, &mut evaluator, choices)? else {
                            return Ok(false);
                        };
                        let Some(value) = evaluator.value(value, choices)? else { return Ok(false) };
                        assigned.push((place, value));
                    }
                    for (place, value) in assigned {
                        match place {
                            Assigned::Cell(cell) => {
                                cells[cell] = Some(value);
                                choices.assign(cell, Some(value));
                            }
                            Assigned::Local(local) => locals[local] = Some(value),
                        }
                    }
                }
                Statement::Pick { local, count, kind, condition } => {
                    let picked =
                        self.pick(agent, cells, &locals, (*count, *kind, condition.as_ref()), choices)?;
                    let Some(picked) = picked else { return Ok(false) };
                    for (position, one) in picked.into_iter().enumerate() {
                        locals[local + position] = i64::try_from(one.index()).ok();
                    }
                }
            }
        }
        Ok(true)
    }

    /// Where a value goes; nowhere, if an index is undefined.
    fn place(
        &self,
        target: &Target,
        agent: AgentId,
        evaluator: &mut Evaluator,
        choices: &mut Choices,
    ) -> Result<Option<Assigned>, Halt> {
        Ok(match target {
            Target::Environment(at, indices) => {
                let variable = &self.system.environment[*at];
                let flat = evaluator.flat(&variable.extents, indices, choices)?;
                flat.map(|flat| Assigned::Cell(variable.offset + flat))
            }
            Target::Own(name, indices) => {
                let place = &self.system.names[*name].places[self.system.agents[agent]];
                let place = place.as_ref().ok_or(Fault::NoAgent)?;
                let flat = evaluator.flat(&place.extents, indices, choices)?;
                flat.map(|flat| Assigned::Cell(self.system.first_cells[agent] + place.offset + flat))
            }
            Target::Local(at) => Some(Assigned::Local(*at)),
        })
    }

    /// Distinct agents other than oneself that fulfil a condition; none, if there are too few.
    fn pick(
        &self,
        agent: AgentId,
        cells: &[Value],
        locals: &[Value],
        (count, kind, condition): (usize, Option<crate::model::KindId>, Option<&Expr>),
        choices: &mut Choices,
    ) -> Result<Option<Vec<AgentId>>, Halt> {
        let mut candidates = Vec::new();
        for (candidate, of_kind) in self.system.agents.enumerate() {
            if candidate == agent || kind.is_some_and(|kind| kind != *of_kind) {
                continue;
            }
            let mut evaluator = Evaluator::new(self.system, cells, self.rules.width);
            (evaluator.first, evaluator.second, evaluator.locals) = (Some(agent), Some(candidate), locals);
            let fits = match condition {
                Some(condition) => evaluator.is_true(condition, choices)?,
                None => true,
            };
            if fits {
                candidates.push(candidate);
            }
        }
        if candidates.len() < count {
            return Ok(None);
        }
        let mut picked = Vec::new();
        for _ in 0..count {
            let chosen = usize::try_from(choices.choose(candidates.len() as u64)).unwrap_or(0);
            picked.push(candidates.remove(chosen));
        }
        Ok(Some(picked))
    }

    /// An agent sends what it has of a tuple: propagated, or as a question.
    fn message(&self, state: &State, sender: AgentId, tuple: TupleId, is_confirm: bool) -> Outcome {
        let system = self.system;
        let before = &state.store;
        let mut store = before.clone();
        if is_confirm {
            store.set_confirms(system, sender, tuple, false);
        } else {
            store.set_propagates(system, sender, tuple, false);
        }
        let link = &system.stigmergies[system.tuples[tuple].stigmergy].link;
        let rank = before.rank(system, sender, tuple);
        let values: Vec<Value> = system.cells_of(tuple, sender).map(|cell| before.cells[cell]).collect();
        let mut older = Vec::new();
        for receiver in system.holders(tuple).filter(|one| *one != sender) {
            let known = before.rank(system, receiver, tuple);
            let hears =
                known < rank || is_confirm && (known > rank || self.rules.semantics == Semantics::Paper);
            if !hears {
                continue;
            }
            let mut evaluator = Evaluator::new(system, &before.cells, self.rules.width);
            (evaluator.first, evaluator.second) = (Some(sender), Some(receiver));
            match evaluator.is_true(link, &mut Choices::default()) {
                Ok(true) => {}
                Ok(false) | Err(Halt::NoChoice | Halt::Foreign) => continue,
                Err(Halt::Fault(fault)) => return Err(fault),
            }
            store.set_propagates(system, receiver, tuple, true);
            if known < rank {
                store.set_confirms(system, receiver, tuple, false);
                for (cell, value) in system.cells_of(tuple, receiver).zip(&values) {
                    store.cells[cell] = *value;
                }
                older.push(receiver);
            }
        }
        store.level(system, &older, sender, tuple);
        Ok(State { store, terms: state.terms.clone() })
    }

    /// The state when all messages are delivered: of the lowest agent first, its questions before what it
    /// propagates, tuples in order.
    fn delivered(&self, mut state: State) -> Outcome {
        let tuples = || self.system.tuples.indices();
        loop {
            let pending = self.system.agents.indices().find_map(|agent| {
                let confirm = tuples().find(|tuple| state.store.confirms(self.system, agent, *tuple));
                let propagate = || tuples().find(|tuple| state.store.propagates(self.system, agent, *tuple));
                confirm
                    .map(|tuple| (agent, tuple, true))
                    .or_else(|| propagate().map(|tuple| (agent, tuple, false)))
            });
            let Some((agent, tuple, is_confirm)) = pending else { return Ok(state) };
            state = self.message(&state, agent, tuple, is_confirm)?;
        }
    }
}

/// Where a value goes.
enum Assigned {
    Cell(usize),
    Local(usize),
}

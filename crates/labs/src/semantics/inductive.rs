//! Whether sets of values, one for each cell, are an *inductive invariant*: all initial values are in them, and no
//! step leads out of them. A formula that is true of all values in them is then true in every reachable state.
//!
//! In: a system, the sets, a formula; wherever the sets come from. Out: that it is so, or why that was not shown.
//! Every action is carried out by the rules ([`Stepper`]), on all values in the sets of the cells that it reads;
//! nothing is joined or widened. The values of different cells are taken to have nothing to do with each other, and
//! an agent to be anywhere in its process.

use std::rc::Rc;

use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::control::{Edge, TermId};
use super::domain::Domain;
use super::evaluate::{Choices, Evaluator, Halt, Value};
use super::explore::initial_values;
use super::step::{Rules, Stepper};
use super::store::Store;
use crate::ast::Operator;
use crate::model::{AgentId, Expr, KindId, Statement, System, Target, Who};

/// The most combinations of values on which actions, links and formulas are tried.
pub const MAX_CASES: u64 = 1 << 18;

/// The most parts of expressions that are evaluated for that, with quantifiers written out.
const MAX_PARTS: u64 = 1 << 24;

/// The most terms of a kind.
const MAX_TERMS: usize = 10_000;

/// Why it is not shown that sets are inductive, or that a formula is true of all values in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The formula is not true of all values in the sets.
    Formula,
    /// This cell may have an initial value that is not in its set, or there may be no initial state.
    Initial(Option<usize>),
    /// An agent may assign to this cell a value that is not in its set.
    Step(AgentId, usize),
    /// An agent may receive in this cell a value that is not in its set.
    Message(AgentId, usize),
    /// On some values in the sets the language is left; that may be reached or not.
    Fault,
    /// It is too much work.
    TooMuch,
    /// A limit of the run was reached.
    Stopped(Stop),
}

/// Shows that the sets are inductive, and that the formula is true of all values in them.
///
/// # Errors
/// That was not shown.
pub fn implies(
    system: &System,
    rules: Rules,
    sets: Vec<Domain>,
    formula: &Expr,
    budget: &Budget,
) -> Result<(), Refusal> {
    if sets.len() != system.initial.len() {
        return Err(Refusal::Initial(None));
    }
    let classes = classes(system, &sets);
    let mut check =
        Check { system, rules, sets: sets.into(), classes, budget, left: MAX_CASES, parts: MAX_PARTS };
    check.is_true(formula, &mut Vec::new())?;
    check.begins()?;
    check.steps()?;
    check.messages()
}

struct Check<'a> {
    system: &'a System,
    rules: Rules,
    sets: Rc<[Domain]>,
    /// Per agent a number, the same for agents of a kind whose cells have the same sets.
    classes: Vec<usize>,
    budget: &'a Budget,
    /// How many combinations may still be tried.
    left: u64,
    /// How many parts of expressions may still be evaluated.
    parts: u64,
}

impl<'a> Check<'a> {
    /// Tries all combinations of choices, the values of cells that are read among them, in expressions of this size.
    fn each(
        &mut self,
        size: u64,
        mut case: impl FnMut(&mut Choices) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut pace = self.budget.pace();
        let mut choices = Choices::over(self.sets.clone());
        loop {
            self.left = self.left.checked_sub(1).ok_or(Refusal::TooMuch)?;
            self.parts = self.parts.checked_sub(size).ok_or(Refusal::TooMuch)?;
            pace().map_err(Refusal::Stopped)?;
            case(&mut choices)?;
            if !choices.advance() {
                return Ok(());
            }
        }
    }

    fn evaluator<'c>(&self, cells: &'c [Value]) -> Evaluator<'c>
    where
        'a: 'c,
    {
        Evaluator::new(self.system, cells, self.rules.width)
    }

    /// That a formula is true of all values. What is to hold together, or for all agents, is shown part by part.
    fn is_true(&mut self, formula: &Expr, bound: &mut Vec<AgentId>) -> Result<(), Refusal> {
        match formula {
            Expr::Binary(Operator::And, parts) => parts.iter().try_for_each(|part| self.is_true(part, bound)),
            Expr::Quantified { is_universal: true, kind, body, .. } => {
                for agent in self.system.agents_of(*kind) {
                    bound.push(agent);
                    self.is_true(body, bound)?;
                    bound.pop();
                }
                Ok(())
            }
            formula => {
                let mut evaluator = self.evaluator(&[]);
                evaluator.bound.clone_from(bound);
                self.each(self.system.size(formula), |choices| match evaluator.is_true(formula, choices) {
                    Ok(true) => Ok(()),
                    _ => Err(Refusal::Formula),
                })
            }
        }
    }

    /// That there is an initial state, and all initial values are in the sets.
    fn begins(&mut self) -> Result<(), Refusal> {
        let system = self.system;
        if !system.assumptions.is_empty() {
            let all = system.initial.iter().map(|one| one.count());
            if all.fold(1, u64::saturating_mul) > self.left {
                return Err(Refusal::TooMuch);
            }
            // Assumptions that have no value are for others to report.
            match initial_values(system, &self.rules, usize::MAX, self.budget) {
                Ok(initial) if !initial.is_empty() => {
                    let outside = |cells: &Vec<Value>| {
                        cells.iter().zip(&*self.sets).position(|(value, set)| !set.has(*value))
                    };
                    let stray = initial.iter().find_map(outside);
                    return stray.map_or(Ok(()), |cell| Err(Refusal::Initial(Some(cell))));
                }
                _ => return Err(Refusal::Initial(None)),
            }
        }
        let mut cells = system.initial.iter().zip(&*self.sets);
        let stray = cells.position(|(initial, set)| !set.includes(&Domain::of(initial)));
        stray.map_or(Ok(()), |cell| Err(Refusal::Initial(Some(cell))))
    }

    /// That what agents assign is in the sets, whatever their guards allow.
    fn steps(&mut self) -> Result<(), Refusal> {
        let system = self.system;
        let mut stepper = Stepper::new(system, self.rules);
        let state = stepper.initial(vec![None; system.initial.len()]);
        for (kind, _) in system.kinds.enumerate() {
            let edges = edges(&mut stepper, kind)?;
            let mut known = FxHashSet::default();
            for agent in system.agents_of(kind) {
                let is_known = !known.insert(self.classes[agent.index()]);
                for edge in edges.iter().filter(|edge| !is_known || tells_apart(system, edge)) {
                    let size = size_of(system, edge).saturating_add(Store::size(system) as u64 / 8);
                    self.each(size, |choices| match stepper.act(&state, agent, edge, choices) {
                        Ok(Some(_)) => match choices.strays().next() {
                            Some((cell, _)) => Err(Refusal::Step(agent, cell)),
                            None => Ok(()),
                        },
                        Ok(None) | Err(Halt::NoChoice) => Ok(()),
                        Err(Halt::Fault(_) | Halt::Foreign) => Err(Refusal::Fault),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// That what agents receive is in the sets, from whomever they may hear.
    fn messages(&mut self) -> Result<(), Refusal> {
        let system = self.system;
        for (tuple, of) in system.tuples.enumerate() {
            let link = &system.stigmergies[of.stigmergy].link;
            let holders: Vec<AgentId> = system.holders(tuple).collect();
            let is_general = !names_agents(link);
            // Whether one may hear another, by what is known of both.
            let mut known: FxHashMap<[usize; 2], bool> = FxHashMap::default();
            for sender in &holders {
                for receiver in holders.iter().filter(|one| *one != sender) {
                    let mut evaluator = self.evaluator(&[]);
                    (evaluator.first, evaluator.second) = (Some(*sender), Some(*receiver));
                    let both = [*sender, *receiver].map(|one| self.classes[one.index()]);
                    self.left = self.left.checked_sub(1).ok_or(Refusal::TooMuch)?;
                    let mut hears = false;
                    if let Some(known) = known.get(&both).filter(|_| is_general) {
                        hears = *known;
                    } else {
                        self.each(system.size(link), |choices| {
                            match evaluator.is_true(link, choices) {
                                Ok(is_linked) => hears |= is_linked,
                                Err(Halt::NoChoice) => {}
                                Err(Halt::Fault(_) | Halt::Foreign) => return Err(Refusal::Fault),
                            }
                            Ok(())
                        })?;
                    }
                    known.insert(both, hears);
                    let mut cells = system.cells_of(tuple, *sender).zip(system.cells_of(tuple, *receiver));
                    let stray = cells.find(|(from, to)| !self.sets[*to].includes(&self.sets[*from]));
                    if let (true, Some((_, cell))) = (hears, stray) {
                        return Err(Refusal::Message(*receiver, cell));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Per agent a number, the same for agents of a kind whose cells have the same sets.
fn classes(system: &System, sets: &[Domain]) -> Vec<usize> {
    let mut known: FxHashMap<(KindId, &[Domain]), usize> = FxHashMap::default();
    let class = |(agent, kind): (AgentId, &KindId)| {
        let first = system.first_cells[agent];
        let own = sets.get(first..first + system.kinds[*kind].cells).unwrap_or_default();
        let next = known.len();
        *known.entry((*kind, own)).or_insert(next)
    };
    system.agents.enumerate().map(class).collect()
}

/// Whether an expression may be another for another agent that has the same values. (Quantifiers look at agents in
/// order, and not at all of them.)
fn names_agents(expr: &Expr) -> bool {
    matches!(expr, Expr::Id(_) | Expr::Of(Who::Agent(_), ..) | Expr::Quantified { .. } | Expr::Count { .. })
        || expr.parts().into_iter().any(names_agents)
}

/// Whether a step may be another for another agent that has the same values.
fn tells_apart(system: &System, edge: &Edge) -> bool {
    let in_statement = |statement: &Statement| match statement {
        Statement::Assign(all) => all.iter().any(|(target, value)| {
            let in_target = match target {
                Target::Environment(_, indices) | Target::Own(_, indices) => indices.iter().any(names_agents),
                Target::Local(_) => false,
            };
            in_target || names_agents(value)
        }),
        Statement::Pick { .. } => true,
    };
    let mut actions = edge.action.iter().flat_map(|action| &system.actions[*action].statements);
    edge.guards.iter().any(|(guard, _)| names_agents(&system.guards[*guard].condition))
        || actions.any(in_statement)
}

/// How many parts the guards and the action of a step have.
fn size_of(system: &System, edge: &Edge) -> u64 {
    let guards = edge.guards.iter().map(|(guard, _)| system.size(&system.guards[*guard].condition));
    let of_statement = |statement: &Statement| match statement {
        Statement::Assign(all) => {
            all.iter().map(|(_, value)| system.size(value)).fold(0, u64::saturating_add)
        }
        Statement::Pick { condition, .. } => {
            let condition = condition.as_ref().map_or(1, |condition| system.size(condition));
            condition.saturating_mul(system.agents.len() as u64)
        }
    };
    let action = edge.action.iter().flat_map(|action| &system.actions[*action].statements);
    guards.chain(action.map(of_statement)).fold(1, u64::saturating_add)
}

/// The steps of agents of a kind, wherever they are; those that differ in what comes after are one.
fn edges(stepper: &mut Stepper<'_>, kind: KindId) -> Result<Vec<Edge>, Refusal> {
    let control = stepper.control();
    let mut open: Vec<TermId> = vec![control.initial(kind)];
    let mut known: FxHashSet<TermId> = open.iter().copied().collect();
    let mut all: Vec<Edge> = Vec::new();
    let mut steps = FxHashSet::default();
    while let Some(term) = open.pop() {
        for edge in control.edges(term) {
            if known.insert(edge.next) {
                open.push(edge.next);
            }
            if steps.insert((edge.guards.clone(), edge.action)) {
                all.push(edge);
            }
        }
        if known.len() > MAX_TERMS {
            return Err(Refusal::TooMuch);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests;

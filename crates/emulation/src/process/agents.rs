//! Agents, and what they do together: Definition 3.4.
//!
//! Agents are the operands of the outermost parallel compositions, from the left; on the way to them
//! constants, restrictions and relabellings are looked through. The agents of a choreography are its peers.

use super::joint::{Draft, Operators, of_agent};
use super::position::{PositionId, Positions};
use super::{NotEncoded, Work};
use crate::triple::{Action, OfferId};
use paramcheck_process::model::{
    RelabellingId, RestrictionId, Synchronisation, SynchronisationId, System, Term, TermId,
};

/// What is made of a system: triples, and of each agent its term, where it begins and what starts it.
pub(crate) struct Drafts {
    pub(crate) triples: Vec<Draft>,
    pub(crate) agents: Vec<(TermId, PositionId, OfferId)>,
}

/// An operator above the agents.
enum Above {
    Restrict(RestrictionId),
    Relabel(RelabellingId),
}

enum Todo {
    /// A term whose triples are wanted.
    Enter(TermId),
    /// An agent.
    Agent(TermId),
    /// This many operands are made; combine them and apply what stands above, innermost last.
    Leave(SynchronisationId, usize, Vec<Above>),
}

/// The triples of a system.
pub(crate) fn triples(
    system: &System,
    positions: &mut Positions<'_>,
    work: &mut Work<'_>,
) -> Result<Drafts, NotEncoded> {
    let operators = Operators::new(system);
    let mut agents = Vec::new();
    let triples = combined(system, &operators, work, |term, work| -> Result<_, NotEncoded> {
        let number = agents.len() as u32;
        let (scope, begin) = positions.agent(number, term, work)?;
        let mut own = of_agent(&operators, positions, scope, number, work)?;
        own.iter_mut().for_each(|draft| draft.parts = draft.label().into_iter().collect());
        work.triple()?;
        let start = positions.offer();
        let first = Draft {
            entry: vec![(positions.scopes[scope].counter, start)],
            action: Action::Start,
            exit: vec![begin],
            agents: vec![number],
            via: None,
            parts: Vec::new(),
        };
        agents.push((term, begin, start));
        Ok(std::iter::once(first).chain(own).collect())
    })?;
    Ok(Drafts { triples, agents })
}

/// The triples of a system from those of its agents, which are found from the left.
pub(crate) fn combined<X: Clone, E: From<NotEncoded>>(
    system: &System,
    operators: &Operators<'_>,
    work: &mut Work<'_>,
    mut agent: impl FnMut(TermId, &mut Work<'_>) -> Result<Vec<Draft<X>>, E>,
) -> Result<Vec<Draft<X>>, E> {
    let mut todo = vec![Todo::Enter(system.root)];
    let mut done: Vec<Vec<Draft<X>>> = Vec::new();
    while let Some(next) = todo.pop() {
        work.step()?;
        match next {
            Todo::Enter(term) => enter(system, term, &mut todo, work)?,
            Todo::Agent(term) => done.push(agent(term, work)?),
            Todo::Leave(synchronisation, count, above) => {
                let operands = done.split_off(done.len().saturating_sub(count));
                let mut made = operators.parallel(synchronisation, operands, work)?;
                for operator in above.into_iter().rev() {
                    work.step()?;
                    match operator {
                        Above::Restrict(set) => operators.restrict(set, &mut made),
                        Above::Relabel(map) => operators.relabel(map, &mut made),
                    }
                }
                done.push(made);
            }
        }
    }
    Ok(done.pop().unwrap_or_default())
}

/// Looks for a parallel composition; a term without one is an agent as it stands.
fn enter(system: &System, term: TermId, todo: &mut Vec<Todo>, work: &mut Work<'_>) -> Result<(), NotEncoded> {
    let mut above = Vec::new();
    let mut at = term;
    loop {
        work.step()?;
        at = match &system.terms[at] {
            Term::Constant(constant) => system.constants[*constant].body,
            Term::Restrict(inside, set) => {
                above.push(Above::Restrict(*set));
                *inside
            }
            Term::Relabel(inside, map) => {
                above.push(Above::Relabel(*map));
                *inside
            }
            Term::Parallel(synchronisation, parts) => {
                todo.push(Todo::Leave(*synchronisation, parts.len(), above));
                let is_peers = system.synchronisations[*synchronisation] == Synchronisation::Rendezvous;
                let wrap = if is_peers { Todo::Agent } else { Todo::Enter };
                work.conditions(parts.len())?;
                todo.extend(parts.iter().rev().map(|part| wrap(*part)));
                return Ok(());
            }
            _ => {
                todo.push(Todo::Agent(term));
                return Ok(());
            }
        };
    }
}

//! The variables beside cells: pending messages, ranks, the turn, a fault; and what is said of them.

use paramcheck_labs::model::System;
use paramcheck_labs::semantics::step::{Rules, Schedule};
use paramcheck_text::index::Idx;

use crate::Structure;
use crate::expression::{Expression, Variable, VariableId};
use crate::labs::machine::Machine;

use super::NotProgrammed;
use super::cells::identifier;
use super::define::Definitions;
use super::terms::{
    FALSE, TRUE, all, and, any, at_most, choose, equal, less, minus, not, number, or, plus, truth,
};

/// An agent's copy of a tuple.
#[derive(Clone, Debug, Default)]
pub(super) struct Copy {
    /// Whether it is to be confirmed, and to be propagated; none, if it never is.
    pub(super) confirm: Option<VariableId>,
    pub(super) propagate: Option<VariableId>,
    /// How new it is; none, if that never changes.
    pub(super) rank: Option<VariableId>,
}

/// The variables beside cells.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    /// By tuple and the position among those that have copies.
    pub(super) copies: Vec<Vec<Copy>>,
    /// Whose turn it is.
    pub(super) turn: Option<VariableId>,
}

impl Shared {
    /// Adds the variables to a structure.
    pub(super) fn new(machine: &Machine<'_>, structure: &mut Structure) -> Shared {
        let system = machine.system;
        let mut copies = Vec::new();
        for (id, tuple) in system.tuples.enumerate() {
            let machine_tuple = &machine.tuples[id.index()];
            let name = tuple.variables.first().map_or("", |name| system.names[*name].text.as_str());
            let of = |agent: usize, bit: i64| {
                let triples = &machine.agents[agent].triples;
                let asks = triples.iter().any(|triple| triple.confirms & bit != 0);
                let sends = triples.iter().any(|triple| triple.propagates & bit != 0);
                (asks, sends)
            };
            let holders = &machine_tuple.copies;
            let is_active = holders.len() > 1
                && holders.iter().any(|copy| {
                    let (asks, sends) = of(copy.agent, copy.bit);
                    asks || sends
                });
            let mut own = Vec::new();
            for (position, holder) in holders.iter().enumerate() {
                let (asks, sends) = of(holder.agent, holder.bit);
                let agent = paramcheck_labs::model::AgentId::new(holder.agent);
                let mut add = |what: &str, greatest: i64, initial: i64| {
                    structure.variables.push(Variable {
                        name: identifier(system, Some(agent), &format!("{what} {name}")),
                        agent: u32::try_from(holder.agent).ok(),
                        least: 0,
                        greatest,
                        initial: vec![initial],
                    })
                };
                let last = i64::try_from(holders.len()).unwrap_or(1) - 1;
                let rank = i64::try_from(position).unwrap_or(0);
                own.push(Copy {
                    confirm: asks.then(|| add("confirms", 1, 0)),
                    propagate: (sends || is_active).then(|| add("propagates", 1, 0)),
                    rank: is_active.then(|| add("rank of", last, rank)),
                });
            }
            copies.push(own);
        }
        let agents = i64::try_from(system.agents.len()).unwrap_or(0);
        let has_turns = machine.rules.schedule != Schedule::Free && agents > 1;
        let turn = has_turns.then(|| {
            structure.variables.push(Variable {
                name: "turn".to_owned(),
                agent: None,
                least: 0,
                greatest: agents - 1,
                initial: vec![0],
            })
        });
        Shared { copies, turn }
    }

    /// The bits of an agent that say what is pending: in the order in which messages are sent at once,
    /// questions before what is propagated.
    pub(super) fn pending(&self, machine: &Machine<'_>, agent: usize) -> Vec<VariableId> {
        let held = &machine.agents[agent].held;
        let copy =
            |(tuple, own): &(paramcheck_labs::model::TupleId, usize)| &self.copies[tuple.index()][*own];
        let questions = held.iter().filter_map(|held| copy(held).confirm);
        questions.chain(held.iter().filter_map(|held| copy(held).propagate)).collect()
    }

    /// That the rank of a copy is where ranks have no gaps: some copy is the oldest, and behind each rank
    /// comes the next.
    pub(super) fn invariants(&self) -> Vec<Expression> {
        let mut parts = Vec::new();
        for copies in &self.copies {
            let ranks: Vec<Expression> = copies.iter().filter_map(|copy| copy.rank.map(variable)).collect();
            for rank in 0..ranks.len().saturating_sub(1) {
                let rank = number(i64::try_from(rank).unwrap_or(0));
                let is_there = any(ranks.iter().map(|own| equal(own.clone(), rank.clone())));
                let is_beyond = any(ranks.iter().map(|own| less(rank.clone(), own.clone())));
                parts.push(or(is_there, not(is_beyond)));
            }
        }
        parts
    }
}

/// A variable as an expression.
pub(super) fn variable(id: VariableId) -> Expression {
    Expression::Variable(id)
}

/// That a bit is set.
pub(super) fn is_set(id: VariableId) -> Expression {
    truth(variable(id))
}

/// What an agent's copy of a tuple becomes when it is made the strictly newest: ranks and their new values.
pub(super) fn renewed(
    copies: &[Copy],
    own: usize,
    name: &str,
    definitions: &mut Definitions,
) -> Result<Vec<(VariableId, Expression)>, NotProgrammed> {
    let Some(before) = copies[own].rank else { return Ok(Vec::new()) };
    let others = || copies.iter().enumerate().filter(move |(position, _)| *position != own);
    let ranks = || others().filter_map(|(_, copy)| copy.rank);
    let is_alone = all(ranks().map(|rank| not(equal(variable(rank), variable(before)))));
    let is_alone = definitions.named(&format!("is_alone_{name}"), is_alone)?;
    // Ranks have no gaps: the greatest is the number of those above 0.
    let mut newest = FALSE;
    for rank in 1..i64::try_from(copies.len()).unwrap_or(0) {
        let some =
            any(copies.iter().filter_map(|copy| copy.rank).map(|own| at_most(number(rank), variable(own))));
        newest = plus(newest, choose(some, TRUE, FALSE));
    }
    let newest = definitions.named("newest", newest)?;
    let last = i64::try_from(copies.len()).unwrap_or(1) - 1;
    let bounded = |value| super::terms::known(value, 0, last);
    let mut assigned = vec![(before, bounded(choose(is_alone.clone(), newest.clone(), plus(newest, TRUE))))];
    for rank in ranks() {
        let is_above = less(variable(before), variable(rank));
        let own = variable(rank);
        let value = choose(and(is_alone.clone(), is_above), minus(own.clone(), TRUE), own);
        assigned.push((rank, bounded(value)));
    }
    Ok(assigned)
}

/// What ranks become when some copies get the rank of another.
pub(super) fn levelled(
    copies: &[Copy],
    with: usize,
    older: &[Expression],
    name: &str,
    definitions: &mut Definitions,
) -> Result<Vec<(VariableId, Expression)>, NotProgrammed> {
    let Some(rank) = copies[with].rank else { return Ok(Vec::new()) };
    let last = i64::try_from(copies.len()).unwrap_or(1) - 1;
    let mut news = Vec::new();
    for (position, copy) in copies.iter().enumerate() {
        let Some(own) = copy.rank else { continue };
        let value = choose(older[position].clone(), variable(rank), variable(own));
        news.push((own, definitions.named(&format!("joined_{name}_{position}"), value)?));
    }
    // Where no copy is left of a rank, those above go down.
    let mut used = Vec::new();
    for number_of in 0..=last {
        let some = any(news.iter().map(|(_, value)| equal(value.clone(), number(number_of))));
        used.push(definitions.named(&format!("has_rank_{name}_{number_of}"), some)?);
    }
    let below = |value: &Expression| {
        let parts = used
            .iter()
            .zip(0i64..)
            .map(|(used, rank)| choose(and(used.clone(), less(number(rank), value.clone())), TRUE, FALSE));
        parts.reduce(plus).unwrap_or(FALSE)
    };
    let bounded = |value| super::terms::known(value, 0, last);
    Ok(news.iter().map(|(id, value)| (*id, bounded(below(value)))).collect())
}

/// The words for what the rules of a run are.
pub(super) fn words(system: &System, rules: &Rules) -> String {
    use paramcheck_labs::semantics::step::Semantics;
    let order = match rules.schedule {
        Schedule::Free => "agents act in any order",
        Schedule::RoundRobin => "agents take turns (round-robin)",
        Schedule::StrictTurns => "agents take turns, and a turn never passes",
    };
    let messages = match rules.semantics {
        Semantics::Paper => "messages by the rules of the papers",
        Semantics::Sliver => "messages by the rules of SLiVER",
    };
    let sync = if rules.is_sync { ", all sent within the step" } else { "" };
    let wraps = if rules.width.wraps() { ", wrapping around" } else { "" };
    let parameters: Vec<String> =
        system.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("; {}", parameters.join(" ")) };
    format!("{order}; {messages}{sync}; numbers of {} bits{wraps}{parameters}", rules.width.bits())
}

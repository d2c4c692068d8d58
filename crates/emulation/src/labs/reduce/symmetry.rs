//! Agents that are alike: states that differ by an exchange of them.
//!
//! If neither system nor question says an agent's number, an exchange of agents of a kind, with all they have (and
//! their age along), takes steps to steps and changes no formula (Emerson, Sistla, *Symmetry and model checking*,
//! 1996; Ip, Dill, *Better verification through symmetry*, 1996). Initial states need not be alike. If agents take
//! turns, only the next may become the first, and all others move up: rotations of a single kind. Messages that are
//! delivered at once go by number, so then there is no symmetry.

use paramcheck_labs::model::{Expr, Modality, Property, Statement, System, Target, Who, Within};
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule};
use paramcheck_text::index::Idx;

use crate::labs::machine::Machine;
use crate::labs::step::Scratch;
use crate::labs::values::Values;

/// What an exchange of agents takes along.
pub(crate) struct Symmetry {
    /// Per kind and agent its fields, in the same order for all of a kind.
    kinds: Vec<Vec<Vec<usize>>>,
    /// The field of the turn, if agents take turns.
    turn: Option<usize>,
}

/// Whether agents may be exchanged: whether nothing says which is which, and some are alike.
pub fn is_symmetric(system: &System, property: &Property, rules: &Rules) -> bool {
    let mut sizes: Vec<usize> = system.kinds.iter().map(|kind| kind.agents.len()).collect();
    sizes.retain(|size| *size > 0);
    let is_possible = !rules.is_sync && rules.fairness == Fairness::None;
    let is_turned = rules.schedule == Schedule::Free || sizes.len() == 1;
    is_possible
        && is_turned
        && sizes.iter().any(|size| *size > 1)
        && is_anonymous(system)
        && speaks_of_no_number(property)
}

/// Whether the processes and links say no agent's number.
fn is_anonymous(system: &System) -> bool {
    let guards = system.guards.iter().map(|guard| &guard.condition);
    let links = system.stigmergies.iter().map(|one| &one.link);
    guards.chain(links).all(is_free)
        && system.actions.iter().flat_map(|action| &action.statements).all(statement)
}

fn statement(statement: &Statement) -> bool {
    match statement {
        Statement::Assign(all) => all.iter().all(|(target, value)| {
            let indices = match target {
                Target::Environment(_, indices) | Target::Own(_, indices) => indices.as_slice(),
                Target::Local(_) => &[],
            };
            is_free(value) && indices.iter().all(is_free)
        }),
        Statement::Pick { condition, .. } => condition.iter().all(is_free),
    }
}

fn speaks_of_no_number(property: &Property) -> bool {
    let scope = match &property.modality {
        Modality::Scope { opens, closes, within, .. } => {
            let first = match within {
                Within::Precedes(first) => Some(first),
                Within::ThereIs | Within::Always => None,
            };
            is_free(opens) && is_free(closes) && first.is_none_or(is_free)
        }
        _ => true,
    };
    scope && is_free(&property.formula)
}

/// Whether an expression is without numbers of agents. What was picked is a number of an agent, and may only say
/// whose variable is meant.
fn is_free(expr: &Expr) -> bool {
    let all = |parts: &[Expr]| parts.iter().all(is_free);
    match expr {
        Expr::Number(_) | Expr::Local(_) => true,
        // Functions of another program may do anything.
        Expr::Id(_) | Expr::Picked(..) | Expr::Foreign(..) => false,
        Expr::Environment(_, indices) => all(indices),
        Expr::Of(who, _, indices) => {
            let is_nameless = match who {
                Who::First | Who::Second | Who::Bound(_) => true,
                Who::Agent(agent) => match agent.as_ref() {
                    Expr::Picked(_, _, which) => is_free(which),
                    _ => false,
                },
            };
            is_nameless && all(indices)
        }
        Expr::Negative(inner) | Expr::Not(inner) | Expr::Absolute(inner) => is_free(inner),
        Expr::Binary(_, parts) | Expr::AnyOf(parts) | Expr::Least(parts) | Expr::Greatest(parts) => {
            all(parts.as_slice())
        }
        Expr::If(parts) => all(parts.as_slice()),
        Expr::Quantified { body, .. } | Expr::Count { body, .. } => is_free(body),
    }
}

/// The values of cells, alike for agents that are.
pub(crate) fn joined(system: &System, values: &[Values]) -> Vec<Values> {
    let mut joined = values.to_vec();
    for kind in system.kinds.iter() {
        for offset in 0..kind.cells {
            let cells = || kind.agents.clone().map(|agent| system.first_cells[Idx::new(agent)] + offset);
            let mut all = Values::none();
            cells().for_each(|cell| {
                all.join(&values[cell]);
            });
            cells().for_each(|cell| joined[cell].clone_from(&all));
        }
    }
    joined
}

impl Symmetry {
    /// For a machine whose cells have values that are alike ([`joined`]).
    pub(crate) fn new(machine: &Machine<'_>) -> Symmetry {
        let system = machine.system;
        let fields_of = |number: usize| {
            let agent = &machine.agents[number];
            let first = system.first_cells[Idx::new(number)];
            let cells = first..first + system.kinds[system.agents[Idx::new(number)]].cells;
            let cells = cells.filter(|cell| machine.kept.as_ref().is_none_or(|kept| kept[*cell]));
            let ranks = agent.held.iter().map(|(tuple, own)| machine.tuples[tuple.index()].copies[*own].rank);
            let counters = agent.counter..agent.counter + agent.components.len();
            let messages = [agent.confirm, agent.propagate];
            cells.chain(messages).chain(counters).chain(ranks).collect::<Vec<usize>>()
        };
        let kinds = system.kinds.iter().filter(|kind| kind.agents.len() > 1);
        let kinds = kinds.map(|kind| kind.agents.clone().map(fields_of).collect());
        let turn = (machine.rules.schedule != Schedule::Free).then_some(machine.turn);
        Symmetry { kinds: kinds.collect(), turn }
    }

    /// Puts agents in order: those whose turn is next come first; without turns by what they have.
    pub(crate) fn settle(&self, scratch: &mut Scratch) {
        for agents in &self.kinds {
            let words = |fields: &Vec<usize>| fields.iter().map(|field| scratch.fields[*field]).collect();
            let mut all: Vec<Vec<i64>> = agents.iter().map(words).collect();
            match self.turn {
                Some(turn) => all.rotate_left(usize::try_from(scratch.fields[turn]).unwrap_or(0)),
                None if all.is_sorted() => continue,
                None => all.sort_unstable(),
            }
            for (fields, words) in agents.iter().zip(all) {
                fields.iter().zip(words).for_each(|(field, word)| scratch.set(*field, word));
            }
        }
        if let Some(turn) = self.turn {
            scratch.set(turn, 0);
        }
    }
}

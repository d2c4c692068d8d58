//! Constrained Horn clauses in SMT-LIB 2, for Z3 (Spacer).
//!
//! One predicate, `reach`, over the program counters, the variables and what the question needs beside them:
//! the last step, whose turn it is, a saved state. Three clauses: the initial states, a step, an error that
//! implies `false`. So `sat` means that the question holds (there is an invariant), `unsat` that it is
//! violated.
//!
//! The step is one clause for all triples, with a variable `choice` for the triple that is taken: linear in
//! the size of the structure, where a clause per triple would state for every other counter that it stays;
//! and Spacer is quicker with it. So it is with a Boolean per location, of which the clauses assume and prove
//! that one is true (see `docs/emulation-programs.md`). Start and join triples are choices too; steps wait
//! until none is enabled. Passing a turn is the choice behind the last triple.
//!
//! "Eventually" is reachability here: some state is saved, comes back, and the condition never holds (see
//! [`c`](super::c)).

use std::fmt::Write as _;

use crate::expression::VariableId;
use crate::program::Program;
use crate::question::Demand;
use crate::triple::{CounterId, LocationId, Triple, TripleId};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::comment;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::offers::Offers;
use super::{Needs, NotWritable, Ranges, bounds};
use cell::Cell;

mod cell;
mod clauses;
mod condition;
mod expression;

/// How counters are written. (Variables are integers always.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As integers.
    Integers,
    /// As Booleans, one per location, where there are at most 16 locations; the clauses assume, and prove,
    /// that one of them is true.
    OneHot,
}

impl Encoding {
    /// What Spacer is quickest with, for most questions of a kind (see `docs/emulation-programs.md`): for an
    /// "eventually", which has every counter twice, integers.
    pub fn quickest(demand: &Demand) -> Encoding {
        match demand {
            Demand::Never(_) => Encoding::OneHot,
            Demand::Eventually(_) | Demand::Recoverable { .. } => Encoding::Integers,
        }
    }
}

/// How clauses are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How counters are written.
    pub encoding: Encoding,
    /// Whether Z3 shall output a proof where the answer is `unsat`: it has the states on the way.
    pub with_proof: bool,
}

/// The program as clauses.
///
/// # Errors
/// What clauses can't express, or `budget` ended.
pub fn chc(program: &Program<'_>, options: Options, budget: &Budget) -> Result<String, NotWritable> {
    Writer::new(program, options.encoding, budget)?.text(options)
}

/// A state of the clauses: what is known of a fact `reach`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Fact {
    /// Where each counter is.
    pub(crate) counters: Vec<LocationId>,
    /// The value of each variable.
    pub(crate) values: Vec<i64>,
    /// Who has the turn, where turns are taken.
    pub(crate) agent: Option<u32>,
    /// Whether a state is saved, where that is done.
    pub(crate) is_saved: bool,
}

/// The facts that are in an answer of Z3 to the clauses of a program, in any order: those without variables.
///
/// # Errors
/// What clauses can't express, or `budget` ended.
pub(crate) fn facts(
    program: &Program<'_>,
    encoding: Encoding,
    answer: &str,
    budget: &Budget,
) -> Result<Vec<Fact>, NotWritable> {
    let writer = Writer::new(program, encoding, budget)?;
    let mut found: Vec<Fact> = Vec::new();
    for (at, word) in answer.match_indices("(reach ") {
        budget.check()?;
        let values = answer.get(at + word.len()..).and_then(cell::values);
        found.extend(values.and_then(|values| writer.fact(&values)));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// What the clauses are about, chosen before anything is written.
struct Writer<'a> {
    program: &'a Program<'a>,
    /// Counters, then variables.
    places: Vec<Cell>,
    /// Who has the turn.
    agent: Option<Cell>,
    did: Option<Cell>,
    /// Whether a state is saved, and which: as `places` and `agent`.
    saved: Option<(Cell, Vec<Cell>)>,
    /// Per agent what fairness is about.
    flags: Vec<[Cell; 2]>,
    choice: Cell,
    offers: Offers<'a>,
    budget: &'a Budget,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program<'a>, encoding: Encoding, budget: &'a Budget) -> Result<Self, NotWritable> {
        let structure = program.structure;
        if matches!(program.question.demand, Demand::Recoverable { .. }) {
            return Err(NotWritable::Branching);
        }
        bounds::bounds(structure)?;
        let finite = |name: &str, count: usize| Cell::finite(name, count, encoding);
        let mut places: Vec<Cell> = structure
            .counters
            .enumerate()
            .map(|(id, counter)| finite(&format!("pc{}", id.index()), counter.locations.len()))
            .collect();
        places.extend(
            structure.variables.indices().map(|id: VariableId| Cell::integer(&format!("var{}", id.index()))),
        );
        let needs = Needs::of([program.question.demand.condition()]);
        let agents = structure.agents.len();
        let agent = program.is_round_robin().then(|| finite("agent", agents));
        let is_lasso = matches!(program.question.demand, Demand::Eventually(_));
        let saved = is_lasso.then(|| {
            let copies = places.iter().chain(&agent).map(Cell::saved).collect();
            (Cell::boolean("is_saved"), copies)
        });
        let kinds = match program.schedule {
            Schedule::WeaklyFair if is_lasso => Some(["acted", "idle"]),
            Schedule::StronglyFair if is_lasso => Some(["acted", "able_in_loop"]),
            _ => None,
        };
        let flags = kinds.into_iter().flat_map(|kinds| {
            (0..agents).map(move |agent| kinds.map(|kind| Cell::boolean(&format!("{kind}{agent}"))))
        });
        Ok(Writer {
            program,
            places,
            agent,
            did: needs.did.then(|| finite("did", structure.labels.len() + 1)),
            saved,
            flags: flags.collect(),
            choice: Cell::choice(structure.triples.len() + usize::from(program.is_round_robin()), encoding),
            offers: Offers::new(structure),
            budget,
        })
    }

    /// Everything that `reach` is about, in its order.
    fn cells(&self) -> Vec<&Cell> {
        let mut cells: Vec<&Cell> = self.places.iter().chain(&self.agent).chain(&self.did).collect();
        if let Some((flag, copies)) = &self.saved {
            cells.push(flag);
            cells.extend(copies);
        }
        cells.extend(self.flags.iter().flatten());
        cells
    }

    fn counter(&self, counter: CounterId) -> &Cell {
        &self.places[counter.index()]
    }

    fn variable(&self, variable: VariableId) -> &Cell {
        &self.places[self.program.structure.counters.len() + variable.index()]
    }

    /// That a counter is at one of these locations (ascending).
    fn is_at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> String {
        self.counter(counter).is_in(&Ranges::at(self.program.structure, counter, locations))
    }

    /// The name of the condition that a triple may be taken, in whatever turn.
    fn may(id: TripleId) -> String {
        format!("may{}", id.index())
    }

    /// Whether the turn decides if a triple may be taken.
    fn has_turn(&self, triple: &Triple) -> bool {
        self.agent.is_some() && triple.label().is_some() && !triple.agents.is_empty()
    }

    /// That a fact is about these values.
    fn fact(&self, values: &[cell::Value]) -> Option<Fact> {
        let mut rest = values.iter();
        let mut fact = Fact::default();
        let counters = self.program.structure.counters.len();
        for (position, cell) in self.places.iter().enumerate() {
            let value = cell.read(&mut rest)?;
            if position < counters {
                fact.counters.push(LocationId::new(usize::try_from(value).ok()?));
            } else {
                fact.values.push(value);
            }
        }
        if let Some(agent) = &self.agent {
            fact.agent = u32::try_from(agent.read(&mut rest)?).ok();
        }
        if let Some(did) = &self.did {
            did.read(&mut rest)?;
        }
        if let Some((flag, _)) = &self.saved {
            fact.is_saved = flag.read(&mut rest)? != 0;
        }
        Some(fact)
    }

    fn heading(&self) -> String {
        let structure = self.program.structure;
        let mut text = self.program.heading();
        let name = &self.program.question.name;
        let _ = writeln!(text, "\nsat: {name} holds; unsat: it is violated.\n  z3 FILE\n");
        for (id, counter) in structure.counters.enumerate() {
            let _ = writeln!(text, "pc{}: where {} is", id.index(), counter.name);
            for (location, what) in counter.locations.enumerate() {
                let is_final = if what.is_final { " (final)" } else { "" };
                let value = self.counter(id).equation(location.index());
                let _ = writeln!(text, "  {value}: {}{is_final}", what.name);
            }
        }
        for (id, variable) in structure.variables.enumerate() {
            let _ = writeln!(text, "var{}: {}", id.index(), variable.name);
        }
        if let Some(cell) = &self.agent {
            for (number, agent) in structure.agents.iter().enumerate() {
                let _ = writeln!(text, "{}: {} has the turn", cell.equation(number), agent.name);
            }
        }
        if let Some(cell) = &self.did {
            for (label, name) in structure.labels.enumerate() {
                let _ = writeln!(text, "{}: the last step was {name}", cell.equation(label.index() + 1));
            }
        }
        for (id, triple) in structure.triples.enumerate() {
            let agents = structure.agent_words(triple);
            let value = self.choice.equation(id.index());
            let _ = writeln!(text, "{value}: {}, by {agents}", structure.action_words(triple));
        }
        comment::lines("; ", &text)
    }
}

/// A conjunction.
fn all_of(parts: &[String]) -> String {
    connect("and", "true", parts)
}

/// A disjunction.
fn any_of(parts: &[String]) -> String {
    connect("or", "false", parts)
}

fn connect(word: &str, none: &str, parts: &[String]) -> String {
    match parts {
        [] => none.to_owned(),
        [only] => only.clone(),
        several => format!("({word} {})", several.join(" ")),
    }
}

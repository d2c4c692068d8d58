//! Programs for Spin: one process that takes one triple per step.
//!
//! A step is one option of the only loop, a `d_step`, which leaves no state behind in the middle; it prints the number
//! of its triple, so the steps of a trail can be read back. In a state without steps the loop goes round without a
//! change. So Spin's states are those of the structure, except that
//!
//! - `did` is a variable, of the labels that the question asks about, where it asks;
//! - where triples wake start and join triples, and where agents take turns, there is a `phase` in between, in
//!   which these are taken and turns passed on; the claim does not look at such states.
//!
//! The question is a never claim: *never* ends, and so is violated, as soon as the condition holds; *eventually* is
//! violated by a run that for ever avoids it. Deadlock is a condition like any other, not an invalid end state.
//! Rejected: assertions in the process, which would be copied to every step or be steps of their own; and LTL
//! formulas, whose text Spin copies around in buffers of fixed size.

use std::fmt::Write as _;

use crate::emit::commented;
use crate::emit::connective::Words;
use crate::emit::names::Names;
use crate::emit::promela::KEYWORDS;
use crate::program::Program;
use crate::question::Demand;
use crate::triple::{Triple, TripleId};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use super::infix::Syntax;
use super::plan::Plan;
use super::terms::Terms;
use super::{Infix, NotWritable, Ranges};

mod claim;
mod declare;
mod process;

const WORDS: Words = Words { constants: ["false", "true"], connectives: [" && ", " || "] };

const SYNTAX: Syntax = Syntax {
    connectives: WORDS.connectives,
    constants: WORDS.constants,
    equal: "==",
    remainder: "%",
    then: " -> ",
    is_total: false,
};

/// What begins the line that Spin prints for a step; the number of its triple and a colon follow.
pub const STEP: &str = "step ";

/// The name of the claim for *never* and for *eventually*.
pub const CLAIMS: [&str; 2] = ["reaches", "avoids"];

/// The program in Promela.
///
/// # Errors
/// What Promela can't say, or `budget` ended.
pub fn promela(program: &Program<'_>, budget: &Budget) -> Result<String, NotWritable> {
    let writer = Writer::new(program)?;
    let mut text = writer.heading();
    budget.check()?;
    writer.declarations(&mut text);
    writer.macros(&mut text);
    budget.check()?;
    writer.process(&mut text);
    budget.check()?;
    writer.claim(&mut text)?;
    Ok(text)
}

/// The bytes that a state of the program may take in Spin.
pub fn vector_bytes(program: &Program<'_>) -> usize {
    let structure = program.structure;
    // Rounded up: a word per counter and variable, and what Spin needs for the process and the claim.
    (structure.counters.len() + structure.variables.len()) * 4 + 256
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    terms: Terms<'a>,
    /// Per triple what says that it may be taken; only where more than its own option asks.
    may: IndexVec<TripleId, Option<String>>,
    /// Per agent whether it can act; only where turns are taken.
    able: Vec<String>,
    /// Whether there are phases between steps.
    has_phase: bool,
    did: String,
    turn: String,
    phase: String,
    stuck: String,
    terminated: String,
    process: String,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program<'a>) -> Result<Self, NotWritable> {
        let structure = program.structure;
        if program.is_fair() && matches!(program.question.demand, Demand::Eventually(_)) {
            return Err(NotWritable::OneProcess);
        }
        let plan = Plan::new(program)?;
        if !structure.counters.iter().all(|counter| i32::try_from(counter.locations.len()).is_ok()) {
            return Err(NotWritable::Narrow);
        }
        let mut names = Names::new(KEYWORDS);
        CLAIMS.iter().for_each(|claim| {
            names.take(claim);
        });
        let mut terms = Terms::new(plan, &mut names, SYNTAX, is_one_of);
        let plan = &terms.plan;
        let asks_all = plan.needs.can || plan.needs.stuck || plan.takes_turns;
        let may = structure.triples.enumerate().map(|(id, triple)| {
            (asks_all && triple.label().is_some()).then(|| names.take(&format!("may_{}", id.index())))
        });
        let may = may.collect();
        let able = if plan.takes_turns {
            structure.agents.iter().map(|agent| names.take(&format!("able_{}", agent.name))).collect()
        } else {
            Vec::new()
        };
        terms.name_offers(&mut names);
        let plan = &terms.plan;
        let has_phase = !plan.silent.is_empty() || plan.has_choice || plan.takes_turns;
        let [did, turn, phase, stuck, terminated, process] =
            ["did", "turn", "phase", "stuck", "terminated", "system"].map(|name| names.take(name));
        Ok(Writer { terms, may, able, has_phase, did, turn, phase, stuck, terminated, process })
    }

    fn heading(&self) -> String {
        let program = self.terms.plan.program;
        let mut text = program.heading();
        let vector = vector_bytes(program);
        let vector =
            if vector > 1024 { format!("-DVECTORSZ={} ", vector.div_ceil(64) * 64) } else { String::new() };
        let (how, kind) = match program.question.demand {
            Demand::Never(_) => ("-bfs -DSAFETY", "the condition is reached, on a shortest way"),
            Demand::Eventually(_) => ("-a -m1000000", "a run avoids the condition for ever"),
        };
        let _ = write!(
            text,
            "\nWhether {kind}:\n  spin -search {how} -DNOREDUCE {vector}FILE\nThe steps found, by the numbers of \
             triples:\n  spin -t FILE\n"
        );
        format!("/*\n{} */\n\n", commented(&plain(&text), " * "))
    }

    /// That a triple may be taken, whoever has the turn.
    fn guard(&self, id: TripleId, triple: &Triple) -> String {
        SYNTAX.all(&self.terms.guard(id, triple))
    }

    /// That a step may be taken now.
    fn takes(&self, id: TripleId, triple: &Triple) -> String {
        let may = self.may[id].clone().unwrap_or_else(|| self.guard(id, triple));
        if !self.terms.plan.takes_turns {
            return may;
        }
        format!("{} && {may}", self.terms.is_turn(&self.turn, triple))
    }
}

/// That `name` is one of these numbers.
fn infix(name: &str, numbers: &Ranges) -> Infix {
    numbers.infix(name, WORDS.constants, WORDS.connectives)
}

/// That `name` is one of these numbers; holds together in any place.
fn is_one_of(name: &str, numbers: &Ranges) -> String {
    infix(name, numbers).apart()
}

/// Text that is nothing but text in a comment.
fn plain(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\\', "/")
}

//! Programs for Spin: one process that takes one triple per step.
//!
//! A step is one option of the only loop, a `d_step`, which leaves no state behind in the middle; it prints
//! the number of its triple, so the steps of a trail can be read back. In a state without steps the loop goes
//! round without a change. So Spin's states are those of the structure, except that
//!
//! - `did` is a variable, of the labels that questions refer to, where they do;
//! - where triples wake start and join triples, and where agents take turns, there is a `phase` in between,
//!   in which these are taken and turns passed on; the claim does not look at such states.
//!
//! Questions are never claims, of which a run of Spin checks one: *never* ends, and so is violated, as soon
//! as the condition holds; *eventually* is violated by a run that for ever avoids it. Rejected: assertions in
//! the process, which would be copied to every step or be steps of their own; and LTL formulas, whose text
//! Spin copies around in buffers of fixed size.
//!
//! The program for a back end has one question, and deadlock is a condition like any other. The text of an
//! instance is for people who run Spin themselves: locations have the names of states, there is a claim per
//! question, and a deadlock is what Spin calls an *invalid end state*, where no option can be chosen: instead
//! of the option that is always possible there is one that changes nothing where every component is in a
//! final state. Its states in Spin are exactly the markings, as long as all are looked at (`-DNOREDUCE`) and
//! no claim beside them (`-noclaim`).

use std::fmt::Write as _;

use crate::program::Program;
use crate::question::{Demand, Question};
use crate::triple::{Counter, Structure, Triple, TripleId};
use paramcheck_text::comment;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;
use paramcheck_text::names::Names;

use super::NotWritable;
use super::atom::Words;
use super::infix::Syntax;
use super::plan::Plan;
use super::terms::{Membership, Terms};

mod claim;
mod declare;
mod process;

/// What a name must not be: words of Promela, of its formulas, and of the C that they become.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "accept", "active", "always", "assert", "atomic", "bit", "bool", "break", "byte", "c_code", "c_decl", "c_expr",
    "c_state", "c_track", "chan", "D_proctype", "d_proctype", "d_step", "defined", "do", "else", "empty",
    "enabled", "end", "equivalent", "eval", "eventually", "false", "fi", "for", "full", "get_priority", "global",
    "goto", "hidden", "if", "implies", "in", "init", "inline", "int", "len", "local", "ltl", "mtype", "nempty",
    "never", "next", "nfull", "non_progress", "notrace", "np_", "od", "of", "pc_value", "pid", "printf",
    "printm", "priority", "proctype", "progress", "provided", "release", "return", "run", "select",
    "set_priority", "short", "show", "skip", "STDIN", "stronguntil", "timeout", "trace", "true", "typedef",
    "unless", "unsigned", "until", "weakuntil", "xr", "xs",
    "auto", "case", "char", "const", "continue", "default", "double", "enum", "extern", "float", "linux", "long",
    "main", "register", "signed", "sizeof", "static", "struct", "switch", "union", "unix", "void", "volatile", "while",
];

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
pub(crate) const STEP: &str = "step ";

/// The name of the claim for *never* and for *eventually*.
pub(crate) const CLAIMS: [&str; 2] = ["reaches", "avoids"];

/// The program in Promela.
///
/// # Errors
/// What Promela can't express, or `budget` ended.
pub fn promela(program: &Program<'_>, budget: &Budget) -> Result<String, NotWritable> {
    write(Plan::of_program(program)?, budget)
}

/// A program or an instance.
///
/// # Errors
/// As of programs.
pub(crate) fn write(plan: Plan<'_>, budget: &Budget) -> Result<String, NotWritable> {
    let writer = Writer::new(plan)?;
    let mut text = writer.heading();
    budget.check()?;
    writer.declarations(&mut text);
    writer.macros(&mut text);
    budget.check()?;
    writer.process(&mut text);
    budget.check()?;
    writer.claims(&mut text)?;
    Ok(text)
}

/// The bytes that a state may take in Spin.
pub(crate) fn vector_bytes(structure: &Structure) -> usize {
    // Rounded up: a word per counter and variable, and what Spin needs for the process and the claim.
    (structure.counters.len() + structure.variables.len()) * 4 + 256
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    terms: Terms<'a>,
    /// Per triple the macro for whether it may be taken; only where more than its own option needs it.
    may: IndexVec<TripleId, Option<String>>,
    /// Per agent whether it can act; only where turns are taken.
    able: Vec<String>,
    /// Whether there are phases between steps.
    has_phase: bool,
    did: String,
    turn: String,
    phase: String,
    /// Per question its claim.
    claims: Vec<String>,
    stuck: String,
    terminated: String,
    process: String,
}

impl<'a> Writer<'a> {
    fn new(mut plan: Plan<'a>) -> Result<Self, NotWritable> {
        let structure = plan.structure;
        if plan.is_fair() {
            return Err(NotWritable::OneProcess);
        }
        if !structure.counters.iter().all(|counter| i32::try_from(counter.locations.len()).is_ok()) {
            return Err(NotWritable::Narrow);
        }
        // Where all have terminated, an instance has no invalid end state.
        plan.needs.terminated |= plan.legend.is_some();
        let mut names = Names::new(KEYWORDS);
        let claim = |question: &Question| match (&question.demand, plan.legend) {
            (_, Some(_)) => names.take(&question.name),
            (Demand::Never(_), None) => names.take(CLAIMS[0]),
            (Demand::Eventually(_) | Demand::Recoverable { .. }, None) => names.take(CLAIMS[1]),
        };
        let claims = plan.questions.iter().map(claim).collect();
        let macros = |names: &mut Names, kind: &str, counter: &Counter| {
            counter.locations.iter().map(|state| names.take(&format!("{kind}_{}", state.name))).collect()
        };
        let mut terms = Terms::new(plan, &mut names, (SYNTAX, true), MEMBERSHIP, macros);
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
        Ok(Writer { terms, may, able, has_phase, did, turn, phase, claims, stuck, terminated, process })
    }

    fn heading(&self) -> String {
        let plan = &self.terms.plan;
        let mut text = plan.heading.clone();
        let vector = vector_bytes(plan.structure);
        let vector =
            if vector > 1024 { format!("-DVECTORSZ={} ", vector.div_ceil(64) * 64) } else { String::new() };
        if plan.legend.is_some() {
            let _ = write!(
                text,
                "\nIts states in Spin are its reachable markings, and its invalid end states the deadlocks:\n  \
                 spin -search -DNOREDUCE {vector}-m1000000 -noclaim FILE\n"
            );
            for (question, claim) in plan.questions.iter().zip(&self.claims) {
                let _ = writeln!(text, "Whether it reaches `{}`:", question.name);
                let _ = writeln!(text, "  spin -search -DNOREDUCE {vector}-m1000000 -ltl {claim} FILE");
            }
            text += "-m is how many steps deep Spin looks; it reports if that is not enough.\n";
        }
        for question in plan.questions.iter().filter(|_| plan.legend.is_none()) {
            let (how, kind) = match question.demand {
                Demand::Never(_) => ("-bfs -DSAFETY", "the condition is reached, on a shortest way"),
                Demand::Eventually(_) | Demand::Recoverable { .. } => {
                    ("-a -m1000000", "a run avoids the condition for ever")
                }
            };
            let _ = write!(text, "\nWhether {kind}:\n  spin -search {how} -DNOREDUCE {vector}FILE\n");
        }
        text += "The steps found, by the numbers of triples:\n  spin -t FILE\n";
        comment::block(&text) + "\n"
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

/// That `name` is one of these values.
const MEMBERSHIP: Membership = Membership {
    of_numbers: |name, numbers| numbers.infix(name, WORDS.constants, WORDS.connectives).apart(),
    of_names: |name, values| {
        let parts = values.iter().map(|value| format!("{name} == {value}"));
        let text = itertools::join(parts, WORDS.connectives[1]);
        if values.len() == 1 { text } else { format!("({text})") }
    },
};

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

use rustc_hash::FxHashMap;

use crate::emit::commented;
use crate::emit::connective::{self, Words};
use crate::emit::names::Names;
use crate::emit::promela::KEYWORDS;
use crate::emulation::program::Program;
use crate::emulation::question::{Condition, Demand, Term};
use crate::emulation::triple::{CounterId, LocationId, OfferId, Triple, TripleId};
use crate::model::error::Comparison;
use crate::process::model::LabelId;
use crate::support::index::{Idx, IndexVec};

use super::common::Plan;
use super::infix::{Expressions, Syntax};
use super::{Infix, NotWritable, Ranges, condition};

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
/// What Promela can't say.
pub fn promela(program: &Program<'_>) -> Result<String, NotWritable> {
    let writer = Writer::new(program)?;
    let mut text = writer.heading();
    writer.declarations(&mut text);
    writer.conditions(&mut text);
    writer.process(&mut text);
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
    plan: Plan<'a>,
    counters: IndexVec<CounterId, String>,
    variables: Vec<String>,
    /// What takes more than one comparison and is asked more than once.
    offers: FxHashMap<(CounterId, OfferId), String>,
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
        let (counters, variables) = structure.names(&mut names);
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
        let mut offers = FxHashMap::default();
        let mut asked = FxHashMap::default();
        for &(counter, offer) in structure.triples.iter().flat_map(|triple| &triple.entry) {
            let is_again = asked.insert((counter, offer), ()).is_some();
            if is_again
                && !offers.contains_key(&(counter, offer))
                && Ranges::offering(structure, counter, offer).ranges.len() > 1
            {
                let name = names.take(&format!("at_{}_{}", offer.0, counters[counter]));
                offers.insert((counter, offer), name);
            }
        }
        let has_phase = !plan.silent.is_empty() || plan.has_choice || plan.takes_turns;
        let [did, turn, phase, stuck, terminated, process] =
            ["did", "turn", "phase", "stuck", "terminated", "system"].map(|name| names.take(name));
        Ok(Writer {
            plan,
            counters,
            variables,
            offers,
            may,
            able,
            has_phase,
            did,
            turn,
            phase,
            stuck,
            terminated,
            process,
        })
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions { names: &self.variables, syntax: SYNTAX }
    }

    fn heading(&self) -> String {
        let program = self.plan.program;
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

    fn declarations(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        for (id, counter) in structure.counters.enumerate() {
            let name = &self.counters[id];
            let _ = writeln!(text, "/* {}", plain(&counter.name));
            for (location, known) in counter.locations.enumerate() {
                let offers = itertools::join(known.offers.iter().map(|offer| offer.0), " ");
                let last = if known.is_final { " (terminated)" } else { "" };
                let shown = plain(&known.name);
                let offers =
                    if offers.is_empty() { "offers nothing".to_owned() } else { format!("offers {offers}") };
                let _ = writeln!(text, " *   {}: {shown}, {offers}{last}", location.index());
            }
            text.push_str(" */\n");
            let kind = kind(0, counter.locations.len().saturating_sub(1) as i64);
            let initial = self.plan.initial.get(id.index()).map_or(0, |location| location.index());
            let _ = writeln!(text, "{kind} {name} = {initial};");
        }
        for (variable, name) in structure.variables.iter().zip(&self.variables) {
            let kind = kind(variable.least, variable.greatest);
            let first = variable.initial.first().copied().unwrap_or(variable.least);
            let _ = writeln!(
                text,
                "{kind} {name} = {first};  /* {}, {} to {} */",
                plain(&variable.name),
                variable.least,
                variable.greatest,
            );
        }
        if self.plan.needs.did {
            let kind = kind(0, self.plan.did.len() as i64);
            let _ = writeln!(
                text,
                "{kind} {} = 0;  /* what the last step did, as far as it is asked */",
                self.did
            );
        }
        if self.plan.takes_turns {
            let kind = kind(0, structure.agents.len() as i64 - 1);
            let _ = writeln!(text, "{kind} {} = 0;  /* whose turn it is */", self.turn);
        }
        if self.has_phase {
            let first = match (self.plan.has_choice, self.plan.takes_turns) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            let _ = writeln!(
                text,
                "byte {} = {first};  /* 0: a step is next; 1: joins, starts, turns; 2: initial values */",
                self.phase
            );
        }
        let temporary = structure.triples.iter().map(|triple| triple.assignments.len()).max().unwrap_or(0);
        if temporary > 1 {
            (0..temporary).for_each(|number| {
                let _ = writeln!(text, "int next_value_{number};");
            });
        }
        text.push('\n');
    }

    /// The macros that conditions need.
    fn conditions(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        let mut offers: Vec<_> = self.offers.iter().collect();
        offers.sort();
        for ((counter, offer), name) in offers {
            let held = self.offered(*counter, *offer);
            let _ = writeln!(text, "#define {name} ({})", held.text);
        }
        for (id, triple) in structure.steps() {
            if let Some(name) = &self.may[id] {
                let _ = writeln!(text, "#define {name} ({})", self.guard(id, triple));
            }
        }
        for (agent, name) in self.able.iter().enumerate() {
            let own = structure.steps().filter(|(_, triple)| triple.agents.contains(&(agent as u32)));
            let parts: Vec<&str> = own.filter_map(|(id, _)| self.may[id].as_deref()).collect();
            let _ = writeln!(text, "#define {name} ({})", any(&parts));
        }
        if self.plan.needs.stuck {
            let parts: Vec<&str> = self.may.iter().flatten().map(String::as_str).collect();
            let _ = writeln!(text, "#define {} (!({}))", self.stuck, any(&parts));
        }
        if self.plan.needs.terminated {
            let parts: Vec<String> = structure
                .agents
                .iter()
                .map(|agent| {
                    let locations = structure.counters[agent.counter].locations.enumerate();
                    let last = locations.filter(|(_, location)| location.is_final).map(|(id, _)| id);
                    self.at(agent.counter, last).apart()
                })
                .collect();
            let parts = if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") };
            let _ = writeln!(text, "#define {} ({parts})", self.terminated);
        }
    }

    fn at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> Infix {
        let ranges = Ranges::at(self.plan.program.structure, counter, locations);
        ranges.infix(&self.counters[counter], WORDS.constants, WORDS.connectives)
    }

    fn offered(&self, counter: CounterId, offer: OfferId) -> Infix {
        let ranges = Ranges::offering(self.plan.program.structure, counter, offer);
        ranges.infix(&self.counters[counter], WORDS.constants, WORDS.connectives)
    }

    /// That a triple may be taken, whoever has the turn: its entry condition, its guard, that all its values are.
    fn guard(&self, id: TripleId, triple: &Triple) -> String {
        let structure = self.plan.program.structure;
        let mut parts: Vec<String> = Vec::new();
        for place @ (counter, offer) in &triple.entry {
            parts.push(match self.offers.get(place) {
                Some(name) => name.clone(),
                None => self.offered(*counter, *offer).apart(),
            });
        }
        let write = self.expressions();
        if !triple.guard.is_true() {
            parts.extend(write.defined(&triple.guard));
            parts.push(write.condition(&triple.guard));
        }
        for (position, assignment) in triple.assignments.iter().enumerate() {
            parts.extend(write.defined(&assignment.value));
            if self.plan.may_leave(id, position) {
                let variable = &structure.variables[assignment.variable];
                let value = write.number(&assignment.value);
                parts.push(format!("{value} >= {}", variable.least));
                parts.push(format!("{value} <= {}", variable.greatest));
            }
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
    }

    /// That a step may be taken now.
    fn takes(&self, id: TripleId, triple: &Triple) -> String {
        let may = self.may[id].clone().unwrap_or_else(|| self.guard(id, triple));
        if !self.plan.takes_turns {
            return may;
        }
        let turns = Ranges::new(
            triple.agents.iter().map(|agent| *agent as usize),
            (0, self.plan.program.structure.agents.len().saturating_sub(1)),
        );
        let turns = turns.infix(&self.turn, WORDS.constants, WORDS.connectives);
        format!("{} && {may}", turns.apart())
    }

    /// What a triple does to counters and variables.
    fn effect(&self, triple: &Triple) -> String {
        let write = self.expressions();
        let mut text = String::new();
        match triple.assignments.as_slice() {
            [] => {}
            [one] => {
                let _ =
                    write!(text, "{} = {}; ", self.variables[one.variable.index()], write.number(&one.value));
            }
            several => {
                for (number, one) in several.iter().enumerate() {
                    let _ = write!(text, "next_value_{number} = {}; ", write.number(&one.value));
                }
                for (number, one) in several.iter().enumerate() {
                    let _ = write!(text, "{} = next_value_{number}; ", self.variables[one.variable.index()]);
                }
                // So that states do not differ in what is over.
                for number in 0..several.len() {
                    let _ = write!(text, "next_value_{number} = 0; ");
                }
            }
        }
        for (counter, location) in &triple.exit {
            let _ = write!(text, "{} = {}; ", self.counters[*counter], location.index());
        }
        text
    }

    fn process(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        let phase = &self.phase;
        let _ = writeln!(text, "\nactive proctype {}() {{\n  do", self.process);
        for (id, triple) in structure.steps() {
            let what = format!("{}, {}", structure.action_words(triple), structure.agent_words(triple));
            let number = id.index();
            let _ = writeln!(text, "  /* {number}: {} */", plain(&what));
            let now = if self.has_phase { format!("{phase} == 0 && ") } else { String::new() };
            let _ = write!(text, "  :: d_step {{ {now}{} -> {}", self.takes(id, triple), self.effect(triple));
            if self.plan.needs.did {
                let _ = write!(text, "{} = {}; ", self.did, self.plan.did_after(triple));
            }
            if self.plan.takes_turns {
                // Whoever took it.
                let agents = structure.agents.len();
                let _ = write!(text, "{} = ({} + 1) % {agents}; ", self.turn, self.turn);
            }
            if self.plan.takes_turns || self.plan.wakes(triple) {
                let _ = write!(text, "{phase} = 1; ");
            }
            let _ = writeln!(text, "printf(\"{STEP}{number}: {}\\n\") }}", printable(&what));
        }
        if self.has_phase {
            self.between(text);
        }
        text.push_str("  /* nothing is possible */\n  :: else -> skip\n  od\n}\n");
    }

    /// What happens between steps.
    fn between(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        let phase = &self.phase;
        if self.plan.has_choice {
            let _ = writeln!(text, "  /* initial values */\n  :: atomic {{ {phase} == 2 ->");
            for (variable, name) in structure.variables.iter().zip(&self.variables) {
                if variable.initial.len() > 1 {
                    text.push_str("       if");
                    for value in &variable.initial {
                        let _ = write!(text, " :: {name} = {value}");
                    }
                    text.push_str(" fi;\n");
                }
            }
            let _ = writeln!(text, "       {phase} = 1 }}");
        }
        let _ =
            writeln!(text, "  /* start and join triples, then the turn */\n  :: d_step {{ {phase} == 1 ->");
        for (id, triple) in self.plan.silent() {
            let what = structure.action_words(triple);
            let guard = self.guard(id, triple);
            let _ = writeln!(
                text,
                "       if :: {guard} -> {}skip :: else fi;  /* {}: {} */",
                self.effect(triple),
                id.index(),
                plain(&what),
            );
        }
        if self.plan.takes_turns {
            let agents = structure.agents.len();
            // Passing twice around is enough; where nobody can act it ends with the first.
            for agent in (0..agents).chain(0..agents) {
                let next = (agent + 1) % agents;
                let _ = writeln!(
                    text,
                    "       if :: {turn} == {agent} && !{} -> {turn} = {next} :: else fi;",
                    self.able[agent],
                    turn = self.turn,
                );
            }
        }
        let _ = writeln!(text, "       {phase} = 0 }}");
    }

    fn claim(&self, text: &mut String) -> Result<(), NotWritable> {
        let question = self.plan.program.question;
        let mut failed = None;
        let mut asked = String::new();
        let mut atom = |atom: &Condition| {
            self.atom(atom).unwrap_or_else(|reason| {
                failed = Some(reason);
                String::new()
            })
        };
        connective::write(condition(&question.demand), WORDS, &mut atom, &mut asked);
        if let Some(reason) = failed {
            return Err(reason);
        }
        let _ = writeln!(text, "\n/* {} */", plain(&question.name));
        let now = if self.has_phase { format!("{} == 0 && ", self.phase) } else { String::new() };
        let _ = match question.demand {
            Demand::Never(_) => writeln!(
                text,
                "never {} {{\n  do\n  :: {now}({asked}) -> break\n  :: else\n  od\n}}",
                CLAIMS[0]
            ),
            Demand::Eventually(_) => {
                writeln!(text, "never {} {{\naccept:\n  do\n  :: !({now}({asked}))\n  od\n}}", CLAIMS[1])
            }
        };
        Ok(())
    }

    fn atom(&self, atom: &Condition) -> Result<String, NotWritable> {
        Ok(match atom {
            Condition::Did(labels) => {
                let mut numbers: Vec<usize> =
                    labels.iter().filter_map(|label| self.plan.did.get(label).copied()).collect();
                numbers.sort_unstable();
                let ranges = Ranges::new(numbers, (0, usize::MAX));
                ranges.infix(&self.did, WORDS.constants, WORDS.connectives).apart()
            }
            Condition::Can(labels) => self.can(labels),
            Condition::Stuck => self.stuck.clone(),
            Condition::Terminated => self.terminated.clone(),
            Condition::At(counter, locations) => self.at(*counter, locations.iter().copied()).apart(),
            Condition::Count(terms, comparison, bound) => self.count(terms, *comparison, *bound)?,
            Condition::Constant(_) | Condition::Not(_) | Condition::And(_) | Condition::Or(_) => {
                String::new()
            }
        })
    }

    fn can(&self, labels: &[LabelId]) -> String {
        let steps = self.plan.program.structure.steps();
        let such = steps
            .filter(|(_, triple)| triple.label().is_some_and(|label| labels.binary_search(&label).is_ok()));
        let such: Vec<String> = such.map(|(id, triple)| format!("({})", self.takes(id, triple))).collect();
        format!("({})", any(&such))
    }

    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable> {
        let (weights, bound) = super::common::counted(terms, bound)?;
        let parts = terms.iter().zip(weights).map(|(term, weight)| {
            let is_at = self.at(term.counter, term.locations.iter().copied()).text;
            format!("({is_at} -> {weight} : 0)")
        });
        let sum = if terms.is_empty() { "0".to_owned() } else { itertools::join(parts, " + ") };
        Ok(format!("({sum} {} {bound})", comparison.symbol()))
    }
}

/// The smallest type with these numbers.
fn kind(least: i64, greatest: i64) -> &'static str {
    match (least, greatest) {
        (0.., ..=1) => "bit",
        (0.., ..=255) => "byte",
        (-32_768.., ..=32_767) => "short",
        _ => "int",
    }
}

/// One of these.
fn any(parts: &[impl AsRef<str>]) -> String {
    if parts.is_empty() {
        return "false".to_owned();
    }
    itertools::join(parts.iter().map(AsRef::as_ref), " || ")
}

/// Text that is nothing but text in a comment.
fn plain(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\\', "/")
}

/// Text that is nothing but text in a string of `printf`.
fn printable(text: &str) -> String {
    let harmless =
        |letter: char| if matches!(letter, '"' | '\\' | '%') || letter.is_control() { '_' } else { letter };
    text.chars().map(harmless).collect()
}

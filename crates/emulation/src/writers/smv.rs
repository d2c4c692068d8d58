//! Programs for NuSMV: one module that takes one triple per step.
//!
//! Counters and variables are variables; an input variable selects the triple that is taken, and may only
//! select one that can be. Where nothing is possible it selects none, and the state stays: NuSMV wants a next
//! state everywhere. So the states are those of the structure, except that
//!
//! - `did` is a variable, of the labels that questions refer to, where they do, and so is the turn;
//! - start and join triples are steps of their own that go first, one after the other in their order: the
//!   question does not look at states in between, and `did` and turns stay as they are;
//! - for fairness a variable records which agents took part in the last step.
//!
//! *Never* is an invariant, *eventually* a formula of LTL. Weak fairness is a `JUSTICE` per agent: again and
//! again it can't act, or acts. For strong fairness each agent has a variable that may become true at any
//! moment and then stays so, and from then on the agent must never be able to act: again and again it acts,
//! or that is true. (Rejected: `COMPASSION`, for which NuSMV 2.6 leaves out runs that end in a state where no
//! agent can act; and a premise of the formula, which is too much for it.) Fairness takes nothing away from
//! what is reached, so invariants go without.
//!
//! Each triple is mentioned once per counter or variable that it changes, so the text is linear. Rejected: a
//! disjunction of triples, each of which would state for every other counter that it stays.
//!
//! The program for a back end has one property, with a fixed name. The text of an instance is for people who
//! run NuSMV themselves: locations have the names of states, and there is an invariant per question, of its
//! name.

use itertools::Itertools;

use crate::program::Program;
use crate::question::Question;
use crate::triple::{Counter, CounterId, Triple, TripleId};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::comment;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;
use paramcheck_text::names::Names;
use rustc_hash::FxHashMap;

use super::atom::Words;
use super::infix::Syntax;
use super::plan::Plan;
use super::terms::{Membership, Terms};
use super::{NotWritable, Ranges};

mod change;
mod declare;
mod define;
mod question;

/// What a name must not be: the words of NuSMV 2.6, and those of nuXmv.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "A", "ABF", "ABG", "abs", "AF", "AG", "array", "ASSIGN", "AX", "bool", "boolean", "BU", "case", "COMPASSION",
    "COMPID", "COMPUTE", "COMPWFF", "CONSTANTS", "CONSTARRAY", "CONSTRAINT", "count", "CTLSPEC", "CTLWFF",
    "DEFINE", "E", "EBF", "EBG", "EF", "EG", "esac", "EX", "extend", "F", "FAIRNESS", "FALSE", "floor",
    "FROZENVAR", "FUN", "G", "GOTO", "H", "IN", "in", "INCONTEXT", "INIT", "init", "integer", "INVAR", "INVARSPEC",
    "ISA", "ITYPE", "IVAR", "JUSTICE", "LTLSPEC", "LTLWFF", "max", "MAX", "MDEFINE", "min", "MIN", "MIRROR",
    "mod", "MODULE", "NAME", "next", "NEXT", "noncontinuous", "O", "of", "PARSYNTH", "pi", "PRED", "PREDICATES",
    "process", "PSLSPEC", "PSLWFF", "READ", "real", "resize", "S", "self", "signed", "SIMPWFF", "sizeof",
    "SPEC", "swconst", "T", "time", "TRANS", "TRUE", "typeof", "U", "union", "unsigned", "URGENT", "uwconst",
    "V", "VALID", "VAR", "Wants", "word", "word1", "WRITE", "X", "xnor", "xor", "Y", "Z",
    "always", "assert", "assume", "before", "clock", "const", "cover", "endpoint", "eventually", "fairness",
    "forall", "forany", "inf", "inherit", "instance", "is", "main", "never", "next_a", "next_e", "next_event",
    "property", "report", "rose", "fell", "prev", "sequence", "strong", "true", "false", "until", "vmode",
    "vprop", "vunit", "whilenot", "within", "abort", "not", "and", "or", "to", "rest",
    "NEXTWFF", "toint", "Word",
    "acos", "asin", "atan", "cos", "exp", "ln", "pow", "sin", "tan",
];

const WORDS: Words = Words { constants: ["FALSE", "TRUE"], connectives: [" & ", " | "] };

const SYNTAX: Syntax = Syntax {
    connectives: WORDS.connectives,
    constants: WORDS.constants,
    equal: "=",
    remainder: "mod",
    then: " ? ",
    is_total: true,
};

/// The input variable that selects the triple that is taken, and what its values begin with; the number of
/// the triple follows.
pub(crate) const STEP: [&str; 2] = ["step", "t"];

/// The value of the input variable where no step is possible.
const NO_STEP: &str = "none";

/// The name of the property in a program for a back end.
pub(crate) const PROPERTY: &str = "question";

/// The program for NuSMV.
///
/// # Errors
/// What NuSMV can't express, or `budget` ended.
pub fn smv(program: &Program<'_>, budget: &Budget) -> Result<String, NotWritable> {
    write(Plan::of_program(program)?, budget)
}

/// A program or an instance.
///
/// # Errors
/// As of programs.
pub(crate) fn write(plan: Plan<'_>, budget: &Budget) -> Result<String, NotWritable> {
    let writer = Writer::new(plan);
    let mut text = writer.heading();
    budget.check()?;
    writer.variables(&mut text);
    writer.definitions(&mut text);
    budget.check()?;
    writer.steps(&mut text);
    budget.check()?;
    writer.changes(&mut text);
    budget.check()?;
    writer.questions(&mut text)?;
    Ok(text)
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    terms: Terms<'a>,
    /// Per question its property.
    properties: Vec<String>,
    /// Per triple the definition of whether it may be taken, whoever has the turn.
    may: IndexVec<TripleId, String>,
    /// Per agent whether it can act; only where turns are taken or fairness is demanded.
    able: Vec<String>,
    /// Per agent that it will never be able to act again; only for strong fairness.
    out: Vec<String>,
    /// Who may take part in a step, all different; only where fairness is demanded.
    sets: Vec<Vec<u32>>,
    /// Whether fairness is demanded and makes a difference.
    is_fair: bool,
    did: String,
    turn: String,
    actor: String,
    actors: String,
    settled: String,
    stuck: String,
    terminated: String,
}

impl<'a> Writer<'a> {
    fn new(plan: Plan<'a>) -> Self {
        let structure = plan.structure;
        let (is_fair, schedule) = (plan.is_fair(), plan.schedule);
        // Properties have names of their own, which may be those of variables.
        let mut properties = Names::new(KEYWORDS);
        let property = |question: &Question| {
            properties.take(if plan.legend.is_some() { &question.name } else { PROPERTY })
        };
        let properties = plan.questions.iter().map(property).collect();
        let mut names = Names::new(KEYWORDS);
        names.take(STEP[0]);
        names.take(NO_STEP);
        structure.triples.indices().for_each(|id| {
            names.take(&format!("{}{}", STEP[1], id.index()));
        });
        // States of one name are one value.
        let mut values: FxHashMap<String, String> = FxHashMap::default();
        let states = |names: &mut Names, _: &str, counter: &Counter| {
            let states = counter.locations.iter().map(|state| &state.name);
            states
                .map(|name| values.entry(name.clone()).or_insert_with(|| names.take(name)).clone())
                .collect()
        };
        let mut terms = Terms::new(plan, &mut names, (SYNTAX, false), MEMBERSHIP, states);
        let may = structure.triples.indices().map(|id| names.take(&format!("may_{}", id.index()))).collect();
        let able = if terms.plan.takes_turns || is_fair {
            structure.agents.iter().map(|agent| names.take(&format!("able_{}", agent.name))).collect()
        } else {
            Vec::new()
        };
        let out = if is_fair && schedule == Schedule::StronglyFair {
            structure.agents.iter().map(|agent| names.take(&format!("out_{}", agent.name))).collect()
        } else {
            Vec::new()
        };
        let sets = if is_fair {
            structure.steps().map(|(_, triple)| triple.agents.clone()).sorted().dedup().collect()
        } else {
            Vec::new()
        };
        terms.name_offers(&mut names);
        let [did, turn, actor, actors, settled, stuck, terminated] =
            ["did", "turn", "actor", "actors", "settled", "stuck", "terminated"].map(|name| names.take(name));
        Writer {
            terms,
            properties,
            may,
            able,
            out,
            sets,
            is_fair,
            did,
            turn,
            actor,
            actors,
            settled,
            stuck,
            terminated,
        }
    }

    fn heading(&self) -> String {
        let plan = &self.terms.plan;
        let usage = if plan.legend.is_some() {
            "Each error is an invariant that is false where it is reached. NuSMV says which, how, and with -r how\n\
             many states are reachable: as many as markings.\n  NuSMV -r FILE\n"
        } else {
            "The property is false where the question is answered by a violation; the steps are the values of\n\
             `step`.\n  NuSMV FILE\n"
        };
        comment::lines("-- ", &format!("{}\n{usage}\n", plan.heading))
    }

    /// The triples that may be taken, ascending.
    fn taken(&self) -> impl Iterator<Item = (TripleId, &'a Triple)> {
        let all = self.terms.structure().triples.enumerate();
        all.filter(|(_, triple)| triple.label().is_some() || !self.terms.plan.silent.is_empty())
    }

    /// Whether a counter has more than one location; NuSMV takes a variable of one value for a constant.
    fn varies(&self, counter: CounterId) -> bool {
        self.terms.structure().counters[counter].locations.len() > 1
    }

    /// Whether agents take part in steps at all: the variable would have one value otherwise, too.
    fn has_actors(&self) -> bool {
        self.is_fair && !self.sets.is_empty()
    }

    fn has_did(&self) -> bool {
        self.terms.plan.needs.did && !self.terms.plan.did.is_empty()
    }

    /// That a step may be taken now.
    fn takes(&self, id: TripleId, triple: &Triple) -> String {
        if !self.terms.plan.takes_turns {
            return self.may[id].clone();
        }
        format!("{} & {}", self.may[id], self.terms.is_turn(&self.actor, triple))
    }
}

/// The value of the input variable for a triple.
fn value(id: TripleId) -> String {
    format!("{}{}", STEP[1], id.index())
}

/// That `name` is one of these values.
const MEMBERSHIP: Membership = Membership {
    of_numbers: is_one_of,
    of_names: |name, values| match values {
        [value] => format!("{name} = {value}"),
        values => format!("({name} in {{{}}})", values.join(", ")),
    },
};

/// That `name` is one of these numbers; holds together in any place.
fn is_one_of(name: &str, numbers: &Ranges) -> String {
    if numbers.ranges == [numbers.whole] {
        return "TRUE".to_owned();
    }
    let part = |&(first, last): &(usize, usize)| {
        if first == last {
            format!("{name} = {first}")
        } else {
            format!("({name} >= {first} & {name} <= {last})")
        }
    };
    match numbers.ranges.as_slice() {
        [] => "FALSE".to_owned(),
        [one] => part(one),
        several => format!("({})", itertools::join(several.iter().map(part), " | ")),
    }
}

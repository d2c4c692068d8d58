//! Programs for NuSMV: one module that takes one triple per step.
//!
//! Counters and variables are variables; an input variable says which triple is taken, and may only choose one that can
//! be. Where nothing is possible it chooses none, and the state stays: NuSMV wants a next state everywhere. So the
//! states are those of the structure, except that
//!
//! - `did` is a variable, of the labels that the question asks about, where it asks, and so is the turn;
//! - start and join triples are steps of their own that go first, one after the other in their order: the
//!   question does not look at states in between, and `did` and turns stay as they are;
//! - for fairness there is a variable that says who took part in the last step.
//!
//! *Never* is an invariant, *eventually* a formula of LTL. Weak fairness is a `JUSTICE` per agent: again and again it
//! can't act, or acts. For strong fairness each agent has a variable that may become true at any moment and then stays
//! so, and from then on the agent must never be able to act: again and again it acts, or that is true. (Rejected:
//! `COMPASSION`, for which NuSMV 2.6 leaves out runs that end in a state where nobody can act; and a premise of the
//! formula, which is too much for it.) Fairness takes nothing away from what is reached, so invariants go without.
//!
//! Each triple is mentioned once per counter or variable that it changes, so the text is linear.

use std::fmt::Write as _;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use crate::emit::commented;
use crate::emit::connective::{self, Words};
use crate::emit::names::Names;
use crate::emit::smv::KEYWORDS;
use crate::emulation::program::Program;
use crate::emulation::question::{Condition, Demand, Term};
use crate::emulation::triple::{CounterId, LocationId, OfferId, Triple, TripleId};
use crate::model::error::Comparison;
use crate::process::model::LabelId;
use crate::semantics::check::Schedule;
use crate::support::index::{Idx, IndexVec};

use super::common::Plan;
use super::infix::{Expressions, Syntax};
use super::{NotWritable, Ranges, condition};

const WORDS: Words = Words { constants: ["FALSE", "TRUE"], connectives: [" & ", " | "] };

const SYNTAX: Syntax = Syntax {
    connectives: WORDS.connectives,
    constants: WORDS.constants,
    equal: "=",
    remainder: "mod",
    then: " ? ",
    is_total: true,
};

/// The input variable that says which triple is taken, and what its values begin with; the number of the triple
/// follows.
pub const STEP: [&str; 2] = ["step", "t"];

/// The name of the property.
pub const PROPERTY: &str = "question";

/// The program for NuSMV.
///
/// # Errors
/// What NuSMV can't say.
pub fn smv(program: &Program<'_>) -> Result<String, NotWritable> {
    let writer = Writer::new(program)?;
    let mut text = writer.heading();
    writer.variables(&mut text);
    writer.definitions(&mut text);
    writer.steps(&mut text);
    writer.changes(&mut text);
    writer.question(&mut text)?;
    Ok(text)
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    plan: Plan<'a>,
    counters: IndexVec<CounterId, String>,
    variables: Vec<String>,
    /// What takes more than one comparison and is asked more than once.
    offers: FxHashMap<(CounterId, OfferId), String>,
    /// Per triple what says that it may be taken, whoever has the turn.
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
    fn new(program: &'a Program<'a>) -> Result<Self, NotWritable> {
        let structure = program.structure;
        let plan = Plan::new(program)?;
        let mut names = Names::new(KEYWORDS);
        names.take(STEP[0]);
        names.take("none");
        structure.triples.indices().for_each(|id| {
            names.take(&format!("{}{}", STEP[1], id.index()));
        });
        let (counters, variables) = structure.names(&mut names);
        let may = structure.triples.indices().map(|id| names.take(&format!("may_{}", id.index()))).collect();
        let is_fair = program.is_fair() && matches!(program.question.demand, Demand::Eventually(_));
        let able = if plan.takes_turns || is_fair {
            structure.agents.iter().map(|agent| names.take(&format!("able_{}", agent.name))).collect()
        } else {
            Vec::new()
        };
        let out = if is_fair && program.schedule == Schedule::StronglyFair {
            structure.agents.iter().map(|agent| names.take(&format!("out_{}", agent.name))).collect()
        } else {
            Vec::new()
        };
        let sets = if is_fair {
            structure.steps().map(|(_, triple)| triple.agents.clone()).sorted().dedup().collect()
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
                let counter_name: &IndexVec<CounterId, String> = &counters;
                let name = names.take(&format!("at_{}_{}", offer.0, counter_name[counter]));
                offers.insert((counter, offer), name);
            }
        }
        let [did, turn, actor, actors, settled, stuck, terminated] =
            ["did", "turn", "actor", "actors", "settled", "stuck", "terminated"].map(|name| names.take(name));
        Ok(Writer {
            plan,
            counters,
            variables,
            offers,
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
        })
    }

    /// The triples that may be taken, ascending.
    fn taken(&self) -> impl Iterator<Item = (TripleId, &'a Triple)> {
        let all = self.plan.program.structure.triples.enumerate();
        all.filter(|(_, triple)| triple.label().is_some() || !self.plan.silent.is_empty())
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions { names: &self.variables, syntax: SYNTAX }
    }

    fn heading(&self) -> String {
        let text = self.plan.program.heading()
            + "\nThe property is false where the question is answered by a violation; the steps are the values of `step`.\n  \
               NuSMV FILE\n\n";
        commented(&text, "-- ")
    }

    fn variables(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        let values = self.taken().map(|(id, _)| value(id)).chain(["none".to_owned()]);
        let _ = writeln!(text, "MODULE main\n\nIVAR\n  {} : {{{}}};", STEP[0], itertools::join(values, ", "));
        text.push_str("\nVAR\n");
        for (id, counter) in structure.counters.enumerate() {
            let _ = writeln!(text, "  -- {}", plain(&counter.name));
            for (location, known) in counter.locations.enumerate() {
                let offers = itertools::join(known.offers.iter().map(|offer| offer.0), " ");
                let offers =
                    if offers.is_empty() { "offers nothing".to_owned() } else { format!("offers {offers}") };
                let last = if known.is_final { " (terminated)" } else { "" };
                let _ = writeln!(text, "  --   {}: {}, {offers}{last}", location.index(), plain(&known.name));
            }
            if self.varies(id) {
                let last = counter.locations.len() - 1;
                let _ = writeln!(text, "  {} : 0..{last};", self.counters[id]);
            }
        }
        for (variable, name) in structure.variables.iter().zip(&self.variables) {
            let (least, greatest) = (variable.least, variable.greatest);
            let _ = writeln!(text, "  {name} : {least}..{};  -- {}", greatest, plain(&variable.name));
        }
        if self.has_did() {
            let _ = writeln!(text, "  {} : 0..{};  -- what the last step did", self.did, self.plan.did.len());
        }
        if self.plan.takes_turns {
            let last = structure.agents.len() - 1;
            let _ = writeln!(text, "  {} : 0..{last};  -- whose turn it is", self.turn);
        }
        if self.has_actors() {
            // 0: nobody yet.
            let _ = writeln!(
                text,
                "  {} : 0..{};  -- who took part in the last step",
                self.actors,
                self.sets.len()
            );
        }
        for (agent, out) in structure.agents.iter().zip(&self.out) {
            let _ = writeln!(
                text,
                "  {out} : boolean;  -- {} will never be able to act again",
                plain(&agent.name)
            );
        }
    }

    /// Whether a counter has more than one location; NuSMV takes a variable of one value for a constant.
    fn varies(&self, counter: CounterId) -> bool {
        self.plan.program.structure.counters[counter].locations.len() > 1
    }

    /// Whether anybody may take part in a step: the variable would have one value otherwise, too.
    fn has_actors(&self) -> bool {
        self.is_fair && !self.sets.is_empty()
    }

    fn has_did(&self) -> bool {
        self.plan.needs.did && !self.plan.did.is_empty()
    }

    fn at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> String {
        is_one_of(&self.counters[counter], &Ranges::at(self.plan.program.structure, counter, locations))
    }

    fn offered(&self, counter: CounterId, offer: OfferId) -> String {
        is_one_of(&self.counters[counter], &Ranges::offering(self.plan.program.structure, counter, offer))
    }

    fn guard(&self, id: TripleId, triple: &Triple) -> Vec<String> {
        let structure = self.plan.program.structure;
        let mut parts: Vec<String> = Vec::new();
        for place @ (counter, offer) in &triple.entry {
            parts.push(match self.offers.get(place) {
                Some(name) => name.clone(),
                None => self.offered(*counter, *offer),
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
        parts
    }

    fn definitions(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        text.push_str("\nDEFINE\n");
        let mut offers: Vec<_> = self.offers.iter().collect();
        offers.sort();
        for ((counter, offer), name) in offers {
            let _ = writeln!(text, "  {name} := {};", self.offered(*counter, *offer));
        }
        // Start and join triples in their order: one that is possible keeps the later ones and all steps back.
        let mut earlier: Option<String> = None;
        for (id, triple) in self.plan.silent() {
            let may = &self.may[id];
            let mut parts = self.guard(id, triple);
            let _ = writeln!(text, "  -- {}: {}", id.index(), plain(&structure.action_words(triple)));
            if let Some(earlier) = &earlier {
                parts.insert(0, format!("!{earlier}"));
            }
            let _ = writeln!(text, "  {may} := {};", all(&parts));
            let busy = format!("{}_or_before_{}", may, id.index());
            let before = earlier.as_ref().map_or(String::new(), |earlier| format!(" | {earlier}"));
            let _ = writeln!(text, "  {busy} := {may}{before};");
            earlier = Some(busy);
        }
        let settled = earlier.map_or("TRUE".to_owned(), |busy| format!("!{busy}"));
        let _ = writeln!(text, "  {} := {settled};", self.settled);
        for (id, triple) in structure.steps() {
            let mut parts = self.guard(id, triple);
            if !self.plan.silent.is_empty() {
                parts.insert(0, self.settled.clone());
            }
            let what = format!("{}, {}", structure.action_words(triple), structure.agent_words(triple));
            let _ = writeln!(text, "  -- {}: {}", id.index(), plain(&what));
            let _ = writeln!(text, "  {} := {};", self.may[id], all(&parts));
        }
        let steps: Vec<&str> = structure.steps().map(|(id, _)| self.may[id].as_str()).collect();
        let settled =
            if !self.plan.silent.is_empty() { format!("{} & ", self.settled) } else { String::new() };
        let _ = writeln!(text, "  {} := {settled}!({});", self.stuck, any(&steps));
        for (agent, name) in self.able.iter().enumerate() {
            let own = structure.steps().filter(|(_, triple)| triple.agents.contains(&(agent as u32)));
            let parts: Vec<&str> = own.map(|(id, _)| self.may[id].as_str()).collect();
            let _ = writeln!(text, "  {name} := {};", any(&parts));
        }
        if self.plan.takes_turns {
            let _ = write!(text, "  -- the first from the turn on that can act\n  {} := case", self.actor);
            for (agent, able) in self.able.iter().enumerate() {
                let _ = write!(text, "\n      {} <= {agent} & {able} : {agent};", self.turn);
            }
            for (agent, able) in self.able.iter().enumerate() {
                let _ = write!(text, "\n      {able} : {agent};");
            }
            let _ = writeln!(text, "\n      TRUE : {};\n    esac;", self.turn);
        }
        if self.plan.needs.terminated {
            let parts: Vec<String> = structure
                .agents
                .iter()
                .map(|agent| {
                    let locations = structure.counters[agent.counter].locations.enumerate();
                    self.at(agent.counter, locations.filter(|(_, one)| one.is_final).map(|(id, _)| id))
                })
                .collect();
            let _ = writeln!(text, "  {} := {};", self.terminated, all(&parts));
        }
    }

    /// That a step may be taken now.
    fn takes(&self, id: TripleId, triple: &Triple) -> String {
        if !self.plan.takes_turns {
            return self.may[id].clone();
        }
        let agents = self.plan.program.structure.agents.len();
        let who = Ranges::new(triple.agents.iter().map(|agent| *agent as usize), (0, agents - 1));
        format!("{} & {}", self.may[id], is_one_of(&self.actor, &who))
    }

    /// What each value of the input variable demands.
    fn steps(&self, text: &mut String) {
        text.push('\n');
        for (id, triple) in self.taken() {
            let takes = if triple.label().is_some() { self.takes(id, triple) } else { self.may[id].clone() };
            let _ = writeln!(text, "TRANS {} = {} -> {takes}", STEP[0], value(id));
        }
        text.push_str("-- a step that changes nothing where nothing is possible\n");
        let _ = writeln!(text, "TRANS {} = none -> {}", STEP[0], self.stuck);
    }

    /// What each step changes.
    fn changes(&self, text: &mut String) {
        let structure = self.plan.program.structure;
        let mut counters: IndexVec<CounterId, Vec<(LocationId, TripleId)>> =
            structure.counters.iter().map(|_| Vec::new()).collect();
        let mut variables: Vec<Vec<(TripleId, usize)>> = vec![Vec::new(); structure.variables.len()];
        for (id, triple) in self.taken() {
            for (counter, location) in &triple.exit {
                counters[*counter].push((*location, id));
            }
            for (position, assignment) in triple.assignments.iter().enumerate() {
                variables[assignment.variable.index()].push((id, position));
            }
        }
        text.push('\n');
        for (id, name) in self.counters.enumerate().filter(|(id, _)| self.varies(*id)) {
            let initial = self.plan.initial.get(id.index()).map_or(0, |location| location.index());
            let mut own = std::mem::take(&mut counters[id]);
            own.sort_unstable();
            let cases: Vec<String> = own
                .iter()
                .chunk_by(|(location, _)| *location)
                .into_iter()
                .map(|(location, group)| {
                    let values = group.map(|(_, id)| value(*id)).collect::<Vec<_>>();
                    format!("{} : {}", is_step(&values), location.index())
                })
                .collect();
            assign(text, name, &initial.to_string(), &cases, name);
        }
        let write = self.expressions();
        for ((variable, name), own) in structure.variables.iter().zip(&self.variables).zip(variables) {
            let initial = format!("{{{}}}", itertools::join(&variable.initial, ", "));
            let cases: Vec<String> = own
                .into_iter()
                .map(|(id, position)| {
                    // Only where it may be taken is the value one of the variable's.
                    let assignment = &structure.triples[id].assignments[position];
                    let value = write.number(&assignment.value);
                    format!("{} & {} : {value}", is_step(&[self::value(id)]), self.may[id])
                })
                .collect();
            assign(text, name, &initial, &cases, name);
        }
        // What is said of the last step stays as it is where there is none.
        let mut still: Vec<String> = self.plan.silent().map(|(id, _)| value(id)).collect();
        still.push("none".to_owned());
        let still = is_step(&still);
        if self.has_did() {
            let mut cases = vec![format!("{still} : {}", self.did)];
            let mut by_number: Vec<Vec<String>> = vec![Vec::new(); self.plan.did.len() + 1];
            structure.steps().for_each(|(id, triple)| by_number[self.plan.did_after(triple)].push(value(id)));
            for (number, values) in
                by_number.iter().enumerate().skip(1).filter(|(_, values)| !values.is_empty())
            {
                cases.push(format!("{} : {number}", is_step(values)));
            }
            assign(text, &self.did, "0", &cases, "0");
        }
        if self.plan.takes_turns {
            let agents = structure.agents.len();
            let cases = [format!("{still} : {}", self.turn)];
            assign(text, &self.turn, "0", &cases, &format!("({} + 1) mod {agents}", self.actor));
        }
        if self.has_actors() {
            let mut cases = Vec::new();
            for (position, set) in self.sets.iter().enumerate() {
                let own = structure.steps().filter(|(_, triple)| triple.agents == *set);
                let values: Vec<String> = own.map(|(id, _)| value(id)).collect();
                cases.push(format!("{} : {}", is_step(&values), position + 1));
            }
            // Start and join triples belong to the step before; a step that changes nothing is nobody's.
            cases.push(format!("{} = none : 0", STEP[0]));
            assign(text, &self.actors, "0", &cases, &self.actors);
        }
        for out in &self.out {
            let _ = writeln!(text, "ASSIGN init({out}) := FALSE;");
        }
    }

    fn question(&self, text: &mut String) -> Result<(), NotWritable> {
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
        if self.is_fair {
            self.fairness(text);
        }
        let _ = writeln!(text, "\n-- {}", plain(&question.name));
        let settled = &self.settled;
        let _ = match question.demand {
            Demand::Never(_) => writeln!(text, "INVARSPEC NAME {PROPERTY} := !({settled} & ({asked}));"),
            Demand::Eventually(_) => writeln!(text, "LTLSPEC NAME {PROPERTY} := F ({settled} & ({asked}));"),
        };
        Ok(())
    }

    fn fairness(&self, text: &mut String) {
        let _ = writeln!(text, "\n-- {}", self.plan.program.schedule.words());
        for (agent, able) in self.able.iter().enumerate() {
            let own = self.sets.iter().enumerate().filter(|(_, set)| set.contains(&(agent as u32)));
            let ranges = Ranges::new(own.map(|(position, _)| position + 1), (0, self.sets.len()));
            let acted = is_one_of(&self.actors, &ranges);
            let _ = match self.out.get(agent) {
                Some(out) => writeln!(
                    text,
                    "INVAR {out} -> !{able}\nTRANS {out} -> next({out})\nJUSTICE {out} | {acted}"
                ),
                None => writeln!(text, "JUSTICE ({} & !{able}) | {acted}", self.settled),
            };
        }
    }

    fn atom(&self, atom: &Condition) -> Result<String, NotWritable> {
        Ok(match atom {
            Condition::Did(labels) => {
                let numbers = labels.iter().filter_map(|label| self.plan.did.get(label).copied()).sorted();
                is_one_of(&self.did, &Ranges::new(numbers, (0, usize::MAX)))
            }
            Condition::Can(labels) => self.can(labels),
            Condition::Stuck => self.stuck.clone(),
            Condition::Terminated => self.terminated.clone(),
            Condition::At(counter, locations) => self.at(*counter, locations.iter().copied()),
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
        // One count per weight.
        let weighted = terms.iter().zip(weights).sorted_by_key(|(_, weight)| *weight).collect::<Vec<_>>();
        let counts = weighted.iter().chunk_by(|(_, weight)| *weight);
        let parts = counts.into_iter().map(|(weight, group)| {
            let inside = itertools::join(
                group.map(|(term, _)| self.at(term.counter, term.locations.iter().copied())),
                ", ",
            );
            let factor = if weight == 1 { String::new() } else { format!("{weight} * ") };
            format!("{factor}count({inside})")
        });
        let sum = if terms.is_empty() { "0".to_owned() } else { itertools::join(parts, " + ") };
        let sign = match comparison {
            Comparison::Equal => "=",
            other => other.symbol(),
        };
        Ok(format!("({sum} {sign} {bound})"))
    }
}

/// The value of the input variable for a triple.
fn value(id: TripleId) -> String {
    format!("{}{}", STEP[1], id.index())
}

/// That one of these is taken.
fn is_step(values: &[String]) -> String {
    match values {
        [one] => format!("{} = {one}", STEP[0]),
        several => format!("{} in {{{}}}", STEP[0], several.join(", ")),
    }
}

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

/// `init` and `next` of a variable.
fn assign(text: &mut String, name: &str, initial: &str, cases: &[String], otherwise: &str) {
    let _ = writeln!(text, "ASSIGN init({name}) := {initial};");
    if cases.is_empty() {
        let _ = writeln!(text, "  next({name}) := {otherwise};");
        return;
    }
    let _ = writeln!(text, "  next({name}) := case");
    for case in cases {
        let _ = writeln!(text, "      {case};");
    }
    let _ = writeln!(text, "      TRUE : {otherwise};\n    esac;");
}

fn all(parts: &[String]) -> String {
    if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") }
}

fn any(parts: &[impl AsRef<str>]) -> String {
    if parts.is_empty() {
        return "FALSE".to_owned();
    }
    itertools::join(parts.iter().map(AsRef::as_ref), " | ")
}

/// Text that is nothing but text in a comment of one line.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

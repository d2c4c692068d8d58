//! What the paper prints: Tables 5 and 6 and Algorithm 1 as they are, to be looked at, with what is wrong.
//!
//! Nothing is computed from these triples; see `docs/emulation.md` for what is done instead. Every occurrence
//! of a term has ids of its own, as in the paper. Its tables have no loops, and no exit condition for a
//! choice with a parallel operand: then there is nothing to print.

mod required;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::agents::combined;
use super::joint::{Draft, Operators};
use super::location::{agent_names, counter_name};
use super::{NotEncoded, Work};
use crate::table::{Row, Section, write};
use crate::triple::{Action, CounterId, OfferId};
use paramcheck_process::Language;
use paramcheck_process::model::{
    ConstantId, LabelId, RelabellingId, RestrictionId, Synchronisation, SynchronisationId, System, Term,
    TermId,
};
use paramcheck_process::show;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

/// Terms that are nested deeper are not printed; chains of prefixes are not counted.
const MAX_DEPTH: usize = 200;

/// More triples are not printed: they could not be read.
const MAX_ROWS: usize = 20_000;

/// The longest name of an id.
const MAX_NAME_LENGTH: usize = 24;

/// Why there is nothing to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPrinted {
    /// No triples at all.
    #[error(transparent)]
    NotEncoded(#[from] NotEncoded),
    /// Table 6 gives a choice a disjunction of exit conditions, each on one counter.
    #[error("Table 6 has no exit condition for a choice with a parallel operand")]
    ChoiceOfParallels,
    /// The tables know no `*(P)`.
    #[error("Table 5 has no loops")]
    Loop,
    /// Too deep.
    #[error("terms are nested more than {MAX_DEPTH} deep")]
    Deep,
    /// Too many.
    #[error("there are more than {MAX_ROWS} triples")]
    Many,
}

/// An exit condition: per counter the ids of which one is chosen.
type Exit = BTreeMap<usize, BTreeSet<u32>>;

/// An exit condition, and what is wrong with it.
#[derive(Clone, Debug)]
struct Printed {
    exit: Exit,
    /// What it would have to offer.
    required: Exit,
    remarks: BTreeSet<&'static str>,
}

/// A join does not require that the composition runs at all, so it fires again.
const UNGUARDED: &str = "asks nothing of the parent: it fires again, what follows can repeat";
/// One of several ids is chosen on exit, before it is known which can go on.
const EARLY: &str = "chooses too early";
/// What comes after what has terminated is not enabled (◁[0] is pc = 0, whatever the exit condition passed
/// down is, and ◁[P; Q] is ◁[P] even if P has terminated), or after a constant comes what came after it
/// elsewhere.
const LOST: &str = "what follows is lost";

/// An occurrence of a term, by its position among all.
type Id = usize;

enum Occurrence {
    Nil,
    Constant(ConstantId),
    Act(LabelId, u32),
    Sequence(Id, Id),
    Choice(Vec<Id>),
    Parallel(SynchronisationId, u32, Vec<(Id, usize)>),
    Restrict(Id, RestrictionId),
    Relabel(Id, RelabellingId),
}

/// The printed version as a table.
///
/// # Errors
/// It does not exist, or is too large.
pub fn printed(system: &System, budget: &Budget) -> Result<String, NotPrinted> {
    let mut work = Work::new(budget);
    let operators = Operators::new(system);
    let mut encoder = Encoder {
        system,
        operators: &operators,
        occurrences: Vec::new(),
        is_nothing: Vec::new(),
        nothing: required::nothing(system),
        ids: Vec::new(),
        counters: Vec::new(),
        bodies: BTreeMap::new(),
        encoded: BTreeMap::new(),
        agent: 0,
        drops_joins: false,
    };
    let mut agents: Vec<TermId> = Vec::new();
    let drafts = combined(system, &operators, &mut work, |term, work| {
        encoder.agent = agents.len() as u32;
        agents.push(term);
        encoder.agent(term, work)
    })?;
    if drafts.len() > MAX_ROWS {
        return Err(NotPrinted::Many);
    }
    Ok(encoder.table(&agents, &drafts))
}

struct Encoder<'a> {
    system: &'a System,
    operators: &'a Operators<'a>,
    occurrences: Vec<Occurrence>,
    /// Whether each has terminated without a join.
    is_nothing: Vec<bool>,
    /// The same of each term.
    nothing: IndexVec<TermId, bool>,
    /// The ids from 1 on: the counter of each, and the term that begins there (`None` for a start).
    ids: Vec<(usize, Option<TermId>)>,
    /// Of each counter the agent, and whether it is an operand's.
    counters: Vec<(u32, bool)>,
    /// The bodies of constants, by the counter that they stand under.
    bodies: BTreeMap<(ConstantId, usize), Id>,
    /// Those that have been translated, with what comes after them there.
    encoded: BTreeMap<(ConstantId, usize), Exit>,
    agent: u32,
    drops_joins: bool,
}

impl Encoder<'_> {
    fn id(&mut self, counter: usize, term: Option<TermId>) -> Result<u32, NotPrinted> {
        self.ids.push((counter, term));
        if self.ids.len() > MAX_ROWS { Err(NotPrinted::Many) } else { Ok(self.ids.len() as u32) }
    }

    fn push(&mut self, occurrence: Occurrence, is_nothing: bool) -> Id {
        self.is_nothing.push(is_nothing);
        self.occurrences.push(occurrence);
        self.occurrences.len() - 1
    }

    /// Definition 3.3.
    fn agent(&mut self, term: TermId, work: &mut Work<'_>) -> Result<Vec<Draft<Printed>>, NotPrinted> {
        let counter = self.counters.len();
        self.counters.push((self.agent, false));
        let whole = self.occurrence(term, counter, 0, work)?;
        let mut triples = Vec::new();
        self.triples(whole, counter, &ended(counter), 0, &mut triples, work)?;
        let start = self.id(counter, None)?;
        let exit = self.going_to(whole, counter, &ended(counter).required, work)?;
        triples.insert(0, self.draft(vec![(counter, start)], Action::Start, &exit));
        Ok(triples)
    }

    fn draft(&self, entry: Vec<(usize, u32)>, action: Action, exit: &Printed) -> Draft<Printed> {
        let mut exit = exit.clone();
        // Chor's choice is made in silence, so there it is no mistake.
        if self.system.language == Language::Ccs && exit.exit.values().any(|ids| ids.len() > 1) {
            exit.remarks.insert(EARLY);
        }
        Draft {
            entry: entry.into_iter().map(|(counter, id)| (CounterId::new(counter), OfferId(id))).collect(),
            action,
            exit: vec![exit],
            agents: vec![self.agent],
            via: None,
            parts: Vec::new(),
        }
    }

    /// Gives every occurrence its ids and counters. Recursion is bounded by `depth`.
    fn occurrence(
        &mut self,
        term: TermId,
        counter: usize,
        depth: usize,
        work: &mut Work<'_>,
    ) -> Result<Id, NotPrinted> {
        work.step()?;
        if depth > MAX_DEPTH {
            return Err(NotPrinted::Deep);
        }
        let system = self.system;
        // `a.P` is `a; P`; nothing goes down a chain by recursion.
        let mut prefixes = Vec::new();
        let mut at = term;
        while let Term::Prefix(label, rest) = &system.terms[at] {
            let id = self.id(counter, Some(at))?;
            prefixes.push(self.push(Occurrence::Act(*label, id), false));
            at = *rest;
        }
        let below = depth + 1;
        let last = match &system.terms[at] {
            Term::Nil | Term::Prefix(..) => Occurrence::Nil,
            Term::Constant(constant) => Occurrence::Constant(*constant),
            Term::Sequence(first, second) => Occurrence::Sequence(
                self.occurrence(*first, counter, below, work)?,
                self.occurrence(*second, counter, below, work)?,
            ),
            Term::Choice(parts) | Term::InternalChoice(parts) => {
                let parts = parts.iter().map(|part| self.occurrence(*part, counter, below, work));
                Occurrence::Choice(parts.collect::<Result<_, _>>()?)
            }
            Term::Loop(_) => return Err(NotPrinted::Loop),
            Term::Restrict(inside, set) => {
                Occurrence::Restrict(self.occurrence(*inside, counter, below, work)?, *set)
            }
            Term::Relabel(inside, map) => {
                Occurrence::Relabel(self.occurrence(*inside, counter, below, work)?, *map)
            }
            Term::Parallel(synchronisation, parts) => {
                let id = self.id(counter, Some(at))?;
                let mut operands = Vec::with_capacity(parts.len());
                for part in parts {
                    let own = self.counters.len();
                    self.counters.push((self.agent, true));
                    operands.push((self.occurrence(*part, own, below, work)?, own));
                }
                Occurrence::Parallel(*synchronisation, id, operands)
            }
        };
        let last = self.push(last, self.nothing[at]);
        let prefixed = |rest, act| self.push(Occurrence::Sequence(act, rest), false);
        Ok(prefixes.into_iter().rev().fold(last, prefixed))
    }

    /// The body of a constant under a counter.
    fn body(&mut self, constant: ConstantId, counter: usize, work: &mut Work<'_>) -> Result<Id, NotPrinted> {
        if let Some(known) = self.bodies.get(&(constant, counter)) {
            return Ok(*known);
        }
        let body = self.occurrence(self.system.constants[constant].body, counter, 0, work)?;
        self.bodies.insert((constant, counter), body);
        Ok(body)
    }

    /// Table 6.
    fn enabler(&mut self, whole: Id, counter: usize, work: &mut Work<'_>) -> Result<Exit, NotPrinted> {
        let mut exit = Exit::new();
        // What is to be looked at, and whether a choice stands above it.
        let mut todo: Vec<(Id, usize, bool)> = vec![(whole, counter, false)];
        while let Some((next, counter, is_alternative)) = todo.pop() {
            work.step()?;
            let offered = match &self.occurrences[next] {
                Occurrence::Nil => 0,
                Occurrence::Act(_, id) => *id,
                Occurrence::Parallel(..) if is_alternative => return Err(NotPrinted::ChoiceOfParallels),
                Occurrence::Parallel(_, id, operands) => {
                    todo.extend(operands.iter().map(|(operand, own)| (*operand, *own, false)));
                    *id
                }
                Occurrence::Constant(constant) => {
                    let body = self.body(*constant, counter, work)?;
                    todo.push((body, counter, is_alternative));
                    continue;
                }
                Occurrence::Sequence(first, _)
                | Occurrence::Restrict(first, _)
                | Occurrence::Relabel(first, _) => {
                    todo.push((*first, counter, is_alternative));
                    continue;
                }
                Occurrence::Choice(parts) => {
                    todo.extend(parts.iter().map(|part| (*part, counter, true)));
                    continue;
                }
            };
            exit.entry(counter).or_default().insert(offered);
        }
        Ok(exit)
    }

    /// Table 5. Recursion is bounded by the depth of occurrences, and by `depth` for constants.
    fn triples(
        &mut self,
        whole: Id,
        counter: usize,
        exit: &Printed,
        depth: usize,
        made: &mut Vec<Draft<Printed>>,
        work: &mut Work<'_>,
    ) -> Result<(), NotPrinted> {
        if depth > MAX_DEPTH {
            return Err(NotPrinted::Deep);
        }
        let mut whole = whole;
        while let Occurrence::Sequence(first, second) = self.occurrences[whole] {
            work.step()?;
            let between = self.going_to(second, counter, &exit.required, work)?;
            self.triples(first, counter, &between, depth + 1, made, work)?;
            whole = second;
        }
        let below = depth + 1;
        match &self.occurrences[whole] {
            Occurrence::Nil | Occurrence::Sequence(..) => {}
            Occurrence::Act(label, id) => {
                work.triple()?;
                made.push(self.draft(vec![(counter, *id)], Action::Step(*label), exit));
            }
            Occurrence::Constant(constant) => {
                let constant = *constant;
                if let Entry::Vacant(vacant) = self.encoded.entry((constant, counter)) {
                    vacant.insert(exit.required.clone());
                    let body = self.body(constant, counter, work)?;
                    self.triples(body, counter, exit, below, made, work)?;
                }
            }
            Occurrence::Choice(parts) => {
                for part in parts.clone() {
                    self.triples(part, counter, exit, below, made, work)?;
                }
            }
            Occurrence::Restrict(inside, set) => {
                let (inside, set) = (*inside, *set);
                let mut own = Vec::new();
                self.triples(inside, counter, exit, below, &mut own, work)?;
                self.operators.restrict(set, &mut own);
                made.append(&mut own);
            }
            Occurrence::Relabel(inside, map) => {
                let (inside, map) = (*inside, *map);
                let mut own = Vec::new();
                self.triples(inside, counter, exit, below, &mut own, work)?;
                self.operators.relabel(map, &mut own);
                made.append(&mut own);
            }
            Occurrence::Parallel(synchronisation, _, operands) => {
                let (synchronisation, operands) = (*synchronisation, operands.clone());
                let is_hoare =
                    matches!(self.system.synchronisations[synchronisation], Synchronisation::Hoare(_));
                let mut of_operands = Vec::with_capacity(operands.len());
                for (operand, own) in &operands {
                    let mut triples = Vec::new();
                    self.triples(*operand, *own, &ended(*own), below, &mut triples, work)?;
                    let count = triples.len();
                    triples.retain(|triple| !is_hoare || triple.action != Action::Join);
                    self.drops_joins |= triples.len() < count;
                    of_operands.push(triples);
                }
                made.extend(self.operators.parallel(synchronisation, of_operands, work)?);
                let entry = operands.iter().map(|(_, own)| (*own, 0)).collect();
                let mut exit = exit.clone();
                exit.remarks.insert(UNGUARDED);
                made.push(self.draft(entry, Action::Join, &exit));
            }
        }
        Ok(())
    }

    fn table(&self, agents: &[TermId], drafts: &[Draft<Printed>]) -> String {
        let names = agent_names(self.system, agents);
        let mut numbers = vec![0; names.len()];
        let counters: Vec<String> = self
            .counters
            .iter()
            .map(|(agent, is_operand)| {
                let agent = *agent as usize;
                if !is_operand {
                    return names[agent].clone();
                }
                numbers[agent] += 1;
                counter_name(&names[agent], numbers[agent])
            })
            .collect();
        let mut sections: Vec<Section> =
            names.into_iter().map(|title| Section { title, rows: Vec::new() }).collect();
        sections.push(Section { title: "together".to_owned(), rows: Vec::new() });
        for draft in drafts {
            let section = match draft.agents.as_slice() {
                [only] => *only as usize,
                _ => agents.len(),
            };
            sections[section].rows.push(self.row(draft));
        }
        let mut text = format!(
            "{} {} as the paper prints them (Tables 5 and 6, Algorithm 1), not as they are used: beside them stands \
             what is wrong\n\
             here a list means one of these ids, chosen on exit; an entry k asks that the counter is k; 0: terminated; \
             λ goes first\n",
            drafts.len(),
            if drafts.len() == 1 { "triple" } else { "triples" },
        );
        if self.drops_joins {
            text.push_str("Algorithm 1 drops the joins of operands of `|[…]|`: they never end\n");
        }
        let counters: Vec<&str> = counters.iter().map(String::as_str).collect();
        text.push_str(&write(&counters, &sections));
        text.push_str("\nids\n");
        let mut ids: Vec<(usize, usize, Option<TermId>)> =
            self.ids.iter().zip(1..).map(|((counter, term), id)| (*counter, id, *term)).collect();
        ids.sort_unstable();
        for (counter, id, term) in ids {
            let name = term
                .map_or_else(|| "start".to_owned(), |term| show::term(self.system, term, MAX_NAME_LENGTH));
            let _ = writeln!(text, "  pc{counter} = {id}  {name}");
        }
        text
    }

    fn row(&self, draft: &Draft<Printed>) -> Row {
        let mut exit = Exit::new();
        let mut remarks: BTreeSet<&str> = BTreeSet::new();
        for part in &draft.exit {
            remarks.extend(&part.remarks);
            for (counter, ids) in &part.exit {
                exit.entry(*counter).or_default().extend(ids);
            }
        }
        let label = |label| show::label(self.system, label);
        let action = match (draft.action, draft.via) {
            (Action::Start, _) => "λ start".to_owned(),
            (Action::Join, _) => "λ join".to_owned(),
            (Action::Step(own), Some(via)) => format!("{} ({})", label(own), label(via)),
            (Action::Step(own), None) => label(own),
        };
        let entry = draft.entry.iter().map(|(counter, id)| (counter.index(), id.0.to_string()));
        let exit = exit.into_iter().map(|(counter, ids)| (counter, itertools::join(ids, ",")));
        Row {
            entry: entry.collect(),
            guard: String::new(),
            action,
            exit: exit.collect(),
            note: remarks.into_iter().collect::<Vec<_>>().join(", "),
        }
    }
}

/// ◁ of an agent or operand: it has terminated.
fn ended(counter: usize) -> Printed {
    let exit = Exit::from([(counter, BTreeSet::from([0]))]);
    Printed { required: exit.clone(), exit, remarks: BTreeSet::new() }
}

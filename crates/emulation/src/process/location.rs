//! From positions to locations: exit conditions, counters, names.

use rustc_hash::FxHashMap;

use super::agents::Drafts;
use super::position::{ContinuationId, PositionId, Positions};
use super::{NotEncoded, Work};
use crate::expression::Expression;
use crate::triple::{Agent, Counter, CounterId, Location, LocationId, OfferId, Structure, Triple};
use paramcheck_process::Language;
use paramcheck_process::model::{System, TermId};
use paramcheck_process::show::{self, Level, Todo};
use paramcheck_text::index::{Idx, IndexVec};

/// The longest name of an agent, as everywhere, and of a location.
const MAX_NAME_LENGTH: usize = 24;

/// How much of what comes after is in the name of a location.
const FOLLOWING: usize = 3;

/// Makes the structure of drafts.
pub(crate) fn finish(
    system: &System,
    positions: Positions<'_>,
    drafts: Drafts,
    structure: &mut Structure,
    work: &mut Work<'_>,
) -> Result<(), NotEncoded> {
    let agents: Vec<TermId> = drafts.agents.iter().map(|(term, ..)| *term).collect();
    let names = agent_names(system, &agents);
    let mut children = vec![0; names.len()];
    for (id, draft) in positions.counters.enumerate() {
        let agent = &names[draft.agent as usize];
        let name = match draft.parent {
            None => {
                structure.agents.push(Agent { name: agent.clone(), counter: id });
                agent.clone()
            }
            Some(_) => {
                let number = &mut children[draft.agent as usize];
                *number += 1;
                counter_name(agent, *number)
            }
        };
        structure.counters.push(Counter {
            name,
            agent: draft.agent,
            parent: draft.parent,
            locations: IndexVec::new(),
            initial: LocationId::new(0),
        });
    }
    let mut locations = Locations {
        system,
        positions: &positions,
        of_position: positions.positions.iter().map(|_| None).collect(),
        ids: FxHashMap::default(),
        names: FxHashMap::default(),
    };
    let starts: FxHashMap<CounterId, OfferId> =
        drafts.agents.iter().map(|(_, begin, start)| (positions.positions[*begin].counter, *start)).collect();
    for (id, draft) in positions.counters.enumerate() {
        work.step()?;
        match starts.get(&id) {
            Some(start) => {
                let start = Location { offers: vec![*start], is_final: false, name: "start".to_owned() };
                structure.counters[id].locations.push(start);
            }
            None => {
                locations.of(draft.end, structure, work)?;
            }
        }
    }
    for draft in drafts.triples {
        let exit = locations.exit(&draft.exit, structure, work)?;
        structure.triples.push(Triple {
            entry: draft.entry,
            guard: Expression::TRUE,
            action: draft.action,
            assignments: Vec::new(),
            exit,
            agents: draft.agents,
            via: draft.via,
            parts: draft.parts,
        });
    }
    Ok(())
}

/// Peers by name, others by what they are at first, numbered where several are the same.
pub(crate) fn agent_names(system: &System, agents: &[TermId]) -> Vec<String> {
    if system.language == Language::Chor {
        return system.peers.iter().map(|peer| peer.name.clone()).collect();
    }
    let plain: Vec<String> = agents.iter().map(|term| show::term(system, *term, MAX_NAME_LENGTH)).collect();
    let mut totals: FxHashMap<&str, usize> = FxHashMap::default();
    plain.iter().for_each(|name| *totals.entry(name).or_default() += 1);
    let mut so_far: FxHashMap<&str, usize> = FxHashMap::default();
    let mut names = Vec::with_capacity(plain.len());
    for name in &plain {
        let number = so_far.entry(name).or_default();
        *number += 1;
        let is_only = totals.get(name.as_str()).is_none_or(|total| *total < 2);
        names.push(if is_only { name.clone() } else { format!("{name}#{number}") });
    }
    names
}

/// The name of an operand's counter: the agent's and a number.
pub fn counter_name(agent: &str, number: usize) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '#');
    if agent.chars().all(is_word) { format!("{agent}.{number}") } else { format!("({agent}).{number}") }
}

/// The locations made so far.
struct Locations<'a> {
    system: &'a System,
    positions: &'a Positions<'a>,
    of_position: IndexVec<PositionId, Option<LocationId>>,
    /// Locations by what they offer and whether they are final.
    ids: FxHashMap<(CounterId, Vec<OfferId>, bool), LocationId>,
    /// How often each name was wanted.
    names: FxHashMap<(CounterId, String), usize>,
}

impl Locations<'_> {
    /// The exit condition of going to positions one after the other.
    fn exit(
        &mut self,
        positions: &[PositionId],
        structure: &mut Structure,
        work: &mut Work<'_>,
    ) -> Result<Vec<(CounterId, LocationId)>, NotEncoded> {
        let mut exit: Vec<(CounterId, usize, LocationId)> = Vec::with_capacity(positions.len());
        let mut todo = Vec::new();
        for position in positions {
            todo.push(*position);
            while let Some(position) = todo.pop() {
                work.conditions(1)?;
                let location = self.of(position, structure, work)?;
                exit.push((self.positions.positions[position].counter, exit.len(), location));
                todo.extend(self.positions.started_by(position));
            }
        }
        // Of each counter the last.
        exit.sort_unstable_by_key(|(counter, order, _)| (*counter, std::cmp::Reverse(*order)));
        exit.dedup_by_key(|(counter, ..)| *counter);
        Ok(exit.into_iter().map(|(counter, _, location)| (counter, location)).collect())
    }

    /// The location of a position.
    fn of(
        &mut self,
        position: PositionId,
        structure: &mut Structure,
        work: &mut Work<'_>,
    ) -> Result<LocationId, NotEncoded> {
        if let Some(id) = self.of_position[position] {
            return Ok(id);
        }
        let offers = self.positions.own_offers(position);
        work.conditions(offers.len())?;
        let draft = &self.positions.positions[position];
        let counter = draft.counter;
        let is_final = self.positions.counters[counter].end == position;
        let key = (counter, offers, is_final);
        let id = match self.ids.get(&key) {
            Some(id) => *id,
            None => {
                let name = self.name(counter, draft.term, draft.continuation);
                let location = Location { offers: key.1.clone(), is_final, name };
                let id = structure.counters[counter].locations.push(location);
                self.ids.insert(key, id);
                id
            }
        };
        self.of_position[position] = Some(id);
        Ok(id)
    }

    /// What is left to do, shortened; numbered where a name is wanted again.
    fn name(&mut self, counter: CounterId, term: TermId, next: ContinuationId) -> String {
        enum Part {
            All,
            Term(TermId),
        }
        let mut terms = vec![term];
        let mut after = self.positions.continuations[next];
        while let Some((term, _, next)) = after.filter(|_| terms.len() < FOLLOWING) {
            terms.push(term);
            after = self.positions.continuations[next];
        }
        let system = self.system;
        let mut name = show::write(Part::All, MAX_NAME_LENGTH, |part| match part {
            Part::All if terms.len() > 1 => {
                let parts = terms.iter().map(|term| Part::Term(*term));
                (Level::Sequence, show::joined(parts, "; ", Level::Postfix))
            }
            Part::All => part_of(system, term, Part::Term),
            Part::Term(term) => part_of(system, term, Part::Term),
        });
        if after.is_some() && !name.ends_with('…') {
            name.push_str("; …");
        }
        let count = self.names.entry((counter, name.clone())).or_default();
        *count += 1;
        if *count > 1 { format!("{name}#{count}") } else { name }
    }
}

fn part_of<T>(system: &System, term: TermId, wrap: impl Fn(TermId) -> T) -> (Level, Vec<Todo<T>>) {
    let (level, parts) = show::expand(system, term);
    let parts = parts.into_iter().map(|part| match part {
        Todo::Text(text) => Todo::Text(text),
        Todo::Term(term, level) => Todo::Term(wrap(term), level),
    });
    (level, parts.collect())
}

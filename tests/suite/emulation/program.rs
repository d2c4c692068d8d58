//! Sequential programs: what other programs make of them is what the structure does.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::{Evolution, State};
use paramcheck_emulation::instance::encode;
use paramcheck_emulation::process::encode as encode_process;
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_emulation::triple::TripleId;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, load};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use crate::suite::support::{errors, system};

mod answers;
mod bounded;
mod data;
mod growth;
mod sizes;
mod standalone;

/// Something to write programs of.
struct Subject {
    /// What it is, for messages.
    name: String,
    structure: Structure,
    questions: Vec<Question>,
}

impl Subject {
    fn program<'a>(&'a self, question: &'a Question, schedule: Schedule) -> Program<'a> {
        Program { model: &self.name, structure: &self.structure, question, schedule }
    }
}

/// The first instances of a model, one per size.
fn instances(file: &str, sizes: std::ops::RangeInclusive<usize>) -> Vec<Subject> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let model = system(&fs::read_to_string(path).unwrap());
    let mut subjects = Vec::new();
    for size in sizes {
        let Some(tree) = trees(&model, size).next() else { continue };
        let Some(net) = unfold_within(&model, &tree, 20_000) else { continue };
        let errors = errors(&model);
        let questions = errors.iter().filter_map(|error| Question::of_error(&model, &net, error).ok());
        subjects.push(Subject {
            name: format!("{file}, size {size}"),
            structure: encode(&model, &net),
            questions: questions.collect(),
        });
    }
    subjects
}

/// A process or choreography with its checks.
fn process(file: &str) -> Subject {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let language = if file.ends_with(".ccs") { Language::Ccs } else { Language::Chor };
    let model = load(&fs::read_to_string(path).unwrap(), language).system.unwrap();
    Subject {
        name: file.to_owned(),
        structure: encode_process(&model, &Budget::unlimited()).unwrap(),
        questions: model.checks.iter().filter_map(Question::of_check).collect(),
    }
}

/// The models of all folders of examples that end so.
fn examples(extension: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open = vec!["examples".to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                open.push(name);
            } else if name.ends_with(extension) {
                found.push(name);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Runs something about each of some things, two at a time.
fn each<T: Sync>(things: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(thing);
                }
            });
        }
    });
}

/// A moment of a run: a state, who has the turn (with round-robin), what was done last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    state: State,
    turn: u32,
    did: Option<LabelId>,
}

/// The plainest reading of what a program does, for comparison.
struct Plain<'a> {
    structure: &'a Structure,
    evolution: Evolution<'a>,
    schedule: Schedule,
}

impl<'a> Plain<'a> {
    fn new(structure: &'a Structure, schedule: Schedule) -> Self {
        Plain { structure, evolution: Evolution::new(structure), schedule }
    }

    fn initial(&self) -> Vec<Moment> {
        self.evolution.initial().into_iter().map(|state| Moment { state, turn: 0, did: None }).collect()
    }

    /// The steps that the scheduler allows.
    fn steps(&self, moment: &Moment) -> Vec<(TripleId, Moment)> {
        let agents = self.structure.agents.len().max(1) as u32;
        let successors = self.evolution.successors(&moment.state);
        let wait = |agent: &u32| (agent + agents - moment.turn) % agents;
        let waits =
            successors.iter().filter_map(|(id, _)| self.structure.triples[*id].agents.iter().map(wait).min());
        let actor = waits.min().map(|least| (moment.turn + least) % agents);
        let allowed = successors.into_iter().filter_map(|(id, state)| {
            let triple = &self.structure.triples[id];
            let did = triple.label();
            if self.schedule != Schedule::RoundRobin || triple.agents.is_empty() {
                return Some((id, Moment { state, turn: moment.turn, did }));
            }
            let actor = actor.filter(|actor| triple.agents.contains(actor))?;
            Some((id, Moment { state, turn: (actor + 1) % agents, did }))
        });
        allowed.collect()
    }

    fn holds(&self, condition: &Condition, moment: &Moment) -> bool {
        let all = |parts: &[Condition]| parts.iter().all(|part| self.holds(part, moment));
        match condition {
            Condition::Constant(value) => *value,
            Condition::Did(labels) => moment.did.is_some_and(|label| labels.contains(&label)),
            Condition::Can(labels) => self.steps(moment).iter().any(|(id, _)| {
                self.structure.triples[*id].label().is_some_and(|label| labels.contains(&label))
            }),
            Condition::Stuck => self.evolution.successors(&moment.state).is_empty(),
            Condition::Terminated => self.structure.is_terminated(&moment.state),
            Condition::At(counter, locations) => locations.contains(&moment.state.location(*counter)),
            Condition::Count(terms, comparison, bound) => {
                let inside =
                    terms.iter().filter(|term| term.locations.contains(&moment.state.location(term.counter)));
                comparison.holds(inside.map(|term| term.weight).sum(), *bound)
            }
            // Of agents alone, whose programs are held against their rules.
            Condition::Holds(_) => panic!("{condition:?}"),
            Condition::Not(inner) => !self.holds(inner, moment),
            Condition::And(parts) => all(parts),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part, moment)),
        }
    }

    /// How many steps the nearest moment with the condition is away, if there is one; how many moments there
    /// are.
    fn search(&self, condition: &Condition) -> (Option<u32>, usize) {
        let mut distances: BTreeMap<Moment, u32> = BTreeMap::new();
        let mut queue: VecDeque<Moment> = VecDeque::new();
        for moment in self.initial() {
            distances.insert(moment.clone(), 0);
            queue.push_back(moment);
        }
        let mut nearest = None;
        while let Some(moment) = queue.pop_front() {
            let distance = distances[&moment];
            if nearest.is_none() && self.holds(condition, &moment) {
                nearest = Some(distance);
            }
            for (_, next) in self.steps(&moment) {
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back(next);
                }
            }
        }
        (nearest, distances.len())
    }

    /// Whether some run avoids a condition for ever, whatever is fair.
    fn can_avoid(&self, condition: &Condition) -> bool {
        let mut known: BTreeMap<Moment, Vec<Moment>> = BTreeMap::new();
        let mut open: Vec<Moment> =
            self.initial().into_iter().filter(|first| !self.holds(condition, first)).collect();
        while let Some(moment) = open.pop() {
            if known.contains_key(&moment) {
                continue;
            }
            let steps = self.steps(&moment);
            if steps.is_empty() {
                return true;
            }
            let next: Vec<Moment> =
                steps.into_iter().map(|(_, next)| next).filter(|next| !self.holds(condition, next)).collect();
            open.extend(next.iter().cloned());
            known.insert(moment, next);
        }
        // What is left when those without a way on are taken away again and again goes round.
        loop {
            let before = known.len();
            let left: Vec<Moment> = known.keys().cloned().collect();
            for moment in left {
                if !known[&moment].iter().any(|next| known.contains_key(next)) {
                    known.remove(&moment);
                }
            }
            if known.len() == before {
                return before > 0;
            }
        }
    }

    /// Whether a question is violated, as far as fairness does not matter.
    fn is_violated(&self, question: &Question) -> bool {
        match &question.demand {
            Demand::Never(condition) => self.search(condition).0.is_some(),
            Demand::Eventually(condition) => self.can_avoid(condition),
            Demand::Recoverable { .. } => panic!("{question:?}"),
        }
    }

    /// Follows the steps of a trace, from the initial state with these values, or else from any; where each
    /// goes.
    fn follow(&self, triples: &[TripleId], values: Option<&Vec<i64>>) -> Option<Vec<Moment>> {
        let initial = self.initial().into_iter();
        let mut initial = initial.filter(|first| values.is_none_or(|values| first.state.values == *values));
        initial.find_map(|first| {
            let mut moments = vec![first];
            for triple in triples {
                let (_, next) = self.steps(moments.last()?).into_iter().find(|(id, _)| id == triple)?;
                moments.push(next);
            }
            Some(moments)
        })
    }
}

pub(super) fn triple(number: usize) -> TripleId {
    TripleId::new(number)
}

/// No query.
fn nothing() -> Question {
    Question { name: "nothing".to_owned(), demand: Demand::Never(Condition::Constant(false)) }
}

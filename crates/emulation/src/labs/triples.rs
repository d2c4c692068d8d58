//! Transition triples of a system of agents, kind by kind.
//!
//! The program counter of an agent has an element for itself and one for each operand of `||` in it
//! ([`Component`]). Each holds a *location*: the set of triples it offers, so that a choice is made by its first
//! step, not before. A triple has the guards in front of it (those of choices, of the guarded process, of calls),
//! an action, and an exit: where components are put. An operand that ends goes to the location 0; when all have,
//! the component of the composition goes on, which is no step.
//!
//! A call is what it calls: with the same continuation it has the same triples, so calls at the end share those of
//! the definition. A composition is offered as copies of its operands' first triples, which start the other
//! operands. There is one location for each place in the text, per component: `||` does not multiply them.
//!
//! `docs/labs.md` says which rules of the papers are changed. Messages have no program counter and are not here.

use paramcheck_labs::model::{ActionId, GuardId, KindId, Process, ProcessId, System};
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

mod dot;
mod print;
mod smallest;

pub use dot::dot;
pub use print::{Texts, counters, table};

define_index! {
    /// An element of an agent's program counter.
    pub struct ComponentId;
    /// A location of a component; 0 is that nothing is left to do.
    pub struct LocationId;
    /// A triple of a kind.
    pub struct TripleId;
}

/// The most triples of all kinds together, and the most locations.
pub const MAX_TRIPLES: usize = 1 << 18;

/// The triples of an agent of some kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The program counter; the first element is the agent's own.
    pub components: IndexVec<ComponentId, Component>,
    /// The triples.
    pub triples: IndexVec<TripleId, Triple>,
    /// Where the agent itself is at first; all other components are at 0.
    pub initial: LocationId,
}

impl Default for Structure {
    fn default() -> Self {
        Structure { components: IndexVec::new(), triples: IndexVec::new(), initial: LocationId::new(0) }
    }
}

/// An element of the program counter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The component of the composition of which this one is an operand.
    pub parent: Option<ComponentId>,
    /// The operands of compositions in this component.
    pub children: Vec<ComponentId>,
    /// What it may hold; the first one is that nothing is left to do.
    pub locations: IndexVec<LocationId, Location>,
}

/// What a component may hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The triples offered, in the order of the text.
    pub offers: Vec<TripleId>,
    /// Where the component goes when all its operands have ended; only while they run.
    pub joined: Option<LocationId>,
}

/// A triple.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Triple {
    /// The component at which it is offered.
    pub component: ComponentId,
    /// The component that acts: the one above, or the operand that it starts with this step.
    pub acting: ComponentId,
    /// The guards, outermost first, and whether each must be true or must not.
    pub guards: Vec<(GuardId, bool)>,
    /// What is done; a step that takes the place of what a guard leaves out does nothing.
    pub action: Option<ActionId>,
    /// Where components are put; each at most once.
    pub exit: Vec<(ComponentId, LocationId)>,
}

/// Why a system has no triples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEncoded {
    /// There would be more than [`MAX_TRIPLES`].
    TooMany,
    /// A limit of the run was reached.
    Stopped(Stop),
}

/// The triples of all kinds.
///
/// # Errors
/// There are too many, or a limit was reached.
pub fn encode(system: &System, budget: &Budget) -> Result<IndexVec<KindId, Structure>, NotEncoded> {
    let mut all = IndexVec::new();
    let mut left = MAX_TRIPLES;
    for kind in system.kinds.iter() {
        let mut encoder = Encoder {
            system,
            structure: Structure::default(),
            rests: vec![(ProcessId::new(0), 0, RestId::new(0))].into_iter().collect(),
            known_rests: FxHashMap::default(),
            known: FxHashMap::default(),
            known_triples: FxHashMap::default(),
            open: Vec::new(),
            drafts: 0,
            left,
        };
        let body = system.definitions[kind.behavior].body;
        let structure = encoder.run(body, budget)?;
        left -= encoder.drafts;
        all.push(smallest::smallest(structure, budget).map_err(NotEncoded::Stopped)?);
    }
    Ok(all)
}

define_index! {
    /// What comes after a process; 0 is nothing.
    struct RestId;
}

/// What is left to do in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Done,
    At(ProcessId, RestId),
    /// Operands run; then there.
    Waiting(LocationId),
}

struct Encoder<'a> {
    system: &'a System,
    structure: Structure,
    /// A sequence, the position of its next part, and what comes after that.
    rests: IndexVec<RestId, (ProcessId, usize, RestId)>,
    known_rests: FxHashMap<(ProcessId, usize, RestId), RestId>,
    known: FxHashMap<(ComponentId, Key), LocationId>,
    known_triples: FxHashMap<Triple, TripleId>,
    /// Locations whose offers are to be made.
    open: Vec<(ComponentId, LocationId, ProcessId, RestId)>,
    drafts: usize,
    left: usize,
}

const DONE: RestId = RestId(0);

impl Encoder<'_> {
    fn run(&mut self, body: ProcessId, budget: &Budget) -> Result<Structure, NotEncoded> {
        let root = self.component(None);
        self.structure.initial = self.begin(root, body, DONE);
        while let Some((component, location, process, rest)) = self.open.pop() {
            let mut pace = budget.pace();
            let (mut offers, mut offered) = (Vec::new(), FxHashSet::default());
            pace().map_err(NotEncoded::Stopped)?;
            for triple in self.first(component, process, rest)? {
                pace().map_err(NotEncoded::Stopped)?;
                let id = match self.known_triples.get(&triple) {
                    Some(id) => *id,
                    None => {
                        let id = self.structure.triples.push(triple.clone());
                        self.known_triples.insert(triple, id);
                        id
                    }
                };
                if offered.insert(id) {
                    offers.push(id);
                }
            }
            self.structure.components[component].locations[location].offers = offers;
        }
        Ok(std::mem::take(&mut self.structure))
    }

    fn component(&mut self, parent: Option<ComponentId>) -> ComponentId {
        let mut locations = IndexVec::new();
        locations.push(Location::default());
        let id = self.structure.components.push(Component { parent, children: Vec::new(), locations });
        self.known.insert((id, Key::Done), LocationId::new(0));
        if let Some(parent) = parent {
            self.structure.components[parent].children.push(id);
        }
        id
    }

    fn location(&mut self, component: ComponentId, key: Key) -> LocationId {
        if let Some(id) = self.known.get(&(component, key)) {
            return *id;
        }
        let joined = match key {
            Key::Waiting(joined) => Some(joined),
            Key::Done | Key::At(..) => None,
        };
        let location = Location { offers: Vec::new(), joined };
        let id = self.structure.components[component].locations.push(location);
        self.known.insert((component, key), id);
        if let Key::At(process, rest) = key {
            self.open.push((component, id, process, rest));
        }
        id
    }

    /// Where a process begins: calls are what they call, sequences are their first part and the rest.
    fn begin(&mut self, component: ComponentId, process: ProcessId, rest: RestId) -> LocationId {
        let (mut process, mut rest) = (process, rest);
        loop {
            match &self.system.processes[process] {
                Process::Call(definition) => process = self.system.definitions[*definition].body,
                Process::Sequence(parts) if !parts.is_empty() => {
                    let first = parts[0];
                    (process, rest) = (first, self.then(process, 1, rest));
                }
                _ => return self.location(component, Key::At(process, rest)),
            }
        }
    }

    /// The parts of a sequence from a position on, and then the rest.
    fn then(&mut self, sequence: ProcessId, from: usize, rest: RestId) -> RestId {
        let Process::Sequence(parts) = &self.system.processes[sequence] else { return rest };
        if from >= parts.len() {
            return rest;
        }
        let one = (sequence, from, rest);
        if let Some(id) = self.known_rests.get(&one) {
            return *id;
        }
        let id = self.rests.push(one);
        self.known_rests.insert(one, id);
        id
    }

    /// Where a component is after a process.
    fn after(&mut self, component: ComponentId, rest: RestId) -> LocationId {
        if rest == DONE {
            return LocationId::new(0);
        }
        let (sequence, from, rest) = self.rests[rest];
        let Process::Sequence(parts) = &self.system.processes[sequence] else { return LocationId::new(0) };
        let part = parts[from];
        let rest = self.then(sequence, from + 1, rest);
        self.begin(component, part, rest)
    }

    /// The first triples of a process.
    fn first(
        &mut self,
        component: ComponentId,
        process: ProcessId,
        rest: RestId,
    ) -> Result<Vec<Triple>, NotEncoded> {
        let triples = match &self.system.processes[process] {
            Process::Nil => Vec::new(),
            Process::Act(action) => vec![self.step(component, Some(*action), rest)],
            Process::Call(definition) => {
                let body = self.system.definitions[*definition].body;
                return self.first(component, body, rest);
            }
            Process::Choice(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.first(component, *part, rest)?);
                }
                all
            }
            Process::Sequence(parts) => match parts.first() {
                Some(part) => {
                    let rest = self.then(process, 1, rest);
                    return self.first(component, *part, rest);
                }
                None => Vec::new(),
            },
            Process::Parallel(parts) => match parts.as_slice() {
                [only] => return self.first(component, *only, rest),
                parts => self.started(component, parts, rest)?,
            },
            Process::Guarded { guard, is_conditional, body } => {
                let mut all = self.first(component, *body, rest)?;
                for triple in &mut all {
                    triple.guards.insert(0, (*guard, true));
                }
                if *is_conditional {
                    let mut silent = self.step(component, None, rest);
                    silent.guards.push((*guard, false));
                    all.push(silent);
                }
                all
            }
        };
        self.drafts += triples.len();
        if self.drafts > self.left { Err(NotEncoded::TooMany) } else { Ok(triples) }
    }

    fn step(&mut self, component: ComponentId, action: Option<ActionId>, rest: RestId) -> Triple {
        let exit = vec![(component, self.after(component, rest))];
        Triple { component, acting: component, guards: Vec::new(), action, exit }
    }

    /// Copies of the first triples of operands, each of which starts the others.
    fn started(
        &mut self,
        component: ComponentId,
        parts: &[ProcessId],
        rest: RestId,
    ) -> Result<Vec<Triple>, NotEncoded> {
        while self.structure.components[component].children.len() < parts.len() {
            self.component(Some(component));
        }
        let children = self.structure.components[component].children.clone();
        let joined = self.after(component, rest);
        let waiting = self.location(component, Key::Waiting(joined));
        let starts: Vec<(ComponentId, LocationId)> = children
            .iter()
            .zip(parts)
            .map(|(child, part)| (*child, self.begin(*child, *part, DONE)))
            .collect();
        let mut all = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            for mut triple in self.first(children[position], *part, DONE)? {
                triple.component = component;
                let others = starts.iter().enumerate().filter(|(other, _)| *other != position);
                triple.exit.extend(others.map(|(_, start)| *start));
                triple.exit.push((component, waiting));
                all.push(triple);
            }
        }
        Ok(all)
    }
}

//! Triples and triple structures (Definitions 3.1 and 3.2 of the paper, repaired).
//!
//! A program counter is a vector; each of its elements ([`Counter`]) holds a *location*: the set of ids
//! offered there. A triple may be taken where every counter of its entry condition offers the id wanted there
//! and its guard holds; its exit condition gives a location to some counters, the others stay. (In the paper
//! an exit condition is a disjunction of ids, one of which is chosen on exit: too early for strong
//! bisimilarity.)

use paramcheck_process::model::LabelId;
use paramcheck_text::index::IndexVec;

use super::expression::{Array, Assignment, Definition, DefinitionId, Expression, Variable, VariableId};

paramcheck_text::define_index! {
    /// An element of the program counter.
    pub struct CounterId;
    /// A location, among those of one counter.
    pub struct LocationId;
    /// A triple.
    pub struct TripleId;
}

/// An id that a location may offer: unique in the structure, at least 1. (The paper's 0, "terminated", is
/// such an id as well where a join triple requires it; see [`Structure::is_done`].)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OfferId(pub u32);

/// A triple structure. Well-formed: every id is valid; start and join triples come in an order in which none
/// enables one before it; whether the taking of all that are enabled ends, and where, does not depend on
/// their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The labels of steps as they are written; for processes the model's own, the first of which is `tau`.
    pub labels: IndexVec<LabelId, String>,
    /// The agents' names, from the left.
    pub agents: Vec<Agent>,
    /// The program counter.
    pub counters: IndexVec<CounterId, Counter>,
    /// The data; none for processes without.
    pub variables: IndexVec<VariableId, Variable>,
    /// The arrays among the variables; they do not overlap.
    pub arrays: Vec<Array>,
    /// What expressions use by name.
    pub definitions: IndexVec<DefinitionId, Definition>,
    /// What holds of the variables in every initial state; that of no structure without data.
    pub assumption: Option<Expression>,
    /// What holds of the variables in every state, as every step sees to it: which values they have between
    /// their least and their greatest.
    pub invariants: Vec<Expression>,
    /// What is assumed of the order in which agents act, in words, where the triples themselves see to it.
    pub order: Option<String>,
    /// All triples.
    pub triples: IndexVec<TripleId, Triple>,
}

/// An agent: what acts by itself or together with others, takes turns, and is treated fairly or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name, unique among the agents.
    pub name: String,
    /// The counter that shows whether it has terminated.
    pub counter: CounterId,
}

/// An element of the program counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name, unique among the counters: the agent's, or with where in it the operand stands.
    pub name: String,
    /// The agent that it belongs to.
    pub agent: u32,
    /// For an operand of a parallel composition within an agent: the counter of the composition, which comes
    /// before this one. `None` for an agent's own.
    pub parent: Option<CounterId>,
    /// What it may hold; all different.
    pub locations: IndexVec<LocationId, Location>,
    /// Where it is at first, before start triples are taken.
    pub initial: LocationId,
}

/// What a counter may hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The ids offered, ascending.
    pub offers: Vec<OfferId>,
    /// Whether whoever counts here has terminated (processes), or is in a final state (instances).
    pub is_final: bool,
    /// What it is called, unique in the counter: a state's name; for processes what is left to do, shortened.
    pub name: String,
}

/// A transition triple, with a guard and assignments beside the program counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The entry condition ▷: which counter offers which id; ascending by counter, each at most once. Steps
    /// of the whole system that no agent takes have none; whoever has the turn, they may be taken, and it
    /// stays.
    pub entry: Vec<(CounterId, OfferId)>,
    /// What must hold of the variables.
    pub guard: Expression,
    /// The action.
    pub action: Action,
    /// What it does to the variables; each at most once.
    pub assignments: Vec<Assignment>,
    /// The exit condition ◁: where counters are afterwards; ascending, each at most once. Others stay.
    pub exit: Vec<(CounterId, LocationId)>,
    /// The agents that take part, ascending.
    pub agents: Vec<u32>,
    /// For a `tau` made of an action and its co-action: the one with the smaller id.
    pub via: Option<LabelId>,
    /// What each agent contributes, in their order: the label of its own step before the operators above the
    /// agents apply. A hint for those who compare the triples with the rules, which trust it no more than the
    /// rest; empty where there is none.
    pub parts: Vec<LabelId>,
}

/// What a triple does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A step of the system.
    Step(LabelId),
    /// λ of a start triple: goes first, is no step.
    Start,
    /// λ of a join triple: all operands have terminated; goes first, is no step.
    Join,
}

impl Triple {
    /// The label of a step; `None` for λ.
    pub fn label(&self) -> Option<LabelId> {
        match self.action {
            Action::Step(label) => Some(label),
            Action::Start | Action::Join => None,
        }
    }
}

impl Triple {
    /// Whether this triple makes part of the entry condition of another hold and none of it fail: whether the
    /// two are symbolically linked, in the paper's words.
    pub fn may_enable(&self, structure: &Structure, other: &Triple) -> bool {
        let mut is_concerned = false;
        // An entry condition may concern many counters; an exit puts few.
        for (counter, location) in &self.exit {
            let Ok(position) = other.entry.binary_search_by_key(counter, |(own, _)| *own) else { continue };
            is_concerned = true;
            let wanted = other.entry.get(position).map(|(_, offer)| *offer);
            let offers = structure.counters.get(*counter).and_then(|own| own.locations.get(*location));
            let makes = |offer| offers.is_some_and(|location| location.offers.binary_search(&offer).is_ok());
            if !wanted.is_some_and(makes) {
                return false;
            }
        }
        is_concerned
    }
}

impl Structure {
    /// Whether an id stands for "this operand has terminated", which the paper writes 0: it is offered where
    /// an operand has, to the join triple, and belongs to no action.
    pub fn is_done(&self, counter: CounterId, offer: OfferId) -> bool {
        self.counters.get(counter).is_some_and(|counter| {
            let offers_it = |location: &Location| location.is_final && location.offers == [offer];
            counter.parent.is_some() && counter.locations.get(counter.initial).is_some_and(offers_it)
        })
    }

    /// Whether some variable may have several values at first.
    pub(crate) fn has_choice(&self) -> bool {
        self.variables.iter().any(|variable| variable.initial.len() > 1)
    }

    /// The triples that are steps, ascending.
    pub fn steps(&self) -> impl Iterator<Item = (TripleId, &Triple)> {
        self.triples.enumerate().filter(|(_, triple)| triple.label().is_some())
    }

    /// Per agent the steps that it takes part in, ascending.
    pub(crate) fn steps_by_agent(&self) -> Vec<Vec<TripleId>> {
        let mut own = vec![Vec::new(); self.agents.len()];
        for (id, triple) in self.steps() {
            for &agent in &triple.agents {
                if let Some(own) = own.get_mut(agent as usize) {
                    own.push(id);
                }
            }
        }
        own
    }

    /// The steps whose label is one of `labels`, which ascend.
    pub(crate) fn steps_of<'a>(
        &'a self,
        labels: &'a [LabelId],
    ) -> impl Iterator<Item = (TripleId, &'a Triple)> {
        self.steps()
            .filter(|(_, triple)| triple.label().is_some_and(|label| labels.binary_search(&label).is_ok()))
    }

    /// The locations of `counter` where its agent has terminated, ascending.
    pub(crate) fn finals(&self, counter: CounterId) -> impl Iterator<Item = LocationId> + '_ {
        let locations = self.counters.get(counter).map(|counter| &counter.locations);
        let all = locations.into_iter().flat_map(|locations| locations.enumerate());
        all.filter(|(_, location)| location.is_final).map(|(id, _)| id)
    }

    /// The start and join triples, ascending.
    pub fn silent(&self) -> impl Iterator<Item = (TripleId, &Triple)> {
        self.triples.enumerate().filter(|(_, triple)| triple.label().is_none())
    }
}

//! Whether a property holds, by the textbook: an automaton for its negation, the product with all runs, and a
//! component of it that meets all acceptance sets.
//!
//! A run is a sequence of positions: a state, the commands that received in the step before, the step taken,
//! if any. What repeats a state for ever because no step is possible is a position without a step. A state
//! that shows an error of the model ends every run: with one, no property holds.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::evaluate::{NoValue, evaluate};
use super::explore::Space;
use super::lasso::Lasso;
use super::ltl::{self, Automaton, Fact, Formulas};
use super::observe::Sight;
use super::step::{Executed, Message};
use crate::model::{Formula, Spec, StateAtom, System, Term};
use paramcheck_text::graph::components;
use paramcheck_text::index::Idx;

/// The most positions of a product.
const MAX_PRODUCT: usize = 5_000_000;

/// Which runs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    #[default]
    Unfair,
    /// Those in which an agent that always could take part in a step, from some point on, does so again and
    /// again.
    Weak,
    /// Those in which an agent that again and again could take part in a step does so again and again.
    Strong,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every run satisfies the property.
    Holds,
    /// This run does not.
    Violated(Lasso),
    /// No run violates the property as far as the model goes, but the model has an error.
    Fault,
    /// It is not known: a limit was reached, or an observation has no value.
    Unknown(&'static str),
}

/// A position of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The state.
    pub state: usize,
    /// Which of the labels of the property have been executed by receivers in the step before.
    pub received: BTreeSet<Executed>,
    /// The step taken, among those of the state; none repeats it.
    pub step: Option<usize>,
}

/// Decides a property of an explored system.
pub fn check(system: &System, space: &Space, spec: &Spec, fairness: Fairness) -> Answer {
    let mut formulas = Formulas::new();
    let negation = formulas.normal(&spec.formula, false);
    let Some(automaton) = ltl::automaton(&formulas, negation) else {
        return Answer::Unknown("the automaton of the property is too large");
    };
    let runs = Runs::new(system, space, spec);
    let mut product = Product {
        runs: &runs,
        automaton: &automaton,
        nodes: Vec::new(),
        edges: Vec::new(),
        parents: Vec::new(),
    };
    match product.build(&formulas.facts) {
        Ok(true) => {}
        Ok(false) => return Answer::Unknown("the product of system and property is too large"),
        Err(why) => return Answer::Unknown(why.message()),
    }
    match product.accepting(fairness) {
        Some(lasso) => Answer::Violated(lasso),
        None if space.fault.is_some() => Answer::Fault,
        None => Answer::Holds,
    }
}

/// The runs of a system, as far as a property tells them apart.
pub(super) struct Runs<'a> {
    pub(super) system: &'a System,
    pub(super) space: &'a Space,
    pub(super) spec: &'a Spec,
    /// The labels of the property.
    labels: BTreeSet<Executed>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(system: &'a System, space: &'a Space, spec: &'a Spec) -> Runs<'a> {
        let mut labels = BTreeSet::new();
        spec.formula.state_atoms(&mut |atom| {
            if let StateAtom::Label(instance, command) = atom {
                labels.insert((instance, command));
            }
        });
        Runs { system, space, spec, labels }
    }

    /// The positions at which a state may be, entered in this way.
    fn positions(&self, state: usize, received: &BTreeSet<Executed>) -> Vec<Position> {
        let at = |step| Position { state, received: received.clone(), step };
        let count = self.space.steps.get(state).map_or(0, Vec::len);
        match count {
            0 if self.space.faulty.contains(&state) => Vec::new(),
            0 => vec![at(None)],
            count => (0..count).map(|step| at(Some(step))).collect(),
        }
    }

    fn initial(&self) -> Vec<Position> {
        (0..self.space.initial).flat_map(|state| self.positions(state, &BTreeSet::new())).collect()
    }

    pub(super) fn message(&self, position: &Position) -> Option<&'a (Message, usize)> {
        self.space.steps.get(position.state)?.get(position.step?)
    }

    /// The state behind a position, and the labels that received on the way.
    pub(super) fn behind(&self, position: &Position) -> (usize, BTreeSet<Executed>) {
        let Some((message, target)) = self.message(position) else {
            return (position.state, BTreeSet::new());
        };
        let received = message.receivers.iter().copied().filter(|one| self.labels.contains(one));
        (*target, received.collect())
    }

    fn successors(&self, position: &Position) -> Vec<Position> {
        let (state, received) = self.behind(position);
        self.positions(state, &received)
    }

    /// Whether a condition on states holds at a position.
    pub(super) fn holds(&self, term: &Term<StateAtom>, position: &Position) -> Result<bool, NoValue> {
        let state = self.space.states.get(position.state).ok_or(NoValue::Missing)?;
        let value = evaluate(term, &mut |atom| match atom {
            StateAtom::Local(id, local) => {
                let locals = state.locals.get(id.index());
                locals.and_then(|all| all.get(local)).copied().ok_or(NoValue::Missing)
            }
            StateAtom::Location(id) => {
                let location = state.locations.get(id.index()).and_then(|at| i64::try_from(*at).ok());
                location.ok_or(NoValue::Missing)
            }
            StateAtom::Progress => Ok(i64::from(position.step.is_some())),
            StateAtom::Label(id, command) => {
                let executed = (id, command);
                let known = self.system.agent_of(id).commands.get(command).ok_or(NoValue::Missing)?;
                Ok(i64::from(match known.action.produces() {
                    true => self.message(position).is_some_and(|(message, _)| message.producer == executed),
                    false => position.received.contains(&executed),
                }))
            }
        });
        Ok(value? != 0)
    }

    /// Whether the step at a position is there and satisfies an observation.
    pub(super) fn observes(&self, observation: usize, position: &Position) -> Result<bool, NoValue> {
        let (Some((message, _)), Some(observation)) =
            (self.message(position), self.spec.observations.get(observation))
        else {
            return Ok(false);
        };
        let state = self.space.states.get(position.state).ok_or(NoValue::Missing)?;
        Sight { system: self.system, state, message }.satisfies(observation)
    }

    fn is(&self, fact: Fact<'_>, position: &Position) -> Result<bool, NoValue> {
        match fact {
            Fact::State(Formula::State(term)) => self.holds(term, position),
            Fact::State(_) => Err(NoValue::Missing),
            Fact::Observed(observation) => self.observes(observation, position),
        }
    }
}

/// The product of runs and automaton.
struct Product<'a> {
    runs: &'a Runs<'a>,
    automaton: &'a Automaton,
    nodes: Vec<(Position, usize)>,
    edges: Vec<Vec<u32>>,
    parents: Vec<Option<usize>>,
}

impl Product<'_> {
    /// Whether it is complete.
    fn build(&mut self, facts: &[Fact<'_>]) -> Result<bool, NoValue> {
        let mut numbers: HashMap<(Position, usize), usize> = HashMap::new();
        let mut truths: HashMap<Position, Vec<bool>> = HashMap::new();
        let mut at = 0;
        let first = (self.runs.initial(), self.automaton.initial.clone());
        let mut targets = self.agreeing(facts, &mut truths, first.0, &first.1)?;
        let mut parent = None;
        loop {
            let mut edges = Vec::new();
            for target in targets {
                let next = self.nodes.len();
                let number = *numbers.entry(target).or_insert_with_key(|target| {
                    self.nodes.push(target.clone());
                    self.parents.push(parent);
                    next
                });
                edges.push(u32::try_from(number).unwrap_or(u32::MAX));
            }
            if parent.is_some() {
                self.edges.push(edges);
            }
            if self.nodes.len() > MAX_PRODUCT {
                return Ok(false);
            }
            let Some((position, node)) = self.nodes.get(at) else { return Ok(true) };
            let successors = self.runs.successors(position);
            let nodes = self.automaton.nodes.get(*node).map_or(Vec::new(), |node| node.successors.clone());
            targets = self.agreeing(facts, &mut truths, successors, &nodes)?;
            parent = Some(at);
            at += 1;
        }
    }

    /// Pairs of positions and nodes, whose literals are true there.
    fn agreeing(
        &self,
        facts: &[Fact<'_>],
        truths: &mut HashMap<Position, Vec<bool>>,
        positions: Vec<Position>,
        nodes: &[usize],
    ) -> Result<Vec<(Position, usize)>, NoValue> {
        let mut found = Vec::new();
        for position in positions {
            if !truths.contains_key(&position) {
                let values: Result<Vec<bool>, NoValue> =
                    facts.iter().map(|fact| self.runs.is(*fact, &position)).collect();
                truths.insert(position.clone(), values?);
            }
            let Some(values) = truths.get(&position) else { continue };
            for node in nodes {
                let literals = self.automaton.nodes.get(*node).map_or(&[][..], |node| &node.literals);
                if literals.iter().all(|(fact, wanted)| values.get(*fact) == Some(wanted)) {
                    found.push((position.clone(), *node));
                }
            }
        }
        Ok(found)
    }

    /// A run that is accepted.
    fn accepting(&self, fairness: Fairness) -> Option<Lasso> {
        let all: Vec<usize> = (0..self.nodes.len()).collect();
        let mut open: Vec<Vec<usize>> = vec![all];
        while let Some(nodes) = open.pop() {
            for component in self.components(&nodes) {
                if !self.is_accepting(&component) {
                    continue;
                }
                match self.unfair(&component, fairness) {
                    None => return Some(self.lasso(&component, fairness)),
                    Some(rest) => open.extend(rest),
                }
            }
        }
        None
    }

    /// The components of a part of the product in which something can be repeated.
    fn components(&self, nodes: &[usize]) -> Vec<BTreeSet<usize>> {
        let index: HashMap<usize, usize> = nodes.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let within: Vec<Vec<u32>> = nodes
            .iter()
            .map(|node| {
                let edges = self.edges.get(*node).map_or(&[][..], Vec::as_slice);
                let inside = edges.iter().filter_map(|next| index.get(&(*next as usize)));
                inside.map(|next| u32::try_from(*next).unwrap_or(u32::MAX)).collect()
            })
            .collect();
        let of = components(nodes.len(), |node| within.get(node).map_or(&[], Vec::as_slice));
        let mut found: HashMap<u32, BTreeSet<usize>> = HashMap::new();
        for (node, component) in nodes.iter().zip(&of) {
            found.entry(*component).or_default().insert(*node);
        }
        let mut found: Vec<BTreeSet<usize>> = found.into_values().collect();
        found.sort();
        found.retain(|component| component.iter().any(|node| self.inside(*node, component).next().is_some()));
        found
    }

    /// The successors of a node within a component.
    fn inside<'c>(&'c self, node: usize, component: &'c BTreeSet<usize>) -> impl Iterator<Item = usize> + 'c {
        let edges = self.edges.get(node).map_or(&[][..], Vec::as_slice);
        edges.iter().map(|next| *next as usize).filter(|next| component.contains(next))
    }

    fn accepts(&self, node: usize, set: usize) -> bool {
        let node = self.nodes.get(node).and_then(|(_, node)| self.automaton.nodes.get(*node));
        node.and_then(|node| node.accepts.get(set)).copied().unwrap_or(false)
    }

    fn is_accepting(&self, component: &BTreeSet<usize>) -> bool {
        (0..self.automaton.sets).all(|set| component.iter().any(|node| self.accepts(*node, set)))
    }

    /// Whether an agent takes part in the step at a node.
    fn acts(&self, node: usize, agent: usize) -> bool {
        let message = self.nodes.get(node).and_then(|(position, _)| self.runs.message(position));
        message.is_some_and(|(message, _)| message.involves(Idx::new(agent)))
    }

    /// Whether an agent could take part in a step at a node.
    fn could_act(&self, node: usize, agent: usize) -> bool {
        let steps = self.nodes.get(node).and_then(|(position, _)| self.runs.space.steps.get(position.state));
        steps.is_some_and(|steps| steps.iter().any(|(message, _)| message.involves(Idx::new(agent))))
    }

    /// What is left of a component that has no fair run through all of it; nothing if it has one.
    fn unfair(&self, component: &BTreeSet<usize>, fairness: Fairness) -> Option<Vec<Vec<usize>>> {
        for agent in 0..self.runs.system.instances.len() {
            let acts = component.iter().any(|node| self.acts(*node, agent));
            let able = component.iter().filter(|node| self.could_act(**node, agent)).count();
            match fairness {
                Fairness::Unfair => return None,
                // It could act all the time, whichever way is taken, and never does.
                Fairness::Weak if !acts && able == component.len() => return Some(Vec::new()),
                Fairness::Strong if !acts && able > 0 => {
                    let rest = component.iter().copied().filter(|node| !self.could_act(*node, agent));
                    return Some(vec![rest.collect()]);
                }
                Fairness::Weak | Fairness::Strong => {}
            }
        }
        None
    }

    /// A run into a component, and round within it through all that it must meet.
    fn lasso(&self, component: &BTreeSet<usize>, fairness: Fairness) -> Lasso {
        let start = component.iter().next().copied().unwrap_or(0);
        let mut prefix = Vec::new();
        let mut at = start;
        while let Some(before) = self.parents.get(at).copied().flatten() {
            prefix.push(before);
            at = before;
        }
        prefix.reverse();
        let mut cycle: Vec<usize> = Vec::new();
        let mut at = start;
        let mut goals: Vec<Box<dyn Fn(usize) -> bool + '_>> = Vec::new();
        for set in 0..self.automaton.sets {
            goals.push(Box::new(move |node| self.accepts(node, set)));
        }
        if fairness != Fairness::Unfair {
            for agent in 0..self.runs.system.instances.len() {
                if component.iter().any(|node| self.acts(*node, agent)) {
                    goals.push(Box::new(move |node| self.acts(node, agent)));
                } else if fairness == Fairness::Weak {
                    goals.push(Box::new(move |node| !self.could_act(node, agent)));
                }
            }
        }
        for goal in goals {
            if std::iter::once(&at).chain(&cycle).any(|node| goal(*node)) {
                continue;
            }
            let way = self.way(at, component, &*goal);
            cycle.extend(std::iter::once(at).chain(way.iter().copied()).take(way.len()));
            at = way.last().copied().unwrap_or(at);
        }
        let back = self.way(at, component, &|node| node == start);
        cycle.extend(std::iter::once(at).chain(back.iter().copied()).take(back.len()));
        let positions = |nodes: Vec<usize>| {
            nodes.iter().filter_map(|node| Some(self.nodes.get(*node)?.0.clone())).collect()
        };
        Lasso { prefix: positions(prefix), cycle: positions(cycle) }
    }

    /// A shortest way of at least one step within a component to a node as wanted, without its first node.
    fn way(&self, from: usize, component: &BTreeSet<usize>, wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(node) = open.pop_front() {
            for next in self.inside(node, component) {
                if before.contains_key(&next) {
                    continue;
                }
                before.insert(next, node);
                if wanted(next) {
                    let mut way = vec![next];
                    let mut at = node;
                    while at != from {
                        way.push(at);
                        at = before.get(&at).copied().unwrap_or(from);
                    }
                    way.reverse();
                    return way;
                }
                open.push_back(next);
            }
        }
        Vec::new()
    }
}

impl Formula {
    /// Calls `visit` on every atom of conditions on states.
    pub fn state_atoms(&self, visit: &mut impl FnMut(StateAtom)) {
        match self {
            Formula::State(term) => term.atoms(visit),
            Formula::All(all) | Formula::Any(all) => all.iter().for_each(|one| one.state_atoms(visit)),
            Formula::Not(inner)
            | Formula::Next(inner)
            | Formula::Finally(inner)
            | Formula::Globally(inner)
            | Formula::Observed { body: inner, .. } => inner.state_atoms(visit),
            Formula::Iff(left, right)
            | Formula::Until(left, right)
            | Formula::Release(left, right)
            | Formula::WeakUntil(left, right) => {
                left.state_atoms(visit);
                right.state_atoms(visit);
            }
        }
    }
}

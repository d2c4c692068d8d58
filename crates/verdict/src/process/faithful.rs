//! Whether triples are those of a process: agent by agent, against the rules.
//!
//! Shown is that three things are the same by triples and by the rules; then the whole is strongly bisimilar,
//! with labels, participants and termination, for a state is a state of each agent and a step concerns those
//! that take part.
//!
//! 1. *Shape*: the counters and the start and join triples of a structure belong to one agent each, and a
//!    step is made of one part per participant. So an agent by itself is a labelled transition system: of its
//!    parts by the definition of a structure, and of its moves by the rules.
//! 2. *Agents*: for each agent the two are strongly bisimilar, with termination.
//! 3. *Together*: the steps are exactly those combinations of parts that the operators above the agents
//!    allow.
//!
//! Parts and moves that can't take part in any step are left out on both sides first. What each part is
//! called within its agent is a hint of the triples ([`Triple::parts`]); a wrong one fails 2 or 3. The sizes
//! of agents add where those of states multiply, so this is quick where there are several agents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_emulation::Structure;
use paramcheck_emulation::evolution::Evolution;
use paramcheck_emulation::expression::Expression;
use paramcheck_emulation::states;
use paramcheck_emulation::triple::{
    Action, Agent, Counter, CounterId, LocationId, OfferId, Triple, TripleId,
};
use paramcheck_process::model::{LabelId, tau};
use paramcheck_process::semantics::behaviour::BehaviourId;
use paramcheck_process::semantics::bisimulation::are_bisimilar;
use paramcheck_process::semantics::lts::{Lts, Transition};
use paramcheck_process::semantics::network::{Incomplete, Interpreter};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

/// Whether the triples are those of the interpreter's process. False also if an agent has more than
/// `max_states` states, or the triples have a shape that can't be compared.
///
/// # Errors
/// The budget ended.
pub(super) fn is_faithful(
    structure: &Structure,
    interpreter: &mut Interpreter<'_>,
    max_states: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    let Some(mut parts) = Parts::new(structure) else { return Ok(false) };
    if structure.agents.len() != interpreter.agents() {
        return Ok(false);
    }
    let Some(by_triples) = parts.agents(max_states, budget)? else { return Ok(false) };
    let Some(by_rules) = agents_by_rules(interpreter, &structure.labels, max_states, budget)? else {
        return Ok(false);
    };
    for (one, other) in by_triples.iter().zip(&by_rules) {
        if !are_bisimilar(one, other, budget)? {
            return Ok(false);
        }
    }
    parts.are_all_combinations(interpreter, budget)
}

/// What an agent contributes to a step.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Part {
    label: LabelId,
    entry: Vec<(CounterId, OfferId)>,
    exit: Vec<(CounterId, LocationId)>,
}

/// A structure whose steps are made of parts.
struct Parts<'a> {
    structure: &'a Structure,
    /// Per agent, its parts.
    parts: Vec<IndexVec<PartId, Part>>,
    /// The steps that can be taken as far as each agent is concerned: labels, and agents with their parts.
    steps: Vec<(LabelId, Vec<(u32, PartId)>)>,
    /// Per agent its start and join triples.
    silent: Vec<Vec<TripleId>>,
}

paramcheck_text::define_index! {
    /// A part, among those of one agent.
    pub struct PartId;
}

impl<'a> Parts<'a> {
    /// `None` if a triple is not made of one part per agent.
    fn new(structure: &'a Structure) -> Option<Parts<'a>> {
        if !structure.variables.is_empty() {
            return None;
        }
        let count = structure.agents.len();
        let agent_of = |counter: CounterId| Some(structure.counters.get(counter)?.agent);
        let mut ids: Vec<FxHashMap<Part, PartId>> = vec![FxHashMap::default(); count];
        let mut parts: Vec<IndexVec<PartId, Part>> = (0..count).map(|_| IndexVec::new()).collect();
        let empty = || Part { label: tau(), entry: Vec::new(), exit: Vec::new() };
        let mut steps = Vec::new();
        let mut silent = vec![Vec::new(); count];
        for (id, triple) in structure.triples.enumerate() {
            let mut concerned: BTreeMap<u32, Part> = BTreeMap::new();
            for (counter, offer) in &triple.entry {
                let part = concerned.entry(agent_of(*counter)?).or_insert_with(&empty);
                part.entry.push((*counter, *offer));
            }
            for (counter, location) in &triple.exit {
                // A counter that is set is one of an agent that takes part.
                let part = concerned.get_mut(&agent_of(*counter)?)?;
                part.exit.push((*counter, *location));
            }
            let is_plain = triple.guard.is_true() && triple.assignments.is_empty();
            let agents: Vec<u32> = concerned.keys().copied().collect();
            if !is_plain || agents != triple.agents {
                return None;
            }
            let Some(label) = triple.label() else {
                let [agent] = agents.as_slice() else { return None };
                silent.get_mut(*agent as usize)?.push(id);
                continue;
            };
            if triple.parts.len() != agents.len() {
                return None;
            }
            let mut step = Vec::new();
            for ((agent, mut part), own) in concerned.into_iter().zip(&triple.parts) {
                part.label = *own;
                let (ids, parts) = (ids.get_mut(agent as usize)?, parts.get_mut(agent as usize)?);
                step.push((agent, *ids.entry(part.clone()).or_insert_with(|| parts.push(part))));
            }
            steps.push((label, step));
        }
        Some(Parts { structure, parts, steps, silent })
    }

    /// The agents by themselves, with the parts of steps that can be taken as far as each agent is concerned;
    /// only these steps are kept. `None` if one has too many states.
    fn agents(&mut self, max_states: usize, budget: &Budget) -> Result<Option<Vec<Lts>>, Stop> {
        loop {
            let mut agents = Vec::new();
            let mut enabled = Vec::new();
            for agent in 0..self.structure.agents.len() as u32 {
                let Some((lts, parts)) = self.agent(agent, max_states, budget)? else { return Ok(None) };
                agents.push(lts);
                enabled.push(parts);
            }
            let before = self.steps.len();
            self.steps.retain(|(_, parts)| {
                parts.iter().all(|(agent, part)| enabled[*agent as usize].contains(part))
            });
            if self.steps.len() == before {
                return Ok(Some(agents));
            }
        }
    }

    /// An agent by itself, and which of its parts are enabled in some state.
    fn agent(
        &self,
        agent: u32,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Option<(Lts, FxHashSet<PartId>)>, Stop> {
        let used: BTreeSet<PartId> = self
            .steps
            .iter()
            .flat_map(|(_, parts)| parts.iter().filter(|(own, _)| *own == agent).map(|(_, part)| *part))
            .collect();
        let used: Vec<PartId> = used.into_iter().collect();
        let alone = self.alone(agent, &used);
        let evolution = Evolution::new(&alone);
        let Some(initial) = evolution.initial().pop() else { return Ok(None) };
        let space = states::explore(&evolution, initial, max_states, budget);
        match space.lts.incomplete {
            None => {}
            Some(Incomplete::Stopped(stop)) => return Err(stop),
            Some(_) => return Ok(None),
        }
        let mut enabled = FxHashSet::default();
        let mut pace = budget.pace();
        for state in &space.states {
            pace()?;
            let _ = evolution.each_successor::<()>(state, |id, _| {
                // Parts are the first triples.
                enabled.extend(used.get(id.index()));
                ControlFlow::Continue(())
            });
        }
        Ok(Some((space.lts, enabled)))
    }

    /// The structure of one agent: its counters, and as triples first these parts, then what starts and
    /// joins.
    fn alone(&self, agent: u32, used: &[PartId]) -> Structure {
        let structure = self.structure;
        let mut alone = Structure { labels: structure.labels.clone(), ..Structure::default() };
        let mut ids: FxHashMap<CounterId, CounterId> = FxHashMap::default();
        for (id, counter) in structure.counters.enumerate().filter(|(_, counter)| counter.agent == agent) {
            let parent = counter.parent.and_then(|parent| ids.get(&parent).copied());
            ids.insert(id, alone.counters.push(Counter { agent: 0, parent, ..counter.clone() }));
        }
        if let Some(about) = structure.agents.get(agent as usize)
            && let Some(counter) = ids.get(&about.counter)
        {
            alone.agents.push(Agent { name: about.name.clone(), counter: *counter });
        }
        let mut add = |action, entry: &[(CounterId, OfferId)], exit: &[(CounterId, LocationId)]| {
            alone.triples.push(Triple {
                entry: entry.iter().filter_map(|(at, offer)| Some((*ids.get(at)?, *offer))).collect(),
                exit: exit.iter().filter_map(|(at, to)| Some((*ids.get(at)?, *to))).collect(),
                action,
                guard: Expression::TRUE,
                assignments: Vec::new(),
                agents: vec![0],
                via: None,
                parts: Vec::new(),
            });
        };
        for part in used.iter().filter_map(|id| self.parts[agent as usize].get(*id)) {
            add(Action::Step(part.label), &part.entry, &part.exit);
        }
        for triple in self.silent[agent as usize].iter().filter_map(|id| structure.triples.get(*id)) {
            add(triple.action, &triple.entry, &triple.exit);
        }
        alone
    }

    /// Whether the steps are exactly the combinations of their parts that the operators above the agents
    /// allow.
    fn are_all_combinations(&self, interpreter: &Interpreter<'_>, budget: &Budget) -> Result<bool, Stop> {
        let mut used: Vec<BTreeSet<PartId>> = vec![BTreeSet::new(); self.parts.len()];
        let mut pace = budget.pace();
        let mut steps: FxHashSet<(LabelId, &[(u32, PartId)])> = FxHashSet::default();
        for (label, parts) in &self.steps {
            pace()?;
            parts.iter().for_each(|(agent, part)| {
                used[*agent as usize].insert(*part);
            });
            steps.insert((*label, parts));
        }
        let moves = |(own, used): (&IndexVec<PartId, Part>, &BTreeSet<PartId>)| {
            used.iter().filter_map(|id| Some((own.get(*id)?.label, *id))).collect()
        };
        let moves: Vec<Vec<(LabelId, PartId)>> = self.parts.iter().zip(&used).map(moves).collect();
        let mut count = 0;
        let combinations = interpreter.joint_steps(&moves)?;
        let mut before: Option<(LabelId, &[(u32, PartId)])> = None;
        for step in &combinations {
            pace()?;
            let this = (step.label, step.changes.as_slice());
            // They ascend; the way to a `tau` makes no difference.
            if before == Some(this) {
                continue;
            }
            before = Some(this);
            count += 1;
            if !steps.contains(&this) {
                return Ok(false);
            }
        }
        Ok(count == steps.len())
    }
}

/// The agents by themselves, by the rules, without moves that can't take part in any step. `None` if one has
/// too many states.
fn agents_by_rules(
    interpreter: &mut Interpreter<'_>,
    labels: &IndexVec<LabelId, String>,
    max_states: usize,
    budget: &Budget,
) -> Result<Option<Vec<Lts>>, Stop> {
    let mut useful: Option<Vec<BTreeSet<LabelId>>> = None;
    loop {
        let mut agents = Vec::new();
        let mut offered: Vec<BTreeSet<LabelId>> = Vec::new();
        for (agent, initial) in interpreter.initial().into_iter().enumerate() {
            let is_useful = |label: LabelId| {
                useful.as_ref().is_none_or(|useful| useful.get(agent).is_some_and(|own| own.contains(&label)))
            };
            let lts = agent_by_rules(interpreter, labels, initial, is_useful, max_states, budget)?;
            let Some(lts) = lts else { return Ok(None) };
            offered.push(lts.all_transitions().iter().map(|transition| transition.label).collect());
            agents.push(lts);
        }
        let moves: Vec<Vec<(LabelId, LabelId)>> =
            offered.iter().map(|own| own.iter().map(|label| (*label, *label)).collect()).collect();
        let mut combined: Vec<BTreeSet<LabelId>> = vec![BTreeSet::new(); offered.len()];
        for step in interpreter.joint_steps(&moves)? {
            step.changes.iter().for_each(|(agent, label)| {
                combined[*agent as usize].insert(*label);
            });
        }
        if combined == offered {
            return Ok(Some(agents));
        }
        useful = Some(combined);
    }
}

fn agent_by_rules(
    interpreter: &mut Interpreter<'_>,
    labels: &IndexVec<LabelId, String>,
    initial: BehaviourId,
    is_useful: impl Fn(LabelId) -> bool,
    max_states: usize,
    budget: &Budget,
) -> Result<Option<Lts>, Stop> {
    let mut lts = Lts::new(labels.clone(), vec![String::new()]);
    let alone = lts.agent_set(&[0]);
    let mut ids: FxHashMap<BehaviourId, u32> = FxHashMap::default();
    let mut states = vec![initial];
    ids.insert(initial, lts.add_state(interpreter.is_terminated(&[initial])));
    let mut next = 0;
    let mut pace = budget.pace();
    while let Some(state) = states.get(next).copied() {
        next += 1;
        let mut transitions = Vec::new();
        for step in interpreter.moves(state)?.iter().filter(|step| is_useful(step.label)) {
            pace()?;
            let target = *ids.entry(step.target).or_insert_with(|| {
                states.push(step.target);
                lts.add_state(interpreter.is_terminated(&[step.target]))
            });
            transitions.push(Transition { label: step.label, target, agents: alone });
        }
        if states.len() > max_states {
            return Ok(None);
        }
        lts.expand(transitions);
    }
    Ok(Some(lts))
}

//! Fair runs that go through some states alone and for ever, or end there.
//!
//! An agent's steps are what it does and the messages that it sends. Of runs without end, those are *weakly fair*
//! in which no agent stops for ever while it can act in every state; *strongly fair* ones, in which none stops
//! while it can act infinitely often. A component in which each agent either acts, or can't (weak: in some
//! state; strong: in all) is a fair one; where it is not strongly fair, states in which an agent is left out are
//! taken away, and what remains is divided again (Emerson and Lei, *Modalities for model checking*, 1987).

use std::mem::size_of;

use paramcheck_labs::semantics::step::Fairness;
use paramcheck_nets::explore::system::State;
use paramcheck_text::graph::components;
use paramcheck_text::limits::Budget;

use super::components::{Component, Flow, Visitor, visit};
use super::path::{Path, path};
use super::{Kind, States, Staying};
use crate::labs::engine::{Options, Reason};
use crate::labs::space::Space;

/// Looks for a fair run that begins in one of `starts` and stays inside.
pub(super) fn fair<S: State>(
    space: &Space<'_, S>,
    starts: impl IntoIterator<Item = S>,
    kind: impl Fn(&S) -> Kind,
    options: &Options,
    budget: &Budget,
) -> Result<Staying<S>, Reason> {
    let mut states = States::new(space, options, budget);
    let mut search = Fair { kind, has_fault: false, found: None };
    visit(&mut states, starts, &mut search)?;
    Ok(match search.found {
        Some(found) => found,
        None if search.has_fault || states.fault.is_some() => Staying::Fault,
        None => Staying::None(states.table.len() as u64),
    })
}

struct Fair<S, K> {
    kind: K,
    has_fault: bool,
    found: Option<Staying<S>>,
}

impl<S: State, K: Fn(&S) -> Kind> Visitor<S> for Fair<S, K> {
    fn goes_through(&mut self, state: &S) -> bool {
        match (self.kind)(state) {
            Kind::Inside => true,
            Kind::Outside => false,
            Kind::WithoutValue(_) => {
                self.has_fault = true;
                false
            }
        }
    }

    fn enters(&mut self, state: &S, successors: usize) -> (Flow, bool) {
        if successors > 0 {
            return (Flow::On, false);
        }
        self.found = Some(Staying::End(state.clone()));
        (Flow::Over, false)
    }

    fn finds(&mut self, states: &mut States<'_, '_, S>, component: &Component<'_>) -> Result<Flow, Reason> {
        let Some(part) = fair_part(states, component)? else { return Ok(Flow::On) };
        self.found =
            Some(Staying::Round(part.iter().map(|number| states.table.get(*number).clone()).collect()));
        Ok(Flow::Over)
    }
}

/// What agents do in some states: per agent whether it acts and stays there, and in how many it can act.
struct Deeds {
    acts: Vec<bool>,
    able: Vec<usize>,
    goes_on: bool,
}

impl Deeds {
    fn new(agents: usize) -> Deeds {
        Deeds { acts: vec![false; agents], able: vec![0; agents], goes_on: false }
    }

    /// Takes in the steps of one state: who makes them, and whether they stay.
    fn add(&mut self, steps: impl Iterator<Item = (usize, bool)>) {
        let mut able = vec![false; self.acts.len()];
        for (agent, stays) in steps {
            able[agent] = true;
            self.acts[agent] |= stays;
            self.goes_on |= stays;
        }
        self.able.iter_mut().zip(able).for_each(|(count, able)| *count += usize::from(able));
    }

    /// The agents that are left out of so many states.
    fn left_out(&self, states: usize, fairness: Fairness) -> Vec<bool> {
        let is_left_out = |(acts, able): (&bool, &usize)| {
            !acts
                && match fairness {
                    Fairness::None => false,
                    Fairness::Weak => *able == states,
                    Fairness::Strong => *able > 0,
                }
        };
        self.acts.iter().zip(&self.able).map(is_left_out).collect()
    }
}

/// The states of a component that a fair run can go through again and again.
fn fair_part<S: State>(
    states: &mut States<'_, '_, S>,
    component: &Component<'_>,
) -> Result<Option<Vec<u32>>, Reason> {
    let (machine, fairness) = (states.space.machine, states.space.machine.rules.fairness);
    let mut deeds = Deeds::new(machine.agents.len());
    for number in component.states {
        let steps = states.steps(*number, 0)?;
        let inside = |to: &u32| component.has(states.table.mark(*to));
        deeds.add(steps.iter().map(|(agent, to)| (*agent, inside(to))));
    }
    if !deeds.goes_on {
        return Ok(None);
    }
    let left_out = deeds.left_out(component.states.len(), fairness);
    if !left_out.contains(&true) {
        return Ok(Some(component.states.to_vec()));
    }
    if fairness != Fairness::Strong {
        return Ok(None);
    }
    let graph = Graph::new(states, component)?;
    Ok(graph.fair_part().map(|part| part.iter().map(|node| component.states[*node]).collect()))
}

/// The steps between the states of a component.
struct Graph {
    agents: usize,
    /// Per state: who steps, and to which one; to none, if it leaves the component.
    steps: Vec<Vec<(usize, Option<u32>)>>,
}

impl Graph {
    fn new<S: State>(states: &mut States<'_, '_, S>, component: &Component<'_>) -> Result<Graph, Reason> {
        // Marks say which position a state has.
        let positions: rustc_hash::FxHashMap<u32, u32> = component.states.iter().copied().zip(0..).collect();
        let (mut all, mut bytes) = (Vec::with_capacity(component.states.len()), 0);
        for number in component.states {
            let steps = states.steps(*number, bytes)?;
            let steps: Vec<_> =
                steps.iter().map(|(agent, to)| (*agent, positions.get(to).copied())).collect();
            bytes += size_of::<Vec<(usize, Option<u32>)>>() + steps.len() * size_of::<(usize, Option<u32>)>();
            all.push(steps);
        }
        Ok(Graph { agents: states.space.machine.agents.len(), steps: all })
    }

    /// States that lead to one another, and in which each agent acts or never can.
    fn fair_part(&self) -> Option<Vec<usize>> {
        let mut open = vec![(0..self.steps.len()).collect::<Vec<usize>>()];
        while let Some(part) = open.pop() {
            for members in self.divided(&part) {
                let mut is_member = vec![false; self.steps.len()];
                members.iter().for_each(|node| is_member[*node] = true);
                let stays = |to: &Option<u32>| to.is_some_and(|to| is_member[to as usize]);
                let mut deeds = Deeds::new(self.agents);
                for node in &members {
                    deeds.add(self.steps[*node].iter().map(|(agent, to)| (*agent, stays(to))));
                }
                if !deeds.goes_on {
                    continue;
                }
                let left_out = deeds.left_out(members.len(), Fairness::Strong);
                if !left_out.contains(&true) {
                    return Some(members);
                }
                let is_fine = |node: &usize| self.steps[*node].iter().all(|(agent, _)| !left_out[*agent]);
                open.push(members.iter().copied().filter(is_fine).collect());
            }
        }
        None
    }

    /// The components of a part.
    fn divided(&self, part: &[usize]) -> Vec<Vec<usize>> {
        let mut positions = vec![u32::MAX; self.steps.len()];
        part.iter().zip(0..).for_each(|(node, position)| positions[*node] = position);
        let inner: Vec<Vec<u32>> = part
            .iter()
            .map(|node| {
                let targets = self.steps[*node].iter().filter_map(|(_, to)| *to);
                targets.map(|to| positions[to as usize]).filter(|to| *to != u32::MAX).collect()
            })
            .collect();
        let numbers = components(part.len(), |node| &inner[node]);
        let count = numbers.iter().max().map_or(0, |most| *most as usize + 1);
        let mut divided = vec![Vec::new(); count];
        part.iter().zip(numbers).for_each(|(node, number)| divided[number as usize].push(*node));
        divided
    }
}

/// A way round through these states, from the last of a path back to it, that gives each agent its due.
///
/// Nothing, if there is none.
pub(crate) fn round<S: State>(
    space: &Space<'_, S>,
    steps: &mut Path<S>,
    part: &[S],
    options: &Options,
    budget: &Budget,
) -> Result<Option<usize>, Reason> {
    let from = steps.len().saturating_sub(1);
    let Some((_, begin)) = steps.last().cloned() else { return Ok(None) };
    let mut states = States::new(space, options, budget);
    for state in part {
        states.add(state, state.hash())?;
    }
    let count = part.len();
    let mut deeds = Deeds::new(space.machine.agents.len());
    let mut all = Vec::new();
    for number in 0..count as u32 {
        let found = states.steps(number, 0)?;
        deeds.add(found.iter().map(|(agent, to)| (*agent, (*to as usize) < count)));
        all.push(found);
    }
    let known: rustc_hash::FxHashMap<&[u64], usize> = part.iter().map(State::words).zip(0..).collect();
    let kind = |state: &S| if known.contains_key(state.words()) { Kind::Inside } else { Kind::Outside };
    let can = |state: usize, agent: usize| all[state].iter().any(|(by, _)| *by == agent);
    let leg = |steps: &mut Path<S>, wanted: &dyn Fn(&S) -> bool, may_be_empty| -> Result<bool, Reason> {
        let Some((_, at)) = steps.last().cloned() else { return Ok(false) };
        let way = path(space, [at], kind, wanted, may_be_empty, options, budget)?;
        let is_found = way.is_some();
        steps.extend(way.into_iter().flatten().skip(1));
        Ok(is_found)
    };
    for agent in 0..deeds.acts.len() {
        let rests = |state: &S| known.get(state.words()).is_some_and(|at| !can(*at, agent));
        let is_weak = space.machine.rules.fairness == Fairness::Weak;
        if deeds.able[agent] == 0 || is_weak && steps[from..].iter().any(|(_, state)| rests(state)) {
            continue;
        }
        if !deeds.acts[agent] {
            if !leg(steps, &rests, true)? {
                return Ok(None);
            }
            continue;
        }
        let acts_from = |state: &S| {
            let at = known.get(state.words());
            at.is_some_and(|at| all[*at].iter().any(|(by, to)| *by == agent && (*to as usize) < count))
        };
        if !leg(steps, &acts_from, true)? {
            return Ok(None);
        }
        let Some((_, at)) = steps.last() else { return Ok(None) };
        let Some(position) = known.get(at.words()) else { return Ok(None) };
        let mut inner = all[*position].iter().filter(|(by, to)| *by == agent && (*to as usize) < count);
        let Some((_, to)) = inner.next() else { return Ok(None) };
        let next = part[*to as usize].clone();
        let action = space.action_between(at, &next, agent);
        steps.push((action, next));
    }
    let is_round = steps.len() > from + 1 && steps.last().is_some_and(|(_, state)| *state == begin);
    Ok((is_round || leg(steps, &|state: &S| *state == begin, false)?).then_some(from))
}

//! Answers with the runs that show them, from as many states as are known.
//!
//! In: a [`Space`], which may end at a limit, and a property. Out: that it holds, where all states are known;
//! a [`Violation`], a run that [`replay`](super::run::replay) goes through; or neither.
//! [`check`](super::check) has the same answers without runs, from all states. Runs are shortest ways, of
//! `always` among all.

use paramcheck_text::graph::components;
use rustc_hash::FxHashMap;

use super::check::can_reach;
use super::evaluate::Halt;
use super::explore::{Space, holds_in};
use super::run::{Ending, Run};
use super::step::Rules;
use crate::model::{Expr, Modality, Property, System, Within};

/// What is found out about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It holds: all states are known.
    Holds,
    /// A run violates it.
    Violated(Violation),
    /// The states that are known do not tell.
    Open,
    /// In this state a formula has no value.
    NoValue(usize, Halt),
}

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The run.
    pub run: Run,
    /// How it ends.
    pub ending: Ending,
    /// Of what can always still be reached: how many states were searched from the end of the run.
    pub searched: Option<usize>,
}

/// The states of a run, and how it ends.
struct Way {
    states: Vec<usize>,
    ending: Ending,
}

impl Way {
    fn open(states: Vec<usize>) -> Way {
        Way { states, ending: Ending::Open }
    }
}

/// Decides a property; with a number of steps, of runs that have so many at most.
pub fn find(
    system: &System,
    space: &Space,
    property: &Property,
    rules: &Rules,
    steps: Option<usize>,
) -> Found {
    let finder = Finder { system, space, rules, graph: graph(space) };
    let found = finder.find(property, steps).unwrap_or_else(|(state, halt)| Found::NoValue(state, halt));
    match (&found, steps) {
        // A bounded run shows nothing of those that go on, unless all states are known.
        (Found::Holds, Some(_)) => match find(system, space, property, rules, None) {
            Found::Holds => Found::Holds,
            _ => Found::Open,
        },
        _ => found,
    }
}

/// The run along a shortest way to a state.
pub fn run_to(space: &Space, state: usize) -> Run {
    run_along(space, &space.way_to(state))
}

fn run_along(space: &Space, way: &[usize]) -> Run {
    let initial = way.first().map_or_else(Vec::new, |first| space.states[*first].store.cells.clone());
    let steps = way.windows(2).filter_map(|pair| {
        let (label, to) = space.transitions[pair[0]].iter().find(|(_, to)| *to == pair[1])?;
        Some((label.clone(), space.states[*to].store.clone()))
    });
    Run { initial, steps: steps.collect() }
}

fn graph(space: &Space) -> Vec<Vec<usize>> {
    let targets = |transitions: &Vec<_>| transitions.iter().map(|(_, to)| *to).collect();
    space.transitions.iter().map(targets).collect()
}

/// A shortest way from one of the starts to a goal, through what is `allowed`.
fn way(
    graph: &[Vec<usize>],
    starts: impl IntoIterator<Item = usize>,
    allowed: impl Fn(usize) -> bool,
    is_goal: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let mut before: FxHashMap<usize, Option<usize>> = FxHashMap::default();
    let mut open = Vec::new();
    for start in starts.into_iter().filter(|start| allowed(*start)) {
        if before.insert(start, None).is_none() {
            open.push(start);
        }
    }
    let mut at = 0;
    while let Some(node) = open.get(at).copied() {
        at += 1;
        if is_goal(node) {
            let mut way: Vec<usize> =
                std::iter::successors(Some(node), |node| before.get(node).copied().flatten()).collect();
            way.reverse();
            return Some(way);
        }
        for to in graph[node].iter().copied().filter(|to| allowed(*to)) {
            before.entry(to).or_insert_with(|| {
                open.push(to);
                Some(node)
            });
        }
    }
    None
}

/// Which nodes lie on a cycle through what is `allowed`.
fn on_cycles(graph: &[Vec<usize>], allowed: impl Fn(usize) -> bool) -> Vec<bool> {
    let restricted: Vec<Vec<u32>> = graph
        .iter()
        .enumerate()
        .map(|(node, all)| {
            let all = all.iter().filter(|to| allowed(node) && allowed(**to));
            all.filter_map(|to| u32::try_from(*to).ok()).collect()
        })
        .collect();
    let components = components(restricted.len(), |node| &restricted[node]);
    let mut sizes: FxHashMap<u32, usize> = FxHashMap::default();
    components.iter().for_each(|one| *sizes.entry(*one).or_default() += 1);
    let turns = |node: usize| restricted[node].iter().any(|to| *to as usize == node);
    let nodes = components.iter().enumerate();
    nodes.map(|(node, one)| sizes.get(one).is_some_and(|size| *size > 1) || turns(node)).collect()
}

/// A way to where nothing can happen, or else one with a cycle, through what is `allowed` from its `from`th
/// node on. `ends` are nodes behind which there is nothing.
fn endless(
    graph: &[Vec<usize>],
    starts: impl IntoIterator<Item = usize> + Clone,
    through: impl Fn(usize) -> bool,
    allowed: impl Fn(usize) -> bool,
    ends: impl Fn(usize) -> bool,
) -> Option<Way> {
    if let Some(states) = way(graph, starts.clone(), &through, |node| allowed(node) && ends(node)) {
        return Some(Way { states, ending: Ending::Stuck });
    }
    let cycles = on_cycles(graph, &allowed);
    let mut states = way(graph, starts, through, |node| cycles[node])?;
    let back = states.last().copied()?;
    let first = states.len() - 1;
    let around = way(graph, graph[back].iter().copied(), allowed, |node| node == back)?;
    states.extend(around);
    Some(Way { states, ending: Ending::BackTo(first) })
}

struct Finder<'a> {
    system: &'a System,
    space: &'a Space,
    rules: &'a Rules,
    graph: Vec<Vec<usize>>,
}

/// A state in which a formula has no value.
type NoValue = (usize, Halt);

impl Finder<'_> {
    fn find(&self, property: &Property, steps: Option<usize>) -> Result<Found, NoValue> {
        let formula = &property.formula;
        let starts = 0..self.space.initial;
        let way = match (&property.modality, steps) {
            (Modality::Always, _) => {
                self.first_without(formula)?.map(|state| Way::open(self.space.way_to(state)))
            }
            (Modality::Eventually { .. }, None) => {
                let holds = self.truths(formula)?;
                let lacks = |state: usize| !holds[state];
                let known = |state: usize| !holds[state] && state < self.space.expanded;
                endless(&self.graph, starts, lacks, known, |state| self.space.is_stuck(state))
            }
            (Modality::Eventually { is_finally }, Some(steps)) => {
                let holds = self.truths(formula)?;
                self.bounded(steps, |state| *is_finally || !holds[state], |state| !holds[state])
            }
            (Modality::Fairly | Modality::FairlyInfinite, Some(_)) => return Ok(Found::Open),
            (modality @ (Modality::Fairly | Modality::FairlyInfinite), None) => {
                let holds = self.truths(formula)?;
                return Ok(self.unreachable(&holds, *modality == Modality::Fairly));
            }
            (Modality::Scope { is_open, opens, closes, within }, _) => {
                let (opens, closes) = (self.truths(opens)?, self.truths(closes)?);
                let first = match within {
                    Within::Precedes(first) => self.truths(first)?,
                    Within::ThereIs | Within::Always => Vec::new(),
                };
                let holds = self.truths(formula)?;
                let scopes = super::check::Scopes {
                    space: self.space,
                    is_open: *is_open,
                    within,
                    opens,
                    closes,
                    holds,
                    first,
                };
                self.scope(&scopes, steps)
            }
        };
        Ok(match way {
            Some(Way { states, ending }) => {
                let run = run_along(self.space, &states);
                Found::Violated(Violation { run, ending, searched: None })
            }
            None => self.nothing(),
        })
    }

    fn nothing(&self) -> Found {
        if self.space.is_complete() { Found::Holds } else { Found::Open }
    }

    fn holds(&self, formula: &Expr, state: usize) -> Result<bool, NoValue> {
        let cells = &self.space.states[state].store.cells;
        holds_in(self.system, formula, cells, self.rules).map_err(|halt| (state, halt))
    }

    fn truths(&self, formula: &Expr) -> Result<Vec<bool>, NoValue> {
        (0..self.graph.len()).map(|state| self.holds(formula, state)).collect()
    }

    fn first_without(&self, formula: &Expr) -> Result<Option<usize>, NoValue> {
        for state in 0..self.graph.len() {
            if !self.holds(formula, state)? {
                return Ok(Some(state));
            }
        }
        Ok(None)
    }

    /// A run of so many steps through what is `allowed`, or one that stops before, that ends `badly`.
    fn bounded(
        &self,
        steps: usize,
        allowed: impl Fn(usize) -> bool,
        badly: impl Fn(usize) -> bool,
    ) -> Option<Way> {
        // Per number of steps the states after so many, each with one that leads there.
        let mut layers: Vec<FxHashMap<usize, usize>> = Vec::new();
        let mut layer: Vec<(usize, usize)> =
            (0..self.space.initial).filter(|state| allowed(*state)).map(|state| (state, state)).collect();
        loop {
            let number = layers.len();
            layers.push(layer.iter().copied().collect());
            let ends = |state: usize| number == steps || self.space.is_stuck(state);
            if let Some((end, _)) = layer.iter().find(|(state, _)| ends(*state) && badly(*state)) {
                let mut states = vec![*end];
                for layer in layers.iter().skip(1).rev() {
                    let last = states.last()?;
                    states.push(*layer.get(last)?);
                }
                states.reverse();
                let ending = if self.space.is_stuck(*end) { Ending::Stuck } else { Ending::Open };
                return Some(Way { states, ending });
            }
            if number == steps || layer.is_empty() {
                return None;
            }
            let mut next: FxHashMap<usize, usize> = FxHashMap::default();
            let known = layer.iter().filter(|(state, _)| *state < self.space.expanded);
            for (state, _) in known {
                for to in self.graph[*state].iter().filter(|to| allowed(**to)) {
                    next.entry(*to).or_insert(*state);
                }
            }
            layer = next.into_iter().collect();
            layer.sort_unstable();
        }
    }

    /// A way to a state from which none with the formula can be reached, with how many states lie behind it.
    fn unreachable(&self, holds: &[bool], is_once: bool) -> Found {
        // What is behind states that are not expanded is not known: it may be anything.
        let may: Vec<bool> =
            holds.iter().enumerate().map(|(state, holds)| *holds || state >= self.space.expanded).collect();
        let can = can_reach(self.space, &may);
        let allowed = |state: usize| !is_once || !holds[state];
        let Some(states) = way(&self.graph, 0..self.space.initial, allowed, |state| !can[state]) else {
            return self.nothing();
        };
        let mut behind: Vec<usize> = states.last().copied().into_iter().collect();
        let mut seen = vec![false; can.len()];
        behind.iter().for_each(|state| seen[*state] = true);
        let mut searched = 0;
        while let Some(state) = behind.pop() {
            searched += 1;
            for to in &self.graph[state] {
                if !std::mem::replace(&mut seen[*to], true) {
                    behind.push(*to);
                }
            }
        }
        let run = run_along(self.space, &states);
        Found::Violated(Violation { run, ending: Ending::Open, searched: Some(searched) })
    }

    fn scope(&self, scopes: &super::check::Scopes<'_>, steps: Option<usize>) -> Option<Way> {
        let product = scopes.product();
        let state_of = |node: usize| product.nodes[node].0;
        if let Some((before, last)) = product.violation {
            let mut states: Vec<usize> =
                std::iter::successors(before, |node| product.parents[*node]).map(state_of).collect();
            states.reverse();
            states.push(last);
            return Some(Way::open(states))
                .filter(|way| steps.is_none_or(|most| way.states.len() <= most + 1));
        }
        if !scopes.stays_open() {
            return None;
        }
        let known = |node: usize| scopes.is_owing(&product, node) && state_of(node) < self.space.expanded;
        let ends = |node: usize| self.space.is_stuck(state_of(node));
        let nodes = &product.transitions;
        let starts = 0..product.initial;
        let found = endless(nodes, starts, |_| true, known, ends)?;
        let states: Vec<usize> = found.states.iter().map(|node| state_of(*node)).collect();
        let is_short = found.ending == Ending::Stuck && steps.is_some_and(|most| states.len() <= most + 1);
        Some(Way { states, ending: found.ending }).filter(|_| steps.is_none() || is_short)
    }
}

//! Whether a proof is vacuous: which states that its error speaks of are never entered, and which
//! interactions never fire.
//!
//! A proof comes in; what [`Vacuous`] lists goes out, or nothing. The smallest instances are explored until
//! everything was seen, which takes a few markings in most systems. What was not seen is put to the direct
//! engine with little effort; its proofs are rechecked as those of verdicts are. What it does not prove is
//! reported as not seen in the instances that were explored, never as more.
//!
//! A state whose mere presence is an error (`#broken >= 1`) is left out: that it is never entered is what the
//! verdict says.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use paramcheck_certificate::check::{self, Rejection};
use paramcheck_certificate::data::Certificate;
use paramcheck_invariants::direct::Direct;
use paramcheck_invariants::firing::firings;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{Outcome, Scout};
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, Count, ErrorFormula, NamedError};
use paramcheck_model::rule::{InteractionId, RuleId};
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::limits::Budget;

use super::rewriting::InternalBug;
use super::scout::each_net;
use spoken::{spoken_of, suffices};

mod spoken;
#[cfg(test)]
mod tests;

/// How much work the exploration may take: looks at a component of a marking, or at a transition.
const MAX_WORK: usize = 200_000;

/// The work that an instance counts for, however few markings it has.
const WORK_PER_INSTANCE: usize = 500;

/// Systems with more rules, or with a larger smallest instance, are not explored: even the smallest instances
/// would take longer than the proof.
const MAX_RULES: usize = 1_000;
const MAX_SMALLEST: usize = 200;

/// How many joins of the direct engine a question may take.
const MAX_EFFORT: u64 = 10_000;

/// How many states and how many interactions are put to the engine one by one.
const MAX_QUESTIONS: usize = 16;

/// Up to what something was found never to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UpTo {
    /// In every instance with at most this many components, which were explored.
    Size(usize),
    /// In every instance, which the direct engine proved.
    EverySize,
}

/// What makes a proof look vacuous; not both lists are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// States that the error speaks of and no component enters, ascending.
    pub states: Vec<((TypeId, StateId), UpTo)>,
    /// Interactions that never fire, ascending.
    pub interactions: Vec<((RuleId, InteractionId), UpTo)>,
    /// Whether these are all interactions that the system has.
    pub all_interactions: bool,
}

impl Vacuous {
    /// Up to what all of it was found.
    pub fn up_to(&self) -> Option<UpTo> {
        let states = self.states.iter().map(|&(_, up_to)| up_to);
        states.chain(self.interactions.iter().map(|&(_, up_to)| up_to)).min()
    }
}

type State = (TypeId, StateId);
type Interaction = (RuleId, InteractionId);

/// What makes the proof that `error` is never reached look vacuous. `smallest` is the size of the smallest
/// instance.
///
/// # Errors
/// The checker refuses a proof that something never happens.
pub(super) fn vacuous(
    system: &System,
    error: &NamedError,
    smallest: usize,
    budget: &Budget,
) -> Result<Option<Vacuous>, InternalBug> {
    if system.rules.len() > MAX_RULES || smallest > MAX_SMALLEST {
        return Ok(None);
    }
    let mut open = Open::new(system, &error.formula);
    let all = open.interactions.len();
    let Some(size) = open.explore(system, budget) else { return Ok(None) };
    if open.is_empty() {
        return Ok(None);
    }
    let prover = Prover { system, engine: Direct::new(system).with_effort(MAX_EFFORT), budget };
    let up_to = |is_proved| if is_proved { UpTo::EverySize } else { UpTo::Size(size) };
    let states: BTreeSet<State> = open.states.into_iter().flatten().collect();
    let states: Vec<State> = states.into_iter().collect();
    let never_entered = prover.never_entered(&states)?;
    let mut interactions = Vec::new();
    for (position, interaction) in open.interactions.into_iter().enumerate() {
        let is_proved = position < MAX_QUESTIONS && prover.never_fires(interaction)?;
        interactions.push((interaction, up_to(is_proved)));
    }
    Ok(Some(Vacuous {
        states: states.into_iter().zip(never_entered.into_iter().map(up_to)).collect(),
        all_interactions: interactions.len() == all,
        interactions,
    }))
}

/// What was not seen to happen.
struct Open {
    /// Those together of which one is enough.
    states: BTreeSet<BTreeSet<State>>,
    interactions: BTreeSet<Interaction>,
}

impl Open {
    fn new(system: &System, formula: &ErrorFormula) -> Self {
        let sufficient = suffices(system, formula);
        let spoken = spoken_of(system, formula);
        let mut states: BTreeSet<_> = spoken.iter().map(|states| states - &sufficient).collect();
        states.remove(&BTreeSet::new());
        let reachable =
            system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable);
        let interactions =
            reachable.flat_map(|(id, rule)| rule.interactions.indices().map(move |one| (id, one)));
        Open { states, interactions: interactions.collect() }
    }

    fn is_empty(&self) -> bool {
        self.states.is_empty() && self.interactions.is_empty()
    }

    /// Strikes out what happens in small instances, until nothing is left or the work is done. The size up to
    /// which all instances were explored, and everything that can happen in none of them struck out too;
    /// `None` if not even the smallest were.
    fn explore(&mut self, system: &System, budget: &Budget) -> Option<usize> {
        let mut left = MAX_WORK;
        let (mut explored, mut last, mut is_cut) = (None, None, false);
        let (mut rules, mut types) = (BTreeSet::new(), BTreeSet::new());
        let found = each_net(system, budget, |tree, net| {
            // The instances of one size come one after the other.
            if last.is_some_and(|last| last < tree.size()) {
                explored = last;
            }
            last = Some(tree.size());
            left = left.saturating_sub(WORK_PER_INSTANCE);
            is_cut = left == 0 || !self.see(net, &mut left);
            if is_cut {
                return false;
            }
            rules.extend(tree.nodes.iter().map(|node| node.rule));
            types.extend(net.components().iter().map(|component| component.component_type));
            !self.is_empty()
        });
        if found.is_ok() && !is_cut {
            explored = last;
        }
        // What could have happened in an instance with these rules and component types only.
        self.states.retain(|states| states.iter().all(|(component, _)| types.contains(component)));
        self.interactions.retain(|(rule, _)| rules.contains(rule));
        explored
    }

    /// Strikes out what happens in an instance; false if that was too much work.
    fn see(&mut self, net: &Net, left: &mut usize) -> bool {
        let initial = net.initial();
        let mut visited: FxHashSet<Marking> = FxHashSet::default();
        visited.insert(initial.clone());
        // Depth first: that sees more than breadth with as many markings.
        let mut waiting = vec![initial];
        while let Some(marking) = waiting.pop() {
            *left = left.saturating_sub(net.components().len());
            for (component, &state) in net.components().iter().zip(marking.iter()) {
                self.states.retain(|states| !states.contains(&(component.component_type, state)));
            }
            for id in net.enabled(&marking) {
                *left = left.saturating_sub(1);
                let transition = &net.transitions()[id];
                if let Some(interaction) = transition.interaction {
                    self.interactions.remove(&(transition.rule, interaction));
                }
                if let Some(next) = net.fire(id, &marking)
                    && !visited.contains(&next)
                {
                    visited.insert(next.clone());
                    waiting.push(next);
                }
            }
            if self.is_empty() {
                return true;
            }
            if *left == 0 {
                return false;
            }
        }
        true
    }
}

/// The direct engine, with the checker behind it.
struct Prover<'a> {
    system: &'a System,
    engine: Direct<'a>,
    budget: &'a Budget,
}

impl Prover<'_> {
    /// Per state, whether it is proved that no component of any instance enters it.
    fn never_entered(&self, states: &[State]) -> Result<Vec<bool>, InternalBug> {
        // Mostly all of them or none can be proved, and one question is cheaper than several.
        if states.is_empty() || self.is_proved(states)? {
            return Ok(vec![true; states.len()]);
        }
        let alone = |(position, state): (usize, &State)| {
            Ok(states.len() > 1 && position < MAX_QUESTIONS && self.is_proved(std::slice::from_ref(state))?)
        };
        states.iter().enumerate().map(alone).collect()
    }

    /// Whether it is proved that no component of any instance enters any of these states.
    fn is_proved(&self, states: &[State]) -> Result<bool, InternalBug> {
        let weights = states.iter().map(|&(component, state)| (component, state, 1)).collect();
        let formula = ErrorFormula::Count(Count { weights, comparison: Comparison::AtLeast, bound: 1 });
        let error = NamedError { name: "entered".to_owned(), formula };
        let invariants = InvariantChoice {
            stages: vec![vec![InvariantKind::SIPHON], simple_kinds()],
            dead_interactions: false,
            last_resort: Vec::new(),
            exclusive: false,
        };
        match self.engine.decide(&error, &invariants, &mut NoScout, self.budget) {
            Outcome::Proved { evidence, .. } => self.is_accepted(&error, &evidence),
            _ => Ok(false),
        }
    }

    /// Whether it is proved that an interaction fires in no instance.
    fn never_fires(&self, (rule, interaction): Interaction) -> Result<bool, InternalBug> {
        let firings = firings(self.system, rule, interaction);
        // Each is a question.
        if firings.len() > MAX_QUESTIONS {
            return Ok(false);
        }
        let found = self.engine.never_fire(firings, &simple_kinds(), self.budget);
        found.map_or(Ok(false), |(error, certificate)| self.is_accepted(&error, &certificate))
    }

    fn is_accepted(&self, error: &NamedError, certificate: &Certificate) -> Result<bool, InternalBug> {
        match check::check(self.system, error, certificate, self.budget) {
            Ok(()) => Ok(true),
            Err(Rejection::Stopped(_)) => Ok(false),
            Err(rejection) => Err(InternalBug::Certificate { error: error.name.clone(), rejection }),
        }
    }
}

fn simple_kinds() -> Vec<InvariantKind> {
    vec![InvariantKind::TRAP, InvariantKind::MUTEX, InvariantKind::SIPHON, InvariantKind::AtMost(1)]
}

/// Sees nothing: small instances have been explored.
struct NoScout;

impl Scout for NoScout {}

//! The naive twin of the direct engine: the same question, answered in the plainest way.
//!
//! A *configuration* is what one marking of one subtree shows its context: the component type and the
//! current state of each parameter, what the error needs to know, and **all** sets θ of places that
//! respect the subtree's transitions, each by its parts at the parameters and its numbers of initially
//! and of currently marked places. All configurations of all predicates are computed bottom-up, over
//! the rules as they are written, until nothing changes. Nothing is merged, trimmed or learnt, and no
//! code is shared with an engine. It works for very small systems only and says so otherwise.
//!
//! [`in_all_invariants`] is plainer still: all subsets of the places of one net.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck::instance::marking::Marking;
use paramcheck::instance::net::Net;
use paramcheck::invariant::InvariantKind;
use paramcheck::model::component::{StateId, TransitionId, TypeId};
use paramcheck::model::error::ErrorFormula;
use paramcheck::model::rule::{
    InteractionId, Pattern, PatternGroupId, PredicateId, Rule, RuleId, VariableId,
};
use paramcheck::model::system::System;
use paramcheck::support::index::{Idx, IndexVec};

/// The answer of the naive twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveAnswer {
    /// No instance has a marking in all invariants and in the error.
    Proved,
    /// Some instance has; the smallest has so many components.
    Fails {
        /// Components.
        size: usize,
    },
    /// Too much work for the naive way (or a formula over components).
    TooBig,
}

/// A way for an interaction to happen: the rule, the interaction, and the transition of each
/// participant with its component type.
pub type Combination = (RuleId, InteractionId, Vec<(TypeId, TransitionId)>);

/// Interactions left out of the nets, because they never fire.
pub type DeadSet = BTreeSet<Combination>;

/// How much work the naive twin does before it gives up, in sets θ looked at.
const WORK_LIMIT: usize = 3_000_000;

/// How many combinations of subtrees' configurations it looks at for one rule in one round.
const COMBINATION_LIMIT: usize = 100_000;

/// Whether some instance of `system` has a marking in `formula` that is in all invariants of `kinds`,
/// where the net transitions of `dead` don't exist.
pub fn decide(
    system: &System,
    formula: &ErrorFormula,
    kinds: &[InvariantKind],
    dead: &DeadSet,
) -> NaiveAnswer {
    let Some(questions) = Questions::new(formula) else { return NaiveAnswer::TooBig };
    let twin = Twin { system, kinds, dead, questions };
    let Some(found) = twin.fixpoint() else { return NaiveAnswer::TooBig };
    let failing = found[system.root].iter().filter(|(configuration, _)| {
        twin.questions.holds(formula, &configuration.error) && !twin.is_refuted(configuration)
    });
    match failing.map(|(_, entry)| entry.size).min() {
        Some(size) => NaiveAnswer::Fails { size },
        None => NaiveAnswer::Proved,
    }
}

/// All interactions, in every combination, that structural invariants of `kinds` show never to fire,
/// those already found being left out of the nets; `None` where that is too much work.
///
/// A marking that enables one of them needs no extra treatment: it is refuted when the combination is
/// found, and with fewer transitions all invariants remain invariants.
pub fn dead_interactions(system: &System, kinds: &[InvariantKind]) -> Option<DeadSet> {
    let mut dead = DeadSet::new();
    loop {
        let before = dead.len();
        for (rule_id, rule) in
            system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable)
        {
            for (id, interaction) in rule.interactions.enumerate() {
                let choices = interaction.participants.iter().map(|&(port, variable)| {
                    let types = rule.variables[variable].types.iter();
                    types
                        .flat_map(|&t| system.types[t].transitions_on(port).map(move |(local, _)| (t, local)))
                        .collect()
                });
                for locals in product(choices.collect()) {
                    let combination = (rule_id, id, locals);
                    if !dead.contains(&combination) {
                        let (asked, formula) = with_pattern(system, &combination);
                        match decide(&asked, &formula, kinds, &dead) {
                            NaiveAnswer::Proved => _ = dead.insert(combination),
                            NaiveAnswer::Fails { .. } => {}
                            NaiveAnswer::TooBig => return None,
                        }
                    }
                }
            }
        }
        if dead.len() == before {
            return Some(dead);
        }
    }
}

/// `system` with the error "all pre-places of `combination` are marked at some node".
fn with_pattern(system: &System, (rule, interaction, locals): &Combination) -> (System, ErrorFormula) {
    let mut system = system.clone();
    let group: PatternGroupId = system.pattern_groups.push("fires".to_owned());
    let participants = &system.rules[*rule].interactions[*interaction].participants;
    let conditions = participants
        .iter()
        .zip(locals)
        .map(|(&(_, variable), &(component, local))| {
            (variable, vec![(component, system.types[component].transitions[local].from)])
        })
        .collect();
    system.rules[*rule].patterns.push(Pattern { group, conditions });
    (system, ErrorFormula::Pattern(group))
}

/// What the error needs to know of a subtree.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ErrorState {
    live: bool,
    unfinished: bool,
    patterns: Vec<bool>,
    counts: Vec<u64>,
}

/// The comparisons and the groups of patterns in a formula.
struct Questions<'a> {
    counts: Vec<&'a paramcheck::model::error::Count>,
    patterns: Vec<PatternGroupId>,
    deadlock: bool,
}

impl<'a> Questions<'a> {
    fn new(formula: &'a ErrorFormula) -> Option<Self> {
        let mut questions = Questions { counts: Vec::new(), patterns: Vec::new(), deadlock: false };
        questions.add(formula).then_some(questions)
    }

    fn add(&mut self, formula: &'a ErrorFormula) -> bool {
        match formula {
            ErrorFormula::Deadlock => self.deadlock = true,
            ErrorFormula::Count(count) => self.counts.push(count),
            ErrorFormula::Pattern(group) => self.patterns.push(*group),
            ErrorFormula::Wsks(_) => return false,
            ErrorFormula::Not(inner) => return self.add(inner),
            ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
                return parts.iter().all(|part| self.add(part));
            }
        }
        true
    }

    fn holds(&self, formula: &ErrorFormula, state: &ErrorState) -> bool {
        match formula {
            ErrorFormula::Deadlock => !state.live && state.unfinished,
            ErrorFormula::Count(count) => {
                let position = self.counts.iter().position(|other| *other == count).unwrap();
                count.comparison.holds(state.counts[position], count.bound)
            }
            ErrorFormula::Pattern(group) => {
                state.patterns[self.patterns.iter().position(|other| other == group).unwrap()]
            }
            ErrorFormula::Wsks(_) => unreachable!("not asked"),
            ErrorFormula::Not(inner) => !self.holds(inner, state),
            ErrorFormula::And(parts) => parts.iter().all(|part| self.holds(part, state)),
            ErrorFormula::Or(parts) => parts.iter().any(|part| self.holds(part, state)),
        }
    }
}

/// A set of places of a subtree, as seen from outside. Parts are sets of states, a bit for each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Theta {
    kind: InvariantKind,
    parts: Vec<u32>,
    initial: u8,
    marked: u8,
}

type Place = (TypeId, StateId);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    /// Per parameter; for a borrowed one, a guess.
    places: Vec<Place>,
    error: ErrorState,
    thetas: BTreeSet<Theta>,
}

/// What is known of a configuration found.
#[derive(Clone, Copy)]
struct Entry {
    /// The fewest components of a subtree that shows it.
    size: usize,
    /// The round in which that last changed.
    round: usize,
}

type Found = IndexVec<PredicateId, BTreeMap<Configuration, Entry>>;

struct Twin<'a> {
    system: &'a System,
    kinds: &'a [InvariantKind],
    dead: &'a DeadSet,
    questions: Questions<'a>,
}

impl Twin<'_> {
    /// All configurations of all predicates; `None` if they are too many.
    fn fixpoint(&self) -> Option<Found> {
        let mut found: Found = self.system.predicates.iter().map(|_| BTreeMap::new()).collect();
        let mut work = 0;
        for round in 0.. {
            let mut new: Vec<(PredicateId, Configuration, usize)> = Vec::new();
            for (rule_id, rule) in self.system.rules.enumerate() {
                if !self.system.predicates[rule.head].is_reachable {
                    continue;
                }
                let children: Vec<Vec<(&Configuration, Entry)>> = rule
                    .predicate_atoms()
                    .map(|call| found[call.predicate].iter().map(|(c, entry)| (c, *entry)).collect())
                    .collect();
                if children.iter().map(Vec::len).product::<usize>() > COMBINATION_LIMIT {
                    return None;
                }
                for chosen in product(children) {
                    // Done before, if every child was there in the same way.
                    let is_old = chosen.iter().all(|(_, entry)| entry.round + 1 < round);
                    if is_old && round > 0 {
                        continue;
                    }
                    let size = rule.instance_atoms().count()
                        + chosen.iter().map(|(_, entry)| entry.size).sum::<usize>();
                    let chosen: Vec<&Configuration> =
                        chosen.iter().map(|(configuration, _)| *configuration).collect();
                    for configuration in self.combine(rule_id, rule, &chosen, &mut work)? {
                        let known = found[rule.head].get(&configuration);
                        if known.is_none_or(|entry| size < entry.size) {
                            new.push((rule.head, configuration, size));
                        }
                    }
                }
            }
            if new.is_empty() {
                return Some(found);
            }
            for (predicate, configuration, size) in new {
                let entry = found[predicate].entry(configuration).or_insert(Entry { size, round });
                if size <= entry.size {
                    *entry = Entry { size, round };
                }
            }
        }
        None
    }

    /// The configurations of a node with `rule` over subtrees with the configurations `children`.
    fn combine(
        &self,
        rule_id: RuleId,
        rule: &Rule,
        children: &[&Configuration],
        work: &mut usize,
    ) -> Option<Vec<Configuration>> {
        // What the children say about the variables' types and states must agree.
        let mut places: Vec<Option<Place>> = vec![None; rule.variables.len()];
        for (call, child) in rule.predicate_atoms().zip(children) {
            for (argument, &place) in call.arguments.iter().zip(&child.places) {
                if *places[argument.index()].get_or_insert(place) != place {
                    return Some(Vec::new());
                }
            }
        }
        // Components created here have their type and any state, unless a child guessed that.
        let mut options: Vec<Vec<Place>> = Vec::new();
        for (variable, place) in rule.variables.indices().zip(&places) {
            let created = rule.instance_atoms().find(|atom| atom.variable == variable);
            let types = match created {
                Some(atom) => vec![atom.component],
                None => rule.variables[variable].types.clone(),
            };
            let all = types.iter().flat_map(|&t| self.system.types[t].states.indices().map(move |s| (t, s)));
            options.push(match place {
                // A guess of a child, or what it created.
                Some(place) => {
                    if created.is_some_and(|atom| atom.component != place.0) {
                        return Some(Vec::new());
                    }
                    vec![*place]
                }
                None => all.collect(),
            });
        }
        let initials: Vec<Vec<StateId>> = rule.instance_atoms().map(|atom| atom.initial.clone()).collect();
        let mut result = Vec::new();
        for places in product(options) {
            for initial in product(initials.clone()) {
                let node = Node { rule_id, rule, places: &places, initial: &initial, children };
                let places = places[..rule.parameter_count].to_vec();
                let thetas = self.thetas(&node, work)?;
                result.push(Configuration { places, error: self.error(&node), thetas });
            }
        }
        Some(result)
    }

    /// The transitions that the rule's interactions stand for, given the types of its variables:
    /// per transition, variable, state left, state entered.
    fn transitions(&self, node: &Node<'_>) -> Vec<Vec<(VariableId, StateId, StateId)>> {
        let mut result = Vec::new();
        for (id, interaction) in node.rule.interactions.enumerate() {
            let locals = interaction.participants.iter().map(|&(port, variable)| {
                let component = node.places[variable.index()].0;
                let locals = self.system.types[component].transitions_on(port);
                locals.map(|(local, transition)| (variable, component, local, transition)).collect()
            });
            for combination in product(locals.collect()) {
                let named = combination.iter().map(|&(_, component, local, _)| (component, local)).collect();
                if !self.dead.contains(&(node.rule_id, id, named)) {
                    result.push(combination.iter().map(|&(v, _, _, t)| (v, t.from, t.to)).collect());
                }
            }
        }
        for atom in node.rule.instance_atoms() {
            for (_, transition) in self.system.types[atom.component].internal_transitions() {
                result.push(vec![(atom.variable, transition.from, transition.to)]);
            }
        }
        result
    }

    fn error(&self, node: &Node<'_>) -> ErrorState {
        let state = |variable: VariableId| node.places[variable.index()].1;
        let mut error = ErrorState {
            patterns: vec![false; self.questions.patterns.len()],
            counts: vec![0; self.questions.counts.len()],
            ..ErrorState::default()
        };
        for child in node.children {
            error.live |= child.error.live;
            error.unfinished |= child.error.unfinished;
            error.patterns.iter_mut().zip(&child.error.patterns).for_each(|(mine, &its)| *mine |= its);
            error.counts.iter_mut().zip(&child.error.counts).for_each(|(mine, its)| *mine += its);
        }
        if self.questions.deadlock {
            error.live |=
                self.transitions(node).iter().any(|moves| moves.iter().all(|&(v, from, _)| state(v) == from));
            error.unfinished |= node
                .rule
                .instance_atoms()
                .any(|atom| !self.system.types[atom.component].states[state(atom.variable)].is_final);
        }
        for (seen, group) in error.patterns.iter_mut().zip(&self.questions.patterns) {
            *seen |= node.rule.patterns.iter().any(|pattern| {
                let occurs =
                    |(v, states): &(VariableId, Vec<Place>)| states.contains(&node.places[v.index()]);
                pattern.group == *group && pattern.conditions.iter().all(occurs)
            });
        }
        for (sum, count) in error.counts.iter_mut().zip(&self.questions.counts) {
            for atom in node.rule.instance_atoms() {
                let place = (atom.component, state(atom.variable));
                *sum += count.weights.iter().filter(|w| (w.0, w.1) == place).map(|w| w.2).sum::<u64>();
            }
            *sum = (*sum).min(count.bound + 1);
        }
        error
    }

    /// All sets of places of the subtree that respect its transitions.
    fn thetas(&self, node: &Node<'_>, work: &mut usize) -> Option<BTreeSet<Theta>> {
        let transitions = self.transitions(node);
        let mut result = BTreeSet::new();
        for &kind in self.kinds {
            // Per variable its part, where it is known; initially marked, marked.
            let mut partial: Vec<(Vec<Option<u32>>, usize, usize)> =
                vec![(vec![None; node.places.len()], 0, 0)];
            for (call, child) in node.rule.predicate_atoms().zip(node.children) {
                let mut joined = Vec::new();
                for (parts, initial, marked) in &partial {
                    for theta in child.thetas.iter().filter(|theta| theta.kind == kind) {
                        *work += 1;
                        let mut parts = parts.clone();
                        let agree = call
                            .arguments
                            .iter()
                            .zip(&theta.parts)
                            .all(|(v, &part)| *parts[v.index()].get_or_insert(part) == part);
                        if agree {
                            joined.push((
                                parts,
                                initial + theta.initial as usize,
                                marked + theta.marked as usize,
                            ));
                        }
                    }
                }
                partial = joined;
            }
            for (parts, initial, marked) in partial {
                let options = parts.iter().zip(node.places).map(|(part, &(component, _))| match part {
                    Some(part) => vec![*part],
                    None => (0..1_u32 << self.system.types[component].states.len()).collect(),
                });
                for parts in product(options.collect()) {
                    *work += 1;
                    if *work > WORK_LIMIT {
                        return None;
                    }
                    let has = |variable: VariableId, state: StateId| {
                        usize::from(parts[variable.index()] >> state.index() & 1 == 1)
                    };
                    let respects = transitions.iter().all(|moves| {
                        let pre = moves.iter().map(|&(v, from, _)| has(v, from)).sum();
                        let post = moves.iter().map(|&(v, _, to)| has(v, to)).sum();
                        kind.admits_transition(pre, post)
                    });
                    if !respects {
                        continue;
                    }
                    let (mut initial, mut marked) = (initial, marked);
                    for (atom, &start) in node.rule.instance_atoms().zip(node.initial) {
                        initial += has(atom.variable, start);
                        marked += has(atom.variable, node.places[atom.variable.index()].1);
                    }
                    result.insert(Theta {
                        kind,
                        parts: parts[..node.rule.parameter_count].to_vec(),
                        initial: kind.saturate(initial),
                        marked: kind.saturate(marked),
                    });
                }
            }
        }
        Some(result)
    }

    /// Whether the marking of the whole tree is outside of some invariant.
    fn is_refuted(&self, root: &Configuration) -> bool {
        root.thetas.iter().any(|theta| {
            theta.kind.admits_initial(theta.initial as usize)
                && theta.kind.refutes(theta.initial as usize, theta.marked as usize)
        })
    }
}

/// A rule applied: variables bound to places, initial states chosen, children.
struct Node<'a> {
    rule_id: RuleId,
    rule: &'a Rule,
    places: &'a [Place],
    initial: &'a [StateId],
    children: &'a [&'a Configuration],
}

/// All choices of one item from each list (of no lists: the empty choice).
pub fn product<T: Clone>(lists: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let mut result = vec![Vec::new()];
    for list in lists {
        result = result
            .iter()
            .flat_map(|chosen: &Vec<T>| {
                list.iter().map(move |item| {
                    let mut chosen = chosen.clone();
                    chosen.push(item.clone());
                    chosen
                })
            })
            .collect();
    }
    result
}

/// Most places of a net whose subsets are enumerated.
pub const MOST_PLACES: usize = 16;

/// Every invariant of `kinds` of the net, as sets of places (a bit for each), by trying all. The
/// transitions in `dead` don't count.
pub fn all_invariants(net: &Net, kinds: &[InvariantKind], dead: &DeadSet) -> Vec<(InvariantKind, u32)> {
    assert!(net.place_count() <= MOST_PLACES);
    let initial = places(net, &net.initial());
    let transitions: Vec<(u32, u32)> = net
        .transitions()
        .iter()
        .filter(|transition| {
            let locals = transition.moves.iter();
            let locals =
                locals.map(|m| (net.components()[m.component].component_type, m.transition)).collect();
            !transition.interaction.is_some_and(|id| dead.contains(&(transition.rule, id, locals)))
        })
        .map(|transition| {
            let moves = transition.moves.iter();
            moves.fold((0, 0), |(pre, post), m| {
                (pre | 1 << net.place(m.component, m.from), post | 1 << net.place(m.component, m.to))
            })
        })
        .collect();
    let common = |left: u32, right: u32| (left & right).count_ones() as usize;
    let mut result = Vec::new();
    for theta in 0..1_u32 << net.place_count() {
        for &kind in kinds {
            let respects =
                |&(pre, post): &(u32, u32)| kind.admits_transition(common(theta, pre), common(theta, post));
            if kind.admits_initial(common(theta, initial)) && transitions.iter().all(respects) {
                result.push((kind, theta));
            }
        }
    }
    result
}

/// Whether `marking` is in all of the net's `invariants`.
pub fn in_all(net: &Net, invariants: &[(InvariantKind, u32)], marking: &Marking) -> bool {
    let (initial, marked) = (places(net, &net.initial()), places(net, marking));
    let count = |theta: u32, marking: u32| (theta & marking).count_ones() as usize;
    !invariants.iter().any(|&(kind, theta)| kind.refutes(count(theta, initial), count(theta, marked)))
}

/// Whether `marking` is in all invariants of `kinds` of the net: by all subsets of its places.
pub fn in_all_invariants(net: &Net, marking: &Marking, kinds: &[InvariantKind]) -> bool {
    in_all(net, &all_invariants(net, kinds, &DeadSet::new()), marking)
}

fn places(net: &Net, marking: &Marking) -> u32 {
    marking.enumerate().fold(0, |places, (component, &state)| places | 1 << net.place(component, state))
}

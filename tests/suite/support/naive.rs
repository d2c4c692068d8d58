//! The naive twin of the direct engine: the same question, answered in the plainest way.
//!
//! A *configuration* is what one marking of one subtree shows its context: the component type and the
//! current state of each parameter, what the error needs to know, and **all** sets θ of places that
//! respect the subtree's transitions, each by its parts at the parameters and its numbers of initially
//! and of currently marked places. All configurations of all predicates are computed bottom-up, over
//! the rules as they are written, until nothing changes. Nothing is merged, trimmed or learnt, and no
//! code is shared with an engine. It works for very small systems only and reports this otherwise.
//!
//! `subsets` is plainer still: all subsets of the places of one net.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::{StateId, TransitionId, TypeId};
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::rule::{InteractionId, Pattern, PatternGroupId, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};

/// The answer of the naive twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NaiveAnswer {
    /// No instance has a marking in all invariants and in the error.
    Proved,
    /// Some instance has; the smallest has this number of components.
    Fails {
        /// Components.
        size: usize,
    },
    /// Too much work for the naive way (or a formula over components).
    TooBig,
}

/// A way for an interaction to happen: the rule, the interaction, and the transition of each
/// participant with its component type.
pub(crate) type Combination = (RuleId, InteractionId, Vec<(TypeId, TransitionId)>);

/// Interactions left out of the nets, because they never fire.
pub(crate) type DeadSet = BTreeSet<Combination>;

/// How much work the naive twin does before it gives up, in sets θ looked at.
const MAX_WORK: usize = 60_000;

/// How many combinations of subtrees' configurations it looks at for one rule in one round.
const MAX_COMBINATIONS: usize = 3_000;

/// Whether some instance of `system` has a marking in `formula` that is in all invariants of `kinds`,
/// where the net transitions of `dead` don't exist.
pub(crate) fn decide(
    system: &System,
    formula: &ErrorFormula,
    kinds: &[InvariantKind],
    dead: &DeadSet,
) -> NaiveAnswer {
    decide_with(system, formula, kinds, dead, &mut Sets::default())
}

/// [`decide`] for several errors of a system, which have the invariants in common.
pub(crate) fn decide_all<'a>(
    system: &System,
    formulas: impl IntoIterator<Item = &'a ErrorFormula>,
    kinds: &[InvariantKind],
    dead: &DeadSet,
) -> Vec<NaiveAnswer> {
    let mut sets = Sets::default();
    formulas.into_iter().map(|formula| decide_with(system, formula, kinds, dead, &mut sets)).collect()
}

/// `sets` are those computed before for the same rules, `kinds` and `dead`.
fn decide_with(
    system: &System,
    formula: &ErrorFormula,
    kinds: &[InvariantKind],
    dead: &DeadSet,
    sets: &mut Sets,
) -> NaiveAnswer {
    let Some(questions) = Questions::new(formula) else { return NaiveAnswer::TooBig };
    let twin = Twin { system, kinds, dead, questions };
    sets.work = 0;
    let Some(found) = twin.fixpoint(sets) else { return NaiveAnswer::TooBig };
    let failing = found[system.root].iter().filter(|(configuration, _)| {
        twin.questions.holds(formula, &configuration.error) && !sets.refute(configuration)
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
pub(crate) fn dead_interactions(system: &System, kinds: &[InvariantKind]) -> Option<DeadSet> {
    let mut dead = DeadSet::new();
    let mut sets = Sets::default();
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
                        match decide_with(&asked, &formula, kinds, &dead, &mut sets) {
                            NaiveAnswer::Proved => {
                                dead.insert(combination);
                                sets = Sets::default();
                            }
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
    counts: Vec<&'a paramcheck_model::error::Count>,
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
            ErrorFormula::Components(_) => return false,
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
            ErrorFormula::Components(_) => unreachable!("not asked"),
            ErrorFormula::Not(inner) => !self.holds(inner, state),
            ErrorFormula::And(parts) => parts.iter().all(|part| self.holds(part, state)),
            ErrorFormula::Or(parts) => parts.iter().any(|part| self.holds(part, state)),
        }
    }
}

/// Sets of states of several components, eight bits for each: bit s of byte v is state s of variable
/// (or parameter) v.
type Parts = u64;

/// Most variables of a rule, and most states of a component type.
const BYTE: usize = 8;

/// The place "the component of `variable` is in `state`".
fn bit(variable: usize, state: StateId) -> Parts {
    1 << (BYTE * variable + state.index())
}

/// All states of the component of `variable`.
fn byte(variable: usize) -> Parts {
    0xff << (BYTE * variable)
}

/// A set of places of a subtree, as seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Theta {
    kind: InvariantKind,
    /// What of it belongs to the parameters.
    parts: Parts,
    initial: u8,
    marked: u8,
}

type Place = (TypeId, StateId);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    /// Per parameter; for a borrowed one, a guess.
    places: Vec<Place>,
    error: ErrorState,
    /// All sets of the subtree, by their number in [`Sets`].
    sets: usize,
}

/// What is known of a configuration found.
#[derive(Clone, Copy)]
struct Known {
    /// The fewest components of a subtree that shows it.
    size: usize,
    /// The round in which that last changed.
    round: usize,
}

type Found = IndexVec<PredicateId, BTreeMap<Configuration, Known>>;

/// What the sets of a node depend on: rule, places of the variables, initial states, and the sets of the
/// children.
type NodeKey = (RuleId, Vec<Place>, Vec<StateId>, Vec<usize>);

/// The sets of subtrees, each list of sets numbered once, and how they were computed.
#[derive(Default)]
struct Sets {
    /// Each ascending and without repetitions.
    lists: Vec<Rc<Vec<Theta>>>,
    numbers: HashMap<Rc<Vec<Theta>>, usize>,
    /// By rule, types of the variables, and sets of the children.
    open: HashMap<(RuleId, Vec<TypeId>, Vec<usize>), Vec<Open>>,
    closed: HashMap<NodeKey, usize>,
    /// Sets looked at.
    work: usize,
}

impl Sets {
    fn number(&mut self, thetas: Vec<Theta>) -> usize {
        if let Some(&number) = self.numbers.get(&thetas) {
            return number;
        }
        let thetas = Rc::new(thetas);
        self.lists.push(Rc::clone(&thetas));
        self.numbers.insert(thetas, self.lists.len() - 1);
        self.lists.len() - 1
    }

    /// Whether some set is an invariant of the whole tree and the tree's marking outside of it.
    fn refute(&self, root: &Configuration) -> bool {
        self.lists[root.sets].iter().any(|theta| {
            theta.kind.admits_initial(theta.initial.into())
                && theta.kind.refutes(theta.initial.into(), theta.marked.into())
        })
    }
}

struct Twin<'a> {
    system: &'a System,
    kinds: &'a [InvariantKind],
    dead: &'a DeadSet,
    questions: Questions<'a>,
}

impl Twin<'_> {
    /// All configurations of all predicates; `None` if they are too many.
    fn fixpoint(&self, sets: &mut Sets) -> Option<Found> {
        let mut found: Found = self.system.predicates.iter().map(|_| BTreeMap::new()).collect();
        for round in 0.. {
            let mut new: BTreeMap<(PredicateId, Configuration), usize> = BTreeMap::new();
            for (rule_id, rule) in self.system.rules.enumerate() {
                if !self.system.predicates[rule.head].is_reachable {
                    continue;
                }
                let children: Vec<Vec<(&Configuration, Known)>> = rule
                    .predicate_atoms()
                    .map(|call| found[call.predicate].iter().map(|(c, entry)| (c, *entry)).collect())
                    .collect();
                if children.iter().map(Vec::len).product::<usize>() > MAX_COMBINATIONS {
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
                    for configuration in self.combine(rule_id, rule, &chosen, sets)? {
                        let known = found[rule.head].get(&configuration);
                        if known.is_none_or(|entry| size < entry.size) {
                            let smallest = new.entry((rule.head, configuration)).or_insert(size);
                            *smallest = size.min(*smallest);
                        }
                    }
                }
            }
            if new.is_empty() {
                return Some(found);
            }
            for ((predicate, configuration), size) in new {
                found[predicate].insert(configuration, Known { size, round });
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
        sets: &mut Sets,
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
        let below: Vec<usize> = children.iter().map(|child| child.sets).collect();
        let mut result = Vec::new();
        for places in product(options) {
            let node = Node { rule_id, rule, places: &places, children };
            let error = self.error(&node);
            for initial in product(initials.clone()) {
                let key = (rule_id, places.clone(), initial.clone(), below.clone());
                let number = match sets.closed.get(&key) {
                    Some(known) => *known,
                    None => {
                        let number = self.close(&node, &initial, &below, sets)?;
                        sets.closed.insert(key, number);
                        number
                    }
                };
                let places = places[..rule.parameter_count].to_vec();
                result.push(Configuration { places, error: error.clone(), sets: number });
            }
        }
        Some(result)
    }

    /// The sets of the node's subtree, `below` being those of its children.
    fn close(&self, node: &Node<'_>, initial: &[StateId], below: &[usize], sets: &mut Sets) -> Option<usize> {
        // Which sets respect the transitions depends on the types of the components only.
        let types: Vec<TypeId> = node.places.iter().map(|place| place.0).collect();
        let key = (node.rule_id, types, below.to_vec());
        if !sets.open.contains_key(&key) {
            let open = self.respecting(node, sets)?;
            sets.open.insert(key.clone(), open);
        }
        let open = &sets.open[&key];
        sets.work += open.len();
        let mut thetas: Vec<Theta> = open.iter().map(|open| node.close(open, initial)).collect();
        thetas.sort_unstable();
        thetas.dedup();
        Some(sets.number(thetas))
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
    fn respecting(&self, node: &Node<'_>, all: &mut Sets) -> Option<Vec<Open>> {
        let variables = node.rule.variables.len();
        if variables > BYTE || self.system.types.iter().any(|t| t.states.len() > BYTE) {
            return None;
        }
        let transitions: Vec<(Parts, Parts)> = self
            .transitions(node)
            .iter()
            .map(|moves| {
                moves.iter().fold((0, 0), |(pre, post), &(variable, from, to)| {
                    (pre | bit(variable.index(), from), post | bit(variable.index(), to))
                })
            })
            .collect();
        let mut result = Vec::new();
        for &kind in self.kinds {
            // Sets of the children together; where they share a variable, they agree.
            let mut sets = vec![Open { kind, parts: 0, initial: 0, marked: 0 }];
            let mut known: Parts = 0;
            for (call, child) in node.rule.predicate_atoms().zip(node.children) {
                let arguments: Vec<usize> = call.arguments.iter().map(|argument| argument.index()).collect();
                let thetas = Rc::clone(&all.lists[child.sets]);
                let mut joined = Vec::new();
                for set in &sets {
                    for theta in thetas.iter().filter(|theta| theta.kind == kind) {
                        all.work += 1;
                        let parts = arguments.iter().enumerate().fold(0, |parts, (position, &argument)| {
                            parts | (theta.parts >> (BYTE * position) & 0xff) << (BYTE * argument)
                        });
                        let shared = arguments.iter().fold(0, |all, &argument| all | byte(argument)) & known;
                        if set.parts & shared == parts & shared {
                            let initial = kind.saturate((set.initial + theta.initial) as usize);
                            let marked = kind.saturate((set.marked + theta.marked) as usize);
                            joined.push(Open { kind, parts: set.parts | parts, initial, marked });
                        }
                    }
                }
                known = arguments.iter().fold(known, |known, &argument| known | byte(argument));
                joined.sort_unstable();
                joined.dedup();
                sets = joined;
            }
            // Of all other variables, any part.
            for variable in 0..variables {
                if known & byte(variable) == 0 {
                    let states = self.system.types[node.places[variable].0].states.len();
                    let parts = (0..1 << states).map(|part: Parts| part << (BYTE * variable));
                    let parts: Vec<Parts> = parts.collect();
                    all.work += sets.len() * parts.len();
                    if all.work > MAX_WORK {
                        return None;
                    }
                    sets = sets
                        .iter()
                        .flat_map(|set| parts.iter().map(|part| Open { parts: set.parts | part, ..*set }))
                        .collect();
                }
            }
            if all.work > MAX_WORK {
                return None;
            }
            sets.retain(|set| {
                let common = |places: Parts| i64::from((set.parts & places).count_ones());
                transitions.iter().all(|&(pre, post)| kind.admits_transition(common(pre), common(post)))
            });
            result.extend(sets);
        }
        Some(result)
    }
}

/// A set at a node that still shows the parts of all variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    kind: InvariantKind,
    parts: Parts,
    /// Of the children, like `marked`, saturated.
    initial: u8,
    marked: u8,
}

/// A rule applied: variables bound to places, and children.
struct Node<'a> {
    rule_id: RuleId,
    rule: &'a Rule,
    places: &'a [Place],
    children: &'a [&'a Configuration],
}

impl Node<'_> {
    /// The set as seen from outside, when the components created here start in `starts`.
    fn close(&self, set: &Open, starts: &[StateId]) -> Theta {
        let (mut initial, mut marked) = (set.initial as usize, set.marked as usize);
        for (atom, &start) in self.rule.instance_atoms().zip(starts) {
            let variable = atom.variable.index();
            initial += usize::from(set.parts & bit(variable, start) != 0);
            marked += usize::from(set.parts & bit(variable, self.places[variable].1) != 0);
        }
        let parameters = (0..self.rule.parameter_count).fold(0, |all, parameter| all | byte(parameter));
        Theta {
            kind: set.kind,
            parts: set.parts & parameters,
            initial: set.kind.saturate(initial),
            marked: set.kind.saturate(marked),
        }
    }
}

/// All choices of one item from each list (of no lists: the empty choice).
pub(crate) fn product<T: Clone>(lists: Vec<Vec<T>>) -> Vec<Vec<T>> {
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

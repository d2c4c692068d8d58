//! Pairs of states that exclude each other: sets that are judged relative to each other.
//!
//! A component is *private* to a node of the tree if its rule creates it and shows it to no other: it takes
//! part in interactions of this node only. For two private components and a state of each it may be that they
//! are never in these states at once. The pairs for which that can be seen are found together: all but the
//! least set of pairs that contains the initial ones and what transitions make of it, where a transition may
//! fire if all pairs of its pre-places are in the set, beside a component in a state that forms such pairs
//! with each of them. That is more than any set of places shows by itself, for every pair may rest on others.

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

use super::grammar::{Grammar, Production, ProductionId};
use super::place::{PlaceId, Places};

/// Rules with more pairs of private places, or an interaction with more combinations, are skipped.
const MAX_PAIRS: usize = 20_000;

/// A private component in a state.
pub(crate) type PrivatePlace = (VariableId, StateId);

/// A rule, and two places, the one with the smaller variable first.
pub(crate) type ExclusivePair = (RuleId, PrivatePlace, PrivatePlace);

/// What excludes what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusive {
    /// The pairs of which markings are looked through.
    pub(crate) pairs: Vec<ExclusivePair>,
    /// Per production, two slots and the places that exclude each other there.
    by_production: IndexVec<ProductionId, Vec<Slots>>,
}

#[derive(Clone, Debug)]
struct Slots {
    first: usize,
    second: usize,
    places: FxHashSet<(PlaceId, PlaceId)>,
}

impl Exclusive {
    /// All pairs that show where rules are put together.
    ///
    /// # Errors
    /// `budget` ended.
    pub(crate) fn new(
        system: &System,
        places: &Places,
        grammar: &Grammar,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let private: IndexVec<RuleId, Option<Private>> =
            system.rules.iter().map(|rule| Private::new(system, rule)).collect();
        let mut visible: IndexVec<RuleId, Visible> =
            system.rules.iter().map(|_| Visible::default()).collect();
        for production in grammar.productions.iter() {
            budget.check()?;
            let Some(private) = &private[production.rule] else { continue };
            let variables = production.variables.iter().copied();
            let variables: Vec<_> = variables.filter(|v| private.types.contains_key(v)).collect();
            visible[production.rule]
                .extend(variables.iter().flat_map(|&v| variables.iter().map(move |&w| (v, w))));
        }
        let mut by_rule: IndexVec<RuleId, Vec<(PrivatePlace, PrivatePlace)>> = IndexVec::new();
        for (id, rule) in system.rules.enumerate() {
            by_rule.push(match &private[id] {
                Some(private) => of_rule(system, rule, private, &visible[id], budget)?,
                None => Vec::new(),
            });
        }
        let mut seen = FxHashSet::default();
        let mut exclusive = Exclusive::default();
        for production in grammar.productions.iter() {
            budget.check()?;
            let Some(private) = &private[production.rule] else {
                exclusive.by_production.push(Vec::new());
                continue;
            };
            let slots = slots(private, places, production, &by_rule[production.rule], |pair| {
                if seen.insert((production.rule, pair)) {
                    exclusive.pairs.push((production.rule, pair.0, pair.1));
                }
            });
            exclusive.by_production.push(slots);
        }
        Ok(exclusive)
    }

    /// Whether nothing excludes anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether components bound to the slots of a production are where they are never at once.
    pub(crate) fn forbids(&self, production: ProductionId, bound: &[PlaceId]) -> bool {
        self.by_production
            .get(production)
            .is_some_and(|all| all.iter().any(|s| s.places.contains(&(bound[s.first], bound[s.second]))))
    }
}

/// Where a production sees pairs; each is passed to `note`.
fn slots(
    private: &Private,
    places: &Places,
    production: &Production,
    pairs: &[(PrivatePlace, PrivatePlace)],
    mut note: impl FnMut((PrivatePlace, PrivatePlace)),
) -> Vec<Slots> {
    let mut result: Vec<Slots> = Vec::new();
    let mut known: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut slot_of: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (slot, &variable) in production.variables.iter().enumerate() {
        slot_of.entry(variable).or_insert(slot);
    }
    for &(one, other) in pairs {
        let slot = |variable| slot_of.get(&variable).copied();
        let (Some(first), Some(second)) = (slot(one.0), slot(other.0)) else { continue };
        let place = |(variable, state)| Some(places.id(*private.types.get(&variable)?, state));
        let (Some(p), Some(q)) = (place(one), place(other)) else { continue };
        note((one, other));
        let position = *known.entry((first, second)).or_insert_with(|| {
            result.push(Slots { first, second, places: FxHashSet::default() });
            result.len() - 1
        });
        result[position].places.insert((p, q));
    }
    result
}

/// The components that a rule creates and shows to no other rule.
struct Private {
    /// Their types.
    types: FxHashMap<VariableId, TypeId>,
    /// Each of them in each of its states, ascending.
    places: Vec<PrivatePlace>,
}

impl Private {
    /// Those of `rule`; `None` if there are no two of them, or too many pairs of their places.
    fn new(system: &System, rule: &Rule) -> Option<Self> {
        let shown: FxHashSet<VariableId> =
            rule.predicate_atoms().flat_map(|call| call.arguments.iter().copied()).collect();
        let atoms = rule
            .instance_atoms()
            .filter(|atom| atom.variable.index() >= rule.parameter_count && !shown.contains(&atom.variable));
        let mut all: Vec<(VariableId, TypeId)> = atoms.map(|atom| (atom.variable, atom.component)).collect();
        all.sort_unstable();
        let states = |&(_, component): &(VariableId, TypeId)| system.types[component].states.len();
        let count = all.iter().map(states).sum::<usize>();
        if all.len() < 2 || count * count > MAX_PAIRS {
            return None;
        }
        let places = all.iter().flat_map(|&(variable, component)| {
            system.types[component].states.indices().map(move |state| (variable, state))
        });
        Some(Private { places: places.collect(), types: all.into_iter().collect() })
    }
}

/// Variables that are in sight together when a rule is put together. Nothing is claimed about
/// other pairs, so what is known of these rests on these alone.
type Visible = FxHashSet<(VariableId, VariableId)>;

/// What a transition does to private components: where each comes from and goes.
type Moves = Vec<(VariableId, StateId, StateId)>;

/// The pairs of private places of `rule` that exclude each other; none if that is too much work.
fn of_rule(
    system: &System,
    rule: &Rule,
    private: &Private,
    visible: &Visible,
    budget: &Budget,
) -> Result<Vec<(PrivatePlace, PrivatePlace)>, Stop> {
    let mut pace = budget.pace();
    let all = &private.places;
    let Some(transitions) = transitions(system, rule, private) else { return Ok(Vec::new()) };
    let mut together = FxHashSet::default();
    for one in rule.instance_atoms() {
        for other in rule.instance_atoms().filter(|other| other.variable != one.variable) {
            for &state in &one.initial {
                together
                    .extend(other.initial.iter().map(|&at| ((one.variable, state), (other.variable, at))));
            }
        }
    }
    loop {
        let before = together.len();
        for moves in &transitions {
            pace()?;
            let pre: Vec<PrivatePlace> = moves.iter().map(|&(variable, from, _)| (variable, from)).collect();
            let post: Vec<PrivatePlace> = moves.iter().map(|&(variable, _, to)| (variable, to)).collect();
            let fits = |place: PrivatePlace| {
                pre.iter().all(|&one| {
                    one.0 == place.0
                        || !visible.contains(&(one.0, place.0))
                        || together.contains(&(one, place))
                })
            };
            if !pre.iter().all(|&place| fits(place)) {
                continue;
            }
            let beside = all.iter().copied().filter(|place| pre.iter().all(|one| one.0 != place.0));
            let beside: Vec<PrivatePlace> = beside.filter(|&place| fits(place)).collect();
            for (position, &one) in post.iter().enumerate() {
                for &other in post[..position].iter().chain(&beside) {
                    together.insert((one, other));
                    together.insert((other, one));
                }
            }
        }
        if together.len() == before {
            break;
        }
    }
    let pairs = all.iter().flat_map(|&one| all.iter().map(move |&other| (one, other)));
    let is_seen =
        |pair: &(PrivatePlace, PrivatePlace)| pair.0.0 < pair.1.0 && visible.contains(&(pair.0.0, pair.1.0));
    Ok(pairs.filter(|pair| is_seen(pair) && !together.contains(pair)).collect())
}

/// The transitions that move private components, as far as they do; `None` if they are too many.
fn transitions(system: &System, rule: &Rule, private: &Private) -> Option<Vec<Moves>> {
    let mut result: Vec<Moves> = Vec::new();
    for interaction in rule.interactions.iter() {
        let mut combinations: Vec<Moves> = vec![Vec::new()];
        for &(port, variable) in &interaction.participants {
            let Some(&component) = private.types.get(&variable) else { continue };
            let own: Vec<_> =
                system.types[component].transitions_on(port).map(|(_, t)| (t.from, t.to)).collect();
            if combinations.len() * own.len() > MAX_PAIRS {
                return None;
            }
            let longer = |moves: &Moves| {
                let moves = moves.clone();
                own.clone().into_iter().map(move |(from, to)| {
                    let mut longer = moves.clone();
                    longer.push((variable, from, to));
                    longer
                })
            };
            combinations = combinations.iter().flat_map(longer).collect();
        }
        result.extend(combinations.into_iter().filter(|moves| !moves.is_empty()));
    }
    for atom in rule.instance_atoms().filter(|atom| private.types.contains_key(&atom.variable)) {
        let own = system.types[atom.component].internal_transitions();
        result.extend(own.map(|(_, transition)| vec![(atom.variable, transition.from, transition.to)]));
    }
    result.sort_unstable();
    result.dedup();
    (result.len() <= MAX_PAIRS).then_some(result)
}

//! The sets of places that a proof may use, as a regular tree grammar.
//!
//! A proof of a certificate goes in. Its [`Shape`]s are what a set shows at the parameters of a predicate; a
//! [`Production`] says how a rule puts one together: what the set contains of each component that the rule
//! creates, and the shapes below. Every production has been held against all transitions of its rule. So a
//! derivation over a rewriting tree is a set of places of that instance which every transition keeps (but
//! those that never fire, [`Production::needs`]); it is an invariant where it also starts as its kind
//! demands, which the shape at the root says.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_certificate::data::{DroppedInteraction, Proof};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{Atom, InteractionId, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use crate::NotExplained;

/// Per state of a component type its weight in a set; 0: outside.
pub(crate) type Weights = Vec<i64>;

/// What a set shows at one variable.
type Content = (TypeId, Weights);

/// What a set shows at the parameters of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shape {
    /// Its kind.
    pub kind: InvariantKind,
    /// The predicate.
    pub predicate: PredicateId,
    contents: Vec<Content>,
    /// How much of the set is marked at the start below, saturated; 0 for kinds that compare with the start.
    pub initial: i64,
    /// Of kinds whose sets fall into parts, whether there is nothing of the set at all.
    pub is_empty: bool,
}

impl Shape {
    /// Whether nothing of the set can be seen from above.
    pub(crate) fn is_hidden(&self) -> bool {
        self.contents.iter().all(|(_, weights)| is_nothing(weights))
    }

    /// The same with nothing of the set.
    fn emptied(&self) -> Shape {
        let contents = self.contents.iter().map(|(component, weights)| (*component, vec![0; weights.len()]));
        Shape { contents: contents.collect(), initial: 0, is_empty: true, ..self.clone() }
    }

    /// The same with a set below of which nothing can be seen.
    fn hidden(&self) -> Shape {
        let initial = i64::from(!is_relative(self.kind));
        Shape { initial, is_empty: false, ..self.emptied() }
    }

    /// Whether a certificate says the same of both.
    pub(crate) fn is_listed_as(&self, other: &Shape) -> bool {
        let said = |one: &Shape| (one.kind, one.predicate, one.initial);
        said(self) == said(other) && self.contents == other.contents
    }
}

fn is_nothing(weights: &Weights) -> bool {
    weights.iter().all(|weight| *weight == 0)
}

/// How a rule makes a set of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Production {
    /// What it shows.
    pub shape: usize,
    /// The rule.
    pub rule: RuleId,
    /// Per instance atom what the set contains of its component.
    pub places: Vec<Weights>,
    /// Per instance atom where the component may start for this production, of all states where it may.
    pub starts: Vec<Vec<StateId>>,
    /// Per predicate atom the shape below.
    pub children: Vec<usize>,
    /// The dropped interactions that would break it, by their position in the certificate.
    pub needs: BTreeSet<usize>,
    /// Whether every transition of the rule leaves the weight of the set as it is.
    pub is_constant: bool,
}

impl Production {
    /// Whether a node whose components start so may have this production.
    pub(crate) fn allows(&self, initial: &[StateId]) -> bool {
        self.starts.iter().zip(initial).all(|(starts, state)| starts.contains(state))
    }

    /// Whether the set contains nothing of what the rule creates.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.iter().all(is_nothing)
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    /// The shapes as the certificate lists them.
    pub listed: Vec<Shape>,
    /// The shapes, by kind from cheap to dear, as the proof lists them.
    pub shapes: Vec<Shape>,
    /// The productions.
    pub productions: Vec<Production>,
    /// Per rule its productions.
    pub of_rule: IndexVec<RuleId, Vec<usize>>,
}

/// More productions, or attempts to make one, are not looked at.
const MAX_PRODUCTIONS: usize = 20_000;
const MAX_ATTEMPTS: usize = 2_000_000;
/// No more ways to start are told apart at one node.
const MAX_STARTS: usize = 64;

/// A net transition that never fires: its rule, interaction and the participants' moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    /// The rule.
    pub rule: RuleId,
    /// The interaction.
    pub interaction: InteractionId,
    /// Per participant its type, the state left and the state entered.
    pub moves: Vec<(TypeId, StateId, StateId)>,
}

impl Dropped {
    /// What `dropped` names in `system`.
    pub(crate) fn resolve(system: &System, dropped: &DroppedInteraction) -> Option<Dropped> {
        let moves = dropped.combination.iter().map(|one| {
            let component = type_named(system, &one.component)?;
            let state = |name: &str| system.types[component].state_named(name);
            Some((component, state(&one.from)?, state(&one.to)?))
        });
        Some(Dropped {
            rule: rule_named(system, &dropped.rule)?,
            interaction: InteractionId::new(dropped.interaction),
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

/// Whether a kind compares a marking with the initial one.
fn is_relative(kind: InvariantKind) -> bool {
    kind.is_weighted() || kind == InvariantKind::Parity
}

/// Whether of a set that consists of two, with no step in which both take part, one alone is as good: what excludes a
/// marking by both excludes it by one of them.
pub(crate) fn falls_into_parts(kind: InvariantKind) -> bool {
    is_relative(kind) || kind == InvariantKind::TRAP
}

/// The rule with this label.
pub(crate) fn rule_named(system: &System, label: &str) -> Option<RuleId> {
    system.rules.enumerate().find(|(_, rule)| rule.label == label).map(|(id, _)| id)
}

fn type_named(system: &System, name: &str) -> Option<TypeId> {
    system.types.enumerate().find(|(_, one)| one.name == name).map(|(id, _)| id)
}

/// The weights that a part of a document gives to the states of a type.
fn content(
    system: &System,
    kind: InvariantKind,
    component: &str,
    states: &[String],
    weights: Option<&[i64]>,
) -> Option<Content> {
    let id = type_named(system, component)?;
    let mut all = vec![0; system.types[id].states.len()];
    for (position, name) in states.iter().enumerate() {
        let state = system.types[id].state_named(name)?;
        all[state.index()] = weights.map_or(Some(1), |weights| weights.get(position).copied())?;
    }
    if matches!(kind, InvariantKind::Linear(_)) {
        let initial = system.types[id].initial.first().map_or(0, |state| all[state.index()]);
        all = levelled(&all, initial);
    }
    Some((id, all))
}

/// How many states more may have a weight, for the sake of an initial state that has none.
const MORE_STATES: usize = 2;

/// Weights that differ as these do: a component is in one state, so all of them may be more or less by the same, if
/// only changes of a sum count. The initial state weighs nothing, unless few other states would have to weigh
/// something then. So what is said counts what happens, and begins at 0.
fn levelled(weights: &Weights, initial: i64) -> Weights {
    let by = |level: i64| -> Weights { weights.iter().map(|weight| weight - level).collect() };
    let nonzero = |weights: &Weights| weights.iter().filter(|weight| **weight != 0).count();
    let total = |weights: &Weights| weights.iter().map(|weight| weight.abs()).sum::<i64>();
    let from_start = by(initial);
    let others = weights.iter().map(|level| by(*level));
    let best = others.min_by_key(|one| (nonzero(one), total(one), one.clone()));
    match best {
        Some(best) if nonzero(&best) + MORE_STATES < nonzero(&from_start) => best,
        _ => from_start,
    }
}

/// Adds to the parts of each variable what the certificate lists of variables of other types, where the states
/// have the same names: what holds of an inner node, say, may hold of the root too. Every production is checked.
fn also_of_like_types(
    system: &System,
    parts: &mut BTreeMap<(InvariantKind, RuleId, VariableId), Vec<Content>>,
) {
    let named = |(component, weights): &Content| -> BTreeMap<&str, i64> {
        let states = system.types[*component].states.iter().zip(weights);
        states
            .map(|(state, weight)| (state.name.as_str(), *weight))
            .filter(|(_, weight)| *weight != 0)
            .collect()
    };
    let mut listed: BTreeSet<(InvariantKind, BTreeMap<&str, i64>)> = BTreeSet::new();
    for ((kind, ..), contents) in parts.iter() {
        listed.extend(contents.iter().map(|content| (*kind, named(content))));
    }
    let listed: Vec<_> = listed.into_iter().filter(|(_, states)| !states.is_empty()).collect();
    for ((kind, rule, variable), known) in parts.iter_mut() {
        let mut atoms = system.rules[*rule].instance_atoms();
        let Some(atom) = atoms.find(|atom| atom.variable == *variable) else { continue };
        let component = &system.types[atom.component];
        for (_, states) in listed.iter().filter(|(of, _)| of == kind) {
            let weights: Weights = component
                .states
                .iter()
                .map(|state| states.get(state.name.as_str()).copied().unwrap_or(0))
                .collect();
            let is_whole = weights.iter().filter(|weight| **weight != 0).count() == states.len();
            let content = (atom.component, weights);
            if is_whole && !known.contains(&content) {
                known.push(content);
            }
        }
    }
}

/// Adds to the parts of each variable that it may have nothing in the set, where sets fall into parts.
fn also_nothing(
    system: &System,
    shapes: &[Shape],
    parts: &mut BTreeMap<(InvariantKind, RuleId, VariableId), Vec<Content>>,
) {
    let kinds: BTreeSet<InvariantKind> = shapes.iter().map(|shape| shape.kind).collect();
    for kind in kinds.into_iter().filter(|kind| falls_into_parts(*kind)) {
        for (id, rule) in system.rules.enumerate() {
            for (variable, declared) in rule.variables.enumerate() {
                let known = parts.entry((kind, id, variable)).or_default();
                for component in &declared.types {
                    let nothing = (*component, vec![0; system.types[*component].states.len()]);
                    if !known.contains(&nothing) {
                        known.push(nothing);
                    }
                }
            }
        }
    }
}

impl Grammar {
    /// The grammar of `proof`, in which the interactions of `dropped` never fire.
    ///
    /// # Errors
    /// The proof does not fit the system, has too many sets, or the budget ended.
    pub(crate) fn new(
        system: &System,
        proof: &Proof,
        dropped: &[Dropped],
        budget: &Budget,
    ) -> Result<Grammar, NotExplained> {
        let (mut shapes, mut listed): (Vec<Shape>, Vec<Shape>) = (Vec::new(), Vec::new());
        for set in &proof.sets {
            let shape = (|| {
                let predicates = &mut system.predicates.enumerate();
                let kind = set.kind.parse().ok()?;
                Some(Shape {
                    kind,
                    predicate: predicates.find(|(_, one)| one.name == set.predicate)?.0,
                    contents: (set.parameters.iter())
                        .map(|one| content(system, kind, &one.component, &one.states, one.weights.as_deref()))
                        .collect::<Option<_>>()?,
                    initial: i64::try_from(set.initial).ok()?,
                    is_empty: false,
                })
            })();
            let shape = shape.ok_or(NotExplained::Foreign)?;
            listed.push(shape.clone());
            // What can't be seen from above, and may stand alone where the certificate has more beside it.
            let alone = falls_into_parts(shape.kind).then(|| [shape.emptied(), shape.hidden()]);
            for one in [shape].into_iter().chain(alone.into_iter().flatten()) {
                if !shapes.contains(&one) {
                    shapes.push(one);
                }
            }
        }
        let mut parts: BTreeMap<(InvariantKind, RuleId, VariableId), Vec<Content>> = BTreeMap::new();
        for part in &proof.parts {
            let found = (|| {
                let rule = rule_named(system, &part.rule)?;
                let mut variables = system.rules[rule].variables.enumerate();
                let variable = variables.find(|(_, one)| one.name == part.variable)?.0;
                let (kind, weights) = (part.kind.parse().ok()?, part.weights.as_deref());
                let content = content(system, kind, &part.component, &part.states, weights)?;
                Some(((kind, rule, variable), content))
            })();
            let (key, content) = found.ok_or(NotExplained::Foreign)?;
            let known = parts.entry(key).or_default();
            if !known.contains(&content) {
                known.push(content);
            }
        }
        also_of_like_types(system, &mut parts);
        also_nothing(system, &shapes, &mut parts);
        let of_rule = system.rules.iter().map(|_| Vec::new()).collect();
        let mut grammar = Grammar { listed, shapes, productions: Vec::new(), of_rule };
        let kinds: BTreeSet<InvariantKind> = grammar.shapes.iter().map(|shape| shape.kind).collect();
        let mut attempts = 0;
        for kind in kinds {
            for (id, rule) in system.rules.enumerate() {
                if !system.predicates[rule.head].is_reachable {
                    continue;
                }
                let mut join = Join {
                    system,
                    rule: (id, rule),
                    kind,
                    parts: &parts,
                    dropped,
                    budget,
                    attempts: &mut attempts,
                    grammar: &mut grammar,
                    bound: vec![None; rule.variables.len()],
                    starts: Vec::new(),
                    initial: 0,
                    children: Vec::new(),
                };
                join.atoms(0)?;
            }
        }
        Ok(grammar)
    }

    /// The ways in which the components that a rule creates may start, as far as productions tell them apart.
    pub(crate) fn starts(&self, system: &System, rule: RuleId) -> Vec<Vec<StateId>> {
        let mut all: Vec<Vec<StateId>> = vec![Vec::new()];
        for (position, atom) in system.rules[rule].instance_atoms().enumerate() {
            // One state of those that no production distinguishes.
            let mut told_apart: BTreeMap<Vec<bool>, StateId> = BTreeMap::new();
            for state in &atom.initial {
                let of_rule = self.of_rule[rule].iter();
                let key = of_rule.map(|id| self.productions[*id].starts[position].contains(state)).collect();
                told_apart.entry(key).or_insert(*state);
            }
            let longer = all.iter().flat_map(|start| {
                told_apart.values().map(move |state| start.iter().chain([state]).copied().collect())
            });
            all = longer.take(MAX_STARTS).collect();
        }
        all
    }

    /// The shapes with a derivation that has no place at all.
    pub(crate) fn nothing(&self) -> BTreeSet<usize> {
        let mut nothing = BTreeSet::new();
        loop {
            let new = self
                .productions
                .iter()
                .filter(|one| one.is_empty() && one.children.iter().all(|child| nothing.contains(child)));
            let new: Vec<usize> = new.map(|one| one.shape).filter(|shape| !nothing.contains(shape)).collect();
            if new.is_empty() {
                return nothing;
            }
            nothing.extend(new);
        }
    }

    /// The productions of `shape` for `rule`.
    pub(crate) fn of(&self, shape: usize, rule: RuleId) -> impl Iterator<Item = usize> {
        self.of_rule[rule].iter().copied().filter(move |one| self.productions[*one].shape == shape)
    }
}

/// All productions of one rule for one kind, atom by atom.
struct Join<'a> {
    system: &'a System,
    rule: (RuleId, &'a Rule),
    kind: InvariantKind,
    parts: &'a BTreeMap<(InvariantKind, RuleId, VariableId), Vec<Content>>,
    dropped: &'a [Dropped],
    budget: &'a Budget,
    attempts: &'a mut usize,
    grammar: &'a mut Grammar,
    /// Per variable what the set contains of it, as far as that is known.
    bound: Vec<Option<Content>>,
    /// Per instance atom so far where its component starts.
    starts: Vec<Vec<StateId>>,
    /// What that, and the shapes below, have marked at the start.
    initial: i64,
    children: Vec<usize>,
}

impl Join<'_> {
    /// Chooses for the atoms from `position` on.
    fn atoms(&mut self, position: usize) -> Result<(), NotExplained> {
        *self.attempts += 1;
        if *self.attempts > MAX_ATTEMPTS {
            return Err(NotExplained::TooLarge);
        }
        if self.attempts.is_multiple_of(1024) {
            self.budget.check().map_err(NotExplained::Stopped)?;
        }
        let (id, rule) = self.rule;
        match rule.atoms.get(position) {
            None => self.borrowed(0),
            Some(Atom::Instance(atom)) => {
                let known = self.parts.get(&(self.kind, id, atom.variable)).map_or(&[][..], Vec::as_slice);
                let fitting = known.iter().filter(|content| content.0 == atom.component);
                for content in fitting.cloned().collect::<Vec<_>>() {
                    if !self.keeps_internal(&content) {
                        continue;
                    }
                    for (weight, starts) in self.classes(&content.1, &atom.initial) {
                        self.starts.push(starts);
                        self.initial += weight;
                        self.bind(&[atom.variable], std::slice::from_ref(&content), |join| {
                            join.atoms(position + 1)
                        })?;
                        self.initial -= weight;
                        self.starts.pop();
                    }
                }
                Ok(())
            }
            Some(Atom::Predicate(call)) => {
                for shape in 0..self.grammar.shapes.len() {
                    let Shape { kind, predicate, contents, initial, .. } = &self.grammar.shapes[shape];
                    if (*kind, *predicate) == (self.kind, call.predicate) {
                        let (contents, initial) = (contents.clone(), *initial);
                        self.children.push(shape);
                        self.initial += initial;
                        self.bind(&call.arguments, &contents, |join| join.atoms(position + 1))?;
                        self.initial -= initial;
                        self.children.pop();
                    }
                }
                Ok(())
            }
        }
    }

    /// Chooses for the parameters that no atom knows, from `position` on.
    fn borrowed(&mut self, position: usize) -> Result<(), NotExplained> {
        let (id, rule) = self.rule;
        if position >= rule.parameter_count {
            return self.finish();
        }
        if self.bound[position].is_some() {
            return self.borrowed(position + 1);
        }
        let variable = VariableId::new(position);
        let known = self.parts.get(&(self.kind, id, variable)).map_or(&[][..], Vec::as_slice);
        for content in known.iter().cloned() {
            self.bind(&[variable], &[content], |join| join.borrowed(position + 1))?;
        }
        Ok(())
    }

    /// Goes on with the variables bound so, where that agrees with what is known of them.
    fn bind(
        &mut self,
        variables: &[VariableId],
        contents: &[Content],
        next: impl FnOnce(&mut Self) -> Result<(), NotExplained>,
    ) -> Result<(), NotExplained> {
        let (_, rule) = self.rule;
        let before = self.bound.clone();
        let mut agrees = variables.len() == contents.len();
        for (variable, content) in variables.iter().zip(contents) {
            let place = &mut self.bound[variable.index()];
            agrees &= rule.variables[*variable].types.contains(&content.0);
            agrees &= place.as_ref().is_none_or(|known| known == content);
            *place = Some(content.clone());
        }
        let result = if agrees { next(self) } else { Ok(()) };
        self.bound = before;
        result
    }

    /// Where a component may start, by how much of the set is then marked. Where only changes count it does not
    /// matter.
    fn classes(&self, weights: &Weights, initial: &[StateId]) -> BTreeMap<i64, Vec<StateId>> {
        let mut classes: BTreeMap<i64, Vec<StateId>> = BTreeMap::new();
        for state in initial {
            let weight = if is_relative(self.kind) { 0 } else { weights[state.index()] };
            classes.entry(weight).or_default().push(*state);
        }
        classes
    }

    fn keeps_internal(&self, (component, weights): &Content) -> bool {
        let mut transitions = self.system.types[*component].internal_transitions();
        transitions
            .all(|(_, one)| self.kind.admits_transition(weights[one.from.index()], weights[one.to.index()]))
    }

    /// Of kinds whose sets fall into parts: whether what was chosen has nothing in the set. `None` where it has a part
    /// below that can't be seen from here, so that no step changes it together with the rest, beside something else.
    fn is_empty(&self, bound: &[Content]) -> Option<bool> {
        if !falls_into_parts(self.kind) {
            return Some(false);
        }
        let children = || self.children.iter().map(|child| &self.grammar.shapes[*child]);
        let hidden = children().filter(|child| child.is_hidden() && !child.is_empty).count();
        let seen = bound.iter().filter(|(_, weights)| !is_nothing(weights)).count();
        (hidden == 0 || hidden + seen == 1).then_some(hidden + seen == 0)
    }

    /// Adds the production that was chosen, if its shape is listed and every transition keeps the set.
    fn finish(&mut self) -> Result<(), NotExplained> {
        let (id, rule) = self.rule;
        let Some(bound) = self.bound.iter().cloned().collect::<Option<Vec<Content>>>() else { return Ok(()) };
        let contents = bound[..rule.parameter_count].to_vec();
        let initial = match usize::try_from(self.initial) {
            Ok(sum) if !is_relative(self.kind) => i64::from(self.kind.saturate(sum)),
            _ => 0,
        };
        let Some(is_empty) = self.is_empty(&bound) else { return Ok(()) };
        let shape = Shape { kind: self.kind, predicate: rule.head, contents, initial, is_empty };
        let Some(shape) = self.grammar.shapes.iter().position(|known| *known == shape) else { return Ok(()) };
        let (mut needs, mut is_constant) = (BTreeSet::new(), true);
        for interaction in rule.interactions.indices() {
            let Some((broken_without, constant)) = self.keeps(interaction, &bound) else { return Ok(()) };
            needs.extend(broken_without);
            is_constant &= constant;
        }
        let places: Vec<Weights> =
            rule.instance_atoms().map(|atom| bound[atom.variable.index()].1.clone()).collect();
        for (atom, weights) in rule.instance_atoms().zip(&places) {
            let mut alone = self.system.types[atom.component].internal_transitions();
            is_constant &= alone.all(|(_, one)| weights[one.from.index()] == weights[one.to.index()]);
        }
        let children = self.children.clone();
        let production =
            Production { shape, rule: id, places, starts: self.starts.clone(), children, needs, is_constant };
        let productions = &mut self.grammar.productions;
        if self.grammar.of_rule[id].iter().any(|known| productions[*known] == production) {
            return Ok(());
        }
        if productions.len() >= MAX_PRODUCTIONS {
            return Err(NotExplained::TooLarge);
        }
        self.grammar.of_rule[id].push(productions.len());
        productions.push(production);
        Ok(())
    }

    /// Whether all transitions of an interaction keep the set: then the dropped ones that would not, and
    /// whether the others leave its weight as it is.
    fn keeps(&self, interaction: InteractionId, bound: &[Content]) -> Option<(Vec<usize>, bool)> {
        let (id, rule) = self.rule;
        let participants = &rule.interactions[interaction].participants;
        // How many transitions have which weight before and after: few sums, where transitions are many.
        let mut ways: BTreeMap<(i64, i64), u128> = BTreeMap::from([((0, 0), 1)]);
        for (port, variable) in participants {
            let (component, weights) = &bound[variable.index()];
            let mut next: BTreeMap<(i64, i64), u128> = BTreeMap::new();
            for (_, one) in self.system.types[*component].transitions_on(*port) {
                for ((pre, post), count) in &ways {
                    let sums = (pre + weights[one.from.index()], post + weights[one.to.index()]);
                    let sum = next.entry(sums).or_default();
                    *sum = sum.saturating_add(*count);
                }
            }
            ways = next;
        }
        let mut broken = Vec::new();
        for (position, dropped) in self.dropped.iter().enumerate() {
            let types = dropped.moves.iter().map(|one| one.0);
            let is_here = (dropped.rule, dropped.interaction) == (id, interaction)
                && types.eq(participants.iter().map(|(_, variable)| bound[variable.index()].0));
            if !is_here {
                continue;
            }
            let (mut pre, mut post) = (0, 0);
            for ((_, from, to), (_, variable)) in dropped.moves.iter().zip(participants) {
                let weights = &bound[variable.index()].1;
                pre += weights[from.index()];
                post += weights[to.index()];
            }
            if let Some(count) = ways.get_mut(&(pre, post)) {
                *count = count.saturating_sub(1);
            }
            if !self.kind.admits_transition(pre, post) {
                broken.push(position);
            }
        }
        ways.retain(|_, count| *count > 0);
        let keeps = ways.keys().all(|(pre, post)| self.kind.admits_transition(*pre, *post));
        keeps.then(|| (broken, ways.keys().all(|(pre, post)| pre == post)))
    }
}

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
use paramcheck_model::rule::{InteractionId, PredicateId, RuleId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use self::join::Join;
use self::parts::{Parts, also_nothing, also_of_like_types, content};
use crate::NotExplained;

mod join;
mod parts;

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
        let mut parts: Parts = BTreeMap::new();
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

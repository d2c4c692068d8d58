//! The rewriting system as a binary grammar: rules cut into joins of two parts.
//!
//! A rule with many atoms is worked off one atom at a time. What has been joined so far is a *symbol*
//! of its own, with an interface of the variables that are still needed; interactions and patterns are
//! checked as soon as their variables are together, and a variable is forgotten after its last use.
//! So the cost of a rule depends on how many variables meet, not on how many it has (the same cut
//! makes a rule with many predicate atoms binary, which the paper's κ requires).
//!
//! Symbols are: predicates; leaves, one per instance atom and one per borrowed parameter that a rule
//! hands on to no predicate (its component's type and state are guessed, its owner is joined further up);
//! prefixes of rules. Rejected: enumerating a rule's atoms as a product, which is exponential in the
//! number of local components.

use paramcheck_model::component::PortId;
use paramcheck_model::rule::{
    Atom, InteractionId, Ownership, PatternGroupId, PredicateId, Rule, RuleId, VariableId,
};
use paramcheck_model::system::System;
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};

use super::place::{PlaceId, Places};

define_index! {
    /// A symbol of the binary grammar.
    pub(crate) struct SymbolId;
    /// A production of the binary grammar.
    pub(crate) struct ProductionId;
}

/// A symbol: something that derives parts of rewriting trees.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// What it stands for.
    pub(crate) kind: SymbolKind,
    /// The number of variables it shows.
    pub(crate) slots: usize,
    /// Productions in which it is the left part.
    pub(crate) as_left: Vec<ProductionId>,
    /// Productions in which it is the right part.
    pub(crate) as_right: Vec<ProductionId>,
    /// Productions that make it.
    pub(crate) made_by: Vec<ProductionId>,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    /// A predicate; its slots are its parameters.
    Predicate(PredicateId),
    /// The `atom`-th instance atom of a rule; one slot.
    Instance {
        /// The rule.
        rule: RuleId,
        /// Position among the rule's instance atoms.
        atom: usize,
        /// Its variable.
        variable: VariableId,
    },
    /// A borrowed parameter that no predicate atom of the rule takes; one slot.
    Borrowed {
        /// The rule.
        rule: RuleId,
        /// The parameter.
        variable: VariableId,
    },
    /// The first atoms of a rule, joined.
    Prefix,
}

/// Joins one or two parts to a bigger one. Slots of the parts are numbered together: those of `left`
/// first, those of `right` after them.
#[derive(Clone, Debug)]
pub(crate) struct Production {
    /// The rule it belongs to.
    pub(crate) rule: RuleId,
    /// The first part.
    pub(crate) left: SymbolId,
    /// The second part, if there is one.
    pub(crate) right: Option<SymbolId>,
    /// What is made.
    pub(crate) result: SymbolId,
    /// The variable of each slot of the left, then of the right.
    pub(crate) variables: Vec<VariableId>,
    /// Slots (of the left, of the right: numbered within the right) bound to the same variable.
    pub(crate) shared: Vec<(usize, usize)>,
    /// Interactions whose participants are together for the first time.
    pub(crate) interactions: Vec<SlotInteraction>,
    /// Patterns whose variables are together for the first time.
    pub(crate) patterns: Vec<SlotPattern>,
    /// For each slot of the result, the slot it comes from.
    pub(crate) output: Vec<usize>,
    /// For predicate parts, which predicate atom of the rule each is (left, right).
    pub(crate) children: [Option<usize>; 2],
}

/// An interaction over slots.
#[derive(Clone, Debug)]
pub(crate) struct SlotInteraction {
    /// Which of the rule's interactions.
    pub(crate) id: InteractionId,
    /// Port and slot of each participant, in the interaction's order.
    pub(crate) participants: Vec<(PortId, usize)>,
}

/// A pattern over slots.
#[derive(Clone, Debug)]
pub(crate) struct SlotPattern {
    /// Its group.
    pub(crate) group: PatternGroupId,
    /// Slot and the places that match, ascending.
    pub(crate) conditions: Vec<(usize, Vec<PlaceId>)>,
}

/// A binary grammar.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    /// The symbols; predicates come first, in their order.
    pub(crate) symbols: IndexVec<SymbolId, Symbol>,
    /// The productions.
    pub(crate) productions: IndexVec<ProductionId, Production>,
    /// The system's predicate.
    pub(crate) root: SymbolId,
}

/// How many waiting parts are compared for the next join: enough for rules that people write.
const LOOK_AHEAD: usize = 16;

/// An atom of a rule, or a borrowed parameter, waiting to be joined.
struct Part {
    symbol: SymbolId,
    variables: Vec<VariableId>,
    child: Option<usize>,
}

impl Grammar {
    /// Cuts all rules of `system` that occur in some rewriting tree.
    pub(crate) fn new(system: &System, places: &Places) -> Self {
        let mut grammar = Grammar {
            symbols: IndexVec::new(),
            productions: IndexVec::new(),
            root: SymbolId::new(system.root.index()),
        };
        for (id, predicate) in system.predicates.enumerate() {
            grammar.symbol(SymbolKind::Predicate(id), predicate.parameters.len());
        }
        // What occurs in no rewriting tree has nothing to say (nor known types for its borrowed parameters).
        for (id, rule) in system.rules.enumerate() {
            if system.predicates[rule.head].is_reachable {
                grammar.cut(system, places, id);
            }
        }
        for (id, production) in grammar.productions.enumerate() {
            grammar.symbols[production.left].as_left.push(id);
            if let Some(right) = production.right {
                grammar.symbols[right].as_right.push(id);
            }
            grammar.symbols[production.result].made_by.push(id);
        }
        grammar
    }

    fn symbol(&mut self, kind: SymbolKind, slots: usize) -> SymbolId {
        self.symbols.push(Symbol { kind, slots, as_left: vec![], as_right: vec![], made_by: vec![] })
    }

    /// The parts of a rule: its atoms, and leaves for borrowed parameters that no predicate takes.
    fn parts(&mut self, system: &System, rule_id: RuleId) -> Vec<Part> {
        let rule = &system.rules[rule_id];
        let mut parts = Vec::new();
        let (mut instances, mut predicates) = (0, 0);
        for atom in &rule.atoms {
            match atom {
                Atom::Instance(instance) => {
                    let kind =
                        SymbolKind::Instance { rule: rule_id, atom: instances, variable: instance.variable };
                    let symbol = self.symbol(kind, 1);
                    parts.push(Part { symbol, variables: vec![instance.variable], child: None });
                    instances += 1;
                }
                Atom::Predicate(call) => {
                    let symbol = SymbolId::new(call.predicate.index());
                    parts.push(Part { symbol, variables: call.arguments.clone(), child: Some(predicates) });
                    predicates += 1;
                }
            }
        }
        for (position, parameter) in system.predicates[rule.head].parameters.iter().enumerate() {
            let variable = VariableId::new(position);
            let taken = rule.predicate_atoms().any(|call| call.arguments.contains(&variable));
            if parameter.ownership == Ownership::Borrowed && !taken {
                let symbol = self.symbol(SymbolKind::Borrowed { rule: rule_id, variable }, 1);
                parts.push(Part { symbol, variables: vec![variable], child: None });
            }
        }
        parts
    }

    /// Cuts one rule into productions that join two parts each.
    fn cut(&mut self, system: &System, places: &Places, rule_id: RuleId) {
        let rule = &system.rules[rule_id];
        let mut parts = self.parts(system, rule_id);
        let mut waiting = Waiting::new(rule);
        let Some(mut left) = widest(&mut parts) else {
            return; // a rule has at least one atom
        };
        loop {
            let right = waiting.narrowest(system, &left, &mut parts);
            let mut variables = left.variables.clone();
            variables.extend(right.iter().flat_map(|right| &right.variables));
            let (interactions, patterns) = waiting.take_bound(places, &variables);
            let last = parts.is_empty();
            let kept = match last {
                true => (0..rule.parameter_count).map(VariableId::new).collect(),
                false => waiting.still_needed(&variables, &parts),
            };
            let result = match last {
                true => SymbolId::new(rule.head.index()),
                false => self.symbol(SymbolKind::Prefix, kept.len()),
            };
            self.productions.push(Production {
                rule: rule_id,
                left: left.symbol,
                right: right.as_ref().map(|right| right.symbol),
                result,
                shared: right.as_ref().map_or_else(Vec::new, |right| shared(&left, right)),
                interactions,
                patterns,
                output: kept.iter().filter_map(|&variable| slot_of(&variables, variable)).collect(),
                variables,
                children: [left.child, right.and_then(|right| right.child)],
            });
            if last {
                return;
            }
            left = Part { symbol: result, variables: kept, child: None };
        }
    }
}

/// Takes out the part that shows most, to begin with: it is then joined once, not at every step.
fn widest(parts: &mut Vec<Part>) -> Option<Part> {
    let first =
        (0..parts.len()).rev().max_by_key(|&i| (parts[i].child.is_some(), parts[i].variables.len()))?;
    Some(parts.remove(first))
}

/// Where a variable is among those bound.
fn slot_of(bound: &[VariableId], variable: VariableId) -> Option<usize> {
    bound.iter().position(|&other| other == variable)
}

/// The slots of two parts that hold the same variable.
fn shared(left: &Part, right: &Part) -> Vec<(usize, usize)> {
    let slots = right.variables.iter().enumerate();
    slots.filter_map(|(slot, &variable)| Some((slot_of(&left.variables, variable)?, slot))).collect()
}

/// What of a rule is still to be done.
struct Waiting<'a> {
    rule: &'a Rule,
    interactions: Vec<InteractionId>,
    patterns: Vec<usize>,
}

impl<'a> Waiting<'a> {
    fn new(rule: &'a Rule) -> Self {
        let interactions = rule.interactions.indices().collect();
        Waiting { rule, interactions, patterns: (0..rule.patterns.len()).collect() }
    }

    /// Takes out the part that shows least once it is joined to `left`.
    fn narrowest(&self, system: &System, left: &Part, parts: &mut Vec<Part>) -> Option<Part> {
        let costs = (0..parts.len().min(LOOK_AHEAD)).map(|i| (i, self.width(system, left, parts, i)));
        let (next, _) = costs.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(parts.remove(next))
    }

    /// Takes out the interactions and patterns whose variables are all bound, over their slots.
    fn take_bound(
        &mut self,
        places: &Places,
        bound: &[VariableId],
    ) -> (Vec<SlotInteraction>, Vec<SlotPattern>) {
        let rule = self.rule;
        let mut interactions = Vec::new();
        self.interactions.retain(|&id| {
            let participants = rule.interactions[id].participants.iter();
            let participants = participants.map(|&(port, variable)| Some((port, slot_of(bound, variable)?)));
            let Some(participants) = participants.collect() else { return true };
            interactions.push(SlotInteraction { id, participants });
            false
        });
        let mut patterns = Vec::new();
        self.patterns.retain(|&position| {
            let pattern = &rule.patterns[position];
            let conditions = pattern.conditions.iter().map(|(variable, states)| {
                let places = states.iter().map(|&(component, state)| places.id(component, state));
                let mut matching: Vec<PlaceId> = places.collect();
                matching.sort();
                Some((slot_of(bound, *variable)?, matching))
            });
            let Some(conditions) = conditions.collect() else { return true };
            patterns.push(SlotPattern { group: pattern.group, conditions });
            false
        });
        (interactions, patterns)
    }

    /// The variables among those bound that must stay visible.
    fn still_needed(&self, bound: &[VariableId], parts: &[Part]) -> Vec<VariableId> {
        let mut kept = bound.to_vec();
        kept.sort();
        kept.dedup();
        kept.retain(|&variable| self.needs(variable, &[], parts.iter()));
        kept
    }

    /// Whether `variable` must stay visible until `parts` are joined: it is a parameter, one of theirs,
    /// or in something waiting that is not `bound` as a whole.
    fn needs<'p>(
        &self,
        variable: VariableId,
        bound: &[VariableId],
        mut parts: impl Iterator<Item = &'p Part>,
    ) -> bool {
        let speaks = |variables: &mut dyn Iterator<Item = VariableId>| {
            let (mut of_it, mut of_others) = (false, bound.is_empty());
            for other in variables {
                of_it |= other == variable;
                of_others |= !bound.contains(&other);
            }
            of_it && of_others
        };
        variable.index() < self.rule.parameter_count
            || parts.any(|part| part.variables.contains(&variable))
            || self
                .interactions
                .iter()
                .any(|&id| speaks(&mut self.rule.interactions[id].participants.iter().map(|&(_, v)| v)))
            || self
                .patterns
                .iter()
                .any(|&position| speaks(&mut self.rule.patterns[position].conditions.iter().map(|(v, _)| *v)))
    }

    /// The logarithm of the number of markings that would show if `parts[next]` were joined now; among
    /// equals, of those looked at for it.
    fn width(&self, system: &System, left: &Part, parts: &[Part], next: usize) -> f64 {
        let mut bound = left.variables.clone();
        bound.extend(&parts[next].variables);
        bound.sort();
        bound.dedup();
        let weight = |variable: VariableId| {
            let types = self.rule.variables[variable].types.iter();
            let states: usize = types.map(|&component| system.types[component].states.len()).sum();
            (states.max(2) as f64).ln()
        };
        let rest =
            || parts.iter().enumerate().filter(|&(position, _)| position != next).map(|(_, part)| part);
        let kept: f64 = bound.iter().filter(|&&v| self.needs(v, &bound, rest())).map(|&v| weight(v)).sum();
        let joined: f64 = bound.iter().map(|&v| weight(v)).sum();
        kept + 0.01 * joined
    }
}

//! The rewriting system as a binary grammar: rules cut into joins of two parts.
//!
//! A rule with many atoms is worked off one atom at a time. What has been joined so far is a *symbol*
//! of its own, with an interface of the variables that are still needed; interactions and patterns are
//! checked as soon as their variables are together, and a variable is forgotten after its last use.
//! So the cost of a rule depends on how many variables meet, not on how many it has (the same cut
//! makes a rule with many predicate atoms binary, which the paper's κ asks for).
//!
//! Symbols are: predicates; leaves, one per instance atom and one per borrowed parameter that a rule
//! hands to nobody (its component's type and state are guessed, its owner is joined further up);
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
    pub struct SymbolId;
    /// A production of the binary grammar.
    pub struct ProductionId;
}

/// A symbol: something that derives parts of rewriting trees.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The number of variables it shows.
    pub slots: usize,
    /// Productions in which it is the left part.
    pub as_left: Vec<ProductionId>,
    /// Productions in which it is the right part.
    pub as_right: Vec<ProductionId>,
    /// Productions that make it.
    pub made_by: Vec<ProductionId>,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
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
pub struct Production {
    /// The rule it belongs to.
    pub rule: RuleId,
    /// The first part.
    pub left: SymbolId,
    /// The second part, if there is one.
    pub right: Option<SymbolId>,
    /// What is made.
    pub result: SymbolId,
    /// The variable of each slot of the left, then of the right.
    pub variables: Vec<VariableId>,
    /// Slots (of the left, of the right: numbered within the right) bound to the same variable.
    pub shared: Vec<(usize, usize)>,
    /// Interactions whose participants are together for the first time.
    pub interactions: Vec<SlotInteraction>,
    /// Patterns whose variables are together for the first time.
    pub patterns: Vec<SlotPattern>,
    /// For each slot of the result, the slot it comes from.
    pub output: Vec<usize>,
    /// For predicate parts, which predicate atom of the rule each is (left, right).
    pub children: [Option<usize>; 2],
}

/// An interaction over slots.
#[derive(Clone, Debug)]
pub struct SlotInteraction {
    /// Which of the rule's interactions.
    pub id: InteractionId,
    /// Port and slot of each participant, in the interaction's order.
    pub participants: Vec<(PortId, usize)>,
}

/// A pattern over slots.
#[derive(Clone, Debug)]
pub struct SlotPattern {
    /// Its group.
    pub group: PatternGroupId,
    /// Slot and the places that match, ascending.
    pub conditions: Vec<(usize, Vec<PlaceId>)>,
}

/// A binary grammar.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The symbols; predicates come first, in their order.
    pub symbols: IndexVec<SymbolId, Symbol>,
    /// The productions.
    pub productions: IndexVec<ProductionId, Production>,
    /// The system's predicate.
    pub root: SymbolId,
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
    pub fn new(system: &System, places: &Places) -> Self {
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

    fn cut(&mut self, system: &System, places: &Places, rule_id: RuleId) {
        let rule = &system.rules[rule_id];
        let mut parts = self.parts(system, rule_id);
        let mut interactions: Vec<InteractionId> = rule.interactions.indices().collect();
        let mut patterns: Vec<usize> = (0..rule.patterns.len()).collect();
        let head = SymbolId::new(rule.head.index());

        // Begin with the part that shows most: it is then joined once, not at every step.
        let Some(first) =
            (0..parts.len()).rev().max_by_key(|&i| (parts[i].child.is_some(), parts[i].variables.len()))
        else {
            return; // a rule has at least one atom
        };
        let mut left = parts.remove(first);
        loop {
            let waiting = Waiting { rule, interactions: &interactions, patterns: &patterns };
            let costs =
                (0..parts.len().min(LOOK_AHEAD)).map(|i| (i, waiting.width(system, &left, &parts, i)));
            let next = costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(position, _)| position);
            let right = next.map(|position| parts.remove(position));
            let mut bound = left.variables.clone();
            if let Some(right) = &right {
                bound.extend(&right.variables);
            }
            let slot_of = |variable: VariableId| bound.iter().position(|&other| other == variable);
            let mut here = Vec::new();
            interactions.retain(|&id| {
                let participants: Option<Vec<_>> = rule.interactions[id]
                    .participants
                    .iter()
                    .map(|&(port, variable)| Some((port, slot_of(variable)?)))
                    .collect();
                match participants {
                    Some(participants) => {
                        here.push(SlotInteraction { id, participants });
                        false
                    }
                    None => true,
                }
            });
            let mut patterns_here = Vec::new();
            patterns.retain(|&position| {
                let pattern = &rule.patterns[position];
                let conditions: Option<Vec<_>> = pattern
                    .conditions
                    .iter()
                    .map(|(variable, states)| {
                        let mut matching: Vec<PlaceId> =
                            states.iter().map(|&(component, state)| places.id(component, state)).collect();
                        matching.sort();
                        Some((slot_of(*variable)?, matching))
                    })
                    .collect();
                match conditions {
                    Some(conditions) => {
                        patterns_here.push(SlotPattern { group: pattern.group, conditions });
                        false
                    }
                    None => true,
                }
            });
            let last = parts.is_empty();
            let kept: Vec<VariableId> = if last {
                (0..rule.parameter_count).map(VariableId::new).collect()
            } else {
                let mut kept = bound.clone();
                kept.sort();
                kept.dedup();
                let waiting = Waiting { rule, interactions: &interactions, patterns: &patterns };
                kept.retain(|&variable| waiting.needs(variable, &[], parts.iter()));
                kept
            };
            let output: Vec<usize> = kept.iter().filter_map(|&variable| slot_of(variable)).collect();
            let shared = match &right {
                Some(right) => right
                    .variables
                    .iter()
                    .enumerate()
                    .filter_map(|(slot, variable)| {
                        Some((left.variables.iter().position(|other| other == variable)?, slot))
                    })
                    .collect(),
                None => vec![],
            };
            let result = if last { head } else { self.symbol(SymbolKind::Prefix, kept.len()) };
            self.productions.push(Production {
                rule: rule_id,
                left: left.symbol,
                right: right.as_ref().map(|right| right.symbol),
                result,
                shared,
                interactions: here,
                patterns: patterns_here,
                output,
                variables: bound.clone(),
                children: [left.child, right.as_ref().and_then(|right| right.child)],
            });
            if last {
                return;
            }
            left = Part { symbol: result, variables: kept, child: None };
        }
    }
}

/// What of a rule is still to be done.
struct Waiting<'a> {
    rule: &'a Rule,
    interactions: &'a [InteractionId],
    patterns: &'a [usize],
}

impl Waiting<'_> {
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

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

use rustc_hash::FxHashMap;

use paramcheck_model::component::PortId;
use paramcheck_model::rule::{
    Atom, InstanceAtom, InteractionId, Ownership, PatternGroupId, PredicateId, Rule, RuleId, Variable,
    VariableId,
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
    /// Per rule where its instance atoms stand among its atoms.
    instances: IndexVec<RuleId, Vec<usize>>,
}

/// How many waiting parts are compared for the next join: enough for rules that people write.
const LOOK_AHEAD: usize = 16;

/// An atom of a rule, or a borrowed parameter, waiting to be joined.
struct Part {
    symbol: SymbolId,
    variables: Vec<VariableId>,
    child: Option<usize>,
}

impl Part {
    /// Its variables, each once, ascending.
    fn distinct(&self) -> Vec<VariableId> {
        distinct(self.variables.iter().copied())
    }
}

/// Variables, each once, ascending.
fn distinct(variables: impl Iterator<Item = VariableId>) -> Vec<VariableId> {
    let mut all: Vec<VariableId> = variables.collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Grammar {
    /// Cuts all rules of `system` that occur in some rewriting tree. `step` is called for every join, and may
    /// end the work: a rule with thousands of variables that meet has as many joins of as many slots.
    pub(crate) fn new<E>(
        system: &System,
        places: &Places,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let positions = |rule: &Rule| {
            let atoms = rule.atoms.iter().enumerate();
            atoms.filter(|(_, atom)| matches!(atom, Atom::Instance(_))).map(|(at, _)| at).collect()
        };
        let mut grammar = Grammar {
            symbols: IndexVec::new(),
            productions: IndexVec::new(),
            root: SymbolId::new(system.root.index()),
            instances: system.rules.iter().map(positions).collect(),
        };
        for (id, predicate) in system.predicates.enumerate() {
            grammar.symbol(SymbolKind::Predicate(id), predicate.parameters.len());
        }
        // What occurs in no rewriting tree has nothing to say (nor known types for its borrowed parameters).
        for (id, rule) in system.rules.enumerate() {
            if system.predicates[rule.head].is_reachable {
                grammar.cut(system, places, id, step)?;
            }
        }
        for (id, production) in grammar.productions.enumerate() {
            grammar.symbols[production.left].as_left.push(id);
            if let Some(right) = production.right {
                grammar.symbols[right].as_right.push(id);
            }
            grammar.symbols[production.result].made_by.push(id);
        }
        Ok(grammar)
    }

    /// The `atom`-th instance atom of a rule, found without a walk through the atoms before it.
    pub(crate) fn instance<'s>(
        &self,
        system: &'s System,
        rule: RuleId,
        atom: usize,
    ) -> Option<&'s InstanceAtom> {
        match system.rules[rule].atoms.get(*self.instances[rule].get(atom)?)? {
            Atom::Instance(instance) => Some(instance),
            Atom::Predicate(_) => None,
        }
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
    fn cut<E>(
        &mut self,
        system: &System,
        places: &Places,
        rule_id: RuleId,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let rule = &system.rules[rule_id];
        let mut waiting = Waiting::new(system, rule, self.parts(system, rule_id));
        let Some(mut left) = waiting.widest() else {
            return Ok(()); // a rule has at least one atom
        };
        loop {
            step()?;
            let right = waiting.narrowest(&left);
            let mut variables = left.variables.clone();
            variables.extend(right.iter().flat_map(|right| &right.variables));
            let (interactions, patterns) = waiting.take_bound(places, &variables);
            let last = waiting.parts.is_empty();
            let kept = match last {
                true => (0..rule.parameter_count).map(VariableId::new).collect(),
                false => waiting.still_needed(&variables),
            };
            let result = match last {
                true => SymbolId::new(rule.head.index()),
                false => self.symbol(SymbolKind::Prefix, kept.len()),
            };
            let slots = Slots::new(&variables);
            self.productions.push(Production {
                rule: rule_id,
                left: left.symbol,
                right: right.as_ref().map(|right| right.symbol),
                result,
                shared: right.as_ref().map_or_else(Vec::new, |right| shared(&left, right)),
                interactions,
                patterns,
                output: kept.iter().filter_map(|&variable| slots.of(variable)).collect(),
                variables,
                children: [left.child, right.and_then(|right| right.child)],
            });
            if last {
                return Ok(());
            }
            left = Part { symbol: result, variables: kept, child: None };
        }
    }
}

/// Where variables are among those bound.
struct Slots(FxHashMap<VariableId, usize>);

impl Slots {
    fn new(bound: &[VariableId]) -> Self {
        let mut slots = FxHashMap::default();
        for (slot, &variable) in bound.iter().enumerate() {
            // The first, where a variable is bound twice.
            slots.entry(variable).or_insert(slot);
        }
        Slots(slots)
    }

    fn of(&self, variable: VariableId) -> Option<usize> {
        self.0.get(&variable).copied()
    }
}

/// The slots of two parts that hold the same variable.
fn shared(left: &Part, right: &Part) -> Vec<(usize, usize)> {
    let of_left = Slots::new(&left.variables);
    let slots = right.variables.iter().enumerate();
    slots.filter_map(|(slot, &variable)| Some((of_left.of(variable)?, slot))).collect()
}

/// The number of an interaction or a pattern of a rule: interactions first.
type ConditionId = usize;

/// What of a rule is still to be done.
///
/// All is counted per variable, so that a join takes no look at what it does not concern: a rule may have
/// thousands of atoms, or of interactions.
struct Waiting<'a> {
    rule: &'a Rule,
    /// The parts, the first one last: those looked at next are taken out at the end.
    parts: Vec<Part>,
    /// Per variable the logarithm of the number of places it may be at.
    weights: IndexVec<VariableId, f64>,
    /// Per variable in how many waiting parts it is.
    in_parts: IndexVec<VariableId, usize>,
    /// Per variable whether it was bound.
    is_bound: IndexVec<VariableId, bool>,
    /// Per variable the interactions and patterns that it is in, and how many of these wait for others.
    conditions_of: IndexVec<VariableId, Vec<ConditionId>>,
    open_of: IndexVec<VariableId, usize>,
    /// Per interaction and pattern its variables, and how many of these are not bound.
    variables_of: Vec<Vec<VariableId>>,
    unbound: Vec<usize>,
    /// Those whose variables are all bound, to be taken.
    ready: Vec<ConditionId>,
}

impl<'a> Waiting<'a> {
    fn new(system: &System, rule: &'a Rule, mut parts: Vec<Part>) -> Self {
        parts.reverse();
        let interactions = rule.interactions.iter();
        let interactions =
            interactions.map(|interaction| distinct(interaction.participants.iter().map(|p| p.1)));
        let patterns = rule.patterns.iter();
        let patterns = patterns.map(|pattern| distinct(pattern.conditions.iter().map(|part| part.0)));
        let variables_of: Vec<Vec<VariableId>> = interactions.chain(patterns).collect();
        let mut conditions_of: IndexVec<VariableId, Vec<ConditionId>> =
            rule.variables.iter().map(|_| Vec::new()).collect();
        for (condition, variables) in variables_of.iter().enumerate() {
            variables.iter().for_each(|&variable| conditions_of[variable].push(condition));
        }
        let mut in_parts: IndexVec<VariableId, usize> = rule.variables.iter().map(|_| 0).collect();
        for part in &parts {
            part.distinct().into_iter().for_each(|variable| in_parts[variable] += 1);
        }
        let weight = |variable: &Variable| {
            let types = variable.types.iter();
            let states: usize = types.map(|&component| system.types[component].states.len()).sum();
            (states.max(2) as f64).ln()
        };
        let unbound: Vec<usize> = variables_of.iter().map(Vec::len).collect();
        Waiting {
            rule,
            parts,
            weights: rule.variables.iter().map(weight).collect(),
            in_parts,
            is_bound: rule.variables.iter().map(|_| false).collect(),
            open_of: conditions_of.iter().map(Vec::len).collect(),
            conditions_of,
            variables_of,
            ready: (0..unbound.len()).filter(|&condition| unbound[condition] == 0).collect(),
            unbound,
        }
    }

    /// Takes out the part that shows most, to begin with: it is then joined once, not at every step.
    fn widest(&mut self) -> Option<Part> {
        let shows = |&i: &usize| (self.parts[i].child.is_some(), self.parts[i].variables.len());
        let first = (0..self.parts.len()).max_by_key(shows)?;
        Some(self.take(first))
    }

    /// Takes out the part that shows least once it is joined to `left`.
    fn narrowest(&mut self, left: &Part) -> Option<Part> {
        let count = self.parts.len();
        let costs = (count.saturating_sub(LOOK_AHEAD)..count).rev().map(|i| (i, self.width(left, i)));
        let (next, _) = costs.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(self.take(next))
    }

    /// Takes out a part; its variables are bound.
    fn take(&mut self, position: usize) -> Part {
        let part = self.parts.remove(position);
        for variable in part.distinct() {
            self.in_parts[variable] -= 1;
            if std::mem::replace(&mut self.is_bound[variable], true) {
                continue;
            }
            for &condition in &self.conditions_of[variable] {
                self.unbound[condition] -= 1;
                if self.unbound[condition] == 0 {
                    self.ready.push(condition);
                    self.variables_of[condition].iter().for_each(|&other| self.open_of[other] -= 1);
                }
            }
        }
        part
    }

    /// Takes out the interactions and patterns whose variables are all bound, over their slots.
    fn take_bound(
        &mut self,
        places: &Places,
        bound: &[VariableId],
    ) -> (Vec<SlotInteraction>, Vec<SlotPattern>) {
        let (mut interactions, mut patterns) = (Vec::new(), Vec::new());
        let mut ready = std::mem::take(&mut self.ready);
        if ready.is_empty() {
            return (interactions, patterns);
        }
        ready.sort_unstable();
        let slots = Slots::new(bound);
        for condition in ready {
            match condition.checked_sub(self.rule.interactions.len()) {
                None => interactions.extend(self.slot_interaction(InteractionId::new(condition), &slots)),
                Some(position) => patterns.extend(self.slot_pattern(places, position, &slots)),
            }
        }
        (interactions, patterns)
    }

    fn slot_interaction(&self, id: InteractionId, slots: &Slots) -> Option<SlotInteraction> {
        let participants = self.rule.interactions[id].participants.iter();
        let participants = participants.map(|&(port, variable)| Some((port, slots.of(variable)?)));
        Some(SlotInteraction { id, participants: participants.collect::<Option<_>>()? })
    }

    fn slot_pattern(&self, places: &Places, position: usize, slots: &Slots) -> Option<SlotPattern> {
        let pattern = &self.rule.patterns[position];
        let conditions = pattern.conditions.iter().map(|(variable, states)| {
            let places = states.iter().map(|&(component, state)| places.id(component, state));
            let mut matching: Vec<PlaceId> = places.collect();
            matching.sort();
            Some((slots.of(*variable)?, matching))
        });
        Some(SlotPattern { group: pattern.group, conditions: conditions.collect::<Option<_>>()? })
    }

    /// The variables among those bound that must stay visible: parameters, and those of a part or a condition
    /// that waits.
    fn still_needed(&self, bound: &[VariableId]) -> Vec<VariableId> {
        let mut kept = distinct(bound.iter().copied());
        kept.retain(|&variable| {
            variable.index() < self.rule.parameter_count
                || self.in_parts[variable] > 0
                || self.open_of[variable] > 0
        });
        kept
    }

    /// The logarithm of the number of markings that would show if `parts[next]` were joined now; among
    /// equals, of those looked at for it.
    fn width(&self, left: &Part, next: usize) -> f64 {
        let part = &self.parts[next];
        let own = part.distinct();
        // What waits for variables of this part alone would wait no more.
        let mut missing: FxHashMap<ConditionId, usize> = FxHashMap::default();
        let mut closed_of: FxHashMap<VariableId, usize> = FxHashMap::default();
        for &variable in own.iter().filter(|&&variable| !self.is_bound[variable]) {
            for &condition in &self.conditions_of[variable] {
                let missing = missing.entry(condition).or_insert(self.unbound[condition]);
                *missing -= 1;
                if *missing == 0 {
                    self.variables_of[condition].iter().for_each(|&v| *closed_of.entry(v).or_default() += 1);
                }
            }
        }
        let is_needed = |variable: VariableId| {
            variable.index() < self.rule.parameter_count
                || self.in_parts[variable] > usize::from(own.binary_search(&variable).is_ok())
                || self.open_of[variable] > closed_of.get(&variable).copied().unwrap_or(0)
        };
        let bound = distinct(left.variables.iter().chain(&own).copied());
        let kept: f64 = bound.iter().filter(|&&v| is_needed(v)).map(|&v| self.weights[v]).sum();
        let joined: f64 = bound.iter().map(|&v| self.weights[v]).sum();
        kept + 0.01 * joined
    }
}

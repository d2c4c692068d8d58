//! Back from a failing configuration to the instance it comes from, and from a set in that instance to
//! the states it shows at every symbol of the derivation.

use crate::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking, TreeNode};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::fixpoint::{Fixpoint, Origin};
use super::grammar::{Grammar, ProductionId, SymbolId, SymbolKind};
use super::level;
use super::place::Places;
use super::sets::{Part, SetState, Sets};

/// A component of the instance: tree node and instance atom.
pub(crate) type Owner = (usize, usize);

/// One step of the derivation of a failing configuration.
#[derive(Clone, Debug)]
struct Step {
    symbol: SymbolId,
    production: Option<ProductionId>,
    children: Vec<usize>,
    /// The component at each slot; borrowed ones are known once their owner is.
    slots: Vec<Option<Owner>>,
    /// The component a leaf creates.
    creates: Option<Owner>,
}

/// A derivation with its rewriting tree and marking. Children come after their parents.
#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    steps: Vec<Step>,
    /// The rewriting tree.
    pub(crate) tree: RewritingTree,
    /// The marking that the configuration stands for.
    pub(crate) marking: TreeMarking,
}

/// What waits to be unfolded: a configuration, the tree node it belongs to, the predicate atom of that
/// node which it rewrites.
struct Pending {
    symbol: SymbolId,
    configuration: u32,
    node: Option<usize>,
    child: Option<usize>,
    parent: Option<usize>,
}

impl Derivation {
    /// The derivation of configuration `root` of the grammar's root.
    ///
    /// # Errors
    /// `budget` ended.
    pub(crate) fn new(
        system: &System,
        places: &Places,
        grammar: &Grammar,
        fixpoint: &Fixpoint<'_, '_>,
        root: u32,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut pace = budget.pace();
        let mut derivation =
            Derivation { steps: vec![], tree: RewritingTree { nodes: vec![] }, marking: vec![] };
        let first =
            Pending { symbol: grammar.root, configuration: root, node: None, child: None, parent: None };
        let mut stack = vec![first];
        while let Some(pending) = stack.pop() {
            pace()?;
            let here = derivation.steps.len();
            if let Some(parent) = pending.parent {
                derivation.steps[parent].children.push(here);
            }
            let configuration = fixpoint.configuration(pending.symbol, pending.configuration);
            let slots = vec![None; grammar.symbols[pending.symbol].slots];
            let mut step =
                Step { symbol: pending.symbol, production: None, children: vec![], slots, creates: None };
            match configuration.origin {
                Origin::Borrowed => {}
                Origin::Instance { initial } => {
                    if let (SymbolKind::Instance { rule, atom, .. }, Some(node)) =
                        (grammar.symbols[pending.symbol].kind, pending.node)
                        && let Some(instance) = grammar.instance(system, rule, atom)
                    {
                        let place = fixpoint.places_of(pending.symbol, pending.configuration)[0];
                        derivation.tree.nodes[node].initial[atom] = instance.initial[initial as usize];
                        derivation.marking[node][atom] = places.get(place).1;
                        step.slots[0] = Some((node, atom));
                        step.creates = Some((node, atom));
                    }
                }
                Origin::Joined { production: id, left, right } => {
                    let production = &grammar.productions[id];
                    step.production = Some(id);
                    let is_predicate =
                        matches!(grammar.symbols[pending.symbol].kind, SymbolKind::Predicate(_));
                    let node = match pending.node {
                        Some(node) if !is_predicate => node,
                        parent => derivation.add_node(system, production.rule, parent, pending.child),
                    };
                    let mut push = |symbol, configuration, child| {
                        stack.push(Pending {
                            symbol,
                            configuration,
                            node: Some(node),
                            child,
                            parent: Some(here),
                        });
                    };
                    // The left part is popped, and so numbered, first.
                    if let Some(symbol) = production.right {
                        push(symbol, right, production.children[1]);
                    }
                    push(production.left, left, production.children[0]);
                }
            }
            derivation.steps.push(step);
        }
        derivation.bind(grammar, budget)?;
        Ok(derivation)
    }

    fn add_node(
        &mut self,
        system: &System,
        rule: RuleId,
        parent: Option<usize>,
        child: Option<usize>,
    ) -> usize {
        let node = self.tree.nodes.len();
        let instances = system.rules[rule].instance_atoms().count();
        let predicates = system.rules[rule].predicate_atoms().count();
        let initial = vec![StateId::new(0); instances];
        self.marking.push(initial.clone());
        self.tree.nodes.push(TreeNode { rule, initial, children: vec![0; predicates] });
        if let (Some(parent), Some(child)) = (parent, child) {
            self.tree.nodes[parent].children[child] = node;
        }
        node
    }

    /// Finds the component at every slot: owners upwards, then borrowers downwards.
    fn bind(&mut self, grammar: &Grammar, budget: &Budget) -> Result<(), Stop> {
        let mut pace = budget.pace();
        for here in (0..self.steps.len()).rev() {
            pace()?;
            let combined = self.combined(grammar, here);
            if let Some(id) = self.steps[here].production {
                self.steps[here].slots =
                    grammar.productions[id].output.iter().map(|&slot| combined[slot]).collect();
            }
        }
        for here in 0..self.steps.len() {
            pace()?;
            let Some(id) = self.steps[here].production else { continue };
            let production = &grammar.productions[id];
            let mut combined = self.combined(grammar, here);
            for (position, &slot) in production.output.iter().enumerate() {
                combined[slot] = combined[slot].or(self.steps[here].slots[position]);
            }
            let split = grammar.symbols[production.left].slots;
            for &(l, r) in &production.shared {
                let owner = combined[l].or(combined[split + r]);
                (combined[l], combined[split + r]) = (owner, owner);
            }
            for (position, child) in self.steps[here].children.clone().into_iter().enumerate() {
                let offset = if position == 0 { 0 } else { split };
                let slots = self.steps[child].slots.len();
                self.steps[child].slots = combined[offset..offset + slots].to_vec();
            }
        }
        Ok(())
    }

    /// The components at the slots of a production's parts, as far as known, shared ones agreeing.
    fn combined(&self, grammar: &Grammar, here: usize) -> Vec<Option<Owner>> {
        let step = &self.steps[here];
        let mut combined: Vec<Option<Owner>> =
            step.children.iter().flat_map(|&child| self.steps[child].slots.iter().copied()).collect();
        if let Some(id) = step.production {
            let production = &grammar.productions[id];
            let split = grammar.symbols[production.left].slots;
            for &(l, r) in &production.shared {
                let owner = combined[l].or(combined[split + r]);
                (combined[l], combined[split + r]) = (owner, owner);
            }
        }
        combined
    }

    /// Whether the sets learnt refute the marking.
    ///
    /// # Errors
    /// `budget` ended.
    pub(crate) fn is_refuted(&self, system: &System, sets: &Sets<'_>, budget: &Budget) -> Result<bool, Stop> {
        let mut pace = budget.pace();
        let mut elements: Vec<Vec<u64>> = vec![vec![]; self.steps.len()];
        for here in (0..self.steps.len()).rev() {
            pace()?;
            let step = &self.steps[here];
            let mut bits = vec![];
            if let Some(production) = step.production {
                let part =
                    |position: usize| step.children.get(position).map(|&child| elements[child].as_slice());
                sets.join_elements(production, part(0).unwrap_or_default(), part(1), &mut bits);
            } else if let Some((node, atom)) = step.slots[0]
                && let Some(instance) = sets.grammar().instance(system, self.tree.nodes[node].rule, atom)
            {
                let start = step.creates.map(|_| self.tree.nodes[node].initial[atom]);
                bits = sets.leaf_elements(step.symbol, instance.component, start, self.marking[node][atom]);
            }
            elements[here] = bits;
        }
        Ok(sets.refutes(&elements[0]))
    }

    /// How the instance is made, parts after what they are parts of: the component that a step creates,
    /// and the steps that it joins.
    pub(crate) fn joins(&self) -> impl DoubleEndedIterator<Item = (Option<Owner>, &[usize])> {
        self.steps.iter().map(|step| (step.creates, step.children.as_slice()))
    }

    /// What a set of this instance shows at every step. `weight(node, atom, state)` is the weight that the
    /// state of that component has in the set.
    ///
    /// # Errors
    /// `budget` ended.
    pub(crate) fn states(
        &self,
        system: &System,
        sets: &mut Sets<'_>,
        kind: InvariantKind,
        weight: impl Fn(usize, usize, StateId) -> i8,
        budget: &Budget,
    ) -> Result<Vec<(SymbolId, SetState)>, Stop> {
        let mut pace = budget.pace();
        let grammar = sets.grammar();
        let mut initial = vec![0i64; self.steps.len()];
        let mut states = Vec::with_capacity(self.steps.len());
        for here in (0..self.steps.len()).rev() {
            pace()?;
            let step = &self.steps[here];
            initial[here] = step.children.iter().map(|&child| initial[child]).sum();
            if let Some((node, atom)) = step.creates {
                let start = self.tree.nodes[node].initial[atom];
                initial[here] = i64::from(weight(node, atom, start));
            }
            let owners: Option<Vec<Owner>> = step.slots.iter().copied().collect();
            let Some(owners) = owners else { continue };
            let part = |&(node, atom): &Owner| {
                let component = grammar.instance(system, self.tree.nodes[node].rule, atom)?.component;
                let weights = system.types[component].states.indices().map(|state| weight(node, atom, state));
                Some(Part { component, weights: weights.collect() })
            };
            let found: Option<Box<[_]>> =
                owners.iter().map(|owner| Some(sets.parts.intern(part(owner)?))).collect();
            let Some(found) = found else { continue };
            let initial = level::initial(kind, initial[here]);
            states.push((step.symbol, SetState { kind, parts: found, initial }));
        }
        Ok(states)
    }
}

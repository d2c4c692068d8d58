//! Sets of places across all instances: a tree automaton that grows only as far as it is needed.
//!
//! A set θ of places of an instance, cut at a node of the rewriting tree, shows its context the part
//! of θ at each slot and the number of θ's places that are initially marked below: a [`SetState`].
//! The states that may occur number 2^(states × parameters), so they are never enumerated. Whoever
//! found a useful θ in one instance [`Sets::learn`]s its states; every combination of learnt states
//! that the transition conditions allow then counts as a set, in every instance. Any choice of
//! learnt states is sound: fewer sets refute less.
//!
//! Rejected: building the whole automaton, trimming and minimising it, which needs the enumeration
//! first; decision diagrams over places, whose products cost more than the few states that proofs
//! use.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::kind::InvariantKind;
use paramcheck_model::component::{PortId, StateId, TypeId};
use paramcheck_model::rule::Combination;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};

use super::dead::DeadInteractions;
use super::grammar::{Grammar, ProductionId, SlotInteraction, SymbolId};
use super::level::{self, levels};

/// An interned [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartId(u32);

/// Which states of one component are in a set, and with which weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    /// The component's type.
    pub component: TypeId,
    /// Per state, its weight: 0 outside the set; inside, 1 unless the kind is weighted.
    pub weights: Vec<i8>,
}

/// What a set shows at a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SetState {
    /// The kind of invariant it is to be.
    pub(crate) kind: InvariantKind,
    /// Its part at each slot.
    pub(crate) parts: Box<[PartId]>,
    /// How many of its places are initially marked by the components created below; saturated; 0 for
    /// relative kinds, which count them with the marked ones.
    pub(crate) initial: u8,
}

/// Weights before and after transitions, each pair once.
type Pairs = Rc<[(i8, i8)]>;

/// The parts interned so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    list: Vec<Part>,
    ids: FxHashMap<Part, PartId>,
    /// Per part and port: which pairs (weight before, weight after) its transitions have.
    by_port: FxHashMap<(PartId, PortId), Pairs>,
}

impl Parts {
    /// The id of a part.
    pub(crate) fn intern(&mut self, part: Part) -> PartId {
        if let Some(&id) = self.ids.get(&part) {
            return id;
        }
        let id = PartId(self.list.len() as u32);
        self.list.push(part.clone());
        self.ids.insert(part, id);
        id
    }

    /// The part with this id.
    pub(crate) fn get(&self, id: PartId) -> &Part {
        &self.list[id.0 as usize]
    }

    fn pairs(&mut self, system: &System, id: PartId, port: PortId) -> Pairs {
        if let Some(pairs) = self.by_port.get(&(id, port)) {
            return Rc::clone(pairs);
        }
        let part = self.get(id);
        let weight = |state: StateId| part.weights[state.index()];
        let transitions = system.types[part.component].transitions_on(port);
        let pairs: BTreeSet<(i8, i8)> = transitions.map(|(_, t)| (weight(t.from), weight(t.to))).collect();
        let pairs: Pairs = pairs.into_iter().collect();
        self.by_port.insert((id, port), Rc::clone(&pairs));
        pairs
    }
}

/// Adds the element at this level of a set whose first element is given, with what it implies.
fn set_level(bits: &mut [u64], first: usize, kind: InvariantKind, level: usize) {
    if level::is_bound(kind) {
        (0..level).for_each(|lower| set_bit(bits, first + lower));
    }
    set_bit(bits, first + level);
}

/// The states learnt at one symbol, and how a marking's counts are laid out in its bit sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolSets {
    /// The states, in the order learnt.
    pub(crate) states: Vec<SetState>,
    /// Per state, the position of its first element: element = state with a count.
    pub(crate) first_element: Vec<usize>,
    /// Per element, the position of its state.
    state_of: Vec<u32>,
    ids: FxHashMap<SetState, usize>,
}

impl SymbolSets {
    /// How many words a bit set of elements takes.
    pub(crate) fn words(&self) -> usize {
        self.state_of.len().div_ceil(64)
    }

    /// The elements of a bit set: position of the state, count.
    pub(crate) fn elements_in<'a>(&'a self, bits: &'a [u64]) -> impl Iterator<Item = (usize, usize)> + 'a {
        ones(bits).map(|element| {
            let set = self.state_of[element] as usize;
            (set, element - self.first_element[set])
        })
    }
}

/// The positions of the bits that are set, ascending.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let position = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            Some(word * 64 + position as usize)
        })
    })
}

fn bit(words: &[u64], position: usize) -> bool {
    words[position / 64] >> (position % 64) & 1 == 1
}

fn set_bit(words: &mut [u64], position: usize) {
    words[position / 64] |= 1 << (position % 64);
}

/// How states of the parts of a production combine.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProductionSets {
    /// Per state of the left, the states of right and result that go with it, by their first elements.
    pub(crate) by_left: Vec<Vec<(u32, u32)>>,
    /// Combinations whose result is not learnt (yet).
    waiting: FxHashMap<SetState, Vec<(usize, usize)>>,
}

/// All states learnt, at all symbols, with their combinations.
pub(crate) struct Sets<'a> {
    system: &'a System,
    grammar: &'a Grammar,
    dead: &'a DeadInteractions,
    /// The parts in use.
    pub(crate) parts: Parts,
    /// Per symbol.
    pub(crate) symbols: IndexVec<SymbolId, SymbolSets>,
    /// Per production.
    pub(crate) productions: IndexVec<ProductionId, ProductionSets>,
}

impl<'a> Sets<'a> {
    /// Nothing learnt; `parts` may hold parts of earlier runs.
    pub(crate) fn new(
        system: &'a System,
        grammar: &'a Grammar,
        dead: &'a DeadInteractions,
        parts: Parts,
    ) -> Self {
        Sets {
            system,
            grammar,
            dead,
            parts,
            symbols: grammar.symbols.iter().map(|_| SymbolSets::default()).collect(),
            productions: grammar.productions.iter().map(|_| ProductionSets::default()).collect(),
        }
    }

    /// The grammar.
    pub(crate) fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// Whether nothing has been learnt.
    pub(crate) fn is_empty(&self) -> bool {
        self.symbols.iter().all(|symbol| symbol.states.is_empty())
    }

    /// Adds a state at a symbol with all combinations it makes possible. `false` if it was known.
    pub(crate) fn learn(&mut self, symbol: SymbolId, state: SetState) -> bool {
        let here = &mut self.symbols[symbol];
        if here.ids.contains_key(&state) {
            return false;
        }
        let id = here.states.len();
        here.first_element.push(here.state_of.len());
        here.state_of.extend(std::iter::repeat_n(id as u32, levels(state.kind)));
        here.ids.insert(state.clone(), id);
        here.states.push(state.clone());
        let grammar = self.grammar;
        for &production in &grammar.symbols[symbol].made_by {
            for (left, right) in self.productions[production].waiting.remove(&state).unwrap_or_default() {
                self.push(production, left, right, id);
            }
        }
        for &production in &grammar.symbols[symbol].as_left {
            match grammar.productions[production].right {
                None => self.combine(production, id, None),
                Some(right) => {
                    for other in 0..self.symbols[right].states.len() {
                        self.combine(production, id, Some(other));
                    }
                }
            }
        }
        for &production in &grammar.symbols[symbol].as_right {
            let left = grammar.productions[production].left;
            for other in 0..self.symbols[left].states.len() {
                // A symbol joined with itself: the pair (id, id) was made above.
                if left == symbol && other == id {
                    continue;
                }
                self.combine(production, other, Some(id));
            }
        }
        true
    }

    fn push(&mut self, production: ProductionId, left: usize, right: usize, result: usize) {
        let definition = &self.grammar.productions[production];
        let with = definition.right.map_or(0, |symbol| self.symbols[symbol].first_element[right]);
        let to = self.symbols[definition.result].first_element[result];
        let table = &mut self.productions[production].by_left;
        if table.len() <= left {
            table.resize(left + 1, vec![]);
        }
        table[left].push((with as u32, to as u32));
    }

    /// Combines two learnt states if they fit and no transition of the production forbids it.
    fn combine(&mut self, id: ProductionId, left: usize, right: Option<usize>) {
        let production = &self.grammar.productions[id];
        let x = &self.symbols[production.left].states[left];
        let mut parts = x.parts.to_vec();
        let mut initial = i64::from(x.initial);
        let kind = x.kind;
        if let (Some(symbol), Some(right)) = (production.right, right) {
            let y = &self.symbols[symbol].states[right];
            if y.kind != kind || production.shared.iter().any(|&(l, r)| x.parts[l] != y.parts[r]) {
                return;
            }
            parts.extend(&y.parts);
            initial += i64::from(y.initial);
        }
        if !production
            .interactions
            .iter()
            .all(|interaction| self.admits(kind, production.rule, interaction, &parts))
        {
            return;
        }
        let result = SetState {
            kind,
            parts: production.output.iter().map(|&slot| parts[slot]).collect(),
            initial: level::initial(kind, initial),
        };
        let right = right.unwrap_or(0);
        match self.symbols[production.result].ids.get(&result) {
            Some(&known) => self.push(id, left, right, known),
            None => self.productions[id].waiting.entry(result).or_default().push((left, right)),
        }
    }

    /// Whether all net transitions that an interaction stands for meet the kind's condition.
    fn admits(
        &mut self,
        kind: InvariantKind,
        rule: RuleId,
        interaction: &SlotInteraction,
        parts: &[PartId],
    ) -> bool {
        if let Some(dead) = self.dead.of(rule, interaction.id) {
            return self.admits_but(kind, interaction, parts, dead);
        }
        // Only the sums matter: which (pre, post) can the combinations have?
        let mut sums = vec![(0i64, 0i64)];
        for &(port, slot) in &interaction.participants {
            let pairs = self.parts.pairs(self.system, parts[slot], port);
            let mut next = Vec::new();
            for &(from, to) in pairs.iter() {
                next.extend(sums.iter().map(|&(pre, post)| (pre + i64::from(from), post + i64::from(to))));
            }
            next.sort_unstable();
            next.dedup();
            sums = next;
        }
        sums.iter().all(|&(pre, post)| kind.admits_transition(pre, post))
    }

    /// As `admits`, combination by combination, the dead ones left out.
    fn admits_but(
        &self,
        kind: InvariantKind,
        interaction: &SlotInteraction,
        parts: &[PartId],
        dead: &[Combination],
    ) -> bool {
        let mut stack: Vec<(Combination, i64, i64)> = vec![(vec![], 0, 0)];
        while let Some((chosen, pre, post)) = stack.pop() {
            let Some(&(port, slot)) = interaction.participants.get(chosen.len()) else {
                if !dead.contains(&chosen) && !kind.admits_transition(pre, post) {
                    return false;
                }
                continue;
            };
            let part = self.parts.get(parts[slot]);
            for (id, transition) in self.system.types[part.component].transitions_on(port) {
                let mut longer = chosen.clone();
                longer.push((part.component, id));
                let pre = pre + i64::from(part.weights[transition.from.index()]);
                let post = post + i64::from(part.weights[transition.to.index()]);
                stack.push((longer, pre, post));
            }
        }
        true
    }

    /// The elements that a single component shows at leaf `symbol`: it is in `state`, and started in
    /// `start` (a borrowed one: nowhere, it is counted where it is owned).
    pub(crate) fn leaf_elements(
        &self,
        symbol: SymbolId,
        component: TypeId,
        start: Option<StateId>,
        state: StateId,
    ) -> Vec<u64> {
        let here = &self.symbols[symbol];
        let mut bits = vec![0; here.words()];
        for (id, set) in here.states.iter().enumerate() {
            let part = self.parts.get(set.parts[0]);
            if part.component != component {
                continue;
            }
            let (mut marked, mut initial) = (0, 0);
            if let Some(start) = start {
                marked = i64::from(part.weights[state.index()]);
                initial = i64::from(part.weights[start.index()]);
            }
            if set.initial == level::initial(set.kind, initial)
                && let Some(level) = level::level(set.kind, initial, marked)
            {
                set_level(&mut bits, here.first_element[id], set.kind, level);
            }
        }
        bits
    }

    /// The elements of a production's result, given those of its parts, into `bits`. Returns how many
    /// combinations were looked at.
    pub(crate) fn join_elements(
        &self,
        id: ProductionId,
        left: &[u64],
        right: Option<&[u64]>,
        bits: &mut Vec<u64>,
    ) -> usize {
        let production = &self.grammar.productions[id];
        let by_left = &self.productions[id].by_left;
        bits.clear();
        bits.resize(self.symbols[production.result].words(), 0);
        let mut work = 0;
        for (from, count) in self.symbols[production.left].elements_in(left) {
            let Some(targets) = by_left.get(from) else { continue };
            let kind = self.symbols[production.left].states[from].kind;
            let n = levels(kind);
            // Of lower bounds only the best matters.
            let is_best = |bits: &[u64], first: usize, level: usize| {
                !level::is_bound(kind) || level + 1 == n || !bit(bits, first + level + 1)
            };
            if !is_best(left, self.symbols[production.left].first_element[from], count) {
                continue;
            }
            work += targets.len();
            for &(with, to) in targets {
                let (with, to) = (with as usize, to as usize);
                let Some(right) = right else {
                    set_level(bits, to, kind, count);
                    continue;
                };
                for more in (0..n).filter(|more| bit(right, with + more)) {
                    if is_best(right, with, more)
                        && let Some(sum) = level::sum(kind, count, more)
                    {
                        set_level(bits, to, kind, sum);
                    }
                }
            }
        }
        work
    }

    /// Whether among the elements of a whole instance is a set that refutes its marking.
    pub(crate) fn refutes(&self, bits: &[u64]) -> bool {
        let root = &self.symbols[self.grammar.root];
        root.elements_in(bits)
            .any(|(set, level)| level::refutes(root.states[set].kind, root.states[set].initial, level))
    }

    /// Gives the interned parts back, for another run.
    pub(crate) fn into_parts(self) -> Parts {
        self.parts
    }
}

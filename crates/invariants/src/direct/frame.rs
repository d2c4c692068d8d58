//! What parts of markings make together, whatever sets have been learnt: places and error states.
//!
//! A *cell* of a symbol is the places of its slots and an error state: what a configuration shows beside its
//! Q. Which cells exist, and which cell two parts' cells make by a production, depends on the system, the
//! error, the dropped interactions and the states that exclude each other alone. So the fixpoints of a
//! question, one after each set learnt, share one [`Frame`]; it grows as they need it.

use rustc_hash::FxHashMap;

use crate::firing::InteractionFiring;
use paramcheck_model::rule::{Combination, Parameter};
use paramcheck_model::system::System;
use paramcheck_text::index::IndexVec;

use super::dead::DeadInteractions;
use super::error::{ErrorAutomaton, ErrorState, ErrorStateId, Group};
use super::exclusive::Exclusive;
use super::grammar::{Grammar, Production, ProductionId, SlotInteraction, SymbolId, SymbolKind};
use super::intern::Interner;
use super::place::{PlaceId, Places};

/// The number of a cell of a symbol.
pub(crate) type CellId = u32;

/// A component alone: what fixpoints begin with.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    /// The leaf's symbol.
    pub(crate) symbol: SymbolId,
    /// Where the component is.
    pub(crate) place: PlaceId,
    /// Where it started, and the position of that state in `InstanceAtom::initial`; a borrowed one is
    /// created elsewhere.
    pub(crate) start: Option<(PlaceId, u32)>,
    /// Its cell.
    pub(crate) cell: CellId,
}

/// What joining two parts with certain places gives.
#[derive(Clone, Copy)]
enum Joint {
    /// No reachable marking looks so, or none is needed.
    Blocked,
    /// The result's places, whether an interaction is enabled, which patterns occur.
    Fits { places: u32, live: bool, patterns: u64 },
}

/// The cells of one symbol.
struct SymbolFrame {
    places: Interner<PlaceId>,
    cells: Vec<(u32, ErrorStateId)>,
    ids: FxHashMap<(u32, ErrorStateId), CellId>,
    /// Per cell and production in which the symbol is a part (as left, then as right), the key of what must
    /// agree with the other part.
    keys: Vec<u32>,
}

/// What one production makes of cells.
struct ProductionFrame {
    joints: FxHashMap<(u32, u32), Joint>,
    results: FxHashMap<(CellId, CellId), Option<CellId>>,
    /// What must agree between left and right parts.
    keys: Interner<PlaceId>,
    /// Per key, the left and the right cells that have it.
    partners: Vec<[Vec<CellId>; 2]>,
}

/// The cells of one question.
pub(crate) struct Frame<'a> {
    system: &'a System,
    places: &'a Places,
    grammar: &'a Grammar,
    dead: DeadInteractions,
    exclusive: Exclusive,
    suspect: Option<&'a InteractionFiring>,
    error: ErrorAutomaton,
    symbols: IndexVec<SymbolId, SymbolFrame>,
    productions: IndexVec<ProductionId, ProductionFrame>,
    leaves: Vec<Leaf>,
    bound: Vec<PlaceId>,
    output: Vec<PlaceId>,
}

impl<'a> Frame<'a> {
    /// The leaves' cells.
    pub(crate) fn new(
        system: &'a System,
        places: &'a Places,
        grammar: &'a Grammar,
        (dead, exclusive): (DeadInteractions, Exclusive),
        suspect: Option<&'a InteractionFiring>,
        error: ErrorAutomaton,
    ) -> Self {
        let symbols = grammar.symbols.iter().map(|symbol| SymbolFrame {
            places: Interner::new(symbol.slots),
            cells: vec![],
            ids: FxHashMap::default(),
            keys: vec![],
        });
        let productions = grammar.productions.iter().map(|production| ProductionFrame {
            joints: FxHashMap::default(),
            results: FxHashMap::default(),
            keys: Interner::new(production.shared.len()),
            partners: vec![],
        });
        let (symbols, productions) = (symbols.collect(), productions.collect());
        let (leaves, bound, output) = (vec![], vec![], vec![]);
        let mut frame = Frame {
            system,
            places,
            grammar,
            dead,
            exclusive,
            suspect,
            error,
            symbols,
            productions,
            leaves,
            bound,
            output,
        };
        frame.seed();
        frame
    }

    /// The error's automaton, for another frame in place of this one.
    pub(crate) fn take_error(&mut self) -> ErrorAutomaton {
        std::mem::replace(&mut self.error, ErrorAutomaton::suspect())
    }

    /// The grammar.
    pub(crate) fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// The components that can be leaves.
    pub(crate) fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Type and state of a place.
    pub(crate) fn places(&self) -> &'a Places {
        self.places
    }

    /// The places of a cell.
    pub(crate) fn places_of(&self, symbol: SymbolId, cell: CellId) -> &[PlaceId] {
        let state = &self.symbols[symbol];
        state.places.get(state.cells[cell as usize].0)
    }

    /// The error state of a cell.
    pub(crate) fn error_of(&self, symbol: SymbolId, cell: CellId) -> ErrorState {
        self.error.state(self.symbols[symbol].cells[cell as usize].1)
    }

    /// Whether a whole instance that shows this cell of the root is in the error.
    pub(crate) fn is_error(&self, cell: CellId) -> bool {
        self.error.is_error(self.symbols[self.grammar.root].cells[cell as usize].1)
    }

    /// The key of what must agree between a cell and its partners in a production. `position` is that of the
    /// production among those in which the symbol is a part: as left first, then as right.
    pub(crate) fn key(&self, symbol: SymbolId, cell: CellId, position: usize) -> usize {
        let definition = &self.grammar.symbols[symbol];
        let uses = definition.as_left.len() + definition.as_right.len();
        self.symbols[symbol].keys[cell as usize * uses + position] as usize
    }

    /// The cells of one side (0: left, 1: right) of a production that have a key. New ones come at the end.
    pub(crate) fn partners(&self, production: ProductionId, side: usize, key: usize) -> &[CellId] {
        &self.productions[production].partners[key][side]
    }

    /// The cell that two cells make by a production (0 for a part that isn't there); `None` if no reachable
    /// marking or no error looks so.
    pub(crate) fn join(&mut self, production: ProductionId, left: CellId, right: CellId) -> Option<CellId> {
        if let Some(&known) = self.productions[production].results.get(&(left, right)) {
            return known;
        }
        let result = self.result(production, left, right);
        self.productions[production].results.insert((left, right), result);
        result
    }

    fn result(&mut self, id: ProductionId, left: CellId, right: CellId) -> Option<CellId> {
        let production = &self.grammar.productions[id];
        let (left_places, mut error) = self.symbols[production.left].cells[left as usize];
        let mut right_places = 0;
        if let Some(symbol) = production.right {
            let (places, other) = self.symbols[symbol].cells[right as usize];
            right_places = places;
            error = self.error.sum(error, other);
        }
        if self.error.is_hopeless(error) {
            return None;
        }
        let joint = match self.productions[id].joints.get(&(left_places, right_places)) {
            Some(&joint) => joint,
            None => {
                let joint = self.joint(id, left_places, right_places);
                self.productions[id].joints.insert((left_places, right_places), joint);
                joint
            }
        };
        let Joint::Fits { places, live, patterns } = joint else { return None };
        let error = self.error.mark(error, live, patterns);
        (!self.error.is_hopeless(error)).then(|| self.cell(production.result, places, error))
    }

    /// The cell of places and an error state.
    fn cell(&mut self, symbol: SymbolId, places: u32, error: ErrorStateId) -> CellId {
        let state = &mut self.symbols[symbol];
        if let Some(&cell) = state.ids.get(&(places, error)) {
            return cell;
        }
        let cell = state.cells.len() as CellId;
        state.cells.push((places, error));
        state.ids.insert((places, error), cell);
        let definition = &self.grammar.symbols[symbol];
        let places = state.places.get(places);
        let as_left = definition.as_left.iter().map(|&production| (production, true));
        let as_right = definition.as_right.iter().map(|&production| (production, false));
        for (production, is_left) in as_left.chain(as_right) {
            let shared = &self.grammar.productions[production].shared;
            self.output.clear();
            self.output.extend(shared.iter().map(|&(l, r)| places[if is_left { l } else { r }]));
            let known = &mut self.productions[production];
            let key = known.keys.intern(&self.output);
            if known.partners.len() <= key as usize {
                known.partners.push([vec![], vec![]]);
            }
            known.partners[key as usize][usize::from(!is_left)].push(cell);
            state.keys.push(key);
        }
        cell
    }

    fn seed(&mut self) {
        let (system, grammar) = (self.system, self.grammar);
        for (symbol, definition) in grammar.symbols.enumerate() {
            match definition.kind {
                SymbolKind::Instance { rule, atom, .. } => {
                    let Some(instance) = grammar.instance(system, rule, atom) else { continue };
                    for (position, &initial) in instance.initial.iter().enumerate() {
                        for state in system.types[instance.component].states.indices() {
                            let error = self.error.component(system, instance.component, state);
                            let start = self.places.id(instance.component, initial);
                            let place = self.places.id(instance.component, state);
                            self.leaf(symbol, place, Some((start, position as u32)), error);
                        }
                    }
                }
                SymbolKind::Borrowed { rule, variable } => {
                    for &component in &system.rules[rule].variables[variable].types {
                        for state in system.types[component].states.indices() {
                            let error = self.error.nothing();
                            self.leaf(symbol, self.places.id(component, state), None, error);
                        }
                    }
                }
                SymbolKind::Predicate(_) | SymbolKind::Prefix => {}
            }
        }
    }

    fn leaf(&mut self, symbol: SymbolId, place: PlaceId, start: Option<(PlaceId, u32)>, error: ErrorStateId) {
        if self.error.is_hopeless(error) {
            return;
        }
        let places = self.symbols[symbol].places.intern(&[place]);
        let cell = self.cell(symbol, places, error);
        self.leaves.push(Leaf { symbol, place, start, cell });
    }

    /// Looks at the interactions and patterns of a production between two parts' places.
    fn joint(&mut self, id: ProductionId, left: u32, right: u32) -> Joint {
        let production = &self.grammar.productions[id];
        let mut bound = std::mem::take(&mut self.bound);
        bound.clear();
        bound.extend(self.symbols[production.left].places.get(left));
        if let Some(symbol) = production.right {
            bound.extend(self.symbols[symbol].places.get(right));
        }
        let joint = if self.exclusive.forbids(id, &bound) {
            Joint::Blocked
        } else {
            self.joint_of(production, &bound)
        };
        self.bound = bound;
        joint
    }

    fn joint_of(&mut self, production: &Production, bound: &[PlaceId]) -> Joint {
        let (mut live, mut patterns) = (false, 0u64);
        for interaction in &production.interactions {
            if !interaction.participants.iter().all(|&(port, slot)| self.places.offers(bound[slot], port)) {
                continue;
            }
            live = true;
            if let Some(dead) = self.dead.of(production.rule, interaction.id)
                && dead.iter().any(|combination| self.is_marked(interaction, combination, bound))
            {
                return Joint::Blocked;
            }
        }
        for (bit, group) in self.error.groups().iter().enumerate() {
            let occurs = match *group {
                Group::System(group) => production.patterns.iter().any(|pattern| {
                    pattern.group == group
                        && pattern
                            .conditions
                            .iter()
                            .all(|(slot, matching)| matching.binary_search(&bound[*slot]).is_ok())
                }),
                Group::Suspect => self.suspect.is_some_and(|suspect| {
                    suspect.rule == production.rule
                        && production.interactions.iter().any(|interaction| {
                            interaction.id == suspect.interaction
                                && self.is_marked(interaction, &suspect.combination, bound)
                        })
                }),
            };
            patterns |= u64::from(occurs) << bit;
        }
        let mut output = std::mem::take(&mut self.output);
        output.clear();
        output.extend(production.output.iter().map(|&slot| bound[slot]));
        // A borrower below may have guessed a type that this predicate's callers never pass.
        if let SymbolKind::Predicate(predicate) = self.grammar.symbols[production.result].kind {
            let parameters = &self.system.predicates[predicate].parameters;
            let fits = |(place, parameter): (&PlaceId, &Parameter)| {
                parameter.types.binary_search(&self.places.get(*place).0).is_ok()
            };
            if !output.iter().zip(parameters).all(fits) {
                return Joint::Blocked;
            }
        }
        let places = self.symbols[production.result].places.intern(&output);
        self.output = output;
        Joint::Fits { places, live, patterns }
    }

    /// Whether the pre-places of an interaction's combination are all marked.
    fn is_marked(&self, interaction: &SlotInteraction, combination: &Combination, bound: &[PlaceId]) -> bool {
        interaction.participants.iter().zip(combination).all(|(&(_, slot), &(component, transition))| {
            let from = self.system.types[component].transitions[transition].from;
            bound[slot] == self.places.id(component, from)
        })
    }
}

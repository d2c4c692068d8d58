//! Partial results of a rule: what the markings of some of its atoms together can show.
//!
//! A [`Table`] is a relation over some variables of a rule: every row gives the places of those variables and
//! the error state of the atoms so far (what is [`Shown`]), and the sets of places that are known to be
//! invariants of the atoms so far (its *entries*). [`Joiner::join`] puts two tables together: rows that agree
//! on common variables are combined, interactions and patterns whose variables are now all known are
//! evaluated, variables that nothing needs any more are forgotten. Equal rows merge, which is why a rule with
//! many local components does not cost the product of their states. Rows that show the same are kept
//! together: interactions and the error look at nothing else.
//!
//! What can be done with two entries depends on nothing but them, and with two sets of entries on
//! nothing but these: both are remembered.

use rustc_hash::{FxHashMap, FxHashSet};

use super::intern::Interner;
use super::kind::Kind;
use super::question::{Effect, Item, Question};
use super::resolve::{Part, PartId, Place};
use crate::data::ErrorState;
use paramcheck_model::rule::{RuleId, VariableId};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// A set of places that is an invariant of the atoms so far, as far as the marking is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    /// The kind.
    pub(super) kind: Kind,
    /// Per variable of the table the part of the set.
    pub(super) parts: Box<[PartId]>,
    /// The saturated number of places initially marked by the components instantiated so far.
    pub(super) initial: i64,
    /// The same for the marking; for kinds that compare with the initial marking, the change.
    pub(super) marked: i64,
}

/// The number of a set of entries in [`Store::entry_sets`].
pub(super) type EntrySetId = u32;

/// What a line of a table shows beside its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shown {
    /// Per variable of the table its place.
    pub(super) places: Box<[Place]>,
    /// The number of the error state.
    pub(super) error: u32,
}

/// The lines of a table: all that show the same together.
pub(super) type Rows = FxHashMap<Shown, FxHashSet<EntrySetId>>;

/// A relation over some variables of a rule.
#[derive(Debug)]
pub(super) struct Table {
    /// The variables, ascending.
    pub(super) variables: Vec<VariableId>,
    /// The rows.
    pub(super) rows: Rows,
}

/// Counts steps and checks the budget now and then.
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    steps: u32,
}

impl<'a> Meter<'a> {
    /// A meter for `budget`.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Meter { budget, steps: 0 }
    }

    /// Looks at the budget at once: for work that takes longer than a step.
    pub(super) fn check(&self) -> Result<(), Stop> {
        self.budget.check()
    }

    /// Counts a step.
    pub(super) fn tick(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(1024) { self.budget.check() } else { Ok(()) }
    }
}

/// The error states met in one proof, numbered; sums are remembered.
pub(super) struct ErrorStates {
    states: Interner<ErrorState>,
    sums: FxHashMap<(u32, u32), u32>,
    possible: Vec<bool>,
}

impl ErrorStates {
    /// No states yet.
    pub(super) fn new() -> Self {
        ErrorStates { states: Interner::default(), sums: FxHashMap::default(), possible: Vec::new() }
    }

    /// The number of `state`.
    pub(super) fn number(&mut self, question: &Question<'_>, state: ErrorState) -> u32 {
        let can_hold = question.formula.can_hold(&state);
        let number = self.states.intern(state);
        if number as usize == self.possible.len() {
            self.possible.push(can_hold);
        }
        number
    }

    /// The state with this number.
    pub(super) fn get(&self, number: u32) -> &ErrorState {
        self.states.get(number)
    }

    /// Whether the error may still come true (true when in doubt).
    pub(super) fn is_possible(&self, number: u32) -> bool {
        self.possible.get(number as usize).is_none_or(|possible| *possible)
    }

    /// The number of the sum of two states.
    pub(super) fn add(&mut self, question: &Question<'_>, left: u32, right: u32) -> u32 {
        if let Some(sum) = self.sums.get(&(left, right)) {
            return *sum;
        }
        let sum = question.formula.add(self.get(left), self.get(right));
        let number = self.number(question, sum);
        self.sums.insert((left, right), number);
        number
    }
}

/// Everything numbered in one proof.
pub(super) struct Store {
    /// Error states.
    pub(super) errors: ErrorStates,
    /// Entries; the meaning of their parts depends on the table they are in.
    pub(super) entries: Interner<Entry>,
    /// Sets of entries, ascending.
    pub(super) entry_sets: Interner<Box<[u32]>>,
}

impl Store {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Store { errors: ErrorStates::new(), entries: Interner::default(), entry_sets: Interner::default() }
    }

    /// The number of a set of entries.
    pub(super) fn entry_set(&mut self, entries: impl IntoIterator<Item = Entry>) -> EntrySetId {
        let mut numbers: Vec<u32> = entries.into_iter().map(|entry| self.entries.intern(entry)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.entry_sets.intern(numbers.into())
    }

    /// The entries of a set of the right table, by what a partner must agree on.
    fn group(&self, plan: &Plan, entries: EntrySetId) -> FxHashMap<Agreement, Vec<u32>> {
        let mut groups: FxHashMap<Agreement, Vec<u32>> = FxHashMap::default();
        for number in self.entry_sets.get(entries) {
            let entry = self.entries.get(*number);
            let parts = plan.shared.iter().map(|(_, position)| entry.parts[*position]).collect();
            groups.entry((entry.kind, parts)).or_default().push(*number);
        }
        groups
    }
}

/// How two tables are joined.
pub(super) struct Plan {
    /// Positions of common variables in the left and in the right table.
    shared: Vec<(usize, usize)>,
    /// Positions in the right table of the variables that only it has.
    new: Vec<usize>,
    /// The items to evaluate, with the positions of their variables in the joined row (the left
    /// table's variables, then the new ones).
    items: Vec<(Vec<usize>, Item)>,
    /// The positions in the joined row of the variables to keep, ascending by variable.
    keep: Vec<usize>,
    /// The variables kept.
    variables: Vec<VariableId>,
}

impl Plan {
    /// A plan to join tables over `left` and `right`, evaluating those of `items` whose variables are
    /// all known, which are taken out, and keeping the variables for which `is_needed`, or which occur
    /// in the remaining items.
    pub(super) fn new(
        left: &[VariableId],
        right: &[VariableId],
        items: &mut Vec<(Vec<VariableId>, Item)>,
        is_needed: impl Fn(VariableId) -> bool,
    ) -> Plan {
        let find = |variables: &[VariableId], wanted| variables.iter().position(|known| *known == wanted);
        let mut joined: Vec<VariableId> = left.to_vec();
        let (mut shared, mut new) = (Vec::new(), Vec::new());
        for (position, variable) in right.iter().enumerate() {
            match find(left, *variable) {
                Some(known) => shared.push((known, position)),
                None => {
                    new.push(position);
                    joined.push(*variable);
                }
            }
        }
        let mut planned = Vec::new();
        items.retain(|(variables, item)| {
            let positions: Option<Vec<usize>> =
                variables.iter().map(|variable| find(&joined, *variable)).collect();
            let is_waiting = positions.is_none();
            planned.extend(positions.map(|positions| (positions, item.clone())));
            is_waiting
        });
        let mut kept: Vec<(VariableId, usize)> = Vec::new();
        for (position, variable) in joined.iter().enumerate() {
            if is_needed(*variable) || items.iter().any(|(variables, _)| variables.contains(variable)) {
                kept.push((*variable, position));
            }
        }
        kept.sort_unstable_by_key(|(variable, _)| variable.index());
        let (variables, keep) = kept.into_iter().unzip();
        Plan { shared, new, items: planned, keep, variables }
    }

    /// How many variables the joined table of such a plan has, and how many items it evaluates.
    pub(super) fn cost(
        left: &[VariableId],
        right: &[VariableId],
        items: &[(Vec<VariableId>, Item)],
        is_needed: impl Fn(VariableId) -> bool,
    ) -> (usize, usize) {
        let joined = || left.iter().chain(right);
        // Per variable whether it is joined, and not yet counted as kept.
        let last = joined().map(|variable| variable.index()).max();
        let mut is_open = vec![false; last.map_or(0, |last| last + 1)];
        joined().for_each(|variable| is_open[variable.index()] = true);
        let is_joined = is_open.clone();
        let (mut width, mut done) = (0, 0);
        let mut keep = |variable: VariableId| {
            if is_open.get(variable.index()) == Some(&true) {
                is_open[variable.index()] = false;
                width += 1;
            }
        };
        for (variables, _) in items {
            if variables.iter().all(|variable| is_joined.get(variable.index()) == Some(&true)) {
                done += 1;
            } else {
                variables.iter().for_each(|variable| keep(*variable));
            }
        }
        joined().filter(|variable| is_needed(**variable)).for_each(|variable| keep(*variable));
        (width, done)
    }
}

/// Joins two tables.
pub(super) struct Joiner<'a, 'b> {
    /// What the proof is about.
    pub(super) question: &'a Question<'a>,
    /// The parts of the proof.
    pub(super) parts: &'a Interner<Part>,
    /// The rule.
    pub(super) rule: RuleId,
    /// What is numbered.
    pub(super) store: &'b mut Store,
    /// The budget.
    pub(super) meter: &'b mut Meter<'a>,
}

/// What two entries must have in common to be parts of one set: kind, and parts of common variables.
type Agreement = (Kind, Box<[PartId]>);

/// What is remembered during one join.
#[derive(Default)]
struct Memory {
    /// Joins of entry sets.
    sets: FxHashMap<(EntrySetId, EntrySetId), EntrySetId>,
    /// Joins of entries that agree; `None` if the result is no invariant, or useless.
    entries: FxHashMap<(u32, u32), Option<u32>>,
    /// Entry sets of the right table, grouped.
    groups: FxHashMap<EntrySetId, FxHashMap<Agreement, Vec<u32>>>,
    /// Whether the transitions of an item (by position in the plan) keep an invariant.
    keeps: FxHashMap<(usize, Agreement), bool>,
}

impl Joiner<'_, '_> {
    /// The join of two tables.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn join(&mut self, left: &Table, right: &Table, plan: &Plan) -> Result<Table, Stop> {
        let mut partners: FxHashMap<Vec<Place>, Vec<(&Shown, &FxHashSet<EntrySetId>)>> = FxHashMap::default();
        for (shown, entries) in &right.rows {
            let key = plan.shared.iter().map(|(_, position)| shown.places[*position]).collect();
            partners.entry(key).or_default().push((shown, entries));
        }
        let mut memory = Memory::default();
        let mut rows = Rows::default();
        let mut places: Vec<Place> = Vec::new();
        for (shown, entries) in &left.rows {
            self.meter.tick()?;
            let key: Vec<Place> = plan.shared.iter().map(|(position, _)| shown.places[*position]).collect();
            for (partner, partner_entries) in partners.get(&key).into_iter().flatten() {
                self.meter.tick()?;
                places.clear();
                places.extend_from_slice(&shown.places);
                places.extend(plan.new.iter().map(|position| partner.places[*position]));
                let sum = self.store.errors.add(self.question, shown.error, partner.error);
                let Some(error) = self.error_after(plan, &places, sum) else { continue };
                let places = plan.keep.iter().map(|position| places[*position]).collect();
                let result = rows.entry(Shown { places, error }).or_default();
                for left in entries {
                    for right in *partner_entries {
                        self.meter.tick()?;
                        result.insert(self.join_sets(plan, &mut memory, *left, *right)?);
                    }
                }
            }
        }
        Ok(Table { variables: plan.variables.clone(), rows })
    }

    /// The error state once the plan's items are evaluated; `None` if the marking is not reachable or
    /// the error cannot come true any more.
    fn error_after(&mut self, plan: &Plan, places: &[Place], mut error: u32) -> Option<u32> {
        let mut seen: Vec<Place> = Vec::new();
        for (positions, item) in &plan.items {
            seen.clear();
            seen.extend(positions.iter().map(|position| places[*position]));
            let state = match self.question.effect(item, &seen) {
                Effect::Nothing => continue,
                Effect::Impossible => return None,
                Effect::Live => self.question.formula.live_state(),
                Effect::Pattern(bit) => self.question.formula.pattern_state(bit),
            };
            let state = self.store.errors.number(self.question, state);
            error = self.store.errors.add(self.question, error, state);
        }
        self.store.errors.is_possible(error).then_some(error)
    }

    /// All joins of an entry of `left` with one of `right`.
    fn join_sets(
        &mut self,
        plan: &Plan,
        memory: &mut Memory,
        left: EntrySetId,
        right: EntrySetId,
    ) -> Result<EntrySetId, Stop> {
        if let Some(known) = memory.sets.get(&(left, right)) {
            return Ok(*known);
        }
        let groups = memory.groups.entry(right).or_insert_with(|| self.store.group(plan, right));
        let mut joined: Vec<u32> = Vec::new();
        for number in self.store.entry_sets.get(left).clone() {
            self.meter.tick()?;
            let entry = self.store.entries.get(number);
            let parts = plan.shared.iter().map(|(position, _)| entry.parts[*position]).collect();
            let Some(group) = groups.get(&(entry.kind, parts)) else { continue };
            for partner in group {
                self.meter.tick()?;
                let known = match memory.entries.get(&(number, *partner)) {
                    Some(known) => *known,
                    None => {
                        let result = self.join_entries(plan, &mut memory.keeps, number, *partner);
                        memory.entries.insert((number, *partner), result);
                        result
                    }
                };
                joined.extend(known);
            }
        }
        joined.sort_unstable();
        joined.dedup();
        let result = self.store.entry_sets.intern(joined.into());
        memory.sets.insert((left, right), result);
        Ok(result)
    }

    /// The union of two sets of places that agree on common variables; `None` if some transition of
    /// the plan's interactions breaks the invariant, or no marking can break it any more.
    fn join_entries(
        &mut self,
        plan: &Plan,
        keeps: &mut FxHashMap<(usize, Agreement), bool>,
        left: u32,
        right: u32,
    ) -> Option<u32> {
        let (left, right) = (self.store.entries.get(left), self.store.entries.get(right));
        let kind = left.kind;
        let initial = kind.add_initial(left.initial, right.initial);
        let marked = kind.add_marked(left.marked, right.marked);
        if !kind.is_useful(initial, marked) {
            return None;
        }
        let mut parts: Vec<PartId> = left.parts.to_vec();
        parts.extend(plan.new.iter().map(|position| right.parts[*position]));
        for (number, (positions, item)) in plan.items.iter().enumerate() {
            let Item::Interaction { id, .. } = item else { continue };
            let of_item: Box<[PartId]> = positions.iter().map(|position| parts[*position]).collect();
            let (question, rule, known_parts) = (self.question, self.rule, self.parts);
            let is_kept = *keeps.entry((number, (kind, of_item))).or_insert_with_key(|(_, (_, of_item))| {
                let of_item: Vec<&Part> = of_item.iter().map(|part| known_parts.get(*part)).collect();
                question.keeps(rule, *id, kind, &of_item)
            });
            if !is_kept {
                return None;
            }
        }
        let parts = plan.keep.iter().map(|position| parts[*position]).collect();
        Some(self.store.entries.intern(Entry { kind, parts, initial, marked }))
    }
}

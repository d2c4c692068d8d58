//! What a subtree shows of the error: a finite state, composed bottom up.
//!
//! The state records whether a transition of the subtree is enabled, whether a component is unfinished,
//! which groups of patterns occurred, and each count, saturated just above its bound. Where the
//! formula can't become true whatever joins later (`hopeless`), the marking is given up at once; for
//! deadlock that is the pruning that keeps configurations few.

use rustc_hash::FxHashMap;

use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_model::rule::PatternGroupId;
use paramcheck_model::system::System;

use super::intern::Interner;

/// The number of an [`ErrorState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ErrorStateId(u32);

/// What a marking of a subtree shows of the error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ErrorState {
    /// Some transition of the subtree is enabled. Never set where the formula lacks `deadlock`.
    pub live: bool,
    /// Some component is not in a final state. Never set where the formula lacks `deadlock`.
    pub unfinished: bool,
    /// Per pattern group of the formula, whether it occurred.
    pub patterns: Vec<bool>,
    /// Per sum of the formula, its value so far, saturated above all that it is compared with.
    pub counts: Vec<u64>,
}

/// A group of patterns that an error mentions: one of the system's, or the pre-places of an interaction
/// that might never fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// A group of the system.
    System(PatternGroupId),
    /// The interaction that is suspected dead.
    Suspect,
}

/// The formula, its atoms numbered.
#[derive(Clone, Debug)]
enum Node {
    Deadlock,
    Count { sum: usize, comparison: Comparison, bound: u64 },
    Pattern(usize),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

/// A sum that the formula compares, perhaps with several numbers.
#[derive(Clone, Debug)]
struct Sum {
    weights: Vec<(TypeId, StateId, u64)>,
    /// Values above it need not be distinguished.
    cap: u64,
}

/// The automaton of an error formula.
pub(crate) struct ErrorAutomaton {
    formula: Node,
    tracks_deadlock: bool,
    groups: Vec<Group>,
    compared: Vec<Sum>,
    /// The states met: flags, a mask of patterns, the counts.
    states: Interner<u64>,
    hopeless: Vec<bool>,
    scratch: Vec<u64>,
    sums: FxHashMap<(ErrorStateId, ErrorStateId), ErrorStateId>,
}

/// The flag `live` of a row, and the flag `unfinished`.
const LIVE: u64 = 1;
const UNFINISHED: u64 = 2;

/// A row of the table of states.
#[derive(Clone, Copy)]
struct View<'a>(&'a [u64]);

impl View<'_> {
    fn has(self, flag: u64) -> bool {
        self.0[0] & flag != 0
    }

    fn pattern(self, index: usize) -> bool {
        self.0[1] >> index & 1 == 1
    }

    fn count(self, sum: usize) -> u64 {
        self.0[2 + sum]
    }
}

/// What the direct engine can't decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub String);

impl ErrorAutomaton {
    /// The automaton of `formula`; `Err` where it holds a formula over components that stands for too many
    /// counts, or more than 64 groups of patterns.
    pub(crate) fn new(formula: &ErrorFormula) -> Result<Self, Unsupported> {
        let mut automaton = Self::empty();
        let formula = formula.counting().map_err(|reason| Unsupported(reason.to_string()))?;
        automaton.formula = automaton.number(&formula)?;
        if automaton.groups.len() > 64 {
            return Err(Unsupported("the error speaks of more than 64 groups of patterns".to_owned()));
        }
        automaton.states = Interner::new(2 + automaton.compared.len());
        Ok(automaton)
    }

    /// The automaton of "the suspect's pre-places are all marked".
    pub(crate) fn suspect() -> Self {
        let mut automaton = Self::empty();
        automaton.formula = Node::Pattern(0);
        automaton.groups.push(Group::Suspect);
        automaton
    }

    fn empty() -> Self {
        ErrorAutomaton {
            formula: Node::Or(vec![]),
            tracks_deadlock: false,
            groups: vec![],
            compared: vec![],
            states: Interner::new(2),
            hopeless: vec![],
            scratch: vec![],
            sums: FxHashMap::default(),
        }
    }

    fn number(&mut self, formula: &ErrorFormula) -> Result<Node, Unsupported> {
        Ok(match formula {
            ErrorFormula::Deadlock => {
                self.tracks_deadlock = true;
                Node::Deadlock
            }
            ErrorFormula::Count(count) => {
                let known = self.compared.iter().position(|sum| sum.weights == count.weights);
                let sum = known.unwrap_or_else(|| {
                    self.compared.push(Sum { weights: count.weights.clone(), cap: 0 });
                    self.compared.len() - 1
                });
                let cap = &mut self.compared[sum].cap;
                *cap = (*cap).max(count.bound.saturating_add(1));
                Node::Count { sum, comparison: count.comparison, bound: count.bound }
            }
            ErrorFormula::Pattern(group) => {
                let group = Group::System(*group);
                let known = self.groups.iter().position(|&other| other == group);
                Node::Pattern(known.unwrap_or_else(|| {
                    self.groups.push(group);
                    self.groups.len() - 1
                }))
            }
            // `counting` has left none.
            ErrorFormula::Components(_) => {
                return Err(Unsupported("a formula over components where counts are expected".to_owned()));
            }
            ErrorFormula::Not(inner) => Node::Not(Box::new(self.number(inner)?)),
            ErrorFormula::And(parts) => {
                Node::And(parts.iter().map(|part| self.number(part)).collect::<Result<_, _>>()?)
            }
            ErrorFormula::Or(parts) => {
                Node::Or(parts.iter().map(|part| self.number(part)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// The groups of patterns mentioned; bit i of a pattern mask is group i.
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn intern(&mut self, row: &[u64]) -> ErrorStateId {
        let id = self.states.intern(row);
        if self.hopeless.len() < self.states.len() {
            self.hopeless.push(!possible(&self.formula, View(row), true));
        }
        ErrorStateId(id)
    }

    fn view(&self, id: ErrorStateId) -> View<'_> {
        View(self.states.get(id.0))
    }

    /// The state with this id.
    pub(crate) fn state(&self, id: ErrorStateId) -> ErrorState {
        let row = self.view(id);
        ErrorState {
            live: row.has(LIVE),
            unfinished: row.has(UNFINISHED),
            patterns: (0..self.groups.len()).map(|index| row.pattern(index)).collect(),
            counts: (0..self.compared.len()).map(|sum| row.count(sum)).collect(),
        }
    }

    /// The state of a component alone.
    pub(crate) fn component(&mut self, system: &System, component: TypeId, state: StateId) -> ErrorStateId {
        let definition = &system.types[component];
        let deadlock = self.tracks_deadlock;
        let is_live =
            deadlock && definition.internal_transitions().any(|(_, transition)| transition.from == state);
        let is_unfinished = deadlock && !definition.states[state].is_final;
        let flags = if is_live { LIVE } else { 0 } | if is_unfinished { UNFINISHED } else { 0 };
        let counts = self.compared.iter().map(|sum| {
            let weight = sum.weights.iter().find(|&&(t, s, _)| (t, s) == (component, state));
            weight.map_or(0, |&(_, _, weight)| weight).min(sum.cap)
        });
        let row: Vec<u64> = [flags, 0].into_iter().chain(counts).collect();
        self.intern(&row)
    }

    /// The state of a borrowed component: it is counted where it is owned.
    pub(crate) fn nothing(&mut self) -> ErrorStateId {
        self.intern(&vec![0; 2 + self.compared.len()])
    }

    /// The state of two parts side by side.
    pub(crate) fn sum(&mut self, a: ErrorStateId, b: ErrorStateId) -> ErrorStateId {
        if let Some(&id) = self.sums.get(&(a, b)) {
            return id;
        }
        let mut row = std::mem::take(&mut self.scratch);
        row.clear();
        row.extend(self.view(a).0);
        let (flags, other) = (row.len().min(2), self.view(b).0);
        for (mine, more) in row[..flags].iter_mut().zip(other) {
            *mine |= more;
        }
        for ((mine, more), sum) in row[flags..].iter_mut().zip(&other[flags..]).zip(&self.compared) {
            *mine = mine.saturating_add(*more).min(sum.cap);
        }
        let id = self.intern(&row);
        self.scratch = row;
        self.sums.insert((a, b), id);
        id
    }

    /// The state after an enabled transition (`live`) and patterns (by mask) were seen.
    pub(crate) fn mark(&mut self, id: ErrorStateId, live: bool, patterns: u64) -> ErrorStateId {
        let live = live && self.tracks_deadlock;
        if !live && patterns == 0 {
            return id;
        }
        let mut row = std::mem::take(&mut self.scratch);
        row.clear();
        row.extend(self.view(id).0);
        row[0] |= if live { LIVE } else { 0 };
        row[1] |= patterns;
        let marked = self.intern(&row);
        self.scratch = row;
        marked
    }

    /// Whether the formula is false whatever joins later.
    pub(crate) fn is_hopeless(&self, id: ErrorStateId) -> bool {
        self.hopeless[id.0 as usize]
    }

    /// Whether a whole instance in this state is an error.
    pub(crate) fn is_error(&self, id: ErrorStateId) -> bool {
        may_be(&self.formula, self.view(id), true)
    }
}

/// Whether `node` has the value `wanted` for a whole instance in `state`. An over-approximation for counts that
/// are compared with 2^64 − 1 alone.
fn may_be(node: &Node, state: View<'_>, wanted: bool) -> bool {
    match node {
        Node::Deadlock => (!state.has(LIVE) && state.has(UNFINISHED)) == wanted,
        Node::Count { sum, comparison, bound } => compares(*comparison, state.count(*sum), *bound, wanted),
        Node::Pattern(index) => state.pattern(*index) == wanted,
        Node::Not(inner) => may_be(inner, state, !wanted),
        Node::And(parts) if wanted => parts.iter().all(|part| may_be(part, state, true)),
        Node::And(parts) => parts.iter().any(|part| may_be(part, state, false)),
        Node::Or(parts) if wanted => parts.iter().any(|part| may_be(part, state, true)),
        Node::Or(parts) => parts.iter().all(|part| may_be(part, state, false)),
    }
}

/// Whether a comparison of a saturated sum may be `wanted`. A sum of 2^64 − 1 stands for greater ones too.
fn compares(comparison: Comparison, sum: u64, bound: u64, wanted: bool) -> bool {
    let tells_apart = matches!(comparison, Comparison::AtLeast | Comparison::Less);
    (sum == u64::MAX && bound == u64::MAX && !tells_apart) || comparison.holds(sum, bound) == wanted
}

/// Whether `node` may still take the value `wanted` when more is joined: an over-approximation, every
/// atom taken for itself. Flags only rise and counts only grow.
fn possible(node: &Node, state: View<'_>, wanted: bool) -> bool {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    match node {
        Node::Deadlock => !wanted || !state.has(LIVE),
        Node::Pattern(index) => wanted || !state.pattern(*index),
        Node::Count { sum, comparison, bound } => {
            let now = state.count(*sum);
            match (comparison, wanted) {
                (AtLeast, true) | (Less, false) | (Greater, true) | (AtMost, false) => true,
                (AtLeast, false) | (Less, true) => now < *bound,
                (AtMost, true) | (Greater, false) => now <= *bound,
                (Equal, true) | (NotEqual, false) => now <= *bound,
                (Equal, false) | (NotEqual, true) => true,
            }
        }
        Node::Not(inner) => possible(inner, state, !wanted),
        Node::And(parts) if wanted => parts.iter().all(|part| possible(part, state, true)),
        Node::And(parts) => parts.iter().any(|part| possible(part, state, false)),
        Node::Or(parts) if wanted => parts.iter().any(|part| possible(part, state, true)),
        Node::Or(parts) => parts.iter().all(|part| possible(part, state, false)),
    }
}

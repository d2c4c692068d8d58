//! Path automata (paper, 4.2 and Fig. 6): the paper's way from a variable to its component.
//!
//! Questions are not built from these but from bindings (crate `wsks`, `encoding::binding`), which MONA finds
//! much easier. They are what bindings are held against: tests show that both define the same nets.
//!
//! Differences from the paper: a rule can follow itself on a path (its "any two distinct rules" would
//! lose interactions); components sit on the node of the rule whose instance atom creates them, so a path
//! ends there; states that lie on no run from an initial to a final state are left out.

use std::collections::BTreeSet;

use paramcheck_model::rule::{RuleId, VariableId};
use paramcheck_text::index::Idx;
use paramcheck_wsks::formula::{FormulaId, NodeVariable, SetVariable, TermId};

use super::Flow;

/// Whether a path automaton goes to the parent or to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Direction {
    /// ↑
    Up,
    /// ↓
    Down,
}

/// q_{r,z}^d: at a node with rule r, tracking its variable z, having come from below or going down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PathState {
    /// The rule of the node.
    rule: RuleId,
    /// The variable tracked.
    variable: VariableId,
    /// The direction.
    direction: Direction,
}

/// q –(α, d)→ q′
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PathTransition {
    /// q
    from: usize,
    /// α, counted from 0: which child of the upper node the lower one is.
    child: usize,
    /// d
    direction: Direction,
    /// q′
    to: usize,
}

/// A path automaton A_{r₁,r₂}^{z₁,z₂}; states are positions in `states`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PathAutomaton {
    /// Q
    states: Vec<PathState>,
    /// I
    initial: Vec<usize>,
    /// F
    finals: Vec<usize>,
    /// δ
    transitions: Vec<PathTransition>,
}

impl Flow<'_, '_> {
    /// The automaton of the paths from a node with rule `from.0`, whose variable is `from.1`, to a node
    /// with rule `to.0` whose variable `to.1` is bound to the same component.
    fn path_automaton(&self, from: (RuleId, VariableId), to: (RuleId, VariableId)) -> PathAutomaton {
        let mut states = Vec::new();
        let system = self.encoder.system;
        for rule in self.rules() {
            for variable in system.rules[rule].variables.indices() {
                for direction in [Direction::Up, Direction::Down] {
                    states.push(PathState { rule, variable, direction });
                }
            }
        }
        let position = |rule, variable, direction| {
            states.iter().position(|&state| state == PathState { rule, variable, direction })
        };
        let mut transitions = Vec::new();
        let calls = self.rules().into_iter().flat_map(|above| {
            system.rules[above].predicate_atoms().enumerate().map(move |(child, call)| (above, child, call))
        });
        for (above, child, call) in calls {
            for &below in &system.predicates[call.predicate].rules {
                for (j, &y) in call.arguments.iter().enumerate() {
                    let x = VariableId::new(j);
                    use Direction::{Down, Up};
                    let up_here = (position(above, y, Up), position(below, x, Up));
                    let down_here = (position(above, y, Down), position(below, x, Down));
                    if let (Some(upper), Some(lower)) = down_here {
                        transitions.push(PathTransition { from: upper, child, direction: Down, to: lower });
                    }
                    if let (Some(upper), Some(lower)) = up_here {
                        transitions.push(PathTransition { from: lower, child, direction: Up, to: upper });
                    }
                    // The turn: up to the parent, and down from there.
                    if let (Some(upper), Some(lower)) = (down_here.0, up_here.1) {
                        transitions.push(PathTransition { from: lower, child, direction: Up, to: upper });
                    }
                }
            }
        }
        let of = |(rule, variable), directions: &[Direction]| -> Vec<usize> {
            directions.iter().filter_map(|&direction| position(rule, variable, direction)).collect()
        };
        let initial = of(from, &[Direction::Up, Direction::Down]);
        let finals = of(to, &[Direction::Down]);
        PathAutomaton { states, initial, finals, transitions }.trim()
    }

    /// Δ_A(x, y, Y), Fig. 6: Y, one set per state, is a run of the automaton from x to y.
    fn delta(
        &mut self,
        automaton: &PathAutomaton,
        x: NodeVariable,
        y: NodeVariable,
        sets: &[SetVariable],
    ) -> FormulaId {
        let (start, end) = (self.encoder.store.node(x), self.encoder.store.node(y));
        let mut parts = Vec::new();
        // (16): one state per node, an initial one at x and a final one at y.
        let here: Vec<FormulaId> =
            sets.iter().map(|&set| self.encoder.store.member(self.node, set)).collect();
        let one = self.at_most_one_of(&here);
        parts.push(self.everywhere(one));
        for (node, states) in [(start, &automaton.initial), (end, &automaton.finals)] {
            let inside: Vec<FormulaId> = states
                .iter()
                .filter_map(|&state| sets.get(state))
                .map(|&set| self.encoder.store.member(node, set))
                .collect();
            parts.push(self.encoder.store.or(inside));
        }
        // (17) and (18): every node but the last has a next one, every node but the first a previous one.
        for (state, &set) in sets.iter().enumerate() {
            let inside = self.encoder.store.member(self.node, set);
            for (node, is_forward) in [(end, true), (start, false)] {
                let is_there = self.encoder.store.equal(self.node, node);
                let elsewhere = self.encoder.store.not(is_there);
                let applies = self.encoder.store.and([elsewhere, inside]);
                let mut ways = Vec::new();
                for transition in &automaton.transitions {
                    let (here, there) = if is_forward {
                        (transition.from, transition.to)
                    } else {
                        (transition.to, transition.from)
                    };
                    let Some(&there) = sets.get(there).filter(|_| here == state) else { continue };
                    let is_below = (transition.direction == Direction::Down) == is_forward;
                    ways.push(if is_below {
                        let child = self.child(self.node, transition.child);
                        self.encoder.store.member(child, there)
                    } else {
                        self.parent_in(transition.child, there)
                    });
                }
                let any = self.encoder.store.or(ways);
                let formula = self.encoder.store.implies(applies, any);
                parts.push(self.everywhere(formula));
            }
        }
        self.encoder.store.and(parts)
    }

    /// At most one of these holds at a node.
    fn at_most_one_of(&mut self, conditions: &[FormulaId]) -> FormulaId {
        let store = &mut self.encoder.store;
        let mut parts = Vec::new();
        for (position, &one) in conditions.iter().enumerate() {
            for &other in &conditions[..position] {
                let both = store.and([one, other]);
                parts.push(store.not(both));
            }
        }
        store.and(parts)
    }

    /// The child of a node, counted from 0.
    fn child(&mut self, node: TermId, number: usize) -> TermId {
        self.encoder.store.child(node, u8::try_from(number + 1).expect("few children"))
    }

    /// ∃z′. z′.α = x ∧ z′ ∈ Y: x is the child number α of a node of Y.
    fn parent_in(&mut self, child: usize, set: SetVariable) -> FormulaId {
        let above = self.above;
        let term = self.encoder.store.node(above);
        let below = self.child(term, child);
        let is_child = self.encoder.store.equal(below, self.node);
        let inside = self.encoder.store.member(term, set);
        let both = self.encoder.store.and([is_child, inside]);
        self.encoder.store.exists_node(above, both)
    }

    /// Υ(Y, U): a run visits nodes of the rules that its states speak of. (The paper's speaks of free
    /// variables only; bound ones must be there too.)
    fn upsilon(&mut self, automaton: &PathAutomaton, sets: &[SetVariable]) -> FormulaId {
        let mut parts = Vec::new();
        for (state, &set) in automaton.states.iter().zip(sets) {
            let inside = self.encoder.store.member(self.node, set);
            let labelled = self.labelled(self.node, state.rule);
            parts.push(self.encoder.store.implies(inside, labelled));
        }
        let all = self.encoder.store.and(parts);
        self.everywhere(all)
    }

    /// Path(x, y, U): variable `from.1` of the node x, which has rule `from.0`, is bound to the component
    /// that variable `to.1` of the node y, which has rule `to.0`, is bound to.
    pub(super) fn path(
        &mut self,
        from: (RuleId, VariableId),
        to: (RuleId, VariableId),
        x: NodeVariable,
        y: NodeVariable,
    ) -> FormulaId {
        let automaton = self.path_automaton(from, to);
        if automaton.initial.is_empty() || automaton.finals.is_empty() {
            return self.encoder.store.falsity();
        }
        let sets: Vec<SetVariable> = (0..automaton.states.len())
            .map(|state| self.encoder.store.new_set(format!("Q{}", state + 1)))
            .collect();
        let run = self.delta(&automaton, x, y, &sets);
        let fits = self.upsilon(&automaton, &sets);
        let body = self.encoder.store.and([fits, run]);
        self.encoder.store.exists_sets(&sets, body)
    }
}

impl PathAutomaton {
    /// Only the states on runs from initial to final ones.
    fn trim(self) -> PathAutomaton {
        let reach = |start: &[usize], is_forward: bool| {
            let mut seen: BTreeSet<usize> = start.iter().copied().collect();
            let mut open: Vec<usize> = start.to_vec();
            while let Some(state) = open.pop() {
                for transition in &self.transitions {
                    let (here, there) = if is_forward {
                        (transition.from, transition.to)
                    } else {
                        (transition.to, transition.from)
                    };
                    if here == state && seen.insert(there) {
                        open.push(there);
                    }
                }
            }
            seen
        };
        let useful: Vec<usize> =
            reach(&self.initial, true).intersection(&reach(&self.finals, false)).copied().collect();
        let renamed = |state: &usize| useful.binary_search(state).ok();
        PathAutomaton {
            states: useful.iter().filter_map(|&state| self.states.get(state)).copied().collect(),
            initial: self.initial.iter().filter_map(renamed).collect(),
            finals: self.finals.iter().filter_map(renamed).collect(),
            transitions: self
                .transitions
                .iter()
                .filter_map(|t| Some(PathTransition { from: renamed(&t.from)?, to: renamed(&t.to)?, ..*t }))
                .collect(),
        }
    }
}

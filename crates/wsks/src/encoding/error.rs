//! Error sets: deadlocks, counts, local patterns and their Boolean combinations. (Formulas over components:
//! `components`.)

use crate::encoding::binding::{Needed, Property};
use crate::encoding::{EncodeError, Encoder};
use crate::flow::Firing;
use crate::formula::FormulaId;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::rule::PatternGroupId;
use paramcheck_text::index::Idx;

impl Encoder<'_> {
    /// X is in the error set, U being a rewriting tree.
    ///
    /// # Errors
    /// The error is too large.
    pub fn error(&mut self, error: &ErrorFormula) -> Result<FormulaId, EncodeError> {
        // The nesting of errors is bounded where they are read; here it is followed without recursion
        // all the same.
        enum Step<'e> {
            Enter(&'e ErrorFormula),
            Not,
            And(usize),
            Or(usize),
        }
        let mut open = vec![Step::Enter(error)];
        let mut done: Vec<FormulaId> = Vec::new();
        while let Some(step) = open.pop() {
            let result = match step {
                Step::Enter(ErrorFormula::Not(inner)) => {
                    open.extend([Step::Not, Step::Enter(inner)]);
                    continue;
                }
                Step::Enter(ErrorFormula::And(parts)) => {
                    open.push(Step::And(parts.len()));
                    open.extend(parts.iter().rev().map(Step::Enter));
                    continue;
                }
                Step::Enter(ErrorFormula::Or(parts)) => {
                    open.push(Step::Or(parts.len()));
                    open.extend(parts.iter().rev().map(Step::Enter));
                    continue;
                }
                Step::Enter(ErrorFormula::Deadlock) => self.deadlock(),
                Step::Enter(ErrorFormula::Count(count)) => self.count(count)?,
                Step::Enter(ErrorFormula::Pattern(group)) => self.pattern(*group),
                Step::Enter(ErrorFormula::Components(formula)) => self.components(formula)?,
                Step::Not => {
                    let part = done.pop().unwrap_or_else(|| self.store.truth());
                    self.store.not(part)
                }
                Step::And(count) => {
                    let parts = done.split_off(done.len().saturating_sub(count));
                    self.store.and(parts)
                }
                Step::Or(count) => {
                    let parts = done.split_off(done.len().saturating_sub(count));
                    self.store.or(parts)
                }
            };
            done.push(result);
        }
        Ok(done.pop().unwrap_or_else(|| self.store.falsity()))
    }

    /// *DeadLock*(X, U): nothing is enabled, and some component is not in a final state.
    pub fn deadlock(&mut self) -> FormulaId {
        let unfinished = self.unfinished();
        let mut parts = vec![unfinished];
        for position in 0..self.firings.alive.len() {
            let firing = self.firings.alive[position].clone();
            parts.push(self.disabled(&firing));
        }
        let formula = self.store.and(parts);
        self.define(
            formula,
            "DeadLock",
            "No transition is enabled, and some component is not in a final state.",
        )
    }

    /// Nothing that is known never to fire is enabled.
    pub(crate) fn dropped_disabled(&mut self) -> FormulaId {
        let mut parts = Vec::new();
        for position in 0..self.firings.dropped.len() {
            let firing = self.firings.dropped[position].clone();
            parts.push(self.disabled(&firing));
        }
        self.store.and(parts)
    }

    /// Some component is in a state that is not final.
    fn unfinished(&mut self) -> FormulaId {
        let mut parts = Vec::new();
        for (rule, j, atom) in self.instances() {
            let here = self.labelled(self.node, rule);
            let mut states = Vec::new();
            for (state, s) in self.system.types[atom.component].states.enumerate() {
                if !s.is_final
                    && let Some(&track) =
                        self.tracks.marking.get(j).and_then(|tracks| tracks.get(state.index()))
                {
                    states.push(self.store.member(self.node, track));
                }
            }
            let state = self.store.or(states);
            parts.push(self.store.and([here, state]));
        }
        let any = self.store.or(parts);
        self.somewhere(any)
    }

    /// At some node all pre-places of a combination of an interaction are marked by X.
    pub fn fires(&mut self, name: &InteractionFiring) -> FormulaId {
        let all = self.firings.alive.iter().chain(&self.firings.dropped);
        let same = all.filter(|f| f.rule == name.rule && f.interaction == Some(name.interaction));
        let mut found = same.flat_map(Firing::combinations).filter(|f| f.name().as_ref() == Some(name));
        match found.next() {
            Some(firing) => self.enabled(&firing),
            None => self.store.falsity(),
        }
    }

    fn enabled(&mut self, firing: &Firing) -> FormulaId {
        let mut needed = Needed::default();
        let enabled = self.enabled_here(firing, &mut needed);
        let formula = self.somewhere(enabled);
        let mark = self.mark();
        let formula = self.store.and([mark, formula]);
        self.with_bindings(needed, formula)
    }

    /// No transition of one family is enabled in X.
    fn disabled(&mut self, firing: &Firing) -> FormulaId {
        let mut needed = Needed::default();
        let enabled = self.enabled_here(firing, &mut needed);
        let disabled = self.store.not(enabled);
        let formula = self.everywhere(disabled);
        let mark = self.mark();
        let formula = self.store.and([mark, formula]);
        let formula = self.with_bindings(needed, formula);
        let (name, text) = self.firing_text(firing);
        self.define(formula, format!("disabled_{name}"), format!("X does not enable {text}."))
    }

    /// The transition of one family at node x exists and is enabled in X.
    fn enabled_here(&mut self, firing: &Firing, needed: &mut Needed) -> FormulaId {
        let mut parts = vec![self.labelled(self.node, firing.rule)];
        for m in &firing.moves {
            let property = Property::is_in(&self.tracks.marking, m, |case| case.from);
            parts.push(self.property_of(&property, firing.rule, m.variable, needed));
        }
        self.store.and(parts)
    }

    /// The components in given states, by their weights, compared with a constant.
    fn count(&mut self, count: &Count) -> Result<FormulaId, EncodeError> {
        let mut conditions = Vec::new();
        for (rule, j, atom) in self.instances() {
            for &(component, state, weight) in &count.weights {
                if component == atom.component
                    && let Some(&track) =
                        self.tracks.marking.get(j).and_then(|tracks| tracks.get(state.index()))
                {
                    let here = self.labelled(self.node, rule);
                    let inside = self.store.member(self.node, track);
                    conditions.push((weight, self.store.and([here, inside])));
                }
            }
        }
        let bound = count.bound;
        let (at, negated) = match count.comparison {
            Comparison::AtLeast => (bound, false),
            Comparison::Less => (bound, true),
            Comparison::Greater => (bound.saturating_add(1), false),
            Comparison::AtMost => (bound.saturating_add(1), true),
            Comparison::Equal => return self.exactly(&conditions, bound),
            Comparison::NotEqual => {
                let equal = self.exactly(&conditions, bound)?;
                return Ok(self.store.not(equal));
            }
        };
        let enough = self.at_least(&conditions, at)?;
        Ok(if negated { self.store.not(enough) } else { enough })
    }

    /// A pattern of the group occurs at some node.
    fn pattern(&mut self, group: PatternGroupId) -> FormulaId {
        let mut ways = Vec::new();
        for position in 0..self.tracks.labels.len() {
            let rule = self.tracks.labels[position].0;
            for pattern in self.rule(rule).patterns.iter().filter(|pattern| pattern.group == group) {
                let mut needed = Needed::default();
                let mut parts = vec![self.labelled(self.node, rule)];
                for (variable, places) in &pattern.conditions {
                    let property = Property::IsIn(self.tracks.marking.clone(), places.clone());
                    parts.push(self.property_of(&property, rule, *variable, &mut needed));
                }
                let here = self.store.and(parts);
                let occurs = self.somewhere(here);
                let mark = self.mark();
                let occurs = self.store.and([mark, occurs]);
                ways.push(self.with_bindings(needed, occurs));
            }
        }
        let formula = self.store.or(ways);
        let name = self.system.pattern_groups[group].clone();
        self.define(formula, format!("pattern_{name}"), format!("A pattern of `{name}` occurs."))
    }
}

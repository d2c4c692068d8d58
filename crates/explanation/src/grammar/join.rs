//! All productions of one rule for one kind: what is listed is put together atom by atom, and held against all
//! transitions of the rule.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::{Atom, InteractionId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::parts::Parts;
use super::{
    Content, Dropped, Grammar, Production, Shape, Weights, falls_into_parts, is_nothing, is_relative,
};
use crate::NotExplained;

/// More productions, or attempts to make one, are not looked at.
const MAX_PRODUCTIONS: usize = 20_000;
const MAX_ATTEMPTS: usize = 2_000_000;

/// All productions of one rule for one kind, atom by atom.
pub(super) struct Join<'a> {
    pub(super) system: &'a System,
    pub(super) rule: (RuleId, &'a Rule),
    pub(super) kind: InvariantKind,
    pub(super) parts: &'a Parts,
    pub(super) dropped: &'a [Dropped],
    pub(super) budget: &'a Budget,
    pub(super) attempts: &'a mut usize,
    pub(super) grammar: &'a mut Grammar,
    /// Per variable what the set contains of it, as far as that is known.
    pub(super) bound: Vec<Option<Content>>,
    /// Per instance atom so far where its component starts.
    pub(super) starts: Vec<Vec<StateId>>,
    /// What that, and the shapes below, have marked at the start.
    pub(super) initial: i64,
    pub(super) children: Vec<usize>,
}

impl Join<'_> {
    /// Chooses for the atoms from `position` on.
    pub(super) fn atoms(&mut self, position: usize) -> Result<(), NotExplained> {
        *self.attempts += 1;
        if *self.attempts > MAX_ATTEMPTS {
            return Err(NotExplained::TooLarge);
        }
        if self.attempts.is_multiple_of(1024) {
            self.budget.check().map_err(NotExplained::Stopped)?;
        }
        let (id, rule) = self.rule;
        match rule.atoms.get(position) {
            None => self.borrowed(0),
            Some(Atom::Instance(atom)) => {
                let known = self.parts.get(&(self.kind, id, atom.variable)).map_or(&[][..], Vec::as_slice);
                let fitting = known.iter().filter(|content| content.0 == atom.component);
                for content in fitting.cloned().collect::<Vec<_>>() {
                    if !self.keeps_internal(&content) {
                        continue;
                    }
                    for (weight, starts) in self.classes(&content.1, &atom.initial) {
                        self.starts.push(starts);
                        self.initial += weight;
                        self.bind(&[atom.variable], std::slice::from_ref(&content), |join| {
                            join.atoms(position + 1)
                        })?;
                        self.initial -= weight;
                        self.starts.pop();
                    }
                }
                Ok(())
            }
            Some(Atom::Predicate(call)) => {
                for shape in 0..self.grammar.shapes.len() {
                    let Shape { kind, predicate, contents, initial, .. } = &self.grammar.shapes[shape];
                    if (*kind, *predicate) == (self.kind, call.predicate) {
                        let (contents, initial) = (contents.clone(), *initial);
                        self.children.push(shape);
                        self.initial += initial;
                        self.bind(&call.arguments, &contents, |join| join.atoms(position + 1))?;
                        self.initial -= initial;
                        self.children.pop();
                    }
                }
                Ok(())
            }
        }
    }

    /// Chooses for the parameters that no atom knows, from `position` on.
    fn borrowed(&mut self, position: usize) -> Result<(), NotExplained> {
        let (id, rule) = self.rule;
        if position >= rule.parameter_count {
            return self.finish();
        }
        if self.bound[position].is_some() {
            return self.borrowed(position + 1);
        }
        let variable = VariableId::new(position);
        let known = self.parts.get(&(self.kind, id, variable)).map_or(&[][..], Vec::as_slice);
        for content in known.iter().cloned() {
            self.bind(&[variable], &[content], |join| join.borrowed(position + 1))?;
        }
        Ok(())
    }

    /// Goes on with the variables bound so, where that agrees with what is known of them.
    fn bind(
        &mut self,
        variables: &[VariableId],
        contents: &[Content],
        next: impl FnOnce(&mut Self) -> Result<(), NotExplained>,
    ) -> Result<(), NotExplained> {
        let (_, rule) = self.rule;
        let before = self.bound.clone();
        let mut agrees = variables.len() == contents.len();
        for (variable, content) in variables.iter().zip(contents) {
            let place = &mut self.bound[variable.index()];
            agrees &= rule.variables[*variable].types.contains(&content.0);
            agrees &= place.as_ref().is_none_or(|known| known == content);
            *place = Some(content.clone());
        }
        let result = if agrees { next(self) } else { Ok(()) };
        self.bound = before;
        result
    }

    /// Where a component may start, by how much of the set is then marked. Where only changes count it does not
    /// matter.
    fn classes(&self, weights: &Weights, initial: &[StateId]) -> BTreeMap<i64, Vec<StateId>> {
        let mut classes: BTreeMap<i64, Vec<StateId>> = BTreeMap::new();
        for state in initial {
            let weight = if is_relative(self.kind) { 0 } else { weights[state.index()] };
            classes.entry(weight).or_default().push(*state);
        }
        classes
    }

    fn keeps_internal(&self, (component, weights): &Content) -> bool {
        let mut transitions = self.system.types[*component].internal_transitions();
        transitions
            .all(|(_, one)| self.kind.admits_transition(weights[one.from.index()], weights[one.to.index()]))
    }

    /// Of kinds whose sets fall into parts: whether what was chosen has nothing in the set. `None` where it has a part
    /// below that can't be seen from here, so that no step changes it together with the rest, beside something else.
    fn is_empty(&self, bound: &[Content]) -> Option<bool> {
        if !falls_into_parts(self.kind) {
            return Some(false);
        }
        let children = || self.children.iter().map(|child| &self.grammar.shapes[*child]);
        let hidden = children().filter(|child| child.is_hidden() && !child.is_empty).count();
        let seen = bound.iter().filter(|(_, weights)| !is_nothing(weights)).count();
        (hidden == 0 || hidden + seen == 1).then_some(hidden + seen == 0)
    }

    /// Adds the production that was chosen, if its shape is listed and every transition keeps the set.
    fn finish(&mut self) -> Result<(), NotExplained> {
        let (id, rule) = self.rule;
        let Some(bound) = self.bound.iter().cloned().collect::<Option<Vec<Content>>>() else { return Ok(()) };
        let contents = bound[..rule.parameter_count].to_vec();
        let initial = match usize::try_from(self.initial) {
            Ok(sum) if !is_relative(self.kind) => i64::from(self.kind.saturate(sum)),
            _ => 0,
        };
        let Some(is_empty) = self.is_empty(&bound) else { return Ok(()) };
        let shape = Shape { kind: self.kind, predicate: rule.head, contents, initial, is_empty };
        let Some(shape) = self.grammar.shapes.iter().position(|known| *known == shape) else { return Ok(()) };
        let (mut needs, mut is_constant) = (BTreeSet::new(), true);
        for interaction in rule.interactions.indices() {
            let Some((broken_without, constant)) = self.keeps(interaction, &bound) else { return Ok(()) };
            needs.extend(broken_without);
            is_constant &= constant;
        }
        let places: Vec<Weights> =
            rule.instance_atoms().map(|atom| bound[atom.variable.index()].1.clone()).collect();
        for (atom, weights) in rule.instance_atoms().zip(&places) {
            let mut alone = self.system.types[atom.component].internal_transitions();
            is_constant &= alone.all(|(_, one)| weights[one.from.index()] == weights[one.to.index()]);
        }
        let children = self.children.clone();
        let production =
            Production { shape, rule: id, places, starts: self.starts.clone(), children, needs, is_constant };
        let productions = &mut self.grammar.productions;
        if self.grammar.of_rule[id].iter().any(|known| productions[*known] == production) {
            return Ok(());
        }
        if productions.len() >= MAX_PRODUCTIONS {
            return Err(NotExplained::TooLarge);
        }
        self.grammar.of_rule[id].push(productions.len());
        productions.push(production);
        Ok(())
    }

    /// Whether all transitions of an interaction keep the set: then the dropped ones that would not, and
    /// whether the others leave its weight as it is.
    fn keeps(&self, interaction: InteractionId, bound: &[Content]) -> Option<(Vec<usize>, bool)> {
        let (id, rule) = self.rule;
        let participants = &rule.interactions[interaction].participants;
        // How many transitions have which weight before and after: few sums, where transitions are many.
        let mut ways: BTreeMap<(i64, i64), u128> = BTreeMap::from([((0, 0), 1)]);
        for (port, variable) in participants {
            let (component, weights) = &bound[variable.index()];
            let mut next: BTreeMap<(i64, i64), u128> = BTreeMap::new();
            for (_, one) in self.system.types[*component].transitions_on(*port) {
                for ((pre, post), count) in &ways {
                    let sums = (pre + weights[one.from.index()], post + weights[one.to.index()]);
                    let sum = next.entry(sums).or_default();
                    *sum = sum.saturating_add(*count);
                }
            }
            ways = next;
        }
        let mut broken = Vec::new();
        for (position, dropped) in self.dropped.iter().enumerate() {
            let types = dropped.moves.iter().map(|one| one.0);
            let is_here = (dropped.rule, dropped.interaction) == (id, interaction)
                && types.eq(participants.iter().map(|(_, variable)| bound[variable.index()].0));
            if !is_here {
                continue;
            }
            let (mut pre, mut post) = (0, 0);
            for ((_, from, to), (_, variable)) in dropped.moves.iter().zip(participants) {
                let weights = &bound[variable.index()].1;
                pre += weights[from.index()];
                post += weights[to.index()];
            }
            if let Some(count) = ways.get_mut(&(pre, post)) {
                *count = count.saturating_sub(1);
            }
            if !self.kind.admits_transition(pre, post) {
                broken.push(position);
            }
        }
        ways.retain(|_, count| *count > 0);
        let keeps = ways.keys().all(|(pre, post)| self.kind.admits_transition(*pre, *post));
        keeps.then(|| (broken, ways.keys().all(|(pre, post)| pre == post)))
    }
}

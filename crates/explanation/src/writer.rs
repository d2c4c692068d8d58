//! From chosen families of sets to what is said of them: the reasons of an explanation, in terms of the model.
//!
//! In: the cases that were looked at, and the families chosen for them. Out: a [`Reason`], and the derivations
//! that its sets come from.

use std::collections::BTreeSet;
use std::rc::Rc;

use paramcheck_certificate::data::{ExclusivePair, Proof};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::limits::{Budget, Stop};

use crate::choose::{Case, Choice, Chosen, Excluded, choose};
use crate::family::{Set, weight};
use crate::goal::{self, Goal};
use crate::grammar::{self, Dropped, Grammar, Shape};
use crate::instances::Instance;
use crate::large::{self, Subject};
use crate::pattern::{Pattern, Weighted};
use crate::search::Together;
use crate::sentence::{Sides, Steps};
use crate::{Derivation, Elsewhere, Move, NotExplained, Place, Reason, ShownSet, sentence, starts};

/// Two states of components that a rule creates, by the position of their atoms.
pub(crate) type Pair = (RuleId, [(usize, StateId); 2]);

/// What was chosen for a goal, and where.
pub(crate) struct Found {
    pub(crate) grammar: Grammar,
    /// The instances; first the one that sets are shown in.
    pub(crate) cases: Vec<Case>,
    pub(crate) choice: Choice,
    /// Of an instance with too many markings to look at each ([`Writer::large`]): whether what was chosen is enough
    /// there, where that was found out.
    pub(crate) is_enough: Option<bool>,
    /// Positions in [`Writer::checked`] of instances that were added to `cases`.
    pub(crate) added: Vec<usize>,
    /// Positions there of others in which what was chosen excludes the goal.
    pub(crate) covered: Vec<usize>,
}

/// What was chosen for a large instance is held against it so often at most, and what is then open is added.
const MAX_ROUNDS: usize = 12;

/// To the cases that sets are chosen for, no more are added in which these are not enough.
const MAX_ADDED: usize = 4;
/// How much work may be spent on that, in looks at the budget.
const MAX_WIDENING: u64 = 20_000;

/// The steps of no more sets of one instance are looked at.
const MAX_STEPPED: usize = 32;

/// What all proofs of a certificate have in common.
pub(crate) struct Writer<'a> {
    pub(crate) system: &'a System,
    /// The instance that sets are shown in, if it is none of `instances`: one with too many markings to look at
    /// each.
    pub(crate) large: Option<Instance>,
    pub(crate) dropped: Vec<Dropped>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) instances: Vec<Instance>,
    /// Further instances, against which what is chosen for those is held.
    pub(crate) checked: Vec<Instance>,
    pub(crate) budget: &'a Budget,
}

/// Who does what in an interaction that never fires.
pub(crate) fn moves(system: &System, dropped: &Dropped) -> Vec<Move> {
    let rule = &system.rules[dropped.rule];
    let participants = rule.interactions.get(dropped.interaction).map(|one| one.participants.as_slice());
    let moves = participants.unwrap_or_default().iter().zip(&dropped.moves);
    let moves = moves.map(|((port, variable), (component, from, to))| {
        let component = &system.types[*component];
        Move {
            variable: rule.variables[*variable].name.clone(),
            component: component.name.clone(),
            port: system.ports[*port].to_string(),
            from: component.states[*from].name.clone(),
            to: component.states[*to].name.clone(),
        }
    });
    moves.collect()
}

/// The rule of a pair, and per component the instance atom and the state.
pub(crate) fn resolve_pair(system: &System, pair: &ExclusivePair) -> Option<Pair> {
    let id = grammar::rule_named(system, &pair.rule)?;
    let rule = &system.rules[id];
    let resolve = |variable: &str, state: &str| {
        let mut atoms = rule.instance_atoms().enumerate();
        let (position, atom) = atoms.find(|(_, atom)| rule.variables[atom.variable].name == variable)?;
        Some((position, system.types[atom.component].state_named(state)?))
    };
    let first = resolve(&pair.first.variable, &pair.first.state)?;
    Some((id, [first, resolve(&pair.second.variable, &pair.second.state)?]))
}

impl Writer<'_> {
    /// What is needed to exclude the goal, by `proof`, in which the first `dropped` interactions never fire.
    pub(crate) fn choice(
        &self,
        goal: Goal<'_>,
        proof: &Proof,
        everything: (usize, bool),
    ) -> Result<Found, NotExplained> {
        let (system, budget) = (self.system, self.budget);
        let (dropped, pairs) = self.known(everything);
        let grammar = Grammar::new(system, proof, dropped, budget)?;
        let mut cases = goal::cases(system, &self.instances, goal, budget)?;
        let Some((tree, net)) = &self.large else {
            let choice = choose(system, &grammar, &cases, &self.others(&cases, everything), budget)?;
            let found =
                Found { grammar, cases, choice, is_enough: None, added: Vec::new(), covered: Vec::new() };
            return self.widened(found, goal, everything);
        };
        let others: Vec<_> = (dropped.iter().map(|one| large::enabling(net, one)))
            .chain(pairs.iter().map(|pair| large::both(tree, net, pair)))
            .collect();
        let subject = Subject { system, grammar: &grammar, tree, net, others: &others, budget };
        let found = match subject.markings(goal) {
            Err(NotExplained::Stopped(stop)) => return Err(NotExplained::Stopped(stop)),
            found => found.unwrap_or_default(),
        };
        let can_search = found.is_some();
        cases.insert(0, Case { tree: tree.clone(), net: net.clone(), errors: found.unwrap_or_default() });
        let mut round = 0;
        let (choice, is_enough) = loop {
            let choice = choose(system, &grammar, &cases, &self.others(&cases, everything), budget)?;
            if !can_search {
                break (choice, None);
            }
            round += 1;
            match subject.left_open(goal, &choice.families, &choice.reasons) {
                Ok(open) if open.is_empty() => break (choice, Some(true)),
                Ok(open) => {
                    let known = &mut cases[0].errors;
                    // What nothing excludes even now stays open.
                    if round >= MAX_ROUNDS || open.iter().any(|marking| known.contains(marking)) {
                        break (choice, Some(false));
                    }
                    known.extend(open);
                }
                Err(NotExplained::Stopped(stop)) => return Err(NotExplained::Stopped(stop)),
                Err(_) => break (choice, None),
            }
        };
        Ok(Found { grammar, cases, choice, is_enough, added: Vec::new(), covered: Vec::new() })
    }

    /// What was found, held against further instances; one in which it is not enough is added to the cases, and it
    /// is chosen again. What that would cost beyond [`MAX_WIDENING`] is left.
    fn widened(
        &self,
        mut found: Found,
        goal: Goal<'_>,
        everything: (usize, bool),
    ) -> Result<Found, NotExplained> {
        let budget = self.budget.with_work(MAX_WIDENING);
        if matches!(goal, Goal::Anything) {
            return Ok(found);
        }
        loop {
            match self.held_against_others(&mut found, goal, everything, &budget) {
                Ok(None) | Err(NotExplained::Stopped(Stop::Work) | NotExplained::TooLarge) => {
                    return Ok(found);
                }
                Err(reason) => return Err(reason),
                Ok(Some(_)) if found.added.len() >= MAX_ADDED => return Ok(found),
                Ok(Some((at, case))) => {
                    let mut cases = found.cases.clone();
                    cases.push(case);
                    let others = self.others(&cases, everything);
                    let choice = match choose(self.system, &found.grammar, &cases, &others, &budget) {
                        Ok(choice) => choice,
                        Err(NotExplained::Stopped(Stop::Work)) => return Ok(found),
                        Err(reason) => return Err(reason),
                    };
                    // What nothing excludes stays as it was.
                    if choice.open > found.choice.open {
                        return Ok(found);
                    }
                    (found.cases, found.choice) = (cases, choice);
                    found.added.push(at);
                }
            }
        }
    }

    /// The first of the further instances in which what was chosen is not enough; those before it are covered.
    fn held_against_others(
        &self,
        found: &mut Found,
        goal: Goal<'_>,
        everything: (usize, bool),
        budget: &Budget,
    ) -> Result<Option<(usize, Case)>, NotExplained> {
        found.covered.clear();
        for (at, instance) in self.checked.iter().enumerate() {
            if found.added.contains(&at) {
                continue;
            }
            let cases = goal::cases(self.system, std::slice::from_ref(instance), goal, budget)?;
            let others = self.others(&cases, everything);
            let Some(case) = cases.into_iter().next() else { continue };
            let others: Vec<&[bool]> = (found.choice.reasons.iter())
                .filter_map(|reason| others.get(*reason)?.first().map(Vec::as_slice))
                .collect();
            if !found.choice.covers(self.system, &found.grammar, &case, &others, budget)? {
                return Ok(Some((at, case)));
            }
            found.covered.push(at);
        }
        Ok(None)
    }

    /// Per reason that is no set, per case and marking, whether it excludes it.
    fn others(&self, cases: &[Case], everything: (usize, bool)) -> Vec<Excluded> {
        let (dropped, pairs) = self.known(everything);
        let per_marking = |holds: &dyn Fn(&Case, &Marking) -> bool| -> Excluded {
            let of_case = |case: &Case| case.errors.iter().map(|marking| holds(case, marking)).collect();
            cases.iter().map(of_case).collect()
        };
        let enabled =
            dropped.iter().map(|one| per_marking(&|case, marking| goal::enables(&case.net, marking, one)));
        let excluded = pairs.iter().map(|pair| {
            per_marking(&|case, marking| {
                let is_marked = |places: &Together| places.iter().all(|(id, state)| marking[*id] == *state);
                large::both(&case.tree, &case.net, pair).iter().any(is_marked)
            })
        });
        enabled.chain(excluded).collect()
    }

    /// The interactions that never fire, and the pairs, that a proof may rest on.
    fn known(&self, (dropped, with_pairs): (usize, bool)) -> (&[Dropped], &[Pair]) {
        let dropped = self.dropped.get(..dropped).unwrap_or_default();
        (dropped, if with_pairs { self.pairs.as_slice() } else { &[] })
    }

    /// Why no marking of the goal is reached, by what was chosen.
    pub(crate) fn reason(
        &self,
        goal: Goal<'_>,
        found: Found,
        everything: (usize, bool),
        derivations: &mut Vec<Derivation>,
    ) -> Result<Reason, NotExplained> {
        let Found { grammar, cases, choice, is_enough, .. } = found;
        let (dropped, pairs) = self.known(everything);
        let grammar = Rc::new(grammar);
        derivations.extend(choice.families.iter().map(|one| Derivation {
            pattern: Pattern::of(self.system, &grammar, &one.family),
            grammar: Rc::clone(&grammar),
            family: one.family.clone(),
        }));
        let used: BTreeSet<usize> = (choice.families.iter())
            .flat_map(|one| &one.family.productions)
            .map(|id| grammar.productions[*id].shape)
            .collect();
        let is_used = |one: &&Shape| used.iter().any(|shape| grammar.shapes[*shape].is_listed_as(one));
        let used_shapes = grammar.listed.iter().filter(is_used).count();
        let first = cases.first().ok_or(NotExplained::TooLarge)?;
        let is_counted = self.large.is_none() && !matches!(goal, Goal::Anything);
        let mut sets = self.sets(&grammar, &cases, choice.families);
        if !is_counted {
            sets.iter_mut().for_each(|set| set.excludes = 0);
        }
        let (mut enabled, mut exclusive) = (Vec::new(), Vec::new());
        for reason in choice.reasons {
            match reason.checked_sub(dropped.len()) {
                None => enabled.push(reason),
                Some(pair) => exclusive.extend(pairs.get(pair).map(|pair| {
                    let count = pairs.iter().filter(|other| other.0 == pair.0).count();
                    sentence::pair(self.system, pair, count)
                })),
            }
        }
        let mut reason = Reason {
            sets,
            exclusive,
            enabled,
            error_markings: if is_counted { first.errors.len() } else { 0 },
            is_enough,
            open: if matches!(goal, Goal::Anything) { 0 } else { choice.open },
            contradiction: Vec::new(),
            shapes: grammar.listed.len(),
            used_shapes,
        };
        let term = print_term(self.system, &first.tree);
        reason.contradiction = match self.large {
            Some(_) => {
                let sizes = self.instances.iter().map(|(tree, _)| tree.size()).max();
                vec![sentence::in_large(&term, goal, is_enough, sizes)]
            }
            None => sentence::contradiction(&reason, (&term, first), goal),
        };
        Ok(reason)
    }

    /// The families in terms of the model, spelled out in the first case; those that are alike once, by the one with
    /// most sets there.
    fn sets(&self, grammar: &Grammar, cases: &[Case], families: Vec<Chosen>) -> Vec<ShownSet> {
        let Some(case) = cases.first() else { return Vec::new() };
        let mut groups: Vec<(Likeness, Vec<(ShownSet, Chosen)>)> = Vec::new();
        for chosen in families {
            let set = self.set(grammar, cases, &chosen);
            let likeness = likeness(&set);
            match groups.iter_mut().find(|(known, _)| *known == likeness) {
                Some((_, group)) => group.push((set, chosen)),
                None => groups.push((likeness, vec![(set, chosen)])),
            }
        }
        let merged = groups.into_iter().filter_map(|(_, mut group)| {
            group.sort_by_key(|(set, _)| std::cmp::Reverse(set.sets.len()));
            // A marking that several of them exclude counts once.
            let is_excluded = |at: usize| group.iter().any(|(_, one)| one.excluded_at_first()[at]);
            let excludes = (0..case.errors.len()).filter(|at| is_excluded(*at)).count();
            let elsewhere = (excludes == 0).then(|| self.elsewhere(cases, &group)).flatten();
            let mut group = group.into_iter().map(|(set, _)| set);
            let mut shown = group.next()?;
            shown.excludes = excludes;
            shown.elsewhere = elsewhere;
            for set in group {
                for (places, start) in set.sets.into_iter().zip(set.initially) {
                    if !shown.sets.contains(&places) && !shown.alike_sets.contains(&places) {
                        shown.alike_sets.push(places);
                        shown.initially.push(start);
                    }
                }
                shown.alike.push(set.pattern);
                shown.alike_summaries.push(set.summary);
                shown.needs.extend(set.needs);
            }
            shown.needs.sort_unstable();
            shown.needs.dedup();
            Some(shown)
        });
        let mut merged: Vec<ShownSet> = merged.collect();
        // First what the instance needs.
        merged.sort_by_key(|set| set.elsewhere.is_some());
        merged
    }

    /// The smallest case in which one of these excludes an error marking, and their sets there.
    fn elsewhere(&self, cases: &[Case], group: &[(ShownSet, Chosen)]) -> Option<Elsewhere> {
        let excludes = |at: &usize| group.iter().any(|(_, one)| one.excludes_some(*at));
        let needing = (0..cases.len()).filter(excludes);
        let at = needing.min_by_key(|at| (cases[*at].net.components().len(), *at))?;
        let case = &cases[at];
        let (mut sets, mut initially): (Vec<Vec<Place>>, Vec<i64>) = (Vec::new(), Vec::new());
        let initial = case.net.initial();
        for set in group.iter().filter_map(|(_, one)| one.sets.get(at)).flatten() {
            let places = spelled_out(self.system, &case.net, set);
            if !places.is_empty() && !sets.contains(&places) {
                sets.push(places);
                initially.push(weight(set, &initial));
            }
        }
        Some(Elsewhere { instance: print_term(self.system, &case.tree), sets, initially })
    }

    fn set(&self, grammar: &Grammar, cases: &[Case], chosen: &Chosen) -> ShownSet {
        let (system, family) = (self.system, &chosen.family);
        let kind = grammar.shapes[family.root].kind;
        let pattern = chosen.pattern.clone();
        let sets = chosen.sets.first().map_or(&[][..], Vec::as_slice);
        let spell_out =
            |set: &Set| cases.first().map_or_else(Vec::new, |case| spelled_out(system, &case.net, set));
        let start = |set: &Set| cases.first().map_or(0, |case| weight(set, &case.net.initial()));
        let productions = family.productions.iter().map(|id| &grammar.productions[*id]);
        let is_constant = productions.clone().all(|one| one.is_constant);
        let needs: BTreeSet<usize> = productions.flat_map(|one| one.needs.iter().copied()).collect();
        let starts = starts::starts(grammar, family);
        let scope = sentence::Scope {
            is_everywhere: !chosen.is_part
                && starts::is_everywhere(system, grammar, family)
                && pattern.is_single(),
            start: starts.filter(|all| all.len() == 1).and_then(|all| all.into_iter().next()),
        };
        let sides = Sides::of(&pattern);
        // Remainders may change either way.
        let is_exact = family.is_exact(grammar) || matches!(kind, InvariantKind::Modulo(_));
        let words = sentence::words(system, &pattern, scope.is_everywhere, kind.is_weighted());
        ShownSet {
            kind: kind.to_string(),
            summary: sentence::summary(&pattern, (kind, &scope, is_constant), &words),
            is_exact: family.is_exact(grammar),
            says: sentence::says(kind, &scope, is_constant, sides),
            because: sentence::because(kind, is_constant, sides, needs.len()),
            steps: if kind.is_weighted() {
                self.steps(cases, chosen, &needs, (sides, is_exact))
            } else {
                Vec::new()
            },
            places: words.places,
            nodes: words.nodes,
            pattern,
            initially: sets.iter().map(start).collect(),
            sets: sets.iter().map(spell_out).collect(),
            excludes: 0,
            elsewhere: None,
            needs: needs.into_iter().collect(),
            alike: Vec::new(),
            alike_summaries: Vec::new(),
            alike_sets: Vec::new(),
        }
    }

    /// Which steps change a sum, in all cases; those of `needs` never happen.
    fn steps(
        &self,
        cases: &[Case],
        chosen: &Chosen,
        needs: &BTreeSet<usize>,
        (sides, is_exact): (Sides, bool),
    ) -> Vec<String> {
        let dropped: Vec<&Dropped> = needs.iter().filter_map(|one| self.dropped.get(*one)).collect();
        let mut steps = Steps::default();
        for (case, sets) in cases.iter().zip(&chosen.sets) {
            for set in sets.iter().take(MAX_STEPPED) {
                let happens =
                    |one: &_| !dropped.iter().any(|dropped| goal::is_dropped(&case.net, one, dropped));
                steps.add(self.system, &case.net, set, happens);
            }
        }
        steps.lines(sides, is_exact)
    }
}

/// What families that differ only in where they lie have in common: their kind, and what their sets consist of.
type Likeness = (String, BTreeSet<(String, Vec<Weighted>)>);

fn likeness(set: &ShownSet) -> Likeness {
    let places = set.pattern.roles.iter().flat_map(|role| &role.ways).flat_map(|way| &way.places);
    (set.kind.clone(), places.map(|one| (one.component.clone(), one.states.clone())).collect())
}

fn spelled_out(system: &System, net: &Net, set: &Set) -> Vec<Place> {
    let mut places = Vec::new();
    for (component, weights) in net.components().iter().zip(set) {
        let states = system.types[component.component_type].states.iter().zip(weights).enumerate();
        places.extend(states.filter(|(_, (_, weight))| **weight != 0).map(|(number, (state, weight))| {
            Place { component: component.name.clone(), state: state.name.clone(), number, weight: *weight }
        }));
    }
    places
}

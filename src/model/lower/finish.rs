//! From drafts without mistakes to the system.

use rustc_hash::FxHashMap;

use super::draft::{AtomDraft, Draft, PatternDraft, RuleDraft, Target};
use super::duplicate;
use super::names::Report;
use super::ownership::Owners;
use super::productive::Derivable;
use super::types::{Matches, Types};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::model::warnings;
use crate::model::error::NamedError;
use crate::model::rule::{
    Atom, InstanceAtom, Interaction, Ownership, Parameter, Pattern, Predicate, PredicateAtom, PredicateId,
    Rule, RuleId, Variable,
};
use crate::model::system::System;
use crate::source::Span;
use crate::support::index::IndexVec;

/// Everything that has been found out.
pub(super) struct Findings<'f, 'a> {
    /// The rules.
    pub draft: &'f Draft<'a>,
    /// What can be derived.
    pub derivable: &'f Derivable,
    /// Who creates what.
    pub owners: &'f Owners,
    /// Types.
    pub types: &'f Types,
    /// Per rule, pattern and condition the states that match.
    pub conditions: &'f IndexVec<RuleId, Vec<Vec<Matches>>>,
}

/// Makes the system, if there was no error; leaves out rules that are there already.
pub(super) fn finish(findings: &Findings, errors: Vec<NamedError>, report: &mut Report) -> Option<System> {
    let draft = findings.draft;
    let root = draft.root.filter(|_| !report.has_errors())?;
    let mut predicates = findings.predicates();
    let mut rules = IndexVec::new();
    let mut seen = FxHashMap::default();
    for (id, rule) in draft.rules.enumerate() {
        if let Some(first) = seen.insert(duplicate::canonical(rule), id) {
            let (span, first_span) = (rule_span(rule), rule_span(&draft.rules[first]));
            let message =
                format!("this rule of `{}` is written twice", draft.predicates[rule.head].head.text);
            let diagnostic = Diagnostic::new(&warnings::DUPLICATE_RULE, message, span, "left out");
            report.add(diagnostic.label(first_span, "first written here"));
            continue;
        }
        let predicate: &mut Predicate = &mut predicates[rule.head];
        let label = format!("{}.{}", predicate.name, predicate.rules.len() + 1);
        predicate.rules.push(rules.push(findings.rule(id, rule, label)));
    }
    Some(System {
        types: draft.components.types.clone(),
        ports: draft.components.ports.clone(),
        predicates,
        rules,
        root,
        pattern_groups: draft.groups.groups.iter().map(|(name, _)| (*name).to_owned()).collect(),
        errors: errors.into_iter().collect(),
    })
}

/// What to show of a rule: its head, or the alternative if there are several.
fn rule_span(rule: &RuleDraft) -> Span {
    if rule.syntax.bodies.len() == 1 { rule.syntax.head.span } else { rule.body.span }
}

impl Findings<'_, '_> {
    /// The predicates, without their rules.
    fn predicates(&self) -> IndexVec<PredicateId, Predicate> {
        let parameter = |id, position| Parameter {
            ownership: if self.owners.parameters.is_owned(id, position) {
                Ownership::Owned
            } else {
                Ownership::Borrowed
            },
            types: self.types.of_parameter(id, position),
        };
        let predicates = self.draft.predicates.enumerate().map(|(id, predicate)| Predicate {
            name: predicate.head.text.clone(),
            parameters: (0..predicate.arity).map(|position| parameter(id, position)).collect(),
            rules: Vec::new(),
            is_reachable: self.derivable.is_reachable[id],
        });
        predicates.collect()
    }

    /// A rule.
    fn rule(&self, id: RuleId, rule: &RuleDraft, label: String) -> Rule {
        let variables = rule.variables.enumerate().map(|(variable, syntax)| Variable {
            name: syntax.name.text.clone(),
            types: self.types.of_variable(id, variable),
        });
        let interactions = rule.interactions.iter().map(|interaction| Interaction {
            participants: interaction.participants.iter().map(|part| (part.port, part.variable)).collect(),
        });
        let patterns = rule.patterns.iter().zip(&self.conditions[id]);
        Rule {
            head: rule.head,
            label,
            parameter_count: rule.parameter_count,
            variables: variables.collect(),
            atoms: rule.atoms.iter().filter_map(atom).collect(),
            interactions: interactions.collect(),
            patterns: patterns.map(|(pattern, matches)| finish_pattern(pattern, matches)).collect(),
        }
    }
}

/// An atom.
fn atom(atom: &AtomDraft) -> Option<Atom> {
    match &atom.target {
        Target::Instance(component, initial) => Some(Atom::Instance(InstanceAtom {
            component: *component,
            initial: initial.clone(),
            variable: *atom.arguments.first()?,
        })),
        Target::Predicate(predicate) => {
            Some(Atom::Predicate(PredicateAtom { predicate: *predicate, arguments: atom.arguments.clone() }))
        }
        Target::Unknown => None,
    }
}

/// A pattern with the states found for its conditions.
fn finish_pattern(pattern: &PatternDraft, matches: &[Matches]) -> Pattern {
    let conditions = pattern.conditions.iter().zip(matches);
    Pattern {
        group: pattern.group,
        conditions: conditions.map(|(part, matches)| (part.variable, matches.clone())).collect(),
    }
}

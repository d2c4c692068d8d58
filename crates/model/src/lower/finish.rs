//! From drafts without mistakes to the system.

use rustc_hash::FxHashMap;

use super::draft::{AtomDraft, Draft, Participant, PatternDraft, RuleDraft, Target};
use super::duplicate;
use super::names::Report;
use super::ownership::Owners;
use super::productive::Derivable;
use super::types::{Matches, Types};
use crate::error::NamedError;
use crate::rule::{
    Atom, InstanceAtom, Interaction, Ownership, Parameter, Pattern, Predicate, PredicateAtom, PredicateId,
    Rule, RuleId, Variable,
};
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::{errors, warnings};
use paramcheck_text::index::IndexVec;
use paramcheck_text::source::Span;

/// Everything that has been found out.
pub(super) struct Findings<'f, 'a> {
    /// The rules.
    pub(crate) draft: &'f Draft<'a>,
    /// What can be derived.
    pub(crate) derivable: &'f Derivable,
    /// Who creates what.
    pub(crate) owners: &'f Owners,
    /// Types.
    pub(crate) types: &'f Types,
    /// Per rule, pattern and condition the states that match.
    pub(crate) conditions: &'f IndexVec<RuleId, Vec<Vec<Matches>>>,
}

/// Makes the system, if there was no error; leaves out rules that are there already.
pub(super) fn finish(findings: &Findings, named: Vec<NamedError>, report: &mut Report) -> Option<System> {
    let draft = findings.draft;
    let root = draft.root.filter(|_| !report.has_errors())?;
    let mut predicates = findings.predicates();
    let mut rules = IndexVec::new();
    let mut seen = FxHashMap::default();
    let mut ordinals: FxHashMap<PredicateId, usize> = FxHashMap::default();
    for (id, rule) in draft.rules.enumerate() {
        // Numbers are those of the source: a rule left out keeps its own.
        let ordinal = ordinals.entry(rule.head).or_default();
        *ordinal += 1;
        if let Some(first) = seen.insert(duplicate::canonical(rule), id) {
            let (span, first_span) = (rule_span(rule), rule_span(&draft.rules[first]));
            let message =
                format!("this rule of `{}` is written twice", draft.predicates[rule.head].head.text);
            let diagnostic = Diagnostic::new(&warnings::DUPLICATE_RULE, message, span, "left out");
            report.add(diagnostic.label(first_span, "first written here"));
            continue;
        }
        let predicate: &mut Predicate = &mut predicates[rule.head];
        let label = format!("{}.{ordinal}", predicate.name);
        predicate.rules.push(rules.push(findings.rule(id, rule, label)));
    }
    findings.refuse_explosions(report);
    if report.has_errors() {
        return None;
    }
    Some(System {
        types: draft.components.types.clone(),
        ports: draft.components.ports.clone(),
        predicates,
        rules,
        root,
        pattern_groups: draft.groups.groups.iter().map(|(name, _)| (*name).to_owned()).collect(),
        errors: named.into_iter().collect(),
    })
}

/// What to show of a rule: its head, or the alternative if there are several.
fn rule_span(rule: &RuleDraft) -> Span {
    if rule.syntax.bodies.len() == 1 { rule.syntax.head.span } else { rule.body.span }
}

/// How many net transitions one interaction may stand for at one node of a rewriting tree.
const MAX_COMBINATIONS: usize = 10_000;

impl Findings<'_, '_> {
    /// Refuses interactions that stand for too many combinations of transitions: each is a transition of
    /// every instance.
    fn refuse_explosions(&self, report: &mut Report) {
        let types = &self.draft.components.types;
        for (id, rule) in self.draft.rules.enumerate() {
            for interaction in &rule.interactions {
                let choices = |participant: &Participant| -> usize {
                    let possible = self.types.of_variable(id, participant.variable);
                    possible
                        .iter()
                        .map(|&component| types[component].transitions_on(participant.port).count())
                        .sum()
                };
                let combinations = interaction
                    .participants
                    .iter()
                    .fold(1usize, |product, participant| product.saturating_mul(choices(participant).max(1)));
                if combinations > MAX_COMBINATIONS {
                    let message =
                        format!("this interaction stands for more than {MAX_COMBINATIONS} transitions");
                    let label = "one for each combination of the participants' transitions";
                    let help = "let fewer components take part, or give the transitions different ports";
                    report.add(
                        Diagnostic::new(&errors::TOO_LARGE, message, interaction.span, label).help(help),
                    );
                }
            }
        }
    }

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

//! Who creates the component of each variable (design §1, "Owners").
//!
//! A parameter is *owned* if in some rule an atom creates its component: an instance atom, or a
//! predicate atom at a parameter that is owned (least fixpoint). Then every rule must have exactly one
//! such atom for it; otherwise the parameter is borrowed and no rule has one. A variable bound by `new`
//! has exactly one.
//!
//! A parameter that is not owned is *doubtful* if a mistake reported elsewhere may be the reason: it is
//! passed to an unknown atom, a rule has an atom with wrong arguments, where any variable may be missing, or
//! no finite tree can be derived. Doubtful ones are not reported.

use std::collections::VecDeque;

use super::draft::{AtomDraft, Draft, RuleDraft, Target};
use super::names::Report;
use super::productive::Derivable;
use crate::rule::{PredicateId, RuleId, VariableId};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::index::{Idx, IndexVec};

/// At most this many places are shown where a variable is passed on.
const SHOWN_ATOMS: usize = 4;

/// Who creates what.
pub(super) struct Owners {
    /// The parameters.
    pub(crate) parameters: Parameters,
    /// Per rule and variable the position of the atom that creates its component.
    pub(crate) owner: IndexVec<RuleId, IndexVec<VariableId, Option<usize>>>,
}

/// What is known of parameters.
pub(super) struct Parameters {
    /// A rule that creates the parameter's component, if it is owned.
    owned: IndexVec<PredicateId, Vec<Option<RuleId>>>,
    /// A rule with a mistake on which it depends whether the parameter is owned.
    doubtful: IndexVec<PredicateId, Vec<Option<RuleId>>>,
}

impl Parameters {
    /// Whether the parameter is owned.
    pub(crate) fn is_owned(&self, predicate: PredicateId, position: usize) -> bool {
        self.owned[predicate].get(position).is_some_and(Option::is_some)
    }

    /// Whether the parameter is not owned, but perhaps ought to be.
    pub(crate) fn is_doubtful(&self, predicate: PredicateId, position: usize) -> bool {
        !self.is_owned(predicate, position)
            && self.doubtful[predicate].get(position).is_some_and(Option::is_some)
    }

    /// Whether the atom creates the component of its argument at `position`; `None` if a mistake
    /// reported elsewhere hides it.
    fn creates(&self, atom: &AtomDraft, position: usize) -> Option<bool> {
        match atom.target {
            _ if atom.is_broken => None,
            Target::Unknown => None,
            Target::Instance(..) => Some(true),
            Target::Predicate(callee) if self.is_doubtful(callee, position) => None,
            Target::Predicate(callee) => Some(self.is_owned(callee, position)),
        }
    }
}

/// Infers owners; reports variables that have none, several, or now one and now none.
pub(super) fn infer(draft: &Draft, derivable: &Derivable, report: &mut Report) -> Owners {
    let parameters = infer_parameters(draft, derivable);
    let mut owner = IndexVec::new();
    let mut lacking: IndexVec<PredicateId, Vec<Option<RuleId>>> =
        draft.predicates.iter().map(|predicate| vec![None; predicate.arity]).collect();
    for (id, rule) in draft.rules.enumerate() {
        let owners = check_rule(draft, &parameters, rule, report);
        for (variable, found) in owners.enumerate().take(rule.parameter_count) {
            let entry = lacking[rule.head].get_mut(variable.index());
            if let (Some(entry @ None), Creator::NoAtom) = (entry, found) {
                *entry = Some(id);
            }
        }
        owner.push(owners.iter().map(Creator::atom).collect());
    }
    let owners = Owners { parameters, owner };
    check_mixed(draft, &lacking, &owners, report);
    owners
}

/// A parameter of a rule: the rule and the parameter's position.
type Place = (RuleId, usize);

/// Finds the owned and the doubtful parameters.
fn infer_parameters(draft: &Draft, derivable: &Derivable) -> Parameters {
    let none = || draft.predicates.iter().map(|predicate| vec![None; predicate.arity]).collect();
    // Per parameter, the parameters that rules pass to it.
    let mut passed: IndexVec<PredicateId, Vec<Vec<Place>>> =
        draft.predicates.iter().map(|predicate| vec![Vec::new(); predicate.arity]).collect();
    let mut creating: VecDeque<Place> = VecDeque::new();
    let mut broken: VecDeque<Place> = VecDeque::new();
    for (id, rule) in draft.rules.enumerate() {
        let is_unfit = rule.parameter_count != draft.predicates[rule.head].arity
            || !derivable.is_productive[rule.head]
            || has_broken_atom(rule);
        for (variable, syntax) in rule.variables.enumerate().take(rule.parameter_count) {
            if is_unfit || !syntax.is_bound {
                broken.push_back((id, variable.index()));
            }
        }
        for atom in &rule.atoms {
            for (position, argument) in atom.arguments.iter().map(|argument| argument.index()).enumerate() {
                match atom.target {
                    _ if argument >= rule.parameter_count => {}
                    _ if atom.is_broken => broken.push_back((id, argument)),
                    Target::Unknown => broken.push_back((id, argument)),
                    Target::Instance(..) => creating.push_back((id, argument)),
                    Target::Predicate(callee) => {
                        if let Some(list) = passed[callee].get_mut(position) {
                            list.push((id, argument));
                        }
                    }
                }
            }
        }
    }
    Parameters {
        owned: propagate(draft, &passed, creating, none()),
        doubtful: propagate(draft, &passed, broken, none()),
    }
}

/// Whether some atom has arguments that are not what it needs, or an unknown one: another variable may have
/// to be among them.
pub(super) fn has_broken_atom(rule: &RuleDraft) -> bool {
    let is_bound = |&argument: &VariableId| rule.variables[argument].is_bound;
    rule.atoms.iter().any(|atom| atom.is_broken || !atom.arguments.iter().all(is_bound))
}

/// Passes a property of parameters on to those that are passed to them. First come, first served: what
/// is found early has the shortest explanation.
fn propagate(
    draft: &Draft,
    passed: &IndexVec<PredicateId, Vec<Vec<Place>>>,
    mut waiting: VecDeque<Place>,
    mut found: IndexVec<PredicateId, Vec<Option<RuleId>>>,
) -> IndexVec<PredicateId, Vec<Option<RuleId>>> {
    while let Some((rule, position)) = waiting.pop_front() {
        let head = draft.rules[rule].head;
        let Some(entry @ None) = found[head].get_mut(position) else { continue };
        *entry = Some(rule);
        if let Some(list) = passed[head].get(position) {
            waiting.extend(list);
        }
    }
    found
}

/// Who creates the component of a variable.
#[derive(Clone, Copy)]
enum Creator {
    /// No atom.
    NoAtom,
    /// The atom at this position.
    Atom(usize),
    /// A mistake reported elsewhere hides it.
    Hidden,
}

impl Creator {
    /// The atom.
    fn atom(&self) -> Option<usize> {
        match self {
            Creator::Atom(position) => Some(*position),
            Creator::NoAtom | Creator::Hidden => None,
        }
    }
}

/// The owners in one rule; reports variables that have several, and those bound by `new` without one.
fn check_rule(
    draft: &Draft,
    parameters: &Parameters,
    rule: &RuleDraft,
    report: &mut Report,
) -> IndexVec<VariableId, Creator> {
    let mut owner: IndexVec<VariableId, Creator> = rule
        .variables
        .iter()
        .map(|variable| if variable.is_bound { Creator::NoAtom } else { Creator::Hidden })
        .collect();
    let has_broken_atom = has_broken_atom(rule);
    let mut borrowing: IndexVec<VariableId, Vec<usize>> = rule.variables.iter().map(|_| Vec::new()).collect();
    for (position, atom) in rule.atoms.iter().enumerate() {
        for (place, &argument) in atom.arguments.iter().enumerate() {
            match (parameters.creates(atom, place), owner[argument]) {
                (Some(false), _) if borrowing[argument].len() < SHOWN_ATOMS => {
                    borrowing[argument].push(position);
                }
                (Some(false), _) | (_, Creator::Hidden) => {}
                (None, _) => owner[argument] = Creator::Hidden,
                (Some(true), Creator::NoAtom) => owner[argument] = Creator::Atom(position),
                (Some(true), Creator::Atom(first)) => {
                    created_twice(draft, rule, argument, [first, position], report);
                }
            }
        }
    }
    for found in owner.iter_mut().filter(|found| has_broken_atom && matches!(found, Creator::NoAtom)) {
        *found = Creator::Hidden;
    }
    for (variable, found) in owner.enumerate().skip(rule.parameter_count) {
        if matches!(found, Creator::NoAtom) {
            not_created(draft, rule, variable, &borrowing[variable], report);
        }
    }
    owner
}

/// Reports that two atoms create a component for one variable.
fn created_twice(
    draft: &Draft,
    rule: &RuleDraft,
    variable: VariableId,
    atoms: [usize; 2],
    report: &mut Report,
) {
    let name = &rule.variables[variable].name.text;
    let [Some(first), Some(second)] = atoms.map(|atom| rule.atoms.get(atom)) else { return };
    let explain = |atom: &AtomDraft, also: &str| match atom.target {
        Target::Predicate(callee) => {
            let predicate = &draft.predicates[callee].head.text;
            format!("the rules of `{predicate}` {also}create a component for `{name}`")
        }
        _ => format!("{also}creates a component for `{name}`"),
    };
    report.add(
        Diagnostic::new(
            &errors::CREATED_TWICE,
            format!("two components would be created for `{name}`"),
            second.syntax.span,
            explain(second, "also "),
        )
        .label(first.syntax.span, explain(first, ""))
        .help("each variable stands for one component: use another variable"),
    );
}

/// Reports that no atom creates a component for a variable bound by `new`.
fn not_created(
    draft: &Draft,
    rule: &RuleDraft,
    variable: VariableId,
    borrowing: &[usize],
    report: &mut Report,
) {
    let name = rule.variables[variable].name;
    let mut diagnostic = Diagnostic::new(
        &errors::NOT_CREATED,
        format!("no component is created for `{}`", name.text),
        name.span,
        "bound here",
    );
    for atom in borrowing.iter().filter_map(|&position| rule.atoms.get(position)) {
        let text = format!("no rule of `{}` creates it", atom.syntax.name.text);
        diagnostic = diagnostic.label(atom.syntax.span, text);
    }
    let example = example_type(draft, rule).unwrap_or("Node");
    report.add(diagnostic.help(format!("add an atom that creates it, as in `{example}({})`", name.text)));
}

/// A component type to show in an example: one of the same rule, or else the first.
fn example_type<'d>(draft: &'d Draft, rule: &RuleDraft) -> Option<&'d str> {
    let same = rule.atoms.iter().find_map(|atom| match atom.target {
        Target::Instance(component, _) => Some(component),
        _ => None,
    });
    let component = same.or_else(|| draft.components.types.indices().next())?;
    Some(&draft.components.types[component].name)
}

/// Reports parameters whose component is created by one rule and not by another, once per parameter.
fn check_mixed(
    draft: &Draft,
    lacking: &IndexVec<PredicateId, Vec<Option<RuleId>>>,
    owners: &Owners,
    report: &mut Report,
) {
    for (id, predicate) in draft.predicates.enumerate() {
        for (position, lacking) in lacking[id].iter().enumerate() {
            let creating = owners.parameters.owned[id].get(position).copied().flatten();
            let (Some(lacking), Some(creating)) = (*lacking, creating) else { continue };
            let variable = VariableId::new(position);
            let atom = owners.owner[creating].get(variable).copied().flatten();
            let (lacking, creating) = (&draft.rules[lacking], &draft.rules[creating]);
            let name = &lacking.variables[variable].name.text;
            let other = &creating.variables[variable].name.text;
            let head = &predicate.head.text;
            let mut diagnostic = Diagnostic::new(
                &errors::MIXED_OWNERSHIP,
                format!("one rule of `{head}` creates a component for `{name}`, another does not"),
                match lacking.syntax.bodies.as_slice() {
                    [_] => lacking.variables[variable].name.span,
                    _ => lacking.body.span,
                },
                format!("this rule creates no component for `{name}`"),
            );
            if let Some(atom) = atom.and_then(|atom| creating.atoms.get(atom)) {
                let text = format!("creates a component for `{other}`");
                diagnostic = diagnostic.label(atom.syntax.span, text);
            }
            report.add(diagnostic.help(format!(
                "either every rule of `{head}` creates it, or none does and a rule that uses `{head}` does"
            )));
        }
    }
}

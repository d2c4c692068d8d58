//! Which predicates derive a finite tree, and which occur in trees of the system.

use super::draft::{Draft, RuleDraft, Target};
use super::names::Report;
use crate::rule::{PredicateId, RuleId};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::graph;
use paramcheck_text::index::{Idx, IndexVec};

/// At most this many rules are shown with a complaint.
const SHOWN_RULES: usize = 6;

/// What can be derived.
pub(super) struct Derivable {
    /// Whether the predicate derives a finite tree.
    pub(crate) is_productive: IndexVec<PredicateId, bool>,
    /// Whether the predicate occurs in what the system's predicate is rewritten to (of nothing if there
    /// is no system).
    pub(crate) is_reachable: IndexVec<PredicateId, bool>,
}

/// The predicates of a rule's body, broken atoms included.
fn callees<'r>(rule: &'r RuleDraft) -> impl Iterator<Item = PredicateId> + 'r {
    rule.atoms.iter().filter_map(|atom| match atom.target {
        Target::Predicate(id) => Some(id),
        _ => None,
    })
}

/// Finds out what can be derived; reports predicates without a finite tree.
///
/// Components of the call graph are judged bottom up, each as if those below it were fine: so every
/// predicate that is at fault itself is reported, and no other.
pub(super) fn analyse(draft: &Draft, report: &mut Report) -> Derivable {
    let components = strong_components(draft);
    let mut is_fine: IndexVec<PredicateId, bool> = draft.predicates.iter().map(|_| false).collect();
    for members in &components {
        let faulty = unproductive_members(draft, members, &mut is_fine);
        if !faulty.is_empty() {
            complain(draft, &faulty, report);
        }
        for &member in members {
            is_fine[member] = true;
        }
    }
    Derivable { is_productive: truly_productive(draft), is_reachable: reachable(draft) }
}

/// Marks in `is_fine` the members that derive a finite tree, those outside as marked; the others.
fn unproductive_members(
    draft: &Draft,
    members: &[PredicateId],
    is_fine: &mut IndexVec<PredicateId, bool>,
) -> Vec<PredicateId> {
    let rules = members.iter().flat_map(|&member| draft.predicates[member].rules.iter().copied());
    saturate(draft, rules, is_fine);
    members.iter().copied().filter(|&member| !is_fine[member]).collect()
}

/// The predicates that derive a finite tree. Unknown atoms count as if they did.
fn truly_productive(draft: &Draft) -> IndexVec<PredicateId, bool> {
    let mut is_productive = draft.predicates.iter().map(|_| false).collect();
    saturate(draft, draft.rules.indices(), &mut is_productive);
    is_productive
}

/// Least fixpoint over the rules given: a predicate is marked when all predicates of one of its rules
/// are.
fn saturate(draft: &Draft, rules: impl Iterator<Item = RuleId>, is_marked: &mut IndexVec<PredicateId, bool>) {
    // Per unmarked predicate the rules that wait for it; per waiting rule how many of its atoms do.
    let mut waiting: rustc_hash::FxHashMap<PredicateId, Vec<usize>> = Default::default();
    let mut missing: Vec<(PredicateId, usize)> = Vec::new();
    let mut ready = Vec::new();
    for id in rules {
        let rule = &draft.rules[id];
        let mut count = 0;
        for callee in callees(rule).filter(|&callee| !is_marked[callee]) {
            waiting.entry(callee).or_default().push(missing.len());
            count += 1;
        }
        missing.push((rule.head, count));
        if count == 0 {
            ready.push(rule.head);
        }
    }
    while let Some(predicate) = ready.pop() {
        if is_marked[predicate] {
            continue;
        }
        is_marked[predicate] = true;
        for rule in waiting.remove(&predicate).unwrap_or_default() {
            if let Some((head, count)) = missing.get_mut(rule) {
                *count -= 1;
                if *count == 0 {
                    ready.push(*head);
                }
            }
        }
    }
}

/// Reports that these predicates, which need each other, derive no finite tree.
fn complain(draft: &Draft, faulty: &[PredicateId], report: &mut Report) {
    let Some(&first) = faulty.first() else { return };
    let name = &draft.predicates[first].head.text;
    let rules: Vec<RuleId> =
        faulty.iter().flat_map(|&id| draft.predicates[id].rules.iter().copied()).collect();
    let needed = |id: RuleId| {
        let rule = &draft.rules[id];
        rule.atoms
            .iter()
            .find(|atom| matches!(&atom.target, Target::Predicate(callee) if faulty.contains(callee)))
    };
    let again = if faulty.len() == 1 { " again" } else { ", which derives none either" };
    let mut labels = rules
        .iter()
        .take(SHOWN_RULES)
        .filter_map(|&id| needed(id))
        .map(|atom| (atom.syntax.span, format!("this rule needs `{}`{again}", atom.syntax.name.text)));
    let (span, text) = labels.next().unwrap_or((draft.predicates[first].head.span, String::new()));
    let mut diagnostic = Diagnostic::new(
        &errors::NO_FINITE_TREE,
        format!("no finite system can be derived from `{name}`"),
        span,
        text,
    );
    for (span, text) in labels {
        diagnostic = diagnostic.label(span, text);
    }
    report.add(diagnostic.help(format!("add a rule for `{name}` that ends the recursion")));
}

/// The predicates that occur in what the system's predicate is rewritten to.
fn reachable(draft: &Draft) -> IndexVec<PredicateId, bool> {
    let mut is_reachable: IndexVec<PredicateId, bool> = draft.predicates.iter().map(|_| false).collect();
    let mut waiting: Vec<PredicateId> = draft.root.into_iter().collect();
    while let Some(predicate) = waiting.pop() {
        if std::mem::replace(&mut is_reachable[predicate], true) {
            continue;
        }
        for &rule in &draft.predicates[predicate].rules {
            waiting.extend(callees(&draft.rules[rule]).filter(|&callee| !is_reachable[callee]));
        }
    }
    is_reachable
}

/// The strongly connected components of the call graph, callees before callers.
fn strong_components(draft: &Draft) -> Vec<Vec<PredicateId>> {
    let callees_of =
        |&rule: &RuleId| callees(&draft.rules[rule]).filter_map(|id| u32::try_from(id.index()).ok());
    let successors: Vec<Vec<u32>> = draft
        .predicates
        .iter()
        .map(|predicate| predicate.rules.iter().flat_map(callees_of).collect())
        .collect();
    let component_of = graph::components(successors.len(), |node| &successors[node]);
    let count = component_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut components = vec![Vec::new(); count];
    for (predicate, component) in draft.predicates.indices().zip(component_of) {
        components[component as usize].push(predicate);
    }
    components
}

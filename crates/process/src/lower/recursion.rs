//! Cycles of constants: each must be guarded, and every reference on it in tail position.
//!
//! A reference is guarded by an action before it or by a left side of `;` that has not terminated as it is
//! written. A cycle that is not in tail position would make unboundedly many program counters; one that is
//! not guarded does not determine its first step. Choreographies have no recursion at all.

use std::collections::VecDeque;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::Report;
use super::terms::{Construct, Reference, Terms};
use crate::Language;
use crate::model::{ConstantId, terminated};
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::graph::components;
use paramcheck_text::index::Idx;

/// Reports every cycle that is excluded.
pub(crate) fn check(terms: &Terms, language: Language, report: &mut Report) {
    let cycles = Cycles::of(terms, terms.references.iter());
    let within: Vec<&Reference> =
        terms.references.iter().filter(|reference| cycles.contains(reference)).collect();
    let mut is_reported = vec![false; terms.constants.len()];
    let mut once = |reference: &Reference| {
        let component = cycles.component[reference.to.index()] as usize;
        !std::mem::replace(&mut is_reported[component], true)
    };
    if language == Language::Chor {
        for reference in within.iter().filter(|reference| once(reference)) {
            let help = "choreographies repeat with a loop, `*(P)`";
            report.push(diagnostic(
                terms,
                &cycles,
                reference,
                &codes::RECURSION_IN_CHOREOGRAPHY,
                "recursion",
                help,
            ));
        }
        return;
    }
    for reference in &within {
        let Some((construct, span)) = reference.context.construct else { continue };
        if !once(reference) {
            continue;
        }
        let (code, what, label, help) = named(construct);
        report.push(diagnostic(terms, &cycles, reference, code, what, help).label(span, label));
    }
    let has_terminated = terminated(&terms.arena.terms.items, &terms.constants);
    let mut is_passed = vec![false; terms.guards.len()];
    for (position, guard) in terms.guards.iter().enumerate() {
        is_passed[position] =
            has_terminated[guard.left] && guard.before.is_none_or(|before| is_passed[before]);
    }
    let is_unguarded = |reference: &&Reference| {
        let context = reference.context;
        !context.is_prefixed && context.guard.is_none_or(|guard| is_passed[guard])
    };
    let unguarded: Vec<&Reference> = within.iter().copied().filter(is_unguarded).collect();
    let cycles = Cycles::of(terms, unguarded.iter().copied());
    for reference in &unguarded {
        if cycles.contains(reference) && once(reference) {
            let help = "on every way back to itself a constant must do an action";
            let code = &codes::UNGUARDED_RECURSION;
            report.push(diagnostic(terms, &cycles, reference, code, "unguarded recursion", help));
        }
    }
}

fn named(construct: Construct) -> (Code, &'static str, &'static str, &'static str) {
    match construct {
        Construct::Parallel => (
            &codes::RECURSION_THROUGH_PARALLEL,
            "recursion through a parallel composition",
            "inside of this parallel composition",
            "put what recurs in a constant of its own, beside the others",
        ),
        Construct::Copies => (
            &codes::RECURSION_THROUGH_PARALLEL,
            "recursion through copies",
            "copied here",
            "make the copies where the constant is used",
        ),
        Construct::LeftOfSequence => (
            &codes::RECURSION_LEFT_OF_SEQUENCE,
            "recursion on the left of `;`",
            "something follows in this sequence",
            "come back to the constant as the last thing of a sequence",
        ),
        Construct::Restriction => (
            &codes::RECURSION_UNDER_OPERATOR,
            "recursion under a restriction",
            "under this restriction",
            "restrict where the constant is used",
        ),
        Construct::Relabelling => (
            &codes::RECURSION_UNDER_OPERATOR,
            "recursion under a relabelling",
            "under this relabelling",
            "relabel where the constant is used",
        ),
    }
}

/// Longer cycles are shown in part.
const MAX_CYCLE_LENGTH: usize = 8;

fn diagnostic(
    terms: &Terms,
    cycles: &Cycles,
    reference: &Reference,
    code: Code,
    what: &str,
    help: &str,
) -> Diagnostic {
    let name = |constant: ConstantId| terms.constants[constant].name.as_str();
    let from = reference.from.unwrap_or(reference.to);
    let mut cycle = vec![from];
    cycle.extend(cycles.way(reference.to, from));
    let shown = if cycle.len() > MAX_CYCLE_LENGTH {
        let (first, last) = (&cycle[..MAX_CYCLE_LENGTH / 2], &cycle[cycle.len() - MAX_CYCLE_LENGTH / 2..]);
        let names = |part: &[ConstantId]| part.iter().map(|constant| name(*constant)).join(" -> ");
        format!("{} -> … -> {}", names(first), names(last))
    } else {
        cycle.iter().map(|constant| name(*constant)).join(" -> ")
    };
    let label = if cycle.len() == 2 {
        format!("`{}` comes back to itself", name(from))
    } else {
        format!("`{}` comes back from here", name(from))
    };
    Diagnostic::new(code, format!("{what}: {shown}"), reference.span, label).help(help)
}

/// The cycles that some references make.
struct Cycles {
    component: Vec<u32>,
    successors: Vec<Vec<u32>>,
}

impl Cycles {
    fn of<'a>(terms: &Terms, references: impl Iterator<Item = &'a Reference>) -> Self {
        let mut successors = vec![Vec::new(); terms.constants.len()];
        for reference in references {
            if let Some(from) = reference.from {
                successors[from.index()].push(reference.to.index() as u32);
            }
        }
        for list in &mut successors {
            list.sort_unstable();
            list.dedup();
        }
        let component = components(successors.len(), |node| successors[node].as_slice());
        Cycles { component, successors }
    }

    /// Whether a reference, one of those given, is part of a cycle.
    fn contains(&self, reference: &Reference) -> bool {
        reference
            .from
            .is_some_and(|from| self.component[from.index()] == self.component[reference.to.index()])
    }

    /// The shortest way from `start` to `end`, both included; they are on one cycle.
    fn way(&self, start: ConstantId, end: ConstantId) -> Vec<ConstantId> {
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        let mut queue = VecDeque::from([start.index() as u32]);
        while let Some(node) = queue.pop_front() {
            if node as usize == end.index() {
                break;
            }
            for next in &self.successors[node as usize] {
                if *next as usize != start.index() && !before.contains_key(next) {
                    before.insert(*next, node);
                    queue.push_back(*next);
                }
            }
        }
        let mut way = vec![end];
        let mut node = end.index() as u32;
        while let Some(previous) = before.get(&node) {
            way.push(ConstantId::new(*previous as usize));
            node = *previous;
        }
        way.reverse();
        way
    }
}

//! Recursion that has no meaning, or no bound: a process that calls itself before it acts, or that leaves more
//! and more to do behind.
//!
//! The rules for processes are inductive, so `P = P ++ a` would never be unfolded; and `P = a; P; b` has infinitely
//! many residual processes. Both are cycles of calls: the first of calls in front, the second of any calls with
//! one that is not at the end.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::graph::components;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

use crate::ast::{File, Section};
use crate::model::{DefinitionId, Process, ProcessId, System};

/// A call in a body.
#[derive(Clone, Copy)]
struct Call {
    to: DefinitionId,
    is_first: bool,
    is_last: bool,
}

/// Reports recursion that has no meaning.
pub(super) fn check(file: &File, system: &System, diagnostics: &mut Vec<Diagnostic>) {
    let calls: IndexVec<DefinitionId, Vec<Call>> = system
        .definitions
        .iter()
        .map(|definition| {
            let mut calls = Vec::new();
            collect(system, definition.body, (true, true), &mut calls);
            calls
        })
        .collect();
    // On a cycle of calls in front: the call leads to the same component.
    let in_front = cycles(&calls, |call| call.is_first);
    let any = cycles(&calls, |_| true);
    for (id, all) in calls.enumerate() {
        let returns = |component: &[u32], call: &Call| component[call.to.index()] == component[id.index()];
        if all.iter().any(|call| call.is_first && returns(&in_front, call)) {
            let (what, help) = ("calls itself before it acts", "put a step in front of the call");
            report(file, system, id, diagnostics, &codes::UNGUARDED_CALL, what, help);
        } else if all.iter().any(|call| !call.is_last && returns(&any, call)) {
            let what = "calls itself and then has more to do";
            let help = "a process can call itself only at its end, and not inside of `||`";
            report(file, system, id, diagnostics, &codes::UNBOUNDED_RECURSION, what, help);
        }
    }
}

/// Per definition its strongly connected component by the calls that are `wanted`.
fn cycles(calls: &IndexVec<DefinitionId, Vec<Call>>, wanted: impl Fn(&Call) -> bool) -> Vec<u32> {
    let targets = |all: &Vec<Call>| {
        let wanted = all.iter().filter(|call| wanted(call));
        wanted.filter_map(|call| u32::try_from(call.to.index()).ok()).collect()
    };
    let graph: Vec<Vec<u32>> = calls.iter().map(targets).collect();
    components(graph.len(), |node| &graph[node])
}

/// The calls of a process; whether they are `at` the front and the end.
fn collect(system: &System, process: ProcessId, at: (bool, bool), calls: &mut Vec<Call>) {
    let (is_first, is_last) = at;
    match &system.processes[process] {
        Process::Call(to) => calls.push(Call { to: *to, is_first, is_last }),
        Process::Act(_) | Process::Nil => {}
        Process::Guarded { body, .. } => collect(system, *body, at, calls),
        Process::Choice(parts) => parts.iter().for_each(|part| collect(system, *part, at, calls)),
        Process::Parallel(parts) => {
            parts
                .iter()
                .for_each(|part| collect(system, *part, (is_first, is_last && parts.len() == 1), calls));
        }
        Process::Sequence(parts) => {
            for (position, part) in parts.iter().enumerate() {
                let at = (is_first && position == 0, is_last && position + 1 == parts.len());
                collect(system, *part, at, calls);
            }
        }
    }
}

fn report(
    file: &File,
    system: &System,
    id: DefinitionId,
    diagnostics: &mut Vec<Diagnostic>,
    code: paramcheck_text::diagnostic::Code,
    what: &str,
    help: &str,
) {
    let definition = &system.definitions[id];
    let kind = &system.kinds[definition.kind].name;
    let own = file.sections.iter().filter_map(|section| match section {
        Section::Agent(section) if section.name.text == *kind => Some(&section.definitions),
        _ => None,
    });
    let common = file.sections.iter().filter_map(|section| match section {
        Section::System(section) => Some(&section.definitions),
        _ => None,
    });
    let named = own.chain(common).flatten().find(|one| one.name.text == definition.name);
    let span = named.map_or(Span::default(), |one| one.name.span);
    let message = format!("`{}` {what}", definition.name);
    diagnostics.push(Diagnostic::new(code, message, span, "").help(help));
}

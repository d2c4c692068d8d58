//! Recursion that has no meaning, or no bound: a process that calls itself before it acts, or that leaves more
//! and more to do behind.
//!
//! The rules for processes are inductive, so `P = P ++ a` would never be unfolded; and `P = a; P; b` has infinitely
//! many residual processes. Both are cycles of calls: the first of calls in front, the second of any calls with
//! one that is not at the end.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::index::IndexVec;
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
    for id in system.definitions.indices() {
        if reaches(&calls, id, id, |call| call.is_first) {
            report(
                file,
                system,
                id,
                diagnostics,
                &codes::UNGUARDED_CALL,
                "calls itself before it acts",
                "put a step in front of the call",
            );
        } else if calls[id]
            .iter()
            .any(|call| !call.is_last && (call.to == id || reaches(&calls, call.to, id, |_| true)))
        {
            report(
                file,
                system,
                id,
                diagnostics,
                &codes::UNBOUNDED_RECURSION,
                "calls itself and then has more to do",
                "a process can call itself only at its end, and not inside of `||`",
            );
        }
    }
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

/// Whether calls that are `wanted` lead from one definition to another.
fn reaches(
    calls: &IndexVec<DefinitionId, Vec<Call>>,
    from: DefinitionId,
    to: DefinitionId,
    wanted: impl Fn(&Call) -> bool,
) -> bool {
    let mut seen: IndexVec<DefinitionId, bool> = calls.iter().map(|_| false).collect();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for call in calls[next].iter().filter(|call| wanted(call)) {
            if call.to == to {
                return true;
            }
            if !std::mem::replace(&mut seen[call.to], true) {
                open.push(call.to);
            }
        }
    }
    false
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

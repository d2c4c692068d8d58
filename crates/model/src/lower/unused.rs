//! Warnings of what is merely never used, or never final. Looked for only in models without errors.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::draft::{Draft, Target};
use super::link::Links;
use super::names::Report;
use super::productive::Derivable;
use super::types::Types;
use crate::component::{PortId, TypeId};
use crate::rule::PredicateId;
use crate::syntax::ast;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::warnings;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

/// At most this many places are shown for one port.
const SHOWN_PLACES: usize = 4;

/// Warns of predicates, component types, ports, links and parameters that are never used, and of component
/// types that are never final.
pub(super) fn warn(draft: &Draft, links: &Links, derivable: &Derivable, types: &Types, report: &mut Report) {
    unreachable_predicates(draft, derivable, report);
    types_never_created(draft, report);
    types_never_final(draft, derivable, report);
    ports_never_used(draft, derivable, types, report);
    links_never_used(draft, links, report);
    unused_parameters(draft, derivable, report);
}

fn unreachable_predicates(draft: &Draft, derivable: &Derivable, report: &mut Report) {
    let Some(root) = draft.root else { return };
    let system = &draft.predicates[root].head.text;
    for (id, predicate) in draft.predicates.enumerate() {
        if derivable.is_reachable[id] {
            continue;
        }
        let name = &predicate.head.text;
        let help = if predicate.arity == 0 {
            format!("use it in a rule, or make it the system: `system {name};`")
        } else {
            "use it in a rule, or remove its rules".to_owned()
        };
        let message = format!("the predicate `{name}` is unreachable");
        let label = format!("occurs in no system that `{system}` stands for");
        let diagnostic =
            Diagnostic::new(&warnings::UNREACHABLE_PREDICATE, message, predicate.head.span, label);
        report.add(diagnostic.help(help));
    }
}

/// The component types that an atom of a rule creates.
fn created_types(draft: &Draft, is_considered: impl Fn(PredicateId) -> bool) -> FxHashSet<TypeId> {
    let rules = draft.rules.iter().filter(|rule| is_considered(rule.head));
    let created = rules.flat_map(|rule| &rule.atoms).filter_map(|atom| match atom.target {
        Target::Instance(component, _) => Some(component),
        _ => None,
    });
    created.collect()
}

fn types_never_created(draft: &Draft, report: &mut Report) {
    let created = created_types(draft, |_| true);
    for (id, declaration) in draft.components.declarations.enumerate() {
        if !created.contains(&id) {
            let name = &declaration.name;
            report.add(Diagnostic::new(
                &warnings::TYPE_NEVER_CREATED,
                format!("the component type `{}` is never instantiated", name.text),
                name.span,
                format!("no rule has an atom `{}(x)`", name.text),
            ));
        }
    }
}

/// Types that say nothing of where they may rest, where others do. Only types that occur in the system are
/// considered: the others have been reported.
fn types_never_final(draft: &Draft, derivable: &Derivable, report: &mut Report) {
    let declarations = &draft.components.declarations;
    let is_final = |declaration: &ast::Component| {
        declaration.items.iter().any(|item| matches!(item, ast::ComponentItem::Final(_)))
    };
    let Some(example) = declarations.iter().find(|declaration| is_final(declaration)) else { return };
    let created = created_types(draft, |head| derivable.is_reachable[head]);
    for (_, declaration) in declarations.enumerate().filter(|(id, _)| created.contains(id)) {
        if !is_final(declaration) {
            report.add(
                Diagnostic::new(
                    &warnings::NEVER_FINAL,
                    format!("`{}` is never final", declaration.name.text),
                    declaration.name.span,
                    "has no `final`: where such a component waits for ever is a deadlock",
                )
                .label(example.name.span, "this one has final states")
                .help("say where it may rest with `final …;` (`final *;`: anywhere)"),
            );
        }
    }
}

/// Only types that occur in the system are considered: the others have been reported.
fn ports_never_used(draft: &Draft, derivable: &Derivable, types: &Types, report: &mut Report) {
    let is_reachable = |head: PredicateId| derivable.is_reachable[head];
    let mut used: FxHashSet<(TypeId, PortId)> = FxHashSet::default();
    for (id, rule) in draft.rules.enumerate().filter(|(_, rule)| is_reachable(rule.head)) {
        let parts = rule.interactions.iter().flat_map(|interaction| &interaction.participants);
        let pairs: FxHashSet<_> = parts.map(|part| (part.port, part.variable)).collect();
        for (port, variable) in pairs {
            used.extend(types.of_variable(id, variable).into_iter().map(|component| (component, port)));
        }
    }
    let created = created_types(draft, is_reachable);
    let used_by_any: FxHashSet<PortId> = used
        .iter()
        .filter(|&&(component, port)| draft.components.offers(component, port))
        .map(|&(_, port)| port)
        .collect();
    let mut unused: IndexVec<PortId, Vec<(Span, TypeId)>> =
        draft.components.ports.iter().map(|_| Vec::new()).collect();
    for (&(component, port), &span) in &draft.components.offers {
        if created.contains(&component) && !used.contains(&(component, port)) {
            unused[port].push((span, component));
        }
    }
    for (port, places) in unused.enumerate() {
        let mut places = places.clone();
        places.sort_unstable();
        let name = &draft.components.ports[port];
        if used_by_any.contains(&port) {
            for (span, component) in places {
                let component = &draft.components.types[component].name;
                let message = format!("no interaction uses the port `{name}` of `{component}`");
                report.add(never_fires(message, span));
            }
        } else if let Some((&(first, _), others)) = places.split_first() {
            let mut diagnostic = never_fires(format!("no interaction uses the port `{name}`"), first);
            for &(span, _) in others.iter().take(SHOWN_PLACES - 1) {
                diagnostic = diagnostic.label(span, "nor does this one");
            }
            report.add(diagnostic);
        }
    }
}

fn never_fires(message: String, span: Span) -> Diagnostic {
    Diagnostic::new(&warnings::PORT_NEVER_USED, message, span, "this transition never fires")
        .help("a transition that fires alone has no port: `a -> b;`")
}

fn links_never_used(draft: &Draft, links: &Links, report: &mut Report) {
    let used = links.used_by(draft.used_links.iter().copied());
    for (id, link) in links.declarations.enumerate() {
        if !used.contains(&id) {
            let name = &link.name;
            report.add(Diagnostic::new(
                &warnings::LINK_NEVER_USED,
                format!("the link `{}` is never used", name.text),
                name.span,
                "no rule inserts it",
            ));
        }
    }
    for (link, parameter) in &links.unused_parameters {
        if used.contains(link) {
            let link = &links.declarations[*link].name.text;
            unused_parameter(&parameter.text, link, parameter.span, report);
        }
    }
}

/// A parameter is used where a rule has it in an instance atom, an interaction or a pattern, or passes it
/// to a parameter that is used.
fn unused_parameters(draft: &Draft, derivable: &Derivable, report: &mut Report) {
    let mut is_used: IndexVec<PredicateId, Vec<bool>> =
        draft.predicates.iter().map(|predicate| vec![false; predicate.arity]).collect();
    let mut passed: IndexVec<PredicateId, Vec<Vec<(PredicateId, usize)>>> =
        draft.predicates.iter().map(|predicate| vec![Vec::new(); predicate.arity]).collect();
    let mut waiting = VecDeque::new();
    for rule in &draft.rules {
        let participants = rule.interactions.iter().flat_map(|interaction| &interaction.participants);
        let conditions = rule.patterns.iter().flat_map(|pattern| &pattern.conditions);
        let variables = participants.map(|part| part.variable).chain(conditions.map(|part| part.variable));
        waiting.extend(variables.map(|variable| (rule.head, variable.index())));
        for atom in &rule.atoms {
            for (position, argument) in atom.arguments.iter().enumerate() {
                let place = (rule.head, argument.index());
                match atom.target {
                    Target::Predicate(callee) => passed[callee][position].push(place),
                    _ => waiting.push_back(place),
                }
            }
        }
    }
    while let Some((predicate, position)) = waiting.pop_front() {
        // Variables bound by `new` have no entry.
        let Some(entry @ false) = is_used[predicate].get_mut(position) else { continue };
        *entry = true;
        waiting.extend(&passed[predicate][position]);
    }
    for (id, predicate) in draft.predicates.enumerate().filter(|(id, _)| derivable.is_reachable[*id]) {
        let Some(rule) = predicate.rules.first().map(|&rule| &draft.rules[rule]) else { continue };
        for (variable, syntax) in rule.variables.enumerate().take(rule.parameter_count) {
            if is_used[id].get(variable.index()) == Some(&false) {
                unused_parameter(&syntax.name.text, &predicate.head.text, syntax.name.span, report);
            }
        }
    }
}

fn unused_parameter(name: &str, owner: &str, span: Span, report: &mut Report) {
    report.add(Diagnostic::new(
        &warnings::UNUSED_PARAMETER,
        format!("the parameter `{name}` of `{owner}` is never used"),
        span,
        "never used",
    ));
}

//! Which agents must relabel which property variables.

use rustc_hash::FxHashSet;

use super::Context;
use super::names::Names;
use crate::model::{Action, AgentId, Atom, System};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::source::Span;

/// Every agent that may be addressed must relabel what send guards and `GET@` of other instances mention.
pub(super) fn check(context: &mut Context<'_>, names: &Names<'_>, system: &System) {
    let count = |agent| system.instances.iter().filter(|instance| instance.agent == agent).count();
    let counts: Vec<(AgentId, usize)> = system.agents.indices().map(|agent| (agent, count(agent))).collect();
    let mut reported: FxHashSet<(AgentId, usize)> = FxHashSet::default();
    for (asking, _) in counts.iter().filter(|(_, count)| *count > 0) {
        for command in &system.agents[*asking].commands {
            let (Action::Send { to: condition, .. } | Action::GetBy(condition)) = &command.action else {
                continue;
            };
            let is_get = matches!(command.action, Action::GetBy(_));
            let mut mentioned = Vec::new();
            condition.atoms(&mut |atom| mentioned.extend(property(atom)));
            for (asked, count) in &counts {
                let agent = &system.agents[*asked];
                let supplies = agent.commands.iter().any(|one| matches!(one.action, Action::Supply { .. }));
                if *count <= usize::from(asking == asked) || is_get && !supplies {
                    continue;
                }
                for id in &mentioned {
                    let is_relabelled = agent.relabels.get(*id).is_some_and(Option::is_some);
                    if !is_relabelled && reported.insert((*asked, *id)) {
                        missing_relabel(context, names, system, (*asked, *id), command.span);
                    }
                }
            }
        }
    }
}

fn property(atom: Atom) -> Option<usize> {
    match atom {
        Atom::Property(id) => Some(id),
        _ => None,
    }
}

fn missing_relabel(
    context: &mut Context<'_>,
    names: &Names<'_>,
    system: &System,
    (agent, id): (AgentId, usize),
    mention: Span,
) {
    let variable = system.properties.get(id).map_or("", |one| one.name.as_str());
    let tree = names.agents[agent].tree;
    let message = format!("`{}` does not relabel `{variable}`", tree.name.text);
    let what = format!("this command asks for `{variable}` of all others");
    context.report(
        Diagnostic::new(&codes::MISSING_RELABEL, message, tree.name.span, "")
            .label(mention, what)
            .help(format!("give it a value: `relabel: {variable} <- …`")),
    );
}

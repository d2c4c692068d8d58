//! Markings on the command line: `--marking 'Phil#1=eat, Fork#2=busy'`.

use std::collections::{BTreeMap, HashSet};

use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};

use super::files::Refused;

/// `marking`, in which the components that `text` names are in the states that it gives.
///
/// # Errors
/// What is wrong with `text`.
pub(super) fn given(
    system: &System,
    net: &Net,
    text: Option<&str>,
    mut marking: Marking,
) -> Result<Marking, Refused> {
    if let Some(text) = text {
        let problem =
            |problem: Box<Diagnostic>| Box::new((*problem, Some(SourceFile::new("--marking", text))));
        mark(system, net, text, &mut marking).map_err(problem)?;
    }
    Ok(marking)
}

/// Moves the components that `text` names (`Phil#1=eat, Fork#2=busy`) to their states.
fn mark(system: &System, net: &Net, text: &str, marking: &mut Marking) -> Result<(), Box<Diagnostic>> {
    let mut start = 0;
    let mut named = HashSet::new();
    let mut parts = text.split(',').peekable();
    while let Some(part) = parts.next() {
        let span = |inner: &str| {
            let offset = part.find(inner).unwrap_or(0);
            Span::new(start + offset, start + offset + inner.len())
        };
        let wrong = |message: String, inner: &str, label: &str, help: &str| {
            Box::new(Diagnostic::new(&codes::BAD_MARKING, message, span(inner), label).help(help))
        };
        let trimmed = part.trim();
        let Some((name, state)) = trimmed.split_once('=').map(|(name, state)| (name.trim(), state.trim()))
        else {
            // A comma may end the list.
            if trimmed.is_empty() && parts.peek().is_none() {
                break;
            }
            let help = "write COMPONENT=STATE, with commas between, as in 'Phil#1=eat, Fork#2=busy'";
            if trimmed.is_empty() {
                let comma = Span::new(start + part.len(), start + part.len() + 1);
                let message = "nothing stands before a comma";
                let problem = Diagnostic::new(&codes::BAD_MARKING, message, comma, "what is before it?");
                return Err(Box::new(problem.help(help)));
            }
            return Err(wrong(format!("`{trimmed}` says no state"), trimmed, "where is it?", help));
        };
        let Some((id, component)) = net.components().enumerate().find(|(_, one)| one.name == name) else {
            let near = nearest(name, net.components().iter().map(|one| one.name.as_str()));
            let help = near.map_or_else(|| known_components(net), |near| format!("did you mean `{near}`?"));
            return Err(wrong(format!("the instance has no component `{name}`"), name, "unknown", &help));
        };
        let component_type = &system.types[component.component_type];
        let Some(found) = component_type.state_named(state) else {
            let names = component_type.states.iter().map(|state| format!("`{}`", state.name));
            let help = format!("its states are {}", itertools::join(names, ", "));
            let message = format!("`{}` has no state `{state}`", component_type.name);
            return Err(wrong(message, if state.is_empty() { trimmed } else { state }, "unknown", &help));
        };
        if !named.insert(id) {
            let message = format!("`{name}` is named twice");
            return Err(wrong(message, trimmed, "again", "a component is in one state at a time"));
        }
        marking[id] = found;
        start += part.len() + 1;
    }
    Ok(())
}

/// What the components of an instance are called, of each type the first and the last.
fn known_components(net: &Net) -> String {
    let mut types = BTreeMap::new();
    for component in net.components().iter() {
        types.entry(component.component_type).or_insert((component, component)).1 = component;
    }
    let names = types.into_values().map(|(first, last)| match first.name == last.name {
        true => format!("`{}`", first.name),
        false => format!("`{}` to `{}`", first.name, last.name),
    });
    format!("its components are {}", itertools::join(names, ", "))
}

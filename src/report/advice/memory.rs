//! Advice to remember: in words, and as component types that can be put into the model.

use super::{Advice, Commands};
use crate::report::Question;
use crate::report::reproducer::quoted;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::print::print_component;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::history::History;
use paramcheck_model::system::System;
use paramcheck_verdict::advice::{Memory, Settling};

/// Of so many types the states that they could remember are named.
const MAX_TYPES: usize = 2;
/// So many states of each.
const MAX_STATES: usize = 3;

/// The advice to let components remember, so that the error is proved.
pub(super) fn advice(commands: &Commands<'_>, settling: &Settling) -> Advice {
    let Settling { memories, kinds, .. } = settling;
    let proof = itertools::join(kinds.iter().map(InvariantKind::to_string), " + ");
    let whats = itertools::join(memories.iter().map(|memory| in_words(commands, memory)), "; and ");
    let code = match memories.first().map(|memory| memory.history) {
        _ if memories.len() > 1 => "history-states",
        Some(History::CameBy(_)) => "split-state",
        _ => "history-state",
    };
    let text = format!("{whats}; then `{}` is proved, by {proof}", commands.question.error);
    let mut advice = Advice::new(code, text);
    if is_writable(commands.system, memories) {
        let types = memories.iter().map(|memory| print_component(&settling.system, memory.component));
        advice.model = Some(itertools::join(types, "\n"));
        advice.command = command(commands, settling);
    }
    advice
}

/// What the components of a type are to remember.
fn in_words(commands: &Commands<'_>, memory: &Memory) -> String {
    let component_type = &commands.system.types[memory.component];
    let state = |state: StateId| format!("`{}`", component_type.states[state].name);
    let name = &component_type.name;
    match memory.history {
        History::Visited(visited) => format!(
            "let each {name} remember that it was in {}: give it other states for the time after that in place of {}",
            state(visited),
            itertools::join(memory.split.iter().copied().map(state), ", "),
        ),
        History::CameBy(split) => format!(
            "let each {name} remember how it came to {}: give it one such state per transition that leads there ({})",
            state(split),
            commands.ways(memory.component, split),
        ),
    }
}

/// Whether other component types are all that the model needs: no local pattern of a rule speaks of a state that
/// comes in several copies, for a pattern names one.
fn is_writable(system: &System, memories: &[Memory]) -> bool {
    let is_split = |place: &(TypeId, StateId)| {
        memories.iter().any(|memory| memory.component == place.0 && memory.split.contains(&place.1))
    };
    let mut patterns = system.rules.iter().flat_map(|rule| &rule.patterns);
    !patterns.any(|pattern| pattern.conditions.iter().any(|(_, places)| places.iter().any(is_split)))
}

/// The call that asks about the model with these types: about the error by its name, if it says the same of the
/// new states. There is none where the error can't be written as an option.
fn command(commands: &Commands<'_>, settling: &Settling) -> Option<String> {
    let formula = print_formula(&settling.system, &settling.error.formula);
    let error = if formula == commands.question.formula {
        commands.error()
    } else if has_pattern(&settling.error.formula) {
        return None;
    } else {
        // The model has its own error of that name.
        let names = (1..).map(|number| match number {
            1 => format!("{}_remembered", settling.error.name),
            _ => format!("{}_remembered_{number}", settling.error.name),
        });
        let is_free = |name: &String| commands.system.error_named(name).is_none();
        let name = std::iter::once(settling.error.name.clone()).chain(names).find(is_free)?;
        quoted(&format!("{name} = {formula}"))
    };
    Some(format!("paramcheck {} --error {error}", commands.file()))
}

fn has_pattern(formula: &ErrorFormula) -> bool {
    match formula {
        ErrorFormula::Pattern(_) => true,
        ErrorFormula::Not(inner) => has_pattern(inner),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => parts.iter().any(has_pattern),
        ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Components(_) => false,
    }
}

/// What may be remembered where no single history and no pair of them is enough.
pub(super) fn of_several(
    system: &System,
    memorable: &[(TypeId, Vec<StateId>)],
    question: &Question,
) -> String {
    // First the types of components that are elsewhere in the nearest marking: theirs is what has to be told apart.
    let differs = |component: TypeId| {
        let mut all = question.nearest.iter().flat_map(|nearest| &nearest.differences);
        all.any(|one| one.component.split('#').next() == Some(system.types[component].name.as_str()))
    };
    let mut all: Vec<&(TypeId, Vec<StateId>)> = memorable.iter().collect();
    all.sort_by_key(|(component, _)| !differs(*component));
    let named = all.into_iter().take(MAX_TYPES).map(|(component, states)| {
        let component_type = &system.types[*component];
        let mut names: Vec<String> = states
            .iter()
            .take(MAX_STATES)
            .map(|&one| format!("`{}`", component_type.states[one].name))
            .collect();
        names.extend((states.len() > MAX_STATES).then(|| "…".to_owned()));
        format!("{} that it was in {}", component_type.name, names.join(", "))
    });
    let named = itertools::join(named, "; ");
    match memorable.len() {
        0 => "let another component take part in them, an observer, and remember it".to_owned(),
        1 => format!("let a type remember several. What can be remembered, for instance: {named}"),
        _ => format!("let several types remember. What can be remembered, for instance: {named}"),
    }
}

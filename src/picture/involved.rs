//! Which components make an error true in a marking, to be pointed out in a picture.

use std::collections::BTreeSet;

use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::{Marking, evaluate};
use paramcheck_nets::instance::net::{ComponentId, Net};

/// The components of `net` that make `formula` true in `marking`; `None` where it is not true there, or
/// where that is too much work to decide.
///
/// Of a count that must be large these are the components counted; of a pattern those in which it occurs; of
/// a deadlock all that are not in a final state. What must be absent or rare is the work of no component.
pub fn involved(
    system: &System,
    net: &Net,
    formula: &ErrorFormula,
    marking: &Marking,
) -> Option<BTreeSet<ComponentId>> {
    if evaluate(system, net, formula, marking) != Some(true) {
        return None;
    }
    let mut found = BTreeSet::new();
    let states = || {
        let components = net.components().enumerate().zip(marking);
        components.map(|((id, component), &state)| (id, component.component_type, state))
    };
    match formula {
        ErrorFormula::Deadlock => found.extend(
            states().filter(|(_, of, state)| !system.types[*of].states[*state].is_final).map(|one| one.0),
        ),
        ErrorFormula::Count(count) => {
            if matches!(count.comparison, Comparison::AtLeast | Comparison::Greater | Comparison::Equal) {
                let is_counted =
                    |of, state| count.weights.iter().any(|weight| (weight.0, weight.1) == (of, state));
                found.extend(states().filter(|(_, of, state)| is_counted(*of, *state)).map(|one| one.0));
            }
        }
        ErrorFormula::Pattern(group) => {
            for pattern in net.patterns().iter().filter(|pattern| pattern.group == *group) {
                if pattern.conditions.iter().all(|(one, states)| states.contains(&marking[*one])) {
                    found.extend(pattern.conditions.iter().map(|condition| condition.0));
                }
            }
        }
        // Which components a formula's variables stand for is not known: it is evaluated by numbers alone.
        ErrorFormula::Components(_) | ErrorFormula::Not(_) => {}
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
            for part in parts {
                found.extend(involved(system, net, part, marking).into_iter().flatten());
            }
        }
    }
    Some(found)
}

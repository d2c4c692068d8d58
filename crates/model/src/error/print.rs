//! Errors as text.
//!
//! What is printed can be read again, except patterns (`pattern forbidden`: here it is the group that
//! is denoted, not the error of this name) and the constants `true` and `false`. States always have their
//! type; in formulas over components they have it where they are one state of one type.

use crate::error::{Count, ErrorFormula};
use crate::system::System;

/// Prints a formula, as in `#Node.busy + #Holder.hbusy >= 2 & !(deadlock)`. A weight is printed as that
/// many terms.
pub fn print_formula(system: &System, formula: &ErrorFormula) -> String {
    let mut text = String::new();
    print(system, formula, Place::Top, &mut text);
    text
}

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Alone or in parentheses.
    Top,
    /// Part of a disjunction.
    InOr,
    /// Part of a conjunction.
    InAnd,
}

fn print(system: &System, formula: &ErrorFormula, place: Place, text: &mut String) {
    match formula {
        ErrorFormula::Deadlock => text.push_str("deadlock"),
        ErrorFormula::Count(count) => print_count(system, count, text),
        ErrorFormula::Pattern(group) => {
            text.push_str("pattern ");
            text.push_str(system.pattern_groups.get(*group).map_or("?", String::as_str));
        }
        ErrorFormula::Components(formula) => text.push_str(&formula.print(system)),
        ErrorFormula::Not(inner) => {
            text.push_str("!(");
            print(system, inner, Place::Top, text);
            text.push(')');
        }
        ErrorFormula::And(parts) => print_parts(system, parts, (" & ", "true"), place, Place::InAnd, text),
        ErrorFormula::Or(parts) => print_parts(system, parts, (" | ", "false"), place, Place::InOr, text),
    }
}

/// Prints the parts of a conjunction or disjunction, in parentheses where they are needed to keep what
/// belongs together.
fn print_parts(
    system: &System,
    parts: &[ErrorFormula],
    (sign, empty): (&str, &str),
    place: Place,
    inside: Place,
    text: &mut String,
) {
    match parts {
        [] => text.push_str(empty),
        [part] => print(system, part, place, text),
        [first, rest @ ..] => {
            let is_loose = place == Place::Top || (place == Place::InOr && inside == Place::InAnd);
            if !is_loose {
                text.push('(');
            }
            print(system, first, inside, text);
            for part in rest {
                text.push_str(sign);
                print(system, part, inside, text);
            }
            if !is_loose {
                text.push(')');
            }
        }
    }
}

fn print_count(system: &System, count: &Count, text: &mut String) {
    let mut is_first = true;
    for &(component, state, weight) in &count.weights {
        for _ in 0..weight {
            text.push_str(if is_first { "#" } else { " + #" });
            text.push_str(&system.state_name(component, state));
            is_first = false;
        }
    }
    if is_first {
        text.push('0');
    }
    text.push_str(&format!(" {} {}", count.comparison.symbol(), count.bound));
}

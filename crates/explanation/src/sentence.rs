//! Sentences about sets: what holds, why, of which places, and what an error would do to them.
//!
//! Everything is made from the data: bounds from the kind, "exactly one" or "stays 3" from what is marked
//! at the start, "2 of them" from the error markings of the instance.

mod contradiction;
mod places;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;

use crate::{Move, ShownPair};

pub(crate) use contradiction::contradiction;
pub use contradiction::letter;
pub(crate) use places::places;

/// In which instances a family has a set, and how it starts.
pub(crate) struct Scope {
    /// Whether every instance has exactly one of its sets.
    pub is_everywhere: bool,
    /// What is marked of it at the start, if that is the same in all instances.
    pub start: Option<i64>,
}

/// What always holds.
pub(crate) fn says(kind: InvariantKind, scope: &Scope, is_constant: bool) -> String {
    let head =
        if scope.is_everywhere { "in every instance" } else { "in every instance that has such nodes" };
    let what = match kind {
        InvariantKind::AtLeast(1) => "at least one of these places is always marked".to_owned(),
        InvariantKind::AtLeast(c) => format!("at least {c} of these places are always marked"),
        InvariantKind::Exactly(1) => "exactly one of these places is always marked".to_owned(),
        InvariantKind::Exactly(c) => format!("exactly {c} of these places are always marked"),
        InvariantKind::AtMost(0) => "none of these places is ever marked".to_owned(),
        InvariantKind::AtMost(1) => "never more than one of these places is marked".to_owned(),
        InvariantKind::AtMost(c) => format!("never more than {c} of these places are marked"),
        InvariantKind::Parity => match scope.start.map(|start| start.rem_euclid(2)) {
            Some(0) => "the number of these places that are marked is always even".to_owned(),
            Some(_) => "the number of these places that are marked is always odd".to_owned(),
            None => "the number of these places that are marked stays even, or stays odd".to_owned(),
        },
        InvariantKind::Linear(_) => match (scope.start, is_constant) {
            (Some(start), true) => format!("the weights of those of these places that are marked always add up to {start}"),
            (Some(start), false) => {
                format!("the weights of those of these places that are marked never add up to more than {start}")
            }
            (None, true) => {
                "the weights of those of these places that are marked always add up to what they do at the start".to_owned()
            }
            (None, false) => {
                "the weights of those of these places that are marked never add up to more than at the start".to_owned()
            }
        },
        InvariantKind::Modulo(m) => match scope.start {
            Some(start) => format!(
                "the weights of those of these places that are marked always add up to {} modulo {m}",
                start.rem_euclid(i64::from(m))
            ),
            None => format!(
                "the weights of those of these places that are marked always add up to the same modulo {m}"
            ),
        },
    };
    format!("{head}, {what}")
}

/// Why it always holds.
pub(crate) fn because(kind: InvariantKind, is_constant: bool, needs: usize) -> String {
    let start = |text: &str| format!("it is so at the start, and {text}");
    let what = match kind {
        InvariantKind::AtLeast(1) => start("every step that unmarks one of them marks one"),
        InvariantKind::AtLeast(c) => start(&format!("no step leaves fewer than {c} of them marked")),
        InvariantKind::Exactly(_) if is_constant => start("every step marks as many of them as it unmarks"),
        InvariantKind::Exactly(1) => start(
            "every step marks as many of them as it unmarks, but for steps that need two marked at once",
        ),
        InvariantKind::Exactly(c) => start(&format!(
            "every step marks as many of them as it unmarks, but for steps that need more than {c} marked"
        )),
        InvariantKind::AtMost(0) => start("every step that marks one of them needs one of them marked"),
        InvariantKind::AtMost(c) => {
            start(&format!("no step adds to them, but for steps that need more than {c} of them marked"))
        }
        InvariantKind::Parity => "every step changes their number by an even number".to_owned(),
        InvariantKind::Linear(_) if is_constant => "no step changes the sum".to_owned(),
        InvariantKind::Linear(_) => "no step adds to the sum".to_owned(),
        InvariantKind::Modulo(m) => format!("every step changes the sum by a multiple of {m}"),
    };
    match needs {
        0 => what,
        1 => format!("{what} (but for a step that never happens)"),
        _ => format!("{what} (but for {needs} kinds of steps that never happen)"),
    }
}

/// Who would do what: `out(x) busy -> idle, in(y) idle -> busy`.
pub(crate) fn interaction(moves: &[Move]) -> String {
    let text = moves.iter().map(|Move { variable, component, port, from, to }| {
        format!("{port}({variable}) {component} {from} -> {to}")
    });
    text.collect::<Vec<_>>().join(", ")
}

/// Two states that exclude each other.
pub(crate) fn pair(system: &System, (rule, pair): &(RuleId, [(usize, StateId); 2])) -> ShownPair {
    let rule = &system.rules[*rule];
    let name = |(position, state): &(usize, StateId)| {
        rule.instance_atoms().nth(*position).map_or_else(String::new, |atom| {
            let component = &system.types[atom.component];
            let state = &component.states[*state].name;
            format!("{} in {state}", rule.variables[atom.variable].name)
        })
    };
    let (first, second) = (name(&pair[0]), name(&pair[1]));
    let says = format!(
        "at no node by {} are {first} and {second} at once: they don't start so, and every step that would \
         bring one of them there needs two states that exclude each other too",
        rule.label
    );
    ShownPair { rule: rule.label.clone(), first, second, says }
}

//! Sentences about sets: what holds, why, of which places, and what an error would do to them.
//!
//! Everything is made from the data: bounds from the kind, "exactly one" or "stays 3" from what is marked
//! at the start, "2 of them" from the error markings of the instance.

mod contradiction;
mod nodes;
mod places;
mod subject;
mod sums;

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;

use crate::pattern::Pattern;
use crate::{Move, ShownPair};

pub use contradiction::letter;
pub(crate) use contradiction::{contradiction, in_large, nowhere_an_error, without_error};
pub(crate) use places::{Words, length, words};
pub use sums::term;
pub(crate) use sums::{Sides, Steps};

/// In which instances a family has a set, and how it starts.
pub(crate) struct Scope {
    /// Whether every instance has exactly one of its sets.
    pub is_everywhere: bool,
    /// What is marked of it at the start, if that is the same in all instances.
    pub start: Option<i64>,
}

/// What always holds, of "these places".
pub(crate) fn says(kind: InvariantKind, scope: &Scope, is_constant: bool, sides: Sides) -> String {
    let head =
        if scope.is_everywhere { "in every instance" } else { "in every instance that has such nodes" };
    format!("{head}, {}", holds(kind, scope, (is_constant, sides), "these places"))
}

/// More states are not listed in a summary.
const MAX_SUMMARY_STATES: usize = 6;

/// What always holds, in a sentence that says of what.
pub(crate) fn summary(
    pattern: &Pattern,
    (kind, scope, is_constant): (InvariantKind, &Scope, bool),
    words: &Words,
) -> String {
    let sides = Sides::of(pattern);
    let Some(subject) = &words.subject else {
        return format!("{}: {}", says(kind, scope, is_constant, sides), words.places.join("; "));
    };
    let mut states: Vec<String> = Vec::new();
    let mut of_types: BTreeMap<&str, BTreeSet<Vec<&str>>> = BTreeMap::new();
    for places in pattern.roles.iter().flat_map(|role| &role.ways).flat_map(|way| &way.places) {
        let own = places.states.iter().map(|state| state.state.as_str());
        of_types.entry(&places.component).or_default().insert(own.clone().collect());
        for state in own.map(|state| format!("`{state}`")) {
            if !states.contains(&state) {
                states.push(state);
            }
        }
    }
    // Together they might be all states of a type, which would say nothing.
    let differ = of_types.values().any(|own| own.len() > 1);
    let of = match states.split_last() {
        _ if differ || states.len() > MAX_SUMMARY_STATES => "the places below".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "no places".to_owned(),
    };
    let holds = holds(kind, scope, (is_constant, sides), &of);
    // One state is not one of several.
    let holds = if states.len() == 1 { holds.replacen(" one of `", " one `", 1) } else { holds };
    format!("{subject}: {holds}")
}

fn holds(kind: InvariantKind, scope: &Scope, (is_constant, sides): (bool, Sides), of: &str) -> String {
    match kind {
        InvariantKind::AtLeast(1) => format!("at least one of {of} is always marked"),
        InvariantKind::AtLeast(c) => format!("at least {c} of {of} are always marked"),
        InvariantKind::Exactly(1) => format!("exactly one of {of} is always marked"),
        InvariantKind::Exactly(c) => format!("exactly {c} of {of} are always marked"),
        InvariantKind::AtMost(0) => format!("none of {of} is ever marked"),
        InvariantKind::AtMost(1) => format!("never more than one of {of} is marked"),
        InvariantKind::AtMost(c) => format!("never more than {c} of {of} are marked"),
        InvariantKind::Parity => match scope.start.map(|start| start.rem_euclid(2)) {
            Some(0) => format!("the number of {of} that are marked is always even"),
            Some(_) => format!("the number of {of} that are marked is always odd"),
            None => format!("the number of {of} that are marked stays even, or stays odd"),
        },
        InvariantKind::Linear(_) => sides.compare(scope.start, is_constant),
        InvariantKind::Modulo(m) => {
            let sum = format!("divided by {m}, the sum always leaves");
            match scope.start {
                Some(start) => format!("{sum} {}", start.rem_euclid(i64::from(m))),
                None => format!("{sum} what it leaves at the start"),
            }
        }
    }
}

/// Why it always holds.
pub(crate) fn because(kind: InvariantKind, is_constant: bool, sides: Sides, needs: usize) -> String {
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
        InvariantKind::Linear(_) => sides.because(is_constant).to_owned(),
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

/// Two states that exclude each other, one of the `count` such pairs of the rule.
pub(crate) fn pair(
    system: &System,
    (rule, pair): &(RuleId, [(usize, StateId); 2]),
    count: usize,
) -> ShownPair {
    let rule = &system.rules[*rule];
    let name = |(position, state): &(usize, StateId)| {
        rule.instance_atoms().nth(*position).map_or_else(String::new, |atom| {
            let component = &system.types[atom.component];
            let state = &component.states[*state].name;
            format!("{} in {state}", rule.variables[atom.variable].name)
        })
    };
    let (first, second) = (name(&pair[0]), name(&pair[1]));
    let says = format!("at no node by {} are {first} and {second} at once", rule.label);
    let because = match count {
        1 => {
            "they don't start so, and no step leads there from a marking in which they are not so".to_owned()
        }
        count => format!(
            "the {count} such pairs of {} are proved together, by induction on the steps: at the start all of \
             them exclude each other, and no step leads from a marking in which all do to one in which some \
             pair does not",
            rule.label
        ),
    };
    ShownPair { rule: rule.label.clone(), first, second, says, because }
}

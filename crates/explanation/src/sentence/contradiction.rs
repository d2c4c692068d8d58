//! What the error would do to the sets.

use std::collections::BTreeSet;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_nets::instance::net::Marking;
use paramcheck_text::index::Idx;

use super::Sides;
use crate::Reason;
use crate::choose::Case;
use crate::goal::{Goal, MAX_MARKINGS};
use crate::telling::MAX_FAR;
use crate::{Place, ShownSet};

/// More values are given as a range.
const MAX_VALUES: usize = 4;

/// How the error markings of the instance break what is said in `reason`, a sentence each.
pub(crate) fn contradiction(reason: &Reason, (term, case): (&str, &Case), goal: Goal<'_>) -> Vec<String> {
    if let Goal::Anything = goal {
        return vec![format!(
            "no marking that is an error was found, reachable or not, in the instances that were looked at, of up \
             to {MAX_FAR} components. So the sets are those by which the proof excludes other markings of {term}"
        )];
    }
    let count = case.errors.len();
    let what = match goal {
        Goal::Error(_) if count == 1 => format!("the one marking of {term} that is an error"),
        Goal::Error(_) => format!("markings of {term} that are errors"),
        Goal::Fires(_) if count == 1 => format!("the one marking of {term} in which it is enabled"),
        Goal::Fires(_) | Goal::Anything => format!("markings of {term} in which it is enabled"),
    };
    let what = what.as_str();
    if count == 0 {
        let what = match goal {
            Goal::Error(_) => format!("no marking of {term} is an error"),
            Goal::Fires(_) | Goal::Anything => format!("in no marking of {term} it is enabled"),
        };
        return vec![format!("{what}, reachable or not")];
    }
    let broken: Vec<_> = reason.sets.iter().map(|set| broken_by(set, case)).collect();
    let is_alone = broken.iter().flatten().count() <= 1;
    let mut sentences = Vec::new();
    if !is_alone {
        let counted: usize = broken.iter().flatten().map(|(broken, _)| broken).sum();
        let twice = if counted > count { " (some contradict several, and count with each)" } else { "" };
        sentences.push(format!("{} contradicts one of the sets{twice}:", subject(count, count, what)));
    }
    for (position, (set, broken)) in reason.sets.iter().zip(broken).enumerate() {
        let Some((broken, values)) = broken else { continue };
        let these = match (reason.sets.len() == 1, set.sets.len() + set.alike_sets.len() > 1) {
            (true, false) => "these places".to_owned(),
            (true, true) => "one of these sets".to_owned(),
            (false, false) => format!("set {}", name(goal, position)),
            (false, true) => format!("one of the sets like {}", name(goal, position)),
        };
        let is_singular = broken == 1 || is_alone && broken == count;
        let subject = if is_alone { subject(broken, count, what) } else { broken.to_string() };
        sentences.push(format!("{subject} {}", states(set, &values, &these, is_singular)));
    }
    if !reason.exclusive.is_empty() {
        sentences.push(match sentences.is_empty() {
            true => "each error needs two states that exclude each other".to_owned(),
            false => "others need two states that exclude each other".to_owned(),
        });
    }
    if !reason.enabled.is_empty() {
        sentences.push(match sentences.is_empty() {
            true => "each error needs a marking in which an interaction is enabled that never is".to_owned(),
            false => "in others an interaction is enabled that never is".to_owned(),
        });
    }
    sentences
}

/// Of a proof that needs no set.
pub(crate) fn nowhere_an_error() -> String {
    "no marking is an error, reachable or not, whatever the instance".to_owned()
}

/// Of an instance in which no marking is an error; another one is shown.
pub(crate) fn without_error(term: &str) -> String {
    format!("no marking of {term} is an error, reachable or not: so another instance is shown")
}

/// What is known of an instance that has too many markings to look at each, where others were of up to `sizes`
/// components.
pub(crate) fn in_large(term: &str, goal: Goal<'_>, is_enough: Option<bool>, sizes: Option<usize>) -> String {
    let what = match goal {
        Goal::Error(_) => "is an error",
        Goal::Fires(_) | Goal::Anything => "is one in which it is enabled",
    };
    match (is_enough, sizes) {
        (Some(true), _) => format!(
            "no marking of {term} in which all of this holds {what}: a search through all its markings finds \
             none"
        ),
        (Some(false), Some(sizes)) => format!(
            "these sets are those of instances of up to {sizes} components. They are not enough in {term}: \
             there, a marking in which all of them hold {what}"
        ),
        (Some(false), None) => {
            format!("these sets are not enough in {term}: there, a marking in which all of them hold {what}")
        }
        (None, _) => format!(
            "whether these sets are enough in {term} is not known: it has more than {MAX_MARKINGS} markings, \
             too many for this error"
        ),
    }
}

/// What a set is called: by its number, or by a letter among those by which an interaction never fires.
fn name(goal: Goal<'_>, position: usize) -> String {
    match goal {
        Goal::Error(_) | Goal::Anything => (position + 1).to_string(),
        Goal::Fires(_) => letter(position),
    }
}

/// The name of a set by which an interaction never fires: `a`, `b` …
pub fn letter(position: usize) -> String {
    match u8::try_from(position) {
        Ok(position @ 0..26) => char::from(b'a' + position).to_string(),
        _ => format!("n{position}"),
    }
}

fn subject(broken: usize, count: usize, what: &str) -> String {
    match (broken, count) {
        (_, 1) => what.to_owned(),
        (broken, count) if broken == count => format!("each of the {count} {what}"),
        (broken, count) => format!("{broken} of the {count} {what}"),
    }
}

/// What an error has of a set.
fn states(set: &ShownSet, values: &BTreeSet<i64>, these: &str, is_singular: bool) -> String {
    let has = if is_singular { "has" } else { "have" };
    let kind: Option<InvariantKind> = set.kind.parse().ok();
    let is_sum = kind.is_some_and(InvariantKind::is_weighted);
    let places = set.sets.iter().chain(&set.alike_sets).flatten();
    let sides = Sides::with(places.map(|place| place.weight));
    // What only counts against a sum is said to add up.
    let negated: BTreeSet<i64> = values.iter().map(|value| -value).collect();
    let values = if is_sum && !sides.left { &negated } else { values };
    let amount = match (values.first(), values.last()) {
        (Some(0), Some(0)) if !is_sum => "none".to_owned(),
        (Some(least), Some(most)) if values.len() > MAX_VALUES => {
            // What never changes may be exceeded in both directions.
            let gap = (*least..=*most).find(|value| !values.contains(value)).filter(|_| set.is_exact);
            let gap = gap.map_or_else(String::new, |value| format!(" other than {value}"));
            format!("{least} to {most}{gap}")
        }
        _ => {
            let words: Vec<String> = values.iter().map(i64::to_string).collect();
            words.join(" or ")
        }
    };
    if is_sum {
        let would = if is_singular { "breaks" } else { "break" };
        let these = if these == "these places" { "that" } else { these };
        let what = if sides.left && sides.right { "left − right" } else { "the sum" };
        format!("{would} {these}: {what} would be {amount}")
    } else {
        format!("{has} {amount} of {these} marked")
    }
}

/// How many error markings a set excludes, and what they mark of it.
fn broken_by(set: &ShownSet, case: &Case) -> Option<(usize, BTreeSet<i64>)> {
    let kind: InvariantKind = set.kind.parse().ok()?;
    let initial = case.net.initial();
    let weight = |weights: &[Vec<i64>], marking: &Marking| -> i64 {
        weights.iter().zip(marking).map(|(one, state)| one.get(state.index()).copied().unwrap_or(0)).sum()
    };
    let sets = set.sets.iter().chain(&set.alike_sets).map(|places| weights(places, case));
    let sets: Vec<_> = sets.map(|set| (weight(&set, &initial), set)).collect();
    let (mut broken, mut values) = (0, BTreeSet::new());
    for marking in &case.errors {
        let found = sets.iter().find_map(|(start, one)| {
            let now = weight(one, marking);
            (kind.refutes(*start, now) || set.is_exact && now != *start).then_some(now)
        });
        broken += usize::from(found.is_some());
        values.extend(found);
    }
    (broken > 0).then_some((broken, values))
}

/// Per component the weights of its states.
fn weights(places: &[Place], case: &Case) -> Vec<Vec<i64>> {
    let mut weights = vec![Vec::new(); case.net.components().len()];
    for (id, component) in case.net.components().enumerate() {
        let own = places.iter().filter(|place| place.component == component.name);
        for place in own {
            let row: &mut Vec<i64> = &mut weights[id.index()];
            row.resize(component.state_count, 0);
            if let Some(at) = row.get_mut(place.number) {
                *at = place.weight;
            }
        }
    }
    weights
}

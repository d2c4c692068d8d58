//! Sums, as an equation or an inequality that one can check by hand.
//!
//! What counts for a sum stands on the left, what counts against it on the right: then no number is negative. In:
//! patterns, and sets of instances with what their transitions change of them. Out: terms, how the sides compare,
//! and which steps change which side.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{Net, NetTransition};
use paramcheck_text::index::Idx;

use crate::family::Set;
use crate::pattern::{Pattern, Weighted};

/// No more kinds of steps are listed.
const MAX_STEPS: usize = 12;
/// No more ways to take part in a step are listed.
const MAX_WAYS: usize = 4;

/// Which sides have places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    /// Some place counts for the sum.
    pub left: bool,
    /// Some place counts against it.
    pub right: bool,
}

impl Sides {
    pub(crate) fn of(pattern: &Pattern) -> Sides {
        let ways = pattern.roles.iter().flat_map(|role| &role.ways);
        let weights = ways.flat_map(|way| &way.places).flat_map(|places| &places.states);
        Sides::with(weights.map(|state| state.weight))
    }

    pub(crate) fn with(weights: impl Iterator<Item = i64> + Clone) -> Sides {
        Sides {
            left: weights.clone().any(|weight| weight > 0),
            right: weights.clone().any(|weight| weight < 0),
        }
    }

    fn are_two(self) -> bool {
        self.left && self.right
    }

    /// How the sides compare: always, if the sum never changes or never grows and `start` is what it is in the
    /// beginning, where that is known.
    pub(super) fn compare(self, start: Option<i64>, is_constant: bool) -> String {
        let sign = if is_constant { '=' } else { '≤' };
        match (self, start) {
            (Sides { left: true, right: true }, Some(start)) => {
                let [left, right] = [-start, start].map(|more| match more {
                    1.. => format!(" + {more}"),
                    _ => String::new(),
                });
                format!("left{left} {sign} right{right}, always")
            }
            (Sides { left: true, right: true }, None) => match is_constant {
                true => "left − right is always what it is at the start".to_owned(),
                false => "left − right is never more than at the start".to_owned(),
            },
            (Sides { right: true, .. }, start) => match (start, is_constant) {
                (Some(start), true) => format!("the sum is always {}", -start),
                (Some(start), false) => format!("the sum is never less than {}", -start),
                (None, true) => "the sum is always what it is at the start".to_owned(),
                (None, false) => "the sum is never less than at the start".to_owned(),
            },
            (_, start) => match (start, is_constant) {
                (Some(start), true) => format!("the sum is always {start}"),
                (Some(start), false) => format!("the sum is never more than {start}"),
                (None, true) => "the sum is always what it is at the start".to_owned(),
                (None, false) => "the sum is never more than at the start".to_owned(),
            },
        }
    }

    /// Why they compare so.
    pub(super) fn because(self, is_constant: bool) -> &'static str {
        match (self, is_constant) {
            (Sides { left: true, right: true }, true) => {
                "every step adds as much on the left as on the right"
            }
            (Sides { left: true, right: true }, false) => "no step adds more on the left than on the right",
            (_, true) => "no step changes the sum",
            (Sides { right: true, .. }, false) => "no step takes something from the sum",
            (_, false) => "no step adds to the sum",
        }
    }

    /// The states of one component, a text per side: ``left: [`w1`] + 2·[`all` or `ready`]``.
    pub(super) fn terms(self, states: &[Weighted]) -> Vec<String> {
        let of_side = |is_left: bool| {
            let own = states.iter().filter(|one| (one.weight > 0) == is_left);
            let mut by_weight: BTreeMap<i64, Vec<String>> = BTreeMap::new();
            for one in own {
                by_weight.entry(one.weight.abs()).or_default().push(format!("`{}`", one.state));
            }
            let terms: Vec<String> =
                by_weight.into_iter().map(|(weight, states)| term(weight, &states.join(" or "))).collect();
            let name = match (self.are_two(), is_left) {
                (false, _) => "",
                (true, true) => "left: ",
                (true, false) => "right: ",
            };
            (!terms.is_empty()).then(|| format!("{name}{}", terms.join(" + ")))
        };
        [true, false].into_iter().filter_map(of_side).collect()
    }
}

/// A term of a sum: `2·[all or ready]`, how many of these are marked, times 2.
pub fn term(weight: i64, places: &str) -> String {
    match weight {
        1 => format!("[{places}]"),
        _ => format!("{weight}·[{places}]"),
    }
}

/// What a participant of a step adds: its port, and how much on either side.
type Change = (String, i64, i64);

/// The kinds of steps that change sums, each with who takes part in it, over instances and their sets.
#[derive(Default)]
pub(crate) struct Steps(BTreeMap<Vec<Change>, Vec<BTreeSet<String>>>);

impl Steps {
    /// Adds what the transitions of an instance change of one of its sets.
    pub(crate) fn add(
        &mut self,
        system: &System,
        net: &Net,
        set: &Set,
        happens: impl Fn(&NetTransition) -> bool,
    ) {
        for transition in net.transitions().iter().filter(|one| happens(one)) {
            let ports = transition.interaction.map(|one| &system.rules[transition.rule].interactions[one]);
            let mut changes: Vec<(Change, String)> = Vec::new();
            for (position, step) in transition.moves.iter().enumerate() {
                let weights = &set[step.component.index()];
                let [from, to] = [step.from, step.to].map(|state| weights[state.index()]);
                if from == to {
                    continue;
                }
                let port = ports.and_then(|one| one.participants.get(position));
                let port = port.map_or_else(String::new, |(port, _)| system.ports[*port].to_string());
                let component = &system.types[net.components()[step.component].component_type];
                let name = |state| &component.states[state].name;
                let way = format!("{} {} -> {}", component.name, name(step.from), name(step.to));
                let [left, right] = [1, -1].map(|side| (side * to).max(0) - (side * from).max(0));
                changes.push(((port, left, right), way));
            }
            if changes.is_empty() {
                continue;
            }
            changes.sort();
            let (key, ways): (Vec<Change>, Vec<String>) = changes.into_iter().unzip();
            let known = self.0.entry(key).or_insert_with(|| vec![BTreeSet::new(); ways.len()]);
            known.iter_mut().zip(ways).for_each(|(known, way)| {
                known.insert(way);
            });
        }
    }

    /// A line per kind of step: of sums that may become less, only of those steps that also add to them.
    pub(crate) fn lines(self, sides: Sides, is_constant: bool) -> Vec<String> {
        let all = self.0.len();
        let adds_some = |changes: &[Change]| changes.iter().any(|(_, left, right)| *left > 0 || *right < 0);
        let told: Vec<_> =
            self.0.into_iter().filter(|(changes, _)| is_constant || adds_some(changes)).collect();
        let count = told.len();
        let others = match (all > count, sides) {
            (false, _) => None,
            (_, Sides { left: true, right: true }) => Some("only add on the right or take on the left"),
            (_, Sides { right: true, .. }) => Some("only add to it"),
            _ => Some("only take from it"),
        };
        let mut lines: Vec<String> = (told.into_iter().take(MAX_STEPS))
            .map(|(changes, ways)| {
                let parts = changes.iter().zip(ways).map(|((port, left, right), ways)| {
                    let more = ways.len().saturating_sub(MAX_WAYS);
                    let ways: Vec<String> = ways.into_iter().take(MAX_WAYS).collect();
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    let ways = format!("{}{more}", ways.join(", "));
                    let who = match port.as_str() {
                        "" => format!("a step of its own ({ways})"),
                        port => format!("`{port}` ({ways})"),
                    };
                    format!("{who} {}", adds(*left, *right, sides))
                });
                parts.collect::<Vec<_>>().join(", ")
            })
            .collect();
        if count > MAX_STEPS {
            lines.push(format!("and {} kinds of steps more", count - MAX_STEPS));
        }
        lines.extend(others.map(|others| match count {
            0 => format!("the steps that change it {others}"),
            _ => format!("other steps that change it {others}"),
        }));
        lines
    }
}

/// `adds 1 on the left and takes 2 on the right`.
fn adds(left: i64, right: i64, sides: Sides) -> String {
    let one = |change: i64, side: &str| match change {
        0 => None,
        1.. => Some(format!("adds {change}{side}")),
        _ => Some(format!("takes {}{side}", -change)),
    };
    let names = if sides.are_two() { [" on the left", " on the right"] } else { [""; 2] };
    let parts: Vec<String> = [one(left, names[0]), one(right, names[1])].into_iter().flatten().collect();
    parts.join(" and ")
}

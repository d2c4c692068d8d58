//! A trace as a chart: a line of life per component, time downwards, a numbered bar per step.
//!
//! The form is that of message sequence charts. A bar joins the participants of an interaction, each marked
//! by a dot with its port; the thick part of a line of life has the colour of the component's state, whose
//! name is written where it changes. Of many steps the first and the last are shown ([`left_out`]).
//! Components that take part in no step shown are left out, and counted below; not so those that are pointed
//! out. Of agents a step that one takes alone is a box, and a message arrows. [`sequence`] makes a [`Chart`] of a
//! firing sequence, `process` and `agents` those of runs; [`draw`](Chart::draw) draws all.

mod chart;

use std::collections::BTreeSet;
use std::ops::Range;

use super::view::View;
use super::{MAX_LIFELINES, MAX_STEPS, TooLarge};
use crate::report::text::plural;
use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{ComponentId, Net, NetTransitionId};
use paramcheck_text::index::{Idx, IndexVec};

pub(super) use chart::{Chart, Form, Life, Mode, Move, Step};

/// Components that are pointed out and take part in no step have a line of life if there are no more lines
/// than this.
const MAX_MARKED: usize = 24;

/// A chart of no more steps shows all of them.
const MAX_WHOLE: usize = 60;
/// How many steps a longer one shows at either end.
const KEPT: usize = 20;

/// Which of so many steps a chart leaves out, if any: with `all` none.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_STEPS`] steps are to be drawn.
pub(super) fn left_out(steps: usize, all: bool) -> Result<Option<Range<usize>>, TooLarge> {
    if all {
        TooLarge::check("steps", steps, MAX_STEPS)?;
    }
    Ok((!all && steps > MAX_WHOLE).then(|| KEPT..steps - KEPT))
}

/// The picture of a firing sequence of `net` from its initial marking, with what `view` points out in the
/// end. The middle of a long one is left out, unless `view` wants all.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_STEPS`] steps are to be drawn, or more than [`MAX_LIFELINES`] components take
/// part.
pub fn sequence(
    system: &System,
    net: &Net,
    steps: &[NetTransitionId],
    view: &View,
) -> Result<String, TooLarge> {
    let cut = left_out(steps.len(), view.all)?;
    let shown: Vec<NetTransitionId> = match &cut {
        Some(cut) => [&steps[..cut.start], &steps[cut.end..]].concat(),
        None => steps.to_vec(),
    };
    let order = order(net, &shown, &view.marked);
    TooLarge::check("components that take part", order.len(), MAX_LIFELINES)?;
    let mut of: IndexVec<ComponentId, Option<usize>> = net.components().iter().map(|_| None).collect();
    for (position, &component) in order.iter().enumerate() {
        of[component] = Some(position);
    }
    let mode = |component: ComponentId, state: StateId| {
        let component_type = net.components()[component].component_type;
        Mode { name: system.types[component_type].states[state].name.clone(), colour: state.index() }
    };
    let lives = order.iter().map(|&component| {
        let known = &net.components()[component];
        Life {
            name: known.name.clone(),
            kind: known.component_type.index(),
            initial: mode(component, known.initial),
            is_marked: view.marked.contains(&component),
        }
    });
    let lives: Vec<Life> = lives.collect();
    let steps: Vec<Step> = steps
        .iter()
        .map(|&step| {
            let transition = &net.transitions()[step];
            let moves = transition.moves.iter().filter_map(|one| {
                let component_type = &system.types[net.components()[one.component].component_type];
                let port = component_type.transitions[one.transition].port;
                let port = port.map_or(super::automata::INTERNAL, |port| system.ports[port].as_str());
                let to = (one.from != one.to).then(|| mode(one.component, one.to));
                Some(Move { life: of[one.component]?, port: port.to_owned(), to })
            });
            let label = system.rules[transition.rule].label.clone();
            Step {
                label,
                words: net.transition_name(system, step),
                moves: moves.collect(),
                form: Form::Together,
            }
        })
        .collect();
    let idle = net.components().len() - lives.len();
    let mut notes = Vec::new();
    if idle > 0 {
        let shown = if cut.is_some() { " shown" } else { "" };
        notes.push(format!("{} in no step{shown}", plural(idle, "component")));
    }
    let title = format!("{}: a trace of {}", system.name(), plural(steps.len(), "step"));
    Ok(Chart { title, lives, steps, left_out: cut, notes }.draw(view))
}

/// The components that take part, partners beside each other as far as that can be: each is moved to where
/// the bars are shortest together, as long as that helps.
///
/// Those pointed out are among them, unless there are too many.
fn order(net: &Net, steps: &[NetTransitionId], marked: &BTreeSet<ComponentId>) -> Vec<ComponentId> {
    let mut order: Vec<ComponentId> = steps
        .iter()
        .flat_map(|&step| net.transitions()[step].moves.iter().map(|one| one.component))
        .collect();
    order.sort();
    order.dedup();
    let mut with_marked = order.clone();
    with_marked.extend(marked);
    with_marked.sort();
    with_marked.dedup();
    if with_marked.len() <= MAX_MARKED.max(order.len()) {
        order = with_marked;
    }
    // Beyond this the chart is refused or the work too much.
    if order.len() > MAX_LIFELINES {
        return order;
    }
    let mut groups: Vec<(Vec<ComponentId>, usize)> = Vec::new();
    for &step in steps {
        let mut group: Vec<ComponentId> =
            net.transitions()[step].moves.iter().map(|one| one.component).collect();
        group.sort();
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, count)) => *count += 1,
            None => groups.push((group, 1)),
        }
    }
    let cost = |order: &[ComponentId]| -> usize {
        let mut at: Vec<usize> = vec![0; net.components().len()];
        order.iter().enumerate().for_each(|(position, one)| at[one.index()] = position);
        let length = |group: &[ComponentId]| {
            let places = group.iter().map(|one| at[one.index()]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        groups.iter().map(|(group, count)| length(group) * count).sum()
    };
    let all = order.clone();
    let mut best = cost(&order);
    for _ in 0..4 {
        let before = best;
        for &one in &all {
            let Some(from) = order.iter().position(|&other| other == one) else { continue };
            let mut to_best = from;
            order.remove(from);
            for to in 0..=order.len() {
                order.insert(to, one);
                let new = cost(&order);
                if new < best {
                    (best, to_best) = (new, to);
                }
                order.remove(to);
            }
            order.insert(to_best, one);
        }
        if best == before {
            break;
        }
    }
    order
}

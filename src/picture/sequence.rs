//! A trace as a chart: a line of life per component, time downwards, a numbered bar per step.
//!
//! The form is that of message sequence charts. A bar joins the participants of an interaction, each marked
//! by a dot with its port; the thick part of a line of life has the colour of the component's state, whose
//! name is written where it changes. Components that take part in no step are left out, and counted below.

use super::font;
use super::geometry::{Area, Curve, Point, point};
use super::palette;
use super::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use super::{MAX_LIFELINES, MAX_STEPS, TooLarge};
use crate::report::text::plural;
use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{ComponentId, Net, NetTransitionId};
use paramcheck_text::index::{Idx, IndexVec};

/// From step to step.
const STEP: f64 = 44.0;
/// Half the width of a line of life.
const LIFE: f64 = 5.0;
const HEAD: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const PORT: Lettering = Lettering { size: 11.0, bold: false, colour: INK, rim: true };
const STATE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: true };
const NUMBER: Lettering = Lettering { size: 12.0, bold: true, colour: INK, rim: false };
const RULE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };

/// The picture of a firing sequence of `net` from its initial marking.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_STEPS`] steps, or more than [`MAX_LIFELINES`] components take part.
pub fn sequence(system: &System, net: &Net, steps: &[NetTransitionId]) -> Result<String, TooLarge> {
    TooLarge::check("steps", steps.len(), MAX_STEPS)?;
    let chart = Chart::new(system, net, steps);
    TooLarge::check("components that take part", chart.lives.len(), MAX_LIFELINES)?;
    let mut canvas = Canvas::default();
    chart.draw(&mut canvas);
    let name = system.name();
    Ok(canvas.finish(&format!("{name}: a trace of {}", plural(steps.len(), "step"))))
}

/// A component's line of life.
struct Life {
    component: ComponentId,
    x: f64,
    /// Half the width of the box on top.
    half: f64,
}

struct Chart<'a> {
    system: &'a System,
    net: &'a Net,
    steps: &'a [NetTransitionId],
    lives: Vec<Life>,
    /// Per component its line, if it has one.
    of: IndexVec<ComponentId, Option<usize>>,
}

impl<'a> Chart<'a> {
    fn new(system: &'a System, net: &'a Net, steps: &'a [NetTransitionId]) -> Self {
        let order = order(net, steps);
        let mut of: IndexVec<ComponentId, Option<usize>> = net.components().iter().map(|_| None).collect();
        for (position, &component) in order.iter().enumerate() {
            of[component] = Some(position);
        }
        let mut chart = Chart { system, net, steps, lives: Vec::new(), of };
        let mut right = 0.0;
        for component in order {
            let half =
                font::width(&font::shortened(&net.components()[component].name), HEAD.size) * 0.53 + 9.0;
            let x = right + half;
            chart.lives.push(Life { component, x, half });
            // What is written beside the line stands between it and the next box.
            let texts =
                chart.texts(component).iter().map(|text| font::width(text, PORT.size)).fold(0.0, f64::max);
            right = x + half.max(texts + LIFE + 6.0) + 16.0;
        }
        chart
    }

    /// What is written to the right of a component's line.
    fn texts(&self, component: ComponentId) -> Vec<String> {
        let component_type = &self.system.types[self.net.components()[component].component_type];
        let mut texts =
            vec![font::shortened(self.state(component, self.net.components()[component].initial))];
        for one in self.steps.iter().flat_map(|&step| &self.net.transitions()[step].moves) {
            if one.component == component {
                let port = component_type.transitions[one.transition].port;
                texts.extend(port.map(|port| font::shortened(&self.system.ports[port])));
                texts.push(font::shortened(self.state(component, one.to)));
            }
        }
        texts
    }

    fn state(&self, component: ComponentId, state: StateId) -> &str {
        let component_type = self.net.components()[component].component_type;
        &self.system.types[component_type].states[state].name
    }

    fn draw(&self, canvas: &mut Canvas) {
        let bottom = STEP * (self.steps.len() as f64 + 1.0) - 8.0;
        self.draw_lives(canvas, bottom);
        let first = self.lives.first().map_or(0.0, |life| life.x - life.half);
        let left = first.min(self.lives.first().map_or(0.0, |life| life.x - LIFE)) - 14.0;
        for (number, &step) in self.steps.iter().enumerate() {
            let y = STEP * (number as f64 + 1.0);
            let transition = &self.net.transitions()[step];
            let words = self.net.transition_name(self.system, step);
            let rule = &self.system.rules[transition.rule].label;
            canvas.begin("step", &format!("{}. {rule}: {words}", number + 1));
            canvas.text(&(number + 1).to_string(), point(left, y + 4.0), Anchor::End, NUMBER);
            let width = font::width("000", NUMBER.size);
            canvas.name(rule, point(left - width, y + 4.0), Anchor::End, RULE);
            let places: Vec<f64> = transition
                .moves
                .iter()
                .filter_map(|one| self.place(one.component))
                .map(|life| life.x)
                .collect();
            let from = places.iter().copied().fold(f64::INFINITY, f64::min);
            let to = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if to > from {
                canvas.curve(Curve::new(point(from, y), point(to, y), 0.0), 1.6, INK, false);
            }
            for one in &transition.moves {
                let Some(life) = self.place(one.component) else { continue };
                let component_type = &self.system.types[self.net.components()[one.component].component_type];
                let port = component_type.transitions[one.transition].port;
                canvas.disc(point(life.x, y), 4.4, INK);
                let port = port.map_or(super::automata::INTERNAL, |port| self.system.ports[port].as_str());
                canvas.name(port, point(life.x + LIFE + 4.0, y - 5.0), Anchor::Start, PORT);
                if one.from != one.to {
                    let state = self.state(one.component, one.to);
                    canvas.name(state, point(life.x + LIFE + 4.0, y + 14.0), Anchor::Start, STATE);
                }
            }
            canvas.end();
        }
        let left_out = self.net.components().len() - self.lives.len();
        if left_out > 0 {
            let text = format!("{} in no step", plural(left_out, "component"));
            canvas.text(&text, point(first, bottom + 24.0), Anchor::Start, RULE);
        }
    }

    fn place(&self, component: ComponentId) -> Option<&Life> {
        self.of.get(component).copied().flatten().and_then(|position| self.lives.get(position))
    }

    /// The boxes on top and the lines of life, in pieces of one state each.
    fn draw_lives(&self, canvas: &mut Canvas, bottom: f64) {
        for life in &self.lives {
            let known = &self.net.components()[life.component];
            canvas.begin("life", &known.name);
            canvas.rectangle(
                Area::new(point(life.x, -18.0), point(life.half * 2.0, 24.0)),
                super::architecture::radius(
                    known.component_type.index(),
                    Area::new(Point::default(), point(24.0, 24.0)),
                ),
                "#ffffff",
                1.3,
            );
            canvas.name(&known.name, point(life.x, -13.7), Anchor::Middle, HEAD);
            let mut state = known.initial;
            let mut top = -6.0;
            let piece = |canvas: &mut Canvas, state: StateId, from: f64, to: f64| {
                let area = Area::new(point(life.x, (from + to) / 2.0), point(LIFE * 2.0, to - from));
                canvas.rectangle(area, 0.0, palette::of_state(state.index()), 0.9);
            };
            canvas.name(
                self.state(life.component, state),
                point(life.x + LIFE + 4.0, 10.0),
                Anchor::Start,
                STATE,
            );
            for (number, &step) in self.steps.iter().enumerate() {
                let y = STEP * (number as f64 + 1.0);
                let moves = &self.net.transitions()[step].moves;
                if let Some(one) = moves.iter().find(|one| one.component == life.component)
                    && one.to != state
                {
                    piece(canvas, state, top, y);
                    (state, top) = (one.to, y);
                }
            }
            piece(canvas, state, top, bottom);
            canvas.end();
        }
    }
}

/// The components that take part, partners beside each other as far as that can be: each is moved to where
/// the bars are shortest together, as long as that helps.
fn order(net: &Net, steps: &[NetTransitionId]) -> Vec<ComponentId> {
    let mut order: Vec<ComponentId> = steps
        .iter()
        .flat_map(|&step| net.transitions()[step].moves.iter().map(|one| one.component))
        .collect();
    order.sort();
    order.dedup();
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

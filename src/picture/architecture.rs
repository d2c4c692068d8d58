//! The architecture of an instance: its components as boxes, its interactions as the lines between them.
//!
//! Two participants are joined by one line, more by a dot with a line to each (a hyperedge). Interactions of
//! the same participants share their line or dot; the ports stand at its ends, one below the other in the
//! same order at each end. The state of a component is a word and a colour; lines of interactions that are
//! enabled are thick. Internal transitions are not shown. [`links`] groups the interactions, [`items`]
//! decides what is drawn and what is left out, [`place`] where everything goes ([`hubs`]: a star with two
//! hubs), [`boxes`] draws the components.

mod boxes;
mod hubs;
mod items;
mod links;
mod place;

use super::font;
use super::geometry::{Area, Curve, Point, centroid, point};
use super::labels::Labels;
use super::palette;
use super::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use super::view::View;
use super::{MAX_COMPONENTS, MAX_LINES, TooLarge};
use crate::report::text::plural;
use items::Items;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::index::Idx;

pub(super) use links::{Link, links};

/// What is left free between boxes.
const GAP: f64 = 64.0;
/// The height of a box.
const HEIGHT: f64 = 38.0;

/// The picture of an instance in a marking, with what `view` points out.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_COMPONENTS`] components are to be drawn, or more than [`MAX_LINES`] ends of
/// lines.
pub fn architecture(
    system: &System,
    tree: &RewritingTree,
    net: &Net,
    marking: &Marking,
    view: &View,
) -> Result<String, TooLarge> {
    let items = Items::new(tree, net, marking, &links(system, net, marking), view);
    TooLarge::check("components", items.items.len(), MAX_COMPONENTS)?;
    TooLarge::check("ends of lines", items.wires.iter().map(|wire| wire.ends.len()).sum(), MAX_LINES)?;
    let scene = Scene::new(system, tree, net, marking, &items, view);
    let mut canvas = Canvas::default();
    scene.draw(&mut canvas);
    legend(system, net, &mut canvas);
    view.draw_sets(&mut canvas);
    let left_out: usize = items.items.iter().map(|item| item.left_out.len()).sum();
    if left_out > 0 {
        note_left_out(
            &format!("{} like those beside them are left out", plural(left_out, "component")),
            &mut canvas,
        );
    }
    view.draw_caption(&mut canvas);
    let name = system.name();
    Ok(canvas.finish(&format!("{name}: an instance with {}", plural(net.components().len(), "component"))))
}

/// Writes below the picture that it does not show everything.
pub(super) fn note_left_out(text: &str, canvas: &mut Canvas) {
    let covered = canvas.covered();
    let below = point(covered.centre.x - covered.half.x, covered.centre.y + covered.half.y + 16.0);
    canvas.text(text, below, Anchor::Start, Lettering { size: 11.0, bold: false, colour: FAINT, rim: false });
}

struct Scene<'a> {
    system: &'a System,
    net: &'a Net,
    marking: &'a Marking,
    items: &'a Items,
    view: &'a View,
    /// The boxes, then the dots of wires that are not of two.
    areas: Vec<Area>,
    /// Per wire its dot's place among the areas.
    dots: Vec<Option<usize>>,
}

impl<'a> Scene<'a> {
    fn new(
        system: &'a System,
        tree: &RewritingTree,
        net: &'a Net,
        marking: &'a Marking,
        items: &'a Items,
        view: &'a View,
    ) -> Self {
        let mut scene = Scene { system, net, marking, items, view, areas: Vec::new(), dots: Vec::new() };
        let sizes = items.items.iter().map(|item| scene.size(item)).collect();
        (scene.areas, scene.dots) = place::areas(tree, net, items, sizes);
        scene
    }

    /// The lines: the wire, the area at their start and the curve; of a wire of two only one.
    fn lines(&self) -> Vec<(usize, usize, usize, Curve)> {
        let mut pairs = Vec::new();
        for (number, (wire, dot)) in self.items.wires.iter().zip(&self.dots).enumerate() {
            match (dot, &wire.ends[..]) {
                (Some(dot), ends) => pairs.extend(ends.iter().map(|&end| (number, end, *dot))),
                (None, [from, to]) => pairs.push((number, *from, *to)),
                (None, _) => {}
            }
        }
        let mut drawn: Vec<(usize, usize, usize, Curve)> = Vec::new();
        for (number, from, to) in pairs {
            let ends = [from, to];
            let curve = self.bent(ends, &drawn);
            drawn.push((number, from, to, curve));
        }
        drawn
    }

    /// The line between two areas that is least in the way: straight, or bent around what is between.
    fn bent(&self, [from, to]: [usize; 2], drawn: &[(usize, usize, usize, Curve)]) -> Curve {
        let (first, last) = (self.areas[from], self.areas[to]);
        let mut best: Option<(f64, Curve)> = None;
        for bend in [0.0, 22.0, -22.0, 45.0, -45.0, 75.0, -75.0, 110.0, -110.0, 160.0, -160.0] {
            let curve = Curve::new(first.centre, last.centre, bend).between(first, last);
            let over = self
                .areas
                .iter()
                .enumerate()
                .filter(|(other, area)| *other != from && *other != to && curve.meets(area.grown(5.0)));
            let crossed = drawn.iter().filter(|(_, a, b, other)| {
                let is_apart = ![*a, *b].iter().any(|end| [from, to].contains(end));
                is_apart && curve.crosses(*other)
            });
            let cost = over.count() as f64 * 10.0 + crossed.count() as f64 * 1.5 + bend.abs() / 50.0;
            if best.is_none_or(|(known, _)| cost < known) {
                best = Some((cost, curve));
            }
            if cost == 0.0 {
                break;
            }
        }
        best.map_or(Curve::new(first.centre, last.centre, 0.0), |(_, curve)| curve)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let mut labels = Labels::default();
        for (number, area) in self.areas.iter().enumerate() {
            let item = self.items.items.get(number);
            let is_marked = item.is_some_and(|item| self.view.marked.contains(&item.component));
            labels.avoid(area.grown(if is_marked { 6.0 } else { 1.0 }));
        }
        let lines = self.lines();
        lines.iter().for_each(|(_, _, _, curve)| labels.avoid_line(*curve));
        let middle = centroid(self.areas.iter().map(|area| area.centre));
        // Per area the sum of the directions in which lines leave: a text rather stands on the side of its
        // line where there are fewer others, and where the picture ends.
        let mut fans = vec![Point::default(); self.areas.len()];
        for (_, from, to, curve) in &lines {
            fans[*from] = fans[*from] + curve.direction(0.0);
            fans[*to] = fans[*to] - curve.direction(1.0);
        }
        let outwards = |end: usize, curve: Curve| {
            let others = fans[end] - curve.direction(0.0);
            (curve.at(0.5) - middle).unit() * 0.4 - others
        };
        for (number, wire) in self.items.wires.iter().enumerate() {
            canvas.begin("interaction", &wire.title);
            let width = if wire.is_enabled { 2.4 } else { 1.1 };
            for (_, from, to, curve) in lines.iter().filter(|line| line.0 == number) {
                if wire.is_cut {
                    canvas.dashed(*curve, width, FAINT);
                    continue;
                }
                canvas.curve(*curve, width, INK, false);
                let ports = |end: usize| {
                    let at = wire.ends.iter().position(|one| *one == end);
                    at.and_then(|at| wire.ports.get(at)).filter(|ports| !ports.is_empty())
                };
                if let (Some(dot), [_]) = (self.dots[number], &wire.ends[..]) {
                    if let Some(ports) = ports(*from) {
                        labels.beyond(self.areas[dot].centre, curve.direction(1.0), ports);
                    }
                    continue;
                }
                if let Some(ports) = ports(*from) {
                    labels.at_start(*curve, ports, outwards(*from, *curve));
                }
                if let Some(ports) = ports(*to) {
                    let back = Curve { from: curve.to, control: curve.control, to: curve.from };
                    labels.at_start(back, ports, outwards(*to, back));
                }
            }
            if let Some(dot) = self.dots[number] {
                canvas.disc(self.areas[dot].centre, 4.0, if wire.is_cut { FAINT } else { INK });
            }
            canvas.end();
        }
        for (item, &area) in self.items.items.iter().zip(&self.areas) {
            if item.left_out.is_empty() {
                self.draw_component(canvas, item, area);
            } else {
                self.draw_left_out(canvas, item, area);
            }
        }
        labels.draw(canvas);
    }
}

/// How round the corners of a type's boxes are: types differ.
pub(super) fn radius(type_number: usize, area: Area) -> f64 {
    match type_number % 3 {
        0 => 7.0,
        1 => 0.0,
        _ => area.half.y,
    }
}

/// The states of each type with their colours, below the picture.
pub(super) fn legend(system: &System, net: &Net, canvas: &mut Canvas) {
    let covered = canvas.covered();
    let left = covered.centre.x - covered.half.x;
    let right = (covered.centre.x + covered.half.x).max(left + 260.0);
    let mut y = covered.centre.y + covered.half.y + 30.0;
    let small = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };
    for (id, component_type) in system.types.enumerate() {
        if !net.components().iter().any(|component| component.component_type == id) {
            continue;
        }
        canvas.begin("legend", "");
        let name = font::shortened(&component_type.name);
        canvas.name(&component_type.name, point(left, y), Anchor::Start, Lettering { bold: true, ..small });
        let start = left + font::width(&name, small.size) * 1.06 + 12.0;
        let mut x = start;
        for (number, state) in component_type.states.iter().enumerate() {
            let width = font::width(&font::shortened(&state.name), small.size) + 24.0;
            if x > start && x + width > right {
                (x, y) = (start, y + 17.0);
            }
            let swatch = Area::new(point(x + 6.0, y - 4.0), point(12.0, 12.0));
            canvas.rectangle(
                swatch,
                radius(id.index(), swatch).min(6.0) / 2.0,
                palette::of_state(number),
                0.8,
            );
            canvas.name(&state.name, point(x + 16.0, y), Anchor::Start, small);
            x += width + 6.0;
        }
        canvas.end();
        y += 17.0;
    }
}

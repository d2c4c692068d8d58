//! The architecture of an instance: its components as boxes, its interactions as the lines between them.
//!
//! Two participants are joined by one line, more by a dot with a line to each (a hyperedge). Interactions of
//! the same participants share their line or dot; the ports stand at its ends, one below the other in the
//! same order at each end. The state of a component is a word and a colour; lines of interactions that are
//! enabled are thick. Internal transitions are not shown. [`links`] groups the interactions,
//! [`place`] decides where everything goes.

mod links;
mod place;

use super::font;
use super::geometry::{Area, Curve, Point, centroid, point};
use super::labels::Labels;
use super::palette;
use super::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use super::{MAX_COMPONENTS, MAX_LINES, TooLarge};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_text::index::Idx;

pub(super) use links::{Link, links};

/// What is left free between boxes.
const GAP: f64 = 64.0;
/// The height of a box.
const HEIGHT: f64 = 38.0;
const NAME: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const STATE: Lettering = Lettering { size: 11.5, bold: false, colour: INK, rim: false };

/// The picture of an instance in a marking.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_COMPONENTS`] components, or more than [`MAX_LINES`] ends of lines.
pub fn architecture(
    system: &System,
    tree: &RewritingTree,
    net: &Net,
    marking: &Marking,
) -> Result<String, TooLarge> {
    let faces = marking.enumerate().map(|(component, &state)| {
        let states = &system.types[net.components()[component].component_type].states;
        Face { text: states[state].name.clone(), colour: palette::of_state(state.index()) }
    });
    let mut canvas = drawn(system, tree, net, marking, faces.collect())?;
    legend(system, net, &mut canvas);
    let name = system.name();
    Ok(canvas.finish(&format!("{name}: an instance with {} components", net.components().len())))
}

/// What the box of a component shows below its name, and its colour.
pub(super) struct Face {
    /// The text.
    pub text: String,
    /// The colour.
    pub colour: &'static str,
}

/// The components, each with its face, and the interactions of an instance in a marking; no legend.
///
/// # Errors
/// As [`architecture`].
pub(super) fn drawn(
    system: &System,
    tree: &RewritingTree,
    net: &Net,
    marking: &Marking,
    faces: Vec<Face>,
) -> Result<Canvas, TooLarge> {
    TooLarge::check("components", net.components().len(), MAX_COMPONENTS)?;
    let links = links(system, net, marking);
    TooLarge::check("ends of lines", links.iter().map(|link| link.participants.len()).sum(), MAX_LINES)?;
    let mut canvas = Canvas::default();
    Scene::new(system, tree, net, faces, &links).draw(&mut canvas);
    Ok(canvas)
}

struct Scene<'a> {
    net: &'a Net,
    /// Per component.
    faces: Vec<Face>,
    links: &'a [Link],
    /// Components, then the dots of links that are not of two.
    areas: Vec<Area>,
    /// Per link its dot's place among the areas.
    dots: Vec<Option<usize>>,
}

impl<'a> Scene<'a> {
    fn new(system: &System, tree: &RewritingTree, net: &'a Net, faces: Vec<Face>, links: &'a [Link]) -> Self {
        let sizes: Vec<Point> = net
            .components()
            .iter()
            .zip(&faces)
            .map(|(component, face)| {
                let states = system.types[component.component_type].states.iter();
                // As wide as for any state, so that the marking does not change the layout.
                let states = states.map(|state| font::width(&font::shortened(&state.name), STATE.size));
                let width =
                    states.fold(font::width(&font::shortened(&component.name), NAME.size) * 1.06, f64::max);
                let width = width.max(font::width(&font::shortened(&face.text), STATE.size));
                point((width + 18.0).max(56.0), HEIGHT)
            })
            .collect();
        let (areas, dots) = place::areas(tree, net, links, sizes);
        Scene { net, faces, links, areas, dots }
    }

    /// The lines: the link, the area at their start and the curve; of a link of two only one.
    fn lines(&self) -> Vec<(usize, usize, usize, Curve)> {
        let mut pairs = Vec::new();
        for (number, (link, dot)) in self.links.iter().zip(&self.dots).enumerate() {
            match (dot, &link.participants[..]) {
                (Some(dot), participants) => {
                    pairs.extend(participants.iter().map(|one| (number, one.index(), *dot)))
                }
                (None, [from, to]) => pairs.push((number, from.index(), to.index())),
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
        self.areas.iter().for_each(|area| labels.avoid(area.grown(1.0)));
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
        for (number, link) in self.links.iter().enumerate() {
            canvas.begin("interaction", &link.words.join("\n"));
            let width = if link.is_enabled { 2.4 } else { 1.1 };
            for (_, from, to, curve) in lines.iter().filter(|line| line.0 == number) {
                canvas.curve(*curve, width, INK, false);
                let ports = |end: usize| {
                    let at = link.participants.iter().position(|one| one.index() == end);
                    at.map(|at| link.ports(at))
                };
                if let (Some(dot), [_]) = (self.dots[number], &link.participants[..]) {
                    let dot = self.areas[dot].centre;
                    labels.beyond(dot, curve.direction(1.0), &ports(*from).unwrap_or_default());
                    continue;
                }
                if let Some(ports) = ports(*from) {
                    labels.at_start(*curve, &ports, outwards(*from, *curve));
                }
                if let Some(ports) = ports(*to) {
                    let back = Curve { from: curve.to, control: curve.control, to: curve.from };
                    labels.at_start(back, &ports, outwards(*to, back));
                }
            }
            if let Some(dot) = self.dots[number] {
                canvas.disc(self.areas[dot].centre, 4.0, INK);
            }
            canvas.end();
        }
        for (component, face) in self.net.components().indices().zip(&self.faces) {
            self.draw_component(canvas, component, face);
        }
        labels.draw(canvas);
    }

    fn draw_component(&self, canvas: &mut Canvas, component: ComponentId, face: &Face) {
        let area = self.areas[component.index()];
        let known = &self.net.components()[component];
        canvas.begin("component", &format!("{}: {}", known.name, face.text));
        let radius = radius(known.component_type.index(), area);
        canvas.rectangle(area, radius, face.colour, 1.3);
        let middle = area.centre;
        canvas.name(&known.name, middle + point(0.0, -3.0), Anchor::Middle, NAME);
        canvas.name(&face.text, middle + point(0.0, 12.0), Anchor::Middle, STATE);
        canvas.end();
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

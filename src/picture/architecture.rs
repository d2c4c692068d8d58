//! The architecture of an instance: its components as boxes, its interactions as the lines between them.
//!
//! Two participants are joined by one line, more by a dot with a line to each (a hyperedge). Interactions of the
//! same participants share their line or dot; the ports stand at its ends, one below the other in the
//! same order at each end. Where a component is, is told by a word and a colour; lines of interactions that are
//! enabled are thick. Internal transitions are not shown.

use rustc_hash::FxHashMap;

use super::font;
use super::geometry::{Area, Curve, Point, centroid, cross, point};
use super::labels::Labels;
use super::layout::{self, Graph, Line};
use super::palette;
use super::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use super::{MOST_COMPONENTS, MOST_LINES, TooLarge};
use crate::instance::marking::Marking;
use crate::instance::net::{ComponentId, Net};
use crate::model::system::System;
use crate::model::tree::RewritingTree;
use crate::support::index::Idx;

/// What is left free between boxes.
const GAP: f64 = 64.0;
/// The height of a box.
const HEIGHT: f64 = 38.0;
const NAME: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const STATE: Lettering = Lettering { size: 11.5, bold: false, colour: INK, rim: false };

/// Interactions of the same participants.
#[derive(Clone, Debug)]
pub struct Link {
    /// Who takes part, ascending.
    pub participants: Vec<ComponentId>,
    /// The interactions: per participant its port.
    pub interactions: Vec<Vec<String>>,
    /// Each interaction in words.
    pub words: Vec<String>,
    /// Whether one of them is enabled.
    pub is_enabled: bool,
}

/// The interactions of an instance by participants, in the order of the net.
pub fn links(system: &System, net: &Net, marking: &Marking) -> Vec<Link> {
    let mut positions: FxHashMap<Vec<ComponentId>, usize> = FxHashMap::default();
    let mut links: Vec<Link> = Vec::new();
    for (id, transition) in net.transitions().enumerate() {
        if transition.interaction.is_none() {
            continue;
        }
        let mut ports: Vec<(ComponentId, String)> = transition
            .moves
            .iter()
            .map(|one| {
                let component_type = &system.types[net.components()[one.component].component_type];
                let port = component_type.transitions[one.transition].port;
                (one.component, port.map_or_else(String::new, |port| system.ports[port].clone()))
            })
            .collect();
        ports.sort();
        let (participants, ports): (Vec<_>, Vec<_>) = ports.into_iter().unzip();
        let position = *positions.entry(participants.clone()).or_insert_with(|| {
            let (interactions, words) = (Vec::new(), Vec::new());
            links.push(Link { participants, interactions, words, is_enabled: false });
            links.len() - 1
        });
        let link = &mut links[position];
        link.is_enabled |= net.is_enabled(id, marking);
        // One interaction stands for several transitions where ports have several.
        if !link.interactions.contains(&ports) {
            link.interactions.push(ports);
            let rule = &system.rules[transition.rule].label;
            link.words.push(format!("{rule}: {}", net.transition_name(system, id)));
        }
    }
    links
}

/// The picture of an instance in a marking.
///
/// # Errors
/// [`TooLarge`]: more than [`MOST_COMPONENTS`] components, or more than [`MOST_LINES`] ends of lines.
pub fn architecture(
    system: &System,
    tree: &RewritingTree,
    net: &Net,
    marking: &Marking,
) -> Result<String, TooLarge> {
    TooLarge::check("components", net.components().len(), MOST_COMPONENTS)?;
    let links = links(system, net, marking);
    TooLarge::check("ends of lines", links.iter().map(|link| link.participants.len()).sum(), MOST_LINES)?;
    let scene = Scene::new(system, tree, net, marking, &links);
    let mut canvas = Canvas::default();
    scene.draw(&mut canvas);
    legend(system, net, &mut canvas);
    let name = system.name();
    Ok(canvas.finish(&format!("{name}: an instance with {} components", net.components().len())))
}

struct Scene<'a> {
    system: &'a System,
    net: &'a Net,
    marking: &'a Marking,
    links: &'a [Link],
    /// Components, then the dots of links that are not of two.
    areas: Vec<Area>,
    /// Per link its dot's place among the areas.
    dots: Vec<Option<usize>>,
}

impl<'a> Scene<'a> {
    fn new(
        system: &'a System,
        tree: &RewritingTree,
        net: &'a Net,
        marking: &'a Marking,
        links: &'a [Link],
    ) -> Self {
        let sizes: Vec<Point> = net.components().iter().map(|component| {
            let states = system.types[component.component_type].states.iter();
            // As wide as for any state, so that the marking does not change the layout.
            let states = states.map(|state| font::width(&font::shortened(&state.name), STATE.size));
            let width = states.fold(font::width(&font::shortened(&component.name), NAME.size) * 1.06, f64::max);
            point((width + 18.0).max(56.0), HEIGHT)
        }).collect();
        let mut boxes = Graph { sizes, lines: Vec::new() };
        let mut all = boxes.clone();
        let mut dots = Vec::new();
        let longest = links.iter().map(longest_port).fold(0.0, f64::max);
        let most = links.iter().map(|link| link.interactions.len()).max().unwrap_or(0);
        let room = GAP + (longest - 32.0).max(0.0) + 11.0 * most.saturating_sub(1) as f64;
        let level = HEIGHT + room.max(34.0 * most as f64 + 10.0);
        for link in links {
            let gap = GAP + longest_port(link);
            let ends: Vec<usize> = link.participants.iter().map(|one| one.index()).collect();
            for (number, &from) in ends.iter().enumerate() {
                boxes.lines.extend(ends[..number].iter().map(|&to| Line { from, to, gap }));
            }
            if let [from, to] = ends[..] {
                all.lines.push(Line { from, to, gap });
                dots.push(None);
            } else {
                let dot = all.sizes.len();
                all.sizes.push(point(8.0, 8.0));
                all.lines.extend(ends.iter().map(|&from| Line { from, to: dot, gap: gap * 0.55 }));
                dots.push(Some(dot));
            }
        }
        let free = layout::stress(&all);
        let count = boxes.sizes.len();
        let mut candidates = Vec::new();
        // Dots stand within a ring: it needs room for their ports.
        let inner = if dots.iter().any(Option::is_some) { 22.0 } else { 0.0 };
        let circle = layout::circle(&boxes, &free[..count], room + inner);
        let is_ring = circle.as_ref().is_some_and(|circle| circle.is_ring);
        candidates.extend(circle.map(|circle| (circle.places, 1.0)));
        if !is_ring {
            // A tree is worth some lines that cross or go around.
            candidates.extend(hung(tree, net, &boxes, point(room * 0.7, level)).map(|places| (places, 0.1)));
        }
        candidates.extend(rows(net, &boxes, room).map(|places| (places, 1.0)));
        let mut loose = free[..count].to_vec();
        layout::spread(&boxes, &mut loose, room * 0.5);
        candidates.push((loose, 1.0));
        // Of several that are as good the first.
        let mut best: Option<(f64, Vec<Point>)> = None;
        for (mut places, weight) in candidates {
            places.resize(all.sizes.len(), Point::default());
            set_dots(&all, count, &mut places);
            let cost = layout::clutter(&all, &places) * weight;
            if best.as_ref().is_none_or(|(known, _)| cost + 0.05 < *known) {
                best = Some((cost, places));
            }
        }
        let places = best.map(|(_, places)| places).unwrap_or_default();
        Scene { system, net, marking, links, areas: all.areas(&places), dots }
    }

    /// The lines: the link, the area at their start and the curve; of a link of two only one.
    fn lines(&self) -> Vec<(usize, usize, usize, Curve)> {
        let mut pairs = Vec::new();
        for (number, (link, dot)) in self.links.iter().zip(&self.dots).enumerate() {
            match (dot, &link.participants[..]) {
                (Some(dot), participants) => pairs.extend(participants.iter().map(|one| (number, one.index(), *dot))),
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
            let over = self.areas.iter().enumerate().filter(|(other, area)| {
                *other != from && *other != to && curve.meets(area.grown(5.0))
            });
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
        for (number, link) in self.links.iter().enumerate() {
            canvas.begin("interaction", &link.words.join("\n"));
            let width = if link.is_enabled { 2.4 } else { 1.1 };
            for (_, from, to, curve) in lines.iter().filter(|line| line.0 == number) {
                canvas.curve(*curve, width, INK, false);
                let ports = |end: usize| {
                    let at = link.participants.iter().position(|one| one.index() == end);
                    at.map(|at| ports(link, at))
                };
                let outwards = curve.at(0.5) - middle;
                if let (Some(dot), [_]) = (self.dots[number], &link.participants[..]) {
                    let dot = self.areas[dot].centre;
                    labels.beyond(dot, curve.direction(1.0), &ports(*from).unwrap_or_default());
                    continue;
                }
                if let Some(ports) = ports(*from) {
                    labels.at_start(*curve, &ports, outwards);
                }
                if let Some(ports) = ports(*to) {
                    let back = Curve { from: curve.to, control: curve.control, to: curve.from };
                    labels.at_start(back, &ports, outwards);
                }
            }
            if let Some(dot) = self.dots[number] {
                canvas.disc(self.areas[dot].centre, 4.0, INK);
            }
            canvas.end();
        }
        for (component, &state) in self.marking.enumerate() {
            self.draw_component(canvas, component, state);
        }
        labels.draw(canvas);
    }

    fn draw_component(&self, canvas: &mut Canvas, component: ComponentId, state: crate::model::component::StateId) {
        let area = self.areas[component.index()];
        let known = &self.net.components()[component];
        let state_name = &self.system.types[known.component_type].states[state].name;
        canvas.begin("component", &format!("{}: {state_name}", known.name));
        let radius = radius(known.component_type.index(), area);
        canvas.rectangle(area, radius, palette::of_state(state.index()), 1.3);
        let middle = area.centre;
        canvas.text(&font::shortened(&known.name), middle + point(0.0, -3.0), Anchor::Middle, NAME);
        canvas.text(&font::shortened(state_name), middle + point(0.0, 12.0), Anchor::Middle, STATE);
        canvas.end();
    }
}

/// How round the corners of a type's boxes are: types differ.
pub fn radius(type_number: usize, area: Area) -> f64 {
    match type_number % 3 {
        0 => 7.0,
        1 => 0.0,
        _ => area.half.y,
    }
}

/// The ports of a participant, one per interaction; one where they are all the same.
fn ports(link: &Link, participant: usize) -> Vec<String> {
    let all: Vec<&str> = link.interactions.iter().filter_map(|ports| Some(ports.get(participant)?.as_str())).collect();
    let first = all.first().copied().unwrap_or_default();
    if all.iter().all(|port| *port == first) {
        return vec![font::shortened(first)];
    }
    all.into_iter().map(font::shortened).collect()
}

fn longest_port(link: &Link) -> f64 {
    let ports = link.interactions.iter().flatten();
    ports.map(|port| font::width(&font::shortened(port), super::labels::SIZE)).fold(0.0, f64::max)
}

/// The boxes hung up below each other as the rewriting tree creates them; `None` where
/// that never branches, or is hardly more than a star.
///
/// A component hangs below one that it interacts with and that was created in the same node of the tree or
/// above: in the nearest such node, and there by the first atom.
///
/// `room` is left between neighbours, and from level to level.
fn hung(tree: &RewritingTree, net: &Net, boxes: &Graph, room: Point) -> Option<Vec<Point>> {
    let mut above: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    for (position, node) in tree.nodes.iter().enumerate() {
        node.children.iter().for_each(|&child| above[child] = Some(position));
    }
    let neighbours = boxes.neighbours();
    // The root is not drawn: it holds what hangs below nothing.
    let mut nodes = vec![layout::tree::Node::default(); boxes.sizes.len() + 1];
    for (id, component) in net.components().enumerate() {
        let number = id.index();
        let mut place = Some(component.node);
        let mut parent = None;
        while let (Some(node), None) = (place, parent) {
            let mut earlier = neighbours[number].iter().take_while(|&&other| other < number);
            parent = earlier.find(|&&other| net.components()[ComponentId::new(other)].node == node);
            place = above[node];
        }
        nodes[number + 1].width = boxes.sizes[number].x;
        nodes[parent.map_or(0, |&parent| parent + 1)].children.push(number + 1);
    }
    let most = nodes.iter().skip(1).map(|node| node.children.len()).max().unwrap_or(0);
    if most < 2 || most * 2 > boxes.sizes.len() {
        return None;
    }
    let places = layout::tree::tree(&nodes, room.x, room.y);
    Some(places[1..].to_vec())
}

/// The boxes in rows, one per type; `None` where all are of one type, or some of one type are joined.
fn rows(net: &Net, boxes: &Graph, room: f64) -> Option<Vec<Point>> {
    let of = |number: usize| net.components()[ComponentId::new(number)].component_type;
    if boxes.lines.iter().any(|line| of(line.from) == of(line.to)) {
        return None;
    }
    let mut types: Vec<_> = net.components().iter().map(|component| component.component_type).collect();
    types.sort();
    types.dedup();
    if types.len() < 2 {
        return None;
    }
    let mut places = vec![Point::default(); boxes.sizes.len()];
    for (row, component_type) in types.into_iter().enumerate() {
        let members: Vec<usize> = (0..places.len()).filter(|&number| of(number) == component_type).collect();
        let step = members.iter().map(|&number| boxes.sizes[number].x).fold(0.0, f64::max) + room;
        let left = -step * (members.len() - 1) as f64 / 2.0;
        for (at, number) in members.into_iter().enumerate() {
            places[number] = point(left + step * at as f64, (HEIGHT + room * 2.0) * row as f64);
        }
    }
    Some(places)
}

/// Puts the dots (the boxes from `count` on) where their lines are short and free.
fn set_dots(graph: &Graph, count: usize, places: &mut [Point]) {
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); graph.sizes.len()];
    for line in graph.lines.iter().filter(|line| line.to >= count) {
        ends[line.to].push(line.from);
    }
    for dot in count..places.len() {
        places[dot] = centroid(ends[dot].iter().map(|&one| places[one]));
    }
    let boxes = graph.areas(places);
    let boxes = &boxes[..count];
    let middle = centroid(places[..count].iter().copied());
    // The first round does not know the later dots.
    for round in 0..2 {
        for dot in count..places.len() {
            let start = centroid(ends[dot].iter().map(|&one| places[one]));
            // Tried in a star that looks to the middle, so that a picture's symmetry is kept.
            let first = (start - middle).angle();
            let mut best: Option<(f64, Point)> = None;
            for radius in [0.0, 14.0, 26.0, 38.0, 50.0, 64.0, 80.0, 100.0] {
                let angles = if radius > 0.0 { 16 } else { 1 };
                for number in 0..angles {
                    let angle = first + std::f64::consts::TAU * f64::from(number) / f64::from(angles);
                    let place = start + Point::at_angle(angle) * radius;
                    let limit = best.map_or(f64::INFINITY, |(known, _)| known - 1e-9);
                    let cost = dot_cost(graph, (dot, count, round), &ends[dot], boxes, places, (place, limit));
                    if cost < limit {
                        best = Some((cost, place));
                    }
                }
            }
            if let Some((_, place)) = best {
                places[dot] = place;
            }
        }
    }
}

/// How bad this place is for a dot; counted no further than up to the limit.
fn dot_cost(
    graph: &Graph,
    (dot, count, round): (usize, usize, usize),
    ends: &[usize],
    boxes: &[Area],
    places: &[Point],
    (place, limit): (Point, f64),
) -> f64 {
    let mut cost = 0.0;
    for &end in ends {
        let length = (boxes[end].border(place - boxes[end].centre) - place).length();
        // Too short a line has no room for its port.
        cost += (length / 70.0).powi(2) + if ends.len() > 1 { (40.0 - length).max(0.0) / 10.0 } else { 0.0 };
    }
    cost += boxes.iter().filter(|area| area.grown(16.0).contains(place)).count() as f64 * 50.0;
    let known = if round == 0 { dot } else { places.len() };
    let others = (count..known).filter(|other| *other != dot);
    cost += others.filter(|&other| (places[other] - place).length() < 22.0).count() as f64 * 30.0;
    for &end in ends {
        if cost >= limit {
            return cost;
        }
        let line = (boxes[end].centre, place);
        let over = boxes.iter().enumerate().filter(|(other, area)| *other != end && area.grown(6.0).meets(line.0, line.1));
        cost += over.count() as f64 * 12.0;
        for other in graph.lines.iter().filter(|other| other.to != dot && other.to < known && other.from != end) {
            if other.to != end && cross(line, (places[other.from], places[other.to])) {
                cost += 4.0;
            }
        }
    }
    // A dot on a line of others looks like part of it.
    let near = graph.lines.iter().filter(|line| line.to != dot && line.to < known).filter(|line| {
        Area::new(place, point(16.0, 16.0)).meets(places[line.from], places[line.to])
    });
    cost + near.count() as f64 * 8.0
}

/// The states of each type with their colours, below the picture.
pub fn legend(system: &System, net: &Net, canvas: &mut Canvas) {
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
        canvas.text(&name, point(left, y), Anchor::Start, Lettering { bold: true, ..small });
        let start = left + font::width(&name, small.size) * 1.06 + 12.0;
        let mut x = start;
        for (number, state) in component_type.states.iter().enumerate() {
            let name = font::shortened(&state.name);
            let width = font::width(&name, small.size) + 24.0;
            if x > start && x + width > right {
                (x, y) = (start, y + 17.0);
            }
            let swatch = Area::new(point(x + 6.0, y - 4.0), point(12.0, 12.0));
            canvas.rectangle(swatch, radius(id.index(), swatch).min(6.0) / 2.0, palette::of_state(number), 0.8);
            canvas.text(&name, point(x + 16.0, y), Anchor::Start, small);
            x += width + 6.0;
        }
        canvas.end();
        y += 17.0;
    }
}

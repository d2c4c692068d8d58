//! Automata, those of component types above all: states as rounded boxes, transitions as arrows with their
//! ports.
//!
//! A small arrow from nowhere shows where components start, a double border where they may rest. Transitions
//! from one state to another share their arrow; an internal one is a τ.

use super::font;
use super::geometry::{Area, Curve, Point, centroid, point};
use super::labels::{self, Labels};
use super::layout::{self, Graph, Line};
use super::palette;
use super::svg::{Anchor, Canvas, INK, Lettering};
use super::{MAX_STATES, TooLarge};
use paramcheck_model::component::ComponentType;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

/// The word for a transition without a port.
pub(super) const INTERNAL: &str = "τ";

const HEIGHT: f64 = 30.0;
const NAME: Lettering = Lettering { size: 12.5, bold: false, colour: INK, rim: false };
const TITLE: Lettering = Lettering { size: 14.0, bold: true, colour: INK, rim: false };
const LEGEND: Lettering = Lettering { size: 11.5, bold: false, colour: INK, rim: false };
/// From line to line of a legend.
const LEGEND_LINE: f64 = 17.0;
/// The longest meaning that a legend shows whole, in letters.
const MAX_MEANING: usize = 120;
/// The space between pictures of types.
const APART: f64 = 44.0;
/// How wide a row of them may become.
const ROW: f64 = 900.0;
/// The most ports in one line of an arrow's text.
const PORTS_PER_LINE: usize = 3;

/// An automaton to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// What is written above it.
    pub name: String,
    /// Its states.
    pub states: Vec<State>,
    /// Where it starts.
    pub initial: Vec<usize>,
    /// From where to where, and on what.
    pub transitions: Vec<(usize, usize, String)>,
    /// What short words at transitions stand for, in lines below.
    pub legend: Vec<(String, String)>,
}

/// A state of an automaton.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// What is written into its box.
    pub name: String,
    /// All there is to say about it.
    pub whole: String,
    /// Whether it has a double border.
    pub is_final: bool,
}

/// Transitions from one state to another.
struct Arrow {
    from: usize,
    to: usize,
    ports: Vec<String>,
}

/// The picture of all component types of a system.
///
/// # Errors
/// [`TooLarge`]: a type with more than [`MAX_STATES`] states.
pub fn automata(system: &System) -> Result<String, TooLarge> {
    let mut all = Vec::new();
    for component_type in &system.types {
        TooLarge::check("states of one component type", component_type.states.len(), MAX_STATES)?;
        all.push(of_type(system, component_type));
    }
    Ok(draw_all(&format!("{}: component types", system.name()), &all))
}

fn of_type(system: &System, component_type: &ComponentType) -> Automaton {
    let states = component_type.states.iter().map(|state| {
        let (name, whole) = (state.name.clone(), state.name.clone());
        State { name, whole, is_final: state.is_final }
    });
    let transitions = component_type.transitions.iter().map(|transition| {
        let port = transition.port.map_or(INTERNAL, |port| system.ports[port].as_str());
        (transition.from.index(), transition.to.index(), port.to_owned())
    });
    Automaton {
        name: component_type.name.clone(),
        states: states.collect(),
        initial: component_type.initial.iter().map(|state| state.index()).collect(),
        transitions: transitions.collect(),
        legend: Vec::new(),
    }
}

/// The picture of several automata.
pub(super) fn draw_all(title: &str, automata: &[Automaton]) -> String {
    let mut canvas = Canvas::default();
    let (mut x, mut y, mut tallest) = (0.0, 0.0, 0.0_f64);
    for picture in automata.iter().map(automaton) {
        let half = picture.covered().half;
        if x > 0.0 && x + half.x * 2.0 > ROW {
            (x, y, tallest) = (0.0, y + tallest + APART, 0.0);
        }
        canvas.place(&picture, point(x + half.x, y + half.y));
        x += half.x * 2.0 + APART;
        tallest = tallest.max(half.y * 2.0);
    }
    canvas.finish(title)
}

fn arrows(automaton: &Automaton) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for (from, to, port) in &automaton.transitions {
        match arrows.iter_mut().find(|arrow| (arrow.from, arrow.to) == (*from, *to)) {
            Some(arrow) => arrow.ports.push(port.clone()),
            None => arrows.push(Arrow { from: *from, to: *to, ports: vec![port.clone()] }),
        }
    }
    arrows
}

fn lines_of(ports: &[String]) -> Vec<String> {
    // Words, and not names of ports.
    if ports.iter().any(|port| port.contains(' ')) {
        return ports.iter().map(|port| font::shortened(port)).collect();
    }
    let shortened = |line: &[String]| itertools::join(line.iter().map(|port| font::shortened(port)), ", ");
    ports.chunks(PORTS_PER_LINE).map(shortened).collect()
}

fn automaton(one: &Automaton) -> Canvas {
    let arrows = arrows(one);
    let sizes = one.states.iter().map(|state| {
        let extra = if state.is_final { 8.0 } else { 0.0 };
        let width = font::width(&font::shortened(&state.name), NAME.size) + 18.0;
        point(width.max(40.0) + extra, HEIGHT + extra)
    });
    let mut graph = Graph { sizes: sizes.collect(), lines: Vec::new() };
    for arrow in arrows.iter().filter(|arrow| arrow.from != arrow.to) {
        let width =
            lines_of(&arrow.ports).iter().map(|line| font::width(line, labels::SIZE)).fold(0.0, f64::max);
        graph.lines.push(Line { from: arrow.from, to: arrow.to, gap: (width + 34.0).max(56.0) });
    }
    let gap = graph.lines.iter().map(|line| line.gap).fold(56.0, f64::max);
    let mut loose = layout::stress(&graph);
    layout::spread(&graph, &mut loose, 34.0);
    // A wide row reads best where it can: the start to the left.
    let mut candidates = vec![row(&graph), loose.clone()];
    candidates.extend(layout::circle(&graph, &loose, gap * 1.1).map(|circle| circle.places));
    let mut best: Option<(f64, Vec<Point>)> = None;
    for (number, mut places) in candidates.into_iter().enumerate() {
        face(&mut places, one.initial.first().copied().unwrap_or(0));
        // In a row all lines that jump over a state are bent.
        let cost = layout::clutter(&graph, &places) + if number == 0 { 0.5 } else { 0.0 };
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            best = Some((cost, places));
        }
    }
    let places = best.map(|(_, places)| places).unwrap_or_default();
    let areas = graph.areas(&places);
    let mut canvas = Canvas::default();
    let mut labels = Labels::default();
    areas.iter().for_each(|area| labels.avoid(area.grown(2.0)));
    draw_arrows(&mut canvas, &mut labels, &arrows, &areas, &one.initial);
    for (number, state) in one.states.iter().enumerate() {
        let area = areas[number];
        canvas.begin("state", &state.whole);
        let fill = palette::of_state(number);
        if state.is_final {
            canvas.rectangle(area, 14.0, "#ffffff", 1.3);
            canvas.rectangle(area.grown(-3.5), 11.0, fill, 1.1);
        } else {
            canvas.rectangle(area, 12.0, fill, 1.3);
        }
        canvas.name(&state.name, area.centre + point(0.0, 4.3), Anchor::Middle, NAME);
        canvas.end();
    }
    labels.draw(&mut canvas);
    let covered = canvas.covered();
    let top = covered.centre - point(0.0, covered.half.y + 14.0);
    canvas.name(&one.name, top, Anchor::Middle, TITLE);
    draw_legend(&mut canvas, &one.legend);
    canvas
}

/// What words at transitions stand for, below all else.
fn draw_legend(canvas: &mut Canvas, legend: &[(String, String)]) {
    let covered = canvas.covered();
    let corner = covered.centre + point(-covered.half.x, covered.half.y + LEGEND_LINE);
    let widths = legend.iter().map(|(word, _)| font::width(word, LEGEND.size));
    let indent = widths.fold(0.0, f64::max) + 8.0;
    for (number, (word, meaning)) in legend.iter().enumerate() {
        let at = corner + point(0.0, LEGEND_LINE * number as f64);
        canvas.text(word, at, Anchor::Start, LEGEND);
        let shown = font::cut(meaning, MAX_MEANING);
        canvas.text_of(&shown, meaning, at + point(indent, 0.0), Anchor::Start, LEGEND);
    }
}

/// The states in a row.
fn row(graph: &Graph) -> Vec<Point> {
    let mut x = 0.0;
    let mut places: Vec<Point> = Vec::new();
    for (number, size) in graph.sizes.iter().enumerate() {
        if number > 0 {
            let between =
                |line: &&Line| line.from.max(line.to) == number && line.from.min(line.to) + 1 == number;
            x += graph.lines.iter().filter(between).map(|line| line.gap).fold(40.0, f64::max) + size.x / 2.0;
        }
        places.push(point(x, 0.0));
        x += size.x / 2.0;
    }
    let middle = centroid(places.iter().copied());
    places.into_iter().map(|place| place - middle).collect()
}

/// Turns the places so that the first state is to the left, and the way on leads over the top.
fn face(places: &mut [Point], first: usize) {
    let middle = centroid(places.iter().copied());
    let is_flat = places.iter().all(|place| (place.y - middle.y).abs() < 1.0);
    let Some(&start) = places.get(first) else { return };
    let turn = if is_flat { 0.0 } else { std::f64::consts::PI - (start - middle).angle() };
    let (along, mirrored) = (Point::at_angle(turn), is_flat && start.x > middle.x + 1.0);
    for place in places.iter_mut() {
        let way = *place - middle;
        *place = point(way.x * along.x - way.y * along.y, way.x * along.y + way.y * along.x);
        if mirrored {
            place.x = -place.x;
        }
    }
    let next = places.iter().enumerate().find(|(number, place)| *number != first && place.y.abs() > 1.0);
    if next.is_some_and(|(_, place)| place.y > 0.0) {
        places.iter_mut().for_each(|place| place.y = -place.y);
    }
}

fn draw_arrows(
    canvas: &mut Canvas,
    labels: &mut Labels,
    arrows: &[Arrow],
    areas: &[Area],
    initial: &[usize],
) {
    let mut curves: Vec<(usize, usize, Curve)> = Vec::new();
    for arrow in arrows.iter().filter(|arrow| arrow.from != arrow.to) {
        let is_both = arrows.iter().any(|other| (other.from, other.to) == (arrow.to, arrow.from));
        let curve = bent(arrow, is_both, areas, &curves);
        curves.push((arrow.from, arrow.to, curve));
    }
    // Directions that are taken at each state: what leaves and enters there.
    let mut taken: Vec<Vec<Point>> = vec![Vec::new(); areas.len()];
    for (from, to, curve) in &curves {
        labels.avoid_line(*curve);
        taken[*from].push(curve.direction(0.0));
        taken[*to].push(curve.direction(1.0) * -1.0);
    }
    let middle = centroid(areas.iter().map(|area| area.centre));
    for &state in initial {
        let area = areas[state];
        let way = free(&taken[state], point(-1.0, -0.02));
        taken[state].push(way);
        let tip = area.border(way);
        let curve = Curve::new(tip + way * 24.0, tip, 0.0);
        labels.avoid_line(curve);
        canvas.begin("initial", "");
        canvas.curve(curve, 1.3, INK, true);
        canvas.end();
    }
    let mut straight = curves.iter();
    for arrow in arrows {
        canvas.begin("transition", &arrow.ports.join(", "));
        let text = lines_of(&arrow.ports);
        if arrow.from == arrow.to {
            let area = areas[arrow.from];
            let outwards = area.centre - middle;
            let wanted = if outwards.length() < 1.0 { point(0.0, -1.0) } else { outwards.unit() };
            // Above or below a wide box there is most room.
            let wanted = if wanted.y > 0.5 { point(0.0, 1.0) } else { point(0.0, -1.0) + wanted * 0.3 };
            let way = free(&taken[arrow.from], wanted);
            taken[arrow.from].push(way);
            let outer = draw_loop(canvas, labels, area, way);
            labels.beyond(outer, way, &text);
        } else if let Some((_, _, curve)) = straight.next() {
            canvas.curve(*curve, 1.3, INK, true);
            // Beside a bent arrow on the outer side, so that a text does not stand between two.
            let bend = curve.control - (curve.from + curve.to) * 0.5;
            let outwards = if bend.length() > 1.0 { bend } else { curve.at(0.5) - middle };
            let outwards = if outwards.length() > 1.0 { outwards.unit() } else { Point::default() };
            labels.at_middle(*curve, &text, outwards);
        }
        canvas.end();
    }
}

/// Draws a loop at a box, in this direction; gives the point where it is farthest out.
fn draw_loop(canvas: &mut Canvas, labels: &mut Labels, area: Area, way: Point) -> Point {
    let aside = way.turned();
    let leaves = Point::at_angle(way.angle() - 0.35);
    let enters = Point::at_angle(way.angle() + 0.35);
    let (from, to) = (area.border(leaves), area.border(enters));
    let (first, second) = (from + way * 30.0 - aside * 8.0, to + way * 30.0 + aside * 8.0);
    let points = [from, first, second, to];
    canvas.loop_back(points, 1.3, INK);
    let outer = (from + to) * 0.125 + (first + second) * 0.375;
    labels.avoid(Area::new(outer - way * 10.0, point(16.0, 16.0)));
    outer
}

/// The direction that is nearest to the wanted one and not near any of those taken.
fn free(taken: &[Point], wanted: Point) -> Point {
    let mut best = (f64::INFINITY, wanted);
    for step in 0..24 {
        // From the wanted direction alternately to both sides.
        let turn = f64::from((step + 1) / 2) * if step % 2 == 0 { 1.0 } else { -1.0 };
        let way = Point::at_angle(wanted.angle() + turn * std::f64::consts::TAU / 24.0);
        let near = taken.iter().map(|other| way.dot(*other).max(0.0).powi(2) * 6.0).sum::<f64>();
        let cost = near + turn.abs() * 0.1;
        if cost < best.0 {
            best = (cost, way);
        }
    }
    best.1
}

/// The curve of an arrow that is least in the way.
fn bent(arrow: &Arrow, is_both: bool, areas: &[Area], drawn: &[(usize, usize, Curve)]) -> Curve {
    let (first, last) = (areas[arrow.from], areas[arrow.to]);
    let bends: &[f64] = if is_both {
        &[-11.0, -26.0, -45.0, -70.0, -110.0]
    } else {
        &[0.0, -24.0, 24.0, -45.0, 45.0, -70.0, 70.0, -110.0, 110.0, -160.0, 160.0]
    };
    let mut best: Option<(f64, Curve)> = None;
    for &bend in bends {
        let curve = Curve::new(first.centre, last.centre, bend).between(first, last);
        let over = areas.iter().enumerate().filter(|(other, area)| {
            *other != arrow.from && *other != arrow.to && curve.meets(area.grown(7.0))
        });
        let crossed = drawn.iter().filter(|(from, to, other)| {
            let is_apart = *from != arrow.from && *to != arrow.to;
            is_apart && curve.crosses(*other)
        });
        let cost = over.count() as f64 * 10.0 + crossed.count() as f64 * 2.0 + bend.abs() / 60.0;
        if best.is_none_or(|(known, _)| cost < known) {
            best = Some((cost, curve));
        }
    }
    best.map_or(Curve::new(first.centre, last.centre, 0.0), |(_, curve)| curve)
}

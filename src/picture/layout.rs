//! Where boxes go: several layouts are made, and the one with the least clutter is taken.
//!
//! A [`Graph`] is boxes and the lines between them. [`stress`] suits every graph and gives rings, stars,
//! chains and grids their shape; [`circle`] makes a perfect ring, with hubs in its middle; [`tree`] hangs the
//! boxes of a tree below each other. [`clutter`] counts what is hard to read. Everything is a function of the
//! graph and the order of its boxes, so a picture is the same each time.
//!
//! Rejected: a library. `layout-rs` and `rust-sugiyama` make layered layouts of directed graphs, in which a
//! ring becomes a ladder with one long edge back; `petgraph` has no positions at all; force simulations such
//! as `fdg` begin at random places, so that a picture differs from run to run and a ring seldom gets round.
//! None leaves room for the labels of ports on the lines, which is most of the work here. Stress majorisation
//! itself is some 140 lines.

mod stress;
pub(super) mod tree;

pub(super) use stress::stress;

use super::geometry::{Area, Point, cross, point};

/// Boxes and lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// The boxes: width and height.
    pub sizes: Vec<Point>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line between two boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// One.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// How much of it should be seen between them.
    pub gap: f64,
}

impl Graph {
    /// The boxes where they stand.
    pub(super) fn areas(&self, places: &[Point]) -> Vec<Area> {
        places.iter().zip(&self.sizes).map(|(&place, &size)| Area::new(place, size)).collect()
    }

    /// The boxes joined to each by a line, ascending, each once.
    pub(super) fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.sizes.len()];
        for line in self.lines.iter().filter(|line| line.from != line.to) {
            all[line.from].push(line.to);
            all[line.to].push(line.from);
        }
        for one in &mut all {
            one.sort_unstable();
            one.dedup();
        }
        all
    }
}

/// How hard to read the lines are, drawn straight: those that cross, and those that run over boxes.
pub(super) fn clutter(graph: &Graph, places: &[Point]) -> f64 {
    let areas = graph.areas(places);
    let mut sum = 0.0;
    for (number, line) in graph.lines.iter().enumerate() {
        let ends = (places[line.from], places[line.to]);
        for other in &graph.lines[..number] {
            let is_apart = ![line.from, line.to].iter().any(|end| [other.from, other.to].contains(end));
            if is_apart && cross(ends, (places[other.from], places[other.to])) {
                sum += 1.0;
            }
        }
        for (position, area) in areas.iter().enumerate() {
            if position != line.from && position != line.to && area.grown(4.0).meets(ends.0, ends.1) {
                sum += 3.0;
            }
        }
        sum += (ends.1 - ends.0).length() / 20_000.0;
    }
    for (number, area) in areas.iter().enumerate() {
        sum += 10.0 * areas[..number].iter().filter(|other| area.grown(4.0).overlaps(**other)).count() as f64;
    }
    sum
}

/// Moves boxes apart, keeping the shape, until no two are nearer than `gap`; within reason.
pub(super) fn spread(graph: &Graph, places: &mut [Point], gap: f64) {
    let mut factor = 1.0_f64;
    for (number, (&one, &size)) in places.iter().zip(&graph.sizes).enumerate() {
        for (&other, &other_size) in places.iter().zip(&graph.sizes).take(number) {
            let apart = one - other;
            let wanted = (size + other_size) * 0.5 + point(gap, gap);
            let needed = (wanted.x / apart.x.abs().max(1e-3)).min(wanted.y / apart.y.abs().max(1e-3));
            factor = factor.max(needed);
        }
    }
    for place in places.iter_mut() {
        *place = *place * factor.min(3.0);
    }
}

/// Boxes in a circle.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    /// Where they are.
    pub places: Vec<Point>,
    /// Whether all that are next to each other are joined, and none is in the middle.
    pub is_ring: bool,
}

/// The boxes in a ring, hubs in its middle; `None` where the graph is neither a ring nor around a hub.
/// `hints` are places in which neighbours are near each other; their angles order the ring to begin with,
/// unless the order of the boxes is as good.
pub(super) fn circle(graph: &Graph, hints: &[Point], gap: f64) -> Option<Circle> {
    let count = graph.sizes.len();
    let neighbours = graph.neighbours();
    let is_hub =
        |node: &usize| neighbours[*node].len() >= 3 && neighbours[*node].len() * 3 >= (count - 1) * 2;
    let mut hubs: Vec<usize> = (0..count).filter(is_hub).collect();
    // In a small graph where all know all, none is special.
    if hubs.len() > 2 || hubs.len() + 3 > count {
        hubs.clear();
    }
    let mut ring: Vec<usize> = (0..count).filter(|node| !hubs.contains(node)).collect();
    if ring.len() < 3 {
        return None;
    }
    let middle = super::geometry::centroid(ring.iter().map(|&node| hints[node]));
    let angle = |node: usize| (hints[node] - middle).angle();
    let mut hinted = ring.clone();
    hinted.sort_by(|&one, &other| angle(one).total_cmp(&angle(other)).then(one.cmp(&other)));
    if shorten(&mut hinted, &neighbours) < shorten(&mut ring, &neighbours) {
        ring = hinted;
    }
    // The first box is on top, and its neighbour of a lower number to the right.
    let top = ring.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(position, _)| position);
    ring.rotate_left(top);
    if ring.last() < ring.get(1) {
        ring[1..].reverse();
    }
    let is_ring = (0..ring.len()).all(|at| neighbours[ring[at]].contains(&ring[(at + 1) % ring.len()]));
    if hubs.is_empty() && !is_ring {
        return None;
    }
    let mut places = vec![Point::default(); count];
    let reach = |node: usize| graph.sizes[node].length();
    let mut widest = 0.0;
    let mut left = 0.0;
    for (position, &hub) in hubs.iter().enumerate() {
        if position > 0 {
            // Most lines end there: they need room.
            left += graph.sizes[hub].x / 2.0 + gap * 2.0;
        }
        places[hub] = point(left, 0.0);
        left += graph.sizes[hub].x / 2.0;
        widest = reach(hub).max(widest);
    }
    if let (Some(&first), Some(&last)) = (hubs.first(), hubs.last()) {
        let middle = (places[first] + places[last]) * 0.5;
        hubs.iter().for_each(|&hub| places[hub] = places[hub] - middle);
        widest += (places[last] - places[first]).length();
    }
    let step = std::f64::consts::TAU / ring.len() as f64;
    let chord = |at: usize| (reach(ring[at]) + reach(ring[(at + 1) % ring.len()])) / 2.0 + gap * 0.7;
    let chord = (0..ring.len()).map(chord).fold(0.0, f64::max);
    let inner = if hubs.is_empty() { 0.0 } else { widest / 2.0 + gap + reach(ring[0]) / 2.0 };
    let radius = (chord / (2.0 * (step / 2.0).sin())).max(inner);
    for (position, &node) in ring.iter().enumerate() {
        let angle = step * position as f64 - std::f64::consts::FRAC_PI_2;
        places[node] = Point::at_angle(angle) * radius;
    }
    Some(Circle { places, is_ring: is_ring && hubs.is_empty() })
}

/// Makes the lines along the ring shorter by moving one box at a time, as long as that helps; their length in
/// the end.
fn shorten(ring: &mut Vec<usize>, neighbours: &[Vec<usize>]) -> usize {
    let count = ring.len();
    let cost = |ring: &[usize]| -> usize {
        let mut at = vec![usize::MAX; neighbours.len()];
        ring.iter().enumerate().for_each(|(position, &node)| at[node] = position);
        let mut sum = 0;
        for (position, &node) in ring.iter().enumerate() {
            for &other in neighbours[node].iter().filter(|&&other| at[other] != usize::MAX) {
                let apart = position.abs_diff(at[other]);
                sum += apart.min(count - apart);
            }
        }
        sum
    };
    // The work grows with the fourth power; rings as large as that come in the right order.
    let mut best = cost(ring);
    if count > 40 {
        return best;
    }
    loop {
        let before = best;
        for node in 0..neighbours.len() {
            let Some(from) = ring.iter().position(|&one| one == node) else { continue };
            let mut to_best = from;
            ring.remove(from);
            for to in 0..count {
                ring.insert(to, node);
                let new = cost(ring);
                if new < best {
                    (best, to_best) = (new, to);
                }
                ring.remove(to);
            }
            ring.insert(to_best, node);
        }
        if best == before {
            return best;
        }
    }
}

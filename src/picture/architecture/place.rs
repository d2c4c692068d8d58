//! Where the boxes of components go, and the dots of interactions.

use super::items::{Items, Wire};
use super::{GAP, hubs};
use crate::picture::geometry::{Area, Point, centroid, cross, point};
use crate::picture::layout::{self, Graph, Line};
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;

/// A chain that would be wider is laid in rows.
const MAX_ROW: f64 = 1_200.0;

/// The places of the boxes, whose sizes are given, and behind them those of the dots; per wire its dot's
/// place among them, if it has one.
pub(super) fn areas(
    tree: &RewritingTree,
    net: &Net,
    items: &Items,
    sizes: Vec<Point>,
) -> (Vec<Area>, Vec<Option<usize>>) {
    let mut boxes = Graph { sizes, lines: Vec::new() };
    let mut all = boxes.clone();
    let mut dots = Vec::new();
    let longest = items.wires.iter().map(Wire::longest_port).fold(0.0, f64::max);
    let most = items.wires.iter().map(Wire::depth).max().unwrap_or(0);
    let highest = boxes.sizes.iter().map(|size| size.y).fold(0.0, f64::max);
    let room = GAP + (longest - 32.0).max(0.0) + 11.0 * most.saturating_sub(1) as f64;
    let level = highest + room.max(34.0 * most as f64 + 10.0);
    for wire in &items.wires {
        let gap = GAP + wire.longest_port();
        let ends = &wire.ends;
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
    if let Some(places) = wrapped(&boxes, room).filter(|_| dots.iter().all(Option::is_none)) {
        return (all.areas(&places), dots);
    }
    let free = layout::stress(&all);
    let count = boxes.sizes.len();
    let mut candidates = Vec::new();
    // Dots stand within a ring: it needs room for their ports.
    let inner = if dots.iter().any(Option::is_some) { 22.0 } else { 0.0 };
    let circle = layout::circle(&boxes, &free[..count], room + inner);
    let hubs = hubs::two(&boxes);
    let between = hubs.and_then(|hubs| hubs::between(&boxes, hubs, room * 0.7 + inner));
    let is_ring = circle.as_ref().is_some_and(|circle| circle.is_ring);
    if !is_ring {
        // A tree is worth some lines that cross or go around. It comes first, for it alone shows what is below
        // a node in the order of the rule.
        candidates
            .extend(hung(tree, net, items, &boxes, point(room * 0.7, level)).map(|places| (places, 0.1)));
    }
    candidates.extend(between.map(|places| (places, 1.0)));
    candidates.extend(circle.map(|circle| (circle.places, 1.0)));
    // Two hubs above each other would be in each other's way.
    if hubs.is_none() {
        candidates.extend(rows(net, items, &boxes, room, highest).map(|places| (places, 1.0)));
    }
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
    (all.areas(&places), dots)
}

/// The boxes hung up below each other as the rewriting tree creates them; `None` where
/// that never branches, or is hardly more than a star.
///
/// A component hangs below one that it interacts with and that was created in the same node of the tree or
/// above: in the nearest such node, and there by the first atom.
///
/// `room` is left between neighbours, and from level to level.
fn hung(tree: &RewritingTree, net: &Net, items: &Items, boxes: &Graph, room: Point) -> Option<Vec<Point>> {
    let mut above: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    for (position, node) in tree.nodes.iter().enumerate() {
        node.children.iter().for_each(|&child| above[child] = Some(position));
    }
    let neighbours = boxes.neighbours();
    // The root is not drawn: it holds what hangs below nothing.
    let mut nodes = vec![layout::tree::Node::default(); boxes.sizes.len() + 1];
    let node_of = |number: usize| net.components()[items.items[number].component].node;
    for number in 0..boxes.sizes.len() {
        let mut place = Some(node_of(number));
        let mut parent = None;
        while let (Some(node), None) = (place, parent) {
            let mut earlier = neighbours[number].iter().take_while(|&&other| other < number);
            parent = earlier.find(|&&other| node_of(other) == node);
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
fn rows(net: &Net, items: &Items, boxes: &Graph, room: f64, highest: f64) -> Option<Vec<Point>> {
    let of = |number: usize| net.components()[items.items[number].component].component_type;
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
            places[number] = point(left + step * at as f64, (highest + room * 2.0) * row as f64);
        }
    }
    Some(places)
}

/// The boxes of a long chain in rows, every other one from right to left; `None` where there is no chain, or
/// a short one.
fn wrapped(boxes: &Graph, room: f64) -> Option<Vec<Point>> {
    let neighbours = boxes.neighbours();
    let count = neighbours.len();
    let first = neighbours.iter().position(|near| near.len() == 1)?;
    if neighbours.iter().any(|near| near.len() > 2) {
        return None;
    }
    let mut order = vec![first];
    while let Some(&last) = order.last() {
        let before = order.len().checked_sub(2).map(|position| order[position]);
        match neighbours[last].iter().find(|&&next| Some(next) != before) {
            Some(&next) => order.push(next),
            None => break,
        }
    }
    if order.len() < count {
        return None;
    }
    let widest = boxes.sizes.iter().map(|size| size.x).fold(0.0, f64::max);
    let highest = boxes.sizes.iter().map(|size| size.y).fold(0.0, f64::max);
    let (step, level) = (widest + room + 12.0, highest + room);
    if step * count as f64 <= MAX_ROW {
        return None;
    }
    // About half as high as wide, and the last row as full as can be.
    let wanted = (count as f64 * 2.0 * level / step).sqrt().max(4.0);
    let row_count = (count as f64 / wanted).ceil();
    let per_row = (count as f64 / row_count).ceil() as usize;
    let mut places = vec![Point::default(); count];
    for (position, number) in order.into_iter().enumerate() {
        let (row, column) = (position / per_row, position % per_row);
        let column = if row % 2 == 0 { column } else { per_row - 1 - column };
        places[number] = point(step * column as f64, level * row as f64);
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
                    let cost =
                        dot_cost(graph, (dot, count, round), &ends[dot], boxes, places, (place, limit));
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
        let over = boxes
            .iter()
            .enumerate()
            .filter(|(other, area)| *other != end && area.grown(6.0).meets(line.0, line.1));
        cost += over.count() as f64 * 12.0;
        for other in
            graph.lines.iter().filter(|other| other.to != dot && other.to < known && other.from != end)
        {
            if other.to != end && cross(line, (places[other.from], places[other.to])) {
                cost += 4.0;
            }
        }
    }
    // A dot on a line of others looks like part of it.
    let near = graph
        .lines
        .iter()
        .filter(|line| line.to != dot && line.to < known)
        .filter(|line| Area::new(place, point(16.0, 16.0)).meets(places[line.from], places[line.to]));
    cost + near.count() as f64 * 8.0
}

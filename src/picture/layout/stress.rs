//! Stress majorisation: distances on the paper as near as can be to distances in the graph.
//!
//! The beginning is classical scaling (the two leading eigenvectors of the centred squared distances), which
//! knows the shape of the whole; then each box moves in turn to where its distances are best (Gansner,
//! Koren, North, *Graph drawing by stress majorization*, GD 2004, node by node).

use super::Graph;
use crate::picture::geometry::{Point, centroid, point};

/// How often all boxes move at most.
const ROUNDS: usize = 300;
/// Multiplications with the matrix until its eigenvectors are good enough.
const POWERS: usize = 60;

/// The places of the boxes, their middle at the origin. The first direction in which the boxes extend is
/// the horizontal.
pub(crate) fn stress(graph: &Graph) -> Vec<Point> {
    let distances = distances(graph);
    let mut places = scaled(&distances);
    for _ in 0..ROUNDS {
        let mut moved = 0.0_f64;
        for node in 0..places.len() {
            let (mut sum, mut weights) = (Point::default(), 0.0);
            for (other, &wanted) in distances[node].iter().enumerate().filter(|(other, _)| *other != node) {
                let weight = 1.0 / (wanted * wanted);
                let apart = places[node] - places[other];
                sum = sum + (places[other] + apart.unit() * wanted) * weight;
                weights += weight;
            }
            if weights > 0.0 {
                let place = sum * (1.0 / weights);
                moved = moved.max((place - places[node]).length());
                places[node] = place;
            }
        }
        if moved < 0.05 {
            break;
        }
    }
    level(&mut places);
    places
}

/// The lengths of shortest ways, a box counting by its size. What is not joined is put a little farther apart
/// than the farthest that is.
fn distances(graph: &Graph) -> Vec<Vec<f64>> {
    let count = graph.sizes.len();
    let mut all = vec![vec![f64::INFINITY; count]; count];
    for line in graph.lines.iter().filter(|line| line.from != line.to) {
        let reach = (graph.sizes[line.from].length() + graph.sizes[line.to].length()) / 2.0;
        let length = (reach * 0.8 + line.gap).max(1.0);
        for (one, other) in [(line.from, line.to), (line.to, line.from)] {
            all[one][other] = all[one][other].min(length);
        }
    }
    for (node, row) in all.iter_mut().enumerate() {
        row[node] = 0.0;
    }
    for over in 0..count {
        let row = all[over].clone();
        for ways in &mut all {
            let first = ways[over];
            if first.is_finite() {
                for (way, &second) in ways.iter_mut().zip(&row) {
                    *way = way.min(first + second);
                }
            }
        }
    }
    let finite = all.iter().flatten().copied().filter(|way| way.is_finite());
    let far = finite.fold(120.0, f64::max) * 1.1;
    for way in all.iter_mut().flatten().filter(|way| way.is_infinite()) {
        *way = far;
    }
    all
}

/// Classical scaling of distances into the plane.
fn scaled(distances: &[Vec<f64>]) -> Vec<Point> {
    let count = distances.len();
    let mean = |row: &[f64]| row.iter().map(|way| way * way).sum::<f64>() / count.max(1) as f64;
    let means: Vec<f64> = distances.iter().map(|row| mean(row)).collect();
    let all = means.iter().sum::<f64>() / count.max(1) as f64;
    let entry = |one: usize, other: usize| {
        let way = distances[one][other];
        -0.5 * (way * way - means[one] - means[other] + all)
    };
    let mut axes: Vec<(Vec<f64>, f64)> = Vec::new();
    for axis in 0..2 {
        // Any vector that is not by chance orthogonal to the one looked for.
        let start = |node: usize| (node as f64 * 2.399 + f64::from(axis) * 0.7 + 0.3).sin();
        let mut vector: Vec<f64> = (0..count).map(start).collect();
        let mut value = 0.0;
        for _ in 0..POWERS {
            for (known, _) in &axes {
                let part: f64 = known.iter().zip(&vector).map(|(one, other)| one * other).sum();
                vector.iter_mut().zip(known).for_each(|(one, other)| *one -= part * other);
            }
            let length = vector.iter().map(|one| one * one).sum::<f64>().sqrt();
            if length < 1e-9 {
                break;
            }
            vector.iter_mut().for_each(|one| *one /= length);
            let product: Vec<f64> = (0..count)
                .map(|row| vector.iter().enumerate().map(|(column, one)| entry(row, column) * one).sum())
                .collect();
            value = vector.iter().zip(&product).map(|(one, other)| one * other).sum();
            vector = product;
        }
        let length = vector.iter().map(|one| one * one).sum::<f64>().sqrt();
        if length > 1e-9 {
            vector.iter_mut().for_each(|one| *one /= length);
        }
        axes.push((vector, value.max(0.0).sqrt()));
    }
    let along = |axis: usize, node: usize| axes.get(axis).map_or(0.0, |(vector, scale)| vector[node] * scale);
    // A hair's breadth aside, so that no two boxes are at one place.
    (0..count).map(|node| point(along(0, node), along(1, node) + node as f64 * 1e-3)).collect()
}

/// Turns the places so that they extend in the horizontal, with the first box to the left and on top.
fn level(places: &mut [Point]) {
    let middle = centroid(places.iter().copied());
    places.iter_mut().for_each(|place| *place = *place - middle);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for place in places.iter() {
        xx += place.x * place.x;
        xy += place.x * place.y;
        yy += place.y * place.y;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let axis = Point::at_angle(angle);
    for place in places.iter_mut() {
        *place = point(place.dot(axis), axis.cross(*place));
    }
    let first = places.first().copied().unwrap_or_default();
    let (left, up) = (if first.x > 1e-6 { -1.0 } else { 1.0 }, if first.y > 1e-6 { -1.0 } else { 1.0 });
    places.iter_mut().for_each(|place| *place = point(place.x * left, place.y * up));
}

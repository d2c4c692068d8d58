//! A star with two hubs: the leaves in a row, one hub above it and one below, so that no lines cross.

use crate::picture::geometry::{Point, point};
use crate::picture::layout::Graph;

/// The least number of leaves.
const MIN_LEAVES: usize = 3;
/// No row of leaves is wider.
const MAX_ROW: f64 = 1_450.0;

/// The two hubs of a star; `None` where the graph is none. (Each hub is joined to all boxes but perhaps the
/// other hub, and no third box is.)
pub(super) fn two(boxes: &Graph) -> Option<[usize; 2]> {
    let neighbours = boxes.neighbours();
    let count = neighbours.len();
    let mut hubs = (0..count).filter(|&one| neighbours[one].len() + 2 >= count);
    let (above, below) = (hubs.next()?, hubs.next()?);
    let joined = |one: usize, other: usize| neighbours[one].binary_search(&other).is_ok();
    let mut leaves = (0..count).filter(|one| ![above, below].contains(one));
    let is_star = leaves.all(|leaf| joined(leaf, above) && joined(leaf, below));
    (is_star && hubs.next().is_none() && count >= MIN_LEAVES + 2).then_some([above, below])
}

/// The places of the boxes of a star with two hubs, with `room` between those beside each other; `None` where
/// the row would be too long.
pub(super) fn between(boxes: &Graph, [above, below]: [usize; 2], room: f64) -> Option<Vec<Point>> {
    let count = boxes.sizes.len();
    let leaves: Vec<usize> = (0..count).filter(|one| ![above, below].contains(one)).collect();
    let width = leaves.iter().map(|&leaf| boxes.sizes[leaf].x + room).sum::<f64>() - room;
    if width > MAX_ROW {
        return None;
    }
    let mut places = vec![Point::default(); count];
    let mut left = -width / 2.0;
    // So high that the lines reach each leaf from above or below, not through its neighbour.
    let mut height = room * 2.0;
    for leaf in leaves {
        let size = boxes.sizes[leaf];
        places[leaf] = point(left + size.x / 2.0, 0.0);
        height = height.max(places[leaf].x.abs() * size.y / size.x * 1.1);
        left += size.x + room;
    }
    let tallest = boxes.sizes.iter().map(|size| size.y).fold(0.0, f64::max);
    places[above] = point(0.0, -height - tallest);
    places[below] = point(0.0, height + tallest);
    Some(places)
}

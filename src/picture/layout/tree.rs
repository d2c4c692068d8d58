//! Trees hung up by their root: subtrees side by side, as near as their outlines allow (after Reingold and
//! Tilford, *Tidier drawings of trees*, 1981, with nodes of several sizes).

use crate::picture::geometry::{Point, point};

/// A node: its width (0 for one that is not drawn and takes no level), and the nodes below it, which come
/// after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Its width.
    pub width: f64,
    /// The nodes below, from left to right.
    pub children: Vec<usize>,
}

/// Where the middles of the nodes go: `gap` between neighbours, levels `level` apart. Node 0 is the root.
pub(crate) fn tree(nodes: &[Node], gap: f64, level: f64) -> Vec<Point> {
    // Per node the way from its parent's middle, and the outline of its subtree by levels: how far it reaches
    // to the left and to the right of the node's middle.
    let mut offsets = vec![0.0; nodes.len()];
    let mut outlines: Vec<Vec<(f64, f64)>> = vec![Vec::new(); nodes.len()];
    for (position, node) in nodes.iter().enumerate().rev() {
        let mut together: Vec<(f64, f64)> = Vec::new();
        let mut last = 0.0;
        for (number, &child) in node.children.iter().enumerate() {
            let outline = std::mem::take(&mut outlines[child]);
            let needed = together.iter().zip(&outline).map(|(one, other)| one.1 + gap - other.0);
            let place = if number == 0 { 0.0 } else { needed.fold(f64::NEG_INFINITY, f64::max).max(last) };
            offsets[child] = place;
            last = place;
            for (depth, (left, right)) in outline.into_iter().enumerate() {
                match together.get_mut(depth) {
                    Some(known) => known.1 = known.1.max(place + right),
                    None => together.push((place + left, place + right)),
                }
            }
        }
        let middle = last / 2.0;
        node.children.iter().for_each(|&child| offsets[child] -= middle);
        let mut outline: Vec<(f64, f64)> = Vec::with_capacity(together.len() + 1);
        if node.width > 0.0 {
            outline.push((-node.width / 2.0, node.width / 2.0));
        }
        outline.extend(together.into_iter().map(|(left, right)| (left - middle, right - middle)));
        outlines[position] = outline;
    }
    let mut places = vec![Point::default(); nodes.len()];
    for (position, node) in nodes.iter().enumerate() {
        let here = places[position];
        let below = if node.width > 0.0 { level } else { 0.0 };
        for &child in &node.children {
            places[child] = point(here.x + offsets[child], here.y + below);
        }
    }
    places
}

//! Colour refinement: colours by neighbourhood, until they distinguish no more vertices.
//!
//! A *colouring* gives each vertex a number: how many vertices have a smaller one. So vertices with a
//! colour of their own have the position they will have in a form. Everything here depends on a graph only
//! up to isomorphism.

use super::graph::{Graph, mix};

/// Refines `colors` as far as neighbourhoods distinguish vertices. The result is a hash of what was seen on
/// the way: other graphs, or vertices that were individualised, nearly always have another. `work` grows by
/// the number of ends visited; `None` where it grows beyond `limit`.
pub(super) fn refine(graph: &Graph, colors: &mut [u32], work: &mut u64, limit: u64) -> Option<u64> {
    let mut seen = 0_u64;
    let mut count = distinct(colors);
    loop {
        *work += graph.weight();
        if *work > limit {
            return None;
        }
        let edges: Vec<u64> = graph.edges.iter().map(|edge| graph.edge_hash(edge, colors)).collect();
        let hashes: Vec<u64> = graph
            .incident
            .iter()
            .map(|incident| {
                let parts = incident.iter().map(|&(edge, label)| {
                    mix(edges.get(edge as usize).copied().unwrap_or_default() ^ mix(label.into()))
                });
                parts.fold(0, u64::wrapping_add)
            })
            .collect();
        let mut keys: Vec<(u32, u64)> = colors.iter().copied().zip(hashes).collect();
        let own = keys.clone();
        keys.sort_unstable();
        for (color, key) in colors.iter_mut().zip(&own) {
            *color = keys.partition_point(|other| other < key) as u32;
        }
        for (color, hash) in own {
            seen = seen.wrapping_add(mix(hash ^ mix(color.into())));
        }
        seen = mix(seen);
        let refined = distinct(colors);
        if refined == count {
            return Some(seen);
        }
        count = refined;
    }
}

/// Gives `vertex` a colour of its own, before those of the colour it had.
pub(super) fn individualize(colors: &mut [u32], vertex: usize) {
    let Some(&own) = colors.get(vertex) else { return };
    for (other, color) in colors.iter_mut().enumerate() {
        if *color == own && other != vertex {
            *color += 1;
        }
    }
}

/// How many colours there are.
fn distinct(colors: &[u32]) -> usize {
    let mut is_used = vec![false; colors.len()];
    for &color in colors {
        if let Some(used) = is_used.get_mut(color as usize) {
            *used = true;
        }
    }
    is_used.into_iter().filter(|used| *used).count()
}

/// The smallest set of vertices that share a colour, of several the one with the smallest colour; `None`
/// where each has its own.
pub(super) fn target_cell(colors: &[u32]) -> Option<Vec<usize>> {
    let mut sizes = vec![0_usize; colors.len()];
    for &color in colors {
        if let Some(size) = sizes.get_mut(color as usize) {
            *size += 1;
        }
    }
    let (color, _) =
        sizes.iter().enumerate().filter(|(_, size)| **size > 1).min_by_key(|(_, size)| **size)?;
    Some(
        (0..colors.len())
            .filter(|&vertex| colors.get(vertex).is_some_and(|&other| other as usize == color))
            .collect(),
    )
}

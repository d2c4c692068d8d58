//! The least form over all ways to break ties, without those that are known to be the same.
//!
//! A node of the search tree is a refined colouring; below it, each vertex of one cell gets a colour of its
//! own. At a leaf every vertex has its own, which is a form. Paths are compared by what refinement saw on
//! them, then by their forms; the least wins. Two leaves with one form show an *automorphism*, a way to
//! map the graph to itself: what is below its images need not be seen again.

use super::graph::Graph;
use super::refine::{individualize, refine, target_cell};
use paramcheck_text::limits::Budget;

/// No more automorphisms are remembered: they only save work.
const MAX_AUTOMORPHISMS: usize = 256;

/// The least form of `graph`; `None` where it takes more than `limit` work or `budget` ends.
pub(super) fn least_form(graph: &Graph, limit: u64, budget: &Budget) -> Option<Vec<u32>> {
    let mut colors = graph.colors.clone();
    let mut search = Search { graph, work: 0, best: None, automorphisms: Vec::new() };
    refine(graph, &mut colors, &mut search.work, limit)?;
    let Some(cell) = target_cell(&colors) else { return Some(graph.form(&colors)) };
    search.levels(Level { colors, cell, next: 0 }, limit, budget)?;
    search.best.map(|best| best.form)
}

struct Search<'a> {
    graph: &'a Graph,
    work: u64,
    best: Option<Leaf>,
    /// Per automorphism the image of each vertex.
    automorphisms: Vec<Vec<u32>>,
}

/// A node of the search tree.
struct Level {
    colors: Vec<u32>,
    /// The vertices to be individualised in turn.
    cell: Vec<usize>,
    next: usize,
}

/// The least leaf so far.
struct Leaf {
    /// The vertices individualised.
    path: Vec<usize>,
    /// What refinement saw after each.
    seen: Vec<u64>,
    form: Vec<u32>,
    /// Per position the vertex.
    order: Vec<u32>,
}

impl Search<'_> {
    /// The whole search below `root`; `None` where it was ended.
    fn levels(&mut self, root: Level, limit: u64, budget: &Budget) -> Option<()> {
        let mut levels = vec![root];
        let mut path: Vec<usize> = Vec::new();
        let mut seen: Vec<u64> = Vec::new();
        while let Some(depth) = levels.len().checked_sub(1) {
            // One vertex was individualised at each level above.
            path.truncate(depth);
            seen.truncate(depth);
            let level = &mut levels[depth];
            let Some(&vertex) = level.cell.get(level.next) else {
                levels.pop();
                continue;
            };
            level.next += 1;
            if self.work > limit || budget.check().is_err() {
                return None;
            }
            let earlier = level.cell.get(..level.next - 1).unwrap_or_default();
            if is_known(&self.automorphisms, &path, earlier, vertex, &mut self.work) {
                continue;
            }
            let mut colors = level.colors.clone();
            individualize(&mut colors, vertex);
            path.push(vertex);
            seen.push(refine(self.graph, &mut colors, &mut self.work, limit)?);
            // No leaf below can be less than the best one, or equal to it.
            if self.best.as_ref().is_some_and(|best| *seen > best.seen[..seen.len().min(best.seen.len())]) {
                continue;
            }
            match target_cell(&colors) {
                Some(cell) => levels.push(Level { colors, cell, next: 0 }),
                None => {
                    if let Some(common) = self.leaf(&path, &seen, &colors) {
                        // What is left between here and there looks the same as below the best leaf.
                        levels.truncate(common + 1);
                    }
                }
            }
        }
        Some(())
    }

    /// Compares a leaf with the best one. Where they have the same form, gives how many vertices their
    /// paths have in common.
    fn leaf(&mut self, path: &[usize], seen: &[u64], colors: &[u32]) -> Option<usize> {
        self.work += self.graph.weight();
        let form = self.graph.form(colors);
        if let Some(best) = &self.best {
            match (seen, &form).cmp(&(best.seen.as_slice(), &best.form)) {
                std::cmp::Ordering::Greater => return None,
                std::cmp::Ordering::Equal => {
                    if self.automorphisms.len() < MAX_AUTOMORPHISMS {
                        let image =
                            |&position: &u32| best.order.get(position as usize).copied().unwrap_or_default();
                        self.automorphisms.push(colors.iter().map(image).collect());
                    }
                    return Some(path.iter().zip(&best.path).take_while(|(one, other)| one == other).count());
                }
                std::cmp::Ordering::Less => {}
            }
        }
        let mut order = vec![0; colors.len()];
        for (vertex, &position) in colors.iter().enumerate() {
            if let Some(slot) = order.get_mut(position as usize) {
                *slot = vertex as u32;
            }
        }
        self.best = Some(Leaf { path: path.to_vec(), seen: seen.to_vec(), form, order });
        None
    }
}

/// Whether automorphisms that leave every vertex of `path` in its place map `vertex` to one of `earlier`.
fn is_known(
    automorphisms: &[Vec<u32>],
    path: &[usize],
    earlier: &[usize],
    vertex: usize,
    work: &mut u64,
) -> bool {
    if earlier.is_empty() || automorphisms.is_empty() {
        return false;
    }
    let fixes = |map: &&Vec<u32>| path.iter().all(|&v| map.get(v).is_some_and(|&image| image as usize == v));
    // All that `vertex` can be mapped to.
    let maps: Vec<&Vec<u32>> = automorphisms.iter().filter(fixes).collect();
    let count = automorphisms.first().map_or(0, Vec::len);
    let mut is_reached = vec![false; count];
    let mut is_earlier = vec![false; count];
    for &vertex in earlier {
        if let Some(is_earlier) = is_earlier.get_mut(vertex) {
            *is_earlier = true;
        }
    }
    let mut open = vec![vertex];
    while let Some(vertex) = open.pop() {
        for map in &maps {
            *work += 1;
            let Some(&image) = map.get(vertex) else { continue };
            let image = image as usize;
            if is_earlier.get(image) == Some(&true) {
                return true;
            }
            if let Some(reached) = is_reached.get_mut(image)
                && !*reached
            {
                *reached = true;
                open.push(image);
            }
        }
    }
    false
}

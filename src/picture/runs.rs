//! Long runs of nodes of a rewriting tree that are alike: what a picture may leave out the middle of.
//!
//! A run goes down the tree: each node applies the same rule as the one above, and what else hangs below it
//! is the same. In comes the tree, and what distinguishes nodes that apply the same rule; out go the nodes of
//! which a picture shows none, run by run.

use rustc_hash::FxHashMap;

use paramcheck_model::tree::RewritingTree;

/// How many nodes of a run are shown at either end.
const KEPT: usize = 3;
/// A run is only cut where at least this many nodes are left out.
const MIN_LEFT_OUT: usize = 3;

/// The nodes left out, run by run, ascending: in the middle of each long run its nodes, and what hangs below
/// them beside the run. `mark` distinguishes nodes of the same rule.
pub(super) fn left_out(tree: &RewritingTree, mark: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let count = tree.nodes.len();
    let mut sizes = vec![1_usize; count];
    for (position, node) in tree.nodes.iter().enumerate().rev() {
        sizes[position] += node.children.iter().map(|&child| sizes[child]).sum::<usize>();
    }
    // The way on: the largest subtree whose root applies the same rule.
    let next = |position: usize| -> Option<usize> {
        let node = &tree.nodes[position];
        let same = node.children.iter().copied().filter(|&child| tree.nodes[child].rule == node.rule);
        same.max_by_key(|&child| sizes[child])
    };
    // Subtrees that are equal have one number, and so have nodes that are alike but for their way on.
    let mut shapes: Vec<usize> = vec![0; count];
    let mut alike: Vec<usize> = vec![0; count];
    let mut known: FxHashMap<(usize, Vec<usize>, Vec<usize>), usize> = FxHashMap::default();
    for position in (0..count).rev() {
        let node = &tree.nodes[position];
        let mut number = |children: Vec<usize>| {
            let fresh = known.len();
            *known
                .entry((paramcheck_text::index::Idx::index(node.rule), mark(position), children))
                .or_insert(fresh)
        };
        let way = next(position);
        shapes[position] = number(node.children.iter().map(|&child| shapes[child] + 1).collect());
        let beside =
            node.children.iter().map(|&child| if Some(child) == way { 0 } else { shapes[child] + 1 });
        alike[position] = number(beside.collect());
    }
    let mut is_done = vec![false; count];
    let mut found = Vec::new();
    for start in 0..count {
        if is_done[start] {
            continue;
        }
        let mut run = vec![start];
        let mut last = start;
        while let Some(below) = next(last).filter(|&below| alike[below] == alike[last]) {
            run.push(below);
            last = below;
        }
        run.iter().for_each(|&node| is_done[node] = true);
        if run.len() < 2 * KEPT + MIN_LEFT_OUT {
            continue;
        }
        let middle = &run[KEPT..run.len() - KEPT];
        let mut nodes: Vec<usize> = Vec::new();
        for &node in middle {
            nodes.push(node);
            let mut beside: Vec<usize> = tree.nodes[node]
                .children
                .iter()
                .copied()
                .filter(|&child| Some(child) != next(node))
                .collect();
            while let Some(one) = beside.pop() {
                is_done[one] = true;
                nodes.push(one);
                beside.extend(&tree.nodes[one].children);
            }
        }
        nodes.sort_unstable();
        found.push(nodes);
    }
    found
}

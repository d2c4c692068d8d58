//! Strongly connected components of a graph given by adjacency lists.

/// For each of the nodes `0..count` the number of its component. Components are numbered so that every edge
/// leads to the same component or to one with a smaller number. Linear, and without recursion (Tarjan's
/// algorithm with a stack of its own).
pub fn components<'a, S>(count: usize, successors: S) -> Vec<u32>
where
    S: Fn(usize) -> &'a [u32],
{
    const UNSEEN: u32 = u32::MAX;
    let mut search = Search {
        component: vec![UNSEEN; count],
        number: vec![UNSEEN; count],
        low: vec![0; count],
        open: Vec::new(),
        next_number: 0,
        next_component: 0,
    };
    // A node on the way and how many of its successors have been visited.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if search.number[root] != UNSEEN {
            continue;
        }
        search.enter(root);
        path.push((root, 0));
        while let Some((node, position)) = path.last_mut() {
            let node = *node;
            let Some(&next) = successors(node).get(*position) else {
                path.pop();
                search.leave(node);
                if let Some(&(above, _)) = path.last() {
                    search.low[above] = search.low[above].min(search.low[node]);
                }
                continue;
            };
            *position += 1;
            let next = next as usize;
            if search.number[next] == UNSEEN {
                search.enter(next);
                path.push((next, 0));
            } else if search.component[next] == UNSEEN {
                search.low[node] = search.low[node].min(search.number[next]);
            }
        }
    }
    search.component
}

struct Search {
    component: Vec<u32>,
    number: Vec<u32>,
    low: Vec<u32>,
    /// Nodes seen whose component is not known.
    open: Vec<usize>,
    next_number: u32,
    next_component: u32,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.number[node] = self.next_number;
        self.low[node] = self.next_number;
        self.next_number += 1;
        self.open.push(node);
    }

    /// All successors of `node` are done: if nothing below leads above it, its component is complete.
    fn leave(&mut self, node: usize) {
        if self.low[node] != self.number[node] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.next_component;
            if member == node {
                break;
            }
        }
        self.next_component += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_are_numbered_against_the_edges() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 4, 5 alone.
        let edges: Vec<Vec<u32>> = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4], vec![]];
        let found = components(edges.len(), |node| edges[node].as_slice());
        assert_eq!(found, [2, 1, 1, 0, 3, 4]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Vec<u32>> =
            (0..200_000).map(|node| if node == 199_999 { vec![0] } else { vec![node + 1] }).collect();
        assert!(components(edges.len(), |node| edges[node].as_slice()).iter().all(|found| *found == 0));
    }
}

//! A net as a hypergraph: vertices are components, an edge per transition and local pattern.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::instance::net::Net;
use paramcheck_text::index::Idx;

/// A good mixture of all bits (the finaliser of splitmix64).
pub(super) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A net as a hypergraph with labelled ends.
pub(super) struct Graph {
    /// Per vertex a number for what it is: equal for equal types and initial states, and ordinals
    /// of twins (see [`Graph::new`]).
    pub(crate) colors: Vec<u32>,
    /// Per vertex its type and initial state, as written in a form.
    kinds: Vec<[u32; 2]>,
    /// The edges.
    pub(crate) edges: Vec<Edge>,
    /// Per vertex its edges (positions), and its label in each.
    pub(crate) incident: Vec<Vec<(u32, u32)>>,
    /// Per label what it means, as written in a form.
    labels: Vec<Vec<u32>>,
}

/// An edge.
pub(super) struct Edge {
    /// 0 for a transition, 1 and more for patterns of a group.
    pub(crate) kind: u32,
    /// The vertices, each once, with their labels.
    pub(crate) ends: Vec<(u32, u32)>,
}

/// A vertex of an edge, with its label in full.
type RawEnd = (usize, Vec<u32>);

impl Graph {
    /// The hypergraph of `net`.
    ///
    /// Vertices with the same neighbourhood (*twins*, such as the leaves of a star) are numbered within
    /// their class, and the number becomes part of their colour. Twins can be swapped whatever the rest
    /// does, so it does not matter which gets which number; and the search need not try.
    pub(crate) fn new(net: &Net) -> Graph {
        let kinds: Vec<[u32; 2]> = net
            .components()
            .iter()
            .map(|component| [component.component_type.index() as u32, component.initial.index() as u32])
            .collect();
        // (kind, label) → number, by content: the same in isomorphic nets.
        let mut known: BTreeMap<(u32, Vec<u32>), u32> = BTreeMap::new();
        let transitions = net.transitions().iter().map(|transition| {
            let ends = transition.moves.iter();
            (0, ends.map(|m| (m.component.index(), vec![m.transition.index() as u32])).collect::<Vec<_>>())
        });
        let patterns = net.patterns().iter().map(|pattern| {
            let states = |states: &[_]| {
                states
                    .iter()
                    .map(|state: &paramcheck_model::component::StateId| state.index() as u32)
                    .collect()
            };
            let ends =
                pattern.conditions.iter().map(|(component, matching)| (component.index(), states(matching)));
            (1 + pattern.group.index() as u32, ends.collect())
        });
        let raw: Vec<(u32, Vec<RawEnd>)> = transitions.chain(patterns).collect();
        for (kind, ends) in &raw {
            for (_, label) in ends {
                known.entry((*kind, label.clone())).or_insert(0);
            }
        }
        for (number, label) in known.values_mut().enumerate() {
            *label = number as u32;
        }
        let mut graph = Graph {
            colors: Vec::new(),
            incident: vec![Vec::new(); kinds.len()],
            edges: Vec::with_capacity(raw.len()),
            labels: known.keys().map(|(_, label)| label.clone()).collect(),
            kinds,
        };
        for (kind, ends) in raw {
            let position = graph.edges.len() as u32;
            let number = |label: Vec<u32>| known.get(&(kind, label)).copied().unwrap_or_default();
            let ends: Vec<(u32, u32)> =
                ends.into_iter().map(|(vertex, label)| (vertex as u32, number(label))).collect();
            for &(vertex, label) in &ends {
                if let Some(incident) = graph.incident.get_mut(vertex as usize) {
                    incident.push((position, label));
                }
            }
            graph.edges.push(Edge { kind, ends });
        }
        graph.colors = graph.initial_colors();
        graph
    }

    /// By type, initial state and ordinal among twins.
    fn initial_colors(&self) -> Vec<u32> {
        let mut ordinals: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let keys: Vec<([u32; 2], u32)> = self
            .kinds
            .iter()
            .enumerate()
            .map(|(vertex, &kind)| {
                let ordinal = ordinals.entry(self.surroundings(vertex, kind)).or_insert(0);
                *ordinal += 1;
                (kind, *ordinal)
            })
            .collect();
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        // A colour is the number of vertices with smaller ones.
        let color = |key| sorted.partition_point(|other| other < key) as u32;
        keys.iter().map(color).collect()
    }

    /// What `vertex` is, and all about its edges but its own name. Vertices with equal surroundings can be
    /// swapped; they are not in one edge, for each would name the other there.
    fn surroundings(&self, vertex: usize, kind: [u32; 2]) -> Vec<u32> {
        let mut edges: Vec<Vec<u32>> = self.incident[vertex]
            .iter()
            .map(|&(edge, label)| {
                let edge = &self.edges[edge as usize];
                let others = edge.ends.iter().filter(|(other, _)| *other as usize != vertex);
                let mut others: Vec<(u32, u32)> = others.copied().collect();
                others.sort_unstable();
                let words = [edge.kind, label, others.len() as u32];
                words
                    .into_iter()
                    .chain(others.into_iter().flat_map(|(other, label)| [other, label]))
                    .collect()
            })
            .collect();
        edges.sort_unstable();
        kind.into_iter().chain(edges.into_iter().flatten()).collect()
    }

    /// The number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// How much there is to be looked at: vertices and ends of edges.
    pub(crate) fn weight(&self) -> u64 {
        self.len() as u64 + self.edges.iter().map(|edge| edge.ends.len() as u64).sum::<u64>()
    }

    /// The whole net in numbers, its vertices in the order of `positions` (a permutation). Two nets with
    /// a common form are isomorphic.
    pub(crate) fn form(&self, positions: &[u32]) -> Vec<u32> {
        let mut vertices: Vec<(u32, [u32; 2])> =
            positions.iter().copied().zip(self.kinds.iter().copied()).collect();
        vertices.sort_unstable();
        let mut edges: Vec<Vec<u32>> = self
            .edges
            .iter()
            .map(|edge| {
                let position = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
                let mut ends: Vec<(u32, u32)> =
                    edge.ends.iter().map(|&(vertex, label)| (position(vertex), label)).collect();
                ends.sort_unstable();
                let mut words = vec![edge.kind, ends.len() as u32];
                for (position, label) in ends {
                    let label = self.labels.get(label as usize).map_or(&[][..], Vec::as_slice);
                    words.extend([position, label.len() as u32]);
                    words.extend(label);
                }
                words
            })
            .collect();
        edges.sort_unstable();
        let mut form = vec![vertices.len() as u32];
        form.extend(vertices.into_iter().flat_map(|(_, kind)| kind));
        form.extend(edges.into_iter().flatten());
        form
    }

    /// The hash of an edge by the colours of its ends, whatever their order.
    pub(crate) fn edge_hash(&self, edge: &Edge, colors: &[u32]) -> u64 {
        let ends = edge.ends.iter().map(|&(vertex, label)| {
            mix(u64::from(label) << 32 | u64::from(colors.get(vertex as usize).copied().unwrap_or_default()))
        });
        mix(ends.fold(u64::from(edge.kind), u64::wrapping_add))
    }
}

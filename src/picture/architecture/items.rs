//! What an architecture consists of: boxes, and the lines between them.
//!
//! From the components of an instance and its [`Link`]s to boxes and lines. The middle of a long run of
//! components that are alike becomes one box, and the lines to all of them become one.

use std::collections::{BTreeMap, BTreeSet};

use super::links::Link;
use crate::picture::runs::left_out;
use crate::picture::view::View;
use crate::picture::{font, labels};
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_text::index::Idx;

/// In an instance of no more components none is left out.
const MAX_WHOLE: usize = 20;
/// Where more lines than this end at a box with the same ports, the ports are written into the box, once.
const MAX_SAME_ENDS: usize = 9;
/// The same where several boxes have more such lines than this: their lines cross and run beside each other.
const MAX_SAME_ENDS_OF_HUBS: usize = 2;

/// A box.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The component; where several are left out the first of them.
    pub component: ComponentId,
    /// Those left out here; none where the box is a component's.
    pub left_out: Vec<ComponentId>,
    /// Ports that are written into the box, and how many lines they stand for.
    pub gathered: Vec<(Vec<String>, usize)>,
}

/// A line between boxes, or a dot with lines.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    /// The boxes at its ends.
    pub ends: Vec<usize>,
    /// Per end its ports, from top to bottom; none where they are not shown.
    pub ports: Vec<Vec<String>>,
    /// What it stands for.
    pub title: String,
    /// Whether one of its interactions is enabled.
    pub is_enabled: bool,
    /// Whether it stands for lines to components that are left out.
    pub is_cut: bool,
}

impl Wire {
    /// The width of the longest port.
    pub(super) fn longest_port(&self) -> f64 {
        self.ports.iter().flatten().map(|port| font::width(port, labels::SIZE)).fold(0.0, f64::max)
    }

    /// How many lines of text its highest label has.
    pub(super) fn depth(&self) -> usize {
        self.ports.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// Boxes and lines.
pub(super) struct Items {
    /// The boxes, in the order of the components.
    pub items: Vec<Item>,
    /// The lines.
    pub wires: Vec<Wire>,
}

impl Items {
    pub(super) fn new(
        tree: &RewritingTree,
        net: &Net,
        marking: &Marking,
        links: &[Link],
        view: &View,
    ) -> Items {
        let mut group_of: BTreeMap<ComponentId, usize> = BTreeMap::new();
        if !view.all && net.components().len() > MAX_WHOLE {
            let mark = |node: usize| {
                let atoms = tree.nodes.get(node).map_or(0, |node| node.initial.len());
                let own = (0..atoms).filter_map(|atom| net.component_at(node, atom));
                // A component that is pointed out is like no other.
                own.flat_map(|id| [if view.speaks_of(id) { id.index() + 1 } else { 0 }, marking[id].index()])
                    .collect()
            };
            for (group, nodes) in left_out(tree, mark).into_iter().enumerate() {
                let nodes: BTreeSet<usize> = nodes.into_iter().collect();
                let all = net.components().enumerate();
                let own = all.filter(|(_, component)| nodes.contains(&component.node));
                group_of.extend(own.map(|(id, _)| (id, group)));
            }
        }
        let mut items: Vec<Item> = Vec::new();
        let mut box_of_group: BTreeMap<usize, usize> = BTreeMap::new();
        let mut of = vec![0; net.components().len()];
        for (id, _) in net.components().enumerate() {
            let group = group_of.get(&id);
            let position = match group.and_then(|group| box_of_group.get(group)) {
                Some(&position) => position,
                None => {
                    items.push(Item { component: id, left_out: Vec::new(), gathered: Vec::new() });
                    items.len() - 1
                }
            };
            if let Some(&group) = group {
                box_of_group.insert(group, position);
                items[position].left_out.push(id);
            }
            of[id.index()] = position;
        }
        let mut wires = wires(links, &of, &items);
        gather(&mut items, &mut wires);
        Items { items, wires }
    }
}

/// The lines of `links`, where component `c` is in the box `of[c]`.
fn wires(links: &[Link], of: &[usize], items: &[Item]) -> Vec<Wire> {
    let mut wires: Vec<Wire> = Vec::new();
    let mut cut: BTreeMap<Vec<usize>, (usize, usize)> = BTreeMap::new();
    for link in links {
        let mut ends: Vec<usize> = link.participants.iter().map(|one| of[one.index()]).collect();
        if ends.iter().all(|&end| items[end].left_out.is_empty()) {
            let ports = (0..ends.len()).map(|end| link.ports(end)).collect();
            let title = link.words.join("\n");
            wires.push(Wire { ends, ports, title, is_enabled: link.is_enabled, is_cut: false });
            continue;
        }
        ends.sort_unstable();
        ends.dedup();
        if ends.len() < 2 {
            continue;
        }
        let count = link.interactions.len();
        match cut.get_mut(&ends) {
            Some((position, known)) => {
                *known += count;
                wires[*position].is_enabled |= link.is_enabled;
            }
            None => {
                cut.insert(ends.clone(), (wires.len(), count));
                let ports = vec![Vec::new(); ends.len()];
                let (title, is_enabled) = (String::new(), link.is_enabled);
                wires.push(Wire { ends, ports, title, is_enabled, is_cut: true });
            }
        }
    }
    for (position, count) in cut.into_values() {
        wires[position].title = crate::report::text::plural(count, "interaction");
    }
    wires
}

/// Writes the ports of many lines that end alike into their box.
fn gather(items: &mut [Item], wires: &mut [Wire]) {
    let mut counts: BTreeMap<(usize, Vec<String>), usize> = BTreeMap::new();
    for wire in wires.iter() {
        for (&end, ports) in wire.ends.iter().zip(&wire.ports).filter(|(_, ports)| !ports.is_empty()) {
            *counts.entry((end, ports.clone())).or_default() += 1;
        }
    }
    let hubs: BTreeSet<usize> = counts
        .iter()
        .filter(|(_, count)| **count > MAX_SAME_ENDS_OF_HUBS)
        .map(|((end, _), _)| *end)
        .collect();
    let most = if hubs.len() > 1 { MAX_SAME_ENDS_OF_HUBS } else { MAX_SAME_ENDS };
    counts.retain(|_, count| *count > most);
    for wire in wires.iter_mut() {
        for (&end, ports) in wire.ends.iter().zip(&mut wire.ports) {
            if counts.contains_key(&(end, ports.clone())) {
                ports.clear();
            }
        }
    }
    for ((end, ports), count) in counts {
        items[end].gathered.push((ports, count));
    }
}

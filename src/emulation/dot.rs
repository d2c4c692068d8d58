//! Structures for Graphviz, drawn as the figures of the paper are: triples as boxes of three parts, edges to the
//! triples that they are symbolically linked to, agents as clusters.

use std::fmt::Write as _;

use quick_xml::escape::escape;
use rustc_hash::FxHashMap;

use super::table::{Condition, LONGEST_VECTOR, row};
use super::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use crate::support::index::Idx;

/// With more edges, only those within agents are drawn.
const MOST_EDGES: usize = 400;

/// A structure in the language of Graphviz. `name` is what it is called.
pub fn dot(structure: &Structure, name: &str) -> String {
    let mut links = links(structure);
    let is_thinned = links.len() > MOST_EDGES;
    if is_thinned {
        links.retain(|(from, to)| {
            let [from, to] = [from, to].map(|id| cluster_of(structure, &structure.triples[*id]));
            from == to && from < structure.agents.len()
        });
    }
    let mut text = String::from(
        "// A box is a triple: what its counters must offer, what is done, what they offer then.\n\
         // An edge leads to a triple that may be enabled by this one.\n",
    );
    if is_thinned {
        text.push_str(
            "// Edges from and to what several agents do together are left out: they are too many.\n",
        );
    }
    let _ = writeln!(text, "digraph {} {{", quoted(name));
    text.push_str(
        "  graph [fontname=\"Helvetica\", fontsize=12, nodesep=0.25, ranksep=0.45];\n\
         \x20 node [shape=plain, fontname=\"Helvetica\", fontsize=10];\n\
         \x20 edge [arrowsize=0.6, color=gray40];\n",
    );
    for (number, agent) in structure.agents.iter().enumerate() {
        let counters: Vec<usize> = structure
            .counters
            .enumerate()
            .filter(|(_, counter)| counter.agent as usize == number)
            .map(|(id, _)| id.index())
            .collect();
        cluster(structure, &mut text, number, &agent.name, &counters);
    }
    let counters: Vec<usize> = structure.counters.indices().map(|id| id.index()).collect();
    let number = structure.agents.len();
    cluster(structure, &mut text, number, "together", &counters);
    text.push('\n');
    for (from, to) in links {
        let [begin, end] = [from, to].map(|id| cluster_of(structure, &structure.triples[id]));
        // Clusters keep the form that they have alone.
        let style = if begin == end { "" } else { " [constraint=false, style=dashed, color=gray65]" };
        let _ = writeln!(text, "  t{} -> t{}{style};", from.index(), to.index());
    }
    text.push_str("}\n");
    text
}

/// The number of the cluster that a triple is in: its agent, or the one behind all agents.
fn cluster_of(structure: &Structure, triple: &Triple) -> usize {
    match triple.agents.as_slice() {
        [only] => *only as usize,
        _ => structure.agents.len(),
    }
}

/// The triples of a cluster, with what is said of `counters`.
fn cluster(structure: &Structure, text: &mut String, number: usize, name: &str, counters: &[usize]) {
    let is_own = |triple: &Triple| cluster_of(structure, triple) == number;
    if !structure.triples.iter().any(is_own) {
        return;
    }
    let _ = writeln!(text, "\n  subgraph cluster_{number} {{");
    let _ = writeln!(
        text,
        "    label={}; style=\"rounded,filled\"; color=gray60; fillcolor=gray95;",
        quoted(name)
    );
    for (id, triple) in structure.triples.enumerate().filter(|(_, triple)| is_own(triple)) {
        let row = row(structure, triple);
        let fill = if triple.label().is_none() { "gray85" } else { "white" };
        let tooltip: Vec<&str> = triple
            .exit
            .iter()
            .filter_map(|(counter, location)| {
                structure.counters.get(*counter)?.locations.get(*location).map(|one| one.name.as_str())
            })
            .collect();
        let _ = writeln!(
            text,
            "    t{} [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" bgcolor=\"{fill}\"><tr>\
             <td>{}</td><td>{}</td><td>{}</td></tr></table>>, tooltip={}];",
            id.index(),
            escape(condition(&row.entry, counters)),
            escape(row.action),
            escape(condition(&row.exit, counters)),
            quoted(&format!("then {}", tooltip.join(", "))),
        );
    }
    text.push_str("  }\n");
}

/// A condition on the counters of a cluster: a vector, or what is said.
fn condition(condition: &Condition, counters: &[usize]) -> String {
    if counters.len() > LONGEST_VECTOR {
        let parts: Vec<String> =
            condition.iter().map(|(counter, text)| format!("pc{counter}={text}")).collect();
        return parts.join(" ");
    }
    let elements: Vec<&str> = counters
        .iter()
        .map(|counter| {
            condition.iter().find(|(own, _)| own == counter).map_or("·", |(_, text)| text.as_str())
        })
        .collect();
    elements.join(" ")
}

/// Which triples are symbolically linked.
fn links(structure: &Structure) -> Vec<(TripleId, TripleId)> {
    let mut wanting: FxHashMap<OfferId, Vec<TripleId>> = FxHashMap::default();
    for (id, triple) in structure.triples.enumerate() {
        for (_, offer) in &triple.entry {
            wanting.entry(*offer).or_default().push(id);
        }
    }
    let mut links = Vec::new();
    for (id, triple) in structure.triples.enumerate() {
        let offers = |(counter, location): &(CounterId, LocationId)| {
            Some(structure.counters.get(*counter)?.locations.get(*location)?.offers.as_slice())
        };
        let mut targets: Vec<TripleId> = triple
            .exit
            .iter()
            .flat_map(|exit| offers(exit).unwrap_or_default())
            .flat_map(|offer| wanting.get(offer).into_iter().flatten().copied())
            .filter(|target| triple.may_enable(structure, &structure.triples[*target]))
            .collect();
        targets.sort_unstable();
        targets.dedup();
        links.extend(targets.into_iter().map(|target| (id, target)));
    }
    links
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

//! Structures for Graphviz, drawn as the figures of the paper are: triples as boxes of three parts, edges to
//! the triples that they are symbolically linked to, agents as clusters; with a legend, so that the picture
//! can be read alone.

use quick_xml::escape::escape;
use rustc_hash::FxHashMap;

use super::table::{Entries, MAX_VECTOR_LENGTH, offered, row};
use super::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use paramcheck_text::dot::Graph;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

/// With more edges, only those within agents are drawn.
const MAX_EDGES: usize = 400;

/// More counters and locations are not in the legend: it would be larger than the picture.
const MAX_LOCATIONS: usize = 100;

/// Longer titles of clusters are cut; the legend has the whole name.
const MAX_TITLE_LENGTH: usize = 12;

/// A structure in the language of Graphviz. `name` is what it is called.
///
/// # Errors
/// The budget ended.
pub fn dot(structure: &Structure, name: &str, budget: &Budget) -> Result<String, Stop> {
    let mut pace = budget.pace();
    let mut links = links(structure, &mut pace)?;
    let is_reached = reached(structure);
    let is_thinned = links.len() > MAX_EDGES;
    if is_thinned {
        links.retain(|(from, to)| {
            let [from, to] = [from, to].map(|id| cluster_of(structure, &structure.triples[*id]));
            from == to && from < structure.agents.len()
        });
    }
    let mut heading =
        "A box is a triple: what its counters must offer, what is done, what they offer then.\n\
                       An edge leads to a triple that may be enabled by this one.\n"
            .to_owned();
    if is_thinned {
        heading
            .push_str("Edges from and to what several agents do together are left out: they are too many.\n");
    }
    let mut graph = Graph::directed(name, &heading);
    let fonts = |size| [("fontname", "Helvetica"), ("fontsize", size)];
    graph.defaults("graph", &[&fonts("12")[..], &[("nodesep", "0.25"), ("ranksep", "0.45")]].concat());
    graph.defaults("node", &[&[("shape", "plain")], &fonts("10")[..]].concat());
    graph.defaults("edge", &[("arrowsize", "0.6"), ("color", "gray40")]);
    // Of each cluster its counters and triples; the last one has all counters.
    let together = structure.agents.len();
    let mut clusters: Vec<Cluster> = vec![Cluster::default(); together + 1];
    for (id, counter) in structure.counters.enumerate() {
        for number in [counter.agent as usize, together] {
            if let Some(cluster) = clusters.get_mut(number) {
                cluster.counters.push(id.index());
            }
        }
    }
    for (id, triple) in structure.triples.enumerate() {
        if let Some(cluster) = clusters.get_mut(cluster_of(structure, triple)) {
            cluster.triples.push(id);
        }
    }
    for (number, cluster) in clusters.iter().enumerate().filter(|(_, cluster)| !cluster.triples.is_empty()) {
        let title = match structure.agents.get(number) {
            Some(agent) => title(&agent.name, &cluster.counters),
            None => "together".to_owned(),
        };
        cluster.write(structure, &mut graph, number, &title, &is_reached, &mut pace)?;
    }
    legend(structure, &mut graph, is_reached.iter().all(|is_reached| *is_reached));
    for (from, to) in links {
        let [begin, end] = [from, to].map(|id| cluster_of(structure, &structure.triples[id]));
        // Clusters keep the form that they have alone.
        let across = [("constraint", "false"), ("style", "dashed"), ("color", "gray65")];
        let style = if begin == end { &[][..] } else { &across };
        graph.edge(format_args!("t{}", from.index()), format_args!("t{}", to.index()), style);
    }
    Ok(graph.finish())
}

/// The number of the cluster that a triple is in: its agent, or the one behind all agents.
fn cluster_of(structure: &Structure, triple: &Triple) -> usize {
    match triple.agents.as_slice() {
        [only] => *only as usize,
        _ => structure.agents.len(),
    }
}

/// What is drawn together: triples, with conditions on some counters.
#[derive(Clone, Default)]
struct Cluster {
    counters: Vec<usize>,
    triples: Vec<TripleId>,
}

impl Cluster {
    fn write(
        &self,
        structure: &Structure,
        graph: &mut Graph,
        number: usize,
        name: &str,
        is_reached: &IndexVec<TripleId, bool>,
        pace: &mut impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let counters = &self.counters;
        graph.begin_cluster(
            number,
            &[("label", name), ("style", "rounded,filled"), ("color", "gray60"), ("fillcolor", "gray95")],
        );
        for &id in &self.triples {
            pace()?;
            let triple = &structure.triples[id];
            let row = row(structure, triple);
            let fill = if triple.label().is_none() { "gray85" } else { "white" };
            // What can never be enabled stays in the background.
            let color = if is_reached[id] { "" } else { " color=\"gray75\"" };
            let tooltip: Vec<&str> = triple
                .exit
                .iter()
                .filter_map(|(counter, location)| {
                    structure.counters.get(*counter)?.locations.get(*location).map(|one| one.name.as_str())
                })
                .collect();
            let label = format!(
                "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" bgcolor=\"{fill}\"{color}><tr>\
                 <td>{}</td><td>{}</td><td>{}</td></tr></table>",
                escape(condition(&row.entry, counters)),
                escape(row.action),
                escape(condition(&row.exit, counters)),
            );
            let tooltip = format!("then {}", tooltip.join(", "));
            let attributes = [("tooltip", tooltip.as_str()), ("fontcolor", "gray65")];
            let attributes = if is_reached[id] { &attributes[..1] } else { &attributes };
            graph.html_node(format_args!("t{}", id.index()), &label, attributes);
        }
        graph.end_cluster();
        Ok(())
    }
}

/// A condition on the counters of a cluster: a vector, or the conditions that there are.
fn condition(condition: &Entries, counters: &[usize]) -> String {
    if counters.len() > MAX_VECTOR_LENGTH {
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
fn links(
    structure: &Structure,
    pace: &mut impl FnMut() -> Result<(), Stop>,
) -> Result<Vec<(TripleId, TripleId)>, Stop> {
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
        let mut targets: Vec<TripleId> = Vec::new();
        for offer in triple.exit.iter().flat_map(|exit| offers(exit).unwrap_or_default()) {
            for target in wanting.get(offer).into_iter().flatten() {
                pace()?;
                if triple.may_enable(structure, &structure.triples[*target]) {
                    targets.push(*target);
                }
            }
        }
        targets.sort_unstable();
        targets.dedup();
        links.extend(targets.into_iter().map(|target| (id, target)));
    }
    Ok(links)
}

/// Which triples may be enabled at some time: those that want only ids that are offered at first or by such
/// triples. All others never are.
fn reached(structure: &Structure) -> IndexVec<TripleId, bool> {
    let mut wanting: FxHashMap<OfferId, Vec<TripleId>> = FxHashMap::default();
    for (id, triple) in structure.triples.enumerate() {
        triple.entry.iter().for_each(|(_, offer)| wanting.entry(*offer).or_default().push(id));
    }
    let mut missing: IndexVec<TripleId, usize> =
        structure.triples.iter().map(|triple| triple.entry.len()).collect();
    let mut is_reached: IndexVec<TripleId, bool> = missing.iter().map(|missing| *missing == 0).collect();
    let mut places: Vec<(CounterId, LocationId)> =
        structure.counters.enumerate().map(|(id, counter)| (id, counter.initial)).collect();
    for (id, triple) in structure.triples.enumerate() {
        if is_reached[id] {
            places.extend(&triple.exit);
        }
    }
    while let Some((counter, location)) = places.pop() {
        let location = structure.counters.get(counter).and_then(|counter| counter.locations.get(location));
        for offer in location.map_or(&[][..], |location| &location.offers) {
            // Each id is offered for the first time once.
            for id in wanting.remove(offer).unwrap_or_default() {
                missing[id] -= 1;
                if missing[id] == 0 {
                    is_reached[id] = true;
                    places.extend(&structure.triples[id].exit);
                }
            }
        }
    }
    is_reached
}

/// What the numbers in the boxes are, as a node.
fn legend(structure: &Structure, graph: &mut Graph, is_all_reached: bool) {
    let mut lines = vec![
        "a box: what its counters must offer | what is done | what they offer then".to_owned(),
        "a list is a set, all offered; 0: terminated; -: stuck; ·: not constrained".to_owned(),
        "an edge: may be enabled by this one; λ goes first and is no step".to_owned(),
    ];
    if !is_all_reached {
        lines.push("grey letters: never enabled".to_owned());
    }
    let total: usize = structure.counters.iter().map(|counter| counter.locations.len() + 1).sum();
    if total > MAX_LOCATIONS {
        lines.push("what counters and ids are: `--as triples`".to_owned());
    } else {
        lines.push(
            "positions are counters from the left: of an agent its own, in “together” all; more than 8 are named: pcK=…".to_owned(),
        );
        for (id, counter) in structure.counters.enumerate() {
            lines.push(format!("pc{}: {}", id.index(), counter.name));
            for (location, own) in counter.locations.enumerate() {
                lines.push(format!("    {} = {}", offered(structure, id, location), own.name));
            }
        }
    }
    graph.note("legend", &lines, &[("shape", "note"), ("fontsize", "9"), ("color", "gray60")]);
}

/// The title of an agent: its name; where that is a whole term, its counter and as much of the term as fits.
fn title(name: &str, counters: &[usize]) -> String {
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '#'));
    match counters.first() {
        Some(own) if !is_word && name.chars().count() > MAX_TITLE_LENGTH => {
            format!("pc{own}: {}…", name.chars().take(MAX_TITLE_LENGTH - 1).collect::<String>())
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn drawing_ends_with_the_budget() {
        let text = "system a.b.0 | 'a.0;";
        let system = paramcheck_process::load(text, paramcheck_process::Language::Ccs).system.unwrap();
        let structure = crate::process::encode(&system, &Budget::unlimited()).unwrap();
        assert_eq!(dot(&structure, "p", &Budget::for_duration(Duration::ZERO)), Err(Stop::Time));
        assert!(dot(&structure, "p", &Budget::unlimited()).is_ok());
    }
}

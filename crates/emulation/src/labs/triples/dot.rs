//! Triples of agents for Graphviz: a cluster per kind, a box per triple, and an edge to each triple that it may
//! enable. In and out as in [`table`](fn@super::table).

use paramcheck_labs::model::KindId;
use paramcheck_text::dot::Graph;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use quick_xml::escape::escape;

use super::print::{Texts, counters, enabled, message_rules};
use super::{ComponentId, LocationId, Structure, TripleId};
use crate::table::{Entries, MAX_VECTOR_LENGTH};

/// The triples of all kinds in the language of Graphviz. `name` is what the system is called.
///
/// # Errors
/// The budget ended.
pub fn dot(
    texts: Texts<'_>,
    all: &IndexVec<KindId, Structure>,
    name: &str,
    budget: &Budget,
) -> Result<String, Stop> {
    let mut pace = budget.pace();
    let heading = format!(
        "A box is a triple: what its counters must offer, the guard, what is done, what they offer then.\n\
         An edge leads to a triple that may be enabled by this one.\nWhen that is so: {}.\n",
        enabled(texts.rules)
    );
    let mut graph = Graph::directed(name, &heading);
    let fonts = |size| [("fontname", "Helvetica"), ("fontsize", size)];
    graph.defaults("graph", &[&fonts("12")[..], &[("nodesep", "0.25"), ("ranksep", "0.45")]].concat());
    graph.defaults("node", &[&[("shape", "plain")], &fonts("10")[..]].concat());
    graph.defaults("edge", &[("arrowsize", "0.6"), ("color", "gray40")]);
    for (kind, structure) in all.enumerate() {
        let heading = texts.heading(kind);
        let own = counters(texts.system, kind, structure);
        let own = own.iter().enumerate().map(|(number, name)| format!("pc{number} {name}"));
        let title = format!("{heading}\n{}", itertools::join(own, ", "));
        let colours = [("style", "rounded,filled"), ("color", "gray60"), ("fillcolor", "gray95")];
        graph.begin_cluster(kind.index(), &[&[("label", title.as_str())], &colours[..]].concat());
        for (id, triple) in structure.triples.enumerate() {
            pace()?;
            let row = texts.row(kind, structure, id, triple);
            let parts =
                [condition(&row.entry, structure), row.guard, row.action, condition(&row.exit, structure)];
            let cells = parts.map(|part| format!("<td>{}</td>", escape(part)));
            let label = format!(
                "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" bgcolor=\"white\"><tr>{}</tr></table>",
                cells.concat()
            );
            graph.html_node(node(kind, id), &label, &[("tooltip", row.note.as_str())]);
        }
        for (id, triple) in structure.triples.enumerate() {
            let mut enabled: Vec<TripleId> = Vec::new();
            for (component, location) in &triple.exit {
                enabled.extend(offers(structure, *component, *location));
            }
            // An operand that ends may be the last one, and what waits for it goes on.
            let mut ended = triple.exit.iter().filter(|(_, location)| location.index() == 0);
            if let Some(parent) = ended.find_map(|(component, _)| structure.components[*component].parent) {
                for location in &structure.components[parent].locations {
                    enabled
                        .extend(location.joined.iter().flat_map(|joined| offers(structure, parent, *joined)));
                }
            }
            enabled.sort_unstable();
            enabled.dedup();
            for next in enabled {
                pace()?;
                graph.edge(node(kind, id), node(kind, next), &[]);
            }
        }
        graph.end_cluster();
    }
    if !texts.system.tuples.is_empty() {
        let tuples = texts.system.tuples.indices().map(|tuple| format!("  {}", texts.tuple(tuple)));
        let mut lines = vec!["messages, without a program counter, of".to_owned()];
        lines.extend(tuples);
        lines.extend(message_rules(texts.rules).map(|(message, rule)| format!("{message}: {rule}")));
        graph.note("messages", &lines, &[("shape", "note")]);
    }
    Ok(graph.finish())
}

fn node(kind: KindId, id: TripleId) -> String {
    format!("k{}t{}", kind.index(), id.index() + 1)
}

/// The triples that a location offers, at once or when its operands have ended.
fn offers(structure: &Structure, component: ComponentId, location: LocationId) -> Vec<TripleId> {
    structure.components[component].locations[location].offers.clone()
}

/// A condition on the counters: a vector, or the conditions that there are.
fn condition(condition: &Entries, structure: &Structure) -> String {
    if structure.components.len() > MAX_VECTOR_LENGTH {
        return itertools::join(condition.iter().map(|(counter, text)| format!("pc{counter}={text}")), " ");
    }
    let element = |counter: usize| {
        let own = condition.iter().find(|(known, _)| *known == counter);
        own.map_or("·", |(_, text)| text.as_str())
    };
    itertools::join((0..structure.components.len()).map(element), " ")
}

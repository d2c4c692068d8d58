//! The same things in DOT, for Graphviz to lay out.

use super::architecture::{Link, links};
use super::automata::{Automaton, INTERNAL};
use super::palette;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::dot::Graph;
use paramcheck_text::index::Idx;

const FONT: (&str, &str) = ("fontname", "Helvetica");

/// How components and their states are drawn.
const BOX: [(&str, &str); 3] = [("shape", "box"), ("style", "rounded,filled"), FONT];

/// Component types: a cluster per type.
pub fn automata(system: &System) -> String {
    let mut graph = Graph::directed(system.name(), "");
    graph.defaults("graph", &[("rankdir", "LR")]);
    graph.defaults("node", &BOX);
    graph.defaults("edge", &[FONT, ("fontsize", "11")]);
    for (number, component_type) in system.types.iter().enumerate() {
        graph.begin_cluster(number, &[("label", &component_type.name)]);
        for (id, state) in component_type.states.enumerate() {
            let colour = palette::of_state(id.index());
            let attributes = [("label", state.name.as_str()), ("fillcolor", colour), ("peripheries", "2")];
            let attributes = if state.is_final { &attributes } else { &attributes[..2] };
            graph.node(format_args!("t{number}_{}", id.index()), attributes);
        }
        for state in &component_type.initial {
            let (start, state) =
                (format!("i{number}_{}", state.index()), format!("t{number}_{}", state.index()));
            graph.node(&start, &[("shape", "point"), ("style", "invis")]);
            graph.edge(start, state, &[]);
        }
        for transition in &component_type.transitions {
            let port = transition.port.map_or(INTERNAL, |port| system.ports[port].as_str());
            let [from, to] =
                [transition.from, transition.to].map(|state| format!("t{number}_{}", state.index()));
            graph.edge(from, to, &[("label", port)]);
        }
        graph.end_cluster();
    }
    graph.finish()
}

/// Several automata: a cluster for each.
pub(super) fn all_automata(name: &str, automata: &[Automaton]) -> String {
    let mut graph = Graph::directed(name, "");
    graph.defaults("graph", &[("rankdir", "LR")]);
    graph.defaults("node", &BOX);
    graph.defaults("edge", &[FONT, ("fontsize", "11")]);
    for (number, automaton) in automata.iter().enumerate() {
        graph.begin_cluster(number, &[("label", &automaton.name)]);
        for (id, state) in automaton.states.iter().enumerate() {
            let colour = palette::of_state(id);
            let attributes = [
                ("label", state.name.as_str()),
                ("tooltip", state.whole.as_str()),
                ("fillcolor", colour),
                ("peripheries", "2"),
            ];
            let attributes = if state.is_final { &attributes } else { &attributes[..3] };
            graph.node(format_args!("t{number}_{id}"), attributes);
        }
        for state in &automaton.initial {
            let (start, state) = (format!("i{number}_{state}"), format!("t{number}_{state}"));
            graph.node(&start, &[("shape", "point"), ("style", "invis")]);
            graph.edge(start, state, &[]);
        }
        for (from, to, label) in &automaton.transitions {
            let meaning = automaton.legend.iter().find(|(word, _)| word == label);
            let label = meaning.map_or(label, |(_, meaning)| meaning);
            graph.edge(format_args!("t{number}_{from}"), format_args!("t{number}_{to}"), &[("label", label)]);
        }
        graph.end_cluster();
    }
    graph.finish()
}

/// The architecture of an instance in a marking; for `neato`, `fdp` or `circo`.
pub fn architecture(system: &System, net: &Net, marking: &Marking) -> String {
    let mut graph = Graph::undirected(system.name(), "");
    graph.defaults("graph", &[("layout", "neato"), ("overlap", "false"), ("splines", "true")]);
    graph.defaults("node", &BOX);
    graph.defaults("edge", &[FONT, ("fontsize", "10"), ("len", "2")]);
    for ((id, component), state) in net.components().enumerate().zip(marking) {
        let state_name = &system.types[component.component_type].states[*state].name;
        let label = format!("{}\n{state_name}", component.name);
        let colour = palette::of_state(state.index());
        graph.node(format_args!("c{}", id.index()), &[("label", &label), ("fillcolor", colour)]);
    }
    for (number, link) in links(system, net, marking).iter().enumerate() {
        let Link { participants, interactions, words, .. } = link;
        let ports = |at: usize| {
            itertools::join(interactions.iter().filter_map(|ports| ports.get(at)).map(String::as_str), "\n")
        };
        let title = words.join("\n");
        let component = |position: usize| format!("c{}", participants[position].index());
        if participants.len() == 2 {
            let ends = [("taillabel", &*ports(0)), ("headlabel", &ports(1)), ("tooltip", &title)];
            graph.edge(component(0), component(1), &ends);
            continue;
        }
        let middle = format!("i{number}");
        graph.node(&middle, &[("shape", "point"), ("width", "0.1"), ("tooltip", &title)]);
        for at in 0..participants.len() {
            graph.edge(component(at), &middle, &[("taillabel", &ports(at)), ("len", "1")]);
        }
    }
    graph.finish()
}

/// A rewriting tree.
pub fn rewriting(system: &System, tree: &RewritingTree, net: &Net) -> String {
    let mut graph = Graph::directed(system.name(), "");
    graph.defaults("node", &[("shape", "box"), FONT]);
    graph.defaults("edge", &[("dir", "none")]);
    let mut labels: Vec<String> =
        tree.nodes.iter().map(|node| system.rules[node.rule].label.clone()).collect();
    for component in net.components() {
        let state = &system.types[component.component_type].states[component.initial].name;
        if let Some(label) = labels.get_mut(component.node) {
            label.push_str(&format!("\n{}: {state}", component.name));
        }
    }
    for (position, (node, label)) in tree.nodes.iter().zip(labels).enumerate() {
        graph.node(format_args!("n{position}"), &[("label", &label)]);
        for child in &node.children {
            graph.edge(format_args!("n{position}"), format_args!("n{child}"), &[]);
        }
    }
    graph.finish()
}

//! The same things in DOT, for Graphviz to lay out.

use std::fmt::Write;

use super::architecture::{Link, links};
use super::automata::INTERNAL;
use super::palette;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::index::Idx;

/// `text` in quotes. A backslash would begin an escape of Graphviz.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => result.extend(['\\', letter]),
            '\n' => result.push_str("\\n"),
            letter if letter.is_control() => result.push('\u{fffd}'),
            letter => result.push(letter),
        }
    }
    result.push('"');
    result
}

/// Component types: a cluster per type.
pub fn automata(system: &System) -> String {
    let mut text = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=Helvetica];\n  edge [fontname=Helvetica, fontsize=11];\n",
        quoted(system.name())
    );
    for (number, component_type) in system.types.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={};", quoted(&component_type.name));
        for (id, state) in component_type.states.enumerate() {
            let border = if state.is_final { ", peripheries=2" } else { "" };
            let (name, colour) = (quoted(&state.name), palette::of_state(id.index()));
            let _ = writeln!(
                text,
                "    t{number}_{} [label={name}, fillcolor=\"{colour}\"{border}];",
                id.index()
            );
        }
        for state in &component_type.initial {
            let state = state.index();
            let _ = writeln!(text, "    i{number}_{state} [shape=point, style=invis];");
            let _ = writeln!(text, "    i{number}_{state} -> t{number}_{state};");
        }
        for transition in &component_type.transitions {
            let port = transition.port.map_or(INTERNAL, |port| system.ports[port].as_str());
            let (from, to) = (transition.from.index(), transition.to.index());
            let _ = writeln!(text, "    t{number}_{from} -> t{number}_{to} [label={}];", quoted(port));
        }
        text += "  }\n";
    }
    text + "}\n"
}

/// The architecture of an instance in a marking; for `neato`, `fdp` or `circo`.
pub fn architecture(system: &System, net: &Net, marking: &Marking) -> String {
    let mut text = format!(
        "graph {} {{\n  layout=neato;\n  overlap=false;\n  splines=true;\n  node [shape=box, style=\"rounded,filled\", fontname=Helvetica];\n  edge [fontname=Helvetica, fontsize=10, len=2];\n",
        quoted(system.name())
    );
    for ((id, component), state) in net.components().enumerate().zip(marking) {
        let state_name = &system.types[component.component_type].states[*state].name;
        let label = quoted(&format!("{}\n{state_name}", component.name));
        let colour = palette::of_state(state.index());
        let _ = writeln!(text, "  c{} [label={label}, fillcolor=\"{colour}\"];", id.index());
    }
    for (number, link) in links(system, net, marking).iter().enumerate() {
        let Link { participants, interactions, words, .. } = link;
        let ports = |at: usize| {
            let ports = interactions.iter().filter_map(|ports| ports.get(at)).map(String::as_str);
            quoted(&itertools::join(ports, "\n"))
        };
        let title = quoted(&words.join("\n"));
        if let [from, to] = participants[..] {
            let _ = writeln!(
                text,
                "  c{} -- c{} [taillabel={}, headlabel={}, tooltip={title}];",
                from.index(),
                to.index(),
                ports(0),
                ports(1)
            );
            continue;
        }
        let _ = writeln!(text, "  i{number} [shape=point, width=0.1, tooltip={title}];");
        for (at, one) in participants.iter().enumerate() {
            let _ = writeln!(text, "  c{} -- i{number} [taillabel={}, len=1];", one.index(), ports(at));
        }
    }
    text + "}\n"
}

/// A rewriting tree.
pub fn rewriting(system: &System, tree: &RewritingTree, net: &Net) -> String {
    let mut text = format!(
        "digraph {} {{\n  node [shape=box, fontname=Helvetica];\n  edge [dir=none];\n",
        quoted(system.name())
    );
    let mut labels: Vec<String> =
        tree.nodes.iter().map(|node| system.rules[node.rule].label.clone()).collect();
    for component in net.components() {
        let state = &system.types[component.component_type].states[component.initial].name;
        if let Some(label) = labels.get_mut(component.node) {
            let _ = write!(label, "\n{}: {state}", component.name);
        }
    }
    for (position, (node, label)) in tree.nodes.iter().zip(labels).enumerate() {
        let _ = writeln!(text, "  n{position} [label={}];", quoted(&label));
        for child in &node.children {
            let _ = writeln!(text, "  n{position} -> n{child};");
        }
    }
    text + "}\n"
}

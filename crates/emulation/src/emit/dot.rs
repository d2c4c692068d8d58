//! Instances for Graphviz: the Petri net as it is, a cluster per component.
//!
//! Places are circles, initial tokens dots in them, transitions boxes. It is a picture for small instances;
//! Graphviz does not care how large they are, people do.

use std::fmt::Write as _;

use crate::emit::{Instance, commented};
use paramcheck_text::index::Idx;

/// The net in the language of Graphviz.
pub fn dot(instance: &Instance<'_>) -> String {
    let Instance { system, net, tree, .. } = *instance;
    let preorder = instance.preorder();
    let heading = instance.heading(false)
        + "\nA circle is a state of a component, a dot in it where the component starts, a box a transition.\n  \
         fdp -Tsvg FILE -o net.svg   (neighbours close together; or dot: in layers)\n";
    let mut text = commented(&heading, "// ");
    let _ = writeln!(text, "digraph {} {{", quoted(system.name()));
    text.push_str(
        "  graph [fontname=\"Helvetica\", fontsize=12, overlap=false, splines=true, ranksep=0.6];\n\
         \x20 node [fontname=\"Helvetica\", fontsize=10];\n\
         \x20 edge [arrowsize=0.7];\n",
    );
    for (id, component) in net.components().enumerate() {
        let component_type = &system.types[component.component_type];
        let rule = &system.rules[tree.nodes[component.node].rule].label;
        let origin = format!("{rule} at node {}", preorder[component.node]);
        let _ = writeln!(text, "\n  subgraph cluster_{} {{  // {origin}", id.index() + 1);
        let _ = writeln!(
            text,
            "    label={}; tooltip={}; style=\"rounded,filled\"; color=gray60; fillcolor=gray95;",
            quoted(&component.name),
            quoted(&origin)
        );
        text.push_str(
            "    node [shape=circle, width=0.45, margin=0.02, fontsize=9, style=filled, fillcolor=white];\n",
        );
        for (state, definition) in component_type.states.enumerate() {
            let token = if state == component.initial { "\n●" } else { "" };
            let label = quoted(&format!("{}{token}", definition.name));
            let _ = writeln!(text, "    p{} [label={label}];", net.place(id, state) + 1);
        }
        text.push_str("  }\n");
    }
    text.push_str(
        "\n  node [shape=box, height=0.25, margin=\"0.08,0.03\", style=filled, fillcolor=lightblue];\n",
    );
    for (id, transition) in net.transitions().enumerate() {
        let number = id.index() + 1;
        let label = label(instance, id);
        let origin = instance.origin(id, &preorder);
        let _ = writeln!(text, "  t{number} [label={}, tooltip={}];", quoted(&label), quoted(&origin));
        for m in &transition.moves {
            let [from, to] = [m.from, m.to].map(|state| net.place(m.component, state) + 1);
            if from == to {
                let _ = writeln!(text, "  p{from} -> t{number} [dir=both];");
            } else {
                let _ = writeln!(text, "  p{from} -> t{number};  t{number} -> p{to};");
            }
        }
    }
    text.push_str("}\n");
    text
}

/// The ports of a transition: whose they are is to be seen. Internal transitions have none.
fn label(instance: &Instance<'_>, transition: paramcheck_nets::instance::net::NetTransitionId) -> String {
    let Instance { system, net, .. } = *instance;
    let ports = net.transitions()[transition].moves.iter().filter_map(|m| {
        let component_type = &system.types[net.components()[m.component].component_type];
        Some(system.ports[component_type.transitions[m.transition].port?].as_str())
    });
    itertools::join(ports, " ")
}

/// A text as Graphviz reads it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

//! Instances for Graphviz: the Petri net as it is, a cluster per component.
//!
//! Places are circles, initial tokens dots in them, transitions boxes. It is a picture for small instances;
//! Graphviz does not care how large they are, people do.

use crate::emit::Instance;
use paramcheck_nets::instance::net::NetTransitionId;
use paramcheck_text::dot::Graph;
use paramcheck_text::index::Idx;

/// The net in the language of Graphviz.
pub fn dot(instance: &Instance<'_>) -> String {
    let Instance { system, net, .. } = *instance;
    let preorder = instance.preorder();
    let heading = instance.heading(false)
        + "\nA circle is a state of a component, a dot in it where the component starts, a box a transition.\n  \
         fdp -Tsvg FILE -o net.svg   (neighbours close together; or dot: in layers)\n";
    let mut graph = Graph::directed(system.name(), &heading);
    let fonts = [("fontname", "Helvetica"), ("fontsize", "12")];
    graph.defaults(
        "graph",
        &[&fonts[..], &[("overlap", "false"), ("splines", "true"), ("ranksep", "0.6")]].concat(),
    );
    graph.defaults("node", &[("fontname", "Helvetica"), ("fontsize", "10")]);
    graph.defaults("edge", &[("arrowsize", "0.7")]);
    for (id, component) in net.components().enumerate() {
        let origin = instance.component_origin(component, &preorder);
        graph.begin_cluster(
            id.index() + 1,
            &[
                ("label", &component.name),
                ("tooltip", &origin),
                ("style", "rounded,filled"),
                ("color", "gray60"),
                ("fillcolor", "gray95"),
            ],
        );
        graph.defaults(
            "node",
            &[
                ("shape", "circle"),
                ("width", "0.45"),
                ("margin", "0.02"),
                ("fontsize", "9"),
                ("style", "filled"),
                ("fillcolor", "white"),
            ],
        );
        for (state, definition) in system.types[component.component_type].states.enumerate() {
            let token = if state == component.initial { "\n●" } else { "" };
            let label = format!("{}{token}", definition.name);
            graph.node(format_args!("p{}", net.place(id, state) + 1), &[("label", &label)]);
        }
        graph.end_cluster();
    }
    graph.defaults(
        "node",
        &[
            ("shape", "box"),
            ("height", "0.25"),
            ("margin", "0.08,0.03"),
            ("style", "filled"),
            ("fillcolor", "lightblue"),
        ],
    );
    for (id, transition) in net.transitions().enumerate() {
        let number = format!("t{}", id.index() + 1);
        let (label, origin) = (label(instance, id), instance.origin(id, &preorder));
        graph.node(&number, &[("label", &label), ("tooltip", &origin)]);
        for m in &transition.moves {
            let [from, to] = [m.from, m.to].map(|state| format!("p{}", net.place(m.component, state) + 1));
            if from == to {
                graph.edge(from, &number, &[("dir", "both")]);
            } else {
                graph.edge(from, &number, &[]);
                graph.edge(&number, to, &[]);
            }
        }
    }
    graph.finish()
}

/// The ports of a transition: whose they are is to be seen. Internal transitions have none.
fn label(instance: &Instance<'_>, transition: NetTransitionId) -> String {
    let Instance { system, net, .. } = *instance;
    let ports = net.transitions()[transition].moves.iter().filter_map(|m| {
        let component_type = &system.types[net.components()[m.component].component_type];
        Some(system.ports[component_type.transitions[m.transition].port?].as_str())
    });
    itertools::join(ports, " ")
}

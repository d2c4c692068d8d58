//! Instances as PNML, the way the Model Checking Contest has its place/transition nets: one net of one
//! page; one place per state of a component, each with the tokens it holds at first if there are any; arcs
//! without weights, since all are 1.
//!
//! The net declares, in the contest's vocabulary of nested units (NUPN), that each component is a unit:
//! at most one of its places is marked. Tools that know this need fewer bits per marking.

use std::fmt::Write as _;

use quick_xml::escape::escape;

use crate::emit::Instance;
use paramcheck_text::comment::in_xml;
use paramcheck_text::index::Idx;
use paramcheck_text::names::Names;

/// The net in PNML.
pub fn pnml(instance: &Instance<'_>) -> String {
    let Instance { system, net, .. } = *instance;
    let preorder = instance.preorder();
    let mut names = Names::new(&[]);
    // Per place its id; of one component after the other, as places are numbered.
    let places: Vec<String> = net
        .components()
        .iter()
        .flat_map(|component| {
            let states = system.types[component.component_type].states.iter();
            states.map(|state| format!("{}.{}", component.name, state.name)).collect::<Vec<_>>()
        })
        .map(|name| names.take(&name))
        .collect();
    let units: Vec<String> =
        net.components().iter().map(|c| names.take(&format!("unit_{}", c.name))).collect();
    let root = names.take("units");
    let transitions: Vec<String> =
        (1..=net.transitions().len()).map(|number| names.take(&format!("t{number}"))).collect();
    let [net_id, page] = ["net", "page"].map(|name| names.take(name));

    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n");
    text += &in_xml(&instance.heading(false));
    let _ = write!(
        text,
        "-->\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"{net_id}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
         <name><text>{}</text></name>\n<page id=\"{page}\">\n",
        escape(system.name())
    );
    for (id, component) in net.components().enumerate() {
        let origin = format!("{}: {}", component.name, instance.component_origin(component, &preorder));
        let _ = writeln!(text, "<!-- {} -->", in_xml(&origin));
        for (state, definition) in system.types[component.component_type].states.enumerate() {
            let place = &places[net.place(id, state)];
            let name = format!("{}.{}", component.name, definition.name);
            let _ = write!(text, "<place id=\"{place}\"><name><text>{}</text></name>", escape(name));
            if state == component.initial {
                text.push_str("<initialMarking><text>1</text></initialMarking>");
            }
            text.push_str("</place>\n");
        }
    }
    let mut arcs = 0;
    for (id, transition) in net.transitions().enumerate() {
        let name = &transitions[id.index()];
        let _ = writeln!(text, "<!-- {} -->", in_xml(&instance.origin(id, &preorder)));
        let rule = &system.rules[net.transitions()[id].rule].label;
        let title = format!("{rule}: {}", net.transition_name(system, id));
        let _ = writeln!(
            text,
            "<transition id=\"{name}\"><name><text>{}</text></name></transition>",
            escape(title)
        );
        for m in &transition.moves {
            let [from, to] = [m.from, m.to].map(|state| &places[net.place(m.component, state)]);
            for (source, target) in [(from, name), (name, to)] {
                arcs += 1;
                let arc = names.take(&format!("a{arcs}"));
                let _ = writeln!(text, "<arc id=\"{arc}\" source=\"{source}\" target=\"{target}\"/>");
            }
        }
    }
    let _ = write!(
        text,
        "<toolspecific tool=\"nupn\" version=\"1.1\">\n\
         <size places=\"{}\" transitions=\"{}\" arcs=\"{arcs}\"/>\n\
         <structure units=\"{}\" root=\"{root}\" safe=\"true\">\n\
         <unit id=\"{root}\"><places/><subunits>{}</subunits></unit>\n",
        net.place_count(),
        net.transitions().len(),
        units.len() + 1,
        units.join(" "),
    );
    let mut first = 0;
    for (unit, component) in units.iter().zip(net.components()) {
        let own = &places[first..first + component.state_count];
        first += component.state_count;
        let _ = writeln!(text, "<unit id=\"{unit}\"><places>{}</places><subunits/></unit>", own.join(" "));
    }
    text += "</structure>\n</toolspecific>\n</page>\n</net>\n</pnml>\n";
    text
}

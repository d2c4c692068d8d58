//! Emitted PNML, read back by an XML library: the same net, the same markings.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_emulation::emit::pnml;
use roxmltree::{Document, Node};

use super::{Explored, FOLDERS, corpus};

/// A place/transition net with arcs of weight 1.
#[derive(Debug, Default, PartialEq, Eq)]
struct PlaceTransitionNet {
    /// The names of places, in order, with their tokens.
    places: Vec<(String, u32)>,
    /// Names, places before and places after.
    transitions: Vec<(String, BTreeSet<usize>, BTreeSet<usize>)>,
    /// Places per unit.
    units: Vec<Vec<usize>>,
}

/// The children of an element that are called so.
fn children<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn child<'a>(node: Node<'a, 'a>, name: &'a str) -> Node<'a, 'a> {
    children(node, name).next().unwrap_or_else(|| panic!("no {name} in {node:?}"))
}

/// `<name><text>…</text></name>` in an element.
fn label(node: Node<'_, '_>, name: &str) -> Option<String> {
    let label = node.children().find(|child| child.has_tag_name(name))?;
    let text = label.children().find(|child| child.has_tag_name("text")).unwrap();
    Some(text.text().unwrap().to_owned())
}

fn id<'a>(node: Node<'a, 'a>) -> &'a str {
    node.attribute("id").unwrap_or_else(|| panic!("no id: {node:?}"))
}

fn read(text: &str) -> PlaceTransitionNet {
    let document = Document::parse(text).unwrap();
    let root = document.root_element();
    assert!(root.has_tag_name(("http://www.pnml.org/version-2009/grammar/pnml", "pnml")));
    let net = child(root, "net");
    assert_eq!(net.attribute("type"), Some("http://www.pnml.org/version-2009/grammar/ptnet"));
    // Ids are names of XML, and belong to one element each.
    let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let is_legal = |id: &&str| {
        id.starts_with(|first: char| first.is_ascii_alphabetic())
            && id.chars().all(|other| other.is_ascii_alphanumeric() || other == '_')
    };
    assert!(ids.iter().all(is_legal), "{ids:?}");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());

    let page = child(net, "page");
    let mut result = PlaceTransitionNet::default();
    let mut places = BTreeMap::new();
    for place in children(page, "place") {
        places.insert(id(place), places.len());
        let tokens = label(place, "initialMarking").map_or(0, |text| text.parse().unwrap());
        result.places.push((label(place, "name").unwrap(), tokens));
    }
    let mut transitions = BTreeMap::new();
    for transition in children(page, "transition") {
        transitions.insert(id(transition), transitions.len());
        result.transitions.push((label(transition, "name").unwrap(), BTreeSet::new(), BTreeSet::new()));
    }
    let mut arcs = 0;
    for arc in children(page, "arc") {
        arcs += 1;
        let [source, target] = ["source", "target"].map(|end| arc.attribute(end).unwrap());
        let is_new = match (places.get(source), transitions.get(target)) {
            (Some(&place), Some(&transition)) => result.transitions[transition].1.insert(place),
            _ => result.transitions[transitions[source]].2.insert(places[target]),
        };
        assert!(is_new, "an arc given twice has weight 2");
    }

    let nested = child(page, "toolspecific");
    assert_eq!((nested.attribute("tool"), nested.attribute("version")), (Some("nupn"), Some("1.1")));
    let size = child(nested, "size");
    let sizes = ["places", "transitions", "arcs"].map(|what| size.attribute(what).unwrap().to_owned());
    assert_eq!(sizes, [places.len(), transitions.len(), arcs].map(|count| count.to_string()));
    let structure = child(nested, "structure");
    assert_eq!(structure.attribute("safe"), Some("true"));
    let mut units = BTreeMap::new();
    for unit in children(structure, "unit") {
        let words = |name| child(unit, name).text().unwrap_or("").split_whitespace().collect::<Vec<_>>();
        units.insert(id(unit), (words("places"), words("subunits")));
    }
    assert_eq!(structure.attribute("units"), Some(units.len().to_string().as_str()));
    let (own, subunits) = &units[structure.attribute("root").unwrap()];
    assert!(own.is_empty() && subunits.len() + 1 == units.len());
    for unit in subunits {
        let (own, subunits) = &units[unit];
        assert!(subunits.is_empty());
        result.units.push(own.iter().map(|place| places[place]).collect());
    }
    result
}

/// The net that should have been written.
fn expected(explored: &Explored) -> PlaceTransitionNet {
    let Explored { system, net, .. } = explored;
    let mut result = PlaceTransitionNet::default();
    for component in net.components() {
        let first = result.places.len();
        for (state, definition) in system.types[component.component_type].states.enumerate() {
            let tokens = u32::from(state == component.initial);
            result.places.push((format!("{}.{}", component.name, definition.name), tokens));
        }
        result.units.push((first..result.places.len()).collect());
    }
    for (id, transition) in net.transitions().enumerate() {
        let name = format!("{}: {}", system.rules[transition.rule].label, net.transition_name(system, id));
        let before = transition.moves.iter().map(|m| net.place(m.component, m.from)).collect();
        let after = transition.moves.iter().map(|m| net.place(m.component, m.to)).collect();
        result.transitions.push((name, before, after));
    }
    result
}

/// The number of reachable markings, found by playing with tokens.
fn reachable(net: &PlaceTransitionNet) -> usize {
    let initial: Vec<u32> = net.places.iter().map(|(_, tokens)| *tokens).collect();
    let mut found = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(marking) = open.pop() {
        for unit in &net.units {
            assert_eq!(unit.iter().map(|&place| marking[place]).sum::<u32>(), 1, "a component in one state");
        }
        for (_, before, after) in &net.transitions {
            if before.iter().all(|&place| marking[place] > 0) {
                let mut next = marking.clone();
                before.iter().for_each(|&place| next[place] -= 1);
                after.iter().for_each(|&place| next[place] += 1);
                if found.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    found.len()
}

pub(super) fn check(explored: &Explored) {
    let net = read(&pnml(&explored.instance()));
    pretty_assertions::assert_eq!(net, expected(explored), "{}", explored.name);
    assert_eq!(reachable(&net), explored.states, "{}", explored.name);
}

#[test]
fn nets_are_read_as_they_are() {
    for folder in FOLDERS {
        corpus(folder).for_each(|explored| check(&explored));
    }
}

//! What a picture points out: the components that make an error true, places, and captions.

use std::collections::BTreeSet;

use paramcheck::picture::{self, View};
use paramcheck_model::component::StateId;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use roxmltree::{Document, Node};

use super::{groups, of_size, title, walk, words};
use crate::suite::support::{case, system};

/// The titles of the groups around what is marked.
fn marked<'a>(document: &'a Document<'a>) -> Vec<&'a str> {
    let above = |group: Node<'a, 'a>| title(group.parent().unwrap());
    groups(document, "marked").into_iter().map(above).collect()
}

#[test]
fn who_makes_an_error_true() {
    let system = system(
        "component A { states a, b, c; init a; final c; a -p-> b; b -q-> c; }
         S() <- new x, y . <p(x) p(y)> (A(x), A(y), T(x));
         T(x) <- new y . <p(x) q(y)> A(y);
         error two = #b >= 2;
         error none = #c == 0;
         error either = #b >= 2 | #c >= 1;
         error both = #b >= 1 & #c >= 1;
         error not = !(#b >= 2);
         error any = #b + #c > 1;",
    );
    let (_, net) = of_size(&system, 3);
    let names = |error: &str, states: [usize; 3]| {
        let marking = states.into_iter().map(StateId::new).collect();
        let error = system.error_named(error).unwrap();
        let found = picture::involved(&system, &net, &error.formula, &marking)?;
        Some(found.into_iter().map(Idx::index).collect::<Vec<_>>())
    };
    assert_eq!(names("two", [1, 0, 1]), Some(vec![0, 2]));
    assert_eq!(names("two", [1, 0, 0]), None);
    assert_eq!(names("none", [0, 0, 0]), Some(vec![]));
    assert_eq!(names("either", [1, 2, 0]), Some(vec![1]));
    assert_eq!(names("either", [1, 2, 1]), Some(vec![0, 1, 2]));
    assert_eq!(names("both", [0, 1, 2]), Some(vec![1, 2]));
    assert_eq!(names("not", [0, 1, 2]), Some(vec![]));
    assert_eq!(names("any", [2, 0, 1]), Some(vec![0, 2]));
    // Who is in a final state is not stuck.
    assert_eq!(names("deadlock", [2, 1, 2]), Some(vec![1]));
    assert_eq!(names("deadlock", [2, 2, 2]), None);
}

#[test]
fn marks_and_captions_are_drawn() {
    let system = case("table1/alt-philo-sym.rs");
    let (tree, net) = of_size(&system, 6);
    let all: Vec<_> = net.components().enumerate().map(|(id, _)| id).collect();
    let view = View {
        marked: BTreeSet::from([all[0], all[3]]),
        caption: vec!["error x (#one >= 2)".to_owned()],
        ..View::default()
    };
    let name = |position: usize| net.components()[all[position]].name.as_str();
    let text = picture::architecture(&system, &tree, &net, &net.initial(), &view).unwrap();
    let document = Document::parse(&text).unwrap();
    let found = marked(&document);
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with(name(0)) && found[1].starts_with(name(3)), "{found:?}");
    assert!(words(&document).contains(&"error x (#one >= 2)"));
    // In a chart they have a line of life, even if they take part in no step.
    let text = picture::sequence(&system, &net, &walk(&net, 1), &view).unwrap();
    let document = Document::parse(&text).unwrap();
    let found: BTreeSet<&str> = marked(&document).into_iter().collect();
    assert_eq!(found, BTreeSet::from([name(0), name(3)]));
    assert!(words(&document).contains(&"error x (#one >= 2)"));
}

#[test]
fn places_are_written_into_their_box() {
    let system = case("table1/token-ring.rs");
    let tree = of_size(&system, 40).0;
    let net = unfold(&system, &tree);
    // In the middle of what would be left out.
    let (id, component) = net.components().enumerate().nth(20).unwrap();
    let places = [0, 1].map(|state| (id, StateId::new(state), state));
    let view = View { places: BTreeSet::from(places), ..View::default() };
    let text = picture::architecture(&system, &tree, &net, &net.initial(), &view).unwrap();
    let document = Document::parse(&text).unwrap();
    let shown = groups(&document, "place");
    let states = &system.types[component.component_type].states;
    assert_eq!(
        shown.iter().map(|place| title(*place)).collect::<Vec<_>>(),
        [states[StateId::new(0)].name.as_str(), states[StateId::new(1)].name.as_str()]
    );
    assert!(shown.iter().all(|place| title(place.parent().unwrap()).starts_with(&component.name)));
}

/// The colour of a set's frames is that of its entry in the legend, and no other has it.
#[test]
fn sets_of_places_are_told_apart_by_colours() {
    let system = case("table1/token-ring.rs");
    let (tree, net) = of_size(&system, 4);
    let all: Vec<_> = net.components().indices().collect();
    let state = StateId::new(0);
    let places = (0..picture::MAX_SETS).map(|set| (all[set % 3], state, set));
    let sets = (0..picture::MAX_SETS).map(|set| format!("set {set}")).collect();
    let view = View { places: places.collect(), sets, ..View::default() };
    let text = picture::architecture(&system, &tree, &net, &net.initial(), &view).unwrap();
    let document = Document::parse(&text).unwrap();
    let colours = |class| -> Vec<String> {
        let stroke = |group: Node<'_, '_>| {
            let frame = group.children().find(|node| node.has_attribute("stroke")).unwrap();
            frame.attribute("stroke").unwrap().to_owned()
        };
        groups(&document, class).into_iter().map(stroke).collect()
    };
    let legend = colours("set");
    assert_eq!(legend.iter().collect::<BTreeSet<_>>().len(), picture::MAX_SETS);
    // By component, and there by set.
    let expected = [0, 3, 1, 4, 2, 5].map(|set| legend[set].clone());
    assert_eq!(colours("place"), expected);
    assert!(words(&document).contains(&"set 5"));
}

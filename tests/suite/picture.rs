//! Pictures: well-formed, complete, the same each time, and boxes where they are to be.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use paramcheck::picture::{self, View, dot};
use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_tree, trees};
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::term::parse_term;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use roxmltree::{Document, Node};

use super::support::{case, system};

mod agents;
mod labels;
mod pointed_out;
mod processes;
mod renderers;

/// The examples, with an instance of a few components each.
fn examples() -> Vec<(String, System, RewritingTree)> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let families =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for family in families {
        for entry in fs::read_dir(family).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let system = system(&fs::read_to_string(&path).unwrap());
            let sizes = [7, 6, 8, 5, 4, 9];
            let tree = sizes.iter().find_map(|&size| trees(&system, size).next());
            let tree = tree.or_else(|| smallest_tree(&system)).unwrap();
            found.push((path.display().to_string(), system, tree));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(found.len() > 40);
    found
}

/// Nothing is left out.
fn everything() -> View {
    View { all: true, ..View::default() }
}

fn of_size(system: &System, size: usize) -> (RewritingTree, Net) {
    let tree = trees(system, size).next().unwrap();
    let net = unfold(system, &tree);
    (tree, net)
}

/// What is written, without the rims that keep texts apart from lines.
fn texts<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let is_one = |node: &Node| node.has_tag_name("text") && node.attribute("class") != Some("rim");
    document.descendants().filter(is_one)
}

/// All words written, titles not among them.
fn words<'a>(document: &'a Document<'a>) -> Vec<&'a str> {
    texts(document).filter_map(|node| node.text()).collect()
}

fn groups<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let is_one = |node: &Node| node.attribute("class") == Some(class);
    document.descendants().filter(is_one).collect()
}

fn title<'a>(group: Node<'a, '_>) -> &'a str {
    let title = group.children().find(|child| child.has_tag_name("title"));
    title.and_then(|title| title.text()).unwrap_or_default()
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// The rectangles of groups by title: left, top, right, bottom, fill.
fn boxes<'a>(document: &'a Document<'a>, class: &str) -> BTreeMap<&'a str, ([f64; 4], &'a str)> {
    let mut found = BTreeMap::new();
    for group in groups(document, class) {
        let rectangle = group.children().find(|child| child.has_tag_name("rect")).unwrap();
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rectangle, name));
        let name = title(group).split(": ").next().unwrap();
        found.insert(name, ([x, y, x + width, y + height], rectangle.attribute("fill").unwrap()));
    }
    found
}

fn middle([left, top, right, bottom]: [f64; 4]) -> (f64, f64) {
    ((left + right) / 2.0, (top + bottom) / 2.0)
}

/// Everything that is drawn lies in the picture.
fn check_frame(name: &str, document: &Document) {
    let root = document.root_element();
    let frame: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|one| one.parse().unwrap()).collect();
    let inside = |x: f64, y: f64| {
        x >= frame[0] && y >= frame[1] && x <= frame[0] + frame[2] && y <= frame[1] + frame[3]
    };
    for node in document.descendants().filter(|node| node.has_tag_name("circle")) {
        assert!(inside(number(node, "cx"), number(node, "cy")), "{name}");
    }
    // Pictures of several types are moved as a whole.
    let is_moved = |node: &Node| node.ancestors().any(|above| above.attribute("transform").is_some());
    for node in document.descendants().filter(|node| node.has_tag_name("text") && !is_moved(node)) {
        assert!(inside(number(node, "x"), number(node, "y")), "{name}: {:?}", node.text());
    }
}

/// Whether a text is a port, or has it among those that are written into a box for many lines.
fn names_port(text: &str, port: &str) -> bool {
    let gathered = text.rsplit_once(" ×").is_some_and(|(ports, _)| ports.split(", ").any(|one| one == port));
    text == port || gathered
}

#[test]
fn architectures_show_all_there_is() {
    for (name, system, tree) in examples() {
        let net = unfold(&system, &tree);
        let text = picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        check_frame(&name, &document);
        let words = words(&document);
        let boxes = boxes(&document, "component");
        assert_eq!(boxes.len(), net.components().len(), "{name}");
        for component in net.components() {
            let component_type = &system.types[component.component_type];
            assert!(words.contains(&component.name.as_str()), "{name}: {}", component.name);
            let state = &component_type.states[component.initial].name;
            assert!(words.contains(&state.as_str()), "{name}: {state}");
        }
        let interactions: String =
            groups(&document, "interaction").into_iter().map(|group| format!("{}\n", title(group))).collect();
        for (id, transition) in net.transitions().enumerate().filter(|(_, one)| one.interaction.is_some()) {
            let shown = net.transition_name(&system, id);
            let line = format!("{}: {shown}", system.rules[transition.rule].label);
            assert!(interactions.lines().any(|known| known == line), "{name}: {line}\n{interactions}");
            for port in transition.moves.iter().map(|one| {
                let component_type = net.components()[one.component].component_type;
                system.types[component_type].transitions[one.transition].port.unwrap()
            }) {
                let port = system.ports[port].as_str();
                assert!(words.iter().any(|word| names_port(word, port)), "{name}: {port}");
            }
        }
        // No box lies on another.
        let areas: Vec<[f64; 4]> = boxes.values().map(|(area, _)| *area).collect();
        for (position, one) in areas.iter().enumerate() {
            for other in &areas[..position] {
                let apart =
                    one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                assert!(apart, "{name}: {one:?} {other:?}");
            }
        }
        assert_eq!(
            text,
            picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn automata_show_all_there_is() {
    for (name, system, _) in examples() {
        let text = picture::automata(&system).unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        check_frame(&name, &document);
        let words = words(&document);
        let states: usize = system.types.iter().map(|one| one.states.len()).sum();
        assert_eq!(groups(&document, "state").len(), states, "{name}");
        let mut arrows = 0;
        for component_type in &system.types {
            assert!(words.contains(&component_type.name.as_str()), "{name}: {}", component_type.name);
            for state in &component_type.states {
                assert!(words.contains(&state.name.as_str()), "{name}: {}", state.name);
            }
            let mut pairs: Vec<_> = component_type.transitions.iter().map(|one| (one.from, one.to)).collect();
            pairs.sort();
            pairs.dedup();
            arrows += pairs.len();
            for transition in &component_type.transitions {
                let port = transition.port.map_or("τ", |port| system.ports[port].as_str());
                let is_there = words.iter().any(|word| word.split(", ").any(|one| one == port));
                assert!(is_there, "{name}: {port}");
            }
        }
        assert_eq!(groups(&document, "transition").len(), arrows, "{name}");
        let initial: usize = system.types.iter().map(|one| one.initial.len()).sum();
        assert_eq!(groups(&document, "initial").len(), initial, "{name}");
        // Each arrow and each mark of a start has a head.
        let heads = document.descendants().filter(|node| node.has_tag_name("polygon")).count();
        assert_eq!(heads, arrows + initial, "{name}");
        assert_eq!(text, picture::automata(&system).unwrap(), "{name}");
    }
}

#[test]
fn trees_show_all_there_is() {
    for (name, system, tree) in examples() {
        let net = unfold(&system, &tree);
        let text = picture::rewriting(&system, &tree, &net, false).unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        check_frame(&name, &document);
        assert_eq!(groups(&document, "node").len(), tree.nodes.len(), "{name}");
        let words = words(&document);
        for component in net.components() {
            let start = format!("{}(", component.name);
            assert!(words.iter().any(|word| word.starts_with(&start)), "{name}: {}", component.name);
        }
        let lines = document.descendants().filter(|node| node.has_tag_name("path")).count();
        assert_eq!(lines, tree.nodes.len() - 1, "{name}");
    }
}

#[test]
fn rings_are_round_and_stars_have_a_middle() {
    let ring = case("table1/token-ring.rs");
    for size in [3, 6, 12, 41] {
        let (tree, net) = of_size(&ring, size);
        let text = picture::architecture(&ring, &tree, &net, &net.initial(), &everything()).unwrap();
        let document = Document::parse(&text).unwrap();
        let places: Vec<(f64, f64)> =
            boxes(&document, "component").values().map(|(area, _)| middle(*area)).collect();
        let count = places.len() as f64;
        let centre = (
            places.iter().map(|place| place.0).sum::<f64>() / count,
            places.iter().map(|place| place.1).sum::<f64>() / count,
        );
        let distance = |place: &(f64, f64)| (place.0 - centre.0).hypot(place.1 - centre.1);
        let first = distance(&places[0]);
        assert!(places.iter().all(|place| (distance(place) - first).abs() < 1.0), "{size}: {places:?}");
    }
    let star = case("table1/star.rs");
    let (tree, net) = of_size(&star, 8);
    let text = picture::architecture(&star, &tree, &net, &net.initial(), &View::default()).unwrap();
    let document = Document::parse(&text).unwrap();
    let boxes = boxes(&document, "component");
    let hub = middle(boxes["Master#1"].0);
    let distances: Vec<f64> = boxes
        .iter()
        .filter(|(name, _)| **name != "Master#1")
        .map(|(_, (area, _))| (middle(*area).0 - hub.0).hypot(middle(*area).1 - hub.1))
        .collect();
    assert!(distances.iter().all(|one| (one - distances[0]).abs() < 1.0), "{distances:?}");
}

#[test]
fn trees_hang() {
    let system = case("table1/tree-dfs.rs");
    let term = "Main.1(Node.1(Sub.1(Node.1(Sub.2, Sub.2)), Sub.1(Node.1(Sub.2, Sub.2))))";
    let tree = parse_term(&system, term).unwrap();
    let net = unfold(&system, &tree);
    let text = picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap();
    let document = Document::parse(&text).unwrap();
    let boxes = boxes(&document, "component");
    let mut levels: Vec<i64> = boxes.values().map(|(area, _)| middle(*area).1.round() as i64).collect();
    levels.sort_unstable();
    let sizes: Vec<usize> = levels.chunk_by(|one, other| one == other).map(<[i64]>::len).collect();
    assert_eq!(sizes, [1, 1, 2, 4]);
}

/// Also in a small tree, for which there would be room in other ways.
#[test]
fn what_hangs_below_a_node_is_in_the_order_of_the_rule() {
    let system = system(include_str!("../../examples/trees/raymond.rs"));
    let (mut trees_seen, mut pairs) = (0, 0);
    for size in [3, 5, 7, 9] {
        for tree in trees(&system, size) {
            let net = unfold(&system, &tree);
            let text = picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap();
            let document = Document::parse(&text).unwrap();
            let boxes = boxes(&document, "component");
            // Each node creates one component.
            let place = |node: usize| {
                let id = net.component_at(node, 0).unwrap();
                middle(boxes[net.components()[id].name.as_str()].0)
            };
            for (position, node) in tree.nodes.iter().enumerate() {
                if let [first, second] = node.children[..] {
                    assert!(place(first).0 < place(second).0, "{:?}: {first}, {second}", tree.nodes);
                    assert!(place(first).1 > place(position).1, "{:?}: {first}", tree.nodes);
                    pairs += 1;
                }
            }
            trees_seen += 1;
        }
    }
    assert_eq!((trees_seen, pairs), (1 + 2 + 5 + 14, 1 + 2 * 2 + 5 * 3 + 14 * 4));
}

#[test]
fn the_marking_gives_colours_and_nothing_else() {
    let system = case("table1/alt-philo-sym.rs");
    let (tree, net) = of_size(&system, 6);
    let initial = net.initial();
    let mut marking = initial.clone();
    let first = marking.indices().next().unwrap();
    marking[first] = StateId::new(2);
    let texts = [&initial, &marking]
        .map(|one| picture::architecture(&system, &tree, &net, one, &View::default()).unwrap());
    let [before, after] = [&texts[0], &texts[1]].map(|text| Document::parse(text).unwrap());
    let [before, after] = [&before, &after].map(|document| boxes(document, "component"));
    let places = |boxes: &BTreeMap<&str, ([f64; 4], &str)>| -> Vec<[f64; 4]> {
        boxes.values().map(|one| one.0).collect()
    };
    assert_eq!(places(&before), places(&after));
    let changed: Vec<&&str> =
        before.iter().filter(|(name, one)| one.1 != after[*name].1).map(|one| one.0).collect();
    assert_eq!(changed, [&net.components()[first].name.as_str()]);
}

/// A firing sequence of the given number of steps: always the last that is enabled.
fn walk(net: &Net, count: usize) -> Vec<NetTransitionId> {
    let mut marking = net.initial();
    let mut steps = Vec::new();
    while let Some(step) = net.enabled(&marking).last().filter(|_| steps.len() < count) {
        marking = net.fire(step, &marking).unwrap();
        steps.push(step);
    }
    steps
}

#[test]
fn charts_show_each_step() {
    for (name, system, tree) in examples() {
        let net = unfold(&system, &tree);
        let steps = walk(&net, 12);
        let text = picture::sequence(&system, &net, &steps, &View::default()).unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        check_frame(&name, &document);
        let shown = groups(&document, "step");
        assert_eq!(shown.len(), steps.len(), "{name}");
        let lives: Vec<&str> = groups(&document, "life").into_iter().map(title).collect();
        let mut last = f64::NEG_INFINITY;
        for (number_of, (group, &step)) in shown.iter().zip(&steps).enumerate() {
            let transition = &net.transitions()[step];
            let expected = format!(
                "{}. {}: {}",
                number_of + 1,
                system.rules[transition.rule].label,
                net.transition_name(&system, step)
            );
            assert_eq!(title(*group), expected, "{name}");
            let dots: Vec<Node> = group.children().filter(|node| node.has_tag_name("circle")).collect();
            assert_eq!(dots.len(), transition.moves.len(), "{name}");
            // Time goes downwards.
            assert!(number(dots[0], "cy") > last, "{name}");
            last = number(dots[0], "cy");
            for one in &transition.moves {
                let component = net.components()[one.component].name.as_str();
                assert!(lives.contains(&component), "{name}: {component}");
            }
        }
        assert_eq!(text, picture::sequence(&system, &net, &steps, &View::default()).unwrap(), "{name}");
    }
}

/// Of a long trace the first and the last steps are shown, and each component is in the end what it is.
#[test]
fn the_middle_of_a_long_chart_is_left_out() {
    let star = case("table1/star.rs");
    let (_, net) = of_size(&star, 4);
    for count in [60, 61, 75, 301] {
        let steps = walk(&net, count);
        let text = picture::sequence(&star, &net, &steps, &View::default()).unwrap();
        let document = Document::parse(&text).unwrap();
        check_frame("a long trace", &document);
        labels::check_texts("a long trace", &document);
        let shown = groups(&document, "step");
        let number_of = |group: &Node| title(*group).split('.').next().unwrap().parse::<usize>().unwrap();
        let numbers: Vec<usize> = shown.iter().map(number_of).collect();
        let bands: Vec<&str> = groups(&document, "left-out").into_iter().map(title).collect();
        if count == 60 {
            assert_eq!((numbers, bands), ((1..=60).collect(), vec![]));
            continue;
        }
        assert_eq!(numbers, (1..=20).chain(count - 19..=count).collect::<Vec<_>>());
        assert_eq!(bands, [format!("steps 21 to {}", count - 20)]);
        assert!(words(&document).contains(&format!("… {} more steps …", count - 40).as_str()));
        if count > 300 {
            continue;
        }
        let whole = picture::sequence(&star, &net, &steps, &everything()).unwrap();
        let whole = Document::parse(&whole).unwrap();
        assert_eq!(groups(&whole, "step").len(), count);
        assert_eq!(last_colours(&document), last_colours(&whole), "{count}");
    }
}

/// Per line of life the colour in which it ends.
fn last_colours(document: &Document) -> BTreeMap<String, String> {
    let last = |life: &Node| {
        let mut pieces = life.children().filter(|node| node.has_tag_name("rect"));
        pieces.next_back().and_then(|piece| piece.attribute("fill")).unwrap().to_owned()
    };
    let lives = groups(document, "life");
    lives.iter().map(|life| (title(*life).to_owned(), last(life))).collect()
}

#[test]
fn a_chart_of_nothing() {
    let system = case("table1/star.rs");
    let (_, net) = of_size(&system, 4);
    let text = picture::sequence(&system, &net, &[], &View::default()).unwrap();
    let document = Document::parse(&text).unwrap();
    assert!(words(&document).contains(&"4 components in no step"), "{text}");
}

#[test]
fn too_much_is_refused() {
    let star = case("table1/star.rs");
    let (tree, net) = of_size(&star, 101);
    let refused = [
        picture::architecture(&star, &tree, &net, &net.initial(), &everything()),
        picture::sequence(&star, &net, &walk(&net, 301), &everything()),
        picture::sequence(&star, &net, &wide(&net), &everything()),
    ];
    let chain = case("table1/token-ring.rs");
    let (long, long_net) = of_size(&chain, 502);
    let refused = refused.into_iter().chain([picture::rewriting(&chain, &long, &long_net, true)]);
    let states: Vec<String> = (0..61).map(|state| format!("s{state}")).collect();
    let many = format!(
        "component A {{ states {}; init s0; s0 -p-> s0; }} S() <- new x . <p(x)> (A(x));",
        states.join(", ")
    );
    let many = system(&many);
    let refused = refused.chain([picture::automata(&many)]);
    let refused: Vec<String> = refused.map(|one| one.unwrap_err().to_string()).collect();
    insta::assert_snapshot!("too-much", refused.join("\n"));
}

/// Every transition that is enabled at the start, whether or not they fit together: many components.
fn wide(net: &Net) -> Vec<NetTransitionId> {
    net.enabled(&net.initial()).collect()
}

#[test]
fn odd_names_are_written_whole_or_shortened() {
    let long = "x".repeat(100);
    let system = system(&format!(
        "component Knötchen {{ states 待, b', {long}; init 待; 待 -p'-> b'; b' -> {long}; {long} -p'-> {long}; }}
         S() <- new x', y . <p'(x') p'(y)> (Knötchen(x'), Knötchen(y));"
    ));
    let (tree, net) = of_size(&system, 2);
    for text in [
        picture::automata(&system).unwrap(),
        picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap(),
        picture::rewriting(&system, &tree, &net, false).unwrap(),
        picture::sequence(&system, &net, &walk(&net, 3), &View::default()).unwrap(),
    ] {
        let document = Document::parse(&text).unwrap();
        let words = words(&document);
        assert!(
            words.iter().any(|word| word.contains('待'))
                && words.iter().any(|word| word.contains("Knötchen"))
        );
        assert!(words.iter().all(|word| word.chars().count() < 80), "{words:?}");
    }
    let automata = picture::automata(&system).unwrap();
    assert!(automata.contains(&format!("<title>{long}</title>")) && automata.contains('…'), "{automata}");
}

/// Where a name is shortened, a title has the whole.
#[test]
fn long_names_are_whole_beside_the_mouse() {
    let [kind, port, idle, busy, rule, variable] =
        ["N", "p", "i", "b", "S", "v"].map(|letter| letter.repeat(40));
    let system = system(&format!(
        "component {kind} {{ states {idle}, {busy}; init {idle}; {idle} -{port}-> {busy}; }}
         {rule}() <- new {variable} . <{port}({variable})> {kind}({variable});"
    ));
    let (tree, net) = of_size(&system, 1);
    let picture_of = |picture: Result<String, picture::TooLarge>, names: &[&String]| {
        let text = picture.unwrap();
        let document = Document::parse(&text).unwrap();
        let titles: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("title"))
            .filter_map(|node| node.text())
            .collect();
        for name in names {
            assert!(titles.iter().any(|title| title.contains(name.as_str())), "{name}: {titles:#?}");
        }
        assert!(words(&document).iter().all(|word| !names.iter().any(|name| word.contains(name.as_str()))));
    };
    picture_of(picture::automata(&system), &[&kind, &port, &idle, &busy]);
    let architecture = picture::architecture(&system, &tree, &net, &net.initial(), &View::default());
    picture_of(architecture, &[&kind, &port, &idle, &busy]);
    picture_of(picture::rewriting(&system, &tree, &net, false), &[&kind, &variable, &idle, &rule]);
    let steps: Vec<_> = net.enabled(&net.initial()).collect();
    picture_of(
        picture::sequence(&system, &net, &steps, &View::default()),
        &[&kind, &port, &idle, &busy, &rule],
    );
}

/// Whether each line of a text in DOT has its quotes in pairs, and its braces are in pairs.
fn check_dot(text: &str) {
    for line in text.lines() {
        let plain = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
    }
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}

#[test]
fn dot() {
    for (name, system, tree) in examples() {
        let net = unfold(&system, &tree);
        let automata = dot::automata(&system);
        let architecture = dot::architecture(&system, &net, &net.initial());
        let rewriting = dot::rewriting(&system, &tree, &net);
        for text in [&automata, &architecture, &rewriting] {
            check_dot(text);
        }
        for component in net.components() {
            assert!(architecture.contains(&format!("\"{}\\n", component.name)), "{name}");
            assert!(rewriting.contains(&format!("\\n{}: ", component.name)), "{name}");
        }
        for component_type in &system.types {
            assert!(automata.contains(&format!("label=\"{}\";", component_type.name)), "{name}");
        }
        assert_eq!(rewriting.matches(" -> ").count(), tree.nodes.len() - 1, "{name}");
    }
}

#[test]
fn a_small_picture() {
    let system = system(
        "component Node { states idle, busy; init idle; final idle; busy -out-> idle; idle -in-> busy; busy -> busy; }
         S() <- new x, y . <out(x) in(y)> (Node(x), Node[busy](y));",
    );
    insta::assert_snapshot!("automaton", picture::automata(&system).unwrap());
    let (tree, net) = of_size(&system, 2);
    insta::assert_snapshot!(
        "architecture",
        picture::architecture(&system, &tree, &net, &net.initial(), &View::default()).unwrap()
    );
    insta::assert_snapshot!(
        "dot",
        dot::automata(&system) + &dot::architecture(&system, &net, &net.initial())
    );
}

//! Texts do not lie on each other or on boxes, and long runs are cut: on all examples, at three sizes.

use paramcheck::picture;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::unfold::unfold;
use roxmltree::{Document, Node};

use super::{boxes, check_frame, everything, examples, groups, of_size, texts, title, walk, words};
use crate::suite::support::case;

/// The first instance of about this size.
fn near(system: &System, size: usize) -> Option<RewritingTree> {
    [0, 1, 2, 3].iter().find_map(|more| trees(system, size + more).next())
}

/// Where a text is: left, top, right, bottom. Letters are taken to be narrower than they may be.
pub(super) fn area(text: &Node) -> [f64; 4] {
    let number = |name: &str| text.attribute(name).unwrap().parse::<f64>().unwrap();
    let (x, y, size) = (number("x"), number("y"), number("font-size"));
    let widths = text.text().unwrap_or_default().chars().map(|letter| match letter {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' => 0.22,
        't' | 'f' | 'r' | ' ' | ':' | '(' | ')' | '#' => 0.28,
        _ => 0.5,
    });
    let width = widths.sum::<f64>() * size;
    let left = match text.attribute("text-anchor").unwrap() {
        "start" => x,
        "middle" => x - width / 2.0,
        _ => x - width,
    };
    [left, y - 0.7 * size, left + width, y + 0.2 * size]
}

fn overlap(one: [f64; 4], other: [f64; 4]) -> bool {
    one[2].min(other[2]) - one[0].max(other[0]) > 0.5 && one[3].min(other[3]) - one[1].max(other[1]) > 0.5
}

/// No text lies on another, and none on a box that it is not in.
pub(super) fn check_texts(name: &str, document: &Document) {
    let all: Vec<Node> = texts(document).collect();
    let is_inside = |text: &Node, class: &str| {
        text.ancestors().any(|above| above.attribute("class").is_some_and(|found| found == class))
    };
    let areas: Vec<[f64; 4]> = all.iter().map(area).collect();
    let boxes = boxes(document, "component");
    for (position, text) in all.iter().enumerate() {
        for (other, place) in all.iter().zip(&areas).take(position) {
            let apart = !overlap(areas[position], *place);
            assert!(apart, "{name}: `{:?}` and `{:?}`", text.text(), other.text());
        }
        if is_inside(text, "component") || is_inside(text, "left-out") {
            continue;
        }
        for (component, (rectangle, _)) in &boxes {
            let apart = !overlap(areas[position], *rectangle);
            assert!(apart, "{name}: `{:?}` on {component}", text.text());
        }
    }
}

#[test]
fn no_text_lies_on_another() {
    let mut count = 0;
    for (name, system, _) in examples() {
        for size in [3, 12, 40] {
            let Some(tree) = near(&system, size) else { continue };
            let net = unfold(&system, &tree);
            let view = picture::View::default();
            let name = format!("{name}, {size}");
            let text = picture::architecture(&system, &tree, &net, &net.initial(), &view).unwrap();
            let document = Document::parse(&text).unwrap();
            check_frame(&name, &document);
            check_texts(&name, &document);
            let text = picture::rewriting(&system, &tree, &net, false).unwrap();
            let document = Document::parse(&text).unwrap();
            check_texts(&format!("{name}, tree"), &document);
            if let Ok(text) = picture::sequence(&system, &net, &walk(&net, 8), &view) {
                check_texts(&format!("{name}, trace"), &Document::parse(&text).unwrap());
            }
            count += 1;
        }
    }
    assert!(count > 120, "{count}");
}

fn size(document: &Document) -> (f64, f64) {
    let root = document.root_element();
    let number = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
    (number("width"), number("height"))
}

/// Rings, stars and chains of 40 fit on a page, and say what is left out; all of it is drawn on demand.
#[test]
fn the_middle_of_long_runs_is_left_out() {
    let mut count = 0;
    for (name, shown) in [
        ("rings/token-ring.rs", 9),
        ("stars/star.rs", 9),
        ("chains/fifo.rs", 10),
        ("hierarchies/star-ring.rs", 10),
        ("philosophers/alt-philo-sym.rs", 20),
    ] {
        let path = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let system = crate::suite::support::system(&std::fs::read_to_string(path).unwrap());
        let tree = near(&system, 40).unwrap();
        let net = unfold(&system, &tree);
        let initial = net.initial();
        let text = picture::architecture(&system, &tree, &net, &initial, &picture::View::default()).unwrap();
        let document = Document::parse(&text).unwrap();
        let left_out: usize =
            groups(&document, "left-out").into_iter().map(|group| title(group).lines().count()).sum();
        let drawn = boxes(&document, "component").len();
        assert_eq!(drawn + left_out, net.components().len(), "{name}");
        assert_eq!(drawn, shown, "{name}");
        assert!(words(&document).contains(&format!("… {left_out} more …").as_str()), "{name}");
        let (width, height) = size(&document);
        assert!(width < 1_000.0 && height < 1_000.0, "{name}: {width} × {height}");
        let text = picture::architecture(&system, &tree, &net, &initial, &everything()).unwrap();
        let document = Document::parse(&text).unwrap();
        assert_eq!(boxes(&document, "component").len(), net.components().len(), "{name}");
        let text = picture::rewriting(&system, &tree, &net, false).unwrap();
        let (_, height) = size(&Document::parse(&text).unwrap());
        assert!(height < 1_200.0, "{name}: the tree is {height} high");
        count += 1;
    }
    assert_eq!(count, 5);
}

/// Many lines that end alike at a hub have their ports in its box, once.
#[test]
fn ports_of_many_lines_are_written_once() {
    let star = case("table1/star.rs");
    let (tree, net) = of_size(&star, 41);
    let text = picture::architecture(&star, &tree, &net, &net.initial(), &everything()).unwrap();
    let document = Document::parse(&text).unwrap();
    check_texts("star of 41", &document);
    let words = words(&document);
    assert_eq!(words.iter().filter(|word| word.ends_with(" ×40")).count(), 1, "{words:?}");
}

/// Each of two hubs and every leaf interact, in pairs or all three together.
fn two_hubs(interactions: &str) -> System {
    crate::suite::support::system(&format!(
        "component Hub {{ states free, taken; init free; free -grant-> taken; taken -release-> free; }}
         component Log {{ states on; init on; on -note-> on; on -clear-> on; }}
         component Leaf {{ states idle, busy; init idle; idle -ask-> busy; busy -done-> idle; }}
         Star() <- new h, k . (Hub(h), Log(k), Leaves(h, k));
         Leaves(h, k) <- new x . <{interactions}> (Leaf(x), Leaves(h, k));
         Leaves(h, k) <- new x . <{interactions}> Leaf(x);"
    ))
}

const IN_PAIRS: &str = "grant(h) ask(x) + release(h) done(x) + note(k) ask(x) + clear(k) done(x)";
const ALL_THREE: &str = "grant(h) note(k) ask(x) + release(h) clear(k) done(x)";

/// At two hubs, too, ports are written once, and those of every leaf beside its lines.
#[test]
fn ports_at_two_hubs_can_be_read() {
    for (interactions, lines) in [(IN_PAIRS, 2), (ALL_THREE, 1)] {
        let system = two_hubs(interactions);
        for leaves in [3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 18, 40] {
            let name = format!("{leaves} leaves, {interactions}");
            let (tree, net) = of_size(&system, leaves + 2);
            let text = picture::architecture(&system, &tree, &net, &net.initial(), &everything()).unwrap();
            let document = Document::parse(&text).unwrap();
            check_frame(&name, &document);
            check_texts(&name, &document);
            let words = words(&document);
            let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
            for port in ["grant", "release", "note", "clear"] {
                assert_eq!(count(port), 0, "{name}: {port}");
            }
            for ports in ["grant, release", "note, clear"] {
                assert_eq!(count(&format!("{ports} ×{leaves}")), 1, "{name}: {ports}");
            }
            for port in ["ask", "done"] {
                assert_eq!(count(port), leaves * lines, "{name}: {port}");
            }
            let (width, height) = size(&document);
            assert!(leaves > 18 || width.max(height) < 1_500.0, "{name}: {width} × {height}");
        }
    }
}

/// Between two hubs the leaves stand in a row: no two lines cross.
#[test]
fn lines_to_two_hubs_do_not_cross() {
    let system = two_hubs(IN_PAIRS);
    for leaves in 3..=12 {
        let (tree, net) = of_size(&system, leaves + 2);
        let text =
            picture::architecture(&system, &tree, &net, &net.initial(), &picture::View::default()).unwrap();
        let document = Document::parse(&text).unwrap();
        let paths = document.descendants().filter_map(|node| node.attribute("d"));
        let lines: Vec<[[f64; 2]; 2]> = paths.map(straight).collect();
        assert_eq!(lines.len(), leaves * 2);
        for (position, one) in lines.iter().enumerate() {
            for other in &lines[..position] {
                assert!(!cross(*one, *other), "{leaves} leaves: {one:?} and {other:?}");
            }
        }
    }
}

/// The ends of a straight line.
fn straight(path: &str) -> [[f64; 2]; 2] {
    let numbers: Vec<f64> =
        path.replace(['M', 'L'], "").split_whitespace().map(|one| one.parse().unwrap()).collect();
    let [a, b, c, d] = numbers[..] else { panic!("`{path}` is bent") };
    [[a, b], [c, d]]
}

fn cross(one: [[f64; 2]; 2], other: [[f64; 2]; 2]) -> bool {
    let side = |[from, to]: [[f64; 2]; 2], at: [f64; 2]| {
        (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
    };
    side(one, other[0]) * side(one, other[1]) < -1e-6 && side(other, one[0]) * side(other, one[1]) < -1e-6
}

/// A chain of which nothing is left out stands in rows.
#[test]
fn a_long_chain_is_wrapped() {
    let path = format!("{}/examples/chains/fifo.rs", env!("CARGO_MANIFEST_DIR"));
    let system = crate::suite::support::system(&std::fs::read_to_string(path).unwrap());
    let (tree, net) = of_size(&system, 40);
    let text = picture::architecture(&system, &tree, &net, &net.initial(), &everything()).unwrap();
    let document = Document::parse(&text).unwrap();
    check_texts("chain of 40", &document);
    let (width, height) = size(&document);
    assert!(width < 1_300.0 && height < 900.0, "{width} × {height}");
}

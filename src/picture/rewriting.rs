//! A rewriting tree: a box per node with the rule applied there, and below it the components that it creates,
//! each with the state it starts in.

use super::font;
use super::geometry::{Area, Curve, Point, point};
use super::layout::tree;
use super::palette;
use super::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use super::{MAX_NODES, TooLarge, architecture};
use crate::report::text::plural;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Component, Net};
use paramcheck_text::index::Idx;

const RULE: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const NAME: Lettering = Lettering { size: 11.5, bold: false, colour: INK, rim: false };
/// The height of the line with the rule.
const HEAD: f64 = 24.0;
/// The height of a component.
const ROW: f64 = 21.0;

/// What stands for a component.
struct Text {
    /// With long names shortened.
    shown: String,
    /// With whole names.
    whole: String,
}

/// The picture of `tree`, whose instance is `net`.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_NODES`] nodes.
pub fn rewriting(system: &System, tree: &RewritingTree, net: &Net) -> Result<String, TooLarge> {
    TooLarge::check("nodes of the tree", tree.nodes.len(), MAX_NODES)?;
    let mut created: Vec<Vec<&Component>> = vec![Vec::new(); tree.nodes.len()];
    for component in net.components() {
        if let Some(components) = created.get_mut(component.node) {
            components.push(component);
        }
    }
    let texts: Vec<Vec<Text>> = (tree.nodes.iter().zip(&created))
        .map(|(node, components)| {
            let atoms: Vec<_> = system.rules[node.rule].instance_atoms().collect();
            let variables = &system.rules[node.rule].variables;
            let shown = components.iter().map(|component| {
                let variable = atoms.get(component.atom).map_or("", |atom| &variables[atom.variable].name);
                let states = &system.types[component.component_type].states;
                let state = &states[component.initial].name;
                let names = [component.name.as_str(), variable, state];
                let text = |[name, variable, state]: [&str; 3]| format!("{name}({variable}): {state}");
                let short = names.map(font::shortened);
                Text { shown: text(short.each_ref().map(String::as_str)), whole: text(names) }
            });
            shown.collect()
        })
        .collect();
    let size = |node: usize| {
        let label = &system.rules[tree.nodes[node].rule].label;
        let widths = texts[node].iter().map(|text| font::width(&text.shown, NAME.size) + 14.0);
        let width = widths.fold(font::width(&font::shortened(label), RULE.size) * 1.06 + 18.0, f64::max);
        point(width, HEAD + ROW * texts[node].len() as f64 + if texts[node].is_empty() { 0.0 } else { 5.0 })
    };
    let sizes: Vec<Point> = (0..tree.nodes.len()).map(size).collect();
    let nodes: Vec<tree::Node> = tree
        .nodes
        .iter()
        .zip(&sizes)
        .map(|(node, size)| tree::Node { width: size.x, children: node.children.clone() })
        .collect();
    let places = tree::tree(&nodes, 22.0, 1.0);
    // Boxes of one level begin at the same height, below the tallest of the level above.
    let level = |place: &Point| place.y.round() as usize;
    let mut heights: Vec<f64> = Vec::new();
    for (place, size) in places.iter().zip(&sizes) {
        heights.resize(heights.len().max(level(place) + 1), 0.0);
        heights[level(place)] = size.y.max(heights[level(place)]);
    }
    let mut tops = vec![0.0];
    for height in heights {
        tops.push(tops.last().copied().unwrap_or(0.0) + height + 30.0);
    }
    let areas: Vec<Area> = places
        .iter()
        .zip(&sizes)
        .map(|(place, &size)| Area::new(point(place.x, tops[level(place)] + size.y / 2.0), size))
        .collect();
    let mut canvas = Canvas::default();
    for (position, node) in tree.nodes.iter().enumerate() {
        let from = areas[position].centre + point(0.0, areas[position].half.y);
        for &child in &node.children {
            let to = areas[child].centre - point(0.0, areas[child].half.y);
            canvas.curve(Curve::new(from, to, 0.0), 1.2, INK, false);
        }
    }
    for (position, node) in tree.nodes.iter().enumerate() {
        let area = areas[position];
        let label = &system.rules[node.rule].label;
        canvas.begin("node", label);
        canvas.rectangle(area, 5.0, "#ffffff", 1.3);
        let top = area.centre.y - area.half.y;
        canvas.name(label, point(area.centre.x, top + 16.5), Anchor::Middle, RULE);
        for (number, (component, text)) in created[position].iter().zip(&texts[position]).enumerate() {
            let middle = point(area.centre.x, top + HEAD + ROW * (number as f64 + 0.5));
            let chip = Area::new(middle, point(area.half.x * 2.0 - 8.0, ROW - 4.0));
            let radius = architecture::radius(component.component_type.index(), chip).min(chip.half.y);
            canvas.rectangle(chip, radius, palette::of_state(component.initial.index()), 0.8);
            canvas.text_of(&text.shown, &text.whole, middle + point(0.0, 4.0), Anchor::Middle, NAME);
        }
        canvas.end();
    }
    let covered = canvas.covered();
    let below = point(covered.centre.x - covered.half.x, covered.centre.y + covered.half.y + 24.0);
    let text =
        format!("{}, {}", plural(tree.nodes.len(), "node"), plural(net.components().len(), "component"));
    canvas.text(
        &text,
        below,
        Anchor::Start,
        Lettering { size: 11.0, bold: false, colour: FAINT, rim: false },
    );
    Ok(canvas.finish(&format!("{}: a rewriting tree", system.name())))
}

//! A rewriting tree: a box per node with the rule applied there, and below it the components that it creates,
//! each with the state it starts in. The middle of a long run of nodes that are alike is one box.

use super::font;
use super::geometry::{Area, Curve, Point, point};
use super::layout::tree;
use super::palette;
use super::runs::left_out;
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

/// In a tree of no more nodes none is left out.
const MAX_WHOLE: usize = 12;

/// What stands for a component.
struct Text {
    /// With long names shortened.
    shown: String,
    /// With whole names.
    whole: String,
}

/// A node of the tree, or several left out.
struct NodeBox<'a> {
    /// The label of its rule.
    label: &'a str,
    /// The components that it creates, and what stands for each.
    components: Vec<(&'a Component, Text)>,
    /// How many nodes are left out here; 0 for a node.
    left_out: usize,
    /// The boxes below.
    children: Vec<usize>,
}

impl NodeBox<'_> {
    /// Width and height.
    fn size(&self) -> Point {
        if self.left_out > 0 {
            let width = font::width(&words_left_out(self.left_out), RULE.size) * 1.06;
            let below = font::width(&font::shortened(self.label), NAME.size);
            return point(width.max(below) + 18.0, HEAD + ROW - 4.0);
        }
        let widths = self.components.iter().map(|(_, text)| font::width(&text.shown, NAME.size) + 14.0);
        let label = font::width(&font::shortened(self.label), RULE.size) * 1.06 + 18.0;
        let below = if self.components.is_empty() { 0.0 } else { 5.0 };
        point(widths.fold(label, f64::max), HEAD + ROW * self.components.len() as f64 + below)
    }

    fn draw(&self, area: Area, canvas: &mut Canvas) {
        if self.left_out > 0 {
            canvas.begin("left-out", self.label);
            canvas.framed(area, 12.0, "#ffffff", 1.0, FAINT);
            let words = words_left_out(self.left_out);
            canvas.text(&words, area.centre + point(0.0, -3.0), Anchor::Middle, RULE);
            let lettering = Lettering { colour: FAINT, ..NAME };
            canvas.name(self.label, area.centre + point(0.0, 12.5), Anchor::Middle, lettering);
            canvas.end();
            return;
        }
        canvas.begin("node", self.label);
        canvas.rectangle(area, 5.0, "#ffffff", 1.3);
        let top = area.centre.y - area.half.y;
        canvas.name(self.label, point(area.centre.x, top + 16.5), Anchor::Middle, RULE);
        for (number, (component, text)) in self.components.iter().enumerate() {
            let middle = point(area.centre.x, top + HEAD + ROW * (number as f64 + 0.5));
            let chip = Area::new(middle, point(area.half.x * 2.0 - 8.0, ROW - 4.0));
            let radius = architecture::radius(component.component_type.index(), chip).min(chip.half.y);
            canvas.rectangle(chip, radius, palette::of_state(component.initial.index()), 0.8);
            canvas.text_of(&text.shown, &text.whole, middle + point(0.0, 4.0), Anchor::Middle, NAME);
        }
        canvas.end();
    }
}

fn words_left_out(count: usize) -> String {
    format!("… {count} more …")
}

/// The picture of `tree`, whose instance is `net`: all of it, or without the middle of long runs.
///
/// # Errors
/// [`TooLarge`]: more than [`MAX_NODES`] nodes are to be drawn.
pub fn rewriting(system: &System, tree: &RewritingTree, net: &Net, all: bool) -> Result<String, TooLarge> {
    let boxes = boxes(system, tree, net, all);
    TooLarge::check("nodes of the tree", boxes.len(), MAX_NODES)?;
    let areas = areas(&boxes);
    let mut canvas = Canvas::default();
    for (node, area) in boxes.iter().zip(&areas) {
        let from = area.centre + point(0.0, area.half.y);
        for &child in &node.children {
            let to = areas[child].centre - point(0.0, areas[child].half.y);
            canvas.curve(Curve::new(from, to, 0.0), 1.2, INK, false);
        }
    }
    boxes.iter().zip(areas).for_each(|(node, area)| node.draw(area, &mut canvas));
    let covered = canvas.covered();
    let below = point(covered.centre.x - covered.half.x, covered.centre.y + covered.half.y + 24.0);
    let nodes = plural(tree.nodes.len(), "node");
    let text = format!("{nodes}, {}", plural(net.components().len(), "component"));
    let lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };
    canvas.text(&text, below, Anchor::Start, lettering);
    Ok(canvas.finish(&format!("{}: a rewriting tree", system.name())))
}

/// The boxes for the nodes of `tree`, each with the components that it creates. Boxes below come after.
fn boxes<'a>(system: &'a System, tree: &RewritingTree, net: &'a Net, all: bool) -> Vec<NodeBox<'a>> {
    let states = |node: usize| tree.nodes[node].initial.iter().map(|state| state.index()).collect();
    let cut = if all || tree.nodes.len() <= MAX_WHOLE { Vec::new() } else { left_out(tree, states) };
    let mut group_of = vec![None; tree.nodes.len()];
    for (group, nodes) in cut.iter().enumerate() {
        nodes.iter().for_each(|&node| group_of[node] = Some(group));
    }
    let mut boxes: Vec<NodeBox<'a>> = Vec::new();
    let mut box_of_group = vec![None; cut.len()];
    let mut of = vec![0; tree.nodes.len()];
    for (position, node) in tree.nodes.iter().enumerate() {
        let known = group_of[position].and_then(|group: usize| box_of_group[group]);
        of[position] = known.unwrap_or(boxes.len());
        if known.is_none() {
            let left_out = group_of[position].map_or(0, |group| cut[group].len());
            let label = &system.rules[node.rule].label;
            boxes.push(NodeBox { label, components: Vec::new(), left_out, children: Vec::new() });
        }
        if let Some(group) = group_of[position] {
            box_of_group[group] = Some(of[position]);
        }
    }
    for (position, node) in tree.nodes.iter().enumerate() {
        let below = node.children.iter().map(|&child| of[child]).filter(|&child| child != of[position]);
        boxes[of[position]].children.extend(below);
    }
    for component in net.components() {
        let (Some(node), Some(own)) = (tree.nodes.get(component.node), boxes.get_mut(of[component.node]))
        else {
            continue;
        };
        if own.left_out > 0 {
            continue;
        }
        let rule = &system.rules[node.rule];
        let atom = rule.instance_atoms().nth(component.atom);
        let variable = atom.map_or("", |atom| &rule.variables[atom.variable].name);
        let state = &system.types[component.component_type].states[component.initial].name;
        let names = [component.name.as_str(), variable, state];
        let text = |[name, variable, state]: [&str; 3]| format!("{name}({variable}): {state}");
        let short = names.map(font::shortened);
        let text = Text { shown: text(short.each_ref().map(String::as_str)), whole: text(names) };
        own.components.push((component, text));
    }
    boxes
}

/// Where the boxes stand. Those of one level begin at the same height, below the tallest of the
/// level above.
fn areas(boxes: &[NodeBox<'_>]) -> Vec<Area> {
    let sizes: Vec<Point> = boxes.iter().map(NodeBox::size).collect();
    let node =
        |(one, size): (&NodeBox<'_>, &Point)| tree::Node { width: size.x, children: one.children.clone() };
    let nodes: Vec<_> = boxes.iter().zip(&sizes).map(node).collect();
    let places = tree::tree(&nodes, 22.0, 1.0);
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
    let area =
        |(place, &size): (&Point, &Point)| Area::new(point(place.x, tops[level(place)] + size.y / 2.0), size);
    places.iter().zip(&sizes).map(area).collect()
}

//! The boxes of an architecture: how large they are, and what is in them.

use super::items::Item;
use super::{HEIGHT, Scene, radius};
use crate::picture::font;
use crate::picture::geometry::{Area, Point, point};
use crate::picture::palette;
use crate::picture::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use crate::picture::view::{MARK, of_set};
use paramcheck_model::component::StateId;
use paramcheck_nets::instance::net::ComponentId;
use paramcheck_text::index::Idx;

const NAME: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const STATE: Lettering = Lettering { size: 11.5, bold: false, colour: INK, rim: false };
const SMALL: Lettering = Lettering { size: 10.5, bold: false, colour: FAINT, rim: false };
/// The height of a line of small text in a box.
const SMALL_LINE: f64 = 13.0;
/// The height of a row of places in a box.
const PLACES: f64 = 19.0;

impl Scene<'_> {
    /// The width and height of a box.
    pub(super) fn size(&self, item: &Item) -> Point {
        if !item.left_out.is_empty() {
            let [first, second] = self.words_left_out(item);
            let width = font::width(&first, NAME.size) * 1.06;
            return point(width.max(font::width(&second, SMALL.size)) + 18.0, HEIGHT);
        }
        let component = &self.net.components()[item.component];
        let states = self.system.types[component.component_type].states.iter();
        // As wide as for any state, so that the marking does not change the layout.
        let states = states.map(|state| font::width(&font::shortened(&state.name), STATE.size));
        let width = states.fold(font::width(&font::shortened(&component.name), NAME.size) * 1.06, f64::max);
        let gathered = item.gathered.iter().map(|one| font::width(&words_gathered(one), SMALL.size));
        let width = gathered.fold(width, f64::max);
        let chips: f64 = self.chips(item.component).iter().map(|chip| chip.1 + 4.0).sum();
        let height =
            HEIGHT + SMALL_LINE * item.gathered.len() as f64 + if chips > 0.0 { PLACES } else { 0.0 };
        point((width.max(chips) + 18.0).max(56.0), height)
    }

    /// What is written into a box that stands for components left out.
    fn words_left_out(&self, item: &Item) -> [String; 2] {
        let mut kinds: Vec<String> = Vec::new();
        for &id in &item.left_out {
            let component_type = &self.system.types[self.net.components()[id].component_type];
            let state = &component_type.states[self.marking[id]].name;
            let kind = format!("{}: {}", font::shortened(&component_type.name), font::shortened(state));
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        [format!("… {} more …", item.left_out.len()), kinds.join(", ")]
    }

    /// The places of a component that are pointed out, each with the number of its set, and the width of its text
    /// in a frame.
    fn chips(&self, component: ComponentId) -> Vec<(StateId, f64, usize)> {
        let states = &self.system.types[self.net.components()[component].component_type].states;
        let width = |state: StateId| font::width(&font::shortened(&states[state].name), SMALL.size) + 8.0;
        self.view.states(component).map(|(state, set)| (state, width(state), set)).collect()
    }

    pub(super) fn draw_component(&self, canvas: &mut Canvas, item: &Item, area: Area) {
        let known = &self.net.components()[item.component];
        let states = &self.system.types[known.component_type].states;
        let state = self.marking[item.component];
        let state_name = &states[state].name;
        canvas.begin("component", &format!("{}: {state_name}", known.name));
        let radius = radius(known.component_type.index(), area);
        canvas.rectangle(area, radius, palette::of_state(state.index()), 1.3);
        if self.view.marked.contains(&item.component) {
            canvas.begin("marked", "");
            canvas.framed(area.grown(4.0), radius + if radius > 0.0 { 4.0 } else { 0.0 }, "none", 3.0, MARK);
            canvas.end();
        }
        let mut y = area.centre.y - area.half.y + 16.0;
        let middle = area.centre.x;
        canvas.name(&known.name, point(middle, y), Anchor::Middle, NAME);
        y += 15.0;
        canvas.name(state_name, point(middle, y), Anchor::Middle, STATE);
        for gathered in &item.gathered {
            y += SMALL_LINE;
            canvas.text(&words_gathered(gathered), point(middle, y), Anchor::Middle, SMALL);
        }
        let chips = self.chips(item.component);
        let mut x = middle - chips.iter().map(|chip| chip.1 + 4.0).sum::<f64>() / 2.0 + 2.0;
        for (place, width, set) in chips {
            // A place that is marked is bold: there the component is.
            let is_there = place == state;
            let chip = Area::new(point(x + width / 2.0, y + 13.0), point(width, 14.0));
            canvas.begin("place", &states[place].name);
            let line = if is_there { 2.4 } else { 1.2 };
            canvas.framed(chip, 4.0, palette::of_state(place.index()), line, of_set(set));
            let lettering = Lettering { bold: is_there, colour: INK, ..SMALL };
            let at = chip.centre + point(0.0, 3.7);
            canvas.text(&font::shortened(&states[place].name), at, Anchor::Middle, lettering);
            canvas.end();
            x += width + 4.0;
        }
        canvas.end();
    }

    pub(super) fn draw_left_out(&self, canvas: &mut Canvas, item: &Item, area: Area) {
        let names = item.left_out.iter().map(|&id| {
            let component = &self.net.components()[id];
            let state = &self.system.types[component.component_type].states[self.marking[id]].name;
            format!("{}: {state}", component.name)
        });
        canvas.begin("left-out", &itertools::join(names, "\n"));
        canvas.framed(area, 12.0, "#ffffff", 1.0, FAINT);
        let [first, second] = self.words_left_out(item);
        canvas.text(&first, area.centre + point(0.0, -3.0), Anchor::Middle, NAME);
        canvas.text(&second, area.centre + point(0.0, 11.5), Anchor::Middle, SMALL);
        canvas.end();
    }
}

/// Ports that are written into a box for many lines.
fn words_gathered((ports, count): &(Vec<String>, usize)) -> String {
    format!("{} ×{count}", ports.join(", "))
}

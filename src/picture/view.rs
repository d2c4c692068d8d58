//! What a picture of an instance shows beyond its components and interactions.

use std::collections::BTreeSet;

use super::font;
use super::geometry::{Area, point};
use super::svg::{Anchor, Canvas, INK, Lettering};
use paramcheck_model::component::StateId;
use paramcheck_nets::instance::net::ComponentId;

/// The colour of what is pointed out: the vermilion of Okabe and Ito.
pub(super) const MARK: &str = "#d55e00";
const CAPTION: Lettering = Lettering { size: 13.0, bold: true, colour: INK, rim: false };
/// The colours of sets of places, strong ones of Okabe and Ito; in another order than those of states.
const SETS: [&str; MAX_SETS] = [MARK, "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// So many sets of places can be told apart.
pub const MAX_SETS: usize = 6;
const KEY: Lettering = Lettering { size: 11.0, bold: false, colour: INK, rim: false };
/// The longest line of a caption, in pixels; a longer one is wrapped.
const MAX_CAPTION: f64 = 620.0;

/// What a picture points out, and how much of an instance it shows.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Components with a heavy frame, say those that make an error true.
    pub marked: BTreeSet<ComponentId>,
    /// Places (states of components) that are written into their component's box, each with the number of a set
    /// that it is in, from 0. In a chart they are not shown.
    pub places: BTreeSet<(ComponentId, StateId, usize)>,
    /// What each of these sets is, for the legend.
    pub sets: Vec<String>,
    /// Lines above the picture.
    pub caption: Vec<String>,
    /// Whether everything is drawn. Else the middle of a long run of components that are alike is left out.
    pub all: bool,
}

impl View {
    /// Whether this component is pointed out, or one of its places.
    pub(super) fn speaks_of(&self, component: ComponentId) -> bool {
        self.marked.contains(&component) || self.places.iter().any(|place| place.0 == component)
    }

    /// The states of a component that are among the places, ascending, each with the number of a set.
    pub(super) fn states(&self, component: ComponentId) -> impl Iterator<Item = (StateId, usize)> + '_ {
        self.places.iter().filter(move |place| place.0 == component).map(|place| (place.1, place.2))
    }

    /// Draws below what is drawn which colour is which set.
    pub(super) fn draw_sets(&self, canvas: &mut Canvas) {
        let covered = canvas.covered();
        let left = covered.centre.x - covered.half.x;
        let mut y = covered.centre.y + covered.half.y + 20.0;
        for (number, set) in self.sets.iter().enumerate() {
            canvas.begin("set", set);
            let swatch = Area::new(point(left + 8.0, y - 4.0), point(14.0, 11.0));
            canvas.framed(swatch, 3.0, "none", 2.0, of_set(number));
            let mut lines = wrapped(set).into_iter();
            canvas.text(&lines.next().unwrap_or_default(), point(left + 22.0, y), Anchor::Start, KEY);
            for line in lines {
                y += 14.0;
                canvas.text(&line, point(left + 22.0, y), Anchor::Start, KEY);
            }
            canvas.end();
            y += 17.0;
        }
    }

    /// Draws the caption above what is drawn.
    pub(super) fn draw_caption(&self, canvas: &mut Canvas) {
        let covered = canvas.covered();
        let left = covered.centre.x - covered.half.x;
        let lines: Vec<String> = self.caption.iter().flat_map(|line| wrapped(line)).collect();
        let mut y = covered.centre.y - covered.half.y - 18.0 * lines.len() as f64;
        let has_mark = !self.marked.is_empty();
        for (number, line) in lines.iter().enumerate() {
            canvas.begin("caption", "");
            if number == 0 && has_mark {
                let swatch = Area::new(point(left + 8.0, y - 4.5), point(13.0, 10.0));
                canvas.framed(swatch, 3.0, "none", 2.5, MARK);
            }
            let indent = if has_mark { 22.0 } else { 0.0 };
            canvas.text(line, point(left + indent, y), Anchor::Start, CAPTION);
            canvas.end();
            y += 18.0;
        }
    }
}

/// The colour of the set with this number.
pub(super) fn of_set(number: usize) -> &'static str {
    SETS.get(number % MAX_SETS).copied().unwrap_or(MARK)
}

/// The words of `line` in lines that are not too long.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(last) if font::width(last, CAPTION.size) + font::width(word, CAPTION.size) < MAX_CAPTION => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

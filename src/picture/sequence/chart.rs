//! The drawing of a chart: from lines of life and steps, by name and number, to a document.

use crate::picture::architecture::radius;
use crate::picture::font;
use crate::picture::geometry::{Area, Curve, Point, point};
use crate::picture::palette;
use crate::picture::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use crate::picture::view::{MARK, View};

/// From step to step.
const STEP: f64 = 44.0;
/// Half the width of a line of life.
const LIFE: f64 = 5.0;
const HEAD: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const PORT: Lettering = Lettering { size: 11.0, bold: false, colour: INK, rim: true };
const STATE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: true };
const LAST: Lettering = Lettering { size: 11.5, bold: true, colour: MARK, rim: false };
const NUMBER: Lettering = Lettering { size: 12.0, bold: true, colour: INK, rim: false };
const RULE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };

/// What a component, or an agent, is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Its name.
    pub name: String,
    /// The number of its colour.
    pub colour: usize,
}

/// A line of life.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    /// Whose it is.
    pub name: String,
    /// Boxes of different kinds have different corners.
    pub kind: usize,
    /// In what it begins.
    pub initial: Mode,
    /// Whether it is pointed out.
    pub is_marked: bool,
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What stands before its bar.
    pub label: String,
    /// The step in words.
    pub words: String,
    /// Who takes part.
    pub moves: Vec<Move>,
}

/// Who takes part in a step.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// The number of the line of life.
    pub life: usize,
    /// What is written at its dot.
    pub port: String,
    /// In what it is afterwards, if that is something else than before.
    pub to: Option<Mode>,
}

/// A chart.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// What it shows.
    pub title: String,
    /// The lines of life, from left to right.
    pub lives: Vec<Life>,
    /// The steps, from top to bottom.
    pub steps: Vec<Step>,
    /// What is written below.
    pub notes: Vec<String>,
}

/// Where a line of life is.
struct Place {
    x: f64,
    /// Half the width of the box on top.
    half: f64,
}

impl Chart {
    /// The chart as a document.
    pub(crate) fn draw(&self, view: &View) -> String {
        let places = self.places();
        let mut canvas = Canvas::default();
        let bottom = STEP * (self.steps.len() as f64 + 1.0) - 8.0;
        for (number, place) in places.iter().enumerate() {
            self.draw_life(&mut canvas, number, place, bottom);
        }
        let first = places.first().map_or(0.0, |place| place.x - place.half);
        let left = first - 14.0;
        for (number, step) in self.steps.iter().enumerate() {
            self.draw_step(&mut canvas, &places, (number, step), left);
        }
        let below = if self.lives.iter().any(|life| life.is_marked) { 40.0 } else { 24.0 };
        for (number, note) in self.notes.iter().enumerate() {
            let at = point(first, bottom + below + 16.0 * number as f64);
            canvas.text(note, at, Anchor::Start, RULE);
        }
        view.draw_caption(&mut canvas);
        canvas.finish(&self.title)
    }

    fn places(&self) -> Vec<Place> {
        let mut right = 0.0;
        let mut places = Vec::new();
        for (number, life) in self.lives.iter().enumerate() {
            let half = font::width(&font::shortened(&life.name), HEAD.size) * 0.53 + 9.0;
            let x = right + half;
            // What is written beside the line stands between it and the next box.
            let moves = self.steps.iter().flat_map(|step| &step.moves).filter(|one| one.life == number);
            let texts = moves.flat_map(|one| [Some(&one.port), one.to.as_ref().map(|to| &to.name)]);
            let texts = texts.flatten().chain([&life.initial.name]);
            let widest = texts.map(|text| font::width(&font::shortened(text), PORT.size)).fold(0.0, f64::max);
            right = x + half.max(widest + LIFE + 6.0) + 16.0;
            places.push(Place { x, half });
        }
        places
    }

    fn draw_step(&self, canvas: &mut Canvas, places: &[Place], (number, step): (usize, &Step), left: f64) {
        let y = STEP * (number as f64 + 1.0);
        let words = if step.label.is_empty() { String::new() } else { format!("{}: ", step.label) };
        canvas.begin("step", &format!("{}. {words}{}", number + 1, step.words));
        canvas.text(&(number + 1).to_string(), point(left, y + 4.0), Anchor::End, NUMBER);
        let width = font::width("000", NUMBER.size);
        if !step.label.is_empty() {
            canvas.name(&step.label, point(left - width, y + 4.0), Anchor::End, RULE);
        }
        let all = || step.moves.iter().filter_map(|one| Some((one, places.get(one.life)?)));
        let from = all().map(|one| one.1.x).fold(f64::INFINITY, f64::min);
        let to = all().map(|one| one.1.x).fold(f64::NEG_INFINITY, f64::max);
        if to > from {
            canvas.curve(Curve::new(point(from, y), point(to, y), 0.0), 1.6, INK, false);
        }
        for (one, place) in all() {
            let x = place.x + LIFE + 4.0;
            canvas.disc(point(place.x, y), 4.4, INK);
            canvas.name(&one.port, point(x, y - 5.0), Anchor::Start, PORT);
            if let Some(mode) = &one.to {
                canvas.name(&mode.name, point(x, y + 14.0), Anchor::Start, STATE);
            }
        }
        canvas.end();
    }

    /// The box on top and the line of life, in pieces of one state each.
    fn draw_life(&self, canvas: &mut Canvas, number: usize, place: &Place, bottom: f64) {
        let life = &self.lives[number];
        canvas.begin("life", &life.name);
        let corners = radius(life.kind, Area::new(Point::default(), point(24.0, 24.0)));
        let head = Area::new(point(place.x, -18.0), point(place.half * 2.0, 24.0));
        canvas.rectangle(head, corners, "#ffffff", 1.3);
        canvas.name(&life.name, point(place.x, -13.7), Anchor::Middle, HEAD);
        let piece = |canvas: &mut Canvas, mode: &Mode, from: f64, to: f64| {
            let area = Area::new(point(place.x, (from + to) / 2.0), point(LIFE * 2.0, to - from));
            canvas.rectangle(area, 0.0, palette::of_state(mode.colour), 0.9);
        };
        let mut mode = &life.initial;
        let mut top = -6.0;
        canvas.name(&mode.name, point(place.x + LIFE + 4.0, 10.0), Anchor::Start, STATE);
        for (position, step) in self.steps.iter().enumerate() {
            let y = STEP * (position as f64 + 1.0);
            for one in step.moves.iter().filter(|one| one.life == number) {
                if let Some(to) = &one.to {
                    piece(canvas, mode, top, y);
                    (mode, top) = (to, y);
                }
            }
        }
        piece(canvas, mode, top, bottom);
        if life.is_marked {
            canvas.begin("marked", "");
            canvas.framed(head.grown(3.5), corners + 3.0, "none", 2.6, MARK);
            let last = Area::new(point(place.x, bottom - 8.0), point(LIFE * 2.0, 16.0));
            canvas.framed(last.grown(3.0), 3.0, "none", 2.6, MARK);
            canvas.name(&mode.name, point(place.x, bottom + 19.0), Anchor::Middle, LAST);
            canvas.end();
        }
        canvas.end();
    }
}

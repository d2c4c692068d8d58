//! The drawing of a chart: from lines of life and steps, by name and number, to a document.

use std::ops::Range;

use crate::picture::architecture::radius;
use crate::picture::font;
use crate::picture::geometry::{Area, Curve, Point, point};
use crate::picture::palette;
use crate::picture::svg::{Anchor, Canvas, FAINT, INK, Lettering};
use crate::picture::view::{MARK, View};
use crate::report::text::plural;

/// From step to step.
const STEP: f64 = 44.0;
/// Half the height of the band that stands for steps left out.
const BAND: f64 = 11.0;
/// Half the width of a line of life.
const LIFE: f64 = 5.0;
/// The box of a step that one takes alone.
const BOX: Point = Point { x: 14.0, y: 11.0 };
const HEAD: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };
const PORT: Lettering = Lettering { size: 11.0, bold: false, colour: INK, rim: true };
const STATE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: true };
const LAST: Lettering = Lettering { size: 11.5, bold: true, colour: MARK, rim: false };
const NUMBER: Lettering = Lettering { size: 12.0, bold: true, colour: INK, rim: false };
const RULE: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };
const LEFT_OUT: Lettering = Lettering { size: 12.5, bold: true, colour: INK, rim: false };

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
    /// How that is drawn.
    pub form: Form,
}

/// How a step is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// A bar joins all who take part.
    #[default]
    Together,
    /// The first one has a box; arrows lead from it to the others.
    Alone,
    /// Arrows lead from the first one to the others.
    Message,
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
    /// The steps, from top to bottom; those left out are among them.
    pub steps: Vec<Step>,
    /// The steps for which a band stands.
    pub left_out: Option<Range<usize>>,
    /// What is written below.
    pub notes: Vec<String>,
}

/// Draws the last part of an arrow from the first of these lines of life to `to`: from the one before on its way,
/// if that has an arrow too.
fn draw_arrow(canvas: &mut Canvas, lives: &[f64], to: f64, y: f64) {
    let Some(&sender) = lives.first() else { return };
    let way = if sender < to { 1.0 } else { -1.0 };
    let is_between = |x: &f64| (x - sender) * way >= 0.0 && (to - x) * way > 0.5;
    let before = lives.iter().copied().filter(is_between);
    let from = before.fold(sender, |known, x| if (x - known) * way > 0.0 { x } else { known });
    let curve = Curve::new(point(from + LIFE * way, y), point(to - LIFE * way, y), 0.0);
    canvas.curve(curve, 1.4, INK, true);
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
        let bottom = self.height_of(self.steps.len()) - 8.0;
        for (number, place) in places.iter().enumerate() {
            self.draw_life(&mut canvas, number, place, bottom);
        }
        let first = places.first().map_or(0.0, |place| place.x - place.half);
        let left = first - 14.0;
        for (number, step) in self.shown() {
            self.draw_step(&mut canvas, &places, (number, step), left);
        }
        self.draw_band(&mut canvas, &places);
        let below = if self.lives.iter().any(|life| life.is_marked) { 40.0 } else { 24.0 };
        for (number, note) in self.notes.iter().enumerate() {
            let at = point(first, bottom + below + 16.0 * number as f64);
            canvas.text(note, at, Anchor::Start, RULE);
        }
        view.draw_caption(&mut canvas);
        canvas.finish(&self.title)
    }

    /// The steps that are drawn, with their numbers.
    fn shown(&self) -> impl Iterator<Item = (usize, &Step)> {
        self.steps.iter().enumerate().filter(|(number, _)| !self.is_left_out(*number))
    }

    fn is_left_out(&self, number: usize) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| left_out.contains(&number))
    }

    /// How far down a step is drawn; for all that are left out, the band.
    fn height_of(&self, number: usize) -> f64 {
        let row = match &self.left_out {
            Some(left_out) if left_out.contains(&number) => left_out.start,
            Some(left_out) if number >= left_out.end => number - left_out.len() + 1,
            _ => number,
        };
        STEP * (row as f64 + 1.0)
    }

    /// Per line of life what it is in after the steps that are left out; `None` where that has not changed.
    fn changed_by_left_out(&self, life: usize) -> Option<&Mode> {
        let left_out = self.left_out.clone()?;
        let last = |steps: &'_ [Step]| -> Option<usize> {
            steps.iter().rposition(|step| step.moves.iter().any(|one| one.life == life && one.to.is_some()))
        };
        let mode_of = |number: usize| {
            self.steps[number].moves.iter().find(|one| one.life == life).and_then(|one| one.to.as_ref())
        };
        let before = last(self.steps.get(..left_out.start)?).and_then(mode_of);
        let after = last(self.steps.get(..left_out.end)?).and_then(mode_of)?;
        (before.unwrap_or(&self.lives[life].initial) != after).then_some(after)
    }

    fn places(&self) -> Vec<Place> {
        let mut right = 0.0;
        let mut places = Vec::new();
        for (number, life) in self.lives.iter().enumerate() {
            let half = font::width(&font::shortened(&life.name), HEAD.size) * 0.53 + 9.0;
            let x = right + half;
            // What is written beside the line stands between it and the next box.
            let moves = self.shown().flat_map(|(_, step)| &step.moves).filter(|one| one.life == number);
            let texts = moves.flat_map(|one| [Some(&one.port), one.to.as_ref().map(|to| &to.name)]);
            let after_band = self.changed_by_left_out(number).map(|mode| &mode.name);
            let texts = texts.flatten().chain([&life.initial.name]).chain(after_band);
            let widest = texts.map(|text| font::width(&font::shortened(text), PORT.size)).fold(0.0, f64::max);
            right = x + half.max(widest + LIFE + 6.0) + 16.0;
            places.push(Place { x, half });
        }
        places
    }

    fn draw_step(&self, canvas: &mut Canvas, places: &[Place], (number, step): (usize, &Step), left: f64) {
        let y = self.height_of(number);
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
        if to > from && step.form == Form::Together {
            canvas.curve(Curve::new(point(from, y), point(to, y), 0.0), 1.6, INK, false);
        }
        for (number, (one, place)) in all().enumerate() {
            let x = place.x + LIFE + 4.0;
            match step.form {
                Form::Alone if number == 0 => {
                    canvas.rectangle(Area::new(point(place.x, y), BOX), 1.5, "#ffffff", 1.4);
                }
                Form::Alone | Form::Message if number > 0 => {
                    draw_arrow(canvas, &all().map(|one| one.1.x).collect::<Vec<_>>(), place.x, y);
                }
                _ => canvas.disc(point(place.x, y), 4.4, INK),
            }
            canvas.name(&one.port, point(x, y - 5.0), Anchor::Start, PORT);
            if let Some(mode) = &one.to {
                canvas.name(&mode.name, point(x, y + 14.0), Anchor::Start, STATE);
            }
        }
        canvas.end();
    }

    /// The band that stands for steps left out, and below it what they have changed.
    fn draw_band(&self, canvas: &mut Canvas, places: &[Place]) {
        let Some(left_out) = &self.left_out else { return };
        let y = self.height_of(left_out.start);
        let words = format!("… {} …", plural(left_out.len(), "more step"));
        canvas.begin("left-out", &format!("steps {} to {}", left_out.start + 1, left_out.end));
        let from = places.first().map_or(0.0, |place| place.x - place.half);
        let to = places.last().map_or(0.0, |place| place.x + place.half);
        let width = (to - from).max(font::width(&words, LEFT_OUT.size) * 1.06 + 18.0);
        let band = Area::new(point(from + width / 2.0, y), point(width, BAND * 2.0));
        canvas.framed(band, 8.0, "#ffffff", 1.0, FAINT);
        canvas.text(&words, band.centre + point(0.0, 4.3), Anchor::Middle, LEFT_OUT);
        for (number, place) in places.iter().enumerate() {
            if let Some(mode) = self.changed_by_left_out(number) {
                let at = point(place.x + LIFE + 4.0, y + BAND + 12.0);
                canvas.name(&mode.name, at, Anchor::Start, STATE);
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
            let y = self.height_of(position);
            if self.is_left_out(position) {
                if self.left_out.as_ref().is_some_and(|left_out| left_out.start == position) {
                    piece(canvas, mode, top, y - BAND);
                    mode = self.changed_by_left_out(number).unwrap_or(mode);
                    top = y + BAND;
                }
                continue;
            }
            for one in step.moves.iter().filter(|one| one.life == number) {
                if let Some(to) = &one.to {
                    if to.colour != mode.colour {
                        piece(canvas, mode, top, y);
                        top = y;
                    }
                    mode = to;
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

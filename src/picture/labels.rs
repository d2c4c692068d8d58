//! Where small texts go: beside what they belong to, and not on top of anything else.

use super::font;
use super::geometry::{Area, Curve, Point, point};
use super::svg::{Anchor, Canvas, INK, Lettering};

/// The size of the letters.
pub(super) const SIZE: f64 = 11.0;
/// From line to line.
const LEADING: f64 = 12.5;

/// What is on the paper already.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    areas: Vec<Area>,
    segments: Vec<(Point, Point)>,
    placed: Vec<(Area, Vec<String>)>,
}

impl Labels {
    /// Nothing is to be written here.
    pub(super) fn avoid(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// Nothing should be written over this line.
    pub(super) fn avoid_line(&mut self, curve: Curve) {
        self.segments.extend(curve.segments());
    }

    /// The size of some lines of text.
    fn size(lines: &[String]) -> Point {
        let width = lines.iter().map(|line| font::width(line, SIZE)).fold(0.0, f64::max);
        point(width + 2.0, LEADING * lines.len() as f64)
    }

    /// How bad it is to write here.
    fn cost(&self, area: Area) -> f64 {
        let overlaps = |other: &&Area| area.overlaps(**other);
        let hidden = self.areas.iter().filter(overlaps).count() as f64 * 40.0;
        let texts = self.placed.iter().filter(|(other, _)| area.overlaps(*other)).count() as f64 * 30.0;
        let lines = self.segments.iter().filter(|(from, to)| area.meets(*from, *to)).count() as f64 * 4.0;
        hidden + texts + lines
    }

    /// Whether what is written here is free of boxes and other texts.
    fn is_free(&self, area: Area) -> bool {
        let mut taken = self.areas.iter().chain(self.placed.iter().map(|(other, _)| other));
        !taken.any(|other| area.overlaps(*other))
    }

    /// Places lines of text at one of the middles proposed, each with what it costs. Where no place is free
    /// they are left out, unless they `must` be there.
    fn choose(&mut self, lines: &[String], must: bool, proposals: impl IntoIterator<Item = (Point, f64)>) {
        let size = Self::size(lines);
        let mut best: Option<(f64, Area)> = None;
        for (middle, price) in proposals {
            let area = Area::new(middle, size);
            if best.is_some_and(|(known, _)| known <= price) {
                continue;
            }
            let cost = price + self.cost(area.grown(-0.5));
            if best.is_none_or(|(known, _)| cost < known) {
                best = Some((cost, area));
            }
        }
        if let Some((_, area)) = best
            && (must || self.is_free(area.grown(-0.5)))
        {
            self.placed.push((area, lines.to_vec()));
        }
    }

    /// Writes beside the curve at one of the places `wanted` (0 at its start, 1 at its end) with their
    /// prices; rather on the side that looks `outwards`.
    fn beside(
        &mut self,
        curve: Curve,
        lines: &[String],
        (outwards, must): (Point, bool),
        wanted: impl IntoIterator<Item = (f64, f64)>,
    ) {
        let half = Self::size(lines) * 0.5;
        let mut proposals = Vec::new();
        for (t, price) in wanted {
            let (here, aside) = (curve.at(t), curve.direction(t).turned());
            // So far aside that a corner of the text just stays off the line.
            let reach = half.x * aside.x.abs() + half.y * aside.y.abs();
            // Where no side is the outer one, above.
            let wanted = if aside.dot(outwards).abs() < 0.1 { point(0.0, -1.0) } else { outwards };
            let other = if aside.dot(wanted) < 0.0 { -1.0 } else { 1.0 };
            for (side, side_price) in [(other, 0.0), (-other, 1.0)] {
                for (more, more_price) in [(2.5, 0.0), (8.0, 1.5), (16.0, 4.0)] {
                    let middle = here + aside * (side * (reach + more));
                    proposals.push((middle, price + side_price + more_price));
                }
            }
        }
        self.choose(lines, must, proposals);
    }

    /// Writes beside a curve near its beginning; not at all where there is no room.
    pub(super) fn at_start(&mut self, curve: Curve, lines: &[String], outwards: Point) {
        let length = (curve.to - curve.from).length().max(1.0);
        let half = Self::size(lines) * 0.5;
        let along = curve.direction(0.0);
        let first = half.x * along.x.abs() + half.y * along.y.abs();
        let wanted = (0..22).map(|step| {
            let distance = first + 3.0 + 7.0 * f64::from(step);
            ((distance / length).clamp(0.02, 0.9), f64::from(step) * 0.45)
        });
        self.beside(curve, lines, (outwards, false), wanted.collect::<Vec<_>>());
    }

    /// Writes beside a curve near its middle.
    pub(super) fn at_middle(&mut self, curve: Curve, lines: &[String], outwards: Point) {
        let steps =
            [(0.5, 0.0), (0.42, 0.6), (0.58, 0.6), (0.34, 1.5), (0.66, 1.5), (0.25, 3.0), (0.75, 3.0)];
        self.beside(curve, lines, (outwards, true), steps);
    }

    /// Writes beyond a point, seen in this direction.
    pub(super) fn beyond(&mut self, from: Point, direction: Point, lines: &[String]) {
        let half = Self::size(lines) * 0.5;
        let proposals = [0.0, 0.4, -0.4, 0.8, -0.8].map(|turn: f64| {
            let way = Point::at_angle(direction.angle() + turn);
            // The text's border is nearest to the point in this direction.
            let reach = Area::new(Point::default(), half * 2.0).border(way).length();
            (from + way * (reach + 3.0), turn.abs() * 3.0)
        });
        self.choose(lines, true, proposals);
    }

    /// Draws all texts.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let lettering = Lettering { size: SIZE, bold: false, colour: INK, rim: true };
        for (area, lines) in &self.placed {
            let top = area.centre.y - area.half.y;
            for (number, line) in lines.iter().enumerate() {
                let at = point(area.centre.x, top + LEADING * (number as f64 + 0.78));
                canvas.text(line, at, Anchor::Middle, lettering);
            }
        }
    }
}

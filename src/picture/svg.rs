//! Writing SVG: shapes and texts with their escapes, and the size of what was drawn.
//!
//! Rejected: a library of SVG elements. What is needed are half a dozen kinds of them, with attributes of
//! numbers and fixed words; what can go wrong is escaping, and a library does that.

use std::fmt::Write;

use super::font;
use super::geometry::{Area, Curve, Point, point};

/// The font of all texts.
const FAMILY: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";
/// What is left free around a picture.
const MARGIN: f64 = 12.0;
/// The colour of lines and texts.
pub(super) const INK: &str = "#1a1a1a";
/// The colour of what matters less.
pub(super) const FAINT: &str = "#5f6368";

/// Where a text stands from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lettering {
    /// The size of the letters.
    pub size: f64,
    /// Whether they are bold.
    pub bold: bool,
    /// Their colour.
    pub colour: &'static str,
    /// Whether a white rim keeps it apart from lines.
    pub rim: bool,
}

/// A picture in the making; whatever is drawn makes it as large as needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas {
    body: String,
    covers: Option<Area>,
    /// How deep groups are nested.
    depth: usize,
}

/// A number for an attribute: one digit behind the point is a tenth of a pixel.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// `text` as character data or in quotes. Characters that XML does not have become U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let is_allowed = |letter: char| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}');
    let allowed = text.chars().map(|letter| match letter {
        '\t' | '\n' => letter,
        letter if is_allowed(letter) => letter,
        _ => '\u{fffd}',
    });
    quick_xml::escape::escape(allowed.collect::<String>()).into_owned()
}

impl Canvas {
    /// Makes the picture cover this too.
    pub(super) fn cover(&mut self, area: Area) {
        self.covers = Some(self.covers.map_or(area, |covers| covers.with(area)));
    }

    fn element(&mut self, text: &str) {
        let _ = writeln!(self.body, "{:indent$}{text}", "", indent = 2 + 2 * self.depth);
    }

    /// Begins a group with a name for a class, and a title that readers show beside the mouse.
    pub(super) fn begin(&mut self, class: &str, title: &str) {
        self.element(&format!("<g class=\"{}\">", escaped(class)));
        self.depth += 1;
        if !title.is_empty() {
            self.element(&format!("<title>{}</title>", escaped(title)));
        }
    }

    /// Ends the group begun last.
    pub(super) fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.element("</g>");
    }

    /// Draws a rectangle with corners rounded by `radius`.
    pub(super) fn rectangle(&mut self, area: Area, radius: f64, fill: &str, line: f64) {
        self.framed(area, radius, fill, line, INK);
    }

    /// Draws a rectangle whose frame has this colour.
    pub(super) fn framed(&mut self, area: Area, radius: f64, fill: &str, line: f64, colour: &str) {
        self.cover(area.grown(line / 2.0));
        let corner = area.centre - area.half;
        self.element(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{fill}\" stroke=\"{}\" \
             stroke-width=\"{}\"/>",
            number(corner.x),
            number(corner.y),
            number(area.half.x * 2.0),
            number(area.half.y * 2.0),
            number(radius),
            if line > 0.0 { colour } else { "none" },
            number(line),
        ));
    }

    /// Draws a disc.
    pub(super) fn disc(&mut self, centre: Point, radius: f64, fill: &str) {
        self.cover(Area::new(centre, point(radius * 2.0, radius * 2.0)));
        let (x, y, radius) = (number(centre.x), number(centre.y), number(radius));
        self.element(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>"));
    }

    /// Draws a curve; with an arrow at its end, if wanted.
    pub(super) fn curve(&mut self, curve: Curve, line: f64, colour: &str, arrow: bool) {
        let path = self.path_of(curve, line);
        self.path(&path, line, colour, "");
        if arrow {
            self.arrow(curve.to, curve.direction(1.0), colour);
        }
    }

    /// Draws a curve of dashes.
    pub(super) fn dashed(&mut self, curve: Curve, line: f64, colour: &str) {
        let path = self.path_of(curve, line);
        self.path(&path, line, colour, " stroke-dasharray=\"5 4\"");
    }

    /// The path of a curve that is covered with a line of this width.
    fn path_of(&mut self, curve: Curve, line: f64) -> String {
        let path = if (curve.control - (curve.from + curve.to) * 0.5).length() < 0.05 {
            format!("M{} L{}", pair(curve.from), pair(curve.to))
        } else {
            format!("M{} Q{} {}", pair(curve.from), pair(curve.control), pair(curve.to))
        };
        curve.points().for_each(|one| self.cover(Area::new(one, point(line, line))));
        path
    }

    /// Draws a cubic curve by its four points, with an arrow at its end.
    pub(super) fn loop_back(&mut self, points: [Point; 4], line: f64, colour: &str) {
        let [from, first, second, to] = points;
        // The curve lies within its points, three quarters of the way out at most.
        let out = (from + to) * 0.25 + (first + second) * 0.25;
        for one in [from, to, out, first * 0.6 + from * 0.4, second * 0.6 + to * 0.4] {
            self.cover(Area::new(one, point(line, line)));
        }
        let path = format!("M{} C{} {} {}", pair(from), pair(first), pair(second), pair(to));
        self.path(&path, line, colour, "");
        self.arrow(to, (to - second).unit(), colour);
    }

    fn path(&mut self, path: &str, line: f64, colour: &str, more: &str) {
        let line = number(line);
        self.element(&format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{line}\"{more}/>"
        ));
    }

    /// Draws the head of an arrow.
    fn arrow(&mut self, tip: Point, direction: Point, colour: &str) {
        let back = tip - direction * 8.0;
        let aside = direction.turned() * 3.2;
        let points = [tip, back + aside, tip - direction * 6.2, back - aside];
        let text = itertools::join(points.map(pair), " ");
        self.element(&format!("<polygon points=\"{text}\" fill=\"{colour}\"/>"));
    }

    /// Writes a name, shortened where it is too long; then its title is the whole.
    pub(super) fn name(&mut self, name: &str, at: Point, anchor: Anchor, lettering: Lettering) {
        self.text_of(&font::shortened(name), name, at, anchor, lettering);
    }

    /// Writes what is `shown` of a text; where that is not all, its title is the `whole`.
    pub(super) fn text_of(
        &mut self,
        shown: &str,
        whole: &str,
        at: Point,
        anchor: Anchor,
        lettering: Lettering,
    ) {
        if shown == whole {
            self.text(shown, at, anchor, lettering);
            return;
        }
        self.begin("name", whole);
        self.text(shown, at, anchor, lettering);
        self.end();
    }

    /// Writes a line of text; `at` is on its base line.
    pub(super) fn text(&mut self, text: &str, at: Point, anchor: Anchor, lettering: Lettering) {
        let Lettering { size, bold, colour, rim } = lettering;
        let width = font::width(text, size) * if bold { 1.06 } else { 1.0 };
        let (word, middle) = match anchor {
            Anchor::Start => ("start", at.x + width / 2.0),
            Anchor::Middle => ("middle", at.x),
            Anchor::End => ("end", at.x - width / 2.0),
        };
        self.cover(Area::new(point(middle, at.y - size * 0.3), point(width, size * 1.2)));
        let bold = if bold { " font-weight=\"bold\"" } else { "" };
        let (x, y, size) = (number(at.x), number(at.y), number(size));
        let text = escaped(text);
        let place = format!("x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{word}\"{bold}");
        if rim {
            // The text twice: not every reader knows the attribute `paint-order`, by which once would do.
            self.element(&format!(
                "<text class=\"rim\" {place} fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"3\" \
                 stroke-linejoin=\"round\" aria-hidden=\"true\">{text}</text>"
            ));
        }
        self.element(&format!("<text {place} fill=\"{colour}\">{text}</text>"));
    }

    /// What has been drawn on so far.
    pub(super) fn covered(&self) -> Area {
        self.covers.unwrap_or_default()
    }

    /// Puts another picture into this one, moved so that its middle is there.
    pub(super) fn place(&mut self, other: &Canvas, centre: Point) {
        let covered = other.covered();
        let way = centre - covered.centre;
        self.cover(Area { centre, half: covered.half });
        let (x, y) = (number(way.x), number(way.y));
        self.element(&format!("<g transform=\"translate({x} {y})\">"));
        for line in other.body.lines() {
            let _ = writeln!(self.body, "{:indent$}{line}", "", indent = 2 * self.depth + 2);
        }
        self.element("</g>");
    }

    /// The picture as a document; `title` describes what it shows.
    pub(super) fn finish(&self, title: &str) -> String {
        let area = self.covered().grown(MARGIN);
        let (corner, size) = (area.centre - area.half, area.half * 2.0);
        let (width, height) = (number(size.x.ceil()), number(size.y.ceil()));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{} {} {width} {height}\" font-family=\"{FAMILY}\">\n  <title>{}</title>\n  \
             <rect x=\"{0}\" y=\"{1}\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            number(corner.x.floor()),
            number(corner.y.floor()),
            escaped(title),
            self.body,
        )
    }
}

fn pair(one: Point) -> String {
    format!("{} {}", number(one.x), number(one.y))
}

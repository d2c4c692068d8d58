//! Points and boxes in a plane whose y grows downwards, as in SVG.

use std::ops::{Add, Mul, Sub};

/// A point, or the way from one to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// The point at these coordinates.
pub(super) const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        point(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        point(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        point(self.x * factor, self.y * factor)
    }
}

impl Point {
    /// How far it is from the origin.
    pub(super) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The same direction, of length 1; to the right where it has none.
    pub(super) fn unit(self) -> Point {
        let length = self.length();
        if length < 1e-9 { point(1.0, 0.0) } else { self * (1.0 / length) }
    }

    /// Turned by a right angle.
    pub(super) fn turned(self) -> Point {
        point(-self.y, self.x)
    }

    /// The point of the unit circle at this angle, clockwise from the right.
    pub(super) fn at_angle(angle: f64) -> Point {
        point(angle.cos(), angle.sin())
    }

    /// Its angle, clockwise from the right.
    pub(super) fn angle(self) -> f64 {
        self.y.atan2(self.x)
    }

    /// The scalar product.
    pub(super) fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive where `other` lies clockwise.
    pub(super) fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

/// The middle of some points; the origin where there is none.
pub(super) fn centroid(points: impl IntoIterator<Item = Point>) -> Point {
    let (mut sum, mut count) = (Point::default(), 0.0);
    for one in points {
        sum = sum + one;
        count += 1.0;
    }
    if count > 0.0 { sum * (1.0 / count) } else { sum }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    /// Its middle.
    pub centre: Point,
    /// Half its width and height.
    pub half: Point,
}

impl Area {
    /// The rectangle with this middle, width and height.
    pub(super) fn new(centre: Point, size: Point) -> Area {
        Area { centre, half: size * 0.5 }
    }

    /// The smallest one that covers both.
    pub(super) fn with(self, other: Area) -> Area {
        let left = (self.centre.x - self.half.x).min(other.centre.x - other.half.x);
        let right = (self.centre.x + self.half.x).max(other.centre.x + other.half.x);
        let top = (self.centre.y - self.half.y).min(other.centre.y - other.half.y);
        let bottom = (self.centre.y + self.half.y).max(other.centre.y + other.half.y);
        let size = point(right - left, bottom - top);
        Area::new(point((left + right) / 2.0, (top + bottom) / 2.0), size)
    }

    /// So much wider on each side.
    pub(super) fn grown(self, margin: f64) -> Area {
        Area { centre: self.centre, half: self.half + point(margin, margin) }
    }

    /// Whether both have an inner point in common.
    pub(super) fn overlaps(self, other: Area) -> bool {
        let apart = self.centre - other.centre;
        let reach = self.half + other.half;
        apart.x.abs() < reach.x && apart.y.abs() < reach.y
    }

    /// Whether the point lies inside.
    pub(super) fn contains(self, one: Point) -> bool {
        let apart = one - self.centre;
        apart.x.abs() < self.half.x && apart.y.abs() < self.half.y
    }

    /// Where the way from the middle in this direction leaves.
    pub(super) fn border(self, direction: Point) -> Point {
        let direction = direction.unit();
        let across = if direction.x.abs() < 1e-9 { f64::INFINITY } else { self.half.x / direction.x.abs() };
        let along = if direction.y.abs() < 1e-9 { f64::INFINITY } else { self.half.y / direction.y.abs() };
        self.centre + direction * across.min(along)
    }

    /// Whether the segment has an inner point of the rectangle (clipping by Liang and Barsky).
    pub(super) fn meets(self, from: Point, to: Point) -> bool {
        let way = to - from;
        let start = from - self.centre;
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (step, offset, half) in [(way.x, start.x, self.half.x), (way.y, start.y, self.half.y)] {
            if step.abs() < 1e-9 {
                if offset.abs() >= half {
                    return false;
                }
                continue;
            }
            let (one, other) = ((-half - offset) / step, (half - offset) / step);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        leaves - enters > 1e-6
    }
}

/// Whether two segments cross in a point that is inner to both.
pub(super) fn cross(a: (Point, Point), b: (Point, Point)) -> bool {
    let side = |line: (Point, Point), one: Point| (line.1 - line.0).cross(one - line.0);
    let (first, second) = (side(a, b.0), side(a, b.1));
    let (third, fourth) = (side(b, a.0), side(b, a.1));
    first * second < -1e-6 && third * fourth < -1e-6
}

/// A line that may be bent: a quadratic Bézier curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    /// Where it begins.
    pub from: Point,
    /// What pulls it aside; the middle of the ends where it is straight.
    pub control: Point,
    /// Where it ends.
    pub to: Point,
}

impl Curve {
    /// The curve whose middle is `bend` beside that of the straight line, to the right of the way.
    pub(super) fn new(from: Point, to: Point, bend: f64) -> Curve {
        let aside = (to - from).unit().turned();
        Curve { from, control: (from + to) * 0.5 + aside * (2.0 * bend), to }
    }

    /// The point at `t` from 0 to 1.
    pub(super) fn at(self, t: f64) -> Point {
        let u = 1.0 - t;
        self.from * (u * u) + self.control * (2.0 * u * t) + self.to * (t * t)
    }

    /// The direction at `t`.
    pub(super) fn direction(self, t: f64) -> Point {
        ((self.control - self.from) * (1.0 - t) + (self.to - self.control) * t).unit()
    }

    /// Some points along it, the ends included.
    pub(super) fn points(self) -> impl Iterator<Item = Point> {
        const PARTS: usize = 12;
        (0..=PARTS).map(move |part| self.at(part as f64 / PARTS as f64))
    }

    /// Pieces of it that are nearly straight.
    pub(super) fn segments(self) -> impl Iterator<Item = (Point, Point)> {
        self.points().zip(self.points().skip(1))
    }

    /// A rectangle that holds it.
    pub(super) fn cover(self) -> Area {
        let corner = |one: Point| Area::new(one, Point::default());
        corner(self.from).with(corner(self.control)).with(corner(self.to))
    }

    /// Whether it has an inner point of the rectangle.
    pub(super) fn meets(self, area: Area) -> bool {
        // Most are far away.
        self.cover().grown(1.0).overlaps(area) && self.segments().any(|(from, to)| area.meets(from, to))
    }

    /// Whether both cross.
    pub(super) fn crosses(self, other: Curve) -> bool {
        self.cover().grown(1.0).overlaps(other.cover().grown(1.0))
            && self.segments().any(|one| other.segments().any(|two| cross(one, two)))
    }

    /// The part of it outside of both areas, where its ends lie.
    pub(super) fn between(self, from: Area, to: Area) -> Curve {
        // From an end to the first point outside, in steps and then by halving; a wide area may reach far.
        const STEPS: usize = 64;
        let outside = |area: Area, end: f64, step: f64| {
            let mut inner = end;
            for number in 0..STEPS {
                let mut outer = end + step * number as f64;
                if area.contains(self.at(outer)) {
                    inner = outer;
                    continue;
                }
                for _ in 0..24 {
                    let middle = (inner + outer) / 2.0;
                    if area.contains(self.at(middle)) { inner = middle } else { outer = middle }
                }
                return outer;
            }
            end
        };
        let step = 1.0 / STEPS as f64;
        let (start, end) = (outside(from, 0.0, step), outside(to, 1.0, -step));
        // The part of a quadratic curve is one: its control is where the tangents at the ends meet.
        let (first, last) = (self.at(start), self.at(end));
        let slope = (self.control - self.from) * (1.0 - start) + (self.to - self.control) * start;
        Curve { from: first, control: first + slope * (end - start), to: last }
    }
}

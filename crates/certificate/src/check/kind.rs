//! The table of invariant kinds, stated again for the checker alone.
//!
//! θ is a set of places, `pre` and `post` the number of its places before and after a transition. A
//! kind defines when θ is an invariant (a condition on the initial marking, one on every transition) and
//! which markings that rules out. The engine has a table of its own; the two must never share code,
//! or one slip would fool both.
//!
//! Why each row is right: markings are 1-safe and a transition moves components, so firing it takes
//! `pre` marked places of θ away and marks `post` others; a transition with more than c places of θ
//! before it cannot fire while θ holds at most c marked places. (A set that starts with the right
//! number keeps it, by induction on the steps.)
//!
//! In the weighted kinds the places of θ have weights, and numbers of places are sums of weights. Firing a
//! transition changes the weight of what is marked by `post` − `pre`: where that is never positive, the
//! weight never exceeds the initial one; where it is always 0 modulo m, it stays the same modulo m.

/// A kind of invariant, with its bound c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// At least c places stay marked, c ≥ 1.
    AtLeast(i64),
    /// Exactly c places stay marked, c ≥ 1.
    Exactly(i64),
    /// At most c places stay marked.
    AtMost(i64),
    /// The number of marked places stays even, or odd.
    Parity,
    /// The weight of the marked places never grows. Claims give lower bounds of how much it grew, from
    /// minus this number to this number.
    Linear(i64),
    /// The weight of the marked places stays the same modulo this number, ≥ 2.
    Modulo(i64),
}

impl Kind {
    /// The kind written `text`, or `None`. Bounds are decimal, at most 255, without leading zeros.
    pub(super) fn parse(text: &str) -> Option<Kind> {
        match text {
            "trap" => return Some(Kind::AtLeast(1)),
            "mutex" => return Some(Kind::Exactly(1)),
            "siphon" => return Some(Kind::AtMost(0)),
            "at-most-one" => return Some(Kind::AtMost(1)),
            "parity" => return Some(Kind::Parity),
            _ => {}
        }
        let (name, digits) = text.split_once(':')?;
        let bound: u8 = digits.parse().ok()?;
        if bound.to_string() != digits {
            return None;
        }
        match (name, i64::from(bound)) {
            ("at-least", c) if c >= 1 => Some(Kind::AtLeast(c)),
            ("exactly", c) if c >= 1 => Some(Kind::Exactly(c)),
            ("at-most", c) => Some(Kind::AtMost(c)),
            ("linear", b) if b >= 1 => Some(Kind::Linear(b)),
            ("modulo", m) if m >= 2 => Some(Kind::Modulo(m)),
            _ => None,
        }
    }

    /// The largest count that is distinguished from larger ones; `None` for kinds that have no counts but
    /// compare with the initial marking.
    fn cap(self) -> Option<i64> {
        match self {
            Kind::AtLeast(c) => Some(c),
            Kind::Exactly(c) | Kind::AtMost(c) => Some(c + 1),
            Kind::Parity | Kind::Linear(_) | Kind::Modulo(_) => None,
        }
    }

    /// Whether places have weights.
    pub(super) fn is_weighted(self) -> bool {
        matches!(self, Kind::Linear(_) | Kind::Modulo(_))
    }

    /// Whether a place of θ may have this weight.
    pub(super) fn is_weight(self, weight: i64) -> bool {
        match self {
            Kind::Linear(_) => weight == 1 || weight == -1,
            Kind::Modulo(m) => (1..m).contains(&weight),
            _ => weight == 1,
        }
    }

    /// Whether a claim of this kind is a lower bound, so that it implies all smaller ones.
    pub(super) fn is_lower_bound(self) -> bool {
        matches!(self, Kind::Linear(_))
    }

    /// Whether `count` can stand for a number of initially marked places.
    pub(super) fn is_initial(self, count: i64) -> bool {
        (0..=self.cap().unwrap_or(0)).contains(&count)
    }

    /// Whether `count` can stand for a number of marked places, or for a change.
    pub(super) fn is_marked(self, count: i64) -> bool {
        match self {
            Kind::AtLeast(c) => (0..=c).contains(&count),
            Kind::Exactly(c) | Kind::AtMost(c) => (0..=c + 1).contains(&count),
            Kind::Parity => count == 0 || count == 1,
            Kind::Linear(b) => (-b..=b).contains(&count),
            Kind::Modulo(m) => (0..m).contains(&count),
        }
    }

    /// The initial count of a component whose initial place has this weight in θ (0: it is outside).
    pub(super) fn initial_of(self, initial: i64) -> i64 {
        self.cap().map_or(0, |cap| initial.min(cap))
    }

    /// The marked count of a component, given the weights of its initial and of its current place; for
    /// kinds that compare with the initial marking, the change.
    pub(super) fn marked_of(self, initial: i64, current: i64) -> i64 {
        match self {
            Kind::Parity => i64::from(initial != current),
            Kind::Linear(_) => current - initial,
            Kind::Modulo(m) => (current - initial).rem_euclid(m),
            Kind::AtLeast(cap) => current.min(cap),
            Kind::Exactly(c) | Kind::AtMost(c) => current.min(c + 1),
        }
    }

    /// The sum of two initial counts.
    pub(super) fn add_initial(self, left: i64, right: i64) -> i64 {
        self.cap().map_or(0, |cap| left.saturating_add(right).min(cap))
    }

    /// The sum of two marked counts, or of two changes.
    pub(super) fn add_marked(self, left: i64, right: i64) -> i64 {
        let sum = left.saturating_add(right);
        match self {
            Kind::AtLeast(c) => sum.min(c),
            Kind::Exactly(c) | Kind::AtMost(c) => sum.min(c + 1),
            Kind::Parity => sum % 2,
            Kind::Linear(_) => sum,
            Kind::Modulo(m) => sum.rem_euclid(m),
        }
    }

    /// Whether a transition that takes places of θ that weigh `pre` and gives `post` keeps the invariant.
    pub(super) fn admits(self, pre: i64, post: i64) -> bool {
        match self {
            Kind::AtLeast(c) => post >= pre.min(c),
            Kind::Exactly(c) => pre > c || post == pre,
            Kind::AtMost(c) => pre > c || post <= pre,
            Kind::Parity => pre % 2 == post % 2,
            Kind::Linear(_) => post <= pre,
            Kind::Modulo(m) => pre.rem_euclid(m) == post.rem_euclid(m),
        }
    }

    /// Whether a whole set with these counts is an invariant that the marking breaks.
    pub(super) fn refutes(self, initial: i64, marked: i64) -> bool {
        match self {
            Kind::AtLeast(c) => initial >= c && marked < c,
            Kind::Exactly(c) => initial == c && marked != c,
            Kind::AtMost(c) => initial <= c && marked > c,
            Kind::Parity => marked == 1,
            Kind::Linear(_) => marked >= 1,
            Kind::Modulo(_) => marked != 0,
        }
    }

    /// Whether a set with these counts can still be completed to one that refutes. Counts only grow:
    /// a set that starts with too many places, or a trap that is marked, is lost. Changes may grow again.
    pub(super) fn is_useful(self, initial: i64, marked: i64) -> bool {
        match self {
            Kind::AtLeast(c) => marked < c,
            Kind::Exactly(c) | Kind::AtMost(c) => initial <= c,
            Kind::Parity | Kind::Linear(_) | Kind::Modulo(_) => true,
        }
    }
}

#[cfg(test)]
mod tests;

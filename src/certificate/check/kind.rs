//! The table of invariant kinds, stated again for the checker alone.
//!
//! θ is a set of places, `pre` and `post` the number of its places before and after a transition. A
//! kind says when θ is an invariant (a condition on the initial marking, one on every transition) and
//! which markings that rules out. The engine has a table of its own; the two must never share code,
//! or one slip would fool both.
//!
//! Why each row is right: markings are 1-safe and a transition moves components, so firing it takes
//! `pre` marked places of θ away and marks `post` others; a transition with more than c places of θ
//! before it cannot fire while θ holds at most c marked places. (A set that starts with the right
//! number keeps it, by induction on the steps.)

/// A kind of invariant, with its bound c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// At least c places stay marked, c ≥ 1.
    AtLeast(u64),
    /// Exactly c places stay marked, c ≥ 1.
    Exactly(u64),
    /// At most c places stay marked.
    AtMost(u64),
    /// The number of marked places stays even, or odd.
    Parity,
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
        match (name, u64::from(bound)) {
            ("at-least", c) if c >= 1 => Some(Kind::AtLeast(c)),
            ("exactly", c) if c >= 1 => Some(Kind::Exactly(c)),
            ("at-most", c) => Some(Kind::AtMost(c)),
            _ => None,
        }
    }

    /// The largest count that is told apart from larger ones.
    fn cap(self) -> u64 {
        match self {
            Kind::AtLeast(c) => c,
            Kind::Exactly(c) | Kind::AtMost(c) => c + 1,
            Kind::Parity => 1,
        }
    }

    /// Whether `count` can stand for a number of initially marked places.
    pub(super) fn is_initial(self, count: u64) -> bool {
        match self {
            Kind::Parity => count == 0,
            _ => count <= self.cap(),
        }
    }

    /// Whether `count` can stand for a number of marked places.
    pub(super) fn is_marked(self, count: u64) -> bool {
        count <= self.cap()
    }

    /// The initial count of a component, given whether its initial place is in θ.
    pub(super) fn initial_of(self, initial_in: bool) -> u64 {
        match self {
            Kind::Parity => 0,
            _ => u64::from(initial_in).min(self.cap()),
        }
    }

    /// The marked count of a component, given whether its initial and its current place are in θ.
    /// For parity this is the sum of both, modulo 2: the two markings differ in parity iff it is odd.
    pub(super) fn marked_of(self, initial_in: bool, current_in: bool) -> u64 {
        match self {
            Kind::Parity => u64::from(initial_in != current_in),
            _ => u64::from(current_in).min(self.cap()),
        }
    }

    /// The sum of two initial counts, or of two marked counts.
    pub(super) fn add(self, left: u64, right: u64) -> u64 {
        let sum = left.saturating_add(right);
        match self {
            Kind::Parity => sum % 2,
            _ => sum.min(self.cap()),
        }
    }

    /// Whether a transition that takes `pre` places of θ and gives `post` keeps the invariant.
    pub(super) fn admits(self, pre: u64, post: u64) -> bool {
        match self {
            Kind::AtLeast(c) => post >= pre.min(c),
            Kind::Exactly(c) => pre > c || post == pre,
            Kind::AtMost(c) => pre > c || post <= pre,
            Kind::Parity => pre % 2 == post % 2,
        }
    }

    /// Whether a whole set with these counts is an invariant that the marking breaks.
    pub(super) fn refutes(self, initial: u64, marked: u64) -> bool {
        match self {
            Kind::AtLeast(c) => initial >= c && marked < c,
            Kind::Exactly(c) => initial == c && marked != c,
            Kind::AtMost(c) => initial <= c && marked > c,
            Kind::Parity => marked == 1,
        }
    }

    /// Whether a set with these counts can still be completed to one that refutes. Counts only grow:
    /// a set that starts with too many places, or a trap that is marked, is lost.
    pub(super) fn is_useful(self, initial: u64, marked: u64) -> bool {
        match self {
            Kind::AtLeast(c) => marked < c,
            Kind::Exactly(c) | Kind::AtMost(c) => initial <= c,
            Kind::Parity => true,
        }
    }
}

#[cfg(test)]
mod tests;

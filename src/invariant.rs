//! The kinds of structural invariants, each a table row of when a set of places is one.
//!
//! A set of places θ of a marked net is an invariant of a kind if a condition on the number of its
//! places that are initially marked holds, and one on the numbers `pre` = |θ ∩ •t|,
//! `post` = |θ ∩ t•| for every transition t. Then the number of marked places of θ stays in a known
//! relation for ever, in every 1-safe net; a marking that breaks the relation is *refuted* by θ: it is
//! not reachable. Trap and mutex are Def. 2 of the paper; mutex in the weaker form that lets a
//! transition take more of θ than θ ever holds. No sets are searched here; see `engine`.

use std::fmt;
use std::str::FromStr;

/// A kind of structural invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InvariantKind {
    /// At least c (≥ 1) places stay marked; c = 1 is a *trap*.
    AtLeast(u8),
    /// Exactly c (≥ 1) places stay marked; c = 1 is a *mutex*.
    Exactly(u8),
    /// At most c places stay marked; c = 0 is a *siphon*, c = 1 *at-most-one*.
    AtMost(u8),
    /// The number of marked places stays even, or odd.
    Parity,
}

impl InvariantKind {
    /// A trap: at least one.
    pub const TRAP: Self = Self::AtLeast(1);
    /// A mutex: exactly one.
    pub const MUTEX: Self = Self::Exactly(1);
    /// A siphon that is initially unmarked: none.
    pub const SIPHON: Self = Self::AtMost(0);
    /// At most one.
    pub const AT_MOST_ONE: Self = Self::AtMost(1);

    /// The kinds with bounds up to `k`, cheapest first.
    pub fn all_up_to(k: u8) -> Vec<Self> {
        let mut kinds = vec![Self::SIPHON];
        for c in 1..=k {
            kinds.extend([Self::AtLeast(c), Self::Exactly(c), Self::AtMost(c)]);
        }
        kinds.push(Self::Parity);
        Self::sorted(kinds)
    }

    /// A rank: kinds that are cheaper to search and more often needed come first.
    pub fn cost(self) -> (u8, u8) {
        match self {
            Self::AtLeast(1) => (0, 0),
            Self::Exactly(1) => (0, 1),
            Self::AtMost(0) => (1, 0),
            Self::AtMost(1) => (1, 1),
            Self::Parity => (2, 0),
            Self::AtLeast(c) => (c + 1, 1),
            Self::Exactly(c) => (c + 1, 2),
            Self::AtMost(c) => (c + 1, 3),
        }
    }

    /// These kinds, each once, cheapest first.
    pub fn sorted(kinds: impl IntoIterator<Item = InvariantKind>) -> Vec<InvariantKind> {
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|kind| kind.cost());
        kinds.dedup();
        kinds
    }

    /// Counts above this need not be told apart: c + 1, or 1 for parity (counted modulo two).
    pub fn cap(self) -> u8 {
        match self {
            Self::AtLeast(c) => c,
            Self::Exactly(c) | Self::AtMost(c) => c + 1,
            Self::Parity => 1,
        }
    }

    /// `count` as this kind tells counts apart.
    pub fn saturate(self, count: usize) -> u8 {
        match self {
            Self::Parity => (count % 2) as u8,
            _ => count.min(self.cap() as usize) as u8,
        }
    }

    /// Whether θ may have `count` initially marked places (saturated or not).
    pub fn admits_initial(self, count: usize) -> bool {
        match self {
            Self::AtLeast(c) => count >= c as usize,
            Self::Exactly(c) => count == c as usize,
            Self::AtMost(c) => count <= c as usize,
            Self::Parity => true,
        }
    }

    /// Whether θ may take `pre` of its places from a transition and give it `post`.
    pub fn admits_transition(self, pre: usize, post: usize) -> bool {
        match self {
            Self::AtLeast(c) => post >= pre.min(c as usize),
            Self::Exactly(c) => pre > c as usize || post == pre,
            Self::AtMost(c) => pre > c as usize || post <= pre,
            Self::Parity => pre % 2 == post % 2,
        }
    }

    /// Whether a marking of `marked` places of θ is unreachable, θ having `initial` initially marked.
    pub fn refutes(self, initial: usize, marked: usize) -> bool {
        match self {
            Self::AtLeast(c) => marked < c as usize,
            Self::Exactly(c) => marked != c as usize,
            Self::AtMost(c) => marked > c as usize,
            Self::Parity => initial % 2 != marked % 2,
        }
    }
}

impl fmt::Display for InvariantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(1) => f.write_str("trap"),
            Self::AtLeast(c) => write!(f, "at-least:{c}"),
            Self::Exactly(1) => f.write_str("mutex"),
            Self::Exactly(c) => write!(f, "exactly:{c}"),
            Self::AtMost(0) => f.write_str("siphon"),
            Self::AtMost(1) => f.write_str("at-most-one"),
            Self::AtMost(c) => write!(f, "at-most:{c}"),
            Self::Parity => f.write_str("parity"),
        }
    }
}

impl FromStr for InvariantKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "trap" => return Ok(Self::TRAP),
            "mutex" => return Ok(Self::MUTEX),
            "siphon" => return Ok(Self::SIPHON),
            "at-most-one" => return Ok(Self::AT_MOST_ONE),
            "parity" => return Ok(Self::Parity),
            _ => {}
        }
        let known =
            "known are trap, mutex, siphon, at-most-one, parity, at-least:C, exactly:C, at-most:C and all";
        let unknown = || format!("unknown invariant `{text}`; {known}");
        let (name, bound) = text.split_once(':').ok_or_else(unknown)?;
        let bound: u8 =
            bound.parse().map_err(|_| format!("`{bound}` is no bound: give a number from 0 to 100"))?;
        if bound > 100 {
            return Err(format!("the bound {bound} is too large: give a number from 0 to 100"));
        }
        match (name, bound) {
            ("at-least", 0) => Err("`at-least:0` says nothing; give a bound of 1 or more".to_owned()),
            ("exactly", 0) => Err("`exactly:0` is `siphon`: say that".to_owned()),
            ("at-least", c) => Ok(Self::AtLeast(c)),
            ("exactly", c) => Ok(Self::Exactly(c)),
            ("at-most", c) => Ok(Self::AtMost(c)),
            _ => Err(unknown()),
        }
    }
}

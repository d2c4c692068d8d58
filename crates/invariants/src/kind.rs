//! The kinds of structural invariants, each a table row of when a set of places is one.
//!
//! A set of places θ of a marked net is an invariant of a kind if a condition on the number of its
//! places that are initially marked holds, and one on the numbers `pre` = |θ ∩ •t|,
//! `post` = |θ ∩ t•| for every transition t. Then the number of marked places of θ stays in a known
//! relation for ever, in every 1-safe net; a marking that breaks the relation is *refuted* by θ: it is
//! not reachable. Trap and mutex are Def. 2 of the paper; mutex in the weaker form that lets a
//! transition take more of θ than θ ever holds.
//!
//! Two kinds are *weighted*: θ gives every place a weight, and what was a number of places is the sum of
//! their weights. They compare a marking with the initial one, whatever that is. No sets are searched here;
//! see [`direct`](crate::direct).

use std::fmt;
use std::ops::RangeInclusive;
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
    /// The weight of the marked places, each −1, 0 or 1, never grows. The engine follows how much a part
    /// of an instance weighs more than initially from minus this bound (≥ 1) up to it.
    Linear(u8),
    /// The weight of the marked places stays the same modulo this number (≥ 3).
    Modulo(u8),
}

impl InvariantKind {
    /// A trap: at least one.
    pub const TRAP: Self = Self::AtLeast(1);
    /// A mutex: exactly one.
    pub const MUTEX: Self = Self::Exactly(1);
    /// A siphon that is initially unmarked: none.
    pub const SIPHON: Self = Self::AtMost(0);
    /// At most one.
    pub(crate) const AT_MOST_ONE: Self = Self::AtMost(1);

    /// Weighted sums that never grow, with a bound that small systems don't exceed.
    pub const LINEAR: Self = Self::Linear(4);
    /// The largest number of places, and the largest weight, that is followed.
    pub const MAX_BOUND: u8 = 100;
    /// The largest modulus: each costs a variable per place.
    pub(crate) const MAX_MODULUS: u8 = 16;

    /// The kinds with bounds up to `k`, cheapest first, without the weighted ones.
    pub fn all_up_to(k: u8) -> Vec<Self> {
        let mut kinds = vec![Self::SIPHON];
        for c in 1..=k {
            kinds.extend([Self::AtLeast(c), Self::Exactly(c), Self::AtMost(c)]);
        }
        kinds.push(Self::Parity);
        Self::sorted(kinds)
    }

    /// A rank: kinds that are cheaper to search and more often needed come first.
    pub(crate) fn cost(self) -> (u8, u8) {
        match self {
            Self::AtLeast(1) => (0, 0),
            Self::Exactly(1) => (0, 1),
            Self::AtMost(0) => (1, 0),
            Self::AtMost(1) => (1, 1),
            Self::Parity => (2, 0),
            Self::AtLeast(c) => (c + 1, 1),
            Self::Exactly(c) => (c + 1, 2),
            Self::AtMost(c) => (c + 1, 3),
            Self::Linear(bound) => (101, bound),
            Self::Modulo(modulus) => (102, modulus),
        }
    }

    /// These kinds, each once, cheapest first.
    pub(crate) fn sorted(kinds: impl IntoIterator<Item = InvariantKind>) -> Vec<InvariantKind> {
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|kind| kind.cost());
        kinds.dedup();
        kinds
    }

    /// The weights that a place may have; 0 is outside θ, and 1 inside for kinds that are not weighted.
    pub fn weights(self) -> RangeInclusive<i8> {
        match self {
            Self::Linear(_) => -1..=1,
            Self::Modulo(m) => 0..=(m.min(Self::MAX_MODULUS) as i8 - 1),
            _ => 0..=1,
        }
    }

    /// Whether θ is more than a set of places.
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::Linear(_) | Self::Modulo(_))
    }

    /// Whether a marking is compared with the initial one: then only the change counts.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Self::Parity | Self::Linear(_) | Self::Modulo(_))
    }

    /// Counts above this need not be distinguished: c + 1, or c for at-least. Relative kinds have no counts,
    /// but changes.
    pub fn cap(self) -> u8 {
        match self {
            Self::AtLeast(c) => c,
            Self::Exactly(c) | Self::AtMost(c) => c + 1,
            Self::Parity => 1,
            Self::Linear(bound) => bound,
            Self::Modulo(modulus) => modulus - 1,
        }
    }

    /// `count` as far as this kind distinguishes counts; of relative kinds, modulo.
    pub fn saturate(self, count: usize) -> u8 {
        match self {
            Self::Parity => (count % 2) as u8,
            Self::Modulo(modulus) => (count % usize::from(modulus)) as u8,
            _ => count.min(self.cap() as usize) as u8,
        }
    }

    /// Whether θ may have the weight `initial` initially (saturated or not).
    pub fn admits_initial(self, initial: i64) -> bool {
        match self {
            Self::AtLeast(c) => initial >= i64::from(c),
            Self::Exactly(c) => initial == i64::from(c),
            Self::AtMost(c) => initial <= i64::from(c),
            Self::Parity | Self::Linear(_) | Self::Modulo(_) => true,
        }
    }

    /// Whether a transition may take places that weigh `pre` and give places that weigh `post`.
    pub fn admits_transition(self, pre: i64, post: i64) -> bool {
        match self {
            Self::AtLeast(c) => post >= pre.min(i64::from(c)),
            Self::Exactly(c) => pre > i64::from(c) || post == pre,
            Self::AtMost(c) => pre > i64::from(c) || post <= pre,
            Self::Parity => (post - pre) % 2 == 0,
            Self::Linear(_) => post <= pre,
            Self::Modulo(modulus) => (post - pre) % i64::from(modulus) == 0,
        }
    }

    /// Whether a marking in which θ weighs `marked` is unreachable, when it weighs `initial` initially.
    pub fn refutes(self, initial: i64, marked: i64) -> bool {
        match self {
            Self::AtLeast(c) => marked < i64::from(c),
            Self::Exactly(c) => marked != i64::from(c),
            Self::AtMost(c) => marked > i64::from(c),
            Self::Parity => (marked - initial) % 2 != 0,
            Self::Linear(_) => marked > initial,
            Self::Modulo(modulus) => (marked - initial) % i64::from(modulus) != 0,
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
            Self::Linear(bound) => write!(f, "linear:{bound}"),
            Self::Modulo(modulus) => write!(f, "modulo:{modulus}"),
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
            "linear" => return Ok(Self::LINEAR),
            _ => {}
        }
        let known = "known are trap, mutex, siphon, at-most-one, parity, at-least:C, exactly:C, at-most:C, \
                     linear:B, modulo:M and all";
        let unknown = || format!("unknown invariant `{text}`; {known}");
        let (name, bound) = text.split_once(':').ok_or_else(unknown)?;
        let (least, most) = match name {
            "at-least" | "exactly" | "linear" => (1, Self::MAX_BOUND),
            "at-most" => (0, Self::MAX_BOUND),
            "modulo" => (3, Self::MAX_MODULUS),
            _ => return Err(unknown()),
        };
        let why = match (name, bound) {
            ("at-least", "0") | ("modulo", "0" | "1") => " says nothing:",
            ("linear", "0") => " follows nothing:",
            ("exactly", "0") => " is `siphon`: say that, or",
            ("modulo", "2") => " is `parity`: say that, or",
            _ => ":",
        };
        let number = bound.parse().ok().filter(|number| (least..=most).contains(number));
        let number: u8 =
            number.ok_or_else(|| format!("`{text}`{why} give a number from {least} to {most}"))?;
        Ok(match name {
            "at-least" => Self::AtLeast(number),
            "exactly" => Self::Exactly(number),
            "at-most" => Self::AtMost(number),
            "linear" => Self::Linear(number),
            _ => Self::Modulo(number),
        })
    }
}

//! Levels: what is distinguished about the places of a set that a marking marks.
//!
//! For kinds with a count the level *is* the count of marked places, saturated. Relative kinds compare with
//! the initial marking, so their level is how much more the marked places weigh than the initial ones:
//! modulo, or, for linear sums, as a lower bound from −B to B. A lower bound may be lowered, so a level of a
//! linear sum holds with all levels below it, and bit sets hold them all: then a larger set of elements is
//! stronger for this kind, too.

use crate::kind::InvariantKind;

/// How many levels there are; they are numbered from 0.
///
/// At-least sets with c or more marked places refute nothing: those counts have no level.
pub(crate) fn levels(kind: InvariantKind) -> usize {
    match kind {
        InvariantKind::AtLeast(c) => c as usize,
        InvariantKind::Exactly(c) | InvariantKind::AtMost(c) => c as usize + 2,
        InvariantKind::Parity => 2,
        InvariantKind::Linear(bound) => 2 * bound as usize + 1,
        InvariantKind::Modulo(modulus) => modulus as usize,
    }
}

/// The level where a set weighs `marked` now and `initial` initially. `None`: not worth following.
pub(crate) fn level(kind: InvariantKind, initial: i64, marked: i64) -> Option<usize> {
    let change = marked - initial;
    let level = match kind {
        InvariantKind::Parity => change.rem_euclid(2),
        InvariantKind::Modulo(modulus) => change.rem_euclid(i64::from(modulus)),
        InvariantKind::Linear(bound) => change.min(i64::from(bound)) + i64::from(bound),
        _ => marked.min(i64::from(kind.cap())),
    };
    usize::try_from(level).ok().filter(|&level| level < levels(kind))
}

/// The level of two parts with these levels together. `None`: not worth following.
pub(crate) fn sum(kind: InvariantKind, left: usize, right: usize) -> Option<usize> {
    let level = match kind {
        InvariantKind::Parity => (left + right) % 2,
        InvariantKind::Modulo(modulus) => (left + right) % modulus as usize,
        // Each is a bound away from what it stands for, and so must the sum be.
        InvariantKind::Linear(bound) => (left + right).checked_sub(bound as usize)?.min(2 * bound as usize),
        _ => (left + right).min(kind.cap() as usize),
    };
    (level < levels(kind)).then_some(level)
}

/// What is distinguished about the initial weight: its saturated count; nothing for relative kinds.
pub(crate) fn initial(kind: InvariantKind, weight: i64) -> u8 {
    if kind.is_relative() { 0 } else { weight.clamp(0, i64::from(kind.cap())) as u8 }
}

/// Whether a whole set at this level refutes its marking.
pub(crate) fn refutes(kind: InvariantKind, initial: u8, level: usize) -> bool {
    let marked = level as i64;
    match kind {
        InvariantKind::Linear(bound) => kind.refutes(0, marked - i64::from(bound)),
        _ if kind.is_relative() => kind.refutes(0, marked),
        _ => kind.admits_initial(initial.into()) && kind.refutes(initial.into(), marked),
    }
}

/// Whether a level implies all those below it.
pub(crate) fn is_bound(kind: InvariantKind) -> bool {
    matches!(kind, InvariantKind::Linear(_))
}

/// The number in a certificate: the level, or the lower bound that it stands for.
pub(crate) fn claim(kind: InvariantKind, level: usize) -> i64 {
    match kind {
        InvariantKind::Linear(bound) => level as i64 - i64::from(bound),
        _ => level as i64,
    }
}

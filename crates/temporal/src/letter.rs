//! Letters: which atoms hold at a position of a run. Cubes: what a transition of an automaton demands of
//! letters.
//!
//! Both are sets of bits, 64 to a word. The letters that a transition reads are never listed: it names the
//! atoms that must hold and those that must not, and leaves the others open.

use crate::formula::Atom;

/// Which atoms hold: atom `a` is bit `a % 64` of word `a / 64`.
pub type Letter = Vec<u64>;

/// How many words the letters over so many atoms have.
pub(crate) fn words(atoms: usize) -> usize {
    atoms.div_ceil(64)
}

/// Whether an atom holds in a letter.
pub fn holds(letter: &[u64], atom: Atom) -> bool {
    letter.get(atom.0 as usize / 64).is_some_and(|word| word >> (atom.0 % 64) & 1 == 1)
}

/// Has an atom hold in a letter.
pub fn set(letter: &mut [u64], atom: Atom) {
    if let Some(word) = letter.get_mut(atom.0 as usize / 64) {
        *word |= 1 << (atom.0 % 64);
    }
}

/// A conjunction of literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cube(Vec<Part>);

/// The literals of a cube in one word of the letter, of which there are some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Part {
    word: u32,
    /// The atoms that are named.
    mask: u64,
    /// Those that must hold.
    value: u64,
}

impl Cube {
    /// The conjunction of nothing: every letter has it.
    pub fn all() -> Cube {
        Cube::default()
    }

    /// One literal.
    pub fn literal(atom: Atom, holds: bool) -> Cube {
        let mask = 1 << (atom.0 % 64);
        Cube(vec![Part { word: atom.0 / 64, mask, value: if holds { mask } else { 0 } }])
    }

    /// Whether a letter has all its literals.
    #[inline]
    pub fn has(&self, letter: &[u64]) -> bool {
        self.0.iter().all(|part| letter[part.word as usize] & part.mask == part.value)
    }

    /// The conjunction of both; none, if no letter has it.
    pub fn and(&self, other: &Cube) -> Option<Cube> {
        let mut all = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some(one), Some(two)) if one.word == two.word => {
                    if (one.value ^ two.value) & one.mask & two.mask != 0 {
                        return None;
                    }
                    let (mask, value) = (one.mask | two.mask, one.value | two.value);
                    all.push(Part { word: one.word, mask, value });
                    left.next();
                    right.next();
                }
                (Some(one), Some(two)) if one.word > two.word => all.extend(right.next()),
                (Some(_), _) => all.extend(left.next()),
                (None, Some(_)) => all.extend(right.next()),
                (None, None) => return Some(Cube(all)),
            }
        }
    }

    /// Whether every letter that has `self` has `other`: whether the literals of `other` are among its own.
    pub fn implies(&self, other: &Cube) -> bool {
        let mut own = self.0.iter();
        other.0.iter().all(|wanted| {
            own.by_ref().find(|part| part.word >= wanted.word).is_some_and(|part| {
                part.word == wanted.word
                    && part.mask & wanted.mask == wanted.mask
                    && part.value & wanted.mask == wanted.value
            })
        })
    }

    /// Whether it names an atom of this set.
    pub(crate) fn names_any(&self, atoms: &[u64]) -> bool {
        self.0.iter().any(|part| part.mask & atoms[part.word as usize] != 0)
    }

    /// Whether every letter has it.
    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Atom, Cube, set};

    #[test]
    fn cubes_are_conjunctions_of_literals() {
        let literals =
            [(0, true), (63, false), (64, true), (200, false)].map(|(atom, sign)| (Atom(atom), sign));
        let mut cube = Cube::all();
        for (atom, sign) in literals {
            let next = cube.and(&Cube::literal(atom, sign)).unwrap();
            assert!(next.implies(&cube) && !cube.implies(&next) && next.implies(&next));
            assert_eq!(Cube::literal(atom, sign).and(&cube), Some(next.clone()));
            assert_eq!(next.and(&Cube::literal(atom, !sign)), None);
            assert!(next.implies(&Cube::literal(atom, sign)));
            cube = next;
        }
        let mut letter = vec![0; 4];
        assert!(!cube.has(&letter) && Cube::all().has(&letter));
        set(&mut letter, Atom(0));
        set(&mut letter, Atom(64));
        set(&mut letter, Atom(100));
        assert!(cube.has(&letter));
        set(&mut letter, Atom(200));
        assert!(!cube.has(&letter));
        assert!(cube.names_any(&[0, 1, 0, 0]) && !cube.names_any(&[2, 2, 2, 2]));
    }
}

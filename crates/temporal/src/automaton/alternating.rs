//! The very weak alternating automaton of a formula: what must hold now, and what is left for the next
//! position.
//!
//! Gastin and Oddoux, *Fast LTL to Büchi automata translation*, CAV 2001, Definition 1 and section 3. Its
//! states are the formulas whose outermost operator is neither `&` nor `|`; sets of states are conjunctions.

use rustc_hash::FxHashMap;

use super::{MAX_MOVES, Refused};
use crate::letter::Cube;
use crate::normal::{Arena, Node, NormalId, always};
use paramcheck_text::limits::Budget;

/// A conjunction of states, ascending.
pub(super) type Set = Box<[NormalId]>;

/// What is demanded of the letter, and what of the rest of the run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Move {
    pub(super) cube: Cube,
    pub(super) rest: Set,
}

/// The moves of formulas, as they are needed.
pub(super) struct Alternating<'a> {
    arena: &'a Arena,
    budget: &'a Budget,
    moves: FxHashMap<NormalId, Vec<Move>>,
}

impl<'a> Alternating<'a> {
    pub(super) fn new(arena: &'a Arena, budget: &'a Budget) -> Self {
        Alternating { arena, budget, moves: FxHashMap::default() }
    }

    /// The formula as a disjunction of conjunctions of states (the paper writes a bar above it).
    pub(super) fn sets(&self, formula: NormalId) -> Result<Vec<Set>, Refused> {
        let mut sets = match self.arena.node(formula) {
            Node::True => vec![Set::default()],
            Node::False => Vec::new(),
            Node::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.sets(*part)?);
                    self.allows(all.len(), 1)?;
                }
                all
            }
            Node::And(parts) => {
                let mut all = vec![Set::default()];
                for part in parts {
                    let part = self.sets(*part)?;
                    self.allows(all.len(), part.len())?;
                    all = all.iter().flat_map(|set| part.iter().map(|other| union(set, other))).collect();
                    self.keep_least(&mut all)?;
                }
                all
            }
            _ => vec![[formula].into()],
        };
        self.keep_least(&mut sets)?;
        Ok(sets)
    }

    /// The moves of a formula: those of the paper, without those that demand more than another.
    pub(super) fn moves(&mut self, formula: NormalId) -> Result<Vec<Move>, Refused> {
        if let Some(moves) = self.moves.get(&formula) {
            return Ok(moves.clone());
        }
        let mut moves = match self.arena.node(formula).clone() {
            Node::True => vec![Move { cube: Cube::all(), rest: Set::default() }],
            Node::False => Vec::new(),
            Node::Literal { atom, holds } => {
                vec![Move { cube: Cube::literal(atom, holds), rest: Set::default() }]
            }
            Node::Next(inner) => {
                let sets = self.sets(inner)?.into_iter();
                sets.map(|rest| Move { cube: Cube::all(), rest }).collect()
            }
            Node::Or(parts) => {
                let mut all = Vec::new();
                for part in &parts {
                    all.extend(self.moves(*part)?);
                    self.allows(all.len(), 1)?;
                }
                all
            }
            Node::And(parts) => {
                let mut all = self.moves(always())?;
                for part in &parts {
                    let part = self.moves(*part)?;
                    all = self.both(&all, &part)?;
                }
                all
            }
            // Reached now, or held now and still to be reached.
            Node::Until(hold, goal) => {
                let again = [Move { cube: Cube::all(), rest: [formula].into() }];
                let hold = self.moves(hold)?;
                let mut all = self.both(&hold, &again)?;
                all.extend(self.moves(goal)?);
                all
            }
            // Kept now, and either released now or still to be kept.
            Node::Release(goal, kept) => {
                let mut either = self.moves(goal)?;
                either.push(Move { cube: Cube::all(), rest: [formula].into() });
                let kept = self.moves(kept)?;
                self.both(&kept, &either)?
            }
        };
        moves.sort_unstable();
        moves.dedup();
        let mut pace = self.budget.pace();
        let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
        for one in &moves {
            pace()?;
            let is_needless = moves.iter().any(|other| {
                other != one && one.cube.implies(&other.cube) && is_subset(&other.rest, &one.rest)
            });
            if !is_needless {
                kept.push(one.clone());
            }
        }
        self.moves.insert(formula, kept.clone());
        Ok(kept)
    }

    /// One move of each, together.
    pub(super) fn both(&self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, Refused> {
        self.allows(left.len(), right.len())?;
        let mut all = Vec::with_capacity(left.len() * right.len());
        let mut pace = self.budget.pace();
        for one in left {
            for other in right {
                pace()?;
                if let Some(cube) = one.cube.and(&other.cube) {
                    all.push(Move { cube, rest: union(&one.rest, &other.rest) });
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Takes away the conjunctions that have another as a part.
    fn keep_least(&self, sets: &mut Vec<Set>) -> Result<(), Refused> {
        sets.sort_unstable_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
        sets.dedup();
        let mut pace = self.budget.pace();
        let mut least: Vec<Set> = Vec::with_capacity(sets.len());
        for set in sets.drain(..) {
            pace()?;
            if !least.iter().any(|other| is_subset(other, &set)) {
                least.push(set);
            }
        }
        *sets = least;
        Ok(())
    }

    /// That a product is not too large to be made.
    fn allows(&self, left: usize, right: usize) -> Result<(), Refused> {
        self.budget.check()?;
        if left.saturating_mul(right) > MAX_MOVES { Err(Refused::TooLarge) } else { Ok(()) }
    }
}

/// Whether the first conjunction is part of the second.
pub(super) fn is_subset(part: &[NormalId], whole: &[NormalId]) -> bool {
    part.len() <= whole.len() && part.iter().all(|one| whole.binary_search(one).is_ok())
}

fn union(left: &[NormalId], right: &[NormalId]) -> Set {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all.into()
}

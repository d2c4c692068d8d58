//! A generalised automaton of an alternating one: its states are conjunctions of formulas.
//!
//! Gastin and Oddoux, CAV 2001, Definition 2 and Theorem 2. There is a mark for each `φ U ψ`: a transition
//! has it if it does not leave that formula to the next position, or could as well have reached ψ now. So a
//! run on which the formula is put off for ever has the mark finitely often only.

use rustc_hash::FxHashMap;

use super::alternating::{Alternating, Move, Set, is_subset};
use super::{Automaton, MAX_MARKS, MAX_STATES, MAX_TRANSITIONS, Refused, Transition};
use crate::letter::Cube;
use crate::normal::{Arena, Node, NormalId};
use paramcheck_text::limits::Budget;

/// The automaton as the paper has it.
pub(super) fn build(arena: &Arena, formula: NormalId, budget: &Budget) -> Result<Automaton, Refused> {
    let mut alternating = Alternating::new(arena, budget);
    let mut sets = Sets { numbers: FxHashMap::default(), all: Vec::new() };
    let initial: Vec<Set> = alternating.sets(formula)?;
    let initial = initial.into_iter().map(|set| sets.number(set)).collect::<Result<Vec<u32>, _>>()?;
    let mut raw: Vec<Vec<Move>> = Vec::new();
    let mut count = 0;
    while let Some(set) = sets.all.get(raw.len()).cloned() {
        budget.check()?;
        let mut moves = vec![Move { cube: Cube::all(), rest: Set::default() }];
        for part in &set {
            let part = alternating.moves(*part)?;
            moves = alternating.both(&moves, &part)?;
        }
        for one in &moves {
            sets.number(one.rest.clone())?;
        }
        count += moves.len();
        if count > MAX_TRANSITIONS {
            return Err(Refused::TooLarge);
        }
        raw.push(moves);
    }
    // Only formulas that are put off can be put off for ever.
    let mut untils: Vec<NormalId> = sets.all.iter().flat_map(|set| set.iter().copied()).collect();
    untils.sort_unstable();
    untils.dedup();
    untils.retain(|id| matches!(arena.node(*id), Node::Until(..)));
    if untils.len() > MAX_MARKS {
        return Err(Refused::TooLarge);
    }
    let mut pace = budget.pace();
    let mut states = Vec::with_capacity(raw.len());
    for moves in raw {
        let mut transitions = Vec::with_capacity(moves.len());
        for one in moves {
            pace()?;
            let mut marks = 0;
            for (bit, until) in untils.iter().enumerate() {
                let is_put_off = is_subset(&[*until], &one.rest)
                    && !alternating.moves(*until)?.iter().any(|other| {
                        one.cube.implies(&other.cube)
                            && !is_subset(&[*until], &other.rest)
                            && is_subset(&other.rest, &one.rest)
                    });
                marks |= u64::from(!is_put_off) << bit;
            }
            let target = sets.number(one.rest)?;
            transitions.push((Transition { target, marks, cube: one.cube }, target));
        }
        let kept = transitions.iter().filter(|(one, target)| {
            // Demanding more, leaving more, and having fewer marks is worse in every way (the paper's ≼).
            !transitions.iter().any(|(other, other_target)| {
                other != one
                    && one.cube.implies(&other.cube)
                    && one.marks & !other.marks == 0
                    && is_subset(&sets.all[*other_target as usize], &sets.all[*target as usize])
            })
        });
        let mut kept: Vec<Transition> = kept.map(|(one, _)| one.clone()).collect();
        kept.sort_unstable();
        states.push(kept);
    }
    let marks = (1u64 << untils.len()) - 1;
    Ok(Automaton { initial, states, marks })
}

/// The conjunctions met, by number.
struct Sets {
    numbers: FxHashMap<Set, u32>,
    all: Vec<Set>,
}

impl Sets {
    fn number(&mut self, set: Set) -> Result<u32, Refused> {
        if let Some(number) = self.numbers.get(&set) {
            return Ok(*number);
        }
        if self.all.len() >= MAX_STATES {
            return Err(Refused::TooLarge);
        }
        let number = self.all.len() as u32;
        self.all.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }
}

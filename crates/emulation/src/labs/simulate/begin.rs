//! Initial values by chance, among those that the assumptions allow: each combination is equally likely.
//!
//! What assumptions demand is taken apart where all of it must hold. Cells that some part reads belong together; such
//! a group is independent of all others. Its combinations are listed with those that its parts allow, if they are not
//! too many before; else they are tried.

use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use crate::labs::Unfit;
use crate::labs::code::Code;
use crate::labs::engine::initial;
use crate::labs::machine::Machine;
use crate::labs::slice::reads;
use crate::labs::step::Scratch;
use crate::labs::word::{UNDEFINED, fault, is_halt, is_true};

/// The combinations of a group are listed if there are so many, before its parts, at most.
const MAX_LISTED: u128 = 4_000_000;
/// The most words of all lists together.
const MAX_WORDS: usize = 10_000_000;
/// Of more, so many are tried in vain, until it is called hopeless.
const MAX_TRIES: usize = 100_000;
/// How many of them lie between two looks at the budget.
const PACE: usize = 1 << 10;

/// Cells whose initial values depend on each other.
#[derive(Debug)]
struct Group {
    cells: Vec<usize>,
    /// What must hold of them, in the order of the text.
    parts: Vec<Code>,
    /// The combinations of their words that are allowed, one after the other; none, if they are to be tried.
    listed: Option<Vec<i64>>,
}

/// Chooses initial values.
#[derive(Debug)]
pub(super) struct Beginnings {
    /// Cells of which nothing is assumed.
    free: Vec<usize>,
    groups: Vec<Group>,
}

impl Beginnings {
    /// Those of a system.
    ///
    /// # Errors
    /// There are none, or an assumption has no value.
    pub(super) fn new(machine: &Machine<'_>, budget: &Budget) -> Result<Self, Unfit> {
        let mut parts = Vec::new();
        machine.assumptions.iter().for_each(|one| take_apart(one, &mut parts));
        let cells = machine.system.initial.len();
        let mut groups: Vec<Group> = Vec::new();
        for part in parts {
            let mut read = vec![false; cells];
            reads(part, &mut read);
            // The groups that it touches become one.
            let (touched, rest): (Vec<Group>, Vec<Group>) =
                groups.into_iter().partition(|group| group.cells.iter().any(|cell| read[*cell]));
            let mut one = Group { cells: Vec::new(), parts: Vec::new(), listed: None };
            for group in touched {
                group.cells.iter().for_each(|cell| read[*cell] = true);
                one.parts.extend(group.parts);
            }
            one.cells = (0..cells).filter(|cell| read[*cell]).collect();
            one.parts.push(part.clone());
            groups = rest;
            groups.push(one);
        }
        let is_free = |cell: &usize| !groups.iter().any(|group| group.cells.contains(cell));
        let free = (0..cells).filter(is_free).collect();
        let mut scratch = Scratch::of(initial::fields(machine));
        let mut words = 0;
        for group in &mut groups {
            group.listed = listed(machine, group, &mut scratch, MAX_WORDS - words, budget)?;
            words += group.listed.as_ref().map_or(0, Vec::len);
        }
        Ok(Beginnings { free, groups })
    }

    /// Chooses the words of all cells.
    ///
    /// # Errors
    /// None were found, or a limit was reached.
    pub(super) fn choose(
        &self,
        machine: &Machine<'_>,
        scratch: &mut Scratch,
        chance: &mut Random,
        budget: &Budget,
    ) -> Result<(), Unfit> {
        scratch.fields = initial::fields(machine);
        self.free.iter().for_each(|cell| by_chance(machine, *cell, scratch, chance));
        for group in &self.groups {
            if let Some(listed) = &group.listed {
                let width = group.cells.len().max(1);
                let count = listed.len() / width;
                let chosen = usize::try_from(chance.below(count.max(1) as u64)).unwrap_or(0);
                let words = listed.iter().skip(chosen * width);
                group.cells.iter().zip(words).for_each(|(cell, word)| scratch.fields[*cell] = *word);
                continue;
            }
            let mut tries = 0;
            loop {
                if tries == MAX_TRIES {
                    return Err(Unfit::NotFound(MAX_TRIES));
                }
                if tries % PACE == 0 {
                    budget.check().map_err(Unfit::Stopped)?;
                }
                tries += 1;
                group.cells.iter().for_each(|cell| by_chance(machine, *cell, scratch, chance));
                if is_allowed(machine, &group.parts, scratch)? {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn by_chance(machine: &Machine<'_>, cell: usize, scratch: &mut Scratch, chance: &mut Random) {
    let values = &machine.system.initial[cell];
    let chosen = chance.below(values.count().max(1));
    scratch.fields[cell] = values.value(chosen).unwrap_or(UNDEFINED);
}

/// The parts of a formula that must all hold.
fn take_apart<'c>(code: &'c Code, parts: &mut Vec<&'c Code>) {
    match code {
        Code::And(both) => both.iter().for_each(|one| take_apart(one, parts)),
        Code::Forall(all) => all.iter().for_each(|one| take_apart(one, parts)),
        _ => parts.push(code),
    }
}

/// Whether all parts hold; those behind one that does not are not looked at.
fn is_allowed(machine: &Machine<'_>, parts: &[Code], scratch: &mut Scratch) -> Result<bool, Unfit> {
    for part in parts {
        let word = scratch.formula(part, machine.width());
        if is_halt(word) {
            return Err(fault(word).map_or(Unfit::Foreign, Unfit::Assumption));
        }
        if !is_true(word) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All combinations of a group that its parts allow, unless they are too many.
fn listed(
    machine: &Machine<'_>,
    group: &Group,
    scratch: &mut Scratch,
    most_words: usize,
    budget: &Budget,
) -> Result<Option<Vec<i64>>, Unfit> {
    let initial = &machine.system.initial;
    let counts = group.cells.iter().map(|cell| u128::from(initial[*cell].count()));
    if counts.fold(1, u128::saturating_mul) > MAX_LISTED {
        return Ok(None);
    }
    let mut pace = budget.pace();
    let mut numbers = vec![0u64; group.cells.len()];
    let (mut listed, mut is_there) = (Vec::new(), false);
    loop {
        pace().map_err(Unfit::Stopped)?;
        for (cell, number) in group.cells.iter().zip(&numbers) {
            scratch.fields[*cell] = initial[*cell].value(*number).unwrap_or(UNDEFINED);
        }
        if is_allowed(machine, &group.parts, scratch)? {
            is_there = true;
            listed.extend(group.cells.iter().map(|cell| scratch.fields[*cell]));
            if listed.len() > most_words {
                return Ok(None);
            }
        }
        let mut last = group.cells.iter().zip(&mut numbers).rev();
        let is_over = last.all(|(cell, number)| {
            *number = if *number + 1 < initial[*cell].count() { *number + 1 } else { 0 };
            *number == 0
        });
        if is_over {
            return if is_there { Ok(Some(listed)) } else { Err(Unfit::NoInitialState) };
        }
    }
}

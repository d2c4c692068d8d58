//! Whether stronger kinds of invariants than those tried would exclude a marking of one instance.
//!
//! What no set of an instance excludes, no proof for every size excludes. So before stronger invariants are
//! advised, the candidate is looked at again, with every bound that can matter in its instance: of counts up to
//! the number of components, of linear sums twice that. Of moduli the prime powers are looked at, for the
//! residue modulo a product is one modulo each of its factors. [`excluded`] decides these by linear algebra,
//! all else as the engine does.

use super::dead::DeadInteractions;
use super::refute::{Joins, find, is_dead};
use crate::firing::InteractionFiring;
use crate::kind::InvariantKind;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::limits::{Budget, Stop};

/// Instances with more components are not looked at.
const MAX_SIZE: usize = 64;
/// With more components only bounds up to this are looked at.
const MAX_COUNT: usize = 12;
/// The greatest bound of linear sums that is looked at.
const MAX_DIFFERENCE: usize = 40;
/// The prime powers among the moduli that there are, 2 being parity.
const MODULI: [i64; 10] = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16];

/// What excludes a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excluded {
    /// A set of this kind, the cheapest of those that were not tried.
    By(InvariantKind),
    /// No set of any kind, whatever the bound.
    ByNone,
    /// No set that was looked at.
    NotFound,
}

/// What excludes `marking` of `net` beside `tried`, which do not. Interactions that are `dropped` never fire.
///
/// # Errors
/// `budget` ended.
pub fn excluded(
    net: &Net,
    marking: &Marking,
    dropped: &[InteractionFiring],
    tried: &[InvariantKind],
    budget: &Budget,
) -> Result<Excluded, Stop> {
    let mut dead = DeadInteractions::default();
    for InteractionFiring { rule, interaction, combination } in dropped {
        dead.insert(*rule, *interaction, combination.clone());
    }
    let size = net.components().len();
    if size > MAX_SIZE {
        return Ok(Excluded::NotFound);
    }
    let counts = u8::try_from(size.min(MAX_COUNT)).unwrap_or(u8::MAX);
    // Each component changes its weight by at most two.
    let bound = u8::try_from((2 * size).min(MAX_DIFFERENCE)).unwrap_or(InvariantKind::MAX_BOUND);
    let doubled = std::iter::successors(Some(4), |bound: &u8| bound.checked_mul(2));
    let linear = doubled.take_while(|&tried| tried < bound).chain([bound]).map(InvariantKind::Linear);
    let joins = joins(net);
    for kind in InvariantKind::all_up_to(counts.max(1)).into_iter().chain(linear) {
        let is_new = !tried.iter().any(|&weaker| includes(weaker, kind));
        if is_new && find(net, &joins, &dead, kind, marking, budget)?.is_some() {
            return Ok(Excluded::By(kind));
        }
    }
    for modulus in MODULI {
        budget.check()?;
        let kind = match u8::try_from(modulus) {
            Ok(2) | Err(_) => InvariantKind::Parity,
            Ok(modulus) => InvariantKind::Modulo(modulus),
        };
        if !tried.contains(&kind) && !is_combination(net, &dead, marking, modulus) {
            return Ok(Excluded::By(kind));
        }
    }
    let is_all = size <= MAX_COUNT && 2 * size <= MAX_DIFFERENCE;
    Ok(if is_all { Excluded::ByNone } else { Excluded::NotFound })
}

/// Whether what `kind` excludes in some instance, `tried` does.
fn includes(tried: InvariantKind, kind: InvariantKind) -> bool {
    match (tried, kind) {
        (InvariantKind::Linear(tried), InvariantKind::Linear(bound)) => bound <= tried,
        _ => tried == kind,
    }
}

/// The instance as parts: its components one after the other.
fn joins(net: &Net) -> Joins<'static> {
    // The root joins the first component and the rest; so does the rest.
    const PARTS: [[usize; 2]; MAX_SIZE] = {
        let mut parts = [[0; 2]; MAX_SIZE];
        let mut at = 0;
        while at < MAX_SIZE {
            parts[at] = [2 * at + 1, 2 * at + 2];
            at += 1;
        }
        parts
    };
    let ids: Vec<_> = net.components().indices().collect();
    let mut joins: Joins<'static> = Vec::with_capacity(2 * ids.len());
    for (position, &id) in ids.iter().enumerate() {
        match PARTS.get(position) {
            Some(parts) if position + 1 < ids.len() => {
                joins.push((None, parts));
                joins.push((Some(id), &[]));
            }
            _ => joins.push((Some(id), &[])),
        }
    }
    joins
}

/// Whether the difference between `marking` and the initial one is a sum of what transitions do, modulo
/// `modulus`, a prime power. If so, no sum of weights modulo it that every transition keeps tells the two
/// markings apart; if not, one does.
fn is_combination(net: &Net, dead: &DeadInteractions, marking: &Marking, modulus: i64) -> bool {
    let mut rows: Vec<Vec<i64>> = Vec::new();
    for transition in net.transitions().iter().filter(|transition| !is_dead(net, dead, transition)) {
        let mut row = vec![0_i64; net.place_count()];
        for change in &transition.moves {
            row[net.place(change.component, change.from)] -= 1;
            row[net.place(change.component, change.to)] += 1;
        }
        row.iter_mut().for_each(|entry| *entry = entry.rem_euclid(modulus));
        rows.push(row);
    }
    rows.sort_unstable();
    rows.dedup();
    let mut rest = vec![0_i64; net.place_count()];
    for (id, component) in net.components().enumerate() {
        rest[net.place(id, component.initial)] -= 1;
        rest[net.place(id, marking[id])] += 1;
    }
    rest.iter_mut().for_each(|entry| *entry = entry.rem_euclid(modulus));
    reduces_to_nothing(rows, rest, modulus)
}

/// Gaussian elimination modulo a prime power: whether `rest` is a combination of `rows`. As pivot comes first
/// what most numbers are multiples of: it divides every other entry that is left.
fn reduces_to_nothing(mut rows: Vec<Vec<i64>>, mut rest: Vec<i64>, modulus: i64) -> bool {
    loop {
        let entries = rows.iter().enumerate().flat_map(|(row, entries)| {
            entries
                .iter()
                .enumerate()
                .filter(|(_, entry)| **entry != 0)
                .map(move |(column, entry)| (gcd(*entry, modulus), row, column))
        });
        let Some((divisor, row, column)) = entries.min() else { return rest.iter().all(|&entry| entry == 0) };
        let pivot = rows.swap_remove(row);
        let unit = inverse(pivot[column] / divisor, modulus);
        let clear = |line: &mut Vec<i64>| {
            let times = line[column] / divisor * unit % modulus;
            for (entry, &of_pivot) in line.iter_mut().zip(&pivot) {
                *entry = (*entry - times * of_pivot).rem_euclid(modulus);
            }
        };
        if rest[column] % divisor != 0 {
            return false;
        }
        clear(&mut rest);
        rows.iter_mut().for_each(clear);
        // Times what makes its pivot vanish, the row is a combination as well.
        let vanishing: Vec<i64> = pivot.iter().map(|entry| entry * (modulus / divisor) % modulus).collect();
        rows.push(vanishing);
        rows.retain(|row| row.iter().any(|&entry| entry != 0));
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one.abs() } else { gcd(other, one % other) }
}

/// The number that `unit` times is 1; the modulus is small.
fn inverse(unit: i64, modulus: i64) -> i64 {
    (1..modulus).find(|candidate| (candidate * unit).rem_euclid(modulus) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests;

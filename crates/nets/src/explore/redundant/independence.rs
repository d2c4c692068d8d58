//! Independence of transitions: two that commute, since neither moves a component that the other takes part
//! in.

use crate::instance::net::Net;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// Per transition, as bits in a row of words, the transitions that are dependent on it or have a number no
/// smaller.
///
/// # Errors
/// `budget` ended.
pub(super) fn dependent(net: &Net, budget: &Budget) -> Result<Vec<u64>, Stop> {
    let count = net.transitions().len();
    let groups = count.div_ceil(64);
    let mut bits = vec![0; count * groups];
    let mut step = budget.pace();
    for (id, transition) in net.transitions().enumerate() {
        step()?;
        let number = id.index();
        let row = &mut bits[number * groups..(number + 1) * groups];
        row[number / 64] = u64::MAX << (number % 64);
        row[number / 64 + 1..].fill(u64::MAX);
        for m in &transition.moves {
            for &other in net.transitions_of(m.component) {
                let other_moves = &net.transitions()[other].moves;
                let is_moved = m.from != m.to
                    || other_moves.iter().any(|one| one.component == m.component && one.from != one.to);
                if is_moved {
                    row[other.index() / 64] |= 1 << (other.index() % 64);
                }
            }
        }
    }
    Ok(bits)
}

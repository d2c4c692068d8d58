//! Transitions that only reverse others.
//!
//! Let transition t be the only one that puts component c into state q, where c is not initially, and let no
//! transition need c in q and leave it there. While c is in q, it has not moved since t. Suppose that
//! meanwhile none of the other components that t moved can have moved again either. Then the last t may be
//! left out of any run to such a marking, for what comes after it needs nothing of it. So the marking before
//! t, all else being as it is, is reachable in one step less: t *can be undone* in q.
//!
//! A transition that has the same effect as one or more of these undone, one after the other, leads to a
//! marking that is nearer than the one where it is enabled. So it is redundant: dining philosophers who put
//! down their forks.
//!
//! That the others can't have moved follows from the *concurrency relation*: pairs of places that may be
//! marked together. It is over-approximated by what transitions do to pairs (Kovalyov, *Concurrency relations
//! and the safety problem for Petri nets*, 1992), which is sound here.

use crate::instance::net::{ComponentId, Move, Net, NetTransition, NetTransitionId};
use paramcheck_model::component::StateId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// In nets with more transitions times words of places, none is searched for.
const MAX_WORK: usize = 1 << 14;
/// How many transitions are undone for one, at most.
const MAX_INVERSES: usize = 64;

/// The transitions that are redundant everywhere.
///
/// # Errors
/// `budget` ended.
pub(super) fn redundant(net: &Net, budget: &Budget) -> Result<Vec<NetTransitionId>, Stop> {
    if net.transitions().len() * net.place_count().div_ceil(64) > MAX_WORK {
        return Ok(Vec::new());
    }
    let undoable = undoable(net, budget)?;
    let mut found = Vec::new();
    let mut step = budget.pace();
    for (id, transition) in net.transitions().enumerate() {
        step()?;
        if reverses(net, &undoable, transition) {
            found.push(id);
        }
    }
    Ok(found)
}

/// Whether a transition has the effect of some others undone.
fn reverses(net: &Net, undoable: &[Option<NetTransitionId>], transition: &NetTransition) -> bool {
    let mut at: Vec<(ComponentId, StateId)> =
        transition.moves.iter().map(|m| (m.component, m.from)).collect();
    let mut undone = 0;
    loop {
        let mut moved = at.iter().zip(&transition.moves).filter(|(now, m)| now.1 != m.to).peekable();
        if moved.peek().is_none() {
            return undone > 0;
        }
        // What is undone must be known to be there.
        let is_there = |m: &&Move| m.from == m.to || at.contains(&(m.component, m.to));
        let next = moved
            .filter_map(|(now, _)| undoable[net.place(now.0, now.1)])
            .find(|last| net.transitions()[*last].moves.iter().all(|m| is_there(&m)));
        let Some(last) = next.filter(|_| undone < MAX_INVERSES) else { return false };
        undone += 1;
        for m in net.transitions()[last].moves.iter().filter(|m| m.from != m.to) {
            if let Some(now) = at.iter_mut().find(|now| now.0 == m.component) {
                now.1 = m.from;
            }
        }
    }
}

/// Per place the transition that can be undone while it is marked.
fn undoable(net: &Net, budget: &Budget) -> Result<Vec<Option<NetTransitionId>>, Stop> {
    let together = Concurrency::new(net, budget)?;
    let mut undoable = vec![None; net.place_count()];
    let mut step = budget.pace();
    for component in net.components().indices() {
        let moves = || {
            let transitions = net.transitions_of(component).iter();
            transitions.flat_map(move |&id| {
                let own = net.transitions()[id].moves.iter().filter(move |m| m.component == component);
                own.map(move |m| (id, m))
            })
        };
        for state in (0..net.components()[component].state_count).map(StateId::new) {
            step()?;
            let mut entering = moves().filter(|(_, m)| m.to == state);
            let (Some((last, m)), None) = (entering.next(), entering.next()) else { continue };
            let is_initial = net.components()[component].initial == state;
            if !is_initial && m.from != state && stays(net, &together, last, component, state) {
                undoable[net.place(component, state)] = Some(last);
            }
        }
    }
    Ok(undoable)
}

/// Whether all components that `last` moves are where it put them, while the one of them that it put into
/// `state` is there.
fn stays(
    net: &Net,
    together: &Concurrency,
    last: NetTransitionId,
    component: ComponentId,
    state: StateId,
) -> bool {
    let moved = net.transitions()[last].moves.iter().filter(|m| m.from != m.to && m.component != component);
    let mut next = moved.flat_map(|moved| {
        net.transitions_of(moved.component).iter().filter(move |id| {
            let moves = &net.transitions()[**id].moves;
            // What moves the component itself leaves its state.
            moves.iter().any(|m| (m.component, m.from) == (moved.component, moved.to))
                && moves.iter().all(|m| m.component != component)
        })
    });
    let own = net.place(component, state);
    next.all(|id| {
        let mut moves = net.transitions()[*id].moves.iter();
        moves.any(|m| !together.has(own, net.place(m.component, m.from)))
    })
}

/// The concurrency relation: pairs of places that may be marked together.
struct Concurrency {
    words: usize,
    /// Per place a bit for each place.
    rows: Vec<u64>,
}

impl Concurrency {
    fn new(net: &Net, budget: &Budget) -> Result<Concurrency, Stop> {
        let places = net.place_count();
        let words = places.div_ceil(64);
        let mut together = Concurrency { words, rows: vec![0; places * words] };
        let initial = net.components().enumerate().map(|(id, component)| net.place(id, component.initial));
        let initial: Vec<usize> = initial.collect();
        for &one in &initial {
            initial.iter().for_each(|&other| together.add(one, other));
        }
        let mut step = budget.pace();
        loop {
            let mut has_changed = false;
            for transition in net.transitions() {
                step()?;
                has_changed |= together.fire(net, transition);
            }
            if !has_changed {
                return Ok(together);
            }
        }
    }

    fn has(&self, one: usize, other: usize) -> bool {
        self.rows[one * self.words + other / 64] >> (other % 64) & 1 == 1
    }

    fn add(&mut self, one: usize, other: usize) {
        self.rows[one * self.words + other / 64] |= 1 << (other % 64);
    }

    /// What is marked together after the transition, if it may happen; whether there is anything new.
    fn fire(&mut self, net: &Net, transition: &NetTransition) -> bool {
        let before = || transition.moves.iter().map(|m| net.place(m.component, m.from));
        if !before().all(|one| before().all(|other| self.has(one, other))) {
            return false;
        }
        // What may be marked with all of them, and stays.
        let mut others = vec![u64::MAX; self.words];
        for place in before() {
            let row = &self.rows[place * self.words..][..self.words];
            others.iter_mut().zip(row).for_each(|(word, row)| *word &= row);
        }
        for m in &transition.moves {
            for state in (0..net.components()[m.component].state_count).map(StateId::new) {
                let place = net.place(m.component, state);
                others[place / 64] &= !(1 << (place % 64));
            }
        }
        let after = transition.moves.iter().map(|m| net.place(m.component, m.to));
        after.clone().for_each(|place| others[place / 64] |= 1 << (place % 64));
        let mut has_changed = false;
        for place in after {
            for (word, others) in others.iter().enumerate() {
                let row = &mut self.rows[place * self.words + word];
                let mut new = others & !*row;
                *row |= new;
                has_changed |= new != 0;
                while new != 0 {
                    self.add(word * 64 + new.trailing_zeros() as usize, place);
                    new &= new - 1;
                }
            }
        }
        has_changed
    }
}

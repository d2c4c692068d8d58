//! A short run to a component and round it, by all marks that are required.
//!
//! A shortest way leads to the component; then, as long as marks are missing, a shortest way inside of it to
//! an edge that has one of them; then a shortest way back. (Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005,
//! section 4.) What the automaton makes longer than it need be is cut: repetitions of the cycle, and what the
//! way to it has in common with its end.

use std::collections::VecDeque;

use super::fair::Part;
use super::product::{Halt, Product};
use crate::system::{End, Run, RunOf, System};

/// Sets the marks of an edge of the pair that was expanded.
type Marks<'f, S> = dyn Fn(&Product<'_, S>, usize, &mut [u64]) + 'f;

/// An edge: a pair, and the position among its edges.
pub(super) type Leg = (u32, usize);

/// No edge leads here.
const NOWHERE: Leg = (u32::MAX, 0);

/// The pairs that a search breadth first has reached, and how.
pub(super) struct Reached {
    by: Vec<Leg>,
    is_reached: Vec<bool>,
    queue: VecDeque<u32>,
}

impl Reached {
    pub(super) fn new(starts: &[u32], count: usize) -> Self {
        let mut reached =
            Reached { by: vec![NOWHERE; count], is_reached: vec![false; count], queue: VecDeque::new() };
        starts.iter().for_each(|start| reached.reach(*start, NOWHERE));
        reached
    }

    /// The next pair to be expanded.
    pub(super) fn pop(&mut self) -> Option<u32> {
        self.queue.pop_front()
    }

    pub(super) fn reach(&mut self, pair: u32, by: Leg) {
        let at = pair as usize;
        if at >= self.by.len() {
            self.by.resize(at + 1, NOWHERE);
            self.is_reached.resize(at + 1, false);
        }
        if !self.is_reached[at] {
            self.is_reached[at] = true;
            self.by[at] = by;
            self.queue.push_back(pair);
        }
    }

    /// Bytes used, about.
    pub(super) fn bytes(&self) -> usize {
        self.by.capacity() * (size_of::<Leg>() + 1) + self.queue.capacity() * 4
    }

    /// The edges from a start to a pair.
    pub(super) fn way(&self, mut pair: u32) -> Vec<Leg> {
        let mut legs = Vec::new();
        while self.by[pair as usize] != NOWHERE {
            let leg = self.by[pair as usize];
            legs.push(leg);
            pair = leg.0;
        }
        legs.reverse();
        legs
    }
}

/// A run to a part and round it for ever.
pub(super) fn lasso<S: System>(
    product: &mut Product<'_, S>,
    starts: &[u32],
    part: &Part,
    marks_of: &Marks<'_, S>,
) -> Result<RunOf<S>, Halt> {
    let mut is_inside = vec![false; product.len()];
    part.pairs.iter().for_each(|pair| is_inside[*pair as usize] = true);
    let mut reached = Reached::new(starts, product.len());
    let mut entry = None;
    while let Some(pair) = reached.pop() {
        if is_inside[pair as usize] {
            entry = Some(pair);
            break;
        }
        product.expand(pair, 0)?;
        for (position, edge) in product.edges.iter().enumerate() {
            reached.reach(edge.target, (pair, position));
        }
    }
    // Every pair was reached once.
    let entry = entry.unwrap_or(part.pairs[0]);
    let way = reached.way(entry);
    let round = around(product, &is_inside, entry, &part.required, marks_of)?;
    run(product, &way, &round, entry)
}

/// A cycle from a pair back to it, inside, with all required marks.
fn around<S: System>(
    product: &mut Product<'_, S>,
    is_inside: &[bool],
    entry: u32,
    required: &[u64],
    marks_of: &Marks<'_, S>,
) -> Result<Vec<Leg>, Halt> {
    let mut missing = required.to_vec();
    let mut marks = vec![0; required.len()];
    let mut legs: Vec<Leg> = Vec::new();
    let mut at = entry;
    while missing.iter().any(|marks| *marks != 0) || at != entry {
        let is_complete = missing.iter().all(|marks| *marks == 0);
        let mut reached = Reached::new(&[at], product.len());
        let mut found = None;
        'search: while let Some(pair) = reached.pop() {
            product.expand(pair, 0)?;
            for (position, edge) in product.edges.iter().enumerate() {
                if !is_inside[edge.target as usize] {
                    continue;
                }
                marks.fill(0);
                marks_of(product, position, &mut marks);
                let is_wanted = if is_complete {
                    edge.target == entry
                } else {
                    marks.iter().zip(&missing).any(|(marks, missing)| marks & missing != 0)
                };
                if is_wanted {
                    found = Some((pair, position, edge.target));
                    break 'search;
                }
                reached.reach(edge.target, (pair, position));
            }
        }
        // The part is strongly connected and its edges have all these marks.
        let Some((pair, position, target)) = found else { break };
        let way = reached.way(pair).into_iter().chain([(pair, position)]);
        for (pair, position) in way {
            product.expand(pair, 0)?;
            marks.fill(0);
            marks_of(product, position, &mut marks);
            missing.iter_mut().zip(&marks).for_each(|(missing, marks)| *missing &= !marks);
            legs.push((pair, position));
        }
        at = target;
    }
    Ok(legs)
}

/// States with the steps that are taken in them.
type Positions<S> = Vec<(<S as System>::State, Option<<S as System>::Step>)>;

/// The states and steps of edges.
fn positions<S: System>(product: &mut Product<'_, S>, legs: &[Leg]) -> Result<Positions<S>, Halt> {
    let mut positions = Vec::with_capacity(legs.len());
    for (pair, position) in legs {
        product.expand(*pair, 0)?;
        let step = product.made.get(product.edges[*position].step).map(|(step, _)| step.clone());
        let state = product.state(product.pair(*pair).state).clone();
        positions.push((state, step));
    }
    Ok(positions)
}

/// The run along these edges, for ever round the second ones; or to the pair, if there are none of them.
pub(super) fn run<S: System>(
    product: &mut Product<'_, S>,
    way: &[Leg],
    round: &[Leg],
    last: u32,
) -> Result<RunOf<S>, Halt> {
    let mut all = positions(product, way)?;
    let mut begin = all.len();
    all.extend(positions(product, round)?);
    // Where no step is taken, none will be.
    if let Some(end) = all.iter().position(|(_, step)| step.is_none()) {
        all.truncate(end + 1);
        return Ok(Run { positions: all, end: End::Stops });
    }
    if round.is_empty() {
        all.push((product.state(product.pair(last).state).clone(), None));
        return Ok(Run { positions: all, end: End::Open });
    }
    let length = all.len() - begin;
    let is_period = |period: &usize| {
        length.is_multiple_of(*period) && (begin..all.len() - period).all(|at| all[at] == all[at + period])
    };
    let period = (1..=length).find(is_period).unwrap_or(length);
    all.truncate(begin + period);
    while begin > 0 && all[begin - 1] == all[all.len() - 1] {
        begin -= 1;
        all.pop();
    }
    Ok(Run { positions: all, end: End::Loop(begin) })
}

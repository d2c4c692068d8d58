//! Whether runs can stay in some states for ever, all runs or the fair ones, from all states and transitions.

use paramcheck_text::graph::components;
use paramcheck_text::index::Idx;
use rustc_hash::{FxHashMap, FxHashSet};

use super::step::{Fairness, Label};

/// A state in which a run ends, or to which it comes back again and again, that is `allowed` all the way; `ends` are
/// states in which nothing can happen.
pub(super) fn staying(
    transitions: &[Vec<(Label, usize)>],
    from: impl IntoIterator<Item = usize>,
    allowed: impl Fn(usize) -> bool,
    ends: impl Fn(usize) -> bool,
    fairness: Fairness,
) -> Option<usize> {
    let mut reached: Vec<usize> = from.into_iter().filter(|state| allowed(*state)).collect();
    let mut known: FxHashSet<usize> = reached.iter().copied().collect();
    let mut at = 0;
    while let Some(state) = reached.get(at).copied() {
        at += 1;
        if ends(state) {
            return Some(state);
        }
        let next = transitions[state].iter().map(|(_, to)| *to);
        reached.extend(next.filter(|to| allowed(*to) && known.insert(*to)));
    }
    let mut open = vec![reached];
    while let Some(part) = open.pop() {
        for members in divided(transitions, &part) {
            let inside: FxHashSet<usize> = members.iter().copied().collect();
            let steps = || members.iter().flat_map(|state| &transitions[*state]);
            if !steps().any(|(_, to)| inside.contains(to)) {
                continue;
            }
            let acts: FxHashSet<usize> = steps()
                .filter(|(_, to)| inside.contains(to))
                .map(|(label, _)| label.agent().index())
                .collect();
            let able = |state: usize, agent: usize| {
                transitions[state].iter().any(|(label, _)| label.agent().index() == agent)
            };
            let others: FxHashSet<usize> = steps().map(|(label, _)| label.agent().index()).collect();
            let is_left_out = |agent: &&usize| {
                !acts.contains(*agent)
                    && match fairness {
                        Fairness::None => false,
                        Fairness::Weak => members.iter().all(|state| able(*state, **agent)),
                        Fairness::Strong => true,
                    }
            };
            let left_out: Vec<usize> = others.iter().filter(is_left_out).copied().collect();
            if left_out.is_empty() {
                return members.first().copied();
            }
            if fairness == Fairness::Strong {
                let is_fine = |state: &usize| left_out.iter().all(|agent| !able(*state, *agent));
                open.push(members.iter().copied().filter(is_fine).collect());
            }
        }
    }
    None
}

/// The strongly connected components of a part.
fn divided(transitions: &[Vec<(Label, usize)>], part: &[usize]) -> Vec<Vec<usize>> {
    let positions: FxHashMap<usize, u32> = part.iter().copied().zip(0..).collect();
    let inner: Vec<Vec<u32>> = part
        .iter()
        .map(|state| transitions[*state].iter().filter_map(|(_, to)| positions.get(to).copied()).collect())
        .collect();
    let numbers = components(part.len(), |node| &inner[node]);
    let count = numbers.iter().max().map_or(0, |most| *most as usize + 1);
    let mut divided = vec![Vec::new(); count];
    part.iter().zip(numbers).for_each(|(state, number)| divided[number as usize].push(*state));
    divided
}

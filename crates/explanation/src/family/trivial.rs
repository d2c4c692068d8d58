//! Sums that say nothing: those that are at their most at the start, whatever their places.
//!
//! A family comes in, and goes out without the productions that only begin such sets.

use std::collections::BTreeSet;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_text::index::Idx;

use super::Family;
use crate::grammar::{Grammar, Production};

impl Family {
    /// Drops what only begins sums that no marking breaks, reachable or not. Of other kinds nothing is dropped.
    pub(crate) fn drop_trivial(&mut self, grammar: &Grammar) {
        if !matches!(grammar.shapes[self.root].kind, InvariantKind::Linear(_)) {
            return;
        }
        let is_exact = self.is_exact(grammar);
        // Whether a component may weigh more than where it starts: in sums that never change, something else.
        let changes = |one: &Production| {
            one.starts.iter().zip(&one.places).any(|(starts, weights)| {
                let starts = starts.iter().map(|state| weights[state.index()]);
                starts.min().is_some_and(|start| {
                    weights.iter().any(|weight| *weight > start || is_exact && *weight < start)
                })
            })
        };
        let mut changing: BTreeSet<usize> = BTreeSet::new();
        let can_change = |one: &Production, changing: &BTreeSet<usize>| {
            changes(one) || one.children.iter().any(|child| changing.contains(child))
        };
        loop {
            let own = self.productions.iter().map(|id| &grammar.productions[*id]);
            let own = own.filter(|one| can_change(one, &changing)).map(|one| one.shape);
            let new: Vec<usize> = own.filter(|shape| !changing.contains(shape)).collect();
            if new.is_empty() {
                break;
            }
            changing.extend(new);
        }
        let begins = |one: &Production| {
            let is_something =
                !one.is_empty() || one.children.iter().any(|child| !grammar.shapes[*child].is_empty);
            grammar.shapes[one.shape].is_hidden() && is_something
        };
        let mut fewer = self.clone();
        fewer.productions.retain(|id| {
            let one = &grammar.productions[*id];
            !begins(one) || can_change(one, &changing)
        });
        fewer.trim(grammar);
        if fewer.productions.iter().any(|id| grammar.productions[*id].shape == self.root) {
            *self = fewer;
        }
    }
}

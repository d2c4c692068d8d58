//! Which nets are the same up to the names of their components.
//!
//! Two nets of one system are *isomorphic* if the components of one can be mapped to those of the other,
//! one to one, so that types and initial states are the same and transitions go to transitions, each as
//! often as in the other net (what a component does in it, its port included, stays the same; the rule
//! and the order of the participants don't count), and local patterns to local patterns of the same
//! group. Isomorphic nets have the same behaviour and the same errors.
//!
//! [`canonical_form`] gives isomorphic nets the same form and others different ones. It is found by
//! *individualisation and refinement* (McKay and Piperno, *Practical graph isomorphism, II*, 2014), in
//! three steps: `graph`, the net as a hypergraph on components; `refine`, colours by neighbourhood;
//! `search`, which breaks ties in all ways that are not known to be the same. Colours are hashes: they
//! guide the search, and what is compared in the end is exact.
//!
//! Rejected: a library. Those that are kept up are bindings to nauty or ports of it under the Apache
//! licence alone, which a build with MONA can't be linked with.

use crate::instance::net::Net;
use paramcheck_text::limits::Budget;

mod graph;
mod refine;
mod search;

#[cfg(test)]
mod tests;

/// How much work [`canonical_form`] does for one net, in participations of components in transitions
/// looked at: fractions of a second.
pub(crate) const MAX_WORK: u64 = 20_000_000;

/// What isomorphic nets, and no others, have in common. Nets of different systems can't be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalForm(Box<[u32]>);

/// The canonical form of `net`; `None` where that takes more than [`MAX_WORK`], or `budget` ends.
pub fn canonical_form(net: &Net, budget: &Budget) -> Option<CanonicalForm> {
    let graph = graph::Graph::new(net);
    search::least_form(&graph, MAX_WORK, budget).map(|form| CanonicalForm(form.into_boxed_slice()))
}

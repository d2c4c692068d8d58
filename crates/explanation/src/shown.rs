//! What an explanation consists of: plain data with names, which can be serialised.
//!
//! Made by [`explain`](crate::explain); put into words for a terminal by who prints it. Nothing is found out here.

use std::collections::BTreeSet;

use serde::Serialize;

use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{Marking, Net};

use crate::pattern::Pattern;

/// See the crate's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The term of the instance that the sets are spelled out in.
    pub instance: String,
    /// Its number of components.
    pub size: usize,
    /// The number of markings that it has more of, if its error markings are not counted for that.
    pub too_large: Option<usize>,
    /// In how many instances, this one included unless it is too large, the error markings were held against the sets.
    pub instances: usize,
    /// The largest of them has so many components.
    pub up_to_size: usize,
    /// How many instances of up to so many components there are, if not too many to count.
    pub of_instances: Option<usize>,
    /// These are all instances of up to so many components; 0 where some of the smallest were left out.
    pub all_up_to_size: usize,
    /// So many.
    pub all_instances: usize,
    /// The rules by which no node of any of these instances is.
    pub missing_rules: Vec<String>,
    /// If there are such rules: the term of the smallest instance that has all rules, where it was found.
    pub smallest_with_all: Option<String>,
    /// Whether that has too many markings to hold them against the sets.
    pub is_all_too_large: bool,
    /// Where no marking in the error was found, of whatever instance: up to how many components it was searched for.
    /// Then the sets are only what the proof says of the instance.
    pub no_error_up_to: Option<usize>,
    /// Why the error is not reached.
    #[serde(flatten)]
    pub reason: Reason,
    /// The interactions that never fire and are needed for that, each with its own reason.
    pub never_fires: Vec<NeverFires>,
    /// How many interactions the certificate shows never to fire, the needed ones included.
    pub dropped: usize,
    /// Where this is not the proof that was found first, but one that is easier to follow: by which kinds of sets.
    pub instead: Option<String>,
}

/// Why some markings are not reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The sets.
    pub sets: Vec<ShownSet>,
    /// Pairs of states that exclude each other.
    pub exclusive: Vec<ShownPair>,
    /// Positions in [`Explanation::never_fires`] of interactions that would have to be enabled.
    pub enabled: Vec<usize>,
    /// How many markings of the instance would be errors, if they were reached.
    pub error_markings: usize,
    /// Where the instance has too many markings to look at each: whether what is said here excludes all that are
    /// errors, if a search found that out.
    pub is_enough: Option<bool>,
    /// How many of them nothing that is here excludes: 0, unless something was too large to be looked at.
    pub open: usize,
    /// Why they are not, in a sentence.
    pub contradiction: Vec<String>,
    /// How many shapes of sets the certificate lists, and how many of them occur here.
    pub shapes: usize,
    /// See `shapes`.
    pub used_shapes: usize,
}

/// A set of places, in every instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSet {
    /// Its kind, as in `trap` or `exactly:2`.
    pub kind: String,
    /// What always holds, and of what, in a sentence that one can say to someone who knows the model.
    pub summary: String,
    /// Whether it is a sum that never changes: then less than at the start is excluded too.
    pub is_exact: bool,
    /// What always holds, in a sentence that ends before the places.
    pub says: String,
    /// Why it always holds.
    pub because: String,
    /// Of a sum: which steps change it, and how, a line each.
    pub steps: Vec<String>,
    /// The places by rule and variable, a line each.
    pub places: Vec<String>,
    /// How nodes that differ are called in `places`, a line each; empty where no node differs.
    pub nodes: Vec<String>,
    /// The places by rule and variable, as data.
    pub pattern: Pattern,
    /// The sets in the instance, each as a list of places.
    pub sets: Vec<Vec<Place>>,
    /// Per set the weight of what is marked at the start; then per set of [`ShownSet::alike_sets`].
    pub initially: Vec<i64>,
    /// How many error markings of the instance it excludes; 0 where they are not counted.
    pub excludes: usize,
    /// Where the set is not needed in the instance: one where it is.
    pub elsewhere: Option<Elsewhere>,
    /// Positions in [`Explanation::never_fires`] of interactions that would break it.
    pub needs: Vec<usize>,
    /// Other sets that are needed too: of the same kind, of the same states, but at other places.
    pub alike: Vec<Pattern>,
    /// Per pattern of `alike` what always holds, as in `summary`.
    pub alike_summaries: Vec<String>,
    /// Their sets in the instance.
    pub alike_sets: Vec<Vec<Place>>,
}

/// Another instance in which a set is spelled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// Its term.
    pub instance: String,
    /// The sets there, each as a list of places; with those of [`ShownSet::alike`].
    pub sets: Vec<Vec<Place>>,
    /// Per set the weight of what is marked at the start.
    pub initially: Vec<i64>,
}

/// A place of an instance.
#[derive(Clone, Debug, PartialEq, Hash, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The component.
    pub component: String,
    /// Its state.
    pub state: String,
    /// The state's position among those of the component's type.
    #[serde(skip)]
    pub(crate) number: usize,
    /// How much it weighs; 1 unless the kind has weights.
    pub weight: i64,
}

/// Two states that exclude each other at every node of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPair {
    /// The rule.
    pub rule: String,
    /// A variable of it and a state of its component, as in `x in busy`.
    pub first: String,
    /// The other.
    pub second: String,
    /// In a sentence.
    pub says: String,
    /// Why it is so.
    pub because: String,
}

/// A participant of an interaction, and its transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The variable of the rule.
    pub variable: String,
    /// The component type.
    pub component: String,
    /// The port.
    pub port: String,
    /// The state that is left.
    pub from: String,
    /// The state that is entered.
    pub to: String,
}

/// An interaction that never fires, in one combination of transitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NeverFires {
    /// The rule.
    pub rule: String,
    /// The interaction's position in the rule, from 0.
    pub interaction: usize,
    /// Who would do what: `out(x) busy -> idle, in(y) idle -> busy`.
    pub text: String,
    /// The same per participant, in the order of the interaction.
    pub moves: Vec<Move>,
    /// Why it never fires; its error markings are those in which it is enabled.
    #[serde(flatten)]
    pub reason: Reason,
}

impl ShownSet {
    /// The sets that are spelled out, in the instance or, where that has none, elsewhere: each once, with the weight of
    /// what is marked at the start. Sets without places are left out.
    pub fn spelled_out(&self) -> Vec<(&[Place], i64)> {
        let own = self.sets.iter().chain(&self.alike_sets).zip(&self.initially);
        let others = self.elsewhere.iter().flat_map(|one| one.sets.iter().zip(&one.initially));
        let mut found: Vec<(&[Place], i64)> = Vec::new();
        match self.elsewhere {
            None => own.for_each(|(places, start)| push(&mut found, places, *start)),
            Some(_) => others.for_each(|(places, start)| push(&mut found, places, *start)),
        }
        found
    }
}

fn push<'a>(found: &mut Vec<(&'a [Place], i64)>, places: &'a [Place], start: i64) {
    if !places.is_empty() && found.iter().all(|(known, _)| *known != places) {
        found.push((places, start));
    }
}

impl Reason {
    /// The dropped interactions that it rests on, by their position in the certificate.
    pub(crate) fn needs(&self) -> BTreeSet<usize> {
        self.sets.iter().flat_map(|set| &set.needs).chain(&self.enabled).copied().collect()
    }

    /// With interactions named by their position in `order`.
    pub(crate) fn renumbered(mut self, order: &[usize]) -> Reason {
        let number = |one: &mut usize| *one = order.iter().position(|known| known == one).unwrap_or(*one);
        self.enabled.iter_mut().for_each(number);
        self.sets.iter_mut().flat_map(|set| &mut set.needs).for_each(number);
        self
    }
}

/// How much of `set`, a set of places of `net`, is marked in `marking`.
pub fn marked_weight(system: &System, net: &Net, set: &[Place], marking: &Marking) -> i64 {
    let mut sum = 0;
    for (id, component) in net.components().enumerate() {
        let state = marking.get(id).map(|state| &system.types[component.component_type].states[*state].name);
        let own = set.iter().filter(|place| place.component == component.name && Some(&place.state) == state);
        sum += own.map(|place| place.weight).sum::<i64>();
    }
    sum
}

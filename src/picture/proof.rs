//! Sets of places of a proof in an instance: the architecture at the start, with the places of the sets written
//! into the boxes of their components, and what always holds of them. Each set has a colour, which the legend
//! explains.

use super::view::View;
use super::{TooLarge, architecture};
use paramcheck_explanation::{Place, ShownSet};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;

/// A set of places to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawnSet<'a> {
    /// Its number, as `why` counts the sets, from 1.
    pub number: usize,
    /// What is said of it.
    pub set: &'a ShownSet,
    /// Its places in the instance.
    pub places: &'a [Place],
}

/// The picture of sets of places in an instance, of which no more than
/// [`MAX_SETS`](super::MAX_SETS) can be told apart.
///
/// # Errors
/// [`TooLarge`], as for an architecture.
pub fn proof(
    system: &System,
    (tree, net): (&RewritingTree, &Net),
    sets: &[DrawnSet<'_>],
) -> Result<String, TooLarge> {
    let mut view = View::default();
    for component in net.components().indices() {
        let known = &net.components()[component];
        let states = &system.types[known.component_type].states;
        for (colour, drawn) in sets.iter().enumerate() {
            for place in drawn.places.iter().filter(|place| place.component == known.name) {
                let state = states.indices().find(|&state| states[state].name == place.state);
                view.places.extend(state.map(|state| (component, state, colour)));
            }
        }
    }
    view.caption = match sets {
        [only] => vec![
            format!("{} ({}):", only.set.says, only.set.kind),
            "those in frames; a bold one is marked at the start".to_owned(),
        ],
        _ => vec!["the sets by the colours of the frames; a bold place is marked at the start".to_owned()],
    };
    view.sets = sets.iter().map(|drawn| key(drawn, sets.len() > 1)).collect();
    architecture(system, tree, net, &net.initial(), &view)
}

/// What the legend says of a set.
fn key(drawn: &DrawnSet<'_>, is_one_of_several: bool) -> String {
    let DrawnSet { number, set, places } = drawn;
    let mut text = match is_one_of_several {
        true => format!("set {number}: {} ({})", set.summary, set.kind),
        false => format!("set {number} ({})", set.kind),
    };
    let weighed = places.iter().filter(|place| place.weight != 1);
    let weights: Vec<String> =
        weighed.map(|place| format!("{} {} counts {}", place.component, place.state, place.weight)).collect();
    if !weights.is_empty() {
        text = format!("{text}; {}", weights.join(", "));
    }
    text
}

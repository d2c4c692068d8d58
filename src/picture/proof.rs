//! A set of places of a proof in an instance: the architecture at the start, with the places of the set written
//! into the boxes of their components, and what always holds of them above.

use super::view::View;
use super::{TooLarge, architecture};
use paramcheck_explanation::{Explained, Place, ShownSet};
use paramcheck_model::system::System;

/// The picture of `places`, which are those of `set` in the instance of the explanation.
///
/// # Errors
/// [`TooLarge`], as for an architecture.
pub fn proof(
    system: &System,
    explained: &Explained,
    set: &ShownSet,
    places: &[Place],
) -> Result<String, TooLarge> {
    let net = &explained.net;
    let mut view = View::default();
    for component in net.components().indices() {
        let known = &net.components()[component];
        let states = &system.types[known.component_type].states;
        for place in places.iter().filter(|place| place.component == known.name) {
            let state = states.indices().find(|&state| states[state].name == place.state);
            view.places.extend(state.map(|state| (component, state)));
        }
    }
    view.caption = vec![
        format!("{} ({}):", set.says, set.kind),
        "those in frames; a bold one is marked at the start".to_owned(),
    ];
    let weighed = places.iter().filter(|place| place.weight != 1);
    let weights: Vec<String> =
        weighed.map(|place| format!("{} {} counts {}", place.component, place.state, place.weight)).collect();
    if !weights.is_empty() {
        view.caption.push(weights.join(", "));
    }
    architecture(system, &explained.tree, net, &net.initial(), &view)
}

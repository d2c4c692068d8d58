//! A set of places of a proof in an instance: the architecture, with the components coloured that have places in
//! the set, and these places written in them. What is marked at the start has a colour of its own.

use super::architecture::{Face, drawn};
use super::geometry::point;
use super::svg::{Anchor, FAINT, Lettering};
use super::{TooLarge, font};
use paramcheck_explanation::{Explained, Place, ShownSet};
use paramcheck_model::system::System;

/// The colour of components that have places in the set, none of them marked at the start.
const IN_SET: &str = "#9fd3f2";
/// The colour of those of which one is marked at the start.
const MARKED: &str = "#f3c677";
/// The colour of the others.
const OUTSIDE: &str = "#ffffff";
const SMALL: Lettering = Lettering { size: 11.0, bold: false, colour: FAINT, rim: false };
/// How wide the lines below the picture are, in letters.
const WIDTH: usize = 80;

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
    let faces = net.components().iter().map(|component| {
        let own = places.iter().filter(|place| place.component == component.name);
        let initial = &system.types[component.component_type].states[component.initial].name;
        let (mut words, mut is_marked) = (Vec::new(), false);
        for place in own {
            is_marked |= place.state == *initial;
            words.push(match place.weight {
                1 => place.state.clone(),
                weight => format!("{weight:+} {}", place.state),
            });
        }
        let colour = match (words.is_empty(), is_marked) {
            (true, _) => OUTSIDE,
            (false, true) => MARKED,
            (false, false) => IN_SET,
        };
        Face { text: words.join(" | "), colour }
    });
    let mut canvas = drawn(system, &explained.tree, net, &net.initial(), faces.collect())?;
    let covered = canvas.covered();
    let left = covered.centre.x - covered.half.x;
    let mut y = covered.centre.y + covered.half.y + 30.0;
    canvas.begin("legend", "");
    let below = format!(
        "{} ({}): those written in the coloured boxes. Blue: none is marked at the start; orange: one is.",
        set.says, set.kind
    );
    for line in lines(&below) {
        canvas.text(&line, point(left, y), Anchor::Start, SMALL);
        y += font::width("M", SMALL.size) * 1.6;
    }
    canvas.end();
    Ok(canvas.finish(&format!("{}: a set of a proof, {}", system.name(), set.kind)))
}

/// The text, broken between words.
fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

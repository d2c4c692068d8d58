//! Which exchanges are found, by name.

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::unfold::unfold;
use crate::model::lower::load;

/// The families of the only instance of `text` with so many components.
fn families(text: &str, size: usize, errors: &[&str]) -> Vec<String> {
    let loaded = load(text);
    let Some(system) = loaded.system else { panic!("{:#?}", loaded.diagnostics) };
    let tree = trees(&system, size).next().expect("an instance");
    let net = unfold(&system, &tree);
    let formulas: Vec<_> = errors.iter().map(|name| system.error_named(name).expect(name).formula).collect();
    let formulas: Vec<_> = formulas.iter().collect();
    let found = Symmetry::new(&net, &Layout::new(&net), &formulas, &Budget::unlimited()).unwrap();
    let name = |id: &ComponentId| net.components()[*id].name.as_str();
    let group = |group: &Vec<ComponentId>| group.iter().map(name).collect::<Vec<_>>().join(" ");
    let family = |family: &Family| family.groups.iter().map(group).collect::<Vec<_>>().join(", ");
    found.families().iter().map(family).collect()
}

const TYPES: &str = "
    component Hub { states idle, busy; init idle; idle -give-> busy; busy -get-> idle; }
    component Leaf { states out, in; init out; out -enter-> in; in -leave-> out; }
    component Fork { states free, used; init free; free -take-> used; used -put-> free; }";

#[test]
fn leaves_of_a_star_are_interchangeable() {
    let star = format!(
        "{TYPES} S() <- new h . (Hub(h), L(h));
         L(h) <- new x . <give(h) enter(x) + get(h) leave(x)> (Leaf(x), L(h));
         L(h) <- new x . <give(h) enter(x) + get(h) leave(x)> forbid special <in(x)> (Leaf(x));"
    );
    assert_eq!(families(&star, 5, &[]), ["Leaf#1, Leaf#2, Leaf#3, Leaf#4"]);
    // The pattern is about one of them.
    assert_eq!(families(&star, 5, &["special"]), ["Leaf#1, Leaf#2, Leaf#3"]);
}

#[test]
fn leaves_with_a_fork_are_exchanged_together() {
    let star = format!(
        "{TYPES} S() <- new h . (Hub(h), L(h));
         L(h) <- new x, f . <give(h) enter(x) take(f) + get(h) leave(x) + put(f)> (Leaf(x), Fork(f), L(h));
         L(h) <- new x, f . <give(h) enter(x) take(f) + get(h) leave(x) + put(f)> (Leaf(x), Fork(f));"
    );
    assert_eq!(families(&star, 7, &[]), ["Leaf#1 Fork#1, Leaf#2 Fork#2, Leaf#3 Fork#3"]);
}

#[test]
fn subtrees_are_exchanged_and_their_leaves_within() {
    let tree = format!(
        "{TYPES} S() <- new h . (Hub(h), T(h), T(h));
         T(h) <- new g, x, y . <give(h) get(g) + give(g) enter(x) + give(g) enter(y)> (Hub(g), Leaf(x), Leaf(y));"
    );
    assert_eq!(
        families(&tree, 7, &[]),
        ["Leaf#1, Leaf#2", "Leaf#3, Leaf#4", "Hub#2 Leaf#1 Leaf#2, Hub#3 Leaf#3 Leaf#4"]
    );
}

#[test]
fn neighbours_in_a_chain_are_not_interchangeable() {
    let chain = format!(
        "{TYPES} S() <- new x . (C(x)); C(x) <- new y . <enter(x) leave(y)> (Leaf(x), C(y)) | (Leaf(x));"
    );
    assert_eq!(families(&chain, 4, &[]), [""; 0]);
}

#[test]
fn the_search_is_ended_wherever_it_is() {
    // No two components can be exchanged, so every pair is looked at.
    let chain = format!(
        "{TYPES} S() <- new x . (Leaf(x), C(x));
         C(x) <- new y . <enter(x) leave(y)> (Leaf(y), C(y)) | new y . <enter(x)> (Leaf(y));"
    );
    let system = load(&chain).system.expect("a system");
    let net = unfold(&system, &trees(&system, 30).next().expect("an instance"));
    let ended = |mut left: usize| {
        let step = &mut || {
            left = left.checked_sub(1).ok_or(Stop::Time)?;
            Ok(())
        };
        let mut finder = Finder::new(&net, &[], step)?;
        finder.find_single(step)?;
        finder.find_groups(step)
    };
    for steps in (0..30).chain([100, 400, 800]) {
        assert_eq!(ended(steps), Err(Stop::Time), "{steps}");
    }
    assert_eq!(ended(1_000_000), Ok(()));
}

//! Which exchanges are found, by name.

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::unfold::unfold;
use paramcheck_model::lower::load;

/// The families of the only instance of `text` with the given number of components.
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

/// Chains of three, whose ends are interchangeable, in an order that is not the same in each.
const CHAINS: &str = "
    component T { states s0, s1; init s0; s0 -p-> s1; }
    S() <- new a, b, c, d, e, f, g, h, i .
        <p(h) p(i) + p(b) p(c) + p(g) p(h) + p(d) p(e) + p(e) p(f) + p(a) p(b)>
        (T(a), T[s1](b), T(c), T(d), T(e), T[s1](f), T(g), T(h), T(i));";

#[test]
fn what_exchanges_make_of_a_marking_has_the_same_representative() {
    let two_levels = format!(
        "{TYPES} S() <- new h . (Hub(h), T(h), T(h), T(h));
         T(h) <- new g . <give(h) get(g)> (Hub(g), U(g), U(g));
         U(h) <- new g, x, y . <give(h) get(g) + give(g) enter(y) + give(g) enter(x)> (Leaf(x), Hub(g), Leaf(y));"
    );
    let tangled = format!(
        "{TYPES} S() <- new h, a, b, x, y, z, u, v, w .
            <give(h) get(a) + give(h) get(b) + give(a) enter(z) + give(b) enter(u) + give(a) enter(x) + give(b) enter(w)
             + give(a) enter(y) + give(b) enter(v)>
            (Leaf(u), Hub(a), Leaf(x), Leaf(w), Hub(h), Leaf(z), Hub(b), Leaf(v), Leaf(y));"
    );
    let mut seed = 1_u64;
    let mut number = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for (text, size, groups) in [(CHAINS, 9, 3), (two_levels.as_str(), 22, 3), (tangled.as_str(), 9, 2)] {
        let system = load(text).system.expect("a system");
        let net = unfold(&system, &trees(&system, size).next().expect("an instance"));
        let layout = Layout::new(&net);
        let symmetry = Symmetry::new(&net, &layout, &[], &Budget::unlimited()).unwrap();
        let outermost = symmetry.families().last().expect("a family");
        assert_eq!(outermost.groups.len(), groups, "{:?}", symmetry.families());
        assert!(outermost.groups[0].len() > 1, "{:?}", symmetry.families());
        let mut keys = Vec::new();
        let mut normal = |mut state: [u64; 1]| {
            symmetry.normalize(&layout, &mut state, &mut keys);
            state
        };
        for _ in 0..500 {
            let counts = net.components().iter().map(|component| component.state_count);
            let marking = counts.map(|count| StateId::new(number(count))).collect();
            let mut state: [u64; 1] = layout.pack(&marking);
            let representative = normal(state);
            assert_eq!(normal(representative), representative, "{text}");
            for _ in 0..5 {
                let family = &symmetry.families()[number(symmetry.families().len())];
                let pair = [number(family.groups.len()), number(family.groups.len())];
                let [one, other] = pair.map(|group| &family.groups[group]);
                for (&one, &other) in one.iter().zip(other) {
                    let states = [one, other].map(|id| layout.get(&state, id));
                    layout.set(&mut state, one, states[1]);
                    layout.set(&mut state, other, states[0]);
                }
                assert_eq!(normal(state), representative, "{text}");
            }
        }
    }
}

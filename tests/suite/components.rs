//! Formulas over components (`wsks { … }`): what the library makes of them, against the definition of truth
//! evaluated over explicit components and sets of components.

use std::collections::BTreeSet;

use paramcheck_model::error::print::print_formula;
use paramcheck_model::error::wsks::ComponentFormula;
use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::lower::{load, lower_error};
use paramcheck_model::syntax::ast::{ErrorDefinition, ErrorExpression};
use paramcheck_model::syntax::parse_error_definition;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

pub(super) mod brute;
pub(super) mod random;

use super::support::scale::count;
use brute::{Components, truth};

/// Three types; `s` and `t` are states of two of them, `one` is a type and a state's neighbour.
pub(super) const SYSTEM: &str = "
component A { states s, t, u; init s; s -p-> t; t -p-> u; u -p-> s; }
component B { states s, t, w; init *; s -p-> t; t -p-> w; w -p-> s; }
component One { states only; init only; only -p-> only; }
Sys() <- new a, b, c . <p(a) p(b) + p(c)> (A(a), B(b), One(c), More());
More() <- new a, b . <p(a) p(b)> (A(a), B(b), More()) | new c . <p(c)> One(c);
";

pub(super) fn system() -> System {
    load(SYSTEM).system.unwrap()
}

/// Reads a formula over components.
pub(super) fn read(system: &System, formula: &str) -> (ErrorDefinition, NamedError) {
    let (definition, diagnostics) = parse_error_definition(&format!("e = wsks {{ {formula} }}"));
    assert!(diagnostics.is_empty(), "{formula}: {diagnostics:?}");
    let definition = definition.unwrap();
    let (lowered, _) =
        lower_error(system, &definition).unwrap_or_else(|found| panic!("{formula}: {found:?}"));
    (definition, lowered)
}

fn components(error: &NamedError) -> &ComponentFormula {
    let ErrorFormula::Components(formula) = &error.formula else { panic!("not a formula over components") };
    formula
}

/// How many components are of each colour.
fn colours(formula: &ComponentFormula, components: &Components) -> Vec<u64> {
    let colours = formula.colours().iter();
    colours.map(|places| components.iter().filter(|place| places.contains(*place)).count() as u64).collect()
}

/// The truth of a combination of counts.
fn counted(formula: &ErrorFormula, components: &Components) -> bool {
    match formula {
        ErrorFormula::Count(count) => {
            let sum = components.iter().map(|&(component, state)| {
                let weights =
                    count.weights.iter().filter(|weight| (weight.0, weight.1) == (component, state));
                weights.map(|weight| weight.2).sum::<u64>()
            });
            count.comparison.holds(sum.sum(), count.bound)
        }
        ErrorFormula::Not(inner) => !counted(inner, components),
        ErrorFormula::And(parts) => parts.iter().all(|part| counted(part, components)),
        ErrorFormula::Or(parts) => parts.iter().any(|part| counted(part, components)),
        other => panic!("{other:?} is no combination of counts"),
    }
}

/// Components at random places, `count` of them.
fn some_components(system: &System, count: usize, rng: &mut SmallRng) -> Components {
    let places: Vec<_> = system
        .types
        .enumerate()
        .flat_map(|(id, component)| component.states.indices().map(move |state| (id, state)))
        .collect();
    // Few different places, so that there are several components at one.
    let some: Vec<_> =
        (0..rng.random_range(1..=4)).map(|_| places[rng.random_range(0..places.len())]).collect();
    (0..count).map(|_| some[rng.random_range(0..some.len())]).collect()
}

/// Whether the three ways agree on a formula for these components.
fn check(system: &System, text: &str, all: &[Components]) -> (usize, bool) {
    let (definition, error) = read(system, text);
    let ErrorExpression::Wsks(wsks) = &definition.body else { panic!("not a formula over components") };
    let formula = components(&error);
    let reduced = error.formula.counting();
    let mut held = 0;
    for components in all {
        let expected = truth(system, &wsks.formula, components);
        let counts = colours(formula, components);
        assert_eq!(formula.holds(&counts, 50_000_000), Ok(expected), "{text}\n{components:?}");
        if let Ok(reduced) = &reduced {
            assert_eq!(
                counted(reduced, components),
                expected,
                "{text}\n{}\n{components:?}",
                print_formula(system, reduced)
            );
        }
        held += usize::from(expected);
    }
    (held, reduced.is_ok())
}

#[test]
fn random_formulas_mean_what_they_should() {
    let system = system();
    let (mut held, mut failed, mut reduced, mut changing) = (0, 0, 0, 0);
    for seed in 0..count(400, 1_500) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (text, set_quantifiers) = random::formula(&mut rng);
        let most = [7, 6, 4, 3][set_quantifiers.min(3)];
        let all: Vec<Components> = (0..=most)
            .chain(0..=most)
            .chain([most, most, most])
            .map(|count| some_components(&system, count, &mut rng))
            .collect();
        let (yes, is_reduced) = check(&system, &text, &all);
        held += yes;
        failed += all.len() - yes;
        reduced += usize::from(is_reduced);
        changing += usize::from(yes > 0 && yes < all.len());
    }
    // The test is not vacuous: both answers, formulas with both, and mostly with counts.
    let [each, both, counted] =
        [count(400, 3_000), count(50, 400), count(100, 1_000)].map(|least| least as usize);
    assert!(held > each && failed > each, "{held} {failed}");
    assert!(changing > both && reduced > counted, "{changing} {reduced}");
}

#[test]
fn counts_above_the_threshold_make_no_difference() {
    let system = system();
    let (mut checked, mut constant) = (0, 0);
    for seed in 0..count(200, 600) {
        let mut rng = SmallRng::seed_from_u64(1_000_000 + seed);
        let (text, _) = random::formula(&mut rng);
        let (_, error) = read(&system, &text);
        let formula = components(&error);
        let Ok(reduced) = error.formula.counting() else { continue };
        let threshold = formula.threshold();
        let mut answers = BTreeSet::new();
        for _ in 0..12 {
            let counts: Vec<u64> =
                formula.colours().iter().map(|_| rng.random_range(0..=threshold + 3)).collect();
            let Ok(expected) = formula.holds(&counts, 400_000) else { continue };
            let capped: Vec<u64> = counts.iter().map(|&count| count.min(threshold)).collect();
            assert_eq!(formula.holds(&capped, 400_000), Ok(expected), "{text}: {counts:?}");
            // One component of each colour's first place, as often as the colour counts.
            let components: Components = formula
                .colours()
                .iter()
                .zip(&counts)
                .flat_map(|(places, &count)| (0..count).map(move |_| places[0]))
                .collect();
            assert_eq!(counted(&reduced, &components), expected, "{text}: {counts:?}");
            answers.insert(expected);
            checked += 1;
        }
        constant += u64::from(answers.len() == 1);
    }
    assert!(checked > count(500, 3_000) && constant < count(190, 500), "{checked} {constant}");
}

#[test]
fn what_is_printed_is_read_back() {
    let system = system();
    for seed in 0..500 {
        let (text, _) = random::formula(&mut SmallRng::seed_from_u64(2_000_000 + seed));
        let (_, error) = read(&system, &text);
        let printed = print_formula(&system, &error.formula);
        let inside = printed.strip_prefix("wsks { ").and_then(|rest| rest.strip_suffix(" }")).unwrap();
        let (_, again) = read(&system, inside);
        assert_eq!(print_formula(&system, &again.formula), printed, "{text}");
        for _ in 0..4 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let components_there = some_components(&system, 5, &mut rng);
            let before = components(&error).holds(&colours(components(&error), &components_there), 5_000_000);
            let after = components(&again).holds(&colours(components(&again), &components_there), 5_000_000);
            assert_eq!(before, after, "{text}\n{printed}");
        }
    }
}

/// The number of components at each place, in the order `A.s A.t A.u B.s B.t B.w One.only`.
fn at(system: &System, counts: [usize; 7]) -> Components {
    let places = system
        .types
        .enumerate()
        .flat_map(|(id, component)| component.states.indices().map(move |state| (id, state)));
    places.zip(counts).flat_map(|(place, count)| (0..count).map(move |_| place)).collect()
}

#[test]
fn known_formulas_mean_what_is_known() {
    let system = system();
    let holds = |text: &str, counts: [usize; 7]| {
        let components = at(&system, counts);
        let (definition, _) = read(&system, text);
        let ErrorExpression::Wsks(wsks) = definition.body else { panic!("not a formula over components") };
        check(&system, text, std::slice::from_ref(&components));
        truth(&system, &wsks.formula, &components)
    };
    let nothing = [0; 7];
    for (text, counts, expected) in [
        // No components: nothing exists, everything holds of all; but there is the empty set.
        ("ex1 x: true", nothing, false),
        ("all1 x: false", nothing, true),
        ("ex2 X: true", nothing, true),
        ("all2 X: false", nothing, false),
        ("ex2 X: X = A", nothing, true),
        ("ex2 X: X != A", nothing, false),
        ("true", nothing, true),
        // States of several types, types, one state of one type.
        ("ex1 x: x in s", [0, 0, 0, 1, 0, 0, 0], true),
        ("ex1 x: x in A.s", [0, 0, 0, 1, 0, 0, 0], false),
        ("all1 x: x in B", [0, 0, 0, 1, 1, 1, 0], true),
        ("A.s sub s & !(s sub A.s)", [1, 0, 0, 1, 0, 0, 0], true),
        ("A = B", [1, 0, 0, 1, 0, 0, 0], false),
        // Hidden names: the innermost counts.
        ("ex1 x: x in A & (ex1 x: x in B)", [1, 0, 0, 1, 0, 0, 0], true),
        ("all1 x: x in A => (all2 x: x sub A | ex1 y: y in x & y notin A)", [2, 0, 0, 1, 0, 0, 0], true),
        ("ex2 s: ex1 x: x in s & x in A.t", [0, 1, 0, 0, 0, 0, 0], true),
        // At least two, exactly two, exactly one.
        ("ex1 x, y: x in s & y in s & x != y", [1, 0, 0, 1, 0, 0, 0], true),
        ("ex1 x, y: x in s & y in s & x != y", [0, 1, 0, 1, 0, 0, 0], false),
        ("ex1 x, y: x != y & all1 z: z = x | z = y", [1, 1, 0, 0, 0, 0, 0], true),
        ("ex1 x, y: x != y & all1 z: z = x | z = y", [1, 1, 0, 0, 0, 0, 1], false),
        ("ex1 x: all1 y: y = x", [0, 0, 0, 0, 0, 0, 1], true),
        // A set that is neither empty nor everything needs two.
        ("ex2 X: X sub A & X != A & ex1 x: x in X", [1, 0, 0, 5, 0, 0, 0], false),
        ("ex2 X: X sub A & X != A & ex1 x: x in X", [1, 1, 0, 0, 0, 0, 0], true),
        // Alternation: every set has a larger one, but for the largest.
        ("all2 X: ex2 Y: X sub Y & (X = Y => all1 x: x in X)", [2, 0, 0, 1, 0, 0, 0], true),
        ("all2 X: ex1 x: x notin X", [2, 0, 0, 1, 0, 0, 0], false),
        // An equivalence, an implication.
        ("(ex1 x: x in s) <=> (ex1 x: x in t)", [1, 0, 0, 0, 0, 1, 0], false),
        ("(ex1 x: x in s) => (ex1 x: x in t) => (ex1 x: x in w)", [1, 0, 0, 0, 0, 0, 0], true),
    ] {
        assert_eq!(holds(text, counts), expected, "{text} {counts:?}");
    }
}

#[test]
fn reductions_are_small_where_formulas_are() {
    let system = system();
    let reduced = |text: &str| {
        let (_, error) = read(&system, text);
        print_formula(&system, &error.formula.counting().unwrap())
    };
    assert_eq!(reduced("ex1 x, y: x in s & y in s & x != y"), "#A.s + #B.s >= 2");
    assert_eq!(reduced("all1 x, y: x in w & y in w => x = y"), "#B.w < 2");
    assert_eq!(reduced("ex1 x: x in s & x in t"), "false");
    assert_eq!(reduced("all2 X: X sub X"), "true");
    assert_eq!(reduced("ex1 x: x in A.s & all1 y: y in s => x = y"), "#A.s == 1 & #B.s == 0");
    assert_eq!(reduced("ex2 X: X sub w & X != w & ex1 x: x in X"), "#B.w >= 2");
    // Every component is in one of two states, so none is elsewhere.
    assert_eq!(reduced("all1 x: x in w | x in u"), "#A.s + #A.t + #B.s + #B.t + #One.only == 0");
}

/// Thirteen classes of states would be too many; of the type that has twelve of them there is no component.
#[test]
fn types_without_components_make_no_cases() {
    let states: Vec<String> = (0..12).map(|number| format!("s{number}")).collect();
    let many = states.join(", ");
    let differ: Vec<String> = states.iter().map(|state| format!("!(x in Spare.{state})")).collect();
    let formula = format!("ex1 x, y: x in on & y in on & x != y & {}", differ.join(" & "));
    let text = format!(
        "component Used {{ states on, off; init off; off -go-> on; }}
         component Spare {{ states {many}; init s0; s0 -go-> s1; }}
         S() <- new x, y . <go(x) go(y)> (Used(x), Used(y));
         error two = wsks {{ {formula} }};"
    );
    let system = load(&text).system.unwrap();
    let error = system.error_named("two").unwrap();
    assert_eq!(print_formula(&system, &error.formula.counting().unwrap()), "#Used.on >= 2");
    assert_eq!(read(&system, &formula).1.formula, error.formula);
}

#[test]
fn too_many_cases_are_refused_not_guessed() {
    let system = system();
    let sets = "ex2 P, Q, R: all1 x: x in P | x in Q | x in R | x in A.s | x in A.t | x in B.w | x in One";
    let (_, error) = read(&system, sets);
    assert_eq!(
        error.formula.counting().unwrap_err().to_string(),
        "a formula over components tells 5 classes of states apart, each counted up to 8: more than 4096 cases"
    );
    // Together with other errors as well.
    let joined = ErrorFormula::Or(vec![ErrorFormula::Deadlock, ErrorFormula::Not(Box::new(error.formula))]);
    assert!(joined.counting().is_err());
    assert!(ErrorFormula::Deadlock.counting().is_ok());
    // Sixty-four variables are a threshold of 2^64.
    let names: Vec<String> = (0..63).map(|number| format!("X{number}")).collect();
    let all = names.iter().map(|name| format!("x in {name}")).collect::<Vec<_>>().join(" | ");
    let (_, error) = read(&system, &format!("ex2 {}: ex1 x: {all}", names.join(", ")));
    assert_eq!(components(&error).threshold(), 1 << 63);
    assert!(error.formula.counting().is_err());
    assert!(
        components(&error).holds(&[100, 100], 10_000).is_err() || components(&error).colours().len() == 1
    );
}

#[test]
fn colours_are_the_places_that_a_formula_cannot_tell_apart() {
    let system = system();
    let colours = |text: &str| {
        let (_, error) = read(&system, text);
        let names = |places: &Vec<_>| -> Vec<String> {
            places.iter().map(|&(component, state)| system.state_name(component, state)).collect()
        };
        components(&error).colours().iter().map(names).collect::<Vec<_>>()
    };
    assert_eq!(
        colours("ex1 x: x in s & x notin A"),
        [vec!["A.s"], vec!["A.t", "A.u"], vec!["B.s"], vec!["B.t", "B.w", "One.only"]]
    );
    assert_eq!(colours("ex1 x: x = x").len(), 1);
    assert_eq!(system.types.indices().map(Idx::index).sum::<usize>(), 3);
}

//! The certificate checker: proofs written by hand are accepted; spoilt, stolen and forged ones are not.

use std::fs;
use std::path::Path;

use paramcheck::certificate::check::rejection::{Fault, Section};
use paramcheck::certificate::check::{self, Rejection};
use paramcheck::certificate::data::{
    self, Certificate, Configuration, DroppedInteraction, ErrorState, Move, ParameterSet, Part, Place,
    PredicateSet, Proof, Refuting,
};
use paramcheck::model::system::System;
use paramcheck::support::limits::{Budget, Stop};

use super::support;
use super::support::forge::{self, Edit, Which};

/// A ring with one token.
const RING: &str = "
    component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
    Ring()        <- new y1, y2 . <out(y2) in(y1)> (Chain(y1, y2));
    Chain(x1, x2) <- <out(x1) in(x2)> (Node(x1), Node[busy](x2));
    Chain(x1, x2) <- new y . <out(x1) in(y)> (Node(x1), Chain(y, x2));
    error exclusion = #busy >= 2;";

/// A lock that any number of leaves know.
const STAR: &str = "
    component Hub  { states free, taken; init free; free -grant-> taken; taken -back-> free; }
    component Leaf { states out, inside; init out; out -enter-> inside; inside -leave-> out; }
    Star() <- new h . (Hub(h), Leaves(h));
    Leaves(h) <- new x . <enter(x) grant(h) + leave(x) back(h)> (Leaf(x), Leaves(h));
    Leaves(h) <- new x . <enter(x) grant(h) + leave(x) back(h)> (Leaf(x));
    error crowd = #inside >= 2;";

/// The second interaction needs the first, which never fires.
const DEAD: &str = "
    component A { states s, t, v; init s; s -p-> t; t -q-> v; }
    component B { states u, w; init u; w -r-> u; }
    component C { states a, b; init a; a -z-> b; }
    Three() <- new x, y, c . <p(x) r(y) + q(x) z(c)> (A(x), B(y), C(c));
    error moved = #C.b >= 1;";

fn state(name: &str) -> String {
    name.to_owned()
}

fn part(rule: &str, variable: &str, kind: &str, component: &str, states: &[&str]) -> Part {
    let states = states.iter().copied().map(state).collect();
    let [rule, variable, kind, component] = [rule, variable, kind, component].map(str::to_owned);
    Part { rule, variable, kind, component, states }
}

fn set(predicate: &str, kind: &str, parameters: &[(&str, &[&str])], initial: u64) -> PredicateSet {
    let shown = parameters.iter().map(|(component, states)| ParameterSet {
        component: (*component).to_owned(),
        states: states.iter().copied().map(state).collect(),
    });
    let parameters = shown.collect();
    PredicateSet { predicate: predicate.to_owned(), kind: kind.to_owned(), parameters, initial }
}

fn configuration(
    predicate: &str,
    places: &[(&str, &str)],
    error: ErrorState,
    refuting: &[(usize, u64)],
) -> Configuration {
    let place = |(component, state): &(&str, &str)| Place {
        component: (*component).to_owned(),
        state: (*state).to_owned(),
    };
    Configuration {
        predicate: predicate.to_owned(),
        places: places.iter().map(place).collect(),
        error,
        refuting: refuting.iter().map(|(set, marked)| Refuting { set: *set, marked: *marked }).collect(),
    }
}

fn counted(sum: u64) -> ErrorState {
    ErrorState { counts: vec![sum], ..ErrorState::default() }
}

fn seen(pattern: bool) -> ErrorState {
    ErrorState { patterns: vec![pattern], ..ErrorState::default() }
}

fn certificate(system: &str, error: &str, formula: &str, proof: Proof) -> Certificate {
    Certificate {
        format: "paramcheck-certificate".to_owned(),
        version: data::VERSION,
        system: system.to_owned(),
        error: error.to_owned(),
        formula: formula.to_owned(),
        dropped: Vec::new(),
        proof,
    }
}

/// The example of `docs/certificate.md`: the ring never deadlocks.
fn ring_deadlock() -> Certificate {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/certificate.md");
    let page = fs::read_to_string(path).expect("the page is there");
    let (_, rest) = page.split_once("```json\n").expect("the page has an example");
    let (json, _) = rest.split_once("```").expect("the example ends");
    serde_json::from_str(json).expect("the example is a certificate")
}

/// The ring has one token: the set of all `busy` places is a mutex.
fn ring_exclusion() -> Certificate {
    let parts = [("Chain.1", "x1"), ("Chain.1", "x2"), ("Chain.2", "x1")];
    let parts = parts.map(|(rule, variable)| part(rule, variable, "mutex", "Node", &["busy"])).to_vec();
    let busy: (&str, &[&str]) = ("Node", &["busy"]);
    let sets = vec![set("Chain", "mutex", &[busy, busy], 1), set("Ring", "mutex", &[], 1)];
    let mut configurations = Vec::new();
    for (first, first_busy) in [("idle", 0), ("busy", 1)] {
        for (last, last_busy) in [("idle", 0), ("busy", 1)] {
            for sum in first_busy + last_busy..=3 {
                let places = [("Node", first), ("Node", last)];
                configurations.push(configuration("Chain", &places, counted(sum), &[(0, sum.min(2))]));
            }
        }
    }
    for sum in 0..=3 {
        configurations.push(configuration("Ring", &[], counted(sum), &[(1, sum.min(2))]));
    }
    certificate("Ring", "exclusion", "#Node.busy >= 2", Proof { parts, sets, configurations })
}

/// One leaf at a time: `free` and all `inside` places are a mutex.
fn star_crowd() -> Certificate {
    let parts = vec![
        part("Star.1", "h", "mutex", "Hub", &["free"]),
        part("Leaves.1", "x", "mutex", "Leaf", &["inside"]),
        part("Leaves.2", "x", "mutex", "Leaf", &["inside"]),
        part("Leaves.2", "h", "mutex", "Hub", &["free"]),
    ];
    let sets = vec![set("Leaves", "mutex", &[("Hub", &["free"])], 0), set("Star", "mutex", &[], 1)];
    let mut configurations = Vec::new();
    for hub in ["free", "taken"] {
        for sum in 0..=3 {
            let claims = [(0, sum.min(2))];
            configurations.push(configuration("Leaves", &[("Hub", hub)], counted(sum), &claims));
        }
    }
    for (sum, claims) in [(0, &[][..]), (1, &[]), (2, &[(1, 2)]), (3, &[(1, 2)])] {
        configurations.push(configuration("Star", &[], counted(sum), claims));
    }
    certificate("Star", "crowd", "#Leaf.inside >= 2", Proof { parts, sets, configurations })
}

/// First `p r` is dropped (B is never in `w`), then `q z` (so A is never in `t`), then C stays in `a`.
fn dead_moved() -> Certificate {
    let proof = |a: &[&str], b: &[&str], c: &[&str], configurations| Proof {
        parts: vec![
            part("Three.1", "x", "siphon", "A", a),
            part("Three.1", "y", "siphon", "B", b),
            part("Three.1", "c", "siphon", "C", c),
        ],
        sets: vec![set("Three", "siphon", &[], 0)],
        configurations,
    };
    let occurs = || {
        vec![
            configuration("Three", &[], seen(false), &[]),
            configuration("Three", &[], seen(true), &[(0, 1)]),
        ]
    };
    let step = |component: &str, from: &str, to: &str| Move {
        component: component.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
    };
    let drop = |interaction, combination: [Move; 2], proof| DroppedInteraction {
        rule: "Three.1".to_owned(),
        interaction,
        combination: combination.to_vec(),
        proof,
    };
    let counts = vec![
        configuration("Three", &[], counted(0), &[]),
        configuration("Three", &[], counted(1), &[(0, 1)]),
    ];
    let mut certificate = certificate("Three", "moved", "#C.b >= 1", proof(&[], &[], &["b"], counts));
    certificate.dropped = vec![
        drop(0, [step("A", "s", "t"), step("B", "w", "u")], proof(&[], &["w"], &[], occurs())),
        drop(1, [step("A", "t", "v"), step("C", "a", "b")], proof(&["t"], &[], &[], occurs())),
    ];
    certificate
}

/// The proofs by hand, each with its model and the same model made wrong.
fn proofs_by_hand() -> Vec<(&'static str, String, Certificate)> {
    vec![
        (RING, RING.replace("(Node(x1), Node[busy](x2))", "(Node(x1), Node(x2))"), ring_deadlock()),
        (RING, RING.replace("(Node(x1), Node[busy](x2))", "(Node[*](x1), Node[busy](x2))"), ring_exclusion()),
        (STAR, STAR.replace("inside -leave-> out;", "inside -leave-> out; out -> inside;"), star_crowd()),
        (DEAD, DEAD.replace("init u", "init w"), dead_moved()),
    ]
}

fn verdict(system: &System, certificate: &Certificate) -> Result<(), Rejection> {
    check::check_against_model(system, certificate, &Budget::unlimited())
}

#[test]
fn proofs_by_hand_are_accepted() {
    for (model, _, certificate) in proofs_by_hand() {
        let system = support::system(model);
        assert_eq!(verdict(&system, &certificate), Ok(()), "{}", certificate.error);
    }
}

#[test]
fn spoilt_proofs_are_refused() {
    for (model, _, certificate) in proofs_by_hand() {
        let system = support::system(model);
        let mut accepted = Vec::new();
        for (edit, spoilt) in forge::mutations(&system, &certificate) {
            if verdict(&system, &spoilt).is_ok() {
                accepted.push(edit);
            }
        }
        println!("{}: {accepted:#?}", certificate.error);
    }
}

#[test]
fn nothing_proves_that_a_broken_system_is_safe() {
    for (_, broken, certificate) in proofs_by_hand() {
        let system = support::system(&broken);
        assert!(verdict(&system, &certificate).is_err(), "{}", certificate.error);
        for (edit, spoilt) in forge::mutations(&system, &certificate) {
            assert!(verdict(&system, &spoilt).is_err(), "{}: {edit}", certificate.error);
        }
        for (forgery, forged) in forge::forgeries(&certificate) {
            assert!(verdict(&system, &forged).is_err(), "{}: {forgery}", certificate.error);
        }
    }
}

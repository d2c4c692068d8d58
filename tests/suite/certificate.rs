//! The certificate checker: proofs written by hand are accepted; spoilt, stolen and forged ones are not.

use std::fs;
use std::path::Path;

use paramcheck_certificate::check::rejection::Fault;
use paramcheck_certificate::check::{self, Rejection};
use paramcheck_certificate::data::{
    self, Certificate, Configuration, DroppedInteraction, ErrorState, Move, ParameterSet, Part, Place,
    PredicateSet, Proof, Refuting,
};
use paramcheck_model::system::System;
use paramcheck_nets::explore::sweep::Sweep;
use paramcheck_text::limits::{Budget, Stop};

use super::support;
use super::support::forge::{self, Edit, Need, Which};
use super::support::random;
use super::support::repair::{Kind, Limits, Outcome, repair};

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

/// A wheel that turns whenever a rider gets on.
const WHEEL: &str = "
    component Wheel { states zero, one, two; init zero; zero -turn-> one; one -turn-> two; two -turn-> zero; }
    component Rider { states off, on; init off; off -climb-> on; }
    Wheels() <- new w . (Wheel(w), Riders(w));
    Riders(w) <- new r . <climb(r) turn(w)> (Rider(r));
    Riders(w) <- new r . <climb(r) turn(w)> (Rider(r), Riders(w));
    error skipped = #zero == 1 & #on == 1;";

fn state(name: &str) -> String {
    name.to_owned()
}

fn part(rule: &str, variable: &str, kind: &str, component: &str, states: &[&str]) -> Part {
    let states = states.iter().copied().map(state).collect();
    let [rule, variable, kind, component] = [rule, variable, kind, component].map(str::to_owned);
    Part { rule, variable, kind, component, states, weights: None }
}

fn set(predicate: &str, kind: &str, parameters: &[(&str, &[&str])], initial: u64) -> PredicateSet {
    let shown = parameters.iter().map(|(component, states)| ParameterSet {
        component: (*component).to_owned(),
        states: states.iter().copied().map(state).collect(),
        weights: None,
    });
    let parameters = shown.collect();
    PredicateSet { predicate: predicate.to_owned(), kind: kind.to_owned(), parameters, initial }
}

fn configuration(
    predicate: &str,
    places: &[(&str, &str)],
    error: ErrorState,
    refuting: &[(usize, i64)],
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

fn counted(sum: i64) -> ErrorState {
    ErrorState { counts: vec![sum.unsigned_abs()], ..ErrorState::default() }
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
        exclusive: Vec::new(),
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

/// The same by a sum: a leaf inside weighs 1 more than outside, a hub taken 1 less than free. Whether the hub
/// is free is not known at the root, where the lower bound is for either case.
fn star_crowd_by_sum() -> Certificate {
    let weigh = |mut part: Part| {
        part.weights = Some(vec![1]);
        part
    };
    let parts = vec![
        weigh(part("Star.1", "h", "linear:3", "Hub", &["free"])),
        weigh(part("Leaves.1", "x", "linear:3", "Leaf", &["inside"])),
        weigh(part("Leaves.2", "x", "linear:3", "Leaf", &["inside"])),
        weigh(part("Leaves.2", "h", "linear:3", "Hub", &["free"])),
    ];
    let mut sets = vec![set("Leaves", "linear:3", &[("Hub", &["free"])], 0), set("Star", "linear:3", &[], 0)];
    sets[0].parameters[0].weights = Some(vec![1]);
    let mut configurations = Vec::new();
    for hub in ["free", "taken"] {
        for sum in 0..=3 {
            configurations.push(configuration("Leaves", &[("Hub", hub)], counted(sum), &[(0, sum)]));
        }
    }
    for sum in 0..=3 {
        configurations.push(configuration("Star", &[], counted(sum), &[(1, sum - 1)]));
    }
    certificate("Star", "crowd", "#Leaf.inside >= 2", Proof { parts, sets, configurations })
}

/// Small kinds.
const KINDS: [Kind; 8] = [
    ("trap", 1, (0, 0)),
    ("mutex", 1, (0, 2)),
    ("siphon", 0, (0, 1)),
    ("at-most-one", 1, (0, 2)),
    ("parity", 0, (0, 1)),
    ("exactly:2", 2, (0, 3)),
    ("linear:2", 0, (-2, 2)),
    ("modulo:3", 0, (0, 2)),
];

/// The proofs by hand, each with its model and the same model made wrong.
fn proofs_by_hand() -> Vec<(&'static str, String, Certificate)> {
    vec![
        (RING, RING.replace("(Node(x1), Node[busy](x2))", "(Node(x1), Node(x2))"), ring_deadlock()),
        (RING, RING.replace("(Node(x1), Node[busy](x2))", "(Node[*](x1), Node[busy](x2))"), ring_exclusion()),
        (STAR, STAR.replace("inside -leave-> out;", "inside -leave-> out; out -> inside;"), star_crowd()),
        (
            STAR,
            STAR.replace("inside -leave-> out;", "inside -leave-> out; out -> inside;"),
            star_crowd_by_sum(),
        ),
        (DEAD, DEAD.replace("init u", "init w"), dead_moved()),
    ]
}

fn verdict(system: &System, certificate: &Certificate) -> Result<(), Rejection> {
    verdict_within(system, certificate, &Budget::unlimited())
}

/// Checks the certificate for the error of the model that it names; for `deadlock`, if the model has no such
/// error.
fn verdict_within(system: &System, certificate: &Certificate, budget: &Budget) -> Result<(), Rejection> {
    let error = system.error_named(&certificate.error).unwrap_or_else(System::deadlock);
    check::check(system, &error, certificate, budget)
}

#[test]
fn proofs_by_hand_are_accepted() {
    for (model, _, certificate) in proofs_by_hand() {
        let system = support::system(model);
        assert_eq!(verdict(&system, &certificate), Ok(()), "{}", certificate.error);
    }
}

/// The edits after which the proofs by hand still are proofs, and why.
fn is_harmless(certificate: &Certificate, edit: &Edit) -> bool {
    let proof = |which: &Which| match which {
        Which::Main => &certificate.proof,
        Which::Dropped(index) => &certificate.dropped[*index].proof,
    };
    if certificate.proof.sets[0].kind == "linear:3" {
        let marked = |position: &usize| proof(&Which::Main).configurations[*position].refuting[0].marked;
        match edit {
            // Lower bounds imply lower ones.
            Edit::AddClaim(_, position, claim) => return claim.marked < marked(position),
            // Where three or more are inside, two suffice; so does a sum that is 1 too large.
            Edit::ChangeMarked(_, 3, _, 2) | Edit::ChangeMarked(_, 11, _, 1) => return true,
            // Fewer than two inside need not be refuted.
            Edit::ChangeMarked(_, position @ (8 | 9), _, lower) => return *lower < marked(position),
            Edit::RemoveClaim(_, 8 | 9, _) => return true,
            _ => {}
        }
    }
    match (certificate.error.as_str(), edit) {
        (_, Edit::RemoveConfiguration(which, position)) => {
            forge::need(proof(which), *position) != Need::Needed
        }
        // A trap that is marked refutes nothing: the claim is ignored.
        ("deadlock", Edit::AddClaim(_, _, claim)) => claim.marked == 1,
        // Rings with fewer than two tokens need not be refuted.
        ("exclusion", Edit::RemoveClaim(Which::Main, position @ (12 | 13), 0)) => {
            certificate.proof.configurations[*position].error.counts[0] < 2
        }
        // While C is in `a`, `b` is not marked, indeed.
        ("moved", Edit::AddClaim(Which::Main, 0, claim)) => claim.marked == 0,
        // Larger siphons: what enters `t` leaves `w`, `t` is entered from nowhere once `p r` is dropped,
        // `v` from `t` only, `w` is entered from nowhere, `b` is entered together with `v`.
        ("moved", Edit::ToggleInPart(which, _, state)) => matches!(
            (which, state.as_str()),
            (Which::Dropped(0), "t") | (Which::Dropped(1), "v" | "w" | "b") | (Which::Main, "t" | "v" | "w")
        ),
        _ => false,
    }
}

#[test]
fn spoilt_proofs_are_refused() {
    for (model, _, certificate) in proofs_by_hand() {
        let system = support::system(model);
        for edit in forge::edits(&system, &certificate) {
            let verdict = verdict(&system, &edit.apply(&system, &certificate));
            let name = &certificate.error;
            assert_eq!(verdict.is_ok(), is_harmless(&certificate, &edit), "{name}: {edit}: {verdict:?}");
        }
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let system = support::system(RING);
    let refuse = |edit: Edit| {
        let spoilt = edit.apply(&system, &ring_deadlock());
        verdict(&system, &spoilt).expect_err("the proof is spoilt").to_string()
    };
    let texts = [
        (Edit::Header("version"), "the certificate's version is `2`, but it should be `1`"),
        (Edit::Header("error"), "the certificate's error is `deadlockx`, but it should be `deadlock`"),
        (Edit::Header("formula"), "the certificate's formula is `deadlockx`, but it should be `deadlock`"),
        (
            Edit::RemoveConfiguration(Which::Main, 1),
            "the proof: not closed under rule Chain.1: no configuration for Chain(Node.idle, Node.busy) with unfinished",
        ),
        (
            Edit::RemovePart(Which::Main, 4),
            "the proof: not closed under rule Chain.2: no configuration for Chain(Node.idle, Node.idle) with \
             unfinished claims only what follows: configurations[0] has refuting[0]",
        ),
        (
            Edit::RemoveClaim(Which::Main, 3, 0),
            "the proof: configurations[3] is an error at the root, and none of its sets refutes it",
        ),
        (
            Edit::ChangeSetKind(Which::Main, 0, "flow"),
            "the proof: sets[0]: no kind of invariant is called `flow`",
        ),
        (
            Edit::ChangeMarked(Which::Main, 0, 0, 7),
            "the proof: configurations[0]: 7 is no marked count for set 0",
        ),
    ];
    for (edit, text) in texts {
        assert_eq!(refuse(edit), text);
    }
}

#[test]
fn malformed_documents_are_clean_errors() {
    let json = serde_json::to_string(&ring_deadlock()).expect("certificates can be written");
    let read = |text: &str| serde_json::from_str::<Certificate>(text);
    assert_eq!(read(&json).expect("and read again"), ring_deadlock());
    for (from, to) in [
        ("\"version\":1", "\"version\":-1"),
        ("\"version\":1", "\"version\":1,\"extra\":1"),
        ("\"marked\":0", "\"marked\":0.5"),
        ("\"set\":0", "\"set\":99999999999999999999"),
        ("\"dropped\":[],", ""),
        ("}", ""),
    ] {
        assert!(json.contains(from));
        assert!(read(&json.replacen(from, to, 1)).is_err(), "{from} to {to}");
    }
    assert!(read("").is_err() && read(&"[".repeat(1_000_000)).is_err());
    // What can be read but means nothing here.
    let system = support::system(RING);
    for (from, to) in [
        ("\"set\":0", "\"set\":3"),
        ("\"set\":0", "\"set\":2"),
        ("\"set\":0", "\"set\":18446744073709551615"),
        ("\"marked\":0", "\"marked\":9223372036854775807"),
        ("\"marked\":0", "\"marked\":-1"),
        ("\"states\":[\"busy\"]}", "\"states\":[\"busy\"],\"weights\":[1]}"),
        ("\"kind\":\"trap\"", "\"kind\":\"linear:1\""),
        ("\"initial\":1", "\"initial\":2"),
        ("\"Chain.1\"", "\"Chain.3\""),
        ("\"Chain.2\"", "\"Ring.1\""),
        ("\"x1\"", "\"z\""),
        ("\"Node\"", "\"Edge\""),
        ("\"idle\"", "\"sleeping\""),
        ("[\"busy\"]", "[\"busy\",\"busy\"]"),
        ("[\"busy\"]", "[\"busy\",\"idle\"]"),
        ("\"patterns\":[]", "\"patterns\":[false]"),
        ("\"counts\":[]", "\"counts\":[0]"),
        ("\"places\":[]", "\"places\":[{\"component\":\"Node\",\"state\":\"idle\"}]"),
        ("\"parameters\":[]", "\"parameters\":[{\"component\":\"Node\",\"states\":[]}]"),
    ] {
        assert!(json.contains(from), "{from}");
        let certificate = read(&json.replacen(from, to, 1)).expect("well-formed JSON");
        let rejection = verdict(&system, &certificate).expect_err(to);
        let is_malformed = matches!(&rejection, Rejection::Proof { fault, .. }
            if matches!(**fault, Fault::Malformed { .. }));
        assert!(is_malformed, "{to}: {rejection}");
    }
}

#[test]
fn dropped_interactions_must_be_of_the_model() {
    let system = support::system(DEAD);
    let spoil = |change: &dyn Fn(&mut DroppedInteraction)| {
        let mut certificate = dead_moved();
        change(&mut certificate.dropped[1]);
        verdict(&system, &certificate).expect_err("the dropped interaction is not the model's")
    };
    let rejections = [
        spoil(&|dropped| dropped.interaction = 2),
        spoil(&|dropped| dropped.interaction = usize::MAX),
        spoil(&|dropped| dropped.rule = "Three.2".to_owned()),
        spoil(&|dropped| dropped.combination.truncate(1)),
        spoil(&|dropped| dropped.combination[0].component = "C".to_owned()),
        spoil(&|dropped| dropped.combination[0].from = "s".to_owned()),
        spoil(&|dropped| dropped.combination[0].to = "s".to_owned()),
        spoil(&|dropped| dropped.combination.swap(0, 1)),
        spoil(&|dropped| *dropped = dead_moved().dropped.swap_remove(0)),
    ];
    for rejection in rejections {
        assert!(matches!(rejection, Rejection::Dropped { index: 1, .. }), "{rejection}");
    }
}

#[test]
fn a_check_can_be_cut_short() {
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Interrupted);
    let rejection = verdict_within(&support::system(RING), &ring_deadlock(), &budget);
    assert_eq!(rejection, Err(Rejection::Stopped(Stop::Interrupted)));
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

#[test]
fn the_checker_alone_can_prove() {
    let cases = [
        (RING, "deadlock", "trap"),
        (RING, "exclusion", "mutex"),
        (STAR, "crowd", "mutex"),
        (DEAD, "moved", "siphon"),
        (STAR, "crowd", "linear:2"),
        (WHEEL, "skipped", "modulo:3"),
    ];
    for (model, error, kind) in cases {
        let system = support::system(model);
        let error = system.error_named(error).expect("the error is defined");
        let kinds: Vec<_> = KINDS.into_iter().filter(|(name, _, _)| *name == kind).collect();
        let dropped = forge::first_combinations(&system);
        let outcome = repair(&system, &error, &kinds, dropped, Limits { sets: 200, steps: 5_000 });
        let Outcome::Accepted(certificate) = outcome else { panic!("{} is not proved", error.name) };
        assert_eq!(certificate.dropped.len(), if model == DEAD { 2 } else { 0 });
    }
}

/// Tries to prove whatever random systems have; the explorer must not find what was proved away.
/// Returns how many errors were proved and how many are reached (and so were not).
fn prove_random_systems(seeds: std::ops::Range<u64>, limits: Limits) -> (usize, usize) {
    let (mut proved, mut reached) = (0, 0);
    for seed in seeds {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            let found = Sweep::search(&system, &error.formula, 1..=5, 50_000).find(&Budget::unlimited());
            reached += usize::from(found.is_some());
            let kind = KINDS[seed as usize % KINDS.len()];
            // With dropped interactions, and without.
            for most in [0, 3] {
                let mut dropped = forge::first_combinations(&system);
                dropped.truncate(most);
                if let Outcome::Accepted(_) = repair(&system, &error, &[kind], dropped, limits) {
                    proved += 1;
                    let name = &error.name;
                    assert!(found.is_none(), "seed {seed}, {name}, {}\n{text}", kind.0);
                }
            }
        }
    }
    (proved, reached)
}

#[test]
fn what_the_checker_accepts_is_never_reached() {
    let (proved, reached) = prove_random_systems(support::seeds(20, 20), Limits { sets: 100, steps: 100 });
    assert!(proved >= 10 && reached >= 5, "{proved} proofs, {reached} errors reached: too few to tell");
}

/// The checker and the engine must not share a mistake: the checker sees the model and the document. That it
/// sees no other crate is Cargo's to enforce; that its own crate depends on no other, and that it does not
/// read models, is here.
#[test]
fn the_checker_imports_nothing_of_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/certificate");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let (_, dependencies) = manifest.split_once("[dependencies]\n").expect("dependencies");
    let (dependencies, _) = dependencies.split_once("\n[").expect("more sections");
    let ours = dependencies.lines().filter(|line| line.starts_with("paramcheck"));
    assert!(
        ours.eq(["paramcheck-model.workspace = true", "paramcheck-text.workspace = true"]),
        "{dependencies}"
    );
    let source = folder.join("src");
    let mut files = vec![source.join("check.rs")];
    for entry in fs::read_dir(source.join("check")).expect("the checker has parts") {
        let path = entry.expect("a readable folder").path();
        files.extend(path.is_file().then_some(path));
    }
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable file");
        assert!(!text.contains("paramcheck_model::lower"), "{}", file.display());
    }
}

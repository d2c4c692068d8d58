//! Lists of exclusive pairs against exploration: what is accepted is never together.

use super::*;
use paramcheck_model::lower::load;
use paramcheck_nets::explore::search::reachable;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::unfold::unfold;

fn system(text: &str) -> System {
    let loaded = load(text);
    loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// A hop of a chain: a is sent on by the sender, the receiver takes it and answers; stores are shared.
const HOPS: &str = "
    component S { states idle, sent; init idle; idle -put-> sent; sent -done-> idle; sent -> sent; }
    component D { states e, full; init e; e -in-> full; full -out-> e; full -drop-> e; }
    component Store { states empty, some; init empty; empty -fill-> some; some -take-> empty; }
    Line() <- new x . (Store(x), Hop(x));
    Hop(x) <- new s, d, y . <put(s) in(d) take(x) + done(s) out(d) fill(y)> (S(s), D(d), Store(y), Hop(y));
    Hop(x) <- new s, d . <put(s) in(d) + done(s) out(d)> (S(s), D(d));";

fn place(variable: &str, state: &str) -> data::PrivatePlace {
    data::PrivatePlace { variable: variable.to_owned(), state: state.to_owned() }
}

fn pair(rule: &str, first: (&str, &str), second: (&str, &str)) -> ExclusivePair {
    ExclusivePair { rule: rule.to_owned(), first: place(first.0, first.1), second: place(second.0, second.1) }
}

fn verdict(system: &System, listed: &[ExclusivePair]) -> Result<Exclusive, Rejection> {
    check(system, &Names::of(system), listed, &Budget::unlimited())
}

/// Every pair of places of private components of each rule.
fn all_pairs(system: &System) -> Vec<ExclusivePair> {
    let mut pairs = Vec::new();
    for rule in system.rules.iter() {
        let places: Vec<(&str, &str)> = rule
            .variables
            .indices()
            .filter_map(|variable| Some((variable, private(rule, variable)?)))
            .flat_map(|(variable, component)| {
                let states = system.types[component].states.iter();
                states.map(move |state| (rule.variables[variable].name.as_str(), state.name.as_str()))
            })
            .collect();
        for (position, &one) in places.iter().enumerate() {
            let others = places[..position].iter().filter(|other| other.0 != one.0);
            pairs.extend(others.map(|&other| pair(&rule.label, one, other)));
        }
    }
    pairs
}

/// The pairs that occur at some node in some reachable marking of a small instance, by position.
fn reached(system: &System, pairs: &[ExclusivePair], most: usize) -> Vec<bool> {
    let mut found = vec![false; pairs.len()];
    for tree in (1..=most).flat_map(|size| trees(system, size)) {
        let net = unfold(system, &tree);
        reachable(&net, 20_000, &Budget::unlimited(), |marking| {
            // Per node: rule, and variable and state of what it creates.
            let mut there: Vec<(&str, Vec<(&str, &str)>)> =
                tree.nodes.iter().map(|node| (system.rules[node.rule].label.as_str(), vec![])).collect();
            for (component, &state) in net.components().iter().zip(marking) {
                let rule = &system.rules[tree.nodes[component.node].rule];
                let atom = rule.instance_atoms().nth(component.atom).unwrap();
                let state = &system.types[component.component_type].states[state].name;
                there[component.node].1.push((rule.variables[atom.variable].name.as_str(), state.as_str()));
            }
            for (pair, found) in pairs.iter().zip(&mut found) {
                let of = |place: &data::PrivatePlace| (place.variable.clone(), place.state.clone());
                *found |= there.iter().any(|(rule, places)| {
                    let has = |wanted: (String, String)| {
                        places.iter().any(|&(variable, state)| variable == wanted.0 && state == wanted.1)
                    };
                    *rule == pair.rule && has(of(&pair.first)) && has(of(&pair.second))
                });
            }
        });
    }
    found
}

/// The largest list that is accepted, by taking out what is refused.
fn largest(system: &System) -> Vec<ExclusivePair> {
    let mut listed = all_pairs(system);
    loop {
        match verdict(system, &listed) {
            Ok(_) => return listed,
            Err(Rejection::Exclusive { index, .. }) => {
                listed.remove(index);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// Systems in which components of one rule depend on each other in various ways, and on the rest.
fn systems() -> Vec<System> {
    let variants = [
        ("", ""),
        // More initial states, moves by itself, interactions with others: less is excluded.
        ("init e; e -in-> full", "init e, full; e -in-> full"),
        ("sent -> sent;", "idle -> sent;"),
        ("full -drop-> e;", "full -> e;"),
        ("done(s) out(d) fill(y)", "done(s) fill(y) + put(s) drop(d)"),
        (
            "Hop(x) <- new s, d . <put(s) in(d) + done(s) out(d)>",
            "Hop(x) <- new s, d . <put(s) in(d) + out(d)>",
        ),
        // The channel is shown to a child, which may empty it.
        (
            "Hop(x) <- new s, d . <put(s) in(d) + done(s) out(d)> (S(s), D(d));",
            "Hop(x) <- new s, d . <put(s) in(d) + done(s) out(d)> (S(s), D(d), Thief(d));
             Thief(d) <- new t . <drop(d) put(t)> (S(t));",
        ),
    ];
    variants
        .iter()
        .map(|(from, to)| system(&HOPS.replacen(from, to, usize::from(!from.is_empty()))))
        .collect()
}

#[test]
fn what_excludes_is_never_together() {
    let mut accepted = 0;
    for system in systems() {
        let listed = largest(&system);
        let reached = reached(&system, &listed, 7);
        for (pair, is_reached) in listed.iter().zip(reached) {
            assert!(!is_reached, "{pair:?}");
            accepted += 1;
        }
        // One more is one too many.
        for extra in all_pairs(&system).into_iter().filter(|pair| !listed.contains(pair)) {
            assert!(verdict(&system, &[listed.as_slice(), &[extra]].concat()).is_err());
        }
    }
    assert!(accepted >= 6, "{accepted}");
}

#[test]
fn the_channel_is_full_only_while_the_sender_waits() {
    let system = system(HOPS);
    let idle_and_full = pair("Hop.1", ("s", "idle"), ("d", "full"));
    let sent_and_empty = pair("Hop.1", ("d", "e"), ("s", "sent"));
    assert!(verdict(&system, &[idle_and_full.clone(), sent_and_empty.clone()]).is_ok());
    // Each is kept by itself, for sender and channel move together.
    assert!(verdict(&system, std::slice::from_ref(&sent_and_empty)).is_ok());
    assert!(verdict(&system, &[pair("Hop.1", ("s", "idle"), ("d", "e"))]).is_err(), "they start there");
    assert!(verdict(&system, &[idle_and_full, pair("Hop.2", ("s", "sent"), ("d", "full"))]).is_err());
}

#[test]
fn lists_that_make_no_sense() {
    let system = system(HOPS);
    let wrong = [
        pair("Hop.3", ("s", "idle"), ("d", "full")),
        pair("Hop.1", ("t", "idle"), ("d", "full")),
        pair("Hop.1", ("s", "full"), ("d", "full")),
        pair("Hop.1", ("s", "idle"), ("s", "sent")),
        // Shown to others: a child, and the parent.
        pair("Hop.1", ("y", "some"), ("d", "full")),
        pair("Hop.1", ("x", "some"), ("d", "full")),
    ];
    for pair in wrong {
        let rejection = verdict(&system, std::slice::from_ref(&pair)).unwrap_err();
        assert!(matches!(rejection, Rejection::Exclusive { index: 0, .. }), "{pair:?}: {rejection}");
    }
}

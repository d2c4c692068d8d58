//! What several tests need: the corpus, random systems, and naive twins of the engines.

use std::fs;
use std::path::Path;

use paramcheck_invariants::outcome::Scout;
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::search::reachable;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::limits::Budget;
use serde_json::Value;

pub(super) mod dialogue;
pub(super) mod evaluate;
pub(super) mod flow;
pub(super) mod forge;
pub(super) mod naive;
pub(super) mod plain;
pub(super) mod random;
pub(super) mod repair;
pub(super) mod scale;
pub(super) mod standalone;
pub(super) mod subsets;
pub(super) mod tools;

pub(super) use scale::seeds;

/// How often the corpus states whether a set of invariants suffices alone.
pub(super) const ALONE: usize = 209;

/// Processes in which nothing is possible, or but one step, with one agent or two: `system {};`.
pub(super) const BARREN: [&str; 7] =
    ["0", "a.0 \\ {a}", "a.0 \\ {a} | 0", "0 | 0", "(0 | 0); 0", "(a.0 | b.0) \\ {a, b}", "tau.0"];

/// A file with one of these and checks.
pub(super) fn barren(system: &str) -> String {
    format!(
        "system {system}; check stops = deadlock; check ends = eventually terminated; check leaves = eventually \
         !terminated; check is_over = always terminated; check goes_on = always !terminated;"
    )
}

/// A scout that sees nothing.
pub(super) struct NoScout;

impl Scout for NoScout {}

/// The system of `text`, which has a meaning.
pub(super) fn system(text: &str) -> System {
    let loaded = load(text);
    loaded.system.unwrap_or_else(|| panic!("no system: {:#?}\n{text}", loaded.diagnostics))
}

/// The system of a case, as in `table1/star.rs`.
pub(super) fn case(name: &str) -> System {
    system(&read(name))
}

/// What is expected of the cases of a folder: model and error by name, and the entry.
pub(super) fn expected(folder: &str) -> Vec<(String, String, Value)> {
    let all: Value = serde_json::from_str(&read(&format!("{folder}/expected.json"))).expect("valid JSON");
    let models = all.as_object().expect("an object").iter();
    models
        .flat_map(|(model, errors)| {
            let errors = errors.as_object().expect("an object").iter();
            errors.map(move |(error, entry)| (format!("{folder}/{model}"), error.clone(), entry.clone()))
        })
        .collect()
}

/// The errors of a system, `deadlock` first.
pub(super) fn errors(system: &System) -> Vec<NamedError> {
    std::iter::once(System::deadlock()).chain(system.errors.iter().cloned()).collect()
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A ring of components with the given number of states. With many, MONA takes long and then fails.
#[cfg(all(feature = "mona", feature = "cli"))]
pub(super) fn large_ring(states: usize) -> String {
    let list = |separator: &str, item: &dyn Fn(usize) -> String| {
        (0..states).map(item).collect::<Vec<_>>().join(separator)
    };
    format!(
        "component Node {{ states {}; init s0; {} }}\n\
         link l(x, y) = <{}>;\n\
         Ring() <- new a, b . <l(b, a)> (Chain(a, b));\n\
         Chain(x, y) <- <l(x, y)> (Node(x), Node[s1](y));\n\
         Chain(x, z) <- new y . <l(x, y)> (Node(x), Chain(y, z));\n\
         error two = #s1 >= 2;\n",
        list(", ", &|s| format!("s{s}")),
        list(" ", &|s| format!("s{s} -p{s}-> s{};", (s + 1) % states)),
        list(" + ", &|s| format!("p{s}(x) p{}(y)", (s + 1) % states)),
    )
}

/// Whether `holds` is true in one of the first `max_states` reachable markings of `net`.
pub(super) fn reaches(net: &Net, max_states: usize, holds: impl Fn(&Marking) -> bool) -> bool {
    let mut is_reached = false;
    reachable(net, max_states, &Budget::unlimited(), |marking| is_reached |= holds(marking));
    is_reached
}

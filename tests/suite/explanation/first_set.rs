//! What an explanation says first holds of all trees, not of a few.

use std::collections::BTreeSet;
use std::path::Path;

use paramcheck_explanation::explain;
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{Options, Status, decide};

use super::{explained_within_reason, is_wide, models};
use crate::suite::support;

/// A leader is elected in a binary tree: for each error one set is the whole argument.
const ELECTION: &str = "tests/cases/found/tree-election.rs";

fn system_of(path: &Path) -> System {
    let text = std::fs::read_to_string(path).expect("a model");
    paramcheck::load(&text).system.expect("a system")
}

/// What is said first is the argument: it has places in every instance that was looked at, or says where it has.
#[test]
fn the_first_set_is_there_in_every_tree_or_says_that_it_is_not() {
    let mut models = models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/trees"));
    models.push(Path::new(env!("CARGO_MANIFEST_DIR")).join(ELECTION));
    let mut said = 0;
    for path in models {
        let system = system_of(&path);
        if is_wide(&system) {
            continue;
        }
        for error in support::errors(&system) {
            let what = format!("{}: {}", path.display(), error.name);
            let Some(explained) = explained_within_reason(&system, &error) else { continue };
            let reason = &explained.explanation.reason;
            let Some(first) = reason.sets.first() else { continue };
            let is_partial = ["only", "each", "any ", "some"].iter().any(|word| first.summary.contains(word));
            let smallest = usize::try_from(smallest_size(&system)).expect("small");
            for tree in (smallest..=explained.explanation.up_to_size).flat_map(|size| trees(&system, size)) {
                let net = unfold(&system, &tree);
                let sets = first.pattern.sets_in(&system, &tree, &net);
                let has_places = sets.iter().flatten().flatten().any(|weight| *weight != 0);
                assert!(has_places || is_partial, "{what}: {}", first.summary);
            }
            said += 1;
        }
    }
    assert!(said > 5, "{said}");
}

/// An election in trees has one argument for each error, whatever the instance that it is spelled out in.
#[test]
fn an_election_in_trees_is_explained_by_one_set_whatever_is_shown() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(ELECTION);
    let system = system_of(&path);
    for error in support::errors(&system).iter().filter(|error| error.name != "deadlock") {
        let options = Options { max_states: 2_000, ..Options::default() };
        let Status::Proved(proved) = decide(&system, error, &options).expect("no bug").status else {
            panic!("{} is proved", error.name)
        };
        let certificate = proved.certificate.expect("the direct engine gives one");
        let wanted = [None, trees(&system, 5).next(), trees(&system, 7).last(), trees(&system, 9).next()];
        let summaries = wanted.iter().map(|tree| {
            let explained = explain(&system, error, &certificate, tree.as_ref(), &Budget::unlimited());
            let sets = explained.expect("small enough").explanation.reason.sets;
            sets.into_iter().map(|set| set.summary).collect::<Vec<_>>()
        });
        let summaries: BTreeSet<Vec<String>> = summaries.collect();
        assert_eq!(summaries.len(), 1, "{summaries:#?}");
        assert!(summaries.iter().all(|sets| sets.len() == 1), "{summaries:#?}");
        assert!(summaries.iter().flatten().all(|set| set.starts_with("the Root, ")), "{summaries:#?}");
    }
}

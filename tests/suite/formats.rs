//! Instances in the languages of other programs: that they are what the explorer explores.
//!
//! Every model of the corpus is written at a few sizes and read by the program it is written for, which must
//! agree on the number of states, on deadlock and on every error.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_emulation::emit::Instance;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{Reduction, explore_net};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::limits::Budget;

use super::backends::instances as triples;
use super::support::{errors, random, seeds, system};

/// Holds a program's `check` against the explorer on all models, a test per folder.
macro_rules! agrees_on_all_models {
    ($why_ignored:literal) => {
        fn check_folder(number: usize) {
            super::corpus(super::FOLDERS[number]).for_each(|explored| check(&explored));
        }

        #[test]
        #[cfg_attr(not(long_tests), ignore = $why_ignored)]
        fn agrees_on_the_examples() {
            check_folder(0);
        }

        #[test]
        #[cfg_attr(not(long_tests), ignore = $why_ignored)]
        fn agrees_on_table1() {
            check_folder(1);
        }

        #[test]
        #[cfg_attr(not(long_tests), ignore = $why_ignored)]
        fn agrees_on_more() {
            check_folder(2);
        }

        #[test]
        #[cfg_attr(not(long_tests), ignore = $why_ignored)]
        fn agrees_on_classic() {
            check_folder(3);
        }
    };
}

mod hostile;
mod nusmv;
mod petri;
mod spin;

/// The folders of the corpus, for a test each.
const FOLDERS: [&str; 4] = ["examples", "tests/cases/table1", "tests/cases/more", "tests/cases/classic"];

/// Instances with more reachable markings are left out.
const MAX_STATES: usize = 3_000;
/// Larger instances are left out.
const MAX_COMPONENTS: usize = 12;

/// An instance and the explorer's answer on it.
struct Explored {
    /// Model and size, for messages.
    name: String,
    system: System,
    tree: RewritingTree,
    net: Net,
    errors: Vec<NamedError>,
    /// The number of reachable markings.
    states: usize,
    /// Per error the number of reachable markings in it.
    reached: Vec<usize>,
}

impl Explored {
    /// Explores an instance; `None` where it is too large.
    fn new(name: &str, system: &System, tree: RewritingTree) -> Option<Explored> {
        let net = unfold_within(system, &tree, 20_000)?;
        let errors = errors(system);
        let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
        let options = SearchOptions { max_states: MAX_STATES, ..SearchOptions::default() };
        let budget = Budget::unlimited();
        let found = explore_net(system, &net, &formulas, Reduction::default(), &options, &budget);
        if found.end != End::Exhausted {
            return None;
        }
        assert!(found.errors.iter().all(|error| error.undecided == 0), "{name}");
        let name = format!("{name}, {} components", net.components().len());
        let reached = found.errors.iter().map(|error| error.count as usize).collect();
        Some(Explored { name, system: system.clone(), tree, net, errors, states: found.states, reached })
    }

    fn instance(&self) -> Instance<'_> {
        Instance {
            model: &self.name,
            system: &self.system,
            tree: &self.tree,
            net: &self.net,
            errors: &self.errors,
        }
    }
}

/// The models in a folder and those below it.
fn models(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path);
        }
    }
}

/// Per model of a folder: its two smallest instances and the largest that is not too large.
fn corpus(folder: &str) -> impl Iterator<Item = Explored> {
    let mut paths = BTreeSet::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut paths);
    assert!(paths.len() > 5);
    paths.into_iter().flat_map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        instances(&name, &fs::read_to_string(path).unwrap())
    })
}

/// A model's two smallest instances and the largest that is not too large.
fn instances(name: &str, text: &str) -> Vec<Explored> {
    let found = instances_of(name, &system(text));
    assert!(!found.is_empty(), "{name}");
    found
}

fn instances_of(name: &str, system: &System) -> Vec<Explored> {
    let mut found = Vec::new();
    for size in 1..=MAX_COMPONENTS {
        // Not always the first one: others may have other initial states, or branch more.
        let Some(tree) = trees(system, size).take(size).last() else { continue };
        let Some(explored) = Explored::new(name, system, tree) else { break };
        if found.len() > 2 {
            found.pop();
        }
        found.push(explored);
    }
    found
}

/// All formats agree on an instance.
fn check_all(explored: &Explored) {
    petri::check(explored);
    spin::check(explored);
    nusmv::check(explored);
    let Explored { name, system, net, errors, .. } = explored;
    let reached: Vec<bool> = explored.reached.iter().map(|count| *count > 0).collect();
    triples::check_all(name, system, net, errors, &reached);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn all_agree_on_random_systems() {
    let mut count = 0;
    for seed in seeds(30, 30) {
        let Some((text, system)) = random::system(seed) else { continue };
        for explored in instances_of(&format!("seed {seed}\n{text}"), &system).iter().take(2) {
            check_all(explored);
            count += 1;
        }
    }
    assert!(count > 0);
}

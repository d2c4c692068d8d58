//! Spin and NuSMV on instances of rewriting systems, by way of triples, against the explorer.

use std::fs;
use std::path::Path;

use paramcheck_emulation::backend::{Backend, nusmv, spin};
use paramcheck_emulation::instance::encode;
use paramcheck_emulation::question::Question;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{Reduction, explore_net};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::Budget;

use super::holds;
use crate::suite::support::{errors, system};

/// Larger instances are left out.
const MAX_COMPONENTS: usize = 6;
/// Instances with more reachable markings are left out.
const MAX_STATES: usize = 20_000;

/// A back end finds just those errors that are reached.
pub(crate) fn check(
    backend: &dyn Backend,
    name: &str,
    system: &System,
    net: &Net,
    errors: &[NamedError],
    reached: &[bool],
) {
    let structure = encode(system, net);
    for (error, reached) in errors.iter().zip(reached) {
        let question = Question::of_error(system, net, error).unwrap();
        let answer = holds(backend, name, &structure, &question, Schedule::Any);
        assert_eq!(answer, !reached, "{backend:?}, {name}, {}", error.name);
    }
}

/// Spin and NuSMV do.
pub(crate) fn check_all(name: &str, system: &System, net: &Net, errors: &[NamedError], reached: &[bool]) {
    let backends: [&dyn Backend; 2] = [&spin::Spin, &nusmv::NuSmv];
    for backend in backends {
        check(backend, name, system, net, errors, reached);
    }
}

/// Every error of the last tree of each size, by the explorer and by a back end.
fn check_folder(backend: &dyn Backend, folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    let mut count = 0;
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let system = system(&fs::read_to_string(&path).unwrap());
        let errors = errors(&system);
        let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
        for size in 1..=MAX_COMPONENTS {
            let Some(tree) = trees(&system, size).take(size).last() else { continue };
            let net = unfold_within(&system, &tree, 20_000).unwrap();
            let options = SearchOptions { max_states: MAX_STATES, ..SearchOptions::default() };
            let found =
                explore_net(&system, &net, &formulas, Reduction::default(), &options, &Budget::unlimited());
            if found.end != End::Exhausted {
                continue;
            }
            let reached: Vec<bool> = found.errors.iter().map(|reach| reach.count > 0).collect();
            check(backend, &format!("{name}, size {size}"), &system, &net, &errors, &reached);
            count += errors.len();
        }
    }
    assert!(count > 5, "{count}");
}

folders! {
    chains: "examples/chains";
    hierarchies: "examples/hierarchies";
    modelling: "examples/modelling";
    philosophers: "examples/philosophers";
    rings: "examples/rings";
    stars: "examples/stars";
    trees_: "examples/trees";
    unknown: "examples/unknown";
}

//! The one instance that a command is about, with the steps of a trace where one is given.
//!
//! From `--size`, `--tree`, `--trace` or `--candidate` to a [`SelectedInstance`]; commands about several instances use a
//! `Selection`.

use std::ops::RangeInclusive;
use std::path::Path;

use clap::error::ErrorKind;

use paramcheck::replay::{self, StandingCandidate};
use paramcheck::report::text::plural;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::select::MAX_TRANSITIONS;
use paramcheck_nets::instance::term::{parse_term, print_term};
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::source::SourceFile;

use super::args::SelectedArguments;
use super::console::Console;
use super::{Failure, candidate, files};

/// Instances of one size are counted up to this many.
const MAX_COUNTED: usize = 1_000;
/// How far from the given size others are looked for.
const MAX_DISTANCE: usize = 100;

/// An instance, and a firing sequence of it that replays (of no steps where no trace is given).
pub(super) struct SelectedInstance {
    /// The rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// The steps.
    pub steps: Vec<NetTransitionId>,
    /// The error that the trace or candidate is about, if there is one and it names one: its name and its
    /// definition.
    pub error: Option<(String, String)>,
    /// A marking that it is to stand at; it may not be reachable.
    pub marking: Option<Marking>,
}

impl SelectedInstance {
    /// Where it is to stand, or else where the steps end.
    pub(super) fn end(&self) -> Marking {
        self.marking.clone().unwrap_or_else(|| self.after(self.steps.len()))
    }

    /// Where the first `count` steps end.
    pub(super) fn after(&self, count: usize) -> Marking {
        let mut marking = self.net.initial();
        for change in self.steps.iter().take(count).flat_map(|&step| &self.net.transitions()[step].moves) {
            marking[change.component] = change.to;
        }
        marking
    }
}

/// The selected instance of `system`; `None`, with the reason reported, where there is none.
pub(super) fn find(
    system: &System,
    source: &SourceFile,
    wanted: &SelectedArguments,
    console: &mut Console,
) -> Result<Option<SelectedInstance>, Failure> {
    find_for(system, source, wanted, None, console)
}

/// The same; of several traces in one document that to `error`.
pub(super) fn find_for(
    system: &System,
    source: &SourceFile,
    wanted: &SelectedArguments,
    error: Option<&str>,
    console: &mut Console,
) -> Result<Option<SelectedInstance>, Failure> {
    if let Some(path) = &wanted.trace {
        return Ok(of_trace(system, source, path, error, console));
    }
    if let Some(path) = &wanted.candidate {
        let found = console.accept(candidate::read(system, path));
        return Ok(found.map(|(document, StandingCandidate { tree, net, marking })| SelectedInstance {
            tree,
            net,
            steps: Vec::new(),
            error: Some((document.error, document.formula)),
            marking: Some(marking),
        }));
    }
    if let Some(text) = &wanted.tree {
        return Ok(match parse_term(system, text) {
            Ok(tree) => without_steps(system, tree, console),
            Err(diagnostics) => {
                console.diagnostics(&diagnostics, &SourceFile::new("--tree", text));
                None
            }
        });
    }
    let Some(size) = wanted.size else {
        let message = "say which instance is meant: --size N, --tree TERM, --trace PATH or --candidate PATH";
        return Err(Failure::misuse(ErrorKind::MissingRequiredArgument, message));
    };
    let tree = first_of_size(system, size, console);
    Ok(tree.and_then(|tree| without_steps(system, tree, console)))
}

/// The first instance with `size` components. That there are several, or none, is reported.
pub(super) fn first_of_size(system: &System, size: usize, console: &mut Console) -> Option<RewritingTree> {
    let mut all = trees(system, size);
    let Some(first) = all.next() else {
        console.diagnostic(&no_instance(system, &(size..=size)), None);
        return None;
    };
    let more = all.take(MAX_COUNTED).count();
    if more > 0 {
        let count = if more == MAX_COUNTED { format!("more than {more}") } else { (more + 1).to_string() };
        console.note(&format!(
            "note: of {count} instances with {} this is the first, {}; \
             `paramcheck instances FILE --size {size}` lists them, --tree chooses one",
            plural(size, "component"),
            print_term(system, &first),
        ));
    }
    Some(first)
}

/// The diagnostic that there is no instance of these sizes.
pub(super) fn no_instance(system: &System, sizes: &RangeInclusive<usize>) -> Diagnostic {
    let largest = *sizes.end();
    let (up_to, help) = if *sizes.start() == largest {
        ("", sizes_near(system, largest))
    } else {
        ("up to ", format!("the smallest instance has {} components", smallest_size(system)))
    };
    let message = format!("{} has no instance of {up_to}{}", system.name(), plural(largest, "component"));
    files::plain(&codes::NO_INSTANCE, message).help(help)
}

/// Which sizes there are instead.
fn sizes_near(system: &System, size: usize) -> String {
    let exists = |size: &usize| trees(system, *size).next().is_some();
    let smaller = (1..size).rev().take(MAX_DISTANCE).find(exists);
    let larger = (size + 1..).take(MAX_DISTANCE).find(exists);
    match (smaller, larger) {
        (Some(smaller), Some(larger)) => {
            format!("there are instances of {smaller} and of {larger} components")
        }
        (Some(near), None) | (None, Some(near)) => format!("there are instances of {near} components"),
        (None, None) => format!("the smallest instance has {} components", smallest_size(system)),
    }
}

/// The diagnostic that an instance has more than `max` transitions.
pub(super) fn too_large(max: usize) -> Diagnostic {
    files::plain(&codes::NO_INSTANCE, format!("the instance has more than {max} transitions"))
}

/// The instance of `tree`; that it has more than `max` transitions is reported.
pub(super) fn unfolded(
    system: &System,
    tree: &RewritingTree,
    max: usize,
    console: &mut Console,
) -> Option<Net> {
    let net = unfold_within(system, tree, max);
    if net.is_none() {
        console.diagnostic(&too_large(max), None);
    }
    net
}

fn without_steps(system: &System, tree: RewritingTree, console: &mut Console) -> Option<SelectedInstance> {
    let net = unfolded(system, &tree, MAX_TRANSITIONS, console)?;
    Some(SelectedInstance { tree, net, steps: Vec::new(), error: None, marking: None })
}

fn of_trace(
    system: &System,
    source: &SourceFile,
    path: &Path,
    error: Option<&str>,
    console: &mut Console,
) -> Option<SelectedInstance> {
    let text = console.accept(files::read(path, files::TRACE_BYTES))?;
    let document = super::replay::document(source, &text, error, console)?;
    match replay::replay(system, &document) {
        Ok(replay::Replayed { tree, net, steps, .. }) => {
            let error = document.error.zip(document.formula);
            Some(SelectedInstance { tree, net, steps, error, marking: None })
        }
        Err(reason) => {
            let message = format!("`{}` does not replay: {reason}", text.name);
            console.diagnostic(&files::plain(&codes::BAD_TRACE, message), None);
            None
        }
    }
}

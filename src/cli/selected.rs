//! The one instance that a command is about, with the steps of a trace where one is given.
//!
//! From `--size` (with `--instance`), `--tree`, `--trace` or `--candidate` to a [`SelectedInstance`]; commands
//! about several instances use a `Selection`.

use std::ops::RangeInclusive;
use std::path::Path;

use clap::error::ErrorKind;

use paramcheck::replay::{self, StandingCandidate};
use paramcheck::report::text::plural;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{NotEven, most_even, nearest_sizes, smallest_size, trees_within};
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::select::{MAX_TRANSITIONS, Selection};
use paramcheck_nets::instance::term::{parse_term, print_term};
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::SourceFile;

use super::args::SelectedArguments;
use super::console::Console;
use super::exit::Exit;
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

/// Why there is no instance; it has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) enum NotSelected {
    /// The call names none.
    Wrong,
    /// A limit or a signal came first.
    Stopped(Stop),
}

impl NotSelected {
    /// How the call ends.
    pub(super) fn exit(self) -> Exit {
        match self {
            NotSelected::Wrong => Exit::InputError,
            NotSelected::Stopped(Stop::Interrupted) => Exit::Interrupted,
            NotSelected::Stopped(_) => Exit::Unknown,
        }
    }

    fn stopped(stop: Stop, console: &mut Console) -> Self {
        console.problem(&format!("{stop} before the instance was found"));
        NotSelected::Stopped(stop)
    }
}

/// The selected instance of `system`; why there is none is reported.
pub(super) fn find(
    system: &System,
    source: &SourceFile,
    wanted: &SelectedArguments,
    budget: &Budget,
    console: &mut Console,
) -> Result<Result<SelectedInstance, NotSelected>, Failure> {
    find_for(system, source, wanted, None, budget, console)
}

/// The same; of several traces in one document that to `error`.
pub(super) fn find_for(
    system: &System,
    source: &SourceFile,
    wanted: &SelectedArguments,
    error: Option<&str>,
    budget: &Budget,
    console: &mut Console,
) -> Result<Result<SelectedInstance, NotSelected>, Failure> {
    if let Some(path) = &wanted.trace {
        return Ok(of_trace(system, source, path, error, console).ok_or(NotSelected::Wrong));
    }
    if let Some(path) = &wanted.candidate {
        let found = console.accept(candidate::read(system, path));
        let found = found.map(|(document, StandingCandidate { tree, net, marking })| SelectedInstance {
            tree,
            net,
            steps: Vec::new(),
            error: Some((document.error, document.formula)),
            marking: Some(marking),
        });
        return Ok(found.ok_or(NotSelected::Wrong));
    }
    if let Some(text) = &wanted.tree {
        return Ok(match parse_term(system, text) {
            Ok(tree) => without_steps(system, tree, console).ok_or(NotSelected::Wrong),
            Err(diagnostics) => {
                console.diagnostics(&diagnostics, &SourceFile::new("--tree", text));
                Err(NotSelected::Wrong)
            }
        });
    }
    let Some(size) = wanted.size else {
        let message = "say which instance is meant: --size N, --tree TERM, --trace PATH or --candidate PATH";
        return Err(Failure::misuse(ErrorKind::MissingRequiredArgument, message));
    };
    let tree = of_size(system, size, wanted.instance, budget, console);
    Ok(tree.and_then(|tree| without_steps(system, tree, console).ok_or(NotSelected::Wrong)))
}

/// The instance with `size` components that `number` names, or else the most even one. That there are several, or
/// none, is reported.
pub(super) fn of_size(
    system: &System,
    size: usize,
    number: Option<usize>,
    budget: &Budget,
    console: &mut Console,
) -> Result<RewritingTree, NotSelected> {
    let found = match number {
        Some(number) => numbered(system, size, number, budget),
        None => even(system, size, budget, console),
    };
    match found {
        Ok(Ok(tree)) => Ok(tree),
        Ok(Err(diagnostic)) => {
            console.diagnostic(&diagnostic, None);
            Err(NotSelected::Wrong)
        }
        Err(stop) => Err(NotSelected::stopped(stop, console)),
    }
}

/// A selection of which only the instance of this number is left, if there is a number.
pub(super) fn narrowed(
    selection: Selection,
    number: Option<usize>,
    system: &System,
    budget: &Budget,
    console: &mut Console,
) -> Result<Selection, NotSelected> {
    match (&selection, number) {
        (Selection::Sizes(sizes), Some(_)) => {
            of_size(system, *sizes.end(), number, budget, console).map(Selection::Tree)
        }
        _ => Ok(selection),
    }
}

/// The instance of this number among those of one size, in the order in which they are listed.
fn numbered(
    system: &System,
    size: usize,
    number: usize,
    budget: &Budget,
) -> Result<Result<RewritingTree, Diagnostic>, Stop> {
    let mut all = trees_within(system, size, budget)?;
    for before in 0..number {
        match all.next_within(budget)? {
            Some(tree) if before + 1 == number => return Ok(Ok(tree)),
            Some(_) => {}
            None if before == 0 => break,
            None => {
                let count = plural(before, "instance");
                let message =
                    format!("{} has only {count} with {}", system.name(), plural(size, "component"));
                let help =
                    format!("`paramcheck instances FILE --size {size}` lists them; --instance counts from 1");
                return Ok(Err(files::plain(&codes::NO_INSTANCE, message).help(help)));
            }
        }
    }
    Ok(Err(no_instance(system, &(size..=size), budget)))
}

/// The most even instance of a size, or the first where that would be too expensive.
fn even(
    system: &System,
    size: usize,
    budget: &Budget,
    console: &mut Console,
) -> Result<Result<RewritingTree, Diagnostic>, Stop> {
    let mut all = trees_within(system, size, budget)?;
    let Some(first) = all.next_within(budget)? else {
        return Ok(Err(no_instance(system, &(size..=size), budget)));
    };
    let mut more = 0;
    while more < MAX_COUNTED && all.next_within(budget)?.is_some() {
        more += 1;
    }
    if more == 0 {
        return Ok(Ok(first));
    }
    let (tree, which) = match most_even(system, size, budget) {
        Ok(Some(tree)) => (tree, "the most even"),
        Err(NotEven::Stopped(stop)) => return Err(stop),
        Ok(None) | Err(NotEven::TooExpensive) => (first, "the first"),
    };
    let count = if more == MAX_COUNTED { format!("more than {more}") } else { (more + 1).to_string() };
    console.note(&format!(
        "note: of {count} instances with {} this is {which}, {}; \
         `paramcheck instances FILE --size {size}` lists them, --instance K or --tree chooses another",
        plural(size, "component"),
        print_term(system, &tree),
    ));
    Ok(Ok(tree))
}

/// The diagnostic that there is no instance of these sizes.
pub(super) fn no_instance(system: &System, sizes: &RangeInclusive<usize>, budget: &Budget) -> Diagnostic {
    let largest = *sizes.end();
    let smallest = || format!("the smallest instance has {} components", smallest_size(system));
    let (up_to, help) = if *sizes.start() == largest {
        ("", sizes_near(system, largest, budget).unwrap_or_else(smallest))
    } else {
        ("up to ", smallest())
    };
    let message = format!("{} has no instance of {up_to}{}", system.name(), plural(largest, "component"));
    files::plain(&codes::NO_INSTANCE, message).help(help)
}

/// Which sizes there are instead, as far as that is found out.
fn sizes_near(system: &System, size: usize, budget: &Budget) -> Option<String> {
    match nearest_sizes(system, size, MAX_DISTANCE, budget) {
        Ok((Some(smaller), Some(larger))) => {
            Some(format!("there are instances of {smaller} and of {larger} components"))
        }
        Ok((Some(near), None) | (None, Some(near))) => {
            Some(format!("there are instances of {near} components"))
        }
        Ok((None, None)) | Err(_) => None,
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

//! `paramcheck explore`: all reachable states of instances of given sizes.
//!
//! Instances are explored one after the other and reported as they come. Of an instance only what the final
//! report needs is kept. Every trace is replayed by the plain semantics before it is reported.

use std::time::{Duration, Instant};

use clap::error::ErrorKind;

use paramcheck::replay::StandingCandidate;
use paramcheck::report::explored::{self, ErrorReport, Explored, InstanceReport, MarkingReport};
use paramcheck::report::text::Style;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{NetExploration, Reduction, find_marking};
use paramcheck_nets::explore::sweep::{ExploredInstance, Sweep};
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::select::{MAX_TRANSITIONS, Selection};
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::{Budget, Phase};
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::recheck;

use super::args::explore::ExploreArguments;
use super::console::Console;
use super::exit::Exit;
use super::rcheck::is_rcheck;
use super::selected::{self, narrowed, no_instance};
use super::session::{Session, Style as SessionStyle};
use super::verify::usage;
use super::watch::{Interrupt, Watch, refuse_memory_limit, resident_memory};
use super::{Failure, candidate, files, labs, marking, model, process};

mod rcheck;

/// After this time what was found is printed.
const PRINT_EVERY: Duration = Duration::from_millis(100);
/// After this many instances what was found is printed.
const PRINT_AT: usize = 256;

/// Runs the command.
pub(super) fn run(arguments: &ExploreArguments, console: &mut Console) -> Result<Exit, Failure> {
    if labs::is_labs(&arguments.file) {
        return labs::explore::run(arguments, console);
    }
    if is_rcheck(&arguments.file) {
        return rcheck::run(arguments, console);
    }
    let turns = arguments.schedule.map(|_| "--schedule");
    if let Some(option) = labs::given(&arguments.parameters, arguments.steps, &arguments.rules).or(turns) {
        return Err(usage(&format!("{option} is about agents, in files that end in .labs")));
    }
    // For another kind of file the diagnostic is about that, not about what else the call lacks.
    if process::language_of(&arguments.file).is_none() && arguments.candidate.is_none() {
        arguments.which.refuse_nothing()?;
    }
    if arguments.marking.is_some() && arguments.which.tree.is_none() {
        let message = "--marking is of one instance: give that by --tree TERM";
        return Err(Failure::misuse(ErrorKind::MissingRequiredArgument, message));
    }
    let inputs = std::iter::once(arguments.file.as_path()).chain(arguments.candidate.as_deref());
    files::refuse_stdin_twice(inputs)?;
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let style = SessionStyle { command: "explore", is_json: arguments.json, is_quiet: arguments.quiet };
    let session = Session::about(&arguments.file, style, console);
    let mut call = Call { arguments, session };
    let exit = call.run()?;
    call.session.raise(exit);
    call.session.finish()
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a ExploreArguments,
    session: Session<'a, Explored, ErrorReport>,
}

impl Call<'_> {
    fn run(&mut self) -> Result<Exit, Failure> {
        let begin = Instant::now();
        let interrupt = Interrupt::install();
        let deadline = self.arguments.limits.deadline(begin);
        let Some((source, system)) = self.session.read(&self.arguments.file, deadline) else {
            return Ok(Exit::InputError);
        };
        let mut wanted = self.arguments.errors.clone();
        let mut candidate = None;
        if let Some(path) = &self.arguments.candidate {
            let Some((document, standing)) = self.session.accept(candidate::read(&system, path)) else {
                return Ok(Exit::InputError);
            };
            if wanted.is_empty() {
                wanted.push(model::evidence(&system, &document.error, &document.formula));
            }
            candidate = Some(standing);
        }
        let questions = model::questions(&system, &wanted);
        self.session.definitions(&questions.found);
        // Instances are always selected: that was checked at the beginning.
        let selection = match &candidate {
            Some(standing) => Ok(Selection::Tree(standing.tree.clone())),
            None => self.arguments.which.selection(&system, 0),
        };
        if let Err(bad) = &selection {
            self.session.diagnostics(&bad.diagnostics, &bad.source);
        }
        let Ok(selection) = selection else { return Ok(Exit::InputError) };
        if questions.is_bad() {
            return Ok(Exit::InputError);
        }
        let target = match candidate {
            Some(StandingCandidate { tree, net, marking }) => Some((tree, net, marking)),
            None => match self.target(&system, &selection) {
                Some(found) => found,
                None => return Ok(Exit::InputError),
            },
        };
        interrupt.start();
        let watch = Watch::new(interrupt, begin, &self.arguments.limits, self.session.shows_progress());
        // An answer about no instance means nothing. Where the budget ends first, exploration reports it.
        if let Selection::Sizes(sizes) = &selection
            && watch.run(&source.name, |budget| selection.is_empty(&system, &budget)) == Ok(true)
        {
            let diagnostic = watch.run(&source.name, |budget| no_instance(&system, sizes, &budget));
            self.session.diagnostic(&diagnostic, None);
            return Ok(Exit::InputError);
        }
        let number = self.arguments.which.instance;
        let selection = watch
            .run(&source.name, |budget| narrowed(selection, number, &system, &budget, self.session.console));
        let selection = match selection {
            Ok(selection) => selection,
            Err(reason) => return Ok(reason.exit()),
        };
        self.explore(&source, &system, &questions.errors, &selection, target, &watch)
    }

    /// The marking that `--marking` gives, if it is given; `None`, with the reason reported, where it is wrong.
    fn target(
        &mut self,
        system: &System,
        selection: &Selection,
    ) -> Option<Option<(RewritingTree, Net, Marking)>> {
        let (Some(text), Selection::Tree(tree)) = (&self.arguments.marking, selection) else {
            return Some(None);
        };
        let Some(net) = unfold_within(system, tree, MAX_TRANSITIONS) else {
            self.session.diagnostic(&selected::too_large(MAX_TRANSITIONS), None);
            return None;
        };
        let marking = self.session.accept(marking::given(system, &net, Some(text), net.initial()))?;
        Some(Some((tree.clone(), net, marking)))
    }

    fn explore(
        &mut self,
        source: &SourceFile,
        system: &System,
        errors: &[NamedError],
        selection: &Selection,
        target: Option<(RewritingTree, Net, Marking)>,
        watch: &Watch,
    ) -> Result<Exit, Failure> {
        let reduction = Reduction::from(self.arguments.reduction);
        let mut report = Explored::new(system, errors);
        let prints = !self.arguments.quiet && !self.arguments.json;
        if prints {
            self.session.console.print(&format!(
                "{}: exploring instances of {}\n",
                source.name,
                system.name()
            ))?;
            if let Some(note) = explored::not_reduced(reduction, errors) {
                self.session.console.print(&format!("  {note}\n"))?;
            }
        }
        let formulas = errors.iter().map(|error| &error.formula);
        let mut sweep = Sweep::new(system, selection, formulas, self.options()).reduced(reduction);
        while sweep.end().is_none() {
            sweep.options = self.options();
            for instance in watch.run(&source.name, |budget| next_batch(&mut sweep, &budget)) {
                let ExploredInstance { tree, net, found, .. } = &instance;
                if let Some(bug) = wrong(system, errors, net, found) {
                    self.session.diagnostic(&files::plain(&codes::BUG, bug), None);
                    return Ok(Exit::Bug);
                }
                let one = InstanceReport::new(system, errors, &instance);
                if prints && report.instances.len() < self.arguments.limit {
                    self.session.console.print(&one.line())?;
                }
                report.add(one, self.arguments.limit, |number| {
                    let trace = found.errors.get(number)?.trace.as_ref()?;
                    explored::trace_document(system, errors.get(number)?, tree, net, trace)
                });
            }
        }
        report.finish(sweep.sizes(), sweep.end().unwrap_or(End::Exhausted));
        if let Some((tree, net, marking)) = target {
            let options = self.options();
            let (reach, trace) =
                watch.run(&source.name, |budget| find_marking(&net, &marking, &options, &budget));
            report.marking = Some(MarkingReport::new(system, (&tree, &net), reach, trace.as_ref()));
        }
        if !self.arguments.json {
            let style = Style {
                color: self.session.console.output_color(),
                full: self.arguments.full,
                ..Style::default()
            };
            self.session.console.print(&report.summary(self.arguments.quiet, &style))?;
        }
        let answers = report.errors.iter().map(|error| exit_of(error.verdict));
        let of_marking = report.marking.as_ref().map(|marking| exit_of(marking.verdict));
        let mut exit = answers.chain(of_marking).max().unwrap_or(Exit::AllProved);
        if report.end == "interrupted" || watch.interrupt.is_pressed() {
            exit = exit.max(Exit::Interrupted);
        }
        std::mem::take(&mut report.errors).into_iter().for_each(|error| self.session.document.add(error));
        self.session.found(report);
        Ok(exit)
    }

    fn options(&self) -> SearchOptions {
        let threads = self
            .arguments
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        // What is there already counts too; the watch looks at the whole.
        let memory = self.arguments.limits.memory_bytes().map(|limit| {
            usize::try_from(limit.saturating_sub(resident_memory().unwrap_or(0))).unwrap_or(usize::MAX)
        });
        SearchOptions { threads, max_states: self.arguments.max_states, memory, stops_at_goals: false }
    }
}

fn exit_of(answer: Reach) -> Exit {
    match answer {
        Reach::Unreached => Exit::AllProved,
        Reach::Undecided => Exit::Unknown,
        Reach::Reached => Exit::Violated,
    }
}

/// Explores the next instances, until it is time to print.
fn next_batch(sweep: &mut Sweep<'_>, budget: &Budget) -> Vec<ExploredInstance> {
    budget.progress.enter(Phase::Exploring);
    let begin = Instant::now();
    let mut batch = Vec::new();
    while begin.elapsed() < PRINT_EVERY
        && batch.len() < PRINT_AT
        && let Some(instance) = sweep.next_within(budget)
    {
        batch.push(instance);
    }
    batch
}

/// What is wrong with the traces found, if anything is: that would be a bug.
fn wrong(system: &System, errors: &[NamedError], net: &Net, found: &NetExploration) -> Option<String> {
    errors.iter().zip(&found.errors).find_map(|(error, reach)| {
        let name = &error.name;
        let Some(trace) = &reach.trace else {
            let is_missing = reach.count > 0;
            return is_missing.then(|| format!("bug in paramcheck: `{name}` is reached without a trace"));
        };
        let refused = recheck(system, net, error, trace).err();
        refused.map(|reason| format!("bug in paramcheck: the trace to `{name}` {reason}"))
    })
}

//! `paramcheck instances`: which instances a system has, and what one of them looks like.

use std::time::Instant;

use paramcheck::report::instances::{InstanceResult, Instances, Listed, NetReport};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::instance::census::{SizeCount, census};
use paramcheck_nets::instance::select::{MAX_TRANSITIONS, Selection};
use paramcheck_nets::instance::unfold::{NotUnfolded, try_unfold};
use paramcheck_text::diagnostic::codes::input::NO_SUCH_TREE;
use paramcheck_text::limits::Stop;
use paramcheck_text::source::SourceFile;

use super::args::instances::InstancesArguments;
use super::console::Console;
use super::exit::Exit;
use super::selected::{narrowed, no_instance};
use super::session::{Session, Style};
use super::watch::{Interrupt, Watch};
use super::{Failure, files, process};

/// Runs the command.
pub(super) fn run(arguments: &InstancesArguments, console: &mut Console) -> Result<Exit, Failure> {
    // For another kind of file the diagnostic is about that, not about what else the call lacks.
    if process::language_of(&arguments.file).is_none() {
        arguments.which.refuse_nothing()?;
    }
    super::watch::refuse_memory_limit(arguments.limits.memory_limit)?;
    let style = Style { command: "instances", is_json: arguments.json, is_quiet: false };
    let session = Session::about(&arguments.file, style, console);
    let mut call = Call { arguments, session };
    let exit = call.run()?;
    call.session.raise(exit);
    call.session.finish()
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a InstancesArguments,
    session: Session<'a, Instances, InstanceResult>,
}

impl Call<'_> {
    fn run(&mut self) -> Result<Exit, Failure> {
        let begin = Instant::now();
        let interrupt = Interrupt::install();
        let deadline = self.arguments.limits.deadline(begin);
        let Some((source, system)) = self.session.read(&self.arguments.file, deadline) else {
            return Ok(Exit::InputError);
        };
        // Sizes are always given: that was checked at the beginning.
        let selection = match self.arguments.which.selection(&system, 0) {
            Ok(selection) => selection,
            Err(problem) => {
                self.session.diagnostics(&problem.diagnostics, &problem.source);
                return Ok(Exit::InputError);
            }
        };
        interrupt.start();
        let watch = Watch::new(interrupt, begin, &self.arguments.limits, self.session.shows_progress());
        // As in exploration; where the budget ends first, the count reports it.
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
        match &selection {
            Selection::Tree(tree) => self.one(&source, &system, tree, &watch),
            Selection::Sizes(_) => self.count(&source, &system, &selection, &watch),
        }
    }

    /// Reports the instance of one tree.
    fn one(
        &mut self,
        source: &SourceFile,
        system: &System,
        tree: &RewritingTree,
        watch: &Watch,
    ) -> Result<Exit, Failure> {
        let limit = self.arguments.limit;
        let report = watch.run(&source.name, |budget| {
            let net = try_unfold(system, tree, MAX_TRANSITIONS, &budget)?;
            Ok(NetReport::new(system, tree, &net, limit, &budget))
        });
        let report = match report {
            Ok(report) => report,
            Err(NotUnfolded::TooLarge) => {
                let message = format!("the instance has more than {MAX_TRANSITIONS} transitions");
                self.session.diagnostic(&files::plain(&NO_SUCH_TREE, message), None);
                return Ok(Exit::InputError);
            }
            // Nothing is known of the instance: it was not even counted.
            Err(NotUnfolded::Stopped(stop)) => {
                let sizes = [SizeCount::none(tree.size())];
                return self.counted(source, system, &sizes, End::Stopped(stop), Vec::new());
            }
        };
        self.session.lines(&report.text(&source.name))?;
        let exit = match report.end {
            "complete" => Exit::AllProved,
            "interrupted" => Exit::Interrupted,
            _ => Exit::Unknown,
        };
        self.session.found(Instances::none(report.end));
        self.session.document.add(InstanceResult::Full(report));
        Ok(exit)
    }

    /// Counts and lists instances.
    fn count(
        &mut self,
        source: &SourceFile,
        system: &System,
        selection: &Selection,
        watch: &Watch,
    ) -> Result<Exit, Failure> {
        let limit = self.arguments.limit;
        let mut listed = Vec::new();
        let (sizes, end) = watch.run(&source.name, |budget| {
            census(system, selection, &budget, |tree, net, class| {
                if listed.len() < limit {
                    listed.push(Listed::new(system, tree, net, class));
                }
            })
        });
        self.counted(source, system, &sizes, end.map_or_else(End::from, |()| End::Exhausted), listed)
    }

    /// Reports what was counted and listed.
    fn counted(
        &mut self,
        source: &SourceFile,
        system: &System,
        sizes: &[SizeCount],
        end: End,
        listed: Vec<Listed>,
    ) -> Result<Exit, Failure> {
        let mut report = Instances::new(sizes, end, listed);
        self.session.lines(&report.text(&source.name, system.name()))?;
        let listed = std::mem::take(&mut report.instances);
        listed.into_iter().for_each(|one| self.session.document.add(InstanceResult::Listed(one)));
        self.session.found(report);
        Ok(match end {
            End::Exhausted => Exit::AllProved,
            End::Stopped(Stop::Interrupted) => Exit::Interrupted,
            _ => Exit::Unknown,
        })
    }
}

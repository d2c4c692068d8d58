//! `explore` about systems in R-CHECK: how many states there are.

use std::time::Instant;

use crate::cli::args::explore::{ExploreArguments, ReductionArgument};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::session::{Session, Style as SessionStyle};
use crate::cli::verify::usage;
use crate::cli::watch::{Interrupt, Watch, refuse_memory_limit};
use crate::cli::{Failure, labs, rcheck};
use paramcheck::report::rcheck::RcheckCounts;
use paramcheck::report::text::Style;
use paramcheck_rcheck::parser::Options as Reading;
use paramcheck_verdict::rcheck::{Options, count};

/// Why a call can't have what it has.
fn misfit(arguments: &ExploreArguments) -> Option<String> {
    let is_of_systems = arguments.which.is_given()
        || arguments.which.instance.is_some()
        || arguments.candidate.is_some()
        || arguments.marking.is_some()
        || !arguments.errors.is_empty();
    if is_of_systems {
        let options = "--size, --max-size, --tree, --instance, --candidate, --marking and --error";
        return Some(format!("{options} are about rewriting systems, and the file ends in .rcp"));
    }
    if arguments.reduction != ReductionArgument::default() {
        return Some(
            "--reduction is about rewriting systems: of a file that ends in .rcp all states are counted"
                .to_owned(),
        );
    }
    let turns = arguments.schedule.map(|_| "--schedule");
    let option = labs::given(&arguments.parameters, arguments.steps, &arguments.rules).or(turns)?;
    Some(format!("{option} is about agents, in files that end in .labs"))
}

/// Runs the command.
pub(super) fn run(arguments: &ExploreArguments, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(message) = misfit(arguments) {
        return Err(usage(&message));
    }
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let style = SessionStyle { command: "explore", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session: Session<'_, RcheckCounts, ()> = Session::about(&arguments.file, style, console);
    explore(arguments, &mut session)?;
    session.finish()
}

fn explore(arguments: &ExploreArguments, session: &mut Session<'_, RcheckCounts, ()>) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = arguments.limits.deadline(begin);
    let found = rcheck::read(&arguments.file, Reading::default(), deadline, session);
    let Some((source, system)) = found else { return Ok(()) };
    interrupt.start();
    let watch = Watch::new(interrupt, begin, &arguments.limits, session.shows_progress());
    let counted = watch.run(&source.name, |budget| {
        let memory = arguments.limits.memory_bytes().and_then(|bytes| usize::try_from(bytes).ok());
        count(&system, &Options { memory, max_states: arguments.max_states, budget, ..Options::default() })
    });
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    let counted = match counted {
        Ok(counted) => counted,
        Err(reason) => {
            session.diagnostic(&rcheck::no_start(reason), None);
            return Ok(());
        }
    };
    session.raise(if counted.incomplete.is_some() { Exit::Unknown } else { Exit::AllProved });
    let report = RcheckCounts::new(&system, &counted, begin.elapsed());
    let style = Style { color: session.console.output_color(), ..Style::default() };
    let text = report.lines(&source.name, &style);
    session.lines(&text)?;
    session.found(report);
    Ok(())
}

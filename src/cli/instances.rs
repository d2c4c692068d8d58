//! `paramcheck instances`: which instances a system has.

use std::time::Instant;

use paramcheck::instance::census::{CensusEnd, census};
use paramcheck::report::instances::{Instances, Listed};
use paramcheck::support::limits::Stop;

use super::args::instances::InstancesArguments;
use super::console::Console;
use super::exit::Exit;
use super::watch::{Interrupt, Watch};
use super::{Failure, files, model};

/// Runs the command.
pub fn run(arguments: &InstancesArguments, console: &mut Console) -> Result<Exit, Failure> {
    arguments.which.refuse_nothing()?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let source = match files::read(&arguments.file, files::MODEL_BYTES) {
        Ok(source) => source,
        Err(refused) => {
            console.diagnostic(&refused.0, refused.1.as_ref());
            return Ok(Exit::InputError);
        }
    };
    let model::Model { system, diagnostics } = model::load(&source);
    for diagnostic in &diagnostics {
        console.diagnostic(diagnostic, Some(&source));
    }
    let Some(system) = system else { return Ok(Exit::InputError) };
    let selection = match arguments.which.selection(&system, 0) {
        Ok(selection) => selection,
        Err(problem) => {
            for diagnostic in &problem.diagnostics {
                console.diagnostic(diagnostic, Some(&problem.source));
            }
            return Ok(Exit::InputError);
        }
    };
    interrupt.start();
    let watch = Watch {
        interrupt,
        deadline: arguments.time_limit.and_then(|limit| begin.checked_add(limit)),
        memory: arguments.memory_limit.map(|mib| mib.saturating_mul(1 << 20)),
        shows_progress: console.shows_progress(false),
    };
    let mut listed = Vec::new();
    let (sizes, end) = watch.run(&source.name, |budget| {
        census(&system, &selection, &budget, |tree, net| {
            if listed.len() < arguments.limit {
                listed.push(Listed::new(&system, tree, net));
            }
        })
    });
    let report = Instances::new(&sizes, end, listed);
    console.print(&report.text(&source.name, system.name()))?;
    Ok(match end {
        None => Exit::AllProved,
        Some(CensusEnd::Stopped(Stop::Interrupted)) => Exit::Interrupted,
        Some(CensusEnd::Stopped(Stop::Time | Stop::Memory) | CensusEnd::TooLarge) => Exit::Unknown,
    })
}

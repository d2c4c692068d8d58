//! `paramcheck emulate`: what a process or choreography does, for other programs and for people.

use std::time::Instant;

use clap::CommandFactory;
use clap::error::ErrorKind;

use paramcheck::diagnostic::codes::input::UNWRITABLE;
use paramcheck::diagnostic::codes::process::calls::{NOT_A_CHOREOGRAPHY, TOO_LARGE};
use paramcheck::process::Language;
use paramcheck::process::model::System;
use paramcheck::process::show;
use paramcheck::semantics::bisimulation::quotient;
use paramcheck::semantics::explore::explore;
use paramcheck::semantics::lts::Lts;
use paramcheck::semantics::network::Incomplete;
use paramcheck::support::limits::{Budget, Stop};

use super::args::Arguments;
use super::args::emulate::{EmulateArguments, ProcessFormat};
use super::console::Console;
use super::exit::Exit;
use super::watch::{Interrupt, Watch};
use super::{Failure, files, process};

/// The longest text of a projection, in bytes. (It may be longer than the file: constants are unfolded.)
const LONGEST: usize = 1 << 24;

/// Runs the command.
pub fn run(arguments: &EmulateArguments, console: &mut Console) -> Result<Exit, Failure> {
    let usage =
        |message: &str| Err(Failure::Usage(Arguments::command().error(ErrorKind::ValueValidation, message)));
    super::watch::refuse_memory_limit(arguments.memory_limit)?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if output.is_some_and(|output| files::is_same(output, &arguments.file)) {
        return usage("--output names the file itself: what is written would replace it");
    }
    if arguments.reduce && arguments.format == ProcessFormat::Peers {
        return usage("--reduce merges states: projections have none");
    }
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let (source, lowered) = match process::load(&arguments.file, arguments.language) {
        Ok(loaded) => loaded,
        Err(refused) => {
            console.diagnostic(&refused.0, refused.1.as_ref());
            return Ok(Exit::InputError);
        }
    };
    for diagnostic in &lowered.diagnostics {
        console.diagnostic(diagnostic, Some(&source));
    }
    let Some(system) = lowered.system else { return Ok(Exit::InputError) };
    interrupt.start();
    let watch = Watch {
        interrupt,
        deadline: arguments.time_limit.and_then(|limit| begin.checked_add(limit)),
        memory: arguments.memory_limit.map(|mib| mib.saturating_mul(1 << 20)),
        shows_progress: console.shows_progress(output.is_none()),
    };
    let text = if arguments.format == ProcessFormat::Peers {
        if system.language != Language::Chor {
            let message = format!("`{}` is no choreography: it has no peers", source.name);
            console.diagnostic(&files::plain(&NOT_A_CHOREOGRAPHY, message), None);
            return Ok(Exit::InputError);
        }
        peers(&system)
    } else {
        match watch.run(&source.name, |budget| states(arguments, &system, &budget)) {
            Ok(lts) if arguments.format == ProcessFormat::Lts => lts.to_aut(),
            Ok(lts) => lts.to_dot(),
            Err(incomplete) => {
                let message = format!("not all states of `{}` are known: {incomplete}", source.name);
                console.diagnostic(&files::plain(&TOO_LARGE, message), None);
                return Ok(match incomplete {
                    Incomplete::Stopped(Stop::Interrupted) => Exit::Interrupted,
                    _ => Exit::Unknown,
                });
            }
        }
    };
    match output {
        None => console.print(&text)?,
        Some(path) => {
            if let Err(error) = files::replace(path, &text) {
                let message = format!("cannot write `{}`: {}", files::name(path), files::reason(&error));
                console.diagnostic(&files::plain(&UNWRITABLE, message), None);
                return Ok(Exit::InputError);
            }
        }
    }
    Ok(Exit::AllProved)
}

/// All states of a system, merged if that is wanted.
fn states(arguments: &EmulateArguments, system: &System, budget: &Budget) -> Result<Lts, Incomplete> {
    let lts = explore(system, arguments.max_states, budget).lts;
    match lts.incomplete {
        Some(incomplete) => Err(incomplete),
        None if arguments.reduce => Ok(quotient(&lts, budget)?),
        None => Ok(lts),
    }
}

/// The projections, one definition per peer.
fn peers(system: &System) -> String {
    let width = system.peers.iter().map(|peer| peer.name.chars().count()).max().unwrap_or(0);
    let line = |peer: &paramcheck::process::model::Peer| {
        let projection = show::term(system, peer.projection, LONGEST);
        format!("{:<width$} = {projection};\n", peer.name)
    };
    system.peers.iter().map(line).collect()
}

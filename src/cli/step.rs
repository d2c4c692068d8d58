//! `paramcheck step`: a simulator driven by lines on standard input; [`labs`] has that of agents.
//!
//! On a terminal there is a prompt. In a pipe the lines read are printed behind one too, so that what is
//! printed can be read without them. With `--json` there is no prompt, and nothing is printed before the end.

mod labs;

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;
use std::time::Instant;

use clap::error::ErrorKind;

use paramcheck::report::simulated::{CommandReport, WalkEnd};
use paramcheck::simulate::{Effect, Reaction, Simulator, Walk, World};
use paramcheck_text::diagnostic::codes::input::UNREADABLE;
use paramcheck_text::limits::Budget;
use serde::Serialize;

use super::args::StepArguments;
use super::console::Console;
use super::exit::Exit;
use super::labs::{given, is_labs};
use super::process::Instead;
use super::session::{Session, Style};
use super::verify::usage;
use super::watch::Interrupt;
use super::{Failure, files, marking, selected};

/// Longer lines are refused: no command is, and a device may never end.
const MAX_LINE_LENGTH: u64 = 1 << 16;
/// The most characters of a line that are printed again.
const MAX_ECHO_LENGTH: usize = 1000;

/// Runs the command.
pub(super) fn run(arguments: &StepArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let deadline = arguments.deadline(Instant::now());
    let document = arguments.instance.document();
    if std::iter::once(arguments.file.as_path()).chain(document).any(files::is_stdin) {
        let message = "the commands come from standard input (`-`): name the model and the trace as files";
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    }
    if arguments.json && io::stdin().is_terminal() {
        let message = "--json: pipe the commands in, as in `printf 'random 20\\n' | paramcheck step FILE …`";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    if is_labs(&arguments.file) {
        return labs::run(arguments, deadline, console);
    }
    if let Some(option) = given(&arguments.parameters, None, &arguments.rules).or(arguments.turns()) {
        return Err(usage(&format!("{option} is about agents, in files that end in .labs")));
    }
    let style = Style { command: "step", is_json: arguments.json, is_quiet: false };
    let mut session = Session::about(&arguments.file, style, console);
    let model = session.model(&arguments.file, Instead::Step);
    let found = match &model {
        Some((source, system)) => {
            let budget = Budget::unlimited();
            selected::find(system, source, &arguments.instance, &budget, session.console)?.ok()
        }
        None => None,
    };
    let (Some((_, system)), Some(one)) = (&model, found) else {
        session.raise(Exit::InputError);
        return session.finish();
    };
    let given = one.marking.is_some() || arguments.marking.is_some();
    let text = arguments.marking.as_deref();
    let Some(marking) = session.accept(marking::given(system, &one.net, text, one.end())) else {
        return session.finish();
    };
    let mut simulator = Simulator::new(system, &one.tree, &one.net, one.steps, arguments.seed);
    if given {
        simulator = simulator.standing_at(marking);
    }
    let mut simulator = simulator.until(deadline);
    session.lines(&simulator.greeting())?;
    obey(arguments, &mut simulator, &mut session)?;
    session.found(simulator.end());
    session.finish()
}

/// A session of a walk.
type WalkSession<'a, W> =
    Session<'a, WalkEnd<<W as World>::Document, <W as World>::Shown>, CommandReport<<W as World>::Shown>>;

/// Obeys all commands on standard input.
fn obey<W: World>(
    arguments: &StepArguments,
    simulator: &mut Walk<W>,
    session: &mut WalkSession<'_, W>,
) -> Result<(), Failure> {
    let is_terminal = io::stdin().is_terminal();
    let mut input = io::stdin().lock();
    loop {
        if simulator.is_over() {
            session.lines("the time limit was reached\n")?;
            session.raise(Exit::Unknown);
            return Ok(());
        }
        if is_terminal {
            session.lines("> ")?;
        }
        let line = match read_line(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(()),
            Err(error) => {
                let message = format!("cannot read standard input: {}", files::reason(&error));
                session.diagnostic(&files::plain(&UNREADABLE, message), None);
                return Ok(());
            }
        };
        let shown = echo(&line);
        if !is_terminal && !shown.is_empty() {
            session.lines(&format!("> {shown}\n"))?;
        }
        let Reaction { mut text, effect } = simulator.react(&line);
        if let Effect::Save { path, document } = &effect {
            text += &save(path, &**document, &arguments.file);
        }
        session.lines(&text)?;
        // Only there it is of use: on a terminal the calls may go on for ever.
        if arguments.json && !shown.is_empty() {
            session.document.add(simulator.report(shown, text));
        }
        if effect == Effect::Quit {
            return Ok(());
        }
    }
}

/// A line as it is printed again: its beginning, in case it is no command at all, and nothing that a terminal
/// would obey.
fn echo(line: &str) -> String {
    let shown = line.trim().chars().take(MAX_ECHO_LENGTH);
    shown.map(|one| if one.is_control() { char::REPLACEMENT_CHARACTER } else { one }).collect()
}

/// The next line without its end; `None` at the end of the input. Of a line that is too long only the
/// beginning, which is no command.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE_LENGTH).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE_LENGTH && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Writes a trace, and returns a message about the outcome. The model is not replaced.
fn save(path: &str, document: &impl Serialize, model: &Path) -> String {
    let path = Path::new(path);
    let name = files::name(path);
    if files::is_stdin(path) {
        return "give the name of a file\n".to_owned();
    }
    if files::is_same(model, path) {
        return format!("not saved: `{name}` is the model itself\n");
    }
    let is_there = path.is_file();
    let text = serde_json::to_string_pretty(document).map_err(io::Error::from);
    let written = text.and_then(|text| files::replace(path, &(text + "\n")));
    match written {
        Ok(()) if is_there => format!("saved to `{name}`, in place of the file that was there\n"),
        Ok(()) => format!("saved to `{name}`\n"),
        Err(error) => format!("not saved: cannot write `{name}`: {}\n", files::reason(&error)),
    }
}

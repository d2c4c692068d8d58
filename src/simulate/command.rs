//! The simulator's commands: from a line to a command.

use paramcheck_text::nearest::nearest;

/// No command takes more steps at once.
pub const MAX_STEPS: usize = 1_000_000;

/// What `help` shows.
pub const HELP: &str = "  NUMBER             take the enabled step with this number
  back, b [N]        take back the last step, or the last N
  next, n [N]        go along the way known (a loaded trace, or what was taken back); also forward, f
  goto, g STEP       go to a step of the way known; 0 is the start
  random, r [N]      a random step, or N; ends where an error begins to hold
  list, l            all enabled steps
  marking, m         where every component is
  errors, e          which errors of the model hold here
  save, s PATH       write the trace up to here to a file, in quotes or not
  reset              back to the start, everything as it was in the beginning
  help, h, ?         this
  quit, q            the end; so does the end of the input
";

/// What `help` shows about agents.
pub const HELP_OF_AGENTS: &str = "  NUMBER             take the enabled step with this number
  back, b [N]        take back the last step, or the last N
  next, n [N]        go along the way known (a loaded run, or what was taken back); also forward, f
  goto, g STEP       go to a step of the way known; 0 is the start
  random, r [N]      a random step, or N; ends where a property begins to be violated
  list, l            all enabled steps
  store, m           all values, the messages to send, and whose values are newer
  properties, e      whether the formula of each property is true here
  save, s PATH       write the run up to here to a file, in quotes or not
  reset              back to the start, everything as it was in the beginning
  help, h, ?         this
  quit, q            the end; so does the end of the input
";

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// Take the enabled step with this number, from 1.
    Fire(usize),
    /// Take back this many steps.
    Back(usize),
    /// Go this many steps along the known run.
    Forward(usize),
    /// Go to this step of the way known.
    Goto(usize),
    /// Take this many steps at random.
    Random(usize),
    /// List all that is enabled.
    List,
    /// Show the marking.
    Marking,
    /// Show which errors hold.
    Errors,
    /// Write the trace to this file.
    Save(String),
    /// Begin again.
    Reset,
    /// Show what commands there are.
    Help,
    /// End.
    Quit,
}

const NAMES: [&str; 14] = [
    "back",
    "next",
    "forward",
    "goto",
    "random",
    "list",
    "marking",
    "errors",
    "store",
    "properties",
    "save",
    "reset",
    "help",
    "quit",
];

/// What `line` means.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if word.is_empty() {
        return Ok(Command::Nothing);
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = word.parse().map_err(|_| format!("there is no {}", shortened(word)))?;
        return alone(Command::Fire(number), word, rest);
    }
    match word {
        "b" | "back" => Ok(Command::Back(steps(rest)?)),
        "n" | "next" | "f" | "forward" => Ok(Command::Forward(steps(rest)?)),
        "r" | "random" => Ok(Command::Random(steps(rest)?)),
        "g" | "goto" => match rest.parse() {
            Ok(step) => Ok(Command::Goto(step)),
            Err(_) => Err("give the number of a step, as in `goto 3`; 0 is the start".to_owned()),
        },
        "s" | "save" => Ok(Command::Save(path(rest)?)),
        "l" | "list" => alone(Command::List, word, rest),
        "m" | "marking" | "store" => alone(Command::Marking, word, rest),
        "e" | "errors" | "properties" => alone(Command::Errors, word, rest),
        "reset" => alone(Command::Reset, word, rest),
        "h" | "help" | "?" => alone(Command::Help, word, rest),
        "q" | "quit" | "exit" => alone(Command::Quit, word, rest),
        _ => {
            let hint = nearest(word, NAMES).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            Err(format!("there is no command `{}`; {hint}`help` lists all", shortened(word)))
        }
    }
}

/// The number of steps of a command; 1 where none is given.
fn steps(text: &str) -> Result<usize, String> {
    match text.parse() {
        _ if text.is_empty() => Ok(1),
        Ok(number @ 1..=MAX_STEPS) => Ok(number),
        _ => Err(format!("give a number of steps from 1 to {MAX_STEPS}, or none for one step")),
    }
}

/// The file that `text` names: all of it, spaces too, or what stands in quotes.
fn path(text: &str) -> Result<String, String> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let name = match quote {
        None => text,
        Some(quote) => {
            let inside = text.get(1..).unwrap_or("");
            match inside.split_once(quote) {
                Some((name, "")) => name,
                Some(_) => return Err("nothing can stand behind the name in quotes".to_owned()),
                None => return Err(format!("the name begins with {quote} but does not end with it")),
            }
        }
    };
    match name {
        "" => Err("give the name of a file, as in `save trace.json`".to_owned()),
        _ => Ok(name.to_owned()),
    }
}

/// `command`, which has no arguments.
fn alone(command: Command, word: &str, rest: &str) -> Result<Command, String> {
    match rest {
        "" => Ok(command),
        _ => Err(format!("nothing can stand behind `{word}`")),
    }
}

/// What was typed, fit for a message.
fn shortened(word: &str) -> String {
    let shown: String = word.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(40).collect();
    if word.chars().count() > 40 { shown + "…" } else { shown }
}

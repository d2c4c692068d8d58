//! Words that are taken for commands: from a word that is neither a command nor a file to what was meant.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use paramcheck_text::nearest::nearest;

use super::args::Arguments;

/// What checking is called elsewhere.
const CHECKING: [&str; 7] = ["analyse", "analyze", "check", "decide", "prove", "run", "solve"];

/// What helps whoever looks for the command that checks.
pub(super) const CHECKING_HELP: &str = "checking needs no command: `paramcheck FILE`; \
                                        a process or a choreography: `paramcheck verify FILE`";

/// What a word in the place of a command probably means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Checking, which has no word.
    Checking,
    /// The command of this name.
    Command(String),
}

/// What `word` probably means; `None` where it is like no command.
pub(super) fn meant(word: &str) -> Option<Meant> {
    let program = Arguments::command();
    let commands = program.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    let near = nearest(word, commands.chain(CHECKING))?;
    Some(if CHECKING.contains(&near) { Meant::Checking } else { Meant::Command(near.to_owned()) })
}

/// `error` of the argument parser; where it is about a word that is no command, as in `help chek`, ours.
pub(super) fn with_meant(error: clap::Error) -> clap::Error {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::InvalidSubcommand => word,
        _ => return error,
    };
    let help = match meant(word) {
        Some(Meant::Checking) => CHECKING_HELP.to_owned(),
        Some(Meant::Command(command)) => format!("did you mean `{command}`?"),
        None => "`paramcheck --help` lists the commands".to_owned(),
    };
    let message = format!("there is no command `{}`\n  {help}", word.escape_debug());
    clap::Error::raw(ErrorKind::InvalidSubcommand, message)
}

#[cfg(test)]
mod tests {
    use super::{Meant, meant};

    #[test]
    fn words_that_are_no_command_may_mean_one() {
        for word in ["check", "chek", "chck", "Check", "checks", "prove", "proof", "analyze", "slove", "run"]
        {
            assert_eq!(meant(word), Some(Meant::Checking), "{word}");
        }
        let commands = [
            ("verfy", "verify"),
            ("crosschek", "crosscheck"),
            ("crosschck", "crosscheck"),
            ("certifiy", "certify"),
            ("explian", "explain"),
            ("simulate", "emulate"),
            ("hlep", "help"),
        ];
        for (word, command) in commands {
            assert_eq!(meant(word), Some(Meant::Command(command.to_owned())), "{word}");
        }
        for word in ["ring", "x", "", "model", "-"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }
}

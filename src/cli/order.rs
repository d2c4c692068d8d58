//! The order of words in a call: options may stand before the command that they belong to.
//!
//! The argument parser takes options before a command for those of checking. So the command is moved to the
//! front, where it is clear which word it is; every other call is left as it is.

use std::ffi::OsString;

use clap::Command;

/// The words of a call, the program's name first, with the command before its options.
pub(super) fn command_first(mut words: Vec<OsString>, program: &Command) -> Vec<OsString> {
    if let Some(position) = command(&words, program).filter(|position| *position > 1) {
        let command = words.remove(position);
        words.insert(1, command);
    }
    words
}

/// The position of the first word that is neither an option nor the value of one, if it is a command.
fn command(words: &[OsString], program: &Command) -> Option<usize> {
    let mut position = 1;
    loop {
        let word = words.get(position)?.to_str()?;
        if !word.starts_with('-') || word == "-" {
            let is_command = program.get_subcommands().any(|command| command.get_name() == word);
            return is_command.then_some(position);
        }
        if ["--", "-h", "--help", "-V", "--version"].contains(&word) {
            return None;
        }
        position += if has_value_behind(word, program) { 2 } else { 1 };
    }
}

/// Whether the next word is the value of an option. What an option of this name does is the same in every
/// command.
fn has_value_behind(word: &str, program: &Command) -> bool {
    let Some(name) = word.strip_prefix("--").filter(|name| !name.contains('=')) else { return false };
    let commands = std::iter::once(program).chain(program.get_subcommands());
    let mut options = commands.flat_map(Command::get_arguments);
    options.any(|option| option.get_long() == Some(name) && option.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::command_first;
    use crate::cli::args::Arguments;

    #[test]
    fn a_command_may_stand_behind_its_options() {
        let cases = [
            ("--quiet explore a.rs", "explore --quiet a.rs"),
            ("--size 3 -q explore a.rs", "explore --size 3 -q a.rs"),
            ("--color=never --deny W0206 verify a.ccs", "verify --color=never --deny W0206 a.ccs"),
            ("--time-limit 5 explore --size 3 a.rs", "explore --time-limit 5 --size 3 a.rs"),
            // These are left as they are.
            ("explore --quiet a.rs", "explore --quiet a.rs"),
            ("--quiet a.rs explore", "--quiet a.rs explore"),
            ("--error explore a.rs", "--error explore a.rs"),
            ("--quiet -- explore", "--quiet -- explore"),
            ("--quiet ./explore", "--quiet ./explore"),
            ("--help explore", "--help explore"),
            ("--quiet -", "--quiet -"),
            ("--quiet", "--quiet"),
            ("", ""),
        ];
        for (call, expected) in cases {
            let words = ["paramcheck"].into_iter().chain(call.split_whitespace()).map(Into::into).collect();
            let found = command_first(words, &Arguments::command());
            let found: Vec<&str> = found.iter().skip(1).filter_map(|word| word.to_str()).collect();
            assert_eq!(found.join(" "), expected, "{call}");
        }
    }
}

//! Everything that is needed to reproduce a bug of this program.

use std::fmt::{Debug, Display, Write};

use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_text::source::SourceFile;

/// A text for a bug report: what happened with which program, the call (its arguments), the question,
/// `details` (lines, perhaps none) and the model as it was read.
pub fn text(
    system: &System,
    source: &SourceFile,
    error: &NamedError,
    bug: &(impl Display + Debug),
    details: &str,
    arguments: &[String],
) -> String {
    let mut text = heading(&bug.to_string());
    let _ = writeln!(text, "in full: {bug:?}");
    text.push_str(&call(arguments));
    let _ = writeln!(text, "error: {} = {}", error.name, print_formula(system, &error.formula));
    text.push_str(details);
    text.push_str(&model(source));
    text
}

/// As [`text`], where the model is no rewriting system, or the bug is not ours alone.
pub fn of_source(source: &SourceFile, bug: &str, details: &str, arguments: &[String]) -> String {
    heading(bug) + &call(arguments) + details + &model(source)
}

fn heading(bug: &str) -> String {
    let mut text = String::new();
    let mona = if cfg!(feature = "mona") { "with" } else { "without" };
    let version = env!("CARGO_PKG_VERSION");
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let _ = writeln!(text, "paramcheck {version} {mona} MONA on {os} ({arch})");
    let _ = writeln!(text, "bug: {bug}");
    text
}

fn call(arguments: &[String]) -> String {
    format!("call: paramcheck {}\n", itertools::join(arguments.iter().map(|a| quoted(a)), " "))
}

fn model(source: &SourceFile) -> String {
    let end = if source.text.ends_with('\n') { "" } else { "\n" };
    format!("model `{}`, as it was read:\n\n{}{end}", source.name, source.text)
}

/// The argument as one word for a POSIX shell.
pub fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("--error"), "--error");
        assert_eq!(quoted("Main.1(Buf.2)"), "'Main.1(Buf.2)'");
        assert_eq!(quoted("Cell#2=item"), "'Cell#2=item'");
        assert_eq!(quoted("two = #busy >= 2"), "'two = #busy >= 2'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}

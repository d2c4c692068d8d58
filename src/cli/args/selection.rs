//! Which instances a command is about: `--size N`, `--max-size N` or `--tree TERM`, shared by all commands
//! about instances.

use clap::Args;
use clap::error::ErrorKind;

use paramcheck_model::system::System;
use paramcheck_nets::instance::select::Selection;
use paramcheck_nets::instance::term::parse_term;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::source::SourceFile;

use crate::cli::Failure;

/// No larger size can be given; a larger instance can be given by its tree.
pub(crate) const MAX_SIZE: usize = 1000;

/// The longest list of instances that is gone through to the one of a number.
const MAX_INSTANCE: usize = 1_000_000;

/// The selected instances; at most one of the sizes and trees is given.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct InstanceSelection {
    /// All instances with exactly this many components
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true, conflicts_with_all = ["max_size", "tree"])]
    pub size: Option<usize>,

    /// Of the instances of this --size the K-th, as `instances` lists them
    #[arg(long, value_name = "K", value_parser = parse_instance, allow_negative_numbers = true, requires = "size", conflicts_with_all = ["max_size", "tree"])]
    pub instance: Option<usize>,

    /// All instances with up to this many components
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true, conflicts_with = "tree")]
    pub max_size: Option<usize>,

    /// The instance of this rewriting tree, written as in answers: 'Ring.1(Chain.2^3(Chain.1))'
    #[arg(long, value_name = "TERM")]
    pub tree: Option<String>,
}

/// What is wrong with a tree, and the text it stands in.
pub(crate) struct BadTree {
    /// The argument as a text of its own.
    pub source: SourceFile,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

impl InstanceSelection {
    /// Whether any of the options is given.
    pub(crate) fn is_given(&self) -> bool {
        self.size.is_some() || self.max_size.is_some() || self.tree.is_some()
    }

    /// Refuses a call without a selection, for commands that need one.
    pub(crate) fn refuse_nothing(&self) -> Result<(), Failure> {
        if self.is_given() {
            return Ok(());
        }
        let message = "say which instances are meant: --size N, --max-size N or --tree TERM";
        Err(Failure::misuse(ErrorKind::MissingRequiredArgument, message))
    }

    /// The selected instances of `system`; without a selection, all up to `default` components.
    ///
    /// # Errors
    /// What is wrong with the tree.
    pub(crate) fn selection(&self, system: &System, default: usize) -> Result<Selection, BadTree> {
        if let Some(text) = &self.tree {
            return match parse_term(system, text) {
                Ok(tree) => Ok(Selection::Tree(tree)),
                Err(diagnostics) => Err(BadTree { source: SourceFile::new("--tree", text), diagnostics }),
            };
        }
        Ok(Selection::Sizes(match (self.size, self.max_size) {
            (Some(size), _) => size..=size,
            (None, largest) => 1..=largest.unwrap_or(default),
        }))
    }
}

/// The number of an instance in a list, at most [`MAX_INSTANCE`].
pub(crate) fn parse_instance(text: &str) -> Result<usize, String> {
    match text.replace('_', "").parse() {
        Ok(number @ 1..=MAX_INSTANCE) => Ok(number),
        Ok(number) if number > MAX_INSTANCE => {
            Err(format!("give at most {MAX_INSTANCE}; a later one can be given by its --tree"))
        }
        _ => Err("give a whole number, at least 1".to_owned()),
    }
}

/// A number of components, at most [`MAX_SIZE`].
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.replace('_', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(size @ 1..=MAX_SIZE) => Ok(size),
        Ok(0) => Err("give a whole number of components, at least 1".to_owned()),
        Err(_) if !is_number => Err("give a whole number of components, at least 1".to_owned()),
        // What can't be parsed does not fit into a number.
        Ok(_) | Err(_) => {
            Err(format!("give at most {MAX_SIZE}; a larger instance can be given by its --tree"))
        }
    }
}

//! The selected instance of a command about a single one: `--size N`, `--tree TERM`, `--trace PATH` or
//! `--candidate PATH`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::selection::{parse_instance, parse_size};

/// The selected instance; at most one of size, tree and trace is given.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SelectedArguments {
    /// The instance with this many components; of several, the most even
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true, conflicts_with_all = ["tree", "trace"])]
    pub size: Option<usize>,

    /// Of the instances of this --size the K-th, as `instances` lists them
    #[arg(long, value_name = "K", value_parser = parse_instance, allow_negative_numbers = true, requires = "size", conflicts_with_all = ["tree", "trace"])]
    pub instance: Option<usize>,

    /// The instance of this rewriting tree, written as in answers: 'Ring.1(Chain.2^3(Chain.1))'
    #[arg(long, value_name = "TERM", conflicts_with = "trace")]
    pub tree: Option<String>,

    /// The instance and the steps of this trace, as written by --trace
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,

    /// The instance and the marking of this candidate, as written by --candidate when checking
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with_all = ["size", "instance", "tree", "trace"])]
    pub candidate: Option<PathBuf>,
}

impl SelectedArguments {
    /// Whether any of the options is given.
    pub(crate) fn is_given(&self) -> bool {
        self.size.is_some() || self.tree.is_some() || self.document().is_some()
    }

    /// The document that it is read from, if it is.
    pub(crate) fn document(&self) -> Option<&Path> {
        self.trace.as_deref().or(self.candidate.as_deref())
    }
}

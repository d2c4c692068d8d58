//! The selected instance of a command about a single one: `--size N`, `--tree TERM` or `--trace PATH`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::selection::{parse_instance, parse_size};

/// The selected instance; at most one of size, tree and trace is given.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SelectedArguments {
    /// The instance with this many components; of several, the most even
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true, conflicts_with_all = ["tree", "trace"])]
    pub size: Option<usize>,

    /// Of the instances of this --size the K-th, as `instances` lists them
    #[arg(long, value_name = "K", value_parser = parse_instance, allow_negative_numbers = true, requires = "size")]
    pub instance: Option<usize>,

    /// The instance of this rewriting tree, written as in answers: 'Ring.1(Chain.2^3(Chain.1))'
    #[arg(long, value_name = "TERM", conflicts_with = "trace")]
    pub tree: Option<String>,

    /// The instance and the steps of this trace, as written by --trace
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,
}

impl SelectedArguments {
    /// Whether any of the options is given.
    pub(crate) fn is_given(&self) -> bool {
        self.size.is_some() || self.tree.is_some() || self.trace.is_some()
    }
}

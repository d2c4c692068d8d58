//! Which instance a command is about that is about one: `--size N` or `--trace FILE`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// The instance meant; at most one of the options is given.
#[derive(Clone, Debug, Default, Args)]
#[group(multiple = false)]
pub struct OneInstance {
    /// The instance with this many components; of several, the first
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true)]
    pub size: Option<usize>,

    /// The instance and the steps of this trace, as written by --trace; `-` is standard input
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,
}

/// No larger size can be asked for.
pub const LARGEST_SIZE: usize = 10_000;

fn parse_size(text: &str) -> Result<usize, String> {
    match text.replace('_', "").parse() {
        Ok(size @ 1..=LARGEST_SIZE) => Ok(size),
        Ok(0) | Err(_) => Err("give a whole number of components, at least 1".to_owned()),
        Ok(_) => Err(format!("give at most {LARGEST_SIZE}; a larger instance can be given by its --tree")),
    }
}

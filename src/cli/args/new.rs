//! What the user may say to `new`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck_process::Language;

use super::verify::parse_language;

const AFTER_HELP: &str = "\
Shapes:
  ring           a token goes round (the default)
  chain          nodes between two ends; a wave goes to the far end and back
  star           one server and any number of clients
  tree           a binary tree; the root asks downwards, answers come up
  ring-of-stars  a ring of hubs with members
  pipeline       stages with a cell between two of them
  hierarchy      managers and workers, of any depth and width
There is no shape in which everybody meets everybody: rules connect
what one of them knows. A star often does instead, with the medium
(a lock, a bus) in the middle.

Examples:
  paramcheck new lock --shape star            writes lock.rws
  paramcheck new handshake --language ccs     writes handshake.ccs
  paramcheck new ants.labs                    writes a system of agents
  paramcheck new - --shape tree               prints it";

/// `new`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct NewArguments {
    /// The name of the model, and of its file without the ending; `-` prints it
    #[arg(value_name = "NAME", value_hint = ValueHint::FilePath)]
    pub name: PathBuf,

    /// How the components are connected: ring, chain, star, tree, ring-of-stars, pipeline or hierarchy
    #[arg(
        long,
        value_name = "SHAPE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub shape: Shape,

    /// Write a process (ccs) or a choreography (chor) instead of a rewriting system
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_new_language, conflicts_with = "shape")]
    pub language: Option<Language>,
}

/// How the components of a model are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// A ring
    #[default]
    Ring,
    /// A chain
    Chain,
    /// A star
    Star,
    /// A binary tree
    Tree,
    /// A ring of stars
    RingOfStars,
    /// A pipeline
    Pipeline,
    /// A hierarchy
    Hierarchy,
}

/// As elsewhere; `choreography` in full is understood too.
fn parse_new_language(text: &str) -> Result<Language, String> {
    parse_language(if text == "choreography" { "chor" } else { text })
}

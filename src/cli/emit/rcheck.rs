//! Systems in R-CHECK for other programs.

use paramcheck_emulation::rcheck::smv::smv;
use paramcheck_rcheck::parser::Options as Reading;
use paramcheck_text::diagnostic::codes::input::NOT_WRITABLE;

use super::{Session, Written};
use crate::cli::args::{EmitArguments, Format};
use crate::cli::{files, rcheck};

/// Why a call can't have what it has.
pub(super) fn misfit(arguments: &EmitArguments) -> Option<&'static str> {
    if arguments.format != Format::Smv {
        return Some("a file that ends in .rcp is written for NuSMV alone: --as smv");
    }
    if arguments.which.is_given() {
        return Some(
            "--size and --tree are about rewriting systems: a system that ends in .rcp is one instance",
        );
    }
    if !arguments.errors.is_empty() || arguments.invariants.is_some() {
        return Some("--error and --invariants are about rewriting systems, and the file ends in .rcp");
    }
    None
}

/// The system of a file with all its properties; nothing, with the reason reported, where it can't be written.
pub(super) fn text(arguments: &EmitArguments, session: &mut Session<'_, (), Written>) -> Option<String> {
    let (_, system) = rcheck::read(&arguments.file, Reading::default(), None, session)?;
    let specs: Vec<usize> = (0..system.specs.len()).collect();
    match smv(&system, &specs) {
        Ok(text) => Some(text),
        Err(why) => {
            let help = "this program answers it by itself: `paramcheck verify FILE`";
            session.diagnostic(&files::plain(&NOT_WRITABLE, why.to_string()).help(help), None);
            None
        }
    }
}

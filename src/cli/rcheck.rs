//! R-CHECK: from a file to a system, with everything that is wrong on the way; for all commands that take one.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use paramcheck_rcheck::lower::Lowered;
use paramcheck_rcheck::model::System;
use paramcheck_rcheck::parser::Options;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning::NO_INITIAL_STATE;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_text::diagnostic::codes::rcheck::meaning::UNBOUNDED_INT;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::rcheck::{NoStart, Unfit};

use super::session::Session;
use super::{files, process};

/// Whether a file's name is one of a system in R-CHECK.
pub(super) fn is_rcheck(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rcp")
}

/// The diagnostic for a system in R-CHECK where something else is read.
pub(super) fn one_instance(path: &Path) -> Diagnostic {
    let name = files::name(path);
    let message = format!("`{name}` is in R-CHECK, by its name: one instance, and no system of every size");
    let help = format!("its properties are checked with `paramcheck verify {name}`");
    files::plain(&OTHER_KIND_OF_FILE, message).help(help)
}

/// The system in a file, if it is there at `deadline`; nothing, with the reason reported, where there is none.
pub(super) fn read<D: Serialize, R: Serialize>(
    path: &Path,
    options: Options,
    deadline: Option<Instant>,
    session: &mut Session<'_, D, R>,
) -> Option<(SourceFile, System)> {
    let source = session.accept(process::text(path, deadline))?;
    let Lowered { system, diagnostics } = paramcheck_rcheck::load(&source.text, options);
    session.diagnostics(&diagnostics, &source);
    let system = system?;
    let names = system.instances.iter().map(|one| one.name.as_str());
    session.describe(itertools::join(names, " || "), None);
    Some((source, system))
}

/// The diagnostic that a system does not begin.
pub(super) fn no_start(reason: NoStart) -> Diagnostic {
    let (code, message) = match reason {
        NoStart::NoInitialState => {
            (&NO_INITIAL_STATE, "there is no initial state: no values satisfy all conditions")
        }
        NoStart::Unfit(Unfit::TooManyInitial) => (&UNBOUNDED_INT, "there are too many initial states"),
        NoStart::Unfit(Unfit::NoValue(..)) => {
            (&NO_INITIAL_STATE, "there is no initial state: a condition has no value")
        }
    };
    let help = "look at `init` of the agents, and at the conditions of the instances";
    files::plain(code, message.to_owned()).help(help)
}

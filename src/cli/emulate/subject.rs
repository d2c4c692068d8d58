//! What `emulate` is about: a process, or an instance of a rewriting system.

use std::time::Instant;

use paramcheck_emulation::Structure;
use paramcheck_emulation::process::{MAX_TRIPLES, NotEncoded};
use paramcheck_model::system::System as RewritingSystem;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::select::Selection;
use paramcheck_process::model::System as ProcessSystem;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;

use super::super::args::emulate::EmulateArguments;
use super::super::console::Console;
use super::super::exit::Exit;
use super::super::selected::NotSelected;
use super::super::{model, process, selected};

/// What is emulated.
pub(super) enum Subject {
    /// A process or choreography.
    Process(Box<ProcessSystem>),
    /// An instance of a rewriting system.
    Instance(Box<(RewritingSystem, Net)>),
}

impl Subject {
    /// Reads what the call names, if it is there at `deadline`; where that can't be, how the call
    /// ends, with the reason reported.
    pub(super) fn load(
        arguments: &EmulateArguments,
        deadline: Option<Instant>,
        console: &mut Console,
    ) -> Result<(SourceFile, Subject), Exit> {
        if !is_of_instance(arguments) {
            let loaded = process::load(&arguments.file, arguments.language, deadline);
            let (source, lowered) = console.accept(loaded).ok_or(Exit::InputError)?;
            console.diagnostics(&lowered.diagnostics, &source);
            let system = lowered.system.ok_or(Exit::InputError)?;
            return Ok((source, Subject::Process(Box::new(system))));
        }
        let read = process::text(&arguments.file, deadline);
        let source = console.accept(read).ok_or(Exit::InputError)?;
        let system = model::system(&source, console).ok_or(Exit::InputError)?;
        let tree = match arguments.which.selection(&system, 0) {
            Ok(Selection::Tree(tree)) => tree,
            Ok(Selection::Sizes(sizes)) => {
                let (number, budget) = (arguments.which.instance, Budget { deadline, ..Budget::default() });
                let found = selected::of_size(&system, *sizes.end(), number, &budget, console);
                found.map_err(NotSelected::exit)?
            }
            Err(problem) => {
                console.diagnostics(&problem.diagnostics, &problem.source);
                return Err(Exit::InputError);
            }
        };
        let net = selected::unfolded(&system, &tree, MAX_TRIPLES, console).ok_or(Exit::InputError)?;
        Ok((source, Subject::Instance(Box::new((system, net)))))
    }

    /// Its triples.
    ///
    /// # Errors
    /// The budget ended, or there are too many.
    pub(super) fn structure(&self, budget: &Budget) -> Result<Structure, NotEncoded> {
        match self {
            Subject::Process(system) => paramcheck_emulation::process::encode(system, budget),
            Subject::Instance(instance) => {
                Ok(paramcheck_emulation::instance::encode(&instance.0, &instance.1))
            }
        }
    }
}

/// Whether the call is about an instance: by the file's name or, where that does not decide, because one is
/// chosen.
pub(super) fn is_of_instance(arguments: &EmulateArguments) -> bool {
    if arguments.language.is_some() || process::language_of(&arguments.file).is_some() {
        return false;
    }
    process::is_rewriting_system(&arguments.file) || arguments.which.is_given()
}

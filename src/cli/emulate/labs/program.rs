//! Agents as programs for other verifiers: which question they ask, and their text.

use paramcheck_emulation::labs::program::cadp;
use paramcheck_emulation::labs::program::{AgentProgram, FAULT, Goal, NotProgrammed, program};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::{Condition, Demand};
use paramcheck_emulation::writers::NotWritable;
use paramcheck_emulation::writers::c::Shape;
use paramcheck_labs::model::Property;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::{Budget, Stop};

use super::EmulateSession;
use crate::cli::Failure;
use crate::cli::args::emulate::{EmulateArguments, ProcessFormat};
use crate::cli::emulate::program::{which, written};
use crate::cli::labs::{Loaded, Question, questions};

/// Why there is no text.
pub(super) enum NotMade {
    /// There is no program.
    Program(NotProgrammed),
    /// The language can't express it.
    Text(NotWritable),
    /// CADP's languages can't.
    Cadp(cadp::NotWritten),
}

impl NotMade {
    /// What ended it, or what can't be written.
    pub(super) fn reason(self) -> Result<Stop, String> {
        match self {
            NotMade::Program(NotProgrammed::Stopped(stop)) | NotMade::Text(NotWritable::Stopped(stop)) => {
                Ok(stop)
            }
            NotMade::Program(reason) => Err(reason.to_string()),
            NotMade::Text(reason) => Err(reason.to_string()),
            NotMade::Cadp(reason) => Err(reason.to_string()),
        }
    }
}

/// What is wanted: a property, whether a fault is reached, or nothing.
pub(super) enum Wanted {
    Property(Box<Property>),
    Fault,
    Nothing,
}

/// Whether the format answers a question.
pub(super) fn needs_question(arguments: &EmulateArguments) -> bool {
    arguments.format.is_program() || arguments.format == ProcessFormat::Mcl
}

/// The selected question; `None`, with the reason reported, where there is none.
pub(super) fn wanted(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    session: &mut EmulateSession<'_>,
) -> Result<Option<Wanted>, Failure> {
    let properties = &loaded.system.properties;
    let Some(wanted) = &arguments.program.check else {
        if arguments.program.standalone {
            return Ok(Some(Wanted::Nothing));
        }
        let names: Vec<&str> = properties.iter().map(|one| one.name.as_str()).collect();
        return match properties.as_slice() {
            [only] => Ok(Some(Wanted::Property(Box::new(only.clone())))),
            _ => Err(which("check", &names)),
        };
    };
    let is_own = properties.iter().any(|one| one.name == *wanted);
    if wanted == FAULT && !is_own && arguments.format != ProcessFormat::Mcl {
        return Ok(Some(Wanted::Fault));
    }
    let found = questions(loaded, std::slice::from_ref(wanted), "--check", session);
    Ok(found.into_iter().next().map(|Question { property, .. }| Wanted::Property(Box::new(property))))
}

/// The program.
pub(super) fn text(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    wanted: Option<&Wanted>,
    rules: Rules,
    budget: &Budget,
) -> Result<String, NotMade> {
    let (system, source) = (&loaded.system, &loaded.source);
    let goal = match (arguments.format, wanted) {
        (ProcessFormat::Lnt, _) => {
            return cadp::lnt(system, &source.text, &source.name, rules, budget).map_err(NotMade::Cadp);
        }
        (ProcessFormat::Mcl, Some(Wanted::Property(property))) => {
            return cadp::mcl(system, &source.name, property, rules).map_err(NotMade::Cadp);
        }
        (_, Some(Wanted::Property(property))) => Goal::Property(property),
        (_, Some(Wanted::Fault | Wanted::Nothing) | None) => Goal::Fault,
    };
    let steps = arguments.steps;
    let made = program(system, &source.text, rules, goal, steps, budget);
    let AgentProgram { structure, mut question, .. } = made.map_err(NotMade::Program)?;
    if let Some(Wanted::Nothing) = wanted {
        question.name = "nothing".to_owned();
        question.demand = Demand::Never(Condition::Constant(false));
    }
    let is_live = matches!(question.demand, Demand::Eventually(_));
    if arguments.program.lasso && !is_live {
        return Err(NotMade::Program(NotProgrammed::Unbounded));
    }
    let own =
        Program { model: &source.name, structure: &structure, question: &question, schedule: Schedule::Any };
    let shape = steps.and_then(|steps| u32::try_from(steps).ok()).map_or(Shape::Loop, Shape::Base);
    written(arguments, &own, shape, budget).map_err(NotMade::Text)
}

//! A question about all instances: text of `paramcheck_wsks`.

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::source::SourceFile;
use paramcheck_wsks::emit;
use paramcheck_wsks::encoding::EncodeError;
use paramcheck_wsks::question::{Goal, Question, question};

use super::super::args::Format;
use super::super::console::Console;
use super::super::{files, model};
use super::Subject;

/// The paper's method.
const INVARIANTS: [InvariantKind; 2] = [InvariantKind::TRAP, InvariantKind::MUTEX];

/// What is to be written; `None` where that can't be, with the reason reported.
pub(super) fn text(subject: &Subject<'_>, console: &mut Console) -> Option<String> {
    let Subject { arguments, source, system } = *subject;
    let error = arguments.errors.first().map_or("deadlock", String::as_str);
    let error = match model::question(system, error) {
        Ok((error, found)) => {
            console.diagnostics(&found.diagnostics, &found.source);
            error
        }
        Err(found) => {
            console.diagnostics(&found.diagnostics, &found.source);
            return None;
        }
    };
    let kinds = arguments.invariants.as_ref().map_or(&INVARIANTS[..], |kinds| &kinds.0);
    let question = match question(system, Goal::Error(&error.formula), kinds, &[]) {
        Ok(question) => question,
        Err(reason) => {
            let message = format!("the question about `{}` has no formula: {reason}", error.name);
            let diagnostic = files::plain(&codes::NO_FORMULA, message);
            console.diagnostic(&diagnostic.help(help(&reason)), None);
            return None;
        }
    };
    let heading = heading(source, system, &error, kinds, &question);
    if arguments.format == Format::Formula {
        return Some(emit::formula(&question, &heading));
    }
    match emit::mona(&question, &heading) {
        Ok(text) => Some(text),
        Err(reason) => {
            let message = format!("the question about `{}` can't be written for MONA: {reason}", error.name);
            console.diagnostic(&files::plain(&codes::NO_FORMULA, message), None);
            None
        }
    }
}

/// The comment at the top of the text.
fn heading(
    source: &SourceFile,
    system: &System,
    error: &NamedError,
    kinds: &[InvariantKind],
    question: &Question,
) -> String {
    let kinds = itertools::join(kinds, ", ");
    let definition = print_formula(system, &error.formula);
    let is_defined = definition != error.name;
    let definition = if is_defined { format!(" = {definition}") } else { String::new() };
    let logic = if question.kappa == 1 { "WS1S (words)" } else { "WS2S (binary trees)" };
    format!(
        "model:       {}, system {}\n\
         error:       {}{definition}\n\
         invariants:  {kinds}\n\
         logic:       {logic}\n\
         Asked: does some instance, of whatever size, have a marking that is in the error and in every\n\
         invariant of these kinds?\n",
        source.name,
        system.name(),
        error.name,
    )
}

fn help(reason: &EncodeError) -> &'static str {
    match reason {
        EncodeError::Weights(_) => "leave out `linear` and `modulo`; only the direct engine knows them",
        EncodeError::Bound(_) => "count less far in the error, or give other --invariants",
        _ => "the command without `emit` decides questions that have no formula",
    }
}

//! One instance: text of `paramcheck_emulation::emit`.

use paramcheck_emulation::emit::{Instance, NotEmitted, dot, pnml, promela, smv};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::select::Selection;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::Budget;

use super::super::args::{EmitArguments, Format};
use super::super::console::Console;
use super::super::{files, model, selected};
use super::Subject;

/// An instance with more transitions is not written, though it could be made: no tool would read that much
/// text.
const MAX_WRITTEN: usize = 1_000_000;

/// What is to be written; `None` where that can't be, with the reason reported.
pub(super) fn text(subject: &Subject<'_>, console: &mut Console) -> Option<String> {
    let Subject { arguments, source, system } = *subject;
    let questions = model::questions(system, &arguments.errors);
    questions.found.iter().for_each(|found| console.diagnostics(&found.diagnostics, &found.source));
    let tree = tree(arguments, system, console)?;
    if questions.is_bad() {
        return None;
    }
    let net = selected::unfolded(system, &tree, MAX_WRITTEN, console)?;
    let instance =
        Instance { model: &source.name, system, tree: &tree, net: &net, errors: &questions.errors };
    let written = match arguments.format {
        Format::Pnml => Ok(pnml(&instance)),
        Format::Dot => Ok(dot(&instance)),
        Format::Promela => promela(&instance),
        Format::Smv => smv(&instance),
        Format::Mona | Format::Formula => return None,
    };
    match written {
        Ok(text) => Some(text),
        Err(reason) => {
            let diagnostic = |message| files::plain(&codes::NOT_WRITABLE, message);
            let diagnostic = match reason {
                NotEmitted::Error(position, reason) => {
                    let name = questions.errors.get(position).map_or("", |error| error.name.as_str());
                    let help = "leave it out by naming others with --error, or take a smaller instance";
                    diagnostic(format!("the error `{name}` can't be written: {reason}")).help(help)
                }
                NotEmitted::Program(reason) => diagnostic(format!("the instance can't be written: {reason}")),
            };
            console.diagnostic(&diagnostic, None);
            None
        }
    }
}

/// The selected tree; of several of one size the most even, which is reported.
fn tree(arguments: &EmitArguments, system: &System, console: &mut Console) -> Option<RewritingTree> {
    match arguments.which.selection(system, 0) {
        Ok(Selection::Tree(tree)) => Some(tree),
        Ok(Selection::Sizes(sizes)) => {
            let (number, budget) = (arguments.which.instance, Budget::unlimited());
            selected::of_size(system, *sizes.end(), number, &budget, console).ok()
        }
        Err(problem) => {
            console.diagnostics(&problem.diagnostics, &problem.source);
            None
        }
    }
}

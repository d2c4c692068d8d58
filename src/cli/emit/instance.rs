//! One instance: text of the library's `emit`.

use paramcheck::diagnostic::codes::input as codes;
use paramcheck::emit::{Instance, dot, pnml, promela, smv};
use paramcheck::instance::select::Selection;
use paramcheck::instance::unfold::unfold_within;
use paramcheck::model::system::System;
use paramcheck::model::tree::RewritingTree;
use paramcheck::source::SourceFile;

use super::super::args::{EmitArguments, Format};
use super::super::console::Console;
use super::super::{files, model, one};

/// An instance with more transitions is not written: nobody could read so much text.
const MOST_TRANSITIONS: usize = 1_000_000;

/// What is to be written; `None` where that can't be, with the reason told.
pub fn text(
    arguments: &EmitArguments,
    source: &SourceFile,
    system: &System,
    console: &mut Console,
) -> Option<String> {
    let (errors, bad) = model::questions(system, &arguments.errors);
    for problem in &bad {
        for diagnostic in &problem.diagnostics {
            console.diagnostic(diagnostic, Some(&problem.source));
        }
    }
    let tree = tree(arguments, system, console)?;
    if !bad.is_empty() {
        return None;
    }
    let Some(net) = unfold_within(system, &tree, MOST_TRANSITIONS) else {
        let message = format!("the instance has more than {MOST_TRANSITIONS} transitions");
        console.diagnostic(&files::plain(&codes::NO_INSTANCE, message), None);
        return None;
    };
    let instance = Instance { model: &source.name, system, tree: &tree, net: &net, errors: &errors };
    let written = match arguments.format {
        Format::Pnml => Ok(pnml::pnml(&instance)),
        Format::Dot => Ok(dot::dot(&instance)),
        Format::Promela => promela::promela(&instance),
        Format::Smv => smv::smv(&instance),
        Format::Mona | Format::Formula => return None,
    };
    match written {
        Ok(text) => Some(text),
        Err((position, reason)) => {
            let name = errors.get(position).map_or("", |error| error.name.as_str());
            let message = format!("the error `{name}` can't be written: {reason}");
            let help = "leave it out by naming others with --error, or take a smaller instance";
            console.diagnostic(&files::plain(&codes::NOT_WRITABLE, message).help(help), None);
            None
        }
    }
}

/// The tree meant; of several of one size the first, which is told.
fn tree(arguments: &EmitArguments, system: &System, console: &mut Console) -> Option<RewritingTree> {
    match arguments.which.selection(system, 0) {
        Ok(Selection::Tree(tree)) => Some(tree),
        Ok(Selection::Sizes(sizes)) => one::first_of_size(system, *sizes.end(), console),
        Err(problem) => {
            for diagnostic in &problem.diagnostics {
                console.diagnostic(diagnostic, Some(&problem.source));
            }
            None
        }
    }
}

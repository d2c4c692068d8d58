//! One instance: text of the library's `emit`.

use paramcheck::diagnostic::codes::input as codes;
use paramcheck::emit::{Instance, dot, pnml, promela, smv};
use paramcheck::instance::enumerate::{smallest_size, trees};
use paramcheck::instance::select::Selection;
use paramcheck::instance::term::print_term;
use paramcheck::instance::unfold::unfold_within;
use paramcheck::model::system::System;
use paramcheck::model::tree::RewritingTree;
use paramcheck::report::text::plural;
use paramcheck::source::SourceFile;

use super::super::args::{EmitArguments, Format};
use super::super::console::Console;
use super::super::{files, model};

/// An instance with more transitions is not written: nobody could read so much text.
const MOST_TRANSITIONS: usize = 1_000_000;
/// Instances of one size are counted up to this many.
const MOST_COUNTED: usize = 1_000;
/// How far from the size asked for others are looked for.
const NEAR: usize = 100;

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
    let size = match arguments.which.selection(system, 0) {
        Ok(Selection::Tree(tree)) => return Some(tree),
        Ok(Selection::Sizes(sizes)) => *sizes.end(),
        Err(problem) => {
            for diagnostic in &problem.diagnostics {
                console.diagnostic(diagnostic, Some(&problem.source));
            }
            return None;
        }
    };
    let mut all = trees(system, size);
    let Some(first) = all.next() else {
        let message = format!("{} has no instance of {}", system.name(), plural(size, "component"));
        let diagnostic = files::plain(&codes::NO_INSTANCE, message).help(sizes_near(system, size));
        console.diagnostic(&diagnostic, None);
        return None;
    };
    let more = all.take(MOST_COUNTED).count();
    if more > 0 {
        let count = if more == MOST_COUNTED { format!("more than {more}") } else { (more + 1).to_string() };
        console.note(&format!(
            "note: of {count} instances with {} this is the first, {}; \
             `paramcheck instances FILE --size {size}` lists them, --tree chooses one",
            plural(size, "component"),
            print_term(system, &first),
        ));
    }
    Some(first)
}

/// Which sizes there are instead.
fn sizes_near(system: &System, size: usize) -> String {
    let exists = |size: &usize| trees(system, *size).next().is_some();
    let smaller = (1..size).rev().take(NEAR).find(exists);
    let larger = (size + 1..).take(NEAR).find(exists);
    match (smaller, larger) {
        (Some(smaller), Some(larger)) => {
            format!("there are instances of {smaller} and of {larger} components")
        }
        (Some(near), None) | (None, Some(near)) => format!("there are instances of {near} components"),
        (None, None) => format!("the smallest instance has {} components", smallest_size(system)),
    }
}

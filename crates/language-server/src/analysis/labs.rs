//! What a text about agents means.
//!
//! A text has no values of its parameters: they come from the command line. What is wrong with it is looked for
//! with two choices of values; what both find is shown. Nothing is decided then.

use std::collections::BTreeMap;

use paramcheck_labs::ast::{File, Section};
use paramcheck_labs::lower::Lowered;
use paramcheck_labs::parser::parse;
use paramcheck_labs::{Parameters, load};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::Comment;

use super::{Analysis, Meaning, Question};
use crate::index::index_labs;
use crate::words::Word;

/// The values with which a text is looked at.
const TRIED: [i64; 2] = [3, 5];

/// Reads a text.
pub(super) fn analysis(text: &str, words: Vec<Word>, comments: Vec<Comment>) -> Analysis {
    let tree = parse(text).file;
    let index = index_labs(&tree);
    let names = parameters(&tree);
    let with = |value: i64| -> Parameters {
        names.iter().map(|name| (name.trim_start_matches('_').to_owned(), value)).collect::<BTreeMap<_, _>>()
    };
    let [first, second] = TRIED;
    let Lowered { system, mut diagnostics } = load(text, &with(first));
    if !names.is_empty() {
        let others = load(text, &with(second)).diagnostics;
        diagnostics.retain(|one| others.iter().any(|other| is_same(one, other)));
    }
    // With other values it may mean something all the same.
    let is_sound = !diagnostics.iter().any(Diagnostic::is_error);
    let system = system.filter(|_| is_sound).map(Box::new);
    let meaning = Meaning::Agents { tree, text: text.to_owned(), system };
    Analysis { words, comments, index, diagnostics, meaning }
}

/// Whether both say the same of the same place, but for values.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |diagnostic: &Diagnostic| diagnostic.labels.first().map(|label| label.span);
    one.code.id == other.code.id && place(one) == place(other)
}

/// The parameters of a text.
fn parameters(tree: &File) -> Vec<&str> {
    let sections = tree.sections.iter().filter_map(|section| match section {
        Section::System(section) => Some(section),
        _ => None,
    });
    sections.flat_map(|section| &section.externs).map(|name| name.text.as_str()).collect()
}

/// The properties.
pub(super) fn questions(tree: &File) -> Vec<Question> {
    let sections = tree.sections.iter().filter_map(|section| match section {
        Section::Check(section) => Some(section),
        _ => None,
    });
    let properties = sections.flat_map(|section| &section.properties);
    properties
        .map(|property| {
            let span = property.name.span.to(property.formula.span);
            Question { name: property.name.text.clone(), span }
        })
        .collect()
}

/// Why nothing is decided: parameters without values.
pub(super) fn undecided(tree: &File) -> Option<String> {
    let names = parameters(tree);
    let values = names.iter().map(|name| format!("{}={}", name.trim_start_matches('_'), TRIED[0]));
    let values = itertools::join(values, " ");
    match names.as_slice() {
        [] => None,
        [only] => Some(format!(
            "not decided: the parameter `{only}` has no value; `paramcheck verify FILE {values}` gives it one"
        )),
        _ => Some(format!(
            "not decided: the parameters {} have no values; `paramcheck verify FILE {values}` gives them some",
            itertools::join(names.iter().map(|name| format!("`{name}`")), ", ")
        )),
    }
}

//! What a text means: made once per version of a document, from the text alone.
//!
//! In: a text and its language. Out: an [`Analysis`]: tree, names, diagnostics, questions, and the system
//! where there is one. Total, as reading is.

use paramcheck_labs::{ast as labs_ast, model as labs_model};
use paramcheck_model::error::NamedError;
use paramcheck_model::lower;
use paramcheck_model::syntax::{self, ast};
use paramcheck_model::system::System;
use paramcheck_process::{ast as process_ast, model as process_model, parser as process_parser};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::Comment;
use paramcheck_text::source::Span;

use crate::document::Language;
use crate::index::{Index, index_process, index_rewriting};
use crate::words::{Word, words};

mod labs;

/// Rewriting systems with more rules are not decided as one types: what is to be interrupted by the next key
/// must look up from its work now and then, and the preparations of a question do not.
const MAX_DECIDED_RULES: usize = 2_000;

/// What a text means.
pub(crate) struct Analysis {
    pub(crate) words: Vec<Word>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) index: Index,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) meaning: Meaning,
}

/// Tree and system.
pub(crate) enum Meaning {
    Rewriting { tree: ast::Model, system: Option<Box<System>> },
    Process { tree: process_ast::Model, system: Option<Box<process_model::System>> },
    Agents { tree: labs_ast::File, text: String, system: Option<Box<labs_model::System>> },
}

/// A question of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// The name of the error or check.
    pub(crate) name: String,
    /// Where its answer is shown.
    pub(crate) span: Span,
}

impl Analysis {
    /// Reads a text.
    pub(crate) fn new(text: &str, language: Language) -> Self {
        let (words, comments) = words(text, language);
        if language == Language::Labs {
            return labs::analysis(text, words, comments);
        }
        let Some(process) = language.process() else {
            let parsed = syntax::parse(text);
            let index = index_rewriting(&parsed.model);
            let mut diagnostics = parsed.diagnostics;
            let mut system = None;
            if !diagnostics.iter().any(Diagnostic::is_error) {
                let lowered = lower::lower(&parsed.model);
                diagnostics.extend(lowered.diagnostics);
                system = lowered.system.map(Box::new);
            }
            let meaning = Meaning::Rewriting { tree: parsed.model, system };
            return Analysis { words, comments, index, diagnostics, meaning };
        };
        let index = index_process(text, &words);
        let tree = process_parser::parse(text, process).model;
        let loaded = paramcheck_process::load(text, process);
        let meaning = Meaning::Process { tree, system: loaded.system.map(Box::new) };
        Analysis { words, comments, index, diagnostics: loaded.diagnostics, meaning }
    }

    /// Tree and system of a rewriting system that means something.
    pub(crate) fn rewriting(&self) -> Option<(&ast::Model, &System)> {
        match &self.meaning {
            Meaning::Rewriting { tree, system } => Some((tree, system.as_deref()?)),
            Meaning::Process { .. } | Meaning::Agents { .. } => None,
        }
    }

    /// The questions about the text, in the order in which they are decided; none where it means nothing.
    pub(crate) fn questions(&self) -> Vec<Question> {
        match &self.meaning {
            Meaning::Rewriting { tree, system: Some(system) } => {
                errors(system).into_iter().map(|error| error_question(tree, &error.name)).collect()
            }
            Meaning::Process { system: Some(system), .. } => system
                .checks
                .iter()
                .map(|check| Question { name: check.name.clone(), span: check.span })
                .collect(),
            Meaning::Agents { tree, system: Some(_), .. } => labs::questions(tree),
            _ => Vec::new(),
        }
    }

    /// Why nothing is decided, in words, where that is so; `FILE` stands for the document's name.
    pub(crate) fn undecided(&self) -> Option<String> {
        let is_too_large = self.rewriting().is_some_and(|(_, system)| system.rules.len() > MAX_DECIDED_RULES);
        match &self.meaning {
            _ if is_too_large => {
                Some("too many rules to be decided as you type: call `paramcheck` on this file".to_owned())
            }
            Meaning::Agents { tree, .. } => labs::undecided(tree),
            _ => None,
        }
    }
}

/// The errors asked about: `deadlock`, and those of the system.
pub(crate) fn errors(system: &System) -> Vec<NamedError> {
    std::iter::once(System::deadlock()).chain(system.errors.iter().cloned()).collect()
}

/// Where the answer about an error is shown: over its definition. `deadlock` has none: over `system`, or over
/// the first rule, whose predicate is the system where nothing else says so.
fn error_question(tree: &ast::Model, name: &str) -> Question {
    let defined = tree.items.iter().find_map(|item| match item {
        ast::Item::Error(error) if error.name.text == name => Some(error.span),
        ast::Item::Critical(critical) if name == "critical" => Some(critical.span),
        _ => None,
    });
    let forbids = tree.items.iter().flat_map(|item| match item {
        ast::Item::Rule(rule) => rule.bodies.iter().flat_map(|body| &body.forbids).collect::<Vec<_>>(),
        ast::Item::Link(link) => link.forbids.iter().collect(),
        _ => Vec::new(),
    });
    let pattern = || {
        let mut named = forbids.filter(|forbid| match &forbid.name {
            Some(own) => own.text == name,
            None => name == "forbidden",
        });
        named.next().map(|forbid| forbid.span)
    };
    let span = defined.or_else(pattern).unwrap_or_else(|| system_line(tree));
    Question { name: name.to_owned(), span }
}

/// Where the text says what the system is.
fn system_line(tree: &ast::Model) -> Span {
    let declared = tree.items.iter().find_map(|item| match item {
        ast::Item::System(system) => Some(system.span),
        _ => None,
    });
    let first_rule = || {
        tree.items.iter().find_map(|item| match item {
            ast::Item::Rule(rule) => Some(rule.span),
            _ => None,
        })
    };
    declared.or_else(first_rule).unwrap_or_default()
}

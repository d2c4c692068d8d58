//! Completion: the names and words that can stand where the cursor is.
//!
//! The text is broken while one types, so the place is known by the words before it; names come from the
//! index, and from the item under the cursor. In: a position. Out: names with their kinds; the editor filters
//! them by what is typed.

use lsp_types::{CompletionItem, CompletionItemKind, Position};
use paramcheck_text::reading::Comment;

use crate::analysis::Analysis;
use crate::document::{Document, Language};
use crate::index::Kind;
use crate::words::{Word, WordKind};

mod labs;
mod process;
mod rewriting;

/// What can stand at a position.
pub(crate) fn complete(document: &mut Document, position: Position) -> Vec<CompletionItem> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let is_in_comment = |one: &Comment| one.span.start < offset && offset <= one.span.end;
    // Blanks at the end of a line do not belong to the comment before them.
    let line = document.text.get(..offset).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    let is_behind_hash = document.language == Language::Labs && line.contains('#');
    if is_behind_hash || analysis.comments.iter().any(is_in_comment) {
        return Vec::new();
    }
    let is_word = |word: &Word| matches!(word.kind, WordKind::Name | WordKind::Keyword);
    let typed = analysis
        .words
        .iter()
        .find(|word| word.span.start < offset && offset <= word.span.end && is_word(word));
    let start = typed.map_or(offset, |word| word.span.start);
    let end = analysis.words.partition_point(|word| word.span.end <= start);
    let before = analysis.words.get(..end).unwrap_or(&[]);
    // A name that is written nowhere but here is no proposal.
    let own = typed.map(|word| analysis.index.at(word.span.end)).unwrap_or_default();
    let own = own.into_iter().map(|one| one.symbol).filter(|&symbol| analysis.index.of(symbol).count() == 1);
    let (text, hidden) = (&*document.text, own.collect());
    let place = Place { text, before, analysis: &analysis, hidden, items: Vec::new() };
    let mut items = match document.language {
        Language::Rewriting => rewriting::complete(place),
        Language::Ccs | Language::Chor => process::complete(place, document.language),
        Language::Labs => labs::complete(place),
    };
    let mut known = rustc_hash::FxHashSet::default();
    items.retain(|item| known.insert(item.label.clone()));
    items
}

/// A place in a text, and what was found for it.
struct Place<'a> {
    text: &'a str,
    /// The words before what is being typed.
    before: &'a [Word],
    analysis: &'a Analysis,
    /// The symbols that are not proposed.
    hidden: Vec<usize>,
    items: Vec<CompletionItem>,
}

impl<'a> Place<'a> {
    /// The word before, or one further back.
    fn back(&self, count: usize) -> &'a str {
        self.before
            .len()
            .checked_sub(count + 1)
            .and_then(|at| self.before.get(at))
            .map_or("", |word| word.text(self.text))
    }

    fn add(&mut self, label: &str, kind: CompletionItemKind, detail: impl Into<String>) {
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail.into()),
            ..CompletionItem::default()
        });
    }

    fn keywords(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.add(word, CompletionItemKind::KEYWORD, "keyword"));
    }

    /// All symbols of a kind.
    fn symbols(&mut self, kind: Kind) {
        let analysis = self.analysis;
        for (id, symbol) in analysis.index.symbols.iter().enumerate() {
            if symbol.kind != kind || self.hidden.contains(&id) {
                continue;
            }
            let detail = match kind {
                Kind::State => format!("state of {}", symbol.container),
                _ => kind.word().to_owned(),
            };
            self.add(&symbol.name, shown(kind), detail);
        }
    }
}

fn shown(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::ComponentType | Kind::Agents => CompletionItemKind::CLASS,
        Kind::State => CompletionItemKind::ENUM_MEMBER,
        Kind::Port | Kind::Action => CompletionItemKind::FIELD,
        Kind::Predicate | Kind::Definition => CompletionItemKind::FUNCTION,
        Kind::Variable | Kind::Peer | Kind::Local => CompletionItemKind::VARIABLE,
        Kind::Parameter => CompletionItemKind::CONSTANT,
        Kind::Link | Kind::Stigmergy => CompletionItemKind::INTERFACE,
        Kind::Error | Kind::Check | Kind::Assumption | Kind::Property => CompletionItemKind::EVENT,
    }
}

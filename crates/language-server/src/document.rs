//! A document: its text as it is being typed, and its analysis.
//!
//! Changes of the editor come in. The text is changed at once, the analysis made anew when it is next needed:
//! many keys that come together cost one.

use std::sync::Arc;

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use paramcheck_model::ENDINGS;
use paramcheck_process::Language as ProcessLanguage;
use paramcheck_text::source::Span;

use crate::analysis::Analysis;
use crate::positions::{Encoding, Lines};

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Rewriting systems, `.rws`, and `.rs` for ever.
    Rewriting,
    /// CCS, `.ccs`
    Ccs,
    /// Choreographies, `.chor`
    Chor,
    /// Agents of LAbS, `.labs`
    Labs,
}

impl Language {
    /// By the editor's word for it, else by the end of the name; `None` for what is none of ours. Editors
    /// take `.rs` for Rust: one that sends such a document here knows that it is none.
    pub(crate) fn of(language_id: &str, uri: &str) -> Option<Self> {
        match language_id {
            "paramcheck" | "rws" => return Some(Language::Rewriting),
            "ccs" | "paramcheck-ccs" => return Some(Language::Ccs),
            "chor" | "paramcheck-chor" => return Some(Language::Chor),
            "labs" | "paramcheck-labs" => return Some(Language::Labs),
            _ => {}
        }
        let name = uri.split(['?', '#']).next().unwrap_or(uri);
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some(extension) if ENDINGS.contains(&extension) => Some(Language::Rewriting),
            Some("labs") => Some(Language::Labs),
            Some(extension) => Self::of_process(ProcessLanguage::of_extension(extension)?),
            None => None,
        }
    }

    fn of_process(language: ProcessLanguage) -> Option<Self> {
        Some(match language {
            ProcessLanguage::Ccs => Language::Ccs,
            ProcessLanguage::Chor => Language::Chor,
        })
    }

    /// The language of processes that it is.
    pub(crate) fn process(self) -> Option<ProcessLanguage> {
        match self {
            Language::Rewriting | Language::Labs => None,
            Language::Ccs => Some(ProcessLanguage::Ccs),
            Language::Chor => Some(ProcessLanguage::Chor),
        }
    }
}

/// An open document.
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) language: Language,
    pub(crate) version: i32,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Lines,
    encoding: Encoding,
    analysis: Option<Arc<Analysis>>,
}

impl Document {
    /// A document as the editor opens it.
    pub(crate) fn new(uri: String, language: Language, version: i32, text: &str, encoding: Encoding) -> Self {
        let lines = Lines::new(text, encoding);
        Document { uri, language, version, text: Arc::from(text), lines, encoding, analysis: None }
    }

    /// Applies changes, one after the other.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut text = self.text.to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let span = self.lines.span(&text, range);
                    text.replace_range(span.start..span.end, &change.text);
                }
            }
            self.lines = Lines::new(&text, self.encoding);
        }
        self.text = Arc::from(text);
        self.version = version;
        self.analysis = None;
    }

    /// What the text means.
    pub(crate) fn analysis(&mut self) -> Arc<Analysis> {
        let analysis =
            self.analysis.take().unwrap_or_else(|| Arc::new(Analysis::new(&self.text, self.language)));
        self.analysis = Some(Arc::clone(&analysis));
        analysis
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        self.lines.range(&self.text, span)
    }

    /// The last part of its address.
    pub(crate) fn name(&self) -> &str {
        self.uri.rsplit('/').next().unwrap_or(&self.uri)
    }
}

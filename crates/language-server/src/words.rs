//! The words and signs of a text, whatever its language.
//!
//! What has to be known of a text that may not be readable: which word stands before the cursor, whether a
//! new name is one. A text comes in, words with their places go out; comments are none.

use crate::document::Language;
use paramcheck_labs::vocabulary::Labs;
use paramcheck_model::syntax::vocabulary::Rewriting;
use paramcheck_process::Language as ProcessLanguage;
use paramcheck_text::reading::{Comment, Lexed, TokenKind, Vocabulary, lex};
use paramcheck_text::source::Span;

/// A word or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) kind: WordKind,
    pub(crate) span: Span,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    Name,
    Keyword,
    Number,
    Sign,
    Unreadable,
}

impl Word {
    /// Its text in the text that it is a word of.
    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.span.start..self.span.end).unwrap_or("")
    }
}

/// The words and the comments of a text.
pub(crate) fn words(text: &str, language: Language) -> (Vec<Word>, Vec<Comment>) {
    match language {
        Language::Rewriting => of(lex(Rewriting, text)),
        Language::Ccs => of(lex(ProcessLanguage::Ccs, text)),
        Language::Chor => of(lex(ProcessLanguage::Chor, text)),
        Language::Labs => of(lex(Labs, text)),
    }
}

fn of<V: Vocabulary>(lexed: Lexed<V>) -> (Vec<Word>, Vec<Comment>) {
    let words = lexed.tokens.iter().filter_map(|token| {
        let kind = match token.kind {
            TokenKind::Name => WordKind::Name,
            TokenKind::Keyword(_) => WordKind::Keyword,
            TokenKind::Number => WordKind::Number,
            TokenKind::Symbol(_) => WordKind::Sign,
            TokenKind::Junk => WordKind::Unreadable,
            TokenKind::End => return None,
        };
        Some(Word { kind, span: token.span })
    });
    (words.collect(), lexed.comments)
}

/// Whether `text` is one name.
pub(crate) fn is_name(text: &str, language: Language) -> Result<(), String> {
    let (words, comments) = words(text, language);
    match words.as_slice() {
        [Word { kind: WordKind::Name, span }]
            if span.end - span.start == text.len() && comments.is_empty() =>
        {
            Ok(())
        }
        [Word { kind: WordKind::Keyword, .. }] => Err(format!("`{text}` is a reserved word")),
        _ => Err(format!("`{text}` is no name")),
    }
}

//! What is known of the name under the cursor, as Markdown.
//!
//! In: a position, and the answers that are there. Out: a text and the place that it is about. The text of a
//! thing that is only defined, and not lowered, is what is written.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use paramcheck_text::source::Span;

use crate::analysis::Meaning;
use crate::document::{Document, Language};
use crate::index::Symbol;
use crate::lenses::Shown;
use crate::words::{Word, WordKind};

mod labs;
mod process;
mod rewriting;
mod vocabulary;

/// Longer code is cut off.
const MAX_CODE_LINES: usize = 40;

/// What is known of what stands at a position.
pub(crate) fn hover(
    document: &mut Document,
    position: Position,
    answers: &[Shown],
    explain: fn(&str) -> Option<String>,
) -> Option<Hover> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let found = analysis.index.at(offset);
    let symbols = found.iter().filter_map(|one| Some((one.span, analysis.index.symbols.get(one.symbol)?)));
    let mut texts = Vec::new();
    let mut span = None;
    for (at, symbol) in symbols {
        span = Some(at);
        let text = match &analysis.meaning {
            Meaning::Rewriting { tree, system } => {
                rewriting::describe(symbol, at, (tree, system.as_deref()), &analysis.index)
            }
            Meaning::Process { tree, system } => {
                process::describe(symbol, (tree, system.as_deref()), document)
            }
            Meaning::Agents { tree, text, .. } => labs::describe(symbol, tree, text),
        };
        texts.push(text);
        texts.extend(answer(symbol, answers));
    }
    let span = match span {
        Some(span) => span,
        None => {
            let (at, text) = word(document, offset, answers, explain)?;
            texts.push(text);
            at
        }
    };
    let value = texts.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(span)) })
}

/// The answer about an error or check.
fn answer(symbol: &Symbol, answers: &[Shown]) -> Option<String> {
    use crate::index::Kind;
    if !matches!(symbol.kind, Kind::Error | Kind::Check | Kind::Property) {
        return None;
    }
    answers.iter().find(|shown| shown.name == symbol.name).map(text_of)
}

/// An answer as it is shown.
fn text_of(shown: &Shown) -> String {
    match &shown.answer {
        Some(answer) => code("text", answer.text.trim_end()),
        None => shown.title.clone(),
    }
}

/// What is known of a word that is no name: a reserved one, or a word of the field in a comment.
fn word(
    document: &mut Document,
    offset: usize,
    answers: &[Shown],
    explain: fn(&str) -> Option<String>,
) -> Option<(Span, String)> {
    let analysis = document.analysis();
    if analysis.comments.iter().any(|one| one.span.start <= offset && offset <= one.span.end) {
        let span = around(&document.text, offset);
        let word = document.text.get(span.start..span.end)?;
        let singulars = ["", "s", "es"].iter().filter_map(|end| word.strip_suffix(end));
        let text = singulars.into_iter().find_map(explain)?;
        return Some((span, text.trim_end().to_owned()));
    }
    let touching = |span: Span| span.start <= offset && offset <= span.end;
    // The words that begin sections of agents are names elsewhere.
    let is_word = |word: &&Word| {
        word.kind == WordKind::Keyword || document.language == Language::Labs && word.kind == WordKind::Name
    };
    let word = analysis.words.iter().filter(is_word).find(|word| touching(word.span))?;
    let written = word.text(&document.text);
    let mut text = vocabulary::keyword(written, document.language)?.to_owned();
    // Over `system` and an unnamed check stands what has no name in the text.
    let has_answer = matches!(written, "system" | "deadlock" | "critical" | "forbid");
    if has_answer && document.language != Language::Labs {
        let name = if written == "system" {
            "deadlock"
        } else if written == "forbid" {
            "forbidden"
        } else {
            written
        };
        if let Some(shown) = answers.iter().find(|shown| shown.name == name) {
            text = format!("{text}\n\n{}", text_of(shown));
        }
    }
    Some((word.span, text))
}

/// The letters and dashes around a byte.
fn around(text: &str, offset: usize) -> Span {
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    let (before, after) = text.split_at_checked(offset).unwrap_or(("", ""));
    let start =
        before.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(offset, |(at, _)| at);
    let length: usize = after.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    Span::new(start, offset + length)
}

/// A block of code.
fn code(language: &str, text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(MAX_CODE_LINES + 1).collect();
    if lines.len() > MAX_CODE_LINES {
        lines.truncate(MAX_CODE_LINES);
        lines.push("…");
    }
    format!("```{language}\n{}\n```", lines.join("\n"))
}

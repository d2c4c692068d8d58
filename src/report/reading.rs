//! JSON documents that are read back: what is wrong with a text that is none, and where.
//!
//! Their contents are up to the caller: [`trace`](super::trace), and the certificates of `certify`.

use serde::Deserialize;

use paramcheck_text::diagnostic::{Code, Diagnostic, Label};
use paramcheck_text::source::{SourceFile, Span};

/// `text` as a `T`, called `noun` in messages; `page` is where its form is described.
///
/// # Errors
/// The message, of kind `code`, that gives the place where it is none.
pub fn read<'a, T: Deserialize<'a>>(
    text: &'a SourceFile,
    code: Code,
    noun: &str,
    page: &str,
) -> Result<T, Diagnostic> {
    serde_json::from_str(&text.text).map_err(|error| {
        let reason = error.to_string();
        // The place is shown below the message.
        let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        let help = match error.classify() {
            serde_json::error::Category::Eof => "the text ends too early: was it written whole?".to_owned(),
            serde_json::error::Category::Data => format!("{page} says what stands where"),
            _ => format!("a {noun} is a JSON document"),
        };
        Diagnostic {
            code,
            message: format!("`{}` is no {noun}: {reason}", text.name),
            labels: vec![Label { span: place(text, error.line(), error.column()), text: "here".to_owned() }],
            help: Some(help),
        }
    })
}

/// A message of kind `code` about a document as a whole.
pub(crate) fn refusal(code: Code, text: &SourceFile, what: &str, help: &str) -> Diagnostic {
    let message = format!("`{}` {what}", text.name);
    Diagnostic { code, message, labels: Vec::new(), help: Some(help.to_owned()) }
}

/// The byte before `column` (both numbers from 1, columns in bytes): the JSON reader has read so far.
fn place(text: &SourceFile, line: usize, column: usize) -> Span {
    let before = text.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let start = before + column.saturating_sub(1);
    Span::new(start, start + 1)
}

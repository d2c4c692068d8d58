//! Tests of lowering, by subject.

use super::{Lowered, load};
use crate::system::System;
use paramcheck_text::source::SourceFile;

mod errors;
mod links;
mod mistakes;
mod ownership;
mod robust;
mod rules;
mod types;

/// A component type with which most tests can do.
const NODE: &str = "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }\n";

/// The system of a text that must have one, and no warning.
fn system(text: &str) -> System {
    let Lowered { system, diagnostics } = load(text);
    assert!(diagnostics.is_empty(), "{}", show(text));
    system.unwrap()
}

/// The codes of what is wrong with a text.
fn codes(text: &str) -> Vec<&'static str> {
    load(text).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// A text and what is wrong with it, for snapshots.
fn show(text: &str) -> String {
    let file = SourceFile::new("", text);
    let mut shown = format!("{text}\n");
    let loaded = load(text);
    for diagnostic in &loaded.diagnostics {
        shown += &format!("\n{} {}\n", diagnostic.code.id, diagnostic.message);
        for label in &diagnostic.labels {
            let (line, column) = file.line_column(label.span.start);
            let place = text.get(label.span.start..label.span.end).unwrap_or("?");
            shown += &format!("  {line}:{column} {place}  -- {}\n", label.text);
        }
        if let Some(help) = &diagnostic.help {
            shown += &format!("  help: {help}\n");
        }
    }
    if loaded.system.is_some() {
        shown += "\n(a system)\n";
    }
    shown
}

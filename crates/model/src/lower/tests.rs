//! Tests of lowering, by subject.

use super::load;
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

/// What `never` warns of has tests of its own: here many a model has only idle nodes.
const NEVER: [&str; 2] = ["W0215", "W0216"];

/// The system of a text that must have one, and no warning.
fn system(text: &str) -> System {
    assert!(codes(text).is_empty(), "{}", show(text));
    load(text).system.unwrap()
}

/// The codes of what is wrong with a text.
fn codes(text: &str) -> Vec<&'static str> {
    let codes = load(text).diagnostics.into_iter().map(|diagnostic| diagnostic.code.id);
    codes.filter(|code| !NEVER.contains(code)).collect()
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

//! The house rules that a machine can check: module docs, file sizes, the direction of imports.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the order in which data flows. A module may import those before it, never one behind
/// (see `docs/architecture.md`).
const ORDER: &[&str] = &[
    "support",
    "source",
    "diagnostic",
    "reading",
    "syntax",
    "process",
    "semantics",
    "invariant",
    "model",
    "logic",
    "certificate",
    "instance",
    "emit",
    "explore",
    "emulation",
    "engine",
    "verdict",
    "report",
    "replay",
    "simulate",
    "picture",
    "cli",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every Rust file of the project (models in `examples` and `tests/cases` are not Rust), and its text.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "benches", "tests/suite"] {
        sources(&root.join(folder), &mut found);
    }
    found.sort();
    assert!(found.len() > 50);
    let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn files_say_what_they_are_for() {
    // Unit tests stand beside the file that says what they test.
    let silent: Vec<_> = files()
        .into_iter()
        .filter(|(name, text)| !text.starts_with("//! ") && !name.ends_with("/tests.rs"))
        .map(|(name, _)| name)
        .collect();
    assert!(silent.is_empty(), "without a module doc: {silent:#?}");
}

#[test]
fn files_are_short() {
    let long: Vec<_> = files()
        .into_iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > 800)
        .collect();
    assert!(long.is_empty(), "over 800 lines: {long:?}");
}

#[test]
fn nothing_is_imported_wholesale() {
    let globs: Vec<_> = files()
        .into_iter()
        .flat_map(|(name, text)| {
            let lines: Vec<_> = text
                .lines()
                .filter(|line| line.trim_start().starts_with("pub use") && line.trim_end().ends_with("::*;"))
                .map(str::to_owned)
                .collect();
            lines.into_iter().map(move |line| (name.clone(), line))
        })
        .collect();
    assert!(globs.is_empty(), "{globs:#?}");
}

/// The top-level module a source file belongs to; `None` for `lib.rs` and `main.rs`.
fn module_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix("src/")?;
    let first = inner.split('/').next()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib" && module != "main").then_some(module)
}

#[test]
fn data_flows_one_way() {
    let rank = |module: &str| ORDER.iter().position(|other| *other == module);
    let mut wrong = Vec::new();
    for (name, text) in files() {
        let Some(module) = module_of(&name) else { continue };
        let Some(here) = rank(module) else { panic!("{name}: the module `{module}` is not in the order") };
        // Tests may look at everything.
        if name.contains("/tests") {
            continue;
        }
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let imported = &rest[..end];
                if let Some(there) = rank(imported)
                    && there > here
                {
                    wrong.push(format!("{name}: {}", line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports against the flow of data: {wrong:#?}");
}

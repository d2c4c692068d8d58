//! The house rules that a machine can check: module docs, file sizes, the direction of imports.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The table of modules in `docs/architecture.md`, from top to bottom: each module and what it imports, `None` for
/// "all above".
fn table_of_modules() -> Vec<(String, Option<BTreeSet<String>>)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(page).unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [module, _, imported] = cells.as_slice() else { panic!("{line}") };
        (module.trim_matches('`').to_owned(), (*imported != "all above").then(|| names(imported)))
    };
    text.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

/// The modules at the top of a crate and which of each other they import, each with a file that does.
fn imported_modules(src: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let names = fs::read_dir(src).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.map(|name| name.trim_end_matches(".rs").to_owned());
    let mut modules: BTreeMap<String, BTreeMap<String, String>> =
        names.filter(|name| name != "lib" && name != "main").map(|name| (name, BTreeMap::new())).collect();
    for (file, import) in imports::of_crate(src) {
        // The binary imports the library as a crate.
        let (Some(module), Some(name)) = (import.module.first(), import.path.get(1)) else { continue };
        if name != module && modules.contains_key(name) {
            modules.get_mut(module).unwrap().insert(name.clone(), file);
        }
    }
    modules
}

#[test]
fn the_table_of_modules_is_true() {
    let table = table_of_modules();
    let modules = imported_modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(modules.len() > 15, "{modules:?}");
    let rows: BTreeSet<&String> = table.iter().map(|(name, _)| name).collect();
    assert_eq!(rows, modules.keys().collect(), "the table has other modules than src");
    let mut wrong = Vec::new();
    for (position, (module, listed)) in table.iter().enumerate() {
        let is_above = |name: &String| table[..position].iter().any(|(above, _)| above == name);
        for (name, file) in modules[module].iter().filter(|(name, _)| !is_above(name)) {
            wrong.push(format!("src/{file}: {module} imports {name}, which does not stand above it"));
        }
        let imported: BTreeSet<String> = modules[module].keys().cloned().collect();
        if listed.as_ref().is_some_and(|listed| *listed != imported) {
            wrong.push(format!("{module} imports {imported:?}, the table has {listed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The checker shares nothing with what it checks.
    let checker: Vec<&str> = modules["certificate"].keys().map(String::as_str).collect();
    assert_eq!(checker, ["model", "support"]);
}

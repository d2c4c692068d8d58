//! The house rules that a machine can check: module docs, file sizes, the direction of imports.

mod imports;

use std::collections::BTreeSet;
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
    let root = root();
    let mut found = Vec::new();
    for folder in ["src", "crates", "mona/src", "benches", "tests/suite"] {
        sources(&root.join(folder), &mut found);
    }
    found.sort();
    assert!(found.len() > 400);
    let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn files_say_what_they_are_for() {
    // Unit tests stand beside the file that they test.
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

/// The rows of the table in `docs/architecture.md` whose head begins with these cells, cell by cell.
fn table(head: &[&str]) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = page.lines().skip_while(|line| !line.starts_with('|') || cells(line) != head);
    assert!(lines.next().is_some(), "no table {head:?}");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// What stands between backquotes.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The folder of a crate of the table.
fn folder(name: &str) -> PathBuf {
    match name {
        "paramcheck" => root().to_owned(),
        "paramcheck-bench" => root().join("benches"),
        "mona-sys" => root().join("mona"),
        name => root().join("crates").join(name),
    }
}

/// How the table calls a package, or a crate in code.
fn short(name: &str) -> String {
    let name = name.replace('_', "-");
    match name.strip_prefix("paramcheck-") {
        Some(rest) if rest != "bench" => rest.to_owned(),
        _ => name,
    }
}

/// The crates of the project that a manifest has a crate depend on, outside its tests.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let manifest: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
    let all = manifest["dependencies"].as_table().unwrap().keys();
    all.filter(|name| name.starts_with("paramcheck") || *name == "mona-sys").map(|name| short(name)).collect()
}

#[test]
fn the_table_of_crates_is_true() {
    let rows = table(&["crate", "what it is", "depends on"]);
    let mut above = BTreeSet::new();
    for row in &rows {
        let [name, _, listed] = row.as_slice() else { panic!("{row:?}") };
        let name = name.trim_matches('`').to_owned();
        let folder = folder(&name);
        let depends = match name.as_str() {
            // It has no dependencies but the tools that build it.
            "mona-sys" => BTreeSet::new(),
            _ => dependencies(&folder.join("Cargo.toml")),
        };
        assert!(depends.is_subset(&above), "{name} depends on {depends:?}, not all above it");
        if name != "paramcheck-bench" {
            let allowed = match listed.strip_prefix("all but ") {
                Some(without) => &above - &names(without),
                None => names(listed),
            };
            assert_eq!(depends, allowed, "{name}: the manifest, and the table");
            // Nothing is listed that is not used.
            let used = imports::of_crate(&folder.join("src")).into_iter();
            let used: BTreeSet<String> = used.map(|(_, import)| short(&import.path[0])).collect();
            let unused: Vec<_> = depends.difference(&used).collect();
            assert!(unused.is_empty(), "{name} depends on {unused:?} for nothing");
        }
        above.insert(name);
    }
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let crates: BTreeSet<String> =
        crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(crates.len() > 8);
    let missing: Vec<_> = crates.difference(&above).collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
    // The checker shares nothing with what it checks.
    let checker: Vec<String> = dependencies(&folder("certificate").join("Cargo.toml")).into_iter().collect();
    assert_eq!(checker, ["model", "text"]);
}

#[test]
fn the_floors_of_a_crate_are_kept() {
    let rows = table(&["crate", "module", "may use"]);
    assert!(rows.len() > 4);
    let cell = |cell: &String| cell.trim_matches('`').to_owned();
    for row in &rows {
        let (name, module, allowed) = (cell(&row[0]), cell(&row[1]), names(&row[2]));
        let floors: BTreeSet<String> =
            rows.iter().filter(|other| other[0] == row[0]).map(|other| cell(&other[1])).collect();
        let imports = imports::of_crate(&folder(&name).join("src"));
        let own: Vec<_> =
            imports.iter().filter(|(_, import)| import.module.first() == Some(&module)).collect();
        assert!(!own.is_empty(), "{name} has no module {module} that imports anything");
        for (file, import) in own {
            let Some(used) = import.path.get(1).filter(|_| import.path[0] == "crate") else { continue };
            let is_floor = floors.contains(used) || row[2] == "nothing else of the crate";
            assert!(
                !is_floor || *used == module || allowed.contains(used),
                "{name}: {file} is of {module} and uses {used}"
            );
        }
    }
}

/// The anchor of a heading, as code hosts make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// The pages for readers.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "mona/README.md", "examples/README.md"]
            .map(|page| root().join(page))
            .into();
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages
}

/// Rows of tables can't be broken, and what a program prints is shown as it is.
#[test]
fn the_prose_of_documents_is_wrapped() {
    const MAX_COLUMNS: usize = 110;
    let (mut lines, mut long) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let mut is_shown = false;
        for (number, line) in text.lines().enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            is_shown ^= is_fence;
            if is_fence || is_shown || line.starts_with('|') {
                continue;
            }
            lines += 1;
            if line.chars().count() > MAX_COLUMNS {
                long.push(format!("{}:{}", page.strip_prefix(root()).unwrap().display(), number + 1));
            }
        }
    }
    assert!(lines > 1000, "{lines}");
    assert!(long.is_empty(), "longer than {MAX_COLUMNS}: {long:#?}");
}

#[test]
fn the_readme_leads_to_every_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let names = pages().into_iter().map(|page| page.strip_prefix(root()).unwrap().display().to_string());
    let missing: Vec<_> =
        names.filter(|name| name != "README.md" && !readme.contains(&format!("]({name})"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let pages = pages();
    let (mut links, mut broken) = (0, Vec::new());
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            // Places elsewhere, and models: `Node[busy](z)`.
            let is_link = target.starts_with('#') || target.contains('.') || target.contains('/');
            if !is_link || target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_there = match fs::read_to_string(&file) {
                _ if heading.is_empty() => file.exists(),
                Ok(text) => text
                    .lines()
                    .filter_map(|line| line.strip_prefix('#'))
                    .any(|line| anchor(line.trim_start_matches('#')) == heading),
                Err(_) => false,
            };
            if !is_there {
                broken.push(format!("{}: {target}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(links > 100, "{links}");
    assert!(broken.is_empty(), "{broken:#?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

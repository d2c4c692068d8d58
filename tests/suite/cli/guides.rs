//! What the documents show: the console blocks of all pages against the program, and the models of
//! `docs/modelling.md` and `docs/unknown.md` against the files under `examples/`.
//!
//! A console block is a transcript: `$ COMMAND`, then what it prints. It is run by a shell in a folder of its
//! own, in which the folders of the repository are seen. Times, amounts of memory and the widths of
//! columns may differ; a line `…` or `...` stands for any lines, and `…` at the end of a line for its rest.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for users, by their path below the root.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<String> = docs
        .map(|name| name.into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/{name}"))
        .chain(["README.md".to_owned(), "examples/README.md".to_owned()])
        .collect();
    pages.sort();
    pages
}

/// A fenced block: the word behind the fence, its lines, and the last model that a line above it links to.
struct Block {
    word: String,
    lines: Vec<String>,
    model: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let (mut blocks, mut model) = (Vec::new(), None);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((_, rest)) = line.rsplit_once("](../examples/") {
            model = rest.split(')').next().map(|path| format!("examples/{path}"));
        }
        if let Some(word) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| !line.starts_with("```")).map(str::to_owned);
            blocks.push(Block { word: word.to_owned(), lines: inside.collect(), model: model.clone() });
        }
    }
    blocks
}

/// The commands of a transcript, each with the lines that it prints.
fn transcript(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((command, printed))) if printed.is_empty() && command.ends_with('\\') => {
                *command += &format!("\n{line}");
            }
            (None, Some((_, printed))) => printed.push(line.clone()),
            // A block that shows messages only.
            (None, None) => return Vec::new(),
        }
    }
    commands
}

/// Whether a command needs only this program and a shell, not another verifier or a compiler.
fn is_ours(command: &str) -> bool {
    let others = ["--backend all", "--engine", "man -l", "| fdp", "paramcheck-certify"];
    let words = ["paramcheck ", "printf ", "sed "];
    words.iter().any(|word| command.starts_with(word)) && !others.iter().any(|other| command.contains(other))
}

/// A line without what differs from run to run: numbers with a unit of time or memory, widths of columns.
fn normal(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let mut result: Vec<&str> = Vec::new();
    for word in &words {
        let unit = word.trim_end_matches(')');
        let measured = result.last().is_some_and(|last| {
            let number = last.trim_start_matches('(');
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        });
        if matches!(unit, "ms" | "s" | "MiB") && measured {
            result.pop();
        } else {
            result.push(word);
        }
    }
    result.join(" ")
}

/// Whether the lines printed are those shown.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if matches!(first.trim(), "…" | "...") {
        return (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..]));
    }
    let Some((line, others)) = printed.split_first() else { return false };
    let is_equal = match first.strip_suffix('…') {
        Some(beginning) => normal(line).starts_with(&normal(beginning)),
        None => normal(line) == normal(first),
    };
    is_equal && agrees(rest, others)
}

/// A folder in which the repository's folders are seen, for the files that commands write.
fn workplace(name: &str) -> PathBuf {
    let place = folder(name);
    for seen in ["examples", "tests", "docs"] {
        symlink(root().join(seen), place.join(seen)).unwrap();
    }
    place
}

#[test]
fn console_blocks_are_what_the_program_prints() {
    let program = Path::new(env!("CARGO_BIN_EXE_paramcheck")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let (mut compared, mut wrong) = (0, Vec::new());
    for page in pages() {
        let place = workplace(&format!("documents-{}", page.replace('/', "-")));
        for block in blocks(&page).iter().filter(|block| block.word == "console") {
            for (command, shown) in transcript(block) {
                if !is_ours(&command) {
                    continue;
                }
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).env("PATH", &path).current_dir(&place);
                for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
                    shell.env_remove(variable);
                }
                let output = shell.stdin(Stdio::null()).output().unwrap();
                let output = String::from_utf8(output.stdout).unwrap();
                let printed: Vec<_> = output.lines().map(str::to_owned).collect();
                compared += 1;
                if !agrees(&shown, &printed) {
                    wrong.push(format!("{page}\n$ {command}\n{output}"));
                }
            }
        }
    }
    assert!(compared > 50, "{compared}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn transcripts_are_compared_line_by_line() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a  (1.5 ms)\nproved  b\nc");
    assert!(agrees(&lines("a (12 s)\nproved b\nc"), &printed));
    assert!(agrees(&lines("a (12 s)\n…\nc"), &printed));
    assert!(agrees(&lines("a …\nproved…\n..."), &printed));
    assert!(!agrees(&lines("a (12 s)\nproved b"), &printed));
    assert!(!agrees(&lines("a (12 s)\nviolated b\nc"), &printed));
    assert!(!agrees(&lines("…\nd"), &printed));
}

/// The text of a model without the comment at its top.
fn body(text: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| line.starts_with("//") || line.is_empty());
    lines.map(str::to_owned).collect()
}

/// Every model of the page is shown as it stands in its file: a part of it, and all but its header where
/// `whole`. The models shown.
fn models_shown(page: &str, whole: bool) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for block in blocks(page).iter().filter(|block| block.word == "text") {
        let model = block.model.as_deref().unwrap_or_else(|| panic!("{page}: no model is named"));
        let body = body(&fs::read_to_string(root().join(model)).unwrap());
        if whole {
            pretty_assertions::assert_eq!(block.lines, body, "{page}: {model}");
        } else {
            let is_part = body.windows(block.lines.len()).any(|part| part == block.lines);
            assert!(is_part, "{page}: not in {model}:\n{}", block.lines.join("\n"));
        }
        assert!(shown.insert(model.to_owned()) || !whole, "{page}: {model} twice");
    }
    shown
}

#[test]
fn the_readme_shows_the_ring_without_its_comments() {
    let text = fs::read_to_string(root().join("examples/ring.rs")).unwrap();
    let code = |line: &str| line.split("//").next().unwrap().trim_end().to_owned();
    let code: Vec<_> = text.lines().map(code).filter(|line| !line.is_empty()).collect();
    let blocks = blocks("README.md");
    let shown = &blocks.iter().find(|block| block.word == "text").unwrap().lines;
    let shown: Vec<_> = shown.iter().filter(|line| !line.is_empty()).cloned().collect();
    pretty_assertions::assert_eq!(shown, code);
}

/// The models in a folder of `examples/`.
fn models(folder: &str) -> BTreeSet<String> {
    let names = fs::read_dir(root().join("examples").join(folder)).unwrap();
    names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".rs"))
        .map(|name| format!("examples/{folder}/{name}"))
        .collect()
}

#[test]
fn the_guide_to_modelling_shows_its_models_whole() {
    let mut expected = models("modelling");
    assert!(expected.len() >= 15);
    expected.insert("examples/ccs/observer.ccs".to_owned());
    pretty_assertions::assert_eq!(models_shown("docs/modelling.md", true), expected);
}

#[test]
fn the_page_about_unknown_shows_its_models() {
    let shown = models_shown("docs/unknown.md", false);
    let missing: Vec<_> = models("unknown").difference(&shown).cloned().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

//! The models under `examples/`: every one is listed with its right answers in the `expected.toml`
//! beside it, every answer is that of the library, and together they show the whole language.
//!
//! The right answers do not come from the library: the sizes of violations were found by exploring all
//! instances in order of size with a separate program, and what is proved is argued in each model's
//! header.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_model::lower::lower;
use paramcheck_model::syntax::parse;
use paramcheck_model::syntax::print::format;
use paramcheck_model::system::System;
use paramcheck_verdict::{InvariantChoice, Options, Status, decide};

mod constructs;
mod index;

/// The entry of one question in `expected.toml`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Proved,
    Unknown,
    /// With the number of components of the smallest instance that reaches the error.
    Violated(usize),
}

/// Answers by error.
type Answers = BTreeMap<String, Expected>;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// `examples/` and the folders of rewriting systems in it, one per family.
fn folders() -> Vec<PathBuf> {
    let mut folders = vec![examples()];
    for entry in fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        // Processes, choreographies and agents are looked at elsewhere.
        let is_of_others = ["ccs", "chor", "labs"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !is_of_others {
            folders.push(path);
        }
    }
    folders.sort();
    folders
}

/// The models in a folder.
fn models(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".rs")).collect()
}

/// The answers of a folder's models.
fn expected(folder: &Path) -> BTreeMap<String, Answers> {
    let path = folder.join("expected.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All models with their text, by their path below `examples/`.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for folder in folders() {
        for model in models(&folder) {
            let path = folder.join(model);
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(examples()).unwrap().to_str().unwrap();
            texts.insert(name.replace('\\', "/"), text);
        }
    }
    texts
}

/// The system that a model means; not even a warning is accepted.
fn system(name: &str, text: &str) -> System {
    let parsed = parse(text);
    let lowered = lower(&parsed.model);
    let diagnostics: Vec<_> = parsed.diagnostics.iter().chain(&lowered.diagnostics).collect();
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:#?}");
    lowered.system.unwrap()
}

/// The library's answers. The smallest violations are small: a short search is enough to find them.
fn answers(system: &System, invariants: InvariantChoice) -> Answers {
    let options = Options { invariants, max_states: 10_000, ..Options::default() };
    let mut errors = vec![System::deadlock()];
    errors.extend(system.errors.iter().cloned());
    let answer = |error| match decide(system, &error, &options).unwrap().status {
        Status::Proved(_) => (error.name, Expected::Proved),
        Status::Violated(violated) => (error.name, Expected::Violated(violated.tree.size())),
        Status::Unknown(_) => (error.name, Expected::Unknown),
    };
    errors.into_iter().map(answer).collect()
}

/// Checks the models of one family.
fn check_family(family: &str) {
    let folder = examples().join(family);
    for (model, expected) in expected(&folder) {
        let text = fs::read_to_string(folder.join(&model)).unwrap();
        let system = system(&model, &text);
        pretty_assertions::assert_eq!(
            answers(&system, InvariantChoice::default()),
            expected,
            "{family}/{model}"
        );
    }
}

#[test]
fn every_model_is_listed_and_every_listed_model_exists() {
    for folder in folders() {
        let listed: BTreeSet<_> = expected(&folder).into_keys().collect();
        pretty_assertions::assert_eq!(models(&folder), listed, "{}", folder.display());
    }
}

/// One test per family, so that they run side by side; this list must be complete.
const FAMILIES: [&str; 9] =
    ["", "chains", "hierarchies", "modelling", "philosophers", "rings", "stars", "trees", "unknown"];

#[test]
fn every_family_is_tested() {
    let families: Vec<_> =
        folders().iter().map(|folder| folder.strip_prefix(examples()).unwrap().to_owned()).collect();
    assert_eq!(families, FAMILIES.map(PathBuf::from));
}

#[test]
fn the_ring() {
    check_family("");
}

#[test]
fn chains() {
    check_family("chains");
}

#[test]
fn hierarchies() {
    check_family("hierarchies");
}

#[test]
fn modelling() {
    check_family("modelling");
}

#[test]
fn unknown() {
    check_family("unknown");
}

#[test]
fn philosophers() {
    check_family("philosophers");
}

#[test]
fn rings() {
    check_family("rings");
}

#[test]
fn stars() {
    check_family("stars");
}

#[test]
fn trees() {
    check_family("trees");
}

#[test]
fn the_car_park_needs_bounds_of_three_or_weights() {
    let text = fs::read_to_string(examples().join("stars/car-park.rs")).unwrap();
    let system = system("car-park.rs", &text);
    let counted = |k| InvariantChoice { last_resort: vec![], ..InvariantChoice::up_to(k) };
    let overfull = |invariants| answers(&system, invariants).remove("overfull");
    assert_eq!(overfull(counted(2)), Some(Expected::Unknown));
    assert_eq!(overfull(counted(3)), Some(Expected::Proved));
    assert_eq!(overfull(InvariantChoice::default()), Some(Expected::Proved));
}

#[test]
fn models_are_in_canonical_form() {
    for (name, text) in texts() {
        let canonical = format(&text).unwrap();
        if name == "rings/paper-spelling.rs" {
            assert_ne!(text, canonical, "{name} is there to show the other spelling");
        } else {
            pretty_assertions::assert_eq!(text, canonical, "{name}");
        }
    }
}

#[test]
fn every_answer_occurs() {
    let all: Vec<_> = folders().iter().flat_map(|folder| expected(folder).into_values()).flatten().collect();
    let count = |wanted: fn(&Expected) -> bool| all.iter().filter(|(_, answer)| wanted(answer)).count();
    assert!(count(|answer| *answer == Expected::Proved) >= 50);
    assert!(count(|answer| matches!(answer, Expected::Violated(_))) >= 10);
    assert!(count(|answer| *answer == Expected::Unknown) >= 1);
}

#[test]
fn every_model_explains_itself_and_is_short() {
    for (name, text) in texts() {
        assert!(text.starts_with("//") || text.starts_with("/*"), "{name} has no header");
        assert!(text.contains("Answer: "), "{name} does not say the answer");
        for (number, line) in text.lines().enumerate() {
            assert!(line.chars().count() <= 100, "{name}:{}: longer than 100 characters", number + 1);
            assert_eq!(line, line.trim_end(), "{name}:{}: space at the end", number + 1);
        }
        let lines = text.lines().count();
        assert!(lines <= 60, "{name}: {lines} lines");
    }
}

#[test]
fn every_construct_is_shown() {
    let shown: BTreeSet<_> = texts().values().flat_map(|text| constructs::of(text)).collect();
    let missing: Vec<_> = constructs::ALL.iter().filter(|construct| !shown.contains(*construct)).collect();
    assert!(missing.is_empty(), "no example shows: {missing:?}");
    let unlisted: Vec<_> = shown.iter().filter(|construct| !constructs::ALL.contains(construct)).collect();
    assert!(unlisted.is_empty(), "not in the list of constructs: {unlisted:?}");
}

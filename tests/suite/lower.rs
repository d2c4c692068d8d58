//! The corpus and the examples of the codes, read and lowered.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use paramcheck_model::lower::{Lowered, load, lower};
use paramcheck_model::syntax::ast::{Atom, Item, Model};
use paramcheck_model::syntax::parser::parse;
use paramcheck_text::diagnostic::codes;
use paramcheck_text::reading::Ident;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::FileFailurePersistence;

mod invariants;

/// The model files of a folder of the corpus, by name.
fn models(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    assert!(!paths.is_empty());
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The codes of what is wrong with a text.
fn codes_of(text: &str) -> Vec<&'static str> {
    load(text).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

#[test]
fn the_corpus_has_a_meaning_and_gives_no_warning() {
    for folder in ["table1", "more", "classic"] {
        for (path, text) in models(folder) {
            let loaded = load(&text);
            invariants::check(loaded.system.as_ref().unwrap());
            // A thief who never wakes, on purpose.
            let expected: &[&str] = match path.file_name().and_then(|name| name.to_str()) {
                Some("loose-mutex-thief.rs") => &["W0215", "W0216"],
                _ => &[],
            };
            assert_eq!(codes_of(&text), expected, "{}: {:#?}", path.display(), loaded.diagnostics);
        }
    }
}

#[test]
fn a_model_with_every_feature_has_a_good_system() {
    let loaded = load(FEATURES);
    assert_eq!(codes_of(FEATURES), ["W0204"]);
    invariants::check(&loaded.system.unwrap());
}

#[test]
fn bad_cases_give_what_they_are_bad_for() {
    let expected = [
        ("bad-arity.rs", vec!["E0211"]),
        ("bad-duplicate-rule.rs", vec!["W0201"]),
        ("bad-no-rule.rs", vec!["E0202"]),
        ("bad-nonproductive.rs", vec!["E0227"]),
        ("bad-port-of-other-type.rs", vec!["E0218"]),
        ("bad-unknown-port.rs", vec!["E0203"]),
        ("bad-unreachable-pred.rs", vec!["W0204"]),
        ("bad-variable-twice.rs", vec!["E0216"]),
    ];
    let found: Vec<(String, Vec<&str>)> = models("bad")
        .into_iter()
        .map(|(path, text)| (path.file_name().unwrap().to_string_lossy().into_owned(), codes_of(&text)))
        .collect();
    let expected: Vec<(String, Vec<&str>)> =
        expected.into_iter().map(|(name, codes)| (name.to_owned(), codes)).collect();
    assert_eq!(found, expected);
}

/// The codes of the errors in `model` with one of its atoms changed, for each atom that `change` can change.
fn codes_with_a_changed_atom(
    model: &Model,
    change: fn(&mut Atom, &[String]) -> bool,
) -> Vec<Vec<&'static str>> {
    let mut found = Vec::new();
    for (item, rule) in model.items.iter().enumerate() {
        let Item::Rule(rule) = rule else { continue };
        for (body, alternative) in rule.bodies.iter().enumerate() {
            let variables = rule.parameters.iter().chain(&alternative.fresh).map(|name| name.text.clone());
            let variables: Vec<String> = variables.collect();
            for atom in 0..alternative.atoms.len() {
                let mut model = model.clone();
                let Item::Rule(rule) = &mut model.items[item] else { continue };
                if change(&mut rule.bodies[body].atoms[atom], &variables) {
                    let errors = lower(&model).diagnostics.into_iter().filter(|one| one.is_error());
                    found.push(errors.map(|one| one.code.id).collect());
                }
            }
        }
    }
    found
}

#[test]
fn a_wrong_atom_gives_one_message_and_no_consequences() {
    let mut changed = 0;
    let mut expect = |model: &Model, code: &str, change: fn(&mut Atom, &[String]) -> bool, name: &Path| {
        for codes in codes_with_a_changed_atom(model, change) {
            assert_eq!(codes, [code], "{}", name.display());
            changed += 1;
        }
    };
    for (path, text) in ["table1", "more", "classic"].into_iter().flat_map(models) {
        let model = parse(&text).model;
        expect(&model, "E0211", |atom, _| atom.arguments.pop().is_some(), &path);
        // Another argument, or one of them twice.
        expect(
            &model,
            "E0211",
            |atom, variables| {
                let is_used = |name: &String| atom.arguments.iter().any(|argument| argument.text == *name);
                let other = variables.iter().find(|name| !is_used(name)).cloned();
                let first = atom.arguments.first().cloned();
                let (Some(text), Some(first)) = (other, first) else { return false };
                atom.arguments.push(Ident { text, ..first });
                true
            },
            &path,
        );
        expect(
            &model,
            "E0214",
            |atom, _| match atom.arguments.as_mut_slice() {
                [.., before, last] => {
                    last.text = before.text.clone();
                    true
                }
                _ => false,
            },
            &path,
        );
        expect(
            &model,
            "E0202",
            |atom, _| {
                atom.name.text = "Undefined".to_owned();
                true
            },
            &path,
        );
    }
    assert!(changed > 500, "{changed}");
}

/// The lines of an explanation that are indented behind `heading`.
fn example(explanation: &str, heading: &str) -> String {
    let (_, rest) = explanation.split_once(heading).unwrap();
    let lines = rest.lines().skip(2).take_while(|line| line.starts_with("    "));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
fn every_code_is_given_by_its_wrong_example_and_not_by_its_right_one() {
    for code in codes::model::errors::ALL.iter().chain(codes::model::warnings::ALL) {
        let (wrong, right) = (example(code.explanation, "Wrong:"), example(code.explanation, "Right:"));
        let found = codes_of(&wrong);
        // The parser is faster with this one.
        if code.id != "E0230" {
            assert_eq!(found.iter().filter(|id| **id != code.id).count(), 0, "{}: {found:?}", code.id);
            assert!(found.contains(&code.id), "{}: {found:?}", code.id);
        }
        assert_eq!(codes_of(&right), Vec::<&str>::new(), "{}", code.id);
    }
}

#[test]
fn codes_are_unique_and_in_order() {
    let all = codes::model::errors::ALL.iter().chain(codes::model::warnings::ALL);
    let ids: Vec<&str> = all.map(|code| code.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
}

/// A model with what the corpus lacks: links, alternatives, borrowed parameters, several initial states,
/// named patterns, overloaded ports, an unreachable predicate.
const FEATURES: &str = "
component Root { states have, gone; init have; final *; have -give-> gone; gone -take-> have; }
component Node { states idle, busy; init *; final idle; idle -get-> busy; idle -get-> idle; busy -put-> idle; busy -> busy; }
component Leaf { states off, on; final off; off -get-> on; on -put-> off; }
link back(x, r) = <put(x) take(r)>;
link down(x, y) = <put(x) get(y)> forbid near <busy(x) busy(y) + busy(x) Leaf.on(y)>;
link both(x, y, z, r) = <down(x, y) + down(x, z) + back(x, r)>;
Main() <- new r, x . <give(r) get(x)> (Root(r), Tree(x, r));
Tree(x, r) <- new y, z . <both(x, y, z, r)> forbid <busy(x) have(r)> (Node[idle](x), Tree(y, r), Tree(z, r))
            | <back(x, r)> (Leaf[off, on](x)) | new s . <put(x) take(s) + put(x) take(r) + give(s) get(x)> (Node[*](x), Seat(s));
Seat(s) <- Root[gone](s) | (Seat(s));
Spare(x, r) <- new y . <back(y, r)> (Tree(x, r), Node(y));
critical busy, Leaf.on;
critical on;
error some = near & !(forbidden | #have + #Root.gone == 3) | deadlock;
error none = some & critical;
error far = wsks { all2 X: X sub busy & (ex1 x: x in X & x notin Leaf.on) => ex1 y: y in Node & y = y } & !near;
";

/// Words, numbers and single signs, with the blanks behind them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = if is_word(first) { rest.find(|letter| !is_word(letter)) } else { Some(first.len_utf8()) };
        let end = end.unwrap_or(rest.len());
        let blanks = rest[end..].find(|letter: char| !letter.is_whitespace()).unwrap_or(rest.len() - end);
        tokens.push(&rest[..end + blanks]);
        rest = &rest[end + blanks..];
    }
    tokens
}

/// A change of a text: what to do with one token, by means of another.
#[derive(Clone, Copy, Debug)]
enum Change {
    Delete,
    Repeat,
    Replace,
    Swap,
    /// Delete all from one to the other.
    DeleteRange,
    /// Repeat all from one to the other.
    RepeatRange,
    /// Replace a word by another word: what is left can mostly be read.
    Rename,
}

fn change(tokens: &mut Vec<&str>, change: Change, first: Index, second: Index) {
    if tokens.is_empty() {
        return;
    }
    let (one, other) = (first.index(tokens.len()), second.index(tokens.len()));
    match change {
        Change::Delete => {
            tokens.remove(one);
        }
        Change::Repeat => tokens.insert(one, tokens[one]),
        Change::Replace => tokens[one] = tokens[other],
        Change::Swap => tokens.swap(one, other),
        Change::DeleteRange => {
            tokens.drain(one.min(other)..one.max(other));
        }
        Change::RepeatRange => {
            let range = tokens[one.min(other)..one.max(other)].to_vec();
            tokens.splice(one..one, range);
        }
        Change::Rename => {
            let is_word = |token: &&str| token.starts_with(char::is_alphabetic);
            let from = tokens[one..].iter().position(is_word);
            let to = tokens[other..].iter().position(is_word);
            if let (Some(from), Some(to)) = (from, to) {
                tokens[one + from] = tokens[other + to];
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// Every text has a system that keeps all promises, or an error.
    #[test]
    fn mutated_models_have_a_good_system_or_an_error(
        model in any::<Index>(),
        is_from_corpus in any::<bool>(),
        changes in proptest::collection::vec(
            (
                select(vec![
                    Change::Delete, Change::Repeat, Change::Replace, Change::Swap, Change::DeleteRange,
                    Change::RepeatRange, Change::Rename, Change::Rename, Change::Rename, Change::Rename,
                ]),
                any::<Index>(),
                any::<Index>(),
            ),
            0..4,
        ),
    ) {
        static CORPUS: LazyLock<Vec<(PathBuf, String)>> = LazyLock::new(|| {
            ["table1", "more", "classic", "bad"].iter().flat_map(|folder| models(folder)).collect()
        });
        let text = if is_from_corpus { &model.get(&CORPUS).1 } else { FEATURES };
        let mut tokens = tokens(text);
        for (kind, first, second) in changes {
            change(&mut tokens, kind, first, second);
        }
        let Lowered { system, diagnostics } = load(&tokens.concat());
        prop_assert_eq!(system.is_none(), diagnostics.iter().any(|diagnostic| diagnostic.is_error()));
        if let Some(system) = system {
            invariants::check(&system);
        }
        for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
            prop_assert!(label.span.start <= label.span.end && label.span.end <= tokens.concat().len());
        }
    }
}

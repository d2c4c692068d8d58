//! The diagnostics on wrong texts: every code by its example, the bad files of the corpus, and
//! anything at all without a panic.

use std::path::Path;

use paramcheck_process::format::format;
use paramcheck_process::{Language, load};
use paramcheck_text::diagnostic::codes;
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::source::SourceFile;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::FileFailurePersistence;

use super::{corpus, language_of, text};

/// The lines of an explanation that are indented behind `heading`.
fn example(explanation: &str, heading: &str) -> String {
    let (_, rest) = explanation.split_once(heading).unwrap();
    let lines = rest.lines().skip(2).take_while(|line| line.starts_with("    "));
    lines.map(|line| std::format!("{}\n", line.trim_start())).collect()
}

fn codes_of(text: &str, language: Language) -> Vec<&'static str> {
    load(text, language).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

#[test]
fn every_code_is_given_by_its_wrong_example_and_not_by_its_right_one() {
    for code in codes::process::syntax::ALL.iter().chain(codes::process::meaning::ALL) {
        let found = |heading| {
            let text = example(code.explanation, heading);
            codes_of(&text, if text.contains('@') { Language::Chor } else { Language::Ccs })
        };
        match code.id {
            // The wrong example is described there, not written out.
            "E0413" => {}
            // The last of many.
            "E0307" => assert_eq!(found("Wrong:").last(), Some(&"E0307")),
            id => assert!(
                !found("Wrong:").is_empty() && found("Wrong:").iter().all(|found| *found == id),
                "{id}: {:?}",
                found("Wrong:")
            ),
        }
        assert_eq!(found("Right:"), [""; 0], "{}", code.id);
    }
}

#[test]
fn codes_are_distinct_and_ascending() {
    for (list, prefix) in [
        (codes::process::syntax::ALL, "E03"),
        (codes::process::meaning::ALL, "E04"),
        (codes::process::calls::ALL, "E05"),
    ] {
        let ids: Vec<&str> = list.iter().map(|code| code.id).collect();
        let (errors, warnings): (Vec<&str>, Vec<&str>) = ids.iter().partition(|id| id.starts_with('E'));
        assert!(
            [&errors, &warnings].iter().all(|ids| ids.windows(2).all(|pair| pair[0] < pair[1])),
            "{ids:?}"
        );
        assert!(
            errors.iter().all(|id| id.starts_with(prefix)) && warnings.iter().all(|id| id.starts_with("W04"))
        );
    }
}

#[test]
fn bad_files_are_told_what_is_bad() {
    let right = [
        ("bare-action.ccs", "E0313"),
        ("mixed-parallel.ccs", "E0314"),
        ("recursion-left-of-seq.ccs", "E0408"),
        ("recursion-parallel.ccs", "E0407"),
        ("self-communication.chor", "E0411"),
        ("unguarded.ccs", "E0406"),
        ("unknown-action.ccs", "E0405"),
        ("unknown-constant.ccs", "E0402"),
    ];
    let mut files: Vec<String> = std::fs::read_dir(corpus().join("bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".json"))
        .collect();
    files.sort();
    assert_eq!(files, right.map(|(name, _)| name));
    let mut shown = String::new();
    for (name, code) in right {
        let text = text(&std::format!("bad/{name}"));
        let loaded = load(&text, language_of(Path::new(name)));
        assert!(loaded.system.is_none());
        assert_eq!(loaded.diagnostics.iter().map(|one| one.code.id).collect::<Vec<_>>(), [code], "{name}");
        let file = SourceFile::new(name, text);
        for diagnostic in &loaded.diagnostics {
            shown.push_str(&(render(&file, diagnostic, false) + "\n\n"));
        }
    }
    insta::assert_snapshot!(shown);
}

/// The diagnostics reported on each text.
fn messages(texts: &[&str], language: Language) -> String {
    let mut shown = String::new();
    for text in texts {
        let file = SourceFile::new(std::format!("model.{}", language.extension()), *text);
        let diagnostics = load(text, language).diagnostics;
        assert!(!diagnostics.is_empty(), "nothing is said about {text}");
        for diagnostic in diagnostics {
            shown.push_str(&(render(&file, &diagnostic, false) + "\n\n"));
        }
    }
    shown
}

#[test]
fn slips_in_processes() {
    insta::assert_snapshot!(messages(
        &[
            "system a.b;",
            "system a.(b + c.0);",
            "WORKER = 'vote.0\nsystem WORKER;",
            "system Vote.0;",
            "vote = a.0; system vote;",
            "system a.0 \\ a;",
            "system a.0[b];",
            "system a.0 \\ {a,b;",
            "system (a.0 | b.0;",
            "system a.0 ^ 1000000;",
            "system a.0 ^ b;",
            "system 'tau.0 |[tau]| a.0;",
            "system a.0 | b.0 |[]| c.0;",
            "system a.0 |[a]| a.0 |[b]| b.0;",
            "sytem a.0;",
            "P = a.0; P = b.0; system P;",
            "WORKER = a.0; system WORKERS;",
            "P = a.Q; Q = (b.P)[c/b]; system P;",
            "P = a.Q; Q = R + b.0; R = S; S = Q; system P;",
            "P = a.(P ^ 2); system P;",
            "P = (0 + 0); P; system P;",
            "system a.0 \\ {b};\nQ = c.0;",
            "system `a.0;",
            "system a.0; system b.0;",
            "check deadlock;",
            "",
            "system a.nil;",
            "P = a.STOP; system P;",
            "Stop = a.0; system a.STOP;",
            "system a!.0;",
            "system a?.0;",
            "system a.0 [] (b.0 [] Q); Q = 0;",
        ],
        Language::Ccs
    ));
}

#[test]
fn slips_in_checks() {
    insta::assert_snapshot!(messages(
        &[
            "system a.0; check always did a;",
            "system a.0; check safe = did a;",
            "system a.0; check safe = always a;",
            "system a.0; check safe = always did a and did a;",
            "system a.0; check safe = always (did a;",
            "system a.0; check safe = always not did a;",
            "system a.0; check safe = always eventually did a;",
            "system a.0; check safe always did a;",
            "system a.0; check deadlock = always did a;",
            "system a.0; always did a;",
            "system a.0; check safe = always did 'a;",
            "system vote.0; check safe = always did vot;",
            "system a.0; check x = always did a; check x = deadlock;",
            "system a.0; check deadlock; check deadlock;",
            "system a.0; check 'deadlock = deadlock;",
            "system a.0; check 'safe' = always did a;",
            "system a.0; check system = deadlock;",
            "system a.0;\0",
            "system a.0; check safe = never did a;",
            "system a.0; check safe = always never did a;",
            "system a.0; check safe = always did a -> did a;",
            "system a.0; check safe = always did a => did a;",
            "system a.0 + b.0; check safe = always did zebra;",
            "system 0; check safe = always did zebra;",
        ],
        Language::Ccs
    ));
}

#[test]
fn slips_in_temporal_formulas() {
    insta::assert_snapshot!(messages(
        &[
            "system a.0; check ltl G did a;",
            "system a.0; check p = ltl G (did a;",
            "system a.0; check p = ltl did a U;",
            "system a.0; check p = ltl G a;",
            "system a.0; check p = ltl did a && did a;",
            "system a.0; check p = ltl <<a> did a;",
            "system a.0; check p = ltl [[a] did a;",
            "system a.0; check p = ltl <<did a>> true;",
            "system a.0; check p = ltl G [[b]] false;",
            "system a.0; check p = ltl always did a;",
            "system a.0; check p = ltl GF did a;",
            "system (a.0 | 'a.0) \\ {a}; check p = ltl G !did a;",
            "system a -> b.0;",
        ],
        Language::Ccs
    ));
    let deep = format!("system a.0; check p = ltl {}did a;", "X ".repeat(300));
    assert!(messages(&[&deep], Language::Ccs).contains("a formula is nested too deep"));
}

#[test]
fn slips_in_choreographies() {
    insta::assert_snapshot!(messages(
        &[
            "system a;",
            "system a.b@x;",
            "system a@[x];",
            "system a@X;",
            "system Pay@x;",
            "system *a@x;",
            "system a@x | b@y;",
            "TALK = a@x; TALK; system TALK;",
            "A = a@x; B; B = b@x; A; system A;",
            "system tau;",
            "system 0;",
            "system a@[x,y,z];",
            "system a@x; check c = always did check;",
            "system a@x; check c = always did a@y;",
            "system a@[x,y]; check c = always did a@x;",
            "system a@x; check c = always did tau@x;",
            "system a@x; b@y; c@[x,y]; check c = always did zebra;",
            "system a@x [] b@y;",
        ],
        Language::Chor
    ));
}

#[test]
fn too_many_peers_are_refused() {
    let text = |count: usize| {
        let actions: Vec<String> = (0..count).map(|peer| std::format!("a@p{peer}")).collect();
        std::format!("system {};", actions.join("; "))
    };
    assert_eq!(codes_of(&text(500), Language::Chor), [""; 0]);
    assert_eq!(codes_of(&text(501), Language::Chor), ["E0413"]);
}

/// Words and signs of both languages.
const WORDS: [&str; 40] = [
    "system",
    "check",
    "always",
    "eventually",
    "deadlock",
    "did",
    "can",
    "terminated",
    "tau",
    "a",
    "b",
    "'",
    "P",
    "Q",
    "=",
    ";",
    ";",
    ".",
    ".",
    "0",
    "+",
    "|",
    "||",
    "[",
    "]",
    "|[a]|",
    "(",
    ")",
    "*(",
    "@",
    "@x",
    "@[x,y]",
    "\\",
    "{",
    "}",
    "^",
    "2",
    "/",
    "!",
    "&",
];

fn config(cases: u32) -> ProptestConfig {
    let persistence = FileFailurePersistence::Off;
    ProptestConfig { cases, failure_persistence: Some(Box::new(persistence)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_words_are_read(words in prop::collection::vec(select(&WORDS[..]), 0..60), is_chor: bool) {
        let text = words.join(" ");
        check_total(&text, if is_chor { Language::Chor } else { Language::Ccs });
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,80}", is_chor: bool) {
        check_total(&text, if is_chor { Language::Chor } else { Language::Ccs });
    }

    #[test]
    fn damaged_models_are_read(file: Index, at: Index, end: Index, word in select(&WORDS[..])) {
        let mut names: Vec<String> = super::expected("expected.json").into_keys().collect();
        names.sort();
        let name = file.get(&names);
        let text = text(name);
        let letters: Vec<char> = text.chars().collect();
        let (one, two) = (at.index(letters.len()), end.index(letters.len()));
        let (from, to) = (one.min(two), one.max(two).min(one.min(two) + 5));
        let damaged: String = letters[..from].iter().chain(&word.chars().collect::<Vec<_>>()).chain(&letters[to..]).collect();
        check_total(&damaged, language_of(Path::new(name)));
    }
}

/// Reading reports a diagnostic or gives a system. Every diagnostic can be rendered.
fn check_total(text: &str, language: Language) {
    let loaded = load(text, language);
    let has_errors = loaded.diagnostics.iter().any(paramcheck_text::diagnostic::Diagnostic::is_error);
    assert_eq!(loaded.system.is_none(), has_errors);
    let file = SourceFile::new("model", text);
    for diagnostic in &loaded.diagnostics {
        render(&file, diagnostic, false);
    }
    if let Ok(formatted) = format(text, language) {
        assert_eq!(format(&formatted, language).unwrap(), formatted);
    }
}

//! Tests of the parser: what is read, how tightly it binds, what is said about what can't be read.

use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

use super::parse;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/labs")
}

/// The models of a folder of the corpus, by name.
fn models(folder: &str) -> Vec<(String, String)> {
    let mut models: Vec<(String, String)> = fs::read_dir(corpus().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "labs"))
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    models.sort();
    models
}

/// The codes of what is wrong with a text, and the lines.
fn found(text: &str) -> Vec<(&'static str, usize)> {
    let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
    let diagnostics = parse(text).diagnostics;
    diagnostics.iter().map(|one| (one.code.id, line(one.labels[0].span.start))).collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    found(text).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn the_models_of_the_authors_and_ours_are_read() {
    let models: Vec<_> = ["examples", "points"].iter().flat_map(|folder| models(folder)).collect();
    assert_eq!(models.len(), 22 + 23);
    for (name, text) in models {
        assert_eq!(parse(&text).diagnostics, [], "{name}");
    }
}

#[test]
fn bad_models_are_refused_where_they_are_bad() {
    // What is not here is a matter of meaning.
    let right = [
        ("chained.labs", "E0616", 2),
        ("comma-interface.labs", "E0612", 2),
        ("environment.labs", "E0612", 2),
        ("local-outside.labs", "E0619", 2),
        ("not-comparison.labs", "E0617", 2),
        ("voter.labs", "E0615", 14),
    ];
    let models = models("bad");
    assert_eq!(models.len(), 20);
    let mut refused = Vec::new();
    for (name, text) in &models {
        refused.extend(found(text).into_iter().map(|(code, line)| (name.as_str(), code, line)));
    }
    assert_eq!(refused, right);
}

/// The lines of an explanation that are indented behind `heading`.
fn example(explanation: &str, heading: &str) -> String {
    let (_, rest) = explanation.split_once(heading).unwrap();
    let lines = rest.lines().skip(2).take_while(|line| line.starts_with("    "));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
fn every_code_is_given_by_its_wrong_example_and_not_by_its_right_one() {
    let all = paramcheck_text::diagnostic::codes::labs::syntax::ALL;
    assert_eq!(all.len(), 28);
    for (code, number) in all.iter().zip(1..) {
        assert_eq!(code.id, format!("E06{number:02}"));
        let found = codes(&example(code.explanation, "Wrong:"));
        match code.id {
            // The last of many.
            "E0606" => assert_eq!(found.last(), Some(&"E0606")),
            id => assert!(!found.is_empty() && found.iter().all(|one| *one == id), "{id}: {found:?}"),
        }
        assert_eq!(codes(&example(code.explanation, "Right:")), [""; 0], "{}", code.id);
    }
}

fn scratch(text: &str) -> String {
    let file = paramcheck_text::source::SourceFile::new("m.labs", text);
    parse(text)
        .diagnostics
        .iter()
        .map(|one| paramcheck_text::diagnostic::render::render(&file, one, false) + "\n\n")
        .collect()
}
#[test]
fn show() {
    let body = |b: &str| {
        format!(
            "system {{ spawn = A: 1 }}\nagent A {{ interface = x: 0; y: 0  Behavior = {b} }}\ncheck {{ P = always true }}"
        )
    };
    for b in [
        "x <- 1;; x <- 2",
        "x = 1",
        "x = 1; Behavior",
        "(x = 1)",
        "x := 1",
        "p[] := pick 1; x <- 1",
        "{ p := pick 1 }",
        "{ x = 1 }",
        "{ x <- 1, y <- 2 }",
        "{ x <- 1 y <- 2 }",
        "{ x <- 1; Behavior }",
        "{ (x <- 1; y <- 2) }",
        "{ x > 0 -> x <- 1 }",
        "{ x <- 1 ++ x <- 2 }",
        "x <- 1 | x <- 2",
        "x <- 1 + x <- 2",
        "(x <- 1) + (x <- 2)",
        "Behavior + Behavior",
        "x > 0 and y > 0 || x = 0 -> x <- 1",
        "x <-1 -> y <- 2",
        "x == 1 && y != 2 -> x <- 1",
        "x > 0 x <- 1",
        "x > 0, y > 0 -> x <- 1",
        "not x -> Skip",
        "not (x = 1) -> Skip",
        "skip",
        "foo; Skip",
        "x <- !y",
        "x <- y > 1",
        "x <- y and x",
        "x++",
        "x += 1",
        "x <- x ++ 1",
        "x <- if y then 1",
        "x <- if y = 1 { 1 } else { 2 }",
        "x <- max(1,2,3)",
        "x <- id of 3",
        "x <- y of",
        "x of y <- 1",
        "x <- p[",
        "(x <- 1; y <- 2",
        "x <- 1) ; y <- 2",
        "x <- 1 }",
        "{ x <- 1",
        "x <- 1;",
        "x <- [0..]",
        "x <- forall A a, x of a = 1",
        "{ t := forall a, x of a = 1 }",
        "{ t := exists A a . x of a = 1 }",
        "x <- 0.5",
        "x, y <- 1 -> Skip",
        "x => y",
        "P -> x <- 1",
        "-> x <- 1",
        "if x = 1 then x <- 2",
        "Skip Skip",
        "x <- 1, Behavior",
        "!x <- 1",
        "x <- 1 ++",
        "",
        "while true",
        "x ← 1",
        "µ <- 1",
        "{ }",
        "x[0, y[1]] <-- 1; id <- 1",
        "x > 0 - > x <- 1",
        "x <> 1 -> Skip",
        "x <- y ? 1 : 2",
    ] {
        eprintln!("### {b}\n{}", scratch(&body(b)));
    }
    for t in [
        "system spawn = A: 1 }",
        "system { spawn = A: 1\nagent A { Behavior = Skip }",
        "agent A { Behavior: Skip }",
        "agent A { behavior = Skip }",
        "agent a { Behavior = Skip }",
        "agent { Behavior = Skip }",
        "agnet A { Behavior = Skip }",
        "agent A { interfaces = x: 0 Behavior = Skip }",
        "agent A { interface: x: 0 }",
        "agent A { interface = x = 0; y: 1 }",
        "agent A { interface = x: 0 y: 1 }",
        "agent A { interface = x: 0; }",
        "agent A { interface = x, y: 0 }",
        "agent A { stigmergies = S, T  Behavior = Skip }",
        "system { extern = n, _m; _k spawn = A: 1; B: 2 }",
        "system { spawn = A: 1 B: 2 }",
        "system { spawn = A = 1 }",
        "system { spawn = A: n }",
        "system { link = true }",
        "agent A { spawn = A: 1 }",
        "stigmergy S { link: true v: 0 }",
        "stigmergy S { link = true v: 0, w: 1 }",
        "stigmergy S { link = true; v: 0 }",
        "stigmergy S { link = x of 3 = 1 v: 0 }",
        "stigmergy S { link = x of a = 1 v: 0 }",
        "stigmergy S { v = 0 }",
        "check { P = forall A a, x of a = 1 }",
        "check { P = never x = 1 }",
        "check { P = alway x = 1 }",
        "check { p = always x = 1 }",
        "check { always x = 1 }",
        "check { P = always x = 1; Q = always y = 1 }",
        "check { P = always eventually x = 1 }",
        "check { P = always x of (a) = 1 }",
        "check { P = always forall A a x of a = 1 }",
        "check { P = always x = 1 and forall A a, x of a = 1 }",
        "check { P = between p = 1 and q = 1, always r = 1 }",
        "check { P = between (p = 1) and (q = 1) always r = 1 }",
        "check { P = from (p) and (q), always r }",
        "check { P = from (p) until (q), never r }",
        "check { P = from (p) until (q), r }",
        "assume { A = always x = 1 }",
        "check { P: always x = 1 }",
        "Behavior = Skip",
        "}",
        "// hallo\n/* x\n y */ system { spawn = A: 1 } // ja",
        "/* x",
        "system { spawn = A: 1 } foo { }",
        "system { spawn = A: 1, }",
        "agent A { P = x <- ; Q = y <- ; R = Skip }",
        "check { P = always P = Q = always x = 1 }",
        "agent A { stigmergies = S; Behavior = Skip }",
        "agent A { interface = x: 0..; y: [1,; z: 3 }",
        "{ }",
        "é { }",
    ] {
        eprintln!("### {t}\n{}", scratch(t));
    }
}

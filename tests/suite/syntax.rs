//! Reading and printing models: the corpus, messages for typical slips, and properties.

use std::path::PathBuf;
use std::sync::LazyLock;

use paramcheck_model::syntax::{format, parse, parse_error_definition, print, same_tree};
use paramcheck_process::Language;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes;
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::source::SourceFile;

mod generate;
mod properties;

/// The models under `tests/cases` with their texts.
fn corpus() -> &'static [(PathBuf, String)] {
    static FILES: LazyLock<Vec<(PathBuf, String)>> = LazyLock::new(read_corpus);
    &FILES
}

fn read_corpus() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files = Vec::new();
    for folder in ["table1", "more", "classic", "bad"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files.sort();
    assert!(files.len() >= 57, "the corpus is incomplete: {} files", files.len());
    files
}

#[test]
fn the_corpus_is_read_without_diagnostics() {
    for (path, text) in corpus() {
        let parsed = parse(text);
        assert!(parsed.diagnostics.is_empty(), "{}: {:#?}", path.display(), parsed.diagnostics);
    }
}

#[test]
fn the_corpus_survives_printing() {
    for (path, text) in corpus() {
        let model = parse(text).model;
        let printed = print(&model);
        let again = parse(&printed);
        assert!(again.diagnostics.is_empty(), "{}: {:#?}", path.display(), again.diagnostics);
        assert!(same_tree(&model, &again.model), "{}:\n{printed}", path.display());
        assert_eq!(print(&again.model), printed);
        assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    }
}

#[test]
fn the_corpus_survives_formatting() {
    for (path, text) in corpus() {
        let formatted = format(text).unwrap();
        properties::assert_formatted(text, &formatted, &path.display().to_string());
    }
}

#[test]
fn primes_may_stand_anywhere_behind_the_first_letter() {
    let text = include_str!("../cases/found/prime-inside.rs");
    let primes = ["x'y", "x''y", "x'y'", "x'1", "x'_"].map(|name| text.replace("x'y", name));
    for text in &primes {
        let formatted = format(text).unwrap();
        assert!(same_tree(&parse(text).model, &parse(&formatted).model), "{text}");
    }
    assert!(format(&text.replace("x'y", "'xy")).is_err());
}

#[test]
fn formatted_text_is_pleasant() {
    let (_, text) = corpus().iter().find(|(path, _)| path.ends_with("alt-philo-asym.rs")).unwrap();
    let formatted = format(text).unwrap();
    insta::assert_snapshot!(formatted);
}

/// The indented lines behind a heading of an explanation.
fn example(explanation: &str, heading: &str) -> String {
    let (_, after) = explanation.split_once(heading).unwrap();
    let lines = after.trim_start_matches('\n').lines().take_while(|line| line.starts_with("    "));
    lines.map(|line| std::format!("{}\n", &line[4..])).collect()
}

#[test]
fn explanations_show_what_they_say() {
    for code in codes::syntax::ALL {
        if matches!(code.id, "E0107" | "E0108") {
            continue; // too long to be shown in full
        }
        let found = |heading: &str| {
            let mut text = example(code.explanation, heading);
            assert!(!text.is_empty(), "{}: no example for {heading}", code.id);
            let is_statement = text.starts_with("states") || text.starts_with("idle");
            if is_statement {
                text = std::format!("component C {{ {text} }}");
            }
            parse(&text).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect::<Vec<_>>()
        };
        let wrong = found("Wrong:\n");
        assert!(!wrong.is_empty() && wrong.iter().all(|id| *id == code.id), "{}: {wrong:?}", code.id);
        assert_eq!(found("Right:\n"), [""; 0], "{}", code.id);
    }
}

#[test]
fn codes_are_distinct_and_ascending() {
    let ids: Vec<&str> = codes::syntax::ALL.iter().map(|code| code.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    assert!(ids.iter().all(|id| id.starts_with("E01")));
}

/// Every text with the diagnostics reported on it.
fn messages(texts: &[&str]) -> String {
    let mut shown = String::new();
    for text in texts {
        let file = SourceFile::new("model.rs", *text);
        let diagnostics = parse(text).diagnostics;
        assert!(!diagnostics.is_empty(), "nothing is said about {text}");
        shown.push_str(&std::format!("{0}\n{text}\n{0}\n", "=".repeat(60)));
        for diagnostic in diagnostics {
            shown.push_str(&render(&file, &diagnostic, false));
            shown.push_str("\n\n");
        }
    }
    shown
}

#[test]
fn slips_in_components() {
    let shown = messages(&[
        "component Node {\n  states idle, busy\n  init idle;\n}",
        "component Node {\n  states idle busy;\n  init idle;\n}",
        "component Node {\n  state idle, busy;\n  init idle;\n}",
        "component Node {\n  states idle, busy;\n  idle -in> busy;\n  busy out-> idle;\n  busy -out idle;\n}",
        "component Node {\n  states a, b;\n  a --> b;\n  a -> p -> b;\n  a b;\n  a - b;\n}",
        "component Node {\n  states idle;\n  init idle;\n\nRing() <- new x . (Node(x));",
        "component Node { states idle; init idle; } }",
        "component system { states new, old; init old; }",
        "component { states idle; init; }",
        "component Node states idle; init idle; }",
        "Component Node { states idle; init idle; }",
        "component Node { states 1st, 2; }",
        "init idle;",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn slips_in_rules() {
    let shown = messages(&[
        "Ring() <- new x . (Chain(x))\nChain(x) <- (Node(x));",
        "Ring() = new x . (Node(x));\nA() -> B();\nC() <= B();\nD() := B();",
        "Chain(x) new y . (Node(x));\nRing <- (Node(x));",
        "Ring() <- new x, y <out(x) in(y)> (Node(x), Node(y));\nRing() <- new x y . (Node(x), Node(y));",
        "Ring() <- new x, y . <out(x) in(y) (Node(x), Node(y));",
        "Ring() <- new x, y . <out(x in(y)> (Node(x), Node(y);",
        "Ring() <- new x, y . <out(x), in(y)> (Node(x), Node(y));",
        "Ring() <- new x, y . <out(x) in(y) | in(x)> (Node(x) Node(y));",
        "Ring() <- new x . <out(x)>;\nA() <- ();\nB() <- | (Node(x));",
        "Chain(x) <- new y . Node(x), Chain(y);",
        "Chain(x) <- <out(x) in(y)> new y . forbid <b(x)> <in(x)> (Node(x)) forbid <a(x)>;",
        "Chain(x) <- νy . (Node(x), Chain(y)) || (Node(x));",
        "Chain(x) <- (Node[](x));\nChain(x) <- (Node[busy(x));",
        "link pass(x, y) <- <give(x) get(y)>;\nlink pass = <give(x)>;\nlink p(x) = (Node(x));",
        "system Ring();",
        "rule Chain(x) <- (Node(x));\n<out(x)>;",
        "Ring() <- exists x . <out(x)> (Node(x));",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn slips_in_errors() {
    let shown = messages(&[
        "error crowd = #busy = 2;\nerror a = #b => 2;\nerror a = #b =< 2;\nerror a = #b <> 2;",
        "error crowd = #busy >= 2 && !deadlock || #idle == 0;\nerror a = not b and c or d;",
        "error crowd = busy >= 2;\nerror a = Node.busy + #idle > 2;",
        "error crowd = 2 <= #busy;\nerror a = #b;\nerror a = #b >= #c;\nerror a = #b >= -1;",
        "error crowd = (#a + #b) >= 2;\nerror a = #b >= 99999999999999999999;",
        "error crowd = (#a >= 2 | #b >= 1;\nerror = #a >= 2;\nerror a #b >= 2;\nerror a <- #b >= 2;",
        "error far = wsks { ex1 x: x in busy;",
        "critical #busy, ;\ncritical;",
        "invariant crowd = #busy < 2;\nsafety a = #busy < 2;",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn slips_in_formulas_over_components() {
    let shown = messages(&[
        "error a = wsks { exists x, y x in busy };\nerror a = wsks { ex1 x y: x = y };\nerror a = wsks { ex1 x. x in b };",
        "error a = wsks { busy(x) };\nerror a = wsks { x == y };\nerror a = wsks { x not in b };\nerror a = wsks { X subset Y };",
        "error a = wsks { ex1 x: #busy >= 2 };\nerror a = wsks { deadlock };\nerror a = wsks { x };\nerror a = wsks { ex1 x: };",
        "error a = wsks { x = y -> y = x && x in b <-> y in b };\nerror a = wsks { a = b => c = d <=> e = f };",
        "error a = wsks { a = b <=> c = d <=> e = f };\nerror a = wsks { not a = b or (c in d };",
        "error a = wsks { a = b c = d };\nerror a = wsks { a = b) & c = d };\nerror a = wsks { a = b; };\nerror a = wsks { };",
        "error a = wsks { ∃x: x ∈ busy };\nerror a = wsks { all1 in, true: in in true };\nerror a = wsks { { x = y } };",
        "error a = wsks { EX1 x: x in b };\nerror a = wsks { wsks { true } };\nerror a = wsks { X <= Y };",
        &format!("error a = wsks {{ {}x = y }};", "!".repeat(201)),
        &format!("error a = wsks {{ {}x = y }};", "x in a => ".repeat(201)),
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn unreadable_characters() {
    let shown = messages(&[
        "error crowd = #busy ≥ 2;",
        "component Node { states idle; init idle; /* to be done }",
        "system \"Ring\";\n@@@ $$",
        "system Ri\u{200b}ng;\u{fffd}\u{7}",
        "component Node { states a; a −p→ a; }",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn names_in_quotes() {
    let shown = messages(&[
        "component Cell { states \"a\", \"b\"; init \"a\"; a -> b; }",
        "component Cell {\n  states \"empty\",\n    full,\n    \"closed\";\n  init 'empty';\n  \"empty\" -\"put\"-> \"full\";\n}",
        "component Cell { states \"a, b\"; init `a`; final \u{201c}b\u{201d}, \u{2018}a\u{2019}; }",
        "Chain(\"x\", \"z\") <- new \"y\" . <pass(\"x\", \"y\")> (Cell(x), Chain(y, \"z\"));",
        "critical \"busy\", \"Node.idle\";",
        "component Cell { states \"a\" \"b\"; init \"c; }",
        &format!("component Cell {{ states {}\"z\"; }}", "\"state\", ".repeat(20)),
    ]);
    insta::assert_snapshot!(shown);
}

/// One message in every language and for every shape of quotes, with what is right.
#[test]
fn names_in_quotes_are_met_once() {
    type Read = fn(&str) -> Vec<Diagnostic>;
    let languages: [(&str, Read); 4] = [
        ("component C { states a, b; init a; }", |text| parse(text).diagnostics),
        ("error two = #a + #b >= 2;", |text| parse_error_definition(text).1),
        ("P = (a.0 | 'b.0) \\ {a, b}; system P;", |text| {
            paramcheck_process::parser::parse(text, Language::Ccs).diagnostics
        }),
        ("system { spawn = A: 1, B: 2 }", |text| paramcheck_labs::parser::parse(text).diagnostics),
    ];
    let mut cases = 0;
    for (text, read) in languages {
        assert_eq!(read(text), [], "{text}");
        for [open, close] in ["\"\"", "``", "“”", "„“", "‘’", "«»"].map(|pair| {
            let mut quotes = pair.chars();
            [quotes.next().unwrap(), quotes.next().unwrap()]
        }) {
            let quote = |name: &str| std::format!("{open}{name}{close}");
            let (a, b) = if text.starts_with("system") { ("A", "B") } else { ("a", "b") };
            // The last `a` and the last `b`; these are in a list, or in one line.
            let (before, after) = text.rsplit_once(b).unwrap();
            let (first, between) = before.rsplit_once(a).unwrap();
            let wrong = std::format!("{first}{}{between}{}{after}", quote(a), quote(b));
            let found = read(&wrong);
            let [diagnostic] = &found[..] else { panic!("{wrong}: {found:?}") };
            let right = std::format!("names stand without quotes: `{a}{between}{b}`");
            assert_eq!(diagnostic.help.as_deref(), Some(&right[..]), "{wrong}");
            cases += 1;
        }
    }
    assert_eq!(cases, 24);
}

#[test]
fn a_definition_may_be_given_alone() {
    for text in ["crowd = #busy >= 2", "error crowd = #busy >= 2;", "\tcrowd=#busy>=2 // many"] {
        let (definition, diagnostics) = parse_error_definition(text);
        assert_eq!(diagnostics, []);
        let shown = print(&paramcheck_model::syntax::ast::Model {
            items: vec![paramcheck_model::syntax::ast::Item::Error(definition.unwrap())],
        });
        assert_eq!(shown, "error crowd = #busy >= 2;\n");
    }
    let (definition, diagnostics) = parse_error_definition("x = wsks { ex1 y: y in b }");
    assert!(definition.is_some() && diagnostics.is_empty());
    for text in ["", "crowd", "crowd = ", "crowd = #busy >= 2 error", "a = #b >= 1; c = #d >= 1", "= #b > 1"]
    {
        let (definition, diagnostics) = parse_error_definition(text);
        assert!(definition.is_none() && diagnostics.len() == 1, "{text}: {diagnostics:?}");
    }
    // Of a nameless formula the name is what is missing.
    for text in ["#busy >= 2", "(#busy >= 2)", "!deadlock  // no"] {
        let (_, diagnostics) = parse_error_definition(text);
        let formula = text.split("  //").next().unwrap();
        let [diagnostic] = &diagnostics[..] else { panic!("{text}: {diagnostics:?}") };
        assert!(diagnostic.help.as_ref().unwrap().contains(&format!("'NAME = {formula}")), "{diagnostic:?}");
    }
    let (definition, diagnostics) = parse_error_definition("crowd = #busy = 2");
    assert!(definition.is_some() && diagnostics.len() == 1);
}

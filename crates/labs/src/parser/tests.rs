//! Tests of the parser: what is read, how tightly it binds, the messages about the rest.

use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

use super::input::MAX_DEPTH;
use super::{parse, parse_property};
use crate::print::print;
use paramcheck_text::reading::MAX_DIAGNOSTICS;

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

/// A system whose only agent does this.
fn agent(behavior: &str) -> String {
    format!(
        "system {{ spawn = A: 1 }}\nagent A {{ interface = x: 0; y: 0  Behavior = {behavior} }}\ncheck {{ }}"
    )
}

/// Checks that a process is read as if all its parentheses were written.
#[track_caller]
fn means(text: &str, explicit: &str) {
    let bare = |text: &str| {
        let parsed = parse(&agent(text));
        assert_eq!(parsed.diagnostics, [], "{text}");
        crate::print::bare_shape(&parsed.file)
    };
    assert_eq!(bare(text), bare(explicit), "{text}");
}

#[test]
fn processes_bind_as_they_should() {
    means("x <- 1; Skip ++ Nil || Skip", "((x <- 1; Skip) ++ Nil) || Skip");
    means("x = 0 -> x <- 1 ++ x = 1 -> x <- 0", "x = 0 -> (x <- 1 ++ (x = 1 -> x <- 0))");
    means("x = 0 => Skip; x <- 1 || Skip", "(x = 0 => ((Skip; x <- 1) || Skip))");
    means("Skip; x = 0 -> y = 0 -> Skip", "Skip; (x = 0 -> (y = 0 -> Skip))");
    means("(x = 0 -> Skip); Skip", "((x = 0 -> Skip); Skip)");
    means("x, y <- 1, 2; Skip", "(x, y <- 1, 2); Skip");
}

#[test]
fn a_parenthesis_is_a_process_or_a_part_of_a_guard() {
    means("(Behavior); Behavior", "Behavior; Behavior");
    means("(true) -> Behavior; Behavior", "true -> (Behavior; Behavior)");
    means("(1) = 1 -> Behavior; Behavior", "1 = 1 -> (Behavior; Behavior)");
    means("((1) = 1) -> Behavior", "1 = 1 -> Behavior");
    means("(true -> Behavior); Behavior", "(true -> Behavior); Behavior");
    means("Skip; (x = 3) -> y <- 1; Skip", "Skip; (x = 3 -> (y <- 1; Skip))");
    means("(x + 1) * 2 > (3) and (y = 0) -> Skip", "(((x + 1) * 2) > 3) and (y = 0) -> Skip");
    means("((((x <- 1))))", "x <- 1");
}

#[test]
fn expressions_bind_as_they_should() {
    means("x <- 1 + 2 * 3 - 4", "x <- (1 + (2 * 3)) - 4");
    means("x <- -x * 2 : 3 % 4", "x <- ((((-x) * 2) : 3) % 4)");
    means("x = 1 or y = 2 and x = 3 -> Skip", "((x = 1) or (y = 2)) and (x = 3) -> Skip");
    means("!x and !!y or !(x = 1) -> Skip", "(((!x) and (!(!y))) or (!(x = 1))) -> Skip");
    means("!x + 1 -> Skip", "!(x + 1) -> Skip");
    means("x = !y -> Skip", "x = (!y) -> Skip");
    means("x <- x of y + 1 * 2", "x <- x of (y + (1 * 2))");
    means("x of y = 1 -> Skip", "(x of y) = 1 -> Skip");
    means("x <- 2 * if x = 1 then 1 else 2 + 3", "x <- 2 * (if (x = 1) then 1 else (2 + 3))");
    means("if x then 1 else 2 = 2 -> Skip", "(if x then 1 else 2) = 2 -> Skip");
    means("x < -1 -> Skip", "x < (-1) -> Skip");
    means("{ t := x = 1 and y = 2; x <- t }", "{ t := ((x = 1) and (y = 2)); x <- t }");
}

#[test]
fn words_of_sections_are_names_elsewhere() {
    let text = "system {\n    environment = agent: 0; check: 1; always: 2\n    spawn = A: 1\n}\n\
         agent A {\n    interface = spawn: 0; link: 0; from: 0\n    \
         Behavior = agent, check <-- 1, 2; spawn = 1 -> link <- 2; always <-- from\n}\n\
         check {\n    P = always always = 2\n    Q = eventually from of 0 = 1 and check = 1\n}\n";
    assert_eq!(crate::format::format(text).as_deref(), Ok(text));
}

#[test]
fn parts_may_stand_in_another_order() {
    assert_eq!(
        codes("check { }\nagent A { Behaviour = P  stigmergies = S  P = Nil  interface = x: 0 }"),
        [""; 0]
    );
    assert_eq!(codes("system { P = x <- 1  spawn = A: 1  extern = _n, _m  environment = x: _n }"), [""; 0]);
    assert_eq!(codes("stigmergy S { a, b: 0, [1, 2] c: undef link = true }"), [""; 0]);
    let text = "agent A { interface = x: {0, 1}; y: [0..3]  Behaviour = Nil }";
    assert!(print(&parse(text).file).contains("x: [0, 1]; y: 0..3\n\n    Behavior = Nil"));
}

#[test]
fn two_mistakes_give_two_messages() {
    let text = "system {\n  spawn = A: \n  P = x <- ;\n  Q = (x <- 1\n}\nagent A {\n  interface = x 0\n  \
        Behavior = { x <- 1; ( }\n  P = Skip ++\n}\ncheck {\n  P = x\n  Q = always x =\n}\n";
    let found: Vec<usize> = found(text).into_iter().map(|(_, line)| line).collect();
    assert_eq!(found, [3, 3, 4, 7, 8, 10, 12, 14]);
}

/// Each slip in what an agent does, and the only code that is reported.
const IN_PROCESSES: &[(&str, &str)] = &[
    ("x <- 1;; x <- 2", "E0607"),
    ("x <- 1 x <- 2", "E0611"),
    ("x <- 1, y <- 2", "E0612"),
    ("x <- 1, Behavior", "E0612"),
    ("x <- 1;", "E0613"),
    ("(x <- 1; x <- 2", "E0608"),
    ("x <- 1)", "E0609"),
    ("foo; Skip", "E0614"),
    ("skip", "E0614"),
    ("x <- Y", "E0614"),
    ("x <- 1 | x <- 2", "E0615"),
    ("(x <- 1) + (x <- 2)", "E0615"),
    ("x > 0 || y > 0 -> Skip", "E0615"),
    ("x == 0 -> Skip", "E0615"),
    ("x > 0 & y > 0 -> Skip", "E0615"),
    ("not (x = 1) -> Skip", "E0615"),
    ("x <> 1 -> Skip", "E0601"),
    ("x += 1", "E0601"),
    ("x <- 0.5", "E0601"),
    ("0 < x <= 2 -> Skip", "E0616"),
    ("!x = 1 -> Skip", "E0617"),
    ("x <- y = 1", "E0618"),
    ("x <- !y", "E0618"),
    ("x <- 1 and y", "E0618"),
    ("t := 1", "E0619"),
    ("x, y := 1, 2; Skip", "E0619"),
    ("p[] := pick 1; Skip", "E0619"),
    ("x <- pick 1", "E0607"),
    ("x = 1", "E0620"),
    ("{ x = 1; y <- 2 }", "E0620"),
    ("x, y = 1, 2", "E0620"),
    ("x of y <- 1", "E0620"),
    ("!x <- 1", "E0620"),
    ("x > 0 x <- 1", "E0621"),
    ("x > 0", "E0621"),
    ("x > 0, y > 0 -> Skip", "E0621"),
    ("x <-1 -> Skip", "E0607"),
    ("{ x > 0 -> x <- 1 }", "E0622"),
    ("{ x <- 1; Behavior }", "E0622"),
    ("{ x <- 1 ++ x <- 2 }", "E0622"),
    ("{ (x <- 1) }", "E0622"),
    ("{ x <- 1, y <- 2 }", "E0612"),
    ("{ x <- 1 y <- 2 }", "E0611"),
    ("{ x <- 1; }", "E0613"),
    ("{ x <- 1", "E0608"),
    ("{ p := pick 1 }", "E0607"),
    ("{ t := forall a, x of a = 1 }", "E0625"),
    ("{ t := x = 1 and forall A a, x of a = 1 }", "E0625"),
    ("x <- exists A a, x of a = 1", "E0625"),
    ("x <- id of 3", "E0624"),
    ("x <- max(1, 2, 3)", "E0607"),
    ("x <- if y then 1", "E0607"),
    ("x <- undef", "E0607"),
    ("x <- [0..3", "E0608"),
    ("x++", "E0614"),
    ("µ <- 1", "E0614"),
    ("", "E0607"),
];

/// The same of whole texts.
const IN_SECTIONS: &[(&str, &str)] = &[
    ("system spawn = A: 1 }", "E0608"),
    ("system { spawn = A: 1", "E0608"),
    ("system { spawn = A: 1 } }", "E0609"),
    ("system { spawn = A: 1 B: 2 }", "E0610"),
    ("system { spawn = A: 1; B: 2 }", "E0612"),
    ("system { spawn = A: 1, }", "E0613"),
    ("system { spawn = A = 1 }", "E0623"),
    ("system { spawn = A: n }", "E0607"),
    ("system { extern = _n; _m }", "E0612"),
    ("system { extern = n }", "E0614"),
    ("system { link = true }", "E0627"),
    ("agent A { Behavior: Skip }", "E0623"),
    ("agent A { behavior = Skip }", "E0614"),
    ("agent a { Behavior = Skip }", "E0614"),
    ("agent { Behavior = Skip }", "E0607"),
    ("agnet A { Behavior = Skip }", "E0627"),
    ("Behavior = Skip", "E0627"),
    ("agent A { interfaces = x: 0 }", "E0627"),
    ("agent A { interface: x: 0 }", "E0623"),
    ("agent A { interface = x = 0 }", "E0623"),
    ("agent A { interface = x: 0 y: 1 }", "E0611"),
    ("agent A { interface = x: 0; }", "E0613"),
    ("agent A { interface = x, y: 0 }", "E0612"),
    ("agent A { interface = x: 0  interface = y: 0 }", "E0628"),
    ("agent A { stigmergies = S, T  Behavior = Skip }", "E0612"),
    ("agent A { stigmergies = S;  Behavior = Skip }", "E0613"),
    ("stigmergy S { link: true v: 0 }", "E0623"),
    ("stigmergy S { link = true v: 0, w: 1 }", "E0612"),
    ("stigmergy S { link = true v: 0; }", "E0613"),
    ("stigmergy S { link = x of 3 = 1 v: 0 }", "E0624"),
    ("check { P = forall A a, x of a = 1 }", "E0626"),
    ("check { P = always eventually x = 1 }", "E0626"),
    ("check { always x = 1 }", "E0626"),
    ("check { p = always x = 1 }", "E0614"),
    ("check { P = always x = 1; Q = always x = 2 }", "E0613"),
    ("check { P = always x of (a) = 1 }", "E0624"),
    ("check { P = always forall A a x of a = 1 }", "E0610"),
    ("check { P = always x = 1 and forall A a, x of a = 1 }", "E0625"),
    ("check { P = between p and q, always r }", "E0626"),
    ("check { P = between (p) and (q) always r }", "E0610"),
    ("check { P = from (p) and (q), always r }", "E0626"),
    ("check { P = from (p) until (q), r }", "E0626"),
    ("assume { A = always x = 1 }", "E0626"),
    ("// a comment\nsystem { spawn = A: 1 }", "E0601"),
    ("/* a\n comment */ system { spawn = A: 1 }", "E0601"),
    ("/* without end", "E0601"),
    ("system { spawn = A: 1 } ; check { }", "E0613"),
];

#[test]
fn slips_are_reported_once() {
    let processes = IN_PROCESSES.iter().map(|(text, code)| (agent(text), *code));
    let sections = IN_SECTIONS.iter().map(|(text, code)| ((*text).to_owned(), *code));
    let slips: Vec<_> = processes.chain(sections).collect();
    let wrong: Vec<_> = slips
        .iter()
        .map(|(text, code)| (text, codes(text), code))
        .filter(|(_, found, code)| found != &[**code])
        .collect();
    assert_eq!(wrong, []);
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let nested = |open: &str, inside: &str, close: &str, depth: usize| {
        codes(&agent(&format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))))
    };
    for (open, inside, close) in [
        ("(", "Skip", ")"),
        ("x = 0 -> ", "Skip", ""),
        ("x = 0 -> (", "Skip", ")"),
        ("Skip ++ (Skip; x = 0 => ", "Skip", ")"),
    ] {
        let levels = open.matches(['(', '>']).count();
        assert_eq!(nested(open, inside, close, MAX_DEPTH / levels), [""; 0], "{open}");
        assert_eq!(nested(open, inside, close, MAX_DEPTH / levels + 1), ["E0605"], "{open}");
        assert_eq!(nested(open, inside, close, 5_000), ["E0605"], "{open}");
        assert!(nested(open, "", "", 5_000).contains(&"E0605"), "{open}");
    }
    assert_eq!(nested("(", "Skip", ")", 100_000), ["E0605"]);
    assert_eq!(nested("(", "", "", 100_000), ["E0605"]);
    let number = |open: &str, close: &str, depth: usize| {
        codes(&agent(&format!("x <- {}1{}", open.repeat(depth), close.repeat(depth))))
    };
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("x of ", ""),
        ("x[", "]"),
        ("abs(", ")"),
        ("max(1, ", ")"),
        ("if x then 1 else ", ""),
        ("1 + 2 * (3 = ", ")"),
        ("(1 or 1 = 1 + 1 * ", ")"),
        ("[0..", "]"),
        ("$f(1, ", ")"),
    ] {
        assert_eq!(number(open, close, MAX_DEPTH), [""; 0], "{open}");
        assert_eq!(number(open, close, MAX_DEPTH + 1), ["E0605"], "{open}");
        assert_eq!(number(open, close, 5_000), ["E0605"], "{open}");
        assert_eq!(number(open, "", 5_000), ["E0605"], "{open}");
    }
    assert_eq!(codes(&agent(&format!("{}x -> Skip", "!".repeat(20_000)))), ["E0605"]);
    let quantified = |count: usize| {
        let quantifiers = "forall A a, ".repeat(count);
        codes(&format!(
            "system {{ spawn = A: 1 }} agent A {{ Behavior = Skip }} check {{ P = always {quantifiers}true }}"
        ))
    };
    assert_eq!(quantified(MAX_DEPTH), [""; 0]);
    assert_eq!(quantified(MAX_DEPTH + 1), ["E0605"]);
    assert_eq!(quantified(50_000), ["E0605"]);
    for part in ["Skip; ", "Skip ++ ", "Skip || ", "(x = 1 -> Skip) ++ ", "{ x <- 1; y <- 2 }; "] {
        assert_eq!(codes(&agent(&format!("{}Skip", part.repeat(10_000)))), [""; 0], "{part}");
    }
    // High trees are refused too: what takes them apart may recurse.
    for sum in ["1 + ", "1 - 2 * ", "(1 + 2) * ", "x[2] + "] {
        let many = codes(&agent(&format!("x <- {}1", sum.repeat(10_000))));
        assert_eq!(many, ["E0605"], "{sum}");
        assert_eq!(codes(&agent(&format!("x <- {}1", sum.repeat(400)))), [""; 0], "{sum}");
    }
    let chain = "x[1".to_owned() + &" + 1".repeat(900);
    assert_eq!(number(&(chain + " + "), "]", MAX_DEPTH), ["E0605"]);
    assert_eq!(codes(&agent(&format!("{}x = 1 -> Skip", "x = 1 and ".repeat(900)))), [""; 0]);
}

#[test]
fn long_texts_are_read() {
    let lines = |line: &str| line.repeat(10_000);
    for (text, right) in [
        (format!("agent A {{ {} }}", lines("P = x <- x + 1; P\n")), None),
        (format!("agent A {{ {} }}", lines("P = (\n")), Some("E0606")),
        (format!("agent A {{ {} }}", lines("P = { (x[ \n")), Some("E0606")),
        (format!("agent A {{ P = {} }}", lines("(x = 1 -> ")), Some("E0605")),
        (format!("check {{ {} }}", lines("P = always (\n")), Some("E0606")),
        (lines("agent A {\n"), Some("E0606")),
        (lines("}\n"), Some("E0606")),
        (lines("stigmergy S { link = true a: 0 b: 0 }\n"), None),
        (format!("stigmergy S {{ {} }}", lines("a, b: 0, 0; c: 0\n")), None),
        (lines("# a comment\n"), None),
        (lines("/* a comment */\n"), Some("E0606")),
        (lines("/* "), Some("E0601")),
    ] {
        let found = codes(&text);
        assert_eq!(found.last().copied(), right, "{}", &text[..40]);
        assert!(found.len() <= MAX_DIAGNOSTICS + 1);
        if right.is_none() {
            let formatted = crate::format::format(&text).unwrap();
            assert_eq!(crate::format::format(&formatted).as_deref(), Ok(formatted.as_str()));
        }
    }
}

#[test]
fn a_property_alone_is_read() {
    for text in ["P = always forall A a, x of a = 0", "P = between (x) and (y), thereIs z;"] {
        let (property, diagnostics) = parse_property(text);
        assert!(
            property.is_some_and(|property| property.name.text == "P") && diagnostics.is_empty(),
            "{text}"
        );
    }
    for (text, code) in [
        ("always x = 0", "E0626"),
        ("forall A a, x of a = 0", "E0626"),
        ("P = x = 0", "E0626"),
        ("P always x = 0", "E0626"),
        ("P = always x = 0 Q = always y = 0", "E0607"),
        ("", "E0607"),
    ] {
        let (property, diagnostics) = parse_property(text);
        assert!(property.is_none(), "{text}");
        assert_eq!(diagnostics.iter().map(|one| one.code.id).collect::<Vec<_>>(), [code], "{text}");
    }
}

//! Tests of printer and formatter, and of the parser by them: random trees and texts, the corpus.

mod random;

use std::fs;
use std::path::Path;

use pretty_assertions::assert_eq;

use crate::ast::File;
use crate::format::format;
use crate::parser::parse;
use crate::print::print;
use random::Random;

/// The texts of the corpus that can be read.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/labs");
    let mut texts = Vec::new();
    for part in ["examples", "points", "bad"] {
        let entries = fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().path());
        texts.extend(
            entries
                .filter(|path| path.extension().is_some_and(|extension| extension == "labs"))
                .map(|path| fs::read_to_string(path).unwrap()),
        );
    }
    texts.sort();
    assert_eq!(texts.len(), 65);
    texts
}

/// A tree as text, without places.
fn shape(file: &File) -> String {
    let text = format!("{file:?}");
    let mut shape = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        shape.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[rest.find('}').unwrap() + 1..];
    }
    shape + rest
}

/// The shape of a tree without its parentheses.
pub(crate) fn bare_shape(file: &File) -> String {
    const OPEN: &str = "Parenthesised(";
    let mut text = shape(file);
    while let Some(at) = text.rfind(OPEN) {
        let inside = at + OPEN.len();
        let mut depth = 1;
        let length = text[inside..]
            .find(|letter| {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                depth == 0
            })
            .unwrap();
        let operand = text[inside..inside + length].to_owned();
        let kind = operand.split_once("kind: ").unwrap().1.strip_suffix(" }").unwrap();
        text.replace_range(at..=inside + length, kind);
    }
    text
}

#[test]
fn random_trees_are_read_as_they_were_printed() {
    for seed in 0..1_000 {
        let file = Random::new(seed).file();
        let text = print(&file);
        let parsed = parse(&text);
        assert_eq!(parsed.diagnostics, [], "seed {seed}: {text}");
        assert_eq!(bare_shape(&parsed.file), bare_shape(&file), "seed {seed}: {text}");
        assert_eq!(print(&parsed.file), text, "seed {seed}");
        // What has its parentheses gets no others.
        assert_eq!(shape(&parse(&print(&parsed.file)).file), shape(&parsed.file), "seed {seed}");
        // The canonical text has one form.
        assert_eq!(format(&text).unwrap(), text, "seed {seed}");
    }
}

/// Checks that a text keeps its tree and its comments when it is formatted.
#[track_caller]
fn check_format(text: &str) -> bool {
    let Ok(formatted) = format(text) else { return false };
    let [before, after] = [text, &formatted].map(parse);
    assert_eq!(after.diagnostics, [], "{text}\n{formatted}");
    assert_eq!(shape(&after.file), shape(&before.file), "{text}\n{formatted}");
    let comments = |text: &str, parsed: &crate::parser::Parsed| -> Vec<String> {
        parsed.comments.iter().map(|comment| text[comment.span.start..comment.span.end].to_owned()).collect()
    };
    assert_eq!(comments(&formatted, &after), comments(text, &before), "{text}\n{formatted}");
    assert_eq!(format(&formatted).unwrap(), formatted, "{text}");
    true
}

#[test]
fn models_keep_tree_and_comments() {
    assert_eq!(corpus().iter().filter(|text| check_format(text)).count(), 65 - 6);
}

#[test]
fn comments_may_stand_anywhere() {
    let mut checked = 0;
    for (number, text) in corpus().iter().enumerate() {
        for round in 0..4 {
            let mut random = Random::new((number * 4 + round) as u64);
            let tokens = random::tokens(text);
            let mut commented = String::new();
            for (position, token) in tokens.iter().enumerate() {
                commented.push_str(token);
                match random.below(12) {
                    0 => commented.push_str(&format!(" # c{position} ( {{\n")),
                    1 => commented.push_str(&format!("\n# d{position}\n")),
                    2 => commented.push_str(&format!("\n\n\n  # e{position}\n\n\n")),
                    3 => commented.push('\n'),
                    4 => commented.push_str("\n\n\n"),
                    _ => commented.push(' '),
                }
            }
            checked += usize::from(check_format(&commented));
        }
    }
    assert_eq!(checked, 4 * (65 - 6));
}

#[test]
fn any_words_are_read() {
    let words: Vec<String> = corpus().iter().flat_map(|text| random::tokens(text)).collect();
    let mut readable = 0;
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let soup: Vec<&str> =
            (0..random.below(60)).map(|_| words[random.below(words.len())].as_str()).collect();
        readable += usize::from(check_format(&soup.join(" ")));
        readable += usize::from(check_format(&format!("agent A {{ P = {} }}", soup.join(" "))));
    }
    assert!(readable > 20);
}

#[test]
fn damaged_models_are_read() {
    let texts = corpus();
    let words: Vec<String> = texts.iter().flat_map(|text| random::tokens(text)).collect();
    let mut readable = 0;
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut tokens = random::tokens(&texts[random.below(texts.len())]);
        let at = random.below(tokens.len());
        match random.below(3) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, words[random.below(words.len())].clone()),
            _ => tokens[at] = words[random.below(words.len())].clone(),
        }
        let text = tokens.join(" ");
        let is_readable = check_format(&text);
        readable += usize::from(is_readable);
        assert_eq!(is_readable, parse(&text).diagnostics.is_empty());
    }
    assert!(readable > 50, "{readable}");
}

#[test]
fn parentheses_are_those_of_the_author_and_those_that_matter() {
    let process = |text: &str| {
        let text = format!("agent A {{\n    Behavior = {text}\n}}\n");
        assert_eq!(print(&parse(&text).file), text);
    };
    process("(x <- 1); x <- 2");
    process("(x = 0 -> x <- 1) ++ (x = 1 -> x <- 0)");
    process("x = 0 -> x <- 1 ++ x = 1 -> x <- 0");
    process("((x = 0)) -> x <- (x + 1) * 2");
    process("x <- x of (y + 1) - y of p[0] + 2");
    process("x <- (if x = 0 then 1 else 2) + 3 - if y then 1 else 2 + 3");
    process("!(x = 1) and !x or !!y -> x <- - 1".replace("- 1", "-1").as_str());
}

#[test]
fn comments_and_blank_lines_are_kept() {
    let text = "\n\n# head\n\n\n# two\nsystem{spawn=A:1} # behind\n\n\nagent A {\n# x is\ninterface = x: 0 # zero\n\n\n  # does\n  Behavior = (# first\n x <- 1; # one\n\n x <- 2) # last\n; Behavior }\n# end";
    let right = "# head\n\n# two\nsystem {\n    spawn = A: 1\n} # behind\n\nagent A {\n    # x is\n    interface = x: 0 # zero\n\n    # does\n    Behavior =\n        ( # first\n            x <- 1; # one\n\n            x <- 2\n        ) # last\n        ;\n        Behavior\n}\n# end\n";
    assert_eq!(format(text).unwrap(), right);
    assert_eq!(format(right).unwrap(), right);
}

#[test]
fn other_spellings_become_ours() {
    let text = "agent A { interface = x: {0, 1}; y: [0..3]\n Behaviour = x <- [0..2] }\nstigmergy S { link = true a: 0 b: 1 }";
    let right = "agent A {\n    interface = x: [0, 1]; y: 0..3\n    Behavior = x <- [0..2]\n}\nstigmergy S {\n    link = true\n    a: 0; b: 1\n}\n";
    assert_eq!(format(text).unwrap(), right);
}

#[test]
fn long_lines_are_broken() {
    let text =
        format!("agent A {{ Behavior = {}Behavior }}", "first, second <- second + 1, first; ".repeat(8));
    let formatted = format(&text).unwrap();
    assert!(formatted.lines().count() > 8 && formatted.lines().all(|line| line.len() <= 100), "{formatted}");
}

#[test]
fn a_text_that_cannot_be_read_is_left_alone() {
    assert!(format("system { spawn = A }").is_err());
    assert_eq!(format("").unwrap(), "");
    assert_eq!(format("# only this").unwrap(), "# only this\n");
}

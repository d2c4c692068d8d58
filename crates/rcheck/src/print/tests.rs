//! Tests of printer and formatter, and of the parser by them: random trees and texts, the corpus.

mod random;

use std::fs;
use std::path::Path;

use pretty_assertions::assert_eq;

use crate::ast::File;
use crate::format::{format, format_to_today};
use crate::parser::{Options, Parsed, parse};
use crate::print::print;
use crate::vocabulary::Syntax;
use paramcheck_text::diagnostic::Diagnostic;
use random::Random;

const OURS: Options = Options { as_rcheck: false };

/// The texts of the corpus.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck");
    let mut texts = Vec::new();
    for part in ["models", "upstream", "bad"] {
        let entries = fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().path());
        let models = entries.filter(|path| path.extension().is_some_and(|extension| extension == "rcp"));
        texts.extend(models.map(|path| fs::read_to_string(path).unwrap()));
    }
    texts.sort();
    assert_eq!(texts.len(), 12 + 3 + 10);
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
fn bare_shape(file: &File) -> String {
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
    for seed in 0..600 {
        let file = Random::new(seed).file();
        let text = print(&file);
        let parsed = parse(&text, OURS);
        assert_eq!(parsed.diagnostics, [], "seed {seed}: {text}");
        assert_eq!(bare_shape(&parsed.file), bare_shape(&file), "seed {seed}: {text}");
        assert_eq!(print(&parsed.file), text, "seed {seed}");
        // What has its parentheses gets no others.
        assert_eq!(shape(&parse(&print(&parsed.file), OURS).file), shape(&parsed.file), "seed {seed}");
        // The canonical text has one form.
        assert_eq!(format(&text, OURS).unwrap(), text, "seed {seed}");
        if file.syntax == Syntax::Article {
            let today = format_to_today(&text, OURS).unwrap();
            let parsed = parse(&today, OURS);
            assert_eq!(parsed.diagnostics, [], "seed {seed}: {text}\n{today}");
            assert_eq!(format(&today, OURS).unwrap(), today, "seed {seed}");
        }
    }
}

/// Checks that a text keeps its tree and its comments when it is formatted.
#[track_caller]
fn check_format(text: &str) -> bool {
    let Ok(formatted) = format(text, OURS) else { return false };
    let [before, after] = [text, &formatted].map(|text| parse(text, OURS));
    assert_eq!(after.diagnostics, [], "{text}\n{formatted}");
    assert_eq!(shape(&after.file), shape(&before.file), "{text}\n{formatted}");
    let comments = |text: &str, parsed: &Parsed| -> Vec<String> {
        parsed.comments.iter().map(|comment| text[comment.span.start..comment.span.end].to_owned()).collect()
    };
    assert_eq!(comments(&formatted, &after), comments(text, &before), "{text}\n{formatted}");
    assert_eq!(format(&formatted, OURS).unwrap(), formatted, "{text}");
    let today = format_to_today(text, OURS).unwrap();
    let converted = parse(&today, OURS);
    assert_eq!(converted.diagnostics, [], "{text}\n{today}");
    assert_eq!(comments(&today, &converted), comments(text, &before), "{text}\n{today}");
    true
}

#[test]
fn models_keep_tree_and_comments() {
    // That of mixed syntaxes can't be read.
    assert_eq!(corpus().iter().filter(|text| check_format(text)).count(), 25 - 1);
}

#[test]
fn comments_may_stand_anywhere() {
    let mut checked = 0;
    for (number, text) in corpus().iter().enumerate() {
        for round in 0..4 {
            let mut random = Random::new((number * 4 + round) as u64);
            let mut commented = String::new();
            for (position, token) in random::tokens(text).iter().enumerate() {
                commented.push_str(token);
                match random.below(14) {
                    0 => commented.push_str(&format!(" // c{position} ( {{\n")),
                    1 => commented.push_str(&format!("\n// d{position}\n")),
                    2 => commented.push_str(&format!("\n\n\n  /* e{position} */\n\n\n")),
                    3 => commented.push_str(&format!(" /* f{position}\n g */ ")),
                    4 => commented.push('\n'),
                    5 => commented.push_str("\n\n\n"),
                    _ => commented.push(' '),
                }
            }
            checked += usize::from(check_format(&commented));
        }
    }
    assert_eq!(checked, 4 * 24);
}

#[test]
fn a_comment_before_what_repeats_keeps_its_place() {
    for comment in ["/* note */", "// note\n", "/* two\n lines */"] {
        for what in [
            "( a: {true} *! (true)()[] )",
            "a: {true} *! (true)()[]",
            "( a: {true} *! (true)()[]; // n\n b: {true} *! (true)()[] )",
        ] {
            let text =
                format!("agent A\n  local: b : bool\n  repeat: {comment} {what}\nsystem = A(a, true)\n");
            assert!(check_format(&text), "{text}");
        }
    }
}

#[test]
fn any_words_are_read() {
    let words: Vec<String> = corpus().iter().flat_map(|text| random::tokens(text)).collect();
    let mut readable = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let soup: Vec<&str> =
            (0..random.below(60)).map(|_| words[random.below(words.len())].as_str()).collect();
        readable += usize::from(check_format(&soup.join(" ")));
        readable += usize::from(check_format(&format!("SPEC {}", soup[..soup.len().min(4)].join(" "))));
    }
    assert!(readable > 8, "{readable}");
}

#[test]
fn damaged_models_are_read() {
    let texts = corpus();
    let words: Vec<String> = texts.iter().flat_map(|text| random::tokens(text)).collect();
    let mut readable = 0;
    for seed in 0..400 {
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
        assert_eq!(is_readable, parse(&text, OURS).diagnostics.is_empty());
        // Whatever it is, it has a meaning or a message.
        let loaded = crate::load(&text, OURS);
        assert!(loaded.system.is_some() || loaded.diagnostics.iter().any(Diagnostic::is_error), "{text}");
    }
    assert!(readable > 15, "{readable}");
}

#[test]
fn the_articles_syntax_becomes_todays() {
    let text = "channels: c, d\nguard g(c : channel) := channel == c && TRUE;\nagent A local: x : bool\n\
                repeat: (<x> c! g(d)()[]; <!x> *? []; // last\n b: <TRUE> d? [x := FALSE])\n\
                system = A(i, TRUE) | A(j, FALSE)\nLTOL G [sender = i & !(channel = d)] i-x & F i-state = 1";
    let right = "enum channel {c, d}\nguard g(c_ : channel) := chan = c_ & true;\nagent A\n    local: x : bool\n    \
                 repeat: (\n        {x} c! g(d)()[];\n        (\n            {!x} *? []; // last\n            \
                 b: {true} d? [x := false]\n        )\n    )\nsystem = A(i, true) || A(j, false)\n\
                 SPEC (G [[sender = i & !(chan = d)]] i-x) & F i-automaton-state = 1;\n";
    assert_eq!(format_to_today(text, OURS).unwrap(), right);
}

#[test]
fn what_the_tool_reads_is_written_with_parentheses() {
    let text = "SPEC a | b & c -> d -> e U f;\nagent A repeat: ( rep a: {true} *? [] + b: {true} *? [] )";
    let read = format(text, Options { as_rcheck: true }).unwrap();
    assert!(read.starts_with("SPEC (((a | b) & c -> d) -> e) U f;\n"), "{read}");
    assert!(read.contains("rep (a: {true} *? [] + b: {true} *? [])"), "{read}");
}

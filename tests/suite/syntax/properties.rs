//! What holds of every text and every tree.

use paramcheck_model::syntax::vocabulary::{Keyword, Rewriting, Symbol};
use paramcheck_model::syntax::{format, parse, parse_error_definition, print, same_tree};
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::reading::{Lexed, MAX_DIAGNOSTICS, Spelt, lex};
use paramcheck_text::source::SourceFile;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::FileFailurePersistence;

use super::{corpus, generate};

/// The comments of a text.
fn comments(text: &str) -> Vec<&str> {
    lex(Rewriting, text).comments.iter().map(|comment| &text[comment.span.start..comment.span.end]).collect()
}

/// Checks that formatting loses nothing and is stable.
pub(super) fn assert_formatted(text: &str, formatted: &str, context: &str) {
    let (before, after) = (parse(text), parse(formatted));
    assert!(after.diagnostics.is_empty(), "{context}\n{text}\n---\n{formatted}\n{:?}", after.diagnostics);
    assert!(same_tree(&before.model, &after.model), "{context}\n{text}\n---\n{formatted}");
    assert_eq!(comments(text), comments(formatted), "{context}\n{text}\n---\n{formatted}");
    let again = format(formatted).unwrap();
    assert_eq!(again, formatted, "{context}\n{text}");
    // Comments keep what they have at the ends of their lines.
    let is_free = comments(text).is_empty();
    let is_tidy = formatted.lines().all(|line| line == line.trim_end());
    assert!(!is_free || is_tidy, "{context}\n{formatted:?}");
}

/// Everything that must hold of any text at all.
fn assert_total(text: &str) {
    let Lexed { tokens, comments, .. } = lex(Rewriting, text);
    let mut end = 0;
    for token in &tokens {
        assert!(token.span.start >= end && token.span.end >= token.span.start);
        assert!(text.get(token.span.start..token.span.end).is_some());
        end = token.span.end;
    }
    assert_eq!(end, text.len());
    assert!(comments.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    let parsed = parse(text);
    assert!(parsed.diagnostics.len() <= MAX_DIAGNOSTICS + 1);
    let file = SourceFile::new("model.rs", text);
    for diagnostic in &parsed.diagnostics {
        assert!(!render(&file, diagnostic, false).is_empty());
    }
    print(&parsed.model);
    match format(text) {
        Ok(formatted) => assert_formatted(text, &formatted, "total"),
        Err(diagnostics) => assert_eq!(diagnostics, parsed.diagnostics),
    }
    parse_error_definition(text);
}

/// Words of the language and some that are none.
fn word() -> impl Strategy<Value = String> {
    let symbols = Symbol::SPELLINGS.iter().map(|(spelling, _)| *spelling).collect::<Vec<_>>();
    let keywords = Keyword::SPELLINGS.iter().map(|(spelling, _)| *spelling).collect::<Vec<_>>();
    prop_oneof![
        6 => select(symbols).prop_map(str::to_owned),
        3 => select(keywords).prop_map(str::to_owned),
        4 => select(vec!["a", "Node", "deadlock", "wsks", "ν", "νx", "x'", "0", "7", "99999999999999999999"])
            .prop_map(str::to_owned),
        2 => select(vec!["\n", "// c\n", "/* c */", "/*", "*/", "$", ":=", "2x", "wsks {", "ex1 x", "all2", "in", "sub", "\u{feff}", "é"])
            .prop_map(str::to_owned),
    ]
}

/// A way to spoil a text: what, where, and how far.
type Mutation = (u8, Index, Index, String);

fn mutated(text: &str, mutations: &[Mutation]) -> String {
    let mut pieces: Vec<String> =
        text.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    for (kind, first, second, word) in mutations {
        if pieces.is_empty() {
            break;
        }
        let (a, b) = (first.index(pieces.len()), second.index(pieces.len()));
        let (low, high) = (a.min(b), a.max(b).min(a.min(b) + 8));
        match kind % 5 {
            0 => drop(pieces.drain(low..=high)),
            1 => pieces.insert(a, word.clone()),
            2 => {
                let copy = pieces[low..=high].to_vec();
                pieces.splice(high..high, copy);
            }
            3 => pieces.swap(a, b),
            _ => pieces.truncate(a.max(1)),
        }
    }
    pieces.concat()
}

/// A model's tokens with random spelling, and with comments and line breaks between them.
fn respelled(text: &str, gaps: &[u8]) -> String {
    let mut output = String::new();
    let tokens = lex(Rewriting, text).tokens;
    let mut gaps = gaps.iter().cycle();
    for (position, token) in tokens.iter().enumerate() {
        let gap = match gaps.next().copied().unwrap_or(0) % 24 {
            0..=4 => "\n".to_owned(),
            5 => format!(" // line {position}\n"),
            6 => format!("\n  // own line {position} \n"),
            7 => format!(" /* block {position} */ "),
            8 => format!("\n/* own block {position} */"),
            9 => format!("/* two\n lines {position} */ "),
            10 => format!(" // first {position}\n// second\n\n\n /* third */ // fourth\n"),
            11 => "\r\n\r\n".to_owned(),
            _ => " ".to_owned(),
        };
        output.push_str(&gap);
        let spelling = &text[token.span.start..token.span.end];
        let is_odd = position % 2 == 1;
        output.push_str(match spelling {
            "new" if is_odd => "ν",
            "<" if is_odd => "⟨",
            ">" if is_odd => "⟩",
            "<-" if is_odd => "←",
            _ => spelling,
        });
    }
    output
}

proptest! {
    // More with the environment variable PROPTEST_CASES.
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn printed_trees_are_read_back(model in generate::model()) {
        let printed = print(&model);
        let parsed = parse(&printed);
        prop_assert!(parsed.diagnostics.is_empty(), "{printed}\n{:?}", parsed.diagnostics);
        prop_assert!(same_tree(&model, &parsed.model), "{printed}\n{:#?}\n{:#?}", model, parsed.model);
        prop_assert_eq!(format(&printed).unwrap(), printed);
    }

    #[test]
    fn comments_survive_formatting_of_any_tree(model in generate::model(), gaps in vec(any::<u8>(), 64)) {
        let printed = print(&model);
        let text = respelled(&printed, &gaps);
        prop_assert!(same_tree(&model, &parse(&text).model), "{text}");
        assert_formatted(&text, &format(&text).unwrap(), "");
    }

    #[test]
    fn comments_survive_formatting_of_the_corpus(which in any::<Index>(), gaps in vec(any::<u8>(), 97)) {
        let files = corpus();
        let (path, text) = which.get(files);
        let text = respelled(text, &gaps);
        assert_formatted(&text, &format(&text).unwrap(), &path.display().to_string());
    }

    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..200)) {
        assert_total(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_characters_are_read(text in "\\PC{0,60}|[ -~\n]{0,120}") {
        assert_total(&text);
    }

    #[test]
    fn any_words_are_read(words in vec(word(), 0..60), is_spaced in any::<bool>()) {
        assert_total(&words.join(if is_spaced { " " } else { "" }));
    }

    #[test]
    fn spoilt_models_are_read(
        which in any::<Index>(),
        mutations in vec((any::<u8>(), any::<Index>(), any::<Index>(), word()), 1..6),
    ) {
        let files = corpus();
        assert_total(&mutated(&which.get(files).1, &mutations));
    }
}

/// Texts that would overflow a stack or take quadratic time if the parser were careless.
#[test]
fn large_monotonous_texts_are_read() {
    let patterns = [
        "(",
        "((a",
        "error e = (",
        "error e = !",
        "error e = #a + ",
        "a(",
        "a(x,",
        "A(x) <- <a(x) ",
        "A(x) <- (",
        "component A {",
        "component A { a",
        "new ",
        "/*",
        "/",
        "{",
        "}",
        ";",
        "$ ",
        "é",
        "wsks {",
        "= wsks {",
        "error e = wsks { ",
        "error e = wsks { ex1 x: ",
        "error e = wsks { a in b & ",
        "error e = wsks {} & ",
        "x in y => ",
        "x in y <=> ",
        "ex1 x, ",
        "ex2 x y ",
        "A() <- A() | ",
        "forbid <",
        "a -b",
        "critical ",
        "link a(",
        ":",
        "\u{feff}",
        "x, ",
        "A(x,",
        "<-",
        "A() <-",
        "error e = a | ",
        "error e = (a & ",
        "ν",
        "νy ",
        "states a b ",
        "component A { states ",
    ];
    for prefix in ["", "error e = ", "error e = wsks {", "A() <- ", "component A { "] {
        for pattern in [
            "(",
            "!",
            "!(",
            "<",
            "[",
            "{",
            "(a & ",
            "a(",
            "<a(",
            "~",
            "ex1 x: ",
            "x in y => ",
            "x in y => (",
            "(x in y | ",
            "x in y & (",
            "x = y <=> (",
            "!ex2 X: (",
        ] {
            parse(&format!("{prefix}{}", pattern.repeat(10_000)));
        }
    }
    for pattern in patterns {
        let text = pattern.repeat(50_000 / pattern.len());
        let parsed = parse(&text);
        assert!(parsed.diagnostics.len() <= MAX_DIAGNOSTICS + 1);
        print(&parsed.model);
        assert!(format(&text).is_err() || parsed.diagnostics.is_empty());
    }
}

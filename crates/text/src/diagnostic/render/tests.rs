//! Tests of rendering: places that do not fit the text, odd texts, colour, size of the output.

use pretty_assertions::assert_eq;

use super::render;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{SourceFile, Span};

fn diagnostic(spans: &[(usize, usize)]) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(&codes::syntax::UNEXPECTED, "not so", Span::default(), "");
    diagnostic.labels.clear();
    for (start, end) in spans {
        // Not `Span::new`: the places of this test need not make sense.
        diagnostic = diagnostic.label(Span { start: *start, end: *end }, "here");
    }
    diagnostic.help("do it otherwise")
}

fn show(text: &str, spans: &[(usize, usize)]) -> String {
    render(&SourceFile::new("m.rs", text), &diagnostic(spans), false)
}

/// The rendered text: place, then the source lines, then the help.
fn expected(place: &str, lines: &[&str]) -> String {
    let mut text = format!("error[E0110]: not so\n --> m.rs:{place}\n  |\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text + "  |\n  = help: do it otherwise"
}

#[test]
fn shows_the_place() {
    assert_eq!(show("a b c\nd\n", &[(2, 3)]), expected("1:3", &["1 | a b c", "  |   ^ here"]));
    assert_eq!(show("a\r\nb c\r\n", &[(5, 6)]), expected("2:3", &["2 | b c", "  |   ^ here"]));
}

#[test]
fn shows_all_labels() {
    let text = "a\n\n\n\n\n\nb\n";
    let lines = ["1 | a", "  | - here", "...", "7 | b", "  | ^ here"];
    assert_eq!(show(text, &[(7, 8), (0, 1)]), expected("7:1", &lines));
}

#[test]
fn counts_columns_in_characters() {
    assert_eq!(show("α漢b\n", &[(5, 6)]), expected("1:3", &["1 | α漢b", "  |    ^ here"]));
    assert_eq!(show("a\tb\n", &[(2, 3)]), expected("1:3", &["1 | a    b", "  |      ^ here"]));
}

#[test]
fn shows_the_end_of_a_text() {
    assert_eq!(show("", &[(0, 0)]), expected("1:1", &["1 |", "  | ^ here"]));
    assert_eq!(show("abc", &[(3, 3)]), expected("1:4", &["1 | abc", "  |    ^ here"]));
    assert_eq!(show("abc\n", &[(4, 4)]), expected("2:1", &["2 |", "  | ^ here"]));
}

#[test]
fn moves_places_into_the_text() {
    assert_eq!(show("abc", &[(7, 99)]), show("abc", &[(3, 3)]));
    assert_eq!(show("abc", &[(2, 1)]), show("abc", &[(2, 2)]));
    assert_eq!(show("α漢b\n", &[(1, 3)]), show("α漢b\n", &[(0, 5)]));
    assert_eq!(show("abc", &[(0, usize::MAX)]), show("abc", &[(0, 3)]));
}

#[test]
fn is_total_on_small_texts() {
    let alphabet = ["a", "\t", "\n", "\r", "\r\n", "漢", "\u{301}", "\u{feff}", "\u{0}", "\u{202e}"];
    for first in alphabet {
        for second in alphabet {
            let text = format!("{first}{second}{first}");
            for start in 0..=text.len() + 1 {
                for end in 0..=text.len() + 1 {
                    assert!(show(&text, &[(start, end), (end, start)]).contains("do it otherwise"));
                }
            }
        }
    }
}

#[test]
fn a_diagnostic_without_labels_names_the_file() {
    assert!(show("abc", &[]).contains("m.rs"));
}

#[test]
fn long_lines_are_shown_in_part() {
    let text = "(a".repeat(500_000);
    let shown = show(&text, &[(900_000, 900_001), (0, 1)]);
    assert!(shown.contains("m.rs:1:900001"), "{shown}");
    assert!(shown.len() < 1000, "{} bytes", shown.len());
    let shown = show(&text, &[(3, 900_000)]);
    assert!(shown.len() < 1000, "{} bytes", shown.len());
    let shown = show(&"漢".repeat(5000), &[(0, 10_000)]);
    assert!(shown.len() < 2000, "{} bytes", shown.len());
}

/// A part of a long line looks like a whole one, with dots where it is cut.
#[test]
fn parts_of_lines_have_dots_where_they_are_cut() {
    let text = "ab ".repeat(400);
    let begin = ["1 | ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ...", "  | ^^ here"];
    assert_eq!(show(&text, &[(0, 2)]), expected("1:1", &begin));
    let middle = format!("1 | ...{}ab{}...", "ab ".repeat(20), " ab".repeat(19) + " ");
    let marks = format!("  |    {}^^ here", " ".repeat(60));
    assert_eq!(show(&text, &[(600, 602)]), expected("1:601", &[&middle, &marks]));
    let end = format!("1 | ...{}ab", "ab ".repeat(20));
    let text = text.trim_end();
    assert_eq!(show(text, &[(1197, 1199)]), expected("1:1198", &[&end, &marks]));
    let odd = "\u{200d}\r\u{7}漢\t".repeat(500);
    assert!(show(&odd, &[(odd.len() - 1, odd.len())]).contains(" --> m.rs:1:2500\n  |\n"));
    assert_eq!(show(&format!("\n{text}\r\n"), &[(1198, 1200)]).matches("...").count(), 1);
}

#[test]
fn colour_adds_only_escape_sequences() {
    let file = SourceFile::new("m.rs", "a b c\n");
    let coloured = render(&file, &diagnostic(&[(2, 3)]), true);
    assert!(coloured.contains('\u{1b}'));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, render(&file, &diagnostic(&[(2, 3)]), false));
}

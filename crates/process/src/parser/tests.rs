//! Tests of the parser: what is read, how tightly it binds, and what is still read beside an error.

use pretty_assertions::assert_eq;

use super::{MAX_DEPTH, parse};
use crate::Language::{self, Ccs, Chor};
use crate::print::print;
use paramcheck_text::reading::MAX_DIAGNOSTICS;

/// The codes of what is wrong with a text.
fn codes(text: &str, language: Language) -> Vec<&'static str> {
    parse(text, language).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// The canonical text of a text without errors.
#[track_caller]
fn read(text: &str, language: Language) -> String {
    let parsed = parse(text, language);
    assert_eq!(parsed.diagnostics, [], "{text}");
    print(&parsed.model)
}

/// Checks that a process is read as if all its parentheses were written.
#[track_caller]
fn means(text: &str, explicit: &str, language: Language) {
    let read = |text: &str| read(&format!("system {text};"), language);
    assert_eq!(read(text), read(explicit), "{text}");
}

#[test]
fn ccs_binds_as_it_should() {
    means("a.P \\ {b}", "(a.P) \\ {b}", Ccs);
    means("a.b.P[c/a]^2\\{d}", "(a.(b.P))[c/a] ^ 2 \\ {d}", Ccs);
    means("a.P; Q + R", "((a.P); Q) + R", Ccs);
    means("P + Q | R; S", "(P + Q) | (R; S)", Ccs);
    means("P \\ {a}; Q[b/c]", "(P \\ {a}); (Q[b/c])", Ccs);
    means("P|[a]|Q", "P |[a]| Q", Ccs);
    means("P |[ ]| Q |[]| R", "P |[]| Q |[]| R", Ccs);
    means("P |[a, 'b]| Q |['b, a]| R", "P |[a, 'b]| Q |[a, 'b]| R", Ccs);
}

#[test]
fn choreographies_bind_as_they_should() {
    means("a@x; b@x + c@y || d@y", "((a@x; b@x) + c@y) || d@y", Chor);
    means("*(a@x); b@x", "(*(a@x)); b@x", Chor);
    means("a@[x, y] + tau; b@x", "a@[x,y] + (tau; b@x)", Chor);
    means("check@mk; system@[a,b]; deadlock@a", "(check@mk); (system@[a,b]); (deadlock@a)", Chor);
}

#[test]
fn nested_lists_stay_nested() {
    for text in
        ["system (P; Q); R;\n", "system P; (Q; R);\n", "system P + (Q + R);\n", "system P | (Q | R);\n"]
    {
        assert_eq!(read(text, Ccs), text);
    }
    assert_eq!(read("system a.(b.0);", Ccs), "system a.b.0;\n");
    assert_eq!(read("system (P \\ {a}) \\ {b};", Ccs), "system P \\ {a} \\ {b};\n");
    assert_eq!(read("system ((((P))));", Ccs), "system P;\n");
}

#[test]
fn a_semicolon_ends_an_item_where_another_begins() {
    assert_eq!(read("P = a.0; Q = P; R; system P; Q; check deadlock;", Ccs).lines().count(), 4);
    assert_eq!(read("P = (a.0;\nP) + b.0;", Ccs), "P = a.0; P + b.0;\n");
    assert_eq!(read("S = a@x;\ncheck@y; system S;", Chor), "S = a@x; check@y;\nsystem S;\n");
}

#[test]
fn checks_are_read() {
    let text = "check p = always (!did 'a | can tau & !(terminated | did b));\n";
    assert_eq!(read(text, Ccs), text.replace("always (", "always ").replace("b));", "b);"));
    assert_eq!(read("check deadlock;check d = deadlock;", Ccs), "check deadlock;\ncheck d = deadlock;\n");
    assert_eq!(
        read("check p=eventually did a@x&can b@[x,y];", Chor),
        "check p = eventually did a@x & can b@[x,y];\n"
    );
}

#[test]
fn temporal_checks_are_read() {
    for formula in
        ["G (did a -> F did b)", "[[tau]] <<true>> (!can 'a W terminated)", "did a <-> !did b R X did c"]
    {
        let text = format!("check p = ltl {formula};\n");
        assert_eq!(read(&text, Ccs), text);
        assert_eq!(crate::format::format(&text, Ccs), Ok(text));
    }
    for formula in ["[[a@[x,y]]] (did check U can check@x)", "[[check]] <<always@y>> !did ltl"] {
        let text = format!("check p = ltl {formula};\n");
        assert_eq!(read(&text, Chor), text);
    }
    // `X F G U R W` are names of processes elsewhere.
    assert_eq!(read("G = a.F; F = b.G; system G | U; check p = ltl G did a;", Ccs).lines().count(), 4);
    assert_eq!(codes("check p = ltl G (did a;", Ccs), ["E0310"]);
    assert_eq!(codes(&format!("check p = ltl {}did a;", "X ".repeat(100_000)), Ccs), ["E0306"]);
}

#[test]
fn checks_of_choreographies_name_actions_by_reserved_words() {
    for words in [
        "did check",
        "can system & !did always",
        "did terminated | can can",
        "!(did deadlock | did did) & can eventually",
        "did check@x & did system@[x,y] & did tau & can tau@x",
    ] {
        let text = format!("check c = always {words};\n");
        assert_eq!(read(&text, Chor), text);
        assert_eq!(crate::format::format(&text, Chor), Ok(text));
    }
    assert_eq!(codes("system check@x; check c = always did && did a;", Chor), ["E0308"]);
    // What is missing is still missed, and no name of an action in CCS.
    assert_eq!(codes("system a@x; check c = always did\ncheck deadlock;", Chor), ["E0305", "E0308"]);
    assert_eq!(codes("system a@x; check c = always did check\ncheck deadlock;", Chor), ["E0309"]);
    assert_eq!(codes("system a.0; check c = always did check;", Ccs), ["E0305"]);
}

#[test]
fn reading_goes_on_behind_an_error() {
    assert_eq!(codes("P = a + ; Q = b; system P; check x = did;", Ccs), ["E0313", "E0308", "E0313", "E0319"]);
    assert_eq!(codes("system a.0\ncheck deadlock", Ccs), ["E0309", "E0309"]);
    assert_eq!(print(&parse("P = a; system P", Ccs).model), "P = a.0;\nsystem P;\n");
}

#[test]
fn constructs_of_the_other_language_are_named() {
    for text in ["a@x.0", "*(a.0)", "a@[x,y]"] {
        assert_eq!(codes(&format!("system {text};"), Ccs), ["E0317"], "{text}");
    }
    for text in ["a.b@x", "a@x \\ {b}", "a@x ^ 2", "0", "a@x; b", "'a@x", "a@x[b/a]"] {
        assert_eq!(codes(&format!("system {text};"), Chor), ["E0317"], "{text}");
    }
    assert_eq!(codes("system a@x | b@x;", Chor), ["E0316"]);
    assert_eq!(codes("system a.0 || b.0;", Ccs), ["E0316"]);
    assert_eq!(codes("system a.0 ||| b.0;", Ccs), ["E0316"]);
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let nested = |depth: usize| format!("system {}a.0{};", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(codes(&nested(MAX_DEPTH), Ccs), [""; 0]);
    assert_eq!(codes(&nested(MAX_DEPTH + 1), Ccs), ["E0306"]);
    assert_eq!(codes(&nested(1_000_000), Ccs), ["E0306"]);
    let loops = |depth: usize| format!("system {}a@x{};", "*(".repeat(depth), ")".repeat(depth));
    assert_eq!(codes(&loops(MAX_DEPTH), Chor), [""; 0]);
    assert_eq!(codes(&loops(100_000), Chor), ["E0306"]);
    let negations = |depth: usize| format!("check c = always {}did a;", "!".repeat(depth));
    assert_eq!(codes(&negations(MAX_DEPTH), Ccs), [""; 0]);
    assert_eq!(codes(&negations(100_000), Ccs), ["E0306"]);
    // Parts of formulas have no names that they could be given.
    let help = |text: &str| parse(text, Ccs).diagnostics.into_iter().find_map(|one| one.help);
    let [of_process, of_formula] = [&nested(MAX_DEPTH + 1), &negations(MAX_DEPTH + 1)].map(|text| help(text));
    assert!(of_process.is_some_and(|help| help.contains("names of their own")));
    assert!(of_formula.is_some_and(|help| help.contains("leave out")));
    let many = "!(".repeat(MAX_DEPTH / 2) + "did a" + &")".repeat(MAX_DEPTH / 2);
    assert_eq!(codes(&format!("check c = always {many} & ({many}) | !!{many};"), Ccs), ["E0306"]);
    assert_eq!(codes(&format!("check c = always {many} & {many} | {many};"), Ccs), [""; 0]);
    for long in ["a.", "a.0 + ", "a.0; ", "a.0 | ", "P \\ {a}; ", "a.0 |[a]| "] {
        assert_eq!(codes(&format!("system {}a.0;", long.repeat(20_000)), Ccs), [""; 0], "{long}");
    }
    assert_eq!(codes(&format!("system P{};", " \\ {a}".repeat(20_000)), Ccs), [""; 0]);
}

#[test]
fn the_number_of_messages_is_limited() {
    assert_eq!(codes(&"system $;".repeat(1000), Ccs).len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(codes(&"system a;".repeat(1000), Ccs).last(), Some(&"E0307"));
}

#[test]
fn spellings_of_other_tools_are_met_with_ours() {
    for (text, language, help) in [
        ("system P | ~a.0;", Ccs, "the co-action of `a` is written `'a`"),
        ("agent P = a.P;", Ccs, "`P = a.P;`"),
        ("-- a comment", Ccs, "comments begin with `//`"),
        ("# a comment", Ccs, "comments begin with `//`"),
        ("system p -> q : a;", Chor, "`a@[p, q]`"),
    ] {
        let found = parse(text, language).diagnostics;
        let texts = || found.iter().flat_map(|one| one.help.iter().chain([&one.message]));
        let has = |help: &str| texts().any(|one| one.contains(help));
        assert!(has(help), "{text}: {found:?}");
    }
}

//! Tests of the parser: how tightly things bind, both syntaxes, bounds.

use pretty_assertions::assert_eq;

use super::{MAX_DEPTH, Options, parse};
use crate::print::print;

const OURS: Options = Options { as_rcheck: false };

fn codes(text: &str) -> Vec<&'static str> {
    parse(text, OURS).diagnostics.iter().map(|one| one.code.id).collect()
}

/// A property with all its parentheses.
fn shown(formula: &str, head: &str) -> String {
    let text = format!("{head}SPEC {formula}");
    let parsed = parse(&text, OURS);
    assert_eq!(parsed.diagnostics, [], "{text}");
    format!("{:?}", without_spans(&format!("{:?}", parsed.file.items.last())))
}

fn without_spans(text: &str) -> String {
    let mut shape = text.to_owned();
    while let Some(at) = shape.find("Span {") {
        let end = at + shape[at..].find('}').unwrap();
        shape.replace_range(at..=end, "_");
    }
    while let Some(at) = shape.find("Parenthesised(Expr { span: _, kind: ") {
        let start = at + "Parenthesised(Expr { span: _, kind: ".len();
        let mut depth = 1;
        let length = shape[start..]
            .find(|letter| {
                depth +=
                    i32::from(letter == '(' || letter == '{') - i32::from(letter == ')' || letter == '}');
                depth == 0
            })
            .unwrap();
        let inner = shape[start..start + length].trim_end().to_owned();
        shape.replace_range(at..start + length + " })".len() - 1, &inner);
    }
    shape
}

#[track_caller]
fn same(one: &str, other: &str) {
    assert_eq!(shown(one, ""), shown(other, ""));
}

#[test]
fn operators_bind_as_usual() {
    same("a | b & c", "a | (b & c)");
    same("a -> b | c & d", "a -> (b | (c & d))");
    same("a <-> b -> c", "a <-> (b -> c)");
    same("x + 1 < y * 2 & a", "((x + 1) < (y * 2)) & a");
    same("!a U b & c", "((!a) U b) & c");
    same("a = b U c = d", "(a = b) U (c = d)");
}

#[test]
fn operators_before_their_operand_reach_to_the_end() {
    same("G a -> b", "G (a -> b)");
    same("F a & F b", "F (a & (F b))");
    same("a & <<x>> b | c", "a & (<<x>> (b | c))");
    same("forall k : A . a -> b", "forall k : A . (a -> b)");
}

#[test]
fn in_the_article_they_reach_over_the_next_comparison() {
    let head = "channels: c\n";
    let same = |one: &str, other: &str| assert_eq!(shown(one, head), shown(other, head));
    same("G a = b & c", "(G (a = b)) & c");
    same("F <x> a = b -> c", "(F (<x> (a = b))) -> c");
    same("G [x] F <y> a", "G ([x] (F (<y> a)))");
    same("/\\ k : A . a & b", "/\\ k : A . (a & b)");
}

#[test]
fn a_hyphen_behind_an_instance_names_a_variable() {
    let with = |spec: &str| {
        let text = format!("system = A(one, g(two, 1))\nSPEC {spec}");
        print(&parse(&text, OURS).file)
    };
    assert!(with("one-x - one-y < 2").ends_with("SPEC one-x - one-y < 2;\n"));
    // This one is an argument.
    assert!(with("two-x").ends_with("SPEC two - x;\n"));
    assert!(with("forall two : A . two-x").ends_with("SPEC forall two : A . two-x;\n"));
}

#[test]
fn constructs_of_the_other_syntax_show_their_translation() {
    let translations = |text: &str| -> Vec<String> {
        let parsed = parse(text, OURS);
        let help = parsed.diagnostics.iter().map(|one| {
            assert_eq!(one.code.id, "E0911", "{text}");
            let help = one.help.as_deref().unwrap_or("");
            help.split(';').next().unwrap_or("").trim_start_matches("write ").to_owned()
        });
        help.collect()
    };
    let today = [
        ("communication-variables: x : bool", "`property-variables`"),
        ("SPEC a && b", "`&`"),
        ("SPEC TRUE", "`true`"),
        ("SPEC /\\ k : A . a", "`forall`"),
        ("SPEC \\/ k : A . a", "`exists`"),
        ("SPEC <x = 1> a", "`<<x = 1>>`"),
        ("SPEC [x = 1] a", "`[[x = 1]]`"),
        ("LTLSPEC a", "`SPEC`"),
        ("guard g() := channel = *;", "`chan`"),
        ("agent A repeat: <x> c? []", "`{x}`"),
        ("system = A(a, x) | A(b, x)", "`||` between instances"),
    ];
    for (text, right) in today {
        assert_eq!(translations(text), [right], "{text}");
    }
    let article = [
        ("property-variables: x : bool", "`communication-variables`"),
        ("enum channel {d}", "`channels: a, b`"),
        ("SPEC forall k : A . a", "`/\\`"),
        ("SPEC exists k : A . a", "`\\/`"),
        ("SPEC <<x = 1>> a", "`<x = 1>`"),
        ("SPEC [[x = 1]] a", "`[x = 1]`"),
        ("guard g() := chan = *;", "`channel`"),
        ("agent A repeat: {x} c? []", "`<`, and `>` behind the condition"),
        ("system = A(a, x) || A(b, x)", "`|` between instances"),
        ("system = A(a, x)\nSPEC a-automaton-state = 1", "`a-state`"),
    ];
    for (text, right) in article {
        assert_eq!(translations(&format!("channels: c\n{text}")), [right], "{text}");
    }
}

#[test]
fn what_is_nested_too_deep_is_refused_and_no_less() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, inner, close) in [
        ("(", "a", ")"),
        ("!", "a", ""),
        ("G ", "a", ""),
        ("<<a>> ", "a", ""),
        ("forall k : A . ", "a", ""),
        ("g(", "a", ")"),
        ("a -> (", "a", ")"),
    ] {
        let text = |depth| format!("SPEC {}", nested(open, inner, close, depth));
        assert_eq!(codes(&text(MAX_DEPTH)), [""; 0], "{open}");
        for depth in [MAX_DEPTH + 1, 20_000] {
            assert_eq!(codes(&text(depth))[0], "E0906", "{open}");
        }
    }
    for (open, close) in [("(", ")"), ("rep ", "")] {
        let text = |depth| format!("agent A repeat: {}", nested(open, "{x} c? []", close, depth));
        assert_eq!(codes(&text(MAX_DEPTH)), [""; 0], "{open}");
        assert_eq!(codes(&text(20_000))[0], "E0906", "{open}");
    }
}

#[test]
fn long_texts_are_read() {
    let long = |part: &str, count: usize| vec![part; count].join("");
    assert_eq!(codes(&format!("SPEC a{}", long(" & a", 50_000))), [""; 0]);
    assert_eq!(codes(&format!("SPEC a{}", long(" + a", 50_000))), ["E0906"]);
    assert_eq!(codes(&format!("SPEC a{}", long(" -> a", 50_000))), ["E0906"]);
    assert_eq!(codes(&format!("SPEC a{}", long(" U a", 50_000))), ["E0906"]);
    assert_eq!(
        codes(&format!("agent A repeat: {{x}} c? []{}", long("; {x} c? [] + {x} c? []", 20_000))),
        [""; 0]
    );
    assert_eq!(codes(&"(".repeat(100_000)).len(), 1);
}

#[test]
fn a_mistake_in_one_part_hides_none_in_the_next() {
    let text =
        "enum e {1}\nagent A local: x bool init: ) repeat: {x} c? [\nguard g( := 1\nsystem A(a)\nSPEC )";
    assert_eq!(codes(text).len(), 7, "{:#?}", parse(text, OURS).diagnostics);
}

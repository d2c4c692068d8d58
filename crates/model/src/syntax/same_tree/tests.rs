//! Tests of the comparison: it ignores places and nothing else.

use super::same_tree;
use crate::syntax::parse;

fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (parse(a), parse(b));
    assert!(a.diagnostics.is_empty() && b.diagnostics.is_empty());
    same_tree(&a.model, &b.model)
}

/// One text per kind of node, with two places where it may differ.
const TEXTS: [&str; 8] = [
    "component C { states @, b; init @; final *; @ -p-> b; a -@-> b; a -> @; }",
    "A(@, y) <- new @ . <p(@) @.q(y)> forbid @ <s(x)> (B[@](x), C[*](@));",
    "link f(@) = <@(x)> forbid <a(@)>;",
    "error e = !#@ >= 1 & @ | deadlock & #T.@ + #@.s < 3;",
    "error e = wsks { ex1 @: !(@ in T.@ & true) => all2 X: (@.s sub X | X = @ <=> x != @) };",
    "critical a, @.s, T.@;",
    "system @;",
    "@() <- A();",
];

#[test]
fn places_are_ignored() {
    for text in TEXTS {
        assert!(is_same(&text.replace('@', "x"), &text.replace('@', "x").replace(' ', "\n  ")));
    }
}

#[test]
fn every_name_counts() {
    for text in TEXTS {
        let plain = text.replace('@', "x");
        for (place, _) in text.match_indices('@') {
            let mut changed = plain.clone();
            changed.replace_range(place..=place, "z");
            assert!(!is_same(&plain, &changed), "{changed}");
        }
    }
}

#[test]
fn what_is_no_name_counts() {
    for (a, b) in [
        ("error e = #a >= 1;", "error e = #a > 1;"),
        ("error e = #a >= 1;", "error e = #a >= 2;"),
        ("error e = a & b;", "error e = a | b;"),
        ("error e = a & b & c;", "error e = (a & b) & c;"),
        ("error e = a;", "error e = deadlock;"),
        ("A() <- B[*](x);", "A() <- B(x);"),
        ("A() <- B();", "A() <- B() | B();"),
        ("component C { a -p-> b; }", "component C { a -> b; }"),
        ("component C { init a; }", "component C { final a; }"),
    ] {
        assert!(!is_same(a, b), "{a} {b}");
    }
}

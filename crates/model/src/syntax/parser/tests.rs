//! Tests of the parser: what is read, and what is still read beside an error.

use pretty_assertions::assert_eq;

use super::{parse, parse_error_definition};
use crate::syntax::ast::Item;
use crate::syntax::print;
use paramcheck_text::reading::MAX_DIAGNOSTICS;

/// The canonical text of a text without errors.
fn read(text: &str) -> String {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    print(&parsed.model)
}

/// The codes of what is wrong with a text.
fn codes(text: &str) -> Vec<&'static str> {
    parse(text).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// Checks that a text has errors with these codes and is read like another one.
#[track_caller]
fn repaired(text: &str, expected: &[&str], meant: &str) {
    assert_eq!(codes(text), expected, "{text}");
    assert_eq!(print(&parse(text).model), read(meant), "{text}");
}

#[test]
fn parts_of_a_body_may_be_left_out() {
    for text in ["A() <- B();", "A() <- (B());", "A() <- <> (B());", "A() <- (B(),);", "A() ← B();;"] {
        assert_eq!(read(text), "A() <- (B());\n");
    }
}

#[test]
fn binders_in_a_row_are_one_list() {
    let canonical = "A() <- new x, y, z . (B(x, y, z));\n";
    for text in
        ["ν x ν y, z .", "new x new y new z .", "new x . new y, z .", "ν x, y, ν z .", "new x, y, z, ."]
    {
        assert_eq!(read(&format!("A() <- {text} B(x, y, z);")), canonical, "{text}");
    }
}

#[test]
fn ports_may_be_joined_by_a_dot() {
    assert_eq!(read("A(x) <- ⟨out(x)·in(y)⟩ B(x);"), read("A(x) <- <out(x) in(y)> (B(x));"));
}

#[test]
fn alternatives_have_their_own_parts() {
    let text = "T(x) <- new y . <p(x, y)> (Node[a, b](x), T(y)) | forbid <a(x) + N.b(x)> forbid m <c(x)> \
                (Node[*](x));";
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty());
    let [Item::Rule(rule)] = parsed.model.items.as_slice() else { panic!("not one rule") };
    assert_eq!(rule.bodies.len(), 2);
    assert_eq!(rule.bodies[0].fresh.len(), 1);
    assert_eq!(rule.bodies[1].forbids.len(), 2);
    assert_eq!(
        &text[rule.bodies[0].span.start..rule.bodies[0].span.end],
        "new y . <p(x, y)> (Node[a, b](x), T(y))"
    );
    assert_eq!(&text[rule.span.start..rule.span.end], text.trim_end_matches(';'));
}

#[test]
fn negation_binds_tightest_then_and_then_or() {
    let explicit = read("error e = ((!(#a >= 1)) & deadlock) | (b & c);");
    assert_eq!(read("error e = !#a >= 1 & deadlock | b & c;"), explicit);
    assert_eq!(explicit, "error e = !#a >= 1 & deadlock | b & c;\n");
    assert_eq!(read("error e = (a | b) & !(c & d) | (e | f);"), "error e = (a | b) & !(c & d) | (e | f);\n");
}

#[test]
fn critical_is_the_name_of_an_error_in_formulas() {
    assert_eq!(read("error e = critical |\n critical;"), "error e = critical | critical;\n");
    assert_eq!(codes("error e = deadlock |\ncritical busy;\nerror f = deadlock;"), ["E0110"]);
}

#[test]
fn formulas_over_components_bind_as_they_should() {
    let same = |text: &str, expected: &str| {
        assert_eq!(
            read(&format!("error e = wsks {{ {text} }};")),
            format!("error e = wsks {{ {expected} }};\n")
        );
    };
    // Tight to loose: `!`, `&`, `|`, arrows, quantifiers.
    same("((!(a = b)) & (c = d)) | (e = f)", "!a = b & c = d | e = f");
    same("((a = b) & (c = d)) => ((a = b) | (c = d))", "a = b & c = d => a = b | c = d");
    same("a = b => (c = d => (e = f))", "a = b => c = d => e = f");
    same("(a = b => c = d) => e = f", "(a = b => c = d) => e = f");
    same("(a = b => c = d) <=> (e = f | a = b)", "(a = b => c = d) <=> e = f | a = b");
    // A quantifier goes on to the end, or to the next closing parenthesis.
    same("ex1 x: (x = y & (all2 X: (x in X | true)))", "ex1 x: x = y & all2 X: x in X | true");
    same("(ex1 x: x = y) & z = z", "(ex1 x: x = y) & z = z");
    same("!(ex1 x: x = y) | z = z", "!(ex1 x: x = y) | z = z");
    same("~ex1 x: x = y | z = z", "!ex1 x: x = y | z = z");
    same("(a = b & ex1 x: x = y) | z = z", "a = b & (ex1 x: x = y) | z = z");
    same("a = b => (ex1 x: c = d <=> e = f)", "a = b => ex1 x: c = d <=> e = f");
    same("(a = b | ex1 x: c = d) <=> e = f", "a = b | (ex1 x: c = d) <=> e = f");
    same("a ~= b & T.s sub X & x notin T.s", "a != b & T.s sub X & x notin T.s");
    // Words are words only where they can be.
    same("ex1 x: x in in & x in true & true", "ex1 x: x in in & x in true & true");
    // Operands of other errors.
    assert_eq!(
        read("error e = !wsks{true}&(#a >= 1|wsks { ex1 x: x in a });"),
        "error e = !wsks { true } & (#a >= 1 | wsks { ex1 x: x in a });\n"
    );
    let kept = "error e = wsks { // all\n    ex1 x: // one\n    x in a\n    // or\n    | x in b }; // done\n";
    assert_eq!(crate::syntax::format(kept).unwrap(), kept);
}

#[test]
fn an_error_in_a_formula_over_components_leaves_the_rest() {
    repaired("error e = wsks { ex1 x: & }; A() <- B();", &["E0110"], "error e = wsks { true }; A() <- B();");
    repaired("error e = wsks { ex1 x x in a } & b;", &["E0126"], "error e = wsks { ex1 x: x in a } & b;");
    repaired("error e = wsks { busy(x) } & b;", &["E0128"], "error e = wsks { true } & b;");
    repaired("error e = wsks { a = b; } ;", &["E0110"], "error e = wsks { a = b };");
    repaired("error e = wsks { a = b;\nA() <- B();", &["E0103"], "error e = wsks { a = b }; A() <- B();");
    repaired("error e = wsks { (a = b }; A() <- B();", &["E0112"], "error e = wsks { a = b }; A() <- B();");
    repaired("error e = wsks { a = b ) }; A() <- B();", &["E0113"], "error e = wsks { a = b }; A() <- B();");
    repaired("error e = wsks { a = b error f = c;", &["E0103"], "error e = wsks { a = b }; error f = c;");
    repaired("error e = wsks { a = b => c = d <=> e = f };", &["E0129"], "error e = wsks { true };");
    repaired(
        "error e = wsks { forall X, y: X sub y };",
        &["E0127"],
        "error e = wsks { all2 X, y: X sub y };",
    );
    repaired("error e = wsks { ex1 x y: x -> y == x };", &["E0114", "E0128"], "error e = wsks { true };");
    repaired("error e = wsks { ex1 x: x not in a };", &["E0128"], "error e = wsks { ex1 x: x notin a };");
    repaired(
        "error e = wsks { {a = b} & c = d }; A() <- B();",
        &["E0110"],
        "error e = wsks { true }; A() <- B();",
    );
    assert_eq!(codes("error e = wsks { ex1 in: in in a };"), ["E0106"]);
}

#[test]
fn an_error_in_one_item_leaves_the_others() {
    repaired("system P Q R; A() <- B();", &["E0111"], "A() <- B();");
    repaired("A() <- * B(); C() <- D();", &["E0110"], "C() <- D();");
    repaired("A( <- ) B() C() <- D();", &["E0110"], "C() <- D();");
    repaired("error e = (#a >= ; component C { }", &["E0110"], "component C { }");
    repaired("% ; A() <- B();", &["E0101"], "A() <- B();");
    repaired("A() <- B() error e = deadlock;", &["E0111"], "A() <- B(); error e = deadlock;");
    repaired("component C { a -> b }", &["E0111"], "component C { a -> b; }");
}

#[test]
fn an_error_in_one_statement_leaves_the_others() {
    repaired(
        "component C { states a, b; init ,; a -p-> ; b -q-> a; final *; }",
        &["E0110", "E0110"],
        "component C { states a, b; b -q-> a; final *; }",
    );
    repaired(
        "component C { states a; init a\n a -> a\n a -p-> a }",
        &["E0111"; 3],
        "component C { states a; init a; a -> a; a -p-> a; }",
    );
    repaired("component C { init a; A() <- B();", &["E0112"], "component C { init a; } A() <- B();");
    repaired(
        "component C { init a; error e = deadlock;",
        &["E0112"],
        "component C { init a; } error e = deadlock;",
    );
}

#[test]
fn slips_are_read_as_meant() {
    repaired("A(x) = B(x);", &["E0115"], "A(x) <- B(x);");
    repaired("A <- B();", &["E0110"], "A() <- B();");
    repaired("A() <- new x B(x);", &["E0116"], "A() <- new x . B(x);");
    repaired("A() <- new x, y <p(x)> B(x);", &["E0116"], "A() <- new x, y . <p(x)> B(x);");
    repaired("A() <- <p(x), q(y)> B(x);", &["E0121"], "A() <- <p(x) q(y)> B(x);");
    repaired("A() <- B(x), C(x), D(x);", &["E0119"], "A() <- (B(x), C(x), D(x));");
    repaired("A() <- (B(x) C(x));", &["E0114"], "A() <- (B(x), C(x));");
    repaired("A() <- <p(x q(y) (B(x);", &["E0112"; 3], "A() <- <p(x) q(y)> (B(x));");
    repaired("A() <- (B(x)) forbid <a(x)> <p(x)>;", &["E0120"; 2], "A() <- <p(x)> forbid <a(x)> (B(x));");
    repaired("A() <- B() || C();", &["E0123"], "A() <- B() | C();");
    repaired(
        "component C { a p-> b; a -p> b; a -p- > b; }",
        &["E0117"; 3],
        "component C { a -p-> b; a -p-> b; a -p-> b; }",
    );
}

#[test]
fn reserved_words_are_reported_and_taken_as_names() {
    let text =
        "component init { states new, a; new -error-> a; }\nA() <- <link(x)> forbid final <a(x)> B(x);";
    assert_eq!(codes(text), ["E0106"; 6]);
    assert!(print(&parse(text).model).contains("new -error-> a;"));
    // Not at the beginning of a line: there it more likely begins a statement.
    let shown = print(&parse("component C { states a,\ninit\n a;\n}").model);
    assert_eq!(shown, "component C {\n    states a;\n    init a;\n}\n");
}

#[test]
fn empty_bodies_are_reported() {
    for text in
        ["A() <- ;", "A() <- ();", "A() <- <p(x)>;", "A() <- new x . ;", "A() <- forbid <p(x)>", "A() <-"]
    {
        assert_eq!(codes(text)[0], "E0118", "{text}");
    }
    assert_eq!(codes("A() <- B() | ;"), ["E0118"]);
}

#[test]
fn bounds_are_64_bit_numbers() {
    assert_eq!(read("error e = #a < 18446744073709551615;"), "error e = #a < 18446744073709551615;\n");
    assert_eq!(codes("error e = #a < 18446744073709551616;"), ["E0105"]);
    assert_eq!(codes("error e = #a < -1;"), ["E0122"]);
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("error e = {}a{};", "(".repeat(depth), ")".repeat(depth));
    assert!(codes(&nested(200)).is_empty());
    assert_eq!(codes(&nested(201)), ["E0107"]);
    assert_eq!(codes(&format!("error e = {}a;", "!".repeat(100_000))), ["E0107"]);
    let alternating = |pairs: usize| format!("error e = {}a{};", "!(a & ".repeat(pairs), ")".repeat(pairs));
    assert_eq!(read(&alternating(100)).matches('!').count(), 100);
    assert_eq!(codes(&alternating(101)), ["E0107"]);
    // Negations beside one another do not add up.
    assert!(codes(&format!("error e = {}a;", "!(a) & ".repeat(1000))).is_empty());
    let (definition, diagnostics) = parse_error_definition(&format!("e = {}a", "!(".repeat(5000)));
    assert!(definition.is_none() && diagnostics.len() == 1);
}

#[test]
fn the_number_of_diagnostics_is_bounded() {
    let text = "A() = B();\n".repeat(500);
    let parsed = parse(&text);
    assert_eq!(parsed.model.items.len(), 500);
    assert_eq!(parsed.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(parsed.diagnostics.last().unwrap().code.id, "E0108");
    let fewer = parse(&"A() = B();\n".repeat(MAX_DIAGNOSTICS));
    assert!(fewer.diagnostics.iter().all(|diagnostic| diagnostic.code.id == "E0115"));
}

#[test]
fn diagnostics_are_in_source_order() {
    let parsed = parse("A() = B();\n$\nsystem P Q;\ncritical #a;\n/*");
    let starts: Vec<usize> = parsed.diagnostics.iter().map(|d| d.labels[0].span.start).collect();
    assert_eq!(starts.len(), 5);
    assert!(starts.is_sorted());
}

#[test]
fn comments_within_comments_are_one_mistake() {
    let rest = "component A { states x; init x; }\nS() <- new a . A(a);";
    for comment in [
        "/* a /* b */ c */",
        "/* /* */ */",
        "/*/**/*/",
        "/* a /* b\n /* c */ d */ e\n */",
        "/* /* */ // */\n */",
    ] {
        let found = parse(&format!("{comment} {rest}")).diagnostics;
        let [one] = found.as_slice() else { panic!("{comment}: {found:?}") };
        assert_eq!((one.code.id, one.message.as_str()), ("E0101", "comments do not nest"), "{comment}");
        let places: Vec<_> =
            one.labels.iter().map(|label| &comment[label.span.start..label.span.end]).collect();
        assert_eq!(places, ["*/", "/*"], "{comment}");
    }
    // Where each comment ends, a `/*` in one is no mistake.
    for comment in ["/* a /* b */", "/* /* */ /* /* */", "/* /* */ // */\n", "/*/ /* */"] {
        assert!(codes(&format!("{comment} {rest}")).is_empty(), "{comment}");
    }
    assert!(!codes(&format!("/* a */ b */ {rest}")).is_empty());
}

#[test]
fn what_can_not_be_asked_in_an_error_is_one_mistake() {
    let temporal = [
        "eventually #busy == 1",
        "#busy >= 1 & F (#idle >= 1)",
        "!finally busy",
        "AF #busy >= 1",
        "<> #busy >= 1",
        "always #busy <= 1",
        "[] #busy <= 1",
        "G !#busy >= 2",
        "never (#busy >= 2)",
    ];
    for formula in temporal {
        let found = parse(&format!("error e = {formula};")).diagnostics;
        let [one] = found.as_slice() else { panic!("{formula}: {found:?}") };
        assert!(one.message.contains("an error, which is about one marking"), "{one:?}");
        let pages = ["docs/modelling.md", "--ltl 'NAME = F …'` (docs/temporal.md)"];
        let help = one.help.as_deref().unwrap_or_default();
        assert!(pages.iter().any(|page| help.contains(page)), "{one:?}");
    }
    for formula in ["Node#1.busy", "Node#1", "#idle >= 1 & !Node#12.busy", "Node#1.busy & Node#2.busy"] {
        let found = parse(&format!("error e = {formula};")).diagnostics;
        let [one] = found.as_slice() else { panic!("{formula}: {found:?}") };
        assert!(one.message.contains("can't be named in an error"), "{one:?}");
    }
    // Errors may be called so.
    for formula in ["F & G", "always | !never", "eventually", "(next)"] {
        assert!(codes(&format!("error e = {formula};")).is_empty(), "{formula}");
    }
}

#[test]
fn comments_of_other_languages_are_met_with_ours() {
    let rest = "component A { states x; init x; }\nS() <- new a . A(a);";
    for mark in ["# ", "#", "-- ", "--", "\\* ", "% "] {
        let found = parse(&format!("{mark}one two (three\n{rest}")).diagnostics;
        let first = found.first().unwrap_or_else(|| panic!("{mark}"));
        assert!(
            first.help.as_ref().is_some_and(|help| help.contains("comments begin with `//`")),
            "{first:?}"
        );
        assert!(found.len() == 1 || !mark.starts_with(['#', '-']), "{found:?}");
    }
}

/// One mistake is one message, and what stands behind it is read.
#[test]
fn lists_of_states_in_other_notations_are_read() {
    let component = |states: &str, init: &str| {
        format!("component N {{ states {states}; init {init}; final a; a -p-> b; b -q-> a; }}\n")
    };
    let meant = component("a, b", "a");
    for states in ["= {a, b}", "{a, b}", "= a, b", ": a, b", "[a, b]", "= [a, b]", "(a, b)", ": { a, b }"] {
        repaired(&component(states, "a"), &["E0110"], &meant);
    }
    for init in ["= a", "{a}", "= {a}", ": a", "[a]", "(a)"] {
        repaired(&component("a, b", init), &["E0110"], &meant);
    }
    repaired(
        "component N { states {a, b} init a; }",
        &["E0110", "E0111"],
        "component N { states a, b; init a; }",
    );
    // The brace of the component is not taken for that of the list.
    repaired(
        "component N { states {a, b }\nA() <- N(x);",
        &["E0110", "E0111"],
        "component N { states a, b; }\nA() <- N(x);",
    );
}

/// Braces of other languages within a component do not end it.
#[test]
fn braces_within_a_component_are_skipped_as_a_whole() {
    for statement in ["{ a -p-> b; }", "a { go p; }", "init a { x; { y; } z }", "on p { a = b; };"] {
        let text = format!("component N {{ states a, b; {statement}\n a -p-> b; }}\nA() <- N(x);");
        let parsed = parse(&text);
        assert_eq!(parsed.diagnostics.len(), 1, "{text}: {:?}", parsed.diagnostics);
        assert!(print(&parsed.model).contains("a -p-> b;\n}\n\nA() <- (N(x));"), "{text}");
    }
}

/// The help of the only message about an error definition.
#[track_caller]
fn help(formula: &str) -> String {
    let parsed = parse(&format!("error e = {formula};\nerror f = deadlock;"));
    let [diagnostic] = parsed.diagnostics.as_slice() else { panic!("{formula}: {:?}", parsed.diagnostics) };
    assert!(print(&parsed.model).contains("error f"), "{formula}");
    format!("{} {}", diagnostic.code.id, diagnostic.help.clone().unwrap_or_default())
}

#[test]
fn errors_in_other_notations_are_met_with_the_count() {
    for (formula, code, count) in [
        ("exists x . busy(x)", "E0110", "`#busy >= 1`"),
        ("exists x : busy(x)", "E0110", "`#busy >= 1`"),
        ("some busy", "E0110", "`#busy >= 1`"),
        ("any busy", "E0110", "`#busy >= 1`"),
        ("two busy", "E0110", "`#busy >= 2`"),
        ("no busy", "E0110", "`#busy == 0`"),
        ("forall x . busy(x)", "E0110", "`#busy >= 1`"),
        ("all busy", "E0110", "`#busy >= 1`"),
        ("#idle >= 1 & all busy", "E0110", "`#busy >= 1`"),
        ("busy(x)", "E0110", "`#busy >= 1`"),
        ("(busy(x))", "E0110", "`#busy >= 1`"),
        ("count(busy) >= 2", "E0110", "`#busy >= 2`"),
        ("count(Node.busy) >= 2", "E0110", "`#Node.busy >= 2`"),
        ("Node.busy", "E0125", "`#Node.busy >= 1`"),
        ("Node.busy(x)", "E0125", "`#Node.busy >= 1`"),
        ("Node.busy & deadlock", "E0125", "`#Node.busy >= 1`"),
        ("Node#1.want", "E0110", "`#Node.want >= 1`"),
        ("Node[1].want", "E0110", "`#Node.want >= 1`"),
        ("#Node#1.want >= 1", "E0110", "`#Node.want >= 1`"),
        ("#Node[1] >= 1", "E0110", "`#Node.busy >= 1`"),
        ("#(busy) >= 2", "E0110", "`#busy`"),
        ("#{Node.busy} >= 2", "E0110", "`#Node.busy`"),
        ("#busy", "E0122", "`#busy >= 2`"),
        ("#busy > #idle", "E0122", "counts cannot be compared"),
    ] {
        let help = help(formula);
        assert!(help.starts_with(code) && help.contains(count), "{formula}: {help}");
    }
    // Words of other notations are names here.
    for text in ["error all = deadlock;", "error e = all & some;", "error e = no | (any);"] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
    for text in ["error e = all\nA() <- B();", "error e = any\nerror f = deadlock;"] {
        assert_eq!(codes(text), ["E0111"], "{text}");
    }
    assert_eq!(codes("error e = all and any;"), ["E0123"]);
    // A missing formula is no predicate.
    assert_eq!(codes("error e =\nA() <- B();").len(), 1);
}

//! Large and odd inputs: nothing overflows the stack or takes more than near-linear time.

use std::fmt::Write;

use super::{NODE, codes, load};
use crate::lower::lower;
use crate::syntax::ast::{self, ErrorExpression};
use paramcheck_text::reading::Ident;

const MANY: usize = 10_000;

#[test]
fn a_long_chain_of_predicates() {
    let mut text = format!("{NODE}Sys() <- new x, y . <out(x) in(y)> (Node[busy](y), P0(x, y));\n");
    for i in 0..MANY {
        let next = i + 1;
        writeln!(
            text,
            "P{i}(x, r) <- new y . <out(x) in(y) + out(y) in(r)> (Node(x), P{next}(y, r)) | Node(x);"
        )
        .unwrap();
    }
    writeln!(text, "P{MANY}(x, r) <- <out(x) in(r)> (Node(x));").unwrap();
    let loaded = load(&text);
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(loaded.system.unwrap().rules.len(), 2 * MANY + 2);
}

#[test]
fn many_mistakes() {
    let mut text = format!("{NODE}Sys() <- new x . <out(x) + in(x)> (Node(x));\n");
    for i in 0..MANY {
        writeln!(text, "Q{i}(x) <- new y . <outp{i}(x) in(y)> (Nodes{i}(x), Node(z), R{i}(x, y));").unwrap();
    }
    let loaded = load(&text);
    assert_eq!(loaded.system, None);
    // Port, two unknown atoms and an unbound variable each.
    assert_eq!(loaded.diagnostics.len(), 4 * MANY);
}

#[test]
fn a_long_cycle_without_end() {
    let mut text = format!("{NODE}Sys() <- P0();\n");
    for i in 0..MANY {
        writeln!(text, "P{i}() <- new x . <out(x)> (Node(x), P{}());", (i + 1) % MANY).unwrap();
    }
    assert_eq!(codes(&text), ["E0227"]);
}

#[test]
fn a_long_chain_without_end_has_one_fault() {
    let mut text = format!("{NODE}Sys() <- P0();\n");
    for i in 0..MANY {
        writeln!(text, "P{i}() <- (P{}());", (i + 1).min(MANY - 1)).unwrap();
    }
    assert_eq!(codes(&text), ["E0227"]);
}

#[test]
fn long_chains_and_cycles_of_links() {
    let mut text = format!("{NODE}Sys() <- new x . <l0(x) + in(x)> (Node(x));\n");
    for i in 0..MANY {
        writeln!(text, "link l{i}(x) = <l{}(x)>;", i + 1).unwrap();
    }
    assert_eq!(codes(&format!("{text}link l{MANY}(x) = <out(x)>;")), [""; 0]);
    assert_eq!(codes(&format!("{text}link l{MANY}(x) = <l5(x)>;")), ["E0221"]);
}

#[test]
fn links_that_grow_with_every_step() {
    // Every link stands for all its uses by the next with the variables permuted.
    let variables = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"].join(", ");
    let kinds: String = (0..11).fold(String::new(), |all, i| format!("{all} s -p{i}-> s;"));
    let distinct: String =
        (0..11).zip("abcdefghijk".chars()).map(|(i, name)| format!("p{i}({name}) ")).collect();
    let mut text = format!(
        "{NODE}component Many {{ states s; init s; {kinds} }}\nlink l0({variables}) = <{distinct}>;\n"
    );
    for i in 0..40 {
        let turned = "b, c, d, e, f, g, h, i, j, k, a";
        let swapped = "b, a, c, d, e, f, g, h, i, j, k";
        writeln!(
            text,
            "link l{}({variables}) = <l{i}({variables}) + l{i}({turned}) + l{i}({swapped})>;",
            i + 1
        )
        .unwrap();
    }
    let atoms = "abcdefghijk".chars().map(|name| format!("Many({name})")).collect::<Vec<_>>().join(", ");
    writeln!(text, "Sys() <- new {variables} . <l40({variables})> ({atoms});").unwrap();
    assert!(codes(&text).contains(&"E0229"));
}

#[test]
fn errors_that_grow_with_every_step() {
    let mut text = format!("{NODE}Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror e0 = deadlock;\n");
    for i in 0..100 {
        writeln!(text, "error e{} = e{i} | e{i};", i + 1).unwrap();
    }
    assert_eq!(codes(&text), ["E0229"]);
}

#[test]
fn errors_that_are_deep_by_their_names() {
    let mut text = format!("{NODE}Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror e0 = deadlock;\n");
    for i in 0..MANY {
        writeln!(text, "error e{} = !e{i};", i + 1).unwrap();
    }
    assert_eq!(codes(&text), ["E0229"]);
    let cycle = text.replace("error e0 = deadlock", &format!("error e0 = e{MANY}"));
    assert_eq!(codes(&cycle), ["E0222"]);
}

#[test]
fn a_deep_formula_from_elsewhere() {
    let mut expression = ErrorExpression::Deadlock(Default::default());
    for _ in 0..5_000 {
        expression = ErrorExpression::Not(Box::new(expression), Default::default());
    }
    let name = Ident { text: "deep".to_owned(), span: Default::default() };
    let definition = ast::ErrorDefinition { name, body: expression, span: Default::default() };
    let lowered = lower(&ast::Model { items: vec![ast::Item::Error(definition)] });
    let found: Vec<&str> = lowered.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(found, ["E0223", "E0229"]);
}

#[test]
fn formulas_over_components_have_limits() {
    let sys = "Sys() <- new x . <out(x) + in(x)> (Node(x));\n";
    let with = |formula: &str| codes(&format!("{NODE}{sys}error e = wsks {{ {formula} }};"));
    let names = |count: usize| (0..count).map(|i| format!("x{i}")).collect::<Vec<_>>();
    let used = |count: usize| {
        let equal: Vec<String> = names(count).iter().map(|name| format!("{name} = x0")).collect();
        format!("ex1 {}: {}", names(count).join(", "), equal.join(" & "))
    };
    assert_eq!(with(&used(64)), [] as [&str; 0]);
    assert_eq!(with(&used(65)), ["E0229"]);
    assert_eq!(with(&used(MANY)), ["E0229"]);
    let deep = format!("{}true{}", "true & (".repeat(99), ")".repeat(99));
    assert_eq!(with(&deep), [] as [&str; 0]);
    let (few, negations) = (used(30).replace(": ", ": !("), "!".repeat(180));
    assert_eq!(with(&format!("{negations}{few})")), ["E0229"]);
    assert_eq!(with(&"!".repeat(201)), ["E0107"]);
    // Wide ones have none.
    let wide = vec!["(ex1 x: x in busy)"; MANY].join(" & ");
    assert_eq!(with(&wide), [] as [&str; 0]);
    // Many states, each named.
    let states: Vec<String> = (0..MANY).map(|i| format!("s{i}")).collect();
    let all = states.iter().map(|state| format!("x in {state} | x in Many.{state}")).collect::<Vec<_>>();
    let text = format!(
        "component Many {{ states {}; init s0; s0 -go-> s1; }}\nSys() <- new x . <go(x)> Many(x);\n\
         error e = wsks {{ all1 x: x in Many & ({}) }};",
        states.join(", "),
        all.join(" | ")
    );
    assert_eq!(codes(&text), [] as [&str; 0]);
}

#[test]
fn one_rule_of_many_variables() {
    let mut names: Vec<String> = (0..MANY).map(|i| format!("x{i}")).collect();
    let atoms: Vec<String> = names.iter().map(|name| format!("Node({name})")).collect();
    let interactions: Vec<String> =
        names.windows(2).map(|pair| format!("out({}) in({})", pair[0], pair[1])).collect();
    let text = |names: &[String]| {
        format!(
            "{NODE}Sys() <- new {} . <{}> ({});",
            names.join(", "),
            interactions.join(" + "),
            atoms.join(", ")
        )
    };
    assert_eq!(codes(&text(&names)), [""; 0]);
    names.push("extra".to_owned());
    assert_eq!(codes(&text(&names)), ["E0215"]);
}

#[test]
fn many_types_of_many_variables_are_refused() {
    // 1,200 types at each of 1,200 predicates, and as often at their rules.
    let count = 1_200;
    let mut text = String::new();
    for i in 0..count {
        writeln!(text, "component C{i} {{ states s; init s; }}").unwrap();
    }
    writeln!(text, "Sys() <- new x . (P0(x));").unwrap();
    for i in 0..count {
        writeln!(text, "P{i}(x) <- P{}(x) | C{i}(x);", (i + 1) % count).unwrap();
    }
    assert_eq!(codes(&text), ["E0229"]);
}

#[test]
fn empty_parts_from_elsewhere() {
    let name = |text: &str| Ident { text: text.to_owned(), span: Default::default() };
    let body = ast::Body {
        fresh: vec![],
        interactions: vec![ast::Interaction { atoms: vec![], span: Default::default() }],
        forbids: vec![],
        atoms: vec![],
        span: Default::default(),
    };
    let rule =
        ast::Rule { head: name("S"), parameters: vec![], bodies: vec![body], span: Default::default() };
    let empty = ast::Rule { bodies: vec![], ..rule.clone() };
    let codes_of = |rule| {
        let lowered = lower(&ast::Model { items: vec![ast::Item::Rule(rule)] });
        lowered.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes_of(rule), ["E0118"]);
    assert_eq!(codes_of(empty), ["E0227"]);
}

/// An interaction with far too many combinations is refused, not expanded.
#[test]
fn interactions_that_explode_are_refused() {
    let model = |participants: usize| {
        let variables: Vec<String> = (0..participants).map(|i| format!("x{i}")).collect();
        let ports: Vec<String> = variables.iter().map(|x| format!("p({x})")).collect();
        let atoms: Vec<String> = variables.iter().map(|x| format!("A({x})")).collect();
        format!(
            "component A {{ states a, b, c; init a; a -p-> b; b -p-> c; c -p-> a; }}
             S() <- new {} . <{}> ({});",
            variables.join(", "),
            ports.join(" "),
            atoms.join(", ")
        )
    };
    assert!(codes(&model(8)).is_empty());
    assert_eq!(codes(&model(9)), ["E0229"]);
    assert_eq!(codes(&model(60)), ["E0229"]);
}

/// A rule that is left out keeps its number, so that labels are those of the source.
#[test]
fn labels_count_rules_that_are_left_out() {
    let text = "component A { states a; init a; a -p-> a; }
        S() <- new x . <p(x)> (T(x));
        T(x) <- A(x); T(x) <- A(x); T(x) <- new y . <p(x) p(y)> (A(x), A(y));";
    let system = crate::lower::load(text).system.unwrap();
    let labels: Vec<&str> = system.rules.iter().map(|rule| rule.label.as_str()).collect();
    assert_eq!(labels, ["S.1", "T.1", "T.3"]);
}

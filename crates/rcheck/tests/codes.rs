//! The codes of the diagnostics: each is given by its wrong example, and by it alone; the right one is right.

#![allow(clippy::unwrap_used, missing_docs)]

use paramcheck_rcheck::load;
use paramcheck_rcheck::parser::Options;
use paramcheck_text::diagnostic::codes::rcheck::{meaning, syntax};

fn codes(text: &str) -> Vec<&'static str> {
    let mut found: Vec<&str> =
        load(text, Options::default()).diagnostics.iter().map(|one| one.code.id).collect();
    found.dedup();
    found
}

/// The indented text behind a line.
fn example(explanation: &str, head: &str) -> String {
    let lines = explanation.lines().skip_while(|line| *line != head).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
    lines.map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect()
}

#[test]
fn every_code_is_given_by_its_wrong_example_and_not_by_its_right_one() {
    // These would need examples of many lines; there are tests of their own.
    let others = [syntax::TOO_MANY.id, meaning::TOO_LARGE.id];
    let all = syntax::ALL.iter().chain(meaning::ALL).filter(|code| !others.contains(&code.id));
    let mut wrong = Vec::new();
    let mut checked = 0;
    for code in all {
        let found = codes(&example(code.explanation, "Wrong:"));
        let right = codes(&example(code.explanation, "Right:"));
        if found != [code.id] || !right.is_empty() {
            wrong.push((code.id, found, right));
        }
        checked += 1;
    }
    assert_eq!(wrong, []);
    assert_eq!(checked, syntax::ALL.len() + meaning::ALL.len() - 2);
}

#[test]
fn after_many_errors_there_is_one_more() {
    let text = "agent\n".repeat(200);
    let found = load(&text, Options::default()).diagnostics;
    assert_eq!(found.len(), 51);
    assert_eq!(found[50].code.id, "E0907");
}

#[test]
fn what_becomes_too_large_is_refused() {
    let mut text = "message-structure: M : bool\nguard g0(b : bool) := b & b;\n".to_owned();
    for number in 1..40 {
        let before = number - 1;
        text += &format!("guard g{number}(b : bool) := g{before}(b) & g{before}(b);\n");
    }
    text += "agent A local: x : bool init: g39(x) repeat: ( {true} *! (true)()[] )\nsystem = A(one, true)\n";
    assert_eq!(codes(&text), ["E1020"]);
    // Quantifiers over many instances.
    let instances: Vec<String> = (0..300).map(|number| format!("A(a{number}, true)")).collect();
    let text = format!(
        "message-structure: M : bool\nagent A local: x : bool init: !x repeat: ( {{true}} *! (true)()[] )\n\
         system = {}\nSPEC forall k : A . exists l : A . forall m : A . F (k-x & l-x & m-x)",
        instances.join(" || ")
    );
    assert_eq!(codes(&text), ["E1020"]);
}

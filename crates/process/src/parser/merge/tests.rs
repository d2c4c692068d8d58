use crate::Language;
use crate::parser::parse;

/// The codes and the places of what is wrong with a text.
fn found(text: &str, language: Language) -> Vec<(&'static str, &str)> {
    let diagnostics = parse(text, language).diagnostics;
    let place = |one: &paramcheck_text::diagnostic::Diagnostic| {
        let span = one.labels.first().unwrap().span;
        (one.code.id, &text[span.start..span.end])
    };
    diagnostics.iter().map(place).collect()
}

#[test]
fn a_rewriting_system_is_met_with_one_message() {
    let text = "// A ring.\n  component Node { states a; init a; }\nRing() <- new x . (Node(x));\n";
    for language in [Language::Ccs, Language::Chor] {
        assert_eq!(found(text, language), [("E0317", "component Node { states a; init a; }")]);
    }
    // A process may be about one.
    assert_eq!(found("P = component.0; system P;", Language::Ccs), []);
}

#[test]
fn a_communication_in_another_notation_is_met_with_one_message() {
    let one = |text| found(text, Language::Chor);
    assert_eq!(one("S = p -> q : a; system S;"), [("E0317", "p -> q : a")]);
    assert_eq!(one("system p->q:a ;\n(b@r + q -> p : é);"), [("E0317", "p->q:a"), ("E0317", "q -> p : é")]);
    assert_eq!(one("system a@p; // p -> q : a\n"), []);
    // Other arrows stay what they are.
    assert_eq!(one("system a@p; check c = always did a -> did b;").first(), Some(&("E0316", "->")));
}

#[test]
fn a_process_with_a_small_letter_is_wrong_once() {
    assert_eq!(found("p = a.0; system p;", Language::Ccs), [("E0315", "p")]);
    assert_eq!(found("p = a.p; q = b.0; system p | q;", Language::Ccs), [("E0315", "p"), ("E0315", "q")]);
    // An action without a continuation is another mistake.
    assert_eq!(found("p = a.0; system p | b;", Language::Ccs), [("E0315", "p"), ("E0313", "b")]);
}

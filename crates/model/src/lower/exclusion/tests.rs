use crate::lower::load;

/// The texts that the warning W0214 about the error points at; empty where there is none.
fn excluded(formula: &str) -> Vec<String> {
    let text = format!(
        "component Node {{ states a, b, c; init a; a -go-> b; b -go-> c; c -go-> a; }}
         Sys() <- new x, y . <go(x) go(y)> (Node(x), Node(y));
         error other = #a >= 1;
         error e = {formula};"
    );
    let lowered = load(&text);
    assert!(lowered.system.is_some(), "{formula}: {:?}", lowered.diagnostics);
    let found: Vec<_> = lowered.diagnostics.iter().filter(|one| one.code.id == "W0214").collect();
    assert!(found.len() <= 1, "{formula}: {found:?}");
    let labels = found.into_iter().flat_map(|one| &one.labels);
    labels.map(|label| text[label.span.start..label.span.end].to_owned()).collect()
}

#[test]
fn comparisons_that_exclude_each_other_are_named() {
    let cases: [(&str, &[&str]); 12] = [
        ("#a >= 1 & #a == 0", &["#a >= 1", "#a == 0"]),
        ("#a > 2 & #b >= 1 & #a < 3", &["#a > 2", "#a < 3"]),
        ("#a == 1 & #a == 2", &["#a == 1", "#a == 2"]),
        ("#a == 1 & #a != 1", &["#a == 1", "#a != 1"]),
        ("#a <= 1 & !#a <= 1", &["#a <= 1", "#a <= 1"]),
        ("other & #a < 1", &["other", "#a < 1"]),
        ("#b == 0 & (#c >= 1 & #b >= 1)", &["#b == 0", "#c >= 1"]),
        ("#a == 0 & !(#b >= 1 | #a == 0)", &["#a == 0", "#b >= 1 | #a == 0"]),
        // What counts more is at least as much.
        ("#a + #b == 0 & #b >= 1", &["#a + #b == 0", "#b >= 1"]),
        ("#b >= 2 & #a + #b <= 1", &["#b >= 2", "#a + #b <= 1"]),
        ("#a + #a <= 1 & #a >= 2", &["#a + #a <= 1", "#a >= 2"]),
        // None of two excludes the other, all together do.
        ("#a >= 1 & #a <= 2 & #a != 1 & #a != 2", &["#a >= 1", "#a <= 2", "#a != 1", "#a != 2"]),
    ];
    for (formula, places) in cases {
        let found = excluded(formula);
        assert_eq!(found.len(), places.len(), "{formula}: {found:?}");
        // A negation is shown with or without its sign.
        assert!(found.iter().zip(places).all(|(found, place)| found.contains(place)), "{formula}: {found:?}");
    }
}

#[test]
fn what_some_marking_satisfies_is_not_warned_about() {
    let cases = [
        "#a >= 1 & #b == 0",
        "#a >= 1 & #a <= 1",
        "#a >= 1 | #a == 0",
        "#a != 1 & #a != 2",
        "(#a >= 1 | #b >= 1) & #a == 0",
        "#a + #b >= 1 & #a == 0",
        "#a + #b == 2 & #b + #c == 0",
        "#a >= 2 & #a + #b == 2",
        "deadlock & !deadlock",
        "#a >= 1",
    ];
    for formula in cases {
        assert_eq!(excluded(formula), [""; 0], "{formula}");
    }
}

//! Tests of the parser.
use super::parse;

#[test]
fn reads_all_cases() {
    for folder in ["table1", "more", "classic", "bad"] {
        for entry in std::fs::read_dir(format!("tests/cases/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                let parsed = parse(&std::fs::read_to_string(&path).unwrap());
                assert!(parsed.diagnostics.is_empty(), "{path:?}: {:#?}", parsed.diagnostics);
                assert!(parsed.model.items.len() >= 2);
            }
        }
    }
}
#[test]
fn profile() {
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
    for pattern in patterns {
        let text = pattern.repeat(200_000 / pattern.len());
        let t0 = std::time::Instant::now();
        crate::syntax::lexer::lex(&text);
        let t1 = std::time::Instant::now();
        let parsed = parse(&text);
        let t2 = std::time::Instant::now();
        crate::syntax::print(&parsed.model);
        let t3 = std::time::Instant::now();
        println!("{pattern:30} lex {:?} parse {:?} print {:?}", t1 - t0, t2 - t1, t3 - t2);
    }
}

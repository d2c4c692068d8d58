//! Tests of the printer: where lines end, and where comments go.

use pretty_assertions::assert_eq;

use super::format;

#[track_caller]
fn formats_to(text: &str, expected: &str) {
    assert_eq!(format(text).unwrap(), expected);
    assert_eq!(format(expected).unwrap(), expected, "not stable");
}

#[test]
fn an_empty_text_stays_empty() {
    formats_to("", "");
    formats_to(" \n\n", "");
    formats_to("// only\n\n\n\n/* comments */", "// only\n\n/* comments */\n");
}

#[test]
fn a_text_with_errors_is_not_formatted() {
    assert_eq!(format("A() = B();").unwrap_err().len(), 1);
}

#[test]
fn spelling_becomes_canonical() {
    formats_to(
        "\u{feff}A ( x )←ν y ν z.⟨ p( x )·q(y) +r(z)⟩ forbid m⟨ ⟩ ( (B[ * ](x) );\r\n"
            .replace("( (B", "(B")
            .as_str(),
        "A(x) <- new y, z . <p(x) q(y) + r(z)> forbid m <> (B[*](x));\n",
    );
    formats_to("critical a,N.b , ;error e=!(#a+#N.b>=2);", "critical a, N.b;\nerror e = !#a + #N.b >= 2;\n");
    formats_to("link f ( x ) = < > ;link g()=forbid<a(x)>;", "link f(x) = <>;\nlink g() = forbid <a(x)>;\n");
}

#[test]
fn groups_are_set_apart_and_single_blank_lines_stay() {
    formats_to(
        "component A{}component B{states s;\n\n\n\nfinal *;}A()<-B();\nB()<-C();\n\n\nC()<-D();system A;",
        "component A {\n}\n\ncomponent B {\n    states s;\n\n    final *;\n}\n\n\
         A() <- (B());\nB() <- (C());\n\nC() <- (D());\n\nsystem A;\n",
    );
}

#[test]
fn comments_stay_with_their_lines() {
    formats_to(
        "// file\n\n// A\ncomponent A { // open\n  // s\n  states s; // after s\n\n  /* t */ // u\n  init s;\n  // last\n} // closed\n\
         // rule\nA() <- B(); /* one */ /* two */ // three\n// end\n",
        "// file\n\n// A\ncomponent A { // open\n    // s\n    states s; // after s\n\n    /* t */ // u\n    init s;\n    // last\n} // closed\n\
         \n// rule\nA() <- (B()); /* one */ /* two */ // three\n// end\n",
    );
}

#[test]
fn comments_break_the_construct_they_stand_in() {
    formats_to(
        "A(x) <- // head\n new y . <p(x) // pass\n + q(y)\n // next\n + r(x)> // here\n (B(x), // b\n C(y)) // c\n;",
        "A(x) <- new y . // head\n    <p(x) // pass\n      + q(y)\n      // next\n      + r(x)> // here\n    \
         (B(x), // b\n      C(y)); // c\n",
    );
    formats_to(
        "component A { states idle, // rests\n busy; // works\n }",
        "component A {\n    states idle, // rests\n        busy; // works\n}\n",
    );
    formats_to(
        "error e = // both\n #a >= 2 /* many */ & deadlock;",
        "error e = // both\n    #a >= 2 /* many */\n    & deadlock;\n",
    );
}

#[test]
fn comments_in_small_constructs_move_behind_them() {
    formats_to("system /* which? */ P /* that */ ;", "system P; /* which? */ /* that */\n");
    formats_to("component A { a -/* port */p-> b; }", "component A {\n    a -p-> b; /* port */\n}\n");
}

#[test]
fn comments_of_several_lines_stay_as_they_are() {
    formats_to("/* a\n   b */\nsystem P; /* c\nd */ // e", "/* a\n   b */\nsystem P; /* c\nd */ // e\n");
}

#[test]
fn long_rules_are_broken_before_their_parts() {
    let interaction = "a_rather_long_port(x) another_long_port(y)";
    formats_to(
        &format!(
            "Chain(x) <- new y . <{0} + {0} + {0}> forbid <s(x) s(y)> (Node(x), Chain(y)) | Node(x);",
            interaction
        ),
        &format!(
            "Chain(x) <-\n    new y .\n    <{0} + {0}\n      + {0}>\n    forbid <s(x) s(y)>\n    \
             (Node(x), Chain(y))\n  | (Node(x));\n",
            interaction
        ),
    );
}

#[test]
fn long_lists_are_filled() {
    let names: Vec<String> = (0..30).map(|number| format!("state{number}")).collect();
    let formatted = format(&format!("component A {{ states {}; }}", names.join(","))).unwrap();
    assert!(formatted.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(formatted.lines().count(), 5, "{formatted}");
    let sum = names.join(" + #");
    let formatted = format(&format!("error e = deadlock & #{sum} >= 2 | a;")).unwrap();
    assert!(formatted.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(formatted.lines().count(), 4, "{formatted}");
}

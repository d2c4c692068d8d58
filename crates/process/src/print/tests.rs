//! Tests of the printer and of the formatter.

use pretty_assertions::assert_eq;

use crate::Language::Ccs;
use crate::format::format;

#[test]
fn comments_are_kept() {
    let text = "\n// head\n\n\n// two\nP   = a.0; // behind\n/* before */ Q = /* inside */ b.0\n; /* one */ /* two */\n\nsystem P|Q;\n// end";
    let right = "// head\n\n// two\nP = a.0; // behind\n/* before */\n/* inside */\nQ = b.0; /* one */ /* two */\n\nsystem P | Q;\n// end\n";
    assert_eq!(format(text, Ccs).unwrap(), right);
    assert_eq!(format(right, Ccs).unwrap(), right);
}

#[test]
fn long_lines_are_broken_before_operators() {
    let text = format!("system {}a.0;", "first.second.0 + third.fourth.0; ".repeat(5));
    let formatted = format(&text, Ccs).unwrap();
    assert!(formatted.lines().count() > 1 && formatted.lines().all(|line| line.len() <= 100), "{formatted}");
    assert_eq!(format(&formatted, Ccs).unwrap(), formatted);
}

#[test]
fn a_text_that_cannot_be_read_is_left_alone() {
    assert!(format("system a;", Ccs).is_err());
    assert_eq!(format("", Ccs).unwrap(), "");
    assert_eq!(format("// only this", Ccs).unwrap(), "// only this\n");
}

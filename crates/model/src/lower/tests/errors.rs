//! Errors: what they mean, and how they are printed.

use pretty_assertions::assert_eq;

use super::{NODE, codes, load, system};
use crate::error::print::print_formula;
use crate::error::{Count, ErrorFormula, NamedError};
use crate::lower::lower_error;
use crate::syntax::ast::Comparison;
use crate::syntax::parser::parse_error_definition;
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;

const SYSTEM: &str =
    "component Holder { states idle, hbusy; init hbusy; hbusy -out-> idle; idle -in-> hbusy; }
Sys() <- new x, y . <out(x) in(y) + out(y) in(x)> forbid near <busy(x) hbusy(y)> (Node(x), Holder(y));\n";

/// The errors of a text behind `SYSTEM`, printed.
fn errors(text: &str) -> Vec<String> {
    let system = system(&format!("{NODE}{SYSTEM}{text}"));
    system
        .errors
        .iter()
        .map(|error| format!("{} = {}", error.name, print_formula(&system, &error.formula)))
        .collect()
}

#[test]
fn names_are_replaced_in_any_order_and_errors_come_in_source_order() {
    assert_eq!(
        errors(
            "error last = first & !near | deadlock;
             critical hbusy;
             error first = #busy == 1 | critical;
             critical Node.busy, hbusy;"
        ),
        [
            "near = pattern near",
            "last = (#Node.busy == 1 | #Node.busy + #Holder.hbusy >= 2) & !(pattern near) | deadlock",
            "critical = #Node.busy + #Holder.hbusy >= 2",
            "first = #Node.busy == 1 | #Node.busy + #Holder.hbusy >= 2",
        ]
    );
}

#[test]
fn a_state_without_type_is_that_of_every_type_and_sums_add() {
    assert_eq!(
        errors("error e = #idle + #Holder.idle + #busy + #busy + #busy < 7;")[1],
        "e = #Node.idle + #Node.busy + #Node.busy + #Node.busy + #Holder.idle + #Holder.idle < 7"
    );
}

#[test]
fn critical_counts_a_state_once_however_often_it_is_named() {
    assert_eq!(
        errors("critical idle, Node.idle; critical idle;")[1],
        "critical = #Node.idle + #Holder.idle >= 2"
    );
}

#[test]
fn parentheses_are_printed_where_they_matter() {
    let system = system(&format!("{NODE}{SYSTEM}"));
    let all = |parts| ErrorFormula::And(parts);
    let any = |parts| ErrorFormula::Or(parts);
    let dead = || ErrorFormula::Deadlock;
    let printed = |formula: ErrorFormula| print_formula(&system, &formula);
    assert_eq!(printed(all(vec![])), "true");
    assert_eq!(printed(any(vec![])), "false");
    assert_eq!(printed(all(vec![any(vec![]), all(vec![dead()])])), "false & deadlock");
    assert_eq!(
        printed(any(vec![all(vec![dead(), dead()]), any(vec![dead(), dead()])])),
        "deadlock & deadlock | (deadlock | deadlock)"
    );
    assert_eq!(
        printed(all(vec![dead(), all(vec![dead(), any(vec![dead(), dead()])])])),
        "deadlock & (deadlock & (deadlock | deadlock))"
    );
    assert_eq!(
        printed(all(vec![any(vec![all(vec![dead(), dead()])]), dead()])),
        "(deadlock & deadlock) & deadlock"
    );
    assert_eq!(printed(ErrorFormula::Not(Box::new(any(vec![dead(), dead()])))), "!(deadlock | deadlock)");
    let none = Count { weights: vec![], comparison: Comparison::AtLeast, bound: 1 };
    assert_eq!(printed(ErrorFormula::Count(none)), "0 >= 1");
}

fn lower_given(system: &System, text: &str) -> Result<NamedError, Vec<Diagnostic>> {
    let (definition, diagnostics) = parse_error_definition(text);
    assert_eq!(diagnostics, []);
    lower_error(system, &definition.unwrap()).map(|(error, _)| error)
}

#[test]
fn an_error_given_beside_the_text_may_name_those_in_it() {
    let system = system(&format!("{NODE}{SYSTEM}critical busy, hbusy;\nerror both = critical & near;"));
    let error = lower_given(&system, "extra = both | !deadlock & #Node.idle + #busy <= 1").unwrap();
    assert_eq!(error.name, "extra");
    assert_eq!(
        print_formula(&system, &error.formula),
        "#Node.busy + #Holder.hbusy >= 2 & pattern near | !(deadlock) & #Node.idle + #Node.busy <= 1"
    );
    let refused = |text| {
        let found = lower_given(&system, text).unwrap_err();
        found.iter().map(|diagnostic| diagnostic.code.id).collect::<Vec<_>>()
    };
    assert_eq!(refused("both = deadlock"), ["E0201"]);
    assert_eq!(refused("deadlock = deadlock"), ["E0206"]);
    assert_eq!(refused("forbidden = deadlock"), ["E0206"]);
    assert_eq!(refused("extra = extra"), ["E0205"]);
    assert_eq!(
        refused("extra = nea | #bussy == 1 | #Nod.busy == 1 | #Node.hbusy == 1"),
        ["E0205", "E0204", "E0202", "E0204"]
    );
    // A warning does not refuse it.
    assert!(lower_given(&system, "extra = #busy >= 0").is_ok());
}

#[test]
fn a_broken_definition_is_reported_once_however_often_it_is_named() {
    let text = format!("{NODE}{SYSTEM}error a = #bussy >= 1;\nerror b = a | a;\nerror c = b & a;");
    assert_eq!(codes(&text), ["E0204"]);
    assert_eq!(load(&text).system, None);
}

#[test]
fn comparisons_that_never_change() {
    let warned = |comparison: &str| {
        let text = format!("{NODE}{SYSTEM}error e = {comparison};");
        assert!(load(&text).system.is_some());
        codes(&text) == ["W0210"]
    };
    for constant in ["#busy >= 0", "#busy < 0", "#busy + #busy == 1", "#busy + #busy != 3"] {
        assert!(warned(constant), "{constant}");
    }
    for changing in
        ["#busy > 0", "#busy <= 0", "#busy == 0", "#busy != 0", "#busy + #busy == 2", "#busy + #busy >= 1"]
    {
        assert!(!warned(changing), "{changing}");
    }
}

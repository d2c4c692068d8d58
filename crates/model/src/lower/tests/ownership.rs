//! Who creates what.

use super::{NODE, codes, system};
use crate::rule::Ownership::{self, Borrowed, Owned};
use crate::system::System;

const ROOT: &str = "component Root { states have, gone; init have; have -give-> gone; gone -take-> have; }\n";

fn ownership(system: &System, predicate: &str) -> Vec<Ownership> {
    let found = system.predicates.iter().find(|found| found.name == predicate).unwrap();
    found.parameters.iter().map(|parameter| parameter.ownership).collect()
}

#[test]
fn a_root_known_to_every_node_of_a_tree_is_borrowed() {
    let system = system(&format!(
        "{ROOT}{NODE}Main() <- new r, x . <give(r) in(x)> (Root(r), Tree(x, r));
         Tree(x, r) <- new y, z . <out(x) in(y) + out(x) in(z) + out(x) take(r)> (Node(x), Tree(y, r), Tree(z, r));
         Tree(x, r) <- <out(x) take(r)> (Node(x));"
    ));
    assert_eq!(ownership(&system, "Tree"), [Owned, Borrowed]);
}

#[test]
fn a_centre_handed_down_a_list_is_owned() {
    let system = system(&format!(
        "{ROOT}{NODE}Star() <- new m . (List(m));
         List(m) <- new s . <give(m) in(s) + take(m) out(s)> (Node(s), List(m));
         List(m) <- new s . <give(m) in(s) + take(m) out(s)> (Node(s), Root(m));"
    ));
    assert_eq!(ownership(&system, "List"), [Owned]);
}

#[test]
fn owned_and_borrowed_pass_through_other_predicates() {
    let system = system(&format!(
        "{ROOT}{NODE}Main() <- new a, b . <give(a) in(b)> (Outer(a, b), Root(a));
         Outer(a, b) <- Inner(b, a);
         Inner(b, a) <- <out(b) take(a)> (Made(b));
         Made(b) <- Node(b);"
    ));
    assert_eq!(ownership(&system, "Outer"), [Borrowed, Owned]);
    assert_eq!(ownership(&system, "Inner"), [Owned, Borrowed]);
}

#[test]
fn recursion_alone_creates_nothing() {
    // The first rule of Loop passes x on to itself; only the second decides.
    let system = system(&format!(
        "{NODE}Main() <- new x . <out(x) + in(x)> (Loop(x));
         Loop(x) <- Loop(x);
         Loop(x) <- Node(x);"
    ));
    assert_eq!(ownership(&system, "Loop"), [Owned]);
}

#[test]
fn mixed_ownership_is_an_error_also_through_recursion() {
    let text = format!(
        "{NODE}Main() <- new x . <out(x) + in(x)> (Loop(x));
         Loop(x) <- new y . <out(x) in(y)> (Node(y), Loop(x)) | new y . <in(x) out(y)> (Node(y)) | Node(x);"
    );
    assert_eq!(codes(&text), ["E0217"]);
}

#[test]
fn a_mistake_elsewhere_is_not_taken_for_a_missing_owner() {
    // Whether x is created is unknown while Typo is; so is what Sub does.
    let typo =
        format!("{NODE}Main() <- new x . <out(x)> (Sub(x));\nSub(x) <- Other(x);\nOther(x) <- Typo(x);");
    assert_eq!(codes(&typo), ["E0202"]);
    let endless = format!("{NODE}Main() <- new x . <out(x)> (Sub(x));\nSub(x) <- Sub(x);");
    assert_eq!(codes(&endless), ["E0227"]);
    let arity = format!("{NODE}Main() <- new x . <out(x)> (Sub(x));\nSub(x, y) <- (Node(x), Node(y));");
    assert_eq!(codes(&arity), ["E0211"]);
}

#[test]
fn created_once_by_an_atom_and_once_below_is_twice() {
    let text = format!("{NODE}Main() <- new x . <out(x)> (Node(x), Sub(x));\nSub(x) <- Sub(x) | Node(x);");
    assert_eq!(codes(&text), ["E0216"]);
    let thrice = format!("{NODE}Main() <- new x . <out(x)> (Node(x), Node(x), Node(x));");
    assert_eq!(codes(&thrice), ["E0216", "E0216"]);
}

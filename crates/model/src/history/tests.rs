use super::*;
use crate::error::print::print_formula;
use crate::lower::load;
use paramcheck_text::index::Idx;

const FIFO: &str = "component Cell { states empty, item, eof; init empty; final empty;
         empty -putitem-> item; empty -puteof-> eof; item -getitem-> empty; eof -geteof-> empty; }
     component End { states want, done; init want; want -getitem-> want; want -geteof-> done;
         want -putitem-> want; want -puteof-> want; }
     S() <- new p, c . <putitem(c) putitem(p) + puteof(c) puteof(p)> (End(p), Cells(c));
     Cells(c) <- new d . <getitem(c) putitem(d) + geteof(c) puteof(d)> (Cell(c), Cells(d))
               | new k . <getitem(c) getitem(k) + geteof(c) geteof(k)> (Cell(c), End(k));
     error late = #done >= 1 & #item >= 1;";

/// The types after `history` of the state of `Cell` that is called `state`.
fn cell(history: impl Fn(StateId) -> History, state: &str) -> Option<WithHistory> {
    let system = load(FIFO).system.unwrap();
    let error = system.error_named("late").unwrap();
    let cell = TypeId::new(system.types.iter().position(|one| one.name == "Cell").unwrap());
    let state = system.types[cell].state_named(state).unwrap();
    with_history(&system, &error, cell, history(state))
}

fn names(found: &WithHistory) -> Vec<&str> {
    found.system.types.iter().next().unwrap().states.iter().map(|state| state.name.as_str()).collect()
}

#[test]
fn a_visit_is_remembered_for_ever() {
    let found = cell(History::Visited, "eof").unwrap();
    assert_eq!(names(&found), ["empty", "item", "eof", "empty_after_eof", "item_after_eof"]);
    assert_eq!(
        print_formula(&found.system, &found.error.formula),
        "#End.done >= 1 & #Cell.item + #Cell.item_after_eof >= 1"
    );
    let cell = found.system.types.iter().next().unwrap();
    assert_eq!(cell.initial.len(), 1);
    assert_eq!(cell.transitions.len(), 7);
}

#[test]
fn where_a_component_came_from_is_forgotten_with_the_state() {
    let found = cell(History::CameBy, "empty").unwrap();
    assert_eq!(names(&found), ["empty", "item", "eof", "empty_from_item", "empty_from_eof"]);
    assert_eq!(found.system.types.iter().next().unwrap().transitions.len(), 8);
}

#[test]
fn what_tells_nothing_apart_is_no_memory() {
    // It starts there, and comes to `item` in one way.
    assert!(cell(History::Visited, "empty").is_none());
    assert!(cell(History::CameBy, "item").is_none());
}

/// Two ways from one state, and a state of the model that is called as a copy would be.
#[test]
fn copies_have_names_of_their_own() {
    let text =
        "component C { states a, b, b_from_a; init a; a -p-> b; a -q-> b; b -> b_from_a; b_from_a -> a; }
        S() <- new c, d . <p(c) q(d)> (C(c), C(d));
        error two = #b >= 2;";
    let system = load(text).system.unwrap();
    let error = system.error_named("two").unwrap();
    let component = system.types.indices().next().unwrap();
    let history = History::CameBy(system.types[component].state_named("b").unwrap());
    let found = with_history(&system, &error, component, history).unwrap();
    assert_eq!(names(&found), ["a", "b_from_a_2", "b_from_a_3", "b_from_a"]);
}

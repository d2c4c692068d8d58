//! How much work preparing is, and that it ends with the budget. What is prepared is held against the
//! definition by `tests/suite/processes/triples.rs`.

use std::time::Duration;

use super::*;
use crate::process::encode;
use crate::question::Condition;
use paramcheck_process::Language::Ccs;

fn structure(text: &str) -> Structure {
    let system = paramcheck_process::load(text, Ccs).system.unwrap();
    encode(&system, &Budget::unlimited()).unwrap()
}

/// How often links are looked at for all steps of a structure.
fn looks(structure: &Structure) -> usize {
    let mut count = 0;
    let mut linked = Linked::new(structure, structure.silent().map(|(_, triple)| triple).collect());
    for (_, triple) in structure.steps() {
        let found = linked.enabled_by(triple, &mut || {
            count += 1;
            Ok(())
        });
        let all = structure.silent().map(|(_, triple)| triple).enumerate();
        let direct = all.filter(|(_, other)| triple.may_enable(structure, other));
        let found = found.unwrap();
        assert!(direct.into_iter().all(|(position, _)| found.contains(&position)));
    }
    count
}

/// Each of n alternatives leads back to where all n are offered.
#[test]
fn alternatives_are_not_looked_at_for_each_other() {
    let sum = |count: usize| {
        let parts: Vec<String> = (0..count).map(|number| format!("a{number}.P")).collect();
        structure(&format!("P = {};\nsystem P;", parts.join(" + ")))
    };
    assert_eq!(looks(&sum(50)), 0);
    let joins = |count: usize| structure(&format!("system {}c.0;", "(a.0 | b.0); ".repeat(count)));
    let [few, many] = [20, 40].map(|count| looks(&joins(count)));
    assert!(few > 0 && many <= 2 * few + 2, "{few} {many}");
}

#[test]
fn preparing_ends_with_the_budget() {
    let structure = structure("P = a.b.P;\nsystem P | P;");
    let none = Budget::for_duration(Duration::ZERO);
    assert_eq!(Packed::new(&structure, &none).map(|_| ()), Err(Stop::Time));
    let condition = Condition::Can(vec![LabelId::new(1)]);
    let packed = Packed::new(&structure, &Budget::unlimited()).unwrap().unwrap();
    assert!(Violation::new(&packed, &condition, &none).is_err_and(|stop| stop == Stop::Time));
    assert!(Violation::new(&packed, &condition, &Budget::unlimited()).unwrap().is_some());
}

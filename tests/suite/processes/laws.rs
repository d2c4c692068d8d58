//! Laws of processes that hold up to strong bisimilarity, on random processes; printing and reading; and a
//! partition refinement that is too simple to be wrong.

use std::collections::BTreeMap;

use paramcheck_process::Language::{Ccs, Chor};
use paramcheck_process::format::format;
use paramcheck_process::print::print;
use paramcheck_process::semantics::bisimulation::{are_bisimilar, classes, quotient};
use paramcheck_process::semantics::explore::explore;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::{Language, load, parser};
use paramcheck_text::limits::Budget;

use super::random::Generator;

/// The system of a text that has a meaning.
#[track_caller]
fn lts(text: &str, language: Language) -> Lts {
    let loaded = load(text, language);
    let Some(system) = loaded.system else { panic!("{text}: {:#?}", loaded.diagnostics) };
    let lts = explore(&system, 20_000, &Budget::unlimited()).lts;
    assert_eq!(lts.incomplete, None, "{text}");
    lts
}

#[track_caller]
fn same(one: &str, other: &str) {
    let (one_lts, other_lts) = (lts(&format!("system {one};"), Ccs), lts(&format!("system {other};"), Ccs));
    let same = are_bisimilar(&one_lts, &other_lts, &Budget::unlimited()).unwrap();
    assert!(same, "not bisimilar:\n{one}\n{other}");
}

#[track_caller]
fn different(one: &str, other: &str) {
    let (one_lts, other_lts) = (lts(&format!("system {one};"), Ccs), lts(&format!("system {other};"), Ccs));
    let same = are_bisimilar(&one_lts, &other_lts, &Budget::unlimited()).unwrap();
    assert!(!same, "bisimilar:\n{one}\n{other}");
}

#[test]
fn laws_of_processes_hold() {
    for seed in 0..60 {
        let mut random = Generator::new(seed);
        let [p, q, r] = [2, 2, 1].map(|depth| format!("({})", random.process(depth, false, false)));
        same(&format!("{p} + {p}"), &p);
        same(&format!("{p} + {q}"), &format!("{q} + {p}"));
        same(&format!("({p} + {q}) + {r}"), &format!("{p} + ({q} + {r})"));
        same(&format!("{p} + 0"), &p);
        same(&format!("{p} | {q}"), &format!("{q} | {p}"));
        same(&format!("({p} | {q}) | {r}"), &format!("{p} | {q} | {r}"));
        same(&format!("{p} | ({q} | {r})"), &format!("{p} | {q} | {r}"));
        same(&format!("{p} | 0"), &p);
        same(&format!("{p} ^ 2"), &format!("{p} | {p}"));
        same(&format!("({p}; {q}); {r}"), &format!("{p}; ({q}; {r})"));
        same(&format!("0; {p}"), &p);
        same(&format!("{p}; 0"), &p);
        same(&format!("(a.{p} + b.{q}); {r}"), &format!("a.{p}; {r} + b.{q}; {r}"));
        same(&format!("{p} |[a, 'b]| {q}"), &format!("{q} |[a, 'b]| {p}"));
        same(&format!("({p} |[a]| {q}) |[a]| {r}"), &format!("{p} |[a]| {q} |[a]| {r}"));
        same(&format!("{p} |[]| {q} |[]| {r}"), &format!("{p} |[]| ({q} |[]| {r})"));
        same(&format!("{p} \\ {{a}} \\ {{b}}"), &format!("{p} \\ {{b, a}}"));
        same(&format!("({p} + {q}) \\ {{a}}"), &format!("{p} \\ {{a}} + {q} \\ {{a}}"));
        same(&format!("{p}[d/a] \\ {{d}}"), &format!("({p} \\ {{a}})[d/a]"));
        same(&format!("{p}[d/a, a/b][e/d]"), &format!("{p}[e/a, a/b]"));
        same(&format!("({p} | {q})[d/a, e/b]"), &format!("{p}[d/a, e/b] | {q}[d/a, e/b]"));
    }
}

#[test]
fn what_is_no_law_is_told_apart() {
    different("a.(b.0 + c.0)", "a.b.0 + a.c.0");
    different("a.0 | 'a.0", "a.'a.0 + 'a.a.0");
    different("a.0 |[]| 'a.0", "a.0 | 'a.0");
    different("tau.a.0", "a.0");
    different("(a.0 | b.0) \\ {c}", "a.0 |[a]| b.0");
    // Both can do nothing, but one has terminated and the other is stuck.
    different("0", "a.0 \\ {a}");
    different("a.0", "a.(b.0 \\ {b})");
    // The law `(P + Q); R = P; R + Q; R` fails where one side is terminated.
    same("(0 + a.0); b.0", "a.b.0");
    different("(0 + a.0); b.0", "0; b.0 + a.0; b.0");
    // `P = a.P` is not terminated in the end.
    let recursive = lts("P = a.P; system P;", Ccs);
    assert!(!are_bisimilar(&recursive, &lts("system a.a.a.0;", Ccs), &Budget::unlimited()).unwrap());
    let unfolded = lts("P = a.Q; Q = a.P; system a.P;", Ccs);
    assert!(are_bisimilar(&recursive, &unfolded, &Budget::unlimited()).unwrap());
}

/// All pairs of states that are not distinguished, for a growing number of steps.
fn naive_classes(lts: &Lts) -> Vec<u32> {
    let mut class: Vec<u32> =
        (0..lts.states() as u32).map(|state| u32::from(lts.is_terminated(state))).collect();
    loop {
        let mut numbers = BTreeMap::new();
        let refined: Vec<u32> = (0..lts.states() as u32)
            .map(|state| {
                let mut leads: Vec<_> = lts
                    .transitions(state)
                    .iter()
                    .map(|transition| (transition.label, class[transition.target as usize]))
                    .collect();
                leads.sort();
                leads.dedup();
                let next = numbers.len() as u32;
                *numbers.entry((class[state as usize], leads)).or_insert(next)
            })
            .collect();
        if refined == class {
            return class;
        }
        class = refined;
    }
}

#[test]
fn refinement_agrees_with_a_naive_one() {
    for seed in 0..200 {
        let (text, language) = match seed % 4 {
            3 => (format!("system {};", Generator::new(seed).choreography(3) + "; a@x"), Chor),
            _ => (Generator::new(seed).file(), Ccs),
        };
        let lts = lts(&text, language);
        let found = classes(&lts, &Budget::unlimited()).unwrap();
        assert_eq!(found, naive_classes(&lts), "{text}");
        let quotient = quotient(&lts, &Budget::unlimited()).unwrap();
        assert_eq!(quotient.states(), found.iter().max().map_or(0, |last| *last as usize + 1));
        assert!(are_bisimilar(&lts, &quotient, &Budget::unlimited()).unwrap(), "{text}");
        assert_eq!(classes(&quotient, &Budget::unlimited()).unwrap().len(), quotient.states());
    }
}

#[test]
fn printing_and_reading_are_inverse() {
    for seed in 0..500 {
        let (text, language) = match seed % 3 {
            2 => (format!("system {};", Generator::new(seed).choreography(5)), Chor),
            _ => (Generator::new(seed).file(), Ccs),
        };
        let parsed = parser::parse(&text, language);
        assert_eq!(parsed.diagnostics, [], "{text}");
        let printed = print(&parsed.model);
        let again = parser::parse(&printed, language);
        assert_eq!(again.diagnostics, [], "{printed}");
        assert_eq!(
            super::without_spans(&again.model),
            super::without_spans(&parsed.model),
            "{text}\n{printed}"
        );
        assert_eq!(print(&again.model), printed);
        assert_eq!(format(&text, language).unwrap(), printed, "no comments, no blank lines");
        // The parentheses removed were redundant.
        let (one, other) = (load(&text, language), load(&printed, language));
        assert_eq!(one.system.map(|system| system.terms), other.system.map(|system| system.terms));
    }
}

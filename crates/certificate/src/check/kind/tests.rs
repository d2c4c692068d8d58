//! The table against brute force: counts of marked places under all transitions it admits.

use std::collections::BTreeSet;

use super::Kind;

/// Kinds with small bounds.
fn kinds() -> Vec<Kind> {
    let mut kinds = vec![Kind::Parity, Kind::AtMost(0), Kind::Linear(9), Kind::Modulo(3), Kind::Modulo(4)];
    for c in 1..=3 {
        kinds.extend([Kind::AtLeast(c), Kind::Exactly(c), Kind::AtMost(c)]);
    }
    kinds
}

/// Sums of n components, each counted alone and added up as the closure check does.
fn counts(kind: Kind, initial: i64, marked: i64) -> (i64, i64) {
    let (mut initially, mut now) = (0, 0);
    for component in 0..initial.max(marked) {
        let (start, current) = (i64::from(component < initial), i64::from(component < marked));
        initially = kind.add_initial(initially, kind.initial_of(start));
        now = kind.add_marked(now, kind.marked_of(start, current));
    }
    (initially, now)
}

#[test]
fn no_reachable_count_is_refuted() {
    const MAX_TOKENS: i64 = 8;
    for kind in kinds() {
        for start in 0..=MAX_TOKENS {
            let (initial, _) = counts(kind, start, start);
            let mut reached = BTreeSet::from([start]);
            let mut waiting = vec![start];
            while let Some(now) = waiting.pop() {
                let (_, marked) = counts(kind, start, now);
                assert!(!kind.refutes(initial, marked), "{kind:?}: {start} initially, {now} reached");
                for pre in 0..=now {
                    for post in 0..=4 {
                        let next = now - pre + post;
                        if kind.admits(pre, post) && next <= MAX_TOKENS && reached.insert(next) {
                            waiting.push(next);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn each_kind_refutes_something() {
    for kind in kinds() {
        let refuted = (0..6).flat_map(|initial| (0..6).map(move |marked| (initial, marked)));
        let refuted = refuted.filter(|(initial, marked)| {
            let (initial, marked) = counts(kind, *initial, *marked);
            kind.refutes(initial, marked)
        });
        assert!(refuted.count() > 0, "{kind:?}");
    }
}

#[test]
fn what_grows_into_a_refutation_is_useful() {
    for kind in kinds() {
        for (initial, marked) in (0..5).flat_map(|initial| (0..5).map(move |marked| (initial, marked))) {
            let (before, now) = counts(kind, initial, marked);
            let grows = (0..6).any(|more_initial| {
                (0..6).any(|more_marked| {
                    let (more_before, more_now) = counts(kind, more_initial, more_marked);
                    kind.refutes(kind.add_initial(before, more_before), kind.add_marked(now, more_now))
                })
            });
            assert_eq!(kind.is_useful(before, now), grows, "{kind:?} {initial} {marked}");
        }
    }
}

#[test]
fn counts_are_saturated() {
    for kind in kinds() {
        for (initial, marked) in (0..9).flat_map(|initial| (0..9).map(move |marked| (initial, marked))) {
            let (initial, marked) = counts(kind, initial, marked);
            assert!(kind.is_initial(initial) && kind.is_marked(marked));
        }
        assert!(!kind.is_initial(5) && !kind.is_marked(10) && !kind.is_marked(-10));
    }
    assert!(!Kind::Parity.is_initial(1));
}

#[test]
fn the_definitions_of_the_paper() {
    // Trap: whatever takes from it gives to it. Mutex: whatever takes one gives one.
    let trap = Kind::parse("trap").unwrap();
    assert!(trap.admits(0, 0) && trap.admits(0, 1) && trap.admits(1, 1) && trap.admits(2, 1));
    assert!(!trap.admits(1, 0) && !trap.admits(2, 0));
    let mutex = Kind::parse("mutex").unwrap();
    assert!(mutex.admits(0, 0) && mutex.admits(1, 1));
    assert!(!mutex.admits(0, 1) && !mutex.admits(1, 0) && !mutex.admits(1, 2));
    // Beyond the paper: a transition that takes two cannot fire.
    assert!(mutex.admits(2, 0) && mutex.admits(2, 5));
}

#[test]
fn names() {
    assert_eq!(Kind::parse("trap"), Some(Kind::AtLeast(1)));
    assert_eq!(Kind::parse("at-least:1"), Some(Kind::AtLeast(1)));
    assert_eq!(Kind::parse("mutex"), Some(Kind::Exactly(1)));
    assert_eq!(Kind::parse("exactly:2"), Some(Kind::Exactly(2)));
    assert_eq!(Kind::parse("siphon"), Some(Kind::AtMost(0)));
    assert_eq!(Kind::parse("at-most-one"), Some(Kind::AtMost(1)));
    assert_eq!(Kind::parse("at-most:255"), Some(Kind::AtMost(255)));
    assert_eq!(Kind::parse("parity"), Some(Kind::Parity));
    assert_eq!(Kind::parse("linear:4"), Some(Kind::Linear(4)));
    assert_eq!(Kind::parse("modulo:3"), Some(Kind::Modulo(3)));
    for wrong in [
        "",
        "Trap",
        "at-least:0",
        "exactly:0",
        "at-most:256",
        "at-most:+1",
        "at-most:01",
        "at-most:",
        "flow",
        "parity:2",
        "linear",
        "linear:0",
        "modulo",
        "modulo:1",
    ] {
        assert_eq!(Kind::parse(wrong), None, "{wrong}");
    }
}

/// Sums of weights under all transitions admitted: in a net of a few components with three places each,
/// whose transitions move one or two of them.
#[test]
fn no_reachable_weight_is_refuted() {
    type Marking = [usize; 3];
    let weightings =
        |kind: Kind| -> Vec<i64> { (-4..=4).filter(|w| *w == 0 || kind.is_weight(*w)).collect() };
    let weight = |weights: &Marking, marking: &Marking, values: &[i64]| -> i64 {
        marking.iter().map(|place| values[weights[*place]]).sum()
    };
    let markings = |bound: usize| {
        (0..bound * bound * bound).map(move |n| [n % bound, n / bound % bound, n / bound / bound])
    };
    let mut refuted = 0;
    for kind in [Kind::Linear(1), Kind::Linear(6), Kind::Modulo(2), Kind::Modulo(3), Kind::Modulo(4)] {
        let values = weightings(kind);
        for weights in markings(values.len()) {
            let of = |marking: &Marking| weight(&weights, marking, &values);
            let change = |from: &Marking, to: &Marking| {
                from.iter().zip(to).fold(0, |sum, (from, to)| {
                    kind.add_marked(sum, kind.marked_of(values[weights[*from]], values[weights[*to]]))
                })
            };
            for start in markings(3).take(9) {
                for end in markings(3) {
                    // Any step from start to end is one transition: what it moves is what differs.
                    if kind.admits(of(&start), of(&end)) {
                        assert!(!kind.refutes(0, change(&start, &end)), "{kind:?} {start:?} {end:?}");
                    } else {
                        refuted += 1;
                        assert!(kind.refutes(0, change(&start, &end)), "{kind:?} {start:?} {end:?}");
                    }
                }
            }
        }
    }
    assert!(refuted > 1_000);
}

#[test]
fn weights() {
    let linear = Kind::Linear(4);
    assert!(linear.is_weighted() && linear.is_lower_bound());
    assert!(linear.is_weight(1) && linear.is_weight(-1) && !linear.is_weight(0) && !linear.is_weight(2));
    let modulo = Kind::Modulo(3);
    assert!(modulo.is_weighted() && !modulo.is_lower_bound());
    assert!(modulo.is_weight(1) && modulo.is_weight(2) && !modulo.is_weight(3) && !modulo.is_weight(-1));
    assert!(!Kind::Parity.is_weighted() && !Kind::Exactly(1).is_lower_bound());
}

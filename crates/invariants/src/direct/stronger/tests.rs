use super::*;
use paramcheck_nets::instance::enumerate::smallest_tree;
use paramcheck_nets::instance::unfold::unfold;

/// What excludes the marking of the smallest instance in which every component is in its state of this name.
fn of(text: &str, states: &[&str], tried: &[InvariantKind]) -> Excluded {
    let system = paramcheck_model::lower::load(text).system.unwrap();
    let net = unfold(&system, &smallest_tree(&system).unwrap());
    let state = |(component, name): (&paramcheck_nets::instance::net::Component, &&str)| {
        system.types[component.component_type].state_named(name).unwrap()
    };
    let marking: Marking = net.components().iter().zip(states).map(state).collect();
    assert_eq!(marking.len(), net.components().len());
    excluded(&net, &marking, &[], tried, &Budget::unlimited()).unwrap()
}

/// Two wheels that turn against each other: their sum modulo three stays.
const WHEELS: &str = "component A { states s0, s1, s2; init s0; s0 -up-> s1; s1 -up-> s2; s2 -up-> s0; }
     component B { states t0, t1, t2; init t0; t0 -down-> t2; t2 -down-> t1; t1 -down-> t0; }
     S() <- new x, y . <up(x) down(y)> (A(x), B(y));
     error e = #s1 >= 1;";

#[test]
fn the_cheapest_kind_that_was_not_tried_is_found() {
    assert_eq!(of(WHEELS, &["s1", "t0"], &[]), Excluded::By(InvariantKind::Modulo(3)));
    // It does not help where it was tried; nothing helps against what is reached.
    assert_eq!(
        of(WHEELS, &["s1", "t0"], &[InvariantKind::Modulo(3)]),
        Excluded::By(InvariantKind::Modulo(9))
    );
    assert_eq!(of(WHEELS, &["s1", "t2"], &[]), Excluded::ByNone);
}

/// A door that is used once, by one of three.
const DOOR: &str = "component D { states free, used; init free; free -take-> used; }
     component C { states out, inside; init out; out -enter-> inside; }
     S() <- new d, x, y, z . <take(d) enter(x) + take(d) enter(y) + take(d) enter(z)> (D(d), C(x), C(y), C(z));
     error e = #inside >= 2;";

#[test]
fn counts_and_sums_are_looked_at_with_every_bound() {
    let two = ["used", "inside", "inside", "out"];
    assert_eq!(of(DOOR, &two, &[]), Excluded::By(InvariantKind::MUTEX));
    // Without sets that count, the sum does it.
    let counts = InvariantKind::all_up_to(4);
    assert_eq!(of(DOOR, &two, &counts), Excluded::By(InvariantKind::Linear(4)));
    let mut tried = counts;
    tried.push(InvariantKind::Linear(8));
    let found = of(DOOR, &two, &tried);
    assert_eq!(found, Excluded::By(InvariantKind::Modulo(3)));
}

#[test]
fn remainders_are_decided_by_elimination() {
    let rows = |rows: &[&[i64]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    // 2 and 3 make 1; 2 and 4 do not, modulo 8.
    assert!(reduces_to_nothing(rows(&[&[2], &[3]]), vec![1], 8));
    assert!(!reduces_to_nothing(rows(&[&[2], &[4]]), vec![1], 8));
    assert!(reduces_to_nothing(rows(&[&[2, 1], &[0, 4]]), vec![4, 6], 8));
    assert!(!reduces_to_nothing(rows(&[&[2, 1], &[0, 4]]), vec![4, 1], 8));
    // The multiple of a row in which its pivot vanishes is one as well.
    assert!(reduces_to_nothing(rows(&[&[2, 1]]), vec![0, 4], 8));
    assert!(!reduces_to_nothing(rows(&[&[2, 1]]), vec![0, 2], 8));
}

/// Elimination and brute force over all combinations agree.
#[test]
fn elimination_agrees_with_brute_force() {
    let mut cases = 0;
    for modulus in [2, 3, 4, 9] {
        for seed in 0..200_i64 {
            let entry =
                |position: i64| ((seed * 7 + 3) * (position * position + 5 * position + seed) / 3) % modulus;
            let rows: Vec<Vec<i64>> =
                (0..2).map(|row| (0..3).map(|at| entry(3 * row + at)).collect()).collect();
            let rest: Vec<i64> = (0..3).map(|at| entry(6 + at)).collect();
            let combines = (0..modulus * modulus).any(|pick| {
                let (a, b) = (pick / modulus, pick % modulus);
                (0..3).all(|at| (a * rows[0][at] + b * rows[1][at] - rest[at]).rem_euclid(modulus) == 0)
            });
            assert_eq!(reduces_to_nothing(rows, rest, modulus), combines, "{modulus}, {seed}");
            cases += 1;
        }
    }
    assert_eq!(cases, 800);
}

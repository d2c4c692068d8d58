use super::*;
use crate::lower::load;
use paramcheck_text::index::Idx;

const ROUNDS: &str =
    "component Boss { states a, b, c, d; init a; a -get-> b; b -get-> c; c -get-> d; d -get-> d; }
     component Worker { states e, f, g; init e; e -put-> f; f -put-> g; g -put1-> g; }
     Main() <- new b, w . <get(b) put(w) + get(b) put1(w)> (Boss(b), Worker(w));";

fn boss(transition: usize) -> Local {
    (TypeId::new(0), TransitionId::new(transition))
}

fn worker(transition: usize) -> Local {
    (TypeId::new(1), TransitionId::new(transition))
}

/// The phases of `ROUNDS` where these fired, of the first three transitions of `Boss` and two of `Worker`.
fn phases(system: &System, fired: &[[Local; 2]]) -> Phases {
    let all = (0..4).flat_map(|one| (0..2).map(move |other| [boss(one), worker(other)]));
    let never: Vec<Combination> = all.filter(|one| !fired.contains(one)).map(Vec::from).collect();
    let fired: Vec<Combination> = fired.iter().copied().map(Vec::from).collect();
    Phases::new(system, &fired, &never)
}

#[test]
fn what_fires_together_is_in_one_phase() {
    let system = load(ROUNDS).system.unwrap();
    let (get, put) = (PortId::new(0), PortId::new(1));
    assert_eq!((&system.ports[get][..], &system.ports[put][..]), ("get", "put"));
    let found = phases(&system, &[[boss(0), worker(0)], [boss(1), worker(1)]]);
    assert!(found.mixes(&vec![boss(0), worker(1)]) && !found.mixes(&vec![boss(0), worker(0)]));
    // One that never fired is in no phase, so it mixes none.
    assert!(!found.mixes(&vec![boss(2), worker(1)]));
    assert_eq!(found.names(&system, get), ["get1", "get2"]);
    // There is a `put1` already.
    assert_eq!(found.names(&system, put), ["put_1", "put_2"]);
    let split = found.split(&system);
    // Those that never fired come once per phase.
    assert_eq!(split.types[TypeId::new(0)].transitions.len(), 2 + 2 * 2);
    let fired = phases(&system, &[[boss(0), worker(0)], [boss(1), worker(0)], [boss(1), worker(1)]]);
    assert!(!fired.mixes(&vec![boss(0), worker(1)]));
    assert_eq!(fired.of_port(get), 1);
}

#[test]
fn what_no_combination_mixes_keeps_its_port() {
    let text =
        "component A { states a, b; init a; a -go-> b; } component B { states c, d; init c; c -go-> d; }
         component C { states e, f; init e; e -on-> f; f -on-> e; }
         Main() <- new a, b, c . <go(a) on(c)> (A(a), B(b), C(c));";
    let system = load(text).system.unwrap();
    let local = |component, transition| (TypeId::new(component), TransitionId::new(transition));
    let fired: Vec<Combination> = vec![vec![local(0, 0), local(2, 0)], vec![local(1, 0)]];
    let found = Phases::new(&system, &fired, &[]);
    assert!(system.ports.indices().all(|port| found.of_port(port) == 1));
    assert_eq!(found.split(&system).types, system.types);
}

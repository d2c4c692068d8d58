use super::*;
use crate::model::Property;
use crate::{Parameters, load};

const SYSTEM: &str = "system { environment = e: 0; a[2]: 1  spawn = A: 2 }
    stigmergy S { link = x of 1 >= x of 2  v: 0..2 }
    agent A { interface = x: 0  stigmergies = S
        Behavior = ((x < 3 -> x <- x + 1) ++ (x > 0 -> { e <-- x; a[v] <-- e + 1 }) ++ (x = 3 -> v <~ 1 - v)); Behavior }
    check { P = always forall A a, x of a <= 3 and v of a <= 1 and e <= 3 }";

fn system(text: &str) -> System {
    let loaded = load(text, &Parameters::new());
    loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn range(low: i64, high: i64) -> Domain {
    Domain::new([(low, high)], false)
}

/// The sets of `e`, both of `a`, and `x` and `v` of both agents.
fn right() -> Vec<Domain> {
    vec![range(0, 3), range(1, 4), range(1, 4), range(0, 3), range(0, 1), range(0, 3), range(0, 1)]
}

fn checked(text: &str, sets: Vec<Domain>) -> Result<(), Refusal> {
    let system = system(text);
    let Property { formula, .. } = &system.properties[0];
    implies(&system, Rules::default(), sets, formula, &Budget::unlimited())
}

#[test]
fn inductive_sets_are_accepted() {
    assert_eq!(checked(SYSTEM, right()), Ok(()));
    // They need not be the least.
    let mut larger = right();
    larger[1] = range(0, 9);
    assert_eq!(checked(SYSTEM, larger), Ok(()));
}

#[test]
fn wrong_sets_are_refused() {
    let with = |cell: usize, set: Domain| {
        let mut sets = right();
        sets[cell] = set;
        checked(SYSTEM, sets)
    };
    let agent = AgentId::new;
    assert_eq!(with(0, range(0, 4)), Err(Refusal::Formula));
    assert_eq!(with(3, range(1, 3)), Err(Refusal::Initial(Some(3))));
    assert_eq!(with(1, range(2, 4)), Err(Refusal::Initial(Some(1))));
    assert_eq!(with(0, range(0, 2)), Err(Refusal::Step(agent(0), 0)));
    assert_eq!(with(2, range(1, 3)), Err(Refusal::Step(agent(0), 2)));
    assert_eq!(with(5, range(0, 2)), Err(Refusal::Step(agent(1), 5)));
    // An element outside of the array.
    assert_eq!(with(4, range(-1, 1)), Err(Refusal::Fault));
    assert_eq!(checked(SYSTEM, right().split_off(1)), Err(Refusal::Initial(None)));
    // Undefined is a value.
    let mut sets = right();
    sets[3] = Domain::new([(0, 3)], true);
    assert_eq!(checked(SYSTEM, sets), Err(Refusal::Formula));
}

#[test]
fn what_is_received_must_be_in_the_set() {
    let text = |link: &str| {
        format!(
            "system {{ spawn = A: 2 }} stigmergy S {{ link = {link}  v: id }}
            agent A {{ stigmergies = S  Behavior = v <~ v; Behavior }}
            check {{ P = always forall A a, v of a < 2 }}"
        )
    };
    assert_eq!(checked(&text("true"), vec![range(0, 1), range(0, 1)]), Ok(()));
    let own = vec![range(0, 0), range(1, 1)];
    assert_eq!(checked(&text("true"), own.clone()), Err(Refusal::Message(AgentId::new(1), 1)));
    // Nobody hears anybody.
    assert_eq!(checked(&text("v of 1 = v of 2"), own.clone()), Ok(()));
    assert_eq!(checked(&text("1 / v of 1 = 0"), own), Err(Refusal::Fault));
}

#[test]
fn assumptions_restrict_initial_values() {
    let text = |assumed: &str| {
        format!(
            "system {{ environment = e: 0..4; f: 0..4  spawn = A: 1 }} agent A {{ Behavior = e <-- f; Behavior }}
            assume {{ Q = {assumed} }} check {{ P = always e < 2 }}"
        )
    };
    let small = || vec![range(0, 1), range(0, 1)];
    assert_eq!(checked(&text("e < 2 and f < 2"), small()), Ok(()));
    assert_eq!(checked(&text("e + f < 2"), small()), Ok(()));
    assert_eq!(checked(&text("f < 2"), small()), Err(Refusal::Initial(Some(0))));
    assert_eq!(checked(&text("e > 5"), small()), Err(Refusal::Initial(None)));
    assert_eq!(checked(&text("1 / e > 0"), small()), Err(Refusal::Initial(None)));
}

#[test]
fn work_is_bounded() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0; y: 0; z: 0
        Behavior = x <- min(x + y + z, 0); Behavior } check { P = always true }";
    let wide = || vec![range(0, 1_000); 3];
    assert_eq!(checked(text, wide()), Err(Refusal::TooMuch));
    let system = system(text);
    let budget = Budget::unlimited().with_work(3);
    let found = implies(&system, Rules::default(), wide(), &Expr::Number(1), &budget);
    assert_eq!(found, Err(Refusal::Stopped(Stop::Work)));
}

#[test]
fn agents_with_the_same_values_may_differ() {
    let text = |behavior: &str| {
        format!(
            "system {{ environment = a[2]: 1  spawn = A: 2 }} agent A {{ interface = x: 1
            Behavior = {behavior}; Behavior }} check {{ P = always true }}"
        )
    };
    let sets = || vec![range(1, 1), range(1, 1), range(0, 1), range(0, 1)];
    // What the second agent does alone.
    assert_eq!(checked(&text("a[id] <-- 1 + id"), sets()), Err(Refusal::Step(AgentId::new(1), 1)));
    assert_eq!(
        checked(&text("x = 1 and x of 0 = 0 -> x <- 1 + id"), sets()),
        Err(Refusal::Step(AgentId::new(1), 3))
    );
    // The first one need not look at the second, which might divide by 0.
    let looks = "x = 1 -> { u := exists A b, 1 / x of b > 0; x <- u }";
    assert_eq!(checked(&text(looks), sets()), Err(Refusal::Fault));
    assert_eq!(checked(&text("x = 1 -> x <- 0"), sets()), Ok(()));
}

use super::{Algebra, Arity};
use crate::triple::Action;
use paramcheck_process::model::{LabelId, Synchronisation, System, tau};
use paramcheck_process::{Language, load, show};

/// The label that is written so.
fn label(system: &System, text: &str) -> Action {
    let is_it = |id: &LabelId| show::label(system, *id) == text;
    Action::Step(system.labels.indices().find(is_it).unwrap())
}

/// Whatever the algebra: σ is symmetric, λ goes alone and with nothing, `tau` goes with nothing.
fn check_laws(system: &System) {
    let complements = system.complements();
    for kind in &system.synchronisations {
        let algebra = Algebra::new(system, &complements, kind);
        let all: Vec<Action> =
            system.labels.indices().map(Action::Step).chain([Action::Start, Action::Join]).collect();
        for one in &all {
            for other in &all {
                assert_eq!(algebra.together(*one, *other), algebra.together(*other, *one));
            }
        }
        for silent in [Action::Start, Action::Join] {
            assert_eq!(algebra.alone(silent), Some(silent));
            assert!(all.iter().all(|other| algebra.together(silent, *other).is_none()));
        }
        assert_eq!(algebra.alone(Action::Step(tau())), Some(Action::Step(tau())));
        assert_eq!(algebra.partner(tau()), None);
    }
}

#[test]
fn actions_and_co_actions_meet_in_ccs() {
    let system = load("system a.0 | 'a.0 | b.0;", Language::Ccs).system.unwrap();
    check_laws(&system);
    let complements = system.complements();
    let algebra = Algebra::new(&system, &complements, &Synchronisation::Ccs);
    let [a, co_a, b] = ["a", "'a", "b"].map(|text| label(&system, text));
    assert_eq!(algebra.arity(), Arity::Two);
    assert_eq!(algebra.together(a, co_a), Some(Action::Step(tau())));
    assert_eq!(algebra.together(a, a), None);
    assert_eq!(algebra.together(a, b), None);
    assert_eq!([a, co_a, b].map(|action| algebra.alone(action)), [Some(a), Some(co_a), Some(b)]);
}

#[test]
fn hoare_has_all_take_what_is_listed_as_it_is_written() {
    let system = load("system a.'a.0 |[a]| a.b.0;", Language::Ccs).system.unwrap();
    check_laws(&system);
    let complements = system.complements();
    let kind = system.synchronisations.iter().next().unwrap();
    let algebra = Algebra::new(&system, &complements, kind);
    let [a, co_a, b] = ["a", "'a", "b"].map(|text| label(&system, text));
    assert_eq!(algebra.arity(), Arity::All);
    assert_eq!(algebra.together(a, a), Some(a));
    assert_eq!(algebra.together(a, co_a), None);
    assert_eq!(algebra.together(b, b), None);
    assert_eq!([a, co_a, b].map(|action| algebra.alone(action)), [None, Some(co_a), Some(b)]);
}

#[test]
fn peers_meet_in_communications_only() {
    let system = load("system a@x; b@[x,y]; c@y;", Language::Chor).system.unwrap();
    check_laws(&system);
    let complements = system.complements();
    let algebra = Algebra::new(&system, &complements, &Synchronisation::Rendezvous);
    let [a, b, c] = ["a@x", "b@[x,y]", "c@y"].map(|text| label(&system, text));
    assert_eq!(algebra.arity(), Arity::Two);
    assert_eq!(algebra.together(b, b), Some(b));
    assert_eq!(algebra.together(a, a), None);
    assert_eq!([a, b, c].map(|action| algebra.alone(action)), [Some(a), None, Some(c)]);
}

impl Algebra<'_> {
    /// σ(μ, μ'): what two actions are together; `None` for ⊥, as with λ.
    fn together(&self, one: Action, other: Action) -> Option<Action> {
        let (Action::Step(one), Action::Step(other)) = (one, other) else { return None };
        let (partner, result) = self.partner(one)?;
        (partner == other).then_some(Action::Step(result))
    }
}

//! The condition on transitions against listing them all.

use super::{Combination, Question, offers};
use crate::check::exclusive::Exclusive;
use crate::check::formula::Formula;
use crate::check::kind::Kind;
use crate::check::resolve::Part;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::lower::load;
use paramcheck_model::rule::{InteractionId, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

const KINDS: [Kind; 9] = [
    Kind::AtLeast(1),
    Kind::AtLeast(2),
    Kind::Exactly(1),
    Kind::Exactly(2),
    Kind::AtMost(0),
    Kind::AtMost(1),
    Kind::Parity,
    Kind::Linear(4),
    Kind::Modulo(3),
];

/// Two types share a port; the interaction has 12 combinations for A, B and 6 for B, B.
fn system() -> System {
    let text = "
        component A { states a, b, c; init a; a -p-> b; a -p-> c; b -p-> b; c -p-> a; }
        component B { states u, v; init u; u -p-> v; v -p-> u; u -q-> u; u -q-> v; v -q-> v; }
        S() <- new x, y . <p(x) q(y)> (X(x), B(y));
        X(x) <- (A(x)) | (B(x));";
    load(text).system.unwrap()
}

/// All sets of states of a component type, with weights 1 and 0, and with 1 and −1.
fn parts(system: &System, component: TypeId) -> Vec<Part> {
    let count = system.types[component].states.len();
    let part = |bits: usize| {
        let states = (0..count).map(StateId::new);
        let weights = |outside: i64| -> Vec<(StateId, i64)> {
            let weight = |state: StateId| if bits >> state.index() & 1 == 1 { 1 } else { outside };
            states.clone().map(|state| (state, weight(state))).filter(|(_, weight)| *weight != 0).collect()
        };
        [Part { component, weights: weights(0) }, Part { component, weights: weights(-1) }]
    };
    (0..1 << count).flat_map(part).collect()
}

/// All combinations for given types.
fn combinations(system: &System, types: [TypeId; 2]) -> Vec<Combination> {
    let (rule, interaction) = (RuleId::new(0), InteractionId::new(0));
    let mut moves = vec![Vec::new()];
    for ((port, _), component) in system.rules[rule].interactions[interaction].participants.iter().zip(types)
    {
        let mut longer = Vec::new();
        for start in &moves {
            for (_, transition) in system.types[component].transitions_on(*port) {
                let mut next: Vec<_> = start.clone();
                next.push((component, transition.from, transition.to));
                longer.push(next);
            }
        }
        moves = longer;
    }
    moves.into_iter().map(|moves| Combination { rule, interaction, moves }).collect()
}

#[test]
fn counting_transitions_is_like_listing_them() {
    let system = system();
    let offers = offers(&system);
    let [a, b] = [0, 1].map(TypeId::new);
    let every: Vec<Combination> = [combinations(&system, [a, b]), combinations(&system, [b, b])].concat();
    assert_eq!(every.len(), 12 + 6);
    let mut answers = [0, 0];
    // Drop nothing, each one, every second, all but one.
    let mut drops: Vec<Vec<Combination>> = vec![Vec::new()];
    drops.extend(every.iter().map(|one| vec![one.clone()]));
    drops.extend(every.iter().map(|one| every.iter().filter(|other| *other != one).cloned().collect()));
    drops.push(every.iter().step_by(2).cloned().collect());
    drops.push(every.clone());
    for dropped in &drops {
        let formula = Formula::single_pattern();
        let question = Question {
            system: &system,
            formula,
            suspect: None,
            dropped,
            exclusive: &Exclusive::default(),
            offers: &offers,
        };
        for first in [parts(&system, a), parts(&system, b)].concat() {
            for second in parts(&system, b) {
                for kind in KINDS {
                    let listed = every.iter().filter(|combination| {
                        combination.moves[0].0 == first.component && !dropped.contains(combination)
                    });
                    let keeps = listed.clone().all(|combination| {
                        let (mut pre, mut post) = (0, 0);
                        for ((_, from, to), part) in combination.moves.iter().zip([&first, &second]) {
                            pre += part.weight(*from);
                            post += part.weight(*to);
                        }
                        kind.admits(pre, post)
                    });
                    let (rule, id) = (RuleId::new(0), InteractionId::new(0));
                    assert_eq!(question.keeps(rule, id, kind, &[&first, &second]), keeps);
                    answers[usize::from(keeps)] += 1;
                }
            }
        }
    }
    assert!(answers[0] > 1_000 && answers[1] > 1_000);
}

#[test]
fn a_type_without_the_port_has_no_transition() {
    let text = "
        component A { states a, b; init a; a -p-> b; }
        component B { states u; init u; }
        S() <- new x, y . <p(x) p(y)> (X(x), A(y));
        X(x) <- (A(x)) | (B(x));";
    let system = load(text).system.unwrap();
    let offers = offers(&system);
    let formula = Formula::single_pattern();
    let question = Question {
        system: &system,
        formula,
        suspect: None,
        dropped: &[],
        exclusive: &Exclusive::default(),
        offers: &offers,
    };
    let from = |component, states: &[usize]| Part {
        component: TypeId::new(component),
        weights: states.iter().map(|state| (StateId::new(*state), 1)).collect(),
    };
    let (rule, id, trap) = (RuleId::new(0), InteractionId::new(0), Kind::AtLeast(1));
    assert!(!question.keeps(rule, id, trap, &[&from(0, &[]), &from(0, &[0])]));
    assert!(question.keeps(rule, id, trap, &[&from(1, &[]), &from(0, &[0])]));
}

#[test]
fn large_interactions_are_not_listed() {
    // 4^60 combinations: lowering would refuse them, the checker must not choke on them.
    let participants: Vec<String> = (0..60).map(|number| format!("x{number}")).collect();
    let text = format!(
        "component A {{ states a, b; init a; a -p-> b; b -p-> a; a -p-> a; b -p-> b; }}
         S() <- new {} . <p(x0)> ({});",
        participants.join(", "),
        participants.iter().map(|x| format!("A({x})")).collect::<Vec<_>>().join(", "),
    );
    let mut system = load(&text).system.unwrap();
    let interaction = &mut system.rules[RuleId::new(0)].interactions[InteractionId::new(0)];
    let port = interaction.participants[0].0;
    interaction.participants = (0..60).map(|position| (port, VariableId::new(position))).collect();
    let offers = offers(&system);
    let moves = vec![(TypeId::new(0), StateId::new(0), StateId::new(0)); 60];
    let dropped = [Combination { rule: RuleId::new(0), interaction: InteractionId::new(0), moves }];
    let formula = Formula::single_pattern();
    let question = Question {
        system: &system,
        formula,
        suspect: None,
        dropped: &dropped,
        exclusive: &Exclusive::default(),
        offers: &offers,
    };
    let part = |states: &[usize]| Part {
        component: TypeId::new(0),
        weights: states.iter().map(|state| (StateId::new(*state), 1)).collect(),
    };
    let (all, none, one) = (part(&[0, 1]), part(&[]), part(&[0]));
    let keeps =
        |kind, part: &Part| question.keeps(RuleId::new(0), InteractionId::new(0), kind, &vec![part; 60]);
    for kind in KINDS {
        assert!(keeps(kind, &all) && keeps(kind, &none), "{kind:?}");
        assert!(!keeps(kind, &one), "{kind:?}");
    }
}

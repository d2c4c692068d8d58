//! Random syntax trees.
//!
//! All places are empty: only what the printer shows matters here.

use paramcheck_model::syntax::ast::{
    Atom, Body, Comparison, Component, ComponentItem, Count, CountTerm, Critical, ErrorDefinition,
    ErrorExpression, Forbid, Interaction, Item, Link, Model, PortAtom, Quantifier, Rule, StateSet,
    SystemDeclaration, Transition, Wsks, WsksAtom, WsksFormula, WsksName, WsksQuantified, WsksRelation,
};
use paramcheck_model::syntax::vocabulary::Keyword;
use paramcheck_text::reading::Ident;
use paramcheck_text::reading::Spelt;
use paramcheck_text::source::Span;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn identifier(text: impl Into<String>) -> Ident {
    Ident { text: text.into(), span: NOWHERE }
}

/// A name; words that mean something somewhere are likely.
fn name() -> impl Strategy<Value = Ident> {
    prop_oneof![
        6 => "[A-Za-z_][A-Za-z0-9_']{0,4}'{0,2}",
        1 => "[αλνπ漢é][a-zα-ω0-9]{0,3}",
        1 => prop::sample::select(vec!["wsks", "forbidden", "and", "or", "not", "deadlock_", "νx", "éa"])
            .prop_map(str::to_owned),
    ]
    .prop_filter("reserved", |text| Keyword::find(text).is_none() && text != "deadlock")
    .prop_map(identifier)
}

fn names(least: usize) -> impl Strategy<Value = Vec<Ident>> {
    vec(name(), least..5)
}

fn state_set() -> impl Strategy<Value = StateSet> {
    prop_oneof![1 => Just(StateSet::All(NOWHERE)), 3 => names(1).prop_map(StateSet::Names)]
}

fn component() -> impl Strategy<Value = Component> {
    let statement = prop_oneof![
        vec(name(), 1..20).prop_map(ComponentItem::States),
        state_set().prop_map(ComponentItem::Init),
        state_set().prop_map(ComponentItem::Final),
        (name(), option::of(name()), name()).prop_map(|(from, port, to)| {
            ComponentItem::Transition(Transition { from, port, to, span: NOWHERE })
        }),
    ];
    (name(), vec(statement, 0..6)).prop_map(|(name, items)| Component { name, items, span: NOWHERE })
}

fn interactions(least: usize) -> impl Strategy<Value = Vec<Interaction>> {
    let atom = (option::weighted(0.2, name()), name(), names(0))
        .prop_map(|(qualifier, name, arguments)| PortAtom { qualifier, name, arguments, span: NOWHERE });
    vec(vec(atom, 1..4).prop_map(|atoms| Interaction { atoms, span: NOWHERE }), least..5)
}

fn forbids() -> impl Strategy<Value = Vec<Forbid>> {
    let forbid = (option::of(name()), interactions(0)).prop_map(|(name, patterns)| Forbid {
        name,
        patterns,
        span: NOWHERE,
    });
    vec(forbid, 0..3)
}

fn body() -> impl Strategy<Value = Body> {
    let atom = (name(), option::weighted(0.3, state_set()), names(0))
        .prop_map(|(name, initial, arguments)| Atom { name, initial, arguments, span: NOWHERE });
    (names(0), interactions(0), forbids(), vec(atom, 1..5)).prop_map(
        |(fresh, interactions, forbids, atoms)| Body { fresh, interactions, forbids, atoms, span: NOWHERE },
    )
}

fn count_term() -> impl Strategy<Value = CountTerm> {
    (option::of(name()), name()).prop_map(|(component, state)| CountTerm { component, state, span: NOWHERE })
}

fn expression() -> impl Strategy<Value = ErrorExpression> {
    let comparison = prop::sample::select(vec![
        Comparison::AtLeast,
        Comparison::AtMost,
        Comparison::Greater,
        Comparison::Less,
        Comparison::Equal,
        Comparison::NotEqual,
    ]);
    let count = (vec(count_term(), 1..8), comparison, any::<u64>()).prop_map(|(terms, comparison, bound)| {
        ErrorExpression::Count(Count { terms, comparison, bound, span: NOWHERE })
    });
    let leaf = prop_oneof![
        1 => Just(ErrorExpression::Deadlock(NOWHERE)),
        1 => Just(ErrorExpression::Name(identifier("critical"))),
        2 => name().prop_map(ErrorExpression::Name),
        3 => count,
        2 => wsks_formula().prop_map(|formula| ErrorExpression::Wsks(Wsks { formula, span: NOWHERE })),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|e| ErrorExpression::Not(Box::new(e), NOWHERE)),
            vec(inner.clone(), 2..4).prop_map(ErrorExpression::And),
            vec(inner, 2..4).prop_map(ErrorExpression::Or),
        ]
    })
}

/// A name that no word of formulas over components is.
fn variable() -> impl Strategy<Value = Ident> {
    name().prop_filter("a word of formulas", |name| {
        !["ex1", "all1", "ex2", "all2", "in", "notin", "sub", "true", "false"].contains(&name.text.as_str())
    })
}

/// A formula over components; names mean nothing.
fn wsks_formula() -> impl Strategy<Value = WsksFormula> {
    let relation = prop::sample::select(vec![
        WsksRelation::In,
        WsksRelation::NotIn,
        WsksRelation::Sub,
        WsksRelation::Equal,
        WsksRelation::NotEqual,
    ]);
    // Behind a relation any name may stand, also a word of formulas.
    let right = prop_oneof![8 => name(), 1 => prop::sample::select(vec!["in", "sub", "true", "ex1"]).prop_map(identifier)];
    let left = (option::weighted(0.2, variable()), variable());
    let atom =
        (left, relation, (option::weighted(0.2, name()), right)).prop_map(|(left, relation, right)| {
            let name = |(component, name)| WsksName { component, name };
            let (left, right) = (name(left), name(right));
            WsksFormula::Atom(WsksAtom { left, relation, right, span: NOWHERE })
        });
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(|value| WsksFormula::Constant(value, NOWHERE)),
        4 => atom,
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        let quantifier = prop::sample::select(Quantifier::ALL.to_vec());
        let pair = (inner.clone(), inner.clone()).prop_map(|(left, right)| (Box::new(left), Box::new(right)));
        prop_oneof![
            inner.clone().prop_map(|f| WsksFormula::Not(Box::new(f), NOWHERE)),
            vec(inner.clone(), 2..4).prop_map(WsksFormula::And),
            vec(inner.clone(), 2..4).prop_map(WsksFormula::Or),
            pair.clone().prop_map(|(left, right)| WsksFormula::Implies(left, right)),
            pair.prop_map(|(left, right)| WsksFormula::Iff(left, right)),
            (quantifier, vec(variable(), 1..3), inner).prop_map(|(quantifier, variables, body)| {
                let body = Box::new(body);
                WsksFormula::Quantified(WsksQuantified { quantifier, variables, body, span: NOWHERE })
            }),
        ]
    })
}

fn item() -> impl Strategy<Value = Item> {
    let rule = (name(), names(0), vec(body(), 1..4)).prop_map(|(head, parameters, bodies)| Rule {
        head,
        parameters,
        bodies,
        span: NOWHERE,
    });
    let link = (name(), names(0), interactions(0), forbids()).prop_map(
        |(name, parameters, interactions, forbids)| Link {
            name,
            parameters,
            interactions,
            forbids,
            span: NOWHERE,
        },
    );
    let error = (name(), expression()).prop_map(|(name, body)| ErrorDefinition { name, body, span: NOWHERE });
    prop_oneof![
        2 => component().prop_map(Item::Component),
        4 => rule.prop_map(Item::Rule),
        2 => link.prop_map(Item::Link),
        3 => error.prop_map(Item::Error),
        1 => vec(count_term(), 1..6)
            .prop_map(|states| Item::Critical(Critical { states, span: NOWHERE })),
        1 => name().prop_map(|predicate| Item::System(SystemDeclaration { predicate, span: NOWHERE })),
    ]
}

/// A model.
pub(super) fn model() -> impl Strategy<Value = Model> {
    vec(item(), 0..6).prop_map(|items| Model { items })
}

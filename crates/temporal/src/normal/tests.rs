use paramcheck_text::random::Random;
use pretty_assertions::assert_eq;

use super::{Arena, Node, NormalId, always, never};
use crate::evaluate::Word;
use crate::formula::{Atom, Binary, Formula, Modality};
use crate::twin::random;

/// The formula that a number stands for.
fn written(arena: &Arena, id: NormalId) -> Formula<Atom> {
    let part = |id: &NormalId| Box::new(written(arena, *id));
    match arena.node(id) {
        Node::True => Formula::True,
        Node::False => Formula::False,
        Node::Literal { atom, holds: true } => Formula::Atom(*atom),
        Node::Literal { atom, holds: false } => Formula::Atom(*atom).negated(),
        Node::And(parts) => Formula::And(parts.iter().map(|id| written(arena, *id)).collect()),
        Node::Or(parts) => Formula::Or(parts.iter().map(|id| written(arena, *id)).collect()),
        Node::Next(inner) => written(arena, *inner).next(),
        Node::Until(left, right) => Formula::Binary(Binary::Until, part(left), part(right)),
        Node::Release(left, right) => Formula::Binary(Binary::Release, part(left), part(right)),
    }
}

/// A word of a few letters. Where a run has ended no step is taken, and so it stays.
fn word(random: &mut Random) -> Word {
    let length = 1 + random.below(5) as usize;
    let letters = (0..length).map(|_| vec![random.number() & 0b11_1111]).collect();
    Word { letters, back: random.below(length as u64) as usize, is_step: vec![true; length] }
}

#[test]
fn formulas_mean_the_same_in_normal_form_and_their_negations_the_opposite() {
    let (mut true_ones, mut count) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, 1 + seed % 5);
        for rewrites in [false, true] {
            let mut arena = Arena::with_rewriting(rewrites);
            let (normal, negated) = (arena.add(&formula), arena.add_negated(&formula));
            let opposite = arena.negation(normal);
            let forms = [normal, negated, opposite].map(|id| written(&arena, id));
            for _ in 0..8 {
                let word = word(&mut random);
                let expected = word.satisfies(&formula);
                let values = [0, 1, 2].map(|at| word.satisfies(&forms[at]));
                assert_eq!(values, [expected, !expected, !expected], "seed {seed}: {formula:?} on {word:?}");
                true_ones += usize::from(expected);
                count += 1;
            }
        }
    }
    assert!(true_ones * 4 > count && true_ones * 4 < count * 3);
}

#[test]
fn what_is_seen_to_follow_follows() {
    let (mut seen, mut vain) = (0, 0);
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let [left, right] = [0, 1].map(|_| random::formula(&mut random, 1 + seed % 3));
        let mut arena = Arena::with_rewriting(seed % 2 == 0);
        let (from, to) = (arena.add(&left), arena.add(&right));
        if !arena.implies(from, to) {
            vain += 1;
            continue;
        }
        for _ in 0..10 {
            let word = word(&mut random);
            assert!(!word.satisfies(&left) || word.satisfies(&right), "seed {seed}: {left:?}, {right:?}");
            seen += usize::from(from != to && from != never() && to != always());
        }
    }
    assert!(seen > 500 && vain > 500, "{seen} {vain}");
}

fn p(atom: u32) -> Formula<Atom> {
    Formula::Atom(Atom(atom))
}

fn until(left: Formula<Atom>, right: Formula<Atom>) -> Formula<Atom> {
    Formula::Binary(Binary::Until, Box::new(left), Box::new(right))
}

#[test]
fn equal_formulas_are_found_equal() {
    let same = [
        // (the rule of Somenzi and Bloem, or of Etessami and Holzmann)
        (until(p(0).next(), p(1).next()), until(p(0), p(1)).next()),
        (until(p(0), until(p(0), p(1))), until(p(0), p(1))),
        (until(p(0), p(1).finally()), p(1).finally()),
        (until(p(1).negated(), p(1)), p(1).finally()),
        (p(0).globally().finally().globally(), p(0).globally().finally()),
        (p(0).finally().globally().next(), p(0).finally().globally()),
        (
            Formula::Or(vec![p(0).finally().globally(), p(1).finally().globally()]),
            Formula::Or(vec![p(0), p(1)]).finally().globally(),
        ),
        (Formula::And(vec![p(0).globally(), p(0).next()]), p(0).globally()),
        (Formula::And(vec![p(0).globally(), p(0).negated().finally()]), Formula::False),
        (
            Formula::Or(vec![until(p(0), p(1)), p(1).negated()]),
            Formula::Or(vec![p(1).negated(), until(p(0), p(1))]),
        ),
        (Formula::And(vec![p(0).globally(), p(1).globally()]), Formula::And(vec![p(0), p(1)]).globally()),
    ];
    let mut arena = Arena::new();
    for (left, right) in same {
        assert_eq!(arena.add(&left), arena.add(&right), "{left:?}");
    }
}

#[test]
fn classes_are_those_of_the_form() {
    let mut arena = Arena::new();
    let weak = Formula::Binary(Binary::WeakUntil, Box::new(p(0)), Box::new(p(1)));
    let seen = Formula::Observation(Modality::Box, Atom(2), Box::new(p(0)));
    let rows = [
        (p(0).globally(), "safety universal"),
        (weak, "safety"),
        (seen.globally(), "safety universal"),
        (p(0).finally(), "guarantee eventual"),
        (until(p(0), p(1)), "guarantee"),
        (p(0).finally().globally(), "eventual universal"),
        (p(0).globally().finally(), "eventual universal"),
        (Formula::And(vec![p(0).finally(), p(1).globally()]), ""),
        (p(0).next(), "safety guarantee"),
    ];
    for (formula, expected) in rows {
        let id = arena.add(&formula);
        let classes = arena.classes(id);
        let words = [
            (classes.is_safety, "safety"),
            (classes.is_guarantee, "guarantee"),
            (classes.is_eventual, "eventual"),
            (classes.is_universal, "universal"),
        ];
        let words: Vec<&str> = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        assert_eq!(words.join(" "), expected, "{formula:?}");
        // The negation of what is safe is a guarantee.
        let negation = arena.negation(id);
        assert_eq!(arena.classes(negation).is_guarantee, classes.is_safety, "{formula:?}");
    }
}

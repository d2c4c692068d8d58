//! Simplified formulas against MONA: they mean the same, in WSκS itself and not only on finite domains, and
//! questions about systems keep their answers.

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_nets::instance::unfold::check_tree;
use paramcheck_text::limits::Budget;
use paramcheck_wsks::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, TermId};
use paramcheck_wsks::mona::{Answer, Means, Question, Worker, decide};
use paramcheck_wsks::print::mathematics;
use paramcheck_wsks::question::{Goal, question};
use paramcheck_wsks::simplify::rules::Rule;
use paramcheck_wsks::simplify::{Effort, simplify};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::support::{case, expected};

fn answer(store: &Store, formula: FormulaId, successors: u8) -> Answer {
    let means = Means {
        worker: Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() },
        budget: Budget::unlimited(),
        memory: None,
    };
    decide(&Question { store, formula, successors }, &means).unwrap().answer
}

struct Pool {
    nodes: Vec<NodeVariable>,
    sets: Vec<SetVariable>,
}

fn term(pool: &Pool, store: &mut Store, rng: &mut SmallRng) -> TermId {
    let mut term = match rng.random_range(0..4) {
        0 => store.root(),
        _ => {
            let node = pool.nodes[rng.random_range(0..pool.nodes.len())];
            store.node(node)
        }
    };
    // On words, second children are no nodes.
    while rng.random_range(0..3) == 0 {
        term = store.child(term, rng.random_range(1..=2));
    }
    term
}

/// Quantifiers over conjunctions in which, often, the variable equals something.
fn formula(pool: &Pool, store: &mut Store, rng: &mut SmallRng, depth: usize) -> FormulaId {
    let (x, set) =
        (pool.nodes[rng.random_range(0..pool.nodes.len())], pool.sets[rng.random_range(0..pool.sets.len())]);
    let kind = if depth == 0 { rng.random_range(0..4) } else { rng.random_range(0..15) };
    match kind {
        0 | 1 => {
            let node = term(pool, store, rng);
            store.member(node, set)
        }
        2 => {
            let (left, right) = (term(pool, store, rng), term(pool, store, rng));
            store.equal(left, right)
        }
        3 => store.subset(set, pool.sets[0]),
        4 => {
            let part = formula(pool, store, rng, depth - 1);
            store.not(part)
        }
        5..=8 => {
            let parts: Vec<FormulaId> =
                (0..rng.random_range(2..4)).map(|_| formula(pool, store, rng, depth - 1)).collect();
            if kind < 7 { store.and(parts) } else { store.or(parts) }
        }
        _ => {
            let mut parts = vec![formula(pool, store, rng, depth - 1)];
            let is_set = kind >= 13;
            if rng.random() {
                let equal = if is_set {
                    store.insert(Formula::SetEqual(set, pool.sets[rng.random_range(0..pool.sets.len())]))
                } else {
                    let (left, right) = (store.node(x), term(pool, store, rng));
                    store.equal(left, right)
                };
                parts.insert(rng.random_range(0..2), equal);
            }
            let body = store.and(parts);
            store.insert(match kind {
                9 | 10 => Formula::ExistsNode(x, body),
                11 => Formula::ForallNode(x, body),
                12 => Formula::ExistsOneNode(x, body),
                13 => Formula::ExistsSet(set, body),
                _ => Formula::ForallSet(set, body),
            })
        }
    }
}

#[test]
fn simplified_formulas_mean_the_same() {
    let all = Rule::ALL.map(|rule| vec![rule]).into_iter().chain([Rule::ALL.to_vec()]);
    for rules in all {
        let mut changed = 0;
        for seed in 0..2_000_u64 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let successors = 1 + (seed % 2) as u8;
            let mut store = Store::new();
            let pool = Pool {
                nodes: ["x", "y"].map(|name| store.new_node(name)).to_vec(),
                sets: ["X", "Y"].map(|name| store.new_set(name)).to_vec(),
            };
            let before = formula(&pool, &mut store, &mut rng, 3);
            // Quantifiers in front of everything are left to MONA.
            let before = store.not(before);
            let effort = Effort { rules: rules.clone(), least: 0, ..Effort::default() };
            let after = simplify(&mut store, before, successors, &effort).formula;
            let same = store.iff(before, after);
            let differ = store.not(same);
            if after == before || store.get(differ) == &Formula::False {
                continue;
            }
            let text = |formula| mathematics(&store, formula, &[]);
            let witness = answer(&store, differ, successors);
            assert_eq!(
                witness,
                Answer::Unsatisfiable,
                "{rules:?}, seed {seed}:\n{}\n{}",
                text(before),
                text(after)
            );
            changed += 1;
            if changed == 60 {
                break;
            }
        }
        assert!(changed >= 20, "{rules:?}: {changed}");
    }
}

#[test]
fn questions_keep_their_answers() {
    let pair = vec![InvariantKind::TRAP, InvariantKind::MUTEX];
    let (mut simplified, mut counts) = (0, [0, 0]);
    for (file, error, _) in expected("table1") {
        let system = case(&file);
        let error = system.error_named(&error).unwrap();
        for kinds in [pair.clone(), InvariantKind::all_up_to(2)] {
            let plain = question(&system, Goal::Error(&error.formula), &kinds, &[]).unwrap();
            let usual = plain.clone().simplified();
            // Everything, where the usual effort leaves most alone.
            let mut most = plain.clone();
            let effort = Effort { rules: Rule::ALL.to_vec(), least: 0, ..Effort::default() };
            most.formula = simplify(&mut most.store, most.formula, most.kappa, &effort).formula;
            let answers = [&plain, &usual, &most].map(|q| answer(&q.store, q.formula, q.kappa));
            let is_satisfiable = answers[0] != Answer::Unsatisfiable;
            for (answer, question) in answers.iter().zip([&plain, &usual, &most]) {
                assert_eq!(answer != &Answer::Unsatisfiable, is_satisfiable, "{file}, {}", error.name);
                if let Answer::Satisfiable(witness) = answer {
                    let (tree, _) = question.decode(&witness.sets()).unwrap();
                    assert_eq!(check_tree(&system, &tree), Ok(()), "{file}");
                }
            }
            assert_ne!(most.formula, plain.formula, "{file}");
            simplified += usize::from(usual.formula != plain.formula);
            counts[usize::from(is_satisfiable)] += 1;
        }
    }
    assert!(simplified >= 8 && counts.iter().all(|&count| count >= 8), "{simplified} {counts:?}");
}

#[test]
fn names_stay_with_what_they_name() {
    let system = case("table1/tree-linked-leaves.rs");
    let error = system.error_named("deadlock").unwrap();
    let plain = question(&system, Goal::Error(&error.formula), &InvariantKind::all_up_to(1), &[]).unwrap();
    let simplified = plain.clone().simplified();
    let names = |question: &paramcheck_wsks::question::Question| -> Vec<String> {
        let parts = question.store.parts_of(question.formula);
        let used = question.definitions.iter().filter(|definition| parts.contains(&definition.formula));
        used.map(|definition| definition.name.clone()).collect()
    };
    let after = names(&simplified);
    for name in ["RTree", "mark", "DeadLock", "trapInv", "mutexInv", "siphonInv"] {
        assert!(after.iter().any(|other| other == name), "{name}: {after:?}");
    }
    assert!(after.len() * 2 > names(&plain).len(), "{after:?}");
}

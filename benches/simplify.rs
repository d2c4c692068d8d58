//! What simplification saves MONA.
#![allow(warnings)]
use std::collections::*;
use std::fs;
use std::path::Path;
use std::time::Instant;

use paramcheck::engine::mona::{Answer, Means, Question, Worker, decide};
use paramcheck::invariant::InvariantKind;
use paramcheck::logic::formula::{Formula, FormulaId, SetVariable, Store, Variable};
use paramcheck::logic::question::{Goal, question};
use paramcheck::model::lower::load;
use paramcheck::support::limits::Budget;

fn greedy(store: &Store, parts: &[FormulaId], keep_first: usize) -> Vec<FormulaId> {
    let mut left: Vec<FormulaId> = parts.to_vec();
    let mut out: Vec<FormulaId> = left.drain(..keep_first.min(left.len())).collect();
    let mut have: BTreeSet<Variable> = out.iter().flat_map(|&p| store.free_variables(p).to_vec()).collect();
    while !left.is_empty() {
        let (i, _) = left.iter().enumerate().min_by_key(|(i, p)| (store.free_variables(**p).iter().filter(|v| !have.contains(v)).count(), *i)).unwrap();
        let p = left.remove(i);
        have.extend(store.free_variables(p).iter().copied());
        out.push(p);
    }
    out
}
fn flat(store: &Store, f: FormulaId, out: &mut Vec<FormulaId>) {
    match store.get(f) { Formula::And(ps) => for &p in ps.iter() { flat(store, p, out) }, _ => if !out.contains(&f) { out.push(f) } }
}

fn experiment(store: &mut Store, root: FormulaId, mode: &str) -> FormulaId {
    let mut done: BTreeMap<FormulaId, FormulaId> = Default::default();
    let rtree = store.parts_of(root).into_iter().find(|&p| matches!(store.get(p), Formula::And(ps) if ps.len() > 2)).unwrap();
    for part in store.parts_of(root) {
        let f = store.get(part).clone().map_parts(|p| done[&p]);
        let new = match f {
            Formula::And(parts) if mode.contains('o') => { let p = greedy(store, &parts, 1); store.and(p) }
            Formula::ForallNode(x, b) if mode.contains('s') => {
                match store.get(b).clone() {
                    Formula::And(ps) => {
                        let ps: Vec<_> = ps.iter().map(|&p| store.forall_node(x, p)).collect();
                        store.and(ps)
                    }
                    _ => store.forall_node(x, b),
                }
            }
            Formula::ExistsSet(y, b) if mode.contains('r') && matches!(store.get(b), Formula::And(_)) => {
                let Formula::And(ps) = store.get(b).clone() else { unreachable!() };
                let mut p = greedy(store, &ps, 1);
                if mode.contains('f') {
                    let mut o = Vec::new();
                    for q in p { flat(store, q, &mut o) }
                    p = greedy(store, &o, 1);
                }
                let b = store.and(p);
                store.exists_set(y, b)
            }
            // early quantification, innermost variable first, over a flattened body
            Formula::ExistsSet(y, b) if mode.contains('b') => {
                let mut ps = Vec::new();
                flat(store, b, &mut ps);
                let rt = done.get(&rtree).copied().unwrap();
                let mut rts = Vec::new(); flat(store, rt, &mut rts);
                if let Formula::And(top) = store.get(b).clone() { ps = top.to_vec(); }
                let (with, without): (Vec<_>, Vec<_>) = ps.into_iter().partition(|&p| store.is_free(Variable::Set(y), p));
                let mut inner = Vec::new();
                if !mode.contains('n') && without.contains(&rt) { inner.push(rt); }
                inner.extend(with);
                let inner = store.and(inner);
                let e = store.exists_set(y, inner);
                let mut out = without; out.push(e);
                store.and(out)
            }
            f => store.construct(f),
        };
        done.insert(part, new);
    }
    done[&root]
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the cases are there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("valid JSON");
    let means = Means {
        worker: Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() },
        budget: Budget::unlimited(),
        memory: None,
    };
    let modes: Vec<String> = std::env::var("MODES").unwrap().split(',').map(str::to_owned).collect();
    let mut totals = vec![(0u64, 0u64, vec![]); modes.len()];
    for (model, errors) in expected.as_object().expect("an object") {
        let text = fs::read_to_string(folder.join(model)).expect("a model");
        let system = load(&text).system.expect("system");
        for error in errors.as_object().expect("an object").keys() {
            let error = system.error_named(error).expect("error");
            for kinds in [vec![InvariantKind::TRAP, InvariantKind::MUTEX], InvariantKind::all_up_to(2)] {
                let q = question(&system, Goal::Error(&error.formula), &kinds, &[]).expect("q");
                let made: Vec<_> = modes.iter().map(|mode| { let mut s = q.store.clone(); let f = experiment(&mut s, q.formula, mode); (s, f) }).collect();
                let mut best = vec![(u64::MAX, u64::MAX, 0, 0, 0); modes.len()];
                let mut sat = None;
                for _ in 0..std::env::var("N").map_or(5, |n| n.parse().unwrap()) {
                    for (m, (s, f)) in made.iter().enumerate() {
                        let start = Instant::now();
                        let d = decide(&Question { store: s, formula: *f, successors: q.kappa }, &means).expect("d");
                        let t = start.elapsed().as_micros() as u64;
                        let is = matches!(d.answer, Answer::Satisfiable(_));
                        assert_eq!(*sat.get_or_insert(is), is);
                        let sum: u64 = d.built.iter().map(|b| b.micros).sum();
                        let b = &mut best[m];
                        b.0 = b.0.min(t); b.1 = b.1.min(sum);
                        b.2 = d.built.iter().map(|b| b.states).max().unwrap_or(0);
                        b.3 = d.built.iter().map(|b| b.nodes).max().unwrap_or(0);
                        b.4 = d.built.len();
                    }
                }
                print!("{model} {} {}", error.name, kinds.len());
                for (m, b) in best.iter().enumerate() {
                    print!(" | {} {:.1}/{:.1} {} {} {}", modes[m], b.0 as f64/1e3, b.1 as f64/1e3, b.2, b.3, b.4);
                    totals[m].0 += b.0; totals[m].1 += b.1; totals[m].2.push((b.0 as f64 / best[0].0 as f64 * 1000.) as u64);
                }
                println!();
            }
        }
    }
    for (m, t) in totals.iter_mut().enumerate() {
        t.2.sort();
        println!("{}: total {} sum {} median ratio {} min {} max {}", modes[m], t.0, t.1, t.2[t.2.len()/2], t.2[0], t.2[t.2.len()-1]);
    }
}

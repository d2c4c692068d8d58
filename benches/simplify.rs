//! What simplification saves MONA, and what it takes: `cargo bench --features mona --bench simplify`.

#![allow(warnings)]
mod families;
#[path = "measure.rs"]
mod measure;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use paramcheck::engine::mona::{Answer, Decision, Means, Question, Worker, decide};
use paramcheck::invariant::InvariantKind;
use paramcheck::logic::encoding::Encoder;
use paramcheck::logic::formula::{FormulaId, Store};
use paramcheck::logic::normalize::normalize;
use paramcheck::logic::question::{Goal, question};
use paramcheck::logic::simplify::{Effort, rules::Rule, simplify};
use paramcheck::model::lower::load;
use paramcheck::support::limits::Budget;

struct Task {
    group: &'static str,
    name: String,
    store: Store,
    formula: FormulaId,
    kappa: u8,
}

fn tasks() -> Vec<Task> {
    let mut out = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pick = std::env::var("SETS").unwrap_or("table,all,paper,wsks,grow".into());
    let pair = vec![InvariantKind::TRAP, InvariantKind::MUTEX];
    let folder = root.join("tests/cases/table1");
    let expected: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    for (group, kinds) in [("table", pair.clone()), ("all", InvariantKind::all_up_to(2))] {
        if !pick.contains(group) {
            continue;
        }
        for (model, errors) in expected.as_object().unwrap() {
            let system = load(&fs::read_to_string(folder.join(model)).unwrap()).system.unwrap();
            for error in errors.as_object().unwrap().keys() {
                let error = system.error_named(error).unwrap();
                let q = question(&system, Goal::Error(&error.formula), &kinds, &[]).unwrap();
                out.push(Task {
                    group,
                    name: format!("{model} {}", error.name),
                    store: q.store,
                    formula: q.formula,
                    kappa: q.kappa,
                });
            }
        }
    }
    if pick.contains("wsks") {
        for file in ["rings/lights-by-sets.rs", "rings/sole-owner.rs", "stars/jury.rs"] {
            let system = load(&fs::read_to_string(root.join("examples").join(file)).unwrap()).system.unwrap();
            for error in system.errors.iter() {
                let q = question(&system, Goal::Error(&error.formula), &pair, &[]).unwrap();
                out.push(Task {
                    group: "wsks",
                    name: format!("{file} {}", error.name),
                    store: q.store,
                    formula: q.formula,
                    kappa: q.kappa,
                });
            }
        }
    }
    if pick.contains("grow") {
        for (name, text, error) in [
            ("states16", families::ring_with_states(16), "deadlock"),
            ("states16", families::ring_with_states(16), "exclusion"),
            ("locks4", families::crowd_with_locks(4), "deadlock"),
            ("locks4", families::crowd_with_locks(4), "critical"),
            ("rules16", families::ring_with_rules(16), "deadlock"),
            ("rules16", families::ring_with_rules(16), "exclusion"),
        ] {
            let system = load(&text).system.unwrap();
            let error = system.error_named(error).unwrap();
            let q = question(&system, Goal::Error(&error.formula), &pair, &[]).unwrap();
            out.push(Task {
                group: "grow",
                name: format!("{name} {}", error.name),
                store: q.store,
                formula: q.formula,
                kappa: q.kappa,
            });
        }
    }
    if pick.contains("written") {
        let written = [
            ("three", "ex1 x, y, z: x in A & y in A & z in A & x != y & y != z & x != z"),
            ("notall", "!(all1 x: !(x in A & all1 y: !(y in B)))"),
            ("point", "ex1 x, y: x = y & x in A & y in T & all1 z: z in A => z = x"),
            ("pointset", "ex2 G: G = A & ex1 x: x in G & all1 y: y in G => y = x"),
            ("ways", "ex1 x, y: x in A & y in B | x in B & y in A | x in B & y in B & x != y"),
            (
                "waysset",
                "ex2 G: G sub A & (ex1 x: x in G & (all1 y: y in G => y = x) | (ex1 y: y in B & all1 z: z in G <=> z = y))",
            ),
            (
                "inward",
                "ex2 G, H: G sub A & H sub B & (ex1 x: x in G) & (ex1 y: y in H) & ex1 z: z in A & !(z in G)",
            ),
            ("absorb", "ex1 x: x in A & (x in A | x in B) & (x in B | !(x in A) | x in T)"),
            (
                "factor",
                "(ex1 x: x in A) & (ex1 y: y in B & y in T) | (ex1 x: x in A) & (ex1 y: y in B & !(y in T))",
            ),
            ("iff", "ex2 G: (all1 x: !(x in G) <=> !(x in A)) & all1 x: x in G => x in T"),
            ("vacuous", "all1 x: ex1 y: all1 z: y in A & !(y in B)"),
            ("alltogether", "all2 G: (all1 x: x in G => x in A) & (ex1 x: x in G) => ex1 x: x in G & x in T"),
        ];
        for (model, a, b, t) in [
            ("token-ring.rs", "busy", "hbusy", "Node"),
            ("star-ring.rs", "crit", "hcrit", "Node"),
            ("tree-linked-leaves.rs", "c", "tc", "Leaf"),
        ] {
            let text = fs::read_to_string(folder.join(model)).unwrap();
            for (name, formula) in written {
                let f: String = formula
                    .split(' ')
                    .map(|w| w.replace('A', a).replace('B', b).replace('T', t))
                    .collect::<Vec<_>>()
                    .join(" ");
                let loaded = load(&format!("{text}\nerror asked = wsks {{ {f} }};\n"));
                let Some(system) = loaded.system else {
                    println!("{f} {:?}", loaded.diagnostics);
                    continue;
                };
                let error = system.error_named("asked").unwrap();
                let q = question(&system, Goal::Error(&error.formula), &[], &[]).unwrap();
                out.push(Task {
                    group: "written",
                    name: format!("{model} {name}"),
                    store: q.store,
                    formula: q.formula,
                    kappa: q.kappa,
                });
            }
        }
    }
    if pick.contains("huge") {
        for (name, text, error) in [
            ("states24", families::ring_with_states(24), "deadlock"),
            ("states32", families::ring_with_states(32), "exclusion"),
            ("locks5", families::crowd_with_locks(5), "deadlock"),
            ("locks6", families::crowd_with_locks(6), "critical"),
            ("rules24", families::ring_with_rules(24), "deadlock"),
            ("rules32", families::ring_with_rules(32), "exclusion"),
        ] {
            let system = load(&text).system.unwrap();
            let error = system.error_named(error).unwrap();
            let q = question(&system, Goal::Error(&error.formula), &pair, &[]).unwrap();
            out.push(Task {
                group: "huge",
                name: format!("{name} {} {:?}", error.name, q.store.size(q.formula)),
                store: q.store,
                formula: q.formula,
                kappa: q.kappa,
            });
        }
    }
    if pick.contains("paper") {
        for model in ["token-ring.rs", "star.rs", "tree-back-root.rs"] {
            let system = load(&fs::read_to_string(folder.join(model)).unwrap()).system.unwrap();
            let n = normalize(&system);
            for what in ["trap", "mutex", "deadlock"] {
                let mut e = Encoder::new(&n.system, &[]).unwrap();
                let (r, m, c) = (e.rtree(), e.mark(), e.choices());
                let theta = e.theta.clone();
                let f = match what {
                    "trap" => e.trap_by_flow(&theta),
                    "mutex" => e.mutex_by_flow(&theta),
                    _ => e.deadlock_by_flow(),
                }
                .unwrap();
                let i = e.inst(&theta);
                let f = if what == "deadlock" { e.store.and([r, c, m, f]) } else { e.store.and([r, i, f]) };
                out.push(Task {
                    group: "paper",
                    name: format!("{model} {what}"),
                    kappa: e.kappa,
                    store: e.store,
                    formula: f,
                });
            }
        }
    }
    out
}

fn effort(mode: &str) -> Option<Effort> {
    if mode == "0" {
        return None;
    }
    let mut e = Effort::default();
    let mode = match mode.split_once(':') {
        Some((l, m)) => {
            e.least = l.parse().unwrap();
            m
        }
        None => mode,
    };
    let mode = match mode.split_once('@') {
        Some((l, m)) => {
            e.nodes = l.parse().unwrap();
            m
        }
        None => mode,
    };
    if let Some(drop) = mode.strip_prefix('-') {
        e.rules.retain(|r| !drop.split('-').any(|d| format!("{r:?}").starts_with(d)))
    }
    if let Some(only) = mode.strip_prefix('=') {
        e.rules.retain(|r| only.split('-').any(|d| !d.is_empty() && format!("{r:?}").starts_with(d)))
    }
    Some(e)
}

fn main() {
    if let Ok(d) = std::env::var("DUMP") {
        let v: Vec<&str> = d.split_whitespace().collect();
        return dump(v[0], v[1], v[2]);
    }
    let modes: Vec<String> = std::env::var("MODES").unwrap().split(',').map(str::to_owned).collect();
    let runs: usize = std::env::var("N").map_or(5, |n| n.parse().unwrap());
    let limit = std::env::var("LIMIT").map_or(60, |n| n.parse().unwrap());
    let mut ratios: BTreeMap<(&str, usize), Vec<[f64; 5]>> = BTreeMap::new();
    for task in tasks() {
        if std::env::var("WIDE").is_ok() {
            use paramcheck::logic::formula::Formula;
            let t = Instant::now();
            let (mut widest, mut sum, mut chain) = (0, 0usize, 0usize);
            for p in task.store.parts_of(task.formula) {
                if let Formula::ExistsSet(_, b) | Formula::ForallSet(_, b) = *task.store.get(p) {
                    let n = task.store.free_variables(b).len();
                    widest = widest.max(n);
                    sum += n;
                    chain += n * n;
                }
            }
            println!(
                "{} {} widest {widest} sum {sum} square {chain} {:?}",
                task.group,
                task.name,
                t.elapsed()
            );
            continue;
        }
        let made: Vec<_> = modes
            .iter()
            .map(|mode| {
                let mut s = task.store.clone();
                let start = Instant::now();
                let f =
                    effort(mode).map_or(task.formula, |e| simplify(&mut s, task.formula, task.kappa, &e).0);
                let t = start.elapsed();
                (s, f, t)
            })
            .collect();
        let mut best = vec![(f64::MAX, 0, 0, 0, 0u64); modes.len()];
        let mut sat = None;
        for run in 0..runs {
            for (m, (s, f, _)) in made.iter().enumerate() {
                if run > 0 && (best[m].0 > 1e3 || best[m].0 == f64::MAX) {
                    continue;
                }
                let means = Means {
                    worker: Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() },
                    budget: Budget::for_duration(Duration::from_secs(limit)),
                    memory: Some(3 << 30),
                };
                let start = Instant::now();
                let d = decide(&Question { store: s, formula: *f, successors: task.kappa }, &means);
                let t = start.elapsed().as_secs_f64() * 1e3;
                let d = match d {
                    Ok(d) => d,
                    Err(e) => {
                        if run == 0 {
                            println!("   {}: {} {e}", task.name, modes[m]);
                        }
                        continue;
                    }
                };
                let is = matches!(d.answer, Answer::Satisfiable(_));
                assert_eq!(*sat.get_or_insert(is), is);
                let b = &mut best[m];
                b.0 = b.0.min(t);
                b.1 = d.built.iter().map(|b| b.states).max().unwrap_or(0);
                b.2 = d.built.iter().map(|b| b.nodes).max().unwrap_or(0);
                b.3 = d.built.len();
                b.4 = d.built.iter().map(|b| b.nodes as u64).sum();
            }
        }
        print!("{} {}", task.group, task.name);
        for (m, b) in best.iter().enumerate() {
            print!(
                " | {} {:.1}+{:.1} {} {} {} {}",
                modes[m],
                made[m].2.as_secs_f64() * 1e3,
                b.0,
                b.1,
                b.2,
                b.3,
                b.4
            );
            if best[0].0 < 1e300 && b.0 < 1e300 {
                ratios.entry((task.group, m)).or_default().push([
                    b.0 / best[0].0,
                    (b.0 + made[m].2.as_secs_f64() * 1e3) / best[0].0,
                    b.4 as f64 / best[0].4 as f64,
                    b.2 as f64 / best[0].2 as f64,
                    b.3 as f64 / best[0].3 as f64,
                ]);
            }
        }
        println!();
    }
    for ((g, m), rs) in ratios {
        print!("{g:<6} {:<12}", modes[m]);
        for i in 0..5 {
            let mut v: Vec<f64> = rs.iter().map(|r| r[i]).collect();
            v.sort_by(f64::total_cmp);
            print!(
                "  {} med {:.3} ({:.2}..{:.2})",
                ["mona", "both", "sum", "max", "steps"][i],
                v[v.len() / 2],
                v[0],
                v[v.len() - 1]
            );
        }
        println!();
    }
}

fn show(store: &Store, f: FormulaId, names: &BTreeMap<FormulaId, String>, depth: usize) -> String {
    use paramcheck::logic::formula::Formula::*;
    if depth > 0 {
        if let Some(n) = names.get(&f) {
            return n.clone();
        }
    }
    let go = |f: &FormulaId| show(store, *f, names, depth + 1);
    let fv =
        || store.free_variables(f).iter().map(|v| store.name(*v).to_owned()).collect::<Vec<_>>().join(",");
    match store.get(f) {
        And(ps) => format!("({})", ps.iter().map(go).collect::<Vec<_>>().join(" & ")),
        Or(ps) => format!("[{}]", ps.iter().map(go).collect::<Vec<_>>().join(" | ")),
        Not(p) => format!("~{}", go(p)),
        Implies([a, b]) => format!("({} => {})", go(a), go(b)),
        ExistsSet(x, p) => {
            format!("E{}.{}", store.name(paramcheck::logic::formula::Variable::Set(*x)), go(p))
        }
        ForallSet(x, p) => {
            format!("A{}.{}", store.name(paramcheck::logic::formula::Variable::Set(*x)), go(p))
        }
        _ => format!("<{}>", fv()),
    }
}
pub fn dump(file: &str, error: &str, mode: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let system = load(&fs::read_to_string(root.join(file)).unwrap()).system.unwrap();
    let error = system.error_named(error).unwrap();
    let mut q =
        question(&system, Goal::Error(&error.formula), &[InvariantKind::TRAP, InvariantKind::MUTEX], &[])
            .unwrap();
    let mut names: BTreeMap<_, _> = q.definitions.iter().map(|d| (d.formula, d.name.clone())).collect();
    let (f, map) = simplify(&mut q.store, q.formula, q.kappa, &effort(mode).unwrap());
    let mut more = Vec::new();
    for (a, b) in &map {
        if let Some(n) = names.get(a) {
            if a != b {
                more.push((*b, format!("{n}'")));
            }
        }
    }
    names.extend(more);
    let mut all: Vec<_> = map.iter().filter(|(a, b)| a != b).collect();
    all.sort();
    for (a, b) in all {
        println!("{}\n    {}", show(&q.store, *a, &names, 0), show(&q.store, *b, &names, 0));
    }
}

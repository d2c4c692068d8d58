//! The engine that runs MONA, as a user of the library sees it: known truths, random formulas against
//! the stand-alone program `mona`, witnesses, and every way to give out.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_wsks::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, TermId, Variable};
use paramcheck_wsks::mona::{Answer, Decision, Means, Question, Undecided, Value, Witness, Worker, decide};

use super::support::standalone;

fn means() -> Means {
    Means {
        worker: Worker { program: env!("CARGO_BIN_EXE_paramcheck").into() },
        budget: Budget::unlimited(),
        memory: None,
    }
}

fn ask(store: &Store, formula: FormulaId, successors: u8) -> Result<Decision, Undecided> {
    decide(&Question { store, formula, successors }, &means())
}

fn witness(store: &Store, formula: FormulaId, successors: u8) -> Option<Witness> {
    match ask(store, formula, successors).unwrap().answer {
        Answer::Unsatisfiable => None,
        Answer::Satisfiable(witness) => Some(witness),
    }
}

#[track_caller]
fn valid(store: &mut Store, formula: FormulaId, successors: u8) {
    let negation = store.not(formula);
    assert_eq!(witness(store, negation, successors), None);
}

// ---- known truths ----

/// ∀x. x ∈ X ⇒ x.c ∈ X for every child c
fn closed(store: &mut Store, set: SetVariable, successors: u8) -> FormulaId {
    let x = store.new_node("x");
    let node = store.node(x);
    let inside = store.member(node, set);
    let children: Vec<_> = (1..=successors)
        .map(|child| {
            let child = store.child(node, child);
            store.member(child, set)
        })
        .collect();
    let below = store.and(children);
    let step = store.implies(inside, below);
    store.forall_node(x, step)
}

#[test]
fn finite_sets_do_not_go_on_for_ever() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let set = store.new_set("X");
        let closed = closed(&mut store, set, successors);
        let x = store.new_node("x");
        let node = store.node(x);
        let member = store.member(node, set);
        let some = store.exists_node(x, member);
        let both = store.and([closed, some]);
        assert_eq!(witness(&store, both, successors), None);
        let witness = witness(&store, closed, successors).unwrap();
        assert_eq!(witness.values, [(Variable::Set(set), Value::Set(vec![]))]);
    }
}

#[test]
fn every_set_that_is_not_empty_has_an_element_without_a_child_in_it() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let (set, x) = (store.new_set("X"), store.new_node("x"));
        let node = store.node(x);
        let member = store.member(node, set);
        let mut parts = vec![member];
        for child in 1..=successors {
            let child = store.child(node, child);
            let inside = store.member(child, set);
            parts.push(store.not(inside));
        }
        let some = store.exists_node(x, member);
        let last = store.and(parts);
        let last = store.exists_node(x, last);
        let claim = store.implies(some, last);
        let claim = store.forall_set(set, claim);
        valid(&mut store, claim, successors);
    }
}

#[test]
fn the_root_is_no_child_and_the_only_node_that_is_none() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let (x, y) = (store.new_node("x"), store.new_node("y"));
        let (node, parent, root) = (store.node(x), store.node(y), store.root());
        let is_root = store.equal(node, root);
        let mut some = Vec::new();
        for child in 1..=successors {
            let child = store.child(parent, child);
            some.push(store.equal(node, child));
        }
        let some = store.or(some);
        let is_child = store.exists_node(y, some);
        let not_root = store.not(is_root);
        let claim = store.iff(is_child, not_root);
        let claim = store.forall_node(x, claim);
        valid(&mut store, claim, successors);
        let one = store.exists_one_node(x, is_root);
        valid(&mut store, one, successors);
        let one = store.exists_one_node(x, is_child);
        let none = store.not(one);
        valid(&mut store, none, successors);
    }
}

#[test]
fn witnesses_are_small_and_say_where_the_nodes_are() {
    // x = ε.1.2, y = x.1, X holds both.
    let mut store = Store::new();
    let (set, x, y) = (store.new_set("X"), store.new_node("x"), store.new_node("y"));
    let (x_node, y_node, root) = (store.node(x), store.node(y), store.root());
    let child = store.child(root, 1);
    let grandchild = store.child(child, 2);
    let below = store.child(x_node, 1);
    let parts = [
        store.equal(x_node, grandchild),
        store.equal(y_node, below),
        store.member(x_node, set),
        store.member(y_node, set),
    ];
    let all = store.and(parts);
    let all = store.exists_node(y, all);
    let witness = witness(&store, all, 2).unwrap();
    let Some(&Value::Node(x_at)) = witness.value(Variable::Node(x)) else { panic!("{witness:?}") };
    let Some(&Value::Node(y_at)) = witness.value(Variable::Node(y)) else { panic!("{witness:?}") };
    assert_eq!((witness.address(x_at), witness.address(y_at)), (vec![1, 2], vec![1, 2, 1]));
    assert_eq!(witness.value(Variable::Set(set)), Some(&Value::Set(vec![x_at, y_at])));
    assert_eq!(witness.nodes.len(), 4);
}

#[test]
fn constants_need_no_child() {
    let mut store = Store::new();
    let (truth, falsity) = (store.truth(), store.falsity());
    let nowhere = Means { worker: Worker { program: "/nonexistent".into() }, ..means() };
    let ask = |formula| decide(&Question { store: &store, formula, successors: 1 }, &nowhere).unwrap().answer;
    assert_eq!(ask(falsity), Answer::Unsatisfiable);
    assert_eq!(ask(truth), Answer::Satisfiable(Witness { nodes: vec![None], values: vec![] }));
}

// ---- random formulas against the stand-alone program ----

/// A small generator of numbers (xorshift): failures name the seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

struct Pool {
    nodes: Vec<NodeVariable>,
    sets: Vec<SetVariable>,
}

fn random_term(random: &mut Random, store: &mut Store, pool: &Pool, successors: u8) -> TermId {
    let mut term = match random.below(6) {
        0 => store.root(),
        _ => {
            let node = pool.nodes[random.below(pool.nodes.len())];
            store.node(node)
        }
    };
    for _ in 0..[0, 0, 0, 1, 1, 2, 3][random.below(7)] {
        let child = 1 + random.below(successors.into()) as u8;
        term = store.child(term, child);
    }
    term
}

fn random_formula(
    random: &mut Random,
    store: &mut Store,
    pool: &Pool,
    successors: u8,
    size: usize,
) -> FormulaId {
    if size <= 1 {
        let set = |random: &mut Random| pool.sets[random.below(pool.sets.len())];
        return match random.below(6) {
            0 => {
                let left = random_term(random, store, pool, successors);
                let right = random_term(random, store, pool, successors);
                store.equal(left, right)
            }
            1 => {
                let (left, right) = (set(random), set(random));
                store.subset(left, right)
            }
            2 => {
                let (left, right) = (set(random), set(random));
                store.set_equal(left, right)
            }
            _ => {
                let node = random_term(random, store, pool, successors);
                let set = set(random);
                store.member(node, set)
            }
        };
    }
    let kind = random.below(11);
    if kind < 5 {
        let part = random_formula(random, store, pool, successors, size - 1);
        let node = pool.nodes[random.below(pool.nodes.len())];
        let set = pool.sets[random.below(pool.sets.len())];
        return match kind {
            0 => store.exists_node(node, part),
            1 => store.forall_node(node, part),
            2 => store.exists_one_node(node, part),
            3 => store.exists_set(set, part),
            _ => store.forall_set(set, part),
        };
    }
    let left_size = 1 + random.below(size - 1);
    let left = random_formula(random, store, pool, successors, left_size);
    let right = random_formula(random, store, pool, successors, size - left_size);
    match kind {
        5 => store.not(left),
        6 | 7 => store.and([left, right]),
        8 => store.or([left, right]),
        9 => store.implies(left, right),
        _ => store.iff(left, right),
    }
}

/// A formula in the input language of the program `mona`, every binding with a name of its own.
struct Printer<'a> {
    store: &'a Store,
    successors: u8,
    fresh: usize,
}

impl Printer<'_> {
    fn name(bound: &[(Variable, String)], variable: Variable) -> String {
        match bound.iter().rev().find(|(other, _)| *other == variable) {
            Some((_, name)) => name.clone(),
            None => format!("{variable:?}").replace(['(', ')'], "_"),
        }
    }

    fn term(&self, bound: &[(Variable, String)], term: TermId) -> String {
        let (base, path) = self.store.term_path(term);
        let base = base.map(|x| Self::name(bound, Variable::Node(x)));
        if self.successors == 1 {
            let base = base.unwrap_or("0".to_owned());
            return format!("({base} + {})", path.len());
        }
        let base = base.unwrap_or("root".to_owned());
        path.iter().fold(base, |term, child| format!("{term}.{}", child - 1))
    }

    fn formula(&mut self, bound: &mut Vec<(Variable, String)>, id: FormulaId) -> String {
        let store = self.store;
        let set = |bound: &[_], set| Self::name(bound, Variable::Set(set));
        let join = |parts: Vec<String>, by: &str| format!("({})", parts.join(by));
        match store.get(id) {
            Formula::True => "true".to_owned(),
            Formula::False => "false".to_owned(),
            Formula::Equal(left, right) => {
                format!("({} = {})", self.term(bound, *left), self.term(bound, *right))
            }
            Formula::Member(node, x) => format!("({} in {})", self.term(bound, *node), set(bound, *x)),
            Formula::Subset(left, right) => format!("({} sub {})", set(bound, *left), set(bound, *right)),
            Formula::SetEqual(left, right) => format!("({} = {})", set(bound, *left), set(bound, *right)),
            Formula::Not(part) => format!("~{}", self.formula(bound, *part)),
            Formula::And(parts) => join(parts.iter().map(|&part| self.formula(bound, part)).collect(), " & "),
            Formula::Or(parts) => join(parts.iter().map(|&part| self.formula(bound, part)).collect(), " | "),
            Formula::Implies(parts) => {
                join(parts.iter().map(|&part| self.formula(bound, part)).collect(), " => ")
            }
            Formula::Iff(parts) => {
                join(parts.iter().map(|&part| self.formula(bound, part)).collect(), " <=> ")
            }
            Formula::ExistsNode(x, part) => self.quantify("ex1", bound, Variable::Node(*x), *part).1,
            Formula::ForallNode(x, part) => self.quantify("all1", bound, Variable::Node(*x), *part).1,
            Formula::ExistsSet(x, part) => self.quantify("ex2", bound, Variable::Set(*x), *part).1,
            Formula::ForallSet(x, part) => self.quantify("all2", bound, Variable::Set(*x), *part).1,
            Formula::ExistsOneNode(x, part) => {
                let x = Variable::Node(*x);
                self.fresh += 1;
                let only = format!("only{}", self.fresh);
                let (name, all) = self.quantify("all1", bound, x, *part);
                let all = all.replacen(&format!("all1 {name}: "), "", 1);
                format!("(ex1 {only}: all1 {name}: ({all} <=> {name} = {only}))")
            }
        }
    }

    fn quantify(
        &mut self,
        quantifier: &str,
        bound: &mut Vec<(Variable, String)>,
        variable: Variable,
        part: FormulaId,
    ) -> (String, String) {
        self.fresh += 1;
        let name = format!("v{}", self.fresh);
        bound.push((variable, name.clone()));
        let part = self.formula(bound, part);
        bound.pop();
        let text = format!("({quantifier} {name}: {part})");
        (name, text)
    }
}

/// The formula as a program for `mona`, with `values` of free variables fixed.
fn program(store: &Store, formula: FormulaId, successors: u8, fixed: Option<&Witness>) -> String {
    let mut text = format!("ws{successors}s;\n");
    for &variable in store.free_variables(formula) {
        let order = if matches!(variable, Variable::Node(_)) { 1 } else { 2 };
        text += &format!("var{order} {};\n", Printer::name(&[], variable));
    }
    if let Some(witness) = fixed {
        let address = |&node: &u32| {
            let path = witness.address(node);
            if successors == 1 {
                return path.len().to_string();
            }
            path.iter().fold("root".to_owned(), |term, child| format!("{term}.{}", child - 1))
        };
        for (variable, value) in &witness.values {
            if store.is_free(*variable, formula) {
                let name = Printer::name(&[], *variable);
                text += &match value {
                    Value::Node(node) => format!("{name} = {};\n", address(node)),
                    Value::Set(nodes) if nodes.is_empty() => format!("empty({name});\n"),
                    Value::Set(nodes) => {
                        let nodes: Vec<_> = nodes.iter().map(address).collect();
                        format!("{name} = {{{}}};\n", nodes.join(", "))
                    }
                };
            }
        }
    }
    let mut printer = Printer { store, successors, fresh: 0 };
    text += &printer.formula(&mut Vec::new(), formula);
    text + ";\n"
}

/// Whether the program `mona` finds `program` satisfiable.
fn is_satisfiable(program: &str) -> bool {
    standalone::is_satisfiable(&standalone::run(program))
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn random_formulas_are_decided_as_the_stand_alone_program_does() {
    let mut satisfiable = [0, 0];
    for seed in 1..=160_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let successors = 1 + (seed % 2) as u8;
        let mut store = Store::new();
        let pool = Pool {
            nodes: (0..3).map(|_| store.new_node("x")).collect(),
            sets: (0..3).map(|_| store.new_set("X")).collect(),
        };
        let size = 3 + random.below(if successors == 1 { 10 } else { 7 });
        let formula = random_formula(&mut random, &mut store, &pool, successors, size);
        let text = program(&store, formula, successors, None);
        let expected = is_satisfiable(&text);
        satisfiable[usize::from(expected)] += 1;
        let found = witness(&store, formula, successors);
        assert_eq!(found.is_some(), expected, "seed {seed}:\n{text}");
        if let Some(found) = found {
            let fixed = program(&store, formula, successors, Some(&found));
            assert!(is_satisfiable(&fixed), "seed {seed}: not a witness: {found:?}\n{fixed}");
        }
    }
    assert!(satisfiable[0] > 20 && satisfiable[1] > 20, "{satisfiable:?}");
}

// ---- failures ----

/// X holds two nodes `distance` apart, as a claim about all X: its automaton must remember the last
/// `distance` nodes, in as many states as there are sets of them.
fn endless(store: &mut Store, distance: usize) -> FormulaId {
    let (x, set) = (store.new_node("x"), store.new_set("X"));
    let node = store.node(x);
    let far = (0..distance).fold(node, |far, _| store.child(far, 1));
    let here = store.member(node, set);
    let there = store.member(far, set);
    let both = store.and([here, there]);
    store.exists_node(x, both)
}

/// A₁ = B₁ ∧ … ∧ Aₙ = Bₙ, whose diagram tests all A before all B: 2ⁿ nodes.
fn wide(store: &mut Store, n: usize) -> FormulaId {
    let left: Vec<_> = (0..n).map(|_| store.new_set("A")).collect();
    let right: Vec<_> = (0..n).map(|_| store.new_set("B")).collect();
    let parts: Vec<_> = left.iter().zip(&right).map(|(&left, &right)| store.set_equal(left, right)).collect();
    store.and(parts)
}

fn failure(store: &Store, formula: FormulaId, successors: u8, means: &Means) -> Undecided {
    match decide(&Question { store, formula, successors }, means) {
        Err(failed) => failed,
        Ok(decision) => panic!("an answer: {:?}", decision.answer),
    }
}

#[test]
fn too_many_nodes_are_a_reason() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let formula = wide(&mut store, 26);
        let failed = failure(&store, formula, successors, &means());
        assert_eq!((failed.what, failed.at), (MonaFailure::Nodes, Some(formula)));
        let largest = failed.built.iter().map(|built| built.nodes).max();
        assert!(largest > Some(1 << 20), "{largest:?}");
    }
}

#[test]
fn too_little_memory_is_a_reason() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let formula = wide(&mut store, 26);
        let failed = failure(&store, formula, successors, &Means { memory: Some(1 << 20), ..means() });
        assert_eq!((failed.what, failed.at), (MonaFailure::Memory, Some(formula)));
    }
}

#[test]
fn too_little_time_is_a_reason_and_says_where() {
    for successors in [1, 2] {
        let mut store = Store::new();
        let formula = endless(&mut store, 60);
        let means = means();
        let (progress, switch) = (means.budget.progress.clone(), means.budget.switch.clone());
        // The time is over once some automata are there, however long those take.
        let clock = std::thread::spawn(move || {
            while progress.get().1 < 3 {
                std::thread::sleep(Duration::from_millis(1));
            }
            switch.stop(Stop::Time);
        });
        // ∃x in front would be dropped.
        let not = store.not(formula);
        let failed = failure(&store, not, successors, &means);
        clock.join().unwrap();
        assert_eq!(failed.what, MonaFailure::Time);
        let at = failed.at.unwrap();
        assert!(store.parts_of(formula).contains(&at) && at != not, "{at:?}");
        assert!(!failed.built.is_empty());
    }
}

#[test]
fn an_interruption_is_a_reason() {
    let mut store = Store::new();
    let formula = endless(&mut store, 60);
    let formula = store.not(formula);
    let means = means();
    let switch = means.budget.switch.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        switch.stop(Stop::Interrupted);
    });
    assert_eq!(failure(&store, formula, 1, &means).what, MonaFailure::Interrupted);
}

/// A program that runs this script, in a file of its own.
#[cfg(unix)]
fn script(name: &str, text: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = std::env::temp_dir().join(format!("paramcheck-{name}-{}", std::process::id()));
    std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
#[cfg(unix)]
fn a_child_that_is_killed_is_a_reason() {
    let mut store = Store::new();
    let formula = endless(&mut store, 60);
    let formula = store.not(formula);
    let text = format!(
        "exec 3<&0\n{} \"$@\" <&3 &\nsleep 0.5\nkill -9 $!\nwait $!\nkill -9 $$",
        env!("CARGO_BIN_EXE_paramcheck")
    );
    let program = script("killed", &text);
    let means = Means { worker: Worker { program: program.clone() }, ..means() };
    let failed = failure(&store, formula, 1, &means);
    std::fs::remove_file(program).unwrap();
    // The shell may have had a word about it.
    assert!(matches!(&failed.what, MonaFailure::Died(how) if how.starts_with("signal 9")), "{failed:?}");
    assert!(failed.at.is_some());
}

#[test]
fn a_program_that_is_none_of_ours_is_a_reason() {
    let mut store = Store::new();
    let formula = wide(&mut store, 2);
    let with = |program: &str| Means { worker: Worker { program: program.into() }, ..means() };
    let failed = failure(&store, formula, 1, &with("/nonexistent/program"));
    assert!(matches!(failed.what, MonaFailure::NoChild(_)), "{failed:?}");
    let failed = failure(&store, formula, 1, &with("true"));
    assert_eq!(failed.what, MonaFailure::Died("exit code 0".to_owned()));
}

#[test]
fn other_numbers_of_successors_are_a_reason() {
    let mut store = Store::new();
    let formula = wide(&mut store, 2);
    for successors in [0, 3] {
        let failed = failure(&store, formula, successors, &means());
        assert_eq!(failed.what, MonaFailure::Successors(successors));
    }
}

/// A request that keeps a child busy for ever, as it is sent.
fn endless_request() -> String {
    let mut store = Store::new();
    let formula = endless(&mut store, 60);
    let formula = store.not(formula);
    let plan = paramcheck_wsks::mona::plan::lower(&store, formula, 1).unwrap().plan;
    let request = serde_json::json!({ "successors": 1, "memory": null, "plan": plan });
    format!("{request}\n")
}

#[test]
fn a_child_ends_when_its_input_closes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
        .arg(paramcheck_wsks::mona::WORKER_ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(endless_request().as_bytes()).unwrap();
    let mut heard = [0; 7];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut heard).unwrap();
    assert!(child.try_wait().unwrap().is_none());
    drop(input);
    // Would wait for ever otherwise.
    assert!(child.wait().unwrap().success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_dies_with_its_parent() {
    use std::io::{BufRead, BufReader};
    let text = format!(
        "exec 3<&0; {} {} <&3 >/dev/null & echo $!; wait",
        env!("CARGO_BIN_EXE_paramcheck"),
        paramcheck_wsks::mona::WORKER_ARGUMENT
    );
    let mut parent =
        Command::new("sh").args(["-c", &text]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = parent.stdin.take().unwrap();
    input.write_all(endless_request().as_bytes()).unwrap();
    let mut id = String::new();
    BufReader::new(parent.stdout.as_mut().unwrap()).read_line(&mut id).unwrap();
    let child = std::path::PathBuf::from(format!("/proc/{}", id.trim()));
    assert!(child.exists());
    // The child requests its death signal before it reads; so once the request is taken it has one.
    let is_working = || {
        let threads = std::fs::read_dir(child.join("task")).map_or(0, |threads| threads.count());
        threads >= 3
    };
    while !is_working() {
        std::thread::sleep(Duration::from_millis(10));
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    let is_dead = || std::fs::read_to_string(child.join("stat")).map_or(true, |stat| stat.contains(") Z "));
    // Would go on for ever otherwise: `input` is still open.
    while !is_dead() {
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(input);
}

#[test]
fn nonsense_is_refused_by_a_child() {
    for request in [
        "",
        "nonsense",
        "{}",
        r#"{"successors":1,"memory":null,"plan":{"steps":[],"conjuncts":[{"operand":{"step":7,"tracks":[]},"negated":false}]}}"#,
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
            .arg(paramcheck_wsks::mona::WORKER_ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(format!("{request}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(input);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.starts_with(r#"{"Refused":"#) && !output.status.success(), "{request}: {said}");
    }
}

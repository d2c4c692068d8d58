//! The emitted program, decided by the stand-alone `mona`: the published questions and all other models
//! with known answers, and the paper's own definitions against those that questions are made of.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use paramcheck::instance::marking::{ErrorCheck, from_tree};
use paramcheck::instance::unfold::{check_tree, unfold};
use paramcheck::invariant::InvariantKind;
use paramcheck::logic::emit;
use paramcheck::logic::encoding::{EncodeError, Encoder};
use paramcheck::logic::formula::{FormulaId, SetVariable, Variable};
use paramcheck::logic::normalize::normalize;
use paramcheck::logic::print;
use paramcheck::logic::question::{Goal, Question, question};
use paramcheck::logic::tracks::{NodePath, Witness};
use paramcheck::model::lower::load;
use paramcheck::model::system::System;
use serde_json::Value;

/// A folder that is removed when it is dropped: `mona` may write into the folder it runs in.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("paramcheck-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether `mona` can be run; tests that need it say so if not.
fn has_mona() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let found = Command::new("mona").output().is_ok();
        if !found {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "skipped: mona not installed");
        }
        found
    })
}

/// What `mona` prints for a program.
fn run(program: &str) -> String {
    let scratch = Scratch::new();
    let file = scratch.0.join("question.mona");
    fs::write(&file, program).unwrap();
    let output = Command::new("mona").arg("-q").arg(&file).current_dir(&scratch.0).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {text}{errors}\n{program}", output.status);
    text
}

/// Whether the output says that the formula has a model.
fn is_satisfiable(output: &str) -> bool {
    if output.contains("Formula is unsatisfiable") {
        return false;
    }
    assert!(output.contains("satisfying example") || output.contains("Formula is valid"), "{output}");
    true
}

/// The example in the output of a word question, or of a tree question.
fn witness(question: &Question, output: &str) -> Witness {
    // MONA's names are those of the emitted program, in the order of the free variables.
    let free: Vec<SetVariable> = question
        .store
        .free_variables(question.formula)
        .iter()
        .map(|variable| match variable {
            Variable::Set(set) => *set,
            Variable::Node(_) => panic!("a free first-order variable"),
        })
        .collect();
    let example = &output[output.find("satisfying example").unwrap()..];
    let mut nodes: BTreeMap<NodePath, Vec<SetVariable>> = BTreeMap::new();
    if question.kappa == 1 {
        let lines = example.lines().filter_map(|line| line.split_once(" = {"));
        for ((_, positions), &set) in lines.zip(&free) {
            for position in positions.trim_end_matches('}').split(',').filter(|text| !text.is_empty()) {
                let depth: usize = position.parse().unwrap();
                nodes.entry(vec![1; depth]).or_default().push(set);
            }
        }
    } else {
        let tree = example.lines().skip_while(|line| !line.starts_with("Universe")).nth(1).unwrap();
        let mut path = NodePath::new();
        for (position, c) in tree.char_indices() {
            match c {
                '(' => {
                    let bits = &tree[position + 1..];
                    let bits = bits.chars().take_while(|c| "01X".contains(*c));
                    let sets = bits.zip(&free).filter(|(bit, _)| *bit == '1').map(|(_, &set)| set);
                    nodes.insert(path.clone(), sets.collect());
                }
                ',' if tree[position + 1..].starts_with('(') => {
                    // After a node's bits its first child, after that its second.
                    if tree[..position].ends_with(')') {
                        *path.last_mut().unwrap() = 2;
                    } else {
                        path.push(1);
                    }
                }
                ')' if !tree[..position].ends_with('(') => {
                    path.pop();
                }
                _ => {}
            }
        }
    }
    nodes
}

/// Decides a question, and checks the example where there is one.
fn decide(name: &str, system: &System, error: &str, kinds: &[InvariantKind]) -> bool {
    let error = system.error_named(error).unwrap();
    let question = question(system, Goal::Error(&error.formula), kinds, &[]).unwrap();
    let output = run(&emit::mona(&question, name).unwrap());
    if !is_satisfiable(&output) {
        return false;
    }
    let (tree, marking) = question.decode(&witness(&question, &output)).unwrap();
    assert_eq!(check_tree(system, &tree), Ok(()), "{name}");
    let net = unfold(system, &tree);
    let marking = from_tree(&net, &marking).unwrap();
    let check = ErrorCheck::new(system, &net, &error.formula);
    assert!(
        check.holds(&net, &marking) == Some(true),
        "{name}: the example is no error: {tree:?} {marking:?}"
    );
    true
}

/// Model, error and what is expected of it.
fn expectations(folder: &str) -> Vec<(String, System, String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let document: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let mut result = Vec::new();
    for (file, errors) in document {
        let system = load(&fs::read_to_string(folder.join(&file)).unwrap()).system.unwrap();
        for (error, expected) in errors.as_object().unwrap() {
            result.push((file.clone(), system.clone(), error.clone(), expected.clone()));
        }
    }
    result
}

fn kinds(text: &str) -> Vec<InvariantKind> {
    text.split('+').map(|kind| kind.parse().unwrap()).collect()
}

#[test]
fn the_published_questions_get_their_answers() {
    if !has_mona() {
        return;
    }
    let all = InvariantKind::all_up_to(2);
    for (file, system, error, expected) in expectations("table1") {
        let is_proved = expected["verdict"] == "proved";
        assert_eq!(decide(&file, &system, &error, &all), !is_proved, "{file}: {error}");
        let pair = kinds("trap+mutex");
        assert_eq!(decide(&file, &system, &error, &pair), !is_proved, "{file}: {error} by traps and mutexes");
    }
}

#[test]
fn sets_of_invariants_prove_what_they_should() {
    if !has_mona() {
        return;
    }
    for folder in ["table1", "more", "classic"] {
        for (file, system, error, expected) in expectations(folder) {
            let Some(alone) = expected["alone"].as_object() else { continue };
            for (names, suffices) in alone {
                let is_proved = !decide(&file, &system, &error, &kinds(names));
                // A "no" was found with the paper's mutexes; ours may do more.
                let is_right = is_proved == suffices.as_bool().unwrap() || names.contains("mutex");
                assert!(is_right && (is_proved || suffices == false), "{file}: {error} by {names}");
            }
        }
    }
}

/// Whether two formulas mean the same on all rewriting trees.
fn are_equivalent(
    system: &System,
    make: impl FnOnce(&mut Encoder<'_>) -> Result<(FormulaId, FormulaId), EncodeError>,
) -> bool {
    let normal = normalize(system);
    let mut encoder = Encoder::new(&normal.system, &[]).unwrap();
    let (one, two) = make(&mut encoder).unwrap();
    let theta = encoder.theta.clone();
    let context = [encoder.rtree(), encoder.choices(), encoder.mark(), encoder.inst(&theta)];
    let same = encoder.store.iff(one, two);
    let different = encoder.store.not(same);
    let formula = encoder.store.and(context.into_iter().chain([different]));
    let kappa = encoder.kappa;
    let program = print::mona(&encoder.store, formula, &encoder.definitions, kappa, |_| String::new());
    !is_satisfiable(&run(&program.unwrap()))
}

#[test]
fn the_papers_definitions_mean_the_same() {
    if !has_mona() {
        return;
    }
    for name in ["token-ring.rs", "star.rs", "tree-back-root.rs"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1").join(name);
        let system = load(&fs::read_to_string(path).unwrap()).system.unwrap();
        let trap = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((encoder.trap_by_flow(&theta)?, encoder.is_set_of(InvariantKind::TRAP, &theta)?))
        });
        assert!(trap, "{name}: trap");
        let mutex = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((encoder.mutex_by_flow(&theta)?, encoder.is_set_of(InvariantKind::MUTEX, &theta)?))
        });
        assert!(mutex, "{name}: mutex");
        let deadlock =
            are_equivalent(&system, |encoder| Ok((encoder.deadlock_by_flow()?, encoder.deadlock())));
        assert!(deadlock, "{name}: deadlock");
        let trap_inv = are_equivalent(&system, |encoder| {
            Ok((encoder.trap_inv_by_flow()?, encoder.in_invariant(InvariantKind::TRAP)?))
        });
        assert!(trap_inv, "{name}: TrapInv");
        let mutex_inv = are_equivalent(&system, |encoder| {
            Ok((encoder.mutex_inv_by_flow()?, encoder.in_invariant(InvariantKind::MUTEX)?))
        });
        assert!(mutex_inv, "{name}: MutexInv");
        // The test can fail: a trap is no mutex.
        let wrong = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((encoder.mutex_by_flow(&theta)?, encoder.is_set_of(InvariantKind::TRAP, &theta)?))
        });
        assert!(!wrong, "{name}");
    }
}

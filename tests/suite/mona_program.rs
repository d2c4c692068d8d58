//! The emitted program, decided by the stand-alone `mona`: the published questions and all other models
//! with known answers, and the paper's own definitions against those that questions are made of.

use std::fs;
use std::path::PathBuf;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::{ErrorCheck, from_tree};
use paramcheck_nets::instance::unfold::{check_tree, unfold};
use paramcheck_wsks::emit;
use paramcheck_wsks::encoding::{EncodeError, Encoder};
use paramcheck_wsks::formula::FormulaId;
use paramcheck_wsks::normalize::normalize;
use paramcheck_wsks::print;
use paramcheck_wsks::question::{Goal, question};
use serde_json::Value;

use super::support::ALONE;
use super::support::flow::Flow;
use super::support::standalone::{is_satisfiable, run, witness};

/// Decides the file that `paramcheck emit` writes for an error, everything else as it is by default.
#[cfg(feature = "cli")]
fn decide_emitted(model: &str, error: &str) -> bool {
    use std::process::Command;
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1").join(model);
    let emit = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
        .args(["emit", path.to_str().unwrap(), "--as", "mona", "--error", error])
        .output()
        .unwrap();
    assert!(emit.status.success() && emit.stderr.is_empty(), "{}", String::from_utf8_lossy(&emit.stderr));
    is_satisfiable(&run(std::str::from_utf8(&emit.stdout).unwrap()))
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
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn the_published_questions_get_their_answers() {
    let all = InvariantKind::all_up_to(2);
    for (file, system, error, expected) in expectations("table1") {
        let is_proved = expected["verdict"] == "proved";
        assert_eq!(decide(&file, &system, &error, &all), !is_proved, "{file}: {error}");
        #[cfg(feature = "cli")]
        assert_eq!(decide_emitted(&file, &error), !is_proved, "{file}: {error} as the command writes it");
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn sets_of_invariants_prove_what_they_should() {
    let mut decided = 0;
    for folder in ["table1", "more", "classic"] {
        for (file, system, error, expected) in expectations(folder) {
            for (names, suffices) in expected["alone"].as_object().into_iter().flatten() {
                let is_proved = !decide(&file, &system, &error, &kinds(names));
                assert_eq!(is_proved, suffices.as_bool().unwrap(), "{file}: {error} by {names}");
                decided += 1;
            }
        }
    }
    assert_eq!(decided, ALONE);
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

/// What MONA 1.4 refuses as a name, tried word by word: written down without a look at our own list.
const WORDS: &str = "all0 all1 all2 allpos assert const const_tree defaultwhere1 defaultwhere2 empty ex0 ex1 ex2 \
    execute export false guide import in in_state_space include inter lastpos let0 let1 let2 macro max min notin \
    pred prefix restrict root sometype sub succ tree tree_root true type union universe var0 var1 var2 variant \
    verify where ws1s ws2s";

#[test]
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn any_name_can_be_written() {
    let long = "n".repeat(9_000);
    let others = [&long[..], "x'y", "_", "ν'ν", &"ν'".repeat(2_000)];
    for word in WORDS.split_whitespace().chain(others) {
        let text = format!(
            "component T{word} {{ states a, s{word}; init a; a -p{word}-> s{word}; s{word} -q-> a; }}\n\
             S() <- new v{word}, w . <p{word}(v{word}) q(w) + q(v{word}) p{word}(w)> \
             (T{word}(v{word}), T{word}[s{word}](w));\n\
             error e = wsks {{ ex1 b{word}, y: b{word} != y & b{word} in s{word} & y in s{word} }};"
        );
        // Bare where words of the formulas themselves leave it free.
        let bare = text.replace(&format!("b{word}"), word);
        let systems = [&text, &bare].map(|text| load(text).system);
        let [Some(system), bare] = systems else { panic!("{word}") };
        for system in [Some(system), bare].iter().flatten() {
            assert!(!decide(word, system, "e", &[InvariantKind::TRAP, InvariantKind::MUTEX]), "{word}");
        }
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn names_longer_than_mona_reads() {
    let system = load(include_str!("../cases/found/long-name-mona.rs")).system.unwrap();
    decide("long-name-mona.rs", &system, "both", &[InvariantKind::TRAP, InvariantKind::MUTEX]);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs the program mona: PARAMCHECK_LONG=1")]
fn the_papers_definitions_mean_the_same() {
    for name in ["token-ring.rs", "star.rs", "tree-back-root.rs"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1").join(name);
        let system = load(&fs::read_to_string(path).unwrap()).system.unwrap();
        let trap = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((Flow::new(encoder).trap(&theta)?, encoder.is_set_of(InvariantKind::TRAP, &theta)?))
        });
        assert!(trap, "{name}: trap");
        let mutex = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((Flow::new(encoder).mutex(&theta)?, encoder.is_set_of(InvariantKind::MUTEX, &theta)?))
        });
        assert!(mutex, "{name}: mutex");
        let deadlock =
            are_equivalent(&system, |encoder| Ok((Flow::new(encoder).deadlock()?, encoder.deadlock())));
        assert!(deadlock, "{name}: deadlock");
        let trap_inv = are_equivalent(&system, |encoder| {
            Ok((Flow::new(encoder).trap_inv()?, encoder.in_invariant(InvariantKind::TRAP)?))
        });
        assert!(trap_inv, "{name}: TrapInv");
        let mutex_inv = are_equivalent(&system, |encoder| {
            Ok((Flow::new(encoder).mutex_inv()?, encoder.in_invariant(InvariantKind::MUTEX)?))
        });
        assert!(mutex_inv, "{name}: MutexInv");
        // The test can fail: a trap is no mutex.
        let wrong = are_equivalent(&system, |encoder| {
            let theta = encoder.theta.clone();
            Ok((Flow::new(encoder).mutex(&theta)?, encoder.is_set_of(InvariantKind::TRAP, &theta)?))
        });
        assert!(!wrong, "{name}");
    }
}

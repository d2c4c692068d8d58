//! `emit`: what it writes, where, and what it refuses. That MONA decides what is written as we do is for
//! `mona_program`.

use std::fs;

use insta::assert_snapshot;

/// A formula that distinguishes too many cases.
const WIDE: &str =
    "wide = wsks { ex2 X, Y, Z, U, V, W: X sub c & Y sub w & Z sub it & U = wt & V = c & W = i }";

use super::{MUX, RING, file, folder, run, run_with};

/// The text down to where the definitions begin.
fn head(text: &str, comment: &str) -> String {
    let is_head = |line: &&str| {
        line.is_empty() || line.starts_with(comment) || line.starts_with("var") || line.starts_with("ws")
    };
    let lines = text.split("RTree(U)").next().unwrap().lines();
    lines.take_while(is_head).filter(|line| line.trim() != comment).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_program_for_mona() {
    let text = run_with(&["emit", "-", "--as", "mona", "--error", "exclusion"], RING).output_of(0);
    assert_snapshot!("mona", head(&text, "#"));
    assert!(text.ends_with("mutexInv();\n") && text.contains("\npred trapInv ="), "{text}");
    let tree = run(&["emit", "examples/trees/tree-dfs.rs", "--as", "mona"]).output_of(0);
    assert!(tree.contains("\nws2s;\n") && tree.contains("# error:       deadlock\n"), "{tree}");
}

#[test]
fn a_formula_for_people() {
    let arguments = ["emit", "-", "--as", "formula", "--error", "two = #busy >= 2", "--invariants", "siphon"];
    let text = run_with(&arguments, RING).output_of(0);
    assert_snapshot!("formula", head(&text, "//"));
    assert!(text.ends_with("\nsiphonInv\n") && text.contains('∀') && !text.contains("trap"), "{text}");
}

#[test]
fn instances() {
    for format in ["pnml", "promela", "smv", "dot"] {
        let text = run_with(&["emit", "-", "--as", format, "--size", "3"], RING).output_of(0);
        assert_snapshot!(format, text);
        let tree = ["emit", "-", "--as", format, "--tree", "Ring.1(Chain.2(Chain.1))"];
        assert_eq!(run_with(&tree, RING).output_of(0), text);
    }
}

#[test]
fn errors_of_instances() {
    let call = ["emit", MUX, "--as", "smv", "--size", "3"];
    let asked = |text: &str| {
        let names = text.lines().filter_map(|line| line.strip_prefix("INVARSPEC NAME ")?.split(' ').next());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(asked(&run(&call).output_of(0)), ["deadlock", "critical", "lost"]);
    let chosen = [&call[..], &["--error", "two = #c >= 2", "--error", "deadlock"]].concat();
    assert_eq!(asked(&run(&chosen).output_of(0)), ["two", "deadlock"]);
}

#[test]
fn the_first_of_several_instances_is_written() {
    const TREES: &str = "\
component N { states a, b; init *; a -go-> b; }
T() <- new x . <go(x)> (N(x)) | new x . <go(x)> (N(x), T(), T());
";
    let first = run_with(&["emit", "-", "--as", "dot", "--size", "3"], TREES);
    assert_snapshot!(first.errors);
    let tree = ["emit", "-", "--as", "dot", "--tree", "T.2[a](T.1[a], T.1[a])"];
    assert_eq!((first.code, first.output), (0, run_with(&tree, TREES).output_of(0)));
    let many = run_with(&["emit", "-", "--as", "dot", "--size", "9"], TREES);
    assert!(
        many.errors.starts_with("note: of more than 1000 instances with 9 components"),
        "{}",
        many.errors
    );
    let none = run_with(&["emit", "-", "--as", "dot", "--size", "4"], TREES).errors_of(2);
    assert_snapshot!(none);
}

#[test]
fn what_is_not_said_is_deadlock_by_traps_and_mutexes() {
    for format in ["mona", "formula"] {
        let short = run(&["emit", MUX, "--as", format]).output_of(0);
        let long = ["emit", MUX, "--as", format, "--error", "deadlock", "--invariants", "mutex,trap"];
        assert_eq!(run(&long).output_of(0), short);
    }
}

#[test]
fn files_are_written_whole() {
    let folder = folder("emit");
    let path = file(&folder, "mux.mona", "old");
    let printed = run(&["emit", MUX, "--as", "mona"]).output_of(0);
    assert_eq!(run(&["emit", MUX, "--as", "mona", "--output", &path]).output_of(0), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert_eq!(run(&["emit", MUX, "--as", "mona", "--output", "-"]).output_of(0), printed);
    // What goes wrong leaves the file alone.
    for wrong in [&["--error", "none"][..], &["--error", "many = #c >= 99"], &["--invariants", "dead"]] {
        let call = ["emit", MUX, "--as", "mona", "--output", &path];
        run(&[&call, wrong].concat()).errors_of(2);
        assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_that_cannot_be_written() {
    let errors = run(&["emit", MUX, "--as", "mona", "--output", "no-such-folder/mux.mona"]).errors_of(2);
    assert_snapshot!(errors, @r"
    error[E0005]: cannot write `no-such-folder/mux.mona`: No such file or directory
      = help: the folder has to be there: make it first
    ");
    let folder = folder("emit-own-model");
    let model = file(&folder, "ring.rs", RING);
    let errors = run(&["emit", &model, "--as", "mona", "--output", &model]).errors_of(2);
    assert!(errors.contains("--output names the model itself"), "{errors}");
    assert_eq!(fs::read_to_string(&model).unwrap(), RING);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn calls_that_are_wrong() {
    let mut all = String::new();
    for wrong in [
        &[][..],
        &["--as", "spin"],
        &["--as", "mona", "--error", "lost", "--error", "deadlock"],
        &["--as", "mona", "--invariants", "traps"],
        &["--as", "mona", "--invariants", "trap,dead"],
        &["--as", "mona", "--error", "loss"],
        &["--as", "mona", "--error", "two = #cc >= 2"],
        &["--as", "mona", "--error", "two = #c >= 41", "--invariants", "trap"],
        &["--as", "mona", "--invariants", "at-most:41"],
        &["--as", "mona", "--size", "3"],
        &["--as", "smv"],
        &["--as", "smv", "--max-size", "3"],
        &["--as", "smv", "--size", "3", "--tree", "A.1"],
        &["--as", "smv", "--size", "0"],
        &["--as", "smv", "--tree", "A.1"],
        &["--as", "smv", "--size", "3", "--invariants", "trap"],
        &["--as", "smv", "--size", "3", "--error", "loss"],
        &["--as", "smv", "--size", "3", "--error", "a = #c >= 1", "--error", "a = #c >= 2"],
        &["--as", "dot", "--size", "3", "--error", "lost"],
        &["--as", "pnml", "--size", "1"],
        &["--as", "promela", "--size", "200", "--error", WIDE],
    ] {
        let call = [&["emit", MUX], wrong].concat();
        all += &format!("$ paramcheck {}\n{}\n", call.join(" "), run(&call).errors_of(2));
    }
    assert_snapshot!("wrong-calls", all);
}

#[test]
fn models_that_are_wrong() {
    let model = RING.replace("<out(y) in(x)>", "<ouut(y) in(x)>");
    let errors = run_with(&["emit", "-", "--as", "mona"], model).errors_of(2);
    assert!(errors.starts_with("error[E0203]: unknown port `ouut`"), "{errors}");
    assert!(run(&["emit", "no-such-file.rs", "--as", "mona"]).errors_of(2).contains("E0001"));
    // Warnings are reported, and stop nothing.
    let run = run_with(&["emit", "-", "--as", "mona"], format!("{RING}Spare(x) <- (Node(x));\n"));
    assert!(run.code == 0 && run.errors.contains("Spare") && run.output.contains("ws1s"), "{}", run.errors);
}

#[test]
fn help() {
    assert_snapshot!("emit-help", run(&["emit", "--help"]).output_of(0));
}

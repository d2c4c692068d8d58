//! Calls and files that are wrong, and the messages about them.

use std::fs;

use insta::assert_snapshot;

use super::{MUX, RING, file, folder, run, run_with};

#[test]
fn standard_input() {
    let run = run_with(&["-"], RING);
    assert!(run.output.starts_with("<stdin>: system Ring,"), "{}", run.output);
    assert_eq!(run.code, 1);
}

#[test]
fn several_files_and_a_bad_one() {
    let run = run(&["-q", MUX, "no-such-file.rs", "src", MUX, "--error", "lost"]);
    assert_eq!(run.code, 2);
    assert_snapshot!(run.output, @r#"
    tests/cases/classic/mux-array.rs: proved    lost  for every size, by trap  (TIME)
    tests/cases/classic/mux-array.rs: proved    lost  for every size, by trap  (TIME)
    "#);
    assert_snapshot!(run.errors, @r#"
    error[E0001]: cannot read `no-such-file.rs`: No such file or directory
      = help: is the name right? It is looked for from the folder that you call paramcheck in
    error[E0001]: cannot read `src`: Is a directory
      = help: it is a folder: name the files in it
    "#);
}

#[test]
fn files_that_are_not_there_have_neighbours() {
    let folder = folder("neighbours");
    let path = file(&folder, "token-ring.rs", RING);
    file(&folder, "tokenring.ccs", "system 0;");
    let ring = path.replace("token-ring", "tokenring");
    let told = run(&[&ring]).errors_of(2);
    assert!(told.contains(&format!("help: did you mean `{path}`?")), "{told}");
    for (name, help) in [
        ("/zzz.rs", "from the folder that you call paramcheck in"),
        ("/none/ring.rs", "there is no folder"),
        ("/token-ring.rs/ring.rs", "has to be a folder"),
        ("", "name the files in it"),
    ] {
        let told = run(&[&format!("{}{name}", folder.display())]).errors_of(2);
        assert!(told.contains("E0001") && told.contains(help), "{told}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn syntax_errors() {
    let run = run_with(&["-"], "component Node { states idle; init idle;\nRing() <- (Node(x));\n");
    assert_snapshot!("syntax-error", run.errors_of(2));
}

#[test]
fn errors_of_meaning() {
    let model = RING.replace("<out(y) in(x)>", "<ouut(y) in(x)>");
    assert_snapshot!("meaning-error", run_with(&["-"], model).errors_of(2));
}

#[test]
fn warnings_do_not_stop() {
    let model = format!("{RING}Spare(x) <- (Node(x));\n");
    let run = run_with(&["-", "--error", "exclusion"], &model);
    assert_eq!(run.code, 0);
    assert!(run.errors.contains("warning") && run.errors.contains("Spare"), "{}", run.errors);
    let quiet = run_with(&["-", "--error", "exclusion", "--quiet"], &model);
    assert_eq!(quiet.errors, run.errors);
}

#[test]
fn unknown_errors() {
    assert_snapshot!("unknown-error", run_with(&["-", "--error", "exlusion"], RING).errors_of(2));
    assert_snapshot!("unknown-error-far", run_with(&["-", "--error", "zzz"], RING).errors_of(2));
}

#[test]
fn wrong_definitions() {
    assert_snapshot!("bad-definition", run_with(&["-", "--error", "two = #bussy >= 2"], RING).errors_of(2));
    let twice = ["-q", "-", "--error", "two = #busy >= 2", "--error", "two = #busy >= 3"];
    let twice = run_with(&twice, RING);
    assert_eq!(twice.code, 2);
    assert!(twice.errors.contains("`two` is defined twice in this call"), "{}", twice.errors);
    assert_eq!(run_with(&["-", "--error", "exclusion = #busy >= 3"], RING).code, 2);
    assert_eq!(run_with(&["-", "--error", "two = "], RING).code, 2);
    assert_eq!(run_with(&["-", "--error", "= #busy >= 2"], RING).code, 2);
    assert_eq!(run_with(&["-", "--error", ""], RING).code, 2);
}

#[test]
fn a_wrong_question_does_not_stop_the_right_one() {
    let run = run_with(&["-q", "-", "--error", "zzz", "--error", "exclusion"], RING);
    assert_eq!(run.code, 2);
    assert!(run.output.starts_with("proved"), "{}", run.output);
}

#[test]
fn files_without_text() {
    let folder = folder("no-text");
    assert_eq!(run(&[file(&folder, "empty.rs", "")]).code, 2);
    assert_eq!(run(&[file(&folder, "nul.rs", [0; 10])]).code, 2);
    assert_snapshot!(run_with(&["-"], b"component \xe4;").errors_of(2), @r#"
    error[E0002]: `<stdin>` is not UTF-8: invalid byte at offset 10
     --> <stdin>:1:11
      |
    1 | component �;
      |           ^ here
      |
      = help: save the file as UTF-8
    "#);
    let huge = run(&[file(&folder, "huge.rs", vec![b' '; (16 << 20) + 1])]).errors_of(2);
    assert!(huge.contains("larger than 16 MiB"), "{huge}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_called_like_commands() {
    let folder = folder("called-fmt");
    file(&folder, "fmt", RING);
    let mut command = super::command(&["-q", "./fmt", "--error", "exclusion"]);
    assert_eq!(command.current_dir(&folder).status().unwrap().code(), Some(0));
    assert!(run(&["--json", "x.rs", "fmt"]).output.contains("comes first"));
}

/// Where a rewriting system is read and a process is given, the message names the command that does
/// the same for processes.
#[test]
fn processes_are_other_kinds_of_files() {
    let file = "examples/ccs/2pc.ccs";
    for (call, help) in [
        (&["-q", file][..], format!("checked with `paramcheck verify {file}`")),
        (&["emit", file, "--as", "smv"], format!("`paramcheck emulate {file} --as smv --check NAME`")),
        (
            &["emit", file, "--as", "promela"],
            format!("`paramcheck emulate {file} --as promela --check NAME`"),
        ),
        (&["emit", file, "--as", "pnml"], format!("checked with `paramcheck verify {file}`")),
        (&["emit", file, "--as", "dot"], format!("drawn by `paramcheck emulate {file} --as dot`")),
        (&["instances", file], format!("checked with `paramcheck verify {file}`")),
        (&["explore", file], format!("checked with `paramcheck verify {file}`")),
        (&["step", file], format!("`paramcheck emulate {file} --as c --standalone`")),
        (&["draw", file, "--size", "3"], "of a process its agents are drawn".to_owned()),
    ] {
        let errors = run(call).errors_of(2);
        assert!(errors.starts_with("error[E0502]") && errors.contains(&help), "{call:?}: {errors}");
    }
}

#[test]
fn checking_has_no_command() {
    let run = run(&["check", MUX, "--error", "lost", "-q"]);
    assert_eq!(run.code, 2);
    assert!(run.output.contains("proved"), "{}", run.output);
    assert_snapshot!(run.errors, @r#"
    error[E0001]: cannot read `check`: No such file or directory
      = help: checking needs no command: `paramcheck FILE`; a process or a choreography: `paramcheck verify FILE`
    "#);
}

/// Neither has it one that is misspelt; and a word behind `help` is no other than a word in front.
#[test]
fn misspelt_commands_have_neighbours() {
    for (word, help) in [
        ("chek", "checking needs no command: `paramcheck FILE`"),
        ("proof", "checking needs no command: `paramcheck FILE`"),
        ("verfy", "did you mean the command `paramcheck verify`?"),
    ] {
        let run = run(&["-q", word, MUX, "--error", "lost"]);
        assert_eq!((run.code, run.output.contains("proved")), (2, true), "{word}: {}", run.output);
        assert!(run.errors.contains(help), "{word}: {}", run.errors);
    }
    for (word, help) in [
        ("chek", "checking needs no command: `paramcheck FILE`"),
        ("verfy", "did you mean `verify`?"),
        ("ring", "lists the commands"),
    ] {
        let errors = run(&["help", word]).errors_of(2);
        assert!(errors.starts_with(&format!("error: there is no command `{word}`\n  ")), "{errors}");
        assert!(errors.contains(help), "{word}: {errors}");
    }
}

/// What is refused with a code is helped with too.
#[test]
fn refusals_help() {
    for (call, code, help) in [
        (&["draw", "examples/ring.rs", "--size", "200", "--all"][..], "E0009", "`--as dot`"),
        (&["emulate", "examples/ccs/2pc.ccs", "--as", "peers"], "E0503", "`--as triples`"),
        (&["emulate", "examples/chor/stock.chor", "--as", "triples", "--paper"], "E0508", "`--paper`"),
        (&["-q", "examples/ring.rs", "--error", "exclusion = #busy >= 2"], "E0201", "by its name alone"),
        (&["-q", "examples/ring.rs", "--error", "#busy >= 2"], "E0110", "'NAME = #busy >= 2'"),
    ] {
        let errors = run(call).errors_of(2);
        let (_, told) = errors.split_once("= help: ").unwrap_or_else(|| panic!("{call:?}: {errors}"));
        assert!(errors.starts_with(&format!("error[{code}]")), "{call:?}: {errors}");
        assert!(told.contains(help), "{call:?}: {errors}");
    }
}

#[test]
fn usage_errors() {
    let calls: &[&[&str]] = &[
        &[],
        &["--jsn", MUX],
        &["--error"],
        &["--invariants", "trpa", MUX],
        &["--invariants", "all:0", MUX],
        &["--invariants", "dead", MUX],
        &["--time-limit", "-1", MUX],
        &["--time-limit", "soon", MUX],
        &["--memory-limit", "0", MUX],
        &["--max-states", "many", MUX],
        &["--color", "sometimes", MUX],
        &["--quiet", "--verbose", MUX],
        &["-", "-"],
        &["--certificate", "c.json", MUX],
        &["--certificate", "c.json", MUX, MUX, "--error", "lost"],
        &["fmt"],
        &["fmt", "--check", "--write", MUX],
        &["certify", MUX],
        &["completions", "tcl"],
    ];
    let mut transcript = String::new();
    for call in calls {
        transcript += &format!("$ paramcheck {}\n{}\n", call.join(" "), run(call).errors_of(2));
    }
    assert_snapshot!("usage-errors", transcript);
}

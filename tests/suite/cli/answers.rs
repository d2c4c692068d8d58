//! Answers, their texts and exit codes.

use insta::assert_snapshot;

use super::{HERMAN, MUX, RING, THIEF, run, run_with};

#[test]
fn help() {
    assert_snapshot!("help", run(&["--help"]).output_of(0));
    assert_snapshot!("help-short", run(&["-h"]).output_of(0));
}

#[test]
fn version() {
    let first = format!("paramcheck {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["-V"]).output_of(0), first);
    let long = run(&["--version"]).output_of(0);
    // A commit may stand behind the version.
    assert!(long.starts_with(first.trim_end()), "{long}");
    let is_gpl = long.contains("with MONA") && long.contains("GNU General Public License");
    let is_free = long.contains("without MONA") && long.contains("MIT or Apache-2.0");
    assert_eq!((is_gpl, is_free), (cfg!(feature = "mona"), !cfg!(feature = "mona")), "{long}");
}

#[test]
fn everything_proved() {
    assert_snapshot!("proved", run(&[MUX]).output_of(0));
}

#[test]
fn everything_proved_in_full() {
    assert_snapshot!("proved-verbose", run(&[MUX, "--verbose", "--error", "critical"]).output_of(0));
}

#[test]
fn violated() {
    assert_snapshot!("violated", run(&[HERMAN]).output_of(1));
}

#[test]
fn violated_at_the_start() {
    let run = run_with(&["-", "--error", "none = #busy == 1"], RING);
    assert_snapshot!("violated-at-the-start", run.output_of(1));
}

#[test]
fn violated_after_some_steps() {
    let model = "component A { states a, b, c; init a; a -go-> b; b -> c; c -stay-> c; }\n\
                 S() <- new x, y . <go(x) go(y) + stay(x)> (A(x), A(y));";
    let run = run_with(&["-", "--error", "late = #c >= 2"], model);
    assert_snapshot!("violated-after-steps", run.output_of(1));
}

#[test]
fn unknown() {
    // Whatever is not proved by traps alone, and is true, stays open.
    let arguments = [THIEF, "--error", "lost", "--invariants", "trap", "--max-states", "2000"];
    // How far the search comes is its own business.
    let output = run(&arguments).output_beside_warnings(3);
    let without_numbers = |line: &str| match line.contains("explored:") {
        true => line.replace(|c: char| c.is_ascii_digit() || c == ',', ""),
        false => line.to_owned(),
    };
    let lines: Vec<String> = output.lines().map(without_numbers).collect();
    assert_snapshot!("unknown", lines.join("\n"));
}

/// Two classes of states, each counted up to 128. The formula holds where two are busy.
pub(super) const TOO_MANY_CASES: &str = "odd = wsks { ex2 A, B, C, D, E, F: ex1 x, y: x in busy & y in busy & x != y \
                                  & x in A & x in B & x in C & y in D & y in E & y in F }";

#[test]
fn unsupported() {
    let run = run_with(&["-", "--error", TOO_MANY_CASES], RING);
    assert_snapshot!("unsupported", run.output_of(3));
}

#[test]
fn quiet_is_one_line_per_question() {
    assert_snapshot!("quiet", run(&[HERMAN, "--quiet"]).output_of(1));
    assert_snapshot!("quiet-several", run(&["-q", HERMAN, MUX]).output_of(1));
}

#[test]
fn errors_can_be_chosen_and_defined() {
    let arguments = ["-q", MUX, "--error", "lost", "--error", "deadlock", "--error", "lost"];
    assert_snapshot!(run(&arguments).output_of(0), @r#"
    proved    lost      for every size, by trap  (TIME)
    proved    deadlock  for every size, by trap  (TIME)
    "#);
    let run = run_with(&["-q", "-", "--error", "two = #busy >= 2 | deadlock;"], RING);
    assert_snapshot!(run.output_of(0), @"proved    two  for every size, by mutex  (TIME)");
}

#[test]
fn the_invariants_can_be_chosen() {
    let verdict =
        |kinds: &str| run(&["-q", THIEF, "--error", "lost", "--invariants", kinds, "--max-states", "9"]);
    assert_eq!(verdict("trap").code, 3);
    assert_eq!(verdict("mutex").code, 3);
    assert_snapshot!(verdict("mutex,trap").output_beside_warnings(0), @"proved    lost  for every size, by trap + mutex  (TIME)");
    assert_eq!(verdict("all").code, 0);
    assert_eq!(verdict("all:3,dead").code, 0);
}

#[test]
fn the_worst_answer_is_the_exit_code() {
    assert_eq!(run(&["-q", MUX, HERMAN]).code, 1);
    assert_eq!(run(&["-q", THIEF, "--error", "lost", "--invariants", "trap", "--time-limit", "0"]).code, 3);
    assert_eq!(run(&["-q", HERMAN, "no-such-file.rs", MUX]).code, 2);
}

#[test]
fn colours_where_wanted() {
    let output = |color: &str| run(&["-q", MUX, "--error", "lost", "--color", color]).output_of(0);
    assert!(output("always").starts_with("\x1b[1;32mproved"));
    assert!(!output("never").contains('\x1b'));
    assert_eq!(output("auto"), output("never"));
    assert!(run(&["--color", "always", "no-such-file.rs"]).errors_of(2).contains('\x1b'));
    assert!(run(&["--color", "always", "--help"]).output_of(0).contains('\x1b'));
}

/// Pairs of states are queried like dead interactions, by the commands that support it.
#[test]
fn exclusive_states_are_asked_for_by_name() {
    let model = "tests/cases/classic/abp-chain.rs";
    let by =
        |list: &str, code| run(&["-q", model, "--error", "forbidden", "--invariants", list]).output_of(code);
    assert!(by("trap,exclusive", 0).contains("by states that exclude each other"));
    assert!(by("trap,dead", 3).starts_with("unknown"));
    let tried = |list: &str| {
        let call = ["--json", "examples/chains/fifo.rs", "--error", "overtaken", "--invariants", list];
        let document: serde_json::Value = serde_json::from_str(&run(&call).output_of(3)).unwrap();
        document["results"][0]["tried"].to_string()
    };
    assert_eq!(tried("trap,exclusive"), r#"["trap","exclusive"]"#);
    assert_eq!(tried("trap"), r#"["trap"]"#);
    let refused = run(&["emit", model, "--as", "formula", "--invariants", "trap,exclusive"]).errors_of(2);
    assert!(refused.contains("only the direct engine knows it"), "{refused}");
    let crosschecked =
        ["crosscheck", model, "--max-size", "6", "--error", "forbidden", "--invariants", "trap,exclusive"];
    assert!(run(&crosschecked).output_of(0).contains("agrees       forbidden  proved"));
}

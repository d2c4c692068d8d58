//! `verify` and `emulate`.

use std::fs;

use serde_json::Value;

#[cfg(target_os = "linux")]
use super::file;
use super::json::document_of;
use super::{folder, run, run_with};

const STOCK: &str = "examples/chor/stock.chor";
const TWO_PHASE: &str = "examples/ccs/2pc.ccs";

#[test]
fn verify_answers_every_check() {
    insta::assert_snapshot!(run(&["verify", TWO_PHASE]).output_of(1));
    insta::assert_snapshot!(run(&["verify", STOCK]).output_of(1));
}

#[test]
fn verify_says_what_is_assumed() {
    let file = "examples/ccs/flags-only.ccs";
    let answers = |options: &[&str], code| {
        let arguments: Vec<&str> = ["verify", file, "--quiet"].iter().chain(options).copied().collect();
        run(&arguments).output_of(code)
    };
    let somebody = ["--check", "somebody"];
    let with = |more: &'static str| [&somebody[..], &[more]].concat();
    assert!(answers(&somebody, 1).contains("did enter2, in any order, "));
    assert!(answers(&with("--fair"), 1).contains(", under weak fairness, "));
    assert!(answers(&with("--fair=strong"), 1).contains(", under strong fairness, "));
    let turns = [&somebody[..], &["--schedule", "round-robin"]].concat();
    assert!(answers(&turns, 1).contains(", round-robin, "));
    assert!(answers(&["--check", "mutual_exclusion"], 0).starts_with("proved    mutual_exclusion"));
    let both = [&turns[..], &["--fair"]].concat();
    let arguments: Vec<&str> = ["verify", file].iter().chain(&both).copied().collect();
    assert!(run(&arguments).errors_of(2).contains("use either --fair or --schedule"));
}

#[test]
fn proofs_about_actions_that_no_state_offers_are_remarked() {
    let text = "P = get.get.enter.P; L = 'get.0; system (P | L) \\ {get};
        check order = always !did enter | can get;
        check at_last = eventually did enter;
        check never = always !did enter;";
    let call = ["verify", "-", "--language", "ccs"];
    let answered = run_with(&call, text);
    assert_eq!(answered.code, 1);
    assert!(
        answered.output.contains(
            "order    always !did enter | can get, in any order  (TIME)\n      remark: no reachable state offers \
             `get`, `enter`, of which the check speaks\n"
        ),
        "{}",
        answered.output
    );
    assert_eq!(answered.output.matches("remark:").count(), 1, "{}", answered.output);
    let document: Value =
        serde_json::from_str(&run_with(&[&call[..], &["--json"]].concat(), text).output).unwrap();
    let codes = |result: usize| document["results"][result]["remarks"].as_array().unwrap().len();
    // That it never happens is what the last one demands.
    assert_eq!([codes(0), codes(1), codes(2)], [1, 0, 0]);
    assert_eq!(document["results"][0]["remarks"][0]["code"], "never-offered");
}

#[test]
fn a_run_that_goes_on_for_ever_is_shown() {
    let text = "A = a.b.A; B = c.B; system A | B; check c = eventually did c;";
    let run = run_with(&["verify", "-", "--language", "ccs", "--fair"], text);
    assert!(run.output.contains("proved "), "{}", run.output);
    let run = run_with(&["verify", "-", "--language", "ccs"], text);
    insta::assert_snapshot!(run.output_of(1));
}

#[test]
fn verify_writes_a_document() {
    let document = document_of("verify", &run(&["verify", STOCK, "--json"]), 1);
    assert_eq!(document["files"][0]["states"], 42);
    assert_eq!(document["files"][0]["agents"], serde_json::json!(["bk", "mk", "bd"]));
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    let deadlock = results.iter().find(|result| result["check"] == "deadlock").unwrap();
    assert_eq!(deadlock["run"]["end"], "stuck");
    assert_eq!(deadlock["run"]["steps"].as_array().unwrap().len(), 11);
    let lasso = results.iter().find(|result| result["check"] == "result").unwrap();
    assert!(lasso["run"]["loop_start"].is_u64() && lasso["run"]["end"].is_null());

    let fair = document_of("verify", &run(&["verify", TWO_PHASE, "--json", "--fair", "--check", "done"]), 0);
    assert_eq!(
        (&fair["files"][0]["schedule"], &fair["results"][0]["verdict"]),
        (&"fair".into(), &"proved".into())
    );
    // What went wrong is in the document too.
    let bad = run_with(&["verify", "-", "--language", "ccs", "--json"], "system P;");
    let bad = document_of("verify", &bad, 2);
    assert_eq!(bad["files"][0]["diagnostics"][0]["code"], "E0402");
    assert_eq!(bad["results"], Value::Array(vec![]));
    let unknown = run(&["verify", TWO_PHASE, "--json", "--check", "donne"]);
    let unknown = document_of("verify", &unknown, 2);
    assert!(
        unknown["files"][0]["diagnostics"][0]["help"].as_str().unwrap().starts_with("did you mean `done`?")
    );
}

#[test]
fn round_robin_shows_whose_turn_it_is() {
    // C passes while it has nothing to do; the step of A and B is B's the second time.
    let text = "A = a.A; B = 'a.B + d.B; C = e.c.0; system (A | B | C) \\ {a};\n\
                check short = always !can c;\ncheck comes = eventually did d;\ncheck late = always !did c;\n";
    let call = ["verify", "-", "--language", "ccs", "--schedule", "round-robin"];
    insta::assert_snapshot!(run_with(&call, text).output_of(1));

    let document = document_of("verify", &run_with(&[&call[..], &["--json"]].concat(), text), 1);
    let turns = |position: usize| {
        let run = &document["results"][position]["run"];
        let turns = run["steps"].as_array().unwrap().iter().map(|step| step["turn"].clone());
        (Value::from_iter(turns), run["end_turn"].clone())
    };
    assert_eq!(turns(0), (serde_json::json!(["A", "B", "C", "A", "B"]), "C".into()));
    assert_eq!(turns(2), (serde_json::json!(["A", "B", "C", "A", "B", "C"]), "A".into()));
    let (steps, end) = turns(1);
    assert!(steps.as_array().unwrap().iter().all(Value::is_string) && end.is_null(), "{steps} {end}");

    // The stars are explained where a run begins, be it with the loop.
    let text_of_loop = "P = a.P + b.0; system P; check b = eventually did b;";
    let output = run_with(&call, text_of_loop).output_of(1);
    assert!(output.contains("for ever (*: whose turn it is):\n        1. a  P*\n"), "{output}");

    // No agent has a turn in any order, nor where no agent can act.
    let call = ["verify", "-", "--language", "ccs", "--json"];
    let document = document_of("verify", &run_with(&call, text), 1);
    let run = &document["results"][0]["run"];
    assert!(run["steps"][0]["turn"].is_null() && run["end_turn"].is_null());
    let stuck = run_with(
        &[&call[..], &["--schedule", "round-robin"]].concat(),
        "system a.b.0 \\ {b}; check deadlock;",
    );
    let document = document_of("verify", &stuck, 1);
    let run = &document["results"][0]["run"];
    assert_eq!((&run["steps"][0]["turn"], &run["end_turn"]), (&"a.b.0 \\ {b}".into(), &Value::Null));
}

/// Lines of text show where a long formula begins, documents have all of it.
#[test]
fn long_formulas_are_shortened_in_text_only() {
    let long = vec!["!did a"; 20_000].join(" & ");
    let text = format!("system a.0; check long = always {long};");
    let call = ["verify", "-", "--language", "ccs"];
    let output = run_with(&call, &text).output_of(1);
    assert!(output.contains("  long  always !did a & !did a & "), "{output}");
    assert!(output.contains(" …, in any order, 1 step"), "{output}");
    assert!(output.lines().all(|line| line.chars().count() < 250), "{output}");
    let document = document_of("verify", &run_with(&[&call[..], &["--json"]].concat(), &text), 1);
    assert_eq!(document["results"][0]["formula"], format!("always {long}"));

    let long = vec!["#busy >= 1"; 400].join(" & ");
    let definition = format!("long = {long}");
    let call = ["examples/ring.rs", "--error", &definition, "--verbose"];
    let output = run(&call).output;
    assert!(output.contains(" …\n"), "{output}");
    assert!(output.lines().filter(|line| line.contains(">= 1 &")).count() < 30, "{output}");
    let document: Value = serde_json::from_str(&run(&[&call[..], &["--json"]].concat()).output).unwrap();
    assert_eq!(document["results"][0]["formula"], long.replace("busy", "Node.busy"));
}

#[test]
fn limits_make_answers_unknown() {
    let file = "examples/ccs/leader-election.ccs";
    let document = document_of("verify", &run(&["verify", file, "--max-states", "10", "--json"]), 3);
    assert_eq!(document["files"][0]["complete"], false);
    let results = document["results"].as_array().unwrap();
    assert!(results.iter().all(|one| one["verdict"] == "unknown" && one["reason"]["code"] == "state-limit"));
    let text = "system a.0 ^ 60; check c = always !terminated;";
    let late = run_with(&["verify", "-", "--language", "ccs", "--time-limit", "0.2"], text);
    assert!(late.output.contains("reason: the time limit was reached"), "{}", late.output);
    assert_eq!(late.code, 3);
    // Not even the first state.
    let now = run_with(&["verify", "-", "--language", "ccs", "--time-limit", "0", "--json"], text);
    assert_eq!(document_of("verify", &now, 3)["results"][0]["reason"]["code"], "time-limit");
    // No more states than allowed, even where one has many successors.
    let wide = run_with(&["verify", "-", "--language", "ccs", "--max-states", "5", "--json"], text);
    assert_eq!(document_of("verify", &wide, 3)["files"][0]["states"], 5);
    // A violation that is seen counts.
    let seen = run_with(
        &["verify", "-", "--language", "ccs", "--max-states", "5"],
        "system a.0 ^ 60; check c = always !did a;",
    );
    assert!(seen.output_of(1).contains("states and more, "));
}

/// Whenever time is up, in the first check or before it, the second has been violated.
#[test]
fn violations_count_when_time_is_up_while_another_check_is_answered() {
    let long = "(did a & did b) | ".repeat(5_000);
    let text = format!(
        "P = a.b.P;\nsystem P ^ 12;\ncheck long = always ({long} can a | can b);\n\
         check short = always !did a;\n"
    );
    let run = run_with(&["verify", "-", "--language", "ccs", "--time-limit", "2", "--json"], &text);
    let document = document_of("verify", &run, 1);
    assert_eq!(document["results"][1]["verdict"], "violated");
    assert_eq!(document["results"][1]["run"]["steps"].as_array().unwrap().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_violations_that_were_seen() {
    use super::limits::{press, wait_until_busy};

    let folder = folder("interrupt-verify");
    let text = "system a.b.0 ^ 60; check seen = always !did a; check open = always !terminated;";
    let model = file(&folder, "wide.ccs", text);
    let call = ["verify", &model, "--json", "--max-states", "1000000000"];
    let child = super::command(&call).spawn().unwrap();
    wait_until_busy(&child);
    press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["results"][0]["verdict"], "violated");
    assert_eq!(document["results"][1]["reason"]["code"], "interrupted");
}

#[test]
fn files_of_other_kinds_are_refused() {
    assert!(
        run(&["verify", "examples/ring.rs"])
            .errors_of(2)
            .contains("without a command, `paramcheck examples/ring.rs`; one instance with `--size N`")
    );
    for command in ["draw", "step", "explore", "instances", "crosscheck"] {
        let size = if command == "crosscheck" { "--max-size" } else { "--size" };
        let errors = run(&[command, TWO_PHASE, size, "2"]).errors_of(2);
        assert!(errors.starts_with("error[E0502]"), "{command}: {errors}");
        assert_eq!(errors.matches("error").count(), 1, "{command}: {errors}");
    }
    assert!(run_with(&["verify", "-"], "system 0;").errors_of(2).contains("--language ccs"));
    assert!(run(&[TWO_PHASE]).errors_of(2).contains(&format!("`paramcheck verify {TWO_PHASE}`")));
    assert!(run(&["verify", "missing.ccs"]).errors_of(2).starts_with("error[E0001]"));
    assert!(
        run_with(&["verify", "-", "--language", "ccs"], b"system \xff.0;").errors_of(2).contains("E0002")
    );
    assert!(run(&["verify", TWO_PHASE, "--language", "latin"]).errors_of(2).contains("give ccs or chor"));
    assert!(run(&["emulate", TWO_PHASE, "--as", "peers"]).errors_of(2).contains("E0503"));
}

#[test]
fn projections_are_written_within_limits() {
    let errors = run(&["emulate", STOCK, "--as", "peers", "--time-limit", "0"]).errors_of(3);
    assert!(errors.contains("not all projections of") && errors.contains("time limit"), "{errors}");
}

#[test]
fn emulate_prints_states_and_peers() {
    insta::assert_snapshot!(run(&["emulate", STOCK, "--as", "peers"]).output_of(0));
    let file = "tests/cases/emulation/twins.chor";
    insta::assert_snapshot!(run(&["emulate", file, "--as", "lts"]).output_of(0));
    insta::assert_snapshot!(run(&["emulate", file, "--as", "lts-dot", "--reduce"]).output_of(0));
    let limited = run(&["emulate", file, "--as", "lts", "--max-states", "2"]);
    assert!(limited.errors_of(3).contains("the limit of 2 states was reached"));
    assert!(run(&["emulate", STOCK, "--as", "peers", "--reduce"]).errors_of(2).contains("--reduce"));
}

/// The figures of the journal paper: 1(a) and 1(b) (one agent each, hence the prefix in front of 1(b)), 2,
/// and 3.
#[test]
fn emulate_says_what_helps_where_not_all_is_known() {
    let told = run(&["emulate", TWO_PHASE, "--as", "lts", "--max-states", "2"]).errors_of(3);
    assert!(told.contains("E0504") && told.contains("help: allow more with `--max-states`"), "{told}");
    let told = run(&["emulate", TWO_PHASE, "--as", "lts", "--time-limit", "0"]).errors_of(3);
    assert!(told.contains("help: allow more time with `--time-limit`"), "{told}");
    let told = run(&["emulate", TWO_PHASE, "--as", "lts", "--output", "src"]).errors_of(2);
    assert!(told.contains("E0005") && told.contains("name a file in it"), "{told}");
}

#[test]
fn emulate_prints_triples_as_the_paper_does() {
    for (name, text) in [
        ("figure-1a", "system a.(b.0 + c.0);"),
        ("figure-1b", "system (a.0 | b.0 | c.0); 0;"),
        ("figure-2", "system (a.0 | 'a.0); 0;"),
    ] {
        let arguments = |format| ["emulate", "-", "--language", "ccs", "--as", format];
        insta::assert_snapshot!(name, run_with(&arguments("triples"), text).output_of(0));
        insta::assert_snapshot!(format!("{name}-dot"), run_with(&arguments("dot"), text).output_of(0));
    }
    let open = "tests/cases/emulation/2pc-open.ccs";
    insta::assert_snapshot!("figure-3", run(&["emulate", open, "--as", "triples"]).output_of(0));
    insta::assert_snapshot!("figure-3-dot", run(&["emulate", open, "--as", "dot"]).output_of(0));
    // Without restricted actions of their own, agents have triples left over that nothing enables; they are
    // grey.
    let restricted = run(&["emulate", TWO_PHASE, "--as", "dot"]).output_of(0);
    let is_grey = |label: &str| {
        let of_it = |line: &&str| line.contains(&format!("<td>{label}</td>"));
        restricted.lines().filter(of_it).map(|line| line.contains("fontcolor=\"gray65\"")).collect::<Vec<_>>()
    };
    assert_eq!(is_grey("nok"), [true]);
    assert_eq!(is_grey("tau (rollback)"), [true, true]);
    assert_eq!(is_grey("ok"), [false]);
    assert_eq!(is_grey("λ start"), [false, false]);
    insta::assert_snapshot!("figure-5", run(&["emulate", STOCK, "--as", "triples"]).output_of(0));
}

#[test]
fn emulate_prints_what_the_paper_prints_and_what_is_wrong_with_it() {
    let text = "K = c.K; system (a.0 | ((b.0; 'a.0) + (d.0; K)); 0 | ((a.0 | b.0) |[a]| a.0); e.0) \\ {d};";
    let paper =
        |text: &str| run_with(&["emulate", "-", "--language", "ccs", "--as", "triples", "--paper"], text);
    insta::assert_snapshot!(paper(text).output_of(0));
    let open = "tests/cases/emulation/2pc-open.ccs";
    insta::assert_snapshot!(run(&["emulate", open, "--as", "triples", "--paper"]).output_of(0));
    // The lines that lose what follows.
    let losing = |text: &str| {
        let output = paper(text).output_of(0);
        let lines = output.lines().filter(|line| line.contains("what follows is lost"));
        lines.map(|line| line.split("  ").nth(2).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(losing("system 0; a.0;"), ["λ start"]);
    assert_eq!(losing("A = 0; system A; a.0;"), ["λ start"]);
    assert_eq!(losing("system a.(0; b.0);"), ["a"]);
    assert_eq!(losing("system a.b.0 + 0; c.0;"), ["λ start"]);
    assert_eq!(losing("system (a.0; 0); b.0;"), ["a"]);
    assert_eq!(losing("K = a.0; system x.(K; e.0) + y.(K; f.0);"), ["a", "y"]);
    assert_eq!(losing("system (0; a.0 | b.0); c.0;"), ["λ start"]);
    assert_eq!(losing("B = b.B; system (a.B + 0); c.0;"), [""; 0]);
    assert_eq!(losing("system (0 | 0); a.b.0;"), [""; 0]);
    let refused = |text: &str| paper(text).errors_of(2);
    assert!(refused("system (a.0 | b.0) + c.0;").contains("a choice with a parallel operand"));
    assert!(run(&["emulate", STOCK, "--as", "triples", "--paper"]).errors_of(2).contains("no loops"));
    assert!(run(&["emulate", STOCK, "--as", "dot", "--paper"]).errors_of(2).contains("--paper"));
    let chain = "a.".repeat(15_000);
    assert!(paper(&format!("system {chain}0;")).output_of(0).contains("15001"));
    let chain = "a.".repeat(30_000);
    assert!(refused(&format!("system {chain}0;")).contains("more than 20000 triples"));
    let constants: String = (0..500).map(|n| format!("P{n} = a.P{};\n", n + 1)).collect();
    assert!(refused(&format!("{constants}P500 = a.0; system P0;")).contains("deep"));
}

#[test]
fn emulate_writes_programs() {
    let open = "examples/ccs/2pc-unrestricted.ccs";
    for format in ["c", "chc", "promela", "smv"] {
        let arguments = ["emulate", open, "--as", format, "--check", "no_rollback"];
        insta::assert_snapshot!(format!("program-{format}"), run(&arguments).output_of(0));
    }
    let standalone = run(&["emulate", open, "--as", "c", "--standalone"]).output_of(0);
    assert!(standalone.contains("int main(int count"), "{standalone}");
    // The check is not named.
    assert!(run(&["emulate", open, "--as", "c"]).errors_of(2).contains("no_rollback"));
    assert!(
        run(&["emulate", open, "--as", "chc", "--check", "no_rolback"]).errors_of(2).contains("no_rollback")
    );
}

#[test]
fn emulate_takes_instances() {
    let ring = "examples/ring.rs";
    insta::assert_snapshot!(run(&["emulate", ring, "--size", "3", "--as", "triples"]).output_of(0));
    let tree = run(&["emulate", ring, "--tree", "Ring.1(Chain.1)", "--as", "lts"]).output_of(0);
    assert!(tree.starts_with("des (0, 2, 2)\n"), "{tree}");
    let errors = |arguments: &[&str]| run(&[&["emulate"], arguments].concat()).errors_of(2);
    assert!(errors(&[ring, "--as", "triples"]).contains("give --size N or --tree TERM"));
    assert!(errors(&[ring, "--as", "peers", "--size", "3"]).contains("E0503"));
    assert!(errors(&[TWO_PHASE, "--as", "triples", "--size", "3"]).contains("a process is only one"));
    assert!(errors(&[TWO_PHASE, "--as", "triples", "--reduce"]).contains("`--as triples` has none"));
    let large = run_with(
        &["emulate", "-", "--language", "ccs", "--as", "triples"],
        "system (a.0) ^ 2000 | ('a.0) ^ 2000;",
    );
    assert!(large.errors_of(3).contains("more than 1000000 triples would be needed"));
}

#[test]
fn emulate_replaces_files_whole() {
    let folder = folder("emulate");
    let target = folder.join("stock.aut");
    let name = target.to_str().unwrap();
    assert_eq!(run(&["emulate", STOCK, "--as", "lts", "--output", name]).output_of(0), "");
    assert!(fs::read_to_string(&target).unwrap().starts_with("des (0, 72, 42)\n"));
    let model = folder.join("model.chor");
    fs::copy(STOCK, &model).unwrap();
    let model = model.to_str().unwrap();
    let errors = run(&["emulate", model, "--as", "peers", "--output", model]).errors_of(2);
    assert!(errors.contains("--output names the file itself"), "{errors}");
    assert_eq!(fs::read_to_string(model).unwrap(), fs::read_to_string(STOCK).unwrap());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn fmt_knows_both_languages() {
    assert_eq!(run(&["fmt", TWO_PHASE]).output_of(0).lines().count(), 8);
    let folder = folder("fmt-process");
    let file = folder.join("p.ccs");
    fs::write(&file, "system   a.0|b.0 ;").unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(run(&["fmt", "--check", name]).code, 1);
    assert_eq!(run(&["fmt", "--write", name]).output_of(0), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "system a.0 | b.0;\n");
    fs::remove_dir_all(folder).unwrap();
}

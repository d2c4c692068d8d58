//! Warnings on the command line: `--deny`, `--quiet`, definitions given in the call.

use insta::assert_snapshot;
use serde_json::Value;

use super::{run, run_with};

/// Warned of: a state that nothing enters (W0215), a port that nothing uses (W0206).
const GHOST: &str = "component Node { states idle, busy, ghost; init idle; busy -out-> idle; idle -in-> busy; busy -stop-> busy; }
Ring() <- new x, y . <out(x) in(y) + out(y) in(x)> (Node(x), Node[busy](y));
error exclusion = #busy >= 2;
";

#[test]
fn warnings_change_no_exit_code_and_are_shown_with_quiet_too() {
    let run = run_with(&["-", "--quiet"], GHOST);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert!(run.errors.contains("warning[W0206]") && run.errors.contains("warning[W0215]"), "{}", run.errors);
    assert!(run.output.starts_with("proved    deadlock"), "{}", run.output);
}

#[test]
fn denied_warnings_are_errors_and_verdicts_are_printed() {
    let run = run_with(&["-", "--quiet", "--deny", "W0215"], GHOST);
    assert_eq!(run.code, 2);
    assert_snapshot!(run.output, @"
    proved    deadlock   for every size, by trap  (TIME)
    proved    exclusion  for every size, by trap  (TIME)
    ");
    assert!(run.errors.contains("error[W0215]: `Node` never enters `ghost`"), "{}", run.errors);
    assert!(run.errors.contains("warning[W0206]"), "{}", run.errors);
    assert!(run.errors.ends_with("error: a warning is denied by --deny\n"), "{}", run.errors);
    for all in [&["--deny", "warnings"][..], &["--deny", "w0215,W0206"], &["--deny=W0215", "--deny=W0206"]] {
        let run = run_with(&[&["-", "-q"], all].concat(), GHOST);
        assert!(run.errors.ends_with("error: 2 warnings are denied by --deny\n"), "{}", run.errors);
        assert!(!run.errors.contains("warning["), "{}", run.errors);
        assert_eq!(run.code, 2, "{all:?}");
    }
    // Other warnings are none of its business; and a violation gives way to a wrong call.
    assert_eq!(run_with(&["-", "-q", "--deny", "W0201"], GHOST).code, 0);
    let violated = ["-", "-q", "--error", "one = #busy >= 1", "--deny", "warnings"];
    assert_eq!(run_with(&violated, GHOST).code, 2);
    assert_eq!(run_with(&violated[..4], GHOST).code, 1);
}

#[test]
fn every_command_that_reads_a_model_can_deny() {
    let process = "system (a.0 | 'a.0) \\ {a};\ncheck x = always !did a;\n";
    for call in [
        &["explore", "-", "--size", "2"][..],
        &["instances", "-", "--size", "2"],
        &["crosscheck", "-", "--max-size", "2"],
        &["draw", "-", "--what", "components"],
        &["emit", "-", "--as", "pnml", "--size", "2"],
        &["emulate", "-", "--as", "triples", "--size", "2"],
        &["verify", "-", "--size", "2"],
    ] {
        let run = run_with(&[call, &["--deny", "warnings"]].concat(), GHOST);
        assert_eq!(run.code, 2, "{call:?}: {}", run.errors);
        assert!(run.errors.contains("2 warnings are denied"), "{call:?}: {}", run.errors);
    }
    for call in
        [&["verify", "-", "--language", "ccs"][..], &["emulate", "-", "--as", "triples", "--language", "ccs"]]
    {
        let run = run_with(&[call, &["--deny", "W0403"]].concat(), process);
        assert_eq!(run.code, 2, "{call:?}: {}", run.errors);
        assert!(run.errors.contains("error[W0403]"), "{call:?}: {}", run.errors);
        assert!(!run.output.is_empty(), "{call:?}");
    }
}

#[test]
fn documents_have_denied_warnings_as_errors() {
    let document = |deny: &str| {
        let run = run_with(&["-", "--json", "--deny", deny], GHOST);
        assert_eq!(run.errors, "");
        (run.code, serde_json::from_str::<Value>(&run.output).unwrap())
    };
    let severities = |document: &Value| -> Vec<String> {
        let mut found = Vec::new();
        collect(document, &mut found);
        found
    };
    let (code, denied) = document("W0215");
    assert_eq!((code, severities(&denied)), (2, vec!["W0215 error".to_owned(), "W0206 warning".to_owned()]));
    let (code, allowed) = document("W0201");
    assert_eq!(
        (code, severities(&allowed)),
        (0, vec!["W0215 warning".to_owned(), "W0206 warning".to_owned()])
    );
}

/// The codes and severities of all diagnostics in a document, wherever they stand.
fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if let (Some(code), Some(severity)) = (object.get("code"), object.get("severity")) {
                found.push(format!("{} {}", code.as_str().unwrap(), severity.as_str().unwrap()));
            }
            object.values().for_each(|value| collect(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

#[test]
fn what_is_no_warning_can_not_be_denied() {
    let message = |deny: &str| run(&["--deny", deny, "examples/ring.rs"]).errors_of(2);
    assert!(message("W0207x").contains("did you mean `W0207`?"), "{}", message("W0207x"));
    assert!(message("warning").contains("did you mean `warnings`?"), "{}", message("warning"));
    assert!(message("everything").contains("give `warnings`, or codes such as W0206"));
    assert!(message("E0201").contains("E0201 is an error"), "{}", message("E0201"));
}

#[test]
fn definitions_in_the_call_are_warned_about() {
    let call = |error: &str| run(&["examples/ring.rs", "-q", "--error", error]);
    let found = call("no = #busy >= 1 & #busy == 0");
    assert_eq!(found.code, 0);
    assert_snapshot!(found.errors, @"
    warning[W0214]: these conditions exclude each other: no marking is in all of them
     --> --error:1:6
      |
    1 | no = #busy >= 1 & #busy == 0
      |      ^^^^^^^^^^   ---------- and this one
      |      |
      |      this one
      |
      = help: an error without markings is proved, whatever the system does
    ");
    assert!(call("yes = #busy >= 0").errors.contains("warning[W0210]"));
    let calls: [&[&str]; 4] = [
        &["explore", "examples/ring.rs", "--size", "2"],
        &["verify", "examples/ring.rs", "--size", "2"],
        &["crosscheck", "examples/ring.rs", "--max-size", "2"],
        &["emit", "examples/ring.rs", "--as", "promela", "--size", "2"],
    ];
    for call in calls {
        let run = run(&[call, &["--error", "no = #busy >= 1 & #busy == 0", "--deny", "W0214"]].concat());
        assert_eq!(run.code, 2, "{call:?}: {}", run.errors);
        assert!(run.errors.contains("error[W0214]"), "{call:?}: {}", run.errors);
    }
}

#[test]
fn options_may_stand_before_the_command() {
    let before = run(&["--quiet", "--size", "2", "explore", "examples/ring.rs"]);
    let behind = run(&["explore", "examples/ring.rs", "--quiet", "--size", "2"]);
    assert_eq!(before.output_of(0), behind.output_of(0));
    // The message about a wrong option is that of the command.
    let wrong = run(&["--engine", "direct", "explore", "examples/ring.rs"]).errors_of(2);
    assert!(
        wrong.contains("unexpected argument '--engine'") && wrong.contains("paramcheck explore"),
        "{wrong}"
    );
}

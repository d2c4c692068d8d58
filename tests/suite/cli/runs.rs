//! `verify --ltl`: properties of the runs of one instance, and their replay.

use insta::assert_snapshot;

use super::{run, run_with};

#[test]
fn properties_of_runs_of_an_instance() {
    let model = "examples/ring.rs";
    let properties =
        ["served = G F Node#1.busy", "never = F #busy == 2", "order = G (Node#1.busy -> X Node#3.busy)"];
    let mut call = vec!["verify", model, "--size", "3"];
    properties.iter().for_each(|property| call.extend(["--ltl", property]));
    assert_snapshot!("verify-ltl", run(&call).output_of(1));
    call.push("--json");
    let document = run(&call);
    let replayed = |name: &str| run_with(&["replay", model, "-", "-q", "--error", name], &document.output);
    assert_snapshot!(
        replayed("never").output_of(0),
        @"replays: 3 steps for ever, violates `never` (F #busy == 2)"
    );
    assert_snapshot!(replayed("order").output_of(0));
    let forged = document.output.replacen("\"loop_start\": 0", "\"loop_start\": 1", 1);
    let forged = run_with(&["replay", model, "-", "-q", "--error", "never"], &forged);
    assert_snapshot!(forged.output_of(1));
    let forged = document.output.replacen("\"F #busy == 2\"", "\"F Node#9.busy\"", 1);
    let forged = run_with(&["replay", model, "-", "-q", "--error", "never"], &forged);
    assert_snapshot!(
        forged.output_of(1),
        @"fails: the run of 3 steps for ever for `never` (F Node#9.busy) has no such component as the property names"
    );
    let mut mistakes = String::new();
    for property in [
        "G busy",
        "a = G busy",
        "a = always busy",
        "a = G F Node#9.busy",
        "a = G F Node#1.bussy",
        "a = did oot",
        "a = did Node#1.busy",
        "a = G (did out",
        "a = did out and X can in",
        "a = <<out> true",
        "a = F did",
        "a = G",
        "",
    ] {
        mistakes += &run(&["verify", model, "--size", "3", "--ltl", property]).errors_of(2);
    }
    mistakes += &run(&["verify", model, "--ltl", "a = G #busy == 1"]).errors_of(2);
    let turns = ["verify", model, "--size", "3", "--schedule", "round-robin", "--ltl", "a = G #busy == 1"];
    mistakes += &run(&turns).errors_of(2);
    for other in ["examples/ccs/2pc.ccs", "examples/labs/ants.labs", "tests/cases/rcheck/models/labels.rcp"] {
        mistakes += &run(&["verify", other, "--ltl", "a = G F did ok"]).errors_of(2);
    }
    assert_snapshot!("verify-ltl-mistakes", mistakes);
}

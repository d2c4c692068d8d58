//! Agents of LAbS: `verify`, `explore`, `labs` and what else takes files that end in `.labs`.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use super::json;
use super::{folder, run, run_with};
use crate::suite::labs::known::parameters;

const LEADER: &str = "tests/cases/labs/examples/leader.labs";
const BOUNDS: &str = "tests/cases/labs/bad/array-bounds.labs";
const SCOPES: &str = "tests/cases/labs/points/scopes.labs";

#[test]
fn properties_are_answered_with_runs() {
    assert_snapshot!("labs-leader", run(&["verify", LEADER, "n=3"]).output_of(1));
    assert_snapshot!("labs-scopes", run(&["verify", SCOPES]).output_of(1));
    assert_snapshot!("labs-fault", run(&["verify", BOUNDS]).output_of(1));
    assert_snapshot!("labs-stuck", run(&["verify", "tests/cases/labs/points/deadlock.labs"]).output_of(1));
    let philosophers = ["verify", "tests/cases/labs/examples/philosophers.labs", "n=2"];
    assert_snapshot!("labs-philosophers", run(&philosophers).output_of(1));
}

#[test]
fn answers_say_what_was_rechecked() {
    let formation = "tests/cases/labs/examples/formation.labs";
    let safety = "S = always forall Robot r, pos of r >= 0 and pos of r < _size";
    let call = ["labs", formation, "size=10", "n=3", "range=2", "--fair", "--property", safety];
    let answer = run(&call);
    assert!(answer.output.contains(", by values, rechecked  (TIME)"), "{}", answer.output);
    let document = document_of(&call, 0);
    let result = &document["results"][0];
    assert_eq!((result["proof"].as_str(), result["rechecked"].as_bool()), (Some("values"), Some(true)));
    let lost = "L = fairly_inf exists Node n, leader of n = 3";
    let closed = run(&["verify", LEADER, "n=3", "--check", lost]).output_of(1);
    assert_snapshot!("labs-closed-set", closed);
    let document = document_of(&["verify", LEADER, "n=3", "--check", lost], 1);
    let result = &document["results"][0];
    assert_eq!((result["searched"].as_u64() > Some(0), result["rechecked"].as_bool()), (true, Some(true)));
    assert!(result["proof"].is_null());
}

#[test]
fn help() {
    assert_snapshot!("labs-help", run(&["labs", "--help"]).output_of(0));
}

#[test]
fn an_answer_names_its_rules() {
    let call = ["verify", LEADER, "n=2", "-q", "--check", "LeaderIs0"];
    let answer = |options: &[&str], code| run(&[&call[..], options].concat()).output_of(code);
    assert!(answer(&[], 0).contains(", free schedule, the papers' rules, rechecked  (TIME)"));
    assert!(
        answer(&["--semantics", "sliver"], 0).contains(", free schedule, SLiVER's rules, rechecked  (TIME)")
    );
    assert!(answer(&["--schedule", "round-robin"], 0).contains(", round-robin, the papers' rules"));
    assert!(answer(&["--sync"], 0).contains(", messages at once, rechecked  (TIME)"));
    // The second agent's turn comes, and it may have nothing to do.
    let strict = run(&[&call[..], &["--strict-turns"]].concat());
    assert!(strict.output.contains(", strict turns, "), "{}", strict.output);
    assert!(answer(&["--int-bits", "8", "--wrap"], 0).contains(", 8-bit numbers, numbers wrap around"));
    let labs = ["labs", LEADER, "n=2", "-q", "--property", "LeaderIs0", "--fair"];
    assert!(run(&labs).output_of(0).contains(", round-robin, "));
    assert!(run(&[&labs[..], &["--no-fair"]].concat()).output_of(0).contains(", free schedule, "));
    let verify = ["verify", LEADER, "n=2", "-q", "--check", "LeaderIs0", "--fair"];
    assert!(run(&verify).output_of(0).contains(", under weak fairness, "));
    let strong = ["labs", LEADER, "n=2", "-q", "--property", "LeaderIs0", "--fair=strong"];
    assert!(run(&strong).output_of(0).contains(", under strong fairness, "));
    let steps = answer(&["--steps", "2"], 1);
    assert!(steps.contains(", at most 2 steps, 2 steps"), "{steps}");
}

#[test]
fn properties_may_come_from_the_call() {
    let own = "Once = fairly_inf forall Node n, leader of n = 0";
    let answers = run(&["verify", LEADER, "n=2", "-q", "--check", own]).output_of(0);
    assert!(answers.starts_with("proved    Once  fairly_inf forall Node n, leader of n = 0, "), "{answers}");
    assert_eq!(answers.lines().count(), 1);
    let wrong = run(&["verify", LEADER, "n=2", "--check", "Once = fairly_inf forall Nod n, leader of n = 0"]);
    assert_snapshot!("labs-wrong-property", wrong.errors_of(2));
    let unknown = run(&["labs", LEADER, "n=2", "--property", "LeaderIs1"]).errors_of(2);
    assert!(unknown.contains("did you mean `LeaderIs100`?"), "{unknown}");
    let taken = run(&["labs", LEADER, "n=2", "--property", "LeaderIs0 = always 1 = 1"]).errors_of(2);
    assert!(taken.contains("error[E0701]") && taken.contains("--> --property:1:1"), "{taken}");
}

/// The document of a call that ends with `code`.
#[track_caller]
fn document_of(call: &[&str], code: i32) -> Value {
    json::document_of(call[0], &run(&[call, &["--json"]].concat()), code)
}

#[test]
fn documents_have_runs_faults_and_reasons() {
    let document = document_of(&["verify", LEADER, "n=3"], 1);
    let results = &document["results"];
    assert_eq!(document["files"][0]["parameters"]["n"], 3);
    assert_eq!(document["files"][0]["agents"][0], "Node 0");
    assert_eq!((&results[0]["verdict"], &results[0]["run"]), (&"proved".into(), &Value::Null));
    assert_eq!(results[1]["run"]["end"], "stuck");
    let step = &results[2]["run"]["steps"][0];
    assert_eq!(
        (&step["agent"], &step["action"], &step["line"]),
        (&"Node 0".into(), &"act".into(), &17.into())
    );
    assert_eq!(step["changes"][0]["value"], 0);
    assert_eq!(step["pending"][0]["action"], "confirm");
    assert_eq!(step["ages"][0]["newest_first"][0], serde_json::json!(["Node 0"]));
    let fault = document_of(&["explore", BOUNDS], 1);
    assert_eq!(fault["results"][0]["check"], "fault");
    assert_eq!(fault["results"][0]["fault"]["line"], 3);
    assert_eq!(fault["results"][0]["run"]["steps"], serde_json::json!([]));
    let bounded =
        document_of(&["labs", LEADER, "n=3", "--steps", "9", "--property", "LeaderNot0 = always true"], 2);
    // The name is taken: that is in the document.
    assert_eq!(bounded["files"][0]["diagnostics"][0]["code"], "E0701");
    let not_yet = "P = always exists Node n, leader of n != 0";
    let bounded = document_of(&["labs", LEADER, "n=3", "--steps", "1", "--property", not_yet], 3);
    assert_eq!(bounded["results"][0]["reason"]["code"], "step-bound");
    let simulated = document_of(
        &["labs", LEADER, "n=3", "--steps", "90", "--simulate", "9", "--property", "LeaderIs0"],
        3,
    );
    assert_eq!(simulated["results"][0]["simulated"]["held"], 9);
    assert_eq!(simulated["results"][0]["reason"]["code"], "simulated");
}

#[test]
fn exploration_counts_states() {
    assert_snapshot!("labs-explore", run(&["explore", LEADER, "n=3"]).output_of(0));
    assert_snapshot!("labs-explore-fault", run(&["explore", BOUNDS]).output_of(1));
    let few = run(&["explore", LEADER, "n=3", "--max-states", "10"]).output_of(3);
    assert!(few.contains("these are not all"), "{few}");
}

#[test]
fn runs_are_printed_as_sliver_prints_them() {
    let call = ["labs", LEADER, "n=2", "--trace=sliver", "--property"];
    assert_snapshot!("labs-sliver-trace", run(&[&call[..], &["LeaderNot0"]].concat()).output_of(1));
    assert_snapshot!("labs-sliver-stuck", run(&[&call[..], &["LeaderIs100"]].concat()).output_of(1));
    let philosophers = ["labs", "tests/cases/labs/examples/philosophers.labs", "n=2", "--trace=sliver"];
    assert_snapshot!("labs-sliver-arrays", run(&philosophers).output_of(1));
    let simulated = [&call[..4], &["--simulate", "2", "--steps", "3", "--rnd-seed", "7"]].concat();
    assert_snapshot!("labs-sliver-simulation", run(&simulated).output_of(1));
    assert_eq!(run(&simulated).output, run(&simulated).output);
}

#[test]
fn exit_codes_are_those_of_sliver_where_they_are_wanted() {
    let code = |arguments: &[&str]| run(&[&["labs", "--sliver-exit"], arguments].concat()).code;
    assert_eq!(code(&[LEADER, "n=2", "--property", "LeaderIs0"]), 0);
    assert_eq!(code(&[LEADER, "n=2", "--property", "P = always true", "--steps", "2"]), 0);
    assert_eq!(code(&[LEADER, "n=2"]), 10);
    assert_eq!(code(&[LEADER, "n=2", "--property", "LeaderIs0", "--max-states", "5"]), 5);
    assert_eq!(code(&[LEADER]), 6);
    assert_eq!(code(&["tests/cases/labs/bad/chained.labs"]), 6);
    assert_eq!(code(&["no-such-file.labs"]), 2);
    assert_eq!(code(&[LEADER, "n=2", "--no-such-option"]), 2);
    assert_eq!(code(&[LEADER, "n=2", "--keep-files"]), 2);
    assert_eq!(code(&[LEADER, "n=6", "--property", "LeaderIs0", "--timeout", "0.000001"]), 124);
}

#[test]
fn the_examples_have_their_answers_and_are_in_canonical_form() {
    let tested = run(&["test", "examples/labs"]).output_of(0);
    assert!(tested.starts_with("39 answers as expected, in 1 folder"), "{tested}");
    let mut models = 0;
    for entry in fs::read_dir("examples/labs").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "labs") {
            run(&["fmt", "--check", path.to_str().unwrap()]).output_of(0);
            models += 1;
        }
    }
    assert_eq!(models, 11);
}

#[test]
fn what_a_property_does_not_depend_on_is_left_out() {
    // Everybody hears everybody in this grid, so 64 states are as good as 64 million; the run has places all the same.
    let flock = "tests/cases/labs/examples/flock.labs";
    let call = ["verify", flock, "birds=3", "grid=10", "delta=13", "--schedule", "round-robin"];
    let bounded = [&call[..], &["--check", "Consensus", "--steps", "12"]].concat();
    let document = document_of(&bounded, 1);
    let run_shown = &document["results"][0]["run"];
    assert_eq!(run_shown["steps"].as_array().unwrap().len(), 12);
    assert_eq!(run_shown["initial"].as_array().unwrap().len(), 12);
    // By the rules of SLiVER there is none, as its authors found.
    let theirs = document_of(&[&bounded[..], &["--semantics", "sliver"]].concat(), 3);
    assert_eq!(theirs["results"][0]["reason"]["code"], "step-bound");
    // A cycle is gone round until the places come back as well: a lone bird flies on.
    let far = ["verify", flock, "birds=2", "grid=3", "delta=3", "--check", "Never = finally dirx of 0 = 5"];
    let document = document_of(&far, 1);
    let run_shown = &document["results"][0]["run"];
    assert!(run_shown["loop_start"].is_u64(), "{run_shown}");
}

#[test]
fn states_that_say_the_same_are_left_out() {
    let folder = folder("labs-alike");
    // Guests are alike, as long as nobody says who is who.
    let text = "system { environment = free: 2  spawn = Guest: 4 }
stigmergy News { link = true  full: 0 }
agent Guest {
  interface = inside: 0
  stigmergies = News
  Behavior = (inside = 0 and free > 0 -> { free <-- free - 1; inside <- 1; full <~ if free = 0 then 1 else 0 }; Behavior)
    ++ (inside = 1 -> { free <-- free + 1; inside <- 0; full <~ 0 }; Behavior)
}
check {
  Room = always free >= 0
  Open = fairly_inf free > 0
  Early = always exists Guest g, inside of g = 0 and full of g = 0
  First = always free > 0 or inside of 0 = 0
}
";
    let file = folder.join("guests.labs");
    fs::write(&file, text).expect("the file is written");
    let file = file.to_str().expect("UTF-8");
    let document = |which: &str| document_of(&["labs", file, "--reduction", which], 1);
    let all = document("none");
    let states = |document: &Value| document["files"][0]["states"].as_u64().expect("a number");
    let verdicts = |document: &Value| {
        let results = document["results"].as_array().expect("results").clone();
        results.iter().map(|one| (one["check"].clone(), one["verdict"].clone())).collect::<Vec<_>>()
    };
    for which in ["messages", "symmetry", "all"] {
        let reduced = document(which);
        assert_eq!(verdicts(&reduced), verdicts(&all), "{which}");
        assert!(states(&reduced) < states(&all), "{which}");
        for result in reduced["results"].as_array().expect("results") {
            let by_symmetry = which != "messages" && result["check"] != "First";
            assert_eq!(result["symmetry"] == true, by_symmetry, "{which}: {result}");
            let other = all["results"].as_array().expect("results").iter();
            let same = other.clone().find(|other| other["check"] == result["check"]).expect("the same");
            let steps = |result: &Value| result["run"]["steps"].as_array().map(Vec::len);
            assert!(result["check"] != "Early" || steps(result) == steps(same), "{which}: a shortest run");
        }
    }
    let quiet = run(&["labs", file, "-q", "--reduction", "all", "--property", "Room"]).output_of(0);
    assert!(quiet.contains(", by symmetry, "), "{quiet}");
}

#[test]
fn initial_values_are_numbers_of_the_width() {
    let folder = folder("labs-width");
    let model = super::file(
        &folder,
        "width.labs",
        "system { spawn = A: 2 }\nagent A { interface = x: 100 + id * 100  Behavior = Skip }\n\
         check { P = always exists A a, x of a = 100 }\n",
    );
    let wrong = run(&["verify", &model, "--int-bits", "8", "-q"]).errors_of(2);
    assert_snapshot!(wrong.replace(&folder.display().to_string(), "FOLDER"), @"
    error[E0726]: `x` of A 1 starts with 200, which leaves the range of numbers
     --> FOLDER/width.labs:2:23
      |
    2 | agent A { interface = x: 100 + id * 100  Behavior = Skip }
      |                       ^
      |
      = help: give it another value, or numbers more bits with --int-bits 32; --wrap lets them wrap around
    ");
    assert!(run(&["verify", &model, "--int-bits", "8", "--wrap", "-q"]).output_of(0).contains("proved"));
    // So it is in other commands, and a run that wraps around is a run.
    for call in [&["emulate", &model, "--as", "lts"][..], &["step", &model]] {
        let wrong = run(&[call, &["--int-bits", "8"]].concat()).errors_of(2);
        assert!(wrong.contains("error[E0726]"), "{wrong}");
        run(&[call, &["--int-bits", "8", "--wrap"]].concat()).output_of(0);
    }
    let trace = folder.join("run.json");
    let check = "Q = always forall A a, x of a > 0";
    let call = ["verify", &model, "--check", check, "--int-bits", "8", "--wrap", "--json"];
    fs::write(&trace, run(&call).output_of(1)).unwrap();
    let replayed = run(&["replay", &model, trace.to_str().unwrap()]).output_of(0);
    assert!(replayed.contains("x = -56"), "{replayed}");
}

#[test]
fn steps_with_very_many_outcomes_end_no_call_late() {
    let folder = folder("labs-outcomes");
    let model = |name: &str, property: &str| {
        let text = format!(
            "system {{ environment = e: 0  spawn = A: 1 }}\n\
             agent A {{ Behavior = e <-- [0..30000] + [0..30000] - [0..30000]; Nil }}\ncheck {{ P = {property} }}\n"
        );
        super::file(&folder, name, &text)
    };
    // The engine meets a run that violates it; the rules would have to look at all outcomes of the step.
    let violated = model("violated.labs", "finally e = 70000");
    let call = ["labs", &violated, "--simulate", "3", "--steps", "2", "--int-bits", "32"];
    let document = document_of(&call, 3);
    assert_eq!(document["results"][0]["reason"]["code"], "unchecked");
    assert_eq!(document["results"][0]["simulated"]["held"], 0);
    // A run that leaves the language is one in which nothing held.
    let faulty = super::file(
        &folder,
        "faulty.labs",
        "system { environment = e: 100  spawn = A: 1 }\nagent A { Behavior = e <-- e + 100; Nil }\n\
         check { P = eventually e = 100 }\n",
    );
    let document = document_of(&["labs", &faulty, "--simulate", "5", "--steps", "2", "--int-bits", "8"], 1);
    assert_eq!(document["results"][0]["check"], "fault");
    assert_eq!(document["results"][1]["simulated"]["held"], 0);
    assert_eq!(document["results"][1]["reason"]["code"], "fault");
}

#[test]
fn simulations_leave_out_what_is_about_all_runs() {
    let twophase = "tests/cases/labs/examples/twophase.labs";
    let call = ["labs", twophase, "workers=2", "--simulate", "2", "--steps", "3"];
    let left_out = run(&call);
    assert!(
        left_out.errors.contains("note: left out, as they ask what can be reached"),
        "{}",
        left_out.errors
    );
    assert!(left_out.errors.contains("`InfCommits`") && !left_out.output.contains("InfCommits"));
    let named = run(&[&call[..], &["--property", "InfCommits"]].concat()).errors_of(2);
    assert!(named.contains("--steps: `InfCommits` asks what can be reached"), "{named}");
}

#[test]
fn a_search_without_questions_that_ends_early_is_open() {
    let folder = folder("labs-open");
    let model = super::file(
        &folder,
        "open.labs",
        "system { environment = e: 0  spawn = A: 1 }\nagent A { Behavior = e <-- [0..30000]; Behavior }\n",
    );
    let open = run(&["verify", &model, "--max-states", "10"]);
    assert_eq!(open.code, 3, "{}", open.output);
    let sliver = run(&["labs", &model, "--timeout", "0.000001", "--sliver-exit"]);
    assert_eq!(sliver.code, 124, "{}", sliver.output);
    // A back end that is not here is a wrong call, a file that means nothing is not.
    let mut missing = super::command(&["labs", LEADER, "n=2", "--backend", "spin", "--sliver-exit"]);
    missing.env_remove("PARAMCHECK_TOOLS").env("PATH", &folder);
    assert_eq!(missing.status().unwrap().code(), Some(2));
    assert_eq!(run(&["labs", LEADER, "--sliver-exit"]).code, 6);
}

#[test]
fn what_is_wrong_is_refused() {
    let expected: Value =
        serde_json::from_str(&fs::read_to_string("tests/cases/labs/bad/expected.json").unwrap()).unwrap();
    for (file, one) in expected.as_object().unwrap() {
        let mut call = vec!["verify".to_owned(), format!("tests/cases/labs/bad/{file}")];
        call.extend(parameters(one).into_iter().map(|(name, value)| format!("{name}={value}")));
        let exit = i32::try_from(one["exit"].as_i64().unwrap()).unwrap();
        if one["kind"] == "fault" {
            let run = run(&call);
            assert_eq!(run.code, exit, "{file}: {}", run.errors);
            assert!(run.output.contains("  violated  fault  "), "{file}: {}", run.output);
            assert!(!run.output.contains("  proved "), "{file}: {}", run.output);
            continue;
        }
        let errors = run(&call).errors_of(exit);
        assert_eq!(errors.matches("error[E0").count(), 1, "{file}: {errors}");
        let place = format!("{file}:{}:", one["line"]);
        assert!(errors.contains(&place), "{file}: not {place}: {errors}");
        let is_helped = errors.contains("= help: ") || errors.contains("is written");
        assert!(is_helped && errors.contains('^'), "{file}: {errors}");
        if let Some(hint) = one["hint"].as_str() {
            assert!(errors.contains(hint), "{file}: {errors}");
        }
    }
}

#[test]
fn wrong_calls_are_explained() {
    let calls: &[&[&str]] = &[
        &["verify", LEADER],
        &["verify", LEADER, "n=2", "n=3"],
        &["verify", LEADER, "n"],
        &["verify", LEADER, "N=2"],
        &["verify", LEADER, "n=two"],
        &["verify", LEADER, "m=2"],
        &["verify", LEADER, "n=2", "--fair", "--strict-turns"],
        &["labs", LEADER, "n=2", "--fair=strong", "--strict-turns"],
        &["verify", LEADER, "n=2", "--fair", "--backend", "spin"],
        &["labs", LEADER, "n=2", "--fair=strong", "--backend", "spin"],
        &["verify", LEADER, "n=2", "--backend", "spim"],
        &["verify", LEADER, "n=2", "--size", "3"],
        &["verify", LEADER, "n=2", "--int-bits", "12"],
        &["verify", LEADER, "n=2", "--steps", "3", "--check", "P = fairly true"],
        &["verify", "examples/ccs/2pc.ccs", "n=2"],
        &["verify", "examples/ccs/2pc.ccs", "--sync"],
        &["explore", "examples/ring.rs", "--size", "3", "--steps", "3"],
        &["explore", LEADER, "n=2", "--size", "3"],
        &["labs", LEADER, "n=2", "--backend", "spin", "--simulate", "3", "--steps", "3"],
        &["labs", LEADER, "n=2", "--backend", "spin", "--no-properties"],
        &["labs", LEADER, "n=2", "--bv"],
        &["labs", LEADER, "n=2", "--simulate", "3"],
        &["labs", LEADER, "n=2", "--simulate", "3", "--steps", "0"],
        &["labs", LEADER, "n=2", "--property", "P", "--no-properties"],
        &[LEADER],
        &["emulate", LEADER, "--as", "c"],
        &["emulate", LEADER, "n=2", "--as", "c"],
        &["emulate", LEADER, "n=2", "--as", "c", "--check", "LeaderIs1"],
        &["emulate", LEADER, "n=2", "--as", "lnt", "--steps", "3"],
        &[
            "emulate",
            LEADER,
            "n=2",
            "--as",
            "promela",
            "--check",
            "P = fairly forall Node n, leader of n = 0",
        ],
        &["emulate", SCOPES, "--as", "mcl", "--check", "P = between (true) and (true), always true"],
        &["emulate", "examples/ccs/2pc.ccs", "--as", "lnt"],
        &["draw", LEADER],
        &["instances", LEADER, "--size", "3"],
    ];
    let mut all = String::new();
    for call in calls {
        let errors = run(call).errors_of(2);
        let shown = errors.split("\n\nUsage").next().unwrap();
        all += &format!("$ paramcheck {}\n{}\n\n", call.join(" "), shown.trim_end());
    }
    assert_snapshot!("labs-wrong-calls", all);
}

#[test]
fn functions_of_c_are_refused() {
    let text = "system { spawn = A: 1 }\nagent A { interface = x: 0 Behavior = x <- $f(x) }\n";
    let errors = run_with(&["labs", "-"], text).errors_of(2);
    assert!(errors.contains("error[E0723]") && errors.contains("<stdin>:2:39"), "{errors}");
}

#[test]
fn faults_and_steps_without_effect_have_words_in_traces_of_sliver() {
    let text = "system { spawn = A: 1 }\nagent A { interface = x: 3; y: 0\n  Behavior = Skip; y <- y;\n\
        x <- x / y\n}\ncheck { P = always forall A a, x of a > 0 }\n";
    assert_snapshot!("labs-sliver-fault", run_with(&["labs", "-", "--trace=sliver"], text).output_of(1));
    let simulated = ["labs", "-", "--trace=sliver", "--simulate", "1", "--steps", "5"];
    let shown = run_with(&simulated, text).output;
    assert!(shown.contains("A 0:\t(no value changes)\n<fault: A 0, "), "{shown}");
}

#[test]
fn rare_initial_values_are_found_for_simulation() {
    let text = "system { environment = e: 0..1000; f: 0..1000; g: undef  spawn = A: 20 }\n\
        agent A { interface = x: 0..1000; y: 0..1000  Behavior = x <- y; Behavior }\n\
        assume { Q = forall A a, x of a = 7 and y of a > 990\n R = e + f = 1998 }\n\
        check { P = always forall A a, x of a = 7 or x of a > 990 }\n";
    let simulated = ["labs", "-", "-q", "--simulate", "50", "--steps", "30"];
    let shown = run_with(&simulated, text).output;
    assert!(shown.contains("held in 50 of 50 runs"), "{shown}");
    let none = text.replace("e + f = 1998", "e + f = 1999");
    let errors = run_with(&simulated, &none).errors_of(2);
    assert!(errors.contains("no values fulfil all assumptions"), "{errors}");
    // Of these there are too many to be listed, and they are too rare to be tried.
    let rare = text.replace("0..1000; f: 0..1000", "0..10000; f: 0..10000").replace("1998", "19998");
    let errors = run_with(&simulated, &rare).errors_of(2);
    assert!(errors.contains("none fulfil all assumptions"), "{errors}");
}

#[test]
fn walks_end_at_the_time_limit() {
    // It has passed when the first command is to be read.
    let over = run_with(&["step", LEADER, "n=2", "--time-limit", "0.000001"], "random 5\nlist\n");
    assert_eq!(over.code, 3, "{} {}", over.output, over.errors);
    assert!(over.output.ends_with("the time limit was reached\n"), "{}", over.output);
    let walk = run_with(&["step", LEADER, "n=2", "--time-limit", "3600"], "random 5\n").output_of(0);
    assert!(walk.contains("step 4") && !walk.contains("time limit"), "{walk}");
}

#[test]
fn formulas_may_be_too_large() {
    let text = "system { spawn = A: 200 }\nagent A { interface = x: 0 Behavior = x <- 1 - x; Behavior }\n";
    let check = "P = always exists A a, exists A b, exists A c, x of a + x of b + x of c = 0";
    let answer = run_with(&["labs", "-", "--property", check], text);
    assert_eq!(answer.code, 3, "{} {}", answer.output, answer.errors);
    assert!(answer.output.contains("reason: its formula is too large: the quantifiers"), "{}", answer.output);
}

#[test]
fn files_are_formatted_listed_and_begun() {
    let folder = folder("labs-files");
    let path = folder.join("ants.labs");
    let name = path.to_str().unwrap();
    let written = run(&["new", name]).output_of(0);
    assert!(written.contains("`paramcheck verify "), "{written}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# ants: ") && !text.contains("FILE"), "{text}");
    run(&["fmt", "--check", name]).output_of(0);
    let answers = run(&["verify", name, "-q"]).output_of(0);
    assert!(
        answers.lines().count() > 2 && answers.lines().all(|line| line.starts_with("proved")),
        "{answers}"
    );
    assert!(run(&["fmt", "--diff", LEADER]).output.contains("(canonical)"));
    let listed = run(&["verify", LEADER, "n=2", "--list"]).output_of(0);
    assert!(listed.contains("LeaderIs0    finally forall Node n, leader of n = 0\n"), "{listed}");
    assert!(run(&["explain", "E0719"]).output_of(0).starts_with("E0719 (error): "));
    let shown = run(&["labs", LEADER, "n=2", "--show"]).output_of(0);
    assert!(shown.starts_with("# _n = 2\n") && shown.contains("Behavior ="), "{shown}");
}

#[test]
fn expected_answers_are_compared() {
    let folder = folder("labs-test");
    fs::copy(LEADER, folder.join("leader.labs")).unwrap();
    fs::copy(BOUNDS, folder.join("bounds.labs")).unwrap();
    let right = "[\"leader.labs\"]\n\"*\" = { parameters = { n = 3 } }\n\
        any = { LeaderIs0 = \"proved\", LeaderIs100 = { verdict = \"violated\", steps = 5 }, \
        LeaderNot0 = \"violated\" }\nround-robin = { LeaderIs0 = \"proved\" }\n\
        [\"bounds.labs\"]\nany = { fault = \"violated\", P = \"unknown\" }\n";
    let call = ["test", folder.to_str().unwrap()];
    let with = |text: &str| {
        fs::write(folder.join("expected.toml"), text).unwrap();
        run(&call)
    };
    let answer = with(right).output_of(0);
    assert!(answer.starts_with("6 answers as expected"), "{answer}");
    let wrong = with(&right.replace("LeaderNot0 = \"violated\"", "LeaderNot0 = \"proved\""));
    assert!(wrong.code == 1 && wrong.output.contains("LeaderNot0"), "{}", wrong.output);
    let wrong = with(&right.replace("round-robin", "unfair"));
    assert_eq!(wrong.code, 2, "{}", wrong.output);
    let errors = wrong.errors;
    assert!(
        errors.contains("`unfair` has no meaning here")
            && errors.contains("`fair`, `fair-strong`, `round-robin`"),
        "{errors}"
    );
    let errors = with(&right.replace("n = 3", "n = \"three\"")).errors;
    assert!(errors.contains("`n` is no whole number"), "{errors}");
}

#[test]
fn nothing_is_proved_where_initial_states_are_left_out() {
    let folder = folder("labs-cut");
    let text = "system { spawn = A: 1 }\n\
                agent A { interface = x: [0, 1, 2, 3]\n Behavior = x < 2 -> x <- 2; Behavior }\n\
                check { Eventually = eventually forall A a, x of a < 3\n\
                 Finally = finally forall A a, x of a < 3\n\
                 Fairly = fairly forall A a, x of a < 3\n\
                 Infinitely = fairly_inf forall A a, x of a < 3\n\
                 Always = always forall A a, x of a < 3\n\
                 Scope = from (forall A a, x of a < 9) until (forall A a, x of a > 9), thereIs forall A a, x of a < 3 }\n";
    let path = super::file(&folder, "cut.labs", text);
    for limit in ["1", "2", "3"] {
        let bounded = ["--steps", "5", "--check", "Eventually", "--check", "Always", "--check", "Scope"];
        for options in [&[][..], &bounded] {
            let call = [&["verify", &path, "-q", "--max-states", limit], options].concat();
            let output = run(&call);
            assert!([1, 3].contains(&output.code), "{call:?}: {}", output.errors);
            assert!(!output.output.contains("proved"), "{call:?}: {}", output.output);
        }
    }
    let all = run(&["verify", &path, "-q"]).output_of(1);
    assert_eq!(all.matches("violated").count(), 6, "{all}");
}

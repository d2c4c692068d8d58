//! `draw`: what it draws when, where it writes, and what it refuses.

use std::fs;

use insta::assert_snapshot;

use super::{HERMAN, RING, file, folder, run, run_with};

/// The title of a picture.
fn title(text: &str) -> &str {
    text.split("<title>").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or(text)
}

#[test]
fn what_is_drawn_without_saying_so() {
    let folder = folder("draw");
    let model = file(&folder, "ring.rs", RING);
    let trace = folder.join("trace.json");
    let trace = trace.to_str().unwrap();
    run(&["-q", &model, "--error", "moved", "--trace", trace]);
    let drawn = |more: &[&str]| run(&[&["draw", &model], more].concat()).output_of(0);
    assert_eq!(title(&drawn(&[])), "Ring: component types");
    assert_eq!(title(&drawn(&["--size", "4"])), "Ring: an instance with 4 components");
    assert_eq!(title(&drawn(&["--tree", "Ring.1(Chain.1)"])), "Ring: an instance with 2 components");
    assert_eq!(title(&drawn(&["--trace", trace])), "Ring: a trace of 0 steps");
    assert_eq!(
        title(&drawn(&["--trace", trace, "--what", "architecture"])),
        "Ring: an instance with 3 components"
    );
    assert_eq!(title(&drawn(&["--size", "4", "--what", "tree"])), "Ring: a rewriting tree");
    assert!(drawn(&["--as", "dot"]).starts_with("digraph \"Ring\" {"));
    assert!(drawn(&["--as", "dot", "--size", "3"]).starts_with("graph \"Ring\" {"));
    assert!(drawn(&["--as", "dot", "--size", "3", "--what", "tree"]).starts_with("digraph \"Ring\" {"));
    assert_eq!(title(&run_with(&["draw", "-"], RING).output_of(0)), "Ring: component types");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_marking_can_be_given() {
    let drawn = |more: &[&str]| run_with(&[&["draw", "-", "--size", "3"], more].concat(), RING).output_of(0);
    let marked = drawn(&["--marking", " Node#1 = busy,Node#3=idle, "]);
    assert!(marked.contains("<title>Node#1: busy</title>") && marked.contains("<title>Node#3: idle</title>"));
    assert!(drawn(&["--marking", ""]) == drawn(&[]) && marked != drawn(&[]));
}

#[test]
fn an_architecture_with_a_trace_shows_its_end() {
    let folder = folder("draw-end");
    let trace = folder.join("t.json");
    let trace = trace.to_str().unwrap();
    let model = "examples/philosophers/alt-philo-sym.rs";
    run(&["-q", model, "--error", "deadlock", "--trace", trace]);
    let text = run(&["draw", model, "--trace", trace, "--what", "architecture"]).output_of(0);
    assert!(text.contains("<title>Phil#3: one</title>") && text.contains("<title>Fork#1: used</title>"));
    let text = run(&["draw", model, "--trace", trace, "--marking", "Phil#1=eat"]).output_of(0);
    assert!(text.contains("<title>Phil#1: eat</title>") && text.contains("<title>Phil#3: one</title>"));
    fs::remove_dir_all(folder).unwrap();
}

/// The chart and the architecture point out who makes the error true, and name the error.
#[test]
fn the_components_of_an_error_are_pointed_out() {
    let folder = folder("draw-error");
    let trace = folder.join("t.json");
    let trace = trace.to_str().unwrap();
    let model = "examples/rings/traffic-lights-hasty.rs";
    run(&["-q", model, "--error", "crash", "--trace", trace]);
    let drawn = |more: &[&str]| run(&[&["draw", model], more].concat()).output_of(0);
    let marks = |text: &str| text.matches("class=\"marked\"").count();
    let caption = "error crash (#Light.green + #Light.amber &gt;= 2)";
    for what in ["trace", "architecture"] {
        let text = drawn(&["--trace", trace, "--what", what]);
        assert_eq!((marks(&text), text.contains(caption)), (2, true), "{what}: {text}");
        // Another error, which only one of them makes true.
        let text = drawn(&["--trace", trace, "--what", what, "--error", "one = #Light.amber >= 1"]);
        assert_eq!(
            (marks(&text), text.contains("error one (#Light.amber &gt;= 1)")),
            (1, true),
            "{what}: {text}"
        );
    }
    // Before the end it is no error yet.
    let text = drawn(&["--trace", trace, "--step", "0"]);
    assert_eq!((marks(&text), text.contains("error crash")), (0, false), "{text}");
    let text = drawn(&["--trace", trace, "--step", "1", "--error", "crash"]);
    assert_eq!((marks(&text), text.contains("not an error: crash")), (0, true), "{text}");
    // Without a trace, in a marking.
    let marking = ["--size", "3", "--marking", "Light#1=green,Light#3=amber", "--error", "crash"];
    assert_eq!(marks(&drawn(&marking)), 2);
    fs::remove_dir_all(folder).unwrap();
}

/// An error of the call that wrote the trace is known by its definition.
#[test]
fn a_trace_to_an_error_that_is_not_in_the_model() {
    let folder = folder("draw-other-error");
    let trace = folder.join("t.json");
    let trace = trace.to_str().unwrap();
    let model = "examples/rings/traffic-lights-hasty.rs";
    run(&["-q", model, "--error", "mine = #Light.green >= 1", "--trace", trace]);
    let text = run(&["draw", model, "--trace", trace]).output_of(0);
    assert!(text.contains("error mine (#Light.green &gt;= 1)"), "{text}");
    assert_eq!(text.matches("class=\"marked\"").count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_step_of_a_trace_is_drawn() {
    let folder = folder("draw-steps");
    let trace = folder.join("t.json");
    let trace = trace.to_str().unwrap();
    let model = "examples/philosophers/alt-philo-sym.rs";
    run(&["-q", model, "--error", "deadlock", "--trace", trace]);
    for (step, hungry) in [("0", 0), ("1", 1), ("2", 2), ("3", 3)] {
        let text = run(&["draw", model, "--trace", trace, "--step", step]).output_of(0);
        let eats = (1..=3).filter(|phil| text.contains(&format!("<title>Phil#{phil}: one</title>"))).count();
        assert_eq!(eats, hungry, "{step}");
        assert!(text.contains(if step == "0" { "step 0 of 3" } else { "after step " }), "{text}");
        assert_eq!(text.contains("class=\"marked\""), step == "3");
    }
    let errors = run(&["draw", model, "--trace", trace, "--step", "4"]).errors_of(2);
    assert!(errors.contains("from 0 to 3"), "{errors}");
    fs::remove_dir_all(folder).unwrap();
}

/// Of a large instance the picture shows what a page holds; all of it on demand.
#[test]
fn large_instances_are_cut() {
    let drawn = |more: &[&str]| run(&[&["draw", "examples/ring.rs"], more].concat()).output_of(0);
    let text = drawn(&["--size", "1000"]);
    assert!(text.contains(" components like those beside them are left out"), "{text}");
    let all = drawn(&["--size", "40", "--all"]);
    assert_eq!(all.matches("class=\"component\"").count(), 40);
    assert!(!all.contains("left out") && !all.contains("left-out"));
    assert!(drawn(&["--size", "1000", "--what", "tree"]).contains(" more …"));
}

#[test]
fn processes_are_drawn() {
    let folder = folder("draw-processes");
    let model = "examples/ccs/2pc-unrestricted.ccs";
    assert_eq!(title(&run(&["draw", model]).output_of(0)), "COORD | WORKER: agents");
    let document = run(&["verify", model, "--check", "no_rollback", "--json"]).output;
    let path = file(&folder, "run.json", &document);
    let text = run(&["draw", model, "--trace", &path]).output_of(0);
    assert_eq!(title(&text), "COORD | WORKER: a run of 5 steps");
    assert!(text.contains("violates no_rollback (always !did nok)"), "{text}");
    assert_eq!(text.matches("class=\"step\"").count(), 5);
    // Several runs, one that is none, and one of another model.
    let both = run(&["verify", model, "--json"]).output;
    let path = file(&folder, "both.json", &both);
    assert!(run(&["draw", model, "--trace", &path]).errors_of(2).contains("choose one with `--check NAME`"));
    run(&["draw", model, "--trace", &path, "--check", "no_rollback"]).output_of(0);
    let errors = run(&["draw", model, "--trace", &path, "--check", "nothing"]).errors_of(2);
    assert!(errors.contains("it has runs of `no_rollback`"), "{errors}");
    let altered = file(&folder, "altered.json", document.replace("\"label\": \"nok\"", "\"label\": \"ok\""));
    let errors = run(&["draw", model, "--trace", &altered]).errors_of(2);
    assert!(errors.contains("step 5: `ok` by COORD is not possible there"), "{errors}");
    let errors = run(&["draw", "examples/ccs/peterson.ccs", "--trace", &altered]).errors_of(2);
    assert!(errors.contains("step 1"), "{errors}");
    let broken = file(&folder, "broken.json", "{\"results\": 3}");
    assert!(run(&["draw", model, "--trace", &broken]).errors_of(2).contains("E0012"));
    for wrong in [
        &["--what", "tree"][..],
        &["--what", "proof"],
        &["--set", "2"],
        &["--candidate", "c.json"],
        &["--step", "1"],
        &["--check", "no_rollback"],
        &["--what", "trace"],
    ] {
        let errors = run(&[&["draw", model], wrong].concat()).errors_of(2);
        assert!(errors.contains("of a process its agents are drawn"), "{wrong:?}: {errors}");
    }
    assert!(run(&["draw", model, "--as", "dot"]).errors_of(2).contains("--as dot"));
    fs::remove_dir_all(folder).unwrap();
}

/// Of a long run the first steps are drawn and the last, where the check is violated.
#[test]
fn long_runs_are_cut() {
    let folder = folder("draw-long");
    let drawn = |length: usize, more: &[&str]| {
        let model =
            format!("P = {}wrong.0; system P; check right = always !did wrong;", "a.".repeat(length - 1));
        let model = file(&folder, "long.ccs", &model);
        let document = run(&["verify", &model, "--json"]).output;
        let path = file(&folder, "run.json", &document);
        run(&[&["draw", &model, "--trace", &path], more].concat())
    };
    let text = drawn(80, &[]).output_of(0);
    let steps = |text: &str| text.matches("class=\"step\"").count();
    assert_eq!(steps(&text), 40);
    assert!(text.contains("… 40 more steps …") && text.contains("<title>80. wrong</title>"), "{text}");
    assert!(!text.contains("<title>21. a</title>") && !text.contains("<title>60. a</title>"), "{text}");
    let text = drawn(80, &["--all"]).output_of(0);
    assert_eq!((steps(&text), text.contains(" more step")), (80, false));
    assert!(drawn(2_000, &[]).output_of(0).contains("… 1,960 more steps …"));
    let errors = drawn(301, &["--all"]).errors_of(2);
    assert!(errors.contains("there are 301 steps") && errors.contains("leave --all out"), "{errors}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pictures_are_written_whole() {
    let folder = folder("draw-output");
    let model = file(&folder, "ring.rs", RING);
    let path = file(&folder, "ring.svg", "old");
    let printed = run(&["draw", &model, "--size", "3"]).output_of(0);
    assert_eq!(run(&["draw", &model, "--size", "3", "--output", &path]).output_of(0), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    run(&["draw", &model, "--size", "3000", "--all", "--output", &path]).errors_of(2);
    assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    assert!(run(&["draw", &model, "--output", &model]).errors_of(2).contains("names an input"));
    assert_eq!(fs::read_to_string(&model).unwrap(), RING);
    let lost = run(&["draw", &model, "--output", "no-such-folder/x.svg"]).errors_of(2);
    assert!(lost.contains("E0005"), "{lost}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn calls_that_are_wrong() {
    let mut all = String::new();
    for wrong in [
        &["--what", "ring"][..],
        &["--what", "architecture"],
        &["--what", "trace", "--size", "3"],
        &["--what", "components", "--size", "3"],
        &["--marking", "Node#1=t"],
        &["--size", "3", "--what", "tree", "--marking", "Node#1=t"],
        &["--trace", "README.md"],
        &["--trace", "README.md", "--as", "dot"],
        &["--size", "200", "--all"],
        &["--size", "3", "--step", "1"],
        &["--trace", "README.md", "--step", "1", "--what", "trace"],
        &["--error", "deadlock"],
        &["--size", "3", "--error", "no_such_error"],
        &["--size", "3", "--error", "x = #"],
        &["--size", "3", "--step", "-1"],
        &["--size", "1"],
        &["--tree", "Ring.7"],
        &["--size", "3", "--tree", "Ring.1"],
        &["--size", "3", "--candidate", "c.json"],
        &["--tree", "Ring.1", "--instance", "2"],
        &["--size", "3", "--marking", "Node#9=t"],
        &["--size", "3", "--marking", "First#1=busy"],
        &["--size", "3", "--marking", "First#1"],
        &["--size", "3", "--marking", "First#1=,"],
        &["--size", "3", "--marking", ",,"],
        &["--size", "3", "--marking", "First#1=t,, Node#1=n"],
        &["--size", "3", "--marking", "First#1=t, First#1=n"],
        &["--as", "png"],
    ] {
        let call = [&["draw", HERMAN], wrong].concat();
        let run = run(&call);
        // That an instance is the first of several is reported separately.
        let errors: Vec<&str> = run.errors.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{call:?}");
        all += &format!("$ paramcheck {}\n{}\n\n", call.join(" "), errors.join("\n"));
    }
    assert_snapshot!("wrong-pictures", all);
    assert_eq!(run(&["draw", "no-such-file"]).code, 2);
    assert_eq!(run_with(&["draw", "-"], "component").code, 2);
    assert!(run(&["draw", "-", "--trace", "-"]).errors_of(2).contains("only once"));
}

#[test]
fn the_pictures_in_the_docs_are_those_that_are_drawn() {
    let folder = folder("draw-docs");
    let trace = folder.join("philo.json");
    let trace = trace.to_str().unwrap();
    let philosophers = "examples/philosophers/alt-philo-sym.rs";
    run(&["-q", philosophers, "--error", "deadlock", "--trace", trace]);
    let crash = folder.join("crash.json");
    let crash = crash.to_str().unwrap();
    let lights = "examples/rings/traffic-lights-hasty.rs";
    run(&["-q", lights, "--error", "crash", "--trace", crash]);
    let peterson = "examples/ccs/peterson.ccs";
    let tree = "Main.1(Tree.1(Tree.1(Tree.2, Tree.2), Tree.1(Tree.2, Tree.2)))";
    let marking = "Root#1=gone, Inner#1=wright, Inner#3=got";
    for (name, call) in [
        ("philosophers", &["draw", philosophers][..]),
        ("trace", &["draw", philosophers, "--trace", trace]),
        ("deadlock", &["draw", philosophers, "--trace", trace, "--what", "architecture"]),
        ("tree", &["draw", "examples/trees/tree-dfs.rs", "--tree", tree, "--marking", marking]),
        ("crash", &["draw", lights, "--trace", crash]),
        ("long-ring", &["draw", "examples/hierarchies/star-ring.rs", "--size", "41"]),
        ("peterson", &["draw", peterson]),
    ] {
        let path = format!("{}/docs/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        // Not shown line by line: look at the picture, and write it anew.
        assert!(
            run(call).output_of(0) == fs::read_to_string(&path).unwrap(),
            "{path} is drawn in another way now"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn help() {
    assert_snapshot!("draw-help", run(&["draw", "--help"]).output_of(0));
}

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

#[test]
fn pictures_are_written_whole() {
    let folder = folder("draw-output");
    let model = file(&folder, "ring.rs", RING);
    let path = file(&folder, "ring.svg", "old");
    let printed = run(&["draw", &model, "--size", "3"]).output_of(0);
    assert_eq!(run(&["draw", &model, "--size", "3", "--output", &path]).output_of(0), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    run(&["draw", &model, "--size", "3000", "--output", &path]).errors_of(2);
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
        &["--size", "200"],
        &["--size", "1"],
        &["--tree", "Ring.7"],
        &["--size", "3", "--tree", "Ring.1"],
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
    let tree = "Main.1(Tree.1(Tree.1(Tree.2, Tree.2), Tree.1(Tree.2, Tree.2)))";
    let marking = "Root#1=gone, Inner#1=wright, Inner#3=got";
    for (name, call) in [
        ("philosophers", &["draw", philosophers][..]),
        ("trace", &["draw", philosophers, "--trace", trace]),
        ("deadlock", &["draw", philosophers, "--trace", trace, "--what", "architecture"]),
        ("tree", &["draw", "examples/trees/tree-dfs.rs", "--tree", tree, "--marking", marking]),
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

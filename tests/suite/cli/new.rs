//! `new`: every model that it writes is proved, without a warning, as `fmt` would write it, and never in place of
//! another.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use super::{folder, run};

const SHAPES: [&str; 7] = ["ring", "chain", "star", "tree", "ring-of-stars", "pipeline", "hierarchy"];

#[test]
fn help() {
    assert_snapshot!("new-help", run(&["new", "--help"]).output_of(0));
}

/// Writes a model and checks what is written; its text.
#[track_caller]
fn model(path: &Path, options: &[&str], ending: &str, check: &[&str]) -> String {
    let name = path.to_str().unwrap();
    let written = run(&[&["new", name], options].concat()).output_of(0);
    let file = format!("{name}.{ending}");
    assert!(written.starts_with(&format!("{file}: written; `paramcheck ")), "{written}");
    let text = fs::read_to_string(&file).unwrap();
    let stem = path.file_name().unwrap().to_str().unwrap();
    assert!(text.starts_with(&format!("// {stem}: ")), "{text}");
    assert!(!text.contains("NAME") && !text.contains("FILE"), "{text}");
    assert!(text.lines().count() <= 70 && text.contains("Change first"), "{text}");
    run(&["fmt", "--check", &file]).output_of(0);
    // Not a warning, and not a remark.
    let answers = run(&[check, &[&file]].concat()).output_of(0);
    let (head, answers) = answers.split_once('\n').unwrap();
    assert!(head.starts_with(&file), "{head}");
    assert!(answers.lines().all(|line| line.starts_with("  proved ")), "{answers}");
    assert!(answers.lines().count() > 1, "{answers}");
    text
}

#[test]
fn every_shape_is_proved() {
    let folder = folder("new-shapes");
    for shape in SHAPES {
        let text = model(&folder.join(format!("my-{shape}")), &["--shape", shape], "rws", &[]);
        let printed = run(&["new", "-", "--shape", shape]).output_of(0);
        assert_eq!(printed.lines().count(), text.lines().count());
        assert!(printed.starts_with("// A model: ") && printed.contains("`paramcheck FILE`"), "{printed}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), SHAPES.len());
    // The default.
    assert_eq!(run(&["new", "-"]).output, run(&["new", "-", "--shape", "ring"]).output);
}

#[test]
fn processes_and_choreographies_too() {
    let folder = folder("new-processes");
    for (name, language, ending) in
        [("one", "ccs", "ccs"), ("two", "chor", "chor"), ("three", "choreography", "chor")]
    {
        model(&folder.join(name), &["--language", language], ending, &["verify"]);
    }
    // The ending says it as well, and stays.
    let path = folder.join("four.ccs");
    run(&["new", path.to_str().unwrap()]).output_of(0);
    assert_eq!(
        fs::read_to_string(path).unwrap().lines().next(),
        Some("// four: two processes that take turns at a resource, in CCS.")
    );
}

#[test]
fn a_name_may_be_anything() {
    let folder = folder("new-names");
    for name in ["FILE", "NAME", "two words", "ünï", "a.b"] {
        let path = folder.join(name);
        run(&["new", path.to_str().unwrap()]).output_of(0);
        let file = folder.join(format!("{name}.rws"));
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(&format!("// {name}: a ring of nodes")), "{text}");
        assert_eq!(text.matches(&format!("{name}.rws` proves")).count(), 1, "{text}");
        run(&["fmt", "--check", file.to_str().unwrap()]).output_of(0);
    }
}

/// A command that is printed can be copied: what begins like an option is not taken for one.
#[test]
fn names_that_begin_like_options() {
    let folder = folder("new-options");
    let mut call = super::command(&["new", "--", "-x"]);
    let run = super::finish({
        call.current_dir(&folder);
        call
    });
    assert_eq!(run.output_of(0), "-x.rws: written; `paramcheck ./-x.rws` checks it\n");
    assert!(folder.join("-x.rws").is_file());
}

#[test]
fn names_that_are_none_are_refused_and_nothing_is_written() {
    let folder = folder("new-refused");
    let mut shown = String::new();
    for name in ["-x", "", " ", ".", "/", "dir/", "a\nb", "a\tb", "\u{1b}[31m", "a.rws/", "a\n/b", "x/.."] {
        let mut call = super::command(&["new", name]);
        call.current_dir(&folder);
        let errors = super::finish(call).errors_of(2);
        assert!(!errors.contains('\u{1b}'), "{errors:?}");
        shown += &format!("$ new {name:?}\n{}\n", errors.lines().next().unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{name:?}");
    }
    assert_snapshot!("new-names", shown);
}

#[test]
fn names_keep_their_endings_and_commands_can_be_copied() {
    let folder = folder("new-names");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for (name, file) in [("a", "a.rws"), ("b.rws", "b.rws"), ("c.rs", "c.rs"), ("d.v2", "d.v2.rws")] {
        run(&["new", &path(name)]).output_of(0);
        assert!(folder.join(file).is_file(), "{name}");
    }
    let output = run(&["new", &path("with a space")]).output_of(0);
    assert!(output.contains(&format!("`paramcheck '{}'` checks it", path("with a space.rws"))), "{output}");
}

#[test]
fn nothing_is_overwritten() {
    let folder = folder("new-again");
    let path = folder.join("mine.rws");
    fs::write(&path, "// mine\n").unwrap();
    for name in ["mine", "mine.rws"] {
        let errors = run(&["new", folder.join(name).to_str().unwrap()]).errors_of(2);
        assert!(errors.contains("E0005") && errors.contains("nothing is overwritten"), "{errors}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "// mine\n");
    let errors = run(&["new", folder.join("none/x").to_str().unwrap()]).errors_of(2);
    assert!(errors.contains("E0005") && errors.contains("make it first"), "{errors}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn wrong_calls() {
    let shown: Vec<String> = [
        &["new"][..],
        &["new", "x", "--shape", "clique"],
        &["new", "x", "--shape", "ring", "--language", "ccs"],
        &["new", "x.ccs", "--language", "chor"],
        &["new", "x", "--language", "promela"],
        &["new", ".."],
    ]
    .iter()
    .map(|call| format!("$ {}\n{}", call.join(" "), run(call).errors_of(2)))
    .collect();
    assert_snapshot!("new-wrong", shown.join("\n"));
}

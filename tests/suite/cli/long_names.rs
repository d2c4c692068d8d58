//! Names and terms far longer than any column: every command still prints its whole answer.

use super::{file, folder, run, run_with};

/// Longer than what `format!` can pad to.
const LENGTH: usize = 70_000;

#[test]
fn names_in_rewriting_systems_may_be_long() {
    let folder = folder("long-names");
    let long = "x".repeat(LENGTH);
    let capital = "X".repeat(LENGTH);
    let model = |component: &str, state: &str, port: &str, predicate: &str, error: &str| {
        format!(
            "component {component} {{ states a, {state}; init a; a -{port}-> {state}; }}\n\
             {predicate}() <- new x, y . <{port}(x) {port}(y)> ({component}(x), {component}(y));\n\
             error {error} = #{state} >= 2;"
        )
    };
    let models = [
        model(&capital, "b", "p", "S", "e"),
        model("T", &long, "p", "S", "e"),
        model("T", "b", &long, "S", "e"),
        model("T", "b", "p", &capital, "e"),
        model("T", "b", "p", "S", &long),
    ];
    for (number, text) in models.iter().enumerate() {
        let path = file(&folder, &format!("{number}.rs"), text);
        for call in [&[&path[..]][..], &["explore", &path, "--size", "2"], &["verify", &path, "--size", "2"]]
        {
            run(call).output_of(1);
        }
        for call in [
            &["crosscheck", &path, "--max-size", "2"][..],
            &["instances", &path, "--size", "2"],
            &["draw", &path, "--size", "2"],
            &["emulate", &path, "--size", "2", "--as", "triples"],
            &["emit", &path, "--size", "2", "--as", "smv"],
        ] {
            run(call).output_of(0);
        }
        run_with(&["step", &path, "--size", "2"], "1\nlist\nmarking\nerrors\nback\n").output_of(0);
    }
}

#[test]
fn names_and_terms_of_processes_may_be_long() {
    let folder = folder("long-terms");
    let long = "x".repeat(LENGTH);
    let capital = "X".repeat(LENGTH);
    let restricted = " \\ {a}".repeat(LENGTH / 5);
    let summands: Vec<String> = (0..LENGTH / 4).map(|number| format!("a{number}.0")).collect();
    let texts = [
        (".ccs", format!("system {}; check e = always !did a7;", summands.join(" + "))),
        (".ccs", format!("P = {long}.b.0; system P | '{long}.0; check e = always !did {long};")),
        (".ccs", format!("{capital} = a.b.0; system {capital} | 'a.c.0; check e = always !did a;")),
        (".ccs", format!("system a.0; check {long} = always !did a;")),
        (".ccs", format!("system a.0{restricted}; check deadlock;")),
        (".chor", format!("system a@[{long}, y]; b@{long}; check e = always !did b;")),
        (".chor", format!("system {long}@[x, y]; b@y; check e = always !did {long};")),
    ];
    for (number, (extension, text)) in texts.iter().enumerate() {
        let path = file(&folder, &format!("{number}{extension}"), text);
        for more in [&[][..], &["--quiet"], &["--schedule", "round-robin"]] {
            run(&[&["verify", &path], more].concat()).output_of(1);
        }
        let formats = ["triples", "dot", "lts", "c", "chc", "promela", "smv", "peers"];
        for format in formats.iter().filter(|format| *extension == ".chor" || **format != "peers") {
            run(&["emulate", &path, "--as", format]).output_of(0);
        }
    }
}

#[test]
fn projections_are_written_whole_or_not_at_all() {
    // Each definition doubles what the one before it is.
    let definition = |number: usize| format!("P{number} = P{0}; P{0};\n", number - 1);
    let definitions: String = (1..=40).map(definition).collect();
    let text = format!("P0 = a@x + b@[x, y];\n{definitions}system P40;");
    let path = file(&folder("long-peers"), "doubling.chor", text);
    let refused = run(&["emulate", &path, "--as", "peers"]);
    assert_eq!((refused.code, refused.output.as_str()), (3, ""));
    assert!(refused.errors.contains("longer than 64 MiB"), "{}", refused.errors);
}

//! The language server about agents of LAbS.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::client::{Editor, edited, place, uri};
use super::{as_shown, files, json as run, printed, reported, shown, text};
use crate::suite::labs::known::{expected, folder};

/// A model with a name of every kind.
const MODEL: &str = "\
system {
    environment = free: 2; seats[2]: 0..2
    spawn = Guest: 2, Host: 1
    Rest = Skip; Rest
}
stigmergy News {
    link = mood of 1 = mood of 2
    word, age: undef, 0
}
agent Guest {
    interface = mood: [1, 2]
    stigmergies = News
    Behavior = (free > 0 -> free <-- free - 1; Talk) ++ (age > 1 -> Rest)
    Talk = { all := forall Guest g, mood of g = 1; t := if all then 1 else 0; word <~ t }; Rest
}
agent Host {
    interface = mood: 1
    stigmergies = News
    Behavior = { p[] := pick 1 Guest where mood of 2 = 1; age <~ p[0] }
}
assume { Calm = exists Guest g, mood of g = 1 }
check {
    Never = always free >= 0
    Empty = finally free = 0
    Order = between (free = 2) and (free = 0), free = 1 precedes exists Guest g, word of g = 1
}
";

/// A model that stays the same when its parameters get values.
const WITH_PARAMETERS: &str = "\
system { extern = _n, _m  spawn = A: _n }
agent A { interface = x: 0  Behavior = x < _m -> x <- x + 1; Behavior }
check { Small = always forall A a, x of a <= _m }
";

/// The file with values of its parameters in a call, if it has some.
fn with_values(path: &str) -> Vec<String> {
    let text = text(path);
    let names = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let names = names.filter_map(|line| line.trim().strip_prefix("extern"));
    let names: Vec<String> = names
        .flat_map(|line| line.trim_start_matches([' ', '=']).split(','))
        .map(|name| format!("{}=3", name.trim().trim_start_matches('_').split(' ').next().unwrap()))
        .collect();
    [vec![path.to_owned()], names].concat()
}

#[test]
fn diagnostics_are_those_of_verify() {
    let mut editor = Editor::start(&[]);
    let (mut errors, mut count) = (0, 0);
    for path in files("tests/cases/labs", &["labs"]) {
        let text = text(&path);
        let found: Vec<String> = editor.open(&path, &text).iter().map(shown).collect();
        editor.close(&path);
        let call = with_values(&path);
        let call: Vec<&str> = call.iter().map(String::as_str).collect();
        let known = reported(&call, &["verify", "--json", "--max-states", "1"]);
        // What is only found when it runs, or needs a value, is not shown as one types.
        let known: Vec<String> = known[0].iter().map(|one| as_shown(one, &text)).collect();
        let is_static = |one: &&String| !one.contains("E0714") && !one.contains("E0719");
        let known: Vec<&String> = known.iter().filter(is_static).collect();
        let known: Vec<&String> =
            known.into_iter().filter(|one| one.split(' ').nth(2) != Some("0:0-0:0")).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), known, "{path}");
        errors += usize::from(found.iter().any(|one| one.starts_with("error")));
        count += 1;
    }
    assert!(count > 60 && errors > 10, "{count} {errors}");
    editor.end();
}

/// Asks at each place, `needle` and the how manieth, behind its first letter.
fn ask(
    editor: &mut Editor,
    places: &[(&str, usize)],
    show: impl Fn(&mut Editor, (usize, usize)) -> String,
) -> String {
    let mut lines = String::new();
    for &(needle, nth) in places {
        let at = place(MODEL, needle, nth, 1);
        let _ = writeln!(lines, "{needle} at {}:{}\n{}", at.0, at.1, show(editor, at));
    }
    lines
}

#[test]
fn names_are_explained() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    assert_eq!(editor.open("model.labs", MODEL), Vec::<Value>::new());
    let places = [
        ("free", 1),
        ("mood", 0),
        ("word", 0),
        ("seats", 0),
        ("Guest:", 0),
        ("News", 1),
        ("Talk", 0),
        ("Rest", 1),
        ("Calm", 0),
        ("Never", 0),
        ("Order", 0),
        ("g, mood", 0),
        ("all", 0),
        ("p[]", 0),
        ("stigmergy", 0),
        ("forall", 0),
        ("pick", 0),
        ("undef", 0),
        ("Skip", 0),
    ];
    let all = ask(&mut editor, &places, |editor, at| {
        let hover = editor.at("textDocument/hover", "model.labs", at).unwrap();
        let value = hover["contents"]["value"].as_str().unwrap_or("nothing");
        // The answers, or that they are not there yet, are no matter here.
        let before = value.split("```text").next().unwrap().trim_end();
        before.trim_end_matches('…').trim_end().to_owned()
    });
    insta::assert_snapshot!("agents-hover", all);
    editor.open("parameters.labs", WITH_PARAMETERS);
    let at = place(WITH_PARAMETERS, "_m", 1, 1);
    let hover = editor.at("textDocument/hover", "parameters.labs", at).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("as in `m=3`"), "{shown}");
    editor.end();
}

#[test]
fn names_are_found() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    editor.open("model.labs", MODEL);
    let range = |value: &Value| {
        let at = |at: &Value| format!("{}:{}", at["line"], at["character"]);
        format!("{}-{}", at(&value["start"]), at(&value["end"]))
    };
    let ranges = |value: Value| -> String {
        let all = value.as_array().unwrap().iter().map(|one| range(&one["range"]));
        all.collect::<Vec<_>>().join(" ")
    };
    let places = [
        ("free", 2),
        ("mood", 2),
        ("Talk", 0),
        ("Rest", 2),
        ("News", 1),
        ("Guest", 2),
        ("age >", 0),
        ("g = 1", 0),
        ("t }", 0),
    ];
    let all = ask(&mut editor, &places, |editor, at| {
        let defined = ranges(editor.at("textDocument/definition", "model.labs", at).unwrap());
        let (line, character) = at;
        let params = json!({
            "textDocument": { "uri": uri("model.labs") },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        let references = ranges(editor.request("textDocument/references", params).unwrap());
        format!("  defined {defined}\n  written {references}")
    });
    insta::assert_snapshot!("agents-places", all);
    let symbols = editor.about("textDocument/documentSymbol", "model.labs");
    let mut lines = String::new();
    for symbol in symbols.as_array().unwrap() {
        let _ =
            writeln!(lines, "{} ({})", symbol["name"].as_str().unwrap(), symbol["detail"].as_str().unwrap());
        for child in symbol["children"].as_array().into_iter().flatten() {
            let _ = writeln!(
                lines,
                "  {} ({})",
                child["name"].as_str().unwrap(),
                child["detail"].as_str().unwrap()
            );
        }
    }
    insta::assert_snapshot!("agents-outline", lines);
    editor.end();
}

#[test]
fn words_are_completed() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut all = String::new();
    for (before, after) in [
        ("", "system {"),
        ("system { ", " }"),
        ("system { spawn = ", "\n}\nagent Phil { Behavior = Nil }"),
        ("stigmergy S { link = true  x: 0 }\nagent A { stigmergies = ", " }"),
        ("agent A { interface = x: 0  Behavior = ", " }"),
        ("agent A { interface = x: 0  Behavior = x <- 1; ", " }"),
        ("check { P = ", " }"),
        ("agent A { Behavior = Nil }\ncheck { P = always forall ", " }"),
        ("agent A { interface = x: 0 }\ncheck { P = always forall A a, x of ", " }"),
        ("# in a comment ", ""),
    ] {
        let text = format!("{before}{after}");
        editor.open("new.labs", &text);
        let line = before.matches('\n').count();
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        let items = editor.at("textDocument/completion", "new.labs", (line, column)).unwrap();
        let items = items.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned());
        let _ = writeln!(
            all,
            "{}|{}\n  {}",
            before.replace('\n', "⏎"),
            after.replace('\n', "⏎"),
            items.collect::<Vec<_>>().join(" ")
        );
        editor.close("new.labs");
    }
    insta::assert_snapshot!("agents-completions", all);
    editor.end();
}

#[test]
fn names_are_changed_everywhere() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    editor.open("model.labs", MODEL);
    let rename = |editor: &mut Editor, (needle, nth): (&str, usize), name: &str| {
        let (line, character) = place(MODEL, needle, nth, 1);
        let position = json!({ "line": line, "character": character });
        let params =
            json!({ "textDocument": { "uri": uri("model.labs") }, "position": position, "newName": name });
        editor.request("textDocument/rename", params)
    };
    for (place, name, count) in [
        (("free", 0), "open", 9),
        (("mood", 0), "temper", 7),
        (("Talk", 0), "Speak", 2),
        (("News", 0), "Gossip", 3),
        (("Guest", 0), "Visitor", 6),
        (("word", 0), "term", 3),
        (("Never", 0), "Always", 1),
        (("t :=", 0), "u", 2),
        (("Rest", 0), "Pause", 4),
    ] {
        let edit = rename(&mut editor, place, name).unwrap();
        let edits = edit["changes"][uri("model.labs")].as_array().unwrap().clone();
        assert_eq!(edits.len(), count, "{place:?}: {edits:?}");
        let renamed = edited(MODEL, &edits);
        assert_eq!(editor.open("other.labs", &renamed), Vec::<Value>::new(), "{renamed}");
        editor.close("other.labs");
    }
    let mut refused = String::new();
    for (place, name) in [
        (("free", 0), "Free"),
        (("Guest", 0), "guest"),
        (("free", 0), "mood"),
        (("free", 0), "id"),
        (("free", 0), "two words"),
        (("Talk", 0), "Rest"),
    ] {
        match rename(&mut editor, place, name) {
            Ok(edit) => panic!("{place:?} {name}: {edit}"),
            Err(error) => {
                let _ = writeln!(refused, "{} -> {name}: {}", place.0, error["message"].as_str().unwrap());
            }
        }
    }
    insta::assert_snapshot!("agents-renames-refused", refused);
    editor.end();
}

#[test]
fn formatting_is_that_of_fmt() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut changed = 0;
    for path in files("tests/cases/labs/examples", &["labs"]) {
        let (model, canonical) = (text(&path), printed(&["fmt", &path]));
        editor.open(&path, &model);
        let edits = editor.about("textDocument/formatting", &path).as_array().unwrap().clone();
        assert_eq!(edited(&model, &edits), canonical, "{path}");
        changed += usize::from(!edits.is_empty());
        editor.change(&path, json!([{ "text": canonical }]));
        assert_eq!(editor.about("textDocument/formatting", &path), json!([]), "{path}");
        editor.close(&path);
    }
    assert!(changed > 10, "{changed}");
    editor.end();
}

/// Per property the verdict over it.
fn verdicts(editor: &mut Editor, name: &str) -> BTreeMap<String, String> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let lenses = editor.lenses(name);
    let arguments = lenses.iter().map(|lens| &lens["command"]["arguments"][0]);
    arguments.map(|one| (word(&one["name"]), word(&one["verdict"]))).collect()
}

#[test]
fn verdicts_are_those_of_verify() {
    let mut editor = Editor::start(&["--time-limit", "3600"]);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in expected("points").as_object().unwrap().keys() {
        let path = format!("tests/cases/labs/points/{name}");
        if std::fs::read_to_string(folder("points").join(name)).unwrap().contains("extern") {
            continue;
        }
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let document = run(&["verify", "--json", &path]);
        let results = document["results"].as_array().unwrap().iter();
        let known: BTreeMap<String, String> = results
            .filter(|one| one["check"] != "fault")
            .map(|one| (word(&one["check"]), word(&one["verdict"])))
            .collect();
        editor.open(&path, &text(&path));
        assert_eq!(verdicts(&mut editor, &path), known, "{path}");
        known.into_values().for_each(|verdict| *seen.entry(verdict).or_default() += 1);
        editor.close(&path);
    }
    assert!(seen["proved"] > 10 && seen["violated"] > 10, "{seen:?}");
    editor.end();
}

#[test]
fn lenses_have_the_steps_and_say_what_is_missing() {
    let mut editor = Editor::start(&["--time-limit", "3600"]);
    editor.open("model.labs", MODEL);
    let lenses = editor.lenses("model.labs");
    let mut lines = String::new();
    for lens in &lenses {
        let command = &lens["command"];
        let title = command["title"].as_str().unwrap();
        let title = title.rfind(" (").map_or(title, |at| &title[..at]);
        let _ = writeln!(lines, "{}: {title}", lens["range"]["start"]["line"]);
        for step in command["arguments"][0]["steps"].as_array().unwrap() {
            let line = &step["location"]["range"]["start"]["line"];
            let _ = writeln!(lines, "    {}  at {line}", step["text"].as_str().unwrap());
        }
    }
    insta::assert_snapshot!("agents-lenses", lines);
    editor.open("parameters.labs", WITH_PARAMETERS);
    let lenses = editor.lenses("parameters.labs");
    assert_eq!(lenses.len(), 1);
    assert_eq!(
        lenses[0]["command"]["title"],
        "not decided: the parameters `_n`, `_m` have no values; `paramcheck verify parameters.labs n=3 m=3` \
         gives them some"
    );
    editor.end();
}

/// A question that takes longer than anybody waits.
const ENDLESS: &str = "\
system { spawn = A: 9 }
stigmergy S { link = true  x: 0; y: 0 }
agent A {
    interface = a: 0..100; b: 0..100
    stigmergies = S
    Behavior = (a <- [0..100] ++ b <- [0..100] ++ x <~ [0..100] ++ y <~ x); Behavior
}
check { Never = always exists A p, a of p >= 0 }
";

#[test]
fn the_next_key_ends_what_is_being_decided() {
    let mut editor = Editor::start(&["--time-limit", "36000"]);
    editor.open("model.labs", ENDLESS);
    for _ in 0..10 {
        editor.about("textDocument/codeLens", "model.labs");
        editor.change("model.labs", json!([{ "text": ENDLESS }]));
        editor.diagnostics("model.labs");
    }
    editor.change("model.labs", json!([{ "text": MODEL }]));
    assert_eq!(verdicts(&mut editor, "model.labs")["Never"], "proved");
    // A text with errors has no verdicts.
    editor.change("model.labs", json!([{ "text": "system {" }]));
    assert_eq!(editor.lenses("model.labs"), Vec::<Value>::new());
    editor.end();
}

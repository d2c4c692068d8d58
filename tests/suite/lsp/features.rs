//! Names, completion, formatting, explanations: what the server says about places in a document.

use std::fmt::Write;

use serde_json::{Value, json};

use super::client::{Editor, edited, place, uri};
use super::{RING, files, printed, text};

/// A small model with a name of every kind.
const MODEL: &str = "\
// Safe by a trap, and by mutexes.
component Node { states idle, busy; init idle; final idle; busy -out-> idle; idle -in-> busy; }
component Hub { states idle, open; init idle; idle -> open; open -out-> open; }
link pass(x, y) = <out(x) in(y)>;
S() <- new x, h . <out(h) in(x)> (Hub(h), Chain(x, h));
Chain(x, h) <- new y . <pass(x, y) + out(h) in(x)> forbid <Node.busy(x) busy(y)> (Node(x), Chain(y, h));
Chain(x, h) <- Node[busy](x);
error two = #busy >= 2 & !some;
error some = #Hub.open + #Node.idle >= 3 | wsks { ex1 v: v in busy & v in Node };
critical open;
system S;
";

const PROCESS: &str = "\
PING = a.'b.PING;
PONG = 'a.b.PONG + stop.0;
system (PING | PONG) \\ {a, b};
check once = always !did stop;
check deadlock;
";

const CHOREOGRAPHY: &str =
    "system ask@[buyer, seller]; (pay@buyer + tau);\ncheck paid = eventually did pay;\n";

/// Line and columns of a range.
fn range(value: &Value) -> String {
    let at = |at: &Value| format!("{}:{}", at["line"], at["character"]);
    format!("{}-{}", at(&value["start"]), at(&value["end"]))
}

/// Asks at each place, `needle` and the how manieth, and writes down what comes.
fn ask(
    editor: &mut Editor,
    text: &str,
    places: &[(&str, usize)],
    show: impl Fn(&mut Editor, (usize, usize)) -> String,
) -> String {
    let mut lines = String::new();
    for &(needle, nth) in places {
        // The cursor stands behind the first letter.
        let at = place(text, needle, nth, 1);
        let _ = writeln!(lines, "{needle} at {}:{}\n{}", at.0, at.1, show(editor, at));
    }
    lines
}

#[test]
fn hovering() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut all = String::new();
    for (name, text, places) in [
        (
            "m.rws",
            MODEL,
            &[
                ("trap", 0),
                ("mutexes", 0),
                ("component", 0),
                ("Node", 0),
                ("idle", 0),
                ("busy", 5),
                ("out", 1),
                ("in(y)", 0),
                ("pass", 1),
                ("x, h . ", 0),
                ("h), ", 0),
                ("Chain", 0),
                ("h) <-", 0),
                ("y . ", 0),
                ("forbid", 0),
                ("some;", 0),
                ("two", 0),
                ("v in", 0),
                ("critical", 0),
                ("S;", 0),
                ("new", 0),
            ][..],
        ),
        ("p.ccs", PROCESS, &[("PING", 0), ("a.", 0), ("stop", 0), ("once", 0), ("did", 0), ("deadlock", 0)]),
        ("c.chor", CHOREOGRAPHY, &[("ask", 0), ("buyer", 0), ("seller", 0), ("paid", 0), ("tau", 0)]),
    ] {
        editor.open(name, text);
        all += &ask(&mut editor, text, places, |editor, at| {
            let hover = editor.at("textDocument/hover", name, at).unwrap();
            let value = hover["contents"]["value"].as_str().unwrap_or("nothing");
            // The answers are no matter here, nor whether they are there yet.
            let value = value.split("```text").next().unwrap().trim_end().trim_end_matches('…').trim_end();
            format!("    {}\n", value.replace('\n', "\n    "))
        });
    }
    insta::assert_snapshot!(all);
    editor.end();
}

#[test]
fn definitions_and_references() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut all = String::new();
    for (name, text, places) in [
        (
            "m.rws",
            MODEL,
            &[
                ("Node[", 0),
                ("busy](", 0),
                ("busy(y)", 0),
                ("out(h)", 1),
                ("pass(x, y) +", 0),
                ("Chain(y", 0),
                ("h));", 0),
                ("h));", 1),
                ("y, h", 0),
                ("some;", 0),
                ("v in busy", 0),
                ("S;", 0),
                ("open;", 1),
                ("// Safe", 0),
            ][..],
        ),
        ("p.ccs", PROCESS, &[("PONG)", 0), ("b}", 0), ("stop;", 0), ("once", 0)]),
        ("c.chor", CHOREOGRAPHY, &[("pay;", 0), ("buyer +", 0)]),
    ] {
        editor.open(name, text);
        all += &ask(&mut editor, text, places, |editor, at| {
            let mut lines = String::new();
            for method in ["definition", "references", "documentHighlight"] {
                let found = editor.at(&format!("textDocument/{method}"), name, at).unwrap();
                let ranges = found.as_array().unwrap().iter().map(|one| range(&one["range"]));
                let _ = writeln!(lines, "    {method}: {}", itertools::join(ranges, ", "));
            }
            lines
        });
    }
    insta::assert_snapshot!(all);
    editor.end();
}

#[test]
fn completions() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let head: &str = MODEL.split("error two").next().unwrap();
    let begun: Vec<(&str, String)> = vec![
        ("at the beginning", format!("{head}‸")),
        ("after #", format!("{head}error e = #‸")),
        ("after # and a letter", format!("{head}error e = #b‸ >= 2;")),
        ("after # and a type", format!("{head}error e = #Hub.‸")),
        ("in an error", format!("{head}error some = #busy > 1; error e = !‸")),
        ("in a formula", format!("{head}error e = wsks {{ ex1 v: ‸ }};")),
        ("after system", format!("{head}system ‸")),
        ("after critical", format!("{head}critical ‸")),
        ("in a component", format!("{head}component New {{ states s, t; ‸")),
        ("after init", format!("{head}component New {{ states s, t; init ‸ }}")),
        ("a port", format!("{head}component New {{ states s, t; s -own-> t; t -‸")),
        ("after an arrow", format!("{head}component New {{ states s, t; s -out-> ‸; }}")),
        ("in an interaction", format!("{head}R(x) <- new y . <o‸")),
        ("a variable", format!("{head}R(x) <- new y . <out(‸")),
        ("in a pattern", format!("{head}R(x) <- new y . <out(x) in(y)> forbid <‸")),
        ("an atom", format!("{head}R(x) <- new y . <out(x) in(y)> (‸")),
        ("an atom's variable", format!("{head}R(x) <- new y . <out(x) in(y)> (Node(‸")),
        ("initial states", format!("{head}R(x) <- new y . (Node[‸")),
        ("a body", format!("{head}R(x) <- ‸")),
        ("another body", format!("{head}R(x) <- Node(x) | ‸")),
        ("a new name", format!("{head}component ‸")),
        ("in a comment", format!("{head}// #‸")),
    ];
    let mut all = String::new();
    let mut show = |editor: &mut Editor, name: &str, what: &str, begun: &str| {
        let at = place(begun, "‸", 0, 0);
        editor.open(name, &begun.replace('‸', ""));
        let found = editor.at("textDocument/completion", name, at).unwrap();
        let words = found.as_array().unwrap().iter().map(|one| {
            let detail = one["detail"].as_str().unwrap();
            format!("{} ({detail})", one["label"].as_str().unwrap())
        });
        let _ = writeln!(all, "{what}: {}", itertools::join(words, ", "));
    };
    for (what, begun) in begun {
        show(&mut editor, "m.rws", what, &begun);
    }
    for (what, begun) in [
        ("an item", "‸"),
        ("a process", "= ‸"),
        ("after a dot", "= a.‸"),
        ("a co-action", "= a.'‸"),
        ("a check's name", "check ‸"),
        ("a check", "check e = ‸"),
        ("a formula", "check e = always ‸"),
        ("after did", "check e = always !did ‸"),
        ("a restriction", "system PING \\ {‸"),
    ] {
        show(&mut editor, "p.ccs", what, &format!("{PROCESS}{begun}"));
    }
    for (what, begun) in [("a peer", "a@‸"), ("two peers", "a@[‸"), ("the second", "a@[buyer, ‸")] {
        show(&mut editor, "c.chor", what, &format!("{CHOREOGRAPHY}{begun}"));
    }
    insta::assert_snapshot!(all);
    editor.end();
}

#[test]
fn renaming() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut all = String::new();
    let mut rename =
        |editor: &mut Editor, (name, text): (&str, &str), (needle, nth): (&str, usize), new: &str| {
            let at = place(text, needle, nth, 1);
            let position = json!({ "line": at.0, "character": at.1 });
            let params =
                json!({ "textDocument": { "uri": uri(name) }, "position": position, "newName": new });
            let what = match editor.request("textDocument/rename", params) {
                Err(error) => format!("refused: {}", error["message"].as_str().unwrap()),
                Ok(edit) => {
                    let edits = edit["changes"][uri(name)].as_array().unwrap().clone();
                    let changed = edited(text, &edits);
                    let lines = changed.lines().zip(text.lines()).filter(|(new, old)| new != old);
                    itertools::join(lines.map(|(new, _)| format!("\n    {new}")), "")
                }
            };
            let _ = writeln!(all, "{needle} to {new}: {what}");
        };
    let model = ("m.rws", MODEL);
    editor.open(model.0, model.1);
    for (place, new) in [
        // Good ones.
        (("Node", 0), "Cell"),
        (("busy;", 0), "full"),
        (("out", 0), "give"),
        (("pass", 0), "hand"),
        (("Chain", 1), "Line"),
        (("y . ", 0), "next"),
        (("h) <- new", 0), "hub"),
        (("some", 0), "any'"),
        (("v in", 0), "w"),
        (("S()", 0), "System"),
        (("open;", 0), "ready"),
        (("x, y) =", 0), "one"),
        // The same name.
        (("Node", 0), "Node"),
        // No names.
        (("Node", 0), "a b"),
        (("Node", 0), ""),
        (("Node", 0), "3x"),
        (("Node", 0), "x/**/"),
        (("Node", 0), "system"),
        // Clashes, and names with a meaning of their own.
        (("Node", 0), "Hub"),
        (("Node", 0), "Chain"),
        (("busy;", 0), "idle"),
        (("busy;", 0), "open"),
        (("out", 0), "in"),
        (("out", 0), "pass"),
        (("pass", 0), "out"),
        (("y . ", 0), "x"),
        (("y . ", 0), "h"),
        (("some", 0), "two"),
        (("some", 0), "deadlock"),
        (("some", 0), "critical"),
        (("v in", 0), "busy"),
        (("idle", 3), "away"),
        // No name there.
        (("// Safe", 0), "x"),
    ] {
        rename(&mut editor, model, place, new);
    }
    // An unqualified state of several types, and a text with errors.
    let both = MODEL.replace("critical open;", "critical idle;");
    editor.open("both.rws", &both);
    rename(&mut editor, ("both.rws", &both), ("idle;\nsystem", 0), "x");
    let broken = MODEL.replace("system S;", "system");
    editor.open("broken.rws", &broken);
    rename(&mut editor, ("broken.rws", &broken), ("Node", 0), "Cell");
    let process = ("p.ccs", PROCESS);
    editor.open(process.0, process.1);
    for (place, new) in [
        (("PING", 0), "P"),
        (("a.", 0), "z"),
        (("stop", 0), "halt"),
        (("once", 0), "never"),
        (("PING", 0), "PONG"),
        (("PING", 0), "ping"),
        (("a.", 0), "A"),
        (("a.", 0), "b"),
        (("a.", 0), "tau"),
        (("once", 0), "deadlock"),
    ] {
        rename(&mut editor, process, place, new);
    }
    let choreography = ("c.chor", CHOREOGRAPHY);
    editor.open(choreography.0, choreography.1);
    for (place, new) in
        [(("buyer", 0), "client"), (("buyer", 0), "seller"), (("pay", 0), "check"), (("paid", 0), "x")]
    {
        rename(&mut editor, choreography, place, new);
    }
    insta::assert_snapshot!(all);
    editor.end();
}

#[test]
fn outlines() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut all = String::new();
    for (name, text) in [("m.rws", MODEL), ("p.ccs", PROCESS), ("c.chor", CHOREOGRAPHY)] {
        editor.open(name, text);
        for symbol in editor.about("textDocument/documentSymbol", name).as_array().unwrap() {
            let line = |one: &Value| {
                format!(
                    "{} ({}) {}",
                    one["name"].as_str().unwrap(),
                    one["detail"].as_str().unwrap(),
                    range(&one["range"])
                )
            };
            let _ = writeln!(all, "{}", line(symbol));
            for child in symbol["children"].as_array().into_iter().flatten() {
                let _ = writeln!(all, "    {}", line(child));
            }
        }
    }
    insta::assert_snapshot!(all);
    editor.end();
}

#[test]
fn formatting_is_that_of_fmt() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let mut changed = 0;
    for path in files("examples", &["rs", "ccs", "chor"]) {
        let canonical = printed(&["fmt", &path]);
        editor.open(&path, &canonical);
        assert_eq!(editor.about("textDocument/formatting", &path), json!([]), "{path}");
        // More space between words, everywhere that is outside of comments.
        let loose: Vec<String> = canonical
            .lines()
            .map(|line| {
                if line.contains("//") || line.contains('*') {
                    line.to_owned()
                } else {
                    line.replace(' ', "  ")
                }
            })
            .collect();
        // Comments of several lines are kept as they are.
        let loose = match canonical.contains("/*") {
            true => format!("{canonical}\n\n"),
            false => loose.join("\r\n"),
        };
        editor.change(&path, json!([{ "text": loose }]));
        let edits = editor.about("textDocument/formatting", &path).as_array().unwrap().clone();
        assert_eq!(edits.len(), 1, "{path}");
        let formatted = edits[0]["newText"].as_str().unwrap();
        assert_eq!(formatted.lines().collect::<Vec<_>>(), canonical.lines().collect::<Vec<_>>(), "{path}");
        assert_eq!(edited(&loose, &edits), formatted, "{path}");
        changed += 1;
        // Nothing, where the text can't be read.
        editor.change(&path, json!([{ "text": format!("{loose}\ncomponent (") }]));
        assert_eq!(editor.about("textDocument/formatting", &path), json!([]), "{path}");
        editor.close(&path);
    }
    assert!(changed > 60, "{changed}");
    editor.end();
}

#[test]
fn a_diagnostic_in_full() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    let broken = text(RING).replace("(Node(x), Chain(y, z))", "(Node(x), Chain(y))");
    let found = editor.open("ring.rws", &broken);
    let mut first = found.into_iter().find(|one| one["code"] == "E0211").unwrap();
    let explanation = first["data"]["explanation"].take();
    insta::assert_snapshot!(serde_json::to_string_pretty(&first).unwrap());
    // Its explanation is one command away.
    let document = json!({ "uri": uri("ring.rws") });
    let params =
        json!({ "textDocument": document, "range": first["range"], "context": { "diagnostics": [] } });
    let actions = editor.request("textDocument/codeAction", params).unwrap();
    let is_it = |action: &&Value| action["title"].as_str().unwrap().starts_with("Explain E0211");
    let action = actions.as_array().unwrap().iter().find(is_it).unwrap();
    let params = json!({ "command": action["command"], "arguments": action["arguments"] });
    let answer = editor.request("workspace/executeCommand", params).unwrap();
    assert!(answer.as_str().unwrap().contains(explanation.as_str().unwrap()), "{answer}");
    for (command, argument) in
        [("paramcheck.explain", json!("E9999")), ("paramcheck.showTrace", json!(3)), ("x", json!(1))]
    {
        let params = json!({ "command": command, "arguments": [argument] });
        assert_eq!(editor.request("workspace/executeCommand", params).unwrap_err()["code"], -32602);
    }
    editor.end();
}

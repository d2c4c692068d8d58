//! The protocol itself: order of messages, what is malformed, positions, exit codes.

use serde_json::{Value, json};

use super::client::{Editor, place, uri};
use super::{RING, text};

#[test]
fn the_order_of_messages_matters() {
    let mut editor = Editor::silent(&[]);
    let early = editor.request("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(early["code"], -32002);
    let wrong = editor.request("initialize", json!({ "capabilities": 3 })).unwrap_err();
    assert_eq!(wrong["code"], -32602);
    let result = editor.request("initialize", json!({ "capabilities": {} })).unwrap();
    assert_eq!(result["serverInfo"]["name"], "paramcheck");
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(editor.request("initialize", json!({ "capabilities": {} })).unwrap_err()["code"], -32600);
    editor.request("shutdown", Value::Null).unwrap();
    assert_eq!(editor.request("textDocument/hover", json!({})).unwrap_err()["code"], -32600);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.code(), Some(0));
}

#[test]
fn it_ends_with_2_where_nobody_said_shutdown() {
    let mut editor = Editor::start(&[]);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.code(), Some(2));
    let mut editor = Editor::start(&[]);
    editor.hang_up();
    assert_eq!(editor.code(), Some(2));
    // Half a message, and one of no length: where the next begins is not known.
    for bytes in ["Content-Length: 100\r\n\r\n{", "hello\r\n\r\n", "Content-Length: 99999999999\r\n\r\n{}"] {
        let mut editor = Editor::start(&[]);
        editor.raw(bytes.as_bytes());
        editor.hang_up();
        assert_eq!(editor.code(), Some(2), "{bytes}");
    }
}

#[test]
fn what_is_malformed_is_answered_and_passed_over() {
    let mut editor = Editor::start(&[]);
    for body in ["{", "[]", "3", "{\"id\": {}}", "\u{fffd}", ""] {
        editor.raw(format!("content-length:{}\r\nX: y\r\n\r\n{body}", body.len()).as_bytes());
        let answer = editor.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{body}");
    }
    editor.raw(b"Content-Length: 2\r\n\r\n\xff\xfe");
    assert_eq!(editor.next()["error"]["code"], -32700);
    assert_eq!(editor.request("no/such", json!({})).unwrap_err()["code"], -32601);
    for method in ["hover", "definition", "rename", "completion", "codeLens", "formatting", "codeAction"] {
        let error =
            editor.request(&format!("textDocument/{method}"), json!({ "textDocument": 3 })).unwrap_err();
        assert_eq!(error["code"], -32602, "{method}");
    }
    // Notifications that make no sense, and documents that nobody has opened.
    editor.notify("textDocument/didOpen", json!([]));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri("none.rws") } }));
    editor.notify("$/cancelRequest", json!({ "id": 3 }));
    let change = json!({ "textDocument": { "uri": uri("none.rws"), "version": 2 }, "contentChanges": [] });
    editor.notify("textDocument/didChange", change);
    assert_eq!(editor.about("textDocument/codeLens", "none.rws"), Value::Null);
    assert_eq!(editor.at("textDocument/hover", "none.rws", (0, 0)), Ok(Value::Null));
    // A document of no language of ours is left alone.
    let document =
        json!({ "uri": uri("notes.txt"), "languageId": "plaintext", "version": 1, "text": "component" });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    assert_eq!(editor.about("textDocument/documentSymbol", "notes.txt"), Value::Null);
    editor.end();
}

#[test]
fn a_language_is_known_by_its_word_or_by_the_ending() {
    let mut editor = Editor::start(&[]);
    let process = "P = a.P; system P; check deadlock;";
    for (name, language, content) in [
        ("a.rws", "", text(RING)),
        ("b.rs", "rust", text(RING)),
        ("c.txt", "rws", text(RING)),
        ("d.ccs", "", process.to_owned()),
        ("e", "ccs", process.to_owned()),
        ("f.chor", "", "system a@x; check deadlock;".to_owned()),
        ("g.x", "chor", "system a@x; check deadlock;".to_owned()),
    ] {
        assert_eq!(editor.open_as(name, language, &content), Vec::<Value>::new(), "{name}");
        assert!(!editor.about("textDocument/documentSymbol", name).as_array().unwrap().is_empty(), "{name}");
    }
    editor.end();
}

/// A name with letters beyond the first plane before it, and lines that end in several ways.
const ODD: &str = "\u{feff}// \u{1d11e}\u{1d11e}\r\ncomponent Nöde\u{1d538} { states s; init s; s -p-> s; }\r\n\
                   S() <- new x . <p(x)> (Nöde\u{1d538}(x)); error \u{1d556} = #s >= 2; error f = \u{1d556} | #t > 1;";

#[test]
fn positions_are_utf_16_or_utf_8() {
    let utf8 = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    for (capabilities, is_utf8) in [(utf8, true), (json!({}), false)] {
        let mut editor = Editor::with(&[], &capabilities);
        let found = editor.open("odd.rws", ODD);
        let codes: Vec<&str> = found.iter().map(|one| one["code"].as_str().unwrap()).collect();
        assert_eq!(codes, ["E0204"]);
        let column = |needle: &str, nth: usize| {
            let offset = ODD.match_indices(needle).nth(nth).unwrap().0;
            let before = &ODD[ODD[..offset].rfind('\n').unwrap() + 1..offset];
            if is_utf8 { before.len() } else { before.encode_utf16().count() }
        };
        assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": column("t > 1", 0) }));
        // The second use of the error's name leads to its definition, and so does the one behind it.
        let name = "\u{1d556}";
        let definition = editor.at("textDocument/definition", "odd.rws", (2, column(name, 1))).unwrap();
        assert_eq!(definition[0]["range"]["start"], json!({ "line": 2, "character": column(name, 0) }));
        let width = if is_utf8 { 4 } else { 2 };
        assert_eq!(definition[0]["range"]["end"], json!({ "line": 2, "character": column(name, 0) + width }));
        // Within a letter, beyond a line, beyond the text: nothing, or the next place before; never a fault.
        for at in [(0, 4), (1, 99_999), (99, 0), (2, column(name, 1) + 1)] {
            editor.at("textDocument/hover", "odd.rws", at).unwrap();
        }
        editor.end();
    }
}

#[test]
fn a_huge_document_is_served() {
    let mut model = String::from(
        "component N { states i, b; init i; b -o-> i; i -i-> b; }\nS() <- new x, y . <o(x) i(y)> (P0(x), N(y));\n",
    );
    for k in 0..20_000 {
        model.push_str(&format!("P{k}(x) <- new y . <o(x) i(y)> (N(x), P{}(y));\n", k + 1));
    }
    model.push_str("P20000(x) <- N[b](x);\n");
    let mut editor = Editor::start(&[]);
    assert_eq!(editor.open("huge.rws", &model), Vec::<Value>::new());
    let lenses = editor.lenses("huge.rws");
    assert_eq!(lenses.len(), 1);
    assert!(lenses[0]["command"]["title"].as_str().unwrap().starts_with("too many rules"), "{lenses:?}");
    let at = place(&model, "P20000", 0, 2);
    let definition = editor.at("textDocument/definition", "huge.rws", at).unwrap();
    assert_eq!(definition[0]["range"]["start"]["line"], 20_002);
    // A burst of keys is answered as one.
    for _ in 0..200 {
        let end = json!({ "line": 20_003, "character": 0 });
        editor.change("huge.rws", json!([{ "range": { "start": end, "end": end }, "text": "x" }]));
    }
    let found = editor.diagnostics("huge.rws");
    assert_eq!(found.len(), 1);
    editor.end();
}

/// A stream that can't be followed is no silent end.
#[test]
fn it_says_why_it_can_not_go_on() {
    for (bytes, reason) in [
        (&b"Content-Length: abc\r\n\r\n{}"[..], "`Content-Length: abc` is no length"),
        (b"Content-Length: -1\r\n\r\n{}", "`Content-Length: -1` is no length"),
        (b"Content-Length: 99999999999999999999\r\n\r\n{}", "is no length"),
        (b"Content-Length: 9999999999\r\n\r\n{}", "a message of 9999999999 bytes is longer than 256 MiB"),
        (b"Content-Type: x\r\n\r\n{}", "has no `Content-Length`"),
        (b"\x00\xff\xfe\n\n", "has no `Content-Length`"),
        (b"Content-Length: \x1b[31m\xff\r\n\r\n", "`Content-Length: \\u{1b}[31m\u{fffd}` is no length"),
        (b"Content-Len", "ended within the header"),
        (b"Content-Length: 2\r\n", "ended within the header"),
        (b"Content-Length: 100\r\n\r\n{}", "after 2 of its 100 bytes"),
        (&[0; 5000], "longer than 4096 bytes"),
        (b"", "the input ended before `shutdown`"),
    ] {
        let run = super::super::cli::run_with(&["lsp"], bytes);
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{}", run.errors);
        assert!(run.errors.starts_with("error: the editor's messages can't be followed: "), "{}", run.errors);
        assert!(run.errors.contains(reason), "{}", run.errors);
        assert_eq!(run.errors.lines().count(), 1, "{}", run.errors);
    }
}

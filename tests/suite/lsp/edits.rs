//! Documents while they are being typed.

use serde_json::{Value, json};

use super::client::{Editor, edited, place};
use super::{RING, shown, text};

/// A change that removes a piece of text, and puts another in its place.
fn key(text: &str, offset: usize, removed: &str, typed: &str) -> Value {
    let position = |offset: usize| {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        json!({ "line": before.matches('\n').count(), "character": before[start..].encode_utf16().count() })
    };
    let range = json!({ "start": position(offset), "end": position(offset + removed.len()) });
    json!([{ "range": range, "text": typed }])
}

/// The letters of a text and where they begin; an end of line is one.
fn letters(text: &str) -> Vec<(usize, &str)> {
    let starts = text.char_indices().map(|(at, _)| at);
    let starts: Vec<usize> = starts.filter(|&at| !text[..at].ends_with('\r')).chain([text.len()]).collect();
    starts.windows(2).map(|two| (two[0], &text[two[0]..two[1]])).collect()
}

/// Deletes a text from its end to its beginning and types it again, letter by letter. Every few letters
/// something is wanted of the server at the place of the cursor.
fn retype(editor: &mut Editor, name: &str, text: &str) {
    let fresh: Vec<String> = editor.open(name, text).iter().map(shown).collect();
    let letters = letters(text);
    let wants = ["completion", "hover", "definition", "documentHighlight", "prepareRename"];
    let mut count = 0;
    let mut want = |editor: &mut Editor, written: &str| {
        count += 1;
        if count % 7 == 0 {
            let at = place(&format!("{written}\u{0}"), "\u{0}", 0, 0);
            editor.at(&format!("textDocument/{}", wants[count % wants.len()]), name, at).unwrap();
            editor.about("textDocument/documentSymbol", name);
        }
    };
    for &(offset, letter) in letters.iter().rev() {
        editor.change(name, key(text, offset, letter, ""));
        want(editor, &text[..offset]);
    }
    for &(offset, letter) in &letters {
        editor.change(name, key(text, offset, "", letter));
        want(editor, &text[..offset + letter.len()]);
    }
    assert!(count > 300, "{count}");
    let last: Vec<String> = editor.diagnostics(name).iter().map(shown).collect();
    assert_eq!(last, fresh, "{name}");
    let kept = editor.about("textDocument/documentSymbol", name);
    editor.close(name);
    editor.open(name, text);
    assert_eq!(editor.about("textDocument/documentSymbol", name), kept, "{name}");
    editor.close(name);
}

#[test]
fn whole_models_are_deleted_and_typed_again() {
    let mut editor = Editor::start(&[]);
    retype(&mut editor, "ring.rws", &text(RING));
    // Other line ends, and names with letters of two units.
    let odd = text(RING).replace('\n', "\r\n").replace("busy", "bu\u{1d530}y");
    retype(&mut editor, "odd.rws", &odd);
    retype(&mut editor, "bad.rws", &text("tests/cases/bad/bad-arity.rs"));
    retype(&mut editor, "2pc.ccs", &text("examples/ccs/2pc.ccs"));
    retype(&mut editor, "news.chor", &text("examples/chor/news.chor"));
    retype(&mut editor, "tuple.labs", &text("tests/cases/labs/points/tuple.labs"));
    editor.end();
}

#[test]
fn a_word_half_written_keeps_the_rest() {
    let mut editor = Editor::start(&[]);
    let model = text(RING);
    editor.open("ring.rws", &model);
    let names = |editor: &mut Editor| -> Vec<String> {
        let symbols = editor.about("textDocument/documentSymbol", "ring.rws");
        symbols.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let whole = names(&mut editor);
    let offset = model.find("error exclusion").unwrap();
    // `errorexclusion = …`: only this item is lost.
    let space = offset + "error".len();
    editor.change("ring.rws", key(&model, space, " ", ""));
    assert!(editor.diagnostics("ring.rws").iter().any(|one| one["severity"] == 1));
    let broken = names(&mut editor);
    let kept: Vec<&String> = whole.iter().filter(|name| *name != "exclusion").collect();
    assert!(kept.len() > 4 && kept.iter().all(|name| broken.contains(name)), "{whole:?} {broken:?}");
    let without = format!("{}{}", &model[..space], &model[space + 1..]);
    editor.change("ring.rws", key(&without, space, "", " "));
    assert_eq!(editor.diagnostics("ring.rws"), Vec::<Value>::new());
    assert_eq!(names(&mut editor), whole);
    // Several changes in one message, one after the other, and a whole text.
    editor.change("ring.rws", json!([{ "text": "x" }, { "text": "" }, key("", 0, "", &model)[0]]));
    assert_eq!(editor.diagnostics("ring.rws"), Vec::<Value>::new());
    assert_eq!(names(&mut editor), whole);
    editor.end();
}

#[test]
fn what_is_renamed_means_the_same() {
    let mut editor = Editor::start(&[]);
    for (path, names, fresh) in [
        (RING, &["Node", "Chain", "busy", "idle", "out", "pass", "last", "exclusion"][..], "fresh"),
        ("examples/philosophers/alt-philo-sym.rs", &["Phil", "Fork", "used", "take", "Chain"], "fresh"),
        ("examples/ccs/2pc.ccs", &["COORD", "WORKER"], "FRESH"),
        ("examples/ccs/2pc.ccs", &["commit", "vote"], "fresh"),
        ("examples/chor/news.chor", &["agency", "news"], "fresh"),
    ] {
        let model = text(path);
        let before: Vec<String> = editor.open(path, &model).iter().map(shown).collect();
        let verdicts = |editor: &mut Editor, name: &str| -> Vec<String> {
            let verdict =
                |lens: &Value| lens["command"]["arguments"][0]["verdict"].as_str().unwrap().to_owned();
            editor.lenses(name).iter().map(verdict).collect()
        };
        let answers = verdicts(&mut editor, path);
        for name in names {
            // In the code, not in a comment.
            let is_code =
                |at: usize| !model[model[..at].rfind('\n').map_or(0, |end| end + 1)..at].contains("//");
            let nth = model.match_indices(name).position(|(at, _)| is_code(at)).unwrap();
            let at = place(&model, name, nth, 1);
            let position = json!({ "line": at.0, "character": at.1 });
            let document = json!({ "uri": super::client::uri(path) });
            let params = json!({ "textDocument": document, "position": position, "newName": fresh });
            let edit = editor.request("textDocument/rename", params).unwrap();
            let edits = edit["changes"][super::client::uri(path)].as_array().unwrap().clone();
            assert!(!edits.is_empty(), "{path} {name}");
            let renamed = edited(&model, &edits);
            let other = format!("renamed.{}", path.rsplit('.').next().unwrap());
            let after: Vec<String> = editor.open(&other, &renamed).iter().map(shown).collect();
            assert_eq!(after.len(), before.len(), "{path} {name}\n{renamed}");
            assert_eq!(verdicts(&mut editor, &other), answers, "{path} {name}");
            editor.close(&other);
        }
        editor.close(path);
    }
    editor.end();
}

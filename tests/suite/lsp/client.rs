//! An editor: it starts the program, sends messages and waits for what comes back.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Longer nothing may come that should; far longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(300);

/// An editor and its server.
pub(super) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    requests: i64,
    versions: BTreeMap<String, i64>,
    /// The last diagnostics of each document, with the version that they are about.
    published: BTreeMap<String, (Value, Vec<Value>)>,
    /// How often the server wanted lenses to be read again.
    pub(super) refreshes: usize,
}

/// The address of a document.
pub(super) fn uri(name: &str) -> String {
    format!("file:///models/{name}")
}

impl Editor {
    /// Starts the server without saying anything.
    pub(super) fn silent(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let (versions, published) = (BTreeMap::new(), BTreeMap::new());
        Editor { child, input, messages, requests: 0, versions, published, refreshes: 0 }
    }

    /// Starts the server as an editor does that has nothing special.
    pub(super) fn start(arguments: &[&str]) -> Self {
        Editor::with(arguments, &json!({ "workspace": { "codeLens": { "refreshSupport": true } } }))
    }

    /// Starts the server as an editor with these capabilities does.
    pub(super) fn with(arguments: &[&str], capabilities: &Value) -> Self {
        let mut editor = Editor::silent(arguments);
        let parameters = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        editor.request("initialize", parameters).unwrap();
        editor.notify("initialized", json!({}));
        editor
    }

    /// Sends bytes.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        // A server that has ended reads no more.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub(super) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request, or its error.
    #[track_caller]
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.requests += 1;
        let id = json!(self.requests);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    /// The next message, which has been noted.
    #[track_caller]
    pub(super) fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("the server says nothing");
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let params = &message["params"];
                let diagnostics = params["diagnostics"].as_array().unwrap().clone();
                let uri = params["uri"].as_str().unwrap().to_owned();
                self.published.insert(uri, (params["version"].clone(), diagnostics));
            }
            Some("workspace/codeLens/refresh") => {
                self.refreshes += 1;
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
            }
            _ => {}
        }
        message
    }

    /// Opens a document; its diagnostics.
    #[track_caller]
    pub(super) fn open(&mut self, name: &str, text: &str) -> Vec<Value> {
        self.open_as(name, "", text)
    }

    /// Opens a document as one in a language; its diagnostics.
    #[track_caller]
    pub(super) fn open_as(&mut self, name: &str, language: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri(name), "languageId": language, "version": 1, "text": text });
        self.versions.insert(name.to_owned(), 1);
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics(name)
    }

    /// Changes a document, without waiting for anything.
    pub(super) fn change(&mut self, name: &str, changes: Value) {
        let version = self.versions.get_mut(name).unwrap();
        *version += 1;
        let document = json!({ "uri": uri(name), "version": *version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The diagnostics of the last version of a document.
    #[track_caller]
    pub(super) fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let version = json!(self.versions[name]);
        let uri = uri(name);
        loop {
            if let Some((of, found)) = self.published.get(&uri)
                && *of == version
            {
                return found.clone();
            }
            self.next();
        }
    }

    pub(super) fn close(&mut self, name: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(name) } }));
        self.published.remove(&uri(name));
    }

    /// The answer to a request about a place in a document.
    #[track_caller]
    pub(super) fn at(&mut self, method: &str, name: &str, place: (usize, usize)) -> Result<Value, Value> {
        let position = json!({ "line": place.0, "character": place.1 });
        let mut params = json!({ "textDocument": { "uri": uri(name) }, "position": position });
        if method == "textDocument/references" {
            params["context"] = json!({ "includeDeclaration": true });
        }
        self.request(method, params)
    }

    /// The answer to a request about a document.
    #[track_caller]
    pub(super) fn about(&mut self, method: &str, name: &str) -> Value {
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        self.request(method, json!({ "textDocument": { "uri": uri(name) }, "options": options })).unwrap()
    }

    /// The lenses of a document, once nothing is open any more.
    #[track_caller]
    pub(super) fn lenses(&mut self, name: &str) -> Vec<Value> {
        loop {
            let before = self.refreshes;
            let lenses = self.about("textDocument/codeLens", name).as_array().unwrap().clone();
            let is_open = |lens: &Value| lens["command"]["title"].as_str().unwrap().ends_with('…');
            if !lenses.iter().any(is_open) {
                return lenses;
            }
            while self.refreshes == before {
                self.next();
            }
        }
    }

    /// Ends the server as it should be ended.
    #[track_caller]
    pub(super) fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert_eq!(self.code(), Some(0));
    }

    /// The exit code, once the server has ended.
    pub(super) fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Closes the server's input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message on a stream.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

/// Line and UTF-16 column of the `nth` place (from 0) where `needle` stands in `text`, `inside` bytes
/// further.
#[track_caller]
pub(super) fn place(text: &str, needle: &str, nth: usize, inside: usize) -> (usize, usize) {
    let offset = text.match_indices(needle).nth(nth).expect("it is there").0 + inside;
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].encode_utf16().count())
}

/// The text with the edits of an answer.
pub(super) fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |at: &Value| {
        let (line, column) =
            (at["line"].as_u64().unwrap() as usize, at["character"].as_u64().unwrap() as usize);
        let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let mut units = 0;
        let rest = text[start..].char_indices().find(|(_, character)| {
            let is_there = units >= column;
            units += character.len_utf16();
            is_there
        });
        start + rest.map_or(text.len() - start, |(at, _)| at)
    };
    let mut spans: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    spans.sort();
    let mut result = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        result.replace_range(start..end, new);
    }
    result
}

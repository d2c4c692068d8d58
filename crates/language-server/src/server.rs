//! The server: one editor, from `initialize` to `exit`.
//!
//! Messages come in by a thread that reads; all else but verdicts is done by the thread that calls [`serve`].
//! It takes all messages that have come before it publishes diagnostics and has verdicts decided, so a burst
//! of keys costs once. A message that can't be answered is answered by an error; none ends the server but
//! `exit` and the end of the input.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams,
    PublishDiagnosticsParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::Decider;
use crate::diagnostics::diagnostics;
use crate::document::{Document, Language};
use crate::positions::Encoding;
use crate::transport::{Incoming, Outgoing, read};
use crate::worker::Worker;

mod capabilities;
mod requests;

/// How long a question may take by default.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(5);

/// What whoever starts the server chooses.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long a question may take.
    pub time_limit: Duration,
    /// What a word of the field means, such as a kind of invariant; `None` for other words.
    pub explain: fn(&str) -> Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { time_limit: DEFAULT_TIME_LIMIT, explain: |_| None }
    }
}

/// Where a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`.
    ShutDown,
}

/// An answer to a request, or why there is none.
type Answered = Result<Value, (ErrorCode, String)>;

/// Serves one editor, until it says `exit` or its stream ends.
///
/// # Errors
/// Why the session ended in another way than by `shutdown`.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    decider: Box<dyn Decider>,
    settings: Settings,
) -> Result<(), String> {
    let outgoing = Arc::new(Outgoing::new(output));
    let worker = Worker::start(decider, Arc::clone(&outgoing), settings.time_limit);
    let (sender, receiver) = mpsc::channel();
    // The end of the program ends its wait for the next message.
    let spawned = thread::Builder::new().spawn(move || {
        let mut input = input;
        loop {
            let incoming = read(&mut input);
            let is_end = matches!(incoming, Incoming::End | Incoming::Broken(_));
            if sender.send(incoming).is_err() || is_end {
                return;
            }
        }
    });
    if let Err(error) = spawned {
        return Err(error.to_string());
    }
    let mut server = Server {
        phase: Phase::New,
        encoding: Encoding::default(),
        documents: BTreeMap::new(),
        waiting: Vec::new(),
        outgoing,
        worker,
        explain: settings.explain,
    };
    loop {
        let incoming = match receiver.try_recv() {
            Ok(incoming) => Some(incoming),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                server.settle();
                receiver.recv().ok()
            }
        };
        match incoming {
            None | Some(Incoming::End) => return server.end("the input ended before `shutdown`"),
            Some(Incoming::Broken(reason)) => return Err(reason),
            Some(Incoming::Malformed(what)) => server.outgoing.malformed(&what),
            Some(Incoming::Message(Message::Request(request))) => server.request(request),
            Some(Incoming::Message(Message::Response(_))) => {}
            Some(Incoming::Message(Message::Notification(notification))) => {
                if notification.method == "exit" {
                    return server.end("`exit` came before `shutdown`");
                }
                server.notification(notification);
            }
        }
    }
}

/// The parameters of a message, or why they are none.
fn parse<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

struct Server {
    phase: Phase,
    encoding: Encoding,
    documents: BTreeMap<String, Document>,
    /// The documents whose diagnostics are still to be published.
    waiting: Vec<Uri>,
    outgoing: Arc<Outgoing>,
    worker: Worker,
    /// What a word of the field means.
    explain: fn(&str) -> Option<String>,
}

impl Server {
    /// How the session ends: for `reason` if not orderly.
    fn end(&self, reason: &str) -> Result<(), String> {
        if self.phase == Phase::ShutDown { Ok(()) } else { Err(reason.to_owned()) }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answered = match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => self.initialize(params),
            (_, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::New, _) => Err((ErrorCode::ServerNotInitialized, "`initialize` comes first".to_owned())),
            (Phase::ShutDown, _) => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            (Phase::Running, "initialize") => {
                Err((ErrorCode::InvalidRequest, "it is initialized".to_owned()))
            }
            // A bug in one feature must not take the others from the user.
            (Phase::Running, _) => catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)))
                .unwrap_or_else(|_| Err((ErrorCode::InternalError, "a bug: please report it".to_owned()))),
        };
        self.outgoing.respond(id, answered);
    }

    fn initialize(&mut self, params: Value) -> Answered {
        let params: InitializeParams = parse(params)?;
        let general = params.capabilities.general.as_ref();
        self.encoding =
            Encoding::of_offered(general.and_then(|general| general.position_encodings.as_deref()));
        let workspace = params.capabilities.workspace.as_ref();
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        self.worker.set_refreshing(lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false));
        self.phase = Phase::Running;
        to_value(capabilities::result(self.encoding))
    }

    fn notification(&mut self, notification: Notification) {
        if self.phase != Phase::Running {
            return;
        }
        let Notification { method, params } = notification;
        // Nobody could be answered that the parameters are wrong.
        let _ = catch_unwind(AssertUnwindSafe(|| match method.as_str() {
            "textDocument/didOpen" => parse(params).map(|params| self.open(params)),
            "textDocument/didChange" => parse(params).map(|params| self.change(params)),
            "textDocument/didClose" => parse(params).map(|params| self.close(&params)),
            _ => Ok(()),
        }));
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let name = opened.uri.as_str().to_owned();
        let Some(language) = Language::of(&opened.language_id, &name) else { return };
        self.worker.cancel(&name);
        let document = Document::new(name.clone(), language, opened.version, &opened.text, self.encoding);
        self.documents.insert(name, document);
        self.waiting.push(opened.uri);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        self.worker.cancel(uri.as_str());
        document.change(params.text_document.version, params.content_changes);
        if !self.waiting.contains(&uri) {
            self.waiting.push(uri);
        }
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        self.worker.cancel(uri.as_str());
        if self.documents.remove(uri.as_str()).is_some() {
            self.waiting.retain(|waiting| waiting != uri);
            self.publish(PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None));
        }
    }

    /// Nothing has come for now: publishes diagnostics, and has verdicts decided.
    fn settle(&mut self) {
        for uri in std::mem::take(&mut self.waiting) {
            let published = catch_unwind(AssertUnwindSafe(|| {
                let document = self.documents.get_mut(uri.as_str())?;
                let found = diagnostics(document, &uri);
                let analysis = document.analysis();
                if analysis.undecided().is_none() {
                    self.worker.ask(&document.uri, document.version, document.name(), &analysis);
                }
                Some(PublishDiagnosticsParams::new(uri.clone(), found, Some(document.version)))
            }));
            if let Ok(Some(params)) = published {
                self.publish(params);
            }
        }
    }

    fn publish(&self, params: PublishDiagnosticsParams) {
        if let Ok(params) = serde_json::to_value(params) {
            self.outgoing.notify("textDocument/publishDiagnostics", params);
        }
    }
}

/// A result as JSON.
fn to_value(result: impl serde::Serialize) -> Answered {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

//! Messages on a pair of streams: a header with a length, then JSON.
//!
//! Bytes come in, messages go out, and the other way round. A message that is no JSON, or no message of the
//! protocol, is a value: what follows is read all the same. Only a header without a length, or one that is
//! too long, ends reading: where the next message begins is not known then.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, PoisonError};

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::Value;

/// Longer messages end the session: no document is so large.
const MAX_MESSAGE_BYTES: u64 = 1 << 28;
/// Longer header lines do so too.
const MAX_HEADER_BYTES: u64 = 1 << 12;

/// What was read.
pub(crate) enum Incoming {
    /// A message.
    Message(Message),
    /// No message, but something between two: what is wrong with it.
    Malformed(String),
    /// Nothing more can be read.
    End,
}

/// Reads the next message.
pub(crate) fn read(input: &mut impl BufRead) -> Incoming {
    let Some(length) = header(input) else { return Incoming::End };
    let mut body = Vec::new();
    match input.by_ref().take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => {}
        _ => return Incoming::End,
    }
    match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }
}

/// The length of what follows; `None` where nothing can be read any more.
fn header(input: &mut impl BufRead) -> Option<u64> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line).ok()?;
        if read == 0 || !line.ends_with(b"\n") {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    length.filter(|&length| length <= MAX_MESSAGE_BYTES)
}

/// Where messages go; several threads write.
pub(crate) struct Outgoing(Mutex<Box<dyn Write + Send>>);

impl Outgoing {
    /// Writes to `output`.
    pub(crate) fn new(output: impl Write + Send + 'static) -> Self {
        Outgoing(Mutex::new(Box::new(output)))
    }

    /// Sends a message. That nobody reads any more is found out by the reader.
    pub(crate) fn send(&self, message: impl Into<Message>) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _: io::Result<()> = message.into().write(&mut *output);
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request whose answer does not matter.
    pub(crate) fn request(&self, id: String, method: &str) {
        self.send(Request { id: RequestId::from(id), method: method.to_owned(), params: Value::Null });
    }

    /// Reports what could not be read: the answer to a request without a number.
    pub(crate) fn malformed(&self, what: &str) {
        let error = serde_json::json!({
            "jsonrpc": "2.0",
            "id": null,
            "error": { "code": lsp_server::ErrorCode::ParseError as i32, "message": what },
        });
        let text = error.to_string();
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len());
        let _ = output.flush();
    }

    /// Answers a request.
    pub(crate) fn respond(&self, id: RequestId, result: Result<Value, (lsp_server::ErrorCode, String)>) {
        self.send(match result {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }
}

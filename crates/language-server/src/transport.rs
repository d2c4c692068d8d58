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
    /// The input has ended, between two messages.
    End,
    /// Nothing more can be read, for this reason: where the next message begins is not known.
    Broken(String),
}

/// Reads the next message.
pub(crate) fn read(input: &mut impl BufRead) -> Incoming {
    let length = match header(input) {
        Ok(Some(length)) => length,
        Ok(None) => return Incoming::End,
        Err(reason) => return Incoming::Broken(reason),
    };
    let mut body = Vec::new();
    match input.by_ref().take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => {}
        Ok(read) => {
            return Incoming::Broken(format!(
                "the input ended within a message, after {read} of its {length} bytes"
            ));
        }
        Err(error) => return Incoming::Broken(error.to_string()),
    }
    match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }
}

/// The length of what follows; `None` where nothing does.
///
/// # Errors
/// Why nothing can be read any more.
fn header(input: &mut impl BufRead) -> Result<Option<u64>, String> {
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line);
        let read = read.map_err(|error| error.to_string())?;
        if read == 0 && is_first {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(match read as u64 {
                MAX_HEADER_BYTES => format!("a line of a header is longer than {MAX_HEADER_BYTES} bytes"),
                _ => "the input ended within the header of a message".to_owned(),
            });
        }
        is_first = false;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            let number = value.trim().parse::<u64>();
            length = Some(number.map_err(|_| format!("`{}` is no length", shown(line)))?);
        }
    }
    match length {
        None => Err("a message has no `Content-Length` in its header".to_owned()),
        Some(length) if length > MAX_MESSAGE_BYTES => {
            Err(format!("a message of {length} bytes is longer than {} MiB", MAX_MESSAGE_BYTES >> 20))
        }
        length => Ok(length),
    }
}

/// A line that came in, as it may be printed.
fn shown(line: &str) -> String {
    /// Longer ones are cut.
    const MAX_SHOWN: usize = 60;
    let end = if line.chars().nth(MAX_SHOWN).is_some() { "…" } else { "" };
    line.chars().take(MAX_SHOWN).flat_map(char::escape_debug).chain(end.chars()).collect()
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

//! The parent's side of the child process: start it, listen, end it, understand its end.
//!
//! Whatever happens, [`query`] returns: a silent child is killed when the budget is used up,
//! and one that dies closes its output, which ends the listening.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::message::{Message, Request};
use super::{WORKER_ARGUMENT, Worker};
use paramcheck_invariants::outcome::MonaFailure;

use paramcheck_text::limits::{Budget, Stop};

/// The child's exit code where a diagram would pass 2^24 nodes.
pub(crate) const EXIT_NODES: i32 = 91;

/// How long to wait between looks at the budget.
const LOOK: Duration = Duration::from_millis(20);

/// The longest part of a child's output beside messages that is kept.
const KEPT: usize = 2000;

/// A running child; dropping it ends it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only where it has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends the request to a child and passes every message to `hear` until that has the answer.
///
/// # Errors
///
/// Why there is no answer.
pub(crate) fn query<T>(
    worker: &Worker,
    request: &Request,
    budget: &Budget,
    mut hear: impl FnMut(Message) -> Option<T>,
) -> Result<T, MonaFailure> {
    let stopped = |stop| match stop {
        Stop::Time | Stop::Work => MonaFailure::Time,
        Stop::Memory => MonaFailure::Memory,
        Stop::Interrupted => MonaFailure::Interrupted,
    };
    budget.check().map_err(stopped)?;
    let line = serde_json::to_string(request).map_err(|error| MonaFailure::NoChild(error.to_string()))?;
    let child = Command::new(&worker.program)
        .arg(WORKER_ARGUMENT)
        // One arena, so that the address space used is the memory used.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| MonaFailure::NoChild(format!("{}: {error}", worker.program.display())))?;
    let mut child = Running(child);
    let (input, output, errors) = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
    // The pipe may be smaller than the request, and the child may die before it has read it. The
    // sender holds the pipe open till the child is gone: its end is the child's sign to die.
    let (hold, held) = channel::<()>();
    std::thread::spawn(move || {
        if let Some(mut input) = input {
            let _ = input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n"));
            let _ = input.flush();
            let _ = held.recv();
        }
    });
    let lines = listen(output);
    let errors = listen(errors);
    let mut words = String::new();
    let answer = loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Message::Refused(why)) => break Err(MonaFailure::Refused(why)),
                Ok(message) => {
                    if let Some(answer) = hear(message) {
                        break Ok(answer);
                    }
                }
                Err(_) => keep(&mut words, &line),
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break Err(ended(&mut child, &errors, &mut words)),
        }
        if let Err(stop) = budget.check() {
            break Err(stopped(stop));
        }
    };
    drop(child);
    drop(hold);
    answer
}

/// Lines as they come.
fn listen(output: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in output.into_iter().flat_map(|output| BufReader::new(output).split(b'\n')) {
            let Ok(line) = line else { return };
            if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receive
}

fn keep(words: &mut String, line: &str) {
    let line = line.trim();
    if !line.is_empty() && words.len() + line.len() < KEPT {
        if !words.is_empty() {
            words.push_str("; ");
        }
        words.push_str(line);
    }
}

/// What a child that has closed its output died of.
fn ended(child: &mut Running, errors: &Receiver<String>, words: &mut String) -> MonaFailure {
    let status = child.0.wait();
    for line in errors.iter() {
        keep(words, &line);
    }
    match status {
        Ok(status) => cause(status, words),
        Err(error) => MonaFailure::Died(error.to_string()),
    }
}

/// What the way a child ended and its last words mean: see `mona/shim.h`.
fn cause(status: ExitStatus, words: &str) -> MonaFailure {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    // Rust's words and MONA's when memory is exhausted, and MONA's when nodes are.
    if words.contains("memory allocation of") || words.contains("out of memory") {
        return MonaFailure::Memory;
    }
    if status.code() == Some(EXIT_NODES) || words.contains("BDD too large") {
        return MonaFailure::Nodes;
    }
    // Ctrl-C on a terminal reaches the child too, and may do so before it reaches us.
    if signal == Some(2) {
        return MonaFailure::Interrupted;
    }
    let how = match (status.code(), signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "for no reason it tells".to_owned(),
    };
    MonaFailure::Died(if words.is_empty() { how } else { format!("{how}: {words}") })
}

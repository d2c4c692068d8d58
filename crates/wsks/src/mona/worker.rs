//! The child process: reads a request, carries it out, ends.
//!
//! MONA ends its process when it fails, so this is a process of its own. It limits its own memory,
//! dies with its parent, and dies when its standard input closes, which is what remains of a parent on
//! systems that can't tell children otherwise. [`serve`] is all of it; the program calls it when its
//! first argument is [`super::WORKER_ARGUMENT`].

use std::io::{BufRead, BufReader, Read, Write};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

use super::message::{Message, Request};
use super::run::{Failure, run};
use mona_sys::{Mona, Tree, Word};

/// MONA recurses on diagrams and on sets of states; a thread's stack can be as large as we like.
const STACK: usize = 1 << 29;

/// What a child needs beside the automata: its program, the request, buffers.
const BASE: u64 = 64 << 20;

/// Serves one request from `input` on `output`. `end` must end the process at once: it is called from
/// another thread when `input` closes.
pub fn serve(
    input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
    end: fn(),
) -> ExitCode {
    // Where this is not to be had, the end of input does it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let mut input = BufReader::new(input);
    let mut line = String::new();
    let request: Option<Request> = match input.read_line(&mut line) {
        Ok(_) => serde_json::from_str(&line).ok(),
        Err(_) => None,
    };
    let Some(request) = request else {
        let _ = send(&mut output, &Message::Refused("the request cannot be read".to_owned()));
        return ExitCode::FAILURE;
    };
    drop(line);
    std::thread::spawn(move || {
        let mut rest = [0; 64];
        while input.read(&mut rest).is_ok_and(|read| read > 0) {}
        end();
    });
    if let Some(memory) = request.memory {
        let limit = Some(memory.saturating_add(BASE).saturating_add(STACK as u64));
        let _ = setrlimit(Resource::As, Rlimit { current: limit, maximum: limit });
    }
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || work(&request, &mut output));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn work(request: &Request, output: &mut impl Write) -> Result<(), ()> {
    let refuse = |output: &mut _, why: &str| {
        let _ = send(output, &Message::Refused(why.to_owned()));
        Err(())
    };
    let Some(mona) = Mona::take() else { return refuse(output, "MONA is in use in this process") };
    let mut report = |message: &Message| send(output, message);
    let result = match request.successors {
        1 => run::<Word>(&mona, &request.plan, &mut report),
        2 => run::<Tree>(&mona, &request.plan, &mut report),
        _ => Err(Failure::NoPlan("MONA knows one successor and two")),
    };
    match result {
        Ok(()) => Ok(()),
        Err(Failure::NoPlan(why)) => refuse(output, why),
        Err(Failure::Output) => Err(()),
    }
}

fn send(output: &mut impl Write, message: &Message) -> std::io::Result<()> {
    let mut line = serde_json::to_string(message).map_err(std::io::Error::other)?;
    line.push('\n');
    output.write_all(line.as_bytes())?;
    output.flush()
}

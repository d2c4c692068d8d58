//! One job: a child with limits on time, memory and output, which leaves nothing behind.
//!
//! The child leads a process group of its own. Whatever ends the job (the child, a limit, Ctrl-C, SIGTERM, a
//! panic here), the whole group is killed then; what gets away from its group can't be helped, but is not
//! waited for either.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use paramcheck_emulation::backend::Output;
use paramcheck_text::limits::{Budget, Stop};

/// The most that is read of what a child writes on a stream.
pub(super) const MAX_OUTPUT: usize = 64 << 20;

/// How long to wait between looks: quick at first, for most jobs are short.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(10);

/// How long the last of the output may take after the child has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What a job may use.
pub(super) struct Limits<'a> {
    /// Time, and interruption.
    pub budget: &'a Budget,
    /// The memory of all processes of the group together, in bytes.
    pub memory: Option<u64>,
}

/// How a job ended, and what it used.
pub(super) struct Job {
    /// How it ended.
    pub end: Ended,
    /// The most memory seen of its processes together, in bytes; `None` where the system does not report it.
    pub memory: Option<u64>,
}

/// How a job ended.
pub(super) enum Ended {
    /// By itself.
    Done(Output),
    /// By a limit, or Ctrl-C.
    Stopped(Stop),
    /// It wrote too much.
    TooMuch,
    /// It could not be started.
    NotStarted(io::Error),
}

/// A running child; dropping it ends it with its whole group.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Fails only where no process is left.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program in a folder.
pub(super) fn run(program: &Path, arguments: &[String], folder: &Path, limits: &Limits<'_>) -> Job {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        // What tools leave in the folder for temporary files goes with ours; they speak English.
        .env("TMPDIR", folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    if let Err(stop) = limits.budget.check() {
        return Job { end: Ended::Stopped(stop), memory: None };
    }
    let mut child = match command.spawn() {
        Ok(child) => Running(child),
        Err(error) => return Job { end: Ended::NotStarted(error), memory: None },
    };
    let is_too_much = Arc::new(AtomicBool::new(false));
    let output = listen(child.0.stdout.take(), &is_too_much);
    let errors = listen(child.0.stderr.take(), &is_too_much);
    let mut look = FIRST_LOOK;
    let mut most = None;
    let end = loop {
        most = most.max(memory_of_group(child.0.id()));
        match child.0.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) => {}
            Err(error) => break Err(Ended::NotStarted(error)),
        }
        if is_too_much.load(Ordering::Relaxed) {
            break Err(Ended::TooMuch);
        }
        if limits.memory.is_some_and(|limit| most.is_some_and(|most| most >= limit)) {
            break Err(Ended::Stopped(Stop::Memory));
        }
        if let Err(stop) = limits.budget.check() {
            break Err(Ended::Stopped(stop));
        }
        std::thread::sleep(look);
        look = (look * 2).min(LAST_LOOK);
    };
    drop(child);
    let end = match end {
        Ok(status) => {
            let last_words = |from: Receiver<Vec<u8>>| from.recv_timeout(LAST_WORDS).unwrap_or_default();
            let (stdout, stderr) = (last_words(output), last_words(errors));
            if is_too_much.load(Ordering::Relaxed) {
                Ended::TooMuch
            } else {
                let (code, signal) = (status.code(), signal(status));
                Ended::Done(Output { code, signal, stdout: text(&stdout), stderr: text(&stderr) })
            }
        }
        Err(end) => end,
    };
    Job { end, memory: most }
}

/// The signal that ended a child.
fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    return status.code().and(None);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads a stream to its end, or until it is too much.
fn listen(stream: Option<impl Read + Send + 'static>, is_too_much: &Arc<AtomicBool>) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    let is_too_much = Arc::clone(is_too_much);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _ = stream.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut bytes);
        }
        if bytes.len() > MAX_OUTPUT {
            is_too_much.store(true, Ordering::Relaxed);
        }
        let _ = send.send(bytes);
    });
    receive
}

/// The resident memory of the processes of a group, in bytes, where the system reports it.
fn memory_of_group(group: u32) -> Option<u64> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let mut total = None;
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
            continue;
        }
        if let Some(kilobytes) = memory_in_group(&entry.path(), group) {
            *total.get_or_insert(0) += kilobytes * 1024;
        }
    }
    total
}

/// The resident memory of a process, in kB, if it is of this group.
fn memory_in_group(process: &Path, group: u32) -> Option<u64> {
    // PID (NAME) STATE PARENT GROUP …, where NAME may be anything.
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    let own = stat.rsplit_once(')')?.1.split_whitespace().nth(2)?;
    if own.parse() != Ok(group) {
        return None;
    }
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

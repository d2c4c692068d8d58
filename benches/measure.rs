//! Runs the program as its users do, and measures the whole process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// One run of the program.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From start to exit.
    pub time: Duration,
    /// The largest resident memory seen, in KiB; 0 where the system doesn't say.
    pub peak_kib: u64,
    /// The exit code.
    pub code: i32,
}

/// What ends a run early.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time from the start.
    pub time: Duration,
    /// Resident memory, in KiB.
    pub memory_kib: u64,
}

/// The top folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the benches lie in the project")
}

/// The program that is measured, built as the benchmarks are: it lies beside their folder `deps`.
pub fn program() -> PathBuf {
    let own = std::env::current_exe().expect("a benchmark has a path");
    let folder = own.parent().and_then(Path::parent).expect("it lies in target/release/deps");
    let program = folder.join(format!("paramcheck{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "{} is missing: run `cargo build --release` first", program.display());
    program
}

/// Runs `paramcheck` with `arguments`, `text` on its standard input.
pub fn run(arguments: &[&str], text: &str) -> Run {
    let mut command = Command::new(program());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    watch(&mut command, text, None)
}

/// Runs a command whose streams are set up, `text` on its standard input if that is piped. A run that
/// reaches a limit is ended and has the code -1.
pub fn watch(command: &mut Command, text: &str, limits: Option<Limits>) -> Run {
    let start = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let process = child.id();
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).expect("the program reads its input");
    }
    // Another thread looks at it from time to time, so that its end is seen at once.
    let is_over = Arc::new(AtomicBool::new(false));
    let watched = Arc::clone(&is_over);
    let watcher = std::thread::spawn(move || {
        let mut peak_kib = 0;
        let mut pause = Duration::from_micros(500);
        while !watched.load(Ordering::Relaxed) {
            peak_kib = peak(process).unwrap_or(0).max(peak_kib);
            if limits.is_some_and(|limits| start.elapsed() > limits.time || peak_kib > limits.memory_kib) {
                let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
                break;
            }
            std::thread::sleep(pause);
            pause = (pause * 5 / 4).min(Duration::from_millis(20));
        }
        peak_kib
    });
    let status = child.wait().expect("the program can be waited for");
    let time = start.elapsed();
    is_over.store(true, Ordering::Relaxed);
    let peak_kib = watcher.join().expect("the watcher ends");
    Run { time, peak_kib, code: status.code().unwrap_or(-1) }
}

/// The peak resident memory of a process, in KiB.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

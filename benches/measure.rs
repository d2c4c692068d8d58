//! Runs the program as its users do, and measures the whole process.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
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

/// Runs `paramcheck` with `arguments`, `text` on its standard input.
pub fn run(arguments: &[&str], text: &str) -> Run {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).expect("the program reads its input");
    }
    let mut peak_kib = 0;
    let mut pause = Duration::from_micros(200);
    loop {
        peak_kib = peak(child.id()).unwrap_or(0).max(peak_kib);
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            let time = start.elapsed();
            return Run { time, peak_kib, code: status.code().unwrap_or(-1) };
        }
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(50));
    }
}

/// The peak resident memory of a process, in KiB.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The median time of `n` runs.
pub fn median(n: usize, arguments: &[&str], text: &str) -> Duration {
    let mut times: Vec<Duration> = (0..n).map(|_| run(arguments, text).time).collect();
    times.sort();
    times[n / 2]
}

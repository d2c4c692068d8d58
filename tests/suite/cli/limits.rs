//! Runs that are ended: by time, memory or Ctrl-C.

use super::{THIEF, run};

/// A question that traps alone leave open, and a search that would fill any memory.
#[cfg(target_os = "linux")]
const ENDLESS: [&str; 7] = [THIEF, "--error", "lost", "--invariants", "trap", "--max-states", "1000000000000"];

#[test]
fn no_time_at_all() {
    let run = run(&["-q", THIEF, "--time-limit", "0"]);
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.lines().all(|line| line.contains("time limit reached")), "{}", run.output);
}

#[cfg(target_os = "linux")]
#[test]
fn time_runs_out() {
    let run = run(&[&ENDLESS[..], &["--time-limit", "0.5"]].concat());
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.contains("time limit reached"), "{}", run.output);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_runs_out() {
    let run = run(&[&ENDLESS[..], &["--memory-limit", "64"]].concat());
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.contains("memory limit reached"), "{}", run.output);
}

/// Ctrl-C, as far as the program can tell.
#[cfg(target_os = "linux")]
fn press(child: &std::process::Child) {
    let pid = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_found() {
    use std::io::{BufRead, BufReader, Read};

    // The first question is answered before the key is pressed: its line has been read.
    let mut call = vec!["-q", THIEF, "--error", "deadlock"];
    call.extend(&ENDLESS[1..]);
    let mut child = super::command(&call).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut output = String::new();
    reader.read_line(&mut output).unwrap();
    assert!(output.starts_with("proved    deadlock"), "{output}");
    press(&child);
    reader.read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(output.contains("unknown   lost") && output.contains("interrupted"), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_still_gives_a_document() {
    use std::io::Read;

    let mut child = super::command(&[&ENDLESS[..], &["--json"]].concat()).spawn().unwrap();
    // Long enough for the program to be where it can be interrupted; when it is not there yet, it ends
    // at once and without a document, so the test waits until it has used some time.
    let stat = format!("/proc/{}/stat", child.id());
    let ticks = || -> u64 {
        let text = std::fs::read_to_string(&stat).unwrap();
        text.rsplit(") ").next().unwrap().split(' ').nth(11).unwrap().parse().unwrap()
    };
    while ticks() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    press(&child);
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let document: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(document["results"][0]["reason"]["code"], "interrupted");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_wait_for_input() {
    let mut child = super::command(&["-"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    // Caught or not yet, the key ends the program.
    press(&child);
    let status = child.wait().unwrap();
    let is_killed = std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
    assert!(status.code() == Some(130) || is_killed, "{status:?}");
}

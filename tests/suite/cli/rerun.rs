//! `--watch`, by a real process: it answers, a file changes, it answers again, Ctrl-C ends it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::limits::press;
use super::{MUX, RING, command, file, folder, run};

/// Longer than any machine needs; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that watches, and the lines that it prints.
struct Watching {
    child: Child,
    output: Receiver<String>,
    notes: Receiver<String>,
}

impl Watching {
    fn start(call: &[&str]) -> Self {
        Watching::of(&mut command(call))
    }

    fn of(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = lines(child.stdout.take().unwrap());
        let notes = lines(child.stderr.take().unwrap());
        Watching { child, output, notes }
    }

    /// The next line of standard output, without the time at its end.
    fn line(&self) -> String {
        let line = self.output.recv_timeout(PATIENCE).unwrap();
        line.split("  (").next().unwrap().to_owned()
    }

    /// The next line of standard error, without the time of day.
    fn note(&self) -> String {
        let line = self.notes.recv_timeout(PATIENCE).unwrap();
        let (time, note) = line.split_once(" UTC: ").unwrap_or_else(|| panic!("{line}"));
        assert!(time.len() == 8 && time.matches(':').count() == 2, "{line}");
        note.to_owned()
    }

    /// Presses Ctrl-C: the exit code.
    fn end(mut self) -> Option<i32> {
        press(&self.child);
        self.child.wait().unwrap().code()
    }
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}

#[test]
fn it_answers_again_after_every_change() {
    let folder = folder("rerun");
    let path = file(&folder, "ring.rs", RING);
    let watching = Watching::start(&[&path, "--error", "exclusion", "--quiet", "--watch"]);
    assert_eq!(watching.line(), "proved    exclusion  for every size, by mutex");
    assert_eq!(watching.note(), format!("waiting for a change of {path}; Ctrl-C ends it"));
    // Written in place.
    fs::write(&path, RING.replace("Node(x), Node[busy](y)", "Node[busy](x), Node[busy](y)")).unwrap();
    assert_eq!(watching.note(), format!("{path} has changed"));
    assert!(watching.line().starts_with("violated  exclusion  2 components, at the start"));
    // A new file in its place, as editors do.
    let new = file(&folder, "new", RING);
    fs::rename(new, &path).unwrap();
    watching.note();
    assert!(watching.line().starts_with("proved    exclusion"));
    // Mistakes do not end it, nor does it that the file is gone for a moment.
    fs::remove_file(&path).unwrap();
    fs::write(&path, "component").unwrap();
    watching.note();
    assert!(watching.notes.recv_timeout(PATIENCE).unwrap().starts_with("error[E"));
    assert_eq!(watching.end(), Some(0));
}

/// What ends it from outside is reported as an interruption, as of every call.
#[test]
fn other_signals_than_ctrl_c_are_interruptions() {
    for (signal, code) in [("-TERM", 130), ("-HUP", 130), ("-INT", 0)] {
        let call = ["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_paramcheck"), "-q", "--watch", MUX];
        let mut watching = Watching::of(Command::new("env").args(call));
        watching.note();
        let pid = watching.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(watching.child.wait().unwrap().code(), Some(code), "{signal}");
    }
}

#[test]
fn other_commands_watch_too() {
    let folder = folder("rerun-others");
    let path = file(&folder, "ring.rs", RING);
    let tidy = run(&["fmt", &path]).output_of(0);
    let watching = Watching::start(&["fmt", "--check", &path, "--watch"]);
    assert_eq!(watching.line(), format!("{path}: not in canonical form"));
    watching.note();
    fs::write(&path, &tidy).unwrap();
    assert_eq!(watching.note(), format!("{path} has changed"));
    assert_eq!(watching.end(), Some(0));
    let watching = Watching::start(&["explore", &path, "--size", "3", "--quiet", "--watch"]);
    let answers: Vec<String> = (0..3).map(|_| watching.line()).collect();
    assert!(answers[0].contains("not-reached") || answers[0].contains("not reached"), "{answers:?}");
    watching.note();
    assert_eq!(watching.end(), Some(0));
}

#[test]
fn what_can_not_be_watched_is_refused() {
    for (call, reason) in [
        (&["-", "--watch"][..], "does not change"),
        (&["fmt", "-", "--check", "--watch"], "does not change"),
        (&["fmt", "examples/ring.rs", "--watch"], "give --check or --diff"),
        (&["fmt", "examples/ring.rs", "--watch", "--write"], "cannot be used with"),
    ] {
        let errors = run(call).errors_of(2);
        assert!(errors.contains(reason), "{errors}");
    }
}

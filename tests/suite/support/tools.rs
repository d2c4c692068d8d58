//! Programs of others that tests run: whether they are there, folders for them, what they print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed when it is dropped: programs write into the folder they run in.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A fresh one.
    pub fn new() -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("paramcheck-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program as `tests/tools/install` puts it there, or else as the machine has it.
pub fn program(name: &str) -> Command {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools").join(name);
    if own.exists() { Command::new(own) } else { Command::new(name) }
}

/// Whether a program can be run. Whoever tests the feature `mona`, as CI does, must have it; others need
/// nothing but Rust, and their tests say what they leave out.
pub fn is_installed(name: &str) -> bool {
    let mut command = program(name);
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Any answer will do; without arguments, some wait for input, which ends at once.
    let found = command.arg("-h").status().is_ok();
    if !found {
        if cfg!(feature = "mona") {
            panic!("tests of the feature `mona` need the program {name}: run tests/tools/install");
        }
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "skipped: {name} not installed");
    }
    found
}

/// What a program prints, on both streams.
pub fn output(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

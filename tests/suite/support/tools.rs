//! Programs of others that tests run: where they are, folders for them, what they print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed when it is dropped: programs write into the folder they run in.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A fresh one.
    pub(crate) fn new() -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("paramcheck-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program as `tests/tools/install` puts it there, or else as the machine has it. It must be there: tests
/// that need more than Rust are ignored unless [`PARAMCHECK_LONG`](super::scale) requests them.
pub(crate) fn program(name: &str) -> Command {
    Command::new(path_of(name))
}

fn path_of(name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::iter::once(own).chain(std::env::split_paths(&paths));
    let found = folders.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()));
    found.unwrap_or_else(|| {
        panic!("this test runs {name}, which is not installed: see tests/tools/install and .ci/run")
    })
}

/// What a program prints, on both streams.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

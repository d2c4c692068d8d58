//! `--watch`: a command that runs again whenever one of its files changes.
//!
//! Files are looked at a few times a second, by time, length and, where there are, numbers of inodes. So a file
//! that is replaced by another of its name has changed too, which is how many editors write.
//!
//! Rejected: the crate `notify`. It brings a thread and four ways to be told by systems, and does not see changes
//! on network drives; looking at a few files costs nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::error::ErrorKind;

use super::console::Console;
use super::exit::Exit;
use super::watch::Interrupt;
use super::{Failure, files};

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// A file that is gone is waited for so many times: an editor may be about to put the new one in its place.
const MAX_MISSING: u32 = 10;

/// What shows that a file has changed; `None` where it is not there.
type Stamp = Option<(SystemTime, u64, u64)>;

/// Runs `work` once; with `is_watching` again after every change of `paths`, until Ctrl-C, which is then the usual
/// end, or another signal, which is not.
pub(super) fn run(
    is_watching: bool,
    paths: &[PathBuf],
    console: &mut Console,
    mut work: impl FnMut(&mut Console) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    if !is_watching {
        return work(console);
    }
    if paths.iter().any(|path| files::is_stdin(path)) {
        let message = "--watch: standard input (`-`) does not change: name files";
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    }
    let interrupt = Interrupt::install();
    interrupt.start();
    let mut is_first = true;
    loop {
        // Before it is read: what changes while the answers are found is seen afterwards.
        let before = stamps(paths);
        work(console)?;
        if std::mem::replace(&mut is_first, false) {
            let names = itertools::join(paths.iter().map(|path| files::name(path)), ", ");
            console.note(&format!("{}: waiting for a change of {names}; Ctrl-C ends it", time()));
        }
        let Some(changed) = change(paths, before, &interrupt) else {
            // Ctrl-C is how whoever watches ends it; another signal ends it from outside.
            return Ok(if interrupt.has_been_ended() { Exit::Interrupted } else { Exit::AllProved });
        };
        console.note(&format!("{}: {changed} has changed", time()));
    }
}

/// Waits for a change; the name of a file that has one. `None` after Ctrl-C.
fn change(paths: &[PathBuf], mut before: Vec<Stamp>, interrupt: &Interrupt) -> Option<String> {
    let (mut changed, mut missing) = (None, 0);
    loop {
        if interrupt.has_ever_come() {
            return None;
        }
        std::thread::sleep(LOOK);
        let now = stamps(paths);
        let is_still = now == before;
        changed = changed.or_else(|| {
            let pairs = before.iter().zip(&now).position(|(before, now)| before != now);
            pairs.and_then(|position| paths.get(position)).map(|path| files::name(path))
        });
        missing = if now.contains(&None) { missing + 1 } else { 0 };
        // Once it is not being written any more.
        if is_still && changed.is_some() && (missing == 0 || missing > MAX_MISSING) {
            return changed;
        }
        before = now;
    }
}

fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    paths.iter().map(|path| stamp(path)).collect()
}

fn stamp(path: &Path) -> Stamp {
    let found = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let inode = 0;
    Some((found.modified().unwrap_or(UNIX_EPOCH), found.len(), inode))
}

/// The time of day, in the zone that the standard library knows.
fn time() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    format!("{:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

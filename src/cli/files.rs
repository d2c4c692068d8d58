//! Files: reading models, replacing files without ever losing them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::error::ErrorKind;

use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::diagnostic::{Diagnostic, Label};
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};

use super::Failure;
use super::command::{self, Meant};
use super::watch::Interrupt;

#[cfg(test)]
mod tests;

/// Larger models are refused: none is near, and a device may never end.
pub(super) const MODEL_BYTES: u64 = 16 << 20;
/// Larger certificates are refused.
pub(super) const CERTIFICATE_BYTES: u64 = 1 << 30;
/// A writer is waited for this long, however short the time limit: what comes at once is read.
const MIN_WAIT: Duration = Duration::from_secs(1);
/// How often a wait for a text looks for signals.
const LOOK: Duration = Duration::from_millis(20);
/// Larger traces are refused.
pub(super) const TRACE_BYTES: u64 = 1 << 28;

/// What stands for "this is UTF-8" at the beginning of a text.
pub(super) const MARK: char = '\u{feff}';

/// Why a text was refused, and the text where there is one.
pub(super) type Refused = Box<(Diagnostic, Option<SourceFile>)>;

/// Whether `path` means standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether both are one existing file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// What to call `path` in messages.
pub(super) fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { printable(&path.display().to_string()) }
}

/// Control characters in a file's name must not reach the terminal.
fn printable(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => result.extend(character.escape_default()),
            false => result.push(character),
        }
    }
    result
}

/// Reads a text of at most `limit` bytes; `-` is standard input.
///
/// # Errors
/// The diagnostic that gives the reason.
pub(super) fn read(path: &Path, limit: u64) -> Result<SourceFile, Refused> {
    read_before(path, limit, None)
}

/// As [`read`], but a writer that is still not done at `deadline` is waited for no longer.
///
/// # Errors
/// The diagnostic that gives the reason.
pub(super) fn read_before(path: &Path, limit: u64, deadline: Option<Instant>) -> Result<SourceFile, Refused> {
    read_marked(path, limit, deadline).map(|(source, _)| source)
}

/// As [`read_before`], with whether the text began with a mark that stands for "this is UTF-8", as some editors
/// write it. It is left out.
///
/// # Errors
/// The diagnostic that gives the reason.
pub(super) fn read_marked(
    path: &Path,
    limit: u64,
    deadline: Option<Instant>,
) -> Result<(SourceFile, bool), Refused> {
    let name = name(path);
    let waits = is_stdin(path) || fs::metadata(path).is_ok_and(|found| !found.is_file());
    let result = match waits {
        true => Interrupt::while_waiting(|interrupt| match (interrupt, deadline) {
            (None, None) => bytes(path, limit),
            _ => bytes_before(path, limit, deadline, interrupt),
        }),
        false => bytes(path, limit),
    };
    match result {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            let message = format!("cannot read `{name}`: interrupted before its end");
            Err(Box::new((plain(&codes::UNREADABLE, message).help("nothing is answered about it"), None)))
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut && deadline.is_some() && waits => {
            let message = format!("cannot read `{name}`: the time limit was reached before its end");
            let help = "whoever writes it has not closed it: allow more by `--time-limit`, or read a file";
            Err(Box::new((plain(&codes::UNREADABLE, message).help(help), None)))
        }
        Err(error) => Err(Box::new((unreadable(path, &name, &error), None))),
        Ok(bytes) if bytes.len() as u64 > limit => {
            let message = format!("`{name}` is larger than {} MiB", limit >> 20);
            let help = "is this the right file?";
            Err(Box::new((plain(&codes::TOO_LARGE, message).help(help), None)))
        }
        Ok(bytes) => decode(name, bytes),
    }
}

/// What there is to read, but no more than one byte above `limit`.
fn bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// As [`bytes`]. At a signal, and at `deadline`, but not before [`MIN_WAIT`], the thread that reads is left alone: nothing but
/// the end of the program ends its wait for a writer.
fn bytes_before(
    path: &Path,
    limit: u64,
    deadline: Option<Instant>,
    interrupt: Option<&Interrupt>,
) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    let spawned = thread::Builder::new().spawn(move || sender.send(bytes(&path, limit)));
    spawned?;
    let end = deadline.map(|deadline| deadline.max(Instant::now() + MIN_WAIT));
    loop {
        if interrupt.is_some_and(Interrupt::is_pressed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(if interrupt.is_some() { left.min(LOOK) } else { left }) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if end.is_none_or(|end| Instant::now() < end) => {}
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// Refuses a call that reads standard input for several things.
///
/// # Errors
/// The wrong call.
pub(super) fn refuse_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_stdin(path)).count() <= 1 {
        return Ok(());
    }
    Err(Failure::misuse(ErrorKind::ValueValidation, "standard input (`-`) can be read only once"))
}

/// A diagnostic that is about no text.
pub(super) fn plain(code: paramcheck_text::diagnostic::Code, message: String) -> Diagnostic {
    Diagnostic { code, message, labels: Vec::new(), help: None }
}

fn unreadable(path: &Path, name: &str, error: &io::Error) -> Diagnostic {
    let help = match error.kind() {
        io::ErrorKind::NotFound => missing(path, name),
        io::ErrorKind::IsADirectory => "it is a folder: name the files in it".to_owned(),
        io::ErrorKind::NotADirectory => "what stands before a `/` has to be a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "change its permissions, or read a copy of your own".to_owned(),
        _ => "try it with a copy in another folder".to_owned(),
    };
    plain(&codes::UNREADABLE, format!("cannot read `{name}`: {}", reason(error))).help(help)
}

/// What helps where there is no file of this name: a command, or another file.
fn missing(path: &Path, name: &str) -> String {
    // No command has an ending.
    let word = path.to_str().filter(|_| path.extension().is_none());
    match word.and_then(command::meant) {
        Some(Meant::Checking) => return command::CHECKING_HELP.to_owned(),
        Some(Meant::Command(command)) if name == command => {
            return format!("a command comes first, its options after: `paramcheck {command} …`");
        }
        Some(Meant::Command(command)) => return format!("did you mean the command `paramcheck {command}`?"),
        None => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return format!("there is no folder `{}` either", self::name(folder));
    }
    match neighbour(path, folder) {
        Some(near) => format!("did you mean `{}`?", self::name(&path.with_file_name(near))),
        None => "is the name right? It is looked for from the folder that you call paramcheck in".to_owned(),
    }
}

/// The name of a file in `folder` that `path` is probably a misspelling of, with the same ending.
fn neighbour(path: &Path, folder: &Path) -> Option<String> {
    /// The most files of a folder that are compared.
    const MAX_ATTEMPTS: usize = 10_000;
    let mut names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .take(MAX_ATTEMPTS)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension() == path.extension())
        .collect();
    names.sort();
    let stem = |name: &str| Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stems: Vec<String> = names.iter().filter_map(|name| stem(name)).collect();
    let near = nearest(&stem(path.to_str()?)?, stems.iter().map(String::as_str))?;
    names.into_iter().find(|name| stem(name).as_deref() == Some(near))
}

/// The diagnostic that `what`, with its name, can't be written.
pub(super) fn unwritable(what: &str, error: &io::Error) -> Diagnostic {
    let help = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "the folder has to be there: make it first",
        io::ErrorKind::IsADirectory => "it is a folder: name a file in it",
        io::ErrorKind::StorageFull => "make room on the disk, or write to another one",
        _ => "choose a file in a folder that you may write to",
    };
    plain(&codes::UNWRITABLE, format!("cannot write {what}: {}", reason(error))).help(help)
}

fn decode(name: String, bytes: Vec<u8>) -> Result<(SourceFile, bool), Refused> {
    match String::from_utf8(bytes) {
        Ok(text) => {
            let rest = text.strip_prefix(MARK).map(str::to_owned);
            let has_mark = rest.is_some();
            Ok((SourceFile { name, text: rest.unwrap_or(text) }, has_mark))
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let help = match bytes {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "this looks like UTF-16: save the file as UTF-8",
                _ => "save the file as UTF-8",
            };
            let message = format!("`{name}` is not UTF-8: invalid byte at offset {valid}");
            let text = String::from_utf8_lossy(bytes).into_owned();
            // Up to here both texts agree; the byte became a U+FFFD.
            let span = Span::new(valid, valid + '\u{fffd}'.len_utf8());
            let diagnostic = Diagnostic {
                labels: vec![Label { span, text: "here".to_owned() }],
                ..plain(&codes::NOT_UTF8, message)
            };
            Err(Box::new((diagnostic.help(help), Some(SourceFile { name, text }))))
        }
    }
}

/// The reason of an error in words, without the system's number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// Makes `contents` the contents of `path`: all or nothing, keeping permissions and, where allowed, the
/// owner. Written beside the file first and then renamed, so that a full disk or a crash loses nothing. No
/// signal comes in between, so that nothing is left beside the file.
/// Links are followed; what is no regular file (a pipe, a device) is written to directly.
pub(super) fn replace(path: &Path, contents: &str) -> io::Result<()> {
    let path = followed(path)?;
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return OpenOptions::new().write(true).open(&path)?.write_all(contents.as_bytes());
    }
    let temporary = beside(&path)?;
    Interrupt::defer(|| {
        let written = write_new(&temporary, contents, old.as_ref());
        let result = written.and_then(|()| fs::rename(&temporary, &path));
        if result.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        result
    })
}

/// Where a path leads, links followed, also to what does not exist yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => return result,
        }
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().map_or(target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Writes a file that must not exist yet.
pub(super) fn create(path: &Path, contents: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(contents.as_bytes())
}

/// A name in the same folder, hence on the same disk, that no other process picks.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id())))
}

fn write_new(path: &Path, contents: &str, old: Option<&fs::Metadata>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(contents.as_bytes())?;
    if let Some(old) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // Before the permissions, for a change of owner clears some. Only root may.
            let _ = std::os::unix::fs::fchown(&file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

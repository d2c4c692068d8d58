//! `paramcheck test`: the answers about the models of a folder, held against the `expected.toml` beside them.
//!
//! [`expected`] reads such a file, [`answers`] decides what it is about, [`compare`] says what differs, and
//! [`update`] writes the answers into it. The format is described in `docs/testing.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use paramcheck::report::tested::TestResult;
use paramcheck::report::text::plural;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::source::SourceFile;

use super::args::TestArguments;
use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};
use super::watch::{Interrupt, Watch, refuse_memory_limit};
use super::{Failure, files, labs, process};

mod answers;
mod compare;
mod expected;
mod update;

use expected::{Expectations, FileExpectations};

/// What the files are called.
const NAME: &str = "expected.toml";
/// So many models are named that the time limit came before.
const MAX_LATE: usize = 10;
/// So many folders are looked through.
const MAX_FOLDERS: usize = 10_000;

/// A session of this command.
type TestSession<'a> = Session<'a, (), TestResult>;

/// Runs the command.
pub(super) fn run(arguments: &TestArguments, console: &mut Console) -> Result<Exit, Failure> {
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let style = Style { command: "test", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session = Session::new(style, console);
    let folders = match folders(&arguments.folder, arguments.update) {
        Ok(folders) => folders,
        Err(diagnostic) => {
            session.begin(files::name(&arguments.folder));
            session.diagnostic(&diagnostic, None);
            return session.finish();
        }
    };
    interrupt.start();
    let watch = Watch::new(interrupt, begin, &arguments.limits, session.shows_progress());
    let mut call = Call { arguments, watch: &watch, session, count: Count::default(), late: Vec::new() };
    for folder in &folders {
        if watch.interrupt.is_pressed() {
            break;
        }
        call.folder(folder)?;
    }
    call.late()?;
    call.summary(folders.len())?;
    if watch.interrupt.is_pressed() {
        call.session.raise(Exit::Interrupted);
    }
    call.session.finish()
}

/// The folders with expectations or models, in order; `begins` says whether expectations are to be written, so
/// that none need be there.
fn folders(top: &Path, begins: bool) -> Result<Vec<PathBuf>, paramcheck_text::diagnostic::Diagnostic> {
    let mut found = Vec::new();
    let mut has_expectations = begins;
    let mut open = vec![top.to_owned()];
    let mut seen = 0;
    while let Some(folder) = open.pop() {
        seen += 1;
        if seen > MAX_FOLDERS {
            let message = format!("`{}` has more than {MAX_FOLDERS} folders below it", files::name(top));
            return Err(files::plain(&codes::TOO_LARGE, message).help("name a folder further down"));
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // What can't be looked into further down is no folder of ours.
            Err(_) if folder != top => continue,
            Err(error) => {
                let message =
                    format!("cannot read the folder `{}`: {}", files::name(top), files::reason(&error));
                let help = "name a folder with models in it, as in `paramcheck test models`";
                return Err(files::plain(&codes::UNREADABLE, message).help(help));
            }
        };
        let mut below = Vec::new();
        for entry in entries.filter_map(Result::ok) {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            // Links are not followed: they may lead back.
            if !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                below.push(entry.path());
            }
        }
        below.sort();
        open.extend(below.into_iter().rev());
        let is_expected = folder.join(NAME).exists();
        has_expectations |= is_expected;
        if is_expected || begins && folder == top || !models(&folder).is_empty() {
            found.push(folder);
        }
    }
    if !has_expectations {
        let name = files::name(top);
        let message = format!("there is no `{NAME}` in `{name}`, nor below it");
        let help = format!("`paramcheck test {name} --update` writes one with the answers of now");
        return Err(files::plain(&codes::UNREADABLE, message).help(help));
    }
    Ok(found)
}

/// How many answers were as expected, and how many not; of these, how many were written.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    right: usize,
    wrong: usize,
    written: usize,
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a TestArguments,
    watch: &'a Watch,
    session: TestSession<'a>,
    count: Count,
    /// The models that the time limit came before.
    late: Vec<String>,
}

impl Call<'_> {
    /// Compares, or updates, the answers of one folder.
    fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(NAME);
        let text = match path.exists() {
            false => SourceFile { name: files::name(&path), text: String::new() },
            true => {
                self.session.begin(files::name(&path));
                match self.session.accept(files::read(&path, files::MODEL_BYTES)) {
                    Some(text) => text,
                    None => return Ok(()),
                }
            }
        };
        let expectations = match Expectations::read(&text) {
            Ok(expectations) => expectations,
            Err(diagnostics) => {
                self.session.diagnostics(&diagnostics, &text);
                return Ok(());
            }
        };
        let mut answered = Vec::new();
        let written = self.count.written;
        for file in &expectations.files {
            let model = folder.join(&file.name);
            if self.arguments.update && !model.exists() {
                let name = files::name(&model);
                self.session.lines(&format!("{name}: is not there; what was expected of it is removed\n"))?;
                answered.push((file.name.clone(), None));
                continue;
            }
            let answers = self.file(&model, Some(file), &expectations, &text)?;
            if let Some(answers) = answers {
                answered.push((file.name.clone(), Some(answers)));
            }
        }
        let listed: BTreeSet<&str> = expectations.files.iter().map(|file| file.name.as_str()).collect();
        for name in models(folder).iter().filter(|name| !listed.contains(name.as_str())) {
            let answers = self.file(&folder.join(name), None, &expectations, &text)?;
            if let Some(answers) = answers {
                answered.push((name.clone(), Some(answers)));
            }
        }
        if self.arguments.update && !self.write(&path, &text, &answered)? {
            self.count.written = written;
        }
        Ok(())
    }

    /// Writes the answers of a folder; whether what is there has them then.
    fn write(
        &mut self,
        path: &Path,
        text: &SourceFile,
        answered: &[(String, Option<Vec<answers::Answered>>)],
    ) -> Result<bool, Failure> {
        // After an interrupt not all are there.
        if self.watch.interrupt.is_pressed() {
            return Ok(false);
        }
        let updated = update::updated(text, answered);
        if updated == text.text {
            return Ok(true);
        }
        match files::replace(path, &updated) {
            Ok(()) => {
                self.session.lines(&format!("{}: written\n", text.name))?;
                Ok(true)
            }
            Err(error) => {
                self.session.diagnostic(&files::unwritable(&format!("`{}`", text.name), &error), None);
                Ok(false)
            }
        }
    }

    /// Answers about one file and compares them; `None` where there are none, with the reason reported.
    fn file(
        &mut self,
        path: &Path,
        expected: Option<&FileExpectations>,
        all: &Expectations,
        text: &SourceFile,
    ) -> Result<Option<Vec<answers::Answered>>, Failure> {
        if self.watch.interrupt.is_pressed() {
            return Ok(None);
        }
        let name = files::name(path);
        self.session.begin(name.clone());
        if self.watch.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.late.push(name.clone());
        }
        let Some(answers) = answers::of_file(path, expected, &all.settings, self.watch, &mut self.session)
        else {
            return Ok(None);
        };
        let compared = compare::compare(expected, &answers);
        for one in compared {
            if one.is_right() {
                self.count.right += 1;
            } else if self.arguments.update && one.is_cut_off() {
                self.count.wrong += 1;
                self.session.raise(Exit::Unknown);
                self.session.lines(&format!("{name}: {}; nothing is written of it\n", one.line(text)))?;
            } else {
                self.count.wrong += 1;
                if self.arguments.update {
                    self.count.written += 1;
                } else {
                    self.session.raise(Exit::Violated);
                }
                self.session.lines(&format!("{name}: {}\n", one.line(text)))?;
            }
            self.session.document.add(one.result());
        }
        Ok(Some(answers))
    }

    /// Which models nothing was found out about, as the time limit came before them.
    fn late(&mut self) -> Result<(), Failure> {
        let Some((first, others)) = self.late.split_first() else { return Ok(()) };
        let mut line = format!("the time limit, which is for the whole call, came before {first}");
        let shown = others.iter().take(MAX_LATE - 1);
        shown.for_each(|name| line += &format!(", {name}"));
        if self.late.len() > MAX_LATE {
            line += &format!(" and {} more", self.late.len() - MAX_LATE);
        }
        self.session.lines(&format!("{line}\n"))
    }

    fn summary(&mut self, folders: usize) -> Result<(), Failure> {
        if self.arguments.quiet {
            return Ok(());
        }
        let Count { right, wrong, written } = self.count;
        let right = format!("{} as expected", plural(right, "answer"));
        let open = wrong - written;
        let wrong = match (self.arguments.update, written, open) {
            (_, 0, 0) => String::new(),
            (false, ..) => format!(", {wrong} not"),
            (true, written, 0) => format!(", {} written", plural(written, "change")),
            (true, written, open) => format!(", {} written, {open} not", plural(written, "change")),
        };
        let time = self.watch.begin.elapsed().as_secs_f64();
        self.session.lines(&format!("{right}{wrong}, in {}  ({time:.1} s)\n", plural(folders, "folder")))
    }
}

/// The names of the models in a folder, in order.
fn models(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let mut models: Vec<String> = names.filter(|name| is_model(Path::new(name))).collect();
    models.sort();
    models
}

/// Whether a file is a model, by its name.
fn is_model(path: &Path) -> bool {
    process::language_of(path).is_some() || process::is_rewriting_system(path) || labs::is_labs(path)
}

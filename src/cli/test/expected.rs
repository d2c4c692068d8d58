//! Reading `expected.toml`: which answers are expected, and within which limits.
//!
//! From the text to [`Expectations`]; what is wrong with it becomes diagnostics with their place.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use toml_edit::{Document, Item, TableLike, Value};

use paramcheck::report::Answer;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_labs::Parameters;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_EXPECTATIONS;
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};
use paramcheck_verdict::InvariantChoice;

use crate::cli::args::parse_invariants;
use crate::cli::{labs, process};

/// The key of settings.
const SETTINGS: &str = "*";
/// The page that describes the format.
const PAGE: &str = "docs/testing.md says what stands where";
/// The words of verdicts.
const VERDICTS: [Answer; 3] = [Answer::Proved, Answer::Violated, Answer::Unknown];
/// The words of schedules.
pub(super) const SCHEDULES: [(&str, Schedule); 4] = [
    ("any", Schedule::Any),
    ("fair", Schedule::WeaklyFair),
    ("fair-strong", Schedule::StronglyFair),
    ("round-robin", Schedule::RoundRobin),
];

/// What an `expected.toml` says.
#[derive(Clone, Debug, Default)]
pub(super) struct Expectations {
    /// For all files.
    pub settings: Settings,
    /// The files, in its order.
    pub files: Vec<FileExpectations>,
}

/// What is expected of one file.
#[derive(Clone, Debug)]
pub(super) struct FileExpectations {
    /// Its name, from the folder on.
    pub name: String,
    /// For this file.
    pub settings: Settings,
    /// Its questions, in the order of the text.
    pub questions: Vec<Expectation>,
}

/// What is expected of one question.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    /// Under which schedule; `None` for an error of a rewriting system.
    pub schedule: Option<Schedule>,
    /// The name of the error or check.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The answer.
    pub wanted: Wanted,
}

/// An expected answer; what is `None` is not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The verdict.
    pub verdict: Answer,
    /// The components of the instance that reaches the error.
    pub size: Option<usize>,
    /// The steps of the trace or run.
    pub steps: Option<usize>,
    /// The kinds of invariants of the proof, sorted.
    pub kinds: Option<Vec<String>>,
}

/// How questions are decided; what is `None` is as in checking.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// How long a question may take.
    pub time_limit: Option<Duration>,
    /// How many states may be visited.
    pub max_states: Option<usize>,
    /// Which invariants are used.
    pub invariants: Option<InvariantChoice>,
    /// Of agents: the values of parameters.
    pub parameters: Parameters,
}

/// The word of a schedule.
pub(super) fn word(schedule: Schedule) -> &'static str {
    SCHEDULES.iter().find(|(_, one)| *one == schedule).map_or("any", |(word, _)| word)
}

impl Expectations {
    /// Reads a text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(text: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let document = Document::parse(text.text.as_str()).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().replace('\n', ", ");
            vec![Reader::problem(format!("`{}` is no TOML: {message}", text.name), &span, "here", PAGE)]
        })?;
        let mut reader = Reader { diagnostics: Vec::new() };
        let mut expectations = Expectations::default();
        for (key, item) in document.as_table().iter() {
            let span = span(document.as_table(), key, item);
            let Some(table) = item.as_table_like() else {
                let help = "write a table: [\"ring.rs\"], and below it its questions";
                reader.report(format!("`{key}` is no file with answers"), &span, "no table", help);
                continue;
            };
            if key == SETTINGS {
                expectations.settings = reader.settings(table);
            } else {
                expectations.files.push(reader.file(key, table));
            }
        }
        match reader.diagnostics.is_empty() {
            true => Ok(expectations),
            false => Err(reader.diagnostics),
        }
    }
}

/// Where a key stands, or else its value.
fn span(table: &dyn TableLike, key: &str, item: &Item) -> Range<usize> {
    table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span()).unwrap_or(0..0)
}

/// Collects what is wrong.
struct Reader {
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn problem(message: String, span: &Range<usize>, label: &str, help: impl Into<String>) -> Diagnostic {
        Diagnostic::new(&BAD_EXPECTATIONS, message, Span::new(span.start, span.end), label).help(help)
    }

    fn report(&mut self, message: String, span: &Range<usize>, label: &str, help: impl Into<String>) {
        self.diagnostics.push(Self::problem(message, span, label, help));
    }

    /// A key that has no meaning where it stands.
    fn unknown_key(&mut self, key: &str, span: &Range<usize>, known: &[&str]) {
        let list = itertools::join(known.iter().map(|name| format!("`{name}`")), ", ");
        let help = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? There are {list}"),
            None => format!("there are {list}"),
        };
        self.report(format!("`{key}` has no meaning here"), span, "unknown", help);
    }

    fn file(&mut self, name: &str, table: &dyn TableLike) -> FileExpectations {
        let mut file =
            FileExpectations { name: name.to_owned(), settings: Settings::default(), questions: Vec::new() };
        let is_process = labs::is_labs(Path::new(name)) || process::language_of(Path::new(name)).is_some();
        for (key, item) in table.iter() {
            let place = span(table, key, item);
            if key == SETTINGS {
                match item.as_table_like() {
                    Some(settings) => file.settings = self.settings(settings),
                    None => self.report(
                        "settings are a table".to_owned(),
                        &place,
                        "no table",
                        "as in \"*\" = { time-limit = 5 }",
                    ),
                }
            } else if is_process {
                let known: Vec<&str> = SCHEDULES.iter().map(|(word, _)| *word).collect();
                let schedule = SCHEDULES.iter().find(|(word, _)| *word == key);
                match (schedule, item.as_table_like()) {
                    (None, _) => self.unknown_key(key, &place, &known),
                    (_, None) => self.report(
                        format!("`{key}` is a table of checks"),
                        &place,
                        "no table",
                        format!("as in {key} = {{ deadlock = \"proved\" }}"),
                    ),
                    (Some((_, schedule)), Some(checks)) => {
                        for (check, item) in checks.iter() {
                            let place = span(checks, check, item);
                            self.question(&mut file, Some(*schedule), check, item, place);
                        }
                    }
                }
            } else {
                self.question(&mut file, None, key, item, place);
            }
        }
        file
    }

    fn question(
        &mut self,
        file: &mut FileExpectations,
        schedule: Option<Schedule>,
        name: &str,
        item: &Item,
        place: Range<usize>,
    ) {
        if let Some(wanted) = self.wanted(item, schedule.is_some(), &place) {
            let span = Span::new(place.start, place.end);
            file.questions.push(Expectation { schedule, name: name.to_owned(), span, wanted });
        }
    }

    /// An answer: a word, or a table.
    fn wanted(&mut self, item: &Item, is_process: bool, place: &Range<usize>) -> Option<Wanted> {
        let none = |verdict| Wanted { verdict, size: None, steps: None, kinds: None };
        if item.is_str() {
            return self.verdict(item, place).map(none);
        }
        let Some(table) = item.as_table_like() else {
            let help = "write \"proved\", \"violated\", \"unknown\", or a table such as { violated = 3 }";
            self.report("this is no answer".to_owned(), place, "of this question", help);
            return None;
        };
        let mut verdict = None;
        let mut wanted = none(Answer::Unknown);
        let before = self.diagnostics.len();
        for (key, item) in table.iter() {
            let place = span(table, key, item);
            match key {
                "verdict" => verdict = self.verdict(item, &place).or(verdict),
                "violated" if !is_process => {
                    verdict = Some(Answer::Violated);
                    wanted.size = self.number(key, item, &place);
                }
                "size" if !is_process => wanted.size = self.number(key, item, &place),
                "steps" => wanted.steps = self.number(key, item, &place),
                "kinds" if !is_process => wanted.kinds = self.kinds(item, &place),
                _ if is_process => self.unknown_key(key, &place, &["verdict", "steps"]),
                _ => self.unknown_key(key, &place, &["verdict", "violated", "size", "steps", "kinds"]),
            }
        }
        if self.diagnostics.len() > before {
            return None;
        }
        let Some(verdict) = verdict else {
            let help = "as in { verdict = \"violated\", steps = 3 }";
            self.report("this answer has no verdict".to_owned(), place, "of this question", help);
            return None;
        };
        let numbers = wanted.size.is_some() || wanted.steps.is_some();
        if numbers && verdict != Answer::Violated || wanted.kinds.is_some() && verdict != Answer::Proved {
            let help = "`size` and `steps` belong to \"violated\", `kinds` to \"proved\"";
            let message = format!("the verdict \"{}\" has no such detail", verdict.word());
            self.report(message, place, "of this question", help);
            return None;
        }
        Some(Wanted { verdict, ..wanted })
    }

    fn verdict(&mut self, item: &Item, place: &Range<usize>) -> Option<Answer> {
        let word = item.as_str().unwrap_or_default();
        let found = VERDICTS.into_iter().find(|verdict| verdict.word() == word);
        if found.is_none() {
            let near = nearest(word, VERDICTS.iter().map(|verdict| verdict.word()));
            let near = near.map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
            let help = format!("{near}There are \"proved\", \"violated\" and \"unknown\"");
            let place = item.span().unwrap_or_else(|| place.clone());
            self.report("this is no verdict".to_owned(), &place, "unknown", help);
        }
        found
    }

    fn number(&mut self, key: &str, item: &Item, place: &Range<usize>) -> Option<usize> {
        let number = item.as_integer().and_then(|number| usize::try_from(number).ok());
        if number.is_none() {
            let help = format!("as in {key} = 3");
            self.report(format!("`{key}` is a whole number"), place, "no such number", help);
        }
        number
    }

    fn kinds(&mut self, item: &Item, place: &Range<usize>) -> Option<Vec<String>> {
        let parsed: Option<Vec<InvariantKind>> = item.as_array().and_then(|array| {
            let words = array.iter().map(|word: &Value| word.as_str()?.parse().ok());
            words.collect()
        });
        let Some(parsed) = parsed else {
            let help = "as in kinds = [\"trap\", \"linear:4\"]; `paramcheck --help` lists them";
            self.report("`kinds` is a list of kinds of invariants".to_owned(), place, "no such list", help);
            return None;
        };
        let mut kinds: Vec<String> = parsed.iter().map(InvariantKind::to_string).collect();
        kinds.sort();
        Some(kinds)
    }

    fn settings(&mut self, table: &dyn TableLike) -> Settings {
        let mut settings = Settings::default();
        for (key, item) in table.iter() {
            let place = span(table, key, item);
            match key {
                "time-limit" => {
                    let seconds = item.as_float().or(item.as_integer().map(|seconds| seconds as f64));
                    settings.time_limit =
                        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                    if settings.time_limit.is_none() {
                        let message = "`time-limit` is a number of seconds".to_owned();
                        self.report(message, &place, "no such number", "as in time-limit = 2.5");
                    }
                }
                "parameters" => match item.as_table_like() {
                    Some(values) => settings.parameters = self.parameters(values),
                    None => self.report(
                        "`parameters` is a table of numbers".to_owned(),
                        &place,
                        "no table",
                        "as in parameters = { n = 3 }",
                    ),
                },
                "max-states" => settings.max_states = self.number(key, item, &place),
                "invariants" => match item.as_str().map(parse_invariants) {
                    Some(Ok(choice)) => settings.invariants = Some(choice),
                    Some(Err(reason)) => {
                        let message = format!("`invariants`: {reason}");
                        self.report(message, &place, "here", "write it as behind --invariants");
                    }
                    None => self.report(
                        "`invariants` is a text".to_owned(),
                        &place,
                        "no text",
                        "as in invariants = \"trap,mutex\"",
                    ),
                },
                _ => self.unknown_key(key, &place, &["time-limit", "max-states", "invariants", "parameters"]),
            }
        }
        settings
    }

    /// The values of parameters by name.
    fn parameters(&mut self, table: &dyn TableLike) -> Parameters {
        let mut parameters = Parameters::new();
        for (name, item) in table.iter() {
            match item.as_integer() {
                Some(value) => {
                    parameters.insert(name.to_owned(), value);
                }
                None => {
                    let place = span(table, name, item);
                    let help = format!("as in {name} = 3");
                    self.report(format!("the parameter `{name}` is no whole number"), &place, "here", help);
                }
            }
        }
        parameters
    }
}

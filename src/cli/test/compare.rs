//! Expected answers and answers, side by side: the lines and results of `paramcheck test`.

use paramcheck::report::Answer;
use paramcheck::report::tested::{ExpectedAnswer, TestResult};
use paramcheck::report::text::plural;
use paramcheck_text::source::SourceFile;

use super::answers::Answered;
use super::expected::{Expectation, FileExpectations, Wanted, word};

/// What is expected of a question and what is answered; at least one of both is there.
pub(super) struct Compared<'a> {
    expected: Option<&'a Expectation>,
    found: Option<&'a Answered>,
}

/// The questions of one file, as they are answered, then those that are not there.
pub(super) fn compare<'a>(
    expected: Option<&'a FileExpectations>,
    answers: &'a [Answered],
) -> Vec<Compared<'a>> {
    let questions = || expected.into_iter().flat_map(|file| &file.questions);
    let is_about =
        |one: &Expectation, answer: &Answered| one.schedule == answer.schedule && one.name == answer.name;
    let answered = answers.iter().map(|answer| Compared {
        expected: questions().find(|one| is_about(one, answer)),
        found: Some(answer),
    });
    let missing = questions().filter(|one| !answers.iter().any(|answer| is_about(one, answer)));
    answered.chain(missing.map(|one| Compared { expected: Some(one), found: None })).collect()
}

/// Whether an answer is as expected in all that is said of it.
pub(super) fn is_as(wanted: &Wanted, found: &Answered) -> bool {
    wanted.verdict == found.verdict
        && (wanted.size.is_none() || wanted.size == found.size)
        && (wanted.steps.is_none() || wanted.steps == found.steps)
        && wanted.kinds.as_ref().is_none_or(|kinds| *kinds == found.kinds)
}

impl Compared<'_> {
    /// Whether the answer is as expected.
    pub(super) fn is_right(&self) -> bool {
        self.expected.zip(self.found).is_some_and(|(expected, found)| is_as(&expected.wanted, found))
    }

    /// Whether a limit of time or memory ended the search for an answer.
    pub(super) fn is_cut_off(&self) -> bool {
        self.found.is_some_and(|found| found.is_cut_off)
    }

    /// What differs, in words; `text` is that of the expectations.
    pub(super) fn line(&self, text: &SourceFile) -> String {
        let place = |expected: &Expectation| {
            let (line, _) = text.line_column(expected.span.start);
            format!("{}:{line}", text.name)
        };
        match (self.expected, self.found) {
            (Some(expected), Some(found)) => {
                let Wanted { size, steps, kinds, .. } = &expected.wanted;
                let wanted = describe(expected.wanted.verdict, *size, *steps, kinds.as_deref());
                let found = describe(
                    found.verdict,
                    found.size.filter(|_| size.is_some()),
                    found.steps.filter(|_| steps.is_some()),
                    kinds.as_ref().map(|_| found.kinds.as_slice()),
                );
                format!("{}: expected {wanted} ({}), is {found}", self.name(), place(expected))
            }
            (Some(expected), None) => {
                format!("{}: there is no such question, though expected at {}", self.name(), place(expected))
            }
            (None, found) => {
                let found =
                    found.map_or(String::new(), |found| describe(found.verdict, found.size, None, None));
                format!("{}: not in {}, is {found}", self.name(), text.name)
            }
        }
    }

    fn name(&self) -> String {
        let (schedule, name) = match (self.expected, self.found) {
            (Some(one), _) => (one.schedule, one.name.as_str()),
            (None, Some(one)) => (one.schedule, one.name.as_str()),
            (None, None) => (None, ""),
        };
        match schedule.map(word) {
            None | Some("any") => name.to_owned(),
            Some(schedule) => format!("{name}, {schedule}"),
        }
    }

    /// As a result of the document.
    pub(super) fn result(&self) -> TestResult {
        let schedule = self.expected.map_or(self.found.and_then(|one| one.schedule), |one| one.schedule);
        let name = self.expected.map_or(self.found.map(|one| &one.name), |one| Some(&one.name)).cloned();
        let (error, check) = if schedule.is_some() { (None, name) } else { (name, None) };
        let found = self.found;
        TestResult {
            error,
            check,
            schedule: schedule.map(word),
            verdict: found.map(|found| found.verdict),
            size: found.and_then(|found| found.size),
            steps: found.and_then(|found| found.steps),
            invariants: found.map(|found| found.kinds.clone()).unwrap_or_default(),
            expected: self.expected.map(|Expectation { wanted, .. }| ExpectedAnswer {
                verdict: wanted.verdict,
                size: wanted.size,
                steps: wanted.steps,
                invariants: wanted.kinds.clone(),
            }),
            as_expected: self.is_right(),
            time_ms: found.map(|found| found.elapsed.as_secs_f64() * 1000.0),
        }
    }
}

/// An answer in words.
fn describe(verdict: Answer, size: Option<usize>, steps: Option<usize>, kinds: Option<&[String]>) -> String {
    let mut text = verdict.word().to_owned();
    if let Some(size) = size {
        text += &format!(", {}", plural(size, "component"));
    }
    if let Some(steps) = steps {
        text += &format!(", {}", plural(steps, "step"));
    }
    match kinds {
        Some([]) if verdict == Answer::Proved => text += " without invariants",
        Some(kinds) if verdict == Answer::Proved => text += &format!(" by {}", kinds.join(" + ")),
        _ => {}
    }
    text
}

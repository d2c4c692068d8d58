//! `expected.toml` with the answers of now: comments, order and what is still right stay as they are.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use paramcheck::report::Answer;
use paramcheck_text::source::SourceFile;

use super::answers::Answered;
use super::compare::is_as;
use super::expected::{Expectations, Wanted, word};

/// How a new file begins.
const HEADER: &str = "# The right answer to every question, by file: `paramcheck test` compares them.\n\n";

/// The text with these answers. By file: all answers about it, or `None` where it is not there. What stands
/// about other files stays.
pub(super) fn updated(text: &SourceFile, answers: &[(String, Option<Vec<Answered>>)]) -> String {
    let (Ok(mut document), Ok(expectations)) = (text.text.parse::<DocumentMut>(), Expectations::read(text))
    else {
        return text.text.clone();
    };
    for (file, answers) in answers {
        let Some(answers) = answers else {
            document.remove(file);
            continue;
        };
        let expected = expectations.files.iter().find(|one| one.name == *file);
        let wanted = |answer: &Answered| {
            let mut questions = expected?.questions.iter();
            let found = questions.find(|one| one.schedule == answer.schedule && one.name == answer.name);
            found.map(|one| one.wanted.clone())
        };
        let entry = document.entry(file).or_insert_with(|| Item::Table(Table::new()));
        let Some(table) = entry.as_table_like_mut() else { continue };
        let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
        for key in keys.iter().filter(|key| *key != "*") {
            let mut of_schedule =
                answers.iter().filter(|answer| answer.schedule.map(word) == Some(key.as_str()));
            match of_schedule.next() {
                Some(first) => {
                    let schedule = first.schedule;
                    if let Some(item) = table.get_mut(key) {
                        retain(item, |name| {
                            answers.iter().any(|answer| answer.schedule == schedule && answer.name == name)
                        });
                    }
                }
                None if answers.iter().any(|one| one.schedule.is_none() && one.name == *key) => {}
                None => {
                    table.remove(key);
                }
            }
        }
        // Where a limit came first, what is expected may well be right.
        for answer in answers.iter().filter(|answer| !answer.is_cut_off) {
            let wanted = wanted(answer);
            if wanted.as_ref().is_some_and(|wanted| is_as(wanted, answer)) {
                continue;
            }
            let value = value(answer, wanted.as_ref());
            match answer.schedule {
                None => put(table, &answer.name, value),
                Some(schedule) => {
                    let name = word(schedule);
                    let new = || Item::Value(Value::InlineTable(InlineTable::new()));
                    if !table.contains_key(name) {
                        table.insert(name, new());
                    }
                    if let Some(item) = table.get_mut(name) {
                        let is_new =
                            item.as_table_like().is_some_and(|checks| !checks.contains_key(&answer.name));
                        if let Some(checks) = item.as_table_like_mut() {
                            put(checks, &answer.name, value);
                        }
                        if is_new {
                            tidy(item);
                        }
                    }
                }
            }
        }
        let is_as_long = table.len() == keys.len();
        if let Some(entry) = document.get_mut(file).filter(|_| !is_as_long) {
            tidy(entry);
        }
    }
    // Texts with the line ends of Windows keep them.
    let is_windows = text.text.contains("\r\n");
    let written = document.to_string();
    let written = if is_windows { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written };
    if text.text.is_empty() && !written.is_empty() { format!("{HEADER}{written}") } else { written }
}

/// Removes the keys that are not to be kept.
fn retain(item: &mut Item, keep: impl Fn(&str) -> bool) {
    let Some(table) = item.as_table_like_mut() else { return };
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let gone: Vec<&String> = keys.iter().filter(|key| !keep(key)).collect();
    for key in &gone {
        table.remove(key);
    }
    if !gone.is_empty() {
        tidy(item);
    }
}

/// Spaces the entries of a table on one line anew, which has no comments, after one was added or removed.
fn tidy(item: &mut Item) {
    if let Some(table) = item.as_inline_table_mut() {
        table.fmt();
    }
}

/// Sets a value, with the spaces and comments around the old one.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// An answer as it is written: in as much detail as before; a new one with the size of a violation.
fn value(answer: &Answered, before: Option<&Wanted>) -> Value {
    let is_process = answer.schedule.is_some();
    let with_steps = before.is_some_and(|wanted| wanted.steps.is_some());
    let with_kinds = before.is_some_and(|wanted| wanted.kinds.is_some());
    let mut table = InlineTable::new();
    match answer.verdict {
        Answer::Violated if !is_process || with_steps => {
            match answer.size {
                Some(size) => table.insert("violated", number(size)),
                None => table.insert("verdict", answer.verdict.word().into()),
            };
            if let Some(steps) = answer.steps.filter(|_| with_steps) {
                table.insert("steps", number(steps));
            }
        }
        Answer::Proved if with_kinds => {
            table.insert("verdict", answer.verdict.word().into());
            table.insert("kinds", Value::Array(answer.kinds.iter().collect::<Array>()));
        }
        verdict => return verdict.word().into(),
    }
    Value::InlineTable(table)
}

fn number(count: usize) -> Value {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}

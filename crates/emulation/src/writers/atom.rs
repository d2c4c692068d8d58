//! What a condition is made of, as text: the same questions in every language.

use crate::emit::connective::{self, Words};
use crate::question::{Condition, Term};
use crate::triple::{CounterId, LocationId};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;

use super::NotWritable;

/// How a language says each of them. Texts hold together beside connectives.
pub(super) trait Atoms {
    /// The last step was one of `labels` (ascending).
    fn did(&self, labels: &[LabelId]) -> String;

    /// A step with one of `labels` (ascending) may be taken now.
    fn can(&self, labels: &[LabelId]) -> String;

    /// No step may be taken.
    fn stuck(&self) -> String;

    /// All agents have terminated.
    fn terminated(&self) -> String;

    /// `counter` is at one of `locations` (ascending).
    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String;

    /// How the weights of the terms that hold add up.
    ///
    /// # Errors
    /// A sum that may be too large.
    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable>;

    /// One of these, whichever `atom` is; nothing for what has parts.
    ///
    /// # Errors
    /// A sum that may be too large.
    fn atom(&self, atom: &Condition) -> Result<String, NotWritable> {
        Ok(match atom {
            Condition::Did(labels) => self.did(labels),
            Condition::Can(labels) => self.can(labels),
            Condition::Stuck => self.stuck(),
            Condition::Terminated => self.terminated(),
            Condition::At(counter, locations) => self.at(*counter, locations),
            Condition::Count(terms, comparison, bound) => self.count(terms, *comparison, *bound)?,
            Condition::Constant(_) | Condition::Not(_) | Condition::And(_) | Condition::Or(_) => {
                String::new()
            }
        })
    }

    /// A whole condition, in a language that writes connectives between what they connect.
    ///
    /// # Errors
    /// A sum that may be too large.
    fn infix_condition(&self, condition: &Condition, words: Words) -> Result<String, NotWritable> {
        let mut failed = None;
        let mut text = String::new();
        let mut atom = |atom: &Condition| {
            self.atom(atom).unwrap_or_else(|reason| {
                failed = Some(reason);
                String::new()
            })
        };
        connective::write(condition, words, &mut atom, &mut text);
        failed.map_or(Ok(text), Err)
    }
}

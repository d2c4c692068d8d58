//! Conditions as text: atoms in the words of each language, connectives written between them.

use crate::expression::Expression;
use crate::question::{Condition, Term};
use crate::triple::{CounterId, LocationId};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;

use super::NotWritable;

/// The words of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// False and true.
    pub(super) constants: [&'static str; 2],
    /// Conjunction, disjunction, with spaces.
    pub(super) connectives: [&'static str; 2],
}

/// How a language writes atoms. Texts hold together beside connectives.
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

    /// The value of an expression is not 0.
    fn truth_of(&self, expression: &Expression) -> String;

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
            Condition::Holds(expression) => self.truth_of(expression),
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
        let mut text = String::new();
        write(self, condition, words, None, &mut text)?;
        Ok(text)
    }
}

/// `inside` is the connective that this is a part of. Recursion is bounded by what parsers allow.
fn write(
    atoms: &(impl Atoms + ?Sized),
    condition: &Condition,
    words: Words,
    inside: Option<usize>,
    text: &mut String,
) -> Result<(), NotWritable> {
    let (parts, connective) = match condition {
        Condition::Constant(value) => {
            text.push_str(words.constants[usize::from(*value)]);
            return Ok(());
        }
        Condition::Not(inner) => {
            text.push_str("!(");
            write(atoms, inner, words, None, text)?;
            text.push(')');
            return Ok(());
        }
        Condition::And(parts) => (parts, 0),
        Condition::Or(parts) => (parts, 1),
        atom => {
            text.push_str(&atoms.atom(atom)?);
            return Ok(());
        }
    };
    if parts.is_empty() {
        text.push_str(words.constants[1 - connective]);
        return Ok(());
    }
    let is_apart = inside.is_some_and(|outer| outer != connective);
    text.push_str(if is_apart { "(" } else { "" });
    for (position, part) in parts.iter().enumerate() {
        text.push_str(if position > 0 { words.connectives[connective] } else { "" });
        write(atoms, part, words, Some(connective), text)?;
    }
    text.push_str(if is_apart { ")" } else { "" });
    Ok(())
}

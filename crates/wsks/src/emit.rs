//! Questions as text: for the stand-alone program `mona`, and for people.

use crate::print::{self, PrintError};
use crate::question::Question;
use paramcheck_text::comment::lines;

/// A program for `mona` that decides the question as this crate does: "unsatisfiable" means that no
/// instance has such a marking. `heading` goes into comments at the top, and should end with the question.
///
/// # Errors
/// None for a question made by [`question`](super::question::question): its degree is 1 or 2.
pub fn mona(question: &Question, heading: &str) -> Result<String, PrintError> {
    let program =
        print::mona(&question.store, question.formula, &question.definitions, question.kappa, |variable| {
            question.describe(variable)
        })?;
    let mut text = lines("# ", heading);
    text += "\
# Unsatisfiable: no instance has such a marking, so none reaches one. Satisfiable: the example is an
# instance and such a marking, which that instance may or may not reach. The variables below describe the
# rewriting tree, where components start, and the marking; positions in the word (or tree) are the nodes
# of the rewriting tree, the root first.
";
    text += &program;
    Ok(text)
}

/// The question in mathematical notation, definitions first, then what its free variables mean.
pub fn formula(question: &Question, heading: &str) -> String {
    let mut text = lines("// ", heading);
    text += "\
// Unsatisfiable: no instance has such a marking, so none reaches one. Satisfiable: some instance has one,
// which it may or may not reach.

";
    for &variable in question.store.free_variables(question.formula) {
        let what = format!("{}: {}", question.store.name(variable), question.describe(variable));
        text += &lines("// ", &what);
    }
    text += &print::mathematics(&question.store, question.formula, &question.definitions);
    text
}

//! A sequential program: a triple structure, one question, one scheduler. What targets write.

use paramcheck_process::semantics::check::Schedule;

use super::question::Question;
use super::triple::Structure;

/// What is written.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// What the model is called in comments, such as the name of its file.
    pub model: &'a str,
    /// What it does.
    pub structure: &'a Structure,
    /// What is to be decided about it.
    pub question: &'a Question,
    /// What is assumed of the order in which agents act.
    pub schedule: Schedule,
}

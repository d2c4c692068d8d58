//! Answers to the questions of a document, and who gives them.
//!
//! A [`Subject`] and the number of a question go to a [`Decider`], an [`Answer`] comes back: words for the
//! line over the question, for a window, and the steps of a trace with their places in the model.

use paramcheck_labs::model::System as LabsSystem;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_process::model::System as ProcessSystem;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::Span;

/// Who answers questions.
pub trait Decider: Send + Sync {
    /// The answer to the question of this number; `None` where there is none because of a bug, or because the
    /// budget was interrupted.
    fn decide(&self, subject: &Subject<'_>, question: usize, budget: &Budget) -> Option<Answer>;
}

/// What questions are about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A rewriting system and its errors: `deadlock`, then those of the text.
    Rewriting {
        /// The system.
        system: &'a System,
        /// The errors.
        errors: &'a [NamedError],
    },
    /// A process and its checks.
    Process {
        /// The document's name.
        name: &'a str,
        /// The system, with its checks.
        system: &'a ProcessSystem,
    },
    /// A system of agents and its properties.
    Agents {
        /// The document's name.
        name: &'a str,
        /// Its text.
        text: &'a str,
        /// The system, with its properties.
        system: &'a LabsSystem,
    },
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `proved`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// The answer in a few words, which begin with the verdict.
    pub title: String,
    /// The whole answer, as the command line prints it.
    pub text: String,
    /// The steps to the violation, if there is one.
    pub steps: Vec<Step>,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub text: String,
    /// Where the model says that it may.
    pub place: Place,
}

/// A place in a model, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An interaction of a rule.
    Interaction {
        /// The rule's label, as in `Chain.2`.
        rule: String,
        /// The interaction, links inserted: `out(x1) in(y)`.
        text: String,
    },
    /// A transition of a component type.
    Transition {
        /// The component type.
        component: String,
        /// The state left.
        from: String,
        /// The state entered.
        to: String,
    },
    /// An action of agents.
    Action {
        /// The action, as in `vote` or `'vote`; `None` for `tau`.
        action: Option<String>,
        /// The agents that take part.
        agents: Vec<String>,
    },
    /// This part of the text.
    Text(Span),
    /// It is written nowhere.
    Nowhere,
}

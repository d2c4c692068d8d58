//! Instances as texts for other programs: Petri nets ([`pnml`](fn@pnml)), Spin ([`promela`]), NuSMV
//! ([`smv`]), Graphviz ([`dot`](fn@dot)).
//!
//! In comes an [`Instance`], out goes one text, of a length linear in that of the net and of the errors.
//! Nothing is decided here, and nothing left out: each text has the markings of the net as its states, and
//! what it calls an error is what [`ErrorCheck`](paramcheck_nets::instance::marking::ErrorCheck) does. Spin
//! and NuSMV get the net as a [`Structure`](crate::Structure), by the [`writers`] that back
//! ends use too; here is what only people need: names of states, and comments on where everything comes from.
//! What is about all instances at once (formulas of WSκS) is in the crate `paramcheck-wsks`.

use std::fmt::Write as _;

use paramcheck_model::error::print::print_formula;
use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Component, Net, NetTransitionId};
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use crate::instance::encode;
use crate::question::{NoCondition, Question};
use crate::writers::plan::Plan;
use crate::writers::{self, Legend};

mod dot;
mod pnml;

pub use dot::dot;
pub use pnml::pnml;

/// Why an instance is not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEmitted {
    /// The error at this position is no condition.
    #[error("{1}")]
    Error(usize, NoCondition),
    /// The language can't express it.
    #[error("{0}")]
    Program(#[from] writers::NotWritable),
}

/// The instance in Promela. A deadlock is an invalid end state there, and no claim.
///
/// # Errors
/// What Promela can't express.
pub fn promela(instance: &Instance<'_>) -> Result<String, NotEmitted> {
    let questions = instance.questions(|formula| *formula != ErrorFormula::Deadlock)?;
    let (structure, legend) = (encode(instance.system, instance.net), instance.legend());
    let plan = Plan::of_instance(&structure, &questions, &legend)?;
    Ok(writers::promela::write(plan, &Budget::unlimited())?)
}

/// The instance for NuSMV.
///
/// # Errors
/// What NuSMV can't express.
pub fn smv(instance: &Instance<'_>) -> Result<String, NotEmitted> {
    let questions = instance.questions(|_| true)?;
    let (structure, legend) = (encode(instance.system, instance.net), instance.legend());
    let plan = Plan::of_instance(&structure, &questions, &legend)?;
    Ok(writers::smv::write(plan, &Budget::unlimited())?)
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// What the model is called in comments, such as the name of its file.
    pub model: &'a str,
    /// The system.
    pub system: &'a System,
    /// The tree that `net` was unfolded from.
    pub tree: &'a RewritingTree,
    /// The instance.
    pub net: &'a Net,
    /// The errors in question; names differ.
    pub errors: &'a [NamedError],
}

impl Instance<'_> {
    /// The errors that are conditions of the text.
    fn questions(&self, is_written: impl Fn(&ErrorFormula) -> bool) -> Result<Vec<Question>, NotEmitted> {
        let errors = self.errors.iter().enumerate().filter(|(_, error)| is_written(&error.formula));
        let question = |(position, error): (usize, &NamedError)| {
            let question = Question::of_error(self.system, self.net, error);
            question.map_err(|reason| NotEmitted::Error(position, reason))
        };
        errors.map(question).collect()
    }

    /// What describes the structure of the net.
    fn legend(&self) -> Legend {
        let Instance { system, net, .. } = *self;
        let preorder = self.preorder();
        Legend {
            heading: self.heading(true),
            types: system.types.iter().map(|component_type| component_type.name.clone()).collect(),
            type_of: net.components().iter().map(|component| component.component_type.index()).collect(),
            counters: net.components().iter().map(|one| self.component_origin(one, &preorder)).collect(),
            triples: net.transitions().indices().map(|id| self.origin(id, &preorder)).collect(),
        }
    }

    /// What a text begins with, without marks of comments: the model, the instance, the errors.
    fn heading(&self, with_errors: bool) -> String {
        let net = self.net;
        let count =
            |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut text = format!(
            "model:     {}, system {}\ninstance:  {}, {}, {}; {}\n",
            self.model,
            self.system.name(),
            count(net.components().len(), "component"),
            count(net.place_count(), "place"),
            count(net.transitions().len(), "transition"),
            print_term(self.system, self.tree),
        );
        for (position, error) in self.errors.iter().enumerate().filter(|_| with_errors) {
            let title = if position == 0 { "errors:  " } else { "         " };
            let definition = print_formula(self.system, &error.formula);
            let definition =
                if definition == error.name { String::new() } else { format!(" = {definition}") };
            let _ = writeln!(text, "{title}  {}{definition}", error.name);
        }
        text
    }

    /// Per node of the tree its position in preorder, which is the order of the term.
    fn preorder(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.tree.nodes.len()];
        let mut open = vec![0];
        let mut next = 0;
        while let Some(node) = open.pop() {
            numbers[node] = next;
            next += 1;
            open.extend(self.tree.nodes[node].children.iter().rev());
        }
        numbers
    }

    /// Where a component comes from, as in `Chain.2 at node 1`; `preorder` numbers the nodes.
    fn component_origin(&self, component: &Component, preorder: &[usize]) -> String {
        let rule = &self.system.rules[self.tree.nodes[component.node].rule].label;
        format!("{rule} at node {}", preorder[component.node])
    }

    /// Where a transition comes from, as in `Chain.2 at node 1, interaction 1`; `preorder` numbers the nodes.
    fn origin(&self, transition: NetTransitionId, preorder: &[usize]) -> String {
        let transition = &self.net.transitions()[transition];
        let rule = &self.system.rules[transition.rule].label;
        let node = preorder[transition.node];
        match transition.interaction {
            Some(interaction) => {
                format!("{rule} at node {node}, interaction {}", interaction.index() + 1)
            }
            None => format!("{rule} at node {node}, internal"),
        }
    }
}

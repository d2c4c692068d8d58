//! Instances in the languages of other programs: Petri nets ([`pnml`]), Spin ([`promela`]), NuSMV
//! ([`smv`]), Graphviz ([`dot`]).
//!
//! In comes an [`Instance`], out goes one text, of a length linear in that of the net and of the errors.
//! Nothing is decided here, and nothing left out: each text has the markings of the net as its states, and
//! what it calls an error is what [`ErrorCheck`](paramcheck_nets::instance::marking::ErrorCheck) does. What is about
//! all instances at once (formulas of WSκS) is in `logic`.
//!
//! Names are the model's as far as the language has them ([`names`]); comments say of everything where it
//! comes from. What the languages share of errors is a [`condition`] on the states of components.

use std::fmt::Write as _;

use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::index::Idx;

pub(crate) mod condition;
pub(crate) mod connective;
pub mod dot;
pub(crate) mod names;
pub mod pnml;
pub mod promela;
pub mod smv;

#[cfg(test)]
mod tests;

pub use condition::NotWritable;

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
    /// What is asked of it; names differ.
    pub errors: &'a [NamedError],
}

impl Instance<'_> {
    /// What a text says at its top, without marks of comments: the model, the instance, the errors.
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

    /// What a transition is called, as in `Chain.2: out(Node#1) in(Node#2)`.
    fn title(&self, transition: NetTransitionId) -> String {
        let rule = &self.system.rules[self.net.transitions()[transition].rule].label;
        format!("{rule}: {}", self.net.transition_name(self.system, transition))
    }
}

/// `text` with `mark` before each line.
pub(crate) fn commented(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n").collect()
}

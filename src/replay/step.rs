//! One step of a document: which transition of the instance it is, and whether that can fire.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::instance::state_name;
use crate::report::{Participant, Step, names};
use paramcheck_model::rule::InteractionId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net, NetTransition, NetTransitionId};
use paramcheck_text::index::Idx;

/// Why a step is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// The tree has no such node.
    #[error("the tree has no node {0}")]
    Node(usize),
    /// The node applies another rule.
    #[error("node {node} applies {real}, not {claimed}")]
    Rule {
        /// The node.
        node: usize,
        /// The rule's label in the document.
        claimed: String,
        /// The label of the node's rule.
        real: String,
    },
    /// The rule has no such interaction.
    #[error("{rule} has no interaction {interaction}")]
    Interaction {
        /// The rule's label.
        rule: String,
        /// The interaction's number.
        interaction: usize,
    },
    /// The interaction is written in another way.
    #[error("the interaction is `{real}` in the model, not `{claimed}`")]
    Text {
        /// The text in the document.
        claimed: String,
        /// The text in the model.
        real: String,
    },
    /// There is no such component.
    #[error("the instance has no component `{0}`")]
    Component(String),
    /// No component takes part.
    #[error("no component takes part")]
    NoComponent,
    /// The interaction ties other components together at this node, or in other ways.
    #[error("the instance has no such transition: {0}")]
    NoTransition(String),
    /// A participant is elsewhere.
    #[error("not enabled: {component} is in {state}, not in {needed}")]
    NotEnabled {
        /// The component.
        component: String,
        /// Where it is.
        state: String,
        /// Where it would have to be.
        needed: String,
    },
}

/// What steps are steps of.
pub(super) struct Instance<'a> {
    /// The system.
    pub system: &'a System,
    /// The rewriting tree.
    pub tree: &'a RewritingTree,
    /// Its net.
    pub net: &'a Net,
    /// The net's components.
    pub by_name: &'a FxHashMap<String, ComponentId>,
}

impl Instance<'_> {
    /// The transition that `step` describes: nothing in `step` differs from it.
    pub(super) fn resolve(&self, step: &Step) -> Result<NetTransitionId, StepError> {
        let node = self.tree.nodes.get(step.node).ok_or(StepError::Node(step.node))?;
        let rule = &self.system.rules[node.rule];
        if rule.label != step.rule {
            let (claimed, real) = (step.rule.clone(), rule.label.clone());
            return Err(StepError::Rule { node: step.node, claimed, real });
        }
        let (interaction, text) = match step.interaction {
            None => (None, String::new()),
            Some(number) => {
                let unknown = || StepError::Interaction { rule: rule.label.clone(), interaction: number };
                if number >= rule.interactions.len() {
                    return Err(unknown());
                }
                let id = InteractionId::new(number);
                let interaction = rule.interactions.get(id).ok_or_else(unknown)?;
                (Some(id), names::interaction(self.system, rule, interaction))
            }
        };
        if text != step.text {
            return Err(StepError::Text { claimed: step.text.clone(), real: text });
        }
        let mut components = Vec::with_capacity(step.participants.len());
        for Participant { component, .. } in &step.participants {
            let id = self.by_name.get(component).ok_or_else(|| StepError::Component(component.clone()))?;
            components.push(*id);
        }
        let first = components.first().ok_or(StepError::NoComponent)?;
        let mut candidates = self.net.transitions_of(*first).iter().copied();
        let is_meant = |id: &NetTransitionId| {
            let transition = &self.net.transitions()[*id];
            transition.node == step.node
                && transition.interaction == interaction
                && self.is_same(transition, &components, &step.participants)
        };
        candidates.find(is_meant).ok_or_else(|| StepError::NoTransition(shown(step)))
    }

    /// Whether `transition` does what the participants, who are `components`, do in the document.
    fn is_same(
        &self,
        transition: &NetTransition,
        components: &[ComponentId],
        participants: &[Participant],
    ) -> bool {
        transition.moves.len() == participants.len()
            && transition.moves.iter().zip(components).zip(participants).all(
                |((one, &component), claimed)| {
                    let component_type =
                        &self.system.types[self.net.components()[one.component].component_type];
                    let port = component_type.transitions[one.transition].port;
                    one.component == component
                        && port.map(|port| self.system.ports[port].as_str()) == claimed.port.as_deref()
                        && component_type.states[one.from].name == claimed.from
                        && component_type.states[one.to].name == claimed.to
                },
            )
    }

    /// The marking after `transition`.
    pub(super) fn fire(&self, transition: NetTransitionId, marking: &Marking) -> Result<Marking, StepError> {
        let mut next = marking.clone();
        for one in &self.net.transitions()[transition].moves {
            // What is there, not what the transition's other moves have made of it: none moves twice.
            if marking[one.component] != one.from {
                let name = |state| state_name(self.system, self.net, one.component, state).to_owned();
                return Err(StepError::NotEnabled {
                    component: self.net.components()[one.component].name.clone(),
                    state: name(marking[one.component]),
                    needed: name(one.from),
                });
            }
            next[one.component] = one.to;
        }
        Ok(next)
    }
}

/// `Chain.2: out(Node#1: busy -> idle) in(Node#2: idle -> busy)`
fn shown(step: &Step) -> String {
    let participants = step.participants.iter().map(|Participant { component, port, from, to }| {
        let port = port.as_deref().unwrap_or("alone");
        format!("{port}({component}: {from} -> {to})")
    });
    format!("{} at node {}, {}", step.rule, step.node, itertools::join(participants, " "))
}

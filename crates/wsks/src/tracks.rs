//! The free set variables of a question, and what an assignment to them means.
//!
//! - U: per rule the nodes labelled with it;
//! - X: a marking. A component *sits* on the node whose rule creates it, as the j-th of that node's
//!   components; X\[j\]\[s\] are the nodes whose j-th component is in its state number s. Rules share
//!   these tracks: a node's rule determines what its j-th component is. So two components of one type on one
//!   node are kept apart, which the paper's X_S does not do;
//! - I: likewise where components start that may start in several states.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::formula::{SetVariable, Store, Variable};
use paramcheck_model::component::StateId;
use paramcheck_model::rule::{InstanceAtom, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking, TreeNode};
use paramcheck_text::index::Idx;

/// A tuple of set variables that describes a set of places: \[j\]\[s\] are the nodes whose j-th
/// component has its state number s in the set.
pub type Places = Vec<Vec<SetVariable>>;

/// A node of the tree: the children taken from the root, counted from 1.
pub type NodePath = Vec<u8>;

/// Values of set variables: per node the sets it is in (nodes in none may be left out).
pub type Witness = BTreeMap<NodePath, Vec<SetVariable>>;

/// The free set variables of a question. See the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracks {
    /// U: the reachable rules with their nodes.
    pub labels: Vec<(RuleId, SetVariable)>,
    /// X: the marking.
    pub marking: Places,
    /// I: where components start that have a choice.
    pub choices: Vec<Vec<Option<SetVariable>>>,
}

/// What makes a [`Witness`] no rewriting tree with a marking.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// A node has no rule, or several.
    #[error("the witness has {1} rules at node {0:?}")]
    Rules(NodePath, usize),
    /// A component has no state, or several.
    #[error("the witness has {1} states for a component at node {0:?}")]
    States(NodePath, usize),
}

impl Tracks {
    /// Variables for `system`, of which `rules` are reachable; each track of the marking is followed by
    /// one of the tuple of places returned: automata that compare the two stay small so.
    pub(crate) fn new(system: &System, rules: &[RuleId], store: &mut Store) -> (Tracks, Places) {
        let labels =
            rules.iter().map(|&id| (id, store.new_set(format!("U_{}", system.rules[id].label)))).collect();
        let widths = widths(system, rules);
        let mut choices = Vec::new();
        for (j, &states) in widths.iter().enumerate() {
            let tracks = (0..states).map(|s| {
                let is_chosen = instances(system, rules).any(|(_, number, atom)| {
                    number == j && atom.initial.len() > 1 && atom.initial.contains(&StateId::new(s))
                });
                is_chosen.then(|| store.new_set(format!("I{}_{}", j + 1, state_name(system, rules, j, s))))
            });
            choices.push(tracks.collect());
        }
        let (mut marking, mut places) = (Places::new(), Places::new());
        for (j, &states) in widths.iter().enumerate() {
            let (mut xs, mut ys) = (Vec::new(), Vec::new());
            for s in 0..states {
                let name = format!("{}_{}", j + 1, state_name(system, rules, j, s));
                xs.push(store.new_set(format!("X{name}")));
                ys.push(store.new_set(format!("Y{name}")));
            }
            marking.push(xs);
            places.push(ys);
        }
        (Tracks { labels, marking, choices }, places)
    }

    /// How many variables that would be, choices aside.
    pub(crate) fn count(system: &System, rules: &[RuleId]) -> usize {
        rules.len() + widths(system, rules).iter().sum::<usize>()
    }

    /// The set of nodes labelled with `rule`, if it is reachable.
    pub fn label(&self, rule: RuleId) -> Option<SetVariable> {
        self.labels.iter().find(|(id, _)| *id == rule).map(|&(_, set)| set)
    }

    /// What the variable stands for, in a few words.
    pub(crate) fn describe(&self, system: &System, variable: Variable) -> String {
        let Variable::Set(set) = variable else { return String::new() };
        if let Some((rule, _)) = self.labels.iter().find(|label| label.1 == set) {
            return format!("nodes that apply rule {}", system.rules[*rule].label);
        }
        let rules: Vec<RuleId> = self.labels.iter().map(|label| label.0).collect();
        let find = |mut tracks: Box<dyn Iterator<Item = Option<SetVariable>> + '_>| {
            tracks.position(|track| track == Some(set))
        };
        for (j, tracks) in self.marking.iter().enumerate() {
            if let Some(s) = find(Box::new(tracks.iter().copied().map(Some))) {
                return format!("component {} of the node is in {}", j + 1, places(system, &rules, j, s));
            }
        }
        for (j, tracks) in self.choices.iter().enumerate() {
            if let Some(s) = find(Box::new(tracks.iter().copied())) {
                return format!("component {} of the node starts in {}", j + 1, places(system, &rules, j, s));
            }
        }
        String::new()
    }

    /// The sets that describe `tree` and `marking`, which must fit `system`.
    pub fn encode(&self, system: &System, tree: &RewritingTree, marking: &TreeMarking) -> Witness {
        let mut paths: Vec<NodePath> = vec![NodePath::new(); tree.nodes.len()];
        let mut witness = Witness::new();
        for (number, node) in tree.nodes.iter().enumerate() {
            let path = paths.get(number).cloned().unwrap_or_default();
            for (position, &child) in node.children.iter().enumerate() {
                if let Some(place) = paths.get_mut(child) {
                    place.clone_from(&path);
                    place.push(u8::try_from(position + 1).unwrap_or(u8::MAX));
                }
            }
            let mut sets: Vec<SetVariable> = self.label(node.rule).into_iter().collect();
            let states = marking.get(number).into_iter().flatten();
            for (j, state) in states.enumerate() {
                sets.extend(self.marking.get(j).and_then(|tracks| tracks.get(state.index())));
            }
            let atoms = system.rules[node.rule].instance_atoms();
            for (j, (atom, state)) in atoms.zip(&node.initial).enumerate() {
                if atom.initial.len() > 1 {
                    let track = self.choices.get(j).and_then(|tracks| tracks.get(state.index()));
                    sets.extend(track.copied().flatten());
                }
            }
            witness.insert(path, sets);
        }
        witness
    }

    /// The tree and marking that the sets describe. Nothing is believed of them: where they are no
    /// rewriting tree, that is an error, but whether the rules fit each other is for
    /// [`check_tree`](paramcheck_nets::instance::unfold::check_tree) to say.
    ///
    /// # Errors
    /// The first node where they are none.
    pub(crate) fn decode(
        &self,
        system: &System,
        witness: &Witness,
    ) -> Result<(RewritingTree, TreeMarking), DecodeError> {
        let mut nodes: Vec<TreeNode> = Vec::new();
        let mut marking = TreeMarking::new();
        let mut open: Vec<(NodePath, Option<usize>)> = vec![(NodePath::new(), None)];
        while let Some((path, parent)) = open.pop() {
            let sets = witness.get(&path).map_or(&[] as &[SetVariable], Vec::as_slice);
            let rules: Vec<RuleId> =
                self.labels.iter().filter(|label| sets.contains(&label.1)).map(|label| label.0).collect();
            let &[rule] = rules.as_slice() else { return Err(DecodeError::Rules(path, rules.len())) };
            let (mut initial, mut states) = (Vec::new(), Vec::new());
            for (j, atom) in system.rules[rule].instance_atoms().enumerate() {
                let tracks = self.marking.get(j).into_iter().flatten().map(|&track| Some(track));
                states.push(chosen(sets, tracks, &path)?);
                initial.push(match atom.initial.as_slice() {
                    &[only] => only,
                    _ => chosen(sets, self.choices.get(j).into_iter().flatten().copied(), &path)?,
                });
            }
            let number = nodes.len();
            nodes.push(TreeNode { rule, initial, children: Vec::new() });
            marking.push(states);
            // Children are numbered in preorder, so a parent meets its own in their order.
            if let Some(parent) = parent.and_then(|parent: usize| nodes.get_mut(parent)) {
                parent.children.push(number);
            }
            for child in (1..=system.rules[rule].predicate_atoms().count()).rev() {
                let mut below = path.clone();
                below.push(u8::try_from(child).unwrap_or(u8::MAX));
                open.push((below, Some(number)));
            }
        }
        Ok((RewritingTree { nodes }, marking))
    }
}

/// The one track among `tracks` that is in `sets`.
fn chosen(
    sets: &[SetVariable],
    tracks: impl Iterator<Item = Option<SetVariable>>,
    path: &NodePath,
) -> Result<StateId, DecodeError> {
    let found: Vec<usize> = tracks
        .enumerate()
        .filter(|(_, track)| track.is_some_and(|track| sets.contains(&track)))
        .map(|(s, _)| s)
        .collect();
    match found.as_slice() {
        &[state] => Ok(StateId::new(state)),
        _ => Err(DecodeError::States(path.clone(), found.len())),
    }
}

/// All instance atoms of `rules`: rule, number in the rule, atom.
pub(super) fn instances<'a>(
    system: &'a System,
    rules: &[RuleId],
) -> impl Iterator<Item = (RuleId, usize, &'a InstanceAtom)> {
    rules.iter().flat_map(move |&id| {
        system.rules[id].instance_atoms().enumerate().map(move |(j, atom)| (id, j, atom))
    })
}

/// Per position of a component in its rule the largest number of states it can have there.
fn widths(system: &System, rules: &[RuleId]) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for (_, j, atom) in instances(system, rules) {
        let states = system.types[atom.component].states.len();
        match widths.get_mut(j) {
            Some(width) => *width = (*width).max(states),
            None => widths.push(states),
        }
    }
    widths
}

/// The places that a j-th component's state number s can be: `Node.idle, Holder.hidle`.
fn places(system: &System, rules: &[RuleId], j: usize, s: usize) -> String {
    let mut names: Vec<String> = instances(system, rules)
        .filter(|(_, number, atom)| *number == j && s < system.types[atom.component].states.len())
        .map(|(_, _, atom)| system.state_name(atom.component, StateId::new(s)))
        .collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// A name for a track: the state's, where few types share it, else its number.
fn state_name(system: &System, rules: &[RuleId], j: usize, s: usize) -> String {
    let mut names: Vec<&str> = instances(system, rules)
        .filter(|(_, number, atom)| *number == j && s < system.types[atom.component].states.len())
        .map(|(_, _, atom)| system.types[atom.component].states[StateId::new(s)].name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.len() <= 2 { names.join("_") } else { format!("{s}") }
}

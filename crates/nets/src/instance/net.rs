//! The Petri net of one instance: components with their states, transitions that move some of them.
//!
//! A place is a state of a component, and exactly one place of each component is marked: so the net
//! is 1-safe, and a marking is a state per component. A [`Net`] is made by `unfold` and never changed;
//! that keeps the two indexes true by which enabled transitions are found.
//!
//! Rejected: places as numbers of their own. Nearly every reader needs a component's state, not
//! a set of marked places; [`Net::place`] numbers the places for those who need it.

use paramcheck_model::component::{StateId, TransitionId, TypeId};
use paramcheck_model::rule::{InteractionId, PatternGroupId, RuleId};
use paramcheck_model::system::System;
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};

define_index! {
    /// A component of an instance.
    pub struct ComponentId;
    /// A transition of an instance.
    pub struct NetTransitionId;
}

/// A component of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// What it is an instance of.
    pub component_type: TypeId,
    /// Where it starts.
    pub initial: StateId,
    /// How many states its type has.
    pub state_count: usize,
    /// Its name in output: the type's name and a number from 1 among the components of that type,
    /// in preorder of the tree, as in `Node#3`.
    pub name: String,
    /// The node of the rewriting tree whose rule creates it.
    pub node: usize,
    /// Which of that rule's instance atoms creates it, from 0.
    pub atom: usize,
}

/// A marking of an instance: the current state of every component.
pub type Marking = IndexVec<ComponentId, StateId>;

/// What a transition of the net does to one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The component.
    pub component: ComponentId,
    /// Which transition of its type it makes.
    pub transition: TransitionId,
    /// The state left.
    pub from: StateId,
    /// The state entered; may be `from`.
    pub to: StateId,
}

/// A transition of the net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetTransition {
    /// The node of the rewriting tree it comes from; for an internal transition, the component's.
    pub node: usize,
    /// That node's rule.
    pub rule: RuleId,
    /// The interaction of the rule; `None` for an internal transition of a component.
    pub interaction: Option<InteractionId>,
    /// What it does, in the order of the interaction's participants: at least one move, every
    /// component at most once.
    pub moves: Vec<Move>,
}

/// A local pattern at a node of the rewriting tree: it occurs in the markings in which every
/// component named is in one of the states given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternOccurrence {
    /// The group of the pattern.
    pub group: PatternGroupId,
    /// The node of the rewriting tree.
    pub(crate) node: usize,
    /// Components and the states that match, ascending, never none.
    pub conditions: Vec<(ComponentId, Vec<StateId>)>,
}

/// The marked net of one instance. See the module's text.
#[derive(Clone, Debug)]
pub struct Net {
    components: IndexVec<ComponentId, Component>,
    transitions: IndexVec<NetTransitionId, NetTransition>,
    patterns: Vec<PatternOccurrence>,
    /// The number of each component's first place; one more at the end.
    first_place: Vec<usize>,
    /// Per place the transitions whose first move leaves it.
    starting: Lists,
    /// Per component the transitions that move it.
    moving: Lists,
    /// Per node of the tree the number of components before its own.
    first_of_node: Vec<usize>,
}

impl Net {
    /// Puts a net together. The components of one node stand together, in the order of its atoms;
    /// `first_of_node` is where they begin.
    pub(crate) fn new(
        components: IndexVec<ComponentId, Component>,
        transitions: IndexVec<NetTransitionId, NetTransition>,
        patterns: Vec<PatternOccurrence>,
        first_of_node: Vec<usize>,
    ) -> Net {
        let mut first_place = Vec::with_capacity(components.len() + 1);
        let mut places = 0;
        for component in &components {
            first_place.push(places);
            places += component.state_count;
        }
        first_place.push(places);
        let starting: Vec<_> = transitions
            .enumerate()
            .filter_map(|(id, transition)| {
                let first = transition.moves.first()?;
                Some((first_place[first.component.index()] + first.from.index(), id))
            })
            .collect();
        let moving: Vec<_> = transitions
            .enumerate()
            .flat_map(|(id, transition)| transition.moves.iter().map(move |m| (m.component.index(), id)))
            .collect();
        let starting = Lists::new(places, &starting);
        let moving = Lists::new(components.len(), &moving);
        Net { components, transitions, patterns, first_place, starting, moving, first_of_node }
    }

    /// The components, in preorder of the tree.
    pub fn components(&self) -> &IndexVec<ComponentId, Component> {
        &self.components
    }

    /// The transitions, in preorder of the tree: those of a node's interactions, then the internal
    /// ones of its components.
    pub fn transitions(&self) -> &IndexVec<NetTransitionId, NetTransition> {
        &self.transitions
    }

    /// The local patterns, in preorder of the tree. Those that can't occur here, because some
    /// component has none of the states wanted, are left out.
    pub fn patterns(&self) -> &[PatternOccurrence] {
        &self.patterns
    }

    /// The component that instance atom `atom` of tree node `node` creates.
    pub fn component_at(&self, node: usize, atom: usize) -> Option<ComponentId> {
        let position = self.first_of_node.get(node)?.checked_add(atom)?;
        let id = ComponentId::new(position);
        let component = self.components.get(id)?;
        (component.node == node).then_some(id)
    }

    /// The number of places: states over all components.
    pub fn place_count(&self) -> usize {
        self.first_place.last().copied().unwrap_or(0)
    }

    /// The number of the place "`component` is in `state`": component by component, ascending.
    pub fn place(&self, component: ComponentId, state: StateId) -> usize {
        self.first_place[component.index()] + state.index()
    }

    /// Every component where it starts.
    pub fn initial(&self) -> Marking {
        self.components.iter().map(|component| component.initial).collect()
    }

    /// Whether every component that `transition` moves is in the state it leaves.
    pub fn is_enabled(&self, transition: NetTransitionId, marking: &Marking) -> bool {
        self.transitions[transition].moves.iter().all(|m| marking[m.component] == m.from)
    }

    /// The enabled transitions, ordered by the component of their first move.
    pub fn enabled<'a>(&'a self, marking: &'a Marking) -> impl Iterator<Item = NetTransitionId> + 'a {
        marking
            .enumerate()
            .flat_map(|(component, &state)| self.starting.at(self.place(component, state)))
            .copied()
            .filter(|&transition| self.is_enabled(transition, marking))
    }

    /// Whether no transition is enabled.
    pub fn is_dead(&self, marking: &Marking) -> bool {
        self.enabled(marking).next().is_none()
    }

    /// The marking after `transition`, or `None` where that is not enabled.
    pub fn fire(&self, transition: NetTransitionId, marking: &Marking) -> Option<Marking> {
        if !self.is_enabled(transition, marking) {
            return None;
        }
        let mut next = marking.clone();
        for m in &self.transitions[transition].moves {
            next[m.component] = m.to;
        }
        Some(next)
    }

    /// The transitions that move `component`, ascending.
    pub fn transitions_of(&self, component: ComponentId) -> &[NetTransitionId] {
        self.moving.at(component.index())
    }

    /// How `transition` is shown: `out(Node#1) in(Node#2)`, or `Node#1: busy -> idle` for an internal
    /// one. `system` is the one that the net was unfolded from.
    pub fn transition_name(&self, system: &System, transition: NetTransitionId) -> String {
        let mut text = String::new();
        for m in &self.transitions[transition].moves {
            let component = &self.components[m.component];
            let component_type = &system.types[component.component_type];
            if !text.is_empty() {
                text.push(' ');
            }
            text += &match component_type.transitions[m.transition].port {
                Some(port) => format!("{}({})", system.ports[port], component.name),
                None => format!(
                    "{}: {} -> {}",
                    component.name, component_type.states[m.from].name, component_type.states[m.to].name
                ),
            };
        }
        text
    }
}

/// Lists of transitions by a small number, all in one vector.
#[derive(Clone, Debug)]
struct Lists {
    starts: Vec<usize>,
    items: Vec<NetTransitionId>,
}

impl Lists {
    /// The list of `key` holds its items in the order given; keys are below `count`.
    fn new(count: usize, pairs: &[(usize, NetTransitionId)]) -> Lists {
        let mut starts = vec![0; count + 1];
        for &(key, _) in pairs {
            starts[key + 1] += 1;
        }
        for key in 0..count {
            starts[key + 1] += starts[key];
        }
        let mut items = vec![NetTransitionId::new(0); starts[count]];
        let mut next = starts.clone();
        for &(key, item) in pairs {
            items[next[key]] = item;
            next[key] += 1;
        }
        Lists { starts, items }
    }

    fn at(&self, key: usize) -> &[NetTransitionId] {
        &self.items[self.starts[key]..self.starts[key + 1]]
    }
}

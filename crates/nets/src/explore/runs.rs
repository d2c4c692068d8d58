//! The runs of an instance as a system of the crate `temporal`: markings and transitions, with the atoms of a
//! property.
//!
//! A marking is a state, a transition a step; a component acts in the transitions that move it. A run that has
//! ended keeps its last step. Formulas over components may be too much work to decide in some marking: then
//! [`Runs::is_undecided`], and what was found counts for nothing.

use std::cell::Cell;
use std::convert::Infallible;

use crate::instance::marking::{ErrorCheck, Marking};
use crate::instance::net::{ComponentId, Net, NetTransitionId};
use paramcheck_model::component::StateId;
use paramcheck_model::property::{Atom, Component, Owner, Port, Property};
use paramcheck_model::system::System;
use paramcheck_temporal::formula::{Atom as Bit, Formula};
use paramcheck_temporal::letter::set;
use paramcheck_temporal::system as temporal;
use paramcheck_temporal::system::Kind;
use paramcheck_text::index::{Idx, IndexVec};

/// The instance has no component with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoComponent {
    /// The component.
    pub component: Component,
    /// How many of its type there are.
    pub count: usize,
}

/// The runs of an instance. See the module's text.
#[derive(Debug)]
pub struct Runs<'a> {
    net: &'a Net,
    kinds: Vec<Kind>,
    atoms: Vec<Prepared>,
    formula: Formula<Bit>,
    is_undecided: Cell<bool>,
}

/// An atom, prepared for the net.
#[derive(Debug)]
enum Prepared {
    Error(Box<ErrorCheck>),
    State(ComponentId, StateId),
    /// One of these transitions is enabled.
    Can(TransitionSet),
    /// The last transition, or the one that fires now, is one of these.
    Fires(TransitionSet),
    FiresAny,
}

/// A set of transitions: per transition whether it is in it.
type TransitionSet = IndexVec<NetTransitionId, bool>;

impl<'a> Runs<'a> {
    /// The runs of `net`, an instance of `system`, with the atoms of `property`.
    ///
    /// # Errors
    /// The first component that the property names and the instance does not have.
    pub fn new(system: &System, net: &'a Net, property: &Property) -> Result<Self, NoComponent> {
        let mut known: Vec<&Atom> = Vec::new();
        for atom in property.formula.atoms() {
            if !known.contains(&atom) {
                known.push(atom);
            }
        }
        let resolver = Resolver { system, net };
        let atoms = known.iter().map(|atom| resolver.prepare(atom)).collect::<Result<Vec<_>, _>>()?;
        let kind = |atom: &&Atom| match atom {
            Atom::Error(_) | Atom::State(..) | Atom::Can(_) => Kind::State,
            Atom::Did(_) => Kind::Last,
            Atom::Fires(_) | Atom::FiresAny => Kind::Step,
        };
        // All atoms are among them.
        let bit = |atom: &Atom| Bit(known.iter().position(|other| *other == atom).unwrap_or(0) as u32);
        let formula = property
            .formula
            .try_map(&mut |atom| Ok::<_, Infallible>(Formula::Atom(bit(atom))), &mut |atom| Ok(bit(atom)));
        let Ok(formula) = formula;
        let kinds = known.iter().map(kind).collect();
        Ok(Runs { net, kinds, atoms, formula, is_undecided: Cell::new(false) })
    }

    /// The formula of the property, over the bits of letters.
    pub fn formula(&self) -> &Formula<Bit> {
        &self.formula
    }

    /// Whether some atom of some marking was too much work to decide.
    pub fn is_undecided(&self) -> bool {
        self.is_undecided.get()
    }

    /// Sets the bits of the atoms of which `holds` says so.
    fn each(&self, letter: &mut [u64], holds: impl Fn(&Prepared) -> bool) {
        for (bit, atom) in self.atoms.iter().enumerate() {
            if holds(atom) {
                set(letter, Bit(bit as u32));
            }
        }
    }
}

struct Resolver<'a> {
    system: &'a System,
    net: &'a Net,
}

impl Resolver<'_> {
    fn prepare(&self, atom: &Atom) -> Result<Prepared, NoComponent> {
        Ok(match atom {
            Atom::Error(formula) => {
                Prepared::Error(Box::new(ErrorCheck::new(self.system, self.net, formula)))
            }
            Atom::State(component, state) => Prepared::State(self.component(*component)?, *state),
            Atom::Can(port) => Prepared::Can(self.transitions(port)?),
            Atom::Did(port) | Atom::Fires(port) => Prepared::Fires(self.transitions(port)?),
            Atom::FiresAny => Prepared::FiresAny,
        })
    }

    /// The components of a type are numbered from 1, in preorder of the tree.
    fn component(&self, component: Component) -> Result<ComponentId, NoComponent> {
        let all = self.net.components().enumerate();
        let of_type: Vec<ComponentId> =
            all.filter(|(_, one)| one.component_type == component.component_type).map(|(id, _)| id).collect();
        let number = usize::try_from(component.number).ok().and_then(|number| number.checked_sub(1));
        let found = number.and_then(|number| of_type.get(number));
        found.copied().ok_or(NoComponent { component, count: of_type.len() })
    }

    /// The transitions that move a component by a port.
    fn transitions(&self, port: &Port) -> Result<TransitionSet, NoComponent> {
        let owner = match port.owner {
            Owner::Component(component) => Some(self.component(component)?),
            Owner::Any | Owner::Type(_) => None,
        };
        let components = self.net.components();
        let types = &self.system.types;
        let is_meant = |id: ComponentId| match port.owner {
            Owner::Any => true,
            Owner::Type(wanted) => components[id].component_type == wanted,
            Owner::Component(_) => owner == Some(id),
        };
        let moves_by_it = |one: &crate::instance::net::Move| {
            let offered = types[components[one.component].component_type].transitions[one.transition].port;
            offered == Some(port.port) && is_meant(one.component)
        };
        Ok(self.net.transitions().iter().map(|transition| transition.moves.iter().any(moves_by_it)).collect())
    }
}

impl temporal::System for Runs<'_> {
    type State = Marking;
    type Step = NetTransitionId;
    type Fault = Infallible;

    fn atoms(&self) -> &[Kind] {
        &self.kinds
    }

    fn initial(&mut self) -> Vec<Marking> {
        vec![self.net.initial()]
    }

    fn steps(
        &mut self,
        marking: &Marking,
        each: &mut dyn FnMut(NetTransitionId, Marking),
    ) -> Result<(), Infallible> {
        for transition in self.net.enabled(marking) {
            let mut next = marking.clone();
            for one in &self.net.transitions()[transition].moves {
                next[one.component] = one.to;
            }
            each(transition, next);
        }
        Ok(())
    }

    fn state_letter(&self, marking: &Marking, letter: &mut [u64]) {
        self.each(letter, |atom| match atom {
            Prepared::Error(check) => check.holds(self.net, marking).unwrap_or_else(|| {
                self.is_undecided.set(true);
                false
            }),
            Prepared::State(component, state) => marking[*component] == *state,
            Prepared::Can(wanted) => self.net.enabled(marking).any(|transition| wanted[transition]),
            Prepared::Fires(_) | Prepared::FiresAny => false,
        });
    }

    fn step_letter(&self, _: &Marking, step: &NetTransitionId, _: &Marking, letter: &mut [u64]) {
        self.each(letter, |atom| match atom {
            Prepared::Fires(wanted) => wanted[*step],
            Prepared::FiresAny => true,
            Prepared::Error(_) | Prepared::State(..) | Prepared::Can(_) => false,
        });
    }

    fn keeps_last(&self) -> bool {
        true
    }

    fn units(&self) -> usize {
        self.net.components().len()
    }

    fn actors(&self, _: &Marking, step: &NetTransitionId, units: &mut [u64]) {
        for one in &self.net.transitions()[*step].moves {
            set(units, Bit(one.component.index() as u32));
        }
    }
}

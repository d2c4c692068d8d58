//! Which values locals may have: not more than these, whatever happens.
//!
//! A local has its initial values, and those of what is assigned to it: constants, values of other locals, and what
//! messages bring, from whichever agent. Anything that is computed may be all that its type allows. The smaller the
//! sets, the smaller NuSMV's diagrams.

use std::collections::BTreeSet;

use paramcheck_rcheck::model::{Atom, Expr, InstanceId, System, Term, Type};
use paramcheck_text::index::Idx;

/// Sets larger than this are intervals.
const MAX_VALUES: usize = 64;

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Set {
    Some(BTreeSet<i64>),
    /// All that its type allows.
    All,
}

/// The values of locals, per instance, and of what messages have.
pub(super) struct Values {
    locals: Vec<Vec<Set>>,
    messages: Vec<Set>,
}

impl Values {
    pub(super) fn new(system: &System) -> Values {
        let of_instance = |instance: &paramcheck_rcheck::model::Instance| {
            let initial = |(low, high): &(i64, i64)| match high.checked_sub(*low) {
                Some(width @ 0..) if (width as u64) < MAX_VALUES as u64 => {
                    Set::Some((*low..=*high).collect())
                }
                _ => Set::All,
            };
            instance.bounds.iter().map(initial).collect()
        };
        let mut values = Values {
            locals: system.instances.iter().map(of_instance).collect(),
            messages: vec![Set::Some(BTreeSet::new()); system.messages.len()],
        };
        while values.grow(system) {}
        values
    }

    /// The values of a local, ascending; nothing if they are all that its type allows.
    pub(super) fn of(&self, id: InstanceId, local: usize) -> Option<&BTreeSet<i64>> {
        match self.locals.get(id.index())?.get(local)? {
            Set::Some(values) => Some(values),
            Set::All => None,
        }
    }

    /// Adds what one more step brings; whether that was anything.
    fn grow(&mut self, system: &System) -> bool {
        let mut has_grown = false;
        for id in system.instances.indices() {
            let agent = system.agent_of(id);
            for command in &agent.commands {
                for (variable, term) in &command.data {
                    let more = self.values(id, term);
                    has_grown |= self.messages.get_mut(*variable).is_some_and(|set| set.add(more));
                }
                for (local, term) in &command.update {
                    let more = self.values(id, term);
                    let bounds = agent.locals.get(*local).and_then(|declared| range(system, declared.ty));
                    let set = self.locals.get_mut(id.index()).and_then(|locals| locals.get_mut(*local));
                    has_grown |= set.is_some_and(|set| set.add(more.within(bounds)));
                }
            }
        }
        has_grown
    }

    fn values(&self, id: InstanceId, term: &Expr) -> Set {
        match term {
            Term::Constant(value) => Set::Some(BTreeSet::from([*value])),
            Term::Atom(Atom::Local(local)) => {
                let set = self.locals.get(id.index()).and_then(|locals| locals.get(*local));
                set.cloned().unwrap_or(Set::All)
            }
            Term::Atom(Atom::Message(variable)) => self.messages.get(*variable).cloned().unwrap_or(Set::All),
            Term::Atom(Atom::Myself) => Set::Some(BTreeSet::from([i64::from(id.number())])),
            Term::Not(_)
            | Term::All(_)
            | Term::Any(_)
            | Term::Implies(..)
            | Term::Iff(..)
            | Term::Compare(..) => Set::Some(BTreeSet::from([0, 1])),
            Term::Atom(Atom::Property(_) | Atom::Channel) | Term::Negative(_) | Term::Compute(..) => Set::All,
        }
    }
}

/// The bounds of a range.
fn range(system: &System, ty: Type) -> Option<(i64, i64)> {
    matches!(ty, Type::Range(..)).then(|| system.bounds(ty)).flatten()
}

impl Set {
    /// Those within bounds: beyond them a step is a fault.
    fn within(self, bounds: Option<(i64, i64)>) -> Set {
        match (self, bounds) {
            (Set::Some(mut values), Some((low, high))) => {
                values.retain(|value| low <= *value && *value <= high);
                Set::Some(values)
            }
            (set, _) => set,
        }
    }

    fn add(&mut self, more: Set) -> bool {
        let before = match (&*self, &more) {
            (Set::All, _) => return false,
            (Set::Some(_), Set::All) => {
                *self = Set::All;
                return true;
            }
            (Set::Some(values), Set::Some(_)) => values.len(),
        };
        if let (Set::Some(values), Set::Some(more)) = (&mut *self, more) {
            values.extend(more);
            if values.len() > MAX_VALUES {
                *self = Set::All;
                return true;
            }
            return values.len() > before;
        }
        false
    }
}

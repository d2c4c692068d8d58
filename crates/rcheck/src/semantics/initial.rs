//! The states to begin with: all values of the locals that satisfy the conditions.
//!
//! Per instance, variable by variable; a conjunct is looked at as soon as all that it mentions has a value.

use super::evaluate::{NoValue, evaluate};
use super::step::State;
use crate::model::{Atom, Expr, InstanceId, System, Term};

/// The most values of the locals of one instance that are tried, and the most initial states.
pub const MAX_INITIAL: usize = 1_000_000;

/// What is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial<T> {
    /// All, or as many as were wanted.
    Values(Vec<T>),
    /// There is no saying: more would have to be tried than may be.
    TooMany,
    /// A condition has no value.
    NoValue(InstanceId, NoValue),
}

/// At most `wanted` of the initial values of the locals of an instance, for which at most `most` are tried.
pub fn initial_values(system: &System, id: InstanceId, wanted: usize, most: usize) -> Initial<Vec<i64>> {
    let instance = &system.instances[id];
    let mut conjuncts = Vec::new();
    conjuncts_of(&system.agents[instance.agent].init, &mut conjuncts);
    conjuncts_of(&instance.init, &mut conjuncts);
    // Per variable what can be looked at once it has a value; the last place is for what mentions none.
    let mut ready: Vec<Vec<&Expr>> = vec![Vec::new(); instance.bounds.len() + 1];
    for conjunct in conjuncts {
        let mut last = 0;
        conjunct.atoms(&mut |atom| {
            if let Atom::Local(local) = atom {
                last = last.max(local + 1);
            }
        });
        if let Some(place) = ready.get_mut(last) {
            place.push(conjunct);
        }
    }
    let mut search = Search {
        ready: &ready,
        bounds: &instance.bounds,
        myself: i64::from(id.number()),
        wanted,
        most,
        tried: 0,
        values: Vec::new(),
        found: Vec::new(),
    };
    match search.run() {
        Ok(true) => Initial::Values(search.found),
        Ok(false) => Initial::TooMany,
        Err(why) => Initial::NoValue(id, why),
    }
}

fn conjuncts_of<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match expr {
        Term::All(all) => all.iter().for_each(|one| conjuncts_of(one, found)),
        one => found.push(one),
    }
}

struct Search<'a> {
    ready: &'a [Vec<&'a Expr>],
    bounds: &'a [(i64, i64)],
    myself: i64,
    wanted: usize,
    most: usize,
    tried: usize,
    values: Vec<i64>,
    found: Vec<Vec<i64>>,
}

impl Search<'_> {
    /// Whether all were found that are wanted. Without recursion: there may be very many variables.
    fn run(&mut self) -> Result<bool, NoValue> {
        if !self.holds()? {
            return Ok(true);
        }
        loop {
            // Down, by the least value of the next variable.
            let mut candidate = match self.bounds.get(self.values.len()) {
                Some((low, _)) => Some(*low),
                None => {
                    self.found.push(self.values.clone());
                    if self.found.len() >= self.wanted {
                        return Ok(true);
                    }
                    None
                }
            };
            // Forward, by the next value of the last variable that has one.
            loop {
                let Some(value) = candidate else {
                    let Some(last) = self.values.pop() else { return Ok(true) };
                    candidate = Some(last.saturating_add(1));
                    continue;
                };
                let in_bounds = self.bounds.get(self.values.len()).is_some_and(|(_, high)| value <= *high);
                if !in_bounds {
                    candidate = None;
                    continue;
                }
                self.tried += 1;
                if self.tried > self.most {
                    return Ok(false);
                }
                self.values.push(value);
                if self.holds()? {
                    break;
                }
                self.values.pop();
                candidate = Some(value.saturating_add(1));
            }
        }
    }

    /// Whether what can be looked at now holds.
    fn holds(&self) -> Result<bool, NoValue> {
        let Some(conjuncts) = self.ready.get(self.values.len()) else { return Ok(true) };
        for conjunct in conjuncts {
            let mut atom = |atom| match atom {
                Atom::Local(local) => self.values.get(local).copied().ok_or(NoValue::Missing),
                Atom::Myself => Ok(self.myself),
                Atom::Message(_) | Atom::Property(_) | Atom::Channel => Err(NoValue::Missing),
            };
            if evaluate(conjunct, &mut atom)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// All initial states.
pub fn initial_states(system: &System) -> Initial<State> {
    let mut states = vec![State { locations: vec![0; system.instances.len()], locals: Vec::new() }];
    for id in system.instances.indices() {
        let values = match initial_values(system, id, usize::MAX, MAX_INITIAL) {
            Initial::Values(values) => values,
            Initial::TooMany => return Initial::TooMany,
            Initial::NoValue(id, why) => return Initial::NoValue(id, why),
        };
        if states.len().saturating_mul(values.len()) > MAX_INITIAL {
            return Initial::TooMany;
        }
        let with = |state: &State, value: &Vec<i64>| {
            let mut next = state.clone();
            next.locals.push(value.clone());
            next
        };
        states = states.iter().flat_map(|state| values.iter().map(move |value| with(state, value))).collect();
    }
    Initial::Values(states)
}

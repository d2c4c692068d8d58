//! Markings of an instance that has too many to look at each: found by a SAT solver.
//!
//! In: an instance and a goal. Out: one marking after the other that is in the goal, and that nothing excludes of
//! what was added; or that there is none. A variable per place says whether it is marked; sums of weights go
//! through the components one by one ([`Search::keep`]).

use std::collections::{BTreeMap, BTreeSet};

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{ComponentId, Marking, Net, NetTransition};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::family::Set;
use crate::goal::{Goal, is_dropped};

/// No more values of one sum are told apart.
const MAX_VALUES: usize = 2_000;
/// No more clauses are made.
const MAX_CLAUSES: usize = 4_000_000;

/// Places that are marked together.
pub(crate) type Together = Vec<(ComponentId, StateId)>;

/// Ends the solver when the budget does.
struct Watch<'a>(&'a Budget);

impl Callbacks for Watch<'_> {
    fn stop(&self) -> bool {
        self.0.check().is_err()
    }
}

/// See the module's text.
pub(crate) struct Search<'a> {
    system: &'a System,
    net: &'a Net,
    budget: &'a Budget,
    solver: Solver<Watch<'a>>,
    /// Per place whether it is marked.
    places: Vec<Lit>,
    always: Lit,
    clauses: usize,
    scratch: Vec<Lit>,
}

impl<'a> Search<'a> {
    /// A search for markings of `net` in the goal; `None` where that can't be written down: the goal is a formula
    /// over components, or too large.
    pub(crate) fn new(
        system: &'a System,
        net: &'a Net,
        goal: Goal<'_>,
        budget: &'a Budget,
    ) -> Option<Search<'a>> {
        let mut solver = Solver::new(SolverOpts::default(), Watch(budget));
        let places = (0..net.place_count()).map(|_| Lit::new(solver.new_var_default(), true)).collect();
        let always = Lit::new(solver.new_var_default(), true);
        let mut search =
            Search { system, net, budget, solver, places, always, clauses: 0, scratch: Vec::new() };
        search.clause([always]);
        for (id, component) in net.components().enumerate() {
            let own: Vec<Lit> =
                (0..component.state_count).map(|state| search.place((id, StateId::new(state)))).collect();
            search.clause(own.iter().copied());
            for (at, one) in own.iter().enumerate() {
                own[..at].iter().for_each(|other| search.clause([!*one, !*other]));
            }
        }
        let found = match goal {
            Goal::Error(formula) => search.formula(formula)?,
            Goal::Fires(dropped) => search.some_enabled(|transition| is_dropped(net, transition, dropped)),
            Goal::Anything => search.always,
        };
        search.clause([found]);
        (search.clauses <= MAX_CLAUSES).then_some(search)
    }

    /// From now on, only markings are found in which `set`, of which `start` is marked at the start, holds what its
    /// kind says; where `is_exact`, in which its sum is as at the start. Whether that could be written down.
    pub(crate) fn keep(&mut self, set: &Set, kind: InvariantKind, start: i64, is_exact: bool) -> bool {
        let clamp = |sum: i64| match (kind, usize::try_from(sum)) {
            (InvariantKind::Linear(_), _) => sum,
            (InvariantKind::Modulo(modulus), _) => sum.rem_euclid(i64::from(modulus)),
            (_, Ok(sum)) => i64::from(kind.saturate(sum)),
            (_, Err(_)) => sum,
        };
        let Some(sums) = self.sums(|id, state| set[id.index()][state.index()], clamp) else { return false };
        for (sum, literal) in sums {
            if kind.refutes(start, sum) || is_exact && sum != start {
                self.clause([!literal]);
            }
        }
        true
    }

    /// From now on, these places are not marked together in what is found.
    pub(crate) fn forbid(&mut self, together: &Together) {
        let literals: Vec<Lit> = together.iter().map(|place| !self.place(*place)).collect();
        self.clause(literals);
    }

    /// A marking that is left, if there is one.
    ///
    /// # Errors
    /// The budget ended, or there are too many clauses.
    pub(crate) fn next(&mut self) -> Result<Option<Marking>, NotExplained> {
        self.budget.check().map_err(NotExplained::Stopped)?;
        if self.clauses > MAX_CLAUSES {
            return Err(NotExplained::TooLarge);
        }
        match self.solver.solve_limited(&[]) {
            answer if answer == lbool::FALSE => return Ok(None),
            answer if answer == lbool::TRUE => {}
            _ => {
                self.budget.check().map_err(NotExplained::Stopped)?;
                return Err(NotExplained::TooLarge);
            }
        }
        let marked = self.net.components().enumerate().map(|(id, component)| {
            let mut states = (0..component.state_count).map(StateId::new);
            states.find(|state| self.solver.value_lit(self.place((id, *state))) == lbool::TRUE)
        });
        marked.collect::<Option<Marking>>().map(Some).ok_or(NotExplained::TooLarge)
    }

    fn place(&self, (component, state): (ComponentId, StateId)) -> Lit {
        self.places[self.net.place(component, state)]
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clauses += 1;
        if self.clauses > MAX_CLAUSES {
            return;
        }
        self.scratch.clear();
        self.scratch.extend(literals);
        self.solver.add_clause_reuse(&mut self.scratch);
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// True iff all of `parts` are.
    fn all(&mut self, parts: &[Lit]) -> Lit {
        match parts {
            [] => self.always,
            [one] => *one,
            _ => {
                let all = self.fresh();
                parts.iter().for_each(|part| self.clause([!all, *part]));
                self.clause(parts.iter().map(|part| !*part).chain([all]));
                all
            }
        }
    }

    /// True iff one of `parts` is.
    fn any(&mut self, parts: &[Lit]) -> Lit {
        let none: Vec<Lit> = parts.iter().map(|part| !*part).collect();
        !self.all(&none)
    }

    /// Per value that the sum of the marked places' weights may have, as far as `clamp` tells values apart, a
    /// literal that is true if it has it. (Where it has another, the literal may be either.)
    fn sums(
        &mut self,
        weight: impl Fn(ComponentId, StateId) -> i64,
        clamp: impl Fn(i64) -> i64,
    ) -> Option<BTreeMap<i64, Lit>> {
        let net = self.net;
        let mut sums = BTreeMap::from([(clamp(0), self.always)]);
        for (id, component) in net.components().enumerate() {
            let mut by_weight: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
            for state in (0..component.state_count).map(StateId::new) {
                by_weight.entry(weight(id, state)).or_default().push(self.place((id, state)));
            }
            if by_weight.keys().eq([&0]) {
                continue;
            }
            let mut next: BTreeMap<i64, Lit> = BTreeMap::new();
            for (weight, states) in by_weight {
                let is_so = self.any(&states);
                for (sum, literal) in &sums {
                    let value = clamp(sum.saturating_add(weight));
                    let to = match next.get(&value) {
                        Some(known) => *known,
                        None => self.fresh(),
                    };
                    next.insert(value, to);
                    self.clause([!*literal, !is_so, to]);
                }
            }
            if next.len() > MAX_VALUES || self.clauses > MAX_CLAUSES {
                return None;
            }
            sums = next;
        }
        Some(sums)
    }

    /// True iff one of the transitions for which `counts` is enabled.
    fn some_enabled(&mut self, counts: impl Fn(&NetTransition) -> bool) -> Lit {
        let net = self.net;
        let needed: BTreeSet<Vec<(ComponentId, StateId)>> = (net.transitions().iter())
            .filter(|transition| counts(transition))
            .map(|transition| transition.moves.iter().map(|one| (one.component, one.from)).collect())
            .collect();
        let enabled: Vec<Lit> = (needed.into_iter())
            .map(|needed| {
                let needed: Vec<Lit> = needed.into_iter().map(|place| self.place(place)).collect();
                self.all(&needed)
            })
            .collect();
        self.any(&enabled)
    }

    /// True iff the marking is in `formula`.
    fn formula(&mut self, formula: &ErrorFormula) -> Option<Lit> {
        let (net, system) = (self.net, self.system);
        let parts = |search: &mut Self, parts: &[ErrorFormula]| -> Option<Vec<Lit>> {
            parts.iter().map(|part| search.formula(part)).collect()
        };
        Some(match formula {
            ErrorFormula::Deadlock => {
                let mut open = Vec::new();
                for (id, component) in net.components().enumerate() {
                    let states = system.types[component.component_type].states.enumerate();
                    open.extend(
                        states.filter(|(_, one)| !one.is_final).map(|(state, _)| self.place((id, state))),
                    );
                }
                let (is_open, can_move) = (self.any(&open), self.some_enabled(|_| true));
                self.all(&[is_open, !can_move])
            }
            ErrorFormula::Count(count) => {
                let most = i64::try_from(count.bound).unwrap_or(i64::MAX).saturating_add(1);
                let weight = |id: ComponentId, state: StateId| {
                    let component_type = net.components()[id].component_type;
                    let mut own =
                        count.weights.iter().filter(|one| (one.0, one.1) == (component_type, state));
                    own.next().map_or(0, |one| i64::try_from(one.2).unwrap_or(i64::MAX))
                };
                let sums = self.sums(weight, |sum| sum.min(most))?;
                let holds = self.fresh();
                for (sum, literal) in sums {
                    let value = u64::try_from(sum).ok()?;
                    let is_so = count.comparison.holds(value, count.bound);
                    self.clause([!literal, if is_so { holds } else { !holds }]);
                }
                holds
            }
            ErrorFormula::Pattern(group) => {
                let mut found = Vec::new();
                for pattern in net.patterns().iter().filter(|pattern| pattern.group == *group) {
                    let conditions: Vec<Lit> = (pattern.conditions.iter())
                        .map(|(id, states)| {
                            let states: Vec<Lit> =
                                states.iter().map(|state| self.place((*id, *state))).collect();
                            self.any(&states)
                        })
                        .collect();
                    found.push(self.all(&conditions));
                }
                self.any(&found)
            }
            ErrorFormula::Components(_) => return None,
            ErrorFormula::Not(inner) => !self.formula(inner)?,
            ErrorFormula::And(all) => {
                let all = parts(self, all)?;
                self.all(&all)
            }
            ErrorFormula::Or(all) => {
                let all = parts(self, all)?;
                self.any(&all)
            }
        })
    }
}

//! One set that refutes one marking of one instance, found by a SAT solver.
//!
//! One variable per place is true if the place is in θ; the conditions of the kind's table become
//! clauses over counters that stop just above the bound. The set found is made minimal: small sets
//! show nothing at most nodes of the tree, so what is learnt from them fits many instances. Sets with
//! weights have clauses of their own, in [`weighted`].

mod weighted;

use std::collections::BTreeSet;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::kind::InvariantKind;
use paramcheck_model::component::TypeId;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net, NetTransition};
use paramcheck_text::limits::{Budget, Stop};

use super::dead::DeadInteractions;

/// Ends the solver when the budget does.
struct Watch<'a>(&'a Budget);

impl Callbacks for Watch<'_> {
    fn stop(&self) -> bool {
        self.0.check().is_err()
    }
}

/// Clauses about one instance.
struct Encoder<'a> {
    solver: Solver<Watch<'a>>,
    budget: &'a Budget,
    /// Clauses and variables so far: the budget is looked at now and then.
    made: u32,
    /// Why the run must end, if it must: nothing is added any more.
    stopped: Option<Stop>,
    /// Literals of which as few as possible are to be true: what makes places be in θ.
    members: Vec<Lit>,
    scratch: Vec<Lit>,
}

/// How many clauses and variables are made between two looks at the budget.
const MADE_PER_CHECK: u32 = 256;

/// An instance in its parts, each after what it is a part of: the component that a part creates, and the
/// parts that it joins.
pub(crate) type Joins<'a> = Vec<(Option<ComponentId>, &'a [usize])>;

/// A set of places of `net`, put together by `joins`, that is an invariant of `kind` and refutes `marking`:
/// per place, its weight in the set. `None`: there is none.
pub(crate) fn find(
    net: &Net,
    joins: &Joins<'_>,
    dead: &DeadInteractions,
    kind: InvariantKind,
    marking: &Marking,
    budget: &Budget,
) -> Result<Option<Vec<i8>>, Stop> {
    let alive = net.transitions().iter().filter(|transition| !is_dead(net, dead, transition));
    if kind.is_weighted() {
        return weighted::find(net, joins, alive, kind, marking, budget);
    }
    let mut encoder = Encoder::new(budget);
    encoder.members = (0..net.place_count()).map(|_| encoder.member()).collect();
    let mut seen = BTreeSet::new();
    for transition in alive {
        let place = |component, state| encoder.members[net.place(component, state)];
        let mut pre: Vec<Lit> = transition.moves.iter().map(|m| place(m.component, m.from)).collect();
        let mut post: Vec<Lit> = transition.moves.iter().map(|m| place(m.component, m.to)).collect();
        encoder.check()?;
        // What gives back just what it takes forbids nothing, whatever the kind.
        pre.sort_unstable();
        post.sort_unstable();
        if pre != post && seen.insert((pre.clone(), post.clone())) {
            encoder.transition(kind, &pre, &post);
        }
    }
    let initial: Vec<Lit> = net
        .components()
        .enumerate()
        .map(|(id, component)| encoder.members[net.place(id, component.initial)])
        .collect();
    let marked: Vec<Lit> =
        marking.enumerate().map(|(id, &state)| encoder.members[net.place(id, state)]).collect();
    encoder.refutes(kind, &initial, &marked);
    let members = encoder.minimal()?;
    Ok(members.map(|members| members.into_iter().map(i8::from).collect()))
}

/// Whether a transition of an instance is one of the dropped interactions.
pub(crate) fn is_dead(net: &Net, dead: &DeadInteractions, transition: &NetTransition) -> bool {
    let Some(interaction) = transition.interaction else { return false };
    dead.of(transition.rule, interaction).is_some_and(|dropped| {
        let component_type = |m: &paramcheck_nets::instance::net::Move| -> TypeId {
            net.components()[m.component].component_type
        };
        dropped.iter().any(|combination| {
            combination
                .iter()
                .zip(&transition.moves)
                .all(|(&(component, id), m)| component == component_type(m) && id == m.transition)
        })
    })
}

impl<'a> Encoder<'a> {
    fn new(budget: &'a Budget) -> Self {
        Encoder {
            solver: Solver::new(SolverOpts::default(), Watch(budget)),
            budget,
            made: 0,
            stopped: None,
            members: vec![],
            scratch: vec![],
        }
    }

    /// Why the run must end, if it must.
    fn check(&self) -> Result<(), Stop> {
        self.stopped.map_or(Ok(()), Err)
    }

    /// Counts one more clause or variable; whether it may be made. Where the run must end, what follows is
    /// quick, until somebody looks ([`Encoder::check`]).
    fn may_go_on(&mut self) -> bool {
        if self.made.is_multiple_of(MADE_PER_CHECK) && self.stopped.is_none() {
            self.stopped = self.budget.check().err();
        }
        self.made = self.made.wrapping_add(1);
        self.stopped.is_none()
    }

    /// A variable that is better false.
    fn member(&mut self) -> Lit {
        self.variable(lbool::FALSE)
    }

    /// A new variable; none where the run must end.
    fn variable(&mut self, better: lbool) -> Lit {
        if self.may_go_on() { Lit::new(self.solver.new_var(better, true), true) } else { Lit::UNDEF }
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        if !self.may_go_on() {
            return;
        }
        self.scratch.clear();
        self.scratch.extend(literals);
        self.solver.add_clause_reuse(&mut self.scratch);
    }

    fn fresh(&mut self) -> Lit {
        self.variable(lbool::UNDEF)
    }

    /// Literals o₁ … o_cap with o_j true iff at least j of `literals` are.
    fn counter(&mut self, literals: &[Lit], cap: usize) -> Vec<Lit> {
        let mut sums: Vec<Lit> = Vec::new();
        for &literal in literals {
            let height = (sums.len() + 1).min(cap);
            let mut next = Vec::with_capacity(height);
            for j in 0..height {
                let same = sums.get(j).copied();
                let below = j.checked_sub(1).map(|below| sums[below]);
                next.push(self.step(literal, same, below));
            }
            sums = next;
        }
        while sums.len() < cap {
            let never = self.fresh();
            self.clause([!never]);
            sums.push(never);
        }
        sums
    }

    /// o ⇔ same ∨ (below ∧ literal), where `same` missing is false and `below` missing is true.
    fn step(&mut self, literal: Lit, same: Option<Lit>, below: Option<Lit>) -> Lit {
        if same.is_none() && below.is_none() {
            return literal;
        }
        let out = self.fresh();
        if let Some(same) = same {
            self.clause([!same, out]);
        }
        self.clause([!literal, out].into_iter().chain(below.map(|below| !below)));
        self.clause([!out, literal].into_iter().chain(same));
        if let Some(below) = below {
            self.clause([!out, below].into_iter().chain(same));
        }
        out
    }

    /// A literal that is the exclusive or of `literals`.
    fn parity(&mut self, literals: &[Lit]) -> Lit {
        let mut sum: Option<Lit> = None;
        for &literal in literals {
            sum = Some(match sum {
                None => literal,
                Some(sum) => {
                    let out = self.fresh();
                    self.clause([!out, sum, literal]);
                    self.clause([!out, !sum, !literal]);
                    self.clause([out, !sum, literal]);
                    self.clause([out, sum, !literal]);
                    out
                }
            });
        }
        sum.unwrap_or_else(|| {
            let never = self.fresh();
            self.clause([!never]);
            never
        })
    }

    /// The condition on a transition (design table; `InvariantKind::admits_transition`).
    fn transition(&mut self, kind: InvariantKind, pre: &[Lit], post: &[Lit]) {
        match kind {
            InvariantKind::AtLeast(1) => {
                for &taken in pre {
                    self.clause(post.iter().copied().chain([!taken]));
                }
            }
            InvariantKind::AtMost(0) => {
                for &given in post {
                    self.clause(pre.iter().copied().chain([!given]));
                }
            }
            InvariantKind::AtLeast(c) => {
                let (taken, given) = (self.counter(pre, c.into()), self.counter(post, c.into()));
                for (taken, given) in taken.into_iter().zip(given) {
                    self.clause([!taken, given]);
                }
            }
            InvariantKind::Exactly(c) | InvariantKind::AtMost(c) => {
                let cap = usize::from(c) + 1;
                let (taken, given) = (self.counter(pre, cap), self.counter(post, cap));
                let over = taken[cap - 1];
                for j in 0..cap {
                    self.clause([over, !given[j], taken[j]]);
                    if matches!(kind, InvariantKind::Exactly(_)) {
                        self.clause([over, !taken[j], given[j]]);
                    }
                }
            }
            // Not here, but in `weighted`.
            InvariantKind::Linear(_) | InvariantKind::Modulo(_) => {}
            InvariantKind::Parity => {
                let both: Vec<Lit> = pre.iter().chain(post).copied().collect();
                let odd = self.parity(&both);
                self.clause([!odd]);
            }
        }
    }

    /// The conditions on the initial marking and on the marking to refute.
    fn refutes(&mut self, kind: InvariantKind, initial: &[Lit], marked: &[Lit]) {
        match kind {
            InvariantKind::AtLeast(c) => {
                let c = usize::from(c);
                let (first, now) = (self.counter(initial, c), self.counter(marked, c));
                self.clause([first[c - 1]]);
                self.clause([!now[c - 1]]);
            }
            InvariantKind::Exactly(c) => {
                let c = usize::from(c);
                let (first, now) = (self.counter(initial, c + 1), self.counter(marked, c + 1));
                self.clause([first[c - 1]]);
                self.clause([!first[c]]);
                self.clause([!now[c - 1], now[c]]);
            }
            InvariantKind::AtMost(c) => {
                let c = usize::from(c);
                let (first, now) = (self.counter(initial, c + 1), self.counter(marked, c + 1));
                self.clause([!first[c]]);
                self.clause([now[c]]);
            }
            InvariantKind::Linear(_) | InvariantKind::Modulo(_) => {}
            InvariantKind::Parity => {
                let both: Vec<Lit> = initial.iter().chain(marked).copied().collect();
                let odd = self.parity(&both);
                self.clause([odd]);
            }
        }
    }

    /// A solution no proper subset of which is one: which of the members are true.
    fn minimal(mut self) -> Result<Option<Vec<bool>>, Stop> {
        let mut best: Option<Vec<bool>> = None;
        let mut assumptions: Vec<Lit> = Vec::new();
        loop {
            self.check()?;
            self.budget.check()?;
            let answer = self.solver.solve_limited(&assumptions);
            if answer == lbool::UNDEF {
                self.budget.check()?;
                // The solver gave up by itself: what was found so far is still right.
                return Ok(best);
            }
            if answer == lbool::FALSE {
                return Ok(best);
            }
            let members: Vec<bool> =
                self.members.iter().map(|&place| self.solver.value_lit(place) == lbool::TRUE).collect();
            // Next time: nothing new, and one of these gone.
            let smaller = self.fresh();
            let inside = self.members.iter().zip(&members).filter(|(_, member)| **member);
            let clause: Vec<Lit> = inside.map(|(&place, _)| !place).chain([!smaller]).collect();
            self.clause(clause);
            assumptions = self
                .members
                .iter()
                .zip(&members)
                .filter(|(_, member)| !**member)
                .map(|(&place, _)| !place)
                .chain([smaller])
                .collect();
            best = Some(members);
        }
    }
}

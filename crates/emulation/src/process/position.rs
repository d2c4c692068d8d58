//! Control points (positions): what is left to do of an agent or operand, in every way that it can come
//! about. (Not places: those are a Petri net's.)
//!
//! A position is a term (what comes next), the scope that it stands in (operand, restrictions, relabellings)
//! and a continuation (what comes after): equal ones are one, so recursion in tail position comes back to
//! where it was. Walks have no recursion; constants, sequences and restrictions may be nested as deep as they
//! like.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{NotEncoded, Work};
use crate::triple::{CounterId, OfferId};
use paramcheck_process::model::{
    LabelId, RelabellingId, RestrictionId, SynchronisationId, System, Term, TermId, tau,
};
use paramcheck_text::index::{Idx, IndexVec};

paramcheck_text::define_index! {
    /// A position, a control point of an agent or operand.
    pub(crate) struct PositionId;
    /// A scope.
    pub(crate) struct ScopeId;
    /// A continuation.
    pub(crate) struct ContinuationId;
}

/// The continuation after which nothing comes.
pub(crate) fn stop() -> ContinuationId {
    ContinuationId::new(0)
}

/// What happens to the triples of a scope before they are put among those of the scope around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    /// They are combined with those of other operands.
    Operand,
    /// Some are taken away.
    Restrict(RestrictionId),
    /// Labels change.
    Relabel(RelabellingId),
}

/// An operand or agent, or a restriction or relabelling within one. A scope comes before those within it.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The counter of its operand or agent.
    pub(crate) counter: CounterId,
    /// What is done with its triples.
    pub(crate) operator: Operator,
    /// The positions whose triples belong here.
    pub(crate) positions: Vec<PositionId>,
    /// Restrictions and relabellings within.
    pub(crate) inner: Vec<ScopeId>,
}

/// What comes after: a term in a scope, and what comes after that; or nothing.
type Continuation = Option<(TermId, ScopeId, ContinuationId)>;

/// What is done in a position.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Nothing: it has terminated.
    End,
    /// One of these actions, each with an id of its own.
    Act(Vec<(LabelId, PositionId)>),
    /// What one of these positions does, at least two.
    Choice(Vec<PositionId>),
    /// What operands do side by side, then, joined, what the position behind does.
    Parallel {
        /// How they synchronise.
        synchronisation: SynchronisationId,
        /// Where each operand begins; `None` if it has terminated.
        operands: Vec<Option<(ScopeId, PositionId)>>,
        /// Where the join goes.
        next: PositionId,
    },
}

/// A position.
#[derive(Debug)]
pub(crate) struct Position {
    /// What is at it.
    pub(crate) counter: CounterId,
    /// What is done in it.
    pub(crate) kind: Kind,
    /// [`Kind::Act`]: one per action. [`Kind::Parallel`]: the id of the composition. [`Kind::End`] of an
    /// operand: the id for "has terminated".
    pub(crate) offers: Vec<OfferId>,
    /// Whether it is an alternative of a choice.
    pub(crate) is_alternative: bool,
    /// Of a parallel composition that is an alternative: the copies of its initial triples.
    pub(crate) copies: Vec<OfferId>,
    /// For its name: the term that it was first reached by.
    pub(crate) term: TermId,
    /// For its name: what came after that term.
    pub(crate) continuation: ContinuationId,
}

/// An element of the program counter.
#[derive(Debug)]
pub(crate) struct CounterDraft {
    /// The agent that it belongs to.
    pub(crate) agent: u32,
    /// The counter of the parallel composition that it is an operand of; `None` for an agent's own.
    pub(crate) parent: Option<CounterId>,
    /// Where it has terminated.
    pub(crate) end: PositionId,
}

/// All positions found so far.
pub(crate) struct Positions<'a> {
    /// The process.
    pub(crate) system: &'a System,
    is_terminated: &'a IndexVec<TermId, bool>,
    /// All of them.
    pub(crate) positions: IndexVec<PositionId, Position>,
    ids: FxHashMap<(TermId, ScopeId, ContinuationId), PositionId>,
    /// What each position is, until it is looked at.
    keys: IndexVec<PositionId, Option<(TermId, ScopeId, ContinuationId)>>,
    /// All scopes, outer ones first.
    pub(crate) scopes: IndexVec<ScopeId, Scope>,
    operators: FxHashMap<(ScopeId, Operator), ScopeId>,
    /// All continuations; the first is [`stop`].
    pub(crate) continuations: IndexVec<ContinuationId, Continuation>,
    continuation_ids: FxHashMap<(TermId, ScopeId, ContinuationId), ContinuationId>,
    /// The program counter.
    pub(crate) counters: IndexVec<CounterId, CounterDraft>,
    /// How many ids there are.
    offers: u32,
}

impl<'a> Positions<'a> {
    /// None yet. `is_terminated` is about the terms of `system`.
    pub(crate) fn new(system: &'a System, is_terminated: &'a IndexVec<TermId, bool>) -> Self {
        Positions {
            system,
            is_terminated,
            positions: IndexVec::new(),
            ids: FxHashMap::default(),
            keys: IndexVec::new(),
            scopes: IndexVec::new(),
            operators: FxHashMap::default(),
            continuations: std::iter::once(None).collect(),
            continuation_ids: FxHashMap::default(),
            counters: IndexVec::new(),
            offers: 0,
        }
    }

    /// A new id.
    pub(crate) fn offer(&mut self) -> OfferId {
        self.offers += 1;
        OfferId(self.offers)
    }

    /// All positions of an agent: its scope, and where it begins.
    pub(crate) fn agent(
        &mut self,
        agent: u32,
        term: TermId,
        work: &mut Work<'_>,
    ) -> Result<(ScopeId, PositionId), NotEncoded> {
        let mut next = self.positions.len();
        let scope = self.operand(agent, None, work)?;
        let first = self.resolve(term, scope, stop(), work)?;
        while next < self.positions.len() {
            self.expand(PositionId::new(next), agent, work)?;
            next += 1;
        }
        Ok((scope, first))
    }

    /// A new counter and the scope of what it counts.
    fn operand(
        &mut self,
        agent: u32,
        parent: Option<CounterId>,
        work: &mut Work<'_>,
    ) -> Result<ScopeId, NotEncoded> {
        work.conditions(1)?;
        let counter = CounterId::new(self.counters.len());
        // No join waits for an agent.
        let offers = if parent.is_some() { vec![self.offer()] } else { Vec::new() };
        let end = self.positions.push(Position {
            counter,
            kind: Kind::End,
            offers,
            is_alternative: false,
            copies: Vec::new(),
            term: TermId::new(0),
            continuation: stop(),
        });
        self.keys.push(None);
        self.counters.push(CounterDraft { agent, parent, end });
        Ok(self.scope(counter, Operator::Operand))
    }

    fn scope(&mut self, counter: CounterId, operator: Operator) -> ScopeId {
        self.scopes.push(Scope { counter, operator, positions: Vec::new(), inner: Vec::new() })
    }

    /// The scope of an operator within a scope.
    fn within(
        &mut self,
        outer: ScopeId,
        operator: Operator,
        work: &mut Work<'_>,
    ) -> Result<ScopeId, NotEncoded> {
        if let Some(id) = self.operators.get(&(outer, operator)) {
            return Ok(*id);
        }
        work.conditions(1)?;
        let id = self.scope(self.scopes[outer].counter, operator);
        self.scopes[outer].inner.push(id);
        self.operators.insert((outer, operator), id);
        Ok(id)
    }

    fn then(
        &mut self,
        term: TermId,
        scope: ScopeId,
        next: ContinuationId,
        work: &mut Work<'_>,
    ) -> Result<ContinuationId, NotEncoded> {
        let key = (term, scope, next);
        if let Some(id) = self.continuation_ids.get(&key) {
            return Ok(*id);
        }
        work.conditions(1)?;
        let id = self.continuations.push(Some(key));
        self.continuation_ids.insert(key, id);
        Ok(id)
    }

    /// Goes on to what acts, branches or runs side by side; or to the end, which has no term.
    fn walk(
        &mut self,
        mut term: TermId,
        mut scope: ScopeId,
        mut next: ContinuationId,
        work: &mut Work<'_>,
    ) -> Result<(Option<TermId>, ScopeId, ContinuationId), NotEncoded> {
        let system = self.system;
        loop {
            work.step()?;
            if self.is_terminated[term] {
                // What has terminated hands over at once.
                match self.continuations[next] {
                    None => return Ok((None, scope, next)),
                    Some(after) => (term, scope, next) = after,
                }
                continue;
            }
            match &system.terms[term] {
                Term::Constant(constant) => term = system.constants[*constant].body,
                Term::Sequence(first, second) if self.is_terminated[*first] => term = *second,
                Term::Sequence(first, second) => {
                    if !self.is_terminated[*second] {
                        next = self.then(*second, scope, next, work)?;
                    }
                    term = *first;
                }
                Term::Restrict(inside, set) => {
                    scope = self.within(scope, Operator::Restrict(*set), work)?;
                    term = *inside;
                }
                Term::Relabel(inside, map) => {
                    scope = self.within(scope, Operator::Relabel(*map), work)?;
                    term = *inside;
                }
                Term::Choice(parts) => {
                    // A terminated operand is no alternative.
                    let mut alive = parts.iter().filter(|part| !self.is_terminated[**part]);
                    match (alive.next(), alive.next()) {
                        (Some(only), None) => term = *only,
                        _ => return Ok((Some(term), scope, next)),
                    }
                }
                Term::Nil
                | Term::Prefix(..)
                | Term::InternalChoice(_)
                | Term::Loop(_)
                | Term::Parallel(..) => return Ok((Some(term), scope, next)),
            }
        }
    }

    /// The position of a term before a continuation.
    fn resolve(
        &mut self,
        term: TermId,
        scope: ScopeId,
        next: ContinuationId,
        work: &mut Work<'_>,
    ) -> Result<PositionId, NotEncoded> {
        let (mut named, mut after) = (term, next);
        while self.is_terminated[named] {
            work.step()?;
            let Some((following, _, rest)) = self.continuations[after] else { break };
            (named, after) = (following, rest);
        }
        let (term, scope, next) = self.walk(term, scope, next, work)?;
        let counter = self.scopes[scope].counter;
        let Some(term) = term else { return Ok(self.counters[counter].end) };
        let key = (term, scope, next);
        if let Some(id) = self.ids.get(&key) {
            return Ok(*id);
        }
        work.conditions(1)?;
        let id = self.positions.push(Position {
            counter,
            kind: Kind::End,
            offers: Vec::new(),
            is_alternative: false,
            copies: Vec::new(),
            term: named,
            continuation: after,
        });
        self.keys.push(Some(key));
        self.ids.insert(key, id);
        self.scopes[scope].positions.push(id);
        Ok(id)
    }

    /// Finds out what a position does.
    fn expand(&mut self, id: PositionId, agent: u32, work: &mut Work<'_>) -> Result<(), NotEncoded> {
        let Some((term, scope, next)) = self.keys[id] else { return Ok(()) };
        let system = self.system;
        let kind = match &system.terms[term] {
            Term::Prefix(label, rest) => Kind::Act(vec![(*label, self.resolve(*rest, scope, next, work)?)]),
            Term::InternalChoice(parts) => {
                let mut actions = Vec::with_capacity(parts.len());
                for part in parts {
                    actions.push((tau(), self.resolve(*part, scope, next, work)?));
                }
                Kind::Act(actions)
            }
            Term::Loop(inside) => {
                let again = self.then(term, scope, next, work)?;
                let leave = self.resolve(TermId::new(0), scope, next, work)?;
                Kind::Act(vec![(tau(), leave), (tau(), self.resolve(*inside, scope, again, work)?)])
            }
            Term::Choice(_) => Kind::Choice(self.alternatives(term, scope, next, work)?),
            Term::Parallel(synchronisation, parts) => {
                let after = self.continuations[next];
                let next = match after {
                    None => self.counters[self.scopes[scope].counter].end,
                    Some((term, scope, next)) => self.resolve(term, scope, next, work)?,
                };
                let parent = self.scopes[scope].counter;
                let mut operands = Vec::with_capacity(parts.len());
                for part in parts {
                    operands.push(if self.is_terminated[*part] {
                        None
                    } else {
                        let operand = self.operand(agent, Some(parent), work)?;
                        Some((operand, self.resolve(*part, operand, stop(), work)?))
                    });
                }
                Kind::Parallel { synchronisation: *synchronisation, operands, next }
            }
            // A position is of no other term.
            Term::Nil | Term::Constant(_) | Term::Sequence(..) | Term::Restrict(..) | Term::Relabel(..) => {
                Kind::End
            }
        };
        let offers = match &kind {
            Kind::End | Kind::Choice(_) => 0,
            Kind::Act(actions) => actions.len(),
            Kind::Parallel { .. } => 1,
        };
        work.conditions(offers)?;
        self.positions[id].offers = (0..offers).map(|_| self.offer()).collect();
        self.positions[id].kind = kind;
        Ok(())
    }

    /// The positions that a choice is between; choices between choices are one.
    fn alternatives(
        &mut self,
        term: TermId,
        scope: ScopeId,
        next: ContinuationId,
        work: &mut Work<'_>,
    ) -> Result<Vec<PositionId>, NotEncoded> {
        let system = self.system;
        let mut found = Vec::new();
        // An alternative twice is one; without this, constants that double each other would be unfolded.
        let mut seen = FxHashSet::default();
        let mut todo = vec![(term, scope, next)];
        while let Some((term, scope, next)) = todo.pop() {
            let (Some(at), within, after) = self.walk(term, scope, next, work)? else { continue };
            if !seen.insert((at, within, after)) {
                continue;
            }
            if let Term::Choice(parts) = &system.terms[at] {
                work.conditions(parts.len())?;
                let alive = parts.iter().rev().filter(|part| !self.is_terminated[**part]);
                todo.extend(alive.map(|part| (*part, within, after)));
                continue;
            }
            work.conditions(1)?;
            let position = self.resolve(term, scope, next, work)?;
            self.positions[position].is_alternative = true;
            found.push(position);
        }
        Ok(found)
    }
}

impl Positions<'_> {
    /// What the counter of a position offers in it, ascending.
    pub(crate) fn own_offers(&self, id: PositionId) -> Vec<OfferId> {
        let position = &self.positions[id];
        let Kind::Choice(alternatives) = &position.kind else { return position.offers.clone() };
        let mut offers: Vec<OfferId> = alternatives
            .iter()
            .flat_map(|alternative| {
                let alternative = &self.positions[*alternative];
                match alternative.kind {
                    Kind::Parallel { .. } => &alternative.copies,
                    _ => &alternative.offers,
                }
            })
            .copied()
            .collect();
        offers.sort_unstable();
        offers.dedup();
        offers
    }

    /// Where the operands begin that are started when a position is reached.
    pub(crate) fn started_by(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        let operands = match &self.positions[id].kind {
            Kind::Parallel { operands, .. } => operands.as_slice(),
            _ => &[],
        };
        operands.iter().flatten().map(|(_, position)| *position)
    }
}

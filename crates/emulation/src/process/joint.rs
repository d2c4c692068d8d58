//! Triples of an agent, scope by scope: those of its positions, what operands do together, restrictions,
//! relabellings.

use rustc_hash::{FxHashMap, FxHashSet};

use super::position::{Kind, Operator, PositionId, Positions, ScopeId};
use super::{NotEncoded, Work};
use crate::algebra::{Algebra, Arity};
use crate::triple::{Action, CounterId, OfferId};
use paramcheck_process::model::{LabelId, RelabellingId, RestrictionId, SynchronisationId, System, tau};
use paramcheck_text::index::{Idx, IndexVec};

/// A triple whose exit condition is not yet one location per counter.
#[derive(Clone, Debug)]
pub(crate) struct Draft<X = PositionId> {
    /// The entry condition, ascending by counter.
    pub(crate) entry: Vec<(CounterId, OfferId)>,
    /// The action.
    pub(crate) action: Action,
    /// The positions to go to, one after the other: where two concern one counter, the last counts. (What the
    /// paper prints has other exits.)
    pub(crate) exit: Vec<X>,
    /// Who takes part, ascending.
    pub(crate) agents: Vec<u32>,
    /// For a `tau` of two actions: the one with the smaller id.
    pub(crate) via: Option<LabelId>,
    /// Of what several agents do together, the label of each; empty within an agent.
    pub(crate) parts: Vec<LabelId>,
}

impl<X> Draft<X> {
    /// The agents, with their labels.
    fn participants(&self) -> impl Iterator<Item = (u32, Option<LabelId>)> {
        self.agents.iter().enumerate().map(|(position, agent)| (*agent, self.parts.get(position).copied()))
    }

    pub(crate) fn label(&self) -> Option<LabelId> {
        match self.action {
            Action::Step(label) => Some(label),
            Action::Start | Action::Join => None,
        }
    }
}

/// What is taken away and renamed, and which labels are each other's co-actions.
pub(crate) struct Operators<'a> {
    system: &'a System,
    complements: IndexVec<LabelId, Option<LabelId>>,
}

impl<'a> Operators<'a> {
    pub(crate) fn new(system: &'a System) -> Self {
        Operators { system, complements: system.complements() }
    }

    /// `P \ {…}`, of the triples of P. λ can't be forbidden.
    pub(crate) fn restrict<X>(&self, set: RestrictionId, triples: &mut Vec<Draft<X>>) {
        let forbidden = &self.system.restrictions[set];
        triples.retain(|triple| triple.label().is_none_or(|label| forbidden.binary_search(&label).is_err()));
    }

    /// `P[…]`, of the triples of P.
    pub(crate) fn relabel<X>(&self, map: RelabellingId, triples: &mut [Draft<X>]) {
        let names = &self.system.relabellings[map];
        for triple in triples {
            if let Some(new) = triple.label().and_then(|label| names.get(&label)) {
                triple.action = Action::Step(*new);
            }
        }
    }

    /// The triples of operands side by side, from theirs: first what they may do alone, then what together.
    /// (Algorithm 1 for `|[…]|`, and pairs for `|`. λ goes alone, so joins within operands stay.)
    pub(crate) fn parallel<X: Clone>(
        &self,
        synchronisation: SynchronisationId,
        operands: Vec<Vec<Draft<X>>>,
        work: &mut Work<'_>,
    ) -> Result<Vec<Draft<X>>, NotEncoded> {
        let kind = &self.system.synchronisations[synchronisation];
        let algebra = Algebra::new(self.system, &self.complements, kind);
        let joint = match algebra.arity() {
            Arity::Two => pairs(&algebra, &operands, work)?,
            Arity::All => all_together(&algebra, &operands, work)?,
        };
        let mut result = Vec::new();
        for mut triple in operands.into_iter().flatten() {
            work.step()?;
            if let Some(action) = algebra.alone(triple.action) {
                triple.action = action;
                result.push(triple);
            }
        }
        result.extend(joint);
        Ok(result)
    }
}

/// Every two triples of different operands that go together.
fn pairs<X: Clone>(
    algebra: &Algebra<'_>,
    operands: &[Vec<Draft<X>>],
    work: &mut Work<'_>,
) -> Result<Vec<Draft<X>>, NotEncoded> {
    let mut by_label: FxHashMap<LabelId, Vec<(usize, &Draft<X>)>> = FxHashMap::default();
    let mut result = Vec::new();
    // Each triple is paired with those before it, so each pair comes up once.
    for (operand, triples) in operands.iter().enumerate() {
        for triple in triples {
            work.step()?;
            let Some(label) = triple.label() else { continue };
            let Some((partner, joint)) = algebra.partner(label) else { continue };
            let before = by_label.get(&partner).map_or(&[][..], Vec::as_slice);
            for (_, other) in before.iter().filter(|(other, _)| *other != operand) {
                result.push(both(other, triple, joint, work)?);
            }
            by_label.entry(label).or_default().push((operand, triple));
        }
    }
    Ok(result)
}

/// Every tuple of one triple of each operand that all go together.
fn all_together<X: Clone>(
    algebra: &Algebra<'_>,
    operands: &[Vec<Draft<X>>],
    work: &mut Work<'_>,
) -> Result<Vec<Draft<X>>, NotEncoded> {
    let Some((first, others)) = operands.split_first() else { return Ok(Vec::new()) };
    let has_partner = |triple: &&Draft<X>| triple.label().and_then(|label| algebra.partner(label)).is_some();
    let mut result: Vec<Draft<X>> = first.iter().filter(has_partner).cloned().collect();
    for triples in others {
        let mut by_label: FxHashMap<LabelId, Vec<&Draft<X>>> = FxHashMap::default();
        for triple in triples {
            work.step()?;
            if let Some(label) = triple.label() {
                by_label.entry(label).or_default().push(triple);
            }
        }
        let mut longer = Vec::new();
        for triple in &result {
            work.step()?;
            let Some((partner, joint)) = triple.label().and_then(|label| algebra.partner(label)) else {
                continue;
            };
            for other in by_label.get(&partner).into_iter().flatten() {
                longer.push(both(triple, other, joint, work)?);
            }
        }
        result = longer;
    }
    Ok(result)
}

/// Two triples at once, as `label`.
fn both<X: Clone>(
    one: &Draft<X>,
    other: &Draft<X>,
    label: LabelId,
    work: &mut Work<'_>,
) -> Result<Draft<X>, NotEncoded> {
    work.triple()?;
    work.conditions(one.entry.len() + other.entry.len() + one.exit.len() + other.exit.len())?;
    let mut entry = [one.entry.as_slice(), &other.entry].concat();
    entry.sort_unstable();
    let mut participants: Vec<(u32, Option<LabelId>)> =
        one.participants().chain(other.participants()).collect();
    participants.sort_unstable();
    participants.dedup_by_key(|(agent, _)| *agent);
    let synchronised = if label == tau() { one.label().min(other.label()) } else { None };
    Ok(Draft {
        entry,
        action: Action::Step(label),
        exit: [one.exit.as_slice(), &other.exit].concat(),
        agents: participants.iter().map(|(agent, _)| *agent).collect(),
        parts: participants.iter().filter_map(|(_, label)| *label).collect(),
        via: synchronised.or(one.via).or(other.via),
    })
}

/// The triples of an agent, whose scope is `scope` and whose positions have been found just now.
pub(crate) fn of_agent(
    operators: &Operators<'_>,
    positions: &mut Positions<'_>,
    scope: ScopeId,
    agent: u32,
    work: &mut Work<'_>,
) -> Result<Vec<Draft>, NotEncoded> {
    let first = scope.index();
    let done = vec![Vec::new(); positions.scopes.len() - first];
    Builder { operators, positions, work, agent, first, done }.run()
}

/// Makes the triples of one agent, scope by scope.
struct Builder<'b, 'w, 'o, 's> {
    operators: &'b Operators<'o>,
    positions: &'b mut Positions<'s>,
    work: &'b mut Work<'w>,
    agent: u32,
    /// The position of the agent's own scope among all; those within come after it.
    first: usize,
    /// Per scope its triples, until they are moved into the scope around it.
    done: Vec<Vec<Draft>>,
}

impl Builder<'_, '_, '_, '_> {
    fn run(mut self) -> Result<Vec<Draft>, NotEncoded> {
        // Inner scopes come later, so they are made first.
        for position in (self.first..self.positions.scopes.len()).rev() {
            let scope = ScopeId::new(position);
            let mut triples = Vec::new();
            for position in std::mem::take(&mut self.positions.scopes[scope].positions) {
                self.of_position(position, &mut triples)?;
            }
            for inner in &self.positions.scopes[scope].inner {
                triples.append(&mut self.done[inner.index() - self.first]);
            }
            self.work.step()?;
            match self.positions.scopes[scope].operator {
                Operator::Operand => {}
                Operator::Restrict(set) => self.operators.restrict(set, &mut triples),
                Operator::Relabel(map) => self.operators.relabel(map, &mut triples),
            }
            self.done[position - self.first] = triples;
        }
        Ok(self.done.into_iter().next().unwrap_or_default())
    }

    /// Adds the triples of a position.
    fn of_position(&mut self, id: PositionId, triples: &mut Vec<Draft>) -> Result<(), NotEncoded> {
        let position = &self.positions.positions[id];
        let (counter, agents) = (position.counter, vec![self.agent]);
        match &position.kind {
            Kind::End | Kind::Choice(_) => {}
            Kind::Act(actions) => {
                for ((label, target), offer) in actions.iter().zip(&position.offers) {
                    self.work.triple()?;
                    triples.push(Draft {
                        entry: vec![(counter, *offer)],
                        action: Action::Step(*label),
                        exit: vec![*target],
                        agents: agents.clone(),
                        via: None,
                        parts: Vec::new(),
                    });
                }
            }
            Kind::Parallel { synchronisation, operands, next } => {
                let (synchronisation, next) = (*synchronisation, *next);
                let mut entry: Vec<(CounterId, OfferId)> =
                    position.offers.iter().map(|offer| (counter, *offer)).collect();
                let mut of_operands = Vec::with_capacity(operands.len());
                let mut begin = Vec::with_capacity(operands.len());
                for (scope, start) in operands.iter().flatten() {
                    of_operands.push(std::mem::take(&mut self.done[scope.index() - self.first]));
                    let counter = self.positions.scopes[*scope].counter;
                    let end = &self.positions.positions[self.positions.counters[counter].end];
                    entry.extend(end.offers.iter().map(|offer| (counter, *offer)));
                    begin.push(*start);
                }
                // Those that have terminated have no triples, and synchronise with none.
                of_operands.resize(operands.len(), Vec::new());
                let own = self.operators.parallel(synchronisation, of_operands, self.work)?;
                if self.positions.positions[id].is_alternative {
                    self.copies(id, begin, &own, triples)?;
                }
                triples.extend(own);
                self.work.triple()?;
                self.work.conditions(entry.len())?;
                entry.sort_unstable();
                triples.push(Draft {
                    entry,
                    action: Action::Join,
                    exit: vec![next],
                    agents,
                    via: None,
                    parts: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// Copies of the initial triples of a parallel composition that is an alternative: each is offered by the
    /// counter of the choice, and starts the other operands too. `begin` is where operands begin, `own` has
    /// the triples of the composition.
    fn copies(
        &mut self,
        id: PositionId,
        begin: Vec<PositionId>,
        own: &[Draft],
        triples: &mut Vec<Draft>,
    ) -> Result<(), NotEncoded> {
        let mut offered: FxHashSet<OfferId> = FxHashSet::default();
        let mut todo = begin;
        while let Some(position) = todo.pop() {
            self.work.conditions(1)?;
            offered.extend(self.positions.own_offers(position));
            todo.extend(self.positions.started_by(position));
        }
        let counter = self.positions.positions[id].counter;
        for triple in own {
            self.work.step()?;
            if !triple.entry.iter().all(|(_, offer)| offered.contains(offer)) {
                continue;
            }
            self.work.triple()?;
            self.work.conditions(triple.exit.len())?;
            let offer = self.positions.offer();
            self.positions.positions[id].copies.push(offer);
            triples.push(Draft {
                entry: vec![(counter, offer)],
                action: triple.action,
                exit: std::iter::once(id).chain(triple.exit.iter().copied()).collect(),
                agents: vec![self.agent],
                via: triple.via,
                parts: Vec::new(),
            });
        }
        Ok(())
    }
}

//! Program counters of agents as counters of a structure, and what joins operands that have ended.

use std::ops::Range;

use paramcheck_labs::model::{KindId, System};
use paramcheck_text::index::{Idx, IndexVec};

use crate::Structure;
use crate::expression::Expression;
use crate::labs::triples;
use crate::triple::{Action, Agent, Counter, CounterId, Location, LocationId, OfferId, Triple};

use super::terms::TRUE;

/// The counters of an agent.
pub(super) struct Counters {
    /// The position of the first one.
    first: usize,
    /// Per triple of the agent where it is offered.
    pub(super) entries: Vec<(CounterId, OfferId)>,
    /// Per triple the locations at which it is offered.
    pub(super) places: Vec<Vec<LocationId>>,
}

impl Counters {
    /// The counter of a component.
    pub(super) fn of(&self, component: usize) -> CounterId {
        CounterId::new(self.first + component)
    }
}

/// Adds counters and agents for all agents to a structure; `title` says what a triple of a kind does. Join
/// triples are given back, for they come behind all others.
pub(super) fn counters(
    system: &System,
    kinds: &IndexVec<KindId, triples::Structure>,
    title: impl Fn(KindId, triples::TripleId) -> String,
    structure: &mut Structure,
) -> (Vec<Counters>, Vec<Triple>) {
    let mut next = 1u32;
    let mut take = |count: usize| -> Range<u32> {
        let begin = next;
        next += u32::try_from(count).unwrap_or(0);
        begin..next
    };
    let mut all = Vec::new();
    let mut joins = Vec::new();
    for (agent, kind) in system.agents.enumerate() {
        let own = &kinds[*kind];
        let first = structure.counters.len();
        let number = u32::try_from(agent.index()).unwrap_or(0);
        let name = system.agent_name(agent);
        structure.agents.push(Agent { name: name.clone(), counter: CounterId::new(first) });
        let offers: Vec<OfferId> = take(own.triples.len()).map(OfferId).collect();
        let done: Vec<OfferId> = take(own.components.len()).map(OfferId).collect();
        let mut places: Vec<Vec<LocationId>> = vec![Vec::new(); own.triples.len()];
        let mut own_joins = Vec::new();
        for (id, component) in own.components.enumerate() {
            let counter = CounterId::new(first + id.index());
            let mut locations = IndexVec::new();
            for (at, location) in component.locations.enumerate() {
                let is_final = at.index() == 0;
                let mut offered: Vec<OfferId> =
                    location.offers.iter().map(|one| offers[one.index()]).collect();
                location.offers.iter().for_each(|one| places[one.index()].push(LocationId::new(at.index())));
                if is_final && component.parent.is_some() {
                    offered.push(done[id.index()]);
                }
                if let Some(joined) = location.joined {
                    let offer = take(1).map(OfferId).next().unwrap_or(OfferId(0));
                    offered.push(offer);
                    let mut entry = vec![(counter, offer)];
                    entry.extend(
                        component
                            .children
                            .iter()
                            .map(|child| (CounterId::new(first + child.index()), done[child.index()])),
                    );
                    entry.sort_unstable();
                    own_joins.push((
                        depth(own, id),
                        Triple {
                            entry,
                            guard: TRUE,
                            action: Action::Join,
                            assignments: Vec::new(),
                            exit: vec![(counter, LocationId::new(joined.index()))],
                            agents: vec![number],
                            via: None,
                            parts: Vec::new(),
                        },
                    ));
                }
                offered.sort_unstable();
                offered.dedup();
                let name = match (is_final, location.joined) {
                    (true, _) => "ended".to_owned(),
                    (_, Some(_)) => format!("{}: while operands run", at.index()),
                    _ => {
                        let what = location.offers.iter().map(|one| title(*kind, *one));
                        let what: String = itertools::join(what, " ++ ").chars().take(80).collect();
                        format!("{}: {}", at.index(), if what.is_empty() { "Nil" } else { &what })
                    }
                };
                locations.push(Location { offers: offered, is_final, name });
            }
            let is_own = component.parent.is_none();
            structure.counters.push(Counter {
                name: if is_own { name.clone() } else { format!("{name}.{}", id.index()) },
                agent: number,
                parent: component.parent.map(|parent| CounterId::new(first + parent.index())),
                locations,
                initial: LocationId::new(if is_own { own.initial.index() } else { 0 }),
            });
        }
        // Inner compositions end before those around them.
        own_joins.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        joins.extend(own_joins.into_iter().map(|(_, triple)| triple));
        let entry = |(triple, offer): (&triples::Triple, &OfferId)| {
            (CounterId::new(first + triple.component.index()), *offer)
        };
        let entries = own.triples.iter().zip(&offers).map(entry).collect();
        all.push(Counters { first, entries, places });
    }
    (all, joins)
}

fn depth(own: &triples::Structure, component: triples::ComponentId) -> usize {
    let mut depth = 0;
    let mut at = component;
    while let Some(parent) = own.components[at].parent {
        depth += 1;
        at = parent;
    }
    depth
}

impl Counters {
    /// That a triple is offered.
    pub(super) fn is_offered(&self, triple: usize) -> Expression {
        Expression::At(self.entries[triple].0, self.places[triple].clone())
    }
}

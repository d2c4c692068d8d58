//! Systems of agents of LAbS: what agents of each kind do as automata, and a [`run`](mod@run) as a chart.
//!
//! The automata are those of the triples: one for each kind, and one for each operand of `||` in it. A state is
//! a location, a transition a triple, with its guard and action. While operands run the kind is in one state,
//! which names them, and which an arrow `λ join` leaves when all have ended. Long guards and actions stand in a
//! legend, by the numbers of the triples in `emulate`.

use super::automata::{Automaton, State, draw_all};
use super::dot::all_automata;
use super::process::JOIN;
use super::{MAX_STATES, TooLarge};
use paramcheck_emulation::labs::triples::{
    ComponentId, LocationId, Structure, Texts, Triple, TripleId, counters,
};
use paramcheck_labs::model::KindId;
use paramcheck_text::index::{Idx, IndexVec};

pub mod run;

/// No picture of more automata is drawn.
const MAX_AUTOMATA: usize = 60;
/// The longest guard and action that stand at an arrow, in letters. With a longer one all of the automaton stand in
/// a legend.
const MAX_LABEL: usize = 30;

/// The picture of the agents of all kinds.
///
/// # Errors
/// There is too much to draw.
pub fn agents(texts: Texts<'_>, all: &IndexVec<KindId, Structure>, name: &str) -> Result<String, TooLarge> {
    let automata = automata(texts, all);
    TooLarge::check("kinds and operands", automata.len(), MAX_AUTOMATA)?;
    for one in &automata {
        TooLarge::check("states of one kind or operand", one.states.len(), MAX_STATES)?;
    }
    Ok(draw_all(&format!("{name}: agents"), &automata))
}

/// The same for Graphviz, however much it is.
pub fn dot(texts: Texts<'_>, all: &IndexVec<KindId, Structure>, name: &str) -> String {
    all_automata(name, &automata(texts, all))
}

fn automata(texts: Texts<'_>, all: &IndexVec<KindId, Structure>) -> Vec<Automaton> {
    let mut automata = Vec::new();
    for (kind, structure) in all.enumerate() {
        let names = counters(texts.system, kind, structure);
        for component in structure.components.indices() {
            automata.push(Part { texts, kind, structure, names: &names, component }.drawn());
        }
    }
    automata
}

/// A component of a kind.
struct Part<'a> {
    texts: Texts<'a>,
    kind: KindId,
    structure: &'a Structure,
    names: &'a [String],
    component: ComponentId,
}

impl Part<'_> {
    /// Where the component goes by a triple that it offers.
    fn target(&self, triple: &Triple) -> Option<LocationId> {
        let own = triple.exit.iter().find(|(component, _)| *component == self.component);
        own.map(|(_, location)| *location)
    }

    /// Where it begins: the agent itself where it does; an operand where others start it.
    fn initial(&self) -> Vec<LocationId> {
        if self.component.index() == 0 {
            return vec![self.structure.initial];
        }
        let parent = self.structure.components[self.component].parent;
        let starts = self
            .structure
            .triples
            .iter()
            .filter(|triple| Some(triple.component) == parent && triple.acting != self.component);
        let mut initial: Vec<LocationId> = starts.filter_map(|triple| self.target(triple)).collect();
        initial.sort_unstable();
        initial.dedup();
        initial
    }

    /// The triples offered at a location.
    fn offers(&self, location: LocationId) -> impl Iterator<Item = (TripleId, &Triple)> {
        let known = &self.structure.components[self.component].locations[location];
        known.offers.iter().map(|id| (*id, &self.structure.triples[*id]))
    }

    fn drawn(&self) -> Automaton {
        let locations = &self.structure.components[self.component].locations;
        let initial = self.initial();
        let mut reached = initial.clone();
        let mut arrows: Vec<(usize, usize, Option<TripleId>)> = Vec::new();
        let mut from = 0;
        while let Some(location) = reached.get(from).copied() {
            let mut targets: Vec<(LocationId, Option<TripleId>)> = Vec::new();
            for (id, triple) in self.offers(location) {
                targets.extend(self.target(triple).map(|target| (target, Some(id))));
            }
            targets.extend(locations[location].joined.map(|joined| (joined, None)));
            for (target, triple) in targets {
                let known = reached.iter().position(|other| *other == target);
                let to = known.unwrap_or_else(|| {
                    reached.push(target);
                    reached.len() - 1
                });
                arrows.push((from, to, triple));
            }
            from += 1;
        }
        let words = |id: &TripleId| self.words(*id);
        let is_long = arrows
            .iter()
            .filter_map(|arrow| arrow.2.as_ref())
            .any(|id| words(id).chars().count() > MAX_LABEL);
        let label = |triple: &Option<TripleId>| match triple {
            None => JOIN.to_owned(),
            Some(id) if is_long => (id.index() + 1).to_string(),
            Some(id) => words(id),
        };
        let mut shown: Vec<TripleId> =
            arrows.iter().filter_map(|arrow| arrow.2).filter(|_| is_long).collect();
        shown.sort_unstable();
        shown.dedup();
        let states = reached.iter().enumerate().map(|(number, location)| self.state(number, *location));
        Automaton {
            name: match self.component.index() {
                0 => self.texts.heading(self.kind),
                number => self.names[number].clone(),
            },
            states: states.collect(),
            initial: (0..initial.len()).collect(),
            transitions: arrows.iter().map(|(from, to, triple)| (*from, *to, label(triple))).collect(),
            legend: shown.iter().map(|id| ((id.index() + 1).to_string(), words(id))).collect(),
        }
    }

    /// A triple in words: `guard → action`; of an operand that it starts, with the name of that.
    fn words(&self, id: TripleId) -> String {
        let triple = &self.structure.triples[id];
        let (guard, action) = (self.texts.guard(triple), self.texts.action(triple));
        let words = if guard.is_empty() { action } else { format!("{guard} → {action}") };
        if triple.acting == triple.component {
            words
        } else {
            format!("{}: {words}", self.names[triple.acting.index()])
        }
    }

    fn state(&self, number: usize, location: LocationId) -> State {
        let component = &self.structure.components[self.component];
        let known = &component.locations[location];
        let is_final = location.index() == 0;
        let offers = self.offers(location).map(|(id, _)| self.words(id));
        let name = match known.joined {
            Some(_) if component.children.len() > 3 => {
                let name = |child: Option<&ComponentId>| child.map_or("", |child| &self.names[child.index()]);
                format!("{} | … | {}", name(component.children.first()), name(component.children.last()))
            }
            Some(_) => {
                itertools::join(component.children.iter().map(|child| &self.names[child.index()]), " | ")
            }
            None if is_final => "end".to_owned(),
            None => format!("s{}", number + 1),
        };
        let whole = match known.joined {
            Some(_) => name.clone(),
            None if is_final => "nothing is left to do".to_owned(),
            None if known.offers.is_empty() => "stuck".to_owned(),
            None => itertools::join(offers, "\n"),
        };
        State { name, whole, is_final }
    }
}

//! Which values a cell may have in reachable states: abstract interpretation with sets of few intervals.
//!
//! There is one set for each variable of the environment, each attribute of a kind, and each variable of a
//! stigmergy. All actions are carried out on these sets, under their guards, until nothing is new. After a few
//! rounds a set that still grows grows to the end of the integers ([`Width`]); what that takes too much is taken
//! back by carrying out all again from what was found. Sources: Cousot and Cousot 1977 (widening and narrowing).
//!
//! The result may be trusted to be too large only; packing checks every value all the same.

use paramcheck_labs::model::{AgentId, Initial, KindId, NameId, System};
use paramcheck_labs::number::Width;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::triples::{Structure, Triple};
use super::values::Values;

mod expression;
mod refine;
mod run;

/// After so many rounds sets that grow are widened.
const ROUNDS: usize = 12;
/// How often all is carried out again afterwards.
const AGAIN: usize = 4;

/// A variable of the environment, an attribute of a kind, or a variable of a stigmergy.
type Var = usize;

/// The variables of a system, and which of them each cell belongs to.
struct Variables<'a> {
    system: &'a System,
    width: Width,
    cells: Vec<Var>,
    /// Attributes, and variables of stigmergies; these are those of all kinds.
    of_agents: FxHashMap<(Option<KindId>, NameId), Var>,
    count: usize,
}

impl<'a> Variables<'a> {
    fn new(system: &'a System, width: Width) -> Self {
        let mut all = Variables {
            system,
            width,
            cells: vec![0; system.initial.len()],
            of_agents: FxHashMap::default(),
            count: system.environment.len(),
        };
        for (var, variable) in system.environment.iter().enumerate() {
            all.cells[variable.offset..variable.offset + variable.size()].fill(var);
        }
        for (agent, kind) in system.agents.enumerate() {
            for (name, places) in system.names.enumerate() {
                let Some(place) = &places.places[*kind] else { continue };
                let first = system.first_cells[agent] + place.offset;
                let key = (place.tuple.is_none().then_some(*kind), name);
                let var = *all.of_agents.entry(key).or_insert_with(|| {
                    all.count += 1;
                    all.count - 1
                });
                all.cells[first..first + place.size()].fill(var);
            }
        }
        all
    }

    /// The variable of agents of a kind, if the kind has it and there are agents.
    fn of(&self, kind: KindId, name: NameId) -> Option<Var> {
        let place = self.system.names[name].places[kind].as_ref()?;
        self.of_agents.get(&(place.tuple.is_none().then_some(kind), name)).copied()
    }
}

/// Per cell of a system the values it may have.
///
/// # Errors
/// A limit was reached.
pub fn analyse(
    system: &System,
    triples: &IndexVec<KindId, Structure>,
    width: Width,
    budget: &Budget,
) -> Result<Vec<Values>, Stop> {
    let variables = Variables::new(system, width);
    let initial = initial_values(&variables);
    let mut values = initial.clone();
    let round = |values: &[Values]| run::round(&variables, triples, values, budget);
    for number in 0.. {
        let made = round(&values)?;
        let mut is_new = false;
        for (own, made) in values.iter_mut().zip(&made) {
            let before = own.clone();
            if own.join(made) {
                is_new = true;
                if number >= ROUNDS {
                    widen(own, &before, width);
                }
            }
        }
        if !is_new {
            break;
        }
    }
    for _ in 0..AGAIN {
        let mut made = round(&values)?;
        for (made, initial) in made.iter_mut().zip(&initial) {
            made.join(initial);
        }
        if made == values {
            break;
        }
        values = made;
    }
    let is_shared: Vec<bool> = shared(&variables);
    let cells = variables.cells.iter().zip(&system.initial);
    // What is never assigned stays what it is in each agent.
    let values = cells
        .map(|(var, own)| match values[*var] == initial[*var] && !is_shared[*var] {
            true if !run::is_assigned(&variables, triples, *var) => {
                let own = initial_of(own);
                own.meet(&values[*var]).or_undefined(own.is_undefined)
            }
            _ => values[*var].clone(),
        })
        .collect();
    Ok(values)
}

/// Which variables are those of stigmergies.
fn shared(variables: &Variables<'_>) -> Vec<bool> {
    let mut shared = vec![false; variables.count];
    for ((kind, _), var) in &variables.of_agents {
        shared[*var] = kind.is_none();
    }
    shared
}

/// A set that grew once more grows to where it can't any more.
fn widen(values: &mut Values, before: &Values, width: Width) {
    let (least, greatest) = width.bounds();
    let (Some((low, high)), old) = (values.bounds(), before.bounds().unwrap_or((0, 0))) else { return };
    let low = if low < old.0 { low.min(least) } else { low };
    let high = if high > old.1 { high.max(greatest) } else { high };
    values.add(low, high);
}

/// What variables are at first.
fn initial_values(variables: &Variables<'_>) -> Vec<Values> {
    let mut values = vec![Values::none(); variables.count];
    for (var, initial) in variables.cells.iter().zip(&variables.system.initial) {
        values[*var].join(&initial_of(initial));
    }
    for assumption in &variables.system.assumptions {
        refine::assumed(variables, &mut values, &assumption.formula);
    }
    values
}

/// The initial values of a cell.
fn initial_of(initial: &Initial) -> Values {
    match initial {
        Initial::Undefined => Values::undefined(),
        Initial::OneOf(all) => {
            let mut values = Values::none();
            all.iter().for_each(|one| values.add(*one, *one));
            values
        }
        Initial::Range(low, high) => Values::between(*low, high.saturating_sub(1)),
    }
}

/// All triples, by kind.
fn each_triple(triples: &IndexVec<KindId, Structure>) -> impl Iterator<Item = (KindId, &Triple)> {
    triples.enumerate().flat_map(|(kind, structure)| structure.triples.iter().map(move |one| (kind, one)))
}

/// The numbers of agents.
fn ids(agents: impl Iterator<Item = AgentId>) -> Values {
    let mut values = Values::none();
    for agent in agents {
        let id = i64::try_from(agent.index()).unwrap_or(i64::MAX);
        values.add(id, id);
    }
    values
}

//! The smallest structure: locations of a component that offer the same are one.
//!
//! Locations are divided until those together have triples with equal guards and actions that lead to locations
//! together.

use paramcheck_labs::model::{ActionId, GuardId};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Component, ComponentId, Location, LocationId, Structure, Triple, TripleId};

/// Per component and location the class, a number within the component.
type Classes = IndexVec<ComponentId, Vec<usize>>;

/// A triple, with classes for locations.
type Shape = (ComponentId, Vec<(GuardId, bool)>, Option<ActionId>, Vec<(ComponentId, usize)>);

/// Makes locations with the same future one.
///
/// # Errors
/// A limit was reached.
pub(super) fn smallest(structure: Structure, budget: &Budget) -> Result<Structure, Stop> {
    let kinds: Classes = structure
        .components
        .iter()
        .map(|component| {
            let kind = |(id, location): (LocationId, &Location)| match location.joined {
                Some(_) => 2,
                None => usize::from(id.index() > 0),
            };
            component.locations.enumerate().map(kind).collect()
        })
        .collect();
    // From here on classes are numbered by their first location.
    let mut classes = refine(&structure, &kinds, budget)?;
    loop {
        let finer = refine(&structure, &classes, budget)?;
        let is_done = count(&finer) == count(&classes);
        classes = finer;
        if is_done {
            return Ok(quotient(&structure, &classes));
        }
    }
}

fn count(classes: &Classes) -> usize {
    classes.iter().map(|of| of.iter().max().map_or(0, |class| class + 1)).sum()
}

fn refine(structure: &Structure, classes: &Classes, budget: &Budget) -> Result<Classes, Stop> {
    let mut pace = budget.pace();
    let mut finer = IndexVec::new();
    for (id, component) in structure.components.enumerate() {
        let mut known: FxHashMap<(usize, Option<usize>, Vec<Shape>), usize> = FxHashMap::default();
        let mut own = Vec::new();
        for (number, location) in component.locations.enumerate() {
            pace()?;
            let joined = location.joined.map(|joined| classes[id][joined.index()]);
            let mut shapes: Vec<Shape> =
                location.offers.iter().map(|triple| shape(&structure.triples[*triple], classes)).collect();
            shapes.sort_unstable();
            shapes.dedup();
            let next = known.len();
            own.push(*known.entry((classes[id][number.index()], joined, shapes)).or_insert(next));
        }
        finer.push(own);
    }
    Ok(finer)
}

fn shape(triple: &Triple, classes: &Classes) -> Shape {
    let exit = triple.exit.iter().map(|(component, to)| (*component, classes[*component][to.index()]));
    (triple.acting, triple.guards.clone(), triple.action, exit.collect())
}

fn quotient(structure: &Structure, classes: &Classes) -> Structure {
    let mut triples: IndexVec<TripleId, Triple> = IndexVec::new();
    let mut known: FxHashMap<Triple, TripleId> = FxHashMap::default();
    let mut components = IndexVec::new();
    for (id, component) in structure.components.enumerate() {
        let mut locations: IndexVec<LocationId, Location> = IndexVec::new();
        for (number, location) in component.locations.enumerate() {
            // Classes are numbered by their first location.
            if classes[id][number.index()] < locations.len() {
                continue;
            }
            let (mut offers, mut offered) = (Vec::new(), FxHashSet::default());
            for triple in &location.offers {
                let mut triple = structure.triples[*triple].clone();
                for (component, to) in &mut triple.exit {
                    *to = LocationId::new(classes[*component][to.index()]);
                }
                let next = TripleId::new(triples.len());
                let triple = *known.entry(triple.clone()).or_insert_with(|| {
                    triples.push(triple);
                    next
                });
                if offered.insert(triple) {
                    offers.push(triple);
                }
            }
            let joined = location.joined.map(|joined| LocationId::new(classes[id][joined.index()]));
            locations.push(Location { offers, joined });
        }
        components.push(Component {
            parent: component.parent,
            children: component.children.clone(),
            locations,
        });
    }
    let initial = classes[ComponentId::new(0)][structure.initial.index()];
    Structure { components, triples, initial: LocationId::new(initial) }
}

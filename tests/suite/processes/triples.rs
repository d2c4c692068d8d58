//! Triples against the interpreter: two roads from a process to its states, which share nothing but the model. The
//! results are strongly bisimilar, with termination and with who takes part in each step.

use paramcheck::emulation::Structure;
use paramcheck::emulation::evolution::Evolution;
use paramcheck::emulation::process::encode;
use paramcheck::emulation::states;
use paramcheck::emulation::triple::Triple;
use paramcheck::process::model::{LabelId, System};
use paramcheck::process::{Language, load};
use paramcheck::semantics::bisimulation::{are_bisimilar, class_transitions, classes};
use paramcheck::semantics::explore::explore;
use paramcheck::semantics::lts::{Lts, Transition};
use paramcheck::support::index::{Idx, IndexVec};
use paramcheck::support::limits::Budget;

use super::random::Generator;

/// Random systems with more states are not compared.
const MOST_STATES: usize = 400;

fn structure(system: &System) -> Structure {
    let structure = encode(system, &Budget::unlimited()).unwrap();
    check_well_formed(&structure);
    structure
}

fn lts(structure: &Structure, most: usize) -> Lts {
    let evolution = Evolution::new(structure);
    let initial = evolution.initial().pop().unwrap();
    states::explore(&evolution, initial, most, &Budget::unlimited()).lts
}

/// What the types promise.
fn check_well_formed(structure: &Structure) {
    let mut owner = std::collections::BTreeMap::new();
    for (id, counter) in structure.counters.enumerate() {
        assert!(counter.parent.is_none_or(|parent| parent < id));
        assert!(counter.initial.index() < counter.locations.len());
        let mut names: Vec<&str> = counter.locations.iter().map(|one| one.name.as_str()).collect();
        let mut contents: Vec<_> = counter.locations.iter().map(|one| (&one.offers, one.is_final)).collect();
        for location in &counter.locations {
            assert!(location.offers.is_sorted_by(|one, other| one < other));
            for offer in &location.offers {
                assert!(offer.0 > 0);
                assert_eq!(*owner.entry(*offer).or_insert(id), id, "an id is of one counter");
            }
        }
        names.sort_unstable();
        contents.sort_unstable();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
        assert!(contents.is_sorted_by(|one, other| one < other));
    }
    let names: std::collections::BTreeSet<&str> =
        structure.counters.iter().map(|counter| counter.name.as_str()).collect();
    assert_eq!(names.len(), structure.counters.len());
    for agent in &structure.agents {
        assert_eq!(structure.counters[agent.counter].parent, None);
        assert_eq!(structure.counters[agent.counter].name, agent.name);
    }
    let mut silent: Vec<&Triple> = Vec::new();
    for triple in &structure.triples {
        assert!(triple.entry.is_sorted_by(|one, other| one.0 < other.0));
        assert!(triple.exit.is_sorted_by(|one, other| one.0 < other.0));
        assert!(triple.agents.is_sorted_by(|one, other| one < other));
        assert!(!triple.entry.is_empty() && !triple.exit.is_empty());
        for (counter, location) in &triple.exit {
            assert!(location.index() < structure.counters[*counter].locations.len());
        }
        if triple.label().is_none() {
            for before in &silent {
                assert!(!may_enable(structure, triple, before), "{triple:?} enables one before it");
            }
            silent.push(triple);
        }
    }
}

/// Whether a triple makes entry conditions of another hold and none of them fail.
fn may_enable(structure: &Structure, triple: &Triple, other: &Triple) -> bool {
    let mut concerned = false;
    for (counter, offer) in &other.entry {
        if let Some((_, location)) = triple.exit.iter().find(|(own, _)| own == counter) {
            concerned = true;
            if !structure.counters[*counter].locations[*location].offers.contains(offer) {
                return false;
            }
        }
    }
    concerned
}

/// With who takes part as part of the label.
fn with_agents(lts: &Lts) -> Lts {
    let mut labels: IndexVec<LabelId, String> = IndexVec::new();
    let mut ids = std::collections::BTreeMap::new();
    let mut result = Lts::default();
    let nobody = result.agent_set(Vec::new());
    for state in 0..lts.states() as u32 {
        result.add_state(lts.is_terminated(state));
    }
    for state in 0..lts.states() as u32 {
        let mut own = Vec::new();
        for one in lts.transitions(state) {
            let text = format!("{} {:?}", lts.labels[one.label], lts.agent_sets[one.agents]);
            let label = *ids.entry(text).or_insert_with_key(|text| labels.push(text.clone()));
            own.push(Transition { label, target: one.target, agents: nobody });
        }
        result.expand(own);
    }
    result.labels = labels;
    result
}

/// The states of both roads; `None` where there are too many to compare.
fn both(system: &System, most: usize, context: &str) -> Option<(Lts, Lts)> {
    let reference = explore(system, most, &Budget::unlimited()).lts;
    if reference.incomplete.is_some() {
        return None;
    }
    // Triples may tell states apart that the interpreter does not, and the other way round.
    let own = lts(&structure(system), 4 * most);
    assert_eq!(own.incomplete, None, "{context}");
    assert_eq!(own.agents, reference.agents, "{context}");
    Some((own, reference))
}

/// Whether both roads lead to the same.
fn agree(system: &System, most: usize, context: &str) -> bool {
    let Some((own, reference)) = both(system, most, context) else { return false };
    let (own, reference) = (with_agents(&own), with_agents(&reference));
    assert!(are_bisimilar(&own, &reference, &Budget::unlimited()).unwrap(), "{context}");
    true
}

#[test]
fn triples_of_the_corpus_are_bisimilar_and_of_the_right_size() {
    for (name, answers) in super::expected("expected.json") {
        let system = super::system(&name);
        assert!(agree(&system, 20_000, &name), "{name}");
        let (own, _) = both(&system, 20_000, &name).unwrap();
        let classes = classes(&own, &Budget::unlimited()).unwrap();
        let found =
            [classes.iter().max().map_or(0, |class| *class as usize + 1), class_transitions(&own, &classes)];
        let right = ["classes", "class_transitions"].map(|key| answers[key].as_u64().unwrap() as usize);
        assert_eq!(found, right, "{name}: classes, transitions between them");
    }
}

#[test]
fn triples_of_the_examples_are_bisimilar() {
    let mut count = 0;
    for folder in ["ccs", "chor"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Some(language) =
                path.extension().and_then(|end| end.to_str()).and_then(Language::of_extension)
            else {
                continue;
            };
            let system = load(&std::fs::read_to_string(&path).unwrap(), language).system.unwrap();
            count += usize::from(agree(&system, 20_000, &path.display().to_string()));
        }
    }
    assert!(count > 20, "{count}");
}

/// A random system.
fn random(seed: u64) -> (System, String) {
    let mut random = Generator::new(seed);
    let (text, language) = match seed % 4 {
        3 => (format!("system {}; a@x;\n", random.choreography(4)), Language::Chor),
        _ => (random.file(), Language::Ccs),
    };
    (load(&text, language).system.unwrap_or_else(|| panic!("{text}")), text)
}

#[test]
fn triples_of_random_systems_are_bisimilar() {
    let systems: u64 =
        std::env::var("PARAMCHECK_SYSTEMS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500);
    let compared = (0..systems).filter(|seed| {
        let (system, text) = random(*seed);
        agree(&system, MOST_STATES, &text)
    });
    let compared = compared.count() as u64;
    assert!(compared * 10 > systems * 9, "{compared}");
}

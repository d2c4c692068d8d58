//! The formulas for rewriting trees, markings, invariants and errors against the Petri nets of all
//! rewriting trees up to a size: the formulas agree with the nets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::support::scale::count;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::marking::{ErrorCheck, Marking};
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_nets::instance::unfold::{check_tree, unfold};
use paramcheck_text::index::Idx;
use paramcheck_wsks::encoding::Encoder;
use paramcheck_wsks::flow::Firing;
use paramcheck_wsks::formula::FormulaId;
use paramcheck_wsks::normalize::normalize;
use paramcheck_wsks::tracks::{NodePath, Places};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::components;
use super::support::evaluate::{Domain, Valuation, evaluate};
use super::support::flow::Flow;

const STEPS: u64 = 20_000_000;
const FEW_STEPS: u64 = 200_000;

/// The models of some folders of cases, in the order of their names.
pub(super) fn models(folders: &[&str]) -> Vec<(String, System)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
        paths.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    paths.sort();
    let systems = paths.iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, load(&fs::read_to_string(path).unwrap()).system.unwrap())
    });
    systems.collect()
}

/// The smallest trees of a system: up to `count`, with at most `components` more than the smallest.
fn small_trees(system: &System, components: usize, count: usize) -> Vec<RewritingTree> {
    let smallest = usize::try_from(smallest_size(system)).unwrap();
    (smallest..=smallest + components).flat_map(|size| trees(system, size)).take(count).collect()
}

/// A tree of a system with its net, and an encoder for the system.
struct Subject<'a> {
    encoder: Encoder<'a>,
    system: &'a System,
    tree: RewritingTree,
    net: Net,
    domain: Domain,
    paths: Vec<NodePath>,
}

impl<'a> Subject<'a> {
    fn new(system: &'a System, tree: RewritingTree) -> Self {
        let mut paths: Vec<NodePath> = vec![NodePath::new(); tree.nodes.len()];
        for (number, node) in tree.nodes.iter().enumerate() {
            for (position, &child) in node.children.iter().enumerate() {
                paths[child] = [paths[number].as_slice(), &[position as u8 + 1]].concat();
            }
        }
        Subject {
            encoder: Encoder::new(system, &[]).unwrap(),
            net: unfold(system, &tree),
            domain: Domain::new(paths.iter().cloned()),
            system,
            tree,
            paths,
        }
    }

    /// The tree's variables, and the marking's.
    fn valuation(&self, marking: &Marking) -> Valuation {
        // By node: components of one node stand in the order of its atoms.
        let mut by_node = vec![Vec::new(); self.tree.nodes.len()];
        let components = self.net.components().iter().zip(marking);
        components.for_each(|(component, &state)| by_node[component.node].push(state));
        Valuation::from(&self.encoder.tracks.encode(self.system, &self.tree, &by_node))
    }

    fn random_marking(&self, rng: &mut SmallRng) -> Marking {
        let components = self.net.components().iter();
        components.map(|component| StateId::new(rng.random_range(0..component.state_count))).collect()
    }

    /// `valuation` with the places of the net in `set` in the tuple.
    fn with_places(&self, valuation: &Valuation, tuple: &Places, set: &[bool]) -> Valuation {
        let mut valuation = valuation.clone();
        for (id, component) in self.net.components().enumerate() {
            for state in 0..component.state_count {
                if set[self.net.place(id, StateId::new(state))] {
                    let track = tuple[component.atom][state];
                    let nodes: &mut BTreeSet<NodePath> = valuation.sets.entry(track).or_default();
                    nodes.insert(self.paths[component.node].clone());
                }
            }
        }
        valuation
    }

    fn holds(&self, formula: FormulaId, valuation: &Valuation) -> bool {
        evaluate(&self.encoder.store, formula, &self.domain, valuation, STEPS).unwrap()
    }

    /// How many places of `set` each transition takes and gives.
    fn flow(&self, set: &[bool]) -> Vec<(i64, i64)> {
        let inside = |component: ComponentId, state| i64::from(set[self.net.place(component, state)]);
        let transitions = self.net.transitions().iter();
        let counts = transitions.map(|transition| {
            let pre = transition.moves.iter().map(|m| inside(m.component, m.from)).sum();
            let post = transition.moves.iter().map(|m| inside(m.component, m.to)).sum();
            (pre, post)
        });
        counts.collect()
    }

    fn count(&self, set: &[bool], marking: &Marking) -> i64 {
        marking.enumerate().map(|(id, &state)| i64::from(set[self.net.place(id, state)])).sum()
    }

    /// A set of places that often is one of the kind: a random one, mended transition by transition.
    fn random_set(&self, kind: InvariantKind, rng: &mut SmallRng) -> Vec<bool> {
        let density = rng.random_range(0.1..0.9);
        let mut set: Vec<bool> = (0..self.net.place_count()).map(|_| rng.random_bool(density)).collect();
        for _ in 0..rng.random_range(0..60) {
            let broken = self.flow(&set).iter().position(|&(pre, post)| !kind.admits_transition(pre, post));
            let Some(broken) = broken else { break };
            let moves = &self.net.transitions().as_slice()[broken].moves;
            let m = moves[rng.random_range(0..moves.len())];
            let place = self.net.place(m.component, if rng.random() { m.from } else { m.to });
            set[place] = !set[place];
        }
        set
    }
}

/// Every subject made of the cases' smallest trees.
fn for_subjects(
    folders: &[&str],
    components: usize,
    trees: usize,
    mut check: impl FnMut(&str, Subject<'_>, SmallRng),
) {
    for (name, system) in models(folders) {
        let normal = normalize(&system);
        for (number, tree) in small_trees(&normal.system, components, trees).into_iter().enumerate() {
            let rng = SmallRng::seed_from_u64(number as u64);
            check(&name, Subject::new(&normal.system, tree), rng);
        }
    }
}

#[test]
fn rtree_holds_of_rewriting_trees_only() {
    let mut wrong = 0;
    for_subjects(&["table1", "more"], 4, 8, |name, mut subject, mut rng| {
        let formula = subject.encoder.rtree();
        let right = subject.valuation(&subject.net.initial());
        assert!(subject.holds(formula, &right), "{name}: {:?}", subject.tree);
        // A node with another rule, or none, or two.
        let labels = subject.encoder.tracks.labels.clone();
        for _ in 0..20 {
            let node = rng.random_range(0..subject.tree.nodes.len());
            let (rule, set) = labels[rng.random_range(0..labels.len())];
            let mut changed = right.clone();
            let is_inside = changed.sets.entry(set).or_default().contains(&subject.paths[node]);
            if is_inside {
                changed.sets.entry(set).or_default().remove(&subject.paths[node]);
            } else {
                changed.sets.entry(set).or_default().insert(subject.paths[node].clone());
            }
            assert!(!subject.holds(formula, &changed), "{name}");
            // The rule alone, its children as they were.
            let mut tree = subject.tree.clone();
            tree.nodes[node].rule = rule;
            let old = subject.encoder.tracks.label(subject.tree.nodes[node].rule).unwrap();
            let mut changed = right.clone();
            changed.sets.entry(old).or_default().remove(&subject.paths[node]);
            changed.sets.entry(set).or_default().insert(subject.paths[node].clone());
            let atoms = subject.system.rules[rule].instance_atoms();
            tree.nodes[node].initial = atoms.map(|atom| atom.initial[0]).collect();
            let is_tree = check_tree(subject.system, &tree).is_ok();
            wrong += usize::from(!is_tree);
            assert_eq!(subject.holds(formula, &changed), is_tree, "{name}: {tree:?}");
        }
    });
    assert!(wrong > 100);
}

#[test]
fn mark_holds_of_markings_only() {
    for_subjects(&["table1", "more", "classic"], 3, 4, |name, mut subject, mut rng| {
        let (mark, choices) = (subject.encoder.mark(), subject.encoder.choices());
        for _ in 0..5 {
            let marking = subject.random_marking(&mut rng);
            let valuation = subject.valuation(&marking);
            assert!(subject.holds(mark, &valuation), "{name}");
            assert!(subject.holds(choices, &valuation), "{name}");
            // One membership changed: no marking, or not in the place of a choice.
            let tracks: Vec<_> = subject.encoder.tracks.marking.iter().flatten().copied().collect();
            let track = tracks[rng.random_range(0..tracks.len())];
            let path = subject.paths[rng.random_range(0..subject.paths.len())].clone();
            let mut changed = valuation.clone();
            let nodes = changed.sets.entry(track).or_default();
            if !nodes.remove(&path) {
                nodes.insert(path);
            }
            assert!(!subject.holds(mark, &changed), "{name}");
        }
    });
}

#[test]
fn sets_are_those_of_the_net() {
    let mut counts = [[0, 0]; 8];
    for_subjects(&["table1", "more", "classic"], 3, 3, |name, mut subject, mut rng| {
        let valuation = subject.valuation(&subject.net.initial());
        let theta = subject.encoder.theta.clone();
        for (number, kind) in InvariantKind::all_up_to(2).into_iter().enumerate() {
            let formula = subject.encoder.is_set_of(kind, &theta).unwrap();
            for _ in 0..count(2, 8) {
                let set = subject.random_set(kind, &mut rng);
                let expected =
                    subject.flow(&set).iter().all(|&(pre, post)| kind.admits_transition(pre, post));
                let found = subject.holds(formula, &subject.with_places(&valuation, &theta, &set));
                assert_eq!(found, expected, "{name}, {kind}: {set:?} of {:?}", subject.tree);
                counts[number][usize::from(expected)] += 1;
            }
        }
    });
    assert!(counts.iter().flatten().all(|&found| found > count(2, 30)), "{counts:?}");
}

#[test]
fn invariants_are_those_of_the_net() {
    let mut counts = [[0, 0]; 8];
    for (name, system) in models(&["table1", "more", "classic"]) {
        let normal = normalize(&system);
        for tree in small_trees(&normal.system, 2, 3) {
            let mut subject = Subject::new(&normal.system, tree);
            let places = subject.net.place_count();
            if places > 8 {
                continue;
            }
            let mut rng = SmallRng::seed_from_u64(places as u64);
            let sets: Vec<Vec<bool>> = (0..1_u32 << places)
                .map(|bits| (0..places).map(|place| bits >> place & 1 == 1).collect())
                .collect();
            let initial = subject.net.initial();
            for (number, kind) in InvariantKind::all_up_to(2).into_iter().enumerate() {
                let formula = subject.encoder.in_invariant(kind).unwrap();
                for _ in 0..count(1, 4) {
                    let marking = subject.random_marking(&mut rng);
                    let is_refuted = sets.iter().any(|set| {
                        let first = subject.count(set, &initial);
                        kind.admits_initial(first)
                            && subject.flow(set).iter().all(|&(pre, post)| kind.admits_transition(pre, post))
                            && kind.refutes(first, subject.count(set, &marking))
                    });
                    // The evaluator tries all sets of nodes for every track: where that is too much, the
                    // question is left to MONA.
                    let valuation = subject.valuation(&marking);
                    let found =
                        evaluate(&subject.encoder.store, formula, &subject.domain, &valuation, FEW_STEPS);
                    let Ok(found) = found else { continue };
                    assert_eq!(found, !is_refuted, "{name}, {kind}: {marking:?} of {:?}", subject.tree);
                    counts[number][usize::from(is_refuted)] += 1;
                }
            }
        }
    }
    assert!(counts.iter().flatten().sum::<u64>() > count(5, 40), "{counts:?}");
}

#[test]
fn errors_are_those_of_the_net() {
    let mut counts = [0, 0];
    for_subjects(&["table1", "more", "classic"], 3, 4, |name, mut subject, mut rng| {
        let mut errors: Vec<_> = subject.system.errors.iter().cloned().collect();
        errors.push(System::deadlock());
        for error in errors {
            let formula = subject.encoder.error(&error.formula).unwrap();
            let check = ErrorCheck::new(subject.system, &subject.net, &error.formula);
            for _ in 0..12 {
                let marking = subject.random_marking(&mut rng);
                let expected = check.holds(&subject.net, &marking).unwrap();
                let found = subject.holds(formula, &subject.valuation(&marking));
                assert_eq!(found, expected, "{name}, {}: {marking:?} of {:?}", error.name, subject.tree);
                counts[usize::from(expected)] += 1;
            }
        }
    });
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn formulas_over_components_are_what_is_evaluated() {
    let system = components::system();
    let normal = normalize(&system);
    let trees = small_trees(&normal.system, 4, 3);
    let (mut counts, mut open) = ([0, 0], 0);
    for seed in 0..150 {
        let mut rng = SmallRng::seed_from_u64(4_000_000 + seed);
        let (text, _) = components::random::formula(&mut rng);
        let (_, error) = components::read(&system, &text);
        for tree in &trees {
            let mut subject = Subject::new(&normal.system, tree.clone());
            let formula = subject.encoder.error(&error.formula).unwrap();
            let check = ErrorCheck::new(subject.system, &subject.net, &error.formula);
            for _ in 0..4 {
                let marking = subject.random_marking(&mut rng);
                let valuation = subject.valuation(&marking);
                let found = evaluate(&subject.encoder.store, formula, &subject.domain, &valuation, FEW_STEPS);
                let (Ok(found), Some(expected)) = (found, check.holds(&subject.net, &marking)) else {
                    // Sets quantified over many nodes: left to MONA.
                    open += 1;
                    continue;
                };
                assert_eq!(found, expected, "{text}: {marking:?} of {:?}", subject.tree);
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?} {open}");
    assert!(open < counts.iter().sum(), "{counts:?} {open}");
}

#[test]
fn enabled_interactions_are_those_of_the_net() {
    let mut counts = [0, 0];
    for_subjects(&["table1", "more"], 3, 4, |name, mut subject, mut rng| {
        let firings: Vec<InteractionFiring> = subject
            .encoder
            .firings
            .alive
            .iter()
            .flat_map(Firing::combinations)
            .filter_map(|f| f.name())
            .collect();
        for firing in firings {
            let formula = subject.encoder.fires(&firing);
            for _ in 0..3 {
                let marking = subject.random_marking(&mut rng);
                let expected = subject.net.enabled(&marking).any(|id| {
                    let transition = &subject.net.transitions()[id];
                    let moves = transition
                        .moves
                        .iter()
                        .map(|m| (subject.net.components()[m.component].component_type, m.transition));
                    transition.rule == firing.rule
                        && transition.interaction == Some(firing.interaction)
                        && moves.eq(firing.combination.iter().copied())
                });
                let found = subject.holds(formula, &subject.valuation(&marking));
                assert_eq!(found, expected, "{name}: {firing:?}");
                counts[usize::from(expected)] += 1;
            }
        }
    });
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn the_papers_flow_formula_defines_the_transitions() {
    let mut counts = [0, 0];
    for name in ["token-ring.rs", "star.rs", "tree-back-root.rs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/table1").join(name);
        let system = load(&fs::read_to_string(path).unwrap()).system.unwrap();
        for tree in small_trees(&system, 2, count(1, 3) as usize) {
            let mut subject = Subject::new(&system, tree);
            let mut rng = SmallRng::seed_from_u64(7);
            let mut flow = Flow::new(&mut subject.encoder);
            let (pre, post) = (flow.new_places("P"), flow.new_places("Q"));
            let formula = flow.flow(&pre, &post).unwrap();
            let base = subject.valuation(&subject.net.initial());
            let places = subject.net.place_count();
            let sides = |subject: &Subject<'_>, number: usize| {
                let (mut taken, mut given) = (vec![false; places], vec![false; places]);
                for m in &subject.net.transitions().as_slice()[number].moves {
                    taken[subject.net.place(m.component, m.from)] = true;
                    given[subject.net.place(m.component, m.to)] = true;
                }
                (taken, given)
            };
            let all: Vec<_> = (0..subject.net.transitions().len()).map(|t| sides(&subject, t)).collect();
            for (taken, given) in &all {
                let mut candidate = (taken.clone(), given.clone());
                for change in 0..4 {
                    let is_transition = all.contains(&candidate);
                    let valuation = subject.with_places(&base, &pre, &candidate.0);
                    let valuation = subject.with_places(&valuation, &post, &candidate.1);
                    assert_eq!(subject.holds(formula, &valuation), is_transition, "{name}: {candidate:?}");
                    counts[usize::from(is_transition)] += 1;
                    let side = if change % 2 == 0 { &mut candidate.0 } else { &mut candidate.1 };
                    let place = rng.random_range(0..places);
                    side[place] = !side[place];
                }
            }
        }
    }
    assert!(counts.iter().all(|&found| found > count(2, 20)), "{counts:?}");
}

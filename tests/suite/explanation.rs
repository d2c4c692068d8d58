//! What an explanation of a proof says, held against the exploration of instances.
//!
//! Each set is evaluated from its pattern, by names, and in all reachable markings it holds what its kind says.
//! In the instance that is spelled out, every marking that is an error contradicts something that is said.

mod first_set;
mod instances;
mod words;

use std::path::Path;

use paramcheck_explanation::pattern::Pattern;
use paramcheck_explanation::{Explained, Reason, explain, marked_weight};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::explore::search::reachable;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::marking::ErrorCheck;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{InvariantChoice, Options, Status, decide};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::support::{self, random};

/// Sets are evaluated in instances of up to this many components more than the smallest.
const BEYOND: usize = 2;
/// So many instances of a size.
const MOST_TREES: usize = 4;
/// So many states of one.
const MOST_STATES: usize = 2_000;

/// A ring in which each node adds sets of its own to a proof.
const TERMINATION: &str = include_str!("../cases/found/termination-ring.rws");

/// The sets of an instance that is too large to look at all its markings are enough there: each of its error markings
/// is looked at here.
#[test]
fn what_is_said_of_a_large_instance_is_enough_there() {
    let system = support::system(TERMINATION);
    let error = system.error_named("wrong").expect("it is defined");
    let Status::Proved(proved) = decide(&system, &error, &Options::default()).expect("no bug").status else {
        panic!("it is proved")
    };
    let certificate = proved.certificate.expect("the direct engine gives one");
    let tree = trees(&system, 6).next().expect("a ring");
    let found = explain(&system, &error, &certificate, Some(&tree), &Budget::unlimited()).expect("words");
    assert_eq!(found.explanation.reason.is_enough, Some(true));
    assert!(found.explanation.reason.sets.iter().all(|set| set.elsewhere.is_none() || !set.sets.is_empty()));
    let check = ErrorCheck::new(&system, &found.net, &error.formula);
    let master = found.net.components().indices().next().expect("the master");
    let last = found.net.components()[master].state_count - 1;
    // The master has detected it in all of them: that is its last state.
    let mut marking: Marking = found.net.components().iter().map(|_| StateId::new(0)).collect();
    marking[master] = StateId::new(last);
    let (mut errors, mut more) = (0, true);
    while more {
        if check.holds(&found.net, &marking) == Some(true) {
            errors += 1;
            let excluded = contradicts(&system, &found, &found.explanation.reason, &marking);
            assert!(excluded, "nothing excludes {marking:?}");
        }
        more = found.net.components().enumerate().skip(1).any(|(id, component)| {
            let next = (marking[id].index() + 1) % component.state_count;
            marking[id] = StateId::new(next);
            next > 0
        });
    }
    assert_eq!(errors, 12_usize.pow(5) - 6_usize.pow(5));
}

/// Without its sets a proof does not exclude the errors of an instance too large to look at all its markings: that is
/// said, and not passed over.
#[test]
fn sets_that_are_not_enough_in_a_large_instance_are_said_not_to_be() {
    let system = support::system(TERMINATION);
    let error = system.error_named("wrong").expect("it is defined");
    let Status::Proved(proved) = decide(&system, &error, &Options::default()).expect("no bug").status else {
        panic!("it is proved")
    };
    let mut certificate = proved.certificate.expect("the direct engine gives one");
    certificate.proof.sets.clear();
    let tree = trees(&system, 6).next().expect("a ring");
    let found = explain(&system, &error, &certificate, Some(&tree), &Budget::unlimited()).expect("words");
    let reason = &found.explanation.reason;
    assert_eq!(reason.is_enough, Some(false), "{reason:?}");
    assert!(reason.contradiction.iter().any(|one| one.contains("not enough in Ring.1")), "{reason:?}");
    // Where all markings can be looked at, those that are left open are counted.
    let tree = trees(&system, 3).next().expect("a ring");
    let found = explain(&system, &error, &certificate, Some(&tree), &Budget::unlimited()).expect("words");
    let reason = &found.explanation.reason;
    assert!(reason.is_enough.is_none() && reason.open > 0, "{reason:?}");
}

/// Sums of trees are said of a node and its children, each once, with the steps that change them, and none that says
/// nothing.
#[test]
fn sums_of_trees_are_said_as_inequalities() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/found/vote-tree.rws");
    let system = support::system(&std::fs::read_to_string(path).expect("a model"));
    let error = support::errors(&system).into_iter().find(|error| error.name == "deadlock").expect("always");
    let found = explained_within_reason(&system, &error).expect("it is proved");
    let sets = &found.explanation.reason.sets;
    let summaries: Vec<&str> = sets.iter().map(|set| set.summary.as_str()).collect();
    let all = ["the Root", "each Node"].into_iter().flat_map(|who| {
        let holds = ["left ≤ right, always", "the sum is never more than 2"];
        holds.map(|holds| format!("{who} and its children (Node or Leaf): {holds}"))
    });
    let all: Vec<String> = all.collect();
    assert!(summaries.iter().all(|one| all.iter().any(|known| known == one)), "{summaries:#?}");
    assert!(summaries.len() == 4, "{summaries:#?}");
    let votes = |step: &String| step.contains("`up`") && step.contains("`vote`");
    assert!(sets.iter().all(|set| set.steps.iter().any(votes)), "{sets:#?}");
    for set in sets {
        for (places, start) in set.sets.iter().zip(&set.initially) {
            // Some marking would break it: of each component that is in it, one place may be marked.
            let most = found.net.components().iter().map(|one| {
                let own = places.iter().filter(|place| place.component == one.name);
                let weights = own.map(|place| place.weight);
                weights.chain([0]).max().unwrap_or(0)
            });
            assert!(most.sum::<i64>() > *start, "{places:?}");
        }
    }
}

/// The explanation, if the error is proved.
fn explained(system: &System, error: &NamedError, invariants: &InvariantChoice) -> Option<Explained> {
    let options = Options { max_states: 2_000, invariants: invariants.clone(), ..Options::default() };
    let Status::Proved(proved) = decide(system, error, &options).expect("no bug").status else { return None };
    let certificate = proved.certificate.expect("the direct engine gives one");
    Some(explain(system, error, &certificate, None, &Budget::unlimited()).expect("small enough"))
}

fn weight(set: &[Vec<i64>], marking: &Marking) -> i64 {
    set.iter().zip(marking).map(|(weights, state)| weights[state.index()]).sum()
}

/// All sets said in `reason`, and in what they rest on: their kind and
/// whether their sum never changes.
fn patterns(explained: &Explained) -> Vec<(InvariantKind, bool, &Pattern)> {
    let never = explained.explanation.never_fires.iter().map(|one| &one.reason);
    let reasons = [&explained.explanation.reason].into_iter().chain(never);
    let sets = reasons.flat_map(|reason| &reason.sets);
    let all = sets.flat_map(|set| {
        let kind = set.kind.parse().expect("a kind");
        [&set.pattern].into_iter().chain(&set.alike).map(move |pattern| (kind, set.is_exact, pattern))
    });
    all.collect()
}

/// In every reachable marking of small instances, each set holds what its kind says; and what is said never to fire
/// does not, and exclusive states exclude each other. How many sets were evaluated.
fn assert_true(system: &System, explained: &Explained, what: &str) -> usize {
    let smallest = usize::try_from(smallest_size(system)).expect("small");
    let mut evaluated = 0;
    for tree in (smallest..=smallest + BEYOND).flat_map(|size| trees(system, size).take(MOST_TREES)) {
        let net = unfold(system, &tree);
        let initial = net.initial();
        let mut sets = Vec::new();
        for (kind, is_exact, pattern) in patterns(explained) {
            let all = pattern.sets_in(system, &tree, &net).into_iter();
            sets.extend(all.map(|set| (kind, is_exact, weight(&set, &initial), set)));
        }
        sets.retain(|(kind, _, start, _)| kind.admits_initial(*start));
        // By rule and variable it is said what the certificate derives, no less and no more.
        for derivation in &explained.derivations {
            let kind = derivation.kind();
            let mut said = derivation.pattern.sets_in(system, &tree, &net);
            said.retain(|set| kind.admits_initial(weight(set, &initial)));
            assert_eq!(said, derivation.sets_in(&tree, &net), "{what}: {:?}", derivation.pattern);
        }
        evaluated += sets.len();
        reachable(&net, MOST_STATES, &Budget::unlimited(), |marking| {
            for (kind, is_exact, start, set) in &sets {
                assert!(!is_exact || weight(set, marking) == *start, "{what}: {kind} {set:?} in {marking:?}");
                assert!(!kind.refutes(*start, weight(set, marking)), "{what}: {kind} {set:?} in {marking:?}");
            }
            for never in &explained.explanation.never_fires {
                let fires = net.enabled(marking).any(|id| is_never(system, &net, id.index(), never));
                assert!(!fires, "{what}: {} {} fires", never.rule, never.text);
            }
            for pair in &explained.explanation.reason.exclusive {
                let both = tree.nodes.iter().enumerate().any(|(position, node)| {
                    let rule = &system.rules[node.rule];
                    let names = (0..node.initial.len()).filter_map(|atom| {
                        let id = net.component_at(position, atom)?;
                        let variable = rule.instance_atoms().nth(atom)?.variable;
                        let states = &system.types[net.components()[id].component_type].states;
                        Some(format!("{} in {}", rule.variables[variable].name, states[marking[id]].name))
                    });
                    let names: Vec<String> = names.collect();
                    rule.label == pair.rule && names.contains(&pair.first) && names.contains(&pair.second)
                });
                assert!(!both, "{what}: {}", pair.says);
            }
        });
    }
    evaluated
}

fn is_never(
    system: &System,
    net: &Net,
    transition: usize,
    never: &paramcheck_explanation::NeverFires,
) -> bool {
    let one = &net.transitions().as_slice()[transition];
    let rule = &system.rules[one.rule];
    let Some(interaction) = one.interaction else { return false };
    let text =
        one.moves.iter().zip(&rule.interactions[interaction].participants).map(|(step, (port, variable))| {
            let component = &system.types[net.components()[step.component].component_type];
            let [from, to] = [step.from, step.to].map(|state| component.states[state].name.as_str());
            format!(
                "{}({}) {} {from} -> {to}",
                system.ports[*port], rule.variables[*variable].name, component.name
            )
        });
    rule.label == never.rule
        && interaction.index() == never.interaction
        && text.collect::<Vec<_>>().join(", ") == never.text
}

/// Whether something that `reason` says does not hold in `marking` of the instance.
fn contradicts(system: &System, explained: &Explained, reason: &Reason, marking: &Marking) -> bool {
    let net = &explained.net;
    let initial = net.initial();
    let by_set = reason.sets.iter().any(|set| {
        let kind: InvariantKind = set.kind.parse().expect("a kind");
        set.sets.iter().chain(&set.alike_sets).any(|places| {
            let [start, now] = [&initial, marking].map(|marking| marked_weight(system, net, places, marking));
            kind.refutes(start, now) || set.is_exact && start != now
        })
    });
    let by_never = reason.enabled.iter().any(|position| {
        let never = &explained.explanation.never_fires[*position];
        net.enabled(marking).any(|id| is_never(system, net, id.index(), never))
    });
    let by_pair = reason.exclusive.iter().any(|pair| {
        explained.tree.nodes.iter().enumerate().any(|(position, node)| {
            let rule = &system.rules[node.rule];
            let holds = |what: &str| {
                rule.instance_atoms().enumerate().any(|(atom, instance)| {
                    let id = net.component_at(position, atom).expect("a component");
                    let state = &system.types[instance.component].states[marking[id]].name;
                    format!("{} in {state}", rule.variables[instance.variable].name) == what
                })
            };
            rule.label == pair.rule && holds(&pair.first) && holds(&pair.second)
        })
    });
    by_set || by_never || by_pair
}

/// Every error marking of the instance contradicts what is said; how many there are is as said.
fn assert_excludes(system: &System, error: &NamedError, explained: &Explained, what: &str) {
    let net = &explained.net;
    // Of an instance that is too large to look at all markings, some are taken at random.
    if explained.explanation.too_large.is_some() {
        let is_enough = explained.explanation.reason.is_enough;
        assert!(is_enough.is_none_or(|is_enough| is_enough), "{what}: {}", explained.explanation.instance);
        return assert_excludes_some(system, error, explained, what);
    }
    let check = ErrorCheck::new(system, net, &error.formula);
    let mut marking: Marking = net.components().iter().map(|_| StateId::new(0)).collect();
    let (mut errors, mut more) = (0, true);
    while more {
        if check.holds(net, &marking) == Some(true) {
            errors += 1;
            let excluded = contradicts(system, explained, &explained.explanation.reason, &marking);
            assert!(excluded, "{what}: nothing excludes {marking:?} of {}", explained.explanation.instance);
        }
        more = net.components().enumerate().any(|(id, component)| {
            let next = (marking[id].index() + 1) % component.state_count;
            marking[id] = StateId::new(next);
            next > 0
        });
    }
    assert_eq!(errors, explained.explanation.reason.error_markings, "{what}");
    assert_eq!(explained.explanation.reason.open, 0, "{what}");
    for set in &explained.explanation.reason.sets {
        assert!(set.excludes <= errors, "{what}: {} of {errors}", set.excludes);
    }
}

/// So many markings of a large instance are taken at random.
const SOME_MARKINGS: usize = 20_000;

fn assert_excludes_some(system: &System, error: &NamedError, explained: &Explained, what: &str) {
    if explained.explanation.reason.is_enough.is_none() {
        return;
    }
    let net = &explained.net;
    let check = ErrorCheck::new(system, net, &error.formula);
    let mut random = StdRng::seed_from_u64(17);
    for _ in 0..SOME_MARKINGS {
        let states = net.components().iter().map(|one| StateId::new(random.random_range(0..one.state_count)));
        let marking: Marking = states.collect();
        if check.holds(net, &marking) == Some(true) {
            let excluded = contradicts(system, explained, &explained.explanation.reason, &marking);
            assert!(excluded, "{what}: nothing excludes {marking:?} of {}", explained.explanation.instance);
        }
    }
}

#[test]
fn what_is_said_of_the_examples_is_true() {
    let (mut explained_proofs, mut evaluated, mut claimed, mut lines) = (0, 0, 0, Vec::new());
    // The cases of the tests are many: they wait for a long run. Those that are there for their size
    // (tests/cases/found) are left to the tests of limits.
    let folders: &[&str] =
        if support::scale::count(0, 1) == 0 { &["examples"] } else { &["examples", "tests/cases"] };
    for folder in folders {
        for path in models(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            if path.iter().any(|name| name == "found") {
                continue;
            }
            // Bad input that is not even text is no model.
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let Some(system) = paramcheck::load(&text).system else { continue };
            if is_wide(&system) {
                continue;
            }
            for error in support::errors(&system) {
                let what = format!("{}: {}", path.display(), error.name);
                let Some(explained) = explained_within_reason(&system, &error) else { continue };
                evaluated += assert_true(&system, &explained, &what);
                assert_excludes(&system, &error, &explained, &what);
                claimed += instances::assert_claim(&system, &error, &explained, &what);
                words::assert_plain(&system, &explained, &what, &mut lines);
                explained_proofs += 1;
            }
        }
    }
    assert!(explained_proofs > 60 && evaluated > 500, "{explained_proofs}, {evaluated}");
    assert!(claimed > 100, "{claimed}");
    words::assert_short(lines);
}

/// Models with component types of more states are left to other tests: they take long.
const MOST_LOCAL_STATES: usize = 12;

fn is_wide(system: &System) -> bool {
    system.types.iter().any(|one| one.states.len() > MOST_LOCAL_STATES)
}

/// As [`explained`], but without the models whose instances are all too large.
fn explained_within_reason(system: &System, error: &NamedError) -> Option<Explained> {
    let options = Options { max_states: 2_000, ..Options::default() };
    let Status::Proved(proved) = decide(system, error, &options).ok()?.status else { return None };
    explain(system, error, &proved.certificate?, None, &Budget::unlimited()).ok()
}

#[test]
fn what_is_said_of_random_systems_is_true() {
    let choices = [
        InvariantChoice::default(),
        InvariantChoice { dead_interactions: true, ..InvariantChoice::only(InvariantKind::all_up_to(2)) },
        InvariantChoice::only([InvariantKind::Parity, InvariantKind::LINEAR, InvariantKind::Modulo(3)]),
        InvariantChoice { exclusive: true, ..InvariantChoice::only([InvariantKind::Exactly(2)]) },
    ];
    let (mut proofs, mut evaluated) = (0, 0);
    for seed in support::seeds(20, 300) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            for choice in &choices {
                let Some(explained) = explained(&system, &error, choice) else { continue };
                let what = format!("seed {seed}, {}\n{text}", error.name);
                evaluated += assert_true(&system, &explained, &what);
                assert_excludes(&system, &error, &explained, &what);
                instances::assert_claim(&system, &error, &explained, &what);
                proofs += 1;
            }
        }
    }
    assert!(proofs > 20 && evaluated > 50, "{proofs} proofs, {evaluated} sets");
}

/// A ring whose nodes would double the token in a state that none enters.
const GHOST: &str = "component Node { states idle, busy, ghost; init idle; busy -out-> idle; idle -in-> busy; ghost -double-> busy; }
Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
Chain(x, y) <- <out(x) in(y) + double(x) in(y)> (Node(x), Node[busy](y));
Chain(x, z) <- new y . <out(x) in(y) + double(x) in(y)> (Node(x), Chain(y, z));
error exclusion = #busy >= 2;";

#[test]
fn what_never_happens_has_reasons_of_its_own() {
    let ghost = support::system(GHOST);
    let error = ghost.error_named("exclusion").expect("it is defined");
    let kinds = [InvariantKind::SIPHON, InvariantKind::MUTEX];
    let choice = InvariantChoice { dead_interactions: true, ..InvariantChoice::only(kinds) };
    let found = explained(&ghost, &error, &choice).expect("it is proved");
    assert!(assert_true(&ghost, &found, "ghost") > 0);
    assert_excludes(&ghost, &error, &found, "ghost");
    // The token is one because it is never doubled, and it is never doubled because no node becomes a ghost.
    assert!(!found.explanation.never_fires.is_empty(), "{found:?}");
    assert!(found.explanation.reason.sets.iter().all(|set| !set.needs.is_empty()), "{found:?}");

    let line = support::case("classic/abp-chain.rs");
    let error = line.error_named("forbidden").expect("it is defined");
    let found = explained(&line, &error, &InvariantChoice::default()).expect("it is proved");
    assert_true(&line, &found, "abp");
    assert_excludes(&line, &error, &found, "abp");
    assert!(!found.explanation.reason.exclusive.is_empty(), "{found:?}");
}

/// A ring one of whose rules makes so many nodes at once.
fn with_a_long_rule(nodes: usize) -> System {
    let names: Vec<String> = (0..nodes).map(|number| format!("y{number}")).collect();
    let pairs = std::iter::once("x".to_owned()).chain(names.iter().cloned()).collect::<Vec<_>>();
    let links: Vec<String> =
        pairs.windows(2).map(|pair| format!("out({}) in({})", pair[0], pair[1])).collect();
    let own = pairs[..nodes].iter().map(|name| format!("Node({name}), ")).collect::<String>();
    support::system(&format!(
        "component Node {{ states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }}
         Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
         Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
         Chain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y, z));
         Chain(x, z) <- new {} . <{}> ({own}Chain({}, z));
         error exclusion = #busy >= 2;",
        names.join(", "),
        links.join(" + "),
        names[nodes - 1],
    ))
}

/// Nodes by all rules are shown, as long as the instance can be read.
#[test]
fn the_instance_shown_has_nodes_by_all_rules() {
    let mut sizes = Vec::new();
    for nodes in [2, 9, 10] {
        let system = with_a_long_rule(nodes);
        let error = system.error_named("exclusion").expect("it is defined");
        let found = explained(&system, &error, &InvariantChoice::default()).expect("it is proved");
        assert_excludes(&system, &error, &found, "long rule");
        let rules: std::collections::BTreeSet<_> = found.tree.nodes.iter().map(|node| node.rule).collect();
        sizes.push((found.explanation.size, rules.len()));
    }
    // Three rules without the last, which would need 13 components.
    assert_eq!(sizes, [(5, 4), (12, 4), (3, 3)]);
}

fn models(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

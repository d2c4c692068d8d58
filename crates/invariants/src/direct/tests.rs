//! Unit tests of the engine's parts; the engine as a whole is tested in `tests/suite/agree.rs`.

use pretty_assertions::assert_eq;

use crate::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::search;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::dead::DeadInteractions;
use super::error::ErrorAutomaton;
use super::grammar::{Grammar, SymbolKind};
use super::place::Places;
use super::refute;

const RING: &str = "
    component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
    Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
    Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
    Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
    error exclusion = #busy >= 2;";

fn system(text: &str) -> System {
    let loaded = load(text);
    loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// All markings of a net, reachable or not.
fn markings(net: &Net) -> Vec<Marking> {
    let mut all: Vec<Vec<StateId>> = vec![vec![]];
    for component in net.components() {
        all = all
            .iter()
            .flat_map(|begun| {
                (0..component.state_count).map(move |state| {
                    let mut longer = begun.clone();
                    longer.push(StateId::new(state));
                    longer
                })
            })
            .collect();
    }
    all.into_iter().map(|states| states.into_iter().collect()).collect()
}

/// Whether a set (a weight per place) is an invariant of the kind by the table, and refutes the marking.
fn refutes(net: &Net, kind: InvariantKind, set: &[i8], marking: &Marking) -> bool {
    let weight = |component, state| i64::from(set[net.place(component, state)]);
    let count = |marking: &Marking| marking.enumerate().map(|(id, &state)| weight(id, state)).sum();
    let (initial, marked) = (count(&net.initial()), count(marking));
    kind.admits_initial(initial)
        && kind.refutes(initial, marked)
        && net.transitions().iter().all(|transition| {
            let pre = transition.moves.iter().map(|m| weight(m.component, m.from)).sum();
            let post = transition.moves.iter().map(|m| weight(m.component, m.to)).sum();
            kind.admits_transition(pre, post)
        })
}

/// All sets of places, with all weights of the kind.
fn all_sets(net: &Net, kind: InvariantKind) -> Vec<Vec<i8>> {
    let mut sets = vec![vec![]];
    for _ in 0..net.place_count() {
        sets = sets
            .iter()
            .flat_map(|set: &Vec<i8>| kind.weights().map(|weight| [set.as_slice(), &[weight]].concat()))
            .collect();
    }
    sets
}

/// An instance as the components one after the other.
fn joins(net: &Net) -> Vec<(Option<paramcheck_nets::instance::net::ComponentId>, Vec<usize>)> {
    let count = net.components().len();
    // Parts after what they are parts of: sums of the first n components, then the components.
    let sums = (0..count - 1).map(|i| (None, vec![i + 1, 2 * count - 2 - i]));
    let last = net.components().indices().map(|id| (Some(id), vec![]));
    sums.chain(last).collect()
}

/// A set that refutes a marking of a net.
fn find(net: &Net, kind: InvariantKind, marking: &Marking) -> Option<Vec<i8>> {
    let joins = joins(net);
    let joins = joins.iter().map(|(created, parts)| (*created, parts.as_slice())).collect();
    refute::find(net, &joins, &DeadInteractions::default(), kind, marking, &Budget::unlimited()).unwrap()
}

/// The kinds under test.
fn kinds() -> Vec<InvariantKind> {
    let mut kinds = InvariantKind::all_up_to(2);
    kinds.extend([InvariantKind::Linear(9), InvariantKind::Modulo(3), InvariantKind::Modulo(4)]);
    kinds
}

#[test]
fn refuting_sets_are_found_exactly_where_there_are_some_and_are_minimal() {
    let models = [
        RING,
        "component Lock { states free, taken; init free; free -acq-> taken; taken -rel-> free; }
         component Worker { states out, in; init out; out -enter-> in; in -leave-> out; in -> out; }
         Star() <- new a . (W(a));
         W(a) <- new w . <enter(w) acq(a) + leave(w) rel(a)> (Worker(w), Lock(a))
               | new w . <enter(w) acq(a) + leave(w) rel(a)> (Worker(w), W(a));",
        "component P { states a, b, c; init a; a -x-> b; b -x-> c; c -y-> a; a -y-> a; }
         S() <- new u, v . <x(u) y(v) + x(v) + y(u) y(v)> (P(u), P[b, c](v));",
    ];
    let mut found = std::collections::BTreeMap::new();
    for text in models {
        let system = system(text);
        for size in 1..=4 {
            for net in trees(&system, size).map(|tree| unfold(&system, &tree)) {
                for kind in kinds() {
                    // Enough places to be something, few enough to try all sets.
                    if kind.weights().count().pow(net.place_count() as u32) > 1 << 12 {
                        continue;
                    }
                    let sets = all_sets(&net, kind);
                    for marking in markings(&net) {
                        let Some(set) = find(&net, kind, &marking) else {
                            let missed = sets.iter().find(|set| refutes(&net, kind, set, &marking));
                            assert_eq!(missed, None, "{kind} misses a set for {marking:?}");
                            continue;
                        };
                        *found.entry(kind).or_insert(0) += 1;
                        assert!(
                            refutes(&net, kind, &set, &marking),
                            "{kind} {set:?} does not refute {marking:?}"
                        );
                        let smaller = sets.iter().find(|other| {
                            let is_within = other.iter().zip(&set).all(|(&one, &of)| one == 0 || one == of);
                            is_within && **other != set && refutes(&net, kind, other, &marking)
                        });
                        assert_eq!(smaller, None, "{kind} {set:?} is not minimal");
                    }
                }
            }
        }
    }
    for kind in kinds().into_iter().filter(|kind| kind.is_weighted()) {
        assert!(found.contains_key(&kind), "{found:?}");
    }
    assert!(found.values().sum::<usize>() > 50, "{found:?}");
}

/// Reachable markings are never refuted.
#[test]
fn reachable_markings_are_in_every_invariant() {
    let system = system(RING);
    for net in (2..=4).flat_map(|size| trees(&system, size)).map(|tree| unfold(&system, &tree)) {
        let mut reachable = vec![];
        search::reachable(&net, 1_000, &Budget::unlimited(), |marking| reachable.push(marking.clone()));
        for kind in kinds() {
            for marking in &reachable {
                assert_eq!(find(&net, kind, marking), None, "{kind} refutes a reachable marking");
            }
        }
    }
}

fn grammar(system: &System) -> Grammar {
    let Ok(grammar) =
        Grammar::new(system, &Places::new(system), &mut || Ok::<_, std::convert::Infallible>(()));
    grammar
}

/// A rule with many components that meet in pairs is cut so that few variables are in sight at once.
#[test]
fn long_rules_are_cut_narrow() {
    let variables: Vec<String> = (0..20).map(|i| format!("x{i}")).collect();
    let pairs: Vec<String> =
        variables.windows(2).map(|pair| format!("p({}) q({})", pair[0], pair[1])).collect();
    let atoms: Vec<String> = variables.iter().map(|x| format!("A({x})")).collect();
    let text = format!(
        "component A {{ states s, t; init s; s -p-> t; t -q-> s; }} S() <- new {} . <{}> ({});",
        variables.join(", "),
        pairs.join(" + "),
        atoms.join(", ")
    );
    let system = system(&text);
    let grammar = grammar(&system);
    let widest =
        grammar.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Prefix).map(|symbol| symbol.slots);
    assert_eq!(widest.max(), Some(1));
}

/// Rules with thousands of variables are cut without a look at all of them for each.
#[test]
fn wide_rules_are_cut_soon() {
    let wide = |count: usize, interactions: &dyn Fn(&[String]) -> String| {
        let variables: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
        let atoms: Vec<String> = variables.iter().map(|x| format!("A({x})")).collect();
        let text = format!(
            "component A {{ states s, t; init s; s -p-> t; t -q-> s; }} S() <- new {} . {} ({});",
            variables.join(", "),
            interactions(&variables),
            atoms.join(", ")
        );
        grammar(&system(&text))
    };
    assert_eq!(wide(20_000, &|_| String::new()).productions.len(), 20_000 - 1);
    let all = |variables: &[String]| format!("<p({})>", variables.join(") p("));
    let grammar = wide(1_500, &all);
    assert_eq!(grammar.productions.iter().map(|production| production.interactions.len()).sum::<usize>(), 1);
}

/// What is called hopeless stays false whatever is added.
#[test]
fn hopeless_errors_never_come_true() {
    let system =
        system("component A { states s, t; init s; s -p-> t; final t; } S() <- new x . <p(x)> (A(x));");
    let component = paramcheck_model::component::TypeId::new(0);
    let count = |comparison, bound| {
        ErrorFormula::Count(Count { weights: vec![(component, StateId::new(1), 1)], comparison, bound })
    };
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    let comparisons = [AtLeast, AtMost, Greater, Less, Equal, NotEqual];
    let mut formulas: Vec<ErrorFormula> = vec![ErrorFormula::Deadlock];
    formulas.extend(
        comparisons.into_iter().flat_map(|c| (0..3).map(move |bound| (c, bound))).map(|(c, b)| count(c, b)),
    );
    let negated: Vec<_> = formulas.iter().map(|f| ErrorFormula::Not(Box::new(f.clone()))).collect();
    formulas.extend(negated);
    let pairs: Vec<ErrorFormula> = formulas
        .iter()
        .flat_map(|f| formulas.iter().map(move |g| (f.clone(), g.clone())))
        .flat_map(|(f, g)| [ErrorFormula::And(vec![f.clone(), g.clone()]), ErrorFormula::Or(vec![f, g])])
        .collect();
    formulas.extend(pairs);
    for formula in formulas {
        let mut automaton = ErrorAutomaton::new(&formula).unwrap();
        let [s, t] = [0, 1].map(|state| automaton.component(&system, component, StateId::new(state)));
        // Everything that up to five components and enabled transitions can lead to.
        let mut reached = vec![s, t];
        for _ in 0..5 {
            for id in reached.clone() {
                let next = [automaton.sum(id, s), automaton.sum(id, t), automaton.mark(id, true, 0)];
                for state in next {
                    if !reached.contains(&state) {
                        assert!(
                            !automaton.is_hopeless(id) || !automaton.is_error(state),
                            "{formula:?} was hopeless and came true"
                        );
                        reached.push(state);
                    }
                }
            }
        }
        for &id in &reached {
            assert!(!(automaton.is_hopeless(id) && automaton.is_error(id)), "{formula:?}");
        }
    }
}

/// A linear sum is followed no further than its bound: what a part lacks beyond it can't be made good.
#[test]
fn linear_sums_are_followed_up_to_their_bound() {
    let system = system(
        "component A { states s, t; init s; s -p-> t; }
         S() <- new x, y, z . <p(x) p(y)> (A(x), A(y), A(z));",
    );
    let net = trees(&system, 3).next().map(|tree| unfold(&system, &tree)).unwrap();
    let [s, t] = [0, 1].map(StateId::new);
    // Of x and y, which move together, only one has moved.
    let marking: Marking = [s, t, s].into_iter().collect();
    for bound in 1..=3 {
        assert!(find(&net, InvariantKind::Linear(bound), &marking).is_some());
    }
    let system = self::system(
        "component T { states free, lent; init free; free -lend-> lent; lent -back-> free; }
         component C { states out, in; init out; out -enter-> in; in -leave-> out; }
         S() <- new t, u, c, d, e .
           <enter(c) lend(t) + leave(c) back(t) + enter(d) lend(t) + leave(d) back(t) + enter(e) lend(t) + leave(e) back(t)
          + enter(c) lend(u) + leave(c) back(u) + enter(d) lend(u) + leave(d) back(u) + enter(e) lend(u) + leave(e) back(u)>
           (T(t), T(u), C(c), C(d), C(e));",
    );
    let net = trees(&system, 5).next().map(|tree| unfold(&system, &tree)).unwrap();
    // Two tickets, three cars: summed up one by one the tickets first lack two.
    let marking: Marking = [t, t, t, t, t].into_iter().collect();
    assert_eq!(find(&net, InvariantKind::Linear(1), &marking), None);
    assert!(find(&net, InvariantKind::Linear(2), &marking).is_some());
}

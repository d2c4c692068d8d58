//! Properties of the runs of an instance: the engine against fixpoints over all moments, on random systems; runs
//! that violate them, and what is no such run.

use std::collections::BTreeSet;

use paramcheck_model::lower::{load, lower_property};
use paramcheck_model::property::Property;
use paramcheck_model::syntax::parser::parse_property;
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::{Marking, evaluate};
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_verdict::Status;
use paramcheck_verdict::process::{InstanceQuestions, InstanceRun, Options, RunRefusal, decide, violates};

use super::support::{random, seeds};

/// The property that a text defines.
fn property(system: &System, text: &str) -> Property {
    let (definition, diagnostics) = parse_property(text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let lowered = lower_property(system, &definition.expect("it can be read"), text);
    lowered.unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}")).0
}

/// A run that violates a property, if there is one.
fn violation(system: &System, net: &Net, property: &Property, schedule: Schedule) -> Option<InstanceRun> {
    let properties = std::slice::from_ref(property);
    let questions = InstanceQuestions { name: "it", system, net, errors: &[], properties };
    let options = Options { schedule, ..Options::default() };
    let verdict = decide(&questions, true, &[], &options).verdicts.remove(0);
    match verdict.answer().unwrap_or_else(|| panic!("{:?}", verdict.bug)).status.clone() {
        Status::Proved(_) => None,
        Status::Violated(run) => Some(run),
        Status::Unknown(why) => panic!("{}: {why}", property.text),
    }
}

/// A marking, the transition that led to it, and the moments that may follow.
type Moment = (Marking, Option<NetTransitionId>, Vec<usize>);

/// All moments of an instance, the first one first.
fn moments(net: &Net, most: usize) -> Option<Vec<Moment>> {
    let key = |marking: &Marking, last| (super::support::plain::numbers(marking), last);
    let mut all = vec![(net.initial(), None, Vec::new())];
    let mut numbers = std::collections::BTreeMap::from([(key(&all[0].0, None), 0)]);
    let mut at = 0;
    while at < all.len() {
        let marking = all[at].0.clone();
        for transition in net.transitions().indices() {
            let Some(next) = net.fire(transition, &marking) else { continue };
            let number = *numbers.entry(key(&next, Some(transition))).or_insert_with(|| {
                all.push((next, Some(transition), Vec::new()));
                all.len() - 1
            });
            all[at].2.push(number);
        }
        at += 1;
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// Whether a transition moves some component by a port of this name.
fn is_by(system: &System, net: &Net, transition: NetTransitionId, port: &str) -> bool {
    net.transitions()[transition].moves.iter().any(|one| {
        let component = &system.types[net.components()[one.component].component_type];
        component.transitions[one.transition].port.is_some_and(|offered| system.ports[offered] == port)
    })
}

#[test]
fn properties_of_random_instances_are_those_of_their_moments() {
    let (mut violated, mut held) = (0, 0);
    for seed in seeds(150, 1_500) {
        let Some((_, system)) = random::system(seed) else { continue };
        let Some(port) = system.ports.iter().next().cloned() else { continue };
        let errors: Vec<_> =
            std::iter::once(System::deadlock()).chain(system.errors.iter().cloned()).collect();
        for size in 1..=4 {
            for tree in trees(&system, size).take(2) {
                let net = unfold(&system, &tree);
                let Some(moments) = moments(&net, 2_000) else { continue };
                let did =
                    |moment: usize| moments[moment].1.is_some_and(|last| is_by(&system, &net, last, &port));
                let can = |moment: usize| {
                    net.enabled(&moments[moment].0).any(|transition| is_by(&system, &net, transition, &port))
                };
                let mut atoms: Vec<(String, Vec<bool>)> = vec![
                    (format!("did {port}"), (0..moments.len()).map(did).collect()),
                    (format!("can {port}"), (0..moments.len()).map(can).collect()),
                ];
                for error in &errors {
                    let is_in: Option<Vec<bool>> = moments
                        .iter()
                        .map(|(marking, ..)| evaluate(&system, &net, &error.formula, marking))
                        .collect();
                    atoms.extend(is_in.map(|is_in| (error.name.clone(), is_in)));
                }
                for (atom, holds) in atoms {
                    let context = format!("seed {seed}, size {size}: {atom}");
                    let all = !holds.contains(&false);
                    // Moments without it from which a run can go on without it for ever, or to an end.
                    let mut avoiding: BTreeSet<usize> = (0..moments.len()).filter(|at| !holds[*at]).collect();
                    loop {
                        let goes_on = |at: &usize| {
                            let next = &moments[*at].2;
                            next.is_empty() || next.iter().any(|next| avoiding.contains(next))
                        };
                        let left: BTreeSet<usize> = avoiding.iter().copied().filter(goes_on).collect();
                        if left.len() == avoiding.len() {
                            break;
                        }
                        avoiding = left;
                    }
                    let some = !avoiding.contains(&0);
                    for (formula, expected) in [(format!("G {atom}"), all), (format!("F {atom}"), some)] {
                        let property = property(&system, &format!("it = {formula}"));
                        let [any, weak, strong] =
                            [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair]
                                .map(|schedule| violation(&system, &net, &property, schedule).is_none());
                        assert_eq!(any, expected, "{context}: {formula}");
                        assert!(any <= weak && weak <= strong, "{context}: {formula}");
                        *if any { &mut held } else { &mut violated } += 1;
                    }
                }
            }
        }
    }
    assert!(held > 100 && violated > 100, "{held} hold, {violated} are violated");
}

const RING: &str = "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
     Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
     Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
     Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
     error two = #busy >= 2;";

/// The ring of three nodes, of which the last is busy at first.
fn ring() -> (System, Net) {
    let system = load(RING).system.unwrap();
    let tree = trees(&system, 3).next().unwrap();
    let net = unfold(&system, &tree);
    (system, net)
}

#[test]
fn the_token_goes_round() {
    let (system, net) = ring();
    let holds = |formula: &str| {
        violation(&system, &net, &property(&system, &format!("it = {formula}")), Schedule::Any).is_none()
    };
    for formula in [
        "G !two",
        "G F Node#2.busy",
        "G (Node#1.busy -> X Node#2.busy)",
        "G (did Node#1.out -> Node#2.busy)",
        "<<Node#3.out>> Node#1.busy",
        "[[Node#1.out]] false",
        "G <<true>> true",
        "G (can Node#2.out <-> Node#2.busy)",
        "!Node#1.busy U did Node.in",
        "Node#3.busy & X (Node#1.busy & X (Node#2.busy & X Node#3.busy))",
        "G #busy == 1",
        "G !deadlock",
        "(G F can out) -> G F did in",
    ] {
        assert!(holds(formula), "{formula}");
        assert!(!holds(&format!("!({formula})")), "{formula}");
    }
}

#[test]
fn a_forged_run_is_refused() {
    let (system, net) = ring();
    let wanted = property(&system, "it = F two");
    let run = violation(&system, &net, &wanted, Schedule::Any).unwrap();
    assert_eq!((run.loop_start, run.trace.steps.len()), (Some(0), 3));
    let judged = |property: &Property, change: &dyn Fn(&mut InstanceRun)| {
        let mut run = run.clone();
        change(&mut run);
        violates(&system, &net, property, &run, Schedule::StronglyFair)
    };
    assert_eq!(judged(&wanted, &|_| {}), Ok(()));
    assert_eq!(judged(&property(&system, "it = F Node#1.busy"), &|_| {}), Err(RunRefusal::Satisfies));
    // It could go on, and so has not lost the property.
    assert_eq!(judged(&wanted, &|run| run.loop_start = None), Err(RunRefusal::Satisfies));
    assert_eq!(judged(&wanted, &|run| run.loop_start = Some(1)), Err(RunRefusal::Open(1)));
    assert_eq!(judged(&wanted, &|run| run.loop_start = Some(3)), Err(RunRefusal::Open(3)));
    let refused = judged(&wanted, &|run| run.trace.steps.reverse());
    assert!(matches!(refused, Err(RunRefusal::Replay(_))), "{refused:?}");
}

#[test]
fn a_component_alone_may_be_left_out_unless_runs_are_fair() {
    let text = "component Cell { states off, on; init off; off -set-> on; on -reset-> off; }
                Row() <- new x . <set(x) + reset(x)> (Cell(x), Row());
                Row() <- new x . <set(x) + reset(x)> (Cell(x));";
    let system = load(text).system.unwrap();
    let net = unfold(&system, &trees(&system, 2).next().unwrap());
    let wanted = property(&system, "it = F Cell#2.on");
    let run = violation(&system, &net, &wanted, Schedule::Any).unwrap();
    assert_eq!(violates(&system, &net, &wanted, &run, Schedule::WeaklyFair), Err(RunRefusal::Unfair));
    assert_eq!(violation(&system, &net, &wanted, Schedule::WeaklyFair), None);
}

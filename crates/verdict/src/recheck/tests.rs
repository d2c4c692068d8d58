//! A trace that is changed in any way is no violation.

use super::{TraceError, recheck};
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::SearchOptions;
use paramcheck_nets::explore::search::{Reduction, explore_net};
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::limits::Budget;

const RING: &str = "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
     Ring()      <- new x, y . <out(y) in(x)> (Chain(x, y));
     Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
     Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
     error moved = #busy == 1;
     error none  = #busy == 0;";

/// An instance, its errors, and a trace of one step to the first.
fn example() -> (System, Net, [NamedError; 2], Trace) {
    let system = load(RING).system.unwrap();
    let [moved, none] = ["moved", "none"].map(|name| system.error_named(name).unwrap());
    let net = unfold(&system, &trees(&system, 3).next().unwrap());
    let start = explore_net(
        &system,
        &net,
        &[&moved.formula],
        Reduction::default(),
        &SearchOptions::default(),
        &Budget::unlimited(),
    );
    let mut trace = start.errors[0].trace.clone().unwrap();
    let step = net.enabled(&trace.markings[0]).next().unwrap();
    let mut marking = trace.markings[0].clone();
    net.transitions()[step].moves.iter().for_each(|one| marking[one.component] = one.to);
    trace.steps.push(step);
    trace.markings.push(marking);
    (system, net, [moved, none], trace)
}

#[test]
fn traces_are_taken_again() {
    let (system, net, [moved, none], trace) = example();
    assert_eq!(recheck(&system, &net, &moved, &trace), Ok(()));
    assert_eq!(recheck(&system, &net, &none, &trace), Err(TraceError::WrongEnd));
    let mut twice = trace.clone();
    twice.steps.push(trace.steps[0]);
    twice.markings.push(trace.markings[1].clone());
    assert!(matches!(recheck(&system, &net, &moved, &twice), Err(TraceError::Replay(_))));
    let mut other = trace;
    other.markings[1] = other.markings[0].clone();
    assert!(matches!(recheck(&system, &net, &moved, &other), Err(TraceError::Replay(_))));
}

//! Every example, every size up to 6: what ESBMC finds within bounds is what the explorer finds, and as near.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use paramcheck_emulation::instance::encode;
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_emulation::triple::{CounterId, LocationId};
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{ErrorReach, NetExploration, Reduction, explore_net, reachable};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::bounded::is_reached;
use super::{Subject, each, examples};
use crate::suite::support::{errors, system};

/// Larger instances are left out.
const MAX_COMPONENTS: usize = 6;
/// The number of instances of a size on which ESBMC is queried.
const MAX_TREES: usize = 3;
/// What is further away than that, only errors are looked for.
const MAX_STEPS: u32 = 12;

/// An instance as the explorer knows it.
pub(super) struct Explored {
    /// Its programs.
    pub subject: Subject,
    /// How far away each question's error is, where it is reached.
    pub distances: Vec<Option<u32>>,
    /// How far away the furthest marking is.
    depth: u32,
    /// To be in the last marking of those that are so far away.
    at_last: Condition,
}

/// The instances of every example, at most the given number of a size.
pub(super) fn explored(most_trees: usize) -> Vec<Explored> {
    let mut all = Vec::new();
    for file in examples(".rs") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
        let model = system(&fs::read_to_string(path).unwrap());
        let smallest = (1..).find(|size| trees(&model, *size).next().is_some()).unwrap();
        // Where all are larger, the smallest.
        for size in smallest..=MAX_COMPONENTS.max(smallest) {
            for (number, tree) in trees(&model, size).take(most_trees).enumerate() {
                let net = unfold_within(&model, &tree, 20_000).unwrap();
                all.push(Explored::new(format!("{file}, size {size}, tree {number}"), &model, &net));
            }
        }
    }
    all
}

/// Explores all of an instance.
fn explore(name: &str, model: &System, net: &Net, errors: &[&ErrorFormula]) -> NetExploration {
    let (reduction, options) = (Reduction::default(), SearchOptions::default());
    let found = explore_net(model, net, errors, reduction, &options, &Budget::unlimited());
    assert_eq!(found.end, End::Exhausted, "{name}");
    assert!(found.errors.iter().all(|error| error.undecided == 0), "{name}");
    found
}

/// The condition of being in the marking that is reported last. No marking is further away.
fn at_last(net: &Net) -> Condition {
    let mut last = None;
    assert!(reachable(net, usize::MAX, &Budget::unlimited(), |marking| last = Some(marking.clone())));
    let marking = last.unwrap();
    let states = marking.enumerate();
    let at = states.map(|(component, state)| {
        Condition::At(CounterId::new(component.index()), vec![LocationId::new(state.index())])
    });
    Condition::And(at.collect())
}

impl Explored {
    fn new(name: String, model: &System, net: &Net) -> Explored {
        let errors = errors(model);
        let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
        let found = explore(&name, model, net, &formulas);
        let distance = |error: &ErrorReach| error.trace.as_ref().map(|trace| trace.steps.len() as u32);
        let questions = errors.iter().map(|error| Question::of_error(model, net, error).unwrap());
        Explored {
            distances: found.errors.iter().map(distance).collect(),
            depth: found.depth as u32,
            at_last: at_last(net),
            subject: Subject { name, structure: encode(model, net), questions: questions.collect() },
        }
    }

    fn hold(&self, question: &Question, steps: u32, expected: bool) {
        let found = is_reached(&self.subject, question, Schedule::Any, steps);
        assert_eq!(found, expected, "{}: {question:?} within {steps} steps", self.subject.name);
    }

    /// ESBMC finds each error as near as it is and no nearer, and nothing where there is none; and it gets as
    /// far as the explorer does, so that finding nothing means something.
    fn check(&self) {
        let mut absent: BTreeMap<u32, Vec<Condition>> = BTreeMap::new();
        for (question, distance) in self.subject.questions.iter().zip(&self.distances) {
            let Demand::Never(condition) = &question.demand else { panic!("{question:?}") };
            if let Some(distance) = distance {
                self.hold(question, *distance, true);
            }
            let within = distance.map_or(Some(self.depth.min(MAX_STEPS)), |found| found.checked_sub(1));
            if let Some(within) = within {
                absent.entry(within).or_default().push(condition.clone());
            }
        }
        // One question about all that is not to be found within as many steps.
        for (steps, conditions) in absent {
            self.hold(&never("absent", Condition::Or(conditions)), steps, false);
        }
        if self.depth <= MAX_STEPS {
            self.hold(&never("at_last", self.at_last.clone()), self.depth, true);
        }
    }
}

fn never(name: &str, condition: Condition) -> Question {
    Question { name: name.to_owned(), demand: Demand::Never(condition) }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs ESBMC: PARAMCHECK_LONG=1")]
fn esbmc_agrees_on_instances_of_every_size() {
    let instances = explored(MAX_TREES);
    each(&instances, Explored::check);
    let count = |is_so: fn(&Explored) -> bool| instances.iter().filter(|instance| is_so(instance)).count();
    let violated = count(|instance| instance.distances.iter().any(Option::is_some));
    assert!(instances.len() >= 200 && violated >= 40, "{violated} of {}", instances.len());
    // Of most of them every marking is within the bound.
    let whole = count(|instance| instance.depth <= MAX_STEPS);
    assert!(whole * 10 >= instances.len() * 9, "{whole} of {}", instances.len());
}

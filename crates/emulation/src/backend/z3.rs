//! Z3: Spacer looks for an invariant of constrained Horn clauses (see [`writers::chc`](crate::writers::chc)).
//!
//! Its refutation has the states on the way to the error, in no order that can be relied on. The steps are
//! found again by a search among these states.

use std::collections::BTreeSet;

use crate::evolution::{Evolution, State};
use crate::program::Program;
use crate::replay::{Mismatch, replay};
use crate::triple::{LocationId, TripleId};
use crate::writers::NotWritable;
use crate::writers::chc::{Encoding, Options, chc, facts};
use paramcheck_process::model::LabelId;
use paramcheck_text::limits::{Budget, Stop};

use super::{About, Answer, Backend, Command, Counterexample, Job, Next, Output, Tool, Unknown};

/// What helps Spacer with these clauses, and keeps it from rewriting them before it begins: the states in its
/// refutation are those of the clauses then.
const SETTINGS: [&str; 5] = [
    "fp.engine=spacer",
    "fp.spacer.push_pob=true",
    "fp.xform.slice=false",
    "fp.xform.inline_linear=false",
    "fp.xform.inline_eager=false",
];

/// How often Spacer is run. It depends on luck whether it needs a second for a question or many: of forty
/// hard ones, each seed answers all but two to six in two seconds, and not the same ones.
const ATTEMPTS: usize = 7;
/// What the first attempt may do, in Z3's own measure (nine millions are a second, about).
const FIRST_WORK: u64 = 20_000_000;
/// And how many seconds, for there is work that it does not count.
const FIRST_SECONDS: u64 = 10;

/// The back end.
#[derive(Clone, Copy, Debug)]
pub struct Z3;

impl Backend for Z3 {
    fn about(&self) -> About {
        About {
            name: "z3",
            title: "Z3 (Spacer)",
            technique: "invariants of constrained Horn clauses",
            tools: &[Tool { names: &["z3"], package: "Debian package z3" }],
            is_tested: true,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let Some(output) = done.last() else {
            let encoding = Encoding::quickest(&program.question.demand);
            return match chc(program, Options { encoding, with_proof: true }, budget) {
                Err(reason) => reason.into(),
                Ok(text) => Next::Run(attempt(0, vec![("program.smt2".to_owned(), text)])),
            };
        };
        Next::Answer(match output.whole_lines().next().map(str::trim) {
            Some("sat") if is_orderly(output) => Answer::Proved,
            Some("unsat") => match counterexample(program, &output.stdout, &budget.for_evidence()) {
                Ok(run) => Answer::Violated(run),
                Err(stop) => Answer::Unknown(Unknown::Stopped(stop)),
            },
            Some("unknown" | "timeout") if done.len() < ATTEMPTS => {
                return Next::Run(attempt(done.len(), Vec::new()));
            }
            Some("unknown") => Answer::Unknown(Unknown::Inconclusive("Spacer gives up".to_owned())),
            _ => output.failure("Z3 gives no verdict"),
        })
    }
}

/// The call of Z3 after this many that were not answered: by another seed, and all but the last within limits
/// that double.
fn attempt(number: usize, files: Vec<(String, String)>) -> Job {
    let mut arguments: Vec<String> = SETTINGS.iter().map(|&word| word.to_owned()).collect();
    arguments.push(format!("fp.spacer.random_seed={number}"));
    if number + 1 < ATTEMPTS {
        arguments.push(format!("rlimit={}", FIRST_WORK << number));
        arguments.push(format!("-T:{}", FIRST_SECONDS << number));
    }
    arguments.push("program.smt2".to_owned());
    Job { files, command: Command::Tool(0), arguments, makes: None }
}

/// Whether this is all that Z3 outputs for clauses that hold, and it ends as it does then: there is no
/// refutation to be printed, which it calls an error, and an error gives exit code 1. Any other error may
/// have come before the answer was found, whatever the first line is.
fn is_orderly(output: &Output) -> bool {
    let is_no_proof = |line: &str| {
        let place = line.strip_prefix("(error \"line ");
        place.is_some_and(|rest| rest.ends_with(": proof is not available\")"))
    };
    let lines: Vec<&str> = output.whole_lines().collect();
    let is_said = matches!(lines.as_slice(), [_, error] if is_no_proof(error));
    is_said && output.stdout.ends_with('\n') && output.code == Some(1)
}

/// A moment of the search, as far as what comes after depends on it.
type Moment = (State, u32, Option<LabelId>);

/// A violation through states that are in the refutation.
fn counterexample(
    program: &Program<'_>,
    refutation: &str,
    budget: &Budget,
) -> Result<Option<Counterexample>, Stop> {
    let facts = match facts(program, Encoding::quickest(&program.question.demand), refutation, budget) {
        Ok(facts) => facts,
        Err(NotWritable::Stopped(stop)) => return Err(stop),
        // Then nothing was queried.
        Err(_) => return Ok(None),
    };
    let known: BTreeSet<(Vec<LocationId>, Vec<i64>)> =
        facts.into_iter().map(|fact| (fact.counters, fact.values)).collect();
    let evolution = Evolution::new(program.structure);
    let is_known = |state: &State| known.contains(&(state.counters.clone(), state.values.clone()));
    let mut seen: BTreeSet<Moment> = BTreeSet::new();
    for initial in evolution.initial().into_iter().filter(|initial| is_known(initial)) {
        // Depth first: the moments on the way, and what is left to be tried of each.
        let mut way: Vec<Moment> = Vec::new();
        let mut steps: Vec<TripleId> = Vec::new();
        let mut open: Vec<Vec<(TripleId, Moment)>> = Vec::new();
        let mut next = Some((initial, 0, None));
        loop {
            if let Some(moment) = next.take() {
                let claimed = Counterexample { steps: steps.clone(), loop_start: None };
                match replay(program, &claimed, budget) {
                    Ok(_) => return Ok(Some(claimed)),
                    Err(Mismatch::Stopped(stop)) => return Err(stop),
                    Err(Mismatch::NotReached | Mismatch::Open) => {
                        open.push(successors(program, &evolution, &moment));
                        way.push(moment);
                    }
                    // The step is not allowed, or the condition holds.
                    Err(_) => {
                        steps.pop();
                    }
                }
            }
            let Some(left) = open.last_mut() else { break };
            let Some((id, moment)) = left.pop() else {
                open.pop();
                way.pop();
                steps.pop();
                continue;
            };
            if !is_known(&moment.0) {
                continue;
            }
            if let Some(start) = way.iter().position(|before| (&before.0, before.1) == (&moment.0, moment.1))
            {
                let mut steps = steps.clone();
                steps.push(id);
                let claimed = Counterexample { steps, loop_start: Some(start) };
                match replay(program, &claimed, budget) {
                    Ok(_) => return Ok(Some(claimed)),
                    Err(Mismatch::Stopped(stop)) => return Err(stop),
                    Err(_) => {}
                }
            }
            if seen.insert(moment.clone()) {
                steps.push(id);
                next = Some(moment);
            }
        }
    }
    Ok(None)
}

/// Where the steps lead, whose turn it is then.
fn successors(
    program: &Program<'_>,
    evolution: &Evolution<'_>,
    (state, turn, _): &Moment,
) -> Vec<(TripleId, Moment)> {
    let structure = program.structure;
    let found = evolution.successors(state);
    let agents = structure.agents.len().max(1) as u32;
    let wait = |id: &TripleId| {
        let own = structure.triples[*id].agents.iter();
        own.map(|agent| (agent + agents - turn) % agents).min()
    };
    let least = found.iter().filter_map(|(id, _)| wait(id)).min();
    let after = |id: &TripleId| match least {
        Some(least) if program.is_round_robin() && wait(id).is_some() => (turn + least + 1) % agents,
        _ => *turn,
    };
    found
        .into_iter()
        .map(|(id, state)| {
            let moment = (state, after(&id), structure.triples[id].label());
            (id, moment)
        })
        .collect()
}

#[cfg(test)]
mod tests;

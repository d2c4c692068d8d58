//! Finds the run of a system that is given by its steps only: what is done, and by whom.
//!
//! A step may lead to several states, so all runs with these steps are followed side by side, moment by
//! moment, from each state by each turn once. An infinite run is given by the steps of its loop; the system
//! may go through them several times before it is where it was. What is found is [`replay`]ed: nothing rests
//! on this.

use rustc_hash::FxHashMap;

use super::replay::{Evidence, Mismatch, replay, whose_turn};
use super::{Run, RunStep, Schedule};
use crate::model::Goal;
use crate::semantics::behaviour::BehaviourId;
use crate::semantics::explore::after;
use crate::semantics::network::Interpreter;

/// More runs are not followed side by side.
const MAX_WAYS: usize = 10_000;
/// A loop is not gone through more often.
const MAX_ROUNDS: usize = 64;

/// A state and whose turn it is.
type Node = (Vec<BehaviourId>, u32);

/// A run that takes these steps (the last ones again and again, from `loop_start` on) and violates a check,
/// and what the rules make of it.
///
/// # Errors
/// There is none, or none was found.
pub fn retrace(
    interpreter: &mut Interpreter<'_>,
    goal: &Goal,
    schedule: Schedule,
    steps: &[RunStep],
    loop_start: Option<usize>,
) -> Result<(Run, Evidence), Mismatch> {
    let first = (interpreter.initial(), 0);
    let (before, round) = steps.split_at(loop_start.unwrap_or(steps.len()).min(steps.len()));
    let mut reason = Mismatch::Wrong("the system has no run with these steps");
    for way in ways(interpreter, schedule, first, before)? {
        if round.is_empty() {
            let run = as_run(&way, before, None);
            match replay(interpreter, goal, schedule, &run) {
                Ok(found) => return Ok((run, found)),
                Err(mismatch) => reason = mismatch,
            }
            continue;
        }
        // Round by round, depth first: the way so far, and where each round began.
        let mut open: Vec<(Vec<Node>, Vec<usize>)> = vec![(way, vec![before.len()])];
        let mut tried = 0;
        while let Some((way, begins)) = open.pop() {
            tried += 1;
            let Some(last) = way.last().filter(|_| tried <= MAX_WAYS) else { break };
            let again = begins.iter().rev().skip(1).find(|begin| way.get(**begin) == Some(last));
            if let Some(begin) = again {
                let all: Vec<RunStep> =
                    before.iter().chain(round.iter().cycle()).take(way.len() - 1).cloned().collect();
                let run = as_run(&way, &all, Some(*begin));
                match replay(interpreter, goal, schedule, &run) {
                    Ok(found) => return Ok((run, found)),
                    Err(mismatch) => reason = mismatch,
                }
                continue;
            }
            if begins.len() > MAX_ROUNDS {
                continue;
            }
            for next in ways(interpreter, schedule, last.clone(), round)? {
                let longer: Vec<Node> = way.iter().chain(next.iter().skip(1)).cloned().collect();
                let begins = begins.iter().copied().chain([longer.len() - 1]).collect();
                open.push((longer, begins));
            }
        }
    }
    Err(reason)
}

/// The ways from a node by these steps, one to each node that they end in.
fn ways(
    interpreter: &mut Interpreter<'_>,
    schedule: Schedule,
    from: Node,
    steps: &[RunStep],
) -> Result<Vec<Vec<Node>>, Mismatch> {
    // Per moment the nodes, each with the position of one that leads to it.
    let mut moments: Vec<Vec<(Node, usize)>> = vec![vec![(from, 0)]];
    for wanted in steps {
        let mut known: FxHashMap<Node, ()> = FxHashMap::default();
        let mut next = Vec::new();
        for (position, ((state, turn), _)) in moments.last().into_iter().flatten().enumerate() {
            let possible = interpreter.steps(state)?;
            let actor = match schedule {
                Schedule::RoundRobin => whose_turn(&possible, *turn, interpreter.agents()),
                Schedule::Any | Schedule::WeaklyFair | Schedule::StronglyFair => None,
            };
            if actor.is_some_and(|actor| !wanted.agents.contains(&actor)) {
                continue;
            }
            let turn = actor.map_or(*turn, |actor| (actor + 1) % interpreter.agents().max(1) as u32);
            for step in possible.iter().filter(|step| wanted.is(step)) {
                let node = (after(state, step), turn);
                if next.len() < MAX_WAYS && known.insert(node.clone(), ()).is_none() {
                    next.push((node, position));
                }
            }
        }
        moments.push(next);
    }
    let ends = 0..moments.last().map_or(0, Vec::len);
    let way = |end: usize| {
        let mut position = end;
        let mut way: Vec<Node> = Vec::new();
        for moment in moments.iter().rev() {
            let Some((node, before)) = moment.get(position) else { break };
            way.push(node.clone());
            position = *before;
        }
        way.reverse();
        way
    };
    Ok(ends.map(way).collect())
}

fn as_run(way: &[Node], steps: &[RunStep], loop_start: Option<usize>) -> Run {
    Run { states: way.iter().map(|(state, _)| state.clone()).collect(), steps: steps.to_vec(), loop_start }
}

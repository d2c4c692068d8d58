//! From a question to an answer: plan, child, witness.

use super::message::{Labelling, Message, Request};
use super::plan::{Lowered, TooManyTracks, lower};
use super::{Answer, Built, Decision, Means, Question, Undecided, Value, Witness, child};
use crate::formula::Variable;
use paramcheck_invariants::outcome::MonaFailure;

#[cfg(test)]
mod tests;

/// Decides a formula.
///
/// # Errors
///
/// If no answer was found: see [`MonaFailure`].
pub fn decide(question: &Question<'_>, means: &Means) -> Result<Decision, Undecided> {
    let early = |what, at| Undecided { what, at, built: Vec::new() };
    if !(1..=2).contains(&question.successors) {
        return Err(early(MonaFailure::Successors(question.successors), None));
    }
    let lowered = match lower(question.store, question.formula, question.successors) {
        Ok(lowered) => lowered,
        Err(TooManyTracks(at)) => return Err(early(MonaFailure::Tracks(super::plan::MAX_TRACKS), Some(at))),
    };
    if lowered.impossible {
        return Ok(Decision { answer: Answer::Unsatisfiable, built: Vec::new() });
    }
    if lowered.plan.conjuncts.is_empty() {
        let witness = witness(&lowered.variables, Labelling::default());
        return Ok(Decision { answer: Answer::Satisfiable(witness), built: Vec::new() });
    }
    let Lowered { plan, sources, variables, .. } = lowered;
    let request = Request { successors: question.successors, memory: means.memory, plan };
    let source = |step: Option<u32>| step.and_then(|step| sources.get(step as usize).copied());
    let mut at = None;
    let mut built = Vec::new();
    let answer = child::query(&means.worker, &request, &means.budget, |message| {
        match message {
            Message::Begin(step) => at = Some(source(step).unwrap_or(question.formula)),
            Message::End { step, states, nodes, micros } => {
                means.budget.progress.set(built.len() as u64 + 1);
                built.push(Built { formula: source(step), states, nodes, micros });
            }
            Message::Unsatisfiable => return Some(Answer::Unsatisfiable),
            Message::Satisfiable(labelling) => {
                return Some(Answer::Satisfiable(witness(&variables, labelling)));
            }
            Message::Refused(_) => {}
        }
        None
    });
    match answer {
        Ok(answer) => Ok(Decision { answer, built }),
        Err(what) => Err(Undecided { what, at, built }),
    }
}

/// The values in a labelling of the variables that own its tracks.
fn witness(variables: &[Variable], labelling: Labelling) -> Witness {
    let Labelling { mut nodes, tracks } = labelling;
    if nodes.is_empty() {
        nodes.push(None);
    }
    let mut tracks = tracks.into_iter();
    let values = variables
        .iter()
        .map(|&variable| {
            let bits = tracks.next().unwrap_or_default();
            let value = match variable {
                // Where the formula does not constrain a node, any will do.
                Variable::Node(_) => Value::Node(bits.first().copied().unwrap_or(0)),
                Variable::Set(_) => Value::Set(bits),
            };
            (variable, value)
        })
        .collect();
    Witness { nodes, values }
}

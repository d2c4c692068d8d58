//! Questions about one instance of a rewriting system, as subjects of verdicts: errors, none of which must be
//! reached, and properties of runs.

mod runs;

use std::time::Instant;

use paramcheck_emulation::Structure;
use paramcheck_emulation::instance::encode;
use paramcheck_emulation::process::NotEncoded;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::Replayed;
use paramcheck_model::error::NamedError;
use paramcheck_model::property::Property;
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{ErrorReach, Reduction, explore_net};
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::checker::StateSource;
use super::{Answer, Explored, NATIVE, NativeAnswers, NoAnswer, Options, ProcessProof, Subject};
use crate::{InternalBug, Status, recheck};

pub use runs::{InstanceRun, RunRefusal, violates};

/// Questions about an instance: the errors first, then the properties.
#[derive(Clone, Copy, Debug)]
pub struct InstanceQuestions<'a> {
    /// The model's name.
    pub name: &'a str,
    /// The rewriting system.
    pub system: &'a System,
    /// The instance.
    pub net: &'a Net,
    /// The errors in question.
    pub errors: &'a [NamedError],
    /// The properties in question. The instance has the components that they name.
    pub properties: &'a [Property],
}

impl InstanceQuestions<'_> {
    /// What exploration found about an error.
    fn status(
        &self,
        error: &NamedError,
        reach: &ErrorReach,
        end: End,
        max_states: usize,
    ) -> Result<Status<ProcessProof, InstanceRun, NoAnswer>, InternalBug> {
        Ok(match (&reach.trace, end) {
            (Some(trace), _) => {
                recheck(self.system, self.net, error, trace)
                    .map_err(|reason| InternalBug::Trace { error: error.name.clone(), reason })?;
                Status::Violated(InstanceRun::to(trace.clone()))
            }
            (None, End::Exhausted) if reach.undecided == 0 => Status::Proved(ProcessProof::Explored),
            (None, End::Exhausted | End::Reached | End::Undecided) => Status::Unknown(NoAnswer::Undecided),
            (None, End::StateLimit | End::TooLarge) => {
                Status::Unknown(NoAnswer::Incomplete(Incomplete::States(max_states)))
            }
            (None, End::Stopped(stop)) => Status::Unknown(stop.into()),
        })
    }
}

impl Subject for InstanceQuestions<'_> {
    type Violation = InstanceRun;

    fn name(&self) -> &str {
        self.name
    }

    fn checks(&self) -> Vec<String> {
        let errors = self.errors.iter().map(|error| &error.name);
        errors.chain(self.properties.iter().map(|property| &property.name)).cloned().collect()
    }

    fn agents(&self, _: &Budget) -> Result<Vec<String>, Incomplete> {
        Ok(self.net.components().iter().map(|component| component.name.clone()).collect())
    }

    fn structure(&self, _: &Budget) -> Result<Structure, NotEncoded> {
        Ok(encode(self.system, self.net))
    }

    fn questions(&self) -> Vec<Result<Question, String>> {
        let question =
            |error| Question::of_error(self.system, self.net, error).map_err(|why| why.to_string());
        let refused = |_| Err("properties of runs of an instance are answered by native alone".to_owned());
        self.errors.iter().map(question).chain(self.properties.iter().map(refused)).collect()
    }

    /// Triple n is transition n.
    fn confirm(
        &self,
        _: &Structure,
        check: usize,
        run: &Replayed,
        _: &Options,
    ) -> Result<InstanceRun, NoAnswer> {
        let steps: Vec<NetTransitionId> =
            run.steps.iter().map(|id| NetTransitionId::new(id.index())).collect();
        let mut markings = vec![self.net.initial()];
        for step in &steps {
            let mut next = markings.last().cloned().unwrap_or_default();
            let moves =
                self.net.transitions().get(*step).into_iter().flat_map(|transition| &transition.moves);
            moves.for_each(|one| next[one.component] = one.to);
            markings.push(next);
        }
        let trace = Trace { steps, markings };
        match recheck(self.system, self.net, &self.errors[check], &trace) {
            Ok(()) => Ok(InstanceRun::to(trace)),
            Err(why) => Err(NoAnswer::NotReplayed(format!("the run {why}"))),
        }
    }

    fn steps(run: &InstanceRun) -> usize {
        run.trace.steps.len()
    }

    /// Explores the markings of the net itself.
    fn decide_natively(&self, options: &Options, _: StateSource) -> NativeAnswers<InstanceRun> {
        let begin = Instant::now();
        let mut explored = Explored { is_complete: true, ..Explored::default() };
        let mut answers = Vec::new();
        if !self.errors.is_empty() {
            (explored, answers) = self.explore(options, begin);
        }
        for property in self.properties {
            let begin = Instant::now();
            let (found, status) = runs::decide(self.system, self.net, property, options);
            // Each is a search of its own.
            explored.states = explored.states.max(found.states);
            explored.is_complete &= found.is_complete;
            explored.elapsed += begin.elapsed();
            answers.push(status.map(|status| {
                let steps = match &status {
                    Status::Violated(run) => Some(Self::steps(run)),
                    Status::Proved(_) | Status::Unknown(_) => None,
                };
                answer(status, steps, begin)
            }));
        }
        NativeAnswers {
            agents: self.agents(&options.budget).unwrap_or_default(),
            explored,
            answers,
            never_offered: Vec::new(),
        }
    }
}

impl InstanceQuestions<'_> {
    /// The answers about the errors.
    fn explore(
        &self,
        options: &Options,
        begin: Instant,
    ) -> (Explored, Vec<Result<Answer<InstanceRun>, InternalBug>>) {
        let formulas: Vec<_> = self.errors.iter().map(|error| &error.formula).collect();
        let search = SearchOptions {
            max_states: options.max_states,
            threads: options.threads,
            ..SearchOptions::default()
        };
        let found =
            explore_net(self.system, self.net, &formulas, Reduction::default(), &search, &options.budget);
        let explored = Explored {
            states: found.states,
            transitions: usize::try_from(found.transitions).ok(),
            is_complete: found.end == End::Exhausted,
            elapsed: begin.elapsed(),
        };
        let one = |(error, reach): (&NamedError, &ErrorReach)| {
            let status = self.status(error, reach, found.end, options.max_states)?;
            Ok(answer(status, reach.trace.as_ref().map(|trace| trace.steps.len()), begin))
        };
        (explored, self.errors.iter().zip(&found.errors).map(one).collect())
    }
}

/// An answer of this program's own, for which work began at `begin`.
fn answer(
    status: Status<ProcessProof, InstanceRun, NoAnswer>,
    steps: Option<usize>,
    begin: Instant,
) -> Answer<InstanceRun> {
    let (elapsed, transcript) = (begin.elapsed(), String::new());
    Answer { verifier: NATIVE.to_owned(), status, steps, elapsed, memory: None, transcript }
}

//! Processes and choreographies, as subjects of verdicts.

use paramcheck_emulation::Structure;
use paramcheck_emulation::process::{NotEncoded, encode};
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::Replayed;
use paramcheck_process::model::{Check, Goal, System};
use paramcheck_process::semantics::check::{self, Execution, Mismatch, RunStep, Schedule, retrace};
use paramcheck_process::semantics::explore::{explore, explore_turns_with, explore_with, with_interpreter};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::{Budget, Stop};

use super::checker::{Outcome, Process, ProcessChecker, StateSource};
use super::faithful::is_faithful;
use super::{NativeAnswers, NoAnswer, Options, Subject};

/// Why a check in temporal logic is no question to other verifiers.
const TEMPORAL: &str = "formulas of temporal logic are not written for other verifiers";

/// The checks of a process or choreography.
#[derive(Clone, Copy, Debug)]
pub struct ProcessChecks<'a> {
    /// The model's name.
    pub name: &'a str,
    /// The model.
    pub system: &'a System,
    /// The checks in question.
    pub checks: &'a [Check],
}

impl Subject for ProcessChecks<'_> {
    type Violation = Execution;

    fn name(&self) -> &str {
        self.name
    }

    fn checks(&self) -> Vec<String> {
        self.checks.iter().map(|check| check.name.clone()).collect()
    }

    fn agents(&self, budget: &Budget) -> Result<Vec<String>, Incomplete> {
        with_interpreter(self.system, budget, |interpreter| interpreter.agent_names())
    }

    fn structure(&self, budget: &Budget) -> Result<Structure, NotEncoded> {
        encode(self.system, budget)
    }

    fn questions(&self) -> Vec<Result<Question, String>> {
        let question = |check| Question::of_check(check).ok_or_else(|| TEMPORAL.to_owned());
        self.checks.iter().map(question).collect()
    }

    fn confirm(
        &self,
        structure: &Structure,
        check: usize,
        run: &Replayed,
        options: &Options,
    ) -> Result<Execution, NoAnswer> {
        let steps: Vec<RunStep> = run
            .steps
            .iter()
            .filter_map(|id| structure.triples.get(*id))
            .filter_map(|triple| Some(RunStep { label: triple.label()?, agents: triple.agents.clone() }))
            .collect();
        let goal = &self.checks[check].goal;
        let budget = options.budget.for_evidence();
        match self.retrace(goal, options.schedule, &steps, run.loop_start, &budget) {
            Ok(execution) => Ok(execution),
            Err(Mismatch::Stopped(stop)) => Err(stop.into()),
            Err(mismatch) => Err(NoAnswer::NotReplayed(mismatch.to_string())),
        }
    }

    fn steps(violation: &Execution) -> usize {
        violation.steps.len()
    }

    fn decide_natively(&self, options: &Options, source: StateSource) -> NativeAnswers<Execution> {
        ProcessChecker::new(self, options, source).decide()
    }
}

impl Process for ProcessChecks<'_> {
    fn goals(&self) -> Vec<Goal> {
        self.checks.iter().map(|check| check.goal.clone()).collect()
    }

    fn states(&self, max_states: usize, budget: &Budget) -> Lts {
        explore(self.system, max_states, budget).lts
    }

    fn states_in_turn(&self, max_states: usize, budget: &Budget) -> Option<Lts> {
        with_interpreter(self.system, budget, |interpreter| {
            explore_turns_with(interpreter, self.system, max_states, budget).lts
        })
        .ok()
    }

    fn is_faithful(&self, structure: &Structure, max_states: usize, budget: &Budget) -> Result<bool, Stop> {
        let found = with_interpreter(self.system, budget, |interpreter| {
            is_faithful(structure, interpreter, max_states, budget)
        });
        match found {
            Ok(found) => found,
            Err(Incomplete::Stopped(stop)) => Err(stop),
            Err(_) => Ok(false),
        }
    }

    fn retrace(
        &self,
        goal: &Goal,
        schedule: Schedule,
        steps: &[RunStep],
        loop_start: Option<usize>,
        budget: &Budget,
    ) -> Result<Execution, Mismatch> {
        let found = with_interpreter(self.system, budget, |interpreter| {
            let (run, evidence) = retrace(interpreter, goal, schedule, steps, loop_start)?;
            Ok(Execution::new(interpreter, &run, &evidence))
        });
        found.unwrap_or_else(|incomplete| Err(mismatch(incomplete)))
    }

    fn decide_by_rules(
        &self,
        goal: &Goal,
        schedule: Schedule,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Outcome<Execution>, Mismatch> {
        let found = with_interpreter(self.system, budget, |interpreter| {
            let space = explore_with(interpreter, self.system, max_states, budget);
            Ok(match check::decide(&space, goal, schedule, budget)? {
                check::Outcome::Holds => Outcome::Holds,
                check::Outcome::Unknown(incomplete) => Outcome::Unknown(incomplete),
                check::Outcome::Violated(run) => {
                    let evidence = check::replay(interpreter, goal, schedule, &run)?;
                    Outcome::Violated(Execution::new(interpreter, &run, &evidence))
                }
            })
        });
        found.unwrap_or_else(|incomplete| Err(mismatch(incomplete)))
    }
}

/// Why a run can't be replayed where there is no interpreter. (There are agents that can be named, so they
/// are not too many.)
fn mismatch(incomplete: Incomplete) -> Mismatch {
    match incomplete {
        Incomplete::Stopped(stop) => Mismatch::Stopped(stop),
        Incomplete::States(_) | Incomplete::Agents | Incomplete::Formula => {
            Mismatch::Wrong("the process has too many agents")
        }
    }
}

//! The checks of a process or choreography.

use std::time::Instant;

use paramcheck::report::Reason;
use paramcheck::report::processes::{self, CheckResult, RunReport, Verification};
use paramcheck_emulation::Structure;
use paramcheck_emulation::answer::{Native, Road};
use paramcheck_emulation::process::{NotEncoded, encode};
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::Replayed;
use paramcheck_process::model::{Check, Goal, System};
use paramcheck_process::semantics::check::{Mismatch, RunStep, retrace};
use paramcheck_process::semantics::explore::with_interpreter;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::{Incomplete, Interpreter};
use paramcheck_process::show;
use paramcheck_text::diagnostic::codes::process::calls::NO_SUCH_CHECK;
use paramcheck_text::limits::{Budget, Stop};

use super::asked::{Asking, Questions, Said, ask};
use super::{Call, Found, ms};
use crate::cli::args::nearest;
use crate::cli::backend::{reason, stopped};
use crate::cli::watch::Interrupt;
use crate::cli::{Failure, files, process};

/// Runs the call.
pub fn run(call: &mut Call<'_>, asking: Asking) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let (source, lowered) = match process::load(&call.arguments.file, call.arguments.language) {
        Ok(loaded) => loaded,
        Err(refused) => {
            call.tell(&refused.0, refused.1.as_ref());
            return Ok(());
        }
    };
    for diagnostic in &lowered.diagnostics {
        call.tell(diagnostic, Some(&source));
    }
    let Some(system) = lowered.system else { return Ok(()) };
    call.document.system = Some(show::term(&system, system.root, 80));
    let checks = checks(call, &system);
    // None of those named is there, which has been told.
    if checks.is_empty() && !call.arguments.checks.is_empty() {
        return Ok(());
    }
    let watch = call.watch(begin, interrupt);
    let found = watch.run(&source.name, |budget| {
        let work = Work { call, system: &system, checks: &checks, budget: &budget };
        work.answer(&source.name, &asking)
    });
    call.conclude(&source, asking, found, &watch)
}

/// The checks asked about.
fn checks(call: &mut Call<'_>, system: &System) -> Vec<Check> {
    if call.arguments.checks.is_empty() {
        return system.checks.clone();
    }
    let mut wanted: Vec<Check> = Vec::new();
    for name in &call.arguments.checks {
        match system.check_named(name) {
            Some(check) if wanted.contains(check) => {}
            Some(check) => wanted.push(check.clone()),
            None => {
                let names: Vec<&str> = system.checks.iter().map(|check| check.name.as_str()).collect();
                let message = format!("the file has no check `{name}`");
                let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let help = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? The checks of this file are {list}"),
                    None => format!("the checks of this file are {list}"),
                };
                call.tell(&files::plain(&NO_SUCH_CHECK, message).help(help), None);
            }
        }
    }
    wanted
}

/// What is to be answered.
struct Work<'a> {
    call: &'a Call<'a>,
    system: &'a System,
    checks: &'a [Check],
    budget: &'a Budget,
}

impl Work<'_> {
    fn answer(&self, name: &str, asking: &Asking) -> Found {
        let (schedule, memory, patience) = (self.call.schedule, self.call.memory(), self.call.patience());
        let structure = if asking.others.is_empty() {
            Ok(Structure::default())
        } else {
            encode(self.system, self.budget)
        };
        let questions: Vec<Question> = self.checks.iter().map(Question::of_check).collect();
        // What others are asked is made of triples: what they say is held against the rules.
        let road = if asking.others.is_empty() { Road::Triples } else { Road::Rules };
        let native = || asking.native.then(|| self.native(road));
        let (native, said) = match &structure {
            Ok(structure) => {
                let asked =
                    Questions { model: name, structure, questions: &questions, schedule, memory, patience };
                ask(&asking.others, &asked, self.budget, native)
            }
            Err(why) => {
                let nobody = || questions.iter().map(|_| Said::nothing(not_encoded(*why))).collect();
                (native(), asking.others.iter().map(|_| nobody()).collect())
            }
        };
        let mut found = native.unwrap_or_else(|| self.unasked());
        for (backend, own) in asking.others.iter().zip(said) {
            let own: Vec<Said> = own
                .into_iter()
                .enumerate()
                .map(|(position, said)| {
                    let result = &mut found.verification.results[position];
                    let said = match structure.as_ref() {
                        Ok(structure) => self.believed(structure, position, said, result),
                        Err(_) => said,
                    };
                    result.backends.push(said.result(backend.backend.about().name));
                    said
                })
                .collect();
            found.said.push(own);
        }
        found
    }

    /// What another says, where the model bears it out too: a violation is retraced by the rules.
    fn believed(
        &self,
        structure: &Structure,
        position: usize,
        mut said: Said,
        result: &mut CheckResult,
    ) -> Said {
        if let (Ok(Some(run)), Some(check)) = (&said.answer, self.checks.get(position)) {
            match self.retraced(structure, check, run) {
                Ok(run) => {
                    result.run.get_or_insert(run);
                }
                Err(reason) => said.answer = Err(reason),
            }
        }
        said
    }

    fn retraced(&self, structure: &Structure, check: &Check, run: &Replayed) -> Result<RunReport, Reason> {
        let steps: Vec<RunStep> = run
            .steps
            .iter()
            .filter_map(|id| structure.triples.get(*id))
            .filter_map(|triple| Some(RunStep { label: triple.label()?, agents: triple.agents.clone() }))
            .collect();
        let budget = self.budget.for_evidence();
        let retraced = with_interpreter(self.system, &budget, |interpreter| {
            let found = retrace(interpreter, &check.goal, self.call.schedule, &steps, run.loop_start);
            found.map(|(run, evidence)| RunReport::new(self.system, interpreter, &run, &evidence))
        });
        match retraced {
            Ok(Ok(report)) => Ok(report),
            Ok(Err(Mismatch::Stopped(stop))) | Err(Incomplete::Stopped(stop)) => Err(stopped(stop)),
            Ok(Err(mismatch)) => Err(reason("not-replayed", mismatch.to_string())),
            Err(incomplete) => Err(processes::reason(incomplete)),
        }
    }

    /// The checks where this program itself is not asked.
    fn unasked(&self) -> Found {
        let budget = self.budget.for_evidence();
        let agents = with_interpreter(self.system, &budget, |interpreter| interpreter.agent_names());
        let word = self.call.arguments.backend.word();
        let mut verification = Verification::new(word, self.call.schedule, agents.unwrap_or_default());
        verification
            .results
            .extend(self.checks.iter().map(|check| CheckResult::new(self.system, check, 0.0)));
        Found { verification, bugs: Vec::new(), said: Vec::new() }
    }

    /// Explores the states and answers the checks.
    fn native(&self, road: Road) -> Found {
        let begin = Instant::now();
        let (schedule, max_states) = (self.call.schedule, self.call.arguments.max_states);
        let (system, budget) = (self.system, self.budget);
        let word = self.call.arguments.backend.word();
        let known = with_interpreter(system, budget, |interpreter| {
            let native = Native::new(interpreter, system, road, max_states, budget)?;
            let explored = Verification::new(word, schedule, Vec::new()).explored(native.lts(), ms(begin));
            let mut found = Found { verification: explored, bugs: Vec::new(), said: Vec::new() };
            let is_answered =
                |check: &&Check| self.answer_one(&native, interpreter, check, budget, &mut found);
            let in_time = self.checks.iter().take_while(is_answered).count();
            let late = self.checks.get(in_time..).unwrap_or_default();
            if !late.is_empty() {
                self.answer_late(native.detached(), late, &mut found);
            }
            Ok(found)
        });
        let known = known.and_then(|found| found.map_err(|stop: Stop| stop.into()));
        known.unwrap_or_else(|incomplete| self.nothing(incomplete))
    }

    /// Answers a check from the states that are known. False, and nothing is told, where the budget ends.
    fn answer_one(
        &self,
        native: &Native,
        interpreter: &mut Interpreter<'_>,
        check: &Check,
        budget: &Budget,
        found: &mut Found,
    ) -> bool {
        let system = self.system;
        let begin = Instant::now();
        let answered = budget
            .check()
            .map_err(Mismatch::Stopped)
            .and_then(|()| native.answer(interpreter, system, &check.goal, self.call.schedule, budget));
        let mut result = CheckResult::new(system, check, ms(begin));
        match answered {
            Ok((outcome, evidence)) => result = result.answered(system, interpreter, &outcome, &evidence),
            Err(Mismatch::Stopped(_)) => return false,
            Err(mismatch) => found.bugs.push((check.name.clone(), mismatch)),
        }
        found.verification.results.push(result);
        true
    }

    /// Answers checks when the budget has ended: a violation among the states found should not be lost because no more
    /// of them can be found. Each may take its share of a moment. What takes most memory, *eventually*, comes last: when it
    /// is full there is nothing more to be had.
    fn answer_late(&self, native: Native, checks: &[Check], found: &mut Found) {
        let all = self.budget.for_evidence();
        let stop = self.budget.check().err().unwrap_or(Stop::Time);
        let incomplete = native.lts().incomplete.unwrap_or(Incomplete::Stopped(stop));
        let first = found.verification.results.len();
        let results = checks.iter().map(|check| self.unknown(check, incomplete));
        found.verification.results.extend(results);
        let mut order: Vec<usize> = (0..checks.len()).collect();
        order.sort_by_key(|&check| matches!(checks[check].goal, Goal::Eventually(_)));
        // Without an interpreter nothing more is seen.
        let _ = with_interpreter(self.system, &all, |interpreter| {
            for (position, check) in order.into_iter().enumerate() {
                let left = u32::try_from(checks.len() - position).unwrap_or(u32::MAX);
                let time = all.deadline.map(|end| end.saturating_duration_since(Instant::now()) / left);
                let budget = time.map_or(all.clone(), |share| all.within(share));
                if self.answer_one(&native, interpreter, &checks[check], &budget, found)
                    && let Some(result) = found.verification.results.pop()
                {
                    found.verification.results[first + check] = result;
                }
            }
        });
    }

    fn unknown(&self, check: &Check, incomplete: Incomplete) -> CheckResult {
        let mut result = CheckResult::new(self.system, check, 0.0);
        result.reason = Some(processes::reason(incomplete));
        result
    }

    /// The answers where not even the first state is known.
    fn nothing(&self, incomplete: Incomplete) -> Found {
        let mut lts = Lts::new(show::labels(self.system), Vec::new());
        lts.incomplete = Some(incomplete);
        let word = self.call.arguments.backend.word();
        let mut verification = Verification::new(word, self.call.schedule, Vec::new()).explored(&lts, 0.0);
        verification.results = self.checks.iter().map(|check| self.unknown(check, incomplete)).collect();
        Found { verification, bugs: Vec::new(), said: Vec::new() }
    }
}

fn not_encoded(why: NotEncoded) -> Reason {
    match why {
        NotEncoded::Stopped(stop) => stopped(stop),
        other => reason("not-encoded", other.to_string()),
    }
}

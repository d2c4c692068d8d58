//! The errors of one instance of a rewriting system: none of them must be reached.

use std::time::Instant;

use paramcheck::report::explored::{end_word, trace_document};
use paramcheck::report::processes::{CheckResult, InstanceHead, Verification};
use paramcheck::report::{Answer, Reason};
use paramcheck_emulation::instance::encode;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::Replayed;
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::lower::{self, Lowered};
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{Reduction, explore_net};
use paramcheck_nets::explore::trace::{Trace, replay};
use paramcheck_nets::instance::marking::evaluate;
use paramcheck_nets::instance::net::NetTransitionId;
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::asked::{Asking, Questions, Said, ask};
use super::{Call, Found, is_rewriting_system, ms};
use crate::cli::args::SelectedArguments;
use crate::cli::backend::reason;
use crate::cli::selected::{self, SelectedInstance};
use crate::cli::watch::Interrupt;
use crate::cli::{Failure, files, model};

/// Runs the call.
pub fn run(call: &mut Call<'_>, asking: Asking) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let arguments = call.arguments;
    if !files::is_stdin(&arguments.file) && !is_rewriting_system(&arguments.file) {
        let name = files::name(&arguments.file);
        let message = format!(
            "--size and --tree are about instances, and `{name}` is no rewriting system, by its name"
        );
        let help = format!("leave them out: `paramcheck verify {name}`");
        call.tell(&files::plain(&OTHER_KIND_OF_FILE, message).help(help), None);
        return Ok(());
    }
    let source = match files::read(&arguments.file, files::MODEL_BYTES) {
        Ok(source) => source,
        Err(refused) => {
            call.tell(&refused.0, refused.1.as_ref());
            return Ok(());
        }
    };
    let Lowered { system, diagnostics } = lower::load(&source.text);
    for diagnostic in &diagnostics {
        call.tell(diagnostic, Some(&source));
    }
    let Some(system) = system else { return Ok(()) };
    call.document.system = Some(system.name().to_owned());
    let (errors, bad) = model::questions(&system, &arguments.errors);
    for problem in &bad {
        problem.diagnostics.iter().for_each(|diagnostic| call.tell(diagnostic, Some(&problem.source)));
    }
    if !bad.is_empty() {
        return Ok(());
    }
    let wanted = SelectedArguments { size: arguments.size, tree: arguments.tree.clone(), trace: None };
    let Some(one) = selected::find(&system, &source, &wanted, call.console)? else {
        call.raise(crate::cli::exit::Exit::InputError);
        return Ok(());
    };
    let watch = call.watch(begin, interrupt);
    let found = watch.run(&source.name, |budget| {
        Work { call, system: &system, one: &one, errors: &errors, budget: &budget }
            .answer(&source.name, &asking)
    });
    call.conclude(&source, asking, found, &watch)
}

/// What is to be answered.
struct Work<'a> {
    call: &'a Call<'a>,
    system: &'a System,
    one: &'a SelectedInstance,
    errors: &'a [NamedError],
    budget: &'a Budget,
}

impl Work<'_> {
    fn answer(&self, name: &str, asking: &Asking) -> Found {
        let Work { system, one, errors, budget, .. } = *self;
        let structure = encode(system, &one.net);
        // An error that is no condition on a state is left out of what others are asked.
        let mut asked = Vec::new();
        let mut refused: Vec<Option<Reason>> = Vec::new();
        for error in errors {
            match Question::of_error(system, &one.net, error) {
                Ok(question) => {
                    asked.push(question);
                    refused.push(None);
                }
                Err(why) => refused.push(Some(reason("refused", why.to_string()))),
            }
        }
        let schedule = self.call.schedule;
        let memory = self.call.memory();
        let patience = self.call.patience();
        let questions =
            Questions { model: name, structure: &structure, questions: &asked, schedule, memory, patience };
        let (mut found, said) = ask(&asking.others, &questions, budget, || {
            if asking.native { self.native() } else { self.unasked() }
        });
        for (backend, own) in asking.others.iter().zip(said) {
            let mut own = own.into_iter();
            let mut all = Vec::new();
            for ((result, error), refused) in found.verification.results.iter_mut().zip(errors).zip(&refused)
            {
                let mut said = match refused {
                    Some(reason) => Said::nothing(reason.clone()),
                    None => own.next().unwrap_or_else(|| Said::nothing(reason("tool-failed", String::new()))),
                };
                if let Ok(Some(run)) = &said.answer {
                    match self.trace(error, run) {
                        Ok(trace) => {
                            result.trace = result.trace.take().or_else(|| self.document(error, &trace));
                        }
                        Err(reason) => said.answer = Err(reason),
                    }
                }
                result.backends.push(said.result(backend.backend.about().name));
                all.push(said);
            }
            found.said.push(all);
        }
        found
    }

    fn document(
        &self,
        error: &NamedError,
        trace: &Trace,
    ) -> Option<paramcheck::report::trace::TraceDocument> {
        trace_document(self.system, error, &self.one.tree, &self.one.net, trace)
    }

    /// A run of the structure as a firing sequence of the net: triple n is transition n.
    fn trace(&self, error: &NamedError, run: &Replayed) -> Result<Trace, Reason> {
        let steps: Vec<NetTransitionId> =
            run.steps.iter().map(|id| NetTransitionId::new(id.index())).collect();
        let mut markings = vec![self.one.net.initial()];
        for step in &steps {
            let mut next = markings.last().cloned().unwrap_or_default();
            for one in
                self.one.net.transitions().get(*step).into_iter().flat_map(|transition| &transition.moves)
            {
                next[one.component] = one.to;
            }
            markings.push(next);
        }
        let trace = Trace { steps, markings };
        self.reaches(error, &trace).map_err(|why| reason("not-replayed", why))?;
        Ok(trace)
    }

    /// Whether a trace replays by the plain semantics and ends in an error.
    fn reaches(&self, error: &NamedError, trace: &Trace) -> Result<(), String> {
        let end = replay(&self.one.net, trace).map_err(|why| why.to_string())?;
        match evaluate(self.system, &self.one.net, &error.formula, &end) {
            Some(true) => Ok(()),
            Some(false) => Err(format!("its end is not in `{}`", error.name)),
            None => Err(format!("it is too much work to decide whether its end is in `{}`", error.name)),
        }
    }

    /// The errors, nobody asked.
    fn unasked(&self) -> Found {
        let net = &self.one.net;
        let agents = net.components().iter().map(|component| component.name.clone()).collect();
        let mut verification =
            Verification::new(self.call.arguments.backend.word(), self.call.schedule, agents);
        verification.instance = Some(InstanceHead {
            size: net.components().len(),
            term: print_term(self.system, &self.one.tree),
        });
        verification.results = self
            .errors
            .iter()
            .map(|error| {
                CheckResult::unanswered(&error.name, &print_formula(self.system, &error.formula), 0.0)
            })
            .collect();
        Found { verification, bugs: Vec::new(), said: Vec::new() }
    }

    /// Explores the markings.
    fn native(&self) -> Found {
        let begin = Instant::now();
        let mut found = self.unasked();
        let formulas: Vec<_> = self.errors.iter().map(|error| &error.formula).collect();
        let options =
            SearchOptions { max_states: self.call.arguments.max_states, ..SearchOptions::default() };
        let explored =
            explore_net(self.system, &self.one.net, &formulas, Reduction::default(), &options, self.budget);
        let verification = &mut found.verification;
        verification.states = Some(explored.states);
        verification.transitions = usize::try_from(explored.transitions).ok();
        verification.complete = Some(explored.end == End::Exhausted);
        verification.time_ms = ms(begin);
        for ((result, error), reach) in verification.results.iter_mut().zip(self.errors).zip(&explored.errors)
        {
            result.time_ms = ms(begin);
            match &reach.trace {
                Some(trace) => match self.reaches(error, trace) {
                    Ok(()) => {
                        result.verdict = Answer::Violated;
                        result.trace = self.document(error, trace);
                    }
                    Err(_) => found.bugs.push((
                        error.name.clone(),
                        paramcheck_process::semantics::check::Mismatch::Wrong("the trace of the explorer"),
                    )),
                },
                None if explored.end == End::Exhausted && reach.undecided == 0 => {
                    result.verdict = Answer::Proved;
                }
                None if explored.end == End::Exhausted => {
                    let text = "it is too much work to decide whether some markings are in the error";
                    result.reason = Some(reason("not-decided", text.to_owned()));
                }
                None => {
                    let word = end_word(explored.end);
                    let text = match word {
                        "state-limit" => format!("the limit of {} states was reached", options.max_states),
                        "time-limit" => "the time limit was reached".to_owned(),
                        "memory-limit" => "the memory limit was reached".to_owned(),
                        other => other.to_owned(),
                    };
                    result.reason = Some(reason(word, text));
                }
            }
        }
        found
    }
}

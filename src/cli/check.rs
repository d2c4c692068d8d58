//! The main command: answers every question about every file.
//!
//! Lines are printed as soon as an answer is there; a JSON document at the end ([`session`]).

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;

use paramcheck::report::candidate::CandidateDocument;
use paramcheck::report::text::{self, Detail, Style};
use paramcheck::report::trace::TraceDocument;
use paramcheck::report::why::{self, Why};
use paramcheck::report::{Answer, Question, advice, build};
use paramcheck_model::error::NamedError;
use paramcheck_model::statistics::Statistics;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::columns;
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::advice::advise;
use paramcheck_verdict::{
    EngineChoice, InternalBug, InvariantChoice, MonaSetup, Options, Reason, Status, Verdict,
};
use paramcheck_wsks::mona::{self, MonaFailure};

use super::args::{CheckArguments, EngineArgument};
use super::console::Console;
use super::exit::Exit;
use super::session::{self, Files, Session};
use super::watch::Watch;
use super::why::instance as why_of;
use super::{Failure, files, list};

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<Exit, Failure> {
    refuse_impossible(arguments)?;
    if arguments.list {
        let style = session::Style { command: "list", is_json: arguments.json, is_quiet: arguments.quiet };
        return list::run(&arguments.files, None, style, console);
    }
    let engine = engine(arguments.engine, arguments.limits.memory_limit)?;
    let files = Files {
        files: &arguments.files,
        limits: &arguments.limits,
        style: session::Style {
            command: if arguments.why.is_some() { "why" } else { "check" },
            is_json: arguments.json,
            is_quiet: arguments.quiet,
        },
    };
    session::each_file(&files, console, |session, watch, source| {
        Call { arguments, engine: &engine, watch, session }.file(source)
    })
}

/// Refuses what the argument parser can't see.
fn refuse_impossible(arguments: &CheckArguments) -> Result<(), Failure> {
    let usage = |kind, message: &str| Err(Failure::misuse(kind, message));
    let is_one_question = arguments.files.len() == 1 && arguments.errors.len() == 1;
    let outputs = [
        ("--certificate", "proof", &arguments.certificate),
        ("--trace", "trace", &arguments.trace),
        ("--candidate", "candidate", &arguments.candidate),
    ];
    for (option, evidence, output) in outputs {
        let Some(output) = output else { continue };
        if !is_one_question {
            let message =
                format!("{option} writes the {evidence} of one question: give one FILE and one --error");
            return usage(ErrorKind::ArgumentConflict, &message);
        }
        if files::is_stdin(output) {
            let message =
                format!("{option} writes a file: give its name, or `./-` for one that is called so");
            return usage(ErrorKind::ValueValidation, &message);
        }
        if arguments.files.first().is_some_and(|model| files::is_same(output, model)) {
            let message = format!("{option} names the model itself: what is written would replace it");
            return usage(ErrorKind::ValueValidation, &message);
        }
    }
    refuse_engine(arguments.engine, arguments.invariants.as_ref())?;
    if arguments.certificate.is_some() && arguments.engine == EngineArgument::Mona {
        return usage(
            ErrorKind::ArgumentConflict,
            "--certificate: MONA gives none; use `--engine direct` or `--engine both`",
        );
    }
    Ok(())
}

/// Refuses an engine that this program does not have, or that does not know what it is to use.
pub(super) fn refuse_engine(
    engine: EngineArgument,
    invariants: Option<&InvariantChoice>,
) -> Result<(), Failure> {
    if engine != EngineArgument::Direct && !mona::IS_BUILT {
        let message = format!("--engine: {}", mona::MonaFailure::NotBuilt);
        return Err(Failure::misuse(ErrorKind::InvalidValue, message));
    }
    if engine == EngineArgument::Mona && invariants.is_some_and(|choice| choice.exclusive) {
        let message = "--invariants: `exclusive` has no formula; use `--engine direct` or `--engine both`";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    Ok(())
}

/// The engine wanted. MONA runs in a process of this same program.
pub(super) fn engine(wanted: EngineArgument, memory_limit: Option<u64>) -> Result<EngineChoice, Failure> {
    let setup = || {
        let memory = memory_limit.map(|mib| mib.saturating_mul(1 << 20));
        let program = std::env::current_exe()?;
        Ok::<_, std::io::Error>(MonaSetup { worker: mona::Worker { program }, memory })
    };
    let not_found = |error: std::io::Error| {
        let message = format!("--engine: this program can't find itself to run MONA: {error}");
        Failure::misuse(ErrorKind::Io, message)
    };
    Ok(match wanted {
        EngineArgument::Direct => EngineChoice::Direct,
        EngineArgument::Mona => EngineChoice::Mona(setup().map_err(not_found)?),
        EngineArgument::Both => EngineChoice::Both(setup().map_err(not_found)?),
    })
}

/// How long what a search found may be looked through once the call must end.
const MOST_EVIDENCE: Duration = Duration::from_millis(500);

/// A call in progress.
struct Call<'a, 'c> {
    arguments: &'a CheckArguments,
    engine: &'a EngineChoice,
    watch: &'a Watch,
    session: &'a mut Session<'c, (), Question>,
}

/// What the questions about one file have in common.
struct Subject<'a> {
    system: &'a System,
    source: &'a SourceFile,
    style: &'a Style,
    /// The instance that proofs are spelled out in, if one was chosen.
    shown: Option<&'a RewritingTree>,
}

/// What was found out about a question.
type Found = Result<Verdict, InternalBug>;

/// Whether there is no more to be done about a question than to report the answer.
fn is_settled(verdict: &Found) -> bool {
    !matches!(verdict.as_ref().map(|verdict| &verdict.status), Ok(Status::Unknown(_)))
}

/// Whether time ended the search for an answer.
fn has_run_out(verdict: &Found) -> bool {
    let stopped = |reason: &Reason| match reason {
        Reason::Stopped(stop) => *stop == Stop::Time,
        Reason::MonaFailed { what, .. } => *what == MonaFailure::Time,
        _ => false,
    };
    match verdict.as_ref().map(|verdict| &verdict.status) {
        Ok(Status::Unknown(unknown)) => stopped(&unknown.reason),
        _ => false,
    }
}

impl Call<'_, '_> {
    /// Answers all questions about one file.
    fn file(&mut self, source: &SourceFile) -> Result<(), Failure> {
        let Some(system) = self.session.system(source) else { return Ok(()) };
        let statistics = Statistics::of(&system);
        let questions = self.session.questions(&system, &self.arguments.errors);
        let style = Style {
            color: self.session.console.output_color(),
            detail: self.arguments.detail(),
            full: self.arguments.full,
            name_width: columns::width(questions.iter().map(|error| error.name.as_str()), columns::NAMES),
        };
        if !questions.is_empty() && style.detail > Detail::Quiet {
            self.session.lines(&text::header(&source.name, system.name(), &statistics, &style))?;
        }
        let wanted = self.arguments.why.as_ref().map(|wanted| {
            self.watch.run(&source.name, |budget| why_of(&system, wanted, &budget, self.session))
        });
        let Ok(shown) = wanted.unwrap_or(Ok(None)) else { return Ok(()) };
        let subject = Subject { system: &system, source, style: &style, shown: shown.as_ref() };
        let later_files = self.arguments.files.len().saturating_sub(self.session.document.files.len());
        // Each question may take its share of the time; one that ran out of it is tried again when the others had
        // theirs. What would help with open ones is looked for at the end. Answers are printed in the order of the
        // questions, each as soon as those before it are there.
        let mut verdicts: VecDeque<Found> = VecDeque::new();
        let mut printed = 0;
        for (position, error) in questions.iter().enumerate() {
            let open = questions.len() - position + later_files;
            let verdict = self.decide(&subject, error, self.watch.share(open));
            verdicts.push_back(verdict);
            while verdicts.front().is_some_and(is_settled) {
                let Some(verdict) = verdicts.pop_front() else { break };
                let share = if open > 1 { self.watch.share(open) } else { None };
                self.report(&subject, &questions[printed], verdict, share)?;
                printed += 1;
            }
        }
        let mut open = verdicts.iter().filter(|verdict| has_run_out(verdict)).count() + later_files;
        for (verdict, error) in verdicts.iter_mut().zip(&questions[printed..]) {
            if questions.len() + later_files <= 1 || !has_run_out(verdict) {
                continue;
            }
            let spent = verdict.as_ref().map_or(Duration::ZERO, |verdict| verdict.elapsed);
            // In less time it would come no further than before.
            if let Some(share) = self.watch.share(open).filter(|share| *share > spent) {
                let again = self.decide(&subject, error, Some(share));
                if !has_run_out(&again) {
                    *verdict = again;
                }
            }
            open -= 1;
        }
        let mut open = verdicts.iter().filter(|verdict| !is_settled(verdict)).count() + later_files;
        for (verdict, error) in verdicts.into_iter().zip(&questions[printed..]) {
            let share = if open > 1 { self.watch.share(open) } else { None };
            open -= usize::from(!is_settled(&verdict));
            self.report(&subject, error, verdict, share)?;
        }
        Ok(())
    }

    /// Answers one question, in at most `share`.
    fn decide(&self, subject: &Subject<'_>, error: &NamedError, share: Option<Duration>) -> Found {
        let title = format!("{}: {}", subject.source.name, error.name);
        self.watch.run(&title, |budget| {
            let budget = share.map_or_else(|| budget.clone(), |share| budget.within(share));
            paramcheck_verdict::decide(subject.system, error, &self.options(budget))
        })
    }

    /// How a question is answered, within `budget`.
    fn options(&self, budget: Budget) -> Options {
        let mut options = Options {
            engine: self.engine.clone(),
            max_states: self.arguments.max_states,
            max_size: self.arguments.max_size,
            sweep_states: self.arguments.budget,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            budget: Budget { most_evidence: Some(MOST_EVIDENCE), ..budget },
            ..Options::default()
        };
        if let Some(choice) = &self.arguments.invariants {
            options.invariants = choice.clone();
        }
        options
    }

    /// The limits of the call that are not the usual ones, as options.
    fn given_limits(&self) -> String {
        let CheckArguments { max_states, max_size, budget, .. } = *self.arguments;
        let states = (max_states != Options::default().max_states).then_some(("max-states", max_states));
        let others = [max_size.map(|size| ("max-size", size)), budget.map(|states| ("budget", states))];
        let given = states.into_iter().chain(others.into_iter().flatten());
        given.map(|(name, value)| format!(" --{name} {value}")).collect()
    }

    /// Adds to the report of a question that is open, or violated, what can be done about it, found in at most
    /// `share`.
    fn advise(
        &self,
        subject: &Subject<'_>,
        verdict: &Verdict,
        question: &mut Question,
        share: Option<Duration>,
    ) {
        if self.arguments.quiet && !self.arguments.json {
            return;
        }
        let Subject { system, source, .. } = *subject;
        let is_stdin = self.arguments.files.iter().all(|file| files::is_stdin(file));
        let written = |path: &Option<PathBuf>| path.as_deref().map(files::name);
        let (candidate, trace) = (written(&self.arguments.candidate), written(&self.arguments.trace));
        let options = self.given_limits();
        let call = advice::Call {
            file: if is_stdin { "-" } else { &source.name },
            candidate: candidate.as_deref(),
            trace: trace.as_deref(),
            options: &options,
        };
        let unknown = match &verdict.status {
            Status::Unknown(unknown) => unknown,
            Status::Violated(_) => return advice::violated::add(question, system, &call),
            Status::Proved(_) => return,
        };
        let title = format!("{}: {}, what would help", source.name, question.error);
        let found = self.watch.run(&title, |budget| {
            let budget = share.map_or_else(|| budget.clone(), |share| budget.within(share));
            advise(system, &verdict.error, unknown, &self.options(budget))
        });
        advice::add(question, system, unknown, &found, &call);
    }

    /// Reports an answer, or a bug; what is said beside it (why it is proved, what would help) is
    /// found in at most `share`.
    fn report(
        &mut self,
        subject: &Subject<'_>,
        error: &NamedError,
        verdict: Found,
        share: Option<Duration>,
    ) -> Result<(), Failure> {
        let Subject { system, source, style, .. } = *subject;
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(bug) => {
                self.session.bug((system, source), error, &bug, "");
                return Ok(());
            }
        };
        let mut question = build::question(system, &verdict);
        if style.detail < Detail::Verbose {
            // Long lists: with `--verbose` only.
            let formulas = question.engines.iter_mut().flat_map(|engine| &mut engine.formulas);
            formulas.for_each(|formula| formula.automata.clear());
        }
        if style.detail >= Detail::Verbose {
            question.why = self.why(subject, &verdict, share);
        }
        self.write_certificate(&verdict, &mut question);
        self.write_trace(system, &question);
        self.write_candidate(system, &question);
        self.advise(subject, &verdict, &mut question, share);
        self.session.raise(match question.verdict {
            Answer::Proved => Exit::AllProved,
            Answer::Violated => Exit::Violated,
            Answer::Unknown => Exit::Unknown,
        });
        let is_alone = self.arguments.files.len() == 1;
        let prefix = match style.detail {
            Detail::Quiet if is_alone => String::new(),
            Detail::Quiet => format!("{}: ", source.name),
            _ => "  ".to_owned(),
        };
        self.session.lines(&text::question(&question, &prefix, style))?;
        self.session.document.add(question);
        Ok(())
    }

    /// Why it is proved, if it is.
    fn why(&self, subject: &Subject<'_>, verdict: &Verdict, share: Option<Duration>) -> Option<Why> {
        let title = format!("{}: {}", subject.source.name, verdict.error.name);
        self.watch.run(&title, |budget| {
            let budget = share.map_or_else(|| budget.clone(), |share| budget.within(share));
            let is_free = self.arguments.invariants.is_none();
            why::of(subject.system, verdict, subject.shown, is_free, &budget).map(Why::from)
        })
    }

    /// Writes the certificate, if one is wanted and there is one.
    fn write_certificate(&mut self, verdict: &Verdict, question: &mut Question) {
        let Some(path) = &self.arguments.certificate else { return };
        let name = files::name(path);
        let Status::Proved(proved) = &verdict.status else {
            self.session.console.note(&format!("no certificate written to {name}: the error is not proved"));
            return;
        };
        // Where MONA alone proved it, there is none.
        let Some(certificate) = &proved.certificate else {
            self.session
                .console
                .note(&format!("no certificate written to {name}: only MONA proved the error"));
            return;
        };
        let written = serde_json::to_string_pretty(certificate)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(path, &(text + "\n")));
        match written {
            Ok(()) => question.certificate = Some(name),
            Err(error) => {
                let what = format!("the certificate to `{name}`");
                self.session.diagnostic(&files::unwritable(&what, &error), None);
            }
        }
    }

    /// Writes the trace, if one is wanted and there is one.
    fn write_trace(&mut self, system: &System, question: &Question) {
        let Some(path) = &self.arguments.trace else { return };
        let document = TraceDocument::of(system.name(), question).map(|document| document.to_text());
        self.write("trace", path, document, "the error is not violated");
    }

    /// Writes the candidate, if one is wanted and there is one.
    fn write_candidate(&mut self, system: &System, question: &Question) {
        let Some(path) = &self.arguments.candidate else { return };
        let document = CandidateDocument::of(system.name(), question).map(|document| document.to_text());
        let why = match question.verdict {
            Answer::Unknown => "the answer is unknown without one",
            Answer::Proved | Answer::Violated => "the answer is not unknown",
        };
        self.write("candidate", path, document, why);
    }

    /// Writes the text of a document to a file, or a note why there is none.
    fn write(&mut self, what: &str, path: &Path, text: Option<serde_json::Result<String>>, why: &str) {
        let name = files::name(path);
        let Some(text) = text else {
            self.session.console.note(&format!("no {what} written to {name}: {why}"));
            return;
        };
        let written = text.map_err(std::io::Error::from).and_then(|text| files::replace(path, &text));
        if let Err(error) = written {
            self.session.diagnostic(&files::unwritable(&format!("the {what} to `{name}`"), &error), None);
        }
    }
}

//! Other verifiers about agents: queried side by side, and what of their answers is believed.
//!
//! Each gets a program per property ([`AgentProgram`]), and first one about faults, where one may be reached.
//! A violation is believed when its run was replayed, by the triples and then by the rules of the language,
//! and is what the property forbids. A proof is the verifier's word; it counts only where the verifier has
//! also proved that no fault is reached.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use paramcheck_emulation::backend;
use paramcheck_emulation::labs::program::{AgentProgram, AgentRun, Goal, NotProgrammed, program};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::replay::{Mismatch, replay};
use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::explore::{NoSpace, initial_values};
use paramcheck_labs::semantics::run::{Ending, Run, Violation as Found, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::{Budget, Stop};

use super::engine::share;
use super::recheck::{gone_round, recheck};
use super::{FaultyRun, NoStart, ReplayedRun, Violation};
use crate::Status;
use crate::process::{NoAnswer, Verifier};

/// What verifiers are to decide, and how long they may take.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only runs of so many steps at most.
    pub max_steps: Option<usize>,
    /// How long a verifier may take for a question, where the call has no limit of its own.
    pub patience: Option<Duration>,
    /// Time, interruption.
    pub budget: Budget,
}

/// Another verifier reports that a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed;

/// Why there is no answer that is believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVerdict {
    /// As where this program itself has none.
    #[error(transparent)]
    Agents(#[from] super::NoAnswer),
    /// As of verifiers of processes.
    #[error(transparent)]
    Verifier(#[from] NoAnswer),
}

impl NoVerdict {
    /// The code of the reason in documents, which never changes.
    pub fn code(&self) -> &'static str {
        match self {
            NoVerdict::Agents(why) => why.code(),
            NoVerdict::Verifier(why) => why.code(),
        }
    }
}

/// What a verifier answers to one property.
#[derive(Clone, Debug)]
pub struct VerifierAnswer {
    /// The verifier's name.
    pub verifier: String,
    /// The answer with its evidence.
    pub status: Status<Claimed, Violation, NoVerdict>,
    /// How long it took.
    pub elapsed: Duration,
    /// The most memory that its processes had at once, in bytes, where that is known.
    pub memory: Option<u64>,
    /// What was run and what it wrote, for a bug report.
    pub transcript: String,
}

/// What a verifier answers.
#[derive(Clone, Debug)]
pub struct VerifierAnswers {
    /// A run that leaves the language.
    pub fault: Option<FaultyRun>,
    /// Whether the verifier reports that there is none.
    pub denies_fault: bool,
    /// Per property.
    pub answers: Vec<VerifierAnswer>,
}

/// A question to verifiers.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What the system is called.
    pub name: &'a str,
    /// What it was read from.
    pub text: &'a str,
    /// The system.
    pub system: &'a System,
    /// The properties.
    pub properties: &'a [Property],
    /// The rules of runs.
    pub rules: Rules,
}

/// The answers of all verifiers, and what `native` gives, which is done meanwhile.
///
/// # Errors
/// There is no initial state: then a verifier would prove anything.
pub fn query<T>(
    question: Question<'_>,
    verifiers: &[&dyn Verifier],
    options: &Options,
    native: impl FnOnce() -> T,
) -> Result<(T, Vec<VerifierAnswers>), NoStart> {
    let Question { text, system, properties, rules, .. } = question;
    match initial_values(system, &rules, 1, &options.budget) {
        Ok(values) if values.is_empty() => return Err(NoStart::NoInitialState),
        Err(NoSpace::Fault(fault)) => return Err(NoStart::Assumption(fault)),
        // There is one, or the budget has ended, which verifiers see too.
        Ok(_) | Err(_) => {}
    }
    let made = |goal| program(system, text, rules, goal, options.max_steps, &options.budget);
    let fault = made(Goal::Fault);
    let programs: Vec<Result<AgentProgram, NotProgrammed>> =
        properties.iter().map(|property| made(Goal::Property(property))).collect();
    let poser = Poser { question, options, fault: &fault, programs: &programs };
    let answers: Vec<Mutex<Option<VerifierAnswers>>> = verifiers.iter().map(|_| Mutex::new(None)).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        loop {
            let position = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let (Some(verifier), Some(place)) = (verifiers.get(position), answers.get(position)) else {
                return;
            };
            let answered = poser.all(*verifier);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(answered);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(verifiers.len());
    let native = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
        native()
    });
    let answers = answers.into_iter();
    let answers = answers.filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok((native, answers.collect()))
}

/// What is known of faults.
enum Faults {
    /// None is reached.
    None,
    /// One is.
    Found(Box<FaultyRun>),
    /// That was not decided.
    Unknown(NoAnswer),
}

/// What a verifier claims of a program.
struct Claim {
    /// That it holds, or a run of the system.
    run: Result<Option<AgentRun>, NoAnswer>,
    elapsed: Duration,
    memory: Option<u64>,
    transcript: String,
}

struct Poser<'a> {
    question: Question<'a>,
    options: &'a Options,
    fault: &'a Result<AgentProgram, NotProgrammed>,
    programs: &'a [Result<AgentProgram, NotProgrammed>],
}

impl Poser<'_> {
    fn all(&self, verifier: &dyn Verifier) -> VerifierAnswers {
        let faults = match self.fault {
            Ok(program) if program.may_fault => self.faults(verifier, program),
            Ok(_) => Faults::None,
            Err(why) => Faults::Unknown(no_program(*why)),
        };
        // A hard question leaves time to the others.
        let answer = |(position, program)| {
            let budget = share(&self.options.budget, self.programs.len() - position);
            let options = Options { budget, ..self.options.clone() };
            Poser { options: &options, ..*self }.property(verifier, position, program, &faults)
        };
        let answers = self.programs.iter().enumerate().map(answer).collect();
        let denies_fault = matches!(faults, Faults::None) && self.options.max_steps.is_none();
        let fault = match faults {
            Faults::Found(fault) => Some(*fault),
            Faults::None | Faults::Unknown(_) => None,
        };
        VerifierAnswers { fault, denies_fault, answers }
    }

    fn faults(&self, verifier: &dyn Verifier, program: &AgentProgram) -> Faults {
        let Question { system, rules, .. } = self.question;
        let title = verifier.about().title;
        let not_replayed = |why: &str| {
            Faults::Unknown(NoAnswer::NotReplayed(format!(
                "{title} claims a fault, but its run is none: {why}"
            )))
        };
        match self.claim(verifier, program).run {
            Ok(None) => Faults::None,
            Err(why) => Faults::Unknown(why),
            Ok(Some(claimed)) => match claimed.fault {
                Some(label) => match faulty(system, rules, &claimed.run, &label) {
                    Some(fault) => Faults::Found(Box::new(fault)),
                    None => not_replayed("the rules do not lead out of the language there"),
                },
                None => not_replayed("it ends within the language"),
            },
        }
    }

    fn property(
        &self,
        verifier: &dyn Verifier,
        position: usize,
        program: &Result<AgentProgram, NotProgrammed>,
        faults: &Faults,
    ) -> VerifierAnswer {
        let name = verifier.about().name.to_owned();
        let property = &self.question.properties[position];
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                let status = Status::Unknown(no_program(*why).into());
                let (elapsed, transcript) = (Duration::ZERO, String::new());
                return VerifierAnswer { verifier: name, status, elapsed, memory: None, transcript };
            }
        };
        let Claim { run, elapsed, memory, transcript } = self.claim(verifier, program);
        let status = match run {
            Err(why) => Status::Unknown(why.into()),
            Ok(Some(claimed)) => match self.violation(property, claimed) {
                Ok(violation) => Status::Violated(violation),
                Err(why) => {
                    let title = verifier.about().title;
                    let why = format!("{title} claims a violation, but its run is none: {why}");
                    Status::Unknown(NoAnswer::NotReplayed(why).into())
                }
            },
            Ok(None) => match (faults, self.options.max_steps) {
                (Faults::Found(_), _) => Status::Unknown(super::NoAnswer::Fault.into()),
                (Faults::Unknown(why), _) => {
                    let why =
                        format!("it holds unless a run leaves the language, and that is not known: {why}");
                    Status::Unknown(NoAnswer::Inconclusive(why).into())
                }
                (Faults::None, Some(steps)) => Status::Unknown(super::NoAnswer::Steps(steps).into()),
                (Faults::None, None) => Status::Proved(Claimed),
            },
        };
        VerifierAnswer { verifier: name, status, elapsed, memory, transcript }
    }

    /// What a verifier claims, as far as the triples bear it out.
    fn claim(&self, verifier: &dyn Verifier, own: &AgentProgram) -> Claim {
        let Question { name, system, rules, .. } = self.question;
        let budget = &self.options.budget;
        let none =
            |why| Claim { run: Err(why), elapsed: Duration::ZERO, memory: None, transcript: String::new() };
        if let Err(stop) = budget.check() {
            return none(stop.into());
        }
        let program = Program {
            model: name,
            structure: &own.structure,
            question: &own.question,
            schedule: Schedule::Any,
        };
        let patience = self.options.patience;
        let limited = patience.map_or_else(|| budget.clone(), |patience| budget.within(patience));
        let run = verifier.query(&program, &limited);
        let title = verifier.about().title;
        let found = match run.answer {
            backend::Answer::Proved => Ok(None),
            backend::Answer::Violated(Some(claimed)) => {
                match replay(&program, &claimed, &budget.for_evidence()) {
                    Ok(replayed) => own.run(system, &replayed, rules.is_sync).map(Some).ok_or_else(|| {
                        NoAnswer::NotReplayed(format!("{title} claims a violation whose steps mean nothing"))
                    }),
                    Err(Mismatch::Stopped(stop)) => Err(stop.into()),
                    Err(mismatch) => Err(NoAnswer::NotReplayed(format!(
                        "{title} claims a violation, but its run is none: {mismatch}"
                    ))),
                }
            }
            backend::Answer::Violated(None) => Err(NoAnswer::NoRun(format!(
                "{title} claims a violation, but gives no run that could be replayed"
            ))),
            backend::Answer::Unknown(why) => Err(match why {
                backend::Unknown::Refused(why) => {
                    NoAnswer::Refused(format!("{title} can't decide this: {why}"))
                }
                backend::Unknown::Inconclusive(text) => NoAnswer::Inconclusive(text),
                backend::Unknown::Failed(text) => NoAnswer::Failed(text),
                backend::Unknown::Stopped(Stop::Time) if budget.check().is_ok() => {
                    patience.map_or(Stop::Time.into(), NoAnswer::Patience)
                }
                backend::Unknown::Stopped(stop) => stop.into(),
            }),
        };
        Claim { run: found, elapsed: run.elapsed, memory: run.memory, transcript: run.transcript }
    }

    /// A run as a violation of a property, rechecked by the rules.
    fn violation(&self, property: &Property, claimed: AgentRun) -> Result<Violation, String> {
        let Question { system, rules, .. } = self.question;
        if claimed.fault.is_some() {
            return Err("it leaves the language".to_owned());
        }
        let open = |ending| (claimed.run.clone(), ending);
        let runs = match (claimed.loop_start, &property.modality) {
            (Some(start), _) => vec![gone_round(system, rules, claimed.run, start)],
            (None, Modality::Always | Modality::Fairly | Modality::FairlyInfinite) => {
                vec![open(Ending::Open)]
            }
            (None, Modality::Eventually { .. } | Modality::Scope { .. }) => {
                vec![open(Ending::Open), open(Ending::Stuck)]
            }
        };
        let mut reason = String::new();
        for (run, ending) in runs {
            let found = Found { run, ending, searched: None };
            let Options { max_steps, budget, .. } = self.options;
            match recheck(system, rules, property, &found, *max_steps, budget) {
                Ok((replayed, closed)) => {
                    let run = ReplayedRun::new(&found.run, replayed, found.ending);
                    return Ok(Violation { run, closed });
                }
                Err(why) => reason = why.to_string(),
            }
        }
        Err(reason)
    }
}

/// The run to a fault by the rules: which fault it is, is theirs to tell.
fn faulty(system: &System, rules: Rules, run: &Run, label: &Label) -> Option<FaultyRun> {
    let all = [Fault::Overflow, Fault::ZeroDivisor, Fault::Index, Fault::NoAgent];
    all.into_iter().find_map(|fault| {
        let ending = Ending::Fault(label.clone(), fault);
        let mut replayed = replay_all(system, rules, run, &ending).ok()?;
        let place = replayed.fault_place(label, fault);
        Some(FaultyRun { run: ReplayedRun::new(run, replayed, ending), fault, place, property: None })
    })
}

fn no_program(why: NotProgrammed) -> NoAnswer {
    match why {
        NotProgrammed::Stopped(stop) => stop.into(),
        why => NoAnswer::Refused(why.to_string()),
    }
}

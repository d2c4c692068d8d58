//! Runs by chance: how often properties hold in runs of bounded length.
//!
//! In: a system, properties, how many runs of how many steps, and a seed; the same seed gives the same runs,
//! on every machine and with any number of threads. Runs are made by the crate *emulation*
//! ([`Simulator`]). Nothing is proved by this; the first run that violates a property is made again and
//! rechecked.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::Engine;
use paramcheck_emulation::labs::simulate::{End, Judged, Simulator};
use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::run::{Ending, Run, Violation as Claimed, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules};
use paramcheck_text::limits::{Budget, Phase};

use super::engine::{no_answer, run};
use super::recheck::{Refusal, recheck};
use super::{FaultyRun, NoAnswer, NoStart, ReplayedRun, Violation, fitted};

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How many runs.
    pub runs: usize,
    /// How many steps each has at most.
    pub steps: usize,
    /// Where the choices come from.
    pub seed: u64,
    /// The most threads; the runs do not depend on it.
    pub threads: usize,
    /// Whether all runs are kept, not those alone that show something.
    pub keeps_runs: bool,
    /// Time, interruption.
    pub budget: Budget,
}

/// What the runs came to.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// How many were made.
    pub count: usize,
    /// How many steps they had together.
    pub steps: usize,
    /// The runs, if they are kept.
    pub runs: Vec<ReplayedRun>,
    /// Per property.
    pub properties: Vec<Frequency>,
    /// The first run that leaves the language, or in which a formula has no value.
    pub fault: Option<FaultyRun>,
    /// What ended the simulation early.
    pub stopped: Option<NoAnswer>,
}

/// How often a property held.
#[derive(Clone, Debug)]
pub struct Frequency {
    /// Per run whether it holds in it: not, if the run leaves the language.
    pub held: Vec<bool>,
    /// The first run that violates it, if the rules can go through it.
    pub violation: Option<Violation>,
    /// What shows that the simulation is wrong: its run does not stand up.
    pub bug: Option<String>,
}

/// Makes runs by chance. Properties about what can still be reached ([`Modality::Fairly`]) are no questions about
/// runs: leave them out.
///
/// # Errors
/// There is no initial state, or none was found.
pub fn simulate(
    system: &System,
    properties: &[Property],
    rules: Rules,
    simulation: &Simulation,
) -> Result<Simulated, NoStart> {
    let fitted = fitted(system, rules)?;
    let system = fitted.as_ref();
    let (steps, seed, budget) = (simulation.steps, simulation.seed, &simulation.budget);
    budget.progress.enter(Phase::Exploring);
    let mut simulated = Simulated {
        count: 0,
        steps: 0,
        runs: Vec::new(),
        properties: Vec::new(),
        fault: None,
        stopped: None,
    };
    let engine = Engine::new(system, rules, budget);
    let simulator = match &engine {
        Ok(engine) => engine.simulator(properties, steps as u64, seed, budget),
        Err(unfit) => Err(*unfit),
    };
    let (simulator, judged, stopped) = match simulator {
        Ok(simulator) => {
            let (judged, stopped) = judge_all(&simulator, simulation);
            (Some(simulator), judged, stopped)
        }
        Err(unfit) => (None, Vec::new(), Some(unfit)),
    };
    if let Some(unfit) = stopped {
        simulated.stopped = Some(no_answer(unfit)?);
    }
    simulated.count = judged.len();
    simulated.steps = judged.iter().map(|run| length(run.steps)).sum();
    let again = Again { system, rules, steps, simulator: simulator.as_ref() };
    for (at, property) in properties.iter().enumerate() {
        // In a run that leaves the language a property is neither true nor false, if it was not violated before.
        let is_held = |run: &Judged| run.violated[at].is_none() && !matches!(run.end, End::Leaves(..));
        let held = judged.iter().map(is_held).collect();
        let first = judged.iter().zip(0..).find_map(|(run, number)| Some((number, run.violated[at]?)));
        let (violation, bug) = match first.map(|(number, length)| again.violation(property, number, length)) {
            Some(Ok(violation)) => (Some(violation), None),
            Some(Err(Refusal::Bug(reason))) => (None, Some(reason)),
            Some(Err(Refusal::TooMuch)) => (None, None),
            None => (None, None),
        };
        simulated.properties.push(Frequency { held, violation, bug });
    }
    simulated.fault = judged.iter().zip(0..).find_map(|(run, number)| again.fault(properties, run, number));
    if simulation.keeps_runs {
        simulated.runs = (0..simulated.count as u64).map_while(|number| again.replayed(number)).collect();
    }
    Ok(simulated)
}

/// Runs with their numbers, and why there are no more.
#[derive(Default)]
struct Made {
    runs: Vec<(u64, Judged)>,
    stopped: Option<Unfit>,
}

/// The runs by number, up to the first that was not made to its end, and why it was not.
fn judge_all(simulator: &Simulator<'_, '_>, simulation: &Simulation) -> (Vec<Judged>, Option<Unfit>) {
    let (next, steps, is_over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let all: Mutex<Made> = Mutex::default();
    let work = || {
        let mut own = Vec::new();
        let mut unfit = None;
        while unfit.is_none() && !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= simulation.runs as u64 {
                break;
            }
            match simulation.budget.check().map_err(Unfit::Stopped).and_then(|()| simulator.judge(number)) {
                Ok(judged) => {
                    let made = steps.fetch_add(judged.steps, Ordering::Relaxed) + judged.steps;
                    simulation.budget.progress.set(made);
                    own.push((number, judged));
                }
                Err(reason) => unfit = Some(reason),
            }
        }
        if unfit.is_some() {
            is_over.store(true, Ordering::Relaxed);
        }
        if let Ok(mut all) = all.lock() {
            all.runs.append(&mut own);
            all.stopped = all.stopped.or(unfit);
        }
    };
    let threads = simulation.threads.clamp(1, simulation.runs.max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let Made { mut runs, stopped } = all.into_inner().unwrap_or_default();
    runs.sort_unstable_by_key(|(number, _)| *number);
    let whole = runs.into_iter().zip(0..).take_while(|((number, _), place)| number == place);
    (whole.map(|((_, judged), _)| judged).collect(), stopped)
}

fn length(steps: u64) -> usize {
    usize::try_from(steps).unwrap_or(usize::MAX)
}

/// What makes runs again.
struct Again<'a> {
    system: &'a System,
    rules: Rules,
    steps: usize,
    simulator: Option<&'a Simulator<'a, 'a>>,
}

impl Again<'_> {
    /// The run of this number, and how it ends.
    fn run(&self, number: u64) -> Option<(Run, End)> {
        let (evidence, end) = self.simulator?.record(number).ok()?;
        Some((run(evidence), end))
    }

    /// The violation of a property by the run of this number, which is known after so many steps.
    ///
    /// # Errors
    /// It is none, or that is not known.
    fn violation(&self, property: &Property, number: u64, length: u64) -> Result<Violation, Refusal> {
        let again = || Refusal::Bug("its run can't be made again".to_owned());
        let (mut run, end) = self.run(number).ok_or_else(again)?;
        let mut ending = if end == End::Stuck { Ending::Stuck } else { Ending::Open };
        if property.modality == Modality::Always {
            run.steps.truncate(self::length(length));
            ending = Ending::Open;
        }
        let claimed = Claimed { run, ending, searched: None };
        let budget = Budget::unlimited();
        let (replayed, closed) =
            recheck(self.system, self.rules, property, &claimed, Some(self.steps), &budget)?;
        Ok(Violation { run: ReplayedRun::new(&claimed.run, replayed, claimed.ending), closed })
    }

    /// The run of this number, if it leaves the language or a formula has no value in it.
    fn fault(&self, properties: &[Property], judged: &Judged, number: u64) -> Option<FaultyRun> {
        if let Some((length, property, fault)) = judged.without_value {
            let (mut run, _) = self.run(number)?;
            run.steps.truncate(self::length(length));
            let replayed = replay_all(self.system, self.rules, &run, &Ending::Open).ok()?;
            let run = ReplayedRun::new(&run, replayed, Ending::Open);
            return Some(FaultyRun {
                run,
                fault,
                place: None,
                property: Some(properties[property].name.clone()),
            });
        }
        let End::Leaves(label, fault) = &judged.end else { return None };
        let (run, _) = self.run(number)?;
        self.faulty(run, label, *fault)
    }

    fn faulty(&self, run: Run, label: &Label, fault: Fault) -> Option<FaultyRun> {
        let ending = Ending::Fault(label.clone(), fault);
        let mut replayed = replay_all(self.system, self.rules, &run, &ending).ok()?;
        let place = replayed.fault_place(label, fault);
        let run = ReplayedRun::new(&run, replayed, ending);
        Some(FaultyRun { run, fault, place, property: None })
    }

    /// The run of this number, gone through by the rules.
    fn replayed(&self, number: u64) -> Option<ReplayedRun> {
        let (run, end) = self.run(number)?;
        let ending = match end {
            End::Bound => Ending::Open,
            End::Stuck => Ending::Stuck,
            End::Leaves(label, fault) => Ending::Fault(label, fault),
        };
        let replayed = replay_all(self.system, self.rules, &run, &ending).ok()?;
        Some(ReplayedRun::new(&run, replayed, ending))
    }
}

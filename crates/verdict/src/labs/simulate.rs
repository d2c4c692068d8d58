//! Runs at random: how often properties hold in runs of bounded length.
//!
//! In: a system, properties, how many runs of how many steps, and a seed; the same seed gives the same runs,
//! on every machine. In each state every possible step is equally likely, as is every combination of initial
//! values that the assumptions allow. Nothing is proved by this; a run that violates a property is one, and
//! is rechecked.

use paramcheck_labs::model::{Assumption, Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::evaluate::Value;
use paramcheck_labs::semantics::evidence::Violation as Claimed;
use paramcheck_labs::semantics::explore::{NoSpace, holds_in, initial_values};
use paramcheck_labs::semantics::run::{Ending, Run, replay_all};
use paramcheck_labs::semantics::step::{Label, Rules, Stepper};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::random::Random;

use super::recheck::recheck;
use super::{FaultyRun, NoStart, ReplayedRun, Violation};

/// Initial values are listed if there are so many, before the assumptions, at most.
const MAX_LISTED: usize = 100_000;
/// Of more, so many are tried in vain, until it is called hopeless.
const MAX_TRIES: usize = 100_000;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How many runs.
    pub runs: usize,
    /// How many steps each has at most.
    pub steps: usize,
    /// Where the choices come from.
    pub seed: u64,
    /// Time, interruption.
    pub budget: Budget,
}

/// What the runs came to.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The runs, as far as they were made.
    pub runs: Vec<ReplayedRun>,
    /// Per property.
    pub properties: Vec<Frequency>,
    /// The first run that leaves the language.
    pub fault: Option<FaultyRun>,
    /// What ended the simulation early.
    pub stopped: Option<Stop>,
}

/// How often a property held.
#[derive(Clone, Debug)]
pub struct Frequency {
    /// Per run whether it holds in it.
    pub held: Vec<bool>,
    /// The first run in which it does not.
    pub violation: Option<Violation>,
}

/// Makes runs at random. Properties about what can still be reached
/// ([`Modality::Fairly`]) are no questions about runs: leave them out.
///
/// # Errors
/// There is no initial state, or none was found.
pub fn simulate(
    system: &System,
    properties: &[Property],
    rules: Rules,
    simulation: &Simulation,
) -> Result<Simulated, NoStart> {
    let mut random = Random::new(simulation.seed);
    let mut simulated = Simulated {
        runs: Vec::new(),
        properties: properties.iter().map(|_| Frequency { held: Vec::new(), violation: None }).collect(),
        fault: None,
        stopped: None,
    };
    let beginnings = Beginnings::of(system, &rules, &simulation.budget)?;
    for _ in 0..simulation.runs {
        if let Err(stop) = simulation.budget.check() {
            simulated.stopped = Some(stop);
            break;
        }
        let initial = beginnings.choose(system, &rules, &mut random)?;
        let (run, ending) = run(system, rules, initial, simulation.steps, &mut random);
        if let Ending::Fault(label, fault) = &ending
            && simulated.fault.is_none()
        {
            simulated.fault = faulty(system, rules, &run, &ending, label, *fault);
        }
        for (property, frequency) in properties.iter().zip(&mut simulated.properties) {
            // A run that was cut off by a fault is judged as far as it goes.
            let ended = if matches!(ending, Ending::Fault(..)) { Ending::Open } else { ending.clone() };
            let violated = violation(system, rules, property, &run, &ended, simulation.steps);
            frequency.held.push(violated.is_none());
            frequency.violation = frequency.violation.take().or(violated);
        }
        if let Ok(replayed) = replay_all(system, rules, &run, &ending) {
            simulated.runs.push(ReplayedRun::new(&run, replayed, ending));
        }
    }
    Ok(simulated)
}

/// Where runs begin.
enum Beginnings {
    /// One of these.
    Listed(Vec<Vec<Value>>),
    /// There are too many to be listed.
    Many,
}

impl Beginnings {
    fn of(system: &System, rules: &Rules, budget: &Budget) -> Result<Beginnings, NoStart> {
        let counts = system.initial.iter().map(|one| u128::from(one.count()));
        let all = counts.fold(1u128, u128::saturating_mul);
        if all > MAX_LISTED as u128 {
            return Ok(Beginnings::Many);
        }
        match initial_values(system, rules, MAX_LISTED, budget) {
            Ok(all) if all.is_empty() => Err(NoStart::NoInitialState),
            Ok(all) => Ok(Beginnings::Listed(all)),
            Err(NoSpace::Fault(fault)) => Err(NoStart::Assumption(fault)),
            Err(_) => Ok(Beginnings::Many),
        }
    }

    /// Initial values that the assumptions allow, each combination equally likely.
    fn choose(&self, system: &System, rules: &Rules, random: &mut Random) -> Result<Vec<Value>, NoStart> {
        if let Beginnings::Listed(all) = self {
            let chosen = usize::try_from(random.below(all.len() as u64)).unwrap_or(0);
            return Ok(all[chosen].clone());
        }
        for _ in 0..MAX_TRIES {
            let values = system.initial.iter().map(|one| one.value(random.below(one.count())));
            let cells: Vec<Value> = values.collect();
            let allowed = |one: &Assumption| holds_in(system, &one.formula, &cells, rules) == Ok(true);
            if system.assumptions.iter().all(allowed) {
                return Ok(cells);
            }
        }
        Err(NoStart::NotFound(MAX_TRIES))
    }
}

fn run(
    system: &System,
    rules: Rules,
    initial: Vec<Value>,
    steps: usize,
    random: &mut Random,
) -> (Run, Ending) {
    let mut stepper = Stepper::new(system, rules);
    let mut state = stepper.initial(initial.clone());
    let mut run = Run { initial, steps: Vec::new() };
    for _ in 0..steps {
        let mut successors = stepper.successors(&state);
        if successors.is_empty() {
            return (run, Ending::Stuck);
        }
        let chosen = usize::try_from(random.below(successors.len() as u64)).unwrap_or(0);
        let (label, outcome) = successors.swap_remove(chosen);
        match outcome {
            Ok(next) => {
                run.steps.push((label, next.store.clone()));
                state = next;
            }
            Err(fault) => return (run, Ending::Fault(label, fault)),
        }
    }
    (run, Ending::Open)
}

/// The violation of a property by a run; where it is in one state, the run up to that.
fn violation(
    system: &System,
    rules: Rules,
    property: &Property,
    run: &Run,
    ending: &Ending,
    steps: usize,
) -> Option<Violation> {
    let mut claimed = Claimed { run: run.clone(), ending: ending.clone(), searched: None };
    if property.modality == Modality::Always {
        let later = run.steps.iter().map(|(_, store)| store.cells.as_slice());
        let mut all = [run.initial.as_slice()].into_iter().chain(later);
        let lacks = |cells: &[Value]| holds_in(system, &property.formula, cells, &rules) == Ok(false);
        claimed.run.steps.truncate(all.position(lacks)?);
        claimed.ending = Ending::Open;
    }
    let replayed = recheck(system, rules, property, &claimed, Some(steps)).ok()?;
    Some(Violation { run: ReplayedRun::new(&claimed.run, replayed, claimed.ending), searched: None })
}

fn faulty(
    system: &System,
    rules: Rules,
    run: &Run,
    ending: &Ending,
    label: &Label,
    fault: Fault,
) -> Option<FaultyRun> {
    let mut replayed = replay_all(system, rules, run, ending).ok()?;
    let place = replayed.fault_place(label, fault);
    let run = ReplayedRun::new(run, replayed, ending.clone());
    Some(FaultyRun { run, fault, place, property: None })
}

//! This program's own answers about a process: from its triples, rechecked, or by its rules.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use paramcheck_emulation::Structure;
use paramcheck_emulation::process::NotEncoded;
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_nets::explore::engine::SearchOptions;
use paramcheck_process::model::Goal;
use paramcheck_process::semantics::check::{Finding, Mismatch, RunStep, Schedule, find};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::inductive::{self, Fault};
use super::offered::{ActionLabels, Unseen, never_offered};
use super::state_space::{Search, StateSpace, search};
use super::{Answer, Explored, NATIVE, NativeAnswers, NoAnswer, Options, ProcessProof, Subject};
use crate::{InternalBug, Status};

/// A process with rules of its own: what a [`ProcessChecker`] needs to know beside the triples.
pub trait Process: Subject {
    /// What is demanded by each check, in the labels of the triples.
    fn goals(&self) -> Vec<Goal>;

    /// All states by the rules, or `max_states` of them where there are more.
    fn states(&self, max_states: usize, budget: &Budget) -> Lts;

    /// The states that are reached by the rules when agents take turns, each with whose turn it is, or
    /// `max_states` of them where there are more. The transitions are those of whoever has the turn, so that
    /// any run is one in turn. `None` where there is nothing to explore.
    fn states_in_turn(&self, max_states: usize, budget: &Budget) -> Option<Lts>;

    /// Whether the triples are strongly bisimilar to the process by its rules, with termination and with who
    /// takes part in each step. False also where that takes too much work to show: no more than `max_states`
    /// states of one agent are looked at.
    ///
    /// # Errors
    /// The budget ended.
    fn is_faithful(&self, structure: &Structure, max_states: usize, budget: &Budget) -> Result<bool, Stop>;

    /// Finds and replays a run by the rules that takes these steps and violates a check.
    ///
    /// # Errors
    /// There is none, or none was found.
    fn retrace(
        &self,
        goal: &Goal,
        schedule: Schedule,
        steps: &[RunStep],
        loop_start: Option<usize>,
        budget: &Budget,
    ) -> Result<Self::Violation, Mismatch>;

    /// Decides a check by the rules alone.
    ///
    /// # Errors
    /// The budget ended; or a run found does not replay.
    fn decide_by_rules(
        &self,
        goal: &Goal,
        schedule: Schedule,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Outcome<Self::Violation>, Mismatch>;
}

/// What was found about a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<V> {
    /// It holds.
    Holds,
    /// This violates it.
    Violated(V),
    /// Not all states are known, and those that are do not violate it.
    Unknown(Incomplete),
}

/// What the states of a process are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateSource {
    /// Its triples, where there are not too many of them.
    Triples,
    /// Its rules: for what is held against answers that others give about triples.
    Rules,
}

/// Answers the checks of a process.
pub struct ProcessChecker<'a, P> {
    process: &'a P,
    options: &'a Options,
    source: StateSource,
}

/// How many states a recheck may look at for each that was found, or may be found; and at least.
const RECHECK_FACTOR: usize = 2;
const MIN_RECHECK_STATES: usize = 1_000;

/// What is known of the states.
struct Known<'a> {
    /// The triples, unless the states were found by the rules.
    structure: Option<&'a Structure>,
    /// The states with their transitions.
    space: Space<'a>,
    /// What the engine found, and the checks that were searched for.
    search: Option<(Search, Vec<usize>)>,
    is_faithful: OnceCell<bool>,
    /// Whether `space` is what the triples define.
    is_right: OnceCell<Result<(), Fault>>,
}

enum Space<'a> {
    Triples(StateSpace<'a>),
    Rules(Lts),
    /// By the rules, those that are reached in turn.
    Turns(Lts),
}

impl Known<'_> {
    fn lts(&self) -> &Lts {
        match &self.space {
            Space::Triples(space) => &space.lts,
            Space::Rules(lts) | Space::Turns(lts) => lts,
        }
    }

    /// What is still to be assumed of the order, where `schedule` is to be: nothing if only steps in turn are
    /// there.
    fn schedule(&self, schedule: Schedule) -> Schedule {
        match self.space {
            Space::Turns(_) => Schedule::Any,
            Space::Triples(_) | Space::Rules(_) => schedule,
        }
    }

    /// How many states were found.
    fn states(&self) -> usize {
        self.search.as_ref().map_or_else(|| self.lts().states(), |(search, _)| search.states)
    }

    /// Per check the actions of which it speaks and that no state offers, where all states are known.
    fn never_offered(&self, goals: &[Goal]) -> Vec<Vec<ActionLabels>> {
        match &self.search {
            Some((search, _)) => {
                search.unseen.as_ref().map_or_else(Vec::new, |unseen| never_offered(goals, unseen))
            }
            None => {
                let mut unseen = Unseen::new(goals);
                unseen.look_through(self.lts());
                never_offered(goals, &unseen)
            }
        }
    }

    /// What the engine found about a check, if it was searched for.
    fn searched(&self, check: usize) -> Option<(&Search, &Option<Vec<RunStep>>)> {
        let (search, checks) = self.search.as_ref()?;
        let position = checks.iter().position(|one| *one == check)?;
        Some((search, search.runs.get(position)?))
    }
}

type Answered<V> = Result<Status<ProcessProof, V, NoAnswer>, InternalBug>;

impl<'a, P: Process> ProcessChecker<'a, P> {
    /// A checker that finds states from `source`.
    pub fn new(process: &'a P, options: &'a Options, source: StateSource) -> Self {
        ProcessChecker { process, options, source }
    }

    /// Finds the states and answers the checks.
    pub fn decide(&self) -> NativeAnswers<P::Violation> {
        let begin = Instant::now();
        let budget = &self.options.budget;
        let goals = self.process.goals();
        let agents = match self.process.agents(budget) {
            Ok(agents) => agents,
            Err(incomplete) => return self.nothing(goals.len(), incomplete),
        };
        let structure = match self.source {
            StateSource::Rules => None,
            StateSource::Triples => match self.process.structure(budget) {
                Ok(structure) => Some(structure),
                Err(NotEncoded::Stopped(stop)) => return self.nothing(goals.len(), stop.into()),
                Err(NotEncoded::Triples | NotEncoded::Conditions) => None,
            },
        };
        let known = match &structure {
            Some(structure) => self.explore(structure, &goals),
            None => {
                let states = self.process.states(self.options.max_states, budget);
                let turns = if is_beyond(&states) { self.in_turn() } else { None };
                Known::new(None, turns.map_or(Space::Rules(states), Space::Turns), None)
            }
        };
        let lts = known.lts();
        let (states, transitions, incomplete) = match &known.search {
            Some((search, _)) => (search.states, search.transitions, search.incomplete),
            None => (lts.states(), lts.transition_count(), lts.incomplete),
        };
        let is_complete = incomplete.is_none();
        let explored =
            Explored { states, transitions: Some(transitions), is_complete, elapsed: begin.elapsed() };
        let never_offered = if is_complete { known.never_offered(&goals) } else { Vec::new() };
        NativeAnswers { agents, explored, answers: self.answers(&known, &goals), never_offered }
    }

    /// The states that are reached in turn, where turns are taken.
    fn in_turn(&self) -> Option<Lts> {
        let Options { schedule, max_states, budget, .. } = self.options;
        let is_wanted = *schedule == Schedule::RoundRobin;
        is_wanted.then(|| self.process.states_in_turn(*max_states, budget)).flatten()
    }

    /// What is known from the states `turns` that are reached in turn, or from all, which are more than
    /// `limit`: in turn a state counts once for each turn, so that all may be few enough where those are not.
    fn turns_or_all<'b>(&self, structure: &'b Structure, turns: Lts, limit: usize) -> Known<'b> {
        let Options { max_states, budget, .. } = self.options;
        if is_beyond(&turns) && limit < *max_states {
            let all = StateSpace::new(structure, *max_states, budget);
            if all.lts.incomplete.is_none() {
                return Known::new(Some(structure), Space::Triples(all), None);
            }
        }
        Known::new(None, Space::Turns(turns), None)
    }

    /// The answers where not even the first state is known.
    fn nothing(&self, checks: usize, incomplete: Incomplete) -> NativeAnswers<P::Violation> {
        let unknown = |_| Ok(native(Status::Unknown(NoAnswer::Incomplete(incomplete)), None, Instant::now()));
        NativeAnswers {
            agents: Vec::new(),
            explored: Explored::default(),
            answers: (0..checks).map(unknown).collect(),
            never_offered: Vec::new(),
        }
    }

    /// Explores triples: few states with their transitions, which answers everything; more without them where
    /// that is enough.
    fn explore<'b>(&self, structure: &'b Structure, goals: &[Goal]) -> Known<'b> {
        let Options { max_states, max_lts_states, budget, .. } = self.options;
        let limit = *max_states.min(max_lts_states);
        let mut space = StateSpace::new(structure, limit, budget);
        let turns = if is_beyond(&space.lts) { self.in_turn() } else { None };
        if let Some(turns) = turns {
            return self.turns_or_all(structure, turns, limit);
        }
        if limit == *max_states || !is_beyond(&space.lts) {
            return Known::new(Some(structure), Space::Triples(space), None);
        }
        let mut searched = Vec::new();
        let mut conditions: Vec<Condition> = Vec::new();
        for (check, goal) in goals.iter().enumerate() {
            // With turns, which steps are possible depends on more than the state.
            if let (Some(Demand::Never(condition)), false) =
                (Question::demand_of(goal), self.options.schedule == Schedule::RoundRobin)
            {
                searched.push(check);
                conditions.push(condition);
            }
        }
        let options = SearchOptions {
            threads: self.options.threads,
            max_states: *max_states,
            ..SearchOptions::default()
        };
        let conditions: Vec<&Condition> = conditions.iter().collect();
        let found = match conditions.is_empty() {
            true => Ok(None),
            false => search(structure, &conditions, Unseen::new(goals), &options, budget),
        };
        let found = found.map(|found| found.map(|found| (found, searched)));
        let is_all = matches!(&found, Ok(Some((_, searched))) if searched.len() == goals.len());
        // When the budget has ended, what was found before is all there is.
        match found.as_ref().err().copied().or(budget.check().err()) {
            Some(stop) => space.lts.incomplete = Some(stop.into()),
            None if is_all => {}
            None => space = StateSpace::new(structure, *max_states, budget),
        }
        Known::new(Some(structure), Space::Triples(space), found.ok().flatten())
    }

    /// Answers all checks. Where the budget ends on the way, the rest is answered from the states found, for
    /// a violation among them should not be lost: each check may take its share of a moment, unless it has
    /// taken as long already. What takes most memory, *eventually* and *ltl*, comes last.
    fn answers(&self, known: &Known<'_>, goals: &[Goal]) -> Vec<Result<Answer<P::Violation>, InternalBug>> {
        let budget = &self.options.budget;
        let mut answers: Vec<Option<Result<_, _>>> = goals.iter().map(|_| None).collect();
        let mut late: Vec<(usize, Duration)> = Vec::new();
        for check in 0..goals.len() {
            let begin = Instant::now();
            let status = budget.check().and_then(|()| self.answer(known, check, &goals[check], budget));
            match status {
                Ok(status) => {
                    answers[check] = Some(status.map(|status| native(status, Some(P::steps), begin)))
                }
                Err(_) => late.push((check, begin.elapsed())),
            }
        }
        late.sort_by_key(|(check, _)| matches!(goals[*check], Goal::Eventually(_) | Goal::Ltl(_)));
        let all = budget.for_evidence();
        for (position, &(check, taken)) in late.iter().enumerate() {
            let begin = Instant::now();
            let left = u32::try_from(late.len() - position).unwrap_or(u32::MAX);
            let share = all.deadline.map(|end| end.saturating_duration_since(begin) / left);
            let own = match share {
                Some(share) if share <= taken => None,
                Some(share) => Some(all.within(share)),
                None => Some(all.clone()),
            };
            let found = own.and_then(|own| self.answer(known, check, &goals[check], &own).ok());
            let status = found.unwrap_or_else(|| {
                let stop = budget.check().err().unwrap_or(Stop::Time);
                let incomplete = known.lts().incomplete.unwrap_or(Incomplete::Stopped(stop));
                Ok(Status::Unknown(NoAnswer::Incomplete(incomplete)))
            });
            answers[check] = Some(status.map(|status| native(status, Some(P::steps), begin)));
        }
        answers.into_iter().flatten().collect()
    }

    /// Answers a check from the states that are known.
    fn answer(
        &self,
        known: &Known<'_>,
        check: usize,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Answered<P::Violation>, Stop> {
        let schedule = self.options.schedule;
        let (steps, loop_start) = match known.searched(check) {
            Some((_, Some(steps))) => (steps.clone(), None),
            Some((Search { incomplete: Some(incomplete), .. }, None)) => {
                return Ok(Ok(Status::Unknown(NoAnswer::Incomplete(*incomplete))));
            }
            Some((search, None)) => return self.proof(known, search.recheck, goal, budget),
            None => match find(known.lts(), goal, known.schedule(schedule), budget)? {
                Finding::Violated(path) => (path.steps, path.loop_start),
                Finding::Unknown(incomplete) => {
                    return Ok(Ok(Status::Unknown(NoAnswer::Incomplete(incomplete))));
                }
                Finding::Holds => {
                    let recheck = match (known.structure, &known.space) {
                        (Some(structure), Space::Triples(space)) => {
                            known.is_right(structure, space, budget)?
                        }
                        // By the rules: there is nothing to hold it against.
                        _ => return Ok(Ok(Status::Proved(ProcessProof::Explored))),
                    };
                    return self.proof(known, recheck, goal, budget);
                }
            },
        };
        match self.process.retrace(goal, schedule, &steps, loop_start, budget) {
            Ok(violation) => Ok(Ok(Status::Violated(violation))),
            Err(Mismatch::Stopped(stop)) => Err(stop),
            Err(mismatch) => match self.by_rules(goal, budget)? {
                Ok(Status::Proved(_)) => Ok(Err(InternalBug::Run(mismatch))),
                other => Ok(other),
            },
        }
    }

    /// A proof from triples, where `recheck` is that of the states. If the triples can't be shown to be those
    /// of the process, the rules decide.
    fn proof(
        &self,
        known: &Known<'_>,
        recheck: Result<(), Fault>,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Answered<P::Violation>, Stop> {
        match recheck {
            Ok(()) => {}
            Err(Fault::Stopped(stop)) => return Ok(Ok(Status::Unknown(stop.into()))),
            Err(fault) => return Ok(Err(InternalBug::Proof(fault.to_string()))),
        }
        budget.progress.enter(Phase::Certifying);
        // An agent alone may have far more states than the whole: then the rules are looked at for the whole.
        let limit = known.states().saturating_mul(RECHECK_FACTOR).max(MIN_RECHECK_STATES);
        if known.is_faithful(|structure| self.process.is_faithful(structure, limit, budget))? {
            return Ok(Ok(Status::Proved(ProcessProof::Rechecked)));
        }
        Ok(match self.by_rules(goal, budget)? {
            Ok(Status::Violated(_)) => Err(InternalBug::Proof(
                "the rules of the process have a run that violates the check".to_owned(),
            )),
            other => other,
        })
    }

    fn by_rules(&self, goal: &Goal, budget: &Budget) -> Result<Answered<P::Violation>, Stop> {
        let Options { schedule, max_states, .. } = *self.options;
        // By the rules states may be different that are one by triples.
        let limit = max_states.saturating_mul(RECHECK_FACTOR).max(MIN_RECHECK_STATES);
        match self.process.decide_by_rules(goal, schedule, limit, budget) {
            Ok(Outcome::Holds) => Ok(Ok(Status::Proved(ProcessProof::Explored))),
            Ok(Outcome::Violated(violation)) => Ok(Ok(Status::Violated(violation))),
            Ok(Outcome::Unknown(incomplete)) => {
                // What the user knows of is the limit that he gave.
                let incomplete = match incomplete {
                    Incomplete::States(_) => Incomplete::States(max_states),
                    other => other,
                };
                Ok(Ok(Status::Unknown(NoAnswer::Incomplete(incomplete))))
            }
            Err(Mismatch::Stopped(stop)) => Err(stop),
            Err(mismatch) => Ok(Err(InternalBug::Run(mismatch))),
        }
    }
}

impl<'a> Known<'a> {
    fn new(structure: Option<&'a Structure>, space: Space<'a>, search: Option<(Search, Vec<usize>)>) -> Self {
        Known { structure, space, search, is_faithful: OnceCell::new(), is_right: OnceCell::new() }
    }

    /// Whether the triples are those of the process; found out once.
    fn is_faithful(&self, look: impl FnOnce(&Structure) -> Result<bool, Stop>) -> Result<bool, Stop> {
        if let Some(known) = self.is_faithful.get() {
            return Ok(*known);
        }
        let found = self.structure.map_or(Ok(true), look)?;
        Ok(*self.is_faithful.get_or_init(|| found))
    }

    /// Whether the labelled transition system is that of the triples; found out once.
    fn is_right(
        &self,
        structure: &Structure,
        space: &StateSpace<'_>,
        budget: &Budget,
    ) -> Result<Result<(), Fault>, Stop> {
        if let Some(known) = self.is_right.get() {
            return Ok(*known);
        }
        budget.progress.enter(Phase::Certifying);
        match inductive::check_lts(structure, &space.lts, |state| space.state(state), budget) {
            Err(Fault::Stopped(stop)) => Err(stop),
            found => Ok(*self.is_right.get_or_init(|| found)),
        }
    }
}

/// Whether there are more states than were to be found.
fn is_beyond(lts: &Lts) -> bool {
    matches!(lts.incomplete, Some(Incomplete::States(_)))
}

/// An answer of this program's own, for which work began at `begin`.
fn native<V>(
    status: Status<ProcessProof, V, NoAnswer>,
    count: Option<fn(&V) -> usize>,
    begin: Instant,
) -> Answer<V> {
    let steps = match &status {
        Status::Violated(violation) => count.map(|count| count(violation)),
        Status::Proved(_) | Status::Unknown(_) => None,
    };
    let (elapsed, transcript) = (begin.elapsed(), String::new());
    Answer { verifier: NATIVE.to_owned(), status, steps, elapsed, memory: None, transcript }
}

//! Exploration of one instance: the engine applied to its net.
//!
//! [`explore_net`] chooses how markings are packed, prepares the errors asked for, runs the engine and turns
//! what it found into markings and traces of the net. [`search`] is the short form for one error and
//! [`reachable`] for those who want to see the markings.

use crate::explore::engine::{End, Exploration, SearchOptions, Step, explore};
use crate::explore::goal::{depends_on_order, goal, implies_dead, termination};
use crate::explore::pack::Layout;
use crate::explore::petri::NetSystem;
use crate::explore::reduced::ReducedNet;
use crate::explore::stubborn::Stubborn;
use crate::explore::symmetry::{Family, Symmetry};
use crate::explore::system::{Goal, State, Wide};
use crate::explore::trace::Trace;
use crate::instance::marking::Marking;
use crate::instance::net::{Net, NetTransitionId};
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// Which markings may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Those that are not needed to reach every dead marking, where only dead markings can be errors.
    pub stubborn: bool,
    /// All but one of those that are the same up to an exchange of interchangeable components.
    pub symmetry: bool,
}

impl Reduction {
    /// What of it is sound for these errors.
    pub fn sound_for(self, errors: &[&ErrorFormula]) -> Reduction {
        Reduction { stubborn: self.stubborn && errors.iter().all(|formula| implies_dead(formula)), ..self }
    }
}

/// What was found out about one instance.
#[derive(Clone, Debug)]
pub struct NetExploration {
    /// Why the exploration ended.
    pub end: End,
    /// How many markings were found, the initial one included.
    pub states: usize,
    /// How often a transition is enabled in a marking, over all markings that were looked at.
    pub transitions: u64,
    /// In how many no transition is enabled.
    pub dead: u64,
    /// In how many of these every component may rest.
    pub terminated: u64,
    /// The greatest distance from the initial marking.
    pub depth: usize,
    /// What is known of the errors, in the order of the call.
    pub errors: Vec<ErrorReach>,
    /// The bits that a marking needs.
    pub bits: u32,
    /// The most bytes that were used for markings.
    pub peak_bytes: usize,
    /// What was really reduced: what was asked for, is sound for the errors and has anything to do. With
    /// stubborn sets only dead markings are all there, and traces need not be shortest. With symmetry every
    /// number is one of representatives.
    pub reduction: Reduction,
    /// The groups of components that are interchangeable, where symmetry was used.
    pub families: Vec<Family>,
}

impl NetExploration {
    /// Nothing found of `errors` errors, for the reason `end`.
    pub fn nothing(end: End, errors: usize) -> Self {
        NetExploration {
            end,
            states: 0,
            transitions: 0,
            dead: 0,
            terminated: 0,
            depth: 0,
            errors: (0..errors).map(|_| ErrorReach { count: 0, undecided: 0, trace: None }).collect(),
            bits: 0,
            peak_bytes: 0,
            reduction: Reduction::default(),
            families: Vec::new(),
        }
    }
}

/// What is known of one error in one instance.
#[derive(Clone, Debug)]
pub struct ErrorReach {
    /// How many of the markings looked at are in it.
    pub count: u64,
    /// Of how many that was not decided.
    pub undecided: u64,
    /// A way to it, if it was reached; a shortest one, unless stubborn sets were used.
    pub trace: Option<Trace>,
}

/// Explores `net`, an instance of `system`, and asks for every formula of `errors` whether it is reached.
/// The result is the same for any number of threads.
pub fn explore_net(
    system: &System,
    net: &Net,
    errors: &[&ErrorFormula],
    reduction: Reduction,
    options: &SearchOptions,
    budget: &Budget,
) -> NetExploration {
    let layout = Layout::new(net);
    let mut reduction = reduction.sound_for(errors);
    let symmetry = reduction.symmetry.then(|| Symmetry::new(net, &layout, errors, budget)).transpose();
    let symmetry = match symmetry {
        Ok(symmetry) => symmetry.filter(|symmetry| !symmetry.families().is_empty()),
        Err(stop) => return NetExploration::nothing(End::Stopped(stop), errors.len()),
    };
    reduction.symmetry = symmetry.is_some();
    let mut options = *options;
    if errors.iter().any(|formula| depends_on_order(formula)) {
        options.threads = 1;
    }
    let question = Question { system, net, layout: &layout, errors, reduction, symmetry, options, budget };
    let explored = match layout.words() {
        1 => question.explore::<[u64; 1]>(),
        2 => question.explore::<[u64; 2]>(),
        3 | 4 => question.explore::<[u64; 4]>(),
        _ => question.explore::<Wide>(),
    };
    explored.unwrap_or_else(|stop| NetExploration::nothing(End::Stopped(stop), errors.len()))
}

struct Question<'a> {
    system: &'a System,
    net: &'a Net,
    layout: &'a Layout,
    errors: &'a [&'a ErrorFormula],
    reduction: Reduction,
    symmetry: Option<Symmetry>,
    options: SearchOptions,
    budget: &'a Budget,
}

impl Question<'_> {
    /// `Err` where the budget ended before the net was prepared.
    fn explore<S: State>(&self) -> Result<NetExploration, Stop> {
        let net = NetSystem::<S>::new(self.net, self.layout, self.budget)?;
        let mut goals: Vec<Goal<'_, S>> = Vec::with_capacity(self.errors.len() + 1);
        for formula in self.errors {
            self.budget.check()?;
            goals.push(goal(self.system, self.net, self.layout, formula));
        }
        if !self.options.stops_at_goals {
            goals.push(termination(self.system, self.net, self.layout));
        }
        let (options, count) = (&self.options, self.errors.len());
        if self.reduction == Reduction::default() {
            let found = explore(&net, &goals, options, self.budget);
            let trace = |goal| found.trace_to_goal(&net, goal, options.threads);
            return Ok(tell(self.layout, &found, count, trace));
        }
        let stubborn = self.reduction.stubborn.then(|| Stubborn::new(self.net, self.budget)).transpose()?;
        let reduced = ReducedNet { net, stubborn, symmetry: self.symmetry.clone() };
        let found = explore(&reduced, &goals, options, self.budget);
        let told = tell(self.layout, &found, count, |goal| {
            let path = found.trace_to_goal(&reduced, goal, options.threads)?;
            Some(reduced.lift(&path))
        });
        let families = self.symmetry.as_ref().map_or_else(Vec::new, |found| found.families().to_vec());
        Ok(NetExploration { reduction: self.reduction, families, ..told })
    }
}

/// What was found, in terms of the net. The first `errors` goals are errors; one that may follow is
/// termination.
fn tell<S: State>(
    layout: &Layout,
    found: &Exploration<S>,
    errors: usize,
    trace: impl Fn(usize) -> Option<Vec<Step<S>>>,
) -> NetExploration {
    let reach = (0..errors).map(|number| {
        let goal = &found.goals[number];
        let trace = trace(number).map(|steps| Trace {
            steps: steps
                .iter()
                .filter_map(|step| step.0)
                .map(|action| NetTransitionId::new(action as usize))
                .collect(),
            markings: steps.iter().map(|(_, state)| layout.unpack(state)).collect(),
        });
        ErrorReach { count: goal.count, undecided: goal.undecided, trace }
    });
    NetExploration {
        end: found.end,
        states: found.visited.len(),
        transitions: found.transitions,
        dead: found.dead,
        terminated: found.goals.get(errors).map_or(0, |goal| goal.count),
        depth: found.levels.saturating_sub(1),
        errors: reach.collect(),
        bits: layout.bits(),
        peak_bytes: found.peak_bytes,
        reduction: Reduction::default(),
        families: Vec::new(),
    }
}

/// How a search for one error ended. `states` is the number of markings found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// The error was reached, by a shortest trace.
    Reached {
        /// From the initial marking to one that is an error.
        trace: Trace,
        /// Markings found before the search ended.
        states: usize,
    },
    /// All reachable markings were seen, none is an error.
    Exhausted {
        /// The number of reachable markings.
        states: usize,
    },
    /// There are more reachable markings than allowed; none of those seen is an error.
    StateLimit {
        /// Markings seen.
        states: usize,
    },
    /// Whether some marking is an error could not be decided; none of those seen by then is one.
    Undecided {
        /// Markings seen.
        states: usize,
    },
    /// The budget ended; none of the markings seen is an error.
    Stopped {
        /// Why.
        reason: Stop,
        /// Markings seen.
        states: usize,
    },
}

impl SearchOutcome {
    /// The number of markings found.
    pub fn states(&self) -> usize {
        match self {
            SearchOutcome::Reached { states, .. }
            | SearchOutcome::Exhausted { states }
            | SearchOutcome::StateLimit { states }
            | SearchOutcome::Undecided { states }
            | SearchOutcome::Stopped { states, .. } => *states,
        }
    }
}

/// Searches the reachable markings of `net`, an instance of `system`, breadth first for one in `error`. It
/// ends when one is reached, or when it can't be decided whether one is.
pub fn find(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    options: &SearchOptions,
    budget: &Budget,
) -> SearchOutcome {
    let options = SearchOptions { stops_at_goals: true, ..*options };
    outcome(explore_net(system, net, &[error], Reduction::default(), &options, budget))
}

/// Searches the reachable markings of `net` breadth first for one that `goal` accepts, at most `max_states`
/// of them. Where it has no answer (`None`) and no other marking as near is accepted, the search ends.
pub fn search(
    net: &Net,
    goal: impl Fn(&Marking) -> Option<bool> + Sync,
    max_states: usize,
    budget: &Budget,
) -> SearchOutcome {
    let layout = Layout::new(net);
    let options = SearchOptions { max_states, stops_at_goals: true, ..SearchOptions::default() };
    let goals: [Goal<'_, Wide>; 1] = [Goal::new(|state: &Wide, _| goal(&layout.unpack(state)))];
    let system = match NetSystem::new(net, &layout, budget) {
        Ok(system) => system,
        Err(reason) => return SearchOutcome::Stopped { reason, states: 0 },
    };
    let found = explore(&system, &goals, &options, budget);
    outcome(tell(&layout, &found, 1, |goal| found.trace_to_goal(&system, goal, 1)))
}

fn outcome(mut found: NetExploration) -> SearchOutcome {
    let states = found.states;
    let reach = found.errors.pop();
    if let Some(trace) = reach.as_ref().and_then(|reach| reach.trace.clone()) {
        return SearchOutcome::Reached { trace, states };
    }
    match found.end {
        _ if reach.is_none_or(|reach| reach.undecided > 0) => SearchOutcome::Undecided { states },
        End::Exhausted => SearchOutcome::Exhausted { states },
        // Without a trace it was not reached: never an answer.
        End::Undecided | End::Reached => SearchOutcome::Undecided { states },
        End::StateLimit => SearchOutcome::StateLimit { states },
        End::Stopped(reason) => SearchOutcome::Stopped { reason, states },
    }
}

/// Calls `each` with the reachable markings of `net`, the nearest first, at most `max_states` of them; true
/// if those were all. Nothing is called where the budget ends before.
pub fn reachable(net: &Net, max_states: usize, budget: &Budget, mut each: impl FnMut(&Marking)) -> bool {
    let layout = Layout::new(net);
    let options = SearchOptions { max_states, ..SearchOptions::default() };
    let Ok(system) = NetSystem::<Wide>::new(net, &layout, budget) else { return false };
    let found = explore(&system, &[], &options, budget);
    if let End::Stopped(_) = found.end {
        return false;
    }
    found.visited.iter().for_each(|state| each(&layout.unpack(state)));
    found.end == End::Exhausted
}

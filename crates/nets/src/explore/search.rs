//! Exploration of one instance: the engine applied to its net.
//!
//! [`explore_net`] chooses how markings are packed, prepares the error formulas, runs the engine and turns
//! what it found into markings and traces of the net. [`find`] is the short form for one error, [`reachable`]
//! lists the markings.

use crate::explore::Reach;
use crate::explore::directed::{Distances, search};
use crate::explore::engine::{End, Exploration, SearchOptions, Step, explore};
use crate::explore::goal::{depends_on_order, goal, implies_dead, termination};
use crate::explore::pack::Layout;
use crate::explore::petri::NetSystem;
use crate::explore::reduced::ReducedNet;
use crate::explore::stubborn::Stubborn;
use crate::explore::symmetry::{Family, Symmetry};
use crate::explore::system::{Goal, State, Wide, with_width};
use crate::explore::trace::Trace;
use crate::instance::marking::Marking;
use crate::instance::net::{Net, NetTransitionId};
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// State-space reduction: which markings may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Partial-order reduction by stubborn sets: markings that are not needed to reach every dead marking,
    /// where only dead markings can be errors.
    pub stubborn: bool,
    /// Symmetry reduction: all but one of the markings that are the same up to an exchange of interchangeable
    /// components.
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
    /// The reduction that was applied: as selected, if it is sound for the errors and has any effect. With
    /// stubborn sets only dead markings are all found, and traces need not be shortest. With symmetry every
    /// number counts representatives.
    pub reduction: Reduction,
    /// The groups of components that are interchangeable, where symmetry was used.
    pub families: Vec<Family>,
}

impl NetExploration {
    /// Nothing found of `errors` errors, for the reason `end`.
    pub(crate) fn nothing(end: End, errors: usize) -> Self {
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

    /// Whether the error at this position is reached.
    pub fn reach(&self, error: usize) -> Reach {
        match self.errors.get(error).map(ErrorReach::so_far) {
            Some(Reach::Unreached) if self.end == End::Exhausted => Reach::Unreached,
            Some(Reach::Reached) => Reach::Reached,
            _ => Reach::Undecided,
        }
    }
}

/// What is known of one error in one instance.
#[derive(Clone, Debug)]
pub struct ErrorReach {
    /// How many of the markings looked at are in it.
    pub count: u64,
    /// In how many of them that could not be decided.
    pub undecided: u64,
    /// A way to it, if it was reached; a shortest one, unless stubborn sets were used.
    pub trace: Option<Trace>,
}

impl ErrorReach {
    /// Whether it is reached by some of the markings looked at.
    pub(crate) fn so_far(&self) -> Reach {
        match self.trace {
            // Without a trace it was not reached: never an answer.
            Some(_) => Reach::Reached,
            None if self.undecided > 0 || self.count > 0 => Reach::Undecided,
            None => Reach::Unreached,
        }
    }
}

/// Explores `net`, an instance of `system`, and evaluates every formula of `errors` in every marking.
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
    let task = Task { system, net, layout: &layout, errors, reduction, symmetry, options, budget };
    let explored = with_width!(layout.words(), S => task.explore::<S>());
    explored.unwrap_or_else(|stop| NetExploration::nothing(End::Stopped(stop), errors.len()))
}

/// What is to be explored.
struct Task<'a> {
    system: &'a System,
    net: &'a Net,
    layout: &'a Layout,
    errors: &'a [&'a ErrorFormula],
    reduction: Reduction,
    symmetry: Option<Symmetry>,
    options: SearchOptions,
    budget: &'a Budget,
}

impl Task<'_> {
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
            return Ok(of_net(self.layout, &found, count, trace));
        }
        let stubborn = self.reduction.stubborn.then(|| Stubborn::new(self.net, self.budget)).transpose()?;
        let reduced = ReducedNet { net, stubborn, symmetry: self.symmetry.clone() };
        let found = explore(&reduced, &goals, options, self.budget);
        let found = of_net(self.layout, &found, count, |goal| {
            let path = found.trace_to_goal(&reduced, goal, options.threads)?;
            Some(reduced.lift(&path))
        });
        let families = self.symmetry.as_ref().map_or_else(Vec::new, |found| found.families().to_vec());
        Ok(NetExploration { reduction: self.reduction, families, ..found })
    }
}

/// What was found, in terms of the net. The first `errors` goals are errors; one that may follow is
/// termination.
fn of_net<S: State>(
    layout: &Layout,
    found: &Exploration<S>,
    errors: usize,
    trace: impl Fn(usize) -> Option<Vec<Step<S>>>,
) -> NetExploration {
    let reach = (0..errors).map(|number| {
        let goal = &found.goals[number];
        let trace = trace(number).map(|steps| trace_of(layout, &steps));
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

/// Packed steps as a trace of the net.
fn trace_of<S: State>(layout: &Layout, steps: &[Step<S>]) -> Trace {
    let actions = steps.iter().filter_map(|step| step.0);
    Trace {
        steps: actions.map(|action| NetTransitionId::new(action as usize)).collect(),
        markings: steps.iter().map(|(_, state)| layout.unpack(state)).collect(),
    }
}

/// Searches the reachable markings of `net`, an instance of `system`, breadth first for one in `error`. It
/// ends when one is reached, or when it can't be decided whether one is.
pub fn find(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    reduction: Reduction,
    options: &SearchOptions,
    budget: &Budget,
) -> NetExploration {
    let options = SearchOptions { stops_at_goals: true, ..*options };
    explore_net(system, net, &[error], reduction, &options, budget)
}

/// Searches the reachable markings of `net` breadth first for `target`, a marking of it: whether it is reached,
/// and by which shortest way.
pub fn find_marking(
    net: &Net,
    target: &Marking,
    options: &SearchOptions,
    budget: &Budget,
) -> (Reach, Option<Trace>) {
    let layout = Layout::new(net);
    let options = SearchOptions { stops_at_goals: true, ..*options };
    let found = with_width!(layout.words(), S => to_marking::<S>(net, &layout, target, &options, budget));
    // Where the budget ended before the net was prepared, nothing is known.
    found.unwrap_or((Reach::Undecided, None))
}

fn to_marking<S: State>(
    net: &Net,
    layout: &Layout,
    target: &Marking,
    options: &SearchOptions,
    budget: &Budget,
) -> Result<(Reach, Option<Trace>), Stop> {
    let system = NetSystem::<S>::new(net, layout, budget)?;
    let target: S = layout.pack(target);
    let goals = [Goal::new(move |state: &S, _| Some(*state == target))];
    let found = explore(&system, &goals, options, budget);
    let steps = found.trace_to_goal(&system, 0, options.threads);
    let trace = steps.map(|steps| trace_of(layout, &steps));
    Ok(match (&trace, found.end) {
        (Some(_), _) => (Reach::Reached, trace),
        (None, End::Exhausted) => (Reach::Unreached, None),
        (None, _) => (Reach::Undecided, None),
    })
}

/// What a directed search came to; see [`find_directed`].
#[derive(Clone, Debug)]
pub struct DirectedSearch {
    /// Why it ended: [`End::Exhausted`] where all markings, up to symmetry, were seen.
    pub end: End,
    /// How many markings were seen.
    pub states: usize,
    /// In how many of them the error could not be decided.
    pub undecided: u64,
    /// A way to the error, not always a shortest one.
    pub trace: Option<Trace>,
}

/// Searches the reachable markings of `net`, an instance of `system`, for one in `error`: those first that look
/// nearer to `target`, a marking of `net` (see `directed`). Of markings that differ in an exchange of
/// interchangeable components one is seen.
pub fn find_directed(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    target: &Marking,
    max_states: usize,
    budget: &Budget,
) -> DirectedSearch {
    let layout = Layout::new(net);
    let found = with_width!(layout.words(), S => {
        directed::<S>(system, net, &layout, error, target, max_states, budget)
    });
    let nothing = |stop| DirectedSearch { end: End::Stopped(stop), states: 0, undecided: 0, trace: None };
    found.unwrap_or_else(nothing)
}

fn directed<S: State>(
    system: &System,
    net: &Net,
    layout: &Layout,
    error: &ErrorFormula,
    target: &Marking,
    max_states: usize,
    budget: &Budget,
) -> Result<DirectedSearch, Stop> {
    let symmetry = Symmetry::new(net, layout, &[error], budget)?;
    let reduced = ReducedNet {
        net: NetSystem::<S>::new(net, layout, budget)?,
        stubborn: None,
        symmetry: Some(symmetry).filter(|symmetry| !symmetry.families().is_empty()),
    };
    let distances = Distances::new(system);
    // Markings are seen as their representatives, so that the target is one as well.
    let target = reduced.normalize(layout.pack(target), &mut Vec::new());
    let goal = goal(system, net, layout, error);
    let estimate = |state: &S| distances.between(net, layout, state, &target);
    let found = search(&reduced, &goal, estimate, max_states, budget);
    let trace = found.path.map(|path| trace_of(layout, &reduced.lift(&path)));
    Ok(DirectedSearch { end: found.end, states: found.states, undecided: found.undecided, trace })
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

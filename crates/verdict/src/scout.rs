//! The scout of the engines and the judge of their candidates: exploration of concrete instances for one
//! question.

use paramcheck_invariants::firing::{Alive, InteractionFiring};
use paramcheck_invariants::outcome::Scout;
use paramcheck_invariants::strategy::QUICK_STATES;
use paramcheck_model::component::{TransitionId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::search::{Reduction, find, find_directed, reachable};
use paramcheck_nets::explore::sweep::{ReachedError, Sweep};
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::enumerate::{smallest_size, trees_within};
use paramcheck_nets::instance::marking::{self, Marking};
use paramcheck_nets::instance::net::{Net, NetTransition};
use paramcheck_nets::instance::unfold::{NotUnfolded, check_tree, try_unfold};
use paramcheck_text::limits::{Budget, Stop};

use super::{Candidate, Explored};

/// Markings visited to see which interactions fire.
const ALIVE_STATES: usize = 20_000;
/// Markings visited by each way to search far from the initial marking, before all that may be visited are.
const NEAR_STATES: usize = 50_000;
/// What is kept without loss in a search for one error.
const SYMMETRY: Reduction = Reduction { stubborn: false, symmetry: true };

/// Explores concrete instances for one question.
pub(super) struct Explorer<'a> {
    system: &'a System,
    error: &'a NamedError,
    threads: usize,
    budget: &'a Budget,
    /// An instance that reaches the error, once one was found.
    pub(super) reached: Option<Box<ReachedError>>,
    /// The last instance explored without reaching the error, and whether it was explored to its end.
    last: Option<(RewritingTree, bool)>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(system: &'a System, error: &'a NamedError, threads: usize, budget: &'a Budget) -> Self {
        Explorer { system, error, threads, budget, reached: None, last: None }
    }

    /// Whether the instance of `tree` reaches the error, as far as `max_states` states show in each search:
    /// of the nearest markings; of those up to symmetry; of those that look nearest to `target`, a marking in
    /// the error; and the first two again, as far as they may go.
    ///
    /// # Errors
    /// The run must end.
    pub(super) fn reach(
        &mut self,
        tree: &RewritingTree,
        target: &Marking,
        max_states: usize,
    ) -> Result<Reach, Stop> {
        let of_whole = |whole| if whole { Reach::Unreached } else { Reach::Undecided };
        if let Some((last, whole)) = &self.last
            && last == tree
            && (*whole || max_states <= QUICK_STATES)
        {
            return Ok(of_whole(*whole));
        }
        let net = match try_unfold(self.system, tree, usize::MAX, self.budget) {
            Ok(net) => net,
            Err(NotUnfolded::Stopped(stop)) => return Err(stop),
            Err(NotUnfolded::TooLarge) => return Ok(Reach::Undecided),
        };
        let mut reach = self.breadth_first(tree, &net, Reduction::default(), max_states.min(QUICK_STATES))?;
        if reach == Reach::Undecided && self.reached.is_none() {
            reach = self.far(tree, &net, target, max_states)?;
        }
        if self.reached.is_none() {
            self.last = Some((tree.clone(), reach == Reach::Unreached));
        }
        Ok(reach)
    }

    /// Where the nearest markings do not show it.
    fn far(
        &mut self,
        tree: &RewritingTree,
        net: &Net,
        target: &Marking,
        max_states: usize,
    ) -> Result<Reach, Stop> {
        let near = max_states.min(NEAR_STATES);
        let reach = self.breadth_first(tree, net, SYMMETRY, near)?;
        if reach != Reach::Undecided {
            return Ok(reach);
        }
        let formula = &self.error.formula;
        let found = find_directed(self.system, net, formula, target, near, self.budget);
        if let Some(trace) = found.trace {
            self.found(tree, net, trace, false);
            return Ok(Reach::Reached);
        }
        match found.end {
            End::Stopped(stop) => Err(stop),
            End::Exhausted if found.undecided == 0 => Ok(Reach::Unreached),
            _ if max_states > near => self.breadth_first(tree, net, SYMMETRY, max_states),
            _ => Ok(Reach::Undecided),
        }
    }

    /// Whether one of the `max_states` nearest markings is in the error.
    fn breadth_first(
        &mut self,
        tree: &RewritingTree,
        net: &Net,
        reduction: Reduction,
        max_states: usize,
    ) -> Result<Reach, Stop> {
        let options = SearchOptions { max_states, threads: self.threads, ..SearchOptions::default() };
        let mut found = find(self.system, net, &self.error.formula, reduction, &options, self.budget);
        let reach = found.reach(0);
        match found.errors.pop().and_then(|error| error.trace) {
            Some(trace) => self.found(tree, net, trace, true),
            None => {
                if let End::Stopped(stop) = found.end {
                    return Err(stop);
                }
            }
        }
        Ok(reach)
    }

    fn found(&mut self, tree: &RewritingTree, net: &Net, trace: Trace, is_shortest: bool) {
        let (tree, net) = (tree.clone(), net.clone());
        self.reached = Some(Box::new(ReachedError { tree, net, trace, is_shortest }));
    }

    /// Explores all instances, smallest first, up to `max_size` and as far as `max_states` last, until one
    /// reaches the error.
    ///
    /// # Errors
    /// The run must end; with what was explored before.
    pub(crate) fn sweep(
        &mut self,
        max_size: Option<usize>,
        max_states: usize,
    ) -> Result<Explored, (Stop, Explored)> {
        let mut explored = Explored::default();
        let mut left = max_states;
        let mut sizes = Sizes::new(self.system);
        loop {
            let next = sizes.next_within(self.budget).map_err(|stop| (stop, explored))?;
            let Some(size) = next.filter(|&size| max_size.is_none_or(|most| size <= most)) else { break };
            if size < sizes.smallest {
                // No instance is so small.
                explored.up_to_size = size;
                continue;
            }
            let mut sweep = Sweep::search(self.system, &self.error.formula, size..=size, left);
            self.reached = sweep.find(self.budget);
            left = left.saturating_sub(sweep.states());
            match sweep.end() {
                Some(End::Exhausted) => {
                    explored.up_to_size = size;
                    explored.instances += sweep.sizes().iter().map(|total| total.exhausted).sum::<usize>();
                    explored.states += sweep.states();
                }
                Some(End::Stopped(stop)) => return Err((stop, explored)),
                _ => break,
            }
        }
        Ok(explored)
    }

    /// The candidate of an engine, if it is one: a marking of an instance of this system, and an error (as
    /// far as that can be decided).
    ///
    /// # Errors
    /// The run must end, and the moment that there is for evidence was not enough to see.
    pub(super) fn candidate(
        &self,
        tree: RewritingTree,
        marking: &TreeMarking,
    ) -> Result<Option<Candidate>, Stop> {
        if check_tree(self.system, &tree).is_err() {
            return Ok(None);
        }
        let net = match try_unfold(self.system, &tree, usize::MAX, &self.budget.for_evidence()) {
            Ok(net) => net,
            Err(NotUnfolded::Stopped(stop)) => return Err(self.budget.check().err().unwrap_or(stop)),
            // None is too large for no bound.
            Err(NotUnfolded::TooLarge) => return Ok(None),
        };
        let Some(marking) = marking::from_tree(&net, marking) else { return Ok(None) };
        let is_error = marking::evaluate(self.system, &net, &self.error.formula, &marking);
        let candidate = Candidate { tree, net, marking, reach: Reach::Undecided };
        Ok((is_error != Some(false)).then_some(candidate))
    }
}

impl Scout for Explorer<'_> {
    fn confirms(&mut self, tree: &RewritingTree, marking: &TreeMarking, states: usize) -> bool {
        // Where the run must end, nothing is confirmed.
        let Ok(Some(found)) = self.candidate(tree.clone(), marking) else { return false };
        self.reach(tree, &found.marking, states) == Ok(Reach::Reached)
    }

    fn finds(&mut self, states: usize) -> bool {
        // Where the run must end, nothing was found.
        let _ = self.sweep(None, states);
        self.reached.is_some()
    }

    fn alive(&mut self) -> Alive {
        let mut alive = Alive::default();
        let mut left = ALIVE_STATES;
        // Where the run must end, fewer were seen; any number is right.
        let _ = each_net(self.system, self.budget, |_, net| {
            let mut states = 0;
            reachable(net, left, self.budget, |marking| {
                states += 1;
                for id in net.enabled(marking) {
                    let transition = &net.transitions()[id];
                    if let Some(interaction) = transition.interaction {
                        let combination = combination(net, transition);
                        alive.insert(InteractionFiring { rule: transition.rule, interaction, combination });
                    }
                }
            });
            // An instance costs a little even when it has few markings.
            left = left.saturating_sub(states + 20);
            left > 0
        });
        alive
    }
}

/// Calls `each` with the instances worth exploring, the smallest first, until it returns false.
///
/// # Errors
/// `budget` ended.
pub(super) fn each_net(
    system: &System,
    budget: &Budget,
    mut each: impl FnMut(&RewritingTree, &Net) -> bool,
) -> Result<(), NotUnfolded> {
    let mut sizes = Sizes::new(system);
    while let Some(size) = sizes.next_within(budget)? {
        if size < sizes.smallest {
            continue;
        }
        let mut trees = trees_within(system, size, budget)?;
        while let Some(tree) = trees.next_within(budget)? {
            if !each(&tree, &try_unfold(system, &tree, usize::MAX, budget)?) {
                return Ok(());
            }
            budget.check()?;
        }
    }
    Ok(())
}

/// The sizes worth exploring: from 1 until it looks as if the system had no larger instance.
struct Sizes<'a> {
    system: &'a System,
    /// The size of the smallest instance.
    smallest: usize,
    /// After so many sizes without an instance none is expected any more.
    most_empty: usize,
    /// How many of the last sizes had none.
    empty: usize,
    /// The last size.
    last: usize,
}

impl<'a> Sizes<'a> {
    fn new(system: &'a System) -> Self {
        // Between two sizes of instances lies at most what a cycle of rules adds. After a longer gap the
        // search ends, and nothing wrong is claimed by ending.
        let atoms: usize = system.rules.iter().map(|rule| rule.instance_atoms().count()).sum();
        let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
        Sizes { system, smallest, most_empty: atoms + 1, empty: 0, last: 0 }
    }

    /// The next one.
    ///
    /// # Errors
    /// `budget` ended.
    fn next_within(&mut self, budget: &Budget) -> Result<Option<usize>, Stop> {
        budget.check()?;
        self.last += 1;
        let is_empty = self.last < self.smallest
            || trees_within(self.system, self.last, budget)?.next_within(budget)?.is_none();
        self.empty = if is_empty { self.empty + 1 } else { 0 };
        Ok((self.empty <= self.most_empty).then_some(self.last))
    }
}

pub(super) fn combination(net: &Net, transition: &NetTransition) -> Vec<(TypeId, TransitionId)> {
    transition.moves.iter().map(|m| (net.components()[m.component].component_type, m.transition)).collect()
}

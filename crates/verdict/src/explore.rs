//! What concrete instances say about one question: the scout of the engines, and the judge of their
//! candidates.

use paramcheck_invariants::outcome::{Alive, Scout};
use paramcheck_model::component::{TransitionId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};
use paramcheck_nets::explore::engine::SearchOptions;
use paramcheck_nets::explore::instances::{InstancesEnd, ReachedError, search_instances};
use paramcheck_nets::explore::search::{SearchOutcome, find, reachable};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking;
use paramcheck_nets::instance::net::{Net, NetTransition};
use paramcheck_nets::instance::unfold::{NotUnfolded, check_tree, try_unfold, unfold};
use paramcheck_text::limits::{Budget, Stop};

use super::{Candidate, Explored, Reach};

/// Markings visited in a candidate's instance, or in small ones, before more and more effort goes into a
/// proof.
const FIND_STATES: [usize; 2] = [QUICK_STATES, 100_000];
const QUICK_STATES: usize = 5_000;
/// Markings visited to see which interactions fire.
const ALIVE_STATES: usize = 20_000;

/// Looks at concrete instances for one question.
pub(super) struct Explorer<'a> {
    system: &'a System,
    error: &'a NamedError,
    threads: usize,
    budget: &'a Budget,
    /// An instance that reaches the error, once one was found.
    pub(super) reached: Option<Box<ReachedError>>,
    /// The last instance looked at without reaching the error, and whether it was seen whole.
    last: Option<(RewritingTree, bool)>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(system: &'a System, error: &'a NamedError, threads: usize, budget: &'a Budget) -> Self {
        Explorer { system, error, threads, budget, reached: None, last: None }
    }

    /// Searches one instance for the error. `Some(true)`: reached; `Some(false)`: not in any reachable
    /// marking; `None`: not decided within `max_states`.
    fn search(&mut self, tree: &RewritingTree, max_states: usize) -> Result<Option<bool>, Stop> {
        if let Some((last, whole)) = &self.last
            && last == tree
            && (*whole || max_states <= QUICK_STATES)
        {
            return Ok(whole.then_some(false));
        }
        let net = match try_unfold(self.system, tree, usize::MAX, self.budget) {
            Ok(net) => net,
            Err(NotUnfolded::Stopped(stop)) => return Err(stop),
            Err(NotUnfolded::TooLarge) => return Ok(None),
        };
        let options = SearchOptions { max_states, threads: self.threads, ..SearchOptions::default() };
        let found = find(self.system, &net, &self.error.formula, &options, self.budget);
        let whole = match found {
            SearchOutcome::Reached { trace, .. } => {
                self.reached = Some(Box::new(ReachedError { tree: tree.clone(), net, trace }));
                return Ok(Some(true));
            }
            SearchOutcome::Exhausted { .. } => true,
            SearchOutcome::StateLimit { .. } | SearchOutcome::Undecided { .. } => false,
            SearchOutcome::Stopped { reason, .. } => return Err(reason),
        };
        self.last = Some((tree.clone(), whole));
        Ok(whole.then_some(false))
    }

    /// Whether the instance of `tree` reaches the error, as far as `max_states` states show.
    ///
    /// # Errors
    /// The run must end.
    pub(super) fn reach(&mut self, tree: &RewritingTree, max_states: usize) -> Result<Reach, Stop> {
        Ok(match self.search(tree, max_states)? {
            Some(true) => Reach::Reached,
            Some(false) => Reach::NotReached,
            None => Reach::Undecided,
        })
    }

    /// Looks at all instances, smallest first, up to `max_size` and as far as `max_states` reach.
    ///
    /// # Errors
    /// The run must end; what was explored before is told with it.
    pub(super) fn sweep(
        &mut self,
        max_size: Option<usize>,
        max_states: usize,
    ) -> Result<Explored, (Stop, Explored)> {
        let mut explored = Explored::default();
        let mut left = max_states;
        for size in sizes(self.system).take_while(|&size| max_size.is_none_or(|most| size <= most)) {
            let outcome = search_instances(self.system, &self.error.formula, size..=size, left, self.budget);
            left -= outcome.states.min(left);
            self.reached = outcome.reached;
            match outcome.end {
                InstancesEnd::AllExplored => {
                    explored.up_to_size = size;
                    explored.instances += outcome.instances;
                    explored.states += outcome.states;
                }
                InstancesEnd::Stopped(stop) => return Err((stop, explored)),
                InstancesEnd::Reached | InstancesEnd::StateLimit | InstancesEnd::Undecided => break,
            }
        }
        Ok(explored)
    }

    /// The candidate of an engine, if it is one: a marking of an instance of this system, and an error (as
    /// far as that can be decided).
    pub(super) fn candidate(&self, tree: RewritingTree, marking: &TreeMarking) -> Option<Candidate> {
        check_tree(self.system, &tree).ok()?;
        let net = unfold(self.system, &tree);
        let marking = marking::from_tree(&net, marking)?;
        let is_error = marking::evaluate(self.system, &net, &self.error.formula, &marking);
        (is_error != Some(false)).then_some(Candidate { tree, net, marking, reach: Reach::Undecided })
    }
}

impl Scout for Explorer<'_> {
    fn confirms(&mut self, tree: &RewritingTree, round: usize) -> bool {
        matches!(self.search(tree, states_of(round)), Ok(Some(true)))
    }

    fn finds(&mut self, round: usize) -> bool {
        let mut left = states_of(round);
        for size in sizes(self.system) {
            let outcome = search_instances(self.system, &self.error.formula, size..=size, left, self.budget);
            left -= outcome.states.min(left);
            self.reached = outcome.reached;
            if self.reached.is_some() || outcome.end != InstancesEnd::AllExplored {
                break;
            }
        }
        self.reached.is_some()
    }

    fn alive(&mut self) -> Alive {
        let mut alive = Alive::default();
        let mut left = ALIVE_STATES;
        for size in sizes(self.system) {
            for tree in trees(self.system, size) {
                let net = unfold(self.system, &tree);
                let mut states = 0;
                reachable(&net, left, self.budget, |marking| {
                    states += 1;
                    for id in net.enabled(marking) {
                        let transition = &net.transitions()[id];
                        if let Some(interaction) = transition.interaction {
                            alive.insert((transition.rule, interaction, combination(&net, transition)));
                        }
                    }
                });
                // An instance costs a little even when it has few markings.
                left = left.saturating_sub(states + 20);
                if left == 0 || self.budget.check().is_err() {
                    return alive;
                }
            }
        }
        alive
    }
}

fn states_of(round: usize) -> usize {
    FIND_STATES[round.min(FIND_STATES.len() - 1)]
}

/// The sizes worth exploring: from 1 until it looks as if the system had no larger instance.
fn sizes(system: &System) -> impl Iterator<Item = usize> + '_ {
    // Between two sizes of instances lies at most what a cycle of rules adds; if longer nothing came,
    // it is time to end, and nothing wrong is claimed by ending.
    let atoms: usize = system.rules.iter().map(|rule| rule.instance_atoms().count()).sum();
    let mut empty = 0;
    (1..).take_while(move |&size| {
        empty = if trees(system, size).next().is_some() { 0 } else { empty + 1 };
        empty <= atoms + 1
    })
}

fn combination(net: &Net, transition: &NetTransition) -> Vec<(TypeId, TransitionId)> {
    transition.moves.iter().map(|m| (net.components()[m.component].component_type, m.transition)).collect()
}

//! What helps where the answer is *unknown*: how near the candidate is to what is reachable, and what would
//! settle the question.
//!
//! Each look is bounded by work, a count, never by time: the same question has the same advice on every machine.
//! The limits of the run end it as they end everything.
//!
//! In: a question and what is known of it. Out: [`Advice`]. Nothing here is an answer, or evidence. Each
//! suggestion rests on a look at this model: stronger invariants are suggested only where some would exclude
//! each candidate in its instance and were not tried, a history only where the engine proves the error with it,
//! ports of their own for phases only where it proves the error of the system that has them.

mod history;
mod nearest;
mod partners;
mod phases;

pub use history::{Memory, Settling};
pub use nearest::Nearest;
pub use partners::SharedPort;
pub use phases::{NeverFired, SplitPorts};

use paramcheck_invariants::direct::{Excluded, excluded};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::explore::goal::implies_dead;
use paramcheck_text::limits::Stop;

use super::{Candidate, Options, Reach, Reason, Unknown};

/// A limit of states is suggested to be raised by this factor.
const MORE_STATES: usize = 10;
/// No larger limit is suggested.
const MAX_STATES: usize = 100_000_000;
/// Instances are suggested to be explored up to so many components beyond those that were.
const MORE_COMPONENTS: usize = 2;

/// How much work it may be to find a stronger invariant that excludes a candidate, in looks at the budget.
const MAX_WORK: u64 = 400_000;

/// What is to be said about a question that is open.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// The reachable marking of the candidate's instance that looks most like the candidate.
    pub nearest: Option<Nearest>,
    /// What would help, the best first.
    pub suggestions: Vec<Suggestion>,
}

/// Something that would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// With these histories the engine proves the error.
    History(Box<Settling>),
    /// With ports of their own for phases, the engine proves the error.
    SplitPorts(SplitPorts),
    /// Combinations of transitions that never fired, and with which nothing was found out.
    NeverFired(NeverFired),
    /// No set of any kind excludes the candidate, and no history that was tried settles it: only an order of
    /// events keeps it from being reached. Of each type the states that its components could remember.
    Order(Vec<(TypeId, Vec<StateId>)>),
    /// A port by which something is counted that comes from several components: perhaps it is to be remembered whose it
    /// was. Said where nothing else was found.
    PortPerPartner(SharedPort),
    /// The kinds that are tried by default: they are more than those that were.
    DefaultInvariants,
    /// These kinds, dead interactions and exclusive states: all that was tried and, for each candidate, one that
    /// excludes it.
    Invariants(Vec<InvariantKind>),
    /// A search of the candidate's instance that may visit so many states.
    States(usize),
    /// An exploration of the candidate's instance by stubborn sets.
    Stubborn,
    /// Exploring all instances of up to so many components.
    Sizes(usize),
}

/// What is to be said about `unknown`, the answer to the question about `error`. Nothing where a limit ended
/// the run.
pub fn advise(system: &System, error: &NamedError, unknown: &Unknown, options: &Options) -> Advice {
    let mut advice = Advice::default();
    let Some(candidate) = &unknown.candidate else { return advice };
    if !matches!(unknown.reason, Reason::Spurious | Reason::CandidateTooLarge) {
        return advice;
    }
    advice.nearest = nearest::nearest(candidate, &options.budget);
    let question = Question { system, error, unknown, options };
    // Where the run must end, there is less advice.
    let _ = question.suggest(candidate, &mut advice);
    advice
}

struct Question<'a> {
    system: &'a System,
    error: &'a NamedError,
    unknown: &'a Unknown,
    options: &'a Options,
}

impl Question<'_> {
    fn suggest(&self, candidate: &Candidate, advice: &mut Advice) -> Result<(), Stop> {
        let Question { system, error, unknown, options } = *self;
        let is_open = candidate.reach == Reach::Undecided;
        if is_open {
            advice.suggestions.extend(self.more_states(candidate));
        }
        let stronger = self.stronger()?;
        let is_beyond_sets = stronger == Stronger::None;
        match stronger {
            // What is tried by default comes before anything that is done to the model.
            Stronger::ByDefault => {
                advice.suggestions.push(Suggestion::DefaultInvariants);
                return Ok(());
            }
            Stronger::With(kinds) => advice.suggestions.push(Suggestion::Invariants(kinds)),
            Stronger::None | Stronger::NotFound => {}
        }
        let types = self.types(candidate, advice.nearest.as_ref());
        if let Some(found) = history::settling(system, error, &types, &options.budget) {
            advice.suggestions.push(Suggestion::History(Box::new(found)));
            return Ok(());
        }
        // Where interactions that never fire were not left out, that is to be tried first.
        let seen = match options.invariants.dead_interactions {
            true => phases::Seen::new(system, &options.budget),
            false => None,
        };
        if let Some(found) = seen.as_ref().and_then(|seen| seen.settling(system, error, &options.budget)) {
            advice.suggestions.push(Suggestion::SplitPorts(found));
            return Ok(());
        }
        if is_beyond_sets && !is_open {
            advice.suggestions.push(Suggestion::Order(history::memorable(system, error)));
            advice.suggestions.extend(partners::shared(system, &types).map(Suggestion::PortPerPartner));
            let never_fired = seen.and_then(|seen| seen.most(|_| true));
            advice.suggestions.extend(never_fired.map(Suggestion::NeverFired));
        }
        if !is_open && unknown.explored.instances > 0 {
            let size = unknown.explored.up_to_size + MORE_COMPONENTS;
            advice.suggestions.push(Suggestion::Sizes(size));
        }
        Ok(())
    }

    /// How the candidate's instance could be explored to its end.
    fn more_states(&self, candidate: &Candidate) -> Vec<Suggestion> {
        let counts = candidate.net.components().iter().map(|component| component.state_count);
        let all = counts.fold(1_usize, usize::saturating_mul);
        let more = self.options.max_states.saturating_mul(MORE_STATES).min(all).min(MAX_STATES);
        let mut found = Vec::new();
        if more > self.options.max_states {
            found.push(Suggestion::States(more));
        }
        if implies_dead(&self.error.formula) {
            found.push(Suggestion::Stubborn);
        }
        found
    }

    /// Which invariants could do more than those that were tried.
    fn stronger(&self) -> Result<Stronger, Stop> {
        let Question { unknown, options, .. } = *self;
        let mut found = Vec::new();
        let mut is_beyond_sets = false;
        for candidate in unknown.candidate.iter().chain(&unknown.others) {
            let Candidate { net, marking, .. } = candidate;
            let budget = options.budget.with_work(MAX_WORK);
            match excluded(net, marking, &unknown.dropped, &unknown.tried, &budget) {
                Ok(Excluded::By(kind)) => found.push(kind),
                Ok(Excluded::ByNone) => is_beyond_sets = true,
                Ok(Excluded::NotFound) | Err(Stop::Work) => {}
                Err(stop) => return Err(stop),
            }
        }
        let (given, default) = (&options.invariants, InvariantChoice::default());
        let beyond = if is_beyond_sets { Stronger::None } else { Stronger::NotFound };
        let in_use = with_last_resort(given);
        let lacks_means = !given.dead_interactions || !given.exclusive && !unknown.exclusive;
        if !lacks_means && found.len() <= unknown.others.len() {
            return Ok(beyond);
        }
        // What is tried by default, if it is more than what is in use.
        let by_default = with_last_resort(&default);
        let is_more = by_default.iter().any(|kind| !in_use.contains(kind))
            || default.dead_interactions && !given.dead_interactions
            || default.exclusive && !given.exclusive;
        let kinds = || unknown.tried.iter().chain(&given.last_resort).chain(&found).copied();
        if is_more && kinds().all(|kind| by_default.contains(&kind)) {
            return Ok(Stronger::ByDefault);
        }
        // Never what is in use.
        if !lacks_means && kinds().all(|kind| in_use.contains(&kind) && unknown.tried.contains(&kind)) {
            return Ok(beyond);
        }
        Ok(Stronger::With(InvariantChoice::only(kinds()).kinds()))
    }

    /// The component types, those first that differ between the candidate and what is reachable.
    fn types(&self, candidate: &Candidate, nearest: Option<&Nearest>) -> Vec<TypeId> {
        let differing = nearest.into_iter().flat_map(|nearest| &nearest.differing);
        let differing = differing.map(|&id| candidate.net.components()[id].component_type);
        let mut types: Vec<TypeId> = Vec::new();
        for id in differing.chain(self.system.types.indices()) {
            if !types.contains(&id) {
                types.push(id);
            }
        }
        types
    }
}

/// All kinds of a choice.
fn with_last_resort(choice: &InvariantChoice) -> Vec<InvariantKind> {
    InvariantChoice::only(choice.kinds().into_iter().chain(choice.last_resort.iter().copied())).kinds()
}

/// Which invariants could do more than those that were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stronger {
    /// Those tried by default.
    ByDefault,
    /// These, with dead interactions and exclusive states.
    With(Vec<InvariantKind>),
    /// None: no set of any kind excludes some candidate.
    None,
    /// None that was looked at.
    NotFound,
}

//! Why a proof holds, in terms of the model.
//!
//! A system, an error and the certificate of a proof come in; an [`Explanation`] goes out: the sets of places
//! that the proof rests on, each by rule and variable ([`pattern`]), in a sentence, and spelled out in one
//! instance; what they say about the error there; and what never happens for reasons of its own. Everything
//! is plain data with names, which can be serialised.
//!
//! A certificate describes its sets by shapes, and lists more than it needs. Here its grammar is read
//! (`grammar`), small instances are made (`cases`), and few families of sets are chosen that exclude every
//! error marking of these (`choose`, `family`). So an explanation says less than the certificate: that these
//! sets suffice is shown for the instances that were looked at, and [`Explanation::instances`] counts them. That each set is
//! an invariant in *every* instance is checked again here, rule by rule. That the error is never reached,
//! whatever the size, is what the checker of the certificate has accepted. Nothing is proved here, and nothing
//! is printed.

mod cases;
mod choose;
mod family;
mod grammar;
mod large;
pub mod pattern;
mod search;
mod sentence;
mod shown;
mod starts;
mod writer;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use paramcheck_certificate::data::{Certificate, DroppedInteraction};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::limits::{Budget, Stop};

pub use sentence::{letter, term};
pub use shown::{
    Elsewhere, Explanation, Move, NeverFires, Place, Reason, ShownPair, ShownSet, marked_weight,
};

use cases::Goal;
use family::Family;
use grammar::{Dropped, Grammar};
use pattern::Pattern;
use writer::{Writer, moves, resolve_pair};

/// Why there is no explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotExplained {
    /// The certificate is about another system.
    Foreign,
    /// No instance is small enough to look at all its markings, or the proof has too many sets.
    TooLarge,
    /// A limit ended it.
    Stopped(Stop),
}

impl std::fmt::Display for NotExplained {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotExplained::Foreign => f.write_str("the certificate is about another system"),
            NotExplained::TooLarge => f.write_str(
                "the proof has too many sets, or the instance too many markings; a smaller one may do",
            ),
            NotExplained::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}
/// An explanation, and the instance that it is spelled out in.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The explanation.
    pub explanation: Explanation,
    /// The instance's tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// Where the sets come from, those of [`ShownSet::alike`] included.
    pub derivations: Vec<Derivation>,
}

/// A family of sets as the certificate derives it, and the pattern that says it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The pattern.
    pub pattern: Pattern,
    grammar: Rc<Grammar>,
    family: Family,
}

impl Derivation {
    /// The kind of its sets.
    pub fn kind(&self) -> InvariantKind {
        self.grammar.shapes[self.family.root].kind
    }

    /// The sets that the certificate derives in an instance, of those that start as their kind demands: per
    /// component the weights of its states.
    pub fn sets_in(&self, tree: &RewritingTree, net: &Net) -> BTreeSet<Vec<Vec<i64>>> {
        self.family.sets(&self.grammar, tree, net).0.into_iter().collect()
    }
}

/// How much work may be spent on an explanation, in looks at the budget. So what is said of a proof does not depend on
/// how quick a machine is; only a time limit of the caller ends it before.
const MAX_WORK: u64 = 400_000;

/// The explanation of `certificate`, which the checker has accepted as a proof of `error`, in the instance of
/// `wanted`; or else in the smallest that has nodes by all rules, if it can be read; or else in a small one.
///
/// # Errors
/// Why there is none.
pub fn explain(
    system: &System,
    error: &NamedError,
    certificate: &Certificate,
    wanted: Option<&RewritingTree>,
    budget: &Budget,
) -> Result<Explained, NotExplained> {
    // An instance that is too large to look at all its markings may take long: then smaller ones must do. Of the
    // time that is left it takes half, so that they have the other.
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let half = left.map_or_else(|| budget.clone(), |left| budget.within(left / 2));
    let question = (system, error, certificate);
    match explained(question, wanted, true, &half.with_work(MAX_WORK)) {
        Err(NotExplained::Stopped(Stop::Time | Stop::Work) | NotExplained::TooLarge) => {
            explained(question, wanted, wanted.is_some(), &budget.with_work(MAX_WORK))
        }
        answer => answer,
    }
}

/// As [`explain`]; `may_be_large` is whether the instance may have too many markings to look at each.
fn explained(
    (system, error, certificate): (&System, &NamedError, &Certificate),
    wanted: Option<&RewritingTree>,
    may_be_large: bool,
    budget: &Budget,
) -> Result<Explained, NotExplained> {
    let dropped = certificate.dropped.iter().map(|one| Dropped::resolve(system, one));
    let pairs = certificate.exclusive.iter().map(|pair| resolve_pair(system, pair));
    let is_chosen = wanted.is_some();
    let mut large = wanted.and_then(|tree| cases::too_large(system, tree));
    let wanted = if large.is_some() { None } else { wanted };
    let mut instances = cases::instances(system, wanted, budget)?;
    let mut has_all = false;
    if !is_chosen {
        if let Some(shown) = cases::with_all_rules(system, &error.formula, budget)? {
            instances.retain(|(tree, _)| *tree != shown.0);
            instances.insert(0, shown);
            has_all = true;
        } else {
            let has_error = cases::put_telling_first(system, &error.formula, &mut instances, budget)?
                || cases::have_error(system, &instances, &error.formula, budget)?;
            let missing = cases::missing_rules(system, instances.iter().map(|(tree, _)| tree));
            if may_be_large && (!has_error || !missing.is_empty()) {
                large = cases::telling_large(system, &error.formula, budget)?;
            }
        }
    }
    // An instance without an error shows nothing; where all that were looked at have none, a larger one does.
    let mut without_error = None;
    if let (Some(tree), true, None) = (wanted, may_be_large, &large)
        && !cases::have_error(system, &instances, &error.formula, budget)?
    {
        large = cases::telling_large(system, &error.formula, budget)?;
        without_error = large.as_ref().map(|_| print_term(system, tree));
    }
    if instances.is_empty() && large.is_none() {
        return Err(NotExplained::TooLarge);
    }
    let mut writer = Writer {
        system,
        large,
        dropped: dropped.collect::<Option<_>>().ok_or(NotExplained::Foreign)?,
        pairs: pairs.collect::<Option<_>>().ok_or(NotExplained::Foreign)?,
        instances,
        budget,
    };
    let mut derivations = Vec::new();
    let everything = (certificate.dropped.len(), true);
    let goal = Goal::Error(&error.formula);
    let mut found = writer.choice(goal, &certificate.proof, everything)?;
    if !is_chosen && !has_all && writer.large.is_none() {
        let (cases, choice) = (&mut found.cases, &mut found.choice);
        let may_be_shown = |at: usize| {
            cases.get(at).is_some_and(|case| cases::is_telling(system, &case.net) && !case.errors.is_empty())
        };
        let first = choice.most_telling(cases.len(), may_be_shown);
        choice.put_first(first);
        cases.swap(0, first);
        writer.instances.swap(0, first);
    }
    let mut main = writer.reason(goal, found, everything, &mut derivations)?;
    main.contradiction.splice(0..0, without_error.map(|term| sentence::without_error(&term)));
    // What never fires may rest on others that never fire: those before it.
    let mut needed: BTreeSet<usize> = main.needs();
    let mut open: Vec<usize> = needed.iter().copied().collect();
    let mut reasons = Vec::new();
    while let Some(position) = open.pop() {
        let (Some(claim), Some(suspect)) = (certificate.dropped.get(position), writer.dropped.get(position))
        else {
            return Err(NotExplained::Foreign);
        };
        let goal = Goal::Fires(suspect);
        let found = writer.choice(goal, &claim.proof, (position, false))?;
        let reason = writer.reason(goal, found, (position, false), &mut derivations)?;
        open.extend(reason.needs().into_iter().filter(|one| needed.insert(*one)));
        reasons.push((position, reason));
    }
    reasons.sort_by_key(|(position, _)| *position);
    let order: Vec<usize> = reasons.iter().map(|(position, _)| *position).collect();
    let never_fires = reasons.into_iter().filter_map(|(position, reason)| {
        let dropped = certificate.dropped.get(position)?;
        let moves = moves(system, writer.dropped.get(position)?);
        let DroppedInteraction { rule, interaction, .. } = dropped;
        Some(NeverFires {
            rule: rule.clone(),
            interaction: *interaction,
            text: sentence::interaction(&moves),
            moves,
            reason: reason.renumbered(&order),
        })
    });
    let never_fires = never_fires.collect();
    let up_to_size = writer.instances.iter().map(|(tree, _)| tree.size()).max().unwrap_or(0);
    let instances = writer.instances.len();
    let of_instances = cases::count_up_to(system, up_to_size, budget)?;
    let has_large = main.is_enough == Some(true);
    let large = writer.large.as_ref().filter(|_| has_large).map(|(tree, _)| tree);
    let missing = cases::missing_rules(system, writer.instances.iter().map(|(tree, _)| tree).chain(large));
    let all = if missing.is_empty() { None } else { cases::smallest_with_all(system, budget)? };
    let too_large = writer.large.as_ref().map(|_| cases::MAX_MARKINGS);
    let (tree, net) =
        writer.large.or_else(|| writer.instances.into_iter().next()).ok_or(NotExplained::TooLarge)?;
    let explanation = Explanation {
        instance: print_term(system, &tree),
        size: tree.size(),
        too_large,
        instances,
        up_to_size,
        of_instances,
        missing_rules: missing.iter().map(|rule| system.rules[*rule].label.clone()).collect(),
        is_all_too_large: all.as_ref().is_some_and(|tree| !cases::is_small(system, tree)),
        smallest_with_all: all.map(|tree| print_term(system, &tree)),
        reason: main.renumbered(&order),
        never_fires,
        dropped: certificate.dropped.len(),
        instead: None,
    };
    Ok(Explained { explanation, tree, net, derivations })
}

//! Why a proof holds, in terms of the model.
//!
//! A system, an error and the certificate of a proof come in; an [`Explanation`] goes out: the sets of places
//! that the proof rests on, each by rule and variable ([`pattern`]), in a sentence, and spelled out in one
//! instance; what they say about the error there; and what never happens for reasons of its own. Everything
//! is plain data with names, which can be serialised.
//!
//! A certificate describes its sets by shapes, and lists more than it needs. Here its grammar is read
//! (`grammar`), instances are made (`instances`, `telling`), and few families of sets are chosen that exclude every
//! error marking of these (`choose`, `family`). So an explanation says less than the certificate: that these
//! sets suffice is shown for the instances that were looked at, and [`Explanation::instances`] counts them. That each set is
//! an invariant in *every* instance is checked again here, rule by rule. That the error is never reached,
//! whatever the size, is what the checker of the certificate has accepted. Nothing is proved here, and nothing
//! is printed.

mod choose;
mod family;
mod goal;
mod grammar;
mod instances;
mod kinds;
mod large;
pub mod pattern;
mod possible;
mod search;
mod sentence;
mod shown;
mod starts;
mod telling;
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

use family::Family;
use goal::Goal;
use grammar::{Dropped, Grammar};
use instances::Instance;
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

/// In which instances a proof is looked at.
struct LookedAt {
    instances: Vec<Instance>,
    checked: Vec<Instance>,
    /// The instance that sets are shown in, if it has too many markings to look at each.
    large: Option<Instance>,
    /// Whether the first has nodes by all rules.
    has_all: bool,
    /// Whether one of them has a marking in the error.
    has_error: bool,
}

/// See [`LookedAt`]: those that are small, `wanted` or else the most telling one first, and a larger one where these
/// show too little.
fn looked_at(
    system: &System,
    error: &NamedError,
    wanted: Option<&RewritingTree>,
    may_be_large: bool,
    budget: &Budget,
) -> Result<LookedAt, NotExplained> {
    let error = &error.formula;
    let mut large = wanted.and_then(|tree| instances::too_large(system, tree));
    let is_chosen = wanted.is_some();
    let wanted = if large.is_some() { None } else { wanted };
    let found = instances::instances(system, wanted, budget)?;
    let (mut instances, mut checked) = (found.chosen_for, found.checked);
    let mut put_first = |shown: Instance, instances: &mut Vec<Instance>| {
        instances.retain(|(tree, _)| *tree != shown.0);
        checked.retain(|(tree, _)| *tree != shown.0);
        instances.insert(0, shown);
    };
    let (mut has_all, mut has_error) = (false, large.is_some());
    if is_chosen {
        has_error |= telling::have_error(system, &instances, error, budget)?;
    } else if let Some(shown) = telling::with_all_rules(system, error, budget)? {
        put_first(shown, &mut instances);
        (has_all, has_error) = (true, true);
    } else {
        has_error = telling::put_telling_first(system, error, &mut instances, budget)?
            || telling::have_error(system, &instances, error, budget)?;
        let missing = instances::missing_rules(system, instances.iter().map(|(tree, _)| tree));
        if may_be_large && (!has_error || !missing.is_empty()) {
            large = telling::telling_large(system, error, budget)?;
            has_error |= large.is_some();
        }
    }
    if !has_error && let Some(shown) = telling::smallest_with_error(system, error, budget)? {
        match instances::is_small(system, &shown.0) {
            true => put_first(shown, &mut instances),
            false if may_be_large => large = Some(shown),
            false => return Err(NotExplained::TooLarge),
        }
        has_error = true;
    }
    if instances.is_empty() && large.is_none() {
        return Err(NotExplained::TooLarge);
    }
    Ok(LookedAt { instances, checked, large, has_all, has_error })
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
    let LookedAt { mut instances, checked, large, has_all, has_error } =
        looked_at(system, error, wanted, may_be_large, budget)?;
    // An instance without an error shows nothing; another one is shown then.
    let without_error = wanted.filter(|wanted| {
        let shown = large.as_ref().or(instances.first());
        shown.is_some_and(|shown| shown.0 != **wanted)
    });
    let without_error = without_error.map(|tree| print_term(system, tree));
    let goal = match has_error {
        true => Goal::Error(&error.formula),
        // What the proof says is shown in one instance that is small enough to look at everything.
        false => {
            instances.truncate(1);
            Goal::Anything
        }
    };
    let mut writer = Writer {
        system,
        large,
        dropped: dropped.collect::<Option<_>>().ok_or(NotExplained::Foreign)?,
        pairs: pairs.collect::<Option<_>>().ok_or(NotExplained::Foreign)?,
        instances,
        checked,
        budget,
    };
    let mut derivations = Vec::new();
    let everything = (certificate.dropped.len(), true);
    let mut found = writer.choice(goal, &certificate.proof, everything)?;
    let covered = found.covered.iter().filter_map(|at| Some(writer.checked.get(*at)?.0.clone()));
    let covered: Vec<RewritingTree> = covered.filter(|_| has_error).collect();
    let added = std::mem::take(&mut found.added);
    writer.instances.extend(added.iter().filter_map(|at| writer.checked.get(*at).cloned()));
    if !is_chosen && !has_all && has_error && writer.large.is_none() {
        let (cases, choice) = (&mut found.cases, &mut found.choice);
        let may_be_shown = |at: usize| {
            cases
                .get(at)
                .is_some_and(|case| telling::is_telling(system, &case.net) && !case.errors.is_empty())
        };
        let first = choice.most_telling(cases.len(), may_be_shown);
        choice.put_first(first);
        cases.swap(0, first);
        writer.instances.swap(0, first);
    }
    let mut main = writer.reason(goal, found, everything, &mut derivations)?;
    let is_trivial =
        !has_error && certificate.proof.sets.is_empty() && everything.0 == 0 && writer.pairs.is_empty();
    if is_trivial {
        main.contradiction = vec![sentence::nowhere_an_error()];
    }
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
    let looked_at: Vec<&RewritingTree> =
        writer.instances.iter().map(|(tree, _)| tree).chain(&covered).collect();
    let up_to_size = looked_at.iter().map(|tree| tree.size()).max().unwrap_or(0);
    let instances = looked_at.len();
    let of_instances = instances::count_up_to(system, up_to_size, budget)?;
    let (all_up_to_size, all_instances) = instances::all_up_to(system, &looked_at, budget)?;
    let has_large = main.is_enough == Some(true);
    let large = writer.large.as_ref().filter(|_| has_large).map(|(tree, _)| tree);
    let missing = instances::missing_rules(system, looked_at.iter().copied().chain(large));
    let missing = if is_trivial { BTreeSet::new() } else { missing };
    let all = if missing.is_empty() { None } else { telling::smallest_with_all(system, budget)? };
    let too_large = writer.large.as_ref().map(|_| goal::MAX_MARKINGS);
    let (tree, net) =
        writer.large.or_else(|| writer.instances.into_iter().next()).ok_or(NotExplained::TooLarge)?;
    let explanation = Explanation {
        instance: print_term(system, &tree),
        size: tree.size(),
        too_large,
        instances,
        up_to_size,
        of_instances,
        all_up_to_size,
        all_instances,
        missing_rules: missing.iter().map(|rule| system.rules[*rule].label.clone()).collect(),
        is_all_too_large: all.as_ref().is_some_and(|tree| !instances::is_small(system, tree)),
        no_error_up_to: (!has_error && !is_trivial).then_some(telling::MAX_FAR),
        smallest_with_all: all.map(|tree| print_term(system, &tree)),
        reason: main.renumbered(&order),
        never_fires,
        dropped: certificate.dropped.len(),
        instead: None,
    };
    Ok(Explained { explanation, tree, net, derivations })
}

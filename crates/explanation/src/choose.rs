//! Which sets of a proof are needed: few families that exclude every error marking of some instances.
//!
//! A grammar and instances with their error markings come in. As long as some marking is left, a family that
//! excludes it is added; in the end those without which nothing is left open are dropped again. What is
//! true of a marking for other reasons (a transition that never fires is enabled in it, two states exclude each other)
//! comes in as further *reasons*, and is used and dropped alike.

use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::family::{Family, Set, refuting, weight, with_few_choices};
use crate::grammar::Grammar;
use crate::starts;

/// An instance and its error markings.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its tree.
    pub tree: RewritingTree,
    /// Its net.
    pub net: Net,
    /// All markings of it that are errors, reachable or not.
    pub errors: Vec<Marking>,
}

/// Per instance and error marking whether it is excluded.
type Excluded = Vec<Vec<bool>>;

/// A family, with what it excludes.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// The family, with productions for all rules that the grammar has some for.
    pub family: Family,
    /// Per instance its sets.
    pub sets: Vec<Vec<Set>>,
    excluded: Excluded,
}

/// What is needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The families.
    pub families: Vec<Chosen>,
    /// The positions of the other reasons.
    pub reasons: Vec<usize>,
    /// How many error markings are excluded by nothing that was found: none, unless something is too large.
    pub open: usize,
}

impl Chosen {
    fn new(grammar: &Grammar, cases: &[Case], family: Family) -> Chosen {
        let kind = grammar.shapes[family.root].kind;
        let found: Vec<(Vec<Set>, bool)> =
            cases.iter().map(|case| family.sets(grammar, &case.tree, &case.net)).collect();
        let excluded = cases.iter().zip(&found).map(|(case, (sets, is_all))| {
            let initial = case.net.initial();
            let starts: Vec<i64> = sets.iter().map(|set| weight(set, &initial)).collect();
            let refutes = |marking| {
                sets.iter().zip(&starts).any(|(set, start)| kind.refutes(*start, weight(set, marking)))
                    || !is_all && family.refutes(grammar, (&case.tree, &case.net), marking)
            };
            case.errors.iter().map(refutes).collect()
        });
        let excluded = excluded.collect();
        Chosen { family, sets: found.into_iter().map(|(sets, _)| sets).collect(), excluded }
    }

    /// Per error marking of the first instance whether it is excluded.
    pub(crate) fn excluded_at_first(&self) -> &[bool] {
        self.excluded.first().map_or(&[], Vec::as_slice)
    }
}

/// Families, and reasons among `reasons` (each gives per instance and marking whether it excludes it), that
/// exclude all error markings of `cases`.
///
/// # Errors
/// The budget ended.
pub(crate) fn choose(
    system: &System,
    grammar: &Grammar,
    cases: &[Case],
    reasons: &[Excluded],
    budget: &Budget,
) -> Result<Choice, NotExplained> {
    let mut families: Vec<Chosen> = Vec::new();
    let mut open = 0;
    for (case, instance) in cases.iter().enumerate() {
        for (position, marking) in instance.errors.iter().enumerate() {
            let is_excluded = |excluded: &Excluded| excluded[case][position];
            if reasons.iter().any(is_excluded) || families.iter().any(|one| is_excluded(&one.excluded)) {
                continue;
            }
            budget.check().map_err(NotExplained::Stopped)?;
            let Some(family) = refuting(grammar, &instance.tree, &instance.net, marking, |_| true) else {
                open += 1;
                continue;
            };
            let mut family = with_few_choices(grammar, (&instance.tree, &instance.net), marking, family);
            family.complete(grammar, system);
            if !starts::is_everywhere(system, grammar, &family) {
                family.generalise(grammar);
            }
            family.trim(grammar);
            let chosen = Chosen::new(grammar, cases, family);
            // Where there are too many ways to put a set together, not all of them are looked at.
            open += usize::from(!chosen.excluded[case][position]);
            families.push(chosen);
        }
    }
    let everything: Vec<&Excluded> = families.iter().map(|one| &one.excluded).chain(reasons).collect();
    // First those that say least, but sets are kept rather than what needs a proof of its own.
    let total = |excluded: &Excluded| excluded.iter().flatten().filter(|one| **one).count();
    let mut order: Vec<usize> = (0..everything.len()).collect();
    order.sort_by_key(|&one| (one < families.len(), total(everything[one]), one));
    let mut kept = vec![true; everything.len()];
    for candidate in order {
        kept[candidate] = false;
        let excluded = |case: usize, position: usize, without: bool| {
            let mut all = everything.iter().enumerate();
            all.any(|(at, one)| (kept[at] || !without && at == candidate) && one[case][position])
        };
        let is_needed = cases.iter().enumerate().any(|(case, instance)| {
            (0..instance.errors.len()).any(|at| excluded(case, at, false) && !excluded(case, at, true))
        });
        kept[candidate] = is_needed;
    }
    let reasons = (0..reasons.len()).filter(|one| kept[families.len() + one]).collect();
    let mut position = 0;
    families.retain(|_| {
        position += 1;
        kept[position - 1]
    });
    Ok(Choice { families, reasons, open })
}

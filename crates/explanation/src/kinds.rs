//! One rewriting tree for each combination of rules and numbers of components, size after size.
//!
//! A system with many kinds of clients has far more trees of one size than can be listed, but most differ only in
//! the order of the clients. Here the trees of one size are made from smaller ones, predicate by predicate, and of
//! those with the same rules and as many components of each type one is kept: so a tree with nodes by all rules,
//! or with enough components for an error, is met early. Shapes are not all tried: where an error speaks of
//! neighbours, trees that are listed in full (`instances`) come first.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use paramcheck_model::rule::{PredicateId, RuleId};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::possible::Counts;

/// Of one predicate and size, no more combinations are kept.
const MAX_KEPT: usize = 120;
/// No more trees are put together in all.
const MAX_STEPS: usize = 200_000;
/// As many of them as take as long as one look at the budget.
const STEPS_PER_LOOK: usize = 256;

/// Which rules a tree uses, and how many components of each type its instance has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) rules: BTreeSet<RuleId>,
    pub(crate) counts: Vec<usize>,
}

/// A tree whose parts are shared.
#[derive(Debug)]
struct Part {
    rule: RuleId,
    children: Vec<Rc<Part>>,
}

/// The trees of one size, by predicate.
type Cells = IndexVec<PredicateId, BTreeMap<Kind, Rc<Part>>>;

/// See the module's text.
pub(crate) struct Kinds<'a> {
    system: &'a System,
    /// What is kept where there are too many: the larger, the better.
    worth: &'a dyn Fn(&Kind) -> usize,
    by_size: Vec<Cells>,
    steps: usize,
}

impl Kind {
    fn empty(system: &System) -> Kind {
        Kind { rules: BTreeSet::new(), counts: vec![0; system.types.len()] }
    }

    /// The kind of a tree.
    pub(crate) fn of(system: &System, tree: &RewritingTree) -> Kind {
        let mut kind = Kind::empty(system);
        tree.nodes.iter().for_each(|node| kind.add(system, node.rule));
        kind
    }

    fn add(&mut self, system: &System, rule: RuleId) {
        self.rules.insert(rule);
        for atom in system.rules[rule].instance_atoms() {
            self.counts[atom.component.index()] += 1;
        }
    }

    fn join(&self, other: &Kind) -> Kind {
        Kind {
            rules: self.rules.union(&other.rules).copied().collect(),
            counts: self.counts.iter().zip(&other.counts).map(|(one, other)| one + other).collect(),
        }
    }

    /// How many markings such an instance has.
    pub(crate) fn markings(&self, system: &System) -> usize {
        let types = system.types.iter().zip(&self.counts);
        types
            .flat_map(|(one, count)| std::iter::repeat_n(one.states.len(), *count))
            .fold(1, usize::saturating_mul)
    }

    /// The numbers of components.
    pub(crate) fn counts(&self) -> Counts {
        self.counts.iter().copied().collect()
    }
}

impl<'a> Kinds<'a> {
    /// Trees of `system`; where there are too many combinations, those of greater `worth` are kept.
    pub(crate) fn new(system: &'a System, worth: &'a dyn Fn(&Kind) -> usize) -> Kinds<'a> {
        Kinds { system, worth, by_size: Vec::new(), steps: 0 }
    }

    /// The trees of the next size, from no components on; `None` where that is too much work.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn next_size(
        &mut self,
        budget: &Budget,
    ) -> Result<Option<Vec<(Kind, RewritingTree)>>, NotExplained> {
        let system = self.system;
        let before = self.steps;
        self.by_size.push(system.predicates.iter().map(|_| BTreeMap::new()).collect());
        // A rule that makes no component, and leads to one predicate, uses trees of this very size.
        loop {
            let mut has_grown = false;
            for (id, rule) in system.rules.enumerate() {
                for (kind, part) in self.by_rule(id) {
                    let cell = &mut self.by_size.last_mut().ok_or(NotExplained::TooLarge)?[rule.head];
                    if !cell.contains_key(&kind) && cell.len() < 2 * MAX_KEPT {
                        cell.insert(kind, part);
                        has_grown = true;
                    }
                }
                if self.steps > MAX_STEPS {
                    return Ok(None);
                }
            }
            let looks = (self.steps - before) / STEPS_PER_LOOK;
            budget.spend(u64::try_from(looks).unwrap_or(u64::MAX)).map_err(NotExplained::Stopped)?;
            if !has_grown {
                break;
            }
        }
        let worth = self.worth;
        let cells = self.by_size.last_mut().ok_or(NotExplained::TooLarge)?;
        for cell in cells.iter_mut().filter(|cell| cell.len() > MAX_KEPT) {
            let mut all: Vec<_> = std::mem::take(cell).into_iter().collect();
            all.sort_by_key(|(kind, _)| std::cmp::Reverse((worth(kind), kind.rules.len())));
            all.truncate(MAX_KEPT);
            cell.extend(all);
        }
        let roots = cells[system.root].iter();
        Ok(Some(roots.map(|(kind, part)| (kind.clone(), tree(system, part))).collect()))
    }

    /// The trees of the newest size whose first node is by this rule.
    fn by_rule(&mut self, id: RuleId) -> Vec<(Kind, Rc<Part>)> {
        let rule = &self.system.rules[id];
        let size = self.by_size.len() - 1;
        let Some(rest) = size.checked_sub(rule.instance_atoms().count()) else { return Vec::new() };
        let mut own = Kind::empty(self.system);
        own.add(self.system, id);
        // By how many components are left for further nodes.
        let mut begun: BTreeMap<(usize, Kind), Vec<Rc<Part>>> = BTreeMap::from([((rest, own), Vec::new())]);
        let calls: Vec<PredicateId> = rule.predicate_atoms().map(|call| call.predicate).collect();
        for (position, predicate) in calls.iter().enumerate() {
            let is_last = position + 1 == calls.len();
            let mut next: BTreeMap<(usize, Kind), Vec<Rc<Part>>> = BTreeMap::new();
            for ((rest, kind), children) in &begun {
                // Every tree has a component.
                let sizes = if is_last { *rest..=*rest } else { 1..=*rest };
                for taken in sizes {
                    let Some(cells) = self.by_size.get(taken) else { continue };
                    for (other, part) in &cells[*predicate] {
                        self.steps += 1;
                        if self.steps > MAX_STEPS {
                            return Vec::new();
                        }
                        next.entry((rest - taken, kind.join(other)))
                            .or_insert_with(|| children.iter().cloned().chain([Rc::clone(part)]).collect());
                    }
                }
            }
            begun = next;
        }
        let whole = begun.into_iter().filter(|((rest, _), _)| *rest == 0);
        whole.map(|((_, kind), children)| (kind, Rc::new(Part { rule: id, children }))).collect()
    }
}

/// The tree, its nodes as they are written in a term; every component starts in the first state allowed.
fn tree(system: &System, root: &Rc<Part>) -> RewritingTree {
    let mut open: Vec<(&Rc<Part>, Option<usize>)> = vec![(root, None)];
    let mut nodes: Vec<TreeNode> = Vec::new();
    while let Some((part, above)) = open.pop() {
        let position = nodes.len();
        if let Some(above) = above.and_then(|above| nodes.get_mut(above)) {
            above.children.push(position);
        }
        let atoms = system.rules[part.rule].instance_atoms();
        let initial = atoms.filter_map(|atom| atom.initial.first().copied()).collect();
        nodes.push(TreeNode { rule: part.rule, initial, children: Vec::new() });
        open.extend(part.children.iter().rev().map(|child| (child, Some(position))));
    }
    RewritingTree { nodes }
}

//! Drafts: rules with resolved names in which anything may still be broken.

use rustc_hash::{FxHashMap, FxHashSet};

use super::component::Components;
use crate::component::{PortId, StateId, TypeId};
use crate::rule::{PatternGroupId, PredicateId, RuleId, VariableId};
use crate::syntax::ast;
use paramcheck_text::define_index;
use paramcheck_text::index::IndexVec;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

define_index! {
    /// A link of the text.
    pub(crate) struct LinkId;
}

/// Everything but errors, names resolved.
pub(super) struct Draft<'a> {
    /// The component types.
    pub(crate) components: Components<'a>,
    /// The pattern groups, also those without a pattern.
    pub(crate) groups: Groups<'a>,
    /// The predicates that have a rule, by first rule.
    pub(crate) predicates: IndexVec<PredicateId, PredicateDraft<'a>>,
    /// The predicates by name.
    pub(crate) predicate_named: FxHashMap<&'a str, PredicateId>,
    /// The rules, one per alternative.
    pub(crate) rules: IndexVec<RuleId, RuleDraft<'a>>,
    /// The links that rules use directly.
    pub(crate) used_links: FxHashSet<LinkId>,
    /// The predicate that is the system.
    pub(crate) root: Option<PredicateId>,
}

/// A predicate that has a rule.
pub(super) struct PredicateDraft<'a> {
    /// Its name where its first rule begins.
    pub(crate) head: &'a Ident,
    /// The number of its parameters, as its first rule has it.
    pub(crate) arity: usize,
    /// The numbers that other rules have, which is reported there.
    pub(crate) other_arities: Vec<usize>,
    /// Its rules.
    pub(crate) rules: Vec<RuleId>,
}

/// A rule.
pub(super) struct RuleDraft<'a> {
    /// The predicate it rewrites.
    pub(crate) head: PredicateId,
    /// The rule that it is an alternative of.
    pub(crate) syntax: &'a ast::Rule,
    /// The alternative.
    pub(crate) body: &'a ast::Body,
    /// How many of the variables are parameters.
    pub(crate) parameter_count: usize,
    /// Parameters, then those bound by `new`, then unbound ones.
    pub(crate) variables: IndexVec<VariableId, VariableDraft<'a>>,
    /// Its atoms.
    pub(crate) atoms: Vec<AtomDraft<'a>>,
    /// Its interactions, links inserted, without duplicates.
    pub(crate) interactions: Vec<InteractionDraft>,
    /// Its patterns, links inserted, without duplicates.
    pub(crate) patterns: Vec<PatternDraft<'a>>,
}

/// A variable of a rule or a parameter of a link.
#[derive(Clone, Copy)]
pub(super) struct VariableDraft<'a> {
    /// Its name where it is bound (or, if it isn't, first used).
    pub(crate) name: &'a Ident,
    /// Whether it is a parameter or bound by `new`.
    pub(crate) is_bound: bool,
}

/// An atom of a rule.
pub(super) struct AtomDraft<'a> {
    /// What it refers to.
    pub(crate) target: Target,
    /// Its arguments.
    pub(crate) arguments: Vec<VariableId>,
    /// Whether the arguments are not what the target needs; then they may mean anything.
    pub(crate) is_broken: bool,
    /// The atom as written.
    pub(crate) syntax: &'a ast::Atom,
}

/// What an atom refers to.
pub(super) enum Target {
    /// A component type, and where the component may start.
    Instance(TypeId, Vec<StateId>),
    /// A predicate.
    Predicate(PredicateId),
    /// Nothing known.
    Unknown,
}

/// An interaction.
#[derive(Clone)]
pub(super) struct InteractionDraft {
    /// Who takes part.
    pub(crate) participants: Vec<Participant>,
    /// Where it stands, or where the link is used that it comes from.
    pub(crate) span: Span,
}

/// A port and a variable.
#[derive(Clone, Copy)]
pub(super) struct Participant {
    /// The port.
    pub(crate) port: PortId,
    /// The variable.
    pub(crate) variable: VariableId,
    /// Where it stands in the rule (or the link under consideration).
    pub(crate) span: Span,
    /// Where it stands in the link that it comes from.
    pub(crate) link: Option<Span>,
}

/// A pattern.
#[derive(Clone)]
pub(super) struct PatternDraft<'a> {
    /// The group it belongs to.
    pub(crate) group: PatternGroupId,
    /// What must hold at once.
    pub(crate) conditions: Vec<Condition<'a>>,
    /// Where it stands, or where the link is used that it comes from.
    pub(crate) span: Span,
}

/// A state and a variable.
#[derive(Clone, Copy)]
pub(super) struct Condition<'a> {
    /// The component type before the dot.
    pub(crate) component: Option<TypeId>,
    /// The state's name; a state of that type, or of some type.
    pub(crate) state: &'a str,
    /// The variable.
    pub(crate) variable: VariableId,
    /// Where it stands in the rule (or the link under consideration).
    pub(crate) span: Span,
    /// Where it stands in the link that it comes from.
    pub(crate) link: Option<Span>,
}

/// The groups of patterns that the text speaks of, in source order.
pub(super) struct Groups<'a> {
    /// Name and first place.
    pub(crate) groups: IndexVec<PatternGroupId, (&'a str, Span)>,
    /// The groups by name.
    pub(crate) named: FxHashMap<&'a str, PatternGroupId>,
}

/// The name of the group of all patterns without a name.
pub(super) const FORBIDDEN: &str = "forbidden";

impl<'a> Groups<'a> {
    /// Finds all groups.
    pub(crate) fn collect(model: &'a ast::Model) -> Self {
        let mut groups = Groups { groups: IndexVec::new(), named: FxHashMap::default() };
        for forbid in model.items.iter().flat_map(forbids) {
            let (name, span) = group_name(forbid);
            let list = &mut groups.groups;
            groups.named.entry(name).or_insert_with(|| list.push((name, span)));
        }
        groups
    }

    /// The group of a clause.
    pub(crate) fn of(&self, forbid: &ast::Forbid) -> Option<PatternGroupId> {
        self.named.get(group_name(forbid).0).copied()
    }
}

/// All `forbid` clauses of an item.
pub(super) fn forbids(item: &ast::Item) -> Vec<&ast::Forbid> {
    match item {
        ast::Item::Rule(rule) => rule.bodies.iter().flat_map(|body| &body.forbids).collect(),
        ast::Item::Link(link) => link.forbids.iter().collect(),
        _ => Vec::new(),
    }
}

/// The name of the group of a clause and the place to show for it.
pub(super) fn group_name(forbid: &ast::Forbid) -> (&str, Span) {
    forbid.name.as_ref().map_or((FORBIDDEN, forbid.span), |name| (&name.text, name.span))
}

impl Draft<'_> {
    /// Notes which types of components rules create.
    pub(crate) fn note_created(&mut self) {
        let targets = self.rules.iter().flat_map(|rule| rule.atoms.iter().map(|atom| &atom.target));
        let created = targets.filter_map(|target| match target {
            Target::Instance(component, _) => Some(*component),
            Target::Predicate(_) | Target::Unknown => None,
        });
        self.components.created = created.collect();
    }

    /// Forgets groups to which no rule has a pattern (their patterns are in links that no rule uses).
    pub(crate) fn prune_groups(&mut self) {
        let mut is_used: IndexVec<PatternGroupId, bool> = self.groups.groups.iter().map(|_| false).collect();
        for pattern in self.rules.iter().flat_map(|rule| &rule.patterns) {
            is_used[pattern.group] = true;
        }
        let mut pruned = Groups { groups: IndexVec::new(), named: FxHashMap::default() };
        let mut renamed = IndexVec::new();
        for (id, &(name, span)) in self.groups.groups.enumerate() {
            let new = is_used[id].then(|| pruned.groups.push((name, span)));
            if let Some(new) = new {
                pruned.named.insert(name, new);
            }
            renamed.push(new);
        }
        for pattern in self.rules.iter_mut().flat_map(|rule| &mut rule.patterns) {
            let new: &Option<PatternGroupId> = &renamed[pattern.group];
            pattern.group = new.unwrap_or(pattern.group);
        }
        self.groups = pruned;
    }
}

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
pub mod pattern;
mod sentence;
mod starts;

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Serialize;

use paramcheck_certificate::data::{Certificate, DroppedInteraction, ExclusivePair, Proof};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::error::NamedError;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::limits::{Budget, Stop};

pub use sentence::letter;

use cases::Goal;
use choose::{Case, Choice, Chosen, choose};
use family::{Family, Set, weight};
use grammar::{Dropped, Grammar};
use pattern::{Pattern, Weighted};

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

/// See the crate's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The term of the instance that the sets are spelled out in.
    pub instance: String,
    /// Its number of components.
    pub size: usize,
    /// The number of markings that it has more of, if its error markings were not looked at for that.
    pub too_large: Option<usize>,
    /// In how many instances, this one included unless it is too large, the error markings were held against the sets.
    pub instances: usize,
    /// The largest of them has so many components.
    pub up_to_size: usize,
    /// Why the error is not reached.
    #[serde(flatten)]
    pub reason: Reason,
    /// The interactions that never fire and are needed for that, each with its own reason.
    pub never_fires: Vec<NeverFires>,
    /// How many interactions the certificate shows never to fire, the needed ones included.
    pub dropped: usize,
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

/// Why some markings are not reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The sets.
    pub sets: Vec<ShownSet>,
    /// Pairs of states that exclude each other.
    pub exclusive: Vec<ShownPair>,
    /// Positions in [`Explanation::never_fires`] of interactions that would have to be enabled.
    pub enabled: Vec<usize>,
    /// How many markings of the instance would be errors, if they were reached.
    pub error_markings: usize,
    /// How many of them nothing that is here excludes: 0, unless something was too large to be looked at.
    pub open: usize,
    /// Why they are not, in a sentence.
    pub contradiction: Vec<String>,
    /// How many shapes of sets the certificate lists, and how many of them occur here.
    pub shapes: usize,
    /// See `shapes`.
    pub used_shapes: usize,
}

/// A set of places, in every instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSet {
    /// Its kind, as in `trap` or `exactly:2`.
    pub kind: String,
    /// What always holds, and of what, in a sentence that one can say to someone who knows the model.
    pub summary: String,
    /// Whether it is a sum that never changes: then less than at the start is excluded too.
    pub is_exact: bool,
    /// What always holds, in a sentence that ends before the places.
    pub says: String,
    /// Why it always holds.
    pub because: String,
    /// The places by rule and variable, a line each.
    pub places: Vec<String>,
    /// How nodes that differ are called in `places`, a line each; empty where no node differs.
    pub nodes: Vec<String>,
    /// The places by rule and variable, as data.
    pub pattern: Pattern,
    /// The sets in the instance, each as a list of places.
    pub sets: Vec<Vec<Place>>,
    /// Per set the weight of what is marked at the start.
    pub initially: Vec<i64>,
    /// How many error markings of the instance it excludes.
    pub excludes: usize,
    /// Positions in [`Explanation::never_fires`] of interactions that would break it.
    pub needs: Vec<usize>,
    /// Other sets that are needed too: of the same kind, of the same states, but at other places.
    pub alike: Vec<Pattern>,
    /// Per pattern of `alike` what always holds, as in `summary`.
    pub alike_summaries: Vec<String>,
    /// Their sets in the instance.
    pub alike_sets: Vec<Vec<Place>>,
}

/// A place of an instance.
#[derive(Clone, Debug, PartialEq, Hash, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The component.
    pub component: String,
    /// Its state.
    pub state: String,
    /// The state's position among those of the component's type.
    #[serde(skip)]
    pub(crate) number: usize,
    /// How much it weighs; 1 unless the kind has weights.
    pub weight: i64,
}

/// Two states that exclude each other at every node of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPair {
    /// The rule.
    pub rule: String,
    /// A variable of it and a state of its component, as in `x in busy`.
    pub first: String,
    /// The other.
    pub second: String,
    /// In a sentence.
    pub says: String,
    /// Why it is so.
    pub because: String,
}

/// A participant of an interaction, and its transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The variable of the rule.
    pub variable: String,
    /// The component type.
    pub component: String,
    /// The port.
    pub port: String,
    /// The state that is left.
    pub from: String,
    /// The state that is entered.
    pub to: String,
}

/// An interaction that never fires, in one combination of transitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NeverFires {
    /// The rule.
    pub rule: String,
    /// The interaction's position in the rule, from 0.
    pub interaction: usize,
    /// Who would do what: `out(x) busy -> idle, in(y) idle -> busy`.
    pub text: String,
    /// The same per participant, in the order of the interaction.
    pub moves: Vec<Move>,
    /// Why it never fires; its error markings are those in which it is enabled.
    #[serde(flatten)]
    pub reason: Reason,
}

/// Two states of components that a rule creates, by the position of their atoms.
type Pair = (RuleId, [(usize, StateId); 2]);

/// What all proofs of a certificate have in common.
struct Writer<'a> {
    system: &'a System,
    /// The instance that sets are shown in, if it is none of `instances`.
    large: Option<(RewritingTree, Net)>,
    dropped: Vec<Dropped>,
    pairs: Vec<Pair>,
    instances: Vec<(RewritingTree, Net)>,
    budget: &'a Budget,
}

/// The explanation of `certificate`, which the checker has accepted as a proof of `error`, in the instance of
/// `wanted` or else in a small one.
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
    let dropped = certificate.dropped.iter().map(|one| Dropped::resolve(system, one));
    let pairs = certificate.exclusive.iter().map(|pair| resolve_pair(system, pair));
    let large = wanted.and_then(|tree| cases::too_large(system, tree));
    let wanted = if large.is_some() { None } else { wanted };
    let mut instances = cases::instances(system, wanted, budget)?;
    if wanted.is_none() {
        cases::put_telling_first(system, &error.formula, &mut instances);
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
    let (grammar, mut cases, mut choice) = writer.choice(goal, &certificate.proof, everything)?;
    if wanted.is_none() {
        let may_be_shown = |at: usize| {
            cases.get(at).is_some_and(|case| cases::is_telling(system, &case.net) && !case.errors.is_empty())
        };
        let first = choice.most_telling(cases.len(), may_be_shown);
        choice.put_first(first);
        cases.swap(0, first);
        writer.instances.swap(0, first);
    }
    let main = writer.reason(goal, (grammar, &cases, choice), everything, &mut derivations)?;
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
        let (grammar, cases, choice) = writer.choice(goal, &claim.proof, (position, false))?;
        let chosen = (grammar, cases.as_slice(), choice);
        let reason = writer.reason(goal, chosen, (position, false), &mut derivations)?;
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
    let too_large = writer.large.as_ref().map(|_| cases::MAX_MARKINGS);
    let (tree, net) =
        writer.large.or_else(|| writer.instances.into_iter().next()).ok_or(NotExplained::TooLarge)?;
    let explanation = Explanation {
        instance: print_term(system, &tree),
        size: tree.size(),
        too_large,
        instances,
        up_to_size,
        reason: main.renumbered(&order),
        never_fires,
        dropped: certificate.dropped.len(),
    };
    Ok(Explained { explanation, tree, net, derivations })
}

/// Who does what in an interaction that never fires.
fn moves(system: &System, dropped: &Dropped) -> Vec<Move> {
    let rule = &system.rules[dropped.rule];
    let participants = rule.interactions.get(dropped.interaction).map(|one| one.participants.as_slice());
    let moves = participants.unwrap_or_default().iter().zip(&dropped.moves);
    let moves = moves.map(|((port, variable), (component, from, to))| {
        let component = &system.types[*component];
        Move {
            variable: rule.variables[*variable].name.clone(),
            component: component.name.clone(),
            port: system.ports[*port].to_string(),
            from: component.states[*from].name.clone(),
            to: component.states[*to].name.clone(),
        }
    });
    moves.collect()
}

/// The rule of a pair, and per component the instance atom and the state.
fn resolve_pair(system: &System, pair: &ExclusivePair) -> Option<Pair> {
    let id = grammar::rule_named(system, &pair.rule)?;
    let rule = &system.rules[id];
    let resolve = |variable: &str, state: &str| {
        let mut atoms = rule.instance_atoms().enumerate();
        let (position, atom) = atoms.find(|(_, atom)| rule.variables[atom.variable].name == variable)?;
        Some((position, system.types[atom.component].state_named(state)?))
    };
    let first = resolve(&pair.first.variable, &pair.first.state)?;
    Some((id, [first, resolve(&pair.second.variable, &pair.second.state)?]))
}

impl Writer<'_> {
    /// What is needed to exclude the goal, by `proof`, in which the first `dropped` interactions never fire.
    fn choice(
        &self,
        goal: Goal<'_>,
        proof: &Proof,
        everything: (usize, bool),
    ) -> Result<(Grammar, Vec<Case>, Choice), NotExplained> {
        let (dropped, pairs) = self.known(everything);
        let grammar = Grammar::new(self.system, proof, dropped, self.budget)?;
        let cases = cases::cases(self.system, &self.instances, goal, self.budget)?;
        let per_marking = |holds: &dyn Fn(&Case, &Marking) -> bool| -> Vec<Vec<bool>> {
            let of_case = |case: &Case| case.errors.iter().map(|marking| holds(case, marking)).collect();
            cases.iter().map(of_case).collect()
        };
        let mut others = Vec::new();
        for one in dropped {
            others.push(per_marking(&|case, marking| cases::enables(&case.net, marking, one)));
        }
        for (rule, pair) in pairs {
            others.push(per_marking(&|case, marking| {
                case.tree.nodes.iter().enumerate().filter(|(_, node)| node.rule == *rule).any(
                    |(position, _)| {
                        let at = |(atom, state): &(usize, StateId)| {
                            case.net.component_at(position, *atom).is_some_and(|id| marking[id] == *state)
                        };
                        pair.iter().all(at)
                    },
                )
            }));
        }
        let choice = choose(self.system, &grammar, &cases, &others, self.budget)?;
        Ok((grammar, cases, choice))
    }

    /// The interactions that never fire, and the pairs, that a proof may rest on.
    fn known(&self, (dropped, with_pairs): (usize, bool)) -> (&[Dropped], &[Pair]) {
        let dropped = self.dropped.get(..dropped).unwrap_or_default();
        (dropped, if with_pairs { self.pairs.as_slice() } else { &[] })
    }

    /// Why no marking of the goal is reached, by what was chosen.
    fn reason(
        &self,
        goal: Goal<'_>,
        (grammar, cases, choice): (Grammar, &[Case], Choice),
        everything: (usize, bool),
        derivations: &mut Vec<Derivation>,
    ) -> Result<Reason, NotExplained> {
        let (dropped, pairs) = self.known(everything);
        let grammar = Rc::new(grammar);
        derivations.extend(choice.families.iter().map(|one| Derivation {
            pattern: Pattern::of(self.system, &grammar, &one.family),
            grammar: Rc::clone(&grammar),
            family: one.family.clone(),
        }));
        let used: BTreeSet<usize> = (choice.families.iter())
            .flat_map(|one| &one.family.productions)
            .map(|id| grammar.productions[*id].shape)
            .collect();
        let mut families = choice.families;
        let large = self.large.as_ref().map(|(tree, net)| {
            let errors = Vec::new();
            families.iter_mut().for_each(|one| one.show_in(&grammar, tree, net));
            Case { tree: tree.clone(), net: net.clone(), errors }
        });
        let first = large.as_ref().or(cases.first()).ok_or(NotExplained::TooLarge)?;
        let sets = self.sets(&grammar, first, families);
        let (mut enabled, mut exclusive) = (Vec::new(), Vec::new());
        for reason in choice.reasons {
            match reason.checked_sub(dropped.len()) {
                None => enabled.push(reason),
                Some(pair) => exclusive.extend(pairs.get(pair).map(|pair| {
                    let count = pairs.iter().filter(|other| other.0 == pair.0).count();
                    sentence::pair(self.system, pair, count)
                })),
            }
        }
        let mut reason = Reason {
            sets,
            exclusive,
            enabled,
            error_markings: first.errors.len(),
            open: choice.open,
            contradiction: Vec::new(),
            shapes: grammar.shapes.len(),
            used_shapes: used.len(),
        };
        reason.contradiction = match large {
            Some(_) => vec![sentence::too_large()],
            None => sentence::contradiction(&reason, first, goal),
        };
        Ok(reason)
    }

    /// The families in terms of the model; those that are alike once, by the one with most sets in the instance.
    fn sets(&self, grammar: &Grammar, case: &Case, families: Vec<Chosen>) -> Vec<ShownSet> {
        let mut groups: Vec<(Likeness, Vec<(ShownSet, Chosen)>)> = Vec::new();
        for chosen in families {
            let set = self.set(grammar, case, &chosen);
            let likeness = likeness(&set);
            match groups.iter_mut().find(|(known, _)| *known == likeness) {
                Some((_, group)) => group.push((set, chosen)),
                None => groups.push((likeness, vec![(set, chosen)])),
            }
        }
        let merged = groups.into_iter().filter_map(|(_, mut group)| {
            group.sort_by_key(|(set, _)| std::cmp::Reverse(set.sets.len()));
            // A marking that several of them exclude counts once.
            let is_excluded = |at: usize| group.iter().any(|(_, one)| one.excluded_at_first()[at]);
            let excludes = (0..case.errors.len()).filter(|at| is_excluded(*at)).count();
            let mut group = group.into_iter().map(|(set, _)| set);
            let mut shown = group.next()?;
            shown.excludes = excludes;
            for set in group {
                let new = set.sets.into_iter().filter(|one| !shown.sets.contains(one));
                let new: Vec<_> = new.filter(|one| !shown.alike_sets.contains(one)).collect();
                shown.alike_sets.extend(new);
                shown.alike.push(set.pattern);
                shown.alike_summaries.push(set.summary);
                shown.needs.extend(set.needs);
            }
            shown.needs.sort_unstable();
            shown.needs.dedup();
            Some(shown)
        });
        merged.collect()
    }

    fn set(&self, grammar: &Grammar, case: &Case, chosen: &Chosen) -> ShownSet {
        let (system, family) = (self.system, &chosen.family);
        let kind = grammar.shapes[family.root].kind;
        let pattern = Pattern::of(system, grammar, family);
        let sets = chosen.sets.first().map_or(&[][..], Vec::as_slice);
        let initial = case.net.initial();
        let productions = family.productions.iter().map(|id| &grammar.productions[*id]);
        let is_constant = productions.clone().all(|one| one.is_constant);
        let needs: BTreeSet<usize> = productions.flat_map(|one| one.needs.iter().copied()).collect();
        let starts = starts::starts(grammar, family);
        let scope = sentence::Scope {
            is_everywhere: starts::is_everywhere(system, grammar, family) && pattern.is_single(),
            start: starts.filter(|all| all.len() == 1).and_then(|all| all.into_iter().next()),
        };
        let words = sentence::words(system, &pattern, scope.is_everywhere, kind.is_weighted());
        ShownSet {
            kind: kind.to_string(),
            summary: sentence::summary(&pattern, (kind, &scope, is_constant), &words),
            is_exact: family.is_exact(grammar),
            says: sentence::says(kind, &scope, is_constant),
            because: sentence::because(kind, is_constant, needs.len()),
            places: words.places,
            nodes: words.nodes,
            pattern,
            initially: sets.iter().map(|set| weight(set, &initial)).collect(),
            sets: sets.iter().map(|set| spelled_out(system, &case.net, set)).collect(),
            excludes: chosen.excluded_at_first().iter().filter(|one| **one).count(),
            needs: needs.into_iter().collect(),
            alike: Vec::new(),
            alike_summaries: Vec::new(),
            alike_sets: Vec::new(),
        }
    }
}

/// What families that differ only in where they lie have in common: their kind, and what their sets consist of.
type Likeness = (String, BTreeSet<(String, Vec<Weighted>)>);

fn likeness(set: &ShownSet) -> Likeness {
    let places = set.pattern.roles.iter().flat_map(|role| &role.ways).flat_map(|way| &way.places);
    (set.kind.clone(), places.map(|one| (one.component.clone(), one.states.clone())).collect())
}

fn spelled_out(system: &System, net: &Net, set: &Set) -> Vec<Place> {
    let mut places = Vec::new();
    for (component, weights) in net.components().iter().zip(set) {
        let states = system.types[component.component_type].states.iter().zip(weights).enumerate();
        places.extend(states.filter(|(_, (_, weight))| **weight != 0).map(|(number, (state, weight))| {
            Place { component: component.name.clone(), state: state.name.clone(), number, weight: *weight }
        }));
    }
    places
}

impl Reason {
    /// The dropped interactions that it rests on, by their position in the certificate.
    fn needs(&self) -> BTreeSet<usize> {
        self.sets.iter().flat_map(|set| &set.needs).chain(&self.enabled).copied().collect()
    }

    /// With interactions named by their position in `order`.
    fn renumbered(mut self, order: &[usize]) -> Reason {
        let number = |one: &mut usize| *one = order.iter().position(|known| known == one).unwrap_or(*one);
        self.enabled.iter_mut().for_each(number);
        self.sets.iter_mut().flat_map(|set| &mut set.needs).for_each(number);
        self
    }
}

/// How much of `set`, a set of places of `net`, is marked in `marking`.
pub fn marked_weight(system: &System, net: &Net, set: &[Place], marking: &Marking) -> i64 {
    let mut sum = 0;
    for (id, component) in net.components().enumerate() {
        let state = marking.get(id).map(|state| &system.types[component.component_type].states[*state].name);
        let own = set.iter().filter(|place| place.component == component.name && Some(&place.state) == state);
        sum += own.map(|place| place.weight).sum::<i64>();
    }
    sum
}

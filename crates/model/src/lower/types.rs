//! Which component types each variable can have, and whether its ports and states fit.
//!
//! Types flow along one graph: up from the atoms that create components to the parameters that are
//! owned, and down from callers to parameters that are borrowed (from rules that occur in the system
//! only). The least fixpoint remembers for every type one atom that creates such a component.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;

use super::draft::{Condition, Draft, Participant, RuleDraft, Target};
use super::names::{Report, counted};
use super::ownership::{Owners, has_broken_atom};
use super::productive::Derivable;
use crate::component::{StateId, TypeId};
use crate::rule::{PredicateId, RuleId, VariableId};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

/// How many pairs of a variable and a type the inference may find.
const MAX_INFERENCE: usize = 1_000_000;

/// At most this many types are named in a complaint.
const SHOWN_TYPES: usize = 5;

/// Component types, each with a place where such a component is created.
type TypeSet = BTreeMap<TypeId, Span>;

/// The types of variables and parameters.
pub(super) struct Types {
    /// First node of each predicate's parameters.
    parameters: IndexVec<PredicateId, usize>,
    /// First node of each rule's variables.
    variables: IndexVec<RuleId, usize>,
    /// Per node the types found.
    found: Vec<TypeSet>,
    /// Per node whether mistakes reported elsewhere hide some of its types.
    is_doubtful: Vec<bool>,
}

impl Types {
    /// The types of a parameter, ascending.
    pub(crate) fn of_parameter(&self, predicate: PredicateId, position: usize) -> Vec<TypeId> {
        self.at(self.parameters[predicate] + position).keys().copied().collect()
    }

    /// The types of a variable, ascending.
    pub(crate) fn of_variable(&self, rule: RuleId, variable: VariableId) -> Vec<TypeId> {
        self.places(rule, variable).keys().copied().collect()
    }

    /// The types of a variable with their places.
    fn places(&self, rule: RuleId, variable: VariableId) -> &TypeSet {
        self.at(self.variables[rule] + variable.index())
    }

    /// Whether all types of the variable are known, and there is one.
    fn is_certain(&self, rule: RuleId, variable: VariableId) -> bool {
        let node = self.variables[rule] + variable.index();
        !self.at(node).is_empty() && self.is_doubtful.get(node) == Some(&false)
    }

    fn at(&self, node: usize) -> &TypeSet {
        static NONE: TypeSet = TypeSet::new();
        self.found.get(node).unwrap_or(&NONE)
    }
}

/// Something that flows: a type with its place, or a doubt.
type Token = Option<(TypeId, Span)>;

/// Infers the types of all variables and parameters.
pub(super) fn infer(draft: &Draft, derivable: &Derivable, owners: &Owners, report: &mut Report) -> Types {
    let mut count = 0;
    let mut take = |size: usize| {
        count += size;
        count - size
    };
    let parameters = draft.predicates.iter().map(|predicate| take(predicate.arity)).collect();
    let variables = draft.rules.iter().map(|rule| take(rule.variables.len())).collect();
    let mut types =
        Types { parameters, variables, found: vec![TypeSet::new(); count], is_doubtful: vec![false; count] };
    let (edges, mut waiting) = flow_graph(draft, derivable, owners, &types, count);
    let mut pairs = 0;
    while let Some((node, token)) = waiting.pop_front() {
        let is_new = match token {
            None => !std::mem::replace(&mut types.is_doubtful[node], true),
            Some((component, _)) if types.found[node].contains_key(&component) => false,
            Some((component, place)) => {
                types.found[node].insert(component, place);
                pairs += 1;
                true
            }
        };
        if pairs > MAX_INFERENCE {
            report.add(Diagnostic::new(
                &errors::TOO_LARGE,
                format!("the variables can have more than {MAX_INFERENCE} component types in all"),
                draft.predicates.iter().next().map_or(Span::default(), |first| first.head.span),
                "the first rule",
            ));
            types.is_doubtful.fill(true);
            break;
        }
        if is_new {
            waiting.extend(edges[node].iter().map(|&next| (next, token)));
        }
    }
    types
}

/// The edges along which types flow, and what flows first.
fn flow_graph(
    draft: &Draft,
    derivable: &Derivable,
    owners: &Owners,
    types: &Types,
    count: usize,
) -> (Vec<Vec<usize>>, VecDeque<(usize, Token)>) {
    let mut edges = vec![Vec::new(); count];
    let mut sources = VecDeque::new();
    for (id, rule) in draft.rules.enumerate() {
        let first = types.variables[id];
        let arity = draft.predicates[rule.head].arity;
        let has_broken_atom = has_broken_atom(rule);
        for (variable, syntax) in rule.variables.enumerate() {
            let node = first + variable.index();
            if !syntax.is_bound || has_broken_atom {
                sources.push_back((node, None));
            }
            if variable.index() >= rule.parameter_count || variable.index() >= arity {
                continue;
            }
            let parameter = types.parameters[rule.head] + variable.index();
            if owners.parameters.is_owned(rule.head, variable.index()) {
                edges[node].push(parameter);
            } else {
                edges[parameter].push(node);
            }
            if owners.parameters.is_doubtful(rule.head, variable.index()) {
                sources.push_back((parameter, None));
            }
        }
        for atom in &rule.atoms {
            if let (Target::Predicate(callee), true) = (&atom.target, atom.is_broken) {
                // What should be passed to it may be of any type.
                let parameters =
                    types.parameters[*callee]..types.parameters[*callee] + draft.predicates[*callee].arity;
                sources.extend(parameters.map(|parameter| (parameter, None)));
            }
            for (position, argument) in atom.arguments.iter().enumerate() {
                let node = first + argument.index();
                match &atom.target {
                    _ if atom.is_broken => sources.push_back((node, None)),
                    Target::Unknown => sources.push_back((node, None)),
                    Target::Instance(component, _) => {
                        sources.push_back((node, Some((*component, atom.syntax.span))));
                    }
                    Target::Predicate(callee) => {
                        let parameter = types.parameters[*callee] + position;
                        if owners.parameters.is_owned(*callee, position) {
                            edges[parameter].push(node);
                        } else if derivable.is_reachable[rule.head] {
                            edges[node].push(parameter);
                        }
                        if owners.parameters.is_doubtful(*callee, position) {
                            sources.push_back((node, None));
                        }
                    }
                }
            }
        }
    }
    (edges, sources)
}

/// The states that match a condition.
pub(super) type Matches = Vec<(TypeId, StateId)>;

/// Checks that ports and states fit; gives per rule, pattern and condition the states that match.
pub(super) fn check(
    draft: &Draft,
    types: &Types,
    report: &mut Report,
) -> IndexVec<RuleId, Vec<Vec<Matches>>> {
    let mut conditions = IndexVec::new();
    for (id, rule) in draft.rules.enumerate() {
        let mut checked = FxHashSet::default();
        for part in rule.interactions.iter().flat_map(|interaction| &interaction.participants) {
            // Once per rule: a mistake about a variable is seldom made in one interaction only.
            if checked.insert((part.port, part.variable)) {
                check_port(draft, types, id, rule, part, report);
            }
        }
        let patterns = rule.patterns.iter().map(|pattern| {
            let matches =
                pattern.conditions.iter().map(|part| check_state(draft, types, id, rule, part, report));
            matches.collect()
        });
        conditions.push(patterns.collect());
    }
    conditions
}

/// Complains if no type of the variable has the port.
fn check_port(
    draft: &Draft,
    types: &Types,
    id: RuleId,
    rule: &RuleDraft,
    participant: &Participant,
    report: &mut Report,
) {
    let Participant { port, variable, span, link } = *participant;
    let candidates = types.places(id, variable);
    if !types.is_certain(id, variable)
        || candidates.keys().any(|&component| draft.components.offers(component, port))
    {
        return;
    }
    let name = &rule.variables[variable].name.text;
    let port = &draft.components.ports[port];
    let diagnostic = Diagnostic::new(
        &errors::PORT_OF_OTHER_TYPE,
        format!("no component that `{name}` can be has the port `{port}`"),
        span,
        type_names(draft, name, candidates),
    );
    report.add(explain(draft, diagnostic, candidates, link));
}

/// The states that match a condition; complains if there is none.
fn check_state(
    draft: &Draft,
    types: &Types,
    id: RuleId,
    rule: &RuleDraft,
    condition: &Condition,
    report: &mut Report,
) -> Matches {
    let Condition { component, state, variable, span, link } = *condition;
    let components = &draft.components;
    let candidates = types.places(id, variable);
    if candidates.is_empty() {
        // Nothing is known of the variable: its predicate is unreachable (or broken).
        let every = components.states_named.get(state).into_iter().flatten().copied();
        return every.filter(|(found, _)| component.is_none_or(|wanted| wanted == *found)).collect();
    }
    let fitting = candidates.keys().filter(|&&found| component.is_none_or(|wanted| wanted == found));
    let matches: Matches = fitting
        .filter_map(|&found| components.state_in.get(&(found, state)).map(|&id| (found, id)))
        .collect();
    if matches.is_empty() && types.is_certain(id, variable) {
        let name = &rule.variables[variable].name.text;
        let what = match component {
            Some(component) => format!("{}.{state}", components.types[component].name),
            None => state.to_owned(),
        };
        let diagnostic = Diagnostic::new(
            &errors::STATE_OF_OTHER_TYPE,
            format!("no component that `{name}` can be has the state `{what}`"),
            span,
            type_names(draft, name, candidates),
        );
        let diagnostic = match link {
            // A link is used by several rules, whose variables differ in what they can be.
            Some(_) => diagnostic
                .help(format!("leave `{what}({name})` out of the link; write it in the rules it fits")),
            None => diagnostic,
        };
        report.add(explain(draft, diagnostic, candidates, link));
    }
    matches
}

/// What a variable can be, as in ``  `x` can be a `Node` or a `Holder`  ``.
fn type_names(draft: &Draft, variable: &str, candidates: &TypeSet) -> String {
    let name = |component: &TypeId| format!("a `{}`", draft.components.types[*component].name);
    let mut names: Vec<String> = candidates.keys().take(SHOWN_TYPES).map(name).collect();
    if candidates.len() > SHOWN_TYPES {
        names.push(counted(candidates.len() - SHOWN_TYPES, "other type", "other types"));
    }
    let verb = if names.len() == 1 { "is" } else { "can be" };
    format!("`{variable}` {verb} {}", names.join(" or "))
}

/// Adds where the types come from, and the place in the link.
fn explain(
    draft: &Draft,
    mut diagnostic: Diagnostic,
    candidates: &TypeSet,
    link: Option<Span>,
) -> Diagnostic {
    if let Some(link) = link {
        diagnostic = diagnostic.label(link, "required here, in the link");
    }
    for (&component, &place) in candidates.iter().take(SHOWN_TYPES) {
        let name = &draft.components.types[component].name;
        diagnostic = diagnostic.label(place, format!("a `{name}` is created here"));
    }
    diagnostic
}

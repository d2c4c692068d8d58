//! Interactions, uses of links and patterns, as they stand in rules and in links alike.

use rustc_hash::{FxHashMap, FxHashSet};

use super::component::Components;
use super::draft::{Condition, Groups, InteractionDraft, LinkId, Participant, PatternDraft, VariableDraft};
use super::names::{Report, counted, listed, with_help};
use crate::component::{PortId, TypeId};
use crate::rule::{PatternGroupId, VariableId};
use crate::syntax::ast;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::{errors, warnings};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The variables in scope.
pub(super) struct Scope<'a> {
    /// Parameters, then those bound by `new`, then unbound ones.
    pub(crate) variables: IndexVec<VariableId, VariableDraft<'a>>,
    named: FxHashMap<&'a str, VariableId>,
    is_used: Vec<bool>,
    help_unbound: &'static str,
}

impl<'a> Scope<'a> {
    /// A scope with parameters; `help_unbound` states how else variables are bound.
    pub(crate) fn new(parameters: &'a [Ident], help_unbound: &'static str, report: &mut Report) -> Self {
        let mut scope = Scope {
            variables: IndexVec::new(),
            named: FxHashMap::default(),
            is_used: Vec::new(),
            help_unbound,
        };
        for name in parameters {
            let is_bound = scope.is_free("a parameter", name, report);
            // A parameter keeps its position even if its name is taken.
            let id = scope.push(VariableDraft { name, is_bound });
            scope.named.entry(&name.text).or_insert(id);
        }
        scope
    }

    /// Binds a variable by `new`.
    pub(crate) fn bind(&mut self, name: &'a Ident, report: &mut Report) {
        if self.is_free("bound by `new`", name, report) {
            let id = self.push(VariableDraft { name, is_bound: true });
            self.named.insert(&name.text, id);
        }
    }

    /// Whether nothing of this name is bound yet; complains if there is.
    fn is_free(&self, what: &str, name: &Ident, report: &mut Report) -> bool {
        let Some(&first) = self.named.get(name.text.as_str()) else { return true };
        let first = self.variables[first].name.span;
        report.add(
            Diagnostic::new(
                &errors::BOUND_TWICE,
                format!("the variable `{}` is bound twice", name.text),
                name.span,
                format!("again {what} here"),
            )
            .label(first, "first bound here")
            .help("give one of them another name"),
        );
        false
    }

    /// The variable of this name; an unknown one is reported once and added as unbound.
    pub(crate) fn use_variable(&mut self, name: &'a Ident, report: &mut Report) -> VariableId {
        if let Some(&id) = self.named.get(name.text.as_str()) {
            if let Some(is_used) = self.is_used.get_mut(id.index()) {
                *is_used = true;
            }
            return id;
        }
        let bound = self.variables.iter().filter(|variable| variable.is_bound);
        let near = report.did_you_mean(&name.text, bound.map(|variable| variable.name.text.as_str()));
        report.add(
            Diagnostic::new(
                &errors::UNBOUND_VARIABLE,
                format!("the variable `{}` is not bound", name.text),
                name.span,
                "unbound variable",
            )
            .help(near.unwrap_or_else(|| format!("make `{}` a parameter{}", name.text, self.help_unbound))),
        );
        let id = self.push(VariableDraft { name, is_bound: false });
        self.named.insert(&name.text, id);
        id
    }

    /// Whether all these variables are bound.
    fn are_bound(&self, mut variables: impl Iterator<Item = VariableId>) -> bool {
        variables.all(|variable| self.variables[variable].is_bound)
    }

    /// The variables that nothing uses.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &'a Ident> {
        let pairs = self.variables.iter().zip(&self.is_used);
        pairs.filter(|(_, is_used)| !**is_used).map(|(variable, _)| variable.name)
    }

    fn push(&mut self, variable: VariableDraft<'a>) -> VariableId {
        self.is_used.push(false);
        self.variables.push(variable)
    }
}

/// The use of a link.
pub(super) struct LinkUse {
    /// The link.
    pub(crate) link: LinkId,
    /// What to put for its parameters, as many as it has; may repeat.
    pub(crate) arguments: Vec<VariableId>,
    /// The atom.
    pub(crate) span: Span,
}

/// What stands between the angle brackets.
pub(super) enum Resolved {
    /// An interaction.
    Interaction(InteractionDraft),
    /// The use of a link.
    Use(LinkUse),
}

/// What names mean in interactions and patterns.
#[derive(Clone, Copy)]
pub(super) struct Resolver<'d, 'a> {
    /// Types, ports, states.
    pub(crate) components: &'d Components<'a>,
    /// Pattern groups.
    pub(crate) groups: &'d Groups<'a>,
    /// Links by name.
    pub(crate) link_named: &'d FxHashMap<&'a str, LinkId>,
    /// Links.
    pub(crate) links: &'d IndexVec<LinkId, &'a ast::Link>,
}

impl<'a> Resolver<'_, 'a> {
    /// Resolves an interaction or the use of a link; `None` if it is broken (reported).
    pub(crate) fn interaction(
        &self,
        interaction: &'a ast::Interaction,
        scope: &mut Scope<'a>,
        report: &mut Report,
    ) -> Option<Resolved> {
        if let [atom] = interaction.atoms.as_slice()
            && let Some(&link) = self.link_named.get(atom.name.text.as_str())
            && atom.qualifier.is_none()
        {
            return self.link_use(link, atom, scope, report).map(Resolved::Use);
        }
        let is_alone = interaction.atoms.len() == 1;
        let mut participants = Vec::new();
        for atom in &interaction.atoms {
            let port = self.port(atom, is_alone, report);
            let variable = one_argument(atom, "port", port.is_some(), scope, report);
            if let (Some(port), Some(variable)) = (port, variable) {
                participants.push(Participant { port, variable, span: atom.span, link: None });
            }
        }
        let places = participants.iter().map(|participant| (participant.variable, participant.span));
        let is_distinct = all_distinct(places, scope, "in one interaction", report);
        let is_whole = participants.len() == interaction.atoms.len() && !participants.is_empty();
        let is_good = is_distinct
            && is_whole
            && scope.are_bound(participants.iter().map(|participant| participant.variable));
        is_good.then_some(Resolved::Interaction(InteractionDraft { participants, span: interaction.span }))
    }

    /// Resolves a pattern of a group; `None` if it is broken (reported).
    pub(crate) fn pattern(
        &self,
        group: PatternGroupId,
        pattern: &'a ast::Interaction,
        scope: &mut Scope<'a>,
        report: &mut Report,
    ) -> Option<PatternDraft<'a>> {
        let mut conditions = Vec::new();
        for atom in &pattern.atoms {
            let component = match &atom.qualifier {
                None => Some(None),
                Some(name) => find_type(self.components, name, report).map(Some),
            };
            let is_known = match component {
                None => false,
                Some(Some(id)) => self.components.state_of(id, &atom.name, report).is_some(),
                Some(None) => find_state(self.components, &atom.name, report),
            };
            let variable = one_argument(atom, "state", is_known, scope, report);
            if let (Some(component), true, Some(variable)) = (component, is_known, variable) {
                let state = atom.name.text.as_str();
                conditions.push(Condition { component, state, variable, span: atom.span, link: None });
            }
        }
        let places = conditions.iter().map(|condition| (condition.variable, condition.span));
        let is_distinct = all_distinct(places, scope, "in one pattern", report);
        let is_whole = conditions.len() == pattern.atoms.len() && !conditions.is_empty();
        let is_good =
            is_distinct && is_whole && scope.are_bound(conditions.iter().map(|condition| condition.variable));
        is_good.then_some(PatternDraft { group, conditions, span: pattern.span })
    }

    /// The port of an atom.
    fn port(&self, atom: &ast::PortAtom, is_alone: bool, report: &mut Report) -> Option<PortId> {
        let name = atom.name.text.as_str();
        if let Some(qualifier) = &atom.qualifier {
            report.add(
                Diagnostic::new(
                    &errors::QUALIFIED_PORT,
                    "a port is not named with its type",
                    qualifier.span,
                    "leave this out",
                )
                .help("which component types a port concerns follows from the variable"),
            );
        }
        let port = self.components.port_named.get(name).map(|&(port, _)| port);
        if port.is_some() {
            // Even if there is a link of this name: that has been reported.
            return port;
        }
        if let Some(&link) = self.link_named.get(name) {
            report.add(
                Diagnostic::new(
                    &errors::LINK_IN_INTERACTION,
                    format!("the link `{name}` stands inside an interaction"),
                    atom.span,
                    "a link is no participant",
                )
                .label(self.links[link].name.span, "the link")
                .help("join it to the other interactions with `+`"),
            );
            return None;
        }
        if !report.is_first(&errors::UNKNOWN_PORT, name) {
            return None;
        }
        let (what, label) = if !is_alone {
            ("port", "no component has a transition on it")
        } else if atom.arguments.len() == 1 {
            ("port or link", "neither a port nor a link")
        } else {
            ("link", "no link has this name")
        };
        let ports = self.components.ports.iter().map(String::as_str);
        let links = self.links.iter().map(|link| link.name.text.as_str());
        let near = match what {
            "port" => report.did_you_mean(name, ports.clone()),
            "link" => report.did_you_mean(name, links.clone()),
            _ => report.did_you_mean(name, ports.clone().chain(links.clone())),
        };
        let help = near.or_else(|| {
            if self.components.states_named.contains_key(name) {
                return Some(format!("`{name}` is a state; interactions name the ports of transitions"));
            }
            match what {
                "port" => listed("port", "ports", ports),
                "link" => listed("link", "links", links),
                _ => listed("port", "ports", ports).or_else(|| listed("link", "links", links)),
            }
        });
        let diagnostic =
            Diagnostic::new(&errors::UNKNOWN_PORT, format!("unknown {what} `{name}`"), atom.name.span, label);
        report.add(with_help(diagnostic, help));
        None
    }

    /// The use of a link.
    fn link_use(
        &self,
        link: LinkId,
        atom: &'a ast::PortAtom,
        scope: &mut Scope<'a>,
        report: &mut Report,
    ) -> Option<LinkUse> {
        let declaration = self.links[link];
        let arguments: Vec<VariableId> =
            atom.arguments.iter().map(|name| scope.use_variable(name, report)).collect();
        let expected = declaration.parameters.len();
        if arguments.len() != expected {
            report.add(
                Diagnostic::new(
                    &errors::ARITY,
                    format!(
                        "the link `{}` has {}, not {}",
                        declaration.name.text,
                        counted(expected, "parameter", "parameters"),
                        arguments.len()
                    ),
                    atom.span,
                    counted(arguments.len(), "argument", "arguments"),
                )
                .label(declaration.name.span, counted(expected, "parameter", "parameters")),
            );
            return None;
        }
        let is_good = scope.are_bound(arguments.iter().copied());
        is_good.then_some(LinkUse { link, arguments, span: atom.span })
    }
}

/// The only argument of a port or state; complains of more or none, if it `is_known` what it is.
fn one_argument<'a>(
    atom: &'a ast::PortAtom,
    what: &str,
    is_known: bool,
    scope: &mut Scope<'a>,
    report: &mut Report,
) -> Option<VariableId> {
    let variables: Vec<VariableId> =
        atom.arguments.iter().map(|name| scope.use_variable(name, report)).collect();
    if let [variable] = variables.as_slice() {
        return Some(*variable);
    }
    if is_known {
        report.add(
            Diagnostic::new(
                &errors::ARITY,
                format!("a {what} takes one variable, not {}", variables.len()),
                atom.span,
                counted(variables.len(), "argument", "arguments"),
            )
            .help(format!("write `{}(x)` for one variable `x`", atom.name.text)),
        );
    }
    None
}

/// Whether no variable is named twice; complains of the first that is.
fn all_distinct(
    places: impl Iterator<Item = (VariableId, Span)>,
    scope: &Scope,
    place: &str,
    report: &mut Report,
) -> bool {
    let mut seen = FxHashMap::default();
    for (variable, span) in places {
        if let Some(&first) = seen.get(&variable) {
            let name = &scope.variables[variable].name.text;
            report.add(
                Diagnostic::new(
                    &errors::REPEATED_VARIABLE,
                    format!("`{name}` takes part twice {place}"),
                    span,
                    "again here",
                )
                .label(first, "first here"),
            );
            return false;
        }
        seen.insert(variable, span);
    }
    true
}

/// How many states are looked at for those that a hint lists: types often have the same ones.
const MAX_COMPARED: usize = 50;

/// The component type of this name; reports an unknown one, once per name.
pub(super) fn find_type(components: &Components, name: &Ident, report: &mut Report) -> Option<TypeId> {
    let found = components.type_named.get(name.text.as_str()).copied();
    if found.is_none() && report.is_first(&errors::UNKNOWN_ATOM, &name.text) {
        let near = report.did_you_mean(&name.text, components.type_named.keys().copied());
        let names = components.types.iter().map(|known| known.name.as_str());
        let help = near.or_else(|| listed("component type", "component types", names));
        let diagnostic = Diagnostic::new(
            &errors::UNKNOWN_ATOM,
            format!("unknown component type `{}`", name.text),
            name.span,
            "no component of this name is defined",
        );
        report.add(with_help(diagnostic, help));
    }
    found
}

/// Whether some type has a state of this name; reports an unknown one, once per name.
pub(super) fn find_state(components: &Components, name: &Ident, report: &mut Report) -> bool {
    let is_known = components.states_named.contains_key(name.text.as_str());
    if !is_known && report.is_first(&errors::UNKNOWN_STATE, &name.text) {
        let mut help = report.did_you_mean(&name.text, components.states_named.keys().copied());
        if help.is_none() && components.port_named.contains_key(name.text.as_str()) {
            help = Some(format!("`{}` is a port; name a state", name.text));
        }
        let states = components.types.iter().flat_map(|known| known.states.iter());
        let mut seen = FxHashSet::default();
        let names =
            states.map(|state| state.name.as_str()).take(MAX_COMPARED).filter(|name| seen.insert(*name));
        help = help.or_else(|| listed("state", "states", names));
        let diagnostic = Diagnostic::new(
            &errors::UNKNOWN_STATE,
            format!("unknown state `{}`", name.text),
            name.span,
            "no component type has this state",
        );
        report.add(with_help(diagnostic, help));
    }
    is_known
}

/// Interactions and patterns under construction, without duplicates.
#[derive(Default)]
pub(super) struct Collector<'a> {
    /// The interactions.
    pub(crate) interactions: Vec<InteractionDraft>,
    /// The patterns.
    pub(crate) patterns: Vec<PatternDraft<'a>>,
    seen: FxHashMap<Vec<(PortId, VariableId)>, Span>,
    seen_patterns: FxHashMap<PatternKey<'a>, Span>,
    warned: Option<Span>,
}

/// A pattern, the order of its conditions forgotten.
type PatternKey<'a> = (PatternGroupId, Vec<(VariableId, Option<TypeId>, &'a str)>);

impl<'a> Collector<'a> {
    /// Adds an interaction that is not there yet.
    pub(crate) fn add_interaction(&mut self, interaction: InteractionDraft, report: &mut Report) {
        let mut key: Vec<(PortId, VariableId)> =
            interaction.participants.iter().map(|part| (part.port, part.variable)).collect();
        key.sort_unstable();
        let is_from_link = interaction.participants.iter().any(|part| part.link.is_some());
        match self.seen.get(&key) {
            Some(&first) => self.warn("interaction", interaction.span, first, is_from_link, report),
            None => {
                self.seen.insert(key, interaction.span);
                self.interactions.push(interaction);
            }
        }
    }

    /// Adds a pattern that is not there yet.
    pub(crate) fn add_pattern(&mut self, pattern: PatternDraft<'a>, report: &mut Report) {
        let mut conditions: Vec<_> =
            pattern.conditions.iter().map(|part| (part.variable, part.component, part.state)).collect();
        conditions.sort_unstable();
        let is_from_link = pattern.conditions.iter().any(|part| part.link.is_some());
        match self.seen_patterns.get(&(pattern.group, conditions.clone())) {
            Some(&first) => self.warn("pattern", pattern.span, first, is_from_link, report),
            None => {
                self.seen_patterns.insert((pattern.group, conditions), pattern.span);
                self.patterns.push(pattern);
            }
        }
    }

    /// Warns of a duplicate, once per place.
    fn warn(&mut self, what: &str, span: Span, first: Span, is_from_link: bool, report: &mut Report) {
        if self.warned == Some(span) {
            return;
        }
        self.warned = Some(span);
        let message = if is_from_link {
            format!("this link brings in an {what} that is there already").replace("an pattern", "a pattern")
        } else {
            format!("this {what} is written twice")
        };
        let diagnostic = Diagnostic::new(&warnings::DUPLICATE_INTERACTION, message, span, "left out");
        report.add(if first == span { diagnostic } else { diagnostic.label(first, "first written here") });
    }
}

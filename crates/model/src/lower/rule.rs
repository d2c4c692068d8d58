//! From rules as written to drafts: one per alternative, names resolved.

use rustc_hash::{FxHashMap, FxHashSet};

use super::component::{Components, set_span};
use super::draft::{AtomDraft, Draft, Groups, LinkId, PredicateDraft, RuleDraft, Target};
use super::link::{Budget, Links};
use super::names::{Report, counted};
use super::resolve::{Collector, Resolved, Resolver, Scope};
use crate::component::{ComponentType, StateId, TypeId};
use crate::rule::VariableId;
use crate::syntax::ast;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::diagnostic::codes::syntax;
use paramcheck_text::index::IndexVec;
use paramcheck_text::reading::Ident;

/// Drafts all rules.
pub(super) fn draft_rules<'a>(
    model: &'a ast::Model,
    components: Components<'a>,
    groups: Groups<'a>,
    links: &Links<'a>,
    budget: &mut Budget,
    report: &mut Report,
) -> Draft<'a> {
    let mut draft = Draft {
        components,
        groups,
        predicates: IndexVec::new(),
        predicate_named: FxHashMap::default(),
        rules: IndexVec::new(),
        used_links: FxHashSet::default(),
        root: None,
    };
    let rules = || {
        model.items.iter().filter_map(|item| match item {
            ast::Item::Rule(rule) => Some(rule),
            _ => None,
        })
    };
    for rule in rules() {
        draft.add_predicate(rule, report);
    }
    for rule in rules() {
        let Some(&head) = draft.predicate_named.get(rule.head.text.as_str()) else { continue };
        for (position, body) in rule.bodies.iter().enumerate() {
            // What is wrong with the parameters is reported once, not per alternative.
            let mut scope = if position == 0 {
                Scope::new(&rule.parameters, " or bind it by `new`", report)
            } else {
                Scope::new(&rule.parameters, " or bind it by `new`", &mut Report::default())
            };
            for name in &body.fresh {
                scope.bind(name, report);
            }
            let resolver = Resolver {
                components: &draft.components,
                groups: &draft.groups,
                link_named: &links.named,
                links: &links.declarations,
            };
            let mut used_links = Vec::new();
            let collector =
                collect_interactions(body, resolver, links, &mut scope, &mut used_links, budget, report);
            let atoms = body.atoms.iter().map(|atom| draft.atom(atom, &mut scope, report)).collect();
            if body.atoms.is_empty() {
                report.add(
                    Diagnostic::new(
                        &syntax::NO_ATOMS,
                        format!("this rule of `{}` creates nothing", rule.head.text),
                        body.span,
                        "no atom",
                    )
                    .label(rule.head.span, "the rule")
                    .help("add what it creates, as in `(Node(x))`"),
                );
            }
            let id = draft.rules.push(RuleDraft {
                head,
                syntax: rule,
                body,
                parameter_count: rule.parameters.len(),
                variables: scope.variables,
                atoms,
                interactions: collector.interactions,
                patterns: collector.patterns,
            });
            draft.used_links.extend(used_links);
            draft.predicates[head].rules.push(id);
        }
    }
    draft.prune_groups();
    draft
}

/// The interactions and patterns of a body, links inserted.
fn collect_interactions<'a>(
    body: &'a ast::Body,
    resolver: Resolver<'_, 'a>,
    links: &Links<'a>,
    scope: &mut Scope<'a>,
    used_links: &mut Vec<LinkId>,
    budget: &mut Budget,
    report: &mut Report,
) -> Collector<'a> {
    let mut collector = Collector::default();
    for interaction in &body.interactions {
        match resolver.interaction(interaction, scope, report) {
            Some(Resolved::Interaction(interaction)) => collector.add_interaction(interaction, report),
            Some(Resolved::Use(link_use)) => {
                used_links.push(link_use.link);
                links.insert(&link_use, &mut collector, budget, report);
            }
            None => {}
        }
    }
    for forbid in &body.forbids {
        let Some(group) = resolver.groups.of(forbid) else { continue };
        for pattern in &forbid.patterns {
            if let Some(pattern) = resolver.pattern(group, pattern, scope, report) {
                collector.add_pattern(pattern, report);
            }
        }
    }
    collector
}

impl<'a> Draft<'a> {
    /// Makes the rule's head a predicate, or checks that it fits the one there is.
    fn add_predicate(&mut self, rule: &'a ast::Rule, report: &mut Report) {
        let name = &rule.head;
        if let Some(&component) = self.components.type_named.get(name.text.as_str())
            && report.is_first(&errors::DUPLICATE_DEFINITION, &name.text)
        {
            report.add(
                Diagnostic::new(
                    &errors::DUPLICATE_DEFINITION,
                    format!("`{}` is a predicate and a component type", name.text),
                    name.span,
                    "a predicate, since a rule rewrites it",
                )
                .label(self.components.declarations[component].name.span, "the component type")
                .help("give the predicate another name"),
            );
        }
        let arity = rule.parameters.len();
        let Some(&known) = self.predicate_named.get(name.text.as_str()) else {
            let id = self.predicates.push(PredicateDraft {
                head: name,
                arity,
                other_arities: Vec::new(),
                rules: Vec::new(),
            });
            self.predicate_named.insert(&name.text, id);
            return;
        };
        let predicate = &mut self.predicates[known];
        if predicate.arity != arity {
            predicate.other_arities.push(arity);
            report.add(
                Diagnostic::new(
                    &errors::ARITY,
                    format!("the rules of `{}` differ in their number of parameters", name.text),
                    name.span,
                    counted(arity, "parameter", "parameters"),
                )
                .label(predicate.head.span, counted(predicate.arity, "parameter", "parameters")),
            );
        }
    }

    /// Resolves an atom.
    fn atom(&self, atom: &'a ast::Atom, scope: &mut Scope<'a>, report: &mut Report) -> AtomDraft<'a> {
        let target = self.target(atom, report);
        let arguments: Vec<VariableId> =
            atom.arguments.iter().map(|name| scope.use_variable(name, report)).collect();
        let expected = match target {
            Target::Instance(..) => Some(1),
            Target::Predicate(id) => Some(self.predicates[id].arity),
            Target::Unknown => None,
        };
        let mut is_broken = false;
        if let Some(expected) = expected
            && expected != arguments.len()
        {
            is_broken = true;
            let is_that_of_a_rule = match target {
                Target::Predicate(id) => self.predicates[id].other_arities.contains(&arguments.len()),
                _ => false,
            };
            // That the rules differ has been reported.
            if !is_that_of_a_rule {
                report.add(self.wrong_arity(atom, &target, expected));
            }
        }
        let mut seen = FxHashMap::default();
        for (variable, name) in arguments.iter().zip(&atom.arguments) {
            if let Some(first) = seen.insert(*variable, name.span) {
                is_broken = true;
                report.add(
                    Diagnostic::new(
                        &errors::REPEATED_VARIABLE,
                        format!("`{}` is passed to `{}` twice", name.text, atom.name.text),
                        name.span,
                        "again here",
                    )
                    .label(first, "first here")
                    .help("the arguments of an atom are different variables"),
                );
            }
        }
        AtomDraft { target, arguments, is_broken, syntax: atom }
    }

    /// The complaint that an atom has the wrong number of arguments.
    fn wrong_arity(&self, atom: &ast::Atom, target: &Target, expected: usize) -> Diagnostic {
        let given = atom.arguments.len();
        let name = &atom.name.text;
        match target {
            Target::Predicate(id) => Diagnostic::new(
                &errors::ARITY,
                format!("`{name}` has {}, not {given}", counted(expected, "parameter", "parameters")),
                atom.span,
                counted(given, "argument", "arguments"),
            )
            .label(self.predicates[*id].head.span, counted(expected, "parameter", "parameters")),
            _ => Diagnostic::new(
                &errors::ARITY,
                format!("`{name}` is a component type and takes one variable, not {given}"),
                atom.span,
                counted(given, "argument", "arguments"),
            )
            .help(format!("write `{name}(x)` for each component")),
        }
    }

    /// What an atom refers to.
    fn target(&self, atom: &ast::Atom, report: &mut Report) -> Target {
        let name = atom.name.text.as_str();
        if let Some(&component) = self.components.type_named.get(name) {
            return Target::Instance(component, self.initial(component, atom, report));
        }
        if let (Some(set), true) = (&atom.initial, self.predicate_named.contains_key(name)) {
            report.add(
                Diagnostic::new(
                    &errors::INITIAL_OF_PREDICATE,
                    format!("`{name}` is a predicate and has no initial states"),
                    set_span(set).unwrap_or(atom.span),
                    "only a component starts in a state",
                )
                .help("give the initial states where the component is created"),
            );
        }
        if let Some(&predicate) = self.predicate_named.get(name) {
            return Target::Predicate(predicate);
        }
        if report.is_first(&errors::UNKNOWN_ATOM, name) {
            let known = self.components.type_named.keys().chain(self.predicate_named.keys());
            let help = report.did_you_mean(name, known.copied()).unwrap_or_else(|| {
                let parameters: Vec<&str> = atom.arguments.iter().map(|name| name.text.as_str()).collect();
                format!("add a rule `{name}({}) <- …;`", parameters.join(", "))
            });
            report.add(
                Diagnostic::new(
                    &errors::UNKNOWN_ATOM,
                    format!("`{name}` is neither a component type nor a predicate with a rule"),
                    atom.name.span,
                    "unknown",
                )
                .help(help),
            );
        }
        Target::Unknown
    }

    /// Where a component starts, ascending.
    fn initial(&self, component: TypeId, atom: &ast::Atom, report: &mut Report) -> Vec<StateId> {
        if let Some(set) = &atom.initial {
            return self.components.resolve_set(component, set, report);
        }
        let definition = &self.components.types[component];
        // A type without states, or with an `init` of unknown ones, has been reported.
        let declaration = self.components.declarations[component];
        let is_init = |item: &ast::ComponentItem| matches!(item, ast::ComponentItem::Init(_));
        if definition.initial.is_empty()
            && !definition.states.is_empty()
            && !declaration.items.iter().any(is_init)
            && report.is_first(&errors::NO_INITIAL_STATE, &definition.name)
        {
            let name = &definition.name;
            report.add(
                Diagnostic::new(
                    &errors::NO_INITIAL_STATE,
                    format!("nothing says where this `{name}` starts"),
                    atom.span,
                    "no initial state",
                )
                .label(declaration.name.span, "has no `init`")
                .help(format!(
                    "add `init …;` to `{name}`, or name states here: `{}`",
                    example(atom, definition)
                )),
            );
        }
        definition.initial.clone()
    }
}

/// The atom with an initial state, as an example.
fn example(atom: &ast::Atom, definition: &ComponentType) -> String {
    let state = definition.states.iter().next().map_or("…", |state| state.name.as_str());
    let arguments: Vec<&str> = atom.arguments.iter().map(|name: &Ident| name.text.as_str()).collect();
    format!("{}[{state}]({})", atom.name.text, arguments.join(", "))
}

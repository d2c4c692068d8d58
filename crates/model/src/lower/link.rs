//! Links: named groups of interactions and patterns, replaced by what they stand for.
//!
//! Every link is expanded once, into interactions over its parameters, links that it uses first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::component::Components;
use super::draft::{Groups, InteractionDraft, LinkId, PatternDraft};
use super::names::Report;
use super::resolve::{Collector, LinkUse, Resolved, Resolver, Scope};
use crate::rule::VariableId;
use crate::syntax::ast;
use paramcheck_text::diagnostic::codes::model::errors;
use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How many participants all uses of links together may stand for.
const MAX_EXPANSION: usize = 2_000_000;

/// Of a participant or a condition: its variable, where it stands, and where in a link it does.
type Place<'a> = (&'a mut VariableId, &'a mut Span, &'a mut Option<Span>);

/// The links of a text.
pub(super) struct Links<'a> {
    /// The links by name.
    pub(crate) named: FxHashMap<&'a str, LinkId>,
    /// The links; one whose name is taken is not here.
    pub(crate) declarations: IndexVec<LinkId, &'a ast::Link>,
    /// What each stands for.
    pub(crate) expanded: IndexVec<LinkId, Expanded<'a>>,
    /// The links that each uses directly.
    pub(crate) uses: IndexVec<LinkId, Vec<LinkId>>,
    /// Parameters that no link uses, with their links.
    pub(crate) unused_parameters: Vec<(LinkId, &'a Ident)>,
}

/// What a link stands for, over its parameters.
#[derive(Default)]
pub(super) struct Expanded<'a> {
    interactions: Vec<InteractionDraft>,
    patterns: Vec<PatternDraft<'a>>,
}

/// How much more links may stand for.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// The budget of a text.
    pub(crate) fn new() -> Self {
        Budget { left: MAX_EXPANSION }
    }
}

/// Finds and expands all links.
pub(super) fn expand_links<'a>(
    model: &'a ast::Model,
    components: &Components<'a>,
    groups: &Groups<'a>,
    budget: &mut Budget,
    report: &mut Report,
) -> Links<'a> {
    let (named, declarations) = collect(model, components, report);
    let uses: IndexVec<LinkId, Vec<LinkId>> = declarations
        .iter()
        .map(|link| {
            let single =
                link.interactions.iter().filter_map(|interaction| match interaction.atoms.as_slice() {
                    // What is also a port has been reported; no more of it.
                    [atom] if components.port_named.contains_key(atom.name.text.as_str()) => None,
                    [atom] => named.get(atom.name.text.as_str()).copied(),
                    _ => None,
                });
            single.collect()
        })
        .collect();
    let mut links = Links {
        expanded: declarations.iter().map(|_| Expanded::default()).collect(),
        named,
        declarations,
        uses,
        unused_parameters: Vec::new(),
    };
    let order = callees_first(&links, report);
    for id in order {
        links.expand(id, components, groups, budget, report);
    }
    links
}

/// The links by name.
fn collect<'a>(
    model: &'a ast::Model,
    components: &Components<'a>,
    report: &mut Report,
) -> (FxHashMap<&'a str, LinkId>, IndexVec<LinkId, &'a ast::Link>) {
    let mut named: FxHashMap<&str, LinkId> = FxHashMap::default();
    let mut declarations: IndexVec<LinkId, &ast::Link> = IndexVec::new();
    for item in &model.items {
        let ast::Item::Link(link) = item else { continue };
        let name = &link.name;
        if let Some(&first) = named.get(name.text.as_str()) {
            report.add(
                Diagnostic::new(
                    &errors::DUPLICATE_DEFINITION,
                    format!("the link `{}` is defined twice", name.text),
                    name.span,
                    "defined again here",
                )
                .label(declarations[first].name.span, "first defined here"),
            );
            continue;
        }
        if let Some(&(_, port)) = components.port_named.get(name.text.as_str()) {
            report.add(
                Diagnostic::new(
                    &errors::PORT_AND_LINK,
                    format!("`{}` is a port and a link", name.text),
                    name.span,
                    "the link",
                )
                .label(port, "the port")
                .help("give the link another name"),
            );
        }
        named.insert(&name.text, declarations.push(link));
    }
    (named, declarations)
}

/// The links in an order in which those used come before those that use them; cyclic ones are reported
/// and cut open.
fn callees_first(links: &Links, report: &mut Report) -> Vec<LinkId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks: IndexVec<LinkId, Mark> = links.declarations.iter().map(|_| Mark::New).collect();
    let mut order = Vec::new();
    for start in links.declarations.indices() {
        if marks[start] != Mark::New {
            continue;
        }
        // The path from `start`, each link with the number of its uses already followed.
        let mut path = vec![(start, 0)];
        marks[start] = Mark::Open;
        while let Some((link, followed)) = path.last_mut() {
            let link = *link;
            let Some(&next) = links.uses[link].get(*followed) else {
                marks[link] = Mark::Done;
                order.push(link);
                path.pop();
                continue;
            };
            *followed += 1;
            match marks[next] {
                Mark::Done => {}
                Mark::New => {
                    marks[next] = Mark::Open;
                    path.push((next, 0));
                }
                Mark::Open => {
                    let names = path.iter().map(|&(link, _)| link).skip_while(|&link| link != next);
                    let cycle: Vec<&Ident> = names.map(|link| &links.declarations[link].name).collect();
                    report_cycle("link", &errors::CYCLIC_LINK, &cycle, report);
                }
            }
        }
    }
    order
}

/// Complains of a cycle of definitions, once per first name.
pub(super) fn report_cycle(what: &str, code: Code, cycle: &[&Ident], report: &mut Report) {
    let Some((first, rest)) = cycle.split_first() else { return };
    if !report.is_first(code, &first.text) {
        return;
    }
    // A long cycle is shown by its beginning.
    let mut names: Vec<String> = cycle.iter().take(8).map(|name| format!("`{}`", name.text)).collect();
    if cycle.len() > names.len() {
        names.push("…".to_owned());
    }
    names.push(format!("`{}`", first.text));
    let mut diagnostic = Diagnostic::new(
        code,
        format!("the {what} `{}` is defined by itself", first.text),
        first.span,
        format!("needs itself: {}", names.join(" → ")),
    );
    for name in rest.iter().take(7) {
        diagnostic = diagnostic.label(name.span, "by way of this");
    }
    report.add(diagnostic);
}

impl<'a> Links<'a> {
    /// Expands one link, those that it uses being expanded.
    fn expand(
        &mut self,
        id: LinkId,
        components: &Components<'a>,
        groups: &Groups<'a>,
        budget: &mut Budget,
        report: &mut Report,
    ) {
        let link = self.declarations[id];
        let mut scope = Scope::new(&link.parameters, " of the link", report);
        let resolver = Resolver { components, groups, link_named: &self.named, links: &self.declarations };
        let mut collector = Collector::default();
        for interaction in &link.interactions {
            match resolver.interaction(interaction, &mut scope, report) {
                Some(Resolved::Interaction(interaction)) => collector.add_interaction(interaction, report),
                Some(Resolved::Use(link_use)) => self.insert(&link_use, &mut collector, budget, report),
                None => {}
            }
        }
        for forbid in &link.forbids {
            let Some(group) = groups.of(forbid) else { continue };
            for pattern in &forbid.patterns {
                if let Some(pattern) = resolver.pattern(group, pattern, &mut scope, report) {
                    collector.add_pattern(pattern, report);
                }
            }
        }
        let unused = scope.unused().map(|name| (id, name));
        self.unused_parameters.extend(unused);
        self.expanded[id] = Expanded { interactions: collector.interactions, patterns: collector.patterns };
    }

    /// Inserts what a use of a link stands for.
    pub(crate) fn insert(
        &self,
        link_use: &LinkUse,
        collector: &mut Collector<'a>,
        budget: &mut Budget,
        report: &mut Report,
    ) {
        let expanded = &self.expanded[link_use.link];
        let mut clash: Option<(Span, Span)> = None;
        // Puts arguments in place of parameters; false where two of them become one variable.
        let mut substitute = |parts: &mut dyn Iterator<Item = Place<'_>>| {
            let mut seen = FxHashMap::default();
            let mut is_good = true;
            for (variable, span, link) in parts {
                let place = link.unwrap_or(*span);
                let Some(&argument) = link_use.arguments.get(variable.index()) else { continue };
                (*variable, *span, *link) = (argument, link_use.span, Some(place));
                if let Some(first) = seen.insert(argument, place) {
                    is_good = false;
                    clash.get_or_insert((first, place));
                }
            }
            is_good
        };
        for interaction in &expanded.interactions {
            if budget.left < interaction.participants.len() {
                return self.too_large(link_use, budget, report);
            }
            budget.left -= interaction.participants.len();
            let mut interaction = InteractionDraft { span: link_use.span, ..interaction.clone() };
            let parts = &mut interaction.participants;
            let is_good = substitute(
                &mut parts.iter_mut().map(|part| (&mut part.variable, &mut part.span, &mut part.link)),
            );
            if is_good {
                collector.add_interaction(interaction, report);
            }
        }
        for pattern in &expanded.patterns {
            if budget.left < pattern.conditions.len() {
                return self.too_large(link_use, budget, report);
            }
            budget.left -= pattern.conditions.len();
            let mut pattern = PatternDraft { span: link_use.span, ..pattern.clone() };
            let parts = &mut pattern.conditions;
            let is_good = substitute(
                &mut parts.iter_mut().map(|part| (&mut part.variable, &mut part.span, &mut part.link)),
            );
            if is_good {
                collector.add_pattern(pattern, report);
            }
        }
        if let Some((first, second)) = clash {
            let name = &self.declarations[link_use.link].name.text;
            report.add(
                Diagnostic::new(
                    &errors::REPEATED_VARIABLE,
                    format!("this use of the link `{name}` lets a variable meet itself"),
                    link_use.span,
                    "the same variable twice",
                )
                .label(first, "it would be this one")
                .label(second, "and this one"),
            );
        }
    }

    /// Complains that links stand for too much, once.
    fn too_large(&self, link_use: &LinkUse, budget: &mut Budget, report: &mut Report) {
        budget.left = 0;
        if report.is_first(&errors::TOO_LARGE, "") {
            report.add(Diagnostic::new(
                &errors::TOO_LARGE,
                format!("the links stand for more than {MAX_EXPANSION} participants of interactions"),
                link_use.span,
                "the limit is reached here",
            ));
        }
    }

    /// The links that these use, themselves included.
    pub(crate) fn used_by(&self, start: impl IntoIterator<Item = LinkId>) -> FxHashSet<LinkId> {
        let mut found: FxHashSet<LinkId> = start.into_iter().collect();
        let mut waiting: Vec<LinkId> = found.iter().copied().collect();
        while let Some(link) = waiting.pop() {
            for &next in &self.uses[link] {
                if found.insert(next) {
                    waiting.push(next);
                }
            }
        }
        found
    }
}

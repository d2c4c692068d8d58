//! What the names of a file are, and the types of variables.
//!
//! Enums, their values, channels, message and property variables, guards, agents and instances are one space
//! of names; the locals and labels of an agent are another each, which shares no name with the first.

use rustc_hash::FxHashMap;

use super::{Context, MAX_INSTANCES};
use crate::ast::{self, Declaration, File, ItemKind, PartKind, Process, ProcessKind, TypeName};
use crate::model::{AgentId, Enum, EnumId, InstanceId, System, Type, Variable};
use crate::vocabulary::Syntax;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// What a name of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Enum,
    Case(EnumId, usize),
    Channel(usize),
    Message(usize),
    Property(usize),
    Guard(usize),
    Agent(AgentId),
    Instance(InstanceId),
}

impl Global {
    pub(super) fn what(self) -> &'static str {
        match self {
            Global::Enum => "an enum",
            Global::Case(..) => "a value of an enum",
            Global::Channel(_) => "a channel",
            Global::Message(_) => "a message variable",
            Global::Property(_) => "a property variable",
            Global::Guard(_) => "a guard",
            Global::Agent(_) => "an agent",
            Global::Instance(_) => "an instance",
        }
    }
}

/// A guard, and the types of its parameters.
pub(super) struct Guard<'f> {
    pub(super) tree: &'f ast::Guard,
    pub(super) types: Vec<Type>,
}

/// An agent, with its local variables and labels by name.
pub(super) struct Agent<'f> {
    pub(super) tree: &'f ast::Agent,
    pub(super) locals: FxHashMap<&'f str, usize>,
    /// The places of the locals.
    pub(super) places: Vec<Span>,
    pub(super) labels: FxHashMap<&'f str, Span>,
}

/// All names of a file.
pub(super) struct Names<'f> {
    pub(super) globals: FxHashMap<&'f str, (Global, Span)>,
    pub(super) guards: Vec<Guard<'f>>,
    pub(super) agents: IndexVec<AgentId, Agent<'f>>,
    /// The instances in the order of [`System::instances`].
    pub(super) instances: Vec<&'f ast::Instance>,
}

impl<'f> Names<'f> {
    /// The global with this name.
    pub(super) fn global(&self, name: &str) -> Option<Global> {
        self.globals.get(name).map(|(global, _)| *global)
    }

    /// The agent with this name. Another is reported.
    pub(super) fn agent(&self, context: &mut Context<'_>, name: &Ident) -> Option<AgentId> {
        if let Some(Global::Agent(id)) = self.global(&name.text) {
            return Some(id);
        }
        let names = self.agents.iter().map(|agent| agent.tree.name.text.as_str());
        let diagnostic = Diagnostic::new(
            &codes::UNKNOWN_AGENT,
            format!("there is no agent `{}`", name.text),
            name.span,
            "unknown",
        );
        context.report(match (nearest(&name.text, names), self.global(&name.text)) {
            (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, Some(other)) => diagnostic.help(format!("`{}` is {}", name.text, other.what())),
            (None, None) => diagnostic,
        });
        None
    }
}

/// Declares `name`; one that is taken is reported.
fn declare<'f>(
    context: &mut Context<'_>,
    globals: &mut FxHashMap<&'f str, (Global, Span)>,
    name: &'f Ident,
    global: Global,
) -> bool {
    if let Some((first, span)) = globals.get(name.text.as_str()) {
        context.report(taken(name, "it is", first.what(), *span));
        return false;
    }
    globals.insert(&name.text, (global, name.span));
    true
}

/// A name that is taken.
pub(super) fn taken(name: &Ident, is: &str, what: &str, first: Span) -> Diagnostic {
    let message = format!("the name `{}` is taken: {is} {what}", name.text);
    Diagnostic::new(&codes::DUPLICATE, message, name.span, "again").label(first, "here it is first")
}

/// The names of a file, and a system with enums, variables and instances. The types of variables need the
/// enums, wherever these are.
pub(super) fn collect<'f>(context: &mut Context<'_>, file: &'f File) -> (System, Names<'f>) {
    let mut system = empty(file.syntax);
    let mut names = Names {
        globals: FxHashMap::default(),
        guards: Vec::new(),
        agents: IndexVec::new(),
        instances: Vec::new(),
    };
    let enums = enums(context, file, &mut system, &mut names.globals);
    let types = Types { enums: &enums };
    for item in &file.items {
        match &item.kind {
            ItemKind::Channels(_) | ItemKind::Enum(..) | ItemKind::System(_) | ItemKind::Spec(_) => {}
            ItemKind::Messages(all) => {
                for one in all {
                    let Some(ty) = types.of(context, one) else { continue };
                    let global = Global::Message(system.messages.len());
                    if declare(context, &mut names.globals, &one.name, global) {
                        system.messages.push(Variable { name: one.name.text.clone(), ty });
                    }
                }
            }
            ItemKind::Properties(all) => {
                for one in all {
                    let Some(ty) = types.of(context, one) else { continue };
                    let global = Global::Property(system.properties.len());
                    if declare(context, &mut names.globals, &one.name, global) {
                        system.properties.push(Variable { name: one.name.text.clone(), ty });
                    }
                }
            }
            ItemKind::Guard(guard) => {
                let global = Global::Guard(names.guards.len());
                declare(context, &mut names.globals, &guard.name, global);
                let types = guard.parameters.iter().filter_map(|one| types.of(context, one)).collect();
                names.guards.push(Guard { tree: guard, types });
            }
            ItemKind::Agent(agent) => {
                let id = AgentId::new(names.agents.len());
                declare(context, &mut names.globals, &agent.name, Global::Agent(id));
                names.agents.push(Agent {
                    tree: agent,
                    locals: FxHashMap::default(),
                    places: Vec::new(),
                    labels: FxHashMap::default(),
                });
            }
        }
    }
    instances(context, file, &mut names);
    parameters(context, file, &names);
    let mut variables: Vec<Vec<Variable>> = Vec::new();
    let Names { agents, globals, .. } = &mut names;
    for agent in agents.iter_mut() {
        variables.push(locals(context, &types, globals, agent));
        labels(context, globals, agent);
    }
    bound_variables(context, file, &names);
    for (agent, locals) in names.agents.iter().zip(variables.iter()) {
        system.agents.push(super::agent::empty(agent.tree.name.text.clone(), locals.clone()));
    }
    (system, names)
}

fn empty(syntax: Syntax) -> System {
    System {
        syntax,
        enums: IndexVec::new(),
        channels: vec!["*".to_owned()],
        messages: Vec::new(),
        properties: Vec::new(),
        agents: IndexVec::new(),
        instances: IndexVec::new(),
        specs: Vec::new(),
    }
}

/// Enums by name; the channels are one.
fn enums<'f>(
    context: &mut Context<'_>,
    file: &'f File,
    system: &mut System,
    globals: &mut FxHashMap<&'f str, (Global, Span)>,
) -> FxHashMap<&'f str, Type> {
    let mut enums = FxHashMap::default();
    enums.insert("channel", Type::Channel);
    for item in &file.items {
        match &item.kind {
            ItemKind::Channels(channels) => declare_channels(context, channels, system, globals),
            ItemKind::Enum(name, cases) => {
                let is_new = declare(context, globals, name, Global::Enum);
                if name.text == "channel" {
                    declare_channels(context, cases, system, globals);
                    continue;
                }
                let id = EnumId::new(system.enums.len());
                let mut known = Vec::new();
                for case in cases {
                    if declare(context, globals, case, Global::Case(id, known.len())) {
                        known.push(case.text.clone());
                    }
                }
                system.enums.push(Enum { name: name.text.clone(), cases: known });
                if is_new {
                    enums.insert(&name.text, Type::Enum(id));
                }
            }
            _ => {}
        }
    }
    enums
}

fn declare_channels<'f>(
    context: &mut Context<'_>,
    channels: &'f [Ident],
    system: &mut System,
    globals: &mut FxHashMap<&'f str, (Global, Span)>,
) {
    for channel in channels {
        if declare(context, globals, channel, Global::Channel(system.channels.len())) {
            system.channels.push(channel.text.clone());
        }
    }
}

/// Gives the names of types their meaning.
struct Types<'a, 'f> {
    enums: &'a FxHashMap<&'f str, Type>,
}

impl Types<'_, '_> {
    fn of(&self, context: &mut Context<'_>, declaration: &Declaration) -> Option<Type> {
        let span = declaration.span;
        match &declaration.ty {
            TypeName::Bool => Some(Type::Bool),
            TypeName::Int => Some(Type::Int),
            TypeName::Location => Some(Type::Location),
            TypeName::Range(low, high) if low > high => {
                let message = format!("the range {low}..{high} has no values");
                let diagnostic = Diagnostic::new(&codes::EMPTY_RANGE, message, span, "");
                context.report(diagnostic.help(format!("the smaller number comes first: `{high}..{low}`")));
                None
            }
            TypeName::Range(low, high) => Some(Type::Range(*low, *high)),
            TypeName::Named(name) => {
                let known = self.enums.get(name.as_str()).copied();
                if known.is_none() {
                    let message = format!("there is no type `{name}`");
                    let diagnostic = Diagnostic::new(&codes::UNKNOWN_TYPE, message, span, "unknown");
                    let words = ["bool", "int", "location"];
                    let mut names: Vec<&str> = self.enums.keys().copied().chain(words).collect();
                    names.sort_unstable();
                    context.report(diagnostic.help(match nearest(name, names) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!(
                            "types are `bool`, `int`, ranges such as `0..5`, `location`, `channel`, and enums: \
                             `enum {name} {{…}}`"
                        ),
                    }));
                }
                known
            }
        }
    }
}

fn instances<'f>(context: &mut Context<'_>, file: &'f File, names: &mut Names<'f>) {
    let mut first: Option<Span> = None;
    for item in &file.items {
        let ItemKind::System(all) = &item.kind else { continue };
        if let Some(first) = first {
            context.report(
                Diagnostic::new(&codes::NO_SYSTEM, "there is a system already", item.span, "a second one")
                    .label(first, "the first one")
                    .help("separate all instances by `||`, in one system"),
            );
            continue;
        }
        first = Some(item.span);
        if all.len() > MAX_INSTANCES {
            let message = format!("a system has at most {MAX_INSTANCES} instances");
            context.report(Diagnostic::new(&codes::TOO_LARGE, message, item.span, ""));
            continue;
        }
        for instance in all {
            let global = Global::Instance(InstanceId::new(names.instances.len()));
            declare(context, &mut names.globals, &instance.name, global);
            names.instances.push(instance);
        }
    }
    if first.is_none() {
        let end = file.items.last().map_or(Span::default(), |item| Span::new(item.span.end, item.span.end));
        context.report(
            Diagnostic::new(&codes::NO_SYSTEM, "the file has no `system`", end, "")
                .help("say which instances there are: `system = Client(c1, true) || Client(c2, true)`"),
        );
    }
}

/// Parameters of guards must differ from one another and from all names of the file; in the article's syntax
/// they may hide a channel.
fn parameters(context: &mut Context<'_>, file: &File, names: &Names<'_>) {
    for guard in &names.guards {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for parameter in &guard.tree.parameters {
            let name = &parameter.name;
            let global = names.globals.get(name.text.as_str());
            let hides =
                |global: Global| matches!(global, Global::Channel(_)) && file.syntax == Syntax::Article;
            if let Some(first) = seen.insert(&name.text, name.span) {
                context.report(taken(name, "it is", "a parameter", first));
            } else if let Some((global, span)) = global.filter(|(global, _)| !hides(*global)) {
                context.report(taken(name, "it is", global.what(), *span));
            }
        }
    }
}

fn locals<'f>(
    context: &mut Context<'_>,
    types: &Types<'_, '_>,
    globals: &FxHashMap<&'f str, (Global, Span)>,
    agent: &mut Agent<'f>,
) -> Vec<Variable> {
    let mut variables = Vec::new();
    let parts = agent.tree.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Local(all) => Some(all),
        _ => None,
    });
    for declaration in parts.flatten() {
        let name = &declaration.name;
        let ty = types.of(context, declaration);
        if let Some((global, span)) = globals.get(name.text.as_str()) {
            context.report(taken(name, "it is", global.what(), *span));
        } else if let Some(first) = agent.locals.get(name.text.as_str()) {
            let first = agent.places.get(*first).copied().unwrap_or_default();
            context.report(taken(name, "it is", "a local variable", first));
        } else if let Some(ty) = ty {
            agent.locals.insert(&name.text, variables.len());
            agent.places.push(name.span);
            variables.push(Variable { name: name.text.clone(), ty });
        }
    }
    variables
}

fn labels<'f>(
    context: &mut Context<'_>,
    globals: &FxHashMap<&'f str, (Global, Span)>,
    agent: &mut Agent<'f>,
) {
    let parts = agent.tree.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Repeat(process) => Some(process),
        _ => None,
    });
    let mut found = Vec::new();
    parts.for_each(|process| labels_of(process, &mut found));
    for label in found {
        let local = agent.locals.get(label.text.as_str()).and_then(|local| agent.places.get(*local));
        if let Some((global, span)) = globals.get(label.text.as_str()) {
            context.report(taken(label, "it is", global.what(), *span));
        } else if let Some(span) = local {
            context.report(taken(label, "it is", "a local variable", *span));
        } else if let Some(span) = agent.labels.get(label.text.as_str()) {
            context.report(taken(label, "it is", "a label", *span));
        } else {
            agent.labels.insert(&label.text, label.span);
        }
    }
}

fn labels_of<'f>(process: &'f Process, found: &mut Vec<&'f Ident>) {
    match &process.kind {
        ProcessKind::Choice(all) | ProcessKind::Sequence(all) => {
            all.iter().for_each(|one| labels_of(one, found));
        }
        ProcessKind::Rep(inner) | ProcessKind::Parenthesised(inner) => labels_of(inner, found),
        ProcessKind::Command(command) => found.extend(&command.label),
    }
}

/// Variables of quantifiers must differ from those around them and from all names of the file.
fn bound_variables(context: &mut Context<'_>, file: &File, names: &Names<'_>) {
    for item in &file.items {
        if let ItemKind::Spec(formula) = &item.kind {
            bound_in(context, names, formula, &mut Vec::new());
        }
    }
}

fn bound_in<'f>(
    context: &mut Context<'_>,
    names: &Names<'_>,
    expr: &'f ast::Expr,
    around: &mut Vec<&'f Ident>,
) {
    if let ast::ExprKind::Quantified { variable, .. } = &expr.kind {
        if let Some((global, span)) = names.globals.get(variable.text.as_str()) {
            context.report(taken(variable, "it is", global.what(), *span));
        } else if let Some(outer) = around.iter().find(|outer| outer.text == variable.text) {
            context.report(taken(variable, "it is", "the variable of a quantifier around this", outer.span));
        }
        around.push(variable);
    }
    expr.children(&mut |child| bound_in(context, names, child, around));
    if matches!(expr.kind, ast::ExprKind::Quantified { .. }) {
        around.pop();
    }
}

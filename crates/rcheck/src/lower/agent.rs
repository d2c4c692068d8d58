//! Agents and instances: conditions, values of property variables, commands.

use rustc_hash::FxHashSet;

use super::Context;
use super::automaton::{self, Edge};
use super::names::{Global, Names};
use super::scope::{Messages, ModelScope, constant};
use super::value::{Maker, Scope, Value};
use crate::ast::{self, Assignment, Expr, PartKind};
use crate::model::{Action, Agent, AgentId, Atom, Command, Instance, System, Term, Type, Variable};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// An agent that does nothing.
pub(super) fn empty(name: String, locals: Vec<Variable>) -> Agent {
    Agent {
        name,
        locals,
        init: Term::Constant(1),
        receive_guard: Term::Constant(1),
        relabels: Vec::new(),
        locations: 1,
        commands: Vec::new(),
    }
}

/// Looks at the bodies of all guards, used or not, with values of the right types for the parameters.
pub(super) fn guards(context: &mut Context<'_>, names: &Names<'_>, system: &System) {
    for (position, guard) in names.guards.iter().enumerate() {
        let scope = ModelScope {
            names,
            system,
            agent: None,
            messages: Messages::All,
            has_channel: true,
            has_properties: true,
            place: "a guard",
        };
        let parameters = guard.tree.parameters.iter().zip(&guard.types);
        let parameters = parameters.map(|(one, ty)| (one.name.text.as_str(), constant(0, *ty))).collect();
        context.guards.push(position);
        Maker { names, system, scope: &scope }.body(context, &guard.tree.body, &parameters);
        context.guards.pop();
    }
}

/// Fills in the agents.
pub(super) fn agents(context: &mut Context<'_>, names: &Names<'_>, system: &mut System) {
    for (id, agent) in names.agents.enumerate() {
        let made = AgentMaker { names, system, id }.agent(context, agent.tree);
        if let Some(place) = system.agents.iter_mut().nth(id.index()) {
            *place = made;
        }
    }
}

/// Makes one agent.
struct AgentMaker<'a, 'f> {
    names: &'a Names<'f>,
    system: &'a System,
    id: AgentId,
}

impl AgentMaker<'_, '_> {
    fn scope(&self, place: &'static str) -> ModelScope<'_, '_> {
        ModelScope {
            names: self.names,
            system: self.system,
            agent: Some(self.id),
            messages: Messages::None,
            has_channel: false,
            has_properties: false,
            place,
        }
    }

    fn agent(&self, context: &mut Context<'_>, tree: &ast::Agent) -> Agent {
        let Agent { name, locals, .. } = &self.system.agents[self.id];
        let mut agent = empty(name.clone(), locals.clone());
        agent.relabels = vec![None; self.system.properties.len()];
        for part in &tree.parts {
            match &part.kind {
                PartKind::Local(_) => {}
                PartKind::Init(expr) => {
                    agent.init = self.condition(context, &self.scope("`init`"), expr);
                }
                PartKind::ReceiveGuard(expr) => {
                    let scope = ModelScope { has_channel: true, ..self.scope("`receive-guard`") };
                    agent.receive_guard = self.condition(context, &scope, expr);
                }
                PartKind::Relabel(all) => self.relabel(context, &mut agent, all),
                PartKind::Repeat(process) => {
                    let mut edges = automaton::Automaton::new(self.system.syntax);
                    edges.process(context, process);
                    agent.locations = edges.locations;
                    let commands = edges.edges.iter().map(|edge| self.command(context, edge));
                    agent.commands = commands.collect();
                }
            }
        }
        agent
    }

    fn condition(&self, context: &mut Context<'_>, scope: &ModelScope<'_, '_>, expr: &Expr) -> Term<Atom> {
        self.of(context, scope, expr, Type::Bool)
    }

    /// The value of an expression. One that is wrong is reported, and the system not used.
    fn of(&self, context: &mut Context<'_>, scope: &ModelScope<'_, '_>, expr: &Expr, ty: Type) -> Term<Atom> {
        let maker = Maker { names: self.names, system: self.system, scope };
        maker.of(context, expr, ty).unwrap_or(Term::Constant(1))
    }

    fn relabel(&self, context: &mut Context<'_>, agent: &mut Agent, all: &[(Ident, Expr)]) {
        let mut places: Vec<Option<Span>> = vec![None; self.system.properties.len()];
        for (name, value) in all {
            let Some(Global::Property(id)) = self.names.global(&name.text) else {
                let message = format!("there is no property variable `{}`", name.text);
                let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, name.span, "unknown");
                let known = self.system.properties.iter().map(|one| one.name.as_str());
                context.report(match nearest(&name.text, known) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("declare it: `property-variables: name : type`"),
                });
                continue;
            };
            let Some(ty) = self.system.properties.get(id).map(|one| one.ty) else { continue };
            let value = self.of(context, &self.scope("`relabel`"), value, ty);
            let (Some(place), Some(relabel)) = (places.get_mut(id), agent.relabels.get_mut(id)) else {
                continue;
            };
            if let Some(first) = place.replace(name.span) {
                context.report(assigned_twice(name, "relabelled", first));
            }
            *relabel = Some(value);
        }
    }

    fn command(&self, context: &mut Context<'_>, edge: &Edge<'_>) -> Command {
        let command = edge.command;
        let data = self.data(context, &command.data);
        let sent: FxHashSet<usize> = data.iter().map(|(id, _)| *id).collect();
        let action = self.action(context, &command.action, &sent);
        let hears = !matches!(command.action, ast::Action::Send(..));
        let messages = if hears { Messages::All } else { Messages::None };
        let guard = match hears {
            true => "this condition",
            false => "the condition of a sending command",
        };
        let scope = ModelScope { messages, ..self.scope(guard) };
        let guard = self.condition(context, &scope, &command.guard);
        let update = match hears {
            true => "an assignment",
            false => "an assignment of a sending command",
        };
        let scope = ModelScope { messages, ..self.scope(update) };
        let update = self.update(context, &scope, &command.update);
        Command {
            label: command.label.as_ref().map(|label| label.text.clone()),
            span: edge.span,
            source: edge.source,
            target: edge.target,
            guard,
            action,
            data,
            update,
        }
    }

    fn action(&self, context: &mut Context<'_>, action: &ast::Action, sent: &FxHashSet<usize>) -> Action {
        match action {
            ast::Action::Send(channel, to) => {
                let channel = self.channel(context, channel);
                let messages = Messages::Sent(sent);
                let scope = ModelScope {
                    messages,
                    has_channel: true,
                    has_properties: true,
                    ..self.scope("a send guard")
                };
                Action::Send { channel, to: self.condition(context, &scope, to) }
            }
            ast::Action::Receive(channel) => Action::Receive { channel: self.channel(context, channel) },
            ast::Action::Get(whom) => {
                let scope = ModelScope { has_properties: true, ..self.scope("`GET@`") };
                let maker = Maker { names: self.names, system: self.system, scope: &scope };
                match maker.any(context, whom) {
                    Some(Value { term, ty: Type::Location, .. }) => Action::GetFrom(term),
                    Some(Value { term, ty: Type::Bool, .. }) => Action::GetBy(term),
                    Some(_) => {
                        let message =
                            "behind `GET@` stands an instance, or a condition on property variables";
                        context.report(Diagnostic::new(&codes::WRONG_TYPE, message, whom.span, ""));
                        Action::GetBy(Term::Constant(1))
                    }
                    None => Action::GetBy(Term::Constant(1)),
                }
            }
            ast::Action::Supply { is_myself, .. } => Action::Supply { is_myself: *is_myself },
        }
    }

    fn channel(&self, context: &mut Context<'_>, channel: &ast::Channel) -> Term<Atom> {
        let Some(name) = &channel.name else { return Term::Constant(crate::model::BROADCAST) };
        let scope = self.scope("the place of a channel");
        let Some(value) = scope.name(context, name, channel.span, false) else {
            return Term::Constant(1);
        };
        if value.ty != Type::Channel {
            let is = super::value::type_name(self.system, value.ty);
            let message = format!("`{name}` is no channel, but {is}");
            context.report(Diagnostic::new(&codes::NOT_A_CHANNEL, message, channel.span, "").help(
                "messages go on channels: those of `enum channel {…}`, variables of this type, and `*`",
            ));
        }
        value.term
    }

    /// What is sent.
    fn data(&self, context: &mut Context<'_>, all: &[Assignment]) -> Vec<(usize, Term<Atom>)> {
        let scope = self.scope("the data of a message");
        let target = |context: &mut Context<'_>, name: &Ident| match self.names.global(&name.text) {
            Some(Global::Message(id)) => Some((id, self.system.messages.get(id)?.ty)),
            _ => {
                let message = format!("there is no message variable `{}`", name.text);
                let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, name.span, "unknown");
                let known = self.system.messages.iter().map(|one| one.name.as_str());
                context.report(match nearest(&name.text, known) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("declare it: `message-structure: NAME : type`"),
                });
                None
            }
        };
        self.assignments(context, &scope, all, "sent", target)
    }

    /// What is assigned.
    fn update(
        &self,
        context: &mut Context<'_>,
        scope: &ModelScope<'_, '_>,
        all: &[Assignment],
    ) -> Vec<(usize, Term<Atom>)> {
        let locals = &self.system.agents[self.id].locals;
        let target = |context: &mut Context<'_>, name: &Ident| {
            let found = self.names.agents[self.id].locals.get(name.text.as_str());
            if let Some(local) = found {
                return Some((*local, locals.get(*local)?.ty));
            }
            let agent = &self.system.agents[self.id].name;
            let message = format!("`{agent}` has no local variable `{}`", name.text);
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, name.span, "unknown");
            let near = nearest(&name.text, locals.iter().map(|one| one.name.as_str()));
            context.report(match (near, self.names.global(&name.text)) {
                (_, Some(global)) => {
                    diagnostic.help(format!("`{}` is {}; only locals are assigned", name.text, global.what()))
                }
                (Some(near), None) => diagnostic.help(format!("did you mean `{near}`?")),
                (None, None) => diagnostic.help(format!("declare it: `local: {} : type`", name.text)),
            });
            None
        };
        self.assignments(context, scope, all, "assigned", target)
    }

    fn assignments(
        &self,
        context: &mut Context<'_>,
        scope: &ModelScope<'_, '_>,
        all: &[Assignment],
        verb: &str,
        target: impl Fn(&mut Context<'_>, &Ident) -> Option<(usize, Type)>,
    ) -> Vec<(usize, Term<Atom>)> {
        let mut made: Vec<(usize, Term<Atom>)> = Vec::new();
        let mut places: Vec<Span> = Vec::new();
        for Assignment { name, value } in all {
            let Some((id, ty)) = target(context, name) else { continue };
            let first = made.iter().zip(&places).find(|((other, _), _)| *other == id);
            if let Some((_, first)) = first {
                let diagnostic = assigned_twice(name, verb, *first);
                context.report(diagnostic);
                continue;
            }
            let value = self.of(context, scope, value, ty);
            made.push((id, value));
            places.push(name.span);
        }
        made
    }
}

fn assigned_twice(name: &Ident, verb: &str, first: Span) -> Diagnostic {
    let message = format!("`{}` is {verb} twice", name.text);
    Diagnostic::new(&codes::ASSIGNED_TWICE, message, name.span, "again")
        .label(first, "here it is first")
        .help("all happens at once, so there is one value for each")
}

/// Adds the instances.
pub(super) fn instances(context: &mut Context<'_>, names: &Names<'_>, system: &mut System) {
    for tree in &names.instances {
        let Some(agent) = names.agent(context, &tree.agent) else { continue };
        system.instances.push(Instance {
            name: tree.name.text.clone(),
            agent,
            init: Term::Constant(1),
            bounds: Vec::new(),
        });
    }
    if !context.is_sound() || system.instances.len() != names.instances.len() {
        return;
    }
    let mut inits = Vec::new();
    for (tree, instance) in names.instances.iter().zip(system.instances.iter()) {
        let maker = AgentMaker { names, system, id: instance.agent };
        let scope = maker.scope("the condition of an instance");
        inits.push(maker.condition(context, &scope, &tree.init));
    }
    for (instance, init) in system.instances.iter_mut().zip(inits) {
        instance.init = init;
    }
}

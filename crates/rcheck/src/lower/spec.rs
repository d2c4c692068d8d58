//! Properties: temporal operators, quantifiers over instances expanded, conditions on states.

use std::collections::BTreeMap;

use super::names::{Global, Names};
use super::scope::{constant, spelling};
use super::value::{Maker, Scope, Value, type_name};
use super::{Context, MAX_NODES, misplaced, observation};
use crate::ast::{self, Expr, ExprKind, File, ItemKind, Level, Operator, Temporal, Word};
use crate::model::{AgentId, Formula, InstanceId, Observation, Spec, StateAtom, System, Term, Type};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// What a variable of a quantifier stands for. Where there is no instance of a kind, what is claimed of such
/// is looked at all the same, of one that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) agent: AgentId,
    pub(super) instance: InstanceId,
}

/// What variables of quantifiers stand for, the innermost last.
pub(super) type Bound = Vec<(String, Span, Who)>;

/// Adds the properties.
pub(super) fn specs(context: &mut Context<'_>, file: &File, names: &Names<'_>, system: &mut System) {
    let mut specs = Vec::new();
    for item in &file.items {
        let ItemKind::Spec(expr) = &item.kind else { continue };
        let mut maker =
            SpecMaker { names, system, bound: Vec::new(), observations: Vec::new(), fields: BTreeMap::new() };
        let formula = maker.formula(context, expr);
        let text = context.text.get(expr.span.start..expr.span.end).unwrap_or("").to_owned();
        let observations = maker.observations;
        specs.extend(formula.map(|formula| Spec { text, span: expr.span, formula, observations }));
    }
    system.specs = specs;
}

/// Makes one property.
struct SpecMaker<'a, 'f> {
    names: &'a Names<'f>,
    system: &'a System,
    bound: Bound,
    observations: Vec<Observation>,
    /// Types of what is qualified by the variable of a quantifier: they are the same for all instances.
    fields: BTreeMap<(Span, String), (Type, AgentId)>,
}

impl SpecMaker<'_, '_> {
    /// The recursion is bounded by the height of trees.
    fn formula(&mut self, context: &mut Context<'_>, expr: &Expr) -> Option<Formula> {
        context.nodes += 1;
        if context.nodes > MAX_NODES {
            let message = "too large once quantifiers are expanded";
            if !context.diagnostics.iter().any(|one| one.code == &codes::TOO_LARGE) {
                let help = format!("there may be {MAX_NODES} nodes");
                context.report(Diagnostic::new(&codes::TOO_LARGE, message, expr.span, "").help(help));
            }
            return None;
        }
        match &expr.kind {
            ExprKind::Parenthesised(inner) => self.formula(context, inner),
            ExprKind::Not(inner) => Some(not(self.formula(context, inner)?)),
            ExprKind::Temporal(operator, inner) => {
                let inner = Box::new(self.formula(context, inner)?);
                Some(match operator {
                    Temporal::Next => Formula::Next(inner),
                    Temporal::Finally => Formula::Finally(inner),
                    Temporal::Globally => Formula::Globally(inner),
                })
            }
            ExprKind::Observed { is_diamond, observation, body } => {
                let made = observation::make(context, self.names, self.system, &self.bound, observation);
                let body = self.formula(context, body);
                let (made, body) = (made?, body?);
                let known = self.observations.iter().position(|one| *one == made);
                let observation = known.unwrap_or_else(|| {
                    self.observations.push(made);
                    self.observations.len() - 1
                });
                Some(Formula::Observed { is_diamond: *is_diamond, observation, body: Box::new(body) })
            }
            ExprKind::Quantified { is_universal, variable, kinds, body } => {
                self.quantified(context, *is_universal, variable, kinds, body)
            }
            ExprKind::Chain(first, rest) if rest.iter().all(|(one, _)| one.level() < Level::Comparison) => {
                self.chain(context, first, rest)
            }
            _ => self.state(context, expr),
        }
    }

    fn state(&self, context: &mut Context<'_>, expr: &Expr) -> Option<Formula> {
        let scope = StateScope { names: self.names, system: self.system, maker: self };
        let maker = Maker { names: self.names, system: self.system, scope: &scope };
        let value = maker.condition(context, expr)?;
        Some(Formula::State(value))
    }

    fn chain(
        &mut self,
        context: &mut Context<'_>,
        first: &Expr,
        rest: &[(Operator, Expr)],
    ) -> Option<Formula> {
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        let made: Vec<Option<Formula>> = operands.map(|operand| self.formula(context, operand)).collect();
        let made: Option<Vec<Formula>> = made.into_iter().collect();
        let mut made = made?.into_iter();
        let level = rest.first().map_or(Level::And, |(operator, _)| operator.level());
        Some(match level {
            Level::And => all(made.collect()),
            Level::Or => any(made.collect()),
            Level::Implies => {
                let last = made.next_back()?;
                made.rfold(last, |right, left| any(vec![not(left), right]))
            }
            level => {
                let first = made.next()?;
                rest.iter().zip(made).fold(first, |left, ((operator, _), right)| match (level, operator) {
                    (Level::Until, Operator::Until) => Formula::Until(Box::new(left), Box::new(right)),
                    (Level::Until, Operator::Release) => Formula::Release(Box::new(left), Box::new(right)),
                    (Level::Until, _) => Formula::WeakUntil(Box::new(left), Box::new(right)),
                    _ => iff(left, right),
                })
            }
        })
    }

    fn quantified(
        &mut self,
        context: &mut Context<'_>,
        is_universal: bool,
        variable: &Ident,
        kinds: &[Ident],
        body: &Expr,
    ) -> Option<Formula> {
        let all_agents =
            kinds.iter().any(|kind| kind.text == "Agent" && self.names.global("Agent").is_none());
        let mut agents: Vec<AgentId> = Vec::new();
        for kind in kinds {
            match all_agents && kind.text == "Agent" {
                true => agents.extend(self.system.agents.indices()),
                false => agents.push(self.names.agent(context, kind)?),
            }
        }
        let mut made = Vec::new();
        let mut is_sound = true;
        for (instance, one) in self.system.instances.enumerate() {
            if agents.contains(&one.agent) {
                let who = Who { agent: one.agent, instance };
                match self.with(context, variable, who, body) {
                    Some(formula) => made.push(formula),
                    None => is_sound = false,
                }
            }
            if context.nodes > MAX_NODES {
                return None;
            }
        }
        if !all_agents {
            for agent in agents {
                if !self.system.instances.iter().any(|instance| instance.agent == agent) {
                    let who = Who { agent, instance: InstanceId::new(0) };
                    is_sound &= self.with(context, variable, who, body).is_some();
                }
            }
        }
        let formula = if is_universal { all(made) } else { any(made) };
        is_sound.then_some(formula)
    }

    fn with(
        &mut self,
        context: &mut Context<'_>,
        variable: &Ident,
        who: Who,
        body: &Expr,
    ) -> Option<Formula> {
        self.bound.push((variable.text.clone(), variable.span, who));
        self.note_fields(context, body);
        let formula = self.formula(context, body);
        self.bound.pop();
        formula
    }

    /// Checks that what the innermost variable qualifies has one type for all its instances.
    fn note_fields(&mut self, context: &mut Context<'_>, body: &Expr) {
        if let ExprKind::Qualified(of, field) = &body.kind
            && let Some((variable, place, who)) = self.bound.last()
            && *variable == of.text
            && let Some(ty) = field_type(self.names, self.system, who.agent, &field.text)
        {
            let (known, first) = *self.fields.entry((*place, field.text.clone())).or_insert((ty, who.agent));
            if !known.fits(ty) {
                let [one, other] = [(known, first), (ty, who.agent)].map(|(ty, agent)| {
                    format!("{} of `{}`", type_name(self.system, ty), self.system.agents[agent].name)
                });
                let message = format!("`{}` is {one}, and {other}", field.text);
                context.report(Diagnostic::new(&codes::WRONG_TYPE, message, field.span, ""));
            }
        }
        body.children(&mut |child| self.note_fields(context, child));
    }
}

fn not(formula: Formula) -> Formula {
    match formula {
        Formula::State(term) => Formula::State(Term::Not(Box::new(term))),
        other => Formula::Not(Box::new(other)),
    }
}

/// Conjunction; of conditions on states alone, one such condition.
fn all(made: Vec<Formula>) -> Formula {
    match states(&made) {
        Some(terms) => Formula::State(Term::All(terms)),
        None => Formula::All(made),
    }
}

fn any(made: Vec<Formula>) -> Formula {
    match states(&made) {
        Some(terms) => Formula::State(Term::Any(terms)),
        None => Formula::Any(made),
    }
}

fn iff(left: Formula, right: Formula) -> Formula {
    match (left, right) {
        (Formula::State(left), Formula::State(right)) => {
            Formula::State(Term::Iff(Box::new(left), Box::new(right)))
        }
        (left, right) => Formula::Iff(Box::new(left), Box::new(right)),
    }
}

fn states(made: &[Formula]) -> Option<Vec<Term<StateAtom>>> {
    let terms = made.iter().map(|one| match one {
        Formula::State(term) => Some(term.clone()),
        _ => None,
    });
    terms.collect()
}

/// The type of a local variable or label of an agent.
fn field_type(names: &Names<'_>, system: &System, agent: AgentId, field: &str) -> Option<Type> {
    let named = &names.agents[agent];
    if let Some(local) = named.locals.get(field) {
        return system.agents[agent].locals.get(*local).map(|local| local.ty);
    }
    named.labels.contains_key(field).then_some(Type::Bool)
}

/// The instance that a name stands for: the variable of a quantifier, or its own.
pub(super) fn who(names: &Names<'_>, system: &System, bound: &Bound, name: &str) -> Option<Who> {
    if let Some((_, _, who)) = bound.iter().rev().find(|(variable, _, _)| variable == name) {
        return Some(*who);
    }
    match names.global(name) {
        Some(Global::Instance(instance)) => {
            Some(Who { agent: system.instances.get(instance)?.agent, instance })
        }
        _ => None,
    }
}

/// A constant of the model.
pub(super) fn constant_of<A>(global: Global) -> Option<Value<A>> {
    Some(match global {
        Global::Case(id, case) => constant(case, Type::Enum(id)),
        Global::Channel(channel) => constant(channel, Type::Channel),
        Global::Instance(id) => constant(id.index(), Type::Location),
        _ => return None,
    })
}

/// The meaning of names in conditions on states.
struct StateScope<'a, 'f> {
    names: &'a Names<'f>,
    system: &'a System,
    maker: &'a SpecMaker<'a, 'f>,
}

impl StateScope<'_, '_> {
    fn who(&self, context: &mut Context<'_>, of: &Ident) -> Option<Who> {
        let found = who(self.names, self.system, &self.maker.bound, &of.text);
        if found.is_none() {
            let message = format!("there is no instance `{}`", of.text);
            context.report(Diagnostic::new(&codes::UNKNOWN_NAME, message, of.span, "unknown"));
        }
        found
    }
}

impl Scope for StateScope<'_, '_> {
    type Atom = StateAtom;

    fn name(&self, context: &mut Context<'_>, name: &str, span: Span, _: bool) -> Option<Value<StateAtom>> {
        if let Some(Who { instance, .. }) = who(self.names, self.system, &self.maker.bound, name) {
            return Some(constant(instance.index(), Type::Location));
        }
        let global = self.names.global(name);
        if let Some(value) = global.and_then(constant_of) {
            return Some(value);
        }
        if name == "PROGRESS" && global.is_none() {
            return Some(Value::atom(StateAtom::Progress, Type::Bool));
        }
        context.report(no_value(self.names, name, global, span));
        None
    }

    fn property(&self, context: &mut Context<'_>, name: &str, span: Span) -> Option<Value<StateAtom>> {
        let message = format!("`@{name}` has no value in a state");
        context.report(
            Diagnostic::new(&codes::MISPLACED_NAME, message, span, "")
                .help(format!("observations speak of those addressed: `<<exists(@{name} = …)>> true`")),
        );
        None
    }

    fn word(&self, context: &mut Context<'_>, word: Word, span: Span) -> Option<Value<StateAtom>> {
        let word = spelling(word, self.system);
        let message = format!("`{word}` has no value in a state");
        context.report(
            Diagnostic::new(&codes::MISPLACED_NAME, message, span, "").help(
                "messages are observed: `<<sender = k & chan = c>> true` is a step with such a message",
            ),
        );
        None
    }

    fn qualified(&self, context: &mut Context<'_>, of: &Ident, field: &Ident) -> Option<Value<StateAtom>> {
        let Who { agent, instance } = self.who(context, of)?;
        let named = &self.names.agents[agent];
        let definition = &self.system.agents[agent];
        if let Some(local) = named.locals.get(field.text.as_str()) {
            let ty = definition.locals.get(*local)?.ty;
            return Some(Value::atom(StateAtom::Local(instance, *local), ty));
        }
        let is_labelled = |label: &Option<String>| label.as_deref() == Some(field.text.as_str());
        let command = definition.commands.iter().position(|command| is_labelled(&command.label));
        if let Some(command) = command {
            return Some(Value::atom(StateAtom::Label(instance, command), Type::Bool));
        }
        let locals = definition.locals.iter().map(|local| local.name.as_str());
        let known: Vec<&str> =
            locals.chain(definition.commands.iter().filter_map(|command| command.label.as_deref())).collect();
        let message = format!("`{}` has no variable or label `{}`", of.text, field.text);
        let kind = format!("it is a `{}`", definition.name);
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_FIELD, message, field.span, kind);
        context.report(diagnostic.help(match nearest(&field.text, known.iter().copied()) {
            Some(near) => format!("did you mean `{}-{near}`?", of.text),
            None if known.is_empty() => "it has none at all".to_owned(),
            None => format!("it has {}", listed(&known)),
        }));
        None
    }

    fn place(&self, context: &mut Context<'_>, of: &Ident) -> Option<Value<StateAtom>> {
        let Who { agent, instance } = self.who(context, of)?;
        let last = i64::try_from(self.system.agents[agent].locations).unwrap_or(i64::MAX) - 1;
        Some(Value::atom(StateAtom::Location(instance), Type::Range(0, last)))
    }

    fn other(&self, context: &mut Context<'_>, expr: &ast::Expr) {
        if let Some(what) = misplaced::what(&expr.kind) {
            let message = format!("{what} within a comparison or computation");
            context.report(
                Diagnostic::new(
                    &codes::MISPLACED_OPERATOR,
                    message,
                    expr.span,
                    "this is no value of a state",
                )
                .help("join properties by `&`, `|`, `->` and `<->`"),
            );
        }
    }
}

/// At most a few names.
fn listed(names: &[&str]) -> String {
    const MAX_SHOWN: usize = 6;
    let shown: Vec<String> = names.iter().take(MAX_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// A name that has no value in a property.
pub(super) fn no_value(names: &Names<'_>, name: &str, global: Option<Global>, span: Span) -> Diagnostic {
    if let Some(global) = global {
        let message = format!("`{name}`, {}, has no value in a state", global.what());
        let diagnostic = Diagnostic::new(&codes::MISPLACED_NAME, message, span, "");
        return match global {
            Global::Message(_) | Global::Property(_) => diagnostic
                .help(format!("messages are observed: `<<{name} = …>> true` is a step with such a message")),
            _ => diagnostic,
        };
    }
    let message = format!("there is no instance or constant `{name}`");
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, span, "unknown");
    let owner = names
        .agents
        .iter()
        .find(|agent| agent.locals.contains_key(name) || agent.labels.contains_key(name))
        .and_then(|agent| {
            names.instances.iter().find(|instance| instance.agent.text == agent.tree.name.text)
        });
    let mut known: Vec<&str> = names.globals.keys().copied().collect();
    known.sort_unstable();
    match (owner, nearest(name, known)) {
        (Some(owner), _) => diagnostic.help(format!("say of which instance: `{}-{name}`", owner.name.text)),
        (None, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
        (None, None) => diagnostic,
    }
}

//! What names mean in a part of the model.

use rustc_hash::FxHashSet;

use super::names::{Global, Names};
use super::value::{Scope, Value};
use super::{Context, misplaced};
use crate::ast::{Expr, Word};
use crate::model::{AgentId, Atom, System, Term, Type};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// What message variables mean in a part of the model.
#[derive(Clone, Copy)]
pub(super) enum Messages<'a> {
    None,
    All,
    /// Those that the command sends.
    Sent(&'a FxHashSet<usize>),
}

/// The meaning of names in a part of the model.
pub(super) struct ModelScope<'a, 'f> {
    pub(super) names: &'a Names<'f>,
    pub(super) system: &'a System,
    pub(super) agent: Option<AgentId>,
    pub(super) messages: Messages<'a>,
    pub(super) has_channel: bool,
    pub(super) has_properties: bool,
    /// How to speak of the part.
    pub(super) place: &'static str,
}

impl ModelScope<'_, '_> {
    fn misplaced(&self, context: &mut Context<'_>, what: &str, span: Span) {
        let message = format!("{what} has no value in {}", self.place);
        context.report(Diagnostic::new(&codes::MISPLACED_NAME, message, span, ""));
    }

    fn message(&self, context: &mut Context<'_>, id: usize, name: &str, span: Span) -> Option<Value<Atom>> {
        match self.messages {
            Messages::All => {}
            Messages::Sent(sent) if sent.contains(&id) => {}
            Messages::Sent(_) => {
                let message = format!("this command does not send `{name}`");
                context.report(
                    Diagnostic::new(&codes::NOT_SENT, message, span, "")
                        .help(format!("add `{name} := …` to its data")),
                );
                return None;
            }
            Messages::None => {
                self.misplaced(context, &format!("the message variable `{name}`"), span);
                return None;
            }
        }
        Some(Value::atom(Atom::Message(id), self.system.messages.get(id)?.ty))
    }

    fn unknown(&self, context: &mut Context<'_>, name: &str, span: Span) {
        let message = format!("there is no variable, constant or instance `{name}`");
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, span, "unknown");
        let locals = self.agent.map(|agent| &self.system.agents[agent].locals);
        let locals = locals.into_iter().flatten().map(|local| local.name.as_str());
        let mut known: Vec<&str> = self.names.globals.keys().copied().chain(locals).collect();
        known.sort_unstable();
        let owner = self.names.agents.iter().find(|agent| agent.locals.contains_key(name));
        context.report(match (nearest(name, known), owner) {
            (_, Some(owner)) => diagnostic.help(format!(
                "`{name}` is a local variable of `{}`; others learn it by messages and property variables",
                owner.tree.name.text
            )),
            (Some(near), None) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, None) => diagnostic,
        });
    }
}

impl Scope for ModelScope<'_, '_> {
    type Atom = Atom;

    fn name(
        &self,
        context: &mut Context<'_>,
        name: &str,
        span: Span,
        is_inlined: bool,
    ) -> Option<Value<Atom>> {
        let local = self.agent.filter(|_| !is_inlined);
        let local = local.and_then(|agent| Some((agent, *self.names.agents[agent].locals.get(name)?)));
        if let Some((agent, local)) = local {
            return Some(Value::atom(Atom::Local(local), self.system.agents[agent].locals.get(local)?.ty));
        }
        match self.names.global(name) {
            Some(Global::Message(id)) => self.message(context, id, name, span),
            Some(Global::Property(_)) => self.property(context, name, span),
            Some(Global::Case(id, case)) => Some(constant(case, Type::Enum(id))),
            Some(Global::Channel(channel)) => Some(constant(channel, Type::Channel)),
            Some(Global::Instance(id)) => Some(constant(id.index(), Type::Location)),
            Some(other) => {
                self.misplaced(context, &format!("`{name}`, {},", other.what()), span);
                None
            }
            None => {
                self.unknown(context, name, span);
                None
            }
        }
    }

    fn property(&self, context: &mut Context<'_>, name: &str, span: Span) -> Option<Value<Atom>> {
        let Some(Global::Property(id)) = self.names.global(name) else {
            let message = format!("there is no property variable `{name}`");
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, span, "unknown");
            let known = self.system.properties.iter().map(|one| one.name.as_str());
            context.report(match nearest(name, known) {
                Some(near) => diagnostic.help(format!("did you mean `@{near}`?")),
                None => diagnostic,
            });
            return None;
        };
        if !self.has_properties {
            self.misplaced(context, &format!("the property variable `{name}`"), span);
            return None;
        }
        Some(Value::atom(Atom::Property(id), self.system.properties.get(id)?.ty))
    }

    fn word(&self, context: &mut Context<'_>, word: Word, span: Span) -> Option<Value<Atom>> {
        match word {
            Word::Chan if self.has_channel => Some(Value::atom(Atom::Channel, Type::Channel)),
            Word::Myself if self.agent.is_some() => Some(Value::atom(Atom::Myself, Type::Location)),
            _ => {
                let spelling = spelling(word, self.system);
                self.misplaced(context, &format!("`{spelling}`"), span);
                None
            }
        }
    }

    // These are read in properties and observations alone.
    fn qualified(&self, _: &mut Context<'_>, _: &Ident, _: &Ident) -> Option<Value<Atom>> {
        None
    }

    fn place(&self, _: &mut Context<'_>, _: &Ident) -> Option<Value<Atom>> {
        None
    }

    fn other(&self, _: &mut Context<'_>, expr: &Expr) {
        debug_assert!(misplaced::what(&expr.kind).is_some(), "it has been reported");
    }
}

/// How a word is written.
pub(super) fn spelling(word: Word, system: &System) -> &'static str {
    match word {
        Word::Chan if system.syntax == crate::vocabulary::Syntax::Article => "channel",
        Word::Chan => "chan",
        Word::Star => "*",
        Word::Myself => "myself",
        Word::Sender => "sender",
        Word::Getter => "getter",
    }
}

pub(super) fn constant<A>(position: usize, ty: Type) -> Value<A> {
    Value::new(Term::Constant(i64::try_from(position).unwrap_or(i64::MAX)), ty)
}

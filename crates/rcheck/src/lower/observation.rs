//! Observations: conditions on messages.

use super::Context;
use super::names::{Global, Names};
use super::scope::constant;
use super::spec::{Bound, Who, constant_of, no_value, who};
use super::value::{Maker, Scope, Value};
use crate::ast::{Expr, ExprKind, Level, Operator, Word};
use crate::model::{Action, Atom, MessageAtom, Observation, System, Type};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The observation that is written so.
pub(super) fn make(
    context: &mut Context<'_>,
    names: &Names<'_>,
    system: &System,
    bound: &Bound,
    expr: &Expr,
) -> Option<Observation> {
    ObservationMaker { names, system, bound }.observation(context, expr, false)
}

struct ObservationMaker<'a, 'f> {
    names: &'a Names<'f>,
    system: &'a System,
    bound: &'a Bound,
}

impl ObservationMaker<'_, '_> {
    /// The recursion is bounded by the height of trees.
    fn observation(&self, context: &mut Context<'_>, expr: &Expr, is_inside: bool) -> Option<Observation> {
        context.nodes += 1;
        match &expr.kind {
            ExprKind::Truth(truth) => Some(Observation::Truth(*truth)),
            ExprKind::Parenthesised(inner) => self.observation(context, inner, is_inside),
            ExprKind::Not(inner) => {
                Some(Observation::Not(Box::new(self.observation(context, inner, is_inside)?)))
            }
            ExprKind::Addressed { is_universal, body } => {
                let body = self.observation(context, body, true)?;
                if is_inside {
                    return Some(body);
                }
                self.check_properties(context, &body, expr.span)?;
                Some(Observation::Addressed { is_universal: *is_universal, body: Box::new(body) })
            }
            ExprKind::Chain(first, rest)
                if rest.iter().all(|(one, _)| one.level() < Level::Comparison && !one.is_temporal()) =>
            {
                self.chain(context, first, rest, is_inside)
            }
            _ => self.atom(context, expr, is_inside),
        }
    }

    fn chain(
        &self,
        context: &mut Context<'_>,
        first: &Expr,
        rest: &[(Operator, Expr)],
        is_inside: bool,
    ) -> Option<Observation> {
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        let made: Vec<Option<Observation>> =
            operands.map(|operand| self.observation(context, operand, is_inside)).collect();
        let made: Option<Vec<Observation>> = made.into_iter().collect();
        let mut made = made?.into_iter();
        Some(match rest.first().map_or(Level::And, |(operator, _)| operator.level()) {
            Level::And => Observation::All(made.collect()),
            Level::Or => Observation::Any(made.collect()),
            Level::Implies => {
                let last = made.next_back()?;
                made.rfold(last, |right, left| {
                    Observation::Any(vec![Observation::Not(Box::new(left)), right])
                })
            }
            _ => {
                let first = made.next()?;
                made.fold(first, |left, right| Observation::Iff(Box::new(left), Box::new(right)))
            }
        })
    }

    fn atom(&self, context: &mut Context<'_>, expr: &Expr, is_inside: bool) -> Option<Observation> {
        let maker = Maker { names: self.names, system: self.system, scope: self };
        let term = maker.condition(context, expr)?;
        let mut has_properties = false;
        term.atoms(&mut |atom| has_properties |= matches!(atom, MessageAtom::Property(_)));
        let atom = Observation::Atom(term);
        if !has_properties || is_inside {
            return Some(atom);
        }
        self.check_properties(context, &atom, expr.span)?;
        Some(Observation::Addressed { is_universal: true, body: Box::new(atom) })
    }

    /// All values of the property variables are gone through that are mentioned here or in a send guard: they
    /// must be finitely many.
    fn check_properties(&self, context: &mut Context<'_>, body: &Observation, span: Span) -> Option<()> {
        let mut mentioned = Vec::new();
        body.atoms(&mut |atom| {
            if let MessageAtom::Property(id) = atom {
                mentioned.push(id);
            }
        });
        for command in self.system.agents.iter().flat_map(|agent| &agent.commands) {
            if let Action::Send { to, .. } = &command.action {
                to.atoms(&mut |atom| {
                    if let Atom::Property(id) = atom {
                        mentioned.push(id);
                    }
                });
            }
        }
        let infinite = mentioned.iter().filter_map(|id| self.system.properties.get(*id));
        let Some(infinite) = infinite.into_iter().find(|one| one.ty == Type::Int) else { return Some(()) };
        let message = format!("`{}` has infinitely many values", infinite.name);
        context.report(
            Diagnostic::new(&codes::INT_PROPERTY, message, span, "this speaks of all of them")
                .help(format!("declare a range: `property-variables: {} : 0..10`", infinite.name)),
        );
        None
    }
}

impl Scope for ObservationMaker<'_, '_> {
    type Atom = MessageAtom;

    fn name(&self, context: &mut Context<'_>, name: &str, span: Span, _: bool) -> Option<Value<MessageAtom>> {
        if let Some(Who { instance, .. }) = who(self.names, self.system, self.bound, name) {
            return Some(constant(instance.index(), Type::Location));
        }
        let global = self.names.global(name);
        if let Some(value) = global.and_then(constant_of) {
            return Some(value);
        }
        let atom = match (global, name) {
            (Some(Global::Message(id)), _) => {
                return Some(Value::atom(MessageAtom::Message(id), self.system.messages.get(id)?.ty));
            }
            (Some(Global::Property(_)), _) => return self.property(context, name, span),
            (None, "supplier") => MessageAtom::Supplier,
            (None, "producer") => MessageAtom::Producer,
            (None, "initiator") => MessageAtom::Initiator,
            (None, "p2p") => return Some(Value::atom(MessageAtom::PointToPoint, Type::Bool)),
            _ => {
                context.report(match global {
                    Some(other) => {
                        let message = format!("`{name}`, {}, has no value in an observation", other.what());
                        Diagnostic::new(&codes::MISPLACED_NAME, message, span, "")
                    }
                    None => no_value(self.names, name, None, span),
                });
                return None;
            }
        };
        Some(Value::atom(atom, Type::Location))
    }

    fn property(&self, context: &mut Context<'_>, name: &str, span: Span) -> Option<Value<MessageAtom>> {
        if let Some(Global::Property(id)) = self.names.global(name) {
            return Some(Value::atom(MessageAtom::Property(id), self.system.properties.get(id)?.ty));
        }
        let message = format!("there is no property variable `{name}`");
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_NAME, message, span, "unknown");
        let near = nearest(name, self.system.properties.iter().map(|one| one.name.as_str()));
        context.report(match near {
            Some(near) => diagnostic.help(format!("did you mean `@{near}`?")),
            None => diagnostic,
        });
        None
    }

    fn word(&self, context: &mut Context<'_>, word: Word, span: Span) -> Option<Value<MessageAtom>> {
        Some(match word {
            Word::Chan => Value::atom(MessageAtom::Channel, Type::Channel),
            Word::Sender => Value::atom(MessageAtom::Sender, Type::Location),
            Word::Getter => Value::atom(MessageAtom::Getter, Type::Location),
            Word::Star | Word::Myself => {
                let message = "`myself` has no value in an observation";
                context.report(Diagnostic::new(&codes::MISPLACED_NAME, message, span, ""));
                return None;
            }
        })
    }

    fn qualified(&self, context: &mut Context<'_>, of: &Ident, field: &Ident) -> Option<Value<MessageAtom>> {
        if of.text != "supplier" {
            return self.place(context, of);
        }
        let Value { ty, .. } = self.property(context, &field.text, of.span.to(field.span))?;
        let Some(Global::Property(id)) = self.names.global(&field.text) else { return None };
        Some(Value::atom(MessageAtom::SupplierProperty(id), ty))
    }

    fn place(&self, context: &mut Context<'_>, of: &Ident) -> Option<Value<MessageAtom>> {
        let message = "an observation speaks of a message, not of a state";
        context.report(Diagnostic::new(&codes::MISPLACED_NAME, message, of.span, "").help(format!(
            "say it beside: `{0}-x & <<O>> φ` of the state before the step, `<<O>> ({0}-x & φ)` of that \
                 behind it",
            of.text
        )));
        None
    }

    fn other(&self, context: &mut Context<'_>, expr: &Expr) {
        if let Some(what) = super::misplaced::what(&expr.kind) {
            let message = format!("{what} in an observation");
            context.report(
                Diagnostic::new(&codes::MISPLACED_OPERATOR, message, expr.span, "")
                    .help("an observation speaks of one message; put this behind it: `<<O>> φ`"),
            );
        }
    }
}

impl Observation {
    /// Calls `visit` on every atom.
    pub fn atoms(&self, visit: &mut impl FnMut(MessageAtom)) {
        match self {
            Observation::Truth(_) => {}
            Observation::Not(inner) | Observation::Addressed { body: inner, .. } => inner.atoms(visit),
            Observation::All(all) | Observation::Any(all) => all.iter().for_each(|one| one.atoms(visit)),
            Observation::Iff(left, right) => {
                left.atoms(visit);
                right.atoms(visit);
            }
            Observation::Atom(term) => term.atoms(visit),
        }
    }
}

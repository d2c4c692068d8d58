//! Expressions: names become places, and what can't stand in a place is reported.
//!
//! Where an expression stands ([`Setting`]) decides which names it sees, whose they are, and what may stand in it.

use std::collections::BTreeSet;

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

use super::constant::parameter;
use super::names::unknown;
use crate::ast::{self, ExprKind, Quantifier, Reference};
use crate::model::{Expr, KindId, NameId, StigmergyId, System, Who};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// In a process of a kind.
    Process(KindId),
    /// In the link of a stigmergy.
    Link(StigmergyId),
    /// Behind `where`: in a process of the first kind, about a candidate of the second, or of any.
    Where(KindId, Option<KindId>),
    /// In a property or an assumption.
    Formula,
}

/// A local of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// A number.
    Number(usize),
    /// Agents that were picked: the first local, and how many.
    Picked(usize, usize),
}

/// Makes expressions.
pub(super) struct Resolver<'a> {
    pub(super) system: &'a System,
    pub(super) setting: Setting,
    /// The locals that are set, by name.
    pub(super) locals: Vec<(String, Local)>,
    /// The names of all locals of the block, also of those that are set later.
    pub(super) later: Vec<String>,
    /// The variables of the kind's own stigmergies that occurred.
    pub(super) reads: BTreeSet<NameId>,
    /// Names bound by quantifiers, innermost last.
    bound: Vec<(String, KindId)>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

/// The link of a stigmergy.
pub(super) fn link(
    system: &System,
    stigmergy: StigmergyId,
    link: &ast::Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Expr {
    Resolver::new(system, Setting::Link(stigmergy), diagnostics).expr(link)
}

impl<'a> Resolver<'a> {
    pub(super) fn new(system: &'a System, setting: Setting, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Resolver {
            system,
            setting,
            locals: Vec::new(),
            later: Vec::new(),
            reads: BTreeSet::new(),
            bound: Vec::new(),
            diagnostics,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Expr {
        self.diagnostics.push(diagnostic);
        Expr::Number(0)
    }

    fn is_process(&self) -> bool {
        matches!(self.setting, Setting::Process(_))
    }

    fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn pair(&mut self, left: &ast::Expr, right: &ast::Expr) -> Box<[Expr; 2]> {
        Box::new([self.expr(left), self.expr(right)])
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Number(number) => Expr::Number(*number),
            ExprKind::Truth(truth) => Expr::Number(i64::from(*truth)),
            ExprKind::Extern(name) => match parameter(name, expr, &self.system.parameters) {
                Ok(value) => Expr::Number(value),
                Err(diagnostic) => self.report(*diagnostic),
            },
            ExprKind::Id(who) => self.id(who.as_deref(), expr.span),
            ExprKind::Reference(reference) => self.reference(reference, expr.span),
            // The smallest number has no counterpart with the other sign: `-32768` is one literal.
            ExprKind::Negative(inner) => match self.expr(inner) {
                Expr::Number(number) if number != i64::MIN => Expr::Number(-number),
                inner => Expr::Negative(Box::new(inner)),
            },
            ExprKind::Not(inner) => Expr::Not(Box::new(self.expr(inner))),
            ExprKind::Binary(operator, left, right) => Expr::Binary(*operator, self.pair(left, right)),
            ExprKind::AnyOf(low, high) => {
                if !self.is_process() {
                    return self.misplaced(expr.span, "a choice of a value", "only processes choose");
                }
                Expr::AnyOf(self.pair(low, high))
            }
            ExprKind::Absolute(inner) => Expr::Absolute(Box::new(self.expr(inner))),
            ExprKind::Extreme { is_max, operands } => {
                let [left, right] = operands.as_ref();
                let pair = self.pair(left, right);
                if *is_max { Expr::Greatest(pair) } else { Expr::Least(pair) }
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                Expr::If(Box::new([self.expr(condition), self.expr(then), self.expr(otherwise)]))
            }
            ExprKind::Foreign(name, operands) => Expr::Foreign(name.clone(), self.exprs(operands)),
            ExprKind::Quantified(quantifiers, body) => self.quantified(quantifiers, body),
            ExprKind::Count { kind, variable, condition } => {
                let Some(kind) = self.kind(kind) else { return Expr::Number(0) };
                let bound = self.bind(variable, kind);
                let body = Box::new(self.expr(condition));
                self.bound.pop();
                Expr::Count { kind, bound, body }
            }
            ExprKind::Parenthesised(inner) => self.expr(inner),
        }
    }

    fn misplaced(&mut self, span: Span, what: &str, help: &str) -> Expr {
        let message = format!("{what} can't stand here");
        self.report(Diagnostic::new(&codes::MISPLACED, message, span, "").help(help))
    }

    fn quantified(&mut self, quantifiers: &[Quantifier], body: &ast::Expr) -> Expr {
        let Some((first, rest)) = quantifiers.split_first() else { return self.expr(body) };
        let Some(kind) = self.kind(&first.kind) else { return Expr::Number(0) };
        let bound = self.bind(&first.variable, kind);
        let body = Box::new(self.quantified(rest, body));
        self.bound.pop();
        Expr::Quantified { is_universal: first.is_universal, kind, bound, body }
    }

    fn bind(&mut self, variable: &Ident, kind: KindId) -> usize {
        self.bound.push((variable.text.clone(), kind));
        self.bound.len() - 1
    }

    /// A kind; that it has no agents is worth a warning.
    pub(super) fn kind(&mut self, name: &Ident) -> Option<KindId> {
        let Some((id, kind)) = self.system.kinds.enumerate().find(|(_, kind)| kind.name == name.text) else {
            let known = self.system.kinds.iter().map(|kind| kind.name.as_str());
            self.diagnostics.push(unknown(&codes::UNKNOWN_KIND, "kind", name, known));
            return None;
        };
        if kind.agents.is_empty() {
            let message = format!("there are no agents of kind `{}`", name.text);
            self.diagnostics.push(
                Diagnostic::new(&codes::EMPTY_KIND, message, name.span, "")
                    .help("what is for all of them is true, what is for some of them is false"),
            );
        }
        Some(id)
    }

    fn bound(&self, name: &str) -> Option<usize> {
        self.bound.iter().rposition(|(bound, _)| bound == name)
    }

    fn id(&mut self, who: Option<&ast::Who>, span: Span) -> Expr {
        match (who, self.setting) {
            (Some(who), Setting::Process(_)) if !matches!(who, ast::Who::Party { .. }) => {
                // The number of an agent of that number is the number; the agent must be there.
                Expr::Id(self.who(who, span))
            }
            (Some(who), _) => Expr::Id(self.who(who, span)),
            (None, Setting::Process(_)) => Expr::Id(Who::First),
            (None, setting) => {
                let help = match setting {
                    Setting::Formula => "write `id of x`, where x is bound by a quantifier",
                    _ => "write `id of 1` or `id of 2`",
                };
                self.report(
                    Diagnostic::new(&codes::MISSING_OF, "whose `id` is not written", span, "").help(help),
                )
            }
        }
    }

    /// Whom `of` speaks of.
    fn who(&mut self, who: &ast::Who, span: Span) -> Who {
        match who {
            ast::Who::Party { is_second: false, .. } => Who::First,
            ast::Who::Party { is_second: true, .. } => Who::Second,
            ast::Who::Name(name) => match self.bound(&name.text) {
                Some(bound) => Who::Bound(bound),
                None => {
                    let known: Vec<String> = self.bound.iter().map(|(name, _)| name.clone()).collect();
                    let known = known.iter().map(String::as_str);
                    self.diagnostics.push(unknown(&codes::UNKNOWN_AGENT, "agent", name, known));
                    Who::First
                }
            },
            ast::Who::Agent(expr) => {
                if self.is_process() && matches!(expr.kind, ExprKind::Binary(..)) {
                    let message = "`of` takes everything to its right";
                    self.diagnostics.push(
                        Diagnostic::new(
                            &codes::WIDE_OF,
                            message,
                            span,
                            "all of this is the number of an agent",
                        )
                        .help("put parentheses around the variable and its agent: `(x of p[0]) + 1`"),
                    );
                }
                match self.expr(expr) {
                    Expr::Id(who @ (Who::Bound(_) | Who::First | Who::Second)) => who,
                    number => Who::Agent(Box::new(number)),
                }
            }
        }
    }

    fn reference(&mut self, reference: &Reference, span: Span) -> Expr {
        let Reference { name, indices, of } = reference;
        if let Some(who) = of {
            let who = self.who(who, span);
            return self.variable_of(who, name, indices, span);
        }
        if let Some((_, local)) = self.locals.iter().rev().find(|(known, _)| *known == name.text) {
            let local = local.clone();
            return self.local(&local, name, indices);
        }
        if let Some(bound) = self.bound(&name.text) {
            return Expr::Id(Who::Bound(bound));
        }
        if let Some(at) = self.system.environment.iter().position(|one| one.name == name.text) {
            let wanted = self.system.environment[at].extents.len();
            self.check_indices(name, indices, wanted);
            return Expr::Environment(at, self.exprs(indices));
        }
        match self.setting {
            Setting::Process(kind) => match self.own(kind, name) {
                Some((id, extents)) => {
                    self.check_indices(name, indices, extents);
                    Expr::Of(Who::First, id, self.exprs(indices))
                }
                None => Expr::Number(0),
            },
            _ => self.without_of(name),
        }
    }

    fn local(&mut self, local: &Local, name: &Ident, indices: &[ast::Expr]) -> Expr {
        match (local, indices) {
            (Local::Number(at), []) => Expr::Local(*at),
            (Local::Picked(first, count), [index]) => {
                Expr::Picked(*first, *count, Box::new(self.expr(index)))
            }
            (Local::Number(_), _) => {
                self.check_indices(name, indices, 0);
                Expr::Number(0)
            }
            (Local::Picked(..), _) => {
                self.check_indices(name, indices, 1);
                Expr::Number(0)
            }
        }
    }

    /// A variable of the kind itself: its name and how many indices it has.
    pub(super) fn own(&mut self, kind: KindId, name: &Ident) -> Option<(NameId, usize)> {
        let found = self.system.names.enumerate().find(|(_, one)| one.text == name.text);
        if let Some((id, known)) = found {
            if let Some(place) = &known.places[kind] {
                if place.tuple.is_some() {
                    self.reads.insert(id);
                }
                return Some((id, place.extents.len()));
            }
            let diagnostic = self.not_of_kind(kind, name);
            // A kind that does not list a stigmergy may use many of its variables: one slip, one message.
            let slip = |one: &Diagnostic| one.labels.first().map(|label| label.text.clone());
            let is_known =
                |one: &Diagnostic| one.code == &codes::UNLISTED_STIGMERGY && slip(one) == slip(&diagnostic);
            if !self.diagnostics.iter().any(is_known) {
                self.diagnostics.push(diagnostic);
            }
            return None;
        }
        self.diagnostics.push(self.unknown_variable(kind, name));
        None
    }

    /// The message about a variable that other kinds have.
    fn not_of_kind(&self, kind: KindId, name: &Ident) -> Diagnostic {
        let kind = &self.system.kinds[kind];
        let stigmergy = self
            .system
            .tuples
            .iter()
            .find(|tuple| tuple.variables.iter().any(|one| self.system.names[*one].text == name.text));
        let Some(tuple) = stigmergy else {
            let message = format!("`{}` is no variable of `{}`", name.text, kind.name);
            let has = |other: KindId| {
                self.system.names.iter().any(|one| one.text == name.text && one.places[other].is_some())
            };
            let owner = self.system.kinds.enumerate().find(|(id, _)| has(*id));
            let owner = owner.map_or("another kind", |(_, kind)| kind.name.as_str());
            return Diagnostic::new(&codes::UNKNOWN_VARIABLE, message, name.span, "")
                .help(format!("it is one of `{owner}`: write whose, as in `{} of p[0]`", name.text));
        };
        let stigmergy = &self.system.stigmergies[tuple.stigmergy].name;
        let help =
            format!("it is a variable of `{stigmergy}`: list that in the agent, `stigmergies = {stigmergy}`");
        let message = format!("`{}` has no copy of `{}`", kind.name, name.text);
        let slip = format!("`{}` does not list `{stigmergy}`", kind.name);
        Diagnostic::new(&codes::UNLISTED_STIGMERGY, message, name.span, slip).help(help)
    }

    fn unknown_variable(&self, kind: KindId, name: &Ident) -> Diagnostic {
        if self.later.contains(&name.text) {
            let message = format!("`{}` is read before it is set", name.text);
            return Diagnostic::new(&codes::UNSET_LOCAL, message, name.span, "")
                .help("a local has a value from the statement on that sets it to the end of the block");
        }
        let own = self.system.kinds[kind].variables.iter().map(|one| one.name.as_str());
        let environment = self.system.environment.iter().map(|one| one.name.as_str());
        let locals = self.locals.iter().map(|(name, _)| name.as_str());
        let bound = self.bound.iter().map(|(name, _)| name.as_str());
        let known: Vec<&str> = own.chain(environment).chain(locals).chain(bound).collect();
        unknown(&codes::UNKNOWN_VARIABLE, "variable", name, known.into_iter())
    }

    /// A variable of agents without the agent.
    fn without_of(&mut self, name: &Ident) -> Expr {
        let is_known = self.system.names.iter().any(|one| one.text == name.text);
        if is_known {
            let whose = match self.setting {
                Setting::Formula => self.bound.last().map_or("x", |(name, _)| name.as_str()).to_owned(),
                _ => "1".to_owned(),
            };
            let message = format!("whose `{}` is not written", name.text);
            return self.report(
                Diagnostic::new(&codes::MISSING_OF, message, name.span, "")
                    .help(format!("write `{} of {whose}`", name.text)),
            );
        }
        let environment = self.system.environment.iter().map(|one| one.name.as_str());
        let bound: Vec<String> = self.bound.iter().map(|(name, _)| name.clone()).collect();
        let known: Vec<&str> = environment.chain(bound.iter().map(String::as_str)).collect();
        let diagnostic = unknown(&codes::UNKNOWN_VARIABLE, "variable", name, known.into_iter());
        self.report(diagnostic)
    }

    /// `name of who`
    fn variable_of(&mut self, who: Who, name: &Ident, indices: &[ast::Expr], span: Span) -> Expr {
        let Some((id, known)) = self.system.names.enumerate().find(|(_, one)| one.text == name.text) else {
            if self.system.environment.iter().any(|one| one.name == name.text) {
                let message = format!("`{}` belongs to the environment, not to an agent", name.text);
                return self.report(
                    Diagnostic::new(&codes::UNKNOWN_VARIABLE, message, span, "")
                        .help(format!("write `{}` alone", name.text)),
                );
            }
            let all = self.system.names.iter().map(|one| one.text.as_str());
            let diagnostic = unknown(&codes::UNKNOWN_VARIABLE, "variable", name, all);
            return self.report(diagnostic);
        };
        if let Setting::Process(kind) | Setting::Where(kind, _) = self.setting
            && known.places[kind].as_ref().is_some_and(|place| place.tuple.is_some())
        {
            self.reads.insert(id);
        }
        let kinds = self.kinds_of(&who);
        let lacking = kinds.iter().find(|kind| known.places[**kind].is_none());
        if let Some(kind) = lacking.copied() {
            let kind = &self.system.kinds[kind].name;
            let message = format!("agents of kind `{kind}` have no `{}`", name.text);
            if !matches!(self.setting, Setting::Link(_)) {
                let help = "what `of` speaks of must have the variable";
                return self.report(Diagnostic::new(&codes::UNKNOWN_VARIABLE, message, span, "").help(help));
            }
            let lacking = Diagnostic::new(&codes::LACKING_LINK, message, span, "").help(
                "what is undefined is not true: as far as this matters, they neither hear nor are heard",
            );
            if !self.diagnostics.iter().any(|one| one.message == lacking.message) {
                self.diagnostics.push(lacking);
            }
        }
        let extents = kinds
            .iter()
            .filter_map(|kind| known.places[*kind].as_ref())
            .chain(known.places.iter().flatten())
            .next()
            .map_or(0, |place| place.extents.len());
        self.check_indices(name, indices, extents);
        Expr::Of(who, id, self.exprs(indices))
    }

    /// The kinds that an agent surely can be of; empty where that is known only in a run.
    fn kinds_of(&self, who: &Who) -> Vec<KindId> {
        match (who, self.setting) {
            (Who::Bound(bound), _) => self.bound.get(*bound).map(|(_, kind)| *kind).into_iter().collect(),
            (Who::First | Who::Second, Setting::Link(stigmergy)) => {
                let kinds = self.system.kinds.enumerate();
                let listing = kinds.filter(|(_, kind)| kind.stigmergies.contains(&stigmergy));
                listing.map(|(id, _)| id).collect()
            }
            (Who::First, Setting::Process(kind) | Setting::Where(kind, _)) => vec![kind],
            (Who::Second, Setting::Where(_, kind)) => kind.into_iter().collect(),
            (Who::Agent(number), _) => match number.as_ref() {
                Expr::Number(number) => {
                    let agent = usize::try_from(*number).ok().filter(|one| *one < self.system.agents.len());
                    agent.map(|agent| self.system.agents.as_slice()[agent]).into_iter().collect()
                }
                _ => Vec::new(),
            },
            (Who::First | Who::Second, _) => Vec::new(),
        }
    }

    /// Reports a wrong number of indices.
    pub(super) fn check_indices(&mut self, name: &Ident, indices: &[ast::Expr], wanted: usize) {
        if indices.len() == wanted {
            return;
        }
        let message = match wanted {
            0 => format!("`{}` is no array", name.text),
            1 => format!("`{}` is an array: it needs one index", name.text),
            _ => format!("`{}` is an array of {wanted} dimensions, with {} here", name.text, indices.len()),
        };
        let span = indices.last().map_or(name.span, |last| name.span.to(last.span));
        self.diagnostics.push(Diagnostic::new(&codes::BAD_EXTENT, message, span, ""));
    }
}

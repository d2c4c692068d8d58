//! Formulas over components: what names mean in them, and whether components and sets of components stand
//! where they should.
//!
//! A name is the innermost variable of that name, else a state (of every type that has it), else a component
//! type (all its states).

use rustc_hash::FxHashSet;

use super::component::Components;
use super::error::{MAX_FORMULA_DEPTH, too_large};
use super::names::{Report, with_help};
use super::resolve::find_type;
use crate::component::{StateId, TypeId};
use crate::error::wsks::{Builder, ComponentFormula, MAX_VARIABLES, Part, PartId, SetTerm, Variable};
use crate::syntax::ast::{Order, Wsks, WsksAtom, WsksFormula, WsksName, WsksQuantified, WsksRelation};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::{errors, warnings};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// Lowers a formula; `None` if it is broken (reported).
pub(super) fn lower_wsks(
    components: &Components<'_>,
    wsks: &Wsks,
    report: &mut Report,
) -> Option<ComponentFormula> {
    let mut lowerer =
        Lowerer { components, span: wsks.span, scope: Vec::new(), builder: Builder::default(), report };
    let whole = lowerer.formula(&wsks.formula, 1)?;
    let is_created = |component| components.created.contains(&component);
    Some(lowerer.builder.finish(whole, &components.types, is_created))
}

/// A variable in scope.
struct Bound<'w> {
    name: &'w Ident,
    order: Order,
    variable: Variable,
    is_used: bool,
}

/// What a name means.
enum Meaning {
    Component(Variable),
    Set(SetTerm),
}

struct Lowerer<'l, 'c, 'w> {
    components: &'l Components<'c>,
    span: Span,
    scope: Vec<Bound<'w>>,
    builder: Builder,
    report: &'l mut Report,
}

impl<'w> Lowerer<'_, '_, 'w> {
    /// Lowers a formula that stands at the depth given.
    fn formula(&mut self, formula: &'w WsksFormula, depth: usize) -> Option<PartId> {
        if depth > MAX_FORMULA_DEPTH {
            too_large(Some(self.span), self.report);
            return None;
        }
        let part = match formula {
            WsksFormula::Constant(value, _) => Part::Constant(*value),
            WsksFormula::Atom(atom) => return self.atom(atom),
            WsksFormula::Not(inner, _) => Part::Not(self.formula(inner, depth + 1)?),
            WsksFormula::And(parts) => Part::And(self.formulas(parts, depth + 1)?),
            WsksFormula::Or(parts) => Part::Or(self.formulas(parts, depth + 1)?),
            WsksFormula::Implies(left, right) => {
                let (left, right) = self.pair(left, right, depth + 1)?;
                Part::Implies(left, right)
            }
            WsksFormula::Iff(left, right) => {
                let (left, right) = self.pair(left, right, depth + 1)?;
                Part::Iff(left, right)
            }
            WsksFormula::Quantified(quantified) => return self.quantified(quantified, depth),
        };
        Some(self.builder.add(part))
    }

    /// Lowers all, so that everything wrong is found.
    fn formulas(&mut self, formulas: &'w [WsksFormula], depth: usize) -> Option<Vec<PartId>> {
        let parts: Vec<Option<PartId>> = formulas.iter().map(|part| self.formula(part, depth)).collect();
        parts.into_iter().collect()
    }

    fn pair(
        &mut self,
        left: &'w WsksFormula,
        right: &'w WsksFormula,
        depth: usize,
    ) -> Option<(PartId, PartId)> {
        let (left, right) = (self.formula(left, depth), self.formula(right, depth));
        Some((left?, right?))
    }

    /// Lowers a quantifier, one variable after the other: each is a level.
    fn quantified(&mut self, quantified: &'w WsksQuantified, depth: usize) -> Option<PartId> {
        let outer = self.scope.len();
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let mut is_broken = false;
        for name in &quantified.variables {
            if !names.insert(&name.text) {
                self.report.add(
                    Diagnostic::new(
                        &errors::BOUND_TWICE,
                        format!("the variable `{}` is bound twice", name.text),
                        name.span,
                        "again here",
                    )
                    .help("give one of them another name"),
                );
                is_broken = true;
                continue;
            }
            self.warn_hidden(name, outer);
            let Some(variable) = Variable::new(self.scope.len()) else {
                self.report.add(
                    Diagnostic::new(
                        &errors::TOO_LARGE,
                        format!("more than {MAX_VARIABLES} variables in scope at once"),
                        name.span,
                        "one too many",
                    )
                    .help("bind each variable as far inside as it is needed"),
                );
                self.scope.truncate(outer);
                return None;
            };
            self.scope.push(Bound { name, order: quantified.quantifier.order, variable, is_used: false });
        }
        let count = self.scope.len() - outer;
        let mut part = self.formula(&quantified.body, depth + count);
        while self.scope.len() > outer
            && let Some(bound) = self.scope.pop()
        {
            if !bound.is_used && part.is_some() {
                self.report.add(
                    Diagnostic::new(
                        &warnings::UNUSED_VARIABLE,
                        format!("the variable `{}` is never used", bound.name.text),
                        bound.name.span,
                        "it is not used",
                    )
                    .help("leave it out"),
                );
            }
            part = part.map(|body| {
                let name = bound.name.text.clone();
                let quantifier = quantified.quantifier;
                self.builder.add(Part::Quantified { quantifier, variable: bound.variable, name, body })
            });
        }
        part.filter(|_| !is_broken)
    }

    /// Warns where a new variable hides a name; `outer` variables were in scope before its quantifier.
    fn warn_hidden(&mut self, name: &Ident, outer: usize) {
        let hidden = self.scope.iter().take(outer).rev().find(|bound| bound.name.text == name.text);
        let what = if hidden.is_some() {
            "an outer variable"
        } else if self.components.states_named.contains_key(name.text.as_str()) {
            "the state"
        } else if self.components.type_named.contains_key(name.text.as_str()) {
            "the component type"
        } else {
            return;
        };
        let mut diagnostic = Diagnostic::new(
            &warnings::HIDDEN_NAME,
            format!("the variable `{}` hides {what} of this name", name.text),
            name.span,
            format!("from here on `{}` is this variable", name.text),
        )
        .help("choose another name");
        if let Some(hidden) = hidden {
            diagnostic = diagnostic.label(hidden.name.span, "the outer variable");
        }
        self.report.add(diagnostic);
    }

    fn atom(&mut self, atom: &'w WsksAtom) -> Option<PartId> {
        match atom.relation {
            WsksRelation::In | WsksRelation::NotIn => {
                let component = self.component(&atom.left);
                let set = self.set(&atom.right);
                let part = self.builder.add(Part::In(component?, set?));
                Some(self.negated(part, atom.relation == WsksRelation::NotIn))
            }
            WsksRelation::Sub => {
                let (left, right) = (self.set(&atom.left), self.set(&atom.right));
                Some(self.builder.add(Part::Subset(left?, right?)))
            }
            WsksRelation::Equal | WsksRelation::NotEqual => {
                let left = self.name(&atom.left, None);
                let order = left.as_ref().map(|meaning| match meaning {
                    Meaning::Component(_) => Order::First,
                    Meaning::Set(_) => Order::Second,
                });
                let right = self.name(&atom.right, order);
                let part = match (left?, right?) {
                    (Meaning::Component(x), Meaning::Component(y)) => Part::Same(x, y),
                    (Meaning::Set(left), Meaning::Set(right)) => Part::SameSet(left, right),
                    (Meaning::Component(_), Meaning::Set(_)) => {
                        self.wrong_order(&atom.right, Order::First, &atom.left);
                        return None;
                    }
                    (Meaning::Set(_), Meaning::Component(_)) => {
                        self.wrong_order(&atom.right, Order::Second, &atom.left);
                        return None;
                    }
                };
                let part = self.builder.add(part);
                Some(self.negated(part, atom.relation == WsksRelation::NotEqual))
            }
        }
    }

    fn negated(&mut self, part: PartId, is_negated: bool) -> PartId {
        if is_negated { self.builder.add(Part::Not(part)) } else { part }
    }

    /// The component that a name stands for; `None` if it stands for none (reported).
    fn component(&mut self, name: &WsksName) -> Option<Variable> {
        match self.name(name, Some(Order::First))? {
            Meaning::Component(variable) => Some(variable),
            Meaning::Set(_) => {
                let what = self.describe(name);
                let text = written(name);
                self.report.add(
                    Diagnostic::new(
                        &errors::WRONG_ORDER,
                        format!("{what} on the left of `in`"),
                        name.span(),
                        "expected a component",
                    )
                    .help(format!("that all of them are in a set is written `{text} sub …`")),
                );
                None
            }
        }
    }

    /// The set of components that a name stands for; `None` if it stands for none (reported).
    fn set(&mut self, name: &WsksName) -> Option<SetTerm> {
        match self.name(name, Some(Order::Second))? {
            Meaning::Set(set) => Some(set),
            Meaning::Component(_) => {
                let text = written(name);
                self.report.add(
                    Diagnostic::new(
                        &errors::WRONG_ORDER,
                        format!("the component `{text}` where a set is needed"),
                        name.span(),
                        "expected a set, a state or a component type",
                    )
                    .help("`ex2` and `all2` bind sets; that two components are the same is written with `=`"),
                );
                None
            }
        }
    }

    /// Complains that `right` is not of the `order` that `left` has.
    fn wrong_order(&mut self, right: &WsksName, order: Order, left: &WsksName) {
        let message = match order {
            Order::First => {
                format!("the component `{}` is compared with {}", written(left), self.describe(right))
            }
            Order::Second => {
                format!("{} is compared with the component `{}`", self.describe(left), written(right))
            }
        };
        let help = match order {
            Order::First => {
                format!("that it is in there is written `{} in {}`", written(left), written(right))
            }
            Order::Second => {
                format!("that it is in there is written `{} in {}`", written(right), written(left))
            }
        };
        let label = if order == Order::First { "a set" } else { "a component" };
        self.report.add(Diagnostic::new(&errors::WRONG_ORDER, message, right.span(), label).help(help));
    }

    fn describe(&self, name: &WsksName) -> String {
        let text = written(name);
        if name.component.is_none() && self.scope.iter().any(|bound| bound.name.text == name.name.text) {
            format!("the set `{text}`")
        } else if name.component.is_some() || self.components.states_named.contains_key(text.as_str()) {
            format!("the state `{text}`")
        } else {
            format!("the component type `{text}`")
        }
    }

    /// What a name means; `None` if it is unknown (reported). `order`: what is needed there, if that is
    /// known.
    fn name(&mut self, name: &WsksName, order: Option<Order>) -> Option<Meaning> {
        let key = (name.component.as_ref().map(|ident| ident.text.clone()), name.name.text.clone());
        if let Some(component) = &name.component {
            let component = find_type(self.components, component, self.report)?;
            let state = self.components.state_of(component, &name.name, self.report)?;
            return Some(self.states(key, &[(component, state)]));
        }
        let text = name.name.text.as_str();
        if let Some(bound) = self.scope.iter_mut().rev().find(|bound| bound.name.text == text) {
            bound.is_used = true;
            return Some(match bound.order {
                Order::First => Meaning::Component(bound.variable),
                Order::Second => Meaning::Set(SetTerm::Variable(bound.variable)),
            });
        }
        let components = self.components;
        let states = components.states_named.get(text);
        let component = components.type_named.get(text).copied();
        match (states, component) {
            (Some(states), None) => Some(self.states(key, states)),
            (None, Some(component)) => {
                let states = components.types[component].states.indices();
                let states: Vec<(TypeId, StateId)> = states.map(|state| (component, state)).collect();
                Some(self.states(key, &states))
            }
            (Some(_), Some(_)) => {
                if self.report.is_first(&errors::AMBIGUOUS_SET, text) {
                    self.report.add(
                        Diagnostic::new(
                            &errors::AMBIGUOUS_SET,
                            format!("`{text}` is a state and a component type"),
                            name.name.span,
                            "which is meant?",
                        )
                        .help(format!("write the state with its type, as in `Type.{text}`")),
                    );
                }
                None
            }
            (None, None) => {
                self.unknown(&name.name, order);
                None
            }
        }
    }

    fn states(&mut self, name: (Option<String>, String), states: &[(TypeId, StateId)]) -> Meaning {
        Meaning::Set(SetTerm::States(self.builder.set(name, states)))
    }

    /// Complains of a name that means nothing.
    fn unknown(&mut self, name: &Ident, order: Option<Order>) {
        let is_set = order == Some(Order::Second);
        let code = if is_set { &errors::UNKNOWN_STATE } else { &errors::UNBOUND_VARIABLE };
        if !self.report.is_first(code, &name.text) {
            return;
        }
        let variables = self.scope.iter().filter(|bound| order.is_none_or(|order| bound.order == order));
        let variables = variables.map(|bound| bound.name.text.as_str());
        let components = self.components;
        let sets = components.states_named.keys().chain(components.type_named.keys()).copied();
        let near = if is_set {
            self.report.did_you_mean(&name.text, variables.chain(sets))
        } else {
            self.report.did_you_mean(&name.text, variables)
        };
        let diagnostic = if is_set {
            Diagnostic::new(
                code,
                format!("`{}` is no state, component type or set", name.text),
                name.span,
                "unknown set of components",
            )
        } else {
            Diagnostic::new(
                code,
                format!("the variable `{}` is not bound", name.text),
                name.span,
                "unbound variable",
            )
        };
        let help = near.or_else(|| match order {
            Some(Order::Second) => None,
            _ => Some(format!("bind it with `ex1 {0}: …` or `all1 {0}: …`", name.text)),
        });
        self.report.add(with_help(diagnostic, help));
    }
}

/// A name as it was written.
fn written(name: &WsksName) -> String {
    match &name.component {
        Some(component) => format!("{}.{}", component.text, name.name.text),
        None => name.name.text.clone(),
    }
}

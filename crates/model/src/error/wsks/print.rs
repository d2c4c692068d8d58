//! Formulas over components as text: the syntax tree that they could have come from, printed.
//!
//! A set of states is called as it was where it was read; one that is a single state of one type gets its
//! type.

use super::{ComponentFormula, Part, PartId, SetTerm, StateSetId, Variable};
use crate::syntax::ast::{Wsks, WsksAtom, WsksFormula, WsksName, WsksQuantified, WsksRelation};
use crate::system::System;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

const NOWHERE: Span = Span { start: 0, end: 0 };

impl ComponentFormula {
    /// The formula as text, `wsks { … }`. It can be read again.
    pub fn print(&self, system: &System) -> String {
        let formula = Printer { formula: self, system, names: Vec::new() }.part(self.whole());
        crate::syntax::print::wsks(&Wsks { formula, span: NOWHERE })
    }
}

struct Printer<'a> {
    formula: &'a ComponentFormula,
    system: &'a System,
    /// What the variables in scope are called.
    names: Vec<&'a str>,
}

impl<'a> Printer<'a> {
    /// Recursion is bounded by the nesting of formulas.
    fn part(&mut self, id: PartId) -> WsksFormula {
        let formula = self.formula;
        match &formula.parts[id] {
            Part::Constant(value) => WsksFormula::Constant(*value, NOWHERE),
            Part::In(x, set) => self.atom(self.variable(*x), WsksRelation::In, self.set(*set)),
            Part::Same(x, y) => self.atom(self.variable(*x), WsksRelation::Equal, self.variable(*y)),
            Part::SameSet(left, right) => self.atom(self.set(*left), WsksRelation::Equal, self.set(*right)),
            Part::Subset(left, right) => self.atom(self.set(*left), WsksRelation::Sub, self.set(*right)),
            Part::Not(part) => {
                let mut inner = self.part(*part);
                if let WsksFormula::Atom(atom) = &mut inner {
                    let opposite = match atom.relation {
                        WsksRelation::In => Some(WsksRelation::NotIn),
                        WsksRelation::Equal => Some(WsksRelation::NotEqual),
                        _ => None,
                    };
                    if let Some(opposite) = opposite {
                        atom.relation = opposite;
                        return inner;
                    }
                }
                WsksFormula::Not(Box::new(inner), NOWHERE)
            }
            Part::And(parts) => WsksFormula::And(parts.iter().map(|&part| self.part(part)).collect()),
            Part::Or(parts) => WsksFormula::Or(parts.iter().map(|&part| self.part(part)).collect()),
            Part::Implies(left, right) => {
                WsksFormula::Implies(Box::new(self.part(*left)), Box::new(self.part(*right)))
            }
            Part::Iff(left, right) => {
                WsksFormula::Iff(Box::new(self.part(*left)), Box::new(self.part(*right)))
            }
            Part::Quantified { quantifier, name, body, .. } => {
                let outer = self.names.len();
                let mut variables = vec![ident(name)];
                self.names.push(name);
                let mut body = *body;
                // `ex1 x: ex1 y:` is `ex1 x, y:`, unless that would bind a name twice.
                while let Part::Quantified { quantifier: next, name, body: inner, .. } = &formula.parts[body]
                    && next == quantifier
                    && variables.iter().all(|variable| variable.text != *name)
                {
                    variables.push(ident(name));
                    self.names.push(name);
                    body = *inner;
                }
                let body = Box::new(self.part(body));
                self.names.truncate(outer);
                WsksFormula::Quantified(WsksQuantified {
                    quantifier: *quantifier,
                    variables,
                    body,
                    span: NOWHERE,
                })
            }
        }
    }

    fn atom(&self, left: WsksName, relation: WsksRelation, right: WsksName) -> WsksFormula {
        WsksFormula::Atom(WsksAtom { left, relation, right, span: NOWHERE })
    }

    fn variable(&self, variable: Variable) -> WsksName {
        WsksName { component: None, name: ident(self.names.get(variable.index()).copied().unwrap_or("?")) }
    }

    fn set(&self, set: SetTerm) -> WsksName {
        match set {
            SetTerm::Variable(variable) => self.variable(variable),
            SetTerm::States(set) => self.states(set),
        }
    }

    fn states(&self, set: StateSetId) -> WsksName {
        let set = &self.formula.sets[set];
        if let &[(component, state)] = set.states.as_slice() {
            let definition = &self.system.types[component];
            return WsksName {
                component: Some(ident(&definition.name)),
                name: ident(&definition.states[state].name),
            };
        }
        WsksName { component: set.name.0.as_deref().map(ident), name: ident(&set.name.1) }
    }
}

fn ident(text: &str) -> Ident {
    Ident { text: text.to_owned(), span: NOWHERE }
}

//! The definition of truth, naively: over a list of components, sets being bit masks.

use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::syntax::ast::{Order, WsksFormula, WsksName, WsksRelation};
use paramcheck_model::system::System;

/// Components, each with its type and the state it is in.
pub(crate) type Components = Vec<(TypeId, StateId)>;

#[derive(Clone, Copy)]
enum Value {
    Component(usize),
    Set(u32),
}

/// Whether a formula holds of these components (few: all their sets are tried).
pub(crate) fn truth(system: &System, formula: &WsksFormula, components: &Components) -> bool {
    assert!(components.len() < 32);
    Naive { system, components }.holds(formula, &mut Vec::new())
}

struct Naive<'a> {
    system: &'a System,
    components: &'a Components,
}

/// Variables in scope with their values.
type Scope<'f> = Vec<(&'f str, Value)>;

impl Naive<'_> {
    fn holds<'f>(&self, formula: &'f WsksFormula, scope: &mut Scope<'f>) -> bool {
        match formula {
            WsksFormula::Constant(value, _) => *value,
            WsksFormula::Atom(atom) => {
                let (left, right) = (self.value(&atom.left, scope), self.value(&atom.right, scope));
                match (atom.relation, left, right) {
                    (WsksRelation::In, Value::Component(x), Value::Set(set)) => set >> x & 1 == 1,
                    (WsksRelation::NotIn, Value::Component(x), Value::Set(set)) => set >> x & 1 == 0,
                    (WsksRelation::Sub, Value::Set(left), Value::Set(right)) => left & !right == 0,
                    (WsksRelation::Equal, Value::Set(left), Value::Set(right)) => left == right,
                    (WsksRelation::NotEqual, Value::Set(left), Value::Set(right)) => left != right,
                    (WsksRelation::Equal, Value::Component(left), Value::Component(right)) => left == right,
                    (WsksRelation::NotEqual, Value::Component(left), Value::Component(right)) => {
                        left != right
                    }
                    _ => panic!("{atom:?} means nothing"),
                }
            }
            WsksFormula::Not(inner, _) => !self.holds(inner, scope),
            WsksFormula::And(parts) => parts.iter().all(|part| self.holds(part, scope)),
            WsksFormula::Or(parts) => parts.iter().any(|part| self.holds(part, scope)),
            WsksFormula::Implies(left, right) => !self.holds(left, scope) || self.holds(right, scope),
            WsksFormula::Iff(left, right) => self.holds(left, scope) == self.holds(right, scope),
            WsksFormula::Quantified(quantified) => {
                let names: Vec<&str> = quantified.variables.iter().map(|name| name.text.as_str()).collect();
                self.quantified(quantified.quantifier, &names, &quantified.body, scope)
            }
        }
    }

    fn quantified<'f>(
        &self,
        quantifier: paramcheck_model::syntax::ast::Quantifier,
        names: &[&'f str],
        body: &'f WsksFormula,
        scope: &mut Scope<'f>,
    ) -> bool {
        let Some((&name, rest)) = names.split_first() else { return self.holds(body, scope) };
        let values: Vec<Value> = match quantifier.order {
            Order::First => (0..self.components.len()).map(Value::Component).collect(),
            Order::Second => (0..1_u32 << self.components.len()).map(Value::Set).collect(),
        };
        let holds = |value: Value| {
            scope.push((name, value));
            let holds = self.quantified(quantifier, rest, body, scope);
            scope.pop();
            holds
        };
        if quantifier.is_universal { values.into_iter().all(holds) } else { values.into_iter().any(holds) }
    }

    /// The innermost variable of that name, or the components in a state or of a type.
    fn value(&self, name: &WsksName, scope: &Scope<'_>) -> Value {
        let text = name.name.text.as_str();
        if name.component.is_none()
            && let Some((_, value)) = scope.iter().rev().find(|(bound, _)| *bound == text)
        {
            return *value;
        }
        let is_inside = |&(component, state): &(TypeId, StateId)| {
            let definition = &self.system.types[component];
            let has_state = definition.states[state].name == text;
            match &name.component {
                Some(component) => definition.name == component.text && has_state,
                None => definition.name == text || has_state,
            }
        };
        let inside = self.components.iter().enumerate().filter(|(_, component)| is_inside(component));
        Value::Set(inside.map(|(number, _)| 1 << number).sum())
    }
}

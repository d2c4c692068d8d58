//! From nodes back to formulas: ∨, ⇒ and ∀ where they were written with ¬, in the form that takes the
//! same products in the same order.

use egg::{Id, RecExpr};

use super::graph::Node;
use crate::formula::{Formula, FormulaId, Store, Variable};

/// The formula of an expression, `order` choosing the order of the parts of a conjunction.
pub(crate) fn write(
    store: &mut Store,
    expression: &RecExpr<Node>,
    order: impl Fn(&[Id]) -> Vec<Id>,
) -> FormulaId {
    let mut done: Vec<FormulaId> = Vec::with_capacity(expression.len());
    for node in expression.as_ref() {
        let part = |id: &Id| done.get(usize::from(*id)).copied();
        let [first, second] = match node {
            Node::Not(of) | Node::Exists(_, of) | Node::ExistsOne(_, of) => [part(of), None],
            Node::Iff([left, right]) => [part(left), part(right)],
            Node::True | Node::Leaf(_) | Node::And(_) => [None, None],
        };
        // Parts come before wholes, so each is there.
        let first = first.unwrap_or_else(|| store.falsity());
        let formula = match node {
            Node::True => store.truth(),
            Node::Leaf(formula) => *formula,
            Node::Not(_) => negated(store, first),
            Node::And(parts) => {
                let parts: Vec<FormulaId> = order(parts).iter().filter_map(part).collect();
                store.and(parts)
            }
            Node::Iff(_) => {
                let second = second.unwrap_or_else(|| store.falsity());
                store.iff(first, second)
            }
            Node::Exists(Variable::Node(x), _) => store.exists_node(*x, first),
            Node::Exists(Variable::Set(x), _) => store.exists_set(*x, first),
            Node::ExistsOne(x, _) => store.exists_one_node(*x, first),
        };
        done.push(formula);
    }
    done.last().copied().unwrap_or_else(|| store.falsity())
}

/// ¬φ
fn negated(store: &mut Store, of: FormulaId) -> FormulaId {
    match store.get(of).clone() {
        Formula::And(parts) => {
            let inner = |part: &FormulaId| match store.get(*part) {
                Formula::Not(inner) => Some(*inner),
                _ => None,
            };
            let inner: Vec<Option<FormulaId>> = parts.iter().map(inner).collect();
            if let Some(all) = inner.iter().copied().collect::<Option<Vec<FormulaId>>>() {
                return store.or(all);
            }
            match (inner.split_last(), parts.split_last()) {
                (Some((&Some(conclusion), others)), Some((_, premises)))
                    if others.iter().all(Option::is_none) =>
                {
                    let premise = store.and(premises.iter().copied());
                    store.implies(premise, conclusion)
                }
                _ => store.not(of),
            }
        }
        // ¬φ is written as it reads best already.
        Formula::ExistsNode(x, body) if is_negative(store, body) => {
            let body = store.not(body);
            store.forall_node(x, body)
        }
        Formula::ExistsSet(x, body) if is_negative(store, body) => {
            let body = store.not(body);
            store.forall_set(x, body)
        }
        _ => store.not(of),
    }
}

fn is_negative(store: &Store, formula: FormulaId) -> bool {
    matches!(store.get(formula), Formula::Not(_))
}

//! Substitution of terms and set variables for free variables, renaming bound ones where they would
//! capture.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Formula, FormulaId, NodeVariable, SetVariable, Store, Term, TermId, Variable};

/// What is put for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Value {
    Term(TermId),
    Set(SetVariable),
}

/// A simultaneous substitution: terms for first-order, set variables for second-order variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Substitution {
    nodes: FxHashMap<NodeVariable, TermId>,
    sets: FxHashMap<SetVariable, SetVariable>,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Puts `term` for `variable`.
    #[must_use]
    pub(crate) fn with_node(mut self, variable: NodeVariable, term: TermId) -> Self {
        self.nodes.insert(variable, term);
        self
    }

    /// Puts `set` for `variable`.
    #[must_use]
    pub(crate) fn with_set(mut self, variable: SetVariable, set: SetVariable) -> Self {
        self.sets.insert(variable, set);
        self
    }

    fn value(&self, variable: Variable) -> Option<Value> {
        match variable {
            Variable::Node(x) => self.nodes.get(&x).copied().map(Value::Term),
            Variable::Set(x) => self.sets.get(&x).copied().map(Value::Set),
        }
    }
}

/// What is put for the free variables of one formula, ascending; those that stay are left out.
type Environment = Rc<[(Variable, Value)]>;

/// A formula to be rewritten in an environment.
type Task = (FormulaId, Environment);

impl Store {
    /// `formula` with `substitution` applied to its free variables, all at once. Bound variables are
    /// renamed (under the same name) where they would capture a variable put in.
    pub(crate) fn substitute(&mut self, formula: FormulaId, substitution: &Substitution) -> FormulaId {
        let pairs = self.free[formula].iter().filter_map(|&v| Some((v, substitution.value(v)?)));
        let first: Task = (formula, pairs.collect());
        let mut done: FxHashMap<Task, FormulaId> = FxHashMap::default();
        // What a quantifier's variable becomes, and the task below it: fixed at first sight, for it may
        // make a new variable.
        let mut below: FxHashMap<Task, (Option<Variable>, Environment)> = FxHashMap::default();
        let mut open = vec![first.clone()];
        while let Some(task) = open.last().cloned() {
            let (id, environment) = &task;
            if done.contains_key(&task) {
                open.pop();
                continue;
            }
            if environment.is_empty() {
                done.insert(task.clone(), *id);
                open.pop();
                continue;
            }
            let current = self.formulas[*id].clone();
            let (bound, inner) = match below.get(&task) {
                Some(known) => known.clone(),
                None => {
                    let made = self.enter(&current, environment);
                    below.insert(task.clone(), made.clone());
                    made
                }
            };
            let tasks: Vec<Task> =
                current.parts().iter().map(|&part| (part, self.restrict(&inner, part))).collect();
            let missing: Vec<Task> = tasks.iter().filter(|task| !done.contains_key(*task)).cloned().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let mut results = tasks.iter().map(|task| done.get(task).copied().unwrap_or(task.0));
            let rewritten = current.map_parts(|part| results.next().unwrap_or(part));
            let rewritten = self.rename(rewritten, bound, environment);
            let result = self.construct(rewritten);
            done.insert(task, result);
            open.pop();
        }
        done.get(&first).copied().unwrap_or(formula)
    }

    /// The environment below `formula` and, if it is a quantifier, the variable it binds from now on.
    fn enter(&mut self, formula: &Formula, environment: &Environment) -> (Option<Variable>, Environment) {
        let Some(bound) = formula.bound() else { return (None, Rc::clone(environment)) };
        let is_captured = environment.iter().any(|&(_, value)| match value {
            Value::Term(term) => self.term_path(term).0.map(Variable::Node) == Some(bound),
            Value::Set(set) => Variable::Set(set) == bound,
        });
        if !is_captured {
            return (Some(bound), Rc::clone(environment));
        }
        let name = self.name(bound).to_owned();
        let (renamed, value) = match bound {
            Variable::Node(_) => {
                let x = self.new_node(name);
                (Variable::Node(x), Value::Term(self.node(x)))
            }
            Variable::Set(_) => {
                let x = self.new_set(name);
                (Variable::Set(x), Value::Set(x))
            }
        };
        let mut inner: Vec<_> = environment.to_vec();
        inner.push((bound, value));
        inner.sort_unstable();
        (Some(renamed), inner.into())
    }

    fn restrict(&self, environment: &Environment, part: FormulaId) -> Environment {
        environment.iter().filter(|&&(variable, _)| self.is_free(variable, part)).copied().collect()
    }

    /// Replaces the variables that stand in `formula` itself, not in its parts.
    fn rename(&mut self, formula: Formula, bound: Option<Variable>, environment: &Environment) -> Formula {
        let set = |set: SetVariable| {
            let found = environment.iter().find(|pair| pair.0 == Variable::Set(set));
            if let Some(&(_, Value::Set(put))) = found { put } else { set }
        };
        match (formula, bound) {
            (Formula::Equal(left, right), _) => {
                Formula::Equal(self.rename_term(left, environment), self.rename_term(right, environment))
            }
            (Formula::Member(node, x), _) => Formula::Member(self.rename_term(node, environment), set(x)),
            (Formula::Subset(left, right), _) => Formula::Subset(set(left), set(right)),
            (Formula::SetEqual(left, right), _) => Formula::SetEqual(set(left), set(right)),
            (Formula::ExistsNode(_, part), Some(Variable::Node(x))) => Formula::ExistsNode(x, part),
            (Formula::ForallNode(_, part), Some(Variable::Node(x))) => Formula::ForallNode(x, part),
            (Formula::ExistsOneNode(_, part), Some(Variable::Node(x))) => Formula::ExistsOneNode(x, part),
            (Formula::ExistsSet(_, part), Some(Variable::Set(x))) => Formula::ExistsSet(x, part),
            (Formula::ForallSet(_, part), Some(Variable::Set(x))) => Formula::ForallSet(x, part),
            (formula, _) => formula,
        }
    }

    fn rename_term(&mut self, term: TermId, environment: &Environment) -> TermId {
        let (base, path) = self.term_path(term);
        let Some(base) = base else { return term };
        let found = environment.iter().find(|pair| pair.0 == Variable::Node(base));
        let start = if let Some(&(_, Value::Term(put))) = found {
            put
        } else {
            self.intern_term(Term::Variable(base))
        };
        path.into_iter().fold(start, |parent, child| self.child(parent, child))
    }
}

//! The rules. Each takes a node of a class and returns classes that mean the same.
//!
//! A class is a function from values of variables to truth, and a quantifier acts on functions; so a rule
//! is right if it is a law about functions, whatever members stand for them, and moving a class below a
//! quantifier captures nothing that was not meant: "x does not matter to φ" is the condition, and that
//! is what [`Facts::free`](super::graph::Facts) promises. Only *substitution* is an affair of texts: it
//! is done on a member, in the store, which renames what it would capture.
//!
//! ∨ here is ¬(¬ ∧ ¬). Associativity is [`Rule::Flatten`]; commutativity is no rule, for the order of
//! conjuncts is chosen when a formula is extracted. Tried as binary operators with both as rules: the
//! graph of one conjunction of eight fills every limit.

use egg::{Applier, Id, PatternAst, Rewrite, SearchMatches, Searcher, Subst, Symbol, Var};

use super::graph::{Graph, Kind, Knowledge, Node, conjunction, disjunction, enter, falsity, negation};
use crate::logic::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, Substitution, TermId, Variable};

/// What a substitution yields is looked into if it is no larger than this.
const ENTER_LIMIT: u64 = 200;

/// A law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// ¬¬φ = φ
    DoubleNegation,
    /// ⊤ ∧ φ = φ, ⊥ ∧ φ = ⊥, φ ∧ φ = φ, φ ∧ ¬φ = ⊥
    Constants,
    /// (φ ∧ ψ) ∧ χ = φ ∧ ψ ∧ χ
    Flatten,
    /// φ ∧ (φ ∨ ψ) = φ, and φ ∧ (¬φ ∨ ψ) = φ ∧ ψ
    Absorb,
    /// (φ ∧ ψ) ∨ (φ ∧ χ) = φ ∧ (ψ ∨ χ)
    Factor,
    /// (⊤ ⇔ φ) = φ, (φ ⇔ φ) = ⊤, (¬φ ⇔ ψ) = ¬(φ ⇔ ψ)
    Equivalence,
    /// ∃x. φ = φ, and ∃₁x. φ = ⊥, where x does not matter: there is a node, and there is another.
    Vacuous,
    /// ∃x. φ ∧ ψ = φ ∧ ∃x. ψ where x does not matter to φ; ∃₁ likewise.
    Narrow,
    /// ∃x. ∃y. φ ∧ ψ = ∃y. φ ∧ ∃x. ψ where x does not matter to φ.
    Swap,
    /// ∃x. φ ∨ ψ = ∃x. φ ∨ ∃x. ψ
    Split,
    /// ∃x. φ ∨ ∃x. ψ = ∃x. φ ∨ ψ
    Join,
    /// ∃x. x = τ ∧ φ = φ[τ/x] where x is not in τ; ∃₁ likewise; ∃X. X = Y ∧ φ = φ[Y/X].
    OnePoint,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 12] = [
        Rule::DoubleNegation,
        Rule::Constants,
        Rule::Flatten,
        Rule::Absorb,
        Rule::Factor,
        Rule::Equivalence,
        Rule::Vacuous,
        Rule::Narrow,
        Rule::Swap,
        Rule::Split,
        Rule::Join,
        Rule::OnePoint,
    ];

    fn kinds(self) -> &'static [Kind] {
        match self {
            Rule::DoubleNegation | Rule::Factor | Rule::Join => &[Kind::Not],
            Rule::Constants | Rule::Flatten | Rule::Absorb => &[Kind::And],
            Rule::Equivalence => &[Kind::Iff],
            Rule::Vacuous | Rule::Narrow | Rule::OnePoint => &[Kind::Exists, Kind::ExistsOne],
            Rule::Swap | Rule::Split => &[Kind::Exists],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Rule::DoubleNegation => "double negation",
            Rule::Constants => "constants",
            Rule::Flatten => "flatten",
            Rule::Absorb => "absorb",
            Rule::Factor => "factor",
            Rule::Equivalence => "equivalence",
            Rule::Vacuous => "vacuous",
            Rule::Narrow => "narrow",
            Rule::Swap => "swap",
            Rule::Split => "split",
            Rule::Join => "join",
            Rule::OnePoint => "one point",
        }
    }

    /// The rule for egg; `None` would be a pattern with an unbound variable, of which there is none.
    pub fn rewrite(self) -> Option<Rewrite<Node, Knowledge>> {
        Rewrite::new(self.name(), self, self).ok()
    }

    /// Classes equal to `node`.
    fn results(self, graph: &mut Graph, node: &Node) -> Vec<Id> {
        match (self, node) {
            (Rule::DoubleNegation, &Node::Not(of)) => inner_negations(graph, of),
            (Rule::Constants, Node::And(parts)) => constants(graph, parts),
            (Rule::Flatten, Node::And(parts)) => flatten(graph, parts),
            (Rule::Absorb, Node::And(parts)) => absorb(graph, parts),
            (Rule::Factor, &Node::Not(of)) => factor(graph, of),
            (Rule::Equivalence, &Node::Iff(parts)) => equivalence(graph, parts),
            (Rule::Vacuous, &Node::Exists(variable, of)) if !matters(graph, variable, of) => vec![of],
            (Rule::Vacuous, &Node::ExistsOne(x, of)) if !matters(graph, Variable::Node(x), of) => {
                vec![falsity(graph)]
            }
            (Rule::Narrow, &(Node::Exists(_, of) | Node::ExistsOne(_, of))) => narrow(graph, node, of),
            (Rule::Swap, &Node::Exists(variable, of)) => swap(graph, variable, of),
            (Rule::Split, &Node::Exists(variable, of)) => split(graph, variable, of),
            (Rule::Join, &Node::Not(of)) => join(graph, of),
            (Rule::OnePoint, &(Node::Exists(_, of) | Node::ExistsOne(_, of))) => one_point(graph, node, of),
            _ => Vec::new(),
        }
    }
}

impl Searcher<Node, Knowledge> for Rule {
    fn search_eclass_with_limit(
        &self,
        graph: &Graph,
        class: Id,
        limit: usize,
    ) -> Option<SearchMatches<'_, Node>> {
        let applies = graph[class].nodes.iter().any(|node| self.kinds().contains(&node.kind()));
        (applies && limit > 0).then(|| SearchMatches { eclass: class, substs: vec![Subst::default()], ast: None })
    }

    fn vars(&self) -> Vec<Var> {
        Vec::new()
    }
}

impl Applier<Node, Knowledge> for Rule {
    fn apply_one(
        &self,
        graph: &mut Graph,
        class: Id,
        _: &Subst,
        _: Option<&PatternAst<Node>>,
        _: Symbol,
    ) -> Vec<Id> {
        let nodes: Vec<Node> =
            graph[class].nodes.iter().filter(|node| self.kinds().contains(&node.kind())).cloned().collect();
        let mut changed = Vec::new();
        for node in nodes {
            for result in self.results(graph, &node) {
                if graph.union(class, result) {
                    changed.push(graph.find(class));
                }
            }
        }
        changed
    }
}

// ---- looking into classes ----

fn matters(graph: &Graph, variable: Variable, class: Id) -> bool {
    graph[class].data.free.binary_search(&variable).is_ok()
}

/// φ for every ¬φ in the class.
fn inner_negations(graph: &Graph, class: Id) -> Vec<Id> {
    let negated = |node: &Node| if let Node::Not(of) = node { Some(*of) } else { None };
    // Of ¬φ in the class of ψ: that is, for a node ¬ψ, the φ.
    graph[class].nodes.iter().filter_map(negated).collect()
}

/// The lists of conjuncts of the class.
fn conjunctions(graph: &Graph, class: Id) -> Vec<Vec<Id>> {
    let list = |node: &Node| if let Node::And(parts) = node { Some(parts.to_vec()) } else { None };
    graph[class].nodes.iter().filter_map(list).collect()
}

/// The lists of disjuncts of the class: φ₁, … for ¬(φ′₁ ∧ …) where φ′ is ¬φ.
fn disjunctions(graph: &mut Graph, class: Id) -> Vec<Vec<Id>> {
    let mut lists = Vec::new();
    for none in inner_negations(graph, class) {
        for parts in conjunctions(graph, none) {
            lists.push(parts.into_iter().map(|part| negation(graph, part)).collect());
        }
    }
    lists
}

fn is_true(graph: &Graph, class: Id) -> bool {
    graph[class].nodes.contains(&Node::True)
}

fn is_false(graph: &Graph, class: Id) -> bool {
    inner_negations(graph, class).into_iter().any(|of| is_true(graph, of))
}

fn are_opposite(graph: &Graph, one: Id, two: Id) -> bool {
    let is_not = |one, two| inner_negations(graph, one).into_iter().any(|of| graph.find(of) == graph.find(two));
    is_not(one, two) || is_not(two, one)
}

// ---- connectives ----

fn constants(graph: &mut Graph, parts: &[Id]) -> Vec<Id> {
    let opposite = |at: usize, &one: &Id| parts.iter().skip(at + 1).any(|&two| are_opposite(graph, one, two));
    if parts.iter().any(|&part| is_false(graph, part))
        || parts.iter().enumerate().any(|(at, one)| opposite(at, one))
    {
        return vec![falsity(graph)];
    }
    let kept: Vec<Id> = parts.iter().copied().filter(|&part| !is_true(graph, part)).collect();
    let distinct: std::collections::BTreeSet<Id> = kept.iter().map(|&part| graph.find(part)).collect();
    if distinct.len() == parts.len() { Vec::new() } else { vec![conjunction(graph, kept)] }
}

fn flatten(graph: &mut Graph, parts: &[Id]) -> Vec<Id> {
    let mut results = Vec::new();
    for (at, &part) in parts.iter().enumerate() {
        if let Some(inner) = conjunctions(graph, part).into_iter().next() {
            let (before, after) = (parts.iter().take(at), parts.iter().skip(at + 1));
            let all: Vec<Id> = before.copied().chain(inner).chain(after.copied()).collect();
            results.push(conjunction(graph, all));
        }
    }
    results
}

fn absorb(graph: &mut Graph, parts: &[Id]) -> Vec<Id> {
    let mut results = Vec::new();
    for (at, &part) in parts.iter().enumerate() {
        for ways in disjunctions(graph, part) {
            let others: Vec<Id> =
                parts.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &id)| graph.find(id)).collect();
            if ways.iter().any(|&way| others.contains(&graph.find(way))) {
                results.push(conjunction(graph, others));
                continue;
            }
            let left: Vec<Id> = ways
                .iter()
                .copied()
                .filter(|&way| !others.iter().any(|&other| are_opposite(graph, way, other)))
                .collect();
            if left.len() < ways.len() {
                let rest = disjunction(graph, &left);
                let mut all = parts.to_vec();
                if let Some(place) = all.get_mut(at) {
                    *place = rest;
                }
                results.push(conjunction(graph, all));
            }
        }
    }
    results
}

/// For ¬(φ′ ∧ ψ′).
fn factor(graph: &mut Graph, none: Id) -> Vec<Id> {
    let mut results = Vec::new();
    for parts in conjunctions(graph, none) {
        let ways: Vec<Id> = parts.into_iter().map(|part| negation(graph, part)).collect();
        let lists: Vec<Vec<Id>> = ways
            .iter()
            .map(|&way| conjunctions(graph, way).into_iter().next().unwrap_or_else(|| vec![graph.find(way)]))
            .collect();
        let Some((first, others)) = lists.split_first() else { continue };
        let common: Vec<Id> =
            first.iter().copied().filter(|part| others.iter().all(|list| list.contains(part))).collect();
        if common.is_empty() {
            continue;
        }
        let rest: Vec<Id> = lists
            .iter()
            .map(|list| {
                let own: Vec<Id> = list.iter().copied().filter(|part| !common.contains(part)).collect();
                conjunction(graph, own)
            })
            .collect();
        let some = disjunction(graph, &rest);
        results.push(conjunction(graph, common.into_iter().chain([some])));
    }
    results
}

fn equivalence(graph: &mut Graph, [left, right]: [Id; 2]) -> Vec<Id> {
    if graph.find(left) == graph.find(right) {
        return vec![graph.add(Node::True)];
    }
    if are_opposite(graph, left, right) {
        return vec![falsity(graph)];
    }
    let mut results = Vec::new();
    for (one, two) in [(left, right), (right, left)] {
        if is_true(graph, one) {
            results.push(two);
        } else if is_false(graph, one) {
            results.push(negation(graph, two));
        }
    }
    if results.is_empty() {
        let first = |graph: &Graph, class| inner_negations(graph, class).into_iter().next();
        for (one, two) in [(left, right), (right, left)] {
            if let Some(inner) = first(graph, one) {
                let same = graph.add(Node::Iff(if one == left { [inner, two] } else { [two, inner] }));
                results.push(negation(graph, same));
                break;
            }
        }
    }
    results
}

// ---- quantifiers ----

/// The variable of a quantifier, and the quantifier for another body.
fn quantifier(node: &Node) -> Option<(Variable, impl Fn(Id) -> Node + use<>)> {
    let (variable, is_one) = match *node {
        Node::Exists(variable, _) => (variable, false),
        Node::ExistsOne(x, _) => (Variable::Node(x), true),
        _ => return None,
    };
    Some((variable, move |of| match variable {
        Variable::Node(x) if is_one => Node::ExistsOne(x, of),
        _ => Node::Exists(variable, of),
    }))
}

fn narrow(graph: &mut Graph, node: &Node, of: Id) -> Vec<Id> {
    let Some((variable, quantify)) = quantifier(node) else { return Vec::new() };
    let mut results = Vec::new();
    for parts in conjunctions(graph, of) {
        let (inside, outside): (Vec<Id>, Vec<Id>) =
            parts.into_iter().partition(|&part| matters(graph, variable, part));
        if outside.is_empty() || inside.is_empty() {
            continue;
        }
        let inside = conjunction(graph, inside);
        let quantified = graph.add(quantify(inside));
        results.push(conjunction(graph, outside.into_iter().chain([quantified])));
    }
    results
}

fn swap(graph: &mut Graph, outer: Variable, of: Id) -> Vec<Id> {
    let mut results = Vec::new();
    for node in graph[of].nodes.clone() {
        let Node::Exists(inner, body) = node else { continue };
        if inner == outer {
            continue;
        }
        for parts in conjunctions(graph, body) {
            let (inside, outside): (Vec<Id>, Vec<Id>) =
                parts.into_iter().partition(|&part| matters(graph, outer, part));
            if outside.is_empty() || inside.is_empty() {
                continue;
            }
            let inside = conjunction(graph, inside);
            let quantified = graph.add(Node::Exists(outer, inside));
            let all = conjunction(graph, outside.into_iter().chain([quantified]));
            results.push(graph.add(Node::Exists(inner, all)));
        }
    }
    results
}

fn split(graph: &mut Graph, variable: Variable, of: Id) -> Vec<Id> {
    let mut results = Vec::new();
    for ways in disjunctions(graph, of) {
        let each: Vec<Id> = ways
            .into_iter()
            .map(|way| if matters(graph, variable, way) { graph.add(Node::Exists(variable, way)) } else { way })
            .collect();
        results.push(disjunction(graph, &each));
    }
    results
}

/// For ¬(φ′ ∧ ψ′).
fn join(graph: &mut Graph, none: Id) -> Vec<Id> {
    let mut results = Vec::new();
    for parts in conjunctions(graph, none) {
        // Per variable the bodies, and where the first of them stood.
        let mut groups: Vec<(Variable, usize, Vec<Id>)> = Vec::new();
        let ways: Vec<Id> = parts.into_iter().map(|part| negation(graph, part)).collect();
        let mut kept: Vec<Option<Id>> = Vec::new();
        for (at, &way) in ways.iter().enumerate() {
            let exists = |node: &Node| if let Node::Exists(x, body) = node { Some((*x, *body)) } else { None };
            match graph[way].nodes.iter().find_map(exists) {
                Some((variable, body)) => {
                    kept.push(None);
                    match groups.iter_mut().find(|group| group.0 == variable) {
                        Some(group) => group.2.push(body),
                        None => groups.push((variable, at, vec![body])),
                    }
                }
                None => kept.push(Some(way)),
            }
        }
        if groups.iter().all(|group| group.2.len() < 2) {
            continue;
        }
        for (variable, at, bodies) in groups {
            let some = disjunction(graph, &bodies);
            let joined = graph.add(Node::Exists(variable, some));
            if let Some(place) = kept.get_mut(at) {
                *place = Some(joined);
            }
        }
        let all: Vec<Id> = kept.into_iter().flatten().collect();
        results.push(disjunction(graph, &all));
    }
    results
}

fn one_point(graph: &mut Graph, node: &Node, of: Id) -> Vec<Id> {
    let Some((variable, _)) = quantifier(node) else { return Vec::new() };
    let mut lists = conjunctions(graph, of);
    lists.push(vec![of]);
    let mut results = Vec::new();
    for parts in lists {
        let found = parts.iter().enumerate().find_map(|(at, &part)| {
            let leaf = |node: &Node| if let Node::Leaf(formula) = node { Some(*formula) } else { None };
            let formula = graph[part].nodes.iter().find_map(leaf)?;
            Some((at, definition(&graph.analysis.store, formula, variable, graph.analysis.successors)?))
        });
        let Some((at, substitution)) = found else { continue };
        let rest = parts.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &id)| id);
        let rest: Vec<Id> = rest.collect();
        let rest = conjunction(graph, rest);
        let member = graph[rest].data.formula;
        let result = graph.analysis.store.substitute(member, &substitution);
        let is_small = graph.analysis.store.size(result).symbols <= ENTER_LIMIT;
        results.push(if is_small {
            enter(graph, result, |_| false)
        } else {
            graph.add(Node::Leaf(result))
        });
    }
    results
}

/// x := τ if the formula says x = τ.
fn definition(store: &Store, formula: FormulaId, variable: Variable, successors: u8) -> Option<Substitution> {
    match (store.get(formula), variable) {
        (&Formula::Equal(left, right), Variable::Node(x)) => {
            let term = other_side(store, left, right, x, successors)?;
            Some(Substitution::new().with_node(x, term))
        }
        (&Formula::SetEqual(left, right), Variable::Set(x)) => {
            let other: SetVariable = match (left == x, right == x) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            Some(Substitution::new().with_set(x, other))
        }
        _ => None,
    }
}

/// τ of x = τ or τ = x. The term must name a node, whatever its variable stands for.
fn other_side(store: &Store, left: TermId, right: TermId, x: NodeVariable, successors: u8) -> Option<TermId> {
    let is_x = |term| store.term_path(term) == (Some(x), Vec::new());
    let term = match (is_x(left), is_x(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    let (base, path) = store.term_path(term);
    let names_a_node = path.iter().all(|child| (1..=successors).contains(child));
    (base != Some(x) && names_a_node).then_some(term)
}

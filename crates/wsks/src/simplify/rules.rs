//! The rules. Each takes a node of a class and returns classes that mean the same.
//!
//! A class is a function from values of variables to truth, and a quantifier acts on functions; so a rule is
//! right if it is a law about functions, whatever members stand for them, and moving a class below a
//! quantifier captures no other variable: "x does not matter to φ" is the condition, and that is what the
//! free variables of a class ([`Knowledge`]) promise. Only *substitution* is an affair of texts: it is done
//! on a member, in the store, which renames what it would capture.
//!
//! ∨ here is ¬(¬ ∧ ¬). Associativity is [`Rule::Flatten`]; commutativity is no rule, for the order of
//! conjuncts is chosen when a formula is extracted. Dropped, for nothing measured got better by them: the
//! exchange of quantifiers, and laws of ⇔.

use egg::{Applier, Id, PatternAst, Rewrite, SearchMatches, Searcher, Subst, Symbol, Var};

use super::graph::{Graph, Kind, Knowledge, Node, conjunction, disjunction, enter, falsity, negation};
use super::write::write;
use crate::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, Substitution, TermId, Variable};

/// What a substitution yields is looked into if it is no larger than this.
const MAX_SUBSTITUTED: u64 = 200;

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
    /// ∃x. φ = φ, and ∃₁x. φ = ⊥, where x does not matter: there is a node, and there is another.
    Vacuous,
    /// ∃x. φ ∧ ψ = φ ∧ ∃x. ψ where x does not matter to φ; ∃₁ likewise.
    Narrow,
    /// ∃x. φ ∨ ψ = ∃x. φ ∨ ∃x. ψ
    Split,
    /// ∃x. φ ∨ ∃x. ψ = ∃x. φ ∨ ψ
    Join,
    /// ∃x. x = τ ∧ φ = φ[τ/x] where x is not in τ; ∃₁ likewise; ∃X. X = Y ∧ φ = φ[Y/X].
    OnePoint,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 10] = [
        Rule::DoubleNegation,
        Rule::Constants,
        Rule::Flatten,
        Rule::Absorb,
        Rule::Factor,
        Rule::Vacuous,
        Rule::Narrow,
        Rule::Split,
        Rule::Join,
        Rule::OnePoint,
    ];

    /// Those that pay, or cost nothing and clear up behind the others. Without [`Rule::Split`] and
    /// [`Rule::OnePoint`]: measured (docs/performance.md), the automata of all formulas together are a little
    /// smaller without them.
    pub(crate) const USUAL: [Rule; 8] = [
        Rule::DoubleNegation,
        Rule::Constants,
        Rule::Flatten,
        Rule::Absorb,
        Rule::Factor,
        Rule::Vacuous,
        Rule::Narrow,
        Rule::Join,
    ];

    fn kinds(self) -> &'static [Kind] {
        match self {
            Rule::DoubleNegation | Rule::Factor | Rule::Join => &[Kind::Not],
            Rule::Constants | Rule::Flatten | Rule::Absorb => &[Kind::And],
            Rule::Vacuous | Rule::Narrow | Rule::OnePoint => &[Kind::Exists, Kind::ExistsOne],
            Rule::Split => &[Kind::Exists],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Rule::DoubleNegation => "double negation",
            Rule::Constants => "constants",
            Rule::Flatten => "flatten",
            Rule::Absorb => "absorb",
            Rule::Factor => "factor",
            Rule::Vacuous => "vacuous",
            Rule::Narrow => "narrow",
            Rule::Split => "split",
            Rule::Join => "join",
            Rule::OnePoint => "one point",
        }
    }

    /// The rule for egg; `None` would be a pattern with an unbound variable, of which there is none.
    pub(crate) fn rewrite(self) -> Option<Rewrite<Node, Knowledge>> {
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
            (Rule::Vacuous, &Node::Exists(variable, of)) if !matters(graph, variable, of) => vec![of],
            (Rule::Vacuous, &Node::ExistsOne(x, of)) if !matters(graph, Variable::Node(x), of) => {
                vec![falsity(graph)]
            }
            (Rule::Narrow, &(Node::Exists(_, of) | Node::ExistsOne(_, of))) => narrow(graph, node, of),
            (Rule::Split, &Node::Exists(variable, of)) => split(graph, variable, of),
            (Rule::Join, &Node::Not(of)) => join(graph, of),
            (Rule::OnePoint, &(Node::Exists(_, of) | Node::ExistsOne(_, of))) => one_point(graph, node, of),
            _ => Vec::new(),
        }
    }
}

impl Searcher<Node, Knowledge> for Rule {
    fn search_with_limit(&self, graph: &Graph, limit: usize) -> Vec<SearchMatches<'_, Node>> {
        let classes = self.kinds().iter().filter_map(|kind| graph.classes_for_op(kind)).flatten();
        let found = |eclass| SearchMatches { eclass, substs: vec![Subst::default()], ast: None };
        classes.take(limit).map(found).collect()
    }

    fn search_eclass_with_limit(
        &self,
        graph: &Graph,
        class: Id,
        limit: usize,
    ) -> Option<SearchMatches<'_, Node>> {
        let applies = graph[class].nodes.iter().any(|node| self.kinds().contains(&node.kind()));
        (applies && limit > 0).then(|| SearchMatches {
            eclass: class,
            substs: vec![Subst::default()],
            ast: None,
        })
    }

    fn vars(&self) -> Vec<Var> {
        Vec::new()
    }
}

impl Applier<Node, Knowledge> for Rule {
    /// First all results, then all unions: between a union and the graph's repair its classes hold nodes
    /// twice, and a rule that looked into them would find more and more.
    fn apply_matches(&self, graph: &mut Graph, matches: &[SearchMatches<'_, Node>], _: Symbol) -> Vec<Id> {
        let mut equal: Vec<(Id, Id)> = Vec::new();
        for class in matches.iter().map(|found| found.eclass) {
            let nodes = graph[class].nodes.iter().filter(|node| self.kinds().contains(&node.kind()));
            for node in nodes.cloned().collect::<Vec<_>>() {
                if graph.total_size() > graph.analysis.nodes {
                    break;
                }
                equal.extend(self.results(graph, &node).into_iter().map(|result| (class, result)));
            }
        }
        let unions = equal.into_iter().filter(|&(class, result)| graph.union(class, result));
        unions.map(|(class, _)| class).collect()
    }

    fn apply_one(&self, _: &mut Graph, _: Id, _: &Subst, _: Option<&PatternAst<Node>>, _: Symbol) -> Vec<Id> {
        // `apply_matches` does it all.
        Vec::new()
    }
}

// ---- looking into classes ----

fn matters(graph: &Graph, variable: Variable, class: Id) -> bool {
    !graph[class].data.is_disjoint(graph.analysis.numbers.track(variable))
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
    let is_not =
        |one, two| inner_negations(graph, one).into_iter().any(|of| graph.find(of) == graph.find(two));
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

/// All inner conjunctions at once: one by one there would be 2ⁿ results.
fn flatten(graph: &mut Graph, parts: &[Id]) -> Vec<Id> {
    let mut all: Vec<Id> = Vec::new();
    let mut is_nested = false;
    for &part in parts {
        match conjunctions(graph, part).into_iter().next() {
            Some(inner) => {
                is_nested = true;
                all.extend(inner);
            }
            None => all.push(part),
        }
    }
    if is_nested { vec![conjunction(graph, all)] } else { Vec::new() }
}

fn absorb(graph: &mut Graph, parts: &[Id]) -> Vec<Id> {
    let mut results = Vec::new();
    for (at, &part) in parts.iter().enumerate() {
        for ways in disjunctions(graph, part) {
            let others: Vec<Id> = parts
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != at)
                .map(|(_, &id)| graph.find(id))
                .collect();
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

// ---- quantifiers ----

/// The conjuncts that stay below a quantifier, and those that leave it.
///
/// What shares a variable with those that stay below ∃X stays too: it holds their automata down. Measured
/// with all others let go: diagrams up to eight times as large, and MONA up to four times as slow.
fn partition(graph: &Graph, variable: Variable, parts: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let mut tracks = graph.analysis.numbers.track(variable);
    let is_set = matches!(variable, Variable::Set(_));
    loop {
        let (inside, outside): (Vec<Id>, Vec<Id>) =
            parts.iter().partition(|&&part| !graph[part].data.is_disjoint(tracks));
        let all = inside.iter().fold(tracks, |tracks, &part| tracks.union(graph[part].data));
        if !is_set || all == tracks {
            return (inside, outside);
        }
        tracks = all;
    }
}

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
        let (inside, outside) = partition(graph, variable, &parts);
        if outside.is_empty() || inside.is_empty() {
            continue;
        }
        let inside = conjunction(graph, inside);
        let quantified = graph.add(quantify(inside));
        results.push(conjunction(graph, outside.into_iter().chain([quantified])));
    }
    results
}

fn split(graph: &mut Graph, variable: Variable, of: Id) -> Vec<Id> {
    let mut results = Vec::new();
    for ways in disjunctions(graph, of) {
        let each: Vec<Id> = ways
            .into_iter()
            .map(
                |way| {
                    if matters(graph, variable, way) { graph.add(Node::Exists(variable, way)) } else { way }
                },
            )
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
            let exists =
                |node: &Node| if let Node::Exists(x, body) = node { Some((*x, *body)) } else { None };
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
        let expression = graph.id_to_expr(rest);
        let member = write(&mut graph.analysis.store, &expression, |parts| parts.to_vec());
        let result = graph.analysis.store.substitute(member, &substitution);
        // It may have new variables.
        let store = &graph.analysis.store;
        let bound = store.parts_of(result).into_iter().filter_map(|part| store.get(part).bound());
        if !graph.analysis.numbers.extend(bound) {
            continue;
        }
        let is_small = graph.analysis.store.size(result).symbols <= MAX_SUBSTITUTED;
        results.push(if is_small { enter(graph, result, |_| false) } else { graph.add(Node::Leaf(result)) });
    }
    results
}

/// x := τ if the formula is x = τ.
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

//! The language of the e-graph: formulas by few connectives, and what is known of a class of equals.

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tracks::{Numbers, Tracks};
use crate::formula::{Formula, FormulaId, NodeVariable, Store, Variable};

/// A formula whose parts are classes. ∨, ⇒ and ∀ are written with ¬, ∧ and ∃: for automata negation is
/// free, so nothing is lost, and every rule that holds for ∧ and ∃ holds for them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    /// ⊤
    True,
    /// A formula of the store that is not looked into: an atom, or what lies outside the piece.
    Leaf(FormulaId),
    /// ¬φ
    Not(Id),
    /// φ₁ ∧ … ∧ φₙ, n ≥ 2, in the order in which a rule made it.
    And(Box<[Id]>),
    /// φ ⇔ ψ
    Iff([Id; 2]),
    /// ∃x. φ or ∃X. φ
    Exists(Variable, Id),
    /// ∃₁x. φ
    ExistsOne(NodeVariable, Id),
}

/// The connectives, to look classes up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// ⊤ or a leaf.
    Leaf,
    /// ¬
    Not,
    /// ∧
    And,
    /// ⇔
    Iff,
    /// ∃
    Exists,
    /// ∃₁
    ExistsOne,
}

impl Node {
    /// Its connective.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Node::True | Node::Leaf(_) => Kind::Leaf,
            Node::Not(_) => Kind::Not,
            Node::And(_) => Kind::And,
            Node::Iff(_) => Kind::Iff,
            Node::Exists(..) => Kind::Exists,
            Node::ExistsOne(..) => Kind::ExistsOne,
        }
    }
}

impl Language for Node {
    type Discriminant = Kind;

    fn discriminant(&self) -> Kind {
        self.kind()
    }

    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Leaf(one), Node::Leaf(two)) => one == two,
            (Node::And(one), Node::And(two)) => one.len() == two.len(),
            (Node::Exists(one, _), Node::Exists(two, _)) => one == two,
            (Node::ExistsOne(one, _), Node::ExistsOne(two, _)) => one == two,
            (Node::True, Node::Leaf(_)) | (Node::Leaf(_), Node::True) => false,
            _ => self.kind() == other.kind(),
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Node::True | Node::Leaf(_) => &[],
            Node::And(parts) => parts,
            Node::Iff(parts) => parts,
            Node::Not(part) | Node::Exists(_, part) | Node::ExistsOne(_, part) => std::slice::from_ref(part),
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Node::True | Node::Leaf(_) => &mut [],
            Node::And(parts) => parts,
            Node::Iff(parts) => parts,
            Node::Not(part) | Node::Exists(_, part) | Node::ExistsOne(_, part) => std::slice::from_mut(part),
        }
    }
}

/// Makes what is known of a class, its *free* variables; holds what the graph is about.
///
/// A class is a set of formulas with one meaning. If one of them does not mention a variable, the value
/// of none depends on it: so the variables that *matter* to a class are at most those free in all its
/// members, the intersection. Rules need no more than that (see [`rules`](super::rules)).
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// The owner of the leaves.
    pub(crate) store: Store,
    /// The variables of the piece.
    pub(crate) numbers: Numbers,
    /// How many successors a node has: terms that take others name no node.
    pub(crate) successors: u8,
    /// With more nodes than these, no rule adds any.
    pub(crate) nodes: usize,
}

/// The e-graph.
pub(crate) type Graph = EGraph<Node, Knowledge>;

impl Analysis<Node> for Knowledge {
    type Data = Tracks;

    fn make(graph: &mut Graph, node: &Node, _: Id) -> Tracks {
        let knowledge = &graph.analysis;
        match node {
            Node::Leaf(formula) => knowledge.numbers.tracks(knowledge.store.free_variables(*formula)),
            Node::Exists(variable, of) => graph[*of].data.without(knowledge.numbers.track(*variable)),
            Node::ExistsOne(x, of) => graph[*of].data.without(knowledge.numbers.track(Variable::Node(*x))),
            _ => node.children().iter().fold(Tracks::default(), |free, &id| free.union(graph[id].data)),
        }
    }

    fn merge(&mut self, to: &mut Tracks, from: Tracks) -> DidMerge {
        let both = to.intersection(from);
        let changed = DidMerge(*to != both, from != both);
        *to = both;
        changed
    }
}

/// ⊥, as a class.
pub(crate) fn falsity(graph: &mut Graph) -> Id {
    let truth = graph.add(Node::True);
    graph.add(Node::Not(truth))
}

/// ¬φ, without a second negation where one is known.
pub(crate) fn negation(graph: &mut Graph, of: Id) -> Id {
    let inner =
        graph[of].nodes.iter().find_map(|node| if let Node::Not(inner) = node { Some(*inner) } else { None });
    match inner {
        Some(inner) => graph.find(inner),
        None => graph.add(Node::Not(of)),
    }
}

/// The conjunction of classes, each taken once.
pub(crate) fn conjunction(graph: &mut Graph, parts: impl IntoIterator<Item = Id>) -> Id {
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut kept: Vec<Id> = parts.into_iter().map(|part| graph.find(part)).collect();
    kept.retain(|&part| seen.insert(part));
    match kept.as_slice() {
        [] => graph.add(Node::True),
        &[single] => single,
        _ => graph.add(Node::And(kept.into())),
    }
}

/// φ₁ ∨ … ∨ φₙ
pub(crate) fn disjunction(graph: &mut Graph, parts: &[Id]) -> Id {
    let negated: Vec<Id> = parts.iter().map(|&part| negation(graph, part)).collect();
    let none = conjunction(graph, negated);
    negation(graph, none)
}

/// Puts a formula into the graph, down to the subformulas that `is_leaf` accepts, which are not looked into.
pub(crate) fn enter(graph: &mut Graph, root: FormulaId, is_leaf: impl Fn(FormulaId) -> bool) -> Id {
    let mut done: FxHashMap<FormulaId, Id> = FxHashMap::default();
    let mut open = vec![root];
    while let Some(&next) = open.last() {
        if done.contains_key(&next) {
            open.pop();
            continue;
        }
        let formula = graph.analysis.store.get(next).clone();
        let is_opaque = next != root && is_leaf(next);
        let parts: &[FormulaId] = match &formula {
            // A leaf's sign is worth knowing.
            Formula::Not(_) => formula.parts(),
            _ if is_opaque => &[],
            _ => formula.parts(),
        };
        let missing: Vec<FormulaId> = parts.iter().filter(|part| !done.contains_key(part)).copied().collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let part = |id: &FormulaId| done.get(id).copied();
        let known: Vec<Id> = parts.iter().filter_map(part).collect();
        let id = match (&formula, known.as_slice()) {
            (Formula::True, _) => graph.add(Node::True),
            (Formula::False, _) => falsity(graph),
            (Formula::Not(_), &[of]) => graph.add(Node::Not(of)),
            (Formula::And(_), parts @ [_, ..]) => conjunction(graph, parts.iter().copied()),
            (Formula::Or(_), parts @ [_, ..]) => disjunction(graph, parts),
            (Formula::Implies(_), &[left, right]) => {
                let not = negation(graph, right);
                let both = conjunction(graph, [left, not]);
                negation(graph, both)
            }
            (Formula::Iff(_), &[left, right]) => graph.add(Node::Iff([left, right])),
            (&Formula::ExistsNode(x, _), &[of]) => graph.add(Node::Exists(Variable::Node(x), of)),
            (&Formula::ExistsSet(x, _), &[of]) => graph.add(Node::Exists(Variable::Set(x), of)),
            (&Formula::ExistsOneNode(x, _), &[of]) => graph.add(Node::ExistsOne(x, of)),
            (Formula::ForallNode(..) | Formula::ForallSet(..), &[of]) => {
                let not = negation(graph, of);
                match formula.bound() {
                    Some(variable) => {
                        let some = graph.add(Node::Exists(variable, not));
                        negation(graph, some)
                    }
                    None => of,
                }
            }
            _ => graph.add(Node::Leaf(next)),
        };
        done.insert(next, id);
    }
    match done.get(&root) {
        Some(&id) => id,
        None => graph.add(Node::Leaf(root)),
    }
}

//! From a formula to a plan.
//!
//! A pass over the parts of the formula, parts before wholes, never a recursion. Every variable has a
//! *rank*: the order of ranks is the order of tracks in all diagrams, set variables in the order of
//! their creation, then first-order ones, which are mostly bound inside. Each variable owns two ranks;
//! the second is its twin's in ∃₁. Below all of them lie the nodes named by terms that are no variables.
//!
//! Quantifiers in front of everything are dropped: what is satisfiable with them is so without, and
//! the witness then has their values.
//!
//! First-order variables need care: an automaton is right only where each of its first-order tracks
//! is a node. Where it isn't, the automaton answers neither (not accept, not reject), the answers of
//! products and projections keep that, so no conjunct "x is a node" is added at quantifiers. Folding a
//! constant away loses the tracks of the other operand; the result does not depend on them, so no
//! constraint on them is needed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Conjunct, MAX_TRACKS, Operand, Plan, Relation, Step};
use crate::formula::{Formula, FormulaId, NodeVariable, Store, TermId, Variable};

/// Bit 2x + y: the answer for x and y.
const AND: u8 = 0b1000;
const OR: u8 = 0b1110;
const IMPLIES: u8 = 0b1011;
const IFF: u8 = 0b1001;

/// Some automaton would have more tracks than MONA can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyTracks(pub FormulaId);

/// A plan and what its numbers mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The plan. Without a conjunct it is true, unless [`impossible`](Lowered::impossible).
    pub plan: Plan,
    /// The subformula that each step is for (the first one, where several share it).
    pub(crate) sources: Vec<FormulaId>,
    /// The variable of each track of the whole: the free ones and those quantified in front.
    pub(crate) variables: Vec<Variable>,
    /// Whether the formula is ⊥ at first sight.
    pub(crate) impossible: bool,
}

/// A place in the order of tracks.
type Rank = u32;

/// An automaton of the plan, its i-th track being that of the i-th rank (ascending).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Literal {
    step: u32,
    negated: bool,
    ranks: Box<[Rank]>,
}

/// What a subformula has become.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Built {
    Constant(bool),
    Literal(Literal),
}

/// Makes the plan for `root`, over the tree in which each node has `successors` children (1 or 2).
/// A term that takes a child past those names no node: atoms over it are false.
///
/// # Errors
///
/// If an automaton would need more than [`MAX_TRACKS`] tracks.
pub fn lower(store: &Store, root: FormulaId, successors: u8) -> Result<Lowered, TooManyTracks> {
    let (matrix, front) = strip(store, root);
    let mut variables = store.free_variables(root).to_vec();
    variables.extend(front);
    let ranks = ranks(store, matrix, &variables);
    // Tracks of the whole are numbered by position in this list.
    variables.sort_unstable_by_key(|variable| ranks.get(variable).copied());
    let mut lowering = Lowering {
        store,
        successors,
        ranks,
        plan: Plan::default(),
        sources: Vec::new(),
        known: FxHashMap::default(),
        current: matrix,
    };
    let mut built: FxHashMap<FormulaId, Built> = FxHashMap::default();
    for part in store.parts_of(matrix) {
        // The conjuncts of the whole are multiplied when the plan is carried out.
        if part != matrix || !matches!(store.get(part), Formula::And(_)) {
            lowering.current = part;
            let automaton = lowering.formula(part, &built)?;
            built.insert(part, automaton);
        }
    }
    let conjuncts = match store.get(matrix) {
        Formula::And(parts) => parts,
        _ => std::slice::from_ref(&matrix),
    };
    lowering.finish(conjuncts, &built, variables)
}

/// The formula below the existential quantifiers in front, and what they bind. A quantifier that binds
/// a variable again, or one that is free outside, is left alone.
fn strip(store: &Store, root: FormulaId) -> (FormulaId, Vec<Variable>) {
    let (mut matrix, mut front) = (root, Vec::new());
    let mut taken: FxHashSet<Variable> = store.free_variables(root).iter().copied().collect();
    loop {
        let (variable, part) = match *store.get(matrix) {
            Formula::ExistsNode(x, part) => (Variable::Node(x), part),
            Formula::ExistsSet(x, part) => (Variable::Set(x), part),
            _ => return (matrix, front),
        };
        if !taken.insert(variable) {
            return (matrix, front);
        }
        front.push(variable);
        matrix = part;
    }
}

/// The rank of every variable: sets before nodes, each in the order of their creation. Whoever makes the
/// variables so decides which tracks lie side by side.
fn ranks(store: &Store, root: FormulaId, first: &[Variable]) -> FxHashMap<Variable, Rank> {
    let mut variables = first.to_vec();
    for part in store.parts_of(root) {
        variables.extend(store.get(part).bound());
    }
    variables.sort_unstable_by_key(|variable| (matches!(variable, Variable::Node(_)), *variable));
    variables.dedup();
    variables.into_iter().zip((0..).step_by(2)).collect()
}

struct Lowering<'a> {
    store: &'a Store,
    successors: u8,
    ranks: FxHashMap<Variable, Rank>,
    plan: Plan,
    sources: Vec<FormulaId>,
    known: FxHashMap<Step, u32>,
    /// The subformula that is being lowered.
    current: FormulaId,
}

impl Lowering<'_> {
    fn formula(
        &mut self,
        id: FormulaId,
        built: &FxHashMap<FormulaId, Built>,
    ) -> Result<Built, TooManyTracks> {
        // Parts come before wholes, so each is there.
        let part = |id| built.get(&id).cloned().unwrap_or(Built::Constant(false));
        match *self.store.get(id) {
            Formula::True => Ok(Built::Constant(true)),
            Formula::False => Ok(Built::Constant(false)),
            Formula::Equal(left, right) => self.equal(left, right),
            Formula::Member(node, set) => self.member(node, self.rank(Variable::Set(set))),
            Formula::Subset(left, right) => {
                let (left, right) = (self.rank(Variable::Set(left)), self.rank(Variable::Set(right)));
                Ok(self.relation(left, right, Relation::Subset))
            }
            Formula::SetEqual(left, right) => {
                let (left, right) = (self.rank(Variable::Set(left)), self.rank(Variable::Set(right)));
                Ok(self.relation(left.min(right), left.max(right), Relation::SameSet))
            }
            Formula::Not(of) => Ok(negate(part(of))),
            Formula::And(ref parts) => self.fold(AND, parts.iter().map(|&id| part(id))),
            Formula::Or(ref parts) => self.fold(OR, parts.iter().map(|&id| part(id))),
            Formula::Implies([left, right]) => self.product(part(left), part(right), IMPLIES),
            Formula::Iff([left, right]) => self.product(part(left), part(right), IFF),
            Formula::ExistsNode(x, of) => Ok(self.project(part(of), self.rank(Variable::Node(x)))),
            Formula::ExistsSet(x, of) => Ok(self.project(part(of), self.rank(Variable::Set(x)))),
            Formula::ForallNode(x, of) => {
                Ok(negate(self.project(negate(part(of)), self.rank(Variable::Node(x)))))
            }
            Formula::ForallSet(x, of) => {
                Ok(negate(self.project(negate(part(of)), self.rank(Variable::Set(x)))))
            }
            Formula::ExistsOneNode(x, of) => self.exists_one(x, part(of)),
        }
    }

    fn rank(&self, variable: Variable) -> Rank {
        // Every variable of the formula is free in it or bound in it.
        self.ranks.get(&variable).copied().unwrap_or_default()
    }

    /// The first of the ranks below all variables.
    fn spare(&self) -> Rank {
        2 * self.ranks.len() as Rank
    }

    // ---- atoms ----

    /// τ = τ′
    fn equal(&mut self, left: TermId, right: TermId) -> Result<Built, TooManyTracks> {
        let (left, right) = (self.store.term_path(left), self.store.term_path(right));
        match (&left, &right) {
            ((Some(x), path), (base, steps)) | ((base, steps), (Some(x), path)) if path.is_empty() => {
                self.define(self.rank(Variable::Node(*x)), *base, steps)
            }
            _ => {
                let node = self.spare();
                let left = self.define(node, left.0, &left.1)?;
                let right = self.define(node, right.0, &right.1)?;
                let both = self.product(left, right, AND)?;
                Ok(self.project(both, node))
            }
        }
    }

    /// τ ∈ X
    fn member(&mut self, node: TermId, set: Rank) -> Result<Built, TooManyTracks> {
        match self.store.term_path(node) {
            (Some(x), path) if path.is_empty() => {
                Ok(self.relation(self.rank(Variable::Node(x)), set, Relation::Member))
            }
            (base, path) => {
                let node = self.spare();
                let defined = self.define(node, base, &path)?;
                let member = self.relation(node, set, Relation::Member);
                let both = self.product(defined, member, AND)?;
                Ok(self.project(both, node))
            }
        }
    }

    /// `node` is the one that `path` leads to from `base` (from the root where there is none).
    fn define(
        &mut self,
        node: Rank,
        base: Option<NodeVariable>,
        path: &[u8],
    ) -> Result<Built, TooManyTracks> {
        if path.iter().any(|&child| child == 0 || child > self.successors) {
            return Ok(Built::Constant(false));
        }
        let base = base.map(|x| self.rank(Variable::Node(x)));
        // Nothing lies below itself.
        match (base, path) {
            (Some(base), []) => {
                return Ok(self.relation(base.min(node), base.max(node), Relation::SameNode));
            }
            (Some(base), _) if base == node => return Ok(Built::Constant(false)),
            (None, []) => return Ok(self.basic(Relation::Root(0), Box::new([node]))),
            _ => {}
        }
        // Steps along a word are one step of any length. Of the nodes on the way two are in sight at a
        // time; they take turns on two ranks.
        let steps: Vec<u32> = if self.successors == 1 {
            vec![u32::try_from(path.len()).unwrap_or(u32::MAX)]
        } else {
            path.iter().map(|&child| u32::from(child) - 1).collect()
        };
        let (first, second) = (self.spare() + 1, self.spare() + 2);
        let mut at = base.unwrap_or(first);
        let mut way = if base.is_none() {
            self.basic(Relation::Root(0), Box::new([at]))
        } else {
            Built::Constant(true)
        };
        for (position, &number) in steps.iter().enumerate() {
            let next = match () {
                () if position + 1 == steps.len() => node,
                () if at == first => second,
                () => first,
            };
            let step = self.relation(next, at, |child, parent| Relation::Child { child, parent, number });
            way = self.product(way, step, AND)?;
            if Some(at) != base {
                way = self.project(way, at);
            }
            at = next;
        }
        Ok(way)
    }

    /// A relation of two tracks; between a track and itself all that get here hold.
    fn relation(&mut self, left: Rank, right: Rank, relation: impl FnOnce(u16, u16) -> Relation) -> Built {
        match left.cmp(&right) {
            std::cmp::Ordering::Less => self.basic(relation(0, 1), Box::new([left, right])),
            std::cmp::Ordering::Greater => self.basic(relation(1, 0), Box::new([right, left])),
            std::cmp::Ordering::Equal => Built::Constant(true),
        }
    }

    fn basic(&mut self, relation: Relation, ranks: Box<[Rank]>) -> Built {
        let step = self.step(Step::Basic(relation));
        Built::Literal(Literal { step, negated: false, ranks })
    }

    // ---- connectives ----

    fn fold(&mut self, table: u8, parts: impl Iterator<Item = Built>) -> Result<Built, TooManyTracks> {
        let mut all = Built::Constant(table == AND);
        for part in parts {
            all = self.product(all, part, table)?;
        }
        Ok(all)
    }

    fn product(&mut self, left: Built, right: Built, table: u8) -> Result<Built, TooManyTracks> {
        let answer = |x: bool, y: bool| table >> (2 * u8::from(x) + u8::from(y)) & 1 == 1;
        let (left, right) = match (left, right) {
            (Built::Constant(x), right) => return Ok(select(right, answer(x, false), answer(x, true))),
            (left, Built::Constant(y)) => return Ok(select(left, answer(false, y), answer(true, y))),
            (Built::Literal(left), Built::Literal(right)) => (left, right),
        };
        // From here on negations are part of the table, and so is the sign of the result: a table whose
        // answer for two rejections is rejection.
        let mut table = table;
        if left.negated {
            table = table >> 2 & 0b0011 | table << 2 & 0b1100;
        }
        if right.negated {
            table = table >> 1 & 0b0101 | table << 1 & 0b1010;
        }
        let (left, right) = if (left.step, &left.ranks) <= (right.step, &right.ranks) {
            (left, right)
        } else {
            table = table & 0b1001 | table >> 1 & 0b0010 | table << 1 & 0b0100;
            (right, left)
        };
        if left.step == right.step && left.ranks == right.ranks {
            let plain = Built::Literal(Literal { negated: false, ..left });
            return Ok(select(plain, table & 1 == 1, table >> 3 & 1 == 1));
        }
        let negated = table & 1 == 1;
        if negated {
            table ^= 0b1111;
        }
        let mut ranks = [&*left.ranks, &*right.ranks].concat();
        ranks.sort_unstable();
        ranks.dedup();
        if ranks.len() > MAX_TRACKS {
            return Err(TooManyTracks(self.current));
        }
        let step =
            self.step(Step::Product { left: operand(&left, &ranks), right: operand(&right, &ranks), table });
        Ok(Built::Literal(Literal { step, negated, ranks: ranks.into() }))
    }

    /// ∃ of the track of `rank`
    fn project(&mut self, of: Built, rank: Rank) -> Built {
        let literal = match of {
            Built::Literal(literal) => literal,
            constant => return constant,
        };
        let Ok(position) = literal.ranks.binary_search(&rank) else { return Built::Literal(literal) };
        let step =
            self.step(Step::Project { step: literal.step, negated: literal.negated, track: position as u16 });
        let ranks = literal.ranks.iter().copied().filter(|&other| other != rank).collect();
        Built::Literal(Literal { step, negated: false, ranks })
    }

    /// ∃₁x. φ: some node fits and no two that differ do.
    fn exists_one(&mut self, x: NodeVariable, of: Built) -> Result<Built, TooManyTracks> {
        let rank = self.rank(Variable::Node(x));
        let twin = rank + 1;
        let Built::Literal(mut second) = of.clone() else {
            // There are infinitely many nodes.
            return Ok(Built::Constant(false));
        };
        if !second.ranks.contains(&rank) {
            return Ok(Built::Constant(false));
        }
        second.ranks.iter_mut().filter(|other| **other == rank).for_each(|other| *other = twin);
        let some = self.project(of.clone(), rank);
        let pair = self.product(of, Built::Literal(second), AND)?;
        let same = self.relation(rank, twin, Relation::SameNode);
        let differ = self.product(pair, negate(same), AND)?;
        let differ = self.project(differ, twin);
        let two = self.project(differ, rank);
        self.product(some, negate(two), AND)
    }

    // ---- the plan ----

    fn step(&mut self, step: Step) -> u32 {
        if let Some(&position) = self.known.get(&step) {
            return position;
        }
        let position = self.plan.steps.len() as u32;
        self.plan.steps.push(step.clone());
        self.sources.push(self.current);
        self.known.insert(step, position);
        position
    }

    fn finish(
        mut self,
        conjuncts: &[FormulaId],
        built: &FxHashMap<FormulaId, Built>,
        variables: Vec<Variable>,
    ) -> Result<Lowered, TooManyTracks> {
        let ranks: Vec<Rank> = variables.iter().map(|&variable| self.rank(variable)).collect();
        if ranks.len() > MAX_TRACKS {
            return Err(TooManyTracks(self.current));
        }
        let mut impossible = false;
        for conjunct in conjuncts {
            match built.get(conjunct) {
                Some(Built::Constant(true)) => {}
                Some(Built::Constant(false)) | None => impossible = true,
                Some(Built::Literal(literal)) => self
                    .plan
                    .conjuncts
                    .push(Conjunct { operand: operand(literal, &ranks), negated: literal.negated }),
            }
        }
        Ok(Lowered { plan: self.plan, sources: self.sources, variables, impossible })
    }
}

fn negate(built: Built) -> Built {
    match built {
        Built::Constant(value) => Built::Constant(!value),
        Built::Literal(literal) => Built::Literal(Literal { negated: !literal.negated, ..literal }),
    }
}

/// The function of `of` with these answers for false and true.
fn select(of: Built, for_false: bool, for_true: bool) -> Built {
    match (for_false, for_true) {
        (false, true) => of,
        (true, false) => negate(of),
        (constant, _) => Built::Constant(constant),
    }
}

/// The literal's automaton on the tracks numbered by position in `ranks`, which holds all of its own.
fn operand(literal: &Literal, ranks: &[Rank]) -> Operand {
    let position = |rank| ranks.binary_search(rank).unwrap_or_else(|insert| insert) as u16;
    Operand { step: literal.step, tracks: literal.ranks.iter().map(position).collect() }
}

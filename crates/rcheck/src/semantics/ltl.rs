//! Formulas in negation normal form, and their automata: the tableau of Gerth, Peled, Vardi, Wolper (PSTV
//! 1995).
//!
//! A formula comes in, with atoms made opaque numbers; a generalised Büchi automaton goes out, whose nodes
//! have literals that a position must satisfy. Nothing is optimised.

use std::collections::{BTreeSet, HashMap};

use super::evaluate::{NoValue, evaluate};
use crate::model::{Formula, StateAtom, Term};

/// The most nodes of an automaton.
const MAX_NODES: usize = 20_000;

/// The most formulas that are taken apart.
const MAX_EXPANSIONS: usize = 5_000_000;

/// A formula among those interned.
type Id = usize;

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Normal {
    Truth(bool),
    Literal { atom: usize, is_positive: bool },
    All(Id, Id),
    Any(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What is true at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact<'f> {
    /// A condition on the state, as it stands in the formula.
    State(&'f Formula),
    /// An observation of the step, by number.
    Observed(usize),
}

/// The formulas of a property, interned.
pub(super) struct Formulas<'f> {
    normal: Vec<Normal>,
    ids: HashMap<Normal, Id>,
    /// The normal forms of formulas, by place in memory: equivalences need both of their sides twice.
    known: HashMap<(*const Formula, bool), Id>,
    /// The facts that literals are about.
    pub(super) facts: Vec<Fact<'f>>,
}

impl<'f> Formulas<'f> {
    pub(super) fn new() -> Formulas<'f> {
        Formulas { normal: Vec::new(), ids: HashMap::new(), known: HashMap::new(), facts: Vec::new() }
    }

    fn intern(&mut self, normal: Normal) -> Id {
        if let Some(id) = self.ids.get(&normal) {
            return *id;
        }
        self.normal.push(normal.clone());
        self.ids.insert(normal, self.normal.len() - 1);
        self.normal.len() - 1
    }

    fn literal(&mut self, fact: Fact<'f>, is_positive: bool) -> Id {
        let known = self.facts.iter().position(|one| *one == fact);
        let atom = known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        self.intern(Normal::Literal { atom, is_positive })
    }

    fn join(&mut self, is_all: bool, left: Id, right: Id) -> Id {
        let truth = |formulas: &Self, id: Id| match formulas.normal.get(id) {
            Some(Normal::Truth(truth)) => Some(*truth),
            _ => None,
        };
        match (truth(self, left), truth(self, right)) {
            (Some(truth), _) => {
                if truth == is_all {
                    right
                } else {
                    left
                }
            }
            (_, Some(truth)) => {
                if truth == is_all {
                    left
                } else {
                    right
                }
            }
            _ if left == right => left,
            _ if is_all => self.intern(Normal::All(left, right)),
            _ => self.intern(Normal::Any(left, right)),
        }
    }

    fn joined(&mut self, is_all: bool, all: impl Iterator<Item = Id>) -> Id {
        let neutral = self.intern(Normal::Truth(is_all));
        all.fold(neutral, |left, right| self.join(is_all, left, right))
    }

    /// The normal form of a formula, or of its negation. The recursion is bounded by the height of formulas;
    /// each is made once.
    pub(super) fn normal(&mut self, formula: &'f Formula, is_positive: bool) -> Id {
        let key = (std::ptr::from_ref(formula), is_positive);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.made(formula, is_positive);
        self.known.insert(key, id);
        id
    }

    fn made(&mut self, formula: &'f Formula, is_positive: bool) -> Id {
        match formula {
            Formula::State(term) => match constant(term) {
                Some(truth) => self.intern(Normal::Truth(truth == is_positive)),
                None => self.literal(Fact::State(formula), is_positive),
            },
            Formula::Not(inner) => self.normal(inner, !is_positive),
            Formula::All(all) | Formula::Any(all) => {
                let is_all = matches!(formula, Formula::All(_)) == is_positive;
                let all: Vec<Id> = all.iter().map(|one| self.normal(one, is_positive)).collect();
                self.joined(is_all, all.into_iter())
            }
            Formula::Iff(left, right) => {
                let mut side = |left_positive, right_positive| {
                    let left = self.normal(left, left_positive);
                    let right = self.normal(right, right_positive);
                    self.join(true, left, right)
                };
                let (one, other) = (side(true, is_positive), side(false, !is_positive));
                self.join(false, one, other)
            }
            Formula::Next(inner) => {
                let inner = self.normal(inner, is_positive);
                self.intern(Normal::Next(inner))
            }
            Formula::Finally(inner) | Formula::Globally(inner) => {
                let is_finally = matches!(formula, Formula::Finally(_)) == is_positive;
                let inner = self.normal(inner, is_positive);
                let truth = self.intern(Normal::Truth(is_finally));
                self.intern(if is_finally {
                    Normal::Until(truth, inner)
                } else {
                    Normal::Release(truth, inner)
                })
            }
            Formula::Until(left, right) | Formula::Release(left, right) => {
                let is_until = matches!(formula, Formula::Until(..)) == is_positive;
                let (left, right) = (self.normal(left, is_positive), self.normal(right, is_positive));
                self.intern(if is_until { Normal::Until(left, right) } else { Normal::Release(left, right) })
            }
            // a W b = b R (a | b)
            Formula::WeakUntil(left, right) => {
                let (left, right) = (self.normal(left, is_positive), self.normal(right, is_positive));
                let either = self.join(!is_positive, left, right);
                self.intern(if is_positive {
                    Normal::Release(right, either)
                } else {
                    Normal::Until(right, either)
                })
            }
            Formula::Observed { is_diamond, observation, body } => {
                let is_all = *is_diamond == is_positive;
                let fact = self.literal(Fact::Observed(*observation), is_all);
                let body = self.normal(body, is_positive);
                let next = self.intern(Normal::Next(body));
                self.join(is_all, fact, next)
            }
        }
    }

    fn negation(&self, id: Id) -> Option<Id> {
        match self.normal.get(id)? {
            Normal::Literal { atom, is_positive } => {
                self.ids.get(&Normal::Literal { atom: *atom, is_positive: !is_positive }).copied()
            }
            _ => None,
        }
    }
}

/// The truth of a condition that depends on nothing, such as `k = j` of instances.
fn constant(term: &Term<StateAtom>) -> Option<bool> {
    evaluate(term, &mut |_| Err(NoValue::Missing)).ok().map(|value| value != 0)
}

/// A node of an automaton.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Facts that must be so at a position: by number, and whether they are true.
    pub(super) literals: Vec<(usize, bool)>,
    /// The nodes that may follow.
    pub(super) successors: Vec<usize>,
    /// Per acceptance set whether the node is in it.
    pub(super) accepts: Vec<bool>,
}

/// A generalised Büchi automaton.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// Its nodes.
    pub(super) nodes: Vec<Node>,
    /// The nodes to begin with.
    pub(super) initial: Vec<usize>,
    /// How many acceptance sets there are.
    pub(super) sets: usize,
}

/// A node in the making.
#[derive(Clone, Debug)]
struct Sketch {
    /// Where it is entered from; none is the beginning.
    incoming: BTreeSet<Option<usize>>,
    new: BTreeSet<Id>,
    old: BTreeSet<Id>,
    next: BTreeSet<Id>,
}

/// The automaton of a formula: it accepts what satisfies it. Nothing if it has too many nodes.
pub(super) fn automaton(formulas: &Formulas<'_>, formula: Id) -> Option<Automaton> {
    let mut done: Vec<Sketch> = Vec::new();
    let mut known: HashMap<(BTreeSet<Id>, BTreeSet<Id>), usize> = HashMap::new();
    let mut open = vec![Sketch {
        incoming: BTreeSet::from([None]),
        new: BTreeSet::from([formula]),
        old: BTreeSet::new(),
        next: BTreeSet::new(),
    }];
    let mut expansions = 0;
    while let Some(mut sketch) = open.pop() {
        let Some(id) = sketch.new.pop_first() else {
            if let Some(number) = known.get(&(sketch.old.clone(), sketch.next.clone())) {
                if let Some(node) = done.get_mut(*number) {
                    node.incoming.extend(sketch.incoming);
                }
                continue;
            }
            if done.len() >= MAX_NODES {
                return None;
            }
            let number = done.len();
            known.insert((sketch.old.clone(), sketch.next.clone()), number);
            open.push(Sketch {
                incoming: BTreeSet::from([Some(number)]),
                new: sketch.next.clone(),
                old: BTreeSet::new(),
                next: BTreeSet::new(),
            });
            done.push(sketch);
            continue;
        };
        expansions += 1;
        if open.len() > MAX_NODES || expansions > MAX_EXPANSIONS {
            return None;
        }
        expand(formulas, id, sketch, &mut open);
    }
    Some(finished(formulas, &done))
}

/// Takes one formula apart.
fn expand(formulas: &Formulas<'_>, id: Id, mut sketch: Sketch, open: &mut Vec<Sketch>) {
    let add = |sketch: &mut Sketch, all: &[Id]| {
        let unknown = all.iter().filter(|one| !sketch.old.contains(one)).copied().collect::<Vec<_>>();
        sketch.new.extend(unknown);
    };
    let Some(normal) = formulas.normal.get(id) else { return };
    if *normal == Normal::Truth(false) {
        return;
    }
    if formulas.negation(id).is_some_and(|negation| sketch.old.contains(&negation)) {
        return;
    }
    sketch.old.insert(id);
    match normal {
        Normal::Truth(_) | Normal::Literal { .. } => {}
        Normal::All(left, right) => add(&mut sketch, &[*left, *right]),
        Normal::Next(inner) => drop(sketch.next.insert(*inner)),
        Normal::Any(left, right) => {
            let mut other = sketch.clone();
            add(&mut sketch, &[*left]);
            add(&mut other, &[*right]);
            open.push(other);
        }
        Normal::Until(left, right) => {
            let mut other = sketch.clone();
            add(&mut sketch, &[*left]);
            sketch.next.insert(id);
            add(&mut other, &[*right]);
            open.push(other);
        }
        Normal::Release(left, right) => {
            let mut other = sketch.clone();
            add(&mut sketch, &[*right]);
            sketch.next.insert(id);
            add(&mut other, &[*left, *right]);
            open.push(other);
        }
    }
    open.push(sketch);
}

/// Turns incoming edges round, and finds the acceptance sets: one per `U`, of the nodes that do not wait for
/// it.
fn finished(formulas: &Formulas<'_>, done: &[Sketch]) -> Automaton {
    let untils: Vec<(Id, Id)> = formulas
        .normal
        .iter()
        .enumerate()
        .filter_map(|(id, normal)| match normal {
            Normal::Until(_, right) => Some((id, *right)),
            _ => None,
        })
        .collect();
    let mut nodes: Vec<Node> = done
        .iter()
        .map(|sketch| Node {
            literals: sketch
                .old
                .iter()
                .filter_map(|id| match formulas.normal.get(*id) {
                    Some(Normal::Literal { atom, is_positive }) => Some((*atom, *is_positive)),
                    _ => None,
                })
                .collect(),
            successors: Vec::new(),
            accepts: untils
                .iter()
                .map(|(until, right)| !sketch.old.contains(until) || is_old(formulas, sketch, *right))
                .collect(),
        })
        .collect();
    let mut initial = Vec::new();
    for (number, sketch) in done.iter().enumerate() {
        for from in &sketch.incoming {
            match from {
                None => initial.push(number),
                Some(from) => {
                    if let Some(node) = nodes.get_mut(*from) {
                        node.successors.push(number);
                    }
                }
            }
        }
    }
    Automaton { nodes, initial, sets: untils.len() }
}

fn is_old(formulas: &Formulas<'_>, sketch: &Sketch, id: Id) -> bool {
    sketch.old.contains(&id) || formulas.normal.get(id) == Some(&Normal::Truth(true))
}

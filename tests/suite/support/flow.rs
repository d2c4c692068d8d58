//! The paper's own definitions by a flow formula (4.1, 4.2): Φ quantifies the pre- and post-set of a
//! transition and the nodes where its components sit; invariants and deadlocks speak of all of them.
//!
//! Questions are built from equivalent formulas that say the same node by node (crate `wsks`, `encoding`):
//! there no set is quantified that is not needed. Measured on the token ring with stand-alone MONA, both
//! kinds: these take a hundred times as long, and run out of memory on larger systems. Tests hold the two
//! against each other; a benchmark measures what simplification saves on these.

use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{InstanceAtom, RuleId, VariableId};
use paramcheck_text::index::Idx;
use paramcheck_wsks::encoding::{EncodeError, Encoder};
use paramcheck_wsks::flow::{Case, Firing};
use paramcheck_wsks::formula::{FormulaId, NodeVariable, SetVariable, TermId};
use paramcheck_wsks::tracks::Places;

// Named, for a benchmark includes this file from elsewhere.
#[path = "path_automaton.rs"]
mod path_automaton;

/// The most ways to choose positions for the components of one transition.
const MAX_WAYS: usize = 1_000;

/// Makes formulas by Φ with an encoder.
pub(crate) struct Flow<'e, 'a> {
    encoder: &'e mut Encoder<'a>,
    /// The node that local formulas speak of.
    x: NodeVariable,
    node: TermId,
    /// The nodes of a transition: where it happens, and where its components sit.
    bound: Vec<NodeVariable>,
    /// The node above x on a path.
    above: NodeVariable,
}

impl<'e, 'a> Flow<'e, 'a> {
    pub(crate) fn new(encoder: &'e mut Encoder<'a>) -> Self {
        let x = encoder.store.new_node("x");
        let node = encoder.store.node(x);
        let above = encoder.store.new_node("z");
        Flow { encoder, x, node, bound: Vec::new(), above }
    }

    /// The number-th node of a transition.
    fn bound(&mut self, number: usize) -> NodeVariable {
        while self.bound.len() <= number {
            let name = format!("y{}", self.bound.len());
            self.bound.push(self.encoder.store.new_node(name));
        }
        self.bound[number]
    }

    fn everywhere(&mut self, part: FormulaId) -> FormulaId {
        self.encoder.store.forall_node(self.x, part)
    }

    fn somewhere(&mut self, part: FormulaId) -> FormulaId {
        self.encoder.store.exists_node(self.x, part)
    }

    /// The reachable rules.
    fn rules(&self) -> Vec<RuleId> {
        self.encoder.tracks.labels.iter().map(|label| label.0).collect()
    }

    /// All instance atoms: rule, number in the rule, atom.
    fn instances(&self) -> Vec<(RuleId, usize, &'a InstanceAtom)> {
        let system = self.encoder.system;
        let rules = self.rules().into_iter();
        rules
            .flat_map(|id| system.rules[id].instance_atoms().enumerate().map(move |(j, atom)| (id, j, atom)))
            .collect()
    }

    /// The node applies the rule.
    fn labelled(&mut self, node: TermId, rule: RuleId) -> FormulaId {
        match self.encoder.tracks.label(rule) {
            Some(set) => self.encoder.store.member(node, set),
            None => self.encoder.store.falsity(),
        }
    }

    /// The j-th component of node x starts in its state number s.
    fn starts_in(&mut self, j: usize, s: usize) -> FormulaId {
        let mut parts = Vec::new();
        for (rule, number, atom) in self.instances() {
            if number == j && atom.initial == [StateId::new(s)] {
                parts.push(self.labelled(self.node, rule));
            }
        }
        let choices = self.encoder.tracks.choices.get(j).and_then(|tracks| tracks.get(s)).copied();
        if let Some(choice) = choices.flatten() {
            parts.push(self.encoder.store.member(self.node, choice));
        }
        self.encoder.store.or(parts)
    }

    /// A tuple of new variables of the form of X.
    pub(crate) fn new_places(&mut self, name: &str) -> Places {
        let widths: Vec<usize> = self.encoder.tracks.marking.iter().map(Vec::len).collect();
        let mut number = 0;
        let mut next = || {
            number += 1;
            format!("{name}{number}")
        };
        let store = &mut self.encoder.store;
        widths.into_iter().map(|states| (0..states).map(|_| store.new_set(next())).collect()).collect()
    }

    /// Per component of node x: some place of it is in both tuples.
    fn common(&mut self, one: &Places, two: &Places) -> Vec<FormulaId> {
        let store = &mut self.encoder.store;
        let mut result = Vec::new();
        for (&one, &two) in one.iter().flatten().zip(two.iter().flatten()) {
            let (one, two) = (store.member(self.node, one), store.member(self.node, two));
            result.push(store.and([one, two]));
        }
        result
    }

    /// *inter*(X, Y): some place is in both.
    fn inter(&mut self, one: &Places, two: &Places) -> FormulaId {
        let common = self.common(one, two);
        let any = self.encoder.store.or(common);
        self.somewhere(any)
    }

    /// *single*(X, Y): exactly one place is in both. (The paper counts nodes; several components may sit
    /// on one.)
    fn single(&mut self, one: &Places, two: &Places) -> FormulaId {
        let common = self.common(one, two);
        let store = &mut self.encoder.store;
        let mut pairs = Vec::new();
        for (position, &one) in common.iter().enumerate() {
            for &other in &common[..position] {
                pairs.push(store.and([one, other]));
            }
        }
        let any = store.or(common);
        let node = store.exists_one_node(self.x, any);
        let pair = store.or(pairs);
        let pair = store.exists_node(self.x, pair);
        let no_pair = store.not(pair);
        store.and([node, no_pair])
    }

    /// *init*(X): X is the initial marking.
    fn init(&mut self, set: &Places) -> FormulaId {
        let here: Vec<FormulaId> = {
            let mut parts = Vec::new();
            for (j, tracks) in set.iter().enumerate() {
                for (s, &track) in tracks.iter().enumerate() {
                    let inside = self.encoder.store.member(self.node, track);
                    let starts = self.starts_in(j, s);
                    parts.push(self.encoder.store.iff(inside, starts));
                }
            }
            parts
        };
        let all = self.encoder.store.and(here);
        self.everywhere(all)
    }

    /// Φ(X, X′, U), (12): the tuples are the pre- and post-set of some transition.
    pub(crate) fn flow(&mut self, pre: &Places, post: &Places) -> Result<FormulaId, EncodeError> {
        let mut parts = Vec::new();
        for position in 0..self.encoder.firings.alive.len() {
            for firing in self.encoder.firings.alive[position].combinations() {
                parts.push(self.psi(&firing, pre, post)?);
            }
        }
        Ok(self.encoder.store.or(parts))
    }

    /// Ψ(X, X′, U), (13)–(15), for one family of transitions.
    fn psi(&mut self, firing: &Firing, pre: &Places, post: &Places) -> Result<FormulaId, EncodeError> {
        let moves: Vec<(VariableId, Case)> =
            firing.moves.iter().flat_map(|m| m.cases.iter().map(|&case| (m.variable, case))).collect();
        // Where each component can sit: positions j of instance atoms of its type.
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, case) in &moves {
            let mut positions: Vec<usize> = self
                .instances()
                .into_iter()
                .filter(|(_, _, atom)| atom.component == case.component)
                .map(|(_, j, _)| j)
                .collect();
            positions.sort_unstable();
            positions.dedup();
            if ways.len().saturating_mul(positions.len()) > MAX_WAYS {
                return Err(EncodeError::Firings);
            }
            ways = ways
                .iter()
                .flat_map(|way| positions.iter().map(move |&j| [way.as_slice(), &[j]].concat()))
                .collect();
        }
        let nodes: Vec<NodeVariable> = (0..moves.len()).map(|position| self.bound(position + 1)).collect();
        let start = self.bound(0);
        let mut parts = Vec::new();
        for way in ways {
            let at_start = self.encoder.store.node(start);
            let mut body = vec![self.labelled(at_start, firing.rule)];
            for ((&(variable, case), &node), &j) in moves.iter().zip(&nodes).zip(&way) {
                body.push(self.leads_to((firing.rule, variable), case.component, j, start, node));
            }
            for (set, state) in [(pre, true), (post, false)] {
                for (j, tracks) in set.iter().enumerate() {
                    for (s, &track) in tracks.iter().enumerate() {
                        let mut sits = Vec::new();
                        for (((_, case), &node), &position) in moves.iter().zip(&nodes).zip(&way) {
                            let place = if state { case.from } else { case.to };
                            if position == j && place.index() == s {
                                let node = self.encoder.store.node(node);
                                sits.push(self.encoder.store.equal(self.node, node));
                            }
                        }
                        let is_one = self.encoder.store.or(sits);
                        let inside = self.encoder.store.member(self.node, track);
                        let same = self.encoder.store.iff(inside, is_one);
                        body.push(self.everywhere(same));
                    }
                }
            }
            let body = self.encoder.store.and(body);
            let all = [&[start], nodes.as_slice()].concat();
            parts.push(
                all.into_iter().rev().fold(body, |part, node| self.encoder.store.exists_node(node, part)),
            );
        }
        Ok(self.encoder.store.or(parts))
    }

    /// (14): the component bound to a variable at the node x is the j-th of the node y, of this type.
    fn leads_to(
        &mut self,
        from: (RuleId, VariableId),
        component: TypeId,
        j: usize,
        x: NodeVariable,
        y: NodeVariable,
    ) -> FormulaId {
        let targets: Vec<(RuleId, VariableId)> = self
            .instances()
            .into_iter()
            .filter(|(_, number, atom)| *number == j && atom.component == component)
            .map(|(rule, _, atom)| (rule, atom.variable))
            .collect();
        let parts: Vec<FormulaId> = targets.into_iter().map(|to| self.path(from, to, x, y)).collect();
        self.encoder.store.or(parts)
    }

    /// ∀Y¹, Y². Φ(Y¹, Y², U) ⇒ φ(Y¹, Y²)
    fn for_all_flows(
        &mut self,
        then: impl FnOnce(&mut Self, &Places, &Places) -> Result<FormulaId, EncodeError>,
    ) -> Result<FormulaId, EncodeError> {
        let (pre, post) = (self.new_places("P"), self.new_places("Q"));
        let rtree = self.encoder.rtree();
        let flow = self.flow(&pre, &post)?;
        let flow = self.encoder.store.and([rtree, flow]);
        let then = then(self, &pre, &post)?;
        let body = self.encoder.store.implies(flow, then);
        let sets: Vec<SetVariable> = pre.into_iter().chain(post).flatten().collect();
        Ok(self.encoder.store.forall_sets(&sets, body))
    }

    /// *trap*^Φ(θ, U): every transition that takes a place of θ gives one back.
    pub(crate) fn trap(&mut self, theta: &Places) -> Result<FormulaId, EncodeError> {
        self.for_all_flows(|flow, pre, post| {
            let (taken, given) = (flow.inter(theta, pre), flow.inter(theta, post));
            Ok(flow.encoder.store.implies(taken, given))
        })
    }

    /// *mutex*^Φ(θ, U), in the weaker form: every transition that takes none or one place of θ gives as
    /// many.
    pub(crate) fn mutex(&mut self, theta: &Places) -> Result<FormulaId, EncodeError> {
        self.for_all_flows(|flow, pre, post| {
            let (taken, given) = (flow.inter(theta, pre), flow.inter(theta, post));
            let (one, other) = (flow.single(theta, pre), flow.single(theta, post));
            let kept = flow.encoder.store.implies(one, other);
            let none = flow.encoder.store.implies(given, taken);
            Ok(flow.encoder.store.and([none, kept]))
        })
    }

    /// *TrapInv*^Φ(X, U): X meets every trap that is initially marked. U must be a rewriting tree and X a
    /// marking of it.
    pub(crate) fn trap_inv(&mut self) -> Result<FormulaId, EncodeError> {
        let (start, theta) = (self.new_places("S"), self.encoder.theta.clone());
        let (rtree, mark, inst) = (self.encoder.rtree(), self.encoder.mark(), self.encoder.inst(&theta));
        let init = self.init(&start);
        let meets = self.inter(&start, &theta);
        let trap = self.trap(&theta)?;
        let marking = self.encoder.tracks.marking.clone();
        let marked = self.inter(&marking, &theta);
        let applies = self.encoder.store.and([rtree, inst, trap, init, meets, mark]);
        let body = self.encoder.store.implies(applies, marked);
        let sets: Vec<SetVariable> = start.into_iter().chain(theta).flatten().collect();
        Ok(self.encoder.store.forall_sets(&sets, body))
    }

    /// *MutexInv*^Φ(X, U): X meets every mutex in one place.
    pub(crate) fn mutex_inv(&mut self) -> Result<FormulaId, EncodeError> {
        let (start, theta) = (self.new_places("S"), self.encoder.theta.clone());
        let (rtree, mark, inst) = (self.encoder.rtree(), self.encoder.mark(), self.encoder.inst(&theta));
        let init = self.init(&start);
        let meets = self.single(&start, &theta);
        let mutex = self.mutex(&theta)?;
        let marking = self.encoder.tracks.marking.clone();
        let marked = self.single(&marking, &theta);
        let applies = self.encoder.store.and([rtree, inst, mutex, init, meets, mark]);
        let body = self.encoder.store.implies(applies, marked);
        let sets: Vec<SetVariable> = start.into_iter().chain(theta).flatten().collect();
        Ok(self.encoder.store.forall_sets(&sets, body))
    }

    /// *DeadLock*^Φ(X, U): every transition lacks a pre-place (ignoring `final` states).
    pub(crate) fn deadlock(&mut self) -> Result<FormulaId, EncodeError> {
        let marking = self.encoder.tracks.marking.clone();
        self.for_all_flows(|flow, pre, _| {
            let mut missing = Vec::new();
            for (&taken, &marked) in pre.iter().flatten().zip(marking.iter().flatten()) {
                let inside = flow.encoder.store.member(flow.node, taken);
                let marked = flow.encoder.store.member(flow.node, marked);
                let unmarked = flow.encoder.store.not(marked);
                missing.push(flow.encoder.store.and([inside, unmarked]));
            }
            let any = flow.encoder.store.or(missing);
            Ok(flow.somewhere(any))
        })
    }
}

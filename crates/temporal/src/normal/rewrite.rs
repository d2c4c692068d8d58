//! Making formulas, and simplifying them as they are made.
//!
//! The rules are those of Somenzi and Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000, section
//! 3 (SB), and of Etessami and Holzmann, *Optimizing Büchi automata*, CONCUR 2000, section 4 (EH). ≤ is
//! implication as far as the form shows it ([`Arena::implies`]). Each rule stands where it is applied; its
//! dual is applied in the function for the dual operator.

use super::{Arena, Node, NormalId, always, never};

/// Lists longer than this are not searched for parts that follow from others: the search is quadratic.
const MAX_COMPARED: usize = 40;

impl Arena {
    /// `X φ`
    pub(crate) fn next(&mut self, inner: NormalId) -> NormalId {
        // X true = true, X false = false (SB); X φ = φ if φ is both eventual and universal (EH).
        let classes = self.classes[inner];
        if inner == always()
            || inner == never()
            || self.rewrites && classes.is_eventual && classes.is_universal
        {
            return inner;
        }
        self.intern(Node::Next(inner))
    }

    /// `φ U ψ`
    pub(crate) fn until(&mut self, left: NormalId, right: NormalId) -> NormalId {
        // φ U true = true, φ U false = false, false U ψ = ψ (SB).
        if right == always() || right == never() || left == never() {
            return right;
        }
        if !self.rewrites {
            return self.intern(Node::Until(left, right));
        }
        // φ U ψ = ψ if φ ≤ ψ (SB), or if ψ is eventual (EH).
        if self.classes[right].is_eventual || self.implies(left, right) {
            return right;
        }
        // φ U ψ = F ψ if !ψ ≤ φ (SB).
        let not_right = self.negation(right);
        if left != always() && self.implies(not_right, left) {
            return self.until(always(), right);
        }
        match (self.nodes[left].clone(), self.nodes[right].clone()) {
            // X φ U X ψ = X (φ U ψ) (SB)
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.until(left, right);
                self.next(inner)
            }
            (Node::True, Node::Next(right)) => {
                let inner = self.until(always(), right);
                self.next(inner)
            }
            // φ U (χ U ψ) = χ U ψ if φ ≤ χ (SB)
            (_, Node::Until(hold, _)) if self.implies(left, hold) => right,
            // F (χ U ψ) = F ψ: both are reached at once.
            (Node::True, Node::Until(_, goal)) => self.until(always(), goal),
            _ => self.intern(Node::Until(left, right)),
        }
    }

    /// `φ R ψ`
    pub(crate) fn release(&mut self, left: NormalId, right: NormalId) -> NormalId {
        if right == always() || right == never() || left == always() {
            return right;
        }
        if !self.rewrites {
            return self.intern(Node::Release(left, right));
        }
        if self.classes[right].is_universal || self.implies(right, left) {
            return right;
        }
        let not_right = self.negation(right);
        if left != never() && self.implies(left, not_right) {
            return self.release(never(), right);
        }
        match (self.nodes[left].clone(), self.nodes[right].clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.release(left, right);
                self.next(inner)
            }
            (Node::False, Node::Next(right)) => {
                let inner = self.release(never(), right);
                self.next(inner)
            }
            (_, Node::Release(hold, _)) if self.implies(hold, left) => right,
            (Node::False, Node::Release(_, kept)) => self.release(never(), kept),
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// `φ & ψ & …`
    pub(crate) fn and(&mut self, parts: Vec<NormalId>) -> NormalId {
        self.joined(parts, true)
    }

    /// `φ | ψ | …`
    pub(crate) fn or(&mut self, parts: Vec<NormalId>) -> NormalId {
        self.joined(parts, false)
    }

    /// A conjunction, or else a disjunction.
    fn joined(&mut self, parts: Vec<NormalId>, is_and: bool) -> NormalId {
        let (neutral, absorbing) = if is_and { (always(), never()) } else { (never(), always()) };
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match (&self.nodes[part], is_and) {
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend(inner.iter().copied()),
                _ if part == neutral => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&absorbing) {
            return absorbing;
        }
        for part in &flat {
            if let Node::Literal { atom, holds } = self.nodes[*part]
                && self
                    .ids
                    .get(&Node::Literal { atom, holds: !holds })
                    .is_some_and(|id| flat.binary_search(id).is_ok())
            {
                return absorbing;
            }
        }
        if self.rewrites && flat.len() <= MAX_COMPARED {
            if self.drops_implied(&mut flat, is_and) {
                return absorbing;
            }
            if self.merges_two(&mut flat, is_and) {
                // One part less: this ends.
                return self.joined(flat, is_and);
            }
        }
        match flat.as_slice() {
            [] => neutral,
            [only] => *only,
            _ if is_and => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// φ & ψ = φ if φ ≤ ψ (SB): takes away what follows from another part. Whether nothing can satisfy the
    /// parts: φ & ψ = false if φ ≤ !ψ (SB).
    fn drops_implied(&mut self, parts: &mut Vec<NormalId>, is_and: bool) -> bool {
        let mut at = 0;
        while let Some(&part) = parts.get(at) {
            let negation = self.negation(part);
            let mut is_dropped = false;
            for other in parts.clone() {
                if other == part {
                    continue;
                }
                let (is_absorbed, is_contrary) = if is_and {
                    (self.implies(other, part), self.implies(other, negation))
                } else {
                    (self.implies(part, other), self.implies(negation, other))
                };
                if is_contrary {
                    return true;
                }
                is_dropped |= is_absorbed;
            }
            if is_dropped {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
        false
    }

    /// Makes one part of two, where a rule of SB says how; whether it did.
    fn merges_two(&mut self, parts: &mut Vec<NormalId>, is_and: bool) -> bool {
        for second in 1..parts.len() {
            for first in 0..second {
                if let Some(merged) = self.merged(parts[first], parts[second], is_and) {
                    parts.remove(second);
                    parts[first] = merged;
                    return true;
                }
            }
        }
        false
    }

    fn merged(&mut self, first: NormalId, second: NormalId, is_and: bool) -> Option<NormalId> {
        match (self.nodes[first].clone(), self.nodes[second].clone()) {
            // X φ & X ψ = X (φ & ψ)
            (Node::Next(first), Node::Next(second)) => {
                let inner = self.joined(vec![first, second], is_and);
                Some(self.next(inner))
            }
            (Node::Until(hold, goal), Node::Until(other_hold, other_goal)) => {
                if is_and && goal == other_goal {
                    // (φ U χ) & (ψ U χ) = (φ & ψ) U χ
                    let hold = self.and(vec![hold, other_hold]);
                    return Some(self.until(hold, goal));
                }
                if !is_and && hold == other_hold {
                    // (χ U φ) | (χ U ψ) = χ U (φ | ψ)
                    let goal = self.or(vec![goal, other_goal]);
                    return Some(self.until(hold, goal));
                }
                // F G φ & F G ψ = F G (φ & ψ)
                let (inner, other) = (self.globally_of(goal)?, self.globally_of(other_goal)?);
                if !is_and || hold != always() || other_hold != always() {
                    return None;
                }
                let both = self.and(vec![inner, other]);
                let kept = self.release(never(), both);
                Some(self.until(always(), kept))
            }
            (Node::Release(goal, kept), Node::Release(other_goal, other_kept)) => {
                if is_and && goal == other_goal {
                    // (χ R φ) & (χ R ψ) = χ R (φ & ψ)
                    let kept = self.and(vec![kept, other_kept]);
                    return Some(self.release(goal, kept));
                }
                if !is_and && kept == other_kept {
                    // (φ R χ) | (ψ R χ) = (φ | ψ) R χ
                    let goal = self.or(vec![goal, other_goal]);
                    return Some(self.release(goal, kept));
                }
                // G F φ | G F ψ = G F (φ | ψ)
                let (inner, other) = (self.finally_of(kept)?, self.finally_of(other_kept)?);
                if is_and || goal != never() || other_goal != never() {
                    return None;
                }
                let either = self.or(vec![inner, other]);
                let reached = self.until(always(), either);
                Some(self.release(never(), reached))
            }
            _ => None,
        }
    }

    /// φ, of `G φ`.
    fn globally_of(&self, id: NormalId) -> Option<NormalId> {
        match self.nodes[id] {
            Node::Release(goal, kept) if goal == never() => Some(kept),
            _ => None,
        }
    }

    /// φ, of `F φ`.
    fn finally_of(&self, id: NormalId) -> Option<NormalId> {
        match self.nodes[id] {
            Node::Until(hold, goal) if hold == always() => Some(goal),
            _ => None,
        }
    }
}

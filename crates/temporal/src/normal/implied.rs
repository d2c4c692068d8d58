//! Which formulas follow from which, as far as their form shows it.
//!
//! Somenzi and Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000, section 3: the least relation
//! with the rules below, and two for the classes of Etessami and Holzmann. It is sound and quick, and far
//! from complete.

use super::{Arena, Node, NormalId, always, never};

impl Arena {
    /// Whether `left` is seen to imply `right`.
    pub fn implies(&mut self, left: NormalId, right: NormalId) -> bool {
        if left == right || left == never() || right == always() {
            return true;
        }
        if left == always() || right == never() {
            return false;
        }
        if let Some(known) = self.implied.get(&(left, right)) {
            return *known;
        }
        let is_implied = self.implies_by_form(left, right);
        self.implied.insert((left, right), is_implied);
        is_implied
    }

    fn implies_by_form(&mut self, left: NormalId, right: NormalId) -> bool {
        let (from, to) = (self.nodes[left].clone(), self.nodes[right].clone());
        match (&from, &to) {
            // Both sides must be taken apart completely: first those where nothing is chosen.
            (Node::Or(parts), _) => return parts.iter().all(|part| self.implies(*part, right)),
            (_, Node::And(parts)) => return parts.iter().all(|part| self.implies(left, *part)),
            _ => {}
        }
        // Any one rule is enough.
        let is_left = match &from {
            Node::And(parts) => parts.iter().any(|part| self.implies(*part, right)),
            Node::Until(hold, goal) => self.implies(*hold, right) && self.implies(*goal, right),
            Node::Release(_, kept) => self.implies(*kept, right),
            // What is eventual holds now if it does later.
            Node::Next(inner) => self.classes[right].is_eventual && self.implies(*inner, right),
            _ => false,
        };
        if is_left {
            return true;
        }
        let is_right = match &to {
            Node::Or(parts) => parts.iter().any(|part| self.implies(left, *part)),
            Node::Until(_, goal) => self.implies(left, *goal),
            Node::Release(goal, kept) => self.implies(left, *goal) && self.implies(left, *kept),
            // What is universal holds later if it does now.
            Node::Next(inner) => self.classes[left].is_universal && self.implies(left, *inner),
            _ => false,
        };
        if is_right {
            return true;
        }
        match (from, to) {
            (Node::Next(from), Node::Next(to)) => self.implies(from, to),
            (Node::Until(hold, goal), Node::Until(other_hold, other_goal)) => {
                self.implies(hold, other_hold) && self.implies(goal, other_goal)
            }
            (Node::Release(goal, kept), Node::Release(other_goal, other_kept)) => {
                self.implies(goal, other_goal) && self.implies(kept, other_kept)
            }
            _ => false,
        }
    }
}

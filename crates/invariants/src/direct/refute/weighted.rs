//! Clauses for sets whose places have weights.
//!
//! A place has one variable per weight other than 0, of which at most one is true. A sum modulo m is m
//! literals, of which the right one is implied to be true. A linear sum of a marking is followed as the
//! fixpoint follows it, part by part, as a lower bound between −B and B: so what is found is just what the
//! fixpoint can use.

use std::collections::BTreeSet;

use batsat::Lit;

use crate::kind::InvariantKind;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net, NetTransition};
use paramcheck_text::limits::{Budget, Stop};

use super::{Encoder, Joins};

/// As [`super::find`], for weighted kinds; `alive` are the transitions that count.
pub(super) fn find<'n>(
    net: &Net,
    joins: &Joins<'_>,
    alive: impl Iterator<Item = &'n NetTransition>,
    kind: InvariantKind,
    marking: &Marking,
    budget: &Budget,
) -> Result<Option<Vec<i8>>, Stop> {
    let mut clauses = Weighted::new(net, kind, budget);
    let mut seen = BTreeSet::new();
    for transition in alive {
        clauses.encoder.check()?;
        // A component that stays where it is takes nothing and gives nothing.
        let moves = || transition.moves.iter().filter(|m| m.from != m.to);
        let mut pre: Vec<usize> = moves().map(|m| net.place(m.component, m.from)).collect();
        let mut post: Vec<usize> = moves().map(|m| net.place(m.component, m.to)).collect();
        pre.sort_unstable();
        post.sort_unstable();
        if seen.insert((pre.clone(), post.clone())) {
            match kind {
                InvariantKind::Modulo(modulus) => clauses.keeps_residue(modulus.into(), &pre, &post),
                _ => clauses.never_grows(&pre, &post),
            }
        }
    }
    let changes = net
        .components()
        .enumerate()
        .map(|(id, component)| (net.place(id, component.initial), net.place(id, marking[id])));
    match kind {
        InvariantKind::Modulo(modulus) => {
            let (initial, marked): (Vec<_>, Vec<_>) = changes.filter(|(start, now)| start != now).unzip();
            clauses.changes_residue(modulus.into(), &initial, &marked);
        }
        _ => {
            let change =
                |id: ComponentId| (net.place(id, net.components()[id].initial), net.place(id, marking[id]));
            clauses.grows(kind.cap().into(), joins, change);
        }
    }
    let Weighted { encoder, weights } = clauses;
    let found = encoder.minimal()?;
    Ok(found.map(|members| {
        let mut rest = members.into_iter();
        let weight = |choices: &Vec<(i8, Lit)>| {
            let chosen = choices.iter().zip(rest.by_ref()).filter(|(_, is_chosen)| *is_chosen);
            chosen.map(|((weight, _), _)| *weight).sum()
        };
        weights.iter().map(weight).collect()
    }))
}

struct Weighted<'a> {
    encoder: Encoder<'a>,
    /// Per place the weights it may have beside 0.
    weights: Vec<Vec<(i8, Lit)>>,
}

impl<'a> Weighted<'a> {
    fn new(net: &Net, kind: InvariantKind, budget: &'a Budget) -> Self {
        let mut encoder = Encoder::new(budget);
        let mut weights = Vec::with_capacity(net.place_count());
        for _ in 0..net.place_count() {
            let choices: Vec<(i8, Lit)> = kind
                .weights()
                .filter(|&weight| weight != 0)
                .map(|weight| (weight, encoder.member()))
                .collect();
            for (position, &(_, one)) in choices.iter().enumerate() {
                for &(_, other) in &choices[..position] {
                    encoder.clause([!one, !other]);
                }
                encoder.members.push(one);
            }
            weights.push(choices);
        }
        Weighted { encoder, weights }
    }

    /// The literals of `place` having `weight` (other than 0, and one it may have).
    fn has(&self, place: usize, weight: i8) -> Vec<Lit> {
        self.weights[place]
            .iter()
            .filter(|(known, _)| *known == weight)
            .map(|&(_, literal)| literal)
            .collect()
    }

    /// A clause's literals that say that `place` does not have `weight`.
    fn lacks(&self, place: usize, weight: i8) -> Vec<Lit> {
        if weight == 0 {
            return self.weights[place].iter().map(|&(_, literal)| literal).collect();
        }
        self.has(place, weight).into_iter().map(|literal| !literal).collect()
    }

    /// A transition with these places before and after it does not make the weight grow.
    fn never_grows(&mut self, pre: &[usize], post: &[usize]) {
        let of = |more: &[usize], less: &[usize]| -> Vec<Lit> {
            let plus = more.iter().flat_map(|&place| self.has(place, 1));
            plus.chain(less.iter().flat_map(|&place| self.has(place, -1))).collect()
        };
        let (up, down) = (of(post, pre), of(pre, post));
        let cap = up.len();
        let (up, down) = (self.encoder.counter(&up, cap), self.encoder.counter(&down, cap));
        for (up, down) in up.into_iter().zip(down) {
            self.encoder.clause([!up, down]);
        }
    }

    /// A transition with these places before and after it changes the weight by a multiple of `modulus`.
    fn keeps_residue(&mut self, modulus: usize, pre: &[usize], post: &[usize]) {
        for residue in self.residues(modulus, pre, post).into_iter().skip(1) {
            self.encoder.clause([!residue]);
        }
    }

    /// The places marked weigh, modulo `modulus`, something else than the places initially marked.
    fn changes_residue(&mut self, modulus: usize, initial: &[usize], marked: &[usize]) {
        if let Some(&same) = self.residues(modulus, initial, marked).first() {
            self.encoder.clause([!same]);
        }
    }

    /// Per residue a literal that is true if what `post` weighs more than `pre` has it.
    fn residues(&mut self, modulus: usize, pre: &[usize], post: &[usize]) -> Vec<Lit> {
        let mut sums: Vec<Lit> = (0..modulus).map(|_| self.encoder.fresh()).collect();
        self.encoder.clause([sums[0]]);
        let terms = pre.iter().map(|&place| (place, -1)).chain(post.iter().map(|&place| (place, 1)));
        for (place, sign) in terms {
            let next: Vec<Lit> = (0..modulus).map(|_| self.encoder.fresh()).collect();
            for weight in 0..modulus {
                let but = self.lacks(place, weight as i8);
                for (residue, &sum) in sums.iter().enumerate() {
                    let total = (residue as i64 + sign * weight as i64).rem_euclid(modulus as i64) as usize;
                    self.encoder.clause(but.iter().copied().chain([!sum, next[total]]));
                }
            }
            sums = next;
        }
        sums
    }

    /// The whole weighs more than initially, as far as `bound` lets its parts' lower bounds show it.
    /// `change` gives a component's place initially and now.
    fn grows(&mut self, bound: i64, joins: &Joins<'_>, change: impl Fn(ComponentId) -> (usize, usize)) {
        let always = self.encoder.fresh();
        self.encoder.clause([always]);
        // Per part, for b from 1 − bound to bound: a literal that implies that it weighs b more, or more.
        let mut parts: Vec<Bounds> = vec![Bounds { first: 1 - bound, literals: vec![] }; joins.len()];
        for (here, &(created, children)) in joins.iter().enumerate().rev() {
            let literals = match (created, children) {
                (Some(component), _) => {
                    let (start, now) = change(component);
                    self.component(bound, always, start, now)
                }
                (None, []) => (1 - bound..=bound).map(|b| if b <= 0 { always } else { !always }).collect(),
                (None, &[only]) => parts[only].literals.clone(),
                (None, &[left, right, ..]) => self.sum(bound, &parts[left], &parts[right]),
            };
            parts[here].literals = literals;
        }
        let grown = parts.first().and_then(|root| root.at(1)).unwrap_or(!always);
        self.encoder.clause([grown]);
    }

    /// The bounds of a single component.
    fn component(&mut self, bound: i64, always: Lit, start: usize, now: usize) -> Vec<Lit> {
        if start == now {
            return (1 - bound..=bound).map(|b| if b <= 0 { always } else { !always }).collect();
        }
        let literals: Vec<Lit> = (1 - bound..=bound).map(|_| self.encoder.fresh()).collect();
        for before in -1..=1 {
            for after in -1..=1 {
                let but: Vec<Lit> =
                    self.lacks(start, before).into_iter().chain(self.lacks(now, after)).collect();
                let change = i64::from(after - before);
                if change < -bound {
                    self.encoder.clause(but);
                    continue;
                }
                for (b, &literal) in (1 - bound..).zip(&literals) {
                    if b > change {
                        self.encoder.clause(but.iter().copied().chain([!literal]));
                    }
                }
            }
        }
        literals
    }

    /// The bounds of two parts together: below a + b if they are below a and b.
    fn sum(&mut self, bound: i64, left: &Bounds, right: &Bounds) -> Vec<Lit> {
        let literals: Vec<Lit> = (1 - bound..=bound).map(|_| self.encoder.fresh()).collect();
        let result = Bounds { first: 1 - bound, literals };
        for a in 1 - bound..=bound + 1 {
            for b in 1 - bound..=bound + 1 {
                // Left is at most a − 1, right at most b − 1.
                let exceeded = a + b - 1;
                let but = left.at(a).into_iter().chain(right.at(b));
                if exceeded <= -bound {
                    self.encoder.clause(but);
                } else if let Some(literal) = result.at(exceeded) {
                    self.encoder.clause(but.chain([!literal]));
                }
            }
        }
        result.literals
    }
}

/// Literals for "at least b", for successive b.
#[derive(Clone, Debug)]
struct Bounds {
    first: i64,
    literals: Vec<Lit>,
}

impl Bounds {
    fn at(&self, bound: i64) -> Option<Lit> {
        usize::try_from(bound - self.first).ok().and_then(|position| self.literals.get(position)).copied()
    }
}

//! Formulas over components as Boolean combinations of counts.
//!
//! **Thresholds.** Let φ be a part of a formula and t(φ) be
//! - 0 for constants, x ∈ X and x = y; 1 for X = Y and X ⊆ Y;
//! - the largest of its parts' for a connective;
//! - t(ψ) + 1 for a quantifier over components with body ψ, 2·t(ψ) for one over sets. Where the variable is
//!   not free in ψ: the larger of t(ψ) and 1, or t(ψ).
//!
//! Claim: whether φ holds does not change when the count of an anonymous [cell](super::evaluate) is
//! changed from one number ≥ t(φ) to another. By induction. What x ∈ X and x = y say depends on the cells of
//! bound components, which have no counts. X = Y and X ⊆ Y say which cells are not empty. Parts of a
//! connective see sums of the cells, as they know fewer variables; a sum with a part ≥ t is ≥ t. ∃x ψ: a
//! component can be taken out of a cell if its count is ≥ 1, then one less is left: a count ≥ t(ψ) + 1
//! leaves one ≥ t(ψ). ∃X ψ: a cell of n components is split into k and n − k, of which ψ only sees min(k, t)
//! and min(n − k, t) with t = t(ψ). If n ≥ 2t, the pairs that can be seen so are (a, t) and (t, b) for all
//! a, b ≤ t, which does not depend on n: were both parts smaller than t, n would be less than 2t; and (a, t)
//! is seen at k = a for a < t, as then n − k > t, and (t, t) at k = t. Universal quantifiers are negations.
//!
//! So with T = t of the whole, the formula is a function of the counts of all colours that some component can
//! have, each capped at T: of (T + 1)^(number of colours) cases. Each is evaluated once, and the table
//! becomes a decision diagram over the colours, whose equal branches are one; its branches are comparisons
//! `#colour >= k`.
//!
//! The cases are limited: where there are too many, there is no reduction, and never a wrong one.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::evaluate::{Evaluation, TooMuchWork};
use super::{ComponentFormula, Order, Part, PartId};
use crate::component::{StateId, TypeId};
use crate::error::{Comparison, Count, ErrorFormula};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::join::joined;

/// The most cases that are evaluated.
const MAX_CASES: u64 = 4_096;
/// The most steps that this may take.
const MAX_WORK: u64 = 5_000_000;
/// The most comparisons that are written.
const MAX_COMPARISONS: usize = 4_096;

/// Why a formula over components is not made a combination of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCounting {
    /// There are too many cases to distinguish.
    #[error(
        "a formula over components tells {colours} classes of states apart, each counted up to {threshold}: \
         more than {MAX_CASES} cases"
    )]
    Cases {
        /// Colours.
        colours: usize,
        /// The number up to which they are counted.
        threshold: u64,
    },
    /// The cases take too long to evaluate.
    #[error("the cases of a formula over components take too long to evaluate")]
    Work,
    /// The result is too large.
    #[error("a formula over components stands for more than {MAX_COMPARISONS} comparisons")]
    Size,
}

impl From<TooMuchWork> for NotCounting {
    fn from(_: TooMuchWork) -> Self {
        NotCounting::Work
    }
}

impl ErrorFormula {
    /// The formula with every formula over components replaced by an equivalent combination of counts. The
    /// same formula gives the same result: error states of a certificate are laid out by it.
    ///
    /// # Errors
    /// One of them has none that is small enough.
    pub fn counting(&self) -> Result<Cow<'_, ErrorFormula>, NotCounting> {
        if self.has_component_formula() { Ok(Cow::Owned(self.replaced()?)) } else { Ok(Cow::Borrowed(self)) }
    }

    /// Whether a formula over components is part of it. Without recursion: any formula may be given.
    pub(crate) fn has_component_formula(&self) -> bool {
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                ErrorFormula::Components(_) => return true,
                ErrorFormula::Not(inner) => open.push(inner),
                ErrorFormula::And(parts) | ErrorFormula::Or(parts) => open.extend(parts),
                ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Pattern(_) => {}
            }
        }
        false
    }

    fn replaced(&self) -> Result<ErrorFormula, NotCounting> {
        let all = |parts: &[ErrorFormula]| -> Result<Vec<ErrorFormula>, NotCounting> {
            parts.iter().map(ErrorFormula::replaced).collect()
        };
        Ok(match self {
            ErrorFormula::Components(formula) => formula.counting()?,
            ErrorFormula::Not(inner) => ErrorFormula::Not(Box::new(inner.replaced()?)),
            ErrorFormula::And(parts) => ErrorFormula::And(all(parts)?),
            ErrorFormula::Or(parts) => ErrorFormula::Or(all(parts)?),
            ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Pattern(_) => self.clone(),
        })
    }
}

impl ComponentFormula {
    /// The number up to which components of one colour have to be counted: t of the module's text.
    pub fn threshold(&self) -> u64 {
        let mut thresholds: IndexVec<PartId, u64> = IndexVec::new();
        for part in self.parts.iter() {
            let inner = part.parts().into_iter().map(|part| thresholds[part]).max().unwrap_or(0);
            thresholds.push(match part {
                Part::SameSet(..) | Part::Subset(..) => 1,
                Part::Quantified { quantifier, variable, body, .. } => {
                    match (quantifier.order, self.is_free(*variable, *body)) {
                        (Order::First, true) => inner.saturating_add(1),
                        (Order::First, false) => inner.max(1),
                        (Order::Second, true) => inner.saturating_mul(2),
                        (Order::Second, false) => inner,
                    }
                }
                _ => inner,
            });
        }
        thresholds[self.whole()]
    }

    /// A Boolean combination of counts that holds in the same markings.
    ///
    /// # Errors
    /// There is none that is small enough and quickly found.
    pub(crate) fn counting(&self) -> Result<ErrorFormula, NotCounting> {
        let threshold = self.threshold();
        // No component ever has one of the others.
        let colours = self.occurring.len();
        let too_many = NotCounting::Cases { colours, threshold };
        let values = threshold.checked_add(1).ok_or(too_many)?;
        let mut cases: u64 = 1;
        // A threshold of 0 has one case, however many colours there are.
        for _ in 0..if threshold > 0 { colours } else { 0 } {
            cases = cases.saturating_mul(values);
            if cases > MAX_CASES {
                return Err(too_many);
            }
        }
        let mut evaluation = Evaluation::new(self, MAX_WORK);
        let mut counts = vec![0_u64; self.colours.len()];
        let mut table = Vec::new();
        for case in 0..cases {
            let mut rest = case;
            // The last colour changes fastest.
            for &colour in self.occurring.iter().rev() {
                counts[colour.index()] = rest % values;
                rest /= values;
            }
            table.push(evaluation.whole(&counts)?);
        }
        let mut diagram = Diagram::new();
        let root = diagram.of_table(&table, usize::try_from(values).unwrap_or(usize::MAX));
        let places: Vec<_> = self.occurring.iter().map(|&colour| &self.colours[colour]).collect();
        diagram.formula(root, &places)
    }
}

/// A node of a decision diagram: 0 is false, 1 is true, the others are in [`Diagram::nodes`].
type DiagramNode = usize;

/// A reduced decision diagram over the counts of colours.
struct Diagram {
    /// A colour, and per count the node to go on with. Those of 0 and 1 are empty.
    nodes: Vec<(usize, Vec<DiagramNode>)>,
    known: FxHashMap<(usize, Vec<DiagramNode>), DiagramNode>,
}

impl Diagram {
    fn new() -> Self {
        Diagram { nodes: vec![(0, Vec::new()), (0, Vec::new())], known: FxHashMap::default() }
    }

    /// The diagram of a table that has one entry per case, the last colour's count changing fastest; each
    /// count has `values` values.
    fn of_table(&mut self, table: &[bool], values: usize) -> DiagramNode {
        let mut row: Vec<DiagramNode> = table.iter().map(|&value| usize::from(value)).collect();
        // How many colours there are, from the number of cases: the last one first.
        let mut colour = 0;
        let mut cases = row.len();
        while values > 1 && cases > 1 {
            cases /= values;
            colour += 1;
        }
        while row.len() > 1 && colour > 0 {
            colour -= 1;
            row = row.chunks(values).map(|children| self.node(colour, children)).collect();
        }
        row.first().copied().unwrap_or(0)
    }

    fn node(&mut self, colour: usize, children: &[DiagramNode]) -> DiagramNode {
        if let Some((&first, rest)) = children.split_first()
            && rest.iter().all(|&child| child == first)
        {
            return first;
        }
        let key = (colour, children.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.nodes.push(key.clone());
        self.known.insert(key, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// A diagram as a formula. (Parts that the diagram shares are written again.)
    fn formula(
        &self,
        root: DiagramNode,
        colours: &[&Vec<(TypeId, StateId)>],
    ) -> Result<ErrorFormula, NotCounting> {
        // Children have smaller numbers than their parents. Per node its formula and its comparisons.
        let mut formulas: Vec<(ErrorFormula, usize)> =
            vec![(ErrorFormula::Or(Vec::new()), 0), (ErrorFormula::And(Vec::new()), 0)];
        for (colour, children) in self.nodes.iter().skip(2) {
            let places = colours[*colour];
            let mut size = 0_usize;
            let mut ways = Vec::new();
            let mut from = 0;
            while let Some(&child) = children.get(from) {
                let rest = children.get(from..).unwrap_or_default();
                let run = rest.iter().take_while(|&&next| next == child).count();
                let to = from + run;
                if child != 0 {
                    let mut parts = range(places, from, (to < children.len()).then_some(to));
                    let (formula, inner) = formulas.get(child).ok_or(NotCounting::Size)?;
                    size = size.saturating_add(parts.len()).saturating_add(*inner);
                    if size > MAX_COMPARISONS {
                        return Err(NotCounting::Size);
                    }
                    match formula {
                        ErrorFormula::And(more) => parts.extend(more.iter().cloned()),
                        other => parts.push(other.clone()),
                    }
                    ways.push(joined(parts, ErrorFormula::And));
                }
                from = to;
            }
            formulas.push((joined(ways, ErrorFormula::Or), size));
        }
        formulas.into_iter().nth(root).map(|(formula, _)| formula).ok_or(NotCounting::Size)
    }
}

/// The comparisons that say: at least `from` components are at these places, and fewer than `to`.
fn range(places: &[(TypeId, StateId)], from: usize, to: Option<usize>) -> Vec<ErrorFormula> {
    let compare = |comparison, bound: usize| {
        let weights = places.iter().map(|&(component, state)| (component, state, 1)).collect();
        ErrorFormula::Count(Count { weights, comparison, bound: bound as u64 })
    };
    match to {
        Some(to) if to == from + 1 => vec![compare(Comparison::Equal, from)],
        Some(to) if from == 0 => vec![compare(Comparison::Less, to)],
        Some(to) => vec![compare(Comparison::AtLeast, from), compare(Comparison::Less, to)],
        None => vec![compare(Comparison::AtLeast, from)],
    }
}

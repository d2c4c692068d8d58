//! The truth of a formula, by the numbers of components of each colour.
//!
//! What a formula can see of the components is a multiset of *cells*: colour, which of the set variables in
//! scope contain it, and how many components are so; a component that a variable is bound to is a cell of its
//! own. A component variable is bound to one component of some cell: which one makes no difference. A set
//! variable takes some number of components out of each cell, again no matter which. So there are
//! polynomially many choices, not exponentially many. Parts are evaluated once per state of their free
//! variables.

use rustc_hash::FxHashMap;

use super::{ComponentFormula, Order, Part, PartId, SetTerm, Variable};
use paramcheck_text::index::Idx;

/// The evaluation takes more work than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("evaluating the formula over components takes too long")]
pub struct TooMuchWork;

impl ComponentFormula {
    /// Whether the formula holds where `counts` components are of each colour, in at most `work` steps.
    ///
    /// # Errors
    /// It takes more steps.
    pub fn holds(&self, counts: &[u64], work: u64) -> Result<bool, TooMuchWork> {
        Evaluation::new(self, work).whole(counts)
    }

    /// As [`ComponentFormula::holds`], with its errors, and how many steps were taken.
    pub fn holds_and_cost(&self, counts: &[u64], work: u64) -> (Result<bool, TooMuchWork>, u64) {
        let mut evaluation = Evaluation::new(self, work);
        let holds = evaluation.whole(counts);
        (holds, work - evaluation.work)
    }
}

/// Components that look alike to the variables in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell {
    colour: usize,
    /// The set variables that contain them.
    sets: u64,
    /// The component variables bound to the component; where there is one, it is alone.
    names: u64,
    count: u64,
}

/// Cells in ascending order, none empty, anonymous ones different in colour or sets.
type State = Vec<Cell>;

/// Evaluates one formula, perhaps for several counts.
pub(super) struct Evaluation<'a> {
    formula: &'a ComponentFormula,
    known: FxHashMap<(PartId, State), bool>,
    work: u64,
}

impl<'a> Evaluation<'a> {
    /// Evaluates `formula` in at most `work` steps altogether.
    pub(super) fn new(formula: &'a ComponentFormula, work: u64) -> Self {
        Evaluation { formula, known: FxHashMap::default(), work }
    }

    /// Whether the formula holds for these numbers of components per colour.
    pub(super) fn whole(&mut self, counts: &[u64]) -> Result<bool, TooMuchWork> {
        let cells =
            counts.iter().enumerate().map(|(colour, &count)| Cell { colour, sets: 0, names: 0, count });
        let state: State = cells.filter(|cell| cell.count > 0).collect();
        self.part(self.formula.whole(), &state)
    }

    /// Whether a part holds. Recursion is bounded by the nesting of formulas.
    fn part(&mut self, id: PartId, state: &State) -> Result<bool, TooMuchWork> {
        self.spend(1 + state.len() as u64)?;
        let formula = self.formula;
        match &formula.parts[id] {
            Part::Constant(value) => Ok(*value),
            Part::In(x, set) => Ok(cell_of(state, *x).is_some_and(|cell| self.is_in(cell, *set))),
            Part::Same(x, y) => Ok(cell_of(state, *x).is_some_and(|cell| cell.names & y.bit() != 0)),
            Part::SameSet(left, right) => {
                Ok(state.iter().all(|cell| self.is_in(cell, *left) == self.is_in(cell, *right)))
            }
            Part::Subset(left, right) => {
                Ok(state.iter().all(|cell| !self.is_in(cell, *left) || self.is_in(cell, *right)))
            }
            Part::Not(part) => Ok(!self.part(*part, state)?),
            Part::And(parts) => {
                for &part in parts {
                    if !self.part(part, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Part::Or(parts) => {
                for &part in parts {
                    if self.part(part, state)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Part::Implies(left, right) => Ok(!self.part(*left, state)? || self.part(*right, state)?),
            Part::Iff(left, right) => Ok(self.part(*left, state)? == self.part(*right, state)?),
            Part::Quantified { quantifier, variable, body, .. } => {
                let key = (id, restricted(state, formula.free[id]));
                if let Some(&known) = self.known.get(&key) {
                    return Ok(known);
                }
                let state = &key.1;
                // For all = there is none that does not.
                let wanted = !quantifier.is_universal;
                let found = if !formula.is_free(*variable, *body) {
                    // Every choice is as good as any other; for a component there may be none.
                    let is_choice = quantifier.order == Order::Second || !state.is_empty();
                    is_choice && self.part(*body, state)? == wanted
                } else if quantifier.order == Order::First {
                    self.some_component(*variable, *body, wanted, state)?
                } else {
                    self.some_set(*variable, *body, wanted, state)?
                };
                let result = found == wanted;
                self.known.insert(key, result);
                Ok(result)
            }
        }
    }

    /// Whether some component makes `body` as `wanted`.
    fn some_component(
        &mut self,
        variable: Variable,
        body: PartId,
        wanted: bool,
        state: &State,
    ) -> Result<bool, TooMuchWork> {
        for (position, cell) in state.iter().enumerate() {
            let mut chosen = state.clone();
            if let Some(rest) = chosen.get_mut(position) {
                rest.count -= 1;
            }
            chosen.retain(|cell| cell.count > 0);
            chosen.push(Cell { names: cell.names | variable.bit(), count: 1, ..*cell });
            chosen.sort_unstable();
            if self.part(body, &chosen)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some set of components makes `body` as `wanted`.
    fn some_set(
        &mut self,
        variable: Variable,
        body: PartId,
        wanted: bool,
        state: &State,
    ) -> Result<bool, TooMuchWork> {
        // Per cell how many of its components are taken.
        let mut taken = vec![0_u64; state.len()];
        loop {
            let mut chosen = State::with_capacity(2 * state.len());
            for (cell, &inside) in state.iter().zip(&taken) {
                let outside = cell.count - inside;
                chosen.extend((outside > 0).then_some(Cell { count: outside, ..*cell }));
                let sets = cell.sets | variable.bit();
                chosen.extend((inside > 0).then_some(Cell { sets, count: inside, ..*cell }));
            }
            chosen.sort_unstable();
            self.spend(chosen.len() as u64)?;
            if self.part(body, &chosen)? == wanted {
                return Ok(true);
            }
            // The next combination.
            let mut is_last = true;
            for (number, cell) in taken.iter_mut().zip(state) {
                if *number < cell.count {
                    *number += 1;
                    is_last = false;
                    break;
                }
                *number = 0;
            }
            if is_last {
                return Ok(false);
            }
        }
    }

    fn is_in(&self, cell: &Cell, set: SetTerm) -> bool {
        match set {
            SetTerm::Variable(variable) => cell.sets & variable.bit() != 0,
            SetTerm::States(set) => self.formula.sets[set].colours.iter().any(|c| c.index() == cell.colour),
        }
    }

    fn spend(&mut self, steps: u64) -> Result<(), TooMuchWork> {
        let left = self.work.checked_sub(steps);
        self.work = left.unwrap_or(0);
        left.map(|_| ()).ok_or(TooMuchWork)
    }
}

/// The cell of the component that `variable` is bound to.
fn cell_of(state: &State, variable: Variable) -> Option<&Cell> {
    state.iter().find(|cell| cell.names & variable.bit() != 0)
}

/// What can be seen of a state by these variables alone.
fn restricted(state: &State, free: u64) -> State {
    let mut cells: State =
        state.iter().map(|cell| Cell { sets: cell.sets & free, names: cell.names & free, ..*cell }).collect();
    cells.sort_unstable();
    let mut merged = State::with_capacity(cells.len());
    for cell in cells {
        match merged.last_mut() {
            Some(last)
                if cell.names == 0 && (last.colour, last.sets, last.names) == (cell.colour, cell.sets, 0) =>
            {
                last.count += cell.count;
            }
            _ => merged.push(cell),
        }
    }
    merged
}

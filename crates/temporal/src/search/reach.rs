//! Bad prefixes, breadth first: for formulas whose negation, once true, is seen to be after finitely many
//! letters.
//!
//! The automaton of such a negation has a state from which it reads everything; a run that leads there has
//! violated the formula, whatever follows (Kupferman and Vardi, *Model checking of safety properties*, FMSD
//! 19, 2001). The first one that is found is a shortest.

use super::lasso::{Reached, run};
use super::product::{Halt, Product};
use crate::system::{End, RunOf, System};

/// A violation: a shortest run that the automaton has accepted after its last state.
pub(crate) fn reach<S: System>(product: &mut Product<'_, S>) -> Result<Option<RunOf<S>>, Halt> {
    let starts = product.initial()?;
    let mut reached = Reached::new(&starts, product.len());
    while let Some(pair) = reached.pop() {
        if product.is_lost(pair) {
            product.freeze();
            let way = reached.way(pair);
            return run(product, &way, &[], pair).map(Some);
        }
        product.expand(pair, reached.bytes())?;
        for (position, edge) in product.edges.iter().enumerate() {
            reached.reach(edge.target, (pair, position));
        }
    }
    Ok(None)
}

impl<S: System> Product<'_, S> {
    /// A shortest run to where a fault was met, if one was.
    pub(crate) fn fault_run(&mut self) -> Result<Option<FaultRun<S>>, Halt> {
        let Some((at, fault)) = self.fault.clone() else { return Ok(None) };
        self.freeze();
        let starts = self.initial()?;
        let mut reached = Reached::new(&starts, self.len());
        while let Some(pair) = reached.pop() {
            if pair == at {
                break;
            }
            self.expand(pair, 0)?;
            for (position, edge) in self.edges.iter().enumerate() {
                reached.reach(edge.target, (pair, position));
            }
        }
        let way = reached.way(at);
        let mut run = run(self, &way, &[], at)?;
        run.end = End::Stops;
        Ok(Some((fault, run)))
    }
}

/// A fault, and how it is met.
pub(crate) type FaultRun<S> = (<S as System>::Fault, RunOf<S>);

//! What exit conditions should offer, to show where those of the paper's Table 6 lose what follows.

use std::collections::BTreeSet;

use super::{Encoder, Exit, Id, LOST, NotPrinted, Occurrence, Printed, Work, ended};
use paramcheck_process::model::{System, Term, TermId, tau, terminated};
use paramcheck_text::index::{Idx, IndexVec};

impl Encoder<'_> {
    /// The exit condition of going to `whole`, after which comes what `next` offers, and whether something is
    /// lost.
    pub(crate) fn going_to(
        &mut self,
        whole: Id,
        counter: usize,
        next: &Exit,
        work: &mut Work<'_>,
    ) -> Result<Printed, NotPrinted> {
        let exit = self.enabler(whole, counter, work)?;
        let (required, is_elsewhere) = self.required(whole, counter, next, work)?;
        let is_in_it = |(counter, ids): (&usize, &BTreeSet<u32>)| {
            exit.get(counter).is_some_and(|printed| ids.is_subset(printed))
        };
        let is_lost = is_elsewhere || !required.iter().all(is_in_it);
        let remarks = if is_lost { BTreeSet::from([LOST]) } else { BTreeSet::new() };
        Ok(Printed { exit, required, remarks })
    }

    /// What going to `whole` should offer, and whether it comes to a constant whose triples go on to
    /// something else than what comes after it here. Unlike [`Self::enabler`], it passes what has terminated.
    fn required(
        &mut self,
        whole: Id,
        counter: usize,
        next: &Exit,
        work: &mut Work<'_>,
    ) -> Result<(Exit, bool), NotPrinted> {
        let mut required = Exit::new();
        let mut is_elsewhere = false;
        // What is to be looked at, and what comes after it; within a constant that is not needed.
        let mut todo: Vec<(Id, usize, Option<Exit>)> = vec![(whole, counter, Some(next.clone()))];
        if self.is_nothing[whole] {
            return Ok((next.clone(), false));
        }
        while let Some((at, counter, next)) = todo.pop() {
            work.step()?;
            let offered = match &self.occurrences[at] {
                Occurrence::Nil => 0,
                _ if self.is_nothing[at] => 0,
                Occurrence::Act(_, id) => *id,
                Occurrence::Parallel(_, id, operands) => {
                    todo.extend(
                        operands.iter().map(|(operand, own)| (*operand, *own, Some(ended(*own).required))),
                    );
                    *id
                }
                Occurrence::Constant(constant) => {
                    let constant = *constant;
                    let known = self.encoded.get(&(constant, counter));
                    is_elsewhere |= known.zip(next.as_ref()).is_some_and(|(known, next)| known != next);
                    todo.push((self.body(constant, counter, work)?, counter, None));
                    continue;
                }
                Occurrence::Sequence(first, second) => {
                    let (first, second) = (*first, *second);
                    if self.is_nothing[first] {
                        todo.push((second, counter, next));
                        continue;
                    }
                    let is_asked = matches!(self.occurrences[first], Occurrence::Constant(_));
                    let between = match next.filter(|_| is_asked) {
                        Some(next) => Some(self.required(second, counter, &next, work)?.0),
                        None => None,
                    };
                    todo.push((first, counter, between));
                    continue;
                }
                Occurrence::Restrict(inside, _) | Occurrence::Relabel(inside, _) => {
                    todo.push((*inside, counter, next));
                    continue;
                }
                Occurrence::Choice(parts) => {
                    let alternatives = parts.iter().filter(|part| !self.is_nothing[**part]);
                    todo.extend(alternatives.map(|part| (*part, counter, next.clone())));
                    continue;
                }
            };
            required.entry(counter).or_default().insert(offered);
        }
        Ok((required, is_elsewhere))
    }
}

/// Which terms have terminated without a join: where parallel compositions have, it hands over what follows.
pub(crate) fn nothing(system: &System) -> IndexVec<TermId, bool> {
    let terms = system.terms.iter().map(|term| match term {
        Term::Parallel(..) => Term::Prefix(tau(), TermId::new(0)),
        other => other.clone(),
    });
    terminated(&terms.collect(), &system.constants)
}

//! Steps for NuSMV: what the input variable may be, and what changes by it.

use std::fmt::Write as _;

use itertools::Itertools;

use super::{NO_STEP, STEP, Writer, value};
use crate::triple::{CounterId, LocationId, TripleId};
use paramcheck_text::index::{Idx, IndexVec};

impl Writer<'_> {
    /// What each value of the input variable demands.
    pub(super) fn steps(&self, text: &mut String) {
        text.push('\n');
        for (id, triple) in self.taken() {
            let takes = if triple.label().is_some() { self.takes(id, triple) } else { self.may[id].clone() };
            let _ = writeln!(text, "TRANS {} = {} -> {takes}", STEP[0], value(id));
        }
        text.push_str("-- a step that changes nothing where nothing is possible\n");
        let _ = writeln!(text, "TRANS {} = {NO_STEP} -> {}", STEP[0], self.stuck);
    }

    /// What each step changes.
    pub(super) fn changes(&self, text: &mut String) {
        let structure = self.terms.structure();
        let mut counters: IndexVec<CounterId, Vec<(LocationId, TripleId)>> =
            structure.counters.iter().map(|_| Vec::new()).collect();
        let mut variables: Vec<Vec<(TripleId, usize)>> = vec![Vec::new(); structure.variables.len()];
        for (id, triple) in self.taken() {
            for (counter, location) in &triple.exit {
                counters[*counter].push((*location, id));
            }
            for (position, assignment) in triple.assignments.iter().enumerate() {
                variables[assignment.variable.index()].push((id, position));
            }
        }
        text.push('\n');
        for (id, name) in self.terms.counters.enumerate().filter(|(id, _)| self.varies(*id)) {
            let mut own = std::mem::take(&mut counters[id]);
            own.sort_unstable();
            let cases: Vec<String> = own
                .iter()
                .chunk_by(|(location, _)| *location)
                .into_iter()
                .map(|(location, group)| {
                    let values = group.map(|(_, id)| value(*id)).collect::<Vec<_>>();
                    format!("{} : {}", is_step(&values), self.terms.location(id, location))
                })
                .collect();
            assign(text, name, &self.terms.initial(id), &cases, name);
        }
        let write = self.terms.expressions();
        for ((variable, name), own) in structure.variables.iter().zip(&self.terms.variables).zip(variables) {
            let initial = format!("{{{}}}", itertools::join(&variable.initial, ", "));
            let cases: Vec<String> = own
                .into_iter()
                .map(|(id, position)| {
                    // Only where it may be taken is the value one of the variable's.
                    let assignment = &structure.triples[id].assignments[position];
                    let result = write.number(&assignment.value);
                    // Of unreachable states NuSMV does not know that.
                    let room = match assignment.value.is_known() {
                        true => {
                            format!(" & {result} >= {} & {result} <= {}", variable.least, variable.greatest)
                        }
                        false => String::new(),
                    };
                    format!("{} & {}{room} : {result}", is_step(&[value(id)]), self.may[id])
                })
                .collect();
            assign(text, name, &initial, &cases, name);
        }
        if let Some(assumption) = &structure.assumption {
            let _ = writeln!(text, "INIT {};", write.condition(assumption));
        }
        // What is known of the last step stays as it is where there is none.
        let mut still: Vec<String> = self.terms.plan.silent().map(|(id, _)| value(id)).collect();
        still.push(NO_STEP.to_owned());
        let still = is_step(&still);
        if self.has_did() {
            let mut cases = vec![format!("{still} : {}", self.did)];
            let mut by_number: Vec<Vec<String>> = vec![Vec::new(); self.terms.plan.did.len() + 1];
            structure
                .steps()
                .for_each(|(id, triple)| by_number[self.terms.plan.did_after(triple)].push(value(id)));
            for (number, values) in
                by_number.iter().enumerate().skip(1).filter(|(_, values)| !values.is_empty())
            {
                cases.push(format!("{} : {number}", is_step(values)));
            }
            assign(text, &self.did, "0", &cases, "0");
        }
        if self.terms.plan.takes_turns {
            let agents = structure.agents.len();
            let cases = [format!("{still} : {}", self.turn)];
            assign(text, &self.turn, "0", &cases, &format!("({} + 1) mod {agents}", self.actor));
        }
        if self.has_actors() {
            let mut cases = Vec::new();
            let mut by_set = vec![Vec::new(); self.sets.len()];
            for (id, triple) in structure.steps() {
                // They are sorted, and all there.
                let position = self.sets.partition_point(|set| *set < triple.agents);
                by_set[position].push(value(id));
            }
            for (position, values) in by_set.iter().enumerate() {
                cases.push(format!("{} : {}", is_step(values), position + 1));
            }
            // Start and join triples belong to the step before; a step that changes nothing is no agent's.
            cases.push(format!("{} = {NO_STEP} : 0", STEP[0]));
            assign(text, &self.actors, "0", &cases, &self.actors);
        }
        for out in &self.out {
            let _ = writeln!(text, "ASSIGN init({out}) := FALSE;");
        }
    }
}

/// That one of these is taken.
fn is_step(values: &[String]) -> String {
    match values {
        [one] => format!("{} = {one}", STEP[0]),
        several => format!("{} in {{{}}}", STEP[0], several.join(", ")),
    }
}

/// `init` and `next` of a variable.
fn assign(text: &mut String, name: &str, initial: &str, cases: &[String], otherwise: &str) {
    let _ = writeln!(text, "ASSIGN init({name}) := {initial};");
    if cases.is_empty() {
        let _ = writeln!(text, "  next({name}) := {otherwise};");
        return;
    }
    let _ = writeln!(text, "  next({name}) := case");
    for case in cases {
        let _ = writeln!(text, "      {case};");
    }
    let _ = writeln!(text, "      TRUE : {otherwise};\n    esac;");
}

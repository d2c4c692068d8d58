//! What a question does not depend on: cells that no guard, link, assumption or formula reads, not even through
//! other cells (the *cone of influence*: Kurshan, *Computer-aided verification of coordinating processes*, 1994).
//!
//! In: a prepared system, the values of its cells, the formulas of a question. Out: the cells to be kept. A step
//! that assigns others is made all the same, but what it assigns is left out, and they stay as in the beginning; so
//! all states that differ in them alone become one. An assignment can be left out if it always has a value:
//! else it would decide whether the step is possible. A run of the rest is filled in again ([`filled`]).

use paramcheck_labs::ast::Operator;
use paramcheck_labs::number::Width;
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_text::limits::Budget;

use super::code::{Array, Code};
use super::compile::{ActionCode, PlaceCode, StatementCode};
use super::engine::evidence::{Evidence, Step, store_of};
use super::machine::Machine;
use super::space::Space;
use super::step::Scratch;
use super::values::Values;
use super::word::is_number;

/// How often a run goes round until what was left out comes back to what it was.
const MAX_ROUNDS: usize = 200;

/// The cells to be kept; none, if it is all of them.
pub(crate) fn kept(machine: &Machine<'_>, values: &[Values], formulas: &[&Code]) -> Option<Vec<bool>> {
    let system = machine.system;
    let mut kept = vec![false; system.initial.len()];
    // What is received comes from elsewhere.
    let copies = machine.tuples.iter().flat_map(|tuple| &tuple.copies);
    copies.flat_map(|copy| &copy.cells).for_each(|cell| kept[*cell] = true);
    let links = machine.tuples.iter().flat_map(|tuple| &tuple.links);
    let triples = || machine.agents.iter().flat_map(|agent| &agent.triples);
    let guards = triples().flat_map(|triple| triple.guards.iter().map(|(guard, _)| guard));
    let read = links.chain(guards).chain(&machine.assumptions).chain(formulas.iter().copied());
    read.for_each(|code| reads(code, &mut kept));
    let mut open: Vec<(usize, &Code)> = Vec::new();
    for action in triples().filter_map(|triple| triple.action.as_ref()) {
        let all = assignments(action);
        for statement in action.statements.iter().filter(|_| all.is_none()) {
            statement_reads(statement, &mut kept);
        }
        for (place, code) in all.into_iter().flatten() {
            match place {
                PlaceCode::Cell(cell) if bounds(code, values, machine.width()).is_some() => {
                    open.push((*cell, code));
                }
                _ => assignment_reads(place, code, &mut kept),
            }
        }
    }
    loop {
        let (found, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(cell, _)| kept[*cell]);
        if found.is_empty() {
            break;
        }
        found.iter().for_each(|(_, code)| reads(code, &mut kept));
        open = rest;
    }
    kept.contains(&false).then_some(kept)
}

/// The assignments of an action that is one statement: what they read is the store before the step.
fn assignments(action: &ActionCode) -> Option<&Vec<(PlaceCode, Code)>> {
    match action.statements.as_slice() {
        [StatementCode::Assign(all)] => Some(all),
        _ => None,
    }
}

/// Leaves out what is assigned to cells that are not kept.
pub(crate) fn leave_out(action: &mut ActionCode, kept: &[bool]) {
    if let [StatementCode::Assign(all)] = action.statements.as_mut_slice() {
        all.retain(|(place, _)| !matches!(place, PlaceCode::Cell(cell) if !kept[*cell]));
        if all.is_empty() {
            action.statements.clear();
        }
    }
}

fn statement_reads(statement: &StatementCode, kept: &mut [bool]) {
    match statement {
        StatementCode::Assign(all) => {
            all.iter().for_each(|(place, code)| assignment_reads(place, code, kept));
        }
        StatementCode::Pick { candidates, .. } => {
            candidates.iter().filter_map(|(_, code)| code.as_ref()).for_each(|code| reads(code, kept));
        }
    }
}

/// Keeps what an assignment reads, and where it goes.
fn assignment_reads(place: &PlaceCode, code: &Code, kept: &mut [bool]) {
    reads(code, kept);
    match place {
        PlaceCode::Cell(cell) => kept[*cell] = true,
        PlaceCode::Element(array, indices) => {
            keep(array, kept);
            indices.iter().for_each(|index| reads(index, kept));
        }
        PlaceCode::Local(_) | PlaceCode::Nowhere => {}
    }
}

fn keep(array: &Array, kept: &mut [bool]) {
    let size = array.extents.iter().product::<usize>();
    kept[array.first..array.first + size].fill(true);
}

/// Keeps the cells that an expression reads.
pub(crate) fn reads(code: &Code, kept: &mut [bool]) {
    match code {
        Code::Cell(cell) => kept[*cell] = true,
        Code::Element(array, _) => keep(array, kept),
        Code::Of(who, places, _) => {
            reads(who, kept);
            places.iter().flatten().for_each(|array| keep(array, kept));
        }
        _ => {}
    }
    code.parts().iter().for_each(|part| reads(part, kept));
}

/// Between what numbers an expression is, if it always is a number of the width; of expressions over cells alone.
fn bounds(code: &Code, values: &[Values], width: Width) -> Option<(i64, i64)> {
    let of = |code: &Code| bounds(code, values, width);
    let (low, high) = match code {
        Code::Word(word) if is_number(*word) => (*word, *word),
        Code::Cell(cell) if !values[*cell].is_undefined => values[*cell].bounds()?,
        Code::Table(_, code) => of(code)?,
        Code::Negative(inner) => of(inner).map(|(low, high)| (-high, -low))?,
        Code::Absolute(inner) => {
            let (low, high) = of(inner)?;
            (0.max(low).max(-high), low.abs().max(high.abs()))
        }
        Code::Not(inner) => of(inner).map(|_| (0, 1))?,
        Code::And(parts) | Code::Or(parts) => {
            of(&parts[0])?;
            of(&parts[1])?;
            (0, 1)
        }
        Code::Least(parts) | Code::Greatest(parts) => {
            let (one, other) = (of(&parts[0])?, of(&parts[1])?);
            match code {
                Code::Least(_) => (one.0.min(other.0), one.1.min(other.1)),
                _ => (one.0.max(other.0), one.1.max(other.1)),
            }
        }
        Code::If(parts) => {
            of(&parts[0])?;
            let (one, other) = (of(&parts[1])?, of(&parts[2])?);
            (one.0.min(other.0), one.1.max(other.1))
        }
        Code::AnyOf(ends) => {
            let (low, high) = (of(&ends[0])?, of(&ends[1])?);
            // There must be something to choose.
            if low.1 >= high.0 {
                return None;
            }
            (low.0, high.1 - 1)
        }
        Code::Both(operator, parts) => operated(*operator, of(&parts[0])?, of(&parts[1])?)?,
        _ => return None,
    };
    let (least, greatest) = width.bounds();
    (least <= low && high <= greatest).then_some((low, high))
}

/// Between what numbers the result of an operator is, if it always is one.
fn operated(operator: Operator, left: (i64, i64), right: (i64, i64)) -> Option<(i64, i64)> {
    Some(match operator {
        Operator::Add => (left.0 + right.0, left.1 + right.1),
        Operator::Subtract => (left.0 - right.1, left.1 - right.0),
        Operator::Multiply => {
            let all = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
            (all.into_iter().min()?, all.into_iter().max()?)
        }
        _ if matches!(operator, Operator::Divide | Operator::RoundDivide | Operator::Modulo)
            && right.0 <= 0
            && right.1 >= 0 =>
        {
            return None;
        }
        Operator::Divide | Operator::RoundDivide => {
            let most = left.0.abs().max(left.1.abs());
            (-most, most)
        }
        Operator::Modulo => (0, right.0.abs().max(right.1.abs()) - 1),
        Operator::Less => truth(left.1 < right.0, left.0 >= right.1),
        Operator::AtMost => truth(left.1 <= right.0, left.0 > right.1),
        Operator::Greater => truth(left.0 > right.1, left.1 <= right.0),
        Operator::AtLeast => truth(left.0 >= right.1, left.1 < right.0),
        Operator::Equal | Operator::NotEqual | Operator::And | Operator::Or => (0, 1),
    })
}

fn truth(is_always: bool, is_never: bool) -> (i64, i64) {
    (i64::from(is_always), i64::from(!is_never))
}

/// A run in which cells were left out, with them: the same steps of the whole system. Nothing, if what was left out
/// does not come back to what it was within some rounds, or a limit is reached.
pub(crate) fn filled<S: State>(
    whole: &Machine<'_>,
    kept: &[bool],
    evidence: &Evidence,
    budget: &Budget,
) -> Option<Evidence> {
    let space: Space<'_, S> = Space::new(whole, Vec::new(), budget);
    let is_same = |one: &[i64], other: &[i64]| {
        let cells = kept.iter().zip(one.iter().zip(other)).all(|(kept, (one, other))| !kept || one == other);
        // Where a run stands with respect to scopes is not part of the system.
        cells && (kept.len()..one.len()).all(|at| at == whole.scope || one[at] == other[at])
    };
    let mut fields = evidence.fields.first()?.clone();
    fields[whole.scope] = 0;
    let mut states = vec![whole.layout.pack::<S>(&fields)?];
    let mut labels = Vec::new();
    let mut scratch = Scratch::default();
    let mut unpacked = Vec::new();
    let mut step = |states: &mut Vec<S>, labels: &mut Vec<_>, at: usize| -> Option<()> {
        let (label, wanted) = (evidence.steps.get(at)?.label.clone()?, evidence.fields.get(at)?);
        let mut found: Option<S> = None;
        space.successors(states.last()?, None, &mut scratch, &mut |action, next| {
            if found.is_some() || whole.layout.fault(&next).is_some() || space.label(action) != label {
                return;
            }
            whole.layout.unpack(&next, &mut unpacked);
            if is_same(&unpacked, wanted) {
                found = Some(next);
            }
        });
        states.push(found?);
        labels.push(label);
        Some(())
    };
    for at in 1..evidence.steps.len() {
        step(&mut states, &mut labels, at)?;
    }
    let mut cycle = None;
    if let Some(from) = evidence.cycle {
        let mut begins = vec![from];
        for _ in 0..MAX_ROUNDS {
            let last = states.len() - 1;
            cycle = begins.iter().copied().find(|begin| states[*begin] == states[last]);
            if cycle.is_some() {
                break;
            }
            begins.push(last);
            for at in from + 1..evidence.steps.len() {
                step(&mut states, &mut labels, at)?;
            }
        }
        cycle?;
    }
    space.check().ok()?;
    let mut fields = Vec::new();
    let mut store = |state: &S| {
        whole.layout.unpack(state, &mut fields);
        store_of(whole, &fields)
    };
    let labels = std::iter::once(None).chain(labels.into_iter().map(Some));
    let steps = states.iter().zip(labels).map(|(state, label)| Step { label, store: store(state) });
    let steps = steps.collect();
    let (leaves, searched) = (evidence.leaves.clone(), evidence.searched);
    Some(Evidence { steps, cycle, leaves, searched, fields: Vec::new() })
}

/// The expression, or its only value; of expressions about whole stores.
pub(crate) fn folded(code: Code, values: &[Values], width: Width) -> Code {
    match bounds(&code, values, width) {
        Some((low, high)) if low == high => Code::Word(low),
        _ => code,
    }
}

//! Whether a run is one of the system, counts, and violates a formula: by the system's steps and the
//! definition of formulas ([`evaluate`](crate::evaluate)), without automaton or search.
//!
//! A run that goes on *however it likes* must have lost the formula for good: by the values of formulas on prefixes.

use paramcheck_text::limits::{Budget, Stop};

use crate::evaluate::{Prefix, Word};
use crate::formula::{Atom, Formula};
use crate::letter::{Letter, set, words};
use crate::system::{End, Fairness, Kind, RunOf, System};

/// Why a run is no violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The run leaves the system at this position: its state, or the step taken there, is none.
    NoRun(usize),
    /// It goes round for ever, and that is not fair.
    Unfair,
    /// It satisfies the formula.
    Satisfies,
    /// The run of this program must end.
    Stopped(Stop),
}

/// That a run violates a formula.
///
/// # Errors
/// It does not, or that could not be found out.
pub fn violates<S: System>(
    system: &mut S,
    formula: &Formula<Atom>,
    run: &RunOf<S>,
    fairness: Fairness,
    budget: &Budget,
) -> Result<(), Refusal> {
    follow(system, run, budget)?;
    if let End::Loop(begin) = run.end
        && !is_fair(system, &run.positions[begin..], run.positions[begin].0.clone(), fairness)
    {
        return Err(Refusal::Unfair);
    }
    let is_violated = match run.end {
        End::Open => is_lost(system, formula, run),
        End::Loop(_) | End::Stops => !word(system, run).satisfies(formula),
    };
    if is_violated { Ok(()) } else { Err(Refusal::Satisfies) }
}

/// Whether a run of which the beginning is known violates a formula, however it goes on, and this is seen.
pub(crate) fn is_lost<S: System>(system: &S, formula: &Formula<Atom>, run: &RunOf<S>) -> bool {
    let mut letters = word(system, run).letters;
    letters.truncate(run.positions.len());
    let mut step_atoms = vec![0; words(system.atoms().len())];
    for (atom, _) in system.atoms().iter().enumerate().filter(|(_, kind)| **kind == Kind::Step) {
        set(&mut step_atoms, Atom(atom as u32));
    }
    Prefix { letters, step_atoms }.value(formula) == Some(false)
}

/// Steps, and where they lead.
type Steps<S> = Vec<(<S as System>::Step, <S as System>::State)>;

/// The steps of a state, and whether a fault was met. What a fault cuts off does not belong to any run.
fn steps<S: System>(system: &mut S, state: &S::State) -> (Steps<S>, bool) {
    let mut steps = Vec::new();
    let is_faulty = system.steps(state, &mut |step, target| steps.push((step, target))).is_err();
    (steps, is_faulty)
}

/// That each position follows from the one before.
fn follow<S: System>(system: &mut S, run: &RunOf<S>, budget: &Budget) -> Result<(), Refusal> {
    let first = run.positions.first().ok_or(Refusal::NoRun(0))?;
    if !system.initial().contains(&first.0) {
        return Err(Refusal::NoRun(0));
    }
    let mut pace = budget.pace();
    for (at, (state, step)) in run.positions.iter().enumerate() {
        pace().map_err(Refusal::Stopped)?;
        let (steps, is_faulty) = steps(system, state);
        let next = match (run.positions.get(at + 1), run.end) {
            (Some((next, _)), _) => Some(next),
            (None, End::Loop(begin)) => run.positions.get(begin).map(|(next, _)| next),
            (None, End::Stops | End::Open) => None,
        };
        let is_right = match (step, next) {
            (Some(step), Some(next)) => steps.iter().any(|(by, to)| by == step && to == next),
            (None, None) => run.end == End::Open || steps.is_empty() && !is_faulty,
            _ => false,
        };
        if !is_right {
            return Err(Refusal::NoRun(at));
        }
    }
    Ok(())
}

/// Whether going round for ever is fair.
fn is_fair<S: System>(
    system: &mut S,
    round: &[(S::State, Option<S::Step>)],
    begin: S::State,
    fairness: Fairness,
) -> bool {
    let width = if fairness == Fairness::None { 0 } else { words(system.units()) };
    let (mut acts, mut able, mut always_able) = (vec![0; width], vec![0; width], vec![u64::MAX; width]);
    for (at, (state, step)) in round.iter().enumerate() {
        let mut able_here = vec![0; width];
        for (by, to) in steps(system, state).0 {
            let mut units = vec![0; width];
            system.actors(state, &by, &mut units);
            able_here.iter_mut().zip(&units).for_each(|(all, units)| *all |= units);
            let next = round.get(at + 1).map_or(&begin, |(next, _)| next);
            if step.as_ref() == Some(&by) && to == *next {
                acts.iter_mut().zip(&units).for_each(|(all, units)| *all |= units);
            }
        }
        able.iter_mut().zip(&able_here).for_each(|(all, units)| *all |= units);
        always_able.iter_mut().zip(&able_here).for_each(|(all, units)| *all &= units);
    }
    let left_out = match fairness {
        Fairness::None => return true,
        Fairness::Weak => always_able,
        Fairness::Strong => able,
    };
    left_out.iter().zip(&acts).all(|(able, acts)| able & !acts == 0)
}

/// The letters of a run that is followed for ever.
pub(crate) fn word<S: System>(system: &S, run: &RunOf<S>) -> Word {
    let atoms = system.atoms();
    let width = words(atoms.len());
    let count = run.positions.len();
    // What is before a position decides part of its letter: a loop is gone round once before it repeats
    // itself.
    let (length, back) = match run.end {
        End::Loop(begin) => (count * 2 - begin, count),
        End::Stops | End::Open => (count + 1, count),
    };
    let position = |at: usize| match run.end {
        End::Loop(begin) if at >= count => &run.positions[begin + (at - begin) % (count - begin)],
        _ => &run.positions[at.min(count - 1)],
    };
    let mut last: Letter = vec![0; width];
    let (mut letters, mut is_step) = (Vec::with_capacity(length), Vec::with_capacity(length));
    for at in 0..length {
        let (state, step) = position(at);
        let mut letter = vec![0; width];
        system.state_letter(state, &mut letter);
        letter.iter_mut().zip(&last).for_each(|(word, last)| *word |= last);
        let mut bits = vec![0; width];
        if let Some(step) = step {
            let next = if at + 1 < length { position(at + 1) } else { position(back) };
            system.step_letter(state, step, &next.0, &mut bits);
        }
        if step.is_some() || !system.keeps_last() {
            last.fill(0);
        }
        for (atom, kind) in atoms.iter().enumerate() {
            let bit = bits[atom / 64] & 1 << (atom % 64);
            match kind {
                Kind::State => {}
                Kind::Step => letter[atom / 64] |= bit,
                Kind::Last => last[atom / 64] |= bit,
            }
        }
        letters.push(letter);
        is_step.push(step.is_some());
    }
    Word { letters, back, is_step }
}

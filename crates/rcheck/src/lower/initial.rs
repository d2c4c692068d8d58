//! What values the locals of an instance may have in the beginning: intervals, from the conditions on them.
//!
//! A variable of type `int` must be confined by them to finitely many values; for all others they spare who
//! enumerates initial states most of the work. Intervals are narrowed to a fixed point, or for a few rounds;
//! what they leave out satisfies the conditions in no way.

use super::Context;
use super::names::Names;
use crate::ast::PartKind;
use crate::model::{Arithmetic, Atom, Comparison, Expr, InstanceId, System, Term, Type};
use crate::semantics::initial::{Initial, initial_values};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;

/// How often conditions are gone through, at most.
const MAX_ROUNDS: usize = 20;

/// How many values are tried to find one initial state of an instance.
const MAX_TRIED: usize = 10_000;

/// The least and the greatest value; the extreme numbers are no bounds.
type Interval = (i64, i64);

const ALL: Interval = (i64::MIN, i64::MAX);

/// Computes the bounds of all instances.
pub(super) fn bounds(context: &mut Context<'_>, names: &Names<'_>, system: &mut System) {
    let mut all = Vec::new();
    for (id, instance) in system.instances.enumerate() {
        let agent = &system.agents[instance.agent];
        let mut bounds: Vec<Interval> =
            agent.locals.iter().map(|local| system.bounds(local.ty).unwrap_or(ALL)).collect();
        let myself = i64::from(id.number());
        for _ in 0..MAX_ROUNDS {
            let before = bounds.clone();
            narrow(&agent.init, true, myself, &mut bounds);
            narrow(&instance.init, true, myself, &mut bounds);
            if bounds == before {
                break;
            }
        }
        for (position, (local, (low, high))) in agent.locals.iter().zip(&bounds).enumerate() {
            if local.ty == Type::Int && (*low == i64::MIN || *high == i64::MAX) && low <= high {
                unbounded(context, names, system, id, position);
            }
        }
        all.push(bounds);
    }
    for (instance, bounds) in system.instances.iter_mut().zip(all) {
        instance.bounds = bounds;
    }
    if context.is_sound() {
        satisfiable(context, names, system);
    }
}

fn unbounded(context: &mut Context<'_>, names: &Names<'_>, system: &System, id: InstanceId, local: usize) {
    let instance = &system.instances[id];
    let agent = &names.agents[instance.agent];
    let declared = agent.places.get(local).copied().unwrap_or_default();
    let name = system.agents[instance.agent].locals.get(local).map_or("", |local| local.name.as_str());
    let init = agent.tree.parts.iter().find_map(|part| match &part.kind {
        PartKind::Init(init) => Some(init.span),
        _ => None,
    });
    let message = format!("`{name}` of `{}` has infinitely many values in the beginning", instance.name);
    let diagnostic = Diagnostic::new(
        &codes::UNBOUNDED_INT,
        message,
        declared,
        "an `int`, which has no least or greatest value",
    );
    let diagnostic = match init {
        Some(init) => diagnostic.label(init, "this does not bound it from both sides"),
        None => diagnostic,
    };
    let help = format!("say where it begins, as in `init: {name} = 0`, or declare a range: `{name} : 0..10`");
    context.report(diagnostic.help(help));
}

/// Warns if an instance has no initial state.
fn satisfiable(context: &mut Context<'_>, names: &Names<'_>, system: &System) {
    for (id, tree) in system.instances.indices().zip(&names.instances) {
        if let Initial::Values(found) = initial_values(system, id, 1, MAX_TRIED)
            && found.is_empty()
        {
            let message = format!("`{}` has no initial state, so every property holds", tree.name.text);
            let label = "nothing satisfies this and the `init` of its agent";
            context.report(Diagnostic::new(&codes::NO_INITIAL_STATE, message, tree.span, label));
        }
    }
}

/// Narrows the bounds to values for which the condition can be what is wanted. The recursion is bounded by
/// the height of terms.
fn narrow(term: &Expr, wanted: bool, myself: i64, bounds: &mut [Interval]) {
    match (term, wanted) {
        (Term::Not(inner), _) => narrow(inner, !wanted, myself, bounds),
        (Term::All(all), true) | (Term::Any(all), false) => {
            all.iter().for_each(|one| narrow(one, wanted, myself, bounds));
        }
        (Term::Any(all), true) | (Term::All(all), false) => {
            let ways = all.iter().map(|one| {
                let mut way = bounds.to_vec();
                narrow(one, wanted, myself, &mut way);
                way
            });
            let ways: Vec<Vec<Interval>> = ways.collect();
            any_of(&ways, bounds);
        }
        (Term::Implies(left, right), true) => {
            let [mut one, mut other] = [bounds.to_vec(), bounds.to_vec()];
            narrow(left, false, myself, &mut one);
            narrow(right, true, myself, &mut other);
            any_of(&[one, other], bounds);
        }
        (Term::Implies(left, right), false) => {
            narrow(left, true, myself, bounds);
            narrow(right, false, myself, bounds);
        }
        (Term::Compare(comparison, left, right), _) => {
            let comparison = if wanted { *comparison } else { negated(*comparison) };
            compare(comparison, left, right, myself, bounds);
            compare(swapped(comparison), right, left, myself, bounds);
        }
        (Term::Atom(Atom::Local(local)), _) => {
            let truth = i64::from(wanted);
            meet(bounds, *local, (truth, truth));
        }
        _ => {}
    }
}

/// What is possible in one of the ways.
fn any_of(ways: &[Vec<Interval>], bounds: &mut [Interval]) {
    let possible = || ways.iter().filter(|way| way.iter().all(|(low, high)| low <= high));
    for (position, bound) in bounds.iter_mut().enumerate() {
        let of = || possible().filter_map(|way| way.get(position));
        if let (Some(low), Some(high)) = (of().map(|way| way.0).min(), of().map(|way| way.1).max()) {
            *bound = (low, high);
        }
    }
}

fn meet(bounds: &mut [Interval], local: usize, with: Interval) {
    if let Some((low, high)) = bounds.get_mut(local) {
        *low = (*low).max(with.0);
        *high = (*high).min(with.1);
    }
}

fn compare(comparison: Comparison, left: &Expr, right: &Expr, myself: i64, bounds: &mut [Interval]) {
    let Term::Atom(Atom::Local(local)) = left else { return };
    let (low, high) = interval(right, myself, bounds);
    let below = |bound: i64| if bound == i64::MAX { bound } else { bound.saturating_sub(1) };
    let above = |bound: i64| if bound == i64::MIN { bound } else { bound.saturating_add(1) };
    let with = match comparison {
        Comparison::Equal => (low, high),
        Comparison::Less => (i64::MIN, below(high)),
        Comparison::AtMost => (i64::MIN, high),
        Comparison::Greater => (above(low), i64::MAX),
        Comparison::AtLeast => (low, i64::MAX),
        Comparison::NotEqual => ALL,
    };
    meet(bounds, *local, with);
}

/// What values a term may have; if in doubt, all.
fn interval(term: &Expr, myself: i64, bounds: &[Interval]) -> Interval {
    let exact = |numbers: [i128; 4]| {
        let fit = |number: i128| i64::try_from(number).ok();
        let [least, greatest] =
            [numbers.iter().min(), numbers.iter().max()].map(|one| one.copied().and_then(fit));
        match (least, greatest) {
            (Some(low), Some(high)) => (low, high),
            _ => ALL,
        }
    };
    match term {
        Term::Constant(value) => (*value, *value),
        Term::Atom(Atom::Myself) => (myself, myself),
        Term::Atom(Atom::Local(local)) => bounds.get(*local).copied().unwrap_or(ALL),
        Term::Negative(inner) => {
            let (low, high) = interval(inner, myself, bounds);
            if (low, high) == ALL || low == i64::MIN || high == i64::MAX {
                return ALL;
            }
            (-high, -low)
        }
        Term::Compute(operation, left, right) => {
            let sides = [left, right].map(|side| interval(side, myself, bounds));
            if sides.iter().any(|(low, high)| *low == i64::MIN || *high == i64::MAX) {
                return ALL;
            }
            let [(a, b), (c, d)] = sides.map(|(low, high)| (i128::from(low), i128::from(high)));
            match operation {
                Arithmetic::Add => exact([a + c, b + d, a + c, b + d]),
                Arithmetic::Subtract => exact([a - d, b - c, a - d, b - c]),
                Arithmetic::Multiply => exact([a * c, a * d, b * c, b * d]),
                Arithmetic::Divide => ALL,
            }
        }
        // Conditions.
        _ => (0, 1),
    }
}

fn negated(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Greater,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Less,
    }
}

fn swapped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        same => same,
    }
}

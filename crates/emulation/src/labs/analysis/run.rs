//! All actions once, on sets of values.

use paramcheck_labs::model::{KindId, Statement, Target};
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

use super::expression::View;
use super::{Var, Variables, each_triple, ids};
use crate::labs::triples::{Structure, Triple};
use crate::labs::values::Values;

/// Per variable what all actions make of it.
pub(super) fn round(
    variables: &Variables<'_>,
    triples: &IndexVec<KindId, Structure>,
    values: &[Values],
    budget: &Budget,
) -> Result<Vec<Values>, Stop> {
    let mut pace = budget.pace();
    let mut made = vec![Values::none(); values.len()];
    for (kind, triple) in each_triple(triples) {
        pace()?;
        if variables.system.kinds[kind].agents.is_empty() {
            continue;
        }
        act(variables, kind, triple, values, &mut made);
    }
    // What is sent may be undefined too.
    for (made, values) in made.iter_mut().zip(values) {
        made.is_undefined |= values.is_undefined;
    }
    Ok(made)
}

/// Whether an action assigns a variable.
pub(super) fn is_assigned(
    variables: &Variables<'_>,
    triples: &IndexVec<KindId, Structure>,
    var: Var,
) -> bool {
    each_triple(triples).any(|(kind, triple)| {
        let action = triple.action.map(|action| &variables.system.actions[action]);
        action.into_iter().flat_map(|action| &action.statements).any(|statement| match statement {
            Statement::Assign(all) => all.iter().any(|(to, _)| target(variables, kind, to) == Some(var)),
            Statement::Pick { .. } => false,
        })
    })
}

fn target(variables: &Variables<'_>, kind: KindId, target: &Target) -> Option<Var> {
    match target {
        Target::Environment(at, _) => Some(*at),
        Target::Own(name, _) => variables.of(kind, *name),
        Target::Local(_) => None,
    }
}

/// Whether a target is a single cell.
fn is_single(target: &Target) -> bool {
    match target {
        Target::Environment(_, indices) | Target::Own(_, indices) => indices.is_empty(),
        Target::Local(_) => true,
    }
}

fn act(variables: &Variables<'_>, kind: KindId, triple: &Triple, values: &[Values], made: &mut [Values]) {
    let system = variables.system;
    let mut view = View::new(variables, Some(kind), values);
    for (guard, is_positive) in &triple.guards {
        if !view.refine(&system.guards[*guard].condition, *is_positive) {
            return;
        }
    }
    let Some(action) = triple.action.map(|action| &system.actions[action]) else { return };
    view.locals = vec![Values::undefined(); action.locals];
    for statement in &action.statements {
        match statement {
            Statement::Assign(all) => {
                let news: Vec<Values> = all.iter().map(|(_, value)| view.value(value).defined()).collect();
                if news.iter().any(Values::has_no_number) {
                    return;
                }
                for ((to, _), new) in all.iter().zip(news) {
                    match (to, target(variables, kind, to)) {
                        (Target::Local(at), _) => {
                            if let Some(local) = view.locals.get_mut(*at) {
                                *local = new;
                            }
                        }
                        (_, Some(var)) => {
                            made[var].join(&new);
                            view.assign(var, new, is_single(to));
                        }
                        _ => {}
                    }
                }
            }
            Statement::Pick { local, count, kind, .. } => {
                let of_kind =
                    system.agents.enumerate().filter(|(_, of)| kind.is_none_or(|kind| kind == **of));
                let picked = ids(of_kind.map(|(agent, _)| agent));
                for place in view.locals.iter_mut().skip(*local).take(*count) {
                    *place = picked.clone();
                }
            }
        }
    }
}

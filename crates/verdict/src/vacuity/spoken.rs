//! The states that an error speaks of, and those whose mere presence is an error.

use std::collections::BTreeSet;

use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::wsks::{ComponentFormula, Part, SetTerm};
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::rule::{Pattern, PatternGroupId};
use paramcheck_model::system::System;

type States = BTreeSet<(TypeId, StateId)>;

/// The states that the formula names, those together that one sum, set or condition names: it is about
/// something as long as one of them is entered. (`deadlock` names none.)
pub(super) fn spoken_of(system: &System, formula: &ErrorFormula) -> BTreeSet<States> {
    let mut states = BTreeSet::new();
    let mut waiting = vec![formula];
    while let Some(formula) = waiting.pop() {
        match formula {
            ErrorFormula::Deadlock => {}
            ErrorFormula::Count(count) => states.extend([counted(count).collect()]),
            ErrorFormula::Pattern(group) => {
                let conditions = patterns(system, *group).flat_map(|pattern| &pattern.conditions);
                states.extend(conditions.map(|(_, places)| places.iter().copied().collect()));
            }
            ErrorFormula::Components(formula) => {
                states.extend(formula.sets().iter().map(|set| set.states.iter().copied().collect()));
            }
            ErrorFormula::Not(inner) => waiting.push(inner),
            ErrorFormula::And(parts) | ErrorFormula::Or(parts) => waiting.extend(parts),
        }
    }
    states
}

/// States whose presence alone makes the formula true, as far as its form shows.
pub(super) fn suffices(system: &System, formula: &ErrorFormula) -> States {
    suffices_for(system, formula, true)
}

/// States whose presence alone makes the formula true, or false. As deep as formulas are, which is bounded.
fn suffices_for(system: &System, formula: &ErrorFormula, truth: bool) -> States {
    match formula {
        ErrorFormula::Deadlock => States::new(),
        ErrorFormula::Count(count) => {
            let decides = |weight| if truth { makes_true(count, weight) } else { makes_false(count, weight) };
            let deciding = count.weights.iter().filter(|&&(_, _, weight)| decides(weight));
            deciding.map(|&(component, state, _)| (component, state)).collect()
        }
        ErrorFormula::Pattern(group) if truth => {
            let single = patterns(system, *group).filter(|pattern| pattern.conditions.len() == 1);
            single.flat_map(|pattern| &pattern.conditions).flat_map(|(_, places)| places).copied().collect()
        }
        ErrorFormula::Pattern(_) => States::new(),
        ErrorFormula::Components(formula) => named_once(formula),
        ErrorFormula::Not(inner) => suffices_for(system, inner, !truth),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
            let sets = parts.iter().map(|part| suffices_for(system, part, truth));
            // One true part makes a disjunction true, one false part a conjunction false.
            if matches!(formula, ErrorFormula::Or(_)) == truth {
                sets.flatten().collect()
            } else {
                sets.reduce(|one, other| &one & &other).unwrap_or_default()
            }
        }
    }
}

/// Whether a sum that is at least `weight` compares so.
fn makes_true(count: &Count, weight: u64) -> bool {
    match count.comparison {
        Comparison::AtLeast => weight >= count.bound,
        Comparison::Greater | Comparison::NotEqual => weight > count.bound,
        Comparison::AtMost | Comparison::Less | Comparison::Equal => false,
    }
}

/// Whether a sum that is at least `weight` does not compare so.
fn makes_false(count: &Count, weight: u64) -> bool {
    match count.comparison {
        Comparison::Less => weight >= count.bound,
        Comparison::AtMost | Comparison::Equal => weight > count.bound,
        Comparison::AtLeast | Comparison::Greater | Comparison::NotEqual => false,
    }
}

/// The states of a formula over components that names states in one place only: as in `ex1 x: x in broken`,
/// it asks for nothing else.
fn named_once(formula: &ComponentFormula) -> States {
    let is_set = |term: &SetTerm| matches!(term, SetTerm::States(_));
    let names = formula.parts().iter().map(|part| match part {
        Part::In(_, term) => usize::from(is_set(term)),
        Part::SameSet(left, right) | Part::Subset(left, right) => {
            usize::from(is_set(left)) + usize::from(is_set(right))
        }
        _ => 0,
    });
    if names.sum::<usize>() > 1 {
        return States::new();
    }
    formula.sets().iter().flat_map(|set| &set.states).copied().collect()
}

fn patterns(system: &System, group: PatternGroupId) -> impl Iterator<Item = &Pattern> {
    system.rules.iter().flat_map(|rule| &rule.patterns).filter(move |pattern| pattern.group == group)
}

fn counted(count: &Count) -> impl Iterator<Item = (TypeId, StateId)> + '_ {
    count.weights.iter().map(|&(component, state, _)| (component, state))
}

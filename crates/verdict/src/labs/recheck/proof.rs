//! What the search claims to hold, held against the rules of the language.
//!
//! In: a property that holds by the search. Out: whether the rules on process terms agree ([`Recheck`]). They explore
//! all states again, if those are few, and decide the property as it is defined; and there must be as many different
//! stores as the search has. What implies a property without a search is checked to be inductive
//! ([`implies`](paramcheck_labs::semantics::inductive::implies)).

use paramcheck_emulation::labs::values::Values;
use paramcheck_labs::model::{Expr, Modality, Property, System, Within};
use paramcheck_labs::semantics::check::{Answer, decide};
use paramcheck_labs::semantics::domain::Domain;
use paramcheck_labs::semantics::explore::{Space, explore_by, holds_in};
use paramcheck_labs::semantics::inductive::implies;
use paramcheck_labs::semantics::step::{Rules, Stepper};
use paramcheck_labs::semantics::store::Store;
use paramcheck_text::limits::Budget;

/// The most states that are explored again.
pub const MAX_RECHECKED_STATES: usize = 5_000;

/// The most work for that: initial states, states and transitions, and outcomes of a step. It takes some tenths of a
/// second at the most, whatever the question.
const MAX_WORK: u64 = 1 << 15;

/// The most parts of formulas that are evaluated for that, with quantifiers written out.
const MAX_PARTS: u64 = 1 << 23;

/// The evaluation of so many parts of formulas, or a store of so many values, is as much work as a transition.
const PARTS_OF_A_LOOK: u64 = 64;

/// What the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::labs) enum Recheck {
    /// The property holds, and there are as many stores.
    Agrees,
    /// Nothing: there are too many states.
    TooLarge,
    /// The search is wrong, and how.
    Wrong(String),
}

/// The rechecks of the properties of a system.
pub(in crate::labs) struct Rechecks<'a> {
    system: &'a System,
    rules: Rules,
    budget: Budget,
    /// The states explored so far, by where the exploration ends; nothing, where there are too many.
    spaces: Vec<(Option<Expr>, Option<Known>)>,
}

/// All states by the rules.
struct Known {
    space: Space,
    /// How many stores they have, and how many those of the search, once that was counted.
    stores: Option<(usize, Option<usize>)>,
}

impl<'a> Rechecks<'a> {
    pub(in crate::labs) fn new(system: &'a System, rules: Rules, budget: &Budget) -> Self {
        Rechecks { system, rules, budget: budget.clone(), spaces: Vec::new() }
    }

    /// Whether the rules agree that a property holds; `stores` counts those of the search, going on behind states in
    /// which a formula is true or not.
    pub(in crate::labs) fn holds(
        &mut self,
        property: &Property,
        stores: impl FnOnce(Option<&Expr>) -> Option<usize>,
    ) -> Recheck {
        let ends = match property.modality {
            // What lies behind the formula does not matter, and may be very much.
            Modality::Eventually { .. } | Modality::Fairly => Some(&property.formula),
            Modality::Always | Modality::FairlyInfinite | Modality::Scope { .. } => None,
        };
        let (system, rules) = (self.system, self.rules);
        let Some(Known { space, stores: counted }) = self.space(ends) else { return Recheck::TooLarge };
        let parts = formulas(property).map(|formula| system.size(formula)).fold(0, u64::saturating_add);
        if parts.saturating_mul(space.states.len() as u64) > MAX_PARTS {
            return Recheck::TooLarge;
        }
        if let Some((_, _, fault)) = &space.fault {
            return Recheck::Wrong(format!("by the rules a run leaves the language: {fault}"));
        }
        match decide(system, space, property, &rules) {
            Ok(Answer::Holds) => {}
            Ok(Answer::Violated(_)) => {
                return Recheck::Wrong("by the rules a run violates it".to_owned());
            }
            Err(halt) => return Recheck::Wrong(format!("by the rules its formula has no value: {halt:?}")),
        }
        match *counted.get_or_insert_with(|| (space.stores(), stores(ends))) {
            (own, Some(stores)) if stores == own => Recheck::Agrees,
            (own, Some(stores)) => {
                Recheck::Wrong(format!("by the rules there are {own} stores, and {stores} were found"))
            }
            (_, None) => Recheck::TooLarge,
        }
    }

    /// All states by the rules, not going on behind those in which a formula is true.
    fn space(&mut self, ends: Option<&Expr>) -> Option<&mut Known> {
        let known = self.spaces.iter().position(|(known, _)| known.as_ref() == ends);
        let at = known.unwrap_or_else(|| {
            let is_end = |cells: &[_]| {
                ends.is_some_and(|ends| holds_in(self.system, ends, cells, &self.rules) == Ok(true))
            };
            let system = self.system;
            // In each state the formula is evaluated, with each step a store made, and links are evaluated.
            let links = system.tuples.iter().map(|tuple| {
                let link = &system.stigmergies[tuple.stigmergy].link;
                system.size(link).saturating_mul(system.agents.len() as u64)
            });
            let parts = ends.map_or(0, |ends| system.size(ends)).saturating_add(links.max().unwrap_or(0));
            let each = parts.saturating_add(Store::size(system) as u64) / PARTS_OF_A_LOOK;
            let budget = self.budget.with_work(MAX_WORK / (each + 1));
            let outcomes = usize::try_from(MAX_WORK).unwrap_or(usize::MAX);
            let mut stepper = Stepper::limited(self.system, self.rules, outcomes);
            let space = explore_by(&mut stepper, MAX_RECHECKED_STATES, &budget, |store| is_end(&store.cells));
            self.spaces.push((ends.cloned(), space.ok().map(|space| Known { space, stores: None })));
            self.spaces.len() - 1
        });
        self.spaces.get_mut(at)?.1.as_mut()
    }
}

/// The formulas of a property.
fn formulas(property: &Property) -> impl Iterator<Item = &Expr> {
    let scope = match &property.modality {
        Modality::Scope { opens, closes, within, .. } => {
            let first = match within {
                Within::Precedes(first) => Some(first),
                Within::ThereIs | Within::Always => None,
            };
            [Some(opens), Some(closes), first]
        }
        Modality::Always | Modality::Eventually { .. } | Modality::Fairly | Modality::FairlyInfinite => {
            [None; 3]
        }
    };
    std::iter::once(&property.formula).chain(scope.into_iter().flatten())
}

/// Whether these values of cells, wherever they come from, are all that there can be by the rules, and a formula is
/// true of all of them.
pub(in crate::labs) fn is_implied(
    system: &System,
    rules: Rules,
    values: &[Values],
    formula: &Expr,
    budget: &Budget,
) -> bool {
    let sets = values.iter().map(|set| Domain::new(set.intervals().iter().copied(), set.is_undefined));
    implies(system, rules, sets.collect(), formula, budget).is_ok()
}

#[cfg(test)]
mod tests {
    use paramcheck_labs::{Parameters, load};

    use super::*;

    fn system(formula: &str) -> System {
        let text = format!(
            "system {{ spawn = A: 1 }} agent A {{ interface = x: 0
            Behavior = x < 3 -> x <- x + 1; Behavior }} check {{ P = {formula} }}"
        );
        load(&text, &Parameters::new()).system.expect("it has a meaning")
    }

    /// What the rules say to the claim that a property holds, by a search that has so many stores.
    fn claimed(formula: &str, stores: Option<usize>) -> Recheck {
        let system = system(formula);
        let mut rechecks = Rechecks::new(&system, Rules::default(), &Budget::unlimited());
        rechecks.holds(&system.properties[0], |_| stores)
    }

    #[test]
    fn wrong_claims_are_found() {
        let is_wrong = |recheck: Recheck, of: &str| match &recheck {
            Recheck::Wrong(reason) => assert!(reason.contains(of), "{reason}"),
            _ => panic!("{recheck:?}"),
        };
        assert_eq!(claimed("always forall A a, x of a < 4", Some(4)), Recheck::Agrees);
        assert_eq!(claimed("finally forall A a, x of a = 2", Some(3)), Recheck::Agrees);
        assert_eq!(claimed("fairly_inf forall A a, x of a = 3", Some(4)), Recheck::Agrees);
        assert_eq!(claimed("always forall A a, x of a < 4", None), Recheck::TooLarge);
        is_wrong(claimed("always forall A a, x of a < 4", Some(5)), "4 stores, and 5");
        is_wrong(claimed("always forall A a, x of a < 3", Some(4)), "violates");
        is_wrong(claimed("finally forall A a, x of a = 4", Some(4)), "violates");
        is_wrong(claimed("fairly forall A a, x of a = 4", Some(4)), "violates");
        is_wrong(claimed("fairly_inf forall A a, x of a = 2", Some(4)), "violates");
        is_wrong(claimed("always forall A a, 1 / x of a < 4", Some(4)), "no value");
    }
}

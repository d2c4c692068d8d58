//! How large a system is, in the numbers of the paper's Table 1.

use std::fmt;

use crate::system::System;

/// At most this many component types are listed with their number of states.
const LISTED_TYPES: usize = 8;

/// The size of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The number of component types.
    pub types: usize,
    /// The number of states of each component type.
    pub states: Vec<usize>,
    /// The number of predicates.
    pub predicates: usize,
    /// The number of rules.
    pub rules: usize,
    /// The number of interactions, summed over rules.
    pub interactions: usize,
    /// The branching degree of rewriting trees: the largest number of predicate atoms in a rule.
    pub kappa: usize,
}

impl Statistics {
    /// The size of `system`, unreachable parts included.
    pub fn of(system: &System) -> Self {
        Statistics {
            types: system.types.len(),
            states: system.types.iter().map(|component| component.states.len()).collect(),
            predicates: system.predicates.len(),
            rules: system.rules.len(),
            interactions: system.rules.iter().map(|rule| rule.interactions.len()).sum(),
            kappa: system.kappa(),
        }
    }
}

impl fmt::Display for Statistics {
    /// `2 component types (2 × 2 states), 2 predicates, 3 rules, 3 interactions, κ = 1`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<String> = self.states.iter().map(usize::to_string).collect();
        let sum: usize = self.states.iter().sum();
        let states = if self.states.len() <= LISTED_TYPES { states.join(" × ") } else { sum.to_string() };
        let noun = |count: usize, noun: &str| format!("{noun}{}", if count == 1 { "" } else { "s" });
        write!(
            f,
            "{} {} ({states} {}), ",
            self.types,
            noun(self.types, "component type"),
            noun(sum, "state")
        )?;
        write!(f, "{} {}, ", self.predicates, noun(self.predicates, "predicate"))?;
        write!(f, "{} {}, ", self.rules, noun(self.rules, "rule"))?;
        write!(f, "{} {}, ", self.interactions, noun(self.interactions, "interaction"))?;
        write!(f, "κ = {}", self.kappa)
    }
}

//! Interactions that provably never fire, in no instance.
//!
//! One entry is an interaction of a rule in one combination of component types and transitions. A
//! dropped combination constrains no set any more, and a marking that enables it is not reachable.

use rustc_hash::FxHashMap;

use paramcheck_model::rule::Combination;
use paramcheck_model::rule::{InteractionId, RuleId};

/// The combinations dropped so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeadInteractions {
    by_interaction: FxHashMap<(RuleId, InteractionId), Vec<Combination>>,
}

impl DeadInteractions {
    /// Drops one more.
    pub(crate) fn insert(&mut self, rule: RuleId, interaction: InteractionId, combination: Combination) {
        self.by_interaction.entry((rule, interaction)).or_default().push(combination);
    }

    /// The dropped combinations of an interaction, if there are any.
    pub(crate) fn of(&self, rule: RuleId, interaction: InteractionId) -> Option<&[Combination]> {
        self.by_interaction.get(&(rule, interaction)).map(Vec::as_slice)
    }
}

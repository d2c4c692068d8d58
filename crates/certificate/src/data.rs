//! The certificate document. All references are by name, so that a person can read it.
//!
//! **Meaning.** A *set* θ of places of an instance is described from the leaves of the rewriting
//! tree upwards: [`Part`]s say which states of each instantiated component may be in θ, a
//! [`PredicateSet`] what of θ shows at the parameters of a predicate. A [`Configuration`] is what a
//! marking of a subtree shows its context: the places of the parameters, the [`ErrorState`], and for
//! some sets how many of their places the subtree marks. The claim: for every rewriting tree of a
//! predicate and every marking of it whose error can still come true, some configuration of the
//! predicate has its places and its error state, and each of its `refuting` entries is a set of that
//! tree with that count (unless a dropped transition is enabled, which never happens). At the root, every
//! configuration whose error is true has an entry that refutes: so no marking that is in all invariants is
//! an error. Parts and sets claim nothing; configurations do. `docs/certificate.md` has an example, what
//! the checker verifies, and why that proves the claim.

use serde::{Deserialize, Serialize};

/// The version of the document described here.
pub const VERSION: u32 = 1;

/// A certificate: the system never reaches the error, in any instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always `paramcheck-certificate`.
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The system's name.
    pub system: String,
    /// The error's name.
    pub error: String,
    /// Its definition, printed, with the names of other errors replaced by what they mean
    /// (`deadlock`, `#Node.busy >= 2`, `pattern forbidden`).
    pub formula: String,
    /// Interactions that never fire, each proved with those before it already dropped.
    pub dropped: Vec<DroppedInteraction>,
    /// Pairs of states of components that are never in them at once; together they are closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclusive: Vec<ExclusivePair>,
    /// The proof for the error itself, the dropped interactions gone, for markings without exclusive pairs.
    pub proof: Proof,
}

/// At no node with this rule are the two components in these states at once. Both are private to the rule:
/// instantiated by it, and no argument of anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExclusivePair {
    /// The rule's label.
    pub rule: String,
    /// One component and its state.
    pub first: PrivatePlace,
    /// The other.
    pub second: PrivatePlace,
}

/// A component that a rule instantiates, and a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivatePlace {
    /// The variable of the rule.
    pub variable: String,
    /// The state.
    pub state: String,
}

/// One interaction of a rule, in one combination of component types and transitions: in no instance
/// are all its pre-places ever marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DroppedInteraction {
    /// The rule's label, as in `Chain.2`.
    pub rule: String,
    /// The interaction's position in the rule, from 0.
    pub interaction: usize,
    /// The transition of each participant, in the order of the interaction.
    pub combination: Vec<Move>,
    /// The proof that its pre-places are never all marked: one pattern, `patterns == [true]` where it
    /// occurred.
    pub proof: Proof,
}

/// A transition of a component type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The component type.
    pub component: String,
    /// The state left.
    pub from: String,
    /// The state entered.
    pub to: String,
}

/// A closed set of configurations with the sets that refute their errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// What the sets contain of components that rules instantiate, and of borrowed parameters that a
    /// rule passes to no predicate.
    pub parts: Vec<Part>,
    /// What the sets show at the parameters of predicates.
    pub sets: Vec<PredicateSet>,
    /// What markings show their context.
    pub configurations: Vec<Configuration>,
}

/// In rule `rule`, a set of kind `kind` may contain exactly `states` of the component bound to
/// `variable` when that is a `component`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The rule's label.
    pub rule: String,
    /// The variable.
    pub variable: String,
    /// The invariant kind, as in `trap` or `exactly:2`.
    pub kind: String,
    /// The component type.
    pub component: String,
    /// The states in the set, ascending in the order of the component type.
    pub states: Vec<String>,
    /// The weight of each of the states; given for weighted kinds only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<i64>>,
}

/// What a set of some kind shows at the parameters of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredicateSet {
    /// The predicate.
    pub predicate: String,
    /// The invariant kind.
    pub kind: String,
    /// Per parameter, the component type and those of its states that are in the set.
    pub parameters: Vec<ParameterSet>,
    /// How many of the set's places the components instantiated below mark initially, saturated:
    /// at c for `at-least:c` (`trap`: 1), at c + 1 for `exactly:c` and `at-most:c`; always 0 for
    /// `parity`, `linear:b` and `modulo:m`.
    pub initial: u64,
}

/// The part of a set that belongs to one parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSet {
    /// The component type.
    pub component: String,
    /// The states in the set, ascending.
    pub states: Vec<String>,
    /// The weight of each of the states; given for weighted kinds only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<i64>>,
}

/// What a marking of a subtree shows its context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The predicate at the subtree's root.
    pub predicate: String,
    /// Per parameter, the component type and its current state.
    pub places: Vec<Place>,
    /// What the error needs to know.
    pub error: ErrorState,
    /// Sets that may still refute the marking; the fewer, the easier the configuration follows, and the
    /// less it is worth. An entry whose counts rule out a refutation for ever (a marked trap; a mutex that
    /// starts with two places) claims nothing and is ignored.
    pub refuting: Vec<Refuting>,
}

/// A component type and a state of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The component type.
    pub component: String,
    /// The state.
    pub state: String,
}

/// What an error formula needs to know of a subtree's marking.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorState {
    /// Some transition of the subtree is enabled (an interaction of one of its rules, or an internal
    /// transition of a component instantiated in it). Always false where the formula does not
    /// mention `deadlock`.
    pub live: bool,
    /// Some component instantiated in the subtree is in a state that is not final. Always false where
    /// the formula does not mention `deadlock`.
    pub unfinished: bool,
    /// Per group of patterns in the formula, in the order of first occurrence from left to right:
    /// whether one has occurred in the subtree.
    pub patterns: Vec<bool>,
    /// Per different sum in the formula, in the order of first occurrence from left to right: its value for
    /// the components instantiated in the subtree, saturated above the largest number it is compared with.
    pub counts: Vec<u64>,
}

/// A set, and how many of its places the subtree marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuting {
    /// The set: a position in [`Proof::sets`], of the configuration's predicate.
    pub set: usize,
    /// How many of the set's places the components instantiated below mark, saturated as
    /// [`PredicateSet::initial`]; for `parity`, the sum of marked and initially marked places modulo 2. For
    /// weighted kinds how much more the marked places weigh than the initially marked ones: modulo m for
    /// `modulo:m`, at least that much for `linear:b`.
    pub marked: i64,
}

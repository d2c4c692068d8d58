//! Reports: what a run found, as plain data with every id replaced by a name.
//!
//! A [`Question`] is made from a verdict by [`build`]; [`text`] turns it into lines for a person and
//! [`document`] puts it, with the file and its diagnostics, into what `--json` prints. So both
//! outputs say the same, and neither needs the model. Nothing here prints or opens a file: the results
//! are strings and values that can be serialised.
//!
//! The field names of these types are the keys of the JSON document (`docs/json.md`): renaming one is
//! a change of [`document::SCHEMA_VERSION`]. Serialising the verdict's own types instead was rejected: ids
//! mean nothing outside a run, and inner types could then not change without breaking readers.

use serde::{Deserialize, Serialize};

pub mod advice;
pub mod backends;
pub mod build;
pub mod candidate;
pub mod crosscheck;
pub mod document;
mod engines;
pub mod evidence;
pub mod explored;
pub mod instances;
pub mod json;
pub mod kind;
pub mod labs;
pub mod listed;
pub mod names;
pub mod processes;
pub mod rcheck;
pub mod reading;
pub mod reproducer;
pub mod run;
pub mod simulated;
pub mod tested;
pub mod text;
pub mod trace;
pub mod why;
pub mod written;

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// No instance, of whatever size, reaches the error.
    Proved,
    /// An instance reaches it.
    Violated,
    /// Neither was found.
    Unknown,
}

impl Answer {
    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Proved => "proved",
            Answer::Violated => "violated",
            Answer::Unknown => "unknown",
        }
    }
}

/// A question with its answer and evidence.
///
/// Rejected: an enum with the keys of each answer. The document has every key whatever the answer, `null` or
/// empty where there is nothing, in an order that mixes them, so all fields would be listed a second time to
/// write it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// The error's name.
    pub error: String,
    /// Its definition, the names of other errors replaced by what they mean.
    pub formula: String,
    /// The answer.
    pub verdict: Answer,
    /// The kinds of invariants that the proof needs, cheapest first; empty unless proved.
    pub invariants: Vec<String>,
    /// How many interactions (each in one combination of transitions) were dropped because they never
    /// fire.
    pub dropped_interactions: usize,
    /// How many pairs of states of components of a rule exclude each other, where the proof needs that.
    pub exclusive_pairs: usize,
    /// The system's smallest instance: none is smaller, so the answer covers sizes from here on.
    pub smallest_instance: Instance,
    /// The instance that reaches the error, or that could not be excluded; `None` when proved, and
    /// when unknown without a candidate.
    pub instance: Option<Instance>,
    /// The marking of `instance` that is an error: the trace's last, or the candidate's.
    pub marking: Option<Vec<Place>>,
    /// Markings that the invariants allow and that are errors, each in an instance: `marking` in `instance`,
    /// then such in which other states occur. Empty unless unknown.
    pub candidates: Vec<Candidate>,
    /// The firing sequence from the initial marking to `marking`; `None` unless violated.
    pub trace: Option<Vec<Step>>,
    /// Whether no shorter sequence leads to the error in `instance`; written only where that is not known.
    #[serde(rename = "shortest", skip_serializing_if = "Clone::clone")]
    pub is_shortest: bool,
    /// What makes `instance` look unintended, or the proof vacuous; empty where the answer is unknown.
    pub remarks: Vec<Remark>,
    /// What never happens though the proof should be about it; `None` unless proved and there is such a thing.
    pub vacuous: Option<Vacuous>,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
    /// The engines that were run, in this order, and the answer of each.
    pub engines: Vec<Engine>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
    /// The kinds of invariants that were tried, cheapest first, and `exclusive` if so were states that
    /// exclude each other; empty unless unknown.
    pub tried: Vec<String>,
    /// What was explored without reaching the error; `None` unless unknown.
    pub explored: Option<Explored>,
    /// The reachable marking of `instance` that looks most like `marking`; `None` unless unknown.
    pub nearest: Option<advice::Nearest>,
    /// What can be done where the answer is unknown, the best first; then the commands that take up the candidate.
    pub advice: Vec<advice::Advice>,
    /// How large the proof is; `None` unless proved with a certificate.
    pub proof: Option<ProofSize>,
    /// Where the certificate was written, if it was.
    pub certificate: Option<String>,
    /// Why the proof holds, in terms of the model; only where details are wanted, and the answer is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<why::Why>,
}

/// A marking that could not be excluded, and whether its instance reaches the error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The instance.
    pub instance: Instance,
    /// The marking.
    pub marking: Vec<Place>,
    /// `not-reached`: the instance was explored and does not reach the error; `undecided`: it was not
    /// explored to the end.
    pub explored: &'static str,
}

/// The answer of one engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Engine {
    /// `direct` or `mona`.
    pub engine: String,
    /// Its answer.
    pub verdict: Answer,
    /// Why it has none; `None` unless unknown.
    pub reason: Option<Reason>,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
    /// The formulas that MONA decided, in this order; empty for `direct`.
    pub formulas: Vec<Formula>,
}

/// A formula that MONA was to decide.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Formula {
    /// The markings looked for: the error's name, or an interaction that is suspected of never firing.
    pub asks: String,
    /// The kinds of invariants that they are to be in.
    pub invariants: Vec<String>,
    /// How many interactions had been dropped.
    pub dropped_interactions: usize,
    /// How many different subformulas it has.
    pub subformulas: usize,
    /// `unsatisfiable` (there is no such marking), `satisfiable` or `gave-out`.
    pub answer: &'static str,
    /// Wall-clock time in milliseconds, from making the formula to the answer.
    pub time_ms: f64,
    /// How many automata were built.
    pub automaton_count: usize,
    /// The automata, in the order of building. Only where details are wanted.
    pub automata: Vec<Automaton>,
}

/// An automaton that MONA built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Automaton {
    /// The subformula that it is for, shortened; `None` for a product of conjuncts of the whole.
    pub subformula: Option<String>,
    /// Its states.
    pub states: u32,
    /// The nodes of its decision diagrams.
    pub nodes: u32,
    /// Wall-clock time in milliseconds, without its parts.
    pub time_ms: f64,
}

/// An instance: a rewriting tree with chosen initial states, and its components.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Instance {
    /// The number of components.
    pub size: usize,
    /// The rewriting tree as a term, as in `Ring.1(Chain.2^40(Chain.1))`.
    pub term: String,
    /// The components: the tree's nodes in preorder, instance atoms of a node in source order.
    pub components: Vec<Component>,
    /// The rewriting tree, parents before children; the first is the root.
    pub tree: Vec<Node>,
}

/// A component of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Component {
    /// Its name in this report: the component type and a number from 1, as in `Node#2`.
    pub name: String,
    /// Its component type.
    #[serde(rename = "type")]
    pub component_type: String,
    /// The state it starts in.
    pub initial: String,
    /// The node of the tree whose rule creates it.
    pub node: usize,
    /// The variable of that rule that is bound to it.
    pub variable: String,
}

/// A node of a rewriting tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Node {
    /// The rule's label, as in `Chain.2`.
    pub rule: String,
    /// The node above; `None` for the root.
    pub parent: Option<usize>,
    /// The nodes that rewrite the rule's predicate atoms, in source order.
    pub children: Vec<usize>,
}

/// A component and the state it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Place {
    /// The component's name.
    pub component: String,
    /// The state.
    pub state: String,
}

/// A transition that fires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Step {
    /// The label of the rule that the interaction belongs to; of an internal transition, the rule
    /// that creates the component.
    pub rule: String,
    /// The node of the tree where that rule is applied.
    pub node: usize,
    /// The interaction's position in the rule, from 0; `None`: an internal transition.
    pub interaction: Option<usize>,
    /// The interaction as in the model, links inserted: `out(x1) in(y)`. Empty where internal.
    pub text: String,
    /// Who takes part and what changes, in the order of the interaction.
    pub participants: Vec<Participant>,
}

/// What a step does to one component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Participant {
    /// The component's name.
    pub component: String,
    /// The port; `None` where internal.
    pub port: Option<String>,
    /// The state left.
    pub from: String,
    /// The state entered.
    pub to: String,
}

/// What never happens though the proof should be about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Vacuous {
    /// States that the error speaks of and no component enters, as in `User.crit`.
    pub states: Vec<String>,
    /// Interactions that never fire.
    pub interactions: Vec<InteractionName>,
    /// In which instances that is so.
    pub up_to: UpTo,
}

/// An interaction of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InteractionName {
    /// The rule's label, as in `Chain.2`.
    pub rule: String,
    /// The interaction's position in the rule, from 0.
    pub interaction: usize,
    /// The interaction as in the model, links inserted: `out(x1) in(y)`.
    pub text: String,
}

/// In which instances something never happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum UpTo {
    /// In those with at most so many components, which were explored.
    Size(usize),
    /// In all, which was proved.
    Proved(EverySize),
}

/// The word for all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EverySize {
    /// `every-size`
    #[serde(rename = "every-size")]
    EverySize,
}

/// What makes an instance look unintended, or a proof vacuous.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// A stable word: `no-transition`, `idle-components` or `not-final`; of a proof `never-entered`, `never-fires` or
    /// `nothing-fires`; of a check of a process `never-offered`; of a property in R-CHECK `vacuous`.
    pub code: &'static str,
    /// The remark in words.
    pub text: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A stable word: `spurious`, `candidate-too-large`, `time-limit`, `memory-limit`, `interrupted`,
    /// `mona-nodes`, `mona-failed`, `no-formula` or `unsupported`.
    pub code: &'static str,
    /// The reason in words.
    pub text: String,
    /// The subformula at which MONA failed, shortened; `None` where it had not begun.
    pub at: Option<String>,
}

/// What was explored exhaustively without reaching the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Explored {
    /// Every instance with at most this many components.
    pub up_to_size: usize,
    /// How many instances that were.
    pub instances: usize,
    /// How many states were visited.
    pub states: usize,
}

/// How large a proof is, the proofs of dropped interactions included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ProofSize {
    /// What markings show their context.
    pub configurations: usize,
    /// What sets of places show their context.
    pub sets: usize,
    /// What sets contain of single components.
    pub parts: usize,
}

#[cfg(test)]
mod tests;

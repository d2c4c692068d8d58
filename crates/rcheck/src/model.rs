//! The resolved model of a system: names are indices, guards inlined, quantifiers over instances expanded,
//! processes structure automata.
//!
//! Only [`lower`](mod@crate::lower) makes a [`System`]. It is well-typed: wherever a value is used, it is of
//! the type that is needed, up to ranges, which are checked when something is assigned. Values are numbers:
//! of truth 0 and 1; of an enum the position of the case; of channels 0 for `*`, then the declared ones; of
//! locations the instance.

use paramcheck_text::define_index;
use paramcheck_text::index::IndexVec;
use paramcheck_text::source::Span;

use crate::vocabulary::Syntax;

define_index! {
    /// An enum.
    pub struct EnumId;
    /// A kind of agents.
    pub struct AgentId;
    /// An instance of an agent.
    pub struct InstanceId;
}

/// The channel `*`.
pub const BROADCAST: i64 = 0;

/// A system of instances and what is claimed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The syntax of its file.
    pub syntax: Syntax,
    /// The enums, without the channels.
    pub enums: IndexVec<EnumId, Enum>,
    /// The names of the channels; the first is `*`.
    pub channels: Vec<String>,
    /// What messages have.
    pub messages: Vec<Variable>,
    /// The property variables.
    pub properties: Vec<Variable>,
    /// The kinds of agents.
    pub agents: IndexVec<AgentId, Agent>,
    /// The instances, in the order of the system.
    pub instances: IndexVec<InstanceId, Instance>,
    /// The properties, in the order of the file.
    pub specs: Vec<Spec>,
}

/// An enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its values.
    pub cases: Vec<String>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Truth.
    Bool,
    /// Any number.
    Int,
    /// A number from the first to the last.
    Range(i64, i64),
    /// A value of an enum.
    Enum(EnumId),
    /// A channel.
    Channel,
    /// An instance.
    Location,
}

impl Type {
    /// Whether values of the types can be compared, and assigned up to ranges.
    pub fn fits(self, other: Type) -> bool {
        self == other || self.is_number() && other.is_number()
    }

    /// Whether its values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Range(..))
    }
}

/// A kind of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Its local variables.
    pub locals: Vec<Variable>,
    /// What holds in the beginning.
    pub init: Expr,
    /// On which channels, but `*`, it is connected.
    pub receive_guard: Expr,
    /// Per property variable its value, if the agent relabels it.
    pub relabels: Vec<Option<Expr>>,
    /// How many locations its structure automaton has; the first is the initial one.
    pub locations: usize,
    /// The edges of its structure automaton, in the order of the text.
    pub commands: Vec<Command>,
}

/// An edge of a structure automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its label.
    pub label: Option<String>,
    /// Its place in the text.
    pub span: Span,
    /// Where it begins.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// When it can be executed.
    pub guard: Expr,
    /// What it does.
    pub action: Action,
    /// What is sent, by message variable.
    pub data: Vec<(usize, Expr)>,
    /// What is assigned, by local variable.
    pub update: Vec<(usize, Expr)>,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends on a channel to those that satisfy a condition.
    Send {
        /// The channel.
        channel: Expr,
        /// The condition: over the sender's locals, what is sent, and the receiver's property variables.
        to: Expr,
    },
    /// Receives on a channel.
    Receive {
        /// The channel.
        channel: Expr,
    },
    /// Gets from the instance that is the value.
    GetFrom(Expr),
    /// Gets from any instance that satisfies a condition on its property variables.
    GetBy(Expr),
    /// Supplies.
    Supply {
        /// Whether those alone who name the supplier.
        is_myself: bool,
    },
}

impl Action {
    /// Whether it sends or supplies. Its label is true before the step then, otherwise after it.
    pub fn produces(&self) -> bool {
        matches!(self, Action::Send { .. } | Action::Supply { .. })
    }
}

/// An instance of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// Its agent.
    pub agent: AgentId,
    /// What holds of it in the beginning, beyond what holds of all of its kind.
    pub init: Expr,
    /// Per local variable the least and the greatest value it may have in the beginning.
    pub bounds: Vec<(i64, i64)>,
}

/// An expression over values of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term<A> {
    /// A value.
    Constant(i64),
    /// What depends on where it is evaluated.
    Atom(A),
    /// Negation.
    Not(Box<Term<A>>),
    /// The opposite number.
    Negative(Box<Term<A>>),
    /// Conjunction.
    All(Vec<Term<A>>),
    /// Disjunction.
    Any(Vec<Term<A>>),
    /// Implication.
    Implies(Box<Term<A>>, Box<Term<A>>),
    /// Equivalence.
    Iff(Box<Term<A>>, Box<Term<A>>),
    /// A comparison.
    Compare(Comparison, Box<Term<A>>, Box<Term<A>>),
    /// A computation.
    Compute(Arithmetic, Box<Term<A>>, Box<Term<A>>),
}

/// An expression of the model.
pub type Expr = Term<Atom>;

/// What expressions of the model are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A local variable of the agent.
    Local(usize),
    /// What the message has.
    Message(usize),
    /// A property variable of the agent that may be addressed.
    Property(usize),
    /// The channel of the message.
    Channel,
    /// The instance itself.
    Myself,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// Towards zero.
    Divide,
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// As it is written, without `SPEC` and `;`.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// What is claimed of every run.
    pub formula: Formula,
    /// Its observations.
    pub observations: Vec<Observation>,
}

/// A formula of LTOL, with quantifiers expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Of the state, and the steps before and behind it.
    State(Term<StateAtom>),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    All(Vec<Formula>),
    /// Disjunction.
    Any(Vec<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// `X`
    Next(Box<Formula>),
    /// `F`
    Finally(Box<Formula>),
    /// `G`
    Globally(Box<Formula>),
    /// `U`
    Until(Box<Formula>, Box<Formula>),
    /// `R`
    Release(Box<Formula>, Box<Formula>),
    /// `W`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `<<O>>`, `[[O]]`, by position among the observations of the property.
    Observed {
        /// Whether it is the former.
        is_diamond: bool,
        /// The observation.
        observation: usize,
        /// What holds after the step.
        body: Box<Formula>,
    },
}

/// What properties say of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateAtom {
    /// A local variable.
    Local(InstanceId, usize),
    /// Where its structure automaton is.
    Location(InstanceId),
    /// The label of a command: executed by the step from here, if it sends or supplies, otherwise by the step
    /// to here.
    Label(InstanceId, usize),
    /// Some step is possible.
    Progress,
}

/// What is observed of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Always or never.
    Truth(bool),
    /// Negation.
    Not(Box<Observation>),
    /// Conjunction.
    All(Vec<Observation>),
    /// Disjunction.
    Any(Vec<Observation>),
    /// Equivalence.
    Iff(Box<Observation>, Box<Observation>),
    /// Of the message; false if the message lacks something that it is about.
    Atom(Term<MessageAtom>),
    /// Of the property variables of those addressed.
    Addressed {
        /// Whether of all values that satisfy the send guard, otherwise of some.
        is_universal: bool,
        /// What holds of them.
        body: Box<Observation>,
    },
}

/// What is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MessageAtom {
    /// Its channel.
    Channel,
    /// Who sent it; not point to point.
    Sender,
    /// Who supplied; point to point alone.
    Supplier,
    /// Who got; point to point alone.
    Getter,
    /// Who sent or supplied.
    Producer,
    /// Who sent or got.
    Initiator,
    /// Whether it is point to point.
    PointToPoint,
    /// What it has.
    Message(usize),
    /// A property variable of the supplier.
    SupplierProperty(usize),
    /// A property variable of those addressed, within [`Observation::Addressed`].
    Property(usize),
}

impl<A: Copy> Term<A> {
    /// Calls `visit` on every atom.
    pub fn atoms(&self, visit: &mut impl FnMut(A)) {
        match self {
            Term::Constant(_) => {}
            Term::Atom(atom) => visit(*atom),
            Term::Not(inner) | Term::Negative(inner) => inner.atoms(visit),
            Term::All(all) | Term::Any(all) => all.iter().for_each(|one| one.atoms(visit)),
            Term::Implies(left, right)
            | Term::Iff(left, right)
            | Term::Compare(_, left, right)
            | Term::Compute(_, left, right) => {
                left.atoms(visit);
                right.atoms(visit);
            }
        }
    }
}

impl System {
    /// How a value of a type is written.
    pub fn show(&self, ty: Type, value: i64) -> String {
        let at = |names: &[String]| usize::try_from(value).ok().and_then(|at| names.get(at)).cloned();
        let named = match ty {
            Type::Bool => Some(if value == 0 { "false" } else { "true" }.to_owned()),
            Type::Int | Type::Range(..) => None,
            Type::Enum(id) => at(&self.enums[id].cases),
            Type::Channel => at(&self.channels),
            Type::Location => {
                let found = self.instances.enumerate().find(|(id, _)| i64::from(id.number()) == value);
                found.map(|(_, instance)| instance.name.clone())
            }
        };
        named.unwrap_or_else(|| value.to_string())
    }

    /// The least and the greatest value of a type; `int` has neither.
    pub fn bounds(&self, ty: Type) -> Option<(i64, i64)> {
        let below = |count: usize| i64::try_from(count).unwrap_or(i64::MAX) - 1;
        Some(match ty {
            Type::Bool => (0, 1),
            Type::Int => return None,
            Type::Range(low, high) => (low, high),
            Type::Enum(id) => (0, below(self.enums[id].cases.len())),
            Type::Channel => (0, below(self.channels.len())),
            Type::Location => (0, below(self.instances.len())),
        })
    }

    /// The agent of an instance.
    pub fn agent_of(&self, instance: InstanceId) -> &Agent {
        &self.agents[self.instances[instance].agent]
    }
}

impl InstanceId {
    /// The instance as a value.
    pub fn number(self) -> u32 {
        use paramcheck_text::index::Idx;
        u32::try_from(self.index()).unwrap_or(u32::MAX)
    }
}

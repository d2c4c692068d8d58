//! A well-formed system of agents: every name resolved, every parameter a number, every array of known
//! extent.
//!
//! Only [`lower`](crate::lower) makes one. Values live in *cells*: those of the environment first, then agent
//! by agent its attributes and its copies of stigmergic variables, arrays by rows. Processes are trees in one
//! arena; definitions of the system are there once per kind that calls them, since their variables are the
//! kind's.
//!
//! What a system does is not here ([`semantics`](crate::semantics)).

mod foreign;

use std::borrow::Cow;
use std::collections::BTreeSet;

use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

use crate::number::Width;

define_index! {
    /// A kind of agents; kinds are in alphabetical order.
    pub struct KindId;
    /// An agent; agents are ordered by kind.
    pub struct AgentId;
    /// A name of variables of agents.
    pub struct NameId;
    /// A virtual stigmergy.
    pub struct StigmergyId;
    /// Variables of a stigmergy that travel together, in the order of their declaration in the file.
    pub struct TupleId;
    /// A node of a process.
    pub struct ProcessId;
    /// A process with a name, for one kind.
    pub struct DefinitionId;
    /// A guard.
    pub struct GuardId;
    /// An action: what an agent does in one step.
    pub struct ActionId;
}

/// A system of agents.
#[derive(Clone, Debug)]
pub struct System {
    /// The values of the parameters, by name without `_`, in the order of their declaration.
    pub parameters: Vec<(String, i64)>,
    /// The variables of the environment.
    pub environment: Vec<Variable>,
    /// The kinds.
    pub kinds: IndexVec<KindId, Kind>,
    /// The kind of each agent.
    pub agents: IndexVec<AgentId, KindId>,
    /// The first cell of each agent.
    pub first_cells: IndexVec<AgentId, usize>,
    /// Where the variables of agents are found.
    pub names: IndexVec<NameId, Name>,
    /// The stigmergies.
    pub stigmergies: IndexVec<StigmergyId, Stigmergy>,
    /// The tuples of all stigmergies.
    pub tuples: IndexVec<TupleId, Tuple>,
    /// The initial values of each cell.
    pub initial: Vec<Initial>,
    /// The nodes of all processes.
    pub processes: IndexVec<ProcessId, Process>,
    /// The processes with names.
    pub definitions: IndexVec<DefinitionId, Definition>,
    /// The guards.
    pub guards: IndexVec<GuardId, Guard>,
    /// The actions.
    pub actions: IndexVec<ActionId, Action>,
    /// What holds in every initial state.
    pub assumptions: Vec<Assumption>,
    /// The questions.
    pub properties: Vec<Property>,
}

impl System {
    /// How an agent is called: kind and number, `Phil 0`.
    pub fn agent_name(&self, agent: AgentId) -> String {
        format!("{} {}", self.kinds[self.agents[agent]].name, agent.index())
    }

    /// The agents of a kind.
    pub fn agents_of(&self, kind: KindId) -> impl Iterator<Item = AgentId> + use<> {
        self.kinds[kind].agents.clone().map(AgentId::new)
    }

    /// The tuples of these variables of a kind, ascending.
    pub fn tuples_of(&self, kind: KindId, names: impl IntoIterator<Item = NameId>) -> BTreeSet<TupleId> {
        let places = names.into_iter().filter_map(|name| self.names[name].places[kind].as_ref());
        places.filter_map(|place| place.tuple).collect()
    }

    /// The system with initial values that are numbers of this width: itself, unless numbers wrap around.
    ///
    /// # Errors
    /// A cell has an initial value that leaves the range; the first such cell, and the value.
    pub fn fitted(&self, width: Width) -> Result<Cow<'_, System>, (usize, i64)> {
        let mut fitted = Cow::Borrowed(self);
        for (cell, initial) in self.initial.iter().enumerate() {
            let outside = initial.ends().into_iter().find(|value| width.bounds_exclude(*value));
            let Some(value) = outside else { continue };
            let wrapped = initial.wrapped(width).ok_or((cell, value))?;
            fitted.to_mut().initial[cell] = wrapped;
        }
        Ok(fitted)
    }

    /// How many parts an expression has once its quantifiers are written out.
    pub fn size(&self, expr: &Expr) -> u64 {
        let parts = expr.parts().into_iter().map(|part| self.size(part)).fold(0, u64::saturating_add);
        let times = match expr {
            Expr::Quantified { kind, .. } | Expr::Count { kind, .. } => self.kinds[*kind].agents.len() as u64,
            _ => 1,
        };
        parts.saturating_mul(times).saturating_add(1)
    }

    /// The agents that have copies of a tuple's variables.
    pub fn holders(&self, tuple: TupleId) -> impl Iterator<Item = AgentId> + '_ {
        let stigmergy = self.tuples[tuple].stigmergy;
        self.agents
            .enumerate()
            .filter(move |(_, kind)| self.kinds[**kind].stigmergies.contains(&stigmergy))
            .map(|(agent, _)| agent)
    }

    /// The cells of an agent's copy of a tuple; none, if the agent has no copy.
    pub fn cells_of(&self, tuple: TupleId, agent: AgentId) -> impl Iterator<Item = usize> + '_ {
        let kind = self.agents[agent];
        let places = self.tuples[tuple]
            .variables
            .iter()
            .filter_map(move |name| self.names[*name].places[kind].as_ref());
        let places = places.filter(move |place| place.tuple == Some(tuple));
        places.flat_map(move |place| {
            (0..place.size()).map(move |at| self.first_cells[agent] + place.offset + at)
        })
    }

    /// Whether agents have copies of a variable, or an element of an array, of this name.
    pub fn is_stigmergic(&self, element: &str) -> bool {
        let name = element.split('[').next().unwrap_or_default();
        let mut names = self.tuples.iter().flat_map(|tuple| &tuple.variables);
        names.any(|one| self.names[*one].text == name)
    }

    /// What a cell holds, as written: `fork[1]`, or an agent and its variable.
    pub fn cell_name(&self, cell: usize) -> (Option<AgentId>, String) {
        if let Some(variable) = self.environment.iter().find(|one| one.has(cell)) {
            return (None, variable.element(cell - variable.offset));
        }
        let agent =
            self.first_cells.enumerate().rev().find(|(agent, first)| {
                **first <= cell && self.kinds[self.agents[*agent]].cells > cell - **first
            });
        let Some((agent, first)) = agent else { return (None, String::new()) };
        let offset = cell - first;
        let variables = &self.kinds[self.agents[agent]].variables;
        let name = variables.iter().find(|one| one.has(offset));
        (Some(agent), name.map_or_else(String::new, |one| one.element(offset - one.offset)))
    }
}

/// A variable and where its values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its first cell: in the system for one of the environment, in the agent for others.
    pub offset: usize,
    /// The extents of an array: none, one or two.
    pub extents: Vec<usize>,
}

impl Variable {
    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.extents.iter().product()
    }

    fn has(&self, cell: usize) -> bool {
        (self.offset..self.offset + self.size()).contains(&cell)
    }

    /// How the element at a flat index is written.
    fn element(&self, flat: usize) -> String {
        match *self.extents.as_slice() {
            [] => self.name.clone(),
            [_, columns] if columns > 0 => format!("{}[{}, {}]", self.name, flat / columns, flat % columns),
            _ => format!("{}[{flat}]", self.name),
        }
    }
}

/// A kind of agents.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The numbers of its agents.
    pub agents: std::ops::Range<usize>,
    /// Attributes, then variables of its stigmergies.
    pub variables: Vec<Variable>,
    /// How many cells each agent has.
    pub cells: usize,
    /// The stigmergies of which its agents have copies.
    pub stigmergies: Vec<StigmergyId>,
    /// What its agents do.
    pub behavior: DefinitionId,
}

/// A name of variables of agents: kind by kind where the variable is, if the kind has it.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is.
    pub places: IndexVec<KindId, Option<Place>>,
}

/// Where a variable of an agent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its first cell in the agent.
    pub offset: usize,
    /// The extents of an array.
    pub extents: Vec<usize>,
    /// The tuple it belongs to; an attribute belongs to none.
    pub tuple: Option<TupleId>,
}

impl Place {
    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.extents.iter().product()
    }
}

/// A virtual stigmergy.
#[derive(Clone, Debug)]
pub struct Stigmergy {
    /// Its name.
    pub name: String,
    /// Whether the second agent hears the first.
    pub link: Expr,
}

/// Variables of a stigmergy that travel together.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The stigmergy.
    pub stigmergy: StigmergyId,
    /// Its variables, in the order of their declaration.
    pub variables: Vec<NameId>,
}

/// The initial values of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// None is known.
    Undefined,
    /// One of these; at least one.
    OneOf(Vec<i64>),
    /// One of these, the upper end not among them; at least one.
    Range(i64, i64),
}

impl Initial {
    /// The values among which all others lie.
    fn ends(&self) -> Vec<i64> {
        match self {
            Initial::Undefined => Vec::new(),
            Initial::OneOf(values) => values.clone(),
            Initial::Range(low, high) => vec![*low, high.saturating_sub(1)],
        }
    }

    /// The values as numbers that wrap around; `None` if they do not.
    fn wrapped(&self, width: Width) -> Option<Initial> {
        let (low, high) = width.bounds();
        if self.count() > high.abs_diff(low) {
            return width.wraps().then(|| Initial::Range(low, high + 1));
        }
        let values = (0..self.count()).map(|number| width.fit(self.value(number)?).ok());
        let mut values = values.collect::<Option<Vec<i64>>>()?;
        values.sort_unstable();
        values.dedup();
        Some(Initial::OneOf(values))
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        match self {
            Initial::Undefined => 1,
            Initial::OneOf(values) => values.len() as u64,
            Initial::Range(low, high) => high.abs_diff(*low),
        }
    }

    /// Whether a value is one of them; `None` is undefined.
    pub fn has(&self, value: Option<i64>) -> bool {
        match (self, value) {
            (Initial::Undefined, None) => true,
            (Initial::OneOf(values), Some(value)) => values.contains(&value),
            (Initial::Range(low, high), Some(value)) => (*low..*high).contains(&value),
            _ => false,
        }
    }

    /// One of them, from 0; `None` is undefined.
    pub fn value(&self, number: u64) -> Option<i64> {
        match self {
            Initial::Undefined => None,
            Initial::OneOf(values) => usize::try_from(number).ok().and_then(|at| values.get(at)).copied(),
            Initial::Range(low, _) => low.checked_add_unsigned(number),
        }
    }
}

/// A node of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// Interleaved; ends when all have.
    Parallel(Vec<ProcessId>),
    /// Decided by the first step.
    Choice(Vec<ProcessId>),
    /// One after the other.
    Sequence(Vec<ProcessId>),
    /// Its first step needs the guard.
    Guarded {
        /// The guard.
        guard: GuardId,
        /// Whether one silent step takes its place when the guard does not hold.
        is_conditional: bool,
        /// What is guarded.
        body: ProcessId,
    },
    /// A step.
    Act(ActionId),
    /// Neither steps nor ends.
    Nil,
    /// What the definition says.
    Call(DefinitionId),
}

/// A process with a name.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The kind whose variables it uses.
    pub kind: KindId,
    /// What it does.
    pub body: ProcessId,
}

/// A guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its place.
    pub span: Span,
    /// What must be true.
    pub condition: Expr,
    /// The variables of the kind's own stigmergies that occur in it; ascending.
    pub reads: Vec<NameId>,
}

/// What an agent does in one step.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its place.
    pub span: Span,
    /// One after the other, on the store as changed so far. None is `Skip`.
    pub statements: Vec<Statement>,
    /// How many locals there are.
    pub locals: usize,
    /// The variables of the kind's own stigmergies that occur in it, on the right or as part of an index;
    /// ascending.
    pub reads: Vec<NameId>,
    /// The variables of stigmergies that are assigned; ascending.
    pub writes: Vec<NameId>,
}

/// A statement of an action.
#[derive(Clone, Debug)]
pub enum Statement {
    /// All indices and values are computed, then all are assigned.
    Assign(Vec<(Target, Expr)>),
    /// Distinct agents other than oneself, one after the other into locals.
    Pick {
        /// The first of the locals.
        local: usize,
        /// How many.
        count: usize,
        /// Of this kind; any, if it is not there.
        kind: Option<KindId>,
        /// A condition on oneself (first) and the candidate (second).
        condition: Option<Expr>,
    },
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable of the environment, by its position.
    Environment(usize, Vec<Expr>),
    /// A variable of the agent itself.
    Own(NameId, Vec<Expr>),
    /// A local.
    Local(usize),
}

/// An expression. Truth is a number: what is not 0 is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// The number of an agent.
    Id(Who),
    /// A variable of the environment, by its position.
    Environment(usize, Vec<Expr>),
    /// A variable of an agent.
    Of(Who, NameId, Vec<Expr>),
    /// A local.
    Local(usize),
    /// An element of what was picked: the first local, how many there are, and which.
    Picked(usize, usize, Box<Expr>),
    /// The number with the other sign.
    Negative(Box<Expr>),
    /// 1 for 0, else 0.
    Not(Box<Expr>),
    /// An operator between two operands.
    Binary(crate::ast::Operator, Box<[Expr; 2]>),
    /// Any value from the first to the one before the second.
    AnyOf(Box<[Expr; 2]>),
    /// The number without its sign.
    Absolute(Box<Expr>),
    /// The smaller of two.
    Least(Box<[Expr; 2]>),
    /// The greater of two.
    Greatest(Box<[Expr; 2]>),
    /// Condition, then, else.
    If(Box<[Expr; 3]>),
    /// A function of the C program.
    Foreign(String, Vec<Expr>),
    /// For all agents of a kind, or for some, bound to a number.
    Quantified {
        /// Whether it is for all.
        is_universal: bool,
        /// The kind.
        kind: KindId,
        /// The number of the bound agent.
        bound: usize,
        /// What is to hold.
        body: Box<Expr>,
    },
    /// For how many agents of a kind it holds.
    Count {
        /// The kind.
        kind: KindId,
        /// The number of the bound agent.
        bound: usize,
        /// What is to hold.
        body: Box<Expr>,
    },
}

impl Expr {
    /// The expressions of which it is made.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Number(_) | Expr::Local(_) => Vec::new(),
            Expr::Id(who) => who.number().into_iter().collect(),
            Expr::Environment(_, parts) | Expr::Foreign(_, parts) => parts.iter().collect(),
            Expr::Of(who, _, indices) => who.number().into_iter().chain(indices).collect(),
            Expr::Picked(_, _, inner)
            | Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::Absolute(inner)
            | Expr::Quantified { body: inner, .. }
            | Expr::Count { body: inner, .. } => vec![inner],
            Expr::Binary(_, pair) | Expr::AnyOf(pair) | Expr::Least(pair) | Expr::Greatest(pair) => {
                pair.iter().collect()
            }
            Expr::If(parts) => parts.iter().collect(),
        }
    }
}

/// An agent in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// The agent that acts; of a link the sender.
    First,
    /// Of a link the receiver; of a pick the candidate.
    Second,
    /// Bound by a quantifier.
    Bound(usize),
    /// The agent of this number.
    Agent(Box<Expr>),
}

impl Who {
    /// The number, if it is an expression.
    fn number(&self) -> Option<&Expr> {
        match self {
            Who::Agent(number) => Some(number),
            Who::First | Who::Second | Who::Bound(_) => None,
        }
    }
}

/// What holds in every initial state.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What holds.
    pub formula: Expr,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// When the formula is to hold.
    pub modality: Modality,
    /// The formula.
    pub formula: Expr,
    /// The place of its name.
    pub span: Span,
    /// The place of what it demands, from the sign behind its name on.
    pub demand: Span,
}

impl Property {
    /// What it demands as written in `text`, in one line and without comments.
    pub fn text(&self, text: &str) -> String {
        let demand = text.get(self.demand.start..self.demand.end).unwrap_or_default();
        let lines = demand.lines().map(|line| line.split('#').next().unwrap_or_default());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        words.join(" ").trim_start_matches(['=', ':', ' ']).to_owned()
    }
}

/// When the formula of a property is to hold (`docs/labs.md`, properties).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Modality {
    /// In all reachable states.
    Always,
    /// Some time in every maximal run.
    Eventually {
        /// Whether it is written `finally`: in bounded runs, in their last state.
        is_finally: bool,
    },
    /// From every state reached without it, it can still be reached.
    Fairly,
    /// From every reachable state it can be reached.
    FairlyInfinite,
    /// In scopes.
    Scope {
        /// Whether scopes that never close are judged as well.
        is_open: bool,
        /// What opens a scope.
        opens: Expr,
        /// What closes it.
        closes: Expr,
        /// What is to be so in it.
        within: Within,
    },
}

/// What is to be so in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Within {
    /// Some state has it.
    ThereIs,
    /// All states have it.
    Always,
    /// It does not come before the first state that has this.
    Precedes(Expr),
}

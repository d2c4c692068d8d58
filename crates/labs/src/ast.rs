//! Syntax trees of LAbS, as written: what the parser makes and the printer takes.
//!
//! Names are not resolved here, and nothing is computed. Parentheses are kept where they were written
//! ([`ProcessKind::Parenthesised`], [`ExprKind::Parenthesised`]), because the language reads some texts in a
//! way that writers do not expect, and warnings speak of that. Source: the grammar in `docs/labs.md`.

use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Its sections, in source order.
    pub sections: Vec<Section>,
}

/// A section of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// `system { … }`
    System(SystemSection),
    /// `stigmergy NAME { … }`
    Stigmergy(StigmergySection),
    /// `agent NAME { … }`
    Agent(AgentSection),
    /// `assume { … }`
    Assume(AssumeSection),
    /// `check { … }`
    Check(CheckSection),
}

impl Section {
    /// From its first word to its closing brace.
    pub fn span(&self) -> Span {
        match self {
            Section::System(section) => section.span,
            Section::Stigmergy(section) => section.span,
            Section::Agent(section) => section.span,
            Section::Assume(section) => section.span,
            Section::Check(section) => section.span,
        }
    }
}

/// `system { extern = …  environment = …  spawn = …  definitions }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSection {
    /// Its place.
    pub span: Span,
    /// Parameters, with their `_`.
    pub externs: Vec<Ident>,
    /// Variables that all agents share.
    pub environment: Vec<Declaration>,
    /// How many agents there are of each kind.
    pub spawn: Vec<Spawn>,
    /// Processes that all kinds may call.
    pub definitions: Vec<Definition>,
}

/// `Kind: 3`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// The kind.
    pub kind: Ident,
    /// How many agents.
    pub count: Expr,
}

/// `stigmergy NAME { link = …  a, b: 0, 0; c: 1 }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StigmergySection {
    /// Its place.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Who hears whom: a condition on a sender (`1`) and a receiver (`2`).
    pub link: Option<Expr>,
    /// Its variables, by tuple.
    pub tuples: Vec<Tuple>,
}

/// `a, b: 0, 0`: variables that travel together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// The variables.
    pub variables: Vec<Variable>,
    /// Their initial values, in the same order.
    pub initials: Vec<Initial>,
}

/// `agent NAME { interface = …  stigmergies = …  definitions }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSection {
    /// Its place.
    pub span: Span,
    /// The kind.
    pub name: Ident,
    /// Its attributes.
    pub interface: Vec<Declaration>,
    /// The stigmergies of which its agents have copies.
    pub stigmergies: Vec<Ident>,
    /// Its processes; `Behavior` is the one that runs.
    pub definitions: Vec<Definition>,
}

/// `x[3]: 0..5`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What is declared.
    pub variable: Variable,
    /// Its initial values; all elements of an array have the same choice, each on its own.
    pub initial: Initial,
}

/// `x`, `x[3]`, `x[2, 3]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Ident,
    /// The extents of an array: none, one, or two.
    pub extents: Vec<Expr>,
}

/// Initial values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// `undef`
    Undefined(Span),
    /// `[1, 5]`: one of them; `{1, 5}` means the same.
    OneOf(Vec<Expr>),
    /// `0..5`: the upper end does not belong to it; `[0..5]` means the same.
    Range(Expr, Expr),
    /// One value.
    Value(Expr),
}

/// `NAME = process`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name; `Behaviour` is read as `Behavior`.
    pub name: Ident,
    /// What it does.
    pub body: Process,
}

/// A process and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ProcessKind,
}

/// What a process is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// `P || Q || R`, at least two
    Parallel(Vec<Process>),
    /// `P ++ Q ++ R`, at least two
    Choice(Vec<Process>),
    /// `P; Q; R`, at least two
    Sequence(Vec<Process>),
    /// `g -> P`, `g => P`
    Guarded {
        /// The guard.
        guard: Expr,
        /// Whether the arrow is `=>`: a guard that does not hold leaves P out by one step.
        is_conditional: bool,
        /// What it guards: all to its right.
        body: Box<Process>,
    },
    /// `{ a; b }`: statements in one step
    Block(Vec<Statement>),
    /// An assignment, which is a step.
    Assign(Assignment),
    /// `Skip`: a step that changes nothing
    Skip,
    /// `Nil`: no step, and no end
    Nil,
    /// The name of a definition
    Call(Ident),
    /// `(P)`
    Parenthesised(Box<Process>),
}

/// A statement of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // a file has few of them
pub enum Statement {
    /// An assignment, also to locals.
    Assign(Assignment),
    /// `p[] := pick 2 Kind where …`
    Pick(Pick),
}

/// `x, y <- 1, 2`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Its place.
    pub span: Span,
    /// What is assigned.
    pub targets: Vec<Target>,
    /// Its arrow, which says where the variables live.
    pub arrow: Arrow,
    /// The place of the arrow.
    pub arrow_span: Span,
    /// As many values as targets.
    pub values: Vec<Expr>,
}

/// The arrow of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// `<-`: attributes
    Attribute,
    /// `<~`: variables of stigmergies
    Stigmergy,
    /// `<--`: the environment
    Environment,
    /// `:=`: locals of a block
    Local,
}

impl Arrow {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Arrow::Attribute => "<-",
            Arrow::Stigmergy => "<~",
            Arrow::Environment => "<--",
            Arrow::Local => ":=",
        }
    }
}

/// `x`, `x[i]`, `x[i, j]` on the left of an assignment
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub name: Ident,
    /// The element of an array.
    pub indices: Vec<Expr>,
}

/// `p[] := pick 2 Kind where φ`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Its place.
    pub span: Span,
    /// The local array that holds who was picked.
    pub local: Ident,
    /// How many.
    pub count: Expr,
    /// Of which kind; any, if it is not there.
    pub kind: Option<Ident>,
    /// A condition on oneself (`1`) and a candidate (`2`).
    pub condition: Option<Expr>,
}

/// An expression, of numbers or Boolean, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number without a sign.
    Number(i64),
    /// `_n`, with its `_`
    Extern(String),
    /// `id`, `id of x`
    Id(Option<Box<Who>>),
    /// `x`, `x[i]`, `x of y`: also `c1`, a local, the variable of a quantifier where they can stand.
    Reference(Reference),
    /// `true`, `false`
    Truth(bool),
    /// `- a`
    Negative(Box<Expr>),
    /// `! a`
    Not(Box<Expr>),
    /// `a + b`
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `[a..b]`: any value from a to b - 1
    AnyOf(Box<Expr>, Box<Expr>),
    /// `abs(a)`
    Absolute(Box<Expr>),
    /// `min(a, b)`, `max(a, b)`
    Extreme {
        /// Whether it is `max`.
        is_max: bool,
        /// Both operands.
        operands: Box<[Expr; 2]>,
    },
    /// `if c then a else b`: these three
    If(Box<[Expr; 3]>),
    /// `$name(a, b)`: a function of the C program
    Foreign(String, Vec<Expr>),
    /// `forall Kind x, exists Kind y, φ`, in properties and behind `:=`
    Quantified(Vec<Quantifier>, Box<Expr>),
    /// `count Kind x, φ`, behind `:=`
    Count {
        /// The kind.
        kind: Ident,
        /// The variable.
        variable: Ident,
        /// What is counted.
        condition: Box<Expr>,
    },
    /// `(a)`
    Parenthesised(Box<Expr>),
}

/// `x[i] of y`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The variable.
    pub name: Ident,
    /// The element of an array.
    pub indices: Vec<Expr>,
    /// Whose, if that is written.
    pub of: Option<Box<Who>>,
}

/// What stands behind `of`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// In links and behind `where`: `1` or `c1` (false), `2` or `c2` (true).
    Party {
        /// Whether it is the receiver, or the candidate.
        is_second: bool,
        /// Its place.
        span: Span,
    },
    /// In properties: a quantified name.
    Name(Ident),
    /// The number of an agent; in processes any expression, a quantified name among them.
    Agent(Expr),
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named for its spelling in `Operator::spelling`
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    RoundDivide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    And,
    Or,
}

impl Operator {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::RoundDivide => ":",
            Operator::Modulo => "%",
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::And => "and",
            Operator::Or => "or",
        }
    }
}

/// `forall Kind x`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantifier {
    /// Whether it is `forall`.
    pub is_universal: bool,
    /// The kind.
    pub kind: Ident,
    /// The variable.
    pub variable: Ident,
}

/// `assume { NAME = φ }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumeSection {
    /// Its place.
    pub span: Span,
    /// Conditions on initial states.
    pub assumptions: Vec<Assumption>,
}

/// `NAME = φ`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its name.
    pub name: Ident,
    /// What holds in every initial state.
    pub formula: Expr,
}

/// `check { NAME = modality φ }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckSection {
    /// Its place.
    pub span: Span,
    /// The properties.
    pub properties: Vec<Property>,
}

/// `NAME = always φ`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: Ident,
    /// When the formula is to hold.
    pub modality: Modality,
    /// The formula.
    pub formula: Expr,
}

/// When the formula of a property is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // a file has few of them
pub enum Modality {
    /// `always`
    Always,
    /// `finally`, `eventually`: both the same, unless runs are bounded
    Eventually {
        /// Whether it is written `finally`.
        is_finally: bool,
    },
    /// `fairly`
    Fairly,
    /// `fairly_inf`
    FairlyInfinite,
    /// `between (p) and (q), …`, `from (p) until (q), …`
    Scope {
        /// Whether it is `from … until`.
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
    /// `thereIs r`: some state has r
    ThereIs,
    /// `always r`: all states have r
    Always,
    /// `s precedes r`: no r before the first s
    Precedes(Expr),
}

//! Syntax trees of R-CHECK files, as they are written: names are not resolved, guards not inlined.
//!
//! Both syntaxes have the same trees. Parentheses are kept, so that a text keeps those of its author.
//! Operators of one strength, one after the other, are one [`ExprKind::Chain`]: a long conjunction is wide,
//! not deep.

use crate::vocabulary::Syntax;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The syntax it is written in.
    pub syntax: Syntax,
    /// What it has, in source order.
    pub items: Vec<Item>,
}

/// A part of a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// From its first word to its end.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// What a part of a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `channels: a, b`, of the article's syntax
    Channels(Vec<Ident>),
    /// `enum NAME {a, b}`
    Enum(Ident, Vec<Ident>),
    /// `message-structure: x : T, …`
    Messages(Vec<Declaration>),
    /// `property-variables: x : T, …`
    Properties(Vec<Declaration>),
    /// `guard NAME(x : T, …) := …;`
    Guard(Guard),
    /// `agent NAME …`
    Agent(Agent),
    /// `system = A(a, …) || …`
    System(Vec<Instance>),
    /// `SPEC …`
    Spec(Expr),
}

/// A variable and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: Ident,
    /// The place of its type.
    pub span: Span,
    /// Its type.
    pub ty: TypeName,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `0..5`
    Range(i64, i64),
    /// `location`
    Location,
    /// An enum, or `channel`.
    Named(String),
}

/// An abbreviation of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Its name.
    pub name: Ident,
    /// What it is about.
    pub parameters: Vec<Declaration>,
    /// What it stands for.
    pub body: Expr,
}

/// A kind of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: Ident,
    /// Its parts, in source order.
    pub parts: Vec<Part>,
}

/// A part of an agent, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// From its first word to its end.
    pub span: Span,
    /// What it is.
    pub kind: PartKind,
}

/// What a part of an agent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// `local: x : T, …`
    Local(Vec<Declaration>),
    /// `init: …`
    Init(Expr),
    /// `relabel: pv <- …`
    Relabel(Vec<(Ident, Expr)>),
    /// `receive-guard: …`
    ReceiveGuard(Expr),
    /// `repeat: …`
    Repeat(Process),
}

/// What agents do, with its place.
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
    /// `P + Q + …`
    Choice(Vec<Process>),
    /// `P; Q; …`
    Sequence(Vec<Process>),
    /// `rep P`
    Rep(Box<Process>),
    /// `(P)`
    Parenthesised(Box<Process>),
    /// A command.
    Command(Box<Command>),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its label.
    pub label: Option<Ident>,
    /// When it may be executed.
    pub guard: Expr,
    /// What it does.
    pub action: Action,
    /// What is sent; receives have none.
    pub data: Vec<Assignment>,
    /// What is assigned.
    pub update: Vec<Assignment>,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `c! π`
    Send(Channel, Expr),
    /// `c?`
    Receive(Channel),
    /// `GET@(e)`
    Get(Expr),
    /// `SUPPLY@(any)`, `SUPPLY@(myself)`
    Supply {
        /// Whether those who name the supplier are served alone.
        is_myself: bool,
        /// The place of the word.
        span: Span,
    },
}

/// The channel of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its place.
    pub span: Span,
    /// Its name; none is `*`.
    pub name: Option<String>,
}

/// `x := e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// What is assigned to.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// `KIND(name, e)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its place.
    pub span: Span,
    /// Its agent.
    pub agent: Ident,
    /// Its name.
    pub name: Ident,
    /// What holds of it in the beginning.
    pub init: Expr,
}

/// An expression with its place.
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
    /// `true`, `false`
    Truth(bool),
    /// `7`
    Number(i64),
    /// Any name.
    Name(String),
    /// `@pv`
    Property(String),
    /// A word with a meaning of its own.
    Word(Word),
    /// `k-x`; in observations `supplier-pv`
    Qualified(Ident, Ident),
    /// `k-automaton-state`, `k-state` in the article's syntax
    Place(Ident),
    /// `g(…)`
    Call(Ident, Vec<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Negative(Box<Expr>),
    /// `e op e op e`, operators of one strength. Implications lean to the right, all others to the left.
    /// There is one comparison.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    /// `X e`, `F e`, `G e`
    Temporal(Temporal, Box<Expr>),
    /// `<<O>> e`, `[[O]] e`
    Observed {
        /// Whether it is the former: that there is such a step.
        is_diamond: bool,
        /// The observation.
        observation: Box<Expr>,
        /// What holds after the step.
        body: Box<Expr>,
    },
    /// `forall k : A | B . e`, `exists …`
    Quantified {
        /// Whether it is the former.
        is_universal: bool,
        /// Its variable.
        variable: Ident,
        /// The agents.
        kinds: Vec<Ident>,
        /// What is claimed.
        body: Box<Expr>,
    },
    /// `forall(e)`, `exists(e)` in observations
    Addressed {
        /// Whether it is the former.
        is_universal: bool,
        /// What is claimed of those addressed.
        body: Box<Expr>,
    },
    /// `(e)`
    Parenthesised(Box<Expr>),
}

/// A word that stands for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `chan`, `channel` in the article's syntax
    Chan,
    /// `*`
    Star,
    /// `myself`
    Myself,
    /// `sender`
    Sender,
    /// `getter`
    Getter,
}

/// A temporal operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

impl Temporal {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Temporal::Next => "X",
            Temporal::Finally => "F",
            Temporal::Globally => "G",
        }
    }
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
pub enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Operator::Iff => "<->",
            Operator::Implies => "->",
            Operator::Or => "|",
            Operator::And => "&",
            Operator::Until => "U",
            Operator::Release => "R",
            Operator::WeakUntil => "W",
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }

    /// Whether it is one of `U`, `R`, `W`.
    pub fn is_temporal(self) -> bool {
        matches!(self, Operator::Until | Operator::Release | Operator::WeakUntil)
    }

    /// How tightly it binds.
    pub fn level(self) -> Level {
        match self {
            Operator::Iff => Level::Iff,
            Operator::Implies => Level::Implies,
            Operator::Or => Level::Or,
            Operator::And => Level::And,
            Operator::Until | Operator::Release | Operator::WeakUntil => Level::Until,
            Operator::Add | Operator::Subtract => Level::Sum,
            Operator::Multiply | Operator::Divide => Level::Product,
            _ => Level::Comparison,
        }
    }
}

/// How tightly operators bind, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // each is named for its operators
pub enum Level {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Comparison,
    Sum,
    Product,
    Unary,
}

impl Level {
    /// The next tighter one.
    pub(crate) fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Until,
            Level::Until => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Unary => Level::Unary,
        }
    }
}

impl Expr {
    /// Calls `visit` on each operand.
    pub fn children<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Truth(_)
            | ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Property(_)
            | ExprKind::Word(_)
            | ExprKind::Qualified(..)
            | ExprKind::Place(_) => {}
            ExprKind::Call(_, arguments) => arguments.iter().for_each(visit),
            ExprKind::Chain(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, operand)| visit(operand));
            }
            ExprKind::Not(inner)
            | ExprKind::Negative(inner)
            | ExprKind::Temporal(_, inner)
            | ExprKind::Quantified { body: inner, .. }
            | ExprKind::Addressed { body: inner, .. }
            | ExprKind::Parenthesised(inner) => visit(inner),
            ExprKind::Observed { observation, body, .. } => {
                visit(observation);
                visit(body);
            }
        }
    }

    /// Without parentheses around it.
    pub fn bare(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Parenthesised(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}

impl Process {
    /// Without parentheses around it.
    pub fn bare(&self) -> &Process {
        let mut process = self;
        while let ProcessKind::Parenthesised(inner) = &process.kind {
            process = inner;
        }
        process
    }
}

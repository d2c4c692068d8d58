//! The syntax tree of a process file: what was written, with its places.
//!
//! One tree for both languages; which constructs a language has is decided by the parser. Sequences,
//! choices, parallel compositions, prefixes and postfix operators are lists, so that the depth of a
//! tree is bounded by that of its parentheses, and with it the recursion of everything that walks it.

use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// What it consists of, in source order.
    pub items: Vec<Item>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `NAME = P;`
    Definition(Definition),
    /// `system P;`
    System(SystemItem),
    /// `check …;`
    Check(CheckItem),
}

impl Item {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Item::Definition(definition) => definition.span,
            Item::System(system) => system.span,
            Item::Check(check) => check.span,
        }
    }
}

/// `NAME = P;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The constant.
    pub name: Ident,
    /// What it stands for.
    pub(crate) body: Process,
    /// The whole, without `;`.
    pub span: Span,
}

/// `system P;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemItem {
    /// The system.
    pub(crate) body: Process,
    /// The whole, without `;`.
    pub span: Span,
}

/// `check NAME = …;` or `check deadlock;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckItem {
    /// Its name; `None` for an unnamed `deadlock`.
    pub name: Option<Ident>,
    /// What is checked.
    pub(crate) goal: Goal,
    /// The whole, without `;`.
    pub span: Span,
}

/// The property of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// `deadlock`: no state is reached that can't move and is not terminated.
    Deadlock,
    /// `always φ`
    Always(Formula),
    /// `eventually φ`
    Eventually(Formula),
    /// `ltl φ`
    Ltl(paramcheck_temporal::formula::Formula<Atom>),
}

/// An atom of a temporal formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// `did a`
    Did(Action),
    /// `can a`
    Can(Action),
    /// `terminated`
    Terminated(Span),
    /// What stands in `<<a>>` and `[[a]]`: the step that is taken.
    Takes(Action),
    /// `true` in their place: any step.
    TakesAny(Span),
}

/// A formula about one moment of a run. Its depth is bounded by the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// `did a`
    Did(Action),
    /// `can a`
    Can(Action),
    /// `terminated`
    Terminated(Span),
    /// `!φ`
    Not(Box<Formula>),
    /// `φ & ψ & …`, at least two
    And(Vec<Formula>),
    /// `φ | ψ | …`, at least two
    Or(Vec<Formula>),
}

/// An action where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    /// Which one.
    pub(crate) kind: ActionKind,
    /// Its place.
    pub(crate) span: Span,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// `tau`
    Tau,
    /// `a`, `'a`, `a@x`, `a@[x, y]`
    Visible {
        /// Its name.
        name: Ident,
        /// Whether it is the co-action.
        is_co: bool,
        /// Who takes it (choreographies).
        place: Place,
    },
}

/// Who takes an action of a choreography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// No place is given: actions of CCS, and of any place in a property.
    Anywhere,
    /// `@x`
    At(Ident),
    /// `@[x, y]`
    Between(Ident, Ident),
}

/// A process or choreography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// Which one.
    pub(crate) kind: ProcessKind,
    /// Its place.
    pub(crate) span: Span,
}

/// The constructs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProcessKind {
    /// `0`
    Nil,
    /// `NAME`
    Constant(String),
    /// `a.b.P` (CCS): at least one action; the process behind it is no prefix.
    Prefix(Vec<Action>, Box<Process>),
    /// `a@x`, `a@[x, y]`, `tau` (choreographies)
    Action(Action),
    /// `*(P)` (choreographies)
    Loop(Box<Process>),
    /// `P \ {a} [b/a] ^ 2` (CCS): at least one; the process in front of them has none.
    Postfix(Box<Process>, Vec<Postfix>),
    /// `P; Q; …`, at least two
    Sequence(Vec<Process>),
    /// `P + Q + …`, at least two
    Choice(Vec<Process>),
    /// `P | Q | …`, at least two, all joined by the same operator
    Parallel(Vec<Process>, ParallelOperator),
}

/// A parallel operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParallelOperator {
    /// `|` (CCS)
    Synchronise,
    /// `|[a, 'b]|` (CSP)
    Hoare(Vec<Action>),
    /// `||` (choreographies)
    Interleave,
}

/// A postfix operator with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Postfix {
    /// Which one.
    pub(crate) kind: PostfixKind,
    /// Its place.
    pub(crate) span: Span,
}

/// A postfix operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PostfixKind {
    /// `\ {a, b}`
    Restrict(Vec<Ident>),
    /// `[b/a, …]`
    Relabel(Vec<Renaming>),
    /// `^ n`
    Power(u32),
}

/// `new/old` in a relabelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renaming {
    /// The action that is shown.
    pub(crate) new: Ident,
    /// The action that is done.
    pub(crate) old: Ident,
}

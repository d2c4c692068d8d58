//! Abstract syntax of rewriting systems, as written: names are text, every node has its place.
//!
//! Equality of trees with spans is rarely what is wanted: see [`same_tree`](super::same_tree()).

pub(crate) use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

pub mod property;
mod wsks;

pub use wsks::{Order, Quantifier, Wsks, WsksAtom, WsksFormula, WsksName, WsksQuantified, WsksRelation};

/// A whole file: its items in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The items in source order.
    pub items: Vec<Item>,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `component Node { … }`
    Component(Component),
    /// `Chain(x, y) <- … ;`
    Rule(Rule),
    /// `link pass(x, y) = <…> forbid <…>;`
    Link(Link),
    /// `error NAME = …;`
    Error(ErrorDefinition),
    /// `critical s, t;`
    Critical(Critical),
    /// `system P;`
    System(SystemDeclaration),
}

/// `component Node { states …; init …; final …; a -p-> b; }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The component type's name.
    pub name: Ident,
    /// What stands between the braces, in order.
    pub items: Vec<ComponentItem>,
    /// From `component` to `}`.
    pub span: Span,
}

/// One statement of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComponentItem {
    /// `states idle, busy;`
    States(Vec<Ident>),
    /// `init idle;` or `init *;`
    Init(StateSet),
    /// `final done;` or `final *;`
    Final(StateSet),
    /// `busy -out-> idle;`, or `a -> b;` without a port.
    Transition(Transition),
}

/// A set of states: named ones, or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateSet {
    /// `*`
    All(Span),
    /// `a, b`
    Names(Vec<Ident>),
}

/// `from -port-> to;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state left.
    pub from: Ident,
    /// The port, or `None` for an internal transition.
    pub port: Option<Ident>,
    /// The state entered.
    pub to: Ident,
    /// The whole statement.
    pub span: Span,
}

/// `Head(x, y) <- body | body;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The predicate.
    pub head: Ident,
    /// Its parameters.
    pub parameters: Vec<Ident>,
    /// The alternatives; at least one.
    pub bodies: Vec<Body>,
    /// From the head to the last body.
    pub span: Span,
}

/// `new y . <…> forbid <…> (A(x), B(y))`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The variables bound by `new`.
    pub fresh: Vec<Ident>,
    /// The interactions, or uses of a link.
    pub interactions: Vec<Interaction>,
    /// The local patterns.
    pub forbids: Vec<Forbid>,
    /// Instance and predicate atoms.
    pub atoms: Vec<Atom>,
    /// The whole body.
    pub span: Span,
}

/// `out(x) in(y)`: an interaction, the use of a link (a single atom), or a pattern of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// Its atoms; at least one.
    pub atoms: Vec<PortAtom>,
    /// The whole interaction.
    pub span: Span,
}

/// `out(x)`, `pass(x, y)` (a link), `eat(p)` or `Phil.eat(p)` (a state, in patterns only).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortAtom {
    /// The component type before a dot (patterns only).
    pub qualifier: Option<Ident>,
    /// Port, link or state.
    pub name: Ident,
    /// The variables.
    pub arguments: Vec<Ident>,
    /// The whole atom.
    pub span: Span,
}

/// `forbid <eat(p) eat(q) + …>`, or `forbid name <…>`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbid {
    /// The error it belongs to; `None` is `forbidden`.
    pub name: Option<Ident>,
    /// The alternatives.
    pub patterns: Vec<Interaction>,
    /// The whole clause.
    pub span: Span,
}

/// `Node(x)`, `Node[busy](x)`, `Node[*](x)` or `Chain(x, y)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Component type or predicate.
    pub name: Ident,
    /// The initial states between brackets.
    pub initial: Option<StateSet>,
    /// The variables.
    pub arguments: Vec<Ident>,
    /// The whole atom.
    pub span: Span,
}

/// `link pass(x, y) = <…> forbid <…>;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The link's name.
    pub name: Ident,
    /// Its parameters.
    pub parameters: Vec<Ident>,
    /// The interactions it stands for.
    pub interactions: Vec<Interaction>,
    /// The patterns it stands for.
    pub forbids: Vec<Forbid>,
    /// The whole item.
    pub span: Span,
}

/// `error NAME = …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDefinition {
    /// The error's name.
    pub name: Ident,
    /// What it means.
    pub body: ErrorExpression,
    /// The whole item.
    pub span: Span,
}

/// A Boolean combination of counts, `deadlock`, names and formulas over components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorExpression {
    /// `deadlock`
    Deadlock(Span),
    /// The name of an error or of a group of patterns.
    Name(Ident),
    /// `#a + #T.b >= 2`
    Count(Count),
    /// `wsks { … }`
    Wsks(Wsks),
    /// `!e`
    Not(Box<ErrorExpression>, Span),
    /// `a & b & …` (two or more).
    And(Vec<ErrorExpression>),
    /// `a | b | …` (two or more).
    Or(Vec<ErrorExpression>),
}

/// `#a + #T.b >= 2`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The sum's terms; at least one.
    pub terms: Vec<CountTerm>,
    /// How the sum is compared.
    pub comparison: Comparison,
    /// With what.
    pub bound: u64,
    /// The whole comparison.
    pub span: Span,
}

/// `#s` or `#Type.s`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountTerm {
    /// The component type before the dot.
    pub component: Option<Ident>,
    /// The state.
    pub state: Ident,
    /// The term with its `#`.
    pub span: Span,
}

/// How a count is compared with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// Its spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::Less => "<",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        }
    }

    /// Whether `value` compares so with `bound`.
    pub fn holds(self, value: u64, bound: u64) -> bool {
        match self {
            Comparison::AtLeast => value >= bound,
            Comparison::AtMost => value <= bound,
            Comparison::Greater => value > bound,
            Comparison::Less => value < bound,
            Comparison::Equal => value == bound,
            Comparison::NotEqual => value != bound,
        }
    }
}

/// `critical s, Type.t;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Critical {
    /// The critical states.
    pub states: Vec<CountTerm>,
    /// The whole item.
    pub span: Span,
}

/// `system P;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemDeclaration {
    /// The predicate that is the system.
    pub predicate: Ident,
    /// The whole item.
    pub span: Span,
}

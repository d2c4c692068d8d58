//! Formulas over components, `wsks { … }`: what stands between the braces.
//!
//! Whether a name is a component, a set of components, a state or a component type is not known here.

use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// `wsks { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wsks {
    /// What stands between the braces.
    pub formula: WsksFormula,
    /// The whole, from the word `wsks` to the closing brace.
    pub span: Span,
}

/// A formula over components and sets of components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WsksFormula {
    /// `true`, `false`
    Constant(bool, Span),
    /// `x in busy`
    Atom(WsksAtom),
    /// `!f`, `~f`
    Not(Box<WsksFormula>, Span),
    /// `f & g & …` (two or more).
    And(Vec<WsksFormula>),
    /// `f | g | …` (two or more).
    Or(Vec<WsksFormula>),
    /// `f => g`
    Implies(Box<WsksFormula>, Box<WsksFormula>),
    /// `f <=> g`
    Iff(Box<WsksFormula>, Box<WsksFormula>),
    /// `ex1 x, y: f`
    Quantified(WsksQuantified),
}

/// `ex1 x, y: f`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WsksQuantified {
    /// Which.
    pub quantifier: Quantifier,
    /// What it binds; at least one.
    pub variables: Vec<Ident>,
    /// What it binds them in.
    pub body: Box<WsksFormula>,
    /// The quantifier's word.
    pub span: Span,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// A component.
    First,
    /// A set of components.
    Second,
}

/// `ex1`, `all1`, `ex2` or `all2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quantifier {
    /// Whether it is *for all* (otherwise *there is*).
    pub is_universal: bool,
    /// What it speaks of.
    pub order: Order,
}

impl Quantifier {
    /// All of them.
    pub const ALL: [Quantifier; 4] = [
        Quantifier { is_universal: false, order: Order::First },
        Quantifier { is_universal: true, order: Order::First },
        Quantifier { is_universal: false, order: Order::Second },
        Quantifier { is_universal: true, order: Order::Second },
    ];

    /// Its word, which is MONA's.
    pub fn word(self) -> &'static str {
        match (self.is_universal, self.order) {
            (false, Order::First) => "ex1",
            (true, Order::First) => "all1",
            (false, Order::Second) => "ex2",
            (true, Order::Second) => "all2",
        }
    }
}

/// `x in busy`, `x notin X`, `x = y`, `x != y`, `X sub Y`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WsksAtom {
    /// What stands on the left.
    pub left: WsksName,
    /// The relation between the two.
    pub relation: WsksRelation,
    /// What stands on the right.
    pub right: WsksName,
    /// The whole atom.
    pub span: Span,
}

/// The relation that an atom states between its two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WsksRelation {
    /// `in`
    In,
    /// `notin`
    NotIn,
    /// `sub`
    Sub,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl WsksRelation {
    /// Its spelling.
    pub(crate) fn spelling(self) -> &'static str {
        match self {
            WsksRelation::In => "in",
            WsksRelation::NotIn => "notin",
            WsksRelation::Sub => "sub",
            WsksRelation::Equal => "=",
            WsksRelation::NotEqual => "!=",
        }
    }
}

/// `x`, `busy` or `Node.busy`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WsksName {
    /// The component type before the dot.
    pub component: Option<Ident>,
    /// The variable, state or (without a dot) component type.
    pub name: Ident,
}

impl WsksName {
    /// Its place.
    pub(crate) fn span(&self) -> Span {
        self.component.as_ref().map_or(self.name.span, |component| component.span.to(self.name.span))
    }
}

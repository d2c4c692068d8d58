//! Guards and assignments: expressions over bounded integers and Booleans.
//!
//! Programs of processes without data have the guard `true` and no assignment; those of agents have arrays,
//! and definitions, so that what is used in many places is written once. A Boolean is an integer, 0 or 1;
//! arithmetic is exact (on overflow an expression has no value, and the step it guards or makes is no step).

use paramcheck_text::index::Idx;

use super::evolution::State;
use super::triple::{CounterId, LocationId, Structure};

paramcheck_text::define_index! {
    /// A variable of a triple structure.
    pub struct VariableId;
    /// An expression with a name.
    pub struct DefinitionId;
}

/// A variable: an integer within bounds, shared or of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unique among the structure's variables.
    pub name: String,
    /// The agent that it is an attribute of; `None` if it is shared.
    pub agent: Option<u32>,
    /// The least value.
    pub least: i64,
    /// The greatest value; at least `least`.
    pub greatest: i64,
    /// What it may be at first, ascending, never empty, within the bounds.
    pub initial: Vec<i64>,
}

/// An expression with a name, which others use. Texts write it once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name, unique among the structure's definitions.
    pub name: String,
    /// What it stands for; it uses definitions before this one only.
    pub value: Expression,
    /// The least value that it has.
    pub least: i64,
    /// The greatest value that it has.
    pub greatest: i64,
}

/// Variables that follow one another and can be selected by a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name, unique among the structure's arrays and variables.
    pub name: String,
    /// The first one.
    pub first: VariableId,
    /// How many there are.
    pub count: usize,
}

impl Array {
    /// The position of a variable in it.
    pub(crate) fn position(&self, variable: VariableId) -> Option<usize> {
        variable.index().checked_sub(self.first.index()).filter(|position| *position < self.count)
    }

    /// Its variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = VariableId> + use<> {
        (self.first.index()..self.first.index() + self.count).map(VariableId::new)
    }
}

/// A binary operator. Division rounds towards zero, the remainder has the dividend's sign; by zero they have
/// no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `&&`, not strict: the right side needs no value where the left side decides.
    And,
    /// `||`, likewise.
    Or,
}

impl Operator {
    /// Whether its values are Booleans.
    pub(crate) fn is_condition(self) -> bool {
        matches!(
            self,
            Operator::Equal | Operator::Less | Operator::LessOrEqual | Operator::And | Operator::Or
        )
    }

    /// As C, Promela and people write it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Equal => "==",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number; `true` is 1, `false` is 0.
    Constant(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// 1 for 0, 0 for everything else.
    Not(Box<Expression>),
    /// The number with the other sign.
    Negate(Box<Expression>),
    /// Two operands.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// Condition, value where it is not 0, value where it is. The other one need not have a value.
    If(Box<[Expression; 3]>),
    /// An element of the array at this position of the structure; without value outside of the array.
    Element(usize, Box<Expression>),
    /// Whether a counter is at one of these locations (ascending).
    At(CounterId, Vec<LocationId>),
    /// The number that a definition stands for.
    Defined(DefinitionId),
    /// The condition that a definition stands for.
    Truth(DefinitionId),
    /// The same value, of which it is known that it lies within these bounds wherever it is of use.
    Known(Box<Expression>, i64, i64),
}

impl Expression {
    /// `true`
    pub const TRUE: Expression = Expression::Constant(1);

    /// Whether this is `true` as it stands.
    pub fn is_true(&self) -> bool {
        *self == Expression::TRUE
    }

    /// Whether some bounds are known of it that it does not show.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Expression::Known(..) | Expression::Defined(_) => true,
            Expression::If(parts) => parts.iter().any(Expression::is_known),
            Expression::Not(inner) | Expression::Negate(inner) | Expression::Element(_, inner) => {
                inner.is_known()
            }
            Expression::Binary(_, left, right) => left.is_known() || right.is_known(),
            Expression::Constant(_) | Expression::Variable(_) | Expression::At(..) | Expression::Truth(_) => {
                false
            }
        }
    }

    /// Whether its values are Booleans as it stands, and texts write it as a condition.
    pub(crate) fn is_condition(&self) -> bool {
        match self {
            Expression::Constant(number) => matches!(number, 0 | 1),
            Expression::Not(_) | Expression::At(..) | Expression::Truth(_) => true,
            Expression::Binary(operator, ..) => operator.is_condition(),
            Expression::If(parts) => parts[1].is_condition() && parts[2].is_condition(),
            Expression::Known(inner, ..) => inner.is_condition(),
            Expression::Variable(_)
            | Expression::Negate(_)
            | Expression::Element(..)
            | Expression::Defined(_) => false,
        }
    }

    /// Its value in a state of a structure; `None` where it has none.
    pub(crate) fn value(&self, structure: &Structure, state: &State) -> Option<i64> {
        let value = |expression: &Expression| expression.value(structure, state);
        Some(match self {
            Expression::Constant(number) => *number,
            Expression::Variable(variable) => state.values.get(variable.index()).copied()?,
            Expression::Not(inside) => i64::from(value(inside)? == 0),
            Expression::Negate(inside) => value(inside)?.checked_neg()?,
            Expression::Known(inside, ..) => value(inside)?,
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                if value(condition)? != 0 { value(then)? } else { value(otherwise)? }
            }
            Expression::Element(array, index) => {
                let array = structure.arrays.get(*array)?;
                let index = usize::try_from(value(index)?).ok().filter(|index| *index < array.count)?;
                state.values.get(array.first.index() + index).copied()?
            }
            Expression::At(counter, locations) => {
                i64::from(locations.binary_search(&state.location(*counter)).is_ok())
            }
            Expression::Defined(definition) | Expression::Truth(definition) => {
                value(&structure.definitions.get(*definition)?.value)?
            }
            Expression::Binary(operator, left, right) => {
                let left = value(left)?;
                match operator {
                    Operator::And if left == 0 => return Some(0),
                    Operator::Or if left != 0 => return Some(1),
                    _ => {}
                }
                let right = value(right)?;
                match operator {
                    Operator::Add => left.checked_add(right)?,
                    Operator::Subtract => left.checked_sub(right)?,
                    Operator::Multiply => left.checked_mul(right)?,
                    Operator::Divide => left.checked_div(right)?,
                    Operator::Remainder => left.checked_rem(right)?,
                    Operator::Equal => i64::from(left == right),
                    Operator::Less => i64::from(left < right),
                    Operator::LessOrEqual => i64::from(left <= right),
                    Operator::And | Operator::Or => i64::from(right != 0),
                }
            }
        })
    }
}

/// `variable := value`. The assignments of one step are made at once: all values are computed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// What is changed.
    pub variable: VariableId,
    /// Its new value; where that is none, or beyond the variable's bounds, there is no step.
    pub value: Expression,
}

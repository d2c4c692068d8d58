//! Guards and assignments: expressions over bounded integers and Booleans.
//!
//! Programs of processes without data have the guard `true` and no assignment. A Boolean is an integer, 0 or
//! 1; arithmetic is exact (on overflow an expression has no value, and the step it guards or makes is no
//! step).

use paramcheck_text::index::IndexVec;

paramcheck_text::define_index! {
    /// A variable of a triple structure.
    pub struct VariableId;
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
}

impl Expression {
    /// `true`
    pub const TRUE: Expression = Expression::Constant(1);

    /// Whether this is `true` as it stands.
    pub fn is_true(&self) -> bool {
        *self == Expression::TRUE
    }

    /// Its value where the variables have these values; `None` where it has none.
    pub(crate) fn value(&self, values: &IndexVec<VariableId, i64>) -> Option<i64> {
        Some(match self {
            Expression::Constant(number) => *number,
            Expression::Variable(variable) => values.get(*variable).copied()?,
            Expression::Not(inside) => i64::from(inside.value(values)? == 0),
            Expression::Negate(inside) => inside.value(values)?.checked_neg()?,
            Expression::Binary(operator, left, right) => {
                let left = left.value(values)?;
                match operator {
                    Operator::And if left == 0 => return Some(0),
                    Operator::Or if left != 0 => return Some(1),
                    _ => {}
                }
                let right = right.value(values)?;
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

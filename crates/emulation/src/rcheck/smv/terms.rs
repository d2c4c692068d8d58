//! Terms of R-CHECK in the words of NuSMV. Values of all types are integers; conditions are boolean. So a term is
//! written as a number or as a condition, as its place wants it.

use paramcheck_rcheck::model::{Arithmetic, Comparison, Term};

/// What writes the atoms of terms.
pub(super) struct Terms<'a, A> {
    /// An atom as a number; holds together in any place.
    pub(super) number: &'a dyn Fn(A) -> String,
}

impl<A: Copy> Terms<'_, A> {
    /// The value as a number; holds together in any place. The recursion is bounded by the height of terms.
    pub(super) fn number(&self, term: &Term<A>) -> String {
        match term {
            Term::Constant(value) if *value < 0 => format!("({value})"),
            Term::Constant(value) => value.to_string(),
            Term::Atom(atom) => (self.number)(*atom),
            Term::Negative(inner) => format!("(-{})", self.number(inner)),
            Term::Compute(operation, left, right) => {
                let sign = match operation {
                    Arithmetic::Add => '+',
                    Arithmetic::Subtract => '-',
                    Arithmetic::Multiply => '*',
                    Arithmetic::Divide => '/',
                };
                format!("({} {sign} {})", self.number(left), self.number(right))
            }
            Term::Not(_)
            | Term::All(_)
            | Term::Any(_)
            | Term::Implies(..)
            | Term::Iff(..)
            | Term::Compare(..) => format!("({} ? 1 : 0)", self.condition(term)),
        }
    }

    /// Whether the value is true; holds together in any place.
    pub(super) fn condition(&self, term: &Term<A>) -> String {
        let parts =
            |parts: &[Term<A>]| -> Vec<String> { parts.iter().map(|part| self.condition(part)).collect() };
        match term {
            Term::Constant(value) => truth(*value != 0),
            Term::Atom(_) | Term::Negative(_) | Term::Compute(..) => {
                compared(Comparison::NotEqual, &self.number(term), "0")
            }
            Term::Not(inner) => not(&self.condition(inner)),
            Term::All(all_of) => all(&parts(all_of)),
            Term::Any(any_of) => any(&parts(any_of)),
            Term::Implies(left, right) => any(&[not(&self.condition(left)), self.condition(right)]),
            Term::Iff(left, right) => format!("({} <-> {})", self.condition(left), self.condition(right)),
            Term::Compare(comparison, left, right) => {
                compared(*comparison, &self.number(left), &self.number(right))
            }
        }
    }
}

/// A comparison of two numbers; decided where both are constants.
pub(super) fn compared(comparison: Comparison, left: &str, right: &str) -> String {
    let number = |text: &str| text.trim_matches(['(', ')']).parse::<i64>().ok();
    let (sign, holds): (_, fn(i64, i64) -> bool) = match comparison {
        Comparison::Equal => ("=", |left, right| left == right),
        Comparison::NotEqual => ("!=", |left, right| left != right),
        Comparison::Less => ("<", |left, right| left < right),
        Comparison::AtMost => ("<=", |left, right| left <= right),
        Comparison::Greater => (">", |left, right| left > right),
        Comparison::AtLeast => (">=", |left, right| left >= right),
    };
    match (number(left), number(right)) {
        (Some(left), Some(right)) => truth(holds(left, right)),
        _ => format!("({left} {sign} {right})"),
    }
}

fn truth(value: bool) -> String {
    if value { TRUE } else { FALSE }.to_owned()
}

/// The opposite of a condition that holds together; so does the whole.
pub(super) fn not(condition: &str) -> String {
    match condition {
        TRUE => truth(false),
        FALSE => truth(true),
        condition => format!("!{condition}"),
    }
}

pub(super) const TRUE: &str = "TRUE";
pub(super) const FALSE: &str = "FALSE";

/// All or one of these conditions, each of which holds together; so does the whole. `none` is what none of them is;
/// it changes nothing, and its opposite decides.
pub(super) fn joined(parts: &[String], sign: &str, none: &str) -> String {
    let opposite = if none == TRUE { FALSE } else { TRUE };
    if parts.iter().any(|part| part == opposite) {
        return opposite.to_owned();
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| *part != none).collect();
    match parts.as_slice() {
        [] => none.to_owned(),
        [one] => (*one).to_owned(),
        parts => format!("({})", parts.join(sign)),
    }
}

/// All of these conditions.
pub(super) fn all(parts: &[String]) -> String {
    joined(parts, " & ", TRUE)
}

/// One of these conditions.
pub(super) fn any(parts: &[String]) -> String {
    joined(parts, " | ", FALSE)
}

/// That a number is within bounds.
pub(super) fn within(number: &str, (low, high): (i64, i64)) -> String {
    format!("({number} >= {low} & {number} <= {high})")
}

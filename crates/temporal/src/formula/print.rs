//! Formulas as text that reads as the same formula.
//!
//! `X F G <<o>> [[o]]` take everything to their right. So they stand in parentheses wherever something
//! follows that is not theirs; and what they apply to stands in parentheses if it has an operator with two
//! operands, which changes nothing but is read at once.

use std::fmt;

use super::{Binary, Formula, Modality, Unary};

/// How tightly an operator binds; greater is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Unary,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Until,
            Level::Until | Level::Unary => Level::Unary,
        }
    }
}

impl Unary {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Unary::Next => "X",
            Unary::Finally => "F",
            Unary::Globally => "G",
        }
    }
}

impl Binary {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Binary::Until => "U",
            Binary::Release => "R",
            Binary::WeakUntil => "W",
        }
    }
}

impl Modality {
    /// The brackets around an observation.
    pub fn brackets(self) -> [&'static str; 2] {
        match self {
            Modality::Diamond => ["<<", ">>"],
            Modality::Box => ["[[", "]]"],
        }
    }
}

impl<A: fmt::Display> fmt::Display for Formula<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Level::Iff, true)
    }
}

impl<A: fmt::Display> Formula<A> {
    /// Writes it where operators looser than `level` need parentheses, and something follows unless
    /// `is_last`.
    fn write(&self, f: &mut fmt::Formatter<'_>, level: Level, is_last: bool) -> fmt::Result {
        let own = match self {
            Formula::And(parts) | Formula::Or(parts) if parts.len() == 1 => {
                return parts.iter().try_for_each(|part| part.write(f, level, is_last));
            }
            Formula::Iff(..) => Level::Iff,
            Formula::Implies(..) => Level::Implies,
            Formula::Or(parts) if !parts.is_empty() => Level::Or,
            Formula::And(parts) if !parts.is_empty() => Level::And,
            Formula::Binary(..) => Level::Until,
            _ => Level::Unary,
        };
        let takes_the_rest = matches!(self, Formula::Unary(..) | Formula::Observation(..));
        if own < level || takes_the_rest && !is_last {
            f.write_str("(")?;
            self.write_bare(f, own, true)?;
            return f.write_str(")");
        }
        self.write_bare(f, own, is_last)
    }

    fn write_bare(&self, f: &mut fmt::Formatter<'_>, own: Level, is_last: bool) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Formula<A>], sign: &str| {
            for (position, part) in parts.iter().enumerate() {
                if position > 0 {
                    write!(f, " {sign} ")?;
                }
                part.write(f, own.tighter(), is_last && position + 1 == parts.len())?;
            }
            Ok(())
        };
        let two = |f: &mut fmt::Formatter<'_>, left: &Formula<A>, sign: &str, right: &Formula<A>| {
            // `->` nests to the right, the others to the left.
            let is_right = own == Level::Implies;
            left.write(f, if is_right { own.tighter() } else { own }, false)?;
            write!(f, " {sign} ")?;
            right.write(f, if is_right { own } else { own.tighter() }, is_last)
        };
        match self {
            Formula::True => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::Atom(atom) => write!(f, "{atom}"),
            Formula::And(parts) if parts.is_empty() => f.write_str("true"),
            Formula::Or(parts) if parts.is_empty() => f.write_str("false"),
            Formula::And(parts) => list(f, parts, "&"),
            Formula::Or(parts) => list(f, parts, "|"),
            Formula::Implies(left, right) => two(f, left, "->", right),
            Formula::Iff(left, right) => two(f, left, "<->", right),
            Formula::Binary(operator, left, right) => two(f, left, operator.spelling(), right),
            Formula::Not(inner) => {
                f.write_str("!")?;
                inner.write(f, Level::Unary, is_last)
            }
            Formula::Unary(operator, inner) => {
                write!(f, "{} ", operator.spelling())?;
                inner.write(f, Level::Unary, true)
            }
            Formula::Observation(modality, observation, inner) => {
                let [open, close] = modality.brackets();
                write!(f, "{open}{observation}{close} ")?;
                inner.write(f, Level::Unary, true)
            }
        }
    }
}

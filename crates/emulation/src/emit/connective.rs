//! Conditions of any kind written with infix connectives.
//!
//! What a condition is made of is said by [`Shape`]; how its atoms are written is a matter of the language.

/// A condition by its connective.
pub(crate) enum Shape<'a, C> {
    /// Always or never.
    Constant(bool),
    /// Something without parts.
    Atom,
    /// Not.
    Not(&'a C),
    /// All of these.
    And(&'a [C]),
    /// One of these.
    Or(&'a [C]),
}

/// What has a [`Shape`].
pub(crate) trait Connected: Sized {
    /// Its outermost connective.
    fn shape(&self) -> Shape<'_, Self>;

    /// Whether an atom is such. Without recursion, as this is asked of any condition.
    fn mentions(&self, is_such: impl Fn(&Self) -> bool) -> bool {
        let mut open = vec![self];
        while let Some(condition) = open.pop() {
            match condition.shape() {
                Shape::Constant(_) => {}
                Shape::Atom if is_such(condition) => return true,
                Shape::Atom => {}
                Shape::Not(inner) => open.push(inner),
                Shape::And(parts) | Shape::Or(parts) => open.extend(parts),
            }
        }
        false
    }
}

/// The words of a language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// False and true.
    pub(crate) constants: [&'static str; 2],
    /// Conjunction, disjunction, with spaces.
    pub(crate) connectives: [&'static str; 2],
}

/// Writes a condition behind `text`; `atom` gives what holds together in any place. Recursion is bounded by what
/// parsers allow.
pub(crate) fn write<C: Connected>(
    condition: &C,
    words: Words,
    atom: &mut impl FnMut(&C) -> String,
    text: &mut String,
) {
    write_inside(condition, words, None, atom, text);
}

/// `inside` is the connective that this is a part of.
fn write_inside<C: Connected>(
    condition: &C,
    words: Words,
    inside: Option<usize>,
    atom: &mut impl FnMut(&C) -> String,
    text: &mut String,
) {
    let (parts, connective) = match condition.shape() {
        Shape::Constant(value) => return text.push_str(words.constants[usize::from(value)]),
        Shape::Atom => return text.push_str(&atom(condition)),
        Shape::Not(inner) => {
            text.push_str("!(");
            write_inside(inner, words, None, atom, text);
            return text.push(')');
        }
        Shape::And([]) => return text.push_str(words.constants[1]),
        Shape::Or([]) => return text.push_str(words.constants[0]),
        Shape::And(parts) => (parts, 0),
        Shape::Or(parts) => (parts, 1),
    };
    let is_apart = inside.is_some_and(|outer| outer != connective);
    if is_apart {
        text.push('(');
    }
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            text.push_str(words.connectives[connective]);
        }
        write_inside(part, words, Some(connective), atom, text);
    }
    if is_apart {
        text.push(')');
    }
}

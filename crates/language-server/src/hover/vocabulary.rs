//! What reserved words mean, a sentence or two each.

use crate::document::Language;

/// Per word of rewriting systems what it begins.
const REWRITING: [(&str, &str); 12] = [
    (
        "component",
        "**component** NAME `{ … }`: a component type, a finite automaton. `busy -out-> idle;` is a transition on the port `out`, `a -> b;` one that fires alone.",
    ),
    ("states", "**states** `a, b;` the states of the component type."),
    ("init", "**init** `a;` where components of this type start; with several, or `*`, any of them."),
    ("final", "**final** `a;` where a component may rest: a marking in which all rest is no deadlock."),
    ("new", "**new** `x, y .` binds variables: each is a component that is created here or below."),
    ("ν", "**new** `x, y .` binds variables: each is a component that is created here or below."),
    (
        "forbid",
        "**forbid** `<a(x) b(y)>` is an error wherever components of one rule are in these states at once. With a name, an error of its own.",
    ),
    (
        "link",
        "**link** `name(x, y) = <…>;` names interactions and patterns, which rules insert by `<name(x, y)>`.",
    ),
    ("error", "**error** `name = …;` is a set of markings that must never be reached, in any instance."),
    (
        "critical",
        "**critical** `s, t;` is the error that two or more components are in these states at once.",
    ),
    ("system", "**system** `P;` the predicate that is the system; else that of the first rule."),
    ("deadlock", "**deadlock**: nothing can move, and some component is in a state that is not final."),
];

/// Per word of processes what it begins.
const PROCESSES: [(&str, &str); 10] = [
    ("system", "**system** `P;` the process that is checked."),
    ("check", "**check** `name = always …;` what must hold of the system."),
    ("always", "**always** `φ`: φ holds in every state that is reached."),
    ("eventually", "**eventually** `φ`: every run comes to a state in which φ holds."),
    ("deadlock", "**deadlock**: no state is reached that can't move and has not terminated."),
    ("did", "**did** `a`: the last step was `a`."),
    ("can", "**can** `a`: a step `a` is possible."),
    ("terminated", "**terminated**: the state has ended well."),
    ("tau", "**tau**: the invisible action."),
    ("τ", "**tau**: the invisible action."),
];

/// What a reserved word means.
pub(super) fn keyword(word: &str, language: Language) -> Option<&'static str> {
    let table: &[(&str, &str)] = if language == Language::Rewriting { &REWRITING } else { &PROCESSES };
    table.iter().find(|(name, _)| *name == word).map(|(_, what)| *what)
}

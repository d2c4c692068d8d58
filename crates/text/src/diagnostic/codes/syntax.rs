//! Kinds of diagnostics found while reading (`E01..`, `W01..`).
//!
//! No warning is given while reading: what can be read has one meaning, and what may be intended
//! otherwise is known only after lowering.

use crate::diagnostic::{Code, CodeInfo, Severity};

/// All kinds of this file.
pub const ALL: &[Code] = &[
    &UNREADABLE,
    &UNTERMINATED_COMMENT,
    &UNTERMINATED_BLOCK,
    &BAD_NUMBER,
    &NUMBER_TOO_LARGE,
    &RESERVED_WORD,
    &NESTED_TOO_DEEP,
    &TOO_MANY,
    &UNEXPECTED,
    &MISSING_SEMICOLON,
    &UNCLOSED_BRACKET,
    &UNMATCHED_BRACKET,
    &MISSING_COMMA,
    &WRONG_ARROW,
    &MISSING_DOT,
    &MALFORMED_TRANSITION,
    &NO_ATOMS,
    &BARE_ATOMS,
    &BODY_ORDER,
    &WRONG_SEPARATOR,
    &WRONG_COMPARISON,
    &WRONG_CONNECTIVE,
    &UNKNOWN_ITEM,
    &UNCOUNTED_STATE,
    &MISSING_COLON,
    &WRONG_QUANTIFIER,
    &MALFORMED_CONDITION,
    &MIXED_ARROWS,
];

macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {$(
        $(#[$meta])*
        pub static $name: CodeInfo = CodeInfo {
            id: $id,
            severity: Severity::Error,
            title: $title,
            explanation: $explanation,
        };
    )*};
}

codes! {
    /// Characters that begin no token.
    UNREADABLE = "E0101", "unreadable text",
"These characters mean nothing in a model. Besides names and numbers the language knows the signs
; : , . ( ) { } [ ] < > - + * | & ! ~ = # and those made of them (<- -> => <=> >= <= == != ~=). The spelling of the
paper is read too: ν for `new`, ⟨ ⟩ for `<` `>`, ← for `<-`, and · between ports.

Wrong:

    error crowd = #busy ≥ 2;

Right:

    error crowd = #busy >= 2;
";

    /// `/*` without `*/`.
    UNTERMINATED_COMMENT = "E0102", "comment without end",
"A comment that begins with `/*` goes on to the first `*/`. Without one the rest of the file is part of
the comment, so whatever stands there is not read. Comments do not nest.

Wrong:

    /* the ring
    Ring() <- new x . (Node(x));

Right:

    /* the ring */
    Ring() <- new x . (Node(x));
";

    /// `wsks {` without `}`.
    UNTERMINATED_BLOCK = "E0103", "`wsks` formula without end",
"A formula over components stands between the braces of `wsks { … }`. It ends before the `;` of the
definition; there are no braces in it.

Wrong:

    error far = wsks { ex1 x: x in busy;

Right:

    error far = wsks { ex1 x: x in busy };
";

    /// Digits with letters behind.
    BAD_NUMBER = "E0104", "neither number nor name",
"A name begins with a letter or `_` and may go on with digits; a number consists of digits alone.

Wrong:

    states 1st, 2nd;

Right:

    states first, second;
";

    /// A bound beyond 64 bits.
    NUMBER_TOO_LARGE = "E0105", "number too large",
"Bounds of counts are numbers below 2^64. No instance has that many components, so a larger bound
says nothing that a smaller one does not.

Wrong:

    error crowd = #busy >= 99999999999999999999;

Right:

    error crowd = #busy >= 99;
";

    /// A keyword where a name is needed.
    RESERVED_WORD = "E0106", "reserved word used as a name",
"The words component, states, init, final, new, forbid, link, error, critical and system (and ν) begin
parts of a model and cannot be names. In formulas over components no variable is called ex1, all1, ex2,
all2, in, notin, sub, true or false.

Wrong:

    component Door { states new, old; init new; }

Right:

    component Door { states fresh, old; init fresh; }
";

    /// Parentheses or negations nested beyond the limit.
    NESTED_TOO_DEEP = "E0107", "formula nested too deep",
"Parentheses and negations of an error's formula may be nested 200 deep, and so may parentheses,
quantifiers and other operators of a formula over components. Give the inner part a name of its own:
errors may use the names of other errors.

Wrong:

    error e = ((( … 201 parentheses … #busy >= 2 … )));

Right:

    error inner = #busy >= 2;
    error e = inner | deadlock;
";

    /// The cap on diagnostics was reached.
    TOO_MANY = "E0108", "further errors not shown",
"After 50 errors no more are shown: later ones are mostly caused by earlier ones. Repair the first few
and try again.

Wrong:

    (a text that is no model at all)

Right:

    component Node { states idle; init idle; }
    Main() <- new x . (Node(x));
";

    /// Something else was expected.
    UNEXPECTED = "E0110", "unexpected text",
"At this place the grammar asks for something else; the message says for what.

Wrong:

    link (x, y) = <give(x) get(y)>;

Right:

    link pass(x, y) = <give(x) get(y)>;
";

    /// A statement or item without `;`.
    MISSING_SEMICOLON = "E0111", "missing `;`",
"Every rule, link, error, `critical`, `system` and every statement of a component ends with `;`.

Wrong:

    Ring() <- new x . (Chain(x))
    Chain(x) <- (Node(x));

Right:

    Ring() <- new x . (Chain(x));
    Chain(x) <- (Node(x));
";

    /// An opening bracket without its partner.
    UNCLOSED_BRACKET = "E0112", "bracket without its partner",
"A bracket ( [ { or < was opened and not closed before the part of the model that it belongs to ended.

Wrong:

    Ring() <- new x, y . <out(x) in(y) (Node(x), Node(y));

Right:

    Ring() <- new x, y . <out(x) in(y)> (Node(x), Node(y));
";

    /// A closing bracket without its partner.
    UNMATCHED_BRACKET = "E0113", "closing bracket without its partner",
"A closing bracket stands where none is open. Often one too many was written, or the opening one was
lost.

Wrong:

    component Node { states idle; init idle; } }

Right:

    component Node { states idle; init idle; }
";

    /// Two names side by side in a list.
    MISSING_COMMA = "E0114", "missing `,`",
"The names of a list are separated by commas.

Wrong:

    states idle busy;

Right:

    states idle, busy;
";

    /// A rule with another arrow than `<-`.
    WRONG_ARROW = "E0115", "the arrow of a rule is `<-`",
"A rule rewrites its head to its body; head and body are joined by `<-` (or ←). `->` belongs to the
transitions of components, `=` to links and errors.

Wrong:

    Chain(x) = (Node(x));

Right:

    Chain(x) <- (Node(x));
";

    /// `new x` without `.`.
    MISSING_DOT = "E0116", "missing `.` after `new`",
"The variables that a rule introduces are followed by a full stop.

Wrong:

    Ring() <- new x, y <out(x) in(y)> (Node(x), Node(y));

Right:

    Ring() <- new x, y . <out(x) in(y)> (Node(x), Node(y));
";

    /// A transition that is not `a -p-> b`.
    MALFORMED_TRANSITION = "E0117", "malformed transition",
"A transition names the state left, the port between a dash and an arrow, and the state entered. An
internal transition has no port and only the arrow.

Wrong:

    idle -in> busy;
    idle in-> busy;

Right:

    idle -in-> busy;
    idle -> busy;
";

    /// A body without atoms.
    NO_ATOMS = "E0118", "rule without atoms",
"The body of a rule ends with at least one atom: a component to create or a predicate to go on with.
A rule without would derive an instance without components.

Wrong:

    Ring() <- new x, y . <out(x) in(y)>;

Right:

    Ring() <- new x, y . <out(x) in(y)> (Node(x), Node(y));
";

    /// Several atoms without parentheses.
    BARE_ATOMS = "E0119", "several atoms need parentheses",
"The atoms of a body stand between parentheses, separated by commas. Only a single atom may stand alone.

Wrong:

    Chain(x) <- new y . Node(x), Chain(y);

Right:

    Chain(x) <- new y . (Node(x), Chain(y));
";

    /// The parts of a body in another order.
    BODY_ORDER = "E0120", "parts of a rule out of order",
"A body consists of `new …` with its full stop, interactions, any number of `forbid`, and atoms, in this
order. Each but the atoms may be left out; interactions stand in one pair of `<` and `>`.

Wrong:

    Chain(x) <- <out(x) in(y)> new y . (Node(x), Chain(y));

Right:

    Chain(x) <- new y . <out(x) in(y)> (Node(x), Chain(y));
";

    /// `,` or the like between ports or interactions.
    WRONG_SEPARATOR = "E0121", "wrong sign between ports or interactions",
"The ports that take part in one interaction stand side by side (or are joined by ·). Several
interactions are joined by `+`.

Wrong:

    Ring() <- new x, y . <out(x), in(y)> (Node(x), Node(y));

Right:

    Ring() <- new x, y . <out(x) in(y)> (Node(x), Node(y));
    Both() <- new x, y . <out(x) + in(y)> (Node(x), Node(y));
";

    /// A comparison in another spelling.
    WRONG_COMPARISON = "E0122", "malformed comparison",
"A sum of counts stands on the left of one of >= <= > < == !=, a number on the right. A sum needs no
parentheses.

Wrong:

    error one = #busy = 1;
    error two = 2 <= #busy;

Right:

    error one = #busy == 1;
    error two = #busy >= 2;
";

    /// `&&`, `||`, `and`, `or`, `not`.
    WRONG_CONNECTIVE = "E0123", "connective spelled otherwise",
"Errors are combined with `&` (and), `|` (or) and `!` (not); the bodies of a rule are separated by a
single `|`.

Wrong:

    error bad = #busy >= 2 && !deadlock;

Right:

    error bad = #busy >= 2 & !deadlock;
";

    /// No item or statement begins so.
    UNKNOWN_ITEM = "E0124", "no such item",
"A model consists of components, rules, links, errors, `critical` and `system`; a component of `states`,
`init`, `final` and transitions. Nothing else begins so.

Wrong:

    process Node { state idle; init idle; }

Right:

    component Node { states idle; init idle; }
";

    /// A state compared without `#`.
    UNCOUNTED_STATE = "E0125", "count without `#`",
"How many components are in a state is written with `#`, so that states and the names of errors are
told apart.

Wrong:

    error crowd = busy >= 2;

Right:

    error crowd = #busy >= 2;
";

    /// A quantifier without `:`.
    MISSING_COLON = "E0126", "missing `:` behind a quantifier",
"In a formula over components a quantifier is followed by its variables, a colon and what it says of
them. Its scope goes on to the next closing parenthesis, or to the end.

Wrong:

    error two = wsks { ex1 x, y x != y };

Right:

    error two = wsks { ex1 x, y: x != y };
";

    /// `exists`, `forall` and the like.
    WRONG_QUANTIFIER = "E0127", "no such quantifier",
"The quantifiers of formulas over components are MONA's: `ex1` and `all1` speak of components, `ex2` and
`all2` of sets of components.

Wrong:

    error two = wsks { exists x, y: x != y };

Right:

    error two = wsks { ex1 x, y: x != y };
";

    /// Something else than `x in busy`, `x = y`, `X sub Y`.
    MALFORMED_CONDITION = "E0128", "malformed condition on components",
"A formula over components is made of `x in busy` (also with `Node.busy`, with a component type and with a
set), `x = y`, `X = Y`, `X sub Y`, their opposites `notin` and `!=`, `true` and `false`. Counts,
`deadlock` and the names of other errors stand outside of the braces: `deadlock & wsks { … }`.

Wrong:

    error some = wsks { ex1 x: busy(x) };

Right:

    error some = wsks { ex1 x: x in busy };
";

    /// `=>` and `<=>`, or two `<=>`, without parentheses.
    MIXED_ARROWS = "E0129", "arrows that need parentheses",
"`a => b => c` is read as `a => (b => c)`. Where `=>` stands beside `<=>`, or two `<=>` beside one another,
parentheses say what is meant.

Wrong:

    error odd = wsks { all1 x: x in busy => x in Node <=> x in idle };

Right:

    error odd = wsks { all1 x: x in busy => (x in Node <=> x in idle) };
";
}

//! Kinds of diagnostics about calls and files, before and after reading (`E00..`).

use crate::diagnostic::{Code, CodeInfo, Severity};

/// A file can't be read.
pub static UNREADABLE: CodeInfo = CodeInfo {
    id: "E0001",
    severity: Severity::Error,
    title: "input that cannot be read",
    explanation: "\
A file named in the call does not exist, is a directory, or may not be read.

Wrong:

    paramcheck rnig.rs

Right:

    paramcheck ring.rs

`-` reads standard input. A file that is called like a command is given with its folder: `./fmt`.",
};

/// A file is not UTF-8.
pub static NOT_UTF8: CodeInfo = CodeInfo {
    id: "E0002",
    severity: Severity::Error,
    title: "input that is not UTF-8",
    explanation: "\
Models are texts in UTF-8. The message gives the offset of the first byte, counted from 0, that does not
belong to a character. Save the file as UTF-8, or convert it:

Wrong:

    paramcheck latin1.rs

Right:

    iconv -f LATIN1 -t UTF-8 latin1.rs | paramcheck -",
};

/// A file is too large.
pub static TOO_LARGE: CodeInfo = CodeInfo {
    id: "E0003",
    severity: Severity::Error,
    title: "input that is too large",
    explanation: "\
No more than 16 MiB are read of one file: models are a few kilobytes, and devices never end. A model that
was generated for one size of the system is better written with a recursive rule, which stands for all
sizes.

Wrong:

    Ring() <- new n1, n2, n3, …  one variable per component

Right:

    Chain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y, z));",
};

/// The error named in the call does not exist.
pub static NO_SUCH_ERROR: CodeInfo = CodeInfo {
    id: "E0004",
    severity: Severity::Error,
    title: "question about an error that does not exist",
    explanation: "\
`--error NAME` asks about `deadlock`, which every model has, or about an error that the file defines with
`error`, `critical` or `forbid`. With an equals sign it defines one on the spot.

Wrong:

    paramcheck ring.rs --error exlusion

Right:

    paramcheck ring.rs --error exclusion
    paramcheck ring.rs --error 'two = #busy >= 2'",
};

/// A certificate or another output can't be written.
pub static UNWRITABLE: CodeInfo = CodeInfo {
    id: "E0005",
    severity: Severity::Error,
    title: "output that cannot be written",
    explanation: "\
The file named with `--certificate`, `--trace` or `--output`, or one that `fmt --write` would replace, could not
be written: its folder does not exist or may not be written to, or the disk is full. An older file of that name is
left as it was.

Wrong:

    paramcheck ring.rs --error deadlock --certificate missing/ring.json

Right:

    paramcheck ring.rs --error deadlock --certificate ring.json",
};

/// The program refutes its own evidence.
pub static BUG: CodeInfo = CodeInfo {
    id: "E0006",
    severity: Severity::Error,
    title: "bug in paramcheck",
    explanation: "\
Every proof is checked again by a separate small program, and every firing sequence is replayed, before
an answer is given. Here one of them failed: the evidence is wrong, so the answer is withheld. Or the answer
contradicts that of another engine, or what `paramcheck crosscheck` has explored. This is never the model's
fault. Please report it with the model and the call. The exit code is 101.

Wrong:

    (an answer that rests on this evidence)

Right:

    other questions of the same call, which are answered as usual",
};

/// A question can't be written as a formula.
pub static NO_FORMULA: CodeInfo = CodeInfo {
    id: "E0007",
    severity: Severity::Error,
    title: "question that has no formula",
    explanation: "\
The question can't be written as a formula of the logic WSkS, or the formula would be too large to be of
use: it has a set of tree nodes per rule and per state, a part for each combination of transitions that an
interaction stands for, and as many sets again as the largest number that is counted to. The message says
which of these it is. Deciding the question needs no formula.

Wrong:

    paramcheck emit ring.rs --as mona --error 'crowded = #busy >= 100'

Right:

    paramcheck emit ring.rs --as mona --error 'crowded = #busy >= 4'
    paramcheck ring.rs --error 'crowded = #busy >= 100'",
};

/// A term is no rewriting tree of the system.
pub static NO_SUCH_TREE: CodeInfo = CodeInfo {
    id: "E0008",
    severity: Severity::Error,
    title: "rewriting tree that the system does not have",
    explanation: "\
`--tree TERM` chooses an instance by its rewriting tree, written as answers write it: `Chain.2` is the
second rule of `Chain` (the number may be left out where there is one rule); in parentheses stand the trees
that rewrite its predicate atoms, in the order of the rule. `Chain.2^40(…)` applies a rule forty times. Where
components may start in several states, the states chosen stand in brackets: `Chain.2[busy](…)`. The first
rule is one of the system's predicate.

Wrong:

    paramcheck instances ring.rs --tree 'Ring.1(Chain.2^40)'

Right:

    paramcheck instances ring.rs --tree 'Ring.1(Chain.2^40(Chain.1))'",
};

/// A picture would not be legible.
pub static UNDRAWABLE: CodeInfo = CodeInfo {
    id: "E0009",
    severity: Severity::Error,
    title: "picture that would not be legible",
    explanation: "\
There is too much to draw for a picture that can be read: the message says of what, and how much is drawn at
most. Draw a smaller instance, which looks like the larger ones, or a shorter trace; or write DOT, where
Graphviz has no such limit.

Wrong:

    paramcheck draw ring.rs --size 1000

Right:

    paramcheck draw ring.rs --size 12",
};

/// A marking in the call can't be read.
pub static BAD_MARKING: CodeInfo = CodeInfo {
    id: "E0010",
    severity: Severity::Error,
    title: "marking that the instance does not have",
    explanation: "\
`--marking` says where components are: COMPONENT=STATE, with commas between. Components are called as in
answers, by type and number; `paramcheck draw FILE --size N` shows which there are. Components that are not
named are where they start.

Wrong:

    paramcheck draw ring.rs --size 3 --marking 'Node=busy'

Right:

    paramcheck draw ring.rs --size 3 --marking 'Node#1=busy, Node#3=idle'",
};

/// A trace can't be read.
pub static BAD_TRACE: CodeInfo = CodeInfo {
    id: "E0012",
    severity: Severity::Error,
    title: "trace that cannot be read",
    explanation: "\
A trace is the JSON document that `--trace PATH` writes, or one result with the answer *violated* in the
document of `--json`. This text is neither, or there are several traces in it and `--error NAME` does not
choose one. That a trace can be read does not mean that it is right: `paramcheck replay` finds that out.

Wrong:

    paramcheck ring.rs > ring.json
    paramcheck replay ring.rs ring.json

Right:

    paramcheck ring.rs --error deadlock --trace ring.json
    paramcheck replay ring.rs ring.json",
};

/// There is no such instance.
pub static NO_INSTANCE: CodeInfo = CodeInfo {
    id: "E0013",
    severity: Severity::Error,
    title: "instance that does not exist",
    explanation: "\
The system has no instance with exactly as many components as `--size` asks for (or, where all up to a size are
explored or counted, none of those), or the instance is too large to be looked at. A ring of philosophers and
forks, say, has instances of 4, 6, 8, … components.

Wrong:

    paramcheck emit philosophers.rs --as dot --size 5

Right:

    paramcheck emit philosophers.rs --as dot --size 6",
};

/// The language has no words for an error.
pub static NOT_WRITABLE: CodeInfo = CodeInfo {
    id: "E0014",
    severity: Severity::Error,
    title: "error that cannot be written for another program",
    explanation: "\
Spin and NuSMV know no formulas over components: `wsks { … }` is written as counts of components, those that
do for every instance or those of the one at hand, and where there are too many cases, not at all. Nor do they
count beyond 2^31 - 1.

Wrong:

    paramcheck emit ring.rs --as smv --size 40 --error 'e = wsks { ex2 X, Y, Z: … }'

Right:

    paramcheck emit ring.rs --as smv --size 4 --error 'e = wsks { ex2 X, Y, Z: … }'",
};

/// A certificate can't be read.
pub static BAD_CERTIFICATE: CodeInfo = CodeInfo {
    id: "E0015",
    severity: Severity::Error,
    title: "certificate that cannot be read",
    explanation: "\
A certificate is the JSON document that `--certificate PATH` writes; docs/certificate.md says what is in it. That
it can be read does not mean that it proves anything: `paramcheck certify` finds that out.

Wrong:

    paramcheck ring.rs > ring.json
    paramcheck certify ring.rs ring.json

Right:

    paramcheck ring.rs --error deadlock --certificate ring.json
    paramcheck certify ring.rs ring.json",
};

/// All kinds of this file, in the order of their codes.
pub const ALL: &[Code] = &[
    &UNREADABLE,
    &NOT_UTF8,
    &TOO_LARGE,
    &NO_SUCH_ERROR,
    &UNWRITABLE,
    &BUG,
    &NO_FORMULA,
    &NO_SUCH_TREE,
    &UNDRAWABLE,
    &BAD_MARKING,
    &BAD_TRACE,
    &NO_INSTANCE,
    &NOT_WRITABLE,
    &BAD_CERTIFICATE,
];

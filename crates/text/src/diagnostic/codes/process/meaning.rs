//! Kinds found while giving a process file its meaning (`E04..`, `W04..`).

use crate::diagnostic::{Code, CodeInfo, Severity};

kinds! { ALL:
    DUPLICATE_DEFINITION = Error "E0401" "a process or check is defined twice" {
        "Each constant and each check has one definition; a check without a name is called `deadlock`."
        wrong { "P = a.0;" "P = b.0;" "system P;" }
        right { "P = a.0;" "Q = b.0;" "system P + Q;" }
    }
    UNKNOWN_CONSTANT = Error "E0402" "unknown process" {
        "A name with a capital letter stands for a process that is defined somewhere in the file, before or\n\
         after: `WORKER = …;`."
        wrong { "WORKER = 'vote.0;" "system COORD | WORKER;" }
        right { "WORKER = 'vote.0;" "COORD = vote.0;" "system COORD | WORKER;" }
    }
    NO_SYSTEM = Error "E0403" "no system" {
        "`system P;` says which process is meant; definitions alone run nothing."
        wrong { "P = a.0;" }
        right { "P = a.0;" "system P;" }
    }
    SECOND_SYSTEM = Error "E0404" "more than one system" {
        "A file has one `system P;`. To compare several, write several files; to run them side by side,\n\
         put them in parallel."
        wrong { "system a.0;" "system b.0;" }
        right { "system a.0 | b.0;" }
    }
    UNKNOWN_ACTION = Error "E0405" "unknown action in a check" {
        "A check about an action that occurs nowhere in the system would hold or fail for no reason. The\n\
         action must be written in the system or be the result of a relabelling; `a` and `'a` differ. In a\n\
         choreography `did a` means a at any place, `did a@x` that of peer x."
        wrong { "system a.nok.0;" "check safe = always !did noc;" }
        right { "system a.nok.0;" "check safe = always !did nok;" }
    }
    UNGUARDED_RECURSION = Error "E0406" "unguarded recursion" {
        "A constant that comes back to itself must do an action on the way, or something on the left of a\n\
         `;` that has not terminated. Otherwise the definition says nothing about what it does first."
        wrong { "P = P + a.0;" "system P;" }
        right { "P = b.P + a.0;" "system P;" }
    }
    RECURSION_THROUGH_PARALLEL = Error "E0407" "recursion through a parallel composition" {
        "Coming back to a constant from inside of a parallel composition (or `^ n`) would make more and more\n\
         processes: such a system has no fixed number of program counters, and is excluded here."
        wrong { "P = a.0 | b.P;" "system P;" }
        right { "Q = b.Q;" "P = a.0 | Q;" "system P;" }
    }
    RECURSION_LEFT_OF_SEQUENCE = Error "E0408" "recursion on the left of `;`" {
        "Coming back to a constant on the left of a `;` would pile up what is to be done afterwards:\n\
         `P = a.(P; b.0) + c.0` counts, for as many a as there were there must be b. Such a system has no\n\
         finite program counter, and is excluded here."
        wrong { "P = a.(P; b.0) + c.0;" "system P;" }
        right { "P = a.b.P + c.0;" "system P;" }
    }
    RECURSION_UNDER_OPERATOR = Error "E0409" "recursion under a restriction or relabelling" {
        "Coming back to a constant under a restriction or relabelling would pile up these operators. Put\n\
         them around the constant where it is used."
        wrong { "P = a.(P[b/a]);" "system P;" }
        right { "P = a.P;" "system P[b/a];" }
    }
    RECURSION_IN_CHOREOGRAPHY = Error "E0410" "recursion in a choreography" {
        "Choreographies repeat with the loop `*(P)` only; constants stand for parts that are written once."
        wrong { "TALK = ask@[x,y]; TALK;" "system TALK;" }
        right { "TALK = *(ask@[x,y]);" "system TALK;" }
    }
    SELF_COMMUNICATION = Error "E0411" "a peer that communicates with itself" {
        "A communication has two peers. What one peer does alone is a local action."
        wrong { "system greet@[x,x];" }
        right { "system greet@x;" }
    }
    RENAMED_TWICE = Error "E0412" "an action is relabelled twice" {
        "All pairs of a relabelling apply at once, so each old name stands in one of them."
        wrong { "system a.0 [b/a, c/a];" }
        right { "system a.0 [b/a];" }
    }
    TOO_MANY_PEERS = Error "E0413" "too many peers" {
        "A choreography is projected to each of its peers; at most 500 are read."
        wrong { "(a text of 501 peers)" }
        right { "system go@[x1, x500];" }
    }
    NO_PEER = Error "E0414" "a choreography of nobody" {
        "The system of a choreography is its peers in parallel. Without an action there is none."
        wrong { "system tau; // and not a@x" }
        right { "system a@x;" }
    }
    UNUSED_CONSTANT = Warning "W0401" "a process is never used" {
        "The system does not come to this constant, so its definition changes nothing."
        wrong { "P = a.0;" "Q = b.0;" "system P;" }
        right { "P = a.0;" "Q = b.0;" "system P | Q;" }
    }
    IDLE_OPERATOR = Warning "W0402" "an operator names an action that does not occur" {
        "A restriction, relabelling or synchronisation set names an action that the process it is put to\n\
         never takes: probably a misspelling, and then it does nothing where it should."
        wrong { "system (a.0 | 'a.0) \\ {aa};" }
        right { "system (a.0 | 'a.0) \\ {a};" }
    }
}

//! Kinds found while reading a process file (`E03..`).

use crate::diagnostic::{Code, CodeInfo, Severity};

kinds! { ALL:
    UNREADABLE = Error "E0301" "unreadable text in a process" {
        "These characters mean nothing here. Besides names and numbers there are the signs\n\
         ; , . ' ( ) { } [ ] + * | || & ! = @ ^ \\ / and comments, `//` and `/* */`."
        wrong { "system a.0 $ b.0;" }
        right { "system a.0 + b.0;" }
    }
    UNTERMINATED_COMMENT = Error "E0302" "comment without end in a process file" {
        "A comment that begins with `/*` goes on to the first `*/`. Without one the rest of the file is\n\
         part of the comment, so whatever stands there is not read. Comments do not nest."
        wrong { "system a.0; /* the end" }
        right { "system a.0; /* the end */" }
    }
    BAD_NUMBER = Error "E0303" "neither number nor name in a process" {
        "A name begins with a letter or `_` and may go on with digits; a number consists of digits alone."
        wrong { "system 1st.0;" }
        right { "system first.0;" }
    }
    BAD_COPIES = Error "E0304" "no number of copies" {
        "`P ^ n` is n copies of P joined by `|`; n is a number from 1 to 65536."
        wrong { "system a.0 ^ 0;" }
        right { "system a.0 ^ 2;" }
    }
    RESERVED_WORD = Error "E0305" "reserved word used as a name in a process file" {
        "The words system, check, always, eventually, deadlock, did, can, terminated and tau have a\n\
         meaning of their own. Only in a choreography they may name actions, before `@` and behind `did` and `can`."
        wrong { "system can.0;" }
        right { "system can_.0;" }
    }
    NESTED_TOO_DEEP = Error "E0306" "process nested too deep" {
        "Parentheses of processes and parentheses and negations of formulas may be nested 200 levels deep.\n\
         Prefixes, sequences, choices and parallel compositions may be as long as you like."
        wrong { "system a.0; check safe = always
             !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
             !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
             !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
             did a;" }
        right { "system a.0; check safe = always !did a;" }
    }
    TOO_MANY = Error "E0307" "more errors than shown in a process file" {
        "After fifty errors the rest is not shown; it often disappears with the first ones."
        wrong { "system $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $ $;" }
        right { "system a.0;" }
    }
    UNEXPECTED = Error "E0308" "something else was expected in a process file" {
        "A process file consists of definitions `NAME = P;`, one `system P;` and checks. The message says\n\
         what could stand at this place."
        wrong { "system a.0 + ;" }
        right { "system a.0 + b.0;" }
    }
    MISSING_SEMICOLON = Error "E0309" "missing `;` in a process file" {
        "Definitions, `system` and `check` each end with `;`."
        wrong { "P = a.0" "system P;" }
        right { "P = a.0;" "system P;" }
    }
    UNCLOSED_BRACKET = Error "E0310" "bracket without its partner in a process file" {
        "Every ( { [ and |[ needs its ) } ] or ]| before the item ends."
        wrong { "system (a.0 + b.0;" }
        right { "system (a.0 + b.0);" }
    }
    UNMATCHED_BRACKET = Error "E0311" "closing bracket that nothing opened in a process file" {
        "Every ) } and ] closes a bracket before it."
        wrong { "system a.0);" }
        right { "system (a.0);" }
    }
    MISSING_COMMA = Error "E0312" "missing comma in a process file" {
        "The actions of a restriction, a relabelling or a synchronisation set are separated by commas."
        wrong { "system a.b.0 \\ {a b};" }
        right { "system a.b.0 \\ {a, b};" }
    }
    BARE_ACTION = Error "E0313" "action without a continuation" {
        "In CCS an action is a prefix: `a.P` does `a` and goes on as P. To stop afterwards, write `a.0`.\n\
         `P; Q` puts processes one after the other, not actions."
        wrong { "P = a; b.0;" "system P;" }
        right { "P = a.b.0;" "system P;" }
    }
    MIXED_PARALLEL = Error "E0314" "different parallel operators side by side" {
        "`|` and `|[…]|`, or `|[…]|` with different sets, bind equally and mean different things depending\n\
         on which is meant first: in `P | Q |[a]| R` the synchronisation of P with Q may or may not be seen\n\
         by R. So parentheses are demanded."
        wrong { "system a.0 | 'a.0 |[a]| a.0;" }
        right { "system (a.0 | 'a.0) |[a]| a.0;" }
    }
    WRONG_CASE = Error "E0315" "capital and small letters" {
        "Names of processes begin with a capital letter, those of actions and peers with a small one: so\n\
         `Stop` in `a.Stop` is a process, and `stop` in `a.stop.0` an action."
        wrong { "worker = a.0;" "system Worker;" "Worker = b.0;" }
        right { "Worker = a.0;" "system Worker;" }
    }
    WRONG_OPERATOR = Error "E0316" "operator in another spelling" {
        "Parallel composition is `|` in CCS and `||` in choreographies; interleaving that never synchronises,\n\
         `|||` in CSP, is `|[]|`. In formulas negation is `!`, conjunction `&` and disjunction `|`."
        wrong { "system a.0 || b.0;" }
        right { "system a.0 | b.0;" }
    }
    OTHER_LANGUAGE = Error "E0317" "construct of another language" {
        "Files that end in .ccs hold processes: prefix `a.P`, `0`, restriction, relabelling, copies,\n\
         co-actions. Files that end in .chor hold choreographies: local actions `a@x`, communications\n\
         `a@[x, y]`, loops `*(P)`, `tau`. `;`, `+` and parentheses are in both."
        wrong { "system greet@[x,y]; stop.0;" }
        right { "system greet@[x,y]; stop@x;" }
    }
    MISPLACED_ACTION = Error "E0318" "co-action or `tau` where it can't stand" {
        "Restriction and relabelling name actions, and mean their co-actions too. `tau` is invisible: it has\n\
         no co-action and can't be restricted, relabelled or synchronised."
        wrong { "system a.'a.0 \\ {'a};" }
        right { "system a.'a.0 \\ {a};" }
    }
    MALFORMED_CHECK = Error "E0319" "malformed check" {
        "A check is `check NAME = always φ;`, `check NAME = eventually φ;` or `check deadlock;` (which may\n\
         have a name too). φ is made of `did a` (the last step was a), `can a` (a is possible now) and\n\
         `terminated` with `!`, `&`, `|` and parentheses."
        wrong { "system a.0;" "check safe = always !a;" }
        right { "system a.0;" "check safe = always !did a;" }
    }
}
